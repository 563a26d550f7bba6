"""What a battle tells of its units and turns: by hand where every shot hits, and what has to add up where not."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from handmade import at, field_gun, squad, vehicle

import aabalance as aab
from aabalance import columns
from aabalance.cli import main
from aabalance.definitions.lists import unit_list
from aabalance.definitions.settings import situation_mix
from aabalance.engine import rng
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.lanes import detail, kernel, rolls
from aabalance.errors import UsageError
from aabalance.play.replay import _face, _need

pytestmark = pytest.mark.slow

GAME = aab.Game()


def sure(damage: int) -> dict[str, Any]:
    """A gun that hits at 6 inches whatever is rolled."""
    return at(99, damage)


def by_hand(**given: Any) -> aab.BattleResult:
    """A battle of three turns.

    In the first, x destroys c, and y takes half of d; in the second, d takes a fifth of x; in the third, x destroys d.
    """
    x = vehicle(sure(15), hp=50, requisition=40, name="x")
    y = vehicle(sure(10), hp=10, requisition=10, name="y")
    c, d = (vehicle(sure(10), hp=hp, requisition=cost, name=name) for name, hp, cost in (("c", 10, 5), ("d", 20, 8)))
    order = {"policy_a": "list_order", "policy_b": "list_order", "first": "a"}
    return GAME.battle([x, y], [c, d], **{"range_in": 6, "actions": (2, 1), **order, **given})


# --- by hand ----------------------------------------------------------------------------------------------------


def test_units__who_did_what() -> None:
    found = by_hand().units
    assert found["name"].tolist() == ["x", "y", "c", "d"]
    assert found["side"].tolist() == ["a", "a", "b", "b"]
    assert found["place"].tolist() == [1, 2, 1, 2]
    assert found["p_survives"].tolist() == [1, 1, 0, 0]
    assert found["share_of_actions"].tolist() == pytest.approx([2 / 3, 1 / 3, 0, 1])
    # x takes all of c, 5, and half of d, 4, though it rolled more; d takes a fifth of x.
    assert found["requisition_destroyed"].tolist() == pytest.approx([9, 4, 0, 8])
    assert found["kills"].tolist() == [2, 0, 0, 0]
    assert found["earned_its_cost"].tolist() == pytest.approx([9 / 40, 4 / 10, 0, 1])
    errors = [name for name in map(str, found) if name.endswith("_se")]
    assert len(errors) == 4
    assert found[errors].to_numpy() == pytest.approx(0, abs=1e-12)
    assert set(found["n"]) == {10_000}


def test_units__errors_are_those_of_a_mean_of_trials() -> None:
    """Of single trials, in which a gun that hits 7/12 of the time destroys the enemy or doesn't."""
    guns, given = (
        ([vehicle(requisition=4)], [vehicle(hp=10)]),
        {"range_in": 24, "actions": 1, "rounds": 1, "first": "a"},
    )
    units = GAME.battle(*guns, **given, simulate=12).units
    kills, error = units.loc[0, ["kills", "kills_se"]]
    assert 0 < kills < 1
    assert error == pytest.approx(np.sqrt(kills * (1 - kills) / 11))
    assert units.loc[0, ["earned_its_cost", "earned_its_cost_se"]].tolist() == pytest.approx([kills / 4, error / 4])


def test_timeline__what_is_left_after_each_turn() -> None:
    found = by_hand().timeline
    assert found["player_turn"].tolist() == [0, 1, 2, 3]
    assert found["requisition_left_a"].tolist() == [50, 50, 50, 50]
    assert found["requisition_left_b"].tolist() == [13, 8, 8, 0]
    assert found["p_goes_on"].tolist() == [1, 1, 1, 0]
    sure = found["p_goes_on_ci_low"] == found["p_goes_on_ci_high"]
    assert sure.tolist() == [True, False, False, False]  # before the first turn nothing is rolled


