"""Players: who looks at values beats who acts at random, and hits what is worth hitting."""

from __future__ import annotations

import random

import meetings
import numpy as np
import pytest
from meetings import GREEDY

from aabalance.engine import jit, sampling
from aabalance.engine.arrays import Floats
from aabalance.engine.match import arena, players
from aabalance.engine.match.arena import Match
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import ALL
from aabalance.rulesets.skirmish_wars.match import records

HANDS_SWAPPED = 30
"""Decisions that are made again with other hands."""


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


@pytest.mark.slow
@pytest.mark.parametrize("board", ["standard", "skirmish"])
def test_greedy__modern_land_battles(board: str) -> None:
    lists = (meetings.UNITED_STATES, meetings.CHINA) if board == "standard" else (meetings.SMALL, meetings.SMALL)
    assert shares(meetings.modern(("greedy", "random"), board, lists), 200)[0] >= 0.95
    assert shares(meetings.modern(("random", "greedy"), board, lists), 200)[1] >= 0.95
    assert shares(meetings.modern(GREEDY, board, lists), 200)[2] < 0.3


@pytest.mark.slow
def test_decide__the_other_hand_may_be_any_that_fits() -> None:
    """Each decision of a match is made again with a hand drawn anew from all cards that the player doesn't see."""
    match, draw, stages = meetings.modern(meetings.RANDOM), random.Random(3), set()
    tables, state = match.starts[0]
    states = np.zeros(players.STATES, state.dtype)
    out, dice = np.empty((2, match.rules.most_actions), np.int64), base.new(base.DICE)
    decide = match.bound(players.decide, jit.plain)
    for at, step in enumerate(arena.steps(match, 3)):
        kinds = range(len(step.before.deck))
        other = 1 - step.side
        unseen = [kind for kind in kinds for _ in range(step.before.deck[kind] + step.before.hand[other, kind])]
        held = draw.sample(unseen, k=int(step.before.hand[other].sum()))
        for player in range(len(players.PLAYERS)):
            decided = []
            for swapped in (False, True):
                states[0] = step.before
                if swapped:
                    for kind in kinds:
                        states[0].hand[other, kind] = held.count(kind)
                        states[0].deck[kind] = unseen.count(kind) - held.count(kind)
                decided.append(decide(player, tables, states, out, dice, players.no_hopes(), 5, 3, at))
            assert decided[0] == decided[1]
        stages.add(int(step.before.stage))
        if at == HANDS_SWAPPED:
            break
    assert len(stages) > 5


@pytest.mark.slow
@pytest.mark.parametrize("board", ["crossroads", "ridge", "river_town"])
def test_greedy__forumini(board: str) -> None:
    assert shares(meetings.forumini(("greedy", "random"), board), 200)[0] >= 0.95
    assert shares(meetings.forumini(("random", "greedy"), board), 200)[1] >= 0.95
    assert shares(meetings.forumini(GREEDY, board), 200)[2] < 0.3


def test_candidates__a_crowded_zone_has_a_place_for_every_unit() -> None:
    match = meetings.armored(GREEDY, meetings.FIELD, (("us_m8",) * 13,) * 2)
    rules, (tables, state) = match.rules, match.starts[0]
    few, dice, placed = np.empty(rules.most_actions, np.int64), base.new(base.DICE), 0
    while state.turn == 0:
        assert rules.candidates(tables, state, ALL, False, few) > 0
        players.shake(dice, 1, 0, placed)
        rules.apply(tables, state, few[0], dice)
        placed += 1
    assert placed == 2 + 2 * 13


def test_best_plan__units_of_whom_less_is_hoped_than_another_keeps_are_not_judged() -> None:
    match = meetings.skirmish(GREEDY)
    tables, state = match.starts[0]
    states = np.zeros(players.STATES, state.dtype)
    out, dice = np.empty((2, match.rules.most_actions), np.int64), base.new(base.DICE)
    best_plan, note = (match.bound(function, jit.plain) for function in (players.best_plan, players.note))

    def chosen(hopes: Floats) -> int:
        states[0] = state
        return int(best_plan(tables, states, out, dice, hopes, np.uint64(3)))

    hopes = players.no_hopes()
    action = chosen(hopes)
    worth = {unit: hopes[unit] for unit in range(state.units) if hopes[unit] > 0}
    assert len(worth) > 1
    assert worth[match.rules.actor(action)] == max(worth.values())
    # Where nothing is hoped of anybody, all are judged; where much is hoped of one who adds something, he alone.
    assert chosen(np.zeros(len(hopes))) == action
    least = min(worth, key=worth.__getitem__)
    hopes[:] = worth[least] / 2
    hopes[least] = np.inf
    assert match.rules.actor(chosen(hopes)) == least
    dice.rolled = 0
    note(hopes, action, dice)
    assert [unit for unit in range(len(hopes)) if hopes[unit] == np.inf] == [match.rules.actor(action)]
    note(hopes, records.END, dice)
    assert np.isinf(hopes).all()
