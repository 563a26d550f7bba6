"""Every state of a battle that can be reached, and the ways between them: the graph that `absorbing` and `best_reply`
solve.

A state has one choice if the side to move follows a policy. If it follows none, the state has a choice for each strike
that is ready, and one more to stop; then states also differ by what the side has spent of its turn. Plain loops that
also compile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.states.encoding import place
from aabalance.engine.battle.states.turns import TOO_MANY, is_over, turn

OVER, MOVER = 1, 0
"""Low bits of a state: whether the battle is over, and whose turn it is."""
BITS_AT = 2
FIRST_ROOM = 1 << 10


class Graph(NamedTuple):
    """States in the order in which they were reached; the first two are at full strength, side 0 to move and side 1.

    Attributes
    ----------
    states : array of int64, shape (n,)
        Each is a number: that of what is left of both sides, then the bits of guns and places, then the bits `OVER` and
        `MOVER`. Within a turn, the bits of guns and places stay as they were at its beginning.
    spent : array of int64, shape (n,)
        The number of what was fired and spent in the turn; 0 at its beginning.
    choices : array of int64, shape (n + 1,)
        Index at which each state's choices begin.
    first : array of int64, shape (choices + 1,)
        Index at which the ways of each choice begin.
    to : array of int32
        By way, the state to which it leads.
    p : array of float
        By way, its chance.
    """

    states: Any
    spent: Any
    choices: Any
    first: Any
    to: Any
    p: Any

    @property
    def begins(self) -> Any:
        """Index at which the ways of each state begin, those of all its choices together; shape (n + 1,)."""
        return self.first[self.choices]


offer = jit.LEFT_OUT
"""What only battles need in which a side follows no policy: `choices.offer`."""


def reach(
    me: Any,
    doubles: Any,
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
    me : int
        The side that chooses and has no policy; -1 if both sides have one.
    doubles : array of int64, shape (units,)
        From `choices.doubles`, for that side.
    sides, limits, policies, outcomes, room
        As for `turn`, with the limits and the numbers of the policies of both sides.
    full : tuple of int
        Numbers of both sides at full strength.
    span : int
        How many different numbers side 1 can have.
    bits : int
        How many bits of guns and places there are.
    begin : int
        The bits of guns and places at the start of the battle.
    most_states, most_ways : int
        Largest number of states, and of ways of all states together.

    Returns
    -------
    states, spent, choices, first, to, p : arrays
        As in `Graph`; without states if there are too many.
    """
    states, spent = np.empty(FIRST_ROOM, np.int64), np.zeros(FIRST_ROOM, np.int64)
    choices, first = np.zeros(FIRST_ROOM + 1, np.int64), np.zeros(FIRST_ROOM + 1, np.int64)
    to, p = np.empty(FIRST_ROOM, np.int32), np.empty(FIRST_ROOM)
    slots = np.full(4 * FIRST_ROOM, -1, np.int64)
    left_to, after_to, p_to = room[-3], room[-2], room[-1]
    spent_to, begins = np.zeros(len(p_to), np.int64), np.zeros(len(p_to) + 1, np.int64)
    ended = 1 if is_over(sides, full, room) else 0
    for side in range(2):
        states[side] = ((full[0] * span + full[1]) << bits + BITS_AT) | begin << BITS_AT | (ended << OVER) | side
        place(slots, 0, 0, side, states, spent, states[side], 0)
    count, made, ways = 2, 0, 0
    at = 0
    while at < count:
        state = states[at]
        choices[at] = made
        if (state >> OVER) & 1 == 0:
            side = (state >> MOVER) & 1
            left = state >> (bits + BITS_AT)
            now = left, span, (state >> BITS_AT) & ((1 << bits) - 1)
            if offer is not None and side == me:
                offers = offer(side, sides, limits[side], outcomes, now, spent[at], doubles, room, spent_to, begins)
                ways_on = offers if offers == TOO_MANY else begins[offers]
            else:
                offers, ways_on = 1, turn(side, sides, limits[side], policies[side], outcomes, now, room)
                begins[0] = 0
            if ways_on == TOO_MANY or count + ways_on > most_states or ways + ways_on > most_ways:
                return states[:0], spent[:0], choices[:0], first[:0], to[:0], p[:0]
            while ways + ways_on > len(to):
                to, p = np.append(to, to), np.append(p, p)
            while made + offers >= len(first):
                first = np.append(first, first)
            while count + ways_on > len(states):
                states, spent, choices = np.append(states, states), np.append(spent, spent), np.append(choices, choices)
                slots = np.full(4 * len(states), -1, np.int64)
                for n in range(count):
                    place(slots, 0, 0, n, states, spent, states[n], spent[n])
            for each in range(offers):
                first[made + each] = ways + begins[each]
            made += offers
            for way in range(ways_on):
                after, used = after_to[way], spent_to[way] if side == me else 0
                bound = left_to[way] << bits + BITS_AT
                if after & 1:
                    bound |= 1 << OVER
                else:
                    bound |= after >> 1 << BITS_AT | (side if used > 0 else 1 - side)
                node = place(slots, 0, 0, count, states, spent, bound, used)
                if node == count:
                    states[node], spent[node] = bound, used
                    count += 1
                to[ways], p[ways] = node, p_to[way]
                ways += 1
        at += 1
    choices[count] = made
    first[made] = ways
    return states[:count], spent[:count], choices[: count + 1], first[: made + 1], to[:ways], p[:ways]