def test_timeline__of_a_long_battle_ends_before_the_count_of_all_that_comes_later() -> None:
    # A shot a turn, each of which takes one of 150.
    tank = vehicle(sure(1), hp=150, requisition=7)
    found = GAME.battle([tank], [tank], range_in=6, actions=1, first="a").timeline
    assert found["player_turn"].tolist() == [*range(detail.MOST_TURNS)] == [*range(100)]
    assert found["p_goes_on"].tolist() == [1] * 100
    assert found.iloc[-1][["requisition_left_a", "requisition_left_b"]].tolist() == [7, 7]


def test_requisition_left__how_often_how_much() -> None:
    found = by_hand().requisition_left
    assert found[["side", "requisition_left", "p_requisition_left"]].to_numpy().tolist() == [["a", 50, 1], ["b", 0, 1]]


def test_requisition_left__units_that_cost_the_same_leave_the_same() -> None:
    # Only y can hurt c, and x shoots d: whichever of the two is left is worth 8.
    x, y = vehicle(at(9), name="x"), vehicle(at(99), name="y")
    c, d = (vehicle(at(1, 1), hp=10, requisition=8, armor=plate, name=name) for name, plate in (("c", 40), ("d", 8)))
    order = {"policy_a": "list_order", "policy_b": "list_order", "first": "a"}
    found = GAME.battle([x, y], [c, d], range_in=24, actions=(2, 1), rounds=1, simulate=400, **order).requisition_left
    left = found[found["side"] == "b"].set_index("requisition_left")["p_requisition_left"]
    assert left.index.tolist() == [0, 8, 16]
    assert left.sum() == pytest.approx(1)


def test_ratios__of_units_and_requisition_lost() -> None:
    found = by_hand()
    assert (found.left_a, found.left_b, found.loss_exchange_ratio) == (2, 0, np.inf)
    assert found.to_dict()["loss_exchange_ratio"] is None
    # Seen from the other side: nothing for two units.
    x, c = vehicle(sure(10), hp=20, requisition=9), vehicle(sure(10), hp=10, requisition=2)
    one = GAME.battle([x], [c, c, c], range_in=6, actions=1, first="a")
    # x destroys c in turns 1 and 3, and is lost in turn 4.
    assert (one.left_a, one.left_b, one.loss_exchange_ratio) == (0, 1, 2)
    assert one.requisition_exchange_ratio == 4 / 9
    rolled = GAME.battle([x], [c, c, c], range_in=6, actions=1, first="a", simulate=10)
    assert (rolled.left_a, rolled.left_b, rolled.loss_exchange_ratio) == (0, 1, 2)


def test_log__each_strike() -> None:
    found = by_hand().log
    assert found[["player_turn", "side", "name", "enemy", "toughness_before", "taken"]].to_numpy().tolist() == [
        [1, "a", "x", "c", 10, 10],
        [1, "a", "y", "d", 20, 10],
        [2, "b", "d", "x", 50, 10],
        [3, "a", "x", "d", 10, 10],
    ]
    # 15 of c's 10 are 10, which count for 5; 10 of d's 20 left for half of 8, and so on.
    assert found["gain"].tolist() == [5, 4, 8, 8]
    assert (found["toughness"].tolist(), found["strike"].tolist()) == ([10, 20, 50, 20], [1, 2, 3, 4])


def cited(lines: list[str], at: int) -> list[str]:
    """The rules that a line cites by their numbers, of those that stand below."""
    named = dict(line.split(maxsplit=1) for line in lines[lines.index("rules") + 1 :])
    numbers = [run.split("-") for run in lines[at].rpartition("  [")[2].rstrip("]").split(", ")]
    return [named[str(at)] for run in numbers for at in range(int(run[0]), int(run[-1]) + 1)]


