"""One turn of a side, in all the ways that it may go: strikes one after another, each chosen once the last has fallen.

Plain loops that also compile. Ways that come to the same after equally many strikes are one way from there on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle import policies

NOBODY = policies.NOBODY
TOUGHNESS, POOL, FREE, WORTH, COUNTS, QUANTUM, HITS, PLACE, BELOW = range(9)
"""Columns of units: what it has, its actions, 1 if they are outside the limit, what it counts for, 1 if a side without
one has lost; the step by which it loses toughness, after how many it is gone, what one is in its side's number, and
how many the units have that fall after it, where they fall one after the other, else -1."""
OF_UNIT, ATTACKS, RELOAD, FIRED_PLACE, SPENT_PLACE = range(5)
"""Columns of guns: unit, attacks a turn, the bit that says it has to reload (-1: never), what an attack of it counts in
the number of what was spent, and what an action of its unit does."""
UNIT, GUN, TAKES, ACTIONS, LEAST, MOST = range(6)
"""Columns of strikes: unit, gun, how many of its attacks it takes, actions, and the toughness with which it is made."""
UNITS, GUNS, STRIKES, RANK, VOLLEY = range(5)
"""Parts of a side; `RANK`: the order of a gain by strike, enemy and what that has left; `VOLLEY`: the effect."""

TOO_MANY = -1
MIX, MIX_MORE, MIX_BITS = 0x9E3779B97F4A7C1, 0x5851F42D4C957F3, 29

choose_0 = choose_1 = policies.value
"""Stand-ins for the policies of both sides."""


def turn(side: Any, sides: Any, limit: Any, outcomes: Any, now: Any, room: Any) -> Any:
    """Play a turn in all its ways.

    Parameters
    ----------
    side : int
        Whose turn it is.
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.tables.Battle.sides`.
    limit : int
        Actions of that side.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.
    now : tuple of int
        Both sides' numbers of what is left, and the bits of the guns that reload.
    room : tuple of arrays
        From `room_for`. Its last three hold the result, by way: the number of the enemies, twice that of the bits and
        1 more if the battle is over, and the chance.

    Returns
    -------
    int
        Ways to go on, or `TOO_MANY`.
    """
    mine, yours = sides[side], sides[1 - side]
    guns, strikes, volley = mine[GUNS], mine[STRIKES], mine[VOLLEY]
    start, amount, chance, stay = outcomes
    (
        serial,
        slots,
        way_slots,
        steps_of,
        spent_of,
        p_of,
        own,
        left,
        worth,
        fired,
        spent,
        ready,
        steps_to,
        after_to,
        p_to,
    ) = room
    enemies, most = len(yours[UNITS]), len(steps_of)
    unpack(mine[UNITS], now[side], own[side])
    for enemy in range(enemies):
        worth[enemy] = yours[UNITS][enemy, WORTH]
    reloading = now[2]
    kept = reloading
    for gun in range(len(guns)):
        if guns[gun, RELOAD] >= 0 and (reloading >> guns[gun, RELOAD]) & 1:
            kept -= 1 << guns[gun, RELOAD]
    ways = 0
    # Numbers in `slots` go on from turn to turn, so that old ones never look new.
    base = serial[0]
    serial[0] = base + most
    steps_of[0], spent_of[0], p_of[0] = now[1 - side], 0, 1.0
    first, end = 0, 1
    while first < end:
        level = end
        for at in range(first, level):
            unpack(yours[UNITS], steps_of[at], own[1 - side])
            for enemy in range(enemies):
                left[enemy] = own[1 - side][enemy]
            _ready(mine, limit, spent_of[at], reloading, own[side], fired, spent, ready)
            if side == 0:
                pick = choose_0(mine, ready[: len(strikes)], worth[:enemies], left[:enemies])
            else:
                pick = choose_1(mine, ready[: len(strikes)], worth[:enemies], left[:enemies])
            if pick == NOBODY:
                after = kept
                for gun in range(len(guns)):
                    if guns[gun, RELOAD] >= 0 and fired[gun] > 0:
                        after += 1 << guns[gun, RELOAD]
                way = place(way_slots, base, 0, ways, steps_to, after_to, steps_of[at], 2 * after)
                if way == ways:
                    if ways == most:
                        return TOO_MANY
                    steps_to[way], after_to[way], p_to[way] = steps_of[at], 2 * after, 0.0
                    ways += 1
                p_to[way] += p_of[at]
                continue
            strike, enemy = pick // enemies, pick % enemies
            gun = strikes[strike, GUN]
            used = spent_of[at] + strikes[strike, TAKES] * guns[gun, FIRED_PLACE]
            used += strikes[strike, ACTIONS] * guns[gun, SPENT_PLACE]
            effect = volley[strike, enemy]
            quantum, unit_place = yours[UNITS][enemy, QUANTUM], yours[UNITS][enemy, PLACE]
            remaining = steps_left(yours[UNITS], enemy, steps_of[at])
            for x in range(start[effect] - 1, start[effect + 1]):
                if x < start[effect]:
                    p, lost = stay[effect], 0
                    if p == 0.0:
                        continue
                else:
                    p, lost = chance[x], min(remaining, amount[x] // quantum)
                p *= p_of[at]
                steps = steps_of[at] - lost * unit_place
                if lost > 0:
                    own[1 - side][enemy] = toughness(yours[UNITS], enemy, remaining - lost)
                    if over(sides, own):
                        way = place(way_slots, base, 0, ways, steps_to, after_to, steps, 1)
                        if way == ways:
                            if ways == most:
                                return TOO_MANY
                            steps_to[way], after_to[way], p_to[way] = steps, 1, 0.0
                            ways += 1
                        p_to[way] += p
                        continue
                to = place(slots, base, level, end, steps_of, spent_of, steps, used)
                if to == end:
                    if end == most:
                        return TOO_MANY
                    steps_of[to], spent_of[to], p_of[to] = steps, used, 0.0
                    end += 1
                p_of[to] += p
        first = level
    return ways


def place(slots: Any, base: Any, first: Any, end: Any, keys: Any, more_keys: Any, key: Any, more: Any) -> Any:
    """Return where among ``first .. end - 1`` a pair of keys is, or `end` if it is new, whose place is then taken.

    `slots` is an open table of serial numbers, from `base` on; those below belong to something else, and are free.
    """
    mask = len(slots) - 1
    at = key * MIX + more * MIX_MORE
    at = (at ^ (at >> MIX_BITS)) & mask
    while True:
        found = slots[at] - base
        if found < first or found >= end:
            slots[at] = base + end
            return end
        if keys[found] == key and more_keys[found] == more:
            return found
        at = (at + 1) & mask


def unpack(units: Any, number: Any, left: Any) -> None:
    """Write what toughness the units of a side have left, from their number."""
    for unit in range(len(units)):
        left[unit] = toughness(units, unit, steps_left(units, unit, number))


def steps_left(units: Any, unit: Any, number: Any) -> Any:
    """Return after how many more steps a unit is gone, by its side's number."""
    if units[unit, BELOW] < 0:
        return number // units[unit, PLACE] % (units[unit, HITS] + 1)
    return min(max(number - units[unit, BELOW], 0), units[unit, HITS])


def toughness(units: Any, unit: Any, steps: Any) -> Any:
    """Return what is left of a unit with so many steps to go."""
    if steps == 0:
        return 0
    return units[unit, TOUGHNESS] - (units[unit, HITS] - steps) * units[unit, QUANTUM]


def over(sides: Any, left: Any) -> bool:
    """Return whether a side has no unit left that counts, or nobody can hurt one any more."""
    for side in range(2):
        units = sides[side][UNITS]
        some = False
        for unit in range(len(units)):
            some = some or (units[unit, COUNTS] != 0 and left[side][unit] > 0)
        if not some:
            return True
    return not (
        _hurts(sides[0], sides[1][UNITS], left[0], left[1]) or _hurts(sides[1], sides[0][UNITS], left[1], left[0])
    )


def _hurts(mine: Any, enemies: Any, own: Any, left: Any) -> bool:
    strikes, rank = mine[STRIKES], mine[RANK]
    for strike in range(len(strikes)):
        if strikes[strike, LEAST] <= own[strikes[strike, UNIT]] <= strikes[strike, MOST]:
            for enemy in range(len(enemies)):
                if enemies[enemy, COUNTS] != 0 and rank[strike, enemy, left[enemy]] > 0:
                    return True
    return False


def _ready(mine: Any, limit: Any, used: Any, reloading: Any, own: Any, fired: Any, spent: Any, ready: Any) -> None:
    """Write what each gun has fired and each unit spent, and which strikes are ready."""
    units, guns = mine[UNITS], mine[GUNS]
    total = 0
    for gun in range(len(guns)):
        unit = guns[gun, OF_UNIT]
        fired[gun] = used // guns[gun, FIRED_PLACE] % (guns[gun, ATTACKS] + 1)
        if gun == 0 or guns[gun - 1, OF_UNIT] != unit:
            spent[unit] = used // guns[gun, SPENT_PLACE] % (units[unit, POOL] + 1)
            if units[unit, FREE] == 0:
                total += spent[unit]
    mark_ready(mine, limit - total, reloading, own, fired, spent, ready)


def mark_ready(mine: Any, actions: Any, reloading: Any, own: Any, fired: Any, spent: Any, ready: Any) -> None:
    """Write which strikes are ready, of a side that has so many actions left."""
    units, guns, strikes = mine[UNITS], mine[GUNS], mine[STRIKES]
    for strike in range(len(strikes)):
        unit, gun, taken = strikes[strike, UNIT], strikes[strike, GUN], strikes[strike, ACTIONS]
        fits = strikes[strike, LEAST] <= own[unit] <= strikes[strike, MOST]
        fits = fits and spent[unit] + taken <= units[unit, POOL]
        fits = fits and (units[unit, FREE] != 0 or taken <= actions)
        fits = fits and fired[gun] + strikes[strike, TAKES] <= guns[gun, ATTACKS]
        reload = guns[gun, RELOAD]
        ready[strike] = fits and not (reload >= 0 and (reloading >> reload) & 1)


def room_for(sides: Any, ways: int) -> tuple[Any, ...]:
    """Return room for the turns of both sides, each of which may go in so many ways."""
    units, guns, strikes = (max(len(side[part]) for side in sides) for part in (UNITS, GUNS, STRIKES))
    serial, (slots, way_slots) = np.zeros(1, dtype=np.int64), np.full((2, 2 * ways), -1, dtype=np.int64)
    steps, spent, steps_to, after_to = np.zeros((4, ways), dtype=np.int64)
    left = np.zeros((2, units), dtype=np.int64)
    scratch = tuple(np.zeros(length, dtype=np.int64) for length in (units, units, guns, units, strikes))
    return (serial, slots, way_slots, steps, spent, np.zeros(ways), left, *scratch, steps_to, after_to, np.zeros(ways))
