"""Many duels of units that hold: each different plan is packed once, and turns are expanded from the plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aabalance.engine.hit_points import exact
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.engine.hit_points.layout import AT, BRACKETS, HP, NODES, QUANTUM, Turns, survived
from aabalance.engine.hit_points.rolls import Rolls, check_sides, pack_dice, rolls
from aabalance.engine.outcome import Outcome
from aabalance.engine.volleys import Volleys
from aabalance.rulesets.base import Bracket, HitPointDuel, Plan, Player, Shot, Survey, Volley

if TYPE_CHECKING:
    from aabalance.engine.arrays import Floats, Ints, Room, Row
    from aabalance.engine.volleys import Effects

PLAN_COLUMNS = 6
OPENING, CYCLE, VOLLEYS_AT = HP, AT, NODES
"""Columns of a plan's row, which has `BRACKETS`, `LEAST_AT` and `QUANTUM` as a side's row has them. In place of the
others, it has the number of turns in its opening and in its cycle, and the index at which its volleys begin."""


class Plans:
    """The packed plans of units that hold. Equal volleys and equal plans are stored once.

    Attributes
    ----------
    simultaneous : bool
        False: the sides take turns.
    volleys : Volleys
        The distributions of all volleys.
    plans : list of list of int, shape (plans, PLAN_COLUMNS)
        The rows of all plans.
    least : list of int
        The thresholds of all brackets.
    volley : list of int
        Numbers of volleys, by plan, bracket and turn.
    fired : list of Volley
        The same volleys with their dice.
    """

    simultaneous = HitPointDuel().simultaneous

    def __init__(self) -> None:
        self.volleys = Volleys()
        self.plans: list[list[int]] = []
        self.least: list[int] = []
        self.volley: list[int] = []
        self.fired: list[Volley] = []
        self._ids: dict[tuple[int, ...], int] = {}

    def add(self, plan: Plan) -> int:
        """Pack `plan` and return its number."""
        fired = [volley for bracket in plan for volley in (*bracket.opening, *bracket.cycle)]
        volleys = [self.volleys.add(volley.effect) for volley in fired]
        least = [bracket.least for bracket in plan]
        # The key has the dice too, since plans with equal distributions may be rolled in different ways.
        key = (
            len(plan[0].opening),
            len(plan[0].cycle),
            *least,
            *volleys,
            *(id(dice) for volley in fired for dice in volley.dice),
        )
        if key not in self._ids:
            quantum = math.gcd(*(amount for volley in fired for amount in volley.effect))
            self.plans.append([*key[:2], len(plan), len(self.least), len(self.volley), quantum])
            self.least += least
            self.volley += volleys
            self.fired += fired
            self._ids[key] = len(self._ids)
        return self._ids[key]

    def pack(self, survey: Survey[Plan]) -> tuple[int, int]:
        """Pack a unit's plan, and the plan of repeating its best single attack; return the numbers of both."""
        return self.add(survey.plan), self.add(single(survey.shot))

    def duel(self, players: tuple[Player, Player], range_in: float) -> TurnGraph:
        """Return one duel of two players who may move, which begins at this distance; it doesn't use these tables."""
        return TurnGraph(players, range_in)

    def fights(self, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints) -> PlannedDuels:
        """Return duels of units that hold, in which a moves first; parameters as for `PlannedDuels`."""
        return PlannedDuels(self, plan_a, plan_b, hp_a, hp_b)

    def kills(self, plan: Ints, hp: Ints, within: Sequence[int] = (1,)) -> Floats:
        """Solve how long plans take to destroy targets that do nothing; equal cases are solved once.

        Parameters
        ----------
        plan, hp : array of int64, shape (n,)
            Numbers of the plans, and toughness of the targets.
        within : sequence of int
            Numbers of turns, rising.

        Returns
        -------
        array of float, shape (n, 1 + len(within))
            Expected turns to a kill (infinite if it may never happen), then the chance of a kill within so many turns.
        """
        import numpy as np

        from aabalance.engine import jit

        # Plan and toughness are combined into one number, since sorting pairs takes many times longer.
        most = int(np.max(hp, initial=0)) + 1
        cases, back = np.unique(np.asarray(plan) * most + hp, return_inverse=True)
        case, target = cases // most, cases % most
        (rows, volley), effects = self.columns(), self.volleys.arrays()
        hits, turns = _survived(target, rows[case, QUANTUM]), rows[case, OPENING] + rows[case, CYCLE]
        scratch = np.empty(int((hits * turns).max(initial=0)))
        out = np.empty((len(case), 1 + len(within)))
        jit.compiled(kills)(rows, volley, effects, case, target, np.array(within, dtype=np.int64), scratch, out)
        solved: Floats = out[back.ravel()]
        return solved

    def columns(self) -> tuple[Ints, Ints]:
        """Return the rows of all plans, and `volley`, in arrays."""
        import numpy as np

        return np.array(self.plans, dtype=np.int64).reshape(-1, PLAN_COLUMNS), np.array(self.volley, dtype=np.int64)


