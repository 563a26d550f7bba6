"""The interface of every kind of duel. Only this module knows which kinds there are, by `Ruleset.fight`.

Each kind packs its duels (``tables``), and one function decides them:

- `Walk`, units that lose toughness: ``walk/exact.py``, `solve` to the end, `solve_rounds` to a turn limit, `best_play`
  where a side chooses its turns; rolled, `duels` in ``walk/kernel.py``. ``walk/tables.py`` has duels of units that
  hold, ``walk/moving.py`` the duel of two that may move.
- `Chain`, units with conditions: ``chain/exact.py``, `solve`; rolled, `duels` in ``chain/kernel.py``.

What a unit does in its turn is the game's: the room ``duel`` of its package.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from aabalance.engine.outcome import Outcome
from aabalance.engine.volleys import Volleys
from aabalance.engine.walk.moving import MovingDuel
from aabalance.engine.walk.tables import Plans
from aabalance.errors import UsageError
from aabalance.rulesets.base import Chain, Survey, Walk


class Rolls(Protocol):
    """Fights ready to be rolled: whole numbers only, and picklable.

    Attributes
    ----------
    harmless : array of bool, shape (fights,)
        Whether nobody can ever destroy anybody, so that there is nothing to roll.
    """

    @property
    def harmless(self) -> Any:
        """See above."""

    def part(self, first: int, end: int) -> Rolls:
        """Return the fights ``first .. end - 1`` alone, so that less is sent to another process."""

    def roll(self, runs: Any) -> Any:
        """Roll some of the fights.

        Parameters
        ----------
        runs : array of uint64, shape (n, 5)
            Number of the fight, key of its dice, first trial, number of trials, rounds.

        Returns
        -------
        array of int64, shape (n, 5)
            A tally in each row; a is the side that moves first.
        """


class Fights(Protocol):
    """Packed fights of one kind. The first side moves first, and is a in the outcome."""

    def solve(self, rounds: int | None = None) -> Outcome:
        """Solve the fights exactly: to their end, or for `rounds` turns of each side."""

    def rolls(self) -> Rolls:
        """Return the fights ready to be rolled.

        Raises
        ------
        UsageError
            The kernel has no room for them.
        """


class Tables(Protocol):
    """What the units of a game do to each other, packed. What is equal is stored once.

    Attributes
    ----------
    simultaneous : bool
        Whether both sides strike at the same time, so that nobody moves first.
    volleys : Volleys
        Effects of the best single attacks.
    """

    simultaneous: bool
    volleys: Volleys

    def pack(self, survey: Survey) -> tuple[int, int]:
        """Pack a unit's plan, and the plan of repeating its best single attack; return the numbers of both."""

    def duel(self, players: Any, range_in: float) -> Fights:
        """Return one duel of two players from `Ruleset.player`, which begins at this distance."""

    def fights(self, plan_a: Any, plan_b: Any, hp_a: Any, hp_b: Any) -> Fights:
        """Return duels of units that hold.

        Parameters
        ----------
        plan_a, plan_b : array of int, shape (n,)
            Numbers from `pack`.
        hp_a, hp_b : array of int, shape (n,)
            Toughness.
        """

    def kills(self, plan: Any, hp: Any, within: Sequence[int] = (1,)) -> Any:
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
            Expected turns (infinite if it never happens), then the chance of a kill within each of `within`.
        """


def tables(kind: Walk | Chain) -> Tables:
    """Return empty tables for games with this kind of fight (`Ruleset.fight`)."""
    if isinstance(kind, Walk):
        return Plans()
    from aabalance.engine.chain.tables import Chains

    return Chains(kind)


def conditions(kind: Walk | Chain) -> tuple[str, ...]:
    """Return the names of the conditions of a unit that is left; none in games whose units lose toughness."""
    if isinstance(kind, Walk):
        return ()
    return kind.names or tuple(map(str, range(kind.conditions)))


def moving_duel(kind: Walk | Chain, game: str) -> type[MovingDuel]:
    """Return the class of duels in which units may move, for questions that only such a duel can answer.

    Parameters
    ----------
    kind : Walk or Chain
        The game's kind of fight.
    game : str
        The game's name, for the error text.

    Raises
    ------
    UsageError
        The game's units have conditions and don't move.
    """
    if not isinstance(kind, Walk):
        raise UsageError(f"{game}: found a game of conditions, expected one of hit points and turns")
    return MovingDuel
