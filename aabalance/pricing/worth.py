"""What a unit is worth: the price at which it scores as well as its roster, all others at their prices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.frames import ids_of, tidy, with_ends
from aabalance.definitions.fields import MOST_OF_A_KIND
from aabalance.errors import UsageError, whole_number
from aabalance.game import Game, Unit, game_of
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job
from aabalance.play.sample import MOST_SEED
from aabalance.pricing.indifference import MIDDLE, NEARLY, Worth, bootstrap, indifference_price, par, worth_of
from aabalance.pricing.roster import EVEN, FLAT, Roster, roster_of

BEHIND = 1e-6
"""A score margin further below 0 than this isn't due to rounding."""
AT_FLOOR = "at the floor"
MOST_REASONS = 1000
LEAST_GAIN = 0.005
"""Least relative change of a worth for which a unit is named as one that gains or loses."""
SHORT = 1.5
"""Factor by which a step of Newton's method may fall short of how much the worth of a unit changes."""


def worth(
    game: Game | str, units: Iterable[Unit] | None = None, *, roster: Roster | None = None, seed: int = 0
) -> pd.DataFrame:
    """Return what units are worth in requisition: a row for each.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        The whole roster by default.
    roster : Roster, optional
        The units that they meet, and the conditions; by default those of the game.
    seed : int
        Seed of the draws behind the intervals.

    Returns
    -------
    DataFrame
        ``score`` is the mean at the price on the card, ``score_at_worth`` that at the other, ``level`` the one that the
        whole roster has. ``worth`` is nan for a unit that can hurt nobody who can hurt it. ``flags`` says why a number
        should not be trusted, and ``unseen`` what it doesn't know of the unit. Its ``attrs`` are the
        `Game.provenance`.

    Raises
    ------
    UsageError
        A unit isn't in the roster, or the seed is none.

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
    game = game_of(game)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    roster, included = _included(game, units, roster)
    at_par, margins = par(roster), roster.margins(roster.scores(only=[roster.index(unit) for unit in included]))
    fewest, most = min(roster.contest.limits), max(roster.contest.limits)
    par_of_fewest, par_of_most = par(roster, fewest), par(roster, most)
    others = ~np.eye(len(roster.units), dtype=bool)
    rows = []
    for unit in included:
        at, card = roster.index(unit), game.cards[unit]
        found, known = worth_of(roster, at, at_par, seed=seed), unit not in roster.unpriced
        now = roster.prices[at] if known else math.nan
        flags = [*_flags(found, roster.floor), *game.ruleset.roster.lacks(card)]
        # A unit at the floor is worth less than the least price: how much less isn't known.
        unsaid = AT_FLOOR in flags and found.price > now * (1 + NEARLY)
        rows.append(
            {
                "unit": unit,
                "name": card.name,
                "nation": getattr(card, "nation", ""),
                "category": game.ruleset.roster.category(card),
                "requisition": now,
                "score": margins[at] + EVEN if known else math.nan,
                "level": at_par + EVEN,
                **with_ends("worth", (found.price, found.low, found.high)),
                "worth_change": math.nan if unsaid else found.price / now - 1,
                "score_at_worth": _score_at(roster, at, found.price),
                "worth_slope": found.slope * math.log(1.1) if math.isfinite(found.price) else math.nan,
                "worth_fewest_actions": worth_of(roster, at, par_of_fewest, fewest).price,
                "worth_most_actions": worth_of(roster, at, par_of_most, most).price,
                "immune_to": int((others & ~roster.hurts.T)[at].sum()),
                "harmless_to": int((others & ~roster.hurts)[at].sum()),
                "flags": "; ".join(flags),
                "unseen": "; ".join(game.ruleset.roster.unseen(card)),
            }
        )
    table = tidy("worth", rows)
    table.attrs.update(game.provenance(units=list(included)).said())
    return table


def worth_reasons(
    game: Game | str,
    units: Iterable[Unit] | None = None,
    *,
    roster: Roster | None = None,
    most: int = 3,
    among: Iterable[Unit] | None = None,
) -> pd.DataFrame:
    """Return the opponents that raise and lower most what units are worth: up to so many rows each way for each unit.

    Parameters
    ----------
    game, units, roster
        As for `worth`.
    most : int
        Largest number of rows each way for each unit.
    among : iterable of str or card, optional
        The opponents that may be named; by default any.

    Returns
    -------
    DataFrame
        ``pull`` is the part of its worth that depends on this opponent only, to the first order: the pulls of all
        opponents cancel at par. It is nan where the price hardly changes the score, so that any would do.
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
    game = game_of(game)
    whole_number("most", most, 0, MOST_REASONS)
    among = None if among is None else ids_of(game, among, "among")
    roster, included = _included(game, units, roster)
    at_par = par(roster)
    pairs: list[Pair] = []
    rows: list[dict[str, Any]] = []
    named = np.array([among is None or other in among for other in roster.units])
    for unit in included:
        at = roster.index(unit)
        shares = roster.shares()[at]
        if not shares.any():
            continue
        log_price, margins, slopes = indifference_price(roster, at, shares, at_par)
        slope = float(shares @ slopes)
        if not math.isfinite(log_price):
            continue
        price = math.exp(log_price)
        pulls = np.where(shares > 0, price * shares * (margins - at_par) / max(-slope, NEARLY), 0.0)
        order = np.argsort(pulls, kind="stable")
        order = order[named[order]]
        raised = [other for other in order[::-1][:most] if pulls[other] > NEARLY * price]
        lowered = [other for other in order[:most][::-1] if pulls[other] < -NEARLY * price]
        for other in raised + lowered:
            pairs.append(Pair(roster, at, int(other)))
            rows.append(
                {
                    "unit": unit,
                    "opponent": roster.units[other],
                    "opponent_requisition": roster.prices[other],
                    "score": margins[other] + EVEN,
                    "pull": math.nan if slope > FLAT else pulls[other],
                }
            )
    size = len(pairs)
    job = Job(even_with, roster.contest.limits, pairs, shape=(2,), cells=size, least=size, key=lambda one: one.key)
    for row, pair, (log_even, margin) in zip(rows, pairs, sweeps.results(job)[:, 0].tolist(), strict=True):
        behind = math.isfinite(log_even) and margin < -BEHIND
        known = roster.units[pair.unit] not in roster.unpriced
        row["exchange_rate"] = (
            math.nan if not known else 0.0 if behind else math.exp(log_even) / roster.prices[pair.unit]
        )
    return tidy("worth_reasons", rows)


