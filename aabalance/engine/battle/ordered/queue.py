"""Lines of a chain: the units of each side, drawn up in the order in which they fall.

What a side has left is one number, from 0 (nothing) to the largest (all units at full toughness): each step down is
what the unit that falls next can lose. Numbers belong to one class if the other side prefers the same strikes, with the
same effects, at each of them.

Parameters named `units`, `guns`, `strikes`, `rank` and `volley` are the parts of a side that
`aabalance.engine.battle.columns` names. One row of `units` may stand in a line more than once, for equal units. All
functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

from aabalance.engine import jit
from aabalance.engine.battle.columns import (
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
from aabalance.engine.battle.states.turns import NO_EFFECT

OF_UNIT, BELOW, FIRST_SHOT, END_SHOT = range(4)
"""Columns of a line, with a row for each unit, the last to fall first: the unit's row in `units`; the side's number
once this unit and all that fall before it are gone; the unit's first shot, and the one behind its last."""
NUMBER = 6
FRONT, HAS, KIND, REACH, START, NODE = range(NUMBER)
"""Columns of numbers, which have a row for each number of a side:

- `FRONT` and `HAS`: the unit of the line that falls next, and the toughness that it has left;
- `KIND`: the class of the number;
- `REACH`: the largest number of the other side at which this side can hurt none of its units that count;
- `START`: the index of the first position with this number. Positions are listed from the largest number down, and in
  the first one of each number no gun has to reload or is prepared;
- `NODE`: the node at which the turn from that first position begins; `GIVEN_UP` if no unit is left that counts."""
BY, BARREL, STRIKE, ABLE = range(4)
"""Columns of shots, of which there is one for each strike of each unit of the line: the unit, its barrel, the strike,
and 1 if the unit is left and has the toughness to make it."""
OWNER, OF_GUN, RELOAD, PREPARED = range(4)
"""Columns of barrels, of which there is one for each gun of each unit of the line: the unit, the gun, the bit that says
that the gun has to reload, and the bit that says that it is prepared; 0 for a bit that is never set."""
RELOAD_BITS = 62
"""Number of bits for the barrels of a side that reload or are prepared; a side that needs more isn't solved so."""


def mark_places(units: Any, volley: Any, outcomes: Any, places: Any) -> None:
    """Number the amounts of toughness that each unit of a side can have left.

    Parameters
    ----------
    units : array of int64, shape (units, columns)
        The units of the side.
    volley : array of int64, shape (strikes, units)
        The volleys of the other side's strikes.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Effects`.
    places : array of int64, shape (units, largest toughness + 1)
        By toughness left; all -1 before. Takes 0 for no toughness, 1 for the least amount that the unit can have left,
        2 for the next one, and so on; amounts that it can't have stay -1.
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
    """Draw up the line of a side, and number what it can have left.

    Parameters
    ----------
    units : array of int64, shape (units, columns)
        The units of the side.
    falls : array of int64, shape (units of the line,)
        Rows of `units` in the order in which they fall.
    places : array of int64, shape (units, largest toughness + 1)
        From `mark_places`.
    line : array of int64, shape (units of the line, 4)
        Its columns `OF_UNIT` and `BELOW` are written.
    numbers : array of int64, shape (numbers, NUMBER)
        All 0 before; its columns `FRONT` and `HAS` are written.
    standing : array of float, shape (numbers, 2)
        All 0 before; takes the worth and the number of the units that are left.
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
    """Write the barrels and the shots of a line, in the order in which its units are listed.

    Parameters
    ----------
    units, guns, strikes : arrays of int64
        The units, guns and strikes of the side.
    line : array of int64, shape (units of the line, 4)
        From `line_up`; its columns `FIRST_SHOT` and `END_SHOT` are written. Equal units fall as they are listed.
    barrels, shots : array of int64, shape (units of the line * strikes, 4)
        All 0 before; take the barrels and the shots, without `ABLE`.

    Returns
    -------
    held, made, bits : int
        Number of barrels, of shots, and of bits that say that barrels have to reload or are prepared.
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
    """Sort the numbers of the other side into classes, and return the number of classes.

    Parameters
    ----------
    numbers, line : arrays of int64
        The numbers of the other side, whose column `KIND` is written, and its line.
    strikes : array of int64, shape (strikes, columns)
        The strikes of this side.
    rank : array of int32, shape (strikes, enemies, toughness + 1)
        The ranks of their gains.
    volley : array of int64, shape (strikes, enemies)
        Their volleys.
    keys : array of int64, shape (numbers, 2 * strikes)
        All -1 before. Takes, by class, how many strikes gain more than each strike (-1 for a strike without gain), then
        the volley of each strike.
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
    """Write the order in which a side prefers its shots, for each class of the other side's numbers.

    Parameters
    ----------
    keys : array of int64, shape (numbers, 2 * strikes)
        From `mark_kinds`.
    shots : array of int64, shape (shots, 4)
        The shots of the side.
    by_unit : bool
        Whether all shots of a unit come before those of the next unit. If not, the largest gain of all comes first.
    orders : array of int64, shape (classes, 2 * shots)
        All -1 before. The first half of the columns takes the shots that hurt, the preferred first; the second half
        takes their volleys.
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
    """Return the largest number at which a side has no unit left that counts.

    Parameters
    ----------
    units, line, numbers : arrays of int64
        The units, the line and the numbers of the side, from `line_up`.
    """
    most = len(numbers) - 1
    for at in range(len(line)):
        if units[line[at, OF_UNIT], COUNTS] != 0:
            most = min(most, line[at, BELOW])
    return most


@jit.merged
def mark_able(units: Any, strikes: Any, line: Any, numbers: Any, shots: Any, before: Any, number: Any) -> Any:
    """Write `ABLE` into the shots of a side for a number, and return whether any of them has changed.

    Parameters
    ----------
    units, strikes, line, numbers : arrays of int64
        The units, the strikes, the line and the numbers of the side.
    shots : array of int64, shape (shots, 4)
        Its shots, whose column `ABLE` is written.
    before : int
        The number for which `ABLE` was written last.
    number : int
        The number of what the side has left now.
    """
    changed = False
    front, other = numbers[number, FRONT], numbers[before, FRONT]
    # Only units from one front to the other differ: those with lower rows are whole with both numbers, others are gone.
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
    """Write `REACH` into the numbers of a side; `ABLE` stays in its shots as for the largest number.

    Parameters
    ----------
    side : tuple of arrays
        The side's units, guns, strikes, line, numbers, barrels and shots, and the orders from `sort_strikes`.
    enemies, their_line, others : arrays of int64
        The units, the line and the numbers of the other side.
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
    """Return whether two rows of an array are equal in some of their columns.

    Parameters
    ----------
    rows : array, shape (rows, columns)
        The array.
    one, other : int
        The two rows.
    first, end : int
        The first column, and the one behind the last.
    """
    x = first
    while x < end and rows[one, x] == rows[other, x]:
        x += 1
    return x == end
