"""Plans packed into flat integer tables, which is all that the solver knows of any game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from aabalance.dice import Pmf
from aabalance.rulesets.base import Plan

VolleyKey = tuple[tuple[int, float], ...]


class PlanTables:
    """Packs plans; equal volleys and equal plans are stored once.

    Attributes
    ----------
    plans : tuple of list of int
        By plan: turns in its cycle, brackets, where its brackets' thresholds and volleys begin, and the greatest common
        divisor of all it can take at once (0: harmless); then the thresholds and the volleys.
    outcomes : tuple of list
        Where each volley's outcomes begin, amounts, chances, and by volley the chance of no effect.
    """

    def __init__(self) -> None:
        self.plans: tuple[list[int], ...] = ([], [], [], [], [], [], [])
        self.outcomes: tuple[list[int], list[int], list[float], list[float]] = ([0], [], [], [])
        self._plan_ids: dict[tuple[int, ...], int] = {}
        self._volley_ids: dict[VolleyKey, int] = {}

    def add(self, plan: Plan) -> int:
        """Pack `plan` and return its number."""
        volleys = [self._add_volley(volley.effect) for bracket in plan for volley in bracket.cycle]
        thresholds = [bracket.least for bracket in plan]
        cycle = len(plan[0].cycle)
        key = (cycle, *thresholds, *volleys)
        if key not in self._plan_ids:
            amounts = [amount for bracket in plan for volley in bracket.cycle for amount in volley.effect]
            values = (cycle, len(plan), len(self.plans[5]), len(self.plans[6]), math.gcd(*amounts))
            for column, value in zip(self.plans, values, strict=False):
                column.append(value)
            self.plans[5].extend(thresholds)
            self.plans[6].extend(volleys)
            self._plan_ids[key] = len(self._plan_ids)
        return self._plan_ids[key]

    def _add_volley(self, effect: Pmf) -> int:
        key = tuple((amount, float(p)) for amount, p in sorted(effect.items()))
        if key not in self._volley_ids:
            start, amounts, chances, stays = self.outcomes
            hits = [(amount, p) for amount, p in key if amount]
            amounts.extend(amount for amount, _ in hits)
            chances.extend(p for _, p in hits)
            stays.append(float(effect.get(0, 0)))
            start.append(len(amounts))
            self._volley_ids[key] = len(self._volley_ids)
        return self._volley_ids[key]

    def hits(self, plan: int, toughness: int) -> int:
        """Return how many steps of `plan`'s quantum a target of `toughness` has."""
        quantum = self.plans[4][plan]
        return -(-toughness // quantum) if quantum else 1

    def duel_scratch(self, plan_a: Sequence[int], plan_b: Sequence[int], hp_a: int, hp_b: int) -> int:
        """Return enough scratch for duels among these plans at the largest toughness of each side."""
        half_turns = 2 * math.lcm(*(self.plans[0][p] for p in {*plan_a, *plan_b}))
        hits_a = max(self.hits(p, hp_a) for p in {*plan_b})
        hits_b = max(self.hits(p, hp_b) for p in {*plan_a})
        return (hits_a * hits_b + 1) * half_turns

    def kill_scratch(self, plan: Sequence[int], hp: int) -> int:
        """Return enough scratch for `aabalance.engine.exact.kills`."""
        return max(self.hits(p, hp) * self.plans[0][p] for p in {*plan})

    def arrays(self) -> tuple[Any, Any]:
        """Return `plans` and `outcomes` as NumPy arrays, for the compiled solver."""
        import numpy as np

        plans = tuple(np.array(column, dtype=np.int64) for column in self.plans)
        start, amount, chance, stay = self.outcomes
        return plans, (
            np.array(start, dtype=np.int64),
            np.array(amount, dtype=np.int64),
            np.array(chance, dtype=np.float64),
            np.array(stay, dtype=np.float64),
        )
