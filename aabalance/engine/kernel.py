"""The Monte Carlo kernel: duels rolled dice by dice, many trials at a time. Tables in, integer counts out.

Trials run as lanes of a block. A lane's whole state is one word (``hp_0 | hp_1 << 16 | node << 32 | lane << 48``), so
that LLVM finds one array to vectorise over; table look-ups stand in passes of their own, because a gather keeps a whole
loop from vectorising; lanes that are done are squeezed out after every round. All numbers in the lane loops are uint64:
a signed one among them would turn into a float.

A side's turn is up to `GROUPS` groups of equal dice sequences. Each sequence is a digit of base 36 (the die and its
reroll) against a threshold; a group that needs more than one threshold (a penetration die, or a die for the damage)
takes a second digit. The entry of a node packs both thresholds of all groups (6 bits each) and the next node (16 bits).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.rng import FRACTION, FRACTION_BITS, philox
from aabalance.engine.tables import DIE_AND_REROLL, GROUP_BITS, GROUP_FIELDS, GROUPS, GROUPS_AT, NEED_BITS, NEXT_BITS

U = np.uint64

LANES = 1024
SIDE_DIGITS = 2

ZERO, ONE, TWO = U(0), U(1), U(2)
HP = U(0xFFFF)
HP_1 = U(16)
NODE = U(32)
LANE = U(48)
NEXT = U(NEXT_BITS)
NEED = U(63)
SECOND = U(NEED_BITS)
GROUP = U(GROUP_BITS)
BASE = U(DIE_AND_REROLL)
FACES = U(6)


def duels(entries: Any, sides: Any, numbers: Any, runs: Any, scratch: Any, counts: Any, turns: Any, left: Any) -> None:
    """Roll duels of many matchups.

    Parameters
    ----------
    entries : array of uint64
        Entries of all nodes; see the module's head.
    sides : array of int64, shape (matchups, 2, GROUPS_AT + GROUPS * GROUP_FIELDS)
        By side: hit points, where its entries begin, its brackets, where their thresholds begin in `numbers`; then by
        group the number of sequences, 1 if they need a second digit, the base of the first digit, and where the
        effects begin in `numbers`.
    numbers : array of int64
        Thresholds of brackets, and effects by the face of the second die, six a group.
    runs : array of uint64, shape (runs, 5)
        Matchup, key, first trial, trials, rounds.
    scratch : array of uint64, shape (words + 4, LANES)
    counts : array of int64, shape (runs, 4)
        Added to: wins of side 0, of side 1, neither, player turns.
    turns : array of int64, shape (runs, n)
        Added to, if n > 0: duels that ended in each player turn; the last bin holds the rest.
    left : array of int64, shape (runs, 2, n)
        Added to, if n > 0: hit points that the winner had left.
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
    state, entry, spare, second = scratch[0], scratch[1], scratch[2], scratch[3]
    words = _words(sides)
    start = U(sides[0, 0]) | U(sides[1, 0]) << HP_1
    for k in range(lanes):
        state[k] = start | U(k) << LANE
    alive = lanes
    word = 0
    for t in range(rounds):
        for w in range(words):
            fraction = scratch[4 + w]
            if word % 2 == 0:
                for k in range(alive):
                    a, b = philox(key, U(word >> 1), trial + (state[k] >> LANE))
                    fraction[k] = a & FRACTION
                    spare[k] = b
            else:
                for k in range(alive):
                    fraction[k] = spare[k] & FRACTION
            word += 1
        _turn(entries, sides, numbers, 0, state, entry, second, scratch, alive)
        _turn(entries, sides, numbers, 1, state, entry, second, scratch, alive)
        dead_1 = ZERO
        dead_0 = ZERO
        for k in range(alive):
            dead_1 += U((state[k] >> HP_1) & HP == ZERO)
            dead_0 += U(state[k] & HP == ZERO)
        if dead_0 + dead_1 == ZERO:
            continue
        counts[0] += np.int64(dead_1)
        counts[1] += np.int64(dead_0)
        counts[3] += np.int64(dead_1) * (2 * t + 1) + np.int64(dead_0) * (2 * t + 2)
        if len(turns):
            turns[min(2 * t, len(turns) - 1)] += np.int64(dead_1)
            turns[min(2 * t + 1, len(turns) - 1)] += np.int64(dead_0)
        if left.shape[1]:
            for k in range(alive):
                hp_0, hp_1 = state[k] & HP, (state[k] >> HP_1) & HP
                if hp_1 == ZERO:
                    left[0, hp_0] += 1
                elif hp_0 == ZERO:
                    left[1, hp_1] += 1
        survivors = ZERO
        for k in range(alive):
            state[survivors] = state[k]
            spare[survivors] = spare[k]
            survivors += U((state[k] & HP != ZERO) & ((state[k] >> HP_1) & HP != ZERO))
        alive = survivors
        if alive == ZERO:
            break
    counts[2] += np.int64(alive)
    counts[3] += np.int64(alive) * 2 * rounds


