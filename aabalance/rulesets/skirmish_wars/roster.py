"""What the cost formula can't know of a unit, and the unit that sets its scale."""

from __future__ import annotations

from aabalance.rulesets.base import Price
from aabalance.rulesets.skirmish_wars.card import Card

REFERENCE = ("tank", 7)
"""A unit and its printed cost, which set the scale of the cost formula."""


def price(card: Card) -> Price:
    """Return the printed cost, which holds for a unit that can hurt nobody; there is no surcharge."""
    return Price(surcharge=0, flat=card.cost)
