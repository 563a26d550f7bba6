"""The records that all rooms of battles share: terms, sides as arrays of integers with the names of their columns, and
what a turn writes down in many battles at once.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine.arrays import Words as Words

U, W = np.uint64, np.uint16
NONE, ONE, ALL = W(0), W(1), W(0xFFFF)

Int = int | np.integer[Any]
"""A whole number, of numpy in compiled loops."""
Row = npt.NDArray[np.uint16]
"""A number for each lane: units or enemies as bits, an index, toughness, or the rank of a gain."""
Rows = npt.NDArray[np.uint16]
"""Such numbers with other axes before that of the lanes."""
Columns = npt.NDArray[np.int64]
"""A row for each unit, gun, strike ... and a column for each of its properties."""
Counts = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int32]
"""The rank of a gain by strike, enemy and toughness left of the enemy."""


class Terms(NamedTuple):
    """The conditions of a battle: all but the units.

    Attributes
    ----------
    limits : (int, int)
        Limit of actions of each side in a turn.
    policies : (str, str)
        Names in `aabalance.engine.battle.policies.POLICIES`; one of them may be `BEST`.
    rounds : int or None
        Limit of turns of each side, as in `aabalance.rulesets.base.Mission`.
    by_cost : bool
        Whether worth decides, as in `Mission`.
    """

    limits: tuple[int, int]
    policies: tuple[str, str]
    rounds: int | None = None
    by_cost: bool = False


class Arms(NamedTuple):
    """What a side may do in its turn.

    Attributes
    ----------
    units, guns, strikes : array of int64, shape (units, columns), (guns, columns) and (strikes, columns)
        Their columns are named below.
    helpers : array of int64, shape (helps, units)
        The actions that a unit pays to give a help; `NOBODY` if it can't give it.
    rank : array of int32, shape (strikes, enemies, toughness + 1)
        The rank of a gain by strike, enemy and toughness left of the enemy.
    """

    units: Columns
    guns: Columns
    strikes: Columns
    helpers: Columns
    rank: Ranks


class Side(NamedTuple):
    """A side of a battle, packed as arrays of integers.

    Attributes
    ----------
    units, guns, strikes, helpers, rank
        As in `Arms`.
    volley : array of int64, shape (strikes, enemies)
        The number of the effect of a strike.
    spots : array of int64, shape (spots, columns)
        The guns of each unit.
    """

    units: Columns
    guns: Columns
    strikes: Columns
    helpers: Columns
    rank: Ranks
    volley: Columns
    spots: Columns

    @property
    def arms(self) -> Arms:
        """The parts on which its strikes depend."""
        return Arms(self.units, self.guns, self.strikes, self.helpers, self.rank)


Sides = tuple[Side, Side]


class Spending(NamedTuple):
    """What a side has spent in its turn, and the guns that it can't fire.

    Attributes
    ----------
    fired : array of uint16, shape (rows, lanes)
        By gun, rows of the units that have fired it at least once, at least twice, and so on in this turn: a bit each.
    loading, prepared : array of uint16, shape (guns, lanes)
        The units that can't fire the gun, and those that have prepared it.
    spent : array of uint16, shape (actions + 1, lanes)
        Row n has the units that have spent more than n actions; the last row has none.
    helped : array of uint16, shape (enemies, lanes)
        The units that were helped at the enemy; without rows if that is never asked.
    actions : array of uint16, shape (lanes,)
        What is left of the side's limit of actions.
    remaining, helper : array of uint16, shape (lanes,)
        Scratch.
    """

    fired: Rows
    loading: Rows
    prepared: Rows
    spent: Rows
    helped: Rows
    actions: Row
    remaining: Row
    helper: Row


class Picked(NamedTuple):
    """The strikes that are made next: one in each lane.

    Attributes
    ----------
    strike : array of uint16, shape (lanes,)
        The strike; the number of strikes for none.
    enemy : array of uint16, shape (lanes,)
        The row of the enemy; 0 for none.
    unit : array of uint16, shape (lanes,)
        The bit of the unit; 0 for none.
    first, second, third : array of uint16, shape (lanes,)
        Scratch of the policy; then the same of the strikes in return.
    """

    strike: Row
    enemy: Row
    unit: Row
    first: Row
    second: Row
    third: Row


TOUGHNESS, POOL, FREE, COST, COUNTS, QUANTUM, HITS, PLACE, BELOW, SPENT_PLACE, HELPED_PLACE = range(11)
"""Columns of units:

- `TOUGHNESS`: toughness
- `POOL`: actions in a turn
- `FREE`: 1 if the side's limit doesn't bind them
- `COST`: cost
- `COUNTS`: 1 if a side without such a unit has lost
- `QUANTUM`: the step in which it loses toughness
- `HITS`: the number of its steps
- `PLACE`: what a step counts in its side's number
- `BELOW`: the steps of all units that fall after it; -1 if the order isn't known
- `SPENT_PLACE`: what an action counts in the number of what was spent
- `HELPED_PLACE`: what help at the first enemy counts in that number; 0 if it is never asked
"""
ATTACKS, RELOADS, ONCE, ROW = range(4)
"""Columns of guns, which equal units share:

