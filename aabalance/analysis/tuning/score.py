"""What equal requisition scores against equal requisition.

``s_ij = mean over limits L and budgets B of W_L[B' / c_i, B' / c_j]``, where ``B' = max(B, c_i, c_j)``, ``c`` are the
prices, and ``W_L[n, m]`` is what n copies of i score against m of j under the limit L: P(win) + P(draw) / 2. Between
whole numbers of copies it is mixed, on each side by itself, so that the mean number is right.

``F_i = weighted mean over j of s_ij - 1/2``, over the opponents that can hurt i and that i can hurt. Against the others
every price scores the same, so that they would tell nothing about it and pull it without end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.cost import costs
from aabalance.analysis.matchups import ids_of, tidy
from aabalance.analysis.tuning.contest import Contest
from aabalance.analysis.tuning.fighters import counts
from aabalance.analysis.tuning.tables import Tables
from aabalance.errors import UsageError, shown
from aabalance.game import Game, Unit

EVEN = 0.5


class Scores(NamedTuple):
    """Scores of units against one another, and how they change with the logarithms of prices.

    Attributes
    ----------
    score : array of float, shape (units, units)
        What one scores against the other; `EVEN` against itself.
    by_own, by_other : array of float, same shape
        Its derivatives, on the side on which there are more copies.
    """

    score: Any
    by_own: Any
    by_other: Any


class Roster:
    """Units that are compared with each other.

    Parameters
    ----------
    game : Game
    contest : Contest, optional
        By default the standard one of the game.
    field : iterable of str or card, optional
        The units; by default all of the game, but for those that a side can't stand on alone.
    weights : mapping of str to float, optional
        How much each counts as an opponent, by id; 1 by default.
    seed : int
        Of battles that have to be rolled.

    Attributes
    ----------
    units : list of str
        Their ids.
    prices : array of float
        What they cost.
    mutual : array of bool, shape (units, units)
        Who can hurt each other, and so counts; nobody meets itself.

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
    ) -> None:
        self.contest = Contest.standard(game) if contest is None else contest
        cards = [game.cards[unit] for unit in ids_of(game, field, "field")]
        if field is None:
            cards = [card for card in cards if counts(game, card, self.contest)]
        self.units = [card.id for card in cards]
        self.prices = costs(game)[self.units].to_numpy()
        given = {unit: 1.0 for unit in self.units} | dict(weights or {})
        for unit, weight in given.items():
            if unit not in self.units or not 0 <= weight < np.inf:
                raise UsageError(f"weights: found {shown(weight)} for {unit}, expected numbers from 0 for units of it")
        self.weights = np.array([given[unit] for unit in self.units])
        self.tables = Tables(game, cards, self.contest, seed)
        self.mutual = self.tables.hurts & self.tables.hurts.T & ~np.eye(len(cards), dtype=bool)

    def scores(self, prices: Any = None, limit: int | None = None, only: int | None = None) -> Scores:
        """Return what the units score at some prices.

        Parameters
        ----------
        prices : array of float, optional
            By default those on the cards.
        limit : int, optional
            One of the contest's limits of actions; by default the mean of all.
        only : int, optional
            The place of a unit: only what concerns it is worked out, the rest is nan.

        Raises
        ------
        UsageError
            A price isn't above 0, or so small that more of a unit would be needed than can be fought.
        """
        c = self.prices if prices is None else np.asarray(prices, dtype=float)
        for unit, price in zip(self.units, c.tolist(), strict=True):
            if not 0 < price < np.inf:
                raise UsageError(f"{unit}: found a price of {price:g}, expected one above 0")
        pairs = self.tables.pairs
        which = np.arange(len(pairs)) if only is None else np.flatnonzero((pairs == only).any(axis=1))
        a, b = pairs[which].T
        price_a, price_b = c[a][:, None], c[b][:, None]
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
        # A price above the budget is the budget.
        sets_a = budget <= price_a
        sets_b = (budget <= price_b) & ~sets_a
        by_price_a = by_a * copies_a * (sets_a - 1.0) + by_b * copies_b * sets_a
        by_price_b = by_b * copies_b * (sets_b - 1.0) + by_a * copies_a * sets_b
        shape = len(c), len(c)
        found = Scores(*(np.full(shape, np.nan) for _ in Scores._fields))
        np.fill_diagonal(found.score, EVEN)
        found.score[a, b] = (low_a + up_a * by_a).mean(axis=1)
        found.score[b, a] = 1 - found.score[a, b]
        found.by_own[a, b], found.by_other[a, b] = by_price_a.mean(axis=1), by_price_b.mean(axis=1)
        found.by_own[b, a], found.by_other[b, a] = -found.by_other[a, b], -found.by_own[a, b]
        return found

    def lead(self, scores: Scores) -> Any:
        """Return F: by unit, what it scores in the mean above an even score; nan for one that nobody counts for."""
        shares = self.shares()
        return np.where(shares > 0, shares * (scores.score - EVEN), 0.0).sum(axis=1) + self._nobody()

    def shares(self) -> Any:
        """Return the share that each opponent has in a unit's mean, by unit and opponent."""
        weights = self.mutual * self.weights
        total = weights.sum(axis=1, keepdims=True)
        return weights / np.where(total > 0, total, 1.0)

    def _nobody(self) -> Any:
        return np.where((self.mutual * self.weights).sum(axis=1) > 0, 0.0, np.nan)


def score_table(roster: Roster, prices: Any = None) -> pd.DataFrame:
    """Return what each unit scores against each other, for equal requisition; a row for each of two units.

    Parameters
    ----------
    roster : Roster
    prices : array of float, optional
        By default those on the cards.

    Returns
    -------
    DataFrame
        ``mutual`` says whether both can hurt each other, so that the pair counts; ``solver`` how its battles were
        solved.
    """
    c = roster.prices if prices is None else np.asarray(prices, dtype=float)
    score = roster.scores(c).score
    solver = {tuple(pair): how for pair, how in zip(roster.tables.pairs.tolist(), roster.tables.solvers, strict=True)}
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
            "solver": [solver[min(row), max(row)] for row in rows],
        },
    )
