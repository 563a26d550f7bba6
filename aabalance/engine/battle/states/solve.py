"""The solution of a battle by its reachable states; from `reach` on, plain loops that also compile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from aabalance.engine import absorbing, jit
from aabalance.engine.absorbing import Marks, Transitions, play_rounds, solve_absorbing
from aabalance.engine.arrays import Bools, Floats, Ints, Loop, Loops
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import MOST_GAINS, MOST_TOUGHNESS, Terms, full_strength
from aabalance.engine.battle.packing import STATE_BITS, Packed
from aabalance.engine.battle.policies import BEST, numbers
from aabalance.engine.battle.states import best_reply
from aabalance.engine.battle.states.encoding import (
    BITS_AT,
    MOVER,
    OVER,
    Arena,
    Graph,
    arena,
    find_or_insert,
    lane_in,
    tables_in,
)
from aabalance.engine.battle.states.turns import TOO_MANY, is_over, turn
from aabalance.engine.outcome import DRAW, ENDS, TURNS, VALUE
from aabalance.engine.volleys import Effects, TooLarge
from aabalance.errors import counted

MOST_STATES = 1 << 20
MOST_TRANSITIONS = 1 << 24
MOST_STEPS = 1_000_000_000
"""Largest numbers for a solution: of states, of transitions between them, and of steps in which they are followed."""
EACH_TURN = np.eye(ENDS)[TURNS]
"""What a turn adds to how a battle ends."""
FIRST_SIZE = 1 << 10
"""Size of the arrays of a graph before they grow."""

offer = jit.NO_HOOK
"""What only battles need in which a side follows no policy: `best_reply.offer`."""

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


class TooLargeToSolve(TooLarge):
    """An exact solution would take too much time or memory."""


class ByStates:
    """The reachable states of a battle.

    Parameters
    ----------
    packed : Packed
        Both sides.
    terms : Terms
        The conditions of the battle.
    loops : callable
        Makes loops ready to run.
    parts : mapping of str to callable
        The optional functions that the turns of this battle need, from `aabalance.engine.battle.policies.of_turns`.
    """

    def __init__(self, packed: Packed, terms: Terms, loops: Loops, parts: Mapping[str, Loop]) -> None:
        self._packed, self._terms, self._loops = packed, terms, loops
        self._graph = self._reached(parts)
        self._states, self._transitions = self._graph.states, self._graph.transitions

    def row(self, first: int) -> Floats:
        """Return how the battle ends, as a row of `ENDS` fields, by the side that moves first.

        Raises
        ------
        TooLargeToSolve
            The battle has too many states.
        TooLarge
            It has too many states, and a side plays its best reply, so that it can't be rolled either.
        """
        terms, steps = self._terms, len(self._transitions.indices) * (self._terms.rounds or 0)
        if not len(self._states) or steps > MOST_STEPS:
            if BEST in terms.policies:
                needed = f"which {BEST!r} needs; use fewer units or rounds: two or three a side mostly fit"
                raise TooLarge(f"battle: too large for an exact solution, {needed}")
            raise TooLargeToSolve("battle: too large for an exact solution; use fewer units, or --simulate")
        ends, lead = self._ended
        known = self._movers < 0
        if terms.rounds is not None:
            # After the last round, the battle is decided where it would be the first side's turn.
            known |= (self._movers == first) & ((lead != 0) | (not terms.by_cost))
        ends = ends.copy()
        if BEST in terms.policies:
            self._reply(first, known, ends)
        else:
            self._follow(first, known, ends)
        row: Floats = ends[first]
        return row

    @property
    def name(self) -> str:
        """The form of the solution and its number of states."""
        in_order = sum(int(side.units[0, col.BELOW]) >= 0 for side in self._packed.sides)
        form = ("reachable states", "one side a chain", "reachable states of a chain")[in_order]
        reply = "best reply, " if BEST in self._terms.policies else ""
        return f"{reply}{form}, {counted(len(self._states), 'state')}"

    def _follow(self, first: int, known: Bools, ends: Floats) -> None:
        """Write into `ends` how a battle ends in which both sides follow a policy."""
        rounds = self._terms.rounds
        if rounds is None or self._terms.by_cost:
            done = np.where(known, absorbing.DONE, absorbing.NEW).astype(np.int8)
            order = np.argsort(self._states, kind="stable")
            self._loops(solve_absorbing)(
                order, self._left, self._transitions, EACH_TURN, self._never_ending, done, ends
            )
        if rounds is not None:
            self._loops(play_rounds)(rounds, self._movers, 1 - first, self._transitions, EACH_TURN, ends)

    def _reply(self, first: int, known: Bools, ends: Floats) -> None:
        """Write into `ends` how a battle ends in which a side plays its best reply."""
        graph, rounds, me = self._graph, self._terms.rounds, self._terms.policies.index(BEST)
        order = np.lexsort((-graph.spent, graph.states))
        if rounds is None or self._terms.by_cost:
            # A round begins with a turn, not within one.
            known = known & ((self._movers < 0) | (graph.spent == 0))
            self._loops(best_reply.solve_best_reply)(me, graph, order, self._left, self._never_ending, known, ends)
        if rounds is not None:
            self._loops(best_reply.play_best_rounds)(me, graph, rounds, order, self._movers, 1 - first, ends)

    @cached_property
    def _left(self) -> Ints:
        """The number of what both sides have left, by state."""
        return self._states >> (self._packed.bits + BITS_AT)

    @cached_property
    def _movers(self) -> Marks:
        """The side whose turn it is, by state; -1 where the battle is over."""
        over = (self._states >> OVER) & 1 == 1
        return np.where(over, -1, (self._states >> MOVER) & 1).astype(np.int8)

    @cached_property
    def _standing(self) -> tuple[Floats, Bools]:
        """By state: cost and number of the units left of each side; whether any left of it counts."""
        _, span = full_strength(self._packed.sides[1].units)
        standing, counting = np.zeros((len(self._left), 4)), np.zeros((len(self._left), 2), dtype=bool)
        for side, number in enumerate((self._left // span, self._left % span)):
            for unit in self._packed.sides[side].units:
                alive = (
                    number // unit[col.PLACE] % (unit[col.HITS] + 1) > 0
                    if unit[col.BELOW] < 0
                    else number > unit[col.BELOW]
                )
                standing[:, side] += unit[col.COST] * alive
                standing[:, 2 + side] += alive
                counting[:, side] |= alive & (unit[col.COUNTS] != 0)
        return standing, counting

    @property
    def _never_ending(self) -> Floats:
        """By state, how a battle ends that stays there for ever: as a draw, with infinitely many turns."""
        standing, _ = self._standing
        ends = np.zeros((len(standing), ENDS))
        ends[:, DRAW], ends[:, TURNS], ends[:, VALUE:] = 1.0, np.inf, standing
        return ends

    @cached_property
    def _ended(self) -> tuple[Floats, Floats]:
        """By state, how a battle ends that is over there, and who leads: above 0 for side 0, below 0 for side 1."""
        standing, counting = self._standing
        ends = np.zeros((len(self._states), ENDS))
        ends[:, VALUE:] = standing
        # A side without a unit that counts has lost; if both have one, nobody can hurt any.
        lead: Floats = np.sign(standing[:, 0] - standing[:, 1]) if self._terms.by_cost else np.zeros(len(ends))
        lead = np.where(counting[:, 0] == counting[:, 1], lead, counting[:, 0].astype(int) - counting[:, 1])
        ends[np.arange(len(ends)), np.where(lead == 0, DRAW, np.where(lead > 0, 0, 1))] = 1.0
        return ends, lead

    def _reached(self, parts: Mapping[str, Loop]) -> Graph:
        """Return the graph; without states if the battle is too large."""
        packed, terms = self._packed, self._terms
        sides = packed.sides
        strengths, (span_0, span_1) = zip(*(full_strength(side.units) for side in sides), strict=True)
        if (
            max(len(side.units) for side in sides) > col.SIDE_UNITS
            or (span_0 * span_1).bit_length() + packed.bits + BITS_AT > STATE_BITS
            or packed.most_spent > 1 << STATE_BITS
            or max(int(side.rank.max(initial=0)) for side in sides) > MOST_GAINS
            or max(int(side.units[:, col.TOUGHNESS].max()) for side in sides) > MOST_TOUGHNESS
            or (record := arena(sides)) is None
        ):
            nothing = np.empty(0, dtype=np.int64)
            return Graph(nothing, nothing, nothing, Transitions(nothing, nothing.astype(np.int32), np.empty(0)))
        named, given = [policy for policy in terms.policies if policy != BEST], dict(parts)
        me, first_spots = -1, np.zeros(0, dtype=np.int64)
        if BEST in terms.policies:
            me = terms.policies.index(BEST)
            first_spots = best_reply.doubles(sides, me)
            given["offer"] = best_reply.offer
        first, second = numbers(named * 2 if BEST in terms.policies else named)
        rules = Deciders(terms.limits, (first, second), me, first_spots)
        layout = Layout(strengths, span_1, packed.bits)
        loop = self._loops(reach, **given)
        # Numbers that wrap around are meant to; only the plain loops would tell.
        with np.errstate(over="ignore"):
            found: Graph = loop(record, rules, packed.volleys.arrays(), layout, MOST_STATES, MOST_TRANSITIONS)
        return found


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
