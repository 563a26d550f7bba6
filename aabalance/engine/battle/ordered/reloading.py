"""Ordered battles in which guns reload or rounds are counted: the graph of their states, and how it is solved.

A state is the side to move and a position of each side: its strength, and which of its guns have to reload or are
prepared. All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine import absorbing
from aabalance.engine.absorbing import Transitions, play_rounds, solve_absorbing
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.battle.ordered.payoffs import BEGIN, LEAST, NEVER, SCORE, Turns, lead_of
from aabalance.engine.battle.ordered.sides import REACH, START, Queue
from aabalance.engine.battle.ordered.turns import AFTER, FALLEN, FIRST_ENDING, ROOT, U
from aabalance.engine.outcome import DRAW, TURNS, A, B

MOST_TRANSITIONS = 1 << 24
"""Most transitions between states; a battle with more isn't solved so."""


class Linked(NamedTuple):
    """All states of a battle.

    The index of a state is made up of the side to move, the position of side 0, and that of side 1, which runs fastest.

    Attributes
    ----------
    transitions : Transitions
        The transitions between them; none if there are more than `MOST_TRANSITIONS`.
    order, group : array of int64, shape (states,)
        As for `solve_absorbing`.
    lead : array of float, shape (states,)
        As from `lead_of`, for a battle that ends in the state.
    movers : array of int8, shape (states,)
        The side whose turn it is; -1 if the battle is over.
    left : array of float, shape (states, ENDS - VALUE)
        The cost of what each side has left, then the number of its units.
    """

    transitions: Transitions
    order: Ints
    group: Ints
    lead: Floats
    movers: npt.NDArray[np.int8]
    left: Floats


def solve_positions(
    turns_0: Turns,
    turns_1: Turns,
    queue_0: Queue,
    queue_1: Queue,
    by_cost: bool,
    rounds: int,
    most_steps: int,
    cells: Ints,
    fields: Ints,
    table: Floats,
) -> bool:
    """Work out how battles end.

    Parameters
    ----------
    turns_0, turns_1, queue_0, queue_1, by_cost, cells, fields, table
        As for `payoffs.solve_payoffs`.
    rounds : int
        Limit of turns of each side; 0 for none.
    most_steps : int
        Largest number of transitions times player turns.

    Returns
    -------
    bool
        False if there are too many transitions; then nothing is written.
    """
    linked = _linked(turns_0, turns_1, queue_0, queue_1, by_cost)
    transitions, lead, movers = linked.transitions, linked.lead, linked.movers
    row, half = turns_1.size, turns_0.size * turns_1.size
    count, ways = len(movers), transitions.indptr[-1]
    if ways > MOST_TRANSITIONS or ways * 2 * rounds > most_steps:
        return False
    done, ends = np.empty(count, np.int8), np.empty((count, absorbing.ENDS))
    for mover in range(2):
        if mover == 0 or rounds > 0:
            for at in range(count):
                known = movers[at] < 0 or (rounds > 0 and movers[at] == mover and (lead[at] != 0.0 or not by_cost))
                done[at] = absorbing.DONE if known else absorbing.NEW
                for x in range(absorbing.VALUE):
                    ends[at, x] = 0.0
                for x in range(absorbing.VALUE, absorbing.ENDS):
                    ends[at, x] = linked.left[at, x - absorbing.VALUE]
                ends[at, A if lead[at] > 0 else B if lead[at] < 0 else DRAW] = 1.0
            if rounds == 0 or by_cost:
                solve_absorbing(linked.order, linked.group, transitions, linked.left, done, ends)
            if rounds > 0:
                play_rounds(rounds, movers, 1 - mover, transitions, ends)
        for cell in range(len(cells)):
            strength_0, strength_1 = cells[cell, 0], cells[cell, 1]
            at = queue_0.strengths[strength_0, START] * row + queue_1.strengths[strength_1, START] + mover * half
            for x in range(len(fields)):
                if fields[x] == SCORE:
                    table[cell, mover, x] = ends[at, A] + ends[at, DRAW] / 2
                elif fields[x] == NEVER:
                    table[cell, mover, x] = 1.0 if np.isinf(ends[at, TURNS]) else 0.0
                else:
                    table[cell, mover, x] = ends[at, fields[x]]
    return True


