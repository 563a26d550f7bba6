"""Armour Battles: WW2 platoons, opposed pools of D6, disruption points and suppression."""

from __future__ import annotations

from aabalance.rulesets.armour_battles import card, duel, situation, variant
from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.roster import ArmourBattlesRoster
from aabalance.rulesets.armour_battles.shot import resolve, sheets
from aabalance.rulesets.armour_battles.shot.sheets import Defence, Offence
from aabalance.rulesets.armour_battles.situation import Moment, Situation
from aabalance.rulesets.armour_battles.variant import Variant
from aabalance.rulesets.base import INCHES, ConditionDuel, Labels, Ruleset


class ArmourBattles(Ruleset[Card, Situation, Moment, Variant, Offence, Defence]):
    """The rules of attacks and duels of Armour Battles."""

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
    roster = ArmourBattlesRoster()
    fight = ConditionDuel("alternate", duel.CONDITIONS, duel.NAMES)
    presets = variant.PRESETS
    has_matches = True
    Card, Variant, Situation, Moment = card.Card, variant.Variant, situation.Situation, situation.Moment

    survey = staticmethod(duel.survey)
    shot = staticmethod(resolve.shot)
    relevant = staticmethod(sheets.relevant)

    def toughness(self, card: card.Card) -> int:
        """Return the disruption points that disperse a unit (Dispersal)."""
        return resolve.DISPERSED_AT

    def offence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of all attacks of `card`; no rule switch bears on it."""
        return sheets.offence(card, moment)

    def defence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return the target's half of attacks on `card`; no rule switch bears on it."""
        return sheets.defence(card, moment)

    def relevance(self, offence: Offence) -> bool:
        """Return whether the fire is indirect, since the target has other reaction dice against it."""
        return offence.indirect


RULESET = ArmourBattles()
