"""The question of a match, what is refused, and what is said of many matches and of one."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from meetings import PLAYED
from rollers.skirmish_wars import CHART
from scipy import stats

import aabalance as aab
from aabalance import cli, rulebook
from aabalance.analysis.by_player import depends
from aabalance.engine import jit
from aabalance.engine.match import arena
from aabalance.engine.match.players import search
from aabalance.engine.sampling import wilson
from aabalance.files import data_folder
from aabalance.play import match as play
from aabalance.play.match_counts import change, difference, measured, ratio, scores
from aabalance.play.match_log import MatchLog, MatchStep, Roll, _changes, explained, luck_of
from aabalance.provenance import Provenance
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.board import Piece, Scene
from aabalance.rulesets.skirmish_wars.match import agreement

ADVANCE = {"list_a": "de_tiger1,inf_rifle", "list_b": "su_t34_85*2", "board": "small"}
WARS = {"board": "last_stand", "rounds": 2}
RANDOM = {"player_a": "random", "player_b": "random", "simulate": 1}


def match(game: str, **arguments: Any) -> play.MatchResult:
    """Play one match of random players, unless the arguments say otherwise."""
    result: play.MatchResult = aab.Game(game).match(**{**RANDOM, **arguments})
    return result


def facts(*rows: Mapping[str, int]) -> Any:
    """What is noted of matches; what isn't given is 0."""
    return np.array([[row.get(name, 0) for name in base.FACTS] for row in rows])


# --- counts


def test_counted__shares_are_of_the_matches_with_this_seat_or_zone() -> None:
    won, lost, drawn = base.WON_BY_A, base.WON_BY_B, base.DRAWN
    rules = aab.Game("skirmish_wars").ruleset.match()
    assert rules is not None
    found = measured(
        facts(
            {"result": won, "first": 0, "zone": 1, "player_turns": 6, "left_a": 100, "left_b": 10},
            {"result": won, "first": 0, "zone": 0, "player_turns": 8, "left_a": 50},
            {"result": drawn, "first": 1, "zone": 1, "player_turns": 10, "left_a": 30, "reason": 2},
            {"result": lost, "first": 1, "zone": 1, "player_turns": 4, "left_b": 30},
        ),
        ["north", "south"],
        rules._replace(limits=(2,), parts=2),
    )
    assert [found[name] for name in ("p_a", "p_b", "p_draw", "player_turns", "value_a", "value_b")] == [
        0.5, 0.25, 0.25, 7, 22.5, 5,
    ]  # fmt: skip
    for name, each in (("player_turns", [6, 8, 10, 4]), ("value_a", [50, 25, 15, 0]), ("value_b", [5, 0, 0, 15])):
        usual = stats.ttest_1samp(each, 0).confidence_interval(0.95)
        assert found[f"{name}_ci"] == pytest.approx((max(usual.low, 0), usual.high))
    conquest, _, cities, *_ = rules.reasons
    assert found["reasons"] == {conquest: 0.75, cities: 0.25}
    assert found["reasons_ci"] == {conquest: wilson(3, 4), cities: wilson(1, 4)}
    assert (found["p_a_moving_first"], found["p_a_moving_second"]) == (1, 0)
    assert found["p_early"] == 0.75
    assert found["first_turn_gap"] == 1 - 0.25
    assert found["zones"] == {"north": 1, "south": pytest.approx(1 / 3)}
    assert found["zone_gap"] == pytest.approx(1 - 0.5)
    alone = measured(facts({"result": won, "first": 0, "zone": -1}), [], rules)
    assert [alone[name] for name in ("p_a_moving_second", "first_turn_gap", "zone_gap", "value_a_ci")] == [None] * 4


def test_match__refuses_a_number_and_an_error_at_once() -> None:
    for simulate in (play.MATCHES, 1):
        with pytest.raises(aab.UsageError, match="simulate and target_error: found both"):
            match("skirmish_wars", board="last_stand", simulate=simulate, target_error=0.1)


@pytest.mark.parametrize("game", PLAYED)
def test_limits__are_what_ends_a_match_whose_rounds_are_over(game: str) -> None:
    rules = aab.Game(game).ruleset.match()
    assert rules is not None
    assert rules.limits
    named = {at for at, reason in enumerate(rules.reasons) if "limit" in reason or reason == "cap"}
    assert named <= set(rules.limits)


@pytest.mark.slow
def test_match__that_ends_at_its_turn_limit_did_not_end_early() -> None:
    asked = {"board": "crossroads", "rounds": 1, "simulate": 1, "player_a": "random", "player_b": "random"}
    match = aab.Game("armour_battles").match(**asked)
    assert (match.reasons, match.p_early) == ({"turn limit": 1.0}, 0)


@pytest.mark.slow
def test_match__of_two_rounds_has_two_turns_of_either_side() -> None:
    asked = {**WARS, "simulate": 1, "player_a": "random", "player_b": "random"}
    assert aab.Game("skirmish_wars").match(**asked).player_turns == 4


@pytest.mark.parametrize(("squad", "carried"), [("inf_rifle*3", 0), ("inf_rifle_grenades", 10)])
def test_match__squads_are_free_in_domination_but_for_what_they_carry(squad: str, carried: int) -> None:
    """P. 23; p. 18: a machine gun and each grenade cost 5."""
    game = aab.Game()
    cost = game.cards["us_m4a1"].requisition + carried
    with pytest.raises(aab.UsageError, match=f"found {cost} requisition, expected at most {cost - 1}, the budget"):
        game.match(f"us_m4a1,{squad}", "us_m4a1", board="village", mission="domination", budget=cost - 1)


def test_difference__has_newcombes_interval() -> None:
    # Newcombe 1998, table II, case (a), method 10: 56 of 70 and 48 of 80.
    ends = np.repeat([base.WON_BY_A, base.WON_BY_B, base.WON_BY_A, base.WON_BY_B], [56, 14, 48, 32])
    one = np.arange(150) < 70
    found, ci = difference(ends, one, ~one)
    assert found == pytest.approx(0.2)
    assert ci is not None
    assert ci == pytest.approx([0.0524, 0.3339], abs=5e-5)


def test_change__has_students_interval_of_pairs_never_narrower_than_wilsons_of_nothing() -> None:
    first, last = np.repeat([1.0, 0.5, 0, 0], [8, 4, 4, 4]), np.repeat([1.0, 1, 1, 0], [8, 4, 4, 4])
    changes = last - first
    half = 2.0930 * changes.std(ddof=1) / 20**0.5  # Student's t with 19 degrees of freedom
    mean, (low, high) = change(first, last)
    assert (mean, low, high) == pytest.approx((0.3, 0.3 - half, 0.3 + half), abs=1e-4)
    assert change(first, np.append(last, 0.0)) == change(first, last)  # a match that one has played alone
    assert change(np.zeros(10), np.ones(10)) == (1, (pytest.approx(0.7225, abs=5e-4), 1))  # as 10 of 10
    assert change(np.zeros(10), np.zeros(10))[1] == pytest.approx((-0.2775, 0.2775), abs=5e-4)
    assert change(np.zeros(1), np.ones(1)) == (1, (0, 1))


def test_ratio__of_what_is_alike_in_all_matches_has_an_interval() -> None:
    ones = np.ones(20)
    low, high = wilson(0, 20)
    least, most = 1 - high, 1 + high  # as far as a mean of 1 may be off, either way
    over, from_, to = ratio(ones, ones)
    assert (over, low) == (1, 0)
    assert from_ < 1 < to
    # At either end the difference of both is as large as its own interval: their errors are independent.
    for end in (from_, to):
        assert (1 - end) ** 2 == pytest.approx(high**2 * (1 + end**2))
    assert least / most < from_
    assert to < most / least
    assert np.isnan(ratio(ones[:1], ones[:1])).all()  # of a single one the second may be 0
    some = np.tile([1.0, 0.0], 10)
    over, from_, to = ratio(some, ones)
    assert from_ < over == 0.5 < to
    assert np.isfinite([from_, to]).all()
    assert ratio(some, some)[0] == 1


