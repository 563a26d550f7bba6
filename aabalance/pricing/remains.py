"""What is left at some prices: how far units and pairs are from even, and the share of it that no price can change.

And the prices of a simple rule, to compare with.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aabalance.pricing.prices import Bounds
from aabalance.pricing.score import EVEN, Roster
from aabalance.rulesets.base import Fighter

RIDGE = 1e-10


class Remains(NamedTuple):
    """How far units and pairs are from even at some prices.

    Attributes
    ----------
    level : float
        Mean lead of the units that set the level.
    lead : array of float
        Lead of each unit of the roster, less `level`.
    rms : float
        Root mean square of `lead` over the units that are judged.
    pairs : float
        Root mean square of the scores, less `EVEN`, of all pairs that can hurt each other.
    cyclic : float
        Share of the squares behind `pairs` that goes in circles, as where a beats b beats c beats a: it is left when
        each unit is given one number, as a price is, such that their differences come nearest to the scores. nan where
        all pairs are even.
    """

    level: float
    lead: Any
    rms: float
    pairs: float
    cyclic: float


def remains(roster: Roster, prices: Any, judged: Any, even: Any) -> Remains:
    """Return how far units and pairs are from even at some prices.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    prices : array of float
        The price of each unit of the roster.
    judged : array of bool
        Units that `Remains.rms` is about.
    even : array of float
        How much each unit's lead counts for the level; they sum to 1.
    """
    scores = roster.scores(prices)
    lead = roster.lead(scores)
    level = float(even @ np.nan_to_num(lead))
    above = scores.score - EVEN
    weights = roster.mutual * np.outer(roster.weights, roster.weights)
    strength = _potentials(above, weights)
    left = above - (strength[:, None] - strength)
    squares = float((weights * above**2).sum())
    return Remains(
        level,
        lead - level,
        _rms((lead - level)[judged]),
        float(np.sqrt(squares / weights.sum())) if weights.any() else 0.0,
        float((weights * left**2).sum()) / squares if squares else np.nan,
    )


def by_kill_rates(roster: Roster, bounds: Bounds) -> Any:
    """Return prices by a simple rule: the ratio of two prices is the root of that of their kill rates.

    Ratios can't all hold at once, and are met by least squares of their logarithms. This is Lanchester's square law, of
    large battles in which every unit shoots all the time.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    bounds : Bounds
        Prices beyond a bound are put at it.

    Returns
    -------
    array of float
        By unit of the roster.
    """
    n = len(roster.units)
    rates = np.ones((n, n))
    for i, j in np.argwhere(roster.mutual).tolist():
        rates[i, j] = _kill_rate(roster.tables.fighter(i, j), roster.tables.fighter(j, i).toughness)
    weights = roster.mutual * np.outer(roster.weights, roster.weights)
    x = _potentials(np.log(rates / rates.T) / 2, weights)
    return np.exp(x + (np.log(bounds.low) - x)[bounds.sets].mean()).clip(bounds.low, bounds.high)


def _kill_rate(unit: Fighter, toughness: int) -> float:
    """Return the mean share of an enemy that a unit destroys in a turn, with the gun that destroys most."""
    most = 0.0
    for strike in unit.strikes:
        if not strike.prepare:
            [[effect]] = strike.effects
            taken = sum(float(p) * min(amount, toughness) for amount, p in effect.items()) / toughness
            times = min(unit.guns[strike.gun].attacks // strike.attacks, unit.actions // max(strike.actions, 1))
            most = max(most, taken * max(times, 1))
    return most


def _potentials(differences: Any, weights: Any) -> Any:
    """Return numbers whose differences come as near as weighted least squares can; their mean is 0."""
    degree = weights.sum(axis=1)
    # A small ridge makes the mean 0, also where units fall into groups that never meet; 20 times as fast as `lstsq`.
    laplacian = np.diag(degree + RIDGE * max(degree.max(), 1.0)) - weights
    return np.linalg.solve(laplacian, (weights * differences).sum(axis=1))


def _rms(values: Any) -> float:
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
