"""The indifference price of a unit, at which it scores as well as its roster, and its interval over other opponents.

A unit's score margin falls as its price rises, so that there is one price at which it is at par. The interval comes
from a Bayesian bootstrap: the opponents are weighted anew, at random, many times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from aabalance.definitions.fields import MOST_OF_A_KIND
from aabalance.engine import rng
from aabalance.engine.arrays import Bools, Floats
from aabalance.pricing.roster import EVEN, Roster

LONGEST_STEP = 0.35
"""Largest step in the logarithm of a price: farther off, the slope says little."""
CLOSE = 1e-12
"""Difference of two logarithms of prices up to which they are equal."""
NEARLY = 1e-9
"""The same for the highest price, which halving approaches from below."""
NEWTONS, MOST_STEPS = 100, 200
"""Steps of Newton's method before brackets are only halved, so that these steps find every price."""
DRAWS = 400
MIDDLE = 0.05, 0.95
"""Quantiles of the draws at the ends of an interval of 90 %."""
LEAST_OPPONENTS = 3
"""Effective number of opponents below which there is no interval: that of two would hold 63 % in place of 90."""


def par(roster: Roster, limit: int | None = None) -> float:
    """Return par: the mean score margin of the units above the floor. In a tuned roster it is the margin of each.

    Each unit counts by the weight of all its pairs. The two scores of a pair add up to 1, so that the mean over all
    units is 0: units above the floor gain what those at the floor lose. So the scores between the two suffice.

    Parameters
    ----------
    roster : Roster
        Its battles must include those of the units at the floor.
    limit : int, optional
        One of the contest's limits of actions; by default the mean of all.
    """
    stuck, free = (np.flatnonzero(which) for which in (roster.prices <= roster.floor, roster.prices > roster.floor))
    counted = roster.weights * (roster.mutual @ roster.weights)
    if not counted[stuck].any() or not counted[free].any():
        return 0.0
    scores = roster.scores(limit=limit, only=stuck.tolist(), against=free.tolist()).score[np.ix_(stuck, free)]
    weights = np.outer(roster.weights[stuck], roster.weights[free])
    return float(
        np.where(roster.mutual[np.ix_(stuck, free)], weights * (EVEN - scores), 0.0).sum() / counted[free].sum()
    )


class Indifference(NamedTuple):
    """A price at which a unit has a given mean score margin over some opponents.

    Attributes
    ----------
    log_price : float
        The logarithm of the price; that of the floor if the margin is smaller even there, inf if it is larger at any
        price at which battles have room for the copies.
    margins, slopes : array of float, shape (units,)
        At this price: the unit's score against each opponent, less `EVEN`; and its derivative by `log_price`. 0 for
        opponents without a share.
    """

    log_price: float
    margins: Floats
    slopes: Floats


def indifference_price(
    roster: Roster, unit: int, shares: Floats, margin: float, limit: int | None = None, floor: float | None = None
) -> Indifference:
    """Return the price at which a unit has a score margin in the mean over some opponents, all at their prices.

    The price is bracketed by steps, then found by Newton's method; where a step would leave the bracket, the bracket is
    halved, and in the end always: where a score falls steeply between prices at which it hardly does, Newton's steps
    may go to and fro.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    unit : int
        Its index in the roster.
    shares : array of float, shape (units,)
        Share of each opponent in the mean; they sum to 1.
    margin : float
        The score margin.
    limit : int, optional
        One of the contest's limits of actions; by default the mean of all.
    floor : float, optional
        The least price; by default that of the roster.
    """
    met = shares > 0
    others = np.flatnonzero(met)

    def at(x: float) -> tuple[Floats, Floats]:
        margins, slopes = np.zeros(len(met)), np.zeros(len(met))
        margins[others], slopes[others] = roster.against(unit, others, math.exp(x), limit)
        margins[others] -= EVEN
        return margins, slopes

    least = roster.floor if floor is None else floor
    low, most = math.log(least), highest_log_price(roster, shares, least)
    x, high = min(max(math.log(roster.prices[unit]), low), most), most
    margins, slopes = at(x)
    for number in range(MOST_STEPS):
        excess, slope = float(shares @ margins) - margin, float(shares @ slopes)
        if excess > 0:
            low = x
        else:
            high = x
        step = -excess / slope if slope < 0 else math.copysign(LONGEST_STEP, excess)
        to = x + min(max(step, -LONGEST_STEP), LONGEST_STEP)
        if number >= NEWTONS or not low <= to <= high:
            to = (low + high) / 2
        if abs(to - x) < CLOSE:
            break
        x = to
        margins, slopes = at(x)
    return Indifference(math.inf if excess > 0 and most - x < NEARLY else x, margins, slopes)


