"""The Ruleset protocol and the types that all games share. No behaviour.

A ruleset is plain Python. It says what one attack does (`Shot`) and what a unit that holds its ground does in a turn
(`Plan`); the engine packs plans into integer tables and never asks which game they come from.

An attack is split into the half that the attacker brings (`Ruleset.offence`) and the half that the target shows
(`Ruleset.defence`). Both are hashable values, so a batch works out each half once a unit instead of once a pair.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pydantic import BaseModel

from aabalance.dice import Pmf


class Step(NamedTuple):
    """One line of an explanation.

    Attributes
    ----------
    label, value : str
        What was looked at, and what came of it.
    rule : str
        The rulebook section it rests on, with the number of the open point if there is one.
    """

    label: str
    value: str
    rule: str


class Dice(NamedTuple):
    """The dice of one attack: equal and independent sequences of two chances and an effect.

    Attributes
    ----------
    sequences : int
    first, second : Fraction
        Chances that the first die (with its reroll) and the second are high enough.
    effects : tuple of int
        What a sequence takes from the target, by the face of a further D6.
    """

    sequences: int
    first: Fraction
    second: Fraction
    effects: tuple[int, ...]


class Shot(NamedTuple):
    """One attack, resolved.

    Attributes
    ----------
    weapon : str
    attempts : int
        Dice sequences in the attack, each with the needs below.
    needs : dict of str to (int or None)
        Needed natural rolls by name; None where no roll succeeds, no entry where nothing is rolled for.
    effect : Pmf
        What the whole attack takes from the target: hit points, or casualties.
    steps : tuple of Step
    dice : tuple of Dice
        How it is rolled; empty if there is nothing to roll, or a game doesn't say.
    """

    weapon: str
    attempts: int
    needs: Mapping[str, int | None]
    effect: Pmf
    steps: tuple[Step, ...]
    dice: tuple[Dice, ...] = ()


class Volley(NamedTuple):
    """One unit's attacks in a turn.

    Attributes
    ----------
    weapons : tuple of str
        Used in this order.
    effect : Pmf
        What they take from the target together.
    dice : tuple of Dice
        How each of them is rolled; empty if a game doesn't say, which leaves its duels to the exact solver.
    """

    weapons: tuple[str, ...]
    effect: Pmf
    dice: tuple[Dice, ...] = ()


class Survey(NamedTuple):
    """What a unit does to a target from where it stands.

    Attributes
    ----------
    plan : Plan
        What it does turn by turn while it holds its ground.
    shot : Shot
        Its single attack of largest expected effect, without steps.
    per_action : float
        Largest expected effect that one action buys; a turn of reloading costs an action too.
    """

    plan: Plan
    shot: Shot
    per_action: float


class Turn(NamedTuple):
    """What a player does in a turn of a duel, and what that leaves behind.

    Attributes
    ----------
    volley : Volley
    range_in : float
        Distance after the turn.
    memory : int
        What the unit itself remembers for its next turn; 0 at the start.
    moved : bool
    orders : str
        The turn in words.
    """

    volley: Volley
    range_in: float
    memory: int
    moved: bool
    orders: str


class Player(Protocol):
    """One side of a duel: a unit with a posture.

    Attributes
    ----------
    toughness : int
    least : tuple of int
        Falling thresholds of the unit's own toughness, the last one 1; a turn may differ from row to row.
    sees_moves : bool
        Its turns may depend on whether the enemy moved.
    chooses : bool
        It has a choice of turns and makes the best of it.
    """

    toughness: int
    least: tuple[int, ...]
    sees_moves: bool
    chooses: bool

    def turns(self, range_in: float, memory: int, enemy_moved: bool, row: int) -> Sequence[Turn]:
        """Return the turns open to a unit whose toughness is in row `row`: one, unless it `chooses`."""


class Bracket(NamedTuple):
    """What a unit does while at least `least` of its own toughness is left: `cycle` in turn, then from the start."""

    least: int
    cycle: tuple[Volley, ...]


Plan = tuple[Bracket, ...]
"""Brackets by falling `least`, the last one at 1; all cycles are of one length."""


class Price(NamedTuple):
    """What a unit costs beside its fighting value.

    Attributes
    ----------
    surcharge : int
        Added to the formula.
    flat : int
        In place of the formula, for units that can hurt nobody in the field.
    """

    surcharge: int
    flat: int


class Ruleset(Protocol):
    """What a game package offers to the layers above.

    Attributes
    ----------
    name, title : str
        The package's name, and the game's as people write it.
    rulebook : str
        Title and version of the rulebook.
    currency : str
        The card field that says what a unit costs.
    caveat : str
        What every report on this game has to say about its data.
    reference : tuple of (str, int)
        A unit and its cost, which fix the scale of the cost formula.
    gun_classes : tuple of str
        What `gun_class` can return, the lightest first.
    Card, Variant, Situation : type of BaseModel
        Schemas of a unit card, of the rule switches and of what an attack depends on besides the two cards.
        A `Situation` has a ``range_in`` and a ``facing``.
    """

    name: str
    title: str
    rulebook: str
    currency: str
    caveat: str
    reference: tuple[str, int]
    gun_classes: tuple[str, ...]
    Card: type[BaseModel]
    Variant: type[BaseModel]
    Situation: type[BaseModel]

    def toughness(self, card: Any) -> int:
        """Return how much the unit can lose before it is gone: hit points, or men."""

    def offence(self, card: Any, situation: Any, variant: Any) -> Hashable:
        """Return the attacker's half of every attack of a unit; reads no range and nothing of the target."""

    def defence(self, card: Any, situation: Any, variant: Any) -> Hashable:
        """Return the target's half; reads no range and nothing of the attacker."""

    def reads(self, offence: Any) -> Hashable:
        """Return what `shown` needs to know of an offence; few offences differ in it."""

    def shown(self, defence: Any, reads: Any) -> Hashable:
        """Return `defence` without what an offence that `reads` so never reads: a table then has fewer cases."""

    def survey(self, offence: Any, defence: Any, range_in: float, variant: Any) -> Survey:
        """Return all that a table asks of an attacker and a target at a distance."""

    def shot(self, offence: Any, defence: Any, range_in: float, variant: Any, weapon: str | None) -> Shot:
        """Return one attack, explained, with `weapon` or with the one of largest expected effect.

        Raises
        ------
        UsageError
            The unit has no such weapon.
        """

    def player(self, card: Any, enemy: Any, situation: Any, variant: Any, posture: str) -> Player:
        """Return a side of a duel.

        Raises
        ------
        UsageError
            No such posture.
        """

    def returned(self, situation: Any) -> Any:
        """Return the situation of the target when it fires back."""

    def category(self, card: Any) -> str:
        """Return the kind of unit, by which a report chooses its field."""

    def gun_class(self, card: Any) -> str:
        """Return the class of the unit's main weapon, by which tables of kill times group."""

    def price(self, card: Any) -> Price:
        """Return what the cost formula can't know of a unit."""

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that the facts in `folder` give, by id."""
