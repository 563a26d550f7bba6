"""The rulebook's tables and examples (Core Rules 1.1), and each switch of `Variant`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any, get_args, get_origin

import pytest
from handmade import ai, at, by_face, field_gun, he, squad, vehicle
from odds import GAME, brackets, mean, p, row, survey

from aabalance.rulesets.armored_advance.roster.derive import caliber_damage
from aabalance.rulesets.armored_advance.shot import tables
from aabalance.rulesets.armored_advance.variant import PRESETS, Variant

# --- the worked tables ------------------------------------------------------------------------------------------

COLUMNS = [(2, False), (1, False), (0, False), (-1, False), (-1, True), (-2, True)]
ONE_DIE = {
    (1, False): "1 5/6 1/2 1/6 1/3 1/6",
    (2, False): "5/6 5/6 1/2 1/6 1/3 1/6",
    (3, False): "2/3 2/3 1/2 1/6 1/3 1/6",
    (4, False): "1/2 1/2 1/2 1/6 1/3 1/6",
    (5, False): "1/3 1/3 1/3 1/6 1/3 1/6",
    (6, False): "1/6 1/6 1/6 1/6 1/6 1/6",
    (1, True): "1 35/36 7/12 7/36 7/18 7/36",
    (2, True): "35/36 35/36 7/12 7/36 7/18 7/36",
    (3, True): "7/9 7/9 7/12 7/36 7/18 7/36",
    (4, True): "7/12 7/12 7/12 7/36 7/18 7/36",
    (5, True): "7/18 7/18 7/18 7/36 7/18 7/36",
    (6, True): "7/36 7/36 7/36 7/36 7/36 7/36",
}
SUM = {2: "5/6 2/3 1/3 0 1/6 0", 4: "1/2 1/3 0 0 0 0", 6: "1/6 0 0 0 0 0"}


@pytest.mark.parametrize(("need", "advantage"), ONE_DIE)
def test_shot__worked_table_of_one_die(need: int, advantage: bool) -> None:
    want = row(ONE_DIE[need, advantage])
    for (margin, weak), chance in zip(COLUMNS, want, strict=True):
        target = vehicle(armor=8, keywords={"weak_spot": True} if weak else {})
        assert p(vehicle(at(8 + margin)), target, range_in=6 * need, moved=not advantage) == chance, (margin, weak)


@pytest.mark.parametrize("need", range(1, 7))
def test_shot__worked_table_of_two_dice(need: int) -> None:
    reading = Variant(resolution="two_dice").reading
    for (margin, weak), through in zip(COLUMNS, row(ONE_DIE[1, False]), strict=True):
        pen = tables.penetration_need(margin, weak)
        hit = F(7 - need, 6)
        assert tables.roll(need, 0, pen, 0, False, reading).p == hit * through
        assert tables.roll(need, 0, pen, 0, True, reading).p == (hit * F(7, 6) if need > 1 else hit) * through


@pytest.mark.parametrize("need", SUM)
def test_shot__worked_table_of_the_sum(need: int) -> None:
    reading = Variant(resolution="sum").reading
    for (margin, weak), chance in zip(COLUMNS, row(SUM[need]), strict=True):
        assert tables.roll(need, 0, tables.penetration_need(margin, weak), 0, False, reading).p == chance


@pytest.mark.parametrize(
    ("variant", "chances"),
    [
        ({}, "7/12 7/12 7/9 7/36"),
        ({"resolution": "two_dice"}, "7/18 7/24 35/54 7/108 "),
        ({"resolution": "sum"}, "7/36 0 7/12 0"),
        ({"reroll_limit": None}, "3/5 3/5 4/5 1/5"),
        ({"reroll_scope": "hit"}, "7/12 7/12 7/9 7/36"),
    ],
)
def test_shot__sensitivity_table_of_the_readings(variant: dict[str, Any], chances: str) -> None:
    """INTERPRETATION 6: 3 hits over the turns there, at 18"/0, 24"/0, 18"/+1, 30"/-1."""
    cases = [(18, 8), (24, 8), (18, 9), (30, 7)]
    assert [p(vehicle(at(pen)), vehicle(), variant, range_in=far) for far, pen in cases] == row(chances)


# --- the rulebook's own numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("range_in", "need"),
    [(0, 1), (5.9, 1), (6.1, 2), (11.9, 2), (17.9, 3), (23.9, 4), (29.9, 5), (30, 5), (30.1, 6), (36.1, 6), (99, 6)],
)
def test_range_table_page_6(range_in: float, need: int) -> None:
    assert tables.range_band(range_in, "round_up") == need


@pytest.mark.parametrize(
    ("range_in", "round_up", "strict"), [(6, 1, 2), (12, 2, 3), (18, 3, 4), (24, 4, 5), (30, 5, 6)]
)
def test_range_table_page_6__rounds_up_to_the_nearest_6_inches(range_in: float, round_up: int, strict: int) -> None:
    assert tables.range_band(range_in, "round_up") == round_up
    assert tables.range_band(range_in, "strict") == strict


@pytest.mark.parametrize(
    ("margin", "plain", "weak"),
    [(9, 1, 1), (2, 1, 1), (1, 2, 2), (0, 4, 4), (-1, 6, 5), (-2, None, 6), (-3, None, None), (-9, None, None)],
)
def test_penetration_table_page_7(margin: int, plain: int | None, weak: int | None) -> None:
    for wanted, spot in ((plain, {}), (weak, {"weak_spot": True})):
        shot = GAME.shot(vehicle(at(10 + margin)), vehicle(armor=10, keywords=spot), range_in=6)
        assert shot.need == wanted


@pytest.mark.parametrize(("weight", "stationary", "moved"), [("light", 0, -2), ("medium", 1, 0), ("heavy", 2, 1)])
def test_he_hit_dice_page_10(weight: str, stationary: int, moved: int) -> None:
    target = vehicle(weight=weight, armor=0)
    for moves, added in ((0, stationary), (2, moved)):
        shot = GAME.shot(vehicle(he(20)), target, range_in=18, target_moves=moves)
        assert shot.need == 3 - added


def test_he_hit_dice_page_10__d6_less_2_never_shows_5() -> None:
    shot = GAME.shot(vehicle(he(20)), vehicle(weight="light", armor=0), range_in=30, target_moves=1)
    assert shot.need is None
    assert shot.p_damage == 0


def test_he_hit_dice_page_10__field_gun_counts_as_stationary() -> None:
    assert p(vehicle(he(20)), field_gun(armor=0), target_moves=1) == p(vehicle(he(20)), field_gun(armor=0))


def test_he_damage_page_10__base_less_n_dice_less_side_armour() -> None:
    assert by_face(tables.he_damage(10, 1, 0)) == {damage: F(1, 6) for damage in range(4, 10)}
    assert by_face(tables.he_damage(10, 1, 6)) == {0: F(1, 2), 1: F(1, 6), 2: F(1, 6), 3: F(1, 6)}
    assert by_face(tables.he_damage(10, 3, 0)) == {7: F(1, 6), 4: F(1, 6), 1: F(1, 6), 0: F(1, 2)}


def test_he_damage_page_10__side_armour_whatever_the_face() -> None:
    target = vehicle(armor=(10, 4, 1))
    found = [GAME.shot(vehicle(he(20)), target, range_in=6, facing=face).damage for face in ("front", "side", "rear")]
    assert found[0] == found[1] == found[2]
    assert max(found[0]) == 20 - 1 - 4


@pytest.mark.parametrize(("calibre_mm", "damage"), [(75, 10), (76.2, 10), (88, 14), (37, 2), (20, 1), (152, 41)])
def test_damage_page_9__75_mm_does_10(calibre_mm: float, damage: int) -> None:
    assert caliber_damage(calibre_mm) == damage


def test_advantage_page_8__one_less_than_required_is_rolled_again() -> None:
    """4+ at advantage: 1/2 and 1/6 of a second try."""
    assert p(vehicle(at(11)), vehicle(), range_in=24) == F(1, 2) + F(1, 6) * F(1, 2)
    assert p(vehicle(at(11)), vehicle(), range_in=24, moved=True) == F(1, 2)


def test_support_example_page_14__10_becomes_15() -> None:
    howitzer = vehicle(at(20, 10), keywords={"support": True})
    assert GAME.shot(howitzer, field_gun(), range_in=6).damage == {15: 1.0}
    assert GAME.shot(howitzer, vehicle(), range_in=6).damage == {10: 1.0}


def test_support_page_14__rounds_up() -> None:
    assert GAME.shot(vehicle(at(20, 5), keywords={"support": True}), field_gun(), range_in=6).damage == {8: 1.0}


def test_support_page_14__rounds_up_after_the_side_armour() -> None:
    assert by_face(tables.he_damage(10, 1, 2, F(3, 2))) == {dmg: F(1, 6) for dmg in (11, 9, 8, 6, 5, 3)}


def test_shot__does_the_damage_on_the_card() -> None:
    assert set(GAME.shot(vehicle(at(20, 13)), vehicle(), range_in=6).damage) == {13}


def test_walls_example_page_21__15_through_two_walls_is_11() -> None:
    """So 13 armour is at -2, 12 at -1 and 9 at +2."""
    gun = vehicle(at(15))
    assert p(gun, vehicle(armor=13), range_in=6, walls=2) == 0
    assert p(gun, vehicle(armor=12), range_in=6, walls=2) == F(7, 36)
    assert p(gun, vehicle(armor=11), range_in=6, walls=2) == F(7, 12)
    assert p(gun, vehicle(armor=9), range_in=6, walls=2) == 1


def test_walls_page_21__stop_no_he() -> None:
    behind, before = (GAME.shot(vehicle(he()), vehicle(), range_in=6, walls=walls) for walls in (3, 0))
    assert behind.damage == before.damage


def test_sandbags_example_page_21__5_men_become_2() -> None:
    assert by_face(tables.casualties("5", 6, halved=True)) == {2: F(1)}
    assert GAME.shot(vehicle(ai("5")), squad(), range_in=12, sandbags=True).damage == {2: 1.0}


def test_sandbags_page_21__field_gun_gains_armour_and_a_harder_roll() -> None:
    """18": 3+ becomes 4+; +2 becomes +1. At 36" the roll stays 6+."""
    assert p(vehicle(at(10)), field_gun(armor=8), sandbags=True) == F(7, 12)
    assert p(vehicle(at(10)), field_gun(armor=8)) == F(7, 9)
    assert p(vehicle(at(8)), field_gun(armor=8), sandbags=True) == F(7, 36)
    assert p(vehicle(at(20)), field_gun(armor=8), range_in=36, sandbags=True) == F(7, 36)


def test_sandbags_page_21__help_no_vehicle() -> None:
    assert p(vehicle(), vehicle(), sandbags=True) == p(vehicle(), vehicle())


@pytest.mark.parametrize(("facing", "most"), [("front", 16), ("side", 15)])
def test_sandbags_page_21__cover_the_side_from_he_where_they_stand(facing: str, most: int) -> None:
    shot = GAME.shot(vehicle(he(20)), field_gun(armor=3), range_in=6, facing=facing, sandbags=True)
    assert max(shot.damage) == most


def test_foliage_page_21__2_more_to_a_maximum_of_6() -> None:
    gun = vehicle(at(20))
    assert [p(gun, vehicle(), range_in=6 * need, foliage=True) for need in range(1, 7)] == row(
        "7/9 7/12 7/18 7/36 7/36 7/36"
    )


def test_infantry_page_17__d3_less_1_with_four_men_and_d3_less_2_below() -> None:
    plan = brackets(squad(), squad(), 12)
    assert [bracket.least for bracket in plan] == [4, 1]
    assert plan[0].cycle[0].effect == {0: F(1, 3), 1: F(1, 3), 2: F(1, 3)}
    assert plan[1].cycle[0].effect == {0: F(2, 3), 1: F(1, 3)}


def test_infantry_page_17__a_shot_of_three_men_has_their_code() -> None:
    found = GAME.shot(squad(strength=3), squad(), range_in=12)
    assert found.damage == pytest.approx({0: 2 / 3, 1: 1 / 3})


def test_infantry_page_17__fires_within_12_inches() -> None:
    assert GAME.shot(squad(), squad(), range_in=12).p_damage > 0
    assert GAME.shot(squad(), squad(), range_in=12.1).p_damage == 0


def test_grenade_page_18__d6_less_2() -> None:
    assert by_face(tables.casualties("D6-2", 6)) == {0: F(1, 3), 1: F(1, 6), 2: F(1, 6), 3: F(1, 6), 4: F(1, 6)}


def test_machine_gun_page_18__a_constant_kill_more() -> None:
    with_gun = squad(equipment={"machine_gun": True})
    assert GAME.shot(with_gun, squad(), range_in=12).damage == pytest.approx({1: 1 / 3, 2: 1 / 3, 3: 1 / 3})


def test_casualties__never_more_than_the_men_there_are() -> None:
    assert by_face(tables.casualties("D6", 2)) == {1: F(1, 6), 2: F(5, 6)}


def test_at_rifle_team_page_19__4_penetration_2_damage_18_inches() -> None:
    team = squad(at(4, 2, range=18), ai("D3-2"), strength=2, squad="at_rifle")
    assert GAME.shot(team, vehicle(armor=2), range_in=18).damage == pytest.approx({0: 2 / 9, 2: 7 / 9})
    assert GAME.shot(team, vehicle(armor=2), range_in=18.5).p_damage == 0
    assert GAME.shot(team, squad(), range_in=12).damage == pytest.approx({0: 2 / 3, 1: 1 / 3})


def test_anti_infantry_page_10__machine_guns_reach_one_foot_and_hurt_no_armour() -> None:
    tank = vehicle(at(), ai("D3-1"))
    assert GAME.shot(tank, squad(), range_in=12).weapon == "weapon 2"
    assert GAME.shot(tank, squad(), range_in=13).p_damage == 0
    assert GAME.shot(tank, vehicle(), range_in=6, weapon="weapon 2").p_damage == 0
    assert GAME.shot(tank, squad(), range_in=6, weapon="weapon 1").p_damage == 0


def test_facing__each_face_has_its_plate() -> None:
    target = vehicle(armor=(10, 9, 8))
    assert [p(vehicle(at(9)), target, range_in=6, facing=f) for f in ("front", "side", "rear")] == row(
        "7/36 7/12 35/36"
    )


def test_duel__b_shows_the_facing_and_a_its_front() -> None:
    plates = (8, 6, 4)
    a = vehicle(at(7), armor=plates, keywords={"angling": 9})
    b = vehicle(at(8), armor=plates, keywords={"angling": 9})
    for face, plate, angled in (("front", 8, False), ("side", 6, False), ("rear", 4, False), ("front", 9, True)):
        found = GAME.duel(a, b, range_in=6, facing=face, angled=angled)
        plain = GAME.duel(vehicle(at(7), armor=8), vehicle(at(8), armor=plate), range_in=6)
        assert (found.p_a, found.p_b) == (plain.p_a, plain.p_b), face


def test_duel__cover_between_the_two_is_in_the_way_of_both() -> None:
    one = vehicle(at(11))
    assert GAME.duel(one, one, range_in=6, first="a").player_turns == 5  # three certain hits each, a wins
    hidden = GAME.duel(one, one, range_in=6, first="a", foliage=True)
    shown = GAME.duel(one, one, range_in=18, first="a")  # 3+ as well
    assert (hidden.p_a, hidden.p_b) == (shown.p_a, shown.p_b)


def test_shot__of_an_unarmed_unit_is_no_attack() -> None:
    """The half-track's card has no weapon: nothing is rolled, and no die would help."""
    found = GAME.shot("de_sdkfz7", vehicle(), range_in=6)
    assert (found.weapon, found.attempts, found.needs, found.damage) == ("none", 0, {}, {0: 1.0})


