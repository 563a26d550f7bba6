"""The arena: a toy game against its exact value, and what holds for the matches of every game.

`MATCHES` in the environment multiplies how many are played: `.ci/weekly` sets it.
"""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Timer, main_thread
from typing import Any

import meetings
import numpy as np
import pytest
from meetings import GREEDY, PLAYED, RANDOM
from pydantic import BaseModel

import aabalance as aab
from aabalance.engine import jit, sampling
from aabalance.engine.match import arena, exact
from aabalance.engine.match.arena import Match
from aabalance.engine.match.exact import Exact
from aabalance.errors import UsageError
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import ALL, DRAWN, Record, roll_for
from aabalance.rulesets.base.match_rules import MatchRules, Tuned

TIMES = int(os.environ.get("MATCHES", "1"))

# --- a toy game: two units in a corridor; each turn, one of them steps towards the other or fires; two hits kill ------

SQUARES, TURNS = 6, 9
STEP, FIRE = range(2)
STATE = base.record(base.fields(np.int64, "at hp", 2), base.fields(np.int64, "turn to_move over"))
TABLES = base.record(base.fields(np.float64, "win", SQUARES, 3, 3, TURNS + 1, 2), base.BARRED)


def begin(setup: Any, cards: Any, variant: Any) -> tuple[Record, Record, None]:
    state = base.new(STATE)
    state.at[:], state.hp[:], state.over = (0, SQUARES - 1), 2, -1
    return base.new(TABLES), state, None


def to_move(state: Record) -> int:
    return int(state.to_move)


def result(state: Record) -> int:
    return int(state.over)


def units(tables: Record, state: Record) -> int:
    return base.MOST_UNITS


def legal(tables: Record, state: Record, of: int, out: Any) -> int:
    out[0], out[1] = FIRE, STEP
    return 2 if state.at[1] - state.at[0] > 1 else 1


def only_fire(tables: Record, state: Record, of: int, out: Any) -> int:
    out[0] = FIRE
    return 1


def candidates(tables: Record, state: Record, of: int, follows: bool, out: Any) -> int:
    return legal(tables, state, of, out) if of == 0 and not follows else 0


def actor(action: int) -> int:
    return 0


def apply(tables: Record, state: Record, action: int, dice: Record) -> None:
    side, gap = state.to_move, state.at[1] - state.at[0]
    if action == STEP:
        state.at[side] += 1 - 2 * side
    elif roll_for(dice, 6, gap + 1, gap + 1) > gap:
        state.hp[1 - side] -= 1
    state.turn += 1
    state.to_move = 1 - side
    if state.hp[1 - side] == 0:
        state.over = side
    elif state.turn == TURNS:
        state.over = 2
    if state.over >= 0:
        state.to_move = 2


def value(tables: Record, state: Record, side: int, of: int) -> float:
    if state.over >= 0:
        won = 0.5 if state.over == 2 else 1.0 - state.over
    else:
        won = tables.win[state.at[1] - state.at[0], state.hp[0], state.hp[1], state.turn, state.to_move]
    # The best action changes no exact value, and a plan that adds nothing is none: so values are less before it.
    return float(won if side == 0 else 1.0 - won) - (state.over < 0 and state.to_move == side)


def facts(tables: Record, state: Record, out: Any) -> None:
    out[base.RESULT], out[base.PLAYER_TURNS] = state.over, state.turn


def unasked(*args: Any) -> Any:
    raise AssertionError


TOY = MatchRules(
    Options=BaseModel,
    Place=BaseModel,
    start=begin,
    to_move=to_move,
    legal=legal,
    candidates=candidates,
    actor=actor,
    apply=apply,
    result=result,
    units=units,
    value=value,
    facts=facts,
    most_actions=2,
    reasons=("not over",),
    sections={},
    patterns={},
    **dict.fromkeys(("agree", "slots", "words", "ended", "board", "scene"), unasked),
)


def chances(tables: Record, state: Record, choose: Callable[[int, list[float]], float]) -> float:
    """Return P(a wins) + P(draw) / 2 of the toy game, and write it into its tables: expectimax."""
    if state.over >= 0:
        return value(tables, state, 0, ALL)
    cell = state.at[1] - state.at[0], state.hp[0], state.hp[1], state.turn, state.to_move
    out, found = np.empty(2, np.int64), []
    for action in out[: legal(tables, state, ALL, out)]:
        dice, mean, more = base.new(base.DICE), 0.0, True
        dice.source = base.ODOMETER
        while more:
            after = base.new(STATE)
            for name in STATE.names:
                after[name] = state[name]
            apply(tables, after, action, dice)
            mean += base.chance(dice) * chances(tables, after, choose)
            more = base.next_way(dice)
        found.append(mean)
    tables.win[cell] = choose(int(state.to_move), found)
    return float(tables.win[cell])


