"""A match of Skirmish Wars as its spec tells it, point by point, in plain Python; shares no code with the package.

Set-ups, states, actions and results are those of the transcripts of matches. Sections are those of the spec of the
match, and where they look like 3.4a, of the rulebook. Dice come from outside, so that two programs can play one match.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

Square = tuple[int, int]

UNITDB = Path(__file__).parents[2] / "unitdb" / "skirmish_wars"
SIDES = ("a", "b")
FULL_HP = 8
SOUND_HP = 5  # a unit of fewer hit points is reduced

# 1. Setup: what a key has where neither the set-up nor the board says it.
DEFAULTS: dict[str, Any] = {
    "units": [],
    "money": {"a": 5, "b": 5},
    "first": "a",
    "conquest": True,
    "medals": 0,
    "cities": 0,
    "turn_limit": 30,
    "counters": 4,
    "shop": None,
    "unreduce_on_repair": True,
    "elimination": "units",
}

# 1. Setup: the characters of a map.
LEGEND = {
    ".": "grass",
    "=": "road",
    "*": "forest",
    "^": "hill",
    "~": "river",
    "c": "city",
    "f": "factory",
    "A": "hq a",
    "a": "city a",
    "1": "factory a",
    "B": "hq b",
    "b": "city b",
    "2": "factory b",
}

PROPERTIES = ("city", "factory", "hq")
CAPTURE_POINTS = {"city": 4, "factory": 4, "hq": 8}

# 5. Attack: the column of the chart by the kind of the square.
COLUMN = {
    "hill": "hill_hq",
    "hq": "hill_hq",
    "city": "city",
    "factory": "city",
    "forest": "forest",
    "grass": "grass",
    "road": "road_river",
    "river": "road_river",
}

CHART = """
initial_damage hill_hq city forest grass road_river
-3 0+0 0+0 0+0 0+0 0+1
-2 0+0 0+0 0+1 0+1 0+2
-1 0+1 0+1 0+2 0+2 0+3
0  0+1 0+2 0+3 0+4 0+5
1  0+5 1+1 1+1 1+2 1+3
2  1+3 1+5 2+1 2+2 2+3
3  2+1 2+3 2+5 3+1 3+3
4  2+4 3+1 3+4 4+1 4+3
5  3+2 3+5 4+2 4+5 5+3
6  3+5 4+3 5+1 5+5 6+3
7  4+3 5+1 6+1 6+5 7+3
8  5+1 5+5 6+5 7+4 8+0
9  5+4 6+4 7+4 8+0 8+0
10 6+2 7+2 8+0 8+0 8+0
11 6+5 8+0 8+0 8+0 8+0
12 7+3 8+0 8+0 8+0 8+0
13 8+0 8+0 8+0 8+0 8+0
"""


def read_chart() -> dict[tuple[int, str], tuple[int, int]]:
    """Return hits and die number by initial damage and column."""
    head, *rows = (line.split() for line in CHART.strip().splitlines())
    chart = {}
    for damage, *cells in rows:
        for column, cell in zip(head[1:], cells, strict=True):
            hits, die = cell.split("+")
            chart[int(damage), column] = (int(hits), int(die))
    return chart


HITS = read_chart()
LEAST_DAMAGE, MOST_DAMAGE = -3, 13


@dataclass
class Unit:
    """A unit in play; `at` is None while it is in the carrier `inside`."""

    id: str
    type: str
    at: Square | None
    hp: int
    reduced: bool
    done: bool = False
    inside: str | None = None

    @property
    def side(self) -> str:
        """The letter of its side."""
        return self.id[0]


@dataclass
class Property:
    """A city, a factory or an HQ."""

    kind: str
    owner: str | None
    first_owner: str | None
    captured: int = 0


@dataclass
class Side:
    """A side: its money and all else that it has but units."""

    money: int
    medals: int = 0
    issued: int = 0
    eliminated: dict[str, int] = field(default_factory=dict)


def other(side: str) -> str:
    """Return the other side."""
    return "b" if side == "a" else "a"


def text(square: Square) -> str:
    """Return a square as actions write it."""
    return f"{square[0]},{square[1]}"


def distance(one: Square, two: Square) -> int:
    """Return the distance of two squares, counted orthogonally."""
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


def neighbours(square: Square) -> list[Square]:
    """Return the four squares that share an edge with one, whether the map has them or not."""
    x, y = square
    return [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]


class Match:
    """A match that is played by texts of actions; `roll` is asked for each die."""

    def __init__(self, setup: dict[str, Any], roll: Callable[[int], int]) -> None:
        self._roll = roll
        board = setup["board"]
        if isinstance(board, str):
            board = tomllib.loads((UNITDB / "boards" / f"{board}.toml").read_text(encoding="utf-8"))
        self.options = {**DEFAULTS, **board, **setup}  # 1. a key of the setup goes before the board's
        self.cards: dict[str, dict[str, Any]] = self.options["cards"]
        self.ground: dict[Square, str] = {}
        self.properties: dict[Square, Property] = {}
        self._read_map(board["map"], {**LEGEND, **board.get("legend", {})})
        self.sides = {side: Side(self.options["money"][side]) for side in SIDES}
        self.units: list[Unit] = []
        for one in self.options["units"]:
            x, y = one["at"]
            self._issue(one["side"], one["type"], (x, y), one.get("hp", FULL_HP))
        self.round = 1
        self.side: str = self.options["first"]
        self.phase = "move"
        self.active: Unit | None = None
        self.over = False
        self.winner: str | None = None
        self.reason = "not over"
        self._begin_turn()

    def _read_map(self, lines: str | list[str], legend: dict[str, str]) -> None:
        if isinstance(lines, str):
            lines = lines.split()
        for y, line in enumerate(lines):
            for x, character in enumerate(line):
                kind, *owner = legend[character].split()
                self.ground[x, y] = kind
                if kind in PROPERTIES:
                    owned_by = owner[0] if owner else None
                    self.properties[x, y] = Property(kind, owned_by, owned_by)

    def _issue(self, side: str, type_: str, at: Square, hp: int, done: bool = False) -> None:
        """2. A new unit's id is the side's letter and how many units the side has had."""
        self.sides[side].issued += 1
        self.units.append(Unit(f"{side}{self.sides[side].issued}", type_, at, hp, hp < SOUND_HP, done))

    # --- what stands where -------------------------------------------------------------------------------------

    def _unit(self, id_: str) -> Unit:
        return next(unit for unit in self.units if unit.id == id_)

    def _on(self, square: Square) -> Unit | None:
        return next((unit for unit in self.units if unit.at == square), None)

    def _of(self, side: str) -> list[Unit]:
        return [unit for unit in self.units if unit.side == side]

    def _aboard(self, carrier: Unit) -> list[Unit]:
        return [unit for unit in self.units if unit.inside == carrier.id]

    def _is_foot(self, unit: Unit) -> bool:
        return bool(self.cards[unit.type]["symbol"] == "foot")

    def _room(self, carrier: Unit) -> int:
        return int(self.cards[carrier.type].get("carries", 0)) - len(self._aboard(carrier))

    def _friendly(self, side: str) -> list[Square]:
        """3.1 (3.2): a property is friendly to its owner while nothing is captured of it."""
        return [at for at, one in self.properties.items() if one.owner == side and one.captured == 0]

    # --- 3. A player turn --------------------------------------------------------------------------------------

    def _begin_turn(self) -> None:
        friendly = self._friendly(self.side)
        for at in friendly:  # 3.1 Income
            if self.properties[at].kind in ("city", "hq"):
                self.sides[self.side].money += 5
        for unit in self._of(self.side):  # 3.2 Repair; a unit aboard has no square (S-15)
            if unit.at in friendly:
                unit.hp = min(unit.hp + 2, FULL_HP)
                if unit.hp >= SOUND_HP and self.options["unreduce_on_repair"]:
                    unit.reduced = False

    def _end_turn(self) -> None:
        for unit in self.units:
            unit.done = False
        self.active = None
        self.phase = "move"
        ended, self.side = self.side, other(self.side)
        if ended != self.options["first"]:
            if self.round == self.options["turn_limit"]:
                self._finish(None, "turn limit")
                return
            self.round += 1
        self._begin_turn()

    def _finish(self, winner: str | None, reason: str) -> None:
        self.over, self.winner, self.reason = True, winner, reason

    # --- 4. Activations ----------------------------------------------------------------------------------------

    def _cost(self, unit: Unit, square: Square) -> int | None:
        """What entering a square costs a unit; None where it is closed, or there is none."""
        kind = self.ground.get(square)
        ground = "road" if kind in PROPERTIES else kind
        cost: int | None = self.cards[unit.type]["movement_cost"].get(ground)
        return cost

    def _reached(self, unit: Unit) -> dict[Square, int]:
        """Return what the cheapest path to each square costs, its own with 0; no step enters a square with a unit."""
        assert unit.at is not None
        mp = self.cards[unit.type]["mp"]
        cheapest = {unit.at: 0}
        open_ = [unit.at]
        while open_:
            square = open_.pop(0)
            for step in neighbours(square):
                cost = self._cost(unit, step)
                if cost is None or self._on(step) is not None:
                    continue
                total = cheapest[square] + cost
                if total <= mp and total < cheapest.get(step, mp + 1):
                    cheapest[step] = total
                    open_.append(step)
        return cheapest

    def _loads(self, unit: Unit, reached: dict[Square, int]) -> Iterator[Unit]:
        """4. Load: moves in the same way, with the carrier's square as the last step."""
        if not self._is_foot(unit):
            return
        for carrier in self._of(unit.side):
            if carrier is unit or carrier.at is None or self._room(carrier) <= 0:
                continue
            cost = self._cost(unit, carrier.at)
            before = [reached[one] for one in neighbours(carrier.at) if one in reached]
            if cost is not None and before and min(before) + cost <= self.cards[unit.type]["mp"]:
                yield carrier

    def _unloads(self, carrier: Unit) -> Iterator[tuple[Unit, Square]]:
        """4. Unload: onto a free square next to the carrier that is not closed to the unit."""
        assert carrier.at is not None
        for unit in self._aboard(carrier):
            for square in neighbours(carrier.at):
                if self._cost(unit, square) is not None and self._on(square) is None:
                    yield unit, square

    def _targets(self, unit: Unit) -> Iterator[Unit]:
        """5. Enemies at a distance that it can fire at; an indirect unit only if it is not active."""
        if self.cards[unit.type]["range"]["max"] > 1 and unit is self.active:
            return
        for enemy in self._of(other(unit.side)):
            if self._in_range(unit, enemy):
                yield enemy

    def _in_range(self, unit: Unit, enemy: Unit) -> bool:
        reach = self.cards[unit.type]["range"]
        if unit.at is None or enemy.at is None:
            return False
        return bool(reach["min"] <= distance(unit.at, enemy.at) <= reach["max"])

    def _may_capture(self, unit: Unit) -> bool:
        """4. Capture: a foot unit on a property that its side does not own."""
        assert unit.at is not None
        here = self.properties.get(unit.at)
        return here is not None and self._is_foot(unit) and here.owner != unit.side

    def _unit_actions(self, unit: Unit) -> Iterator[str]:
        if unit.at is None or unit.done:
            return
        if unit is not self.active:
            reached = self._reached(unit)
            for square in reached:
                if square != unit.at:
                    yield f"{unit.id} move {text(square)}"
            for carrier in self._loads(unit, reached):
                yield f"{unit.id} load {carrier.id}"
        for enemy in self._targets(unit):
            yield f"{unit.id} attack {enemy.id}"
        if self._may_capture(unit):
            yield f"{unit.id} capture"
        for cargo, square in self._unloads(unit):
            yield f"{unit.id} unload {cargo.id} {text(square)}"

    # --- 6. Purchase -------------------------------------------------------------------------------------------

    def _counter_left(self, type_: str) -> bool:
        """S-17: units in play use a counter each; eliminated ones too where medals are played."""
        counters = self.options["counters"]
        if isinstance(counters, dict):
            counters = counters.get(type_)
        if counters is None:
            return True
        used = sum(unit.type == type_ for unit in self._of(self.side))
        if self.options["medals"]:
            used += self.sides[self.side].eliminated.get(type_, 0)
        return bool(used < counters)

    def _purchases(self) -> Iterator[str]:
        shop = self.cards if self.options["shop"] is None else self.options["shop"]
        for at in self._friendly(self.side):
            if self.properties[at].kind != "factory" or self._on(at) is not None:
                continue
            for type_ in set(shop):
                if self.cards[type_]["cost"] <= self.sides[self.side].money and self._counter_left(type_):
                    yield f"buy {type_} {text(at)}"

    # --- what an action does -----------------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """Return the texts of all legal actions, sorted."""
        if self.over:
            return []
        texts = ["end", *self._purchases()]
        if self.phase == "move":
            for unit in self._of(self.side):
                texts += self._unit_actions(unit)
        return sorted(texts)

    def do(self, text: str) -> None:
        """Take a legal action."""
        if text not in self.legal():
            raise ValueError(text)
        words = text.split()
        if words == ["end"]:
            self._end_turn()
        elif words[0] == "buy":
            self._buy(words[1], read_square(words[2]))
        else:
            self._act(self._unit(words[0]), words[1], words[2:])

    def _buy(self, type_: str, at: Square) -> None:
        self._complete()
        self.phase = "purchase"
        self.sides[self.side].money -= self.cards[type_]["cost"]
        self._issue(self.side, type_, at, FULL_HP, done=True)

    def _complete(self, but: Unit | None = None) -> None:
        """3.3: an activation is completed before the next."""
        if self.active is not None and self.active is not but:
            self.active.done = True
        self.active = None

    def _act(self, unit: Unit, verb: str, words: list[str]) -> None:
        self._complete(but=unit)
        if verb == "move":
            self._leave(unit)
            unit.at = read_square(words[0])
            self.active = unit
        elif verb == "unload":
            cargo = self._unit(words[0])
            cargo.at, cargo.inside, cargo.done = read_square(words[1]), None, True
            self.active = unit
        else:
            unit.done = True
            if verb == "load":
                self._leave(unit)
                unit.at, unit.inside = None, words[0]
            elif verb == "attack":
                self._attack(unit, self._unit(words[0]))
            else:
                self._capture(unit)

    def _leave(self, unit: Unit) -> None:
        """4. Capture: when the unit leaves the square for any reason, captured is 0."""
        if unit.at in self.properties:
            self.properties[unit.at].captured = 0

    def _capture(self, unit: Unit) -> None:
        assert unit.at is not None
        here = self.properties[unit.at]
        here.captured += 1 if unit.reduced else 2
        if here.captured < CAPTURE_POINTS[here.kind]:
            return
        here.owner, here.captured = unit.side, 0
        # 7. The end, 2: a property changed hands
        cities = self.options["cities"]
        if self.options["conquest"] and here.kind == "hq" and here.first_owner == other(unit.side):
            self._finish(unit.side, "conquest: HQ captured")
        elif cities and here.kind == "city" and self._cities(unit.side) >= cities:
            self._finish(unit.side, "city conquest")

    def _cities(self, side: str) -> int:
        return sum(one.kind == "city" and one.owner == side for one in self.properties.values())

    # --- 5. Attack ---------------------------------------------------------------------------------------------

    def _attack(self, unit: Unit, enemy: Unit) -> None:
        self._strike(unit, enemy)
        if not self.over and enemy in self.units and self._in_range(enemy, unit):
            self._strike(enemy, unit)

    def _strike(self, striker: Unit, target: Unit) -> None:
        assert target.at is not None
        card, aim = self.cards[striker.type], self.cards[target.type]
        firepower = card["reduced" if striker.reduced else "firepower"].get(aim["symbol"], 0)
        damage = firepower - aim["defense"]
        if damage < LEAST_DAMAGE:
            hits, die = 0, 0
        elif damage > MOST_DAMAGE:
            hits, die = 8, 0
        else:
            hits, die = HITS[damage, COLUMN[self.ground[target.at]]]
        if die and self._roll(6) <= die:
            hits += 1
        target.hp -= hits
        if target.hp < SOUND_HP:
            target.reduced = True
        if target.hp <= 0:
            self._eliminate(target)

    def _eliminate(self, unit: Unit) -> None:
        """At 0 it is eliminated, and so is all that is aboard."""
        self._leave(unit)
        loser, winner = unit.side, other(unit.side)
        for one in self._with_all_aboard(unit):
            self.units.remove(one)
            eliminated = self.sides[loser].eliminated
            eliminated[one.type] = eliminated.get(one.type, 0) + 1
            self.sides[winner].medals += 1
        # 7. The end, 1: after an elimination
        if self.options["conquest"] and not self._of(loser) and not self._saved_by_factory(loser):
            self._finish(winner, "conquest: no enemy unit left")
        elif self.options["medals"] and self.sides[winner].medals >= self.options["medals"]:
            self._finish(winner, "victory medals")

    def _with_all_aboard(self, unit: Unit) -> list[Unit]:
        found = [unit]
        for one in self._aboard(unit):
            found += self._with_all_aboard(one)
        return found

    def _saved_by_factory(self, side: str) -> bool:
        """S-20: the switch, whether a side that owns a factory is beaten by losing its last unit."""
        owns = any(one.kind == "factory" and one.owner == side for one in self.properties.values())
        return self.options["elimination"] == "units_and_factories" and owns

    # --- 2. State, and 7. the result ---------------------------------------------------------------------------

    def to_move(self) -> str | None:
        """Return the side that is to move; None when the match is over."""
        return None if self.over else self.side

    def state(self) -> dict[str, Any]:
        """Return the state as transcripts write it."""
        properties = sorted(self.properties.items(), key=lambda item: (item[0][1], item[0][0]))
        return {
            "round": self.round,
            "to_move": self.to_move(),
            "phase": self.phase,
            "active": self.active.id if self.active else None,
            "money": {side: self.sides[side].money for side in SIDES},
            "medals": {side: self.sides[side].medals for side in SIDES},
            "issued": {side: self.sides[side].issued for side in SIDES},
            "eliminated": {side: dict(self.sides[side].eliminated) for side in SIDES},
            "units": [
                {
                    "id": unit.id,
                    "type": unit.type,
                    "at": list(unit.at) if unit.at else None,
                    "in": unit.inside,
                    "hp": unit.hp,
                    "reduced": unit.reduced,
                    "done": unit.done,
                }
                for unit in sorted(self.units, key=lambda unit: (unit.side, int(unit.id[1:])))
            ],
            "properties": [
                {"at": list(at), "kind": one.kind, "owner": one.owner, "captured": one.captured}
                for at, one in properties
            ],
        }

    def result(self) -> dict[str, Any]:
        """Return who won and why, and what counts on both sides."""
        worth = {side: sum(self.cards[unit.type]["cost"] * unit.hp for unit in self._of(side)) for side in SIDES}
        points = {
            "medals": {side: self.sides[side].medals for side in SIDES},
            "cities": {side: self._cities(side) for side in SIDES},
            "worth": worth,
        }
        return {"winner": self.winner, "reason": self.reason, "points": points}


