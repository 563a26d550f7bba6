"""Luck as a control variate: the score of matches less the luck of their dice, which has a narrower interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aabalance.analysis.without import LEAST
from aabalance.engine import jit
from aabalance.engine.arrays import Floats
from aabalance.errors import UsageError, check_kind
from aabalance.play.match import MatchResult
from aabalance.play.match_counts import away
from aabalance.play.result import Interval, chance, with_interval

TOLD_FROM = 200
"""Matches from which on the sentence says how many they are worth: a ratio of variances of fewer is a guess."""


class WithoutLuck(NamedTuple):
    """What a's score is, when the luck of the dice is taken off each match.

    Attributes
    ----------
    score_a : float
        P(win) + P(draw) / 2 of a, less the mean luck; 0 or 1 if that is no score.
    score_a_ci : (float, float)
        Its 95 % interval, Student's, never narrower than Wilson's of what happened in no match.
    luck_a : float
        Mean luck of a, which differs from 0 by chance alone.
    fewer : float
        How many times as many matches the plain score takes for an interval as narrow; 0 if all matches scored alike,
        which tells nothing of that.
    matches : int
        How many were played.

    Examples
    --------
    >>> import aabalance as aab
    >>> match = aab.Game("skirmish_wars").match(board="last_stand", rounds=6, simulate=40)
    >>> found = aab.without_luck(match)
    >>> round(found.score_a + found.luck_a - match.p_a - match.p_draw / 2, 9)
    0.0
    """

    score_a: float
    score_a_ci: Interval
    luck_a: float
    fewer: float
    matches: int

    def __repr__(self) -> str:
        return self.sentence()

    def sentence(self) -> str:
        """Return it in words.

        Examples
        --------
        >>> import aabalance as aab
        >>> match = aab.Game("skirmish_wars").match(board="last_stand", rounds=6, simulate=40)
        >>> aab.without_luck(match).sentence()[:28]
        'Without the luck of the dice'
        """
        score = with_interval(chance(self.score_a), self.score_a_ci)
        told = self.matches >= TOLD_FROM and self.fewer > 0
        worth = f", about as sure as {self.fewer:.1f} times as many matches would be" if told else ""
        return f"Without the luck of the dice, a scores {score}{worth}."


def without_luck(match: MatchResult) -> WithoutLuck:
    """Return a's score less the luck of its dice, which has the same mean and, as a rule, a narrower interval.

    The matches are played once more. Luck is what the dice of each decision did to a's chance to win beyond their
    mean, by what the game's players think of a state: a control variate that was fixed before (AIVAT: Burch, Schmid,
    Moravcik, Morrill and Bowling 2018).

    Parameters
    ----------
    match : MatchResult
        From `Game.match`.

    Raises
    ------
    UsageError
        A single match has no interval.

    Examples
    --------
    >>> import aabalance as aab
    >>> match = aab.Game("skirmish_wars").match(board="last_stand", rounds=6, simulate=40)
    >>> aab.without_luck(match).fewer > 0
    True
    """
    from aabalance.engine.match import arena

    check_kind("match", match, MatchResult, "the result of a match")
    if match.trials < LEAST:
        raise UsageError(f"luck: found {match.trials} match, expected at least {LEAST}")
    played, numbers = match.played.match, range(match.trials)
    luck = np.array(
        [arena.luck(played, at, arena.decisions(played, at), jit.compiled).sum() for at in numbers], np.float64
    )
    less = match.scores - luck
    fewer = float(match.scores.var() / max(less.var(), 1e-12))
    return WithoutLuck(*scored(less), float(luck.mean()), fewer, match.trials)


def scored(less: Floats) -> tuple[float, Interval]:
    """Return the mean of scores less luck, and its interval among the scores that there are."""
    middle, half = np.clip(less.mean(), 0, 1), away(less)
    low, high = np.clip((middle - half, middle + half), 0, 1)
    return float(middle), (float(low), float(high))
