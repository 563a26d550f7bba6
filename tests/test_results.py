"""How results read: never is not rarely, always is not nearly always, and both sides of a duel say so alike."""

from __future__ import annotations

import copy
import html
import json
import math
import pickle
import re
from dataclasses import fields, replace
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import pandas as pd
import pytest
from handmade import ai, at, squad, vehicle
from meetings import game_of

import aabalance as aab
from aabalance.analysis.fairness import Fairness
from aabalance.analysis.ladder import Ladder
from aabalance.analysis.matches import Matches
from aabalance.analysis.without import Without
from aabalance.diff.compare import Comparison
from aabalance.engine import sampling
from aabalance.engine.outcome import Outcome, first_turn_gap
from aabalance.lists.metagame import Metagame
from aabalance.play.battle import BattleResult, _ratio
from aabalance.play.duel import DuelResult
from aabalance.play.explanation import Explanation, Legend
from aabalance.play.result import (
    actions_a_turn,
    is_worth,
    percent,
    percent_with_interval,
    points_with_interval,
    ratio_in_words,
    side_names,
    wins,
)
from aabalance.play.shot import ShotResult
from aabalance.pricing.fair_prices import Residuals
from aabalance.pricing.worth_report import WorthReport
from aabalance.rulesets import OURS
from aabalance.rulesets.base import Bracket, HitPointDuel, Holding, Volley

LAST_BIT = 0.9999999999999999


def lines(result):
    return dict(line.split("  ", 1) for line in repr(result).splitlines())


def duel(p_a, p_b, p_draw, **more):
    words = {"a": "A", "b": "B", "range_in": 6.0, "length": '"', "situation": "", "first": "roll_off", "rounds": None}
    values = {"posture_a": "hold", "posture_b": "hold", "player_turns": 1.0, "engine": "exact", "trace": None}
    values |= {"p_a_moving_first": None, "p_a_moving_second": None, "first_turn_gap": None}
    return DuelResult(**{**words, **values, **more}, p_a=p_a, p_b=p_b, p_draw=p_draw)


@pytest.mark.parametrize(
    ("odds", "said"),
    [
        ((1.0, 0.0, 0.0), ("1.0000", "0.0000", "0.0000")),
        ((LAST_BIT, 0.0, 0.0), ("1.0000", "0.0000", "0.0000")),
        ((1.0000000000000002, 0.0, -0.0), ("1.0000", "0.0000", "0.0000")),
        ((0.0, LAST_BIT, -1e-16), ("0.0000", "1.0000", "0.0000")),
        ((-0.0, 0.0, 1.0), ("0.0000", "0.0000", "1.0000")),
        ((LAST_BIT, 1e-20, 0.0), (">0.9999", "<0.0001", "0.0000")),
        ((LAST_BIT, 1e-20, -1e-16), (">0.9999", "<0.0001", "0.0000")),
        ((0.0, 1.0, 1e-49), ("0.0000", ">0.9999", "<0.0001")),
        ((0.99996, 0.00004, 0.0), (">0.9999", "<0.0001", "0.0000")),
        ((0.99994, 0.00006, 0.0), ("0.9999", "0.0001", "0.0000")),
        ((0.5, 0.25, 0.25), ("0.5000", "0.2500", "0.2500")),
    ],
)
def test_duel__both_sides_say_alike_what_is_certain(odds, said):
    found = lines(duel(*odds))
    assert tuple(found[name].strip() for name in ("A wins", "B wins", "draw")) == said


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(130.23, "130"), (99.96, "100"), (5.2, "5.20"), (4321.0, "4321"), (0.0, "0.00"), (math.inf, "inf")],
)
def test_ratio_in_words__has_three_digits_and_no_point_behind_the_last(ratio, said):
    assert ratio_in_words(ratio) == said


def test_ratio__what_rounding_left_of_no_losses_is_none() -> None:
    """A side that loses 1e-15 of a unit has lost nothing: the ratio is infinite, and not a thousand million million."""
    assert _ratio(2.0, 4.0) == 0.5
    assert _ratio(1.0, 1e-15) == math.inf
    assert _ratio(1e-15, 1.0) == 0
    assert math.isnan(_ratio(1e-15, 0.0))
    assert math.isnan(_ratio(1e-15, 1e-15))


def test_points_with_interval__have_no_negative_zero():
    assert points_with_interval(-0.0001, (-0.0004, 0.0002)) == "+0.0 points in 100 (+0.0 to +0.0)"
    assert points_with_interval(-0.0, (-0.012, 0.0)) == "+0.0 points in 100 (-1.2 to +0.0)"


@pytest.mark.parametrize(
    ("interval", "open_"), [((0.1, 0.3), False), ((-0.1, 0.3), True), ((0.0, 0.3), True), ((-0.3, -0.1), False)]
)
def test_is_worth__what_is_surely_worth_less_than_nothing_is_not_open(interval, open_):
    assert is_worth("going first", sum(interval) / 2, interval).endswith("may be worth nothing.") == open_


def test_repr_html__of_a_result_shows_names_as_they_are():
    page = duel(0.7, 0.2, 0.1, a="<i>A</i>")._repr_html_()
    assert "<i>" not in page
    assert "&lt;i&gt;A&lt;/i&gt; wins</th>" in page
    assert ">&lt;i&gt;A&lt;/i&gt; wins 70.0 %, B wins" in page  # the value of the last line, too


def test_duel__both_gone_is_a_way_not_to_win():
    found = lines(duel(LAST_BIT, 0.0, 0.0, p_both_destroyed=1e-9))
    assert (found["A wins"].strip(), found["both destroyed"].strip()) == (">0.9999", "<0.0001")


def test_battle__what_rounding_alone_leaves_is_no_chance():
    solved = aab.Game().battle("de_tiger1", "us_m24", range_in=18, actions=2)
    found = lines(replace(solved, p_a=1.0, p_b=1e-17, p_draw=0.0))
    assert found["Tiger I (Ausf. E) wins"].strip() == "1.0000"


@pytest.mark.parametrize(("kind", "left_out"), [(DuelResult, "trace"), (BattleResult, "replay")])
def test_to_dict__has_each_field_of_a_fight_once(kind, left_out):
    names = kind._keys.split()
    assert len(names) == len(set(names))
    assert set(names) == {one.name for one in fields(kind)} - {"length", "currency", "provenance", left_out}


