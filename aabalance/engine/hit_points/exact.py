"""The exact solver: absorbing chains over (losses of both sides, node of the walk).

It has plain loops over indexable sequences, so that the same source runs as it is on lists for one duel, and compiled
on arrays for many (`aabalance.engine.jit`). Losses only grow, so that one pass over the lattice of losses meets every
state after all its predecessors. As long as losses stay the same, no turn has an effect, and the walk over nodes is a
line into a cycle: the line is followed once, the cycle summed as a geometric series. Nothing is truncated.

Cost of one duel: (hits that one side survives) x (hits that the other survives) x (nodes) x (outcomes of a volley).
"""

from __future__ import annotations

from typing import Any

from aabalance.engine.outcome import BOTH, DRAW, TURNS, A, B
from aabalance.errors import UsageError

TIE = 1e-12
"""Choices whose scores differ by no more than this count as equal, so that rounding doesn't choose."""

HP, AT, BRACKETS, LEAST_AT, NODES, QUANTUM = range(6)
"""Fields of a side; see `aabalance.engine.hit_points.moving.MovingDuel.sides`."""


MOST_STEPS = 1_000_000_000
"""Largest number of steps of a solution: they take seconds."""
OVERHEAD = 8
"""Number of steps that a turn takes besides those for its outcomes."""


def check_steps(steps: int, most: int = MOST_STEPS) -> int:
    """Return `steps`, the steps of an exact solution; a UsageError if there are more than `most`."""
    if steps > most:
        raise UsageError(
            f"duel: found {steps:.1e} steps to an exact solution, expected at most {most:.0e}: "
            "fewer rounds or less toughness, or a simulation if nobody chooses"
        )
    return steps


def survived(toughness: Any, step: Any) -> Any:
    """Return how many hits of `step` each take all of `toughness`; 1 if `step` is 0, since nothing is ever lost."""
    return 1 if step == 0 else (toughness + step - 1) // step


def lattice(side_0: Any, side_1: Any) -> Any:
    """Return, for each of the two sides of a duel, how many different losses it can have while it lives."""
    return survived(side_0[HP], side_1[QUANTUM]), survived(side_1[HP], side_0[QUANTUM])


def room(sides: Any) -> Any:
    """Return the largest number of states (losses of both sides, node) of a duel, and its largest number of nodes.

    Parameters
    ----------
    sides : sequence of int, shape (duels, 2, 6)
        As `aabalance.engine.hit_points.moving.MovingDuel.sides`.
    """
    most_states = most_nodes = 0
    for k in range(len(sides)):
        hits_0, hits_1 = lattice(sides[k][0], sides[k][1])
        nodes = sides[k][0][NODES] + sides[k][1][NODES]
        most_states, most_nodes = max(most_states, hits_0 * hits_1 * nodes), max(most_nodes, nodes)
    return most_states, most_nodes


def longest(sides: Any, widths: Any) -> Any:
    """Return how many steps the longest of the solutions takes.

    Parameters
    ----------
    sides : sequence of int, shape (duels, 2, 6)
        As `aabalance.engine.hit_points.moving.MovingDuel.sides`.
    widths : sequence of int, shape (duels, 2)
        By side, the number of steps of the volley with the most outcomes.
    """
    most = 0
    for k in range(len(sides)):
        hits_0, hits_1 = lattice(sides[k][0], sides[k][1])
        turns = sides[k][0][NODES] * widths[k][0] + sides[k][1][NODES] * widths[k][1]
        most = max(most, hits_0 * hits_1 * turns)
    return most


