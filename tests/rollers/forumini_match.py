"""A match of Forumini Armies as its spec (matches/forumini.md) tells it, point by point, in plain Python.

It shares no code with the package: it reads boards, cards and texts by itself, and looks every sight and every arc up
anew each time. Sections in comments are the spec's. `random_setup` draws matches that reach many of its rules.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

Hex = tuple[int, int]
"""Axial coordinates q and r (section 1)."""

BOARDS = Path(__file__).parents[2] / "unitdb" / "forumini" / "boards"
DIRECTIONS: dict[str, Hex] = {"E": (1, 0), "SE": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (0, -1), "NE": (1, -1)}


@dataclass(frozen=True)
class Terrain:
    """A kind of terrain: a line of the chart in section 1."""

    soldier: int = 1
    vehicle: int = 1
    roll: int = 0
    road: bool = False
    cover: int | None = None
    blocks: bool = False
    enterable: bool = True


READINGS = {
    "dis_equals_def": "destroyed",  # F-2
    "min_defense": 1,  # F-3
    "second_damaged": "no_effect",  # F-5
    "cover_one_hit_exempt": True,  # F-7
    "df_always_cover": False,  # F-9
    "df_counts": True,  # F-10
    "indirect_shared_roll": False,  # F-15
}
"""Switches of INTERPRETATION.md that change a match, with defaults."""
CHART = {
    ".": Terrain(),
    "=": Terrain(road=True),
    "w": Terrain(roll=4, cover=0, blocks=True),
    "h": Terrain(vehicle=2, cover=-1, blocks=True),
    "t": Terrain(vehicle=2, roll=3, road=True, cover=1, blocks=True),
    "b": Terrain(vehicle=2, cover=0),
    "~": Terrain(enterable=False),
}


@dataclass
class Unit:
    """A unit and its counters (section 3), under its name of side and place in the list."""

    name: str
    id: str
    card: dict[str, Any]
    at: Hex | None = None
    face: str | None = None
    down: int = 0
    pinned: bool = False
    worse: int = 0  # more than one Damaged counter only by a reading of F-5
    stopped: bool = False  # by Defensive Fire that gives no face-down counter, by a reading of F-10
    mark: str = ""
    watch: Hex | None = None
    act: str = ""
    shots: int = 0
    fired: bool = False

    @property
    def cost(self) -> Fraction:
        """Its cost, exactly as it is written."""
        return Fraction(str(self.card["cost"]))

    @property
    def side(self) -> str:
        """The side that owns it."""
        return self.name[0]

    @property
    def vehicle(self) -> bool:
        """It is a vehicle, no soldier."""
        return bool(self.card["kind"] == "vehicle")

    @property
    def here(self) -> Hex:
        """Its hex, if it stands on the board."""
        assert self.at is not None
        return self.at

    @property
    def good_order(self) -> bool:
        """Section 4: not Pinned and, for soldiers, not Demoralized; a Damaged vehicle is in good order."""
        return not self.pinned and (self.vehicle or not self.worse)

    @property
    def commander(self) -> bool:
        """F-41: the type says so."""
        return "Commander" in self.card["type"]

    @property
    def front_only(self) -> bool:
        """F-24: a vehicle without a turret."""
        return self.vehicle and any(one in self.card.get("abilities", ()) for one in ("No Turret", "Fixed Howitzer"))

    @property
    def speed(self) -> int:
        """Section 5: what it has to move with now."""
        printed = int(self.card["speed"])
        if not self.vehicle:
            return printed if self.good_order else 0
        left = max(0, printed - self.worse)
        return left // 2 if self.pinned else left

    def defends(self, face: str, least: int) -> tuple[int, int]:
        """Section 7: Defense and Disintegration, or armour and vital armour of that face, as they are now."""
        if not self.vehicle:
            defense, disintegration = self.card["defense"], self.card["disintegration"]
        else:
            defense, disintegration = self.card["armor"][face], self.card["vital"][face]
        if self.vehicle and self.pinned and not self.worse:
            return max(least, defense - 1), disintegration
        return max(least, defense - self.worse), max(least, disintegration - self.worse)

    def dice(self, distance: int, target: Unit) -> int:
        """Section 7: attack dice at a distance; none beyond the last column."""
        row = self.card["antivehicle" if target.vehicle else "antisoldier"]
        return next((int(n) for last, n in zip(self.card["range"], row, strict=True) if last >= distance), 0)


@dataclass
class Moving:
    """The move under way: points left, road bonus used, and hexes from the start."""

    unit: Unit
    points: int
    path: list[Hex]
    road: bool = False


def named(at: Hex) -> str:
    """Name a hex `column,row` (section 1: odd rows are shifted to the right)."""
    return f"{column(at)},{at[1]}"


def column(at: Hex) -> int:
    """Return the column of a hex."""
    return at[0] + (at[1] - (at[1] & 1)) // 2


def hex_of(name: str) -> Hex:
    """Return the hex of a name."""
    c, r = map(int, name.split(","))
    return c - (r - (r & 1)) // 2, r


def distance(a: Hex, b: Hex) -> int:
    """Hexes from one to another."""
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


def step(at: Hex, direction: str) -> Hex:
    """Return the next hex in a direction."""
    return at[0] + DIRECTIONS[direction][0], at[1] + DIRECTIONS[direction][1]


def side_of(facing: str, of: Hex, towards: Hex) -> str:
    """Tell which face of a vehicle in one hex another hex sees (section 7, Face)."""
    if of == towards:
        return "side"
    (uq, ur), (vq, vr) = DIRECTIONS[facing], (towards[0] - of[0], towards[1] - of[1])
    d2 = 2 * uq * vq + 2 * ur * vr + uq * vr + ur * vq
    if d2 >= 0:
        return "front"
    return "rear" if d2 * d2 >= 3 * (vq * vq + vq * vr + vr * vr) else "side"


@cache
def passes(to: Hex, x: Hex) -> str:
    """Tell how a line from (0, 0) passes a hex: not (""), or by a "corner", "inside", or along its "+" or "-" side."""
    # Section 7, Sight: x is where all three measures are within [-1, 1]; each is linear in t, from 0 to 1 at the end.
    begin, end, along = Fraction(0), Fraction(1), ""
    for at_begin, at_end in zip(measures((-x[0], -x[1])), measures((to[0] - x[0], to[1] - x[1])), strict=True):
        if at_begin == at_end:
            if abs(at_begin) > 1:
                return ""
            if abs(at_begin) == 1:
                along = "+" if at_begin == 1 else "-"
            continue
        slope = at_end - at_begin
        enters, leaves = sorted((Fraction(-1 - at_begin, slope), Fraction(1 - at_begin, slope)))
        begin, end = max(begin, enters), min(end, leaves)
    if begin > end:
        return ""
    return "corner" if begin == end else along or "inside"


def measures(at: Hex) -> tuple[int, int, int]:
    """Return A = (q-r, r-s, s-q) of a point (section 7, Sight)."""
    q, r = at
    s = -q - r
    return q - r, r - s, s - q


def along_line(a: Hex, b: Hex) -> Iterator[tuple[Hex, str]]:
    """Every hex that the line between two others meets, ends too, and how."""
    for q in range(min(a[0], b[0]) - 1, max(a[0], b[0]) + 2):
        for r in range(min(a[1], b[1]) - 1, max(a[1], b[1]) + 2):
            how = passes((b[0] - a[0], b[1] - a[1]), (q - a[0], r - a[1]))
            if how:
                yield (q, r), how


class Match:
    """A match; `roll` throws a die of so many sides."""

    def __init__(self, setup: dict[str, Any], roll: Callable[[int], int]) -> None:
        self.roll = roll
        self.readings: dict[str, Any] = READINGS | setup.get("options", {})
        board = setup["board"]
        if isinstance(board, str):
            board = tomllib.loads((BOARDS / f"{board}.toml").read_text("utf-8"))
        rows = [row.split() for row in board["map"].splitlines() if row.strip()]
        self.map = {hex_of(f"{c},{r}"): CHART[letter] for r, row in enumerate(rows) for c, letter in enumerate(row)}
        self.width = max(map(len, rows))
        self.objective, self.deploy = hex_of(board["objective"]), int(board["deploy"])
        self.first_check, self.last_turn = setup.get("turns", board["turns"])
        self.units = {
            f"{side}{n}": Unit(f"{side}{n}", card, setup["cards"][card])
            for side in "ab"
            for n, card in enumerate(setup["lists"][side], 1)
        }
        self.costs = {side: _cost([unit for unit in self.units.values() if unit.side == side]) for side in "ab"}
        self.turn, self.phase, self.first = 0, "start", None
        self.active: str | None = "a"
        self.ends: dict[str, str] = {}
        self.moving: Moving | None = None
        self.fire: Hex | None = None  # the hex that the moving unit left, while the other side decides on its fire
        self.aiming: Unit | None = None
        self.destroyed = {"a": Fraction(0), "b": Fraction(0)}
        self.winner: str | None = None
        self.reason: str | None = None
        self.deploying: list[str] = []  # sides: who places first, who second
        self.placed = "placed" in setup
        if self.placed:
            for side in "ab":
                for n, text in enumerate(setup["placed"][side], 1):
                    self._put(self.units[f"{side}{n}"], text.split())

    def _put(self, unit: Unit, words: list[str]) -> None:
        """Place a unit as `placed` says (section 2)."""
        unit.at = hex_of(words[0])
        for word in words[1:]:
            if word in DIRECTIONS:
                unit.face = word
            elif word in ("dirt", "hull"):
                unit.mark = word
            elif word.startswith("watch="):
                unit.watch = hex_of(word.removeprefix("watch="))
            elif word == "pinned":
                unit.pinned = True
            else:
                unit.worse = 1

    # What is known of the match

    def to_move(self) -> str | None:
        """Return the side that decides: the other side while it may fire at a move (section 8)."""
        if self.fire is not None:
            return _other(self.active)
        return self.active

    def state(self) -> dict[str, Any]:
        """Return the state as the transcripts write it (section 3)."""
        moving, fire = self.moving, self.fire
        return {
            "turn": self.turn,
            "phase": self.phase,
            "first": self.first,
            "active": self.active,
            "ends": dict(self.ends),
            "units": {name: _words(unit) for name, unit in self.units.items()},
            "moving": moving
            and {
                "unit": moving.unit.name,
                "points": moving.points,
                "road": moving.road,
                "path": [named(at) for at in moving.path],
            },
            "fire": None if fire is None or moving is None else {"unit": moving.unit.name, "from": named(fire)},
            "aiming": self.aiming and self.aiming.name,
            "destroyed": {side: _number(points) for side, points in self.destroyed.items()},
        }

    def result(self) -> dict[str, Any]:
        """Return the result as the transcripts write it (section 9)."""
        points, zone = self._points()
        return {
            "winner": self.winner,
            "reason": self.reason,
            "turn": self.turn,
            "points": {side: _number(points[side]) for side in "ab"},
            "zone": {side: _number(zone[side]) for side in "ab"},
        }

    def _points(self) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
        """Return the points that each side has left, and those in the zone (section 9)."""
        zone = {side: _cost(self._in_zone(side)) for side in "ab"}
        return {side: self.costs[side] - self.destroyed[side] for side in "ab"}, zone

    def _army(self, side: str | None) -> list[Unit]:
        """Return a side's units on the board, in unit order."""
        return [unit for unit in self.units.values() if unit.side == side and unit.at is not None]

    def _in_zone(self, side: str) -> list[Unit]:
        """Return a side's units in the objective zone (section 1)."""
        return [unit for unit in self._army(side) if distance(unit.here, self.objective) <= 1]

    def _on(self, at: Hex) -> list[Unit]:
        """Return all units in a hex, in unit order."""
        return [unit for unit in self.units.values() if unit.at == at]

    # Hexes

    def _room(self, unit: Unit, at: Hex) -> bool:
        """Section 6, Stacking: three units of a side in a hex, of them one vehicle."""
        there = [one for one in self._on(at) if one.side == unit.side and one is not unit]
        return len(there) < 3 and not (unit.vehicle and any(one.vehicle for one in there))

    def _sees(self, a: Hex, b: Hex) -> bool:
        """Section 7, Sight: no hex that blocks is crossed, nor do such lie on both sides of a hexspine."""
        if distance(a, b) <= 1:
            return True
        met = {how for x, how in along_line(a, b) if x not in (a, b) and x in self.map and self.map[x].blocks}
        return "inside" not in met and not {"+", "-"} <= met

    def _in_arc(self, unit: Unit, at: Hex) -> bool:
        """Section 8: the Overwatch arc, of the hexes that the line to the target hex meets, and their neighbours."""
        assert unit.watch is not None
        middle = [unit.here, *(x for x, how in along_line(unit.here, unit.watch) if how != "corner")]
        return any(distance(at, x) <= 1 for x in middle)

    def _fires_at(self, unit: Unit, at: Hex) -> bool:
        """Section 7: a vehicle without a turret fires within its front arc, or in its own hex (F-24)."""
        if not unit.front_only or at == unit.here:
            return True
        assert unit.face is not None
        return side_of(unit.face, unit.here, at) == "front"

    def _could_attack(self, unit: Unit, target: Unit) -> bool:
        """Section 7: dice, sight and front arc; the same for Defensive Fire (section 8)."""
        a, b = unit.here, target.here
        return unit.dice(distance(a, b), target) > 0 and self._fires_at(unit, b) and self._sees(a, b)

    # Legal actions

    def legal(self) -> list[str]:
        """Return all legal actions as texts, sorted (section 3)."""
        if self.phase == "over":
            return []
        if self.phase == "start":
            return ["start"]
        if self.phase in ("choice", "order"):
            return ["first", "second"]
        if self.phase == "end":
            return ["east", "west"]
        if self.phase == "deploy":
            unit = self._to_place()
            assert unit is not None
            zone = self.zone(self.ends[unit.side])
            return sorted(f"{unit.name} at {named(at)}" for at in zone if self._room(unit, at))
        if self.fire is not None:
            return sorted([*(f"{unit.name} fire" for unit in self._shooters()), "pass"])
        if self.aiming is not None:
            return sorted(f"{self.aiming.name} aim {named(at)}" for at in self._aims(self.aiming))
        if self.moving is not None:
            unit = self.moving.unit
            return sorted([*(f"{unit.name} go {to}" for to in self._steps(unit)), *self._stops(unit)])
        return sorted(["end", *(text for unit in self._army(self.active) for text in self._actions(unit))])

    def _to_place(self) -> Unit | None:
        """Section 4.1: the next unit in list order, the first player's before the second's."""
        units = (unit for side in self.deploying for unit in self.units.values() if unit.side == side)
        return next((unit for unit in units if unit.at is None), None)

    def zone(self, end: str) -> list[Hex]:
        """Section 4.1: the enterable hexes of the first or last columns."""
        columns = range(self.deploy) if end == "west" else range(self.width - self.deploy, self.width)
        return [at for at, terrain in self.map.items() if column(at) in columns and terrain.enterable]

    def _actions(self, unit: Unit) -> Iterator[str]:
        """Section 5: what a unit of the active side may do, outside a move."""
        name, soldier = unit.name, not unit.vehicle
        if unit.watch is not None:
            yield f"{name} unwatch"
        again = unit.act == "fired" and unit.shots < unit.card.get("attacks", 1)  # F-38
        if self.phase == "assault" and (unit.act == "" or again) and unit.mark != "dirt":  # F-42
            yield from (f"{name} attack {target.name}" for target in self._targets(unit))
            yield from (f"{name} barrage {named(at)}" for at in self._barrages(unit))
        if unit.act != "":
            return
        if unit.speed > 0:
            yield from (f"{name} go {direction}" for direction in self._steps(unit))
            if unit.vehicle:
                yield from (f"{name} face {direction}" for direction in DIRECTIONS if direction != unit.face)
        if unit.good_order and soldier:
            yield f"{name} rise" if unit.mark == "dirt" else f"{name} dirt"
        if unit.good_order and unit.vehicle and unit.mark != "hull" and self.map[unit.here].cover is not None:
            yield f"{name} hull"
        if self._may_watch(unit):
            yield f"{name} watch"

    def _may_watch(self, unit: Unit) -> bool:
        """Section 5, watch; F-32: two units for each full hundred of points of the army as it began."""
        watching = sum(one.watch is not None for one in self._army(unit.side))
        # Ours: with a last range column of 0 there would be no hex to aim at.
        able = "Mortar" not in unit.card["name"] and max(unit.card["range"], default=0) > 0
        return able and unit.good_order and unit.watch is None and watching < 2 * self.costs[unit.side] // 100

    def _aims(self, unit: Unit) -> Iterator[Hex]:
        """Section 5, watch: hexes in sight at distance 1 to 12, or to the last range column."""
        farthest = min(12, unit.card["range"][-1])
        return (at for at in self.map if 1 <= distance(unit.here, at) <= farthest and self._sees(unit.here, at))

    def _targets(self, unit: Unit) -> Iterator[Unit]:
        """Section 7: enemies that it may attack; F-37: but not those with three counters."""
        enemies = self._army(_other(unit.side))
        return (target for target in enemies if target.down < 3 and self._could_attack(unit, target))

    def _barrages(self, unit: Unit) -> Iterator[Hex]:
        """Section 7, Barrage: hexes that it may fire at."""
        if not any("Indirect Fire" in ability for ability in unit.card.get("abilities", ())):
            return
        enemies = [enemy for enemy in self._army(_other(unit.side)) if enemy.down < 3]
        # F-33: another own unit in good order that didn't move this phase.
        spotters = [one for one in self._army(unit.side) if one is not unit and one.good_order and one.act != "moved"]
        for at in {enemy.here for enemy in enemies}:
            away = distance(unit.here, at)
            if away < 1 or not any(enemy.here == at and unit.dice(away, enemy) for enemy in enemies):
                continue
            if self._fires_at(unit, at) and any(self._sees(one.here, at) for one in spotters):
                yield at

    # Movement

    def _price(self, unit: Unit, to: Hex) -> tuple[int, bool]:
        """Section 6: what the next step of a move costs, be it the first, and whether it follows a road."""
        terrain, moving = self.map[to], self.moving
        if not unit.vehicle:
            return terrain.soldier, False
        if self.map[unit.here].road and terrain.road:  # F-26
            return (1 if moving is not None and moving.road else 0), True
        # F-27: minimum movement is for the first step of a vehicle with Speed 1 now, in the Movement phase.
        least = self.phase == "movement" and moving is None and unit.speed == 1
        return (1 if least else terrain.vehicle), False

    def _steps(self, unit: Unit) -> list[str]:
        """Section 6: directions of the next steps that can be paid with the points left."""
        points = unit.speed if self.moving is None else self.moving.points
        ways = [(direction, step(unit.here, direction)) for direction in DIRECTIONS]
        ways = [(direction, to) for direction, to in ways if to in self.map and self.map[to].enterable]
        return [direction for direction, to in ways if self._price(unit, to)[0] <= points]

    def _stops(self, unit: Unit) -> list[str]:
        """Section 6: how the move may end here; only where there is room."""
        if not self._room(unit, unit.here):
            return []
        return [f"{unit.name} stop {direction}" for direction in DIRECTIONS] if unit.vehicle else [f"{unit.name} stop"]

    def _go(self, unit: Unit, direction: str) -> None:
        """Section 6: take a step, the first one or another."""
        to = step(unit.here, direction)
        price, follows = self._price(unit, to)
        moving = self.moving = self.moving or Moving(unit, unit.speed, [unit.here])
        self._stir(unit)
        if unit.vehicle:
            unit.face = direction
            need = 0 if follows else self.map[to].roll
            if need and self.roll(6) < need:
                self._end_move()
                return
        moving.points -= price
        moving.road = moving.road or follows
        self.fire, unit.at = unit.here, to
        moving.path.append(to)
        self._go_on()

    def _stir(self, unit: Unit) -> None:
        """Section 5: a unit that moves, turns or stands up loses its Mark and its Overwatch."""
        unit.act, unit.mark, unit.watch = "moved", "", None

    def _go_on(self) -> None:
        """Section 6, after the step: Defensive Fire while there are shooters, then the end if no step is left."""
        assert self.moving is not None
        unit = self.moving.unit
        if self.fire is not None and self._shooters():
            return
        self.fire = None
        if not self._steps(unit) and not (unit.vehicle and self._room(unit, unit.here)):
            self._end_move()

    def _end_move(self) -> None:
        """Section 6, Stacking: where there is no room the unit goes back to the last hex with some, or its first."""
        assert self.moving is not None
        unit, path = self.moving.unit, self.moving.path
        while len(path) > 1 and not self._room(unit, path[-1]):
            path.pop()
        unit.at = path[-1]
        self.moving = self.fire = None

    # Defensive Fire

    def _shooters(self) -> list[Unit]:
        """Section 8: who may fire at the step just made."""
        assert self.moving is not None
        assert self.fire is not None
        return [one for one in self._army(_other(self.active)) if self._may_fire(one, self.moving.unit, self.fire)]

    def _may_fire(self, one: Unit, mover: Unit, left: Hex) -> bool:
        """Section 8: tell if a unit is a shooter, be it regular or in Overwatch."""
        if one.fired or not one.good_order or (one.vehicle and not mover.vehicle):
            return False
        near = distance(one.here, left) <= 1 and distance(one.here, mover.here) <= 1  # F-28
        if one.mark == "dirt":
            near = near and one.here in (left, mover.here)
        regular = near and one.mark != "hull"
        if not regular and not (one.watch is not None and self._in_arc(one, mover.here)):
            return False
        return self._could_attack(one, mover)

    def _defensive_fire(self, one: Unit) -> None:
        """Section 8: fire at the unit that moves, which stops if it is hit."""
        assert self.moving is not None
        mover = self.moving.unit
        one.fired, one.watch = True, None
        if self._strike(one, mover, -1) == 0:
            self._go_on()
            return
        if self.readings["df_counts"]:
            mover.down = max(mover.down, 1)  # F-29
        else:
            mover.stopped = True
        self._end_move()

    # Attacks

    def _thrown(self, unit: Unit, dice: int) -> list[bool]:
        """Section 7, Dice: tell of each die if it is a success, 4 or more when modified."""
        modifier = unit.card.get("die_modifier", 0)
        if unit.vehicle and (unit.pinned or unit.worse):
            modifier -= max(1, unit.worse)
        return [self.roll(6) + modifier >= 4 for _ in range(dice)]

    def _face(self, unit: Unit, target: Unit) -> str:
        """Section 7, Face: the one that is attacked; soldiers have none."""
        return "" if target.face is None else side_of(target.face, target.here, unit.here)

    def _hits(self, unit: Unit, target: Unit, thrown: list[bool]) -> tuple[int, int]:
        """Section 7: return the hits of the attack dice, and the modifier of the cover roll by the successes."""
        face, successes = self._face(unit, target), sum(thrown)
        defense, disintegration = target.defends(face, self.readings["min_defense"])
        modifier = -(successes > defense) - (successes >= disintegration)
        if successes < defense:
            hits = 0
        elif successes == defense and self.readings["dis_equals_def"] == "one_hit":
            hits = 1
        elif successes >= disintegration:
            hits = 3
        else:
            hits = 1 if successes == defense else 2
        return hits, modifier

    def _covered(self, unit: Unit, target: Unit, modifier: int) -> bool:
        """Section 7, Cover: tell if a target passes its roll; terrain and Mark count always."""
        terrain = self.map[target.here].cover
        number = target.card.get("cover")
        if terrain is None or number is None:
            return False
        modifier += terrain + (target.mark == "dirt")
        modifier += target.mark == "hull" and self._face(unit, target) == "front"
        die = self.roll(6)
        return bool(die > 1 and die + modifier >= number)

    def _strike(self, unit: Unit, target: Unit, modifier: int) -> int:
        """Section 7: attack dice, then the cover die; return the hits. The modifier is -1 for Defensive Fire."""
        thrown = self._thrown(unit, unit.dice(distance(unit.here, target.here), target))
        hits, more = self._hits(unit, target, thrown)
        exempt = self.readings["cover_one_hit_exempt"] and not (modifier and self.readings["df_always_cover"])
        if hits == 0 or (hits == 1 and target.down == 0 and exempt):
            return hits
        if self._covered(unit, target, modifier + more - (unit.here == target.here)):
            return 0 if modifier or target.down else 1
        return hits

    def _barrage(self, unit: Unit, at: Hex) -> None:
        """Section 7, Barrage: each unit in the hex makes its Cover Roll, then each that failed is attacked.

        With one roll for all of them (F-15), as many dice fall as are thrown at one of them; others meet the first.
        """
        self._has_fired(unit)
        open_to_it = [target for target in self._on(at) if not self._covered(unit, target, 0)]
        dice = [unit.dice(distance(unit.here, at), target) for target in open_to_it]
        shared = self._thrown(unit, max(dice, default=0)) if self.readings["indirect_shared_roll"] else None
        for target, count in zip(open_to_it, dice, strict=True):
            if count == 0:
                continue  # no attack at all, whatever counters have made of its Defense (F-3)
            thrown = self._thrown(unit, count) if shared is None else shared[:count]
            target.down = min(3, target.down + self._hits(unit, target, thrown)[0])

    def _has_fired(self, unit: Unit) -> None:
        """Section 5, attack: it has fired, and its Overwatch is lost."""
        unit.act, unit.watch = "fired", None
        unit.shots += 1

    # Actions

    def do(self, text: str) -> None:
        """Take an action; `ValueError` if it isn't legal."""
        if text not in self.legal():
            raise ValueError(text)
        words = text.split()
        unit = self.units.get(words[0])
        if unit is None:
            self._decide(text)
            return
        verb, what = words[1], words[-1]
        if verb == "at":
            unit.at = hex_of(what)
            if unit.vehicle:
                unit.face = "E" if self.ends[unit.side] == "west" else "W"
            self._after_placing()
        elif verb == "go":
            self._go(unit, what)
        elif verb == "stop":
            unit.face = what if unit.vehicle else None
            self.moving = None
        elif verb == "face":
            unit.face = what
            self._stir(unit)
        elif verb in ("dirt", "hull"):
            unit.act, unit.mark = "done", verb
        elif verb == "rise":  # F-30
            self._stir(unit)
        elif verb == "watch":
            unit.act, self.aiming = "done", unit
        elif verb == "aim":
            unit.watch, self.aiming = hex_of(what), None
        elif verb == "unwatch":
            unit.watch = None
        elif verb == "attack":
            target = self.units[what]
            self._has_fired(unit)
            target.down = min(3, target.down + self._strike(unit, target, 0))
        elif verb == "barrage":
            self._barrage(unit, hex_of(what))
        else:
            self._defensive_fire(unit)

    def _decide(self, text: str) -> None:
        """Take an action that no unit does (section 4)."""
        if text == "pass":
            self.fire = None
            self._go_on()
        elif text == "start" and self.placed:
            self._begin_turn()
        elif text == "start":
            self._roll_for_deployment()
        elif text in ("east", "west"):
            assert self.active is not None
            self.ends = {self.active: text, _other(self.active): "west" if text == "east" else "east"}
            self.phase, self.deploying = "deploy", [self.active, _other(self.active)]
            self._after_placing()
        elif text == "end":
            self._end_phase()
        else:
            self.active = self.active if text == "first" else _other(self.active)
            if self.phase == "choice":
                self.phase = "end"
            else:
                self.first = self.active
                self._begin_phase("movement")

    def _roll_for_deployment(self) -> None:
        """Section 4.1: one die each, again while equal; the higher side decides."""
        a, b = self.roll(6), self.roll(6)
        while a == b:
            a, b = self.roll(6), self.roll(6)
        self.phase, self.active = "choice", "a" if a > b else "b"

    def _after_placing(self) -> None:
        """Section 4.1: the next unit is placed; after the last one turn 1 begins."""
        unit = self._to_place()
        if unit is None:
            self._begin_turn()
        else:
            self.active = unit.side

    def _begin_turn(self) -> None:
        """Section 4.2: initiative."""
        self.turn += 1
        self._clear()
        bonus = {"a": 0, "b": 0}
        for unit in self._army("a") + self._army("b"):
            if unit.commander and unit.good_order:
                bonus[unit.side] = max(bonus[unit.side], unit.card.get("initiative", 0))
        a = b = (0, 0)
        while a == b:  # F-1: the total, then the bonus
            a, b = ((self.roll(6) + self.roll(6) + bonus[side], bonus[side]) for side in "ab")
        self.phase, self.active = "order", "a" if a > b else "b"

    def _clear(self) -> None:
        """Section 4: what units did is forgotten at the start of a phase, and of the next turn."""
        for unit in self.units.values():
            unit.act, unit.shots, unit.fired = "", 0, False

    def _begin_phase(self, phase: str) -> None:
        """Section 4.3 and 4.4: the first player begins."""
        self.phase, self.active = phase, self.first
        self._clear()

    def _end_phase(self) -> None:
        """Section 4.3 and 4.4: first player, second player, next phase."""
        if self.active == self.first:
            self.active = _other(self.active)
        elif self.phase == "movement":
            self._begin_phase("assault")
        else:
            self._casualty()
            self._end_turn()

    def _casualty(self) -> None:
        """Section 4.5, in its order (F-36)."""
        units = [unit for unit in self.units.values() if unit.at is not None]
        for unit in units:
            unit.pinned = False
        shaken = [unit for unit in units if not unit.vehicle and unit.worse]
        cheered = [unit for unit in shaken if any(self._cheers(one, unit) for one in self._army(unit.side))]
        for unit in shaken:
            unit.worse, unit.pinned = 0, unit not in cheered
        for unit in units:
            down = max(unit.down, unit.stopped)
            unit.down, unit.stopped = 0, False
            unit.pinned = unit.pinned or down > 0  # F-4
            if down == 2 and unit.worse:  # F-5
                down = 3 if self.readings["second_damaged"] == "destroyed" else down
                unit.worse += self.readings["second_damaged"] == "cumulative" and unit.worse < 3
            elif down == 2:
                unit.worse = 1
            if down == 3:
                self.destroyed[unit.side] += unit.cost
                unit.at, unit.face, unit.watch, unit.mark = None, None, None, ""
                unit.pinned, unit.worse = False, 0
            if unit.mark == "dirt" and not unit.good_order:
                unit.mark = ""
            if unit.watch is not None and not unit.good_order:
                unit.watch = None

    def _cheers(self, one: Unit, unit: Unit) -> bool:
        """Section 4.5b: another own soldier Commander within 1, neither Demoralized nor with face-down counters."""
        fit = one is not unit and not one.vehicle and one.commander and not one.worse and one.down + one.stopped == 0
        return fit and distance(one.here, unit.here) <= 1

    def _end_turn(self) -> None:
        """Section 9, then the next turn."""
        armies = {side: bool(self._army(side)) for side in "ab"}
        zone = {side: bool(self._in_zone(side)) for side in "ab"}
        if all(armies.values()) and self.turn >= self.first_check and zone["a"] != zone["b"]:
            self._over("a" if zone["a"] else "b", "objective")
        elif armies["a"] != armies["b"]:
            self._over("a" if armies["a"] else "b", "eliminated")  # F-39
        elif self.turn == self.last_turn or not any(armies.values()):
            self._tie_break()
        else:
            self._begin_turn()

    def _tie_break(self) -> None:
        """Section 9: zone points, points destroyed, points left, draw (F-40)."""
        points, zone = self._points()
        destroyed = {side: self.destroyed[_other(side)] for side in "ab"}
        for reason, by in (("zone points", zone), ("points destroyed", destroyed), ("points left", points)):
            if by["a"] != by["b"]:
                self._over("a" if by["a"] > by["b"] else "b", reason)
                return
        self._over(None, "draw")

    def _over(self, winner: str | None, reason: str) -> None:
        """End the match."""
        self.phase, self.active, self.winner, self.reason = "over", None, winner, reason


