"""A match of Armored Advance as its spec tells it, point by point, in plain Python; it shares no code with the package.

R-n are the rules of the spec, AA-n its decisions and those of the rulebook's reading; the switches of shots are played
as `rollers.armored_advance_table` plays them. Everything is an integer; distances are squared, costs tenths of an inch.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from rollers.armored_advance_table import HIT_DICE, READINGS, penetration_roll
from rollers.readings import agreed

Square = tuple[int, int]
Card = dict[str, Any]

AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
FACINGS = dict(zip(["N", "NE", "E", "SE", "S", "SW", "W", "NW"], AROUND, strict=True))
ENTERS = {"vehicle": set(".=~w^fs"), "field_gun": set(".=^fTs"), "infantry": set(".=~w^f-#Ts")}
"""Section 2: the ground that a kind of unit may enter."""
BLOCKS, WALLS, HIGH, FOLIAGE = set("B^"), set("-#"), set("#"), set("f")
MATCH = {"hull": 0, "quiet": 20, "cap": 60}
TURN = ["used", "first", "marches", "moves", "tenths", "freed", "still", "fired", "on_road"]
"""Section 9: the fields of a unit that its own `end` resets."""


def other(side: str) -> str:
    """Return the enemy of a side."""
    return "b" if side == "a" else "a"


def between(a: Square, b: Square) -> tuple[int, int]:
    """Return the vector from a to b."""
    return b[0] - a[0], b[1] - a[1]


def apart(a: Square, b: Square) -> int:
    """Return the squared distance of two squares."""
    x, y = between(a, b)
    return x * x + y * y


def turned(facing: str | None, to: tuple[int, int]) -> tuple[int, int]:
    """Return R-20's dot and |cross| of a facing and a vector; a unit without facing shows its front (R-3)."""
    x, y = to if facing is None else FACINGS[facing]
    return x * to[0] + y * to[1], abs(x * to[1] - y * to[0])


def face(facing: str | None, to: tuple[int, int]) -> str:
    """Return the face that a unit shows in a direction (R-20); at exactly 135 degrees its side (AA-96)."""
    dot, cross = turned(facing, to)
    if dot >= cross:
        return "front"
    return "rear" if -dot > cross else "side"


def steps(start: Square, end: Square) -> list[list[Square]]:
    """Return what the segment between two centres crosses (R-15): steps of one square, or of two at a corner."""
    (x, y), (dx, dy) = start, between(start, end)
    right, down = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    dx, dy = abs(dx), abs(dy)
    i = j = 0
    crossed: list[list[Square]] = []
    while (x, y) != end:
        a, b = (1 + 2 * i) * dy, (1 + 2 * j) * dx
        if a == b:
            crossed.append([(x + right, y), (x, y + down)])
        if a <= b:
            x, i = x + right, i + 1
        if a >= b:
            y, j = y + down, j + 1
        crossed.append([(x, y)])
    return crossed[:-1]


def around(square: Square) -> list[Square]:
    """Return the eight squares around one."""
    return [(square[0] + x, square[1] + y) for x, y in AROUND]


@dataclass
class Unit:
    """A unit of a side: the fields of its state (section 9), and its card."""

    name: str
    card: Card
    hp: int
    x: int | None = None
    y: int | None = None
    f: str | None = None
    aboard: str | None = None
    towed: str | None = None
    used: int = 0
    first: str | None = None
    marches: int = 0
    moves: int = 0
    tenths: int = 0
    freed: int = 0
    still: int = 0
    fired: dict[str, int] = field(default_factory=dict)
    on_road: int = 0
    reload: int = 0
    set_up: int = 0
    last_tenths: int = 0
    last_moves: int = 0
    active: int = 0
    stunned: int = 0
    grenades: int = 0

    @property
    def side(self) -> str:
        """The side whose unit it is."""
        return self.name[0]

    @property
    def kind(self) -> str:
        """Vehicle, field gun or infantry."""
        return str(self.card["class"])

    @property
    def pool(self) -> int:
        """How many actions it has a turn (R-2)."""
        return 1 if self.kind == "infantry" else int(self.card.get("actions", 2))

    @property
    def weapons(self) -> list[dict[str, Any]]:
        """What it fires with."""
        return list(self.card.get("weapons", []))

    @property
    def there(self) -> bool:
        """Whether it stands on the map: not aboard, not towed, not waiting for deployment."""
        return self.x is not None

    @property
    def at(self) -> Square:
        """The square where it stands."""
        assert self.x is not None
        assert self.y is not None
        return self.x, self.y

    @property
    def faces(self) -> bool:
        """Whether it has a facing (R-3): guns have, squads have none, vehicles if something depends on it."""
        plates = set(self.card.get("armor", {}).values())
        needed = ("casemate", "reverse_casemate", "angling", "slow_reverse")
        return self.kind == "field_gun" or (self.kind == "vehicle" and (len(plates) > 1 or any(map(self.has, needed))))

    @property
    def untouched(self) -> bool:
        """Whether it did nothing before in this turn, the free move included (R-25, R-28, R-29)."""
        return not self.used and not self.freed

    def has(self, keyword: str) -> bool:
        """Whether its card has a keyword."""
        return bool(self.card.get("keywords", {}).get(keyword))

    def number(self, keyword: str) -> int:
        """Return the X of a keyword."""
        return int(self.card["keywords"][keyword])

    def primary(self, number: int) -> bool:
        """Whether a weapon is the primary one: weapon 0, or one that shares its gun (R-22)."""
        gun = self.weapons[0].get("gun")
        return number == 0 or (gun is not None and self.weapons[number].get("gun") == gun)

    def slot(self, number: int) -> str:
        """Return what counts a weapon's attacks (R-22): its gun's; an autocannon has one at vehicles, one at infantry.

        P. 13: it "cannot shoot vehicles with both actions", whether its shells are AT or HE (AA-61).
        """
        weapon = self.weapons[number]
        if "gun" not in weapon:
            return f"w{number}"
        kind = "ai" if weapon["kind"] == "ai" else "at"
        return f"{weapon['gun']} {kind}" if self.has("autocannon") and self.primary(number) else str(weapon["gun"])

    def loaded(self, number: int) -> bool:
        """Whether a weapon has an attack left this turn (R-22).

        P. 12: "a single shot" for both actions, which rapid fire (p. 13) would have given to the gun.
        """
        attacks = 2 if self.has("rapid_fire") and self.primary(number) and not self.still else 1
        return self.fired.get(self.slot(number), 0) < attacks and not (self.reload and self.primary(number))

    def place(self, at: Square | None, facing: str | None = None) -> None:
        """Put it on a square, or take it off the map."""
        self.x, self.y = at or (None, None)
        self.f = facing if at and self.faces else None

    def state(self) -> dict[str, Any]:
        """Return its hit points or men, and what differs from the values at rest (section 9)."""
        rest = vars(Unit(self.name, self.card, self.hp))
        return {"hp": self.hp} | deepcopy({name: value for name, value in vars(self).items() if value != rest[name]})

    def rest(self) -> None:
        """Reset the fields of a turn."""
        for name in TURN:
            setattr(self, name, vars(Unit(self.name, self.card, self.hp))[name])


