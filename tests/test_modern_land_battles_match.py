"""Matches of Modern Land Battles: the rulebook's examples as scenes, and what thrown dice say of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import sqrt
from random import Random
from typing import Any

import pytest
from modern_scene import Scene, air_support, maneuvering
from rollers import modern_land_battles as table

import aabalance as aab
from aabalance.rulesets.modern_land_battles.match import RULES, records

BRADLEY, STRYKER = "us_bradley", "us_stryker"
LISTS = {"list_a": "us_stryker,us_m113", "list_b": "cn_type80,cn_yw531", "board": "skirmish"}


def assert_agrees(throw: Callable[[Random], int], exact: dict[int, float], seed: int, thrown: int = 4000) -> None:
    """Compare chances with dice that are thrown one by one."""
    rng = Random(seed)
    seen = Counter(throw(rng) for _ in range(thrown))
    assert set(seen) <= set(exact)
    assert sum(exact.values()) == pytest.approx(1)
    for value, p in exact.items():
        assert abs(seen[value] / thrown - p) < 5 * sqrt(max(0, p * (1 - p)) / thrown) + 1e-9


# --- what is drawn


@pytest.mark.parametrize(
    ("turns", "reason", "number"),
    [
        (0, records.NOT_OVER, 1),
        (1, records.NOT_OVER, 1),
        (2, records.NOT_OVER, 2),
        (3, records.POINTS, 2),
        (4, records.LIMIT, 2),
    ],
)
def test_scene__a_round_is_a_turn_of_each_side_and_after_the_last_none_begins(
    turns: int, reason: int, number: int
) -> None:
    scene = Scene()
    scene.state.turn, scene.state.reason = turns, reason
    assert RULES.scene is not None
    assert RULES.scene(scene.tables, scene.state, scene.names).round == number


@pytest.mark.parametrize(("control", "shown"), [(0, (0, 0)), (2, (2, 0)), (-1, (0, 1))])
def test_scene__squares_of_the_track_are_those_of_the_side_that_controls_them(
    control: int, shown: tuple[int, int]
) -> None:
    scene = Scene()
    scene.state.terrain, scene.state.control = scene.names.terrains.index("open_terrain"), control
    assert RULES.scene is not None
    assert RULES.scene(scene.tables, scene.state, scene.names).score["track of open_terrain"] == shown


# --- Maneuvers


@pytest.mark.parametrize(
    ("dice", "control", "pile"), [((7, 9, 1, 4), 0, 3), ((7, 2, 1, 4), 2, 0)], ids=["secured", "two squares"]
)
def test_maneuver__terrain_examples(dice: tuple[int, ...], control: int, pile: int) -> None:
    """The Bradley's two examples against Open Terrain, which has two squares, with a Small Arms card."""
    scene = Scene([[STRYKER, BRADLEY]]).hold("a", "small_arms")
    scene.state.terrain = scene.names.terrains.index("open_terrain")
    scene.do("terrain a2 1").do("modify small_arms", *dice, *([1] if pile else []))
    said = scene.said()
    assert (abs(said["control"]), said["piles"]["a"]) == (control, pile)
    assert said["units"]["a2"]["at"] == "T1"


def test_maneuver__agrees_with_thrown_dice() -> None:
    for case in (
        (6, 0, 0, 0, False),
        (7, 1, 3, 1, False),
        (6, 0, 2, 2, False),
        (5, 1, 3, 3, False),
        (2, 2, 4, 0, True),
    ):
        assert_agrees(lambda rng, case=case: table.throw_maneuver(rng, *case), maneuvering(*case), 3)  # type: ignore[misc]


def test_flank__agrees_with_thrown_dice() -> None:
    def throw(rng: Random) -> int:
        own, enemy = table.throw_flanking(rng, 0, 2, 6)
        return own - enemy

    assert_agrees(throw, maneuvering(6, 0, superior=-2), 5)


def test_flank__superior_counters_example() -> None:
    """Three counters; then four enemy successes leave him one (Superior Counters)."""
    scene = Scene([[STRYKER, STRYKER]], [["cn_type80", "cn_wz523"]])
    scene.do("flank a2 1", 6, 7, 8, 1)
    assert scene.said()["superior"] == 3
    scene.do("flank b2 1", 6, 6, 7, 10)
    assert scene.said()["superior"] == -1
    assert scene.said()["units"]["a2"]["acted"]


def test_react__overwatch_stops_one_of_three_successes() -> None:
    """Example of Play; M-1: with the Small Arms card's 3 the Stryker's 4, 7, 6, 2 are three successes."""
    scene = Scene([[STRYKER, STRYKER]], [["cn_type80", "cn_wz550_at"]]).hold("a", "small_arms").hold("b", "overwatch")
    scene.do("flank a2 1").do("modify small_arms", 4, 7, 6, 2).do("overwatch b2 1")
    said = scene.said()
    assert said["superior"] == 2
    assert (said["units"]["b2"]["at"], said["units"]["b2"]["acted"], said["side"]) == ("F1", True, "b")


