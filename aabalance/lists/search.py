"""The search for the best list against a field: a race of many lists, then generations of children of the best.

Battles go to what may still be the best: all lists of a race fight a few, the better ones more (successive halving,
Jamieson and Talwalkar 2016). Most children have units of two unlike parents: what fills up one good list often fills up
another. Against a mix that is hard to exploit the best lists have little in common with those that win the first race.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from aabalance.engine.sampling import Advance
from aabalance.lists.allowance import Allowance
from aabalance.lists.payoffs import Payoffs, Scorer, Units

BATTLES, LEAST_BATTLES = 1_000_000, 50_000
OPENING = ((32, 160), (96, 60))
"""The first race: the battles of each list, and how many of the lists go on."""
PARENTS, CHILDREN = 30, 240
"""Lists of a generation: unlike ones, which become fewer as battles are spent, and new ones that are made of them."""
STEPS = ((32, 24), (128, 8))
"""The race of the children."""
TESTED = 512
"""Battles of the parents and the best of their children, on the same dice."""
CROSSED = 0.7
"""Part of the children that have units of two parents."""
LAST, CHOSEN = 0.15, 12
"""Part of the battles that says, on fresh dice, which of so many lists is the best."""
UNLIKE, KINDS = 0.5, 5
"""Lists are unlike if they share less of their requisition; a search returns so many at most."""


class Found(NamedTuple):
    """A list and what it scores, on the dice of the search: the best of some scores, and so too high."""

    units: Units
    score: float


def race(score: Scorer, lists: Sequence[Units], steps: Sequence[tuple[int, int]], first: int = 0) -> list[Found]:
    """Return the lists that are left of a race, the best first.

    Parameters
    ----------
    score : callable
        What lists score.
    lists : sequence of Units
        The lists.
    steps : sequence of (int, int)
        The battles of each list, and how many of the lists go on.
    first : int
        The first battle.
    """
    left, totals, battles = list(lists), np.zeros(len(lists)), 0
    for more, keep in steps:
        totals = totals + more * score(left, more, first + battles)
        battles += more
        order = np.argsort(-totals, kind="stable")[:keep]
        left, totals = [left[at] for at in order], totals[order]
    return [Found(units, float(total / battles)) for units, total in zip(left, totals, strict=True)]


def race_takes(lists: int, steps: Sequence[tuple[int, int]]) -> int:
    """Return how many battles a race of so many lists takes; `steps` as for `race`."""
    battles = 0
    for more, keep in steps:
        battles, lists = battles + more * lists, min(keep, lists)
    return battles


def overlap(payoffs: Payoffs, a: Units, b: Units) -> float:
    """Return the part of their requisition that two lists, `a` and `b`, spend on the same cards of `payoffs`."""
    one, other = payoffs.shares(a), payoffs.shares(b)
    return math.fsum(min(share, other.get(at, 0.0)) for at, share in one.items())


def unlike(payoffs: Payoffs, found: Sequence[Found], most: int) -> list[Found]:
    """Return the first lists of which no two are alike, `most` at most; `found` of a search, `payoffs` its roster."""
    some: list[Found] = []
    for one in found:
        if len(some) < most and all(overlap(payoffs, one.units, other.units) < UNLIKE for other in some):
            some.append(one)
    return some


def search(
    score: Scorer,
    allowance: Allowance,
    rng: np.random.Generator,
    *,
    battles: int = BATTLES,
    known: Sequence[Units] = (),
    advance: Advance = lambda battles: None,
) -> list[Found]:
    """Return the best lists that a search finds, no two of which are alike, the best first.

    Parameters
    ----------
    score : callable
        What lists score.
    allowance : Allowance
        Which lists are legal.
    rng : Generator
        Draws the lists that are tried.
    battles : int
        Battles of the whole search, about.
    known : sequence of Units
        Lists that take part in the first race.
    advance : callable
        Called with the number of battles done since the last call.
    """
    payoffs = allowance.payoffs
    pool = dict.fromkeys([*known, *allowance.of_one_kind(rng)])
    # A twelfth of the battles opens the search.
    for _ in range(battles // 12 // OPENING[0][0] - len(pool)):
        pool[allowance.random(rng)] = None
    at = sum(more for more, _ in OPENING)
    fought = {one.units: (one.score * at, at) for one in race(score, list(pool), OPENING)}
    ranked = _ranked(fought)
    spent = race_takes(len(pool), OPENING)
    advance(spent)
    while spent < (1 - LAST) * battles:
        parents = [one.units for one in unlike(payoffs, ranked, math.ceil(PARENTS * (1 - spent / battles)))]
        children = _children(allowance, rng, parents, fought)
        if not children:
            break
        # A generation has dice of its own: what was lucky in the last one isn't again.
        better = [one.units for one in race(score, children, STEPS, at)]
        at += sum(more for more, _ in STEPS)
        tested = [*parents, *better]
        for units, mean in zip(tested, score(tested, TESTED, at).tolist(), strict=True):
            total, n = fought.get(units, (0.0, 0))
            fought[units] = total + TESTED * mean, n + TESTED
        at += TESTED
        ranked = _ranked(fought)
        cost = race_takes(len(children), STEPS) + TESTED * len(tested)
        spent += cost
        advance(cost)
    best = list(dict.fromkeys(one.units for one in [*ranked[:CHOSEN], *unlike(payoffs, ranked, KINDS)]))
    each = max(battles - spent, 0) // len(best) + TESTED
    final = score(best, each, at).tolist()
    advance(each * len(best))
    return unlike(payoffs, sorted(map(Found, best, final), key=lambda one: -one.score), KINDS)


def _ranked(fought: Mapping[Units, tuple[float, int]]) -> list[Found]:
    """Return lists by what they score, the best first; `fought` are their sums, and their battles."""
    return sorted((Found(units, total / n) for units, (total, n) in fought.items()), key=lambda one: -one.score)


def _children(
    allowance: Allowance, rng: np.random.Generator, parents: Sequence[Units], known: Container[Units]
) -> list[Units]:
    """Return new lists: most have units of two parents, the others are near one."""
    found: dict[Units, None] = {}
    for _ in range(4 * CHILDREN):
        a, b = (parents[at] for at in rng.integers(len(parents), size=2))
        if rng.random() < CROSSED:
            some = [allowance.like(tuple(rng.permutation(a + b).tolist()), rng)]
        else:
            some = allowance.near(a, rng, 1)
        found |= dict.fromkeys(one for one in some if one not in known and allowance.legal(one))
        if len(found) == CHILDREN:
            break
    return list(found)


def leave_one_out(units: Units) -> dict[int, Units]:
    """Return a list without one of each of its cards."""
    return {unit: units[: units.index(unit)] + units[units.index(unit) + 1 :] for unit in dict.fromkeys(units)}
