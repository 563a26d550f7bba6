"""Duels of units that have conditions: chains over pairs of conditions, solved exactly, many at a time.

A game of conditions says what a unit's turn does to its enemy as `aabalance.rulesets.base.Blows`. Here these become
arrays; a duel is a Markov chain over (condition of a, condition of b), and its outcome a linear system of as many
unknowns as there are such pairs. Nothing is truncated.

Cost of one duel: (conditions of a unit) ** 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine.condition_kernel import ORDERS
from aabalance.engine.tables import Volleys
from aabalance.rulesets.base import Blows, Order

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WORD = 1 << 64
CHUNK = 1 << 21
"""Matrix elements that are worked on at once: what fits the cache matters more than the number of calls."""

WIN_A, WIN_B, BOTH, NEITHER, TURNS = range(5)


class BlowTables:
    """Packs blows; equal ones are stored once.

    Parameters
    ----------
    order : Order
    conditions : int
        Of a unit that is not destroyed.

    Attributes
    ----------
    volleys : Volleys
        The effects of single attacks.
    """

    def __init__(self, order: Order, conditions: int) -> None:
        self.order = order
        self.conditions = conditions
        self.volleys = Volleys()
        self._blows: list[Blows] = []
        self._seen: dict[int, int] = {}

    def add(self, blows: Blows) -> int:
        """Pack `blows` and return their number; a ruleset hands out equal ones as one object."""
        if id(blows) not in self._seen:
            self._seen[id(blows)] = len(self._blows)
            self._blows.append(blows)
        return self._seen[id(blows)]

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

    def thresholds(self) -> tuple[npt.NDArray[np.uint64], Ints]:
        """Return `arrays` as the kernel reads them: by outcome but the last, the word below which it or one before is.

        Whole numbers from exact chances, so that no processor rounds them differently.
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


class Clash(NamedTuple):
    """One duel of conditions in which the unit with the blows `first` moves first.

    Attributes
    ----------
    tables : BlowTables
    first, second : int
    """

    tables: BlowTables
    first: int
    second: int

    def kernel_tables(self) -> ClashTables:
        """Return the duel as the kernel reads it."""
        return kernel_tables(self.tables, np.array([self.first]), np.array([self.second]))


class ClashTables(NamedTuple):
    """What `aabalance.engine.condition_kernel` reads; see its `clashes`.

    Attributes
    ----------
    order : int
    below, after, sides : array
    harmless : array of bool, shape (matchups,)
        Neither side can ever destroy the other, so there is nothing to roll.
    """

    order: int
    below: npt.NDArray[np.uint64]
    after: Ints
    sides: Ints
    harmless: npt.NDArray[np.bool_]


def kernel_tables(tables: BlowTables, blows_a: Ints, blows_b: Ints) -> ClashTables:
    """Return duels in which a moves first, as the kernel reads them."""
    below, after = tables.thresholds()
    harmless = solve(tables, blows_a, blows_b)[:, NEITHER] == 1
    return ClashTables(ORDERS[tables.order], below, after, np.stack([blows_a, blows_b], axis=1), harmless)


class _Turn(NamedTuple):
    """A turn of many duels: where it leads, and the chances that it ends them.

    Attributes
    ----------
    to : array, shape (duels, states, states)
    ends : array, shape (duels, states, 3)
        a left, b left, neither left.
    """

    to: Floats
    ends: Floats


