"""Maneuver Attacks: against the Terrain, and around the enemy's flank."""

from __future__ import annotations

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.modern_land_battles import rules


def maneuver(value: int, own_hits: int, modifier: int = 0, *, stopped: int = 0, natural_rules: bool = False) -> Pmf:
    """Return the successes of a Maneuver Attack (Terrain Maneuvering, Flanking Maneuvering; M-1).

    Parameters
    ----------
    value : int
        The Force card's Maneuver value.
    own_hits : int
        Hits it has suffered.
    modifier : int
        Of an Action card played for its Maneuvering modifier.
    stopped : int
        Successes that the opponent's reaction cancels.
    """
    need = rules.needed(value, modifier, natural_rules)
    return rules.successes(rules.dice_rolled(own_hits), need, stopped)


def superior_counters(before: int, succeeded: Pmf) -> Pmf:
    """Return the Superior counters after a Flanking Maneuver: the enemy's go first, then own ones come (M-2).

    Counters are signed, own ones above 0 and the enemy's below, since only one player has any at a time.
    """
    return dice.transform(succeeded, lambda count: before + count)


def control(before: int, succeeded: Pmf) -> Pmf:
    """Return the square of the Control counter after a Terrain Maneuver, counted toward the player who maneuvers."""
    return dice.transform(succeeded, lambda count: before + count)


def secured(square: int, squares: int) -> bool:
    """Return whether the Control counter has slid off a track of so many squares to each side of its start."""
    return square > squares
