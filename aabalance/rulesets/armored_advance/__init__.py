"""Armored Advance: WW2 vehicles, one D6 a shot against armour, hit points, requisition, few actions a turn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aabalance.rulesets.armored_advance import attack, hold
from aabalance.rulesets.armored_advance.attack import Unit
from aabalance.rulesets.armored_advance.card import Card, InfantryCard
from aabalance.rulesets.armored_advance.sheets import Defence, Offence
from aabalance.rulesets.armored_advance.situation import Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Plan, Shot


class ArmoredAdvance:
    """The ruleset; see `aabalance.rulesets.base.Ruleset`."""

    name = "armored_advance"
    title = "Armored Advance"
    rulebook = "Armored Advance, Core Rules version 1.1"
    currency = "requisition"
    caveat = (
        "The rulebook publishes no unit cards and no requisition values. "
        "Cards are derived from historical figures; requisition is this project's proposal."
    )
    Card = Card
    Variant = Variant
    Situation = Situation

    def toughness(self, card: Unit) -> int:
        """Return the hit points, or the men of a squad."""
        return card.strength if isinstance(card, InfantryCard) else card.hp

    def offence(self, card: Unit, situation: Situation, variant: Variant) -> Offence:
        """Return the attacker's half of every attack of `card`."""
        return attack.offence(card, situation)

    def defence(self, card: Unit, situation: Situation, variant: Variant) -> Defence:
        """Return what `card` shows to its attacker."""
        return attack.defence(card, situation, variant)

    def plan(self, offence: Offence, defence: Defence, range_in: float, variant: Variant) -> Plan:
        """Return the volleys of a unit that holds its ground."""
        return hold.plan(offence, defence, range_in, variant)

    def shot(self, offence: Offence, defence: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
        """Return one attack, explained."""
        return hold.shot(offence, defence, range_in, variant, weapon)

    def returned(self, situation: Situation) -> Situation:
        """Return the same distance and cover with the attacker's front to the enemy."""
        return situation.model_copy(update={"facing": "front", "angled": False})

    def category(self, card: Unit) -> str:
        """Return ``vehicle``, ``field_gun`` or ``infantry``."""
        return card.class_

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that ``facts.csv`` in `folder` gives, by id."""
        from aabalance.rulesets.armored_advance.derive import derive, read_facts

        facts = read_facts(folder / "facts.csv")
        return {unit_id: derive(fact, facts) for unit_id, fact in facts.items()}


RULESET = ArmoredAdvance()
