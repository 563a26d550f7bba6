"""What results of matches say about the worth of units: a logistic model, Laplace's method over a grid of its spreads.

The logarithm of the odds that a wins is the sum of effects, such as the seat, and of

    s x sum over units of (number in a's list less number in b's) x price x exp(d),

where d, the logarithm of a unit's worth in prices, is spread about 0 (or about what is known beforehand) by a t
distribution: its tails leave room for units that are worth nearly nothing. Neither s nor the spread is known, so that
both are on a grid. Only differences of d and the product of s and exp(d) can be told from results; so worth is
normalised: that of all units together is their price.

Draws are left out: the odds that a wins, given that somebody wins, don't depend on how often matches are drawn
(Davidson 1970). Counted as half wins, many draws would say that all units are worth their prices.

Matches of the same two lists are more alike than the model says, as it leaves out what units do together, and so tell
less than as many of other lists. Each of m such matches counts by 1 / (1 + (m - 1) r), a quasi-likelihood, where r is
the correlation of what the model leaves unsaid of them (Williams 1982).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine.arrays import Floats, Ints

FREEDOM = 5.0
"""Degrees of freedom of the t distribution."""
SPREADS = (0.06, 0.1, 0.16, 0.25, 0.4, 0.63, 1.0)
USUAL_SPREAD, SPREAD_OF_SPREAD = 0.25, 0.5
"""The spreads of d on the grid; how they are weighted before there are data: a lognormal distribution."""
DRAW_SCORE = 0.5
"""What a scores in a match that nobody wins."""
TELLING, UNTOLD_SPREAD = 10, 0.28
"""Results for each unit from which on they tell the spread; before, it is this one, by Laplace's method a standard
deviation of .26. That method makes too much of fewer: of three for each unit, 90 % intervals covered .70."""
USUAL_ODDS = 4.0
"""What s makes of a whole list: the logarithm of the odds that it beats nothing."""
SPREAD_OF_SCALE = 0.6
"""Spread of the logarithm of s about what `USUAL_ODDS` makes of it."""
EFFECT = 1.0
"""Spread of an effect, in the logarithm of odds."""
MOST_BEND = 3.0
"""The most that the second-order terms of Laplace's method may add to the evidence: they are small where the method
holds. Where games contradict what is known of s they grow without limit, and without this bound units seem worth almost
nothing."""
UNLIKELY = 6.0
"""Points of the grid whose evidence is this far below the best, as a logarithm, are left out."""
STEPS, HALVINGS, CLOSE = 60, 30, 1e-3
"""Newton's method: its steps at most, how often one is halved, and the gain at which it ends."""
DECIMALS = 7
"""Of all that is found, in logarithms."""
MOST_LOGIT = 35.0
"""Larger logits are certain."""
FEW_TWICE = 25
"""Sum of the variances of matches of the same lists (a quarter for each two that are even), up to which they are taken
to be less alike than they say."""
QUANTILE = 1.6448536269514722
"""Of the normal distribution: 90 % lie within so many standard deviations."""


class MatchResults(NamedTuple):
    """Results of matches.

    Attributes
    ----------
    difference : array of float, shape (matches, units)
        How many more of each unit are in a's list than in b's.
    score : array of float, shape (matches,)
        What a scored: 1, 0, or .5 for a draw.
    effects : array of float, shape (matches, effects)
        What else tells for a, such as .5 if it moved first and -.5 if b did.
    pair : array of int, shape (matches,)
        The number of the pair of lists that met.
    """

    difference: Floats
    score: Floats
    effects: Floats
    pair: Ints

    def only(self, which: Any) -> MatchResults:
        """Return some of the results, by an index of matches."""
        return MatchResults(self.difference[which], self.score[which], self.effects[which], self.pair[which])


class Known(NamedTuple):
    """What is known of units before the results.

    Attributes
    ----------
    mean, error : array of float, shape (units,)
        Logarithm of their worth in prices, and its standard error.
    log_scale, scale_error : float
        The same of s.
    """

    mean: Floats
    error: Floats
    log_scale: float
    scale_error: float

    def of(self, units: Sequence[int]) -> Known:
        """Return what is known of some units alone."""
        return self._replace(mean=self.mean[units], error=self.error[units])


