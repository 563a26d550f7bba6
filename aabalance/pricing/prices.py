"""Fair prices: those at which every unit scores the same for equal requisition.

With ``x`` the logarithms of the prices and ``F`` of `Roster.lead`, prices are fair if ``F_i = k`` for each unit whose
price may move, ``F_i <= k`` where it would have to fall below the least one, and ``F_i >= k`` where it would have to
rise above the largest. The two scores of a pair add up to 1, so that what units at a bound lack, all others have
together: a lead of k each. k is the mean lead of the units that set the scale, each counted by the weight of all its
pairs, which makes k zero where no unit is at a bound.

- One anchor: it has to lead by k like all others. Dropping its equation instead would let it absorb every deficit.
- Several anchors: their prices fix more than the scale, so that not each of them can lead by k; their mean does.
- Units whose prices are locked don't count for the scale, since their prices needn't be fair; but if there is no
  anchor, they set it.

A unit's lead falls with its own price and rises with those of others, so that there is one answer from every start.
Newton's method finds it, with the units at a bound left out of each step. ``F`` has corners where one more of a unit is
bought; where Newton's steps jump to and fro between them, some steps of the fixed point ``x += F - k`` lead on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aabalance.pricing.draws import DRAWS, LEVEL, drawn_leads, several
from aabalance.pricing.score import EVEN, Roster, Scores

STEP = 0.35
"""Largest step in the logarithm of a price: farther off, the slopes say little."""
CLOSE = 1e-12
"""Difference up to which two leads are equal."""
PATIENCE = 8
"""Newton's steps without a smaller largest error before the fixed point takes over for as many."""
MOST_STEPS = 400
FLAT = 1e-9
"""Least slope of a lead by its own price that a step reckons with; a smaller one would make the step too large."""


class Bounds(NamedTuple):
    """Bounds of prices; arrays by unit of the roster.

    Attributes
    ----------
    low, high : array of float
        Least and largest price; equal for one that is fixed.
    sets : array of bool
        Which units set the scale: the anchors, or without any those that keep their prices. There is one at least.
    """

    low: Any
    high: Any
    sets: Any


class Fair(NamedTuple):
    """Fair prices; arrays by unit of the roster.

    Attributes
    ----------
    prices : array of float
        The fair prices.
    k : float
        The lead of every unit whose price isn't at a bound.
    lead : array of float
        `Roster.lead` at the prices; nan for a unit without opponents that count.
    slope : array of float
        Its derivative by the logarithm of the unit's own price.
    held : array of int
        -1 for a unit at its least price that leads by less than k, 1 for one at its largest that leads by more, else 0.
    low, high : array of float
        Interval of the price, over other opponents like these; the price itself where it is fixed, nan for a unit with
        a single opponent.
    steps : int
        How many times all scores were worked out.
    """

    prices: Any
    k: float
    lead: Any
    slope: Any
    held: Any
    low: Any
    high: Any
    steps: int