def test_explain__tells_it_in_words() -> None:
    lines = by_hand().explain().splitlines()
    assert lines[0] == "battle 0 of seed 0"
    assert lines[1:3] == [
        "a: x, y",
        "   list_order: Strike with the first unit that can, at the first enemy that it hurts, both in list order.",
    ]
    assert [line for line in lines if line.startswith("turn")] == ["turn 1, a", "turn 2, b", "turn 3, a"]
    at_first = lines.index("turn 1, a")
    assert lines[at_first + 1] == "  x: weapon 1 at c (10 of 10 left, 5 requisition expected per action)"
    assert "takes 10, destroyed" in lines[at_first + 2]
    assert "p. 9 Damage" in cited(lines, at_first + 2)
    assert lines[at_first + 3] == "  y: weapon 1 at d (20 of 20 left, 4 requisition expected per action)"
    assert "takes 10, 10 left" in lines[at_first + 4]
    assert [line for line in lines if line.startswith("left of")] == [
        "left of a: 50 requisition (x, y)",
        "left of b: nobody",
    ]


@pytest.mark.parametrize("seed", range(6))
def test_explain__says_who_is_left_as_the_tables_count_them(seed: int) -> None:
    lists = "us_m3_ht,inf_rifle*2,de_tiger1" if seed % 2 else "de_tiger1*3", "su_t34_85*3"
    found = GAME.battle(*lists, range_in=12, actions=5, seed=seed, first="a", simulate=1)
    said = [line for line in found.explain().splitlines() if line.startswith("left of")]
    for side, line in zip("ab", said, strict=True):
        of_side = found.units[(found.units["side"] == side) & (found.units["p_survives"] == 1)]
        names = ", ".join(of_side["name"])
        worth = int(of_side["requisition"].sum())
        assert line == f"left of {side}: " + (f"{worth} requisition ({names})" if names else "nobody")


def test_explain__what_is_left_falls_from_strike_to_strike() -> None:
    found = GAME.battle([vehicle(sure(10))], [vehicle(at(1, 1), hp=30)], range_in=6, actions=1, first="a")
    assert re.findall(r"takes 10, (\w+)", str(found.explain())) == ["20", "10", "destroyed"]


def test_explain__of_a_battle_without_a_strike() -> None:
    harmless = vehicle(at(1, 1), armor=50)
    found = GAME.battle([harmless], [harmless], range_in=6, actions=1)
    assert found.explain().splitlines()[-3] == "nobody can hurt anybody"
    assert found.log.empty
    assert found.timeline["p_goes_on"].tolist() == [0]


def test_log__shows_the_dice_and_their_reroll() -> None:
    # At 24 inches a 4 is needed, and at advantage a 3 is rolled again.
    shooter, target = vehicle(at(99, 10), requisition=5), vehicle(at(1, 1), hp=10, requisition=1, armor=8)
    for seed in range(30):
        key = np.uint64(rng.stream_key(seed, "unit", "v", "unit", "a"))
        expected = []
        for turn in range(0, 999, 2):
            word = int(rng.philox(key, np.uint64(turn), np.uint64(0))[0])
            shown = word % 2**58 * 36 >> 58
            die, again = shown // 6 + 1, shown % 6 + 1
            expected.append(f"3, then {again}" if die == 3 else str(die))
            if die >= 4 or (die == 3 and again >= 4):
                break
        found = GAME.battle([shooter], [target], range_in=24, actions=1, first="a", seed=seed).log
        assert found["rolled"].tolist() == expected
        assert set(found["needed"]) == {"4+ or 3, then 4+"}
        assert found["taken"].tolist() == [0] * (len(expected) - 1) + [10]


def test_log__of_several_faces_the_dice_are_those_of_the_face_that_was_hit() -> None:
    # At 20 inches a 4 hits, and a 3 is rolled again at advantage, that of thin plates; nothing goes through the front.
    target = vehicle(at(1, 1), hp=500, armor=(30, 5, 5))
    found = GAME.battle([vehicle(at(9))], [target], range_in=20, actions=1, first="a", facing="mix", rounds=20).log
    thin = found["needed"] == "4+ or 3, then 4+"
    assert 0 < thin.sum() < len(found)
    assert set(found.loc[~thin, ["needed", "rolled", "taken"]].itertuples(index=False, name=None)) == {("", "", 0)}
    hit = [
        float(rolled[0]) >= 4 or rolled in ("3, then 4", "3, then 5", "3, then 6") for rolled in found["rolled"][thin]
    ]
    assert (found["taken"][thin] > 0).tolist() == hit


