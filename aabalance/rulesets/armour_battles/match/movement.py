"""Moves: dice, squares within reach, going back [B-16, B-23, B-24].

In all functions `tables` and `state` are those of the match, `unit` is the unit that moves, `move` a kind of move,
`out` takes squares, and `dice` are those of the action.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.sight import SQUARE_IN, nearest, towards
from aabalance.rulesets.armour_battles.shot.pools import D6
from aabalance.rulesets.base.match import Actions, Record, roll, write

BASE_IN, DIAGONAL_IN = 6, 4
FORCED_BACK = 2
"""Squares that a unit is forced back [B-13]."""


def moves_of(move: int) -> int:
    """Return how many single moves a move is: two or three at double or triple pace, else one."""
    return move if move <= records.THREE else 1


def roll_move(tables: Record, state: Record, unit: int, move: int, dice: Record) -> None:
    """Roll the move dice; a unit that has no square to go to stays, without a choice."""
    group, own = state.group, state.unit[unit]
    group.move, group.task = move, records.GO
    each = 2 if tables.card[unit].reconnaissance else 1
    group.rolled = each * moves_of(move)
    for at in range(group.rolled):
        group.die[at] = roll(dice, D6)
    if move == records.BACK or move == records.SCOOTING:
        own.evading = 1
    within = np.empty(records.MOST_SQUARES, np.int64)
    if destinations(tables, state, unit, within) == 0:
        end_move(state)


def end_move(state: Record) -> None:
    """End a move: who moved and isn't going back may still fire."""
    group = state.group
    fires = group.move <= records.THREE
    group.move, group.rolled, group.die[:] = records.NO_MOVE, 0, 0
    group.task = records.SHOOT if fires else records.NO_TASK
    if not fires:
        group.unit = records.NONE


def push(state: Record) -> None:
    """Turn the lowest move die, the first of several, into a 6 (Replace a Variable Move Dice)."""
    die = state.group.die[: state.group.rolled]
    die[np.argmin(die)] = D6


def can_push(state: Record) -> bool:
    """Return whether a move die shows less than 6."""
    return bool(np.min(state.group.die[: state.group.rolled]) < D6)


def length_in(state: Record) -> int:
    """Return the inches of the move that was rolled."""
    return int(BASE_IN * moves_of(state.group.move) + np.sum(state.group.die))


def destinations(tables: Record, state: Record, unit: int, out: Actions) -> int:
    """Write the squares to which a unit can go; return how many there are.

    Who disengages has to get farther from the nearest enemy.
    """
    here, enemies = state.unit[unit].at, 1 - tables.side[unit]
    cost = np.empty(records.MOST_SQUARES, np.int64)
    reached = reach(tables, state, unit, length_in(state), cost, out)
    if state.group.move != records.BACK:
        return reached
    now, count = nearest(tables, state, enemies, here), 0
    for at in range(reached):
        if nearest(tables, state, enemies, out[at]) > now:
            count = write(out, count, out[at])
    return count


def reach(tables: Record, state: Record, unit: int, most: int, cost: Actions, out: Actions) -> int:
    """Write the free squares within `most` inches, through friends but not through enemies; return how many there are.

    `cost` takes the inches to each square.
    """
    here, side = state.unit[unit].at, tables.side[unit]
    cost[: tables.squares] = most + 1
    cost[here] = 0
    # Squares wait in the order of their first visit; one that is found again on a shorter way waits once more.
    waiting = np.empty(records.MOST_SQUARES, np.int64)
    queued = np.zeros(records.MOST_SQUARES, np.bool_)
    waiting[0], first, count = here, 0, 1
    while count > 0:
        at = waiting[first]
        first, count = (first + 1) % records.MOST_SQUARES, count - 1
        queued[at] = False
        for face in range(len(records.DIRECTIONS)):
            to = tables.adjacent[at, face]
            if to == records.NONE:
                continue
            inches = cost[at] + (DIAGONAL_IN if face % 2 else SQUARE_IN) * tables.factor[to]
            if tables.factor[to] == 0 or inches > most or inches >= cost[to]:
                continue
            other = state.unit_at[to]
            if other != records.NONE and tables.side[other] != side:
                continue
            cost[to] = inches
            if not queued[to]:
                queued[to] = True
                waiting[(first + count) % records.MOST_SQUARES] = to
                count += 1
    found = 0
    for at in range(tables.squares):
        if 0 < cost[at] <= most and state.unit_at[at] == records.NONE:
            found = write(out, found, at)
    return found


def put(state: Record, unit: int, square: int) -> None:
    """Put a unit on a square, or off the table."""
    own = state.unit[unit]
    if own.at >= 0:
        state.unit_at[own.at] = records.NONE
    own.at = square
    if square >= 0:
        state.unit_at[square] = unit


def go(tables: Record, state: Record, unit: int, square: int) -> None:
    """Move a unit to a square; it faces where it went, but for one that goes back (Move and Fire) [B-23, B-28]."""
    own = state.unit[unit]
    if state.group.move <= records.THREE:
        own.face = towards(tables, own.at, square)
    own.ambush = 0
    put(state, unit, square)
    end_move(state)


def fall_back(tables: Record, state: Record, unit: int) -> None:
    """Move a unit towards its own edge, as far as the way is free (Forced Back) [B-13]."""
    home = records.WEST if tables.side[unit] == 0 else records.EAST
    for _ in range(FORCED_BACK):
        to = tables.adjacent[state.unit[unit].at, home]
        if to == records.NONE or tables.factor[to] == 0 or state.unit_at[to] != records.NONE:
            break
        put(state, unit, to)
