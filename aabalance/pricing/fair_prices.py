"""Fair prices: those at which every unit scores the same for equal requisition; and how far other prices are from them.

With ``x`` the logarithms of the prices and ``F`` the score margins (`Roster.margins`), prices are fair if ``F_i = par``
for each unit whose price may move, ``F_i <= par`` where it would have to fall below the least one, and ``F_i >= par``
where it would have to rise above the largest. The two scores of a pair add up to 1, so that what units at a bound lack,
all others have together. Par is the mean margin of the units that set the scale, each counted by the weight of all its
pairs, which makes par 0 where no unit is at a bound.

- One anchor: its margin has to be par like all others. Without its equation it would absorb every deficit.
- Several anchors: their prices fix more than the scale, so that only their mean margin is par.
- Units whose prices are locked don't count for the scale, since their prices needn't be fair; but if there is no
  anchor, they set it.

A unit's margin falls with its own price and rises with those of others, so that there is one solution. Newton's method
finds it from every start, with the units at a bound left out of each step. ``F`` has corners where one more of a unit
is bought; where Newton's steps jump to and fro between them, some steps of the fixed point ``x += F - par`` lead on.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from aabalance.definitions.tables import Tuning
from aabalance.engine.arrays import Bools, Floats, Ints
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.pricing.indifference import MIDDLE, drawn_log_prices, tells_interval
from aabalance.pricing.roster import EVEN, Roster, Scores
from aabalance.rulesets.base import Fighter

ANCHOR = "anchor"
NOT_ASKED = "not asked for"
SAME = 1e-9
"""Difference up to which two prices count as equal."""
STEP = 0.35
"""Largest step in the logarithm of a price: farther off, the slopes say little."""
CLOSE = 1e-12
"""Difference up to which two margins are equal."""
PATIENCE = 8
"""Newton's steps without a smaller largest error before the fixed point takes over for as many."""
MOST_STEPS = 400
FLAT = 1e-9
"""Least slope of a margin by its own price that a step reckons with; a smaller one would make the step too large."""


class Bounds(NamedTuple):
    """Bounds of prices; arrays by unit of the roster.

    Attributes
    ----------
    low, high : array of float
        Least and largest price; equal for one that is fixed.
    sets : array of bool
        Which units set the scale: the anchors, or without any those that keep their prices. There is one at least.
    """

    low: Floats
    high: Floats
    sets: Bools


def bounds_of(
    game: Game, roster: Roster, tuning: Tuning, chosen: Collection[str] | None
) -> tuple[Bounds, dict[int, str]]:
    """Return the bounds of all prices; and by index in the roster why a unit's price is fixed.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    roster : Roster
        The units that are compared with each other.
    tuning : Tuning
        The table ``[tuning]`` of a report definition.
    chosen : collection of str or None
        Ids of the units that get new prices; None for all.

    Raises
    ------
    UsageError
        As for `aabalance.pricing.tuning.tune`.
    """
    index = {unit: at for at, unit in enumerate(roster.units)}
    for unit, at in index.items():
        if not roster.prices[at] > 0:
            raise UsageError(f"{unit}: found a price of {roster.prices[at]:g}, expected one above 0")
    met = (roster.mutual & (roster.weights > 0)).any(axis=1)
    if not met.any():
        found = ", ".join(roster.units[:3]) or "no unit"
        raise UsageError(f"tune: found {found}, expected two units at least that can hurt each other")
    kept = {at: _unlevelled(roster, at) for at in np.flatnonzero(~met).tolist()}
    check_units(game, roster.units, tuning, chosen)
    anchors = tuning.anchors
    if anchors is None:
        own = () if chosen is not None else (game.ruleset.roster.reference[0],)
        anchors = {unit: float(roster.prices[index[unit]]) for unit in own}
    for name, some in (("anchors", anchors), ("units", chosen or ())):
        for unit in some:
            if index[unit] in kept:
                raise UsageError(f"{name}: found {unit}, but {kept[index[unit]]}, expected one that a price can level")
    if chosen is not None:
        kept |= {at: NOT_ASKED for unit, at in index.items() if unit not in chosen and at not in kept}
    kept |= {index[unit]: "locked" for unit in tuning.locked if unit in index}
    given = {index[unit]: price for unit, price in anchors.items()}
    kept |= dict.fromkeys(given, ANCHOR)
    units = np.arange(len(roster.units))
    sets = np.isin(units, list(given or kept)) & met & (roster.weights > 0)
    if not sets.any():
        raise UsageError("anchors: found none, expected a unit that counts, with a price that sets the scale")
    far = ~_tied(roster, sets) & ~np.isin(units, list(kept))
    kept |= dict.fromkeys(np.flatnonzero(far).tolist(), "it meets nobody whose price sets the scale")
    if len(kept) == len(units):
        raise UsageError("tune: found no unit whose price may move, expected one that is neither anchor nor locked")
    low, high = _within(roster, tuning, kept, given)
    return Bounds(low, high, sets), kept


