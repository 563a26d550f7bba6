"""The action economy: who wins as the limit rises, and what one action more is worth, counted by hand."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction as F
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner
from handmade import ai, at, squad, vehicle
from pandas.testing import assert_frame_equal

import aabalance as aab
from aabalance import columns
from aabalance.analysis import actions as action_economy
from aabalance.analysis.battles import Score
from aabalance.cli import main
from aabalance.cli.battle import _cells, _merged
from aabalance.engine.volleys import TooLarge

pytestmark = pytest.mark.slow

GAME = aab.Game()
SURE = at(99, 10)
"""At 6 inches it hits and penetrates whatever is rolled."""


def dear(hp: int) -> Any:
    return vehicle(SURE, hp=hp, requisition=40)


CHEAP = vehicle(SURE, hp=10, requisition=10)


def curve(a: Any, b: Any, **given: Any) -> pd.DataFrame:
    return aab.actions(GAME, a, b, **{"range_in": 6, "limits": range(1, 4), "policies": ["value"], **given})


def price(table: pd.DataFrame, name: str, limit: int) -> tuple[float, float, float]:
    row = table.set_index("actions").loc[limit]
    return row[name], row[f"{name}_low"], row[f"{name}_high"]


# --- by hand: every shot hits. A dear unit that five shots destroy, and four that one shot destroys each


def test_actions__with_one_action_the_dear_unit_wins_with_two_the_cheap_ones() -> None:
    """With one, it kills the four before their fifth shot; with two, they have fired five times in three turns."""
    found = curve([dear(50)], [CHEAP] * 4)
    assert list(found) == [name for name in columns.TABLES["actions"].columns if name in found]
    assert found["actions"].tolist() == [1, 2, 3]
    assert found["score_a"].tolist() == found["p_a"].tolist() == [1, 0, 0]
    assert found[["score_a_low", "score_a_high"]].to_numpy().tolist() == [[1, 1], [0, 0], [0, 0]]
    assert found[["requisition_a", "requisition_b"]].drop_duplicates().to_numpy().tolist() == [[40, 40]]
    (lead,) = aab.leads(found).to_dict("records")
    ahead = lead["ahead_with_few"], lead["few_to"], lead["ahead_with_many"], lead["many_from"]
    assert ahead == ("a", 1, "b", 2)


def test_actions__price_is_what_gives_the_same_score() -> None:
    """With one action, six cheap ones win in either order, as four do with two actions; five only moving first."""
    found = curve([dear(50)], [CHEAP] * 4)
    assert price(found, "action_price_b", 1) == (20, 20, 20)
    assert price(found, "even_requisition_b", 1) == (50, 50, 50)
    assert price(found, "action_price_a", 1) == (0, 0, 0), "it has one gun"
    assert price(found, "action_price_b", 2) == (0, 0, 0), "four with two actions win already"


def test_actions__a_level_score_asks_for_nothing() -> None:
    """Where a side wins anyway, one action more and one unit less are worth nothing: the price is that of no change."""
    found = curve([dear(50)] * 3, [CHEAP])
    assert price(found, "action_price_a", 1) == (0, 0, 0)


def test_actions__what_no_number_of_units_does_has_no_price() -> None:
    """Two hits are needed in the one turn that there is: with an action for one of them, nobody wins."""
    found = curve([vehicle(SURE, requisition=7)] * 2, [vehicle(at(1, 1), hp=20)], rounds=1, limits=[1, 2])
    assert found["score_a"].tolist() == [0.5, 1]
    assert price(found, "action_price_a", 1) == (math.inf, (8 - 2) * 7, math.inf), "four times as many were tried"
    assert price(found, "action_price_a", 2) == (0, 0, 0)
    first, second = _cells(found)[1]
    assert (first[-2], second[-2]) == ("more than 42", "0 [0, 0]")


def test_cells__a_price_whose_interval_has_no_end_says_so() -> None:
    found = curve([vehicle(SURE, requisition=7)] * 2, [vehicle(at(1, 1), hp=20)], rounds=1, limits=[1])
    found["action_price_a"], found["action_price_a_low"] = 20.0, 6.0
    assert _cells(found)[1][0][-2] == "20 [6, no end]"


def test_merged__two_limits_that_are_alike_are_a_row_from_one_to_the_other_and_so_are_two_policies() -> None:
    rows: list[list[object]] = [
        [policy, limit, chance] for policy in ("value", "focus") for limit, chance in ((1, ".4"), (2, ".6"), (3, ".6"))
    ]
    assert _merged(["policy", "actions", "a wins"], rows) == (
        ["policy", "actions", "a wins"],
        [["value and focus", 1, ".4"], ["value and focus", "2-3", ".6"]],
    )


@pytest.mark.parametrize(
    ("a", "b", "policy"),
    [
        ("de_tiger1,de_pz4h*2", "su_t34_85*2", "value"),
        ("uk_daimler_ac,de_pz4h", "inf_rifle,us_m4a1", "value"),
        ("de_tiger1,us_m16", "de_brummbar,us_m3_lee", "focus"),  # accurate; autocannons; reloads; two guns
        ("us_m8_hmc,us_m4a1", "de_wespe,de_pak40,inf_rifle", "list_order"),  # they set up, and have crews
    ],
)
def test_actions__limits_that_nobody_could_spend_are_one_battle(a: str, b: str, policy: str) -> None:
    """Each row, asked for alone, is the same; and so is the battle, fought under a limit that doesn't bind."""
    given = {"range_in": 12, "policies": [policy]}
    together = aab.actions(GAME, a, b, limits=[1, 2, 3, 4, 5, 6, 7, 9], **given)
    alone = [aab.actions(GAME, a, b, limits=[limit], **given) for limit in together["actions"]]
    assert_frame_equal(together, pd.concat(alone, ignore_index=True), check_exact=True)
    for limit, row in zip(together["actions"], together.itertuples(), strict=True):
        fought = GAME.battle(a, b, range_in=12, actions=limit, policy_a=policy, policy_b=policy)
        assert (fought.p_a, fought.p_b, fought.p_draw) == (row.p_a, row.p_b, row.p_draw)


