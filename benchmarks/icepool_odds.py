"""Exact odds with icepool, a library for dice and cards: fractions all the way."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool

from aabalance.engine.hit_points.layout import GROUP_BITS, GROUP_FIELDS, GROUPS, NEED_BITS, NEXT_BITS
from aabalance.engine.hit_points.rolls import Rolls

NEED = (1 << NEED_BITS) - 1


def _sequences(count: int, chance: Fraction, effect: int) -> Any:
    hit = icepool.Die({effect: chance.numerator, 0: chance.denominator - chance.numerator})
    return count @ hit


def duel(tables: Rolls) -> tuple[Fraction, Fraction]:
    """Return P(side 0 wins) and P(side 1 wins); a round of both sides is a step of a chain."""
    entries, numbers = tables.entries.tolist(), tables.numbers.tolist()
    sides = tables.sides[0].tolist()

    def fire(me: int, hp: int, node: int) -> tuple[Any, int]:
        _, at, brackets, least_at, *groups = sides[me]
        row = sum(hp < least for least in numbers[least_at : least_at + brackets - 1])
        entry = entries[at + node * brackets + row]
        dice = icepool.Die([0])
        for g in range(GROUPS):
            count, _, base, effect_at = groups[g * GROUP_FIELDS : (g + 1) * GROUP_FIELDS]
            need = (entry >> g * GROUP_BITS) & NEED
            if count and need < base:
                dice += _sequences(count, Fraction(base - need, base), numbers[effect_at])
        return dice, entry >> NEXT_BITS

    def one_round(state: tuple[int, int, int]) -> Any:
        hp_0, hp_1, node = state
        if not (hp_0 and hp_1):
            return state
        dice, node_1 = fire(0, hp_0, node)

        def answer(lost_1: int) -> Any:
            left_1 = max(0, hp_1 - lost_1)
            if not left_1:
                return icepool.Die([(hp_0, 0, 0)])
            back, node_0 = fire(1, left_1, node_1)

            def outcome(lost_0: int) -> tuple[int, int, int]:
                left_0 = max(0, hp_0 - lost_0)
                return (left_0, left_1, node_0) if left_0 else (0, left_1, 0)

            return back.map(outcome)

        return dice.map(answer)

    end = icepool.Die([(sides[0][0], sides[1][0], 0)]).map(one_round, star=False, repeat="inf")
    wins_0 = sum((end.probability(state) for state in end if state[0]), Fraction(0))
    return wins_0, 1 - wins_0
