"""What the cost formula can't know of a unit, and the unit that fixes its scale: ours."""

from __future__ import annotations

from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.base import Price

REFERENCE = ("de_stug3", 100)
STEP = 5

BATTERY_POINTS = 80
"""What the cost formula would give a battery if it were as hard to destroy as the reference unit."""


def price(card: Card) -> Price:
    """Return no surcharge: dice are all that a card has. A battery, which nobody can destroy, has a flat price."""
    return Price(surcharge=0, flat=BATTERY_POINTS if card.class_ == "battery" else 0)