def test_duel__each_order_of_turns_reads_well():
    found = lines(duel(0.75, 0.25, 0.0, p_a_moving_first=LAST_BIT, p_a_moving_second=-0.0))
    assert found["A first / second"] == "1.0000 / 0.0000"
    found = lines(duel(0.75, 0.25, 0.0, p_a_moving_first=0.99999, p_a_moving_second=0.00001))
    assert found["A first / second"] == ">0.9999 / <0.0001"


def test_duel__interval_of_a_simulation_reads_well():
    limits = {"p_a_ci": (0.9997, 1.0), "p_b_ci": (0.0, 0.00001), "p_draw_ci": (0.0, 0.0003)}
    found = lines(duel(1.0, 0.0, 0.0, engine="monte_carlo", trials=9, seed=0, **limits))
    assert found["A wins"].strip() == "1.0000 [0.9997, 1.0000]"
    assert found["B wins"].strip() == "0.0000 [0.0000, <0.0001]"


def test_duel__against_a_harmless_enemy_is_certain_in_words():
    """7/12 a turn until it hits: nothing else can happen, however the chances were added up."""
    for range_in in (6, 24):
        found = lines(aab.Game().duel(vehicle(armor=9), vehicle(at(penetration=1), hp=10), range_in=range_in))
        ends = [value.strip() for name, value in found.items() if name.endswith((" wins", "draw"))]
        assert ends == ["1.0000", "0.0000", "0.0000"]


def test_duel__chance_of_nothing_has_no_sign():
    """A howitzer of Armour Battles that a self-propelled gun can't hurt: the solver's zero had a minus."""
    game = aab.Game("armour_battles")
    for a, b in (("de_stug3", "de_lefh18"), ("de_lefh18", "de_stug3")):
        for range_in in (1, 2, 3):
            found = game.duel(a, b, range_in=range_in)
            assert "-0" not in repr(found)
            assert "-0.0" not in json.dumps(found.to_dict())


@pytest.mark.parametrize(("a", "b", "distance"), [("de_tiger1", "us_m24", 30), ("fr_b1bis", "de_pz38t", 12)])
def test_duel__no_chance_is_above_1_by_rounding(a, b, distance):
    found = aab.Game().duel(a, b, range_in=distance).to_dict()
    assert max(found[name] for name in ("p_a", "p_b", "p_draw", "p_a_moving_first", "p_a_moving_second")) == 1


def test_duel__best_play_leaves_no_remainder_for_a_draw():
    """A gun that nothing stops closes in and can't miss any more: no duel is left undecided."""
    a, b = vehicle(at(penetration=20), armor=9), vehicle(at(penetration=8), hp=10)
    assert aab.Game().duel(a, b, range_in=24, posture_a="optimal", rounds=4).p_draw == 0


SAID = "A wins 70.0 %, B wins 20.0 %, 10.0 % are drawn: "
LEADS = "that favours A by 50.0 points in 100. Who moves first counts for "
ROLLED = {"p_a_ci": (0.6, 0.9), "p_b_ci": (0.1, 0.4), "trials": 30, "engine": "monte_carlo"}
OF_60 = "A wins 60.0 % (60.0 % to 90.0 %), B wins 20.0 % (10.0 % to 40.0 %), 20.0 % are drawn"
OF_30 = "A wins 80.0 % (60.0 % to 90.0 %), B wins 20.0 % (10.0 % to 40.0 %)"


@pytest.mark.parametrize(
    ("odds", "more", "said"),
    [
        ((0.7, 0.2, 0.1), {"first_turn_gap": 0.3}, f"{SAID}{LEADS}less: the first turn is worth 30.0 points in 100."),
        ((0.7, 0.2, 0.1), {"first_turn_gap": 0.6}, f"{SAID}{LEADS}more: the first turn is worth 60.0 points in 100."),
        ((0.7, 0.2, 0.1), {"first_turn_gap": -0.6}, f"{SAID}{LEADS}more: the first turn is worth -60.0 points in 100."),
        (
            (0.2, 0.7, 0.1),
            {"first": "b"},
            "A wins 20.0 %, B wins 70.0 %, 10.0 % are drawn: that favours B by 50.0 points in 100. "
            "B moves first in all of them.",
        ),
        ((0.7, 0.2, 0.1), {"first": "b"}, f"{SAID}that favours A by 50.0 points in 100. B moves first in all of them."),
        (
            (0.5, 0.5, 0.0),
            {"first_turn_gap": 0.0},
            "A wins 50.0 %, B wins 50.0 %: that favours neither. Who moves first makes no difference.",
        ),
        (
            (0.6, 0.4, 0.0),
            {"p_a_ci": (0.45, 0.75), "p_b_ci": (0.25, 0.55), "trials": 30, "engine": "monte_carlo", "first": "a"},
            "A wins 60.0 % (45.0 % to 75.0 %), B wins 40.0 % (25.0 % to 55.0 %): after 30 duels, who is favoured is "
            "open. A moves first in all of them.",
        ),
        (
            (1.0, 0.0, 0.0),
            {"p_a_ci": (0.2, 1.0), "p_b_ci": (0.0, 0.8), "trials": 1, "engine": "monte_carlo"},
            "A wins 100.0 % (20.0 % to 100.0 %), B wins 0.0 % (0.0 % to 80.0 %): after 1 duel, who is favoured is "
            "open. One duel doesn't tell what the first turn is worth.",
        ),
        (
            (1.0, 0.0, 0.0),
            {"p_both_destroyed": 0.0},
            "A wins 100.0 %, B wins 0.0 %: that favours A by 100.0 points in 100. Both strike at once.",
        ),
        (
            (0.6, 0.2, 0.1),
            {"p_both_destroyed": 0.1},
            "A wins 60.0 %, B wins 20.0 %, 10.0 % are drawn, 10.0 % destroy both: that favours A by 40.0 points in "
            "100. Both strike at once.",
        ),
        (
            (0.8, 0.2, 0.0),
            ROLLED | {"first_turn_gap": 0.3, "first_turn_gap_ci": (0.1, 0.5)},
            f"{OF_30}: that favours A. Going first is worth +30.0 points in 100 (+10.0 to +50.0).",
        ),
        (
            (0.8, 0.2, 0.0),
            ROLLED | {"first_turn_gap": 0.0, "first_turn_gap_ci": (-0.2, 0.2)},
            f"{OF_30}: that favours A. Going first is worth +0.0 points in 100 (-20.0 to +20.0), so it may be worth "
            "nothing.",
        ),
        (
            (0.6, 0.2, 0.2),
            ROLLED | {"first_turn_gap": 0.0, "first_turn_gap_ci": (-0.2, 0.2)},
            f"{OF_60}: that favours A. Going first is worth +0.0 points in 100 (-20.0 to +20.0), a draw counted as "
            "half a win, so it may be worth nothing.",
        ),
    ],
)
def test_sentence__says_who_is_favoured_how_surely_and_how_much_the_first_turn_is(odds, more, said):
    assert duel(*odds, **more).sentence() == said


