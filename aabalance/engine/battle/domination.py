"""Objectives between two lines, and what they are worth to those who hold them: battles that are won by points.

Whoever has more men on an objective owns it; after each turn, whoever owns more of them may score. Who owns and what is
scored are tables that a ruleset's functions fill, so that the loops know no rule. Nobody's end ends such a battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from aabalance.engine.battle.ground import Ground
from aabalance.engine.battle.lanes import (
    BELOW,
    HITS,
    HOLDERS,
    NOBODY,
    NONE,
    OBJECTIVES,
    ORDERS,
    OWNERS,
    PACES,
    PLACE,
    PLACE_BIT,
    PLACE_BITS,
    POINTS,
    QUANTUM,
    START,
    TOUGHNESS,
    UNITS,
    WINNERS,
    W,
)
from aabalance.engine.outcome import DRAW, TURNS, A, B
from aabalance.rulesets.base import Force, Objectives

SIDES = (0, 1)
NAMES = ("a", "b")
FROM, UP_TO, ITSELF = range(3)
"""Columns of objectives, by side: the places from which its units hold it and where it is, in its own steps."""
HOLDER, GOAL = range(2)
"""Columns of holders: the unit, and the objective to which it goes, if its side's posture is to go there."""
B_OWNS, NOBODY_OWNS, A_OWNS = range(3)
"""What an owner, and a winner, adds to the number that stands for a lead: as many as there are objectives for none."""
VALUE = 5


