"""Restricted play: what a kind of action is worth."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats

import aabalance as aab
from aabalance.analysis.without import POINTS, TOGETHER, Without, _barred, _place, _stable, _with_one_more, _worth
from aabalance.cli import main
from aabalance.cli.match import _without_cells
from aabalance.engine.match import arena
from aabalance.errors import UsageError
from aabalance.play.match_question import prepared
from aabalance.rulesets.base.match import DRAWN, FACTS, KIND, RESULT, WON_BY_A, WON_BY_B, part_of
from aabalance.rulesets.skirmish_wars.match import records


def facts(*results: int) -> np.ndarray:
    table = np.zeros((len(results), len(FACTS)), np.int64)
    table[:, RESULT] = results
    return table


def test_worth__the_interval_is_that_of_differences_match_by_match() -> None:
    free, barred = [WON_BY_A] * 12 + [WON_BY_B] * 8, [WON_BY_A] * 6 + [DRAWN] * 2 + [WON_BY_B] * 12
    found = _worth(facts(*free), facts(*barred), 0, np.zeros(20), 1)
    changes = np.array([0] * 6 + [0.5] * 2 + [1] * 4 + [0] * 8)
    half = 2.0930 * changes.std(ddof=1) / np.sqrt(20)  # Student's t with 19 degrees of freedom
    assert found["loss"] == pytest.approx(0.25)
    assert (found["loss_ci_low"], found["loss_ci_high"]) == pytest.approx((0.25 - half, 0.25 + half), abs=1e-4)
    assert found["verdict"] == "needed"
    trap = _worth(facts(*barred), facts(*free), 40, np.ones(20), 1)
    assert (trap["verdict"], trap["loss_points"]) == ("trap", pytest.approx(-10))
    few = _worth(facts(WON_BY_A, WON_BY_A, WON_BY_B), facts(WON_BY_B, WON_BY_B, WON_BY_B), 0, np.zeros(3), 1)
    assert (few["loss_ci_low"] < 0, few["loss_ci_high"]) == (True, 1.0)  # no score changes by more


def test_worth__intervals_of_several_claims_hold_together() -> None:
    free, barred = facts(*[WON_BY_A] * 12, *[WON_BY_B] * 8), facts(*[WON_BY_A] * 6, *[WON_BY_B] * 14)
    changes, gain = np.array([1.0] * 6 + [0] * 14), np.array([1.0] * 16 + [0] * 4)
    half = stats.t.ppf(1 - 0.05 / 24, 19) * changes.std(ddof=1) / np.sqrt(20)  # Bonferroni's of twelve
    found = _worth(free, barred, 20.0, gain, 12)
    assert (found["loss_ci_low"], found["loss_ci_high"]) == pytest.approx((0.3 - half, 0.3 + half))
    assert (found["verdict"], _worth(free, barred, 20.0, gain, 1)["verdict"]) == ("open", "needed")
    # Wilson's of 0 of 400 matches, at the same level.
    few = _worth(facts(*[WON_BY_A] * 400), facts(*[WON_BY_A] * 399, DRAWN), 0, np.zeros(400), 12)
    z = stats.norm.ppf(1 - 0.05 / 24)
    assert few["loss_ci_high"] - few["loss"] == pytest.approx(z**2 / (400 + z**2))


def test_without__of_more_kinds_intervals_are_wider_and_unused_ones_dont_count() -> None:
    asked = {"board": "last_stand", "rounds": 3, "players": ["greedy"], "simulate": 40}
    alone, with_unused, with_another = (
        aab.without("skirmish_wars", kinds, **asked).table.set_index("without").loc["attack"]
        for kinds in (["attack"], ["attack", "load"], ["attack", "move"])
    )
    assert with_unused["loss_ci_low"] == alone["loss_ci_low"] > with_another["loss_ci_low"]
    assert with_another["loss"] == alone["loss"]


def test_worth__what_nobody_chose_is_unused_and_equal_results_of_other_matches_are_open() -> None:
    one, other = facts(*[WON_BY_A] * 20), facts(*[WON_BY_A] * 20)
    found = _worth(one, other, 0, np.zeros(20), 1)
    assert (found["verdict"], found["loss"]) == ("unused", 0)
    assert found["loss_ci_high"] == -found["loss_ci_low"] == pytest.approx(0.161, abs=5e-4)  # Wilson's of 0 of 20
    other[0, -1] = 3
    assert _worth(one, other, 0, np.zeros(20), 1)["verdict"] == "open"
    many = facts(*[WON_BY_A] * 400)  # Wilson's of 0 of 400 ends at .0095
    otherwise = many.copy()
    otherwise[0, -1] = 3
    assert _worth(many, many.copy(), 0, np.zeros(400), 1)["verdict"] == "unused"
    assert _worth(many, otherwise, 0, np.zeros(400), 1)["verdict"] == "dead"
    assert _worth(many[:200], otherwise[:200], 0, np.zeros(200), 1)["verdict"] == "open"  # that of 200 at .0188


def test_worth__matches_that_all_change_alike_leave_as_much_open_as_so_few_can() -> None:
    won, lost = facts(*[WON_BY_A] * 10), facts(*[WON_BY_B] * 10)
    found = _worth(won, lost, 0, np.zeros(10), 1)
    assert (found["loss_ci_low"], found["loss_ci_high"]) == pytest.approx((0.7225, 1), abs=5e-4)  # Wilson's of 10 of 10
    assert found["verdict"] == "needed"


@pytest.mark.slow
def test_without__each_player_plays_both_sides() -> None:
    """What is barred takes from the score of matches in which both sides have this player."""
    game, asked = aab.Game("skirmish_wars"), {"board": "last_stand", "rounds": 12, "simulate": 20}
    players = ["random", "greedy"]
    found = aab.without(game, ["attack"], players=players, **asked).table.set_index("player")
    for player in players:
        both = game.match(player_a=player, player_b=player, **asked)
        assert found["score_a"][player] + found["loss"][player] == pytest.approx(both.p_a + both.p_draw / 2)
    assert found["loss"]["greedy"] > 0
    assert game.match(player_a="random", player_b="greedy", **asked).p_a < both.p_a


def test_without__as_json_what_has_no_price_is_null() -> None:
    words = ["match", "--game", "skirmish_wars", "--board", "last_stand", "--rounds", "2", "--simulate", "2"]
    ran = CliRunner().invoke(main, [*words, "--player", "random", "--without-a", "load", "--json"])
    (row,) = json.loads(ran.stdout)["without"]
    assert (row["without"], row["loss_points"], row["n"]) == ("load", None, 2)


def test_without__a_printed_row_has_its_ends_from_low_to_high() -> None:
    lost, points = (0.125, 0.05, 0.2), (12.34, 5.0, 20.0)
    row = {"without": "fire", "player": "greedy", "score_a": 0.25, "verdict": "needed", "stable": True}
    for name, values in (("loss", lost), ("loss_points", points)):
        row |= dict(zip((name, f"{name}_ci_low", f"{name}_ci_high"), values, strict=True))
    cells = ["fire", "greedy", "0.250", "+0.125 [+0.050, +0.200]", "12.3 [5, 20]", "needed", "yes"]
    assert _without_cells(row) == cells
    unsure = {**row, "loss_points": np.nan, "stable": False}
    assert _without_cells(unsure) == [*cells[:4], "", "needed", ""]


def test_without__a_kind_that_is_none() -> None:
    with pytest.raises(UsageError, match=r"without: found 'fly', expected"):
        aab.without("skirmish_wars", ["fly"], board="last_stand", simulate=2)


@pytest.mark.parametrize("seed", [None, 1.5, "x", -1])
def test_without__a_seed_that_is_no_whole_number(seed: Any) -> None:
    with pytest.raises(UsageError, match=r"^seed: found .*, expected a whole number from 0 to"):
        aab.without("skirmish_wars", ["attack"], board="last_stand", rounds=1, simulate=2, seed=seed)


def test_kinds__a_word_stands_for_all_actions_of_several_verbs() -> None:
    advance, armour = (aab.Game(game).ruleset.match().kinds for game in ("armored_advance", "armour_battles"))
    assert advance["carry"] == advance["load"] | advance["hitch"]
    assert armour["rally"].bit_count() == armour["disengage"].bit_count() == 2  # an order, and what a unit does by it
    played = prepared(aab.Game("skirmish_wars").match_question(board="two_towns", player_a="random"), 0)
    [less] = _barred(played, ["carry"], 0).values()
    kinds = [
        {part_of(step.action, KIND) for step in arena.trajectory(match, 1, arena.decisions(match, 1)) if step.side == 0}
        for match in (played.match, less)
    ]
    assert records.LOAD in kinds[0]
    assert not kinds[1] & {records.LOAD, records.UNLOAD}


def test_barred__a_weapon_is_taken_off_the_cards_of_a_alone() -> None:
    played = prepared(aab.Game().match_question("us_m4a1*2,us_m8", "us_m4a1", board="small"), 3)
    [less] = _barred(played, ["75 mm M3"], 3).values()
    weapons = [
        [[tables.card[unit].weapons for unit in range(tables.units)] for tables, _ in match.starts]
        for match in (played.match, less)
    ]
    assert weapons[1] == [[one - (unit < 2) for unit, one in enumerate(each)] for each in weapons[0]]
    assert less.key == played.match.key
    modern = aab.Game("modern_land_battles").match_question(["us_bradley"], ["cn_type80"], board="skirmish")
    assert set(_barred(prepared(modern, 3), ["missile", "reactions"], 3)) == {"missile", "reactions"}
    with pytest.raises(UsageError, match=r"without: found '75 mm M2' \(did you mean '75 mm M3'\?\)"):
        _barred(played, ["75 mm M2"], 3)


@pytest.mark.slow
def test_without__objectives_win_a_mission_of_domination() -> None:
    lists = "inf_rifle*2,us_m4a1", "inf_rifle*2,us_m4a1"
    asked = {"board": "small", "mission": "domination", "rounds": 4, "players": ["greedy"], "simulate": 40}
    assert aab.without("armored_advance", ["objectives"], *lists, **asked).table["verdict"].tolist() == ["needed"]


@pytest.mark.slow
@pytest.mark.parametrize("player", ["greedy", "search:16"])
def test_without__what_a_side_has_to_do_is_done_as_well_as_ever(player: str) -> None:
    asked = {"board": "small", "rounds": 2, "players": [player], "simulate": 10}
    found = aab.without("armored_advance", ["place"], "us_m4a1*2", "us_m4a1,us_m10", **asked).table
    assert found["verdict"].tolist() == ["unused"]


@pytest.mark.parametrize("claims", [1, 12])
def test_worth__in_points_it_is_what_more_units_cost_by_what_they_bring(claims: int) -> None:
    free, barred = facts(*[WON_BY_A] * 24 + [WON_BY_B] * 16), facts(*[WON_BY_A] * 12 + [WON_BY_B] * 28)
    gain = np.array([0.0] * 20 + [1.0] * 20)
    found = _worth(free, barred, 20.0, gain, claims)
    loss = np.array([0.0] * 12 + [1.0] * 12 + [0.0] * 16)
    assert found["loss_points"] == pytest.approx(20 * 0.3 / 0.5)
    quantile = stats.t.ppf(1 - 0.05 / 2 / claims, 39)
    for end in (found["loss_points_ci_low"], found["loss_points_ci_high"]):  # there the difference is at its own bound
        apart = loss - end / 20 * gain
        assert abs(apart.mean()) == pytest.approx(quantile * apart.std(ddof=1) / np.sqrt(40))
    assert np.isnan(_worth(free, barred, 20.0, gain * np.tile([1, -1], 20), claims)["loss_points"])  # or bring nothing


def test_worth__a_loss_that_may_be_nothing_has_no_points() -> None:
    """One more of twenty matches is lost, which says nothing; that more units bring score is sure."""
    free, barred = facts(*[WON_BY_A] * 12, *[WON_BY_B] * 8), facts(*[WON_BY_A] * 11, *[WON_BY_B] * 9)
    found = _worth(free, barred, 20.0, np.array([0.0] * 10 + [1.0] * 10), 1)
    assert (found["verdict"], found["loss"]) == ("open", pytest.approx(0.05))
    assert [found[name] for name in POINTS] == [pytest.approx(np.nan, nan_ok=True)] * 3


def test_with_one_more__each_unit_of_the_list_if_it_has_a_place() -> None:
    game = aab.Game("skirmish_wars")
    question = game.match_question("infantry*4,tank", "tank*2", board="crossing")
    played = prepared(question, 3)
    [(match, cost)] = _with_one_more(played, 3)  # four counters of a type are all that there are
    assert (cost, match.key) == (7, played.match.key)
    modern = aab.Game("modern_land_battles")
    units = "us_stryker", "us_m113", "us_bradley"
    asked = modern.match_question(units, "cn_type80", board="skirmish")
    costs = [cost for _, cost in _with_one_more(prepared(asked, 3), 3)]  # the third stands in the reserve
    assert costs == [modern.cards[unit].vp for unit in units]
    assert not list(_with_one_more(prepared(game.match_question(board="last_stand"), 0), 0))


@pytest.mark.slow
def test_without__units_to_add_count_by_the_matches_in_which_each_was_added() -> None:
    lists = "recon,mech,tank", "tank*2"
    asked = aab.Game("skirmish_wars").match_question(*lists, board="crossing", player_a="greedy", player_b="greedy")
    played, points, gain = prepared(asked, 1), {WON_BY_A: 1.0, DRAWN: 0.5, WON_BY_B: 0.0}, 0.0
    # Of 41 matches, 14 have another recon, which costs 4, 14 another mech, of 3, and 13 another tank, of 7.
    for (match, _), first, last in zip(_with_one_more(played, 1), (0, 14, 28), (14, 28, 41), strict=True):
        for one, sign in ((match, 1), (played.match, -1)):
            gain += sign * sum(points[ended] for ended in arena.play(one, first, last - first)[:, RESULT].tolist())
    how = {"board": "crossing", "players": ["greedy"], "simulate": 41, "seed": 1}
    [found] = aab.without("skirmish_wars", ["attack"], *lists, **how).table.to_dict("records")
    assert found["loss_points"] == pytest.approx((14 * 4 + 14 * 3 + 13 * 7) / gain * found["loss"])


def row(player: str, kind: str, loss: float, verdict: str = "needed") -> dict[str, object]:
    return {"player": player, "without": kind, "loss": loss, "verdict": verdict}


def test_place__is_that_by_loss_and_of_dead_kinds_none() -> None:
    rows = [row("greedy", "a", 0.3), row("greedy", "b", 0.2), row("greedy", "c", 0.001, "dead")]
    rows += [row("search", "a", 0.1), row("search", "b", 0.2), row("search", "c", -0.002, "dead")]
    rows += [row(player, "d", 0.0, "dead") for player in ("greedy", "search")]
    rows += [row("search", "e", 0.3)]  # one more that is worth something makes what is dead no less so
    found = pd.DataFrame(rows)
    places = _place(found).groupby(found["without"]).agg(list)
    assert places.to_dict() == {"a": [1, 3], "b": [2, 2], "c": [0, 0], "d": [0, 0], "e": [1]}


def test_without__kinds_stand_by_the_greatest_loss_that_a_player_has_and_players_in_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost = {"load": (0.0, 0.05), "attack": (0.1, 0.3), "move": (0.25, 0.2)}  # to greedy, and to search
    rest = dict.fromkeys(("score_a", "loss_ci_low", "loss_ci_high", *POINTS), 0.5) | {"n": 2}
    rows = [row(player, kind, lost[kind][at]) | rest for at, player in enumerate(("greedy", "search")) for kind in lost]
    monkeypatch.setattr("aabalance.analysis.without._rows", lambda *asked: iter(rows))
    table = aab.without(aab.Game("skirmish_wars"), board="last_stand", simulate=2).table
    assert table[["without", "player"]].to_numpy().tolist() == [
        [kind, player] for kind in ("attack", "move", "load") for player in ("greedy", "search")
    ]


def test_sentences__a_loss_is_a_fall_of_the_score_whose_interval_begins_at_the_greatest() -> None:
    row = {"without": "attack", "player": "greedy", "verdict": "needed", "stable": False, "score_a": 0.25}
    row |= {"loss": 0.25, "loss_ci_low": 0.1, "loss_ci_high": 0.4}
    row |= {"loss_points": np.nan, "loss_points_ci_low": np.nan, "loss_points_ci_high": np.nan}
    (said,) = Without(pd.DataFrame([row]), "cost").sentences()
    assert said.endswith(": without it a's score changes by -25.0 points in 100 (-40.0 to -10.0).")


def test_sentences__a_trap_is_worth_less_than_nothing_in_points_too() -> None:
    lost, points = (-0.25, -0.4, -0.1), (-10.0, -16.0, -4.0)
    row = {"without": "attack", "player": "greedy", "verdict": "trap", "stable": False, "score_a": 0.75}
    row |= dict(zip(("loss", "loss_ci_low", "loss_ci_high"), lost, strict=True)) | dict(
        zip(POINTS, points, strict=True)
    )
    assert Without(pd.DataFrame([row]), "cost").sentences() == [
        "attack is a trap when greedy plays: without it a's score changes by +25.0 points in 100 (+10.0 to +40.0), so "
        "it is worth -10 (-16 to -4) in cost."
    ]


@pytest.mark.parametrize(("score", "least"), [(0.0, "at least "), (0.01, "")])
def test_sentences__who_scores_nothing_without_it_may_lose_more(score: float, least: str) -> None:
    row = {"without": "shoot", "player": "greedy", "verdict": "needed", "stable": True, "score_a": score}
    row |= dict(zip(("loss", "loss_ci_low", "loss_ci_high"), (0.2, 0.1, 0.3), strict=True))
    row |= dict(zip(POINTS, (15.5, 3.13, 42.9), strict=True))
    [said] = Without(pd.DataFrame([row]), "requisition").sentences()
    assert said.endswith(f", so it is worth {least}15.5 (3.13 to 42.9) in requisition.")


def test_sentences__a_large_worth_is_no_power_of_ten() -> None:
    row = {"without": "fire", "player": "greedy", "verdict": "needed", "stable": False, "score_a": 0.1}
    row |= dict(zip(("loss", "loss_ci_low", "loss_ci_high"), (0.5, 0.4, 0.6), strict=True))
    row |= dict(zip(POINTS, (244.4, 99.97, 1664.2), strict=True))
    [said] = Without(pd.DataFrame([row]), "points").sentences()
    assert said.endswith(", so it is worth 244 (100 to 1664) in points.")
    assert _without_cells(row)[4] == "244 [100, 1664]"


def test_stable__is_what_all_of_several_players_judge_alike_and_put_in_one_place() -> None:
    judged = {
        "alike": [(0.4, "needed"), (0.5, "needed")],
        "verdicts": [(0.3, "needed"), (0.3, "open")],
        "places": [(0.2, "needed"), (0.1, "needed")],
        "places too": [(0.1, "needed"), (0.2, "needed")],
        "dead": [(0.001, "dead"), (-0.001, "dead")],
        "open": [(0.05, "open"), (0.05, "open")],
        "unused": [(0.0, "unused"), (0.0, "unused")],
        "traps": [(-0.1, "trap"), (-0.1, "needed")],
        "one player": [(-0.2, "trap")],
    }
    kinds = [(kind, player, *told) for kind, each in judged.items() for player, told in enumerate(each)]
    found = pd.DataFrame([row(str(player), kind, loss, verdict) for kind, player, loss, verdict in kinds])
    assert found["without"][_stable(found)].tolist() == ["alike"] * 2 + ["dead"] * 2


def test_without__what_several_players_agree_on_is_stable() -> None:
    match, kinds = {"board": "last_stand", "simulate": 8}, ["attack", "unload"]
    both = aab.without("skirmish_wars", kinds, players=["greedy", "greedy"], **match)
    stable = both.table.set_index("without")["stable"]
    assert (stable["attack"].all(), stable["unload"].any()) == (True, False)  # what nobody chose says nothing
    assert both.sentences()[0].endswith("; that is stable.")
    assert both.sentences()[1].endswith("; that isn't stable.")
    assert both.sentences()[2:] == [TOGETHER]
    assert not aab.without("skirmish_wars", kinds, players=["greedy"], **match).table["stable"].any()


def test_without__fewer_matches_than_units_to_add() -> None:
    lists = "infantry*2,tank", "tank*2"
    found = aab.without("skirmish_wars", ["load"], *lists, board="crossing", players=["greedy"], simulate=2)
    assert found.table["n"].tolist() == [2]
