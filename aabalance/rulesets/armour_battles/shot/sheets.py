"""The two halves of an attack: the dice that the attacker and the target have, and where these come from."""

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
        How many dice; negative if they are taken.
    rule : str
        Section of the rulebook.
    """

    label: str
    dice: int
    rule: str


def fire_modifiers(ambush: bool, moves: Moves) -> tuple[Modifier, ...]:
    """Return the dice that direct fire gains and loses (Direct Fire)."""
    modifiers = (
        Modifier("ambush", int(ambush), DIRECT),
        Modifier(f"{moves} move", MOVE_MODIFIERS[moves], f"{DIRECT} [B-11]"),
    )
    return tuple(modifier for modifier in modifiers if modifier.dice)


def reaction_modifiers(
    light_cover: bool, uphill: bool, evasion: Evasion, open_topped_to_indirect: bool
) -> tuple[Modifier, ...]:
    """Return the dice that the target's reaction gains and loses (Reaction Checks).

    Parameters
    ----------
    light_cover : bool
        The target is in light cover.
    uphill : bool
        It stands higher than the firer.
    evasion : str
        How it evades.
    open_topped_to_indirect : bool
        It is open-topped, and the fire indirect.
    """
    modifiers = (
        Modifier("light cover", int(light_cover), REACTION),
        Modifier("uphill of the firer", int(uphill), REACTION),
        Modifier(evasion.replace("_", " "), EVASION_DICE * (evasion != "stands"), REACTION),
        Modifier("open-topped", -int(open_topped_to_indirect), REACTION),
    )
    return tuple(modifier for modifier in modifiers if modifier.dice)


def wild_dice_modifier(number: int) -> tuple[Modifier, ...]:
    """Return wild dice as dice added to a roll (Wild Dice); each is rolled with the rest."""
    return (Modifier("wild dice", number, "Wild Dice"),) if number else ()


def pool(number: int, modifiers: Sequence[Modifier]) -> int:
    """Return the dice of a roll; no fewer than none."""
    return max(0, number + sum(modifier.dice for modifier in modifiers))


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of a roll, and where they come from."""

    dice: int
    steps: tuple[Step, ...] = field(default=(), compare=False)


NO_POOL = Pool(0)


@dataclass(frozen=True, slots=True)
class Offence:
    """What the attacker brings.

    Attributes
    ----------
    weapon : str
    pool : Pool
        AT dice, or artillery dice for indirect fire.
    indirect, flank : bool
    band : str or None
        Range band that the situation names.
    ranges_in : tuple of float or None
        Where the bands end.
    """

    weapon: str
    pool: Pool
    indirect: bool
    flank: bool
    band: Band | None
    ranges_in: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Defence:
    """What the target shows.

    Attributes
    ----------
    direct, indirect : Pool
        Reaction dice against either kind of fire.
    suppressed : bool
        Before the attack.
    off_table : bool
        Nobody can fire at it.
    """

    direct: Pool
    indirect: Pool
    suppressed: bool
    off_table: bool


def _pool(label: str, number: int, rule: str, modifiers: Sequence[Modifier]) -> Pool:
    steps = [Step(label, f"{number}D", rule), *(Step(m.label, f"{m.dice:+d}D", m.rule) for m in modifiers)]
    return Pool(pool(number, modifiers), tuple(steps))


def offence(card: Card, moment: Moment) -> Offence:
    """Return the attacker's half: its dice, and what its target number will depend on."""
    indirect = moment.indirect or (card.artillery_dice > 0 and card.at_dice == 0)
    wild = wild_dice_modifier(moment.wild_dice)
    if indirect:
        # Range, flank, ambush and moves stand under Direct Fire alone.
        thrown = _pool("artillery dice", card.artillery_dice, INDIRECT, wild if card.artillery_dice else ())
        return Offence(card.weapon, thrown, indirect, False, None, None)
    modifiers = fire_modifiers(moment.ambush, moment.moves) + wild if card.at_dice else ()
    thrown = _pool("AT dice", card.at_dice, DIRECT, modifiers)
    return Offence(card.weapon, thrown, indirect, moment.flank, moment.range_band, card.ranges_in)


def defence(card: Card, moment: Moment) -> Defence:
    """Return the target's half: its reaction dice against either kind of fire."""
    wild = wild_dice_modifier(moment.target_wild_dice)

    def reaction(number: int, open_topped: bool) -> Pool:
        modifiers = reaction_modifiers(
            moment.light_cover, moment.uphill, moment.evasion, open_topped_to_indirect=open_topped
        )
        return _pool("reaction dice", number, REACTION, modifiers + wild)

    indirect_dice = card.reaction_dice_indirect
    return Defence(
        reaction(card.reaction_dice, open_topped=False),
        reaction(card.reaction_dice if indirect_dice is None else indirect_dice, open_topped=card.open_topped),
        moment.target_suppressed,
        card.class_ == "battery",
    )


def shown(target: Defence, indirect: bool) -> Defence:
    """Return a defence without the reaction dice against the other kind of fire."""
    return replace(target, direct=NO_POOL) if indirect else replace(target, indirect=NO_POOL)
