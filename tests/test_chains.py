"""What somebody who knows pandas tries first: subsets, filtered and re-read frames, cards for ids, nothing at all.

Each works, or one line says what was found and what was expected.
"""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

import aabalance as aab
from aabalance.pricing.roster import Roster

A, B = "su_t34_85", "de_pantherg"
FIELD = [A, B, "us_m4a1", "de_tiger1"]
OTHERS = ("forumini", "skirmish_wars", "modern_land_battles", "armour_battles")


@pytest.fixture(scope="module")
def game():
    return aab.Game()


@pytest.fixture(scope="module")
def met(game):
    return aab.matchups(game, attackers=FIELD, targets=FIELD)


def read_back(frame):
    return pd.read_csv(io.StringIO(frame.to_csv(index=False)))


def weighted(frame, column, attacker, target):
    """Return the mean over the situations by hand."""
    rows = frame[(frame["attacker"] == attacker) & (frame["target"] == target)]
    return sum(rows[column] * rows["weight"]) / sum(rows["weight"])


def said(call, *args, **named):
    """Return the one line that a call is refused with."""
    with pytest.raises(aab.UsageError) as refused:
        call(*args, **named)
    text = str(refused.value)
    assert "\n" not in text
    assert "expected" in text or "unknown unit" in text or "no proposal" in text
    return text


# --- a list of units


@pytest.mark.parametrize(
    "units",
    [pd.Series(FIELD), pd.Index(FIELD), np.array(FIELD), tuple(FIELD), (unit for unit in FIELD), dict.fromkeys(FIELD)],
    ids=lambda units: type(units).__name__,
)
def test_matchups__take_units_in_any_kind_of_list(game, met, units):
    pd.testing.assert_frame_equal(aab.matchups(game, attackers=units, targets=FIELD), met)


def test_matchups__take_cards_for_ids_and_each_unit_once(game, met):
    cards = [game.cards[unit] for unit in FIELD]
    pd.testing.assert_frame_equal(aab.matchups(game, attackers=cards, targets=[*FIELD, A]), met)
    pd.testing.assert_frame_equal(aab.cost_effectiveness(met, [*cards, A]), aab.cost_effectiveness(met, FIELD))


def test_matchups__refuse_a_card_that_is_not_the_roster_s(game):
    changed = aab.Game(changes=[f"{A}.hp=1"]).cards[A]
    assert said(aab.matchups, game, attackers=[changed]).startswith(f"attackers: found another card of {A}")


@pytest.mark.parametrize("units", [[], (), "de_tiger1", 5, [None], [5], ["de_tigre1"]], ids=str)
def test_units__nothing_a_word_or_what_is_no_unit_is_refused_everywhere(game, met, units):
    for call in (
        lambda: aab.matchups(game, attackers=units, targets=FIELD),
        lambda: aab.shots(game, attackers=FIELD, targets=units),
        lambda: aab.matchups(game, attackers=units, targets=units, simulate=10),
        lambda: aab.cost_effectiveness(met, units),
        lambda: aab.first_requisition(game, met, units),
        lambda: aab.sensitivity(game, field=units),
    ):
        said(call)


@pytest.mark.parametrize("name", OTHERS)
def test_sensitivity__of_no_units_is_refused_in_every_game(name):
    assert said(aab.sensitivity, aab.Game(name), field=[]) == "field: found no unit, expected one at least"


def test_sensitivity__switches_are_lists_of_values_by_name(game):
    assert said(aab.sensitivity, game, field=[A], switches={"resolution": "sum"}).startswith("switches.resolution: ")
    assert said(aab.sensitivity, game, field=[A], switches=["resolution"]).startswith("switches: found ['resolution']")


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ({"resolutoin": ["sum"]}, "variant: found 'resolutoin' (did you mean 'resolution'?), expected one of "),
        ({"resolution": ["zzz"]}, "variant resolution: found 'zzz', expected 'one_die', 'two_dice' or 'sum'"),
        ({"resolution": [None]}, "variant resolution: found none, expected "),
        ({"resolution": [["sum"]]}, "variant resolution: found ['sum'], expected "),
    ],
)
def test_sensitivity__switches_are_checked_as_those_of_a_game(game, switches, expected):
    assert said(aab.sensitivity, game, field=[A], switches=switches).startswith(expected)


