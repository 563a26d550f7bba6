"""What an attack depends on besides the cards: each field of `Situation`, and what fields say of each other."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from handmade import RIFLES, ai, at, field_gun, he, squad, vehicle
from odds import GAME, brackets, p, row, survey

import aabalance as aab
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.situation import Moment, Situation

# --- bearing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bearing", "facing", "angled"),
    [
        (0, "front", False),
        (29.9, "front", False),
        (30, "front", True),
        (45, "front", True),
        (45.1, "side", True),
        (60, "side", True),
        (60.1, "side", False),
        (134.9, "side", False),
        (135, "rear", False),
        (180, "rear", False),
    ],
)
def test_bearing__says_which_face_is_shot_at_and_whether_it_is_angled(
    bearing: float, facing: str, angled: bool
) -> None:
    found = Moment(range_in=6, bearing=bearing)
    assert (found.facing, found.angled) == (facing, angled)


def test_bearing__decides_the_plate() -> None:
    target = vehicle(armor=(10, 9, 8), keywords={"angling": 11})
    gun = vehicle(at(10))
    assert [p(gun, target, range_in=6, bearing=bearing) for bearing in (0, 30, 50, 90, 180)] == row(
        "7/12 7/36 7/36 35/36 1"
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"bearing": 90, "facing": "front"},
            "situation facing: found 'front', expected 'side', as a bearing of 90 degrees says",
        ),
        (
            {"bearing": 40, "angled": False},
            "situation angled: found false, expected true, as a bearing of 40 degrees says",
        ),
        ({"bearing": 181}, "situation bearing: found 181, expected less than or equal to 180"),
        (
            {"foliage": 1, "foliage_near_firer": 2},
            "situation foliage_near_firer: found 2, expected at most 1, the pieces of foliage between the two",
        ),
        (
            {"foliage_near_target": 1},
            "situation foliage_near_target: found 1, expected at most 0, the pieces of foliage between the two",
        ),
    ],
)
def test_situation__contradiction_is_refused_in_one_line(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        GAME.moment(range_in=6, **fields)
    assert str(caught.value) == message


def test_bearing__may_stand_beside_what_it_says() -> None:
    assert Moment(range_in=6, bearing=90, facing="side", angled=False) == Moment(range_in=6, bearing=90)


def test_situation__every_field_is_described() -> None:
    assert all(field.description for field in Moment.model_fields.values())


# --- scouts, walls and what can't be seen -----------------------------------------------------------------------


def test_hidden_page_21__only_a_scout_lets_it_be_shot_and_its_bonus_is_lost() -> None:
    gun = vehicle(at(20))
    assert p(gun, vehicle(), walls=1, hidden=True) == 0
    assert p(gun, vehicle(), walls=1, hidden=True, scout_in=61) == 0
    assert p(gun, vehicle(), walls=1, hidden=True, scout_in=6) == p(gun, vehicle(), walls=1) == F(7, 9)
    assert p(gun, vehicle(), walls=1, scout_in=6) == 1
    assert "p. 21 Walls [AA-19]" in GAME.shot(gun, vehicle(), range_in=18, hidden=True).explain()


def test_hidden__squads_too_but_not_from_grenades() -> None:
    thrower = squad(equipment={"grenades": 1})
    assert GAME.shot(thrower, squad(), range_in=6, hidden=True).p_damage == 0
    assert GAME.shot(thrower, squad(), range_in=6, hidden=True, weapon="grenade").p_damage == pytest.approx(2 / 3)
    assert GAME.shot(vehicle(ai()), squad(), range_in=6, hidden=True, scout_in=3).p_damage == pytest.approx(2 / 3)


def test_walls_page_21__a_visible_target_is_no_harder_to_hit() -> None:
    """p. 21: the protection, but no advantage in accuracy."""
    assert GAME.shot(vehicle(at(20)), vehicle(), range_in=18, walls=1).need == 3


# --- foliage ----------------------------------------------------------------------------------------------------

PIECES = {"open": {"foliage": 1}, "firer": {"foliage": 1, "foliage_near_firer": 1}}
PIECES["target"] = {"foliage": 1, "foliage_near_target": 1}
PIECES["both"] = {"foliage": 2, "foliage_near_firer": 1, "foliage_near_target": 1}


@pytest.mark.parametrize(
    ("exempt", "needs"),
    [
        ("firer", {"open": 4, "firer": 2, "target": 4, "both": 4}),
        ("target", {"open": 4, "firer": 4, "target": 2, "both": 4}),
        ("either", {"open": 4, "firer": 2, "target": 2, "both": 2}),
    ],
)
def test_foliage_page_21__units_within_3_inches_of_a_piece_are_unaffected_by_that_piece(
    exempt: str, needs: dict[str, int]
) -> None:
    game = aab.Game(variant={"foliage_exempt": exempt})
    found = {name: game.shot(vehicle(at(20)), vehicle(), range_in=12, **fields).need for name, fields in PIECES.items()}
    assert found == needs


def test_foliage_page_21__another_piece_that_obstructs_still_affects() -> None:
    two = {"foliage": 2, "foliage_near_firer": 1}
    assert GAME.shot(vehicle(at(20)), vehicle(), range_in=12, **two).need == 4


@pytest.mark.parametrize(("stacks", "needs"), [(False, [2, 4, 4, 4]), (True, [2, 4, 6, 6])])
def test_foliage__pieces_count_once_or_each(stacks: bool, needs: list[int]) -> None:
    game = aab.Game(variant={"foliage_stacks": stacks})
    found = [game.shot(vehicle(at(20)), vehicle(), range_in=12, foliage=pieces).need for pieces in range(4)]
    assert found == needs


def test_foliage_page_8__3_inches_for_a_target_within_3_inches_and_behind() -> None:
    game = aab.Game(variant={"foliage_rule": "range_plus_3"})
    found = {name: game.shot(vehicle(at(20)), vehicle(), range_in=12, **fields).need for name, fields in PIECES.items()}
    assert found == {"open": 2, "firer": 2, "target": 3, "both": 3}
    assert game.shot(vehicle(at(20)), vehicle(), range_in=9, **PIECES["target"]).need == 2


def test_foliage_page_8__the_gun_reaches_as_far_as_ever() -> None:
    game = aab.Game(variant={"foliage_rule": "range_plus_3"})
    assert game.shot(vehicle(at(20, range=12)), vehicle(), range_in=12, **PIECES["target"]).p_damage > 0


@pytest.mark.parametrize(("given", "pieces"), [(True, 1), (False, 0), ("true", 1), (3, 3)])
def test_foliage__true_is_one_piece(given: Any, pieces: int) -> None:
    assert Moment(range_in=6, foliage=given).foliage == pieces


# --- crews, squads and moves ------------------------------------------------------------------------------------


def test_artillery_crew_page_19__1_more_to_hit_with_a_manned_field_gun() -> None:
    for weapon, need in ((at(20), 5), (he(20), 4)):
        gun, tank = field_gun(weapon), vehicle(weapon)
        assert GAME.shot(gun, vehicle(), range_in=30).need == need
        assert GAME.shot(gun, vehicle(), range_in=30, artillery_crew=True).need == need - 1
        assert GAME.shot(tank, vehicle(), range_in=30, artillery_crew=True).need == need
    machine_gun = field_gun(ai())
    assert GAME.shot(machine_gun, squad(), range_in=6, artillery_crew=True).expected_damage == 1


@pytest.mark.parametrize("kind", ["at_rifle", "sniper"])
def test_special_squads_page_19__only_targeted_if_they_moved_or_fired(kind: str) -> None:
    team = squad(ai("1"), squad=kind, strength=2)
    for attacker in (vehicle(ai()), squad(), squad(equipment={"grenades": 1})):
        assert GAME.shot(attacker, team, range_in=6).p_damage > 0
        assert GAME.shot(attacker, team, range_in=6, target_active=False).p_damage == 0
    thrower = squad(equipment={"grenades": 1})
    assert GAME.shot(thrower, team, range_in=6, target_active=False, weapon="grenade").p_damage == 0
    assert GAME.shot(vehicle(ai()), squad(), range_in=6, target_active=False).p_damage > 0


def test_field_guns_page_17__their_armour_makes_the_crew_immune() -> None:
    assert GAME.shot(vehicle(ai()), squad(), range_in=6, gun_shield=0).p_damage > 0
    shielded = GAME.shot(vehicle(ai()), squad(), range_in=6, gun_shield=1)
    assert shielded.p_damage == 0
    assert "p. 17 Field Guns" in shielded.explain()


def test_embarked_page_18__no_anti_infantry_fire_into_a_transport() -> None:
    found = GAME.shot(vehicle(ai()), squad(), range_in=6, embarked=True)
    assert found.p_damage == 0
    assert "p. 18 Embarkation" in found.explain()


def test_target_moved_in__any_inch_counts_as_a_move_for_high_explosive() -> None:
    """AA-24: "whether the target previously moved or not"; a free move is no action, but it is a move."""
    assert GAME.shot(vehicle(he(20)), vehicle(), range_in=24).need == 3
    assert GAME.shot(vehicle(he(20)), vehicle(), range_in=24, target_moved_in=2).need == 4
    two_moves = aab.Game(variant={"he_moved": "two_moves"})
    assert two_moves.shot(vehicle(he(20)), vehicle(), range_in=24, target_moved_in=9).need == 3


@pytest.mark.parametrize("name", ["moved", "shifted", "target_moves", "target_moved_in", "target_active", "embarked"])
def test_duel__knows_nothing_of_one_attack_alone(name: str) -> None:
    with pytest.raises(UsageError, match=f"^situation {name}: found a field of one attack, expected what stays"):
        GAME.duel(vehicle(), vehicle(), range_in=6, **{name: 1})


def test_shifted__no_action_but_no_advantage_either() -> None:
    assert p(vehicle(at(8)), vehicle(), shifted=True) == F(1, 2)
    assert p(vehicle(at(11), keywords={"casemate": True}), vehicle(), shifted=True) == F(2, 3)
    assert p(field_gun(at(8)), vehicle(), shifted=True) == F(7, 12)


# --- the whole duel ---------------------------------------------------------------------------------------------


def test_returned__what_belongs_to_one_unit_is_not_the_others() -> None:
    seen = Situation(
        bearing=50,
        scout_in=6,
        set_up=True,
        artillery_crew=True,
        walls=2,
        hidden=True,
        foliage=3,
        foliage_near_firer=1,
        foliage_near_target=2,
        sandbags=True,
        in_cover_range=True,
        gun_shield=3,
    )
    stays = {"walls": 2, "hidden": True, "foliage": 3}
    back = Situation(**stays, foliage_near_firer=2, foliage_near_target=1, own_sandbags=True, own_facing="side")
    assert seen.mirrored(30) == back
    assert back.mirrored(30).mirrored(30) == back


# --- the attacker's own face ------------------------------------------------------------------------------------

PLATED = vehicle(at(0), armor=(12, 8, 8))
GUN = vehicle(at(10, 10))
"""Hits without fail at 6 inches, where only 1 is needed: 12 centimetres are 2 too many for it, 8 are 2 few enough."""


def test_own_facing__is_the_face_that_the_target_fires_back_at() -> None:
    """p. 14: a's side lets three hits of 10 through its 30 hit points in b's third turn, its front none, ever."""
    for first, player_turns in (("a", 6), ("b", 5)):
        shown = GAME.duel(PLATED, GUN, range_in=6, first=first, own_facing="side")
        assert (shown.p_b, shown.player_turns) == (1, player_turns)
    assert GAME.duel(PLATED, GUN, range_in=6).p_draw == 1
    assert GAME.duel(PLATED, GUN, range_in=6, facing="side").p_draw == 1


def test_own_facing__has_no_part_in_the_own_attack() -> None:
    own, usual = (GAME.shot(GUN, PLATED, range_in=6, own_facing=face).damage for face in ("rear", "front"))
    assert own == usual


@pytest.mark.parametrize(("a", "b"), [("de_stug3g", "de_pantherg"), ("fr_r35", "fr_r35"), ("su_su100", "su_m42")])
@pytest.mark.parametrize("own", ["front", "side", "rear"])
@pytest.mark.parametrize("face", ["front", "rear"])
def test_own_facing__turns_round_with_the_sides(a: str, b: str, own: str, face: str) -> None:
    """Neither a casemate, nor angling, nor a field gun's sandbags make a difference to whose face is whose."""
    one = GAME.duel(a, b, range_in=15, first="a", facing=face, own_facing=own, sandbags=True)
    other = GAME.duel(b, a, range_in=15, first="b", facing=own, own_facing=face, own_sandbags=True)
    assert (one.p_a, one.p_b, one.player_turns) == (other.p_b, other.p_a, other.player_turns)


