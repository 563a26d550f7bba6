"""Hit points: what strikes take and repairs give back (3.2, 3.4a)."""

from __future__ import annotations

from typing import NamedTuple

HIT_POINTS = 8
REDUCED_BELOW = 5
REPAIR = 2


class Health(NamedTuple):
    """How a unit is.

    Attributes
    ----------
    hp : int
        0: destroyed.
    reduced : bool
        The reduced side is up.
    """

    hp: int = HIT_POINTS
    reduced: bool = False


def is_reduced(hp: int, kept_reduced: bool) -> bool:
    """Return whether a unit fires and captures as a reduced one (3.4a): below 5 hit points, or kept so [S-4]."""
    return hp < REDUCED_BELOW or kept_reduced


def struck(health: Health, hits: int) -> Health:
    """Return a unit after hits (3.4a): below 5 hit points it is flipped, at 0 destroyed [S-6]."""
    hp = max(0, health.hp - hits)
    return Health(hp, is_reduced(hp, health.reduced))


def repaired(health: Health, unreduce_on_repair: bool) -> Health:
    """Return a unit after the repair phase on a friendly property (3.2): 2 hit points more, 8 at most, free [S-10]."""
    hp = min(HIT_POINTS, health.hp + REPAIR)
    return Health(hp, is_reduced(hp, health.reduced and not unreduce_on_repair))