def one_on_one(game: str, a: str, b: str, **given: Any) -> Any:
    return lambda **sample: game_of(game).duel(a, b, **given, **sample)


FIGHTS = {
    "duel": one_on_one("armored_advance", "us_m4a3_75w", "de_stug3g", range_in=18),
    "limited": one_on_one("armored_advance", "us_m4a3_75w", "de_stug3g", range_in=24, rounds=3),
    "at once": one_on_one("forumini", "us_m4a1_sherman", "de_panzer_iv_ausf_g", range_in=1),
    "battle": lambda **sample: game_of("armored_advance").battle(
        "de_tiger1*2", "su_t34_85*3", range_in=18, actions=5, **sample
    ),
    "timed": lambda **sample: game_of("armored_advance").battle(
        "de_stug3g*2", "us_m24*3", range_in=18, actions=3, mode="timed", rounds=3, **sample
    ),
}
NOT_ROLLED = {"range_in"}


@pytest.mark.parametrize("kind", FIGHTS)
def test_simulated__every_number_has_an_interval_that_holds_what_is_exact(kind: str) -> None:
    """Of 60 intervals at 95 %, fewer than 50 hold the number less than once in a thousand times."""
    exact = FIGHTS[kind]().to_dict()
    numbers = {name for name, value in exact.items() if isinstance(value, float)} - NOT_ROLLED
    assert numbers >= {"p_a", "p_b", "p_draw", "player_turns"}
    hits = dict.fromkeys(numbers, 0)
    for seed in range(60):
        rolled = FIGHTS[kind](simulate=201, seed=seed)
        told = rolled.to_dict()
        assert {name for name, value in told.items() if isinstance(value, float)} == numbers | NOT_ROLLED
        for name in numbers:
            low, high = told[f"{name}_ci"]
            assert low <= told[name] <= high
            hits[name] += low <= exact[name] <= high
    assert min(hits.values()) >= 50, hits
    words = "duel", "battle", "requisition", "in words"
    written = [value.strip() for name, value in lines(rolled).items() if name not in words]
    assert all(part.count("[") == 1 for value in written if value[0].isdigit() for part in value.split(" / ")), written


@pytest.mark.parametrize("simulate", [1, 2, 3, 5])
@pytest.mark.parametrize("kind", FIGHTS)
def test_simulated__few_trials_are_counted_one_by_one(kind: str, simulate: int) -> None:
    """An odd number isn't the mean of both orders, one of which is played once more."""
    told = FIGHTS[kind](simulate=simulate).to_dict()
    for name in ("p_a", "p_b", "p_draw"):
        count = told[name] * simulate
        assert count == pytest.approx(round(count), abs=1e-9)
        assert told[f"{name}_ci"] == sampling.wilson(round(count), simulate)
    assert told["trials"] == simulate
    assert told["player_turns"] * simulate == pytest.approx(round(told["player_turns"] * simulate))


def test_simulated__what_trials_tell_nothing_about_has_no_interval_and_its_columns() -> None:
    once = FIGHTS["battle"](simulate=1)
    assert (once.player_turns_ci, once.first_turn_gap_ci, once.p_a_moving_second_ci) == (None, None, None)
    assert "player turns" in repr(once)
    assert ", in each trial" in repr(once)
    frame, other = once.to_frame(), FIGHTS["battle"](simulate=100).to_frame()
    assert list(frame) == list(other)
    assert frame["player_turns_ci_low"].isna().item()
    assert (frame.dtypes == other.dtypes).all()


def test_battle__without_losses_is_equal_to_the_same_battle_though_nan_is_not_to_itself() -> None:
    asked: dict[str, Any] = {"range_in": 36, "actions": 1, "rounds": 1}
    found, again, longer = (aab.Game().battle("us_m16", "us_m16", **asked | more) for more in ({}, {}, {"rounds": 2}))
    assert math.isnan(found.loss_exchange_ratio)
    # Python 3.13 compares the fields of a dataclass one by one; before that, the same nan was equal, another wasn't.
    assert (again, hash(again)) == (found, hash(found))
    one, other = (replace(found, loss_exchange_ratio_ci=(float("nan"), 1.0)) for _ in range(2))
    assert (one, hash(one)) == (other, hash(other))
    assert found != longer
    assert found != replace(found, loss_exchange_ratio=1.0)


def test_simulated__an_exchange_without_losses_has_no_upper_end() -> None:
    """A shot of the tank is deadly; those it is aimed at can't hurt it."""
    found = aab.Game().battle(
        [vehicle(at(99, 50), armor=50)], [vehicle(at(1, 1))], range_in=6, actions=1, rounds=1, first="a", simulate=9
    )
    assert found.loss_exchange_ratio == float("inf")
    low, high = found.to_dict()["loss_exchange_ratio_ci"]
    assert (low > 0, high) == (True, None)
    assert ", inf]" in lines(found)["loss / requisition exchange"]


@pytest.mark.slow
def test_simulated__dice_are_those_of_the_units_and_not_of_their_names() -> None:
    asked: dict[str, Any] = {"range_in": 18, "simulate": 100}
    found, renamed = (
        aab.Game(changes=changes).duel("us_m4a1", "de_pz4h", **asked) for changes in ((), ("us_m4a1.name=Emcha",))
    )
    assert renamed.a == "Emcha"
    assert (renamed.p_a, renamed.p_draw, renamed.player_turns) == (found.p_a, found.p_draw, found.player_turns)


def test_explain__of_a_simulated_duel_ends_with_intervals() -> None:
    tail = FIGHTS["at once"](simulate=200).explain().splitlines()[-1]
    assert tail.count(" to ") == tail.count(",") + 1 == 4


def test_actions_a_turn__one_number_if_both_sides_have_it() -> None:
    limits = (5, 5), (5, 3), (1, 1), ()
    assert [actions_a_turn(each) for each in limits] == [
        "5 actions a turn",
        "5/3 actions a turn",
        "1 action a turn",
        "",
    ]


def test_wins__of_several_units_is_a_plural_but_of_a_list_that_is_not_named() -> None:
    several = "3 Tiger I"
    assert wins(several, "M24", (3, 1)) == ("3 Tiger I win", "M24 wins")
    assert wins("bought units", "M24", (0, 1)) == ("bought units win", "M24 wins")
    assert wins(", ".join([several] * 9), several, (27, 3)) == ("list a wins", "3 Tiger I win")


