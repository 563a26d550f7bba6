"""Battles packed as arrays of integers, and the questions that they answer: solve, roll, gains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle import domination
from aabalance.engine.battle.columns import (
    BELOW,
    COUNTS,
    HITS,
    OBJECTIVES,
    PLACE,
    RANK,
    SIDE_UNITS,
    TOUGHNESS,
    UNITS,
    WORTH,
)
from aabalance.engine.battle.gains import gains_of
from aabalance.engine.battle.lanes.parts import of_turns
from aabalance.engine.battle.lanes.rolls import MOST_GAINS, MOST_TOUGHNESS, Rolls, rolls
from aabalance.engine.battle.ordered import tables as ordered
from aabalance.engine.battle.packing import STATE_BITS, packed
from aabalance.engine.battle.policies import BEST, FALLS, POLICIES, numbers
from aabalance.engine.battle.states import absorbing, best_reply, choices, graph
from aabalance.engine.battle.states.encoding import starting_bits
from aabalance.engine.battle.states.graph import BITS_AT, MOVER, OVER, Graph
from aabalance.engine.battle.states.turns import room_for
from aabalance.engine.battle.terms import Terms
from aabalance.engine.outcome import DRAW, BattleOutcome
from aabalance.errors import UsageError, counted
from aabalance.rulesets.base import Force, Strike

MOST_STATES = 1 << 20
MOST_WAYS = 1 << 24
MOST_WAYS_OF_A_TURN = 1 << 14
MOST_STEPS = 1_000_000_000
"""Largest numbers for an exact solution: of states, of ways between them, of ways of a single turn, and of steps in
which ways are followed."""

PLAIN_STATES, PLAIN_BATTLES = 500, 2
_plain: list[int] = []
"""Small battles that plain loops have solved in this process."""


class TooLarge(UsageError):
    """An exact solution would take too much time or memory."""


class Battle:
    """Two sides, packed.

    Parameters
    ----------
    forces : pair of Force
        Both sides.
    terms : Terms
        The conditions of the battle.
    in_order : bool
        Whether to use a known order in which units fall, if there is one. Without it the same battle has more states.

    Attributes
    ----------
    sides : pair of tuple of arrays
        The parts of each side, whose columns `aabalance.engine.battle.columns` names.
    """

    def __init__(self, forces: tuple[Force, Force], terms: Terms, *, in_order: bool = True) -> None:
        self.terms = terms
        falls = [FALLS.get(policy) if in_order else None for policy in terms.policies]
        self._packed = packed(forces, terms.limits, falls, terms.ground)
        self.sides = self._packed.sides
        self._chain: tuple[Any, int] | None = None
        self._graph: Graph | None = None

    def solve(self, first: int) -> BattleOutcome:
        """Solve the battle exactly.

        Parameters
        ----------
        first : int
            The side that moves first. In the outcome, a is side 0 in either case.

        Raises
        ------
        TooLarge
            The battle has too many states.
        UsageError
            It has too many states, and a side plays its best reply, so that it can't be rolled either.
        """
        if self._chain is None:
            self._chain = self._solved_as_chain()
        table, count = self._chain
        if count:
            return _outcome(table[-1, -1, first])
        if self._graph is None:
            self._graph = self._reached()
        reached, terms = self._graph, self.terms
        states, start, to, p = reached.states, reached.begins, reached.to, reached.p
        if not len(states) or len(to) * (terms.rounds or 0) > MOST_STEPS:
            if BEST in terms.policies:
                limit = "expected fewer units or rounds: two or three a side mostly fit"
                raise UsageError(f"battle: found too many states to solve it exactly, which {BEST!r} asks for, {limit}")
            raise TooLarge("battle: found too many states to solve it exactly, expected fewer units or rounds")
        left = states >> (self._packed.bits + BITS_AT)
        over = (states >> OVER) & 1 == 1
        if terms.ground:
            over |= _stuck(start, to)
        mover = np.where(over, -1, (states >> MOVER) & 1).astype(np.int8)
        standing, counting = self._standing(left)
        if terms.ground and terms.ground.objectives:
            row = self._dominated(reached, first, standing)
            return _outcome(row)
        worth = standing[:, :2]
        ends = np.zeros((len(states), absorbing.ENDS))
        ends[:, absorbing.VALUE :] = standing
        # A side without a unit that counts has lost; if both have one, nobody can hurt any.
        leader = np.sign(worth[:, 0] - worth[:, 1]) if terms.by_worth else np.zeros(len(states))
        leader = np.where(counting[:, 0] == counting[:, 1], leader, counting[:, 0].astype(int) - counting[:, 1])
        ends[np.arange(len(states)), np.where(leader == 0, DRAW, np.where(leader > 0, 0, 1))] = 1.0
        known = over | (
            (terms.by_worth & (leader != 0) | (not terms.by_worth)) & (mover == first) & (terms.rounds is not None)
        )
        if BEST in terms.policies:
            self._reply(reached, left, mover, first, standing, known, ends)
            return _outcome(ends[first])
        if terms.rounds is None or terms.by_worth:
            done = np.where(known, absorbing.DONE, absorbing.NEW).astype(np.int8)
            order = np.argsort(states, kind="stable")
            scratch = np.empty(len(states), dtype=np.int32), np.empty(len(states))
            self._loops(absorbing.settle)(order, left, start, to, p, standing, done, *scratch, ends)
        if terms.rounds is not None:
            self._loops(absorbing.play_rounds)(terms.rounds, mover, 1 - first, start, to, p, ends)
        return _outcome(ends[first])

    @property
    def strikes(self) -> tuple[list[Strike], list[Strike]]:
        """The strikes of both sides, in the order of the numbers that a log has."""
        return self._packed.strikes

    def gain(self, side: int, strike: int, enemy: int, aspect: int, left: int) -> Fraction:
        """Return what a strike is expected to take of an enemy's worth, per action.

        Parameters
        ----------
        side : int
            The side that strikes.
        strike, enemy : int
            Row of the strike in its side, and row of the enemy in the other side.
        aspect : int
            The strike's aspect at the enemy.
        left : int
            The toughness that the enemy has left.
        """
        made, unit = self._packed.strikes[side][strike], self.sides[1 - side][UNITS][enemy]
        actions = made.actions + sum(help_.actions for help_ in made.helps)
        effect = made.effects[enemy][aspect]
        gains = gains_of(effect, actions, int(unit[TOUGHNESS]), int(unit[WORTH]), unit)
        return next(Fraction(taken, over) for has, taken, over in gains if has == left)

    def rolls(self, first: int, *, detailed: bool = False) -> Rolls:
        """Return the battle ready to be rolled. In its tally, a is the side that moves first.

        Parameters
        ----------
        first : int
            The side that moves first.
        detailed : bool
            Whether to count what a `BattleDetail` has as well.

        Raises
        ------
        UsageError
            The battle is too large for the kernel, or a side plays its best reply.
        """
        if BEST in self.terms.policies:
            raise UsageError(f"policy: found {BEST!r} in a battle to be rolled, expected a named one")
        return rolls(self.sides, self._packed.strikes, self.terms, first, detailed=detailed)

    @property
    def solver(self) -> str:
        """The form of the exact solution and its number of states; empty before there is one."""
        if self._chain is not None and self._chain[1]:
            return f"chain, {counted(self._chain[1], 'state')}"
        if self._graph is None:
            return ""
        chains = sum(int(side[UNITS][0, BELOW]) >= 0 for side in self.sides)
        form = ("reachable states", "one side a chain", "reachable states of a chain")[chains]
        reply = "best reply, " if BEST in self.terms.policies else ""
        return f"{reply}{form}, {counted(len(self._graph.states), 'state')}"

    def _reply(self, graph: Graph, left: Any, mover: Any, first: int, standing: Any, known: Any, ends: Any) -> None:
        """Write into `ends`, by node, how the battle ends if a side plays its best reply; the rest is as in `solve`."""
        me, rounds, order = self.terms.policies.index(BEST), self.terms.rounds, np.lexsort((-graph.spent, graph.states))
        if rounds is None or self.terms.by_worth:
            # A round begins with a turn, not within one.
            known &= (mover < 0) | (graph.spent == 0)
            self._loops(best_reply.settle)(me, graph, order, left, standing, known, ends)
        if rounds is not None:
            self._loops(best_reply.play_rounds)(me, graph, rounds, order, mover, 1 - first, ends)

    def _dominated(self, graph: Any, first: int, standing: Any) -> Any:
        """Return the outcome of a battle that points decide, as a row.

        Raises
        ------
        TooLarge
            There are too many states and points.
        """
        rounds, objectives = self.terms.rounds, len(self.sides[0][OBJECTIVES])
        assert rounds is not None
        leads = 2 * rounds * objectives + 1
        if len(graph.states) * leads > MOST_WAYS or len(graph.to) * rounds * leads > MOST_STEPS:
            raise TooLarge("battle: found too many states to solve it exactly, expected fewer units or rounds")
        loop, (_, span) = self._loops(domination.play), _full(self.sides[1][UNITS])
        bits = self._packed.bits
        return domination.solve(graph, self.sides, span, bits, BITS_AT, rounds, first, standing, loop)

    @property
    def _named(self) -> list[str]:
        """The policies of the sides that have one: a side that plays its best reply has none."""
        return [policy for policy in self.terms.policies if policy != BEST]

    @cached_property
    def _loops(self) -> Callable[..., Any]:
        """The function that makes loops ready to run; the same one for each form of solution that is tried."""
        return _loops(prod(_full(side[UNITS])[1] for side in self.sides), self._named)

    def _solved_as_chain(self) -> tuple[Any, int]:
        """Return the battle's table as a chain, and its number of states; None and 0 if it is no chain."""
        below = [side[UNITS][:, BELOW] for side in self.sides]
        if any(one.min() < 0 for one in below):
            return None, 0
        orders = np.argsort(-below[0]).tolist(), np.argsort(-below[1]).tolist()
        tables, states = ordered.solve([(self._packed, orders)], self.terms, self._loops)
        return tables[0], states[0]

    def _reached(self) -> Graph:
        full, span = zip(*(_full(side[0]) for side in self.sides), strict=True)
        if (
            max(len(side[UNITS]) for side in self.sides) > SIDE_UNITS
            or (span[0] * span[1]).bit_length() + self._packed.bits + BITS_AT > STATE_BITS
            or self._packed.most_spent > 1 << STATE_BITS
            or max(int(side[RANK].max(initial=0)) for side in self.sides) > MOST_GAINS
            or max(int(side[UNITS][:, TOUGHNESS].max()) for side in self.sides) > MOST_TOUGHNESS
        ):
            nothing = np.empty(0, dtype=np.int64)
            return Graph(*[nothing] * 6)
        named = self._named
        room = room_for(self.sides, MOST_WAYS_OF_A_TURN)
        limits = MOST_STATES, MOST_WAYS
        volleys, bits = self._packed.volleys.arrays(), self._packed.bits
        policies = numbers(named * 2 if BEST in self.terms.policies else named)
        begin = starting_bits(self.sides)
        given = of_turns(self.sides)
        me, doubles = -1, np.zeros(0, dtype=np.int64)
        if BEST in self.terms.policies:
            me = self.terms.policies.index(BEST)
            doubles = choices.doubles(self.sides, me)
            given["offer"] = choices.offer
        tables = me, doubles, self.sides, self.terms.limits, policies, volleys, full, span[1], bits, begin
        # Numbers that wrap around are meant to; only the plain loops would tell.
        with np.errstate(over="ignore"):
            return Graph(*self._loops(graph.reach, **given)(*tables, *limits, room))

    def _standing(self, left: Any) -> tuple[Any, Any]:
        """Return two arrays by state: worth and number of units left of each side; whether any left of it counts."""
        _, span = _full(self.sides[1][0])
        standing, counting = np.zeros((len(left), 4)), np.zeros((len(left), 2), dtype=bool)
        for side, number in enumerate((left // span, left % span)):
            for unit in self.sides[side][0]:
                alive = number // unit[PLACE] % (unit[HITS] + 1) > 0 if unit[BELOW] < 0 else number > unit[BELOW]
                standing[:, side] += unit[WORTH] * alive
                standing[:, 2 + side] += alive
                counting[:, side] |= alive & (unit[COUNTS] != 0)
        return standing, counting


def _outcome(row: Any) -> BattleOutcome:
    """Return a row of an exact solution as an outcome. A chance is a sum, which rounding may take past 0 or 1."""
    found = BattleOutcome(*row.tolist())
    p_a, p_b, p_draw, p_both = (min(max(p, 0.0), 1.0) for p in found[:4])
    return found._replace(p_a=p_a, p_b=p_b, p_draw=p_draw, p_both=p_both)


def _stuck(first: Any, to: Any) -> Any:
    """Return by state whether a turn of each side leads back to it for certain, so that nothing will ever change."""
    alone = np.diff(first) == 1
    after = np.full(len(alone), -1)
    after[alone] = to[first[:-1][alone]]
    return alone & alone[after] & (after[after] == np.arange(len(after)))


def _loops(states: int, policies: Sequence[str]) -> Callable[..., Any]:
    """Return the function that makes loops ready to run; a few small battles are solved faster without compiling."""
    kept = all(jit.is_ours(POLICIES[name]) for name in policies)
    if states > PLAIN_STATES or (kept and len(_plain) == PLAIN_BATTLES):
        return jit.compiled
    _plain.append(states)
    return jit.plain


def _full(units: Any) -> tuple[int, int]:
    """Return the number of a side at full strength, and how many different numbers it can have."""
    hits = units[:, HITS].tolist()
    span = prod(n + 1 for n in hits) if units[0, BELOW] < 0 else sum(hits) + 1
    return span - 1, span
