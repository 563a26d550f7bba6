"""Turns of a chain: what a side does in its turn, by what both sides have left, without the chances.

What a side may do depends on its position: what it has left, and which of its guns have to reload or are prepared. From
there, the strikes of a turn lead from node to node; which strike is next depends on the class of the number of what the
other side has left. Nodes from which the same strikes lead to the same nodes are one node, so that what equal units do
is worked out once. If the dice decide which guns have to reload or are prepared after a turn, the turn has several
endings, one for each set of guns, and nodes of its own for each ending. All functions are plain loops that also
compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.columns import ACTIONS, ATTACKS, FREE, GUN, NEEDS_PREPARED, POOL, PREPARES, STAGE, TAKES
from aabalance.engine.battle.ordered.queue import (
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

U = np.uint64
"""For indices, which are never negative: an index that may be negative counts from the end, and each use would have to
look whether it is."""
FIRST_ENDING, FALLEN, MASK = range(3)
"""Columns of positions: the index of the first ending of the position's turn; the position with the next lower number;
and the guns that have to reload or are prepared, as the sum of their bits in `RELOAD` and `PREPARED`."""
ROOT, AFTER, LEAVES = range(3)
"""Columns of endings: the node at which a turn with this ending begins; the position after it; and the guns that have
to reload or are prepared after it, as in `MASK`."""
ALIKE, RELOADING, TELLS, EFFECT = range(4)
"""Columns of nodes, each of which belongs to turns with one ending:

- `ALIKE`: a number of the side which stands for all at which battles are over at the same numbers of the other side;
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
  place of the next strike in its order (-1 for none), and, by class, the wait after this strike."""
GIVEN_UP = -1
"""In place of a node or a number: there is none."""
MOST_MASKS, MOST_WAITS, MOST_ENDINGS, MOST_NODES, MOST_CELLS = 1 << 8, 1 << 12, 1 << 10, 1 << 15, 1 << 24
"""Largest numbers for a solution as a chain: of positions with one number, of waits of a turn, of its endings, of nodes
of all turns, and of chances of what they lead to."""


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
    """List the positions of a side, and the endings and nodes of its turns while it has a unit left that counts.

    Parameters
    ----------
    side : tuple of arrays
        The side's units, guns, strikes, line, numbers, barrels, shots and orders, as
        `queue.mark_reach` leaves them. The column `START` of its numbers is written.
    others : array of int64, shape (numbers, columns)
        The numbers of the other side.
    limit : int
        The side's limit of actions in a turn.
    floors : (int, int)
        The largest numbers at which the side, and the other side, have no unit left that counts.
    spots, endings, nodes : arrays of int64
        Take the positions, with a row behind the last that says where the endings end; the endings; and the nodes.
    waits : array of int64
        Scratch for the waits of a turn.

    Returns
    -------
    size : int
        Number of positions; `GIVEN_UP` if there are too many positions, endings, waits or nodes.
    count : int
        Number of nodes.
    """
    units, _, strikes, line, numbers, barrels, shots, _ = side
    floor_own, floor_other = floors
    full, most = len(numbers) - 1, len(spots) - 1
    # With a plain 0 these would have two types, and everything they are handed to would be compiled twice.
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
    """Return the position whose `MASK` is `reloading`, from `first` on; write it at `size` if there is none yet."""
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
    """Write the endings and the nodes of the turn from a position, behind the `ended` endings and `count` nodes so far.

    `mask` is the position's `MASK`, `alike` the number for its nodes. The rest is as for `positions`.

    Returns
    -------
    ended, count : int
        Numbers of endings and of nodes then; the first is `GIVEN_UP` if there are too many.
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
                    # To have prepared a gun counts as one attack more than it has.
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
        # From the last wait to the first: a strike leads to a later wait, whose node is then known.
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
    """Return the guns that have to reload or are prepared if a turn ends at wait `at`; `mask` is as before the turn."""
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
    """Write `LEAST_ENDING` of all waits of a turn, and `LEAVES` of its endings; return the number of its endings.

    The endings are written behind the `ended` endings so far. If there are too many, the result is `GIVEN_UP`.
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
    """Return the node of wait `at` for an ending, written if it is new; `GIVEN_UP` if no turn from here has the ending.

    `ending` is the ending's number in its turn, and `mask` its `LEAVES`. `count` is the number of nodes so far.
    """
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
