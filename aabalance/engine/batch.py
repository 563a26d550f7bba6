"""A whole roster against itself: every attacker, target and situation packed into arrays, each half worked out once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance import dice
from aabalance.engine import exact, jit
from aabalance.engine.tables import PlanTables
from aabalance.rulesets.base import Bracket, Plan, Ruleset, Shot, Volley

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NO_ROLL = 0
IMPOSSIBLE = 7


class Grid(NamedTuple):
    """Attacks and plans of attackers on targets in situations.

    Attributes
    ----------
    tables : PlanTables
    plan, attack : array of int, shape (attackers, targets, situations)
        Packed plan of a unit that holds, and of one that makes its best single attack every turn.
    need : array of int, same shape
        Natural roll of the best attack, `NO_ROLL` or `IMPOSSIBLE`; with two dice that of the hit die.
    p_damage, expected_damage : array of float, same shape
        Of the best attack.
    per_action : array of float, same shape
        Expected damage of the best use of one action.
    """

    tables: PlanTables
    plan: Ints
    attack: Ints
    need: Ints
    p_damage: Floats
    expected_damage: Floats
    per_action: Floats


class _Cell(NamedTuple):
    plan: int
    attack: int
    need: int
    p_damage: float
    expected_damage: float
    per_action: float


def grid(
    ruleset: Ruleset,
    attackers: Sequence[Any],
    targets: Sequence[Any],
    situations: Sequence[Any],
    variant: Any,
    advance: Callable[[int], None] = lambda steps: None,
    tables: PlanTables | None = None,
) -> Grid:
    """Pack every attacker against every target in every situation.

    Cost grows with (different offences) x (different defences) x (ranges), not with the number of pairs.

    Parameters
    ----------
    attackers, targets : sequence of card
    situations : sequence of Situation
    advance : callable
        Called with the number of attackers done since the last call.
    tables : PlanTables, optional
        To pack into, so that two grids' plans can meet in a duel.
    """
    offences: dict[Hashable, int] = {}
    defences: dict[Hashable, int] = {}
    offence_at = _numbered(offences, attackers, situations, lambda card, at: ruleset.offence(card, at, variant))
    defence_at = _numbered(defences, targets, situations, lambda card, at: ruleset.defence(card, at, variant))
    tables = PlanTables() if tables is None else tables
    cells: dict[tuple[int, int, float], int] = {}
    values: list[_Cell] = []
    index = np.empty((len(attackers), len(targets), len(situations)), dtype=np.int64)
    offence_of, defence_of = list(offences), list(defences)
    for a in range(len(attackers)):
        for s, situation in enumerate(situations):
            o = int(offence_at[a, s])
            for t in range(len(targets)):
                key = o, int(defence_at[t, s]), situation.range_in
                if key not in cells:
                    cells[key] = len(values)
                    values.append(
                        _cell(ruleset, tables, offence_of[o], defence_of[key[1]], situation.range_in, variant)
                    )
                index[a, t, s] = cells[key]
        advance(1)
    columns = list(zip(*values, strict=True))
    plan, attack, need = (np.array(column, dtype=np.int64)[index] for column in columns[:3])
    p_damage, expected, per_action = (np.array(column, dtype=np.float64)[index] for column in columns[3:])
    return Grid(tables, plan, attack, need, p_damage, expected, per_action)


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


def _cell(ruleset: Ruleset, tables: PlanTables, offence: Any, defence: Any, range_in: float, variant: Any) -> _Cell:
    found = ruleset.survey(offence, defence, range_in, variant)
    effect = found.shot.effect
    nothing = effect.get(0, 0)
    return _Cell(
        tables.add(found.plan),
        tables.add(single(found.shot)),
        _need(found.shot),
        1.0 - float(nothing) if nothing else 1.0,
        float(dice.mean(effect)),
        found.per_action,
    )


def single(shot: Shot) -> Plan:
    """Return the plan of making one attack, again and again."""
    return (Bracket(1, (Volley((shot.weapon,), shot.effect),)),)


def _need(shot: Shot) -> int:
    if not shot.needs:
        return NO_ROLL
    need = next(iter(shot.needs.values()))
    return IMPOSSIBLE if need is None or None in shot.needs.values() else need


class Duels(NamedTuple):
    """Duels averaged over who moves first, and one by one.

    Attributes
    ----------
    p_win, p_draw, p_loss, player_turns, p_win_first, p_win_second : array of float
        `player_turns` is infinite where there may be no end.
    """

    p_win: Floats
    p_draw: Floats
    p_loss: Floats
    player_turns: Floats
    p_win_first: Floats
    p_win_second: Floats


def duels(tables: PlanTables, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints, rounds: int | None = None) -> Duels:
    """Solve duels of holding units with a roll-off, all arrays of one shape."""
    shape = plan_a.shape
    sides = (plan_a, plan_b, hp_a, hp_b)
    a, b, life_a, life_b = (np.ascontiguousarray(np.broadcast_to(x, shape).ravel(), dtype=np.int64) for x in sides)
    going_first = solve(tables, a, b, life_a, life_b, rounds)
    going_second = solve(tables, b, a, life_b, life_a, rounds)[:, [1, 0, 2, 3]]
    both = (going_first + going_second) / 2
    columns = (both[:, 0], both[:, 2], both[:, 1], both[:, 3], going_first[:, 0], going_second[:, 0])
    return Duels(*(column.reshape(shape) for column in columns))


def solve(tables: PlanTables, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints, rounds: int | None = None) -> Floats:
    """Solve duels of holding units in which a moves first.

    Returns
    -------
    array of float, shape (n, 4)
        P(a wins), P(b wins), P(draw), expected player turns, as `aabalance.engine.exact.solve` writes them.
    """
    plans, least, outcomes = tables.arrays()
    cycle, brackets, _, _, quantum, _ = plans
    nodes = np.lcm(cycle[plan_a], cycle[plan_b])
    lengths = nodes * (brackets[plan_a] + brackets[plan_b])
    at = np.concatenate([[0], np.cumsum(lengths)])
    sides = np.empty((len(plan_a), 2, 6), dtype=np.int64)
    volley, after = np.empty(at[-1], dtype=np.int64), np.empty(at[-1], dtype=np.int64)
    jit.compiled(exact.expand)(plans, plan_a, plan_b, hp_a, hp_b, at, sides, volley, after)
    states = _hits(hp_a, quantum[plan_b]) * _hits(hp_b, quantum[plan_a])
    out = np.empty((len(plan_a), 4))
    most = 2 * int(nodes.max(initial=1))
    scratch = np.empty(int((states * nodes).max(initial=1)) * 2 + 2 * most)
    walk = sides, least, volley, after, outcomes
    if rounds is None:
        jit.compiled(exact.solve)(*walk, scratch, np.empty(4 * most, dtype=np.int64), out, np.empty((2, 0)))
    else:
        jit.compiled(exact.solve_rounds)(*walk, rounds, scratch, out, np.empty(0))
    return out


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
    life = np.broadcast_to(hp, shape).ravel()

    plans, _, outcomes = found.tables.arrays()

    def run(packed: Ints) -> tuple[Floats, Floats]:
        cases, back = np.unique(np.stack([packed.ravel(), life]), axis=1, return_inverse=True)
        plan, target = (np.ascontiguousarray(row) for row in cases)
        scratch = np.empty(int((_hits(target, plans[4][plan]) * plans[0][plan]).max(initial=1)))
        out = np.empty((len(plan), 2))
        jit.compiled(exact.kills)(plans, outcomes, plan, target, np.ones(1, dtype=np.int64), scratch, out)
        return out[back, 0].reshape(shape), out[back, 1].reshape(shape)

    shots, p_kill = run(found.attack)
    turns, p_kill_turn = run(found.plan)
    return Kills(p_kill, p_kill_turn, shots, turns)
