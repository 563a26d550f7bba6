"""What units are worth where both sides move: against battles fought by the game, and against exact ones."""

from __future__ import annotations

import json
from math import isnan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from handmade import at, vehicle
from odds import SIGMAS
from test_worth import game_of

import aabalance as aab
from aabalance.cli import main
from aabalance.definitions.tables import Tuning
from aabalance.errors import UsageError
from aabalance.pricing import movement
from aabalance.pricing.movement import TRIALS, moving, worth_moving
from aabalance.pricing.roster import EVEN, Roster

pytestmark = pytest.mark.slow

FAR = {"range_in": {"24": 1.0}}


def tank(price: float, penetration: int = 9, movement: int = 6, **fields: Any) -> Any:
    return vehicle(at(penetration, 10), **{"requisition": price, "hp": 20, "movement": movement, **fields})


def roster_of(game: aab.Game) -> Roster:
    return Roster(game, tuning=Tuning(budgets=(120.0,), limits=(3,), floor=3.0), situations=FAR)


def score(result: Any) -> float:
    return float(result.p_a + result.p_draw / 2)


def fight(game: aab.Game, a: str, b: str, **rest: Any) -> Any:
    return game.battle(a, b, range_in=24, actions=3, **rest)


def test_moving__is_what_the_game_s_own_battles_say_of_the_same_dice() -> None:
    """2 of 60 points are worth 3 of 40, so that these cards decide on time as equal forces do."""
    game = game_of(a=tank(60, 7, armor=(8, 6, 4)), b=tank(40, 9, armor=(6, 6, 4)))
    moved = moving(game, roster_of(game), [0, 1])
    rolled = fight(
        game,
        "a*2",
        "b*3",
        mode="timed",
        rounds=8,
        posture_a="best_range",
        posture_b="best_range",
        simulate=2 * TRIALS,
    )
    held = fight(game, "a*2", "b*3")
    assert moved.change[0, 1] == pytest.approx(score(rolled) - score(held), abs=1e-12)
    assert moved.change[1, 0] == -moved.change[0, 1]
    assert abs(moved.change[0, 1]) > 0
    assert np.isnan(moved.change[[0, 1], [0, 1]]).all()


def test_moving__variance_is_that_of_the_dice_of_both_first_turns() -> None:
    game = game_of(a=tank(60, 7, armor=(8, 6, 4)), b=tank(40, 9, armor=(6, 6, 4)))
    moved = moving(game, roster_of(game), [1, 0])
    expected = 0.0
    for first in "ab":
        terms = {"mode": "timed", "rounds": 8, "posture_a": "best_range", "posture_b": "best_range", "first": first}
        one = fight(game, "a*2", "b*3", simulate=TRIALS, **terms)
        # Of single battles, of 1, 1/2 or 0 each; the mean of two means of so many.
        expected += (one.p_a + one.p_draw / 4 - score(one) ** 2) / (TRIALS - 1) / 4
    assert expected > 0
    assert moved.variance[0, 0] == moved.variance[1, 1] == pytest.approx(expected, rel=1e-9)


def test_numbers__are_of_about_equal_requisition_and_can_be_rolled() -> None:
    """120 buy 1.7 at 70, so two; where one costs 300, both have 300; 16 at 5 are the most, and match 2 at 40."""
    game = game_of(a=tank(70), b=tank(40), c=tank(300), d=tank(5))
    n, m = movement._numbers(roster_of(game), np.array([0, 1, 1]), np.array([1, 2, 3]))
    assert list(zip(n.tolist(), m.tolist(), strict=True)) == [(2, 3), (8, 1), (2, 16)]


def test_moving__of_units_that_can_t_move_is_what_the_clock_changes() -> None:
    game = game_of(a=tank(60, 7, movement=0, armor=(5, 5, 4), hp=60), b=tank(40, movement=0, armor=(4, 4, 4), hp=50))
    moved = moving(game, roster_of(game), [0])
    by_clock = score(fight(game, "a*2", "b*3", mode="timed", rounds=8)) - score(fight(game, "a*2", "b*3"))
    assert abs(moved.change[0, 1] - by_clock) < SIGMAS * sqrt(moved.variance[0, 1])
    assert abs(by_clock) > 0.01