def test_ratio__at_either_end_of_fiellers_interval_the_difference_is_as_large_as_its_own() -> None:
    by = np.repeat([1.0, 0.5, 0.0], [40, 10, 10])
    values = np.repeat([1.0, 0.5, 0.0, 1.0], [20, 20, 15, 5])
    for claims in (1, 12):
        quantile = stats.t.ppf(1 - 0.05 / 2 / claims, 59)
        for end in ratio(values, by, claims)[1:]:
            left = values - end * by
            assert abs(left.mean()) == pytest.approx(quantile * left.std(ddof=1) / 60**0.5)


def test_change__covers_where_draws_are_many() -> None:
    """By Wilson's intervals of both scores and how they are correlated, it was .44."""
    rng, covered = np.random.default_rng(3), 0
    for _ in range(400):
        won = rng.random(400) < 0.315
        low, high = change(np.where(won, 1.0, 0.5), np.where(won, 1.0, 0.0))[1]
        covered += low <= -0.685 / 2 <= high
    assert covered / 400 > 0.92


# --- set-ups


@pytest.mark.parametrize("reserve", [True, False])
def test_sentence__says_that_cards_come_from_the_reserve(reserve: bool) -> None:
    own = ["us_m1a1", "us_stryker"]
    of = {"board": "skirmish", "rounds": 1, "list_a": own, "list_b": own, "first": "a", **RANDOM}
    said = match("modern_land_battles", **of, **({"a2": "reserve"} if reserve else {})).sentence()
    assert ("Force cards of the reserve come in play" in said) == reserve


@pytest.mark.parametrize(
    ("board", "buys"), [("crossing_armies", "also buy"), ("crossing", "buy all"), ("last_stand", "")]
)
def test_sentence__says_that_sides_buy_units_where_they_can(board: str, buys: str) -> None:
    """`last_stand` has no factory, at which units are bought."""
    game = aab.Game("skirmish_wars")
    said = f" Both sides {buys} units in play, unless --with 'shop=[]' says otherwise."
    of = {"board": board, "rounds": 2, **RANDOM}
    assert game.match(**of).sentence().endswith(said) == bool(buys)
    assert "buy" not in game.match(**of, shop=[]).sentence()
    assert game.match(**of, shop=["infantry"]).sentence().endswith(said) == bool(buys)
    everything = [game.match(**of, shop=shop) for shop in ("all", list(game.cards))]
    assert np.array_equal(everything[0].scores, everything[1].scores)
    assert everything[0].player_turns == everything[1].player_turns


def test_agree__lists_of_equal_units_stand_alike_on_a_board_that_is_the_same_when_it_is_turned() -> None:
    # 180 degrees turn Crossing into itself, a's properties into b's.
    units = "infantry*3,tank,artillery,apc"
    start = match("skirmish_wars", list_a=units, list_b=units, board="crossing", rounds=1).played.first.state
    places = {side: {(u["type"], *u["at"]) for u in start["units"] if u["id"][0] == side} for side in "ab"}
    assert len(places["a"]) == 6
    assert places["b"] == {(kind, 7 - x, 5 - y) for kind, x, y in places["a"]}
    assert not {(0, 0), (1, 0)} & {(x, y) for _, x, y in places["a"]}


def test_near__without_an_hq_too_both_sides_begin_alike_on_a_board_that_is_the_same_when_it_is_turned() -> None:
    rows = [["city a", "city a", "grass", "grass", "grass"], ["grass"] * 5, ["grass"] * 3 + ["city b", "city b"]]
    grounds = {(x, y): ground for y, row in enumerate(rows) for x, ground in enumerate(row)}
    of_a = agreement._near(grounds, "a")
    assert of_a[:2] == [(0, 1), (2, 0)]  # a city away from 0,0, then two squares, the upper one first
    assert agreement._near(grounds, "b") == [(4 - x, 2 - y) for x, y in of_a]


def test_agree__a_board_says_the_money_of_both_sides_in_one_number(tmp_path: Path) -> None:
    text = (data_folder("unitdb") / "skirmish_wars/boards/crossing.toml").read_text(encoding="utf-8")
    (tmp_path / "crossing.toml").write_text(f"money = 7\n{text}", encoding="utf-8")
    agreed = aab.Game("skirmish_wars", boards=tmp_path).match_question(board="crossing").agreed()[2]
    assert agreed["money"] == {"a": 7, "b": 7}


@pytest.mark.slow
def test_agree__a_key_goes_before_the_board_and_the_board_before_the_default() -> None:
    assert match("skirmish_wars", board="last_stand").rounds == 12
    assert match("skirmish_wars", **WARS).rounds == 2
    state = match("skirmish_wars", **WARS).played.first.state
    assert state["money"] == {"a": 10, "b": 0}  # the board's 0, and a's income of HQ and city
    assert match("skirmish_wars", **WARS, money=7).played.first.state["money"] == {"a": 17, "b": 7}
    assert match("skirmish_wars", board="crossing", rounds=1).a == "bought units"


@pytest.mark.slow
def test_match__units_of_a_board_win_in_the_plural_and_one_alone_in_the_singular() -> None:
    game = aab.Game("skirmish_wars")
    table = {**game.boards["crossing_armies"].table}
    table["units"] = [one for one in table["units"] if one["side"] == "a"] + [
        next(one for one in table["units"] if one["side"] == "b")
    ]
    said = str(game.match(board=replace(game.boards["crossing_armies"], table=table), rounds=1, **RANDOM))
    assert "2 Infantry, Recon, Tank win " in said
    assert "Infantry wins " in said


def test_agree__units_stand_where_they_are_put() -> None:
    places = {"a1": "3,20,N", "a2": {"at": [4, 21]}, "a3": {"aboard": 4}, "a4": [7, 21, "N"], "b1": [8, 2, "S"]}
    result = match(
        "armored_advance",
        list_a="de_tiger1,inf_rifle*2,de_sdkfz251_1",
        list_b="su_t34_85",
        board="small",
        first="b",
        rounds=1,
        **places,
    )
    log = result.played.first
    units = log.state["units"]
    assert (units["a1.de_tiger1"]["x"], units["a1.de_tiger1"]["y"], units["a1.de_tiger1"]["f"]) == (3, 20, "N")
    assert units["a3.inf_rifle"]["aboard"] == "a4.de_sdkfz251_1"
    assert log.steps[0].side == "b"  # nothing is deployed, and b has the first turn
    assert result.zones == {}
    assert result.options == places


@pytest.mark.slow
def test_match__a_roll_off_gives_each_side_the_first_turn_in_half_of_the_matches() -> None:
    assert [log.steps[0].side for log in map(match("skirmish_wars", **WARS).played.log, range(3))] == ["a", "b", "a"]
    assert match("skirmish_wars", **WARS, first="b").played.first.steps[0].side == "b"


@pytest.mark.slow
def test_match__the_seed_decides_all() -> None:
    one, same, other = (match("skirmish_wars", **WARS, seed=seed).played.first for seed in (1, 1, 2))
    assert [step.action for step in one.steps] == [step.action for step in same.steps]
    assert [step.action for step in one.steps] != [step.action for step in other.steps]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b", "mission", "said"),
    [
        ("us_m8", "us_m8", "domination", "Neither side can win domination: that takes a unit which holds objectives."),
        ("us_m8", "us_m8,inf_rifle", "domination", "M8 Greyhound can't win domination"),
        ("us_m8,inf_rifle", "us_m8,inf_rifle", "domination", ""),
        ("us_m8", "us_m8", "timed", ""),
    ],
)
def test_sentence__says_who_has_no_unit_that_can_win(a: str, b: str, mission: str, said: str) -> None:
    found = aab.Game().match(a, b, board="small", mission=mission, rounds=1, **RANDOM).sentence()
    assert said in found
    assert bool(said) == ("can't win" in found or "can win" in found)


