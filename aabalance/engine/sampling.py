"""Monte Carlo runs: seeds, blocks, threads, stopping rule. The only caller of the kernel."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import condition_kernel, jit, kernel, rng, shot_kernel
from aabalance.engine.conditions import Clash, ClashTables
from aabalance.engine.tables import DIE_AND_REROLL, Duel, KernelTables, threshold
from aabalance.rulesets.base import Dice

LEVEL = 0.95
SERIAL_BELOW = 100_000
"""Trials under which starting threads costs more than they save."""
PARTS_PER_WORKER = 4
"""So that a processor which is slower, or busy with something else, holds the others up less."""
FIRST_LOOK = 10_000
ROUNDS = 10_000
"""Rounds after which a duel without a turn limit is given up and counted as undecided."""


class Tally(NamedTuple):
    """Counts of simulated duels.

    Attributes
    ----------
    trials, wins_0, wins_1, undecided, player_turns : int
    turns : array of int64, shape (n,)
        Duels that ended in each player turn; the last bin holds the rest. Empty unless asked for.
    left : array of int64, shape (2, n)
        Duels by what the winner, of either side, had left. Empty unless asked for.
    both : int
        Duels that left neither.
    """

    trials: int
    wins_0: int
    wins_1: int
    undecided: int
    player_turns: int
    turns: Any
    left: Any
    both: int = 0

    def plus(self, other: Tally) -> Tally:
        """Return both counts together."""
        return Tally(*(mine + yours for mine, yours in zip(self, other, strict=True)))


class Run(NamedTuple):
    """A duel to simulate.

    Attributes
    ----------
    tables : KernelTables or ClashTables
    key : int
        From `aabalance.engine.rng.stream_key`.
    rounds : int
    """

    tables: KernelTables | ClashTables
    key: int
    rounds: int


def prepare(duel: Duel | Clash, seed: int, names: tuple[str, ...], rounds: int | None) -> Run:
    """Return a duel made ready for the kernel; the stream depends on seed and names alone, not on rules or cards."""
    return Run(duel.kernel_tables(), rng.stream_key(seed, *names), ROUNDS if rounds is None else rounds)


def estimate(runs: Mapping[str, Run], trials: int | None, half_width: float | None) -> dict[str, Tally]:
    """Simulate a duel in its orders of first turn, so many trials in all or until the interval is narrow enough.

    Parameters
    ----------
    runs : mapping of {"a", "b"} to Run
        By who moves first; trials are shared out evenly, so that a roll-off adds no noise of its own.
    trials : int or None
        In all.
    half_width : float or None
        Wanted of Wilson's interval for P(a wins). Looked at after `FIRST_LOOK` trials, then where the variance seen so
        far says it will be reached, so that a result depends on the seed only.
    """
    with threads() as pool:
        goal = trials or FIRST_LOOK
        done = dict.fromkeys(runs, 0)
        tallies: dict[str, Tally] = {}
        while True:
            for n, (who, run) in enumerate(runs.items()):
                share = goal // len(runs) + (n < goal % len(runs))
                more = simulate(run, done[who], share - done[who], executor=pool)
                tallies[who] = tallies[who].plus(more) if who in tallies else more
                done[who] = share
            if half_width is None:
                return tallies
            wins = sum(tally.wins_0 if who == "a" else tally.wins_1 for who, tally in tallies.items())
            low, high = wilson(wins, goal)
            if (high - low) / 2 <= half_width:
                return tallies
            goal = max(trials_for(half_width, wins, goal), goal + goal // 8)


def simulate(run: Run, first: int, trials: int, *, executor: Executor | None = None, bins: int = 0) -> Tally:
    """Roll the trials ``first .. first + trials - 1`` of a duel.

    A trial's dice depend on its number alone, so counts don't depend on how trials are shared out.

    Parameters
    ----------
    executor : Executor, optional
        Where blocks run, for example a thread pool: the kernel holds no lock. In this thread by default.
    bins : int
        Player turns to count one by one in `Tally.turns`, and whether to fill `Tally.left`; 0 for neither.
    """
    if executor is None or trials < SERIAL_BELOW:
        return _roll(run, first, trials, bins)
    workers = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
    size = -(-trials // (PARTS_PER_WORKER * workers))
    parts = [(first + at, min(size, trials - at)) for at in range(0, trials, size)]
    futures = [executor.submit(_roll, run, at, count, bins) for at, count in parts]
    total = futures[0].result()
    for future in futures[1:]:
        total = total.plus(future.result())
    return total


def _roll(run: Run, first: int, trials: int, bins: int) -> Tally:
    tables = run.tables
    rounds = 0 if tables.harmless[0] else run.rounds
    idle = 2 * (run.rounds - rounds) * trials  # player turns that are fought, though nobody rolls in them
    runs = np.array([[0, run.key, first, trials, rounds]], dtype=np.uint64)
    if isinstance(tables, ClashTables):
        counts = np.zeros((1, 5), dtype=np.int64)
        jit.compiled(condition_kernel.clashes)(*tables[:4], runs, counts)
        wins_0, wins_1, undecided, player_turns, both = counts[0].tolist()
        nothing = np.zeros(0, dtype=np.int64)
        return Tally(trials, wins_0, wins_1, undecided, player_turns + idle, nothing, nothing, both)
    counts = np.zeros((1, 4), dtype=np.int64)
    most = int(tables.sides[0, :, 0].max()) + 1 if bins else 0
    turns, left = np.zeros((1, bins), dtype=np.int64), np.zeros((1, 2, most), dtype=np.int64)
    scratch = kernel.scratch_for(tables.sides)
    jit.compiled(kernel.duels)(*tables[:3], runs, scratch, counts, turns, left)
    wins_0, wins_1, undecided, player_turns = (int(count) for count in counts[0])
    return Tally(trials, wins_0, wins_1, undecided, player_turns + idle, turns[0], left[0])


def simulate_many(
    tables: KernelTables | ClashTables,
    keys: Any,
    trials: int,
    rounds: int | None = None,
    executor: Executor | None = None,
) -> Any:
    """Roll `trials` duels of each of many matchups.

    Parameters
    ----------
    keys : array of uint64, shape (n,)
        From `aabalance.engine.rng.stream_keys`, one a matchup: a matchup's counts don't depend on the others.

    Returns
    -------
    array of int64, shape (n, 5)
        Wins of side 0, of side 1, undecided, player turns, both destroyed.
    """
    count = len(keys)
    most = ROUNDS if rounds is None else rounds
    runs = np.empty((count, 5), dtype=np.uint64)
    runs[:, 0], runs[:, 1] = np.arange(count), keys
    runs[:, 2], runs[:, 3], runs[:, 4] = 0, trials, np.where(tables.harmless, 0, most)
    counts = np.zeros((count, 5), dtype=np.int64)
    parts = 1 if executor is None or count * trials < SERIAL_BELOW else PARTS_PER_WORKER * (os.cpu_count() or 1)

    def roll(part: Any) -> None:
        if isinstance(tables, ClashTables):
            part_counts = counts[part.start : part.stop]
            jit.compiled(condition_kernel.clashes)(*tables[:4], runs[part.start : part.stop], part_counts)
            return
        nothing = np.zeros((len(part), 0), dtype=np.int64), np.zeros((len(part), 2, 0), dtype=np.int64)
        scratch = kernel.scratch_for(tables.sides[part.start : part.stop])
        part_counts = counts[part.start : part.stop]
        jit.compiled(kernel.duels)(*tables[:3], runs[part.start : part.stop], scratch, part_counts, *nothing)

    slices = [range(count * n // parts, count * (n + 1) // parts) for n in range(parts)]
    list(map(roll, slices) if executor is None or parts == 1 else executor.map(roll, slices))
    counts[tables.harmless, 3] = 2 * most * trials  # not rolled, but fought all the same
    return counts


def simulate_shots(thrown: Dice, key: int, first: int, trials: int) -> Any:
    """Roll the trials ``first .. first + trials - 1`` of one attack.

    Parameters
    ----------
    thrown : Dice
        As `aabalance.rulesets.base.Shot` has them.
    key : int
        From `aabalance.engine.rng.stream_key`.

    Returns
    -------
    array of int64, shape (n,)
        Attacks by what they took from the target, 0 to the most.

    Raises
    ------
    UsageError
        Chances that a die and its reroll can't stand for.
    """
    alike = len(set(thrown.effects)) == 1
    needs = np.array([threshold(p, DIE_AND_REROLL) for p in (thrown.first, thrown.second)], dtype=np.uint64)
    # A fixed effect is counted in hits, so that its histogram has few bins.
    unit = max(thrown.effects[0], 1) if alike else 1
    effects = np.array(thrown.effects, dtype=np.uint64) // np.uint64(unit)
    counts = np.zeros(thrown.sequences * int(effects.max()) + 1, dtype=np.int64)
    scratch = kernel.aligned(shot_kernel.ROWS, shot_kernel.LANES)
    full = not alike or thrown.second not in (0, 1)
    bounds = first, first + trials
    jit.compiled(shot_kernel.shots)(thrown.sequences, full, needs, effects, np.uint64(key), *bounds, scratch, counts)
    amounts = np.zeros((len(counts) - 1) * unit + 1, dtype=np.int64)
    amounts[::unit] = counts
    return amounts


def threads() -> ThreadPoolExecutor:
    """Return a pool of one thread for each processor."""
    return ThreadPoolExecutor(max_workers=os.cpu_count() or 1)


def wilson(successes: int, trials: int, level: float = LEVEL) -> tuple[float, float]:
    """Return Wilson's interval for a proportion (Wilson 1927; Brown, Cai and DasGupta 2001)."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    p = successes / trials
    middle = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(p * (1 - p) / trials + (z / (2 * trials)) ** 2) / (1 + z * z / trials)
    return middle - half if successes else 0.0, middle + half if successes < trials else 1.0


def trials_for(half_width: float, successes: int, trials: int) -> int:
    """Return how many trials Wilson's interval needs for a half-width, going by what was seen so far."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    low, high = wilson(successes, trials)
    p = min(max(0.5, low), high)
    return math.ceil(z * z * p * (1 - p) / half_width**2)
