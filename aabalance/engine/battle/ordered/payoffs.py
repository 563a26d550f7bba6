"""What the turns of an ordered side lead to, and how battles end.

The chances of the strengths that the other side has after a turn are worked out for each node of a turn and each
strength of the other side. If the other side has equal units, one unit more behind those that a turn can reach changes
no chance: then the chances for fewer units are shared.

Where no gun has to reload or is prepared and no rounds are counted, the strengths of both sides and the side to move
are all that a state has (`solve_payoffs`). Each field of an outcome is an expected payoff: what the battle pays once it
is over, and, for the number of turns, what each turn pays. Only a turn that hurts nobody leaves the strengths as they
were, so that each cycle is summed as a geometric series.

In other battles a state is the side to move and a position of each side: its strength, and which of its guns have to
reload or are prepared (`solve_positions`). All functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine.absorbing import DONE, ENDS, NEW, VALUE, Transitions, play_rounds, solve_absorbing
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.battle.ordered.sides import BELOW, FRONT, HAS, KIND, NODE, OF_UNIT, REACH, START, Armed, Queue
from aabalance.engine.battle.ordered.turns import (
    AFTER,
    ALIKE,
    EFFECT,
    FALLEN,
    FIRST_ENDING,
    GIVEN_UP,
    NO_MORE,
    ROOT,
    TELLS,
    U,
    plan,
)
from aabalance.engine.outcome import DRAW, TURNS, A, B
from aabalance.engine.volleys import Effects

LEAST, BEGIN = range(2)
"""Columns of spans: the least strength that the other side may have after the turn, and the index at which the chances
begin. They are listed from the strength itself down to the least one."""
LAST = -1.0
"""Stands behind the last of these chances. Loops over them stop there instead of counting: the chances are few, and the
compiler would unroll a loop of a known length, which takes longer."""
MOST_CHANCES = 1 << 24
"""Most chances for a solution."""
MOST_TRANSITIONS = 1 << 24
"""Most transitions between states; a battle with more isn't solved so."""
SCORE, NEVER = range(ENDS, ENDS + 2)
"""Fields besides those of an outcome: the score of side 0, P(win) + P(draw) / 2; and the chance that a battle never
ends, which is a draw with infinitely many turns."""


class Turns(NamedTuple):
    """The turns of a side, and what they lead to.

    Attributes
    ----------
    positions, size, endings
        As in `turns.Plan`.
    spans : array of int64, shape (nodes, strengths of the other side, 2)
        Columns `LEAST` and `BEGIN`.
    chances : array of float
        The chances of all nodes and strengths, with `LAST` behind those of each.
    """

    positions: Ints
    size: int
    endings: Ints
    spans: Ints
    chances: Floats


