"""The exact solver: absorbing chains over (losses of a, losses of b, half-turn of the schedule).

Plain loops over indexable sequences, so that the same source runs undecorated on lists for one matchup and compiled on
arrays for a batch (`aabalance.engine.jit`). Both sides' losses only grow, so one pass over the lattice in order of
losses meets every state after all its predecessors; the half-turns in which nothing happens to either side form a loop
inside a state, summed as a geometric series. Nothing is truncated.

Cost of one duel: (hits a survives) x (hits b survives) x (half-turns in the schedule) x (outcomes of a volley).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aabalance.engine.tables import PlanTables


def duels_to_end(
    plans: Any, outcomes: Any, plan_a: Any, plan_b: Any, hp_a: Any, hp_b: Any, scratch: Any, out: Any
) -> None:
    """Solve duels that go on until one side is gone.

    Parameters
    ----------
    plans : tuple of sequences of int
        ``cycle, brackets, least_at, volleys_at, quantum`` by plan, then ``least`` and ``volley``, as packed by
        `aabalance.engine.tables`.
    outcomes : tuple of sequences
        ``start`` by volley (one more than there are volleys), ``amount`` (int, hit points) and ``chance`` by outcome,
        ``stay`` (chance of no effect) by volley.
    plan_a, plan_b, hp_a, hp_b : sequences of int, shape (n,)
        The two plans of each duel and what each side can lose; a moves first.
    scratch : sequence of float
        At least the largest ``hits_a * hits_b * half-turns`` of the batch, plus the half-turns.
    out : four sequences of float, shape (n,)
        Written: P(a wins), P(b wins), P(neither ever does), expected player turns to the end (infinite if the
        third is not 0).
    """
    cycle, brackets, least_at, volleys_at, quantum, least, volley = plans
    start, amount, chance, stay = outcomes
    for k in range(len(plan_a)):
        a, b = plan_a[k], plan_b[k]
        step_a, step_b = quantum[a], quantum[b]
        hits_a = 1 if step_b == 0 else (hp_a[k] + step_b - 1) // step_b
        hits_b = 1 if step_a == 0 else (hp_b[k] + step_a - 1) // step_a
        turns = cycle[a]
        while turns % cycle[b]:
            turns += cycle[a]
        turns *= 2
        visits = hits_a * hits_b * turns
        for x in range(visits):
            scratch[x] = 0.0
        scratch[0] = 1.0
        wins_a = wins_b = draws = length = 0.0
        for i in range(hits_a):
            row_a = 0
            while row_a < brackets[a] - 1 and hp_a[k] - i * step_b < least[least_at[a] + row_a]:
                row_a += 1
            for j in range(hits_b):
                row_b = 0
                while row_b < brackets[b] - 1 and hp_b[k] - j * step_a < least[least_at[b] + row_b]:
                    row_b += 1
                cell = (i * hits_b + j) * turns
                entering = flow = 0.0
                loop = 1.0
                for t in range(turns):
                    entering += scratch[cell + t]
                    flow += scratch[cell + t]
                    scratch[visits + t] = flow
                    if t % 2 == 0:
                        fired = volley[volleys_at[a] + row_a * cycle[a] + (t // 2) % cycle[a]]
                    else:
                        fired = volley[volleys_at[b] + row_b * cycle[b] + (t // 2) % cycle[b]]
                    flow *= stay[fired]
                    loop *= stay[fired]
                if entering == 0.0:
                    continue
                if loop == 1.0:
                    draws += entering
                    continue
                flow /= 1.0 - loop
                for t in range(turns):
                    mass = scratch[visits + t] + flow
                    if t % 2 == 0:
                        fired = volley[volleys_at[a] + row_a * cycle[a] + (t // 2) % cycle[a]]
                    else:
                        fired = volley[volleys_at[b] + row_b * cycle[b] + (t // 2) % cycle[b]]
                    flow *= stay[fired]
                    length += mass
                    after = t + 1 if t + 1 < turns else 0
                    for x in range(start[fired], start[fired + 1]):
                        if t % 2 == 0:
                            to = j + amount[x] // step_a
                            if to >= hits_b:
                                wins_a += mass * chance[x]
                            else:
                                scratch[(i * hits_b + to) * turns + after] += mass * chance[x]
                        else:
                            to = i + amount[x] // step_b
                            if to >= hits_a:
                                wins_b += mass * chance[x]
                            else:
                                scratch[(to * hits_b + j) * turns + after] += mass * chance[x]
        out[0][k] = wins_a
        out[1][k] = wins_b
        out[2][k] = draws
        out[3][k] = length if draws == 0.0 else float("inf")


def duels_with_limit(
    plans: Any, outcomes: Any, plan_a: Any, plan_b: Any, hp_a: Any, hp_b: Any, rounds: int, scratch: Any, out: Any
) -> None:
    """Solve duels that end after `rounds` turns of each side; parameters as for `duels_to_end`.

    `out` gets P(a wins), P(b wins), P(neither is gone at the end) and the expected player turns played.
    """
    cycle, brackets, least_at, volleys_at, quantum, least, volley = plans
    start, amount, chance, stay = outcomes
    for k in range(len(plan_a)):
        a, b = plan_a[k], plan_b[k]
        step_a, step_b = quantum[a], quantum[b]
        hits_a = 1 if step_b == 0 else (hp_a[k] + step_b - 1) // step_b
        hits_b = 1 if step_a == 0 else (hp_b[k] + step_a - 1) // step_a
        cells = hits_a * hits_b
        for x in range(cells):
            scratch[x] = 0.0
        scratch[0] = 1.0
        wins_a = wins_b = length = 0.0
        for t in range(2 * rounds):
            for i in range(hits_a - 1, -1, -1):
                row_a = 0
                while row_a < brackets[a] - 1 and hp_a[k] - i * step_b < least[least_at[a] + row_a]:
                    row_a += 1
                for j in range(hits_b - 1, -1, -1):
                    row_b = 0
                    while row_b < brackets[b] - 1 and hp_b[k] - j * step_a < least[least_at[b] + row_b]:
                        row_b += 1
                    mass = scratch[i * hits_b + j]
                    if mass == 0.0:
                        continue
                    length += mass
                    if t % 2 == 0:
                        fired = volley[volleys_at[a] + row_a * cycle[a] + (t // 2) % cycle[a]]
                    else:
                        fired = volley[volleys_at[b] + row_b * cycle[b] + (t // 2) % cycle[b]]
                    scratch[i * hits_b + j] = mass * stay[fired]
                    for x in range(start[fired], start[fired + 1]):
                        if t % 2 == 0:
                            to = j + amount[x] // step_a
                            if to >= hits_b:
                                wins_a += mass * chance[x]
                            else:
                                scratch[i * hits_b + to] += mass * chance[x]
                        else:
                            to = i + amount[x] // step_b
                            if to >= hits_a:
                                wins_b += mass * chance[x]
                            else:
                                scratch[to * hits_b + j] += mass * chance[x]
        left = 0.0
        for x in range(cells):
            left += scratch[x]
        out[0][k] = wins_a
        out[1][k] = wins_b
        out[2][k] = left
        out[3][k] = length


def kills(plans: Any, outcomes: Any, plan: Any, hp: Any, within: Any, scratch: Any, out: Any) -> None:
    """Solve how long a plan takes to destroy a target that does nothing.

    Parameters
    ----------
    plans, outcomes : tuple
        As for `duels_to_end`; a plan's first bracket is used, since nothing is lost.
    plan, hp : sequences of int, shape (n,)
    within : sequence of int
        Turns at which the chance of a kill by then is wanted, rising.
    scratch : sequence of float
        At least ``2 * hits * cycle`` of the largest case.
    out : sequences of float, shape (n,), one more than `within`
        Written: expected turns to kill (infinite if that never happens), then the chance of a kill within each of
        `within`.
    """
    cycle, _, _, volleys_at, quantum, _, volley = plans
    start, amount, chance, stay = outcomes
    for k in range(len(plan)):
        a = plan[k]
        step = quantum[a]
        if step == 0:
            out[0][k] = float("inf")
            for w in range(len(within)):
                out[w + 1][k] = 0.0
            continue
        hits = (hp[k] + step - 1) // step
        turns = cycle[a]
        for x in range(hits * turns):
            scratch[x] = 0.0
        scratch[0] = 1.0
        length = 0.0
        for j in range(hits):
            entering = flow = 0.0
            loop = 1.0
            for t in range(turns):
                fired = volley[volleys_at[a] + t]
                entering += scratch[j * turns + t]
                flow = (flow + scratch[j * turns + t]) * stay[fired]
                loop *= stay[fired]
            if entering == 0.0:
                continue
            flow /= 1.0 - loop
            for t in range(turns):
                fired = volley[volleys_at[a] + t]
                flow += scratch[j * turns + t]
                length += flow
                after = t + 1 if t + 1 < turns else 0
                for x in range(start[fired], start[fired + 1]):
                    to = j + amount[x] // step
                    if to < hits:
                        scratch[to * turns + after] += flow * chance[x]
                flow *= stay[fired]
        out[0][k] = length
        for x in range(hits):
            scratch[x] = 0.0
        scratch[0] = 1.0
        killed = 0.0
        t = 0
        for w in range(len(within)):
            while t < within[w]:
                fired = volley[volleys_at[a] + t % turns]
                for j in range(hits - 1, -1, -1):
                    mass = scratch[j]
                    scratch[j] = mass * stay[fired]
                    for x in range(start[fired], start[fired + 1]):
                        to = j + amount[x] // step
                        if to >= hits:
                            killed += mass * chance[x]
                        else:
                            scratch[to] += mass * chance[x]
                t += 1
            out[w + 1][k] = killed


def solve(
    tables: PlanTables,
    plan_a: Any,
    plan_b: Any,
    hp_a: Any,
    hp_b: Any,
    rounds: int | None = None,
) -> tuple[Any, Any, Any, Any]:
    """Solve duels in which a moves first: plain for lists, compiled for arrays.

    Parameters
    ----------
    tables : PlanTables
    plan_a, plan_b, hp_a, hp_b : sequences of int, shape (n,)
        Numbers of packed plans, and what each side can lose.
    rounds : int, optional
        Turns of each side; None for duels to the end.

    Returns
    -------
    p_a, p_b, p_draw, player_turns : sequences of float, shape (n,)
        Lists for lists, arrays for arrays. `player_turns` is infinite where a duel to the end may have none.
    """
    size = tables.duel_scratch(plan_a, plan_b, max(hp_a), max(hp_b))
    if isinstance(plan_a, list):
        plans, outcomes, scratch, run = tables.plans, tables.outcomes, [0.0] * size, _undecorated
        out: Any = tuple([0.0] * len(plan_a) for _ in range(4))
    else:
        from aabalance.engine import jit

        plans, outcomes, scratch, run = *tables.arrays(), jit.scratch(size), jit.compiled
        out = jit.results(4, len(plan_a))
    if rounds is None:
        run(duels_to_end)(plans, outcomes, plan_a, plan_b, hp_a, hp_b, scratch, out)
    else:
        run(duels_with_limit)(plans, outcomes, plan_a, plan_b, hp_a, hp_b, rounds, scratch, out)
    return out[0], out[1], out[2], out[3]


def solve_kills(tables: PlanTables, plan: Any, hp: Any, within: Sequence[int] = ()) -> Any:
    """Solve how long plans take to destroy a target that does nothing: plain for lists, compiled for arrays.

    Returns
    -------
    tuple of sequences of float, shape (n,)
        Expected turns to kill, infinite where it never happens; then the chance of a kill within each of `within`.
    """
    size = tables.kill_scratch(plan, max(hp))
    if isinstance(plan, list):
        out: Any = tuple([0.0] * len(plan) for _ in range(len(within) + 1))
        kills(tables.plans, tables.outcomes, plan, hp, within, [0.0] * size, out)
    else:
        from aabalance.engine import jit

        out = jit.results(len(within) + 1, len(plan))
        jit.compiled(kills)(*tables.arrays(), plan, hp, jit.counts(within), jit.scratch(size), out)
    return out


def _undecorated(function: Any) -> Any:
    return function
