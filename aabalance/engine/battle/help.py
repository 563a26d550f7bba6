"""Help that some strikes need: who can give it, what it costs, and at which enemies it was given.

Plain loops that also compile, to vectors; in battles in which nobody needs help they are left out.
"""

from __future__ import annotations

from aabalance.engine.battle import columns as col
from aabalance.engine.battle.actions import Spending, raise_rows
from aabalance.engine.battle.columns import NONE, ONE, Arms, Columns, Int, Row, Rows, Side, W


def needs_help(side: Arms | Side) -> bool:
    """Return whether any strike of a side needs help, given now or before in this turn.

    Parameters
    ----------
    side : Side
        The side.
    """
    strikes = side.strikes
    return bool(strikes[:, [col.HELPS, col.LASTS]].any() or (strikes[:, col.HELPED_AT] != col.NOBODY).any())


def keep_helped(side: Arms | Side, strike: Int, alive: Row, state: Spending, row: Row, lanes: Int) -> None:
    """Drop the units that lack the help that a strike needs, be it to be given now or given before in this turn.

    Parameters
    ----------
    side, alive, state, lanes
        As for `aabalance.engine.battle.actions.mark_ready`.
    strike : int
        Row of the strike.
    row : array of uint16, shape (lanes,)
        The units that may make it: a bit each. Changed.
    """
    strikes = side.strikes
    spent, helped, actions, rest, friend = state.spent, state.helped, state.actions, state.rest, state.helper
    if strikes[strike, col.HELPED_AT] != col.NOBODY:
        there = helped[strikes[strike, col.HELPED_AT]]
        for k in range(lanes):
            row[k] &= there[k]
    if strikes[strike, col.HELPS] > 0:
        paid = W(0 if strikes[strike, col.OF_FREE] else strikes[strike, col.ACTIONS])
        for k in range(lanes):
            rest[k] = actions[k] - paid
        for need in range(strikes[strike, col.HELP], strikes[strike, col.HELP] + strikes[strike, col.HELPS]):
            pay_help(side, need, alive, spent, rest, friend, lanes)
            for k in range(lanes):
                may = row[k]
                row[k] = may if friend[k] != NONE else NONE


def spend_help(side: Arms | Side, strike: Int, aim: Row, alive: Row, state: Spending, bit: Row, lanes: Int) -> None:
    """Take what the help for a strike costs, and remember at whom it was given where that lasts.

    Parameters
    ----------
    side, alive, state, lanes
        As for `aabalance.engine.battle.actions.spend`.
    strike : int
        Row of the strike.
    aim : array of uint16, shape (lanes,)
        The enemy at whom it is made.
    bit : array of uint16, shape (lanes,)
        The unit that makes it: a bit; 0 in lanes where nobody does.
    """
    strikes = side.strikes
    spent, helped, actions, rest, friend = state.spent, state.helped, state.actions, state.rest, state.helper
    for need in range(strikes[strike, col.HELP], strikes[strike, col.HELP] + strikes[strike, col.HELPS]):
        for k in range(lanes):
            rest[k] = actions[k]
        pay_help(side, need, alive, spent, rest, friend, lanes)
        for k in range(lanes):
            other, before, mine = friend[k], actions[k], bit[k] != NONE
            friend[k] = other if mine else NONE
            actions[k] = rest[k] if mine else before
        raise_rows(spent[: len(spent) - 1], _price(side.helpers[need]), friend, lanes)
    if strikes[strike, col.LASTS]:
        for enemy in range(len(helped)):
            row = helped[enemy]
            for k in range(lanes):
                row[k] |= bit[k] if aim[k] == W(enemy) else NONE


def pay_help(side: Arms | Side, need: Int, alive: Row, spent: Rows, rest: Row, friend: Row, lanes: Int) -> None:
    """Write the first unit that can give some help, and take the help's cost from the actions that the side has left.

    Parameters
    ----------
    side : Arms or Side
        As for `mark_able`.
    need : int
        The row of that help in `Arms.helpers`.
    alive : array of uint16, shape (lanes,)
        The units that are left: a bit each.
    spent : array of uint16, shape (actions + 1, lanes)
        Row n has the units that have spent more than n actions: a bit each; the last row has none.
    rest : array of uint16, shape (lanes,)
        The actions that the side has left; changed.
    friend : array of uint16, shape (lanes,)
        Takes the bit of the unit; 0 if no unit can help.
    lanes : uint64
    """
    units, price = side.units, side.helpers[need]
    for k in range(lanes):
        friend[k] = NONE
    for back in range(len(units)):
        unit = len(units) - 1 - back
        if price[unit] == col.NOBODY:
            continue
        bit, tired = (
            W(ONE << W(unit)),
            spent[units[unit, col.POOL] - price[unit] if price[unit] > 0 else len(spent) - 1],
        )
        paid = W(0 if units[unit, col.FREE] else price[unit])
        for k in range(lanes):
            other, can = friend[k], (W(alive[k] & bit) != NONE) & (W(tired[k] & bit) == NONE) & (rest[k] >= paid)
            friend[k] = bit if can else other
    for unit in range(len(units)):
        if price[unit] > 0 and not units[unit, col.FREE]:
            bit, paid = W(ONE << W(unit)), W(price[unit])
            for k in range(lanes):
                rest[k] -= paid if friend[k] == bit else NONE


def _price(price: Columns) -> Int:
    """Return what some help costs, which is the same for all units that can give it."""
    most: Int = 0
    for unit in range(len(price)):
        most = max(most, price[unit])
    return most
