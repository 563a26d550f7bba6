"""Adapters: the libraries' own tests, and that their matches are ours. `.ci/weekly` installs what they need."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import examples
import numpy as np
import pytest
from meetings import PLAYED

import aabalance as aab
from aabalance.analysis.ladder import standard
from aabalance.engine.match import arena
from aabalance.play.match_question import MatchQuestion, prepared
from aabalance.rulesets.base.match import RESULT
from benchmarks import matches

ROOT = Path(__file__).resolve().parents[1]
WHY = "needs the extras open_spiel and pettingzoo, as .ci/weekly installs them"
spiel = pytest.importorskip("aabalance.adapters.open_spiel", reason=WHY)
zoo = pytest.importorskip("aabalance.adapters.pettingzoo", reason=WHY)

SCORES = [1, -1], [-1, 1], [0, 0]
SHORT = {"armored_advance": 1, "skirmish_wars": 2}
"""Limits of rounds: random play takes long."""


def asked(game: str, player: str = "random", **more: Any) -> MatchQuestion:
    of = aab.Game(game)
    board, lists = standard(of)
    more = {"rounds": SHORT.get(game), "player_a": player, "player_b": player} | more
    return of.match_question(*lists, board=board, **more)


@cache
def game_of(game: str) -> Any:
    return spiel.MatchGame(asked(game))


@pytest.mark.parametrize("game", PLAYED)
def test_open_spiel__its_own_test_of_games_passes(game: str) -> None:
    import pyspiel

    pyspiel.random_sim_test(game_of(game), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("game", PLAYED)
def test_open_spiel__the_same_decisions_and_dice_make_the_same_match(game: str) -> None:
    played = prepared(asked(game), 3)
    state = game_of(game).new_initial_state()
    if len(played.match.starts) > 1:
        assert [p for _, p in state.chance_outcomes()] == [0.5, 0.5]
        state.apply_action(0)
    for step in arena.trajectory(played.match, 0):
        assert state.current_player() == step.side
        text = played.match.rules.text(played.match.starts[0][0], step.before, step.action, played.names)
        legal = [state.action_to_string(action) for action in state.legal_actions()]
        state.apply_action(legal.index(text))
        for face, sides in zip(step.faces, step.sides, strict=True):
            assert state.is_chance_node()
            assert len(state.chance_outcomes()) == sides
            state.apply_action(face - 1)
        assert state._states[:1].tobytes() == step.after.tobytes()
    assert state.is_terminal()
    assert state.returns() == SCORES[played.match.rules.result(step.after)]


def test_open_spiel__the_benchmark_s_simulations_end_with_a_turn_as_our_playouts_do() -> None:
    begun = spiel.MatchGame(
        aab.Game("skirmish_wars").match_question(board="crossing_armies", first="a")
    ).new_initial_state()
    ends = [matches.played_on(begun, 0, 3, np.random.RandomState(seed)) for seed in range(5)]
    assert [int(end._states[0]["turn"] - begun._states[0]["turn"]) for end in ends] == [3] * 5
    assert matches.open_spiel_searching(16, 3).decide() in begun.legal_actions()


def test_open_spiel__no_side_sees_the_hand_of_the_other() -> None:
    state = game_of("modern_land_battles").new_initial_state()
    while state.is_chance_node() or not all(json.loads(str(state))["hands"].values()):
        state.apply_action(state.legal_actions()[0])
    for side, own, other in (0, "a", "b"), (1, "b", "a"):
        seen = json.loads(state.information_state_string(side))
        assert seen["you"] == own
        assert seen["hands"][own]
        assert not seen["hands"][other]


def test_open_spiel__its_tree_search_plays() -> None:
    from open_spiel.python.algorithms import mcts

    game = spiel.MatchGame(asked("skirmish_wars", first="a"))
    draw = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, draw), random_state=draw)
    state = game.new_initial_state()
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        while state.is_chance_node():
            state.apply_action(0)


@pytest.mark.parametrize("game", PLAYED)
def test_pettingzoo__its_own_tests_pass(game: str) -> None:
    from pettingzoo.test import api_test, seed_test

    question = asked(game)
    # It wonders at each observation that isn't an array, though its guide wants masks to be a part of it.
    with pytest.warns(UserWarning, match="probably should be|is not a NumPy array"):
        api_test(zoo.MatchEnv(question, render_mode="ansi"), num_cycles=1000)
    seed_test(lambda: zoo.MatchEnv(question), num_cycles=100)


@pytest.mark.parametrize("game", PLAYED)
def test_pettingzoo__a_seed_is_the_number_of_a_match(game: str) -> None:
    question = asked(game)
    played = prepared(question, 0)
    env = zoo.MatchEnv(question)
    for number in 4, 5:
        log = played.log(number)
        texts = iter([step.action for step in log.steps])
        env.reset(seed=number)
        scores = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, terminated, *_ = env.last()
            scores[agent] += reward
            legal = np.flatnonzero(seen["action_mask"])
            env.step(None if terminated else [env.text(action) for action in legal].index(next(texts)))
        assert next(texts, None) is None
        assert list(scores.values()) == SCORES[log.facts[RESULT]]


def test_docs__examples_of_adapters_run() -> None:
    page = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    blocks = [text for language, _, text in examples.FENCE.findall(page) if language == "py"]
    assert len(blocks) == 2
    for block in blocks:
        exec(block.replace("max_simulations=100", "max_simulations=2"), {})
