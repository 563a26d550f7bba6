"""Where units can go, and what it costs (section 4 of the match).

In all functions `tables` and `state` are those of the match, `unit` is the unit that moves, `free` says whether it
makes its free move, `squares` is a workspace from `room`, `start`, `end` and `square` are squares, `cost` and
`tenths` are tenths of an inch, `dx` and `dy` a step, `count` is the number of squares found so far, and `facing` a
facing.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.sight import is_ahead
from aabalance.rulesets.base.match import Actions, Record

STRAIGHT, DIAGONAL = 10, 14
"""Tenths of an inch that a step costs (R-5)."""
HEAVY_AGAIN, FREE, FREE_FROM_ROAD = 20, 20, 30
TRACKED_BONUS, OTHER_BONUS, TRACKED_IN_MUD = 10, 20, 10
AVOIDING, THROUGH, ON_ROAD = range(3)
"""Ways to go: without mud, through mud, on the road alone (R-9, R-10)."""
FAR = 1 << 20
FREE_PLACE, OWN, ENEMY = range(3)
"""Who stands on a square."""
STANDING, COSTS, FOUND, HERE, RING, WAITS, REACHED = range(7)
"""Rows of a workspace: who stands on a square, what it costs, the squares found; the rest is `go`'s."""
ROWS = 7


def ground_at(tables: Record, state: Record, square: int) -> int:
    """Return the ground of a square; tank traps that have fallen are open ground (AA-78)."""
    ground = tables.ground[square]
    return records.OPEN if ground == records.TRAP and state.cleared[tables.trap_at[square]] else int(ground)


def may_enter(tables: Record, state: Record, unit: int, square: int) -> bool:
    """Return whether the ground of a square is open to a unit (section 2 of the match)."""
    ground = ground_at(tables, state, square)
    card = tables.card[tables.card_of[unit]]
    if tables.closed[card.kind, ground]:
        return False
    return ground != records.WATER or card.kind != records.VEHICLE or gun_in_tow(tables, state, unit) == records.NONE


def gun_in_tow(tables: Record, state: Record, unit: int) -> int:
    """Return the gun that a vehicle tows; `NONE` if it tows none."""
    for gun in range(tables.units):
        if state.unit[gun].hp > 0 and state.unit[gun].towed == unit:
            return gun
    return records.NONE


def allowance(tables: Record, state: Record, unit: int, free: bool) -> int:
    """Return how many tenths of an inch a unit may go, without the bonus of a road (R-6, R-7)."""
    card, own = tables.card[tables.card_of[unit]], state.unit[unit]
    if free:
        tenths = FREE_FROM_ROAD if own.on_road else FREE
    elif card.kind == records.VEHICLE and card.weight == records.HEAVY and own.marches > 0:
        tenths = min(HEAVY_AGAIN, card.movement)
    else:
        tenths = card.movement
    gun = gun_in_tow(tables, state, unit)
    if gun != records.NONE and tables.card[tables.card_of[gun]].weight == records.HEAVY:
        tenths = tenths // 2
    return int(tenths)


def room() -> Actions:
    """Return a workspace for `occupy` and `reach`: a row of squares for each of `STANDING` and what follows it."""
    return np.empty((ROWS, records.MOST_SQUARES), np.int64)


def occupy(tables: Record, state: Record, unit: int, squares: Actions) -> None:
    """Write who stands where: `OWN` for the side of a unit, `ENEMY`, or `FREE_PLACE`."""
    squares[STANDING, : tables.width * tables.height] = FREE_PLACE
    for other in range(tables.units):
        if state.unit[other].hp > 0 and state.unit[other].at != records.NONE:
            squares[STANDING, state.unit[other].at] = OWN if tables.side[other] == tables.side[unit] else ENEMY


def reach(tables: Record, state: Record, unit: int, free: bool, squares: Actions) -> int:
    """Write the squares that a unit can get to into `FOUND`, its own first, and what they cost in tenths into `COSTS`.

    `squares` is a workspace that `occupy` has filled; `free` says whether the unit makes its free move.

    Returns
    -------
    int
        Number of squares found.
    """
    card = tables.card[tables.card_of[unit]]
    tenths = allowance(tables, state, unit, free)
    ground = ground_at(tables, state, state.unit[unit].at)
    squares[COSTS, : tables.width * tables.height] = FAR
    count = 0
    if card.kind == records.VEHICLE and card.drive == records.TRACKED and not free:
        if not is_boggy(card, ground):
            count = go(tables, state, unit, tenths, AVOIDING, squares, count)
        count = go(tables, state, unit, tenths - TRACKED_IN_MUD, THROUGH, squares, count)
    else:
        count = go(tables, state, unit, tenths, THROUGH, squares, count)
    if card.kind == records.VEHICLE and not free and card.movement > 0 and ground == records.ROAD:
        bonus = TRACKED_BONUS if card.drive == records.TRACKED else OTHER_BONUS
        count = go(tables, state, unit, tenths + bonus, ON_ROAD, squares, count)
    return count


