"""A state of a battle as three numbers, and how they are written into the arrays of a lane and read from them.

The first number says what both sides have left, the second what the side to move has fired and spent in its turn. The
bits of the third say which guns can't fire or are prepared. The exact solver unpacks them into a single lane before it
plays a turn, and packs them again after it. All functions are plain loops that also compile.

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

from typing import NamedTuple

import numpy as np

from aabalance.engine.absorbing import Transitions
from aabalance.engine.arrays import Ints
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.actions import end_turn
from aabalance.engine.battle.columns import NONE, ONE, Columns, Rows, Side, Spending, W, steps_left, toughness_left

OVER, MOVER = 1, 0
"""Low bits of a state: whether the battle is over, and whose turn it is."""
BITS_AT = 2
MIX, MIX_MORE, MIX_BITS = 0x9E3779B97F4A7C1, 0x5851F42D4C957F3, 29
"""Two odd factors and a shift, by which `find_or_insert` spreads pairs of keys over its slots."""


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
