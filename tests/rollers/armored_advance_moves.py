"""How units of Armored Advance drive in a literal battle: two lines that face each other on a board, and postures.

Every unit is so many inches `ahead` of its side's starting line, or behind it if that is negative, so a pair's distance
is what both have left of the distance between the lines. Nothing here throws a die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any, NamedTuple

from rollers.armored_advance import driven
from rollers.armored_advance_table import Table

BOARD = 48
FAR = 1000
OBJECTIVES, OCCUPIED_IN = 5, 1
"""p. 23: an odd number, 3 + 2 in its example; p. 17: as near as a squad has to be to a gun."""
IN_TURN = (2, 1, 0, 3, 4)
"""The objectives to which the squads of a list go, counted from their own line: the middle one first."""
DECIMALS = 6
"""Inches are rounded to this, so that a sum of decimals is no farther than what it stands for."""

Stretches = Mapping[int, Sequence[tuple[int, float, float]]]
"""Of each unit, by its place in the list, the enemies in its order of preference: place, and from where to where."""


class Posture(NamedTuple):
    """What a side's units do before they fire: ``hold``, ``close:X``, ``best_range`` or ``objectives``."""

    name: str
    inches: float = 0
    stretches: Stretches | None = None


def posture(text: str, stretches: Stretches | None = None) -> Posture:
    name, _, inches = text.partition(":")
    if (name, bool(inches)) not in (("hold", False), ("close", True), ("best_range", False), ("objectives", False)):
        raise NotImplementedError(
            f"posture: found {text!r}, this roller can play hold, close:X, best_range, objectives"
        )
    if (name == "best_range") != (stretches is not None):
        raise NotImplementedError(
            f"stretches: found {stretches!r}, expected those of best_range, and of no other posture"
        )
    return Posture(name, float(inches or 0), stretches)


def reach(card: Table) -> float:
    """p. 4: how far one action takes a unit, and the 2 inches that a light vehicle has free; a field gun stays."""
    if card["class"] == "field_gun" or not card["movement"]:
        return 0
    return driven(card, 1) + (2 if card["class"] == "vehicle" and card["weight"] == "light" else 0)


class Board:
    """How far apart the lines start, and how much room there is."""

    def __init__(self, range_in: float) -> None:
        self.range_in = range_in
        self.depth = max(range_in, BOARD)
        self.behind = (self.depth - range_in) / 2
        self._met: dict[Any, list[int]] = {}

    def distance(self, unit: Any, enemy: Any) -> float:
        return round(self.range_in - unit.ahead - enemy.ahead, DECIMALS)

    def step(self, unit: Any, at: int, own: Posture, foes: Sequence[Any], riders: Sequence[tuple[Any, int]]) -> float:
        """How far the unit at this place of its list goes ahead, or back if negative, if it may spend an action.

        With riders, who come with their own places in the list, it goes for the one that has the least far to go.
        """
        far = self.wants(unit, at, own, foes)
        if riders:
            far = min((self.wants(*rider, own, foes) for rider in riders), key=abs)
        if far < 0:
            backwards = unit.reach / 2 if "slow_reverse" in unit.keywords else unit.reach
            return -min(backwards, -far, unit.ahead + self.behind)
        room = min((self.distance(unit, foe) for foe in foes if foe.left > 0 and not foe.inside), default=FAR)
        return max(min(unit.reach, far, room), 0)

    def wants(self, unit: Any, at: int, own: Posture, foes: Sequence[Any]) -> float:
        """How far it would like to go ahead, or back if negative, from where it is."""
        seen = [foe for foe in foes if foe.left > 0 and not foe.inside]
        if own.name == "objectives":
            return 0 if unit.goal_in is None else max(unit.goal_in - unit.ahead, 0)
        if own.name == "hold" or not seen:
            return 0
        if own.name == "close":
            return max(min(self.distance(unit, foe) for foe in seen) - own.inches, 0)
        order = (own.stretches or {})[at]
        wanted = next(((foes[foe], lo, hi) for foe, lo, hi in order if foes[foe] in seen), None)
        if wanted is None:
            return 0
        enemy, lo, hi = wanted
        away = self.distance(unit, enemy)
        return away - hi if away > hi else min(away - lo, 0)

    def goals(self) -> list[float]:
        """How far the objectives are from a side's own line, in the order in which its squads go to them."""
        return [self.range_in * at / (OBJECTIVES - 1) for at in IN_TURN]

    def lead(self, mine: Sequence[Any], theirs: Sequence[Any]) -> int:
        """p. 17: the objectives on which one side has more men, less those on which the other has."""
        lead = 0
        for place in self.goals():
            men = sum(
                one.left for one in mine if one.infantry and abs(one.ahead - place) <= OCCUPIED_IN and one.left > 0
            )
            others = [one for one in theirs if one.infantry and one.left > 0]
            more = sum(one.left for one in others if abs(self.range_in - one.ahead - place) <= OCCUPIED_IN)
            lead += (men > more) - (men < more)
        return lead

    def may_be(self, unit: Any, enemy: Any) -> Sequence[float]:
        """The distances at which two may still meet, as far as anybody asks before the end of a battle."""
        if not unit.drives and not enemy.drives:
            return [self.distance(unit, enemy)]
        key = unit.drives and unit.posture[:2], enemy.drives and enemy.posture[:2]
        if key not in self._met:
            self._met[key] = self._of_whole_inches([one for one in key if one])
        return self._met[key] or [self.distance(unit, enemy)]

    def _of_whole_inches(self, postures: Sequence[tuple[str, float]]) -> list[int]:
        """Where these may bring a pair, by whole inches."""
        found: set[int] = set()
        for name, inches in postures:
            nearest, farthest = (inches, self.range_in) if name == "close" else (0, self.depth)
            found.update(range(ceil(nearest), floor(farthest) + 1))
        return sorted(found)
