"""When duels end, what the winner has left, and which lasts longest."""

from __future__ import annotations

import math
from fractions import Fraction

import pandas as pd
import pytest
from handmade import vehicle

import aabalance as aab
from aabalance.analysis.duels import longest_duel
from aabalance.rulesets.base.attack import Volley
from aabalance.rulesets.base.fight import Bracket, Holding


@pytest.fixture(scope="module")
def game() -> aab.Game:
    return aab.Game()


def test_turns_of_duel__has_the_mean_and_the_odds_of_the_duel(game: aab.Game) -> None:
    table = aab.turns_of_duel(game, "us_m4a3_75w", "de_stug3g", range_in=30, posture_b="close:6")
    duel = game.duel("us_m4a3_75w", "de_stug3g", range_in=30, posture_b="close:6", first="a")
    assert table["p_ended"].iloc[-1] == pytest.approx(1, abs=1e-8)
    assert table.loc[table["player_turn"] % 2 == 1, "p_end"].sum() == pytest.approx(duel.p_a, abs=1e-8)
    assert (table["player_turn"] * table["p_end"]).sum() == pytest.approx(duel.player_turns, abs=1e-6)


def test_turns_of_duel__that_never_ends_has_one_row_of_zero(game: aab.Game) -> None:
    table = aab.turns_of_duel(game, "uk_dingo", "uk_dingo", range_in=12)
    assert table[["player_turn", "p_end"]].to_numpy().tolist() == [[1, 0]]


def test_survivors_of_duel__sum_to_the_odds_in_steps_of_a_hit(game: aab.Game) -> None:
    a, b = vehicle(hp=30), vehicle(hp=25)
    table = aab.survivors_of_duel(game, a, b, range_in=15)
    duel = game.duel(a, b, range_in=15, first="a")
    sums = table.groupby("winner")["p_left"].sum()
    assert (sums["a"], sums["b"]) == pytest.approx((duel.p_a, duel.p_b))
    assert table.query("winner == 'a'")["toughness_left"].tolist() == [30, 20, 10]
    assert table.query("winner == 'b'")["toughness_left"].tolist() == [25, 15, 5]


def test_survivors_of_duel__without_a_winner_is_empty(game: aab.Game) -> None:
    assert aab.survivors_of_duel(game, "uk_dingo", "uk_dingo", range_in=12).empty


def test_duel__sandbags_are_the_target_s_alone(game: aab.Game) -> None:
    squads = "inf_rifle", "inf_rifle"
    covered = game.duel(*squads, range_in=10, sandbags=True)
    assert covered.p_b > 0.9
    assert game.duel(*squads, range_in=10).p_b == pytest.approx(0.5)


# --- the longest ------------------------------------------------------------------------------------------------


def table(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    """Rows of matchups: attacker, target, weight, player turns."""
    frame = pd.DataFrame(rows, columns=["attacker", "target", "weight", "player_turns"])
    return frame.assign(range_in=6.0, facing="front", p_win=0.5)


def test_longest_duel__is_the_first_of_those_that_end_within_the_field() -> None:
    found = table(
        ("a", "b", 0.5, 4.0),
        ("b", "a", 0.5, 9.0 - 1e-12),
        ("b", "b", 0.5, 9.0),  # no longer than the one before, but for its last digits
        ("a", "a", 0.5, math.inf),
        ("c", "a", 0.5, 20.0),  # not of the field
        ("a", "b", 0.0, 30.0),  # of no weight
    )
    row = longest_duel(found, ["a", "b"])
    assert list(row) == ["attacker", "target", "range_in", "facing", "player_turns"]
    assert (row["attacker"][0], row["target"][0]) == ("b", "a")
    assert row["player_turns"][0] == pytest.approx(9)


def test_longest_duel__none_where_no_duel_is_sure_to_end() -> None:
    assert longest_duel(table(("a", "a", 1.0, math.inf)), ["a"]).empty


def test_longest_duel__of_a_limit_is_the_limit() -> None:
    """Machine guns do armoured cars no harm (p. 10): they face each other to the end of the third round."""
    game = aab.Game()
    at = aab.Situations.of(game, {"range_in": {6: 1.0}}, 3)
    units = ["uk_dingo", "su_ba64"]
    assert longest_duel(aab.matchups(game, at, attackers=units, targets=units), units)["player_turns"].tolist() == [6]
    endless = at._replace(rounds=None)
    assert longest_duel(aab.matchups(game, endless, attackers=units, targets=units), units).empty


def test_holding__opens_once_and_goes_round_its_cycle_from_then_on() -> None:
    aimed, shot, reload = (Volley((name,), {0: Fraction(1)}) for name in ("aimed", "shot", "reload"))
    unit, memory, orders = Holding(9, (Bracket(1, (shot, reload), (aimed,)),)), 0, []
    for _ in range(6):
        (turn,) = unit.turns(12.0, memory, None, 0)
        memory = turn.memory
        orders.append(turn.orders)
    assert orders == ["aimed", "shot", "reload", "shot", "reload", "shot"]