BY_VALUE = "expected weights by value: {value: weight, ...}"
AS_ROW = "expected {field: value, ..., 'weight': weight}"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"range_in": [6, 12]}, f"situations.range_in: found [6, 12], {BY_VALUE}"),
        ({"range_in": None}, f"situations.range_in: found none, {BY_VALUE}"),
        ({"range_in": pd.Series({6: 0.5, 12: 0.5})}, f"dtype: float64, {BY_VALUE}"),
        (None, "situations: found none, expected {field: {value: weight, ...}}"),
    ],
    ids=["list", "none", "series", "nothing"],
)
def test_situations__of_another_shape_are_refused(game, table, expected):
    assert said(aab.Situations.of, game, table).endswith(expected)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [(["x"], f"situations.0: found 'x', {AS_ROW}"), (None, f"situations.0: found none, {AS_ROW}")],
)
def test_situations__rows_of_another_shape_are_refused(game, rows, expected):
    assert said(aab.Situations.listed, game, rows) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"rounds": 0}, "rounds: found 0, expected a whole number from 1 to 1000"),
        ({"rounds": "5"}, "rounds: found '5', expected a whole number from 1 to 1000"),
        ({"postures": "hold"}, "postures: found 'hold', expected two, the attacker's and the target's"),
        ({"postures": ("hold", 3)}, "postures: found ['hold', 3], expected two, the attacker's and the target's"),
        ({"postures": ("hold", "flee")}, "posture: found 'flee', expected one of hold, close, cautious, optimal"),
    ],
)
def test_situations__rounds_and_postures_are_checked_at_once(game, given, expected):
    assert said(aab.Situations.of, game, {"range_in": {6: 1}}, **given) == expected
    assert said(aab.Situations.listed, game, [{"range_in": 6, "weight": 1}], **given) == expected


def test_situations__weights_from_numpy_and_a_generator_of_rows(game):
    of = aab.Situations.of(game, {"range_in": dict(zip([6, 12], np.array([0.5, 0.5], dtype="float32"), strict=True))})
    rows = pd.DataFrame({"range_in": [6, 12], "weight": [0.5, 0.5]}).to_dict("records")
    assert aab.Situations.listed(game, (row for row in rows)) == of


def test_situations__of_one_kind_are_refused_where_the_other_goes(game):
    at = aab.Situations.of(game, {"range_in": {18: 1}})
    assert said(aab.tune, game, situations=at).startswith("situations: found Situations(")
    refused = said(aab.battles, game, [(A, B)], situations=at, actions=[3])
    assert refused.endswith("expected fields of each: [{'range_in': 18}, ...]")


def test_battle__shares_of_faces_are_a_mapping_of_any_numbers(game):
    shares = pd.Series({"front": 0.5, "side": 0.5})
    fight = {"range_in": 18, "actions": 3}
    assert said(game.battle, A, B, **fight, facing=shares).endswith("expected a face, or shares of faces")
    numbers = {"front": np.float32(0.5), "side": np.float64(0.5)}
    assert game.battle(A, B, **fight, facing=numbers).p_a == game.battle(A, B, **fight, facing=shares.to_dict()).p_a


def test_matchups__situations_are_those_of_the_game(game):
    other = aab.Situations.standard(aab.Game("forumini"))
    assert "another game" in said(aab.matchups, game, other, attackers=[A], targets=[A])
    for wrong in ({"range_in": {18: 1}}, game.moment(range_in=18)):
        assert type(wrong).__name__ in said(aab.matchups, game, wrong, attackers=[A], targets=[A])


def test_matchups__duels_know_nothing_of_one_attack_alone(game):
    at = aab.Situations.of(game, {"range_in": {18: 1}, "moved": {True: 1}})
    pair = {"attackers": [A], "targets": [A]}
    expected = "situations.moved: found a field of one attack, expected what stays as it is throughout a duel"
    assert said(aab.matchups, game, at, **pair) == f"{expected}; duels=False leaves the duels out"
    row = aab.matchups(game, at, duels=False, **pair).iloc[0]
    assert row["p_damage"] == game.shot(A, A, range_in=18, moved=True).p_damage
    still = aab.Situations.of(game, {"range_in": {18: 1}, "moved": {False: 1}})
    assert len(aab.matchups(game, still, **pair)) == 1


@pytest.mark.parametrize("name", ["range_in", "walls", "bearing"])
def test_situation__true_is_no_number(game, name):
    for ask in (game.shot, game.duel):
        expected = f"situation {name}: found true, expected a number"
        assert said(ask, A, B, **{"range_in": 12, name: True}) == expected
    assert game.shot(A, B, range_in=12, foliage=True).p_damage == game.shot(A, B, range_in=12, foliage=1).p_damage


def test_messages__have_one_line_whatever_is_shown(game):
    assert said(game.duel, A, B, range_in=pd.Series([18, 24])).startswith("situation range_in: found 0    18 1    24 ")
    assert said(aab.worth, game, [pd.Series(FIELD)]).endswith("expected ids of units")


