"""The rows that rolled battles are written into, a lane a column: made, filled, cleared and moved."""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.lanes import (
    ATTACKS,
    CLASSES,
    GUNS,
    HELPED_AT,
    HURTS,
    MEMBERS,
    NOBODY,
    NONE,
    OBJECTIVES,
    ORDERS,
    PACES,
    POOL,
    RANK,
    RIDER,
    RIDERS,
    SIDE_UNITS,
    START,
    STRIKES,
    TOUGHNESS,
    UNITS,
    in_fours,
)
from aabalance.engine.digits import aligned

U = np.uint64

RIDING, RESTING = 3, 5
"""Rows of what a line says of the battle: the riders of side 0, with those of side 1 behind them, and who rests."""
CACHE_LINE = 32
"""Lanes of a row to a line of the cache."""


def room_for(sides: Any, blocks: int, most_lanes: int) -> tuple[Any, ...]:
    """Return room for `aabalance.engine.battle.kernel.battles`, with both sides as they begin a battle.

    Parameters
    ----------
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.tables.Battle.sides`.
    blocks : int
        Blocks of words that the dice of a turn take at most.
    most_lanes : int
        Lanes at most.

    Returns
    -------
    tuple
        Rows of 16 bits, with the lanes as their last axis. By side: toughness left, by unit; gains, by strike
        and enemy; who is left; which units are able to make each strike; which guns can't fire and which are
        prepared. Of the turn: firings, actions spent, help given, and what is ready. Then six rows for what
        policies pick, ten for numbers of one lane each (loss, toughness after it, player turn, whether it goes
        on, foes, bits, actions, rest, friend, aspect), five rows of 64 bits (trial, entry, digit shown, which lane is
        written over by which), the words with which of their blocks are drawn, by side whom each strike hurts, and what
        `line_for` returns.
    """
    guns, strikes = ([len(side[part]) for side in sides] for part in (GUNS, STRIKES))
    units = [in_fours(side) for side in sides]
    firings = max(int(side[GUNS][:, ATTACKS].sum()) for side in sides)
    helped = max(units) if any((side[STRIKES][:, HELPED_AT] != NOBODY).any() for side in sides) else 0
    pools = max(int(side[UNITS][:, POOL].max()) for side in sides)

    def rows(*shape: int) -> Any:
        # Rows a cache line longer than a power of two: the same lane of many rows wouldn't fit into the cache.
        return aligned(*shape, most_lanes + CACHE_LINE, dtype="uint16")

    def large(count: int) -> Any:
        return aligned(count, most_lanes + CACHE_LINE)

    def pair(counts: Any, *shape: int) -> tuple[Any, Any]:
        return rows(counts[0], *shape), rows(counts[1], *shape)

    left, gains, alive = pair(units), (rows(strikes[0], units[1]), rows(strikes[1], units[0])), tuple(rows(2))
    hurts, line = pair([*map(_rows_of_hurts, sides)]), line_for(sides, rows)
    _fill(sides, left, gains, alive, hurts, line)
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
        tuple(rows(10)),
        tuple(large(5)),
        large(2 * blocks),
        np.zeros(blocks, dtype=np.int64),
        hurts,
        line,
    )


def _rows_of_hurts(side: Any) -> int:
    """Return how many rows say whom a side hurts: more than strikes where units that share one stand apart."""
    shared = len(side[PACES]) and any(int(members).bit_count() > 1 for members in side[STRIKES][:, MEMBERS])
    return len(side[STRIKES]) + (in_fours(side) if shared else 0)


def line_for(sides: Any, rows: Any) -> tuple[Any, ...]:
    """Return room for where units stand and how they moved.

    Parameters
    ----------
    sides : pair of tuple of arrays
    rows : callable
        Returns so many rows of lanes.

    Returns
    -------
    tuple
        By side and unit their places; by side a bit for each that moved this turn; by side and unit, if there are
        several, the class of its last move; arrays to be written on; and of the battle its idle turns, where they
        decide the points of both sides, and where units ride, by side a bit for each that has not got out, and one for
        each that rests this turn. Without rows where nobody moves. Last, by side and unit, the bounds that
        `aabalance.engine.battle.reach` knows.
    """
    units = [in_fours(side) if len(side[PACES]) else 0 for side in sides]
    kinds = [n if len(side[PACES]) and side[ORDERS][CLASSES] > 1 else 0 for n, side in zip(units, sides, strict=True)]
    return (
        (rows(units[0]), rows(units[1])),
        tuple(rows(2)),
        (rows(kinds[0]), rows(kinds[1])),
        *rows(6),
        rows(RESTING + 1 if any(len(side[RIDERS]) for side in sides) else 3 if len(sides[0][OBJECTIVES]) else 1),
        np.zeros((2, SIDE_UNITS, 3), dtype=np.int64),
    )


def _fill(sides: Any, left: Any, gains: Any, alive: Any, hurts: Any, line: Any) -> None:
    """Write both sides as they begin a battle into all lanes, and the ones behind them, which never change."""
    for side, (mine, theirs) in enumerate(((sides[0], sides[1]), (sides[1], sides[0]))):
        units, enemies = mine[UNITS], theirs[UNITS]
        left[side][: len(units)] = units[:, [TOUGHNESS]]
        full = mine[RANK][:, np.arange(len(enemies)), 0, enemies[:, TOUGHNESS]]
        gains[side][:, : len(enemies)] = full[:, :, None]
        alive[side][:] = (1 << len(units)) - 1
        hurts[side][: len(mine[STRIKES])] = mine[STRIKES][:, [HURTS]]
        if len(mine[PACES]):
            line[0][side][:] = mine[ORDERS][START]
        if len(mine[RIDERS]):
            line[9][RIDING + side] = (1 << mine[RIDERS][:, RIDER]).sum()


def clear(rows: Any, lanes: Any) -> None:
    """Write nothing into rows.

    Parameters
    ----------
    rows : array of uint16, shape (rows, lanes)
    lanes : uint64
    """
    for at in range(len(rows)):
        row = rows[at]
        for k in range(lanes):
            row[k] = NONE


def move_lanes(rows: Any, turn: Any, to: Any, origin: Any, pairs: Any, lanes: Any) -> None:
    """Write some lanes over others, the last pair first; then what is behind them all over those that begin a battle.

    Parameters
    ----------
    rows : array of uint16, shape (rows, lanes)
        Changed.
    turn : array of uint16, shape (lanes,)
        The player turns that were played.
    to, origin : array of uint64
        Which lane is written over by which.
    pairs : (uint64, uint64)
        The first pair, and the end of them.
    lanes : uint64
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
