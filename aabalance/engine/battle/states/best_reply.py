"""The best reply to a policy: at every moment of its turn, one side may make any strike that is ready, or stop.

`offer` lists what it may do at a moment: a choice is a strike that is ready, the unit that makes it and its enemy, or
to stop. Of equal units that have done the same in the turn only the first is offered.

Then the side makes its score as large as possible: the chance to win, and half of the chance of a draw. A strike that
hurts anybody leads to a smaller number of what is left. So only nodes with the same number form cycles, and at most one
transition of each choice leads to such a node. Among these nodes the choices are found by policy iteration. It begins
with choices that keep a draw for ever wherever no enemy can prevent it. Since a choice is replaced only by a better
one, no choice ends in a cycle that isn't worth it, and the last choices are the best. Of equal choices the first stays:
by strike, unit and enemy; to stop comes last. All functions are plain loops that also compile.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.absorbing import DONE, NEW, Marks, follow
from aabalance.engine.arrays import Bools, Floats, Ints
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.actions import mark_able, mark_ready, pick_return_fire, returns_fire, spend
from aabalance.engine.battle.columns import NO_EFFECT, NONE, ONE, Rows, Side, Sides, W, steps_left, toughness_left
from aabalance.engine.battle.states.encoding import (
    Arena,
    Graph,
    Lane,
    bits_after,
    kept_bits,
    pack_spent,
    unpack,
    unpack_spent,
)
from aabalance.engine.battle.states.turns import TOO_MANY, Now, is_over, outcome
from aabalance.engine.outcome import DRAW, ENDS, TURNS
from aabalance.engine.volleys import Effects

ROUNDING = 1e-14
"""How much better a choice has to be to replace another: rounding makes a smaller difference between equal choices."""


def offer(
    side: int,
    sides: Sides,
    limit: int,
    effects: Effects,
    now: Now,
    used: int,
    doubles: Ints,
    record: Arena,
    lane: Lane,
) -> int:
    """Write the choices of a side at a moment of its turn, and the ways to which each may lead.

    Parameters
    ----------
    side, sides, limit, effects, now, record, lane
        As for `turns.turn`, but that `spent_to` and `begins` of the record are written, too; within a turn, the bits
        in `now` and in the result are those at its beginning.
    used : int
        Number of what the side has spent in the turn so far.
    doubles : array of int64, shape (units,)
        From the function `doubles`.

    Returns
    -------
    int
        Number of choices, or `TOO_MANY`.
    """
    mine, yours = sides[side], sides[1 - side]
    strikes, volley = mine.strikes, mine.volley
    start = effects.start
    left_to, after_to, p_to = record.left_to, record.after_to, record.p_to
    spent_to, begins = record.spent_to, record.begins
    left, alive, able = lane.left, lane.alive, lane.able
    state, ready, picked, scratch = lane.state, lane.ready, lane.picked, lane.bit
    chosen, aim, unit_bit, _, _, _ = picked
    lanes, most = np.uint64(1), len(p_to)
    both, span, bits = now
    own_place, their_place = (span, 1) if side == 0 else (1, span)
    numbers, struck_back = _both_sides(both, span), returns_fire(yours)
    for of in range(2):
        unpack(sides[of].units, numbers[of], left[of], alive[of])
    unpack_spent(mine, limit, bits, used, state)
    mark_able(mine, left[side], alive[side], alive[1 - side], able[side], lanes)
    mark_ready(mine, able[side], alive[side], alive[1 - side], state, ready, lanes)
    offers, way = 0, 0
    for strike in range(len(strikes)):
        prepares = strikes[strike, col.STAGE] == col.PREPARES
        for unit in range(len(mine.units)):
            bit, has = W(ONE << W(unit)), steps_left(mine.units, unit, numbers[side])
            if ready[strike, 0] & bit == NONE or _has_double(mine, unit, ready[strike, 0], used, left[side], doubles):
                continue
            for enemy in range(len(yours.units)):
                remaining = steps_left(yours.units, enemy, numbers[1 - side])
                if mine.rank[strike, enemy, toughness_left(yours.units, enemy, remaining)] == 0:
                    continue
                chosen[0], aim[0], unit_bit[0] = W(strike), W(enemy), bit
                unpack_spent(mine, limit, bits, used, state)
                unpack(mine.units, numbers[side], left[side], alive[side])
                spend(mine, picked, alive[side], state, scratch, lanes)
                then = pack_spent(mine, bits, state)
                effect = NO_EFFECT if prepares else volley[strike, enemy]
                begins[offers] = way
                offers += 1
                for x in range(start[effect] - 1, start[effect + 1]):
                    p, lost = outcome(effects, effect, x, remaining, yours.units[enemy, col.QUANTUM])
                    struck = both - lost * yours.units[enemy, col.PLACE] * their_place
                    back = _return_fire(side, sides, _both_sides(struck, span), lane) if struck_back else NO_EFFECT
                    for y in range(start[back] - 1, start[back + 1]):
                        q, suffered = outcome(effects, back, y, has, mine.units[unit, col.QUANTUM])
                        if p * q == 0.0:
                            continue
                        if way == most:
                            return TOO_MANY
                        after = struck - suffered * mine.units[unit, col.PLACE] * own_place
                        ends = after < both and is_over(sides, _both_sides(after, span), lane)
                        left_to[way], after_to[way], p_to[way] = after, 1 if ends else 2 * bits, p * q
                        spent_to[way] = 0 if ends else then
                        way += 1
                if prepares:
                    break
    if way == most:
        return TOO_MANY
    unpack_spent(mine, limit, bits, used, state)
    begins[offers], begins[offers + 1] = way, way + 1
    after = bits_after(mine, kept_bits(mine, bits), state)
    left_to[way], after_to[way], p_to[way], spent_to[way] = both, 2 * after, 1.0, 0
    return offers + 1


def _return_fire(side: int, sides: Sides, numbers: tuple[int, int], lane: Lane) -> int:
    """Return the number of the effect of the return fire to the picked strike.

    `numbers` say what both sides have left.
    """
    left, alive, able, picked = lane.left, lane.alive, lane.able, lane.picked
    _, _, _, answer, striker, answering = picked
    yours, lanes = sides[1 - side], np.uint64(1)
    for of in range(2):
        unpack(sides[of].units, numbers[of], left[of], alive[of])
    mark_able(yours, left[1 - side], alive[1 - side], alive[side], able[1 - side], lanes)
    pick_return_fire(yours, able[1 - side], picked, (answer, striker, answering), len(sides[side].units), lanes)
    return yours.volley[answer[0], striker[0]] if answer[0] < len(yours.strikes) else NO_EFFECT


def _both_sides(both: int, span: int) -> tuple[int, int]:
    return both // span, both % span


def doubles(sides: Sides, side: int) -> Ints:
    """Return the first spot of each unit of a side whose place another may take in a turn.

    Parameters
    ----------
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.battle.Battle.sides`.
    side : int
        The side.

    Returns
    -------
    array of int64, shape (units,)
        The unit's first spot. `NOBODY` for a unit whose place no other may take: it helps others, or its state after
        the turn depends on what it did, or it may be struck back.
    """
    units, spots, helpers = sides[side].units, sides[side].spots, sides[side].helpers
    struck_back, first = returns_fire(sides[1 - side]), np.zeros(len(units), np.int64)
    for back in range(len(spots)):
        first[spots[len(spots) - 1 - back, col.OF_UNIT]] = len(spots) - 1 - back
    for spot in range(len(spots)):
        if struck_back or spots[spot, col.BIT] != col.NOBODY or spots[spot, col.PREPARED_BIT] != col.NOBODY:
            first[spots[spot, col.OF_UNIT]] = col.NOBODY
    for unit in range(len(units)):
        if units[unit, col.HELPED_PLACE] > 0:
            first[unit] = col.NOBODY
        for need in range(len(helpers)):
            if helpers[need, unit] != col.NOBODY:
                first[unit] = col.NOBODY
    return first


def _has_double(side: Side, unit: int, ready: np.uint16, used: int, left: Rows, doubles: Ints) -> bool:
    """Return whether an earlier unit can make the same strike, and equals this unit in all that matters."""
    units, guns, spots = side.units, side.guns, side.spots
    if doubles[unit] == col.NOBODY:
        return False
    for other in range(unit):
        if ready & W(ONE << W(other)) == NONE or left[other, 0] != left[unit, 0] or doubles[other] == col.NOBODY:
            continue
        pool = units[unit, col.POOL] + 1
        place, other_place = units[unit, col.SPENT_PLACE], units[other, col.SPENT_PLACE]
        same = used // place % pool == used // other_place % pool
        spot = doubles[unit]
        while same and spot < len(spots) and spots[spot, col.OF_UNIT] == unit:
            attacks = guns[spots[spot, col.OF_GUN], col.ATTACKS] + 1
            there = doubles[other] + spot - doubles[unit]
            same = used // spots[spot, col.FIRED_PLACE] % attacks == used // spots[there, col.FIRED_PLACE] % attacks
            spot += 1
        if same:
            return True
    return False


def solve_best_reply(
    me: int, graph: Graph, order: Ints, group: Ints, never: Floats, known: Bools, ends: Floats
) -> None:
    """Work out how battles without a turn limit end.

    Parameters
    ----------
    me : int
        The side that chooses.
    graph : aabalance.engine.battle.states.encoding.Graph
        The nodes, and the choices and ways between them.
    order, group, never, ends
        As for `absorbing.solve_absorbing`, by node.
    known : array of bool, shape (n,)
        Whether a node's row of `ends` is known already.
    """
    indptr, indices, probability = graph.by_choice
    picks, after = np.zeros(len(order), np.int64), np.zeros(len(order), np.int32)
    stay, done = np.zeros(len(order)), np.full(len(order), DONE, np.int8)
    begin = 0
    while begin < len(order):
        stop = begin
        while stop < len(order) and group[order[stop]] == group[order[begin]]:
            stop += 1
        nodes = order[begin:stop]
        _stay_for_ever(nodes, graph, group, known, picks)
        better = True
        while better:
            for at in nodes:
                if known[at]:
                    continue
                done[at], after[at], stay[at] = NEW, -1, 0.0
                _begin_row(graph, at, ends)
                for way in range(indptr[picks[at]], indptr[picks[at] + 1]):
                    node = indices[way]
                    if group[node] == group[at] and not known[node]:
                        after[at], stay[at] = node, probability[way]
                    else:
                        _add_row(probability[way], node, at, ends)
            for at in nodes:
                follow(at, after, stay, never, done, ends)
            better = _improve(me, graph, nodes, known, picks, ends)
        begin = stop


def _begin_row(graph: Graph, at: int, ends: Floats) -> None:
    """Clear the row of a node; the first node of a turn counts the turn."""
    for x in range(ENDS):
        ends[at, x] = 0.0
    ends[at, TURNS] = 1.0 if graph.spent[at] == 0 else 0.0


def _add_row(share: float, node: int, at: int, ends: Floats) -> None:
    """Add the row of a node, weighted, to the row of another."""
    for x in range(ENDS):
        ends[at, x] += share * ends[node, x]


def _improve(me: int, graph: Graph, nodes: Ints, known: Bools, picks: Ints, ends: Floats) -> bool:
    """Pick the best choice of each node, by the rows of `ends`; return whether any is better than the one before."""
    better = False
    for at in nodes:
        if known[at]:
            continue
        most = _score(me, ends[at]) + ROUNDING
        for choice in range(graph.choices[at], graph.choices[at + 1]):
            score = _score_of(me, graph, choice, ends)
            if score > most:
                most, picks[at], better = score, choice, True
    return better


def _stay_for_ever(nodes: Ints, graph: Graph, group: Ints, known: Bools, picks: Ints) -> None:
    """Pick, at each node, a choice that surely keeps the battle among these nodes for ever; else the first choice."""
    choices, indptr, indices = graph.choices, graph.by_choice.indptr, graph.by_choice.indices
    out = -1
    for at in nodes:
        picks[at] = choices[at]
    changed = True
    while changed:
        changed = False
        for at in nodes:
            if known[at] or picks[at] == out:
                continue
            choice = picks[at]
            while choice < choices[at + 1]:
                node = indices[indptr[choice]]
                sure = indptr[choice + 1] - indptr[choice] == 1 and group[node] == group[at] and not known[node]
                if sure and picks[node] != out:
                    break
                choice += 1
            if choice == choices[at + 1]:
                choice = out
            changed = changed or choice != picks[at]
            picks[at] = choice
    for at in nodes:
        if picks[at] == out:
            picks[at] = choices[at]


def play_best_rounds(me: int, graph: Graph, rounds: int, order: Ints, movers: Marks, second: int, ends: Floats) -> None:
    """Work out how battles with a turn limit end, backwards from the end of the last round.

    Parameters
    ----------
    me, graph
        As for `solve_best_reply`.
    order : array of int64, shape (n,)
        Nodes; each comes after the nodes of the same turn to which it leads.
    rounds, movers, second, ends
        As for `absorbing.play_rounds`, by node.
    """
    choices, (indptr, indices, probability) = graph.choices, graph.by_choice
    for number in range(2 * rounds):
        mover = second if number % 2 == 0 else 1 - second
        for at in order:
            if movers[at] != mover:
                continue
            pick, most = choices[at], _score_of(me, graph, choices[at], ends)
            for choice in range(choices[at] + 1, choices[at + 1]):
                score = _score_of(me, graph, choice, ends)
                if score > most + ROUNDING:
                    pick, most = choice, score
            _begin_row(graph, at, ends)
            for way in range(indptr[pick], indptr[pick + 1]):
                _add_row(probability[way], indices[way], at, ends)


def _score_of(me: int, graph: Graph, choice: int, ends: Floats) -> float:
    """Return the mean score of the nodes to which a choice leads."""
    indptr, indices, probability = graph.by_choice
    score = 0.0
    for way in range(indptr[choice], indptr[choice + 1]):
        score += probability[way] * _score(me, ends[indices[way]])
    return score


def _score(me: int, end: Floats) -> float:
    return float(end[me] + end[DRAW] / 2)
