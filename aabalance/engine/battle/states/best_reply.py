"""The best reply to a policy: at every moment of its turn, one side may make any strike that is ready, or stop.

It makes its score as large as possible: the chance to win, and half of the chance of a draw. Plain loops that also
compile.

A strike that hurts anybody leads to a smaller number of what is left. So only nodes with the same number form cycles,
and at most one transition of each choice leads to such a node. Among these nodes the choices are found by policy
iteration. It begins with choices that keep a draw for ever wherever no enemy can prevent it. Since a choice is replaced
only by a better one, no choice ends in a cycle that isn't worth it, and the last choices are the best. Of equal choices
the first stays: by strike, unit and enemy; to stop comes last.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aabalance.engine.battle.states.absorbing import DONE, ENDS, NEW, Floats, Ints, Marks, follow
from aabalance.engine.battle.states.graph import Graph
from aabalance.engine.outcome import DRAW, TURNS

Flags = npt.NDArray[np.bool_]

ROUNDING = 1e-14
"""How much better a choice has to be to replace another: rounding makes a smaller difference between equal choices."""


def solve_best_reply(
    me: int, graph: Graph, order: Ints, group: Ints, standing: Floats, known: Flags, ends: Floats
) -> None:
    """Work out how battles without a turn limit end.

    Parameters
    ----------
    me : int
        The side that chooses.
    graph : aabalance.engine.battle.states.graph.Graph
        The nodes, and the choices and ways between them.
    order, group, standing, ends
        As for `absorbing.settle`, by node.
    known : array of bool, shape (n,)
        Whether a node's row of `ends` is known already.
    """
    indptr, indices, probability = graph.by_choice
    picks, after = np.zeros(len(order), np.int64), np.zeros(len(order), np.int32)
    stay, done = np.zeros(len(order)), np.full(len(order), DONE, np.int8)
    begin = 0
    while begin < len(order):
        stop = begin
        while stop < len(order) and group[order[stop]] == group[order[begin]]:
            stop += 1
        nodes = order[begin:stop]
        _stay_for_ever(nodes, graph, group, known, picks)
        better = True
        while better:
            for at in nodes:
                if known[at]:
                    continue
                done[at], after[at], stay[at] = NEW, -1, 0.0
                _begin_row(graph, at, ends)
                for way in range(indptr[picks[at]], indptr[picks[at] + 1]):
                    node = indices[way]
                    if group[node] == group[at] and not known[node]:
                        after[at], stay[at] = node, probability[way]
                    else:
                        _add_row(probability[way], node, at, ends)
            for at in nodes:
                follow(at, after, stay, standing, done, ends)
            better = _improve(me, graph, nodes, known, picks, ends)
        begin = stop


def _begin_row(graph: Graph, at: int, ends: Floats) -> None:
    """Clear the row of a node; the first node of a turn counts the turn."""
    for x in range(ENDS):
        ends[at, x] = 0.0
    ends[at, TURNS] = 1.0 if graph.spent[at] == 0 else 0.0


def _add_row(share: float, node: int, at: int, ends: Floats) -> None:
    """Add the row of a node, weighted, to the row of another."""
    for x in range(ENDS):
        ends[at, x] += share * ends[node, x]


def _improve(me: int, graph: Graph, nodes: Ints, known: Flags, picks: Ints, ends: Floats) -> bool:
    """Pick the best choice of each node, by the rows of `ends`; return whether any is better than the one before."""
    better = False
    for at in nodes:
        if known[at]:
            continue
        most = _score(me, ends[at]) + ROUNDING
        for choice in range(graph.choices[at], graph.choices[at + 1]):
            score = _score_of(me, graph, choice, ends)
            if score > most:
                most, picks[at], better = score, choice, True
    return better


def _stay_for_ever(nodes: Ints, graph: Graph, group: Ints, known: Flags, picks: Ints) -> None:
    """Pick, at each node, a choice that surely keeps the battle among these nodes for ever; else the first choice."""
    choices, indptr, indices = graph.choices, graph.by_choice.indptr, graph.by_choice.indices
    out = -1
    for at in nodes:
        picks[at] = choices[at]
    changed = True
    while changed:
        changed = False
        for at in nodes:
            if known[at] or picks[at] == out:
                continue
            choice = picks[at]
            while choice < choices[at + 1]:
                node = indices[indptr[choice]]
                sure = indptr[choice + 1] - indptr[choice] == 1 and group[node] == group[at] and not known[node]
                if sure and picks[node] != out:
                    break
                choice += 1
            if choice == choices[at + 1]:
                choice = out
            changed = changed or choice != picks[at]
            picks[at] = choice
    for at in nodes:
        if picks[at] == out:
            picks[at] = choices[at]


def play_best_rounds(me: int, graph: Graph, rounds: int, order: Ints, movers: Marks, second: int, ends: Floats) -> None:
    """Work out how battles with a turn limit end, backwards from the end of the last round.

    Parameters
    ----------
    me, graph
        As for `solve_best_reply`.
    order : array of int64, shape (n,)
        Nodes; each comes after the nodes of the same turn to which it leads.
    rounds, movers, second, ends
        As for `absorbing.play_rounds`, by node.
    """
    choices, (indptr, indices, probability) = graph.choices, graph.by_choice
    for number in range(2 * rounds):
        mover = second if number % 2 == 0 else 1 - second
        for at in order:
            if movers[at] != mover:
                continue
            pick, most = choices[at], _score_of(me, graph, choices[at], ends)
            for choice in range(choices[at] + 1, choices[at + 1]):
                score = _score_of(me, graph, choice, ends)
                if score > most + ROUNDING:
                    pick, most = choice, score
            _begin_row(graph, at, ends)
            for way in range(indptr[pick], indptr[pick + 1]):
                _add_row(probability[way], indices[way], at, ends)


def _score_of(me: int, graph: Graph, choice: int, ends: Floats) -> float:
    indptr, indices, probability = graph.by_choice
    score = 0.0
    for way in range(indptr[choice], indptr[choice + 1]):
        score += probability[way] * _score(me, ends[indices[way]])
    return score


def _score(me: int, end: Floats) -> float:
    return float(end[me] + end[DRAW] / 2)
