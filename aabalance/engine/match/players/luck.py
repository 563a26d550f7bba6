"""Luck: what the dice of each decision did to a side's chance to win, beyond their mean.

The chance to win is a logistic curve of what a state is worth, so that luck is no more right than a game's `value`;
but its mean is 0 whatever that is, since each decision's luck is its chance after the dice less the mean over all ways
in which they can fall.
"""

from __future__ import annotations

import math

import numpy as np

from aabalance.engine.arrays import Floats
from aabalance.engine.match.players.dice import own_word, shake
from aabalance.engine.match.players.greedy import MOST_WAYS, SAMPLED, THROWS
from aabalance.engine.match.players.hooks import apply, result, value
from aabalance.engine.match.players.workspace import FIRST, TRUE
from aabalance.rulesets.base.match import ALL, DEPTH, DRAWN, ODOMETER, Actions, Record, chance, next_way

CERTAIN = 30.0
"""Logit beyond which a winning chance is 0 or 1."""


def winning(tables: Record, state: Record, side: int, curve: float) -> float:
    """Return the winning chance of a side, a draw being half a win, by `MatchRules.value` of all units.

    Parameters
    ----------
    tables, state : record
        Those of the match.
    side : int
        The side.
    curve : float
        `aabalance.rulesets.base.match_rules.Tuned.curve`.
    """
    winner = result(state)
    if winner >= 0:
        return 0.5 if winner == DRAWN else (1.0 if winner == side else 0.0)
    worth = (value(tables, state, side, ALL) - value(tables, state, 1 - side, ALL)) / 2
    return 1.0 / (1.0 + math.exp(-min(max(worth / curve, -CERTAIN), CERTAIN)))


def replay_luck(
    tables: Record,
    curve: float,
    key: int,
    match: int,
    at: int,
    until: int,
    work: Record,
    made: Actions,
    found: Floats,
) -> int:
    """Play the decisions of a match again, and write the luck of a with the dice of each; return how many were played.

    Parameters
    ----------
    tables, curve, key, match, at, until, made
        As for `aabalance.engine.match.players.play`.
    work : record
        The workspace of the match.
    found : array of float, shape (until,)
        Takes what the dice of each decision added to the winning chance of side a; 0 without dice.
    """
    state, dice = work.states[TRUE], work.dice
    while result(state) < 0 and at < until:
        mean = mean_chance(tables, work, made[at], curve, own_word(key, match, at))
        shake(dice, key, match, at)
        apply(tables, state, made[at], dice)
        found[at] = winning(tables, state, 0, curve) - mean if dice.rolled > 0 else 0.0
        at += 1
    return at


def mean_chance(tables: Record, work: Record, action: int, curve: float, word: np.uint64) -> float:
    """Return the mean chance of side a to win after an action in the state of a match.

    It is exact where the dice can fall in few ways; else that of some throws, which `word` decides. `tables` are those
    of the match, `work` is its workspace.
    """
    first, dice = work.states[FIRST], work.dice
    shake(dice, word, SAMPLED, 0)  # dice that may be rolled again for ever are random beyond those that are counted
    dice.source, dice.rolled, dice.given = ODOMETER, 0, 0
    mean = 0.0
    for _ in range(MOST_WAYS):
        work.states[FIRST] = work.states[TRUE]
        apply(tables, first, action, dice)
        if dice.rolled > DEPTH:
            break
        if dice.rolled == 0:
            return mean
        mean += chance(dice) * winning(tables, first, 0, curve)
        if not next_way(dice):
            return mean
    mean = 0.0
    for throw in range(THROWS):
        shake(dice, word, SAMPLED, throw)
        work.states[FIRST] = work.states[TRUE]
        apply(tables, first, action, dice)
        mean += winning(tables, first, 0, curve) / THROWS
    return mean
