"""A side of a battle as arrays of integers: its named parts, and their columns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

U, W = np.uint64, np.uint16
NONE, ONE, ALL = W(0), W(1), W(0xFFFF)

Int = int | np.integer[Any]
"""A whole number, of numpy in compiled loops."""
Row = npt.NDArray[np.uint16]
"""A number for each lane: units or enemies as bits, an index, toughness, or the rank of a gain."""
Rows = npt.NDArray[np.uint16]
"""Such numbers with other axes before that of the lanes."""
Words = npt.NDArray[np.uint64]
"""Random words, entries of dice, and numbers of trials or lanes: one for each lane, or rows of them."""
Columns = npt.NDArray[np.int64]
"""A row for each unit, gun, strike ... and a column for each of its properties."""
Counts = npt.NDArray[np.int64]


class Arms(NamedTuple):
    """What a side may do in its turn, if its units hold their places.

    Attributes
    ----------
    units, guns, strikes : array of int64, shape (units, columns), (guns, columns) and (strikes, columns)
        Their columns are named below.
    helpers : array of int64, shape (helps, units)
        The actions that a unit pays to give a help; `NOBODY` if it can't give it.
    rank : array of int32, shape (strikes, enemies, aspects, toughness + 1)
        The rank of a gain by strike, enemy, aspect and toughness left of the enemy.
    """

    units: Columns
    guns: Columns
    strikes: Columns
    helpers: Columns
    rank: npt.NDArray[np.int32]


class Side(NamedTuple):
    """A side of a battle, packed as arrays of integers. Parts that a battle doesn't need are empty.

    Attributes
    ----------
    units, guns, strikes, helpers, rank
        As in `Arms`.
    volley : array of int64, shape (strikes, enemies, aspects)
        The number of the effect of a strike.
    spots : array of int64, shape (spots, columns)
        The guns of each unit.
    paces, spans, aspects, wishes, orders : array
        How units move: see `aabalance.engine.battle.moving`.
    objectives, holders, owners, points, winners : array of int64
        How points are scored: see `aabalance.engine.battle.domination`.
    riders, wrecks : array of int64
        The units that begin inside others, and what each loses if its carrier is destroyed, in equally likely cases:
        see `aabalance.engine.battle.cargo`.
    """

    units: Columns
    guns: Columns
    strikes: Columns
    helpers: Columns
    rank: npt.NDArray[np.int32]
    volley: Columns
    spots: Columns
    paces: Columns
    spans: Columns
    aspects: Row
    wishes: Columns
    orders: Columns
    objectives: Columns
    holders: Columns
    owners: Columns
    points: Columns
    winners: Columns
    riders: Columns
    wrecks: Columns

    @property
    def arms(self) -> Arms:
        """The parts on which its strikes depend."""
        return Arms(self.units, self.guns, self.strikes, self.helpers, self.rank)


Sides = tuple[Side, Side]

UNITS, GUNS, STRIKES, HELPERS, RANK, VOLLEY, SPOTS, PACES, SPANS, ASPECTS, WISHES, ORDERS = range(12)
OBJECTIVES, HOLDERS, OWNERS, POINTS, WINNERS, RIDERS, WRECKS = range(12, 19)
"""Indices of a `Side`, for battles whose units move, score or ride, which will leave this package."""
TOUGHNESS, POOL, FREE, WORTH, COUNTS, QUANTUM, HITS, PLACE, BELOW, SPENT_PLACE, HELPED_PLACE = range(11)
"""Columns of units: toughness; actions in a turn, and 1 if the side's limit doesn't bind them; worth; 1 if a side
without such a unit has lost; the step in which it loses toughness, the number of its steps, what a step counts in its
side's number, and the steps of all units that fall after it (-1 if the order isn't known); in the number of what was
spent, what an action counts, and what help at the first enemy counts (0: never asked)."""
ATTACKS, RELOADS, ONCE, ROW = range(4)
"""Columns of guns, which equal units share: attacks in a turn, 1 if it has to reload after firing, 1 if it fires in one
turn of a battle only, and the index of its first row among the attacks fired."""
MEMBERS, GUN, TAKES, ACTIONS, LEAST, MOST, OF_POOL, OF_FREE, HURTS, STEADY, ALONE = range(11)
"""Columns of strikes, which equal units share: the bits of these units, their gun, the attacks that it takes of the
gun, its actions, the least and the largest toughness with which it is made, the units' actions in a turn (0: not
counted) and 1 if the side's limit doesn't bind them, the bits of the enemies that it can hurt from any place that both
may get to, 1 if any toughness will do, and 1 if its units have no other strike."""
STAGE, GONE, HELP, HELPS, LASTS, HELPED_AT, RUNS_OUT, RETURNS_FIRE, UNIT = range(11, 20)
"""More columns of strikes: the stage; the enemy that has to be gone; the first help that it needs, and how many it
needs; 1 if one of them lasts; the enemy at which such help has to have been given in this turn (`NOBODY` for no enemy);
1 if the units' guns could use more actions than the units have; 1 if it also returns fire; and its
first unit, which is its only one if units move."""
ANY, PREPARES, NEEDS_PREPARED = range(3)
"""Stages of a strike: it needs no preparation, it does nothing but prepare its gun, or its gun has to be prepared."""
OF_UNIT, OF_GUN, BIT, PREPARED_BIT, FIRED_PLACE = range(5)
"""Columns of spots, one for each gun of each unit: the unit, the gun, the bit of a state that says that the gun can't
fire, the bit that says that it is prepared (`NOBODY`: never asked), and what an attack counts in the number of what was
spent; to prepare counts as one attack more than the gun has."""
AHEAD, BACK, COST, PLACE_BIT, CLASS_BIT = range(5)
"""Columns of paces, by unit: the steps that it can go ahead and back in a turn, the actions that a move takes, and
where the bits of its place, and of the class of its last move, begin in a state (`NOBODY`: they never change)."""
LEAST_STEPS, MOST_STEPS, ENEMY = range(3)
"""Columns of wishes, by unit, the best exchange first: the least and the largest distance in steps that the unit wants
from an enemy, and the enemy."""
SPAN_ENEMY, SPAN_STRIKE, SPAN_MOVED, SPAN_CLASS = range(2, 6)
"""Columns of spans, behind the least and the largest distance in steps at which a strike hurts an enemy: the enemy, the
strike, 1 if its unit has to have moved and 0 if not, and the class of the enemy's last move (`NOBODY`: any will do)."""
POSTURE, STOP, DEPTH, START, CLASSES, PLACE_BITS, CLASS_BITS, CLASS_STEPS = range(8)
"""Orders of a side: the number of its posture, and the distance in steps that it has; the depth of the ground; the
place of its line at the start; the number of classes of moves; the bits that a place and a class take in a state; then,
for the third class and each after it, the steps from which on a move belongs to it. The first class is to stay."""
RIDER, CARRIER, RIDING_BIT, RESTS = range(4)
"""Columns of riders: the unit, the unit that it begins inside, the bit of a state that says that it has not got out,
and the actions that a turn of rest takes from it."""
NOBODY = -1
SIDE_UNITS = 16
"""Largest number of units of a side: a bit each in a word."""


def cost_ranks(sides: Sides) -> tuple[Columns, Columns]:
    """Return, for each side, the rank of each unit by what it counts for: 0 for the dearest, equals as listed."""
    worths = [np.pad(side.units[:, WORTH], (0, SIDE_UNITS - len(side.units)), constant_values=-1) for side in sides]
    orders = [np.argsort(-worth, kind="stable") for worth in worths]
    return np.argsort(orders[0]), np.argsort(orders[1])