def test_side_names__tell_mirrors_apart_and_leave_long_lists_out():
    assert side_names("A", "B") == ("A", "B")
    assert side_names("A", "A") == ("A (a)", "A (b)")
    assert side_names("A", "B, " * 20) == ("A", "list b")
    assert side_names("A", forty := "B, " * 13 + "B") == ("A", forty)
    assert side_names("A", "B" * 60) == ("A", "B" * 60)  # one unit is no list


def test_battle__says_what_both_lists_cost_and_how_many_units_they_have():
    tiger, t34 = vehicle(name="Tiger", requisition=145), vehicle(name="T-34", requisition=100)
    battle = aab.Game().battle([tiger] * 2, [t34] * 3, range_in=18, actions=5)
    told = battle.to_dict()
    assert [told[name] for name in ("requisition_a", "requisition_b", "units_a", "units_b")] == [290, 300, 2, 3]
    assert lines(battle)["requisition"].strip() == "290 v 300, 2 v 3 units"
    assert told["sentence"].startswith("2 Tiger win ")


def test_battle__policies_and_what_is_left_are_said_of_their_own_side() -> None:
    """A hit of the tank destroys one of two that can't hurt it."""
    harmless = vehicle(at(1, 1), name="B", requisition=10)
    tank = vehicle(at(9, 99), armor=50, name="A", requisition=75)
    asked: dict[str, Any] = {"range_in": 6, "actions": 1, "mode": "timed", "rounds": 1, "first": "a"}
    battle = aab.Game().battle([tank], [harmless] * 2, policy_a="focus", policy_b="list_order", **asked)
    assert lines(battle)["policies"].strip() == "focus v list_order"
    # At 6 inches a 1 alone misses, and is rolled again, as nobody has moved: 35 of 36 shots hit.
    assert (battle.left_a, battle.left_b) == (1, pytest.approx(2 - 35 / 36))
    assert lines(battle)["units left"].strip() == "1.00 / 1.03"
    assert lines(battle)["requisition left"].strip() == "75.0 / 10.3"
    assert lines(battle)["battle"].endswith(', 6", front, first: a')
    uneven = replace(battle, loss_exchange_ratio=0.5, requisition_exchange_ratio=2.0)
    assert lines(uneven)["loss / requisition exchange"].strip() == "0.500 / 2.00"


@pytest.mark.parametrize(
    ("p_damage", "p_kill", "said"),
    [
        (1.0, 0.0, "A hurts B with 100.0 % of attacks, 3.00 hits an attack on average; none destroys it at once."),
        (0.9999, 1e-5, "A hurts B with >99.9 % of attacks, 3.00 hits an attack on average; <0.1 % destroy it at once."),
        (0.5833, 0.25, "A hurts B with 58.3 % of attacks, 3.00 hits an attack on average; 25.0 % destroy it at once."),
        (0.0, 0.0, "A can't hurt B."),
    ],
)
def test_shot__ends_in_a_sentence(p_damage, p_kill, said):
    shot = ShotResult("A", "B", "gun", 6.0, '"', "hits", "", 1, 6, {}, {}, p_damage, 3.0, p_kill, ())
    assert repr(shot).endswith(f"\nin words         {said}")
    assert shot.to_dict()["sentence"] == said
    assert shot.explain().endswith(f"\n  => {said}")


def test_first_turn_gap__of_equal_outcomes_is_exactly_0() -> None:
    """Where both sides strike at once, a table said that the first turn is worth <0.1 %."""
    same = Outcome(0.7, 0.1, 0.2, 0.0, 3.0)
    assert first_turn_gap(same, same) == 0


def test_shot__several_sequences_are_counted_and_one_is_not() -> None:
    weapons = [
        lines(aab.Game().shot(vehicle(**more), vehicle(), range_in=6))["weapon"].strip()
        for more in ({}, {"keywords": {"autocannon": 2}})
    ]
    assert weapons == ["weapon 1", "weapon 1, 2 sequences"]
    pool = aab.Game("armour_battles").shot("de_stug3", "us_m4_76", range_in=12)
    assert lines(pool)["weapon"].strip() == "75L48, 8 dice"


def test_shot__of_a_gun_that_is_too_weak_says_why() -> None:
    shot = aab.Game().shot(vehicle(at(4)), vehicle(name="wall"), range_in=6)
    told = {name: said.strip() for name, said in lines(shot).items()}
    assert (told["need"], told["no effect"]) == ("impossible", "penetration 4 - armour 8 = -4")
    assert shot.sentence() == "unit can't hurt wall: penetration 4 - armour 8 = -4."


def test_shot__amounts_rise_from_none() -> None:
    """None, one or both of the sequences hit, for 10 hit points each."""
    shot = aab.Game().shot(vehicle(keywords={"autocannon": 2}), vehicle(), range_in=6)
    assert list(shot.damage) == [0, 10, 20]
    assert list(shot.to_dict()["damage"]) == ["0", "10", "20"]


@pytest.mark.parametrize(
    ("share", "interval", "said"),
    [
        (0.5, None, "50.0 %"),
        (0.5, (0.48, 0.52), "50.0 % (48.0 % to 52.0 %)"),
        (0.5, (0.5, 0.5), "50.0 % (50.0 % to 50.0 %)"),
        (0.9999, (0.9996, 0.99999), ">99.9 %"),
        (0.9999, (0.998, 0.99999), ">99.9 % (99.8 % to >99.9 %)"),
        (0.0001, (0.00001, 0.0004), "<0.1 %"),
        (1.0, (0.99, 1.0), "100.0 % (99.0 % to 100.0 %)"),
    ],
)
def test_percent__with_an_interval_says_once_what_is_one_already(share, interval, said):
    assert percent_with_interval(share, interval) == said


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (1 / 16, "6.3 %"),
        (-1 / 16, "-6.3 %"),
        (3 / 16, "18.8 %"),
        (0.0015, "0.2 %"),
        (0.06249, "6.2 %"),
        (0.9994, "99.9 %"),
    ],
)
def test_percent__is_rounded_half_up(share, said):
    assert percent(share) == said


# --- explanations: a text, and a table in a notebook