def solve(
    sides: Any, least: Any, volley: Any, after: Any, outcomes: Any, scratch: Any, nodes: Any, out: Any, left: Any
) -> None:
    """Solve duels that go on until one side is gone; side 0 moves first, at its node 0.

    Parameters
    ----------
    sides : sequence of int, shape (duels, 2, 6)
        As `aabalance.engine.hit_points.moving.MovingDuel.sides`.
    least : sequence of int
        Thresholds of all brackets.
    volley, after : sequences of int
        By entry, the number of its volley and the next node of the other side.
    outcomes : tuple of sequences
        As `aabalance.engine.volleys.Volleys.outcomes`.
    scratch : sequence of float
        Room to work in, for the largest duel: (losses of both sides) x nodes, and once more the number of nodes.
    nodes : sequence of int
        Room to work in: four times the number of nodes of the largest duel.
    out : sequence of float, shape (duels, 5)
        Takes the outcomes, in which a is side 0. The expected player turns are infinite if a duel may never end.
    left : sequence of float, shape (2, n)
        If n > 0 (with a single duel), the chance of each side to win with each amount of toughness left is added.
    """
    start, amount, chance, stay = outcomes
    for k in range(len(sides)):
        mine, yours = sides[k][0], sides[k][1]
        step_0, step_1 = mine[QUANTUM], yours[QUANTUM]
        hits_0, hits_1 = lattice(mine, yours)
        first, count = mine[NODES], mine[NODES] + yours[NODES]
        flow_at = hits_0 * hits_1 * count
        for x in range(flow_at):
            scratch[x] = 0.0
        scratch[0] = 1.0
        wins_0 = wins_1 = draws = turns = 0.0
        for i in range(hits_0):
            row_0 = 0
            while mine[HP] - i * step_1 < least[mine[LEAST_AT] + row_0]:
                row_0 += 1
            for j in range(hits_1):
                row_1 = 0
                while yours[HP] - j * step_0 < least[yours[LEAST_AT] + row_1]:
                    row_1 += 1
                cell = (i * hits_1 + j) * count
                entering = 0.0
                for n in range(count):
                    entering += scratch[cell + n]
                    scratch[flow_at + n] = scratch[cell + n]
                    nodes[n] = 0
                if entering == 0.0:
                    continue
                # The walk while losses stay as they are: each node's successor, volley, and number of predecessors.
                for n in range(count):
                    if n < first:
                        entry = mine[AT] + n * mine[BRACKETS] + row_0
                        nodes[count + n] = first + after[entry]
                    else:
                        entry = yours[AT] + (n - first) * yours[BRACKETS] + row_1
                        nodes[count + n] = after[entry]
                    nodes[2 * count + n] = volley[entry]
                    nodes[nodes[count + n]] += 1
                # The lines into the cycles, from their far ends; the nodes that are left afterwards are in cycles.
                ready = 0
                for n in range(count):
                    if nodes[n] == 0:
                        nodes[3 * count + ready] = n
                        ready += 1
                done = 0
                while done < ready:
                    n = nodes[3 * count + done]
                    done += 1
                    to = nodes[count + n]
                    scratch[flow_at + to] += scratch[flow_at + n] * stay[nodes[2 * count + n]]
                    nodes[to] -= 1
                    if nodes[to] == 0:
                        nodes[3 * count + ready] = to
                        ready += 1
                for c in range(count):
                    if nodes[c] == 0:
                        continue
                    loop = 1.0
                    flow = entered = 0.0
                    n = c
                    while True:
                        entered += scratch[flow_at + n]
                        flow = (flow + scratch[flow_at + n]) * stay[nodes[2 * count + n]]
                        loop *= stay[nodes[2 * count + n]]
                        n = nodes[count + n]
                        if n == c:
                            break
                    if loop == 1.0:
                        draws += entered
                        flow = 0.0
                    else:
                        flow /= 1.0 - loop
                    while nodes[n] != 0:
                        nodes[n] = 0
                        flow += scratch[flow_at + n]
                        scratch[flow_at + n] = flow
                        flow *= stay[nodes[2 * count + n]]
                        n = nodes[count + n]
                for n in range(count):
                    mass = scratch[flow_at + n]
                    if mass == 0.0:
                        continue
                    turns += mass
                    fired, to = nodes[2 * count + n], nodes[count + n]
                    for x in range(start[fired], start[fired + 1]):
                        if n < first:
                            hit = j + amount[x] // step_0
                            if hit >= hits_1:
                                wins_0 += mass * chance[x]
                                if len(left[0]) > 0:
                                    left[0][mine[HP] - i * step_1] += mass * chance[x]
                            else:
                                scratch[(i * hits_1 + hit) * count + to] += mass * chance[x]
                        else:
                            hit = i + amount[x] // step_1
                            if hit >= hits_0:
                                wins_1 += mass * chance[x]
                                if len(left[0]) > 0:
                                    left[1][yours[HP] - j * step_0] += mass * chance[x]
                            else:
                                scratch[(hit * hits_1 + j) * count + to] += mass * chance[x]
        out[k][A], out[k][B], out[k][DRAW], out[k][BOTH] = wins_0, wins_1, draws, 0.0
        out[k][TURNS] = turns if draws == 0.0 else float("inf")


