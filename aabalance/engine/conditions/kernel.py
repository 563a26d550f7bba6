"""The Monte Carlo kernel of condition duels: they are rolled blow by blow, each sampled from its exact distribution."""

from __future__ import annotations

import numpy as np

from aabalance.engine.arrays import FIGHT, FIRST_TRIAL, KEY, ROUNDS, TRIALS, Ints, Words
from aabalance.engine.outcome import BOTH, DRAW, SQUARES, TURNS, A, B
from aabalance.engine.rng import philox

ALTERNATE, RETURN_FIRE, TOGETHER = range(3)
CERTAIN = np.uint64((1 << 64) - 1)
"""The threshold of an outcome after which there is no other."""
ORDERS = {"alternate": ALTERNATE, "return_fire": RETURN_FIRE, "together": TOGETHER}


def duels(order: int, below: Words, after: Ints, sides: Ints, runs: Words, counts: Ints) -> None:
    """Roll duels of units with conditions.

    The words of a turn depend only on (key, trial, turn). The first word decides the blow; the second decides the
    answer, or the other side's blow. Who is sure to do no harm doesn't attack, and isn't answered.

    Parameters
    ----------
    order : int
        One of `ORDERS`.
    below, after : arrays
        From `aabalance.engine.conditions.tables.BlowTables.thresholds`.
    sides : array of int64, shape (matchups, 2)
        Numbers of the blows of the side that moves first, and of the other side.
    runs : array of uint64, shape (runs, 5)
        As for `aabalance.engine.fights.Rolls.roll`.
    counts : array of int64, shape (runs, 6)
        To each row the tally of a run is added, in which a is side 0.
    """
    gone = below.shape[1]
    for r in range(len(runs)):
        matchup = np.int64(runs[r, FIGHT])
        a, b = sides[matchup, 0], sides[matchup, 1]
        most = np.int64(runs[r, ROUNDS]) * (1 if order == TOGETHER else 2)
        for n in range(np.int64(runs[r, TRIALS])):
            trial = runs[r, FIRST_TRIAL] + np.uint64(n)
            i = j = turn = 0
            while turn < most and i < gone and j < gone:
                word, other = philox(runs[r, KEY], trial, np.uint64(turn))
                if order == TOGETHER:
                    i, j = struck(below[b, j, i], other), struck(below[a, i, j], word)
                elif turn % 2 == 0:
                    attacked = order == RETURN_FIRE and may_harm(below[a, i, j], j)
                    i, j = after[a, i], struck(below[a, i, j], word)
                    if attacked and j < gone:
                        j, i = after[b, j], struck(below[b, j, i], other)
                else:
                    attacked = order == RETURN_FIRE and may_harm(below[b, j, i], i)
                    j, i = after[b, j], struck(below[b, j, i], word)
                    if attacked and i < gone:
                        i, j = after[a, i], struck(below[a, i, j], other)
                turn += 1
            turn = turn * 2 if order == TOGETHER else turn
            counts[r, TURNS] += turn
            counts[r, SQUARES] += turn * turn
            if i >= gone and j >= gone:
                counts[r, BOTH] += 1
            elif j >= gone:
                counts[r, A] += 1
            elif i >= gone:
                counts[r, B] += 1
            else:
                counts[r, DRAW] += 1


def struck(below: Words, word: np.uint64) -> int:
    """Return the condition that a word stands for.

    Parameters
    ----------
    below : array of uint64
        Thresholds by condition, rising. A word from the last threshold on stands for destroyed.
    word : uint64
        The random word.
    """
    for to in range(len(below)):
        if word < below[to]:
            return to
    return len(below)


def may_harm(below: Words, enemy: int) -> bool:
    """Return whether a blow may change its enemy's condition.

    Parameters
    ----------
    below : array of uint64
        As for `struck`.
    enemy : int
        The enemy's condition before the blow.
    """
    return below[enemy] < CERTAIN or (enemy > 0 and below[enemy - 1] > 0)
