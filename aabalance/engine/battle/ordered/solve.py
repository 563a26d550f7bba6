"""The solution of ordered battles, one or many at a time; from `solve_batch` on, plain loops that also compile."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import gcd
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine import jit
from aabalance.engine.arrays import Floats, Ints, Loops
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.ordered.payoffs import NEVER, SCORE, solve_payoffs, solve_positions, turns_of
from aabalance.engine.battle.ordered.sides import RELOAD_BITS, OrderedSide, arm, line_up, strength_of, tallest
from aabalance.engine.battle.ordered.turns import GIVEN_UP
from aabalance.engine.battle.packing import Packed, packed
from aabalance.engine.outcome import ENDS, TURNS
from aabalance.engine.volleys import Effects, Volleys
from aabalance.errors import UsageError, counted, one_of
from aabalance.rulesets.base import Fighter

UNIT_BY_UNIT = {"list_order": True, "focus": True, "value": False}
"""The policies of ordered battles. Under each, a side makes the first strike that is ready in an order that depends on
the target alone: True if all strikes of a unit come before those of the next unit, False if the largest gain of all
comes first."""

MOST_UNITS = 62
"""Largest number of units of a side, each of which has a bit of its own."""
MOST_STATES, MOST_STEPS = 1 << 20, 1 << 28
"""Largest numbers for a solution: of states, and of transitions between them times player turns."""

Orders = tuple[Sequence[int], Sequence[int]]
"""For each side, the rows of its units in the order in which they fall."""
Tables = list[Floats]
OUTCOME = range(ENDS)
"""The fields of `aabalance.engine.outcome.BattleOutcome`."""


class Batch(NamedTuple):
    """The sides of several battles, one after the other: sides 2 n and 2 n + 1 are those of battle n.

    Attributes
    ----------
    units, guns, strikes, volleys, falls, ranks
        The rows of all sides, as in `OrderedSide`; `volleys` and `ranks` are flat.
    begins : array of int64, shape (2 * battles + 1, 6)
        The index at which the rows of each side begin in each of the others.
    """

    units: Ints
    guns: Ints
    strikes: Ints
    volleys: Ints
    falls: Ints
    ranks: npt.NDArray[np.int32]
    begins: Ints


class Conditions(NamedTuple):
    """The conditions of all battles of a batch.

    Attributes
    ----------
    by_unit : (bool, bool)
        For each side, as for `sides.arm`.
    limits : (int, int)
        Limit of actions of each side in a turn.
    rounds : int
        Limit of turns of each side; 0 for none.
    by_cost : bool
        Whether the cost of what is left decides, as in `aabalance.rulesets.base.Mission`.
    most_states, most_steps : int
        Largest numbers for a solution: of states, and of transitions between them times player turns.
    """

    by_unit: tuple[bool, bool]
    limits: tuple[int, int]
    rounds: int
    by_cost: bool
    most_states: int
    most_steps: int


def solve(
    battles: Sequence[tuple[Packed, Orders]], terms: Terms, fields: Sequence[int] = OUTCOME, loops: Loops = jit.compiled
) -> tuple[Tables, list[int]]:
    """Solve battles, each together with the smaller battles between the units of each side that fall last.

    Parameters
    ----------
    battles : sequence of (Packed, pair of sequence of int)
        The packed sides of each battle, and for each side the rows of its units in the order in which they fall; a row
        may stand there more than once, for equal units. All battles have the same volleys.
    terms : Terms
        The conditions of all battles.
    fields : sequence of int
        What to work out: fields of an outcome, or `payoffs.SCORE`. Time grows with their number.
    loops : callable
        The function that makes loops ready to run: `jit.compiled`, or `jit.plain`.

    Returns
    -------
    tables : list of array of float, shape (units + 1, enemies + 1, 2, fields)
        For each battle, how it ends by the number of units left of each side, those that fall last, and by the side
        that moves first. nan for a battle that isn't solved.
    states : list of int
        Number of states of each battle. 0 for a battle that isn't solved: because of its policies, because strikes need
        more than a unit that is left and its gun, or because there are too many states.
    """
    shapes = [(len(orders[0]) + 1, len(orders[1]) + 1, 2, len(fields)) for _, orders in battles]
    tables, states = [np.full(shape, np.nan) for shape in shapes], [0] * len(battles)
    if battles and all(policy in UNIT_BY_UNIT for policy in terms.policies):
        cells = [shape[0] * shape[1] for shape in shapes]
        wanted = np.array([*fields, NEVER] if TURNS in fields else fields, dtype=np.int64)
        solved, count = np.empty((sum(cells), 2, len(wanted))), np.zeros(len(battles), dtype=np.int64)
        conditions = Conditions(
            by_unit=(UNIT_BY_UNIT[terms.policies[0]], UNIT_BY_UNIT[terms.policies[1]]),
            limits=terms.limits,
            rounds=terms.rounds or 0,
            by_cost=terms.by_cost,
            most_states=MOST_STATES,
            most_steps=MOST_STEPS,
        )
        outcomes = battles[0][0].volleys.arrays()
        loops(solve_batch)(_batch(battles), outcomes, conditions, wanted, solved, count)
        if TURNS in fields:
            solved[solved[..., -1] > 0, fields.index(TURNS)] = np.inf
        ends = np.cumsum(cells)
        for at, (end, size, number) in enumerate(zip(ends.tolist(), cells, count.tolist(), strict=True)):
            if number > 0:
                tables[at], states[at] = solved[end - size : end, :, : len(fields)].reshape(shapes[at]), number
    return tables, states


class Ordered:
    """The solution of one battle by the order in which its units fall, which each of them has in its column `BELOW`.

    Parameters
    ----------
    made : Packed
        Both sides.
    terms : Terms
        The conditions of the battle.
    loops : callable
        As for `solve`.

    Attributes
    ----------
    states : int
        Number of states; 0 if it can't be solved so.
    """

    def __init__(self, made: Packed, terms: Terms, loops: Loops) -> None:
        first, second = (np.argsort(-side.units[:, col.BELOW]).tolist() for side in made.sides)
        (self._table,), (self.states,) = solve([(made, (first, second))], terms, loops=loops)

    def row(self, first: int) -> Floats:
        """Return how the battle ends if this side moves first: the fields of a `BattleOutcome`."""
        row: Floats = self._table[-1, -1, first]
        return row

    @property
    def name(self) -> str:
        """The form of the solution and its number of states."""
        return f"chain, {counted(self.states, 'state')}"


def _batch(battles: Sequence[tuple[Packed, Orders]]) -> Batch:
    """Put the sides of battles one after the other."""
    sides = [side for made, _ in battles for side in made.sides]
    falls = [np.array(order, dtype=np.int64) for _, orders in battles for order in orders]
    volleys, ranks = [side.volley.reshape(-1) for side in sides], [side.rank.reshape(-1) for side in sides]
    rows = [
        [len(side.units), len(side.guns), len(side.strikes), len(volley), len(order), len(rank)]
        for side, volley, order, rank in zip(sides, volleys, falls, ranks, strict=True)
    ]
    return Batch(
        units=np.concatenate([side.units for side in sides]),
        guns=np.concatenate([side.guns for side in sides]),
        strikes=np.concatenate([side.strikes for side in sides]),
        volleys=np.concatenate(volleys),
        falls=np.concatenate(falls),
        ranks=np.concatenate(ranks),
        begins=np.cumsum([[0] * len(rows[0]), *rows], axis=0),
    )


def equal_scores(
    pairs: Sequence[tuple[Fighter, Fighter]], most: Sequence[tuple[int, int]], every: Sequence[Terms]
) -> list[Tables]:
    """Return the scores of all battles between up to so many equal units on each side, for many pairs of units.

    Parameters
    ----------
    pairs : sequence of pair of Fighter
        The two units of each pair as they fight one against one: each strike has one effect, the one at the other unit.
    most : sequence of (int, int)
        For each pair, the largest number of units of each side. Time and memory grow with their product: request no
        more than needed, and a roster by parts.
    every : sequence of Terms
        The conditions; each pair is solved under each of them.

    Returns
    -------
    list of list of array of float, shape (units + 1, units + 1)
        By terms and pair: ``table[n, m]`` is P(win) + P(draw) / 2 of n of the first against m of the second, each side
        moving first half the time. nan for pairs that can't be solved so. Rows of none (n or m = 0) are there, so that
        one may interpolate down to them.

    Raises
    ------
    UsageError
        A policy isn't one of `UNIT_BY_UNIT`.
    """
    for policy in {policy for terms in every for policy in terms.policies}:
        if policy not in UNIT_BY_UNIT:
            raise UsageError(f"policy: {one_of(policy, UNIT_BY_UNIT)}")
    volleys = Volleys()
    battles: list[list[tuple[Packed, Orders]]] = [[] for _ in every]
    for (a, b), (units_a, units_b) in zip(pairs, most, strict=True):
        dearest = [max((one.prepare or one.actions for one in unit.strikes), default=0) for unit in (a, b)]
        made: dict[tuple[int, int], Packed] = {}
        for terms, some in zip(every, battles, strict=True):
            # The limit matters to packing only in that it rules out strikes that cost more: many limits pack the same.
            limits = min(terms.limits[0], dearest[0]), min(terms.limits[1], dearest[1])
            if limits not in made:
                made[limits] = packed(((a,), (b,)), limits, (None, None), volleys=volleys)
            some.append((made[limits], ([0] * units_a, [0] * units_b)))
    return [
        [table[..., 0].mean(axis=2) for table in solve(some, terms, (SCORE,))[0]]
        for terms, some in zip(every, battles, strict=True)
    ]


def canonical_key(unit: Fighter, enemy: Fighter) -> tuple[Hashable, ...] | None:
    """Return all properties of a unit that the scores of `equal_scores` depend on.

    Two pairs have the same scores if this is equal for both units of one and for both units of the other. The enemy's
    toughness is counted in steps of the least that can be taken from it, so that many units are alike.

    Parameters
    ----------
    unit, enemy : Fighter
        The unit and its enemy as they fight one against one.

    Returns
    -------
    tuple or None
        The properties, which can be compared and sorted; None if the unit has strikes that ordered battles can't have.
    """
    strikes = [one for one in unit.strikes if max(one.effects[0][0]) > 0]
    for one in strikes:
        limited = one.least > 1 or one.most < unit.toughness
        if limited or one.helps or one.return_fire or (one.gone, one.helped_at) != (None, None):
            return None
    step = gcd(*(amount for one in strikes for amount in one.effects[0][0]))
    # With one strike only the number of steps matters; with several the toughness does too, since gains depend on it.
    full = -(-enemy.toughness // step) if step else 1
    share = gcd(enemy.toughness, step) if len(strikes) > 1 else 0
    of_steps = (enemy.toughness // share, step // share) if share else (full, 1)
    guns = sorted({one.gun for one in strikes})
    dearest = {gun: max(one.actions for one in strikes if one.gun == gun) for gun in guns}
    actions = sum(unit.guns[gun].attacks * dearest[gun] for gun in guns)
    if any(one.prepare for one in strikes) or unit.actions < actions:
        actions = unit.actions
    made = []
    for one in strikes:
        taken: dict[int, Fraction] = {}
        for amount, p in one.effects[0][0].items():
            steps = min(amount // step, full)
            taken[steps] = taken[steps] + p if steps in taken else p
        way = guns.index(one.gun), one.attacks, one.actions, one.prepare, one.prepared
        made.append((*way, *((steps, float(taken[steps])) for steps in sorted(taken))))
    return of_steps, actions, unit.free, unit.counts, unit.cost > 0, tuple(unit.guns[gun] for gun in guns), tuple(made)


def solve_batch(
    batch: Batch, effects: Effects, conditions: Conditions, fields: Ints, tables: Floats, states: Ints
) -> None:
    """Solve battles, each together with the smaller battles between the units of each side that fall last.

    Parameters
    ----------
    batch : Batch
        The battles.
    effects : Effects
        The effects of all volleys, in arrays.
    conditions : Conditions
        Their conditions.
    fields : array of int64, shape (fields,)
        The fields to work out, as for `payoffs.solve_payoffs`.
    tables : array of float, shape (cells, 2, fields)
        Takes how battles end, by the side that moves first. The battles follow one another; each has a cell for each
        number of units left of side 0 and of side 1, which runs fastest, from no unit on.
    states : array of int64, shape (battles,)
        Takes the number of states of each battle; `GIVEN_UP` for one that isn't solved.
    """
    cells = 0
    for battle in range(len(states)):
        side_0, side_1 = _side(batch, 2 * battle, 2 * battle + 1), _side(batch, 2 * battle + 1, 2 * battle)
        size = (len(side_0.falls) + 1) * (len(side_1.falls) + 1)
        states[battle] = _solve_one(side_0, side_1, effects, conditions, fields, tables[cells : cells + size])
        cells += size


def _side(batch: Batch, side: int, other: int) -> OrderedSide:
    begin, end = batch.begins[side], batch.begins[side + 1]
    enemies = batch.units[batch.begins[other, 0] : batch.begins[other + 1, 0]]
    strikes = batch.strikes[begin[2] : end[2]]
    return OrderedSide(
        batch.units[begin[0] : end[0]],
        batch.guns[begin[1] : end[1]],
        strikes,
        batch.volleys[begin[3] : end[3]].reshape(len(strikes), len(enemies)),
        batch.falls[begin[4] : end[4]],
        batch.ranks[begin[5] : end[5]].reshape(len(strikes), len(enemies), tallest(enemies) + 1),
    )


def _is_simple(side: OrderedSide) -> bool:
    """Return whether all strikes of a side need nothing but a unit that is left, its actions and its gun."""
    if len(side.units) > MOST_UNITS:
        return False
    for gun in side.guns:
        if gun[col.ONCE] != 0:
            return False
    for strike in side.strikes:
        if strike[col.HELPS] != 0 or strike[col.RETURNS_FIRE] != 0:
            return False
        if strike[col.GONE] != col.NOBODY or strike[col.HELPED_AT] != col.NOBODY:
            return False
    return True


def _solve_one(
    side_0: OrderedSide, side_1: OrderedSide, effects: Effects, conditions: Conditions, fields: Ints, table: Floats
) -> int:
    """Solve one battle, write its cells into `table`, and return its number of states, or `GIVEN_UP`."""
    if not (_is_simple(side_0) and _is_simple(side_1)):
        return GIVEN_UP
    queue_0, queue_1 = line_up(side_0, side_1, effects), line_up(side_1, side_0, effects)
    if 2 * len(queue_0.strengths) * len(queue_1.strengths) > conditions.most_states:
        return GIVEN_UP
    armed_0 = arm(side_0, queue_0, queue_1, conditions.by_unit[0], conditions.limits[0])
    armed_1 = arm(side_1, queue_1, queue_0, conditions.by_unit[1], conditions.limits[1])
    if max(armed_0.bits, armed_1.bits) > RELOAD_BITS:
        return GIVEN_UP
    turns_0, turns_1 = turns_of(armed_0, queue_1, effects), turns_of(armed_1, queue_0, effects)
    states = 2 * turns_0.size * turns_1.size
    if turns_0.size < 0 or turns_1.size < 0 or states > conditions.most_states:
        return GIVEN_UP
    cells, row = np.empty((len(table), 2), np.int64), len(side_1.falls) + 1
    for cell in range(len(cells)):
        cells[cell, 0], cells[cell, 1] = strength_of(queue_0, cell // row), strength_of(queue_1, cell % row)
    reload = turns_0.size > len(queue_0.strengths) or turns_1.size > len(queue_1.strengths)
    by_cost, rounds, most = conditions.by_cost, conditions.rounds, conditions.most_steps
    if rounds > 0 or reload:
        fits = solve_positions(turns_0, turns_1, queue_0, queue_1, by_cost, rounds, most, cells, fields, table)
        return states if fits else GIVEN_UP
    solve_payoffs(turns_0, turns_1, queue_0, queue_1, by_cost, cells, fields, table)
    return states
