"""The exact solver: absorbing Markov chains over (losses of both sides, node).

It has plain loops over indexable sequences, so that the same source runs as it is on lists for one duel, and compiled
on arrays for many (`aabalance.engine.jit`). Losses only grow, so that one pass over the lattice of losses meets every
state after all its predecessors. As long as losses stay the same, no turn has an effect, and nodes follow each other
along a line into a cycle: the line is followed once, the cycle summed as a geometric series. Nothing is truncated.

Cost of one duel: (hits that one side survives) x (hits that the other survives) x (nodes) x (outcomes of a volley).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aabalance.engine.hit_points.layout import AT, BRACKETS, HP, NODES, QUANTUM, Turns, bracket, lattice
from aabalance.engine.outcome import BOTH, DRAW, TURNS, A, B
from aabalance.errors import UsageError

if TYPE_CHECKING:
    from aabalance.engine.arrays import Room, Row

TIE = 1e-12
"""Choices whose scores differ by no more than this count as equal, so that rounding doesn't choose."""

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


def solve(turns: Turns, mass: Room[float], nodes: Room[int], out: Row[Room[float]], left: Row[Room[float]]) -> None:
    """Solve duels that last until one side is gone; side 0 moves first, at its node 0.

    Parameters
    ----------
    turns : Turns
        The duels.
    mass : sequence of float
        Workspace for the largest duel: (losses of both sides) x nodes, and once more the number of nodes.
    nodes : sequence of int
        Workspace: four times the number of nodes of the largest duel.
    out : sequence of float, shape (duels, 5)
        Takes the outcomes, in which a is side 0. The expected player turns are infinite if a duel may never end.
    left : sequence of float, shape (2, n)
        If n > 0 (with a single duel), the chance of each side to win with each amount of toughness left is added.
    """
    start, amount, chance, stay = turns.effects
    for k in range(len(turns.sides)):
        mine, yours = turns.sides[k][0], turns.sides[k][1]
        step_0, step_1 = mine[QUANTUM], yours[QUANTUM]
        hits_0, hits_1 = lattice(mine, yours)
        first, count = mine[NODES], mine[NODES] + yours[NODES]
        flow_at = hits_0 * hits_1 * count
        for x in range(flow_at):
            mass[x] = 0.0
        mass[0] = 1.0
        wins_0 = wins_1 = draws = length = 0.0
        for i in range(hits_0):
            row_0 = bracket(mine, turns.least, mine[HP] - i * step_1)
            for j in range(hits_1):
                row_1 = bracket(yours, turns.least, yours[HP] - j * step_0)
                cell = (i * hits_1 + j) * count
                entering = 0.0
                for n in range(count):
                    entering += mass[cell + n]
                    mass[flow_at + n] = mass[cell + n]
                if entering == 0.0:
                    continue
                link(mine, yours, row_0, row_1, turns.volley, turns.after, nodes)
                draws += flow(mass, flow_at, nodes, count, stay)
                for n in range(count):
                    here = mass[flow_at + n]
                    if here == 0.0:
                        continue
                    length += here
                    fired, to = nodes[2 * count + n], nodes[count + n]
                    for x in range(start[fired], start[fired + 1]):
                        p = here * chance[x]
                        lost_0, lost_1 = i, j
                        if n < first:
                            lost_1 += amount[x] // step_0
                        else:
                            lost_0 += amount[x] // step_1
                        if lost_1 >= hits_1:
                            wins_0 += p
                            if len(left[0]) > 0:
                                left[0][mine[HP] - i * step_1] += p
                        elif lost_0 >= hits_0:
                            wins_1 += p
                            if len(left[0]) > 0:
                                left[1][yours[HP] - j * step_0] += p
                        else:
                            mass[(lost_0 * hits_1 + lost_1) * count + to] += p
        out[k][A], out[k][B], out[k][DRAW], out[k][BOTH] = wins_0, wins_1, draws, 0.0
        out[k][TURNS] = length if draws == 0.0 else float("inf")