def test_engineers__take_the_terrain_card_after_two_successes() -> None:
    """Example of Play: two squares by the Maneuver, the third by Engineers, which take no Action (M-3)."""
    scene = Scene([[STRYKER, "us_m113"]]).hold("a", "engineers", "cover")
    scene.state.terrain = scene.names.terrains.index("open_terrain")
    scene.do("terrain a2 1").do("modify cover", 7, 3, 2, 2)
    assert (scene.said()["control"], scene.said()["stage"]) == (2, "after")
    scene.do("engineers +1", 1)
    assert (scene.said()["piles"]["a"], scene.said()["benefits"]) == (3, [["a", "ready"]])
    scene.do("ready a2")
    assert (scene.said()["side"], scene.said()["units"]["a2"]["acted"]) == ("b", False)


# --- reactions


def test_defenders__bradley_overwatch_example() -> None:
    """The Bradley's Missile stops from Row 1 or 2, if the Force card that acts is in its Row 1 or 2."""
    scene = Scene([[STRYKER], ["cn_wz550_at"], ["us_m113"]], [["cn_type80"], [BRADLEY], ["cn_yw531"]])
    scene.hold("a", "missile").hold("b", "overwatch", "cover_fire")
    scene.do("play missile a2 missile").do("at B2 b1", 10, 10, 1, 1, 1)
    assert {one for one in scene.legal() if one.startswith("overwatch")} == {"overwatch b2 1", "overwatch b2 2"}
    assert not [one for one in scene.legal() if one.startswith("cover_fire b2")]  # two Rows away
    scene.do("overwatch b2 2")
    assert scene.said()["units"]["b1"]["hits"] == 1


def test_close_air_support__agrees_with_thrown_dice() -> None:
    for row, deeper, natural in ((1, True, False), (2, True, False), (3, True, True), (3, False, False)):
        found = air_support(row, {"range_defense": deeper, "d10_natural_rules": natural})
        assert_agrees(lambda rng, case=(row, deeper, natural): table.throw_close_air_support(rng, *case), found, 4)  # type: ignore[misc]


def test_minefield__hits_for_each_success() -> None:
    """Example of Play: two successes, which stand, and two Hits on the Force card that maneuvered."""
    scene = Scene([[STRYKER, STRYKER]]).hold("b", "minefield")
    scene.do("flank a2 1", 6, 7, 1, 2).do("minefield")
    assert (scene.said()["superior"], scene.said()["units"]["a2"]["hits"]) == (2, 2)


# --- Prepare, Reinforce, the start


def test_prepare__takes_acted_counters_off_and_refills_the_hand() -> None:
    scene = Scene([[STRYKER, "us_m577"]])
    scene.unit("a1").acted = 1
    assert not [one for one in scene.legal() if " a1 " in one]
    scene.hold("a", "raid").do("prepare").do("discard raid").do("draw", *[1] * 8)
    said = scene.said()
    assert (said["units"]["a1"]["acted"], len(said["hands"]["a"]), said["side"]) == (False, 8, "b")


def test_reinforce__values_of_cards_pay_for_force_cards() -> None:
    """Example of Play: three cards' values, here 2, 2 and 2, for the HMMWV's 2 and the M113's 3."""
    scene = Scene(reserve=["us_hmmwv", "us_m113"]).hold("a", "combined_arms", "cover_fire", "screening_force")
    scene.do("reinforce combined_arms").do("use cover_fire").do("use screening_force")
    assert scene.said()["act"]["points"] == 6
    scene.do("bring a2 1").do("bring a3 2").do("shift a1 2")
    said = scene.said()
    assert [said["units"][mark]["at"] for mark in ("a1", "a2", "a3")] == ["B2", "B1", "B2"]
    assert (said["act"], scene.legal()[-1]) == ({"points": 1, "shifted": ["a1"]}, "shift a3 3")
    scene.do("done")
    assert scene.said()["side"] == "b"


def test_candidates__reinforcements_stand_where_the_rulebook_advises() -> None:
    """Force Formation: Small Arms and Cannons ahead, Missiles and Headquarters behind them, Artillery last."""
    reserve = ["us_hmmwv", "us_hmmwv_tow", "us_m577", "us_m109"]
    scene = Scene([[STRYKER], ["us_m113"], ["us_m113"]], reserve=reserve).hold("a", *["combined_arms"] * 3)
    scene.do("reinforce combined_arms").do("use combined_arms").do("use combined_arms")
    brought = {one for one in scene.sensible() if one.startswith("bring")}
    assert brought == {"bring a4 1", "bring a5 2", "bring a6 2", "bring a7 3"}


def test_candidates__of_a_full_hand_a_card_is_given_for_another() -> None:
    """Standard decks: a hand of seven, of eight with a Headquarters (Initial Action Cards)."""
    hand = ["raid"] * 2 + ["assault"] * 2 + ["pull_back"] * 3
    discards = {"discard raid", "discard assault", "discard pull_back"}
    for rows, cards, sensible in (
        ([["us_stryker"]], hand, discards),
        ([["us_stryker"]], hand[1:], {*discards, "draw"}),
        ([["us_stryker"], ["us_m577"]], hand, {*discards, "draw"}),
        ([["us_stryker"], ["us_m577"]], [*hand, "raid"], discards),
    ):
        assert set(Scene(rows).hold("a", *cards).do("prepare").sensible()) == sensible


