"""What units score against each other for equal requisition.

``s_ij = mean over limits L and budgets B of W_L[B' / c_i, B' / c_j]``, where ``B' = max(B, c_i, c_j)``, ``c`` are the
prices, and ``W_L[n, m]`` is what n copies of i score against m of j under the limit L: P(win) + P(draw) / 2. Between
whole numbers of copies it is interpolated, on each side by itself.

``F_i = weighted mean over j of s_ij - 1/2`` is the lead of i, over the opponents that can hurt i and that i can hurt.
Against all others i scores the same at every price: they would tell nothing about its price, yet pull it without end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.cost import costs
from aabalance.analysis.frames import ids_of, tidy
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, shown
from aabalance.game import Game, Unit
from aabalance.pricing.contest import Contest
from aabalance.pricing.definition import Tuning
from aabalance.pricing.fighters import lone
from aabalance.pricing.tables import Tables

EVEN = 0.5
FLAT = -0.1
"""Slope of a unit's score, by the logarithm of its price, above which the score says little about the price: a unit
that costs a tenth more scores a percentage point less."""


class Scores(NamedTuple):
    """Scores of units against one another, and how they change with the logarithms of prices.

    Attributes
    ----------
    score : array of float, shape (units, units)
        Score of the unit of the row against that of the column; `EVEN` against itself.
    by_own, by_other : array of float, same shape
        Derivatives of the score by the logarithms of the prices of both; at a corner, that towards more copies.
    """

    score: Any
    by_own: Any
    by_other: Any


class Roster:
    """Units that are compared with each other.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    contest : Contest, optional
        By default that of the game's own report definition.
    field : iterable of str or card, optional
        The units; by default all that can make up a side by themselves.
    weights : mapping of str to float, optional
        How much each counts as an opponent, by id; 1 for those that aren't named. If neither `weights` nor `contest`
        is given, the weights of the game's own report definition.
    seed : int
        Seed of the dice of battles that have to be rolled.
    about : iterable of str, optional
        Ids of the units whose scores will be asked for; by default all. The battles of the others among themselves are
        left out.
    advance : callable
        As for ``Tables``.
    tables : Tables, optional
        The tables of these units in this contest, if they were worked out before.

    Attributes
    ----------
    units : list of str
        Their ids.
    about : list of str
        Ids of the units whose scores can be asked for.
    prices : array of float
        What they cost.
    seed : int
        Seed of the dice.
    mutual : array of bool, shape (units, units)
        Whether the two can hurt each other, so that their pair counts; False for a unit and itself.

    Raises
    ------
    UsageError
        No units, or a weight that can't be.
    """

    def __init__(
        self,
        game: Game,
        contest: Contest | None = None,
        field: Iterable[Unit] | None = None,
        weights: Mapping[str, float] | None = None,
        seed: int = 0,
        about: Iterable[str] | None = None,
        advance: Advance = lambda pairs: None,
        tables: Tables | None = None,
    ) -> None:
        self.contest = Contest.standard(game) if contest is None else contest
        named = ids_of(game, field, "field")
        cards = lone(game, self.contest) if field is None else [game.cards[unit] for unit in named]
        self.units = [card.id for card in cards]
        self.prices = costs(game)[self.units].to_numpy()
        if weights is None and contest is None:
            weights = {unit: one for unit, one in Tuning.standard(game).weights.items() if unit in self.units}
        given = {unit: 1.0 for unit in self.units} | dict(weights or {})
        for unit, weight in given.items():
            if unit not in self.units or not 0 <= weight < np.inf:
                raise UsageError(f"weights: found {shown(weight)} for {unit}, expected numbers from 0 for units of it")
        self.seed = seed
        self.weights = np.array([given[unit] for unit in self.units])
        places = None if about is None else sorted({self.place(unit) for unit in about})
        self.about = self.units if places is None else [self.units[at] for at in places]
        self.tables = Tables(game, cards, self.contest, seed, places, advance) if tables is None else tables
        self.mutual = self.tables.hurts & self.tables.hurts.T & ~np.eye(len(cards), dtype=bool)

    def place(self, unit: str) -> int:
        """Return the place of a unit in the roster.

        Raises
        ------
        UsageError
            It isn't in it.
        """
        if unit not in self.units:
            raise UsageError(f"units: found {unit}, expected units of the roster that is compared")
        return self.units.index(unit)

    def scores(
        self,
        prices: Any = None,
        limit: int | None = None,
        only: Sequence[int] | None = None,
        against: Sequence[int] | None = None,
    ) -> Scores:
        """Return what the units score at some prices.

        Parameters
        ----------
        prices : array of float, optional
            By default those on the cards.
        limit : int, optional
            One of the contest's limits of actions; by default the mean of all.
        only : sequence of int, optional
            Places of units: only their scores, and those against them, are worked out; all others are nan.
        against : sequence of int, optional
            Places of opponents: only pairs of `only` with these are worked out, and of those only pairs that count.

        Raises
        ------
        UsageError
            A price isn't above 0, or so small that more of a unit would be needed than can be fought.
        """
        c = self.prices if prices is None else np.asarray(prices, dtype=float)
        if not ((c > 0) & (c < np.inf)).all():
            wrong = int(np.flatnonzero(~((c > 0) & (c < np.inf)))[0])
            raise UsageError(f"{self.units[wrong]}: found a price of {c[wrong]:g}, expected one above 0")
        which = np.arange(len(self.tables.pairs))
        if only is not None:
            met = np.ix_(only, range(len(c)) if against is None else against)
            rows = self.tables.row[met]
            which = np.unique(rows[(rows >= 0) & ((against is None) | self.mutual[met])])
        a, b = self.tables.pairs[which].T
        score, by_a, by_b = self._of_pairs(which, c[a], c[b], limit)
        shape = len(c), len(c)
        found = Scores(*(np.full(shape, np.nan) for _ in Scores._fields))
        np.fill_diagonal(found.score, EVEN)
        found.score[a, b] = score
        found.score[b, a] = 1 - found.score[a, b]
        found.by_own[a, b], found.by_other[a, b] = by_a, by_b
        found.by_own[b, a], found.by_other[b, a] = -by_b, -by_a
        return found

    def against(self, unit: int, others: Any, price: float, limit: int | None = None) -> tuple[Any, Any]:
        """Return what a unit scores at a price against others at the prices on their cards.

        Parameters
        ----------
        unit : int
            Its place.
        others : array of int, shape (k,)
            Places of its opponents, which have to count for it (`mutual`).
        price : float
            Its price.
        limit : int, optional
            As for `scores`.

        Returns
        -------
        score, by_own : array of float, shape (k,)
            Scores, and their derivatives by the logarithm of the price.
        """
        rows, first = self.tables.row[unit, others], unit < others
        prices = self.prices[others]
        score, by_a, by_b = self._of_pairs(rows, np.where(first, price, prices), np.where(first, prices, price), limit)
        return np.where(first, score, 1 - score), np.where(first, by_a, -by_b)

    def _of_pairs(self, which: Any, c_a: Any, c_b: Any, limit: int | None) -> tuple[Any, Any, Any]:
        """Return what the first units of pairs score at these prices, and the derivatives by either's logarithm."""
        price_a, price_b = c_a[:, None], c_b[:, None]
        budget = np.maximum(np.maximum(price_a, price_b), self.contest.budgets)
        copies_a, copies_b = budget / price_a, budget / price_b
        n, m = copies_a.astype(np.int64), copies_b.astype(np.int64)
        up_a, up_b = copies_a - n, copies_b - m
        ahead = np.array([0, 1])
        wanted_a, wanted_b = n[..., None, None] + ahead[:, None], m[..., None, None] + ahead
        corners = self.tables.look_up(which, *np.broadcast_arrays(wanted_a, wanted_b))
        corners = corners.mean(axis=0) if limit is None else corners[self.contest.limits.index(limit)]
        low_a, high_a = (corners[..., one, 0] * (1 - up_b) + corners[..., one, 1] * up_b for one in (0, 1))
        by_a = high_a - low_a
        low_b, high_b = (corners[..., 0, one] * (1 - up_a) + corners[..., 1, one] * up_a for one in (0, 1))
        by_b = high_b - low_b
        # A price above the budget replaces it: the dearer unit is then alone, and its price sets the other's number.
        sets_a = budget <= price_a
        sets_b = (budget <= price_b) & ~sets_a
        by_price_a = by_a * copies_a * (sets_a - 1.0) + by_b * copies_b * sets_a
        by_price_b = by_b * copies_b * (sets_b - 1.0) + by_a * copies_a * sets_b
        return (low_a + up_a * by_a).mean(axis=1), by_price_a.mean(axis=1), by_price_b.mean(axis=1)

    def lead(self, scores: Scores) -> Any:
        """Return F: the mean score of each unit, less an even one; nan for a unit without opponents that count."""
        shares = self.shares()
        known = np.where(shares.any(axis=1), 0.0, np.nan)
        return np.where(shares > 0, shares * (scores.score - EVEN), 0.0).sum(axis=1) + known

    def shares(self) -> Any:
        """Return the share of each opponent in a unit's mean, by unit and opponent; 0 where the pair doesn't count."""
        weights = self.mutual * self.weights
        total = weights.sum(axis=1, keepdims=True)
        return weights / np.where(total > 0, total, 1.0)


def score_table(roster: Roster) -> pd.DataFrame:
    """Return what each unit scores against each other, for equal requisition.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.

    Returns
    -------
    DataFrame
        A row for each unit and each other. ``mutual`` says whether both can hurt each other, so that the pair counts;
        ``solver`` how its battles were solved.
    """
    c = roster.prices
    score = roster.scores().score
    solvers = roster.tables.solvers
    rows = [(i, j) for i in range(len(c)) for j in range(len(c)) if i != j]
    at, other = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return tidy(
        "scores",
        {
            "unit": [roster.units[i] for i in at],
            "opponent": [roster.units[j] for j in other],
            "requisition": c[at],
            "opponent_requisition": c[other],
            "score": score[at, other],
            "mutual": roster.mutual[at, other],
            "solver": [solvers[row] for row in roster.tables.row[at, other].tolist()],
        },
    )