@pytest.mark.parametrize(
    ("base", "need", "said", "shown"),
    [
        (36, 18, "4+", {17: "3", 18: "4"}),
        (36, 15, "4+ or 3, then 4+", {11: "2", 12: "3, then 1", 15: "3, then 4", 17: "3, then 6", 18: "4"}),
        (36, 33, "6, then 4+", {29: "5", 32: "6, then 3", 33: "6, then 4"}),
        # Of the five digits of a 3, two fall short: of those faces that end the rerolls, 1 and 2.
        (30, 12, "4+ or 3, rerolled", {11: "3, rerolled in vain", 12: "3, rerolled well", 15: "4"}),
    ],
)
def test_need__and_the_die_that_a_digit_shows(base: int, need: int, said: str, shown: dict[int, str]) -> None:
    assert _need(need, base) == said
    assert {digit: _face(digit, need, base) for digit in shown} == shown


def test_log__names_who_helps() -> None:
    gun, crew = field_gun(sure(10), name="gun", armor=0), squad(name="crew")
    scout = vehicle(at(1, 1), name="scout", keywords={"scout": True})
    target = vehicle(at(1, 1), name="target", hp=40, armor=8)
    for free, helpers in ((True, "crew, scout"), (False, "crew")):
        game = aab.Game(variant={"scout_costs_action": not free})
        found = game.battle([crew, gun, scout], [target], range_in=24, actions=9, first="a").log
        assert set(found.loc[found["name"] == "gun", "helpers"]) == {helpers}
        assert not found.loc[found["name"] != "gun", "helpers"].any()


# --- what adds up -----------------------------------------------------------------------------------------------

LISTS = [
    ("de_tiger1,inf_rifle", "su_t34_85*3,inf_at_rifle", {"facing": "mix"}),
    ("de_pak40,inf_rifle,de_sdkfz222", "su_t34_85,su_zis2,inf_rifle_mg", {}),
    ("de_wespe,de_pz4h,inf_sniper", "us_m4a1*2,uk_bofors", {"facing": "side"}),
]


@pytest.mark.parametrize("case", range(len(LISTS)))
def test_detail__adds_up(case: int) -> None:
    a, b, at_ = LISTS[case]
    found = GAME.battle(a, b, range_in=18, actions=(4, 3), simulate=600, seed=3, **at_)
    units, turns = found.units, found.timeline
    worth = {side: rows["requisition"] @ rows["p_survives"] for side, rows in units.groupby("side")}
    assert (worth["a"], worth["b"]) == pytest.approx((found.value_a, found.value_b))
    assert units.groupby("side")["p_survives"].sum().tolist() == pytest.approx([found.left_a, found.left_b])
    assert units.groupby("side")["share_of_actions"].sum().tolist() == pytest.approx([1, 1])
    lost = {"a": len(unit_list(a, GAME.cards)) - found.left_a, "b": len(unit_list(b, GAME.cards)) - found.left_b}
    kills = units.groupby("side")["kills"].sum()
    assert (kills["b"], kills["a"]) == pytest.approx((lost["a"], lost["b"]))
    whole = units.groupby("side")["requisition"].sum()
    credit = units.groupby("side")["requisition_destroyed"].sum()
    for side, other, value in (("a", "b", found.value_b), ("b", "a", found.value_a)):
        # Of what is left, some was hit.
        assert whole[other] - value - 1e-9 <= credit[side] <= whole[other] + 1e-9
    last = turns.iloc[-1]
    assert (last["requisition_left_a"], last["requisition_left_b"]) == pytest.approx((found.value_a, found.value_b))
    assert last["p_goes_on"] == 0
    assert turns["p_goes_on"].sum() == pytest.approx(found.player_turns)
    left = found.requisition_left
    assert left.groupby("side")["p_requisition_left"].sum().tolist() == pytest.approx([1, 1])
    mean = left["requisition_left"] * left["p_requisition_left"]
    assert mean.groupby(left["side"]).sum().tolist() == pytest.approx([found.value_a, found.value_b])
    assert {*units["n"], *turns["n"], *left["n"]} == {600}


