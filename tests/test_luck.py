"""Luck as a control variate."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import aabalance as aab
from aabalance.analysis.luck import WithoutLuck, scored
from aabalance.cli import main
from aabalance.engine import jit
from aabalance.engine.match import arena
from aabalance.engine.sampling import wilson


@pytest.mark.slow
def test_without_luck__is_the_score_less_the_luck_of_each_match_and_narrows_the_interval() -> None:
    game = aab.Game("armour_battles")
    match = game.match(board="crossroads", simulate=20)
    found, played = aab.without_luck(match), match.played.match
    luck = [arena.luck(played, at, arena.decisions(played, at), jit.compiled).sum() for at in range(20)]
    assert found.luck_a == pytest.approx(np.mean(luck))
    assert found.score_a == pytest.approx(match.p_a + match.p_draw / 2 - np.mean(luck))
    match = game.match(board="crossroads", simulate=200)
    found = aab.without_luck(match)
    assert found.score_a_ci[0] <= match.p_a + match.p_draw / 2 <= found.score_a_ci[1]
    # The interval by Student tells the spread of what is left, the chances that of the scores, which are 0, 1/2 or 1.
    half = (found.score_a_ci[1] - found.score_a_ci[0]) / 2
    left = 199 * (half / stats.t.ppf(0.975, 199)) ** 2
    plain = match.p_a + match.p_draw / 4 - (match.p_a + match.p_draw / 2) ** 2
    assert found.fewer == pytest.approx(plain / left, rel=1e-3)
    assert found.fewer > 1.5  # measured: 1.93


@pytest.mark.slow
def test_without_luck__is_no_more_than_all_matches_won() -> None:
    match = aab.Game("skirmish_wars").match(board="last_stand", simulate=40)
    found = aab.without_luck(match)
    low, high = found.score_a_ci
    assert low < found.score_a < high == 1  # Student's interval would end at 1.02


def test_without_luck__of_matches_that_all_score_alike_leaves_as_much_open_as_so_few_can() -> None:
    match = aab.Game("skirmish_wars").match(
        "infantry", "infantry", board="crossing", rounds=1, player_a="random", player_b="random", simulate=50
    )
    found = aab.without_luck(match)
    assert (found.score_a, found.luck_a, found.fewer) == (0.5, 0, 0)  # all are drawn, and no die was rolled
    away = wilson(0, 50)[1]
    assert found.score_a_ci == pytest.approx((0.5 - away, 0.5 + away))
    assert found.sentence().endswith("].")


def test_scored__a_mean_beyond_all_matches_won_is_all_of_them() -> None:
    # Luck is 0 in the mean alone: who won all matches, and was unlucky in them, would have more than 1.
    less = 1 + np.linspace(0.04, 0.06, 200)
    mean, (low, high) = scored(less)
    assert mean == 1
    assert (low, high) == (pytest.approx(1 - wilson(0, 200)[1]), 1)
    assert WithoutLuck(mean, (low, high), -0.05, 0, 200).sentence() == (
        f"Without the luck of the dice, a scores 1.0000 [{low:.4f}, 1.0000]."
    )
    assert scored(-less + 1)[1] == pytest.approx((0, wilson(0, 200)[1]))


@pytest.mark.parametrize(
    ("matches", "said"), [(199, "."), (200, ", about as sure as 1.5 times as many matches would be.")]
)
def test_sentence__says_how_many_matches_it_is_worth_if_there_are_enough_to_tell(matches: int, said: str) -> None:
    found = WithoutLuck(0.5, (0.4, 0.6), 0.01, 1.534, matches).sentence()
    assert found == f"Without the luck of the dice, a scores 0.5000 [0.4000, 0.6000]{said}"


def test_without_luck__of_a_single_match_is_refused() -> None:
    match = aab.Game("skirmish_wars").match(
        board="last_stand", rounds=1, player_a="random", player_b="random", simulate=1
    )
    with pytest.raises(aab.UsageError, match=r"^luck: found 1 match, expected at least 2$"):
        aab.without_luck(match)


@pytest.mark.slow
def test_luck__beside_an_explanation_is_that_of_as_many_matches_as_without_one() -> None:
    words = ["match", "--game", "skirmish_wars", "--board", "last_stand", "--rounds", "1", "--player", "random"]
    ran = CliRunner().invoke(main, [*words, "--luck", "--explain"])
    assert ran.exit_code == 0
    assert "monte_carlo, 200 trials" in ran.stdout
    assert "Without the luck of the dice, a scores" in ran.stdout
