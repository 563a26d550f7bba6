"""Turns of a chain: a battle in which the units of a side fall one after the other, in an order that is known.

What a side may do in its turn hangs on what it has left and on which of its guns reload or are prepared: its position.
From a position, the strikes of a turn lead from node to node, and which strike is next hangs on the class of the number
that the other side has left. Nodes from which the same strikes lead to the same nodes are one, so that what equal units
do is worked out once.

Plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.chain_lines import (
    ABLE,
    BARREL,
    BELOW,
    BY,
    FRONT,
    HAS,
    KIND,
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

ROOT, AFTER, FALLEN, MASK = range(4)
"""Columns of positions: the node at which its turn begins, the position after it, the one with a step less, and the
guns that reload or are prepared."""
ALIKE, RELOADING, EFFECT = range(3)
"""Columns of nodes: an own number with which battles are over at the same numbers of the other side, and the guns that
reload or are prepared after the turn; by class, the effect of the next strike, -1 if there is none, and the node after
it."""
TURN_NODE, FIXED = range(2)
"""Columns of what a turn may come to: the node, if it is known already; then what each gun has fired and each unit
spent, and by class the place of the next strike in its order and what that comes to."""
GIVEN_UP = -1
MOST_MASKS, MOST_WAITS, MOST_NODES, MOST_CELLS = 1 << 6, 1 << 10, 1 << 12, 1 << 22
"""Where to give up: positions of one number, what a turn may come to, nodes of all turns, and chances of what they lead
to."""


def positions(side: Any, others: Any, limit: Any, floors: Any, most: Any) -> Any:
    """Find the positions of a side, and the nodes of those in which it still has a unit that counts.

    Parameters
    ----------
    side : tuple of arrays
        Units, guns, strikes, line, numbers, barrels, shots and orders.
    others : array
        Numbers of the other side.
    limit : int
        Actions.
    floors : (int, int)
        Its own `floor`, and the other side's.
    most : int
        Positions that there is room for.

    Returns
    -------
    spots, nodes : array of int64
        Positions and nodes.
    found : int
        Positions; `GIVEN_UP` if there is too much, or if what reloads hangs on the dice.
    """
    units, _, strikes, line, numbers, barrels, shots, orders = side
    spots, nodes = np.empty((most + 1, 4), np.int64), np.empty((MOST_NODES, EFFECT + 2 * len(orders)), np.int64)
    waits = np.empty((MOST_WAITS, FIXED + len(barrels) + len(line) + 2 * len(orders)), np.int64)
    floor_own, floor_other = floors
    full = len(numbers) - 1
    # Numbers of one type: a literal would have it all compiled twice.
    found: Any = np.int64(0)
    count: Any = np.int64(0)
    nothing, alike = np.int64(0), full
    for back in range(full + 1):
        number = full - back
        begin = found
        numbers[number, START] = begin
        before = numbers[min(number + 1, full), START]
        changed = mark_able(units, strikes, line, numbers, shots, number) or back == 0
        if number <= floor_own:
            spots[found, MASK], spots[found, ROOT], spots[found, AFTER] = 0, GIVEN_UP, GIVEN_UP
            found += 1
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
        for barrel in range(len(barrels)):
            if number > line[barrels[barrel, OWNER], BELOW]:
                left |= barrels[barrel, RELOAD] | barrels[barrel, PREPARED]
        found = _position(nothing, spots, begin, found) + 1
        for at in range(before, begin):
            spots[at, FALLEN] = _position(spots[at, MASK] & left, spots, begin, found)
            found = max(found, spots[at, FALLEN] + 1)
            if found >= most:
                return spots, nodes, np.int64(GIVEN_UP), count
        at = begin
        while at < found:
            root = np.int64(GIVEN_UP)
            if not changed:
                for last in range(before, begin):
                    if spots[last, MASK] == spots[at, MASK]:
                        root = spots[last, ROOT]
            if root == GIVEN_UP:
                root, count = _unfold(side, nodes, waits, limit, spots[at, MASK], alike, count)
                if root == GIVEN_UP:
                    return spots, nodes, np.int64(GIVEN_UP), count
            spots[at, ROOT] = root
            spots[at, AFTER] = _position(nodes[root, RELOADING], spots, begin, found)
            found = max(found, spots[at, AFTER] + 1)
            if found >= most:
                return spots, nodes, np.int64(GIVEN_UP), count
            at += 1
    return spots, nodes, found, count


def _position(reloading: Any, spots: Any, first: Any, found: Any) -> Any:
    """Return which position of a number, from the first up to `found`, has these guns to reload, and write it."""
    at = first
    while at < found and spots[at, MASK] != reloading:
        at += 1
    spots[at, MASK] = reloading
    return at


def _unfold(side: Any, nodes: Any, waits: Any, limit: Any, mask: Any, alike: Any, count: Any) -> Any:
    """Return the node at which a turn begins, and how many nodes there are with those that it leads to."""
    units, guns, strikes, line, _, barrels, shots, orders = side
    spent, picks, width = FIXED + len(barrels), FIXED + len(barrels) + len(line), len(shots)
    then = picks + len(orders)
    for x in range(FIXED, picks):
        waits[0, x] = 0
    made, at = 1, 0
    while at < made:
        waits[at, TURN_NODE] = GIVEN_UP
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
                        return np.int64(GIVEN_UP), count
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
    while waits[0, TURN_NODE] == GIVEN_UP:
        for back in range(made):
            at = made - 1 - back
            ready = waits[at, TURN_NODE] == GIVEN_UP
            for kind in range(len(orders)):
                ready = ready and (waits[at, picks + kind] < 0 or waits[waits[at, then + kind], TURN_NODE] != GIVEN_UP)
            if ready:
                node = _node(guns, barrels, orders, nodes, waits, at, picks, mask, alike, count)
                if node == GIVEN_UP or node + 1 == len(nodes):
                    return np.int64(GIVEN_UP), count
                waits[at, TURN_NODE] = node
                count = max(count, node + 1)
    return waits[0, TURN_NODE], count


def _node(
    guns: Any,
    barrels: Any,
    orders: Any,
    nodes: Any,
    waits: Any,
    at: Any,
    picks: Any,
    mask: Any,
    alike: Any,
    count: Any,
) -> Any:
    """Return the node of what a turn may come to, written if it is new; `GIVEN_UP` as in `positions`."""
    classes, width = len(orders), orders.shape[1] // 2
    fired = np.int64(0)
    for barrel in range(len(barrels)):
        prepared, times = barrels[barrel, PREPARED], waits[at, FIXED + barrel]
        if times > guns[barrels[barrel, OF_GUN], ATTACKS]:
            fired |= prepared
            continue
        fired |= mask & prepared
        if times > 0:
            fired |= barrels[barrel, RELOAD]
    reload = np.int64(GIVEN_UP)
    for kind in range(classes):
        place, end = waits[at, picks + kind], fired
        nodes[count, EFFECT + kind] = nodes[count, EFFECT + classes + kind] = -1
        if place >= 0:
            then = waits[waits[at, picks + classes + kind], TURN_NODE]
            nodes[count, EFFECT + kind], nodes[count, EFFECT + classes + kind] = orders[kind, width + place], then
            end = nodes[then, RELOADING]
        if reload != GIVEN_UP and reload != end:
            return np.int64(GIVEN_UP)
        reload = end
    nodes[count, ALIKE], nodes[count, RELOADING] = alike, reload
    for node in range(count):
        if equal(nodes, node, count, ALIKE, EFFECT + 2 * classes):
            return node
    return count


def ways(
    numbers: Any,
    orders: Any,
    spots: Any,
    nodes: Any,
    found: Any,
    count: Any,
    theirs: Any,
    floor_other: Any,
    outcomes: Any,
) -> Any:
    """Work out what the turns of a side lead to.

    Parameters
    ----------
    numbers, orders, spots, nodes : arrays
        Of the side.
    found, count : int
        Positions and nodes.
    theirs : tuple of arrays
        Line, numbers and places of the other side.
    floor_other : int
        The other side's `floor`.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.

    Returns
    -------
    first : array of int64, shape (nodes, numbers + 1)
        By node at which turns begin and the other side's number, where the ways begin that hurt somebody.
    to : array of int64
        By way, the number afterwards.
    p : array of float
        Its chance.
    stay : array of float, shape (nodes, numbers)
        By node and number, the chance that nobody is hurt.
    fits : bool
        Whether there was room; without, the others say nothing.
    """
    line, others, places = theirs
    start, amount, chance, nothing = outcomes
    following, size = EFFECT + len(orders), len(others)
    first, stay = np.full((count, size + 1), GIVEN_UP, np.int64), np.empty((count, size))
    for at in range(found):
        if spots[at, ROOT] >= 0:
            first[spots[at, ROOT], 0] = 0
    # By node and number, the least that may be left, and where the chances begin of what is left, the most first.
    least, begin = np.empty((count, size), np.int64), np.empty((count, size), np.int64)
    most = min(count * size * (size + 1) // 2, MOST_CELLS)
    cells, to, p = np.empty(most), np.empty(most, np.int64), np.empty(most)
    widest = 0
    for node in range(count):
        for kind in range(len(orders)):
            effect = nodes[node, EFFECT + kind]
            if effect >= 0:
                widest = max(widest, start[effect + 1] - start[effect])
    afters = np.empty(widest, np.int64)
    end: Any = np.int64(0)
    total: Any = np.int64(0)
    for node in range(count):
        begins, own = first[node, 0] == 0, nodes[node, ALIKE]
        reach = numbers[own, REACH]
        for number in range(size):
            kind = others[number, KIND]
            effect, then = nodes[node, EFFECT + kind], nodes[node, following + kind]
            over = number <= floor_other or (number <= reach and own <= others[number, REACH])
            low = number
            if effect >= 0 and not over:
                at, has = others[number, FRONT], others[number, HAS]
                below, unit = line[at, BELOW], line[at, OF_UNIT]
                low = least[then, number]
                for x in range(start[effect], start[effect + 1]):
                    after = below + places[unit, max(has - amount[x], 0)]
                    afters[x - start[effect]] = after
                    low = min(low, least[then, after])
            least[node, number], begin[node, number] = low, end
            if end + number - low >= most:
                return first, to, p, stay, False
            here = end
            end += number - low + 1
            cells[here] = 1.0 if effect < 0 or over else 0.0
            for x in range(here + 1, end):
                cells[x] = 0.0
            if effect >= 0 and not over:
                there, share = begin[then, number], nothing[effect]
                for more in range(number - least[then, number] + 1):
                    cells[here + more] = share * cells[there + more]
                for x in range(start[effect], start[effect + 1]):
                    after, share = afters[x - start[effect]], chance[x]
                    there, lower = begin[then, after], here + number - after
                    for more in range(after - least[then, after] + 1):
                        cells[lower + more] += share * cells[there + more]
            if begins:
                first[node, number], stay[node, number] = total, cells[here]
                for lost in range(1, number - low + 1):
                    if cells[here + lost] > 0.0:
                        to[total], p[total] = number - lost, cells[here + lost]
                        total += 1
        if begins:
            first[node, size] = total
    return first, to, p, stay, True
