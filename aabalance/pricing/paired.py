"""Two rosters that differ by some cards only: battles that they share are solved once, and worths are compared.

The interval of a difference is estimated on the same opponents: in each draw, they have the same weights in both
rosters, so that what is due to the choice of opponents cancels as far as it is the same in both.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.engine.sampling import Advance
from aabalance.game import Game
from aabalance.pricing.contest import Contest
from aabalance.pricing.definition import Tuning
from aabalance.pricing.draws import DRAWS, LEVEL, drawn_leads, several
from aabalance.pricing.fighters import lone
from aabalance.pricing.levels import even_price, level
from aabalance.pricing.score import EVEN, Roster
from aabalance.pricing.tables import Tables, rows_of
from aabalance.rulesets.base import Fighter


class Part(Tables):
    """Tables of some cards, taken out of the tables of more cards: what was solved for one part serves all others.

    Parameters
    ----------
    whole : Tables
        Tables that are about all their cards.
    places : sequence of int
        Places in `whole` of this part's cards, in this part's order.
    """

    def __init__(self, whole: Tables, places: Sequence[int]) -> None:
        self._whole, self._places = whole, list(places)
        count = len(self._places)
        self.pairs = np.array(list(combinations(range(count), 2)), dtype=np.int64).reshape(-1, 2)
        self.row = rows_of(self.pairs, count)
        a, b = np.array(self._places, dtype=np.int64)[self.pairs].T
        self._rows, self._reversed = whole.row[a, b], a > b
        self.hurts = whole.hurts[np.ix_(self._places, self._places)]

    @property
    def solvers(self) -> list[str]:
        """By pair, how those of its battles were solved that were asked for."""
        every = self._whole.solvers
        return [every[row] for row in self._rows.tolist()]

    def fighter(self, unit: int, enemy: int) -> Fighter:
        """Return a unit as it fights another, by their places."""
        return self._whole.fighter(self._places[unit], self._places[enemy])

    def look_up(self, pairs: Any, n: Any, m: Any) -> Any:
        """Return the scores of the first of each pair; see `Tables.look_up`."""
        turned = self._reversed[pairs].reshape(-1, *[1] * (n.ndim - 1))
        found = self._whole.look_up(self._rows[pairs], np.where(turned, m, n), np.where(turned, n, m))
        return np.where(turned, 1 - found, found)


def rosters(
    before: Game, after: Game, changed: Collection[str], seed: int = 0, advance: Advance = lambda pairs: None
) -> tuple[Roster, Roster]:
    """Return the rosters of two games in the contest of their own report definition.

    Parameters
    ----------
    before, after : Game
        Both of the same ruleset.
    changed : collection of str
        Ids of units in both games whose cards may fight differently; all others fight alike if the rules are the same,
        and their battles are solved once.
    seed : int
        Seed of the dice of battles that have to be rolled; pairs that are in both have the same dice.
    advance : callable
        As for `Tables`.
    """
    contest = Contest.standard(before)
    cards = [lone(game, contest) for game in (before, after)]
    weights = [Tuning.standard(game).weights for game in (before, after)]
    met = [{card.id: weight.get(card.id, 1.0) for card in some} for some, weight in zip(cards, weights, strict=True)]
    if before.variant != after.variant:
        of_before, of_after = (
            Roster(game, contest, list(weight), weight, seed, advance=advance)
            for game, weight in zip((before, after), met, strict=True)
        )
        return of_before, of_after
    every = list(cards[0])
    place = {card.id: at for at, card in enumerate(every)}
    places = list(place.values())
    in_after = []
    for card in cards[1]:
        if card.id in changed or card.id not in place:
            in_after.append(len(every))
            every.append(card)
        else:
            in_after.append(place[card.id])
    whole = Tables(before, every, contest, seed, advance=advance)
    of_before, of_after = (
        Roster(game, contest, list(weight), weight, tables=Part(whole, some))
        for game, weight, some in zip((before, after), met, (places, in_after), strict=True)
    )
    return of_before, of_after


class Levels(NamedTuple):
    """What the units of a roster score, and the prices at which they are level; arrays by unit.

    Attributes
    ----------
    score : array of float
        Mean score at the price on the card; nan for a unit without opponents that count.
    drawn_score : array of float, shape (draws, units)
        The same over other opponents like these; nan for a unit with a single opponent.
    worth : array of float
        As `aabalance.pricing.worth.Worth.price`.
    drawn_worth : array of float, shape (draws, units)
        Worth over other opponents like these, by one step of Newton's method from `worth`; nan where the price doesn't
        change the score, and for a unit with a single opponent.
    """

    score: Any
    drawn_score: Any
    worth: Any
    drawn_worth: Any


def levels(roster: Roster, floor: float, seed: int = 0, only: Sequence[int] | None = None) -> Levels:
    """Return scores and worth of the units of a roster, and the same over drawn opponents.

    Draws agree between rosters: an opponent's weights depend on the seed and its id.

    Parameters
    ----------
    roster : Roster
        The units, with the battles between them.
    floor : float
        The least price.
    seed : int
        Seed of the drawn weights.
    only : sequence of int, optional
        Places of the units that are asked about; the numbers of all others are nan. By default all.
    """
    size, shares = len(roster.units), roster.shares()
    if only is not None:
        shares = np.where(np.isin(np.arange(size), only)[:, None], shares, 0.0)
    scores, k = roster.scores(only=only), level(roster, floor)
    worth, slope = np.full(size, np.nan), np.full(size, np.nan)
    leads = np.zeros((size, size))
    for unit in np.flatnonzero(shares.any(axis=1)).tolist():
        x, leads[unit], by = even_price(roster, unit, shares[unit], k, floor)
        worth[unit], slope[unit] = math.exp(x), shares[unit] @ by
    drawn_score = drawn_leads(roster.units, seed, shares, scores.score - EVEN) + EVEN
    drawn_score[:, ~several(shares)] = np.nan
    known = np.isfinite(worth) & (slope < 0) & several(shares)
    drawn_worth = np.full((DRAWS, size), np.nan)
    moved = drawn_leads(roster.units, seed, shares[known], leads[known]) - k
    drawn_worth[:, known] = np.exp((np.log(worth[known]) - moved / slope[known]).clip(min=math.log(floor)))
    return Levels(roster.lead(scores) + EVEN, drawn_score, worth, drawn_worth)


def worth_differences(before: Roster, after: Roster, units: Sequence[str], floor: float) -> pd.DataFrame:
    """Return how much more units are worth in one roster than in another, with intervals on the same opponents.

    Parameters
    ----------
    before, after : Roster
        Their battles must be about these units and those at the floor, at least.
    units : sequence of str
        Ids.
    floor : float
        The least price.

    Returns
    -------
    DataFrame
        A row for each unit; nan where the price doesn't change the score.
    """
    sides = [[roster.place(unit) for unit in units] for roster in (before, after)]
    was, now = (levels(roster, floor, only=places) for roster, places in zip((before, after), sides, strict=True))
    rows = []
    for unit, old, new in zip(units, *sides, strict=True):
        low, high = interval(now.drawn_worth[:, new] - was.drawn_worth[:, old])
        with np.errstate(invalid="ignore"):
            change = now.worth[new] - was.worth[old]
        ends = {"worth_difference_low": low, "worth_difference_high": high}
        rows.append({"unit": unit, "worth_difference": change, **ends})
    return tidy("unit_changes", rows)


def interval(drawn: Any) -> tuple[float, float]:
    """Return the ends of the interval that holds the middle `LEVEL` of the draws; nan if any of them is nan."""
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
