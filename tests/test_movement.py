"""How far units get: the rulebook's examples (Core Rules 1.1, p. 4, 13, 14, 20, 21), and what holds of all of them."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from handmade import field_gun, squad, vehicle
from hypothesis import given
from hypothesis import strategies as st

from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle.movement import (
    Ground,
    cleared,
    demolishes,
    hitch,
    reach_in,
    stopped_by_tank_traps,
)
from aabalance.rulesets.armored_advance.card import free_in, moves_in

GROUNDS = get_args(Ground)
DRIVES = ("tracked", "half_track", "wheeled")
TOWER = {"towing": True}


# --- p. 4 -------------------------------------------------------------------------------------------------------


def test_light_example_page_4__7_and_7_and_2_is_16_inches() -> None:
    light = vehicle(weight="light", movement=7)
    assert reach_in(light, 2) == 16
    assert reach_in(light, 0) == 2


def test_medium_example_page_4__5_and_5_is_10_inches() -> None:
    assert reach_in(vehicle(weight="medium", movement=5), 2) == 10


def test_heavy_example_page_4__4_and_2_is_6_inches() -> None:
    heavy = vehicle(weight="heavy", movement=4, actions=3)
    assert reach_in(heavy, 1) == 4
    assert reach_in(heavy, 2) == 6
    assert reach_in(heavy, 3) == 8


def test_heavy_page_4__second_move_of_a_slower_unit_is_no_longer_than_its_first() -> None:
    assert reach_in(vehicle(weight="heavy", movement=1), 2) == 2


def test_infantry_page_17__moves_4_inches_and_has_no_free_move() -> None:
    assert reach_in(squad(), 1) == 4


def test_field_gun__has_neither_a_free_move_nor_a_short_second_one() -> None:
    assert reach_in(field_gun(weight="light", movement=3), 2) == 6
    assert reach_in(field_gun(weight="heavy", movement=3), 2) == 6


def test_immobile_unit__gets_nowhere_even_on_a_road() -> None:
    bunker = vehicle(weight="light", movement=0)
    assert reach_in(bunker, 2, ground="road", started_on_road=True) == 0


# --- p. 20 Ground Type ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("drive", "inches"), [("tracked", 12), ("wheeled", 14), ("half_track", 14)])
def test_road_page_20__tracks_gain_1_inch_an_action_and_wheels_2(drive: str, inches: int) -> None:
    assert reach_in(vehicle(movement=5, drive=drive), 2, ground="road") == inches


@pytest.mark.parametrize(("drive", "inches"), [("tracked", 5 + 3), ("wheeled", 6 + 4)])
def test_road_page_20__heavy_second_move_gains_too(drive: str, inches: int) -> None:
    assert reach_in(vehicle(weight="heavy", movement=4, drive=drive), 2, ground="road") == inches


def test_road_page_20__free_move_that_starts_on_it_is_3_inches() -> None:
    light = vehicle(weight="light", movement=7)
    assert reach_in(light, 0, ground="road") == 3
    assert reach_in(light, 0, started_on_road=True) == 3
    assert reach_in(light, 2, ground="road") == 8 + 8 + 3
    assert reach_in(vehicle(weight="medium"), 0, started_on_road=True) == 0


def test_road_page_20__is_no_help_on_foot_or_to_a_gun() -> None:
    assert reach_in(squad(), 1, ground="road") == 4
    assert reach_in(field_gun(movement=2), 1, ground="road") == 2


def test_mud_example_page_20__wheels_with_8_inches_get_4() -> None:
    assert reach_in(vehicle(movement=8, drive="wheeled"), 1, ground="mud") == 4


def test_mud_example_page_20__half_track_with_8_inches_gets_6() -> None:
    assert reach_in(vehicle(movement=8, drive="half_track"), 1, ground="mud") == 6
    assert reach_in(vehicle(movement=7, drive="half_track"), 1, ground="mud") == 3.5 + 1.75


def test_mud_page_20__tracks_lose_1_inch_an_action_and_never_go_backwards() -> None:
    assert reach_in(vehicle(movement=5), 2, ground="mud") == 8
    assert reach_in(vehicle(weight="heavy", movement=4), 2, ground="mud") == 3 + 1
    assert reach_in(vehicle(movement=1), 2, ground="mud") == 0
    assert reach_in(vehicle(movement=1, keywords=TOWER), 2, ground="mud", towing=field_gun(weight="heavy")) == 0


@pytest.mark.parametrize(("drive", "inches"), [("tracked", 2), ("wheeled", 1), ("half_track", 1.5)])
def test_mud_page_20__slows_the_free_move_of_wheels(drive: str, inches: float) -> None:
    assert reach_in(vehicle(weight="light", movement=7, drive=drive), 0, ground="mud") == inches


def test_mud_page_20__infantry_is_unhindered_and_guns_stick() -> None:
    assert reach_in(squad(), 1, ground="mud") == 4
    assert reach_in(field_gun(movement=2), 2, ground="mud") == 0


@pytest.mark.parametrize("drive", DRIVES)
def test_water_page_20__large_units_ford_it_and_light_ones_go_as_in_mud(drive: str) -> None:
    like: Ground
    for weight, like in (("light", "mud"), ("medium", "plain"), ("heavy", "plain")):
        unit = vehicle(weight=weight, movement=8, drive=drive)
        assert reach_in(unit, 2, ground="water") == reach_in(unit, 2, ground=like), weight
    assert reach_in(squad(), 1, ground="water") == 4


def test_water_page_20__field_guns_never_cross_it() -> None:
    assert reach_in(field_gun(weight="medium", movement=2), 2, ground="water") == 0
    assert reach_in(vehicle(keywords=TOWER), 2, ground="water", towing=field_gun()) == 0


# --- p. 13 Towing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "ground", "said"),
    [
        (1, "swamp", "ground: found 'swamp', expected "),
        (3, "plain", "actions: found 3, expected 0 to 2, the pool of unit"),
        (-1, "plain", "actions: found -1, expected 0 to 2, the pool of unit"),
    ],
)
def test_reach_in__says_what_it_can_not_mean(actions: int, ground: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        reach_in(vehicle(), actions, ground=ground)
    assert str(caught.value).startswith(said)


def test_towing_page_13__hitching_costs_an_action() -> None:
    assert [hitch(vehicle(keywords=TOWER), field_gun(), actions) for actions in (2, 1)] == [1, 0]
    with pytest.raises(UsageError, match="0 actions"):
        hitch(vehicle(keywords=TOWER), field_gun(), 0)


def test_towing_page_13__heavy_gun_halves_and_others_cost_nothing() -> None:
    tower = vehicle(movement=5, keywords=TOWER)
    assert reach_in(tower, 2, towing=field_gun(weight="light")) == 10
    assert reach_in(tower, 2, towing=field_gun(weight="medium")) == 10
    assert reach_in(tower, 2, towing=field_gun(weight="heavy")) == 5
    assert reach_in(tower, 1, towing=field_gun(weight="heavy"), ground="road") == 2.5 + 1
    light = vehicle(weight="light", movement=7, keywords=TOWER)
    assert reach_in(light, 2, towing=field_gun(weight="heavy")) == 7 + 2


def test_towing_page_20__takes_a_gun_through_mud() -> None:
    tower = vehicle(movement=8, drive="half_track", keywords=TOWER)
    assert reach_in(tower, 1, towing=field_gun(), ground="mud") == 6


def test_towing_page_13__needs_the_keyword_and_a_field_gun() -> None:
    for tower, gun, why in (
        (vehicle(), field_gun(), "has no keyword towing"),
        (vehicle(keywords=TOWER), vehicle(), "expected a field gun"),
    ):
        with pytest.raises(UsageError, match=why):
            hitch(tower, gun, 2)
        with pytest.raises(UsageError, match=why):
            reach_in(tower, 2, towing=gun)


# --- p. 14 Slow Reverse -----------------------------------------------------------------------------------------


def test_slow_reverse_page_14__half_the_way_if_it_keeps_facing_the_enemy() -> None:
    slow = vehicle(movement=5, keywords={"slow_reverse": True})
    assert reach_in(slow, 1, backwards=True) == 2.5
    assert reach_in(slow, 2, backwards=True) == 5
    assert reach_in(slow, 2) == 10
    assert reach_in(vehicle(movement=5), 2, backwards=True) == 10


# --- p. 21 Tank Traps -------------------------------------------------------------------------------------------


def test_tank_traps_page_21__stop_vehicles_only() -> None:
    assert stopped_by_tank_traps(vehicle())
    assert not stopped_by_tank_traps(squad())


def test_tank_traps_page_21__support_within_12_inches_with_both_actions() -> None:
    support = vehicle(keywords={"support": True})
    assert demolishes(support, 2, 12)
    assert not demolishes(support, 2, 12.1)
    assert not demolishes(support, 1, 12)
    assert not demolishes(vehicle(), 2, 12)
    assert not demolishes(field_gun(keywords={"support": True}), 2, 12)


def test_tank_traps_page_21__those_within_3_inches_go_too() -> None:
    assert cleared(3)
    assert not cleared(3.1)


# --- of all units -----------------------------------------------------------------------------------------------

units = st.builds(
    vehicle,
    weight=st.sampled_from(("light", "medium", "heavy")),
    drive=st.sampled_from(DRIVES),
    movement=st.integers(0, 12),
    actions=st.just(4),
    keywords=st.fixed_dictionaries({"towing": st.just(True)}, optional={"slow_reverse": st.just(True)}),
)
grounds = st.sampled_from(GROUNDS)
turns = st.fixed_dictionaries(
    {"started_on_road": st.booleans(), "backwards": st.booleans()},
    optional={"towing": st.builds(field_gun, weight=st.sampled_from(("light", "medium", "heavy")))},
)


@given(units, st.integers(0, 3), grounds, turns)
def test_reach_in__more_actions_never_reach_less(unit: Any, actions: int, ground: Ground, turn: dict[str, Any]) -> None:
    assert reach_in(unit, actions + 1, ground=ground, **turn) >= reach_in(unit, actions, ground=ground, **turn) >= 0


@given(units, st.integers(0, 3), turns)
def test_reach_in__road_is_best_and_mud_worst(unit: Any, actions: int, turn: dict[str, Any]) -> None:
    mud, plain, road = (reach_in(unit, actions, ground=ground, **turn) for ground in ("mud", "plain", "road"))
    assert mud <= plain <= road
    assert reach_in(unit, actions, ground="water", **turn) <= plain


@given(units, st.integers(0, 3), grounds, turns)
def test_reach_in__a_gun_in_tow_and_reverse_never_help(
    unit: Any, actions: int, ground: Ground, turn: dict[str, Any]
) -> None:
    free = reach_in(unit, actions, ground=ground, started_on_road=turn["started_on_road"])
    # What mud takes from each action of a tracked unit is taken from the half that a gun in tow leaves of it.
    least = (free - actions * (ground == "mud" and unit.drive == "tracked")) / 4
    assert least <= reach_in(unit, actions, ground=ground, **turn) <= free or ground == "water"


@given(units, st.integers(0, 3))
def test_reach_in__on_plain_ground_is_the_free_move_and_the_actions(unit: Any, actions: int) -> None:
    assert reach_in(unit, actions) == free_in(unit) + moves_in(unit, actions)
