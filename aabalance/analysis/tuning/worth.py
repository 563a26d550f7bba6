"""What a unit is worth: the price at which it is level with its roster, if all others cost what they do."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.matchups import ids_of, tidy
from aabalance.analysis.tuning.score import EVEN, Roster
from aabalance.engine import rng
from aabalance.errors import UsageError
from aabalance.game import Game, Unit
from aabalance.play.battle import MOST_OF_A_KIND

FLOOR_SHARE = 1 / 40
"""The least price, as a share of the largest budget: it bounds how many units a side may have."""
STEP = 0.35
"""Largest step in the logarithm of a price: farther off, the slope says little."""
CLOSE = 1e-12
"""Two logarithms of prices that are one."""
NEARLY = 1e-9
"""... of a price that halving has brought as near as it can to the highest one."""
MOST_STEPS = 200
DRAWS = 400
LEVEL = 0.9
"""Share of the draws within the interval."""


class Worth(NamedTuple):
    """The price of a unit at which it is level.

    Attributes
    ----------
    price : float
        `floor` if it is worth no more than that, inf if more than could be fought against it; nan if no opponent
        counts for it.
    low, high : float
        Interval of the price, if other opponents were as likely to be met: it says how much hangs on whom one meets.
        Battles are exact, so that they add nothing to it.
    slope : float
        Change of its mean score with the logarithm of its price there.
    """

    price: float
    low: float
    high: float
    slope: float


def floor_of(roster: Roster) -> float:
    """Return the standard least price of a roster's contest."""
    return FLOOR_SHARE * max(roster.contest.budgets)


def level(roster: Roster, floor: float) -> float:
    """Return k: the mean of `Roster.lead` over the units above the floor, which all have it in a tuned roster.

    Scores of a pair add up to 1, so that it is about 0 unless units are stuck at the floor.
    """
    lead = roster.lead(roster.scores())
    free = (roster.prices > floor) & np.isfinite(lead)
    return float(lead[free].mean()) if free.any() else 0.0


def price_of(roster: Roster, unit: int, k: float, floor: float, limit: int | None = None, seed: int = 0) -> Worth:
    """Return the price at which a unit leads by `k`, all others at theirs.

    Its lead falls as its price rises, so that there is one: bracketed by steps, then found by Newton's method, halving
    the bracket where that leaves it.

    Parameters
    ----------
    roster : Roster
    unit : int
        Its place in the roster.
    k : float
        From `level`.
    floor : float
        The least price.
    limit : int, optional
        One of the contest's limits of actions; by default all.
    seed : int
        Of the draws of the interval.

    Raises
    ------
    UsageError
        It is still ahead at a price for which more would be needed of the others than can be fought.
    """
    shares = roster.shares()[unit]
    if not shares.any():
        return Worth(math.nan, math.nan, math.nan, math.nan)
    prices = roster.prices.copy()

    def at(x: float) -> tuple[Any, Any]:
        prices[unit] = math.exp(x)
        scores = roster.scores(prices, limit, only=unit)
        met = shares > 0
        return np.where(met, scores.score[unit] - EVEN, 0.0), np.where(met, scores.by_own[unit], 0.0)

    least, most = math.log(floor), math.log(max(floor, (MOST_OF_A_KIND - 1) * roster.prices[shares > 0].min()))
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
    if ahead > 0 and most - x < NEARLY:
        return Worth(math.inf, math.inf, math.inf, by)
    # Less and less weight of one opponent, more of another: the first step towards the price that would be level then.
    weights = _draws(roster.units, seed) * shares
    weights /= weights.sum(axis=1, keepdims=True)
    by = float(shares @ slope)
    if not by < 0:
        return Worth(math.exp(x), math.nan, math.nan, by)
    moved = x - (weights @ lead - k) / by
    ends = np.quantile(moved, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).clip(least, most)
    return Worth(math.exp(x), math.exp(ends[0]), math.exp(ends[1]), by)


def _draws(units: Iterable[str], seed: int) -> Any:
    """Return weights of the opponents, exponential, by draw; a unit's hang on its id, and not on who else there is."""
    keys = rng.stream_keys(seed, list(units))
    return np.stack([np.random.Generator(np.random.Philox(int(key))).exponential(size=DRAWS) for key in keys], axis=1)


def worth(
    game: Game,
    units: Iterable[Unit] | None = None,
    *,
    roster: Roster | None = None,
    floor: float | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Return what units are worth in requisition: a row for each.

    Parameters
    ----------
    game : Game
    units : iterable of str or card, optional
        The whole roster by default.
    roster : Roster, optional
        Whom they meet, and how; the game's own by default.
    floor : float, optional
        The least price; by default a fortieth of the largest budget.
    seed : int
        Of the draws behind the intervals.

    Returns
    -------
    DataFrame
        ``score`` is the mean at the price on the card, ``level`` the one that the whole roster has. ``worth`` is nan
        for a unit that can hurt nobody who can hurt it.

    Raises
    ------
    UsageError
        A unit isn't in the roster.
    """
    roster = Roster(game) if roster is None else roster
    least = floor_of(roster) if floor is None else floor
    chosen = roster.units if units is None else ids_of(game, units, "units")
    for unit in chosen:
        if unit not in roster.units:
            raise UsageError(f"units: found {unit}, expected units of the roster that is compared")
    k, lead, hurts = level(roster, least), roster.lead(roster.scores()), roster.tables.hurts
    others = ~np.eye(len(roster.units), dtype=bool)
    rows = []
    for unit in chosen:
        at, card = roster.units.index(unit), game.cards[unit]
        found, now = price_of(roster, at, k, least, seed=seed), roster.prices[at]
        rows.append(
            {
                "unit": unit,
                "name": card.name,
                "nation": getattr(card, "nation", ""),
                "category": game.ruleset.category(card),
                "requisition": now,
                "score": lead[at] + EVEN,
                "level": k + EVEN,
                "worth": found.price,
                "worth_low": found.low,
                "worth_high": found.high,
                "worth_change": found.price / now - 1,
                "worth_slope": found.slope * math.log(1.1),
                "immune_to": int((others & ~hurts.T)[at].sum()),
                "harmless_to": int((others & ~hurts)[at].sum()),
            }
        )
    return tidy("worth", rows)
