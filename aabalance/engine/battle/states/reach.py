"""The search for the states of a battle and the transitions between them: plain loops that also compile."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from aabalance.engine import jit
from aabalance.engine.absorbing import Transitions
from aabalance.engine.arrays import Ints
from aabalance.engine.battle.states.encoding import BITS_AT, MOVER, OVER, Graph, find_or_insert
from aabalance.engine.battle.states.turns import TOO_MANY, is_over, turn
from aabalance.engine.battle.states.workspace import Arena, lane_in, tables_in
from aabalance.engine.volleys import Effects

FIRST_SIZE = 1 << 10
"""Size of the arrays of a graph before they grow."""

AnyArray = TypeVar("AnyArray", bound=npt.NDArray[np.generic])


class Deciders(NamedTuple):
    """Who may do what in a turn.

    Attributes
    ----------
    limits : (int, int)
        Limit of actions of each side in a turn.
    policies : (int, int)
        Numbers of the policies of both sides, from `aabalance.engine.battle.policies.numbers`.
    me : int
        The side that chooses and follows no policy; -1 if both sides follow one.
    doubles : array of int64, shape (units,)
        From `best_reply.doubles`, for that side.
    """

    limits: tuple[int, int]
    policies: tuple[int, int]
    me: int
    doubles: Ints


class Layout(NamedTuple):
    """How the states of a battle are numbered.

    Attributes
    ----------
    full : (int, int)
        Numbers of both sides at full strength.
    span : int
        How many different numbers side 1 can have.
    bits : int
        How many bits of guns there are.
    """

    full: tuple[int, int]
    span: int
    bits: int


offer = jit.NO_HOOK
"""What only battles need in which a side follows no policy: `best_reply.offer`."""


def reach(record: Arena, rules: Deciders, effects: Effects, layout: Layout, most_states: int, most_ways: int) -> Graph:
    """Find all states that can be reached from full strength.

    Parameters
    ----------
    record : Arena
        The arrays of the battle.
    effects
        As for `turn`.
    rules : Deciders
        Who may do what.
    layout : Layout
        How states are numbered.
    most_states, most_ways : int
        Largest number of states, and of transitions.

    Returns
    -------
    Graph
        Without states if there are too many.
    """
    sides = tables_in(record, 0), tables_in(record, 1)
    lane = lane_in(record, sides)
    span, bits, me = layout.span, layout.bits, rules.me
    states, spent = np.empty(FIRST_SIZE, np.int64), np.zeros(FIRST_SIZE, np.int64)
    choices, indptr = np.zeros(FIRST_SIZE + 1, np.int64), np.zeros(FIRST_SIZE + 1, np.int64)
    indices, probability = np.empty(FIRST_SIZE, np.int32), np.empty(FIRST_SIZE)
    slots = np.full(4 * FIRST_SIZE, -1, np.int64)
    left_to, after_to, p_to, begins = record.left_to, record.after_to, record.p_to, record.begins
    ended = 1 if is_over(sides, layout.full, lane) else 0
    for side in range(2):
        left = layout.full[0] * span + layout.full[1]
        states[side] = left << bits + BITS_AT | ended << OVER | side
        find_or_insert(slots, 0, 0, side, states, spent, states[side], 0)
    at, count, made, ways = 0, 2, 0, 0
    while at < count:
        state = states[at]
        choices[at] = made
        at += 1
        if (state >> OVER) & 1 != 0:
            continue
        side = (state >> MOVER) & 1
        now = state >> (bits + BITS_AT), span, (state >> BITS_AT) & ((1 << bits) - 1)
        if offer is not None and side == me:
            used = spent[at - 1]
            offers = offer(side, sides, rules.limits[side], effects, now, used, rules.doubles, record, lane)
            ways_on = offers if offers == TOO_MANY else begins[offers]
        else:
            offers, ways_on = 1, turn(side, sides, rules.limits[side], rules.policies[side], effects, now, record, lane)
            begins[0] = 0
        if ways_on == TOO_MANY or count + ways_on > most_states or ways + ways_on > most_ways:
            count, made, ways = 0, 0, 0
            break
        indices, probability = _grown(indices, ways + ways_on), _grown(probability, ways + ways_on)
        indptr = _grown(indptr, made + offers + 1)
        if count + ways_on > len(states):
            states, spent = _grown(states, count + ways_on), _grown(spent, count + ways_on)
            choices, slots = _grown(choices, len(states) + 1), _rehashed(states, spent, count)
        for each in range(offers):
            indptr[made + each] = ways + begins[each]
        made += offers
        for way in range(ways_on):
            used = record.spent_to[way] if side == me else 0
            key = left_to[way] << bits + BITS_AT | _low_bits(after_to[way], used, side)
            node = find_or_insert(slots, 0, 0, count, states, spent, key, used)
            if node == count:
                states[node], spent[node] = key, used
                count += 1
            indices[ways], probability[ways] = node, p_to[way]
            ways += 1
    choices[count] = made
    indptr[made] = ways
    by_choice = Transitions(indptr[: made + 1], indices[:ways], probability[:ways])
    return Graph(states[:count], spent[:count], choices[: count + 1], by_choice)


def _low_bits(after: int, used: int, side: int) -> int:
    """Return the bits of a state below those of what is left, after a turn, or within one if `used` is above 0."""
    if after & 1:
        return 1 << OVER
    return after >> 1 << BITS_AT | (side if used > 0 else 1 - side)


def _grown(row: AnyArray, size: int) -> AnyArray:
    """Return an array at least so long, which begins with another one."""
    while len(row) < size:
        row = np.concatenate((row, row))  # type: ignore[assignment]
    return row


def _rehashed(states: Ints, spent: Ints, count: int) -> Ints:
    """Return slots for `find_or_insert` that fit these states, with the first `count` of them inserted."""
    slots = np.full(4 * len(states), -1, np.int64)
    for node in range(count):
        find_or_insert(slots, 0, 0, node, states, spent, states[node], spent[node])
    return slots
