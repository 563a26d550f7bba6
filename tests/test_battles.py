"""Battles of two lists under an action limit: by hand, against duels, against dice thrown literally."""

from __future__ import annotations

import json
from fractions import Fraction as F
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from handmade import ai, at, field_gun, he, squad, vehicle

import aabalance as aab
from aabalance.cli import main
from aabalance.definitions.lists import unit_list
from aabalance.engine.battle import battle as battles
from aabalance.engine.battle import policies
from aabalance.errors import UsageError

GAME = aab.Game()


def sure(damage: int, **fields: Any) -> dict[str, Any]:
    """A gun that hits at 6 inches whatever is rolled."""
    return at(99, damage, **fields)


def fight(a: list[Any], b: list[Any], **given: Any) -> aab.BattleResult:
    return GAME.battle(a, b, **{"range_in": 6, "actions": 9, "first": "a", **given})


# --- by hand ----------------------------------------------------------------------------------------------------


def test_battle__ends_with_the_shot_that_leaves_no_unit_that_counts() -> None:
    shooter, target = vehicle(sure(10), requisition=7), vehicle(sure(10), hp=20, requisition=5)
    found = fight([shooter, shooter], [target])
    assert (found.p_a, found.player_turns, found.value_a, found.value_b) == (1, 1, 14, 0)


def test_battle__a_limit_of_one_lets_one_unit_fire() -> None:
    shooter, target = vehicle(sure(10), hp=100), vehicle(sure(1), hp=20)
    assert fight([shooter, shooter], [target], actions=1).player_turns == 3
    assert fight([shooter, shooter], [target], actions=(2, 1)).player_turns == 1


def test_battle__a_pool_binds_within_the_limit() -> None:
    two_guns = vehicle(sure(10), sure(10), hp=100, actions=1)
    assert fight([two_guns], [vehicle(sure(1), hp=20)]).player_turns == 3
    assert fight([vehicle(sure(10), sure(10), hp=100)], [vehicle(sure(1), hp=20)]).player_turns == 1


def test_battle__weapons_of_one_gun_fire_once_a_turn() -> None:
    one_gun = vehicle(sure(10, gun="main"), sure(9, gun="main"), hp=100)
    assert fight([one_gun], [vehicle(sure(1), hp=20)]).player_turns == 3


def test_battle__rapid_fire_is_two_attacks_and_long_reload_a_turn_without() -> None:
    target = vehicle(sure(1), hp=20)
    assert fight([vehicle(sure(10), hp=100, keywords={"rapid_fire": True})], [target]).player_turns == 1
    assert fight([vehicle(sure(10), hp=100, keywords={"long_reload": True})], [target]).player_turns == 5


def test_battle__an_accurate_shot_takes_two_actions() -> None:
    # At 36" a shot needs 6+: 7/36 at advantage; an aimed one 5+: 7/18, all the turn in either case.
    marksman, target = vehicle(sure(10), keywords={"accurate": True}), vehicle(at(1, 1), hp=10)
    assert fight([marksman], [target], range_in=36, actions=1).player_turns == pytest.approx(2 * 36 / 7 - 1)
    # Per action the two are equal, and ties go to the first: a plain shot, and no action for a second one.
    assert fight([marksman], [target], range_in=36, actions=2).player_turns == pytest.approx(2 * 36 / 7 - 1)
    # At 40" on foliage's six, aiming is what hurts at all.
    hard = GAME.battle([marksman], [vehicle(at(1, 1), hp=10, armor=101)], range_in=40, actions=2, first="a")
    assert hard.p_draw == 1


def test_battle__squads_act_outside_the_limit() -> None:
    rifles, tank, target = squad(ai("6")), vehicle(sure(10)), vehicle(sure(1), hp=10, requisition=5)
    enemy_squad = squad(ai("1"), requisition=3)
    found = fight([tank, rifles], [target, enemy_squad], actions=1, policy_a="list_order")
    # The tank destroys what counts; the squads never come to it.
    assert (found.p_a, found.player_turns, found.value_b) == (1, 1, 3)
    found = fight([rifles, tank], [target, enemy_squad], actions=1, policy_a="list_order")
    assert (found.p_a, found.player_turns, found.value_b) == (1, 1, 0)


