"""Rules of matches that meet, in the words of the documents on matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from armour_scene import begun, play, unit
from modern_scene import Scene
from test_match_rules import armored, said, wars

STRONG = dict.fromkeys(("foot", "tread", "wheel", "triangle", "circle"), 20)


def army(*units: str) -> list[dict[str, Any]]:
    """Units of Skirmish Wars, each as its side, its type, its square, and maybe its hit points."""
    listed = []
    for words in units:
        side, kind, at, *hp = words.split()
        listed.append({"side": side, "type": kind, "at": [*map(int, at.split(","))], "hp": int(hp[0]) if hp else 8})
    return listed


# --- Skirmish Wars (sections of its document)


@pytest.mark.parametrize(
    ("others", "reason"), [((), "conquest: no enemy unit left"), (("b tank 2,0",), "victory medals")]
)
def test_s_7__conquest_goes_before_medals(others: Sequence[str], reason: str) -> None:
    match = wars(["..."], army("a tank 0,0", "b tank 1,0", *others), {"tank": {"firepower": STRONG}}, medals=1)
    match.do("a1 attack b1", [])
    assert (match.result()["winner"], match.result()["reason"]) == ("a", reason)


def test_s_7__who_falls_to_the_strike_back_has_lost_too() -> None:
    weak = {"firepower": dict.fromkeys(STRONG, 0)}
    match = wars([".."], army("a infantry 0,0", "b tank 1,0"), {"infantry": weak, "tank": {"firepower": STRONG}})
    match.do("a1 attack b1", [])
    assert (match.result()["winner"], match.result()["points"]["medals"]) == ("b", {"a": 0, "b": 1})


def test_s_3__a_property_under_capture_gives_neither_income_nor_repair_nor_units() -> None:
    """3.2: it is not friendly; 4: the points go when the unit leaves, and it is friendly again."""
    match = wars(["b2B", "..."], army("a infantry 0,0", "a mech 1,0", "b tank 2,1"), {}, money={"a": 0, "b": 0})
    match.do("a1 capture", [])
    match.do("a2 capture", [])
    match.do("end", [])
    assert match.state()["money"]["b"] == 5  # the HQ's alone
    assert not said(match, "buy")
    match.do("end", [])
    match.do("a1 move 0,1", [])
    match.do("a2 move 1,1", [])
    match.do("end", [])
    assert [one["captured"] for one in match.state()["properties"]] == [0, 0, 0]
    assert match.state()["money"]["b"] == 15
    assert said(match, "buy infantry 1,0")


def test_s_4__loaded_carried_and_set_down_in_one_turn_but_done() -> None:
    match = wars(["....", "...."], army("a infantry 0,0", "a apc 1,0", "b tank 3,1"), {})
    match.do("a1 load a2", [])
    match.do("a2 move 2,0", [])
    match.do("a2 unload a1 2,1", [])
    assert not said(match, "a1", "a2 move", "a2 load")
    assert match.state()["active"] == "a2"


# --- Modern Land Battles (sections of its document)


def test_m_22__a_minefield_hits_after_terrain_is_secured_and_before_its_benefit() -> None:
    scene = Scene([["us_bradley", "us_stryker"]]).hold("b", "minefield")
    scene.state.terrain = scene.names.terrains.index("open_terrain")
    scene.unit("a1").acted = 1
    scene.do("terrain a2 1", 10, 10, 10, 10).do("minefield", 1)
    state = scene.said()
    assert (state["piles"], state["units"]["a2"]["at"]) == ({"a": 3, "b": scene.tables.card[1].vp}, "destroyed")
    assert scene.legal() == ["ready a1", "skip"]


def test_m_7__engineers_may_give_a_terrain_card_and_its_benefit_away() -> None:
    scene = Scene([["us_stryker"]], [["cn_type80"]]).hold("a", "engineers", "recon_drone")
    scene.state.terrain, scene.state.control = scene.names.terrains.index("woods"), -2
    scene.unit("b1").hits = 1
    scene.do("engineers -1", 1)
    assert (scene.said()["piles"], scene.said()["benefits"]) == ({"a": 0, "b": 3}, [["b", "repair"]])
    scene.do("repair b1")
    assert (scene.said()["units"]["b1"]["hits"], scene.said()["stage"], scene.said()["act"]) == (0, "action", None)
    assert not scene.said()["secured"]


@pytest.mark.parametrize(("pile", "reason"), [(0, "breakthrough"), (24, "points")])
def test_m_9__points_come_before_the_loss_of_breakthrough(pile: int, reason: str) -> None:
    scene = Scene([["us_stryker"]]).hold("a", "raid").hold("b", "close_air_support")
    scene.state.piles[0], scene.unit("b1").hits = pile, 3
    scene.do("play raid a1 small_arms").do("at B1 b1", 10, 1, 1, 1).do("none")
    assert (scene.said()["stage"], scene.state.winner, scene.said()["act"]) == ("over", 0, None)
    assert ("points", "breakthrough")[scene.state.reason - 1] == reason


def test_m_20__who_screens_takes_all_hits_and_falls_for_them() -> None:
    """6: `target` becomes D; 8: a card destroyed in the Action lets Overrun be played."""
    scene = (
        Scene([["us_stryker"]], [["cn_type80", "cn_yw531"]]).hold("a", "raid", "overrun").hold("b", "screening_force")
    )
    scene.unit("b2").hits = 2
    scene.do("play raid a1 small_arms").do("at B1 b1", 10, 10, 1, 1).do("screening_force b2")
    state = scene.said()
    assert (state["act"]["target"], state["units"]["b2"]["at"], state["units"]["b1"]["hits"]) == ("b2", "destroyed", 0)
    scene.do("overrun")
    assert (scene.said()["side"], scene.said()["stage"], scene.said()["actions"]) == ("a", "action", 1)


# --- Armored Advance (rules of its document)


def test_r_33__a_gun_stands_on_the_wreck_and_squads_beside_it() -> None:
    """R-33, R-34: the tower's square is the gun's; survivors stand nearest to it, least y first."""
    b = [("de_sdkfz251_1", 3, 5, "E"), ("uk_6pdr", 0, 0, "S"), ("inf_rifle", 1, 0), ("us_m8", 7, 7, "N")]
    match = armored([("us_m4a1", 3, 1, "S")], b)
    transport, gun, squad = match.now.unit[1:4]
    transport.hp, gun.at, gun.towed, squad.at, squad.aboard = 1, -1, 1, -1, 1
    match.do("a1.us_m4a1 shoot b1.de_sdkfz251_1 w0", [6, 2], [6, 3])
    units = match.state()["units"]
    assert [units["b2.uk_6pdr"][what] for what in "xyf"] == [3, 5, "E"]
    assert units["b3.inf_rifle"] == {"hp": 5, "x": 3, "y": 4, "stunned": 1}
    match.do("end", [])
    assert match.state()["units"]["b3.inf_rifle"]["used"] == 1
    assert not said(match, "b3.inf_rifle")


def test_r_38__victory_points_in_the_last_round_go_before_its_limit() -> None:
    match = armored([("inf_rifle", 0, 1)], [("us_m8", 7, 7, "N")], mode="domination")
    match.tables.rounds, match.tables.points = 1, 1
    match.do("end", [])
    assert match.state()["points"] == {"a": 0, "b": 0}  # the other side scores, and holds none
    match.do("end", [])
    assert (match.result()["winner"], match.result()["reason"]) == ("a", "victory points")


def test_r_39__the_limit_goes_before_a_stalemate() -> None:
    match = armored([("us_m4a1", 0, 0, "S")], [("us_m8", 7, 7, "N")], quiet=2)
    match.tables.rounds = 1
    match.do("end", [])
    match.do("end", [])
    assert (match.result()["winner"], match.result()["reason"]) == ("a", "turn limit")


def test_r_37__equals_play_another_round() -> None:
    match = armored([("us_m8", 0, 0, "S")], [("us_m8", 7, 7, "N")], cap=2)
    match.tables.rounds = 1
    for _ in range(4):
        assert match.result()["reason"] is None
        match.do("end", [])
    assert (match.result()["winner"], match.result()["reason"]) == (None, "cap")


def test_r_17__a_scout_shows_what_a_high_wall_hides_without_its_bonus() -> None:
    """At 7 inches a 2 is needed; the scout's 3 would make it certain."""
    rows = ["........", "...#....", *["........"] * 6]
    match = armored([("us_m4a1", 3, 0, "S"), ("us_m8", 0, 5, "E")], [("us_m8", 3, 7, "N")], rows=rows)
    shoots = "a1.us_m4a1 shoot b1.us_m8 w0"
    assert shoots not in match.legal()
    match.do("a2.us_m8 scout b1.us_m8 a1.us_m4a1", [])
    assert match.state()["scouted"] == {"a1.us_m4a1 b1.us_m8": 3}
    before = match.state()["units"]["b1.us_m8"]["hp"]
    match.do(shoots, [1, 1], [6, 6])
    assert match.state()["units"]["b1.us_m8"]["hp"] == before


