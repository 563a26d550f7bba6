"""Many duels of units that hold: each different plan is packed once, and turns are expanded from the plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aabalance.engine.hit_points import exact, kills
from aabalance.engine.hit_points.exact import AT, BRACKETS, HP, LEAST_AT, NODES, QUANTUM
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.engine.hit_points.kills import PlanColumns
from aabalance.engine.hit_points.rolls import Rolls, check_sides, pack_dice, rolls
from aabalance.engine.outcome import Outcome
from aabalance.engine.volleys import Volleys
from aabalance.rulesets.base import Bracket, HitPointDuel, Plan, Player, Shot, Survey, Volley

if TYPE_CHECKING:
    from aabalance.engine.arrays import Floats, Ints


class Plans:
    """The packed plans of units that hold. Equal volleys and equal plans are stored once.

    Attributes
    ----------
    simultaneous : bool
        False: the sides take turns.
    volleys : Volleys
        The distributions of all volleys.
    opening, cycle, brackets, least_at, volleys_at, quantum, volley : list of int
        As in `aabalance.engine.hit_points.kills.PlanColumns`.
    least : list of int
        The thresholds of all brackets.
    fired : list of Volley
        The same volleys with their dice, in the order of `volley`.
    """

    simultaneous = HitPointDuel().simultaneous

    def __init__(self) -> None:
        self.fired: list[Volley] = []
        self.volleys = Volleys()
        self.opening: list[int] = []
        self.cycle: list[int] = []
        self.brackets: list[int] = []
        self.least_at: list[int] = []
        self.volleys_at: list[int] = []
        self.quantum: list[int] = []
        self.least: list[int] = []
        self.volley: list[int] = []
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
            self.opening.append(len(plan[0].opening))
            self.cycle.append(len(plan[0].cycle))
            self.brackets.append(len(plan))
            self.least_at.append(len(self.least))
            self.volleys_at.append(len(self.volley))
            self.quantum.append(math.gcd(*(amount for volley in fired for amount in volley.effect)))
            self.least += least
            self.volley += volleys
            self.fired += fired
            self._ids[key] = len(self._ids)
        return self._ids[key]

    def pack(self, survey: Survey[Plan]) -> tuple[int, int]:
        """Pack a unit's plan, and the plan of repeating its best single attack; return the numbers of both."""
        plan = self.add(survey.plan)
        return plan, plan if _repeats(survey.plan, survey.shot) else self.add(single(survey.shot))

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
        plans, effects = self.arrays(), self.volleys.arrays()
        scratch = np.empty(jit.compiled(kills.workspace_size)(plans, case, target))
        out = np.empty((len(case), 1 + len(within)))
        turns = np.array(within, dtype=np.int64)
        jit.compiled(kills.kills)(plans, effects, case, target, turns, scratch, out)
        return out[back.ravel()]

    def fired_by_plan(self) -> list[list[Volley]]:
        """Return the volleys of each plan, in the order of `volley`."""
        ends = [*self.volleys_at[1:], len(self.fired)]
        return [self.fired[at:end] for at, end in zip(self.volleys_at, ends, strict=True)]

    @property
    def columns(self) -> PlanColumns:
        """The columns of all plans, in lists."""
        by_plan = self.opening, self.cycle, self.brackets, self.least_at, self.volleys_at, self.quantum
        return PlanColumns(*by_plan, self.volley)

    def arrays(self) -> PlanColumns:
        """Return the columns of all plans in arrays, for compiled solvers."""
        import numpy as np

        return PlanColumns(*(np.array(column, dtype=np.int64) for column in self.columns))


def single(shot: Shot) -> Plan:
    """Return the plan of making the attack `shot` in every turn."""
    return (Bracket(1, (Volley((shot.weapon,) * len(shot.dice), shot.effect, shot.dice),)),)


