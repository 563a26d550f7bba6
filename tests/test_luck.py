"""Luck as a control variate."""

from __future__ import annotations

import numpy as np
import pytest

import aabalance as aab
from aabalance.engine import jit
from aabalance.engine.match import arena


@pytest.mark.slow
def test_without_luck__is_the_score_less_the_luck_of_each_match_and_narrows_the_interval() -> None:
    match = aab.Game("armour_battles").match(board="crossroads", simulate=200)
    found, played = aab.without_luck(match), match.played.match
    luck = [arena.luck(played, at, arena.decisions(played, at), jit.compiled).sum() for at in range(200)]
    assert found.luck_a == pytest.approx(np.mean(luck))
    assert found.score_a == pytest.approx(match.p_a + match.p_draw / 2 - np.mean(luck))
    assert found.score_a_ci[0] <= match.p_a + match.p_draw / 2 <= found.score_a_ci[1]
    # Measured: 1.4 times as many matches for the same interval.
    assert found.fewer > 1.15


def test_without_luck__of_a_single_match_is_refused() -> None:
    match = aab.Game("skirmish_wars").match(
        board="last_stand", rounds=1, player_a="random", player_b="random", simulate=1
    )
    with pytest.raises(aab.UsageError, match=r"^luck: found 1 match, expected at least 2$"):
        aab.without_luck(match)