def single(shot: Shot) -> Plan:
    """Return the plan of making the attack `shot` in every turn."""
    return (Bracket(1, (Volley((shot.weapon,) * len(shot.dice), shot.effect, shot.dice),)),)


class PlannedDuels:
    """Duels of units that hold, in which a moves first.

    Parameters
    ----------
    plans : Plans
        The packed plans.
    plan_a, plan_b, hp_a, hp_b : array of int64, shape (n,)
        Numbers of both units' plans in `plans`, and their toughness.
    """

    def __init__(self, plans: Plans, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints) -> None:
        import numpy as np

        from aabalance.engine import jit

        self._plans = plans
        self._units = np.stack([plan_a, plan_b], axis=1)
        rows, self._volley = plans.columns()
        self._sides = rows[self._units]
        cycles = self._sides[:, :, CYCLE]
        nodes = self._sides[:, :, OPENING].max(axis=1) + np.lcm(cycles[:, 0], cycles[:, 1])
        entries = nodes[:, None] * self._sides[:, :, BRACKETS]
        self._sides[:, :, HP] = np.stack([hp_a, hp_b], axis=1)
        self._sides[:, :, AT] = np.cumsum(entries).reshape(entries.shape) - entries
        self._sides[:, :, NODES] = nodes[:, None]
        self._slot, self._after = np.empty((2, entries.sum()), dtype=np.int64)
        jit.compiled(expand)(rows, self._units, self._sides, self._slot, self._after)

    def solve(self, rounds: int | None = None) -> Outcome[Floats]:
        """Solve the duels, to their end or for `rounds` turns of each side."""
        import numpy as np

        from aabalance.engine import jit

        sides = self._sides
        # Floats, since a product of whole numbers may overflow before the check.
        losses = _survived(sides[:, :, HP], sides[:, ::-1, QUANTUM]).prod(axis=1, dtype=np.float64)
        width = exact.OVERHEAD + np.diff(self._plans.volleys.start)[self._volley]
        widest = np.maximum.reduceat(width, [row[VOLLEYS_AT] for row in self._plans.plans])[self._units]
        steps = losses * (sides[:, :, NODES] * widest).sum(axis=1)
        exact.check_steps(int(steps.max(initial=0)) * (rounds or 1))
        nodes = sides[:, :, NODES].sum(axis=1)
        states, most = int((losses * nodes).max(initial=0)), int(nodes.max(initial=0))
        least = np.array(self._plans.least, dtype=np.int64)
        turns = Turns(sides, least, self._volley[self._slot], self._after, self._plans.volleys.arrays())
        out = np.empty((len(sides), 5))
        if rounds is None:
            mass, order = np.empty(states + most), np.empty(4 * most, dtype=np.int64)
            jit.compiled(exact.solve)(turns, mass, order, out, np.empty((2, 0)))
        else:
            jit.compiled(exact.solve_rounds)(turns, rounds, np.empty(states), out, np.empty(0))
        return Outcome(*out.T)

    def rolls(self) -> Rolls:
        """Return the duels ready to be rolled."""
        import numpy as np

        check_sides(*(int(self._sides[:, :, field].max(initial=0)) for field in (HP, NODES)))
        ends = [*(row[VOLLEYS_AT] for row in self._plans.plans[1:]), len(self._plans.fired)]
        dice = pack_dice(
            [self._plans.fired[row[VOLLEYS_AT] : end] for row, end in zip(self._plans.plans, ends, strict=True)]
        )
        least = np.array(self._plans.least, dtype=np.int64)
        return rolls(self._sides, least, dice, self._units, self._slot, self._after)


