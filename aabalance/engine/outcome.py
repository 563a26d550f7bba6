"""The result of every kind of fight: chances if it is solved, counts if it is rolled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from aabalance.engine.arrays import Floats, Ints

A, B, DRAW, BOTH, TURNS, SQUARES = range(6)
"""The order of an outcome's and of a tally's fields, for loops that write them into arrays. An outcome has no squares,
and a battle's tally has them at its end."""
VALUE, ENDS = 5, 9
"""In the row of a `BattleOutcome`: where the fields begin that say what is left, and their number in all."""


Chance = TypeVar("Chance", bound="float | Floats")
Count = TypeVar("Count", bound="int | Ints")


class Outcome(NamedTuple, Generic[Chance]):
    """How a fight ends: numbers; or how many fights end: arrays of one shape.

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

    p_a: Chance
    p_b: Chance
    p_draw: Chance
    p_both: Chance
    player_turns: Chance

    def swapped(self) -> Outcome[Chance]:
        """Return the outcome with the sides exchanged."""
        return self._replace(p_a=self.p_b, p_b=self.p_a)


class BattleOutcome(NamedTuple):
    """How a battle ends: an outcome, and what is left.

    Attributes
    ----------
    p_a, p_b, p_draw, p_both, player_turns : float
        As `Outcome` has them.
    value_a, value_b : float
        Expected worth of the units that are left.
    left_a, left_b : float
        Expected number of units that are left.
    """

    p_a: float
    p_b: float
    p_draw: float
    p_both: float
    player_turns: float
    value_a: float
    value_b: float
    left_a: float
    left_b: float


class _Swappable(Protocol):
    def swapped(self) -> Self:
        """Return the same with the sides exchanged."""


AnyEnd = TypeVar("AnyEnd", bound=_Swappable)


def seen_by_a(first: str, end: AnyEnd) -> AnyEnd:
    """Return an outcome or a tally as side a sees it; fights return it as the side that moved first sees it.

    Parameters
    ----------
    first : {"a", "b"}
        The side that moved first.
    end : Outcome, Tally or BattleTally
        How the fight ended, as the side that moved first sees it.
    """
    return end if first == "a" else end.swapped()


AnyOutcome = TypeVar("AnyOutcome", Outcome[float], Outcome["Floats"], BattleOutcome)


def mean(outcomes: Iterable[AnyOutcome]) -> AnyOutcome:
    """Return the mean of several outcomes, for example of that with a moving first and that with b moving first."""
    each = list(outcomes)
    return type(each[0])(*(sum(column) / len(each) for column in zip(*each, strict=True)))


def first_turn_gap(a_first: Any, b_first: Any) -> Any:
    """Return a's score if it has the first turn, less its score if b has it; a score is P(win) + P(nobody wins) / 2.

    Parameters
    ----------
    a_first, b_first : Outcome or BattleOutcome
        How the fight ends, as a sees it, by who moves first.
    """
    # A score is (1 + p_a - p_b) / 2. In this order, equal outcomes have a gap of 0, without rounding errors.
    return ((a_first.p_a - b_first.p_a) - (a_first.p_b - b_first.p_b)) / 2


class Tally(NamedTuple, Generic[Count]):
    """Counts of simulated fights: numbers, or arrays of one shape.

    Attributes
    ----------
    wins_a, wins_b, draws, both : int or array of int64
        Numbers of fights that ended so; see `Outcome`.
    player_turns : int or array of int64
        Player turns of all fights together.
    squares : int or array of int64
        Sum of the squares of the fights' player turns.
    """

    wins_a: Count
    wins_b: Count
    draws: Count
    both: Count
    player_turns: Count
    squares: Count

    def swapped(self) -> Tally[Count]:
        """Return the counts with the sides exchanged."""
        return self._replace(wins_a=self.wins_b, wins_b=self.wins_a)

    @property
    def trials(self) -> Count:
        """How many fights were rolled."""
        counts: Any = self[:4]  # numbers and arrays are added alike
        trials: Count = sum(counts)
        return trials

    def outcome(self, *, limited: bool) -> Outcome[Any]:
        """Return the counts as shares of the trials, and the mean length of a fight.

        Parameters
        ----------
        limited : bool
            Whether there was a turn limit. Without one, a draw is a fight that may never end, so that with a draw the
            mean length is infinite.
        """
        import numpy as np

        counts: Any = self
        a, b, draws, both, turns, _ = counts
        n: Any = self.trials
        length = turns / n if limited else np.where(draws == 0, turns / n, np.inf)[()]
        return Outcome(a / n, b / n, draws / n, both / n, length)


class BattleTally(NamedTuple):
    """Counts of simulated battles.

    Attributes
    ----------
    wins_a, wins_b, draws, both, player_turns : int
        As `Tally` has them.
    value_a, value_b : int
        Worth of the units that were left, summed over all battles.
    left_a, left_b : int
        Number of the units that were left, summed over all battles.
    squares : int
        As `Tally` has it.
    """

    wins_a: int
    wins_b: int
    draws: int
    both: int
    player_turns: int
    value_a: int
    value_b: int
    left_a: int
    left_b: int
    squares: int

    def swapped(self) -> Self:
        """Return the counts with the sides exchanged."""
        a, b, draws, both, turns, value_a, value_b, left_a, left_b, squares = self
        return type(self)(b, a, draws, both, turns, value_b, value_a, left_b, left_a, squares)

    @property
    def trials(self) -> int:
        """How many battles were rolled."""
        return self.wins_a + self.wins_b + self.draws + self.both

    def outcome(self) -> BattleOutcome:
        """Return the counts as shares and means."""
        return BattleOutcome(*(count / self.trials for count in self[:-1]))


AnyTally = TypeVar("AnyTally", Tally[int], BattleTally)
Summed = TypeVar("Summed", Tally[int], Tally["Ints"], BattleTally)
AnyTally_co = TypeVar("AnyTally_co", Tally[int], BattleTally, covariant=True)


def total(tallies: Iterable[Summed]) -> Summed:
    """Return the sum of several tallies."""
    each = list(tallies)
    columns: Any = zip(*each, strict=True)
    sums: Any = map(sum, columns)
    return type(each[0])(*sums)