@dataclass
class Line:
    """What lies between two squares, the end squares aside (R-16 to R-18)."""

    blocked: bool = False
    hidden: bool = False
    walls: int = 0
    foliage: list[list[Square]] = field(default_factory=list)
    covered: bool = False  # the last step blocks (AA-101)


@dataclass
class Shot:
    """What an attack at a vehicle or gun needs, and what it does on a success."""

    sequences: int
    hit: int  # what the die needs for the range
    need: int  # what it needs in all
    through: int  # what a second die needs (`two_dice`)
    advantage: bool
    damage: Callable[[Callable[[int], int]], int]
    rolls: bool = True  # False: indirect fire


class Match:
    """A match between sides a and b."""

    def __init__(self, setup: dict[str, Any], roll: Callable[[int], int]) -> None:
        self.roll = roll
        options = setup.get("options", {})
        self.rules: dict[str, Any] = dict(agreed({k: v for k, v in options.items() if k not in MATCH}, SWITCHES))
        self.rules |= {name: options.get(name, usual) for name, usual in MATCH.items()}
        self.mission = setup["mission"]
        self.mode = self.mission["mode"]
        limit = setup["limit"]
        self.limit: dict[str, int] = limit if isinstance(limit, dict) else {"a": limit, "b": limit}
        board = setup["board"]
        self.ground = [list(row) for row in board["map"].strip("\n").split("\n")]
        self.zones: dict[str, Any] = board.get("zones", {})
        self.objectives: list[Square] = [(x, y) for x, y in board.get("objectives", [])]
        self.units: dict[str, Unit] = {}
        for side in "ab":
            for number, entry in enumerate(setup["lists"][side], 1):
                self._enlist(f"{side}{number}.{entry['card']}", setup["cards"][entry["card"]], entry)
        self.first: str | None = setup.get("first")
        self.chosen: dict[str, str] = {}
        self.scouted: dict[str, int] = {}
        self.cleared: list[Square] = []
        self.points = {"a": 0, "b": 0}
        self.turn = self.left = self.last_loss = 0
        self.winner: str | None = None
        self.reason: str | None = None
        self.phase, self.mover = "roll off", "a"
        if not self._waiting("ab"):
            self._start(self.first or "a")

    def _enlist(self, name: str, card: Card, entry: dict[str, Any]) -> None:
        """Add a unit of a list."""
        squad = card["class"] == "infantry"
        unit = Unit(
            name, card, card["strength" if squad else "hp"], aboard=entry.get("aboard"), towed=entry.get("towed")
        )
        unit.grenades = card.get("equipment", {}).get("grenades", 0) if squad else 0
        if "at" in entry:
            x, y, *facing = entry["at"]
            unit.place((x, y), *facing)
        self.units[name] = unit

    # --- what a player asks ---------------------------------------------------------------------------------------

    def to_move(self) -> str | None:
        """Return the side that decides next."""
        return None if self.phase == "over" else self.mover

    def state(self) -> dict[str, Any]:
        """Return the state as transcripts write it (section 9)."""
        units = {unit.name: unit.state() for unit in self.units.values()}
        state: dict[str, Any] = {"phase": self.phase, "to_move": self.to_move(), "turn": self.turn, "units": units}
        if self.phase == "play":
            state |= {"left": self.left, "last_loss": self.last_loss}
        if self.scouted:
            state["scouted"] = dict(self.scouted)
        if self.cleared:
            state["cleared"] = [list(square) for square in sorted(self.cleared)]
        if self.chosen:
            state["zones"] = dict(self.chosen)
        if self.mode == "domination":
            owners = [self._owner(square) for square in self.objectives] if self.turn else []
            state |= {"points": dict(self.points), "owners": owners}
        return state

    def result(self) -> dict[str, Any]:
        """Return who won, why, and with how many points."""
        points = self.points if self.mode == "domination" else {side: self._worth(side) for side in "ab"}
        return {"winner": self.winner, "reason": self.reason, "points": dict(points)}

    def legal(self) -> list[str]:
        """Return the texts of all legal actions, sorted as plain strings."""
        if self.phase == "roll off":
            return ["roll off"]
        if self.phase == "zone":
            return sorted(f"zone {name}" for name in self.zones)
        if self.phase == "deploy":
            return sorted(self._placings())
        if self.phase == "over":
            return []
        found = ["end"]
        for unit in self._side(self.mover):
            found += [f"{unit.name} {action}" for action in self._actions(unit)]
        return sorted(found)

    def do(self, text: str) -> None:
        """Take a legal action."""
        if text == "roll off":
            self.phase, self.mover = "zone", self._roll_off()
        elif text == "end":
            self._end()
        elif text.startswith("zone "):
            name = text.removeprefix("zone ")
            (rest,) = set(self.zones) - {name}
            self.chosen = {self.mover: name, other(self.mover): rest}
            self.phase = "deploy"
            self._next_placer(self.mover)
        else:
            name, verb, *words = text.split()
            if verb in ("shoot", "aim", "lob"):
                self._fire(self.units[name], self.units[words[0]], int(words[1][1:]), verb)
            else:
                getattr(self, f"_{verb}")(self.units[name], *words)

    # --- deployment (R-35) ----------------------------------------------------------------------------------------

    def _roll_off(self) -> str:
        """Roll a die each, again while equal; the higher side."""
        while True:
            a, b = self.roll(6), self.roll(6)
            if a != b:
                return "a" if a > b else "b"

    def _waiting(self, sides: str) -> list[Unit]:
        """Return the units of sides that have no place yet."""
        return [
            unit for unit in self.units.values() if unit.side in sides and not (unit.there or unit.aboard or unit.towed)
        ]

    def _next_placer(self, side: str) -> None:
        """Let a side place a unit, the other one if it has none left; start when all are placed."""
        if self._waiting(side):
            self.mover = side
        elif self._waiting(other(side)):
            self.mover = other(side)
        else:
            self._start(self.first or self._roll_off())

    def _placings(self) -> Iterator[str]:
        """Yield what the placing side may do."""
        x0, y0, x1, y1 = self.zones[self.chosen[self.mover]]["rect"]
        for unit in self._waiting(self.mover):
            for square in ((x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)):
                if self._enters(unit, square) and not self._on(square):
                    yield f"{unit.name} place {square[0]},{square[1]}"

    def _place(self, unit: Unit, where: str) -> None:
        """Place a unit with the facing of its zone."""
        unit.place(_square(where), self.zones[self.chosen[unit.side]]["facing"])
        self._next_placer(other(unit.side))

    def _start(self, side: str) -> None:
        """Begin the first turn."""
        self.phase, self.mover = "play", other(side)
        self._pass_on()

    # --- the turn (sections 3 and 8) ------------------------------------------------------------------------------

    def _pass_on(self) -> None:
        """Begin the other side's turn."""
        self.mover = other(self.mover)
        self.turn += 1
        self.left = self.limit[self.mover]
        for unit in self._side(self.mover):
            unit.used, unit.stunned = (1, 0) if unit.stunned else (unit.used, 0)
            unit.on_road = int(unit.there and self._ground(unit.at) == "=")

    def _end(self) -> None:
        """End the turn of the side to move, in the order of R-39."""
        for unit in self._side(self.mover):
            unit.set_up = 2 if unit.set_up else 0
            primary = {unit.slot(number) for number in range(len(unit.weapons)) if unit.primary(number)}
            unit.reload = int(unit.has("long_reload") and any(slot in primary for slot in unit.fired))
            unit.last_tenths, unit.last_moves = unit.tenths, unit.moves
            unit.active = int(unit.tenths > 0 or bool(unit.fired))
            unit.rest()
        self.scouted = {}
        if self.mode == "domination":
            scorer = other(self.mover)  # the side whose opponent's turn ended
            owned = Counter(self._owner(square) for square in self.objectives)
            self.points[scorer] += max(0, owned[scorer] - owned[other(scorer)])
            if "points" in self.mission and self.points[scorer] >= self.mission["points"]:
                return self._over(scorer, "victory points")
        rounds, odd = divmod(self.turn, 2)
        each = 1 if self.rules["turn_limit_counts"] == "player_turns" else 2  # AA-54
        past = self.turn - each * self.mission.get("rounds", self.turn + 1)
        # P. 23: after a tie "another sequence of turns", one of each side.
        if self.mode != "annihilation" and past >= 0 and past % 2 == 0:
            a, b = self.result()["points"].values()
            if a != b or self.mode == "domination":
                return self._over("a" if a > b else "b" if b > a else None, "turn limit")
        if self.mode != "domination" and self.turn - self.last_loss >= self.rules["quiet"]:
            return self._over(None, "stalemate")
        if not odd and rounds >= self.rules["cap"]:
            return self._over(None, "cap")
        return self._pass_on()

    def _over(self, winner: str | None, reason: str) -> None:
        """End the match."""
        self.phase, self.winner, self.reason = "over", winner, reason

    def _owner(self, square: Square) -> str | None:
        """Return the side with more men within 1 inch of an objective (R-38, AA-76, AA-106)."""
        men = {"a": 0, "b": 0}
        for unit in self.units.values():
            stands = self.units[unit.aboard] if unit.aboard else unit
            if unit.kind == "infantry" and stands.there and apart(stands.at, square) <= 2:
                men[unit.side] += unit.hp
        return "a" if men["a"] > men["b"] else "b" if men["b"] > men["a"] else None

    def _worth(self, side: str) -> int:
        """Return the requisition of a side's units left, squads too, damaged ones in full (R-37)."""
        return sum(unit.card["requisition"] for unit in self._side(side))

    # --- who stands where -----------------------------------------------------------------------------------------

    def _side(self, side: str) -> list[Unit]:
        """Return the units of a side in their order."""
        return [unit for unit in self.units.values() if unit.side == side]

    def _ground(self, square: Square) -> str:
        """Return the ground of a square, nothing off the board."""
        x, y = square
        return self.ground[y][x] if 0 <= y < len(self.ground) and 0 <= x < len(self.ground[0]) else ""

    def _on(self, square: Square) -> Unit | None:
        """Return the unit on a square."""
        return next((unit for unit in self.units.values() if unit.there and unit.at == square), None)

    def _carried(self, carrier: Unit, how: str) -> list[Unit]:
        """Return the units that are aboard or towed by a carrier."""
        return [unit for unit in self.units.values() if getattr(unit, how) == carrier.name]

    def _enters(self, unit: Unit, square: Square) -> bool:
        """Whether a unit may enter the ground of a square."""
        ground = self._ground(square)
        wades = ground != "w" or not self._carried(unit, "towed")
        return ground in ENTERS[unit.kind] and wades

    def _crews(self) -> dict[str, Unit]:
        """Return the squad that mans each gun, found anew from the positions (R-31)."""
        crews: dict[str, Unit] = {}
        for gun in self.units.values():
            if gun.kind != "field_gun" or not gun.there:
                continue
            for squad in ("artillery_crew", "rifle"):
                for unit in self._side(gun.side):
                    free = unit.there and all(unit is not crew for crew in crews.values())
                    if gun.name not in crews and unit.card.get("squad") == squad and free and self._behind(gun, unit):
                        crews[gun.name] = unit
        return crews

    def _behind(self, gun: Unit, squad: Unit) -> bool:
        """Whether a squad stands in one of the three squares behind a gun."""
        return apart(gun.at, squad.at) <= 2 and _is_behind(gun.at, gun.f or "N", squad.at)

    def _within(self, d2: int, inches: int) -> bool:
        """Whether a distance is no more than so many inches (AA-75)."""
        reach = inches + self.rules["hull"]
        return bool(reach >= 0 and d2 <= reach * reach)

    def _below(self, d2: int, inches: int) -> bool:
        """Whether a distance is less than so many inches (AA-75)."""
        reach = inches + self.rules["hull"]
        return bool(reach >= 0 and d2 < reach * reach)

    def _line(self, start: Square, end: Square) -> Line:
        """Return what lies between two squares; a step is of a kind of ground if all its squares are (AA-91)."""
        line, wall = Line(), False
        for step in steps(start, end):
            ground = {self._ground(square) for square in step}
            line.covered = ground <= BLOCKS
            line.blocked |= line.covered
            line.hidden |= ground <= HIGH
            line.walls += ground <= WALLS and not wall  # AA-92: a run of wall steps is one wall
            wall = ground <= WALLS
            if ground <= FOLIAGE:
                line.foliage.append(step)
        if self._ground(end) in FOLIAGE:
            line.foliage.append([end])  # AA-94
        return line

    def _in_arc(self, unit: Unit, square: Square) -> bool:
        """Whether a casemate's arc covers a square (R-20, AA-97)."""
        dot, cross = turned(unit.f, between(unit.at, square))
        return not (unit.has("casemate") and dot < cross) and not (unit.has("reverse_casemate") and -dot < cross)

    # --- what a unit may do ---------------------------------------------------------------------------------------

    def _actions(self, unit: Unit) -> Iterator[str]:
        """Yield what a unit of the side to move may do, without its name."""
        if not unit.there:
            if unit.aboard and self.units[unit.aboard].there:
                yield from (f"exit {x},{y}" for x, y in self._room_around(unit, unit.aboard))
            if unit.towed and self.units[unit.towed].there:
                yield from (f"drop {x},{y} {f}" for x, y in self._room_around(unit, unit.towed) for f in FACINGS)
            return
        if unit.set_up == 1 or (unit.kind == "field_gun" and unit.name not in self._crews()):
            return  # nothing after setting up; R-31
        left = unit.pool - unit.used
        if unit.kind != "infantry":
            left = min(left, self.left)
        if left >= 1:
            yield from self._moves(unit, "move")
            yield from self._attacks(unit)
            yield from self._carrying(unit)
        if unit.kind == "vehicle" and unit.card["weight"] == "light" and unit.card["movement"] and not unit.freed:
            yield from self._moves(unit, "free")
        if unit.has("scout") and left >= int(self.rules["scout_costs_action"]):
            yield from self._scoutings(unit)
        if not unit.untouched:
            return
        if left >= 2 and unit.has("accurate"):
            yield from self._shots(unit, "aim")
        if left >= unit.pool and unit.has("indirect") and not unit.set_up:
            yield "setup"
        if left >= 2 and unit.kind == "vehicle" and unit.has("support"):
            yield from self._demolitions(unit)

    def _room_around(self, unit: Unit, carrier: str) -> Iterator[Square]:
        """Yield the free squares around a carrier that a unit may enter (R-32, R-34)."""
        for square in around(self.units[carrier].at):
            if self._enters(unit, square) and not self._on(square):
                yield square

    def _moves(self, unit: Unit, verb: str) -> Iterator[str]:
        """Yield the moves of a unit, or its free ones."""
        if unit.still:
            return
        allowance = self._allowance(unit, verb)
        for square, cost in self._reach(unit, verb).items():
            if square != unit.at and self._on(square):
                continue
            for facing in FACINGS if unit.faces else (None,):
                if square == unit.at and facing == unit.f:
                    continue
                if unit.has("slow_reverse") and 2 * cost > allowance:
                    dot, cross = turned(facing, between(unit.at, square))
                    if dot < cross:
                        continue
                yield f"{verb} {square[0]},{square[1]}" + (f" {facing}" if facing else "")

    def _attacks(self, unit: Unit) -> Iterator[str]:
        """Yield the attacks of a unit that take one action."""
        yield from self._shots(unit, "shoot")
        if unit.set_up == 2:
            yield from self._shots(unit, "lob")
        for target in self._side(other(unit.side)):
            if unit.grenades and target.there and self._casualties(unit, target, "grenade", lambda sides: sides):
                yield f"grenade {target.name}"

    def _shots(self, unit: Unit, verb: str) -> Iterator[str]:
        """Yield the targets of each weapon."""
        crew = self._crews().get(unit.name)
        if self.rules["gun_fire_uses_crew_action"] and crew and crew.used:
            return  # AA-63
        for target in self._side(other(unit.side)):
            for number in range(len(unit.weapons)):
                if target.there and unit.loaded(number) and self._may_shoot(unit, target, number, verb):
                    yield f"{verb} {target.name} w{number}"

    def _may_shoot(self, unit: Unit, target: Unit, number: int, verb: str) -> bool:
        """Whether an attack is legal; one that cannot do damage whatever the dice is not (AA-98)."""
        kind = unit.weapons[number]["kind"]
        if verb != "shoot" and (not unit.primary(number) or kind not in {"lob": ("he",), "aim": ("at", "he")}[verb]):
            return False
        if not self._in_arc(unit, target.at):
            return False
        if kind == "ai":
            return self._casualties(unit, target, number, lambda sides: sides) > 0
        if target.kind == "infantry":
            return False
        shot = self._shot(unit, target, number, verb)
        return shot is not None and shot.need <= 6 and shot.damage(lambda sides: 1) > 0

    def _carrying(self, unit: Unit) -> Iterator[str]:
        """Yield whom a vehicle may load or hitch (R-32, R-34)."""
        seats = unit.number("apc") - len(self._carried(unit, "aboard")) if unit.has("apc") else 0
        hook = unit.has("towing") and not self._carried(unit, "towed") and self._ground(unit.at) != "w"
        for load in self._side(unit.side):
            if not load.there or apart(unit.at, load.at) > 2:
                continue
            if load.kind == "infantry" and seats > 0:
                yield f"load {load.name}"
            if load.kind == "field_gun" and hook:
                yield f"hitch {load.name}"

    def _scoutings(self, unit: Unit) -> Iterator[str]:
        """Yield the enemies that a unit may scout, and for whom (R-24)."""
        for enemy in self._side(other(unit.side)):
            if not enemy.there or enemy.kind == "infantry":
                continue
            bonus = self._scouting(unit, enemy)
            for friend in self._side(unit.side):
                armed = any(weapon["kind"] in ("at", "he") for weapon in friend.weapons)
                betters = bonus > self.scouted.get(f"{friend.name} {enemy.name}", 0)
                if friend is not unit and friend.there and armed and betters:
                    yield f"scout {enemy.name} {friend.name}"

    def _scouting(self, unit: Unit, enemy: Unit) -> int:
        """Return the bonus that a scout gives against an enemy; 0 if it doesn't see it (R-17)."""
        d2, line = apart(unit.at, enemy.at), self._line(unit.at, enemy.at)
        if line.blocked or line.hidden or not self._within(d2, 60):
            return 0
        return 3 if self._below(d2, 24) else 2 if self._below(d2, 36) else 1

    def _demolitions(self, unit: Unit) -> Iterator[str]:
        """Yield the traps that a support vehicle may demolish (R-29)."""
        for y, row in enumerate(self.ground):
            for x, ground in enumerate(row):
                reach = min(12, self._range(unit, 0))  # p. 15: limited range
                if ground == "T" and self._within(apart(unit.at, (x, y)), reach) and self._in_arc(unit, (x, y)):
                    line = self._line(unit.at, (x, y))
                    if not unit.reload and not line.blocked and not line.hidden:
                        yield f"demolish {x},{y}"

    # --- movement (section 4) -------------------------------------------------------------------------------------

    def _allowance(self, unit: Unit, verb: str) -> int:
        """Return the allowance in tenths of R-6 or R-7, without what roads and mud do."""
        inches = int(unit.card["movement"])
        if verb == "free":
            inches = 3 if unit.on_road else 2
        elif unit.kind == "vehicle" and unit.card["weight"] == "heavy" and unit.marches:
            inches = min(2, inches)
        heavy = any(gun.card["weight"] == "heavy" for gun in self._carried(unit, "towed"))
        return 10 * inches // (2 if heavy else 1)

    def _reach(self, unit: Unit, verb: str) -> dict[Square, int]:
        """Return the squares to which a move takes a unit, and what each costs: the least over the ways open to it."""
        if not unit.card["movement"]:
            return {unit.at: 0}
        allowance, drive = self._allowance(unit, verb), unit.card["drive"]
        if unit.kind != "vehicle":
            return self._spread(unit, allowance, self._plain)
        mud = {"~", "w"} if unit.card["weight"] == "light" else {"~"}
        if drive == "tracked" and verb == "move":
            ways = [self._spread(unit, max(0, allowance - 10), self._plain)]
            if self._ground(unit.at) not in mud:
                ways.append(self._spread(unit, allowance, self._plain, bar=mud))
        elif drive == "tracked":
            ways = [self._spread(unit, allowance, self._plain)]
        else:

            def through(spent: int, ground: str, cost: int) -> int:
                late = drive == "wheeled" or 2 * spent >= allowance
                return 2 * cost if ground in mud and late else cost

            ways = [self._spread(unit, allowance, through)]
        if verb == "move" and self._ground(unit.at) == "=":
            bonus = 10 if drive == "tracked" else 20
            ways.append(self._spread(unit, allowance + bonus, self._plain, bar=set(".~w^fs")))
        return {square: min(way[square] for way in ways if square in way) for way in ways for square in way}

    @staticmethod
    def _plain(spent: int, ground: str, cost: int) -> int:
        """Return the cost of a step that no ground changes."""
        return cost

    def _spread(
        self, unit: Unit, allowance: int, price: Callable[[int, str, int], int], bar: set[str] | None = None
    ) -> dict[Square, int]:
        """Return the cheapest paths within an allowance (R-5), that do not enter the barred ground."""
        enemies = {enemy.at for enemy in self._side(other(unit.side)) if enemy.there}
        reached: dict[Square, int] = {}
        edge = [(0, unit.at)]
        while edge:
            spent, square = heappop(edge)
            if square in reached:
                continue
            reached[square] = spent
            for x, y in AROUND:
                to = square[0] + x, square[1] + y
                if not self._enters(unit, to) or to in enemies or self._ground(to) in (bar or set()):
                    continue
                sides = (square[0] + x, square[1]), (square[0], square[1] + y)
                if x and y and not any(self._enters(unit, side) for side in sides):
                    continue  # AA-83
                cost = spent + price(spent, self._ground(to), 14 if x and y else 10)
                if cost <= allowance:
                    heappush(edge, (cost, to))
        return reached

    def _spend(self, unit: Unit, cost: int, first: str = "other") -> None:
        """Take actions of a unit's pool and its side's limit (R-2)."""
        unit.used += cost
        unit.first = unit.first or (first if cost else None)
        if unit.kind != "infantry":
            self.left -= cost

    def _displace(self, unit: Unit, verb: str, where: str, facing: str | None) -> None:
        """Move a unit and count its inches (R-13); a pivot is no displacement (AA-81)."""
        cost = self._reach(unit, verb)[_square(where)]
        unit.place(_square(where), facing)
        unit.tenths += cost
        if cost:
            unit.set_up = 0

    def _move(self, unit: Unit, where: str, facing: str | None = None) -> None:
        """Make a move action."""
        before = unit.tenths
        self._displace(unit, "move", where, facing)
        unit.marches += 1
        unit.moves += unit.tenths > before
        self._spend(unit, 1, "move")

    def _free(self, unit: Unit, where: str, facing: str | None = None) -> None:
        """Make a light vehicle's free move."""
        self._displace(unit, "free", where, facing)
        unit.freed = 1

    # --- attacks (section 6) --------------------------------------------------------------------------------------

    def _range(self, unit: Unit, number: int) -> int:
        """Return how far a weapon reaches (R-21, R-22)."""
        weapon = unit.weapons[number]
        inches = int(weapon.get("range", 12 if weapon["kind"] == "ai" else 1000))
        if unit.has("limited_range") and unit.primary(number):
            inches = min(inches, unit.number("limited_range"))
        return inches

    def _band(self, d2: int, more: int) -> int:
        """Return what the range requires, with so many inches more of range (AA-2)."""
        nearer = self._within if self.rules["range_boundary"] == "round_up" else self._below
        return next((band for band in range(1, 6) if nearer(d2, 6 * band - more)), 6)

    def _foliage(self, unit: Unit, target: Unit, line: Line) -> tuple[int, int]:
        """Return what foliage adds to the requirement, and to the range in inches (R-18)."""
        exempt, stacks = self.rules["foliage_exempt"], self.rules["foliage_stacks"]

        def near(piece: list[Square], whom: Unit) -> bool:
            return any(apart(square, whom.at) <= 9 for square in piece)

        if self.rules["foliage_rule"] == "range_plus_3":
            pieces = sum(near(piece, target) for piece in line.foliage)
            return 0, 3 * (pieces if stacks else min(1, pieces))
        whose = {"firer": [unit], "target": [target], "either": [unit, target]}[exempt]
        pieces = sum(not any(near(piece, whom) for whom in whose) for piece in line.foliage)
        return 2 * (pieces if stacks else min(1, pieces)), 0

    def _shot(self, unit: Unit, target: Unit, number: int, verb: str) -> Shot | None:
        """Return what an attack at a vehicle or gun needs and does; None if it can't be made."""
        weapon, primary, rules = unit.weapons[number], unit.primary(number), self.rules
        line, d2 = self._line(unit.at, target.at), apart(unit.at, target.at)
        scouted = self.scouted.get(f"{unit.name} {target.name}", 0)
        if verb == "lob":
            # R-28 says within X; a shorter range of the weapon, or of the unit's keyword, still binds.
            if not self._within(d2, min(self._range(unit, number), unit.number("indirect"))) or line.covered:
                return None
        elif line.blocked or (line.hidden and not scouted) or not self._within(d2, self._range(unit, number)):
            return None
        shown = face(target.f, between(target.at, unit.at))
        bags = target.kind == "field_gun" and self._ground(target.at) == "s"
        bonus = (0 if line.hidden else scouted) + (verb == "aim")
        if unit.kind == "field_gun" and self._crews()[unit.name].card["squad"] == "artillery_crew":
            bonus += 1
        if primary and unit.first == "move" and (unit.has("casemate") or unit.has("reverse_casemate")):
            bonus -= 1
        moved = unit.tenths if rules["free_move_breaks_advantage"] else unit.moves
        advantage = unit.kind == "field_gun" or not moved
        more, further = (0, 0) if verb == "lob" else self._foliage(unit, target, line)
        base, more = self._band(d2, further), more + bags
        through = 1
        if weapon["kind"] == "he":
            bonus += HIT_DICE[target.card["weight"]][self._was_moving(target)]
            advantage = advantage and rules["he_advantage"]
        else:
            get = self._gets_through(unit, target, number, line.walls, shown, base)
            if get is None:
                return None
            through = get
        sequences = unit.number("autocannon") if primary and unit.has("autocannon") and verb != "aim" else 1
        hit, need = self._needs(base, more, bonus, through)
        damage = self._damage(unit, target, number, shown, bags, verb)
        if verb == "lob" and not rules["indirect_requires_hit"]:
            return Shot(sequences, 1, 1, 0, False, damage, rolls=False)
        return Shot(sequences, hit, need, through if weapon["kind"] == "at" else 0, advantage, damage)

    def _was_moving(self, target: Unit) -> bool:
        """Whether a target counts as moved for the hit dice of high explosive (R-27); guns never do."""
        moved = target.last_moves >= 2 if self.rules["he_moved"] == "two_moves" else target.last_tenths > 0
        return target.kind != "field_gun" and moved

    def _gets_through(self, unit: Unit, target: Unit, number: int, walls: int, shown: str, band: int) -> int | None:
        """Return what penetration requires of a die: 1 for sure, None for never (R-23)."""
        weapon, plate = unit.weapons[number], int(target.card["armor"][shown])
        dot, _ = turned(target.f, between(target.at, unit.at))
        if target.has("angling") and dot > 0:
            x, y = FACINGS[target.f or "N"]
            product = (x * x + y * y) * apart(target.at, unit.at)
            if product <= 4 * dot * dot <= 3 * product:
                angled = target.number("angling")
                plate = plate + angled if self.rules["angling"] == "add" else max(plate, angled)
        if target.kind == "field_gun" and self._ground(target.at) == "s":
            plate += 1
        penetration = weapon["penetration"]
        if self.rules["penetration_falloff"] and "penetration_by_band" in weapon:
            penetration = weapon["penetration_by_band"][band - 1]
        if self.rules["wall_rule"] != "armor_plus_1":
            penetration -= 2 * walls
        if self.rules["wall_rule"] != "pen_minus_2":
            plate += walls
        return penetration_roll(penetration, plate, target.has("weak_spot"))

    def _needs(self, base: int, more: int, bonus: int, through: int) -> tuple[int, int]:
        """Return what a die needs for the range alone, and in all (section 1.4 of the reading)."""
        rules = self.rules

        def in_all(requirement: int) -> int:
            if rules["resolution"] == "two_dice":
                return requirement - bonus
            if rules["resolution"] == "sum":
                if rules["hit_mods_affect_penetration"]:
                    return requirement + through - 1 - bonus
                return max(requirement - bonus, 1) + through - 1
            if rules["hit_mods_affect_penetration"]:
                return max(requirement, through) - bonus
            return max(requirement - bonus, through)

        requirement = min(6, base + more) if rules["cap_stage"] == "requirement" else base + more
        hit, need = requirement - bonus, in_all(requirement)
        # AA-5: with a capped sum terrain alone doesn't take away a 6 that would have done without it; AA-6.
        spared = more > 0 and rules["cap_stage"] == "sum_then_cap"
        if rules["natural_six_hits"] or (spared and base - bonus <= 6):
            hit = min(hit, 6)
        if rules["natural_six_hits"] or (spared and in_all(base) <= 6):
            need = min(need, 6)
        return hit, need

    def _damage(
        self, unit: Unit, target: Unit, number: int, shown: str, bags: bool, verb: str
    ) -> Callable[[Callable[[int], int]], int]:
        """Return what rolls the damage of a success (R-23, R-27, R-28)."""
        weapon, rules = unit.weapons[number], self.rules
        soft = unit.primary(number) and unit.has("support") and target.kind == "field_gun"

        def rolled(roll: Callable[[int], int]) -> int:
            if weapon["kind"] == "at":
                damage = int(weapon["damage"])
            else:
                n = weapon["n"] if rules["he_n"] == "card" else rules["he_n"]
                side = target.card["armor"]["side"] + (bags and shown == "side")
                damage = max(0, weapon["base"] - n * roll(6) - side)
            if soft:
                damage = (3 * damage + 1) // 2
            if verb == "lob" and target.kind == "vehicle" and target.last_tenths >= 80:
                nothing = 140 if rules["indirect_gap"] == "immune" else 150
                half = (damage + 1) // 2 if rules["indirect_rounding"] == "up" else damage // 2
                damage = 0 if target.last_tenths > nothing else half
            return damage

        return rolled

    def _casualties(self, unit: Unit, target: Unit, number: int | str, roll: Callable[[int], int]) -> int:
        """Return the men that a squad loses (R-26), to a weapon or a grenade; 0 if the attack can't be made."""
        line, d2 = self._line(unit.at, target.at), apart(unit.at, target.at)
        grenade = number == "grenade"
        reach = 6 if grenade else self._range(unit, int(number))
        if target.kind != "infantry" or line.blocked or (line.hidden and not grenade) or not self._within(d2, reach):
            return 0
        gun = next((self.units[gun] for gun, crew in self._crews().items() if crew is target), None)
        if gun and gun.card["armor"][face(gun.f, between(gun.at, unit.at))] > 0:
            return 0
        if target.card["squad"] in ("at_rifle", "sniper") and not target.active:
            return 0
        code = "D6-2" if grenade else unit.weapons[int(number)]["ai"]
        if not isinstance(code, str):
            code = next((step["ai"] for step in code if unit.hp >= step["min"]), "0")
        gunner = unit.card.get("equipment", {}).get("machine_gun", False)
        gunner = gunner and (not grenade or self.rules["mg_on_grenades"])
        volley = self.rules["autocannon_ai_rolls"] == "X" and not grenade and unit.primary(int(number))
        killed = 0
        for _ in range(unit.number("autocannon") if volley and unit.has("autocannon") else 1):
            dice, _, less = code.partition("-")
            got = (roll(int(dice[1:])) if dice.startswith("D") else int(dice)) - int(less or 0)
            if self.rules["mg_after_clamp"]:
                killed += max(0, got) + gunner
            else:
                killed += max(0, got + gunner)
        if self._ground(target.at) == "s":
            killed //= 2
        return min(killed, target.hp)

    def _throw(self, need: int, watched: int, advantage: bool) -> bool:
        """Roll a die that needs so much; at advantage again if it is one less than what is watched (R-23, AA-11)."""
        die, again = self.roll(6), 0
        while die < need and advantage and die == watched - 1 and again != self.rules["reroll_limit"]:
            die, again = self.roll(6), again + 1
        return die >= need

    def _fire(self, unit: Unit, target: Unit, number: int, verb: str) -> None:
        """Roll an attack's dice and take off what it does."""
        crew = self._crews().get(unit.name)
        if self.rules["gun_fire_uses_crew_action"] and crew:
            crew.used = 1  # AA-63
        lost = 0
        if unit.weapons[number]["kind"] == "ai":
            lost = self._casualties(unit, target, number, self.roll)
        else:
            shot = self._shot(unit, target, number, verb)
            assert shot is not None
            scope, two = self.rules["reroll_scope"], self.rules["resolution"] == "two_dice" and shot.through
            for _ in range(shot.sequences):
                watched = shot.hit if scope == "hit" else shot.need
                struck = not shot.rolls or self._throw(shot.need, watched, shot.advantage)
                if struck and two:
                    both = shot.advantage and scope in ("final", "both")
                    struck = self._throw(shot.through, shot.through, both)
                lost += shot.damage(self.roll) if struck else 0
        slot = unit.slot(number)
        unit.fired[slot] = unit.fired.get(slot, 0) + 1
        unit.still = int(unit.still or verb == "aim")
        self._spend(unit, 2 if verb == "aim" else 1)
        self._hurt(target, lost)

    def _grenade(self, unit: Unit, target: str) -> None:
        """Throw a grenade (R-26)."""
        lost = self._casualties(unit, self.units[target], "grenade", self.roll)
        unit.grenades -= 1
        unit.fired["grenade"] = unit.fired.get("grenade", 0) + 1
        self._hurt(self.units[target], lost)
        self._spend(unit, 1)

    def _scout(self, unit: Unit, enemy: str, friend: str) -> None:
        """Scout an enemy for a friend (R-24)."""
        self.scouted[f"{friend} {enemy}"] = self._scouting(unit, self.units[enemy])
        self._spend(unit, int(self.rules["scout_costs_action"]))

    def _setup(self, unit: Unit) -> None:
        """Set up for indirect fire (R-28)."""
        self._spend(unit, unit.pool)
        unit.set_up = unit.still = 1

    def _demolish(self, unit: Unit, where: str) -> None:
        """Clear the tank traps around one (R-29, AA-102)."""
        for y, row in enumerate(self.ground):
            for x, ground in enumerate(row):
                if ground == "T" and apart(_square(where), (x, y)) <= 9:
                    row[x] = "."
                    self.cleared.append((x, y))
        unit.fired[unit.slot(0)] = 1
        self._spend(unit, 2)

    # --- losses (R-30, R-33, R-34, R-36) --------------------------------------------------------------------------

    def _hurt(self, target: Unit, lost: int) -> None:
        """Take hit points or men off a unit, and remove it if none are left."""
        if not lost:
            return
        self.last_loss = self.turn
        target.hp -= lost
        if target.hp <= 0:
            self._remove(target)
        counted = ("vehicle", "field_gun") if self.rules["annihilation_counts_guns"] else ("vehicle",)
        if self.mode != "domination" and not any(unit.kind in counted for unit in self._side(target.side)):
            self._over(other(target.side), "annihilation")

    def _remove(self, target: Unit) -> None:
        """Remove a destroyed unit, and put out what it carried (R-33, R-34)."""
        del self.units[target.name]
        self.scouted = {pair: bonus for pair, bonus in self.scouted.items() if target.name not in pair.split()}
        for gun in self._carried(target, "towed"):
            gun.towed = None
            gun.place(target.at, target.f or "N")  # AA-104
        for squad in self._carried(target, "aboard"):
            squad.aboard = None
            squad.hp -= self.roll(3) - 1
            if squad.hp <= 0:
                del self.units[squad.name]
                continue
            squares = [(x, y) for y, row in enumerate(self.ground) for x in range(len(row))]
            free = [square for square in squares if self._enters(squad, square) and not self._on(square)]
            squad.place(min(free, key=lambda square: (apart(square, target.at), square[1], square[0])))
            squad.stunned = 1

    # --- transports (section 7) -----------------------------------------------------------------------------------

    def _load(self, unit: Unit, squad: str) -> None:
        """Take a squad aboard (R-32)."""
        self.units[squad].aboard = unit.name
        self.units[squad].place(None)
        self._spend(unit, 1)

    def _exit(self, unit: Unit, where: str) -> None:
        """Get out of a transport (R-32)."""
        unit.aboard = None
        unit.place(_square(where))
        unit.used, unit.tenths = 1, unit.tenths + 10

    def _hitch(self, unit: Unit, gun: str) -> None:
        """Take a gun in tow (R-34); that ends its set-up (R-28)."""
        self.units[gun].towed = unit.name
        self.units[gun].place(None)
        self.units[gun].set_up = 0
        self._spend(unit, 1)

    def _drop(self, unit: Unit, where: str, facing: str) -> None:
        """Let go of a gun in tow (R-34)."""
        unit.towed = None
        unit.place(_square(where), facing)


