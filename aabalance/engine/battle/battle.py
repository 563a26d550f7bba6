"""A battle of two lists: it is packed, and then solved exactly or made ready to be rolled, as every kind of fight."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Protocol

from aabalance.engine import jit
from aabalance.engine.arrays import Floats, Loops
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import Terms, full_strength
from aabalance.engine.battle.lanes.rolls import Rolls, rolls
from aabalance.engine.battle.ordered.solve import Ordered
from aabalance.engine.battle.packing import gains_of, packed
from aabalance.engine.battle.policies import BEST, FALLS, POLICIES, of_turns
from aabalance.engine.battle.states.solve import ByStates
from aabalance.engine.outcome import BattleOutcome
from aabalance.errors import UsageError
from aabalance.rulesets.base import Force, Strike

PLAIN_STATES, PLAIN_BATTLES = 500, 2
_plain: list[int] = []
"""Small battles that plain loops have solved in this process."""


class Solver(Protocol):
    """An exact solution of a battle."""

    @property
    def name(self) -> str:
        """The form of the solution and its number of states."""

    def row(self, first: int) -> Floats:
        """Return how the battle ends if this side moves first: the fields of a `BattleOutcome`."""


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
    sides : pair of Side
        Both sides as arrays of integers.
    """

    def __init__(self, forces: tuple[Force, Force], terms: Terms, *, in_order: bool = True) -> None:
        self.terms = terms
        falls = [FALLS.get(policy) if in_order else None for policy in terms.policies]
        self._packed = packed(forces, terms.limits, falls)
        self.sides = self._packed.sides

    def solve(self, first: int) -> BattleOutcome:
        """Solve the battle exactly.

        Parameters
        ----------
        first : int
            The side that moves first. In the outcome, a is side 0 in either case.

        Raises
        ------
        TooLargeToSolve
            The battle has too many states.
        TooLarge
            It has too many states, and a side plays its best reply, so that it can't be rolled either.
        """
        found = BattleOutcome(*self._solver.row(first).tolist())
        # A chance is a sum, which rounding may take past 0 or 1.
        p_a, p_b, p_draw, p_both = (min(max(p, 0.0), 1.0) for p in found[:4])
        return found._replace(p_a=p_a, p_b=p_b, p_draw=p_draw, p_both=p_both)

    @cached_property
    def _solver(self) -> Solver:
        """The solver of this battle: by the order in which units fall if `ordered` can, else by its states."""
        policies = [policy for policy in self.terms.policies if policy != BEST]
        loops = _loops(prod(full_strength(side.units)[1] for side in self.sides), policies)
        if all((side.units[:, col.BELOW] >= 0).all() for side in self.sides):
            ordered = Ordered(self._packed, self.terms, loops)
            if ordered.states:
                return ordered
        return ByStates(self._packed, self.terms, loops, of_turns(self.sides))

    @property
    def solver(self) -> str:
        """The form of the exact solution and its number of states; empty before there is one."""
        return self._solver.name if "_solver" in self.__dict__ else ""

    @property
    def strikes(self) -> tuple[list[Strike], list[Strike]]:
        """The strikes of both sides, in the order of the numbers that a log has."""
        return self._packed.strikes

    def gain(self, side: int, strike: int, enemy: int, left: int) -> Fraction:
        """Return what a strike is expected to take of an enemy's cost, per action.

        Parameters
        ----------
        side : int
            The side that strikes.
        strike, enemy : int
            Row of the strike in its side, and row of the enemy in the other side.
        left : int
            The toughness that the enemy has left.
        """
        made, unit = self._packed.strikes[side][strike], self.sides[1 - side].units[enemy]
        actions = made.actions + sum(help_.actions for help_ in made.helps)
        gains = gains_of(made.effects[enemy][0], actions, int(unit[col.TOUGHNESS]), int(unit[col.COST]), unit)
        return next(Fraction(taken, over) for has, taken, over in gains if has == left)

    def rolls(self, first: int, *, detailed: bool = False) -> Rolls:
        """Return the battle ready to be rolled. In its tally, a is the side that moves first.

        Parameters
        ----------
        first : int
            The side that moves first.
        detailed : bool
            Whether to count what `aabalance.engine.battle.lanes.detail.Parts` has as well.

        Raises
        ------
        UsageError
            The battle is too large for the kernel, or a side plays its best reply.
        """
        if BEST in self.terms.policies:
            raise UsageError(f"policy: found {BEST!r} in a battle to be rolled, expected a named one")
        return rolls(self.sides, self._packed.strikes, self.terms, first, detailed=detailed)


def _loops(states: int, policies: Sequence[str]) -> Loops:
    """Return the function that makes loops ready to run; a few small battles are solved faster without compiling."""
    several = len(_plain) >= PLAIN_BATTLES
    if states > PLAIN_STATES or (several and all(jit.is_ours(POLICIES[name]) for name in policies)):
        return jit.compiled
    _plain.append(states)
    return jit.plain