def test_moving__asked_about_one_unit_or_about_all_is_the_same() -> None:
    game = game_of(a=tank(60), b=tank(40, 8, movement=9), c=tank(30, 7))
    every = moving(game, roster_of(game), [0, 1, 2])
    np.testing.assert_array_equal(moving(game, roster_of(game), [2]).change[0], every.change[2])
    backwards = moving(game, roster_of(game), [2, 1, 0])
    np.testing.assert_allclose(backwards.change[::-1], every.change, rtol=0, atol=1e-15)


def test_worth_moving__is_the_price_at_which_what_moving_adds_is_paid_for() -> None:
    game = game_of(a=tank(60, armor=(8, 6, 4)), b=tank(40, 8, movement=9), c=tank(30, 7, movement=3), d=tank(50, 8))
    roster = roster_of(game)
    table = worth_moving(game, roster=roster).set_index("unit")
    assert list(table.index) == ["a", "b", "c", "d"]
    for at_, (_, row) in enumerate(table.iterrows()):
        more = row["score_moving"] - row["score"]
        prices = roster.prices.copy()
        prices[at_] = row["worth_moving"]
        # Nobody is at the floor, so that level is an even score.
        assert roster.margins(roster.scores(prices))[at_] + more == pytest.approx(0, abs=1e-9)
        assert row["worth_moving_ci_low"] < row["worth_moving"] < row["worth_moving_ci_high"]
        assert (row["worth_moving"] > row["worth"]) == (more > 0)
        outside = row["worth_moving_ci_high"] < row["worth_low"] or row["worth_moving_ci_low"] > row["worth_high"]
        assert row["beyond"] == outside
        assert (row["engine"], row["n"], row["seed"]) == ("monte_carlo", 3 * 2 * TRIALS, 0)
    # Four intervals that hold together are of 1 - .05 / 4 each: 2.498 standard errors; each opponent is a third.
    variance = moving(game, roster, [0, 1, 2, 3]).variance
    half = 2.498 * np.sqrt(np.nansum(variance, axis=1) / 9)
    assert (table["score_moving_ci_high"] - table["score_moving"]).to_numpy() == pytest.approx(half, rel=1e-3)
    at_once = worth_moving(game, ["b"], roster=roster).iloc[0]
    assert at_once["score_moving"] == pytest.approx(table.loc["b", "score_moving"], abs=0.1)
    wide = table.loc["b", "score_moving_ci_high"] - table.loc["b", "score_moving_ci_low"]
    assert at_once["score_moving_ci_high"] - at_once["score_moving_ci_low"] < wide, (
        "one claim needs less room than four"
    )


def test_worth_moving__of_who_meets_nobody_is_no_number() -> None:
    game = game_of(a=tank(60), b=tank(40), c=tank(30, 1, armor=(9, 9, 9)))
    row = worth_moving(game, ["c"], roster=roster_of(game)).iloc[0]
    assert isnan(row["worth_moving"])
    assert isnan(row["score_moving"])
    assert not row["beyond"]
    assert EVEN == 0.5


def test_worth_moving__of_a_game_without_such_battles_is_refused() -> None:
    game = aab.Game("skirmish_wars")
    with pytest.raises(UsageError, match=r"^game: found Skirmish Wars, expected one with battles under a limit"):
        worth_moving(game)


CARDS = """\
[{id}]
name = "{id}"
nation = "Nowhere"
class = "vehicle"
weight = "medium"
drive = "tracked"
movement = {movement}
hp = 20
armor = {{ front = 6, side = 6, rear = 6 }}
requisition = {price}
keywords = {{}}
weapons = [ {{ name = "gun", kind = "at", penetration = 8, damage = 10 }} ]
"""


def test_command__says_what_moving_changes(tmp_path: Path) -> None:
    cards = "\n".join(CARDS.format(id=i, movement=m, price=p) for i, m, p in (("slow", 2, 30), ("quick", 9, 40)))
    (tmp_path / "cards.toml").write_text(cards)
    words = ["worth", "quick", "--moving", "--cards", str(tmp_path)]
    said = CliRunner().invoke(main, words, catch_exceptions=False)
    assert said.exit_code == 0, said.output
    row = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)["worth_moving"][0]
    lines = {line[:40].rstrip(): line.split() for line in said.output.splitlines()}
    assert lines["is worth, both sides moving, 8 rounds"][-1] == f"{row['worth_moving']:.1f}"
    points = 100 * (row["score_moving"] - row["score"])
    assert lines["  scores more by"][-1] == f"{points:+.1f}"
