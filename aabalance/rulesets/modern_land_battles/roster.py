"""What the cost formula can't know of a Force card, and the card that fixes its scale: ours."""

from __future__ import annotations

from aabalance.rulesets.base import Price
from aabalance.rulesets.modern_land_battles.card import Card

REFERENCE = ("us_m113", 3)
"""The Force card whose printed Victory Points fix the scale."""

HEADQUARTERS = 1
UNARMED = 1


def price(card: Card) -> Price:
    """Return a point for the Action card more in hand that Headquarters bring, and what an unarmed card costs."""
    return Price(surcharge=HEADQUARTERS * card.headquarters, flat=UNARMED)
