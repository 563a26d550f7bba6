"""The arena: many matches of two players, compiled, in threads; or a single one, step by step, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from aabalance.engine import jit, sampling
from aabalance.engine.arrays import Floats, Ints, Loop, Loops
from aabalance.engine.match import players
from aabalance.engine.match.players import hooks, search
from aabalance.engine.match.players.luck import replay_luck
from aabalance.engine.match.players.workspace import MATCH, SEEN, TRUE, workspaces
from aabalance.rulesets.base.match import FACTS, RESULT, WON_BY_A, Record
from aabalance.rulesets.base.match_rules import MatchRules

BLOCK = 2
"""Matches that are played in one go."""
IN_A_ROW, PLAYOUTS_IN_A_ROW = 1024, 256
"""Decisions, and playouts for them, that are made in one go: they take half a second at most, so that matches that
nobody waits for any more end soon. A decision is made whole, however many playouts it takes."""
SOME_DECISIONS = 512
"""Decisions for which a match has room at first."""
FIRST_LOOK = 200
"""Matches after which a half-width is looked at for the first time."""

Chooser: TypeAlias = Callable[[Record, Record, list[int]], int]
"""Decides in Python: takes the tables, what its side sees of the state, and its legal actions; returns one of these."""


class Match(NamedTuple):
    """A match that can be played any number of times.

    Attributes
    ----------
    rules : MatchRules
        The rules of the game.
    starts : tuple of (record, record)
        Tables and first state, as `MatchRules.start` returns them. Where the rules don't decide who has the first turn,
        there is one for each side: matches begin from them in turn, so that a roll-off adds no noise of its own.
    players : pair of str or Chooser
        The players of both sides: names from `aabalance.engine.match.players.PLAYERS`, or functions in Python.
    key : int
        Key of the random numbers, from `aabalance.engine.rng.stream_key`.
    barred : pair of int
        Of each side, the kinds of actions that its player may not choose, a bit for each: restricted play.
    """

    rules: MatchRules
    starts: tuple[tuple[Record, Record], ...]
    players: tuple[str | Chooser, str | Chooser]
    key: int
    barred: tuple[int, int] = (0, 0)

    def start(self, number: int) -> tuple[Record, Record]:
        """Return the tables and the first state of a match by its number."""
        return self.starts[number % len(self.starts)]

    def tables(self, number: int) -> Record:
        """Return the tables of a match for its players, who also read there what is barred to them."""
        tables = self.start(number)[0].copy()
        tables.barred[:] = self.barred
        return tables

    def player_numbers(self) -> tuple[int, int]:
        """Return the numbers of both players."""
        own = self.rules.tuned.playouts
        a, b = (own if (of := players.number(name)) == players.SEARCH else of for name in self.players)
        return a, b

    @property
    def searches(self) -> bool:
        """Whether a player searches, which takes minutes of a match in plain Python."""
        return max(self.player_numbers()) >= players.SEARCH

    def bound(self, function: Loop, form: Loops) -> Loop:
        """Return a function of `players` with the rules of the game, as `jit.plain` or `jit.compiled` makes it.

        Search is a part of it only where somebody searches, so that nobody else waits until it is compiled.
        """
        given = hooks.of(self.rules)
        if self.searches:
            given["race"] = search.race
        return form(function, **given)


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
    faces, sides, needs, pools : tuple of int
        Of each die what it showed, and what `DICE` has of it.
    """

    before: Record
    after: Record
    side: int
    action: int
    faces: tuple[int, ...]
    sides: tuple[int, ...]
    needs: tuple[int, ...]
    pools: tuple[int, ...]


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
    stop, block = [False], 1 if match.searches else BLOCK
    if any(map(callable, match.players)):  # asked in the order of the matches, in this thread
        executor = None
    numbers, found = range(first, first + matches), [np.empty((0, len(FACTS)), np.int64)]
    if numbers and executor is not None:
        Course(match, first, jit.compiled).play_until(0)  # in this thread, where interrupts are heard
    some = partial(_play, match, stop)
    try:
        for facts in sampling.each(executor, ((some, numbers[at : at + block]) for at in range(0, matches, block))):
            found.append(facts)
            advance(len(facts))
    finally:
        stop[0] = True
    return np.concatenate(found)


def decisions(match: Match, number: int) -> Ints:
    """Return the actions of one match in their order, as compiled players decide."""
    course = Course(match, number, jit.compiled)
    while not course.is_over:
        course.go()
    return course.made[: course.at].copy()


