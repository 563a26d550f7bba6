"""Lines of sight, arcs and faces.

In all functions `tables` and `state` are those of the match, `start`, `end`, `one`, `other` and `square` are squares,
`firer` and `target` those of two units, `unit` is a unit, `facing` a facing, and `card` a unit's card.
"""

from __future__ import annotations

from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.base.match import Record

AROUND = 2
"""Squared distance of the eight squares around (AA-76)."""
NEAR_D2 = 9
"""Squared distance up to which foliage is near a unit: 3 inches (p. 21)."""
EXEMPT_FIRER, EXEMPT_TARGET, EXEMPT_EITHER = range(3)


def d2(tables: Record, one: int, other: int) -> int:
    """Return the squared distance of two squares."""
    x, y = tables.x[one] - tables.x[other], tables.y[one] - tables.y[other]
    return int(x * x + y * y)


def is_by(tables: Record, state: Record, unit: int, square: int) -> bool:
    """Return whether a unit on the board is within an inch of a square (AA-76)."""
    at = state.unit[unit].at
    return bool(at != records.NONE and d2(tables, at, square) <= AROUND)


def line(tables: Record, start: int, end: int) -> tuple[bool, bool, int, int, bool]:
    """Walk the line between two squares.

    Returns
    -------
    blocked, hidden : bool
        A building or a ridge stands between them (p. 5); a high wall does (p. 21).
    walls : int
        Walls shot through: runs of steps over walls (AA-92).
    pieces : int
        Pieces of foliage that count (p. 21).
    covered : bool
        The last step before the end blocks (AA-101).
    """
    grounds = tables.ground
    dx, dy = abs(tables.x[end] - tables.x[start]), abs(tables.y[end] - tables.y[start])
    across = 1 if tables.x[end] > tables.x[start] else -1
    down = tables.width if tables.y[end] > tables.y[start] else -tables.width
    # How far along the line the next column begins, and the next row, in 2 * dx * dy parts of it.
    next_column, next_row = dy, dx
    walls, pieces = 0, 0
    blocked, hidden, was_wall, covered, corner = False, False, False, False, False
    here = start
    while True:
        if next_column == next_row and not corner:
            # The line passes through a corner: the two squares there are one step, before the diagonal one.
            corner = True
            square, other = here + across, here + down
        else:
            sideways, onward = corner or next_column < next_row, corner or next_column > next_row
            if sideways:
                here += across
                next_column += 2 * dy
            if onward:
                here += down
                next_row += 2 * dx
            if here == end:
                break
            corner = False
            square, other = here, NO_SQUARE
        ground = grounds[square]
        second = ground if other == NO_SQUARE else grounds[other]
        if ground < records.BUILDING or second < records.BUILDING:
            covered, was_wall = False, False  # flat ground
            continue
        covered = blocks(ground) and blocks(second)
        blocked = blocked or covered
        wall = is_wall(ground) and is_wall(second)
        if wall and not was_wall:
            walls += 1
        was_wall = wall
        hidden = hidden or (ground == records.HIGH_WALL and second == records.HIGH_WALL)
        if ground == records.FOLIAGE and second == records.FOLIAGE:
            pieces += counts(tables, square, other, start, end)
    if grounds[end] == records.FOLIAGE:
        pieces += counts(tables, end, NO_SQUARE, start, end)
    return blocked, hidden, walls, pieces, covered


NO_SQUARE = -1


def is_wall(ground: int) -> bool:
    """Return whether a ground is a wall, low or high."""
    return ground in (records.LOW_WALL, records.HIGH_WALL)


def blocks(ground: int) -> bool:
    """Return whether a ground blocks the line of sight (AA-77)."""
    return ground in (records.BUILDING, records.RIDGE)


def counts(tables: Record, square: int, other: int, start: int, end: int) -> int:
    """Return 1 if a piece of foliage, of one square or two, counts for a shot, else 0 (p. 21; AA-20, AA-21)."""
    if tables.range_plus:
        return int(is_near(tables, square, other, end))
    exempt = tables.exempt != EXEMPT_TARGET and is_near(tables, square, other, start)
    return int(not (exempt or (tables.exempt != EXEMPT_FIRER and is_near(tables, square, other, end))))


def is_near(tables: Record, square: int, other: int, unit: int) -> bool:
    """Return whether a piece of foliage, `square` and maybe an `other`, is near the square of a unit."""
    return d2(tables, square, unit) <= NEAR_D2 or (other != NO_SQUARE and d2(tables, other, unit) <= NEAR_D2)


def toward(tables: Record, start: int, facing: int, end: int) -> tuple[int, int, int, int]:
    """Return how the way from one square to another lies to a facing: dot, |cross|, and both squared lengths."""
    fx = (facing % 4 != 0) * (1 if facing < 4 else -1)
    fy = (facing % 4 != 2) * (1 if 2 < facing < 6 else -1)
    x, y = tables.x[end] - tables.x[start], tables.y[end] - tables.y[start]
    return int(fx * x + fy * y), int(abs(fx * y - fy * x)), fx * fx + fy * fy, int(x * x + y * y)


def face(tables: Record, target: int, facing: int, firer: int) -> int:
    """Return the face that a unit shows to a square (pp. 7, 14); its front, if it has no facing."""
    if facing == records.NO_FACING:
        return records.FRONT
    dot, cross, _, _ = toward(tables, target, facing, firer)
    if dot >= cross:
        return records.FRONT
    return records.REAR if -dot > cross else records.SIDE


def is_ahead(tables: Record, start: int, facing: int, end: int) -> bool:
    """Return whether a square lies within 45 degrees of a facing (pp. 7, 14)."""
    dot, cross, _, _ = toward(tables, start, facing, end)
    return dot >= cross


def is_behind(tables: Record, start: int, facing: int, end: int) -> bool:
    """Return whether a square lies within 45 degrees of the back (pp. 7, 14)."""
    dot, cross, _, _ = toward(tables, start, facing, end)
    return -dot >= cross


def is_angled(tables: Record, target: int, facing: int, firer: int) -> bool:
    """Return whether a unit is fired at from 30 to 60 degrees off its facing (p. 14)."""
    dot, _, facing2, way2 = toward(tables, target, facing, firer)
    both = facing2 * way2
    return dot > 0 and both <= 4 * dot * dot <= 3 * both


def in_arc(tables: Record, card: Record, start: int, facing: int, end: int) -> bool:
    """Return whether a unit may fire in a direction: casemates ahead, reverse ones behind (p. 14; AA-97)."""
    if card.arc > 0:
        return is_ahead(tables, start, facing, end)
    return card.arc == 0 or is_behind(tables, start, facing, end)


def sees(tables: Record, square: int, other: int) -> bool:
    """Return whether a unit that stands on a square can be fired at from another; see `MatchRules`."""
    blocked, hidden, _, _, _ = line(tables, square, other)
    return not (blocked or hidden)
