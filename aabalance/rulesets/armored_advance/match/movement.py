"""Where units can go, and what it costs.

In all functions `tables` and `state` are those of the match, `unit` is the unit that moves, `free` says whether it
makes its free move, `squares` is from `occupied`, `square` is a square, `tenths` are tenths of an inch, `count` is the
number of squares found so far, `side` a side, and `facing` a facing.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armored_advance.card import HEAVY_AGAIN_IN, LIGHT_FREE_IN
from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.sight import is_ahead
from aabalance.rulesets.base.match import Actions, Record

STRAIGHT, DIAGONAL = 10, 14
"""Tenths of an inch that a step costs (p. 4)."""
HEAVY_AGAIN, FREE, FREE_FROM_ROAD = 10 * HEAVY_AGAIN_IN, 10 * LIGHT_FREE_IN, 30
TRACKED_BONUS, OTHER_BONUS, TRACKED_IN_MUD = 10, 20, 10
AVOIDING, THROUGH, ON_ROAD = range(3)
"""Ways to go: without mud, through mud, on the road alone (p. 20)."""
FAR = 1 << 20
FREE_PLACE, OWN, ENEMY = range(3)
"""Who stands on a square."""
STANDING, COSTS, FOUND, ENTERED, HERE, RING, WAITS, REACHED = range(8)
"""Rows of a workspace: who stands on a square, what it costs, the squares found, how a unit goes there; the rest is
`go`'s."""
ROWS = 8
CLOSED, TAKEN, FIRM, ROAD, BOGGY = range(5)
"""How a unit goes to a square: not at all, as its ground is closed, or as an enemy stands there; else by its ground."""


def ground_at(tables: Record, state: Record, square: int) -> int:
    """Return the ground of a square; tank traps that have fallen are open ground (AA-78)."""
    ground = tables.ground[square]
    return records.OPEN if ground == records.TRAP and state.cleared[tables.trap_at[square]] else int(ground)


def may_enter(tables: Record, state: Record, unit: int, square: int) -> bool:
    """Return whether the ground of a square is open to a unit."""
    ground = ground_at(tables, state, square)
    card = tables.card[unit]
    if tables.closed[card.kind, ground]:
        return False
    return ground != records.WATER or card.kind != records.VEHICLE or gun_in_tow(tables, state, unit) == records.NONE


def gun_in_tow(tables: Record, state: Record, unit: int) -> int:
    """Return the gun that a vehicle tows; `NONE` if it tows none."""
    for gun in range(tables.units):
        if state.unit[gun].towed == unit:
            return gun
    return records.NONE


def allowance(tables: Record, state: Record, unit: int, free: bool) -> int:
    """Return how many tenths of an inch a unit may go, without the bonus of a road (pp. 4, 13, 20)."""
    card, own = tables.card[unit], state.unit[unit]
    if free:
        tenths = FREE_FROM_ROAD if own.on_road else FREE
    elif card.kind == records.VEHICLE and card.weight == records.HEAVY and own.marches > 0:
        tenths = min(HEAVY_AGAIN, card.movement)
    else:
        tenths = card.movement
    gun = gun_in_tow(tables, state, unit)
    if gun != records.NONE and tables.card[gun].weight == records.HEAVY:
        tenths = tenths // 2
    return int(tenths)


def occupied(tables: Record, state: Record, side: int) -> Actions:
    """Return a workspace for `reach` that says who stands where: `OWN` for units of a side, `ENEMY`, or `FREE_PLACE`.

    It has a row of squares for each of `STANDING` and what follows it.
    """
    squares = np.empty((ROWS, records.MOST_SQUARES), np.int64)
    squares[STANDING, : tables.width * tables.height] = FREE_PLACE
    for unit in range(tables.units):
        if state.unit[unit].at != records.NONE:
            squares[STANDING, state.unit[unit].at] = OWN if tables.side[unit] == side else ENEMY
    return squares


def may_stand(tables: Record, state: Record, unit: int, square: int, squares: Actions) -> bool:
    """Return whether a unit may be put on a square: nobody stands there, and its ground is open to the unit."""
    return bool(squares[STANDING, square] == FREE_PLACE) and may_enter(tables, state, unit, square)


