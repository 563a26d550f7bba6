"""Exact probability algebra on fractions. No game words in here.

A distribution is a plain ``dict`` from outcome (int) to probability (`fractions.Fraction`); it never holds an outcome
of probability zero and its probabilities sum to one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

Pmf = dict[int, Fraction]

ONE = Fraction(1)


def constant(value: int) -> Pmf:
    """Return the distribution that is always `value`."""
    return {value: ONE}


def die(sides: int) -> Pmf:
    """Return one fair die with faces ``1 .. sides``."""
    return {face: Fraction(1, sides) for face in range(1, sides + 1)}


def at_least(sides: int, need: int, *, reroll: int = 0, limit: int | None = 1) -> Fraction:
    """Return the chance that one die shows `need` or more.

    Parameters
    ----------
    sides, need : int
        ``need <= 1`` is certain, ``need > sides`` impossible.
    reroll : int, default 0
        A failing face that is rolled again; a face that the die does not have, or that succeeds, changes nothing.
    limit : int or None, default 1
        How often; ``None`` is without end.
    """
    p = Fraction(min(sides, max(0, sides + 1 - need)), sides)
    if not 1 <= reroll < min(need, sides + 1) or p == 0:
        return p
    again = Fraction(1, sides)
    if limit is None:
        return p / (1 - again)
    return p * sum((again**k for k in range(limit + 1)), Fraction(0))


def bernoulli(p: Fraction, pmf: Pmf) -> Pmf:
    """Return `pmf` with probability `p`, else 0."""
    out = {value: p * q for value, q in pmf.items() if p * q}
    if p != 1:
        out[0] = out.get(0, Fraction(0)) + 1 - p
    return out


def convolve(left: Pmf, right: Pmf) -> Pmf:
    """Return the distribution of the sum of two independent outcomes."""
    out: Pmf = {}
    for a, p in left.items():
        for b, q in right.items():
            out[a + b] = out.get(a + b, Fraction(0)) + p * q
    return out


def pool(parts: Iterable[Pmf]) -> Pmf:
    """Return the distribution of the sum of independent outcomes; of none, 0."""
    out = constant(0)
    for part in parts:
        out = convolve(out, part)
    return out


def transform(pmf: Pmf, function: Callable[[int], int]) -> Pmf:
    """Return the distribution of ``function(outcome)``."""
    out: Pmf = {}
    for value, p in pmf.items():
        image = function(value)
        out[image] = out.get(image, Fraction(0)) + p
    return out


def mean(pmf: Pmf) -> Fraction:
    """Return the expected outcome."""
    return sum((value * p for value, p in pmf.items()), Fraction(0))


def chance_of_at_least(pmf: Pmf, value: int) -> Fraction:
    """Return the probability of `value` or more."""
    return sum((p for outcome, p in pmf.items() if outcome >= value), Fraction(0))
