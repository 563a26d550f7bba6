"""Tables of matchups: what a row says of faces and reach, how long its duel may last, and that all tables agree."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from rollers import armored_advance as tank_roller
from rollers import forumini as hex_roller

import aabalance as aab
from aabalance.analysis import cells, situations
from aabalance.analysis.frames import ids_of
from aabalance.analysis.pairs import pairs
from aabalance.analysis.sensitivity import _changes, headlines, sensitivity, turns_to_kill
from aabalance.definitions import report
from aabalance.errors import CardError, UsageError
from aabalance.rulesets import OURS

THROWS = 3000
MOST_Z = 5.0
TURNS = 7
"""Forumini Armies, How to Win: the end of Turn Seven."""


@cache
def game_of(name: str) -> aab.Game:
    return aab.Game(name)


def near(found: float, p: float, n: int = THROWS) -> bool:
    return abs(found - p) <= MOST_Z * max(p * (1 - p) / n, 1e-18) ** 0.5


# --- faces ------------------------------------------------------------------------------------------------------


def test_matchups__say_both_faces_and_solve_the_duel_so() -> None:
    game = game_of("armored_advance")
    faces = {"front": 0.5, "side": 0.5}
    at = aab.Situations.of(game, {"range_in": {18: 1.0}, "facing": faces, "own_facing": faces})
    table = aab.matchups(game, at, attackers=["fr_r35"], targets=["fr_r35"]).set_index(["own_facing", "facing"])
    assert "situation" not in table
    wins = table["p_win"]
    assert (wins["front", "front"], wins["side", "side"]) == pytest.approx((0.5, 0.5))
    assert wins["side", "front"] == pytest.approx(1 - wins["front", "side"])
    assert wins["side", "front"] > 0.9  # an R35's side is thicker than its front
    assert (table["p_damage"]["front"] == table["p_damage"]["side"]).all()  # the own face has no part in an attack


def test_matchups__same_units_on_both_sides_in_any_order_give_the_same_rows() -> None:
    """With one order the return fire is read off the table itself, with the other it is worked out apart."""
    game, ids = game_of("armored_advance"), ["de_tiger1", "su_t34_85", "su_zis3", "inf_rifle"]
    at = aab.Situations.of(
        game, {"range_in": {6: 0.5, 24: 0.5}, "facing": {"front": 0.5, "rear": 0.5}, "own_facing": {"side": 1.0}}
    )
    key = ["attacker", "target", "range_in", "facing"]
    one, other = (
        aab.matchups(game, at, attackers=ids, targets=targets).astype({name: str for name in key}).sort_values(key)
        for targets in (ids, ids[::-1])
    )
    columns = [name for name in one if one[name].dtype.kind in "fib"]
    pd.testing.assert_frame_equal(one[columns].reset_index(drop=True), other[columns].reset_index(drop=True))


@pytest.mark.slow
@pytest.mark.parametrize("own", ["front", "side"])
def test_duel__own_facing_agrees_with_literal_dice(own: str) -> None:
    game = game_of("armored_advance")
    cards = game.cards.tables
    where = {"range_in": 18, "facing": "side", "own_facing": own}
    exact = game.duel("fr_r35", "fr_r35", first="a", **where)
    rng = random.Random(5)
    ends = Counter(tank_roller.throw_duel(rng, cards["fr_r35"], cards["fr_r35"], where, {}, "a") for _ in range(THROWS))
    assert near(ends["a"] / THROWS, exact.p_a)
    assert near(ends["b"] / THROWS, exact.p_b)


def test_duel__own_facing_makes_a_difference_that_those_dice_can_tell() -> None:
    where = {"range_in": 18, "facing": "side", "first": "a"}
    front, side = (
        game_of("armored_advance").duel("fr_r35", "fr_r35", own_facing=own, **where).p_a for own in ("front", "side")
    )
    assert not near(front, side)


def test_pairs__say_which_faces_are_shown() -> None:
    game = game_of("armored_advance")
    at = aab.Situations.of(game, {"range_in": {18: 1.0}, "facing": {"front": 0.5, "side": 0.5}})
    row = pairs(aab.matchups(game, at, attackers=["fr_r35"], targets=["fr_r35"])).iloc[0]
    assert (row["facing"], row["own_facing"]) == ("front/side", "front")
    faceless = game_of("skirmish_wars")
    table = pairs(aab.matchups(faceless, attackers=["tank"], targets=["tank"]))
    assert not {"facing", "own_facing"} & set(table)


# --- rounds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "rounds"), [(name, TURNS if name == "forumini" else None) for name in OURS])
def test_standard__rounds_are_those_that_the_rulebook_sets(name: str, rounds: int | None) -> None:
    assert aab.Situations.standard(game_of(name)).rounds == rounds


@pytest.mark.parametrize(("rounds", "p_win", "player_turns"), [(1, 0, 2), (2, 1, 3.5), (7, 1, 3.5), (None, 1, 3.5)])
def test_matchups__a_duel_that_needs_more_rounds_than_there_are_is_a_draw(
    rounds: int | None, p_win: int, player_turns: float
) -> None:
    """A gun that never misses at 6 inches and takes 13 of 26 hit points: its second turn is player turn 3, or 4.

    The other's machine gun does a tank no harm (p. 10).
    """
    game = aab.Game(changes=["su_ba64.hp=26"])
    at = aab.Situations.of(game, {"range_in": {6: 1.0}}, rounds)
    row = aab.matchups(game, at, attackers=["su_t34_85"], targets=["su_ba64"]).iloc[0]
    assert (row["expected_damage"], row["p_damage"]) == (13, 1)
    assert (row["p_win"], row["p_draw"], row["p_loss"], row["player_turns"]) == (p_win, 1 - p_win, 0, player_turns)


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("rounds", [1, 3])
def test_matchups__limited_rows_equal_limited_duels_solved_and_rolled(name: str, rounds: int) -> None:
    game, rng = game_of(name), random.Random(name)
    ids = rng.sample(list(game.cards), 3)
    at = rng.choice(aab.Situations.standard(game).moments)
    limited = aab.Situations((at,), (1.0,), rounds)
    solved = aab.matchups(game, limited, attackers=ids, targets=ids)
    rolled = aab.matchups(game, limited, attackers=ids, targets=ids, simulate=4000, seed=1)
    for (a, b), row, thrown in zip(product(ids, ids), solved.itertuples(), rolled.itertuples(), strict=True):
        duel = game.duel(a, b, rounds=rounds, **at.model_dump(exclude_defaults=True))
        both = duel.p_both_destroyed or 0
        expected = duel.p_a, duel.p_draw + both, duel.p_b, duel.player_turns
        assert (row.p_win, row.p_draw, row.p_loss, row.player_turns) == pytest.approx(expected, abs=1e-12)
        assert near(thrown.p_win, row.p_win, 4000)
        assert near(thrown.p_draw, row.p_draw, 4000)
        assert thrown.player_turns == pytest.approx(row.player_turns, abs=0.2)


@pytest.mark.slow
def test_matchups__seven_turns_of_forumini_agree_with_literal_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 4 hexes the Tiger beats the T-34-85 in the end, but a game has only seven turns (How to Win)."""
    monkeypatch.setattr(hex_roller, "MOST_TURNS", TURNS)
    game, (a, b) = game_of("forumini"), ("de_tiger_i", "su_t_34_85")
    here = "range_in == 4 and facing == 'front' and situation == ''"
    row = aab.matchups(game, attackers=[a], targets=[b]).query(here).iloc[0]
    endless = aab.Situations.standard(game)._replace(rounds=None)
    assert aab.matchups(game, endless, attackers=[a], targets=[b]).query(here).iloc[0]["p_win"] > 0.97
    rng, cards = random.Random(9), game.cards.tables
    ends = Counter(hex_roller.throw_duel(rng, cards[a], cards[b], {"range_in": 4}, {}, "a") for _ in range(THROWS))
    assert near(ends["a"] / THROWS, row["p_win"])
    assert near(ends["b"] / THROWS, row["p_loss"])
    assert near((ends[None] + ends["both"]) / THROWS, row["p_draw"])
    assert 0.5 < row["p_draw"] < 0.56


