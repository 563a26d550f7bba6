"""The arrays that the solver by states uses for every turn: those of a single lane, and tables of a turn's ways.

All of them, and the tables of both sides, are parts of one numpy record. Compiled functions hand some seventy arrays
from one to another; each would be counted in and out at every call, which takes longer than their work, but for parts
of a record, which nobody counts. `tables_in` and `lane_in` are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import Columns, Picked, Rows, Side, Sides, Spending, W, cost_ranks

Both = tuple[Rows, Rows]
MOST_CELLS, MOST_ROWS, MOST_WAYS = 1 << 20, 1 << 15, 1 << 14
"""Largest numbers for a solution: of cells of the tables of both sides, of rows of a lane, and of ways in which a
single turn may go."""
LONE_ROWS = 13
"""Rows of which there is one each."""


class Lane(NamedTuple):
    """The arrays of a single lane, as the functions that roll battles use them; pairs are by side.

    Attributes
    ----------
    left : pair of array of uint16, shape (units, 1)
        The toughness that each unit has left.
    alive : pair of array of uint16, shape (1,)
        The units that are left: a bit each.
    able : pair of array of uint16, shape (strikes, 1)
        The units able to make each strike.
    state, picked
        `Spending` and `Picked` of `aabalance.engine.battle.columns`.
    ready : array of uint16, shape (strikes, 1)
        The units that may make each strike now.
    gains : pair of array of uint16, shape (strikes, enemies, 1)
        The ranks of gains.
    over, bit : array of uint16, shape (1,)
        Whether the battle is over; scratch.
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


class Arena(Protocol):
    """A record of fixed size: the arrays of any battle, one after the other.

    Attributes
    ----------
    cells : array of int64
        The tables of both sides.
    shapes : array of int64, shape (2, 7, 4)
        By side and part of `Side`, the index at which the part begins, and its shape, with 1 for an axis that it lacks.
    ranks : array of int64, shape (2, `SIDE_UNITS`)
        From `aabalance.engine.battle.columns.cost_ranks`.
    rows : array of uint16, shape (`MOST_ROWS`, 1)
        The rows of the lane.
    needs : array of int64, shape (3,)
        The rows for attacks fired, for actions spent, and for help.
    serial : array of int64, shape (1,)
        The first number that the next turn takes in the tables.
    slots, way_slots : array of int64
        Tables as for `encoding.find_or_insert`: of the situations within a turn, and of its ways.
    left_of, spent_of, p_of : array of int64, int64 and float
        By situation within a turn: the number of what both sides have left, the number of what the side has fired and
        spent, and the chance.
    left_to, after_to, p_to : array of int64, int64 and float
        By way, the result of a turn: the number of what is left of both sides; twice the bits of guns, or 1
        if the battle is over; and the chance.
    spent_to, begins : array of int64
        Of the choices that `best_reply.offer` lists: by way, the number of what the side has spent then, 0 if the turn
        ends; and the index at which the ways of each choice begin, with one more number where the last ones end.
    """

    cells: Ints
    shapes: Ints
    ranks: Ints
    rows: Rows
    needs: Ints
    serial: Ints
    slots: Ints
    way_slots: Ints
    left_of: Ints
    spent_of: Ints
    p_of: Floats
    left_to: Ints
    after_to: Ints
    p_to: Floats
    spent_to: Ints
    begins: Ints


ARENA = np.dtype(
    (
        np.record,
        [
            ("cells", np.int64, MOST_CELLS),
            ("shapes", np.int64, (2, len(Side._fields), 4)),
            ("ranks", np.int64, (2, col.SIDE_UNITS)),
            ("rows", W, (MOST_ROWS, 1)),
            ("needs", np.int64, 3),
            ("serial", np.int64, 1),
            *((name, np.int64, 2 * MOST_WAYS) for name in ("slots", "way_slots")),
            *((name, np.int64, MOST_WAYS) for name in ("left_of", "spent_of", "left_to", "after_to", "spent_to")),
            ("begins", np.int64, MOST_WAYS + 1),
            *((name, np.float64, MOST_WAYS) for name in ("p_of", "p_to")),
        ],
    )
)