# --- switch by switch -------------------------------------------------------------------------------------------

BY_BAND = at(9, penetration_by_band=[11, 10, 9, 8, 7, 6])
SWITCHES: dict[tuple[str, Any], tuple[Callable[..., F], str, str]] = {
    ("resolution", "two_dice"): (lambda v: p(vehicle(at(8)), vehicle(), v, range_in=24), "7/12", "7/24"),
    ("resolution", "sum"): (lambda v: p(vehicle(at(9)), vehicle(), v, range_in=24), "7/12", "7/18"),
    ("range_boundary", "strict"): (lambda v: p(vehicle(at(11)), vehicle(), v), "7/9", "7/12"),
    ("cap_stage", "sum_then_cap"): (lambda v: bonus_roll(v, band=6, increase=2, bonus=3), "7/9", "7/18"),
    ("natural_six_hits", True): (
        lambda v: p(vehicle(at(11), keywords={"casemate": True}), vehicle(), v, range_in=36, moved=True),
        "0",
        "1/6",
    ),
    ("hit_mods_affect_penetration", False): (lambda v: bonus_roll(v, pen_need=4, bonus=1), "7/9", "7/12"),
    ("reroll_scope", "final"): (
        lambda v: p(vehicle(at(8)), vehicle(), {**v, **TWO_DICE}, range_in=12),
        "35/72",
        "245/432",
    ),
    ("reroll_scope", "hit"): (lambda v: p(vehicle(at(8)), vehicle(), v, range_in=6), "7/12", "1/2"),
    ("reroll_scope", "both"): (
        lambda v: p(vehicle(at(8)), vehicle(), {**v, **TWO_DICE}, range_in=12),
        "35/72",
        "245/432",
    ),
    ("reroll_limit", None): (lambda v: p(vehicle(at(8)), vehicle(), v), "7/12", "3/5"),
    ("free_move_breaks_advantage", False): (lambda v: p(vehicle(at(8)), vehicle(), v, shifted=True), "1/2", "7/12"),
    ("penetration_falloff", True): (lambda v: p(vehicle(BY_BAND), vehicle(), v, range_in=30), "7/18", "7/36"),
    ("wall_rule", "armor_plus_1"): (lambda v: p(vehicle(at(10)), vehicle(), v, range_in=6, walls=1), "7/12", "35/36"),
    ("wall_rule", "both"): (lambda v: p(vehicle(at(10)), vehicle(), v, range_in=6, walls=1), "7/12", "7/36"),
    ("foliage_rule", "range_plus_3"): (
        lambda v: p(vehicle(at(11)), vehicle(), v, range_in=12, foliage=True, foliage_near_target=1),
        "7/12",
        "7/9",
    ),
    ("foliage_exempt", "target"): (
        lambda v: p(vehicle(at(11)), vehicle(), v, range_in=12, foliage=1, foliage_near_target=1),
        "7/12",
        "35/36",
    ),
    ("foliage_exempt", "either"): (
        lambda v: p(vehicle(at(11)), vehicle(), v, range_in=12, foliage=1, foliage_near_target=1),
        "7/12",
        "35/36",
    ),
    ("foliage_stacks", True): (lambda v: p(vehicle(at(11)), vehicle(), v, range_in=6, foliage=2), "7/9", "7/18"),
    ("he_moved", "two_moves"): (lambda v: p(vehicle(he()), vehicle(), v, range_in=24, target_moves=1), "7/12", "7/9"),
    ("he_n", 1): (lambda v: lob(v, n=0), "30", "53/2"),
    ("he_n", 2): (lambda v: lob(v, n=0), "30", "23"),
    ("he_n", 3): (lambda v: lob(v, n=0), "30", "39/2"),
    ("he_advantage", False): (lambda v: p(vehicle(he()), vehicle(), v, range_in=24), "7/9", "2/3"),
    ("indirect_requires_hit", True): (lambda v: lob(v, n=0), "30", "35/2"),
    ("indirect_gap", "immune"): (lambda v: lob(v, n=0, target_moved_in=14.5), "15", "0"),
    ("indirect_rounding", "up"): (lambda v: lob(v, n=0, side=1, target_moved_in=8), "14", "15"),
    ("autocannon_ai_rolls", "X"): (lambda v: mean(FLAK, squad(), v, range_in=12), "1", "3"),
    ("mg_after_clamp", False): (lambda v: mean(RAGGED, squad(), v, range_in=12), "4/3", "1"),
    ("mg_on_grenades", True): (lambda v: mean(RAGGED, squad(), v, range_in=6, weapon="grenade"), "5/3", "8/3"),
    ("scout_costs_action", False): (lambda v: per_action(v), "5", "10"),
    ("angling", "add"): (lambda v: p(vehicle(at(8)), ANGLED, v, angled=True), "7/9", "7/12"),
}
FLAK = vehicle(at(gun="flak"), ai("D3-1", gun="flak"), keywords={"autocannon": 3})
RAGGED = squad(ai("D3-2"), equipment={"machine_gun": True, "grenades": 1})
ANGLED = vehicle(armor=7, keywords={"angling": 1})
OF_MATCHES = {"annihilation_counts_guns", "turn_limit_counts", "gun_fire_uses_crew_action"}
"""Switches that bear on no attack: test_match.py and test_infantry.py have them."""
TWO_DICE = {"resolution": "two_dice"}


