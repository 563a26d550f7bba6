"""What lists and pricing say of a unit. The costs are the printed ones."""

from __future__ import annotations

from aabalance.rulesets.base import Price, RosterRules
from aabalance.rulesets.skirmish_wars.card import Card
from aabalance.rulesets.skirmish_wars.profile import profile
from aabalance.rulesets.skirmish_wars.shot import DIRECT, INDIRECT, UNARMED, fire
from aabalance.rulesets.skirmish_wars.variant import Variant


class SkirmishWarsRoster(RosterRules[Card, Variant]):
    """Units by their symbol and their kind of fire."""

    reference = ("tank", 7)
    gun_classes = (UNARMED, DIRECT, INDIRECT)
    gun_class = staticmethod(fire)
    profile = staticmethod(profile)

    def category(self, card: Card) -> str:
        """Return the symbol: ``foot``, ``tread`` or ``wheel``."""
        return card.symbol

    def price(self, card: Card) -> Price:
        """Return the printed cost, which holds for a unit that can hurt nobody; there is no surcharge."""
        return Price(surcharge=0, flat=card.cost)