class Estimate(NamedTuple):
    """What results of matches say about units.

    Attributes
    ----------
    mean, error : array of float, shape (units,)
        Logarithm of the worth of each unit in prices, normalised, and its standard error.
    effects, effect_errors : array of float, shape (effects,)
        The effects, in the logarithm of odds.
    log_scale : float
        Logarithm of s for normalised worth.
    spread : float
        Spread of the logarithms of worth.
    """

    mean: Floats
    error: Floats
    effects: Floats
    effect_errors: Floats
    log_scale: float
    spread: float

    def of(self, units: Sequence[int]) -> Estimate:
        """Return what is found of some units alone."""
        return self._replace(mean=self.mean[units], error=self.error[units])

    @property
    def half_width(self) -> Floats:
        """Half the width of the 90 % interval of the worth, as a share of the worth."""
        return np.asarray(np.sinh(QUANTILE * self.error))


class _Point(NamedTuple):
    """A point of the grid.

    Attributes
    ----------
    at : array of float, shape (parameters,)
        The mode.
    covariance, fisher : array of float
        Of the parameters there, and the Fisher information of the model's columns.
    mean, variance : array of float, shape (parameters,)
        Of the parameters, once they are normalised.
    evidence : float
        Logarithm of the probability of the results, up to what is the same at all points.
    """

    at: Floats
    covariance: Floats
    fisher: Floats
    mean: Floats
    variance: Floats
    evidence: float


def unknown(prices: Floats, results: MatchResults) -> Known:
    """Return what is known of units where nothing is known of them: they are worth their prices, more or less.

    Parameters
    ----------
    prices : array of float, shape (units,)
        Prices.
    results : MatchResults
        Results, whose lists say how much is on a table; a unit, if no two lists differ.
    """
    on_a_side = float((np.abs(results.difference) @ prices).mean()) / 2 or float(prices.mean())
    return Known(np.zeros(len(prices)), np.zeros(len(prices)), math.log(USUAL_ODDS / on_a_side), SPREAD_OF_SCALE)


def estimate(prices: Floats, results: MatchResults, known: Known | None = None) -> Estimate:
    """Return what results of matches say about the worth of units.

    Parameters
    ----------
    prices : array of float, shape (units,)
        Prices.
    results : MatchResults
        The results; draws tell nothing.
    known : Known, optional
        What is known of the units before; by default that they cost something.
    """
    known = known or unknown(prices, results)
    results = results.only(results.score != DRAW_SCORE)
    model = _Model(prices, results, known)
    spreads = SPREADS if len(results.score) >= TELLING * len(prices) else (UNTOLD_SPREAD,)
    start, best, grid = model.mode(model.start(), USUAL_SPREAD).at, -math.inf, list[tuple[_Point, float]]()
    model.weight = counted_by(results, model.chances(start))
    for spread in spreads:
        about = model.mode(start, spread)
        start, of_scale, best = about.at, about.covariance[model.scale], max(best, about.evidence)
        if about.evidence < best - UNLIKELY:
            continue
        step = of_scale / math.sqrt(of_scale[model.scale])
        for at, way in ((about.at, -1), (about.at + step, 1)):
            most = -math.inf
            while True:
                point = model.mode(at, spread, about.fisher)
                grid.append((point, spread))
                at, most = point.at + way * step, max(most, point.evidence)
                if point.evidence < most - UNLIKELY:
                    break
    evidence = np.array([point.evidence for point, _ in grid])
    weights = np.exp(evidence - evidence.max())
    weights /= weights.sum()
    at = np.array([point.mean for point, _ in grid])
    mean = weights @ at
    errors = np.sqrt(weights @ (np.array([point.variance for point, _ in grid]) + (at - mean) ** 2))
    mean, _ = model.normalised(mean, np.zeros((model.size, model.size)))  # a mean of normalised points isn't quite
    # The last bits depend on how many threads the linear algebra has.
    mean, errors = np.round(mean, DECIMALS), np.round(errors, DECIMALS)
    scale, spread = model.scale, float(weights @ [spread for _, spread in grid])
    return Estimate(
        mean[scale + 1 :],
        errors[scale + 1 :],
        mean[:scale],
        errors[:scale],
        float(mean[scale]),
        spread,
    )


