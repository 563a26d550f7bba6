"""Chains without a limit of rounds, in which no gun reloads or is prepared: how they end from each pair of numbers.

Here the numbers of both sides and the side to move are all that a state has. The last step of
`solver.solve` has two forms: `settled` works out all that an outcome says, `scored` the
scores alone. All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.ordered.queue import NODE, REACH, START
from aabalance.engine.battle.ordered.reloading import lead_of
from aabalance.engine.battle.ordered.transitions import BEGIN
from aabalance.engine.battle.ordered.turns import FIRST_ENDING, GIVEN_UP, ROOT, U
from aabalance.engine.battle.states.absorbing import VALUE
from aabalance.engine.outcome import BOTH, DRAW, TURNS, A, B

FIELDS = 4
"""Number of fields of a state that are worked out together."""
LEFT = VALUE + 2
"""Index of the first of an outcome's two fields for the number of units left."""


@jit.merged
def settled(
    turns_0: Any,
    turns_1: Any,
    numbers_0: Any,
    numbers_1: Any,
    standing: Any,
    floors: Any,
    by_worth: Any,
    cells: Any,
    table: Any,
) -> None:
    """Work out how battles end.

    Parameters
    ----------
    turns_0, turns_1, numbers_0, numbers_1, standing, floors, by_worth, cells, table
        As for `reloading.settle_positions`; the column `NODE` of the numbers is written.
    """
    # Working out four fields twice is quicker than eight at once, and often the second four follow from the first.
    ends = np.empty((2 * len(numbers_0) * len(numbers_1), FIELDS))
    _mark_nodes(turns_0, numbers_0)
    _mark_nodes(turns_1, numbers_1)
    pair = turns_0, turns_1, numbers_0, numbers_1, standing, floors, by_worth
    draws = _settle_numbers(*pair, False, ends)
    _write(ends, cells, numbers_0, numbers_1, (A, TURNS, LEFT, LEFT + 1), table)
    each_0, each_1 = _of_equals(standing[0]), _of_equals(standing[1])
    if draws or each_0 < 0.0 or each_1 < 0.0:
        _settle_numbers(*pair, True, ends)
        _write(ends, cells, numbers_0, numbers_1, (B, DRAW, VALUE, VALUE + 1), table)
        return
    for cell in range(len(cells)):
        nobody = cells[cell, 0] <= floors[0] and cells[cell, 1] <= floors[1]
        lead = lead_of(cells[cell, 0], cells[cell, 1], standing, floors, by_worth)
        for first in range(2):
            draw = 1.0 if nobody and lead == 0.0 else 0.0
            # Rounding may have made the chances add up to a little more than 1.
            table[cell, first, DRAW], table[cell, first, B] = draw, max(1.0 - table[cell, first, A] - draw, 0.0)
            table[cell, first, VALUE] = each_0 * table[cell, first, LEFT]
            table[cell, first, VALUE + 1] = each_1 * table[cell, first, LEFT + 1]


