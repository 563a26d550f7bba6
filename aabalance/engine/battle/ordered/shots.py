"""The shots of an ordered side: which of its strikes each of its units can make, and in what order it prefers them.

All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aabalance.engine.battle.columns import COUNTS, GUN, LEAST, MEMBERS, MOST, PREPARES, RELOADS, STAGE, TOUGHNESS
from aabalance.engine.battle.ordered.queue import (
    BELOW,
    END_SHOT,
    FIRST_SHOT,
    FRONT,
    HAS,
    KIND,
    OF_UNIT,
    REACH,
    Ints,
    OrderedSide,
    Queue,
)
from aabalance.engine.battle.states.turns import NO_EFFECT

BY, BARREL, STRIKE, ABLE = range(4)
"""Columns of shots, of which there is one for each strike of each unit of the queue: the unit, its barrel, the strike,
and 1 if the unit is left and has the toughness to make it."""
OWNER, OF_GUN, RELOAD, PREPARED = range(4)
"""Columns of barrels, of which there is one for each gun of each unit of the queue: the unit, the gun, the bit that
says that the gun has to reload, and the bit that says that it is prepared; 0 for a bit that is never set."""
RELOAD_BITS = 62
"""Most bits for the barrels of a side that reload or are prepared; a side that needs more isn't solved so."""


class Player(NamedTuple):
    """A side with all that its turns depend on.

    Attributes
    ----------
    side : OrderedSide
        The side.
    queue : Queue
        Its queue.
    barrels, shots : array of int64, shape (rows, 4)
        Columns from `OWNER` on, and from `BY` on.
    orders : array of int64, shape (classes, 2 * shots)
        By class of the other side's strengths: the shots that hurt, the preferred first, then -1. The second half of
        the columns has their volleys.
    bits : int
        Number of bits of the barrels.
    limit : int
        Limit of actions of the side in a turn.
    """

    side: OrderedSide
    queue: Queue
    barrels: Ints
    shots: Ints
    orders: Ints
    bits: int
    limit: int


def arm(side: OrderedSide, queue: Queue, enemy: Queue, by_unit: bool, limit: int) -> Player:
    """Give a side its shots, and work out which of them it prefers.

    Parameters
    ----------
    side : OrderedSide
        The side.
    queue, enemy : Queue
        Its queue, whose columns `FIRST_SHOT` and `END_SHOT` are written, and that of the other side, whose column
        `KIND` is written.
    by_unit : bool
        Whether all shots of a unit come before those of the next unit. If not, the largest gain of all comes first.
    limit : int
        Limit of actions of the side in a turn.
    """
    most = len(queue.units) * len(side.strikes)
    barrels, shots = np.zeros((most, 4), np.int64), np.zeros((most, 4), np.int64)
    held, made, bits = _list_shots(side.units, side.guns, side.strikes, queue.units, barrels, shots)
    barrels, shots = barrels[:held], shots[:made]
    keys = np.full((len(enemy.strengths), 2 * len(side.strikes)), -1, np.int64)
    classes = _classify(side, enemy, keys)
    # At least one class, even if the other side has no units, and so no strength above 0.
    orders = np.full((max(classes, 1), 2 * made), -1, np.int64)
    _sort_strikes(keys, shots, by_unit, orders)
    return Player(side, queue, barrels, shots, orders, bits, limit)


def _list_shots(
    units: Ints, guns: Ints, strikes: Ints, queue: Ints, barrels: Ints, shots: Ints
) -> tuple[int, int, int]:
    """Write the barrels and the shots of a queue, in the order in which its units are listed.

    Equal units fall as they are listed. The result is the number of barrels, of shots, and of bits of the barrels.
    """
    held, made, bits = 0, 0, 0
    for unit in range(len(units)):
        for back in range(len(queue)):
            by = len(queue) - 1 - back
            if queue[by, OF_UNIT] != unit:
                continue
            begin, queue[by, FIRST_SHOT] = held, made
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
            effect = NO_EFFECT if side.strikes[strike, STAGE] == PREPARES else side.volleys[strike, unit]
            keys[classes, strike], keys[classes, count + strike] = above, effect
        kind = 0
        while not equal(keys, kind, classes, 0, 2 * count):
            kind += 1
        strengths[strength, KIND] = kind
        classes = max(classes, kind + 1)
    return classes


def _sort_strikes(keys: Ints, shots: Ints, by_unit: bool, orders: Ints) -> None:
    """Write `Player.orders`, all -1 before, from the keys that `_classify` wrote; `by_unit` is as for `arm`."""
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


def mark_able(
    units: Ints, strikes: Ints, queue: Ints, strengths: Ints, shots: Ints, before: int, strength: int
) -> bool:
    """Write the column `ABLE` of a side's shots for a strength, and return whether any of them has changed.

    Parameters
    ----------
    units, strikes : array of int64, shape (rows, columns)
        The units and the strikes of the side.
    queue, strengths : array of int64, shape (rows, columns)
        The arrays `units` and `strengths` of its queue.
    shots : array of int64, shape (shots, 4)
        Its shots.
    before : int
        The strength for which `ABLE` was written last.
    strength : int
        The strength of the side now.
    """
    changed = False
    front, other = strengths[strength, FRONT], strengths[before, FRONT]
    # Only units from one front to the other differ: those with lower rows are whole at both strengths, others are gone.
    for by in range(min(front, other), min(max(front, other) + 1, len(queue))):
        left = 0
        if strength > queue[by, BELOW]:
            left = strengths[strength, HAS] if front == by else units[queue[by, OF_UNIT], TOUGHNESS]
        for shot in range(queue[by, FIRST_SHOT], queue[by, END_SHOT]):
            strike = shots[shot, STRIKE]
            able = 1 if left > 0 and strikes[strike, LEAST] <= left and left <= strikes[strike, MOST] else 0
            changed = changed or able != shots[shot, ABLE]
            shots[shot, ABLE] = able
    return changed


def mark_reach(player: Player, enemy: Queue, enemies: Ints) -> None:
    """Write the column `REACH` of a side's strengths; `ABLE` stays in its shots as for the largest strength.

    Parameters
    ----------
    player : Player
        The side.
    enemy : Queue
        The queue of the other side.
    enemies : array of int64, shape (units, columns)
        The units of the other side.
    """
    units, strikes = player.side.units, player.side.strikes
    queue, strengths, shots, orders = player.queue.units, player.queue.strengths, player.shots, player.orders
    others, their_queue = enemy.strengths, enemy.units
    for strength in range(len(strengths)):
        changed = mark_able(units, strikes, queue, strengths, shots, max(strength - 1, 0), strength)
        if not changed and strength > 0:
            strengths[strength, REACH] = strengths[strength - 1, REACH]
            continue
        reach = len(others)
        for unit in range(len(their_queue)):
            below = their_queue[unit, BELOW]
            if below < reach and enemies[their_queue[unit, OF_UNIT], COUNTS] != 0:
                kind = others[below + 1, KIND]
                for rank in range(len(shots)):
                    if orders[kind, rank] >= 0 and shots[orders[kind, rank], ABLE] != 0:
                        reach = min(reach, below)
        strengths[strength, REACH] = reach


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
