"""What every fight ends in, whatever its kind: one record, in one order, exact or counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

A, B, DRAW, BOTH, TURNS = range(5)
"""The order of an outcome's and of a tally's fields, for loops that write them into arrays."""


class Outcome(NamedTuple):
    """How a fight ends, or many fights: numbers, or arrays of one shape.

    Attributes
    ----------
    p_a, p_b : float or array of float
        Chance that only this side is left.
    p_draw : float or array of float
        Chance that both are left, for ever or at the turn limit.
    p_both : float or array of float
        Chance that both are destroyed.
    player_turns : float or array of float
        Expected player turns, both sides counted; infinite if a fight without a limit may have no end.
    """

    p_a: Any
    p_b: Any
    p_draw: Any
    p_both: Any
    player_turns: Any

    def turned(self) -> Self:
        """Return the outcome with the sides exchanged."""
        return self._replace(p_a=self.p_b, p_b=self.p_a)

    def reshaped(self, shape: tuple[int, ...]) -> Outcome:
        """Return arrays in another shape."""
        return Outcome(*(column.reshape(shape) for column in self))


def mean(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome of a fight that is each of these equally often, for example in both orders of first turn."""
    found = list(outcomes)
    return Outcome(*(sum(column) / len(found) for column in zip(*found, strict=True)))


class Tally(NamedTuple):
    """Counts of simulated fights: numbers, or arrays of one shape.

    Attributes
    ----------
    wins_a, wins_b, draws, both : int or array of int64
        Fights by what was left, as `Outcome` has them.
    player_turns : int or array of int64
        Played in all of them.
    """

    wins_a: Any
    wins_b: Any
    draws: Any
    both: Any
    player_turns: Any

    def turned(self) -> Self:
        """Return the counts with the sides exchanged."""
        return self._replace(wins_a=self.wins_b, wins_b=self.wins_a)

    @property
    def trials(self) -> Any:
        """How many fights were rolled."""
        return self.wins_a + self.wins_b + self.draws + self.both

    def outcome(self, *, limited: bool) -> Outcome:
        """Return the shares; an undecided fight without a turn limit has no end."""
        import numpy as np

        n = self.trials
        a, b, draws, both, turns = self
        length = turns / n if limited else np.where(draws == 0, turns / n, np.inf)[()]
        return Outcome(a / n, b / n, draws / n, both / n, length)


def total(tallies: Iterable[Tally]) -> Tally:
    """Return counts together."""
    return Tally(*map(sum, zip(*tallies, strict=True)))
