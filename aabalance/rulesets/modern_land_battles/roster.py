"""What lists and pricing say of a Force card. What the rulebook doesn't print is this project's."""

from __future__ import annotations

from collections.abc import Mapping

from aabalance.rulesets.base import Price, RosterRules
from aabalance.rulesets.modern_land_battles.card import SYMBOLS, UNARMED, Card, gun_class
from aabalance.rulesets.modern_land_battles.profile import profile
from aabalance.rulesets.modern_land_battles.variant import Variant

HEADQUARTERS = 1
UNARMED_VP = 1


class ModernLandBattlesRoster(RosterRules[Card, Variant]):
    """Force cards by their type and their last Attack symbol."""

    reference = ("us_m113", 3)  # its printed Victory Points
    gun_classes = (UNARMED, *SYMBOLS)
    gun_class = staticmethod(gun_class)
    profile = staticmethod(profile)

    def category(self, card: Card) -> str:
        """Return the type of the Force card."""
        return card.type

    def price(self, card: Card) -> Price:
        """Return a surcharge for Headquarters, which add an Action card to the hand, and what an unarmed card costs."""
        return Price(surcharge=HEADQUARTERS * card.headquarters, flat=UNARMED_VP)

    def list_columns(self, card: Card) -> Mapping[str, object]:
        """Return armour, Maneuver, and the number of each Attack symbol: of Artillery its Rows and its modifier."""
        weapons = card.weapons.model_dump(exclude_none=True)
        symbols = {symbol: weapons.get(symbol, "") for symbol in SYMBOLS}
        return {"armor": card.armor, "maneuver": card.maneuver or "", **symbols}
