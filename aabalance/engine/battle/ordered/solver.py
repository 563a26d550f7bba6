"""The exact solver of chains: how battles end from all numbers that both sides may have left.

Both sides are drawn up in lines (`queue`), what their turns may do is listed (`turns`), what that leads to
is worked out (`transitions`), and the states are solved (`payoffs`, or `reloading` where guns reload or rounds
are counted). Only a turn that hurts nobody leaves the numbers as they were, so that each cycle is summed as a geometric
series. Nothing is truncated. All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.columns import TOUGHNESS
from aabalance.engine.battle.ordered.payoffs import settled
from aabalance.engine.battle.ordered.queue import (
    BELOW,
    NUMBER,
    RELOAD_BITS,
    arm,
    floor,
    line_up,
    mark_kinds,
    mark_places,
    mark_reach,
    sort_strikes,
)
from aabalance.engine.battle.ordered.reloading import settle_positions
from aabalance.engine.battle.ordered.transitions import ways
from aabalance.engine.battle.ordered.turns import (
    EFFECT,
    FIXED,
    GIVEN_UP,
    MOST_CELLS,
    MOST_ENDINGS,
    MOST_MASKS,
    MOST_NODES,
    MOST_WAITS,
    positions,
)


def solve(
    parts: Any,
    ranks: Any,
    begins: Any,
    by_unit: Any,
    limits: Any,
    outcomes: Any,
    rounds: Any,
    by_worth: Any,
    most_states: Any,
    most_steps: Any,
    tables: Any,
    states: Any,
) -> None:
    """Solve battles, each together with the smaller battles between the units of each side that fall last.

    Parameters
    ----------
    parts : tuple of arrays
        The rows of all sides, one side after the other: units, guns, strikes and volleys, which
        `aabalance.engine.battle.columns` names, and the rows of units in the order in which they fall.
    ranks : array of int32
        The ranks of all sides, flat.
    begins : array of int64, shape (2 * battles + 1, 6)
        The index at which the rows of each side begin in each of `parts`, then in `ranks`. Sides 2 n and 2 n + 1 are
        those of battle n.
    by_unit : (bool, bool)
        For each side, as for `queue.sort_strikes`.
    limits : (int, int)
        Limit of actions of each side in a turn.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Effects`.
    rounds : int
        Limit of turns of each side; 0 for none.
    by_worth : bool
        As in `aabalance.engine.battle.terms.Terms`.
    most_states, most_steps : int
        Largest numbers for a solution: of states, and of ways between them times player turns.
    tables : array of float, shape (cells, 2, `ENDS`)
        Takes how battles end, by the side that moves first. The battles follow one another; each has a cell for each
        number of units left of side 0 and of side 1, which runs fastest, from no unit on.
    states : array of int64, shape (battles,)
        Takes the number of states of each battle; `GIVEN_UP` for one that isn't solved.
    """
    cells = 0
    for battle in range(len(states)):
        side_0, side_1 = _side(parts, ranks, begins, 2 * battle), _side(parts, ranks, begins, 2 * battle + 1)
        size_0, size_1 = len(side_0[4]) + 1, len(side_1[4]) + 1
        states[battle] = _one(
            side_0,
            side_1,
            by_unit,
            limits,
            outcomes,
            rounds,
            by_worth,
            most_states,
            most_steps,
            tables[cells : cells + size_0 * size_1],
        )
        cells += size_0 * size_1


@jit.merged
def _side(parts: Any, ranks: Any, begins: Any, side: Any) -> Any:
    units, guns, strikes, volleys, falls = parts
    begin, end = begins[side], begins[side + 1]
    return (
        units[begin[0] : end[0]],
        guns[begin[1] : end[1]],
        strikes[begin[2] : end[2]],
        volleys[begin[3] : end[3]],
        falls[begin[4] : end[4]],
        ranks[begin[5] : end[5]],
    )


@jit.merged
def _one(
    side_0: Any,
    side_1: Any,
    by_unit: Any,
    limits: Any,
    outcomes: Any,
    rounds: Any,
    by_worth: Any,
    most_states: Any,
    most_steps: Any,
    table: Any,
) -> Any:
    """Solve one battle, write its cells into `table`, and return its number of states, or `GIVEN_UP`."""
    line_0, line_1 = _lined_up(side_0, side_1, outcomes), _lined_up(side_1, side_0, outcomes)
    numbers_0, numbers_1, standing = line_0[2], line_1[2], (line_0[3], line_1[3])
    if 2 * len(numbers_0) * len(numbers_1) > most_states:
        return np.int64(GIVEN_UP)
    mine_0, bits_0 = _drawn_up(side_0, side_1, line_0, line_1, by_unit[0])
    mine_1, bits_1 = _drawn_up(side_1, side_0, line_1, line_0, by_unit[1])
    floors = floor(side_0[0], line_0[1], numbers_0), floor(side_1[0], line_1[1], numbers_1)
    mark_reach(mine_0, side_1[0], line_1[1], numbers_1)
    mark_reach(mine_1, side_0[0], line_0[1], numbers_0)
    if max(bits_0, bits_1) > RELOAD_BITS:
        return np.int64(GIVEN_UP)
    turns_0 = _turns(mine_0, line_1, bits_0, limits[0], floors, outcomes)
    turns_1 = _turns(mine_1, line_0, bits_1, limits[1], (floors[1], floors[0]), outcomes)
    size_0, size_1 = turns_0[1], turns_1[1]
    states = 2 * size_0 * size_1
    if size_0 < 0 or size_1 < 0 or states > most_states:
        return np.int64(GIVEN_UP)
    cells = np.empty((len(table), 2), np.int64)
    for left_0 in range(len(line_0[1]) + 1):
        for left_1 in range(len(line_1[1]) + 1):
            cell = left_0 * (len(line_1[1]) + 1) + left_1
            cells[cell, 0], cells[cell, 1] = (
                _so_many(line_0[1], numbers_0, left_0),
                _so_many(line_1[1], numbers_1, left_1),
            )
    if rounds > 0 or size_0 > len(numbers_0) or size_1 > len(numbers_1):
        terms = rounds, by_worth, most_steps
        fits = settle_positions(turns_0, turns_1, numbers_0, numbers_1, standing, floors, *terms, table, cells)
        return states if fits else np.int64(GIVEN_UP)
    settled(turns_0, turns_1, numbers_0, numbers_1, standing, floors, by_worth, cells, table)
    return states


def _so_many(line: Any, numbers: Any, left: Any) -> Any:
    """Return the number of a side of which the last `left` units are left, all of them at full toughness."""
    return line[left, BELOW] if left < len(line) else np.int64(len(numbers) - 1)


@jit.merged
def _lined_up(side: Any, other: Any, outcomes: Any) -> Any:
    """Return the places, the line, the numbers and the standing of a side, which `mark_places` and `line_up` write."""
    units, falls, volleys = side[0], side[4], other[3].reshape(len(other[2]), len(side[0]))
    places = np.full((len(units), _tallest(units) + 1), -1, np.int64)
    mark_places(units, volleys, outcomes, places)
    most = 1
    for at in range(len(falls)):
        most += places[falls[at], units[falls[at], TOUGHNESS]]
    line, numbers, standing = (
        np.zeros((len(falls), 4), np.int64),
        np.zeros((most, NUMBER), np.int64),
        np.zeros((most, 2)),
    )
    line_up(units, falls, places, line, numbers, standing)
    return places, line, numbers, standing


def _tallest(units: Any) -> Any:
    most = units[0, TOUGHNESS]
    for unit in range(1, len(units)):
        most = max(most, units[unit, TOUGHNESS])
    return most


@jit.merged
def _drawn_up(side: Any, other: Any, own: Any, theirs: Any, by_unit: Any) -> Any:
    """Return a side as a parameter of `turns.positions`, and the number of its bits.

    There is a bit for each gun that may have to reload, and one for each that may be prepared.
    """
    units, guns, strikes, volleys, _, ranks = side
    _, line, numbers, _ = own
    _, their_line, others, _ = theirs
    most, enemies = len(line) * len(strikes), len(other[0])
    barrels, shots = np.zeros((most, 4), np.int64), np.zeros((most, 4), np.int64)
    held, made, bits = arm(units, guns, strikes, line, barrels, shots)
    barrels, shots = barrels[:held], shots[:made]
    rank = ranks.reshape(len(strikes), enemies, _tallest(other[0]) + 1)
    keys = np.full((len(others), 2 * len(strikes)), -1, np.int64)
    classes = mark_kinds(others, their_line, strikes, rank, volleys.reshape(len(strikes), enemies), keys)
    # At least one class, even if the other side has no units, and so no number above 0.
    orders = np.full((max(classes, 1), 2 * made), -1, np.int64)
    sort_strikes(keys, shots, by_unit, orders)
    return (units, guns, strikes, line, numbers, barrels, shots, orders), bits


@jit.merged
def _turns(mine: Any, theirs: Any, bits: Any, limit: Any, floors: Any, outcomes: Any) -> Any:
    """Return the positions of a side, their number, the endings of its turns, and what `ways` writes of them."""
    _, _, _, line, numbers, barrels, _, orders = mine
    places, their_line, others, _ = theirs
    most = len(numbers) * (MOST_MASKS if bits > 0 else 1) + 1
    spots, endings = np.empty((most + 1, 3), np.int64), np.empty((4 * most + MOST_ENDINGS, 3), np.int64)
    nodes = np.empty((MOST_NODES, EFFECT + 2 * len(orders)), np.int64)
    waits = np.empty((MOST_WAITS, FIXED + len(barrels) + len(line) + 2 * len(orders)), np.int64)
    size, count = positions(mine, others, limit, floors, spots, endings, nodes, waits)
    found, afters = np.empty((count, len(others), 2), np.int64), np.empty(len(outcomes[1]), np.int64)
    chances = np.empty(min(count * len(others) * (len(others) + 3) // 2 + 1, MOST_CELLS))
    given = their_line, others, places
    fits = ways(numbers, orders, nodes[:count], given, floors[1], outcomes, afters, found, chances)
    return spots, size if fits else np.int64(GIVEN_UP), endings, found, chances
