"""How far units get by their cards alone: the rulebook's examples (Core Rules 1.1, p. 4, 14, 17)."""

from __future__ import annotations

from typing import Any

from handmade import field_gun, squad, vehicle

from aabalance.rulesets.armored_advance.card import backwards_in, free_in, moves_in


def reach_in(card: Any, actions: int) -> float:
    return moves_in(card, actions) + free_in(card)


def test_light_example_page_4__7_and_7_and_2_is_16_inches() -> None:
    light = vehicle(weight="light", movement=7)
    assert reach_in(light, 2) == 16
    assert reach_in(light, 0) == 2


def test_medium_example_page_4__5_and_5_is_10_inches() -> None:
    assert reach_in(vehicle(weight="medium", movement=5), 2) == 10


def test_heavy_example_page_4__4_and_2_is_6_inches() -> None:
    heavy = vehicle(weight="heavy", movement=4, actions=3)
    assert [reach_in(heavy, actions) for actions in (1, 2, 3)] == [4, 6, 8]


def test_heavy_page_4__second_move_of_a_slower_unit_is_no_longer_than_its_first() -> None:
    assert reach_in(vehicle(weight="heavy", movement=1), 2) == 2


def test_infantry_page_17__moves_4_inches_and_has_no_free_move() -> None:
    assert reach_in(squad(), 1) == 4


def test_field_gun__has_neither_a_free_move_nor_a_short_second_one() -> None:
    assert reach_in(field_gun(weight="light", movement=3), 2) == 6
    assert reach_in(field_gun(weight="heavy", movement=3), 2) == 6


def test_immobile_unit__gets_nowhere() -> None:
    assert reach_in(vehicle(weight="light", movement=0), 2) == 0


def test_slow_reverse_page_14__half_the_way_if_it_keeps_facing_the_enemy() -> None:
    slow = vehicle(movement=5, keywords={"slow_reverse": True})
    assert [backwards_in(slow, inches) for inches in (5, 10)] == [2.5, 5]
    assert backwards_in(vehicle(movement=5), 10) == 10
