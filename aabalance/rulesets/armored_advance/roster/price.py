"""Costs besides fighting value, and of units that can't fight. All are ours, except those of squad equipment."""

from __future__ import annotations

from aabalance.rulesets.armored_advance.card import InfantryCard, Unit
from aabalance.rulesets.base import Price

REFERENCE = ("su_t34_85", 100)
"""The unit whose requisition fixes the scale."""

STEP = 5
SCOUT = 5
SQUAD_CARRIED = 5
UNARMED = 10
ANTI_INFANTRY_ONLY = 20
SQUADS = {"rifle": 10, "at_rifle": 15, "sniper": 15, "artillery_crew": 10}
MACHINE_GUN = 5
GRENADE = 5


def surcharge(card: Unit) -> int:
    """Return what a unit costs besides its fighting value: 5 for a scout, and 5 for each squad that it can carry."""
    return SCOUT * ("scout" in card.keywords) + SQUAD_CARRIED * int(card.keywords.get("apc", 0))


def flat(card: Unit) -> int:
    """Return the cost of a unit that can hurt no vehicle: by its squad, or by whether it has any weapon.

    A machine gun and each grenade add their printed 5 requisition (p. 18).
    """
    if isinstance(card, InfantryCard):
        equipment = card.equipment
        return SQUADS[card.squad] + MACHINE_GUN * equipment.machine_gun + GRENADE * equipment.grenades
    return ANTI_INFANTRY_ONLY if card.weapons else UNARMED


def price(card: Unit) -> Price:
    """Return scout and transport surcharges, and the cost of units that can hurt no vehicle."""
    return Price(surcharge(card), flat(card))
