"""What units do turn by turn in a duel.

In games whose units lose toughness (`Walk`), that is a `Plan` for a unit that holds, or a `Player` that may move and
choose. In games whose units have conditions (`Chain`), it is `Blows`. The engine packs either into tables and never
asks which game they come from.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from aabalance.dice import Pmf
from aabalance.rulesets.base.attack import Shot, Volley

HOLD = "hold"
"""The posture that every game has."""


class Bracket(NamedTuple):
    """What a unit does while at least `least` of its own toughness is left: `opening` once, then `cycle` for ever."""

    least: int
    cycle: tuple[Volley, ...]
    opening: tuple[Volley, ...] = ()


Plan = tuple[Bracket, ...]
"""Brackets by falling `least`, the last one at 1; all openings are of one length, and all cycles.

Which turn of its plan a unit is in depends on the turns it had, not on what it lost.
"""


class Blows(NamedTuple):
    """What a unit's turn does to its enemy, in a game in which units have conditions.

    A table stores each object once: a game should give the same object for what is the same, from a cache for example.
    Conditions are numbered from 0, the fresh one; the number after the last stands for destroyed.

    Attributes
    ----------
    chances : tuple of tuple of Pmf, shape (conditions, conditions)
        Chances of the enemy's condition after the turn, by the unit's own and the enemy's condition before it.
    after : tuple of int
        The unit's own condition after the turn, by that before it.
    """

    chances: tuple[tuple[Pmf, ...], ...]
    after: tuple[int, ...]


class Walk(NamedTuple):
    """How a game fights whose units lose toughness turn by turn, and may move and choose."""

    @property
    def simultaneous(self) -> bool:
        """Whether both strike at the same time, so that nobody moves first: never."""
        return False


Order = Literal["alternate", "answer", "together"]
"""How blows follow each other in a chain; see `Chain`."""


class Chain(NamedTuple):
    """How a game fights whose units have conditions.

    Attributes
    ----------
    order : {"alternate", "answer", "together"}
        ``alternate``: turns alternate. ``answer``: they alternate, and a target that is left strikes back at once.
        ``together``: both strike at the same time, once a round.
    conditions : int
        Number of conditions of a unit that is not destroyed.
    names : tuple of str
        Names of the conditions; if empty, they go by their numbers.
    """

    order: Order
    conditions: int
    names: tuple[str, ...] = ()

    @property
    def simultaneous(self) -> bool:
        """Whether both strike at the same time, so that nobody moves first."""
        return self.order == "together"


class Survey(NamedTuple):
    """What a unit does to a target from where it stands.

    Attributes
    ----------
    plan : Plan or Blows
        What it does turn by turn while it holds its ground: a plan in a game of walks, blows in one of chains.
    shot : Shot
        Its single attack of largest expected effect, without steps.
    per_action : float
        Largest expected effect that one action buys; a turn of reloading costs an action too.
    out_of_reach : bool
        `shot` has no effect, and an attack would have one that doesn't reach so far, or is too near.
    """

    plan: Any
    shot: Shot
    per_action: float
    out_of_reach: bool = False


class Turn(NamedTuple):
    """What a player does in a turn of a duel, and the state after it.

    Attributes
    ----------
    volley : Volley
    range_in : float
        Distance after the turn.
    memory : int
        The player's own state, of which its next turn may depend; 0 at the start.
    moved : Hashable
        How it moved, as far as the turn of an enemy that `sees_moves` may depend on it; falsy if it didn't.
    orders : str
        The turn in words.
    """

    volley: Volley
    range_in: float
    memory: int
    moved: Hashable
    orders: str


class Player(Protocol):
    """One side of a duel: a unit with a posture.

    Attributes
    ----------
    toughness : int
    least : tuple of int
        Falling thresholds of the unit's own toughness, the last one 1; a turn may differ from row to row.
    sees_moves : bool
        Its turns may depend on how the enemy moved.
    chooses : bool
        It has a choice of turns and makes the best of it.
    """

    toughness: int
    sees_moves: bool
    chooses: bool

    @property
    def least(self) -> tuple[int, ...]:
        """See above."""

    def turns(self, range_in: float, memory: int, enemy_moved: Hashable, row: int) -> Sequence[Turn]:
        """Return the turns open to a unit whose toughness is in row `row`: one, unless it `chooses`.

        Parameters
        ----------
        range_in : float
            Distance before the turn.
        memory : int
            `Turn.memory` of its last turn; 0 at the start.
        enemy_moved : Hashable
            `Turn.moved` of the enemy's last turn, if it `sees_moves`; else None.
        row : int
            Index in `least` of the threshold that its toughness reaches.
        """


class Holding:
    """A player that stays where it is and goes through what it does in order; see `Player`.

    Parameters
    ----------
    toughness : int
    plan : Plan or Blows
        A plan in games whose `Ruleset.fight` is a `Walk`, blows if it is a `Chain`.
    """

    sees_moves = False
    chooses = False

    def __init__(self, toughness: int, plan: Any) -> None:
        self.toughness = toughness
        self.plan = plan

    @property
    def least(self) -> tuple[int, ...]:
        """The thresholds of the plan's brackets."""
        return tuple(bracket.least for bracket in self.plan)

    def turns(self, range_in: float, memory: int, enemy_moved: Hashable, row: int) -> tuple[Turn]:
        """Return the turn after so many others; see `Player.turns`.

        `memory` counts them, and goes round with the cycle.
        """
        _, cycle, opening = self.plan[row]
        turns = (*opening, *cycle)
        after = memory + 1 if memory + 1 < len(turns) else len(opening)
        return (Turn(turns[memory], range_in, after, None, "hold"),)