def _within(roster: Roster, tuning: Tuning, kept: Collection[int], given: Mapping[int, float]) -> tuple[Floats, Floats]:
    """Return the least and the largest price of each unit."""
    old = roster.prices
    held = np.inf if tuning.largest_change is None else tuning.largest_change
    change = np.array([np.inf if unit in roster.unpriced else held for unit in roster.units])
    nearest, farthest = old * (1 - change), old * (1 + change)
    low, high = np.maximum(nearest, tuning.least), np.minimum(farthest, tuning.largest)
    for at in kept:
        low[at] = high[at] = given.get(at, old[at])
        if not nearest[at] - SAME <= low[at] <= farthest[at] + SAME:
            allowed = f"{nearest[at]:g} to {farthest[at]:g}, the largest change"
            raise UsageError(f"anchors.{roster.units[at]}: found {low[at]:g}, expected a price from {allowed}")
    for at in np.flatnonzero(low > high).tolist():
        raise UsageError(
            f"largest_change: found {held:g}, with which {roster.units[at]} at {old[at]:g} can't get to a price from "
            f"{tuning.least:g} to {tuning.largest:g}, expected a larger one, or the unit locked"
        )
    return low, high


def _tied(roster: Roster, sets: Bools) -> Bools:
    """Return which units meet a unit that sets the scale, or one that meets such a unit, and so on."""
    counts = roster.weights > 0
    meets = roster.mutual & (counts | counts[:, None])
    reached = sets
    while (further := reached | meets[reached].any(axis=0)).sum() > reached.sum():
        reached = further
    return reached


def check_units(game: Game, compared: Sequence[str], tuning: Tuning, chosen: Collection[str] | None) -> None:
    """Check that units with new prices are compared, and those whose prices set the scale.

    Parameters
    ----------
    game, tuning, chosen
        As for `bounds_of`.
    compared : sequence of str
        Ids of the units that are compared with each other.
    """
    for name, some in (("anchors", tuning.anchors or ()), ("units", chosen or ())):
        for unit in some:
            if unit not in compared:
                raise UsageError(f"{name}: found {unit}, expected one of the units that are compared")
    tuning.refuse_fixed(chosen or ())
    usual = game.ruleset.roster.reference[0]
    if tuning.anchors is None and chosen is None and usual not in compared:
        found = f"found none, and no {usual}, which sets the scale by default"
        where = "tune --anchor ID=PRICE, or anchors in the tuning of a report's definition"
        raise UsageError(f"anchors: {found}, expected one at least: {where}")


def _unlevelled(roster: Roster, at: int) -> str:
    """Return why no price can level a unit."""
    others = np.arange(len(roster.units)) != at
    hurts, hurt = roster.hurts[at, others], roster.hurts[others, at]
    if not hurts.any():
        return "it can hurt nobody"
    if not hurt.any():
        return "nobody can hurt it"
    return "nobody that counts and that it can hurt can hurt it"


