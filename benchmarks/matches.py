"""Matches: both players compiled and in plain Python, a copy of a state, and how time grows with units and rounds."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from aabalance import Game
from aabalance.engine import jit
from aabalance.engine.match import arena
from aabalance.engine.match.arena import Match
from aabalance.rulesets.base.match import DECISIONS
from benchmarks.measure import QUICK, Effort, Row

LISTS = {
    "a": ("us_m4a1", "us_m10", "us_m8", "inf_rifle_mg", "inf_rifle"),
    "b": ("de_pz4h", "de_stug3g", "de_puma", "inf_rifle_mg", "inf_rifle"),
}
FORCES = {
    "a": {
        "rows": [["us_m1a1", "us_stryker", "us_m113"], ["us_bradley", "us_m901"], ["us_m109"]],
        "reserve": ["us_stryker", "us_hmmwv", "us_m113", "us_m60a3"],
    },
    "b": {
        "rows": [["cn_type98", "cn_type80", "cn_yw531"], ["cn_wz550_at", "cn_wz523"], ["cn_type83"]],
        "reserve": ["cn_wz523", "cn_yw531", "cn_type63", "cn_type80"],
    },
}
ARMIES = {
    "a": ("de_panzer_iv_ausf_g", "de_nashorn", "de_mg_42_team", "de_panzergrenadier", "de_wehrmacht_oberleutnant"),
    "b": ("su_t_34_76", "su_t_34_76", "su_commissar", "su_mosin_nagant_1891_30", "su_mosin_nagant_1891_30"),
}
COPIES, STATES = 100_000, 64
MOST_COPY_NS, LEAST_RATIO = 50, 100
SPREAD = 1.6
"""How much longer a decision may take in a match of four times as many rounds."""


def rows(effort: Effort) -> list[Row]:
    """Return the rows about matches."""
    found = []
    for player in ("random", "greedy"):
        found += _speeds("Skirmish Wars, crossing", _skirmish(player), _skirmish(player, turn_limit=4), effort)
        found += _speeds(
            "Armored Advance, village", _armored(player), _armored(player, rounds=1, board="small"), effort
        )
        found += _speeds("Modern Land Battles, standard", _modern(player), _modern(player, limit=6), effort)
        found += _speeds("Forumini Armies, crossroads", _forumini(player), _forumini(player, turns=[1, 2]), effort)
        found += _speeds("Armour Battles, crossroads", _armour(player), _armour(player, turn_limit=2), effort)
    for times in (1, 2):
        seconds, _ = _played(_armored("greedy", times), 8 if effort is QUICK else 40)
        found.append(Row("matches, greedy, one thread", f"village, {5 * times} v {5 * times}", 1 / seconds, "/s"))
    few, many = (_played(_armored("random", rounds=rounds), 100) for rounds in (4, 16))
    growth = many[0] / many[1] / (few[0] / few[1])
    found.append(Row("random decision, 16 rounds v 4", "Armored Advance, village", growth, "x", most=SPREAD))
    copied = {
        "Skirmish Wars": _skirmish,
        "Armored Advance": _armored,
        "Modern Land Battles": _modern,
        "Forumini Armies": _forumini,
        "Armour Battles": _armour,
    }
    return [*found, *(_copy(case, match("random")) for case, match in copied.items())]


def _speeds(case: str, match: Match, short: Match, effort: Effort) -> list[Row]:
    """Return how many matches a second there are, and how much faster a short one is than in plain Python."""
    (player, _), count = match.players, 1 if effort is QUICK else 3
    seconds, _ = _played(match, 20 if effort is QUICK else 200)
    compiled = min(_played(short, 1)[0] for _ in range(20))
    start = time.process_time()
    for _ in range(count):
        for _ in arena.steps(short, 0):
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


def _skirmish(player: str, **keys: Any) -> Match:
    return _match("skirmish_wars", "crossing", player, [{"first": side, **keys} for side in "ab"])


def _armored(player: str, times: int = 1, rounds: int = 8, board: str = "village") -> Match:
    lists = {side: [{"card": card} for card in cards * times] for side, cards in LISTS.items()}
    setup = {"lists": lists, "limit": 5, "mission": {"mode": "timed", "rounds": rounds}}
    return _match("armored_advance", board, player, [setup])


def _forumini(player: str, **keys: Any) -> Match:
    return _match("forumini", "crossroads", player, [{"lists": ARMIES, **keys}])


def _armour(player: str, **keys: Any) -> Match:
    return _match("armour_battles", "crossroads", player, [keys])


def _modern(player: str, **options: Any) -> Match:
    return _match("modern_land_battles", "standard", player, [{"lists": FORCES, "options": options}])


def _match(name: str, board: str, player: str, setups: list[dict[str, Any]]) -> Match:
    game = Game(name)
    rules, variant = game.ruleset.match(), game.ruleset.Variant()
    table = {"board": game.boards[board].table}
    starts = tuple(rules.start(setup | table, dict(game.cards.items()), variant)[:2] for setup in setups)
    return Match(rules, starts, (player, player), 1)
