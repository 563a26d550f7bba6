"""The Monte Carlo kernel: duels rolled die by die, many trials at a time, from tables to integer counts.

Trials run as lanes of a block. The whole state of a lane is one word (``hp_0 | hp_1 << 16 | node << 32 | lane << 48``),
so that LLVM has a single array to vectorise over. Table look-ups have passes of their own, because a gather keeps a
whole loop from vectorising. Lanes that are done are squeezed out once there are enough of them. All numbers in the lane
loops are uint64: together with a signed number they would turn into floats.

A side's turn is up to `GROUPS` groups of dice sequences that are alike. Each sequence is a digit of base 36 (the die
and its reroll) against a threshold; a group that needs more than one threshold (a penetration die, or a die for the
damage) takes a second digit. A digit depends only on its word and its place in the word, so that words that nobody
needs aren't drawn. The entry of a node packs both thresholds of all groups (6 bits each) and the next node (16 bits).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.digits import DIE_AND_REROLL, aligned
from aabalance.engine.hit_points.rolls import (
    GROUP_BITS,
    GROUP_FIELDS,
    GROUPS,
    GROUPS_AT,
    NEED_BITS,
    NEXT_BITS,
)
from aabalance.engine.outcome import DRAW, TURNS, A, B
from aabalance.engine.rng import FRACTION, FRACTION_BITS, philox

U = np.uint64

LANES = 4096
"""With fewer lanes, the fixed cost of a pass shows; with more, the rows don't stay in the cache."""
SQUEEZE_FROM = 8
"""The lanes still fighting are moved together once one lane in this many is done."""
SIDE_DIGITS = 2


NOT_DRAWN = U(0xFFFFFFFFFFFFFFFF)
ZERO, ONE = U(0), U(1)
HP = U(0xFFFF)
HP_1 = U(16)
NODE = U(32)
LANE = U(48)
NEXT = U(NEXT_BITS)
NEED = U(63)
SECOND = U(NEED_BITS)
GROUP = U(GROUP_BITS)
BASE = U(DIE_AND_REROLL)
WORDS_AT = 5
"""Rows of the scratch: states, entries, first digits, factors, blocks drawn; then words."""


def duels(entries: Any, sides: Any, numbers: Any, runs: Any, scratch: Any, counts: Any, turns: Any, left: Any) -> None:
    """Roll duels of many matchups.

    Parameters
    ----------
    entries : array of uint64
        Entries of all nodes; see the head of the module.
    sides : array of int64, shape (matchups, 2, GROUPS_AT + GROUPS * GROUP_FIELDS)
        By side: hit points, the index at which its entries begin, the number of its brackets, the index at which their
        thresholds begin in `numbers`; then, for each group, the number of sequences, 1 if they need a second digit and
        else 0, the base of the first digit, and the index at which the effects begin in `numbers`.
    numbers : array of int64
        Thresholds of brackets, and effects by the face of the second die, six for each group.
    runs : array of uint64, shape (runs, 5)
        Matchup, key of the dice, first trial, number of trials, limit of rounds.
    scratch : array of uint64
        Room to work in, from `scratch_for`.
    counts : array of int64, shape (runs, 5)
        To each row the tally of a run is added, in which a is side 0.
    turns : array of int64, shape (runs, n)
        If n > 0, the numbers of duels that ended in each player turn are added; the last bin takes all later ones.
    left : array of int64, shape (runs, 2, n)
        If n > 0, the numbers of duels by winner and hit points that it had left are added.
    """
    for r in range(len(runs)):
        matchup = np.int64(runs[r, 0])
        trial, end = runs[r, 2], runs[r, 2] + runs[r, 3]
        while trial < end:
            lanes = min(U(LANES), end - trial)
            _block(
                entries,
                sides[matchup],
                numbers,
                runs[r, 1],
                trial,
                lanes,
                np.int64(runs[r, 4]),
                scratch,
                counts[r],
                turns[r],
                left[r],
            )
            trial += lanes