def is_boggy(card: Record, ground: int) -> bool:
    """Return whether a ground is mud for a vehicle; to light ones, water is (R-10, R-11)."""
    if card.kind != records.VEHICLE:
        return False
    return ground == records.MUD or bool(ground == records.WATER and card.weight == records.LIGHT)


def go(tables: Record, state: Record, unit: int, most: int, way: int, squares: Actions, count: int) -> int:
    """Add the squares that a unit can get to in one way for `most` tenths; return the number of squares found then.

    `HERE` holds the costs of this way alone, since a way can't go on from where only another has led. Squares wait in a
    ring until the ways on from them have been looked at.
    """
    card, start = tables.card[tables.card_of[unit]], state.unit[unit].at
    size = tables.width * tables.height
    squares[HERE, :size] = FAR
    squares[WAITS, :size] = 0
    squares[HERE, start], squares[RING, 0], squares[REACHED, 0] = 0, start, start
    at, waiting, several = 0, 1, 1
    while waiting > 0:
        square = squares[RING, at]
        at = at + 1 if at + 1 < size else 0
        waiting -= 1
        squares[WAITS, square] = 0
        for side in range(9):
            cost = squares[HERE, square]
            after = step_to(tables, state, unit, square, side % 3 - 1, side // 3 - 1)
            if after == records.NONE or squares[STANDING, after] == ENEMY:
                continue
            ground = ground_at(tables, state, after)
            boggy = is_boggy(card, ground)
            if (way == ON_ROAD and ground != records.ROAD) or (way == AVOIDING and boggy):
                continue
            step = DIAGONAL if side % 2 == 0 else STRAIGHT
            if boggy and (card.drive == records.WHEELED or (card.drive == records.HALF_TRACK and 2 * cost >= most)):
                step *= 2
            cost += step
            if cost > most or cost >= squares[HERE, after]:
                continue
            if squares[HERE, after] == FAR:
                squares[REACHED, several] = after
                several += 1
            squares[HERE, after] = cost
            if squares[WAITS, after] == 0:
                squares[WAITS, after] = 1
                squares[RING, (at + waiting) % size] = after
                waiting += 1
    for at in range(several):
        square = squares[REACHED, at]
        if squares[COSTS, square] == FAR:
            squares[FOUND, count] = square
            count += 1
        squares[COSTS, square] = min(squares[COSTS, square], squares[HERE, square])
    return count


def step_to(tables: Record, state: Record, unit: int, square: int, dx: int, dy: int) -> int:
    """Return the square that a step leads to, `NONE` if its ground is closed (R-5; AA-83).

    No step leads between two squares that are closed.
    """
    x, y = tables.x[square] + dx, tables.y[square] + dy
    if (dx == 0 and dy == 0) or x < 0 or y < 0 or x >= tables.width or y >= tables.height:
        return records.NONE
    after = square + dx + dy * tables.width
    if not may_enter(tables, state, unit, after):
        return records.NONE
    if (
        dx != 0
        and dy != 0
        and not may_enter(tables, state, unit, square + dx)
        and not may_enter(tables, state, unit, square + dy * tables.width)
    ):
        return records.NONE
    return int(after)


def may_face(tables: Record, unit: int, start: int, end: int, cost: int, tenths: int, facing: int) -> bool:
    """Return whether a unit may end a move with a facing: one that is slow in reverse turns round (R-12)."""
    card = tables.card[tables.card_of[unit]]
    return not (card.slow_reverse and 2 * cost > tenths) or is_ahead(tables, start, facing, end)


def has_free_move(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a unit has its free move left: light vehicles, once a turn (R-7)."""
    card = tables.card[tables.card_of[unit]]
    light = card.kind == records.VEHICLE and card.weight == records.LIGHT
    return bool(light and card.movement > 0 and state.unit[unit].freed == 0)