def test_sensitivity__says_who_gains_by_a_reading_and_who_loses() -> None:
    game = aab.Game()
    pair = ["us_m4a3_75w", "de_stug3g"]
    at = situations.Situations.listed(
        game, [{"weight": 0.5, "range_in": 18}, {"weight": 0.5, "range_in": 24, "facing": "side"}]
    )
    tried = {"resolution": ["two_dice"], "reroll_limit": [None], "mg_after_clamp": [True]}
    gains = sensitivity(game, at, switches=tried, field=pair).attrs["gains"]
    assert list(gains) == ["resolution=two_dice", "reroll_limit=none"], "the third has no bearing on these"

    def wins(rules: aab.Game) -> float:
        """The chance of the Sherman, in either seat; the one attacked shows the side or not."""
        seats = []
        for a, b in (pair, pair[::-1]):
            duels = [rules.duel(a, b, range_in=18), rules.duel(a, b, range_in=24, facing="side")]
            score = sum(duel.p_a + duel.p_draw / 2 for duel in duels) / 2
            seats.append(score if a == "us_m4a3_75w" else 1 - score)
        return sum(seats) / 2

    # A unit meets itself too, which changes nothing, and is half of its opponents.
    rise = (wins(game.with_(variant={"resolution": "two_dice"})) - wins(game)) / 2
    assert abs(rise) > 0.001
    assert gains["resolution=two_dice"] == pytest.approx({"us_m4a3_75w": rise, "de_stug3g": -rise})