@pytest.mark.parametrize("mission", ["timed", "annihilation", "domination"])
def test_match__missions_have_their_rounds(mission: str) -> None:
    result = match("armored_advance", **ADVANCE, mission=mission, cap=8)
    assert (result.mission, result.rounds) == (mission, None if mission == "annihilation" else 8)
    assert result.actions == (5, 5)
    assert (result.requisition_a, result.requisition_b) == (155, 200)


@pytest.mark.slow
def test_match__one_match_is_played_plainly_to_the_same_bits() -> None:
    few, more = (match("skirmish_wars", **WARS, simulate=number) for number in (1, 5))
    assert not few.played.compiled
    assert more.played.compiled
    plain = [few.played.log(number) for number in range(3)]
    assert arena.play(few.played.match, 0, 3).tolist() == [log.facts.tolist() for log in plain]
    told = [more.played.log(number) for number in range(3)]
    assert [[(step.action, step.dice) for step in log.steps] for log in told] == [
        [(step.action, step.dice) for step in log.steps] for log in plain
    ]
    assert few.explain() == more.explain()


@pytest.mark.slow
def test_match__a_single_one_of_many_units_is_compiled() -> None:
    """In plain Python it takes a minute."""
    result = match("skirmish_wars", list_a="infantry*4,tank*2", list_b="infantry*4,tank*3", board="crossing", rounds=1)
    assert result.played.compiled


@pytest.mark.slow
def test_match__a_single_one_of_search_is_compiled() -> None:
    raced = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if frame.f_code is search.race.__code__:
            raced.append(event)

    sys.setprofile(note)
    try:
        result = match("skirmish_wars", board="last_stand", rounds=1, player_a="search:16", simulate=1)
    finally:
        sys.setprofile(None)
    assert result.trials == 1
    assert not raced


@pytest.mark.slow
def test_log__its_luck_is_that_of_the_arena_and_its_number_that_of_the_match() -> None:
    played = match("skirmish_wars", board="last_stand", rounds=6, simulate=3).played
    for number in (1, 2):
        log, made = played.log(number), arena.decisions(played.match, number)
        lucks = arena.luck(played.match, number, made, jit.compiled)
        assert log.number == number
        assert [step.luck for step in log.steps] == pytest.approx(lucks.tolist(), abs=1e-12)
        assert max(map(abs, lucks)) > 0.01
        assert {len(step.sides) - len(step.dice) for step in log.steps} == {0}
        assert all(1 <= face <= most for step in log.steps for face, most in zip(step.dice, step.sides, strict=True))


# --- what is refused

