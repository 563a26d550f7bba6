"""Off-table artillery: the call and the fire for effect. Templates and where they land are not modelled."""

from __future__ import annotations

from fractions import Fraction

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles import pools

CALL_DICE = 3
"""The opponent's dice when a battery is called."""


def p_immediate(artillery_dice: int) -> Fraction:
    """Return the chance that a called battery fires for effect at once, not in the next Logistics Phase."""
    return dice.chance_of_at_least(pools.margin(artillery_dice, pools.TARGET_NUMBER, CALL_DICE), 1)


def deviation() -> Pmf:
    """Return how many inches a deviating battery deviates."""
    return dice.die(pools.D6)