@pytest.mark.slow
@pytest.mark.parametrize("who", [RANDOM, GREEDY])
def test_play__a_toy_game_ends_as_expectimax_says(who: tuple[str, str]) -> None:
    tables, state, _ = begin(None, None, None)

    def choose(side: int, values: list[float]) -> float:
        if who == RANDOM:
            return sum(values) / len(values)
        return min(values) if side else max(values)

    # Whoever looks at the exact values plays as well as can be.
    mean = chances(tables, state, choose)
    won = arena.play(Match(TOY, ((tables, state),), who, 3), 0, 8_000 * TIMES)[:, base.RESULT]
    points = np.where(won == DRAWN, 0.5, 1.0 - won)
    assert 0.2 < mean < 0.8
    assert abs(points.mean() - mean) < 5 * points.std() / len(points) ** 0.5


@pytest.mark.slow
def test_exact__scores_are_those_of_expectimax(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, state, _ = begin(None, None, None)
    best = chances(tables, state, lambda side, values: min(values) if side else max(values))
    states = np.array([state])
    scores = Exact(TOY, jit.plain).scores(base.new(TABLES), states)
    assert scores.max() == pytest.approx(best, abs=1e-12)
    assert Exact(TOY, jit.plain)(base.new(TABLES), state, [FIRE, STEP]) == (FIRE, STEP)[int(scores.argmax())]
    monkeypatch.setattr(exact, "ROOMS", (1, 2, 4096))
    exact._known.cache_clear()
    assert Exact(TOY, jit.plain).scores(base.new(TABLES), states).tolist() == scores.tolist()
    monkeypatch.setattr(exact, "ROOMS", (1, 2))
    exact._known.cache_clear()
    with pytest.raises(UsageError, match=r"^player exact: found more than 500,000 states"):
        Exact(TOY, jit.plain).scores(base.new(TABLES), states)
    monkeypatch.setattr(exact, "ROOMS", (4096,))
    monkeypatch.setattr(exact, "MOST_STATES", 9)
    with pytest.raises(UsageError, match=r"^player exact: found more than 9 states"):
        Exact(TOY, jit.plain).scores(tables, states)  # other tables: of these nothing is known
    monkeypatch.setattr(Exact, "_score", lambda self, tables, state, known: self._score(tables, state, known))
    with pytest.raises(UsageError, match=r"some hundred decisions in a row"):
        Exact(TOY, jit.plain).scores(base.new(TABLES), states)


@pytest.mark.slow
def test_exact__knows_nothing_of_other_rules_with_the_same_tables() -> None:
    def scores(rules: MatchRules) -> list[float]:
        tables, state, _ = begin(None, None, None)
        found: list[float] = Exact(rules, jit.plain).scores(tables, np.array([state])).tolist()
        return found

    fires = TOY._replace(legal=only_fire)
    exact._known.cache_clear()
    alone = scores(fires)
    exact._known.cache_clear()
    scores(TOY)
    assert scores(fires) == alone


def test_lucks__are_what_a_shot_did_to_the_chance_less_half_of_what_a_hit_and_a_miss_would_do() -> None:
    def lead(tables: Record, state: Record, side: int, of: int) -> float:
        return 3.0 * state.hp[side]

    # Half of the difference of values is 1.5 for a hit point, so that a lead of one is a logit of 0.75.
    rules = TOY._replace(value=lead, tuned=Tuned(curve=2.0))
    match, made = Match(rules, (begin(None, None, None)[:2],), RANDOM, 3), np.array([STEP] * 2 + [FIRE] * (TURNS - 2))
    ends = set()
    for number in range(50):
        course, hp, expected = arena.Course(match, number, jit.plain, made), [2, 2], np.zeros(TURNS)
        while not course.is_over:
            at, by = course.at, course.at % 2
            course.go(1)
            by_hit = []
            for hit in (0, 1):  # three squares apart, half of the shots hit
                left = [hp[side] - hit * (side != by) for side in (0, 1)]
                over = 1.0 - by if left[1 - by] == 0 else 0.5 if at == TURNS - 1 else None
                by_hit.append(1 / (1 + math.exp(-0.75 * (left[0] - left[1]))) if over is None else over)
            hit = hp[1 - by] - int(course.states[0].hp[1 - by])
            expected[at] = by_hit[hit] - sum(by_hit) / 2 if made[at] == FIRE else 0
            hp[1 - by] -= hit
        assert arena.luck(match, number, made, jit.plain) == pytest.approx(expected, abs=1e-12)
        ends.add(result(course.states[0]))
    assert ends == {0, 1, DRAWN}


def test_match__a_name_that_the_arena_does_not_know_is_no_player() -> None:
    tables, state, _ = begin(None, None, None)
    with pytest.raises(AssertionError, match="a name that stands for a function"):
        arena.Course(Match(TOY, ((tables, state),), ("exact", "greedy"), 3), 0, jit.plain)


def test_exact__a_game_of_hidden_hands_is_refused() -> None:
    question = aab.Game("modern_land_battles").match_question(board="standard", player_a="exact")
    with pytest.raises(UsageError, match=r"^player: found exact in a game of hidden hands"):
        Exact(question.rules())


# --- every game -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_play__facts_depend_on_the_number_of_a_match_alone() -> None:
    for played in (
        meetings.skirmish(RANDOM, turn_limit=4),
        meetings.armored(RANDOM, rounds=1),
        meetings.modern(RANDOM),
    ):
        whole = arena.play(played, 0, 23)
        with ThreadPoolExecutor(3) as pool:
            shares = (0, 9), (9, 10), (10, 23)
            parts = [arena.play(played, first, end - first, executor=pool) for first, end in shares]
        assert np.concatenate(parts).tolist() == whole.tolist()
        assert len({tuple(facts) for facts in whole}) > 3
        firsts = whole[:, base.FIRST].tolist()
        assert firsts == [0, 1] * 11 + [0] if len(played.starts) == 2 else set(firsts) == {0, 1}


@pytest.mark.slow
def test_estimate__stops_when_the_interval_is_narrow_enough() -> None:
    played, seen = meetings.skirmish(("greedy", "random")), list[int]()
    assert len(arena.estimate(played, 30, None, seen.append)) == sum(seen) == 30
    played = meetings.skirmish(GREEDY)
    facts = arena.estimate(played, 0, 0.045)
    low, high = sampling.wilson(int((facts[:, base.RESULT] == base.WON_BY_A).sum()), len(facts))
    assert high - low <= 0.09
    assert arena.FIRST_LOOK < len(facts) <= arena.most_matches(0.045) * 9 // 8


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
def test_play__mirrored_sides_win_alike(game: str) -> None:
    # Random play is undecided more often than not on larger boards, or where one loss doesn't decide.
    mirrored = {
        "skirmish_wars": lambda: meetings.skirmish(RANDOM, medals=1),
        "armored_advance": lambda: meetings.armored(RANDOM, meetings.FIELD, mode="domination"),
        "modern_land_battles": lambda: meetings.modern(RANDOM, lists=(meetings.CHINA, meetings.CHINA)),
        "forumini": lambda: meetings.forumini(RANDOM),
        "armour_battles": lambda: meetings.armour(RANDOM, meetings.EVEN, (meetings.PLATOONS,) * 2),
    }
    played = mirrored[game]()
    with sampling.threads() as pool:
        won = arena.play(played, 0, 500 * TIMES, executor=pool)[:, base.RESULT]
    a, b = (won == base.WON_BY_A).sum(), (won == base.WON_BY_B).sum()
    assert a + b > len(won) / 4, f"found {a + b} of {len(won)} decided, expected a quarter: play longer"
    assert abs(int(a - b)) < 5 * (a + b) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
def test_play__compiled_and_plain_matches_are_the_same(game: str) -> None:
    for number in range(max(100, 40 * TIMES)):
        match = meetings.drawn(game, number, RANDOM)
        check(match, number)
    match = meetings.drawn(game, 0, GREEDY)
    check(match, 0)


def check(match: Match, number: int) -> None:
    """Compare a plain match with a compiled one, and look at each of its states and actions."""
    rules, (tables, start) = match.rules, match.start(number)
    unchanged = bytes(tables.tobytes()), bytes(start.tobytes())
    out, few = np.empty((2, rules.most_actions), np.int64)
    facts, steps, after = np.zeros(len(base.FACTS), np.int64), 0, start.tobytes()
    for step in arena.trajectory(match, number):
        assert step.before.tobytes() == after
        if number % 10 == 0:
            actions = set(out[: rules.legal(tables, step.before, ALL, out)].tolist())
            sensible = few[: rules.candidates(tables, step.before, ALL, False, few)].tolist()
            assert step.action in actions
            assert sensible
            assert actions.issuperset(sensible)
        after, last, steps = step.after.tobytes(), step.after, steps + 1
    rules.facts(tables, last, facts)
    facts[base.DECISIONS] = steps
    assert (tables.tobytes(), start.tobytes()) == unchanged
    assert (facts.tolist(), after) == meetings.ended(match, number)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signal reaches a thread that waits there")
def test_play__an_interrupt_waits_for_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    blocked, begun, ended = Event(), list[list[bool]](), list[range]()

    def stuck(match: Match, stop: list[bool], numbers: range) -> np.ndarray:
        """Play some matches that never end; who waits for them is interrupted."""
        begun.append(stop)
        if len(begun) == 1:
            Timer(0.2, signal.pthread_kill, (main_thread().ident, signal.SIGINT)).start()
        blocked.wait(60)
        ended.append(numbers)
        return np.zeros((len(numbers), len(base.FACTS)), np.int64)

    monkeypatch.setattr(arena, "_play", stuck)
    tables, state, _ = begin(None, None, None)
    with pytest.raises(KeyboardInterrupt):
        arena.estimate(Match(TOY, ((tables, state),), RANDOM, 3), 20_000, None)
    assert begun
    assert not ended
    assert begun[0][0]
    blocked.set()