def solve_rounds(
    sides: Any, least: Any, volley: Any, after: Any, outcomes: Any, rounds: int, scratch: Any, out: Any, ends: Any
) -> None:
    """Solve duels that end after `rounds` turns of each side.

    Parameters
    ----------
    sides, least, volley, after, outcomes
        As for `solve`.
    rounds : int
        Number of turns of each side.
    scratch : sequence of float
        Room to work in, for the largest duel: (losses of both sides) x nodes.
    out : sequence of float, shape (duels, 5)
        Takes the outcomes after the last round.
    ends : sequence of float, shape (2 * rounds,) or (0,)
        If it isn't empty (with a single duel), takes the chance that the duel ends in each player turn.
    """
    start, amount, chance, stay = outcomes
    for k in range(len(sides)):
        mine, yours = sides[k][0], sides[k][1]
        step_0, step_1 = mine[QUANTUM], yours[QUANTUM]
        hits_0, hits_1 = lattice(mine, yours)
        first, count = mine[NODES], mine[NODES] + yours[NODES]
        size = hits_0 * hits_1 * count
        for x in range(size):
            scratch[x] = 0.0
        scratch[0] = 1.0
        wins_0 = wins_1 = turns = 0.0
        for t in range(2 * rounds):
            before = wins_0 + wins_1
            for i in range(hits_0 - 1, -1, -1):
                row_0 = 0
                while mine[HP] - i * step_1 < least[mine[LEAST_AT] + row_0]:
                    row_0 += 1
                for j in range(hits_1 - 1, -1, -1):
                    row_1 = 0
                    while yours[HP] - j * step_0 < least[yours[LEAST_AT] + row_1]:
                        row_1 += 1
                    cell = (i * hits_1 + j) * count
                    for n in range(0 if t % 2 == 0 else first, first if t % 2 == 0 else count):
                        mass = scratch[cell + n]
                        if mass == 0.0:
                            continue
                        scratch[cell + n] = 0.0
                        turns += mass
                        if n < first:
                            entry = mine[AT] + n * mine[BRACKETS] + row_0
                            to = first + after[entry]
                        else:
                            entry = yours[AT] + (n - first) * yours[BRACKETS] + row_1
                            to = after[entry]
                        fired = volley[entry]
                        scratch[cell + to] += mass * stay[fired]
                        for x in range(start[fired], start[fired + 1]):
                            if n < first:
                                hit = j + amount[x] // step_0
                                if hit >= hits_1:
                                    wins_0 += mass * chance[x]
                                else:
                                    scratch[(i * hits_1 + hit) * count + to] += mass * chance[x]
                            else:
                                hit = i + amount[x] // step_1
                                if hit >= hits_0:
                                    wins_1 += mass * chance[x]
                                else:
                                    scratch[(hit * hits_1 + j) * count + to] += mass * chance[x]
            if len(ends) > 0:
                ends[t] = wins_0 + wins_1 - before
        undecided = 0.0
        for x in range(size):
            undecided += scratch[x]
        out[k][A], out[k][B], out[k][DRAW], out[k][BOTH] = wins_0, wins_1, undecided, 0.0
        out[k][TURNS] = turns


