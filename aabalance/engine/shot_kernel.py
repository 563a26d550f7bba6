"""The Monte Carlo kernel of single attacks: a histogram of the effect of one attack, whose dice sequences are alike.

Words and digits are those of the duel kernel. A block of two words has places for eight digits, and each lane is a
block. One, two, four or eight trials share a block, as many as fit; or one trial takes several blocks. So a die still
depends on nothing but the trial's number and the die's place. Histograms with few bins are counted bin by bin, which
vectorises; a loop of ``counts[amount] += 1`` would wait for its own last store.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.arrays import Ints, Words
from aabalance.engine.digits import DIE_AND_REROLL
from aabalance.engine.rng import FRACTION, FRACTION_BITS, philox

U = np.uint64

LANES = 2048
ROWS = 4
"""Rows of the scratch: both words, first digits, amounts."""
WORD_PLACES = 4
PLACES = 8
FEW_BINS = 24
BASE = U(DIE_AND_REROLL)
ZERO, ONE = U(0), U(1)


def shots(
    sequences: int,
    full: bool,
    needs: Words,
    effects: Words,
    key: np.uint64,
    first: int,
    end: int,
    scratch: Words,
    counts: Ints,
) -> None:
    """Roll the trials ``first .. end - 1`` of one attack.

    Parameters
    ----------
    sequences : int
        Number of dice sequences of one attack.
    full : bool
        Whether a sequence takes a second digit.
    needs : array of uint64, shape (2,)
        Thresholds of both digits.
    effects : array of uint64, shape (6,)
        Effect of a sequence, by the face of the second digit's die.
    key : uint64
        Key of the random numbers.
    first, end : int
        Number of the first trial, and one more than that of the last.
    scratch : array of uint64, shape (ROWS, LANES)
        Workspace.
    counts : array of int64, shape (n,)
        Number of attacks by the summed effect of their sequences; the trials are added to it.
    """
    amount = scratch[3]
    digits = sequences * (1 + full)
    places = 1
    while places < digits:
        places *= 2
    share = max(1, PLACES // places)
    blocks = max(1, places // PLACES)
    at = first // share
    while at * share < end:
        lanes = min(LANES, (end - at * share + share - 1) // share)
        for trial in range(share):
            for k in range(U(lanes)):
                amount[k] = ZERO
            for block in range(blocks):
                if trial == 0:
                    for k in range(U(lanes)):
                        scratch[0, k], scratch[1, k] = philox(key, U(block), U(at) + k)
                for place in range(trial * places, min(trial * places + digits - block * PLACES, PLACES)):
                    _roll(place, full, needs, effects, scratch, U(lanes))
            # The first and the last block may hold trials that nobody asked for.
            low = 1 if at * share + trial < first else 0
            high = lanes - 1 if (at + lanes - 1) * share + trial >= end else lanes
            _count(amount, U(low), U(max(low, high)), counts)
        at += lanes


def _roll(place: int, full: bool, needs: Words, effects: Words, scratch: Words, lanes: np.uint64) -> None:
    word, hit, amount = scratch[place // WORD_PLACES], scratch[2], scratch[3]
    factor = ONE
    for _ in range(place % WORD_PLACES):
        factor *= BASE
    if not full:
        need = needs[0]
        for k in range(lanes):
            amount[k] += U(((word[k] * factor) & FRACTION) * BASE >> FRACTION_BITS >= need)
    elif place % 2 == 0:
        need = needs[0]
        for k in range(lanes):
            hit[k] = U(((word[k] * factor) & FRACTION) * BASE >> FRACTION_BITS >= need)
    else:
        need = needs[1]
        lowest = effects[0]
        step_1, step_2, step_3 = effects[1] - effects[0], effects[2] - effects[1], effects[3] - effects[2]
        step_4, step_5 = effects[4] - effects[3], effects[5] - effects[4]
        for k in range(lanes):
            y = ((word[k] * factor) & FRACTION) * BASE >> FRACTION_BITS
            effect = lowest + U(y >= U(6)) * step_1 + U(y >= U(12)) * step_2 + U(y >= U(18)) * step_3
            effect += U(y >= U(24)) * step_4 + U(y >= U(30)) * step_5
            amount[k] += hit[k] * U(y >= need) * effect


def _count(amount: Words, low: np.uint64, high: np.uint64, counts: Ints) -> None:
    if len(counts) > FEW_BINS:
        for k in range(low, high):
            counts[amount[k]] += 1
        return
    rest = np.int64(high - low)
    for value in range(1, len(counts)):
        equal = ZERO
        for k in range(low, high):
            equal += U(amount[k] == U(value))
        counts[value] += np.int64(equal)
        rest -= np.int64(equal)
    counts[0] += rest