def luck(match: Match, number: int, made: Ints, form: Loops) -> Floats:
    """Return the luck of each decision of a match: the chance that side a wins after its dice, less the mean over them.

    Parameters
    ----------
    match : Match
        What was played.
    number : int
        Number of the match.
    made : array of int64
        Its decisions, as `decisions` returns them.
    form : callable
        `jit.compiled` or `jit.plain`.
    """
    course, found = Course(match, number, form, made), np.zeros(len(made))
    bound = form(replay_luck, **hooks.of(match.rules))
    for at in range(0, len(made), IN_A_ROW):
        until = min(at + IN_A_ROW, len(made))
        bound(
            course.tables,
            match.rules.tuned.curve,
            np.uint64(match.key),
            number,
            at,
            until,
            course.works[MATCH],
            made,
            found,
        )
    return found


def _play(match: Match, stop: list[bool], numbers: range) -> Ints:
    """Play some matches, in this thread; what is in `stop` says whether nobody waits for them any more."""
    facts = np.zeros((len(numbers), len(FACTS)), np.int64)
    for row, number in enumerate(numbers):
        course = Course(match, number, jit.compiled)
        while not course.is_over and not stop[0]:
            course.go()
        facts[row] = course.facts
    return facts


class Course:
    """A match in progress.

    Parameters
    ----------
    match : Match
        What is played.
    number : int
        Number of the match.
    form : callable
        `jit.compiled` or `jit.plain`.
    made : array of int64, optional
        The decisions, where they are at hand; else the players decide.

    Attributes
    ----------
    works : array of records
        From `aabalance.engine.match.players.workspace.workspaces`.
    states, actions, dice
        Those of the match in `works`.
    at : int
        Number of decisions that were made.
    made : array of int64
        The decisions, as far as they were made.
    facts : array of int64, shape (facts,)
        The `aabalance.rulesets.base.match.FACTS` of the match, once it is over.
    """

    def __init__(self, match: Match, number: int, form: Loops, made: Ints | None = None) -> None:
        assert made is not None or players.EXACT not in match.players, "a name that stands for a function"
        self.match, self.number = match, number
        self.tables, (_, start) = match.tables(number), match.start(number)
        self.player_numbers = (players.TOLD, players.TOLD) if made is not None else match.player_numbers()
        self.works, self.facts = workspaces(start, match.rules.most_actions), np.zeros(len(FACTS), np.int64)
        work = self.works[MATCH]
        self.states, self.actions, self.dice = work.states, work.actions[0], work.dice
        self.made = np.zeros(SOME_DECISIONS, np.int64) if made is None else made
        playouts = max(self.player_numbers)
        self.at, self.in_a_row = 0, IN_A_ROW if playouts < players.SEARCH else max(1, PLAYOUTS_IN_A_ROW // playouts)
        self._play = match.bound(players.play, form)
        self._choosers = tuple(of if callable(of) and made is None else None for of in match.players)
        self._options = match.bound(players.options, form) if any(self._choosers) else None

    @property
    def is_over(self) -> bool:
        """Whether there is a result."""
        over: bool = self.match.rules.result(self.states[TRUE]) >= 0
        return over

    def play_until(self, end: int) -> None:
        """Let players that aren't asked in Python decide until there are so many decisions; 0 compiles them alone."""
        given = self.tables, self.player_numbers, self.match.rules.tuned, np.uint64(self.match.key), self.number
        self.at = self._play(*given, self.at, end, self.works, self.made, self.facts)

    def go(self, decisions: int | None = None) -> None:
        """Play on for some decisions, by default as many as are made in half a second, or to the end of the match."""
        until = self.at + (decisions or self.in_a_row)
        if until > len(self.made):
            self.made = np.concatenate([self.made, np.zeros(until, np.int64)])
        while self.at < until and not self.is_over:
            end = until
            if self._options is not None:
                end = self.at + 1
                if chooser := self._choosers[self.match.rules.to_move(self.states[TRUE])]:
                    actions = self.actions[: self._options(self.tables, self.works[MATCH])].tolist()
                    self.made[self.at] = chooser(self.tables, self.states[SEEN], actions)
            self.play_until(end)


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


def trajectory(match: Match, number: int, made: Ints | None = None) -> Iterator[Step]:
    """Yield the decisions of one match, the same as that with this number in `play`.

    Parameters
    ----------
    match : Match
        What is played.
    number : int
        Number of the match.
    made : array of int64, optional
        What `decisions` returns, if it is at hand, and with it the compiled rules; else the players decide again, in
        plain Python, which takes seconds.
    """
    course, rules = Course(match, number, jit.plain if made is None else jit.compiled, made), match.rules
    while not course.is_over:
        before = course.states[TRUE].copy()
        course.go(1)
        dice = course.dice
        noted = (tuple(of[: dice.rolled].tolist()) for of in (dice.faces, dice.sides, dice.need, dice.pool))
        action, after = int(course.made[course.at - 1]), course.states[TRUE].copy()
        yield Step(before, after, rules.to_move(before), action, *noted)
