"""What a side may do in its turn, in many battles at once: what the kernel asks for all its lanes, the solver for one.

Units of a side are bits of a word of 16. What a gun has fired and a unit has spent stands in rows of such words: the
units whose gun fired at least once, at least twice, and so on. Plain loops that also compile, to vectors: each is over
all lanes, and has so few arrays that they can be told apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np

W = np.uint16
NONE, ONE, ALL = W(0), W(1), W(0xFFFF)

UNITS, GUNS, STRIKES, HELPERS, RANK, VOLLEY, SPOTS, PACES, SPANS, ASPECTS, WISHES, ORDERS = range(12)
OBJECTIVES, HOLDERS, OWNERS, POINTS, WINNERS, RIDERS, WRECKS = range(12, 19)
"""Parts of a side, first those that its actions depend on; `HELPERS`: by help and unit, the actions that the unit pays
for it, `NOBODY` if it can't give it; `RANK`: the order of a gain by strike, enemy, aspect and what the enemy has left;
`VOLLEY`: the effect by strike, enemy and aspect. From `PACES` on they say how units move, and are empty where nobody
does: see `aabalance.engine.battle.moving`; from `OBJECTIVES` on how points are scored, and are empty where none are:
see `aabalance.engine.battle.domination`; the last two who begins inside another, and what it loses with that one, by
rider and equally likely part: see `aabalance.engine.battle.cargo`."""
TOUGHNESS, POOL, FREE, WORTH, COUNTS, QUANTUM, HITS, PLACE, BELOW, SPENT_PLACE, HELPED_PLACE = range(11)
"""Columns of units: what it has, its actions, 1 if they are outside the limit, what it counts for, 1 if a side without
one has lost; the step by which it loses toughness, after how many it is gone, what one is in its side's number, and
how many the units have that fall after it, where they fall one after the other, else -1; in the number of what was
spent, what an action of it counts, and what the first of the enemies does at which it was helped (0: never asked)."""
ATTACKS, RELOADS, ONCE, ROW = range(4)
"""Columns of guns, of which equal units have one together: attacks a turn, 1 if it reloads, 1 if it has but one turn,
where its rows begin."""
MEMBERS, GUN, TAKES, ACTIONS, LEAST, MOST, OF_POOL, OF_FREE, HURTS, STEADY, ALONE = range(11)
"""Columns of strikes, of which equal units have one together: the units, their gun, how many of its attacks it takes,
actions, the toughness with which it is made, the units' actions (0: not counted), 1 if they are outside the
limit, the enemies whom it can hurt from anywhere that both may get to, 1 if any toughness will do, and 1 if its units
have no other strike."""
STAGE, GONE, HELP, HELPS, LASTS, HELPED_AT, RUNS_OUT, ANSWERS, UNIT = range(11, 20)
"""More of them: the stage, the enemy that has to be gone, the first help and how many it needs, 1 if one of them lasts,
the enemy at which such a help has to have been given in this turn (`NOBODY` for no enemy), 1 if the units' guns
could take more actions than they have, 1 if it is also made at whoever struck its unit, and the first of its units:
the only one where units move."""
ANY, PREPARES, NEEDS_PREPARED = range(3)
"""Stages of a strike: it asks for nothing, it prepares its gun and does no more, or its gun has to be prepared."""
OF_UNIT, OF_GUN, BIT, PREPARED_BIT, FIRED_PLACE = range(5)
"""Columns of spots, one for each gun of each unit: both; the bits that say that it can't fire and that it is prepared
(`NOBODY`: never asked), and what an attack of it counts in the number of what was spent, preparing being one more than
it has."""
AHEAD, BACK, COST, PLACE_BIT, CLASS_BIT = range(5)
"""Columns of paces, by unit: the steps that it gets ahead and back in a turn, the actions that takes, and where the
bits of its place, and those of the class of its last move, begin in a state (`NOBODY`: they never change)."""
LEAST_STEPS, MOST_STEPS, ENEMY = range(3)
"""Columns of wishes, by unit and rank: how far it wants to be, at least and at most, from the enemy that it likes so
much to fight."""
SPAN_ENEMY, SPAN_STRIKE, SPAN_MOVED, SPAN_CLASS = range(2, 6)
"""Columns of spans, besides both steps: a strike hurts an enemy who is so many steps away, if its unit has moved or not
and the enemy's last move was of that class (`NOBODY`: either, and any)."""
POSTURE, STOP, DEPTH, START, CLASSES, PLACE_BITS, CLASS_BITS, CLASS_STEPS = range(8)
"""Orders of a side: the number of its posture and the steps that it asks for, the depth of the ground, the place of its
line at the start, how many classes of moves there are, the bits that a place and a class take in a state, and the steps
from which on a move belongs to the third class and those after it; the first is to stay."""
RIDER, CARRIER, RIDING_BIT, RESTS = range(4)
"""Columns of riders: the unit and the one that it begins inside, the bit of a state that says that it has not got out,
and the actions that a turn of rest takes of it."""
NOBODY = -1
SIDE_UNITS = 16
"""Units of a side at most: a bit each in a word."""


