"""Battles that points decide: sides score for the objectives between their lines that they own.

Who owns an objective depends on the lead in men: how many more men a has on it than b. What a side scores after a turn
depends on the lead in objectives: how many more of them a owns than b. Here a is side 0. Both are tables that the
ruleset's functions fill beforehand, so that the loops know no rule. Such a battle goes on to its last round, even if a
side has no units left. The kernel scores with `score` and counts with `winner_by`; `solve` solves exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from aabalance.engine.battle.columns import (
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
from aabalance.engine.battle.ground import Ground
from aabalance.engine.outcome import DRAW, TURNS, A, B
from aabalance.rulesets.base import Force, Objectives

SIDES = (0, 1)
NAMES = ("a", "b")
FROM, UP_TO, ITSELF = range(3)
"""Columns of objectives: the first and the last place from which a unit occupies it, and the place where it is. Places
are steps from the edge behind the side's own line, so that each side has its own table."""
HOLDER, GOAL = range(2)
"""Columns of holders: the row of a unit that has men, and the objective to which it goes if its side's posture is
`objectives` (`NOBODY`: it never moves)."""
B_OWNS, NOBODY_OWNS, A_OWNS = range(3)
"""Numbers for the owner of an objective, and for the winner of a battle. Their sum over all objectives says who leads:
it is the number of objectives if both sides own equally many, and more if a owns more."""
VALUE = 5
"""Index of the first field of a `BattleOutcome` that says what is left."""


def parts(forces: Sequence[Force], side: int, ground: Ground | None) -> tuple[Any, ...]:
    """Return the parts of a side from its `objectives` on; all are empty without objectives.

    Parameters
    ----------
    forces : pair of Force
        Both sides.
    side : int
        The side.
    ground : Ground or None
        What units move on, with the objectives that lie there; None if no unit moves.

    Returns
    -------
    objectives : array of int64, shape (objectives, 3)
        The columns `FROM`, `UP_TO` and `ITSELF` of each objective.
    holders : array of int64, shape (holders, 2)
        The columns `HOLDER` and `GOAL` of each unit that has men.
    owners, points, winners : array of int64
        As from `of_points`, the same for both sides.
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
    # The first unit goes to the middle objective, the next ones towards their own line, then beyond the middle.
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
    """Return a game's functions on objectives as tables: who owns one, what is scored, and who wins.

    Parameters
    ----------
    objectives : Objectives
        The objectives and the game's functions.
    men : int
        The larger of the numbers of men of the two sides at full strength.

    Returns
    -------
    owners : array of int64, shape (2 * men + 1,)
        The owner of an objective, by a's lead in men on it plus `men`.
    points : array of int64, shape (2, 2 * objectives + 1, 2)
        The points scored after a turn, by whose turn it was, by a's lead in objectives plus their number, and by the
        side that scores.
    winners : array of int64, shape (3,)
        The winner, if a has fewer points than b, as many, or more.
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
    """Add what both sides score after a turn to their points, in all lanes.

    Parameters
    ----------
    ended : int
        The side whose turn has ended.
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.packing.Packed.sides`.
    line : tuple of arrays
        From `aabalance.engine.battle.line.line_for`: where units stand, and the points of both sides, which grow.
    left : pair of array of uint16, shape (units, lanes)
        The toughness that the units of each side have left. For units with men it is the number of men.
    lanes : uint64
        Number of lanes.
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
    """Return the field of a tally in which a battle counts: `A`, `B` or `DRAW`.

    Parameters
    ----------
    winners : array of int64, shape (3,)
        The part `WINNERS` of either side.
    ahead : int
        The points of side 0 less those of side 1.
    side_a : int
        The side that the tally calls a.
    """
    who = winners[1 + (ahead > 0) - (ahead < 0)]
    if who == NOBODY_OWNS:
        return DRAW
    return A if (who == A_OWNS) == (side_a == 0) else B


def solve(
    graph: Any, sides: Any, span: int, bits: int, bits_at: int, rounds: int, first: int, standing: Any, loop: Any
) -> Any:
    """Solve a battle that points decide: follow the chances of all states and leads in points, turn by turn.

    Parameters
    ----------
    graph : aabalance.engine.battle.states.graph.Graph
        The states of the battle, and the ways between them.
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.packing.Packed.sides`.
    span : int
        How many different numbers side 1 can have.
    bits, bits_at : int
        How many bits of a state are of guns and places, and at which bit they begin.
    rounds : int
        Number of turns of each side.
    first : int
        The side that moves first.
    standing : array of float, shape (states, 4)
        The worth left of side 0 and of side 1 in each state, then the numbers of units left.
    loop : callable
        `play`, compiled or plain.

    Returns
    -------
    array of float
        The fields of an `aabalance.engine.outcome.BattleOutcome`, whose a is side 0.
    """
    gains = _gains(graph.states, sides, span, bits, bits_at)
    most = rounds * len(sides[0][OBJECTIVES])
    chances = np.zeros((len(gains), 2 * most + 1))
    chances[first, most] = 1.0
    loop(2 * rounds, first, (graph.states & 1).astype(np.int8), *graph.transitions, gains, chances)
    by_lead, by_state = chances.sum(axis=0), chances.sum(axis=1)
    winners = sides[0][WINNERS][np.sign(np.arange(-most, most + 1)) + 1]
    shares = [by_lead[winners == who].sum() for who in (A_OWNS, B_OWNS, NOBODY_OWNS)]
    row = np.zeros(VALUE + standing.shape[1])
    row[: len(shares)], row[TURNS], row[VALUE:] = shares, 2 * rounds, by_state @ standing
    return row


def _gains(states: Any, sides: Any, span: int, bits: int, bits_at: int) -> Any:
    """Return, by state, how many points more a scores than b at the end of the turn that leads to the state."""
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
    """Return, by state, how many men of a side are on an objective.

    `number` is the number of what the side has left in each state, `bits` the state without what is below its bits of
    guns and places.
    """
    men, (least, most, _), orders = np.zeros(len(number), dtype=np.int64), side[OBJECTIVES][objective], side[ORDERS]
    for unit in side[HOLDERS][:, HOLDER]:
        units, bit = side[UNITS][unit], side[PACES][unit, PLACE_BIT]
        assert units[BELOW] < 0  # where units move, each is a digit of its side's number
        steps = number // units[PLACE] % (units[HITS] + 1)
        has = np.where(steps > 0, units[TOUGHNESS] - (units[HITS] - steps) * units[QUANTUM], 0)
        place = orders[START] if bit == NOBODY else (bits >> bit) & ((1 << orders[PLACE_BITS]) - 1)
        men += has * ((place >= least) & (place <= most))
    return men


def play(turns: int, side: int, movers: Any, first: Any, to: Any, p: Any, gains: Any, chances: Any) -> None:
    """Move the chances of all states and leads on by a number of turns; a plain loop that also compiles.

    Parameters
    ----------
    turns : int
        Number of player turns.
    side : int
        The side that has the first of them.
    movers : array of int8, shape (n,)
        The side whose turn it is in each state.
    first, to, p
        As for `aabalance.engine.battle.states.absorbing.settle`.
    gains : array of int64, shape (n,)
        How many points more a scores than b at the end of the turn that leads to each state.
    chances : array of float, shape (n, leads)
        The chance of each state and lead of a in points; no lead is in the middle. Before, the chances at the
        beginning; changed to those after the last turn.
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
