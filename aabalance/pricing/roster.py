"""What units score against each other for equal requisition.

``s_ij = mean over limits L and budgets B of W_L[B' / c_i, B' / c_j]``, where ``B' = max(B, c_i, c_j)``, ``c`` are the
prices, and ``W_L[n, m]`` is what n copies of i score against m of j under the limit L: P(win) + P(draw) / 2. Between
whole numbers of copies it is interpolated, on each side by itself.

``F_i = weighted mean over j of s_ij - 1/2`` is the score margin of i, over the opponents that can hurt i and that i can
hurt. Against all others i scores the same at every price: they would tell nothing about its price, yet pull it without
end. Par is the margin of every unit above the floor in a tuned roster.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.analysis.frames import costs, ids_of
from aabalance.cards import Cards
from aabalance.definitions.settings import Weights
from aabalance.definitions.tables import Tuning
from aabalance.engine.arrays import Bools, Floats, Ints
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, check_kind, shown, whole_number
from aabalance.game import Game, Unit, game_of
from aabalance.play.sample import MOST_SEED
from aabalance.pricing.battles import ROLLED, SCALED, Battles
from aabalance.pricing.contest import Contest, eligible_units

EVEN = 0.5
FLAT = -0.1
"""Slope of a unit's score, by the logarithm of its price, above which the score says little about the price: a unit
that costs a tenth more scores a percentage point less."""
CLOSE = 1e-12
"""Difference of two scores up to which it is rounding."""
A_TUNING = "a Tuning, such as that of a game, game.tuning"


class Scores(NamedTuple):
    """Scores of units against one another, and how they change with the logarithms of prices.

    Attributes
    ----------
    score : array of float, shape (units, units)
        Score of the unit of the row against that of the column; `EVEN` against itself.
    by_own, by_other : array of float, same shape
        Derivatives of the score by the logarithms of the prices of both; at a corner, that towards more copies.
    """

    score: Floats
    by_own: Floats
    by_other: Floats


class Roster:
    """Units that are compared with each other, their prices, and the conditions.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        By default all that can make up a side by themselves.
    tuning : Tuning, optional
        Budgets, limits, weights of opponents, bounds of prices; by default those of the game's own report definition.
    situations : mapping, optional
        Where units meet, as for `Situations.of`; by default those of the game's own report definition.
    about : iterable of str or card, optional
        The units whose scores and worth are needed; by default all. Battles among all others are left out, but for
        those of units at the floor, on which `par` depends.
    seed, advance
        As for ``aabalance.pricing.battles.Battles``.

    Attributes
    ----------
    game : Game
        The game; units without a price have that of the median unit in it.
    unpriced : set of str
        Ids of units without a price: they meet all others, but nobody's score counts them.
    units, about : list of str
        Ids of the units, and of those whose scores and worth are needed.
    prices, weights : array of float
        What the units cost, and how much each counts as an opponent.
    contest : Contest
        The conditions under which they are compared.
    floor : float
        The least price.
    tuning, situations, seed
        As the parameters.
    battles : Battles
        The battles of the units.
    hurts : array of bool, shape (units, units)
        Whether one can hurt the other.
    included : array of bool, shape (units, units)
        Whether battles of the two are included; False for a unit and itself.
    mutual : array of bool, shape (units, units)
        Whether the two can hurt each other, so that their pair counts; False for a unit and itself.

    Raises
    ------
    UsageError
        A unit can't make up a side by itself, `tuning` weighs a unit that isn't compared, or situations are wrong.
    """

    def __init__(
        self,
        game: Game | str,
        units: Iterable[Unit] | None = None,
        *,
        tuning: Tuning | None = None,
        situations: Weights | None = None,
        about: Iterable[Unit] | None = None,
        seed: int = 0,
        advance: Advance = lambda pairs: None,
    ) -> None:
        check_kind("tuning", tuning, Tuning | None, A_TUNING)
        self.game, self.unpriced = priced(game_of(game))
        game = self.game
        self.tuning = game.tuning if tuning is None else tuning
        self.situations = game.definition.situations if situations is None else situations
        self.contest = Contest.of(game, self.situations, self.tuning.budgets, self.tuning.limits)
        self.floor, self.seed = self.tuning.least, whole_number("seed", seed, 0, MOST_SEED)
        if units is None:
            self.units = [card.id for card in eligible_units(game, self.contest)]
        else:
            self.units = ids_of(game, units, "units")
        self.prices = np.asarray(costs(game)[self.units], dtype=np.float64)
        weights = self.tuning.weights
        if tuning is not None and units is None and (strange := [unit for unit in weights if unit not in self.units]):
            raise UsageError(f"weights: found {strange[0]}, expected units that are compared")
        self.weights = np.array([0.0 if unit in self.unpriced else weights.get(unit, 1.0) for unit in self.units])
        named = self.units if about is None else ids_of(game, about, "units")
        for unit in named:
            if units is None and unit not in self.units:
                alone = f"units: found {unit}, which can't make up a side by itself, expected units that can"
                raise UsageError(f"{alone}; matches tell its worth: `aabalance worth` with --board")
        self.about = sorted(set(named), key=self.index)
        stuck = np.flatnonzero(self.prices <= self.floor).tolist()
        included = None if about is None else [*map(self.index, self.about), *stuck]
        cards = [game.cards[unit] for unit in self.units]
        self.battles = Battles(game, cards, self.contest, seed, included, advance)
        self.hurts, self.included = self.battles.hurts, self.battles.included
        self.mutual = self.hurts & self.hurts.T & ~np.eye(len(self.units), dtype=bool)

    def index(self, unit: str) -> int:
        """Return the index of a unit in the roster, or raise a `UsageError`."""
        if unit not in self.units:
            raise UsageError(f"units: found {unit}, expected units of the roster that is compared")
        return self.units.index(unit)

    @property
    def priced(self) -> Bools:
        """Array of bool, shape (units,): whether a unit has a price of its own."""
        return np.array([unit not in self.unpriced for unit in self.units], dtype=bool)

    @property
    def solver(self) -> npt.NDArray[np.str_]:
        """Array of str, shape (units, units): how the battles of a pair were solved, from `SOLVERS`; "" without any."""
        return self.battles.solver

    @property
    def simulated_pairs(self) -> int:
        """Number of pairs with battles that were too large to be solved, and are simulated."""
        return int(np.triu(np.isin(self.solver, (ROLLED, SCALED))).sum())

    def scores(
        self,
        prices: npt.ArrayLike | None = None,
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
            Indices of units: only their scores, and those against them, are worked out; all others are nan.
        against : sequence of int, optional
            Indices of opponents: only pairs of `only` with these are worked out, and of those only pairs that count.

        Raises
        ------
        UsageError
            There isn't one price for each unit; or one isn't above 0, or so small that more of a unit would be needed
            than can be fought.
        """
        try:
            c: Floats = np.asarray(self.prices if prices is None else prices, dtype=np.float64)
        except (OverflowError, TypeError, ValueError):
            raise UsageError(f"prices: found {shown(prices)}, expected a number for each unit") from None
        if c.shape != self.prices.shape:
            raise UsageError(
                f"prices: found an array of shape {c.shape}, expected one for each of its {len(self.units)} units"
            )
        for wrong in np.flatnonzero(~((c > 0) & (c < np.inf))):
            raise UsageError(f"{self.units[wrong]}: found a price of {c[wrong]:g}, expected one above 0")
        wanted = self.included
        if only is not None:
            met = np.zeros_like(wanted)
            met[np.ix_(only, range(len(c)) if against is None else against)] = True
            wanted = wanted & (met | met.T) & (against is None or self.mutual)
        a, b = np.nonzero(np.triu(wanted))
        score, by_a, by_b = self._of_pairs(a, b, c[a], c[b], limit)
        found = Scores(*(np.full((len(c), len(c)), np.nan) for _ in Scores._fields))
        np.fill_diagonal(found.score, EVEN)
        found.score[a, b], found.score[b, a] = score, 1 - score
        found.by_own[a, b], found.by_other[a, b] = by_a, by_b
        found.by_own[b, a], found.by_other[b, a] = -by_b, -by_a
        return found

    def against(self, unit: int, others: Ints, price: float, limit: int | None = None) -> tuple[Floats, Floats]:
        """Return what a unit scores at a price against others at the prices on their cards.

        Parameters
        ----------
        unit : int
            Its index.
        others : array of int, shape (k,)
            Indices of its opponents, which have to count for it (`mutual`).
        price, limit
            Its price; the limit as for `scores`.

        Returns
        -------
        score, by_own : array of float, shape (k,)
            Scores, and their derivatives by the logarithm of the price.
        """
        first, prices = unit < others, self.prices[others]
        a, b = np.where(first, unit, others), np.where(first, others, unit)
        score, by_a, by_b = self._of_pairs(a, b, np.where(first, price, prices), np.where(first, prices, price), limit)
        return np.where(first, score, 1 - score), np.where(first, by_a, -by_b)

    def _of_pairs(self, a: Ints, b: Ints, c_a: Floats, c_b: Floats, limit: int | None) -> tuple[Floats, Floats, Floats]:
        """Return what the first units of pairs score at these prices, and the derivatives by either's logarithm.

        A budget buys a whole number of copies and a part of one more, so that a score lies between those of the four
        pairs of whole numbers about it. Inside, arrays have the shape (pairs, budgets), those of the battles that are
        looked up (limits, pairs, budgets, 2, 2): the last two are one copy more of a, and of b.

        Parameters
        ----------
        a, b : array of int, shape (pairs,)
            Indices of the units.
        c_a, c_b : array of float, shape (pairs,)
            Their prices.
        limit : int or None
            Actions in a side's turn; None for the mean over all of the contest.

        Returns
        -------
        score, by_price_a, by_price_b : array of float, shape (pairs,)
            The first units' scores, and their derivatives by the logarithms of `c_a` and `c_b`.
        """
        price_a, price_b = c_a[:, None], c_b[:, None]
        budget = np.maximum(np.maximum(price_a, price_b), self.contest.budgets)
        copies_a, copies_b = budget / price_a, budget / price_b
        n, m = copies_a.astype(np.int64), copies_b.astype(np.int64)
        up_a, up_b = copies_a - n, copies_b - m
        copies = np.broadcast_arrays(n[..., None, None] + [[0], [1]], m[..., None, None] + [0, 1])
        corners = self.battles.look_up(a, b, *copies)
        corners = corners.mean(axis=0) if limit is None else corners[self.contest.limits.index(limit)]
        low_a, high_a = (corners[..., one, 0] * (1 - up_b) + corners[..., one, 1] * up_b for one in (0, 1))
        per_copy_a = high_a - low_a
        low_b, high_b = (corners[..., 0, one] * (1 - up_a) + corners[..., 1, one] * up_a for one in (0, 1))
        per_copy_b = high_b - low_b
        # A price above the budget replaces it: the dearer unit is then alone, and its price sets the other's number.
        sets_a = budget <= price_a
        sets_b = (budget <= price_b) & ~sets_a
        by_price_a = per_copy_a * copies_a * (sets_a - 1.0) + per_copy_b * copies_b * sets_a
        by_price_b = per_copy_b * copies_b * (sets_b - 1.0) + per_copy_a * copies_a * sets_b
        return (low_a + up_a * per_copy_a).mean(axis=1), by_price_a.mean(axis=1), by_price_b.mean(axis=1)

    def margins(self, scores: Scores) -> Floats:
        """Return F, the score margin of each unit: its mean score, less `EVEN`; nan without opponents that count."""
        shares = self.shares()
        margins: Floats = np.where(shares > 0, shares * (scores.score - EVEN), 0.0).sum(axis=1)
        return margins + np.where(shares.any(axis=1), 0.0, np.nan)

    def shares(self) -> Floats:
        """Return the share of each opponent in a unit's mean, by unit and opponent; 0 where the pair doesn't count."""
        weights: Floats = self.mutual * self.weights
        total: Floats = weights.sum(axis=1, keepdims=True)
        return weights / np.where(total > 0, total, 1.0)


def roster_of(game: Game, roster: Roster | None, about: Iterable[Unit] | None = None) -> Roster:
    """Return the roster that a user gives, or the game's own, by default `about` all of its units."""
    check_kind("roster", roster, Roster | None, "a Roster")
    return Roster(game, about=about) if roster is None else roster


def priced(game: Game) -> tuple[Game, set[str]]:
    """Return the game with a price on each card, and the ids of the units that had none.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.

    Raises
    ------
    UsageError
        No card has a price.
    """
    currency = game.ruleset.labels.currency
    known = [cost for card in game.cards.values() if (cost := getattr(card, currency)) is not None]
    lacking = {unit for unit, card in game.cards.items() if getattr(card, currency) is None}
    if not lacking:
        return game, lacking
    if not known:
        raise UsageError(
            f"cards: found no {currency} on any card, expected some, by which others are priced: "
            "--cards takes the place of the game's cards; `aabalance cards copy DIR` copies them, to add to"
        )
    usual = int(np.median(known))
    tables = {
        unit: table | {currency: usual} if unit in lacking else table for unit, table in game.cards.tables.items()
    }
    return game.with_(cards=Cards(game.cards.schema, tables, game.cards.places, game.cards)), lacking
