"""A side of an ordered battle: the queue of its units, the strengths that it can have, and its shots.

The queue has the units in the order in which they fall. What a side has left is one number, its strength: 0 is nothing,
the largest is all units at full toughness, and each step down is the next amount that the unit in front can have left.
A shot is a strike of one of these units. All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import NO_EFFECT
from aabalance.engine.volleys import Effects

OF_UNIT, BELOW, FIRST_SHOT, END_SHOT, UNIT_TOUGHNESS, UNIT_POOL, UNIT_FREE, UNIT_COUNTS = range(8)
"""Columns of a queue's units: the row among the side's units; the strength of the side once this unit and all that fall
before it are gone; the unit's first shot, and the one behind its last; and the unit's columns of these names."""
FRONT, HAS, KIND, REACH, DIFFERS, ALIKE_TO, START, NODE = range(8)
"""Columns of strengths, which have a row for each strength of a side:

- `FRONT` and `HAS`: the unit of the queue that falls next, and the toughness that it has left;
- `KIND`: the class of the strength; at all strengths of a class, the other side prefers the same strikes, with the same
  effects;
- `REACH`: the largest strength of the other side at which this side can hurt none of its units that count;
- `DIFFERS`: 1 if this side can't make the same shots as at the next lower strength;
- `ALIKE_TO`: the largest strength from which down to this one battles are over at the same strengths of the other side;
- `START`: the index of the first position with this strength. Positions are listed from the largest strength down, and
  in the first one of each strength no gun has to reload or is prepared;
- `NODE`: the node at which the turn from that first position begins; below 0 if no unit is left that counts."""
BY, BARREL, STRIKE, ABLE, SHOT_LEAST, SHOT_MOST, SHOT_ACTIONS, SHOT_TAKES, SHOT_STAGE = range(9)
"""Columns of shots, of which there is one for each strike of each unit of the queue: the unit, its barrel, the strike,
and 1 if the unit is left and has the toughness to make it; then the strike's columns of these names."""
OWNER, OF_GUN, RELOAD, PREPARED, GUN_ATTACKS = range(5)
"""Columns of barrels, of which there is one for each gun of each unit of the queue: the unit, the gun, the bit that
says that the gun has to reload, and the bit that says that it is prepared, 0 for a bit that is never set; and the
attacks of the gun in a turn."""
RELOAD_BITS = 62
"""Most bits for the barrels of a side that reload or are prepared; a side that needs more isn't solved so."""


class OrderedSide(NamedTuple):
    """A side whose units fall in a known order; columns are named in `aabalance.engine.battle.columns`.

    Attributes
    ----------
    units, guns, strikes : array of int64, shape (rows, columns)
        Its units, guns and strikes.
    volleys : array of int64, shape (strikes, enemies)
        The number of the effect of each strike.
    falls : array of int64, shape (units of the queue,)
        Rows of `units` in the order in which they fall; equal units may share a row.
    ranks : array of int32, shape (strikes, enemies, toughness + 1)
        The rank of each strike's gain, by the toughness that the enemy has left.
    """

    units: Ints
    guns: Ints
    strikes: Ints
    volleys: Ints
    falls: Ints
    ranks: npt.NDArray[np.int32]


class Queue(NamedTuple):
    """The units of a side, the last to fall first, and the strengths of the side.

    Attributes
    ----------
    units : array of int64, shape (units of the queue, 8)
        Columns from `OF_UNIT` on.
    strengths : array of int64, shape (strengths, 8)
        Columns from `FRONT` on.
    levels : array of int64, shape (rows of units, largest toughness + 1)
        By the toughness that a unit has left: 0 for none, 1 for the least amount that it can have left, 2 for the next
        one, and so on; -1 for amounts that it can't have.
    standing : array of float, shape (strengths, 2)
        The cost and the number of the units that are left.
    floor : int
        The largest strength at which the side has no unit left that counts.
    """

    units: Ints
    strengths: Ints
    levels: Ints
    standing: Floats
    floor: int


class Armed(NamedTuple):
    """A side with all that its turns depend on.

    Attributes
    ----------
    queue : Queue
        Its queue.
    barrels, shots : array of int64, shape (rows, columns)
        Columns from `OWNER` on, and from `BY` on.
    orders : array of int64, shape (classes, 2 * shots)
        By class of the other side's strengths: the shots that hurt, the preferred first, then -1. The second half of
        the columns has their volleys.
    bits : int
        Number of bits of the barrels.
    limit : int
        Limit of actions of the side in a turn.
    """

    queue: Queue
    barrels: Ints
    shots: Ints
    orders: Ints
    bits: int
    limit: int


