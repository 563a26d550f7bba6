"""Infantry in transports, at guns and on objectives (Core Rules 1.1, p. 12, p. 17-19)."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from handmade import ai, at, field_gun, squad, vehicle
from hypothesis import given
from hypothesis import strategies as st

import aabalance as aab
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance import RULESET
from aabalance.rulesets.armored_advance.battle.infantry import (
    capacity,
    crew_is_immune,
    embark,
    mans,
    may_bring_equipment,
    owner,
    squad_actions,
    survivors,
)
from aabalance.rulesets.armored_advance.variant import Variant

CARDS = aab.Game().cards
DEFAULT = Variant.model_validate({})
THIRD = F(1, 3)


# --- transports -------------------------------------------------------------------------------------------------


def test_apc_page_12__carries_x_squads_for_an_action_each() -> None:
    carrier = vehicle(keywords={"apc": 2})
    assert capacity(carrier) == 2
    assert embark(carrier, 0, 2) == 1
    assert embark(carrier, 1, 1) == 0


def test_apc_page_12__takes_no_more_than_it_has_room_and_actions_for() -> None:
    with pytest.raises(UsageError, match="carries 2"):
        embark(vehicle(keywords={"apc": 2}), 2, 2)
    with pytest.raises(UsageError, match="carries 0"):
        embark(vehicle(), 0, 2)
    with pytest.raises(UsageError, match="0 actions"):
        embark(vehicle(keywords={"apc": 2}), 0, 0)


def test_embarkation_page_18__who_got_out_has_no_action_left_this_turn() -> None:
    assert squad_actions(squad(), DEFAULT) == 1
    assert squad_actions(squad(), DEFAULT, disembarked=True) == 0


def test_embarkation_page_18__who_lost_the_transport_loses_the_next_action() -> None:
    assert squad_actions(squad(), DEFAULT, lost_transport=True) == 0


def test_survivors_page_12__lose_d3_less_1() -> None:
    assert survivors([6]) == {(6,): THIRD, (5,): THIRD, (4,): THIRD}
    assert survivors([1]) == {(1,): THIRD, (0,): 2 * THIRD}
    assert survivors([]) == {(): 1}


def test_survivors_page_12__each_squad_rolls_for_itself() -> None:
    """AA-51."""
    both = survivors([6, 2])
    assert both == {(six, two): F(1, 9) for six in (4, 5, 6) for two in (0, 1, 2)}


@given(st.lists(st.integers(1, 6), max_size=4))
def test_survivors__is_a_distribution_that_loses_a_man_a_squad_on_average(strengths: list[int]) -> None:
    found = survivors(strengths)
    assert sum(found.values()) == 1
    lost = sum(p * (sum(strengths) - sum(left)) for left, p in found.items())
    assert lost == sum(F(2, 3) if men == 1 else 1 for men in strengths)


# --- field guns -------------------------------------------------------------------------------------------------


def test_manning_page_17__within_1_inch_and_behind_and_one_piece_only() -> None:
    assert mans(1, behind=True)
    assert not mans(1.1, behind=True)
    assert not mans(1, behind=False)
    assert not mans(1, behind=True, manning_another=True)


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


# --- objectives -------------------------------------------------------------------------------------------------


def test_objective_example_page_17__6_men_in_a_squad_beat_5_squads_of_1() -> None:
    assert owner([6], [1] * 5) == "a"
    assert owner([1] * 5, [6]) == "b"


def test_objective_page_17__of_equals_nobody_owns_it() -> None:
    assert owner([3, 3], [6]) is None
    assert owner([], []) is None


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
