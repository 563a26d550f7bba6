"""The arrays that rolled battles are written into: how they are made, filled, cleared, and moved between lanes.

A row has one number for each lane; a battle is a column of them. A row has more places than there are lanes: the one
behind the last lane stays at full strength, as battles begin. All functions but `room_for` and `line_for` are plain
loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.columns import (
    ATTACKS,
    CLASSES,
    HELPED_AT,
    HURTS,
    MEMBERS,
    NOBODY,
    NONE,
    POOL,
    RIDER,
    SIDE_UNITS,
    START,
    TOUGHNESS,
    Side,
    Sides,
)
from aabalance.engine.digits import aligned

U = np.uint64

RIDING, RESTING = 3, 5
"""Rows of the part of a line that is about the battle: the riders of side 0 that are still inside others, followed by
those of side 1, and the units that rest."""
CACHE_LINE = 32
"""Number of lanes of a row that fit into a line of the processor's cache."""


def room_for(sides: Sides, blocks: int, most_lanes: int) -> tuple[Any, ...]:
    """Return room for `aabalance.engine.battle.lanes.kernel.battles`, with both sides as they begin a battle.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.battle.Battle.sides`.
    blocks : int
        Largest number of blocks of words that the dice of a turn take.
    most_lanes : int
        Number of lanes.

    Returns
    -------
    tuple
        Arrays of 16-bit numbers, with the lanes as their last axis. For each side: the toughness left, by unit; gains,
        by strike and enemy; the units that are left; the units able to make each strike; the guns that can't fire, and
        those that are prepared. For the turn: attacks fired, actions spent, help given, and the units ready to make
        each strike. Then six rows for what policies pick, and 13 for a number each (loss, toughness after it, player
        turn, whether the battle goes on, foes, bits, actions, rest, friend, moment, the lowest bits of the entry, and
        two digits). Four rows of 64-bit numbers (the trial, the entry, lanes to be written over, lanes that are copied
        there). Rows in words of 64 bits that several lanes share: those of the lowest bits and of the toughness, and
        one of 32-bit numbers, which follows as it is, too. The random words, and which of their blocks are drawn. For
        each side, the enemies that each strike can hurt. Last, what `line_for` returns.
    """
    guns, strikes = [len(side.guns) for side in sides], [len(side.strikes) for side in sides]
    units = [in_pairs(side) for side in sides]
    firings = max(int(side.guns[:, ATTACKS].sum()) for side in sides)
    helped = max(units) if any((side.strikes[:, HELPED_AT] != NOBODY).any() for side in sides) else 0
    pools = max(int(side.units[:, POOL].max()) for side in sides)

    def rows(*shape: int) -> Any:
        # Rows are a cache line longer than a power of two: else a lane of all rows would share one place in the cache.
        return aligned(*shape, most_lanes + CACHE_LINE, dtype="uint16")

    def large(count: int) -> Any:
        return aligned(count, most_lanes + CACHE_LINE)

    def pair(counts: Any, *shape: int) -> tuple[Any, Any]:
        return rows(counts[0], *shape), rows(counts[1], *shape)

    left, gains, alive = pair(units), (rows(strikes[0], units[1]), rows(strikes[1], units[0])), tuple(rows(2))
    hurts, line = pair([*map(_rows_of_hurts, sides)]), line_for(sides, rows)
    _fill(sides, left, gains, alive, hurts, line)
    numbers, pairs = tuple(rows(13)), aligned(most_lanes + CACHE_LINE, dtype="uint32")
    _, after, _, _, _, _, _, _, _, _, low, _, _ = numbers
    return (
        left,
        gains,
        alive,
        pair(strikes),
        (pair((guns[0], guns[0])), pair((guns[1], guns[1]))),
        rows(firings),
        rows(pools + 1),
        rows(helped),
        rows(max(strikes)),
        tuple(rows(6)),
        numbers,
        tuple(large(4)),
        (_in_words(low), _in_words(after), _in_words(pairs), pairs),
        large(2 * blocks),
        np.zeros(blocks, dtype=np.int64),
        hurts,
        line,
    )


