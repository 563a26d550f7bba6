"""A whole roster against itself: every attacker, target and situation packed into arrays, each half worked out once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine import conditions, exact, jit, rng, sampling
from aabalance.engine.conditions import BlowTables
from aabalance.engine.tables import GROUP_FIELDS, NEXT_BITS, KernelTables, PlanTables, expand
from aabalance.rulesets.base import Bracket, Plan, Ruleset, Shot, Volley

Tables = PlanTables | BlowTables

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NO_ROLL = 0


class Grid(NamedTuple):
    """Attacks and plans of attackers on targets in situations.

    Attributes
    ----------
    tables : PlanTables or BlowTables
        As the game's duels are walks or of conditions.
    plan, attack : array of int, shape (attackers, targets, situations)
        Packed plan of a unit that holds, and of one that makes its best single attack every turn.
    need : array of int, same shape
        Natural roll of the best attack, `NO_ROLL`, or one more than the die has if none succeeds; with two dice that of
        the hit die.
    p_damage, expected_damage : array of float, same shape
        Of the best attack.
    per_action : array of float, same shape
        Expected damage of the best use of one action.
    out_of_reach : array of bool, same shape
        No attack has an effect, and one would that doesn't reach so far.
    """

    tables: Tables
    plan: Ints
    attack: Ints
    need: Ints
    p_damage: Floats
    expected_damage: Floats
    per_action: Floats
    out_of_reach: npt.NDArray[np.bool_]

    def of(self, situations: Sequence[int]) -> Grid:
        """Return the grid of some of its situations, in this order."""
        arrays: list[Any] = [array.take(situations, axis=2) for array in self[1:]]
        return Grid(self.tables, *arrays)


class _Cell(NamedTuple):
    plan: int
    attack: int
    need: int
    effect: int
    per_action: float
    out_of_reach: bool


def tables_for(ruleset: Ruleset) -> Tables:
    """Return empty tables for the duels of a game."""
    return PlanTables() if ruleset.order == "walk" else BlowTables(ruleset.order, ruleset.conditions)


def grid(
    ruleset: Ruleset,
    attackers: Sequence[Any],
    targets: Sequence[Any],
    situations: Sequence[Any],
    variant: Any,
    advance: Callable[[int], None] = lambda steps: None,
    tables: Tables | None = None,
) -> Grid:
    """Pack every attacker against every target in every situation.

    Cost grows with (different offences) x (different defences) x (ranges), not with the number of pairs, nor with
    situations that differ in nothing which an attack reads.

    Parameters
    ----------
    attackers, targets : sequence of card
    situations : sequence of Situation
    advance : callable
        Called with the number of attackers done since the last call.
    tables : PlanTables or BlowTables, optional
        To pack into, so that two grids' plans can meet in a duel.
    """
    offences: dict[Hashable, int] = {}
    defences: dict[Hashable, int] = {}
    offence_at = _numbered(offences, attackers, situations, lambda card, at: ruleset.offence(card, at, variant))
    defence_at = _numbered(defences, targets, situations, lambda card, at: ruleset.defence(card, at, variant))
    tables = tables_for(ruleset) if tables is None else tables
    cells: dict[tuple[int, float], dict[int, int]] = {}
    views: dict[Hashable, list[int]] = {}
    values: list[_Cell] = []
    index = np.empty((len(attackers), len(targets), len(situations)), dtype=np.int64)
    offence_of, defence_of = list(offences), list(defences)
    reads = [ruleset.reads(offence) for offence in offence_of]
    seen: dict[Hashable, int] = {}
    alike: dict[Hashable, int] = {}
    same_as = [
        alike.setdefault((offence_at[:, s].tobytes(), defence_at[:, s].tobytes(), situation.range_in), s)
        for s, situation in enumerate(situations)
    ]
    for a in range(len(attackers)):
        for s in alike.values():
            situation = situations[s]
            o = int(offence_at[a, s])
            if reads[o] not in views:
                # What such an offence sees of each defence, as numbers: few offences see all of it.
                views[reads[o]] = [seen.setdefault(ruleset.shown(d, reads[o]), len(seen)) for d in defence_of]
            view, row = views[reads[o]], cells.setdefault((o, situation.range_in), {})
            shown = defence_at[:, s].tolist()
            for d in shown:
                if view[d] not in row:
                    row[view[d]] = len(values)
                    values.append(_cell(ruleset, tables, offence_of[o], defence_of[d], situation.range_in, variant))
            index[a, :, s] = [row[view[d]] for d in shown]
        advance(1)
    index = index.take(same_as, axis=2)
    columns = list(zip(*values, strict=True))
    plan, attack, need, effect = (np.array(column, dtype=np.int64)[index] for column in columns[:4])
    per_action = np.array(columns[4], dtype=np.float64)[index]
    out_of_reach = np.array(columns[5], dtype=np.bool_)[index]
    p_damage, expected = np.array(tables.volleys.effective)[effect], np.array(tables.volleys.mean)[effect]
    return Grid(tables, plan, attack, need, p_damage, expected, per_action, out_of_reach)


def _numbered(
    seen: dict[Hashable, int], cards: Sequence[Any], situations: Sequence[Any], half: Callable[[Any, Any], Hashable]
) -> Ints:
    """Return the numbers of the halves by (card, situation); a half that reads no range is made once per card."""
    numbers = np.empty((len(cards), len(situations)), dtype=np.int64)
    alike: dict[Any, list[int]] = {}
    for s, situation in enumerate(situations):
        alike.setdefault(situation.model_copy(update={"range_in": 0.0}), []).append(s)
    for c, card in enumerate(cards):
        for situation, places in alike.items():
            numbers[c, places] = seen.setdefault(half(card, situation), len(seen))
    return numbers


def _cell(ruleset: Ruleset, tables: Tables, offence: Any, defence: Any, range_in: float, variant: Any) -> _Cell:
    found = ruleset.survey(offence, defence, range_in, variant)
    effect = tables.volleys.add(found.shot.effect)
    plan = attack = tables.add(found.plan)
    if isinstance(tables, PlanTables) and not _repeats(found.plan, found.shot):
        attack = tables.add(single(found.shot))
    return _Cell(plan, attack, _need(found.shot, ruleset.die), effect, found.per_action, found.out_of_reach)


def _repeats(plan: Plan, shot: Shot) -> bool:
    """Return whether a plan is nothing but this attack, every turn."""
    least, cycle, opening = plan[0]
    if len(plan) > 1 or least > 1 or opening or len(cycle) > 1:
        return False
    return cycle[0].effect is shot.effect and cycle[0].dice == shot.dice


def single(shot: Shot) -> Plan:
    """Return the plan of making one attack, again and again."""
    return (Bracket(1, (Volley((shot.weapon,) * len(shot.dice), shot.effect, shot.dice),)),)


def _need(shot: Shot, die: int) -> int:
    if not (die and shot.needs):
        return NO_ROLL
    need = next(iter(shot.needs.values()))
    return die + 1 if need is None or None in shot.needs.values() else need


class Duels(NamedTuple):
    """Duels averaged over who moves first, and one by one.

    Attributes
    ----------
    p_win, p_draw, p_loss, player_turns, p_win_first, p_win_second : array of float
        A draw leaves both or neither; `player_turns` is infinite where there may be no end, and no limit either.
    """

    p_win: Floats
    p_draw: Floats
    p_loss: Floats
    player_turns: Floats
    p_win_first: Floats
    p_win_second: Floats


def duels(tables: Tables, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints, rounds: int | None = None) -> Duels:
    """Solve duels of holding units with a roll-off, all arrays of one shape; `rounds` are turns of each side."""
    shape = plan_a.shape
    a, b, life_a, life_b = _flat(shape, plan_a, plan_b, hp_a, hp_b)
    if isinstance(tables, BlowTables):
        going_first = conditions.solve(tables, a, b, rounds)
        going_second = going_first
        if tables.order != "together":
            going_second = conditions.solve(tables, b, a, rounds)[:, [1, 0, 2, 3, 4]]
    else:
        going_first = solve(tables, a, b, life_a, life_b, rounds)
        going_second = solve(tables, b, a, life_b, life_a, rounds)[:, [1, 0, 2, 3]]
    both = (going_first + going_second) / 2
    draws = both[:, 2:-1].sum(axis=1)
    columns = (both[:, 0], draws, both[:, 1], both[:, -1], going_first[:, 0], going_second[:, 0])
    return Duels(*(column.reshape(shape) for column in columns))


def _flat(shape: tuple[int, ...], *arrays: Ints) -> list[Ints]:
    return [np.ascontiguousarray(np.broadcast_to(array, shape).ravel(), dtype=np.int64) for array in arrays]


def simulate(
    tables: Tables,
    plan_a: Ints,
    plan_b: Ints,
    hp_a: Ints,
    hp_b: Ints,
    names: tuple[Sequence[str], Sequence[str]],
    trials: int,
    seed: int,
    rounds: int | None = None,
) -> Ints:
    """Roll duels of holding units with a roll-off: half the trials in either order.

    Parameters
    ----------
    plan_a, plan_b, hp_a, hp_b : arrays of one shape
    names : pair of sequence of str
        Of a and of b by duel, in the order of the raveled arrays: what its dice hang on besides the seed.

    Returns
    -------
    array of int64, shape (2, n, 6)
        By order, a first and b first: wins of a, of b, undecided, player turns, both destroyed, trials.
    """
    shape = np.broadcast(plan_a, plan_b, hp_a, hp_b).shape
    a, b, life_a, life_b = _flat(shape, plan_a, plan_b, hp_a, hp_b)
    orders = []
    with sampling.threads() as pool:
        for who, ends in (("a", (a, b, life_a, life_b)), ("b", (b, a, life_b, life_a))):
            share = trials // 2 + (who == "a" and trials % 2)
            keys = rng.stream_keys(seed, *names, [who] * len(names[0]))
            ready: KernelTables | conditions.ClashTables
            if isinstance(tables, BlowTables):
                ready = conditions.kernel_tables(tables, *ends[:2])
            else:
                ready = kernel_tables(tables, *ends)
            counts = sampling.simulate_many(ready, keys, share, rounds, pool)
            seen = counts if who == "a" else counts[:, [1, 0, 2, 3, 4]]
            orders.append(np.column_stack([seen, np.full(len(seen), share)]))
    return np.stack(orders)


def solve(tables: PlanTables, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints, rounds: int | None = None) -> Floats:
    """Solve duels of holding units in which a moves first.

    Returns
    -------
    array of float, shape (n, 4)
        P(a wins), P(b wins), P(draw), expected player turns, as `aabalance.engine.exact.solve` writes them.
    """
    plans, least, outcomes = tables.arrays()
    quantum, packed = plans[5], plans[6]
    sides, slot, after = _expand(plans, plan_a, plan_b, hp_a, hp_b)
    nodes = sides[:, 0, exact.NODES]
    states = _hits(hp_a, quantum[plan_b]) * _hits(hp_b, quantum[plan_a])
    out = np.empty((len(plan_a), 4))
    most = 2 * int(nodes.max(initial=1))
    scratch = np.empty(int((states * nodes).max(initial=1)) * 2 + 2 * most)
    walk = sides, least, packed[slot], after, outcomes
    if rounds is None:
        jit.compiled(exact.solve)(*walk, scratch, np.empty(4 * most, dtype=np.int64), out, np.empty((2, 0)))
    else:
        jit.compiled(exact.solve_rounds)(*walk, rounds, scratch, out, np.empty(0))
    return out


def _expand(plans: Any, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the walks of holding units against each other: sides, and by entry the volley's slot and the next node."""
    opening, cycle, brackets = plans[:3]
    nodes = np.maximum(opening[plan_a], opening[plan_b]) + np.lcm(cycle[plan_a], cycle[plan_b])
    lengths = nodes * (brackets[plan_a] + brackets[plan_b])
    at = np.concatenate([[0], np.cumsum(lengths)])
    sides = np.empty((len(plan_a), 2, 6), dtype=np.int64)
    slot, after = np.empty(at[-1], dtype=np.int64), np.empty(at[-1], dtype=np.int64)
    jit.compiled(expand)(plans, plan_a, plan_b, hp_a, hp_b, at, sides, slot, after)
    return sides, slot, after


