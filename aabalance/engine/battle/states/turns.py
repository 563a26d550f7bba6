"""One turn of a side as the exact solver plays it: in all the ways that its dice may fall, with the chance of each.

Strikes are made one after another; the policy chooses each once the dice of the one before it have fallen. The turn is
followed strike by strike: ways that have led to the same after equally many strikes are one way from there on. All
functions but `workspace` are plain loops that also compile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.actions import (
    Picked,
    Spending,
    mark_able,
    mark_ready,
    pick_return_fire,
    returns_fire,
    spend,
)
from aabalance.engine.battle.columns import (
    ALL,
    ATTACKS,
    HELPED_PLACE,
    HURTS,
    NONE,
    ONE,
    PLACE,
    POOL,
    PREPARES,
    QUANTUM,
    STAGE,
    UNIT,
    Rows,
    Sides,
    W,
    cost_ranks,
)
from aabalance.engine.battle.ends import all_can_hurt_all, counting, mark_over
from aabalance.engine.battle.line import line_for
from aabalance.engine.battle.moving import advance, write_aspects, write_gains
from aabalance.engine.battle.policies import View, choose
from aabalance.engine.battle.reach import mark_hurts
from aabalance.engine.battle.states.absorbing import Floats, Ints
from aabalance.engine.battle.states.encoding import (
    bits_after,
    find_or_insert,
    kept_bits,
    of_side,
    pack_spent,
    steps_left,
    toughness,
    unpack,
    unpack_places,
    unpack_spent,
    with_places,
)

shelter = hide = ways_to_crash = crash = jit.NO_HOOK
"""What only battles with riders need, from `aabalance.engine.battle.lanes.hooks`."""
NO_EFFECT = 0
"""The number of the volley without effect: that of a strike that only prepares, or of no strike."""
TOO_MANY = -1
"""What `turn` returns if there are more ways than there is room for."""


Outcomes = tuple[Ints, Ints, Floats, Floats]
"""As `aabalance.engine.volleys.Volleys.outcomes`."""
Now = tuple[int, int, int]
"""The number of what is left of both sides, how many different numbers side 1 can have, and the bits of the guns and
places."""
Both = tuple[Rows, Rows]


class Lane(NamedTuple):
    """The arrays of a single lane, as the functions that roll battles use them; pairs are by side.

    Attributes
    ----------
    left : pair of array of uint16, shape (units, 1)
        The toughness that each unit has left.
    alive : pair of array of uint16, shape (1,)
        The units that are left: a bit each.
    able, hurts : pair of array of uint16, shape (strikes, 1)
        The units able to make each strike, and the enemies that it can hurt.
    state, picked
        As for `aabalance.engine.battle.actions.mark_ready`, and as policies write them.
    ready : array of uint16, shape (strikes, 1)
        The units that may make each strike now.
    gains : pair of array of uint16, shape (strikes, enemies, 1)
        The ranks of gains.
    over, bit, foes, aspect : array of uint16, shape (1,)
        Whether the battle is over; scratch; the enemies that can be aimed at; the aspect of a strike.
    cost_ranks
        From `aabalance.engine.battle.columns.cost_ranks`.
    line
        From `aabalance.engine.battle.line.line_for`.
    """

    left: Both
    alive: Both
    able: Both
    state: Spending
    ready: Rows
    gains: Both
    picked: Picked
    over: Rows
    bit: Rows
    cost_ranks: Any
    hurts: Both
    line: Any
    aspect: Rows
    foes: Rows


class Workspace(NamedTuple):
    """Arrays that turns use again and again.

    Attributes
    ----------
    serial : array of int64, shape (1,)
        The first number that the next turn takes in the tables.
    slots, way_slots : array of int64
        Tables as for `encoding.find_or_insert`: of the situations within a turn, and of its ways.
    left_of, spent_of, p_of : array of int64, int64 and float
        By situation within a turn: the number of what both sides have left, the number of what the side has fired and
        spent, and the chance.
    lane : Lane
        The arrays of one lane.
    left_to, after_to, p_to : array of int64, int64 and float
        By way, the result of a turn: the number of what is left of both sides; twice the bits of guns and places, or 1
        if the battle is over; and the chance.
    """

    serial: Ints
    slots: Ints
    way_slots: Ints
    left_of: Ints
    spent_of: Ints
    p_of: Floats
    lane: Lane
    left_to: Ints
    after_to: Ints
    p_to: Floats


def turn(side: int, sides: Sides, limit: int, number: int, outcomes: Outcomes, now: Now, room: Workspace) -> int:
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
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Effects`.
    now : tuple of int
        As `Now`.
    room : Workspace
        From `workspace`; its last three arrays take the result.

    Returns
    -------
    int
        Number of ways, or `TOO_MANY`.
    """
    mine, yours = sides[side], sides[1 - side]
    strikes, volley = mine.strikes, mine.volley
    start, amount, chance, stay = outcomes
    serial, slots, way_slots, left_of, spent_of, p_of, lane, left_to, after_to, p_to = room
    left, alive, able, state, ready, gains, picked, over, bit, cost_rank, hurts, line, aspect, foes = lane
    _, _, prepared, _, _, _, _, _ = state
    chosen, aim, _, answer, striker, answering = picked
    back_by = answer, striker, answering
    lanes, most = np.uint64(1), len(left_of)
    enemies = left[1 - side]
    both, span, bits = now
    struck_back = returns_fire(yours)
    own_place, their_place = (span, 1) if side == 0 else (1, span)
    unpack(mine.units, of_side(side, both, span), left[side], alive[side])
    unpack(yours.units, of_side(1 - side, both, span), enemies, alive[1 - side])
    moving = len(mine.paces) > 0
    spent_first = 0
    if moving:
        for one in range(2):
            unpack_places(one, sides[one], bits, line)
        unpack_spent(mine, limit, bits, 0, state)
        foes[0] = alive[1 - side][0]
        if shelter is not None:
            shelter(1 - side, sides, line, alive[1 - side], foes, lanes)
        advance(side, sides, line, alive[side], foes, state, lanes)
        mark_hurts(side, sides, line, hurts[side], lanes)
        bits = with_places(side, mine, bits, prepared, line)
        spent_first = pack_spent(mine, bits, state)
    else:
        for strike in range(len(strikes)):
            hurts[side][strike, 0] = W(strikes[strike, HURTS])
    _write_gains(1 - side, sides, line, left[side], gains[1 - side], aspect)
    # Where every unit can hurt every enemy for as long as it is left, what a side can do doesn't change in its turn.
    keen, others_counting = all_can_hurt_all(sides, len(sides[0].objectives) > 0), counting(yours.units)
    mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
    kept = kept_bits(mine, bits)
    ways = 0
    # Each turn takes numbers of its own in the tables, so that they need not be emptied before it.
    base = serial[0]
    serial[0] = base + most
    left_of[0], spent_of[0], p_of[0] = both, spent_first, 1.0
    first, end = 0, 1
    while first < end:
        level = end
        for at in range(first, level):
            theirs = of_side(1 - side, left_of[at], span)
            unpack(yours.units, theirs, enemies, alive[1 - side])
            _write_gains(side, sides, line, enemies, gains[side], aspect)
            if struck_back:
                unpack(mine.units, of_side(side, left_of[at], span), left[side], alive[side])
                _write_gains(1 - side, sides, line, left[side], gains[1 - side], aspect)
            unpack_spent(mine, limit, bits, spent_of[at], state)
            if not keen:
                mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
            foes[0] = alive[1 - side][0]
            if shelter is not None:
                shelter(1 - side, sides, line, alive[1 - side], foes, lanes)
                hide(side, sides, foes, gains[side], lanes)
            mark_ready(mine, able[side], hurts[side], alive[side], foes, state, ready, lanes)
            usable = ready[: len(strikes)]
            view = View(
                mine,
                yours,
                usable,
                hurts[side],
                gains[side],
                gains[1 - side],
                enemies,
                foes,
                alive[side],
                cost_rank[1 - side],
                able[1 - side],
            )
            choose(number, view, picked, lanes)
            strike, enemy = int(chosen[0]), int(aim[0])
            if strike == len(strikes):
                after = bits_after(mine, kept, state)
                way = find_or_insert(way_slots, base, 0, ways, left_to, after_to, left_of[at], 2 * after)
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
            quantum, unit_place = yours.units[enemy, QUANTUM], yours.units[enemy, PLACE] * their_place
            remaining = steps_left(yours.units, enemy, theirs)
            beside = alive[1 - side][0] & (ALL ^ W(ONE << W(enemy)))
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
                    enemies[enemy, 0] = W(toughness(yours.units, enemy, remaining - lost))
                    alive[1 - side][0] = beside | (W(ONE << W(enemy)) if lost < remaining else NONE)
                ways_on = 1
                if ways_to_crash is not None and lost == remaining:
                    ways_on = ways_to_crash(1 - side, sides, line, enemy)
                for way_on in range(ways_on):
                    wrecked = then
                    if crash is not None and ways_on > 1:
                        crashed = crash(1 - side, sides, line, enemy, way_on, theirs, enemies, alive[1 - side])
                        wrecked -= crashed * their_place
                    back, unit, has = NO_EFFECT, 0, 0
                    if struck_back:
                        unpack(mine.units, of_side(side, left_of[at], span), left[side], alive[side])
                        mark_able(yours, enemies, alive[1 - side], alive[side], able[1 - side], lanes)
                        pick_return_fire(yours, able[1 - side], picked, back_by, len(mine.units), lanes)
                        if answer[0] < len(yours.strikes):
                            unit = int(striker[0])
                            back = yours.volley[answer[0], unit, 0]
                            has = steps_left(mine.units, unit, of_side(side, left_of[at], span))
                    for y in range(start[back] - 1, start[back + 1]):
                        if y < start[back]:
                            q, suffered = stay[back], 0
                            if q == 0.0:
                                continue
                        else:
                            q, suffered = chance[y], min(has, amount[y] // mine.units[unit, QUANTUM])
                            left[side][unit, 0] = W(toughness(mine.units, unit, has - suffered))
                            if suffered == has:
                                alive[side][0] &= ALL ^ W(ONE << W(unit))
                        q *= p / ways_on
                        after_both = wrecked - suffered * mine.units[unit, PLACE] * own_place
                        ended = False
                        if after_both < left_of[at]:
                            if keen:
                                ended = alive[1 - side][0] & others_counting == NONE
                            else:
                                mark_able(yours, enemies, alive[1 - side], alive[side], able[1 - side], lanes)
                                mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
                                mark_over(sides, alive, able, over, len(sides[0].objectives) > 0, lanes)
                                ended = over[0] != NONE
                        if ended:
                            way = find_or_insert(way_slots, base, 0, ways, left_to, after_to, after_both, 1)
                            if way == ways:
                                if ways == most:
                                    return TOO_MANY
                                left_to[way], after_to[way], p_to[way] = after_both, 1, 0.0
                                ways += 1
                            p_to[way] += q
                            continue
                        to = find_or_insert(slots, base, level, end, left_of, spent_of, after_both, used)
                        if to == end:
                            if end == most:
                                return TOO_MANY
                            left_of[to], spent_of[to], p_of[to] = after_both, used, 0.0
                            end += 1
                        p_of[to] += q
                if ways_on > 1:
                    unpack(yours.units, theirs, enemies, alive[1 - side])
        first = level
    return ways


def _write_gains(side: int, sides: Sides, line: Any, left: Rows, gains: Rows, aspect: Rows) -> None:
    """Write the ranks of all gains of a side's strikes, from enemies with the toughness `left`."""
    rank = sides[side].rank
    if len(sides[side].paces):
        write_gains(side, sides, line, left, gains, aspect, np.uint64(1))
        return
    for strike in range(len(rank)):
        for enemy in range(rank.shape[1]):
            gains[strike, enemy, 0] = W(rank[strike, enemy, 0, left[enemy, 0]])


def is_over(sides: Sides, numbers: tuple[int, int], room: Workspace) -> bool:
    """Return whether a battle is over, from what both sides have left.

    Parameters
    ----------
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.battle.Battle.sides`.
    numbers : pair of int
        The number of what each side has left.
    room : Workspace
        Its lane is overwritten.
    """
    left, alive, able, over = room.lane.left, room.lane.alive, room.lane.able, room.lane.over
    lanes = np.uint64(1)
    for side in range(2):
        unpack(sides[side].units, numbers[side], left[side], alive[side])
    for side in range(2):
        mark_able(sides[side], left[side], alive[side], alive[1 - side], able[side], lanes)
    mark_over(sides, alive, able, over, len(sides[0].objectives) > 0, lanes)
    return bool(over[0] != NONE)


def workspace(sides: Sides, ways: int) -> Workspace:
    """Return arrays for the turns of both sides.

    Parameters
    ----------
    sides : pair of Side
        Both sides.
    ways : int
        The largest number of ways of a turn, and of situations within a turn.
    """
    guns, strikes = [len(side.guns) for side in sides], [len(side.strikes) for side in sides]
    units = [len(side.units) for side in sides]
    helped = max(units) if any((side.units[:, HELPED_PLACE] > 0).any() for side in sides) else 0
    pools = max(int(side.units[:, POOL].max()) for side in sides)
    firings = max(int(side.guns[:, ATTACKS].sum()) for side in sides)
    serial, (slots, way_slots) = np.zeros(1, dtype=np.int64), np.full((2, 2 * ways), -1, dtype=np.int64)
    left_of, spent, left_to, after_to = np.zeros((4, ways), dtype=np.int64)

    def rows(*shape: int) -> Rows:
        return np.zeros((*shape, 1), dtype=W)

    lane = Lane(
        left=(rows(units[0]), rows(units[1])),
        alive=(rows(), rows()),
        able=(rows(strikes[0]), rows(strikes[1])),
        state=Spending(
            rows(firings), rows(max(guns)), rows(max(guns)), rows(pools + 1), rows(helped), rows(), rows(), rows()
        ),
        ready=rows(max(strikes)),
        gains=(rows(strikes[0], units[1]), rows(strikes[1], units[0])),
        picked=Picked(rows(), rows(), rows(), rows(), rows(), rows()),
        over=rows(),
        bit=rows(),
        cost_ranks=cost_ranks(sides),
        hurts=(rows(strikes[0]), rows(strikes[1])),
        line=line_for(sides, rows),
        aspect=rows(),
        foes=rows(),
    )
    return Workspace(serial, slots, way_slots, left_of, spent, np.zeros(ways), lane, left_to, after_to, np.zeros(ways))