def _square(text: str) -> Square:
    """Read a square."""
    x, y = text.split(",")
    return int(x), int(y)


SWITCHES = dict(READINGS) | {
    "scout_costs_action": (True, False),
    "annihilation_counts_guns": (True, False),
    "turn_limit_counts": ("rounds", "player_turns"),
    "gun_fire_uses_crew_action": (False, True),
}
"""The readings that a match can play, the usual one first."""


# --- set-ups to play ----------------------------------------------------------------------------------------------


@cache
def _roster() -> dict[str, Card]:
    """Return all cards of the project, as its files have them."""
    folder = Path(__file__).parents[2] / "unitdb" / "armored_advance"
    cards: dict[str, Card] = {}
    for path in sorted(folder.glob("*.toml")):
        cards |= tomllib.loads(path.read_text(encoding="utf-8"))
    return cards


def random_board(draw: random.Random) -> dict[str, Any]:
    """Return a small board of any grounds, with two zones that have room."""
    if draw.random() < 0.05:
        path = Path(__file__).parents[2] / "unitdb" / "armored_advance" / "boards" / "small.toml"
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: table[name] for name in ("map", "zones", "objectives")}
    width, height = draw.randint(5, 12), draw.randint(6, 13)
    rows = [["."] * width for _ in range(height)]
    grounds = draw.sample("=~wB^f-#Ts", draw.randint(1, 10))
    for _ in range(draw.randint(0, width * height // 8)):
        ground, x, y = draw.choice(grounds), draw.randrange(width), draw.randrange(height)
        wide, high = draw.choice([(1, 1), (1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (1, 4), (3, 3)])
        if ground == "=" and draw.random() < 0.6:
            x, y, wide, high = draw.choice([(x, 0, 1, height), (0, y, width, 1)])
        for row in rows[y : y + high]:
            row[x : x + wide] = [ground] * len(row[x : x + wide])
    rects = [[0, 0, width - 1, 1], [0, height - 2, width - 1, height - 1]]
    for x0, y0, x1, y1 in rects:
        for row in rows[y0 : y1 + 1]:
            if sum(ground in ".=sf" for row in rows[y0 : y1 + 1] for ground in row) < 8:
                row[x0 : x1 + 1] = ["."] * width
    names = draw.sample(["north", "south", "a", "mill"], 2)
    zones = {
        name: {"rect": rect, "facing": draw.choice(list(FACINGS))} for name, rect in zip(names, rects, strict=True)
    }
    objectives = [[draw.randrange(width), draw.randrange(height)] for _ in range(draw.choice([1, 3, 5]))]
    return {"map": "\n" + "\n".join(map("".join, rows)) + "\n", "zones": zones, "objectives": objectives}


def _bent(draw: random.Random, card: Card) -> Card:
    """Return a card with other numbers and keywords, which reach what the cards of the project do not."""
    card = deepcopy(card)
    if card["class"] == "infantry":
        card["strength"] = draw.randint(1, card["strength"])
        return card | {"movement": draw.randint(1, 6)}
    card["hp"] = draw.randint(1, card["hp"]) if draw.random() < 0.7 else card["hp"]
    card["actions"] = draw.choice([1, 2, 2, 3, 4])
    card["weight"] = draw.choice(["light", "medium", "heavy"])
    card["movement"] = draw.choice([0, 1, 2, 3, 5, 8]) if card["class"] == "vehicle" else draw.randint(0, 3)
    thickest = draw.choice([1, 3, 6, 12])
    plates = [draw.randint(0, thickest) for _ in range(3)]
    card["armor"] = dict(zip(("front", "side", "rear"), plates, strict=True))
    if card["class"] == "vehicle":
        card["drive"] = draw.choice(["tracked", "half_track", "wheeled"])
    keywords = card.setdefault("keywords", {})
    flags = ["scout", "weak_spot"]
    flags += ["accurate", "rapid_fire", "support", "long_reload"] if card["weapons"] else []
    if card["class"] == "vehicle":
        flags += ["slow_reverse", "towing", draw.choice(["casemate", "reverse_casemate"])]
    for name in flags:
        if draw.random() < 0.2:
            keywords[name] = True
    numbers = {"angling": max(plates) + draw.randint(1, 3), "limited_range": draw.randint(3, 12)}
    numbers |= {"autocannon": draw.randint(2, 4)} | ({"apc": draw.randint(1, 3)} if card["class"] == "vehicle" else {})
    if any(weapon["kind"] == "he" for weapon in card["weapons"]):
        numbers["indirect"] = draw.choice([4, 8, 30])
    for name, number in numbers.items():
        if draw.random() < 0.2:
            keywords[name] = number
    if "casemate" in keywords and "reverse_casemate" in keywords:
        del keywords[draw.choice(["casemate", "reverse_casemate"])]
    if card["weapons"] and draw.random() < 0.2:
        others = draw.choices(card["weapons"], k=2)
        card["weapons"] += [dict(weapon, name=f"other {weapon['kind']}", gun="other") for weapon in others]
    for weapon in card["weapons"]:
        if weapon["kind"] == "at":
            weapon.pop("penetration_by_band", None)
            weapon["penetration"], weapon["damage"] = draw.randint(0, thickest + 4), draw.randint(1, 12)
            if draw.random() < 0.3:
                falls = sorted((draw.randint(0, thickest + 4) for _ in range(6)), reverse=True)
                weapon["penetration_by_band"] = falls
        elif weapon["kind"] == "he":
            weapon["base"], weapon["n"] = draw.randint(1, 30), draw.randint(1, 3)
        if draw.random() < 0.2:
            weapon["range"] = draw.randint(2, 30)
    return card


def random_options(draw: random.Random) -> dict[str, Any]:
    """Return a few switches that are not as usual."""
    options: dict[str, Any] = {}
    for name in draw.sample(sorted(SWITCHES), draw.choice([0, 0, 1, 3, 6])):
        options[name] = draw.choice(SWITCHES[name][1:])
    for name, values in {"hull": [0, 1, 2, 3], "quiet": [1, 2, 5, 20], "cap": [1, 4, 8]}.items():
        if draw.random() < (0.9 if name == "cap" else 0.2):
            options[name] = draw.choice(values)
    return options


def random_setup(draw: random.Random) -> dict[str, Any]:
    """Return a small random set-up: any board, any units, near each other or to be deployed, any options."""
    board = random_board(draw)
    cards: dict[str, Card] = {}
    lists: dict[str, list[dict[str, Any]]] = {"a": [], "b": []}
    mode = draw.choice(["annihilation", "timed", "domination"])
    rows = board["map"].strip("\n").split("\n")
    free = [(x, y) for y, row in enumerate(rows) for x in range(len(row))]
    middle = draw.choice(free)
    free.sort(key=lambda square: apart(square, middle) * draw.uniform(0.2, 1))  # the nearest to the middle first
    placed = draw.choice([0.0, 0.5, 1.0, 1.0, 1.0])

    def enlist(
        side: str, wanted: Callable[[Card], bool], aside: list[Square] | None = None, **how: str
    ) -> dict[str, Any]:
        """Add a unit that fits, on a square of `aside` if one is free."""
        name, card = draw.choice([(name, card) for name, card in _roster().items() if wanted(card)])
        if draw.random() < 0.5:
            name, card = f"{name}_{len(cards)}", _bent(draw, card)
        cards[name] = card
        entry: dict[str, Any] = {"card": name, **how}
        x, y = next(
            square
            for square in [*(aside or []), *free]
            if square in free and rows[square[1]][square[0]] in ENTERS[card["class"]]
        )
        if not how and (aside or draw.random() < placed):
            free.remove((x, y))
            faces = Unit("", card, 1).faces or draw.random() < 0.2
            entry["at"] = [x, y, draw.choice(list(FACINGS))] if faces else [x, y]
        lists[side].append(entry)
        return entry

    def mechanized(card: Card) -> bool:
        return bool(card["class"] == "vehicle")

    def squad(card: Card) -> bool:
        return bool(card["class"] == "infantry")

    def crew(card: Card) -> bool:
        return card.get("squad") in ("rifle", "artillery_crew")

    def gun(card: Card) -> bool:
        return bool(card["class"] == "field_gun")

    every = ["tank", "tank", "squad", "gun", "carrier", "artillery", "scout"]
    themes = [
        every,
        every,
        ["artillery", "artillery", "carrier"],
        ["carrier", "tank"],
        ["gun", "squad"],
        ["scout", "tank"],
    ]
    theme = draw.choice(themes)
    for side in "ab":
        for _ in range(draw.choice([1, 2, 2, 3])):
            group = draw.choice(theme)
            if group == "squad":
                enlist(side, squad)
            elif group in ("gun", "artillery"):
                entry = enlist(
                    side, (lambda card: gun(card) and "indirect" in card["keywords"]) if group != "gun" else gun
                )
                behind = None
                if "at" in entry:
                    x, y, facing = entry["at"]
                    behind = [square for square in around((x, y)) if _is_behind((x, y), facing, square)]
                enlist(side, crew if draw.random() < 0.9 else squad, behind)
            elif group == "carrier":
                entry = enlist(side, lambda card: bool({"apc", "towing"} & set(card.get("keywords", {}))))
                name, keywords = f"{side}{len(lists[side])}.{entry['card']}", cards[entry["card"]].get("keywords", {})
                if "apc" in keywords and draw.random() < 0.7:
                    for _ in range(draw.randint(1, keywords["apc"])):
                        enlist(side, squad, aboard=name)
                if "towing" in keywords and draw.random() < 0.6:
                    enlist(side, gun, towed=name)
            elif group == "scout":
                enlist(side, lambda card: "scout" in card.get("keywords", {}))
            else:
                enlist(side, mechanized)
    options = random_options(draw)
    vehicles_only = not options.get("annihilation_counts_guns", True)
    for side in "ab":
        kinds = {cards[entry["card"]]["class"] for entry in lists[side]}
        if mode != "domination" and not kinds & ({"vehicle"} if vehicles_only else {"vehicle", "field_gun"}):
            enlist(side, mechanized)
    mission: dict[str, Any] = {"mode": mode}
    if mode != "annihilation" or draw.random() < 0.1:
        mission["rounds"] = draw.randint(1, 6)
    if mode == "domination" and draw.random() < 0.5:
        mission["points"] = draw.randint(1, 4)
    limit = draw.choice([draw.randint(1, 9), {"a": draw.randint(0, 6), "b": draw.randint(1, 6)}])
    setup = {"board": board, "lists": lists, "limit": limit, "mission": mission, "options": options, "cards": cards}
    waits = any(not {"at", "aboard", "towed"} & set(entry) for side in "ab" for entry in lists[side])
    return setup | ({} if waits and draw.random() < 0.6 else {"first": draw.choice("ab")})


def _is_behind(at: Square, facing: str, square: Square) -> bool:
    """Whether a square is one of the three behind a gun (R-31)."""
    dot, cross = turned(facing, between(at, square))
    return -dot >= cross