def test_explain__of_a_shot_is_a_text_and_a_table() -> None:
    told = aab.Game().shot(vehicle(), vehicle(name="<b>"), range_in=24).explain()
    assert str(told) == repr(told)
    assert told.splitlines()[0] == 'unit -> <b>, 24", front'
    frame = told.to_frame()
    assert list(frame) == ["step", "value", "rule"]
    assert frame.loc[frame["step"] == "margin", "value"].item() == "penetration 9 - armour 8 = +1"
    page = told._repr_html_()
    assert "&lt;b&gt;" in page
    assert page.count("<tr>") == len(frame) + 1


def test_explain__of_a_duel_says_who_fires_what_when_and_by_which_rule() -> None:
    """At 24" a 4 is needed, and a 3 rolled again (p. 6, p. 8): 1/2 + 1/6 x 1/2 = 7/12; a hit takes 10 of 30."""
    told = aab.Game().duel(vehicle(name="A"), vehicle(name="B"), range_in=24, posture_b="close:18").explain()
    frame = told.to_frame()
    a, b = (frame[frame["side"] == side] for side in "ab")
    # B comes 5 inches nearer and fires without the reroll, then 1 more, and then stays: 18" needs 3+.
    assert b["when"].tolist() == ["turn 1", "turn 2", "from turn 3 on"]
    assert b["does"].tolist() == ["close 5, fire weapon 1", "close 1, fire weapon 1", "fire weapon 1"]
    assert b["range_in"].tolist() == [19, 18, 18]
    assert b["p_damage"].tolist() == pytest.approx([1 / 2, 2 / 3, 7 / 9])
    assert a["when"].tolist() == ["turn 1", "turn 2", "from turn 3 on"]
    assert a["p_damage"].tolist() == pytest.approx([7 / 12, 7 / 12, 7 / 9])
    assert a["expected_damage"].tolist() == pytest.approx([70 / 12, 70 / 12, 70 / 9])
    assert frame["p_kill"].tolist() == [0] * 6
    assert "p. 8 State Modifiers" in a["rule"].iloc[0]
    assert "58.3 % damage, 5.83 hit points expected" in told
    assert told.splitlines()[-1].startswith("=> A wins ")


def test_explanation__its_table_has_chances_with_four_places_and_other_numbers_with_four_digits() -> None:
    columns = "when", "p_kill", "expected_damage", "range_in", "left"
    told = Explanation("", "", columns, [("each turn", 0.00001, 12.346, 18.0, None), ("hurt", 0.25, 0.5, 4.5, 3)])
    cells = [re.findall("<td[^>]*>([^<]*)</td>", row) for row in told.table().split("<tr>")[2:]]
    assert cells == [["each turn", "&lt;0.0001", "12.35", "18", ""], ["hurt", "0.2500", "0.5", "4.5", "3"]]


def test_legend__names_a_rule_once_and_cites_it_by_its_number() -> None:
    legend = Legend()
    assert legend.lines() == []
    assert legend.cite("") == ""
    assert legend.cite("p. 5; p. 6; p. 9") == "  [1-3]"
    assert legend.cite("p. 9; p. 5; p. 14; p. 15; p. 16") == "  [1, 3-6]"
    assert legend.cite("p. 6") == "  [2]"
    assert legend.cite("p. 14; p. 9") == "  [3-4]"
    many = Legend()
    many.cite("1; 2; 3; 4; 5; 6; 7; 8")
    assert many.cite("8; 1; 3; 2") == "  [1-3, 8]"
    names = ("p. 5", "p. 6", "p. 9", "p. 14", "p. 15", "p. 16")
    assert legend.lines() == ["rules", *(f"  {number}  {name}" for number, name in enumerate(names, 1))]


@pytest.mark.parametrize(
    ("rounds", "fires", "reloads"),
    [(3, "turns 1, 3", "turn 2"), (6, "turns 1, 3, 5", "turns 2, 4, 6"), (8, "turns 1, 3, 5 ...", "turns 2, 4, 6 ...")],
)
def test_explain__of_a_duel_names_three_turns_and_leaves_out_only_what_there_is(
    rounds: int, fires: str, reloads: str
) -> None:
    slow = vehicle(keywords={"long_reload": True})
    frame = aab.Game().duel(slow, vehicle(), range_in=6, rounds=rounds).explain().to_frame()
    assert frame.loc[frame["side"] == "a", "when"].tolist() == [fires, reloads]
    assert frame.loc[frame["side"] == "b", "when"].tolist() == ["each turn"]


def test_explain__of_a_duel_follows_the_side_that_moves_first() -> None:
    """B comes 5 inches nearer, and 1 more, before A has fired twice."""
    asked: dict[str, Any] = {"range_in": 24, "posture_b": "close:18"}
    duel = aab.Game().duel(vehicle(name="A"), vehicle(name="B"), first="b", **asked)
    frame = duel.explain().to_frame()
    a, b = (frame[frame["side"] == side] for side in "ab")
    assert (a["when"].tolist(), a["range_in"].tolist()) == (["turn 1", "from turn 2 on"], [19, 18])
    assert (b["when"].tolist(), b["range_in"].tolist()) == (["turn 1", "turn 2", "from turn 3 on"], [19, 18, 18])
    assert [line for line in duel.explain().splitlines() if line[1:3] == ": "] == ["a: A, hold", "b: B, close:18"]
    assert lines(duel)["postures"].strip() == "hold v close:18"


def test_explain__of_a_duel_says_what_destroys_whom() -> None:
    """At 24" 7/12 of the shots hit, each for the 10 hit points of one and not for the 99 of the other."""
    told = aab.Game().duel(vehicle(hp=99, name="<b>"), vehicle(hp=10), range_in=24).explain()
    assert told.to_frame()["p_kill"].tolist() == pytest.approx([7 / 12, 0])
    assert "&lt;b&gt;" in told.table()
    assert "<b>" not in told.table()


def test_explain__of_a_duel_names_each_rule_below_its_turns() -> None:
    told = aab.Game().duel(vehicle(), vehicle(), range_in=24, posture_b="close:18").explain()
    rules = {rule for cited in told.to_frame()["rule"] for rule in cited.split("; ")}
    below = told.partition("\nrules\n")[2].splitlines()[:-1]
    assert [line.split(maxsplit=1)[0] for line in below] == [str(n + 1) for n in range(len(rules))]
    assert {line.split(maxsplit=1)[1] for line in below} == rules
    assert all(told.count(f"  {rule}\n") == 1 for rule in rules)


