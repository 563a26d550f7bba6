"""What an attack depends on besides the two cards and the rules, and what it does: types that every game uses.

A game's `Situation` has the conditions that stay the same while two units fight. Its `Moment` adds those of a single
attack. A duel begins in a situation; each unit decides whether it moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field
from typing_extensions import TypeVar

from aabalance.dice import Pmf
from aabalance.rulesets.base.words import Keys

FAR = 1000
"""Largest distance that a user may give, in the game's unit of length: longer than any table."""

Distance = Annotated[float, Field(ge=0, le=FAR, allow_inf_nan=False)]
Steps = Annotated[Distance, Field(multiple_of=1)]
"""A distance in hexes, squares or rows."""


class Circumstances(Keys):
    """What an attack depends on besides the two cards, as the attacker sees it: a game's `Situation` and `Moment`."""

    def mirrored(self, range_in: float) -> Self:
        """Return the situation from the target's side, as it returns fire from this distance; by default the same."""
        return self

    def _exchanged(self, pairs: Iterable[tuple[str, str]], **others: Any) -> Self:
        """Return the situation with the values of each pair of fields exchanged, and other values of further fields."""
        values = {one: getattr(self, other) for pair in pairs for one, other in (pair, pair[::-1])}
        return self.model_copy(update=values | others)


SituationT = TypeVar("SituationT", bound=Circumstances, default=Any)


class Step(NamedTuple):
    """One line of an explanation.

    Attributes
    ----------
    label, value : str
        What was determined, such as the range band, and what it is.
    rule : str
        Section of the rulebook that decides it, with the number of the open point if there is one.
    """

    label: str
    value: str
    rule: str


class Dice(NamedTuple):
    """The dice of one attack: equal and independent sequences, each of two rolls and an effect.

    Attributes
    ----------
    sequences : int
        Number of sequences.
    first, second : Fraction
        Chances that the first roll (with its reroll) and the second roll of a sequence succeed.
    effects : tuple of int
        What a sequence takes from the target if both rolls succeed, by the face of a further D6.
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
        Name of the weapon.
    attempts : int
        Number of sequences of dice in the attack, each with the needs below.
    needs : dict of str to (int or None)
        Natural roll needed, by the name of the roll; None if no roll succeeds. A roll that isn't made has no entry.
    effect : Pmf
        What the whole attack takes from the target (hit points, casualties, hits), even if the target has less left.
    steps : tuple of Step
        How the attack was resolved.
    dice : tuple of Dice
        How the attack is rolled; empty if there is nothing to roll, or the game doesn't say.
    left : int or None
        The effect that destroys the target in its situation. None: the target's toughness.
    """

    weapon: str
    attempts: int
    needs: Mapping[str, int | None]
    effect: Pmf
    steps: tuple[Step, ...]
    dice: tuple[Dice, ...] = ()
    left: int | None = None


class Volley(NamedTuple):
    """One unit's attacks in a turn.

    Attributes
    ----------
    weapons : tuple of str
        Names of the weapons that fire, in the order of their attacks.
    effect : Pmf
        What all attacks together take from the target.
    dice : tuple of Dice
        How each of these is rolled; empty if the game doesn't say, so that its duels can only be solved exactly.
    steps : tuple of Step
        How the attacks were resolved; empty unless the duel is to be explained.
    """

    weapons: tuple[str, ...]
    effect: Pmf
    dice: tuple[Dice, ...] = ()
    steps: tuple[Step, ...] = ()