def _other(side: str | None) -> str:
    """Return the other side."""
    return "b" if side == "a" else "a"


def _cost(units: list[Unit]) -> Fraction:
    """Return the points of some units."""
    return sum((unit.cost for unit in units), Fraction(0))


def _number(points: Fraction) -> float:
    """Write points as a whole number if they are one."""
    return int(points) if points.denominator == 1 else float(points)


def _words(unit: Unit) -> dict[str, Any]:
    """Return a unit as the transcripts write it (section 3)."""
    return {
        "card": unit.id,
        "at": unit.at and named(unit.at),
        "face": unit.face,
        "down": unit.down,
        "pinned": unit.pinned,
        "worse": bool(unit.worse),
        "mark": unit.mark,
        "watch": unit.watch and named(unit.watch),
        "act": unit.act,
        "shots": unit.shots,
        "fired": unit.fired,
    }


# Set-ups that reach much

ROSTER = sorted(path for path in BOARDS.parent.glob("*.toml") if path.stem != "obstacles")
UNREAD = "nation", "year", "note", "antiair"
"""Fields of a card that no rule of a match reads."""


@cache
def roster() -> dict[str, dict[str, Any]]:
    """Return the soldiers and vehicles of the project's card files, as a set-up has them."""
    cards = {name: card for path in ROSTER for name, card in tomllib.loads(path.read_text("utf-8")).items()}
    return {
        name: {field: value for field, value in card.items() if field not in UNREAD}
        for name, card in sorted(cards.items())
        if card["kind"] in ("soldier", "vehicle")
    }