def test_sensitivity__a_reading_that_changes_who_wins_between_units_alike_lets_none_gain() -> None:
    pair = ["us_m4a1", "de_pz4h"]  # alike but for their price
    at = situations.Situations.of(aab.Game(), {"range_in": {"18": 1.0}})
    found = sensitivity(aab.Game(), at, switches={"resolution": ["sum"]}, field=pair)
    assert found["mean_change_of_p_win"].iloc[1] > 0
    assert found.attrs["gains"] == {}


def test_changes__the_largest_of_a_rank_may_be_downwards() -> None:
    duels = pd.DataFrame({"p_win": [0.5], "weight": [1.0]})
    before, after = (
        pd.DataFrame({"unit": ["a", "b", "c"], "rank": ranks, "requisition_exchange_ratio": 1.0})
        for ranks in ([3, 1, 2], [1, 2, 3])
    )
    found = _changes(duels, duels, after, before)
    assert (found["largest_change_of_rank"], found["rank_correlation"]) == (2, pytest.approx(-0.5))


def test_changes__the_factor_is_the_mean_of_units_that_are_rated_before_and_after() -> None:
    own, changed = (pd.DataFrame({"p_win": p, "weight": [1.0, 3.0]}) for p in ([0.5, 0.2], [0.7, 0.1]))
    ratios = [1.0, 2.0, 0.0, 1.0, float("inf"), 1.0], [4.0, 2.0, 3.0, 0.0, 1.0, float("inf")]
    before, after = (
        pd.DataFrame({"unit": [*"abcdef"], "rank": range(6), "requisition_exchange_ratio": ratio}) for ratio in ratios
    )
    found = _changes(changed, own, after, before)
    assert found["factor_on_exchange_ratio"] == pytest.approx(2)  # of a 4, of b 1
    assert found["mean_change_of_p_win"] == pytest.approx(0.25 * 0.2 + 0.75 * 0.1)
    assert found["largest_change_of_p_win"] == pytest.approx(0.2)


def test_sensitivity__fights_as_many_rounds_as_the_table() -> None:
    game, units = game_of("forumini"), ["de_tiger_i", "su_t_34_85", "us_m4a1_sherman"]
    found = sensitivity(game, field=units, switches={}).iloc[0]
    table = headlines(aab.matchups(game, attackers=units, targets=units)).iloc[0]
    assert found["share_draws"] == table["share_draws"]
    at = aab.Situations.standard(game)._replace(rounds=None)
    endless = headlines(aab.matchups(game, at, attackers=units, targets=units)).iloc[0]
    assert endless["share_draws"] < table["share_draws"]


def test_matchups__fewer_rounds_than_one_are_refused() -> None:
    game = game_of("forumini")
    at = aab.Situations.of(game, {"range_in": {1: 1.0}})._replace(rounds=0)
    with pytest.raises(UsageError, match="rounds: found 0, expected a whole number from 1 to 1000"):
        aab.matchups(game, at)


