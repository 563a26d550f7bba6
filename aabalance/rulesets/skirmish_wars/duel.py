"""A duel: what a strike does to its target (3.4a), by the hit points that both units have lost."""

from __future__ import annotations

from functools import cache

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.base import Blows, Survey
from aabalance.rulesets.skirmish_wars import shot
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS

CONDITIONS = ("fresh", *(f"{lost} hit point{'s' * (lost > 1)} lost" for lost in range(1, HIT_POINTS)))
"""Names of the conditions of a unit that is left, by the hit points that it has lost since the duel's start."""


@cache
def blows(cells: tuple[shot.Cell, ...], target_hp: int) -> Blows:
    """Return what a unit's strikes do, by the hit points that both have lost; at 0 a unit is destroyed (3.4a) [S-6].

    Parameters
    ----------
    cells : tuple of Cell, shape (8,)
        The cell of the chart for a strike, by the hit points that the attacker has lost: 0 to 7.
    target_hp : int
        Hit points with which the target starts.
    """
    chances = tuple(
        tuple(_condition_after(shot.hits(cell), lost, target_hp) for lost in range(HIT_POINTS)) for cell in cells
    )
    return Blows(chances, tuple(range(HIT_POINTS)))


def _condition_after(rolled: Pmf, lost: int, target_hp: int) -> Pmf:
    return dice.transform(rolled, lambda taken: lost + taken if lost + taken < target_hp else HIT_POINTS)


def survey(offence: shot.Offence, target: shot.Defence, range_in: float) -> Survey[Blows]:
    """Return what a unit does to a target at a distance: its blows, and its single strike.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in squares.
    """
    cells = tuple(shot.strike(offence, target, range_in, offence.hp - lost) for lost in range(HIT_POINTS))
    single = shot.shot_of(offence, target, cells[0])
    return Survey(
        blows(cells, target.hp), single, float(dice.mean(single.effect)), _out_of_reach(offence, target, range_in)
    )


def _out_of_reach(offence: shot.Offence, target: shot.Defence, range_in: float) -> bool:
    """Return whether a unit can't hit its target from here, but could from another distance (3.4a)."""
    if offence.weapon == shot.UNARMED or shot.in_range(offence, range_in):
        return False
    return shot.strike(offence, target, offence.range.max, offence.hp) != shot.NOTHING
