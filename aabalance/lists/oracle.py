"""Equilibria of zero-sum games; and double oracle: that of the lists that are known, and a search for what beats it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aabalance.engine.arrays import Floats
from aabalance.engine.sampling import Advance
from aabalance.lists.allowance import Allowance
from aabalance.lists.payoffs import Field, Units, mixed, scorer
from aabalance.lists.search import Found, search
from aabalance.play.result import EVEN

PAIR = 256
"""Battles of two lists that are known."""
REPLY = 150_000
"""Battles of the search for a reply."""
OPENED = 16
"""Random lists that a search first replies to."""


class Equilibrium(NamedTuple):
    """A mix for each side that its opponent can't exploit.

    Attributes
    ----------
    value : float
        What the first side scores.
    rows, columns : array of float, shape (rows,) and (columns,)
        The weights of each side's choices.
    """

    value: float
    rows: Floats
    columns: Floats


def equilibrium(payoffs: Floats) -> Equilibrium:
    """Return an equilibrium; a game may have several, of the same value (von Neumann 1928).

    The largest v for which some mix of rows scores at least v against each column is found by the simplex method of
    HiGHS (Huangfu, Hall: Parallelizing the dual revised simplex method, 2018); its dual values are the columns' mix.

    Parameters
    ----------
    payoffs : array of float, shape (rows, columns)
        What the first side scores by its choice and by that of the second side, which wants it low.
    """
    from scipy.optimize import linprog  # 0.2 s to import

    rows, columns = payoffs.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs-ds",
    )
    return Equilibrium(float(found.x[-1]), _weights(found.x[:-1]), _weights(-found.ineqlin.marginals))


def _weights(found: Floats) -> Floats:
    """Return weights that sum to 1, without what rounding leaves of none."""
    kept = np.where(found > 1e-13, found, 0.0)
    mix: Floats = kept / kept.sum()
    return mix


class Oracle:
    """Lists that are known, their payoffs, and an equilibrium of them, to which searches reply."""

    def __init__(self, allowance: Allowance, seed: int, advance: Advance = lambda battles: None) -> None:
        self._allowance, self._payoffs, self._seed, self._advance = allowance, allowance.payoffs, seed, advance
        self._rng = np.random.default_rng(seed)
        self.lists: list[Units] = []
        self.matrix: Floats = np.zeros((0, 0))
        self.weights: Floats = np.zeros(0)
        self.battles = 0

    def run(self, lists: Sequence[Units], battles: int) -> Oracle:
        """Add the lists, then replies until so many battles are fought; after a search in vain the next is longer."""
        if not lists:
            chance = Field.of(dict.fromkeys((self._allowance.random(self._rng) for _ in range(OPENED)), 1.0))
            lists = [one.units for one in self._reply(chance, min(2 * REPLY, battles // 2), ())]
        self._add(lists)
        size = min(REPLY, battles // 4)
        while self.battles + size <= battles:
            found = self._reply(mixed(self.weights, self.lists), size, self.lists)
            better = [one.units for one in found if one.score > EVEN and one.units not in self.lists]
            size *= 1 if better else 2
            self._add(better)
        return self

    def _reply(self, to: Field, battles: int, known: Sequence[Units]) -> list[Found]:
        self.battles += battles
        dice = self._seed + self.battles % 999_983
        score = scorer(self._payoffs, to, dice)
        return search(score, self._allowance, self._rng, battles=battles, known=known, advance=self._advance)

    def _add(self, lists: Sequence[Units]) -> None:
        had = len(self.lists)
        self.lists += [units for units in dict.fromkeys(lists) if units not in self.lists]
        self.matrix = self._payoffs.among(self.lists, PAIR, self._seed, self.matrix)
        fought = PAIR * (len(self.lists) * (len(self.lists) - 1) - had * (had - 1)) // 2
        self.battles += fought
        self._advance(fought)
        self.weights = equilibrium(self.matrix).rows
