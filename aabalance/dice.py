"""Exact probability algebra on fractions, for any game.

A distribution is a plain ``dict`` from outcome to probability (`fractions.Fraction`). It has no outcome of probability
zero, and its probabilities sum to one. The outcomes of a `Pmf` are whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TypeVar

Pmf = dict[int, Fraction]
A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)

ONE = Fraction(1)


def constant(value: int) -> Pmf:
    """Return the distribution that is always `value`."""
    return {value: ONE}


def die(sides: int) -> Pmf:
    """Return the distribution of a fair die with faces ``1 .. sides``."""
    return {face: Fraction(1, sides) for face in range(1, sides + 1)}


@lru_cache(maxsize=4096)  # the needs of a match ask for the same few chances thousands of times
def at_least(sides: int, need: int, *, reroll: int = 0, limit: int | None = 1) -> Fraction:
    """Return the chance that one die shows `need` or more.

    Parameters
    ----------
    sides : int
        Number of faces.
    need : int
        Lowest face that succeeds. With ``need <= 1`` success is certain, with ``need > sides`` impossible.
    reroll : int, default 0
        A failing face that is rolled again. A face that the die doesn't have, or that succeeds, has no effect.
    limit : int or None, default 1
        How often it may be rolled again; None: without a limit.
    """
    p = Fraction(min(sides, max(0, sides + 1 - need)), sides)
    if not 1 <= reroll < min(need, sides + 1) or p == 0:
        return p
    again = Fraction(1, sides)
    if limit is None:
        return p / (1 - again)
    return p * sum((again**k for k in range(limit + 1)), Fraction(0))


def bernoulli(p: Fraction, pmf: Pmf) -> Pmf:
    """Return the distribution of an outcome of `pmf` with probability `p`, and of 0 otherwise."""
    return collected([*((value, p * q) for value, q in pmf.items()), (0, 1 - p)])


def convolve(left: Pmf, right: Pmf) -> Pmf:
    """Return the distribution of the sum of two independent outcomes."""
    (over_left, ways_left), (over_right, ways_right) = _ways(left), _ways(right)
    out: dict[int, int] = {}
    for a, m in ways_left:
        for b, n in ways_right:
            out[a + b] = out.get(a + b, 0) + m * n
    return {value: Fraction(ways, over_left * over_right) for value, ways in out.items()}


def _ways(pmf: Pmf) -> tuple[int, list[tuple[int, int]]]:
    """Return a common denominator, and each outcome with its numerator.

    Integers add much quicker than fractions.
    """
    over = lcm(*(p.denominator for p in pmf.values()))
    return over, [(value, p.numerator * (over // p.denominator)) for value, p in pmf.items()]


def pool(parts: Iterable[Pmf]) -> Pmf:
    """Return the distribution of the sum of independent outcomes, one of each part; without parts it is always 0."""
    out = constant(0)
    for part in parts:
        out = convolve(out, part)
    return out


def transform(pmf: Mapping[A, Fraction], function: Callable[[A], B]) -> dict[B, Fraction]:
    """Return the distribution of ``function(outcome)`` for an outcome of `pmf`."""
    return collected((function(value), p) for value, p in pmf.items())


def collected(chances: Iterable[tuple[A, Fraction]]) -> dict[A, Fraction]:
    """Return the distribution with these outcomes and chances; the chances of equal outcomes are added."""
    out: dict[A, Fraction] = {}
    for value, p in chances:
        if p:
            out[value] = out.get(value, Fraction(0)) + p
    return out


def mixture(weights: Mapping[A, Fraction], branch: Callable[[A], Mapping[B, Fraction]]) -> dict[B, Fraction]:
    """Return the distribution after two steps of chance: an outcome of `weights`, then one of ``branch(outcome)``."""
    branches = [(p, branch(before)) for before, p in weights.items()]
    over = lcm(*(p.denominator for p, _ in branches))
    over_after = lcm(*(q.denominator for _, after in branches for q in after.values()))
    out: dict[B, int] = {}
    for p, afters in branches:
        ways = p.numerator * (over // p.denominator)
        for after, q in afters.items():
            out[after] = out.get(after, 0) + ways * (q.numerator * (over_after // q.denominator))
    return {after: Fraction(n, over * over_after) for after, n in out.items() if n}


def sequence(start: A, steps: Iterable[Callable[[A], Mapping[A, Fraction]]]) -> dict[A, Fraction]:
    """Return the distribution after several steps of chance, each of which depends on the outcome before it.

    Parameters
    ----------
    start : hashable
        The outcome before the first step.
    steps : iterable of callable
        Each takes the outcome before it, and returns the distribution of the outcome after it.
    """
    now = {start: ONE}
    for step in steps:
        now = mixture(now, step)
    return now


def mean(pmf: Pmf) -> Fraction:
    """Return the expected outcome."""
    over, ways = _ways(pmf)
    return Fraction(sum(value * n for value, n in ways), over)


def chance_of_at_least(pmf: Pmf, value: int) -> Fraction:
    """Return the probability that the outcome is `value` or more."""
    return sum((p for outcome, p in pmf.items() if outcome >= value), Fraction(0))