def line_up(side: OrderedSide, enemy: OrderedSide, effects: Effects) -> Queue:
    """Line up a side, and number the strengths that it can have.

    Parameters
    ----------
    side, enemy : OrderedSide
        The side, and the other one.
    effects : Effects
        The outcomes of all volleys, in arrays.

    Returns
    -------
    Queue
        With all columns of its units but `FIRST_SHOT` and `END_SHOT`, and `FRONT` and `HAS` of its strengths.
    """
    levels = _levels(side.units, enemy.volleys, effects)
    falls, count = side.falls, 1
    for at in range(len(falls)):
        count += levels[falls[at], side.units[falls[at], col.TOUGHNESS]]
    units, strengths = np.zeros((len(falls), 8), np.int64), np.zeros((count, 8), np.int64)
    standing = np.zeros((count, 2))
    strength, floor = 0, count - 1
    for at in range(len(falls)):
        unit, below = falls[len(falls) - 1 - at], strength
        units[at, OF_UNIT], units[at, BELOW] = unit, below
        units[at, UNIT_TOUGHNESS], units[at, UNIT_POOL] = side.units[unit, col.TOUGHNESS], side.units[unit, col.POOL]
        units[at, UNIT_FREE], units[at, UNIT_COUNTS] = side.units[unit, col.FREE], side.units[unit, col.COUNTS]
        if units[at, UNIT_COUNTS] != 0:
            floor = min(floor, below)
        for left in range(1, units[at, UNIT_TOUGHNESS] + 1):
            if levels[unit, left] > 0:
                strength += 1
                strengths[strength, FRONT], strengths[strength, HAS] = at, left
                standing[strength, 0] = standing[below, 0] + side.units[unit, col.COST]
                standing[strength, 1] = standing[below, 1] + 1
    return Queue(units, strengths, levels, standing, floor)


def _levels(units: Ints, volleys: Ints, effects: Effects) -> Ints:
    """Return `Queue.levels`; `volleys` are those of the other side's strikes at these units."""
    start, amount, _, _ = effects
    levels = np.full((len(units), tallest(units) + 1), -1, np.int64)
    for unit in range(len(units)):
        full = units[unit, col.TOUGHNESS]
        levels[unit, full] = 0
        for back in range(full):
            left = full - back
            if levels[unit, left] == 0:
                for strike in range(len(volleys)):
                    for x in range(start[volleys[strike, unit]], start[volleys[strike, unit] + 1]):
                        levels[unit, max(left - amount[x], 0)] = 0
        levels[unit, 0] = 0
        last = 0
        for left in range(1, full + 1):
            if levels[unit, left] == 0:
                last += 1
                levels[unit, left] = last
    return levels


def tallest(units: Ints) -> int:
    """Return the largest toughness of a side's units."""
    most: int = units[0, col.TOUGHNESS]
    for unit in range(1, len(units)):
        most = max(most, units[unit, col.TOUGHNESS])
    return most


def strength_of(queue: Queue, left: int) -> int:
    """Return the strength of a side of which the last `left` units are left, all of them at full toughness."""
    units: Ints = queue.units
    return int(units[left, BELOW]) if left < len(units) else len(queue.strengths) - 1


def arm(side: OrderedSide, queue: Queue, enemy: Queue, by_unit: bool, limit: int) -> Armed:
    """Give a side its shots, and work out which of them it prefers and whom it can hurt.

    Parameters
    ----------
    side : OrderedSide
        The side.
    queue, enemy : Queue
        Its queue, of whose units `FIRST_SHOT` and `END_SHOT` are written, and of whose strengths `REACH` and `DIFFERS`;
        and that of the other side, of whose strengths `KIND` is written.
    by_unit : bool
        Whether all shots of a unit come before those of the next unit. If not, the largest gain of all comes first.
    limit : int
        Limit of actions of the side in a turn.
    """
    most = len(queue.units) * len(side.strikes)
    barrels, shots = np.zeros((most, 5), np.int64), np.zeros((most, 9), np.int64)
    held, made, bits = _list_shots(side, queue.units, barrels, shots)
    barrels, shots = barrels[:held], shots[:made]
    keys = np.full((len(enemy.strengths), 2 * len(side.strikes)), -1, np.int64)
    classes = _classify(side, enemy, keys)
    # At least one class, even if the other side has no units, and so no strength above 0.
    orders = np.full((max(classes, 1), 2 * made), -1, np.int64)
    _sort_strikes(keys, shots, by_unit, orders)
    _mark_reach(queue, enemy, shots, orders)
    return Armed(queue, barrels, shots, orders, bits, limit)


