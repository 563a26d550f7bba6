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

UNITS, GUNS, STRIKES, RANK, VOLLEY, SPOTS = range(6)
"""Parts of a side; `RANK`: the order of a gain by strike, enemy and what that has left; `VOLLEY`: the effect."""
TOUGHNESS, POOL, FREE, WORTH, COUNTS, QUANTUM, HITS, PLACE, BELOW, SPOT = range(10)
"""Columns of units: what it has, its actions, 1 if they are outside the limit, what it counts for, 1 if a side without
one has lost; the step by which it loses toughness, after how many it is gone, what one is in its side's number, and
how many the units have that fall after it, where they fall one after the other, else -1; where its spots begin."""
ATTACKS, RELOADS, ROW = range(3)
"""Columns of guns, of which equal units have one together: attacks a turn, 1 if it reloads, where its rows begin."""
MEMBERS, GUN, TAKES, ACTIONS, LEAST, MOST, OF_POOL, OF_FREE, HURTS, STEADY, BARREL, ALONE = range(12)
"""Columns of strikes, of which equal units have one together: the units, their gun, how many of its attacks it takes,
actions, the toughness with which it is made, the units' actions (0: they never run out), 1 if they are outside the
limit, the enemies whom it can hurt, 1 if any toughness will do, which of its unit's guns it is, and 1 if its units have
no other strike."""
OF_UNIT, OF_GUN, BIT, FIRED_PLACE, SPENT_PLACE = range(5)
"""Columns of spots, one for each gun of each unit: both; the bit that says it has to reload (-1: never), what an attack
of it counts in the number of what was spent, and what an action of its unit does."""


def mark_able(side: Any, left: Any, alive: Any, able: Any, lanes: Any) -> None:
    """Write which units are left to make each strike, and have the toughness for it.

    Parameters
    ----------
    side : tuple of arrays
        As `aabalance.engine.battle.tables.Battle.sides`.
    left : array of uint16, shape (units, lanes)
    alive : array of uint16, shape (lanes,)
    able : array of uint16, shape (strikes, lanes)
        Written.
    lanes : uint64
    """
    strikes = side[STRIKES]
    for strike in range(len(strikes)):
        members, row = W(strikes[strike, MEMBERS]), able[strike]
        if strikes[strike, STEADY]:
            for k in range(lanes):
                row[k] = alive[k] & members
            continue
        least, most = W(strikes[strike, LEAST]), W(strikes[strike, MOST])
        for k in range(lanes):
            row[k] = NONE
        for unit in range(len(left)):
            bit, has = members & (ONE << W(unit)), left[unit]
            for k in range(lanes):
                row[k] |= bit if (has[k] >= least) & (has[k] <= most) else NONE


def mark_ready(
    side: Any, able: Any, foes: Any, fired: Any, reloading: Any, spent: Any, actions: Any, ready: Any, lanes: Any
) -> None:
    """Write which units may make each strike now, and hurt somebody with it.

    Parameters
    ----------
    side, able, lanes
        As for `mark_able`.
    foes : array of uint16, shape (lanes,)
        The enemies who are left; none where the battle is over.
    fired, reloading, spent : array of uint16, shape (rows, lanes)
        Units by what was fired this turn, by gun, and whose gun reloads; and by what was spent.
    actions : array of uint16, shape (lanes,)
        What is left of the side's limit.
    ready : array of uint16, shape (strikes, lanes)
        Written.
    """
    guns, strikes = side[GUNS], side[STRIKES]
    for strike in range(len(strikes)):
        gun, cost = strikes[strike, GUN], strikes[strike, ACTIONS]
        row, units = ready[strike], able[strike]
        empty = fired[guns[gun, ROW] + guns[gun, ATTACKS] - strikes[strike, TAKES]]
        # The last row is of nobody.
        pool, loading = strikes[strike, OF_POOL], reloading[gun]
        tired = spent[pool - cost if pool > 0 else len(spent) - 1]
        hurts, paid = W(strikes[strike, HURTS]), W(0 if strikes[strike, OF_FREE] else cost)
        for k in range(lanes):
            may = units[k] & ((empty[k] | tired[k] | loading[k]) ^ ALL)
            row[k] = may if (foes[k] & hurts != NONE) & (actions[k] >= paid) else NONE


