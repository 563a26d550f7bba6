"""Players: who looks at values beats who acts at random, and hits what is worth hitting."""

from __future__ import annotations

import meetings
import numpy as np
import pytest
from meetings import GREEDY

from aabalance.engine import sampling
from aabalance.engine.match import arena, players
from aabalance.engine.match.arena import Match
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import ALL


def shares(match: Match, matches: int) -> list[float]:
    """Return the shares of matches that a wins, b wins, and that nobody wins."""
    with sampling.threads() as pool:
        results = arena.play(match, 0, matches, executor=pool)[:, base.RESULT]
    return [float((results == result).mean()) for result in (base.WON_BY_A, base.WON_BY_B, base.DRAWN)]


@pytest.mark.slow
@pytest.mark.parametrize("board", ["crossing", "crossing_armies"])
def test_greedy__skirmish_wars(board: str) -> None:
    assert shares(meetings.skirmish(("greedy", "random"), board), 200)[0] >= 0.95
    assert shares(meetings.skirmish(("random", "greedy"), board), 200)[1] >= 0.95
    assert shares(meetings.skirmish(GREEDY, board), 200)[2] < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["timed", "domination"])
@pytest.mark.parametrize("board", ["small", "village"])
def test_greedy__armored_advance(board: str, mode: str) -> None:
    assert shares(meetings.armored(("greedy", "random"), board, mode=mode), 200)[0] >= 0.95
    assert shares(meetings.armored(("random", "greedy"), board, mode=mode), 200)[1] >= 0.95
    assert shares(meetings.armored(GREEDY, board, mode=mode), 200)[2] < 0.3


def test_candidates__a_crowded_zone_has_a_place_for_every_unit() -> None:
    match = meetings.armored(GREEDY, meetings.FIELD, (("us_m8",) * 13,) * 2)
    rules, (tables, state) = match.rules, match.starts[0]
    few, dice, placed = np.empty(rules.most_actions, np.int64), base.new(base.DICE), 0
    while state.turn == 0:
        assert rules.candidates(tables, state, ALL, few) > 0
        players.shake(dice, 1, 0, placed)
        rules.apply(tables, state, few[0], dice)
        placed += 1
    assert placed == 2 + 2 * 13
