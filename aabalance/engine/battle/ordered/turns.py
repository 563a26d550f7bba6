"""Turns of an ordered side: what it does in its turn, by what both sides have left, without the chances.

What a side may do depends on its position: its strength, and which of its guns have to reload or are prepared. From
there, the strikes of a turn lead from node to node; which strike is next depends on the class of the other side's
strength. Nodes from which the same strikes lead to the same nodes are one node, so that what equal units do is worked
out once. If the dice decide which guns have to reload or are prepared after a turn, the turn has several endings, one
for each set of guns, and nodes of its own for each ending. All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aabalance.engine.arrays import Ints
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.ordered import sides
from aabalance.engine.battle.ordered.sides import Armed, Queue, equal, mark_able

U = np.uint64
"""For indices, which are never negative: an index that may be negative counts from the end, and each use would have to
look whether it is."""
FIRST_ENDING, FALLEN, MASK = range(3)
"""Columns of positions: the index of the first ending of the position's turn; the position with the next lower
strength; and the guns that have to reload or are prepared, as the sum of their bits in `RELOAD` and `PREPARED`."""
ROOT, AFTER, LEAVES = range(3)
"""Columns of endings: the node at which a turn with this ending begins; the position after it; and the guns that have
to reload or are prepared after it, as in `MASK`."""
NEXT, ALIKE, RELOADING, TELLS, EFFECT = range(5)
"""Columns of nodes, each of which belongs to turns with one ending:

- `NEXT`: the node before it with the same hash, `GIVEN_UP` if it is the first;
- `ALIKE`: a strength of the side which stands for all at which battles are over at the same strengths of the other;
- `RELOADING`: the guns that have to reload or are prepared after the turn, as in `MASK`;
- `TELLS`: 1 if a battle that ends at this node counts for this ending; it counts for one of the endings alone;
- from `EFFECT` on, by class, the volley of the next strike, `NO_MORE` or `ELSEWHERE`; then, by class, the node after
  this strike."""
NO_MORE, ELSEWHERE = -1, -2
"""In place of a volley: the turn is over, or it doesn't have this ending."""
TURN_NODE, FIRED, LEAST_ENDING, FIXED = range(4)
"""Columns of waits, which are the moments of a turn between two strikes:

- `TURN_NODE`: the node for the ending that is looked at, `GIVEN_UP` if no turn from here has it;
- `FIRED`: the guns that have to reload or are prepared if the turn ends here, as in `MASK`;
- `LEAST_ENDING`: the first of the endings that turns from here can have;
- from `FIXED` on, the attacks that each barrel has made and the actions that each unit has spent; then, by class, the
  rank of the next strike in its order (-1 for none), and, by class, the wait after this strike."""
GIVEN_UP = -1
"""In place of a node or a count: there is none."""
MOST_MASKS, MOST_WAITS, MOST_ENDINGS, MOST_NODES = 1 << 8, 1 << 12, 1 << 10, 1 << 15
"""Largest numbers for a solution: of positions with one strength, of waits of a turn, of its endings, and of nodes of
all turns."""
HASHES = 1021
"""How many hashes nodes have: with thousands of nodes, to look through all for an equal one took most of the time."""


class Plan(NamedTuple):
    """What a side may do in its turns.

    Attributes
    ----------
    positions : array of int64, shape (positions + 1, 3)
        Columns from `FIRST_ENDING` on; the last row says where the endings end.
    size : int
        Number of positions; `GIVEN_UP` if there are too many positions, endings, waits or nodes.
    endings : array of int64, shape (endings, 3)
        Columns from `ROOT` on.
    nodes : array of int64, shape (nodes, EFFECT + 2 * classes)
        Columns from `NEXT` on.
    """

    positions: Ints
    size: int
    endings: Ints
    nodes: Ints


