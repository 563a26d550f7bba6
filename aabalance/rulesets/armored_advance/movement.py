"""How far a unit gets (p. 4 Movement)."""

from __future__ import annotations

from aabalance.rulesets.armored_advance.card import InfantryCard, VehicleCard

LIGHT_FREE_IN = 2


def advance_in(card: VehicleCard | InfantryCard) -> int:
    """Return the inches that a unit moves in a turn in which it spends one action on moving.

    A light vehicle adds its free 2 inches (p. 4 Light).
    """
    light = card.weight == "light" and card.class_ == "vehicle"
    return card.movement + (LIGHT_FREE_IN if light and card.movement else 0)
