"""A state of a battle as three numbers, and the arrays of a lane, in which turns are played.

The first number says what both sides have left, the second what the side to move has fired and spent in its turn. The
bits of the third say which guns can't fire or are prepared. The exact solver unpacks them into a single lane before it
plays a turn, and packs them again after it.

The arrays of the lane, the lists of a turn's ways and the tables of both sides are parts of one numpy record, the
`Arena`. Compiled functions hand some seventy arrays from one to another; each would be counted in and out at every
call, which takes longer than their work, but for parts of a record, which nobody counts. All functions but `arena` are
plain loops that also compile.

Parameters of most functions
    mine : Side
        The side to move.
    bits : int
        The bits of the guns of both sides at the beginning of the turn.
    used : int
        The number of what was fired and spent; 0 at the beginning of the turn.
    state : Spending
        The same in one lane; `remaining` and `helper` are scratch.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from aabalance.engine.absorbing import Transitions
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.actions import end_turn
from aabalance.engine.battle.columns import (
    NONE,
    ONE,
    Columns,
    Rows,
    Side,
    Sides,
    Spending,
    W,
    steps_left,
    toughness_left,
)

OVER, MOVER = 1, 0
"""Low bits of a state: whether the battle is over, and whose turn it is."""
BITS_AT = 2
MIX, MIX_MORE, MIX_BITS = 0x9E3779B97F4A7C1, 0x5851F42D4C957F3, 29
"""Two odd factors and a shift, by which `find_or_insert` spreads pairs of keys over its slots."""
MOST_CELLS, MOST_ROWS, MOST_WAYS = 1 << 20, 1 << 15, 1 << 14
"""Largest numbers for a solution: of cells of the tables of both sides, of rows of a lane, and of ways in which a
single turn may go."""
LONE_ROWS = 13
"""Rows of which there is one each."""

Both = tuple[Rows, Rows]


class Graph(NamedTuple):
    """States in the order in which they were reached; the first two are at full strength, side 0 to move and side 1.

    Attributes
    ----------
    states : array of int64, shape (n,)
        Each is a number: that of what is left of both sides, then the bits of guns, then the bits `OVER` and
        `MOVER`. Within a turn, the bits of guns stay as they were at its beginning.
    spent : array of int64, shape (n,)
        The number of what was fired and spent in the turn; 0 at its beginning.
    choices : array of int64, shape (n + 1,)
        Index at which each state's choices begin.
    by_choice : Transitions
        The transitions, with a row for each choice.
    """

    states: Ints
    spent: Ints
    choices: Ints
    by_choice: Transitions

    @property
    def transitions(self) -> Transitions:
        """The transitions with a row for each state: those of all its choices together."""
        return self.by_choice._replace(indptr=self.by_choice.indptr[self.choices])


def kept_bits(mine: Side, bits: int) -> int:
    """Return the bits of a state without those of the guns of a side, `mine`."""
    spots = mine.spots
    for spot in range(len(spots)):
        bits = _without(_without(bits, spots[spot, col.BIT]), spots[spot, col.PREPARED_BIT])
    return bits


def bits_after(mine: Side, kept: int, state: Spending) -> int:
    """End a side's turn, and return the bits of the state that it leads to; `kept` are from `kept_bits`.

    `state.loading` takes what holds in the side's next turn.
    """
    spots, loading, prepared = mine.spots, state.loading, state.prepared
    end_turn(mine, state, np.uint64(1))
    for spot in range(len(spots)):
        gun, unit_bit = spots[spot, col.OF_GUN], W(ONE << W(spots[spot, col.OF_UNIT]))
        if spots[spot, col.BIT] != col.NOBODY and loading[gun, 0] & unit_bit != NONE:
            kept += 1 << spots[spot, col.BIT]
        if spots[spot, col.PREPARED_BIT] != col.NOBODY and prepared[gun, 0] & unit_bit != NONE:
            kept += 1 << spots[spot, col.PREPARED_BIT]
    return kept


def of_side(side: int, both: int, span: int) -> int:
    """Return the number of what one `side` has left, from that of `both`; side 1 can have `span` different ones."""
    return both // span if side == 0 else both % span


def _without(bits: int, bit: int) -> int:
    return bits - (1 << bit) if bit != col.NOBODY and (bits >> bit) & 1 else bits


def unpack_spent(mine: Side, limit: int, bits: int, used: int, state: Spending) -> None:
    """Write into a lane what a side has fired and spent in its turn, and what is left of its `limit` of actions."""
    units, guns, spots = mine.units, mine.guns, mine.spots
    fired, loading, prepared, spent, helped, actions, _, _ = state
    for rows in (fired, loading, prepared, spent, helped):
        for row in range(len(rows)):
            rows[row, 0] = NONE
    for spot in range(len(spots)):
        gun, bit = spots[spot, col.OF_GUN], W(ONE << W(spots[spot, col.OF_UNIT]))
        if spots[spot, col.BIT] != col.NOBODY and (bits >> spots[spot, col.BIT]) & 1:
            loading[gun, 0] |= bit
        times = used // spots[spot, col.FIRED_PLACE]
        if spots[spot, col.PREPARED_BIT] != col.NOBODY:
            times %= guns[gun, col.ATTACKS] + 2
            if (bits >> spots[spot, col.PREPARED_BIT]) & 1 or times > guns[gun, col.ATTACKS]:
                prepared[gun, 0] |= bit
            if times > guns[gun, col.ATTACKS]:
                continue
        for row in range(times % (guns[gun, col.ATTACKS] + 1)):
            fired[guns[gun, col.ROW] + row, 0] |= bit
    left = limit
    for unit in range(len(units)):
        bit = W(ONE << W(unit))
        times = used // units[unit, col.SPENT_PLACE] % (units[unit, col.POOL] + 1)
        for row in range(times):
            spent[row, 0] |= bit
        if units[unit, col.FREE] == 0:
            left -= times
        if units[unit, col.HELPED_PLACE] > 0:
            for enemy in range(len(helped)):
                if (used // units[unit, col.HELPED_PLACE] >> enemy) & 1:
                    helped[enemy, 0] |= bit
    actions[0] = W(left)


def pack_spent(mine: Side, bits: int, state: Spending) -> int:
    """Return the number of what a side has fired and spent in its turn, which `unpack_spent` reads."""
    units, guns, spots = mine.units, mine.guns, mine.spots
    fired, _, prepared, spent, helped, _, _, _ = state
    used = 0
    for spot in range(len(spots)):
        gun, bit = spots[spot, col.OF_GUN], W(ONE << W(spots[spot, col.OF_UNIT]))
        before = spots[spot, col.PREPARED_BIT] == col.NOBODY or (bits >> spots[spot, col.PREPARED_BIT]) & 1
        if not before and prepared[gun, 0] & bit != NONE:
            used += spots[spot, col.FIRED_PLACE] * (guns[gun, col.ATTACKS] + 1)
            continue
        for row in range(guns[gun, col.ATTACKS]):
            if fired[guns[gun, col.ROW] + row, 0] & bit != NONE:
                used += spots[spot, col.FIRED_PLACE]
    for unit in range(len(units)):
        bit = W(ONE << W(unit))
        for row in range(len(spent)):
            if spent[row, 0] & bit != NONE:
                used += units[unit, col.SPENT_PLACE]
        if units[unit, col.HELPED_PLACE] > 0:
            for enemy in range(len(helped)):
                if helped[enemy, 0] & bit != NONE:
                    used += units[unit, col.HELPED_PLACE] << enemy
    return used


def find_or_insert(
    slots: Columns, base: int, first: int, end: int, keys: Columns, more_keys: Columns, key: int, more: int
) -> int:
    """Return the index of a pair of keys among ``first .. end - 1``; if the pair is new, its index is `end`.

    Parameters
    ----------
    slots : array of int64, shape (a power of two,)
        A hash table with open addressing. A slot has the index of a pair plus `base`. It is free if that index isn't
        in the range, as where earlier calls with a smaller `base` filled it. A new pair is written into it.
    base : int
        The number that stands for index 0 in this table.
    first, end : int
        The first index of the range, and the one behind the last.
    keys, more_keys : array of int64
        The two keys at each index. The caller writes those of a new pair.
    key, more : int
        The pair to look for.
    """
    mask = len(slots) - 1
    # Plain numbers would grow past 64 bits in place of wrapping round.
    at = np.int64(key) * MIX + np.int64(more) * MIX_MORE
    at = (at ^ (at >> MIX_BITS)) & mask
    while True:
        there: int = slots[at] - base
        if there < first or there >= end:
            slots[at] = base + end
            return end
        if keys[there] == key and more_keys[there] == more:
            return there
        at = (at + 1) & mask


def unpack(units: Columns, number: int, left: Rows, alive: Rows) -> None:
    """Write the toughness that the `units` of a side have `left`, and which are `alive`, from the `number` of that."""
    alive[0] = NONE
    for unit in range(len(units)):
        left[unit, 0] = W(toughness_left(units, unit, steps_left(units, unit, number)))
        if left[unit, 0] != NONE:
            alive[0] |= W(ONE << W(unit))


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
    picked: col.Picked
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
        Tables as for `find_or_insert`: of the situations within a turn, and of its ways.
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
    made.ranks[0], made.ranks[1] = col.cost_ranks(sides)
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
        picked=col.Picked(rows[5], rows[6], rows[7], rows[8], rows[9], rows[10]),
        over=rows[11],
        bit=rows[12],
    )
