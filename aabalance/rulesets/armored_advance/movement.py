"""How far a unit gets (p. 4 Movement)."""

from __future__ import annotations

from aabalance.rulesets.armored_advance.card import InfantryCard, VehicleCard

LIGHT_FREE_IN = 2
HEAVY_AGAIN_IN = 2


def free_in(card: VehicleCard | InfantryCard) -> int:
    """Return the inches that a unit moves once a turn without an action (p. 4 Light)."""
    return LIGHT_FREE_IN if card.class_ == "vehicle" and card.weight == "light" and card.movement else 0


def moves_in(card: VehicleCard | InfantryCard, actions: int) -> int:
    """Return the inches that a unit gets with so many movement actions in a turn (p. 4).

    A heavy unit's movement becomes 2 inches after the first action.
    """
    if actions == 0:
        return 0
    if card.weight == "heavy" and card.class_ == "vehicle":
        return card.movement + (actions - 1) * min(HEAVY_AGAIN_IN, card.movement)
    return actions * card.movement


def backwards_in(card: VehicleCard | InfantryCard, inches: int) -> int:
    """Return how much of a move can be made away from an enemy that the unit keeps facing (p. 14 Slow Reverse)."""
    return inches // 2 if "slow_reverse" in card.keywords else inches
