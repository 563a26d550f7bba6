"""Duels of units that have conditions: what a unit's turn does to its enemy, packed as arrays.

The game gives `aabalance.rulesets.base.Blows` for each unit and enemy. A duel is a Markov chain over (condition of a,
condition of b).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from aabalance.engine.arrays import Bools, Floats, Ints, Words
from aabalance.engine.conditions import exact
from aabalance.engine.outcome import Outcome, Tally
from aabalance.engine.volleys import Volleys
from aabalance.rulesets.base import Blows, ConditionDuel, Holding, Survey

WORD = 1 << 64


class BlowTables:
    """The packed blows of units. Each `Blows` object is stored once.

    Parameters
    ----------
    kind : ConditionDuel
        The order of blows, and the number of conditions of a unit that is not destroyed.

    Attributes
    ----------
    simultaneous : bool
        Whether both sides strike at the same time.
    volleys : Volleys
        The effects of single attacks.
    """

    def __init__(self, kind: ConditionDuel) -> None:
        self.order = kind.order
        self.conditions = kind.conditions
        self.simultaneous = kind.simultaneous
        self.volleys = Volleys()
        self._blows: list[Blows] = []
        self._seen: dict[int, int] = {}

    def add(self, blows: Blows) -> int:
        """Pack `blows` and return their number."""
        if id(blows) not in self._seen:
            # Rulesets hand out the same object again and again. It is kept here, so that its id stays its own.
            self._seen[id(blows)] = len(self._blows)
            self._blows.append(blows)
        return self._seen[id(blows)]

    def pack(self, survey: Survey[Blows]) -> tuple[int, int]:
        """Pack a unit's plan and return its number twice: a turn is one attack, so repeating the attack is the plan."""
        number = self.add(survey.plan)
        return number, number

    def duel(self, players: tuple[Holding[Blows], Holding[Blows]], range_in: float) -> Duel:
        """Return one duel in which the first player moves first. Both stay where they are: `range_in` isn't used."""
        a, b = (np.array([self.add(player.plan)]) for player in players)
        return Duel(Duels(self, a, b))

    def fights(self, blows_a: Ints, blows_b: Ints, hp_a: Ints, hp_b: Ints) -> Duels:
        """Return duels in which a moves first.

        Parameters
        ----------
        blows_a, blows_b : array of int64, shape (n,)
            Numbers from `pack`.
        hp_a, hp_b : array of int64, shape (n,)
            Not used: blows include the toughness.
        """
        return Duels(self, blows_a, blows_b)

    def kills(self, blows: Ints, hp: Ints, within: Sequence[int] = (1,)) -> Floats:
        """Solve how long units that stay fresh take to destroy a target that does nothing.

        Parameters and result are those of `aabalance.engine.hit_points.plans.Plans.kills`; `hp` isn't used, since
        blows include the toughness.
        """
        cases, back = np.unique(blows, return_inverse=True)
        return exact.kills(self.arrays()[0][cases, 0], within)[back.ravel()]

    def arrays(self) -> tuple[Floats, Ints]:
        """Return chances, shape (blows, own, enemy, enemy after), and the own condition after, shape (blows, own)."""
        n = self.conditions
        chances = np.zeros((len(self._blows), n, n, n + 1))
        for k, blows in enumerate(self._blows):
            for i, row in enumerate(blows.chances):
                for j, after in enumerate(row):
                    for to, p in after.items():
                        chances[k, i, j, to] = float(p)
        return chances, self._after()

    def thresholds(self) -> tuple[Words, Ints]:
        """Return `arrays` as the kernel takes them, with thresholds for a random word in place of chances.

        A word below the threshold of an outcome stands for this outcome or for one before it; the last outcome needs no
        threshold. Thresholds are whole numbers made of exact chances, so that no processor rounds them differently.
        """
        n = self.conditions
        below = np.zeros((len(self._blows), n, n, n), dtype=np.uint64)
        for k, blows in enumerate(self._blows):
            for i, row in enumerate(blows.chances):
                for j, after in enumerate(row):
                    total = Fraction(0)
                    for to in range(n):
                        total += after.get(to, 0)
                        below[k, i, j, to] = min(int(total * WORD), WORD - 1)
        return below, self._after()

    def _after(self) -> Ints:
        return np.array([blows.after for blows in self._blows], dtype=np.int64).reshape(-1, self.conditions)


class Duels:
    """Duels of units with conditions in which a moves first.

    Parameters
    ----------
    tables : BlowTables
        Packed blows.
    blows_a, blows_b : array of int64, shape (n,)
        Numbers of the blows in `tables`.
    """

    def __init__(self, tables: BlowTables, blows_a: Ints, blows_b: Ints) -> None:
        self._tables = tables
        self._blows = np.stack([blows_a, blows_b])

    def solve(self, rounds: int | None = None) -> Outcome[Floats]:
        """Solve the duels, to their end or for `rounds` turns of each side; equal duels are solved once."""
        pairs, back = np.unique(self._blows, axis=1, return_inverse=True)
        outcomes = exact.solve(self._tables.order, *self._tables.arrays(), pairs, rounds)[back.ravel()]
        return Outcome(*outcomes.T)

    def rolls(self) -> Rolls:
        """Return the duels ready to be rolled."""
        below, after = self._tables.thresholds()
        harmless = self.solve().p_draw == 1
        return Rolls(self._tables.order, below, after, np.ascontiguousarray(self._blows.T), harmless)


class Duel(NamedTuple):
    """One such duel, whose outcome has numbers in place of arrays."""

    duels: Duels

    def solve(self, rounds: int | None = None) -> Outcome[float]:
        """Solve the duel, to its end or for `rounds` turns of each side."""
        return Outcome(*(float(column[0]) for column in self.duels.solve(rounds)))

    def rolls(self) -> Rolls:
        """Return the duel ready to be rolled."""
        return self.duels.rolls()


class Rolls(NamedTuple):
    """Duels ready to be rolled; see `aabalance.engine.conditions.kernel.duels` for the arrays.

    Attributes
    ----------
    order : str
        How blows follow each other.
    below, after, sides : array
        The tables of the duels.
    harmless : array of bool, shape (duels,)
        Whether neither side can ever destroy the other, so that there is nothing to roll.
    """

    order: str
    below: Words
    after: Ints
    sides: Ints
    harmless: Bools

    def tally(self, counts: Ints) -> Tally[int]:
        """Return a row of counts with names."""
        return Tally(*counts.tolist())

    def part(self, first: int, end: int) -> Rolls:
        """Return only the duels ``first .. end - 1``."""
        return self._replace(sides=self.sides[first:end], harmless=self.harmless[first:end])

    def roll(self, runs: Words) -> Ints:
        """Roll some of the duels; parameter and result as in `aabalance.engine.fights.Rolls`."""
        from aabalance.engine import jit
        from aabalance.engine.conditions import kernel

        counts = np.zeros((len(runs), len(Tally._fields)), dtype=np.int64)
        jit.compiled(kernel.duels)(kernel.ORDERS[self.order], self.below, self.after, self.sides, runs, counts)
        return counts
