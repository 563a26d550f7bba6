"""A match of Armour Battles as its spec tells it, point by point, in plain Python; shares no code with the package.

A witness: lists, loops and dice one by one, nothing prepared, nothing fast. Numbers of sections and of decisions (B-15
and on) are those of the match's description; what it leaves to the sheet stands in the sheet's words.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

Square = tuple[int, int]

UNITDB = Path(__file__).parents[2] / "unitdb" / "armour_battles"
STEPS = (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)
DIRECTIONS: dict[str, Square] = dict(zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), STEPS, strict=True))
"""In the order in which a deviation die of 8 counts them (1)."""
COST = {".": 1, ",": 1, "*": 2, "#": 2, "^": 1}
"""Factor of the cost of entering; water has none, it is closed (1)."""
COVER, WALLS, HILL, WATER = ",*#", "*#", "^", "~"
SIDES = "a", "b"
OTHER = {"a": "b", "b": "a"}
HOMEWARD = {"a": -1, "b": 1}
PACES = {"single": 1, "double": 2, "triple": 3}
SLOWED = {"stay": 0, "single": 0, "double": 1, "triple": 2}
"""Dice that a pace takes from the fire after it (5)."""
SWITCHES = {
    "opposed": ("net", "no_cancel"),
    "indirect_hit": ("net", "any_success", "in_area"),
    "rally_boundary": ("upper_inclusive", "lower"),
    "suppression_clears": ("regroup", "end_of_turn", "never"),
    "staff_faces": ("2-6", "1-6"),
    "activations": ("once_a_turn", "once_a_pulse"),
}
"""The readings of the open points, the default first."""
NO_PULSE: dict[str, Any] = {"spent": 0, "chain": None, "credit": None}


@dataclass
class Unit:
    """A platoon."""

    id: str
    side: str
    type: str
    card: dict[str, Any]
    at: Square | None
    facing: str
    dp: int
    suppressed: bool
    ambush: bool
    reserve: bool
    activated: bool = False
    evading: bool = False

    @property
    def here(self) -> Square:
        """Its square; only of a unit on the table."""
        assert self.at is not None
        return self.at

    @property
    def reconnaissance(self) -> bool:
        """Whether it is a reconnaissance unit."""
        return bool(self.card["class"] == "reconnaissance")

    def state(self) -> dict[str, Any]:
        """Return it as a transcript writes it (8)."""
        told = ("id", "type", "facing", "dp", "suppressed", "activated", "evading", "ambush", "reserve")
        return {name: getattr(self, name) for name in told} | {"at": None if self.at is None else list(self.at)}


@dataclass
class Battery:
    """An off-table battery and its mission."""

    id: str
    side: str
    type: str
    dice: int
    mission: dict[str, Any] = field(default_factory=dict)

    def state(self) -> dict[str, Any]:
        """Return it as a transcript writes it (8)."""
        mission = {**self.mission, "aim": list(self.mission["aim"])} if self.mission else None
        return {"id": self.id, "type": self.type, "mission": mission}


def step(at: Square, direction: Square, squares: int = 1) -> Square:
    """Return the square so many squares away."""
    return at[0] + squares * direction[0], at[1] + squares * direction[1]


def apart(one: Square, other: Square) -> int:
    """Return the distance of two squares in inches, squared (1)."""
    return 9 * ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def within(one: Square, other: Square, inches: float) -> bool:
    """Whether two squares are at most so far apart; inches may have one decimal (1)."""
    return 100 * apart(one, other) <= round(10 * inches) ** 2


def touching(one: Square, other: Square) -> bool:
    """Whether two squares touch, if only with a corner."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def direction(start: Square, end: Square) -> str:
    """Return where the end lies: a part much smaller than the other, 12 to 5, counts as nothing (4)."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    if 12 * abs(dx) < 5 * abs(dy):
        dx = 0
    elif 12 * abs(dy) < 5 * abs(dx):
        dy = 0
    signs = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
    return next(name for name, way in DIRECTIONS.items() if way == signs)


def between(one: Square, other: Square) -> list[Square]:
    """Return the squares of whose inside the line from centre to centre crosses some, without both ends (5).

    Such a square has corners on both sides of the line. Corners are counted in half squares.
    """
    (x1, y1), (x2, y2) = one, other
    crossed = []
    for x in range(min(x1, x2), max(x1, x2) + 1):
        for y in range(min(y1, y2), max(y1, y2) + 1):
            corners = [(2 * (x - x1) + i, 2 * (y - y1) + j) for i in (-1, 1) for j in (-1, 1)]
            where = [(x2 - x1) * down - (y2 - y1) * right for right, down in corners]
            if min(where) < 0 < max(where) and (x, y) not in (one, other):
                crossed.append((x, y))
    return crossed


def successes(dice: list[int], needed: int) -> int:
    """Return how many dice show the number or more."""
    return sum(die >= needed for die in dice)


def wilds(text: str, wild: int) -> list[str]:
    """Return a roll's texts: with no wild dice, with one, with two if there are so many (4)."""
    return [text, *(f"{text} +{more}" for more in range(1, min(wild, 2) + 1))]


