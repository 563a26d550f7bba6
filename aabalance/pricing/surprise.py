"""How surprising the results of games are among all that could have been."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aabalance.engine.arrays import Floats

LOSS, DRAW, WIN = range(3)
MIDDLE = 0.025, 0.975
AT_ONCE = 1 + 1e-9
"""Chances, and distances, that differ by no more than this factor are alike."""


def exact_test(chances: Floats, which: Any) -> tuple[float, float, float]:
    """Return what one side scored, what was expected, and how likely a score is that is as far from that, or farther.

    Parameters
    ----------
    chances : array of float, shape (games, 3)
        That it loses, draws and wins.
    which : array of int, shape (games,)
        What it did.
    """
    masses = np.ones(1)
    for one in chances:
        masses = np.convolve(masses, one)
    scored, expected = float(which.sum()) / WIN, float((chances @ [0, 0.5, 1]).sum())
    away = np.abs(np.arange(len(masses)) / WIN - expected)
    return scored, expected, min(1.0, float(masses[AT_ONCE * away >= abs(scored - expected)].sum()))


class Verdict(NamedTuple):
    """What one side scored, what was expected, how likely a score as far from that is, and how sure that is.

    Attributes
    ----------
    low, high : float
        Interval of `p`: the simulated matches leave chances open.
    least : float
        The least `p` that any score could have had.
    """

    scored: float
    expected: float
    p: float
    low: float
    high: float
    least: float


def verdict(possible: Floats, which: Any) -> Verdict:
    """Return the verdict on results.

    Parameters
    ----------
    possible : array of float, shape (1 + draws, games, 3)
        The chances that the side loses, draws and wins; then others that are possible, too.
    which : array of int, shape (games,)
        What it did.
    """
    low, high = np.quantile([exact_test(chances, which)[2] for chances in possible[1:]], MIDDLE)
    least = min(exact_test(possible[0], np.full(len(which), end))[2] for end in (LOSS, WIN))
    return Verdict(*exact_test(possible[0], which), float(low), float(high), least)