class Pair(NamedTuple):
    """A unit and one opponent, by their indices in a roster."""

    roster: Roster
    unit: int
    opponent: int

    @property
    def key(self) -> Any:
        """All that their exchange rate depends on."""
        roster, pair = self.roster, (self.unit, self.opponent)
        fighters = roster.battles.fighter(*pair), roster.battles.fighter(*pair[::-1])
        names, prices = [roster.units[at] for at in pair], [roster.prices[at] for at in pair]
        return [fighters, names, prices, self.unit < self.opponent, roster.seed, roster.contest.budgets]


def even_with(limits: tuple[int, ...], pairs: Sequence[Pair], _: Any) -> Any:
    """Return the logarithms of the prices at which units are even with one opponent; see `aabalance.jobs.sweeps`.

    Parameters
    ----------
    limits : tuple of int
        The limits of actions of the roster's contest.
    pairs : sequence of Pair
        The units, each with its opponent.

    Returns
    -------
    array of float, shape (pairs, 1, 2)
        For each pair the logarithm, and the score margin there, which isn't 0 where no price makes them even.
    """
    found = np.empty((len(pairs), 1, 2))
    for at, (roster, unit, opponent) in enumerate(pairs):
        cheapest = max(*roster.contest.budgets, roster.prices[opponent]) / (MOST_OF_A_KIND - 1)
        alone = np.eye(len(roster.units))[opponent]
        log_price, margins, _slopes = indifference_price(roster, unit, alone, 0.0, floor=cheapest)
        found[at, 0] = log_price, margins[opponent]
    return found


def _included(game: Game, units: Iterable[Unit] | None, roster: Roster | None) -> tuple[Roster, Sequence[str]]:
    """Return the roster, by default the game's own, and units whose battles it includes, by default all of these."""
    ids = None if units is None else ids_of(game, units, "units")
    roster = roster_of(game, roster, ids)
    for unit in ids or ():
        roster.index(unit)
        if unit not in roster.about:
            raise UsageError(f"units: found {unit}, expected units that the roster is about")
    return roster, roster.about if ids is None else ids


