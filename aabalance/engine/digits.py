"""Dice as digits of a random word. A die with its reroll is a single digit, which succeeds from a threshold on."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from aabalance.errors import UsageError

if TYPE_CHECKING:
    import numpy.typing as npt

DIE_AND_REROLL = 36
ENDLESS_REROLL = 30
"""Bases of digits. For a die with one reroll the digit is 6 x (die - 1) + (reroll die - 1); the other base is for a die
of which one face is rerolled without end."""
LINE_BYTES = 64


def threshold(p: Fraction, base: int) -> int:
    """Return the least digit that succeeds, such that a digit succeeds with chance `p`.

    Parameters
    ----------
    p : Fraction
        Chance of success.
    base : int
        Number of values that a digit can have.

    Raises
    ------
    UsageError
        No threshold gives this chance.
    """
    needed, rest = divmod(base * (p.denominator - p.numerator), p.denominator)
    if rest:
        raise UsageError(f"simulate: a chance of {p} can't be rolled with a die and its reroll; the exact solver can")
    return needed


def aligned(*shape: int, dtype: str = "uint64") -> npt.NDArray[Any]:
    """Return an array of zeros that starts on a cache line: else loads of vectors would need two."""
    import numpy as np

    size = prod(shape) * np.dtype(dtype).itemsize
    raw = np.zeros(size + LINE_BYTES, dtype=np.uint8)
    at = -raw.ctypes.data % LINE_BYTES
    return raw[at : at + size].view(dtype).reshape(shape)