class FairPrices(NamedTuple):
    """Fair prices; arrays by unit of the roster.

    Attributes
    ----------
    prices : array of float
        The fair prices.
    par : float
        The score margin of every unit whose price isn't at a bound.
    margins : array of float
        `Roster.margins` at the prices; nan for a unit without opponents that count.
    slope : array of float
        Their derivative by the logarithm of the unit's own price.
    held : array of int
        -1 for a unit at its least price with a margin below par, 1 for one at its largest with one above, else 0.
    low, high : array of float
        Interval of the price, over other opponents like these at the prices found, as that of worth; the price itself
        where it is fixed, nan for a unit with fewer than three opponents.
    """

    prices: Floats
    par: float
    margins: Floats
    slope: Floats
    held: Ints
    low: Floats
    high: Floats


def fair(roster: Roster, bounds: Bounds, start: Floats | None = None, seed: int = 0) -> FairPrices:
    """Return fair prices.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    bounds : Bounds
        The price of a unit without opponents that count has to be fixed.
    start : array of float, optional
        Prices to begin with; by default those on the cards. The answer depends on them only for units whose
        margin doesn't change with their price.
    seed : int
        Seed of the bootstrap behind the intervals.

    Raises
    ------
    UsageError
        After many steps scores are still apart.
    """
    least, most = np.log(bounds.low), np.log(bounds.high)
    free = least < most
    scale = par_weights(roster, bounds.sets)
    x = np.clip(np.log(roster.prices if start is None else start), least, most)
    best, since, plainly = np.inf, 0, 0
    for number in range(1, MOST_STEPS + 1):
        scores = roster.scores(np.exp(x))
        margins = np.nan_to_num(roster.margins(scores))
        par = float(scale @ margins)
        error = margins - par
        held = np.where(free & (x <= least) & (error < 0), -1, np.where(free & (x >= most) & (error > 0), 1, 0))
        inside = np.flatnonzero(free & (held == 0))
        worst = np.abs(error[inside]).max(initial=0.0)
        if worst < CLOSE or number == MOST_STEPS:
            break
        since = 0 if worst < best / 2 else since + 1
        best = min(best, worst)
        if since > PATIENCE:
            since, plainly = 0, PATIENCE
        step: Floats = error[inside]
        if plainly:
            plainly -= 1
        else:
            slopes = _slopes(roster, scores, scale)[np.ix_(inside, inside)]
            step = np.asarray(np.linalg.solve(slopes, -error[inside]), dtype=np.float64)
        x[inside] = np.clip(x[inside] + step.clip(-STEP, STEP), least[inside], most[inside])
    if worst > SAME:
        farthest = roster.units[inside[np.abs(error[inside]).argmax()]]
        found = f"found none at which {farthest} scores as the others ({worst:.2g} apart after {MOST_STEPS} steps)"
        raise UsageError(f"prices: {found}, expected units that prices make equal")
    own = (roster.shares() * scores.by_own).sum(axis=1, where=roster.mutual)
    prices = np.select([held < 0, held > 0, free], [bounds.low, bounds.high, np.exp(x)], bounds.low)
    drawn = drawn_log_prices(roster, seed, x, roster.shares(), scores.score - EVEN, par, np.minimum(own, -FLAT))
    low, high = (
        np.where(free, np.where(tells_interval(roster.shares()), end, np.nan), bounds.low)
        for end in np.exp(np.quantile(drawn.clip(least, most), MIDDLE, axis=0))
    )
    return FairPrices(prices, par, roster.margins(scores), own, held, low, high)


def par_weights(roster: Roster, sets: Bools) -> Floats:
    """Return the weight of each unit's margin in par if some units set the scale: a unit counts by all its pairs."""
    counted: Floats = sets * roster.weights * (roster.mutual @ roster.weights)
    share: Floats = counted / counted.sum()
    return share