def parts(forces: Sequence[Force], side: int, ground: Ground | None) -> tuple[Any, ...]:
    """Return the parts of a side from `aabalance.engine.battle.lanes.OBJECTIVES` on; empty without objectives.

    Parameters
    ----------
    forces : pair of Force
    side : int
    ground : Ground or None
        Where units move; it knows the objectives.

    Returns
    -------
    tuple of arrays of int64
        Objectives, shape (objectives, 3); holders, shape (men, 2); owners by the lead in men, shape (2 * men + 1,);
        points by whose turn it was, the lead in objectives and side, shape (2, 2 * objectives + 1, 2); winners by who
        is ahead, shape (3,).
    """
    if ground is None or ground.objectives is None:
        shapes = (0, 3), (0, 2), (0,), (0, 0, 2), (0,)
        return tuple(np.zeros(shape, dtype=np.int64) for shape in shapes)
    objectives = ground.objectives
    number, begin = objectives.number, ground.depth - 2 * ground.start
    within = Fraction(str(objectives.within_in)) / ground.step_in
    places = [Fraction(begin * at, number - 1) for at in range(number)]
    if side:
        places.reverse()
    held = [[ground.start + steps for steps in (ceil(at - within), floor(at + within), int(at))] for at in places]
    # The middle one first, then back to the own line, then on from the middle.
    goals = [*range(number // 2, -1, -1), *range(number // 2 + 1, number)]
    if side:
        goals = [number - 1 - goal for goal in goals]
    holders = [at for at, unit in enumerate(forces[side]) if unit.men]
    goers = [at for at in holders if ground.moves(side, forces[side][at])]
    rows = [[at, goals[goers.index(at) % number] if at in goers else NOBODY] for at in holders]
    men = max(sum(unit.toughness for unit in force if unit.men) for force in forces)
    owners, points, winners = of_points(objectives, men)
    return (
        np.array(held, dtype=np.int64),
        np.array(rows, dtype=np.int64).reshape(-1, 2),
        owners,
        points,
        winners,
    )


def of_points(objectives: Objectives, men: int) -> tuple[Any, Any, Any]:
    """Return who owns, what is scored and who wins, as tables.

    Parameters
    ----------
    objectives : Objectives
        What the game says of objectives.
    men : int
        The largest number of men that a side has.

    Returns
    -------
    owners, points, winners : array of int64
        By the lead in men; by whose turn it was, the lead in objectives and side; by who is ahead.
    """

    def pair(lead: int) -> tuple[int, int]:
        return max(lead, 0), max(-lead, 0)

    def who(name: str | None) -> int:
        return {"a": A_OWNS, "b": B_OWNS}.get(name or "", NOBODY_OWNS)

    owners = [who(objectives.owner(*([n] for n in pair(lead)))) for lead in range(-men, men + 1)]
    leads = range(-objectives.number, objectives.number + 1)
    points = [[objectives.tally((0, 0), pair(lead), ended) for lead in leads] for ended in NAMES]
    winners = [who(objectives.winner(pair(lead))) for lead in (-1, 0, 1)]
    return tuple(np.array(table, dtype=np.int64) for table in (owners, points, winners))  # type: ignore[return-value]


def score(ended: Any, sides: Any, line: Any, left: Any, lanes: Any) -> None:
    """Add what the sides score after a turn.

    Parameters
    ----------
    ended : int
        Whose turn it was.
    sides : pair of tuple of arrays
    line : tuple of arrays
        From `aabalance.engine.battle.rows.line_for`; the points of either side are added to.
    left : pair of array of uint16, shape (units, lanes)
    lanes : uint64
    """
    at, _, _, own, other, lead, _, _, _, counted, _ = line
    owners, points = sides[0][OWNERS], sides[0][POINTS]
    even = len(owners) // 2
    for k in range(lanes):
        lead[k] = NONE
    for objective in range(len(sides[0][OBJECTIVES])):
        for k in range(lanes):
            own[k], other[k] = NONE, NONE
        for side in range(2):
            men, held, holders = own if side == 0 else other, sides[side][OBJECTIVES][objective], sides[side][HOLDERS]
            least, most = W(max(held[FROM], 0)), W(held[UP_TO])
            for holder in range(len(holders)):
                place, has = at[side][holders[holder, HOLDER]], left[side][holders[holder, HOLDER]]
                for k in range(lanes):
                    men[k] += has[k] if (place[k] >= least) & (place[k] <= most) else NONE
        for k in range(lanes):
            lead[k] += W(owners[np.int64(own[k]) - np.int64(other[k]) + even])
    for side in range(2):
        scored = counted[1 + side]
        for k in range(lanes):
            scored[k] += W(points[ended, lead[k], side])


def winner_by(winners: Any, ahead: Any, side_a: Any) -> Any:
    """Return the field of a tally that a battle adds to, whose a is that side.

    Parameters
    ----------
    winners : array of int64
        The part `WINNERS`.
    ahead : int
        What side 0 has scored beyond side 1.
    side_a : int
    """
    who = winners[1 + (ahead > 0) - (ahead < 0)]
    if who == NOBODY_OWNS:
        return DRAW
    return A if (who == A_OWNS) == (side_a == 0) else B


def solve(
    graph: Any, sides: Any, span: int, bits: int, bits_at: int, rounds: int, first: int, standing: Any, loop: Any
) -> Any:
    """Return the row of an outcome, worked out from the beginning on; None if there is no room for it.

    Parameters
    ----------
    graph : aabalance.engine.battle.graph.Graph
    sides : pair of tuple of arrays
    span : int
        Numbers that there are of side 1.
    bits, bits_at : int
        How many bits of a state are of guns and places, and where they begin.
    rounds : int
    first : int
    standing : array of float, shape (states, 4)
        What is left of both sides, worth and then units.
    loop : callable
        `play`, ready to be run.
    """
    gains = _gains(graph.states, sides, span, bits, bits_at)
    most = rounds * len(sides[0][OBJECTIVES])
    chances = np.zeros((len(gains), 2 * most + 1))
    chances[first, most] = 1.0
    loop(2 * rounds, first, (graph.states & 1).astype(np.int8), graph.begins, graph.to, graph.p, gains, chances)
    by_lead, by_state = chances.sum(axis=0), chances.sum(axis=1)
    winners = sides[0][WINNERS][np.sign(np.arange(-most, most + 1)) + 1]
    shares = [by_lead[winners == who].sum() for who in (A_OWNS, B_OWNS, NOBODY_OWNS)]
    row = np.zeros(VALUE + standing.shape[1])
    row[: len(shares)], row[TURNS], row[VALUE:] = shares, 2 * rounds, by_state @ standing
    return row


def _gains(states: Any, sides: Any, span: int, bits: int, bits_at: int) -> Any:
    """Return by state by how much a's points gain on b's in the turn that led there."""
    left, after = states >> (bits + bits_at), states >> bits_at
    numbers = left // span, left % span
    lead = np.zeros(len(states), dtype=np.int64)
    owners, points = sides[0][OWNERS], sides[0][POINTS]
    for objective in range(len(sides[0][OBJECTIVES])):
        men = [_men(sides[side], numbers[side], after, objective) for side in SIDES]
        lead += owners[men[0] - men[1] + len(owners) // 2]
    scored = points[1 - (states & 1), lead]
    return scored[:, 0] - scored[:, 1]


def _men(side: Any, number: Any, bits: Any, objective: int) -> Any:
    """Return by state how many men of a side are on an objective, by the side's number and the bits from its first."""
    men, (least, most, _), orders = np.zeros(len(number), dtype=np.int64), side[OBJECTIVES][objective], side[ORDERS]
    for unit in side[HOLDERS][:, HOLDER]:
        units, bit = side[UNITS][unit], side[PACES][unit, PLACE_BIT]
        assert units[BELOW] < 0  # where units move, each has a digit of its own
        steps = number // units[PLACE] % (units[HITS] + 1)
        has = np.where(steps > 0, units[TOUGHNESS] - (units[HITS] - steps) * units[QUANTUM], 0)
        place = orders[START] if bit == NOBODY else (bits >> bit) & ((1 << orders[PLACE_BITS]) - 1)
        men += has * ((place >= least) & (place <= most))
    return men


def play(turns: int, side: int, movers: Any, first: Any, to: Any, p: Any, gains: Any, chances: Any) -> None:
    """Go on from the beginning by so many turns; a plain loop that also compiles.

    Parameters
    ----------
    turns : int
    side : int
        Who has the first of them.
    movers : array of int8, shape (n,)
    first, to, p
        As for `aabalance.engine.battle.exact.settle`.
    gains : array of int64, shape (n,)
        By how much a's points gain on b's in the turn that leads to each state.
    chances : array of float, shape (n, leads)
        Of each state, and by how much a is ahead, of the middle; changed to those at the end.
    """
    mover = side
    for _ in range(turns):
        for at in range(len(movers)):
            if movers[at] != mover:
                continue
            for lead in range(chances.shape[1]):
                chance = chances[at, lead]
                if chance == 0.0:
                    continue
                chances[at, lead] = 0.0
                for way in range(first[at], first[at + 1]):
                    chances[to[way], lead + gains[to[way]]] += chance * p[way]
        mover = 1 - mover
