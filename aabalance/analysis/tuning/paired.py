"""Two rosters that are one but for some cards: their battles solved once, and what units are worth in either.

A difference is estimated on the same opponents: both sides are scored under the same drawn weights of them, and what
hangs on whom one meets falls out as far as it is the same on both sides.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.matchups import tidy
from aabalance.analysis.tuning.contest import Contest
from aabalance.analysis.tuning.definition import Tuning
from aabalance.analysis.tuning.draws import DRAWS, LEVEL, drawn_leads, several
from aabalance.analysis.tuning.fighters import lone
from aabalance.analysis.tuning.levels import even_price, level
from aabalance.analysis.tuning.score import EVEN, Roster
from aabalance.analysis.tuning.tables import Tables, rows_of
from aabalance.engine.sampling import Advance
from aabalance.game import Game
from aabalance.rulesets.base import Fighter


class Part(Tables):
    """Battles of some cards out of the tables of more: what is solved for one part, no other has to solve.

    Parameters
    ----------
    whole : Tables
        About all its cards.
    places : sequence of int
        Places in it of the cards, in their order.
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
        """By pair, how its battles were solved that were asked for."""
        every = self._whole.solvers
        return [every[row] for row in self._rows.tolist()]

    def fighter(self, unit: int, enemy: int) -> Fighter:
        """Return a unit as it fights another, by their places."""
        return self._whole.fighter(self._places[unit], self._places[enemy])

    def look_up(self, pairs: Any, n: Any, m: Any) -> Any:
        """Return what the first of a pair scores; as for `Tables`."""
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
        Of one ruleset.
    changed : collection of str
        Ids of units of both whose cards fight in another way, at most; all others fight alike if the rules are the
        same, and their battles are solved once.
    seed : int
        Of battles that have to be rolled: a pair that is the same has the same dice.
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
        Mean score at the price on the card; nan for a unit that nobody counts for.
    drawn_score : array of float, shape (draws, units)
        The same over other opponents like these; nan where there is one alone.
    worth : array of float
        As `aabalance.analysis.tuning.worth.Worth.price`.
    drawn_worth : array of float, shape (draws, units)
        To the first step; nan where a price says nothing, or there is one opponent alone.
    """

    score: Any
    drawn_score: Any
    worth: Any
    drawn_worth: Any


def levels(roster: Roster, floor: float, seed: int = 0, only: Sequence[int] | None = None) -> Levels:
    """Return scores and worth of the units of a roster, and those over drawn opponents.

    Two rosters have the same draws: a weight hangs on the seed and the opponent's id.

    Parameters
    ----------
    roster : Roster
    floor : float
        The least price.
    seed : int
    only : sequence of int, optional
        Places of units: of the others there are no numbers. By default all.
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


def worth_differences(before: Roster, after: Roster, units: Sequence[str], floor: float, seed: int = 0) -> pd.DataFrame:
    """Return how much more units are worth in one roster than in another, with intervals on the same opponents.

    Parameters
    ----------
    before, after : Roster
        About these units at least, and those at the floor.
    units : sequence of str
        Their ids.
    floor : float
        The least price.
    seed : int
        Of the draws of the intervals.

    Returns
    -------
    DataFrame
        A row for each unit; nan where a price says nothing.
    """
    sides = [[roster.place(unit) for unit in units] for roster in (before, after)]
    found = [levels(roster, floor, seed, places) for roster, places in zip((before, after), sides, strict=True)]
    rows = []
    for unit, old, new in zip(units, *sides, strict=True):
        low, high = interval(found[1].drawn_worth[:, new] - found[0].drawn_worth[:, old])
        with np.errstate(invalid="ignore"):
            change = found[1].worth[new] - found[0].worth[old]
        ends = {"worth_difference_low": low, "worth_difference_high": high}
        rows.append({"unit": unit, "worth_difference": change, **ends})
    return tidy("unit_changes", rows)


def interval(drawn: Any) -> tuple[float, float]:
    """Return the ends of the interval of what was drawn; nan if it was no number."""
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
