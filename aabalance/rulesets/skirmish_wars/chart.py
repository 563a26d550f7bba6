"""The Terrain Defense Modifiers chart (3.4a), which the rulebook prints as a picture.

It is data: ``unitdb/skirmish_wars/terrain_chart.csv``, from two published programs of the game that agree with each
other and with the rulebook's example battle. A cell ``4+3`` is a hit total of 4 and a die that shows 3.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.files import data_folder
from aabalance.rulesets.skirmish_wars.health import HIT_POINTS

Terrain = Literal["hill_hq", "city", "forest", "grass", "road_river"]
Ground = Literal["grass", "road", "forest", "river", "hill", "city", "factory", "hq"]

FILE = "skirmish_wars/terrain_chart.csv"
D6 = 6
COLUMNS: dict[Ground, Terrain] = {
    "grass": "grass",
    "road": "road_river",
    "forest": "forest",
    "river": "road_river",
    "hill": "hill_hq",
    "city": "city",
    "factory": "city",
    "hq": "hill_hq",
}


def column(ground: Ground) -> Terrain:
    """Return the column of the chart for a square (3.4a); a factory's is not known, and read as a city's [S-1]."""
    return COLUMNS[ground]


class Cell(NamedTuple):
    """A cell of the chart.

    Attributes
    ----------
    hits : int
        Hits for certain.
    die : int
        One more hit on a D6 that shows this or less; 0: never.
    """

    hits: int
    die: int


NOTHING = Cell(0, 0)
EVERYTHING = Cell(HIT_POINTS, 0)


@cache
def chart() -> dict[int, dict[str, Cell]]:
    """Return the chart by initial damage and terrain."""
    with (data_folder("unitdb") / FILE).open(encoding="utf-8", newline="") as file:
        return {
            int(row.pop("initial_damage")): {terrain: Cell(*map(int, text.split("+"))) for terrain, text in row.items()}
            for row in csv.DictReader(file)
        }


def cell(initial_damage: int, terrain: str) -> Cell:
    """Return the cell of an initial damage and the target's terrain; beyond the last rows, no hits or all."""
    rows = chart()
    if initial_damage in rows:
        return rows[initial_damage][terrain]
    return NOTHING if initial_damage < min(rows) else EVERYTHING


@cache
def hits(cell: Cell) -> Pmf:
    """Return the distribution of the hits that a cell gives [S-9: the die's number out of six]."""
    extra = dice.bernoulli(Fraction(cell.die, D6), dice.constant(1))
    return dice.convolve(dice.constant(cell.hits), extra)