APC = MappingProxyType({"list_a": "us_m3_ht,inf_rifle*2", "list_b": "su_t34_85", "board": "small"})
WRONG = {
    "board: found 'smal' (did you mean 'small'?)": {**ADVANCE, "board": "smal"},
    "player: found 'gredy' (did you mean 'greedy'?)": {**ADVANCE, "player_b": "gredy"},
    "mission: found 'time' (did you mean 'timed'?)": {**ADVANCE, "mission": "time"},
    "rounds: found 0, expected a whole number": {**ADVANCE, "rounds": 0},
    "rounds: found 61, expected at most 60: then `cap`": {**ADVANCE, "rounds": 61},
    "rounds: found none, which means 8, expected at most 3: then `cap`": {**ADVANCE, "cap": 3},
    "rounds: found 8, expected none: annihilation": {**ADVANCE, "mission": "annihilation", "rounds": 8},
    "actions: found 0": {**ADVANCE, "actions": 0},
    "first: found 'c'": {**ADVANCE, "first": "c"},
    "with: found 'hul' (did you mean 'hull'?)": {**ADVANCE, "hul": 1},
    "with: found 'actoins' (did you mean 'actions'?), expected one of points": {**ADVANCE, "actoins": 3},
    "with hull: found -1, expected greater than": {**ADVANCE, "hull": -1},
    "with points: found 5, expected none": {**ADVANCE, "points": 5},
    "list b: found 200 requisition, expected at most 199": {**ADVANCE, "budget": 199},
    "list b: found no vehicle or field gun, expected one at least: without, it has lost (p. 23)": {
        **ADVANCE, "list_b": "inf_rifle",
    },
    "list b: found no vehicle, expected one": {
        **ADVANCE, "list_b": "uk_6pdr", "game": {"annihilation_counts_guns": False},
    },
    "list b: found no unit": {**ADVANCE, "list_b": ()},
    "lists: found 33 units, expected at most 32": {**ADVANCE, "list_b": "inf_rifle*30,de_tiger1"},
    "with a3: found a place, expected a unit": {**ADVANCE, "a3": [0, 0]},
    "with a1 at: found 7": {**ADVANCE, "a1": 7},
    "list a: unit 1, Tiger I (Ausf. E): found no facing": {**ADVANCE, "a1": [0, 0]},
    "list a: unit 2, Rifle squad: found facing N, expected none": {**ADVANCE, "a2": [0, 0, "N"]},
    "list a: unit 1, Tiger I (Ausf. E): found place 16,0": {**ADVANCE, "a1": [16, 0, "N"]},
    "list a: unit 1, Tiger I (Ausf. E): found place 7,9, which is building": {**ADVANCE, "a1": [7, 9, "N"]},
    "lists: found two units at 0,0": {**ADVANCE, "a1": [0, 0, "N"], "b1": [0, 0, "N"]},
    "list a: unit 2, Rifle squad: found aboard 1, which has no place": {**APC, "a2": {"aboard": 1}},
    "list a: unit 2, Rifle squad: found aboard 3, Rifle squad, expected a unit": {**APC, "a2": {"aboard": 3}},
    "list a: unit 2, Rifle squad: found aboard 4, expected a unit of the list": {**APC, "a2": {"aboard": 4}},
    "list a: unit 2, Rifle squad: found towed, expected": {**APC, "a2": {"towed": 1}},
    "list a: unit 1, M3 half-track: found 3 squads aboard, expected 2": {
        **APC, "list_a": "us_m3_ht,inf_rifle*3", "a1": [0, 20], **{f"a{n}": {"aboard": 1} for n in (2, 3, 4)},
    },
    "list a: unit 2: found at and aboard": {**APC, "a2": {"at": [0, 0], "aboard": 1}},
    "unknown unit 'de_tigre1'": {**ADVANCE, "list_a": "de_tigre1"},
    "simulate: found 0": {**ADVANCE, "simulate": 0},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("said", WRONG)
def test_match__says_in_a_line_what_cant_be_played(said: str) -> None:
    given = dict(WRONG[said])
    game = aab.Game(variant=given.pop("game", None))
    with pytest.raises(aab.UsageError) as error:
        game.match(**{**RANDOM, **given})
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


WRONG_WARS = {
    "actions: found 3, expected none": {**WARS, "actions": 3},
    "mission: found 'timed', expected none": {**WARS, "mission": "timed"},
    "lists: found units, expected none: Last stand brings 14 units": {**WARS, "list_a": "tank", "list_b": "tank"},
    "with medals: found true": {**WARS, "medals": True},
    "with turn_limit: found 3, expected 2": {**WARS, "turn_limit": 3},
    "with shop: found 'tiger'": {**WARS, "shop": ["tiger"]},
    "with shop: found none, expected a list": {**WARS, "shop": None},
    "with conquest: found false without medals": {**WARS, "conquest": False},
    "list a: found 5 tank, expected at most 4": {"board": "crossing", "list_a": "tank*5", "list_b": "tank"},
    "with a1 at: found 3, expected a column and a row alone": {**WARS, "board": "crossing", "list_a": "tank", "a1": 3},
    "list a: unit 1, Tank: found place 4,1": {"board": "crossing", "list_a": "tank", "list_b": "tank", "a1": [4, 1]},
    "lists: found two units on one square": {
        "board": "crossing", "list_a": "tank", "list_b": "tank", "a1": [2, 0], "b1": [2, 0],
    },
    "lists: found 65 units": {"board": "crossing", "list_a": "tank*64", "list_b": "tank"},
    "list b: unit 42, Infantry: found no place": {
        "board": "crossing", "list_a": "tank", "list_b": "infantry*60", "counters": None,
    },
}  # fmt: skip


@pytest.mark.parametrize("said", WRONG_WARS)
def test_match__says_in_a_line_what_cant_be_played_in_skirmish_wars(said: str) -> None:
    with pytest.raises(aab.UsageError) as error:
        match("skirmish_wars", **WRONG_WARS[said])
    assert str(error.value).startswith(said)


HEXES = MappingProxyType({"list_a": "de_nashorn,de_panzergrenadier", "list_b": "su_t_34_85", "board": "crossroads"})
STOOD = {"a1": {"at": [0, 0], "facing": "E"}, "a2": [0, 1], "b1": {"at": [9, 2], "facing": "W"}}
WRONG_FORUMINI = {
    "mission: found 'timed', expected none": {"mission": "timed"},
    "first: found 'a', expected roll_off": {"first": "a"},
    "list b: found no unit": {"list_b": ()},
    "list b: unit 1, IL-2": {"list_b": "su_il_2_sturmovik"},
    "rounds: found 101, expected at most 100": {"rounds": 101},
    "with first_check: found 9, expected at most 4": {"first_check": 9, "rounds": 4},
    "list a: found 40 units that may need 16 hexes of zone west, expected at most 14": {
        "list_a": "de_nashorn*4,de_panzergrenadier*36",
    },
    "list a: found 43 units that may need 15 hexes of zone west, expected at most 14": {
        "list_a": "de_panzergrenadier*43",
    },
    "lists: found 65 units": {"list_a": "de_panzergrenadier*64"},
    "lists: found places for some units": {"a1": {"at": [0, 0], "facing": "E"}},
    "list a: unit 2, Panzergrenadier: found 11,0, expected a hex of the map": {**STOOD, "a2": [11, 0]},
    "with a1 at: found [0, 0, 'E'], expected a column and a row alone": {**STOOD, "a1": [0, 0, "E"]},
    "list a: unit 1, Nashorn: found no facing, expected a facing": {**STOOD, "a1": [0, 0]},
    "list a: unit 2, Panzergrenadier: found E, expected none": {**STOOD, "a2": {"at": [0, 1], "facing": "E"}},
    "list a: unit 2, Panzergrenadier: found the mark hull": {**STOOD, "a2": {"at": [0, 1], "mark": "hull"}},
    "list a: found 4 units at 0,1, expected at most 3": {
        **STOOD, "list_a": "de_nashorn,de_panzergrenadier*4", "a3": [0, 1], "a4": [0, 1], "a5": [0, 1],
    },
}  # fmt: skip


@pytest.mark.parametrize("said", WRONG_FORUMINI)
def test_match__says_in_a_line_what_cant_be_played_in_forumini(said: str) -> None:
    with pytest.raises(aab.UsageError) as error:
        match("forumini", **{**HEXES, **WRONG_FORUMINI[said]})
    assert str(error.value).startswith(said)


def test_agree__units_of_forumini_stand_in_their_hexes_with_their_counters() -> None:
    watching = {"at": [0, 1], "pinned": True, "mark": "dirt", "watch": [3, 1]}
    units = match("forumini", **{**HEXES, **STOOD, "a2": watching, "rounds": 1}).played.first.state["units"]
    assert (units["a1"]["at"], units["a1"]["face"], units["b1"]["face"]) == ("0,0", "E", "W")
    assert [units["a2"][name] for name in ("at", "pinned", "mark", "watch")] == ["0,1", True, "dirt", "3,1"]


def test_match__refuses_what_its_records_have_no_room_for() -> None:
    game = aab.Game()
    squad = game.cards["inf_rifle"].model_copy(update={"strength": 7})
    with pytest.raises(aab.UsageError, match="list a: Rifle squad: found strength 7, expected at most 6 in a match"):
        game.match(["de_tiger1", squad], "de_tiger1", board="small", **RANDOM)
    tank = game.cards["de_tiger1"]
    armed = tank.model_copy(update={"weapons": tank.weapons * 6})
    with pytest.raises(aab.UsageError, match=r"list b: Tiger I .*: found \d+ weapons, expected at most 10 in a match"):
        game.match("de_tiger1", [armed], board="small", **RANDOM)


def test_match__refuses_units_for_whom_a_zone_may_have_no_room(tmp_path: Path) -> None:
    board = tmp_path / "gap.toml"
    board.write_text(
        'name = "Gap"\nmap = """\n.BB\n...\n...\n"""\n'
        '[zones.north]\nrect = [0, 0, 2, 0]\nfacing = "S"\n[zones.south]\nrect = [0, 2, 2, 2]\nfacing = "N"\n'
    )
    game = aab.Game(boards=tmp_path)
    found = "list a: found 2 units for zone north, which has 1 free square for Tiger I .*, expected fewer"
    with pytest.raises(aab.UsageError, match=found):
        game.match("de_tiger1*2", "de_tiger1", board="gap", **RANDOM)
    assert game.match("de_tiger1", "de_tiger1", board="gap", rounds=1, cap=1, **RANDOM).trials == 1
    with pytest.raises(aab.UsageError, match="mission: found domination on a board without objectives"):
        game.match("de_tiger1", "de_tiger1", board="gap", mission="domination", **RANDOM)


def test_match__counts_two_player_turns_to_each_round_of_the_cap() -> None:
    game = aab.Game(variant={"turn_limit_counts": "player_turns"})
    given = {**ADVANCE, "cap": 1, **RANDOM}
    assert game.match(**given, rounds=2).trials == 1
    with pytest.raises(aab.UsageError, match="rounds: found 3, expected at most 2: then `cap`"):
        game.match(**given, rounds=3)


# --- lists in files


@pytest.mark.slow
def test_list_file__is_the_list_that_its_texts_say(tmp_path: Path) -> None:
    file = tmp_path / "list.toml"
    file.write_text('name = "Spearhead"\nunits = ["de_tiger1*2", { unit = "inf_rifle", at = [3, 21] }]\n')
    result = match("armored_advance", list_a=f"@{file}", list_b="su_t34_85*2", board="small", rounds=1, cap=1)
    assert result.a == "Spearhead (2 Tiger I (Ausf. E), Rifle squad)"
    assert result.played.first.state["units"]["a3.inf_rifle"]["y"] == 21
    file.write_text('units = ["de_tiger1*2", "inf_rifle"]\n')
    game = aab.Game()
    given = {"range_in": 18, "actions": 3}
    assert game.battle(f"@{file}", "su_t34_85*3", **given).p_a == game.battle(
        "de_tiger1*2,inf_rifle", "su_t34_85*3", **given
    ).p_a  # fmt: skip


def test_list_file__names_file_and_line_of_each_fault(tmp_path: Path) -> None:
    file = tmp_path / "list.toml"
    units = '"de_tigre1",', '{ unit = "de_tiger1", x = 3 },', '"a*b",', '{ unit = "inf_rifle", aboard = 0 },'
    file.write_text("\n".join(["units = [", *units, "]"]))
    with pytest.raises(aab.CardError) as error:
        match("armored_advance", list_a=f"@{file}", list_b="de_tiger1", board="small")
    assert [fault.place for fault in error.value.faults] == [f"{file}:{line}" for line in (2, 3, 4, 5)]
    with pytest.raises(
        aab.CardError, match=r":3: units.1: found x, expected a text: only units of a match have places"
    ):
        aab.Game().battle(f"@{file}", "de_tiger1", range_in=18, actions=3)
    file.write_text("units = []\nnam = 'x'\n")
    with pytest.raises(aab.CardError, match=r":2: nam: found 'x', expected no such field; did you mean 'name'\?"):
        match("armored_advance", list_a=f"@{file}", list_b="de_tiger1", board="small")
    with pytest.raises(aab.CardError, match="can't be read"):
        match("armored_advance", list_a=f"@{tmp_path}/none.toml", list_b="de_tiger1", board="small")


def test_list_file__names_the_line_of_a_unit_that_cannot_begin_at_its_place(tmp_path: Path) -> None:
    file = tmp_path / "list.toml"
    file.write_text('units = [\n"de_tiger1*2",\n{ unit = "us_m4a1", at = [99, 99] },\n]')
    lists = {"list_a": "de_tiger1", "list_b": f"@{file}", "board": "village"}
    said = "list b: unit 3, M4A1 Sherman (75 mm): found place 99,99, expected a square from 0,0 to 35,47"
    with pytest.raises(aab.CardError) as wrong:
        match("armored_advance", **lists)
    assert [str(fault) for fault in wrong.value.faults] == [f"{file}:3: {said}"]
    with pytest.raises(aab.UsageError, match=f"^{re.escape(said)}$"):  # the place isn't that of the file
        match("armored_advance", **lists, b3="99,99")


def test_match__who_plays_is_said_of_each_side() -> None:
    with pytest.raises(aab.UsageError, match=r"with: found 'player', .*; who plays is `player_a` and `player_b`$"):
        match("skirmish_wars", board="last_stand", player="greedy")
    with pytest.raises(aab.UsageError, match=r"or another unit's place$"):
        match("skirmish_wars", board="last_stand", medal=2)


# --- one match in words, and the command


STAND = ("a1", 1), ("b1", 3)
"""Units, and the columns in which they stand."""


def scene(number: int, **strength: int) -> Scene:
    return Scene(
        number, [Piece(mark, "tank", mark[0], "armour", None, left, 4) for mark, left in strength.items()], {}, (), {}
    )


def logged(winner: str | None, start: Scene, *steps: tuple[str, str, tuple[int, ...], Scene, float]) -> MatchLog:
    """Return a match; of a step its side, action, dice, scene and luck of a.

    The first two dice are D6 that have to show 4, from the third on they are D10 of which each face counts.
    """
    told = []
    for side, action, dice, at, luck in steps:
        weapon, none = "88 mm" if action == "a1 attack b1" else "", (0,) * len(dice)
        sides, needs = (of[: len(dice)] for of in ((6, 6, 10), (4, 4, 0)))
        told.append(MatchStep(side, action, weapon, dice, sides, needs, none, {}, at, luck))
    return MatchLog(0, {}, start, told, {"winner": winner, "reason": "all is over"}, np.zeros(0, np.int64))


def test_explained__tells_of_each_decision_what_dice_did_to_units_and_to_their_own_side() -> None:
    """Luck is told from two points of 100 on, and by whose dice they are: -3 to a is 3 to b."""
    rules = aab.Game("skirmish_wars").ruleset.match()
    assert rules is not None
    log = logged(
        "a",
        scene(0, a1=4, b1=4),
        ("a", "a1 place", (), scene(1, a1=4, b1=4), 0.0),
        ("a", "a1 attack b1", (4, 2, 7), scene(1, a1=4, b1=2), 0.02),
        ("b", "b1 repair", (6,), scene(1, a1=4, b1=3), -0.03),
        ("b", "b1 attack a1", (1,), scene(1, a1=4, b1=3), 0.015),
        ("b", "end", (), scene(2, a1=4, b1=3), 0.0),
        ("a", "a1 attack b1", (6, 6), scene(2, a1=4)._replace(score={"medals": (1, 0), "inches": (2.5, 3)}), 0.25),
    )
    told = explained(log, rules._replace(sections={"attack": "p. 7"}), "a match")
    assert told.splitlines() == [
        "a match",
        "",
        "before round 1, a",
        "  a1 place",
        "",
        "round 1, a",
        "  a1 attack b1 (88 mm), D6 4, 2 for 4+, D10 7: b1 tank 4 to 2 left; luck +2.0  [1]",
        "",
        "round 1, b",
        "  b1 repair, D6 6 for 4+: b1 tank 2 to 3 left; luck +3.0",
        "  b1 attack a1, D6 1 for 4+  [1]",
        "  end",
        "",
        "round 2, a",
        "  a1 attack b1 (88 mm), D6 6, 6 for 4+: b1 tank is destroyed; luck +25.0  [1]",
        "",
        "a wins: all is over",
        "at the end: medals 1 v 0, inches 2.5 v 3",
        "luck: a +27.0, b +1.5, in points of 100 of the chance to win",
        "luck by round: 1 a +2.0, b +1.5; 2 a +25.0, b +0.0",
        "luck by unit: a1 +27.0, b1 +1.5",
        "",
        "rules",
        "  1  p. 7",
    ]
    ends = [explained(logged(winner, scene(1)), rules, "a match").tail for winner in ("b", None)]
    assert ends == ["b wins: all is over", "a draw: all is over"]


def test_explained__tells_where_a_decision_leaves_units_whose_place_it_does_not_name() -> None:
    """On a map that a game draws itself, places say nothing of a single unit."""
    rules = aab.Game("skirmish_wars").ruleset.match()
    assert rules is not None
    before, after = (
        scene(1)._replace(pieces=[Piece(mark, "tank", mark[0], "armour", (x + by, 1), 4, 4) for mark, x in STAND])
        for by in (0, 1)
    )
    log = logged(None, before, ("a", "a1 2,1 push b1", (), after, 0.0), ("b", "b1 turn", (), before, 0.0))
    told = explained(log, rules, "a match").splitlines()
    assert "  a1 2,1 push b1: b1 tank now at 4,1" in told
    assert "  b1 turn: a1 tank now at 1,1; b1 tank now at 3,1" in told
    drawn = rules._replace(board=rules.board._replace(map="."))
    assert "now at" not in explained(log, drawn, "a match")


def test_luck_of__a_unit_has_the_dice_until_another_is_named_or_the_other_side_decides() -> None:
    own = scene(1, a2=4, a9=4, a10=4, b1=4)
    log = logged(
        None,
        own,
        ("a", "a10 attack b1", (3,), own, 0.01),
        ("a", "hit", (5,), own, 0.02),
        ("b", "react", (2,), own, -0.04),
        ("a", "go on", (4,), own, 0.005),
        ("a", "a2 attack b1", (1,), own, -0.001),
        ("a", "a9 attack b1", (1,), own, 0.0004),
    )
    found = luck_of(log)
    assert found["luck"].startswith("a +3.4, b +4.0, in")
    assert found["luck by unit"] == "a2 -0.1, a10 +3.0, a's others +0.5, b's others +4.0"
    assert luck_of(logged(None, own, ("a", "hit", (5,), own, 0.0))) == {}
    cancels = luck_of(logged(None, own, ("a", "hit", (5,), own, 0.01), ("a", "go on", (4,), own, -0.01)))
    assert cancels == {"luck": "a +0.0, b +0.0, in points of 100 of the chance to win"}


def test_match__each_number_is_said_of_its_own_side_turn_and_zone() -> None:
    drawn = match("skirmish_wars", board="last_stand", rounds=1)
    assert (drawn.p_draw, drawn.to_dict()["score_a"]) == (1, 0.5)
    assert "player turns  2.00, in each trial\n" in re.sub("  +", "  ", repr(drawn))  # not exactly 2 in all matches
    agreed = [
        dict(re.split("  +", line, maxsplit=1) for line in repr(one).splitlines())["agreed"]
        for one in (drawn, replace(drawn, mission="timed", rounds=None, actions=(3, 5), first="b"))
    ]
    assert agreed == ["1 round, first: roll_off", "timed, 3/5 actions a turn, first: b"]
    found = replace(
        drawn,
        a="Tiger", b="T-34", requisition_a=140, requisition_b=92.5, trials=200, seed=7,
        p_a=0.55, p_a_ci=(0.48, 0.62), p_b=0.25, p_b_ci=(0.2, 0.3), p_draw=0.2, p_draw_ci=(0.15, 0.26),
        score_a_ci=(0.58, 0.71), player_turns=9.5, player_turns_ci=(9.0, 10.0),
        value_a=60.0, value_a_ci=(50.0, 70.0), value_b=20.0, value_b_ci=(15.5, 24.5),
        reasons={"conquest": 0.4, "limit": 0.6}, reasons_ci={"conquest": (0.3, 0.5), "limit": (0.5, 0.7)},
        p_a_moving_first=0.7, p_a_moving_first_ci=(0.6, 0.8), p_a_moving_second=0.4, p_a_moving_second_ci=(0.3, 0.5),
        first_turn_gap=0.4, first_turn_gap_ci=(0.3, 0.5), zone_gap=0.2, zone_gap_ci=(-0.1, 0.5),
        zones={"north": 0.65, "south": 0.45}, zones_ci={"north": (0.5, 0.8), "south": (0.3, 0.6)},
        provenance=Provenance(),
    )  # fmt: skip
    told = dict(re.split("  +", line, maxsplit=1) for line in repr(found).splitlines())
    assert [told[f"{name} win"] for name in ("Tiger", "T-34")] == [  # two units each
        "0.5500 [0.4800, 0.6200]",
        "0.2500 [0.2000, 0.3000]",
    ]
    assert told["draw"] == "0.2000 [0.1500, 0.2600]"
    assert told[found.currency] == "140 v 92.5"
    assert told["Tiger win, by turn"] == "first 0.7000 [0.6000, 0.8000], second 0.4000 [0.3000, 0.5000]"
    assert told["Tiger win, by zone"] == "north 0.6500 [0.5000, 0.8000], south 0.4500 [0.3000, 0.6000]"
    assert told["ended by"] == "limit 60.0 % (50.0 % to 70.0 %), conquest 40.0 % (30.0 % to 50.0 %)"
    assert told["player turns"] == "9.50 [9.00, 10.00]"
    assert told[f"{found.currency} left"] == "60.0 [50.0, 70.0] / 20.0 [15.5, 24.5]"
    assert told["engine"] == "monte_carlo, 200 trials, seed 7"
    half = ", a draw counted as half a win"
    gaps = f"+40.0 points in 100 (+30.0 to +50.0){half}", f"+20.0 points in 100 (-10.0 to +50.0){half}"
    assert told["in words"] == found.sentence() == (
        "Tiger win 55.0 % (48.0 % to 62.0 %), T-34 win 25.0 % (20.0 % to 30.0 %), and 20.0 % (15.0 % to 26.0 %) end "
        "in a draw: after 200 matches, that favours Tiger. Going first is worth "
        f"{gaps[0]}. Zone north is worth {gaps[1]}, so it may be worth nothing."
    )  # fmt: skip
    other = replace(found, score_a_ci=(0.29, 0.42), p_draw=0.0, p_draw_ci=(0.0, 0.02), zone_gap_ci=None)
    said = other.sentence()
    assert "and none is drawn: after 200 matches, that favours T-34. Going" in said
    assert said.endswith("(+30.0 to +50.0).")
    never = replace(found, p_a_moving_second=0.0, p_a_moving_second_ci=(0.0, 0.1))
    assert ", second 0.0000 [0.0000, 0.1000]\n" in repr(never)
    assert "second" not in repr(replace(found, p_a_moving_second=None, p_a_moving_second_ci=None))
    assert "who is favoured is open" in replace(found, score_a_ci=(0.45, 0.6)).sentence()


@pytest.mark.slow
def test_explain__has_every_decision_with_its_dice_changes_and_rules() -> None:
    result = match("skirmish_wars", board="last_stand", rounds=6)
    told, log = result.explain(), result.played.first
    assert len(told.rows) == len(log.steps)
    struck = next(
        step for step in log.steps if step.action.split()[-1][0] in "ab" and "attack" in step.action and step.dice
    )
    row = next(row for row in told.rows if row[2] == struck.action)
    assert row[3].startswith(f"D6 {struck.dice[0]}")
    assert row[5] == "3.4a"
    before = log.steps[log.steps.index(struck) - 1].state["units"]
    lost = Counter({unit["id"]: unit["hp"] for unit in before})
    lost.subtract({unit["id"]: unit["hp"] for unit in struck.state["units"]})
    assert all(unit in row[4] for unit, hp in lost.items() if hp)
    assert told.splitlines()[0] == told.head
    assert f"match 0 of seed 0: {result.a} v {result.b}, on last_stand" in told.head
    assert told.tail == f"a draw: {log.result['reason']}" or told.tail.split()[0] == log.result["winner"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", ["armored_advance", "skirmish_wars", "modern_land_battles", "forumini", "armour_battles"]
)
def test_sections__are_those_of_the_rulebook(game: str) -> None:
    ruleset = aab.Game(game).ruleset
    rules = ruleset.match()
    assert rules is not None
    known = {row["section"] for row in rulebook.coverage(ruleset)}
    assert set(rules.sections.values()) <= known


def run(*words: object) -> Any:
    return CliRunner().invoke(cli.main, ["match", *map(str, words)])


@pytest.mark.slow
def test_command__prints_what_the_result_says() -> None:
    words = ("--game", "skirmish_wars", "--board", "last_stand", "--rounds", 2, "--player", "random", "--simulate", 2)
    result = match("skirmish_wars", **WARS, simulate=2)
    assert run(*words).stdout == f"{result!r}\n"
    printed = json.loads(run(*words, "--json").stdout)
    assert printed == json.loads(json.dumps(result.to_dict()))
    assert {"p_a", "p_b", "p_draw", "p_a_ci", "trials", "seed", "player_a", "board", "mission", "sentence"} <= set(
        printed
    )
    alone = run(*words[:-2], "--explain").stdout
    assert alone == f"{result.explain()}\n"
    assert run(*words[:-4], "--player", "greedy,random", "--player-a", "random").exit_code == 2
    for name in ("--player", "--player-a"):
        assert "player: found '', expected one of" in run(*words[:-4], name, "").stderr


@pytest.mark.slow
def test_command__several_players_play_both_sides_one_after_another() -> None:
    words = ("--game", "skirmish_wars", "--board", "last_stand", "--rounds", 2, "--simulate", 1)
    printed = json.loads(run(*words, "--player", "random,greedy", "--json").stdout)
    gaps = "--game", "skirmish_wars", "--board", "last_stand", "--rounds", 3, "--simulate", 6, "--player"
    assert re.search(r"\+0\.0000 \[-0\.\d{4}, \+0\.\d{4}\] ", run(*gaps, "random,greedy").stdout)
    alone = [json.loads(run(*words, "--player", name, "--json").stdout) for name in ("random", "greedy")]
    assert printed["players"] == alone
    assert run(*words, "--player", "random,greedy").stdout.endswith(f"{printed['sentence']}\n")


@pytest.mark.slow
def test_command__a_row_of_each_player_has_the_numbers_of_json() -> None:
    words = "--game", "skirmish_wars", "--board", "last_stand", "--rounds", 6, "--simulate", 12, "--player"
    lines = run(*words, "random,greedy").stdout.splitlines()
    head, *rows = (re.split(r" {2,}", line) for line in lines[2:5])
    assert head == ["player", "p_a", "p_b", "p_draw", "score_a", "first_turn_gap", "player_turns", "trials"]
    found = json.loads(run(*words, "random,greedy", "--json").stdout)["players"]
    assert any(one["p_a"] != one["p_b"] for one in found)
    for cells, one in zip(rows, found, strict=True):
        texts = ["{:.4f} [{:.4f}, {:.4f}]".format(one[name], *one[f"{name}_ci"]) for name in ("p_a", "p_b", "p_draw")]
        assert cells[:4] == [one["player_a"], *texts]
        assert float(cells[4].split()[0]) == pytest.approx(one["p_a"] + one["p_draw"] / 2, abs=5e-5)
        ends = one["player_turns_ci"]  # none of matches that all last as long
        turns = f"{one['player_turns']:.1f}" + (f" [{ends[0]:.1f}, {ends[1]:.1f}]" if ends else "")
        assert cells[6:] == [turns, "12"]
    assert found[1]["player_turns_ci"]


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (((0.2, 0.1, 0.3), (0.8, 0.7, 0.9)), "depends on who plays, even who is ahead"),
        (((0.6, 0.55, 0.65), (0.8, 0.7, 0.9)), "the answer depends on who plays."),
        (((0.5, 0.45, 0.55), (0.8, 0.7, 0.9)), "the answer depends on who plays."),  # who may be even isn't behind
        (((0.5, 0.4, 0.6), (0.55, 0.45, 0.65)), "who plays may make no difference"),
        (((0.2, 0.1, 0.3), (0.2, 0.1, 0.3), (0.8, 0.7, 0.9)), "even who is ahead"),  # the last of three with the first
    ],
)
def test_sentence__says_whether_the_answer_depends_on_who_plays(
    scores: tuple[tuple[float, float, float], ...], said: str
) -> None:
    one = match("skirmish_wars", **WARS, simulate=1)
    won = np.linspace(0, 1, 400, endpoint=False)
    results = tuple(
        replace(one, p_a=p, p_draw=0.0, score_a_ci=(low, high), scores=np.where(order < p, 1.0, 0.0))
        for (p, low, high), order in zip(scores, (won, won[::-1], won), strict=False)
    )
    assert said in aab.ByPlayer(results).sentence()


