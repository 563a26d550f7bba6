"""Distributions of effects, packed: what a table's volleys can do, each stored once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError, shown

MOST_EFFECT = (1 << 63) - 1


def fits(what: str, found: int, most: int) -> None:
    """Refuse a number that has no room in its place in the tables: it would become another one without a word.

    Raises
    ------
    UsageError
        It is larger than `most`.
    """
    if found > most:
        raise UsageError(
            f"{what}: found {shown(found)}, expected at most {most}, all that the engine's tables can hold"
        )


class Volleys:
    """The different volleys of a table.

    Attributes
    ----------
    start, amount, chance, stay : list
        Where each volley's outcomes begin (one more than there are volleys), amounts above 0 and their chances, and by
        volley the chance of no effect.
    effective, mean : list of float
        By volley: the chance of an effect, and the mean effect.
    """

    def __init__(self) -> None:
        self.start = [0]
        self.amount: list[int] = []
        self.chance: list[float] = []
        self.stay: list[float] = []
        self.effective: list[float] = []
        self.mean: list[float] = []
        self._ids: dict[tuple[tuple[int, float], ...], int] = {}
        self._seen: dict[int, tuple[Pmf, int]] = {}

    def add(self, effect: Pmf) -> int:
        """Pack a distribution and return its number; equal ones are stored once."""
        if id(effect) not in self._seen:
            # Rulesets hand out the same object again and again; held here, its identity stays its own.
            self._seen[id(effect)] = effect, self._add(effect)
        return self._seen[id(effect)][1]

    def _add(self, effect: Pmf) -> int:
        fits("effect of a volley", max(effect), MOST_EFFECT)
        key = tuple((amount, float(p)) for amount, p in sorted(effect.items()))
        if key not in self._ids:
            for amount, p in key:
                if amount:
                    self.amount.append(amount)
                    self.chance.append(p)
            nothing = effect.get(0, Fraction(0))
            self.stay.append(float(nothing))
            self.effective.append(float(1 - nothing))
            self.mean.append(float(dice.mean(effect)))
            self.start.append(len(self.amount))
            self._ids[key] = len(self._ids)
        return self._ids[key]

    @property
    def outcomes(self) -> tuple[list[int], list[int], list[float], list[float]]:
        """`start`, `amount`, `chance` and `stay`, as the solver reads them."""
        return self.start, self.amount, self.chance, self.stay

    def arrays(self) -> tuple[Any, ...]:
        """Return `outcomes` as arrays, for the compiled solver."""
        import numpy as np

        types = np.int64, np.int64, np.float64, np.float64
        return tuple(np.array(column, dtype=dtype) for column, dtype in zip(self.outcomes, types, strict=True))