def spend(side: Any, picked: Any, fired: Any, spent: Any, actions: Any, bit: Any, lanes: Any) -> None:
    """Take what the picked strikes take of guns, units and the limit; parameters as for `mark_ready`.

    `bit` is written on.
    """
    guns, strikes = side[GUNS], side[STRIKES]
    chosen, _, unit, _, _, _ = picked
    for strike in range(len(strikes)):
        gun, cost, takes = strikes[strike, GUN], strikes[strike, ACTIONS], strikes[strike, TAKES]
        begin, paid = guns[gun, ROW], W(0 if strikes[strike, OF_FREE] else cost)
        for k in range(lanes):
            mine = chosen[k] == W(strike)
            bit[k] = unit[k] if mine else NONE
            actions[k] -= paid if mine else NONE
        _raise(fired[begin : begin + guns[gun, ATTACKS]], takes, bit, lanes)
        _raise(spent[: strikes[strike, OF_POOL]], cost, bit, lanes)


def _raise(rows: Any, by: Any, bit: Any, lanes: Any) -> None:
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


def mark_over(sides: Any, alive: Any, able: Any, over: Any, lanes: Any) -> None:
    """Write 1 where a side has no unit left that counts, or nobody can hurt one any more.

    Parameters
    ----------
    sides, alive, able : pair
        Of both sides, as for `mark_able`.
    over : array of uint16, shape (lanes,)
        Written.
    """
    counting_0, counting_1 = counting(sides[0][UNITS]), counting(sides[1][UNITS])
    for k in range(lanes):
        over[k] = ONE
    for side in range(2):
        strikes, mine, theirs = sides[side][STRIKES], alive[side], alive[1 - side]
        # Whoever counts on this side, as long as both have somebody who does.
        count, other = (counting_0, counting_1) if side == 0 else (counting_1, counting_0)
        for strike in range(len(strikes)):
            hurts, units = W(strikes[strike, HURTS]) & other, able[side][strike]
            for k in range(lanes):
                goes_on = (units[k] != NONE) & (theirs[k] & hurts != NONE) & (mine[k] & count != NONE)
                so_far = over[k]
                over[k] = NONE if goes_on else so_far


def is_keen(sides: Any) -> bool:
    """Return whether every unit, as long as it is left, can hurt every enemy that counts."""
    for side in range(2):
        units, strikes, other = sides[side][UNITS], sides[side][STRIKES], counting(sides[1 - side][UNITS])
        keen = NONE
        for strike in range(len(strikes)):
            if strikes[strike, STEADY] and W(strikes[strike, HURTS]) & other == other:
                keen |= W(strikes[strike, MEMBERS])
        if keen != W((1 << len(units)) - 1):
            return False
    return True


def counting(units: Any) -> Any:
    """Return the units that count: a bit each."""
    bits = NONE
    for unit in range(len(units)):
        if units[unit, COUNTS] != 0:
            bits |= ONE << W(unit)
    return bits


def in_fours(side: Any) -> int:
    """Return how many rows a side's units take: they come in fours, the last of which need not exist."""
    return -(-len(side[UNITS]) // 4) * 4


def dearest_first(sides: Any) -> tuple[Any, Any]:
    """Return the rows of either side's units from the dearest to the cheapest, equals as listed."""
    worths = [
        np.pad(side[UNITS][:, WORTH], (0, in_fours(side) - len(side[UNITS])), constant_values=-1) for side in sides
    ]
    return np.argsort(-worths[0], kind="stable"), np.argsort(-worths[1], kind="stable")
