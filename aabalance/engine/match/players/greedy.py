"""Greedy: the best plan for one unit's turn, by what it adds to the value of the state in the mean over its dice.

In all functions `tables` are those of the match, `work` is the workspace, `word` a random word, `side` the side that
decides, and `now` what the state that it sees is worth to it.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.match.players.dice import U, pick, shake
from aabalance.engine.match.players.hooks import actor, apply, sensible, to_move, units, value
from aabalance.engine.match.players.workspace import FIRST, NOT_JUDGED, SECOND, SEEN, TRUE
from aabalance.engine.rng import philox
from aabalance.rulesets.base.match import DEPTH, NO_UNIT, ODOMETER, Record, chance, next_way

EQUAL = 1e-9
"""Values whose difference is smaller are equal: sums of the same terms in another order."""
MOST_WAYS, THROWS = 64, 16
"""Ways in which the dice of a plan can fall up to which all are looked at, and throws that are looked at otherwise."""
SAMPLED = 0
"""In place of the number of a match: throws are keyed by the decision's own random word."""
NOTHING = -1
"""In place of the second action of a plan that has one alone."""


def forget(work: Record, action: int) -> None:
    """Forget what was hoped of a unit that has acted; of all, where dice fell or the other side is to move."""
    unit = actor(action)
    turned = to_move(work.states[TRUE]) != to_move(work.states[SEEN])
    if unit < 0 or turned or work.dice.rolled > 0:
        work.hopes[:] = NOT_JUDGED
    else:
        work.hopes[unit] = NOT_JUDGED


def best_plan(tables: Record, work: Record, word: np.uint64) -> int:
    """Return the first action of the best plan for one unit's turn: an action, and one more of the same unit.

    What belongs to no unit, such as the end of a turn, is looked at where no unit's plan adds anything. One of several
    best plans is drawn.

    What one unit does seldom raises what the plans of others add. So units are judged in falling order of what their
    best plans added when they were judged last, `hopes`, until that is less than the best plan found adds: lazy greedy
    (Minoux 1978).
    """
    shake(work.dice, word, SAMPLED, 0)
    count, hopes = units(tables, work.states[SEEN]), work.hopes
    judged = np.zeros(count, np.bool_)
    best, chosen, ties = 0.0, 0, 0
    while True:
        most = -np.inf
        for unit in range(count):
            if not judged[unit]:
                most = max(most, hopes[unit])
        if most < best - EQUAL:
            break
        for unit in range(count):
            if judged[unit] or hopes[unit] < most - EQUAL:
                continue
            judged[unit] = True
            gain, action, alike = best_of(tables, work, unit, word)
            hopes[unit] = gain
            if gain > best + EQUAL:
                best, chosen, ties = gain, action, alike
            elif alike > 0 and gain > best - EQUAL:
                ties += alike
                drawn, _ = philox(word, U(unit), U(ties))
                if pick(drawn, ties) < alike:
                    chosen = action
    if ties == 0:
        hopes[:] = NOT_JUDGED
        _, chosen, _ = best_of(tables, work, NO_UNIT, word)
    return chosen


def best_of(tables: Record, work: Record, unit: int, word: np.uint64) -> tuple[float, int, int]:
    """Return what the best plan of a unit adds, its first action, and how many plans are as good.

    A plan is worth what it adds to the `value` of the state, in the mean over its dice. One that adds nothing is none,
    but for actions of `NO_UNIT`; the end of a turn itself adds nothing.
    """
    seen, options = work.states[SEEN], work.actions[0]
    count = sensible(tables, seen, unit, False, options)
    if count == 0 or (count == 1 and unit < 0):
        return 0.0, int(options[0]), 0
    side = to_move(seen)
    now = value(tables, seen, side, unit)
    best, chosen, ties = (0.0 if unit >= 0 else -np.inf), 0, 0
    for at in range(count):
        action = options[at]
        after, _ = plan(tables, work, action, side, unit, now, word)
        gain = after - now
        if gain > best + EQUAL:
            best, chosen, ties = gain, int(action), 1
        elif ties > 0 and gain > best - EQUAL:
            ties += 1
            drawn, _ = philox(word, U(action), U(ties))
            if pick(drawn, ties) == 0:
                chosen = int(action)
    return best, chosen, ties


def plan(
    tables: Record, work: Record, action: int, side: int, unit: int, now: float, word: np.uint64
) -> tuple[float, int]:
    """Return the mean value after the best plan of a unit that begins with an action, and its second action.

    Where the first action rolls dice there is no second: it would be chosen for one outcome of several.
    """
    after, second = mean_after(tables, work, FIRST, action, side, now, word), NOTHING
    first, options = work.states[FIRST], work.actions[1]
    if unit >= 0 and work.dice.rolled == 0 and to_move(first) == side:
        for at in range(sensible(tables, first, unit, True, options)):
            more = mean_after(tables, work, SECOND, options[at], side, now, word)
            if more > after:
                after, second = more, int(options[at])
    return after, second


def mean_after(tables: Record, work: Record, place: int, action: int, side: int, now: float, word: np.uint64) -> float:
    """Return the mean value after an action in the state before that at `place`, `FIRST` or `SECOND`, which it writes.

    The end of a turn leaves the value as it was, `now`. The mean is exact where the dice can fall in few ways; else it
    is that over some throws, the same for all plans.
    """
    unit, dice, state, before = actor(action), work.dice, work.states[place], work.states[place - 1]
    # Random words are only used up by dice that an odometer doesn't count, and then the throws below bring new ones.
    dice.source, dice.rolled, dice.given = ODOMETER, 0, 0
    mean: float = 0.0
    for _ in range(MOST_WAYS):
        work.states[place] = before
        apply(tables, state, action, dice)
        if unit < 0 and to_move(state) == 1 - side:
            return now
        worth = value(tables, state, side, unit)
        if dice.rolled > DEPTH:
            break
        mean += chance(dice) * worth
        if dice.rolled == 0 or not next_way(dice):
            return mean
    mean = 0.0
    for throw in range(THROWS):
        shake(dice, word, SAMPLED, throw)
        work.states[place] = before
        apply(tables, state, action, dice)
        mean += value(tables, state, side, unit) / THROWS
    return mean
