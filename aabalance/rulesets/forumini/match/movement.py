"""Moves: what a step costs, who may stop where, and what becomes of a move that is stopped (Movement, Stacking).

In all functions `tables` and `state` are those of the match, `unit` is a unit, `at`, `here` and `there` are hexes.
"""

from __future__ import annotations

from aabalance.rulesets.base.match import Record, units_of
from aabalance.rulesets.forumini.match import records

CLOSED = -1
"""In place of the cost of a step that can't be made."""


def in_good_order(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a unit is neither Pinned nor, if it is a soldier, Demoralized."""
    own = state.unit[unit]
    return bool(own.pinned == 0 and (own.worse == 0 or tables.card[unit].kind == records.VEHICLE))


def speed(tables: Record, state: Record, unit: int) -> int:
    """Return a unit's Movement Points under face-up counters (Effects of face-up counters).

    A vehicle loses 1 for each Damaged counter; if it is Pinned, the rest is halved. A Pinned or Demoralized soldier
    doesn't move.
    """
    own, card = state.unit[unit], tables.card[unit]
    if card.kind == records.SOLDIER:
        return int(card.speed) if in_good_order(tables, state, unit) else 0
    left = max(int(card.speed) - int(own.worse), 0)
    return left // 2 if own.pinned else left


def is_road(tables: Record, unit: int, here: int, there: int) -> bool:
    """Return whether a unit that steps from one hex to another follows a road: a vehicle, between road hexes [F-26]."""
    one, other = tables.chart[tables.ground[here]], tables.chart[tables.ground[there]]
    return bool(tables.card[unit].kind == records.VEHICLE and one.road and other.road)


def step_cost(tables: Record, state: Record, unit: int, there: int) -> int:
    """Return the Movement Points that a step of a unit costs; `CLOSED` if it hasn't so many, or may not enter.

    General Movement 5; along a road a vehicle pays 1, and the first time nothing (Road Bonus); a vehicle of Speed 1
    pays 1 for 2 with its first step in the Movement phase (Minimum Movement) [F-27].
    """
    if there == records.NONE:
        return CLOSED
    kind = tables.card[unit].kind
    cost = int(tables.chart[tables.ground[there]].cost[kind])
    if cost == 0:
        return CLOSED
    moves = state.moving == unit
    left = int(state.points) if moves else speed(tables, state, unit)
    if is_road(tables, unit, int(state.unit[unit].at), there):
        cost = 1 if moves and state.road else 0
    elif kind == records.VEHICLE and state.phase == records.MOVEMENT and (not moves or state.steps == 1):
        cost = 1 if cost == 2 and left == 1 else cost
    return cost if cost <= left else CLOSED


def can_step(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a unit that moves can go on."""
    for direction in range(len(records.DIRECTIONS)):
        if step_cost(tables, state, unit, tables.adjacent[state.unit[unit].at, direction]) != CLOSED:
            return True
    return False


def has_room(tables: Record, state: Record, unit: int, at: int) -> bool:
    """Return whether a unit may end a move in a hex: its side has at most 2 others there, 1 vehicle at all [F-22]."""
    kind = tables.card[unit].kind
    units, vehicles = 1, int(kind)
    for other in units_of(tables, tables.side[unit]):
        if other != unit and state.unit[other].at == at:
            units += 1
            vehicles += int(tables.card[other].kind)
    return bool(units <= records.STACK and (kind == records.SOLDIER or vehicles <= records.STACK_VEHICLES))


def begin_move(tables: Record, state: Record, unit: int) -> None:
    """Begin a move; markers are lost even if the first Movement Roll fails."""
    state.points, state.road, state.steps = speed(tables, state, unit), 0, 1
    state.moving, state.path[0] = unit, state.unit[unit].at
    stir(state, unit)


def stir(state: Record, unit: int) -> None:
    """Note that a unit moves, turns or gets up: it loses its markers (Hit the Dirt, Hull Down, Overwatch)."""
    own = state.unit[unit]
    own.act, own.mark, own.watch = records.MOVED, records.NO_MARK, records.NONE


def stop_in_room(tables: Record, state: Record) -> None:
    """End the move where it is; in a full hex the unit retraces it to the last hex with room (Stacking)."""
    unit, step = state.moving, state.steps - 1
    while step > 0 and not has_room(tables, state, unit, state.path[step]):
        step -= 1
    state.unit[unit].at = state.path[step]
    end_move(state)


def end_move(state: Record) -> None:
    """Forget the move, and all of it: exact play knows states by their bytes."""
    state.moving, state.points, state.road, state.under_fire = records.NONE, 0, 0, 0
    state.path[: state.steps] = 0
    state.steps = 0
