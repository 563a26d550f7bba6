"""Actions, deployment and game modes (Core Rules 1.1, p. 4, p. 22-23)."""

from __future__ import annotations

from fractions import Fraction as F
from random import Random
from typing import Any

import pytest
from handmade import field_gun, squad, vehicle
from hypothesis import given
from hypothesis import strategies as st

import aabalance as aab
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle.missions import (
    actions_left,
    annihilation,
    deployment,
    domination,
    requisition,
    roll_off,
    tally,
    turn_is_over,
)
from aabalance.rulesets.armored_advance.variant import Variant

DEFAULT = Variant.model_validate({})
BY_PLAYER_TURN = Variant.model_validate({"turn_limit_counts": "player_turns"})


# --- match structure --------------------------------------------------------------------------------------------


def test_roll_off_page_22__is_even() -> None:
    assert roll_off() == F(1, 2)


def test_deployment_page_22__by_turns_then_the_rest() -> None:
    assert deployment(2, 4) == ("first", "second", "first", "second", "second", "second")
    assert deployment(3, 1) == ("first", "second", "first", "first")


def test_requisition_page_22__is_that_of_all_units() -> None:
    army = [vehicle(requisition=100), field_gun(requisition=30), squad(requisition=10)]
    assert requisition(army) == 140
    assert requisition(army, infantry_free=True) == 130


def test_actions_left_page_4__pool_and_limit_both_bind() -> None:
    """AA-50."""
    tank = vehicle(actions=2)
    assert actions_left(tank, 0, 0, 5) == 2
    assert actions_left(tank, 1, 3, 5) == 1
    assert actions_left(tank, 0, 4, 5) == 1
    assert actions_left(tank, 0, 5, 5) == 0
    assert actions_left(tank, 2, 2, 5) == 0
    assert actions_left(field_gun(), 0, 5, 5) == 0


def test_infantry_example_page_17__acts_when_all_5_actions_went_to_vehicles() -> None:
    assert actions_left(squad(), 0, 5, 5) == 1
    assert actions_left(squad(), 1, 0, 5) == 0


def test_turn_is_over_page_4__without_actions_or_without_units_to_take_them() -> None:
    tank = vehicle(actions=2)
    assert not turn_is_over([(tank, 2), (tank, 1)], 5)
    assert turn_is_over([(tank, 2), (tank, 2)], 5)
    assert turn_is_over([(tank, 2), (tank, 1)], 3)
    assert not turn_is_over([(tank, 2), (tank, 1), (squad(), 0)], 3)
    assert turn_is_over([(tank, 2), (tank, 1), (squad(), 1)], 3)
    assert not turn_is_over([(tank, 2), (tank, 0), (squad(), 1)], 3)
    assert turn_is_over([], 3)


@given(st.lists(st.integers(1, 3), max_size=5), st.integers(0, 8), st.integers())
def test_turn_is_over__once_pools_or_limit_are_used_up(pools: list[int], limit: int, seed: int) -> None:
    """A side that spends until it can't has spent the limit or all its pools, whichever is less."""
    rng = Random(seed)
    units: list[tuple[Any, int]] = [(vehicle(actions=pool), 0) for pool in pools]
    while not turn_is_over(units, limit):
        spent = sum(used for _, used in units)
        able = [n for n, (card, used) in enumerate(units) if actions_left(card, used, spent, limit)]
        n = rng.choice(able)
        units[n] = units[n][0], units[n][1] + 1
    assert sum(used for _, used in units) == min(limit, sum(pools))


# --- annihilation -----------------------------------------------------------------------------------------------


def test_annihilation_page_23__ends_with_the_mechanized_force() -> None:
    assert annihilation([vehicle()], [vehicle()], DEFAULT) is None
    assert annihilation([vehicle()], [squad()], DEFAULT) == "a"
    assert annihilation([], [vehicle()], DEFAULT) == "b"
    assert annihilation([squad()], [], DEFAULT) == "draw"


