"""The dice of battles: what a strike needs, and the digits of words that are thrown for it, in many lanes at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.lanes import ALL, NONE, ONE, SIDE_UNITS, W
from aabalance.engine.rng import FRACTION, digit, philox

U = np.uint64

BASE, SHARES, SLOTS, DIGITS, FULL, FACE, MOMENTS, WRECK_PLACE = range(8)
"""What is said of all dice: the values of a digit, those of one that draws a share, strikes of a turn and digits of
each at most, 1 if some sequences take two digits, by what to multiply the second, which gives its face in front of the
lowest 16 bits, how many moments a strike may be made at, and the place of the digit of the first rider."""
NEED_BITS, SEQUENCE_BITS, EFFECT_BITS = 8, 3, 7
"""An entry: the first digit needed, sequences, the second digit needed, then effects by the face of the second."""
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
    """Fetch the entry of each lane's strike.

    Parameters
    ----------
    dice : array of int64
        `BASE` and what follows.
    entries : array of uint64, shape (strikes + 1, `SIDE_UNITS`, moments, shares), ravelled
        What each strike of the side needs, and does, at each enemy; the last row is of no strike.
    up_to : array of uint64, shape (shares - 1,)
        The digits up to which each share is drawn, but for the last.
    factors : array of uint64, shape (places,)
        By place of a digit in a turn, what to multiply its word by to bring its fraction to the front.
    slot : int
        The place of the strike's first digit.
    key : uint64
        The key of all words of the run.
    turn : array of uint16, shape (lanes,)
        Player turns, from 1.
    picked : tuple of arrays of uint16, shape (lanes,)
        The strikes and whom they are at, as policies write them; the fourth is written on.
    moment : array of uint16, shape (lanes,)
        The moment of each strike at its enemy.
    large : tuple of arrays of uint64, shape (lanes,)
        The trial; the entry, written; the digit of the share, written if shares are drawn; two that aren't used.
    words : array of uint64, shape (2 * blocks, lanes)
        The words of the turn, as far as they are drawn.
    drawn : array of int64, shape (blocks,)
        1 for blocks of words that are drawn.
    lanes : uint64

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
        # Where to look becomes vectors, which looking doesn't.
        for k in range(lanes):
            at[k] = W(chosen[k] * W(SIDE_UNITS)) + aim[k]
        for k in range(lanes):
            entry[k] = entries[at[k]]
            every |= entry[k]
    return np.int64((every >> SEQUENCES_AT) & SEQUENCES)


def draw(place: Any, dice: Any, key: Any, turn: Any, trial: Any, words: Any, drawn: Any, lanes: Any) -> None:
    """Draw the words that a digit of this turn is in, unless they are drawn.

    Parameters
    ----------
    place : int
        The place of the digit in its turn: of row ``place // WORD_DIGITS`` of the words.
    dice, key, turn, words, drawn
        As for `look_up`.
    trial : array of uint64, shape (lanes,)
    lanes : uint64
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
    """Roll a sequence of one digit in each lane.

    Parameters
    ----------
    entry : array of uint64, shape (lanes,)
        From `look_up`.
    word : array of uint64, shape (lanes,)
        The row of the words that the digit is in.
    factor : uint64
        What brings the digit to the front of its word.
    sequence : uint64
        The number of the sequence; strikes that have fewer do nothing.
    base : uint64
        The values of a digit.
    loss : array of uint16, shape (lanes,)
        The toughness that the strike takes: written with the first sequence, then added to.
    lanes : uint64
    """
    before = W(ALL if sequence > 0 else NONE)
    for k in range(lanes):
        die, e = digit(word[k] * factor & FRACTION, base), entry[k]
        hit = (die >= e & NEED) & (sequence < (e >> SEQUENCES_AT) & SEQUENCES)
        loss[k] = W(loss[k] & before) + W((e >> EFFECTS_AT) & EFFECT if hit else 0)


def throw_two(entry: Any, word: Any, factor: Any, shown: Any, sequence: Any, dice: Any, loss: Any, lanes: Any) -> None:
    """Roll the second digit of a sequence.

    Parameters
    ----------
    entry, word, factor, sequence, loss
        As for `throw`, of the second digit.
    shown : array of uint64, shape (lanes,)
        The first digit.
    dice : array of int64
        `BASE` and what follows.
    lanes : uint64
    """
    base, face, before = U(dice[BASE]), U(dice[FACE]), W(ALL if sequence > 0 else NONE)
    for k in range(lanes):
        die, e = digit(word[k] * factor & FRACTION, base), entry[k]
        hit = (shown[k] >= e & NEED) & (sequence < (e >> SEQUENCES_AT) & SEQUENCES) & (die >= (e >> SECOND_AT) & NEED)
        effect = (e >> (EFFECTS_AT + U(EFFECT_BITS) * (die * face >> FACE_BITS))) & EFFECT
        loss[k] = W(loss[k] & before) + W(effect if hit else 0)


def lose(enemies: Any, alive: Any, aim: Any, loss: Any, after: Any, lanes: Any) -> None:
    """Take what was lost from the enemies aimed at, and write what they have then.

    Parameters
    ----------
    enemies : array of uint16, shape (units, lanes)
        The toughness that each enemy has left; changed. Enemies come in fours and a last pair.
    alive : array of uint16, shape (lanes,)
        Who is left of them, a bit each; changed.
    aim : array of uint16, shape (lanes,)
        The enemy aimed at.
    loss : array of uint16, shape (lanes,)
        What the strike takes, at most all that there is.
    after : array of uint16, shape (lanes,)
        Written: what the enemy aimed at has left.
    lanes : uint64
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
    # A shift by less than 16 stays one of 16 bits.
    for k in range(lanes):
        left, bit = alive[k], W(ONE << W(aim[k] & LAST))
        alive[k] = W(left & W(bit ^ ALL)) if after[k] == NONE else left