def _list_shots(side: OrderedSide, queue: Ints, barrels: Ints, shots: Ints) -> tuple[int, int, int]:
    """Write the barrels and the shots of a queue, in the order in which its units are listed.

    Equal units fall as they are listed. The result is the number of barrels, of shots, and of bits of the barrels.
    """
    guns, strikes = side.guns, side.strikes
    held, made, bits = 0, 0, 0
    for unit in range(len(side.units)):
        for back in range(len(queue)):
            by = len(queue) - 1 - back
            if queue[by, OF_UNIT] != unit:
                continue
            begin, queue[by, FIRST_SHOT] = held, made
            for strike in range(len(strikes)):
                if strikes[strike, col.MEMBERS] >> unit & 1 == 0:
                    continue
                gun, stage, at = strikes[strike, col.GUN], strikes[strike, col.STAGE], begin
                while at < held and barrels[at, OF_GUN] != gun:
                    at += 1
                if at == held:
                    barrels[at, OWNER], barrels[at, OF_GUN], barrels[at, GUN_ATTACKS] = by, gun, guns[gun, col.ATTACKS]
                    if guns[gun, col.RELOADS] != 0:
                        barrels[at, RELOAD] = 1 << min(bits, RELOAD_BITS)
                        bits += 1
                    held += 1
                if stage == col.PREPARES and barrels[at, PREPARED] == 0:
                    barrels[at, PREPARED] = 1 << min(bits, RELOAD_BITS)
                    bits += 1
                shots[made, BY], shots[made, BARREL], shots[made, STRIKE] = by, at, strike
                shots[made, SHOT_LEAST], shots[made, SHOT_MOST] = strikes[strike, col.LEAST], strikes[strike, col.MOST]
                shots[made, SHOT_ACTIONS], shots[made, SHOT_STAGE] = strikes[strike, col.ACTIONS], stage
                shots[made, SHOT_TAKES] = strikes[strike, col.TAKES]
                made += 1
            queue[by, END_SHOT] = made
    return held, made, bits


def _classify(side: OrderedSide, enemy: Queue, keys: Ints) -> int:
    """Write the column `KIND` of the other side's strengths, and return the number of classes.

    `keys`, of shape (strengths, 2 * strikes) and all -1 before, takes by class how many strikes gain more than each
    strike (-1 for a strike without gain), then the volley of each strike.
    """
    ranks, strengths = side.ranks, enemy.strengths
    count, classes = len(ranks), 0
    for strength in range(1, len(strengths)):
        unit, left = enemy.units[strengths[strength, FRONT], OF_UNIT], strengths[strength, HAS]
        for strike in range(count):
            gain, above = ranks[strike, unit, left], -1
            if gain > 0:
                above = 0
                for other in range(count):
                    above += 1 if ranks[other, unit, left] > gain else 0
            effect = NO_EFFECT if side.strikes[strike, col.STAGE] == col.PREPARES else side.volleys[strike, unit]
            keys[classes, strike], keys[classes, count + strike] = above, effect
        kind = 0
        while not equal(keys, kind, classes, 0, 2 * count):
            kind += 1
        strengths[strength, KIND] = kind
        classes = max(classes, kind + 1)
    return classes


def _sort_strikes(keys: Ints, shots: Ints, by_unit: bool, orders: Ints) -> None:
    """Write `Armed.orders`, all -1 before, from the keys that `_classify` wrote; `by_unit` is as for `arm`."""
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


def _mark_reach(queue: Queue, enemy: Queue, shots: Ints, orders: Ints) -> None:
    """Write the columns `REACH` and `DIFFERS` of a side's strengths; `ABLE` stays as for the largest strength."""
    units, strengths, their_units, others = queue.units, queue.strengths, enemy.units, enemy.strengths
    for strength in range(len(strengths)):
        changed = mark_able(units, strengths, shots, max(strength - 1, 0), strength)
        strengths[strength, DIFFERS] = 1 if changed else 0
        if not changed and strength > 0:
            strengths[strength, REACH] = strengths[strength - 1, REACH]
            continue
        reach = len(others)
        for unit in range(len(their_units)):
            below = their_units[unit, BELOW]
            if below < reach and their_units[unit, UNIT_COUNTS] != 0:
                kind = others[below + 1, KIND]
                for rank in range(len(shots)):
                    if orders[kind, rank] >= 0 and shots[orders[kind, rank], ABLE] != 0:
                        reach = min(reach, below)
        strengths[strength, REACH] = reach


def mark_able(units: Ints, strengths: Ints, shots: Ints, before: int, strength: int) -> bool:
    """Write the column `ABLE` of a side's shots for a strength, and return whether any of them has changed.

    Parameters
    ----------
    units, strengths : array of int64, shape (rows, columns)
        Those of its queue.
    shots : array of int64, shape (shots, columns)
        Its shots.
    before : int
        The strength for which `ABLE` was written last.
    strength : int
        The strength of the side now.
    """
    changed = False
    front, other = strengths[strength, FRONT], strengths[before, FRONT]
    # Only units from one front to the other differ: those with lower rows are whole at both strengths, others are gone.
    for by in range(min(front, other), min(max(front, other) + 1, len(units))):
        left = 0
        if strength > units[by, BELOW]:
            left = strengths[strength, HAS] if front == by else units[by, UNIT_TOUGHNESS]
        for shot in range(units[by, FIRST_SHOT], units[by, END_SHOT]):
            able = 1 if left > 0 and shots[shot, SHOT_LEAST] <= left and left <= shots[shot, SHOT_MOST] else 0
            changed = changed or able != shots[shot, ABLE]
            shots[shot, ABLE] = able
    return changed


def equal(rows: Ints, one: int, other: int, first: int, end: int) -> bool:
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