def mark_able(side: Any, left: Any, alive: Any, foes: Any, able: Any, lanes: Any) -> None:
    """Write which units are left to make each strike, with the toughness, the friends and the enemies that it asks for.

    Parameters
    ----------
    side : tuple of arrays
        As `aabalance.engine.battle.packing.Packed.sides`.
    left : array of uint16, shape (units, lanes)
    alive, foes : array of uint16, shape (lanes,)
        Who is left of either side.
    able : array of uint16, shape (strikes, lanes)
        Written.
    lanes : uint64
    """
    strikes, helpers = side[STRIKES], side[HELPERS]
    for strike in range(len(strikes)):
        members, row = W(strikes[strike, MEMBERS]), able[strike]
        if strikes[strike, STEADY]:
            for k in range(lanes):
                row[k] = alive[k] & members
        else:
            least, most = W(strikes[strike, LEAST]), W(strikes[strike, MOST])
            for k in range(lanes):
                row[k] = NONE
            for unit in range(len(side[UNITS])):
                bit, has = W(members & W(ONE << W(unit))), left[unit]
                for k in range(lanes):
                    row[k] |= bit if (has[k] >= least) & (has[k] <= most) else NONE
        if strikes[strike, GONE] != NOBODY:
            bit = W(ONE << W(strikes[strike, GONE]))
            for k in range(lanes):
                units = row[k]
                row[k] = units if W(foes[k] & bit) == NONE else NONE
        for need in range(strikes[strike, HELP], strikes[strike, HELP] + strikes[strike, HELPS]):
            friends = NONE
            for unit in range(len(side[UNITS])):
                if helpers[need, unit] != NOBODY:
                    friends = W(friends | W(ONE << W(unit)))
            for k in range(lanes):
                units = row[k]
                row[k] = units if W(alive[k] & friends) != NONE else NONE


