"""The scores of battles between equal units, for many pairs of units at once: what prices go by."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import gcd

from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.ordered.payoffs import SCORE
from aabalance.engine.battle.ordered.solve import UNIT_BY_UNIT, Orders, Tables, solve
from aabalance.engine.battle.packing import Packed, packed
from aabalance.engine.volleys import Volleys
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.base import Fighter


def equal_scores(
    pairs: Sequence[tuple[Fighter, Fighter]], most: Sequence[tuple[int, int]], every: Sequence[Terms]
) -> list[Tables]:
    """Return the scores of all battles between up to so many equal units on each side, for many pairs of units.

    Parameters
    ----------
    pairs : sequence of pair of Fighter
        The two units of each pair as they fight one against one: each strike has one effect, the one at the other unit.
    most : sequence of (int, int)
        For each pair, the largest number of units of each side. Time and memory grow with their product: request no
        more than needed, and a roster by parts.
    every : sequence of Terms
        The conditions; each pair is solved under each of them.

    Returns
    -------
    list of list of array of float, shape (units + 1, units + 1)
        By terms and pair: ``table[n, m]`` is P(win) + P(draw) / 2 of n of the first against m of the second, each side
        moving first half the time. nan for pairs that can't be solved so. Rows of none (n or m = 0) are there, so that
        one may interpolate down to them.

    Raises
    ------
    UsageError
        A policy isn't one of `UNIT_BY_UNIT`.
    """
    for policy in {policy for terms in every for policy in terms.policies}:
        if policy not in UNIT_BY_UNIT:
            raise UsageError(f"policy: {one_of(policy, UNIT_BY_UNIT)}")
    volleys = Volleys()
    battles: list[list[tuple[Packed, Orders]]] = [[] for _ in every]
    for (a, b), (units_a, units_b) in zip(pairs, most, strict=True):
        dearest = [max((one.prepare or one.actions for one in unit.strikes), default=0) for unit in (a, b)]
        made: dict[tuple[int, int], Packed] = {}
        for terms, some in zip(every, battles, strict=True):
            # The limit matters to packing only in that it rules out strikes that cost more: many limits pack the same.
            limits = min(terms.limits[0], dearest[0]), min(terms.limits[1], dearest[1])
            if limits not in made:
                made[limits] = packed(((a,), (b,)), limits, (None, None), volleys=volleys)
            some.append((made[limits], ([0] * units_a, [0] * units_b)))
    return [
        [table[..., 0].mean(axis=2) for table in solve(some, terms, (SCORE,))[0]]
        for terms, some in zip(every, battles, strict=True)
    ]


def canonical_key(unit: Fighter, enemy: Fighter) -> tuple[Hashable, ...] | None:
    """Return all properties of a unit that the scores of `equal_scores` depend on.

    Two pairs have the same scores if this is equal for both units of one and for both units of the other. The enemy's
    toughness is counted in steps of the least that can be taken from it, so that many units are alike.

    Parameters
    ----------
    unit, enemy : Fighter
        The unit and its enemy as they fight one against one.

    Returns
    -------
    tuple or None
        The properties, which can be compared and sorted; None if the unit has strikes that ordered battles can't have.
    """
    strikes = [one for one in unit.strikes if max(one.effects[0][0]) > 0]
    for one in strikes:
        limited = one.least > 1 or one.most < unit.toughness
        if limited or one.helps or one.return_fire or (one.gone, one.helped_at) != (None, None):
            return None
    step = gcd(*(amount for one in strikes for amount in one.effects[0][0]))
    # With one strike only the number of steps matters; with several the toughness does too, since gains depend on it.
    full = -(-enemy.toughness // step) if step else 1
    share = gcd(enemy.toughness, step) if len(strikes) > 1 else 0
    of_steps = (enemy.toughness // share, step // share) if share else (full, 1)
    guns = sorted({one.gun for one in strikes})
    dearest = {gun: max(one.actions for one in strikes if one.gun == gun) for gun in guns}
    actions = sum(unit.guns[gun].attacks * dearest[gun] for gun in guns)
    if any(one.prepare for one in strikes) or unit.actions < actions:
        actions = unit.actions
    made = []
    for one in strikes:
        taken: dict[int, Fraction] = {}
        for amount, p in one.effects[0][0].items():
            steps = min(amount // step, full)
            taken[steps] = taken[steps] + p if steps in taken else p
        way = guns.index(one.gun), one.attacks, one.actions, one.prepare, one.prepared
        made.append((*way, *((steps, float(taken[steps])) for steps in sorted(taken))))
    return of_steps, actions, unit.free, unit.counts, unit.cost > 0, tuple(unit.guns[gun] for gun in guns), tuple(made)
