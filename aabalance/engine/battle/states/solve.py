"""The solution of a battle by its reachable states."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from aabalance.engine import absorbing
from aabalance.engine.absorbing import Marks, Transitions, play_rounds, solve_absorbing
from aabalance.engine.arrays import Bools, Floats, Ints, Loop, Loops
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import MOST_GAINS, MOST_TOUGHNESS, Terms, full_strength
from aabalance.engine.battle.packing import STATE_BITS, Packed
from aabalance.engine.battle.policies import BEST, numbers
from aabalance.engine.battle.states import best_reply
from aabalance.engine.battle.states.encoding import BITS_AT, MOVER, OVER, Graph
from aabalance.engine.battle.states.reach import Deciders, Layout, reach
from aabalance.engine.battle.states.workspace import arena
from aabalance.engine.outcome import DRAW
from aabalance.engine.volleys import TooLarge
from aabalance.errors import counted

MOST_STATES = 1 << 20
MOST_TRANSITIONS = 1 << 24
MOST_STEPS = 1_000_000_000
"""Largest numbers for a solution: of states, of transitions between them, and of steps in which they are followed."""


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
        The optional functions that the turns of this battle need, from `aabalance.engine.battle.lanes.hooks.of_turns`.
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
            standing, _ = self._standing
            self._loops(solve_absorbing)(order, self._left, self._transitions, standing, done, ends)
        if rounds is not None:
            self._loops(play_rounds)(rounds, self._movers, 1 - first, self._transitions, ends)

    def _reply(self, first: int, known: Bools, ends: Floats) -> None:
        """Write into `ends` how a battle ends in which a side plays its best reply."""
        graph, rounds, me = self._graph, self._terms.rounds, self._terms.policies.index(BEST)
        order = np.lexsort((-graph.spent, graph.states))
        if rounds is None or self._terms.by_cost:
            # A round begins with a turn, not within one.
            known = known & ((self._movers < 0) | (graph.spent == 0))
            standing, _ = self._standing
            self._loops(best_reply.solve_best_reply)(me, graph, order, self._left, standing, known, ends)
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

    @cached_property
    def _ended(self) -> tuple[Floats, Floats]:
        """By state, how a battle ends that is over there, and who leads: above 0 for side 0, below 0 for side 1."""
        standing, counting = self._standing
        ends = np.zeros((len(self._states), absorbing.ENDS))
        ends[:, absorbing.VALUE :] = standing
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
