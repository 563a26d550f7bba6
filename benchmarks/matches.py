"""Matches: players compiled, in plain Python and OpenSpiel's; a copy of a state; how time grows with units, rounds."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from aabalance import Game, rulesets
from aabalance.engine import jit
from aabalance.engine.arrays import Loops
from aabalance.engine.match import arena
from aabalance.engine.match.arena import Match
from aabalance.engine.match.players import hooks, search
from aabalance.engine.match.players.dice import own_word
from aabalance.engine.match.players.workspace import MATCH
from aabalance.rulesets.base.match import DECISIONS
from benchmarks.measure import Effort, Row, interleaved

SETUPS = Path(__file__).parent / "match_setups"
"""A file for each game: its board, what both sides agree on, and what a short match has in place of that."""
COPIES, STATES = 100_000, 64
MOST_COPY_NS, LEAST_RATIO = 50, 100
SHORT = 20
"""How often short matches are played: one alone takes a tenth of a millisecond."""
SEARCHED, PLAYOUTS, FEW, LEAST_PLAYOUTS, LEAST_OF_OTHERS = "crossing_armies", 1024, 16, 30_000, 30
"""Board on which search is measured; playouts for a decision, compiled and of the others; least playouts a second,
and least ratio to OpenSpiel's."""
SPREAD = 1.6
"""How much longer a decision may take in a match of four times as many rounds; and for each unit, of twice as many."""


def rows(effort: Effort) -> list[Row]:
    """Return the rows about matches."""
    found, games = [], sorted(path.stem for path in SETUPS.glob("*.toml"))
    for player in ("random", "greedy"):
        for game in games:
            found += _speeds(_title(game), _match(game, player), _match(game, player, short=True), effort)
    found += [*_grown(effort), *_searched(effort)]
    return [*found, *(_copy(_title(game), _match(game, "random")) for game in games)]


def _speeds(case: str, match: Match, short: Match, effort: Effort) -> list[Row]:
    """Return how many matches a second there are, and how much faster short ones are than in plain Python."""
    (player, _), few = match.players, effort.plain_matches
    times = interleaved(
        {
            "long": lambda: arena.play(match, 0, effort.matches),
            "compiled": lambda: [arena.play(short, 0, few) for _ in range(SHORT)],
            "plain": lambda: [list(arena.trajectory(short, number)) for number in range(few)],
        },
        effort.slow_rounds,
    )
    return [
        Row(f"matches, {player}, one thread", case, effort.matches / times["long"], "/s"),
        Row(
            f"matches, {player}, v plain Python",
            case,
            SHORT * times["plain"] / times["compiled"],
            "x",
            least=LEAST_RATIO,
        ),
    ]


def _grown(effort: Effort) -> list[Row]:
    """Return how time grows with units and with rounds."""
    sizes = {"5 v 5": _armored("greedy"), "10 v 10": _armored("greedy", 2)}
    lengths = {rounds: _armored("random", rounds=int(rounds)) for rounds in ("4", "16")}
    of_size, of_length = (_decisions(of, effort) for of in (sizes, lengths))
    return [
        *(Row("matches, greedy, one thread", f"village, {size}", 1 / of_size[size].match, "/s") for size in sizes),
        Row(
            "greedy decision, for each unit, 10 v 10 v 5 v 5",
            "Armored Advance, village",
            of_size["10 v 10"].decision / of_size["5 v 5"].decision / 2,
            "x",
            most=SPREAD,
        ),
        Row(
            "random decision, 16 rounds v 4",
            "Armored Advance, village",
            of_length["16"].decision / of_length["4"].decision,
            "x",
            most=SPREAD,
        ),
    ]


class _Seconds(NamedTuple):
    """Seconds of CPU of a match, and of a decision in it."""

    match: float
    decision: float


def _decisions(matches: Mapping[str, Match], effort: Effort) -> dict[str, _Seconds]:
    """Return how long some matches take, in the mean."""
    count = effort.matches
    times = interleaved({name: partial(arena.play, match, 0, count) for name, match in matches.items()}, effort.rounds)
    made = {name: int(arena.play(match, 0, count)[:, DECISIONS].sum()) for name, match in matches.items()}
    return {name: _Seconds(times[name] / count, times[name] / made[name]) for name in matches}


class Searching(NamedTuple):
    """Decisions by search: a function that makes them, and how many playouts it makes for them."""

    decide: Callable[[], Any]
    playouts: int