def test_actions__a_scout_without_a_gun_has_actions_that_a_limit_can_bind() -> None:
    """A gun that needs 6+ hits on 3+ with a scout, for an action more than its own: a limit of two isn't one of one."""
    sides = [vehicle(at(8, 10)), vehicle(ai("0", range=1), hp=9, keywords={"scout": True})], [vehicle(armor=9, hp=10)]
    first, second = curve(*sides, range_in=18, limits=[1, 2])["p_a"]
    alone = curve(*sides, range_in=18, limits=[2])["p_a"].item()
    assert first < second == alone


def test_actions__battles_under_limits_that_guns_cannot_spend_are_fought_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three units with a pool of two actions each have one attack each: three actions are as good as six."""
    fought, once = [], aab.Game.battle

    def counted(*given: Any, **named: Any) -> Any:
        fought.append((len(given[1]), len(given[2]), named["actions"]))
        return once(*given, **named)

    monkeypatch.setattr(aab.Game, "battle", counted)
    curve("de_pz4h*3", "us_m4a1*3", limits=[3, 4, 5, 6], range_in=18)
    assert [one for one in fought if one[:2] == (3, 3)] == [(3, 3, (3, 3))]


# --- by hand: a hit ends it. Guns that hit with 7/36 (6+ at 36 inches, a miss by one rolled again)

HIT = F(7, 36)
MISS = 1 - HIT
STEP = HIT * MISS / (1 - MISS * MISS)
"""The chance that the next hit is a's, if b shoots next, and one shot each is fired in turn."""


def score_b(units: int) -> F:
    """With one action a turn, a needs a hit for each unit of b before b has made one; a hits first with 1/2."""
    return 1 - STEP ** (units - 1) / 2


def score_b_with_two() -> F:
    """Two units of b fire a shot each; the last one, one."""
    both_miss = MISS * MISS
    a_to_move = HIT * STEP / (1 - MISS * both_miss)
    return 1 - (a_to_move + both_miss * a_to_move) / 2


UNIT = vehicle(at(10, 10), hp=10, requisition=12)


