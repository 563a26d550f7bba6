"""Command dice: failure, who goes first, staff orders and wild dice. Duels of two units use none of it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles.pools import D6, two_kinds
from aabalance.rulesets.armour_battles.variant import Variant


class Initiative(NamedTuple):
    """How a turn begins.

    Attributes
    ----------
    p_a, p_b : Fraction
        Who has the first command pulse.
    p_turn_ends : Fraction
        Both sides have a command failure.
    """

    p_a: Fraction
    p_b: Fraction
    p_turn_ends: Fraction


def fails(ones: int, sixes: int) -> bool:
    """Return whether command dice are a command failure: more 1s than 6s (Command Failure)."""
    return ones > sixes


def command_failure(command_dice: int) -> Fraction:
    """Return the chance of a command failure."""
    ways = two_kinds(command_dice, 1, 1)
    return Fraction(sum(count for rolled, count in ways.items() if fails(*rolled)), D6**command_dice)


def initiative(command_dice_a: int, command_dice_b: int) -> Initiative:
    """Return who goes first: the side without a command failure, else the one with the most 6s [B-8: ties by lot]."""
    odds = Counter[str]()
    for (ones_a, sixes_a), mine in two_kinds(command_dice_a, 1, 1).items():
        for (ones_b, sixes_b), theirs in two_kinds(command_dice_b, 1, 1).items():
            failed = fails(ones_a, sixes_a), fails(ones_b, sixes_b)
            if all(failed):
                odds["none"] += 2 * mine * theirs
            elif any(failed) or sixes_a != sixes_b:
                odds["a" if failed[1] or (not failed[0] and sixes_a > sixes_b) else "b"] += 2 * mine * theirs
            else:
                odds.update(a=mine * theirs, b=mine * theirs)
    total = 2 * D6 ** (command_dice_a + command_dice_b)
    return Initiative(*(Fraction(odds[who], total) for who in ("a", "b", "none")))


def orders_of(equal: int) -> int:
    """Return the staff orders that so many equal dice are worth (Restock Staff Orders; Wild Dice for 6s) [B-9]."""
    return max(0, equal - 1)


def staff_orders(command_dice: int, variant: Variant) -> Pmf:
    """Return the staff orders that the command dice restock (Restock Staff Orders) [B-9]."""
    counted = D6 if variant.staff_faces == "1-6" else D6 - 1
    idle = D6 - counted
    return {
        orders: Fraction(count, D6**command_dice) for orders, count in _restocked(command_dice, counted, idle).items()
    }


@lru_cache(maxsize=1024)
def _restocked(number: int, faces: int, idle: int) -> Counter[int]:
    """Return in how many ways `number` dice restock so many staff orders, over so many counted and idle faces."""
    if not faces:
        return Counter({0: idle**number})
    ways = Counter[int]()
    for equal, count in ((k, comb(number, k)) for k in range(number + 1)):
        for orders, rest in _restocked(number - equal, faces - 1, idle).items():
            if count * rest:
                ways[orders + orders_of(equal)] += count * rest
    return ways


def wild_dice(command_dice: int, enemy_command_dice: int) -> Pmf:
    """Return a side's wild dice: its own 6s, and the enemy's 1s on the enemy's command failure (Wild Dice)."""
    sixes = dice.pool([dice.bernoulli(Fraction(1, D6), dice.constant(1))] * command_dice)
    rolls = two_kinds(enemy_command_dice, 1, 1).items()
    lent = dice.collected(
        (ones if fails(ones, their_sixes) else 0, Fraction(count, D6**enemy_command_dice))
        for (ones, their_sixes), count in rolls
    )
    return dice.convolve(sixes, lent)
