"""A strike (3.4a): both halves of it, firepower less defense, and the Terrain Defense Modifiers chart.

The rulebook prints the chart as a picture. Here it is data, in ``unitdb/skirmish_wars/terrain_chart.csv``: taken from
two published programs of the game, which agree with each other and with the rulebook's example battle. In a cell
``4+3``, 4 is the number of certain hits, and a die that shows 3 or less gives another.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import CardError, Fault, UsageError, counted, one_of
from aabalance.files import data_folder
from aabalance.rulesets.base import Shot, Step
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS, Card, Firepower, Range
from aabalance.rulesets.skirmish_wars.situation import Moment, Terrain
from aabalance.rulesets.skirmish_wars.variant import Variant

UNARMED, DIRECT, INDIRECT = "unarmed", "direct fire", "indirect fire"
REDUCED_BELOW = 5

D6 = 6
FILE = "skirmish_wars/terrain_chart.csv"
DAMAGE = "initial_damage"
DAMAGES = {str(damage): damage for damage in range(-3, 14)}
TERRAINS: tuple[Terrain, ...] = get_args(Terrain)
CELL = re.compile(rf"([0-{HIT_POINTS}])\+([0-{D6}])")


# --- the two halves ---------------------------------------------------------------------------------------------------


class Offence(NamedTuple):
    """What a unit strikes with.

    Attributes
    ----------
    weapon : str
        `UNARMED`, `DIRECT` or `INDIRECT`.
    range : Range
        Distances at which it can fire, in squares.
    full, reduced : Firepower
        Firepower at full strength, and when reduced.
    hp : int
        Hit points that it has, in a duel at its start.
    kept_reduced : bool
        Whether the unit was reduced before, and stays so although it was repaired [S-4].
    """

    weapon: str
    range: Range
    full: Firepower
    reduced: Firepower
    hp: int
    kept_reduced: bool


class Defence(NamedTuple):
    """What decides how strikes at a unit fare: symbol, Defense, column of the terrain chart, and hit points."""

    symbol: str
    defense: int
    terrain: str
    hp: int


def fire(card: Card) -> str:
    """Return how a unit fires (3.3a): directly if its longest range is 1, indirectly if it is longer, or not at all."""
    if card.range.max == 0:
        return UNARMED
    return DIRECT if card.range.max == 1 else INDIRECT


def offence(card: Card, moment: Moment, variant: Variant) -> Offence:
    """Return the attacker's half of all strikes of a unit.

    Parameters
    ----------
    card : Card
        The attacker's.
    moment : Moment
        As the attacker sees it.
    variant : Variant
        The rule switches.
    """
    kept_reduced = moment.own_repaired and not variant.unreduce_on_repair
    return Offence(fire(card), card.range, card.firepower, card.reduced, moment.own_hp, kept_reduced)


def defence(card: Card, moment: Moment) -> Defence:
    """Return the target's half of strikes at a unit."""
    return Defence(card.symbol, card.defense, moment.terrain, moment.target_hp)


def in_range(offence: Offence, range_in: float) -> bool:
    """Return whether a target is within a unit's range, to strike or to strike back (3.4a) [S-5]."""
    return offence.weapon != UNARMED and offence.range.min <= range_in <= offence.range.max


def is_reduced(hp: int, kept_reduced: bool) -> bool:
    """Return whether a unit counts as reduced (3.4a): below 5 hit points, or if it stays so after repair [S-4]."""
    return hp < REDUCED_BELOW or kept_reduced


# --- the chart --------------------------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """A cell of the chart.

    Attributes
    ----------
    hits : int
        Number of certain hits.
    die : int
        There is one more hit if a D6 shows this number or less; with 0 there never is.
    """

    hits: int
    die: int


NOTHING = Cell(0, 0)
EVERYTHING = Cell(HIT_POINTS, 0)

Chart = Mapping[int, Mapping[str, Cell]]
"""Cells by initial damage and terrain."""


def read_chart(path: Path) -> Chart:
    """Return the chart in a file.

    Raises
    ------
    CardError
        The columns are not those of the chart, or rows and cells are wrong or missing: all faults, with their lines.
    """
    table: dict[int, dict[str, Cell]] = {}
    top = f"{path}:1"
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, restkey="", restval="")
        if faults := [Fault(top, message) for message in _misfits(rows.fieldnames or (), (DAMAGE, *TERRAINS))]:
            raise CardError(faults)
        for row in rows:
            place, damage = f"{path}:{rows.line_num}", row[DAMAGE]
            if "" in row:
                faults.append(Fault(place, "found more cells than columns"))
            if damage not in DAMAGES or DAMAGES[damage] in table:
                faults.append(Fault(place, f"{DAMAGE}: found {damage!r}, expected each of -3 to 13 once"))
                continue
            cells = table[DAMAGES[damage]] = {}
            for terrain in TERRAINS:
                if match := CELL.fullmatch(row[terrain]):
                    cells[terrain] = Cell(int(match[1]), int(match[2]))
                else:
                    message = f"{terrain}: found {row[terrain]!r}, expected hits 0-8 + die 0-6, as 4+3"
                    faults.append(Fault(place, message))
    faults += [Fault(top, f"{DAMAGE}: found no row of {n}") for n in DAMAGES.values() if n not in table]
    if faults:
        raise CardError(faults)
    return table


def _misfits(header: Sequence[str], names: Sequence[str]) -> list[str]:
    lacking = [f"{name}: found no such column" for name in names if name not in header]
    odd = [name for n, name in enumerate(header) if name not in names or name in header[:n]]
    return lacking + [f"{name}: found a column, expected {', '.join(names)} once each" for name in odd]


@cache
def chart() -> Chart:
    """Return the chart of the package's data."""
    return read_chart(data_folder("unitdb") / FILE)