def test_explain__of_a_duel_tells_a_unit_apart_that_is_weaker_when_hurt() -> None:
    """Six men shoot D3-1, three or fewer D3-2: 2/3 and 1/3 of attacks take somebody."""
    frame = aab.Game().duel(squad(), squad(), range_in=6).explain().to_frame()
    own = frame[frame["side"] == "a"]
    assert own["when"].tolist() == ["each turn", "with 1 to 3 hit points left"]
    assert own["p_damage"].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_explain__of_a_duel_counts_what_a_hurt_unit_has_left() -> None:
    """A range from 2 to 3 men, and a man alone."""
    hurt = squad(
        ai([{"min": 5, "ai": "D3-1"}, {"min": 4, "ai": "D3-2"}, {"min": 2, "ai": "D6-4"}, {"min": 1, "ai": "D6-5"}])
    )
    frame = aab.Game().duel(hurt, squad(), range_in=6).explain().to_frame()
    whens = "each turn", "with 4 hit points left", "with 2 to 3 hit points left", "with 1 hit point left"
    assert frame.loc[frame["side"] == "a", "when"].tolist() == list(whens)


def test_explain__of_a_duel_says_that_a_suppressed_unit_recovers() -> None:
    """It does nothing else in its turn."""
    game = aab.Game("armour_battles")
    frame = game.duel("us_m4_75", "us_m4_75", range_in=2).explain().to_frame()
    own = frame[frame["side"] == "a"]
    weapon = game.shot("us_m4_75", "us_m4_75", range_in=2).weapon
    assert own[["when", "does"]].to_numpy().tolist() == [["fresh", weapon], ["suppressed", "recovers"]]
    assert own[["p_damage", "p_kill"]].iloc[1].tolist() == [0, 0]


def test_duel__a_face_that_one_side_shows_is_no_reason_why_the_other_cannot_hurt_it() -> None:
    """The side of b is soft; a shows its front, to which b's 6 does nothing."""
    duel = aab.Game().duel(
        vehicle(at(20), armor=(10, 5, 5)), vehicle(at(6), armor=(10, 4, 4)), range_in=6, facing="side"
    )
    assert (duel.no_effect_a, duel.no_effect_b) == ("", "penetration 6 - armour 10 = -4")


def test_duel__who_comes_nearer_in_vain_lacks_time_and_not_reach() -> None:
    enemy, gun = vehicle(), at(range=6)
    duel = aab.Game().duel(vehicle(gun), enemy, range_in=30, rounds=1, posture_a="close:6")
    assert (duel.p_a, duel.no_effect_a) == (0, "")
    assert "can't hurt it" not in repr(duel)
    assert duel.explain().splitlines()[2] == '  each turn  close 5, no fire, at 25"'
    still = aab.Game().duel(vehicle(gun), enemy, range_in=30, rounds=1)
    assert lines(still)["unit (a) can't hurt it"].strip() == 'out of reach: 6" at most'
    assert lines(still)["duel"].strip() == 'unit v unit, 30", front, first: roll_off, 1 round'
    assert lines(aab.Game().duel(enemy, enemy, range_in=30))["duel"].endswith(", first: roll_off, to the end")


def test_explain__of_best_play_follows_it_while_nobody_is_hit() -> None:
    duel = aab.Game().duel(vehicle(), vehicle(), range_in=8, posture_a="optimal", rounds=2)
    assert duel.rounds == 2
    assert duel.explain().to_frame()["does"].str.contains("fire").any()
    with pytest.raises(aab.UsageError, match="plays as well as it can"):
        _ = duel.timeline


def test_explain__of_a_duel_with_conditions_has_the_shots_of_both_sides() -> None:
    """The target shows its rear, and the attacker its front. What is expected is said of fresh units alone."""
    game, tank, other = aab.Game("forumini"), "de_panzer_iv_ausf_f2", "su_t_34_76"
    shots = game.shot(tank, other, range_in=3, facing="rear"), game.shot(other, tank, range_in=3)
    told = game.duel(tank, other, range_in=3, facing="rear").explain()
    assert "% any effect, " in told
    assert "% damage, " not in told
    frame = told.to_frame()
    fresh = frame["when"] == "in good order"
    for name in ("p_damage", "expected_damage", "p_kill"):
        assert frame.loc[fresh, name].tolist() == pytest.approx([getattr(shot, name) for shot in shots])
    assert frame.loc[~fresh, "expected_damage"].isna().all()
    assert (frame["rule"] != "").tolist() == fresh.tolist()
    assert len(frame) > 2
    # A row for what changes alone: a unit that does the same in two conditions has one.
    assert not frame.duplicated(["side", "does", "p_damage", "p_kill"]).any()


@pytest.mark.parametrize("name", OURS)
def test_explain__of_a_duel_in_every_game(name: str) -> None:
    game = aab.Game(name)
    a, b = [unit for unit in game.cards if game.ruleset.toughness(game.cards[unit])][:2]
    duel = game.duel(a, b, range_in=1)
    told = duel.explain()
    frame = told.to_frame()
    assert set(frame["side"]) == {"a", "b"}
    shot = game.shot(a, b, range_in=1)
    first = frame[frame["side"] == "a"].iloc[0]
    assert shot.weapon in first["does"] or not shot.p_damage
    if shot.p_damage and game.ruleset.fight is not HitPointDuel():
        assert all(step.rule in first["rule"] for step in shot.steps)
    assert all(name in told for name in (duel.a, duel.b))
    assert duel.to_frame()["p_a"].dtype == "float64"


@pytest.mark.parametrize(("weapons", "orders"), [(("gun", "gun", "mg"), "gun, mg"), ((), "hold")])
def test_turns__of_a_unit_that_holds_say_what_it_fires(weapons: tuple[str, ...], orders: str) -> None:
    unit = Holding(6, (Bracket(1, (Volley(weapons, {0: Fraction(1)}),)),))
    assert [turn.orders for turn in unit.turns(5, 0, None, 0)] == [orders]


def test_timeline__of_a_duel_is_what_is_left_of_it_after_each_round() -> None:
    """At 24" 7/12 of the shots hit, and one destroys; the other can hurt nobody."""
    duel = aab.Game().duel(vehicle(armor=9), vehicle(at(penetration=1), hp=10), range_in=24)
    timeline = duel.timeline
    assert timeline["round"].tolist() == list(range(len(timeline)))
    assert timeline["p_a"].tolist() == pytest.approx([1 - (5 / 12) ** rounds for rounds in timeline["round"]])
    assert (timeline["p_b"] == 0).all()
    assert 1 - timeline["p_a"].iloc[-1] < 0.002 < 1 - timeline["p_a"].iloc[-2]


