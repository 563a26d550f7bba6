"""Standard situations: which ranges and facings a table covers, and how much each counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from aabalance.cards import data_folder, read_toml
from aabalance.errors import CardError, Fault, UsageError
from aabalance.game import Game

TOLERANCE = 1e-9


class Situations(NamedTuple):
    """Situations with weights that sum to 1.

    Attributes
    ----------
    situations : tuple of Situation
    weights : tuple of float
    """

    situations: tuple[Any, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, game: Game, table: Mapping[str, Mapping[str, float]]) -> Situations:
        """Return the product of independent choices.

        Parameters
        ----------
        table : mapping
            By field of the game's `Situation`, its values with their weights; each field's weights sum to 1.

        Raises
        ------
        UsageError
            An unknown field, a wrong value, weights that are negative or don't sum to 1.
        """
        for name, choices in table.items():
            total = sum(choices.values())
            if min(choices.values(), default=-1) < 0 or not math.isclose(total, 1, abs_tol=TOLERANCE):
                raise UsageError(
                    f"situations {name}: found weights that sum to {total:g}, expected weights from 0 that sum to 1"
                )
        fields = list(table)
        found, weights = [], []
        for choice in itertools.product(*(table[name].items() for name in fields)):
            found.append(game.situation(**{name: value for name, (value, _) in zip(fields, choice, strict=True)}))
            weights.append(math.prod(weight for _, weight in choice))
        return cls(tuple(found), tuple(weights))

    @classmethod
    def standard(cls, game: Game) -> Situations:
        """Return the situations of the game's own report definition."""
        path = data_folder("reports") / f"{game.ruleset.name}.toml"
        faults: list[Fault] = []
        table = read_toml(path, faults)
        if faults:
            raise CardError(faults)
        return cls.of(game, table["situations"])