def reach(tables: Record, state: Record, unit: int, free: bool, squares: Actions) -> int:
    """Write the squares that a unit can get to into `FOUND`, its own first, and what they cost in tenths into `COSTS`.

    Returns
    -------
    int
        Number of squares found.
    """
    card = tables.card[unit]
    tenths = allowance(tables, state, unit, free)
    ground = ground_at(tables, state, state.unit[unit].at)
    surroundings(tables, state, unit, (tenths + OTHER_BONUS) // STRAIGHT + 1, squares)
    count, slower = 0, card.kind == records.VEHICLE and card.drive == records.TRACKED and not free
    if slower and not is_boggy(card, ground):
        count = go(tables, state, unit, tenths, AVOIDING, squares, count)
    count = go(tables, state, unit, tenths - TRACKED_IN_MUD if slower else tenths, THROUGH, squares, count)
    if card.kind == records.VEHICLE and not free and card.movement > 0 and ground == records.ROAD:
        bonus = TRACKED_BONUS if card.drive == records.TRACKED else OTHER_BONUS
        count = go(tables, state, unit, tenths + bonus, ON_ROAD, squares, count)
    return count


def is_boggy(card: Record, ground: int) -> bool:
    """Return whether a ground is mud for a vehicle; to light ones, water is (p. 20)."""
    if card.kind != records.VEHICLE:
        return False
    return ground == records.MUD or bool(ground == records.WATER and card.weight == records.LIGHT)


def surroundings(tables: Record, state: Record, unit: int, radius: int, squares: Actions) -> None:
    """Write how a unit goes to the squares around it, and that none of them is found.

    `radius` is further than the unit gets by a square.
    """
    card, start, width = tables.card[unit], state.unit[unit].at, tables.width
    tows = card.kind == records.VEHICLE and gun_in_tow(tables, state, unit) != records.NONE
    how = np.empty(len(records.GROUNDS), np.int64)
    for ground in range(len(records.GROUNDS)):
        how[ground] = ROAD if ground == records.ROAD else BOGGY if is_boggy(card, ground) else FIRM
        if tables.closed[card.kind, ground] or (tows and ground == records.WATER):
            how[ground] = CLOSED
    x, y = tables.x[start], tables.y[start]
    for row in range(max(0, y - radius), min(tables.height, y + radius + 1)):
        first, last = row * width + max(0, x - radius), row * width + min(width, x + radius + 1)
        squares[COSTS, first:last] = FAR
        squares[HERE, first:last] = FAR
        squares[WAITS, first:last] = 0
        for square in range(first, last):
            ground = tables.ground[square]
            if ground == records.TRAP:
                ground = ground_at(tables, state, square)
            enters = how[ground]
            squares[ENTERED, square] = TAKEN if enters != CLOSED and squares[STANDING, square] == ENEMY else enters


def go(tables: Record, state: Record, unit: int, most: int, way: int, squares: Actions, count: int) -> int:
    """Add the squares that a unit can get to in one way for `most` tenths; return the number of squares found then.

    `HERE` holds the costs of this way alone, since a way can't go on from where only another has led. Squares wait in a
    ring until the ways on from them have been looked at.
    """
    card, start = tables.card[unit], state.unit[unit].at
    width, height = tables.width, tables.height
    size = width * height
    here, entered, waits = squares[HERE], squares[ENTERED], squares[WAITS]
    here[start], squares[RING, 0], squares[REACHED, 0] = 0, start, start
    at, waiting, several = 0, 1, 1
    while waiting > 0:
        square = squares[RING, at]
        at = at + 1 if at + 1 < size else 0
        waiting -= 1
        waits[square] = 0
        cost, x, y = here[square], tables.x[square], tables.y[square]
        if cost + STRAIGHT > most:
            continue
        # How many times as much a step to boggy ground costs (p. 20).
        times = 1 + (card.drive == records.WHEELED or (card.drive == records.HALF_TRACK and 2 * cost >= most))
        for dy in range(-1 if y > 0 else 0, 2 if y + 1 < height else 1):
            for dx in range(-1 if x > 0 else 0, 2 if x + 1 < width else 1):
                after = square + dx + dy * width
                if here[after] <= cost + STRAIGHT:
                    continue
                enters, slantwise = entered[after], dx != 0 and dy != 0
                if enters <= TAKEN or (way == ON_ROAD and enters != ROAD) or (way == AVOIDING and enters == BOGGY):
                    continue
                # No step leads between two squares that are closed (AA-83).
                if slantwise and entered[square + dx] == CLOSED and entered[square + dy * width] == CLOSED:
                    continue
                total = cost + (DIAGONAL if slantwise else STRAIGHT) * (times if enters == BOGGY else 1)
                if total > most or total >= here[after]:
                    continue
                if here[after] == FAR:
                    squares[REACHED, several] = after
                    several += 1
                here[after] = total
                if waits[after] == 0:
                    waits[after] = 1
                    last = at + waiting
                    squares[RING, last if last < size else last - size] = after
                    waiting += 1
    for at in range(several):
        square = squares[REACHED, at]
        if squares[COSTS, square] == FAR:
            squares[FOUND, count] = square
            count += 1
        squares[COSTS, square] = min(squares[COSTS, square], here[square])
        here[square] = FAR
    return count


def may_face(tables: Record, state: Record, unit: int, square: int, facing: int, tenths: int, squares: Actions) -> bool:
    """Return whether a unit may end a move of at most `tenths` with a facing, on a square that `reach` has found.

    One that is slow in reverse turns round (p. 14); one that stays turns.
    """
    own, card = state.unit[unit], tables.card[unit]
    if square == own.at:
        return bool(facing != own.f)
    slow = card.slow_reverse and card.faces and 2 * squares[COSTS, square] > tenths
    return not slow or is_ahead(tables, own.at, facing, square)


def has_free_move(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a unit has its free move left: light vehicles, once a turn (pp. 4, 20)."""
    card = tables.card[unit]
    light = card.kind == records.VEHICLE and card.weight == records.LIGHT
    return bool(light and card.movement > 0 and state.unit[unit].freed == 0)