def test_battle__a_squad_with_fewer_men_fires_with_another_code() -> None:
    # Six men kill for certain, three never: the side that fires first keeps the upper hand.
    steps = ai([{"min": 4, "ai": "3"}, {"min": 1, "ai": "0"}])
    harmless = vehicle(at(1, 1), armor=50, requisition=9)
    found = fight([squad(steps), harmless], [squad(steps), harmless], rounds=3, mode="timed")
    # Nobody can hurt a tank, so it is over before it begins, and both have as much.
    assert (found.p_draw, found.player_turns, found.value_a) == (1, 0, 10)


def test_battle__nobody_who_can_hurt_is_a_draw_or_decided_by_requisition() -> None:
    harmless = [vehicle(at(1, 1), armor=50, requisition=9)]
    found = fight(harmless, harmless * 2)
    assert (found.p_draw, found.player_turns, found.value_b) == (1, 0, 18)
    assert fight(harmless, harmless * 2, mode="timed", rounds=5).p_b == 1
    assert fight(harmless, harmless, mode="timed", rounds=5).p_draw == 1


def test_battle__annihilation_with_rounds_is_a_draw_if_undecided() -> None:
    shooter, target = vehicle(sure(10), hp=100), vehicle(sure(1), hp=30)
    found = fight([shooter], [target], rounds=2)
    assert (found.p_draw, found.player_turns) == (1, 4)
    assert fight([shooter], [target], rounds=3).p_a == 1


def test_battle__timed_goes_to_the_larger_requisition_damaged_units_counted_whole() -> None:
    dear, cheap = vehicle(sure(1), hp=2, requisition=9), vehicle(sure(1), hp=9, requisition=8)
    found = fight([dear], [cheap], mode="timed", rounds=1)
    assert (found.p_a, found.player_turns, found.value_a) == (1, 2, 9)


def test_battle__timed_equals_play_on_a_round_at_a_time() -> None:
    # a destroys b's first unit in its third turn, b a's in its own third: equal until a's fifth.
    line = [vehicle(sure(10), hp=30, requisition=4), vehicle(at(1, 1), hp=20, requisition=4)]
    found = fight(line, line, mode="timed", rounds=1, policy_a="list_order", policy_b="list_order")
    assert (found.p_a, found.player_turns, found.value_a, found.value_b) == (1, 6, 8, 4)


def test_battle__a_lead_at_the_end_of_a_round_decides_also_if_its_last_turn_hurt_nobody() -> None:
    # b hurts nobody; a destroys one of its two with 7/36 a turn, and has won at the end of that round.
    a, b = [vehicle(at(10, 10), requisition=4)] * 2, [vehicle(at(1, 1), hp=10, requisition=4)] * 2
    found = fight(a, b, range_in=36, actions=1, mode="timed", rounds=1)
    assert (found.p_a, found.value_b) == pytest.approx((1, 4))
    assert found.player_turns == pytest.approx(2 * 36 / 7)


# --- policies ---------------------------------------------------------------------------------------------------


def after_one_shot(policy: str, a: list[Any], b: list[Any]) -> float:
    """What b has left of its requisition after a's one shot, which destroys what it hits."""
    return fight(a, b, actions=1, rounds=1, mode="timed", policy_a=policy).value_b


def test_policies__choose_their_target() -> None:
    line = [
        vehicle(at(1, 1), hp=10, requisition=3),
        vehicle(at(1, 1), hp=8, requisition=20),
        vehicle(at(1, 1), hp=8, requisition=30),
        vehicle(at(1, 1), hp=9, requisition=90),
    ]
    shooter = [vehicle(sure(10), requisition=500)]
    assert after_one_shot("list_order", shooter, line) == 140
    assert after_one_shot("focus", shooter, line) == 113
    assert after_one_shot("value", shooter, line) == 53