def plan(armed: Armed, enemy: Queue) -> Plan:
    """List the positions of a side, and the endings and nodes of its turns while it has a unit left that counts.

    Parameters
    ----------
    armed : Armed
        The side. The columns `ALIKE_TO` and `START` of its strengths are written.
    enemy : Queue
        The queue of the other side.
    """
    strengths, orders = armed.queue.strengths, armed.orders
    most = len(strengths) * (MOST_MASKS if armed.bits > 0 else 1) + 1
    positions, endings = np.empty((most + 1, 3), np.int64), np.empty((4 * most + MOST_ENDINGS, 3), np.int64)
    nodes = np.empty((MOST_NODES, EFFECT + 2 * len(orders)), np.int64)
    width = FIXED + len(armed.barrels) + len(armed.queue.units) + 2 * len(orders)
    waits = np.empty((MOST_WAITS, width), np.int64)
    _mark_alike(strengths, armed.queue.floor, enemy.strengths, enemy.floor)
    last = np.full(HASHES, GIVEN_UP, np.int64)
    size, count = _list_positions(armed, positions, endings, nodes, last, waits)
    return Plan(positions, size, endings, nodes[:count])


def _mark_alike(strengths: Ints, floor: int, others: Ints, other_floor: int) -> None:
    """Write the column `ALIKE_TO` of the strengths of a side above its floor; `others` are those of the other side."""
    alike = len(strengths) - 1
    for back in range(len(strengths) - 1 - floor):
        strength = len(strengths) - 1 - back
        reach = strengths[strength, sides.REACH]
        same = reach == strengths[alike, sides.REACH]
        for other in range(other_floor + 1, min(reach, len(others) - 1) + 1):
            same = same and (strength <= others[other, sides.REACH]) == (alike <= others[other, sides.REACH])
        if not same:
            alike = strength
        strengths[strength, sides.ALIKE_TO] = alike


def _list_positions(
    armed: Armed, positions: Ints, endings: Ints, nodes: Ints, last: Ints, waits: Ints
) -> tuple[int, int]:
    """Write positions, endings and nodes; return the number of positions, as in `Plan`, and that of nodes.

    `last` has the last node so far of each hash, all `GIVEN_UP` before; `waits` is a workspace.
    """
    queue, strengths, floor = armed.queue.units, armed.queue.strengths, armed.queue.floor
    full, most = len(strengths) - 1, len(positions) - 1
    size, ended, count = 0, 0, 0
    for back in range(full + 1):
        strength = full - back
        begin, above = size, min(strength + 1, full)
        strengths[strength, sides.START] = begin
        before = strengths[above, sides.START]
        alike = strengths[strength, sides.ALIKE_TO]
        changed = alike == strength or strengths[above, sides.DIFFERS] != 0
        left = 0
        if strength > floor and begin - before > 1:
            left = _bits_left(armed.barrels, queue, strength)
        size = _position(0, positions, begin, size) + 1
        for at in range(before, begin):
            positions[at, FALLEN] = _position(positions[at, MASK] & left, positions, begin, size)
            size = max(size, positions[at, FALLEN] + 1)
            if size >= most:
                return GIVEN_UP, count
        if strength <= floor:
            positions[begin, FIRST_ENDING] = ended
            continue
        if changed:
            mark_able(queue, strengths, armed.shots, above, strength)
        at = begin
        while at < size:
            positions[at, FIRST_ENDING] = ended
            if ended + MOST_ENDINGS > len(endings):
                return GIVEN_UP, count
            if not changed:
                ended = _copied(positions, endings, before, begin, positions[at, MASK], ended)
            if ended == positions[at, FIRST_ENDING]:
                ended, count = _unfold(armed, nodes, last, waits, endings, positions[at, MASK], alike, ended, count)
                if ended == GIVEN_UP:
                    return GIVEN_UP, count
            for ending in range(positions[at, FIRST_ENDING], ended):
                after = _position(nodes[endings[ending, ROOT], RELOADING], positions, begin, size)
                endings[ending, AFTER] = after
                size = max(size, after + 1)
                if size >= most:
                    return GIVEN_UP, count
            at += 1
    positions[size, FIRST_ENDING] = ended
    return size, count


def _bits_left(barrels: Ints, queue: Ints, strength: int) -> int:
    """Return the bits of all barrels whose units are left at a strength."""
    bits = 0
    for barrel in range(len(barrels)):
        if strength > queue[barrels[barrel, sides.OWNER], sides.BELOW]:
            bits |= barrels[barrel, sides.RELOAD] | barrels[barrel, sides.PREPARED]
    return bits