def link(
    mine: Row[int], yours: Row[int], row_0: int, row_1: int, volley: Row[int], after: Row[int], nodes: Room[int]
) -> None:
    """Write how nodes follow each other while losses stay the same.

    Parameters
    ----------
    mine, yours : sequence of int
        The columns of both sides.
    row_0, row_1 : int
        Their brackets.
    volley, after : sequence of int
        As in `Turns`.
    nodes : sequence of int
        Takes the number of predecessors of each node, then its successors, then its volleys.
    """
    first, count = mine[NODES], mine[NODES] + yours[NODES]
    for n in range(count):
        nodes[n] = 0
    for n in range(count):
        if n < first:
            entry = mine[AT] + n * mine[BRACKETS] + row_0
            nodes[count + n] = first + after[entry]
        else:
            entry = yours[AT] + (n - first) * yours[BRACKETS] + row_1
            nodes[count + n] = after[entry]
        nodes[2 * count + n] = volley[entry]
        nodes[nodes[count + n]] += 1


def flow(mass: Room[float], at: int, nodes: Room[int], count: int, stay: Row[float]) -> float:
    """Sum how often each node is reached while no volley has an effect; return the chance that none ever has one.

    Parameters
    ----------
    mass : sequence of float
        From the index `at` on, has the chance that each node is entered, and takes how often it is reached.
    at : int
        Index of the first node in `mass`.
    nodes : sequence of int
        From `link`; what it says of predecessors is used up.
    count : int
        Number of nodes.
    stay : sequence of float
        As in `aabalance.engine.volleys.Effects`.
    """
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
        mass[at + to] += mass[at + n] * stay[nodes[2 * count + n]]
        nodes[to] -= 1
        if nodes[to] == 0:
            nodes[3 * count + ready] = to
            ready += 1
    draws = 0.0
    for c in range(count):
        if nodes[c] == 0:
            continue
        loop = 1.0
        passing = entered = 0.0
        n = c
        while True:
            entered += mass[at + n]
            passing = (passing + mass[at + n]) * stay[nodes[2 * count + n]]
            loop *= stay[nodes[2 * count + n]]
            n = nodes[count + n]
            if n == c:
                break
        if loop == 1.0:
            draws += entered
            passing = 0.0
        else:
            passing /= 1.0 - loop
        while nodes[n] != 0:
            nodes[n] = 0
            passing += mass[at + n]
            mass[at + n] = passing
            passing *= stay[nodes[2 * count + n]]
            n = nodes[count + n]
    return draws


