"""One turn of a side as the exact solver plays it: in all the ways that its dice may fall, with the chance of each.

Strikes are made one after another; the policy chooses each once the dice of the one before it have fallen. The turn is
followed strike by strike: ways that have led to the same after equally many strikes are one way from there on. All
functions are plain loops that also compile.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.actions import (
    all_can_hurt_all,
    counting,
    mark_able,
    mark_over,
    mark_ready,
    pick_return_fire,
    returns_fire,
    spend,
)
from aabalance.engine.battle.columns import Arms, Ranks, Rows, Sides, W, steps_left, toughness_left
from aabalance.engine.battle.policies import View, choose
from aabalance.engine.battle.states.encoding import (
    Arena,
    Lane,
    bits_after,
    find_or_insert,
    kept_bits,
    of_side,
    pack_spent,
    unpack,
    unpack_spent,
)
from aabalance.engine.volleys import Effects

TOO_MANY = -1
"""What `turn` returns if there are more ways than there is room for."""

Now = tuple[int, int, int]
"""The number of what is left of both sides, how many different numbers side 1 can have, and the bits of the guns."""


def turn(
    side: int, sides: Sides, limit: int, number: int, effects: Effects, now: Now, record: Arena, lane: Lane
) -> int:
    """Play a turn in all the ways that it may go.

    Parameters
    ----------
    side : int
        The side whose turn it is.
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.battle.Battle.sides`.
    limit : int
        The side's limit of actions in a turn.
    number : int
        The number of its policy, from `aabalance.engine.battle.policies.numbers`.
    effects : Effects
        The outcomes of all volleys, in arrays.
    now : tuple of int
        As `Now`.
    record : Arena
        `left_to`, `after_to` and `p_to` take the result.
    lane : Lane
        From `lane_in`; overwritten.

    Returns
    -------
    int
        Number of ways, or `TOO_MANY`.
    """
    other = 1 - side
    mine, yours = sides[side], sides[other]
    strikes, volley = mine.strikes, mine.volley
    start = effects.start
    serial, slots, way_slots = record.serial, record.slots, record.way_slots
    left_of, spent_of, p_of = record.left_of, record.spent_of, record.p_of
    left_to, after_to, p_to = record.left_to, record.after_to, record.p_to
    left, alive, able, state, ready, gains, picked, over, bit = lane
    chosen, aim, _, answer, striker, answering = picked
    back_by = answer, striker, answering
    own_left, own_alive, own_able, own_gains = left[side], alive[side], able[side], gains[side]
    enemies, their_alive, their_able, their_gains = left[other], alive[other], able[other], gains[other]
    lanes, most = np.uint64(1), len(left_of)
    both, span, bits = now
    struck_back = returns_fire(yours)
    own_place, their_place = (span, 1) if side == 0 else (1, span)
    unpack(mine.units, of_side(side, both, span), own_left, own_alive)
    unpack(yours.units, of_side(other, both, span), enemies, their_alive)
    _copy_ranks(yours.rank, own_left, their_gains)
    # Where every unit can hurt every enemy for as long as it is left, what a side can do doesn't change in its turn.
    keen, others_counting = all_can_hurt_all(sides), counting(yours.units)
    mark_able(mine, own_left, own_alive, their_alive, own_able, lanes)
    own_able_changes = struck_back
    for strike in range(len(strikes)):
        own_able_changes |= strikes[strike, col.GONE] != col.NOBODY
    kept = kept_bits(mine, bits)
    view = View(
        mine=Arms(mine.units, mine.guns, mine.strikes, mine.helpers, mine.rank),
        theirs=Arms(yours.units, yours.guns, yours.strikes, yours.helpers, yours.rank),
        ready=ready[: len(strikes)],
        gains=own_gains,
        their_gains=their_gains,
        left=enemies,
        alive=their_alive,
        mine_alive=own_alive,
        cost_rank=record.ranks[other],
        their_able=their_able,
    )
    ways = 0
    # Each turn takes numbers of its own in the tables, so that they need not be emptied before it.
    base = serial[0]
    serial[0] = base + most
    left_of[0], spent_of[0], p_of[0] = both, 0, 1.0
    first, end = 0, 1
    while first < end:
        level = end
        for at in range(first, level):
            theirs = of_side(other, left_of[at], span)
            unpack(yours.units, theirs, enemies, their_alive)
            _copy_ranks(mine.rank, enemies, own_gains)
            if struck_back:
                unpack(mine.units, of_side(side, left_of[at], span), own_left, own_alive)
                _copy_ranks(yours.rank, own_left, their_gains)
            unpack_spent(mine, limit, bits, spent_of[at], state)
            if own_able_changes:
                mark_able(mine, own_left, own_alive, their_alive, own_able, lanes)
            mark_ready(mine, own_able, own_alive, their_alive, state, ready, lanes)
            choose(number, view, picked, lanes)
            strike, enemy = int(chosen[0]), int(aim[0])
            if strike == len(strikes):
                after = bits_after(mine, kept, state)
                ways = _add(way_slots, base, 0, ways, left_to, after_to, p_to, left_of[at], 2 * after, p_of[at])
                if ways == TOO_MANY:
                    return TOO_MANY
                continue
            spend(mine, picked, own_alive, state, bit, lanes)
            used = pack_spent(mine, bits, state)
            effect = col.NO_EFFECT if strikes[strike, col.STAGE] == col.PREPARES else volley[strike, enemy]
            quantum, unit_place = yours.units[enemy, col.QUANTUM], yours.units[enemy, col.PLACE] * their_place
            remaining = steps_left(yours.units, enemy, theirs)
            beside = their_alive[0] & (col.ALL ^ W(col.ONE << W(enemy)))
            for x in range(start[effect] - 1, start[effect + 1]):
                p, lost = outcome(effects, effect, x, remaining, quantum)
                if p == 0.0 and lost == 0:
                    continue
                p *= p_of[at]
                then = left_of[at] - lost * unit_place
                if lost > 0:
                    enemies[enemy, 0] = W(toughness_left(yours.units, enemy, remaining - lost))
                    their_alive[0] = beside | (W(col.ONE << W(enemy)) if lost < remaining else col.NONE)
                back, unit, has = col.NO_EFFECT, 0, 0
                if struck_back:
                    unpack(mine.units, of_side(side, left_of[at], span), own_left, own_alive)
                    mark_able(yours, enemies, their_alive, own_alive, their_able, lanes)
                    pick_return_fire(yours, their_able, picked, back_by, len(mine.units), lanes)
                    if answer[0] < len(yours.strikes):
                        unit = int(striker[0])
                        back = yours.volley[answer[0], unit]
                        has = steps_left(mine.units, unit, of_side(side, left_of[at], span))
                for y in range(start[back] - 1, start[back + 1]):
                    q, suffered = outcome(effects, back, y, has, mine.units[unit, col.QUANTUM])
                    if q == 0.0 and suffered == 0:
                        continue
                    if suffered > 0:
                        own_left[unit, 0] = W(toughness_left(mine.units, unit, has - suffered))
                        if suffered == has:
                            own_alive[0] &= col.ALL ^ W(col.ONE << W(unit))
                    q *= p
                    after_both = then - suffered * mine.units[unit, col.PLACE] * own_place
                    ended = False
                    if after_both < left_of[at]:
                        if keen:
                            ended = their_alive[0] & others_counting == col.NONE
                        else:
                            mark_able(yours, enemies, their_alive, own_alive, their_able, lanes)
                            if own_able_changes:
                                mark_able(mine, own_left, own_alive, their_alive, own_able, lanes)
                            mark_over(sides, alive, able, over, lanes)
                            ended = over[0] != col.NONE
                    if ended:
                        ways = _add(way_slots, base, 0, ways, left_to, after_to, p_to, after_both, 1, q)
                    else:
                        end = _add(slots, base, level, end, left_of, spent_of, p_of, after_both, used, q)
                    if ways == TOO_MANY or end == TOO_MANY:
                        return TOO_MANY
        first = level
    return ways


def outcome(effects: Effects, effect: int, x: int, steps: int, quantum: int) -> tuple[float, int]:
    """Return the chance of an outcome of a volley, and how many of the steps that its target has left it takes.

    Parameters
    ----------
    effects : Effects
        The outcomes of all volleys, in arrays.
    effect : int
        The number of the volley.
    x : int
        The index of the outcome; that before the volley's first one stands for no effect.
    steps, quantum : int
        The steps that the target has left, and the toughness of a step.
    """
    if x < effects.start[effect]:
        return effects.stay[effect], 0
    return effects.chance[x], min(steps, effects.amount[x] // quantum)


def _add(
    slots: Ints,
    base: int,
    first: int,
    end: int,
    keys: Ints,
    more_keys: Ints,
    chances: Floats,
    key: int,
    more: int,
    chance: float,
) -> int:
    """Add to the chance of a pair of keys, which may be new; return the number of pairs then, `TOO_MANY` if it is full.

    Parameters are as for `find_or_insert`, and the chances of the pairs.
    """
    at = find_or_insert(slots, base, first, end, keys, more_keys, key, more)
    if at == end:
        if end == len(keys):
            return TOO_MANY
        keys[at], more_keys[at], chances[at] = key, more, 0.0
        end += 1
    chances[at] += chance
    return end


def _copy_ranks(rank: Ranks, left: Rows, gains: Rows) -> None:
    """Write the ranks of all gains of a side, from enemies with the toughness `left`."""
    for strike in range(len(rank)):
        for enemy in range(rank.shape[1]):
            gains[strike, enemy, 0] = W(rank[strike, enemy, left[enemy, 0]])


def is_over(sides: Sides, numbers: tuple[int, int], lane: Lane) -> bool:
    """Return whether a battle is over, from what both sides have left.

    Parameters
    ----------
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.battle.Battle.sides`.
    numbers : pair of int
        The number of what each side has left.
    lane : Lane
        Overwritten.
    """
    left, alive, able, over = lane.left, lane.alive, lane.able, lane.over
    lanes = np.uint64(1)
    for side in range(2):
        unpack(sides[side].units, numbers[side], left[side], alive[side])
    for side in range(2):
        mark_able(sides[side], left[side], alive[side], alive[1 - side], able[side], lanes)
    mark_over(sides, alive, able, over, lanes)
    return bool(over[0] != col.NONE)
