"""Ordered battles without a limit of rounds, in which no gun reloads or is prepared: how they end.

Here the strengths of both sides and the side to move are all that a state has. Each field of an outcome is an expected
payoff: what the battle pays once it is over, and, for the number of turns, what each turn pays. All functions are plain
loops that also compile.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.battle.ordered.queue import NODE, REACH, START, Floats, Ints, Queue
from aabalance.engine.battle.ordered.transitions import BEGIN, Turns
from aabalance.engine.battle.ordered.turns import FIRST_ENDING, GIVEN_UP, ROOT, U
from aabalance.engine.battle.states.absorbing import ENDS, VALUE
from aabalance.engine.outcome import DRAW, TURNS, A, B

SCORE, NEVER = range(ENDS, ENDS + 2)
"""Fields besides those of an outcome: the score of side 0, P(win) + P(draw) / 2; and the chance that a battle never
ends, which is a draw with infinitely many turns."""


def solve_payoffs(
    turns_0: Turns,
    turns_1: Turns,
    queue_0: Queue,
    queue_1: Queue,
    by_cost: bool,
    cells: Ints,
    fields: Ints,
    table: Floats,
) -> None:
    """Work out how battles end.

    Parameters
    ----------
    turns_0, turns_1 : Turns
        The turns of each side.
    queue_0, queue_1 : Queue
        The queues of both sides; the column `NODE` of their strengths is written.
    by_cost : bool
        Whether the cost of what is left decides, as in `aabalance.rulesets.base.Mission`.
    cells : array of int64, shape (cells, 2)
        For each battle, the strengths of both sides with which it begins.
    fields : array of int64, shape (fields,)
        The fields to work out: those of an outcome, `SCORE` or `NEVER`. The number of turns is without those of battles
        that never end.
    table : array of float, shape (cells, 2, fields)
        Takes the fields, by the side that moves first.
    """
    _mark_nodes(turns_0, queue_0.strengths)
    _mark_nodes(turns_1, queue_1.strengths)
    row = len(queue_1.strengths)
    for x in range(len(fields)):
        values = _solve(turns_0, turns_1, queue_0, queue_1, by_cost, fields[x])
        for cell in range(len(cells)):
            for first in range(2):
                table[cell, first, x] = values[cells[cell, 0], first * row + cells[cell, 1]]


def _solve(turns_0: Turns, turns_1: Turns, queue_0: Queue, queue_1: Queue, by_cost: bool, field: int) -> Floats:
    """Return one field of all states, as an array of shape (strengths of side 0, 2 * strengths of side 1).

    The first half of a row has the states in which side 0 is to move, the second half those in which side 1 is.
    """
    spans_0, chances_0, strengths_0, standing_0 = turns_0.spans, turns_0.chances, queue_0.strengths, queue_0.standing
    spans_1, chances_1, strengths_1, standing_1 = turns_1.spans, turns_1.chances, queue_1.strengths, queue_1.standing
    row, floor_0, floor_1 = len(strengths_1), queue_0.floor, queue_1.floor
    each_turn = 1.0 if field == TURNS else 0.0
    values = np.empty((len(strengths_0), 2 * row))
    # In order of the sum of both strengths: no state leads to another of the same sum, so that the processor can work
    # on several at a time.
    for both in range(len(strengths_0) + row - 1):
        for strength_0 in range(max(both - row + 1, 0), min(both + 1, len(strengths_0))):
            strength_1 = both - strength_0
            own, reach_0, reach_1 = values[strength_0], strengths_0[strength_0, REACH], strengths_1[strength_1, REACH]
            fights_0, fights_1 = strength_0 > floor_0, strength_1 > floor_1
            if not fights_0 or not fights_1 or (strength_1 <= reach_0 and strength_0 <= reach_1):
                lead = lead_of(fights_0, fights_1, standing_0[strength_0, 0], standing_1[strength_1, 0], by_cost)
                paid = _payoff(field, lead, True, standing_0[strength_0], standing_1[strength_1])
                own[strength_1] = own[row + strength_1] = paid
                continue
            node_0, node_1 = strengths_0[strength_0, NODE], strengths_1[strength_1, NODE]
            at_0, at_1 = U(spans_0[node_0, strength_1, BEGIN]), U(spans_1[node_1, strength_0, BEGIN])
            stay_0, stay_1 = chances_0[at_0], chances_1[at_1]
            again = stay_0 * stay_1
            if again == 1.0:
                paid = _payoff(field, 0.0, False, standing_0[strength_0], standing_1[strength_1])
                own[strength_1] = own[row + strength_1] = paid
                continue
            after_0 = after_1 = each_turn
            here_0, here_1 = U(strength_0), U(strength_1)
            lost = U(1)
            while chances_1[at_1 + lost] >= 0.0:
                after_1 += chances_1[at_1 + lost] * values[here_0 - lost, here_1]
                lost += U(1)
            lost = U(1)
            while chances_0[at_0 + lost] >= 0.0:
                after_0 += chances_0[at_0 + lost] * own[U(row) + here_1 - lost]
                lost += U(1)
            # The sum of the geometric series of turns of both sides in which nobody is hurt.
            value = (after_0 + stay_0 * after_1) / (1.0 - again)
            own[strength_1], own[row + strength_1] = value, after_1 + stay_1 * value
    return values


def _payoff(field: int, lead: float, over: bool, standing_0: Floats, standing_1: Floats) -> float:
    """Return what a battle pays that is over, or that never ends (`over` is False), which is a draw."""
    if field == SCORE:
        return 1.0 if lead > 0.0 else 0.5 if lead == 0.0 else 0.0
    if field == NEVER:
        return 0.0 if over else 1.0
    if field == A:
        return 1.0 if lead > 0.0 else 0.0
    if field == B:
        return 1.0 if lead < 0.0 else 0.0
    if field == DRAW:
        return 1.0 if lead == 0.0 else 0.0
    if field < VALUE:
        return 0.0
    standing = standing_0 if (field - VALUE) % 2 == 0 else standing_1
    return float(standing[(field - VALUE) // 2])


def _mark_nodes(turns: Turns, strengths: Ints) -> None:
    """Write the column `NODE` of a side's strengths."""
    positions, endings = turns.positions, turns.endings
    for strength in range(len(strengths)):
        at = strengths[strength, START]
        strengths[strength, NODE] = GIVEN_UP
        if positions[at, FIRST_ENDING] < positions[at + 1, FIRST_ENDING]:
            strengths[strength, NODE] = endings[positions[at, FIRST_ENDING], ROOT]


def lead_of(fights_0: bool, fights_1: bool, cost_0: float, cost_1: float, by_cost: bool) -> float:
    """Return who wins a battle that is over: above 0 for side 0, below 0 for side 1, 0 for a draw.

    Parameters
    ----------
    fights_0, fights_1 : bool
        Whether each side has a unit left that counts.
    cost_0, cost_1 : float
        The cost of what each side has left.
    by_cost : bool
        Whether that decides if both sides or neither have such a unit.
    """
    if fights_0 != fights_1:
        return 1.0 if fights_0 else -1.0
    return cost_0 - cost_1 if by_cost else 0.0
