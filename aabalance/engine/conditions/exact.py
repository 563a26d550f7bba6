"""The exact solver of condition duels: many at a time, each over pairs of conditions.

The outcome of a duel is the solution of a linear system with an unknown for each pair of conditions. Nothing is
truncated.

Cost of one duel: (conditions of a unit) ** 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aabalance.engine.arrays import Bools, Floats, Ints
from aabalance.engine.outcome import BOTH, DRAW, TURNS, A, B

CHUNK = 1 << 21
"""Number of matrix elements that are worked on at once. To fit the cache matters more than to make few calls."""


class _Turn(NamedTuple):
    """One turn of many duels: the states to which it leads, and the chances that it ends them.

    Attributes
    ----------
    to : array, shape (duels, states, states)
        Chance of each state after the turn, by the state before it.
    ends : array, shape (duels, states, 3)
        Chances that only a is left, only b, and neither, by the state before the turn.
    """

    to: Floats
    ends: Floats


def solve(order: str, chances: Floats, after: Ints, pairs: Ints, rounds: int | None = None) -> Floats:
    """Solve duels in which a moves first, to their end or for `rounds` turns of each side.

    Parameters
    ----------
    order : str
        How blows follow each other; see `aabalance.rulesets.base.ConditionDuel`.
    chances, after : arrays
        From `aabalance.engine.conditions.tables.BlowTables.arrays`.
    pairs : array of int64, shape (2, n)
        Numbers of the blows of a and of b.
    rounds : int, optional
        Limit of turns of each side; none by default.

    Returns
    -------
    array of float, shape (n, 5)
        Outcomes; the expected player turns are infinite if a duel without a limit may never end.
    """
    conditions = after.shape[1]
    size = max(1, CHUNK // conditions**4)
    out = np.empty((pairs.shape[1], 5))
    for at in range(0, pairs.shape[1], size):
        a, b = pairs[:, at : at + size]
        turns = _turns(order, (chances[a], after[a]), (chances[b], after[b]))
        out[at : at + size] = _to_the_end(turns) if rounds is None else _limited(turns, rounds)
    return out


def _turns(order: str, a: tuple[Floats, Ints], b: tuple[Floats, Ints]) -> list[_Turn]:
    """Return the turns of a round: that of a, then that of b; or one turn in which both strike."""
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
    if order == "return_fire":
        no_harm_to_b = a[0][..., other, other].reshape(count, states) == 1
        no_harm_to_a = b[0][..., other, other].transpose(0, 2, 1).reshape(count, states) == 1
        return [_returned(first, second, no_harm_to_b), _returned(second, first, no_harm_to_a)]
    return [first, second]


def _returned(turn: _Turn, answer: _Turn, harmless: Bools) -> _Turn:
    """Return a turn with the answer to it; where it is sure to do no harm, by the state before it, there is none."""
    both = _then(turn, answer)
    alone = harmless[..., None]
    return _Turn(np.where(alone, turn.to, both.to), np.where(alone, turn.ends, both.ends))


def _then(one: _Turn, other: _Turn) -> _Turn:
    return _Turn(one.to @ other.to, one.ends + one.to @ other.ends)


def _to_the_end(turns: Sequence[_Turn]) -> Floats:
    count, states = turns[0].ends.shape[:2]
    lasting = np.full((count, states, 1), 2.0 / len(turns))
    whole, length = turns[0], lasting
    for turn in turns[1:]:
        length = length + whole.to @ lasting
        whole = _then(whole, turn)
    # The system has only states from which a duel can end: with the others it would be singular.
    ending = whole.ends.sum(axis=2) > 0
    while True:
        more = ending | ((whole.to @ ending[..., None])[..., 0] > 0)
        if (more == ending).all():
            break
        ending = more
    stuck = (whole.to * ~ending[:, None, :]).sum(axis=2, keepdims=True)
    wins, neither = np.split(whole.ends, [2], axis=2)
    known = np.concatenate([wins, stuck, neither, length], axis=2) * ending[..., None]
    system = np.eye(states) - whole.to * (ending[:, :, None] & ending[:, None, :])
    out: Floats = np.linalg.solve(system, known)[:, 0, :] + 0.0  # no minus zero
    out[~ending[:, 0]] = (0.0, 0.0, 1.0, 0.0, 0.0)
    out[out[:, DRAW] > 0, TURNS] = np.inf
    return out


def _limited(turns: Sequence[_Turn], rounds: int) -> Floats:
    count, states = turns[0].ends.shape[:2]
    mass = np.zeros((count, 1, states))
    mass[:, 0, 0] = 1.0
    out = np.zeros((count, 5))
    for _ in range(rounds):
        for turn in turns:
            out[:, TURNS] += mass.sum(axis=(1, 2)) * (2 / len(turns))
            wins_a, wins_b, both = (mass @ turn.ends)[:, 0].T
            out[:, A] += wins_a
            out[:, B] += wins_b
            out[:, BOTH] += both
            mass = mass @ turn.to
    out[:, DRAW] = mass.sum(axis=(1, 2))
    return out


def kills(fresh: Floats, within: Sequence[int]) -> Floats:
    """Solve how long a unit that stays fresh takes to destroy a target that does nothing.

    Parameters
    ----------
    fresh : array of float, shape (n, conditions, conditions + 1)
        By the target's condition, the chance of each condition after a fresh unit's turn.
    within : sequence of int
        Numbers of turns, rising.

    Returns
    -------
    array of float, shape (n, 1 + len(within))
        Expected turns to a kill (infinite if it may never happen), then the chance of a kill within so many turns.
    """
    n = fresh.shape[1]
    to, kill = fresh[..., :n], fresh[..., n]
    ending = kill > 0
    for _ in range(n):
        ending |= (to @ ending[..., None])[..., 0] > 0
    # If a state can be reached from which the duel can't end, the mean number of turns is infinite.
    seen = np.zeros_like(ending)
    seen[:, 0] = True
    for _ in range(n):
        seen |= (seen[:, None, :] @ (to > 0))[:, 0]
    endless = (seen & ~ending).any(axis=1)
    system = np.eye(n) - to * (ending[:, :, None] & ending[:, None, :])
    out = np.empty((len(fresh), 1 + len(within)))
    out[:, 0] = np.where(endless, np.inf, np.linalg.solve(system, np.ones((len(fresh), n, 1)))[:, 0, 0])
    mass = np.zeros((len(fresh), 1, n))
    mass[:, 0, 0] = 1.0
    killed, t = np.zeros(len(fresh)), 0
    for w, turns in enumerate(within):
        while t < turns:
            killed += (mass @ kill[..., None])[:, 0, 0]
            mass = mass @ to
            t += 1
        out[:, 1 + w] = killed
    return out