def test_actions__between_whole_units_scores_rise_in_a_straight_line() -> None:
    found = curve([UNIT], [UNIT] * 2, range_in=36)
    assert found["score_a"].iloc[0] == pytest.approx(float(1 - score_b(2)))
    wanted = score_b_with_two()
    less = next(n for n in range(2, 9) if score_b(n) <= wanted < score_b(n + 1))
    units = less + (wanted - score_b(less)) / (score_b(less + 1) - score_b(less))
    assert less == 2
    assert price(found, "action_price_b", 1) == pytest.approx((12 * float(units - 2), 0, 12))
    assert price(found, "even_requisition_b", 1) == pytest.approx((12, 12, 12)), "one against one"


def test_actions__fewer_units_than_there_are_may_be_even() -> None:
    """Half a unit is in half of the battles: a score of 1/4 where one unit has 1/2."""
    weak = vehicle(at(10, 10), hp=20, requisition=12)
    found = curve([UNIT], [weak], range_in=36, limits=[1])
    alone = score_b(2)  # it takes as many hits as two
    assert price(found, "even_requisition_b", 1) == pytest.approx((12 * float(F(1, 2) / alone), 0, 12))


def test_actions__a_list_cut_to_units_that_do_not_count_has_lost() -> None:
    """The tank wins for certain, the squad alone is no side: even is half a tank behind it."""
    tank, target = vehicle(SURE, requisition=12), vehicle(at(1, 1), hp=10)
    found = curve([target], [squad(requisition=3), tank], limits=[1])
    assert price(found, "even_requisition_b", 1) == (3 + 12 / 2, 3, 15)


def test_actions__lists_grow_by_their_own_units_in_order() -> None:
    """b needs three units for what one action more gives: its third is its first again, which costs 12."""
    other = UNIT.model_copy(update={"requisition": 1000})
    found = curve([UNIT], [UNIT, other], range_in=36, limits=[1], policies=["list_order"])
    assert price(found, "action_price_b", 1)[2] == 12
    assert price(found, "even_requisition_b", 1) == pytest.approx((12, 12, 12))


def test_actions__rolled_intervals_hold_the_exact_numbers_and_are_wider() -> None:
    exact = curve([UNIT], [UNIT] * 2, range_in=36, limits=[1]).iloc[0]
    found = curve([UNIT], [UNIT] * 2, range_in=36, limits=[1], simulate=4000, seed=1).iloc[0]
    assert (found["engine"], exact["engine"]) == ("monte_carlo", "exact")
    assert found["score_a_low"] < exact["score_a"] < found["score_a_high"]
    assert found["score_a_high"] - found["score_a_low"] == pytest.approx(
        2 * 1.96 * (0.223 * 0.777 / 4000) ** 0.5, rel=0.05
    )
    told = {"range_in": 36, "actions": 1, "simulate": 4000, "seed": 1, "policy_a": "value", "policy_b": "value"}
    fought = GAME.battle([UNIT], [UNIT] * 2, **told)
    for name in ("p_a", "p_b", "p_draw"):
        assert (found[f"{name}_ci_low"], found[f"{name}_ci_high"]) == getattr(fought, f"{name}_ci")
    for name in ("action_price_a", "action_price_b", "even_requisition_b"):
        assert found[f"{name}_low"] <= exact[name] <= found[f"{name}_high"]
        assert found[f"{name}_low"] <= exact[f"{name}_low"]
        assert found[f"{name}_high"] >= exact[f"{name}_high"]
    assert found["even_requisition_b_high"] - found["even_requisition_b_low"] >= 12


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (0.25, (2.5, 2, 3)),
        (0.3, (3, 3, 3)),
        (0.5, (5, 5, 5)),
        (0.0, (0, 0, 0)),
        (0.75, (7.25, 7, 8)),
        (0.9, (8, 8, 8)),
        (0.95, (math.inf, 20, math.inf)),
    ],
)
def test_reach__up_and_down_and_beyond_the_end(wanted: float, found: tuple[float, float, float]) -> None:
    """A tenth for each unit up to seven, then level to a 0.9 from eight on."""
    assert action_economy._reach(lambda n: n / 10 if n < 8 else 0.9, 5, wanted) == pytest.approx(found)