def scored(
    turns_0: Any,
    turns_1: Any,
    numbers_0: Any,
    numbers_1: Any,
    standing: Any,
    floors: Any,
    by_worth: Any,
    cells: Any,
    table: Any,
) -> None:
    """Work out the score of side 0 alone, P(win) + P(draw) / 2, which is much quicker than all fields.

    Parameters
    ----------
    turns_0, turns_1, numbers_0, numbers_1, standing, floors, by_worth, cells
        As for `settled`, in whose place it is called.
    table : array of float, shape (cells, 2, `ENDS`)
        By the side that moves first, takes the score as the chance that side 0 wins, and 0 as the chance of a draw. Its
        other fields stay as they are.
    """
    _, _, _, found_0, chances_0 = turns_0
    _, _, _, found_1, chances_1 = turns_1
    _mark_nodes(turns_0, numbers_0)
    _mark_nodes(turns_1, numbers_1)
    rows, row, over = len(numbers_0), len(numbers_1), floors[1] + 1
    # The first half of a row has the states in which side 0 is to move, the second half those in which side 1 is.
    scores = np.empty((rows, 2 * row))
    for number_0 in range(rows):
        node_0, reach = numbers_0[number_0, NODE], numbers_0[number_0, REACH]
        begin = over if number_0 > floors[0] else row
        own = scores[number_0]
        for number_1 in range(row):
            if number_1 < begin or (number_1 <= reach and number_0 <= numbers_1[number_1, REACH]):
                lead = lead_of(number_0, number_1, standing, floors, by_worth)
                own[number_1] = own[row + number_1] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
                continue
            node_1 = numbers_1[number_1, NODE]
            at_0, at_1 = U(found_0[node_0, number_1, BEGIN]), U(found_1[node_1, number_0, BEGIN])
            stay_a, stay_b = chances_0[at_0], chances_1[at_1]
            again = stay_a * stay_b
            if again == 1.0:
                own[number_1] = own[row + number_1] = 0.5
                continue
            after_b = after_a = 0.0
            left_0, left_1 = U(number_0), U(number_1)
            lost = U(1)
            while chances_1[at_1 + lost] >= 0.0:
                after_b += chances_1[at_1 + lost] * scores[left_0 - lost, left_1]
                lost += U(1)
            lost = U(1)
            while chances_0[at_0 + lost] >= 0.0:
                after_a += chances_0[at_0 + lost] * own[U(row) + left_1 - lost]
                lost += U(1)
            # The sum of the geometric series of turns of both sides in which nobody is hurt.
            score = (after_a + stay_a * after_b) / (1.0 - again)
            own[number_1], own[row + number_1] = score, after_b + stay_b * score
    for cell in range(len(cells)):
        for first in range(2):
            table[cell, first, A] = scores[cells[cell, 0], first * row + cells[cell, 1]]
            table[cell, first, DRAW] = 0.0


def _of_equals(standing: Any) -> Any:
    """Return the worth of each unit of a side if all have the same; less than 0 if they differ."""
    if len(standing) == 1:
        return 0.0
    each = standing[len(standing) - 1, 0] / standing[len(standing) - 1, 1]
    for number in range(len(standing)):
        if standing[number, 0] != each * standing[number, 1]:
            return -1.0
    return each


def _write(ends: Any, cells: Any, numbers_0: Any, numbers_1: Any, fields: Any, table: Any) -> None:
    """Copy the four fields of each state in `ends` into the fields of the table whose indices are `fields`."""
    a, b, c, d = fields
    for cell in range(len(cells)):
        for first in range(2):
            at = (first * len(numbers_0) + cells[cell, 0]) * len(numbers_1) + cells[cell, 1]
            table[cell, first, a], table[cell, first, b] = ends[at, 0], ends[at, 1]
            table[cell, first, c], table[cell, first, d] = ends[at, 2], ends[at, 3]
            table[cell, first, BOTH] = 0.0