def _position(mask: int, positions: Ints, first: int, size: int) -> int:
    """Return the position whose `MASK` is `mask`, from `first` on; write it at `size` if there is none yet."""
    at = first
    while at < size and positions[at, MASK] != mask:
        at += 1
    positions[at, MASK] = mask
    return at


def _copied(positions: Ints, endings: Ints, first: int, end: int, mask: int, ended: int) -> int:
    """Copy the turns from the position with this mask among ``first .. end - 1``; return the number of endings then."""
    for position in range(first, end):
        if positions[position, MASK] == mask:
            for ending in range(positions[position, FIRST_ENDING], positions[position + 1, FIRST_ENDING]):
                endings[ended, ROOT] = endings[ending, ROOT]
                ended += 1
    return ended


def _unfold(
    armed: Armed,
    nodes: Ints,
    last: Ints,
    waits: Ints,
    endings: Ints,
    mask: int,
    alike: int,
    ended: int,
    count: int,
) -> tuple[int, int]:
    """Write the endings and the nodes of the turn from a position, behind the `ended` endings and `count` nodes so far.

    `mask` is the position's `MASK`, `alike` the strength for its nodes. The rest is as for `_list_positions`.

    Returns
    -------
    ended, count : int
        Numbers of endings and of nodes then; the first is `GIVEN_UP` if there are too many.
    """
    orders = armed.orders
    picks = FIXED + len(armed.barrels) + len(armed.queue.units)
    made = _list_waits(armed.queue.units, armed.barrels, armed.shots, orders, armed.limit, mask, waits)
    several = GIVEN_UP if made < 0 else _endings(waits, made, picks, len(orders), endings, ended)
    if several < 0 or ended + several > len(endings):
        return GIVEN_UP, count
    for ending in range(several):
        # From the last wait to the first: a strike leads to a later wait, whose node is then known.
        for back in range(made):
            at = made - 1 - back
            node = _node(orders, nodes, last, waits, at, picks, ending, endings[ended + ending, LEAVES], alike, count)
            if node + 1 == len(nodes):
                return GIVEN_UP, count
            waits[at, TURN_NODE] = node
            count = max(count, node + 1)
        endings[ended + ending, ROOT] = waits[0, TURN_NODE]
    return ended + several, count


def _list_waits(queue: Ints, barrels: Ints, shots: Ints, orders: Ints, limit: int, mask: int, waits: Ints) -> int:
    """Write all waits, the moments between two strikes, of a turn that begins with `mask`.

    Return their number, `GIVEN_UP` if there are too many.
    """
    # Where the columns of these names begin.
    spent, picks = FIXED + len(barrels), FIXED + len(barrels) + len(queue)
    then = picks + len(orders)
    for x in range(FIXED, picks):
        waits[0, x] = 0
    made, at = 1, 0
    while at < made:
        waits[at, FIRED] = _fired(barrels, waits, at, mask)
        actions = limit
        for by in range(len(queue)):
            actions -= 0 if queue[by, sides.UNIT_FREE] != 0 else waits[at, spent + by]
        for kind in range(len(orders)):
            rank = _next_rank(queue, barrels, shots, orders, kind, waits, at, actions, mask)
            waits[at, picks + kind] = rank
            if rank < 0:
                continue
            if made == len(waits):
                return GIVEN_UP
            for x in range(FIXED, picks):
                waits[made, x] = waits[at, x]
            shot = orders[kind, rank]
            barrel, prepares = shots[shot, sides.BARREL], shots[shot, sides.SHOT_STAGE] == col.PREPARES
            # To have prepared a gun counts as one attack more than it has, so that the gun can't fire any more.
            waits[made, FIXED + barrel] += (
                barrels[barrel, sides.GUN_ATTACKS] + 1 if prepares else shots[shot, sides.SHOT_TAKES]
            )
            waits[made, spent + shots[shot, sides.BY]] += shots[shot, sides.SHOT_ACTIONS]
            to = at + 1
            while not equal(waits, to, made, FIXED, picks):
                to += 1
            waits[at, then + kind] = to
            made = max(made, to + 1)
        at += 1
    return made