def test_policies__skip_whom_they_cannot_hurt() -> None:
    hard = vehicle(at(1, 1), hp=1, armor=50, requisition=100)
    soft = vehicle(at(1, 1), hp=10, requisition=3)
    for policy in policies.POLICIES:
        assert after_one_shot(policy, [vehicle(at(20, 10), requisition=500)], [hard, soft]) == 100


def test_value__compares_gains_exactly() -> None:
    # 30 x 7/12 x 10/30 and 10 x 7/12 x 10/10 are equal, so the first enemy is taken; one point more decides.
    first, second = vehicle(at(1, 1), hp=30, requisition=30), vehicle(at(1, 1), hp=10, requisition=10)
    shooter = [vehicle(sure(10), requisition=500)]
    assert after_one_shot("value", shooter, [first, second]) == 40
    assert after_one_shot("value", shooter, [first, second.model_copy(update={"requisition": 11})]) == 30


def test_policy__a_new_one_is_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def last(view: policies.View, picked: Any, lanes: Any) -> None:
        ready, gains = view.ready, view.gains
        for k in range(lanes):
            picked.strike[k], picked.enemy[k], picked.unit[k] = len(ready), 0, 0
            for strike in range(len(ready)):
                for enemy in range(len(view.left)):
                    if ready[strike, k] != 0 and gains[strike, enemy, k] > 0:
                        picked.strike[k], picked.enemy[k] = strike, enemy
                        picked.unit[k] = ready[strike, k] & -ready[strike, k]

    monkeypatch.setitem(policies.POLICIES, "last", last)
    line = [vehicle(at(1, 1), hp=10, requisition=3), vehicle(at(1, 1), hp=10, requisition=4)]
    assert after_one_shot("last", [vehicle(sure(10), requisition=500)], line) == 3


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["annihilation", "timed"])
def test_battle__plain_and_compiled_loops_give_the_same_bits(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    given = {"range_in": 18, "actions": 3, "mode": mode, "rounds": 4, "facing": "mix"}
    results = []
    for most in (10**9, 0):
        monkeypatch.setattr(battles, "PLAIN_STATES", most)
        monkeypatch.setattr(battles, "_plain", [])
        results.append(GAME.battle("de_pz4h,su_is2", "us_m4a1,uk_2pdr", policy_b="focus", **given))
    assert results[0].to_dict() == results[1].to_dict()


def test_battle__mix_is_the_rule_of_thumb() -> None:
    shares = {"front": 0.65, "side": 0.3, "rear": 0.05}
    ways = [GAME.battle("us_m4a3_75w", "de_stug3g", range_in=18, actions=2, facing=f) for f in ("mix", shares, "front")]
    assert ways[0] == ways[1]
    assert ways[0].p_a != ways[2].p_a


# --- against duels ----------------------------------------------------------------------------------------------

PAIRS = [
    (vehicle(at(9, 10)), vehicle(at(10, 7), hp=26)),
    (vehicle(at(9, 10), keywords={"rapid_fire": True}), vehicle(at(9, 10), keywords={"long_reload": True})),
    (vehicle(at(7, 2), hp=21, keywords={"autocannon": 4}), vehicle(he(20, 2), at(9, 3), hp=33)),
    (field_gun(at(9, 10)), vehicle(at(8, 9), keywords={"weak_spot": True})),
]


@pytest.mark.parametrize("pair", PAIRS, ids=["plain", "reload", "autocannon and he", "field gun"])
@pytest.mark.parametrize("rounds", [None, 3])
@pytest.mark.parametrize("policy", ["list_order", "value"])
def test_battle__of_one_on_each_side_is_the_duel(pair: tuple[Any, Any], rounds: int | None, policy: str) -> None:
    duel = GAME.duel(*pair, range_in=18, rounds=rounds)
    found = GAME.battle([pair[0]], [pair[1]], range_in=18, actions=9, rounds=rounds, policy_a=policy, policy_b=policy)
    assert (found.p_a, found.p_b, found.p_draw) == pytest.approx((duel.p_a, duel.p_b, duel.p_draw), abs=1e-12)
    assert found.player_turns == pytest.approx(duel.player_turns)
    assert found.value_a == pytest.approx((duel.p_a + duel.p_draw) * pair[0].requisition)


@pytest.mark.parametrize(
    ("lists", "given"),
    [
        (("de_tiger1*3", "su_t34_85"), {"range_in": 18}),
        (("de_tiger1*7", "su_t34_85*3"), {"range_in": 18}),
        (("de_tiger1*17", "su_t34_85"), {"range_in": 24, "mode": "timed", "rounds": 8}),
    ],
)
def test_battle__a_chance_is_within_0_and_1_however_many_are_added_up(
    lists: tuple[str, str], given: dict[str, Any]
) -> None:
    for a, b in (lists, lists[::-1]):
        found = GAME.battle(a, b, **given, actions=4)
        chances = found.p_a, found.p_b, found.p_draw, found.p_a_moving_first, found.p_a_moving_second
        assert all(0 <= p <= 1 for p in chances)
        assert found.p_a + found.p_b + found.p_draw == pytest.approx(1, abs=1e-12)


# --- what is refused --------------------------------------------------------------------------------------------


def test_battle__mirrored_lists_with_roll_off_are_even() -> None:
    line = ["de_tiger1", "de_pz4h"]
    found = GAME.battle(line, line, range_in=18, actions=3)
    assert found.p_a == pytest.approx(found.p_b)
    assert found.p_a_moving_first + found.p_a_moving_second == pytest.approx(found.p_a + found.p_b)


@pytest.mark.parametrize(
    "given",
    [
        "3xde_tiger1,us_m5",
        "3 de_tiger1, us_m5",
        "de_tiger1 * 3 , us_m5",
        "3 x Tiger I (Ausf. E),3 inch M5 AT gun",
        "tiger i x3,1 3 inch M5 AT gun",
        ["de_tiger1", "2 de_tiger1", "us_m5"],
        {"de_tiger1": 3, "3 inch M5 AT gun": 1},
    ],
)
def test_unit_list__takes_numbers_and_names_as_people_write_them(given: Any) -> None:
    assert unit_list(given, GAME.cards) == ["de_tiger1"] * 3 + ["us_m5"]


@pytest.mark.parametrize("given", ["2 x_wolf", "2 x x_wolf", "2xx_wolf", "x_wolf x2"])
def test_unit_list__a_name_may_begin_with_an_x(given: str) -> None:
    assert unit_list(given, None) == ["x_wolf"] * 2


TIGER = GAME.cards["de_tiger1"]


@pytest.mark.parametrize(
    "given",
    [
        {"de_tiger1": np.int64(2)},
        pd.Series(["de_tiger1", "Tiger I"]),
        pd.Index(["de_tiger1", "Tiger I"]),
        np.array(["de_tiger1", "Tiger I"]),
        [TIGER, TIGER],
        {TIGER: 2},
    ],
    ids=["count", "Series", "Index", "array", "cards", "numbers of cards"],
)
def test_unit_list__takes_what_numpy_and_pandas_give_and_cards(given: Any) -> None:
    assert [GAME.card(unit) for unit in unit_list(given, GAME.cards)] == [TIGER, TIGER]


@pytest.mark.parametrize("given", [iter(["de_tiger1"]), {"de_tiger1"}, pd.Series([], dtype=str), TIGER])
def test_unit_list__is_refused_in_a_line_if_it_is_in_no_order_or_read_only_once(given: Any) -> None:
    with pytest.raises(UsageError, match=r"^list: found .*, expected units, or a text such as 'fr_r35,su_61k\*2'$"):
        unit_list(given, GAME.cards)


@pytest.mark.parametrize("given", [f"us_m5*{'9' * 5000}", f"{'9' * 5000} us_m5"])
def test_unit_list__a_number_that_python_does_not_read_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match=r"^(list: found|unknown unit) '"):
        unit_list(given, GAME.cards)