def mark_ready(side: Any, able: Any, hurts: Any, alive: Any, foes: Any, state: Any, ready: Any, lanes: Any) -> None:
    """Write which units may make each strike now, and hurt somebody with it.

    Parameters
    ----------
    side, able, alive, lanes
        As for `mark_able`.
    hurts : array of uint16, shape (strikes, lanes)
        The enemies whom each strike can hurt from where its units are. Where equal units, each with one strike, stand
        apart, there are more rows behind these, in fours: the enemies whom each unit can hurt from where it is.
    foes : array of uint16, shape (lanes,)
        The enemies who are left; none where the battle is over.
    state : tuple of arrays of uint16
        Of shape (rows, lanes): by gun the units that fired it this turn, that can't, and that prepared it; the units
        that spent so many actions, the last row nobody; by enemy, if that is ever asked, the units that were helped at
        it. Of shape (lanes,): what is left of the side's limit; two to be written on.
    ready : array of uint16, shape (strikes, lanes)
        Written.
    """
    guns, strikes = side[GUNS], side[STRIKES]
    fired, loading, prepared, spent, helped, actions, rest, friend = state
    for strike in range(len(strikes)):
        gun, cost, pool = strikes[strike, GUN], strikes[strike, ACTIONS], strikes[strike, OF_POOL]
        row, units, reloading = ready[strike], able[strike], loading[gun]
        stage = strikes[strike, STAGE]
        empty = fired[guns[gun, ROW] + guns[gun, ATTACKS] - strikes[strike, TAKES]]
        tired = spent[pool - cost if pool > 0 else len(spent) - 1]
        whom, paid = hurts[strike], W(0 if strikes[strike, OF_FREE] else cost)
        if pool > 0 or guns[gun, RELOADS] or guns[gun, ONCE]:
            for k in range(lanes):
                may = units[k] & W((empty[k] | tired[k] | reloading[k]) ^ ALL)
                row[k] = may if (foes[k] & whom[k] != NONE) & (actions[k] >= paid) else NONE
        else:
            for k in range(lanes):
                may = units[k] & W(empty[k] ^ ALL)
                row[k] = may if (foes[k] & whom[k] != NONE) & (actions[k] >= paid) else NONE
        if stage != ANY:
            there, other = prepared[gun], W(ALL if stage == PREPARES else NONE)
            for k in range(lanes):
                row[k] &= W(there[k] ^ other)
        if strikes[strike, HELPED_AT] != NOBODY:
            there = helped[strikes[strike, HELPED_AT]]
            for k in range(lanes):
                row[k] &= there[k]
        if strikes[strike, HELPS] > 0:
            for k in range(lanes):
                rest[k] = actions[k] - paid
            for need in range(strikes[strike, HELP], strikes[strike, HELP] + strikes[strike, HELPS]):
                pay_help(side, need, alive, spent, rest, friend, lanes)
                for k in range(lanes):
                    may = row[k]
                    row[k] = may if friend[k] != NONE else NONE
    if len(hurts) > len(strikes):
        reaching = friend
        for k in range(lanes):
            reaching[k] = NONE
        for at in range(len(strikes), len(hurts), 4):
            first = W(at - len(strikes))
            a, b, c, d = W(ONE << first), W(W(2) << first), W(W(4) << first), W(W(8) << first)
            for k in range(lanes):
                whom, units = foes[k], reaching[k]
                units = W(units | (a if W(hurts[at, k] & whom) != NONE else NONE))
                units = W(units | (b if W(hurts[at + 1, k] & whom) != NONE else NONE))
                units = W(units | (c if W(hurts[at + 2, k] & whom) != NONE else NONE))
                reaching[k] = units | (d if W(hurts[at + 3, k] & whom) != NONE else NONE)
        for strike in range(len(strikes)):
            row = ready[strike]
            for k in range(lanes):
                row[k] &= reaching[k]


def pay_help(side: Any, need: Any, alive: Any, spent: Any, rest: Any, friend: Any, lanes: Any) -> None:
    """Write the bit of the first unit that can give a help, and take what it costs from what the side has left.

    Parameters
    ----------
    side : tuple of arrays
        As for `mark_able`.
    need : int
        The row of `HELPERS` of that help.
    alive : array of uint16, shape (lanes,)
        The units left: a bit each.
    spent : array of uint16, shape (actions + 1, lanes)
        The units that spent so many actions; the last row has nobody.
    rest : array of uint16, shape (lanes,)
        Actions that the side has left; changed.
    friend : array of uint16, shape (lanes,)
        Written: the bit of the unit, 0 if nobody can.
    lanes : uint64
    """
    units, price = side[UNITS], side[HELPERS][need]
    for k in range(lanes):
        friend[k] = NONE
    for back in range(len(units)):
        unit = len(units) - 1 - back
        if price[unit] == NOBODY:
            continue
        bit, tired = W(ONE << W(unit)), spent[units[unit, POOL] - price[unit] if price[unit] > 0 else len(spent) - 1]
        paid = W(0 if units[unit, FREE] else price[unit])
        for k in range(lanes):
            other, can = friend[k], (W(alive[k] & bit) != NONE) & (W(tired[k] & bit) == NONE) & (rest[k] >= paid)
            friend[k] = bit if can else other
    for unit in range(len(units)):
        if price[unit] > 0 and not units[unit, FREE]:
            bit, paid = W(ONE << W(unit)), W(price[unit])
            for k in range(lanes):
                rest[k] -= paid if friend[k] == bit else NONE