def _repeats(plan: Plan, shot: Shot) -> bool:
    """Return whether a plan is to make this single attack in every turn."""
    least, cycle, opening = plan[0]
    if len(plan) > 1 or least > 1 or opening or len(cycle) > 1:
        return False
    return cycle[0].effect is shot.effect and cycle[0].dice == shot.dice


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
        columns = plans.arrays()
        opening, cycle, brackets = (np.asarray(column) for column in columns[:3])
        nodes = np.maximum(opening[plan_a], opening[plan_b]) + np.lcm(cycle[plan_a], cycle[plan_b])
        at = np.concatenate([[0], np.cumsum(nodes * (brackets[plan_a] + brackets[plan_b]))])
        self._sides = np.empty((len(plan_a), 2, 6), dtype=np.int64)
        self._slot, self._after = np.empty(at[-1], dtype=np.int64), np.empty(at[-1], dtype=np.int64)
        jit.compiled(expand)(columns, plan_a, plan_b, hp_a, hp_b, at, self._sides, self._slot, self._after)

    def solve(self, rounds: int | None = None) -> Outcome[Floats]:
        """Solve the duels, to their end or for `rounds` turns of each side."""
        import numpy as np

        from aabalance.engine import jit

        out = np.empty((len(self._sides), 5))
        least, volley = (np.array(column, dtype=np.int64) for column in (self._plans.least, self._plans.volley))
        states, nodes = jit.compiled(exact.largest)(self._sides)
        width = exact.OVERHEAD + np.diff(self._plans.volleys.start)[volley]
        widest = np.maximum.reduceat(width, self._plans.volleys_at)[self._units]
        exact.check_steps(jit.compiled(exact.longest)(self._sides, widest) * (rounds or 1))
        turns = exact.Turns(self._sides, least, volley[self._slot], self._after, self._plans.volleys.arrays())
        if rounds is None:
            mass, order = np.empty(states + nodes), np.empty(4 * nodes, dtype=np.int64)
            jit.compiled(exact.solve)(turns, mass, order, out, np.empty((2, 0)))
        else:
            jit.compiled(exact.solve_rounds)(turns, rounds, np.empty(states), out, np.empty(0))
        return Outcome(*out.T)

    def rolls(self) -> Rolls:
        """Return the duels ready to be rolled."""
        import numpy as np

        check_sides(*(int(self._sides[:, :, field].max(initial=0)) for field in (exact.HP, exact.NODES)))
        dice = pack_dice(self._plans.fired_by_plan())
        least = np.array(self._plans.least, dtype=np.int64)
        return rolls(self._sides, least, dice, self._units, self._slot, self._after)


def expand(
    plans: PlanColumns,
    plan_a: Ints,
    plan_b: Ints,
    hp_a: Ints,
    hp_b: Ints,
    at: Ints,
    sides: Ints,
    slot: Ints,
    after: Ints,
) -> None:
    """Write duels of units that hold as tables: the nodes are the turns of both plans, and a moves first.

    Parameters
    ----------
    plans : PlanColumns
        From `Plans.arrays`.
    plan_a, plan_b, hp_a, hp_b : array of int64, shape (n,)
        Numbers of both units' plans, and their toughness.
    at : array of int64, shape (n,)
        Index at which each duel's entries begin.
    sides, slot, after : arrays of int64
        Take the result. `slot` is the index of each entry's volley among those of all plans; the others are as in
        `aabalance.engine.hit_points.exact.Turns`.
    """
    opening, cycle, brackets, least_at, volleys_at, quantum, _ = plans
    for k in range(len(plan_a)):
        opened = max(opening[plan_a[k]], opening[plan_b[k]])
        nodes = cycle[plan_a[k]]
        while nodes % cycle[plan_b[k]] != 0:
            nodes += cycle[plan_a[k]]
        nodes += opened
        entry = at[k]
        for s in range(2):
            plan = plan_a[k] if s == 0 else plan_b[k]
            turns = opening[plan] + cycle[plan]
            side = sides[k][s]
            side[HP] = hp_a[k] if s == 0 else hp_b[k]
            side[AT] = entry
            side[BRACKETS] = brackets[plan]
            side[LEAST_AT] = least_at[plan]
            side[NODES] = nodes
            side[QUANTUM] = quantum[plan]
            for n in range(nodes):
                turn = n if n < turns else opening[plan] + (n - opening[plan]) % cycle[plan]
                for row in range(brackets[plan]):
                    slot[entry] = volleys_at[plan] + row * turns + turn
                    if s == 0:
                        after[entry] = n
                    else:
                        after[entry] = n + 1 if n + 1 < nodes else opened
                    entry += 1
