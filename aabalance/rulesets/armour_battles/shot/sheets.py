"""The two halves of an attack: the dice of the attacker and of the target, with the reasons for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.situation import Band, Evasion, Moment, Moves
from aabalance.rulesets.base import Step

DIRECT = "Fire Combat: Direct Fire"
INDIRECT = "Fire Combat: Indirect Fire"
REACTION = "Fire Combat: Reaction Checks"

MOVE_MODIFIERS: dict[Moves, int] = {"single": 0, "double": -1, "triple": -2}
EVASION_DICE = 2


class Modifier(NamedTuple):
    """Dice that are added to a pool, or taken from it.

    Attributes
    ----------
    label : str
        The reason.
    dice : int
        Number of dice; negative if they are taken.
    rule : str
        Section of the rulebook.
    """

    label: str
    dice: int
    rule: str


def fire_modifiers(ambush: bool, moves: Moves) -> tuple[Modifier, ...]:
    """Return the modifiers of the number of dice of direct fire (Direct Fire)."""
    modifiers = (
        Modifier("ambush", int(ambush), DIRECT),
        Modifier(f"{moves} move", MOVE_MODIFIERS[moves], f"{DIRECT} [B-11]"),
    )
    return tuple(modifier for modifier in modifiers if modifier.dice)


def reaction_modifiers(
    light_cover: bool, uphill: bool, evasion: Evasion, open_topped_to_indirect: bool
) -> tuple[Modifier, ...]:
    """Return the modifiers of the number of the target's reaction dice (Reaction Checks).

    Parameters
    ----------
    light_cover : bool
        Whether the target is in light cover.
    uphill : bool
        Whether the target stands higher than the firer.
    evasion : str
        How the target evades.
    open_topped_to_indirect : bool
        Whether the target is open-topped and the fire indirect.
    """
    modifiers = (
        Modifier("light cover", int(light_cover), REACTION),
        Modifier("uphill of the firer", int(uphill), REACTION),
        Modifier(evasion.replace("_", " "), EVASION_DICE * (evasion != "stands"), REACTION),
        Modifier("open-topped", -int(open_topped_to_indirect), REACTION),
    )
    return tuple(modifier for modifier in modifiers if modifier.dice)


def wild_dice_modifier(number: int) -> tuple[Modifier, ...]:
    """Return the modifier by which wild dice are added to a roll, if there are any (Wild Dice)."""
    return (Modifier("wild dice", number, "Wild Dice"),) if number else ()


def pool(number: int, modifiers: Sequence[Modifier]) -> int:
    """Return the number of dice of a roll after its modifiers, at least 0."""
    return max(0, number + sum(modifier.dice for modifier in modifiers))


@dataclass(frozen=True, slots=True)
class Pool:
    """The number of dice of a roll, and the steps that explain it."""

    dice: int
    steps: tuple[Step, ...] = field(default=(), compare=False)


NO_POOL = Pool(0)


@dataclass(frozen=True, slots=True)
class Offence:
    """What a unit attacks with.

    Attributes
    ----------
    weapon : str
        Name of the gun.
    pool : Pool
        AT dice, or artillery dice for indirect fire.
    indirect, flank : bool
        Whether the fire is indirect, and whether it comes from the flank or rear.
    band : str or None
        Range band, if the situation names one.
    ranges_in : tuple of float or None
        Longest close, effective and long range, in inches; None for a unit without direct fire.
    """

    weapon: str
    pool: Pool
    indirect: bool
    flank: bool
    band: Band | None
    ranges_in: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Defence:
    """What decides how attacks on a unit fare.

    Attributes
    ----------
    direct, indirect : Pool
        Reaction dice against direct fire, and against indirect fire.
    suppressed : bool
        Whether the unit is suppressed before the attack.
    off_table : bool
        Whether the unit is off the table, where nobody can fire at it.
    """

    direct: Pool
    indirect: Pool
    suppressed: bool
    off_table: bool


def _pool(label: str, number: int, rule: str, modifiers: Sequence[Modifier]) -> Pool:
    steps = [Step(label, f"{number}D", rule), *(Step(m.label, f"{m.dice:+d}D", m.rule) for m in modifiers)]
    return Pool(pool(number, modifiers), tuple(steps))


def offence(card: Card, moment: Moment) -> Offence:
    """Return the attacker's half: its dice, and what their target number depends on."""
    indirect = moment.indirect or (card.artillery_dice > 0 and card.at_dice == 0)
    wild = wild_dice_modifier(moment.wild_dice)
    if indirect:
        # Only the section Direct Fire has rules for range, flank, ambush and moves.
        thrown = _pool("artillery dice", card.artillery_dice, INDIRECT, wild if card.artillery_dice else ())
        return Offence(card.weapon, thrown, indirect, False, None, None)
    modifiers = fire_modifiers(moment.ambush, moment.moves) + wild if card.at_dice else ()
    thrown = _pool("AT dice", card.at_dice, DIRECT, modifiers)
    return Offence(card.weapon, thrown, indirect, moment.flank, moment.range_band, card.ranges_in)


def defence(card: Card, moment: Moment) -> Defence:
    """Return the target's half: its reaction dice against direct and against indirect fire."""
    wild = wild_dice_modifier(moment.target_wild_dice)

    def reaction(number: int, open_topped: bool) -> Pool:
        modifiers = reaction_modifiers(
            moment.light_cover, moment.uphill, moment.evasion, open_topped_to_indirect=open_topped
        )
        return _pool("reaction dice", number, REACTION, modifiers + wild)

    return Defence(
        reaction(card.reaction_dice, open_topped=False),
        reaction(card.reaction_to_batteries, open_topped=card.open_topped),
        moment.target_suppressed,
        card.class_ == "battery",
    )


def relevant(target: Defence, indirect: bool) -> Defence:
    """Return a defence without the reaction dice against the other kind of fire."""
    return replace(target, direct=NO_POOL) if indirect else replace(target, indirect=NO_POOL)
