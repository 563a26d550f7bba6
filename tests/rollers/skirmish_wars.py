"""Skirmish Wars played with a real die: a witness that shares no code with the package.

Units are the tables of a card file, a situation is a dict of the fields that it needs. Each hit takes a hit point off a
counter, one after another, and the counter is flipped as the rulebook says. Nothing here works out a probability.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from rollers.readings import Promise, Readings, agreed

Table = Mapping[str, Any]

READINGS: Readings = {"unreduce_on_repair": (True, False)}

PROMISES = (
    Promise("attacker", "firepower.foot", (0, 5, 7, 10)),
    Promise("attacker", "firepower.tread", (0, 5, 8, 12)),
    Promise("target", "defense", (9, 6, 4, 1)),
    Promise("situation", "terrain", ("hill_hq", "city", "forest", "grass", "road_river")),
    Promise("situation", "own_hp", (1, 4, 5, 8)),
)

# The chart once more, as a player has it on the table: hill and HQ, city, forest, grass, road and river.
COLUMNS = ("hill_hq", "city", "forest", "grass", "road_river")
CHART = {
    -3: ("0 0", "0 0", "0 0", "0 0", "0 1"),
    -2: ("0 0", "0 0", "0 1", "0 1", "0 2"),
    -1: ("0 1", "0 1", "0 2", "0 2", "0 3"),
    0: ("0 1", "0 2", "0 3", "0 4", "0 5"),
    1: ("0 5", "1 1", "1 1", "1 2", "1 3"),
    2: ("1 3", "1 5", "2 1", "2 2", "2 3"),
    3: ("2 1", "2 3", "2 5", "3 1", "3 3"),
    4: ("2 4", "3 1", "3 4", "4 1", "4 3"),
    5: ("3 2", "3 5", "4 2", "4 5", "5 3"),
    6: ("3 5", "4 3", "5 1", "5 5", "6 3"),
    7: ("4 3", "5 1", "6 1", "6 5", "7 3"),
    8: ("5 1", "5 5", "6 5", "7 4", "8 0"),
    9: ("5 4", "6 4", "7 4", "8 0", "8 0"),
    10: ("6 2", "7 2", "8 0", "8 0", "8 0"),
    11: ("6 5", "8 0", "8 0", "8 0", "8 0"),
    12: ("7 3", "8 0", "8 0", "8 0", "8 0"),
    13: ("8 0", "8 0", "8 0", "8 0", "8 0"),
}


class Counter:
    """A unit's counter on the board: which side is up, which edge faces its player."""

    def __init__(self, card: Table, terrain: str, hp: int, repaired: bool, rules: Table) -> None:
        self.card = card
        self.terrain = terrain
        self.hp = hp
        self.reduced_side_up = hp <= 4
        if repaired and not rules["unreduce_on_repair"]:
            self.reduced_side_up = True

    def look_up(self, target: Counter, squares: float) -> tuple[int, int]:
        """The hit total and the number on the die for a strike at `target`."""
        lowest, highest = self.card["range"]["min"], self.card["range"]["max"]
        if highest < 1 or squares < lowest or squares > highest:
            return 0, 0
        numbers = self.card["reduced"] if self.reduced_side_up else self.card["firepower"]
        damage = numbers.get(target.card["symbol"], 0) - target.card["defense"]
        if damage < -3:
            return 0, 0
        cell = CHART[min(damage, 13)][COLUMNS.index(target.terrain)]
        total, _, die = cell.partition(" ")
        return int(total), int(die)

    def strike(self, rng: Random, target: Counter, squares: float) -> int:
        """Throw the die; the hits."""
        total, die = self.look_up(target, squares)
        if 1 + int(6 * rng.random()) <= die:
            total += 1
        return total

    def suffer(self, hits: int) -> None:
        """Turn the counter a point at a time, and over."""
        for _ in range(hits):
            if self.hp > 0:
                self.hp -= 1
            if self.hp == 4:
                self.reduced_side_up = True


def counters(attacker: Table, target: Table, situation: Table, variant: Table) -> tuple[Counter, Counter]:
    rules = agreed(variant, READINGS)
    mine = Counter(
        attacker,
        situation.get("own_terrain", "grass"),
        situation.get("own_hp", 8),
        situation.get("own_repaired", False),
        rules,
    )
    theirs = Counter(
        target,
        situation.get("terrain", "grass"),
        situation.get("target_hp", 8),
        situation.get("target_repaired", False),
        rules,
    )
    return mine, theirs


def throw_attack(rng: Random, attacker: Table, target: Table, situation: Table, variant: Table) -> int:
    """One strike; the hits."""
    mine, theirs = counters(attacker, target, situation, variant)
    return mine.strike(rng, theirs, situation["range_in"])


def throw_duel(rng: Random, a: Table, b: Table, situation: Table, variant: Table, first: str) -> str | None:
    """Strike and strike back in turn until one is gone, "a" or "b" is left; None if neither can hurt the other."""
    sides = dict(zip("ab", counters(a, b, situation, variant), strict=True))
    squares = situation["range_in"]
    active, other = first, "b" if first == "a" else "a"
    while True:
        mine, theirs = sides[active], sides[other]
        if mine.look_up(theirs, squares) == (0, 0) == theirs.look_up(mine, squares):
            return None
        if mine.look_up(theirs, squares) != (0, 0):  # else it doesn't attack, and there is no answer
            theirs.suffer(mine.strike(rng, theirs, squares))
            if theirs.hp == 0:
                return active
            mine.suffer(theirs.strike(rng, mine, squares))
            if mine.hp == 0:
                return other
        active, other = other, active
