"""What a side that follows no policy may do at each moment of its turn, and what that leads to.

A choice is a strike that is ready, the unit that makes it and its enemy, or to stop. Of equal units that have done the
same in the turn only the first is offered. All functions are plain loops that also compile.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.battle.actions import mark_able, mark_ready, pick_return_fire, returns_fire, spend
from aabalance.engine.battle.columns import (
    ATTACKS,
    BIT,
    FIRED_PLACE,
    HELPED_PLACE,
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
    SPENT_PLACE,
    STAGE,
    Rows,
    Side,
    Sides,
    W,
)
from aabalance.engine.battle.states.absorbing import Ints
from aabalance.engine.battle.states.encoding import (
    bits_after,
    kept_bits,
    pack_spent,
    steps_left,
    toughness,
    unpack,
    unpack_spent,
)
from aabalance.engine.battle.states.turns import NO_EFFECT, TOO_MANY, Lane, Now, Outcomes, Workspace, is_over


def offer(
    side: int,
    sides: Sides,
    limit: int,
    outcomes: Outcomes,
    now: Now,
    used: int,
    doubles: Ints,
    room: Workspace,
    spent_to: Ints,
    begins: Ints,
) -> int:
    """Write the choices of a side at a moment of its turn, and the ways to which each may lead.

    Parameters
    ----------
    side, sides, limit, outcomes, now, room
        As for `turns.turn`; within a turn, the bits in `now` and in the result are those at its beginning.
    used : int
        Number of what the side has spent in the turn so far.
    doubles : array of int64, shape (units,)
        From the function `doubles`.
    spent_to : array of int64
        Takes, by way, the number of what the side has spent then; 0 if the turn ends.
    begins : array of int64
        Takes the index at which the ways of each choice begin; one more number says where the last ones end.

    Returns
    -------
    int
        Number of choices, or `TOO_MANY`.
    """
    mine, yours = sides[side], sides[1 - side]
    strikes, volley = mine.strikes, mine.volley
    start, amount, chance, stay = outcomes
    lane, left_to, after_to, p_to = room.lane, room.left_to, room.after_to, room.p_to
    left, alive, able, hurts = lane.left, lane.alive, lane.able, lane.hurts
    state, ready, picked, scratch = lane.state, lane.ready, lane.picked, lane.bit
    chosen, aim, unit_bit, _, _, _ = picked
    lanes, most = np.uint64(1), len(p_to)
    both, span, bits = now
    own_place, their_place = (span, 1) if side == 0 else (1, span)
    numbers, struck_back = _both_sides(both, span), returns_fire(yours)
    for of in range(2):
        unpack(sides[of].units, numbers[of], left[of], alive[of])
    unpack_spent(mine, limit, bits, used, state)
    mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
    for strike in range(len(strikes)):
        hurts[side][strike, 0] = W(strikes[strike, HURTS])
    mark_ready(mine, able[side], hurts[side], alive[side], alive[1 - side], state, ready, lanes)
    offers, way = 0, 0
    for strike in range(len(strikes)):
        prepares = strikes[strike, STAGE] == PREPARES
        for unit in range(len(mine.units)):
            bit, has = W(ONE << W(unit)), steps_left(mine.units, unit, numbers[side])
            if ready[strike, 0] & bit == NONE or _has_double(mine, unit, ready[strike, 0], used, left[side], doubles):
                continue
            for enemy in range(len(yours.units)):
                remaining = steps_left(yours.units, enemy, numbers[1 - side])
                if mine.rank[strike, enemy, 0, toughness(yours.units, enemy, remaining)] == 0:
                    continue
                chosen[0], aim[0], unit_bit[0] = W(strike), W(enemy), bit
                unpack_spent(mine, limit, bits, used, state)
                unpack(mine.units, numbers[side], left[side], alive[side])
                spend(mine, picked, alive[side], state, scratch, lanes)
                then = pack_spent(mine, bits, state)
                effect = NO_EFFECT if prepares else volley[strike, enemy, 0]
                begins[offers] = way
                offers += 1
                for x in range(start[effect] - 1, start[effect + 1]):
                    p, lost = stay[effect], 0
                    if x >= start[effect]:
                        p, lost = chance[x], min(remaining, amount[x] // yours.units[enemy, QUANTUM])
                    struck = both - lost * yours.units[enemy, PLACE] * their_place
                    back = _return_fire(side, sides, _both_sides(struck, span), lane) if struck_back else NO_EFFECT
                    for y in range(start[back] - 1, start[back + 1]):
                        q, suffered = stay[back], 0
                        if y >= start[back]:
                            q, suffered = chance[y], min(has, amount[y] // mine.units[unit, QUANTUM])
                        if p * q == 0.0:
                            continue
                        if way == most:
                            return TOO_MANY
                        after = struck - suffered * mine.units[unit, PLACE] * own_place
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


def _return_fire(side: int, sides: Sides, numbers: tuple[int, int], lane: Lane) -> int:
    """Return the number of the effect of the return fire to the picked strike.

    `numbers` say what both sides have left.
    """
    left, alive, able, picked = lane.left, lane.alive, lane.able, lane.picked
    _, _, _, answer, striker, answering = picked
    yours, lanes = sides[1 - side], np.uint64(1)
    for of in range(2):
        unpack(sides[of].units, numbers[of], left[of], alive[of])
    mark_able(yours, left[1 - side], alive[1 - side], alive[side], able[1 - side], lanes)
    pick_return_fire(yours, able[1 - side], picked, (answer, striker, answering), len(sides[side].units), lanes)
    return yours.volley[answer[0], striker[0], 0] if answer[0] < len(yours.strikes) else NO_EFFECT


def _both_sides(both: int, span: int) -> tuple[int, int]:
    return both // span, both % span


def doubles(sides: Sides, side: int) -> Ints:
    """Return the first spot of each unit of a side whose place another may take in a turn.

    Parameters
    ----------
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.battle.Battle.sides`.
    side : int
        The side.

    Returns
    -------
    array of int64, shape (units,)
        The unit's first spot. `NOBODY` for a unit whose place no other may take: it helps others, or its state after
        the turn depends on what it did, or it may be struck back.
    """
    units, spots, helpers = sides[side].units, sides[side].spots, sides[side].helpers
    struck_back, first = returns_fire(sides[1 - side]), np.zeros(len(units), np.int64)
    for back in range(len(spots)):
        first[spots[len(spots) - 1 - back, OF_UNIT]] = len(spots) - 1 - back
    for spot in range(len(spots)):
        if struck_back or spots[spot, BIT] != NOBODY or spots[spot, PREPARED_BIT] != NOBODY:
            first[spots[spot, OF_UNIT]] = NOBODY
    for unit in range(len(units)):
        if units[unit, HELPED_PLACE] > 0:
            first[unit] = NOBODY
        for need in range(len(helpers)):
            if helpers[need, unit] != NOBODY:
                first[unit] = NOBODY
    return first


def _has_double(side: Side, unit: int, ready: np.uint16, used: int, left: Rows, doubles: Ints) -> bool:
    """Return whether an earlier unit can make the same strike, and equals this unit in all that matters."""
    units, guns, spots = side.units, side.guns, side.spots
    if doubles[unit] == NOBODY:
        return False
    for other in range(unit):
        if ready & W(ONE << W(other)) == NONE or left[other, 0] != left[unit, 0] or doubles[other] == NOBODY:
            continue
        pool, unit_of_one, unit_of_other = units[unit, POOL] + 1, units[unit, SPENT_PLACE], units[other, SPENT_PLACE]
        same = used // unit_of_one % pool == used // unit_of_other % pool
        spot = doubles[unit]
        while same and spot < len(spots) and spots[spot, OF_UNIT] == unit:
            attacks = guns[spots[spot, OF_GUN], ATTACKS] + 1
            there = doubles[other] + spot - doubles[unit]
            same = used // spots[spot, FIRED_PLACE] % attacks == used // spots[there, FIRED_PLACE] % attacks
            spot += 1
        if same:
            return True
    return False
