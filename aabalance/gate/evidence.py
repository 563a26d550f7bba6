"""The numbers of a game by which claims are judged: each is worked out once, and only if a claim needs it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from aabalance.analysis.matchups import matchups
from aabalance.analysis.situations import Situations
from aabalance.definitions.gate import rows_of
from aabalance.definitions.lists import fields_of
from aabalance.engine.arrays import Floats
from aabalance.game import Game
from aabalance.pricing.indifference import Worth, par, worth_of
from aabalance.pricing.roster import EVEN, Roster

Key = tuple[str, ...]
"""Ids of a unit, or of a unit and its opponent."""
Numbers = dict[Key, float]
DUELS = "duels"
"""The measure of pairs of units; all others are of a unit each."""


class Evidence:
    """Numbers of a game.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    seed : int
        Seed of the dice of battles that have to be rolled.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.seed = seed

    @cached_property
    def roster(self) -> Roster:
        """The roster, with the battles that say what units are worth."""
        return Roster(self.game, seed=self.seed)

    @cached_property
    def worth(self) -> dict[str, Worth]:
        """The worth of every unit, by id, as in the table `aabalance.worth`."""
        roster = self.roster
        at_par = par(roster)
        return {unit: worth_of(roster, at, at_par) for at, unit in enumerate(roster.units)}

    @cached_property
    def scores(self) -> Floats:
        """Scores of the roster's units against each other for equal requisition; nan where they don't count."""
        priced = self.roster.priced
        return np.where(self.roster.mutual & priced & priced[:, None], self.roster.scores().score, np.nan)

    @cached_property
    def duels(self) -> Floats:
        """Mean scores of all units in duels against all in the standard situations, by attacker and target."""
        ids = list(self.game.cards)
        score, weights = duel_numbers(self.game, ids, ids, None, None, "score")
        return score @ weights

    def of_units(self, measure: str) -> Numbers:
        """Return a number of each unit, by id; nan where there is none.

        Parameters
        ----------
        measure : str
            As in `aabalance.definitions.claims.UnitClaim`.
        """
        if measure == "duel_score":
            others = ~np.eye(len(self.duels), dtype=bool)
            both_roles = (self.duels + 1 - self.duels.T) / 2
            means = np.where(others, both_roles, 0.0).sum(axis=1) / max(len(self.duels) - 1, 1)
            return {(unit,): mean for unit, mean in zip(self.game.cards, means.tolist(), strict=True)}
        if measure == "score":
            margins = self.roster.margins(self.roster.scores())
            means = np.where(self.roster.priced, margins + EVEN, np.nan)  # what it scores at no price, nobody knows
            return {(unit,): mean for unit, mean in zip(self.roster.units, means.tolist(), strict=True)}
        return {(unit,): worth.price / self.over(unit, measure) for unit, worth in self.worth.items()}

    def over(self, unit: str, measure: str) -> float:
        """Return the number that a measure divides a unit's worth by: its price for ``worth_to_price``, or 1."""
        if measure != "worth_to_price":
            return 1.0
        at = self.roster.index(unit)
        return float(self.roster.prices[at]) if self.roster.priced[at] else math.nan

    def of_pairs(self) -> Numbers:
        """Return the score for equal requisition of each two units that count for each other; the better unit first."""
        units, score = self.roster.units, self.scores
        pairs = np.argwhere(np.triu(~np.isnan(score)))
        ahead = [(a, b) if score[a, b] >= score[b, a] else (b, a) for a, b in pairs.tolist()]
        return {(units[a], units[b]): float(score[a, b]) for a, b in ahead}

    def kept(self, measure: str) -> Numbers:
        """Return the numbers of a measure that a baseline keeps, as in `aabalance.definitions.claims.BaselineClaim`."""
        return self.of_duels() if measure == DUELS else self.of_units(measure)

    def of_duels(self) -> Numbers:
        """Return the score of each unit against each other in the standard situations."""
        ids, score = list(self.game.cards), self.duels.tolist()
        return {(a, b): score[i][j] for i, a in enumerate(ids) for j, b in enumerate(ids) if i != j}


def duel_numbers(
    game: Game, a: list[str], b: list[str], situation: Mapping[str, Any] | None, rounds: int | None, measure: str
) -> tuple[Floats, Floats]:
    """Return a number of duels in which both hold.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    a, b : list of str
        Ids.
    situation : mapping or None
        Lists of values by field; None for the standard situations of the game.
    rounds : int or None
        Turn limit; None for none, or in the standard situations for theirs.
    measure : str
        As in `aabalance.definitions.claims.DuelClaim`.

    Returns
    -------
    values : array of float, shape (a, b, situations)
        The number of each duel.
    weights : array of float, shape (situations,)
        They sum to 1.

    Raises
    ------
    UsageError
        A field or a value is wrong.
    """
    if situation is None:
        own = game.definition
        where = Situations.of(game, own.situations, own.rounds if rounds is None else rounds)
    else:
        moments = [game.moment(**fields) for fields in rows_of(situation)]
        where = Situations(tuple(moments), tuple([1 / len(moments)] * len(moments)), rounds)
    frame = matchups(game, where, attackers=a, targets=b)
    column = frame["p_win"] + frame["p_draw"] / 2 if measure == "score" else frame[measure]
    return column.to_numpy().reshape(len(a), len(b), -1), np.array(where.weights)


def groups_of(game: Game, units: list[str], by: str) -> dict[str, list[str]]:
    """Return units by their value in a field of the card; those without the field are left out.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : list of str
        Ids of the units.
    by : str
        The field.
    """
    groups: dict[str, list[str]] = {}
    for unit in units:
        value = fields_of(game.ruleset, game.cards, unit).get(by)
        if value is not None:
            groups.setdefault(str(value), []).append(unit)
    return dict(sorted(groups.items()))


def known(numbers: Numbers) -> Numbers:
    """Return the numbers that aren't nan."""
    return {key: number for key, number in numbers.items() if not math.isnan(number)}
