"""How a battle ends from each state of its graph: an absorbing Markov chain, solved from the last states to the first.

Plain loops that also compile. Only a turn that hurts nobody leaves the number of what is left as it was. So the states
with the same number form lines into cycles: a cycle is summed as a geometric series, a line is followed back. Nothing
is truncated.

How a battle ends is told by one or several payoffs, each with a column: what each turn pays, and what the battle pays
once it is over, or if it has no end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine.arrays import Floats, Ints

Nodes = npt.NDArray[np.int32]
Marks = npt.NDArray[np.int8]

NEW, ON_WAY, DONE = range(3)


class Transitions(NamedTuple):
    """A matrix of transitions in compressed sparse rows.

    Attributes
    ----------
    indptr : array of int64, shape (rows + 1,)
        The index at which the transitions of each row begin.
    indices : array of int32
        By transition, the state to which it leads.
    probability : array of float
        By transition, its probability.
    """

    indptr: Ints
    indices: Nodes
    probability: Floats


def solve_absorbing(
    order: Ints, group: Ints, transitions: Transitions, each_turn: Floats, never: Floats, done: Marks, ends: Floats
) -> None:
    """Work out how battles without a turn limit end.

    Parameters
    ----------
    order : array of int64, shape (n,)
        States by rising number.
    group : array of int64, shape (n,)
        Number of what is left in each state; states with the same number belong together.
    transitions : Transitions
        With a row for each state.
    each_turn : array of float, shape (payoffs,)
        What a turn pays.
    never : array of float, shape (n, payoffs)
        What a battle pays that never ends, by the state in which it stays.
    done : array of int8, shape (n,)
        `DONE` for states whose row of `ends` is known already, else `NEW`; all are `DONE` afterwards.
    ends : array of float, shape (n, payoffs)
        Takes the expected payoffs of battles that begin in each state.
    """
    indptr, indices, probability = transitions
    after, stay = np.empty(len(order), np.int32), np.empty(len(order))
    begin = 0
    while begin < len(order):
        stop = begin
        while stop < len(order) and group[order[stop]] == group[order[begin]]:
            at = order[stop]
            stop += 1
            if done[at] == DONE:
                continue
            after[at], stay[at] = -1, 0.0
            for x in range(len(each_turn)):
                ends[at, x] = each_turn[x]
            for way in range(indptr[at], indptr[at + 1]):
                node = indices[way]
                if group[node] == group[at] and done[node] != DONE:
                    after[at], stay[at] = node, probability[way]
                else:
                    for x in range(len(each_turn)):
                        ends[at, x] += probability[way] * ends[node, x]
        for index in range(begin, stop):
            follow(order[index], after, stay, never, done, ends)
        begin = stop


def follow(at: int, after: Nodes, stay: Floats, never: Floats, done: Marks, ends: Floats) -> None:
    """Work out how battles end from a state, and from the states to which turns that hurt nobody lead from it.

    Parameters
    ----------
    at : int
        The state.
    after, stay : array of int32 and of float, shape (n,)
        The state to which a turn leads that hurts nobody, and its probability; -1 where no turn leads to a state with
        the same number.
    never, done, ends
        As for `solve_absorbing`; `ends` has already what all other turns contribute.
    """
    begin = at
    while done[at] == NEW and after[at] >= 0:
        done[at] = ON_WAY
        at = after[at]
    closes = done[at] == ON_WAY
    if closes:
        _close(at, after, stay, never, ends)
    done[at] = DONE
    if closes:
        _follow_back(after[at], after, stay, done, ends)
    _follow_back(begin, after, stay, done, ends)


def _follow_back(at: int, after: Nodes, stay: Floats, done: Marks, ends: Floats) -> None:
    """Work out a line of states, from its first state that is known back to its beginning `at`."""
    while done[at] != DONE:
        last = at
        while done[after[last]] != DONE:
            last = after[last]
        for x in range(ends.shape[1]):
            ends[last, x] += stay[last] * ends[after[last], x]
        done[last] = DONE


def _close(at: int, after: Nodes, stay: Floats, never: Floats, ends: Floats) -> None:
    """Work out a state that lies on a cycle."""
    loop = 1.0
    node = at
    while True:
        loop *= stay[node]
        node = after[node]
        if node == at:
            break
    if loop == 1.0:
        for x in range(ends.shape[1]):
            ends[at, x] = never[at, x]
        return
    share = stay[at]
    node = after[at]
    while node != at:
        for x in range(ends.shape[1]):
            ends[at, x] += share * ends[node, x]
        share *= stay[node]
        node = after[node]
    for x in range(ends.shape[1]):
        ends[at, x] /= 1.0 - loop


def play_rounds(
    rounds: int, movers: Marks, second: int, transitions: Transitions, each_turn: Floats, ends: Floats
) -> None:
    """Work out how battles with a turn limit end, backwards from the end of the last round.

    Parameters
    ----------
    rounds : int
        Number of turns of each side.
    movers : array of int8, shape (n,)
        The side whose turn it is in each state; neither side in a state that is over.
    second : int
        The side that moves second in a round.
    transitions, each_turn
        As for `solve_absorbing`.
    ends : array of float, shape (n, payoffs)
        For states that are over, and for those in which a round begins: what a battle pays that is in the state after
        the last round. The rows are changed to the expected payoffs of a battle that is in the state before the first.
    """
    indptr, indices, probability = transitions
    for turn in range(2 * rounds):
        mover = second if turn % 2 == 0 else 1 - second
        for at in range(len(movers)):
            if movers[at] != mover:
                continue
            for x in range(len(each_turn)):
                ends[at, x] = each_turn[x]
            for way in range(indptr[at], indptr[at + 1]):
                for x in range(len(each_turn)):
                    ends[at, x] += probability[way] * ends[indices[way], x]