class Match:
    """A match from its setup to its end; `roll(sides)` throws a die."""

    def __init__(self, setup: dict[str, Any], roll: Callable[[int], int]) -> None:
        board = setup["board"]
        if isinstance(board, str):
            board = tomllib.loads((UNITDB / "boards" / f"{board}.toml").read_text(encoding="utf-8"))
        asked = {"turn_limit": 8, "units": [], "army": {}, **board, **setup}  # 1: the setup's keys before the board's
        rows = board["map"]
        self.map: list[str] = rows.split() if isinstance(rows, str) else list(rows)
        self.roll_die = roll
        self.rules = {name: asked.get(name, readings[0]) for name, readings in SWITCHES.items()}
        self.turn_limit: int = asked["turn_limit"]
        self.units: list[Unit] = []
        self.batteries: list[Battery] = []
        for side in SIDES:
            for number, told in enumerate((told for told in asked["units"] if told["side"] == side), 1):
                self._place(f"{side}{number}", told, setup["cards"][told["type"]])
        count = {side: len(self.own(side)) for side in SIDES}
        army = {side: asked["army"].get(side, {}) for side in SIDES}
        self.command_dice = {side: army[side].get("command_dice", 6) for side in SIDES}
        self.staff_orders = {side: army[side].get("staff_orders", 4) for side in SIDES}
        self.rally_dice = {side: army[side].get("rally_dice", 4) for side in SIDES}
        self.morale = {side: army[side].get("morale", count[side]) for side in SIDES}
        self.morale_at_first = dict(self.morale)
        self.turn, self.phase, self.side = 1, "roll", "a"
        self.staff = dict(self.staff_orders)
        self.dice: dict[str, list[int]] = {"a": [], "b": []}
        self.lent = {"a": 0, "b": 0}
        self.failed = {"a": False, "b": False}
        self.pulses = {"a": 0, "b": 0}
        self.pulse = dict(NO_PULSE)
        self.group: dict[str, Any] = {}
        self.pending: dict[str, Any] = {}
        self.smoke: list[dict[str, Any]] = []
        self.winner: str | None = None
        self.reason = "not over"

    def _place(self, name: str, told: dict[str, Any], card: dict[str, Any]) -> None:
        side = told["side"]
        if card["class"] == "battery":
            self.batteries.append(Battery(name, side, told["type"], card.get("artillery_dice", 0)))
            return
        at = tuple(told["at"]) if told.get("at") else None
        facing = told.get("facing") or ("E" if side == "a" else "W")
        marks = told.get("dp", 0), told.get("suppressed", False), told.get("ambush", False)
        self.units.append(Unit(name, side, told["type"], card, at, facing, *marks, reserve=at is None))

    # What can be seen of the match.

    def to_move(self) -> str | None:
        """Return the side that decides next; the other one than the active side if it is fired at (8)."""
        if self.over:
            return None
        return OTHER[self.side] if self.pending else self.side

    def state(self) -> dict[str, Any]:
        """Return the state as transcripts write it (8)."""
        lists = {name: list(self.group[name]) for name in ("members", "used") if self.group}
        return {
            "turn": self.turn,
            "phase": self.phase,
            "to_move": self.to_move(),
            "morale": dict(self.morale),
            "staff": dict(self.staff),
            "dice": {side: sorted(self.dice[side]) for side in SIDES},
            "lent": dict(self.lent),
            "failed": dict(self.failed),
            "pulses": dict(self.pulses),
            "side": self.side,
            "pulse": dict(self.pulse),
            "group": {**self.group, **lists} or None,
            "pending": dict(self.pending) or None,
            "units": [unit.state() for unit in self.units],
            "batteries": [battery.state() for battery in self.batteries],
            "smoke": [{**one, "squares": [list(square) for square in one["squares"]]} for one in self.smoke],
        }

    def result(self) -> dict[str, Any]:
        """Return who has won, why, and what is left (7)."""
        units = {side: len(self.own(side)) for side in SIDES}
        points = {"morale": dict(self.morale), "units": units}
        return {"winner": self.winner, "reason": self.reason, "points": points}

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.reason != "not over"

    # The table (1) and sight (5).

    def ground(self, at: Square) -> str:
        """Return the ground of a square."""
        return self.map[at[1]][at[0]]

    def on_table(self, at: Square) -> bool:
        """Whether there is such a square."""
        return 0 <= at[1] < len(self.map) and 0 <= at[0] < len(self.map[0])

    def unit(self, name: str) -> Unit:
        """Return the unit of that name."""
        return next(unit for unit in self.units if unit.id == name)

    def unit_at(self, at: Square) -> Unit | None:
        """Return the unit that stands in a square."""
        return next((unit for unit in self.units if unit.at == at), None)

    def open(self, at: Square) -> bool:
        """Whether a unit can end in a square: on the table, free, no water."""
        return self.on_table(at) and self.ground(at) != WATER and self.unit_at(at) is None

    def own(self, side: str) -> list[Unit]:
        """Return a side's units, on the table or in reserve."""
        return [unit for unit in self.units if unit.side == side]

    def placed(self, side: str) -> list[Unit]:
        """Return a side's units on the table."""
        return [unit for unit in self.own(side) if unit.at is not None]

    def battery(self, name: str) -> Battery:
        """Return the battery of that name."""
        return next(battery for battery in self.batteries if battery.id == name)

    def sees(self, one: Square, other: Square) -> bool:
        """Whether two squares see each other (B-27)."""
        line = between(one, other)
        if any(self.ground(square) in WALLS for square in line):
            return False
        if HILL not in (self.ground(one), self.ground(other)) and any(self.ground(square) == HILL for square in line):
            return False
        smoke = {square for fallen in self.smoke for square in fallen["squares"]}
        return touching(one, other) or not smoke.intersection((one, other, *line))

    def nearest(self, at: Square, side: str) -> int | None:
        """Return the distance, squared, of the nearest enemy of the side on the table; None if there is none."""
        return min((apart(at, enemy.here) for enemy in self.placed(OTHER[side])), default=None)

    # Dice, and the purse of wild dice (B-18).

    def throw(self, count: int) -> list[int]:
        """Roll so many D6."""
        return [self.roll_die(6) for _ in range(count)]

    def wild(self, side: str) -> int:
        """Return how many wild dice a side has: lent ones, 6s among its command dice, staff orders."""
        return self.lent[side] + self.dice[side].count(6) + self.staff[side]

    def spend_wild(self, side: str, count: int) -> None:
        """Spend wild dice: lent dice before 6s before staff orders."""
        for _ in range(count):
            if self.lent[side]:
                self.lent[side] -= 1
            elif 6 in self.dice[side]:
                self.dice[side].remove(6)
            else:
                self.staff[side] -= 1

    # What is legal.

    def legal(self) -> list[str]:
        """Return the texts of all legal actions, sorted."""
        if self.over:
            return []
        if self.phase == "roll":
            texts = ["roll"]
        elif self.phase == "logistics":
            texts = self._logistics_texts()
        elif self.pending:
            texts = self._reaction_texts()
        elif self.group:
            texts = self._group_texts()
        elif self.pulse["credit"]:
            texts = self._order_texts()
        else:
            texts = self._payment_texts()
        return sorted(texts)

    def _payment_texts(self) -> list[str]:
        side, spent, chain = self.side, self.pulse["spent"], self.pulse["chain"]
        texts = [f"die {face}" for face in set(self.dice[side]) if face == 6 or chain in (face, None)]
        if spent and self.lent[side]:
            texts.append("lent")
        if self.staff[side]:
            texts.append("staff")
        texts += [f"instant {count}" for count in range(2, self.dice[side].count(6) + 1)]
        if spent or self.pulses[side] == 1 or not self.dice[side]:
            texts.append("end")
        return texts

    def _order_texts(self) -> list[str]:
        side = self.side
        texts = ["pass"]
        for unit in self.placed(side):
            if unit.suppressed and self.rules["suppression_clears"] == "regroup":
                texts.append(f"regroup {unit.id}")
            if not unit.suppressed and not unit.activated:
                texts += [f"move {unit.id}", f"disengage {unit.id}"]
                if self.members("rally", unit):
                    texts.append(f"rally {unit.id}")
        if any(unit.reserve for unit in self.own(side)) and not self.failed[side]:
            texts.append("reserves")
        if self.pulse["credit"] == "staff":
            for battery in self.batteries:
                if battery.side == side:
                    texts += self._mission_texts(battery)
        return texts

    def _mission_texts(self, battery: Battery) -> list[str]:
        mission = battery.mission
        if not mission:
            spotters = [unit for unit in self.placed(battery.side) if not unit.suppressed]
            seen = [
                enemy.id
                for enemy in self.placed(OTHER[battery.side])
                if any(self.sees(unit.here, enemy.here) for unit in spotters)
            ]
            return [f"{kind} {battery.id} {enemy}" for kind in ("call", "smoke") for enemy in seen]
        if mission["status"] == "done":
            return [f"maintain {battery.id}"]
        return [f"adjust {battery.id} {name}" for name in self.shifts(mission["aim"])]

    def shifts(self, aim: Square) -> list[str]:
        """Return the directions in which there is a next square."""
        return [name for name, way in DIRECTIONS.items() if self.on_table(step(aim, way))]

    def _logistics_texts(self) -> list[str]:
        battery = self.awaiting()[0]
        return [f"{battery.id} hold", *(f"{battery.id} shift {name}" for name in self.shifts(battery.mission["aim"]))]

    def _reaction_texts(self) -> list[str]:
        target = self.unit(self.pending["target"])
        texts = wilds(f"{target.id} react", self.wild(target.side))
        if target.reconnaissance and not target.suppressed and not target.activated:  # B-25
            texts += wilds(f"{target.id} breakoff", self.wild(target.side))
        return texts

    def _group_texts(self) -> list[str]:
        group = self.group
        if group["step"] == "to":
            unit = self.unit(group["unit"])
            texts = [f"{unit.id} to {x},{y}" for x, y in self.destinations(unit)]
            if min(group["move"]["dice"]) < 6 and self.wild(unit.side):
                texts.append(f"{unit.id} push")
            return texts
        texts = ["done"]
        if group["step"] == "fire":
            unit = self.unit(group["unit"])
            texts += [f"{unit.id} face {name}" for name in DIRECTIONS if name != unit.facing]
            for enemy in self.targets(unit):
                texts += wilds(f"{unit.id} fire {enemy.id}", self.wild(unit.side))
        elif group["step"] == "scoot":
            texts.append(f"{group['unit']} scoot")
        for name in self.ready():
            unit = self.unit(name)
            if group["order"] == "move":
                texts += [f"{name} {pace}" for pace in SLOWED]
            elif group["order"] == "disengage":
                texts.append(f"{name} disengage")
            elif group["order"] == "rally":
                texts += wilds(f"{name} rally", self.wild(unit.side))
            else:
                column = 0 if unit.side == "a" else len(self.map[0]) - 1
                texts += [f"{name} enter {column},{y}" for y in range(len(self.map)) if self.open((column, y))]
        return texts

    def members(self, order: str, leader: Unit) -> list[str]:
        """Return a command group: its leader, and the units within 6 inches that may act; to rally, with dp (3)."""
        names = []
        for unit in (leader, *(unit for unit in self.placed(leader.side) if unit is not leader)):
            able = not unit.suppressed and not unit.activated and (order != "rally" or unit.dp > 0)
            if able and within(leader.here, unit.here, 6):
                names.append(unit.id)
        return names

    def ready(self) -> list[str]:
        """Return the members that may still act: besides the leader three, or four with a reconnaissance unit (3)."""
        used, leader = self.group["used"], self.group["leader"]
        names = []
        for name in self.group["members"]:
            others = [unit for unit in (*used, name) if unit != leader]
            most = 3 if leader else 4  # Commit Reserves has no leader
            if any(self.unit(unit).reconnaissance for unit in others):
                most += 1
            if name not in used and (name == leader or len(others) <= most):
                names.append(name)
        return names

    def destinations(self, unit: Unit) -> list[Square]:
        """Return the squares to which a unit whose move was rolled can go (4)."""
        move = self.group["move"]
        inches = move["base"] + sum(move["dice"])
        spent = {unit.here: 0}
        new = [unit.here]
        while new:
            at = new.pop(0)
            for way in STEPS:
                to = step(at, way)
                if not self.on_table(to) or self.ground(to) == WATER:
                    continue
                there = self.unit_at(to)
                if there and there.side != unit.side:
                    continue
                cost = spent[at] + (4 if way[0] and way[1] else 3) * COST[self.ground(to)]
                if cost <= inches and cost < spent.get(to, inches + 1):
                    spent[to] = cost
                    new.append(to)
        squares = [at for at in spent if self.open(at)]
        if move["kind"] == "disengage":
            now = self.nearest(unit.here, unit.side)
            return [at for at in squares if now is not None and (self.nearest(at, unit.side) or 0) > now]
        return squares

    # Direct fire (5).

    def fire_dice(self, unit: Unit) -> int:
        """Return a unit's dice, without wild ones."""
        return int(unit.card.get("at_dice", 0)) + unit.ambush - SLOWED[self.group["pace"]]

    def targets(self, unit: Unit) -> list[Unit]:
        """Return the enemies at whom a unit can fire."""
        ranges = unit.card.get("ranges_in")
        if not ranges or unit.suppressed or self.fire_dice(unit) < 1:
            return []
        return [
            enemy
            for enemy in self.placed(OTHER[unit.side])
            if within(unit.here, enemy.here, ranges[2]) and self.sees(unit.here, enemy.here)
        ]

    def target_number(self, firer: Unit, target: Unit) -> int:
        """Return what the fire dice need."""
        close, effective, _ = firer.card["ranges_in"]
        needed = 4
        if within(firer.here, target.here, close):
            needed -= 1
        elif not within(firer.here, target.here, effective):
            needed += 1
        (fx, fy), (dx, dy) = DIRECTIONS[target.facing], (firer.here[0] - target.here[0], firer.here[1] - target.here[1])
        dot = fx * dx + fy * dy
        if not (dot > 0 and 2 * dot**2 >= (fx**2 + fy**2) * (dx**2 + dy**2)):
            needed -= 1  # from flank or rear
        return min(max(needed, 2), 6)

    def covered(self, target: Unit, firer: Unit) -> bool:
        """Whether a target is in light cover, or behind some that touches it."""
        behind = [square for square in between(firer.here, target.here) if touching(square, target.here)]
        return any(self.ground(square) in COVER for square in (target.here, *behind))

    def _fire(self, firer: Unit, target: Unit, wild: int) -> None:
        self.spend_wild(firer.side, wild)
        firer.facing = direction(firer.here, target.here)
        self.pending = {"firer": firer.id, "target": target.id, "wild": wild}
        if len(self._reaction_texts()) == 1:  # then there is nothing to decide
            self._react(target, "react", 0)

    def _react(self, target: Unit, way: str, wild: int) -> None:
        firer = self.unit(self.pending["firer"])
        self.spend_wild(target.side, wild)
        dice = int(target.card.get("reaction_dice", 0)) + wild + self.covered(target, firer)
        dice += self.ground(target.here) == HILL != self.ground(firer.here)
        dice += 2 * target.evading + 2 * (way == "breakoff")
        fire = self.throw(self.fire_dice(firer) + self.pending["wild"])
        reaction = self.throw(dice)
        needed = self.target_number(firer, target)
        self.pending = {}
        firer.ambush = target.ambush = False
        if way == "breakoff":
            target.activated = True
        suppressed = fire.count(6) > reaction.count(6)
        self._hurt(target, successes(fire, needed), reaction, suppressed, breaking_off=way == "breakoff")
        if self.over:
            return
        scoots = firer.card["class"] in ("tank_destroyer", "reconnaissance") and self.group["pace"] == "stay"
        self.group["unit"], self.group["step"] = (firer.id, "scoot") if scoots else (None, None)  # B-24

    def _hurt(self, unit: Unit, hits: int, reaction: list[int], suppressed: bool, breaking_off: bool = False) -> None:
        """Give a unit its points, and what follows from them and from its being suppressed or breaking off."""
        points = self.points(unit, hits, reaction)
        unit.suppressed = unit.suppressed or suppressed
        unit.dp += points
        if unit.dp >= 3:
            self.units.remove(unit)
            self.morale[unit.side] -= self.roll_die(3)
            self._check_armies()
        elif (unit.suppressed and points) or (breaking_off and not unit.suppressed):
            for _ in range(2):  # forced back (B-13), or broken off (B-25)
                back = step(unit.here, (HOMEWARD[unit.side], 0))
                if not self.open(back):
                    break
                unit.at = back

    def points(self, unit: Unit, hits: int, reaction: list[int]) -> int:
        """Return the disruption points that hits give to a unit with this reaction (B-1)."""
        saved = successes(reaction, 5 if unit.suppressed else 4)
        return hits if self.rules["opposed"] == "no_cancel" else max(hits - saved, 0)

    # Off-table artillery (6).

    def awaiting(self) -> list[Battery]:
        """Return the active side's batteries whose missions are to be fired."""
        own = [battery for battery in self.batteries if battery.side == self.side]
        return [battery for battery in own if battery.mission and battery.mission["status"] != "done"]

    def _end_mission(self, battery: Battery) -> None:
        battery.mission = {}
        self._lift_smoke(battery)

    def _lift_smoke(self, battery: Battery) -> None:
        self.smoke = [fallen for fallen in self.smoke if fallen["battery"] != battery.id]

    def _call(self, battery: Battery, kind: str, enemy: Unit) -> None:
        battery.mission = {"kind": kind, "aim": enemy.here, "status": "called", "turn": self.turn}
        ours, theirs = self.throw(battery.dice), self.throw(3)
        if successes(ours, 4) > successes(theirs, 4):
            self._fall(battery)

    def _fall(self, battery: Battery) -> None:
        """Let a mission fall (B-29)."""
        mission = battery.mission
        middle = mission["aim"]
        if self.roll_die(6) <= 3:
            squares = (self.roll_die(6) + 1) // 3
            middle = step(middle, STEPS[self.roll_die(8) - 1], squares)
        mission["status"], mission["turn"] = "done", self.turn
        area = [step(middle, way) for way in ((0, -1), (-1, 0), (0, 0), (1, 0), (0, 1))]
        area = [square for square in area if self.on_table(square)]
        self._lift_smoke(battery)
        if mission["kind"] == "smoke":
            self.smoke.append({"side": battery.side, "battery": battery.id, "squares": area})
            return
        for unit in [unit for square in area if (unit := self.unit_at(square))]:
            if not self.over:
                self._shell(battery, unit)

    def _shell(self, battery: Battery, unit: Unit) -> None:
        fire = self.throw(battery.dice)
        dice = unit.card.get("reaction_dice_indirect")
        if dice is None:
            dice = unit.card.get("reaction_dice", 0)
        dice += (self.ground(unit.here) in COVER) + 2 * unit.evading - unit.card.get("open_topped", False)
        reaction = self.throw(dice)
        unit.ambush = False
        hits = successes(fire, 4)
        hit = {"net": self.points(unit, hits, reaction) > 0, "any_success": hits > 0, "in_area": True}
        suppressed = hit[self.rules["indirect_hit"]] and reaction.count(6) <= fire.count(6)  # B-3
        self._hurt(unit, hits, reaction, suppressed)

    # Doing an action.

    def do(self, text: str) -> None:
        """Take a legal action."""
        assert text in self.legal(), text
        first, *words = text.split()
        wild = int(words.pop()) if words and words[-1].startswith("+") else 0
        if self.phase == "roll":
            self._roll()
        elif self.phase == "logistics":
            self._logistics(self.battery(first), *words[1:])
        elif self.pending:
            self._react(self.unit(first), words[0], wild)
        elif self.group:
            if text == "done":
                self.group = {}
            else:
                self._act(self.unit(first), words[0], words[1:], wild)
        elif self.pulse["credit"]:
            self.pulse["credit"] = None
            self._order(first, words)
        else:
            self._pay(first, words)

    def _roll(self) -> None:
        """Roll command dice, and find out who begins (2)."""
        rolled = {side: self.throw(self.command_dice[side]) for side in SIDES}
        for side in SIDES:
            ones, sixes = rolled[side].count(1), rolled[side].count(6)
            if ones > sixes:
                self.failed[side] = True
                self.lent[OTHER[side]] = ones
                for battery in self.batteries:
                    if battery.side == side:
                        self._end_mission(battery)
            faces = range(1 if self.rules["staff_faces"] == "1-6" else 2, 7)
            more = sum(max(rolled[side].count(face) - 1, 0) for face in faces)
            self.staff[side] = min(self.staff[side] + more, self.staff_orders[side])  # B-19
            self.dice[side] = [die for die in rolled[side] if die != 1]
        if all(self.failed.values()):
            self._end_turn()
            return
        sixes_more = rolled["a"].count(6) - rolled["b"].count(6)
        if self.failed["a"] or self.failed["b"]:
            first = "b" if self.failed["a"] else "a"
        elif sixes_more:
            first = "a" if sixes_more > 0 else "b"
        else:
            first = SIDES[self.roll_die(2) - 1]  # B-8
        self._begin_pulse(first)

    def _begin_pulse(self, side: str) -> None:
        self.phase, self.side = "pulse", side
        self.pulses[side] += 1
        self.pulse = dict(NO_PULSE)
        if self.rules["activations"] == "once_a_pulse":
            for unit in self.own(side):
                unit.activated = False

    def _pay(self, how: str, words: list[str]) -> None:
        """Pay for an order, or end the pulse (3)."""
        side, pulse = self.side, self.pulse
        if how == "end":
            self.pulse = dict(NO_PULSE)
            if self.pulses[side] == 1:
                self._begin_logistics()
            else:
                self._next_pulse()
            return
        if how == "staff":
            self.staff[side] -= 1
            pulse["credit"] = "staff"
            return
        pulse["spent"] += 1
        if how == "instant":
            for _ in range(int(words[0])):
                self.dice[side].remove(6)
            self.staff[side] += int(words[0]) - 1
            return
        pulse["credit"] = "command"
        if how == "lent":
            self.lent[side] -= 1
        else:
            face = int(words[0])
            self.dice[side].remove(face)
            if face != 6 and pulse["chain"] is None:
                pulse["chain"] = face

    def _order(self, order: str, words: list[str]) -> None:
        """Give an order (3)."""
        if order == "regroup":
            self.unit(words[0]).suppressed = False
        elif order in ("move", "disengage", "rally"):
            self._open_group(order, words[0], self.members(order, self.unit(words[0])))
        elif order == "reserves":
            self._open_group(order, None, [unit.id for unit in self.own(self.side) if unit.reserve])
        elif order in ("call", "smoke"):
            self._call(self.battery(words[0]), "fire" if order == "call" else "smoke", self.unit(words[1]))
        elif order != "pass":
            mission = self.battery(words[0]).mission
            if order == "adjust":
                mission["aim"] = step(mission["aim"], DIRECTIONS[words[1]])
            else:
                mission["status"] = "maintained"

    def _open_group(self, order: str, leader: str | None, members: list[str]) -> None:
        self.group = {"order": order, "leader": leader, "members": members, "used": []}
        self.group |= {"unit": None, "step": None, "pace": None, "move": None}

    def _act(self, unit: Unit, what: str, words: list[str], wild: int) -> None:
        """Let a member of the group do something (4)."""
        group = self.group
        if what == "to":
            x, y = words[0].split(",")
            self._go(unit, (int(x), int(y)))
        elif what == "push":
            self.spend_wild(unit.side, 1)
            dice = group["move"]["dice"]
            dice[dice.index(min(dice))] = 6
        elif what == "fire":
            self._fire(unit, self.unit(words[0]), wild)
        elif what == "face":
            unit.facing = words[0]
            group["unit"] = group["step"] = None
        elif what == "scoot":
            unit.evading = True  # from the moment of the roll
            self._roll_move(unit, "scoot", 1)
        else:
            self._begin_action(unit, what, words, wild)

    def _begin_action(self, unit: Unit, what: str, words: list[str], wild: int) -> None:
        group = self.group
        unit.activated, unit.evading = True, False
        group["used"].append(unit.id)
        group["unit"] = group["step"] = group["pace"] = None
        if what == "rally":
            self._rally(unit, wild)
        elif what == "enter":
            x, y = words[0].split(",")
            unit.at, unit.reserve = (int(x), int(y)), False
        elif what == "disengage":
            unit.evading = True
            self._roll_move(unit, what, 1)
        else:
            group["pace"] = what
            if what == "stay":
                group["unit"], group["step"] = unit.id, "fire"
            else:
                self._roll_move(unit, what, PACES[what])

    def _roll_move(self, unit: Unit, kind: str, moves: int) -> None:
        """Roll a move of so many moves (B-16); with no square to go to the unit stays."""
        group = self.group
        dice = self.throw(moves * (2 if unit.reconnaissance else 1))
        group["move"] = {"base": 6 * moves, "dice": dice, "kind": kind}
        group["unit"], group["step"] = unit.id, "to"
        if not self.destinations(unit):
            self._moved(unit)

    def _go(self, unit: Unit, to: Square) -> None:
        if self.group["move"]["kind"] in PACES:
            unit.facing = direction(unit.here, to)
        unit.at, unit.ambush = to, False
        self._moved(unit)

    def _moved(self, unit: Unit) -> None:
        """End a move: after one of Move and Fire the unit may fire."""
        fires = self.group["move"]["kind"] in PACES
        self.group["move"] = None
        self.group["unit"], self.group["step"] = (unit.id, "fire") if fires else (None, None)

    def _rally(self, unit: Unit, wild: int) -> None:
        """Roll to take points away; the enemy rolls a die for each (4)."""
        self.spend_wild(unit.side, wild)
        enemies = self.placed(OTHER[unit.side])
        seen = any(self.sees(enemy.here, unit.here) for enemy in enemies)
        dice = self.rally_dice[unit.side] + wild + (self.ground(unit.here) in COVER) + (not seen)
        needed = self.rally_number(self.nearest(unit.here, unit.side))
        ours, theirs = self.throw(dice), self.throw(unit.dp)
        unit.dp -= min(unit.dp, max(successes(ours, needed) - successes(theirs, 4), 0))

    def rally_number(self, distance: int | None) -> int:
        """Return what rally dice need at the nearest enemy's distance, squared (B-4)."""
        for inches, needed in ((6, 6), (12, 5), (24, 4), (36, 3)):
            inclusive = self.rules["rally_boundary"] == "upper_inclusive" and inches != 36
            if distance is not None and (distance < inches**2 or (inclusive and distance == inches**2)):
                return needed
        return 2

    def _begin_logistics(self) -> None:
        """Begin the Logistics Phase (6): missions that were done in an earlier turn end."""
        self.phase = "logistics"
        for battery in self.batteries:
            mission = battery.mission
            if battery.side == self.side and mission and mission["status"] == "done" and mission["turn"] < self.turn:
                self._end_mission(battery)
        if not self.awaiting():
            self._next_pulse()

    def _logistics(self, battery: Battery, way: str | None = None) -> None:
        if way:
            battery.mission["aim"] = step(battery.mission["aim"], DIRECTIONS[way])
        self._fall(battery)
        if not self.over and not self.awaiting():
            self._next_pulse()

    def _next_pulse(self) -> None:
        """Begin the next pulse: a side has another while it has command dice, and one in any case (2)."""
        for side in (OTHER[self.side], self.side):
            if self.dice[side] or not self.pulses[side]:
                self._begin_pulse(side)
                return
        self._end_turn()

    def _end_turn(self) -> None:
        for unit in self.units:
            unit.activated = unit.evading = False
            if self.rules["suppression_clears"] == "end_of_turn":
                unit.suppressed = False
        self.dice, self.lent = {"a": [], "b": []}, {"a": 0, "b": 0}
        self.staff = {side: min(self.staff[side], self.staff_orders[side]) for side in SIDES}
        self.failed, self.pulses = {"a": False, "b": False}, {"a": 0, "b": 0}
        self.phase, self.side, self.pulse = "roll", "a", dict(NO_PULSE)
        if self.turn < self.turn_limit:
            self.turn += 1
            return
        lost = {side: self.morale_at_first[side] - self.morale[side] for side in SIDES}  # B-31
        self._end(None if lost["a"] == lost["b"] else min(SIDES, key=lambda side: lost[side]), "turn limit")

    def _check_armies(self) -> None:
        """End the match when an army breaks, or a side has no unit left (B-30)."""
        for side in SIDES:
            if self.morale[side] <= 0:
                self._end(OTHER[side], "army broken")
            elif not self.own(side):
                self._end(OTHER[side], "no unit left")

    def _end(self, winner: str | None, reason: str) -> None:
        self.winner, self.reason = winner, reason
        self.pulse, self.group, self.pending = dict(NO_PULSE), {}, {}