def _in_words(row: Any) -> Any:
    """Return a row in words of 64 bits, which several lanes share: the first has the lowest bits (little-endian)."""
    return row[: row.nbytes // 8 * 8 // row.itemsize].view(U)


def in_fours(side: Side) -> int:
    """Return the number of a side's units, rounded up to a multiple of four."""
    return -(-len(side.units) // 4) * 4


def in_pairs(side: Side) -> int:
    """Return the number of a side's units, rounded up to a multiple of two.

    What is read and written with every strike has so many rows: a last pair takes half of the time of four.
    """
    return -(-len(side.units) // 2) * 2


def _rows_of_hurts(side: Side) -> int:
    """Return how many rows say whom a side hurts: more than strikes if units that share one can stand apart."""
    shared = len(side.paces) and any(int(members).bit_count() > 1 for members in side.strikes[:, MEMBERS])
    return len(side.strikes) + (in_fours(side) if shared else 0)


def line_for(sides: Sides, rows: Any) -> tuple[Any, ...]:
    """Return the arrays for where units stand and how they have moved: a *line*.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.battle.Battle.sides`.
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


def _fill(sides: Sides, left: Any, gains: Any, alive: Any, hurts: Any, line: Any) -> None:
    """Write both sides as they begin a battle into all lanes, and the ones behind them, which never change."""
    for side, (mine, theirs) in enumerate(((sides[0], sides[1]), (sides[1], sides[0]))):
        units, enemies = mine.units, theirs.units
        left[side][: len(units)] = units[:, [TOUGHNESS]]
        full = mine.rank[:, np.arange(len(enemies)), 0, enemies[:, TOUGHNESS]]
        gains[side][:, : len(enemies)] = full[:, :, None]
        alive[side][:] = (1 << len(units)) - 1
        hurts[side][: len(mine.strikes)] = mine.strikes[:, [HURTS]]
        if len(mine.paces):
            line[0][side][:] = mine.orders[START]
        if len(mine.riders):
            line[9][RIDING + side] = (1 << mine.riders[:, RIDER]).sum()


def clear(rows: Any, lanes: Any) -> None:
    """Set all lanes of some rows to 0.

    Parameters
    ----------
    rows : array of uint16, shape (rows, lanes)
        The rows; changed.
    lanes : uint64
        Number of lanes.
    """
    for at in range(len(rows)):
        row = rows[at]
        for k in range(lanes):
            row[k] = NONE


def move_lanes(rows: Any, turn: Any, to: Any, origin: Any, pairs: Any, lanes: Any) -> None:
    """Copy lanes over those whose battles have ended, and full strength into lanes that begin a battle.

    Parameters
    ----------
    rows : array of uint16, shape (rows, lanes)
        The rows; changed.
    turn : array of uint16, shape (lanes,)
        The player turns played; 0 where a battle begins.
    to, origin : array of uint64
        Pairs of lanes: the one that is written over, and the one that is copied there; the last pair comes first.
    pairs : (uint64, uint64)
        The index of the first pair, and the one behind the last.
    lanes : uint64
        Number of lanes in use.
    """
    begin, end = pairs
    for at in range(len(rows)):
        row = rows[at]
        full = row[len(row) - CACHE_LINE]
        for n in range(end - begin):
            move = end - U(1) - U(n)
            row[to[move]] = row[origin[move]]
        for k in range(lanes):
            was = row[k]
            row[k] = full if turn[k] == NONE else was


def move_line(line: Any, turn: Any, to: Any, origin: Any, pairs: Any, lanes: Any) -> None:
    """Move what says where units stand as `move_lanes` moves other rows.

    Parameters
    ----------
    line : tuple of arrays
        From `line_for`; changed.
    turn, to, origin, pairs, lanes
        As for `move_lanes`.
    """
    move_lanes(line[9], turn, to, origin, pairs, lanes)
    for side in range(2):
        move_lanes(line[0][side], turn, to, origin, pairs, lanes)
        move_lanes(line[2][side], turn, to, origin, pairs, lanes)
