"""The queue of a side: its units in the order in which they fall, and the strengths that the side can have.

What a side has left is one number, its strength: 0 is nothing, the largest is all units at full toughness, and each
step down is the next amount that the unit in front can have left. All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine.battle.columns import COUNTS, TOUGHNESS, WORTH

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Outcomes = tuple[Ints, Ints, Floats, Floats]
"""As `aabalance.engine.volleys.Volleys.outcomes`."""

OF_UNIT, BELOW, FIRST_SHOT, END_SHOT = range(4)
"""Columns of a queue's units: the row among the side's units; the strength of the side once this unit and all that fall
before it are gone; the unit's first shot, and the one behind its last."""
STRENGTH_COLUMNS = 6
FRONT, HAS, KIND, REACH, START, NODE = range(STRENGTH_COLUMNS)
"""Columns of strengths, which have a row for each strength of a side:

- `FRONT` and `HAS`: the unit of the queue that falls next, and the toughness that it has left;
- `KIND`: the class of the strength; at all strengths of a class, the other side prefers the same strikes, with the same
  effects;
- `REACH`: the largest strength of the other side at which this side can hurt none of its units that count;
- `START`: the index of the first position with this strength. Positions are listed from the largest strength down, and
  in the first one of each strength no gun has to reload or is prepared;
- `NODE`: the node at which the turn from that first position begins; below 0 if no unit is left that counts."""


class OrderedSide(NamedTuple):
    """A side whose units fall in a known order; columns are named in `aabalance.engine.battle.columns`.

    Attributes
    ----------
    units, guns, strikes : array of int64, shape (rows, columns)
        Its units, guns and strikes.
    volleys : array of int64, shape (strikes, enemies)
        The number of the effect of each strike.
    falls : array of int64, shape (units of the queue,)
        Rows of `units` in the order in which they fall; equal units may share a row.
    ranks : array of int32, shape (strikes, enemies, toughness + 1)
        The rank of each strike's gain, by the toughness that the enemy has left.
    """

    units: Ints
    guns: Ints
    strikes: Ints
    volleys: Ints
    falls: Ints
    ranks: npt.NDArray[np.int32]


class Queue(NamedTuple):
    """The units of a side, the last to fall first, and the strengths of the side.

    Attributes
    ----------
    units : array of int64, shape (units of the queue, 4)
        Columns from `OF_UNIT` on.
    strengths : array of int64, shape (strengths, STRENGTH_COLUMNS)
        Columns from `FRONT` on.
    levels : array of int64, shape (rows of units, largest toughness + 1)
        By the toughness that a unit has left: 0 for none, 1 for the least amount that it can have left, 2 for the next
        one, and so on; -1 for amounts that it can't have.
    standing : array of float, shape (strengths, 2)
        The cost and the number of the units that are left.
    floor : int
        The largest strength at which the side has no unit left that counts.
    """

    units: Ints
    strengths: Ints
    levels: Ints
    standing: Floats
    floor: int


def line_up(side: OrderedSide, enemy: OrderedSide, outcomes: Outcomes) -> Queue:
    """Line up a side, and number the strengths that it can have.

    Parameters
    ----------
    side, enemy : OrderedSide
        The side, and the other one.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.

    Returns
    -------
    Queue
        Of its arrays, only the columns `OF_UNIT`, `BELOW`, `FRONT` and `HAS` are written.
    """
    levels = _levels(side.units, enemy.volleys, outcomes)
    falls, count = side.falls, 1
    for at in range(len(falls)):
        count += levels[falls[at], side.units[falls[at], TOUGHNESS]]
    units, strengths = np.zeros((len(falls), 4), np.int64), np.zeros((count, STRENGTH_COLUMNS), np.int64)
    standing = np.zeros((count, 2))
    strength, floor = 0, count - 1
    for at in range(len(falls)):
        unit = falls[len(falls) - 1 - at]
        units[at, OF_UNIT], units[at, BELOW] = unit, strength
        below = strength
        if side.units[unit, COUNTS] != 0:
            floor = min(floor, below)
        for left in range(1, side.units[unit, TOUGHNESS] + 1):
            if levels[unit, left] > 0:
                strength += 1
                strengths[strength, FRONT], strengths[strength, HAS] = at, left
                standing[strength, 0] = standing[below, 0] + side.units[unit, WORTH]
                standing[strength, 1] = standing[below, 1] + 1
    return Queue(units, strengths, levels, standing, floor)


def _levels(units: Ints, volleys: Ints, outcomes: Outcomes) -> Ints:
    """Return `Queue.levels`; `volleys` are those of the other side's strikes at these units."""
    start, amount, _, _ = outcomes
    levels = np.full((len(units), tallest(units) + 1), -1, np.int64)
    for unit in range(len(units)):
        full = units[unit, TOUGHNESS]
        levels[unit, full] = 0
        for back in range(full):
            left = full - back
            if levels[unit, left] == 0:
                for strike in range(len(volleys)):
                    for x in range(start[volleys[strike, unit]], start[volleys[strike, unit] + 1]):
                        levels[unit, max(left - amount[x], 0)] = 0
        levels[unit, 0] = 0
        last = 0
        for left in range(1, full + 1):
            if levels[unit, left] == 0:
                last += 1
                levels[unit, left] = last
    return levels


def tallest(units: Ints) -> int:
    """Return the largest toughness of a side's units."""
    most: int = units[0, TOUGHNESS]
    for unit in range(1, len(units)):
        most = max(most, units[unit, TOUGHNESS])
    return most


def strength_of(queue: Queue, left: int) -> int:
    """Return the strength of a side of which the last `left` units are left, all of them at full toughness."""
    units: Ints = queue.units
    return int(units[left, BELOW]) if left < len(units) else len(queue.strengths) - 1