def read_square(words: str) -> Square:
    """Return the square that an action writes so."""
    x, y = words.split(",")
    return int(x), int(y)


# --- set-ups to play from --------------------------------------------------------------------------------------

BOARDS = ("crossing", "crossing_armies", "last_stand", "two_towns")
GROUNDS = "...===**^~ccf"


def random_setup(draw: Random) -> dict[str, Any]:
    """Return a set-up, mostly small and crowded, that reaches much of the rules in few turns."""
    shipped = draw.random() < 0.1
    cards = _printed_cards() if shipped or draw.random() < 0.5 else _random_cards(draw)
    board, squares = _random_board(draw)
    rich = draw.random() < 0.15  # both sides buy all they can
    ways: dict[str, Callable[[], Any]] = {
        "units": lambda: _random_units(draw, cards, squares),
        "money": lambda: {side: draw.choice([60, 200] if rich else [0, 1, 3, 5, 20]) for side in SIDES},
        "first": lambda: draw.choice(SIDES),
        "conquest": lambda: draw.random() < 0.5,
        "medals": lambda: draw.choice([0, 1, 2, 3, 6]),
        "cities": lambda: draw.choice([0, 1, 2, 3, 5]),
        "turn_limit": lambda: draw.randint(1, 12),
        "counters": lambda: draw.choice([None, 1, 2, 4, {type_: draw.randint(0, 3) for type_ in _some(draw, cards)}]),
        "shop": lambda: draw.choice([None, _some(draw, cards)]),
        "unreduce_on_repair": lambda: draw.random() < 0.5,
        "elimination": lambda: draw.choice(["units", "units_and_factories"]),
    }
    often = {"units": 0.0 if shipped else 0.9, "turn_limit": 0.95, "money": 1.0 if rich else 0.5}
    keys = [key for key in ways if draw.random() < often.get(key, 0.5)]
    setup: dict[str, Any] = {"cards": cards, "board": draw.choice(BOARDS) if shipped else board}
    for key in keys:  # 1. a board may hold any key of a setup, which goes before it
        where = "setup" if shipped else draw.choice(["setup", "setup", "board", "both"])
        if where != "board":
            setup[key] = ways[key]()
        if where != "setup":
            board[key] = ways[key]()
    return setup


