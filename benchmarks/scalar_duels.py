"""The kernel's own scalar form: one duel at a time over the same tables, words and digits, so that counts are equal.

It does no needless work: words are drawn when a digit is wanted of them, attacks that aren't made roll nothing, and a
duel stops with the shot that ends it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.digits import DIE_AND_REROLL
from aabalance.engine.hit_points.kernel import SIDE_DIGITS
from aabalance.engine.hit_points.layout import (
    GROUP_BITS,
    GROUP_FIELDS,
    GROUPS,
    GROUPS_AT,
    NEED_BITS,
    NEXT_BITS,
)
from aabalance.engine.rng import FRACTION, FRACTION_BITS, philox
from aabalance.engine.sampling import Run

U = np.uint64
ZERO, ONE = U(0), U(1)
NEED = U((1 << NEED_BITS) - 1)
SECOND, GROUP, NEXT = U(NEED_BITS), U(GROUP_BITS), U(NEXT_BITS)
BASE = U(DIE_AND_REROLL)
FACES = U(6)


def duels(run: Run, first: int, trials: int) -> list[int]:
    """Return wins of side 0, wins of side 1, duels without end and player turns."""
    entries, sides, numbers = run.rolls[:3]
    counts = np.zeros(4, dtype=np.int64)
    factors = _factors(sides[0])
    drawn = np.empty(factors.shape[1] // SIDE_DIGITS, dtype=np.uint64)
    bounds = np.array([first, first + trials], dtype=np.uint64)
    jit.compiled(_duels)(entries, sides[0], numbers, factors, U(run.key), bounds, run.rounds, drawn, counts)
    return [int(count) for count in counts]


def _factors(sides: Any) -> Any:
    """Return, by side and digit, the product of the bases of the digits before it in the same word."""
    bases: list[list[int]] = [[], []]
    for side in range(2):
        for g in range(GROUPS):
            at = GROUPS_AT + GROUP_FIELDS * g
            count, full, base = (int(x) for x in sides[side, at : at + 3])
            bases[side] += [base, *[DIE_AND_REROLL] * full] * count
    words = max(1, *(-(-len(digits) // SIDE_DIGITS) for digits in bases))
    factors = np.ones((2, words * SIDE_DIGITS), dtype=np.uint64)
    for w in range(words):
        product = 1
        for side in range(2):
            for d in range(w * SIDE_DIGITS, (w + 1) * SIDE_DIGITS):
                factors[side, d] = product
                product *= bases[side][d] if d < len(bases[side]) else DIE_AND_REROLL
    return factors


def _duels(
    entries: Any,
    sides: Any,
    numbers: Any,
    factors: Any,
    key: Any,
    bounds: Any,
    rounds: int,
    drawn: Any,
    counts: Any,
) -> None:
    words = len(drawn)
    hp = np.empty(2, dtype=np.int64)
    trial = bounds[0]
    while trial < bounds[1]:
        hp[0], hp[1] = sides[0, 0], sides[1, 0]
        node = ZERO
        # Words of the round that are drawn, and the second word of the last block.
        have = 0
        held, spare = -1, ZERO
        turn = 0
        while turn < 2 * rounds and hp[0] > 0 and hp[1] > 0:
            me = turn & 1
            enemy = 1 - me
            if me == 0:
                have = 0
            row = 0
            while row < sides[me, 2] - 1 and hp[me] < numbers[sides[me, 3] + row]:
                row += 1
            entry = entries[U(sides[me, 1]) + node * U(sides[me, 2]) + U(row)]
            node = entry >> NEXT
            digit = 0
            for g in range(GROUPS):
                at = GROUPS_AT + GROUP_FIELDS * g
                count, full, base = sides[me, at], sides[me, at + 1], U(sides[me, at + 2])
                first_need = entry & NEED
                second_need = (entry >> SECOND) & NEED
                entry >>= GROUP
                if count == 0:
                    break
                if first_need == NEED:
                    digit += count * (1 + full)
                    continue
                for _ in range(count):
                    if hp[enemy] <= 0:
                        break
                    last = (digit + full) // SIDE_DIGITS
                    while have <= last:
                        word = turn // 2 * words + have
                        if held == word:
                            drawn[have] = spare
                        else:
                            low, spare = philox(key, U(word >> 1), trial)
                            held = word | 1
                            drawn[have] = spare if word & 1 else low
                        have += 1
                    x = ((drawn[digit // SIDE_DIGITS] * factors[me, digit]) & FRACTION) * base >> FRACTION_BITS
                    digit += 1
                    effect = numbers[sides[me, at + 3]]
                    hit = x >= first_need
                    if full:
                        y = ((drawn[digit // SIDE_DIGITS] * factors[me, digit]) & FRACTION) * BASE >> FRACTION_BITS
                        digit += 1
                        effect = numbers[U(sides[me, at + 3]) + y // FACES]
                        hit = hit and y >= second_need
                    if hit:
                        hp[enemy] -= effect
            turn += 1
        if hp[1] <= 0:
            counts[0] += 1
        elif hp[0] <= 0:
            counts[1] += 1
        else:
            counts[2] += 1
        counts[3] += turn
        trial += ONE