def most_words(sides: Any) -> int:
    """Return the most words that a round of any of the matchups takes."""
    return max(_words(matchup) for matchup in sides)


def _words(sides: Any) -> int:
    """Return the words that a round takes: each gives `SIDE_DIGITS` digits to either side."""
    most = 1
    for s in range(2):
        digits = 0
        for g in range(GROUPS):
            group = GROUPS_AT + GROUP_FIELDS * g
            digits += sides[s, group] * (1 + sides[s, group + 1])
        most = max(most, (digits + SIDE_DIGITS - 1) // SIDE_DIGITS)
    return most


def _turn(
    entries: Any,
    sides: Any,
    numbers: Any,
    side: int,
    state: Any,
    entry: Any,
    second: Any,
    scratch: Any,
    alive: Any,
) -> None:
    """Fire everything one side fires in its turn."""
    _look_up(entries, sides[side], numbers, side, state, entry, alive)
    digit = 0
    for g in range(GROUPS):
        group = GROUPS_AT + GROUP_FIELDS * g
        count, full, at = sides[side, group], sides[side, group + 1], sides[side, group + 3]
        base = U(sides[side, group + 2])
        shift = U(g) * GROUP
        for _ in range(count):
            fraction = scratch[4 + digit // SIDE_DIGITS]
            if full == 0:
                _plain(state, entry, fraction, alive, side, shift, base, U(numbers[at]))
                digit += 1
            else:
                for k in range(alive):
                    x = fraction[k] * base
                    second[k] = x >> FRACTION_BITS
                    fraction[k] = x & FRACTION
                digit += 1
                fraction = scratch[4 + digit // SIDE_DIGITS]
                _full(state, entry, fraction, second, alive, side, shift, numbers, at)
                digit += 1
    if side == 0:
        # Side 1 draws the next two digits of each word, whatever side 0 used.
        total = digit
        for w in range(_words(sides)):
            fraction = scratch[4 + w]
            for _ in range(max(0, min(SIDE_DIGITS, (w + 1) * SIDE_DIGITS - total))):
                for k in range(alive):
                    fraction[k] = (fraction[k] * BASE) & FRACTION


def _look_up(entries: Any, side_table: Any, numbers: Any, side: int, state: Any, entry: Any, alive: Any) -> None:
    """Fetch each lane's entry and move it on to the next node; a pass of its own, since it can't vectorise."""
    at, brackets, least = U(side_table[1]), side_table[2], side_table[3]
    own = U(16 * side)
    for k in range(alive):
        entry[k] = ((state[k] >> NODE) & HP) * U(brackets)
    for row in range(brackets - 1):
        limit = U(numbers[least + row])
        for k in range(alive):
            entry[k] += U((state[k] >> own) & HP < limit)
    for k in range(alive):
        entry[k] = entries[at + entry[k]]
    for k in range(alive):
        state[k] = (state[k] & ~(HP << NODE)) | (entry[k] >> NEXT) << NODE


def _plain(state: Any, entry: Any, fraction: Any, alive: Any, side: int, shift: Any, base: Any, damage: Any) -> None:
    """Roll one sequence of fixed effect; the dead don't fire."""
    own, other = U(16 * side), U(16 * (1 - side))
    keep = ~(HP << other)
    for k in range(alive):
        x = fraction[k] * base
        s = state[k]
        hit = U(x >> FRACTION_BITS >= (entry[k] >> shift) & NEED) & U((s >> own) & HP != ZERO)
        hp = (s >> other) & HP
        lost = min(hp, damage * hit)
        state[k] = (s & keep) | (hp - lost) << other
        fraction[k] = x & FRACTION


def _full(
    state: Any, entry: Any, fraction: Any, second: Any, alive: Any, side: int, shift: Any, numbers: Any, at: int
) -> None:
    """Roll the second digit of a sequence, whose first is in `second`: a penetration die, or the die of the effect."""
    own, other = U(16 * side), U(16 * (1 - side))
    keep = ~(HP << other)
    for k in range(alive):
        x = fraction[k] * BASE
        y = x >> FRACTION_BITS
        s = state[k]
        first_need = (entry[k] >> shift) & NEED
        second_need = (entry[k] >> (shift + SECOND)) & NEED
        hit = U(second[k] >= first_need) & U(y >= second_need) & U((s >> own) & HP != ZERO)
        hp = (s >> other) & HP
        lost = min(hp, U(numbers[U(at) + y // FACES]) * hit)
        state[k] = (s & keep) | (hp - lost) << other
        fraction[k] = x & FRACTION
