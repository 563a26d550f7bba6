"""Fair prices found again: made-up rosters whose fair prices are known, disturbed by half, and cruder searches.

Clones cost the same; twins and triplets, which are two and three of another unit, twice and thrice as much. By a law of
exchange the odds of n against m depend on what they are worth together alone, but for a chance part of each pair.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from aabalance.pricing.contest import Contest
from aabalance.pricing.fair_prices import Bounds, FairPrices, fair
from aabalance.pricing.indifference import par, worth_of
from aabalance.pricing.roster import Roster, Scores
from benchmarks.measure import FULL, Effort, Row, show

BUDGETS = (100.0, 200.0, 400.0)
LIMITS = (3, 5, 8)
FLOOR, LARGEST = 10.0, 990.0
FLOOR_OF_TWINS = 20.0
DISTURBED = 0.5
STEEP = 3.0
"""Odds rise with this power of what one side is worth over the other: about that of real units."""
NOISE = 0.4
"""Of a pair's log odds."""
COVERED = 0.85, 0.95
"""What is promised of intervals of 90 %."""
CLOSE = 0.002
"""Root mean square of the leads at which searches stop."""
MOST_SWEEPS = 200
HALVINGS = 7
KILLS = (0.3, 0.4, 0.5)
MOST = 64
"""Shooters of a side, one more than three for each price of `FLOOR_OF_TWINS` in the largest budget, and corners."""

Law = Callable[[Any, Any, Any, Any], Any]
"""Takes indices of first and second units and how many there are of each; returns the first's scores by limit."""