def test_detail__fits_the_exact_solution() -> None:
    exact = GAME.battle("de_tiger1,de_pz4h", "su_t34_85*3", range_in=24, actions=3)
    assert exact.engine == "exact"
    last, units = exact.timeline.iloc[-1], exact.units
    for side, value in (("a", exact.value_a), ("b", exact.value_b)):
        assert abs(last[f"requisition_left_{side}"] - value) < 5 * last[f"requisition_left_{side}_se"]
        assert 0.1 < last[f"requisition_left_{side}_se"] < 2
    p = (units["p_survives"] * units["requisition"])[units["side"] == "a"].sum()
    assert p == pytest.approx(last["requisition_left_a"])


def test_detail__is_the_same_however_trials_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for a, b, at_ in LISTS:
        cards = (
            [GAME.card(unit) for unit in unit_list(a, GAME.cards)],
            [GAME.card(unit) for unit in unit_list(b, GAME.cards)],
        )
        views = situation_mix(GAME.situation, at_.get("facing", "front"))
        battle = Battle(
            GAME.ruleset.forces(cards, views, 18, GAME.variant),
            Terms((4, 3), ("value", "focus"), None, False),
        )
        counts = []
        for most, parts in ((2048, [0, 300]), (32, [0, 1, 77, 300])):
            monkeypatch.setattr(rolls, "LANES", most)
            runs = [[0, 5, start, end - start, 50] for start, end in pairwise(parts)]
            every = battle.rolls(1, detailed=True).roll(np.array(runs, dtype=np.uint64))
            counts.append(every.sum(axis=0))
        assert (counts[0] == counts[1]).all()
        plain = battle.rolls(1).roll(np.array([[0, 5, 0, 300, 50]], dtype=np.uint64))[0]
        assert (counts[0][: kernel.TALLY] == plain).all()
        assert counts[0][kernel.TALLY :].any()


def test_forces__explained_are_the_same_with_steps() -> None:
    for a, b, at_ in LISTS:
        lists = (
            [GAME.card(unit) for unit in unit_list(a, GAME.cards)],
            [GAME.card(unit) for unit in unit_list(b, GAME.cards)],
        )
        asked = lists, situation_mix(GAME.situation, at_.get("facing", "front")), 18, GAME.variant
        plain, told = GAME.ruleset.forces(*asked), GAME.ruleset.forces(*asked, explain=True)
        for force, other in zip(plain, told, strict=True):
            for unit, same in zip(force, other, strict=True):
                bare = tuple(strike._replace(steps=()) for strike in same.strikes)
                assert unit == same._replace(strikes=bare)
                for strike in same.strikes:
                    assert [len(case) for case, *_ in strike.steps] == [len(case) for case, *_ in strike.dice]


# --- what is shown ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["units", "timeline", "requisition_left", "log"])
def test_tables__are_declared(name: str) -> None:
    found: pd.DataFrame = getattr(by_hand(), name)
    table = {"units": "battle_units", "timeline": "battle_timeline", "requisition_left": "battle_left"}
    declared = columns.TABLES[table.get(name, "battle_log")]
    assert tuple(found) == declared.columns
    assert not found[list(declared.key)].duplicated().any()
    assert found.attrs["seed"] == 0


def test_units__of_more_than_can_be_rolled_are_refused() -> None:
    tank = vehicle(sure(200))
    found = GAME.battle([tank], [tank], range_in=6, actions=1)
    assert found.engine == "exact"
    with pytest.raises(UsageError, match="effect of a sequence: found 200, expected at most 127"):
        _ = found.units


WORDS = ["battle", "de_tiger1", "su_t34_85*2", "--range", "24", "--actions", "2", "--simulate", "40", "--seed", "7"]


