"""Matches: players compiled, in plain Python and OpenSpiel's; a copy of a state; how time grows with units, rounds."""

from __future__ import annotations

import time
import tomllib
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from aabalance import Game, rulesets
from aabalance.engine import jit
from aabalance.engine.arrays import Loops
from aabalance.engine.match import arena
from aabalance.engine.match.arena import Match
from aabalance.rulesets.base.match import DECISIONS
from benchmarks.measure import QUICK, Effort, Row

SETUPS = Path(__file__).parent / "match_setups"
"""A file for each game: its board, what both sides agree on, and what a short match has in place of that."""
COPIES, STATES = 100_000, 64
MOST_COPY_NS, LEAST_RATIO = 50, 100
SEARCHED, PLAYOUTS, FEW, LEAST_PLAYOUTS, LEAST_OF_OTHERS = "crossing_armies", 1024, 16, 30_000, 30
"""Board on which search is measured; playouts for a decision, compiled and in plain Python; least playouts a second,
and least ratio to OpenSpiel's."""
SPREAD = 1.6
"""How much longer a decision may take in a match of four times as many rounds."""


def rows(effort: Effort) -> list[Row]:
    """Return the rows about matches."""
    found, games = [], sorted(path.stem for path in SETUPS.glob("*.toml"))
    for player in ("random", "greedy"):
        for game in games:
            found += _speeds(_title(game), _match(game, player), _match(game, player, short=True), effort)
    for times in (1, 2):
        seconds, _ = _played(_armored("greedy", times), 8 if effort is QUICK else 40)
        found.append(Row("matches, greedy, one thread", f"village, {5 * times} v {5 * times}", 1 / seconds, "/s"))
    few, many = (_played(_armored("random", rounds=rounds), 100) for rounds in (4, 16))
    growth = many[0] / many[1] / (few[0] / few[1])
    found.append(Row("random decision, 16 rounds v 4", "Armored Advance, village", growth, "x", most=SPREAD))
    found += _searched(effort)
    return [*found, *(_copy(_title(game), _match(game, "random")) for game in games)]


def _speeds(case: str, match: Match, short: Match, effort: Effort) -> list[Row]:
    """Return how many matches a second there are, and how much faster a short one is than in plain Python."""
    (player, _), count = match.players, 1 if effort is QUICK else 3
    seconds, _ = _played(match, 20 if effort is QUICK else 200)
    compiled = min(_played(short, 1)[0] for _ in range(20))
    start = time.process_time()
    for _ in range(count):
        for _ in arena.trajectory(short, 0):
            pass
    plain = (time.process_time() - start) / count
    return [
        Row(f"matches, {player}, one thread", case, 1 / seconds, "/s"),
        Row(f"matches, {player}, v plain Python", case, plain / compiled, "x", least=LEAST_RATIO),
    ]


def _played(match: Match, count: int) -> tuple[float, float]:
    """Return the seconds of CPU of a match and the number of its decisions, in the mean of some."""
    arena.play(match, 0, 1)
    start = time.process_time()
    facts = arena.play(match, 0, count)
    return (time.process_time() - start) / count, float(facts[:, DECISIONS].mean())


def _searched(effort: Effort) -> list[Row]:
    """Return how many playouts search makes a second, and how many times as many as others make."""
    case = f"Skirmish Wars, {SEARCHED}"
    kinds = {"playout": lambda: _playout(PLAYOUTS, jit.compiled, 4), "plain": lambda: _playout(FEW, jit.plain, 1)}
    if find_spec("pyspiel"):
        kinds["other"] = _simulation
    each = {name: median(kind() for _ in range(1 if effort is QUICK else 3)) for name, kind in kinds.items()}
    rows = [
        Row("playouts of search, one thread", case, 1 / each["playout"], "/s", least=LEAST_PLAYOUTS),
        Row("playouts of search v plain Python", case, each["plain"] / each["playout"], "x", least=LEAST_RATIO),
    ]
    if "other" in each:
        ratio = each["other"] / each["playout"]
        rows.append(Row("playouts of search v OpenSpiel's tree search", case, ratio, "x", least=LEAST_OF_OTHERS))
    return rows


def _playout(playouts: int, form: Loops, decisions: int) -> float:
    """Return the seconds of CPU of a playout, in the mean of those for some decisions, which aren't the first."""
    board = Game("skirmish_wars").boards[SEARCHED].table
    course = arena.Course(_match("skirmish_wars", f"search:{playouts}", board=board), 0, form)
    course.go(1)
    start = time.process_time()
    course.go(decisions)
    return (time.process_time() - start) / (decisions * playouts)


def _simulation() -> float:
    """Return the seconds of CPU of a simulation of OpenSpiel's tree search in Python: a random match to its end."""
    from open_spiel.python.algorithms import mcts

    from aabalance.adapters.open_spiel import MatchGame

    game, draw = MatchGame(Game("skirmish_wars").match_question(board=SEARCHED, first="a")), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, FEW, mcts.RandomRolloutEvaluator(1, draw), random_state=draw)
    state = game.new_initial_state()
    state.apply_action(0)
    start = time.process_time()
    bot.step(state)
    return (time.process_time() - start) / FEW


def _copy(case: str, match: Match) -> Row:
    states = np.zeros(STATES, match.starts[0][1].dtype)
    jit.compiled(_copies)(states, 1)
    start = time.process_time()
    jit.compiled(_copies)(states, COPIES)
    each = (time.process_time() - start) / COPIES
    return Row("copy of a state", case, each * 1e9, "ns", most=MOST_COPY_NS)


def _copies(states: Any, count: int) -> None:
    for at in range(count):
        states[(at + 1) % STATES] = states[at % STATES]


def _title(name: str) -> str:
    return f"{rulesets.load(name).labels.title}, {_read(name)['board']}"


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((SETUPS / f"{name}.toml").read_text(encoding="utf-8"))


def _armored(player: str, times: int = 1, rounds: int = 8) -> Match:
    lists = _read("armored_advance")["setup"]["lists"]
    longer = {side: cards * times for side, cards in lists.items()}
    return _match("armored_advance", player, lists=longer, mission={"mode": "timed", "rounds": rounds})


def _match(name: str, player: str, *, short: bool = False, **given: Any) -> Match:
    game, said = Game(name), _read(name)
    rules, variant = game.ruleset.match(), game.ruleset.Variant()
    table = {"board": game.boards[said["board"]].table} | (said["short"] if short else {}) | given
    setups = [said[key] | table for key in ("setup", "other") if key in said]
    starts = tuple(rules.start(setup, dict(game.cards.items()), variant)[:2] for setup in setups)
    return Match(rules, starts, (player, player), 1)
