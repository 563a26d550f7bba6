"""A duel: what fire leaves of a unit, and the pulses in which two fire at each other or regroup.

A unit's condition counts its disruption points, and whether it is suppressed.
"""

from __future__ import annotations

from functools import lru_cache

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles.shot import pools
from aabalance.rulesets.armour_battles.shot.pools import Effect
from aabalance.rulesets.armour_battles.shot.resolve import (
    DISPERSED_AT,
    disruption_of,
    reaction_target_number,
    resolve,
    shot_of,
)
from aabalance.rulesets.armour_battles.shot.sheets import Defence, Offence
from aabalance.rulesets.armour_battles.variant import IndirectHit, Opposed, SuppressionClears, Variant
from aabalance.rulesets.base import Blows, Survey

CONDITIONS = 2 * DISPERSED_AT
"""Conditions of a unit that is left: 0 to 2 disruption points, each also suppressed. The next number is destroyed."""
_POINTS = ("fresh", "1 disruption point", "2 disruption points")
NAMES = (*_POINTS, "suppressed", *(f"{points}, suppressed" for points in _POINTS[1:]))
"""Of these conditions."""


def condition(disruption: int, suppressed: bool) -> int:
    """Return the number of a unit's condition; `CONDITIONS` once it is dispersed (Dispersal)."""
    return CONDITIONS if disruption >= DISPERSED_AT else disruption + DISPERSED_AT * suppressed


def disruption_points(condition: int) -> int:
    """Return the disruption points of a unit that is left."""
    return condition % DISPERSED_AT


def is_suppressed(condition: int) -> bool:
    """Return whether a unit that is left is suppressed."""
    return condition >= DISPERSED_AT


def hit(before: int, effect: Effect) -> int:
    """Return the condition of a unit after fire (Disruption Points, Dispersal, Suppression)."""
    return condition(disruption_points(before) + effect.points, is_suppressed(before) or effect.suppresses)


def can_act(condition: int) -> bool:
    """Return whether a unit may fire, be rallied and be in a command group: not while suppressed."""
    return not is_suppressed(condition)


def regroup(condition: int, clears: SuppressionClears = "regroup") -> int:
    """Return the condition of a unit after a pulse of its own that it spent regrouping [B-5]."""
    return condition if clears == "never" else disruption_points(condition)


def fired_at(
    before: int,
    number: int,
    target_number: int,
    reaction_dice: int,
    opposed: Opposed,
    indirect_hit: IndirectHit | None = None,
) -> Pmf:
    """Return the condition of a unit after fire at it; parameters as for `pools.fire`."""
    reaction = reaction_target_number(is_suppressed(before))
    effects = pools.fire(number, target_number, reaction_dice, reaction, opposed, indirect_hit)
    return dice.transform(effects, lambda effect: hit(before, effect))


@lru_cache(maxsize=16384)
def blows(
    number: int,
    target_number: int,
    reaction_dice: int,
    opposed: Opposed,
    clears: SuppressionClears,
    indirect_hit: IndirectHit | None = None,
) -> Blows:
    """Return a pulse of a duel: a unit fires, or regroups if it is suppressed; parameters as for `pools.fire`."""
    fires = tuple(
        fired_at(enemy, number, target_number, reaction_dice, opposed, indirect_hit) for enemy in range(CONDITIONS)
    )
    regroups = tuple(dice.constant(enemy) for enemy in range(CONDITIONS))
    return Blows(
        tuple(fires if can_act(own) else regroups for own in range(CONDITIONS)),
        tuple(own if can_act(own) else regroup(own, clears) for own in range(CONDITIONS)),
    )


def survey(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Survey:
    """Return a unit's pulses in a duel, its single attack, and the mean disruption of one pulse of fire.

    Parameters
    ----------
    offence : Offence
    target : Defence
    range_in : float
        Distance in inches.
    variant : Variant
    """
    resolution = resolve(offence, target, range_in, variant)
    pulses = blows(
        resolution.number,
        resolution.target_number,
        resolution.reaction_dice,
        variant.opposed,
        variant.suppression_clears,
        resolution.indirect_hit,
    )
    disruption, expected = disruption_of(resolution, variant.opposed)
    beyond = not resolution.number and resolve(offence, target, 0, variant).number > 0
    return Survey(pulses, shot_of(offence, resolution, disruption), expected, beyond)