def _next_rank(
    queue: Ints, barrels: Ints, shots: Ints, orders: Ints, kind: int, waits: Ints, at: int, actions: int, mask: int
) -> int:
    """Return the rank of the strike that a side makes at wait `at` if the other side is of class `kind`; -1 for none.

    `actions` are left of the side's limit.
    """
    for rank in range(len(shots)):
        shot = orders[kind, rank]
        if shot < 0:
            break
        by, barrel = shots[shot, sides.BY], shots[shot, sides.BARREL]
        stage, cost = shots[shot, sides.SHOT_STAGE], shots[shot, sides.SHOT_ACTIONS]
        prepared = barrels[barrel, sides.PREPARED] & mask != 0
        if (
            shots[shot, sides.ABLE] != 0
            and barrels[barrel, sides.RELOAD] & mask == 0
            and waits[at, FIXED + barrel] + shots[shot, sides.SHOT_TAKES] <= barrels[barrel, sides.GUN_ATTACKS]
            and waits[at, FIXED + len(barrels) + by] + cost <= queue[by, sides.UNIT_POOL]
            and (queue[by, sides.UNIT_FREE] != 0 or cost <= actions)
            and not (stage == col.PREPARES and prepared)
            and not (stage == col.NEEDS_PREPARED and not prepared)
        ):
            return rank
    return -1


def _fired(barrels: Ints, waits: Ints, at: int, mask: int) -> int:
    """Return the guns that have to reload or are prepared if a turn ends at wait `at`; `mask` is as before the turn."""
    fired = 0
    for barrel in range(len(barrels)):
        prepared, times = barrels[barrel, sides.PREPARED], waits[at, FIXED + barrel]
        if times > barrels[barrel, sides.GUN_ATTACKS]:
            fired |= prepared
            continue
        fired |= mask & prepared
        if times > 0:
            fired |= barrels[barrel, sides.RELOAD]
    return fired


def _endings(waits: Ints, made: int, picks: int, classes: int, endings: Ints, ended: int) -> int:
    """Write `LEAST_ENDING` of all waits of a turn, and `LEAVES` of its endings; return the number of its endings.

    The endings are written behind the `ended` endings so far. If there are too many, the result is `GIVEN_UP`.
    """
    several = 0
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
                    return GIVEN_UP
                endings[ended + ending, LEAVES] = waits[at, FIRED]
                several = max(several, ending + 1)
            waits[at, LEAST_ENDING] = min(waits[at, LEAST_ENDING], ending)
    return several


def _node(
    orders: Ints,
    nodes: Ints,
    last: Ints,
    waits: Ints,
    at: int,
    picks: int,
    ending: int,
    mask: int,
    alike: int,
    count: int,
) -> int:
    """Return the node of wait `at` for an ending, written if it is new; `GIVEN_UP` if no turn from here has the ending.

    `ending` is the ending's strength in its turn, and `mask` its `LEAVES`. `count` is the number of nodes so far.
    """
    classes, width = len(orders), orders.shape[1] // 2
    nodes[count, ALIKE], nodes[count, RELOADING] = alike, mask
    nodes[count, TELLS] = 1 if waits[at, LEAST_ENDING] == ending else 0
    never = True
    for kind in range(classes):
        rank, effect, then = waits[at, picks + kind], ELSEWHERE, GIVEN_UP
        if rank >= 0:
            then = waits[waits[at, picks + classes + kind], TURN_NODE]
            if then != GIVEN_UP:
                effect = orders[kind, width + rank]
        elif waits[at, FIRED] == mask:
            effect = NO_MORE
        never = never and effect == ELSEWHERE
        nodes[count, EFFECT + kind], nodes[count, EFFECT + classes + kind] = effect, then
    if never:
        return GIVEN_UP
    hashed = 0
    for x in range(ALIKE, EFFECT + 2 * classes):
        hashed = (31 * hashed + nodes[count, x]) % HASHES
    node = last[hashed]
    while node != GIVEN_UP:
        if equal(nodes, node, count, ALIKE, EFFECT + 2 * classes):
            return int(node)
        node = nodes[node, NEXT]
    nodes[count, NEXT], last[hashed] = last[hashed], count
    return count