@pytest.mark.parametrize(("bags", "need"), [(False, 4), (True, 6)])
def test_own_facing__sandbags_stand_before_the_face_that_is_fired_back_at(bags: bool, need: int) -> None:
    """p. 21, AA-66: the side's 8 centimetres are 9 behind sandbags; a gun of 8 needs 4 for 0 and 6 for -1 (p. 7)."""
    gun = field_gun(at(0), armor=(3, 8, 8))
    back = Situation(own_facing="side", own_sandbags=bags).mirrored(6)
    assert GAME.shot(vehicle(at(8)), gun, range_in=6, **back.model_dump()).need == need


def test_own_facing__of_equal_units_that_both_show_their_side_neither_is_better_off() -> None:
    """What pairs.csv has at 0.36 to 0.64 is no fault of the tank: only b shows its side there."""
    lopsided = GAME.duel("fr_r35", "fr_r35", range_in=18, facing="side")
    assert lopsided.p_a != lopsided.p_b
    even = GAME.duel("fr_r35", "fr_r35", range_in=18, facing="side", own_facing="side")
    assert even.p_a == even.p_b


# --- grenades ---------------------------------------------------------------------------------------------------

D6_LESS_2 = {0: F(1, 3), 1: F(1, 6), 2: F(1, 6), 3: F(1, 6), 4: F(1, 6)}