def test_battle_command__names_costs_as_the_game_does_above_its_tables() -> None:
    words = ["battle", "tank", "infantry", "--range", "1", "--game", "skirmish_wars", "--simulate", "20", "--units"]
    told = CliRunner().invoke(main, [*words, "--left"]).output
    assert re.search(r"\nside  place  name +cost  p_survives +share_of_actions  cost_destroyed +kills", told)
    assert "\ncost_left: 20 simulated battles, seed 0; " in told
    assert "\nside  cost_left  p_cost_left\n" in told


def test_battle__two_cards_of_one_name_are_not_two_of_one() -> None:
    cards = [vehicle(sure(5)), vehicle(sure(5)), vehicle(sure(6))]
    name = cards[0].name
    assert GAME.battle(cards, cards[:1], range_in=6, actions=1, simulate=1).a == f"2 {name}, {name}"


def test_battle_command__intervals_of_few_battles_are_as_wide_as_they_have_to_be() -> None:
    words = ["battle", "de_tiger1", "su_t34_85", "--range", "12", "--actions", "3", "--units", "--simulate"]
    rows = {n: CliRunner().invoke(main, [*words, str(n)]).output.splitlines()[-1] for n in (1, 5)}
    found = GAME.battle("de_tiger1", "su_t34_85", range_in=12, actions=3, simulate=5).units.iloc[1]
    # Student's t with one degree of freedom, of two batches; Wilson's interval of none of five ends at .4345.
    half = max(12.706 * found["requisition_destroyed_se"], 0.4345 * 145)
    assert f" {found['requisition_destroyed']:.1f} ± {float(f'{half:.1g}'):g} " in rows[5]
    assert " 0.00 ± 0.4 " in rows[5]
    assert " 66.1 ± 100 " in rows[1]  # .7935 of what the enemy costs
    alike = CliRunner().invoke(main, [*words[:2], "su_t34_85*2", *words[3:], "30", "--timeline"]).output
    assert re.search(r"\n +0  145 ± 0 +200 ± 0 +1\.0000 \[1\.0000, 1\.0000\]\n", alike)
    assert " 0.500 ± 0.2 " in alike  # each batch has one battle in which either side begins, so all are alike


def test_battle_command__what_one_battle_cannot_tell_is_null_in_json() -> None:
    words = [*WORDS[:-4], "--simulate", "1", "--units", "--timeline", "--left", "--json"]
    said = json.loads(CliRunner().invoke(main, words).output)
    assert {row["kills_se"] for row in said["units"]} == {None}
    found = GAME.battle("de_tiger1", "su_t34_85*2", range_in=24, actions=2, simulate=1)
    assert [row["kills"] for row in said["units"]] == found.units["kills"].tolist()
    assert len(said["timeline"]) == len(found.timeline)


def test_battle_command__shows_tables_and_one_battle() -> None:
    found = GAME.battle("de_tiger1", "su_t34_85*2", range_in=24, actions=2, simulate=40, seed=7)
    once = CliRunner().invoke(main, [*WORDS, "--simulate", "1", "--left"]).output
    assert "requisition_left: 1 simulated battle, seed 7; 95 % intervals" in once
    told = CliRunner().invoke(main, [*WORDS, "--units", "--timeline", "--left"]).output
    for name in ("units", "timeline", "requisition_left"):
        assert f"{name}: 40 simulated battles, seed 7; 95 % intervals" in told
    tiger = found.units.iloc[0]
    ends = f"[{tiger['p_survives_ci_low']:.4f}, {tiger['p_survives_ci_high']:.4f}]"
    kills = f"{tiger['kills']:#.3g} ± {2.09 * tiger['kills_se']:.1g}"
    assert re.search(rf"\na +1  Tiger I .* {re.escape(f'{tiger.p_survives:.4f} {ends}')} .* {kills} ", told)
    assert CliRunner().invoke(main, [*WORDS, "--explain"]).output == found.explain() + "\n"
    said = json.loads(CliRunner().invoke(main, [*WORDS, "--units", "--left", "--explain", "--json"]).output)
    assert set(said) == {*found.to_dict(), "units", "requisition_left", "explain"}
    assert said["units"] == found.units.to_dict(orient="records")
    assert said["explain"] == found.explain()