def test_depends__a_change_whose_interval_ends_at_nothing_may_be_nothing() -> None:
    one, other = (0.4, (0.3, 0.5)), (0.5, (0.4, 0.6))
    assert "that may be nothing" in depends(one, other, (0.1, (0.0, 0.2)))
    assert "that may be nothing" in depends(other, one, (-0.1, (-0.2, 0.0)))
    assert "the answer depends on who plays" in depends(one, other, (0.1, (0.01, 0.2)))


def test_sentence__between_players_is_of_pairs_of_matches() -> None:
    one, rng = match("skirmish_wars", **WARS, simulate=1), np.random.default_rng(1)
    first = rng.choice([0.0, 0.5, 1.0], 400)
    each = first, np.where(rng.random(400) < 0.2, 1.0, first)
    results = tuple(
        replace(one, p_a=float(of.mean()), p_draw=0.0, score_a_ci=wilson(float(of.sum()), 400), scores=of)
        for of in each
    )
    half = 100 * float(np.std(each[1] - each[0])) * 1.966 / 20
    moved, low, high = map(float, re.findall(r"[+-]\d+\.\d", aab.ByPlayer(results).sentence())[:3])
    assert moved == pytest.approx(100 * (each[1] - each[0]).mean(), abs=0.06)
    assert (high - low) / 2 == pytest.approx(half, abs=0.06)


