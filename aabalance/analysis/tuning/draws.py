"""Other opponents like those of a roster: weights that are drawn for them, for intervals."""

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
    """Return the mean leads that units would have over other opponents like theirs.

    Parameters
    ----------
    units : sequence of str
        Ids of the opponents.
    seed : int
    shares : array of float, shape (rows, opponents)
        Of each opponent in a unit's mean: a row sums to 1, or is 0 for a unit that nobody counts for.
    above : array of float, same shape
        What it scores against each above an even score.

    Returns
    -------
    array of float, shape (draws, rows)
    """
    weights = weights_of(tuple(units), seed)
    parts = np.where(shares > 0, shares * above, 0.0)
    total, lead = weights @ shares.T, parts.sum(axis=1)
    drawn = weights @ parts.T / np.where(total > 0, total, 1.0)
    # Draws of m weights spread a mean (m - 1) / (m + 1) as far as m new opponents would, in squares, and from these m
    # a unit's price has taken one more freedom.
    met = (shares > 0).sum(axis=1)
    return lead + (drawn - lead) * np.sqrt((met + 1) / (met - 2).clip(min=1))


def several(shares: Any) -> Any:
    """Return by row whether there is more than one opponent: whatever weight one alone is drawn, it says the same."""
    return (shares > 0).sum(axis=-1) > 1


@lru_cache(maxsize=4)
def weights_of(units: tuple[str, ...], seed: int) -> Any:
    """Return weights of the opponents, exponential, by draw; a unit's hang on its id, and not on who else there is."""
    keys = rng.stream_keys(seed, list(units))
    drawn = [np.random.Generator(np.random.Philox(int(key))).exponential(size=DRAWS) for key in keys]
    weights = np.stack(drawn, axis=1)
    weights.setflags(write=False)
    return weights