def _block(
    entries: Any,
    sides: Any,
    numbers: Any,
    key: Any,
    trial: Any,
    lanes: Any,
    rounds: Any,
    scratch: Any,
    counts: Any,
    turns: Any,
    left: Any,
) -> None:
    state, drawn = scratch[0], scratch[4]
    words = _words(sides)
    rows = _rows(words)
    _factors(sides, scratch[3])
    for row in range(rows):
        drawn[row] = NOT_DRAWN
    start = U(sides[0, 0]) | U(sides[1, 0]) << HP_1
    for k in range(lanes):
        state[k] = start | U(k) << LANE
    alive = lanes
    gone_0 = gone_1 = ZERO
    for t in range(rounds):
        for side in range(2):
            _turn(entries, sides, numbers, side, key, trial, t * words, rows, scratch, alive)
        dead_1 = ZERO
        dead_0 = ZERO
        for k in range(alive):
            dead_1 += U((state[k] >> HP_1) & HP == ZERO)
            dead_0 += U(state[k] & HP == ZERO)
        new_0, new_1 = dead_0 - gone_0, dead_1 - gone_1
        if new_0 + new_1 == ZERO:
            continue
        gone_0, gone_1 = dead_0, dead_1
        counts[A] += np.int64(new_1)
        counts[B] += np.int64(new_0)
        counts[TURNS] += np.int64(new_1) * (2 * t + 1) + np.int64(new_0) * (2 * t + 2)
        if len(turns):
            turns[min(2 * t, len(turns) - 1)] += np.int64(new_1)
            turns[min(2 * t + 1, len(turns) - 1)] += np.int64(new_0)
        if left.shape[1] == 0 and (dead_0 + dead_1) * U(SQUEEZE_FROM) < alive:
            continue
        if left.shape[1]:
            for k in range(alive):
                hp_0, hp_1 = state[k] & HP, (state[k] >> HP_1) & HP
                if hp_1 == ZERO:
                    left[0, hp_0] += 1
                elif hp_0 == ZERO:
                    left[1, hp_1] += 1
        survivors = ZERO
        word = (t + 1) * words
        row = word % rows
        if word % 2 and drawn[row] == U(word >> 1):
            spare = scratch[WORDS_AT + row]
            for k in range(alive):
                state[survivors] = state[k]
                spare[survivors] = spare[k]
                survivors += U((state[k] & HP != ZERO) & ((state[k] >> HP_1) & HP != ZERO))
        else:
            for k in range(alive):
                state[survivors] = state[k]
                survivors += U((state[k] & HP != ZERO) & ((state[k] >> HP_1) & HP != ZERO))
        gone_0 = gone_1 = ZERO
        alive = survivors
        if alive == ZERO:
            break
    alive -= gone_0 + gone_1
    counts[DRAW] += np.int64(alive)
    counts[TURNS] += np.int64(alive) * 2 * rounds