def random_card(draw: random.Random, kind: str, brawl: bool) -> dict[str, Any]:
    """Draw a card of a soldier or vehicle, odder than printed ones, or one for a brawl, that is seldom out of range."""
    columns = draw.choice([[], [1], [2, 6], [0, 1, 4], [1, 4, 8], [1, 4, 16], [0, 2, 3, 14]])
    columns = draw.choice([[1, 4], [0, 3], [2, 16]]) if brawl else columns
    least, most = (2, 9) if brawl else (0, draw.choice([4, 9, 14]))
    commands = draw.random() < 0.3
    types = ("Commander", "Para Commander") if commands else ("Infantry", "Tank", "Artillery")
    card: dict[str, Any] = {
        "kind": kind,
        "type": f"{kind.capitalize()}-{draw.choice(types)}",
        "name": draw.choice(["Drawn gun", "Drawn team", "Drawn mortar", "Drawn 81mm Mortar"]),
        "cost": draw.choice([draw.randint(1, 9), draw.randint(10, 60), draw.randint(1, 400) / 10]) + 20 * brawl,
        "speed": draw.choice([0, 1, 1, 1, 2, 3, 5]),
        "range": columns,
        "antisoldier": [draw.choice([0, draw.randint(least, most), draw.randint(least, most)]) for _ in columns],
        "antivehicle": [draw.choice([0, draw.randint(least, most), draw.randint(least, most)]) for _ in columns],
        "die_modifier": draw.choice([-1, 0, 0, 1]),
        "attacks": draw.choice([1, 1, 2, 3]),
        "abilities": draw.sample(
            ["No Turret", "Fixed Howitzer", "Improved Indirect Fire", "Indirect Fire", "Robust"], 2
        ),
    }
    if draw.random() < 0.8:
        card["cover"] = draw.choice([2, 2, 3, 4, 5, 7])
    if commands or draw.random() < 0.1:
        card["initiative"] = draw.randint(0, 3)
    if kind == "soldier":
        card["defense"] = draw.randint(1, 4)
        card["disintegration"] = card["defense"] + draw.randint(0, 3)
    else:
        card["armor"] = {face: draw.randint(1, 5) for face in ("front", "side", "rear", "top")}
        card["vital"] = {face: armor + draw.randint(0, 3) for face, armor in card["armor"].items()}
    return card


