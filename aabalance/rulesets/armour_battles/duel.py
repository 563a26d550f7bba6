"""A duel: what fire does to a unit, and the pulses in which two units fire at each other or regroup.

A unit's condition is the number of its disruption points, and whether it is suppressed.
"""

from __future__ import annotations

from functools import lru_cache

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles.shot.pools import Effect
from aabalance.rulesets.armour_battles.shot.resolve import (
    DISPERSED_AT,
    Resolution,
    disruption_of,
    fired,
    reaction_target_number,
    resolve,
    shot_of,
)
from aabalance.rulesets.armour_battles.shot.sheets import Defence, Offence
from aabalance.rulesets.armour_battles.variant import Opposed, SuppressionClears, Variant
from aabalance.rulesets.base import Blows, Survey

CONDITIONS = 2 * DISPERSED_AT
"""Conditions of a unit that is left: 0 to 2 disruption points, suppressed or not. The next number is destroyed."""
_POINTS = ("fresh", "1 disruption point", "2 disruption points")
NAMES = (*_POINTS, "suppressed", *(f"{points}, suppressed" for points in _POINTS[1:]))
"""Names of these conditions, by their numbers."""


def condition(disruption: int, suppressed: bool) -> int:
    """Return the number of a unit's condition; it is `CONDITIONS` for a dispersed unit (Dispersal)."""
    return CONDITIONS if disruption >= DISPERSED_AT else disruption + DISPERSED_AT * suppressed


def disruption_points(condition: int) -> int:
    """Return how many disruption points a unit in this condition has; it isn't dispersed."""
    return condition % DISPERSED_AT


def is_suppressed(condition: int) -> bool:
    """Return whether a unit in this condition is suppressed; it isn't dispersed."""
    return condition >= DISPERSED_AT


def hit(before: int, effect: Effect) -> int:
    """Return the condition of a unit after fire with this effect (Disruption Points, Dispersal, Suppression)."""
    return condition(disruption_points(before) + effect.points, is_suppressed(before) or effect.suppresses)


def regroup(condition: int, clears: SuppressionClears = "regroup") -> int:
    """Return the condition of a unit after a pulse that it has spent on regrouping [B-5]."""
    return condition if clears == "never" else disruption_points(condition)


@lru_cache(maxsize=16384)
def blows(resolution: Resolution, opposed: Opposed, clears: SuppressionClears) -> Blows:
    """Return what a unit does in a pulse of a duel: it fires, or it regroups if it is suppressed.

    `resolution` is that of its fire, `opposed` and `clears` are the rule switches for `fired` and for `regroup`.
    """

    def fired_at(before: int) -> Pmf:
        reaction = reaction_target_number(is_suppressed(before))
        effects = fired(resolution._replace(reaction_target_number=reaction), opposed)
        return dice.transform(effects, lambda effect: hit(before, effect))

    fires = tuple(fired_at(enemy) for enemy in range(CONDITIONS))
    regroups = tuple(dice.constant(enemy) for enemy in range(CONDITIONS))
    return Blows(
        tuple(regroups if is_suppressed(own) else fires for own in range(CONDITIONS)),
        tuple(regroup(own, clears) for own in range(CONDITIONS)),
    )


def survey(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Survey[Blows]:
    """Return a unit's pulses in a duel, its single attack, and the mean disruption of one pulse of fire.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in inches.
    variant : Variant
        The rule switches.
    """
    resolution = resolve(offence, target, range_in, variant)
    pulses = blows(resolution, variant.opposed, variant.suppression_clears)
    disruption, expected = disruption_of(resolution, variant.opposed)
    beyond = not resolution.fire_dice and resolve(offence, target, 0, variant).fire_dice > 0
    return Survey(pulses, shot_of(offence, resolution, disruption), expected, beyond)
