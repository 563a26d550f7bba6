"""Infantry at guns, and what its cards say (Core Rules 1.1, p. 17-19)."""

from __future__ import annotations

from typing import Any

import pytest
from handmade import ai, at, field_gun, squad, vehicle

import aabalance as aab
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance import RULESET
from aabalance.rulesets.armored_advance.battle.sides import crew_is_immune, may_bring_equipment, squad_actions
from aabalance.rulesets.armored_advance.variant import Variant

CARDS = aab.Game().cards
DEFAULT = Variant.model_validate({})


# --- field guns -------------------------------------------------------------------------------------------------


def test_crew_page_17__is_immune_behind_armour_in_the_direction_of_the_attack() -> None:
    gun = field_gun(armor=(1, 0, 0))
    assert crew_is_immune(gun, "front")
    assert not crew_is_immune(gun, "side")
    assert not crew_is_immune(gun, "rear")


def test_gun_fire_uses_crew_action__takes_the_crew_s_action_or_none() -> None:
    """AA-63."""
    assert squad_actions(squad(), DEFAULT, fired_gun=True) == 1
    assert squad_actions(squad(), Variant.model_validate({"gun_fire_uses_crew_action": True}), fired_gun=True) == 0
    assert squad_actions(squad(), Variant.model_validate({"gun_fire_uses_crew_action": True})) == 1


# --- special squads ---------------------------------------------------------------------------------------------


def test_special_squads_page_19__cards_have_their_numbers() -> None:
    rifle, sniper, crew = (CARDS[unit] for unit in ("inf_at_rifle", "inf_sniper", "inf_artillery_crew"))
    gun, rifles = rifle.weapons
    assert (rifle.squad, rifle.strength, gun.penetration, gun.damage, gun.range) == ("at_rifle", 2, 4, 2, 18)
    assert (rifles.ai, rifles.range) == ("D3-2", 12)
    assert (sniper.squad, sniper.strength, sniper.weapons[0].ai, sniper.weapons[0].range) == ("sniper", 2, "1", 30)
    assert (crew.squad, crew.strength, crew.weapons) == ("artillery_crew", 3, ())


def test_special_squads_page_19__bring_no_equipment() -> None:
    assert may_bring_equipment(CARDS["inf_rifle"])
    for unit in ("inf_at_rifle", "inf_sniper", "inf_artillery_crew"):
        assert not may_bring_equipment(CARDS[unit]), unit
    for unit, card in CARDS.items():
        if card.class_ == "infantry" and not may_bring_equipment(card):
            assert not card.equipment.machine_gun, unit
            assert not card.equipment.grenades, unit


def test_battle__refuses_equipment_of_special_squads() -> None:
    """p. 19."""
    sniper = squad(squad="sniper", strength=2, equipment={"machine_gun": True})
    with pytest.raises(UsageError, match=r"^list: found squad with equipment, expected none of a special squad"):
        aab.Game().battle([vehicle()], [vehicle(), sniper], range_in=12, actions=2)


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