def random_board(draw: random.Random, brawl: bool) -> dict[str, Any]:
    """Draw a small board, often with rows of different length, or a smaller one for a brawl, most of it cover."""
    letters = draw.choice(["......==wwhtb~", "..=t", "..whtb", ".....wh~", "....wh====", "=t", "."])
    letters = draw.choice(["tb", "tbbh.", "=t=bh~", "bw"]) if brawl else letters
    longest = draw.randint(3, 6 if brawl else 13)
    ragged = draw.choice([0, 0, 2])
    rows = [longest - draw.randint(0, min(ragged, longest - 1)) for _ in range(draw.randint(2, 5 if brawl else 8))]
    row = draw.randrange(len(rows))
    return {
        "objective": f"{draw.randrange(rows[row])},{row}",
        "deploy": draw.randint(1, 3),
        "turns": _turns(draw),
        "map": "\n".join(" " * (r % 2) + " ".join(draw.choices(letters, k=row)) for r, row in enumerate(rows)),
    }


def _turns(draw: random.Random) -> list[int]:
    """Draw the first check of the objective, and the last turn."""
    check = draw.randint(1, 3)
    return [check, check + draw.randint(0, 2)]


def _placed(draw: random.Random, match: Match, close: bool) -> dict[str, list[str]]:
    """Place the units of a match at random, with counters, where there is room: all over the board, or close."""
    centre = draw.choice([at for at, terrain in match.map.items() if terrain.enterable])
    places: dict[str, list[str]] = {"a": [], "b": []}
    for unit in match.units.values():
        fit = [at for at, terrain in match.map.items() if terrain.enterable and match._room(unit, at)]
        near = [at for at in fit if distance(at, centre) <= 2]
        unit.at = draw.choice(near if close and near else fit)
        flags = [flag for flag in ("pinned", "worse") if draw.random() < 0.2]
        unit.pinned, unit.worse = "pinned" in flags, int("worse" in flags)
        if unit.good_order and not unit.vehicle and draw.random() < 0.15:
            flags.append("dirt")
        if unit.good_order and unit.vehicle and match.map[unit.at].cover is not None and draw.random() < 0.6:
            flags.append("hull")
        if match._may_watch(unit) and draw.random() < 0.3:
            aims = sorted(match._aims(unit))
            if aims:
                unit.watch = draw.choice(aims)
                flags.append(f"watch={named(unit.watch)}")
        facing = [draw.choice(list(DIRECTIONS))] if unit.vehicle else []
        places[unit.side].append(" ".join([named(unit.at), *facing, *flags]))
    return places