def turns_of(armed: Armed, enemy: Queue, effects: Effects) -> Turns:
    """Work out the turns of a side.

    Parameters
    ----------
    armed : Armed
        The side.
    enemy : Queue
        The queue of the other side; both as `sides.arm` leaves them.
    effects : Effects
        The outcomes of all volleys, in arrays.
    """
    made, size = plan(armed, enemy), len(enemy.strengths)
    count = len(made.nodes)
    spans = np.empty((count, size, 2), np.int64)
    chances = np.empty(min(count * size * (size + 3) // 2 + 1, MOST_CHANCES))
    fits = _lead_on(armed, enemy, made.nodes, effects, spans, chances)
    return Turns(made.positions, made.size if fits else GIVEN_UP, made.endings, spans, chances)


def _lead_on(armed: Armed, enemy: Queue, nodes: Ints, effects: Effects, spans: Ints, chances: Floats) -> bool:
    """Write what nodes lead to into `spans` and `chances`; return whether there was room for all chances."""
    strengths, orders = armed.queue.strengths, armed.orders
    queue, others, levels, floor = enemy.units, enemy.strengths, enemy.levels, enemy.floor
    start, amount, chance, nothing = effects
    afters = np.empty(len(amount), np.int64)
    count, following, size, most = len(nodes), EFFECT + len(orders), len(others), len(chances)
    end, bottom, shift = 0, 0, 0
    for strength in range(size):
        kind, left = others[strength, KIND], U(strength)
        known = NO_MORE
        if strength > 0:
            at, has = others[left, FRONT], others[left, HAS]
            below, unit = queue[at, BELOW], queue[at, OF_UNIT]
            if at > 0 and queue[at - 1, OF_UNIT] == unit:
                shift = below - queue[at - 1, BELOW]
            else:
                bottom, shift = below, 0
        for node in range(U(count)):
            effect, own = nodes[node, EFFECT + kind], nodes[node, ALIKE]
            # If the turn never reaches the last of the equal units, its chances are those with one unit fewer.
            if shift > 0:
                least = spans[node, U(strength - shift), LEAST]
                if least > max(bottom, floor, strengths[own, REACH]):
                    spans[node, left, LEAST] = least + shift
                    spans[node, left, BEGIN] = spans[node, U(strength - shift), BEGIN]
                    continue
            over = strength <= floor or (strength <= strengths[own, REACH] and own <= others[left, REACH])
            hurts = effect >= 0 and not over
            then, low = U(nodes[node, following + kind] if hurts else 0), strength
            if hurts:
                if effect != known:
                    known = effect
                    for x in range(start[effect], start[effect + 1]):
                        afters[x - start[effect]] = below + levels[unit, max(has - amount[x], 0)]
                low = spans[then, left, LEAST]
                for x in range(U(start[effect + 1] - start[effect])):
                    low = min(low, spans[then, U(afters[x]), LEAST])
            spans[node, left, LEAST], spans[node, left, BEGIN] = low, end
            if end + strength - low + 1 >= most:
                return False
            here = U(end)
            end += strength - low + 2
            chances[here] = 1.0 if (effect == NO_MORE and not over) or (over and nodes[node, TELLS] != 0) else 0.0
            for x in range(here + U(1), U(end - 1)):
                chances[x] = 0.0
            chances[U(end - 1)] = LAST
            if hurts:
                _add_chances(spans, chances, nothing[effect], then, left, here)
                for x in range(start[effect], start[effect + 1]):
                    after = afters[x - start[effect]]
                    _add_chances(spans, chances, chance[x], then, U(after), here + U(strength - after))
    return True


def _add_chances(
    spans: Ints, chances: Floats, share: float, node: np.uint64, strength: np.uint64, to: np.uint64
) -> None:
    """Add the chances of a node and a strength, weighted with a share, to those from index `to` on."""
    begin = U(spans[node, strength, BEGIN])
    for lost in range(U(strength - U(spans[node, strength, LEAST]) + U(1))):
        chances[to + lost] += share * chances[begin + lost]


def solve_payoffs(
    turns_0: Turns,
    turns_1: Turns,
    queue_0: Queue,
    queue_1: Queue,
    by_cost: bool,
    cells: Ints,
    fields: Ints,
    table: Floats,
) -> None:
    """Work out how battles without reloading, preparing and rounds end, by the strengths of both sides.

    Parameters
    ----------
    turns_0, turns_1 : Turns
        The turns of each side.
    queue_0, queue_1 : Queue
        The queues of both sides; the column `NODE` of their strengths is written.
    by_cost : bool
        Whether the cost of what is left decides, as in `aabalance.rulesets.base.Mission`.
    cells : array of int64, shape (cells, 2)
        For each battle, the strengths of both sides with which it begins.
    fields : array of int64, shape (fields,)
        The fields to work out: those of an outcome, `SCORE` or `NEVER`. The number of turns is without those of battles
        that never end.
    table : array of float, shape (cells, 2, fields)
        Takes the fields, by the side that moves first.
    """
    _mark_nodes(turns_0, queue_0.strengths)
    _mark_nodes(turns_1, queue_1.strengths)
    half = len(queue_1.strengths)
    for x in range(len(fields)):
        values = _solve(turns_0, turns_1, queue_0, queue_1, by_cost, fields[x])
        for cell in range(len(cells)):
            for first in range(2):
                table[cell, first, x] = values[cells[cell, 0], first * half + cells[cell, 1]]


def _solve(turns_0: Turns, turns_1: Turns, queue_0: Queue, queue_1: Queue, by_cost: bool, field: int) -> Floats:
    """Return one field of all states, as an array of shape (strengths of side 0, 2 * strengths of side 1).

    The first half of a row has the states in which side 0 is to move, the second half those in which side 1 is.
    """
    spans_0, chances_0, strengths_0, standing_0 = turns_0.spans, turns_0.chances, queue_0.strengths, queue_0.standing
    spans_1, chances_1, strengths_1, standing_1 = turns_1.spans, turns_1.chances, queue_1.strengths, queue_1.standing
    half, floor_0, floor_1 = len(strengths_1), queue_0.floor, queue_1.floor
    of_0, column = (field - VALUE) % 2 == 0, max(field - VALUE, 0) // 2 % 2
    each_turn = 1.0 if field == TURNS else 0.0
    values = np.empty((len(strengths_0), 2 * half))
    # In order of the sum of both strengths: no state leads to another of the same sum, so that the processor can work
    # on several at a time.
    for both in range(len(strengths_0) + half - 1):
        for strength_0 in range(max(both - half + 1, 0), min(both + 1, len(strengths_0))):
            strength_1 = both - strength_0
            reach_0, reach_1 = strengths_0[strength_0, REACH], strengths_1[strength_1, REACH]
            fights_0, fights_1 = strength_0 > floor_0, strength_1 > floor_1
            if not fights_0 or not fights_1 or (strength_1 <= reach_0 and strength_0 <= reach_1):
                lead = lead_of(fights_0, fights_1, standing_0[strength_0, 0], standing_1[strength_1, 0], by_cost)
                left = standing_0[strength_0, column] if of_0 else standing_1[strength_1, column]
                paid = _payoff(field, lead, True, left)
                values[strength_0, strength_1] = values[strength_0, half + strength_1] = paid
                continue
            node_0, node_1 = strengths_0[strength_0, NODE], strengths_1[strength_1, NODE]
            at_0, at_1 = U(spans_0[node_0, strength_1, BEGIN]), U(spans_1[node_1, strength_0, BEGIN])
            stay_0, stay_1 = chances_0[at_0], chances_1[at_1]
            again = stay_0 * stay_1
            if again == 1.0:
                left = standing_0[strength_0, column] if of_0 else standing_1[strength_1, column]
                paid = _payoff(field, 0.0, False, left)
                values[strength_0, strength_1] = values[strength_0, half + strength_1] = paid
                continue
            after_0 = after_1 = each_turn
            here_0, here_1 = U(strength_0), U(strength_1)
            lost = U(1)
            while chances_1[at_1 + lost] >= 0.0:
                after_1 += chances_1[at_1 + lost] * values[here_0 - lost, here_1]
                lost += U(1)
            lost = U(1)
            while chances_0[at_0 + lost] >= 0.0:
                after_0 += chances_0[at_0 + lost] * values[here_0, U(half) + here_1 - lost]
                lost += U(1)
            # The sum of the geometric series of turns of both sides in which nobody is hurt.
            value = (after_0 + stay_0 * after_1) / (1.0 - again)
            values[here_0, here_1], values[here_0, U(half) + here_1] = value, after_1 + stay_1 * value
    return values


def _payoff(field: int, lead: float, over: bool, left: float) -> float:
    """Return what the end of a battle pays into a field; a battle that never ends (`over` is False) pays as a draw."""
    if field == SCORE:
        return 1.0 if lead > 0.0 else 0.5 if lead == 0.0 else 0.0
    if field == NEVER:
        return 0.0 if over else 1.0
    if field == A:
        return 1.0 if lead > 0.0 else 0.0
    if field == B:
        return 1.0 if lead < 0.0 else 0.0
    if field == DRAW:
        return 1.0 if lead == 0.0 else 0.0
    return left if field >= VALUE else 0.0


def _mark_nodes(turns: Turns, strengths: Ints) -> None:
    """Write the column `NODE` of a side's strengths."""
    positions, endings = turns.positions, turns.endings
    for strength in range(len(strengths)):
        at = strengths[strength, START]
        strengths[strength, NODE] = GIVEN_UP
        if positions[at, FIRST_ENDING] < positions[at + 1, FIRST_ENDING]:
            strengths[strength, NODE] = endings[positions[at, FIRST_ENDING], ROOT]


def lead_of(fights_0: bool, fights_1: bool, cost_0: float, cost_1: float, by_cost: bool) -> float:
    """Return who wins a battle that is over: above 0 for side 0, below 0 for side 1, 0 for a draw.

    Parameters
    ----------
    fights_0, fights_1 : bool
        Whether each side has a unit left that counts.
    cost_0, cost_1 : float
        The cost of what each side has left.
    by_cost : bool
        Whether that decides if both sides or neither have such a unit.
    """
    if fights_0 != fights_1:
        return 1.0 if fights_0 else -1.0
    return cost_0 - cost_1 if by_cost else 0.0


class Linked(NamedTuple):
    """All states of a battle.

    The index of a state is made up of the side to move, the position of side 0, and that of side 1, which runs fastest.

    Attributes
    ----------
    transitions : Transitions
        The transitions between them; none if there are more than `MOST_TRANSITIONS`.
    order, group : array of int64, shape (states,)
        As for `solve_absorbing`.
    lead : array of float, shape (states,)
        As from `lead_of`, for a battle that ends in the state.
    movers : array of int8, shape (states,)
        The side whose turn it is; -1 if the battle is over.
    left : array of float, shape (states, ENDS - VALUE)
        The cost of what each side has left, then the number of its units.
    """

    transitions: Transitions
    order: Ints
    group: Ints
    lead: Floats
    movers: npt.NDArray[np.int8]
    left: Floats


def solve_positions(
    turns_0: Turns,
    turns_1: Turns,
    queue_0: Queue,
    queue_1: Queue,
    by_cost: bool,
    rounds: int,
    most_steps: int,
    cells: Ints,
    fields: Ints,
    table: Floats,
) -> bool:
    """Work out how any ordered battles end, by the positions of both sides.

    Parameters
    ----------
    turns_0, turns_1, queue_0, queue_1, by_cost, cells, fields, table
        As for `solve_payoffs`.
    rounds : int
        Limit of turns of each side; 0 for none.
    most_steps : int
        Largest number of transitions times player turns.

    Returns
    -------
    bool
        False if there are too many transitions; then nothing is written.
    """
    linked = _linked(turns_0, turns_1, queue_0, queue_1, by_cost)
    transitions, lead, movers = linked.transitions, linked.lead, linked.movers
    size_1, half = turns_1.size, turns_0.size * turns_1.size
    count, ways = len(movers), transitions.indptr[-1]
    if ways > MOST_TRANSITIONS or ways * 2 * rounds > most_steps:
        return False
    done, ends = np.empty(count, np.int8), np.empty((count, ENDS))
    for mover in range(2):
        if mover == 0 or rounds > 0:
            for at in range(count):
                known = movers[at] < 0 or (rounds > 0 and movers[at] == mover and (lead[at] != 0.0 or not by_cost))
                done[at] = DONE if known else NEW
                for x in range(VALUE):
                    ends[at, x] = 0.0
                for x in range(VALUE, ENDS):
                    ends[at, x] = linked.left[at, x - VALUE]
                ends[at, A if lead[at] > 0 else B if lead[at] < 0 else DRAW] = 1.0
            if rounds == 0 or by_cost:
                solve_absorbing(linked.order, linked.group, transitions, linked.left, done, ends)
            if rounds > 0:
                play_rounds(rounds, movers, 1 - mover, transitions, ends)
        for cell in range(len(cells)):
            strength_0, strength_1 = cells[cell, 0], cells[cell, 1]
            at = queue_0.strengths[strength_0, START] * size_1 + queue_1.strengths[strength_1, START] + mover * half
            for x in range(len(fields)):
                if fields[x] == SCORE:
                    table[cell, mover, x] = ends[at, A] + ends[at, DRAW] / 2
                elif fields[x] == NEVER:
                    table[cell, mover, x] = 1.0 if np.isinf(ends[at, TURNS]) else 0.0
                else:
                    table[cell, mover, x] = ends[at, fields[x]]
    return True


def _linked(turns_0: Turns, turns_1: Turns, queue_0: Queue, queue_1: Queue, by_cost: bool) -> Linked:
    """Return all states of a battle."""
    strengths_0, strengths_1 = queue_0.strengths, queue_1.strengths
    size_0, size_1 = turns_0.size, turns_1.size
    half = size_0 * size_1
    count = 2 * half
    indptr, group = np.zeros(count + 1, np.int64), np.empty(count, np.int64)
    lead, movers, left = np.empty(count), np.empty(count, np.int8), np.empty((count, ENDS - VALUE))
    strength_of_0, strength_of_1 = _strength_of(strengths_0, size_0), _strength_of(strengths_1, size_1)
    for at in range(count):
        at_0, at_1 = at % half // size_1, at % size_1
        strength_0, strength_1 = strength_of_0[at_0], strength_of_1[at_1]
        for x in range(2):
            left[at, 2 * x], left[at, 2 * x + 1] = queue_0.standing[strength_0, x], queue_1.standing[strength_1, x]
        fights_0, fights_1 = strength_0 > queue_0.floor, strength_1 > queue_1.floor
        lead[at] = lead_of(fights_0, fights_1, left[at, 0], left[at, 1], by_cost)
        group[at] = strength_0 * len(strengths_1) + strength_1
        harmless = strength_1 <= strengths_0[strength_0, REACH] and strength_0 <= strengths_1[strength_1, REACH]
        movers[at] = -1 if harmless or not fights_0 or not fights_1 else at // half
        count_on = 0
        if movers[at] == 0:
            count_on = _count_transitions(turns_0, at_0, strength_1)
        elif movers[at] == 1:
            count_on = _count_transitions(turns_1, at_1, strength_0)
        indptr[at + 1] = indptr[at] + count_on
    size = indptr[count] if indptr[count] <= MOST_TRANSITIONS else 0
    transitions = Transitions(indptr, np.empty(size, np.int32), np.empty(size))
    down_0 = _look_ahead(strengths_0, turns_0.positions, size_0)
    down_1 = _look_ahead(strengths_1, turns_1.positions, size_1)
    for at in range(count):
        at_0, at_1 = at % half // size_1, at % size_1
        if size > 0 and movers[at] == 0:
            _link(turns_0, at_0, strength_of_1[at_1], down_1[at_1], half, size_1, 1, indptr[at], transitions)
        elif size > 0 and movers[at] == 1:
            _link(turns_1, at_1, strength_of_0[at_0], down_0[at_0], 0, 1, size_1, indptr[at], transitions)
    return Linked(transitions, _in_order(strengths_0, strengths_1, size_0, size_1), group, lead, movers, left)


def _in_order(strengths_0: Ints, strengths_1: Ints, size_0: int, size_1: int) -> Ints:
    """Return all states by rising strengths of side 0, then of side 1: those to which turns lead come first."""
    order, listed = np.empty(2 * size_0 * size_1, np.int64), 0
    for strength_0 in range(len(strengths_0)):
        for strength_1 in range(len(strengths_1)):
            for mover in range(2):
                for at_0 in range(strengths_0[strength_0, START], _end(strengths_0, strength_0, size_0)):
                    for at_1 in range(strengths_1[strength_1, START], _end(strengths_1, strength_1, size_1)):
                        order[listed] = (mover * size_0 + at_0) * size_1 + at_1
                        listed += 1
    return order


def _end(strengths: Ints, strength: int, size: int) -> int:
    """Return the index behind the last position with a strength; positions are listed from the largest one down."""
    return strengths[strength - 1, START] if strength > 0 else size


def _count_transitions(turns: Turns, at: int, strength: int) -> int:
    """Return how many transitions lead on from position `at` if the other side has this strength.

    One of them hurts nobody.
    """
    positions, endings, spans, chances = turns.positions, turns.endings, turns.spans, turns.chances
    several = 1
    for ending in range(positions[at, FIRST_ENDING], positions[at + 1, FIRST_ENDING]):
        root = endings[ending, ROOT]
        begin = spans[root, strength, BEGIN]
        for x in range(U(begin + 1), U(begin + strength - spans[root, strength, LEAST] + 1)):
            several += 1 if chances[x] > 0.0 else 0
    return several


def _link(
    turns: Turns, at: int, strength: int, down: Ints, base: int, step: int, other: int, begin: int, to: Transitions
) -> None:
    """Write the transitions that lead on from position `at`, from index `begin` on.

    The index of a state is the sum of `base`, `step` times the position of the side that moves, and `other` times that
    of the other side. The other side has this `strength`; `down` has its position once it has less, by strength.
    """
    positions, endings, spans, chances = turns.positions, turns.endings, turns.spans, turns.chances
    after, share, way = 0, -1.0, begin
    for ending in range(positions[at, FIRST_ENDING], positions[at + 1, FIRST_ENDING]):
        root, here = endings[ending, ROOT], base + endings[ending, AFTER] * step
        first = spans[root, strength, BEGIN]
        for lost in range(1, strength - spans[root, strength, LEAST] + 1):
            chance = chances[U(first + lost)]
            if chance > 0.0:
                to.indices[U(way)], to.probability[U(way)] = here + down[U(strength - lost)] * other, chance
                way += 1
        # A turn in which nobody is hurt always goes the same way, so that only one ending has a chance of it.
        if chances[first] > share:
            after, share = here + down[strength] * other, chances[first]
    to.indices[way], to.probability[way] = after, share


def _strength_of(strengths: Ints, size: int) -> Ints:
    """Return the strength of each position."""
    strength_of, strength = np.zeros(size, np.int64), len(strengths) - 1
    for at in range(size):
        while at >= _end(strengths, strength, size):
            strength -= 1
        strength_of[at] = strength
    return strength_of


def _look_ahead(strengths: Ints, positions: Ints, size: int) -> Ints:
    """Return, by position and strength, the position in which a side is once it has come down to that strength."""
    down = np.zeros((size, len(strengths)), np.int64)
    for strength in range(len(strengths)):
        for at in range(strengths[strength, START], _end(strengths, strength, size)):
            for lower in range(strength):
                down[at, lower] = down[positions[at, FALLEN], lower]
            down[at, strength] = at
    return down
