"""One turn of a side, in all the ways that it may go: strikes one after another, each chosen once the last has fallen.

Plain loops that also compile. Ways that come to the same after equally many strikes are one way from there on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.lanes import (
    ALL,
    ATTACKS,
    BELOW,
    BIT,
    CLASS_BIT,
    CLASS_BITS,
    FIRED_PLACE,
    FREE,
    GUNS,
    HELPED_PLACE,
    HITS,
    HURTS,
    NOBODY,
    NONE,
    OF_GUN,
    OF_UNIT,
    ONE,
    ORDERS,
    PACES,
    PLACE,
    PLACE_BIT,
    PLACE_BITS,
    POOL,
    PREPARED_BIT,
    PREPARES,
    QUANTUM,
    RANK,
    ROW,
    SPENT_PLACE,
    SPOTS,
    STAGE,
    START,
    STRIKES,
    TOUGHNESS,
    UNIT,
    UNITS,
    VOLLEY,
    W,
    answers,
    counting,
    dearest_first,
    end_turn,
    in_fours,
    is_keen,
    mark_able,
    mark_over,
    mark_ready,
    pick_answer,
    spend,
)
from aabalance.engine.battle.moving import advance, line_for, mark_hurts, write_aspects, write_gains
from aabalance.engine.battle.policies import choose

NO_EFFECT = 0
"""The volley of a strike that only prepares."""
TOO_MANY = -1
MIX, MIX_MORE, MIX_BITS = 0x9E3779B97F4A7C1, 0x5851F42D4C957F3, 29


def turn(side: Any, sides: Any, limit: Any, number: Any, outcomes: Any, now: Any, room: Any) -> Any:
    """Play a turn in all its ways.

    Parameters
    ----------
    side : int
        Whose turn it is.
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.tables.Battle.sides`.
    limit : int
        Actions of that side.
    number : int
        Of its policy.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.
    now : tuple of int
        The number of what is left of both sides, how many there are of side 1, and the bits of the guns that reload
        and of where units stand.
    room : tuple of arrays
        From `room_for`. Its last three hold the result, by way: the number of what is left, twice that of the bits and
        1 more if the battle is over, and the chance.

    Returns
    -------
    int
        Ways to go on, or `TOO_MANY`.
    """
    mine, yours = sides[side], sides[1 - side]
    strikes, volley = mine[STRIKES], mine[VOLLEY]
    start, amount, chance, stay = outcomes
    serial, slots, way_slots, left_of, spent_of, p_of, lane, left_to, after_to, p_to = room
    left, alive, able, state, ready, gains, picked, over, bit, dearest, hurts, line, aspect = lane
    _, _, prepared, _, _, _, _, _ = state
    chosen, aim, _, answer, striker, answering = picked
    back_by = answer, striker, answering
    lanes, most = np.uint64(1), len(left_of)
    enemies = left[1 - side]
    both, span, bits = now
    struck_back = answers(yours)
    own_place, their_place = (span, 1) if side == 0 else (1, span)
    unpack(mine[UNITS], _of_side(side, both, span), left[side], alive[side])
    unpack(yours[UNITS], _of_side(1 - side, both, span), enemies, alive[1 - side])
    moving = len(mine[PACES]) > 0
    spent_first = 0
    if moving:
        for one in range(2):
            _unpack_places(one, sides[one], bits, line)
        unpack_spent(mine, limit, bits, 0, state)
        advance(side, sides, line, alive[side], alive[1 - side], state, lanes)
        mark_hurts(side, sides, line, hurts[side], lanes)
        bits = _with_places(side, mine, bits, prepared, line)
        spent_first = pack_spent(mine, bits, state)
    else:
        for strike in range(len(strikes)):
            hurts[side][strike, 0] = W(strikes[strike, HURTS])
    _write_gains(1 - side, sides, line, left[side], gains[1 - side], aspect)
    others = yours, alive[side], able[1 - side], gains[1 - side]
    # Where everybody can hurt everybody, what a side can do doesn't change in its turn.
    keen, others_counting = is_keen(sides), counting(yours[UNITS])
    mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
    kept = kept_bits(mine, bits)
    ways = 0
    # Numbers in `slots` go on from turn to turn, so that old ones never look new.
    base = serial[0]
    serial[0] = base + most
    left_of[0], spent_of[0], p_of[0] = both, spent_first, 1.0
    first, end = 0, 1
    while first < end:
        level = end
        for at in range(first, level):
            theirs = _of_side(1 - side, left_of[at], span)
            unpack(yours[UNITS], theirs, enemies, alive[1 - side])
            _write_gains(side, sides, line, enemies, gains[side], aspect)
            if struck_back:
                unpack(mine[UNITS], _of_side(side, left_of[at], span), left[side], alive[side])
                _write_gains(1 - side, sides, line, left[side], gains[1 - side], aspect)
            unpack_spent(mine, limit, bits, spent_of[at], state)
            if not keen:
                mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
            mark_ready(mine, able[side], hurts[side], alive[side], alive[1 - side], state, ready, lanes)
            usable = ready[: len(strikes)]
            choose(
                number,
                mine,
                others,
                dearest[1 - side],
                usable,
                hurts[side],
                gains[side],
                enemies,
                alive[1 - side],
                picked,
                lanes,
            )
            strike, enemy = int(chosen[0]), int(aim[0])
            if strike == len(strikes):
                after = bits_after(mine, kept, state)
                way = place(way_slots, base, 0, ways, left_to, after_to, left_of[at], 2 * after)
                if way == ways:
                    if ways == most:
                        return TOO_MANY
                    left_to[way], after_to[way], p_to[way] = left_of[at], 2 * after, 0.0
                    ways += 1
                p_to[way] += p_of[at]
                continue
            spend(mine, picked, alive[side], state, bit, lanes)
            used = pack_spent(mine, bits, state)
            if moving:
                write_aspects(side, sides, line, strikes[strike, UNIT], enemy, aspect, lanes)
            effect = NO_EFFECT if strikes[strike, STAGE] == PREPARES else volley[strike, enemy, aspect[0]]
            quantum, unit_place = yours[UNITS][enemy, QUANTUM], yours[UNITS][enemy, PLACE] * their_place
            remaining = steps_left(yours[UNITS], enemy, theirs)
            beside = alive[1 - side][0] & (ALL ^ (ONE << W(enemy)))
            for x in range(start[effect] - 1, start[effect + 1]):
                if x < start[effect]:
                    p, lost = stay[effect], 0
                    if p == 0.0:
                        continue
                else:
                    p, lost = chance[x], min(remaining, amount[x] // quantum)
                p *= p_of[at]
                then = left_of[at] - lost * unit_place
                if lost > 0:
                    enemies[enemy, 0] = W(toughness(yours[UNITS], enemy, remaining - lost))
                    alive[1 - side][0] = beside | (ONE << W(enemy) if lost < remaining else NONE)
                back, unit, has = NO_EFFECT, 0, 0
                if struck_back:
                    unpack(mine[UNITS], _of_side(side, left_of[at], span), left[side], alive[side])
                    mark_able(yours, enemies, alive[1 - side], alive[side], able[1 - side], lanes)
                    pick_answer(yours, able[1 - side], picked, back_by, len(mine[UNITS]), lanes)
                    if answer[0] < len(yours[STRIKES]):
                        unit = int(striker[0])
                        back = yours[VOLLEY][answer[0], unit, 0]
                        has = steps_left(mine[UNITS], unit, _of_side(side, left_of[at], span))
                for y in range(start[back] - 1, start[back + 1]):
                    if y < start[back]:
                        q, suffered = stay[back], 0
                        if q == 0.0:
                            continue
                    else:
                        q, suffered = chance[y], min(has, amount[y] // mine[UNITS][unit, QUANTUM])
                        left[side][unit, 0] = W(toughness(mine[UNITS], unit, has - suffered))
                        if suffered == has:
                            alive[side][0] &= ALL ^ (ONE << W(unit))
                    q *= p
                    after_both = then - suffered * mine[UNITS][unit, PLACE] * own_place
                    ended = False
                    if after_both < left_of[at]:
                        if keen:
                            ended = alive[1 - side][0] & others_counting == NONE
                        else:
                            mark_able(yours, enemies, alive[1 - side], alive[side], able[1 - side], lanes)
                            mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
                            mark_over(sides, alive, able, over, lanes)
                            ended = over[0] != NONE
                    if ended:
                        way = place(way_slots, base, 0, ways, left_to, after_to, after_both, 1)
                        if way == ways:
                            if ways == most:
                                return TOO_MANY
                            left_to[way], after_to[way], p_to[way] = after_both, 1, 0.0
                            ways += 1
                        p_to[way] += q
                        continue
                    to = place(slots, base, level, end, left_of, spent_of, after_both, used)
                    if to == end:
                        if end == most:
                            return TOO_MANY
                        left_of[to], spent_of[to], p_of[to] = after_both, used, 0.0
                        end += 1
                    p_of[to] += q
        first = level
    return ways


def kept_bits(mine: Any, bits: Any) -> Any:
    """Return the bits without those of a side's guns."""
    spots = mine[SPOTS]
    for spot in range(len(spots)):
        bits = _without(_without(bits, spots[spot, BIT]), spots[spot, PREPARED_BIT])
    return bits


def bits_after(mine: Any, kept: Any, state: Any) -> Any:
    """End a side's turn; return the bits after it, of which those of the others' guns are kept."""
    spots, loading, prepared = mine[SPOTS], state[1], state[2]
    end_turn(mine, state, np.uint64(1))
    for spot in range(len(spots)):
        gun, unit_bit = spots[spot, OF_GUN], ONE << W(spots[spot, OF_UNIT])
        if spots[spot, BIT] != NOBODY and loading[gun, 0] & unit_bit != NONE:
            kept += 1 << spots[spot, BIT]
        if spots[spot, PREPARED_BIT] != NOBODY and prepared[gun, 0] & unit_bit != NONE:
            kept += 1 << spots[spot, PREPARED_BIT]
    return kept


def _of_side(side: Any, both: Any, span: Any) -> Any:
    """Return a side's number from that of both."""
    return both // span if side == 0 else both % span


def _without(bits: Any, bit: Any) -> Any:
    return bits - (1 << bit) if bit != NOBODY and (bits >> bit) & 1 else bits


def unpack_spent(mine: Any, limit: Any, bits: Any, used: Any, state: Any) -> None:
    """Write what was fired and spent this turn, where units were helped, and what is left of the limit."""
    units, guns, spots = mine[UNITS], mine[GUNS], mine[SPOTS]
    fired, loading, prepared, spent, helped, actions, _, _ = state
    for rows in (fired, loading, prepared, spent, helped):
        for row in range(len(rows)):
            rows[row, 0] = NONE
    for spot in range(len(spots)):
        gun, bit = spots[spot, OF_GUN], ONE << W(spots[spot, OF_UNIT])
        if spots[spot, BIT] != NOBODY and (bits >> spots[spot, BIT]) & 1:
            loading[gun, 0] |= bit
        times = used // spots[spot, FIRED_PLACE]
        if spots[spot, PREPARED_BIT] != NOBODY:
            times %= guns[gun, ATTACKS] + 2
            if (bits >> spots[spot, PREPARED_BIT]) & 1 or times > guns[gun, ATTACKS]:
                prepared[gun, 0] |= bit
            if times > guns[gun, ATTACKS]:
                continue
        for row in range(times % (guns[gun, ATTACKS] + 1)):
            fired[guns[gun, ROW] + row, 0] |= bit
    left = limit
    for unit in range(len(units)):
        bit = ONE << W(unit)
        times = used // units[unit, SPENT_PLACE] % (units[unit, POOL] + 1)
        for row in range(times):
            spent[row, 0] |= bit
        if units[unit, FREE] == 0:
            left -= times
        if units[unit, HELPED_PLACE] > 0:
            for enemy in range(len(helped)):
                if (used // units[unit, HELPED_PLACE] >> enemy) & 1:
                    helped[enemy, 0] |= bit
    actions[0] = W(left)


def pack_spent(mine: Any, bits: Any, state: Any) -> Any:
    """Return the number of what was fired and spent."""
    units, guns, spots = mine[UNITS], mine[GUNS], mine[SPOTS]
    fired, _, prepared, spent, helped, _, _, _ = state
    used = 0
    for spot in range(len(spots)):
        gun, bit = spots[spot, OF_GUN], ONE << W(spots[spot, OF_UNIT])
        before = spots[spot, PREPARED_BIT] == NOBODY or (bits >> spots[spot, PREPARED_BIT]) & 1
        if not before and prepared[gun, 0] & bit != NONE:
            used += spots[spot, FIRED_PLACE] * (guns[gun, ATTACKS] + 1)
            continue
        for row in range(guns[gun, ATTACKS]):
            if fired[guns[gun, ROW] + row, 0] & bit != NONE:
                used += spots[spot, FIRED_PLACE]
    for unit in range(len(units)):
        bit = ONE << W(unit)
        for row in range(len(spent)):
            if spent[row, 0] & bit != NONE:
                used += units[unit, SPENT_PLACE]
        if units[unit, HELPED_PLACE] > 0:
            for enemy in range(len(helped)):
                if helped[enemy, 0] & bit != NONE:
                    used += units[unit, HELPED_PLACE] << enemy
    return used


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


def _write_gains(side: Any, sides: Any, line: Any, left: Any, gains: Any, aspect: Any) -> None:
    """Write the ranks of all gains of a side from enemies who have so much left."""
    rank = sides[side][RANK]
    if len(sides[side][PACES]):
        write_gains(side, sides, line, left, gains, aspect, np.uint64(1))
        return
    for strike in range(len(rank)):
        for enemy in range(rank.shape[1]):
            gains[strike, enemy, 0] = W(rank[strike, enemy, 0, left[enemy, 0]])


def _unpack_places(side: Any, mine: Any, bits: Any, line: Any) -> None:
    """Write where the units of a side stand, and the classes of their last moves."""
    paces, orders = mine[PACES], mine[ORDERS]
    at, moved, classes, _, _, _, _, _, _, _ = line
    moved[side][0] = NONE
    for unit in range(len(paces)):
        at[side][unit, 0] = W(orders[START])
        bit = paces[unit, PLACE_BIT]
        if bit != NOBODY:
            at[side][unit, 0] = W((bits >> bit) & ((1 << orders[PLACE_BITS]) - 1))
        if len(classes[side]):
            kind = (bits >> paces[unit, CLASS_BIT]) & ((1 << orders[CLASS_BITS]) - 1) if bit != NOBODY else 0
            classes[side][unit, 0] = W(kind)


def _with_places(side: Any, mine: Any, bits: Any, prepared: Any, line: Any) -> Any:
    """Return bits with those of where the units of a side stand now, and which guns of theirs are prepared still."""
    paces, orders, spots = mine[PACES], mine[ORDERS], mine[SPOTS]
    at, _, classes, _, _, _, _, _, _, _ = line
    for unit in range(len(paces)):
        bit = paces[unit, PLACE_BIT]
        if bit == NOBODY:
            continue
        bits = _with_number(bits, bit, orders[PLACE_BITS], at[side][unit, 0])
        if len(classes[side]):
            bits = _with_number(bits, paces[unit, CLASS_BIT], orders[CLASS_BITS], classes[side][unit, 0])
    for spot in range(len(spots)):
        if spots[spot, PREPARED_BIT] != NOBODY:
            still = prepared[spots[spot, OF_GUN], 0] & (ONE << W(spots[spot, OF_UNIT])) != NONE
            bits = _with_number(bits, spots[spot, PREPARED_BIT], 1, 1 if still else 0)
    return bits


def _with_number(bits: Any, at: Any, length: Any, number: Any) -> Any:
    return bits - (((bits >> at) & ((1 << length) - 1)) << at) + (np.int64(number) << at)


def starting_bits(sides: Any) -> int:
    """Return the bits of the state in which a battle begins."""
    bits = 0
    for side in sides:
        for place in side[PACES][:, PLACE_BIT]:
            if place != NOBODY:
                bits |= int(side[ORDERS][START]) << int(place)
    return bits


def unpack(units: Any, number: Any, left: Any, alive: Any) -> None:
    """Write what toughness the units of a side have left, and who is left, from their number."""
    alive[0] = NONE
    for unit in range(len(units)):
        left[unit, 0] = W(toughness(units, unit, steps_left(units, unit, number)))
        if left[unit, 0] != NONE:
            alive[0] |= ONE << W(unit)


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


def is_over(sides: Any, numbers: Any, room: Any) -> bool:
    """Return whether a battle is over in which both sides have so much left, by their numbers."""
    left, alive, able, _, _, _, _, over, _, _, _, _, _ = room[6]
    lanes = np.uint64(1)
    for side in range(2):
        unpack(sides[side][UNITS], numbers[side], left[side], alive[side])
    for side in range(2):
        mark_able(sides[side], left[side], alive[side], alive[1 - side], able[side], lanes)
    mark_over(sides, alive, able, over, lanes)
    return over[0] != NONE


def room_for(sides: Any, ways: int) -> tuple[Any, ...]:
    """Return room for the turns of both sides, each of which may go in so many ways."""
    guns, strikes = ([len(side[part]) for side in sides] for part in (GUNS, STRIKES))
    fours = [in_fours(side) for side in sides]
    helped = max(fours) if any((side[UNITS][:, HELPED_PLACE] > 0).any() for side in sides) else 0
    pools = max(int(side[UNITS][:, POOL].max()) for side in sides)
    firings = max(int(side[GUNS][:, ATTACKS].sum()) for side in sides)
    serial, (slots, way_slots) = np.zeros(1, dtype=np.int64), np.full((2, 2 * ways), -1, dtype=np.int64)
    left_of, spent, left_to, after_to = np.zeros((4, ways), dtype=np.int64)

    def rows(*shape: int) -> Any:
        return np.zeros((*shape, 1), dtype=W)

    lane = (
        (rows(fours[0]), rows(fours[1])),
        tuple(rows(2)),
        (rows(strikes[0]), rows(strikes[1])),
        (rows(firings), rows(max(guns)), rows(max(guns)), rows(pools + 1), rows(helped), *rows(3)),
        rows(max(strikes)),
        (rows(strikes[0], fours[1]), rows(strikes[1], fours[0])),
        tuple(rows(6)),
        *rows(2),
        dearest_first(sides),
        (rows(strikes[0]), rows(strikes[1])),
        line_for(sides, rows),
        rows(1)[0],
    )
    return (serial, slots, way_slots, left_of, spent, np.zeros(ways), lane, left_to, after_to, np.zeros(ways))
