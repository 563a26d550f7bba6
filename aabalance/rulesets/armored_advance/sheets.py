"""The two halves of an attack while it is put together, before dice and probabilities.

`Attack` and `Offence` are what the attacker brings, `Defence` what the target shows. Keywords and terrain change them
through `change`, which keeps the reason beside the number, so that an explanation never has to guess.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, Self

from aabalance.rulesets.base import Step


@dataclass(frozen=True, slots=True)
class _Sheet:
    steps: tuple[Step, ...] = field(default=(), compare=False, kw_only=True)

    def change(self, label: str, why: str, rule: str, **values: Any) -> Self:
        """Return the sheet with `values` put in, and the step that explains them."""
        return replace(self, steps=(*self.steps, Step(label, why, rule)), **values)


@dataclass(frozen=True, slots=True)
class Attack(_Sheet):
    """One attack action with one weapon.

    Attributes
    ----------
    kind : {"at", "he", "ai"}
    penetration, damage : int
        Centimetres and hit points; `by_band` replaces the penetration under the variant ``penetration_falloff``.
    base, n : int
        HE damage is ``base - n * D6 - side armour``.
    ai : str
        Casualty code, for example ``"D3-1"``.
    attempts : int
        Dice sequences.
    bonus : int
        Added to the roll.
    advantage : bool
        The attacker hasn't moved.
    reach : float or None
        Longest range in inches.
    soft_factor : Fraction
        Factor on damage to field guns and fortifications.
    walls : int
        Walls shot through.
    kills : int
        Casualties added by a squad's machine gun.
    """

    weapon: str
    kind: Literal["at", "he", "ai"]
    penetration: int = 0
    by_band: tuple[int, ...] | None = None
    damage: int = 0
    base: int = 0
    n: int = 0
    ai: str = ""
    attempts: int = 1
    bonus: int = 0
    advantage: bool = True
    reach: float | None = None
    soft_factor: Fraction = Fraction(1)
    walls: int = 0
    kills: int = 0


@dataclass(frozen=True, slots=True)
class Offence(_Sheet):
    """Everything a unit can fire in a turn.

    Attributes
    ----------
    guns : tuple of (least strength, tuple of gun)
        A gun is a tuple of alternative attacks, of which a turn allows one; the primary gun comes first. Units whose
        fire doesn't depend on their strength have one entry, at 1.
    actions : int
        Action pool.
    primary_attacks : int
        Attack actions the primary gun may take in a turn.
    aimed : bool
        Two actions may be spent on one accurate shot of the primary gun.
    reloads : bool
        The primary gun can't fire in two consecutive turns.
    """

    guns: tuple[tuple[int, tuple[tuple[Attack, ...], ...]], ...]
    actions: int = 2
    primary_attacks: int = 1
    aimed: bool = False
    reloads: bool = False


@dataclass(frozen=True, slots=True)
class Defence(_Sheet):
    """What the target shows.

    Attributes
    ----------
    target : {"vehicle", "field_gun", "infantry"}
    armor, side_armor : int
        Centimetres; HE is reduced by the side armour whatever the facing.
    weak_spot : bool
    weight : {"light", "medium", "heavy"}
    moves : int
        Move actions in its last turn.
    increase : int
        Added to the range requirement.
    extra_range_in : int
        Added to the range.
    strength : int
        Men of an infantry squad.
    halved : bool
        Casualties are halved.
    """

    target: Literal["vehicle", "field_gun", "infantry"] = "vehicle"
    armor: int = 0
    side_armor: int = 0
    weak_spot: bool = False
    weight: Literal["light", "medium", "heavy"] = "medium"
    moves: int = 0
    increase: int = 0
    extra_range_in: int = 0
    strength: int = 0
    halved: bool = False