def solve_rounds(turns: Turns, rounds: int, mass: Room[float], out: Row[Room[float]], ends: Room[float]) -> None:
    """Solve duels that end after `rounds` turns of each side.

    Parameters
    ----------
    turns : Turns
        The duels.
    rounds : int
        Number of turns of each side.
    mass : sequence of float
        Workspace for the largest duel: (losses of both sides) x nodes.
    out : sequence of float, shape (duels, 5)
        Takes the outcomes after the last round.
    ends : sequence of float, shape (2 * rounds,) or (0,)
        If it isn't empty (with a single duel), takes the chance that the duel ends in each player turn.
    """
    start, amount, chance, stay = turns.effects
    for k in range(len(turns.sides)):
        mine, yours = turns.sides[k][0], turns.sides[k][1]
        step_0, step_1 = mine[QUANTUM], yours[QUANTUM]
        hits_0, hits_1 = lattice(mine, yours)
        first, count = mine[NODES], mine[NODES] + yours[NODES]
        size = hits_0 * hits_1 * count
        for x in range(size):
            mass[x] = 0.0
        mass[0] = 1.0
        wins_0 = wins_1 = length = 0.0
        for t in range(2 * rounds):
            before = wins_0 + wins_1
            acting = mine if t % 2 == 0 else yours
            base = 0 if t % 2 == 0 else first
            for i in range(hits_0 - 1, -1, -1):
                for j in range(hits_1 - 1, -1, -1):
                    row = bracket(acting, turns.least, acting[HP] - (i * step_1 if t % 2 == 0 else j * step_0))
                    cell = (i * hits_1 + j) * count
                    for n in range(acting[NODES]):
                        here = mass[cell + base + n]
                        if here == 0.0:
                            continue
                        mass[cell + base + n] = 0.0
                        length += here
                        entry = acting[AT] + n * acting[BRACKETS] + row
                        fired, to = turns.volley[entry], first - base + turns.after[entry]
                        mass[cell + to] += here * stay[fired]
                        for x in range(start[fired], start[fired + 1]):
                            p = here * chance[x]
                            lost_0, lost_1 = i, j
                            if t % 2 == 0:
                                lost_1 += amount[x] // step_0
                            else:
                                lost_0 += amount[x] // step_1
                            if lost_1 >= hits_1:
                                wins_0 += p
                            elif lost_0 >= hits_0:
                                wins_1 += p
                            else:
                                mass[(lost_0 * hits_1 + lost_1) * count + to] += p
            if len(ends) > 0:
                ends[t] = wins_0 + wins_1 - before
        undecided = 0.0
        for x in range(size):
            undecided += mass[x]
        out[k][A], out[k][B], out[k][DRAW], out[k][BOTH] = wins_0, wins_1, undecided, 0.0
        out[k][TURNS] = length


def best_play(
    turns: Turns, choices: Row[int], rounds: int, scratch: Room[float], policy: Row[Room[int]], out: Room[float]
) -> None:
    """Solve one duel over `rounds` turns of each side by backward induction; each side chooses its best turns.

    Side 0 makes P(side 0 wins) - P(side 1 wins) as large as it can, side 1 as small as it can. Of several best turns,
    the first is taken.

    Parameters
    ----------
    turns : Turns
        The turns of one duel, of which entries have several; volleys and next nodes are by turn, not by entry.
    choices : sequence of int
        Index at which the turns of each entry begin; one more number says where the last ones end.
    rounds : int
        Number of turns of each side.
    scratch : sequence of float
        Workspace: six times (losses of both sides) x (the larger number of nodes).
    policy : sequence of int, shape (2 * rounds, states * n)
        Takes the chosen turn by player turn, losses of both sides and node; n is the larger number of nodes.
    out : sequence of float, shape (5,)
        Takes the outcome.
    """
    start, amount, chance, stay = turns.effects
    mine, yours = turns.sides[0][0], turns.sides[0][1]
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
                row = bracket(own, turns.least, own[HP] - (i * step_1 if side == 0 else j * step_0))
                cell = (i * hits_1 + j) * width
                for n in range(own[NODES]):
                    entry = own[AT] + n * own[BRACKETS] + row
                    best = win_0 = win_1 = length = 0.0
                    chosen = -1
                    for c in range(choices[entry], choices[entry + 1]):
                        fired, to = turns.volley[c], turns.after[c]
                        at = later + cell + to
                        p_0 = stay[fired] * scratch[at]
                        p_1 = stay[fired] * scratch[at + size]
                        lasts = stay[fired] * scratch[at + 2 * size]
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
                            lasts += chance[x] * scratch[at + 2 * size]
                        score = p_0 - p_1 if side == 0 else p_1 - p_0
                        if chosen < 0 or score > best + TIE:
                            best, chosen, win_0, win_1, length = score, c, p_0, p_1, lasts
                    scratch[now + cell + n] = win_0
                    scratch[now + size + cell + n] = win_1
                    scratch[now + 2 * size + cell + n] = 1.0 + length
                    policy[t][cell + n] = chosen
        now, later = later, now
    out[A], out[B] = scratch[later], scratch[later + size]
    out[DRAW], out[BOTH] = 1.0 - out[A] - out[B], 0.0
    out[TURNS] = scratch[later + 2 * size]
