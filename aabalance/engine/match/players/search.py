"""Search: a race of plans by successive halving (Karnin, Koren and Somekh 2013), each played on with common dice.

The plans are those that greedy likes best. In a playout both sides then decide as greedy does (a rollout: Tesauro and
Galperin 1996), until so many turns or phases of a side have ended. It counts the chance to win by what the state is
worth then. After each lap the better half of the plans stays. What a side can't see is drawn anew for each playout.
There, too, a side decides by what it sees: if it knew the reactions that wait for it, it would seldom attack. How far
playouts go is a matter of the game: in Forumini Armies damage shows at the end of a turn alone.

Beside the parameters that `aabalance.engine.match.players.greedy` explains (`tables`, `states`, `out`, `word`), `gains`
are what greedy hopes of the plans, `begun` is the plan that a playout begins with, and `tuned` are `MatchRules.tuned`.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.match.players.dice import U, own_word, shake
from aabalance.engine.match.players.greedy import EQUAL, NOT_JUDGED, NOTHING, best_plan, plan
from aabalance.engine.match.players.hooks import actor, apply, redraw, result, sensible, to_move, units, value, view
from aabalance.engine.match.players.luck import winning
from aabalance.engine.rng import philox
from aabalance.rulesets.base.match import ALL, MOST_UNITS, NO_UNIT, Actions, Record
from aabalance.rulesets.base.match_rules import Tuned

FEWEST_PLANS, MOST_PLANS, PLAYOUTS_A_PLAN = 4, 64, 8
"""Plans in the race, and how many playouts there are for each in the mean: with half of them, 48 playouts (then by
quick decisions) scored .71 for .83 against greedy in Armored Advance."""
PLAYOUT = 4
"""The first of the states of a playout, among those of `aabalance.engine.match.players.STATES`."""
MOST_DECISIONS = 256
"""Decisions in a playout."""
DOUBT = 0.05
"""What is hoped of an action that greedy wouldn't take, where its plans are single actions: so many curves less. In
Armour Battles 512 playouts scored .74 against greedy with .05, and .59 with .2 and fewer actions."""


def race(
    tables: Record, states: Record, out: Actions, dice: Record, tuned: Tuned, playouts: int, word: np.uint64
) -> int:
    """Return the first action of the plan that wins the race.

    Parameters
    ----------
    tables, states, out, dice
        As for `aabalance.engine.match.players.decide`; the second state is what the side that decides sees.
    tuned : Tuned
        `MatchRules.tuned`.
    playouts : int
        How many there are, of all plans together: a few more or less, since each plan has as many as any other.
    word : uint64
        The random word of the decision.
    """
    most = min(max(playouts // PLAYOUTS_A_PLAN, FEWEST_PLANS), MOST_PLANS)
    plans, gains = np.empty((most + 1, 2), np.int64), np.empty(most + 1)
    left = proposals(tables, states[1:], out, dice, word, plans, gains)
    if left < 2:
        left = singles(tables, states[1], out, int(plans[0, 0]), tuned.curve, plans, gains)
    if left < 2:
        return int(plans[0, 0])
    laps = 1
    while 1 << laps < left:
        laps += 1
    # What greedy hopes counts beside the mean of the playouts: it knows where the units of now want to be.
    # It is put as a chance: about even odds, a logistic curve rises by a quarter for each unit of its scale.
    sums, order, hoped, tried = np.zeros(left), np.empty(left, np.int64), np.empty(left), 0
    for of in range(left):
        order[of], hoped[of] = of, tuned.trust * min(max(gains[of] / (4.0 * tuned.curve), -1.0), 1.0)
    for _ in range(laps):
        for _ in range(max(1, playouts // (laps * left))):
            for place in range(left):
                of = order[place]
                sums[of] += playout(tables, states, out, dice, plans[of], tuned, word, tried)
            tried += 1
        for place in range(1, left):
            of, at = order[place], place
            while at > 0 and (sums[order[at - 1]] - sums[of]) / tried + hoped[order[at - 1]] - hoped[of] < -EQUAL:
                order[at] = order[at - 1]
                at -= 1
            order[at] = of
        left = (left + 1) // 2
    return int(plans[order[0], 0])


def proposals(
    tables: Record, states: Record, out: Actions, dice: Record, word: np.uint64, plans: Actions, gains: Floats
) -> int:
    """Write the plans that greedy likes best, the best first, and what they add; return how many there are.

    All but the last place may be taken. Of what belongs to no unit, the best adds nothing: it waits until no unit's
    plan adds anything.
    """
    shake(dice, word, 0, 0)
    side, several, kept = to_move(states[0]), int(units(tables, states[0])), 0
    for one in range(several + 1):
        unit = one if one < several else NO_UNIT
        count = sensible(tables, states[0], unit, False, out[0])
        if count == 0:
            continue
        now = value(tables, states[0], side, unit)
        after, seconds, best = np.empty(count), np.empty(count, np.int64), -np.inf
        for at in range(count):
            after[at], seconds[at] = plan(tables, states, out, dice, int(out[0, at]), side, unit, now, word)
            best = max(best, after[at])
        base = now if unit >= 0 else best
        for at in range(count):
            gain, place = after[at] - base, kept
            while place > 0 and gains[place - 1] < gain - EQUAL:
                plans[place, 0], plans[place, 1] = plans[place - 1, 0], plans[place - 1, 1]
                gains[place] = gains[place - 1]
                place -= 1
            plans[place, 0], plans[place, 1], gains[place] = out[0, at], seconds[at], gain
            kept = min(kept + 1, len(gains) - 1)
    return kept


def singles(
    tables: Record, state: Record, out: Actions, chosen: int, curve: float, plans: Actions, gains: Floats
) -> int:
    """Write all actions that are worth a look, the `chosen` one of greedy first; return how many there are.

    For games whose greedy players have a score for each kind of action, and no plans. `curve` is that of `Tuned`.
    """
    plans[0, 0], plans[0, 1], gains[0], kept = chosen, NOTHING, 0.0, 1
    for at in range(sensible(tables, state, ALL, False, out[0])):
        if out[0, at] != chosen and kept < len(gains) - 1:
            plans[kept, 0], plans[kept, 1], gains[kept] = out[0, at], NOTHING, -DOUBT * curve
            kept += 1
    return kept


def playout(
    tables: Record, states: Record, out: Actions, dice: Record, begun: Ints, tuned: Tuned, word: np.uint64, number: int
) -> float:
    """Return the winning chance at the end of a playout that begins with a plan; its number decides its dice."""
    side, own = to_move(states[0]), states[PLAYOUT:]
    own[0] = states[0]
    key, _ = philox(word, U(number), U(1))
    shake(dice, key, number, MOST_DECISIONS)
    redraw(tables, own[0], side, dice)
    hopes = np.full(MOST_UNITS, NOT_JUDGED)
    mover, ended, at = side, 0, 0
    while result(own[0]) < 0 and ended < tuned.horizon and at < MOST_DECISIONS:
        if at < len(begun) and begun[at] != NOTHING:
            action = begun[at]
        else:
            own[1] = own[0]
            view(tables, own[1], mover)
            action = best_plan(tables, own[1:], out, dice, hopes, own_word(key, number, at))
        shake(dice, key, number, at)
        apply(tables, own[0], action, dice)
        unit = actor(action)
        # Not as `note` has it for matches: here dice of one unit leave what was hoped of the others as it is.
        if unit >= 0:
            hopes[unit] = NOT_JUDGED
        if unit < 0 or to_move(own[0]) != mover:
            hopes[:] = NOT_JUDGED
        ended += unit < 0 and to_move(own[0]) != mover
        mover = to_move(own[0])
        at += 1
    return winning(tables, own[0], side, tuned.curve)
