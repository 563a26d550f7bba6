"""Gains: which part of their targets' worth strikes are expected to take per action, and how these gains rank.

A gain is an exact rational. Policies compare its rank among all gains of its side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm

import numpy as np

from aabalance.dice import Pmf
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import Columns, Ranks
from aabalance.rulesets.base import Force, Strike


def ranks_of(strikes: Sequence[Strike], enemies: Force, units: Columns) -> Ranks:
    """Return the ranks of the gains of a side's strikes; equal gains have the same rank.

    Parameters
    ----------
    strikes : sequence of Strike
        The side's strikes.
    enemies : Force
        The other side.
    units : array of int64, shape (enemies, columns)
        The `units` of the enemies' side.

    Returns
    -------
    array of int32, shape (strikes, enemies, toughness + 1)
        The last index is the toughness that the enemy has left. The rank is 0 where there is no gain.
    """
    most = max(enemy.toughness for enemy in enemies)
    marks = [tuple(row[:7]) for row in units.tolist()]
    # By strike and enemy, of which many are alike.
    gains: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    cells = []
    for made in strikes:
        actions = made.actions + sum(help_.actions for help_ in made.helps)
        for enemy, target in enumerate(enemies):
            (effect,) = made.effects[enemy]
            cells.append((id(effect), actions, *marks[enemy]))
            if cells[-1] not in gains:
                gains[cells[-1]] = list(gains_of(effect, actions, target.toughness, target.cost, units[enemy]))
    # Over one denominator, since whole numbers compare much faster than fractions.
    over = lcm(*{each for by_left in gains.values() for _, _, each in by_left})
    whole = {key: [(left, taken * (over // each)) for left, taken, each in by_left] for key, by_left in gains.items()}
    known = sorted({gain for by_left in whole.values() for _, gain in by_left} - {0})
    order = {gain: rank for rank, gain in enumerate(known, 1)} | {0: 0}
    ranks = {key: np.zeros(most + 1, dtype=np.int32) for key in whole}
    for key, by_left in whole.items():
        for left, gain in by_left:
            ranks[key][left] = order[gain]
    flat = [ranks[key] for key in cells]
    return np.array(flat, dtype=np.int32).reshape(len(strikes), len(enemies), most + 1)


def gains_of(effect: Pmf, actions: int, full: int, worth: int, unit: Columns) -> Iterator[tuple[int, int, int]]:
    """Yield each toughness that a target may have left, with the worth that an action of a strike is expected to take.

    Parameters
    ----------
    effect : Pmf
        The toughness that the strike takes.
    actions : int
        Number of actions that the strike costs, with those of helpers.
    full : int
        The target's toughness at full strength.
    worth : int
        What the target counts for.
    unit : array of int64, shape (columns,)
        The target's row among the `units` of its side.

    Yields
    ------
    left, taken, over : int
        The toughness that is left, and numerator and denominator of the expected worth.
    """
    quantum, hits = int(unit[col.QUANTUM]), int(unit[col.HITS])
    over = lcm(*(p.denominator for p in effect.values()))
    ways = [(amount, p.numerator * (over // p.denominator)) for amount, p in effect.items()]
    for steps in range(1, hits + 1):
        left = full - (hits - steps) * quantum
        taken = sum(min(amount, left) * n for amount, n in ways)
        yield left, worth * taken, over * left * actions
