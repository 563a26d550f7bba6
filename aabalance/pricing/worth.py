"""What a unit is worth: the price at which it is level with its roster, if all others cost what they do.

`score` has the formula of what is to be level, and docs/pricing.md argues it.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.cost import costs
from aabalance.analysis.frames import ids_of, tidy
from aabalance.errors import UsageError
from aabalance.game import Game, Unit
from aabalance.jobs import sweeps
from aabalance.play.battle import MOST_OF_A_KIND
from aabalance.pricing.contest import Contest
from aabalance.pricing.definition import FLOOR_SHARE, Tuning
from aabalance.pricing.draws import LEVEL, drawn_leads, several
from aabalance.pricing.fighters import lone
from aabalance.pricing.levels import NEARLY, even_price, highest, level
from aabalance.pricing.score import EVEN, FLAT, Roster

BEHIND = 1e-6
"""A lead further below even than this isn't due to rounding."""
AT_FLOOR = "at the floor"


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


def floor_of(roster: Roster) -> float:
    """Return the standard least price of a roster's contest."""
    return FLOOR_SHARE * max(roster.contest.budgets)


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


def roster_about(game: Game, units: Iterable[Unit]) -> tuple[Tuning, Roster]:
    """Return a game's tuning, and its roster with only those battles on which the worth of these units depends.

    These are the units' own battles, and those of the units at the floor, which `level` needs.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card
        The units, by id or as cards.

    Raises
    ------
    UsageError
        One of the units can't make up a side by itself.
    """
    held, price = Tuning.standard(game), costs(game)
    compared = [card.id for card in lone(game, Contest.standard(game))]
    asked, stuck = ids_of(game, units, "units"), [unit for unit in compared if price[unit] <= held.least]
    for unit in asked:
        if unit not in compared:
            raise UsageError(
                f"units: found {unit}, on which no side can stand alone, expected one that battles compare"
            )
    return held, Roster(game, field=compared, about=dict.fromkeys((*asked, *stuck)))


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
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        The whole roster by default.
    roster : Roster, optional
        The units that they meet, and the conditions; by default those of the game.
    floor : float, optional
        The least price; by default that of the game's own report definition, of a given roster a fortieth of its
        largest budget.
    seed : int
        Seed of the draws behind the intervals.

    Returns
    -------
    DataFrame
        ``score`` is the mean at the price on the card, ``score_at_worth`` that at the other, ``level`` the one that the
        whole roster has. ``worth`` is nan for a unit that can hurt nobody who can hurt it. ``flags`` says why a number
        should not be trusted, and ``unseen`` what it doesn't know of the unit.

    Raises
    ------
    UsageError
        A unit isn't in the roster.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> aab.worth(few)[["unit", "requisition", "score", "worth"]].round(2)
            unit  requisition  score   worth
    0    us_m4a1         70.0   0.23   52.30
    1    de_pz4h         60.0   0.64   67.83
    2  su_t34_85        100.0   0.55  103.73
    3  de_tiger1        145.0   0.58  156.86
    """
    roster, least = given(game, units, roster, floor)
    chosen = _chosen(game, units, roster)
    places = [roster.place(unit) for unit in chosen]
    k, lead, hurts = level(roster, least), roster.lead(roster.scores(only=places)), roster.tables.hurts
    limits = min(roster.contest.limits), max(roster.contest.limits)
    at_limit = [level(roster, least, limit) for limit in limits]
    others = ~np.eye(len(roster.units), dtype=bool)
    rows = []
    for unit, at in zip(chosen, places, strict=True):
        card, now = game.cards[unit], roster.prices[at]
        found = price_of(roster, at, k, least, seed=seed)
        few, many = (
            price_of(roster, at, of_limit, least, limit).price for limit, of_limit in zip(limits, at_limit, strict=True)
        )
        rows.append(
            {
                "unit": unit,
                "name": card.name,
                "nation": getattr(card, "nation", ""),
                "category": game.ruleset.roster.category(card),
                "requisition": now,
                "score": lead[at] + EVEN,
                "level": k + EVEN,
                "worth": found.price,
                "worth_low": found.low,
                "worth_high": found.high,
                "worth_change": found.price / now - 1,
                "score_at_worth": _score_at(roster, at, found.price),
                "worth_slope": found.slope * math.log(1.1),
                "worth_fewest_actions": few,
                "worth_most_actions": many,
                "immune_to": int((others & ~hurts.T)[at].sum()),
                "harmless_to": int((others & ~hurts)[at].sum()),
                "flags": "; ".join((*_flags(found, least), *game.ruleset.roster.lacks(card))),
                "unseen": "; ".join(game.ruleset.roster.unseen(card)),
            }
        )
    return tidy("worth", rows)


def worth_reasons(
    game: Game,
    units: Iterable[Unit] | None = None,
    *,
    roster: Roster | None = None,
    floor: float | None = None,
    most: int = 3,
    among: Container[str] | None = None,
) -> pd.DataFrame:
    """Return the opponents that raise and lower most what units are worth: up to so many rows each way for each unit.

    Parameters
    ----------
    game, units, roster, floor
        As for `worth`.
    most : int
        Largest number of rows each way for each unit.
    among : container of str, optional
        Ids of the opponents that may be named; by default any.

    Returns
    -------
    DataFrame
        ``pull`` is the part of its worth that depends on this opponent only, to the first order: the pulls of all
        opponents cancel where it is level. It is nan where the price hardly changes the score, so that any would do.
        ``exchange_rate`` is how much of the opponent's requisition a point of its own is worth in their battles: 0 if
        it is behind whatever it costs, inf if it always leads.

    Raises
    ------
    UsageError
        A unit isn't in the roster.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> aab.worth_reasons(few, ["us_m4a1"])[["opponent", "score", "pull", "exchange_rate"]].round(2)
        opponent  score  pull  exchange_rate
    0    de_pz4h   0.66  2.62           0.86
    1  su_t34_85   0.60  1.71           0.82
    2  de_tiger1   0.24 -4.33           0.60
    """
    roster, least = given(game, units, roster, floor)
    chosen = _chosen(game, units, roster)
    k, rows = level(roster, least), []
    named = np.array([among is None or other in among for other in roster.units])
    rates = sweeps.Series(rate, roster.contest.limits, 1, lambda met: met.key)
    for unit in chosen:
        at = roster.place(unit)
        shares = roster.shares()[at]
        if not shares.any():
            continue
        x, lead, slope = even_price(roster, at, shares, k, least)
        by = float(shares @ slope)
        if not math.isfinite(x):
            continue
        pulls = np.where(shares > 0, math.exp(x) * shares * (lead - k) / max(-by, NEARLY), 0.0)
        order = np.argsort(pulls, kind="stable")
        order = order[named[order]]
        raised = [other for other in order[::-1][:most] if pulls[other] > NEARLY * math.exp(x)]
        lowered = [other for other in order[:most][::-1] if pulls[other] < -NEARLY * math.exp(x)]
        for other in raised + lowered:
            [found] = rates.answer([Met(roster, at, int(other))])
            even, to = np.frombuffer(found).tolist()
            behind = math.isfinite(even) and to < -BEHIND
            rows.append(
                {
                    "unit": unit,
                    "opponent": roster.units[other],
                    "opponent_requisition": roster.prices[other],
                    "score": lead[other] + EVEN,
                    "pull": math.nan if by > FLAT else pulls[other],
                    "exchange_rate": 0.0 if behind else math.exp(even) / roster.prices[at],
                }
            )
    return tidy("worth_reasons", rows)


class Met(NamedTuple):
    """A unit and one opponent, by their places in a roster."""

    roster: Roster
    unit: int
    other: int

    @property
    def key(self) -> Any:
        """All that the price at which they are even depends on."""
        roster, pair = self.roster, (self.unit, self.other)
        fighters = roster.tables.fighter(*pair), roster.tables.fighter(*pair[::-1])
        names, prices = [roster.units[at] for at in pair], [roster.prices[at] for at in pair]
        return [fighters, names, prices, self.unit < self.other, roster.seed, roster.contest.budgets]


def rate(limits: tuple[int, ...], met: Sequence[Met], columns: Any) -> list[bytes]:
    """Return the logarithms of the prices at which units are even with one opponent, and what they lead by there.

    Parameters
    ----------
    limits : tuple of int
        The limits of actions of the roster's contest.
    met : sequence of Met
        The units, each with one opponent.
    columns : sequence of None
        Not used: the table has one column.
    """
    found = []
    for roster, unit, other in met:
        cheapest = max(*roster.contest.budgets, roster.prices[other]) / (MOST_OF_A_KIND - 1)
        x, lead, _ = even_price(roster, unit, np.eye(len(roster.units))[other], 0.0, cheapest)
        found.append(np.array([x, lead[other]]).tobytes())
    return found


def _chosen(game: Game, units: Iterable[Unit] | None, roster: Roster) -> list[str]:
    """Return the ids of units that a roster is about; by default of all of these."""
    chosen = roster.about if units is None else ids_of(game, units, "units")
    for unit in chosen:
        roster.place(unit)
        if unit not in roster.about:
            raise UsageError(f"units: found {unit}, expected units that the roster is about")
    return chosen


def given(game: Game, units: Iterable[Unit] | None, roster: Roster | None, floor: float | None) -> tuple[Roster, float]:
    """Return a roster and its least price; the game's own where they aren't given.

    Parameters
    ----------
    game, units, roster, floor
        As for `worth`.
    """
    if roster is not None:
        return roster, floor_of(roster) if floor is None else floor
    held, own = (Tuning.standard(game), Roster(game)) if units is None else roster_about(game, units)
    return own, held.least if floor is None else floor


def _score_at(roster: Roster, unit: int, price: float) -> float:
    """Return the mean score of a unit at a price, all others at theirs."""
    if not math.isfinite(price):
        return math.nan
    prices = roster.prices.copy()
    prices[unit] = price
    return float(roster.lead(roster.scores(prices, only=[unit]))[unit] + EVEN)


def _flags(found: Worth, floor: float) -> Iterator[str]:
    """Yield in words why a worth should not be trusted."""
    if math.isnan(found.price):
        yield "nobody whom it can hurt can hurt it"
    elif math.isinf(found.price):
        yield "leads at any price"
    elif found.price <= floor * (1 + NEARLY):
        yield AT_FLOOR
    if found.slope > FLAT:
        yield "flat: its price hardly changes its score"
    elif math.isfinite(found.price) and math.isnan(found.low):
        yield "depends on one opponent alone, which says nothing of others"