def test_grenade_page_18__is_thrown_within_6_inches_in_place_of_the_attack() -> None:
    """AA-40. Two throws of D6-2 (mean 5/3) are more than rifles (mean 1); each grenade is used once."""
    thrower = squad(equipment={"grenades": 2})
    for bracket in brackets(thrower, squad(), 6):
        assert [volley.effect for volley in bracket.opening] == [D6_LESS_2, D6_LESS_2]
        assert [volley.weapons for volley in bracket.opening] == [("grenade",), ("grenade",)]
        assert [volley.weapons for volley in bracket.cycle] == [("weapon 1",)]
    assert all(bracket.opening == () for bracket in brackets(thrower, squad(), 6.5))
    assert all(bracket.opening == () for bracket in brackets(thrower, vehicle(), 6))


def test_grenade__stays_in_the_bag_where_other_fire_does_more() -> None:
    """Rifles with a machine gun take 2 on the mean, a throw 5/3; the machine gun doesn't count for grenades (AA-38)."""
    thrower = squad(equipment={"grenades": 1, "machine_gun": True})
    assert brackets(thrower, squad(), 6)[0].opening == ()
    assert len(brackets(thrower, squad(), 6, mg_on_grenades=True)[0].opening) == 1


def test_grenade__is_no_attack_to_repeat() -> None:
    thrower = squad(equipment={"grenades": 2})
    assert GAME.shot(thrower, squad(), range_in=6).weapon == "weapon 1"
    assert GAME.shot(thrower, squad(), range_in=6, weapon="grenade").damage == pytest.approx(
        {men: float(chance) for men, chance in D6_LESS_2.items()}
    )
    assert survey(thrower, squad(), 6).per_action == 1
    assert GAME.shot(thrower, squad(), range_in=6.5, weapon="grenade").p_damage == 0
    with pytest.raises(UsageError, match="weapon 1"):
        GAME.shot(squad(), squad(), range_in=6, weapon="grenade")