def random_setup(draw: random.Random) -> dict[str, Any]:
    """Draw a set-up: a shipped board, an odd one, or a brawl; printed cards or odd ones; placed or deployed."""
    brawl = draw.random() < 0.4
    shipped = not brawl and draw.random() < 0.3
    setup: dict[str, Any] = {"board": draw.choice(sorted(path.stem for path in BOARDS.glob("*.toml")))}
    pool = {} if brawl else dict(draw.sample(sorted(roster().items()), 12))
    for n in range(6 if brawl else draw.choice([0, 6, 12])):
        pool[f"drawn_{n}"] = random_card(draw, draw.choice(["soldier", "soldier", "vehicle"]), brawl)
    largest = draw.choice([1, 3, 6, 6, 9])
    setup["lists"] = {side: draw.choices(sorted(pool), k=draw.randint(1, largest)) for side in "ab"}
    setup["cards"] = {name: pool[name] for name in sorted({*setup["lists"]["a"], *setup["lists"]["b"]})}
    if shipped or draw.random() < 0.2:
        setup["turns"] = _turns(draw)
    if draw.random() < 0.15:
        choices: dict[str, list[Any]] = {"dis_equals_def": ["one_hit"], "min_defense": [0], "df_counts": [False]}
        choices |= {"second_damaged": ["cumulative", "destroyed"], "cover_one_hit_exempt": [False]}
        choices |= {"df_always_cover": [True], "indirect_shared_roll": [True]}
        setup["options"] = {name: draw.choice(values) for name, values in choices.items() if draw.random() < 0.4}
    placed = draw.random() < 0.75
    while True:
        if not shipped:
            setup["board"] = random_board(draw, brawl)
        match = Match(setup, lambda sides: 1)
        hexes = sum(terrain.enterable for terrain in match.map.values())
        if placed and hexes >= largest:
            setup["placed"] = _placed(draw, match, brawl or draw.random() < 0.6)
            return setup
        # Whatever the players do, there is a hex without a unit for each that is still to be placed.
        if not placed and all(len(match.zone(end)) >= largest for end in ("east", "west")):
            return setup
