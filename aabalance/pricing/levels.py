"""The level of a roster's scores, and the price at which a unit is level with some opponents."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from aabalance.play.battle import MOST_OF_A_KIND
from aabalance.pricing.score import EVEN, Roster

STEP = 0.35
"""Largest step in the logarithm of a price: farther off, the slope says little."""
CLOSE = 1e-12
"""Difference of two logarithms of prices up to which they are equal."""
NEARLY = 1e-9
"""The same for the highest price, which halving approaches from below."""
MOST_STEPS = 200


def level(roster: Roster, floor: float, limit: int | None = None) -> float:
    """Return k: the mean of `Roster.lead` over the units above the floor. In a tuned roster, each of them leads by k.

    Each unit counts by the weight of all its pairs. The two scores of a pair add up to 1, so that the mean over all
    units is 0: what units at the floor lack, those above it have. So only the scores between the two are needed.

    Parameters
    ----------
    roster : Roster
        Its battles must be about the units at the floor, at least.
    floor : float
        The least price.
    limit : int, optional
        One of the contest's limits of actions; by default the mean of all.
    """
    stuck, free = (np.flatnonzero(which) for which in (roster.prices <= floor, roster.prices > floor))
    counted = roster.weights * (roster.mutual @ roster.weights)
    if not counted[stuck].any() or not counted[free].any():
        return 0.0
    scores = roster.scores(limit=limit, only=stuck.tolist(), against=free.tolist()).score[np.ix_(stuck, free)]
    weights = np.outer(roster.weights[stuck], roster.weights[free])
    return float(
        np.where(roster.mutual[np.ix_(stuck, free)], weights * (EVEN - scores), 0.0).sum() / counted[free].sum()
    )


def even_price(
    roster: Roster, unit: int, shares: Any, k: float, floor: float, limit: int | None = None
) -> tuple[float, Any, Any]:
    """Return the logarithm of the price at which a unit leads by `k` in the mean over some opponents.

    Its lead falls as its price rises, so that there is one such price. It is bracketed by steps, then found by Newton's
    method; where that would leave the bracket, the bracket is halved.

    Parameters
    ----------
    roster, unit, k, floor, limit
        As for `price_of`.
    shares : array of float, shape (units,)
        Share of each opponent in the mean; they sum to 1.

    Returns
    -------
    x : float
        The logarithm; that of `floor` if the unit is behind even there, inf if it leads at any price that can be
        fought.
    lead, slope : array of float, shape (units,)
        At this price: the unit's score against each opponent, less `EVEN`; and its derivative by `x`.
    """
    met = shares > 0
    others = np.flatnonzero(met)

    def at(x: float) -> tuple[Any, Any]:
        lead, slope = np.zeros(len(met)), np.zeros(len(met))
        lead[others], slope[others] = roster.against(unit, others, math.exp(x), limit)
        lead[others] -= EVEN
        return lead, slope

    least, most = math.log(floor), highest(roster, shares, floor)
    x, low, high = min(max(math.log(roster.prices[unit]), least), most), least, most
    lead, slope = at(x)
    for _ in range(MOST_STEPS):
        ahead, by = float(shares @ lead) - k, float(shares @ slope)
        if ahead > 0:
            low = x
        else:
            high = x
        step = -ahead / by if by < 0 else math.copysign(STEP, ahead)
        to = x + min(max(step, -STEP), STEP)
        if not low <= to <= high:
            to = (low + high) / 2
        if abs(to - x) < CLOSE:
            break
        x = to
        lead, slope = at(x)
    return (math.inf if ahead > 0 and most - x < NEARLY else x), lead, slope


def highest(roster: Roster, shares: Any, floor: float) -> float:
    """Return the logarithm of the largest price of a unit: of no opponent does it buy more than can be fought.

    Parameters as for `even_price`.
    """
    return math.log(max(floor, (MOST_OF_A_KIND - 1) * roster.prices[shares > 0].min()))
