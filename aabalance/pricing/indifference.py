"""The price at which one unit is level with its opponents, and its interval over other opponents like these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import rng
from aabalance.play.battle import MOST_OF_A_KIND
from aabalance.pricing.roster import EVEN, Roster

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


class Worth(NamedTuple):
    """The price of a unit at which it is level.

    Attributes
    ----------
    price : float
        `floor` if it is worth no more than that, inf if it leads at any price that can be fought; nan if no opponent
        counts for it.
    low, high : float
        Interval of the price over other opponents like these: it says how much depends on the choice of opponents.
        Battles are exact, so that they add nothing to it. nan for a unit with a single opponent.
    slope : float
        Derivative of its mean score by the logarithm of its price there.
    """

    price: float
    low: float
    high: float
    slope: float


def price_of(roster: Roster, unit: int, k: float, floor: float, limit: int | None = None, seed: int = 0) -> Worth:
    """Return the price at which a unit leads by `k`, all others at theirs.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    unit : int
        Its place in the roster.
    k : float
        From `level`.
    floor : float
        The least price.
    limit : int, optional
        One of the contest's limits of actions; by default all.
    seed : int
        Seed of the draws behind the interval.
    """
    shares = roster.shares()[unit]
    if not shares.any():
        return Worth(math.nan, math.nan, math.nan, math.nan)
    x, lead, slope = even_price(roster, unit, shares, k, floor, limit)
    by = float(shares @ slope)
    if math.isinf(x):
        return Worth(x, x, x, by)
    if not (by < 0 and several(shares)):
        return Worth(math.exp(x), math.nan, math.nan, by)
    # For each draw of the opponents' weights, one step of Newton's method towards the price that is level with these.
    moved = x - (drawn_leads(roster.units, seed, shares[None], lead[None])[:, 0] - k) / by
    ends = np.quantile(moved, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).clip(math.log(floor), highest(roster, shares, floor))
    return Worth(math.exp(x), math.exp(ends[0]), math.exp(ends[1]), by)


class Levels(NamedTuple):
    """What the units of a roster score, and the prices at which they are level; arrays by unit.

    Attributes
    ----------
    score : array of float
        Mean score at the price on the card; nan for a unit without opponents that count.
    drawn_score : array of float, shape (draws, units)
        The same over other opponents like these; nan for a unit with a single opponent.
    worth : array of float
        As `aabalance.pricing.worth.Worth.price`.
    drawn_worth : array of float, shape (draws, units)
        Worth over other opponents like these, by one step of Newton's method from `worth`; nan where the price doesn't
        change the score, and for a unit with a single opponent.
    """

    score: Any
    drawn_score: Any
    worth: Any
    drawn_worth: Any


def levels(roster: Roster, floor: float, seed: int = 0, only: Sequence[int] | None = None) -> Levels:
    """Return scores and worth of the units of a roster, and the same over drawn opponents.

    Draws agree between rosters: an opponent's weights depend on the seed and its id.

    Parameters
    ----------
    roster : Roster
        The units, with the battles between them.
    floor : float
        The least price.
    seed : int
        Seed of the drawn weights.
    only : sequence of int, optional
        Places of the units that are asked about; the numbers of all others are nan. By default all.
    """
    size, shares = len(roster.units), roster.shares()
    if only is not None:
        shares = np.where(np.isin(np.arange(size), only)[:, None], shares, 0.0)
    scores, k = roster.scores(only=only), level(roster, floor)
    worth, slope = np.full(size, np.nan), np.full(size, np.nan)
    leads = np.zeros((size, size))
    for unit in np.flatnonzero(shares.any(axis=1)).tolist():
        x, leads[unit], by = even_price(roster, unit, shares[unit], k, floor)
        worth[unit], slope[unit] = math.exp(x), shares[unit] @ by
    drawn_score = drawn_leads(roster.units, seed, shares, scores.score - EVEN) + EVEN
    drawn_score[:, ~several(shares)] = np.nan
    known = np.isfinite(worth) & (slope < 0) & several(shares)
    drawn_worth = np.full((DRAWS, size), np.nan)
    moved = drawn_leads(roster.units, seed, shares[known], leads[known]) - k
    drawn_worth[:, known] = np.exp((np.log(worth[known]) - moved / slope[known]).clip(min=math.log(floor)))
    return Levels(roster.lead(scores) + EVEN, drawn_score, worth, drawn_worth)


def interval(drawn: Any) -> tuple[float, float]:
    """Return the ends of the interval that holds the middle `LEVEL` of the draws; nan if any of them is nan."""
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