def _some(draw: Random, cards: dict[str, Any]) -> list[str]:
    return [type_ for type_ in cards if draw.random() < 0.4]


def _printed_cards() -> dict[str, dict[str, Any]]:
    with (UNITDB / "units.toml").open("rb") as file:
        printed = tomllib.load(file)
    return {
        type_: {key: value for key, value in card.items() if key not in ("name", "note")}
        for type_, card in printed.items()
    }


def _random_cards(draw: Random) -> dict[str, dict[str, Any]]:
    """Return some of the product's cards, and new ones; carriers of all kinds among them."""
    cards = _printed_cards()
    for type_ in list(cards):
        change = draw.random()
        if change < 0.3 and len(cards) > 2:
            del cards[type_]
        elif change < 0.5:
            cards[type_] = _random_card(draw)
    for type_ in ("new_one", "porter"):
        cards[type_] = _random_card(draw)
    cards["porter"] |= {"symbol": "foot", "carries": draw.randint(1, 2)}
    return cards


def _random_card(draw: Random) -> dict[str, Any]:
    symbols = ("foot", "foot", "tread", "wheel", "triangle", "circle")
    reach = draw.choice([(0, 0), (1, 1), (1, 1), (0, 1), (1, 2), (2, 3), (2, 2), (0, 3), (3, 6)])
    card = {
        "symbol": draw.choice(symbols),
        "cost": draw.choice([1, 2, 5, 11]),
        "mp": draw.choice([0, 1, 2, 3, 5, 8]),
        "defense": draw.choice([0, 1, 2, 4, 7, 9]),
        "range": {"min": reach[0], "max": reach[1]},
        "movement_cost": {"grass": draw.randint(1, 2), "road": draw.choice([1, 1, 2]), "forest": draw.randint(1, 3)},
        "carries": draw.choice([0, 0, 1, 2, 3]),
    }
    for ground in ("river", "hill"):
        if draw.random() < 0.5:
            card["movement_cost"][ground] = draw.choice([1, 2, None])
    for column in ("firepower", "reduced"):
        card[column] = {symbol: draw.choice([0, 3, 5, 8, 12, 25]) for symbol in symbols[1:4]}
        for symbol in symbols[4:]:
            if draw.random() < 0.5:
                card[column][symbol] = draw.choice([0, 5, 12])
    return card


