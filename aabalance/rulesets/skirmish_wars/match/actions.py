"""Which actions a side has: moves, loading, attacks, captures, unloading, purchases (3.3 to 3.5).

In all functions `tables` and `state` are those of the match, `unit` is the unit that acts, `other` a second one, `of`
as in `MatchRules.legal`, `square` a square, `side` a side, `kind` a kind of action or of
units. `out` takes the actions, and `count` is how many it has.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.base.match import ALL, NO_UNIT, Actions, Record, action_of, parts_of, write
from aabalance.rulesets.skirmish_wars.match import records
from aabalance.rulesets.skirmish_wars.match.turns import distance, free_place, is_friendly, reaches

FOOT = 0
"""The symbol of units that capture, and that carriers carry (3.3c, 3.4b)."""
MOST_ACTIONS = records.MOST_UNITS * records.MOST_SQUARES + records.MOST_PROPERTIES * records.MOST_TYPES
"""More than any side can have: a unit moves to another square, or loads or fires there, or is unloaded there by its
carrier; a property is captured, or each type is bought there."""


def actor(action: int) -> int:
    """Return the unit that an action is a part of the turn of; `NO_UNIT` for purchases and the end of a turn."""
    kind, unit, _, _, _ = parts_of(action)
    return unit if kind < records.BUY else NO_UNIT


def legal(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write legal actions; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if of >= 0:
        return of_unit(tables, state, of, out, 0)
    count = 0
    for unit in range(state.units if of == ALL else 0):
        count = of_unit(tables, state, unit, out, count)
    count = purchases(tables, state, out, count)
    return write(out, count, records.END)


def of_unit(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write what a unit may do; return the number of actions then."""
    own = state.unit[unit]
    if state.phase != records.MOVING or own.side != state.to_move or own.done or own.square == records.NONE:
        return count
    if state.active != unit:
        count = moves(tables, state, unit, out, count)
    return done_in_place(tables, state, unit, out, count)


def moves(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write where a unit may move, and into which carriers (3.3b, 3.3c); return the number of actions then."""
    own = state.unit[unit]
    kind = tables.type[own.type]
    spent = np.empty(records.MOST_SQUARES, np.int64)
    queue = np.empty(records.MOST_SQUARES, np.int64)
    for square in range(tables.width * tables.height):
        spent[square] = records.NONE
    queue[0], waiting = own.square, 1
    spent[own.square] = 0
    # Each square is left with the fewest points with which it can be reached: they are taken in the order of points.
    for points in range(kind.mp):
        at = 0
        while at < waiting:
            square = queue[at]
            at += 1
            if spent[square] != points:
                continue
            for after in tables.adjacent[square]:
                if after == records.NONE:
                    continue
                cost = kind.entry[tables.ground[after]]
                if cost == 0 or points + cost > kind.mp or spent[after] != records.NONE:
                    continue
                if state.unit_at[after] == records.NONE:
                    spent[after] = points + cost
                    queue[waiting] = after
                    waiting += 1
                elif kind.symbol == FOOT and has_room(tables, state, own.side, after):
                    spent[after] = 0  # a carrier is entered once, and never left
                    count = write(out, count, action_of(records.LOAD, unit, state.unit_at[after]))
    for at in range(1, waiting):
        count = write(out, count, action_of(records.MOVE, unit, 0, queue[at]))
    return count


def has_room(tables: Record, state: Record, side: int, square: int) -> bool:
    """Return whether the unit on a square is a side's carrier with fewer units aboard than it carries (3.3c)."""
    carrier = state.unit_at[square]
    room = tables.type[state.unit[carrier].type].carries
    if state.unit[carrier].side != side or room == 0:
        return False
    for unit in range(state.units):
        if state.unit[unit].hp > 0 and state.unit[unit].carrier == carrier:
            room -= 1
    return bool(room > 0)


def done_in_place(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write what a unit may do where it stands: attack, capture and unload; return the number of actions then."""
    own = state.unit[unit]
    kind = tables.type[own.type]
    # Indirect fire takes the place of a move (3.3a).
    if kind.most_range == 1 or (kind.most_range > 1 and state.active != unit):
        for target in range(state.units):
            enemy = state.unit[target]
            if (
                enemy.side != own.side
                and enemy.square != records.NONE
                and reaches(tables, own.type, distance(tables, own.square, enemy.square))
            ):
                count = write(out, count, action_of(records.ATTACK, unit, target))
    which = tables.property_at[own.square]
    if kind.symbol == FOOT and which != records.NONE and state.property[which].owner != own.side:
        count = write(out, count, action_of(records.CAPTURE, unit))
    if kind.carries > 0:
        for aboard in range(state.units):
            if state.unit[aboard].hp == 0 or state.unit[aboard].carrier != unit:
                continue
            for square in tables.adjacent[own.square]:
                if square == records.NONE or state.unit_at[square] != records.NONE:
                    continue
                if tables.type[state.unit[aboard].type].entry[tables.ground[square]] > 0:
                    count = write(out, count, action_of(records.UNLOAD, unit, aboard, square))
    return count


def purchases(tables: Record, state: Record, out: Actions, count: int) -> int:
    """Write what a side may buy, and where (3.5); return the number of actions then."""
    side = state.to_move
    if free_place(state) == records.MOST_UNITS:
        return count
    for which in range(tables.properties):
        square = tables.property_square[which]
        if (
            tables.property_kind[which] != records.FACTORY
            or not is_friendly(state, which, side)
            or state.unit_at[square] != records.NONE
        ):
            continue
        for kind in range(tables.types):
            wanted = tables.type[kind]
            if wanted.in_shop and wanted.cost <= state.money[side] and has_counter(tables, state, side, kind):
                count = write(out, count, action_of(records.BUY, 0, kind, square))
    return count


def has_counter(tables: Record, state: Record, side: int, kind: int) -> bool:
    """Return whether a side has a counter of a type left [S-17]."""
    left = tables.type[kind].counters
    if left == records.NO_LIMIT:
        return True
    for unit in range(state.units):
        own = state.unit[unit]
        if own.hp > 0 and own.side == side and own.type == kind:
            left -= 1
    if tables.medals > 0:
        left -= state.eliminated[side, kind]
    return bool(left > 0)
