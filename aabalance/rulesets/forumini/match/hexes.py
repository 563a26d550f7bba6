"""Hexes: distances, neighbours, and the line between two of them (Line of Sight, Overwatch 1).

A hex has axial coordinates: q counts along a row, r along the row that is turned by 60 degrees. In all functions
`tables` are those of the match, `here`, `there` and `at` are hexes, `dq`, `dr` the step from one hex to another, and
`face` is where a vehicle faces.
"""

from __future__ import annotations

from aabalance.rulesets.base.match import Record
from aabalance.rulesets.forumini.match import records

APART, LEFT, RIGHT, CROSSED = range(4)
"""How a line meets a hex: not at all or at a corner; along a hexside of it, which lies left or right; in its inside."""


def distance(tables: Record, here: int, there: int) -> int:
    """Return the range between two hexes; the firer's hex isn't counted, the target's is (Direct Fire 2)."""
    return length(tables.q[there] - tables.q[here], tables.r[there] - tables.r[here])


def length(dq: int, dr: int) -> int:
    """Return of how many hexes a step is."""
    return int(max(abs(dq), abs(dr), abs(dq + dr)))


def meets(dq: int, dr: int, q: int, r: int) -> int:
    """Return how the line from the centre of the hex 0, 0 to that of `dq`, `dr` meets the hex `q`, `r`.

    Each pair of opposite hexsides bounds a strip: across it, a point of the hex is between -1 and 1. On the line this
    is linear, so that each strip is an interval of the line; their ends are compared as fractions.
    """
    if length(q, r) + length(dq - q, dr - r) > length(dq, dr):
        return APART
    s, ds = -q - r, -dq - dr
    starts, slopes = (r - q, s - r, q - s), (dq - dr, dr - ds, ds - dq)
    low, low_of, high, high_of, along = 0, 1, 1, 1, False
    for strip in range(3):
        start, slope = starts[strip], slopes[strip]
        if slope == 0:
            if abs(start) > 1:
                return APART
            along = along or abs(start) == 1
            continue
        # Turned so that the line enters at -1.
        enters, leaves = (-1 - start, 1 - start) if slope > 0 else (start - 1, start + 1)
        slope = abs(slope)
        if enters * low_of > low * slope:
            low, low_of = enters, slope
        if leaves * high_of < high * slope:
            high, high_of = leaves, slope
    if low * high_of >= high * low_of:
        return APART
    if not along:
        return CROSSED
    return LEFT if dq * r - dr * q < 0 else RIGHT


def in_arc(tables: Record, here: int, there: int, at: int) -> bool:
    """Return whether a hex is in the Overwatch Arc from one hex to another (Overwatch 1).

    The arc is all hexes that the line traverses, those on both sides where it runs along a hexspine, and all beside
    these, on the map or not.
    """
    dq, dr = tables.q[there] - tables.q[here], tables.r[there] - tables.r[here]
    q, r = tables.q[at] - tables.q[here], tables.r[at] - tables.r[here]
    found = meets(dq, dr, q, r) != APART
    for one, other in records.STEPS:
        found = found or meets(dq, dr, q + one, r + other) != APART
    return found


def ahead(dq: int, dr: int, face: int) -> int:
    """Return twice the scalar product of a step and of the direction of a face."""
    q, r = records.STEPS[face]
    return int(2 * q * dq + 2 * r * dr + q * dr + r * dq)


def face_shown(dq: int, dr: int, face: int) -> int:
    """Return the face that a vehicle shows to an attacker (Vehicle Movement 3) [F-23].

    The step leads from the vehicle to the attacker. The rear is 60 degrees; from the same hex, the side is met.
    """
    product = ahead(dq, dr, face)
    if dq == 0 and dr == 0:
        return records.SIDE
    if product >= 0:
        return records.FRONT
    return records.REAR if product * product >= 3 * (dq * dq + dq * dr + dr * dr) else records.SIDE