def _random_board(draw: Random) -> tuple[dict[str, Any], list[Square]]:
    """Return a board, as lines or as a text, some with characters of its own; and its squares."""
    width, height = draw.randint(2, 7), draw.randint(1, 6)
    squares = [(x, y) for x in range(width) for y in range(height)]
    characters = {at: draw.choice(GROUNDS) for at in squares}
    special = ["A", "B", *(one for one in "ab12AB" if draw.random() < 0.4)]
    for at, one in zip(draw.sample(squares, min(len(special), len(squares))), special, strict=False):
        characters[at] = one
    board: dict[str, Any] = {"name": "Random"}
    if draw.random() < 0.3:
        board["legend"] = {"o": "city", "h": "hq a", "w": "river", "k": "factory b", "=": "forest"}
        for at in draw.sample(squares, len(squares) // 3):
            characters[at] = draw.choice("oowwhk")
    lines = ["".join(characters[x, y] for x in range(width)) for y in range(height)]
    board["map"] = lines if draw.random() < 0.7 else "\n".join(lines) + "\n"
    return board, squares


def _random_units(draw: Random, cards: dict[str, Any], squares: list[Square]) -> list[dict[str, Any]]:
    """Return units of both sides, mostly near one another, some of them hurt; one side may have none."""
    foot = [type_ for type_ in cards if cards[type_]["symbol"] == "foot"]
    types = draw.sample(list(cards), min(len(cards), draw.randint(1, 5))) + foot * draw.randint(0, 2)
    middle = draw.choice(squares)
    places = sorted(squares, key=lambda at: (distance(at, middle) + draw.random() * 3, at))
    hurt = draw.choice([0.0, 0.3, 0.8])
    units = []
    for at in places[: draw.randint(1, min(14, len(places)))]:
        unit: dict[str, Any] = {"side": draw.choice(SIDES), "type": draw.choice(types), "at": list(at)}
        if draw.random() < hurt:
            unit["hp"] = draw.randint(1, 8)
        units.append(unit)
    return units
