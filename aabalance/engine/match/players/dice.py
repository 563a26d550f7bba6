"""Random numbers of a match: those of its dice, and those of whoever decides.

`key` is the key of the random numbers, `match` the number of a match, and `at` that of the decision in it.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.rng import FRACTION, digit, philox
from aabalance.rulesets.base.match import RANDOM, WORDS, Record

U = np.uint64

PLAYER_BLOCK = U(WORDS // 2)
"""The block of random numbers from which a player takes his own, behind those of the dice."""


def own_word(key: int | np.uint64, match: int, at: int) -> np.uint64:
    """Return the random word of whoever makes a decision."""
    word, _ = philox(U(key), U(match), U(at) << U(3) | PLAYER_BLOCK)
    return word


def pick(word: np.uint64, count: int) -> int:
    """Return one of the numbers below `count`, each alike."""
    return int(digit(word & FRACTION, U(count)))


def shake(dice: Record, key: int | np.uint64, match: int, at: int) -> None:
    """Make the dice of a decision random: they depend on the key, the match and the decision alone."""
    dice.source, dice.rolled, dice.given = RANDOM, 0, 0
    for block in range(WORDS // 2):
        one, other = philox(U(key), U(match), U(at) << U(3) | U(block))
        dice.words[2 * block], dice.words[2 * block + 1] = one & FRACTION, other & FRACTION