@pytest.mark.parametrize("rounds", ["0", "7.5", "true", '"7"', "1001"])
def test_standard__wrong_rounds_of_a_definition_are_a_fault_with_file_and_line(
    rounds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "forumini.toml"
    path.write_text(f'title = "A"\ngame = "forumini"\nrounds = {rounds}\n[situations.range_in]\n1 = 1\n')
    monkeypatch.setattr(report, "data_folder", lambda name: tmp_path)
    with pytest.raises(CardError) as caught:
        aab.Situations.standard(aab.Game("forumini"))
    assert str(caught.value).startswith(f"{path}:3: rounds: found ")


def test_standard__wrong_situations_of_a_definition_are_faults_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "forumini.toml"
    path.write_text(
        'title = "A"\ngame = "forumini"\n[situations.range_in]\n1 = 0.5\n-2 = 0.4\n[situations.nosuch]\n1 = 1\n'
    )
    monkeypatch.setattr(report, "data_folder", lambda name: tmp_path)
    with pytest.raises(CardError) as caught:
        aab.Situations.standard(aab.Game("forumini"))
    weights, below, unknown = map(str, caught.value.faults)
    assert below == f"{path}:5: situations.range_in.-2: found '-2', expected greater than or equal to 0"
    assert weights.startswith(f"{path}:3: situations.range_in: found weights that sum to 0.9, expected weights from 0 ")
    assert unknown.startswith(f"{path}:6: situations.nosuch: found 'nosuch', expected ")


def test_of__says_all_that_is_wrong_a_line_each() -> None:
    with pytest.raises(UsageError) as caught:
        aab.Situations.of(game_of("armored_advance"), {"range_in": {"-2": 1.5, "3": -0.5}, "facing": {"top": 1}})
    assert str(caught.value).split("\n") == [
        "situations.range_in.-2: found '-2', expected greater than or equal to 0",
        "situations.range_in.3: found weight -0.5, expected a number from 0",
        "situations.facing.top: found 'top', expected 'front', 'side' or 'rear'",
    ]


def test_listed__says_all_that_is_wrong_a_line_each() -> None:
    rows = [{"weight": 0.5, "range_in": 6}, {"weight": -1, "range_in": -6, "wals": 1}, {"weight": True, "range_in": -6}]
    with pytest.raises(UsageError) as caught:
        aab.Situations.listed(game_of("armored_advance"), rows)
    unknown, negative, below, no_number = str(caught.value).split("\n")
    assert unknown.startswith("situations.1.wals: found 'wals' (did you mean 'walls'?), expected one of facing, ")
    assert negative == "situations.1: found weight -1, expected a number from 0"
    assert below == "situations.2.range_in: found -6, expected greater than or equal to 0"
    assert no_number == "situations.2: found weight true, expected a number from 0"
    with pytest.raises(UsageError, match=r"^situations: found weights that sum to 0.75, expected weights from 0 that"):
        aab.Situations.listed(game_of("armored_advance"), [{"weight": 0.75, "range_in": 6}])


def test_situations__are_the_product_of_choices_or_as_listed() -> None:
    game = game_of("armored_advance")
    product = aab.Situations.of(game, {"range_in": {6: 0.25, 12: 0.75}, "facing": {"front": 0.5, "rear": 0.5}}, 7)
    assert [(moment.range_in, moment.facing) for moment in product.moments] == [
        (6, "front"), (6, "rear"), (12, "front"), (12, "rear"),
    ]  # fmt: skip
    assert (product.weights, product.rounds) == ((0.125, 0.125, 0.375, 0.375), 7)
    rows = [{"weight": 0.25, "range_in": 6}, {"weight": 0.75, "range_in": 12, "facing": "rear"}]
    listed = aab.Situations.listed(game, rows, 7, ("hold", "close:6"))
    assert (listed.postures, product.postures) == (("hold", "close:6"), ("hold", "hold"))  # the attacker's comes first
    assert listed.moments == (game.moment(range_in=6), game.moment(range_in=12, facing="rear"))
    assert (listed.weights, listed.rounds) == ((0.25, 0.75), 7)


@pytest.mark.parametrize("rolls", [{}, {"simulate": 10}])
def test_matchups__tell_of_attackers_task_by_task(rolls: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "CELLS", 2)
    monkeypatch.setattr(cells, "ROLLED", 20)
    game = game_of("skirmish_wars")
    some, steps = list(game.cards)[:4], []
    at = aab.Situations.of(game, {"range_in": {1: 1.0}})
    aab.matchups(game, at, attackers=some, targets=some, advance=steps.append, **rolls)
    # Tasks of two cells: of 16, each with those across.
    assert sum(steps) == 4
    assert len(steps) > 6
    assert max(steps) == 1


# --- reach ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_out_of_reach__is_what_another_distance_alone_would_mend(name: str) -> None:
    game, rng = game_of(name), random.Random(name)
    ids = list(game.cards) if len(game.cards) < 30 else rng.sample(list(game.cards), 12)
    ids += ["uk_avre"] * (name == "armored_advance")
    at = aab.Situations.standard(game)
    table = aab.shots(game, at, attackers=ids, targets=ids)
    assert not table.loc[table["out_of_reach"], "p_damage"].any()
    ranges = sorted({situation.range_in for situation in at.moments})
    seen = Counter()
    for n in rng.sample(range(len(table)), min(300, len(table))):
        row, situation = table.iloc[n], at.moments[n % len(at.moments)]
        if row["p_damage"]:
            continue
        elsewhere = [
            game.shot(row["attacker"], row["target"], **situation.model_dump() | {"range_in": range_in}).p_damage > 0
            for range_in in ranges
        ]
        seen[bool(row["out_of_reach"])] += 1
        if row["out_of_reach"]:
            assert any(elsewhere), (row["attacker"], row["target"], situation)
        elif name != "forumini":  # where dice are fewer, not none, farther away
            assert not any(elsewhere), (row["attacker"], row["target"], situation)
    assert seen[True]


REACH: dict[str, list[tuple[str, str, dict[str, Any], bool]]] = {
    "skirmish_wars": [
        ("infantry", "infantry", {"range_in": 2}, True),  # range 1
        ("artillery", "tank", {"range_in": 1}, True),  # range 2-3: too near
        ("apc", "infantry", {"range_in": 1}, False),  # unarmed at any distance
        ("apc", "infantry", {"range_in": 3}, False),
        ("infantry", "infantry", {"range_in": 1}, False),
    ],
    "armored_advance": [
        ("uk_avre", "de_tiger1", {"range_in": 12.5}, True),  # limited range 12
        ("uk_avre", "de_tiger1", {"range_in": 12}, False),
        ("inf_at_rifle", "su_ba64", {"range_in": 18.5}, True),  # an anti-tank rifle of range 18
        ("inf_at_rifle", "de_tiger1", {"range_in": 18.5}, False),  # which doesn't pierce this, from nearer either
        ("inf_rifle", "su_ba64", {"range_in": 36}, False),  # not against vehicles at any distance
    ],
    "armour_battles": [
        ("us_m10", "de_stug3", {"range_in": 60}, True),
        ("us_m10", "de_stug3", {"range_in": 60, "range_band": "long"}, False),
    ],
    "modern_land_battles": [
        ("us_m1a1", "cn_type98", {"range_in": 3}, True),  # a cannon reaches two Rows
        ("us_m1a1", "cn_type98", {"range_in": 2}, False),
        ("us_m1a1", "cn_type98", {"range_in": 4}, False),  # there is no Row 4
        ("us_m1a1", "cn_type98", {"range_in": 3, "enemy_stops": 3}, True),  # one Hit of four may be left
    ],
    "forumini": [
        ("de_tiger_i", "su_t_34_85", {"range_in": 11}, True),  # the last column ends at 10 hexes
        ("de_tiger_i", "su_t_34_85", {"range_in": 10}, False),
        (
            "de_tiger_i",
            "su_mosin_nagant_1891_30",
            {"range_in": 10},
            True,
        ),  # in which there are no dice against soldiers
    ],
}


@pytest.mark.parametrize(
    ("name", "a", "b", "where", "expected"), [(name, *case) for name, cases in REACH.items() for case in cases]
)
def test_out_of_reach__by_the_cards_range(name: str, a: str, b: str, where: dict[str, Any], expected: bool) -> None:
    game = game_of(name)
    at = aab.Situations((game.moment(**where),), (1.0,))
    row = aab.shots(game, at, attackers=[a], targets=[b]).iloc[0]
    assert row["out_of_reach"] == expected
    if expected:
        assert row["p_damage"] == 0


def test_headlines__what_is_impossible_is_judged_apart_from_reach() -> None:
    """0.3 of the weight is out of reach, and of the other 0.7 a fifth, 0.14, is impossible."""
    game = game_of("skirmish_wars")
    at = aab.Situations.of(game, {"range_in": {1: 1.0}})
    found = pd.concat([aab.matchups(game, at, attackers=["tank"], targets=["tank"])] * 3, ignore_index=True)
    found["out_of_reach"], found["weight"] = [False, True, False], [0.56, 0.3, 0.14]
    found.loc[1:, ["expected_damage_per_action", "expected_turns_to_kill"]] = 0, float("inf")
    row = headlines(found).iloc[0]
    assert row["share_out_of_reach"] == pytest.approx(0.3)
    assert row["share_impossible"] == pytest.approx(0.2)
    found["out_of_reach"] = True
    assert headlines(found).iloc[0]["share_out_of_reach"] == pytest.approx(1)
    assert pd.isna(headlines(found).iloc[0]["share_impossible"])


def test_headlines__endless_are_duels_without_a_last_turn_and_not_all_that_are_drawn() -> None:
    game = game_of("skirmish_wars")
    at = aab.Situations.of(game, {"range_in": {1: 1.0}})
    found = pd.concat([aab.matchups(game, at, attackers=["tank"], targets=["tank"])] * 3, ignore_index=True)
    found["player_turns"], found["weight"], found["p_draw"] = [float("inf"), 5, 5], [0.2, 0.3, 0.5], [1, 0.5, 0]
    row = headlines(found).iloc[0]
    assert (row["share_endless"], row["share_draws"]) == pytest.approx((0.2, 0.35))


def test_turns_to_kill__what_is_out_of_reach_is_not_called_impossible() -> None:
    """One of four is out of reach; of the other three one is impossible, and two take 2 and 4 turns."""
    game = aab.Game()
    at = aab.Situations.of(game, {"range_in": {18: 1.0}})
    met = pd.concat([aab.shots(game, at, attackers=["de_tiger1"], targets=["de_tiger1"])] * 4, ignore_index=True)
    met["out_of_reach"], met["expected_turns_to_kill"] = [False, True, False, False], [2, *[float("inf")] * 2, 4]
    met["expected_damage_per_action"] = [1.0, 0, 0, 1]
    row = turns_to_kill(game, met, ["de_tiger1"]).iloc[0]
    assert (row["share_out_of_reach"], row["median_turns_to_kill"]) == (0.25, 3)
    assert row["share_impossible"] == pytest.approx(1 / 3)


def test_headlines__half_of_the_weight_kills_no_later_than_the_median() -> None:
    game = game_of("skirmish_wars")
    at = aab.Situations.of(game, {"range_in": {1: 1.0}})
    found = pd.concat([aab.matchups(game, at, attackers=["tank"], targets=["tank"])] * 3, ignore_index=True)
    found["expected_turns_to_kill"], found["weight"] = [3.0, 1.0, 2.0], [0.55, 0.35, 0.1]
    assert headlines(found).iloc[0]["median_turns_to_kill"] == 3


def test_headlines__an_accurate_shot_is_an_attack() -> None:
    """A Tiger's shot can't pass an Elefant's front if hit and penetration are summed; its accurate shot can (p. 12)."""
    game = aab.Game(variant={"resolution": "sum"})
    at = aab.Situations.of(game, {"range_in": {10: 1.0}})
    fired = aab.matchups(game, at, attackers=["de_tiger1"], targets=["de_elefant"])
    assert fired["p_damage"].item() == 0
    both = ["de_tiger1", "de_elefant"]
    for found in (headlines(fired, both), turns_to_kill(game, fired, both)):
        assert found["share_impossible"].item() == 0
        assert found["median_turns_to_kill"].item() == fired["expected_turns_to_kill"].item() < float("inf")


def test_ids_of__a_unit_that_is_named_by_its_id_and_its_name_is_one() -> None:
    game = aab.Game()
    twice = ["us_m4a1", "de_pz4h", game.cards["us_m4a1"].name]
    assert ids_of(game, twice, "units") == ["us_m4a1", "de_pz4h"]
