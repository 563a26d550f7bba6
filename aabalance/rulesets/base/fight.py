"""What units do turn by turn in a duel.

There are two kinds of duels. In a `HitPointDuel` each unit has a number of hit points or the like, its toughness, and
loses some of it turn by turn. A unit that holds follows a `Plan`; one that may move and choose is a `Player`. In a
`ConditionDuel` each unit is in one of a few conditions, such as suppressed, and its turn is given as `Blows`. The
engine packs either kind into tables, and doesn't know which game they come from.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Generic, Literal, NamedTuple, Protocol

from typing_extensions import TypeVar

from aabalance.dice import Pmf
from aabalance.rulesets.base.attack import Shot, Volley

HOLD = "hold"
"""The posture that every game has."""


class Bracket(NamedTuple):
    """The volleys of a unit, turn by turn, while at least `least` of its own toughness is left.

    It fires the volleys of `opening` once, then those of `cycle` again and again.
    """

    least: int
    cycle: tuple[Volley, ...]
    opening: tuple[Volley, ...] = ()


Plan = tuple[Bracket, ...]
"""Brackets by falling `least`; that of the last one is 1. All openings have one length, and so have all cycles.

A unit's turn in its plan depends on the number of turns that it has had, not on its losses.
"""


class Blows(NamedTuple):
    """The effect of a unit's turn on its enemy, in a duel of conditions.

    A table stores each object once, so a game should return one object for equal blows, for example from a cache.
    Conditions are numbered from 0, the fresh one; the number after the last stands for destroyed.

    Attributes
    ----------
    chances : tuple of tuple of Pmf, shape (conditions, conditions)
        Chances of the enemy's condition after the turn, by the unit's own condition (first index) and the enemy's
        (second index) before the turn.
    after : tuple of int
        The unit's own condition after the turn, by its condition before it.
    """

    chances: tuple[tuple[Pmf, ...], ...]
    after: tuple[int, ...]


PlanT = TypeVar("PlanT", bound=Plan | Blows, default=Any)


class HitPointDuel(NamedTuple):
    """A kind of duel: units lose toughness turn by turn, and may move and choose."""

    @property
    def simultaneous(self) -> bool:
        """Whether both units strike at the same time, so that neither moves first: never."""
        return False


Order = Literal["alternate", "return_fire", "together"]
"""How blows follow each other; see `ConditionDuel`."""


class ConditionDuel(NamedTuple):
    """A kind of duel: each unit is in one of a few conditions.

    Attributes
    ----------
    order : {"alternate", "return_fire", "together"}
        ``alternate``: the units take turns. ``return_fire``: they take turns, and a target that is left returns fire at
        once; who is sure to do no harm doesn't attack. ``together``: both strike at the same time, once a round.
    conditions : int
        Number of conditions in which a unit can be, not counting destroyed.
    names : tuple of str
        Names of the conditions; if empty, conditions are called by their numbers.
    """

    order: Order
    conditions: int
    names: tuple[str, ...] = ()

    @property
    def simultaneous(self) -> bool:
        """Whether both units strike at the same time, so that neither moves first."""
        return self.order == "together"


class Survey(NamedTuple, Generic[PlanT]):
    """The attacks of a unit that holds on a target at a distance.

    Attributes
    ----------
    plan : Plan or Blows
        Its turns while it holds its place: a plan if the game's duels (`Ruleset.fight`) are a
        `HitPointDuel`, blows if they are a `ConditionDuel`.
    shot : Shot
        Its single attack with the largest expected effect; its steps are left out.
    per_action : float
        Largest expected effect of one action; a turn of reloading costs an action too.
    out_of_reach : bool
        Whether no attack has an effect only because the distance is too large or too small for those that would.
    """

    plan: PlanT
    shot: Shot
    per_action: float
    out_of_reach: bool = False


class Turn(NamedTuple):
    """A player's turn in a duel, and the state after it.

    Attributes
    ----------
    volley : Volley
        Its attacks.
    range_in : float
        Distance after the turn.
    memory : int
        The player's own state, on which its next turn may depend; 0 at the start.
    moved : Hashable
        How it moved, as far as the turn of an enemy that `sees_moves` may depend on it; falsy if it stayed.
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
        Toughness of the unit at the start.
    least : tuple of int
        Falling thresholds of the unit's own toughness, the last one 1. Its turns may depend on the first threshold
        that its toughness still reaches.
    sees_moves : bool
        Whether its turns may depend on how the enemy moved.
    chooses : bool
        Whether it has a choice of turns; it then plays the best.
    """

    toughness: int
    sees_moves: bool
    chooses: bool

    @property
    def least(self) -> tuple[int, ...]:
        """See above."""

    def turns(self, range_in: float, memory: int, enemy_moved: Hashable, row: int) -> Sequence[Turn]:
        """Return the turns that the unit may take now: a single one, unless it `chooses`.

        Parameters
        ----------
        range_in : float
            Distance before the turn.
        memory : int
            `Turn.memory` of its last turn; 0 at the start.
        enemy_moved : Hashable
            `Turn.moved` of the enemy's last turn, if this player `sees_moves`; else None.
        row : int
            Index in `least` of the first threshold that its toughness reaches.
        """


class Holding(Generic[PlanT]):
    """A player that holds its place and follows its plan; see `Player`.

    Parameters
    ----------
    toughness : int
        Toughness of the unit at the start.
    plan : Plan or Blows
        A plan if the game's duels are a `HitPointDuel`, blows if they are a `ConditionDuel`.
    """

    sees_moves = False
    chooses = False

    def __init__(self, toughness: int, plan: PlanT) -> None:
        self.toughness = toughness
        self.plan = plan

    @property
    def least(self: Holding[Plan]) -> tuple[int, ...]:
        """The thresholds of the plan's brackets."""
        return tuple(bracket.least for bracket in self.plan)

    def turns(self: Holding[Plan], range_in: float, memory: int, enemy_moved: Hashable, row: int) -> tuple[Turn]:
        """Return the next turn of the plan; see `Player.turns`.

        `memory` is the number of the turn in the opening and the cycle; at the end of the cycle it returns to the
        cycle's first turn.
        """
        _, cycle, opening = self.plan[row]
        turns = (*opening, *cycle)
        after = memory + 1 if memory + 1 < len(turns) else len(opening)
        volley = turns[memory]
        orders = ", ".join(dict.fromkeys(volley.weapons)) or "hold"
        return (Turn(volley, range_in, after, None, orders),)
