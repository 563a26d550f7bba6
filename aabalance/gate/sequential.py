"""A sequential test, which stays valid however often one looks: is the mean of numbers from 0 to 1 within a band?

Two gamblers bet on every number ``x_t`` before they see it, one that it exceeds ``m``, one that it falls short:

``K+_t(m) = prod (1 + min(l_i, c / m) (x_i - m))``, ``K-_t(m) = prod (1 - min(l_i, c / (1 - m)) (x_i - m))``.

If the mean is ``m``, neither fortune is expected to grow, and by Ville's inequality the chance that it ever reaches
``2 / alpha`` is ``alpha / 2`` at most, whenever one looks and stops. The interval is all ``m`` at which neither fortune
has reached that: it covers the mean at all times at once with chance ``1 - alpha``. ``K+`` falls with ``m`` and ``K-``
rises, so that it is one interval, and only both ends of a band need to be tested.

The bets are the predictable plug-in ones of I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables
by betting, Journal of the Royal Statistical Society B 86 (2024) 1-27: the hedged capital process of its theorem 3, with
c = 0.75.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from aabalance.engine.arrays import Floats

LARGEST_BET = 0.75
"""c: largest share of a fortune that may be lost by one number."""
FIRST_LOOK = 8
"""Numbers before the first test."""
STEPS = 60
"""Halvings that find an end of the interval."""

HOLDS, BROKEN, UNDECIDED = "holds", "broken", "undecided"


class Decision(NamedTuple):
    """The result of a sequential test.

    Attributes
    ----------
    verdict : {"holds", "broken", "undecided"}
        Whether the mean is within the band.
    mean, low, high : float
        Mean of the numbers, and its interval.
    n : int
        How many numbers there were.
    """

    verdict: str
    mean: float
    low: float
    high: float
    n: int


def bets(x: Floats, alpha: float) -> Floats:
    """Return the bet on each number, which is made from the numbers before it alone; before the cut by `LARGEST_BET`.

    Parameters
    ----------
    x : array of float, shape (n,)
        The numbers, from 0 to 1.
    alpha : float
        Chance that the interval is wrong.
    """
    t = np.arange(1, len(x) + 1)
    mean = (0.5 + np.cumsum(x)) / (t + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2)) / (t + 1)
    before = np.concatenate(([0.25], variance[:-1]))
    return np.sqrt(2 * math.log(2 / alpha) / (before * t * np.log(t + 1)))


def above(x: Floats, bet: Floats, m: float, alpha: float) -> bool:
    """Return whether numbers show that their mean is above `m`: the fortune that bets so has reached ``2 / alpha``.

    Parameters
    ----------
    x, bet : array of float, shape (n,)
        Numbers from 0 to 1, and their `bets`; these are the same for ``1 - x``.
    m, alpha : float
        The mean to compare with, and the chance that the interval is wrong.
    """
    if m < 0 or m >= 1:
        return m < 0
    cut = bet if m == 0 else np.minimum(bet, LARGEST_BET / m)
    fortune = np.cumsum(np.log1p(cut * (x - m)))
    return bool(fortune.max(initial=0.0) >= math.log(2 / alpha))


def interval(x: Floats, alpha: float) -> tuple[float, float]:
    """Return the interval of the mean of numbers from 0 to 1; covers it with chance ``1 - alpha`` at all n at once.

    Parameters
    ----------
    x : array of float, shape (n,)
        The numbers, from 0 to 1.
    alpha : float
        Chance that the interval is wrong.
    """
    bet = bets(x, alpha)

    def least(values: Floats) -> float:
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if above(values, bet, middle, alpha) else (low, middle)
        return low

    return least(x), 1 - least(1 - x)


def decide(observe: Callable[[int, int], Floats], band: tuple[float, float], alpha: float, most: int) -> Decision:
    """Observe more and more numbers until their mean is known to be within a band, or outside.

    Parameters
    ----------
    observe : callable
        Takes the place of the first number and a count; returns as many independent numbers from 0 to 1 of equal mean.
    band : (float, float)
        Least and largest mean that keep the claim.
    alpha : float
        Chance that the verdict is wrong: ``broken`` for a mean within the band, its ends included, or ``holds`` for one
        outside.
    most : int
        Numbers after which the verdict is ``undecided``.
    """
    x = np.empty(0)
    while True:
        more = min(max(FIRST_LOOK, len(x) // 4), most - len(x))
        x = np.concatenate((x, observe(len(x), more)))
        verdict = _verdict(x, band, alpha)
        if verdict != UNDECIDED or len(x) >= most:
            return Decision(verdict, float(x.mean()), *interval(x, alpha), len(x))


def _verdict(x: Floats, band: tuple[float, float], alpha: float) -> str:
    low, high = band
    bet = bets(x, alpha)
    if above(x, bet, high, alpha) or above(1 - x, bet, 1 - low, alpha):
        return BROKEN
    # No mean is beyond 0 or 1.
    reaches_low = low <= 0 or above(x, bet, low, alpha)
    reaches_high = high >= 1 or above(1 - x, bet, 1 - high, alpha)
    return HOLDS if reaches_low and reaches_high else UNDECIDED
