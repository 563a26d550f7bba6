"""A duel: what a strike leaves of its target (3.4a), by the hit points that both have lost."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.base import Blows, Survey
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS
from aabalance.rulesets.skirmish_wars.shot import (
    NOTHING,
    UNARMED,
    Cell,
    Defence,
    Offence,
    hits,
    in_range,
    is_reduced,
    shot_of,
    strike,
)

CONDITIONS = ("fresh", *(f"{lost} hit point{'s' * (lost > 1)} lost" for lost in range(1, HIT_POINTS)))
"""Names of the conditions of a unit that is left: what it lost since the duel's start."""


class Health(NamedTuple):
    """The state of a unit.

    Attributes
    ----------
    hp : int
        Hit points; at 0 it is destroyed.
    reduced : bool
        Its reduced side is up.
    """

    hp: int = HIT_POINTS
    reduced: bool = False


def struck(health: Health, hits: int) -> Health:
    """Return a unit after hits (3.4a): below 5 hit points it is flipped, at 0 destroyed [S-6]."""
    hp = max(0, health.hp - hits)
    return Health(hp, is_reduced(hp, health.reduced))


@cache
def blows(cells: tuple[Cell, ...], target_hp: int) -> Blows:
    """Return strikes as a table over conditions: hit points lost since the duel's start.

    Parameters
    ----------
    cells : tuple of Cell
        The cell of a strike, by the hit points that the attacker has lost: 0 to 7.
    target_hp : int
        Hit points with which the target starts.
    """
    chances = tuple(
        tuple(_condition_after(hits(cell), lost, target_hp) for lost in range(HIT_POINTS)) for cell in cells
    )
    return Blows(chances, tuple(range(HIT_POINTS)))


def _condition_after(rolled: Pmf, lost: int, target_hp: int) -> Pmf:
    def after(hits: int) -> int:
        left = struck(Health(target_hp - lost), hits).hp
        return target_hp - left if left else HIT_POINTS

    return dice.transform(rolled, after)


def survey(offence: Offence, target: Defence, range_in: float) -> Survey:
    """Return what a unit does to a target at a distance: its blows, and its single strike.

    Parameters
    ----------
    offence : Offence
    target : Defence
    range_in : float
        Distance in squares.
    """
    cells = tuple(strike(offence, target, range_in, offence.hp - lost) for lost in range(HIT_POINTS))
    shot = shot_of(offence, target, cells[0])
    return Survey(
        blows(cells, target.hp), shot, float(dice.mean(shot.effect)), _out_of_reach(offence, target, range_in)
    )


def _out_of_reach(offence: Offence, target: Defence, range_in: float) -> bool:
    """Return whether a unit would hit its target from nearer, or farther, but not from here (3.4a)."""
    if offence.weapon == UNARMED or in_range(offence, range_in):
        return False
    return strike(offence, target, offence.range.max, offence.hp) != NOTHING
