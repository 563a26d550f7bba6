"""Chains in which guns reload or rounds are counted: the graph of their positions, which `exact` solves.

Plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.chain_lines import REACH, START
from aabalance.engine.battle.chain_turns import AFTER, FALLEN, ROOT
from aabalance.engine.battle.exact import DONE, ENDS, NEW, VALUE, play_rounds, settle
from aabalance.engine.outcome import DRAW, A, B

MOST_WAYS = 1 << 24
"""From one state to another, where to give up."""


def settle_positions(
    turns_0: Any,
    turns_1: Any,
    numbers_0: Any,
    numbers_1: Any,
    standing: Any,
    floors: Any,
    rounds: Any,
    by_worth: Any,
    most_steps: Any,
    table: Any,
    cells: Any,
) -> Any:
    """Work out how battles end in which guns reload or rounds are counted, as `aabalance.engine.battle.exact` does.

    `table` is written, by what is left in each of its `cells`, a pair of numbers; False is returned if it isn't, since
    there are too many ways to go on.
    """
    first, to, p, order, group, lead, movers, left = _linked(
        turns_0, turns_1, numbers_0, numbers_1, standing, floors, by_worth
    )
    row, half = turns_1[1], turns_0[1] * turns_1[1]
    count = len(group)
    if first[count] > MOST_WAYS or first[count] * 2 * rounds > most_steps:
        return False
    after, stay, done = np.empty(count, np.int32), np.empty(count), np.empty(count, np.int8)
    ends = np.empty((count, ENDS))
    for mover in range(2):
        if mover == 0 or rounds > 0:
            for at in range(count):
                known = movers[at] < 0 or (rounds > 0 and movers[at] == mover and (lead[at] != 0.0 or not by_worth))
                done[at] = DONE if known else NEW
                for x in range(VALUE):
                    ends[at, x] = 0.0
                for x in range(VALUE, ENDS):
                    ends[at, x] = left[at, x - VALUE]
                ends[at, A if lead[at] > 0 else B if lead[at] < 0 else DRAW] = 1.0
            if rounds == 0 or by_worth:
                settle(order, group, first, to, p, left, done, after, stay, ends)
            if rounds > 0:
                play_rounds(rounds, movers, 1 - mover, first, to, p, ends)
        for cell in range(len(cells)):
            at = numbers_0[cells[cell, 0], START] * row + numbers_1[cells[cell, 1], START] + mover * half
            for x in range(ENDS):
                table[cell, mover, x] = ends[at, x]
    return True


def _linked(
    turns_0: Any, turns_1: Any, numbers_0: Any, numbers_1: Any, standing: Any, floors: Any, by_worth: Any
) -> Any:
    """Return the graph of all states: by who is to move and the positions of side 0 and side 1.

    Beyond `MOST_WAYS` it has none.

    Returns
    -------
    first, to, p : arrays
        As in `aabalance.engine.battle.graph.Graph`.
    order, group : array of int64
        As for `aabalance.engine.battle.exact.settle`.
    lead : array of float
        By its sign, who wins if no more turn is played.
    movers : array of int8
        Whose turn it is; neither side's if the battle is over.
    left : array of float, shape (states, 4)
        The worth that both sides have left, and their units.
    """
    spots_0, found_0, first_0, to_0, p_0, stay_0 = turns_0
    spots_1, row, first_1, to_1, p_1, stay_1 = turns_1
    down_0, down_1 = _look_ahead(numbers_0, spots_0, found_0), _look_ahead(numbers_1, spots_1, row)
    half = found_0 * row
    count = 2 * half
    first, order, group = np.zeros(count + 1, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    lead, movers, left = np.empty(count), np.empty(count, np.int8), np.empty((count, 4))
    number_of_0, number_of_1 = _number_of(numbers_0, found_0), _number_of(numbers_1, row)
    placed = 0
    for number_0 in range(len(numbers_0)):
        begin_0, end_0 = numbers_0[number_0, START], numbers_0[number_0 - 1, START] if number_0 > 0 else found_0
        for number_1 in range(len(numbers_1)):
            begin_1, end_1 = numbers_1[number_1, START], numbers_1[number_1 - 1, START] if number_1 > 0 else row
            over = number_0 <= floors[0] or number_1 <= floors[1]
            over = over or (number_1 <= numbers_0[number_0, REACH] and number_0 <= numbers_1[number_1, REACH])
            ahead = lead_of(number_0, number_1, standing, floors, by_worth)
            for mover in range(2):
                for at_0 in range(begin_0, end_0):
                    for at_1 in range(begin_1, end_1):
                        at = mover * half + at_0 * row + at_1
                        order[placed] = at
                        placed += 1
                        group[at], lead[at], movers[at] = number_0 * len(numbers_1) + number_1, ahead, mover
                        left[at, 0], left[at, 2] = standing[0][number_0, 0], standing[0][number_0, 1]
                        left[at, 1], left[at, 3] = standing[1][number_1, 0], standing[1][number_1, 1]
                        if over:
                            movers[at] = -1
                        elif mover == 0:
                            node = spots_0[at_0, ROOT]
                            first[at + 1] = first_0[node, number_1 + 1] - first_0[node, number_1] + 1
                        else:
                            node = spots_1[at_1, ROOT]
                            first[at + 1] = first_1[node, number_0 + 1] - first_1[node, number_0] + 1
    for at in range(count):
        first[at + 1] += first[at]
    size = first[count] if first[count] <= MOST_WAYS else 0
    to, p = np.empty(size, np.int32), np.empty(size)
    for at in range(count):
        if movers[at] < 0 or size == 0:
            continue
        at_0, at_1 = at % half // row, at % row
        # The last of its ways hurts nobody.
        end = first[at + 1] - 1
        if movers[at] == 0:
            node, number = spots_0[at_0, ROOT], number_of_1[at_1]
            base, begin = half + spots_0[at_0, AFTER] * row, first_0[node, number]
            for way in range(end - first[at]):
                to[first[at] + way], p[first[at] + way] = base + down_1[at_1, to_0[begin + way]], p_0[begin + way]
            to[end], p[end] = base + at_1, stay_0[node, number]
        else:
            node, number = spots_1[at_1, ROOT], number_of_0[at_0]
            base, begin = spots_1[at_1, AFTER], first_1[node, number]
            for way in range(end - first[at]):
                to[first[at] + way], p[first[at] + way] = base + down_0[at_0, to_1[begin + way]] * row, p_1[begin + way]
            to[end], p[end] = base + at_0 * row, stay_1[node, number]
    return first, to, p, order, group, lead, movers, left


def _number_of(numbers: Any, found: Any) -> Any:
    """Return the numbers of positions, of which the largest number has the first."""
    number_of, number = np.zeros(found, np.int64), len(numbers) - 1
    for at in range(found):
        while number > 0 and at >= numbers[number - 1, START]:
            number -= 1
        number_of[at] = number
    return number_of


def _look_ahead(numbers: Any, spots: Any, found: Any) -> Any:
    """Return by position and number the position once so much is left."""
    down = np.zeros((found, len(numbers)), np.int64)
    end = found
    for number in range(len(numbers)):
        for at in range(numbers[number, START], end):
            for lower in range(number):
                down[at, lower] = down[spots[at, FALLEN], lower]
            down[at, number] = at
        end = numbers[number, START]
    return down


def lead_of(number_0: Any, number_1: Any, standing: Any, floors: Any, by_worth: Any) -> Any:
    """Return by its sign who wins a battle that is over."""
    fights_0, fights_1 = number_0 > floors[0], number_1 > floors[1]
    if fights_0 != fights_1:
        return 1.0 if fights_0 else -1.0
    return standing[0][number_0, 0] - standing[1][number_1, 0] if by_worth else 0.0