def solve(tables: BlowTables, blows_a: Ints, blows_b: Ints, rounds: int | None = None) -> Floats:
    """Solve duels in which a moves first, to their end or for `rounds` turns of each side.

    Returns
    -------
    array of float, shape (n, 5)
        P(only a is left), P(only b), P(none), P(both, for ever or at the end), expected player turns: infinite if a
        duel without a limit may have no end.
    """
    chances, after = tables.arrays()
    pairs, back = np.unique(np.stack([blows_a, blows_b]), axis=1, return_inverse=True)
    size = max(1, CHUNK // tables.conditions**4)
    out = np.empty((pairs.shape[1], 5))
    for at in range(0, pairs.shape[1], size):
        a, b = pairs[:, at : at + size]
        turns = _turns(tables.order, (chances[a], after[a]), (chances[b], after[b]))
        out[at : at + size] = _to_the_end(turns) if rounds is None else _limited(turns, rounds)
    return out[back.ravel()]


def _turns(order: Order, a: tuple[Floats, Ints], b: tuple[Floats, Ints]) -> list[_Turn]:
    """Return a round as turns, one after another: a's and b's, or one of both."""
    count, n = a[1].shape
    states = n * n
    if order == "together":
        hit_b, hit_a = a[0], b[0].transpose(0, 2, 1, 3)  # by (condition of a, condition of b)
        joint = hit_a[..., :, None] * hit_b[..., None, :]
        ends = np.stack(
            [joint[..., :n, n].sum(axis=-1), joint[..., n, :n].sum(axis=-1), joint[..., n, n]], axis=-1
        ).reshape(count, states, 3)
        return [_Turn(np.ascontiguousarray(joint[..., :n, :n]).reshape(count, states, states), ends)]
    by_a, by_b = np.zeros((2, count, n, n, n, n))
    duel, other = np.arange(count)[:, None], np.arange(n)
    for own in range(n):
        by_a[duel, own, other, a[1][:, own, None]] = a[0][:, own, :, :n]
        by_b[duel, other, own, :, b[1][:, own, None]] = b[0][:, own, :, :n]
    nothing = np.zeros((count, states))
    kills_a = a[0][..., n].reshape(count, states)
    kills_b = b[0][..., n].transpose(0, 2, 1).reshape(count, states)
    to_a, to_b = by_a.reshape(count, states, states), by_b.reshape(count, states, states)
    first = _Turn(to_a, np.stack([kills_a, nothing, nothing], axis=-1))
    second = _Turn(to_b, np.stack([nothing, kills_b, nothing], axis=-1))
    if order == "answer":
        return [_then(first, second), _then(second, first)]
    return [first, second]


def _then(one: _Turn, other: _Turn) -> _Turn:
    return _Turn(one.to @ other.to, one.ends + one.to @ other.ends)


def _to_the_end(turns: Sequence[_Turn]) -> Floats:
    count, states = turns[0].ends.shape[:2]
    lasting = np.full((count, states, 1), 2.0 / len(turns))
    whole, length = turns[0], lasting
    for turn in turns[1:]:
        length = length + whole.to @ lasting
        whole = _then(whole, turn)
    # States from which a duel can end at all: the others are left out, or the system would be singular.
    ending = whole.ends.sum(axis=2) > 0
    while True:
        more = ending | ((whole.to @ ending[..., None])[..., 0] > 0)
        if (more == ending).all():
            break
        ending = more
    stuck = (whole.to * ~ending[:, None, :]).sum(axis=2, keepdims=True)
    known = np.concatenate([whole.ends, stuck, length], axis=2) * ending[..., None]
    system = np.eye(states) - whole.to * (ending[:, :, None] & ending[:, None, :])
    out: Floats = np.linalg.solve(system, known)[:, 0, :] + 0.0  # no minus zero
    out[~ending[:, 0]] = (0.0, 0.0, 0.0, 1.0, 0.0)
    out[out[:, NEITHER] > 0, TURNS] = np.inf
    return out


def _limited(turns: Sequence[_Turn], rounds: int) -> Floats:
    count, states = turns[0].ends.shape[:2]
    mass = np.zeros((count, 1, states))
    mass[:, 0, 0] = 1.0
    out = np.zeros((count, 5))
    for _ in range(rounds):
        for turn in turns:
            out[:, TURNS] += mass.sum(axis=(1, 2)) * (2 / len(turns))
            out[:, :NEITHER] += (mass @ turn.ends)[:, 0]
            mass = mass @ turn.to
    out[:, NEITHER] = mass.sum(axis=(1, 2))
    return out


def kills(tables: BlowTables, blows: Ints, within: Sequence[int] = (1,)) -> Floats:
    """Solve how long a unit that stays fresh takes to destroy a target that does nothing.

    Returns
    -------
    array of float, shape (n, 1 + len(within))
        Expected turns (infinite if it never happens), then the chance of a kill within each of `within`.
    """
    n = tables.conditions
    cases, back = np.unique(blows, return_inverse=True)
    chances = tables.arrays()[0][cases, 0]
    to, kill = chances[..., :n], chances[..., n]
    ending = kill > 0
    for _ in range(n):
        ending |= (to @ ending[..., None])[..., 0] > 0
    # From somewhere that can be reached, nothing more may happen: then the mean has no end either.
    seen = np.zeros_like(ending)
    seen[:, 0] = True
    for _ in range(n):
        seen |= (seen[:, None, :] @ (to > 0))[:, 0]
    endless = (seen & ~ending).any(axis=1)
    system = np.eye(n) - to * (ending[:, :, None] & ending[:, None, :])
    out = np.empty((len(cases), 1 + len(within)))
    out[:, 0] = np.where(endless, np.inf, np.linalg.solve(system, np.ones((len(cases), n, 1)))[:, 0, 0])
    mass = np.zeros((len(cases), 1, n))
    mass[:, 0, 0] = 1.0
    killed, t = np.zeros(len(cases)), 0
    for w, turns in enumerate(within):
        while t < turns:
            killed += (mass @ kill[..., None])[:, 0, 0]
            mass = mass @ to
            t += 1
        out[:, 1 + w] = killed
    return out[back.ravel()]
