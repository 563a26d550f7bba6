"""Modern Land Battles: Force cards in Rows from the 1970s on, D10 against Armor, four Hits destroy, Victory Points."""

from __future__ import annotations

from aabalance.rulesets.base import ConditionDuel, Labels, Length, Ruleset
from aabalance.rulesets.modern_land_battles import card, duel, shot, situation, variant
from aabalance.rulesets.modern_land_battles.card import Card
from aabalance.rulesets.modern_land_battles.roster import ModernLandBattlesRoster
from aabalance.rulesets.modern_land_battles.shot import Defence, Offence, defence, offence
from aabalance.rulesets.modern_land_battles.situation import Moment, Situation
from aabalance.rulesets.modern_land_battles.variant import Variant


class ModernLandBattles(Ruleset[Card, Situation, Moment, Variant, Offence, Defence]):
    """The rules of attacks and duels of Modern Land Battles."""

    name = "modern_land_battles"
    labels = Labels(
        title="Modern Land Battles",
        rulebook="Modern Land Battles: Target Acquired, rulebook",
        caveat=(
            "The rulebook prints numbers of nine Force cards, eleven numbers in all; each card lists them as printed. "
            "Every other number, and every other card, is this project's example."
        ),
        currency="vp",
        effect="hits",
        length=Length("rows", " rows", whole=True),
    )
    roster = ModernLandBattlesRoster()
    fight = ConditionDuel("alternate", duel.DESTROYED, duel.NAMES)
    presets = variant.PRESETS
    has_matches = True
    Card, Variant, Situation, Moment = card.Card, variant.Variant, situation.Situation, situation.Moment

    survey = staticmethod(duel.survey)
    shot = staticmethod(shot.shot)

    def toughness(self, card: card.Card) -> int:
        """Return the Hits that destroy a fresh card."""
        return duel.DESTROYED

    def offence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of all attacks of `card`; no rule switch bears on it."""
        return offence(card, moment)

    def defence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return the target's half of attacks on `card`; no rule switch bears on it."""
        return defence(card, moment)


RULESET = ModernLandBattles()