def test_grenade__sandbags_halve_its_casualties() -> None:
    thrower = squad(equipment={"grenades": 1})
    assert GAME.shot(thrower, squad(), range_in=6, sandbags=True, weapon="grenade").damage == pytest.approx(
        {0: 1 / 2, 1: 1 / 3, 2: 1 / 6}
    )


def test_grenade__best_play_may_keep_it() -> None:
    thrower = squad(equipment={"grenades": 1})
    player = GAME.ruleset.player(thrower, squad(), Situation(), 6, GAME.variant, "optimal")
    orders = {turn.orders for turn in player.turns(6, 0, False, 0) if not turn.moved}
    assert orders == {"fire weapon 1", "throw a grenade"}


def test_grenade__a_squad_that_comes_near_throws_when_it_is_there() -> None:
    thrower = squad(RIFLES, equipment={"grenades": 1})
    player = GAME.ruleset.player(thrower, squad(), Situation(), 10, GAME.variant, "close:6")
    (coming,) = player.turns(10, 0, False, 0)
    assert (coming.range_in, coming.volley.weapons) == (6, ())
    (throwing,) = player.turns(6, coming.memory, False, 0)
    assert throwing.orders == "throw a grenade"
    (firing,) = player.turns(6, throwing.memory, False, 0)
    assert firing.orders == "fire weapon 1"
