"""Pools of D6 against target numbers: successes, natural 6s, and one pool against another.

Chances are counted as numbers of ways out of ``6 ** dice``, which is exact and much quicker than adding fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles.variant import IndirectHit, Opposed

D6 = 6
TARGET_NUMBER = 4
"""Target number of every roll for which the rulebook gives no other."""


class Effect(NamedTuple):
    """What fire does to its target.

    Attributes
    ----------
    points : int
        Number of disruption points that the target takes.
    suppresses : bool
        Whether the fire suppresses the target, even if it was suppressed before.
    """

    points: int
    suppresses: bool


def two_kinds(number: int, first: int, second: int) -> Mapping[tuple[int, int], int]:
    """Return in how many ways `number` dice show i faces of one kind and j faces of another, by (i, j).

    Parameters
    ----------
    number : int
        Number of dice.
    first, second : int
        How many faces of a die are of the first kind, and how many of the second.
    """
    other = D6 - first - second
    return {
        (i, j): comb(number, i) * comb(number - i, j) * first**i * second**j * other ** (number - i - j)
        for i in range(number + 1)
        for j in range(number + 1 - i)
    }


@lru_cache(maxsize=4096)
def roll(number: int, target_number: int) -> Mapping[tuple[int, int], int]:
    """Return in how many ways `number` dice give so many successes and natural 6s among them, by (successes, 6s)."""
    ways = two_kinds(number, 1, D6 - target_number)
    return {(sixes + others, sixes): count for (sixes, others), count in ways.items() if count}


def successes(number: int, target_number: int) -> Pmf:
    """Return the distribution of how many of `number` dice reach the target number."""
    return dice.pool([dice.bernoulli(dice.at_least(D6, target_number), dice.constant(1))] * number)


@lru_cache(maxsize=65536)
def fire(
    fire_dice: int,
    target_number: int,
    reaction_dice: int,
    reaction_target_number: int,
    opposed: Opposed = "net",
    indirect_hit: IndirectHit | None = None,
) -> Mapping[Effect, Fraction]:
    """Return the chances of what fire does to its target (Fire Combat Results).

    The same dice decide the disruption points and the suppression.

    Parameters
    ----------
    fire_dice, target_number : int
        Number of dice of the firer's pool, and the roll that each needs.
    reaction_dice, reaction_target_number : int
        Number of dice of the target's pool, and the roll that each needs.
    opposed : str
        Whether successes of the reaction cancel successes of the fire [B-1].
    indirect_hit : str, optional
        What counts as a hit by indirect fire [B-3]; None for direct fire.
    """
    ways: Counter[Effect] = Counter()
    for (hits, sixes), firer_ways in roll(fire_dice, target_number).items():
        for (reactions, their_sixes), target_ways in roll(reaction_dice, reaction_target_number).items():
            disruption = max(0, hits - reactions) if opposed == "net" else hits
            if indirect_hit is None:
                suppresses = sixes > their_sixes
            else:
                hit = {"net": disruption > 0, "any_success": hits > 0, "in_area": True}[indirect_hit]
                suppresses = hit and their_sixes <= sixes
            ways[Effect(disruption, suppresses)] += firer_ways * target_ways
    return {effect: Fraction(count, D6 ** (fire_dice + reaction_dice)) for effect, count in sorted(ways.items())}
