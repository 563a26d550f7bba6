"""Rallying: rally dice by the distance to the enemy, against one die for each disruption point."""

from __future__ import annotations

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles import combat, pools
from aabalance.rulesets.armour_battles.combat import Modifier
from aabalance.rulesets.armour_battles.variant import Variant

BANDS = ((6, 6), (12, 5), (24, 4), (36, 3))
"""Upper edge in inches and target number; the sheet's ``24-26`` is read as ``24-36`` [B-4]."""

FARTHEST = 36
FARTHEST_TARGET_NUMBER = 2


def rally_target_number(enemy_distance_in: float, variant: Variant) -> int:
    """Return what a rally die has to show by the distance to the closest enemy unit (Rally Distance).

    Only the edges that two bands name are open [B-4]: ``36+`` says itself where it begins.
    """
    if enemy_distance_in >= FARTHEST:
        return FARTHEST_TARGET_NUMBER
    inclusive = variant.rally_boundary == "upper_inclusive"
    return next(
        number for edge, number in BANDS if enemy_distance_in < edge or (inclusive and enemy_distance_in == edge)
    )


def rally_modifiers(light_cover: bool, no_line_of_sight: bool) -> tuple[Modifier, ...]:
    """Return the dice that a rally gains (Rally Distance)."""
    found = (
        Modifier("light cover", int(light_cover), "Rally Distance"),
        Modifier("no LOS to enemy", int(no_line_of_sight), "Rally Distance"),
    )
    return tuple(modifier for modifier in found if modifier.dice)


def rally(rally_dice: int, target_number: int, disruption: int) -> Pmf:
    """Return the disruption points that a rally removes from a unit with so many (Rallying)."""
    return dice.transform(
        pools.margin(rally_dice, target_number, disruption), lambda margin: min(disruption, max(0, margin))
    )


def rallied(condition: int, rally_dice: int, target_number: int) -> Pmf:
    """Return the condition of a unit after a rally; suppressed units cannot be rallied."""
    points = combat.disruption_points(condition)
    if not combat.can_act(condition):
        return dice.constant(condition)
    return dice.transform(rally(rally_dice, target_number, points), lambda removed: points - removed)