def cards() -> dict[str, dict[str, Any]]:
    """Return the product's cards with the fields that a match reads, as transcripts carry them (1)."""
    read = "class", "at_dice", "ranges_in", "reaction_dice", "reaction_dice_indirect", "open_topped", "artillery_dice"
    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(UNITDB.glob("*.toml"))]
    found = [(name, card) for table in tables for name, card in table.items()]
    return {name: {field: card[field] for field in read if field in card} for name, card in found}


def random_setup(draw: Random) -> dict[str, Any]:
    """Return a small setup that reaches much: any ground, any readings, armies of all sorts, some of them odd."""
    known = cards() | {f"own_{number}": _random_card(draw) for number in range(4)}
    setup: dict[str, Any] = {"turn_limit": draw.choice((1, 2, 3, 4, 6)), "cards": known}
    which = draw.random()
    if which < 0.1:
        setup["board"] = "crossroads"
    elif which < 0.12:
        setup |= {"board": "battle_line", "turn_limit": 1}
    else:
        ground = draw.choice((".", "..,*^", ".,*#^~", "...,*#^~", "....~"))
        wide, high = draw.choice((2, 3, 4, 5, 6, 7, 8, 8, 13, 14)), draw.randint(1, 6)
        rows = ["".join(draw.choice(ground) for _ in range(wide)) for _ in range(high)]
        setup["board"] = {"name": "Random", "map": rows if draw.random() < 0.8 else "\n".join(rows)}
        setup["units"] = _random_units(draw, rows, known)
    if draw.random() < 0.8:
        setup["army"] = {side: _random_army(draw) for side in SIDES if draw.random() < 0.9}
    setup |= {name: draw.choice(readings) for name, readings in SWITCHES.items() if draw.random() < 0.6}
    if "units" in setup and draw.random() < 0.3:  # 1: the setup's keys go before the board's
        moved = draw.choice([name for name in ("units", "army", "turn_limit") if name in setup])
        setup["board"] |= {"army": {"b": _random_army(draw)}, moved: setup.pop(moved)}
    if draw.random() < 0.05:
        setup.pop("turn_limit", None)
    return setup


