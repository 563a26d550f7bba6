"""What one attack does, in the words that every game shares."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

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
        What the whole attack takes from the target: hit points, casualties, hits; more than it has left included.
    steps : tuple of Step
    dice : tuple of Dice
        How it is rolled; empty if there is nothing to roll, or a game doesn't say.
    p_kill : Fraction or None
        Chance that it destroys the target as the situation has it; None: where the effect reaches the toughness.
    """

    weapon: str
    attempts: int
    needs: Mapping[str, int | None]
    effect: Pmf
    steps: tuple[Step, ...]
    dice: tuple[Dice, ...] = ()
    p_kill: Fraction | None = None


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
    steps : tuple of Step
        How they were decided; empty unless the duel is to be explained.
    """

    weapons: tuple[str, ...]
    effect: Pmf
    dice: tuple[Dice, ...] = ()
    steps: tuple[Step, ...] = ()