class Planted(Roster):
    """A roster whose battles a formula decides, and whose fair prices are known.

    It counts the pairs whose scores are worked out.
    """

    def __init__(self, worth: Any, law: Law, seed: int, floor: float = FLOOR) -> None:
        n = len(worth)
        self.contest = Contest({}, {}, BUDGETS, LIMITS)
        self.units = [f"unit{at}" for at in range(n)]
        self.worth = np.asarray(worth, dtype=float)
        self.prices = self.worth * np.random.default_rng(seed).uniform(1 - DISTURBED, 1 + DISTURBED, n)
        self.weights = np.ones(n)
        self.mutual = ~np.eye(n, dtype=bool)
        self.hurts = self.included = self.mutual.copy()
        self.law, self.evaluated, self.floor = law, 0, floor
        self.battles: Any = self  # whose results the formula gives

    def look_up(self, a: Any, b: Any, n: Any, m: Any) -> Any:
        shape = (-1, *[1] * (n.ndim - 1))
        return self.law(a.reshape(shape), b.reshape(shape), n, m)

    def scores(self, prices: Any = None, limit: int | None = None, only: Sequence[int] | None = None) -> Scores:
        n = len(self.units)
        self.evaluated += n * (n - 1) // 2 if only is None else len(only) * (n - 1)
        return super().scores(prices, limit, only)

    def bounds(self) -> Bounds:
        """Return bounds with the middle unit's price as the anchor."""
        n = len(self.units)
        low, high, sets = np.full(n, self.floor), np.full(n, LARGEST), np.zeros(n, dtype=bool)
        at = int(np.argsort(self.worth)[n // 2])
        low[at] = high[at] = self.worth[at]
        sets[at] = True
        return Bounds(low, high, sets)


def clones(n: int, seed: int) -> Planted:
    """Return units that are the same."""
    tables = _battles(KILLS[1], KILLS[1])
    return Planted([40.0] * n, lambda a, b, n, m: tables[:, n, m], seed, FLOOR_OF_TWINS)


def twins(seed: int) -> Planted:
    """Return units of several kinds, and two and three of each as one."""
    kinds, sizes = np.divmod(np.arange(3 * len(KILLS)), 3)
    sizes += 1
    tables = np.stack([np.stack([_battles(a, b) for b in KILLS], axis=1) for a in KILLS], axis=1)

    def law(a: Any, b: Any, n: Any, m: Any) -> Any:
        return tables[:, kinds[a], kinds[b], n * sizes[a], m * sizes[b]]

    return Planted(40.0 * sizes, law, seed, FLOOR_OF_TWINS)


def exchange(n: int, noise: float, seed: int) -> Planted:
    """Return units whose odds depend on what they are worth, and on chance."""
    generator = np.random.default_rng(seed)
    worth = np.exp(generator.uniform(np.log(20), np.log(200), n))
    odd = np.triu(generator.normal(0, noise, (n, n)), 1)
    odd = odd - odd.T

    def law(a: Any, b: Any, n: Any, m: Any) -> Any:
        odds = STEEP * (np.log(n * worth[a]) - np.log(m * worth[b])) + odd[a, b]
        return np.broadcast_to(1 / (1 + np.exp(-odds)), (len(LIMITS), *odds.shape))

    return Planted(worth, law, seed + 1)


@cache
def _battles(p: float, q: float) -> Any:
    """Return scores by limit, n and m, if each shot kills with p or q and a turn has one of each unit, in the limit."""
    return np.stack([_battle(p, q, limit) for limit in LIMITS])


def _battle(p: float, q: float, limit: int) -> Any:
    first, second = np.zeros((MOST, MOST)), np.zeros((MOST, MOST))
    first[1:, 0] = second[1:, 0] = 1.0
    of_a, of_b = ([_hits(chance, shots) for shots in range(limit + 1)] for chance in (p, q))
    for n in range(1, MOST):
        for m in range(1, MOST):
            a, b = of_a[min(n, limit)], of_b[min(m, limit)]
            # More hits than targets kill them all.
            of_m, of_n = m - np.arange(1, len(a)), n - np.arange(1, len(b))
            on_a = float(a[1:] @ second[n, of_m.clip(0)])
            on_b = float(b[1:] @ np.where(of_n > 0, first[of_n.clip(0), m], 0.0))
            first[n, m] = (on_a + a[0] * on_b) / (1 - a[0] * b[0])
            second[n, m] = on_b + b[0] * first[n, m]
    return (first + second) / 2


def _hits(p: float, shots: int) -> Any:
    return np.array([comb(shots, hits) * p**hits * (1 - p) ** (shots - hits) for hits in range(shots + 1)])


# --- searches


class Search(NamedTuple):
    """How far a search came.

    Attributes
    ----------
    rms : float
        Of the leads of all units.
    pairs : int
        Pairs whose scores were worked out.
    seconds : float
    """

    rms: float
    pairs: int
    seconds: float


def newton(roster: Planted) -> Search:
    """Return how far `fair` comes; it stops much later, and works out intervals, too."""
    return _timed(roster, lambda bounds: fair(roster, bounds).prices)


def bisection(roster: Planted) -> Search:
    """Return how far it takes to level one unit after the other by halving, again and again."""

    def prices(bounds: Bounds) -> Any:
        x = _start(roster, bounds)
        free = np.flatnonzero(bounds.low < bounds.high)
        within = np.log(LARGEST / FLOOR)
        for _ in range(MOST_SWEEPS):
            before = x.copy()
            for unit in free:
                low, high = x[unit] - within, x[unit] + within
                low, high = max(low, np.log(FLOOR)), min(high, np.log(LARGEST))
                for _ in range(HALVINGS):
                    x[unit] = (low + high) / 2
                    if _lead_of(roster, x, unit) > 0:
                        low = x[unit]
                    else:
                        high = x[unit]
            if _rms(roster, np.exp(x)) <= CLOSE:
                break
            within = 2 * np.abs(x - before).max()
        return np.exp(x)

    return _timed(roster, prices)


def coordinates(roster: Planted) -> Search:
    """Return how far it takes to move one price after the other up or down by a step, and to halve it in time."""

    def prices(bounds: Bounds) -> Any:
        x = _start(roster, bounds)
        free = np.flatnonzero(bounds.low < bounds.high)
        score = roster.scores(np.exp(x)).score
        step, best = 0.35, _squares(score)
        for _ in range(MOST_SWEEPS):
            moved = False
            for unit in free:
                for to in (x[unit] + step, x[unit] - step):
                    trial, scores = x.copy(), score.copy()
                    trial[unit] = np.clip(to, np.log(FLOOR), np.log(LARGEST))
                    scores[unit] = roster.scores(np.exp(trial), only=[int(unit)]).score[unit]
                    scores[:, unit] = 1 - scores[unit]
                    if _squares(scores) < best:
                        x, score, best, moved = trial, scores, _squares(scores), True
                        break
            if np.sqrt(best / len(x)) <= CLOSE:
                break
            step = step if moved else step / 2
        return np.exp(x)

    return _timed(roster, prices)


def _timed(roster: Planted, prices: Callable[[Bounds], Any]) -> Search:
    roster.evaluated = 0
    start = time.process_time()
    found = prices(roster.bounds())
    seconds, pairs = time.process_time() - start, roster.evaluated
    return Search(_rms(roster, found), pairs, seconds)


def _start(roster: Planted, bounds: Bounds) -> Any:
    return np.log(roster.prices.clip(bounds.low, bounds.high))


def _lead_of(roster: Planted, x: Any, unit: int) -> float:
    return float(np.delete(roster.scores(np.exp(x), only=[int(unit)]).score[unit], unit).mean()) - 0.5


def _squares(score: Any) -> float:
    """Return the sum of the squared leads."""
    n = len(score)
    return float((((score.sum(axis=1) - 0.5) / (n - 1) - 0.5) ** 2).sum())


def _rms(roster: Planted, prices: Any) -> float:
    return float(np.sqrt(_squares(roster.scores(prices).score) / len(prices)))


# --- what is measured


def errors(roster: Planted, found: FairPrices | None = None) -> Any:
    """Return how far found prices are from the known ones, as a share, but for the anchor's."""
    found = fair(roster, roster.bounds()) if found is None else found
    return np.abs(found.prices / roster.worth - 1)[~roster.bounds().sets]


def twins_errors(roster: Planted) -> Any:
    """Return how far prices of two and three of a kind are from twice and thrice that of one, as a share."""
    prices = fair(roster, roster.bounds()).prices.reshape(-1, 3)
    return np.abs(prices[:, 1:] / prices[:, :1] / [2, 3] - 1).ravel()


def covered(rosters: int, units: int, noise: float = NOISE) -> float:
    """Return the share of intervals of 90 % in which the price lies that would be fair without noise.

    That is the one of the law, but for whole units: intervals know nothing of a law. All other units have that price.
    """
    hits: list[bool] = []
    for seed in range(rosters):
        roster, still = (exchange(units, of, 1000 + seed) for of in (noise, 0.0))
        roster.prices = fair(still, still.bounds()).prices
        for unit, known in enumerate(roster.prices.tolist()):
            found = worth_of(roster, unit, par(roster), seed=seed)
            hits.append(found.low <= known <= found.high)
    return float(np.mean(hits))


def rows(effort: Effort) -> Iterator[Row]:
    """Measure; a quick run on fewer rosters."""
    many = effort.rosters
    worst = max(float(errors(clones(12, seed)).max()) for seed in range(many))
    yield Row("fair prices: clones, largest error", "12 units", worst, "", most=1e-6)
    found = twins_errors(twins(0))
    yield Row("fair prices: twins and triplets, median error", "9 units", float(np.median(found)), "", most=0.01)
    yield Row("fair prices: twins and triplets, 90 %", "9 units", float(np.quantile(found, 0.9)), "", most=0.05)
    for noise, most in ((0.0, 0.02), (NOISE, None)):
        found = np.concatenate([errors(exchange(40, noise, seed)) for seed in range(many)])
        case = f"40 units, noise {noise:g}"
        yield Row("fair prices: law of exchange, median error", case, float(np.median(found)), "", most=most)
        yield Row("fair prices: law of exchange, 90 %", case, float(np.quantile(found, 0.9)), "")
    # An anchor's chance is that of all its roster, so that few rosters say little.
    share, case = covered(2 * many, 40), f"{2 * many} x 40 units"
    yield Row("worth: 90 % intervals that cover", case, share, "0-1", *(COVERED if effort.full else ()))
    roster = exchange(40, NOISE, 0)
    ours = newton(roster)
    yield Row("fair prices", "40 units", ours.seconds * 1e3, "ms")
    for name, search in (("bisection", bisection), ("coordinate search", coordinates)):
        theirs = search(roster)
        yield Row(f"{name}: left, v {CLOSE:g} asked for", "40 units", theirs.rms / CLOSE, "x")
        yield Row(f"{name} v fair prices: pairs worked out", "40 units", theirs.pairs / ours.pairs, "x", least=10)
        yield Row(f"{name} v fair prices: time", "40 units", theirs.seconds / ours.seconds, "x", least=10)


if __name__ == "__main__":
    show(rows(FULL))
