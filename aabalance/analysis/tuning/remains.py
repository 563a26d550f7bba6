"""What prices leave: how far units and pairs stay from even, what no price moves, and what a cheap rule would give."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aabalance.analysis.tuning.prices import Bounds
from aabalance.analysis.tuning.score import EVEN, Roster
from aabalance.rulesets.base import Fighter

RIDGE = 1e-10


class Remains(NamedTuple):
    """What some prices leave.

    Attributes
    ----------
    level : float
        Mean lead of the units that say what is level.
    lead : array of float
        Of each unit of the roster, above that.
    rms : float
        Root of the mean square of those of the units that are judged.
    pairs : float
        The same of the scores above even of all pairs that can hurt each other.
    cyclic : float
        Share of these squares that no numbers of units explain, one for each, whose differences were the scores: a
        beats b beats c beats a. nan where all pairs are even.
    """

    level: float
    lead: Any
    rms: float
    pairs: float
    cyclic: float


def remains(roster: Roster, prices: Any, judged: Any, even: Any) -> Remains:
    """Return what prices leave.

    Parameters
    ----------
    roster : Roster
    prices : array of float
    judged : array of bool
        Units whose leads are looked at.
    even : array of float
        How much each unit's lead counts for the level.
    """
    scores = roster.scores(prices)
    lead = roster.lead(scores)
    level = float(even @ np.nan_to_num(lead))
    above = scores.score - EVEN
    weights = roster.mutual * np.outer(roster.weights, roster.weights)
    left = above - _differences(above, weights)
    squares = float((weights * above**2).sum())
    return Remains(
        level,
        lead - level,
        _rms((lead - level)[judged]),
        float(np.sqrt(squares / weights.sum())) if weights.any() else 0.0,
        float((weights * left**2).sum()) / squares if squares else np.nan,
    )


def by_kill_rates(roster: Roster, bounds: Bounds) -> Any:
    """Return the prices of the cheap rule: half the logarithms of the ratios of kill rates, by least squares.

    It is the law of large battles in which every unit shoots all the time.

    Parameters
    ----------
    roster : Roster
    bounds : Bounds
        Prices of the rule beyond a bound are at it.

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
    """Return the share of an enemy that a unit destroys in the mean in a turn, with the gun that destroys most."""
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
    # A ridge picks the mean, also where units fall into groups that never meet; twenty times as quick as `lstsq`.
    laplacian = np.diag(degree + RIDGE * max(degree.max(), 1.0)) - weights
    return np.linalg.solve(laplacian, (weights * differences).sum(axis=1))


def _differences(values: Any, weights: Any) -> Any:
    found = _potentials(values, weights)
    return found[:, None] - found


def _rms(values: Any) -> float:
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
