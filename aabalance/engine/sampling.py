"""Monte Carlo runs: seeds, parts, executors, stopping rule. The only caller of the kernels."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from statistics import NormalDist
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from aabalance.engine import rng
from aabalance.engine.arrays import Ints, Words
from aabalance.engine.fights import Rolls
from aabalance.engine.outcome import SQUARES, TURNS, AnyTally, Tally, total

LEVEL = 0.95
Interval = tuple[float, float]
MANY = 1_000
"""Trials from which on Student's quantile is as good as that of the normal distribution, which is there at once."""
FIRST_LOOK = 10_000
ROUNDS = 10_000
"""Rounds after which a fight without a turn limit is stopped and counted as undecided."""
FIRST_PART = 512
"""Trials of a fight that are rolled first, to see how many turns it has."""
PART_TURNS = 1 << 22
"""Player turns in a part of a fight's trials, about: they take some milliseconds, so that interrupts are heard soon."""
PART_TRIALS = 1 << 16
"""Number of trials in a part, where many fights are rolled."""
AHEAD = 64
"""Number of parts that are handed to an executor before the first of them is waited for."""

Part = TypeVar("Part")
Call = tuple[Callable[[Part], Ints], Part]
"""A function that rolls a part of some fights or matches, such as `Rolls.roll`, and what it takes."""

Advance = Callable[[int], None]
"""A function that is called with the number of steps done since the last call, for progress bars."""


