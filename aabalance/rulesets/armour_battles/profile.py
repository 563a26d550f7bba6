"""What a player has to know about a unit at the table: its dice, and the rolls that they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.shot.pools import TARGET_NUMBER
from aabalance.rulesets.armour_battles.shot.resolve import DISPERSED_AT, fire_target_number, reaction_target_number
from aabalance.rulesets.armour_battles.shot.sheets import fire_modifiers, pool, reaction_modifiers
from aabalance.rulesets.armour_battles.situation import Band, Evasion, Moves
from aabalance.rulesets.armour_battles.variant import Variant
from aabalance.rulesets.base import Grid, Profile, Stat, Term, Track

OPEN_TOPPED = Term("Open-topped", "1 reaction die less against indirect fire", "Reaction Checks")
BATTERY = Term("Off the table", "nobody can fire at it", "Indirect Fire")


def profile(card: Card, variant: Variant) -> Profile:
    """Return what a player has to know about a unit; no rule switch bears on it."""
    off_table = card.class_ == "battery"
    terms = (*(OPEN_TOPPED,) * card.open_topped, *(BATTERY,) * off_table)
    track = Track("Disruption points", () if off_table else (*map(str, range(1, DISPERSED_AT)), "dispersed"))
    return Profile(card.class_.replace("_", " "), tuple(_stats(card)), track, tuple(_grids(card)), terms)


def _stats(card: Card) -> Iterator[Stat]:
    yield Stat("Gun", card.weapon)
    if card.at_dice:
        yield Stat("AT dice", f"{card.at_dice}D")
    if card.artillery_dice:
        yield Stat("Artillery dice", f"{card.artillery_dice}D")
    if card.class_ != "battery":
        yield Stat("Reaction dice", f"{card.reaction_dice}D")
        if card.reaction_dice_indirect is not None:
            yield Stat("against indirect", f"{card.reaction_dice_indirect}D")


def _grids(card: Card) -> Iterator[Grid]:
    bands: tuple[Band, ...] = get_args(Band)
    if card.ranges_in is not None and card.at_dice:
        edges = zip(bands, card.ranges_in, strict=True)
        rows = tuple(
            (name, *(f"{fire_target_number(band, flank)}+" for band in bands))
            for name, flank in (("front", False), ("flank or rear", True))
        )
        columns = (f'{band}, to {edge:g}"' for band, edge in edges)
        yield Grid("Direct fire: each die needs", ("", *columns), rows, "Not while suppressed. Direct Fire")
        moves: tuple[Moves, ...] = get_args(Moves)
        rows = tuple(
            (name, *(f"{pool(card.at_dice, fire_modifiers(ambush, move))}D" for move in moves))
            for name, ambush in (("", False), ("ambush", True))
        )
        yield Grid("Direct fire: dice, by its move", ("", *moves), rows, "And wild dice. Direct Fire")
    if card.artillery_dice:
        note = f"{card.artillery_dice}D, each needs {TARGET_NUMBER}+, at any range. Indirect Fire"
        yield Grid("Indirect fire", (), (), note)
    if card.class_ != "battery":
        yield _reaction(card)


def _reaction(card: Card) -> Grid:
    pools = (("direct fire", card.reaction_dice, False), ("indirect", card.reaction_to_batteries, card.open_topped))
    rows = tuple((name, *_dice(number, exposed)) for name, number, exposed in pools)
    note = (
        f"Each die needs {reaction_target_number(False)}+, {reaction_target_number(True)}+ while suppressed. What "
        "applies adds up. Reaction Checks"
    )
    return Grid("Reaction", ("against", "in the open", "light cover", "uphill", "evading"), rows, note)


def _dice(number: int, exposed: bool) -> Iterator[str]:
    """Yield the number of dice in the open, in light cover, uphill and evading.

    `exposed` says that the unit is open-topped and the fire indirect.
    """
    evading: tuple[Evasion, ...] = ("stands", "stands", "stands", "disengages")
    for place, evasion in enumerate(evading):
        modifiers = reaction_modifiers(place == 1, place == 2, evasion, open_topped_to_indirect=exposed)
        yield f"{pool(number, modifiers)}D"