def highest_log_price(roster: Roster, shares: Floats, floor: float) -> float:
    """Return the logarithm of the largest price of a unit: it buys no more of any opponent than battles have room for.

    Parameters as for `indifference_price`.
    """
    return math.log(max(floor, (MOST_OF_A_KIND - 1) * roster.prices[shares > 0].min()))


class Worth(NamedTuple):
    """The price of a unit at which it is at par, all others at theirs.

    Attributes
    ----------
    price : float
        The floor if it is worth no more than that, inf if its margin is larger at any price at which battles have room
        for the copies; nan if no opponent counts for it.
    low, high : float
        Interval of the price over other opponents like these: it says how much depends on the choice of opponents.
        Battles are exact, so that they add nothing to it. nan for a unit with fewer than three opponents.
    slope : float
        Derivative of its mean score by the logarithm of its price there.
    """

    price: float
    low: float
    high: float
    slope: float


def worth_of(roster: Roster, unit: int, margin: float, limit: int | None = None, seed: int = 0) -> Worth:
    """Return the price at which a unit has a score margin over its roster, all others at their prices.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    unit : int
        Its index in the roster.
    margin : float
        The score margin; for worth it is `par`.
    limit : int, optional
        One of the contest's limits of actions; by default the mean of all.
    seed : int
        Seed of the bootstrap behind the interval.
    """
    shares = roster.shares()[unit]
    if not shares.any():
        return Worth(math.nan, math.nan, math.nan, math.nan)
    x, margins, slopes = indifference_price(roster, unit, shares, margin, limit)
    slope = float(shares @ slopes)
    if math.isinf(x):
        return Worth(x, x, x, slope)
    if not (slope < 0 and tells_interval(shares)):
        return Worth(math.exp(x), math.nan, math.nan, slope)
    drawn = drawn_log_prices(roster, seed, x, shares[None], margins[None], margin, slope)
    low, high = np.quantile(drawn, MIDDLE).clip(max=highest_log_price(roster, shares, roster.floor))
    return Worth(math.exp(x), math.exp(low), math.exp(high), slope)


# --- intervals over other opponents


def bootstrap_margins(units: Sequence[str], seed: int, shares: Floats, margins: Floats) -> Floats:
    """Return the mean score margins of units over other opponents like theirs, by a Bayesian bootstrap.

    Parameters
    ----------
    units : sequence of str
        Ids of the opponents.
    seed : int
        Seed of the bootstrap.
    shares : array of float, shape (rows, opponents)
        Share of each opponent in a unit's mean: a row sums to 1, or is 0 for a unit without opponents that count.
    margins : array of float, same shape
        The unit's score against each opponent, less `EVEN`.

    Returns
    -------
    array of float, shape (draws, rows)
        The mean margins.
    """
    weights = bootstrap_weights(tuple(units), seed)
    parts = np.where(shares > 0, shares * margins, 0.0)
    total, mean = weights @ shares.T, parts.sum(axis=1)
    drawn = weights @ parts.T / np.where(total > 0, total, 1.0)
    # With m opponents, drawn weights give the mean a variance of (m - 1) / (m + 1) of that which m new opponents would
    # give it; and the price, fitted to these m, takes away one more degree of freedom.
    met = _effective_number(shares)
    spread: Floats = mean + (drawn - mean) * np.sqrt((met + 1) / (met - 2).clip(min=1))
    return spread


