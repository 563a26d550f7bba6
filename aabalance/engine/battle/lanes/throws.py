"""The dice of battles as the kernel rolls them, in many lanes at once: what a strike needs, what falls, what it takes.

A random word gives four digits; a digit is a die together with its reroll. Each digit of a turn has a place of its own,
which says in which word it is, so that a die depends on nothing but the key, the trial, the turn and its place. A
strike is a number of sequences of one or two digits: a sequence takes toughness if its digits are high enough. What a
strike needs at an enemy is packed into one number, its entry; `aabalance.engine.battle.lanes.rolls` makes the entries.
Most strikes are one sequence of one digit, of which the lowest 16 bits of the entry say all. All functions are plain
loops over the lanes, which also compile to vector instructions: the narrower the numbers, the more lanes at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.columns import ALL, LANE, LANE_BITS, NONE, ONE, SIDE_UNITS, WORD_RANKS, W
from aabalance.engine.rng import FRACTION, digit, philox

U = np.uint64

BASE, SHARES, SLOTS, DIGITS, FULL, FACE, MOMENTS, WRECK_PLACE = range(8)
"""Indices of the array `dice`, which holds for all strikes: how many values a digit has, and how many a digit that
draws a share; the largest number of strikes of a turn, and of digits of a strike; 1 if sequences may take two digits;
the factor that turns a second digit into its face, once the product is shifted down by 16 bits; the number of moments;
and the place of the digit of the first rider."""
NEED_BITS, SEQUENCE_BITS, EFFECT_BITS = 8, 3, 7
"""Widths of the fields of an entry: from the lowest bit on the first digit needed, the effect for each face of the
second digit (the first of them for all, if there is no second digit), the number of sequences, and the second digit
needed, which is as wide as the first."""
NEED, SEQUENCES, EFFECT = U(255), U(7), U(127)
EFFECTS_AT, SEQUENCES_AT, SECOND_AT = U(8), U(50), U(53)
LOW_NEED, LOW_EFFECT, LOW_EFFECT_AT = W(NEED), W(EFFECT), W(EFFECTS_AT)
WORD_DIGITS, BLOCK_DIGITS = 4, 8
LAST = W(SIDE_UNITS - 1)
FACE_BITS = U(16)


def look_up(
    dice: Any,
    entries: Any,
    up_to: Any,
    factors: Any,
    slot: Any,
    key: Any,
    turn: Any,
    picked: Any,
    moment: Any,
    low: Any,
    large: Any,
    words: Any,
    drawn: Any,
    lanes: Any,
) -> Any:
    """Look up the entry of the strike that each lane makes.

    Parameters
    ----------
    dice : array of int64
        Numbers that hold for all strikes, at the indices `BASE` to `WRECK_PLACE`.
    entries : array of uint64, shape (strikes + 1, `SIDE_UNITS`, moments, shares), ravelled
        What each strike of the side needs, and does, at each enemy; the last row is for no strike, and needs nothing.
    up_to : array of uint64, shape (shares - 1,)
        For each share but the last, the digit from which on the next one is drawn.
    factors : array of uint64, shape (places,)
        For each place of a digit in a turn, the factor that brings the digit to the front of its word.
    slot : int
        The place of the strike's first digit.
    key : uint64
        The key of all random numbers of the run.
    turn : array of uint16, shape (lanes,)
        Number of the player turn, from 1.
    picked : tuple of arrays of uint16, shape (lanes,)
        The strikes and their enemies, as policies write them; the fourth array is overwritten.
    moment : array of uint16, shape (lanes,)
        The moment of each strike at its enemy.
    low : array of uint16, shape (lanes,)
        Takes the lowest bits of the entry.
    large : tuple of arrays of uint64, shape (lanes,)
        The number of the trial; one that takes the entry; and two that aren't used.
    words : array of uint64, shape (2 * blocks, lanes)
        The words of the turn; those that aren't drawn yet have no meaning.
    drawn : array of int64, shape (blocks,)
        1 for each block of words that is drawn, else 0.
    lanes : uint64
        Number of lanes.

    Returns
    -------
    int
        A number of sequences that no lane's strike exceeds.
    """
    chosen, aim, _, at, _, _ = picked
    trial, entry, _, _ = large
    views, moments = U(len(up_to) + 1), U(dice[MOMENTS])
    if views * moments > U(1):
        for k in range(lanes):
            entry[k] = ((U(chosen[k]) * U(SIDE_UNITS) + U(aim[k])) * moments + U(moment[k])) * views
    if len(up_to):
        roll(slot, U(dice[SHARES]), dice, key, turn, trial, factors, words, drawn, low, lanes)
        for share in range(len(up_to)):
            for k in range(lanes):
                entry[k] += U(low[k] >= up_to[share])
    every = U(0)
    if views * moments > U(1):
        for k in range(lanes):
            entry[k] = entries[entry[k]]
            every |= entry[k]
    else:
        # In two loops: the first compiles to vector instructions, the look-up doesn't.
        for k in range(lanes):
            at[k] = W(chosen[k] * W(SIDE_UNITS)) + aim[k]
        for k in range(lanes):
            entry[k] = entries[at[k]]
            every |= entry[k]
    for k in range(lanes):
        low[k] = W(entry[k])
    return np.int64((every >> SEQUENCES_AT) & SEQUENCES)


def look_up_low(lowest: Any, picked: Any, low: Any, wide: Any, lanes: Any) -> None:
    """Look up the lowest bits of the entries, where these bits say all; four lanes at once.

    That is where no strike has several digits, no enemy several moments, and no attack shares.

    Parameters
    ----------
    lowest : array of uint64, shape (4, (strikes + 1) x `SIDE_UNITS`)
        The lowest bits of the entries of the side, for each of four lanes at their place in a word of 64 bits.
    picked, low, lanes
        As for `look_up`.
    wide : tuple of arrays
        From `aabalance.engine.battle.lanes.rows.room_for`; the first is `low` in words of four lanes.
    """
    chosen, aim, _, _, _, _ = picked
    fours, _, _, _ = wide
    first, second, third, fourth = lowest[0], lowest[1], lowest[2], lowest[3]
    for k in range(lanes):
        low[k] = W(chosen[k] * W(SIDE_UNITS)) + aim[k]
    # The last word may have lanes behind those in use.
    for k in range(lanes, lanes + U(3)):
        low[k] = NONE
    for k in range((lanes + U(3)) >> U(2)):
        four = fours[k]
        lower = first[four & LANE] | second[four >> U(16) & LANE]
        fours[k] = lower | third[four >> U(32) & LANE] | fourth[four >> U(48)]


def draw(place: Any, dice: Any, key: Any, turn: Any, trial: Any, words: Any, drawn: Any, lanes: Any) -> None:
    """Draw the block of words that a digit of this turn is in, unless it is drawn already.

    Parameters
    ----------
    place : int
        The place of the digit in its turn; row ``place // WORD_DIGITS`` of the words has it.
    dice, key, turn, words, drawn, lanes
        As for `look_up`.
    trial : array of uint64, shape (lanes,)
        The number of the trial.
    """
    block = place // BLOCK_DIGITS
    low, high = words[2 * block], words[2 * block + 1]
    if drawn[block] == 0:
        drawn[block] = 1
        # Turns count from 1, blocks from 0. (Taking 1 from a turn makes each lane wait for the one before it: a vector
        # of ones is then made anew of whatever its register held.)
        blocks, before = U(len(drawn)), U(block) - U(len(drawn))
        for k in range(lanes):
            low[k], high[k] = philox(key, U(turn[k]) * blocks + before, trial[k])


def roll(
    place: Any,
    base: Any,
    dice: Any,
    key: Any,
    turn: Any,
    trial: Any,
    factors: Any,
    words: Any,
    drawn: Any,
    die: Any,
    lanes: Any,
) -> None:
    """Roll the digit of a place in each lane.

    Parameters
    ----------
    place, dice, key, turn, trial, words, drawn, lanes
        As for `draw`.
    base : uint64
        How many values the digit has.
    factors
        As for `look_up`.
    die : array of uint16, shape (lanes,)
        Takes the digit.
    """
    draw(place, dice, key, turn, trial, words, drawn, lanes)
    word, factor = words[place // WORD_DIGITS], factors[place]
    for k in range(lanes):
        die[k] = W(digit(word[k] * factor & FRACTION, base))


def throw(entry: Any, low: Any, die: Any, sequence: Any, loss: Any, lanes: Any) -> None:
    """Write or add what a sequence of one digit takes in each lane.

    Parameters
    ----------
    entry, low
        From `look_up`; `low` is cleared for strikes that have no such sequence, and don't take anything by it.
    die : array of uint16, shape (lanes,)
        The digit, from `roll`.
    sequence : uint64
        The number of the sequence, from 0.
    loss : array of uint16, shape (lanes,)
        The toughness that the strike takes: overwritten by the first sequence, later ones are added.
    lanes : uint64
        Number of lanes.
    """
    before = W(ALL if sequence > 0 else NONE)
    if sequence > 0:
        for k in range(lanes):
            so_far = low[k]
            low[k] = so_far if sequence < (entry[k] >> SEQUENCES_AT) & SEQUENCES else NONE
    for k in range(lanes):
        e, lost = low[k], W(loss[k] & before)
        effect = W(W(e >> LOW_EFFECT_AT) & LOW_EFFECT)
        loss[k] = lost + W(effect if die[k] >= W(e & LOW_NEED) else NONE)


def throw_two(entry: Any, shown: Any, die: Any, sequence: Any, dice: Any, loss: Any, lanes: Any) -> None:
    """Write or add what a sequence of two digits takes in each lane.

    Parameters
    ----------
    entry, sequence, loss, lanes
        As for `throw`; strikes that have no such sequence take nothing by it.
    shown, die : array of uint16, shape (lanes,)
        The first and the second digit, from `roll`.
    dice : array of int64
        As for `look_up`.
    """
    face, before = U(dice[FACE]), W(ALL if sequence > 0 else NONE)
    for k in range(lanes):
        e, second = entry[k], U(die[k])
        hit = (shown[k] >= e & NEED) & (sequence < (e >> SEQUENCES_AT) & SEQUENCES) & (second >= e >> SECOND_AT & NEED)
        effect = (e >> (EFFECTS_AT + U(EFFECT_BITS) * (second * face >> FACE_BITS))) & EFFECT
        loss[k] = W(loss[k] & before) + W(effect if hit else 0)


def lose(enemies: Any, alive: Any, aim: Any, loss: Any, after: Any, lanes: Any) -> None:
    """Take from the enemies aimed at what the strikes take, and write what they have left then.

    Parameters
    ----------
    enemies : array of uint16, shape (units, lanes)
        The toughness that each enemy has left; changed. Enemies come in fours and a last pair.
    alive : array of uint16, shape (lanes,)
        The enemies that are left: a bit each; changed.
    aim : array of uint16, shape (lanes,)
        The row of the enemy aimed at.
    loss : array of uint16, shape (lanes,)
        The toughness that the strike takes; an enemy loses no more than it has.
    after : array of uint16, shape (lanes,)
        Takes the toughness that the enemy aimed at has left.
    lanes : uint64
        Number of lanes.
    """
    for at in range(0, len(enemies) - 2, 4):
        a, b, c, d = W(at), W(at + 1), W(at + 2), W(at + 3)
        for k in range(lanes):
            who, lost, rest = aim[k], loss[k], after[k]
            of_a, of_b, of_c, of_d = enemies[at, k], enemies[at + 1, k], enemies[at + 2, k], enemies[at + 3, k]
            of_a = W(of_a - min(of_a, lost if who == a else NONE))
            of_b = W(of_b - min(of_b, lost if who == b else NONE))
            of_c = W(of_c - min(of_c, lost if who == c else NONE))
            of_d = W(of_d - min(of_d, lost if who == d else NONE))
            enemies[at, k], enemies[at + 1, k], enemies[at + 2, k], enemies[at + 3, k] = of_a, of_b, of_c, of_d
            rest = of_a if who == a else rest
            rest = of_b if who == b else rest
            rest = of_c if who == c else rest
            after[k] = of_d if who == d else rest
    if len(enemies) % 4:
        last, a, b = len(enemies) - 2, W(len(enemies) - 2), W(len(enemies) - 1)
        for k in range(lanes):
            who, lost, rest = aim[k], loss[k], after[k]
            of_a, of_b = enemies[last, k], enemies[last + 1, k]
            of_a = W(of_a - min(of_a, lost if who == a else NONE))
            of_b = W(of_b - min(of_b, lost if who == b else NONE))
            enemies[last, k], enemies[last + 1, k] = of_a, of_b
            rest = of_a if who == a else rest
            after[k] = of_b if who == b else rest
    # With a count that is surely below 16, the shift is done in 16 bits.
    for k in range(lanes):
        left, bit = alive[k], W(ONE << W(aim[k] & LAST))
        alive[k] = W(left & W(bit ^ ALL)) if after[k] == NONE else left


def put_gains(rows: Any, aim: Any, fresh: Any, lanes: Any) -> None:
    """Write a strike's new gain from the enemy aimed at into its row.

    Parameters
    ----------
    rows : array of uint16, shape (enemies, lanes)
        The gains of one strike, as ranks; changed. Enemies come in fours and a last pair.
    aim : array of uint16, shape (lanes,)
        The row of the enemy aimed at.
    fresh : array of uint16, shape (lanes,)
        The gain from that enemy now.
    lanes : uint64
    """
    for at in range(0, len(rows) - 2, 4):
        a, b, c, d = W(at), W(at + 1), W(at + 2), W(at + 3)
        for k in range(lanes):
            who, gain = aim[k], fresh[k]
            of_a, of_b, of_c, of_d = rows[at, k], rows[at + 1, k], rows[at + 2, k], rows[at + 3, k]
            rows[at, k] = gain if who == a else of_a
            rows[at + 1, k] = gain if who == b else of_b
            rows[at + 2, k] = gain if who == c else of_c
            rows[at + 3, k] = gain if who == d else of_d
    if len(rows) % 4:
        last, a, b = len(rows) - 2, W(len(rows) - 2), W(len(rows) - 1)
        for k in range(lanes):
            who, gain = aim[k], fresh[k]
            of_a, of_b = rows[last, k], rows[last + 1, k]
            rows[last, k] = gain if who == a else of_a
            rows[last + 1, k] = gain if who == b else of_b


@jit.merged
def regain_there(ranks: Any, tough: Any, gains: Any, aim: Any, after: Any, fresh: Any, wide: Any, lanes: Any) -> None:
    """Look up the gains of all strikes of a side at the enemies aimed at, where nobody moves.

    What is looked up doesn't compile to vector instructions; so indices are read, and ranks written, in words of 64
    bits, several lanes at once.

    Parameters
    ----------
    ranks : array of uint64, shape (2, words, enemies x toughness)
        The side's `rank`: the ranks of `WORD_RANKS` strikes, those of the first in the lowest bits; then the
        same in the upper half of a word.
    tough : int
        How many different toughnesses there are for each enemy.
    gains, aim, after, fresh, lanes
        As for `aabalance.engine.battle.moving.regain`; `after` is overwritten.
    wide : tuple of arrays
        From `aabalance.engine.battle.lanes.rows.room_for`: a row that isn't used; `after` in words of four lanes; and a
        row of uint32, in words of two lanes and as it is, which is overwritten.
    """
    at, of_enemy = after, W(tough)
    _, fours, twos, words = wide
    # Where to look becomes vectors, which looking doesn't. There is one aspect, so that it fits.
    for k in range(lanes):
        at[k] += W(aim[k] * of_enemy)
    # The last word may have lanes behind those in use.
    for k in range(lanes, lanes + U(3)):
        at[k] = NONE
    for first in range(0, len(gains), WORD_RANKS):
        lower, upper = ranks[0, first // WORD_RANKS], ranks[1, first // WORD_RANKS]
        for k in range((lanes + U(3)) >> U(2)):
            four = fours[k]
            twos[U(2) * k] = lower[four & LANE] | upper[four >> U(16) & LANE]
            twos[U(2) * k + U(1)] = lower[four >> U(32) & LANE] | upper[four >> U(48)]
        for k in range(lanes):
            fresh[k] = W(words[k])
        put_gains(gains[first], aim, fresh, lanes)
        if first + 1 < len(gains):
            for k in range(lanes):
                fresh[k] = W(words[k] >> LANE_BITS)
            put_gains(gains[first + 1], aim, fresh, lanes)
