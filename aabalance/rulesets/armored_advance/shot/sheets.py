"""The two halves of an attack while it is put together, before dice and probabilities.

`Attack` and `Offence` are what the attacker brings, `Defence` what the target shows. Keywords and terrain change them
through `change`, which keeps the reason beside the number. An explanation gives the reason if the number was read; see
`Watched`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Self

from aabalance.rulesets.base import Step

Kind = Literal["at", "he", "ai", "indirect"]


class Note(NamedTuple):
    """One change of a sheet: the step that explains it, and the names of the numbers that it changed."""

    step: Step
    changed: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Sheet:
    notes: tuple[Note, ...] = field(default=(), compare=False, kw_only=True)

    def change(self, label: str, why: str, rule: str, **values: Any) -> Self:
        """Return the sheet with `values` put in, and the step that explains them."""
        note = Note(Step(label, why, rule), frozenset(values))
        return replace(self, notes=(*self.notes, note), **values)


@dataclass(frozen=True, slots=True)
class Attack(_Sheet):
    """One attack action with one weapon.

    Attributes
    ----------
    kind : {"at", "he", "ai", "indirect"}
        How it is resolved: against armour, as high explosive, against infantry, or as indirect fire.
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
        The attacker's first action wasn't a move.
    shifted : bool
        The attacker made its free move before.
    reach : float or None
        Longest range in inches.
    soft_factor : Fraction or None
        Factor on damage to field guns and fortifications, if there is one.
    walls : int
        Walls shot through.
    kills : int
        Casualties added by a squad's machine gun.
    bursts : int
        Casualty rolls of an autocannon, where the variant lets it roll more than one.
    thrown : bool
        A grenade.
    scouted : bool
        A friend's scout spends an action on it.
    place : int
        That of its weapon on the card, from 0 on.
    """

    weapon: str
    kind: Kind
    penetration: int = 0
    by_band: tuple[int, ...] | None = None
    damage: int = 0
    base: int = 0
    n: int = 0
    ai: str = ""
    attempts: int = 1
    bonus: int = 0
    advantage: bool = True
    shifted: bool = False
    reach: float | None = None
    soft_factor: Fraction | None = None
    walls: int = 0
    kills: int = 0
    bursts: int = 1
    thrown: bool = False
    scouted: bool = False
    place: int = 0


Gun = tuple[Attack, ...]
"""Alternative attacks of one gun, of which a turn allows one."""
Battery = tuple[tuple[int, tuple[Gun, ...]], ...]
"""A unit's guns by its least strength, falling, the last one 1; the primary gun comes first."""


@dataclass(frozen=True, slots=True)
class Offence(_Sheet):
    """Everything a unit can fire in a turn.

    Attributes
    ----------
    guns : Battery
        Units whose fire doesn't depend on their strength have one entry, at 1.
    lobs : Gun
        Attacks of the primary gun by indirect fire, once it is set up.
    actions : int
        Action pool.
    primary_attacks : int
        Attack actions the primary gun may take in a turn.
    aimed : bool
        Two actions may be spent on one accurate shot of the primary gun.
    aims : tuple of Gun
        The accurate shots, by entry of `guns`.
    aimed_lobs : Gun
        The accurate shots by indirect fire.
    reloads : bool
        The primary gun can't fire in two consecutive turns.
    set_up : bool
        The indirect gun is set up already.
    grenade : Attack or None
        The attack with a grenade; None if the unit has none.
    grenades : int
        How many a squad carries.
    """

    guns: Battery
    lobs: Gun = ()
    actions: int = 2
    primary_attacks: int = 1
    aimed: bool = False
    aims: tuple[Gun, ...] = ()
    aimed_lobs: Gun = ()
    reloads: bool = False
    set_up: bool = False
    grenade: Attack | None = None
    grenades: int = 0


@dataclass(frozen=True, slots=True)
class Defence(_Sheet):
    """What the target shows.

    Attributes
    ----------
    target : {"vehicle", "field_gun", "infantry"}
        Class of the unit.
    armor, side_armor : int
        Centimetres; HE is reduced by the side armour whatever the facing.
    angling_adds : bool
        The X of an angled unit is added to its armour.
    weak_spot : bool
        A shot slightly short of the armour may still penetrate.
    weight : {"light", "medium", "heavy"}
        Weight class.
    moves : int
        Move actions in its last turn.
    moved_in : float
        Inches moved in its last turn.
    increase : int
        Added to the range requirement, but not by foliage.
    foliage : int
        Added to it by foliage, which indirect fire ignores.
    extra_range_in : int
        Added to the range.
    strength : int
        Men of an infantry squad.
    halved : bool
        Casualties are halved.
    hidden : bool
        The attacker doesn't see it.
    in_cover_range : bool
        A terrain feature covers it from indirect fire.
    immune : (str, str) or None
        Why a squad can't be attacked at all, and the rule.
    """

    target: Literal["vehicle", "field_gun", "infantry"] = "vehicle"
    armor: int = 0
    side_armor: int = 0
    angling_adds: bool = False
    weak_spot: bool = False
    weight: Literal["light", "medium", "heavy"] = "medium"
    moves: int = 0
    moved_in: float = 0
    increase: int = 0
    foliage: int = 0
    extra_range_in: int = 0
    strength: int = 0
    halved: bool = False
    hidden: bool = False
    in_cover_range: bool = False
    immune: tuple[str, str] | None = None


class Watched:
    """A sheet that remembers which of its numbers are read, so that no number can be used without `told` knowing.

    Parameters
    ----------
    sheet : Attack or Defence
        The sheet.
    """

    def __init__(self, sheet: Attack | Defence) -> None:
        self._sheet = sheet
        self._read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self._read.add(name)
        return getattr(self._sheet, name)

    def told(self) -> list[Step]:
        """Return the steps that changed a number which has been read."""
        return [note.step for note in self._sheet.notes if note.changed & self._read]