def counted_by(results: MatchResults, chances: Floats) -> Floats:
    """Return by how much each match counts: less than 1 if its lists met again, and what is left of these is alike.

    Parameters
    ----------
    results : MatchResults
        Matches that somebody won.
    chances : array of float, shape (matches,)
        P(a wins) by the model.
    """

    def products(of_matches: Floats) -> float:
        """Return the sum of the products of each two matches of the same lists."""
        sums, squares = (np.bincount(results.pair, of_matches**power) for power in (1, 2))
        return float((sums**2 - squares).sum()) / 2

    covariance, variance = products(results.score - chances), products(np.sqrt(chances * (1 - chances)))
    correlation = max(covariance, 0) / max(variance, FEW_TWICE)
    return np.asarray(1 / (1 + (np.bincount(results.pair)[results.pair] - 1) * correlation))


def half_widths(prices: Floats, results: MatchResults, known: Known, found: Estimate, times: float) -> Floats:
    """Return what `Estimate.half_width` would be if more matches of the same lists were decided.

    Parameters
    ----------
    prices, results, known
        As for `estimate`; only the lists and effects of the results matter.
    found : Estimate
        What the results say; further matches are taken to end as often as it expects.
    times : float
        How many times as many decided matches as there are results.
    """
    model = _Model(prices, results, known)
    at = np.concatenate([found.effects, [found.log_scale], found.mean])
    fisher, level = model.information(at), np.zeros(model.columns.shape[1])  # expected results pull nowhere
    _, hessian = model.slopes(at, found.spread, level, times * fisher)
    _, variance = model.normalised(at, np.asarray(np.linalg.inv(hessian)))
    return np.asarray(np.sinh(QUANTILE * np.sqrt(variance[model.scale + 1 :])))