# --- what a ranking is made from


@pytest.mark.parametrize(
    "made",
    [
        read_back,
        lambda frame: frame.astype({"attacker": str, "target": str, "facing": str}),
        lambda frame: frame.set_index(["attacker", "target"]),
        lambda frame: frame.drop(columns=["range_in", "facing", "need", "p_damage"]),
        lambda frame: frame.sample(frac=1, random_state=1),
    ],
    ids=["csv", "str", "index", "columns", "shuffled"],
)
def test_rankings__are_the_same_of_a_frame_made_over(game, met, made):
    for of in (aab.cost_effectiveness, lambda frame: aab.first_requisition(game, frame)):
        numbers, expected = (of(frame).set_index("unit").select_dtypes("number") for frame in (made(met), met))
        np.testing.assert_allclose(numbers.loc[expected.index], expected, rtol=1e-12)


def test_cost_effectiveness__of_some_of_the_situations_is_a_mean_over_those(met):
    side = met[met["facing"] == "side"]
    assert side["weight"].sum() < 0.5 * len(FIELD) ** 2
    table = aab.cost_effectiveness(side).set_index("unit")
    expected = np.mean([weighted(side, "expected_damage_per_action", A, unit) for unit in FIELD])
    assert table.loc[A, "expected_damage_per_action"] == pytest.approx(expected, rel=1e-12)


def test_first_requisition__of_some_of_the_situations_is_a_mean_over_those(game, met):
    side = met[met["facing"] == "side"]
    table = aab.first_requisition(game, side).set_index("unit")
    expected = np.mean([weighted(side, "expected_damage_per_action", B, unit) for unit in FIELD])
    assert table.loc[B, "attack"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("some", "said_of"),
    [
        (lambda frame: frame[frame["attacker"] == A], f"{B} against {A}"),  # one attacker, four targets
        (lambda frame: frame[frame["attacker"].isin([A, B])], f"us_m4a1 against {A}"),
        (lambda frame: frame[frame["attacker"] != frame["target"]], f"{A} against {A}"),
        (lambda frame: frame[(frame["attacker"] != B) | (frame["target"] != A)], f"{B} against {A}"),
        (lambda frame: frame.drop(frame.index[-1]), "de_tiger1 against de_tiger1"),  # 1 of 18 situations
    ],
    ids=["1x4", "2x4", "no mirror", "no pair", "no row"],
)
def test_rankings__a_frame_with_rows_missing_is_refused_by_name(game, met, some, said_of):
    assert said_of in said(aab.cost_effectiveness, some(met))
    said(aab.first_requisition, game, some(met))


def test_rankings__a_table_that_is_not_square_has_the_field_named(met, game):
    two = met[met["attacker"].isin([A, B])]
    whole = met[met["target"].isin([A, B]) & met["attacker"].isin([A, B])]
    pd.testing.assert_frame_equal(aab.cost_effectiveness(two, [A, B]), aab.cost_effectiveness(whole))
    assert (
        aab.first_requisition(game, met[met["attacker"].isin([A, B]) | met["target"].isin([A, B])], [A, B]).shape[0]
        == 4
    )


def test_rankings__name_the_pair_that_lacks_rows(met):
    rows = met.index[(met["attacker"] == A) & (met["target"] == B)]
    for lacking, what in ((rows, f"no row of {A} against {B}"), (rows[:1], f"rows of {A} against {B} left out")):
        assert said(aab.cost_effectiveness, met.drop(lacking)).startswith(f"frame: found {what}, expected ")


def test_rankings__of_what_is_no_such_frame_say_where_one_comes_from(game, met):
    shots = met.drop(columns=["p_win", "p_loss"])
    for wrong in (None, game, [A, B], shots, met.head(0), aab.cost_effectiveness(met)):
        assert said(aab.cost_effectiveness, wrong).endswith("aab.matchups(game)")
    for wrong in (None, game, met.drop(columns="weight"), met.head(0)):
        assert said(aab.first_requisition, game, wrong).endswith("aab.shots(game)")


def test_first_requisition__prices_the_units_that_were_met(game, met):
    table = aab.first_requisition(game, met).set_index("unit")
    assert sorted(table.index) == sorted(FIELD)
    reference, points = game.ruleset.roster.reference
    assert table.loc[reference, "proposal"] == points


def test_first_requisition__needs_the_reference_unit_and_units_of_the_game(game, met):
    without = met[(met["attacker"] != A) & (met["target"] != A)]
    assert game.ruleset.roster.reference[0] == A
    assert said(aab.first_requisition, game, without).startswith(f"no proposal: {A}")
    assert "expected units of forumini" in said(aab.first_requisition, aab.Game("forumini"), met)