def test_scores__are_those_of_the_matches() -> None:
    assert scores(np.array([base.WON_BY_B, base.DRAWN, base.WON_BY_A])).tolist() == [0, 0.5, 1]
    drawn = match("skirmish_wars", **WARS, simulate=3)
    won = match("armored_advance", list_a="de_tiger1", list_b="us_m4a1", board="small", simulate=2)
    assert (drawn.scores.tolist(), drawn.p_draw) == ([0.5] * 3, 1)
    assert (won.scores.tolist(), won.p_a) == ([1, 1], 1)


@pytest.mark.parametrize("board", [None, 3, ["crossing"]])
def test_match__a_board_is_a_name_or_a_board(board: Any) -> None:
    with pytest.raises(aab.UsageError, match=r"^board: found .*, expected one of crossing, "):
        aab.Game("skirmish_wars").match("tank", "tank", board=board)


WARRING = ("tank", "tank", "--board", "crossing", "--game", "skirmish_wars")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("tank", "--board", "crossing", "--game", "skirmish_wars"),
            "lists: found 1, expected two, or none where the b",
        ),
        (("us_m60a3", "--board", "skirmish", "--game", "modern_land_battles"), "lists: found 1, expected two\n"),
        ((*WARRING, "--board", "x"), "board: found 'x', expected one of"),
        (("--board", "x", "--with", "seed=1"), "--with: found seed, expected the option of this name"),
        ((*WARRING, "--with", "money=x"), "with money: found 'x', expected a valid integer"),
        ((*WARRING, "--with", "money={a = 1}"), "with money: found { a = 1 }, expected a value for b"),
        ((*WARRING, "--with", "money={}"), "with money: found {}, expected"),
        ((*WARRING, "--with", "money={a={b={c={d=1}}}}"), "with money: found { a = { b = { c = {...} } } }, expected"),
        (("--board", "x", "--player", "random,greedy", "--replay", "x.html"), "--player: found 'random,greedy' with"),
        (("--board", "x", "--player", "random,greedy", "--luck"), "--player: found 'random,greedy' with"),
        (("--board", "x", "--without-a", "load", "--luck"), "--without-a: found it with --luck, expected it"),
        (("--board", "x", "--without-a", "load", "--player-a", "greedy"), "--without-a: found it with --player-a or"),
        (("--board", "x", "--without-a", "load", "--target-error", "0.1"), "--without-a: found it with --target-error"),
        (
            ("--game", "armour_battles", "--board", "crossroads", "--with", "army={foo=9}"),
            "with army.a.foo: found 9, expected no such field",
        ),
        (("--board", "x", "--player", "random,,greedy"), "board: found 'x', expected one of"),
        (("--board", "x", "--player", "random,random"), "players: found random, random, expected at least one, and"),
    ],
)
def test_command__exits_with_2_and_a_line(words: tuple[str, ...], said: str) -> None:
    ran = run(*words)
    assert ran.exit_code == 2
    assert ran.stderr.startswith(f"error: {said}")
    assert ran.stderr.count("\n") == 1


