"""What the cost formula can't know of a unit, and the unit that fixes its scale."""

from __future__ import annotations

from aabalance.rulesets.base import Price
from aabalance.rulesets.skirmish_wars.card import Card

REFERENCE = ("tank", 7)
"""The printed cost that fixes the scale."""


def price(card: Card) -> Price:
    """Return no surcharge, and the printed cost of a unit that can hurt nobody."""
    return Price(surcharge=0, flat=card.cost)