# --- duels beyond their odds


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("of", [aab.best_play, aab.survivors_of_duel, aab.turns_of_duel])
def test_walks__a_game_of_conditions_has_none(of, name):
    other = aab.Game(name)
    a, b = list(other.cards)[:2]
    assert said(of, other, a, b, range_in=1).startswith(f"{name}: ")


@pytest.mark.parametrize("side", ["posture_a", "posture_b"])
@pytest.mark.parametrize("of", [aab.survivors_of_duel, aab.turns_of_duel])
def test_duels__to_the_end_have_no_best_play(game, of, side):
    assert said(of, game, A, B, range_in=18, **{side: "optimal"}).startswith("posture: found optimal")


def test_best_play__needs_a_round_to_play(game):
    assert (
        said(aab.best_play, game, A, B, range_in=18, rounds=0)
        == "rounds: found 0, expected a whole number from 1 to 1000"
    )


# --- arguments that are none


@pytest.fixture(scope="module")
def few(game):
    return game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))


@pytest.mark.parametrize("seed", [-1, 2**70, "a", 1.0, None, [1]])
def test_worth__refuses_a_seed_that_is_none(few, seed):
    assert said(aab.worth, few, seed=seed).endswith(f"expected a whole number from 0 to {2**64 - 1}")


def swept(few, **given):
    with aab.sweeping(**given):
        return aab.shots(few)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda few: aab.worth_reasons(few, most=-1), "most: found -1, expected a whole number from 0 to 1000"),
        (lambda few: aab.worth_reasons(few, most=1.5), "most: found 1.5, expected a whole number from 0 to 1000"),
        (lambda few: aab.worth_reasons(few, among="us_m4a1 us"), "among: found 'us_m4a1 us', expected a list of ids"),
        (lambda few: aab.worth_reasons(few, among=3), "among: found 3, expected a list of ids"),
        (lambda few: aab.random_lists(few, 100, -1), "number: found -1, expected a whole number from 0 to 1000000"),
        (lambda few: aab.worth(few, roster=["us_m4a1"]), "roster: found ['us_m4a1'], expected a Roster"),
        *[
            (lambda few, call=call: call(few, roster=[3]), "roster: found [3], expected a Roster")
            for call in (
                aab.dominated,
                aab.score_by,
                aab.toughness_steps,
                aab.tune,
                lambda few, **given: aab.penetration_steps(few, "us_m4a1", {}, **given),
                lambda few, **given: aab.worth_explained(few, ["us_m4a1"], **given),
            )
        ],
        *[
            (lambda few, call=call: call(few, tuning={}), "tuning: found {}, expected a Tuning, such as that of a game")
            for call in (Roster, aab.tune, lambda few, **given: aab.board_prices(few, boards=["small"], **given))
        ],
        (lambda few: swept(few, cache=3), "cache: found 3, expected true, false or a folder"),
        (lambda few: swept(few, executor=3), "executor: found 3, expected an executor of concurrent.futures"),
        *[
            (
                lambda few, given=given: few.turn_graph("us_m4a1", "de_pz4h", range_in=18, postures=given),
                "postures: found ",
            )
            for given in (3, None, "ho", ["hold"])
        ],
        (lambda few: few.cards.with_changes(None), "changes: found none, expected a list of such texts"),
        (lambda few: few.cards.read(few.cards.schema, 3), "folder: found 3, expected a folder"),
        (lambda few: aab.compare(few, few, categories=3), "categories: found 3, expected a list with one at least"),
        (lambda few: aab.Situations.of(3, {}), "game: found 3, expected a Game"),
        (lambda few: aab.Situations.listed("armored", []), "game: found 'armored' (did you mean"),
        (lambda few: aab.Situations.standard(None), "game: found none, expected a Game"),
        (
            lambda few: aab.volleys(few, [[1]], "us_m4a1", range_in=6),  # type: ignore[list-item]
            "unit: found [1], expected an id, a name or a card",
        ),
        (
            lambda few: aab.matches(few, boards=["small"], lists=np.array([1, 2])),
            "lists: found array([1, 2]), expected ",
        ),
        (lambda few: few.cards.only(np.array(3.0)), "cards: found array(3.), expected a list of ids"),
        (lambda few: aab.worth(few, np.array(3.0)), "units: found array(3.), expected a list of ids"),
        (lambda few: aab.matches(few, boards=[np.array([1, 2])] * 2), "boards: found [1, 2] twice, expected each"),  # type: ignore[list-item]
        (lambda few: aab.board_worth(few, boards=["small"], target=10**400), "target error: found "),
        (lambda few: aab.score_by(few, prices=[10**400] * 4), "prices: found [1000"),
        (
            lambda few: aab.compare_lists(few, "us_m4a1", "de_pz4h", field={"us_m4a1": [3]}),
            "field: found a weight of [3], expected a finite one above 0",
        ),
        (lambda few: aab.explore(few, [np.array([1, 2])] * 2), "unit: found array([1, 2]), expected an id"),
        (
            lambda few: aab.plots.kill_probability(few, [("us_m4a1", "de_pz4h")], ranges=[6, [3]]),  # type: ignore[list-item]
            "situation range_in: found [3], expected a",
        ),
        (
            lambda few: aab.plots.kill_probability(few, [pd.Series(["us_m4a1", "de_pz4h", "us_m4a1"])]),  # type: ignore[list-item]
            "versus: found ",
        ),
        (lambda few: Roster(3), "game: found 3, expected a Game or the name of one"),
        (lambda few: aab.worth_explained(few, ["us_m4a1"], before="x"), "before: found 'x', expected a Game"),
        (lambda few: aab.worth_explained(few, ["us_m4a1"], against=[[3]]), "unknown unit '[3]'"),
        (lambda few: aab.worth_explained(few, ["us_m4a1"], against=np.array([3, 4])), "unknown unit "),
        (lambda few: aab.score_by(few, np.array(["a", "b"])), "by: found array(['a', 'b'], dtype='<U1'), expected a "),
        (lambda few: aab.score_by(few, prices="ab"), "prices: found 'ab', expected a number for each unit"),
        (lambda few: aab.compare(few, "x"), "after: found 'x', expected a Game"),
        (
            lambda few: aab.without_luck(few),
            "match: found <Game armored_advance: 4 cards, default rules>, expected the ",
        ),
        (lambda few: aab.score_by(few, None), "by: found none, expected a field of the cards, or 'category'"),
        (
            lambda few: aab.score_by(few, prices=[1, 2]),
            "prices: found an array of shape (2,), expected one for each of its 4 units",
        ),
        (lambda few: aab.worth_of_changes(few, ["us_m4a1"], ["hp=35"]), "changes: found ['hp=35'], expected {what: '"),
        (lambda few: aab.penetration_steps(few, "us_m4a1", None), "changes: found none, expected {what: 'field=value'"),
        (
            lambda few: aab.worth_explained(few, ["us_m4a1"], against=3),
            "against: found 3, expected units, or fields of ",
        ),
        (lambda few: aab.playtest("skirmish_wars", [3]), "log: found 3, expected rows: [{'list_a': ..., "),  # type: ignore[list-item]
        (lambda few: aab.playtest("skirmish_wars", {"list_a": "tank"}), "log: found 'list_a', expected rows: "),
    ],
)
def test_arguments__that_are_none_are_one_line(few, call, expected):
    assert said(call, few).startswith(expected)


