"""The arrays that the solver by states uses for every turn: those of a single lane, and tables of a turn's ways."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.battle.actions import Picked, Spending
from aabalance.engine.battle.columns import ATTACKS, HELPED_PLACE, POOL, Columns, Rows, Sides, W, cost_ranks

Both = tuple[Rows, Rows]


class Lane(NamedTuple):
    """The arrays of a single lane, as the functions that roll battles use them; pairs are by side.

    Attributes
    ----------
    left : pair of array of uint16, shape (units, 1)
        The toughness that each unit has left.
    alive : pair of array of uint16, shape (1,)
        The units that are left: a bit each.
    able, hurts : pair of array of uint16, shape (strikes, 1)
        The units able to make each strike, and the enemies that it can hurt.
    state, picked
        As for `aabalance.engine.battle.actions.mark_ready`, and as policies write them.
    ready : array of uint16, shape (strikes, 1)
        The units that may make each strike now.
    gains : pair of array of uint16, shape (strikes, enemies, 1)
        The ranks of gains.
    over, bit : array of uint16, shape (1,)
        Whether the battle is over; scratch.
    cost_ranks
        From `aabalance.engine.battle.columns.cost_ranks`.
    """

    left: Both
    alive: Both
    able: Both
    state: Spending
    ready: Rows
    gains: Both
    picked: Picked
    over: Rows
    bit: Rows
    cost_ranks: tuple[Columns, Columns]
    hurts: Both


class Workspace(NamedTuple):
    """Arrays that turns use again and again.

    Attributes
    ----------
    serial : array of int64, shape (1,)
        The first number that the next turn takes in the tables.
    slots, way_slots : array of int64
        Tables as for `encoding.find_or_insert`: of the situations within a turn, and of its ways.
    left_of, spent_of, p_of : array of int64, int64 and float
        By situation within a turn: the number of what both sides have left, the number of what the side has fired and
        spent, and the chance.
    lane : Lane
        The arrays of one lane.
    left_to, after_to, p_to : array of int64, int64 and float
        By way, the result of a turn: the number of what is left of both sides; twice the bits of guns, or 1
        if the battle is over; and the chance.
    """

    serial: Ints
    slots: Ints
    way_slots: Ints
    left_of: Ints
    spent_of: Ints
    p_of: Floats
    lane: Lane
    left_to: Ints
    after_to: Ints
    p_to: Floats


def workspace(sides: Sides, ways: int) -> Workspace:
    """Return arrays for the turns of both sides.

    Parameters
    ----------
    sides : pair of Side
        Both sides.
    ways : int
        The largest number of ways of a turn, and of situations within a turn.
    """
    guns, strikes = [len(side.guns) for side in sides], [len(side.strikes) for side in sides]
    units = [len(side.units) for side in sides]
    helped = max(units) if any((side.units[:, HELPED_PLACE] > 0).any() for side in sides) else 0
    pools = max(int(side.units[:, POOL].max()) for side in sides)
    firings = max(int(side.guns[:, ATTACKS].sum()) for side in sides)
    serial, (slots, way_slots) = np.zeros(1, dtype=np.int64), np.full((2, 2 * ways), -1, dtype=np.int64)
    left_of, spent, left_to, after_to = np.zeros((4, ways), dtype=np.int64)

    def rows(*shape: int) -> Rows:
        return np.zeros((*shape, 1), dtype=W)

    lane = Lane(
        left=(rows(units[0]), rows(units[1])),
        alive=(rows(), rows()),
        able=(rows(strikes[0]), rows(strikes[1])),
        state=Spending(
            rows(firings), rows(max(guns)), rows(max(guns)), rows(pools + 1), rows(helped), rows(), rows(), rows()
        ),
        ready=rows(max(strikes)),
        gains=(rows(strikes[0], units[1]), rows(strikes[1], units[0])),
        picked=Picked(rows(), rows(), rows(), rows(), rows(), rows()),
        over=rows(),
        bit=rows(),
        cost_ranks=cost_ranks(sides),
        hurts=(rows(strikes[0]), rows(strikes[1])),
    )
    return Workspace(serial, slots, way_slots, left_of, spent, np.zeros(ways), lane, left_to, after_to, np.zeros(ways))
