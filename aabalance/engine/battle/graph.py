"""Every state of a battle that can be reached, and what leads where: the graph that `exact` solves.

Plain loops that also compile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aabalance.engine.battle.turns import TOO_MANY, is_over, place, turn

OVER, MOVER = 1, 0
"""Low bits of a state: whether the battle is over, and whose turn it is."""
BITS_AT = 2
FIRST_ROOM = 1 << 10


class Graph(NamedTuple):
    """States in the order in which they were found, the first two at full strength: side 0 to move, and side 1.

    Attributes
    ----------
    states : array of int64, shape (n,)
        Numbers of both sides as one, then the bits of guns and places, then `OVER` and `MOVER`.
    first : array of int64, shape (n + 1,)
        Where each state's ways to go on begin.
    to : array of int32
    p : array of float
    """

    states: Any
    first: Any
    to: Any
    p: Any


def reach(
    sides: Any,
    limits: Any,
    policies: Any,
    outcomes: Any,
    full: Any,
    span: Any,
    bits: Any,
    begin: Any,
    most_states: Any,
    most_ways: Any,
    room: Any,
) -> Any:
    """Find all states that can be reached from full strength.

    Parameters
    ----------
    sides, limits, policies, outcomes, room
        As for `turn`, limits and numbers of policies of both sides.
    full : tuple of int
        Numbers of both sides at full strength.
    span : int
        Numbers of side 1 that there are.
    bits : int
        Of guns and places.
    begin : int
        Those of the state in which the battle begins.
    most_states, most_ways : int
        Where to give up; of all states together.

    Returns
    -------
    states, first, to, p : arrays
        As in `Graph`; without states if there are too many.
    count : int
        States found until then.
    """
    states, to, p = np.empty(FIRST_ROOM, np.int64), np.empty(FIRST_ROOM, np.int32), np.empty(FIRST_ROOM)
    first = np.zeros(FIRST_ROOM + 1, np.int64)
    slots = np.full(4 * FIRST_ROOM, -1, np.int64)
    left_to, after_to, p_to = room[-3], room[-2], room[-1]
    ended = 1 if is_over(sides, full, room) else 0
    for side in range(2):
        states[side] = ((full[0] * span + full[1]) << bits + BITS_AT) | begin << BITS_AT | (ended << OVER) | side
        place(slots, 0, 0, side, states, states, states[side], states[side])
    count, ways = 2, 0
    at = 0
    while at < count:
        state = states[at]
        first[at] = ways
        if (state >> OVER) & 1 == 0:
            side = (state >> MOVER) & 1
            left = state >> (bits + BITS_AT)
            now = left, span, (state >> BITS_AT) & ((1 << bits) - 1)
            found = turn(side, sides, limits[side], policies[side], outcomes, now, room)
            if found == TOO_MANY or count + found > most_states or ways + found > most_ways:
                return states[:0], first[:0], to[:0], p[:0], count
            while ways + found > len(to):
                to, p = np.append(to, to), np.append(p, p)
            while count + found > len(states):
                states, first = np.append(states, states), np.append(first, first)
                slots = np.full(4 * len(states), -1, np.int64)
                for n in range(count):
                    place(slots, 0, 0, n, states, states, states[n], states[n])
            for way in range(found):
                after = after_to[way]
                bound = left_to[way] << bits + BITS_AT
                if after & 1:
                    bound |= 1 << OVER
                else:
                    bound |= after >> 1 << BITS_AT | (1 - side)
                node = place(slots, 0, 0, count, states, states, bound, bound)
                if node == count:
                    states[node] = bound
                    count += 1
                to[ways], p[ways] = node, p_to[way]
                ways += 1
        at += 1
    first[count] = ways
    return states[:count], first[: count + 1], to[:ways], p[:ways], count