def drawn_log_prices(
    roster: Roster, seed: int, x: Floats | float, shares: Floats, margins: Floats, par: float, slope: Floats | float
) -> Floats:
    """Return the logarithms of units' prices at par over drawn opponents, which keep their prices.

    For each draw of the opponents' weights, it is one step of Newton's method from the price that is at par with all.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other; no price is below its floor.
    seed : int
        Seed of the bootstrap.
    x, slope : array of float, shape (rows,), or float
        The logarithm of the price at par, and the derivative of the mean margin by it there.
    shares, margins : array of float, shape (rows, opponents)
        As for `bootstrap_margins`; margins are those at the price at par.
    par : float
        The margin at par.

    Returns
    -------
    array of float, shape (draws, rows)
        The logarithms.
    """
    drawn = bootstrap_margins(roster.units, seed, shares, margins)
    logs: Floats = (x - (drawn - par) / slope).clip(min=math.log(roster.floor))
    return logs


def _effective_number(shares: Floats) -> Floats:
    """Return by row the effective number of opponents: so many of equal weight would tell as much (Kish 1965)."""
    squares: Floats = (shares**2).sum(axis=-1)
    return np.where(squares > 0, 1 / np.where(squares > 0, squares, 1), 0)


def tells_interval(shares: Floats) -> Bools:
    """Return by row whether there are opponents enough for an interval."""
    enough: Bools = _effective_number(shares) > LEAST_OPPONENTS - CLOSE
    return enough


@lru_cache(maxsize=4)
def bootstrap_weights(units: tuple[str, ...], seed: int) -> Floats:
    """Return exponential weights, by draw and opponent; those of a unit depend on its id, not on other units."""
    keys = rng.stream_keys(seed, list(units))
    drawn = [np.random.Generator(np.random.Philox(int(key))).exponential(size=DRAWS) for key in keys]
    weights = np.stack(drawn, axis=1)
    weights.setflags(write=False)  # all who ask share it
    return weights


class Bootstrap(NamedTuple):
    """What the units of a roster score and are worth, and the same over other opponents like these; arrays by unit.

    Attributes
    ----------
    score : array of float
        Mean score at the price on the card; nan for a unit without opponents that count.
    drawn_score : array of float, shape (draws, units)
        The same over drawn opponents; nan for a unit with fewer than three opponents.
    worth : array of float
        As `Worth.price`.
    drawn_worth : array of float, shape (draws, units)
        Worth over drawn opponents, by one step of Newton's method from `worth`, at most what battles have room for;
        nan where the price doesn't change the score, and for a unit with a single opponent.
    """

    score: Floats
    drawn_score: Floats
    worth: Floats
    drawn_worth: Floats


def bootstrap(roster: Roster, seed: int = 0, only: Sequence[int] | None = None) -> Bootstrap:
    """Return scores and worth of the units of a roster, and the same over drawn opponents.

    Draws agree between rosters: an opponent's weights depend on the seed and its id. So in a difference between two
    rosters, the choice of opponents cancels as far as it matters alike in both.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    seed : int
        Seed of the bootstrap.
    only : sequence of int, optional
        Indices of units; the numbers of all others are nan. By default all.
    """
    size, shares = len(roster.units), roster.shares()
    if only is not None:
        shares = np.where(np.isin(np.arange(size), only)[:, None], shares, 0.0)
    scores, level = roster.scores(only=only), par(roster)
    worth, slope = np.full(size, np.nan), np.full(size, np.nan)
    margins = np.zeros((size, size))
    for unit in np.flatnonzero(shares.any(axis=1)).tolist():
        log_price, margins[unit], slopes = indifference_price(roster, unit, shares[unit], level)
        worth[unit], slope[unit] = math.exp(log_price), shares[unit] @ slopes
    told = tells_interval(shares)
    drawn_score, drawn_worth = np.full((2, DRAWS, size), np.nan)
    drawn_score[:, told] = EVEN + bootstrap_margins(roster.units, seed, shares[told], scores.score[told] - EVEN)
    known = np.isfinite(worth) & (slope < 0) & told
    x = np.log(worth[known])
    most = [highest_log_price(roster, row, roster.floor) for row in shares[known]]
    drawn = drawn_log_prices(roster, seed, x, shares[known], margins[known], level, slope[known])
    drawn_worth[:, known] = np.exp(drawn.clip(max=most))
    return Bootstrap(roster.margins(scores) + EVEN, drawn_score, worth, drawn_worth)