def _linked(turns_0: Turns, turns_1: Turns, queue_0: Queue, queue_1: Queue, by_cost: bool) -> Linked:
    """Return all states of a battle."""
    strengths_0, strengths_1 = queue_0.strengths, queue_1.strengths
    size_0, row = turns_0.size, turns_1.size
    half = size_0 * row
    count = 2 * half
    indptr, group = np.zeros(count + 1, np.int64), np.empty(count, np.int64)
    lead, movers, left = np.empty(count), np.empty(count, np.int8), np.empty((count, absorbing.ENDS - absorbing.VALUE))
    strength_of_0, strength_of_1 = _strength_of(strengths_0, size_0), _strength_of(strengths_1, row)
    for at in range(count):
        at_0, at_1 = at % half // row, at % row
        strength_0, strength_1 = strength_of_0[at_0], strength_of_1[at_1]
        for x in range(2):
            left[at, 2 * x], left[at, 2 * x + 1] = queue_0.standing[strength_0, x], queue_1.standing[strength_1, x]
        fights_0, fights_1 = strength_0 > queue_0.floor, strength_1 > queue_1.floor
        lead[at] = lead_of(fights_0, fights_1, left[at, 0], left[at, 1], by_cost)
        group[at] = strength_0 * len(strengths_1) + strength_1
        harmless = strength_1 <= strengths_0[strength_0, REACH] and strength_0 <= strengths_1[strength_1, REACH]
        movers[at] = -1 if harmless or not fights_0 or not fights_1 else at // half
        count_on = 0
        if movers[at] == 0:
            count_on = _count_transitions(turns_0, at_0, strength_1)
        elif movers[at] == 1:
            count_on = _count_transitions(turns_1, at_1, strength_0)
        indptr[at + 1] = indptr[at] + count_on
    size = indptr[count] if indptr[count] <= MOST_TRANSITIONS else 0
    transitions = Transitions(indptr, np.empty(size, np.int32), np.empty(size))
    down_0, down_1 = (
        _look_ahead(strengths_0, turns_0.positions, size_0),
        _look_ahead(strengths_1, turns_1.positions, row),
    )
    for at in range(count):
        at_0, at_1 = at % half // row, at % row
        if size > 0 and movers[at] == 0:
            _link(turns_0, at_0, strength_of_1[at_1], down_1[at_1], half, row, 1, indptr[at], transitions)
        elif size > 0 and movers[at] == 1:
            _link(turns_1, at_1, strength_of_0[at_0], down_0[at_0], 0, 1, row, indptr[at], transitions)
    return Linked(transitions, _in_order(strengths_0, strengths_1, size_0, row), group, lead, movers, left)


def _in_order(strengths_0: Ints, strengths_1: Ints, size_0: int, row: int) -> Ints:
    """Return all states by rising strengths of side 0, then of side 1."""
    order, listed = np.empty(2 * size_0 * row, np.int64), 0
    for strength_0 in range(len(strengths_0)):
        for strength_1 in range(len(strengths_1)):
            for mover in range(2):
                for at_0 in range(strengths_0[strength_0, START], _end(strengths_0, strength_0, size_0)):
                    for at_1 in range(strengths_1[strength_1, START], _end(strengths_1, strength_1, row)):
                        order[listed] = (mover * size_0 + at_0) * row + at_1
                        listed += 1
    return order


def _end(strengths: Ints, strength: int, size: int) -> int:
    """Return the index behind the last position with a strength; positions are listed from the largest one down."""
    return strengths[strength - 1, START] if strength > 0 else size


def _count_transitions(turns: Turns, at: int, strength: int) -> int:
    """Return how many transitions lead on from position `at` if the other side has this strength.

    One of them hurts nobody.
    """
    positions, endings, spans, chances = turns.positions, turns.endings, turns.spans, turns.chances
    several = 1
    for ending in range(positions[at, FIRST_ENDING], positions[at + 1, FIRST_ENDING]):
        root = endings[ending, ROOT]
        begin = spans[root, strength, BEGIN]
        for x in range(U(begin + 1), U(begin + strength - spans[root, strength, LEAST] + 1)):
            several += 1 if chances[x] > 0.0 else 0
    return several


def _link(
    turns: Turns, at: int, strength: int, down: Ints, base: int, step: int, other: int, begin: int, to: Transitions
) -> None:
    """Write the transitions that lead on from position `at`, from index `begin` on.

    The index of a state is the sum of `base`, `step` times the position of the side that moves, and `other` times that
    of the other side. The other side has this `strength`; `down` has its position once it has less, by strength.
    """
    positions, endings, spans, chances = turns.positions, turns.endings, turns.spans, turns.chances
    after, share, way = 0, -1.0, begin
    for ending in range(positions[at, FIRST_ENDING], positions[at + 1, FIRST_ENDING]):
        root, here = endings[ending, ROOT], base + endings[ending, AFTER] * step
        first = spans[root, strength, BEGIN]
        for lost in range(1, strength - spans[root, strength, LEAST] + 1):
            chance = chances[U(first + lost)]
            if chance > 0.0:
                to.indices[U(way)], to.probability[U(way)] = here + down[U(strength - lost)] * other, chance
                way += 1
        # A turn in which nobody is hurt always goes the same way, so that only one ending has a chance of it.
        if chances[first] > share:
            after, share = here + down[strength] * other, chances[first]
    to.indices[way], to.probability[way] = after, share


def _strength_of(strengths: Ints, size: int) -> Ints:
    """Return the strength of each position."""
    strength_of, strength = np.zeros(size, np.int64), len(strengths) - 1
    for at in range(size):
        while at >= _end(strengths, strength, size):
            strength -= 1
        strength_of[at] = strength
    return strength_of


def _look_ahead(strengths: Ints, positions: Ints, size: int) -> Ints:
    """Return, by position and strength, the position in which a side is once it has come down to that strength."""
    down = np.zeros((size, len(strengths)), np.int64)
    for strength in range(len(strengths)):
        for at in range(strengths[strength, START], _end(strengths, strength, size)):
            for lower in range(strength):
                down[at, lower] = down[positions[at, FALLEN], lower]
            down[at, strength] = at
    return down
