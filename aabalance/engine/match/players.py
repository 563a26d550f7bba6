"""Players, written once for all games: they know no rule, but ask the functions of a game.

The functions of a game are bound in place of the names below: see `aabalance.rulesets.base.match.MatchRules` for what
each returns, and `aabalance.engine.jit.compiled`.

In all functions `tables` are those of the match, `states` its state and those in which a plan is tried, `out` takes
actions, `dice` are overwritten, `word` is a random word, `side` the side that decides, `now` what its state is worth,
and `key`, `match` and `at` are the key of the random numbers, the number of the match, and that of the decision in
it.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine import jit
from aabalance.engine.rng import FRACTION, digit, philox
from aabalance.rulesets.base.match import ALL, DECISIONS, ODOMETER, RANDOM, WORDS, Actions, Record, chance, next_way

U = np.uint64

legal = candidates = actor = apply = result = to_move = value = facts = jit.NO_HOOK
"""What a game's rules bring."""

PLAYERS = "random", "greedy"
ANY, GREEDY = range(2)

EQUAL = 1e-9
"""Values whose difference is smaller are equal: sums of the same terms in another order."""
STATES = 3
"""The state, and those after the first and after the second action of a plan."""
PLAYER_BLOCK = U(WORDS // 2)
"""The block of random numbers from which a player takes his own, behind those of the dice."""


def decide(
    player: int, tables: Record, states: Record, out: Actions, dice: Record, key: int, match: int, at: int
) -> int:
    """Return the action that a player takes.

    Parameters
    ----------
    player : int
        Index into `PLAYERS`.
    tables : record
        The tables of the match.
    states : array of records, shape (STATES,)
        The first is the state; the others are overwritten.
    out : array of int64, shape (2, actions)
        Overwritten.
    dice : record of `DICE`
        Overwritten.
    key, match, at : int
        Key of the random numbers, number of the match, and number of the decision in it.
    """
    word, _ = philox(U(key), U(match), U(at) << U(3) | PLAYER_BLOCK)
    if player == ANY:
        return int(out[0, pick(word, legal(tables, states[0], ALL, out[0]))])
    return best_plan(tables, states, out, dice, word)


def pick(word: np.uint64, count: int) -> int:
    """Return one of the numbers below `count`, each alike."""
    return int(digit(word & FRACTION, U(count)))


def best_plan(tables: Record, states: Record, out: Actions, dice: Record, word: np.uint64) -> int:
    """Return the first action of the best plan for one unit's turn: an action, and one more of the same unit.

    A plan is worth the mean of the `value` after it, over all ways in which its dice can fall: time grows with their
    number. An action that ends the turn is worth what the state is worth now. One of several best plans is drawn.
    """
    side = to_move(states[0])
    now = value(tables, states[0], side)
    best, chosen, ties = -np.inf, -1, 0
    for at in range(candidates(tables, states[0], ALL, out[0])):
        action = out[0, at]
        worth = mean_after(tables, states, out, dice, action, side, now)
        if worth > best + EQUAL:
            best, chosen, ties = worth, action, 1
        elif worth > best - EQUAL:
            ties += 1
            word, _ = philox(word, U(at), U(ties))
            if pick(word, ties) == 0:
                chosen = action
    return int(chosen)


def mean_after(tables: Record, states: Record, out: Actions, dice: Record, action: int, side: int, now: float) -> float:
    """Return the mean value of a plan: an action and, if it rolls no dice, the unit's best second one."""
    unit = actor(action)
    dice.source, dice.rolled, dice.given = ODOMETER, 0, 0
    mean = 0.0
    while True:
        states[1] = states[0]
        apply(tables, states[1], action, dice)
        p = chance(dice)
        if result(states[1]) < 0 and to_move(states[1]) != side:
            worth = now
        else:
            worth = value(tables, states[1], side)
            if result(states[1]) < 0 and unit >= 0 and dice.rolled == 0:
                return float(max(worth, best_follow_up(tables, states, out, dice, unit, side)))
        mean += p * worth
        if not next_way(dice):
            return mean


def best_follow_up(tables: Record, states: Record, out: Actions, dice: Record, unit: int, side: int) -> float:
    """Return the mean value of the best second action of a unit; minus infinity if it has none."""
    best = -np.inf
    for at in range(candidates(tables, states[1], unit, out[1])):
        action = out[1, at]
        dice.source, dice.rolled, dice.given = ODOMETER, 0, 0
        mean, more = 0.0, True
        while more:
            states[2] = states[1]
            apply(tables, states[2], action, dice)
            mean += chance(dice) * value(tables, states[2], side)
            more = next_way(dice)
        best = max(best, mean)
    return best


def shake(dice: Record, key: int, match: int, at: int) -> None:
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
    """
    for row in range(len(found)):
        states[0] = start
        match, at = first + row * step, 0
        while result(states[0]) < 0:
            side = to_move(states[0])
            action = decide(players[side], tables, states, out, dice, key, match, at)
            shake(dice, key, match, at)
            apply(tables, states[0], action, dice)
            at += 1
        facts(tables, states[0], found[row])
        found[row, DECISIONS] = at
