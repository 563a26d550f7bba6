"""The rows that rolled battles are written into, a lane a column: made, filled, cleared and moved."""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.lanes import (
    ACTIONS,
    ATTACKS,
    CLASSES,
    GUNS,
    HELPED_AT,
    MEMBERS,
    NOBODY,
    NONE,
    OBJECTIVES,
    OF_FREE,
    ONCE,
    ONE,
    ORDERS,
    PACES,
    POOL,
    PREPARES,
    RANK,
    RELOADS,
    RIDER,
    RIDERS,
    SIDE_UNITS,
    STAGE,
    STRIKES,
    TOUGHNESS,
    UNITS,
    W,
)
from aabalance.engine.digits import aligned

U = np.uint64

RIDING, RESTING = 3, 5
"""Rows of what a line says of the battle: the riders of side 0, with those of side 1 behind them, and who rests."""
CACHE_LINE = 32
"""Lanes of a row to a line of the cache."""


def room_for(sides: Any, blocks: int, most_lanes: int) -> tuple[Any, ...]:
    """Return room for `aabalance.engine.battle.kernel.battles`.

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
    units = [in_pairs(side) for side in sides]
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

    return (
        pair(units),
        (rows(strikes[0], units[1]), rows(strikes[1], units[0])),
        tuple(rows(2)),
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
        pair([*map(_rows_of_hurts, sides)]),
        line_for(sides, rows),
    )


def in_fours(side: Any) -> int:
    """Return how many rows a side's units take where they come in fours, the last of which need not exist."""
    return -(-len(side[UNITS]) // 4) * 4


def in_pairs(side: Any) -> int:
    """Return how many rows a side's units take where they come in fours and a last pair, half of which need not exist.

    Of what is read and written with every strike: two rows less are so much less time.
    """
    return -(-len(side[UNITS]) // 2) * 2


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


def fill_side(mine: Any, theirs: Any, left: Any, gains: Any, alive: Any, guns: Any) -> None:
    """Write a side at full strength into all lanes, and the one behind them.

    Parameters
    ----------
    mine, theirs : tuple of arrays
        The side and its enemies, as `aabalance.engine.battle.tables.Battle.sides` has them.
    left : array of uint16, shape (units, lanes)
        Written: the toughness of the side's units.
    gains : array of uint16, shape (strikes, enemies, lanes)
        Written: the ranks of the side's gains.
    alive : array of uint16, shape (lanes,)
        Written: all of the side's units, a bit each.
    guns : pair of array of uint16, shape (guns, lanes)
        Written: no gun is loading, and none prepared.
    """
    rank = mine[RANK]
    for unit in range(len(mine[UNITS])):
        left[unit, :] = W(mine[UNITS][unit, TOUGHNESS])
    for strike in range(len(gains)):
        for enemy in range(len(theirs[UNITS])):
            gains[strike, enemy, :] = W(rank[strike, enemy, 0, theirs[UNITS][enemy, TOUGHNESS]])
    for rows in guns:
        rows[:] = NONE
    alive[:] = W((1 << len(mine[UNITS])) - 1)


def riders_of(side: Any) -> Any:
    """Return the units of a side that begin a battle inside others: a bit each."""
    bits = NONE
    for rider in range(len(side[RIDERS])):
        bits = W(bits | W(ONE << W(side[RIDERS][rider, RIDER])))
    return bits


def remembers(side: Any) -> bool:
    """Return whether any gun of a side can't fire, or is prepared, from one turn to the next."""
    every = False
    for gun in range(len(side[GUNS])):
        every |= side[GUNS][gun, RELOADS] != 0 or side[GUNS][gun, ONCE] != 0
    for strike in range(len(side[STRIKES])):
        every |= side[STRIKES][strike, STAGE] == PREPARES
    return bool(every)


def most_strikes(strikes: Any, limit: Any, most: Any) -> Any:
    """Return how many strikes a side makes in a turn at most.

    Parameters
    ----------
    strikes : array of int64, shape (strikes, columns)
        The part `STRIKES` of the side.
    limit : int
        Its actions in a turn.
    most : int
        What its guns have attacks for.
    """
    least = limit + 1
    for strike in range(len(strikes)):
        least = min(least, 0 if strikes[strike, OF_FREE] else strikes[strike, ACTIONS])
    return min(most, limit // least) if least > 0 else most


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
