"""Who acts on whom: one function a policy, over what is left in the middle of a turn.

A policy picks one of the strikes that are ready and an enemy whom it can hurt, again and again until it picks none. It
is a plain loop that also compiles; ties go to the first unit, attack and enemy of the lists, unless it says otherwise.

Parameters of each
    mine : tuple of arrays
        A side of `aabalance.engine.battle.tables.Battle.sides`.
    ready : array of int64, shape (strikes,)
        1 for the strikes that may be made now.
    worth, left : array of int64, shape (enemies,)
        What each enemy counts for, and what toughness it has left.

It returns the strike's number times the number of enemies, plus the enemy's; `NOBODY` if there is nothing to do.

Under many a policy the enemies fall one after the other in an order that is known beforehand, which makes for far
fewer numbers of what is left. A policy may bring a function that says in which order: of the ranks, of what each enemy
may have left by steps, and of what each counts for; it returns None where the order hangs on the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Policy = Callable[[Any, Any, Any, Any], Any]

NOBODY = -1
UNIT = 0
"""Column of a strike's unit."""

Falls = Callable[[Any, Sequence[Sequence[int]], Sequence[int]], list[int] | None]

POLICIES: dict[str, Policy] = {}
FALLS: dict[str, Falls] = {}
"""By policy, those that have one."""


def policy(falls: Falls | None = None) -> Callable[[Policy], Policy]:
    """Register the decorated function under its own name.

    Parameters
    ----------
    falls : callable, optional
        Says in which order the enemies fall under it, which makes for far fewer states. A wrong one makes exact results
        wrong: leave it out unless the order is certain.
    """

    def register(function: Policy) -> Policy:
        POLICIES[function.__name__] = function
        if falls is not None:
            FALLS[function.__name__] = falls
        return function

    return register


def as_listed(rank: Any, lefts: Sequence[Sequence[int]], worth: Sequence[int]) -> list[int] | None:
    """Return the order of the list."""
    return _unless_skipped(rank, lefts, list(range(len(lefts))))


def weakest_first(rank: Any, lefts: Sequence[Sequence[int]], worth: Sequence[int]) -> list[int] | None:
    """Return the order of what they have at full strength: one that was hit has less than any that comes after it."""
    return _unless_skipped(rank, lefts, sorted(range(len(lefts)), key=lambda enemy: (lefts[enemy][-1], -worth[enemy])))


def _unless_skipped(rank: Any, lefts: Sequence[Sequence[int]], order: list[int]) -> list[int] | None:
    """Return an order if every strike that hurts an enemy also hurts all that fall before it."""
    for strike in rank:
        hurts = [strike[enemy, lefts[enemy][-1]] > 0 for enemy in order]
        if hurts != sorted(hurts, reverse=True):
            return None
    return order


def most_gainful_first(rank: Any, lefts: Sequence[Sequence[int]], worth: Sequence[int]) -> list[int] | None:
    """Return the order of the gains at full strength, if all strikes agree on it and damage only brings a target on."""
    full = [[int(strike[enemy, lefts[enemy][-1]]) for strike in rank] for enemy in range(len(lefts))]
    order = sorted(range(len(lefts)), key=lambda enemy: full[enemy], reverse=True)
    for at, enemy in enumerate(order):
        for strike in range(len(rank)):
            least = min(int(rank[strike, enemy, left]) for left in lefts[enemy])
            for later in order[at + 1 :]:
                if least < full[later][strike] or (least == full[later][strike] > 0 and later < enemy):
                    return None
    return order


@policy(as_listed)
def list_order(mine: Any, ready: Any, worth: Any, left: Any) -> Any:
    """The first unit in list order that can hurt an enemy, at the first such enemy in list order."""
    strikes, rank = mine[2], mine[3]
    unit = first_unit(strikes, rank, ready, left)
    for enemy in range(len(left)):
        strike = best_strike(strikes, rank, ready, left, unit, enemy)
        if strike != NOBODY:
            return strike * len(left) + enemy
    return NOBODY


@policy(weakest_first)
def focus(mine: Any, ready: Any, worth: Any, left: Any) -> Any:
    """The first unit that can hurt an enemy; of these the one with the least left, then the dearest, then the first."""
    strikes, rank = mine[2], mine[3]
    unit = first_unit(strikes, rank, ready, left)
    chosen = found = NOBODY
    for enemy in range(len(left)):
        if chosen != NOBODY and not (
            left[enemy] < left[found] or (left[enemy] == left[found] and worth[enemy] > worth[found])
        ):
            continue
        strike = best_strike(strikes, rank, ready, left, unit, enemy)
        if strike != NOBODY:
            chosen, found = strike * len(left) + enemy, enemy
    return chosen


@policy(most_gainful_first)
def value(mine: Any, ready: Any, worth: Any, left: Any) -> Any:
    """Whatever is expected to take most of an enemy's worth, per action."""
    rank = mine[3]
    chosen = NOBODY
    most = 0
    for strike in range(len(ready)):
        if ready[strike] == 0:
            continue
        for enemy in range(len(left)):
            if rank[strike, enemy, left[enemy]] > most:
                most = rank[strike, enemy, left[enemy]]
                chosen = strike * len(left) + enemy
    return chosen


def first_unit(strikes: Any, rank: Any, ready: Any, left: Any) -> Any:
    """Return the first unit that can hurt an enemy, or `NOBODY`; the dead have rank 0 as targets."""
    for strike in range(len(ready)):
        if ready[strike] == 0:
            continue
        for enemy in range(len(left)):
            if rank[strike, enemy, left[enemy]] > 0:
                return strikes[strike, UNIT]
    return NOBODY


def best_strike(strikes: Any, rank: Any, ready: Any, left: Any, unit: Any, enemy: Any) -> Any:
    """Return a unit's strike that takes most from an enemy, per action, or `NOBODY`."""
    best = NOBODY
    most = 0
    for strike in range(len(ready)):
        if strikes[strike, UNIT] == unit and ready[strike] != 0 and rank[strike, enemy, left[enemy]] > most:
            most = rank[strike, enemy, left[enemy]]
            best = strike
    return best
