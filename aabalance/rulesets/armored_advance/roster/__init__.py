"""From facts to cards, and what lists and pricing say of them.

`derive` makes a unit card of a row of ``facts.csv``. Costs besides fighting value, and those of units that can't fight,
are ours, except those of squad equipment; so are the bounds of fast and slow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aabalance.rulesets.armored_advance import card
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, VehicleCard, toughness
from aabalance.rulesets.armored_advance.profile import profile
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Price, RosterRules

SCOUT = 5
SQUAD_CARRIED = 5
UNARMED = 10
ANTI_INFANTRY_ONLY = 20
SQUADS = {"rifle": 10, "at_rifle": 15, "sniper": 15, "artillery_crew": 10}

FAST, SLOW = 7, 3
"""Inches a movement action: from the median of light tanks up, and below that of heavy ones."""
UNSEEN = {
    "scout": "scouting",
    "accurate": "aiming, on which the policy hardly ever spends an action",
    "apc": "carrying squads",
    "towing": "towing guns",
    "anti_air": "fire at aircraft",
    "casemate": "turning, which it has to do to aim",
    "reverse_casemate": "turning, which it has to do to aim",
    "slow_reverse": "backing slowly",
    "indirect": "fire over cover",
}
"""Keywords with hardly any effect in battles in which all units hold, in words."""


class ArmoredAdvanceRoster(RosterRules[Unit, Variant]):
    """Vehicles, field guns and squads, and what they cost."""

    reference = ("su_t34_85", 100)
    price_step = 5
    gun_classes = tuple(name for _, name in reversed(card.GUN_CLASSES))
    gun_class = staticmethod(card.gun_class)
    profile = staticmethod(profile)

    def category(self, card: Unit) -> str:
        """Return ``vehicle``, ``field_gun`` or ``infantry``."""
        return card.class_

    def price(self, card: Unit) -> Price:
        """Return what scouting and each squad that it can carry add, and the cost of a unit that can hurt no vehicle.

        That cost depends on its squad, or on whether it has any weapon. A machine gun and each grenade add their
        printed 5 requisition (p. 18).
        """
        if isinstance(card, InfantryCard):
            flat = SQUADS[card.squad] + card.equipment.requisition
        else:
            flat = ANTI_INFANTRY_ONLY if card.weapons else UNARMED
        return Price(SCOUT * ("scout" in card.keywords) + SQUAD_CARRIED * int(card.keywords.get("apc", 0)), flat)

    def unseen(self, card: Unit) -> Sequence[str]:
        """Return in words what a battle in which all units hold doesn't show."""
        said = [words for keyword, words in UNSEEN.items() if keyword in card.keywords]
        if card.class_ == "field_gun":
            return (*said, "its crew, which nobody fires at", "that it hardly moves")
        if card.movement >= FAST:
            said.append("its speed")
        elif card.movement <= SLOW:
            said.append("that it is slow")
        return tuple(said)

    def lacks(self, card: Unit) -> Sequence[str]:
        """Return whether a unit lacks an anti-tank weapon."""
        return () if any(weapon.kind == "at" for weapon in card.weapons) else ("no anti-tank weapon",)

    def increments(self, card: Unit, variant: Variant) -> Mapping[str, str]:
        """Return what-ifs, ``field=value`` by what they are in words: a point more of what it has, a keyword less."""
        changes = {}
        if isinstance(card, VehicleCard):
            changes["1 hit point more"] = f"hp={card.hp + 1}"
            for face in ("front", "side"):
                changes[f"1 cm more at the {face}"] = f"armor.{face}={getattr(card.armor, face) + 1}"
        if card.weapons and (gun := card.weapons[0]).kind == "at":
            by_band = variant.penetration_falloff and gun.penetration_by_band  # read in place of the penetration
            for name in ("damage",) if by_band else ("penetration", "damage"):
                changes[f"1 point more of {name}"] = f"weapons.0.{name}={getattr(gun, name) + 1}"
        return changes | {f"without {keyword}": f"keywords.{keyword}=false" for keyword in card.keywords}

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
