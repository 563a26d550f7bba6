"""The arena: many matches of two players, compiled, in threads; or a single one, step by step, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit, sampling
from aabalance.engine.arrays import Ints
from aabalance.engine.match import players
from aabalance.rulesets.base.match import DECISIONS, DICE, FACTS, RESULT, WON_BY_A, MatchRules, Record, new

NO_TRACE = np.empty(0, np.int64)
BLOCK = 4
"""Matches that are played in one go: the longest take a quarter of a second, so that interrupts are heard soon."""
FIRST_LOOK = 200
"""Matches after which a half-width is looked at for the first time."""
CALLED = "to_move", "legal", "candidates", "units", "actor", "apply", "view", "result", "value", "facts"
"""The functions of a game that the players, and the loop of matches, call."""


class Match(NamedTuple):
    """A match that can be played any number of times.

    Attributes
    ----------
    rules : MatchRules
        The rules of the game.
    starts : tuple of (record, record)
        Tables and first state, as `MatchRules.start` returns them. Where the rules don't decide who has the first turn,
        there is one for each side: matches begin from them in turn, so that a roll-off adds no noise of its own.
    players : pair of str
        Names of the players of both sides, from `aabalance.engine.match.players.PLAYERS`.
    key : int
        Key of the random numbers, from `aabalance.engine.rng.stream_key`.
    """

    rules: MatchRules
    starts: tuple[tuple[Record, Record], ...]
    players: tuple[str, str]
    key: int

    def start(self, number: int) -> tuple[Record, Record]:
        """Return the tables and the first state of a match by its number."""
        return self.starts[number % len(self.starts)]

    def sides(self) -> tuple[int, int]:
        """Return the numbers of both players."""
        a, b = map(players.PLAYERS.index, self.players)
        return a, b

    def bound(self, function: Callable[..., Any], form: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of `players` with the rules of the game, as `jit.plain` or `jit.compiled` makes it."""
        bound: Callable[..., Any] = form(function, **{name: getattr(self.rules, name) for name in CALLED})
        return bound


class Part(NamedTuple):
    """Some matches with numbers in a row."""

    match: Match
    first: int
    matches: int


class Step(NamedTuple):
    """A decision of a match, and what came of it.

    Attributes
    ----------
    before, after : record
        The states.
    side : int
        Who decided.
    action : int
        What he decided, for `MatchRules.text`.
    faces, sides : tuple of int
        What each die showed, and how many sides it has.
    """

    before: Record
    after: Record
    side: int
    action: int
    faces: tuple[int, ...]
    sides: tuple[int, ...]


def play(
    match: Match,
    first: int,
    matches: int,
    *,
    executor: Executor | None = None,
    advance: sampling.Advance = lambda trials: None,
) -> Ints:
    """Play the matches ``first .. first + matches - 1``.

    What happens in a match depends on its number alone, not on how matches are shared out.

    Parameters
    ----------
    match : Match
        What is played.
    first, matches : int
        Number of the first match, and number of matches.
    executor, advance
        As for `aabalance.engine.sampling.count`.

    Returns
    -------
    array of int64, shape (matches, facts)
        The `aabalance.rulesets.base.match.FACTS` of each match.
    """
    parts = [Part(match, at, min(BLOCK, first + matches - at)) for at in range(first, first + matches, BLOCK)]
    found = [np.empty((0, len(FACTS)), np.int64)]
    # The first part is played in this thread, where interrupts are heard: the rules may have to be compiled first.
    for part, facts in zip(parts, _parts(parts, executor), strict=True):
        found.append(facts)
        advance(part.matches)
    return np.concatenate(found)


def _parts(parts: list[Part], executor: Executor | None) -> Iterator[Ints]:
    yield from sampling.each(None, ((_play, part) for part in parts[:1]))
    yield from sampling.each(executor, ((_play, part) for part in parts[1:]))