def spend(side: Any, picked: Any, alive: Any, state: Any, bit: Any, lanes: Any) -> None:
    """Take what the picked strikes take of guns, units and the limit.

    Parameters
    ----------
    side, alive, state, lanes
        As for `mark_ready`; the state is changed.
    picked : tuple of arrays of uint16, shape (lanes,)
        The strikes, as policies write them.
    bit : array of uint16, shape (lanes,)
        Written on.
    """
    guns, strikes = side[GUNS], side[STRIKES]
    fired, _, prepared, spent, helped, actions, rest, friend = state
    chosen, aim, unit, _, _, _ = picked
    for strike in range(len(strikes)):
        gun, cost, takes = strikes[strike, GUN], strikes[strike, ACTIONS], strikes[strike, TAKES]
        begin, paid = guns[gun, ROW], W(0 if strikes[strike, OF_FREE] else cost)
        for k in range(lanes):
            mine = chosen[k] == W(strike)
            bit[k] = unit[k] if mine else NONE
            actions[k] -= paid if mine else NONE
        if strikes[strike, OF_POOL] > 0:
            raise_rows(spent[: strikes[strike, OF_POOL]], cost, bit, lanes)
        if strikes[strike, STAGE] == PREPARES:
            row = prepared[gun]
            for k in range(lanes):
                row[k] |= bit[k]
        else:
            raise_rows(fired[begin : begin + guns[gun, ATTACKS]], takes, bit, lanes)
        for need in range(strikes[strike, HELP], strikes[strike, HELP] + strikes[strike, HELPS]):
            for k in range(lanes):
                rest[k] = actions[k]
            pay_help(side, need, alive, spent, rest, friend, lanes)
            for k in range(lanes):
                other, before, mine = friend[k], actions[k], bit[k] != NONE
                friend[k] = other if mine else NONE
                actions[k] = rest[k] if mine else before
            raise_rows(spent[: len(spent) - 1], _price(side[HELPERS][need]), friend, lanes)
        if strikes[strike, LASTS]:
            for enemy in range(len(helped)):
                row = helped[enemy]
                for k in range(lanes):
                    row[k] |= bit[k] if aim[k] == W(enemy) else NONE


def _price(price: Any) -> Any:
    most = 0
    for unit in range(len(price)):
        most = max(most, price[unit])
    return most


def raise_rows(rows: Any, by: Any, bit: Any, lanes: Any) -> None:
    """Count up for some units, in rows of which each has the units that count so many or more.

    Parameters
    ----------
    rows : array of uint16, shape (counts, lanes)
        The units that count 1 or more, 2 or more and so on: a bit each. Changed.
    by : int
        By how much to count up.
    bit : array of uint16, shape (lanes,)
        The units: a bit each.
    lanes : uint64
    """
    for step in range(len(rows)):
        level = len(rows) - 1 - step
        row = rows[level]
        if level < by:
            for k in range(lanes):
                row[k] |= bit[k]
        else:
            lower = rows[level - by]
            for k in range(lanes):
                row[k] |= bit[k] & lower[k]


def answers(side: Any) -> bool:
    """Return whether any unit of a side strikes back."""
    strikes, any_of_them = side[STRIKES], False
    for strike in range(len(strikes)):
        any_of_them |= strikes[strike, ANSWERS] != 0
    return bool(any_of_them)


