"""The kinds of fights: what each of them offers, and the one place that knows which there are."""

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
        Nobody can ever destroy anybody, so there is nothing to roll.
    """

    @property
    def harmless(self) -> Any:
        """See above."""

    def part(self, first: int, end: int) -> Rolls:
        """Return the fights ``first .. end - 1`` alone, which is less to send to another process."""

    def roll(self, runs: Any) -> Any:
        """Roll some of the fights.

        Parameters
        ----------
        runs : array of uint64, shape (n, 5)
            Number of the fight, key of its dice, first trial, trials, rounds.

        Returns
        -------
        array of int64, shape (n, 5)
            A tally a row, the side that moves first being a.
        """


class Fights(Protocol):
    """Fights of one kind, packed; the first side moves first, and is a."""

    def solve(self, rounds: int | None = None) -> Outcome:
        """Solve the fights exactly, to their end or for `rounds` turns of each side."""

    def rolls(self) -> Rolls:
        """Return the fights ready to be rolled.

        Raises
        ------
        UsageError
            The kernel has no room for them.
        """


class Tables(Protocol):
    """What units do to each other in a game, packed; equal things once.

    Attributes
    ----------
    simultaneous : bool
        As the kind of fight has it.
    volleys : Volleys
        Effects of single attacks.
    """

    simultaneous: bool
    volleys: Volleys

    def pack(self, found: Survey) -> tuple[int, int]:
        """Pack what a unit does turn by turn, and its best single attack made again and again; return their numbers."""

    def duel(self, players: Any, range_in: float) -> Fights:
        """Return one duel of the players, as `Ruleset.player` gives them."""

    def fights(self, plan_a: Any, plan_b: Any, hp_a: Any, hp_b: Any) -> Fights:
        """Return duels of units that hold: numbers from `pack` and toughness, all arrays of shape (n,)."""

    def kills(self, plan: Any, hp: Any, within: Sequence[int] = (1,)) -> Any:
        """Solve how long plans take to destroy targets that do nothing.

        Returns
        -------
        array of float, shape (n, 1 + len(within))
            Expected turns (infinite if it never happens), then the chance of a kill within each of `within`.
        """


def tables(kind: Walk | Chain) -> Tables:
    """Return empty tables for the fights of a game."""
    if isinstance(kind, Walk):
        return Plans()
    from aabalance.engine.chain.tables import Chains

    return Chains(kind)


def moving_duel(kind: Walk | Chain, game: str) -> type[MovingDuel]:
    """Return what makes one duel of units that may move, for questions that only such a duel has an answer to.

    Parameters
    ----------
    game : str
        Its name, for the message.

    Raises
    ------
    UsageError
        The game's units have conditions and don't move.
    """
    if not isinstance(kind, Walk):
        raise UsageError(f"{game}: found a game of conditions, expected one of hit points and turns")
    return MovingDuel
