"""Lines of a chain: both sides drawn up in the order in which their units fall.

What a side has left is one number: a place in the line of all that can be left of its units, from nothing to all of
them. Numbers of one class are those at which the other side prefers the same strikes.

Plain loops that also compile. Units, guns, strikes, ranks and volleys are the parts of a side that
`aabalance.engine.battle.lanes` names; a row of units may stand in the line more than once.
"""

from __future__ import annotations

from typing import Any

from aabalance.engine import jit
from aabalance.engine.battle.lanes import (
    COUNTS,
    GUN,
    LEAST,
    MEMBERS,
    MOST,
    PREPARES,
    RELOADS,
    STAGE,
    TOUGHNESS,
    WORTH,
)
from aabalance.engine.battle.turns import NO_EFFECT

OF_UNIT, BELOW, FIRST_SHOT, END_SHOT = range(4)
"""Columns of a line, by unit, the last to fall first: its row, the number at which it and all before it are gone, its
first shot, and the one behind its last."""
NUMBER = 6
FRONT, HAS, KIND, REACH, START, NODE = range(NUMBER)
"""Columns of numbers: the unit of the line that falls first and the toughness that it has left; the class; the largest
number of the other side with which none of its units that count can be hurt; where its positions begin, the largest
number first, the first of each without a gun that reloads or is prepared; and the node at which its turn begins where
no gun does, `GIVEN_UP` if there is no unit left that counts."""
BY, BARREL, STRIKE, ABLE = range(4)
"""Columns of shots, strikes of one unit of the line each: the unit, its gun, the strike, and 1 if the unit is left to
make it."""
OWNER, OF_GUN, RELOAD, PREPARED = range(4)
"""Columns of barrels, guns of one unit of the line each: the unit, the gun, and the bits that say that it has to
reload, and that it is prepared; 0 if it never does or is."""
RELOAD_BITS = 62


def mark_places(units: Any, volley: Any, outcomes: Any, places: Any) -> None:
    """Find what units can have left.

    Parameters
    ----------
    units : array
        Of the side.
    volley : array
        Of the other one.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.
    places : array of int64, shape (units, tallest + 1)
        By what a unit has left, -1; written is its place among all that it can have left.
    """
    start, amount, _, _ = outcomes
    for unit in range(len(units)):
        full = units[unit, TOUGHNESS]
        places[unit, full] = 0
        for back in range(full):
            left = full - back
            if places[unit, left] == 0:
                for strike in range(len(volley)):
                    for x in range(start[volley[strike, unit]], start[volley[strike, unit] + 1]):
                        places[unit, max(left - amount[x], 0)] = 0
        places[unit, 0] = 0
        last = 0
        for left in range(1, full + 1):
            if places[unit, left] == 0:
                last += 1
                places[unit, left] = last


def line_up(units: Any, falls: Any, places: Any, line: Any, numbers: Any, standing: Any) -> None:
    """Put a side into line.

    Parameters
    ----------
    units : array
        Of the side.
    falls : array of int64
        Rows of units, in the order in which they fall.
    places : array
        From `mark_places`.
    line : array of int64, shape (units of the line, 4)
        `OF_UNIT` and `BELOW` are written.
    numbers : array of int64, shape (numbers, NUMBER)
        Of 0; `FRONT` and `HAS` are written.
    standing : array of float, shape (numbers, 2)
        Of 0; written are what the units count for that are left, and how many they are.
    """
    number = 0
    for at in range(len(falls)):
        unit = falls[len(falls) - 1 - at]
        line[at, OF_UNIT], line[at, BELOW] = unit, number
        below = number
        for left in range(1, units[unit, TOUGHNESS] + 1):
            if places[unit, left] > 0:
                number += 1
                numbers[number, FRONT], numbers[number, HAS] = at, left
                standing[number, 0] = standing[below, 0] + units[unit, WORTH]
                standing[number, 1] = standing[below, 1] + 1


def arm(units: Any, guns: Any, strikes: Any, line: Any, barrels: Any, shots: Any) -> Any:
    """Write the barrels and the shots of a line, in the order of the list: equal units fall as they are listed.

    Where each unit's shots are is written into the line. Barrels and shots are of 0, and have room for every strike of
    every unit of the line.

    Returns
    -------
    held, made, bits : int
        How many barrels and shots there are, and how many bits say that barrels reload or are prepared.
    """
    held, made, bits = 0, 0, 0
    for unit in range(len(units)):
        for back in range(len(line)):
            by = len(line) - 1 - back
            if line[by, OF_UNIT] != unit:
                continue
            begin, line[by, FIRST_SHOT] = held, made
            for strike in range(len(strikes)):
                if strikes[strike, MEMBERS] >> unit & 1 == 0:
                    continue
                gun, at = strikes[strike, GUN], begin
                while at < held and barrels[at, OF_GUN] != gun:
                    at += 1
                if at == held:
                    barrels[at, OWNER], barrels[at, OF_GUN] = by, gun
                    if guns[gun, RELOADS] != 0:
                        barrels[at, RELOAD] = 1 << min(bits, RELOAD_BITS)
                        bits += 1
                    held += 1
                if strikes[strike, STAGE] == PREPARES and barrels[at, PREPARED] == 0:
                    barrels[at, PREPARED] = 1 << min(bits, RELOAD_BITS)
                    bits += 1
                shots[made, BY], shots[made, BARREL], shots[made, STRIKE] = by, at, strike
                made += 1
            line[by, END_SHOT] = made
    return held, made, bits


