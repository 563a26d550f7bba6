"""Chains in which guns reload or rounds are counted: the graph of their states, and how it is solved.

A state is the side to move and a position of each side: what it has left, and which of its guns have to reload or are
prepared. `aabalance.engine.battle.states.absorbing` solves the graph. All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.ordered.queue import REACH, START
from aabalance.engine.battle.ordered.transitions import BEGIN, LEAST
from aabalance.engine.battle.ordered.turns import AFTER, FALLEN, FIRST_ENDING, ROOT, U
from aabalance.engine.battle.states.absorbing import DONE, ENDS, NEW, VALUE, play_rounds, settle
from aabalance.engine.outcome import DRAW, A, B

MOST_WAYS = 1 << 24
"""Largest number of ways from one state to another; a battle with more isn't solved so."""


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
    """Work out how battles end in which guns reload or rounds are counted.

    Parameters
    ----------
    turns_0, turns_1 : tuple
        What `solver` knows of the turns of each side: the positions (array) and their
        number, the endings, and what the nodes lead to (two arrays, from `transitions.ways`).
    numbers_0, numbers_1 : array of int64, shape (numbers, columns)
        The numbers of each side, from `queue.line_up`.
    standing : pair of array of float, shape (numbers, 2)
        For each side, the worth and the number of its units that are left, by its number.
    floors : (int, int)
        For each side, the largest number at which it has no unit left that counts.
    rounds : int
        Limit of turns of each side; 0 for none.
    by_worth : bool
        Whether worth decides, as in `aabalance.rulesets.base.Mission`.
    most_steps : int
        Largest number of ways times player turns.
    table : array of float, shape (cells, 2, `ENDS`)
        Takes how the battles end, by the side that moves first.
    cells : array of int64, shape (cells, 2)
        For each battle, the numbers of both sides with which it begins.

    Returns
    -------
    bool
        False if there are too many ways; then nothing is written.
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
    """Return all states of a battle and the ways between them; without ways if there are more than `MOST_WAYS`.

    The index of a state is made up of the side to move, the position of side 0, and that of side 1, which runs fastest.

    Returns
    -------
    first, to, p : arrays
        As for `aabalance.engine.battle.states.absorbing.settle`.
    order, group : array of int64
        As for `aabalance.engine.battle.states.absorbing.settle`.
    lead : array of float
        As from `lead_of`, for a battle that ends in the state.
    movers : array of int8
        The side whose turn it is; -1 if the battle is over.
    left : array of float, shape (states, 4)
        The worth that each side has left, then the number of its units.
    """
    size_0, row = turns_0[1], turns_1[1]
    down_0, down_1 = _look_ahead(numbers_0, turns_0[0], size_0), _look_ahead(numbers_1, turns_1[0], row)
    half = size_0 * row
    count = 2 * half
    first, order, group = np.zeros(count + 1, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    lead, movers, left = np.empty(count), np.empty(count, np.int8), np.empty((count, 4))
    number_of_0, number_of_1 = _number_of(numbers_0, size_0), _number_of(numbers_1, row)
    placed = 0
    for number_0 in range(len(numbers_0)):
        begin_0, end_0 = numbers_0[number_0, START], numbers_0[number_0 - 1, START] if number_0 > 0 else size_0
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
                            first[at + 1] = _ways_of(turns_0, at_0, number_1)
                        else:
                            first[at + 1] = _ways_of(turns_1, at_1, number_0)
    for at in range(count):
        first[at + 1] += first[at]
    size = first[count] if first[count] <= MOST_WAYS else 0
    to, p = np.empty(size, np.int32), np.empty(size)
    for at in range(count):
        if movers[at] < 0 or size == 0:
            continue
        at_0, at_1 = at % half // row, at % row
        if movers[at] == 0:
            _link(turns_0, at_0, number_of_1[at_1], down_1[at_1], half, row, 1, first[at], to, p)
        else:
            _link(turns_1, at_1, number_of_0[at_0], down_0[at_0], 0, 1, row, first[at], to, p)
    return first, to, p, order, group, lead, movers, left


def _ways_of(turns: Any, at: Any, number: Any) -> Any:
    """Return how many ways lead on from position `at` if the other side has this number: one of them hurts nobody."""
    spots, _, endings, found, chances = turns
    several = 1
    for ending in range(spots[at, FIRST_ENDING], spots[at + 1, FIRST_ENDING]):
        root = endings[ending, ROOT]
        begin = found[root, number, BEGIN]
        for x in range(U(begin + 1), U(begin + number - found[root, number, LEAST] + 1)):
            several += 1 if chances[x] > 0.0 else 0
    return several


def _link(
    turns: Any, at: Any, number: Any, down: Any, base: Any, step: Any, other: Any, way: Any, to: Any, p: Any
) -> None:
    """Write the ways that lead on from position `at` into `to` and `p`, from index `way` on.

    The index of a state is the sum of `base`, `step` times the position of the side that moves, and `other` times that
    of the other side. The other side has this `number`; `down` has its position once it has less, by number.
    """
    spots, _, endings, found, chances = turns
    after, share = 0, -1.0
    for ending in range(spots[at, FIRST_ENDING], spots[at + 1, FIRST_ENDING]):
        root, here = endings[ending, ROOT], base + endings[ending, AFTER] * step
        begin = found[root, number, BEGIN]
        for lost in range(1, number - found[root, number, LEAST] + 1):
            chance = chances[U(begin + lost)]
            if chance > 0.0:
                to[U(way)], p[U(way)] = here + down[U(number - lost)] * other, chance
                way += 1
        # A turn in which nobody is hurt always goes the same way, so that only one ending has a chance of it.
        if chances[begin] > share:
            after, share = here + down[number] * other, chances[begin]
    to[way], p[way] = after, share


def _number_of(numbers: Any, size: Any) -> Any:
    """Return the number to which each position belongs; positions are listed from the largest number down."""
    number_of, number = np.zeros(size, np.int64), len(numbers) - 1
    for at in range(size):
        while number > 0 and at >= numbers[number - 1, START]:
            number -= 1
        number_of[at] = number
    return number_of


def _look_ahead(numbers: Any, spots: Any, size: Any) -> Any:
    """Return, by position and number, the position in which a side is once it has come down to that number."""
    down = np.zeros((size, len(numbers)), np.int64)
    end = size
    for number in range(len(numbers)):
        for at in range(numbers[number, START], end):
            for lower in range(number):
                down[at, lower] = down[spots[at, FALLEN], lower]
            down[at, number] = at
        end = numbers[number, START]
    return down


def lead_of(number_0: Any, number_1: Any, standing: Any, floors: Any, by_worth: Any) -> Any:
    """Return who wins a battle that is over: above 0 for side 0, below 0 for side 1, 0 for a draw.

    Parameters
    ----------
    number_0, number_1 : int
        The numbers of what each side has left.
    standing, floors, by_worth
        As for `settle_positions`.
    """
    fights_0, fights_1 = number_0 > floors[0], number_1 > floors[1]
    if fights_0 != fights_1:
        return 1.0 if fights_0 else -1.0
    return standing[0][number_0, 0] - standing[1][number_1, 0] if by_worth else 0.0
