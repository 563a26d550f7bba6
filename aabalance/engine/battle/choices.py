"""Every choice of a side that follows no policy, and what leads where: the tree that `best` solves.

A node is a state of the battle and what the side has spent of its turn so far; a state of the other side's turn is a
node with one choice. Plain loops that also compile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aabalance.engine.battle.graph import BITS_AT, FIRST_ROOM, MOVER, OVER
from aabalance.engine.battle.lanes import (
    ATTACKS,
    BIT,
    FIRED_PLACE,
    GUNS,
    HELPED_PLACE,
    HELPERS,
    HURTS,
    NOBODY,
    NONE,
    OF_GUN,
    OF_UNIT,
    ONE,
    PLACE,
    POOL,
    PREPARED_BIT,
    PREPARES,
    QUANTUM,
    RANK,
    SPENT_PLACE,
    SPOTS,
    STAGE,
    STRIKES,
    UNITS,
    VOLLEY,
    W,
    answers,
    mark_able,
    mark_ready,
    pick_answer,
    spend,
)
from aabalance.engine.battle.turns import (
    NO_EFFECT,
    TOO_MANY,
    bits_after,
    is_over,
    kept_bits,
    pack_spent,
    place,
    steps_left,
    toughness,
    turn,
    unpack,
    unpack_spent,
)


class Tree(NamedTuple):
    """Nodes in the order in which they were found, the first two at full strength: side 0 to move, and side 1.

    Attributes
    ----------
    states : array of int64, shape (n,)
        As in `aabalance.engine.battle.graph.Graph`; within a turn the bits stay as they were at its beginning.
    spent : array of int64, shape (n,)
        The number of what was fired and spent in the turn; 0 at its beginning.
    choices : array of int64, shape (n + 1,)
        Where each node's choices begin.
    first : array of int64, shape (choices + 1,)
        Where the ways of each choice begin.
    to : array of int32
    p : array of float
    """

    states: Any
    spent: Any
    choices: Any
    first: Any
    to: Any
    p: Any


def reach(
    me: Any,
    sides: Any,
    limits: Any,
    policies: Any,
    outcomes: Any,
    full: Any,
    span: Any,
    bits: Any,
    begin: Any,
    most_states: Any,
    most_ways: Any,
    room: Any,
) -> Any:
    """Find all nodes that can be reached from full strength.

    Parameters
    ----------
    me : int
        The side that chooses.
    sides, limits, policies, outcomes, full, span, bits, begin, most_states, most_ways, room
        As for `aabalance.engine.battle.graph.reach`; that side's policy is never asked.

    Returns
    -------
    states, spent, choices, first, to, p : arrays
        As in `Tree`; without nodes if there are too many.
    """
    states, spent = np.empty(FIRST_ROOM, np.int64), np.zeros(FIRST_ROOM, np.int64)
    choices, first = np.zeros(FIRST_ROOM + 1, np.int64), np.zeros(FIRST_ROOM + 1, np.int64)
    to, p = np.empty(FIRST_ROOM, np.int32), np.empty(FIRST_ROOM)
    slots = np.full(4 * FIRST_ROOM, -1, np.int64)
    left_to, after_to, p_to = room[-3], room[-2], room[-1]
    spent_to, begins = np.zeros(len(p_to), np.int64), np.zeros(len(p_to) + 1, np.int64)
    spot_of = np.zeros(len(sides[me][UNITS]), np.int64)
    _mark_exchangeable(sides[me], answers(sides[1 - me]), spot_of)
    ended = 1 if is_over(sides, full, room) else 0
    for side in range(2):
        states[side] = ((full[0] * span + full[1]) << bits + BITS_AT) | begin << BITS_AT | (ended << OVER) | side
        place(slots, 0, 0, side, states, spent, states[side], 0)
    count, made, ways = 2, 0, 0
    at = 0
    while at < count:
        state = states[at]
        choices[at] = made
        if (state >> OVER) & 1 == 0:
            side = (state >> MOVER) & 1
            left = state >> (bits + BITS_AT)
            now = left, span, (state >> BITS_AT) & ((1 << bits) - 1)
            if side == me:
                offers = _offers(me, sides, limits[me], outcomes, now, spent[at], spot_of, room, spent_to, begins)
                found = offers if offers == TOO_MANY else begins[offers]
            else:
                offers, found = 1, turn(side, sides, limits[side], policies[side], outcomes, now, room)
                begins[0], spent_to[:] = 0, 0
            if found == TOO_MANY or count + found > most_states or ways + found > most_ways:
                return states[:0], spent[:0], choices[:0], first[:0], to[:0], p[:0]
            while ways + found > len(to):
                to, p = np.append(to, to), np.append(p, p)
            while made + offers >= len(first):
                first = np.append(first, first)
            while count + found > len(states):
                states, spent, choices = np.append(states, states), np.append(spent, spent), np.append(choices, choices)
                slots = np.full(4 * len(states), -1, np.int64)
                for n in range(count):
                    place(slots, 0, 0, n, states, spent, states[n], spent[n])
            for offer in range(offers):
                first[made + offer] = ways + begins[offer]
            made += offers
            for way in range(found):
                after, used = after_to[way], spent_to[way]
                bound = left_to[way] << bits + BITS_AT
                if after & 1:
                    bound |= 1 << OVER
                else:
                    bound |= after >> 1 << BITS_AT | (side if used > 0 else 1 - side)
                node = place(slots, 0, 0, count, states, spent, bound, used)
                if node == count:
                    states[node], spent[node] = bound, used
                    count += 1
                to[ways], p[ways] = node, p_to[way]
                ways += 1
        at += 1
    choices[count] = made
    first[made] = ways
    return states[:count], spent[:count], choices[: count + 1], first[: made + 1], to[:ways], p[:ways]


def _offers(
    side: Any,
    sides: Any,
    limit: Any,
    outcomes: Any,
    now: Any,
    used: Any,
    spot_of: Any,
    room: Any,
    spent_to: Any,
    begins: Any,
) -> Any:
    """Write where all that a side may choose from can lead.

    Parameters
    ----------
    side, sides, limit, outcomes, now, room
        As for `aabalance.engine.battle.turns.turn`, which says what the last three arrays hold; the bits are those at
        the beginning of the turn as long as it goes on.
    used : int
        What was spent of the turn.
    spot_of : array of int64, shape (units,)
        From `_mark_exchangeable`.
    spent_to : array of int64
        Written: what is spent of the turn then; 0 if it ends.
    begins : array of int64
        Written: where the ways of each choice begin, and where those of the last end.

    Returns
    -------
    int
        Choices, or `TOO_MANY`.
    """
    mine, yours = sides[side], sides[1 - side]
    strikes, volley = mine[STRIKES], mine[VOLLEY]
    start, amount, chance, stay = outcomes
    _, _, _, _, _, _, lane, left_to, after_to, p_to = room
    left, alive, able, state, ready, _, picked, _, scratch, _, hurts, _, _ = lane
    chosen, aim, unit_bit, _, _, _ = picked
    lanes, most = np.uint64(1), len(p_to)
    both, span, bits = now
    own_place, their_place = (span, 1) if side == 0 else (1, span)
    numbers, struck_back = _both_sides(both, span), answers(yours)
    for of in range(2):
        unpack(sides[of][UNITS], numbers[of], left[of], alive[of])
    unpack_spent(mine, limit, bits, used, state)
    mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
    for strike in range(len(strikes)):
        hurts[side][strike, 0] = W(strikes[strike, HURTS])
    mark_ready(mine, able[side], hurts[side], alive[side], alive[1 - side], state, ready, lanes)
    offers, way = 0, 0
    for strike in range(len(strikes)):
        prepares = strikes[strike, STAGE] == PREPARES
        for unit in range(len(mine[UNITS])):
            bit, has = ONE << W(unit), steps_left(mine[UNITS], unit, numbers[side])
            if ready[strike, 0] & bit == NONE or _has_double(mine, unit, ready[strike, 0], used, left[side], spot_of):
                continue
            for enemy in range(len(yours[UNITS])):
                remaining = steps_left(yours[UNITS], enemy, numbers[1 - side])
                if mine[RANK][strike, enemy, 0, toughness(yours[UNITS], enemy, remaining)] == 0:
                    continue
                chosen[0], aim[0], unit_bit[0] = W(strike), W(enemy), bit
                unpack_spent(mine, limit, bits, used, state)
                unpack(mine[UNITS], numbers[side], left[side], alive[side])
                spend(mine, picked, alive[side], state, scratch, lanes)
                then = pack_spent(mine, bits, state)
                effect = NO_EFFECT if prepares else volley[strike, enemy, 0]
                begins[offers] = way
                offers += 1
                for x in range(start[effect] - 1, start[effect + 1]):
                    p, lost = stay[effect], 0
                    if x >= start[effect]:
                        p, lost = chance[x], min(remaining, amount[x] // yours[UNITS][enemy, QUANTUM])
                    struck = both - lost * yours[UNITS][enemy, PLACE] * their_place
                    back = _answer(side, sides, _both_sides(struck, span), picked, lane) if struck_back else NO_EFFECT
                    for y in range(start[back] - 1, start[back + 1]):
                        q, suffered = stay[back], 0
                        if y >= start[back]:
                            q, suffered = chance[y], min(has, amount[y] // mine[UNITS][unit, QUANTUM])
                        if p * q == 0.0:
                            continue
                        if way == most:
                            return TOO_MANY
                        after = struck - suffered * mine[UNITS][unit, PLACE] * own_place
                        ends = after < both and is_over(sides, _both_sides(after, span), room)
                        left_to[way], after_to[way], p_to[way] = after, 1 if ends else 2 * bits, p * q
                        spent_to[way] = 0 if ends else then
                        way += 1
                if prepares:
                    break
    if way == most:
        return TOO_MANY
    unpack_spent(mine, limit, bits, used, state)
    begins[offers], begins[offers + 1] = way, way + 1
    after = bits_after(mine, kept_bits(mine, bits), state)
    left_to[way], after_to[way], p_to[way], spent_to[way] = both, 2 * after, 1.0, 0
    return offers + 1


def _answer(side: Any, sides: Any, numbers: Any, picked: Any, lane: Any) -> Any:
    """Return the effect on whoever made the picked strike, once both sides have so much left, by their numbers."""
    left, alive, able, _, _, _, _, _, _, _, _, _, _ = lane
    _, _, _, answer, striker, answering = picked
    yours, lanes = sides[1 - side], np.uint64(1)
    for of in range(2):
        unpack(sides[of][UNITS], numbers[of], left[of], alive[of])
    mark_able(yours, left[1 - side], alive[1 - side], alive[side], able[1 - side], lanes)
    pick_answer(yours, able[1 - side], picked, (answer, striker, answering), len(sides[side][UNITS]), lanes)
    return yours[VOLLEY][answer[0], striker[0], 0] if answer[0] < len(yours[STRIKES]) else NO_EFFECT


def _both_sides(both: Any, span: Any) -> Any:
    return both // span, both % span


def _mark_exchangeable(side: Any, struck_back: Any, spot_of: Any) -> None:
    """Write each unit's first spot; `NOBODY` if it helps others, or its turn leaves a trace at it or may harm it."""
    units, spots, helpers = side[UNITS], side[SPOTS], side[HELPERS]
    for back in range(len(spots)):
        spot_of[spots[len(spots) - 1 - back, OF_UNIT]] = len(spots) - 1 - back
    for spot in range(len(spots)):
        if struck_back or spots[spot, BIT] != NOBODY or spots[spot, PREPARED_BIT] != NOBODY:
            spot_of[spots[spot, OF_UNIT]] = NOBODY
    for unit in range(len(units)):
        if units[unit, HELPED_PLACE] > 0:
            spot_of[unit] = NOBODY
        for need in range(len(helpers)):
            if helpers[need, unit] != NOBODY:
                spot_of[unit] = NOBODY


def _has_double(side: Any, unit: Any, ready: Any, used: Any, left: Any, spot_of: Any) -> bool:
    """Return whether one before a unit may make the same strike, and is like it in everything that matters."""
    units, guns, spots = side[UNITS], side[GUNS], side[SPOTS]
    if spot_of[unit] == NOBODY:
        return False
    for other in range(unit):
        if ready & (ONE << W(other)) == NONE or left[other, 0] != left[unit, 0] or spot_of[other] == NOBODY:
            continue
        pool, place_of_one, place_of_other = units[unit, POOL] + 1, units[unit, SPENT_PLACE], units[other, SPENT_PLACE]
        same = used // place_of_one % pool == used // place_of_other % pool
        spot = spot_of[unit]
        while same and spot < len(spots) and spots[spot, OF_UNIT] == unit:
            attacks = guns[spots[spot, OF_GUN], ATTACKS] + 1
            there = spot_of[other] + spot - spot_of[unit]
            same = used // spots[spot, FIRED_PLACE] % attacks == used // spots[there, FIRED_PLACE] % attacks
            spot += 1
        if same:
            return True
    return False
