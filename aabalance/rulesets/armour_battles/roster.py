"""What lists and pricing say of a unit. All of it is this project's."""

from __future__ import annotations

from aabalance.rulesets.armour_battles.card import ARTILLERY, GUN_CLASSES, Card, gun_class
from aabalance.rulesets.armour_battles.profile import profile
from aabalance.rulesets.armour_battles.variant import Variant
from aabalance.rulesets.base import Price, RosterRules

BATTERY_POINTS = 80
"""What the cost formula would give a battery if it were as hard to destroy as the reference unit."""


class ArmourBattlesRoster(RosterRules[Card, Variant]):
    """Platoons and batteries by their class and their AT dice."""

    reference = ("de_stug3", 100)
    price_step = 5
    gun_classes = (ARTILLERY, *(name for _, name in reversed(GUN_CLASSES)))
    gun_class = staticmethod(gun_class)
    profile = staticmethod(profile)

    def category(self, card: Card) -> str:
        """Return the class of the unit."""
        return card.class_

    def price(self, card: Card) -> Price:
        """Return a flat price for a battery, which nobody can destroy.

        There is no surcharge, since a card has nothing but dice.
        """
        return Price(surcharge=0, flat=BATTERY_POINTS if card.class_ == "battery" else 0)