def mark_kinds(numbers: Any, line: Any, strikes: Any, rank: Any, volley: Any, keys: Any) -> Any:
    """Write `KIND` into the numbers of the other side, and what the classes are told from; return how many there are.

    Parameters
    ----------
    numbers, line : arrays
        Of the other side.
    strikes, rank, volley : arrays
        Of this one.
    keys : array of int64, shape (numbers, 2 * strikes)
        Of -1; written is by class how many strikes gain more than each, -1 for one that gains nothing; then their
        effects.
    """
    count, classes = len(rank), 0
    for number in range(1, len(numbers)):
        enemy, left = line[numbers[number, FRONT], OF_UNIT], numbers[number, HAS]
        for strike in range(count):
            gain, above = rank[strike, enemy, left], -1
            if gain > 0:
                above = 0
                for other in range(count):
                    above += 1 if rank[other, enemy, left] > gain else 0
            effect = NO_EFFECT if strikes[strike, STAGE] == PREPARES else volley[strike, enemy]
            keys[classes, strike], keys[classes, count + strike] = above, effect
        kind = 0
        while not equal(keys, kind, classes, 0, 2 * count):
            kind += 1
        numbers[number, KIND] = kind
        classes = max(classes, kind + 1)
    return classes


def sort_strikes(keys: Any, shots: Any, by_unit: Any, orders: Any) -> None:
    """Put the strikes of each class in order.

    Parameters
    ----------
    keys : array
        From `mark_kinds`.
    shots : array
        Of the side.
    by_unit : bool
        All of a unit's strikes come before those of the next unit; else the largest gain of all comes first.
    orders : array of int64, shape (classes, 2 * shots)
        Of -1; written are the shots that hurt, the preferred first, and in the second half of the columns their
        effects.
    """
    classes, count, width = len(orders), keys.shape[1] // 2, len(shots)
    for kind in range(classes):
        end = 0
        for shot in range(width):
            above, at = keys[kind, shots[shot, STRIKE]], end
            if above < 0:
                continue
            while at > 0 and (not by_unit or shots[orders[kind, at - 1], BY] == shots[shot, BY]):
                if keys[kind, shots[orders[kind, at - 1], STRIKE]] <= above:
                    break
                orders[kind, at], orders[kind, width + at] = orders[kind, at - 1], orders[kind, width + at - 1]
                at -= 1
            orders[kind, at], orders[kind, width + at] = shot, keys[kind, count + shots[shot, STRIKE]]
            end += 1


def floor(units: Any, line: Any, numbers: Any) -> Any:
    """Return the largest number with which a side has no unit left that counts.

    Parameters
    ----------
    units, line, numbers : arrays
        Of the side, as `line_up` has them.
    """
    most = len(numbers) - 1
    for at in range(len(line)):
        if units[line[at, OF_UNIT], COUNTS] != 0:
            most = min(most, line[at, BELOW])
    return most


@jit.merged
def mark_able(units: Any, strikes: Any, line: Any, numbers: Any, shots: Any, before: Any, number: Any) -> Any:
    """Write `ABLE` for a number; return whether that has changed.

    Parameters
    ----------
    units, strikes, line, numbers, shots : arrays
        Of the side; shots are written.
    before : int
        The number for which it was written.
    number : int
        Of what the side has left.
    """
    changed = False
    front, other = numbers[number, FRONT], numbers[before, FRONT]
    # All units before them are whole with both numbers, and all behind them are gone.
    for by in range(min(front, other), min(max(front, other) + 1, len(line))):
        left = 0
        if number > line[by, BELOW]:
            left = numbers[number, HAS] if front == by else units[line[by, OF_UNIT], TOUGHNESS]
        for shot in range(line[by, FIRST_SHOT], line[by, END_SHOT]):
            strike = shots[shot, STRIKE]
            able = 1 if left > 0 and strikes[strike, LEAST] <= left and left <= strikes[strike, MOST] else 0
            changed = changed or able != shots[shot, ABLE]
            shots[shot, ABLE] = able
    return changed


def mark_reach(side: Any, enemies: Any, their_line: Any, others: Any) -> None:
    """Write `REACH` into the numbers of a side, and `ABLE` for all that it has.

    Parameters
    ----------
    side : tuple of arrays
        Its units, guns, strikes, line, numbers, barrels and shots, and the orders from `sort_strikes`.
    enemies, their_line, others : arrays
        Units, line and numbers of the other side.
    """
    units, _, strikes, line, numbers, _, shots, orders = side
    for number in range(len(numbers)):
        if not mark_able(units, strikes, line, numbers, shots, max(number - 1, 0), number) and number > 0:
            numbers[number, REACH] = numbers[number - 1, REACH]
            continue
        reach = len(others)
        for enemy in range(len(their_line)):
            below = their_line[enemy, BELOW]
            if below < reach and enemies[their_line[enemy, OF_UNIT], COUNTS] != 0:
                kind = others[below + 1, KIND]
                for place in range(len(shots)):
                    if orders[kind, place] >= 0 and shots[orders[kind, place], ABLE] != 0:
                        reach = min(reach, below)
        numbers[number, REACH] = reach


def equal(rows: Any, one: Any, other: Any, first: Any, end: Any) -> Any:
    """Return whether two rows have the same in some columns.

    Parameters
    ----------
    rows : array, shape (rows, columns)
    one, other : int
        The two rows.
    first, end : int
        The first column, and the one behind the last.
    """
    x = first
    while x < end and rows[one, x] == rows[other, x]:
        x += 1
    return x == end
