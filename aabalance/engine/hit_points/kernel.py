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

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from aabalance.engine.arrays import FIGHT, FIRST_TRIAL, KEY, ROUNDS, TRIALS, Ints, Words
from aabalance.engine.digits import DIE_AND_REROLL, aligned
from aabalance.engine.hit_points import layout
from aabalance.engine.hit_points.layout import HP as HP_AT
from aabalance.engine.outcome import DRAW, SQUARES, TURNS, A, B
from aabalance.engine.rng import FRACTION, FRACTION_BITS, philox

if TYPE_CHECKING:
    from aabalance.engine.hit_points.rolls import Rolls

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
NEXT = U(layout.NEXT_BITS)
NEED = U(layout.NEVER)
SECOND = U(layout.NEED_BITS)
GROUP = U(layout.GROUP_BITS)
WHOLE = U(DIE_AND_REROLL)
WORDS_AT = 5
"""Rows of the scratch: states, entries, first digits, factors, blocks drawn; then words."""


class _Block(NamedTuple):
    """Some trials of one duel, with the workspace for them.

    Attributes
    ----------
    entries, numbers : array
        As in `rolls.Rolls`.
    sides : array of int64
        The rows of this duel's sides.
    key, trial : uint64
        Key of the dice, and number of the first trial.
    rows : int
        Number of rows of words in `scratch`.
    scratch : array of uint64
        The workspace: states, entries, first digits, factors, blocks drawn; then words.
    """

    entries: Words
    sides: Ints
    numbers: Ints
    key: np.uint64
    trial: np.uint64
    rows: int
    scratch: Words


def duels(rolls: Rolls, runs: Words, scratch: Words, counts: Ints) -> None:
    """Roll duels of many matchups.

    Parameters
    ----------
    rolls : Rolls
        The duels.
    runs : array of uint64, shape (runs, 5)
        As for `aabalance.engine.fights.Rolls.roll`.
    scratch : array of uint64
        Workspace, from `scratch_for`.
    counts : array of int64, shape (runs, 6)
        To each row the tally of a run is added, in which a is side 0.
    """
    sides = rolls.sides
    for r in range(len(runs)):
        matchup = np.int64(runs[r, FIGHT])
        trial, end = runs[r, FIRST_TRIAL], runs[r, FIRST_TRIAL] + runs[r, TRIALS]
        while trial < end:
            lanes = min(U(LANES), end - trial)
            rows = _rows(_words(sides[matchup]))
            block = _Block(rolls.entries, sides[matchup], rolls.numbers, runs[r, KEY], trial, rows, scratch)
            _roll(block, lanes, np.int64(runs[r, ROUNDS]), counts[r])
            trial += lanes


def _roll(block: _Block, lanes: np.uint64, rounds: np.int64, counts: Ints) -> None:
    """Roll the trials of a block, and add how they end to the counts of their run."""
    sides, rows, scratch = block.sides, block.rows, block.scratch
    state, drawn = scratch[0], scratch[4]
    words = _words(sides)
    _factors(sides, scratch[3])
    for row in range(rows):
        drawn[row] = NOT_DRAWN
    start = U(sides[0, HP_AT]) | U(sides[1, HP_AT]) << HP_1
    for k in range(lanes):
        state[k] = start | U(k) << LANE
    alive = lanes
    gone_0 = gone_1 = ZERO
    for t in range(rounds):
        for side in range(2):
            _turn(block, side, t * words, alive)
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
        counts[SQUARES] += np.int64(new_1) * (2 * t + 1) ** 2 + np.int64(new_0) * (2 * t + 2) ** 2
        if (dead_0 + dead_1) * U(SQUEEZE_FROM) < alive:
            continue
        gone_0 = gone_1 = ZERO
        alive = _squeezed(block, (t + 1) * words, alive)
        if alive == ZERO:
            break
    alive -= gone_0 + gone_1
    counts[DRAW] += np.int64(alive)
    counts[TURNS] += np.int64(alive) * 2 * rounds
    counts[SQUARES] += np.int64(alive) * (2 * rounds) ** 2


def _squeezed(block: _Block, word: int, alive: np.uint64) -> np.uint64:
    """Move the lanes together in which both sides are left, and what is drawn of `word`; return their number."""
    state, drawn, row = block.scratch[0], block.scratch[4], word % block.rows
    survivors = ZERO
    if word % 2 and drawn[row] == U(word >> 1):
        spare = block.scratch[WORDS_AT + row]
        for k in range(alive):
            state[survivors] = state[k]
            spare[survivors] = spare[k]
            survivors += U((state[k] & HP != ZERO) & ((state[k] >> HP_1) & HP != ZERO))
    else:
        for k in range(alive):
            state[survivors] = state[k]
            survivors += U((state[k] & HP != ZERO) & ((state[k] >> HP_1) & HP != ZERO))
    return survivors