def test_reach__ends_where_so_many_can_not_be_fought() -> None:
    def score(units: int) -> float:
        if units > 6:
            raise TooLarge("units of a list: found 7, expected at most 6")
        return units / 10

    assert action_economy._reach(score, 5, 0.95) == (math.inf, 6, math.inf)


def test_needed__has_the_units_that_the_ends_of_both_scores_leave_open() -> None:
    """A tenth for each unit, give or take one: 0.4 may be reached by three units, 0.6 may take seven."""

    class Tenths:
        lists = ([None] * 5, [None] * 5)

        def score(self, side: int, length: int, limits: tuple[int, int]) -> Score:
            return Score(length / 10, (length - 1) / 10, (length + 1) / 10)

        def cost(self, side: int, length: float) -> float:
            return 12 * length

    found = action_economy._needed(Tenths(), 1, 2, Score(0.5, 0.4, 0.6))  # type: ignore[arg-type]
    assert found == pytest.approx((60, 36, 84))


# --- policies, limits, leads


def test_actions__rows_by_policy_then_limit_and_each_is_a_step() -> None:
    steps: list[int] = []
    found = curve(
        "de_pz4h", ["us_m4a1"], limits=[4, 2, 2], policies=["focus", ("value", "focus")], advance=steps.append
    )
    assert found[["policy_a", "policy_b", "actions"]].to_numpy().tolist() == [
        ["focus", "focus", 2], ["focus", "focus", 4], ["value", "focus", 2], ["value", "focus", 4],
    ]  # fmt: skip
    assert sum(steps) == 4
    assert found["list_a"].unique() == ["de_pz4h"]
    assert found["list_b"].unique() == [GAME.cards["us_m4a1"].name]


def test_actions__numbers_count_for_more_with_every_action() -> None:
    """Five Tigers against seven T-34-85, 700 points on either side: numbers need actions."""
    scores = aab.actions(GAME, "de_tiger1*5", "su_t34_85*7", range_in=24, limits=range(1, 9), policies=["focus"])[
        "score_a"
    ]
    assert scores.is_monotonic_decreasing
    assert scores.iloc[0] > 0.8
    assert scores.iloc[-1] < 0.4


def ends(*bounds: tuple[float, float]) -> pd.DataFrame:
    """A curve from interval to interval, in no order."""
    rows = [{"actions": n, "score_a_low": low, "score_a_high": high} for n, (low, high) in enumerate(bounds, 1)]
    key = dict.fromkeys(columns.TABLES["leads"].key, "x") | {"rounds": math.inf, "range_in": 6.0}
    return pd.DataFrame(rows).assign(**key)[::-1]


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ([(0.6, 0.7), (0.51, 0.6), (0.4, 0.6), (0.3, 0.49)], ("a", 2, "b", 4)),
        ([(0.5, 0.5), (0.6, 0.6), (0.6, 0.6)], ("neither", 1, "a", 2)),
        ([(0.2, 0.2), (0.6, 0.6), (0.2, 0.2)], ("b", 1, "b", 3)),
        ([(0.7, 0.7), (0.8, 0.8)], ("a", 2, "a", 1)),
    ],
)
def test_leads__are_the_runs_at_both_ends_of_the_limits(
    bounds: list[tuple[float, float]], said: tuple[str, int, str, int]
) -> None:
    (lead,) = aab.leads(ends(*bounds)).to_dict("records")
    assert (lead["ahead_with_few"], lead["few_to"], lead["ahead_with_many"], lead["many_from"]) == said


def test_leads__a_row_for_each_pair_and_policy() -> None:
    one, other = ends((0.6, 0.6)), ends((0.4, 0.4)).assign(policy_a="y")
    assert aab.leads(pd.concat([one, other]))["ahead_with_few"].tolist() == ["a", "b"]
    with pytest.raises(aab.UsageError, match="frame: found no column"):
        aab.leads(one.drop(columns="mode"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"limits": []}, "limits: found []"),
        ({"limits": 5}, "limits: found 5"),
        ({"limits": [0]}, "limits: found 0, expected a whole number from 1 to 999"),
        ({"limits": [1000]}, "limits: found 1000"),
        ({"policies": "value"}, "policies: found 'value'"),
        ({"policies": ["valeu"]}, "policy: found 'valeu'"),
        ({"mode": "timed"}, "rounds: found none"),
        ({"moved": True}, "situation moved"),
    ],
)
def test_actions__refuses_in_a_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(aab.UsageError) as error:
        curve("de_pz4h", "us_m4a1", **given)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