def test_match__takes_a_series_as_a_list() -> None:
    question = aab.Game("skirmish_wars").match_question(pd.Series(["tank"]), pd.Series([], dtype=str), board="crossing")
    assert [len(units.units) for units in question.lists] == [1, 0]


def test_random_lists__take_a_series_of_what_they_must_have() -> None:
    drawn = aab.random_lists(GAME, 300, 2, must=pd.Series(["us_m4a1"]))
    assert all("us_m4a1" in one for one in drawn)


@pytest.mark.parametrize("far", ['18.5"', "18.5in", "18,5", " 18.5 inches", "18.50 in"])
def test_range__is_taken_as_people_write_it(far: str) -> None:
    assert GAME.moment(range_in=far).range_in == 18.5


@pytest.mark.parametrize("far", ["18cm", "far", "18 hexes", ""])
def test_range__in_another_unit_is_refused(far: str) -> None:
    with pytest.raises(UsageError, match=r"^range: found .*, expected a distance in inches, such as 18 or 18\"$"):
        GAME.moment(range_in=far)


REFUSED = {
    ("nobody", "de_tiger1"): "unknown unit 'nobody'",
    ("", "de_tiger1"): "list: found ''",
    ("de_tiger1,,de_pz4h", "de_tiger1"): "list: found 'de_tiger1,,de_pz4h'",
    ("de_tiger1*0", "de_tiger1"): "list: found 'de_tiger1*0'",
    ("de_tiger1*x", "de_tiger1"): "list: found 'de_tiger1*x'",
    ("de_tiger1,Tigr I", "de_tiger1"): "unknown unit 'Tigr I'; did you mean Tiger I",
    ("2 Tiger", "de_tiger1"): "unit 'Tiger': found several of this name, expected one of de_tiger1, de_tiger2",
    ("inf_rifle", "de_tiger1"): "list a: found no unit that counts",
}


