"""Intervals over other opponents like those of a roster: its opponents are weighted anew, at random, many times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from aabalance.engine import rng

DRAWS = 400
LEVEL = 0.9
"""Share of the draws within the interval."""


def drawn_leads(units: Sequence[str], seed: int, shares: Any, above: Any) -> Any:
    """Return the mean leads of units over other opponents like theirs, one for each draw of the opponents' weights.

    Parameters
    ----------
    units : sequence of str
        Ids of the opponents.
    seed : int
        Seed of the drawn weights.
    shares : array of float, shape (rows, opponents)
        Share of each opponent in a unit's mean: a row sums to 1, or is 0 for a unit without opponents that count.
    above : array of float, same shape
        The unit's score against each opponent, less an even score.

    Returns
    -------
    array of float, shape (draws, rows)
        The mean leads.
    """
    weights = weights_of(tuple(units), seed)
    parts = np.where(shares > 0, shares * above, 0.0)
    total, lead = weights @ shares.T, parts.sum(axis=1)
    drawn = weights @ parts.T / np.where(total > 0, total, 1.0)
    # With m opponents, drawn weights give the mean a variance of (m - 1) / (m + 1) of that which m new opponents would
    # give it; and the price, fitted to these m, takes away one more degree of freedom.
    met = (shares > 0).sum(axis=1)
    return lead + (drawn - lead) * np.sqrt((met + 1) / (met - 2).clip(min=1))


def several(shares: Any) -> Any:
    """Return by row whether there is more than one opponent: drawn weights tell nothing about a single one."""
    return (shares > 0).sum(axis=-1) > 1


@lru_cache(maxsize=4)
def weights_of(units: tuple[str, ...], seed: int) -> Any:
    """Return exponential weights, by draw and opponent; those of a unit depend on its id, not on other units."""
    keys = rng.stream_keys(seed, list(units))
    drawn = [np.random.Generator(np.random.Philox(int(key))).exponential(size=DRAWS) for key in keys]
    weights = np.stack(drawn, axis=1)
    weights.setflags(write=False)
    return weights