def forumini_condition(unit: Mapping[str, Any], *, is_soldier: bool) -> set[str]:
    """The counters of a unit by the words of its state, as the rulebook calls them."""
    named = {"pinned": "Pinned", "worse": "Demoralized" if is_soldier else "Damaged"}
    face_down = {f"{unit['down']} counter{'s' * (unit['down'] > 1)} face down"} if unit["down"] else set()
    return {name for key, name in named.items() if unit[key]} | face_down


@pytest.mark.slow
def test_explain__names_the_conditions_of_units() -> None:
    question = {"list_a": "de_panzergrenadier*3,de_nashorn,de_tiger_i", "list_b": "su_t_34_85*3,us_m1_garand_rifle*3"}
    result = match("forumini", **question, board="crossroads", rounds=5, player_a="greedy", player_b="greedy")
    before, told, seen = result.played.first.scene, result.explain().rows, Counter[str]()
    for step, row in zip(result.played.first.steps, told, strict=True):
        for piece in step.scene.pieces:
            is_soldier = piece.card in ("de_panzergrenadier", "us_m1_garand_rifle")
            expected = forumini_condition(step.state["units"][piece.mark], is_soldier=is_soldier)
            assert {*filter(None, piece.condition.split(", "))} == expected
            was = next(one for one in before.pieces if one.mark == piece.mark)
            if was.condition != piece.condition:
                said = piece.condition or f"no longer {was.condition}"
                assert re.search(rf"{piece.mark} {piece.card} (\d to \d left, )?{said}(;|, now at|$)", row[4])
            seen.update(expected)
        before = step.scene
    assert {"Pinned", "Demoralized", "Damaged"} <= seen.keys()


