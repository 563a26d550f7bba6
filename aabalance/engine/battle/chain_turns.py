"""Turns of a chain: a battle in which the units of a side fall one after the other, in an order that is known.

What a side may do in its turn depends on what it has left and on which of its guns reload or are prepared: its
position. From there, the strikes of a turn lead from node to node, and which strike is next depends on the class of the
number that the other side has left. Nodes from which the same strikes lead to the same nodes are one, so that what
equal units do is worked out once. Where the dice decide which guns reload or are prepared after a turn, it has an
ending for each.

Plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.chain_lines import (
    ABLE,
    BARREL,
    BELOW,
    BY,
    OF_GUN,
    OF_UNIT,
    OWNER,
    PREPARED,
    REACH,
    RELOAD,
    START,
    STRIKE,
    equal,
    mark_able,
)
from aabalance.engine.battle.lanes import ACTIONS, ATTACKS, FREE, GUN, NEEDS_PREPARED, POOL, PREPARES, STAGE, TAKES

U = np.uint64
"""Of numbers that are never negative: others may count from the end, which would be looked for at every step."""
FIRST_ENDING, FALLEN, MASK = range(3)
"""Columns of positions: where the endings of its turn begin, the position with a step less, and the guns that reload or
are prepared."""
ROOT, AFTER, LEAVES = range(3)
"""Columns of endings: the node at which a turn begins that ends so, the position after it, and the guns that it leaves
reloading or prepared."""
ALIKE, RELOADING, TELLS, EFFECT = range(4)
"""Columns of nodes, of turns with one ending each: an own number with which battles are over at the same numbers of the
other side, the guns that reload or are prepared after the turn, and 1 if a battle that is over there counts for this
ending, as it does for one alone; by class, the effect of the next strike, `NO_MORE` or `ELSEWHERE`, and the node after
it."""
NO_MORE, ELSEWHERE = -1, -2
"""In place of an effect: the turn is over, and it never ends so."""
TURN_NODE, FIRED, LEAST_ENDING, FIXED = range(4)
"""Columns of what a turn may come to: the node for an ending, `GIVEN_UP` if it never ends so; the guns that reload or
are prepared if it ends there, and the first of the endings that it can have; then what each gun has fired and each unit
spent, and by class the place of the next strike in its order and what that comes to."""
GIVEN_UP = -1
MOST_MASKS, MOST_WAITS, MOST_ENDINGS, MOST_NODES, MOST_CELLS = 1 << 8, 1 << 12, 1 << 10, 1 << 15, 1 << 24
"""Where to give up: positions of one number, what a turn may come to, its endings, nodes of all turns, and chances of
what they lead to."""


def positions(
    side: Any,
    others: Any,
    limit: Any,
    floors: Any,
    spots: Any,
    endings: Any,
    nodes: Any,
    waits: Any,
) -> Any:
    """Find the positions of a side, and the nodes of those in which it still has a unit that counts.

    Parameters
    ----------
    side : tuple of arrays
        Units, guns, strikes, line, numbers, barrels, shots and orders, as `mark_reach` leaves them.
    others : array
        Numbers of the other side.
    limit : int
        Actions.
    floors : (int, int)
        Its own `floor`, and the other side's.
    spots, endings, nodes : arrays of int64
        Written: positions, with one more behind the last, endings and nodes.
    waits : array of int64
        Scratch: what a turn may come to.

    Returns
    -------
    size : int
        Positions; `GIVEN_UP` if there is too much.
    count : int
        Nodes.
    """
    units, _, strikes, line, numbers, barrels, shots, _ = side
    floor_own, floor_other = floors
    full, most = len(numbers) - 1, len(spots) - 1
    # Numbers of one type: a literal would have it all compiled twice.
    size: Any = np.int64(0)
    ended: Any = np.int64(0)
    count: Any = np.int64(0)
    nothing, alike, given_up = np.int64(0), full, np.int64(GIVEN_UP)
    for back in range(full + 1):
        number = full - back
        begin = size
        numbers[number, START] = begin
        before = numbers[min(number + 1, full), START]
        changed = mark_able(units, strikes, line, numbers, shots, min(number + 1, full), number) or back == 0
        if number <= floor_own:
            spots[size, MASK], spots[size, FIRST_ENDING] = 0, ended
            size += 1
            for at in range(before, begin):
                spots[at, FALLEN] = begin
            continue
        reach = numbers[number, REACH]
        same = reach == numbers[alike, REACH]
        for other in range(floor_other + 1, min(reach, len(others) - 1) + 1):
            same = same and (number <= others[other, REACH]) == (alike <= others[other, REACH])
        if not same:
            alike, changed = number, True
        left = nothing
        if begin - before > 1:
            for barrel in range(len(barrels)):
                if number > line[barrels[barrel, OWNER], BELOW]:
                    left |= barrels[barrel, RELOAD] | barrels[barrel, PREPARED]
        size = _position(nothing, spots, begin, size) + 1
        for at in range(before, begin):
            spots[at, FALLEN] = _position(spots[at, MASK] & left, spots, begin, size)
            size = max(size, spots[at, FALLEN] + 1)
            if size >= most:
                return given_up, count
        at = begin
        while at < size:
            spots[at, FIRST_ENDING] = ended
            if ended + MOST_ENDINGS > len(endings):
                return given_up, count
            if not changed:
                for last in range(before, begin):
                    if spots[last, MASK] == spots[at, MASK]:
                        for ending in range(spots[last, FIRST_ENDING], spots[last + 1, FIRST_ENDING]):
                            endings[ended, ROOT] = endings[ending, ROOT]
                            ended += 1
            if ended == spots[at, FIRST_ENDING]:
                ended, count = _unfold(side, nodes, waits, endings, limit, spots[at, MASK], alike, ended, count)
                if ended == GIVEN_UP:
                    return given_up, count
            for ending in range(spots[at, FIRST_ENDING], ended):
                after = _position(nodes[endings[ending, ROOT], RELOADING], spots, begin, size)
                endings[ending, AFTER] = after
                size = max(size, after + 1)
                if size >= most:
                    return given_up, count
            at += 1
    spots[size, FIRST_ENDING] = ended
    return size, count


def _position(reloading: Any, spots: Any, first: Any, size: Any) -> Any:
    """Return which position of a number, from the first up to `size`, has these guns to reload, and write it."""
    at = first
    while at < size and spots[at, MASK] != reloading:
        at += 1
    spots[at, MASK] = reloading
    return at


@jit.merged
def _unfold(
    side: Any,
    nodes: Any,
    waits: Any,
    endings: Any,
    limit: Any,
    mask: Any,
    alike: Any,
    ended: Any,
    count: Any,
) -> Any:
    """Write the endings of a turn behind those that there are, and the nodes that they lead to.

    Returns
    -------
    ended, count : int
        Endings and nodes that there are then; `GIVEN_UP` if there is too much.
    """
    units, guns, strikes, line, _, barrels, shots, orders = side
    spent, picks, width = FIXED + len(barrels), FIXED + len(barrels) + len(line), len(shots)
    then, given_up = picks + len(orders), np.int64(GIVEN_UP)
    for x in range(FIXED, picks):
        waits[0, x] = 0
    made, at = 1, 0
    while at < made:
        waits[at, FIRED] = _fired(guns, barrels, waits, at, mask)
        actions = limit
        for by in range(len(line)):
            if units[line[by, OF_UNIT], FREE] == 0:
                actions -= waits[at, spent + by]
        for kind in range(len(orders)):
            waits[at, picks + kind] = -1
            for place in range(width):
                shot = orders[kind, place]
                if shot < 0:
                    break
                by, barrel, strike = shots[shot, BY], shots[shot, BARREL], shots[shot, STRIKE]
                unit, cost, stage = line[by, OF_UNIT], strikes[strike, ACTIONS], strikes[strike, STAGE]
                prepared = barrels[barrel, PREPARED] & mask != 0
                if (
                    shots[shot, ABLE] != 0
                    and barrels[barrel, RELOAD] & mask == 0
                    and waits[at, FIXED + barrel] + strikes[strike, TAKES] <= guns[strikes[strike, GUN], ATTACKS]
                    and waits[at, spent + by] + cost <= units[unit, POOL]
                    and (units[unit, FREE] != 0 or cost <= actions)
                    and not (stage == PREPARES and prepared)
                    and not (stage == NEEDS_PREPARED and not prepared)
                ):
                    if made == len(waits):
                        return given_up, count
                    for x in range(FIXED, picks):
                        waits[made, x] = waits[at, x]
                    # Preparing is one more than the gun has.
                    takes = guns[strikes[strike, GUN], ATTACKS] + 1 if stage == PREPARES else strikes[strike, TAKES]
                    waits[made, FIXED + barrel] += takes
                    waits[made, spent + by] += cost
                    to = at + 1
                    while not equal(waits, to, made, FIXED, picks):
                        to += 1
                    waits[at, picks + kind], waits[at, then + kind] = place, to
                    made = max(made, to + 1)
                    break
        at += 1
    several = _endings(waits, made, picks, len(orders), endings, ended)
    if several < 0 or ended + several > len(endings):
        return given_up, count
    for ending in range(several):
        # What a strike leads to stands behind it.
        for back in range(made):
            at = made - 1 - back
            node = _node(orders, nodes, waits, at, picks, ending, endings[ended + ending, LEAVES], alike, count)
            if node + 1 == len(nodes):
                return given_up, count
            waits[at, TURN_NODE] = node
            count = max(count, node + 1)
        endings[ended + ending, ROOT] = waits[0, TURN_NODE]
    return ended + several, count


@jit.merged
def _fired(guns: Any, barrels: Any, waits: Any, at: Any, mask: Any) -> Any:
    """Return the guns that reload or are prepared if a turn ends there."""
    fired = np.int64(0)
    for barrel in range(len(barrels)):
        prepared, times = barrels[barrel, PREPARED], waits[at, FIXED + barrel]
        if times > guns[barrels[barrel, OF_GUN], ATTACKS]:
            fired |= prepared
            continue
        fired |= mask & prepared
        if times > 0:
            fired |= barrels[barrel, RELOAD]
    return fired


def _endings(waits: Any, made: Any, picks: Any, classes: Any, endings: Any, ended: Any) -> Any:
    """Write `LEAST_ENDING`, and `LEAVES` behind the endings that there are; return how many more there are.

    Without room, `GIVEN_UP`.
    """
    several: Any = np.int64(0)
    for back in range(made):
        at = made - 1 - back
        waits[at, LEAST_ENDING] = MOST_ENDINGS
        for kind in range(classes):
            if waits[at, picks + kind] >= 0:
                ending = waits[waits[at, picks + classes + kind], LEAST_ENDING]
            else:
                ending = 0
                while ending < several and endings[ended + ending, LEAVES] != waits[at, FIRED]:
                    ending += 1
                if ending == MOST_ENDINGS:
                    return np.int64(GIVEN_UP)
                endings[ended + ending, LEAVES] = waits[at, FIRED]
                several = max(several, ending + 1)
            waits[at, LEAST_ENDING] = min(waits[at, LEAST_ENDING], ending)
    return several


@jit.merged
def _node(
    orders: Any, nodes: Any, waits: Any, at: Any, picks: Any, ending: Any, mask: Any, alike: Any, count: Any
) -> Any:
    """Return the node of what a turn may come to that ends so, written if it is new; `GIVEN_UP` if it never does."""
    classes, width = len(orders), orders.shape[1] // 2
    nodes[count, ALIKE], nodes[count, RELOADING] = alike, mask
    nodes[count, TELLS] = 1 if waits[at, LEAST_ENDING] == ending else 0
    never = True
    for kind in range(classes):
        place, effect, then = waits[at, picks + kind], ELSEWHERE, GIVEN_UP
        if place >= 0:
            then = waits[waits[at, picks + classes + kind], TURN_NODE]
            if then != GIVEN_UP:
                effect = orders[kind, width + place]
        elif waits[at, FIRED] == mask:
            effect = NO_MORE
        never = never and effect == ELSEWHERE
        nodes[count, EFFECT + kind], nodes[count, EFFECT + classes + kind] = effect, then
    if never:
        return np.int64(GIVEN_UP)
    for node in range(count):
        if equal(nodes, node, count, ALIKE, EFFECT + 2 * classes):
            return np.int64(node)
    return np.int64(count)