# --- the command line

WORDS = ["actions", "de_pz4h*2", "us_m4a1*2", "--range", "18"]


def said(*words: str) -> str:
    ran = CliRunner().invoke(main, [*WORDS, *words])
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_actions_command__says_the_same_as_python() -> None:
    options = {"facing": "side", "mode": "timed", "rounds": 3, "first": "a"}
    words = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    found = json.loads(said("--limits", "2-3", "--policy", "focus", "--policy", "list_order", *words, "--json"))
    want = aab.actions(
        GAME, "de_pz4h*2", "us_m4a1*2", range_in=18, limits=[2, 3], policies=["focus", "list_order"], **options
    )
    assert found["actions"] == json.loads(json.dumps(want.to_dict("records")))
    assert found["leads"] == json.loads(json.dumps(aab.leads(want).to_dict("records")))


def test_actions_command__names_who_leads_as_the_cards_do() -> None:
    ran = CliRunner().invoke(main, ["actions", "de_tiger1*2", "us_m24", "--range", "18", "--limits", "2-3"])
    assert ran.output.endswith("\nWith value and focus: 2 Tiger I (Ausf. E) ahead under every limit.\n")


def test_actions_command__has_a_row_for_each_policy_and_limit_that_differ_and_says_who_leads() -> None:
    lines = said().splitlines()
    assert lines[0] == "a: de_pz4h*2, b: us_m4a1*2"
    head = ["policy", "actions", "a wins", "b wins", "draw", "score of a", "an action for a", "for b"]
    assert re.split("  +", lines[1]) == head
    found = json.loads(said("--json"))
    assert found["sentence"] == lines[-1]
    assert lines[-1].startswith("With value and focus: ")
    assert lines[-1].endswith(" ahead under every limit.")
    rows = [re.split("  +", line) for line in lines[2:-1]]
    assert len({tuple(row[2:]) for row in rows}) == len(rows), "no two rows say the same"
    covered = []
    for policies, limits, *numbers in rows:
        first, _, last = limits.partition("-")
        for policy in policies.split(" and "):
            covered += [(policy, n, numbers) for n in range(int(first), int(last or first) + 1)]
    expected = []
    for row in found["actions"]:
        chances = [f"{row[name]:.4f}" for name in ("p_a", "p_b", "p_draw", "score_a")]
        price_a, price_b = (
            f"{row[name]:.0f} [{row[f'{name}_low']:g}, {row[f'{name}_high']:g}]"
            for name in ("action_price_a", "action_price_b")
        )
        expected.append((row["policy_a"], row["actions"], [*chances, price_a, price_b]))
    assert sorted(covered) == sorted(expected)
    assert any(price_a != price_b for *_, (*_, price_a, price_b) in expected)


def test_actions_command__rolled_scores_carry_their_interval_and_json_knows_no_infinity() -> None:
    rolled = said("--limits", "2", "--policy", "focus", "--simulate", "200", "--seed", "3")
    assert "] " in rolled.splitlines()[2]
    assert rolled.endswith("; where the interval of a score has .5, neither side is ahead.\n")
    (row,) = json.loads(said("--limits", "2", "--policy", "focus", "--json"))["actions"]
    assert row["rounds"] is None
    assert row["score_a_low"] == row["score_a"]


@pytest.mark.parametrize("limits", ["3-2", "x", "1-", "", "-3", "1-2-3"])
def test_actions_command__refuses_limits_that_are_none(limits: str) -> None:
    ran = CliRunner().invoke(main, [*WORDS, f"--limits={limits}"])
    assert ran.exit_code == 2
    assert ran.output == f"error: --limits: found {limits!r}, expected a number, or two such as 1-12\n"
