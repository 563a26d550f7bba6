"""What the cost formula can't know of a unit, and the unit that sets its scale. All of it is this project's."""

from __future__ import annotations

from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.base import Price

REFERENCE = ("de_stug3", 100)
STEP = 5

BATTERY_POINTS = 80
"""What the cost formula would give a battery if it were as hard to destroy as the reference unit."""


def price(card: Card) -> Price:
    """Return a flat price for a battery, which nobody can destroy.

    There is no surcharge, since a card has nothing but dice.
    """
    return Price(surcharge=0, flat=BATTERY_POINTS if card.class_ == "battery" else 0)
