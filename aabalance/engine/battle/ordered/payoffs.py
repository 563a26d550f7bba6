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

from aabalance.engine.absorbing import DONE, NEW, follow
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
from aabalance.engine.outcome import DRAW, ENDS, TURNS, VALUE, A, B
from aabalance.engine.volleys import Effects

LEAST, BEGIN = range(2)
"""Columns of spans: a bound for the least strength that the other side may have after the turn, and the index at which
its chances begin: first that it loses nothing, then those above 0 of what it may lose, the least first."""
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
    losses, chances : array of int64 and of float
        What the other side may lose of its strength, and the chance of each loss, by node and strength, with `LAST`
        behind the chances of each.
    """

    positions: Ints
    size: int
    endings: Ints
    spans: Ints
    losses: Ints
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
    most = min(count * size * (size + 3) // 2 + 1, MOST_CHANCES)
    spans, losses, chances = np.empty((count, size, 2), np.int64), np.empty(most, np.int64), np.empty(most)
    fits = _lead_on(armed, enemy, made.nodes, effects, spans, losses, chances)
    return Turns(made.positions, made.size if fits else GIVEN_UP, made.endings, spans, losses, chances)


def _lead_on(
    armed: Armed, enemy: Queue, nodes: Ints, effects: Effects, spans: Ints, losses: Ints, chances: Floats
) -> bool:
    """Write what nodes lead to into `spans`, `losses` and `chances`; return whether there was room for all chances."""
    strengths, orders = armed.queue.strengths, armed.orders
    queue, others, levels, floor = enemy.units, enemy.strengths, enemy.levels, enemy.floor
    start, amount, chance, nothing = effects
    afters, shares, by_loss = np.empty(len(amount) + 1, np.int64), np.empty(len(amount) + 1), np.zeros(len(others))
    count, following, size, most = len(nodes), EFFECT + len(orders), len(others), len(chances)
    end, bottom, shift = 0, 0, 0
    for strength in range(size):
        kind, left = others[strength, KIND], U(strength)
        known, ways = NO_MORE, 0
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
            spans[node, left, LEAST], spans[node, left, BEGIN] = strength, end
            if effect < 0 or over:
                if end + 2 >= most:
                    return False
                sure = nodes[node, TELLS] != 0 if over else effect == NO_MORE
                losses[U(end)], chances[U(end)], chances[U(end + 1)] = 0, 1.0 if sure else 0.0, LAST
                end += 2
                continue
            if effect != known:
                known, ways = effect, 1
                afters[0], shares[0] = strength, nothing[effect]
                for x in range(start[effect], start[effect + 1]):
                    afters[ways], shares[ways] = below + levels[unit, max(has - amount[x], 0)], chance[x]
                    ways += 1
            then, low = U(nodes[node, following + kind]), strength
            for x in range(U(ways)):
                low = min(low, spans[then, U(afters[x]), LEAST])
            if end + strength - low + 2 >= most:
                return False
            for x in range(U(ways)):
                at_once = strength - afters[x]
                later = U(spans[then, U(afters[x]), BEGIN])
                while chances[later] >= 0.0:
                    by_loss[U(at_once + losses[later])] += shares[x] * chances[later]
                    later += U(1)
            spans[node, left, LEAST] = low
            end = _write_chances(by_loss, strength - low, losses, chances, end)
    return True


def _write_chances(by_loss: Floats, most: int, losses: Ints, chances: Floats, end: int) -> int:
    """Write chances from index `end` on, and clear them in `by_loss`, up to a loss; return the index behind them."""
    for lost in range(U(most + 1)):
        if lost == 0 or by_loss[lost] > 0.0:
            losses[U(end)], chances[U(end)] = lost, by_loss[lost]
            by_loss[lost] = 0.0
            end += 1
    chances[U(end)] = LAST
    return end + 1


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
    strengths_0, standing_0, strengths_1, standing_1 = (
        queue_0.strengths,
        queue_0.standing,
        queue_1.strengths,
        queue_1.standing,
    )
    spans_0, losses_0, chances_0 = turns_0.spans, turns_0.losses, turns_0.chances
    spans_1, losses_1, chances_1 = turns_1.spans, turns_1.losses, turns_1.chances
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
            at_1 += U(1)
            while chances_1[at_1] >= 0.0:
                after_1 += chances_1[at_1] * values[here_0 - U(losses_1[at_1]), here_1]
                at_1 += U(1)
            at_0 += U(1)
            while chances_0[at_0] >= 0.0:
                after_0 += chances_0[at_0] * values[here_0, U(half) + here_1 - U(losses_0[at_0])]
                at_0 += U(1)
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


class Mover(NamedTuple):
    """A side as it moves.

    The index of a state is made up of the side to move, the position of side 0, and that of side 1, which runs fastest.

    Attributes
    ----------
    turns : Turns
        What its turns lead to.
    down : array of int64, shape (positions of the other side, its strengths)
        The position in which the other side is once it has come down to a strength.
    begin, then : int
        The index of the first state in which this side is to move, and of the first one in which the other side is.
    step, other : int
        How far one state is from the next by the position of this side, and by that of the other side.
    """

    turns: Turns
    down: Ints
    begin: int
    then: int
    step: int
    other: int


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
    firsts_0, firsts_1 = _first_positions(queue_0, turns_0.size), _first_positions(queue_1, turns_1.size)
    ways = _count_transitions(turns_0, firsts_1) + _count_transitions(turns_1, firsts_0)
    if ways > MOST_TRANSITIONS or ways * 2 * rounds > most_steps:
        return False
    down_0, down_1 = _look_ahead(firsts_0, turns_0.positions), _look_ahead(firsts_1, turns_1.positions)
    half, step = turns_0.size * turns_1.size, turns_1.size
    mover_0, mover_1 = Mover(turns_0, down_1, 0, half, step, 1), Mover(turns_1, down_0, half, 0, 1, step)
    each_turn = np.zeros(len(fields))
    for x in range(len(fields)):
        each_turn[x] = 1.0 if fields[x] == TURNS else 0.0
    movers, lead = np.empty(2 * half, np.int8), np.empty(2 * half)
    over, never = np.empty((2 * half, len(fields))), np.empty((2 * half, len(fields)))
    _mark_states(queue_0, queue_1, firsts_0, firsts_1, by_cost, fields, movers, lead, over, never)
    done, ends = np.empty(2 * half, np.int8), over
    for first in range(2):
        if first == 0 or rounds > 0:
            for at in range(2 * half):
                known = movers[at] < 0 or (rounds > 0 and movers[at] == first and (lead[at] != 0.0 or not by_cost))
                done[at] = DONE if known else NEW
            ends = over.copy()
            if rounds == 0 or by_cost:
                _play_on(mover_0, mover_1, firsts_0, firsts_1, each_turn, never, done, ends)
            _play_rounds(mover_0, mover_1, firsts_0, firsts_1, rounds, first, movers, each_turn, ends)
        for cell in range(len(cells)):
            at = first * half + firsts_0[cells[cell, 0]] * step + firsts_1[cells[cell, 1]]
            for x in range(len(fields)):
                table[cell, first, x] = ends[at, x]
    return True


def _first_positions(queue: Queue, size: int) -> Ints:
    """Return by strength its first position; those of a strength end where those of the next lower one begin.

    Behind the strengths, at index -1, is the number of positions, at which those of strength 0 end.
    """
    firsts = np.full(len(queue.strengths) + 1, size, np.int64)
    for strength in range(len(queue.strengths)):
        firsts[strength] = queue.strengths[strength, START]
    return firsts


def _count_transitions(turns: Turns, firsts: Ints) -> int:
    """Return how many ways turns may go that hurt somebody; `firsts` are the `_first_positions` of the other side."""
    positions, endings = turns.positions, turns.endings
    count = 0
    for ending in range(positions[turns.size, FIRST_ENDING]):
        for strength in range(len(firsts) - 1):
            at = U(turns.spans[endings[ending, ROOT], strength, BEGIN] + 1)
            while turns.chances[at] >= 0.0:
                count += firsts[strength - 1] - firsts[strength]
                at += U(1)
    return count


def _mark_states(
    queue_0: Queue,
    queue_1: Queue,
    firsts_0: Ints,
    firsts_1: Ints,
    by_cost: bool,
    fields: Ints,
    movers: npt.NDArray[np.int8],
    lead: Floats,
    over: Floats,
    never: Floats,
) -> None:
    """Write by state the side to move, who leads, and what battles pay there that are over, and that never end.

    The side to move is -1 if the battle is over.
    """
    half, size_1 = len(movers) // 2, firsts_1[-1]
    for strength_0 in range(len(firsts_0) - 1):
        for strength_1 in range(len(firsts_1) - 1):
            standing_0, standing_1 = queue_0.standing[strength_0], queue_1.standing[strength_1]
            fights_0, fights_1 = strength_0 > queue_0.floor, strength_1 > queue_1.floor
            leads = lead_of(fights_0, fights_1, standing_0[0], standing_1[0], by_cost)
            harmless = (
                strength_1 <= queue_0.strengths[strength_0, REACH]
                and strength_0 <= queue_1.strengths[strength_1, REACH]
            )
            for at_0 in range(firsts_0[strength_0], firsts_0[strength_0 - 1]):
                for at_1 in range(firsts_1[strength_1], firsts_1[strength_1 - 1]):
                    for mover in range(2):
                        at = mover * half + at_0 * size_1 + at_1
                        movers[at] = -1 if harmless or not fights_0 or not fights_1 else mover
                        lead[at] = leads
                        for x in range(len(fields)):
                            column = max(fields[x] - VALUE, 0) // 2 % 2
                            left = standing_0[column] if (fields[x] - VALUE) % 2 == 0 else standing_1[column]
                            over[at, x] = _payoff(fields[x], leads, True, left)
                            never[at, x] = _payoff(fields[x], 0.0, False, left)


def _play_on(
    mover_0: Mover,
    mover_1: Mover,
    firsts_0: Ints,
    firsts_1: Ints,
    each_turn: Floats,
    never: Floats,
    done: npt.NDArray[np.int8],
    ends: Floats,
) -> None:
    """Work out battles without a turn limit; `each_turn`, `never`, `done` and `ends` are as for `solve_absorbing`.

    By rising strengths of side 0, then of side 1: what turns lead to that hurt somebody comes first.
    """
    after, stay = np.empty(len(ends), np.int32), np.empty(len(ends))
    for strength_0 in range(len(firsts_0) - 1):
        here_0 = firsts_0[strength_0], firsts_0[strength_0 - 1]
        for strength_1 in range(len(firsts_1) - 1):
            here_1 = firsts_1[strength_1], firsts_1[strength_1 - 1]
            _take_turns(mover_0, strength_1, here_0, here_1, done, each_turn, after, stay, ends)
            _take_turns(mover_1, strength_0, here_1, here_0, done, each_turn, after, stay, ends)
            for mover in range(2):
                for at_0 in range(here_0[0], here_0[1]):
                    for at_1 in range(here_1[0], here_1[1]):
                        at = mover * mover_0.then + at_0 * mover_0.step + at_1
                        if done[at] == NEW and done[after[at]] == DONE:
                            for x in range(len(each_turn)):
                                ends[at, x] += stay[at] * ends[after[at], x]
                            done[at] = DONE
                        elif done[at] == NEW:
                            follow(at, after, stay, never, done, ends)


def _play_rounds(
    mover_0: Mover,
    mover_1: Mover,
    firsts_0: Ints,
    firsts_1: Ints,
    rounds: int,
    first: int,
    movers: npt.NDArray[np.int8],
    each_turn: Floats,
    ends: Floats,
) -> None:
    """Work out battles with a turn limit, which side `first` begins, backwards from the end of the last round.

    The rows of `ends` are as for `absorbing.play_rounds`, `movers` as `_mark_states` writes them.
    """
    half = mover_0.then
    after, stay, over = np.empty(len(ends), np.int32), np.empty(len(ends)), np.empty(len(ends), np.int8)
    for at in range(len(ends)):
        over[at] = DONE if movers[at] < 0 else NEW
    for turn in range(2 * rounds):
        mover = 1 - first if turn % 2 == 0 else first
        for strength_0 in range(len(firsts_0) - 1):
            here_0 = firsts_0[strength_0], firsts_0[strength_0 - 1]
            for strength_1 in range(len(firsts_1) - 1):
                here_1 = firsts_1[strength_1], firsts_1[strength_1 - 1]
                if mover == 0:
                    _take_turns(mover_0, strength_1, here_0, here_1, over, each_turn, after, stay, ends)
                else:
                    _take_turns(mover_1, strength_0, here_1, here_0, over, each_turn, after, stay, ends)
        for at in range(mover * half, (mover + 1) * half):
            if over[at] == NEW:
                for x in range(len(each_turn)):
                    ends[at, x] += stay[at] * ends[after[at], x]


def _take_turns(
    mover: Mover,
    strength: int,
    own: tuple[int, int],
    others: tuple[int, int],
    done: npt.NDArray[np.int8],
    each_turn: Floats,
    after: npt.NDArray[np.int32],
    stay: Floats,
    ends: Floats,
) -> None:
    """Write into the rows of some states what a turn pays, and what follows if it hurts somebody.

    One call for many states: to pass so many arrays takes longer than to take a turn.

    Parameters
    ----------
    mover : Mover
        The side to move.
    strength : int
        The strength of the other side.
    own, others : (int, int)
        First and last but one of the positions of this side, and of those of the other side, which have this strength.
    done : array of int8, shape (states,)
        `DONE` for states that are left out.
    each_turn : array of float, shape (payoffs,)
        What a turn pays.
    after, stay : array of int32 and of float, shape (states,)
        Take the state after a turn that hurts nobody, and the chance of such a turn.
    ends : array of float, shape (states, payoffs)
        The expected payoffs of battles that begin in each state.
    """
    positions, endings = mover.turns.positions, mover.turns.endings
    spans, losses, chances = mover.turns.spans, mover.turns.losses, mover.turns.chances
    for position in range(own[0], own[1]):
        for facing in range(others[0], others[1]):
            at = mover.begin + position * mover.step + facing * mover.other
            if done[at] == DONE:
                continue
            for x in range(len(each_turn)):
                ends[at, x] = each_turn[x]
            stay[at] = -1.0
            for ending in range(positions[position, FIRST_ENDING], positions[position + 1, FIRST_ENDING]):
                here = mover.then + endings[ending, AFTER] * mover.step
                way = U(spans[endings[ending, ROOT], strength, BEGIN])
                # A turn that hurts nobody always goes the same way, so that only one ending has a chance of it.
                if chances[way] > stay[at]:
                    after[at], stay[at] = here + facing * mover.other, chances[way]
                way += U(1)
                while chances[way] >= 0.0:
                    node = U(here + mover.down[facing, U(strength - losses[way])] * mover.other)
                    for x in range(len(each_turn)):
                        ends[at, x] += chances[way] * ends[node, x]
                    way += U(1)


def _look_ahead(firsts: Ints, positions: Ints) -> Ints:
    """Return, by position and strength, the position in which a side is once it has come down to that strength."""
    down = np.zeros((firsts[-1], len(firsts) - 1), np.int64)
    for strength in range(len(firsts) - 1):
        for at in range(firsts[strength], firsts[strength - 1]):
            for lower in range(strength):
                down[at, lower] = down[positions[at, FALLEN], lower]
            down[at, strength] = at
    return down
