"""How long a plan takes to destroy a target that does nothing, in plain loops that also compile, as in `exact`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aabalance.engine.hit_points.exact import survived

if TYPE_CHECKING:
    from aabalance.engine.arrays import Room, Row
    from aabalance.engine.volleys import Effects


class PlanColumns(NamedTuple):
    """The plans of units that hold, in lists or arrays; all but `volley` by plan.

    Attributes
    ----------
    opening, cycle : sequence of int
        Number of turns in its opening and in its cycle.
    brackets : sequence of int
        Number of its brackets; see `aabalance.engine.hit_points.exact.Turns`.
    least_at, volleys_at : sequence of int
        Indices at which the thresholds of its brackets, and its volleys in `volley`, begin.
    quantum : sequence of int
        Greatest common divisor of the amounts that a volley can take; 0 if the plan is harmless.
    volley : sequence of int
        Numbers of volleys, by plan, bracket and turn.
    """

    opening: Row[int]
    cycle: Row[int]
    brackets: Row[int]
    least_at: Row[int]
    volleys_at: Row[int]
    quantum: Row[int]
    volley: Row[int]


def workspace_size(plans: PlanColumns, plan: Row[int], hp: Row[int]) -> int:
    """Return the workspace that `kills` needs: hits times turns of the largest case. Parameters are as for `kills`."""
    most = 0
    for k in range(len(plan)):
        turns = plans.opening[plan[k]] + plans.cycle[plan[k]]
        most = max(most, survived(hp[k], plans.quantum[plan[k]]) * turns)
    return most


def kills(
    plans: PlanColumns,
    effects: Effects,
    plan: Row[int],
    hp: Row[int],
    within: Row[int],
    scratch: Room[float],
    out: Row[Room[float]],
) -> None:
    """Solve how long a plan takes to destroy a target that does nothing.

    Parameters
    ----------
    plans : PlanColumns
        All plans. Only the first bracket of a plan is used, since its unit loses nothing.
    effects : Effects
        The outcomes of all volleys.
    plan, hp : sequences of int, shape (n,)
        Number of the plan, and toughness of the target.
    within : sequence of int
        Numbers of turns, rising.
    scratch : sequence of float
        Workspace, for the largest case: hits x turns of opening and cycle.
    out : sequence of float, shape (n, 1 + len(within))
        Takes the expected turns to a kill (infinite if that may never happen), then the chance of a kill within so many
        turns.
    """
    opening, cycle, _, _, volleys_at, quantum, volley = plans
    start, amount, chance, stay = effects
    for k in range(len(plan)):
        a = plan[k]
        step = quantum[a]
        if step == 0:
            out[k][0] = float("inf")
            for w in range(len(within)):
                out[k][w + 1] = 0.0
            continue
        hits = survived(hp[k], step)
        opened = opening[a]
        turns = opened + cycle[a]
        for x in range(hits * turns):
            scratch[x] = 0.0
        scratch[0] = 1.0
        length = 0.0
        for j in range(hits):
            flow = 0.0
            for t in range(opened):
                fired = volley[volleys_at[a] + t]
                flow += scratch[j * turns + t]
                length += flow
                for x in range(start[fired], start[fired + 1]):
                    hit = j + amount[x] // step
                    if hit < hits:
                        scratch[hit * turns + t + 1] += flow * chance[x]
                flow *= stay[fired]
            scratch[j * turns + opened] += flow
            entering = flow = 0.0
            loop = 1.0
            for t in range(opened, turns):
                fired = volley[volleys_at[a] + t]
                entering += scratch[j * turns + t]
                flow = (flow + scratch[j * turns + t]) * stay[fired]
                loop *= stay[fired]
            if entering == 0.0:
                continue
            if loop == 1.0:  # harmless in its first bracket, whatever the others are
                length = float("inf")
                break
            flow /= 1.0 - loop
            for t in range(opened, turns):
                fired = volley[volleys_at[a] + t]
                flow += scratch[j * turns + t]
                length += flow
                to = t + 1 if t + 1 < turns else opened
                for x in range(start[fired], start[fired + 1]):
                    hit = j + amount[x] // step
                    if hit < hits:
                        scratch[hit * turns + to] += flow * chance[x]
                flow *= stay[fired]
        out[k][0] = length
        for x in range(hits):
            scratch[x] = 0.0
        scratch[0] = 1.0
        killed = 0.0
        t = 0
        for w in range(len(within)):
            while t < within[w]:
                fired = volley[volleys_at[a] + (t if t < turns else opened + (t - opened) % cycle[a])]
                for j in range(hits - 1, -1, -1):
                    mass = scratch[j]
                    scratch[j] = mass * stay[fired]
                    for x in range(start[fired], start[fired + 1]):
                        hit = j + amount[x] // step
                        if hit >= hits:
                            killed += mass * chance[x]
                        else:
                            scratch[hit] += mass * chance[x]
                t += 1
            out[k][w + 1] = killed