def test_timeline__of_a_duel_without_end_stops_where_no_other_will_be_decided() -> None:
    """Neither can hurt the other: there is nothing to tell of a second round."""
    duel = aab.Game().duel(vehicle(at(penetration=1)), vehicle(at(penetration=1)), range_in=24)
    assert duel.timeline.to_numpy().tolist() == [[0, 0, 0, 1], [1, 0, 0, 1]]


@pytest.mark.slow
def test_timeline__of_a_rolled_duel_is_that_of_the_solved_one() -> None:
    """Of five duels one drawn is a fifth: of all, fewer are undecided from the fifth round on, and more are decided."""
    asked: dict[str, Any] = {"range_in": 24, "rounds": 6}
    solved = aab.Game().duel(vehicle(), vehicle(), **asked)
    assert len(solved.timeline) == 7
    rolled = [aab.Game().duel(vehicle(), vehicle(), **asked, simulate=5, seed=seed) for seed in range(10)]
    assert max(duel.p_draw for duel in rolled) >= 0.2 > solved.timeline["p_draw"].iloc[5]
    assert all(duel.timeline.equals(solved.timeline) for duel in rolled)


def test_timeline__ends_at_the_limit_of_rounds() -> None:
    duel = aab.Game().duel(vehicle(), vehicle(), range_in=24, rounds=3)
    assert duel.timeline["round"].tolist() == [0, 1, 2, 3]
    assert duel.timeline.iloc[-1][["p_a", "p_b", "p_draw"]].tolist() == pytest.approx([duel.p_a, duel.p_b, duel.p_draw])


# --- frames


def test_to_frame__types_are_the_same_whatever_is_missing() -> None:
    game = aab.Game()
    exact, rolled = (
        game.duel(vehicle(), vehicle(), range_in=24, simulate=n, rounds=r) for n, r in ((None, None), (50, 9))
    )
    for result in (exact, rolled):
        frame = result.to_frame()
        assert (frame["rounds"].dtype, frame["p_a"].dtype) == ("Int64", "float64")
        assert frame["player_turns"].dtype == "float64"
    low, high = rolled.p_a_ci
    frame = rolled.to_frame()
    assert (frame["p_a_ci_low"].item(), frame["p_a_ci_high"].item(), frame["trials"].item()) == (low, high, 50)
    assert exact.to_frame()["rounds"].isna().item()
    shots = [game.shot(vehicle(at(p)), vehicle(), range_in=6).to_frame() for p in (9, 1)]
    assert [str(shot["need"].dtype) for shot in shots] == ["Int64", "Int64"]
    assert shots[1]["need"].isna().item()
    battle = game.battle([vehicle()], [vehicle()], range_in=6, actions=(2, 3)).to_frame()
    assert (battle["actions_a"].item(), battle["actions_b"].item()) == (2, 3)
    assert not [name for name in battle if battle[name].dtype == object]


# --- errors in a notebook


@pytest.mark.slow
def test_errors__are_one_line_in_a_cell() -> None:
    import nbformat  # takes a second, which no other test should wait for
    from nbclient import NotebookClient

    cells = ["import aabalance as aab", "aab.Game().shot('nobody', 'su_t34_85', range_in=6)"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True).execute()
    (output,) = notebook.cells[1].outputs
    assert output.traceback == ["UnknownUnitError: unknown unit 'nobody'; `aabalance cards` lists those of a --game"]


# --- what a result is a result of

UNUSUAL = "resolution=two_dice, de_tiger1.hp=50"


def asked(game: aab.Game) -> list[tuple[Any, Any]]:
    """Each kind of answer with the ids of its units."""
    tiger, t34 = "de_tiger1", "su_t34_85"
    sides = {"a": [tiger], "b": [t34]}
    return [
        (game.shot(tiger, t34, range_in=18), {"attacker": tiger, "target": t34}),
        (game.duel("Tiger I", t34, range_in=18), sides),
        (game.battle(tiger, f"{t34}*2", range_in=18, actions=2), sides | {"b": [t34] * 2}),
    ]


def test_provenance__says_units_cards_rules_and_what_ifs() -> None:
    changed = aab.Game(variant="two_dice", changes=["de_tiger1.hp=50"])
    for found, units in asked(changed):
        said = found.to_dict()["provenance"]
        assert said == found.to_frame().attrs
        assert said == {
            "aabalance": version("aabalance"),
            "game": "Armored Advance",
            "cards": changed.cards.hash,
            "variant": "resolution=two_dice",
            "changes": ["de_tiger1.hp=50"],
            "units": units,
        }
        assert lines(found)["with"].strip() == UNUSUAL
        assert f"<td style='text-align:left'>{UNUSUAL}</td>" in found._repr_html_()
        assert found.explain().splitlines()[0].endswith(f"; with {UNUSUAL}")


def test_provenance__of_the_usual_cards_and_rules_is_no_line() -> None:
    for found, _ in asked(aab.Game()):
        said = found.to_dict()["provenance"]
        assert (said["variant"], "changes" in said) == ("default rules", False)
        assert "with" not in lines(found)
        assert "with" not in found.explain().splitlines()[0]


def test_provenance__marks_another_card_than_that_of_the_game() -> None:
    game = aab.Game()
    weaker, own = game.cards["de_tiger1"].model_copy(update={"hp": 50}), vehicle(at())
    assert game.shot(weaker, "su_t34_85", range_in=18).provenance.units["attacker"] == "de_tiger1*"
    found = game.battle([weaker], ["su_t34_85", own], range_in=18, actions=2)
    assert found.provenance.units == {"a": ["de_tiger1*"], "b": ["su_t34_85", "unit"]}
    assert lines(found)["with"].strip() == "own card de_tiger1*"
    same = game.with_(changes=["de_tiger1.hp=50"]).duel(weaker, "su_t34_85", range_in=18)
    assert same.provenance.units == {"a": ["de_tiger1"], "b": ["su_t34_85"]}


def test_provenance__keeps_each_what_if_of_a_game_made_of_another() -> None:
    game = aab.Game(changes=["de_tiger1.hp=50"]).with_(changes=["de_tiger1.hp+=2"])
    few = game.with_(cards=game.cards.only(["de_tiger1", "us_m24"]))
    assert few.provenance().unusual() == "de_tiger1.hp=50, de_tiger1.hp+=2"


