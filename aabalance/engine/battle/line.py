"""A *line*: where units stand that move, in many battles at once. It leaves this package with battles that move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aabalance.engine.battle.columns import CLASSES, SIDE_UNITS, Rows, Side, Sides

RIDING, RESTING = 3, 5
"""Rows of the part of a line that is about the battle: the riders of side 0 that are still inside others, followed by
those of side 1, and the units that rest."""

Line = tuple[Any, ...]


def in_fours(side: Side) -> int:
    """Return the number of a side's units, rounded up to a multiple of four."""
    return -(-len(side.units) // 4) * 4


def line_for(sides: Sides, rows: Callable[[int], Rows]) -> Line:
    """Return the arrays for where units stand and how they have moved: a *line*.

    Parameters
    ----------
    sides : pair of Side
        Both sides.
    rows : callable
        Takes a number, and returns an array with so many rows of lanes.

    Returns
    -------
    tuple
        Eleven parts, those by unit without rows if no unit moves:

        - 0: for each side, by unit, its place;
        - 1: for each side, the units that have moved this turn: a bit each;
        - 2: for each side, by unit, the class of its last move, if there are several classes;
        - 3 to 8: a row each for numbers that are handed on within a turn;
        - 9: rows about the battle: its idle turns in a row; the points of both sides, if they decide or units ride; for
          each side, the riders still inside others, and then the units that rest this turn, a bit each, if units ride;
        - 10: by side and unit, the bounds of `aabalance.engine.battle.reach`.
    """
    units = [in_fours(side) if len(side.paces) else 0 for side in sides]
    kinds = [n if len(side.paces) and side.orders[CLASSES] > 1 else 0 for n, side in zip(units, sides, strict=True)]
    return (
        (rows(units[0]), rows(units[1])),
        tuple(rows(2)),
        (rows(kinds[0]), rows(kinds[1])),
        *rows(6),
        rows(RESTING + 1 if any(len(side.riders) for side in sides) else 3 if len(sides[0].objectives) else 1),
        np.zeros((2, SIDE_UNITS, 3), dtype=np.int64),
    )