def arena(sides: Sides) -> Arena | None:
    """Return the record of a battle; None if its arrays don't fit.

    Parameters
    ----------
    sides : pair of Side
        Both sides.
    """
    made = np.zeros(1, ARENA)[0]
    end = 0
    for side, of_side in enumerate(sides):
        tables: tuple[npt.NDArray[np.integer], ...] = tuple(of_side)
        for part, table in enumerate(tables):
            if end + table.size > MOST_CELLS:
                return None
            made.shapes[side, part] = (end, *table.shape, *(1,) * (3 - table.ndim))
            made.cells[end : end + table.size] = table.ravel()
            end += table.size
    helped = any((side.units[:, col.HELPED_PLACE] > 0).any() for side in sides)
    made.needs[0] = max(int(side.guns[:, col.ATTACKS].sum()) for side in sides)
    made.needs[1] = max(int(side.units[:, col.POOL].max()) for side in sides) + 1
    made.needs[2] = max(len(side.units) for side in sides) if helped else 0
    strikes, units = [len(side.strikes) for side in sides], max(len(side.units) for side in sides)
    guns = max(len(side.guns) for side in sides)
    if int(made.needs.sum()) + 2 * guns + (2 + units) * sum(strikes) + 2 * units + LONE_ROWS > MOST_ROWS:
        return None
    made.ranks[0], made.ranks[1] = cost_ranks(sides)
    made.slots[:] = made.way_slots[:] = -1
    return cast("Arena", made)


def tables_in(record: Arena, side: int) -> Side:
    """Return the tables of a side, as parts of the record.

    Parameters
    ----------
    record : Arena
        The record.
    side : int
        The side.
    """
    at = record.shapes[side]
    return Side(
        _table(record, at[0]),
        _table(record, at[1]),
        _table(record, at[2]),
        _table(record, at[3]),
        _cube(record, at[4]),  # type: ignore[arg-type]  # wider numbers than elsewhere
        _table(record, at[5]),
        _table(record, at[6]),
    )


def _table(record: Arena, at: Ints) -> Columns:
    return record.cells[at[0] : at[0] + at[1] * at[2]].reshape((at[1], at[2]))


def _cube(record: Arena, at: Ints) -> Columns:
    return record.cells[at[0] : at[0] + at[1] * at[2] * at[3]].reshape((at[1], at[2], at[3]))


def lane_in(record: Arena, sides: Sides) -> Lane:
    """Return the arrays of a single lane, as parts of the record.

    Parameters
    ----------
    record : Arena
        The record.
    sides : pair of Side
        From `tables_in`.
    """
    rows, needs, (side_0, side_1) = record.rows, record.needs, sides
    guns = max(len(side_0.guns), len(side_1.guns))
    strikes_0, strikes_1 = len(side_0.strikes), len(side_1.strikes)
    units_0, units_1 = len(side_0.units), len(side_1.units)
    able = LONE_ROWS + units_0 + units_1
    ready = able + strikes_0 + strikes_1
    gains = ready + max(strikes_0, strikes_1)
    other = gains + strikes_0 * units_1
    fired = other + strikes_1 * units_0
    loading = fired + needs[0]
    spent = loading + 2 * guns
    helped = spent + needs[1]
    return Lane(
        left=(rows[LONE_ROWS : LONE_ROWS + units_0], rows[LONE_ROWS + units_0 : able]),
        alive=(rows[0], rows[1]),
        able=(rows[able : able + strikes_0], rows[able + strikes_0 : ready]),
        state=Spending(
            fired=rows[fired:loading],
            loading=rows[loading : loading + guns],
            prepared=rows[loading + guns : spent],
            spent=rows[spent:helped],
            helped=rows[helped : helped + needs[2]],
            actions=rows[2],
            remaining=rows[3],
            helper=rows[4],
        ),
        ready=rows[ready:gains],
        gains=(rows[gains:other].reshape((strikes_0, units_1, 1)), rows[other:fired].reshape((strikes_1, units_0, 1))),
        picked=Picked(rows[5], rows[6], rows[7], rows[8], rows[9], rows[10]),
        over=rows[11],
        bit=rows[12],
    )