def cell(initial_damage: int, terrain: str) -> Cell:
    """Return the chart's cell for an initial damage and the target's terrain.

    Below the chart's lowest damage it is `NOTHING`, above its highest `EVERYTHING`.
    """
    rows = chart()
    if initial_damage in rows:
        return rows[initial_damage][terrain]
    return NOTHING if initial_damage < min(rows) else EVERYTHING


def thrown(cell: Cell) -> tuple[int, ...]:
    """Return the hits that a cell gives, by the face of the D6 [S-9]."""
    return tuple(cell.hits + (face <= cell.die) for face in range(1, D6 + 1))


@cache
def hits(cell: Cell) -> Pmf:
    """Return the distribution of the hits that a cell gives."""
    return dice.transform(dice.die(D6), lambda face: thrown(cell)[face - 1])


# --- the strike -------------------------------------------------------------------------------------------------------


def firepower(offence: Offence, symbol: str, hp: int, steps: list[Step] | None = None) -> int:
    """Return the firepower of a unit against a symbol (3.4a).

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    symbol : str
        Symbol of the target.
    hp : int
        Hit points of the attacker.
    steps : list of Step, optional
        As for `strike`.
    """
    reduced = is_reduced(hp, offence.kept_reduced)
    power = int(getattr(offence.reduced if reduced else offence.full, symbol))
    if steps is not None:
        strength = f"{'reduced' if reduced else 'full strength'}, {counted(hp, 'hit point')}"
        steps.append(Step("firepower", f"{power} against {symbol} ({strength})", "3.4a Ground Combat [S-4]"))
    return power


def strike(offence: Offence, target: Defence, range_in: float, hp: int, steps: list[Step] | None = None) -> Cell:
    """Return the cell of the chart that decides a strike (3.4a).

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in squares.
    hp : int
        Hit points of the attacker.
    steps : list of Step, optional
        Takes a step for each decision.
    """
    steps = [] if steps is None else steps
    nearest, farthest = offence.range.min, offence.range.max
    squares = f"{nearest}" if nearest == farthest else f"{nearest}-{farthest}"
    steps.append(Step("weapon", f"{offence.weapon}, range {squares}", "3.3a Movement and Combat"))
    reached = in_range(offence, range_in)
    verdict = "in range" if reached else f"out of range {squares}"
    steps.append(Step("range", f"{verdict} at {range_in:g}", "3.4a Ground Combat [S-5]"))
    if not reached:
        return NOTHING
    power = firepower(offence, target.symbol, hp, steps)
    damage = power - target.defense
    entry = cell(damage, target.terrain)
    more = f", one more on a die of {entry.die} or less" if entry.die else ""
    steps += (
        Step("initial damage", f"{power} - {target.defense} defense = {damage}", "3.4a Ground Combat [S-2]"),
        Step("hits", f"{damage} on {target.terrain}: {entry.hits}{more}", "3.4a Ground Combat [S-1, S-9]"),
    )
    return entry


def shot(offence: Offence, target: Defence, range_in: float, weapon: str | None) -> Shot:
    """Return one strike with its explanation.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in squares.
    weapon : str or None
        How the unit fires: as its card says, or None.

    Raises
    ------
    UsageError
        The unit has no such weapon.
    """
    if weapon is not None and weapon != offence.weapon:
        raise UsageError(f"weapon: {one_of(weapon, [offence.weapon])}")
    steps: list[Step] = []
    entry = strike(offence, target, range_in, offence.hp, steps)
    return shot_of(offence, target, entry, tuple(steps))


def shot_of(offence: Offence, target: Defence, cell: Cell, steps: tuple[Step, ...] = ()) -> Shot:
    """Return a strike as a `Shot`.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    cell : Cell
        Cell of the chart that decides the strike.
    steps : tuple of Step
        From `strike`; empty in tables.
    """
    return Shot(offence.weapon, 1, {}, hits(cell), steps, left=target.hp)