def pick_answer(side: Any, able: Any, picked: Any, back: Any, units: Any, lanes: Any) -> None:
    """Write with what those who were struck strike back, and at whom.

    Parameters
    ----------
    side : tuple of arrays
        That of those who were struck.
    able : array of uint16, shape (strikes, lanes)
        From `mark_able`, after the blow.
    picked : tuple of arrays
        The strikes that were made, as policies write them.
    back : tuple of arrays of uint16, shape (lanes,)
        Written: the strike (as many as there are strikes for none), the place of the unit that struck, and the bit of
        the one that strikes back (0 for none).
    units : int
        Of the side that struck.
    lanes : uint64
    """
    strikes = side[STRIKES]
    chosen, aim, unit = back
    _, struck, striker, _, _, _ = picked
    for k in range(lanes):
        chosen[k], aim[k], unit[k] = W(len(strikes)), NONE, NONE
    for number in range(units):
        bit, at = W(ONE << W(number)), W(number)
        for k in range(lanes):
            who = aim[k]
            aim[k] = at if striker[k] == bit else who
    for later in range(len(strikes)):
        strike = len(strikes) - 1 - later
        if strikes[strike, ANSWERS]:
            row, hurts = able[strike], W(strikes[strike, HURTS])
            for k in range(lanes):
                was, by, bit = chosen[k], unit[k], W(row[k] & W(ONE << struck[k]))
                strikes_back = (bit != NONE) & (W(striker[k] & hurts) != NONE)
                chosen[k] = W(strike) if strikes_back else was
                unit[k] = bit if strikes_back else by


def put_gains(rows: Any, aim: Any, fresh: Any, lanes: Any) -> None:
    """Write a strike's gain from the enemy aimed at.

    Parameters
    ----------
    rows : array of uint16, shape (enemies, lanes)
        The gains of one strike; changed. Enemies come in fours and a last pair.
    aim : array of uint16, shape (lanes,)
        The enemy.
    fresh : array of uint16, shape (lanes,)
        The gain from it now.
    lanes : uint64
    """
    for at in range(0, len(rows) - 2, 4):
        a, b, c, d = W(at), W(at + 1), W(at + 2), W(at + 3)
        for k in range(lanes):
            who, gain = aim[k], fresh[k]
            of_a, of_b, of_c, of_d = rows[at, k], rows[at + 1, k], rows[at + 2, k], rows[at + 3, k]
            rows[at, k] = gain if who == a else of_a
            rows[at + 1, k] = gain if who == b else of_b
            rows[at + 2, k] = gain if who == c else of_c
            rows[at + 3, k] = gain if who == d else of_d
    if len(rows) % 4:
        last, a, b = len(rows) - 2, W(len(rows) - 2), W(len(rows) - 1)
        for k in range(lanes):
            who, gain = aim[k], fresh[k]
            of_a, of_b = rows[last, k], rows[last + 1, k]
            rows[last, k] = gain if who == a else of_a
            rows[last + 1, k] = gain if who == b else of_b


def end_turn(side: Any, state: Any, lanes: Any) -> None:
    """Write which guns can't fire in the next turn of their side.

    Parameters
    ----------
    side, state, lanes
        As for `mark_ready`.
    """
    guns = side[GUNS]
    fired, loading = state[0], state[1]
    for gun in range(len(guns)):
        if guns[gun, RELOADS] or guns[gun, ONCE]:
            row, now, stay = loading[gun], fired[guns[gun, ROW]], W(ALL if guns[gun, ONCE] else NONE)
            for k in range(lanes):
                row[k] = W(row[k] & stay) | now[k]


def dearness_of(sides: Any) -> tuple[Any, Any]:
    """Return which of either side's units each is, from the dearest to the cheapest, equals as listed."""
    worths = [np.pad(side[UNITS][:, WORTH], (0, SIDE_UNITS - len(side[UNITS])), constant_values=-1) for side in sides]
    orders = [np.argsort(-worth, kind="stable") for worth in worths]
    return np.argsort(orders[0]), np.argsort(orders[1])
