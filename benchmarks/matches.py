"""Matches: both players compiled and in plain Python, a copy of a state, and how time grows with units and rounds."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from aabalance import Game, rulesets
from aabalance.engine import jit
from aabalance.engine.match import arena
from aabalance.engine.match.arena import Match
from aabalance.rulesets.base.match import DECISIONS
from benchmarks.measure import QUICK, Effort, Row

SETUPS = Path(__file__).parent / "match_setups"
"""A file for each game: its board, what both sides agree on, and what a short match has in place of that."""
COPIES, STATES = 100_000, 64
MOST_COPY_NS, LEAST_RATIO = 50, 100
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