class _Model:
    """The model; its parameters are the effects, log s, and d of each unit, in this order."""

    def __init__(self, prices: Floats, results: MatchResults, known: Known) -> None:
        self.prices, self.score, self.known = prices, results.score, known
        self.columns = np.hstack([results.effects, results.difference])
        self.scale = results.effects.shape[1]
        self.size = self.scale + 1 + len(prices)
        self.weight = np.ones(len(self.score))

    def start(self) -> Floats:
        """Return what is most likely without data."""
        return np.concatenate([np.zeros(self.scale), [self.known.log_scale], self.known.mean])

    def mode(self, start: Floats, spread: float, fisher: Floats | None = None) -> _Point:
        """Return the mode by Newton's method.

        Parameters
        ----------
        start : array of float, shape (parameters,)
            Where to begin.
        spread : float
            Spread of d.
        fisher : array of float, optional
            The Fisher information at a point near by: s is then held as it is at the start.
        """
        held, information = fisher is not None, np.empty(0) if fisher is None else fisher
        free = np.delete(np.arange(self.size), self.scale) if held else np.arange(self.size)
        at, minus = start.copy(), self._minus(start, spread)
        for _ in range(STEPS):
            if not held:
                information = self.information(at)
            slope, hessian = self.slopes(
                at, spread, self.columns.T @ (self.weight * (self.chances(at) - self.score)), information
            )
            inverse = np.linalg.inv(hessian[np.ix_(free, free)])
            step = inverse @ slope[free]
            if float(slope[free] @ step) < CLOSE:
                break
            there = at.copy()
            for halving in range(HALVINGS):
                there[free] = at[free] - step / 2**halving
                if (found := self._minus(there, spread)) < minus:
                    break
            else:
                break
            at, minus = there, found
        covariance = np.zeros((self.size, self.size))
        covariance[np.ix_(free, free)] = inverse
        shift, bend = self._second_order(at, covariance, information)
        mean, variance = self.normalised(at + shift, covariance)
        of_spread = (math.log(spread / USUAL_SPREAD) / SPREAD_OF_SPREAD) ** 2 / 2
        evidence = float(np.linalg.slogdet(inverse)[1]) / 2 - minus + min(bend, MOST_BEND) - of_spread
        return _Point(at, covariance, information, mean, variance, evidence)

    def chances(self, at: Floats) -> Floats:
        """Return P(a wins) of each match."""
        return np.asarray(1 / (1 + np.exp(-np.clip(self._logits(at), -MOST_LOGIT, MOST_LOGIT))))

    def information(self, at: Floats) -> Floats:
        """Return the Fisher information of the model's columns."""
        p = self.chances(at)
        return np.asarray(self.columns.T @ (self.columns * (self.weight * p * (1 - p))[:, None]))

    def normalised(self, at: Floats, covariance: Floats) -> tuple[Floats, Floats]:
        """Return the parameters, and their variances, where all units together are worth their price."""
        here = slice(self.scale + 1, None)
        shares = self.prices * np.exp(at[here])
        level = math.log(shares.sum() / self.prices.sum())
        turn = np.eye(self.size)
        turn[here, here] -= shares / shares.sum()
        turn[self.scale, here] += shares / shares.sum()
        at = at.copy()
        at[here] -= level
        at[self.scale] += level
        return at, np.asarray(((turn @ covariance) * turn).sum(axis=1))

    def _second_order(self, at: Floats, covariance: Floats, fisher: Floats) -> tuple[Floats, float]:
        """Return how far the mean is from the mode, and what the evidence has more than that of a normal distribution.

        Both are the next terms of Laplace's method (Tierney and Kadane 1986). As the likelihood is nearly normal in the
        worths w, the derivatives of minus its logarithm by d = log w are sums of k = w w' times the information.
        """
        scale, worths = self.scale, self._worths(at)
        k, c = worths[:, None] * fisher[scale:, scale:] * worths, covariance[scale + 1 :, scale + 1 :]
        own, kc = np.diag(c), k @ c
        third = k @ own + 2 * (k * c).sum(axis=1)
        fourth = own @ k @ own + 2 * (k * c**2).sum() + 4 * own @ (k * c).sum(axis=1)
        bend = third @ c @ third / 8 + (c**2 * (k @ kc.T)).sum() / 4 + (c * kc * kc.T).sum() / 2 - fourth / 8
        return -covariance[:, scale + 1 :] @ third / 2, float(bend)

    def _logits(self, at: Floats) -> Floats:
        """Return the log odds that a wins, by result."""
        return np.asarray(self.columns @ np.concatenate([at[: self.scale], self._worths(at)]))

    def _worths(self, at: Floats) -> Floats:
        """Return the worth of units times s."""
        return np.asarray(self.prices * np.exp(at[self.scale] + at[self.scale + 1 :]))

    def _minus(self, at: Floats, spread: float) -> float:
        """Return minus the logarithm of the posterior, up to what never changes."""
        known, logits = self.known, self._logits(at)
        squared = FREEDOM * (spread**2 + known.error**2)
        off, off_scale = at[self.scale + 1 :] - known.mean, (at[self.scale] - known.log_scale) / known.scale_error
        of_units = (FREEDOM + 1) * np.log1p(off**2 / squared) + np.log(squared)
        of_effects = float((at[: self.scale] ** 2).sum()) / EFFECT**2
        of_results = self.weight @ (np.logaddexp(0, logits) - self.score * logits)
        return float(of_results) + (float(of_units.sum()) + of_effects + float(off_scale) ** 2) / 2

    def slopes(self, at: Floats, spread: float, by_column: Floats, fisher: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the Hessian of `_minus`, from the likelihood's by the model's columns.

        The Hessian's diagonal is held above a tenth of that of a normal prior, which keeps it positive definite.
        """
        known, scale, worths = self.known, self.scale, self._worths(at)
        chain = np.zeros((len(fisher), self.size))
        chain[:scale, :scale], chain[scale:, scale] = np.eye(scale), worths
        chain[scale:, scale + 1 :] = np.diag(worths)
        off, squared = at[scale + 1 :] - known.mean, FREEDOM * (spread**2 + known.error**2)
        stiff = (FREEDOM + 1) / (squared + off**2)
        slope = by_column @ chain
        slope[:scale] += at[:scale] / EFFECT**2
        slope[scale] += (at[scale] - known.log_scale) / known.scale_error**2
        slope[scale + 1 :] += stiff * off
        bent = stiff * (squared - off**2) / (squared + off**2) + by_column[scale:] * worths
        firm = np.concatenate([np.full(scale, EFFECT**-2), [known.scale_error**-2], np.maximum(bent, stiff / 10)])
        return slope, chain.T @ fisher @ chain + np.diag(firm)
