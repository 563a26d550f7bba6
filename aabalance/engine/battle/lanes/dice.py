"""The dice of battles as the kernel rolls them, in many lanes at once: what a strike needs, what falls, what it takes.

A random word gives four digits; a digit is a die together with its reroll. Each digit of a turn has a place of its own,
which says in which word it is, so that a die depends on nothing but the key, the trial, the turn and its place. A
strike is a number of sequences of one or two digits: a sequence takes toughness if its digits are high enough. What a
strike needs at an enemy is packed into one number, its entry; `aabalance.engine.battle.lanes.rolls` makes the entries.
All functions are plain loops over the lanes, which also compile to vector instructions: the narrower the numbers, the
more lanes at once.

Parameters of most functions
    dice, entries, drawing
        The dice of the battle, the entries of the side, and the words of the turn.
    slot, place, sequence : int
        The place of a strike's first digit, that of any digit, and the number of a sequence, from 0.
    picked : Picked
        The strikes and their enemies, whose rows are `aim` too.
    entry : array of uint64, shape (lanes,)
        The entries of the strikes.
    need, die, second : array of uint16, shape (lanes,)
        The lowest bits of the entry, and the first and the second digit.
    loss, after : array of uint16, shape (lanes,)
        The toughness that the strike takes, and what its enemy has left then.
    lanes : uint64
        Number of lanes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import ALL, NONE, ONE, Counts, Int, Picked, Row, Rows, W, Words
from aabalance.engine.rng import FRACTION, digit, philox

U = np.uint64

NEED, SEQUENCES, EFFECT = U(255), U(7), U(127)
EFFECT_BITS = 7
"""Width of an effect in an entry, which has from the lowest bit on the first digit needed, the effect for each face of
the second digit (the first of them for all, if there is no second digit), the number of sequences, and the second digit
needed."""
EFFECTS_AT, SEQUENCES_AT, SECOND_AT = U(8), U(50), U(53)
LOW_NEED, LOW_EFFECT, LOW_EFFECT_AT = W(NEED), W(EFFECT), W(EFFECTS_AT)
WORD_DIGITS, BLOCK_DIGITS = 4, 8
LAST = W(col.SIDE_UNITS - 1)
FACE_BITS = U(16)

Entries = npt.NDArray[np.uint64]
"""What each strike of a side needs and does at each enemy: by strike, enemy and share. The last row is for no
strike, and needs nothing."""


class Dice(NamedTuple):
    """What holds for the dice of all strikes.

    Attributes
    ----------
    base, shares : int
        How many values a digit has, and how many a digit that draws a share.
    slots : int
        The largest number of strikes of a turn.
    digits : int
        The largest number of digits of a strike.
    full : int
        1 if sequences may take two digits.
    face : int
        The factor that turns a second digit into its face, once the product is shifted down by `FACE_BITS`.
    up_to : array of uint64, shape (shares - 1,)
        For each share but the last, the digit from which on the next one is drawn.
    factors : array of uint64, shape (places,)
        For each place of a digit in a turn, the factor that brings the digit to the front of its word.
    """

    base: Int
    shares: int
    slots: int
    digits: int
    full: int
    face: int
    up_to: Words
    factors: Words


class Drawing(NamedTuple):
    """The random words of a turn, and of what they are functions.

    Attributes
    ----------
    key : uint64
        The key of all random numbers of the run.
    turn : array of uint16, shape (lanes,)
        Number of the player turn, from 1.
    trial : array of uint64, shape (lanes,)
        The number of the trial.
    words : array of uint64, shape (2 * blocks, lanes)
        The words of the turn; those that aren't drawn yet have no meaning.
    drawn : array of int64, shape (blocks,)
        1 for each block of words that is drawn, else 0.
    """

    key: np.uint64
    turn: Row
    trial: Words
    words: Words
    drawn: Counts


def look_up(
    dice: Dice, entries: Entries, slot: Int, drawing: Drawing, picked: Picked, need: Row, entry: Words, lanes: Int
) -> Int:
    """Look up the `entry` of the strike that each lane makes, and its lowest bits, `need`.

    The result is a number of sequences that no lane's strike exceeds.
    """
    chosen, aim, _, share, _, _ = picked
    if dice.shares > 1:
        roll(slot, dice.shares, dice, drawing, need, lanes)
    for k in range(lanes):
        share[k] = NONE
    for up_to in dice.up_to:
        for k in range(lanes):
            share[k] += W(need[k] >= up_to)
    every = U(0)
    if dice.shares > 1:
        for k in range(lanes):
            entry[k] = entries[chosen[k], aim[k], share[k]]
            every |= entry[k]
    else:
        for k in range(lanes):
            entry[k] = entries[chosen[k], aim[k], 0]
            every |= entry[k]
    for k in range(lanes):
        need[k] = W(entry[k])
    return np.int64((every >> SEQUENCES_AT) & SEQUENCES)


def draw(place: Int, dice: Dice, drawing: Drawing, lanes: Int) -> None:
    """Draw the block of words that a digit of this turn is in, unless it is drawn already.

    Row ``place // WORD_DIGITS`` of the words has the digit.
    """
    key, turn, trial, words, drawn = drawing
    block = place // BLOCK_DIGITS
    low, high = words[2 * block], words[2 * block + 1]
    if drawn[block] == 0:
        drawn[block] = 1
        # Turns count from 1, blocks from 0. (Taking 1 from a turn makes each lane wait for the one before it: a vector
        # of ones is then made anew of whatever its register held.)
        blocks, before = U(len(drawn)), U(block) - U(len(drawn))
        for k in range(lanes):
            low[k], high[k] = philox(key, U(turn[k]) * blocks + before, trial[k])


def roll(place: Int, base: Int, dice: Dice, drawing: Drawing, die: Row, lanes: Int) -> None:
    """Roll the digit of a place in each lane: one of `base` values."""
    draw(place, dice, drawing, lanes)
    word, factor, values = drawing.words[place // WORD_DIGITS], dice.factors[place], U(base)
    for k in range(lanes):
        die[k] = W(digit(word[k] * factor & FRACTION, values))


def throw(entry: Words, need: Row, die: Row, sequence: Int, loss: Row, lanes: Int) -> None:
    """Add what a `sequence` of one digit takes in each lane.

    In `need`, strikes that have no such sequence are cleared: they take nothing by it.
    """
    number = U(sequence)
    if sequence > 0:
        for k in range(lanes):
            so_far = need[k]
            need[k] = so_far if number < (entry[k] >> SEQUENCES_AT) & SEQUENCES else NONE
    for k in range(lanes):
        e, lost = need[k], loss[k]
        effect = W(W(e >> LOW_EFFECT_AT) & LOW_EFFECT)
        loss[k] = lost + W(effect if die[k] >= W(e & LOW_NEED) else NONE)


def throw_two(entry: Words, die: Row, second: Row, sequence: Int, dice: Dice, loss: Row, lanes: Int) -> None:
    """Add what a `sequence` of two digits takes in each lane: nothing for strikes that have no such sequence."""
    number, face = U(sequence), U(dice.face)
    for k in range(lanes):
        e, shown = entry[k], U(second[k])
        hit = (die[k] >= e & NEED) & (number < (e >> SEQUENCES_AT) & SEQUENCES) & (shown >= e >> SECOND_AT & NEED)
        effect = (e >> (EFFECTS_AT + U(EFFECT_BITS) * (shown * face >> FACE_BITS))) & EFFECT
        loss[k] += W(effect if hit else 0)


def lose(enemies: Rows, alive: Row, aim: Row, loss: Row, after: Row, lanes: Int) -> None:
    """Take from the `enemies` aimed at what the strikes take, and write what they have left `after` it.

    No enemy loses more than it has; `alive` has the enemies that are left, a bit each.
    """
    for enemy in range(len(enemies)):
        at = W(enemy)
        for k in range(lanes):
            hit, lost, before, had = aim[k] == at, loss[k], after[k], enemies[enemy, k]
            has = W(had - min(had, lost if hit else NONE))
            enemies[enemy, k] = has
            after[k] = has if hit else before
    # With a count that is surely below 16, the shift is done in 16 bits.
    for k in range(lanes):
        left, bit = alive[k], W(ONE << W(aim[k] & LAST))
        alive[k] = W(left & W(bit ^ ALL)) if after[k] == NONE else left


def put_gains(rows: Rows, aim: Row, fresh: Row, lanes: Int) -> None:
    """Write a strike's `fresh` gain from the enemy aimed at into its `rows`, which are by enemy."""
    for enemy in range(len(rows)):
        at = W(enemy)
        for k in range(lanes):
            was, now = rows[enemy, k], fresh[k]
            rows[enemy, k] = now if aim[k] == at else was


def regain(rank: npt.NDArray[np.int32], gains: Rows, aim: Row, after: Row, fresh: Row, lanes: Int) -> None:
    """Look up the gains of all strikes of a side at the enemies aimed at, which have so much left `after` a strike.

    `rank` and `gains` are by strike and enemy: the first by the toughness left, too. `fresh` is scratch.
    """
    for strike in range(len(gains)):
        table = rank[strike]
        for k in range(lanes):
            fresh[k] = W(table[aim[k], after[k]])
        put_gains(gains[strike], aim, fresh, lanes)
