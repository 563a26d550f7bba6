"""The best reply to a policy: one side may pick whatever is ready at every moment of its turn, or stop.

It looks for the largest score, the chance to win and half of that of a draw. Plain loops that also compile.

A strike that hurts anybody leads to a smaller number of what is left, so only nodes of one number form cycles, and of
each choice one way at most leads to one of these. Among them the choices are made by policy iteration, from one that
keeps a draw for ever wherever nobody can keep the side from it; since only what is better takes the place of a choice,
none ends in a cycle that isn't worth it, and the last is as good as any. Of equals the first stays: by strike, unit and
enemy, and to stop last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.exact import DONE, ENDS, NEW, finish
from aabalance.engine.outcome import DRAW, TURNS

ROUNDING = 1e-14
"""By how much a choice has to be better than another: what rounding leaves of two equals is less."""


def settle(me: Any, graph: Any, order: Any, group: Any, standing: Any, known: Any, ends: Any) -> None:
    """Work out how battles end that go on until they are over.

    Parameters
    ----------
    me : int
        The side that chooses.
    graph : aabalance.engine.battle.graph.Graph
    order, group, standing, ends
        As for `aabalance.engine.battle.exact.settle`, by node.
    known : array of bool, shape (n,)
        Nodes whose row of `ends` is known already.
    """
    first, to, p = graph.first, graph.to, graph.p
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
                for x in range(ENDS):
                    ends[at, x] = 0.0
                ends[at, TURNS] = 1.0 if graph.spent[at] == 0 else 0.0
                for way in range(first[picks[at]], first[picks[at] + 1]):
                    node = to[way]
                    if group[node] == group[at] and not known[node]:
                        after[at], stay[at] = node, p[way]
                    else:
                        for x in range(ENDS):
                            ends[at, x] += p[way] * ends[node, x]
            for at in nodes:
                finish(at, after, stay, standing, done, ends)
            better = False
            for at in nodes:
                if known[at]:
                    continue
                most = _score(me, ends[at]) + ROUNDING
                for choice in range(graph.choices[at], graph.choices[at + 1]):
                    score = _score_of(me, graph, choice, ends)
                    if score > most:
                        most, picks[at], better = score, choice, True
        begin = stop


def _stay_for_ever(nodes: Any, graph: Any, group: Any, known: Any, picks: Any) -> None:
    """Write a choice that leads nowhere but to nodes of the same kind where there is one, else the first."""
    choices, first, to = graph.choices, graph.first, graph.to
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
                node = to[first[choice]]
                sure = first[choice + 1] - first[choice] == 1 and group[node] == group[at] and not known[node]
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


def play_rounds(me: Any, graph: Any, rounds: Any, order: Any, movers: Any, second: Any, ends: Any) -> None:
    """Go back from the end of a round by so many turns of each side.

    Parameters
    ----------
    me, graph
        As for `settle`.
    order : array of int64, shape (n,)
        Nodes, each after those of the same turn to which it leads.
    rounds, movers, second, ends
        As for `aabalance.engine.battle.exact.play_rounds`, by node.
    """
    choices, first, to, p = graph.choices, graph.first, graph.to, graph.p
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
            for x in range(ENDS):
                ends[at, x] = 0.0
            ends[at, TURNS] = 1.0 if graph.spent[at] == 0 else 0.0
            for way in range(first[pick], first[pick + 1]):
                for x in range(ENDS):
                    ends[at, x] += p[way] * ends[to[way], x]


def _score_of(me: Any, graph: Any, choice: Any, ends: Any) -> Any:
    score = 0.0
    for way in range(graph.first[choice], graph.first[choice + 1]):
        score += graph.p[way] * _score(me, ends[graph.to[way]])
    return score


def _score(me: Any, end: Any) -> Any:
    return end[me] + end[DRAW] / 2