def _slopes(roster: Roster, scores: Scores, scale: Floats) -> Floats:
    """Return the derivatives of F - par by the logarithms of all prices."""
    shares = roster.shares()
    by = np.where(shares > 0, shares * scores.by_other, 0.0)
    own = np.where(shares > 0, shares * scores.by_own, 0.0).sum(axis=1)
    by[np.diag_indices_from(by)] = np.minimum(own, -FLAT)
    return by - scale @ by


RIDGE = 1e-10


@dataclass(frozen=True, eq=False)
class Residuals:
    """How far units and pairs are from even at some prices.

    Attributes
    ----------
    par : float
        Mean score margin of the units that set the scale.
    margins : array of float
        Score margin of each unit of the roster, less ``par``.
    rms : float
        Root mean square of ``margins`` over some of the units.
    rms_of_pairs : float
        Root mean square of the scores, less ``EVEN``, of all pairs that can hurt each other.
    intransitivity : float
        Share of the squares behind ``rms_of_pairs`` that goes in circles, as a beats b beats c beats a (the curl of
        HodgeRank): it is left when each unit is given one number, as a price is, such that their differences come
        nearest to the scores. nan where all pairs are even.
    """

    par: float
    margins: Floats
    rms: float
    rms_of_pairs: float
    intransitivity: float


def residuals(roster: Roster, prices: Floats, counted: Bools, weights_of_par: Floats) -> Residuals:
    """Return how far units and pairs are from even at some prices.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    prices : array of float
        The price of each unit of the roster.
    counted : array of bool
        Units that `Residuals.rms` is over.
    weights_of_par : array of float
        Weight of each unit's margin in par, from `par_weights`; they sum to 1.
    """
    scores = roster.scores(prices)
    margins = roster.margins(scores)
    par = float(weights_of_par @ np.nan_to_num(margins))
    above = scores.score - EVEN
    weights = roster.mutual * np.outer(roster.weights, roster.weights)
    strength = _potentials(above, weights)
    cyclic = above - (strength[:, None] - strength)
    squares = float((weights * above**2).sum())
    return Residuals(
        par,
        margins - par,
        float(np.sqrt(np.mean((margins - par)[counted] ** 2))) if counted.any() else 0.0,
        float(np.sqrt(squares / weights.sum())) if weights.any() else 0.0,
        float((weights * cyclic**2).sum()) / squares if squares else np.nan,
    )


def by_kill_rates(roster: Roster, bounds: Bounds) -> Floats:
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
        rates[i, j] = _kill_rate(roster.battles.fighter(i, j), roster.battles.fighter(j, i).toughness)
    weights = roster.mutual * np.outer(roster.weights, roster.weights)
    x = _potentials(np.log(rates / rates.T) / 2, weights)
    scaled: Floats = np.exp(x + (np.log(bounds.low) - x)[bounds.sets].mean())
    return scaled.clip(bounds.low, bounds.high)


def _kill_rate(unit: Fighter, toughness: int) -> float:
    """Return the mean share of an enemy that a unit destroys in a turn, with the gun that destroys most."""
    most = 0.0
    for strike in unit.strikes:
        if not strike.prepare:
            [[effect]] = strike.effects
            taken = math.fsum(float(p) * min(amount, toughness) for amount, p in effect.items()) / toughness
            times = min(unit.guns[strike.gun].attacks // strike.attacks, unit.actions // max(strike.actions, 1))
            most = max(most, taken * max(times, 1))
    return most


def _potentials(differences: Floats, weights: Floats) -> Floats:
    """Return numbers whose differences come as near as weighted least squares can; their mean is 0."""
    degree = weights.sum(axis=1)
    # A small ridge makes the mean 0, also where units fall into groups that never meet; 20 times as fast as `lstsq`.
    laplacian = np.diag(degree + RIDGE * max(degree.max(), 1.0)) - weights
    return np.linalg.solve(laplacian, (weights * differences).sum(axis=1))
