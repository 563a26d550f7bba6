"""The search for the best list against a field: races of many lists, then climbs from unlike ones.

Battles go to what may still be the best: all lists of a race fight a few, the better ones more (successive halving,
Jamieson and Talwalkar 2016). A climb races the neighbours of a list, and moves to one that beats it on the same dice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aabalance.engine.sampling import Advance
from aabalance.lists.allowance import Allowance
from aabalance.lists.payoffs import Payoffs, Scorer, Units

BATTLES, LEAST_BATTLES = 1_000_000, 50_000
STARTS = 5
"""Climbs, which share the battles that the first race leaves."""
OPENING = ((32, 160), (96, 24), (896, 12))
NEIGHBOURS = 240
STEPS = ((48, 32), (208, 6), (1792, 1))
"""Races: the battles of each list, and how many of the lists go on."""
DUEL = 4096
"""Battles of a list and the best of its neighbours on the same dice, before a climb moves on."""
GIVEN_UP = 2
"""Steps without a better neighbour after which a climb ends."""
UNLIKE = 0.5
"""Lists are unlike if they share less of their requisition."""


class Found(NamedTuple):
    """A list and what it scores, on the dice of the search: the best of many scores, and so too high."""

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
    starts: int = STARTS,
    known: Sequence[Units] = (),
    advance: Advance = lambda battles: None,
) -> list[Found]:
    """Return the best lists that a search finds, the best first: the end of each climb.

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
    starts : int
        How many climbs there are.
    known : sequence of Units
        Lists that take part in the first race.
    advance : callable
        Called with the number of battles done since the last call.
    """
    payoffs = allowance.payoffs
    pool = dict.fromkeys([*known, *allowance.of_one_kind(rng)])
    # A sixth of the battles opens the search.
    for _ in range(battles // 6 // OPENING[0][0] - len(pool)):
        pool[allowance.random(rng)] = None
    opened = race(score, list(pool), OPENING)
    spent = race_takes(len(pool), OPENING)
    advance(spent)
    begun = unlike(payoffs, opened, starts)
    first = sum(more for more, _ in OPENING)
    best = []
    for n, start in enumerate(begun):
        share = (battles - spent) // (len(begun) - n)
        end, cost = _climb(score, allowance, rng, start.units, share, first, advance)
        spent += cost
        best.append(end)
    final = score([one.units for one in best], 4 * DUEL, first)
    ranked = sorted(zip(best, final.tolist(), strict=True), key=lambda pair: -pair[1])
    return list({one.units: one._replace(score=mean) for one, mean in reversed(ranked)}.values())[::-1]


def _climb(
    score: Scorer,
    allowance: Allowance,
    rng: np.random.Generator,
    start: Units,
    battles: int,
    first: int,
    advance: Advance,
) -> tuple[Found, int]:
    """Climb from a list as long as battles and better neighbours are left; return where it ends and what it took."""
    now, spent, failed = Found(start, float(score([start], DUEL, first)[0])), DUEL, 0
    while spent < battles and failed < GIVEN_UP:
        near = allowance.near(now.units, rng, NEIGHBOURS)
        if not near:
            break
        # A step has dice of its own: what was lucky in the last one isn't again.
        at = first + 10 * DUEL + spent
        best = race(score, near, STEPS, at)[0]
        pair = score([now.units, best.units], DUEL, at + DUEL)
        cost = race_takes(len(near), STEPS)
        spent += cost + 2 * DUEL
        advance(cost + 2 * DUEL)
        if pair[1] > pair[0]:
            now, failed = Found(best.units, float(pair[1])), 0
        else:
            failed += 1
    return now, spent


def leave_one_out(payoffs: Payoffs, units: Units) -> dict[int, Units]:
    """Return a list without one of each of its cards."""
    return {unit: units[: units.index(unit)] + units[units.index(unit) + 1 :] for unit in dict.fromkeys(units)}
