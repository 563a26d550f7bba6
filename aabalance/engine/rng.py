"""Counter-based random numbers: Philox4x32-10, and dice made of its words.

Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011). There is no state: a die is a pure
function of (key, trial, word), so that results can't depend on threads, blocks or the order in which trials run.

A word of 64 bits gives digits by fixed-point multiplication: its low 58 bits are taken as a fraction, and
``fraction * base`` has the digit in front of the point and the next fraction behind it. Four digits of base 36 are
biased by less than 1e-11.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from aabalance.engine.arrays import Words

U = np.uint64

MULTIPLIER_0 = U(0xD2511F53)
MULTIPLIER_1 = U(0xCD9E8D57)
WEYL_0 = U(0x9E3779B9)
WEYL_1 = U(0xBB67AE85)
LOW = U(0xFFFFFFFF)
S32 = U(32)

FRACTION_BITS = U(58)
FRACTION = U((1 << 58) - 1)
HALF_BITS = U(29)
HALF = U((1 << 29) - 1)
ONE_PRODUCT = U(1 << 6)
"""Largest base whose product with a fraction fits into 64 bits; with larger ones it takes two products."""

UNNAMED = hashlib.blake2b(digest_size=8)
"""The hash of a name before its first letter: a copy is made in less than half of the time of a new one."""


def philox(key: np.uint64, high: np.uint64, low: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the two 64-bit words of one Philox4x32-10 block.

    Parameters
    ----------
    key : uint64
        Words k1 k0 of the key.
    high, low : uint64
        Words c3 c2 and c1 c0 of the counter.

    Returns
    -------
    tuple of uint64
        Output words x1 x0 and x3 x2.
    """
    c0, c1, c2, c3 = low & LOW, low >> S32, high & LOW, high >> S32
    k0, k1 = key & LOW, key >> S32
    for _ in range(10):
        p0 = MULTIPLIER_0 * c0
        p1 = MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (p1 >> S32) ^ c1 ^ k0, p1 & LOW, (p0 >> S32) ^ c3 ^ k1, p0 & LOW
        k0 = (k0 + WEYL_0) & LOW
        k1 = (k1 + WEYL_1) & LOW
    return c0 | (c1 << S32), c2 | (c3 << S32)


def digit(fraction: np.uint64, base: np.uint64) -> np.uint64:
    """Return the digit with which a fraction of 58 bits begins, exactly for every base below 2**29.

    Parameters
    ----------
    fraction, base : uint64
        The fraction times 2**58, and the base.
    """
    # In loops the base stays the same: the compiler makes a loop for either case.
    if base <= ONE_PRODUCT:
        return fraction * base >> FRACTION_BITS
    return ((fraction >> HALF_BITS) * base + ((fraction & HALF) * base >> HALF_BITS)) >> HALF_BITS


def stream_key(seed: int, *names: str) -> int:
    """Return the 64-bit key of a matchup: a stable hash of the seed and of names, never of positions in a list."""
    return int(stream_keys(seed, *([name] for name in names))[0])


def stream_keys(seed: int, *names: Sequence[str]) -> Words:
    """Return the keys of many matchups.

    Each name is hashed once (BLAKE2b), then folded one after another by splitmix64's finalizer (Steele, Lea, Flood:
    Fast splittable pseudorandom number generators, OOPSLA 2014).

    Parameters
    ----------
    seed : int
        Seed of the dice.
    *names : sequence of str
        Each sequence has a name for every matchup.

    Returns
    -------
    array of uint64, shape (matchups,)
        The key of each matchup.
    """
    keys = np.tile(_hashed([str(seed)]), len(names[0]))
    for column in names:
        keys = _mixed(keys + _hashed(column))
    return keys


def _hashed(names: Sequence[str]) -> Words:
    digests = {name: _digest(name) for name in dict.fromkeys(names)}
    return np.frombuffer(b"".join([digests[name] for name in names]), dtype="<u8").astype(np.uint64, copy=False)


def _digest(name: str) -> bytes:
    state = UNNAMED.copy()
    state.update(name.encode())
    return state.digest()


def _mixed(z: Words) -> Words:
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))
