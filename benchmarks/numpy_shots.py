"""Hits of a volley in NumPy: a die and its reroll as one would write it, and as fast as it was found to go."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

BLOCK = 1 << 16

Ints = npt.NDArray[np.int64]


def by_rules(sequences: int, need: int, trials: int, generator: np.random.Generator) -> Ints:
    """Return a histogram of hits on `need` or more at advantage: a miss by one is rolled again."""
    counts = np.zeros(sequences + 1, dtype=np.int64)
    for at in range(0, trials, BLOCK):
        size = sequences, min(BLOCK, trials - at)
        die = generator.integers(1, 7, size=size, dtype=np.uint8)
        again = die == need - 1
        die[again] = generator.integers(1, 7, size=np.count_nonzero(again), dtype=np.uint8)
        counts += np.bincount((die >= need).sum(axis=0), minlength=sequences + 1)
    return counts


def by_digits(sequences: int, need: int, trials: int, generator: np.random.Generator) -> Ints:
    """Return the same from digits of base 36 (die and reroll in one); 16-bit ones are drawn faster than 8-bit ones."""
    counts = np.zeros(sequences + 1, dtype=np.int64)
    threshold = 7 * need - 13
    for at in range(0, trials, BLOCK):
        lanes = min(BLOCK, trials - at)
        hits = np.zeros(lanes, dtype=np.uint8)
        for _ in range(sequences):
            hits += generator.integers(36, size=lanes, dtype=np.uint16) >= threshold
        counts += np.bincount(hits, minlength=sequences + 1)
    return counts