- `ATTACKS`: attacks in a turn
- `RELOADS`: 1 if it has to reload after firing
- `ONCE`: 1 if it fires in one turn of a battle only
- `ROW`: the index of its first row among the attacks fired
"""
MEMBERS, GUN, TAKES, ACTIONS, LEAST, MOST, OF_POOL, OF_FREE, HURTS, STEADY, ALONE = range(11)
STAGE, GONE, HELP, HELPS, LASTS, HELPED_AT, RETURNS_FIRE = range(11, 18)
"""Columns of strikes, which equal units share:

- `MEMBERS`: the bits of these units
- `GUN`: their gun
- `TAKES`: the attacks that it takes of the gun
- `ACTIONS`: its actions
- `LEAST`, `MOST`: the least and the largest toughness with which it is made
- `OF_POOL`: the units' actions in a turn; 0 if they aren't counted
- `OF_FREE`: 1 if the side's limit doesn't bind these
- `HURTS`: the bits of the enemies that it can hurt
- `STEADY`: 1 if any toughness will do
- `ALONE`: 1 if its units have no other strike
- `STAGE`: its stage
- `GONE`: the enemy that has to be gone
- `HELP`: the first help that it needs
- `HELPS`: how many it needs
- `LASTS`: 1 if one of them lasts
- `HELPED_AT`: the enemy at which such help has to have been given in this turn; `NOBODY` for no enemy
- `RETURNS_FIRE`: 1 if it also returns fire
"""
ANY, PREPARES, NEEDS_PREPARED = range(3)
"""Stages of a strike: it needs no preparation, it does nothing but prepare its gun, or its gun has to be prepared."""
OF_UNIT, OF_GUN, BIT, PREPARED_BIT, FIRED_PLACE = range(5)
"""Columns of spots, one for each gun of each unit:

- `OF_UNIT`, `OF_GUN`: the unit and the gun
- `BIT`: the bit of a state that says that the gun can't fire
- `PREPARED_BIT`: the bit that says that it is prepared; `NOBODY` if it is never asked
- `FIRED_PLACE`: what an attack counts in the number of what was spent; to prepare counts as one attack more than the
  gun has
"""
NOBODY = -1
SIDE_UNITS, MOST_TOUGHNESS, MOST_GAINS = 16, 4095, int(ALL)
"""Largest numbers: of units of a side (a bit each in a word), of toughness of a unit, and of different gains."""
NO_EFFECT = 0
"""The number of the volley without effect: that of a strike that only prepares, or of no strike."""


def cost_ranks(sides: Sides) -> tuple[Columns, Columns]:
    """Return, for each side, the rank of each unit by its cost: 0 for the dearest, equals as listed.

    Returns
    -------
    pair of array of int64, shape (16,)
        As many places as a side may have units, so that all battles are compiled as one: those without a unit rank
        last.
    """
    costs = [np.pad(side.units[:, COST], (0, SIDE_UNITS - len(side.units)), constant_values=-1) for side in sides]
    orders = [np.argsort(-cost, kind="stable") for cost in costs]
    return np.argsort(orders[0]), np.argsort(orders[1])


def steps_left(units: Columns, unit: int, number: int) -> int:
    """Return how many steps a unit has left: it is gone once it has lost that many more.

    Parameters
    ----------
    units : array of int64, shape (units, columns)
        The side's `units`.
    unit : int
        The unit's row.
    number : int
        The number of what its side has left.
    """
    steps: int
    hits, below = units[unit, HITS], units[unit, BELOW]
    if below < 0:
        steps = number // units[unit, PLACE] % (hits + 1)
    else:
        steps = min(max(number - below, 0), hits)
    return steps


def toughness_left(units: Columns, unit: int, steps: int) -> int:
    """Return the toughness that a unit has left, from the steps that it has left.

    At full strength it has its whole `TOUGHNESS`. It loses `QUANTUM` at a time, so that it is gone after `HITS` steps:
    the last takes what is left, which may be less.

    Parameters
    ----------
    units : array of int64, shape (units, columns)
        The side's `units`.
    unit : int
        The unit's row.
    steps : int
        The steps that it has left, from `steps_left`.
    """
    if steps == 0:
        return 0
    left: int = units[unit, TOUGHNESS] - (units[unit, HITS] - steps) * units[unit, QUANTUM]
    return left


def full_strength(units: Columns) -> tuple[int, int]:
    """Return the number that stands for a side at full strength in a state, and how many such numbers there are."""
    hits = units[:, HITS].tolist()
    span = prod(n + 1 for n in hits) if units[0, BELOW] < 0 else sum(hits) + 1
    return span - 1, span