def bonus_roll(variant: dict[str, Any], band: int = 3, increase: int = 0, pen_need: int = 1, bonus: int = 0) -> F:
    return tables.roll(band, increase, pen_need, bonus, True, Variant(**variant).reading).p


def lob(variant: dict[str, Any], n: int, side: int = 0, **situation: Any) -> F:
    """The mean damage of indirect fire at 30 inches on a medium: 30 less n dice and the side armour."""
    howitzer = vehicle(he(30, n), keywords={"indirect": 48})
    target = vehicle(armor=(8, side, 8))
    return mean(howitzer, target, variant, range_in=30, set_up=True, weapon="weapon 1 (indirect)", **situation)


def per_action(variant: dict[str, Any]) -> F:
    """A certain 10 damage, for which a scout spends an action."""
    return F(survey(vehicle(at(20)), vehicle(), 6, variant, scout_in=10).per_action)


@pytest.mark.slow
@pytest.mark.parametrize(("field", "value"), SWITCHES, ids=[f"{field}={value}" for field, value in SWITCHES])
def test_variant__every_alternative_changes_a_number(field: str, value: Any) -> None:
    chance, default, other = SWITCHES[field, value]
    assert chance({}) == F(default)
    assert chance({field: value}) == F(other)


def test_variant__every_alternative_is_tried_above() -> None:
    alternatives = set()
    for name, field in Variant.model_fields.items():
        kinds = get_args(field.annotation) if get_origin(field.annotation) else (field.annotation,)
        values = {v for kind in kinds for v in (get_args(kind) or ((True, False) if kind is bool else (kind,)))}
        values = {None if value is type(None) else value for value in values}
        alternatives |= {(name, value) for value in values - {field.default}}
    assert {(name, value) for name, value in alternatives if name not in OF_MATCHES} == set(SWITCHES)


