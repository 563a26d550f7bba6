"""The interface of every kind of duel. Only this module knows which kinds there are; `Ruleset.fight` says which it is.

Each kind packs its duels into tables. These functions decide them:

- `HitPointDuel`, for units that lose toughness. Solved: in ``hit_points/exact.py``, `solve` to the end, `solve_rounds`
  up to a turn limit, `best_play` if a side chooses its turns. Rolled: `duels` in ``hit_points/kernel.py``. Duels of
  units that hold are in ``hit_points/plans.py``, the duel of two units that may move in ``hit_points/graph.py``.
- `ConditionDuel`, for units with conditions. Solved: `solve` in ``conditions/exact.py``. Rolled: `duels` in
  ``conditions/kernel.py``.

What a unit does in its turn is up to the game: see ``duel`` in its package.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from aabalance.engine.hit_points.plans import Plans
from aabalance.engine.outcome import AnyTally_co, Chance, Outcome, Tally
from aabalance.engine.volleys import Volleys
from aabalance.rulesets.base import ConditionDuel, HitPointDuel, Survey

if TYPE_CHECKING:
    from aabalance.engine.arrays import Bools, Floats, Ints, Words


class Rolls(Protocol[AnyTally_co]):
    """Fights ready to be rolled: whole numbers only, and picklable.

    Attributes
    ----------
    harmless : array of bool, shape (fights,)
        Whether nobody can ever destroy anybody, so that there is nothing to roll.
    """

    @property
    def harmless(self) -> Bools:
        """See above."""

    def tally(self, counts: Ints) -> AnyTally_co:
        """Return a row of counts with names."""

    def part(self, first: int, end: int) -> Rolls[AnyTally_co]:
        """Return only the fights ``first .. end - 1``, so that less is sent to another process."""

    def roll(self, runs: Words) -> Ints:
        """Roll some of the fights.

        Parameters
        ----------
        runs : array of uint64, shape (n, 5)
            For each run the columns that `aabalance.engine.arrays` names, from `FIGHT` to `ROUNDS`.

        Returns
        -------
        array of int64, shape (n, 6)
            A tally for each run; a is the side that moves first.
        """


class Fights(Protocol[Chance]):
    """Packed fights of one kind. The first side moves first, and is a in the outcome."""

    def solve(self, rounds: int | None = None) -> Outcome[Chance]:
        """Solve the fights exactly: to their end, or for `rounds` turns of each side."""

    def rolls(self) -> Rolls[Tally[int]]:
        """Return the fights ready to be rolled.

        Raises
        ------
        UsageError
            The kernel has no room for them.
        """


class Tables(Protocol):
    """What the units of a game do to each other, packed into arrays; equal entries are stored once.

    Attributes
    ----------
    simultaneous : bool
        Whether both sides strike at the same time, so that neither moves first.
    volleys : Volleys
        Effects of the best single attacks.
    """

    simultaneous: bool
    volleys: Volleys

    def pack(self, survey: Survey) -> tuple[int, int]:
        """Pack a unit's plan, and the plan of repeating its best single attack; return the numbers of both."""

    def duel(self, players: Any, range_in: float) -> Fights[float]:
        """Return one duel of two players from `Ruleset.player`, which begins at this distance.

        Players are `Player` or `Holding`, by the kind of fight.
        """

    def fights(self, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints) -> Fights[Floats]:
        """Return duels of units that hold.

        Parameters
        ----------
        plan_a, plan_b : array of int, shape (n,)
            Numbers from `pack`.
        hp_a, hp_b : array of int, shape (n,)
            Toughness of the units.
        """

    def kills(self, plan: Ints, hp: Ints, within: Sequence[int] = (1,)) -> Floats:
        """Solve how long plans take to destroy targets that do nothing.

        Parameters
        ----------
        plan, hp : array of int, shape (n,)
            Numbers from `pack`, and toughness of the targets.
        within : sequence of int
            Numbers of turns, rising.

        Returns
        -------
        array of float, shape (n, 1 + len(within))
            Expected turns to a kill (infinite if it may never happen), then the chance of a kill within so many turns.
        """


def tables(kind: HitPointDuel | ConditionDuel) -> Tables:
    """Return empty tables for a game with this kind of fight (`Ruleset.fight`)."""
    if isinstance(kind, HitPointDuel):
        return Plans()
    from aabalance.engine.conditions.tables import BlowTables

    return BlowTables(kind)


def conditions(kind: HitPointDuel | ConditionDuel) -> tuple[str, ...]:
    """Return the names of the conditions of a unit that is left; none in games whose units lose toughness."""
    if isinstance(kind, HitPointDuel):
        return ()
    return kind.names or tuple(map(str, range(kind.conditions)))