# --- Armour Battles (sections of its document)


def test_b_6__a_mission_may_break_its_own_army_and_falls_on_nobody_else_then() -> None:
    """6, 7: the units of both sides in the order N, W, middle, E, S; who has no morale left has lost at once."""
    match = begun(["tank 5,2", "battery"], ["tank 5,3"], army={"a": {"morale": 2}})
    shelled = [*[6] * 6, *[1] * 4]
    dice = [*[6] * 6, *[1] * 3, 4, *shelled, 2]
    play(match, "staff", "call a2 b1", dice=dice, sides=[6] * (len(dice) - 1) + [3])
    assert (match.result()["winner"], match.result()["reason"]) == ("b", "army broken")
    assert (unit(match, "a1"), unit(match, "b1")["dp"]) == ({}, 0)
    assert match.state()["pulse"] == {"spent": 0, "chain": None, "credit": None}


def test_b_6__who_is_forced_back_within_the_area_is_shelled_once() -> None:
    """6: the units there at the moment when the mission falls; it deviates by one square to the north."""
    match = begun(["tank 5,5", "battery"], ["tank 5,3", "tank 4,2 1 suppressed"])
    one_point, none = [6, *[1] * 5, *[1] * 4], [*[1] * 6, *[1] * 4]
    dice = [*[6] * 6, *[1] * 3, 2, 2, 1, *one_point, *none]
    play(match, "staff", "call a2 b1", dice=dice, sides=[*[6] * 11, 8, *[6] * 20])
    assert (unit(match, "b2")["at"], unit(match, "b2")["dp"]) == ([6, 2], 2)
    assert (unit(match, "b1")["dp"], unit(match, "b1")["suppressed"]) == (0, False)