@pytest.mark.parametrize("given", [np.array(["a", "b"]), pd.Series(["a", "b"]), pd.DataFrame({"a": [1, 2]}), ["a"]])
@pytest.mark.parametrize(
    ("place", "call"),
    [
        ("game", lambda game, given: aab.Game(given)),
        ("weapon", lambda game, given: game.shot(A, B, range_in=18, weapon=given)),
        ("first", lambda game, given: game.duel(A, B, range_in=18, first=given)),
        ("first", lambda game, given: aab.fairness("skirmish_wars", "crossing", first=given)),
        ("mode", lambda game, given: game.battle(A, B, range_in=18, actions=3, mode=given)),
        ("policy", lambda game, given: game.battle(A, B, range_in=18, actions=3, policy_a=given)),
        ("policy", lambda game, given: aab.judge_list(game, A, policy=given)),
        ("board", lambda game, given: game.match_question(A, B, board=given)),
        ("board", lambda game, given: aab.ladder("skirmish_wars", board=given)),
        ("mission", lambda game, given: game.match_question(A, B, board="small", mission=given)),
        ("mission", lambda game, given: aab.fairness("skirmish_wars", "crossing", mission=given)),
        ("player", lambda game, given: game.match_question(A, B, board="small", player_b=given)),
        ("actions", lambda game, given: aab.Game("skirmish_wars").match(board="last_stand", actions=given)),
        ("nation", lambda game, given: aab.judge_list(game, A, counter=B, nation=given)),
    ],
)
def test_words__that_are_arrays_or_lists_are_one_line(game, place, call, given):
    told = said(call, game, given)
    assert (told.partition(": found ")[0], "\n" in told) == (place, False)
