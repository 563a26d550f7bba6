"""Dice that fall as they are told: the exact odds of a literal roller, from every way in which its dice can fall."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST = 24
"""Throws after which a roller is taken for one that never ends: of D6 one way in 10^18."""


class TooManyWays(Exception):
    """There are more ways than were allowed."""


class _Endless(Exception):
    pass


class Told(Random):
    """Dice, all of so many sides, that fall as they are told, and as 1 beyond that."""

    def __init__(self, sides: int) -> None:
        super().__init__()
        self.sides = sides
        self.told: list[int] = []
        self.used = 0

    def random(self) -> float:
        self.used += 1
        if self.used > LONGEST:
            raise _Endless
        if self.used > len(self.told):
            self.told.append(1)
        return (self.told[self.used - 1] - 0.5) / self.sides

    def getrandbits(self, k: int, /) -> int:
        """Refuse: a die that is thrown by `randint` can't be told how to fall."""
        raise TypeError("found a die that isn't thrown by 1 + int(sides * rng.random())")


def every_way(once: Callable[[Random], T], sides: int = 6) -> Iterator[tuple[T, Fraction]]:
    """Yield what `once` returns, and how likely it is, for each way in which its dice can fall.

    Ways of more than `LONGEST` throws are left out.
    """
    dice = Told(sides)
    while True:
        dice.used = 0
        try:
            result = once(dice)
        except _Endless:
            pass
        else:
            del dice.told[dice.used :]
            yield result, Fraction(1, sides ** len(dice.told))
        while dice.told and dice.told[-1] == sides:
            dice.told.pop()
        if not dice.told:
            return
        dice.told[-1] += 1


def odds(once: Callable[[Random], Any], sides: int = 6, most: int = 100_000) -> dict[Any, Fraction]:
    """Return the odds of everything that `once` may return.

    Raises
    ------
    TooManyWays
        Its dice can fall in more than `most` ways.
    """
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for number, (result, p) in enumerate(every_way(once, sides)):
        if number == most:
            raise TooManyWays
        found[result] += p
    return dict(found)


def mean(once: Callable[[Random], int], sides: int = 6) -> Fraction:
    """Return what `once` comes to on the mean."""
    return sum((p * result for result, p in every_way(once, sides)), Fraction(0))
