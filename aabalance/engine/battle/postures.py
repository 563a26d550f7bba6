"""Where the units of a side want to go in a turn: a function for each posture, which works on many lanes at once.

A posture says, for one unit in each lane, how many steps ahead or back it wants to go. It need not consider how far the
unit can go, nor who is in its way. It is a plain loop over lanes, which also compiles to vector instructions.

Parameters of each posture
    mine : tuple of arrays
        The unit's side, as in `aabalance.engine.battle.packing.Packed.sides`.
    unit : int
        The unit's row.
    place : array of uint16, shape (lanes,)
        Where the unit stands, in steps from the edge behind its own line.
    places : array of uint16, shape (enemies, lanes)
        Where its enemies stand, in steps from the edge behind their line.
    front : array of uint16, shape (lanes,)
        Where the foremost enemy that is left stands.
    foes : array of uint16, shape (lanes,)
        The enemies that are left: a bit each.
    ahead, back : array of uint16, shape (lanes,)
        Take the steps that the unit wants to go; they are 0 before.
    lanes : uint64
        Number of lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aabalance.engine import jit
from aabalance.engine.battle.columns import (
    DEPTH,
    ENEMY,
    HOLDERS,
    LEAST_STEPS,
    MOST_STEPS,
    NOBODY,
    NONE,
    OBJECTIVES,
    ONE,
    ORDERS,
    STOP,
    WISHES,
    W,
)

Posture = Callable[[Any, Any, Any, Any, Any, Any, Any, Any, Any], Any]

POSTURES: dict[str, Posture] = {}
TAKES_STEPS: set[str] = set()
"""Names of the postures that take a distance, as in ``close:6``."""
TO_THE_BEST: set[str] = set()
"""Names of the postures that use `WISHES`, and may go back."""
TO_OBJECTIVES: set[str] = set()
"""Names of the postures that use objectives."""


def posture(*marks: set[str]) -> Callable[[Posture], Posture]:
    """Register the decorated function under its own name, in `POSTURES` and in the sets `marks`."""

    def register(function: Posture) -> Posture:
        POSTURES[function.__name__] = function
        for mark in marks:
            mark.add(function.__name__)
        return function

    return register


@posture()
def hold(
    mine: Any, unit: Any, place: Any, places: Any, front: Any, foes: Any, ahead: Any, back: Any, lanes: Any
) -> None:
    """Stay in place."""


@posture(TAKES_STEPS)
def close(
    mine: Any, unit: Any, place: Any, places: Any, front: Any, foes: Any, ahead: Any, back: Any, lanes: Any
) -> None:
    """Go straight in until within X inches of the nearest enemy."""
    depth, stop = W(mine[ORDERS][DEPTH]), W(mine[ORDERS][STOP])
    for k in range(lanes):
        apart = W(depth - place[k] - front[k])
        ahead[k] = W(apart - min(apart, stop)) if foes[k] != NONE else NONE


@posture(TO_THE_BEST)
def best_range(
    mine: Any, unit: Any, place: Any, places: Any, front: Any, foes: Any, ahead: Any, back: Any, lanes: Any
) -> None:
    """Go where a unit takes most from an enemy, less what the enemy takes from it; turns on the way count."""
    depth, wishes = W(mine[ORDERS][DEPTH]), mine[WISHES][unit]
    for later in range(len(wishes)):
        wish_ = len(wishes) - 1 - later
        enemy = wishes[wish_, ENEMY]
        least, most = W(wishes[wish_, LEAST_STEPS]), W(wishes[wish_, MOST_STEPS])
        bit, there = W(ONE << W(enemy)), places[enemy]
        for k in range(lanes):
            apart, on, off = W(depth - place[k] - there[k]), ahead[k], back[k]
            left = W(foes[k] & bit) != NONE
            ahead[k] = W(apart - min(apart, most)) if left else on
            back[k] = W(max(apart, least) - apart) if left else off


@posture(TO_OBJECTIVES)
def objectives(
    mine: Any, unit: Any, place: Any, places: Any, front: Any, foes: Any, ahead: Any, back: Any, lanes: Any
) -> None:
    """Send squads onto the objectives, each to its own, on foot or in a transport; all others stay."""
    for holder in range(len(mine[HOLDERS])):
        of_unit, goal = mine[HOLDERS][holder]
        if of_unit == unit and goal != NOBODY:
            there = W(mine[OBJECTIVES][goal, 2])
            for k in range(lanes):
                ahead[k] = W(there - min(there, place[k]))


posture_0 = posture_1 = posture_2 = posture_3 = posture_4 = posture_5 = posture_6 = posture_7 = jit.NO_HOOK
"""The postures by number: those from `by_number`, and None."""


def wish(
    number: Any,
    mine: Any,
    unit: Any,
    place: Any,
    places: Any,
    front: Any,
    foes: Any,
    ahead: Any,
    back: Any,
    lanes: Any,
) -> None:
    """Call the posture with this number, which says where a unit wants to go."""
    if posture_0 is not None and number == 0:
        posture_0(mine, unit, place, places, front, foes, ahead, back, lanes)
    if posture_1 is not None and number == 1:
        posture_1(mine, unit, place, places, front, foes, ahead, back, lanes)
    if posture_2 is not None and number == 2:
        posture_2(mine, unit, place, places, front, foes, ahead, back, lanes)
    if posture_3 is not None and number == 3:
        posture_3(mine, unit, place, places, front, foes, ahead, back, lanes)
    if posture_4 is not None and number == 4:
        posture_4(mine, unit, place, places, front, foes, ahead, back, lanes)
    if posture_5 is not None and number == 5:
        posture_5(mine, unit, place, places, front, foes, ahead, back, lanes)
    if posture_6 is not None and number == 6:
        posture_6(mine, unit, place, places, front, foes, ahead, back, lanes)
    if posture_7 is not None and number == 7:
        posture_7(mine, unit, place, places, front, foes, ahead, back, lanes)


def by_number() -> dict[str, Posture]:
    """Return the postures by the names under which `wish` calls them."""
    return {f"posture_{number}": function for number, function in enumerate(POSTURES.values())}