@pytest.mark.slow
def test_greedy__plays_to_an_end_with_few_force_cards() -> None:
    """With hands full of what can't be played both sides once waited, in 30 matches of 100, for the limit of turns."""
    game = aab.Game("modern_land_battles")
    found = game.match("us_m1a1,us_bradley,us_stryker", "cn_type98,cn_type86,cn_wz523", board="skirmish", simulate=60)
    assert found.reasons.get("limit", 0) <= 0.05


def test_candidates__a_natural_10_hits_any_armor_by_a_switch_alone() -> None:
    """M-6: without it players leave out what no roll can hit."""
    hard = aab.Game("modern_land_battles").cards["cn_type80"].model_copy(update={"armor": 20})
    for natural in (False, True):
        scene = Scene(b=[[hard]], variant={"d10_natural_rules": natural}).hold("a", "small_arms")
        scene.do("play small_arms a1 small_arms")
        assert scene.sensible() == ["at B1 b1"] * natural


def test_begin__a_headquarters_adds_a_card_to_the_hand() -> None:
    result = aab.Game("modern_land_battles").match(
        "us_stryker,us_m577", "cn_type80", board="standard", rounds=1, player_a="random", player_b="random", simulate=1
    )
    hands = result.played.first.steps[0].state["hands"]
    assert (len(hands["a"]), len(hands["b"])) == (8, 7)


# --- what players agree on


def test_agree__who_has_no_place_starts_as_long_as_the_points_last() -> None:
    cards = "us_m109,us_m1a1,us_bradley,us_hmmwv_tow,us_m113"  # 4, 6, 4, 3 and 3 of 13 points
    log = (
        aab.Game("modern_land_battles")
        .match(cards, "cn_type80", board="skirmish", player_a="random", player_b="random", simulate=1, rounds=1)
        .played.first
    )
    at = {unit["card"]: unit["at"] for mark, unit in log.state["units"].items() if mark.startswith("a")}
    assert at == {
        "us_m1a1": "B1", "us_hmmwv_tow": "B2", "us_m109": "B3", "us_bradley": "reserve", "us_m113": "reserve",
    }  # fmt: skip


@pytest.mark.parametrize(("limit", "rounds"), [(4, 2), (5, 3)])
def test_agree__a_round_that_one_side_alone_plays_is_one(limit: int, rounds: int) -> None:
    lists = (LISTS[name].split(",") for name in ("list_a", "list_b"))
    question = aab.Game("modern_land_battles").match_question(*lists, board=LISTS["board"], limit=limit)
    assert question.agreed()[1].rounds == rounds


def test_agree__force_cards_begin_where_they_are_put() -> None:
    result = aab.Game("modern_land_battles").match(
        **LISTS, a1="reserve", a2={"at": "B1"}, player_a="random", player_b="random", simulate=1, rounds=1
    )
    units = result.played.first.state["units"]
    assert {mark: (unit["card"], unit["at"]) for mark, unit in units.items() if mark[0] == "a"} == {
        "a1": ("us_m113", "B1"),
        "a2": ("us_stryker", "reserve"),
    }
    assert (result.rounds, result.options) == (1, {"a1": "reserve", "a2": {"at": "B1"}})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mission": "timed"}, "mission: found 'timed', expected none: 12 points win"),
        ({"limit": 7, "rounds": 3}, "with limit: found 7, expected 6, as rounds says"),
        ({"limit": 0}, "with limit: found 0, expected greater than or equal to 1"),
        ({"a1": "T1"}, "with a1 at: found ['T1'], expected 'B1', 'B2', 'B3' or 'reserve'"),
        ({"list_a": "us_stryker*32"}, "list a: found 32 Force cards, expected at most 31"),
        (
            {"a1": "B1", "a2": "B2", "list_a": "us_m1a1*3", "a3": "B3"},
            "list a: found 18 Victory Points in Rows, expected",
        ),
        ({"list_b": ()}, "list b: found no Force card in a Row, expected one"),
        ({"a1": "reserve", "a2": "reserve"}, "list a: found no Force card in a Row, expected one"),
        ({"board": "standrd"}, "board: found 'standrd' (did you mean 'standard'?), expected one of skirmish"),
    ],
)
def test_match__says_in_a_line_what_cant_be_played(given: dict[str, Any], said: str) -> None:
    with pytest.raises(aab.UsageError) as error:
        aab.Game("modern_land_battles").match(**{**LISTS, "simulate": 1, **given})
    assert str(error.value).startswith(said)


def test_match__ends_after_its_rounds() -> None:
    result = aab.Game("modern_land_battles").match(**LISTS, player_a="random", player_b="random", simulate=1, rounds=1)
    assert result.played.first.result["turn"] <= 2