def scaled(advance: Advance, steps: int, of: int) -> Advance:
    """Return a function that takes a part of `of`, and calls `advance` with the same share of `steps`."""
    done = 0

    def advance_part(part: int) -> None:
        nonlocal done
        before, done = done * steps // of, done + part
        advance(done * steps // of - before)

    return advance_part


class Run(NamedTuple, Generic[AnyTally]):
    """A fight to simulate.

    Attributes
    ----------
    rolls : Rolls
        One fight, ready to be rolled.
    key : int
        Key of its dice, from `aabalance.engine.rng.stream_key`.
    rounds : int
        Limit of rounds, each a turn of both sides.
    """

    rolls: Rolls[AnyTally]
    key: int
    rounds: int


def prepare(rolls: Rolls[AnyTally], seed: int, names: tuple[str, ...], rounds: int | None) -> Run[AnyTally]:
    """Return one fight to simulate. Its dice depend only on the seed and the names, not on rules or cards.

    Parameters
    ----------
    rolls : Rolls
        The fight, ready to be rolled.
    seed : int
        Seed of the dice.
    names : tuple of str
        Names of both sides or of their units, and who moves first.
    rounds : int or None
        Limit of rounds; `ROUNDS` if None.
    """
    return Run(rolls, rng.stream_key(seed, *names), ROUNDS if rounds is None else rounds)


def estimate(
    runs: Mapping[str, Run[AnyTally]], trials: int, half_width: float | None, advance: Advance = lambda trials: None
) -> dict[str, AnyTally]:
    """Simulate a fight with either side moving first, for a number of trials or until the interval is narrow enough.

    Parameters
    ----------
    runs : mapping of {"a", "b"} to Run
        The fight, by who moves first; trials are shared out evenly, so that a roll-off adds no noise of its own.
    trials : int
        Number of all trials if there is no half-width.
    half_width : float or None
        Half-width to reach for Wilson's interval of P(a wins). It is checked after `FIRST_LOOK` trials, then after as
        many as are needed by the variance so far, so that a result depends on the seed only.
    advance : callable
        Called with the number of trials done since the last call; `most_trials` says how many there may be.
    """
    with threads() as pool:
        goal = trials if half_width is None else FIRST_LOOK
        done = dict.fromkeys(runs, 0)
        tallies: dict[str, AnyTally] = {}
        while True:
            for n, (who, run) in enumerate(runs.items()):
                share = goal // len(runs) + (n < goal % len(runs))
                more = simulate(run, done[who], share - done[who], executor=pool, advance=advance)
                tallies[who] = total((tallies[who], more)) if who in tallies else more
                done[who] = share
            if half_width is None:
                return tallies
            wins = sum(seen.wins_a if who == "a" else seen.wins_b for who, seen in tallies.items())
            low, high = wilson(wins, goal)
            if (high - low) / 2 <= half_width:
                return tallies
            goal = max(trials_for(half_width, wins, goal), goal + goal // 8)


def simulate(
    run: Run[AnyTally],
    first: int,
    trials: int,
    *,
    executor: Executor | None = None,
    advance: Advance = lambda trials: None,
) -> AnyTally:
    """Roll the trials ``first .. first + trials - 1`` of one fight; see `count`."""
    return run.rolls.tally(count(run, first, trials, executor=executor, advance=advance))


def count(
    run: Run[AnyTally],
    first: int,
    trials: int,
    *,
    executor: Executor | None = None,
    advance: Advance = lambda trials: None,
) -> Ints:
    """Return the counts of the trials ``first .. first + trials - 1`` of one fight, a row of integers.

    A trial's dice depend only on its number, so that counts don't depend on how trials are shared out.

    Parameters
    ----------
    run : Run
        The fight.
    first, trials : int
        Number of the first trial, and number of trials.
    executor : Executor, optional
        Where parts are rolled: threads (the kernels hold no lock), processes, or other machines; by default this
        thread.
    advance : callable
        Called with the number of trials done since the last call.
    """
    limit = 0 if run.rolls.harmless[0] else run.rounds

    def runs(at: int, number: int) -> Words:
        return np.array([[0, run.key, at, number, limit]], dtype=np.uint64)

    # The first part is rolled in this thread, where interrupts are heard: the kernel may have to be compiled first.
    look = min(trials, FIRST_PART)
    counts: Ints = run.rolls.roll(runs(first, look))[0]
    advance(look)
    size = PART_TURNS * max(look, 1) // (int(counts[TURNS]) + max(look, 1))
    parts = [(at, min(size, first + trials - at)) for at in range(first + look, first + trials, size)]
    calls = ((run.rolls.roll, runs(*part)) for part in parts)
    for (_, number), rolled in zip(parts, each(executor, calls), strict=True):
        counts += rolled[0]
        advance(number)
    if run.rolls.harmless[0]:
        # Nothing is rolled in a harmless fight, which lasts to the end.
        counts[[TURNS, SQUARES]] += 2 * run.rounds * trials, (2 * run.rounds) ** 2 * trials
    return counts


def roll(
    rolls: Rolls[Tally[int]],
    keys: Words,
    trials: int,
    rounds: int | None = None,
    *,
    executor: Executor | None = None,
) -> Tally[Ints]:
    """Roll `trials` trials of each of many fights.

    Parameters
    ----------
    rolls : Rolls
        The n fights, ready to be rolled.
    keys : array of uint64, shape (n,)
        Keys of the fights' dice, from `aabalance.engine.rng.stream_keys`; a fight's counts don't depend on the others.
    trials : int
        Number of trials of each fight.
    rounds : int, optional
        Limit of rounds; `ROUNDS` by default.
    executor : Executor, optional
        As for `count`.

    Returns
    -------
    Tally
        Arrays of shape (n,).
    """
    counts = np.zeros((len(keys), len(Tally._fields)), dtype=np.int64)
    limit = ROUNDS if rounds is None else rounds
    limits = np.where(rolls.harmless, 0, limit)
    all_trials = len(keys) * trials
    parts = range(0, all_trials, PART_TRIALS)

    def call(first: int) -> Call[Words]:
        """Return the call that rolls a part of the trials, which are numbered through all fights."""
        end = min(first + PART_TRIALS, all_trials)
        fights = np.arange(first // trials, -(-end // trials))
        begin = np.maximum(first - fights * trials, 0)
        count = np.minimum(end - fights * trials, trials) - begin
        columns = fights - fights[0], keys[fights], begin, count, limits[fights]
        runs = np.stack([np.asarray(column, dtype=np.uint64) for column in columns], axis=1)
        return rolls.part(int(fights[0]), int(fights[-1]) + 1).roll, runs

    if all_trials:
        # Compiles the kernel, if needed, in this thread, since only here an interrupt is heard.
        rolls.part(0, 1).roll(np.zeros((0, 5), dtype=np.uint64))
    for first, rolled in zip(parts, each(executor, map(call, parts)), strict=True):
        at = first // trials
        counts[at : at + len(rolled)] += rolled
    # Nothing is rolled in harmless fights, which last to the end.
    counts[:, TURNS] += 2 * (limit - limits) * trials
    counts[:, SQUARES] += (2 * (limit - limits)) ** 2 * trials
    return Tally(*counts.T)


def each(executor: Executor | None, calls: Iterable[Call[Part]]) -> Iterator[Ints]:
    """Yield the results of calls in their order; without an executor they are made in this thread.

    When nobody takes further results, the remaining calls are cancelled.
    """
    if executor is None:
        for function, part in calls:
            yield function(part)
        return
    pending: deque[Future[Ints]] = deque()
    try:
        for function, part in calls:
            pending.append(executor.submit(function, part))
            if len(pending) == AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


class Threads(ThreadPoolExecutor):
    """Waits for its threads, as other pools do, unless an error or an interrupt ends the block."""

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)


def threads() -> ThreadPoolExecutor:
    """Return a pool of one thread for each processor."""
    return Threads(max_workers=os.cpu_count() or 1)


def tail(claims: int) -> float:
    """Return the share of a distribution below the upper end of an interval that holds at `LEVEL`.

    Of several claims each has an interval so wide that all hold together (Bonferroni).
    """
    return 1 - (1 - LEVEL) / (2 * claims)


def wilson(successes: float, trials: int, claims: int = 1) -> Interval:
    """Return Wilson's interval for a proportion, at `LEVEL` (Wilson 1927; Brown, Cai and DasGupta 2001).

    If draws count as half a success, it is wider than necessary: no mean of numbers from 0 to 1 varies more than a
    proportion does.

    Parameters
    ----------
    successes : float
        Number of successes.
    trials : int
        Number of trials.
    claims : int
        How many intervals hold together.

    Returns
    -------
    (float, float)
        Both ends of the interval, from 0 to 1.
    """
    z = NormalDist().inv_cdf(tail(claims))
    p = successes / trials
    middle = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(p * (1 - p) / trials + (z / (2 * trials)) ** 2) / (1 + z * z / trials)
    return middle - half if successes else 0.0, middle + half if successes < trials else 1.0


def share(successes: float, trials: int) -> tuple[float, Interval]:
    """Return a proportion with its interval; parameters as for `wilson`."""
    return successes / trials, wilson(successes, trials)


def student(total: int, squares: int, trials: int) -> Interval | None:
    """Return Student's interval for the mean of numbers that are at least 0; None if all are alike, as is one alone.

    Parameters
    ----------
    total, squares : int
        Sum of the numbers, and of their squares.
    trials : int
        How many there are.
    """
    spread = squares * trials - total * total
    if not spread:
        return None
    half = student_quantile(trials) * math.sqrt(spread / (trials - 1)) / trials
    return max(total / trials - half, 0.0), total / trials + half


def student_quantile(trials: int, claims: int = 1) -> float:
    """Return how many standard errors Student's interval has to each side of the mean of so many numbers.

    `claims` are the intervals that hold together.
    """
    if trials >= MANY:
        return NormalDist().inv_cdf(tail(claims))
    from scipy.special import stdtrit

    return float(stdtrit(trials - 1, tail(claims)))


def newcombe(one: tuple[float, Interval], other: tuple[float, Interval]) -> tuple[float, Interval]:
    """Return the difference of two proportions with its interval, from Wilson's of both.

    It is Newcombe's (Statistics in Medicine 17, 1998, method 10).
    """
    (p, (p_low, p_high)), (q, (q_low, q_high)) = one, other
    low, high = math.hypot(p - p_low, q_high - q), math.hypot(p_high - p, q - q_low)
    return p - q, (p - q - low, p - q + high)


def trials_for(half_width: float, successes: int, trials: int) -> int:
    """Return how many trials Wilson's interval needs for a half-width, as far as the trials so far can say.

    Parameters
    ----------
    half_width : float
        Half-width to reach.
    successes, trials : int
        Number of successes and of trials so far.
    """
    low, high = wilson(successes, trials)
    p = min(max(0.5, low), high)
    return _trials(half_width, p)


def most_trials(half_width: float, first_look: int = FIRST_LOOK) -> int:
    """Return how many trials a half-width needs at most; the last step may roll some more."""
    return max(first_look, _trials(half_width, 0.5))


def _trials(half_width: float, p: float) -> int:
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    return math.ceil(z * z * p * (1 - p) / half_width**2)
