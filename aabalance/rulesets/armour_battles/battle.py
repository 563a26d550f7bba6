"""What a side does in its turn besides one unit's fire: command, a group's fire, rallying, off-table artillery.

Templates, and the places where they land, are not modelled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles import duel
from aabalance.rulesets.armour_battles.shot import pools
from aabalance.rulesets.armour_battles.shot.pools import D6, two_kinds
from aabalance.rulesets.armour_battles.shot.sheets import Modifier
from aabalance.rulesets.armour_battles.variant import Variant

RALLY_BANDS = ((6, 6), (12, 5), (24, 4), (36, 3))
"""Upper edge in inches and target number of each band; the sheet's ``24-26`` is read as ``24-36`` [B-4]."""

FARTHEST = 36
FARTHEST_TARGET_NUMBER = 2

CALL_DICE = 3
"""Number of dice that the opponent rolls when a battery is called."""


# --- command ----------------------------------------------------------------------------------------------------------


class Initiative(NamedTuple):
    """How a turn begins.

    Attributes
    ----------
    p_a, p_b : Fraction
        Chances that side a, and that side b, has the first command pulse.
    p_turn_ends : Fraction
        Chance that both sides have a command failure, so that the turn ends.
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
    """Return the chances of who goes first: a side whose enemy alone has a command failure, else the one with more 6s.

    Ties go to either side half the time, as if they were rolled again until they differ [B-8].

    Parameters
    ----------
    command_dice_a, command_dice_b : int
        Number of command dice of side a and of side b.
    """
    odds = Counter[str]()
    for (ones_a, sixes_a), ways_a in two_kinds(command_dice_a, 1, 1).items():
        for (ones_b, sixes_b), ways_b in two_kinds(command_dice_b, 1, 1).items():
            failed = fails(ones_a, sixes_a), fails(ones_b, sixes_b)
            if all(failed):
                odds["none"] += 2 * ways_a * ways_b
            elif any(failed) or sixes_a != sixes_b:
                odds["a" if failed[1] or (not failed[0] and sixes_a > sixes_b) else "b"] += 2 * ways_a * ways_b
            else:
                odds.update(a=ways_a * ways_b, b=ways_a * ways_b)
    total = 2 * D6 ** (command_dice_a + command_dice_b)
    return Initiative(*(Fraction(odds[who], total) for who in ("a", "b", "none")))


def orders_of(equal: int) -> int:
    """Return how many staff orders `equal` dice that show the same face give [B-9].

    Sources: Restock Staff Orders; Wild Dice for 6s.
    """
    return max(0, equal - 1)


def staff_orders(command_dice: int, variant: Variant) -> Pmf:
    """Return the distribution of the staff orders that the command dice restock (Restock Staff Orders) [B-9]."""
    counted = D6 if variant.staff_faces == "1-6" else D6 - 1
    idle = D6 - counted
    return {
        orders: Fraction(count, D6**command_dice) for orders, count in _restocked(command_dice, counted, idle).items()
    }


@lru_cache(maxsize=1024)
def _restocked(number: int, faces: int, idle: int) -> Counter[int]:
    """Return in how many ways `number` dice restock each number of staff orders.

    `faces` of a die's faces count for staff orders, and `idle` don't.
    """
    if not faces:
        return Counter({0: idle**number})
    ways = Counter[int]()
    for equal, count in ((k, comb(number, k)) for k in range(number + 1)):
        for orders, rest in _restocked(number - equal, faces - 1, idle).items():
            if count * rest:
                ways[orders + orders_of(equal)] += count * rest
    return ways


def wild_dice(command_dice: int, enemy_command_dice: int) -> Pmf:
    """Return the distribution of a side's wild dice (Wild Dice).

    They are its own 6s, and the enemy's 1s if the enemy has a command failure.
    """
    sixes = dice.pool([dice.bernoulli(Fraction(1, D6), dice.constant(1))] * command_dice)
    rolls = two_kinds(enemy_command_dice, 1, 1).items()
    lent = dice.collected(
        (ones if fails(ones, their_sixes) else 0, Fraction(count, D6**enemy_command_dice))
        for (ones, their_sixes), count in rolls
    )
    return dice.convolve(sixes, lent)


# --- a group's fire ---------------------------------------------------------------------------------------------------


def group_fire(dice_by_unit: Sequence[int], target_number: int, reaction_dice: int, variant: Variant) -> Pmf:
    """Return the distribution of a fresh unit's condition after a command group's direct fire at it [B-12].

    Parameters
    ----------
    dice_by_unit : sequence of int
        Number of dice of each unit of the group, in the order in which they fire.
    target_number : int
        Roll that each of these dice needs.
    reaction_dice : int
        Number of the target's reaction dice.
    variant : Variant
        The rule switches.
    """
    volleys = [sum(dice_by_unit)] if variant.group_fire == "pooled" else dice_by_unit

    def fires(number: int) -> Callable[[int], Pmf]:
        def at(before: int) -> Pmf:
            if before == duel.CONDITIONS:
                return dice.constant(before)
            return duel.fired_at(before, number, target_number, reaction_dice, opposed)

        return at

    opposed = variant.opposed
    return dice.sequence(0, [fires(number) for number in volleys])


def army_morale_lost(dispersed: int) -> Pmf:
    """Return the distribution of the army morale points that dispersed units cost: a D3 each (Dispersal)."""
    return dice.pool([dice.die(3)] * dispersed)


# --- rallying ---------------------------------------------------------------------------------------------------------


def rally_target_number(enemy_distance_in: float, variant: Variant) -> int:
    """Return the roll that a rally die needs, by the distance to the closest enemy unit (Rally Distance).

    The rulebook leaves open only which band has a distance that two bands name [B-4]; ``36+`` clearly begins at 36.
    """
    if enemy_distance_in >= FARTHEST:
        return FARTHEST_TARGET_NUMBER
    inclusive = variant.rally_boundary == "upper_inclusive"
    return next(
        number for edge, number in RALLY_BANDS if enemy_distance_in < edge or (inclusive and enemy_distance_in == edge)
    )


def rally_modifiers(light_cover: bool, no_line_of_sight: bool) -> tuple[Modifier, ...]:
    """Return the modifiers that add dice to a rally (Rally Distance)."""
    modifiers = (
        Modifier("light cover", int(light_cover), "Rally Distance"),
        Modifier("no LOS to enemy", int(no_line_of_sight), "Rally Distance"),
    )
    return tuple(modifier for modifier in modifiers if modifier.dice)


def rally(rally_dice: int, target_number: int, disruption: int) -> Pmf:
    """Return the distribution of the disruption points that a rally removes from a unit (Rallying).

    Parameters
    ----------
    rally_dice : int
        Number of dice of the rally.
    target_number : int
        Roll that each of them needs; see `rally_target_number`.
    disruption : int
        Number of disruption points that the unit has.
    """
    return dice.transform(
        pools.margin(rally_dice, target_number, disruption), lambda margin: min(disruption, max(0, margin))
    )


def rallied(condition: int, rally_dice: int, target_number: int) -> Pmf:
    """Return the distribution of a unit's condition after a rally; suppressed units can't be rallied (Rallying).

    Parameters
    ----------
    condition : int
        The unit's condition before the rally; see `aabalance.rulesets.armour_battles.duel`.
    rally_dice, target_number : int
        As for `rally`.
    """
    points = duel.disruption_points(condition)
    if not duel.can_act(condition):
        return dice.constant(condition)
    return dice.transform(rally(rally_dice, target_number, points), lambda removed: points - removed)


# --- off-table artillery ----------------------------------------------------------------------------------------------


def p_immediate(artillery_dice: int) -> Fraction:
    """Return the chance that a called battery fires for effect at once, and not in the next Logistics Phase only."""
    return dice.chance_of_at_least(pools.margin(artillery_dice, pools.TARGET_NUMBER, CALL_DICE), 1)


def deviation() -> Pmf:
    """Return the distribution of the inches by which a battery misses its mark, if it deviates."""
    return dice.die(pools.D6)
