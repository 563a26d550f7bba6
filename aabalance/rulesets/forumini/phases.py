"""What the phases of a turn decide besides attacks (Sequence of Play)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from aabalance import dice
from aabalance.rulesets.forumini.rules import D6, GOOD_ORDER
from aabalance.rulesets.forumini.variant import Variant


def initiative_bonus(commanders: Iterable[tuple[int, int]]) -> int:
    """Return a side's Initiative Bonus: the highest of its commanders in good order (A. Initiative).

    Parameters
    ----------
    commanders : iterable of (int, int)
        Bonus and condition of each.
    """
    return max((bonus for bonus, condition in commanders if condition == GOOD_ORDER), default=0)


def initiative(bonus_difference: int) -> Fraction:
    """Return the chance that player 1 chooses who is first (A. Initiative) [F-1].

    Each rolls two dice and adds the bonus; of equal totals the higher bonus wins, and equal bonuses roll again.

    Parameters
    ----------
    bonus_difference : int
        Player 1's bonus minus player 2's.
    """
    two = dice.pool([dice.die(D6)] * 2)
    lead = dice.convolve(two, dice.transform(two, lambda total: bonus_difference - total))
    ahead, level = dice.chance_of_at_least(lead, 1), lead.get(0, Fraction(0))
    if bonus_difference == 0:
        return ahead / (1 - level)
    return ahead + level if bonus_difference > 0 else ahead


def speed(printed: int, *, pinned: bool, damaged: int, kind: str = "vehicle") -> int:
    """Return a unit's speed under face-up counters (Effects of face-up counters).

    A vehicle has 1 less for each Damaged counter, and then half if Pinned. A Pinned or Demoralized soldier stays.
    """
    if kind == "soldier":
        return 0 if pinned or damaged else printed
    left = max(printed - damaged, 0)
    return left // 2 if pinned else left


def may_bomb(
    *, antiair_now: bool, antiair_before: bool, bombs_left: int, variant: Variant, defensive_armament: bool = False
) -> bool:
    """Return whether an aircraft may make a bomb attack (D. Antiair) [F-13].

    Parameters
    ----------
    antiair_now, antiair_before : bool
        It attacked in the Antiair phase of this turn, of an earlier one.
    defensive_armament : bool
        It did so with that Special Ability alone.
    """
    attacked = antiair_now or (antiair_before and variant.aa_blocks_bombs == "game")
    return bombs_left > 0 and (defensive_armament or not attacked)


def placement(speeds: Iterable[int]) -> list[int]:
    """Return the order in which aircraft are placed: ascending speed; equal ones roll a die (C. Aircraft Placement)."""
    return [index for _, index in sorted((value, index) for index, value in enumerate(speeds))]
