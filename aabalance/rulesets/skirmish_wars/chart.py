"""The Terrain Defense Modifiers chart (3.4a), which the rulebook prints as a picture.

It is data: ``unitdb/skirmish_wars/terrain_chart.csv``, from two published programs of the game that agree with each
other and with the rulebook's example battle. A cell ``4+3`` is a hit total of 4 and a die that shows 3.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import CardError, Fault
from aabalance.files import data_folder
from aabalance.rulesets.skirmish_wars.health import HIT_POINTS

Terrain = Literal["hill_hq", "city", "forest", "grass", "road_river"]
Ground = Literal["grass", "road", "forest", "river", "hill", "city", "factory", "hq"]

FILE = "skirmish_wars/terrain_chart.csv"
D6 = 6
DAMAGE = "initial_damage"
DAMAGES = {str(damage): damage for damage in range(-3, 14)}
TERRAINS: tuple[Terrain, ...] = get_args(Terrain)
CELL = re.compile(rf"([0-{HIT_POINTS}])\+([0-{D6}])")
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


Chart = Mapping[int, Mapping[str, Cell]]
"""Cells by initial damage and terrain."""


def read(path: Path) -> Chart:
    """Return the chart in a file.

    Raises
    ------
    CardError
        Columns that are not the chart's, or else rows and cells that it can't have or lacks: all with their lines.
    """
    found: dict[int, dict[str, Cell]] = {}
    top = f"{path}:1"
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, restkey="", restval="")
        if faults := [Fault(top, message) for message in _misfits(rows.fieldnames or (), (DAMAGE, *TERRAINS))]:
            raise CardError(faults)
        for row in rows:
            place, damage = f"{path}:{rows.line_num}", row[DAMAGE]
            if "" in row:
                faults.append(Fault(place, "found more cells than columns"))
            if damage not in DAMAGES or DAMAGES[damage] in found:
                faults.append(Fault(place, f"{DAMAGE}: found {damage!r}, expected each of -3 to 13 once"))
                continue
            cells = found[DAMAGES[damage]] = {}
            for terrain in TERRAINS:
                if match := CELL.fullmatch(row[terrain]):
                    cells[terrain] = Cell(int(match[1]), int(match[2]))
                else:
                    said = f"{terrain}: found {row[terrain]!r}, expected hits 0-8 + die 0-6, as 4+3"
                    faults.append(Fault(place, said))
    faults += [Fault(top, f"{DAMAGE}: found no row of {n}") for n in DAMAGES.values() if n not in found]
    if faults:
        raise CardError(faults)
    return found


def _misfits(header: Sequence[str], names: Sequence[str]) -> list[str]:
    lacking = [f"{name}: found no such column" for name in names if name not in header]
    odd = [name for n, name in enumerate(header) if name not in names or name in header[:n]]
    return lacking + [f"{name}: found a column, expected {', '.join(names)} once each" for name in odd]


@cache
def chart() -> Chart:
    """Return the chart of the package's data."""
    return read(data_folder("unitdb") / FILE)


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
