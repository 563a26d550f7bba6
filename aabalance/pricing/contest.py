"""The conditions under which units are compared: budgets, limits of actions, distances and faces with their shares."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from aabalance.analysis.situations import Weights, check, standard
from aabalance.errors import UsageError, shown
from aabalance.game import Game
from aabalance.play.battle import FRONT, views_of
from aabalance.pricing.definition import BUDGETS, LIMITS, Tuning
from aabalance.rulesets.base import SituationMix

POLICY = "value"
"""Policy of both sides. Each has equal units alone; this policy first makes the attacks of most effect per action."""


class Contest(NamedTuple):
    """The conditions under which units are compared.

    Attributes
    ----------
    ranges : dict of float to Fraction
        Distances with the share of the attacks that are made at each.
    views : SituationMix
        The rest of the situations, as the attacker sees them, with their shares. Distance and view are drawn for each
        attack, independently of each other.
    budgets : tuple of float
        Requisition of either side; all count alike.
    limits : tuple of int
        Actions in a side's turn; all count alike.
    """

    ranges: Mapping[float, Fraction]
    views: SituationMix
    budgets: tuple[float, ...] = BUDGETS
    limits: tuple[int, ...] = LIMITS

    @classmethod
    def of(
        cls, game: Game, table: Weights, budgets: tuple[float, ...] = BUDGETS, limits: tuple[int, ...] = LIMITS
    ) -> Contest:
        """Return a contest in all combinations of the values of a table of situations.

        Parameters
        ----------
        game : Game
            The game: a ruleset with its cards and variant.
        table : mapping
            As for `Situations.of`; shares of `facing` are those of the faces of both sides.
        budgets, limits : tuple
            As the attributes.

        Raises
        ------
        UsageError
            The game has no such battles; a field is unknown or holds for one attack alone, a value is wrong, or shares
            don't sum to 1; no budget or no limit, or one that isn't above 0.
        """
        if not game.ruleset.limits_actions:
            title = game.ruleset.labels.title
            raise UsageError(f"game: found {title}, expected one with battles under a limit of actions")
        check(game, table)
        for place, numbers in (("budgets", budgets), ("limits", limits)):
            if not numbers or not all(number > 0 and math.isfinite(number) for number in numbers):
                raise UsageError(f"{place}: found {shown(list(numbers))}, expected numbers above 0")
        shares = {name: _shares(row) for name, row in table.items()}
        ranges = {game.moment(range_in=value).range_in: share for value, share in shares.pop("range_in").items()}
        faces = shares.pop("facing", FRONT)
        views: dict[Any, Fraction] = {}
        for choice in itertools.product(*(row.items() for row in shares.values())):
            fields = {name: value for name, (value, _) in zip(shares, choice, strict=True)}
            for view, share in views_of(game.situation, faces, **fields).items():
                views[view] = views.get(view, Fraction(0)) + share * math.prod(part for _, part in choice)
        return cls(ranges, views, tuple(budgets), tuple(limits))

    @classmethod
    def standard(cls, game: Game) -> Contest:
        """Return the contest of the game's own report definition.

        Raises
        ------
        CardError
            The definition can't be read, or is wrong.
        """
        tuning = Tuning.standard(game)
        return cls.of(game, standard(game)[0], tuning.budgets, tuning.limits)


def _shares(weights: Mapping[str, float]) -> dict[str, Fraction]:
    """Return the weights that aren't 0 as exact shares that sum to 1: 0.3 is three tenths, not the nearest float."""
    written = {value: Fraction(str(weight)) for value, weight in weights.items() if weight}
    return {value: share / sum(written.values()) for value, share in written.items()}