def scratch_for(sides: Any) -> Any:
    """Return the scratch that `duels` needs for these `sides`."""
    digits = sides[:, :, GROUPS_AT::GROUP_FIELDS] * (1 + sides[:, :, GROUPS_AT + 1 :: GROUP_FIELDS])
    words = -(-int(digits.sum(axis=2).max(initial=1)) // SIDE_DIGITS)
    return aligned(WORDS_AT + _rows(words), LANES)


def _rows(words: Any) -> Any:
    """Return the number of rows for the words of a round, and for the half of a block left over from the last round."""
    return words // 2 * 2 + 2


def _words(sides: Any) -> int:
    """Return the number of words that a round takes; each word has `SIDE_DIGITS` digits for each side."""
    most = 1
    for s in range(2):
        digits = 0
        for g in range(GROUPS):
            group = GROUPS_AT + GROUP_FIELDS * g
            digits += sides[s, group] * (1 + sides[s, group + 1])
        most = max(most, (digits + SIDE_DIGITS - 1) // SIDE_DIGITS)
    return most


def _factors(sides: Any, factors: Any) -> None:
    """Write, for each digit, the factor by which a word is multiplied to bring the digit's fraction to the front."""
    places = _words(sides) * 2 * SIDE_DIGITS
    for place in range(places):
        factors[place] = BASE
    for side in range(2):
        digit = 0
        for g in range(GROUPS):
            group = GROUPS_AT + GROUP_FIELDS * g
            for _ in range(sides[side, group]):
                factors[_place(side, digit)] = U(sides[side, group + 2])
                digit += 1 + sides[side, group + 1]
    product = ONE
    for place in range(places):
        base = factors[place]
        if place % (2 * SIDE_DIGITS) == 0:
            product = ONE
        factors[place] = product
        product *= base


def _place(side: int, digit: Any) -> Any:
    """Return the place of a side's digit in a round: each word has two digits for side 0, then two for side 1."""
    return (digit // SIDE_DIGITS * 2 + side) * SIDE_DIGITS + digit % SIDE_DIGITS


def _turn(
    entries: Any,
    sides: Any,
    numbers: Any,
    side: int,
    key: Any,
    trial: Any,
    first_word: Any,
    rows: Any,
    scratch: Any,
    alive: Any,
) -> None:
    """Roll all attacks that one side makes in its turn."""
    state, entry, second, factors = scratch[0], scratch[1], scratch[2], scratch[3]
    common = _look_up(entries, sides, numbers, side, state, entry, alive)
    digit = 0
    for g in range(GROUPS):
        group = GROUPS_AT + GROUP_FIELDS * g
        count, full, at = sides[side, group], sides[side, group + 1], sides[side, group + 3]
        base = U(sides[side, group + 2])
        shift = U(g) * GROUP
        if (common >> shift) & NEED == NEED:
            # No lane fires this group.
            digit += count * (1 + full)
            continue
        for _ in range(count):
            word = scratch[_drawn(first_word + digit // SIDE_DIGITS, rows, key, trial, scratch, alive)]
            factor = factors[_place(side, digit)]
            digit += 1
            if full == 0:
                _plain(state, entry, word, factor, alive, side, shift, base, U(numbers[at]))
            else:
                for k in range(alive):
                    second[k] = ((word[k] * factor) & FRACTION) * base >> FRACTION_BITS
                word = scratch[_drawn(first_word + digit // SIDE_DIGITS, rows, key, trial, scratch, alive)]
                factor = factors[_place(side, digit)]
                digit += 1
                _full(state, entry, word, factor, second, alive, side, shift, numbers, at)


def _drawn(word: Any, rows: Any, key: Any, trial: Any, scratch: Any, alive: Any) -> Any:
    """Return the row that has a word of each lane. It is drawn when it is first used: attacks not made cost nothing."""
    state, drawn = scratch[0], scratch[4]
    row, block = word % rows, U(word >> 1)
    if drawn[row] != block:
        even = row & -2
        low, high = scratch[WORDS_AT + even], scratch[WORDS_AT + even + 1]
        for k in range(alive):
            low[k], high[k] = philox(key, block, trial + (state[k] >> LANE))
        drawn[even] = drawn[even + 1] = block
    return WORDS_AT + row


def _look_up(entries: Any, sides: Any, numbers: Any, side: int, state: Any, entry: Any, alive: Any) -> Any:
    """Fetch each lane's entry and move it on to the next node; return the bits that all entries share."""
    at, brackets, least = U(sides[side, 1]), sides[side, 2], sides[side, 3]
    own = U(16 * side)
    low = high = (state[0] >> NODE) & HP
    if sides[0, 2] > 1 or sides[1, 2] > 1:
        limit = U(numbers[least]) if brackets > 1 else ZERO
        low, high = ~ZERO, ZERO
        for k in range(alive):
            index = ((state[k] >> NODE) & HP) * U(brackets) + U((state[k] >> own) & HP < limit)
            entry[k] = index
            low &= index
            high |= index
        for row in range(1, brackets - 1):
            limit = U(numbers[least + row])
            low, high = ~ZERO, ZERO
            for k in range(alive):
                entry[k] += U((state[k] >> own) & HP < limit)
                low &= entry[k]
                high |= entry[k]
    if low == high:
        # All lanes are still at the same entry, so it is looked up once.
        common = entries[at + low]
        for k in range(alive):
            entry[k] = common
            state[k] = (state[k] & ~(HP << NODE)) | (common >> NEXT) << NODE
        return common
    for k in range(alive):
        entry[k] = entries[at + entry[k]]
    common = ~ZERO
    for k in range(alive):
        common &= entry[k]
        state[k] = (state[k] & ~(HP << NODE)) | (entry[k] >> NEXT) << NODE
    return common


def _plain(
    state: Any, entry: Any, word: Any, factor: Any, alive: Any, side: int, shift: Any, base: Any, damage: Any
) -> None:
    """Roll one sequence whose effect is fixed; in lanes where the side is dead it has no effect."""
    own, other = U(16 * side), U(16 * (1 - side))
    keep = ~(HP << other)
    for k in range(alive):
        x = ((word[k] * factor) & FRACTION) * base >> FRACTION_BITS
        s = state[k]
        hit = U(x >= (entry[k] >> shift) & NEED) & U((s >> own) & HP != ZERO)
        hp = (s >> other) & HP
        lost = min(hp, damage * hit)
        state[k] = (s & keep) | (hp - lost) << other


def _full(
    state: Any,
    entry: Any,
    word: Any,
    factor: Any,
    second: Any,
    alive: Any,
    side: int,
    shift: Any,
    numbers: Any,
    at: int,
) -> None:
    """Roll the second digit of a sequence, a penetration die or the die of the effect; `second` has the first digit."""
    own, other = U(16 * side), U(16 * (1 - side))
    keep = ~(HP << other)
    # The effect by steps from face to face: a look-up would keep the loop from vectorising.
    lowest = U(numbers[at])
    step_1, step_2 = U(numbers[at + 1] - numbers[at]), U(numbers[at + 2] - numbers[at + 1])
    step_3, step_4 = U(numbers[at + 3] - numbers[at + 2]), U(numbers[at + 4] - numbers[at + 3])
    step_5 = U(numbers[at + 5] - numbers[at + 4])
    for k in range(alive):
        y = ((word[k] * factor) & FRACTION) * BASE >> FRACTION_BITS
        s = state[k]
        first_need = (entry[k] >> shift) & NEED
        second_need = (entry[k] >> (shift + SECOND)) & NEED
        hit = U(second[k] >= first_need) & U(y >= second_need) & U((s >> own) & HP != ZERO)
        damage = lowest + U(y >= U(6)) * step_1 + U(y >= U(12)) * step_2 + U(y >= U(18)) * step_3
        damage += U(y >= U(24)) * step_4 + U(y >= U(30)) * step_5
        hp = (s >> other) & HP
        lost = min(hp, damage * hit)
        state[k] = (s & keep) | (hp - lost) << other
