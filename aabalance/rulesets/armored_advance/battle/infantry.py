"""Infantry of a battle beyond its fire: its actions, and the field guns that it mans (p. 17-19 Infantry)."""

from __future__ import annotations

from collections.abc import Sequence

from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, VehicleCard
from aabalance.rulesets.armored_advance.situation import Facing
from aabalance.rulesets.armored_advance.variant import Variant

CREWS = ("artillery_crew", "rifle")
"""Squads that man guns, the best first; teams with a weapon of their own stay with it (p. 19)."""


def may_bring_equipment(card: InfantryCard) -> bool:
    """Return whether a squad may carry a machine gun or grenades: special squads don't (p. 19)."""
    return card.squad == "rifle"


def squad_actions(card: InfantryCard, variant: Variant, *, fired_gun: bool = False) -> int:
    """Return the actions that a squad has in a turn, apart from the side's action limit (p. 17, p. 18).

    Parameters
    ----------
    card : InfantryCard
        The squad's card.
    variant : Variant
        The rule switches.
    fired_gun : bool
        The field gun that it mans fired this turn, which is the gun's action and not the squad's, unless
        ``gun_fire_uses_crew_action`` (AA-63, GUESS).
    """
    return 0 if fired_gun and variant.gun_fire_uses_crew_action else card.actions


def crews(cards: Sequence[Unit]) -> dict[int, int]:
    """Return which squad of a list stands behind which of its field guns, by their places in the list (p. 17).

    Guns come in the order of the list, artillery crews before rifle squads. A gun for which no squad is left has no
    entry.
    """
    squads = [
        at for squad in CREWS for at, card in enumerate(cards) if isinstance(card, InfantryCard) and card.squad == squad
    ]
    squad_of: dict[int, int] = {}
    for gun, card in enumerate(cards):
        if card.class_ == "field_gun":
            at_hand = (at for at in squads if at not in squad_of.values())
            squad_of.update((gun, at) for at in list(at_hand)[:1])
    return squad_of


def crew_is_immune(gun: VehicleCard, facing: Facing) -> bool:
    """Return whether anti-infantry fire against a gun's `facing` leaves its crew alone: behind any plate (p. 17).

    The plate on the card counts; sandbags before the gun don't.
    """
    return int(getattr(gun.armor, facing)) > 0
