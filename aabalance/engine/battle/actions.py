"""What a side may do in its turn, in many battles at once: the kernel asks for all its lanes, the exact solver for one.

A unit is *able* to make a strike as long as what is left of both sides allows it, whatever was done in the turn; it is
*ready* if it also has the attacks and actions for it now, and an enemy to hurt. So *able* changes only as units are
hurt, *ready* with every strike.

Units of a side are bits of a 16-bit word. Attacks fired and actions spent are counted in rows of such words: the units
that did at least one, at least two, and so on. Functions are plain loops over all lanes, `lanes` in number, which also
compile to vector instructions; each loop uses few arrays, so that the compiler can tell that they don't overlap.

The exact solver and the kernel both ask `mark_over` whether a battle is over; `all_can_hurt_all` tells the solver where
there is a quicker test.

The last functions are about help that some strikes need: who can give it, what it costs, and at which enemies it was
given. Battles in which nobody needs help leave them out.

Parameters of most functions
    side : Arms or Side
        The side.
    left : array of uint16, shape (units, lanes)
        The toughness that each unit has left.
    alive, foes : array of uint16, shape (lanes,)
        The units, and the enemies, that are left: a bit each.
    able, ready : array of uint16, shape (strikes, lanes)
        The units that are so for each strike: a bit each.
    state : Spending
        What the side has spent in its turn; changed.
    picked : Picked
        The strikes that are made.
    strike : int
        Row of a strike; `row` has the units that may make it, and is changed.
    bit : array of uint16, shape (lanes,)
        Scratch, or some units: a bit each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import NONE, ONE, Arms, Columns, Int, Picked, Row, Rows, Side, Sides, Spending, W

keep_helped = spend_help = jit.NO_HOOK
"""What only some battles need, from `aabalance.engine.battle.policies.of_turns`."""


def mark_able(side: Arms | Side, left: Rows, alive: Row, foes: Row, able: Rows, lanes: Int) -> None:
    """Write which units are `able` to make each strike, by what they, their friends and their enemies have left."""
    strikes, helpers = side.strikes, side.helpers
    for strike in range(len(strikes)):
        members, row = W(strikes[strike, col.MEMBERS]), able[strike]
        if strikes[strike, col.STEADY]:
            for k in range(lanes):
                row[k] = alive[k] & members
        else:
            least, most = W(strikes[strike, col.LEAST]), W(strikes[strike, col.MOST])
            for k in range(lanes):
                row[k] = NONE
            for unit in range(len(side.units)):
                bit, has = W(members & W(ONE << W(unit))), left[unit]
                for k in range(lanes):
                    row[k] |= bit if (has[k] >= least) & (has[k] <= most) else NONE
        if strikes[strike, col.GONE] != col.NOBODY:
            bit = W(ONE << W(strikes[strike, col.GONE]))
            for k in range(lanes):
                units = row[k]
                row[k] = units if W(foes[k] & bit) == NONE else NONE
        for need in range(strikes[strike, col.HELP], strikes[strike, col.HELP] + strikes[strike, col.HELPS]):
            friends = NONE
            for unit in range(len(side.units)):
                if helpers[need, unit] != col.NOBODY:
                    friends = W(friends | W(ONE << W(unit)))
            for k in range(lanes):
                units = row[k]
                row[k] = units if W(alive[k] & friends) != NONE else NONE


def mark_ready(side: Arms | Side, able: Rows, alive: Row, foes: Row, state: Spending, ready: Rows, lanes: Int) -> None:
    """Write which units are `ready` to make each strike: able to, and free to do so now, at an enemy that it hurts.

    `foes` are the enemies that can be aimed at: none where the battle is over.
    """
    guns, strikes = side.guns, side.strikes
    fired, loading, prepared = state.fired, state.loading, state.prepared
    spent, actions = state.spent, state.actions
    for strike in range(len(strikes)):
        gun, cost, pool = strikes[strike, col.GUN], strikes[strike, col.ACTIONS], strikes[strike, col.OF_POOL]
        row, units, reloading = ready[strike], able[strike], loading[gun]
        # Row n of a gun has the units that fired it at least n + 1 times: those that have too few attacks left.
        empty = fired[guns[gun, col.ROW] + guns[gun, col.ATTACKS] - strikes[strike, col.TAKES]]
        # Where a unit's actions aren't counted, the last row: it has nobody.
        tired = spent[pool - cost if pool > 0 else len(spent) - 1]
        whom, paid = W(strikes[strike, col.HURTS]), W(0 if strikes[strike, col.OF_FREE] else cost)
        for k in range(lanes):
            may = units[k] & W((empty[k] | tired[k] | reloading[k]) ^ col.ALL)
            row[k] = may if (foes[k] & whom != NONE) & (actions[k] >= paid) else NONE
        if strikes[strike, col.STAGE] != col.ANY:
            there, other = prepared[gun], W(col.ALL if strikes[strike, col.STAGE] == col.PREPARES else NONE)
            for k in range(lanes):
                row[k] &= W(there[k] ^ other)
        if keep_helped is not None:
            keep_helped(side, strike, alive, state, row, lanes)


def spend(side: Arms | Side, picked: Picked, alive: Row, state: Spending, bit: Row, lanes: Int) -> None:
    """Pay for the picked strikes: attacks of guns, actions of units and of the side's limit, preparation and help.

    `bit` is workspace: of each lane, the unit that makes the strike at hand.
    """
    guns, strikes = side.guns, side.strikes
    fired, prepared, spent, actions = state.fired, state.prepared, state.spent, state.actions
    chosen, aim, unit = picked.strike, picked.enemy, picked.unit
    for strike in range(len(strikes)):
        gun, cost, takes = strikes[strike, col.GUN], strikes[strike, col.ACTIONS], strikes[strike, col.TAKES]
        begin, paid = guns[gun, col.ROW], W(0 if strikes[strike, col.OF_FREE] else cost)
        for k in range(lanes):
            mine = chosen[k] == W(strike)
            bit[k] = unit[k] if mine else NONE
            actions[k] -= paid if mine else NONE
        if strikes[strike, col.OF_POOL] > 0:
            raise_rows(spent[: strikes[strike, col.OF_POOL]], cost, bit, lanes)
        if strikes[strike, col.STAGE] == col.PREPARES:
            row = prepared[gun]
            for k in range(lanes):
                row[k] |= bit[k]
        else:
            raise_rows(fired[begin : begin + guns[gun, col.ATTACKS]], takes, bit, lanes)
        if spend_help is not None:
            spend_help(side, strike, aim, alive, state, bit, lanes)


def raise_rows(rows: Rows, by: Int, bit: Row, lanes: Int) -> None:
    """Raise the counts of the units in `bit` `by` a number.

    Each of the `rows` has the units whose count is at least so large: at least 1, at least 2, and so on.
    """
    for step in range(len(rows)):
        level = len(rows) - 1 - step
        if level < by:
            add_units(rows[level], bit, bit, lanes)
        else:
            add_units(rows[level], bit, rows[level - by], lanes)


def add_units(row: Row, bit: Row, among: Row, lanes: Int) -> None:
    """Add to a `row` the units in `bit` that are `among` others."""
    for k in range(lanes):
        row[k] |= bit[k] & among[k]


def returns_fire(side: Arms | Side) -> bool:
    """Return whether any unit of a side returns fire."""
    strikes, any_of_them = side.strikes, False
    for strike in range(len(strikes)):
        any_of_them |= strikes[strike, col.RETURNS_FIRE] != 0
    return bool(any_of_them)


def pick_return_fire(
    side: Arms | Side, able: Rows, picked: Picked, back: tuple[Row, Row, Row], units: Int, lanes: Int
) -> None:
    """Write the strikes with which units of the `side` that was struck return fire to the picked ones.

    `able` is as after they were struck, `units` the number of units of the side that struck. `back` takes the strike
    (the number of strikes for none), the row of the unit that struck, and the bit of the unit that strikes back (0 for
    none).
    """
    strikes = side.strikes
    chosen, aim, unit = back
    struck, striker = picked.enemy, picked.unit
    for k in range(lanes):
        chosen[k], aim[k], unit[k] = W(len(strikes)), NONE, NONE
    for number in range(units):
        bit, at = W(ONE << W(number)), W(number)
        for k in range(lanes):
            who = aim[k]
            aim[k] = at if striker[k] == bit else who
    for later in range(len(strikes)):
        strike = len(strikes) - 1 - later
        if strikes[strike, col.RETURNS_FIRE]:
            row, hurts = able[strike], W(strikes[strike, col.HURTS])
            for k in range(lanes):
                was, by, bit = chosen[k], unit[k], W(row[k] & W(ONE << struck[k]))
                strikes_back = (bit != NONE) & (W(striker[k] & hurts) != NONE)
                chosen[k] = W(strike) if strikes_back else was
                unit[k] = bit if strikes_back else by


def begin_turn(limit: Int, state: Spending, lanes: Int) -> None:
    """Write that a side has spent nothing in its turn yet; `limit` is its limit of actions."""
    clear(state.fired, lanes)
    clear(state.spent, lanes)
    clear(state.helped, lanes)
    actions = state.actions
    for k in range(lanes):
        actions[k] = W(limit)


def clear(rows: Rows, lanes: Int) -> None:
    """Set all `lanes` of some `rows` to 0."""
    for at in range(len(rows)):
        for k in range(lanes):
            rows[at, k] = NONE


def end_turn(side: Arms | Side, state: Spending, lanes: Int) -> None:
    """Write which guns can't fire in their side's next turn: they fired in this one, and reload or fire only once."""
    guns = side.guns
    fired, loading = state.fired, state.loading
    for gun in range(len(guns)):
        if guns[gun, col.RELOADS] or guns[gun, col.ONCE]:
            row, now, stay = loading[gun], fired[guns[gun, col.ROW]], W(col.ALL if guns[gun, col.ONCE] else NONE)
            for k in range(lanes):
                row[k] = W(row[k] & stay) | now[k]


def mark_over(
    sides: tuple[Arms, Arms] | Sides, alive: Sequence[Row], able: Sequence[Rows], over: Row, lanes: Int
) -> None:
    """Write 1 into `over` where a side has no unit left that counts, or nobody can hurt one any more; else 0.

    `sides`, `alive` and `able` have for each side what `mark_able` has; `lanes` is the number of lanes.
    """
    counting_0, counting_1 = counting(sides[0].units), counting(sides[1].units)
    for k in range(lanes):
        over[k] = ONE
    for side in range(2):
        strikes, mine, theirs = sides[side].strikes, alive[side], alive[1 - side]
        # The battle isn't over if this side has a unit left that counts, and can hurt an enemy that counts.
        count, other = (counting_0, counting_1) if side == 0 else (counting_1, counting_0)
        for strike in range(len(strikes)):
            # A strike that needs help given before adds nothing: where it is possible, so is the strike with that help.
            if strikes[strike, col.HELPED_AT] != col.NOBODY:
                continue
            hurts, units = W(W(strikes[strike, col.HURTS]) & other), able[side][strike]
            for k in range(lanes):
                goes_on = (units[k] != NONE) & (W(theirs[k] & hurts) != NONE) & (W(mine[k] & count) != NONE)
                so_far = over[k]
                over[k] = NONE if goes_on else so_far


def all_can_hurt_all(sides: Sides) -> bool:
    """Return whether every unit, as long as it is left, can hurt every enemy that counts, and none strikes back.

    If so, a battle is over once a side has no unit left that counts, which is quicker to test than `mark_over`.
    """
    for side in range(2):
        if returns_fire(sides[side]):
            return False
        units, strikes, other = sides[side].units, sides[side].strikes, counting(sides[1 - side].units)
        hurting = NONE
        for strike in range(len(strikes)):
            free = (
                strikes[strike, col.GONE] == col.NOBODY
                and strikes[strike, col.HELPS] == 0
                and strikes[strike, col.HELPED_AT] == col.NOBODY
            )
            if free and strikes[strike, col.STEADY] and W(strikes[strike, col.HURTS]) & other == other:
                hurting |= W(strikes[strike, col.MEMBERS])
        if hurting != W((1 << len(units)) - 1):
            return False
    return True


def counting(units: Columns) -> np.uint16:
    """Return the units of a side that count, of which it has to have one left: a bit each."""
    bits = NONE
    for unit in range(len(units)):
        if units[unit, col.COUNTS] != 0:
            bits = W(bits | W(ONE << W(unit)))
    return bits


def needs_help(side: Arms | Side) -> bool:
    """Return whether any strike of a side needs help, given now or before in this turn."""
    strikes = side.strikes
    return bool(strikes[:, [col.HELPS, col.LASTS]].any() or (strikes[:, col.HELPED_AT] != col.NOBODY).any())


def drop_unhelped(side: Arms | Side, strike: Int, alive: Row, state: Spending, row: Row, lanes: Int) -> None:
    """Drop the units that lack the help that a strike needs, be it to be given now or given before in this turn."""
    strikes = side.strikes
    spent, helped, actions, remaining, friend = state.spent, state.helped, state.actions, state.remaining, state.helper
    if strikes[strike, col.HELPED_AT] != col.NOBODY:
        there = helped[strikes[strike, col.HELPED_AT]]
        for k in range(lanes):
            row[k] &= there[k]
    if strikes[strike, col.HELPS] > 0:
        paid = W(0 if strikes[strike, col.OF_FREE] else strikes[strike, col.ACTIONS])
        for k in range(lanes):
            remaining[k] = actions[k] - paid
        for need in range(strikes[strike, col.HELP], strikes[strike, col.HELP] + strikes[strike, col.HELPS]):
            pay_help(side, need, alive, spent, remaining, friend, lanes)
            for k in range(lanes):
                may = row[k]
                row[k] = may if friend[k] != NONE else NONE


def take_help(side: Arms | Side, strike: Int, aim: Row, alive: Row, state: Spending, bit: Row, lanes: Int) -> None:
    """Take what the help for a strike costs, and remember at whom it was given where that lasts.

    `aim` is the enemy at whom the strike is made, `bit` the unit that makes it: 0 in lanes where nobody does.
    """
    strikes = side.strikes
    spent, helped, actions, remaining, friend = state.spent, state.helped, state.actions, state.remaining, state.helper
    for need in range(strikes[strike, col.HELP], strikes[strike, col.HELP] + strikes[strike, col.HELPS]):
        for k in range(lanes):
            remaining[k] = actions[k]
        pay_help(side, need, alive, spent, remaining, friend, lanes)
        for k in range(lanes):
            other, before, mine = friend[k], actions[k], bit[k] != NONE
            friend[k] = other if mine else NONE
            actions[k] = remaining[k] if mine else before
        raise_rows(spent[: len(spent) - 1], _price(side.helpers[need]), friend, lanes)
    if strikes[strike, col.LASTS]:
        for enemy in range(len(helped)):
            row = helped[enemy]
            for k in range(lanes):
                row[k] |= bit[k] if aim[k] == W(enemy) else NONE


def pay_help(side: Arms | Side, need: Int, alive: Row, spent: Rows, remaining: Row, friend: Row, lanes: Int) -> None:
    """Write the first unit that can give some help, and take the help's cost from the actions that the side has left.

    `need` is the row of that help in `Arms.helpers`, `spent` as in `Spending`, `remaining` the actions left; `friend`
    takes the bit of the unit, 0 if no unit can help.
    """
    units, price = side.units, side.helpers[need]
    for k in range(lanes):
        friend[k] = NONE
    for back in range(len(units)):
        unit = len(units) - 1 - back
        if price[unit] == col.NOBODY:
            continue
        tired = spent[units[unit, col.POOL] - price[unit] if price[unit] > 0 else len(spent) - 1]
        bit, paid = W(ONE << W(unit)), W(0 if units[unit, col.FREE] else price[unit])
        for k in range(lanes):
            other, can = friend[k], (W(alive[k] & bit) != NONE) & (W(tired[k] & bit) == NONE) & (remaining[k] >= paid)
            friend[k] = bit if can else other
    for unit in range(len(units)):
        if price[unit] > 0 and not units[unit, col.FREE]:
            bit, paid = W(ONE << W(unit)), W(price[unit])
            for k in range(lanes):
                remaining[k] -= paid if friend[k] == bit else NONE


def _price(price: Columns) -> Int:
    """Return what some help costs, which is the same for all units that can give it."""
    most: Int = 0
    for unit in range(len(price)):
        most = max(most, price[unit])
    return most
