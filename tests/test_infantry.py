"""Infantry: what its cards say (Core Rules 1.1, p. 17-19)."""

from __future__ import annotations

from typing import Any

import pytest
from handmade import ai, at, field_gun, squad, vehicle
from pydantic import ValidationError

import aabalance as aab
from aabalance.rulesets.armored_advance import RULESET

CARDS = aab.Game().cards


# --- special squads ---------------------------------------------------------------------------------------------


def test_special_squads_page_19__cards_have_their_numbers() -> None:
    rifle, sniper, crew = (CARDS[unit] for unit in ("inf_at_rifle", "inf_sniper", "inf_artillery_crew"))
    gun, rifles = rifle.weapons
    assert (rifle.squad, rifle.strength, gun.penetration, gun.damage, gun.range) == ("at_rifle", 2, 4, 2, 18)
    assert (rifles.ai, rifles.range) == ("D3-2", 12)
    assert (sniper.squad, sniper.strength, sniper.weapons[0].ai, sniper.weapons[0].range) == ("sniper", 2, "1", 30)
    assert (crew.squad, crew.strength, crew.weapons) == ("artillery_crew", 3, ())


@pytest.mark.parametrize("kind", ["at_rifle", "sniper", "artillery_crew"])
@pytest.mark.parametrize("equipment", [{"machine_gun": True}, {"grenades": 1}], ids=str)
def test_special_squads_page_19__bring_no_equipment(kind: str, equipment: dict[str, Any]) -> None:
    squad(squad=kind, equipment={"machine_gun": False, "grenades": 0})
    with pytest.raises(ValidationError, match=r"equipment\n.* expected none of a special squad \(p\. 19\)"):
        squad(squad=kind, equipment=equipment)


def test_equipment_page_18__machine_gun_and_grenade_cost_5_requisition_each() -> None:
    plain = CARDS["inf_rifle"].requisition
    assert CARDS["inf_rifle_mg"].requisition == plain + 5
    assert CARDS["inf_rifle_grenades"].requisition == plain + 10


def test_price__a_squad_costs_5_more_for_a_machine_gun_and_for_each_grenade() -> None:
    """p. 18; and what the roster's own squads cost."""
    plain = RULESET.roster.price(squad()).flat
    equipment = [{"machine_gun": True}, {"grenades": 1}, {"machine_gun": True, "grenades": 2}]
    assert [RULESET.roster.price(squad(equipment=carried)).flat - plain for carried in equipment] == [5, 5, 15]
    others = [card for card in CARDS.values() if card.class_ == "infantry" and card.squad != "at_rifle"]
    assert {card.squad for card in others} == {"rifle", "sniper", "artillery_crew"}  # that can hurt no vehicle
    assert all(RULESET.roster.price(card) == (0, card.requisition) for card in others)


def test_price__scouting_and_each_squad_carried_cost_5() -> None:
    """Ours: what a unit does besides fighting; 10 for a unit without weapons, 20 for one against infantry alone."""
    keywords: list[dict[str, Any]] = [{}, {"scout": True}, {"apc": 1}, {"apc": 3}, {"scout": True, "apc": 2}]
    assert [RULESET.roster.price(vehicle(keywords=named)).surcharge for named in keywords] == [0, 5, 5, 15, 15]
    assert RULESET.roster.price(vehicle(ai())).flat == 20
    assert RULESET.roster.price(CARDS["de_sdkfz7"]) == (10, 10)  # unarmed, for two squads


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (1, "up to 37 mm"),
        (2, "up to 37 mm"),
        (3, "40-57 mm"),
        (7, "40-57 mm"),
        (8, "75-77 mm"),
        (11, "75-77 mm"),
        (12, "85-90 mm"),
        (15, "85-90 mm"),
        (16, "100 mm and more"),
    ],
)
def test_gun_class__by_the_damage_of_a_calibre(damage: int, kind: str) -> None:
    """p. 9: 75 mm does 10, others by the square: 37 mm 2, 40 mm 3, 57 mm 6, 77 mm 11, 85 mm 13, 90 mm 14, 100 mm 18."""
    assert RULESET.roster.gun_class(vehicle(at(9, damage), ai())) == kind
    assert RULESET.roster.gun_class(vehicle(ai())) == "no gun"


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (squad(), "casualties halved, rounded down"),
        (field_gun(), "+1 armour, +1 on the roll needed"),
        (vehicle(), None),  # p. 21: sandbags are for field guns and squads
    ],
)
def test_sandbags_page_21__cover_guns_and_squads_alone(target: Any, said: str | None) -> None:
    shot = aab.Game().shot(vehicle(at(9, 10), ai("D3-1")), target, range_in=10, sandbags=True)
    assert {step.label: step.value for step in shot.steps}.get("sandbags") == said
