"""Battles packed: both sides as arrays of integers, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle import exact, graph, kernel
from aabalance.engine.battle.graph import BITS_AT, MOVER, OVER, Graph
from aabalance.engine.battle.lanes import (
    BELOW,
    COUNTS,
    HITS,
    PLACE,
    RANK,
    TOUGHNESS,
    UNITS,
    WORTH,
)
from aabalance.engine.battle.packing import STATE_BITS, gains_of, packed
from aabalance.engine.battle.policies import FALLS, POLICIES, by_number, numbers
from aabalance.engine.battle.rolls import MOST_GAINS, Rolls, rolls
from aabalance.engine.battle.turns import room_for
from aabalance.engine.outcome import DRAW, BattleOutcome
from aabalance.errors import UsageError, counted
from aabalance.rulesets.base import Fighter, Force, Strike

MOST_STATES = 1 << 20
MOST_WAYS = 1 << 24
MOST_WAYS_OF_A_TURN = 1 << 14
MOST_STEPS = 1_000_000_000
"""Where the exact solver gives up: states, what leads from one to another, and how often that is gone through."""

PLAIN_STATES, PLAIN_BATTLES = 500, 2
_plain: list[int] = []
"""Small battles that plain loops solved in this process; any number with policies of which no compiled code is kept."""

SIDES = (0, 1)

Kinds = list[tuple[Fighter, list[int]]]
"""The different units of a side, each with the places at which it stands in the list."""


class TooLarge(UsageError):
    """There is no time or room for an exact solution."""


class Terms(NamedTuple):
    """How a battle is fought, besides who fights it.

    Attributes
    ----------
    limits : (int, int)
        Actions of either side in a turn.
    policies : (str, str)
        Names of `aabalance.engine.battle.policies.POLICIES`.
    rounds : int or None
        Turns of each side.
    by_worth : bool
        After them the side with more worth left wins, and equals play on a round at a time; else it is a draw. The same
        if nobody can hurt a unit that counts, but then equals are a draw.
    """

    limits: tuple[int, int]
    policies: tuple[str, str]
    rounds: int | None = None
    by_worth: bool = False


class Battle:
    """Two sides, packed.

    Parameters
    ----------
    forces : pair of Force
    terms : Terms
    in_order : bool
        Make use of it where units fall in a known order; without, there are more numbers, of the same battle.

    Attributes
    ----------
    sides : pair of tuple of arrays
        Of each side: its parts, whose columns `aabalance.engine.battle.lanes` names.
    """

    def __init__(self, forces: tuple[Force, Force], terms: Terms, *, in_order: bool = True) -> None:
        self.terms = terms
        falls = [FALLS.get(policy) if in_order else None for policy in terms.policies]
        self._packed = packed(forces, terms.limits, falls)
        self.sides = self._packed.sides
        self._graph: Graph | None = None
        self._loops: Callable[..., Any] = jit.compiled

    def solve(self, first: int) -> BattleOutcome:
        """Solve the battle exactly.

        Parameters
        ----------
        first : int
            The side that moves first; side 0 is a either way.

        Raises
        ------
        TooLarge
            It has too many states.
        """
        if self._graph is None:
            self._graph = self._reached()
        states, start, to, p = self._graph
        terms = self.terms
        if not len(states) or len(to) * (terms.rounds or 0) > MOST_STEPS:
            raise TooLarge("battle: found too many states to solve it exactly, expected fewer units or rounds")
        left = states >> (self._packed.bits + BITS_AT)
        over = (states >> OVER) & 1 == 1
        mover = np.where(over, -1, (states >> MOVER) & 1).astype(np.int8)
        standing, counting = self._standing(left)
        worth = standing[:, :2]
        ends = np.zeros((len(states), exact.ENDS))
        ends[:, exact.VALUE :] = standing
        # A side without a unit that counts has lost; if both have one, nobody can hurt any.
        leader = np.sign(worth[:, 0] - worth[:, 1]) if terms.by_worth else np.zeros(len(states))
        leader = np.where(counting[:, 0] == counting[:, 1], leader, counting[:, 0].astype(int) - counting[:, 1])
        ends[np.arange(len(states)), np.where(leader == 0, DRAW, np.where(leader > 0, 0, 1))] = 1.0
        known = over | (
            (terms.by_worth & (leader != 0) | (not terms.by_worth)) & (mover == first) & (terms.rounds is not None)
        )
        if terms.rounds is None or terms.by_worth:
            done = np.where(known, exact.DONE, exact.NEW).astype(np.int8)
            order = np.argsort(states, kind="stable")
            scratch = np.empty(len(states), dtype=np.int32), np.empty(len(states))
            self._loops(exact.settle)(order, left, start, to, p, standing, done, *scratch, ends)
        if terms.rounds is not None:
            self._loops(exact.play_rounds)(terms.rounds, mover, 1 - first, start, to, p, ends)
        return BattleOutcome(*ends[first].tolist())

    @property
    def strikes(self) -> tuple[list[Strike], list[Strike]]:
        """The strikes of either side that a log numbers."""
        return self._packed.strikes

    def gain(self, side: int, strike: int, enemy: int, left: int) -> Fraction:
        """Return what a strike is expected to take of an enemy's worth, per action, by what that has left."""
        made, unit = self._packed.strikes[side][strike], self.sides[1 - side][UNITS][enemy]
        actions = made.actions + sum(help_.actions for help_ in made.helps)
        return dict(gains_of(made.effects[enemy], actions, int(unit[TOUGHNESS]), int(unit[WORTH]), unit))[left]

    def rolls(self, first: int, *, detailed: bool = False) -> Rolls:
        """Return the battle ready to be rolled; in its tally the side that moves first is a.

        If it is to be `detailed`, its counts are those of a `BattleDetail`.

        Raises
        ------
        UsageError
            The kernel has no room for it.
        """
        return rolls(self.sides, self._packed.strikes, self.terms, first, detailed=detailed)

    @property
    def solver(self) -> str:
        """The form of the exact solution, once there is one."""
        if self._graph is None:
            return ""
        chains = sum(int(side[0][0, BELOW]) >= 0 for side in self.sides)
        form = ("reachable states", "one side a chain", "chain")[chains]
        return f"{form}, {counted(len(self._graph.states), 'state')}"

    def _reached(self) -> Graph:
        full, span = zip(*(_full(side[0]) for side in self.sides), strict=True)
        if (
            max(len(side[UNITS]) for side in self.sides) > kernel.SIDE_UNITS
            or (span[0] * span[1]).bit_length() + self._packed.bits + BITS_AT > STATE_BITS
            or self._packed.most_spent > 1 << STATE_BITS
            or max(int(side[RANK].max(initial=0)) for side in self.sides) > MOST_GAINS
        ):
            nothing = np.empty(0, dtype=np.int64)
            return Graph(nothing, nothing, nothing, nothing)
        self._loops = _loops(span[0] * span[1], self.terms.policies)
        reach = self._loops(graph.reach, **by_number())
        room = room_for(self.sides, MOST_WAYS_OF_A_TURN)
        limits = MOST_STATES, MOST_WAYS
        volleys, bits = self._packed.volleys.arrays(), self._packed.bits
        policies = numbers(self.terms.policies)
        # Numbers that wrap around are meant to; only the plain loops would tell.
        with np.errstate(over="ignore"):
            found = reach(self.sides, self.terms.limits, policies, volleys, full, span[1], bits, *limits, room)
        return Graph(*found[:4])

    def _standing(self, left: Any) -> tuple[Any, Any]:
        """Return by state what is left of both sides, worth and then units, and by side whether one that counts is."""
        _, span = _full(self.sides[1][0])
        standing, counting = np.zeros((len(left), 4)), np.zeros((len(left), 2), dtype=bool)
        for side, number in enumerate((left // span, left % span)):
            for unit in self.sides[side][0]:
                alive = number // unit[PLACE] % (unit[HITS] + 1) > 0 if unit[BELOW] < 0 else number > unit[BELOW]
                standing[:, side] += unit[WORTH] * alive
                standing[:, 2 + side] += alive
                counting[:, side] |= alive & (unit[COUNTS] != 0)
        return standing, counting


def _loops(states: int, policies: Sequence[str]) -> Callable[..., Any]:
    """Return what makes loops ready to be run: the first small battles are solved before loops could be compiled."""
    kept = all(jit.is_ours(POLICIES[name]) for name in policies)
    if states > PLAIN_STATES or (kept and len(_plain) == PLAIN_BATTLES):
        return jit.compiled
    _plain.append(states)
    return jit.plain


def _full(units: Any) -> tuple[int, int]:
    """Return a side's number at full strength, and how many numbers it has."""
    hits = units[:, HITS].tolist()
    span = prod(n + 1 for n in hits) if units[0, BELOW] < 0 else sum(hits) + 1
    return span - 1, span
