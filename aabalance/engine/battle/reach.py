"""Which enemies the strikes of a side can hurt from where its units are, in all lanes at once.

The bounds of a unit's place in all lanes often decide this before lanes are looked at one by one: most strikes hurt the
same enemies wherever their units are, and a unit stays if it wants to be where it is in all lanes. All functions are
plain loops over lanes, which also compile to vector instructions.
"""

from __future__ import annotations

from typing import Any

from aabalance.engine.battle.columns import (
    AHEAD,
    ALL,
    BACK,
    DEPTH,
    ENEMY,
    HURTS,
    LEAST_STEPS,
    MEMBERS,
    MOST_STEPS,
    NOBODY,
    NONE,
    ONE,
    ORDERS,
    PACES,
    RIDERS,
    SPAN_CLASS,
    SPAN_ENEMY,
    SPAN_MOVED,
    SPAN_STRIKE,
    SPANS,
    START,
    STRIKES,
    UNITS,
    WISHES,
    W,
)

LEAST_PLACE, MOST_PLACE, GOES = range(3)
"""Columns of bounds, by side and unit: the least and the largest place of the unit over all lanes, and 1 if it has
moved in any lane this turn."""
NEVER, HANGS, ALWAYS = range(3)
"""Whether a unit hurts the enemy of a span: in no lane, in a way that depends on the lane, or in all lanes."""


def find_bounds(side: Any, sides: Any, line: Any, lanes: Any) -> None:
    """Write the least and the largest place of each unit of a side over all lanes.

    Parameters
    ----------
    side, sides, line, lanes
        As for `aabalance.engine.battle.moving.advance`; the bounds are a part of `line`.
    """
    mine, places, bounds = sides[side], line[0][side], line[10][side]
    for unit in range(len(mine[UNITS])):
        bounds[unit, LEAST_PLACE] = bounds[unit, MOST_PLACE] = mine[ORDERS][START]
        if may_go(mine, unit) or len(mine[RIDERS]):
            place, least, most = places[unit], ALL, NONE
            for k in range(lanes):
                least, most = min(least, place[k]), max(most, place[k])
            bounds[unit, LEAST_PLACE], bounds[unit, MOST_PLACE] = least, most


def may_go(mine: Any, unit: Any) -> bool:
    """Return whether a unit ever moves by itself.

    Parameters
    ----------
    mine : tuple of arrays
        The parts of its side.
    unit : int
        The unit's row.
    """
    return bool(mine[PACES][unit, AHEAD] > 0 or mine[PACES][unit, BACK] > 0)


def is_content(side: Any, sides: Any, line: Any, unit: Any) -> bool:
    """Return whether a unit wants to be where it is in all lanes, whichever of its enemies are left.

    Parameters
    ----------
    side, sides, line
        As for `find_bounds`, which has to be called for both sides before.
    unit : int
        The unit's row.
    """
    wishes = sides[side][WISHES][unit]
    if len(wishes) == 0 or len(sides[side][RIDERS]):
        return False
    for wish in range(len(wishes)):
        near, far = _apart(side, sides, line, unit, wishes[wish, ENEMY])
        if near < wishes[wish, LEAST_STEPS] or far > wishes[wish, MOST_STEPS]:
            return False
    return True


def _apart(side: Any, sides: Any, line: Any, unit: Any, enemy: Any) -> Any:
    """Return the least and the most steps between two enemies over all lanes; negative past an enemy that is gone."""
    depth, here, there = sides[side][ORDERS][DEPTH], line[10][side, unit], line[10][1 - side, enemy]
    return depth - here[MOST_PLACE] - there[MOST_PLACE], depth - here[LEAST_PLACE] - there[LEAST_PLACE]