def _random_card(draw: Random) -> dict[str, Any]:
    """Return a card that no army has: odd ranges, no gun, few dice, a roof or none."""
    classes = "tank", "assault_gun", "tank_destroyer", "reconnaissance", "battery"
    card: dict[str, Any] = {"class": draw.choice(classes), "reaction_dice": draw.randint(0, 6)}
    if card["class"] == "battery":
        return card | {"artillery_dice": draw.randint(0, 9)}
    if draw.random() < 0.85:
        card |= {"at_dice": draw.randint(0, 9), "ranges_in": sorted(draw.randint(25, 400) / 10 for _ in range(3))}
    if draw.random() < 0.5:
        card["reaction_dice_indirect"] = draw.randint(0, 5)
    return card | {"open_topped": draw.random() < 0.5}


def _random_units(draw: Random, rows: list[str], known: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return two armies, anywhere on the table or in reserve; each has a unit that is no battery."""
    free = [(x, y) for y, row in enumerate(rows) for x, ground in enumerate(row) if ground != WATER]
    if draw.random() < 0.7:  # else a stands in the west and b in the east, maybe 36 inches away (B-4)
        draw.shuffle(free)
    often = draw.choice((0.1, 0.3, 0.6))
    batteries = [name for name, card in known.items() if card["class"] == "battery"]
    others = [name for name in known if name not in batteries]
    units: list[dict[str, Any]] = []
    for side in SIDES:
        for number in range(draw.choice((1, 2, 3, 4, 5, 8)) if draw.random() < 0.9 else 12):
            unit: dict[str, Any] = {"side": side, "type": draw.choice(others)}
            if number and draw.random() < 0.2:
                unit["type"] = draw.choice(batteries)
            elif free and draw.random() < 0.85:
                unit["at"] = list(free.pop(0 if side == "a" else -1))
            marks = {
                "facing": draw.choice(list(DIRECTIONS)),
                "dp": draw.randint(0, 2),
                "suppressed": True,
                "ambush": True,
            }
            units.append(unit | {name: mark for name, mark in marks.items() if draw.random() < often})
    draw.shuffle(units)
    return units


def _random_army(draw: Random) -> dict[str, int]:
    """Return some of an army's numbers."""
    most = {"command_dice": (0, 10), "staff_orders": (0, 8), "rally_dice": (0, 7), "morale": (1, 9)}
    return {name: draw.randint(*numbers) for name, numbers in most.items() if draw.random() < 0.6}