def test_changes__say_strength_and_condition() -> None:
    unit = Piece("b1", "pak", "b", "anti_tank", (1, 1), 4, 4)
    after = {
        "b1 pak 4 to 2 left": unit._replace(strength=2),
        "b1 pak 4 to 2 left, suppressed": unit._replace(strength=2, condition="suppressed"),
        "b1 pak suppressed": unit._replace(condition="suppressed"),
        "b1 pak is destroyed": None,
    }
    for said, piece in after.items():
        pieces = [] if piece is None else [piece]
        assert [*_changes(scene_of([unit]), scene_of(pieces))] == [said]
    ailing = scene_of([unit._replace(strength=3, condition="suppressed")])
    assert [*_changes(ailing, scene_of([unit]))] == ["b1 pak 3 to 4 left, no longer suppressed"]
    assert [*_changes(ailing, ailing)] == []


@pytest.mark.parametrize("action", ["a1 fire b1", "b1 breakoff 0", "b2 move 12,1", "pass"])
def test_changes__say_where_units_are_whose_place_the_action_does_not_name(action: str) -> None:
    unit = Piece("b1", "pak", "b", "anti_tank", (1, 1), 4, 4)
    before, after = scene_of([unit]), scene_of([unit._replace(at=(2, 1), strength=2)])
    assert [*_changes(before, after, action)] == ["b1 pak 4 to 2 left, now at 2,1"]
    assert [*_changes(before, after, "b1 move 2,1")] == ["b1 pak 4 to 2 left"]
    assert [*_changes(before, after)] == ["b1 pak 4 to 2 left"]  # on a map of areas
    assert [*_changes(before, scene_of([unit._replace(at=None)]), action)] == []  # it rides, or waits


@pytest.mark.slow
def test_explain__says_where_units_break_off_to() -> None:
    result = match("armour_battles", board="crossroads", player_a="random", player_b="random")
    before, told, moved = result.played.first.scene, result.explain().rows, Counter[str]()
    for step, row in zip(result.played.first.steps, told, strict=True):
        was = {piece.mark: piece.at for piece in before.pieces}
        for piece in step.scene.pieces:
            if piece.at and piece.mark in was and piece.at != was[piece.mark]:
                assert "{},{}".format(*piece.at) in f"{step.action} {row[4]}"
                moved[step.action.split()[1]] += 1
        before = step.scene
    assert moved["breakoff"] + moved["react"]


def test_changes__say_what_cards_a_side_draws_and_not_what_it_plays() -> None:
    before, after = (
        scene_of([])._replace(hands=dict(zip("ab", hands, strict=True)))
        for hands in [({"cover": 1, "raid": 1}, {"missile": 2}), ({"cover": 3, "missile": 1}, {"missile": 1})]
    )
    assert [*_changes(before, after)] == ["a draws 2 cover, missile"]


def test_changes__say_who_holds_what_now_and_what_nobody_holds_any_more() -> None:
    before, after = scene_of([]), scene_of([])._replace(owners={(2, 7): "a", (4, 4): "b"})
    assert [*_changes(before, after)] == ["a holds 2,7", "b holds 4,4"]
    assert [*_changes(after, after._replace(owners={(2, 7): "b"}))] == ["b holds 2,7", "nobody holds 4,4"]


def test_changes__say_who_scores_points_and_not_who_loses_requisition() -> None:
    before, after = (scene_of([])._replace(score={"points": points}) for points in ((1, 0), (1, 2)))
    assert [*_changes(before, after)] == ["b scores 2"]
    poorer = (scene_of([])._replace(score={"requisition left": left}) for left in ((70, 70), (70, 0)))
    assert [*_changes(*poorer)] == []


@pytest.mark.parametrize(
    ("need", "met"), [(4, [False, False, True, True]), (-3, [True, True, False, False]), (0, [False] * 4)]
)
def test_roll__meets_its_need_at_the_number_itself(need: int, met: list[bool]) -> None:
    assert Roll(6, need, [1, 3, 4, 6]).met == met


def scene_of(pieces: list[Piece]) -> Scene:
    return Scene(round=1, pieces=pieces, owners={}, cleared=(), score={})


@pytest.mark.slow
def test_explain__says_of_skirmish_wars_the_most_that_a_die_may_show() -> None:
    """Section 3.4a: the chart has hits, and one more where the die shows its second number or less."""
    cells = {cell for row in CHART.values() for cell in row}
    result, seen = match("skirmish_wars", board="last_stand", rounds=6), Counter[bool]()
    for step, row in zip(result.played.first.steps, result.explain().rows, strict=True):
        changed = re.findall(r"(\d) to (\d)", row[4])
        if len(step.dice) != 1 or len(changed) != 1 or "destroyed" in row[4]:
            continue
        [roll], (had, has) = step.rolls, map(int, changed[0])
        most = int(row[3].removeprefix(f"D6 {step.dice[0]} for ").removesuffix(" or less"))
        hit = step.dice[0] <= most
        assert roll.met == [hit]
        assert f"{had - has - hit} {most}" in cells
        seen[hit] += 1
    assert min(seen[False], seen[True]) > 0


@pytest.mark.slow
def test_explain__says_what_dice_have_to_show_roll_by_roll() -> None:
    """Armour Battles: 20.4" are beyond the middle range of 14" and within 28", so 6 dice of fire need 5, reaction 4."""
    question = {"list_a": "us_m4_75*2,us_105", "list_b": "de_pz4h,de_puma", "board": "crossroads"}
    result = match("armour_battles", **question, rounds=1, seed=3, player_a="greedy", player_b="greedy")
    steps, rows = result.played.first.steps, result.explain().rows
    at = next(at for at, step in enumerate(steps) if step.action == "b1 react")
    assert [steps[at - 2].action, steps[at - 1].action] == ["a2 to 2,5", "a2 fire b1"]
    assert "de_pz4h" in next(piece.card for piece in steps[at].scene.pieces if piece.at == (7, 4))
    fire, reaction = steps[at].dice[:6], steps[at].dice[6:]
    assert steps[at].rolls == [(6, 5, list(fire)), (6, 4, list(reaction))]
    assert len(reaction) == 5
    assert rows[at][3] == f"D6 {', '.join(map(str, fire))} for 5+, D6 {', '.join(map(str, reaction))} for 4+"


@pytest.mark.slow
def test_explain__tells_the_luck_of_both_sides_dice() -> None:
    result = match("skirmish_wars", board="last_stand", rounds=6)
    told, log = result.explain(), result.played.first
    a, b = (sum(step.luck for step in log.steps if step.side == side) for side in "ab")
    assert f"luck: a {100 * a:+.1f}, b {-100 * b:+.1f}, in points" in told
    lines = dict(line.split(": ", 1) for line in told.splitlines() if line.startswith("luck by "))
    rounds = re.findall(r"a ([+-]\d+\.\d), b ([+-]\d+\.\d)", lines["luck by round"])
    assert 1 < len(rounds) < 6  # without dice there is no luck
    units = re.findall(r"([ab])\d+ ([+-]\d+\.\d)", lines["luck by unit"])
    for at, (side, own) in enumerate((("a", a), ("b", -b))):  # each is rounded
        assert sum(float(one[at]) for one in rounds) == pytest.approx(100 * own, abs=0.4)
        assert sum(float(luck) for mark, luck in units if mark == side) == pytest.approx(100 * own, abs=0.4)
    dice = next(step for step in log.steps if abs(step.luck) >= 0.01)
    assert dice.action.split()[0] in dict.fromkeys(re.findall(r"[ab]\d+", lines["luck by unit"]))
    most = max(range(len(log.steps)), key=lambda at: abs(log.steps[at].luck))
    step = log.steps[most]
    assert step.dice
    assert told.rows[most][4].endswith(f"luck {100 * step.luck * (1 if step.side == 'a' else -1):+.1f}")