def _survived(toughness: Ints, step: Ints) -> Ints:
    """Return, for each pair, what `survived` returns for numbers."""
    import numpy as np

    return np.where(step > 0, -(-toughness // np.maximum(step, 1)), 1)


def expand(plans: Ints, units: Ints, sides: Ints, slot: Ints, after: Ints) -> None:
    """Write the entries of duels of units that hold: their nodes are the turns of both plans, and a moves first.

    Parameters
    ----------
    plans : array of int64, shape (plans, PLAN_COLUMNS)
        The rows of all plans.
    units : array of int64, shape (n, 2)
        Numbers of both units' plans.
    sides : array of int64, shape (n, 2, 6)
        As in `aabalance.engine.hit_points.layout.Turns`.
    slot, after : arrays of int64
        By entry, take the index of its volley among those of all plans, and the next node of the other side.
    """
    for k in range(len(units)):
        opened = max(plans[units[k, 0], OPENING], plans[units[k, 1], OPENING])
        for s in range(2):
            plan, side = plans[units[k, s]], sides[k, s]
            turns, entry = plan[OPENING] + plan[CYCLE], side[AT]
            for n in range(side[NODES]):
                turn = n if n < turns else plan[OPENING] + (n - plan[OPENING]) % plan[CYCLE]
                then = n + s if n + s < side[NODES] else opened
                for row in range(plan[BRACKETS]):
                    slot[entry], after[entry] = plan[VOLLEYS_AT] + row * turns + turn, then
                    entry += 1


def kills(
    plans: Row[Row[int]],
    volley: Row[int],
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
    plans : sequence of int, shape (plans, PLAN_COLUMNS)
        The rows of all plans. Only the first bracket of a plan is used, since its unit loses nothing.
    volley : sequence of int
        As in `Plans`.
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
    for k in range(len(plan)):
        row = plans[plan[k]]
        if row[QUANTUM] == 0:
            out[k][0] = float("inf")
            for w in range(len(within)):
                out[k][w + 1] = 0.0
            continue
        hits = survived(hp[k], row[QUANTUM])
        out[k][0] = _turns_to_kill(row, volley, effects, hits, scratch)
        _kill_within(row, volley, effects, hits, within, scratch, out[k])


def _turns_to_kill(plan: Row[int], volley: Row[int], effects: Effects, hits: int, scratch: Room[float]) -> float:
    """Return the expected number of turns in which a plan destroys a target that survives so many hits less one."""
    start, amount, chance, stay = effects
    opened, step, at = plan[OPENING], plan[QUANTUM], plan[VOLLEYS_AT]
    turns = opened + plan[CYCLE]
    for x in range(hits * turns):
        scratch[x] = 0.0
    scratch[0] = 1.0
    length = 0.0
    for j in range(hits):
        flow = 0.0
        for t in range(opened):
            fired = volley[at + t]
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
            fired = volley[at + t]
            entering += scratch[j * turns + t]
            flow = (flow + scratch[j * turns + t]) * stay[fired]
            loop *= stay[fired]
        if entering == 0.0:
            continue
        if loop == 1.0:  # harmless in its first bracket, whatever the others are
            return float("inf")
        flow /= 1.0 - loop
        for t in range(opened, turns):
            fired = volley[at + t]
            flow += scratch[j * turns + t]
            length += flow
            to = t + 1 if t + 1 < turns else opened
            for x in range(start[fired], start[fired + 1]):
                hit = j + amount[x] // step
                if hit < hits:
                    scratch[hit * turns + to] += flow * chance[x]
            flow *= stay[fired]
    return length


def _kill_within(
    plan: Row[int],
    volley: Row[int],
    effects: Effects,
    hits: int,
    within: Row[int],
    scratch: Room[float],
    out: Room[float],
) -> None:
    """Write the chances that a plan destroys a target within some numbers of turns, from index 1 on."""
    start, amount, chance, stay = effects
    opened, step, turns = plan[OPENING], plan[QUANTUM], plan[OPENING] + plan[CYCLE]
    for x in range(hits):
        scratch[x] = 0.0
    scratch[0] = 1.0
    killed = 0.0
    t = 0
    for w in range(len(within)):
        while t < within[w]:
            fired = volley[plan[VOLLEYS_AT] + (t if t < turns else opened + (t - opened) % plan[CYCLE])]
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
        out[w + 1] = killed
