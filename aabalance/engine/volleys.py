"""Packed distributions of the effects of volleys; equal ones are stored once."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError, shown

if TYPE_CHECKING:
    from aabalance.engine.arrays import Row

MOST_EFFECT = (1 << 63) - 1


class TooLarge(UsageError):
    """Something is too large for the engine's tables, or a battle for all ways to fight it."""


def fits(what: str, number: int, most: int) -> None:
    """Refuse a number that is too large for its place in the tables, where it would overflow silently.

    Parameters
    ----------
    what : str
        Name of the number, for the error text.
    number, most : int
        The number, and the largest one that fits.

    Raises
    ------
    TooLarge
        The number is larger than `most`.
    """
    if number > most:
        raise TooLarge(f"{what}: found {shown(number)}, expected at most {most}, all that the engine's tables can hold")


class Effects(NamedTuple):
    """The outcomes of volleys as solvers read them, in lists or arrays.

    Attributes
    ----------
    start : sequence of int
        Index at which the outcomes of each volley begin in `amount` and `chance`; a last entry is the end of all.
    amount : sequence of int
        What an outcome takes, above 0.
    chance : sequence of float
        The chance of an outcome.
    stay : sequence of float
        By volley, the chance that it has no effect.
    """

    start: Row[int]
    amount: Row[int]
    chance: Row[float]
    stay: Row[float]


class Volleys:
    """The distinct volleys of a table.

    Attributes
    ----------
    start, amount, chance, stay : list
        As `Effects` has them.
    effective, mean : list of float
        By volley, the chance that it has an effect, and its mean effect.
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
        """Pack the distribution of a volley's effect and return its number; equal distributions share one."""
        if id(effect) not in self._seen:
            # Rulesets hand out the same object again and again. It is kept here, so that its id stays its own.
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
    def effects(self) -> Effects:
        """The outcomes of all volleys, in lists."""
        return Effects(self.start, self.amount, self.chance, self.stay)

    def arrays(self) -> Effects:
        """Return `effects` in arrays, for compiled solvers."""
        import numpy as np

        ints, floats = np.int64, np.float64
        return Effects(
            np.array(self.start, ints),
            np.array(self.amount, ints),
            np.array(self.chance, floats),
            np.array(self.stay, floats),
        )