def best_play(
    sides: Any,
    least: Any,
    choices: Any,
    volley: Any,
    after: Any,
    outcomes: Any,
    rounds: int,
    scratch: Any,
    policy: Any,
    out: Any,
) -> None:
    """Solve one duel over `rounds` turns of each side by backward induction; each side chooses its best turns.

    Side 0 makes P(side 0 wins) - P(side 1 wins) as large as it can, side 1 as small as it can. Of several best turns,
    the first is taken.

    Parameters
    ----------
    sides, least, outcomes
        As for `solve`, but the sides of one duel.
    choices : sequence of int
        Index at which the turns of each entry begin; one more number says where the last ones end.
    volley, after : sequences of int
        By turn, the number of its volley and the next node of the other side.
    rounds : int
        Number of turns of each side.
    scratch : sequence of float
        Room to work in: six times (losses of both sides) x (the larger number of nodes).
    policy : sequence of int, shape (2 * rounds, states * n)
        If n > 0, takes the chosen turn by player turn, losses of both sides and node; n is the larger number of nodes.
    out : sequence of float, shape (5,)
        Takes the outcome.
    """
    start, amount, chance, stay = outcomes
    mine, yours = sides[0], sides[1]
    step_0, step_1 = mine[QUANTUM], yours[QUANTUM]
    hits_0, hits_1 = lattice(mine, yours)
    width = max(mine[NODES], yours[NODES])
    size = hits_0 * hits_1 * width
    now, later = 0, 3 * size
    for x in range(6 * size):
        scratch[x] = 0.0
    for t in range(2 * rounds - 1, -1, -1):
        side = t % 2
        own = mine if side == 0 else yours
        for i in range(hits_0):
            for j in range(hits_1):
                toughness = own[HP] - (i * step_1 if side == 0 else j * step_0)
                row = 0
                while toughness < least[own[LEAST_AT] + row]:
                    row += 1
                cell = (i * hits_1 + j) * width
                for n in range(own[NODES]):
                    entry = own[AT] + n * own[BRACKETS] + row
                    best = win_0 = win_1 = length = 0.0
                    chosen = -1
                    for c in range(choices[entry], choices[entry + 1]):
                        fired, to = volley[c], after[c]
                        at = later + cell + to
                        p_0 = stay[fired] * scratch[at]
                        p_1 = stay[fired] * scratch[at + size]
                        turns = stay[fired] * scratch[at + 2 * size]
                        for x in range(start[fired], start[fired + 1]):
                            if side == 0:
                                hit = j + amount[x] // step_0
                                if hit >= hits_1:
                                    p_0 += chance[x]
                                    continue
                                at = later + (i * hits_1 + hit) * width + to
                            else:
                                hit = i + amount[x] // step_1
                                if hit >= hits_0:
                                    p_1 += chance[x]
                                    continue
                                at = later + (hit * hits_1 + j) * width + to
                            p_0 += chance[x] * scratch[at]
                            p_1 += chance[x] * scratch[at + size]
                            turns += chance[x] * scratch[at + 2 * size]
                        score = p_0 - p_1 if side == 0 else p_1 - p_0
                        if chosen < 0 or score > best + TIE:
                            best, chosen, win_0, win_1, length = score, c, p_0, p_1, turns
                    scratch[now + cell + n] = win_0
                    scratch[now + size + cell + n] = win_1
                    scratch[now + 2 * size + cell + n] = 1.0 + length
                    if len(policy) > 0:
                        policy[t][cell + n] = chosen
        now, later = later, now
    out[A], out[B] = scratch[later], scratch[later + size]
    out[DRAW], out[BOTH] = 1.0 - out[A] - out[B], 0.0
    out[TURNS] = scratch[later + 2 * size]
