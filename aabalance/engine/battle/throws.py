"""The dice of battles as the kernel rolls them, in many lanes at once: what a strike needs, what falls, what it takes.

A random word gives four digits; a digit is a die together with its reroll. Each digit of a turn has a place of its own,
which says in which word it is, so that a die depends on nothing but the key, the trial, the turn and its place. A
strike is a number of sequences of one or two digits: a sequence takes toughness if its digits are high enough. What a
strike needs at an enemy is packed into one number, its entry; `aabalance.engine.battle.rolls` makes the entries. All
functions are plain loops over the lanes, which also compile to vector instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.lanes import ALL, NONE, ONE, SIDE_UNITS, W
from aabalance.engine.rng import FRACTION, digit, philox

U = np.uint64

BASE, SHARES, SLOTS, DIGITS, FULL, FACE, MOMENTS, WRECK_PLACE = range(8)
"""Indices of the array `dice`, which holds for all strikes: how many values a digit has, and how many a digit that
draws a share; the largest number of strikes of a turn, and of digits of a strike; 1 if sequences may take two digits;
the factor that turns a second digit into its face, once the product is shifted down by 16 bits; the number of moments;
and the place of the digit of the first rider."""
NEED_BITS, SEQUENCE_BITS, EFFECT_BITS = 8, 3, 7
"""Widths of the fields of an entry, from the lowest bit on: the first digit needed, the number of sequences, the second
digit needed (as wide as the first), then the effect for each face of the second digit."""
NEED, SEQUENCES, EFFECT = U(255), U(7), U(127)
SEQUENCES_AT, SECOND_AT, EFFECTS_AT = U(8), U(11), U(19)
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
    large : tuple of arrays of uint64, shape (lanes,)
        The number of the trial; two arrays that take the entry and, if shares are drawn, the digit of the share; and
        two that aren't used.
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
    trial, entry, shown, _, _ = large
    views, moments = U(len(up_to) + 1), U(dice[MOMENTS])
    if views * moments > U(1):
        for k in range(lanes):
            entry[k] = ((U(chosen[k]) * U(SIDE_UNITS) + U(aim[k])) * moments + U(moment[k])) * views
    if len(up_to):
        draw(slot, dice, key, turn, trial, words, drawn, lanes)
        word, factor = words[slot // WORD_DIGITS], factors[slot]
        shares = U(dice[SHARES])
        for k in range(lanes):
            shown[k] = digit(word[k] * factor & FRACTION, shares)
        for share in range(len(up_to)):
            for k in range(lanes):
                entry[k] += U(shown[k] >= up_to[share])
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
    return np.int64((every >> SEQUENCES_AT) & SEQUENCES)


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


def throw(entry: Any, word: Any, factor: Any, sequence: Any, base: Any, loss: Any, lanes: Any) -> None:
    """Roll a sequence of one digit in each lane, and write or add what it takes.

    Parameters
    ----------
    entry : array of uint64, shape (lanes,)
        From `look_up`.
    word : array of uint64, shape (lanes,)
        The row of the words that has the digit.
    factor : uint64
        The factor that brings the digit to the front of its word.
    sequence : uint64
        The number of the sequence, from 0; strikes that have no such sequence take nothing by it.
    base : uint64
        How many values a digit has.
    loss : array of uint16, shape (lanes,)
        The toughness that the strike takes: overwritten by the first sequence, later ones are added.
    lanes : uint64
        Number of lanes.
    """
    before = W(ALL if sequence > 0 else NONE)
    for k in range(lanes):
        die, e = digit(word[k] * factor & FRACTION, base), entry[k]
        hit = (die >= e & NEED) & (sequence < (e >> SEQUENCES_AT) & SEQUENCES)
        loss[k] = W(loss[k] & before) + W((e >> EFFECTS_AT) & EFFECT if hit else 0)


def throw_two(entry: Any, word: Any, factor: Any, shown: Any, sequence: Any, dice: Any, loss: Any, lanes: Any) -> None:
    """Roll the second digit of a sequence in each lane, and write or add what the sequence takes.

    Parameters
    ----------
    entry, sequence, loss, lanes
        As for `throw`.
    word, factor
        As for `throw`, for the second digit.
    shown : array of uint64, shape (lanes,)
        The first digit.
    dice : array of int64
        As for `look_up`.
    """
    base, face, before = U(dice[BASE]), U(dice[FACE]), W(ALL if sequence > 0 else NONE)
    for k in range(lanes):
        die, e = digit(word[k] * factor & FRACTION, base), entry[k]
        hit = (shown[k] >= e & NEED) & (sequence < (e >> SEQUENCES_AT) & SEQUENCES) & (die >= (e >> SECOND_AT) & NEED)
        effect = (e >> (EFFECTS_AT + U(EFFECT_BITS) * (die * face >> FACE_BITS))) & EFFECT
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
