"""The solver of ordered battles: how they end from all strengths that both sides may have.

Both sides are lined up (`queue`) and armed (`shots`), what their turns may do is listed (`turns`), what that leads to
is worked out (`transitions`), and the states are solved (`payoffs`, or `reloading` where guns reload or rounds are
counted). Only a turn that hurts nobody leaves the strengths as they were, so that each cycle is summed as a geometric
series. Nothing is truncated. All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine import jit
from aabalance.engine.battle.ordered.payoffs import solve_payoffs
from aabalance.engine.battle.ordered.queue import Floats, Ints, OrderedSide, Outcomes, line_up, strength_of, tallest
from aabalance.engine.battle.ordered.reloading import solve_positions
from aabalance.engine.battle.ordered.shots import RELOAD_BITS, arm, mark_reach
from aabalance.engine.battle.ordered.transitions import turns_of
from aabalance.engine.battle.ordered.turns import GIVEN_UP


class Batch(NamedTuple):
    """The sides of several battles, one after the other: sides 2 n and 2 n + 1 are those of battle n.

    Attributes
    ----------
    units, guns, strikes, volleys, falls, ranks
        The rows of all sides, as in `OrderedSide`; `volleys` and `ranks` are flat.
    begins : array of int64, shape (2 * battles + 1, 6)
        The index at which the rows of each side begin in each of the others.
    """

    units: Ints
    guns: Ints
    strikes: Ints
    volleys: Ints
    falls: Ints
    ranks: npt.NDArray[np.int32]
    begins: Ints


class Conditions(NamedTuple):
    """The conditions of all battles of a batch.

    Attributes
    ----------
    by_unit : (bool, bool)
        For each side, as for `shots.arm`.
    limits : (int, int)
        Limit of actions of each side in a turn.
    rounds : int
        Limit of turns of each side; 0 for none.
    by_cost : bool
        Whether the cost of what is left decides, as in `aabalance.rulesets.base.Mission`.
    most_states, most_steps : int
        Largest numbers for a solution: of states, and of transitions between them times player turns.
    """

    by_unit: tuple[bool, bool]
    limits: tuple[int, int]
    rounds: int
    by_cost: bool
    most_states: int
    most_steps: int


def solve(batch: Batch, outcomes: Outcomes, conditions: Conditions, fields: Ints, tables: Floats, states: Ints) -> None:
    """Solve battles, each together with the smaller battles between the units of each side that fall last.

    Parameters
    ----------
    batch : Batch
        The battles.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.
    conditions : Conditions
        Their conditions.
    fields : array of int64, shape (fields,)
        The fields to work out, as for `payoffs.solve_payoffs`.
    tables : array of float, shape (cells, 2, fields)
        Takes how battles end, by the side that moves first. The battles follow one another; each has a cell for each
        number of units left of side 0 and of side 1, which runs fastest, from no unit on.
    states : array of int64, shape (battles,)
        Takes the number of states of each battle; `GIVEN_UP` for one that isn't solved.
    """
    cells = 0
    for battle in range(len(states)):
        side_0, side_1 = _side(batch, 2 * battle, 2 * battle + 1), _side(batch, 2 * battle + 1, 2 * battle)
        size = (len(side_0.falls) + 1) * (len(side_1.falls) + 1)
        states[battle] = _solve_one(side_0, side_1, outcomes, conditions, fields, tables[cells : cells + size])
        cells += size


@jit.merged
def _side(batch: Batch, side: int, other: int) -> OrderedSide:
    begin, end = batch.begins[side], batch.begins[side + 1]
    enemies = batch.units[batch.begins[other, 0] : batch.begins[other + 1, 0]]
    strikes = batch.strikes[begin[2] : end[2]]
    return OrderedSide(
        batch.units[begin[0] : end[0]],
        batch.guns[begin[1] : end[1]],
        strikes,
        batch.volleys[begin[3] : end[3]].reshape(len(strikes), len(enemies)),
        batch.falls[begin[4] : end[4]],
        batch.ranks[begin[5] : end[5]].reshape(len(strikes), len(enemies), tallest(enemies) + 1),
    )


@jit.merged
def _solve_one(
    side_0: OrderedSide, side_1: OrderedSide, outcomes: Outcomes, conditions: Conditions, fields: Ints, table: Floats
) -> int:
    """Solve one battle, write its cells into `table`, and return its number of states, or `GIVEN_UP`."""
    queue_0, queue_1 = line_up(side_0, side_1, outcomes), line_up(side_1, side_0, outcomes)
    if 2 * len(queue_0.strengths) * len(queue_1.strengths) > conditions.most_states:
        return GIVEN_UP
    player_0 = arm(side_0, queue_0, queue_1, conditions.by_unit[0], conditions.limits[0])
    player_1 = arm(side_1, queue_1, queue_0, conditions.by_unit[1], conditions.limits[1])
    if max(player_0.bits, player_1.bits) > RELOAD_BITS:
        return GIVEN_UP
    mark_reach(player_0, queue_1, side_1.units)
    mark_reach(player_1, queue_0, side_0.units)
    turns_0, turns_1 = turns_of(player_0, queue_1, outcomes), turns_of(player_1, queue_0, outcomes)
    states = 2 * turns_0.size * turns_1.size
    if turns_0.size < 0 or turns_1.size < 0 or states > conditions.most_states:
        return GIVEN_UP
    cells, row = np.empty((len(table), 2), np.int64), len(side_1.falls) + 1
    for cell in range(len(cells)):
        cells[cell, 0], cells[cell, 1] = strength_of(queue_0, cell // row), strength_of(queue_1, cell % row)
    reload = turns_0.size > len(queue_0.strengths) or turns_1.size > len(queue_1.strengths)
    by_cost, rounds, most = conditions.by_cost, conditions.rounds, conditions.most_steps
    if rounds > 0 or reload:
        fits = solve_positions(turns_0, turns_1, queue_0, queue_1, by_cost, rounds, most, cells, fields, table)
        return states if fits else GIVEN_UP
    solve_payoffs(turns_0, turns_1, queue_0, queue_1, by_cost, cells, fields, table)
    return states