def scratch_for(sides: Ints) -> Words:
    """Return the scratch that `duels` needs for these `sides`."""
    groups = sides[:, :, layout.GROUPS_AT :].reshape(len(sides), 2, layout.GROUPS, layout.GROUP_FIELDS)
    digits = groups[..., layout.COUNT] * (1 + groups[..., layout.FULL])
    words = -(-int(digits.sum(axis=2).max(initial=1)) // SIDE_DIGITS)
    return aligned(WORDS_AT + _rows(words), LANES)


def _rows(words: int) -> int:
    """Return the number of rows for the words of a round, and for the half of a block left over from the last round."""
    return words // 2 * 2 + 2


def _words(sides: Ints) -> int:
    """Return the number of words that a round takes; each word has `SIDE_DIGITS` digits for each side."""
    most = 1
    for s in range(2):
        digits = 0
        for g in range(layout.GROUPS):
            group = layout.GROUPS_AT + layout.GROUP_FIELDS * g
            digits += sides[s, group + layout.COUNT] * (1 + sides[s, group + layout.FULL])
        most = max(most, (digits + SIDE_DIGITS - 1) // SIDE_DIGITS)
    return most


def _factors(sides: Ints, factors: Words) -> None:
    """Write, for each digit, the factor by which a word is multiplied to bring the digit's fraction to the front."""
    places = _words(sides) * 2 * SIDE_DIGITS
    for place in range(places):
        factors[place] = WHOLE
    for side in range(2):
        digit = 0
        for g in range(layout.GROUPS):
            group = layout.GROUPS_AT + layout.GROUP_FIELDS * g
            for _ in range(sides[side, group + layout.COUNT]):
                factors[_place(side, digit)] = U(sides[side, group + layout.BASE])
                digit += 1 + sides[side, group + layout.FULL]
    product = ONE
    for place in range(places):
        base = factors[place]
        if place % (2 * SIDE_DIGITS) == 0:
            product = ONE
        factors[place] = product
        product *= base


def _place(side: int, digit: int) -> int:
    """Return the place of a side's digit in a round: each word has two digits for side 0, then two for side 1."""
    return (digit // SIDE_DIGITS * 2 + side) * SIDE_DIGITS + digit % SIDE_DIGITS


def _turn(block: _Block, side: int, first_word: int, alive: np.uint64) -> None:
    """Roll all attacks that one side makes in its turn."""
    sides, numbers, scratch = block.sides, block.numbers, block.scratch
    state, entry, second, factors = scratch[0], scratch[1], scratch[2], scratch[3]
    common = _look_up(block, side, alive)
    digit = 0
    for g in range(layout.GROUPS):
        group = layout.GROUPS_AT + layout.GROUP_FIELDS * g
        count, full = sides[side, group + layout.COUNT], sides[side, group + layout.FULL]
        base, at = U(sides[side, group + layout.BASE]), sides[side, group + layout.EFFECTS_AT]
        shift = U(g) * GROUP
        if (common >> shift) & NEED == NEED:
            # No lane fires this group.
            digit += count * (1 + full)
            continue
        for _ in range(count):
            word = scratch[_drawn(block, first_word + digit // SIDE_DIGITS, alive)]
            factor = factors[_place(side, digit)]
            digit += 1
            if full == 0:
                _plain(state, entry, word, factor, alive, side, shift, base, U(numbers[at]))
            else:
                for k in range(alive):
                    second[k] = ((word[k] * factor) & FRACTION) * base >> FRACTION_BITS
                word = scratch[_drawn(block, first_word + digit // SIDE_DIGITS, alive)]
                factor = factors[_place(side, digit)]
                digit += 1
                _full(state, entry, word, factor, second, alive, side, shift, numbers, at)


def _drawn(block: _Block, word: int, alive: np.uint64) -> int:
    """Return the row that has a word of each lane. It is drawn when it is first used: attacks not made cost nothing."""
    scratch = block.scratch
    state, drawn = scratch[0], scratch[4]
    row, number = word % block.rows, U(word >> 1)
    if drawn[row] != number:
        even = row & -2
        low, high = scratch[WORDS_AT + even], scratch[WORDS_AT + even + 1]
        for k in range(alive):
            low[k], high[k] = philox(block.key, number, block.trial + (state[k] >> LANE))
        drawn[even] = drawn[even + 1] = number
    return WORDS_AT + row


def _look_up(block: _Block, side: int, alive: np.uint64) -> np.uint64:
    """Fetch each lane's entry and move it on to the next node; return the bits that all entries share."""
    entries, sides, numbers = block.entries, block.sides, block.numbers
    state, entry = block.scratch[0], block.scratch[1]
    at, brackets, least = U(sides[side, layout.AT]), sides[side, layout.BRACKETS], sides[side, layout.LEAST_AT]
    own = U(16 * side)
    low = high = (state[0] >> NODE) & HP
    if sides[0, layout.BRACKETS] > 1 or sides[1, layout.BRACKETS] > 1:
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
        common: np.uint64 = entries[at + low]
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
    state: Words,
    entry: Words,
    word: Words,
    factor: np.uint64,
    alive: np.uint64,
    side: int,
    shift: np.uint64,
    base: np.uint64,
    damage: np.uint64,
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
    state: Words,
    entry: Words,
    word: Words,
    factor: np.uint64,
    second: Words,
    alive: np.uint64,
    side: int,
    shift: np.uint64,
    numbers: Ints,
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
        y = ((word[k] * factor) & FRACTION) * WHOLE >> FRACTION_BITS
        s = state[k]
        first_need = (entry[k] >> shift) & NEED
        second_need = (entry[k] >> (shift + SECOND)) & NEED
        hit = U(second[k] >= first_need) & U(y >= second_need) & U((s >> own) & HP != ZERO)
        damage = lowest + U(y >= U(6)) * step_1 + U(y >= U(12)) * step_2 + U(y >= U(18)) * step_3
        damage += U(y >= U(24)) * step_4 + U(y >= U(30)) * step_5
        hp = (s >> other) & HP
        lost = min(hp, damage * hit)
        state[k] = (s & keep) | (hp - lost) << other
