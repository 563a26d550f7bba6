"""Players, written once for all games: they know no rule, but ask the functions of a game.

The functions of a game are bound in place of the names below: see `aabalance.rulesets.base.match.MatchRules` for what
each returns, and `aabalance.engine.jit.compiled`.

In all functions `tables` are those of the match, `states` what is seen of its state and those in which a plan is
tried, `out` takes actions, `dice` are overwritten, `word` is a random word, `side` the side that decides, `now` what
its state is worth, `hopes` what the best plans of units were worth when they were last judged in this turn, and `key`,
`match` and `at` are the key of the random numbers, the number of the match, and that of the decision in it.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine import jit
from aabalance.engine.arrays import Floats
from aabalance.engine.rng import FRACTION, digit, philox
from aabalance.rulesets.base.match import (
    ALL,
    DECISIONS,
    DEPTH,
    MOST_UNITS,
    NO_UNIT,
    ODOMETER,
    RANDOM,
    WORDS,
    Actions,
    Record,
    chance,
    next_way,
)

U = np.uint64

legal = candidates = units = actor = apply = view = result = to_move = value = facts = jit.NO_HOOK
"""What a game's rules bring."""

PLAYERS = "random", "greedy"
ANY, GREEDY = range(2)

EQUAL = 1e-9
"""Values whose difference is smaller are equal: sums of the same terms in another order."""
STATES = 4
"""The state, what the side that decides sees of it, and that after the first and after the second action of a plan."""
PLAYER_BLOCK = U(WORDS // 2)
"""The block of random numbers from which a player takes his own, behind those of the dice."""
MOST_WAYS, THROWS = 64, 16
"""Ways in which the dice of a plan can fall up to which all are looked at, and throws that are looked at otherwise."""
NOT_JUDGED = np.inf
"""What is hoped of a unit whose plans have not been judged yet."""
SAMPLED = 0
"""In place of the number of a match: throws are keyed by the decision's own random word."""


def decide(
    player: int,
    tables: Record,
    states: Record,
    out: Actions,
    dice: Record,
    hopes: Floats,
    key: int,
    match: int,
    at: int,
) -> int:
    """Return the action that a player takes.

    Parameters
    ----------
    player : int
        Index into `PLAYERS`.
    tables : record
        The tables of the match.
    states : array of records, shape (STATES,)
        The first is the state, of which the player looks at his `view` alone; the others are overwritten.
    out : array of int64, shape (2, actions)
        Overwritten.
    dice : record of `DICE`
        Overwritten.
    hopes : array of float, shape (MOST_UNITS,)
        From `no_hopes`; kept from decision to decision, and told by `note` of the action that is taken.
    key, match, at : int
        Key of the random numbers, number of the match, and number of the decision in it.
    """
    word, _ = philox(U(key), U(match), U(at) << U(3) | PLAYER_BLOCK)
    seen = states[1:]
    seen[0] = states[0]
    view(tables, seen[0], to_move(seen[0]))
    if player == ANY:
        return int(out[0, pick(word, legal(tables, seen[0], ALL, out[0]))])
    return best_plan(tables, seen, out, dice, hopes, word)


def no_hopes() -> Floats:
    """Return the hopes of a match of which nothing has been judged yet."""
    return np.full(MOST_UNITS, NOT_JUDGED)


def note(hopes: Floats, action: int, dice: Record) -> None:
    """Forget what was hoped of a unit that has acted; of all, after an action of none, such as the end of a turn."""
    unit = actor(action)
    if unit < 0 or dice.rolled > 0:
        hopes[:] = NOT_JUDGED
    else:
        hopes[unit] = NOT_JUDGED


def pick(word: np.uint64, count: int) -> int:
    """Return one of the numbers below `count`, each alike."""
    return int(digit(word & FRACTION, U(count)))


def best_plan(tables: Record, states: Record, out: Actions, dice: Record, hopes: Floats, word: np.uint64) -> int:
    """Return the first action of the best plan for one unit's turn: an action, and one more of the same unit.

    What belongs to no unit, such as the end of a turn, is looked at where no unit's plan adds anything. One of several
    best plans is drawn.

    What a plan adds seldom grows by what others do. So units are judged in the order of what was hoped of them, and no
    more as soon as one keeps a promise greater than all that are left.
    """
    shake(dice, word, SAMPLED, 0)
    several = units(tables, states[0])
    judged = np.zeros(several, np.bool_)
    best, chosen, ties = 0.0, 0, 0
    while True:
        most = -np.inf
        for unit in range(several):
            if not judged[unit]:
                most = max(most, hopes[unit])
        if most < best - EQUAL:
            break
        for unit in range(several):
            if judged[unit] or hopes[unit] < most - EQUAL:
                continue
            judged[unit] = True
            gain, action, more = best_of(tables, states, out, dice, unit, word)
            hopes[unit] = gain
            if gain > best + EQUAL:
                best, chosen, ties = gain, action, more
            elif more > 0 and gain > best - EQUAL:
                ties += more
                drawn, _ = philox(word, U(unit), U(ties))
                if pick(drawn, ties) < more:
                    chosen = action
    if ties == 0:
        hopes[:] = NOT_JUDGED
        _, chosen, _ = best_of(tables, states, out, dice, NO_UNIT, word)
    return chosen


def best_of(
    tables: Record, states: Record, out: Actions, dice: Record, unit: int, word: np.uint64
) -> tuple[float, int, int]:
    """Return what the best plan of a unit adds, its first action, and how many plans are as good.

    A plan is worth what it adds to the `value` of the state, in the mean over its dice. One that adds nothing is none,
    but for actions of `NO_UNIT`; the end of a turn itself adds nothing.
    """
    count = candidates(tables, states[0], unit, False, out[0])
    if count == 0 or (count == 1 and unit < 0):
        return 0.0, int(out[0, 0]), 0
    side = to_move(states[0])
    now = value(tables, states[0], side, unit)
    best, chosen, ties = (0.0 if unit >= 0 else -np.inf), 0, 0
    for at in range(count):
        action = out[0, at]
        after = mean_after(tables, states, dice, 1, action, side, now, word)
        if unit >= 0 and dice.rolled == 0 and to_move(states[1]) == side:
            for then in range(candidates(tables, states[1], unit, True, out[1])):
                after = max(after, mean_after(tables, states, dice, 2, out[1, then], side, now, word))
        gain = after - now
        if gain > best + EQUAL:
            best, chosen, ties = gain, int(action), 1
        elif ties > 0 and gain > best - EQUAL:
            ties += 1
            drawn, _ = philox(word, U(action), U(ties))
            if pick(drawn, ties) == 0:
                chosen = int(action)
    return best, chosen, ties


def mean_after(
    tables: Record, states: Record, dice: Record, depth: int, action: int, side: int, now: float, word: np.uint64
) -> float:
    """Return the mean value after an action of the state before that at `depth`, which is overwritten.

    It is exact where the dice can fall in few ways; else it is that over some throws, the same for all plans.
    """
    unit = actor(action)
    # Random words are only used up by dice that an odometer doesn't count, and then the throws below bring new ones.
    dice.source, dice.rolled, dice.given = ODOMETER, 0, 0
    mean: float = 0.0
    for _ in range(MOST_WAYS):
        states[depth] = states[depth - 1]
        apply(tables, states[depth], action, dice)
        if unit < 0 and to_move(states[depth]) == 1 - side:
            return now
        worth = value(tables, states[depth], side, unit)
        if dice.rolled > DEPTH:
            break
        mean += chance(dice) * worth
        if dice.rolled == 0 or not next_way(dice):
            return mean
    mean = 0.0
    for throw in range(THROWS):
        shake(dice, word, SAMPLED, throw)
        states[depth] = states[depth - 1]
        apply(tables, states[depth], action, dice)
        mean += value(tables, states[depth], side, unit) / THROWS
    return mean


def shake(dice: Record, key: int | np.uint64, match: int, at: int) -> None:
    """Make the dice of a decision random: they depend on the key, the match and the decision alone."""
    dice.source, dice.rolled, dice.given = RANDOM, 0, 0
    for block in range(WORDS // 2):
        one, other = philox(U(key), U(match), U(at) << U(3) | U(block))
        dice.words[2 * block], dice.words[2 * block + 1] = one & FRACTION, other & FRACTION


def play(
    tables: Record,
    start: Record,
    players: tuple[int, int],
    key: int,
    first: int,
    step: int,
    states: Record,
    out: Actions,
    dice: Record,
    found: Actions,
    trace: Actions,
) -> None:
    """Play matches from one state on.

    Parameters
    ----------
    start : record
        The state at the start.
    players : (int, int)
        Indices into `PLAYERS`, of both sides.
    key, first, step : int
        Key of the random numbers, number of the first match, and how far the numbers of matches are apart.
    states, out, dice
        As for `decide`.
    found : array of int64, shape (matches, facts)
        Takes the `FACTS` of each match.
    trace : array of int64, shape (decisions,)
        Takes the decisions of the last match, as far as it has room.
    """
    for row in range(len(found)):
        states[0] = start
        hopes = no_hopes()
        match, at = first + row * step, 0
        while result(states[0]) < 0:
            side = to_move(states[0])
            action = decide(players[side], tables, states, out, dice, hopes, key, match, at)
            shake(dice, key, match, at)
            apply(tables, states[0], action, dice)
            note(hopes, action, dice)
            if at < len(trace):
                trace[at] = action
            at += 1
        facts(tables, states[0], found[row])
        found[row, DECISIONS] = at
