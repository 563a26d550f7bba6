"""Tables of battles: which rows there are, and what they say of what is lost and of the first turn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from handmade import at, vehicle

import aabalance as aab
from aabalance import columns
from aabalance.cli.battle import _largest
from aabalance.engine.battle import battle as battles
from aabalance.engine.battle import columns as battle_columns
from aabalance.engine.battle.lanes import rolls

GAME = aab.Game()
NEAR = {"range_in": 6}
SURE = at(99, 10)
"""At 6 inches it hits and penetrates whatever is rolled."""


def dear(hp: int = 50) -> Any:
    return vehicle(SURE, hp=hp, requisition=40, name="dear")


def cheap() -> Any:
    return vehicle(SURE, hp=10, requisition=10, name="cheap")


def table(*pairs: Any, **given: Any) -> pd.DataFrame:
    return aab.battles(GAME, pairs or None, **{"situations": [NEAR], "actions": [1], **given})


def test_battles__a_row_for_each_pair_situation_mode_limit_and_policy() -> None:
    found = table(
        ("de_tiger1", "de_pz4h*2"),
        (["de_pz4h"], "de_pz4h"),
        situations=[{"range_in": 12}, {"range_in": 24, "facing": "side"}],
        modes=["annihilation", ("timed", 3)],
        actions=[2, (1, 3)],
    )
    assert list(found) == [name for name in columns.TABLES["battles"].columns if name in found]
    assert len(found) == 2 * 2 * 2 * 2 * 2
    assert not found[list(columns.TABLES["battles"].key)].duplicated().any()
    assert found["list_a"].unique().tolist() == ["de_tiger1", GAME.cards["de_pz4h"].name]
    assert found["situation"].unique().tolist() == ["front", "side"]
    assert found[["mode", "rounds"]].drop_duplicates().to_numpy().tolist() == [["annihilation", math.inf], ["timed", 3]]
    assert found[["actions_a", "actions_b"]].drop_duplicates().to_numpy().tolist() == [[2, 2], [1, 3]]
    assert found[["policy_a", "policy_b"]].drop_duplicates().to_numpy().tolist() == [["value"] * 2, ["focus"] * 2]
    panzer = GAME.cards["de_pz4h"].requisition
    assert set(found["requisition_b"]) == {2 * panzer, panzer}
    row = found.iloc[9]  # the second situation, to annihilation, two actions, the second policy
    fought = GAME.battle(
        "de_tiger1", "de_pz4h*2", range_in=24, facing="side", actions=2, policy_a="focus", policy_b="focus"
    )
    assert row[["p_a", "p_b", "value_a", "value_b"]].tolist() == [
        fought.p_a, fought.p_b, fought.value_a, fought.value_b,
    ]  # fmt: skip


def test_battles__of_named_lists_every_one_against_every_other() -> None:
    lists = {"one": "de_pz4h", "two": ["de_pz4h", "de_tiger1"], "three": "su_t34_85"}
    found = table(lists=lists, policies=["focus"])
    assert list(zip(found["list_a"], found["list_b"], strict=True)) == [
        ("one", "two"), ("one", "three"), ("two", "three"),
    ]  # fmt: skip
    panzer, tiger = (GAME.cards[unit].requisition for unit in ("de_pz4h", "de_tiger1"))
    assert found["requisition_a"].tolist() == [panzer, panzer, panzer + tiger]
    found = table(("three", "us_m4a1"), lists=lists, policies=[("focus", "value")])
    assert found[["list_a", "list_b", "policy_a", "policy_b"]].to_numpy().tolist() == [
        ["three", "us_m4a1", "focus", "value"]
    ]


def test_battles__what_is_lost_and_what_the_first_turn_gives() -> None:
    """Every shot destroys a cheap one, and five the dear one; each side has one shot a turn.

    Of four cheap ones the dear one kills all before they have fired five times, and loses nothing; of five it does so
    if it moves first, and if not it is lost and one of them is left: each half the time.
    """
    found = table(([dear()], [cheap()] * 4), ([dear()], [cheap()] * 5), policies=["value"])
    four, five = found.to_dict("records")
    assert (four["p_a"], four["value_a"], four["value_b"]) == (1, 40, 0)
    assert (four["loss_exchange_ratio"], four["requisition_exchange_ratio"]) == (math.inf, math.inf)
    assert (four["score_a"], four["first_turn_gap"]) == (1, 0)
    assert (five["p_a"], five["p_b"], five["value_a"], five["value_b"]) == (0.5, 0.5, 20, 5)
    # b loses 45 requisition or four and a half units on average, a 20 or half a unit.
    assert (five["loss_exchange_ratio"], five["requisition_exchange_ratio"]) == (9, 2.25)
    assert (five["score_a"], five["first_turn_gap"]) == (0.5, 1)
    assert five["player_turns"] == 9


def test_battles__without_losses_no_ratio_and_a_draw_is_half() -> None:
    harmless = vehicle(at(1, 1), armor=50, requisition=9)
    row = table(([harmless], [harmless] * 2), policies=["value"]).iloc[0]
    assert math.isnan(row["loss_exchange_ratio"])
    assert math.isnan(row["requisition_exchange_ratio"])
    assert (row["p_draw"], row["score_a"], row["first_turn_gap"]) == (1, 0.5, 0)
    rolled = table(([harmless], [harmless] * 2), policies=["value"], simulate=400).iloc[0]
    # Wilson's interval of 200 wins of 400: the draws count half.
    assert rolled["score_a"] == 0.5
    assert [rolled[f"score_a_ci_{end}"] for end in ("low", "high")] == pytest.approx([0.4512, 0.5488], abs=1e-4)


def test_battles__losses_of_units_that_differ_in_cost() -> None:
    """The dear one of b falls first, then the cheap one; b fires twice before that only if it moves first."""
    row = table(([dear(20)], [cheap(), dear(10)]), policies=["value"]).iloc[0]
    # b loses 50 requisition or 40, two units or one; a nothing or all.
    assert (row["loss_exchange_ratio"], row["requisition_exchange_ratio"]) == (3, 2.25)


def test_battles__span_is_over_the_policies_of_a_battle_alone() -> None:
    """One shot: by value it takes the dear one, and what is left is no match for it; by focus the weak one."""
    a = [vehicle(SURE, hp=10, requisition=30)]
    b = [vehicle(at(1, 1), hp=8, requisition=3), vehicle(at(1, 1), hp=10, requisition=40)]
    found = table((a, b), (a, b[:1]), modes=[("timed", 1)], policies=["value", "focus"])
    # 30 left against 3, or against 40.
    assert found["score_a"].tolist() == [1, 0, 1, 1]
    assert found["score_span"].tolist() == [1, 1, 0, 0]


def test_battles__span_of_rolled_ones_has_what_their_scores_leave_open() -> None:
    """By either policy a unit fights alone, so that nothing but luck makes a span; with one policy, there is none."""
    told = {"actions": [1], "simulate": 400, "seed": 3}
    both = table(([dear()], [cheap()] * 5), policies=["value", "focus"], **told)
    for row in both.to_dict("records"):
        apart = [both["score_a_ci_high"][a] - both["score_a_ci_low"][1 - a] for a in (0, 1)]
        assert (row["score_span_ci_low"], row["score_span_ci_high"]) == (0, max(apart))
    alone = table(([dear()], [cheap()] * 5), policies=["value"], **told)
    assert alone["score_span"].tolist() == [0]
    assert "score_span_ci_low" not in alone


def test_battles__span_of_policies_that_differ_is_above_none() -> None:
    a = [vehicle(SURE, hp=10, requisition=30)]
    b = [vehicle(at(1, 1), hp=8, requisition=3), vehicle(at(1, 1), hp=10, requisition=40)]
    found = table((a, b), modes=[("timed", 1)], policies=["value", "focus"], simulate=400)
    (low,), (high,) = ({float(at) for at in found[f"score_span_ci_{end}"]} for end in ("low", "high"))
    at_least = 2 * float(found["score_a_ci_low"][0]) - 1
    assert (low, high) == (pytest.approx(at_least), 1)


def test_battles__rolled_ones_have_intervals_and_others_none() -> None:
    pair = ([dear()], [cheap()] * 5)
    assert not any("_ci_" in name or name == "n" for name in table(pair))
    steps: list[int] = []
    found = table(pair, policies=["value"], actions=[1, 2], simulate=400, seed=3, advance=steps.append)
    assert steps == [1, 1]
    assert found["n"].tolist() == [400, 400]
    even, lost = found.to_dict("records")
    assert (even["p_a"], even["engine"]) == (0.5, "monte_carlo")  # each order half of the time
    assert even["p_a_ci_low"] == pytest.approx(0.5 - 1.96 * (0.25 / 400) ** 0.5, abs=1e-3)
    assert even["p_draw_ci_low"] == 0
    assert lost["p_b_ci_high"] == 1
    assert even["score_a_ci_low"] == pytest.approx(even["p_a_ci_low"])  # none is drawn


def test_battles__intervals_are_those_of_the_battle() -> None:
    pair = "de_tiger1,de_pz4h", "su_t34_85*3"
    told = {"range_in": 6, "actions": 2, "simulate": 300, "seed": 5}
    fought = GAME.battle(*pair, **told, policy_a="focus", policy_b="focus")
    (row,) = table(pair, policies=["focus"], actions=[2], simulate=300, seed=5).to_dict("records")
    bounds = {name.removesuffix("_low"): row[name] for name in map(str, row) if name.endswith("_ci_low")}
    assert len(bounds) == 10
    assert row["first_turn_gap_ci_low"] < row["first_turn_gap"] < row["first_turn_gap_ci_high"]
    for name, low in bounds.items():
        if name != "score_a_ci":
            assert (low, row[f"{name}_high"]) == getattr(fought, name)
            assert low <= row[name.removesuffix("_ci")] <= row[f"{name}_high"]


@pytest.mark.parametrize(
    ("column", "row", "most"),
    [
        ("requisition_left_a", {}, 145),
        ("requisition_left_b", {}, 200),
        ("requisition_destroyed", {"side": "a"}, 200),
        ("kills", {"side": "a"}, 2),
        ("kills", {"side": "b"}, 1),
        ("earned_its_cost", {"side": "b", "requisition": 100}, 1.45),
        ("share_of_actions", {"side": "b"}, 1),
    ],
)
def test_largest__is_what_a_side_has_or_what_its_enemy_loses(column: str, row: dict[str, Any], most: float) -> None:
    result = aab.Game().battle("de_tiger1", "su_t34_85*2", range_in=18, actions=4)
    assert _largest(result, row, column) == most


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "lists: found 0, expected two at least"),
        ({"lists": {"one": "de_pz4h"}}, "lists: found 1, expected two at least"),
        ({"lists": ["de_pz4h", "us_m4a1"]}, "lists: found ['de_pz4h', 'us_m4a1'], expected lists by name"),
        ({"pairs": []}, "pairs: found [], expected a list with one at least"),
        ({"pairs": "de_pz4h"}, "pairs: found 'de_pz4h', expected a list"),
        ({"pairs": ["de_pz4h"]}, "pairs: found 'de_pz4h', expected pairs"),
        ({"pairs": [("de_pz4h", "de_tiger1", "us_m4a1")]}, "pairs: found ['de_pz4h', "),
        ({"pairs": [("de_pz4h", "nobody")]}, "unknown unit 'nobody'"),
        ({"pairs": [("de_pz4h", "us_m4a1")], "actions": 3}, "actions: found 3, expected a list"),
        (
            {"pairs": [("de_pz4h", "us_m4a1")], "situations": NEAR},
            "situations: found { range_in = 6 }, expected a list",
        ),
        ({"pairs": [("de_pz4h", "us_m4a1")], "policies": []}, "policies: found []"),
        ({"pairs": [("de_pz4h", "us_m4a1")], "modes": ["timed"]}, "rounds: found none"),
    ],
)
def test_battles__refuses_in_a_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(aab.UsageError) as error:
        aab.battles(GAME, **{"situations": [NEAR], "actions": [1], **given})
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_solve__a_battle_for_which_two_solvers_are_asked_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A side whose strikes are helped by a scout falls in order, but is no chain: its states are reached."""
    monkeypatch.setattr(battles, "_plain", [])
    found = GAME.battle("fr_p178,us_m4a1", "us_m4a1", range_in=6, actions=2, policy_a="focus", policy_b="focus")
    assert found.solver.startswith("reachable states of a chain")
    assert len(battles._plain) == 1


@pytest.mark.parametrize(
    ("costs", "free", "most"),
    [((), (), 0), ((1,), (), 5), ((2,), (), 2), ((2, 3), (), 2), ((2, 1), (0,), 9), ((6,), (), 0), ((0, 1), (), 9)],
)
def test_most_strikes__as_many_as_the_limit_pays_for(costs: tuple[int, ...], free: tuple[int, ...], most: int) -> None:
    """Under five actions, by guns with nine attacks in all: free strikes need none of the limit."""
    strikes = np.zeros((len(costs), battle_columns.ALONE + 1), dtype=np.int64)
    strikes[:, battle_columns.ACTIONS] = costs
    strikes[list(free), battle_columns.OF_FREE] = 1
    assert rolls.most_strikes(strikes, 5, 9) == most