def decisions(match: Match, number: int) -> Ints:
    """Return the actions of one match in their order, as compiled players decide."""
    made = np.empty(play(match, number, 1)[0, DECISIONS], np.int64)
    _play(Part(match, number, 1), made)
    return made


def _play(part: Part, trace: Ints = NO_TRACE) -> Ints:
    """Play some matches, in this thread; `trace` as in `players.play`."""
    match, starts = part.match, len(part.match.starts)
    loop = match.bound(players.play, jit.compiled)
    facts = np.zeros((part.matches, len(FACTS)), np.int64)
    _, state = match.starts[0]
    states = np.zeros(players.STATES, state.dtype)
    out, dice = np.empty((2, match.rules.most_actions), np.int64), new(DICE)
    for number in range(part.first, part.first + min(starts, part.matches)):
        tables, state = match.start(number)
        rows = np.zeros((len(facts[number - part.first :: starts]), len(FACTS)), np.int64)
        loop(tables, state, match.sides(), np.uint64(match.key), number, starts, states, out, dice, rows, trace)
        facts[number - part.first :: starts] = rows
    return facts


def estimate(
    match: Match, matches: int, half_width: float | None, advance: sampling.Advance = lambda trials: None
) -> Ints:
    """Play a number of matches, or until the interval of P(a wins) is narrow enough.

    Parameters
    ----------
    match : Match
        What is played.
    matches : int
        Number of matches if there is no half-width.
    half_width : float or None
        Half-width to reach for Wilson's interval of P(a wins). It is looked at after `FIRST_LOOK` matches, then after
        as many as are needed by the variance so far, so that a result depends on the seed only.
    advance : callable
        Called with the number of matches played since the last call; `most_matches` says how many there may be.

    Returns
    -------
    array of int64, shape (matches, facts)
        As `play` returns them.
    """
    with sampling.threads() as pool:
        facts = play(match, 0, matches if half_width is None else FIRST_LOOK, executor=pool, advance=advance)
        while half_width is not None:
            wins, played = int((facts[:, RESULT] == WON_BY_A).sum()), len(facts)
            low, high = sampling.wilson(wins, played)
            if (high - low) / 2 <= half_width:
                break
            goal = max(sampling.trials_for(half_width, wins, played), played + played // 8)
            more = play(match, played, goal - played, executor=pool, advance=advance)
            facts = np.concatenate([facts, more])
    return facts


def most_matches(half_width: float) -> int:
    """Return how many matches a half-width needs at most; the last step may play some more."""
    return sampling.most_trials(half_width, FIRST_LOOK)


def steps(match: Match, number: int, made: Ints | None = None) -> Iterator[Step]:
    """Yield the decisions of one match, the same as that with this number in `play`; nothing is compiled.

    Parameters
    ----------
    match : Match
        What is played.
    number : int
        Number of the match.
    made : array of int64, optional
        What `decisions` returns, if it is at hand; else the players decide again, which takes seconds.
    """
    rules, sides = match.rules, match.sides()
    decide, note = (match.bound(function, jit.plain) for function in (players.decide, players.note))
    tables, start = match.start(number)
    states = np.zeros(players.STATES, start.dtype)
    out, dice = np.empty((2, rules.most_actions), np.int64), new(DICE)
    hopes = players.no_hopes()
    states[0] = start
    at = 0
    while rules.result(states[0]) < 0:
        side, before = rules.to_move(states[0]), states[:1].copy()[0]
        if made is None:
            action = decide(sides[side], tables, states, out, dice, hopes, match.key, number, at)
        else:
            action = int(made[at])
        players.shake(dice, match.key, number, at)
        rules.apply(tables, states[0], action, dice)
        note(hopes, action, dice)
        faces, shown = dice.faces[: dice.rolled].tolist(), dice.sides[: dice.rolled].tolist()
        yield Step(before, states[:1].copy()[0], side, action, tuple(faces), tuple(shown))
        at += 1
