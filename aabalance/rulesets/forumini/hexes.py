"""Hexes: range, the Overwatch arc, and where a paratrooper lands.

A hex is (q, r): q counts along one row of the map, r along the row 60 degrees from it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from aabalance import dice
from aabalance.rulesets.forumini.rules import D6

Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six neighbours, clockwise."""


def distance(a: Hex, b: Hex) -> int:
    """Return the range between two hexes: the firer's doesn't count, the target's does (Direct Fire 2)."""
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


def neighbours(at: Hex) -> set[Hex]:
    """Return the six hexes around a hex."""
    return {(at[0] + q, at[1] + r) for q, r in DIRECTIONS}


def line(a: Hex, b: Hex) -> set[Hex]:
    """Return the hexes that the line between two centres traverses (Overwatch 1).

    Along a hexspine those on both sides count. A hex that the line only meets at a corner is not traversed.
    """
    reach = distance(a, b)
    box = [
        (a[0] + q, a[1] + r) for q in range(-reach, reach + 1) for r in range(-reach, reach + 1) if abs(q + r) <= reach
    ]
    return {at for at in box if _length_inside(a, b, at) > 0} or {a}


def _length_inside(a: Hex, b: Hex, at: Hex) -> Fraction:
    """Return how much of the line from a to b, of length 1, lies in the closed hex `at`."""
    start, end = Fraction(0), Fraction(1)
    for at_a, at_b in zip(_across(a, at), _across(b, at), strict=True):
        # Each pair of opposite hexsides is a strip: between -1 and 1 across it.
        if at_a == at_b:
            if abs(at_a) > 1:
                return Fraction(0)
            continue
        enters, leaves = sorted((Fraction(-1 - at_a, at_b - at_a), Fraction(1 - at_a, at_b - at_a)))
        start, end = max(start, enters), min(end, leaves)
    return max(end - start, Fraction(0))


def _across(point: Hex, centre: Hex) -> tuple[int, int, int]:
    q, r = point[0] - centre[0], point[1] - centre[1]
    s = -q - r
    return q - r, r - s, s - q


def overwatch_arc(unit: Hex, aim: Hex) -> set[Hex]:
    """Return the Overwatch Arc: the hexes that the line to `aim` traverses, and all next to them (Overwatch 1).

    Blocking terrain is the map's, and not seen here.
    """
    traversed = line(unit, aim)
    return traversed.union(*map(neighbours, traversed))


def scatter() -> dict[Hex, Fraction]:
    """Return how far off its target hex a paratrooper lands: a row by a die, half a die along it (Paratroopers 2-3)."""
    along = dice.transform(dice.die(D6), lambda face: (face + 1) // 2)
    return {
        (q * hexes, r * hexes): p * q_hexes
        for (q, r), p in zip(DIRECTIONS, dice.die(D6).values(), strict=True)
        for hexes, q_hexes in along.items()
    }


def lands(target: Hex, on_map: Callable[[Hex], bool], taken: frozenset[Hex] = frozenset()) -> dict[Hex, Fraction]:
    """Return where a paratrooper lands (Paratroopers 3).

    One who would leave the map lands in the last hex of the row before its edge; one who would exceed the stacking
    limit of a `taken` hex goes on along the row to the next legal one.
    """

    def landed(away: Hex) -> Hex:
        q, r = away
        hexes = max(abs(q), abs(r))
        at, walked = target, 0
        while walked < hexes or at in taken:
            after = at[0] + q // hexes, at[1] + r // hexes
            if not on_map(after):
                break
            at, walked = after, walked + 1
        return at

    return dice.transform(scatter(), landed)