def _score_at(roster: Roster, unit: int, price: float) -> float:
    """Return the mean score of a unit at a price, all others at theirs; nan if the price isn't finite."""
    if not math.isfinite(price):
        return math.nan
    prices = np.where(np.arange(len(roster.prices)) == unit, price, roster.prices)
    return float(roster.margins(roster.scores(prices, only=[unit]))[unit] + EVEN)


def _flags(found: Worth, floor: float) -> Iterator[str]:
    """Yield in words why a worth should not be trusted."""
    if math.isnan(found.price):
        yield "no unit with a price can both hurt it and be hurt by it"
    elif math.isinf(found.price):
        yield "leads at any price"
    elif found.price <= floor * (1 + NEARLY):
        yield AT_FLOOR
    if found.slope > FLAT:
        yield "flat: its price hardly changes its score"
    elif math.isfinite(found.price) and math.isnan(found.low):
        yield "depends on too few opponents for an interval"


def worth_differences(before: Roster, after: Roster, units: Sequence[str]) -> pd.DataFrame:
    """Return how much more units are worth in one roster than in another, with intervals on the same opponents.

    Parameters
    ----------
    before, after : Roster
        Rosters that include the battles of these units.
    units : sequence of str
        Ids.

    Returns
    -------
    DataFrame
        A row for each unit; nan where the price doesn't change the score.
    """
    old, new = ([roster.index(unit) for unit in units] for roster in (before, after))
    was, now = bootstrap(before, only=old), bootstrap(after, only=new)
    low, high = np.quantile(now.drawn_worth[:, new] - was.drawn_worth[:, old], MIDDLE, axis=0)
    ends = {"worth_difference_low": low, "worth_difference_high": high}
    table = pd.DataFrame({"unit": units, "worth_before": was.worth[old], "worth_after": now.worth[new], **ends})
    return tidy("unit_changes", table.assign(worth_difference=table["worth_after"] - table["worth_before"]))


def who_gains(before: pd.DataFrame, after: Roster, most: int = 3) -> pd.DataFrame:
    """Return the units whose worth another reading of the rules raises most, and lowers most; cards cost the same.

    All are looked through by a step of Newton's method after the change, and worked out exactly in the order of what it
    says, until all that are left would have to change by more than `SHORT` times as much. Units whose price hardly
    changed their score are left out.

    Parameters
    ----------
    before : DataFrame
        From `worth`, without the change.
    after : Roster
        All units with it.
    most : int
        Largest number of units each way.

    Returns
    -------
    DataFrame
        Table ``who_gains``: the largest gain first, the largest loss last.
    """
    at_par, own = par(after), before.set_index("unit")
    own = own[np.isfinite(own["worth"]) & (own["worth_slope"] < FLAT * math.log(1.1)) & own.index.isin(after.units)]
    scores = after.scores()
    slope = (after.shares() * scores.by_own).sum(axis=1, where=after.mutual).clip(max=FLAT)
    now = pd.DataFrame({"lead": after.margins(scores) - at_par, "slope": slope}, after.units).loc[own.index]
    rise = ((own["score"] - own["level"] - now["lead"]) / now["slope"]).clip(np.log(after.floor / own["worth"]))
    prices: dict[str, float] = {}
    for way in (1, -1):
        changes = [LEAST_GAIN] * most
        for unit, guess in (way * rise.dropna()).sort_values(ascending=False, kind="stable").items():
            if SHORT * guess < sorted(changes)[-most]:
                break
            price = worth_of(after, after.index(unit), at_par).price
            if math.isfinite(price):
                prices[unit] = price
                changes.append(way * math.log(price / own.at[unit, "worth"]))
    names, worths = (own.loc[[*prices], column].tolist() for column in ("name", "worth"))
    found = {"unit": [*prices], "name": names, "worth_before": worths, "worth_after": [*prices.values()]}
    table = tidy("who_gains", found)
    share = (table["worth_after"] / table["worth_before"]).sort_values(ascending=False, kind="stable")
    gain, loss = share[share > 1 + LEAST_GAIN][:most], share[share < 1 - LEAST_GAIN][-most:]
    return table.loc[[*gain.index, *loss.index]].reset_index(drop=True)
