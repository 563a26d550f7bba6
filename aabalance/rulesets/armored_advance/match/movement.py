"""Where units can go, and what it costs (section 4 of the match)."""

from __future__ import annotations

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


def occupy(tables: Record, state: Record, unit: int, standing: Actions) -> None:
    """Write who stands where: `OWN` for the side of a unit, `ENEMY`, or `FREE_PLACE`."""
    standing[: tables.width * tables.height] = FREE_PLACE
    for other in range(tables.units):
        if state.unit[other].hp > 0 and state.unit[other].at != records.NONE:
            standing[state.unit[other].at] = OWN if tables.side[other] == tables.side[unit] else ENEMY


def reach(
    tables: Record,
    state: Record,
    unit: int,
    free: bool,
    standing: Actions,
    costs: Actions,
    found: Actions,
    scratch: Actions,
) -> int:
    """Write the squares that a unit can get to, the first of them its own, and what each costs.

    Parameters
    ----------
    free : bool
        It makes its free move.
    standing : array of int64
        From `occupy`.
    costs, found, scratch : array of int64, shape (squares,)
        Take the cost of each square in tenths, the squares, and are overwritten. Costs of squares that aren't found
        are `FAR` or more.

    Returns
    -------
    int
        Number of squares found.
    """
    card = tables.card[tables.card_of[unit]]
    tenths = allowance(tables, state, unit, free)
    at = state.unit[unit].at
    costs[: tables.width * tables.height] = FAR
    count = 0
    in_mud = ground_at(tables, state, at) == records.MUD or (
        ground_at(tables, state, at) == records.WATER and card.weight == records.LIGHT
    )
    if card.kind == records.VEHICLE and card.drive == records.TRACKED and not free:
        if not in_mud:
            count = go(tables, state, unit, tenths, tenths, AVOIDING, standing, costs, found, scratch, count)
        count = go(
            tables, state, unit, tenths - TRACKED_IN_MUD, tenths, THROUGH, standing, costs, found, scratch, count
        )
    else:
        count = go(tables, state, unit, tenths, tenths, THROUGH, standing, costs, found, scratch, count)
    if card.kind == records.VEHICLE and not free and card.movement > 0 and ground_at(tables, state, at) == records.ROAD:
        bonus = TRACKED_BONUS if card.drive == records.TRACKED else OTHER_BONUS
        count = go(tables, state, unit, tenths + bonus, tenths, ON_ROAD, standing, costs, found, scratch, count)
    return count


def go(
    tables: Record,
    state: Record,
    unit: int,
    most: int,
    tenths: int,
    way: int,
    standing: Actions,
    costs: Actions,
    found: Actions,
    scratch: Actions,
    count: int,
) -> int:
    """Add the squares that a unit can get to in one way; return the number of squares found then.

    `scratch` holds the costs of this way alone, since a way can't go on from where only another has led; then a ring of
    squares that wait, which of them do, and the squares that were reached.
    """
    card = tables.card[tables.card_of[unit]]
    start, width, height = state.unit[unit].at, tables.width, tables.height
    size = width * height
    ring, waits, reached = size, 2 * size, 3 * size
    scratch[:size] = FAR
    scratch[waits : waits + size] = 0
    scratch[start], scratch[ring], scratch[reached] = 0, start, start
    at, waiting, several = 0, 1, 1
    while waiting > 0:
        square = scratch[ring + at]
        at = at + 1 if at + 1 < size else 0
        waiting -= 1
        scratch[waits + square] = 0
        here = scratch[square]
        x, y = tables.x[square], tables.y[square]
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if (dx == 0 and dy == 0) or not (0 <= x + dx < width and 0 <= y + dy < height):
                    continue
                after = square + dx + dy * width
                if standing[after] == ENEMY or not may_enter(tables, state, unit, after):
                    continue
                ground = ground_at(tables, state, after)
                boggy = card.kind == records.VEHICLE and (
                    ground == records.MUD or (ground == records.WATER and card.weight == records.LIGHT)
                )
                if (way == ON_ROAD and ground != records.ROAD) or (way == AVOIDING and boggy):
                    continue
                step = STRAIGHT if dx == 0 or dy == 0 else DIAGONAL
                if (
                    step == DIAGONAL
                    and not may_enter(tables, state, unit, square + dx)
                    and not may_enter(tables, state, unit, square + dy * width)
                ):
                    continue
                if boggy and (
                    card.drive == records.WHEELED or (card.drive == records.HALF_TRACK and 2 * here >= tenths)
                ):
                    step *= 2
                if here + step > most or here + step >= scratch[after]:
                    continue
                if scratch[after] == FAR:
                    scratch[reached + several] = after
                    several += 1
                scratch[after] = here + step
                if scratch[waits + after] == 0:
                    scratch[waits + after] = 1
                    scratch[ring + (at + waiting) % size] = after
                    waiting += 1
    for at in range(several):
        square = scratch[reached + at]
        if costs[square] == FAR:
            found[count] = square
            count += 1
        costs[square] = min(costs[square], scratch[square])
    return count


def may_face(tables: Record, unit: int, start: int, end: int, cost: int, tenths: int, facing: int) -> bool:
    """Return whether a unit may end a move with a facing: one that is slow in reverse turns round (R-12)."""
    card = tables.card[tables.card_of[unit]]
    return not (card.slow_reverse and 2 * cost > tenths) or is_ahead(tables, start, facing, end)


def has_free_move(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a unit has its free move left: light vehicles, once a turn (R-7)."""
    card = tables.card[tables.card_of[unit]]
    return (
        card.kind == records.VEHICLE
        and card.weight == records.LIGHT
        and card.movement > 0
        and state.unit[unit].freed == 0
    )  # type: ignore[no-any-return]