def test_annihilation_counts_guns__field_guns_hold_out_or_not() -> None:
    """AA-53."""
    assert annihilation([vehicle()], [field_gun()], DEFAULT) is None
    assert annihilation([vehicle()], [field_gun()], Variant.model_validate({"annihilation_counts_guns": False})) == "a"


def test_annihilation_page_23__units_that_cannot_hurt_each_other_draw() -> None:
    assert annihilation([vehicle()], [vehicle()], DEFAULT, stalemate=True) == "draw"
    assert annihilation([vehicle()], [], DEFAULT, stalemate=True) == "a"


# --- turn limits ------------------------------------------------------------------------------------------------

GAME = aab.Game()
DUELLISTS: dict[str, Any] = {"range_in": 18, "actions": 2, "list_a": "de_tiger1", "list_b": "su_t34_85*2"}


@pytest.mark.parametrize("mode", ["annihilation", "timed"])
def test_turn_limit_counts__turns_of_both_or_of_either(mode: str) -> None:
    """AA-54."""
    game = GAME.with_(variant={"turn_limit_counts": "player_turns"})
    found = game.battle(**DUELLISTS, mode=mode, rounds=4)
    same = GAME.battle(**DUELLISTS, mode=mode, rounds=2)
    assert (found.p_a, found.p_b, found.rounds) == (same.p_a, same.p_b, 2)
    assert found.player_turns < GAME.battle(**DUELLISTS, mode=mode, rounds=4).player_turns
    limit: dict[str, Any] = {"points_to_win": None, "player_turns": 4, "turn_limit": 4}
    assert domination((1, 0), DEFAULT, **limit) is None
    assert domination((1, 0), BY_PLAYER_TURN, **limit) == "a"


def test_turn_limit_counts__leaves_nobody_a_turn_more() -> None:
    """AA-54."""
    game = GAME.with_(variant={"turn_limit_counts": "player_turns"})
    with pytest.raises(UsageError, match=r"^rounds: found a limit of 3 player turns, expected as many"):
        game.battle(**DUELLISTS, mode="timed", rounds=3)


# --- domination -------------------------------------------------------------------------------------------------


def test_domination_example_page_23__3_objectives_against_2_are_a_point() -> None:
    assert tally((0, 0), (3, 2), ended="b") == (1, 0)


def test_domination_page_23__scores_at_the_end_of_the_opponents_turn() -> None:
    assert tally((0, 0), (3, 2), ended="a") == (0, 0)
    assert tally((4, 1), (0, 3), ended="a") == (4, 4)
    assert tally((4, 1), (0, 3), ended="b") == (4, 1)


@pytest.mark.parametrize(
    ("points", "player_turns", "outcome"),
    [((4, 4), 9, None), ((5, 4), 2, "a"), ((4, 6), 2, "b"), ((2, 3), 10, "b"), ((3, 3), 10, "draw"), ((3, 1), 9, None)],
)
def test_domination_page_23__ends_at_the_points_or_at_the_limit(
    points: tuple[int, int], player_turns: int, outcome: str | None
) -> None:
    assert domination(points, DEFAULT, points_to_win=5, player_turns=player_turns, turn_limit=5) == outcome


def test_domination_page_23__without_a_limit_the_points_decide() -> None:
    assert domination((9, 0), DEFAULT, points_to_win=10, player_turns=99, turn_limit=None) is None
    assert domination((9, 0), DEFAULT, points_to_win=None, player_turns=9, turn_limit=5) is None


SIDES = st.tuples(st.integers(0, 9), st.integers(0, 9))


@given(SIDES, SIDES)
def test_tally__a_round_adds_the_differential_once(points: tuple[int, int], owned: tuple[int, int]) -> None:
    after = tally(tally(points, owned, ended="a"), owned, ended="b")
    assert (after[0] - points[0]) - (after[1] - points[1]) == owned[0] - owned[1]
    assert after >= points
