"""The tables of duels as solver and kernel read them: the turns of both sides, in lists or arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from aabalance.engine.arrays import Row
    from aabalance.engine.volleys import Effects

HP, AT, BRACKETS, LEAST_AT, NODES, QUANTUM = range(6)
"""Columns of a side: its hit points; the index at which its entries begin; the number of its brackets; the index at
which their thresholds begin; the number of its nodes; and the greatest common divisor of the amounts that its volleys
can take, 0 if it is harmless."""

GROUPS = 4
"""Number of groups of dice sequences of a side."""
GROUPS_AT = 4
"""First column of the groups in the row of a side; before it stand `HP` to `LEAST_AT`."""
COUNT, FULL, BASE, EFFECTS_AT = range(4)
"""Columns of a group: the number of its sequences; 1 if they need a second digit, else 0; the base of the first digit;
and the index at which its effects begin, six, by the face of the second die."""
GROUP_FIELDS = 4

GROUP_BITS = 12
NEED_BITS = 6
NEXT_BITS = 48
"""An entry has `GROUP_BITS` bits for each group, two thresholds of `NEED_BITS` bits, and the next node from bit
`NEXT_BITS` on."""
NEVER = 63
"""A threshold that no digit reaches."""


class Turns(NamedTuple):
    """All turns of some duels, in lists or arrays.

    A node belongs to one side, and says what that side's turn depends on besides its toughness. A bracket is a range of
    toughness in which a side's turns stay the same. Each node has an entry for each bracket of its side.

    Attributes
    ----------
    sides : sequence of int, shape (duels, 2, 6)
        The columns `HP` to `QUANTUM` of both sides.
    least : sequence of int
        By bracket, the least toughness of a side in it; brackets of a side begin with the highest.
    volley, after : sequence of int
        By entry, the number of its volley and the next node of the other side.
    effects : Effects
        The outcomes of all volleys.
    """

    sides: Row[Row[Row[int]]]
    least: Row[int]
    volley: Row[int]
    after: Row[int]
    effects: Effects


def survived(toughness: int, step: int) -> int:
    """Return how many hits of `step` each take all of `toughness`; 1 if `step` is 0, since nothing is ever lost."""
    return 1 if step == 0 else (toughness + step - 1) // step


def lattice(side_0: Row[int], side_1: Row[int]) -> tuple[int, int]:
    """Return, for each of the two sides of a duel, how many different losses it can have while it lives."""
    return survived(side_0[HP], side_1[QUANTUM]), survived(side_1[HP], side_0[QUANTUM])


def bracket(side: Row[int], least: Row[int], toughness: int) -> int:
    """Return the number of the bracket of `least` that a side with `toughness` left is in."""
    row = 0
    while toughness < least[side[LEAST_AT] + row]:
        row += 1
    return row