def _searched(effort: Effort) -> list[Row]:
    """Return how many playouts search makes a second, and how many times as many as others make."""
    kinds = {"compiled": searching(PLAYOUTS, jit.compiled, 4), "plain": searching(FEW, jit.plain, 1)}
    turns, theirs = _search_match(FEW).rules.tuned.horizon, find_spec("pyspiel") is not None
    if theirs:
        kinds |= {"theirs": open_spiel_searching(FEW), "theirs, cut": open_spiel_searching(FEW, turns)}
    times = interleaved({name: kind.decide for name, kind in kinds.items()}, effort.slow_rounds)
    each = {name: times[name] / kind.playouts for name, kind in kinds.items()}
    case, both = f"Skirmish Wars, {SEARCHED}", "playouts of search v OpenSpiel's tree search"
    whole, cut = f"{case}, {turns} turns v random matches", f"{case}, {turns} turns: greedy decisions v random ones"
    return [
        Row("playouts of search, one thread", case, 1 / each["compiled"], "/s", least=LEAST_PLAYOUTS),
        Row("playouts of search v plain Python", case, each["plain"] / each["compiled"], "x", least=LEAST_RATIO),
        *(
            [
                Row(both, whole, each["theirs"] / each["compiled"], "x", least=LEAST_OF_OTHERS),
                Row(both, cut, each["theirs, cut"] / each["compiled"], "x"),
            ]
            if theirs
            else [Row(both, whole, None, "left out: OpenSpiel isn't installed")]
        ),
    ]


def _search_match(playouts: int) -> Match:
    board = Game("skirmish_wars").boards[SEARCHED].table
    return _match("skirmish_wars", f"search:{playouts}", board=board)


def searching(playouts: int, form: Loops, decisions: int) -> Searching:
    """Return some decisions by search in a match of Skirmish Wars, which aren't its first.

    Parameters
    ----------
    playouts : int
        About so many for a decision.
    form : callable
        `jit.compiled` or `jit.plain`.
    decisions : int
        How many.
    """
    match = _search_match(playouts)
    # Plain Python, which would take seconds for each, need not decide what comes before, nor what is only counted.
    course, measured = (arena.Course(match, 0, of) for of in (jit.compiled, form))
    course.go(1)
    start = course.states[0].copy()

    def decide() -> None:
        measured.states[0], measured.at = start, 1
        measured.go(decisions)

    made = 0
    for _ in range(decisions):
        made += _raced(course)
        course.go(1)
    return Searching(decide, made)


def _raced(course: arena.Course) -> int:
    """Return how many playouts the race for the next decision makes: counted in plain Python, where they do nothing."""
    made = 0

    def counted(*given: Any) -> float:
        nonlocal made
        made += 1
        return 0.0

    match, works = course.match, course.works.copy()
    race = jit.plain(search.race, playout=counted, **hooks.of(match.rules))
    jit.plain(hooks.see, **hooks.of(match.rules))(course.tables, works[MATCH])
    word = own_word(match.key, course.number, course.at)
    race(course.tables, works, match.rules.tuned, max(match.player_numbers()), word)
    return made


def open_spiel_searching(simulations: int, turns: int | None = None) -> Searching:
    """Return the same decision by OpenSpiel's tree search in Python.

    Parameters
    ----------
    simulations : int
        How many.
    turns : int, optional
        After so many a simulation ends, as a playout of ours does; by default it is a whole match. Cut, it doesn't say
        what the state is worth then, which the first simulations don't ask: each tries an action of its own.
    """
    from open_spiel.python.algorithms import mcts

    from aabalance.adapters.open_spiel import MatchGame

    game, draw = MatchGame(Game("skirmish_wars").match_question(board=SEARCHED, first="a")), np.random.RandomState(1)
    begun = game.new_initial_state()
    begun.apply_action(0)

    class Cut(mcts.RandomRolloutEvaluator):  # type: ignore[misc]  # OpenSpiel has no types
        """OpenSpiel's own doesn't know turns: it plays to the end, or for a number of decisions and dice."""

        def evaluate(self, state: Any) -> Any:
            return played_on(state, begun.current_player(), turns, draw).returns()

    evaluator = mcts.RandomRolloutEvaluator(1, draw) if turns is None else Cut()
    bot = mcts.MCTSBot(game, 2, simulations, evaluator, random_state=draw)
    return Searching(lambda: bot.step(begun), simulations)


def played_on(state: Any, mover: int, turns: int, draw: np.random.RandomState) -> Any:
    """Return a state of OpenSpiel after random decisions and dice, once so many turns have ended.

    Parameters
    ----------
    state : MatchState
        Where it begins.
    mover : int
        Whose turn is the first.
    turns : int
        How many.
    draw : RandomState
        Where chance comes from.
    """
    state, ended = state.clone(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            faces, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(draw.choice(faces, p=odds))
            continue
        if state.current_player() != mover:
            mover, ended = state.current_player(), ended + 1
        if ended == turns:
            break
        state.apply_action(draw.choice(state.legal_actions()))
    return state


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
