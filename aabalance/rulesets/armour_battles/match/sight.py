"""Distances, directions, and lines of sight [B-15, B-27].

In all functions `tables` and `state` are those of the match, `one`, `other` and `square` are squares, `x` and `y` a
column and a row, `dx` and `dy` a distance in columns and rows, `face` is a direction, and `side` a side.
"""

from __future__ import annotations

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.base.match import Record, units_of

SQUARE_IN = 3
FAR = 1 << 20
"""A squared distance beyond all others: there is no enemy on the table."""


def d2(tables: Record, one: int, other: int) -> int:
    """Return the squared distance of two squares, in squares."""
    dx, dy = tables.x[one] - tables.x[other], tables.y[one] - tables.y[other]
    return int(dx * dx + dy * dy)


def crosses(dx: int, dy: int, x: int, y: int) -> bool:
    """Return whether a line between two centres crosses the inside of a square, which may be at its ends.

    `x` and `y` say how far the square is from the first end.
    """
    if x < min(0, dx) or x > max(0, dx) or y < min(0, dy) or y > max(0, dy):
        return False
    return abs(2 * (dx * y - dy * x)) < abs(dx) + abs(dy)


def direction(dx: int, dy: int) -> int:
    """Return the direction of a line; a part that is small beside the other counts as none [B-23]."""
    across = 0 if 12 * abs(dx) < 5 * abs(dy) else (1 if dx > 0 else -1 if dx < 0 else 0)
    down = 0 if 12 * abs(dy) < 5 * abs(dx) else (1 if dy > 0 else -1 if dy < 0 else 0)
    if across == 0:
        return 0 if down < 0 else 4
    if across > 0:
        return 2 + down
    return 6 - down


def towards(tables: Record, one: int, other: int) -> int:
    """Return the direction from a square to another."""
    return direction(tables.x[other] - tables.x[one], tables.y[other] - tables.y[one])


def is_flank(tables: Record, face: int, one: int, other: int) -> bool:
    """Return whether fire from `one` comes from the flank or rear of a unit in `other` that faces so (Direct Fire)."""
    dx, dy = tables.x[one] - tables.x[other], tables.y[one] - tables.y[other]
    across, down = records.STEPS[face]
    dot = dx * across + dy * down
    return bool(dot <= 0 or 2 * dot * dot < (across * across + down * down) * (dx * dx + dy * dy))


def is_clear(tables: Record, one: int, other: int) -> bool:
    """Return whether no ground between two squares blocks sight."""
    return bool(tables.sight[one, other])


def sees(tables: Record, state: Record, one: int, other: int) -> bool:
    """Return whether two squares see each other: neither ground nor smoke is between them."""
    return is_clear(tables, one, other) and not is_smoked(tables, state, one, other)


def is_smoked(tables: Record, state: Record, one: int, other: int) -> bool:
    """Return whether one of two squares that don't touch, or a square between them, is in smoke."""
    x, y = tables.x[one], tables.y[one]
    dx, dy = tables.x[other] - x, tables.y[other] - y
    if max(abs(dx), abs(dy)) <= 1:
        return False
    for number in range(tables.batteries):
        battery = state.battery[number]
        for across, down in records.AREA:
            if battery.cloud > 0 and crosses(dx, dy, battery.x + across - x, battery.y + down - y):
                return True
    return False


def is_on_map(tables: Record, x: int, y: int) -> bool:
    """Return whether there is a square in a column and row."""
    return bool(0 <= x < tables.width and 0 <= y < tables.height)


def unit_on(tables: Record, state: Record, x: int, y: int) -> int:
    """Return the unit in a column and row; `NONE` if none is there, or no square."""
    return int(state.unit_at[x + y * tables.width]) if is_on_map(tables, x, y) else records.NONE


def is_seen(tables: Record, state: Record, side: int, square: int, spotted: bool) -> bool:
    """Return whether a unit of a side on the table sees a square, where it has to be `spotted` one not suppressed."""
    for unit in units_of(tables, side):
        own = state.unit[unit]
        if own.at >= 0 and not (spotted and own.suppressed) and sees(tables, state, own.at, square):
            return True
    return False


def nearest(tables: Record, state: Record, side: int, square: int) -> int:
    """Return the squared distance of a square from the nearest unit of a side; `FAR` if none is on the table."""
    least = FAR
    for unit in units_of(tables, side):
        at = state.unit[unit].at
        if at >= 0:
            least = min(least, d2(tables, square, at))
    return least
