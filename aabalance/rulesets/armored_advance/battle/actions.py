"""Before and during the turns of a battle: roll-offs, deployment, and the actions of units and sides (p. 4, p. 22)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from aabalance import dice
from aabalance.rulesets.armored_advance.card import Unit
from aabalance.rulesets.armored_advance.shot.needs import D6


def roll_off() -> Fraction:
    """Return the chance to win a roll-off, for the deployment zone or the first turn; ties are rolled again (p. 22)."""
    difference = dice.convolve(dice.die(D6), dice.transform(dice.die(D6), lambda face: -face))
    return dice.chance_of_at_least(difference, 1) / (1 - difference[0])


def deployment(units_first: int, units_second: int) -> tuple[Literal["first", "second"], ...]:
    """Return who places a unit, one after the other: by turns, then the rest of the larger force (p. 22 Deployment).

    Parameters
    ----------
    units_first, units_second : int
        Units of the winner of the roll-off, who chooses the zone, and of the other.
    """
    order: list[Literal["first", "second"]] = []
    for placed in range(max(units_first, units_second)):
        if placed < units_first:
            order.append("first")
        if placed < units_second:
            order.append("second")
    return tuple(order)


def actions_left(card: Unit, used: int, used_by_side: int, action_limit: int) -> int:
    """Return the actions that a unit may still take in its side's turn (p. 4, p. 17, p. 22).

    Pool and limit both bind vehicles and field guns (AA-50); infantry has its own action outside the limit, see also
    `aabalance.rulesets.armored_advance.battle.infantry.squad_actions`. Nobody has to use them up. A battle asks it who
    is outside the limit; the engine does the counting (`aabalance.engine.battle.lanes`).

    Parameters
    ----------
    card : card
        The unit's card.
    used : int
        Actions that it took this turn.
    used_by_side : int
        Actions that all vehicles and field guns of its side took this turn.
    action_limit : int
        Actions that these may take in a turn.
    """
    left = card.actions - used
    return left if card.class_ == "infantry" else max(0, min(left, action_limit - used_by_side))


def turn_is_over(units: Iterable[tuple[Unit, int]], action_limit: int) -> bool:
    """Return whether a side can take no more actions (p. 4 The Basics).

    Parameters
    ----------
    units : iterable of (card, int)
        Its units, and the actions that each took this turn.
    action_limit : int
        Actions that its vehicles and field guns may take in a turn.
    """
    units = list(units)
    used_by_side = sum(used for card, used in units if card.class_ != "infantry")
    return not any(actions_left(card, used, used_by_side, action_limit) for card, used in units)
