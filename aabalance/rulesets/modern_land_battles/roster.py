"""What the cost formula can't know of a Force card, and the card that sets its scale. All of it is this project's."""

from __future__ import annotations

from aabalance.rulesets.base import Price
from aabalance.rulesets.modern_land_battles.card import Card

REFERENCE = ("us_m113", 3)
"""The Force card whose printed Victory Points set the scale."""

HEADQUARTERS = 1
UNARMED = 1


def price(card: Card) -> Price:
    """Return a surcharge for Headquarters, which add an Action card to the hand, and what an unarmed card costs."""
    return Price(surcharge=HEADQUARTERS * card.headquarters, flat=UNARMED)