def _settle_numbers(
    turns_0: Any,
    turns_1: Any,
    numbers_0: Any,
    numbers_1: Any,
    standing: Any,
    floors: Any,
    by_worth: Any,
    rest: Any,
    ends: Any,
) -> Any:
    """Work out four of the eight fields of an outcome for all states.

    Parameters
    ----------
    turns_0, turns_1, numbers_0, numbers_1, standing, floors, by_worth
        As for `settled`.
    rest : bool
        If True, the fields are the chance that side 1 wins, the chance of a draw, and the worth that each side has
        left. If False, they are the chance that side 0 wins, the player turns, and the number of units that each side
        has left.
    ends : array of float, shape (2 * numbers of side 0 * numbers of side 1, `FIELDS`)
        Takes the fields, by the side to move, the number of side 0, and that of side 1, which runs fastest.

    Returns
    -------
    bool
        Whether there can be a draw.
    """
    _, _, _, found_0, chances_0 = turns_0
    _, _, _, found_1, chances_1 = turns_1
    rows, row, begin_0, begin_1 = len(numbers_0), len(numbers_1), floors[0] + 1, floors[1] + 1
    one, half, step, turn, draws = U(1), U(rows * row), U(row), 0.0 if rest else 1.0, False
    pair = standing, floors, by_worth, rest, half, step
    for number_0 in range(rows):
        for number_1 in range(row if number_0 < begin_0 else begin_1):
            draws = _over(number_0, number_1, True, *pair, ends) or draws
    # In order of the sum of both numbers: no state leads to another of the same sum, so that the processor can work on
    # several at a time.
    for both in range(begin_0 + begin_1, rows + row - 1):
        for left_0 in range(U(max(begin_0, both - row + 1)), U(min(rows, both - begin_1 + 1))):
            left_1 = U(both) - left_0
            node_0, node_1 = U(numbers_0[left_0, NODE]), U(numbers_1[left_1, NODE])
            at_0, at_1 = U(found_0[node_0, left_1, BEGIN]), U(found_1[node_1, left_0, BEGIN])
            stay_a, stay_b = chances_0[at_0], chances_1[at_1]
            again = stay_a * stay_b
            here = left_0 * step + left_1
            there = here + half
            if again == 1.0:
                # The battle is over since neither side can hurt the other, or it never ends since neither ever does.
                ended = left_1 <= U(numbers_0[left_0, REACH]) and left_0 <= U(numbers_1[left_1, REACH])
                draws = _over(left_0, left_1, ended, *pair, ends) or draws
                continue
            # Variables, not an array, so that they stay in registers.
            wins = left_a = left_b = 0.0
            turns = turn
            lost = one
            while True:
                share = chances_1[at_1 + lost]
                if share < 0.0:
                    break
                # The number of turns may be infinite, and 0 times infinity is not a number.
                if share > 0.0:
                    to = here - lost * step
                    wins += share * ends[to, 0]
                    turns += share * ends[to, 1]
                    left_a += share * ends[to, 2]
                    left_b += share * ends[to, 3]
                lost += one
            wins_0 = left_a_0 = left_b_0 = 0.0
            turns_too = turn
            lost = one
            while True:
                share = chances_0[at_0 + lost]
                if share < 0.0:
                    break
                if share > 0.0:
                    to = there - lost
                    wins_0 += share * ends[to, 0]
                    turns_too += share * ends[to, 1]
                    left_a_0 += share * ends[to, 2]
                    left_b_0 += share * ends[to, 3]
                lost += one
            # The sum of the geometric series of turns of both sides in which nobody is hurt.
            factor = 1.0 / (1.0 - again)
            if stay_a > 0.0:
                wins_0 += stay_a * wins
                turns_too += stay_a * turns
                left_a_0 += stay_a * left_a
                left_b_0 += stay_a * left_b
            wins_0 *= factor
            turns_too *= factor
            left_a_0 *= factor
            left_b_0 *= factor
            if stay_b > 0.0:
                wins += stay_b * wins_0
                turns += stay_b * turns_too
                left_a += stay_b * left_a_0
                left_b += stay_b * left_b_0
            ends[here, 0], ends[here, 1], ends[here, 2], ends[here, 3] = wins_0, turns_too, left_a_0, left_b_0
            ends[there, 0], ends[there, 1], ends[there, 2], ends[there, 3] = wins, turns, left_a, left_b
    return draws


def _mark_nodes(turns: Any, numbers: Any) -> None:
    """Write the column `NODE` of a side's numbers."""
    spots, _, endings = turns[:3]
    for number in range(len(numbers)):
        at = numbers[number, START]
        numbers[number, NODE] = GIVEN_UP
        if spots[at, FIRST_ENDING] < spots[at + 1, FIRST_ENDING]:
            numbers[number, NODE] = endings[spots[at, FIRST_ENDING], ROOT]


def _over(
    number_0: Any,
    number_1: Any,
    over: Any,
    standing: Any,
    floors: Any,
    by_worth: Any,
    rest: Any,
    half: Any,
    step: Any,
    ends: Any,
) -> Any:
    """Write how a battle ends that is over, or that never ends (`over` is False), which is a draw.

    `step` and `half` are the distances in `ends` between two numbers of side 0, and between the two sides to move. The
    result is whether the battle is a draw between sides that both have a unit left that counts.
    """
    lead, field = lead_of(number_0, number_1, standing, floors, by_worth) if over else 0.0, 0 if rest else 1
    here = U(number_0) * step + U(number_1)
    for at in (here, here + half):
        if rest:
            ends[at, 0], ends[at, 1] = 1.0 if lead < 0 else 0.0, 1.0 if lead == 0 else 0.0
        else:
            ends[at, 0], ends[at, 1] = 1.0 if lead > 0 else 0.0, 0.0 if over else np.inf
        ends[at, 2], ends[at, 3] = standing[0][number_0, field], standing[1][number_1, field]
    return lead == 0.0 and number_0 > floors[0] and number_1 > floors[1]
