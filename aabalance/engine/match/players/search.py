"""Search: a race of plans by successive halving (Karnin, Koren and Somekh 2013), each played on with common dice.

The plans are those that greedy likes best. In a playout both sides then decide as greedy does (a rollout: Tesauro and
Galperin 1996), until so many turns or phases of a side have ended. It counts the chance to win by what the state is
worth then. After each lap the better half of the plans stays. What a side can't see is drawn anew for each playout.
There, too, a side decides by what it sees: if it knew the reactions that wait for it, it would seldom attack. How far
playouts go is a matter of the game: in Forumini Armies damage shows at the end of a turn alone.

As in `aabalance.engine.match.players.greedy`, `tables` are those of the match, `work` is its workspace, and `word` a
random word. `works` are the workspaces of the match and of playouts, `gains` what greedy hopes of the plans, `begun` is
the plan that a playout begins with, and `tuned` are `MatchRules.tuned`.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.match.players.dice import U, own_word, shake
from aabalance.engine.match.players.greedy import EQUAL, NOTHING, best_plan, forget, plan
from aabalance.engine.match.players.hooks import actor, apply, redraw, result, see, sensible, to_move, units, value
from aabalance.engine.match.players.luck import winning
from aabalance.engine.match.players.workspace import MATCH, NOT_JUDGED, PLAYOUT, SEEN, TRUE
from aabalance.engine.rng import philox
from aabalance.rulesets.base.match import ALL, NO_UNIT, Actions, Record
from aabalance.rulesets.base.match_rules import Tuned

FEWEST_PLANS, MOST_PLANS, PLAYOUTS_A_PLAN = 4, 64, 8
"""Plans in the race, and how many playouts there are for each in the mean: with half of them, 48 playouts (then by
quick decisions) scored .71 for .83 against greedy in Armored Advance."""
MOST_DECISIONS = 256
"""Decisions in a playout."""
DOUBT = 0.05
"""What is hoped of an action that greedy wouldn't take, where its plans are single actions: so many curves less. In
Armour Battles 512 playouts scored .74 against greedy with .05, and .59 with .2 and fewer actions, by the weight that
greedy's hopes had before they counted as playouts."""


def race(tables: Record, works: Record, tuned: Tuned, playouts: int, word: np.uint64) -> int:
    """Return the first action of the plan that wins the race.

    Parameters
    ----------
    tables, works
        As for `aabalance.engine.match.players.decide`; what the side that decides sees has been written.
    tuned : Tuned
        `MatchRules.tuned`.
    playouts : int
        How many there are, of all plans together: a few more or less, since each plan has as many as any other.
    word : uint64
        The random word of the decision.
    """
    most = min(max(playouts // PLAYOUTS_A_PLAN, FEWEST_PLANS), MOST_PLANS)
    plans, gains = np.empty((most + 1, 2), np.int64), np.empty(most + 1)
    left = proposals(tables, works[MATCH], word, plans, gains)
    if left < 2:
        left = singles(tables, works[MATCH], int(plans[0, 0]), tuned.curve, plans, gains)
    if left < 2:
        return int(plans[0, 0])
    laps = 1
    while 1 << laps < left:
        laps += 1
    # What greedy hopes counts as some playouts that each plan has had: it knows where the units of now want to be.
    # It is put as a chance: about even odds, a logistic curve rises by a quarter for each unit of its scale.
    sums, order, tried = np.empty(left), np.arange(left), 0
    for of in range(left):
        sums[of] = tuned.trust * min(max(gains[of] / (4.0 * tuned.curve), -1.0), 1.0)
    for _ in range(laps):
        for _ in range(max(1, playouts // (laps * left))):
            for place in range(left):
                of = order[place]
                sums[of] += playout(tables, works, plans[of], tuned, word, tried)
            tried += 1
        for place in range(1, left):
            of, at = order[place], place
            while at > 0 and sums[order[at - 1]] - sums[of] < -EQUAL:
                order[at] = order[at - 1]
                at -= 1
            order[at] = of
        left = (left + 1) // 2
    return int(plans[order[0], 0])


def proposals(tables: Record, work: Record, word: np.uint64, plans: Actions, gains: Floats) -> int:
    """Write the plans that greedy likes best, the best first, and what they add; return how many there are.

    The last place only has room for the plan that drops out. Of the actions that belong to no unit, such as the end of
    a turn, the best counts as adding 0: it stands behind all plans of units that add something.
    """
    shake(work.dice, word, 0, 0)
    seen, actions = work.states[SEEN], work.actions[0]
    side, all_units, kept = to_move(seen), int(units(tables, seen)), 0
    for one in range(all_units + 1):
        unit = one if one < all_units else NO_UNIT
        count = sensible(tables, seen, unit, False, actions)
        if count == 0:
            continue
        now = value(tables, seen, side, unit)
        after, seconds, best = np.empty(count), np.empty(count, np.int64), -np.inf
        for at in range(count):
            after[at], seconds[at] = plan(tables, work, int(actions[at]), side, unit, now, word)
            best = max(best, after[at])
        base = now if unit >= 0 else best
        for at in range(count):
            gain, place = after[at] - base, kept
            while place > 0 and gains[place - 1] < gain - EQUAL:
                plans[place, 0], plans[place, 1] = plans[place - 1, 0], plans[place - 1, 1]
                gains[place] = gains[place - 1]
                place -= 1
            plans[place, 0], plans[place, 1], gains[place] = actions[at], seconds[at], gain
            kept = min(kept + 1, len(gains) - 1)
    return kept


def singles(tables: Record, work: Record, chosen: int, curve: float, plans: Actions, gains: Floats) -> int:
    """Write all actions that are worth a look, the `chosen` one of greedy first; return how many there are.

    For games whose greedy players have a score for each kind of action, and no plans. `curve` is that of `Tuned`.
    """
    plans[0, 0], plans[0, 1], gains[0], kept = chosen, NOTHING, 0.0, 1
    actions = work.actions[0]
    for at in range(sensible(tables, work.states[SEEN], ALL, False, actions)):
        if actions[at] != chosen and kept < len(gains) - 1:
            plans[kept, 0], plans[kept, 1], gains[kept] = actions[at], NOTHING, -DOUBT * curve
            kept += 1
    return kept


def playout(tables: Record, works: Record, begun: Ints, tuned: Tuned, word: np.uint64, number: int) -> float:
    """Return the winning chance at the end of a playout that begins with a plan; its number decides its dice."""
    work = works[PLAYOUT]
    state, dice = work.states[TRUE], work.dice
    work.states[TRUE] = works[MATCH].states[TRUE]
    side = to_move(state)
    key, _ = philox(word, U(number), U(1))
    shake(dice, key, number, MOST_DECISIONS)
    redraw(tables, state, side, dice)
    work.hopes[:] = NOT_JUDGED
    mover, ended, at = side, 0, 0
    while result(state) < 0 and ended < tuned.horizon and at < MOST_DECISIONS:
        if at < len(begun) and begun[at] != NOTHING:
            action = begun[at]
        else:
            see(tables, work)
            action = best_plan(tables, work, own_word(key, number, at))
        shake(dice, key, number, at)
        apply(tables, state, action, dice)
        forget(work, action)
        ended += actor(action) < 0 and to_move(state) != mover
        mover = to_move(state)
        at += 1
    return winning(tables, state, side, tuned.curve)