def test_provenance__of_tables_is_in_their_attrs() -> None:
    game = aab.Game(variant="two_dice")
    few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h"]))
    worth = aab.worth(few, ["us_m4a1"])
    economy = aab.actions(few, "us_m4a1", "de_pz4h", range_in=18, limits=[1], policies=["value"])
    assert (worth.attrs["variant"], worth.attrs["units"]) == ("resolution=two_dice", {"units": ["us_m4a1"]})
    assert worth.attrs["cards"] == few.cards.hash
    assert (economy.attrs["variant"], economy.attrs["units"]) == (
        "resolution=two_dice",
        {"a": ["us_m4a1"], "b": ["de_pz4h"]},
    )
    assert aab.leads(economy).attrs == economy.attrs
    assert few.cards.frame().attrs == {"aabalance": aab.__version__, "cards": few.cards.hash}


def test_sentence__of_two_that_cannot_hurt_each_other_says_so() -> None:
    game, said = aab.Game(), "Nobody wins: neither side can ever destroy the other."
    assert game.duel("su_ba64", "su_ba64", range_in=18).sentence() == said
    assert game.battle("su_ba64", "su_ba64*2", range_in=18, actions=2).sentence() == said
    assert game.duel("su_ba64", "su_ba64", range_in=18, rounds=3).sentence() != said
    assert game.duel("su_ba64", "su_ba64", range_in=18, simulate=10).sentence() == said
    assert game.battle("su_ba64", "su_ba64*2", range_in=18, actions=2, simulate=10).sentence() == said
    assert game.duel("su_ba64", "su_ba64", range_in=18, rounds=3, simulate=10).sentence() != said


def test_frames__of_functions_say_what_they_are_results_of() -> None:
    game = aab.Game(variant={"resolution": "sum"}, changes=["de_pz4h.hp=20"])
    at = aab.Situations.of(game, {"range_in": {12: 1.0}})
    own = game.provenance().said()
    assert own.keys() >= {"aabalance", "game", "cards", "variant", "changes"}
    assert aab.matchups(game, at, attackers=["de_pz4h"], targets=["us_m4a1"]).attrs == own
    swept = aab.sensitivity(game, at, switches={"resolution": ["one_die"]}, field=["de_pz4h", "us_m4a1"])
    assert swept.attrs.keys() == {"gains", *own}
    assert aab.cost_effectiveness(aab.matchups(game, at, attackers=["de_pz4h"], targets=["de_pz4h"])).attrs == own


@pytest.mark.parametrize(
    "kind",
    [aab.ByPlayer, Comparison, Fairness, Ladder, Matches, Metagame, aab.Playtest, Residuals, Without, WorthReport],
)
def test_results__of_tables_are_equal_only_to_themselves(kind: Any) -> None:
    one, other = (kind(*[pd.DataFrame({"n": [1, 2]})] * len(fields(kind))) for _ in range(2))
    assert one != other
    assert {one, other} == {other, one}


@pytest.mark.slow
def test_results__of_several_tables_are_told_in_words_and_their_tables_say_what_they_are_results_of() -> None:
    game, at = aab.Game("skirmish_wars"), {"board": "last_stand", "rounds": 3, "simulate": 4}
    met = aab.matches(game, boards=["last_stand"], rounds=[3], simulate=4, watched=2)
    assert all(getattr(met, name).attrs["game"] == "Skirmish Wars" for name in ("matches", "leads", "units", "actions"))
    assert aab.match_boards(met.matches).attrs == met.matches.attrs
    assert repr(met).startswith("On last_stand, 3 rounds, by greedy: going first ")
    both = aab.by_player(game, ["random", "greedy"], **at)
    assert repr(both) == both.sentence()
    rows = both.to_frame()
    assert (rows["player_a"].tolist(), rows.attrs) == (["random", "greedy"], both.results[0].to_frame().attrs)
    assert both._repr_html_().startswith(f"<p>{html.escape(both.sentence())}</p><table")
    less = aab.without_luck(both.results[0])
    assert repr(less) == less.sentence()
    few = aab.Game().with_(cards=aab.Game().cards.only(["us_m4a1", "de_pz4h", "su_t34_85"]))
    assert aab.tune(few).to_frame().attrs == few.provenance().said()
    explained = aab.worth_explained(few, ["us_m4a1", "de_pz4h"])
    assert explained.to_frame().attrs["units"] == {"units": ["us_m4a1", "de_pz4h"]}
    said = repr(explained).splitlines()
    assert explained._repr_html_().startswith(f"<p>{said[0]}</p><p>{said[1]}</p><table")
    assert [line.split(" is worth ")[0].split(": ")[-1] for line in said] == [
        few.cards[unit].name for unit in ("us_m4a1", "de_pz4h")
    ]


# --- other processes and files


def refused(ask):
    with pytest.raises(aab.AabalanceError) as found:
        ask()
    return found.value


@pytest.mark.parametrize(
    "ask",
    [
        lambda: aab.Game().card("de_tigre1"),
        lambda: aab.Game().card("zzzzzz"),
        lambda: aab.Game().duel("de_tiger1", "us_m24", range_in=-1),
        lambda: aab.Game(changes=["us_m4a1.hp=-3"]),
    ],
)
def test_error__comes_whole_from_another_process(ask):
    error = refused(ask)
    for there in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (type(there), str(there), vars(there)) == (type(error), str(error), vars(error))


def test_explanation__comes_whole_from_another_process():
    told = aab.Game().duel("de_tiger1", "us_m24", range_in=18).explain()
    for there in (pickle.loads(pickle.dumps(told)), copy.copy(told), copy.deepcopy(told)):
        assert (there, vars(there)) == (told, vars(told))
        assert there._repr_html_() == told._repr_html_()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "lists", "board"),
    [
        ("skirmish_wars", ("tank", "mech"), "crossing"),
        ("armored_advance", ("us_m4a1,inf_rifle", "de_pz4h,inf_rifle"), "small"),
    ],
)
def test_match__is_kept_and_played_again_from_a_file(game, lists, board):
    found = aab.Game(game).match(*lists, board=board, rounds=1, simulate=1, player_a="random", player_b="random")
    for there in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert there.to_dict() == found.to_dict()
        assert there.explain() == found.explain()
    assert pickle.loads(pickle.dumps(aab.Game(game).boards))[board] == aab.Game(game).boards[board]


@pytest.mark.slow
def test_judged__is_kept_and_asked_again_from_a_file():
    game = aab.Game()
    few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85"]))
    for found in (
        aab.judge_list(few, "us_m4a1", counter="de_pz4h"),
        aab.compare_lists(few, "us_m4a1", "de_pz4h", field=["su_t34_85"]),
    ):
        there = pickle.loads(pickle.dumps(found))
        assert there.to_dict() == found.to_dict()
        units = there.payoffs.units("us_m4a1")
        assert there.payoffs.among([units, units], 20, 1).shape == (2, 2)
