"""Armour Battles: WW2 platoons, opposed pools of D6, disruption points and suppression."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armour_battles import attack, card, combat, situation, variant
from aabalance.rulesets.armour_battles.attack import Defence, Offence
from aabalance.rulesets.base import Chain, Monotonic, Price, Ruleset, Shot, Survey

GUN_CLASSES = ((10, "10D and more"), (8, "8-9D"), (6, "6-7D"), (1, "up to 5D"))
"""Fewest AT dice of a class."""

ARTILLERY = "artillery"

BATTERY_POINTS = 80
"""What the cost formula would give a battery if it were as hard to destroy as the reference unit."""


class ArmourBattles(Ruleset):
    """The ruleset; see `aabalance.rulesets.base.Ruleset`."""

    name = "armour_battles"
    title = "Armour Battles"
    rulebook = "Armour Battles, quick reference sheet"
    currency = "points"
    caveat = (
        "The rulebook at hand is a quick reference without unit cards. Published: all of the StuG III, the reaction "
        "dice of the Panzer IV and the Panther, the names of the US army. All other dice, every range but the 75L48's "
        "and all points are this project's example set; each card's note says which."
    )
    reference = ("de_stug3", 100)
    price_step = 5
    effect = "disruption points"
    length = '"'
    die = 0
    fight = Chain("alternate", combat.CONDITIONS)
    gun_classes = (ARTILLERY, *(name for _, name in reversed(GUN_CLASSES)))
    presets: Mapping[str, Mapping[str, Any]] = {"rulebook": {}, "literal": {"opposed": "no_cancel"}}
    monotonic = (
        Monotonic("attacker", "at_dice", (4, 6, 8, 10, 12)),
        Monotonic("target", "reaction_dice", (9, 7, 5, 3, 0)),
        Monotonic("situation", "range_band", ("long", "effective", "close")),
        Monotonic("situation", "moves", ("triple", "double", "single")),
        Monotonic("situation", "flank", (False, True)),
        Monotonic("situation", "ambush", (False, True)),
        Monotonic("situation", "light_cover", (True, False)),
        Monotonic("situation", "evasion", ("disengages", "stands")),
        Monotonic("situation", "target_suppressed", (False, True)),
        Monotonic("situation", "wild_dice", (0, 1, 3)),
    )
    Card = card.Card
    Variant = variant.Variant
    Situation = situation.Situation
    Moment = situation.Moment

    def toughness(self, card: card.Card) -> int:
        """Return the disruption points that disperse a unit (Dispersal)."""
        return combat.DISPERSED_AT

    def offence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of the attack of `card`."""
        return attack.offence(card, moment)

    def defence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return what `card` shows to its attacker."""
        return attack.defence(card, moment)

    def reads(self, offence: Offence) -> bool:
        """Return whether the fire is indirect."""
        return offence.indirect

    def shown(self, defence: Defence, reads: bool) -> Defence:
        """Return the defence with the reaction dice against this kind of fire alone."""
        return attack.shown(defence, indirect=reads)

    def survey(self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant) -> Survey:
        """Return all that a table asks of an attacker and a target at a distance."""
        return attack.survey(offence, defence, range_in, variant)

    def shot(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant, weapon: str | None
    ) -> Shot:
        """Return one attack, explained."""
        if weapon is not None and weapon != offence.weapon:
            raise UsageError(f"weapon: {one_of(weapon, [offence.weapon])}")
        return attack.shot(offence, defence, range_in, variant)

    def returned(self, situation: situation.Situation, range_in: float) -> situation.Situation:
        """Return the same distance and band, the target standing still; each keeps its ground and its wild dice."""
        kept = {
            "range_band": situation.range_band,
            "light_cover": situation.own_light_cover,
            "uphill": situation.own_uphill,
            "own_light_cover": situation.light_cover,
            "own_uphill": situation.uphill,
            "wild_dice": situation.target_wild_dice,
            "target_wild_dice": situation.wild_dice,
        }
        return type(situation).model_validate(kept)

    def category(self, card: card.Card) -> str:
        """Return the class of the unit."""
        return card.class_

    def gun_class(self, card: card.Card) -> str:
        """Return the class by AT dice, or ``artillery`` for units without."""
        return next((name for least, name in GUN_CLASSES if card.at_dice >= least), ARTILLERY)

    def price(self, card: card.Card) -> Price:
        """Return no surcharge: dice are all that a card has. A battery, which nobody can destroy, has a flat price."""
        return Price(0, BATTERY_POINTS if card.class_ == "battery" else 0)


RULESET = ArmourBattles()