def fair(roster: Roster, bounds: Bounds, start: Any = None, seed: int = 0) -> Fair:
    """Return fair prices.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    bounds : Bounds
        The price of a unit without opponents that count has to be fixed.
    start : array of float, optional
        Prices to begin with; by default those on the cards. The answer depends on them only for units whose lead
        doesn't change with their price.
    seed : int
        Seed of the draws behind the intervals.
    """
    least, most = np.log(bounds.low), np.log(bounds.high)
    free = least < most
    scale = shares_of_level(roster, bounds.sets)
    x = np.clip(np.log(roster.prices if start is None else start), least, most)
    best, since, plainly = np.inf, 0, 0
    for steps in range(1, MOST_STEPS + 1):
        scores = roster.scores(np.exp(x))
        lead = np.nan_to_num(roster.lead(scores))
        k = float(scale @ lead)
        error = lead - k
        held = np.where(free & (x <= least) & (error < 0), -1, np.where(free & (x >= most) & (error > 0), 1, 0))
        inside = np.flatnonzero(free & (held == 0))
        worst = np.abs(error[inside]).max(initial=0.0)
        if worst < CLOSE or steps == MOST_STEPS:
            break
        since = 0 if worst < best / 2 else since + 1
        best = min(best, worst)
        if since > PATIENCE:
            since, plainly = 0, PATIENCE
        if plainly:
            plainly -= 1
            step = error[inside]
        else:
            step = np.linalg.solve(_slopes(roster, scores, scale)[np.ix_(inside, inside)], -error[inside])
        x[inside] = np.clip(x[inside] + step.clip(-STEP, STEP), least[inside], most[inside])
    low, high = _interval(roster, scores, scale, x, held, free, seed)
    own = (roster.shares() * scores.by_own).sum(axis=1, where=roster.mutual)
    prices = np.select([held < 0, held > 0, free], [bounds.low, bounds.high, np.exp(x)], bounds.low)
    low, high = (np.where(free, np.exp(end).clip(bounds.low, bounds.high), bounds.low) for end in (low, high))
    low, high = (np.where(free & ~several(roster.shares()), np.nan, end) for end in (low, high))
    return Fair(prices, k, roster.lead(scores), own, held, low, high, steps)


def shares_of_level(roster: Roster, sets: Any) -> Any:
    """Return how much each unit's lead counts for k if these units set the scale; a unit counts by all its pairs."""
    counted = sets * roster.weights * (roster.mutual @ roster.weights)
    return counted / counted.sum()


def _slopes(roster: Roster, scores: Scores, scale: Any) -> Any:
    """Return the derivatives of F - k by the logarithms of all prices."""
    shares = roster.shares()
    by = np.where(shares > 0, shares * scores.by_other, 0.0)
    own = np.where(shares > 0, shares * scores.by_own, 0.0).sum(axis=1)
    by[np.diag_indices_from(by)] = np.minimum(own, -FLAT)
    return by - scale @ by


def _interval(roster: Roster, scores: Scores, scale: Any, x: Any, held: Any, free: Any, seed: int) -> tuple[Any, Any]:
    """Return the ends of the intervals of the logarithms of prices.

    For each draw of the opponents' weights, the first step of Newton's method towards the prices that would be fair
    with these. A unit at a bound leaves it if that step leads away from it.
    """
    drawn = drawn_leads(roster.units, seed, roster.shares(), scores.score - EVEN)
    error = drawn - (drawn @ scale)[:, None]
    slopes = _slopes(roster, scores, scale)
    inside = np.flatnonzero(free & (held == 0))
    moved = np.zeros((DRAWS, len(x)))
    moved[:, inside] = np.linalg.solve(slopes[np.ix_(inside, inside)], -error[:, inside].T).T
    at_bound = np.flatnonzero(held)
    away = error[:, at_bound] / -np.diag(slopes)[at_bound]
    moved[:, at_bound] = np.where(held[at_bound] < 0, away.clip(min=0), away.clip(max=0))
    low, high = np.quantile(moved, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    # Where slopes are next to nothing, a price may be anything.
    return x + low.clip(-50, 50), x + high.clip(-50, 50)


class Steps(NamedTuple):
    """The prices that are allowed: multiples of a step, whose size depends on the price.

    Attributes
    ----------
    starts, sizes : tuple of float
        Sizes of the steps, and the price from which on each holds; starts rise from 0.
    """

    starts: tuple[float, ...]
    sizes: tuple[float, ...]

    def rounded(self, price: float, low: float, high: float) -> float | None:
        """Return the nearest allowed price from `low` to `high`, half up; None if there is none."""
        # Fair prices are exact to some digits only; equal ones must be rounded the same way.
        price = round(price, 6)
        size = [size for start, size in zip(self.starts, self.sizes, strict=True) if start <= price][-1]
        nearest = size * float(np.floor(price / size + 0.5))
        near = [value for value in (nearest, nearest + size, nearest - size) if low - 1e-9 <= value <= high + 1e-9]
        return near[0] if near and near[0] > 0 else None
