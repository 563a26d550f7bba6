"""Armour Battles: WW2 platoons, opposed pools of D6, disruption points and suppression."""

from __future__ import annotations

from aabalance.rulesets.armour_battles import card, duel, roster, situation, variant
from aabalance.rulesets.armour_battles.card import gun_class
from aabalance.rulesets.armour_battles.profile import profile
from aabalance.rulesets.armour_battles.shot import resolve, sheets
from aabalance.rulesets.armour_battles.shot.sheets import Defence, Offence
from aabalance.rulesets.base import INCHES, ConditionDuel, Labels, Monotonic, Price, Profile, Ruleset, Shot, Survey


class ArmourBattles(Ruleset):
    """The ruleset; see `aabalance.rulesets.base.Ruleset`."""

    name = "armour_battles"
    labels = Labels(
        title="Armour Battles",
        rulebook="Armour Battles, quick reference sheet",
        caveat=(
            "The rulebook at hand is a quick reference without unit cards. Published: all of the StuG III, the "
            "reaction dice of the Panzer IV and the Panther, the names of the US army. All other dice, every range "
            "but the 75L48's and all points are this project's example set; each card's note says which."
        ),
        currency="points",
        effect="disruption points",
        length=INCHES,
    )
    reference = roster.REFERENCE
    price_step = roster.STEP
    fight = ConditionDuel("alternate", duel.CONDITIONS, duel.NAMES)
    gun_classes = (card.ARTILLERY, *(name for _, name in reversed(card.GUN_CLASSES)))
    presets = variant.PRESETS
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
        return resolve.DISPERSED_AT

    def offence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of all attacks of `card`."""
        return sheets.offence(card, moment)

    def defence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return the target's half of attacks on `card`."""
        return sheets.defence(card, moment)

    def relevance(self, offence: Offence) -> bool:
        """Return whether the fire is indirect."""
        return offence.indirect

    def relevant(self, defence: Defence, relevance: bool) -> Defence:
        """Return the defence with only the reaction dice against this kind of fire."""
        return sheets.relevant(defence, indirect=relevance)

    def survey(self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant) -> Survey:
        """Return what an attacker does to a target at a distance."""
        return duel.survey(offence, defence, range_in, variant)

    def shot(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant, weapon: str | None
    ) -> Shot:
        """Return one attack with its explanation."""
        return resolve.shot(offence, defence, range_in, variant, weapon)

    def profile(self, card: card.Card, variant: variant.Variant) -> Profile:
        """Return what a player has to know about a unit at the table."""
        return profile(card)

    def category(self, card: card.Card) -> str:
        """Return the class of the unit."""
        return card.class_

    def gun_class(self, card: card.Card) -> str:
        """Return the class of a unit by its AT dice; ``artillery`` for a unit without AT dice."""
        return gun_class(card)

    def price(self, card: card.Card) -> Price:
        """Return the flat price of a battery, which nobody can destroy."""
        return roster.price(card)


RULESET = ArmourBattles()