def test_variant__every_switch_says_which_open_point_it_settles() -> None:
    assert all(str(field.description).startswith("AA-") for field in Variant.model_fields.values())


def test_presets__are_variants_by_name() -> None:
    assert {name: Variant(**switches) for name, switches in PRESETS.items()} == {
        "rulebook": Variant(),
        "two_dice": Variant(resolution="two_dice"),
        "page_8_terrain": Variant(wall_rule="armor_plus_1", foliage_rule="range_plus_3"),
    }


def test_falloff__walls_come_off_the_penetration_at_that_range() -> None:
    """AA-66: the table by range first, then the walls."""
    game = {"penetration_falloff": True}
    assert p(vehicle(BY_BAND), vehicle(armor=8), game, range_in=6, walls=1) == F(35, 36)
    assert p(vehicle(BY_BAND), vehicle(armor=8), game, range_in=12, walls=1) == F(7, 12)


def test_cap_stage__terrain_makes_no_impossible_shot_possible() -> None:
    """p. 21: the roll required is increased, to a maximum of 6; an increase never lowers it."""
    late = {"cap_stage": "sum_then_cap"}
    unit = vehicle(at(7), keywords={"casemate": True})
    assert p(unit, vehicle(), late, range_in=12, moved=True) == 0
    assert p(unit, vehicle(), late, range_in=12, moved=True, foliage=True) == 0
