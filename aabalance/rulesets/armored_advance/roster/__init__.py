"""From facts to cards, and what lists and pricing say of them.

- ``derive``: a row of ``facts.csv`` becomes a unit card
- ``price``: surcharges, and the cost of units that can hurt no vehicle
- ``remarks``: what worth in battles doesn't know of a unit, and what-ifs that say what a point of its card is worth
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aabalance.rulesets.armored_advance import card
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, toughness
from aabalance.rulesets.armored_advance.profile import profile
from aabalance.rulesets.armored_advance.roster import price, remarks
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Roster


class ArmoredAdvanceRoster(Roster[Unit, Variant]):
    """Vehicles, field guns and squads, and what they cost."""

    reference = price.REFERENCE
    price_step = price.STEP
    gun_classes = tuple(name for _, name in reversed(card.GUN_CLASSES))
    gun_class = staticmethod(card.gun_class)
    price = staticmethod(price.price)
    unseen = staticmethod(remarks.unseen)
    increments = staticmethod(remarks.increments)
    profile = staticmethod(profile)

    def category(self, card: Unit) -> str:
        """Return ``vehicle``, ``field_gun`` or ``infantry``."""
        return card.class_

    def lacks(self, card: Unit) -> Sequence[str]:
        """Return whether a unit lacks an anti-tank weapon."""
        return () if any(weapon.kind == "at" for weapon in card.weapons) else ("no anti-tank weapon",)

    def list_columns(self, card: Unit) -> Mapping[str, object]:
        """Return hit points, armour and the main gun."""
        gun = next(iter(card.weapons), None)
        return {
            "hp": toughness(card),
            "armor": "" if isinstance(card, InfantryCard) else card.armor.model_dump(),
            "main gun": "" if gun is None else gun.name,
            "pen": getattr(gun, "penetration", ""),
            "dmg": getattr(gun, "damage", ""),
        }

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that ``facts.csv`` in `folder` gives, by id."""
        from aabalance.rulesets.armored_advance.roster.derive import derive, read_facts

        facts = read_facts(folder / "facts.csv")
        return {unit_id: derive(fact, facts) for unit_id, fact in facts.items()}