@pytest.mark.parametrize("lists", REFUSED)
def test_battle__refuses_lists_that_cannot_exist(lists: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match=REFUSED[lists].replace("*", r"\*")) as error:
        GAME.battle(*lists, range_in=18, actions=3)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"policy_a": "valeu"}, "policy: found 'valeu' (did you mean 'value'?)"),
        ({"mode": "conquest"}, "mode: found 'conquest'"),
        (
            {"mode": "domination", "rounds": 6},
            "mode: units hold in a battle; for what moves, use: aabalance match LIST LIST --board NAME --mission dom",
        ),
        ({"mode": "timed"}, "rounds: found none, expected 1 to 1000"),
        ({"rounds": 0}, "rounds: found 0"),
        ({"rounds": 1001}, "rounds: found 1001"),
        ({"actions": None}, "actions: found none, expected 1 to 1000, the limit of a side's turn"),
        ({"actions": 0}, "actions: found 0"),
        ({"actions": "x"}, "actions: found 'x'"),
        ({"actions": (1, 2, 3)}, "actions: found [1, 2, 3]"),
        ({"first": "c"}, "first: found 'c'"),
        (
            {"posture_b": "close:6"},
            "posture: units hold in a battle; for what moves, use: aabalance match LIST LIST",
        ),
        (
            {"requisition": 100},
            f"list a: found {GAME.cards['de_tiger1'].requisition} requisition, expected at most 100",
        ),
        ({"facing": {"front": 0.6}}, "facing: found shares that add up to 0.6"),
        ({"facing": {"front": 2}}, "facing: found 2 for 'front'"),
        (
            {"facing": {"front": 1, "rear": 0}},  # which add up to 1
            "facing: found 0 for 'rear', expected a share above 0, at most 1",
        ),
        ({"moved": True}, "situation moved: found a field of one attack"),
        ({"target_active": False}, "situation target_active: found a field of one attack"),
    ],
)
def test_battle__refuses_what_cannot_be_played(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as error:
        GAME.battle(["de_tiger1"], ["de_pz4h"], **{"range_in": 18, "actions": 3, **given})
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_battle__lists_may_cost_all_that_the_limit_allows() -> None:
    dear, cheap = vehicle(sure(10), requisition=7), vehicle(sure(10), requisition=5)
    assert fight([dear], [cheap], requisition=7).requisition_a == 7
    with pytest.raises(UsageError, match=r"^list a: found 7 requisition, expected at most 6"):
        fight([dear], [cheap], requisition=6)


@pytest.mark.parametrize(
    ("numbers", "said"), [((1, 1), "1 v 1 unit"), ((2, 1), "2 v 1 units"), ((1, 2), "1 v 2 units")]
)
def test_battle__counts_one_unit_as_one(numbers: tuple[int, int], said: str) -> None:
    a, b = ([vehicle(sure(10))] * n for n in numbers)
    assert any(line.endswith(f", {said}") for line in repr(fight(a, b)).splitlines())


def test_battle__of_faces_by_chance_names_each_with_its_share_once() -> None:
    found = fight([vehicle(sure(10))], [vehicle()], facing={"front": 0.75, "side": 0.25})
    assert found.situation == "front 75.0 %, side 25.0 %"


def test_battle__a_card_without_a_price_is_refused_before_anything_is_rolled() -> None:
    rolled: list[int] = []
    with pytest.raises(UsageError, match="has no requisition"):
        fight([vehicle(requisition=None)], [vehicle()], simulate=100, advance=rolled.append)
    assert rolled == []


def test_battle__a_unit_that_costs_nothing_is_refused() -> None:
    free = vehicle().model_copy(update={"requisition": 0})
    with pytest.raises(UsageError, match="list b: found unit, which costs nothing, expected a cost above 0"):
        fight([vehicle()], [free])


def test_battle__of_a_game_without_battles_is_refused() -> None:
    forumini = aab.Game("forumini")
    unit = next(iter(forumini.cards))
    with pytest.raises(UsageError, match="battle: Forumini Armies has no battles of lists"):
        forumini.battle([unit], [unit], range_in=3, actions=3)


# --- the command line -------------------------------------------------------------------------------------------


def test_battle_command__says_the_same_as_python() -> None:
    words = ["battle", "de_tiger1", "su_t34_85*2", "--range", "24", "--actions", "2,3", "--facing", "mix", "--json"]
    said = json.loads(CliRunner().invoke(main, words).output)
    mix = {"front": F(65, 100), "side": F(3, 10), "rear": F(5, 100)}
    found = GAME.battle(["de_tiger1"], ["su_t34_85"] * 2, range_in=24, actions=(2, 3), facing=mix)
    assert said == json.loads(json.dumps(found.to_dict()))
    plain = CliRunner().invoke(main, [*words[:-3], "--mode", "timed", "--rounds", "8"]).output
    assert "timed, 8 rounds, 2/3 actions a turn" in plain


def test_battle_command__refuses_in_one_line() -> None:
    words = ["battle", "de_tiger1*0", "su_t34_85", "--range", "24", "--actions", "2"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert result.output.startswith("error: list: found 'de_tiger1*0'")
    assert result.output.count("\n") == 1


def test_battle_command__prints_nothing_of_a_battle_whose_tables_it_refuses() -> None:
    words = ["battle", "de_tiger1*17", "su_t34_85", "--range", "24", "--actions", "4"]
    assert CliRunner().invoke(main, words).exit_code == 0
    result = CliRunner().invoke(main, [*words, "--units"])
    assert result.exit_code == 2
    assert result.output.startswith("error: rolled battle: units of list a: found 17, expected at most 16")
    assert result.output.count("\n") == 1