def mark_hurts(side: Any, sides: Any, line: Any, hurts: Any, lanes: Any) -> Any:
    """Write which enemies each strike of a side can hurt, once the units of the side have moved.

    Parameters
    ----------
    side, sides, line, lanes
        As for `find_bounds`.
    hurts : array of uint16, shape (strikes, lanes)
        Takes the enemies that each strike can hurt: a bit each. If there are more rows, as for
        `aabalance.engine.battle.actions.mark_ready`, only the rows behind the strikes are written: one for each unit.

    Returns
    -------
    int
        Number of rows that are needed: only those of the strikes if all units can hurt whatever their strikes ever can.
    """
    mine = sides[side]
    strikes, spans, by_unit = mine[STRIKES], mine[SPANS], len(hurts) > len(mine[STRIKES])
    first, everywhere = 0, True
    for strike in range(len(strikes)):
        end = first
        while end < len(spans) and spans[end, SPAN_STRIKE] == strike:
            end += 1
        for unit in range(len(mine[UNITS])):
            if W(strikes[strike, MEMBERS]) & W(ONE << W(unit)) == NONE:
                continue
            row, known = hurts[len(strikes) + unit if by_unit else strike], NONE
            for span in range(first, end):
                if _holds(side, sides, line, unit, spans[span]) == ALWAYS:
                    known = W(known | W(ONE << W(spans[span, SPAN_ENEMY])))
            everywhere &= known == W(strikes[strike, HURTS])
            for k in range(lanes):
                row[k] = known
            for span in range(first, end):
                if _holds(side, sides, line, unit, spans[span]) == HANGS:
                    _mark_span(side, sides, line, unit, spans[span], row, lanes)
        first = end
    return len(strikes) if everywhere else len(hurts)


def _holds(side: Any, sides: Any, line: Any, unit: Any, span: Any) -> Any:
    """Return `NEVER` or `ALWAYS` if the bounds tell whether a unit hurts the enemy of a span, else `HANGS`."""
    near, far = _apart(side, sides, line, unit, span[SPAN_ENEMY])
    goes = line[10][side, unit, GOES] != 0
    if far < span[LEAST_STEPS] or near > span[MOST_STEPS] or (span[SPAN_MOVED] == 1 and not goes):
        return NEVER
    inside = max(near, 0) >= span[LEAST_STEPS] and far <= span[MOST_STEPS]
    either = span[SPAN_MOVED] == NOBODY or not goes
    return ALWAYS if inside and either and span[SPAN_CLASS] == NOBODY else HANGS


def _mark_span(side: Any, sides: Any, line: Any, unit: Any, span: Any, row: Any, lanes: Any) -> None:
    """Add the enemy of a span to the enemies that a unit can hurt, in the lanes where it can."""
    at, moved, classes, _, _, _, _, _, _, _, _ = line
    enemy, depth, least, most = span[SPAN_ENEMY], W(sides[side][ORDERS][DEPTH]), W(span[LEAST_STEPS]), span[MOST_STEPS]
    here, there, gone, bit = at[side][unit], at[1 - side][enemy], moved[side], W(ONE << W(enemy))
    own = NONE if span[SPAN_MOVED] == NOBODY else W(ONE << W(unit))
    wanted = own if span[SPAN_MOVED] == 1 else NONE
    if least == NONE and own == NONE and span[SPAN_CLASS] == NOBODY:
        nearest = W(depth - min(depth, W(most)))
        for k in range(lanes):
            row[k] |= bit if W(here[k] + there[k]) >= nearest else NONE
    elif span[SPAN_CLASS] == NOBODY:
        for k in range(lanes):
            apart = W(depth - here[k] - there[k])
            row[k] |= bit if (apart >= least) & (apart <= W(most)) & (W(gone[k] & own) == wanted) else NONE
    else:
        kind, of_class = classes[1 - side][enemy], W(span[SPAN_CLASS])
        for k in range(lanes):
            apart = W(depth - here[k] - there[k])
            inside = (apart >= least) & (apart <= W(most)) & (W(gone[k] & own) == wanted) & (kind[k] == of_class)
            row[k] |= bit if inside else NONE