def kernel_tables(tables: PlanTables, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints) -> KernelTables:
    """Return duels of holding units in which a moves first, as the kernel reads them; all arrays of shape (n,)."""
    plans, least, _ = tables.arrays()
    sides, slot, after = _expand(plans, plan_a, plan_b, hp_a, hp_b)
    thresholds, groups, effects = tables.dice()
    groups[:, GROUP_FIELDS - 1 :: GROUP_FIELDS] += len(least)  # effects stand behind the thresholds of the brackets
    rows = np.concatenate([sides[:, :, :4], np.stack([groups[plan_a], groups[plan_b]], axis=1)], axis=2)
    entries = thresholds[slot] | after.astype(np.uint64) << np.uint64(NEXT_BITS)
    harmless = (sides[:, :, exact.QUANTUM] == 0).all(axis=1)
    return KernelTables(entries, rows, np.concatenate([least, effects]), harmless)


def _hits(hp: Ints, quantum: Ints) -> Ints:
    """Return how many steps of `quantum` a toughness has; one if nothing takes any."""
    return np.where(quantum > 0, -(-hp // np.maximum(quantum, 1)), 1)


class Kills(NamedTuple):
    """How long it takes to destroy a target that does nothing.

    Attributes
    ----------
    p_kill, p_kill_turn : array of float
        By one attack, and in one turn of holding.
    shots, turns : array of float
        Expected attacks, and turns of holding; infinite if it never happens.
    """

    p_kill: Floats
    p_kill_turn: Floats
    shots: Floats
    turns: Floats


def kills(found: Grid, hp: Ints) -> Kills:
    """Solve the kills of a grid, `hp` broadcast over its shape; equal cases are solved once."""
    shape = found.plan.shape
    if isinstance(found.tables, BlowTables):
        turns, within = conditions.kills(found.tables, found.plan.ravel()).T
        by_turn, p_turn = turns.reshape(shape), within.reshape(shape)
        return Kills(p_turn, p_turn, by_turn, by_turn)
    life = np.broadcast_to(hp, shape).ravel()
    plans, _, outcomes = found.tables.arrays()

    def run(packed: Ints) -> tuple[Floats, Floats]:
        cases, back = np.unique(np.stack([packed.ravel(), life]), axis=1, return_inverse=True)
        plan, target = (np.ascontiguousarray(row) for row in cases)
        turns = (plans[0] + plans[1])[plan]
        scratch = np.empty(int((_hits(target, plans[5][plan]) * turns).max(initial=1)))
        out = np.empty((len(plan), 2))
        jit.compiled(exact.kills)(plans, outcomes, plan, target, np.ones(1, dtype=np.int64), scratch, out)
        return out[back, 0].reshape(shape), out[back, 1].reshape(shape)

    shots, p_kill = run(found.attack)
    turns, p_kill_turn = run(found.plan)
    return Kills(p_kill, p_kill_turn, shots, turns)
