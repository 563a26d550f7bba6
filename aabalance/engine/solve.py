"""One duel solved: what `aabalance.engine.exact` and `aabalance.engine.conditions` find for a single duel or plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from aabalance.engine import exact
from aabalance.engine.exact import HP, NODES, QUANTUM
from aabalance.engine.tables import Duel, PlanTables

if TYPE_CHECKING:
    from aabalance.engine.conditions import BlowTables, Clash


class Solution(NamedTuple):
    """A duel solved.

    Attributes
    ----------
    wins : pair of float
        Chance to win of the side that moves first, and of the other.
    draw : float
        Chance that neither is gone at the end, or ever.
    player_turns : float
        Expected; infinite if there may be no end.
    both : float
        Chance that both are gone.
    """

    wins: tuple[float, float]
    draw: float
    player_turns: float
    both: float = 0.0


def duel(walk: Duel, rounds: int | None = None) -> Solution:
    """Solve one duel without choices, to its end or for `rounds` turns of each side."""
    size, count = _size(walk)
    out = [[0.0] * 4]
    tables = ([walk.sides], walk.least, walk.volley, walk.after, walk.volleys.outcomes)
    if rounds is None:
        exact.solve(*tables, [0.0] * (size + count), [0] * (4 * count), out, ([], []))
    else:
        exact.solve_rounds(*tables, rounds, [0.0] * size, out, [])
    return Solution((out[0][0], out[0][1]), out[0][2], out[0][3])


def clash(fight: Clash, rounds: int | None = None) -> Solution:
    """Solve one duel of conditions, to its end or for `rounds` turns of each side."""
    import numpy as np

    from aabalance.engine import conditions

    found = conditions.solve(fight.tables, np.array([fight.first]), np.array([fight.second]), rounds)
    win_a, win_b, both, neither, turns = found[0].tolist()
    return Solution((win_a, win_b), neither, turns, both)


class BestPlay(NamedTuple):
    """A duel played as well as its choices allow.

    Attributes
    ----------
    solution : Solution
    policy : array of int32, shape (2 * rounds, states, nodes)
        The chosen one of `Duel.turns` in each player turn; -1 for nodes that the side doesn't have.
    hits : pair of int
        Hits that each side survives, plus one: a state is ``losses of side 0 * hits[1] + losses of side 1``.
    """

    solution: Solution
    policy: Any
    hits: tuple[int, int]


def best_play(walk: Duel, rounds: int) -> BestPlay:
    """Solve a duel in which one side or both have a choice of turns, over `rounds` turns of each side."""
    import numpy as np

    from aabalance.engine import jit

    hits = _hits(walk)
    width = max(side[NODES] for side in walk.sides)
    states = hits[0] * hits[1]
    policy = np.full((2 * rounds, states * width), -1, dtype=np.int32)
    out = np.zeros(4)
    columns = (np.array(c, dtype=np.int64) for c in (walk.sides, walk.least, walk.choices, walk.volley, walk.after))
    outcomes = tuple(np.array(column) for column in walk.volleys.outcomes)
    scratch = np.empty(6 * states * width)
    jit.compiled(exact.best_play)(*columns, outcomes, rounds, scratch, policy, out)
    # A difference, so that nearly nothing is what rounding left of nothing.
    draw = float(out[2]) if out[2] > exact.TIE else 0.0
    solution = Solution((float(out[0]), float(out[1])), draw, float(out[3]))
    return BestPlay(solution, policy.reshape(2 * rounds, states, width), hits)


def toughness_left(walk: Duel) -> tuple[list[float], list[float]]:
    """Return, by side, the chance to win a duel to its end with so much toughness left (index)."""
    size, count = _size(walk)
    left = [0.0] * (walk.sides[0][HP] + 1), [0.0] * (walk.sides[1][HP] + 1)
    scratch, nodes = [0.0] * (size + count), [0] * (4 * count)
    exact.solve(
        [walk.sides], walk.least, walk.volley, walk.after, walk.volleys.outcomes, scratch, nodes, [[0.0] * 4], left
    )
    return left


def ending_turns(walk: Duel, rounds: int) -> list[float]:
    """Return the chance that a duel ends in each of its first ``2 * rounds`` player turns."""
    size, _ = _size(walk)
    ends = [0.0] * (2 * rounds)
    tables = ([walk.sides], walk.least, walk.volley, walk.after, walk.volleys.outcomes)
    exact.solve_rounds(*tables, rounds, [0.0] * size, [[0.0] * 4], ends)
    return ends


def _hits(walk: Duel) -> tuple[int, int]:
    mine, yours = walk.sides
    hits_0 = -(-mine[HP] // yours[QUANTUM]) if yours[QUANTUM] else 1
    hits_1 = -(-yours[HP] // mine[QUANTUM]) if mine[QUANTUM] else 1
    return hits_0, hits_1


def _size(walk: Duel) -> tuple[int, int]:
    hits_0, hits_1 = _hits(walk)
    count = walk.sides[0][NODES] + walk.sides[1][NODES]
    return hits_0 * hits_1 * count, count


def kill(tables: PlanTables | BlowTables, plan: int, hp: int, within: Sequence[int] = ()) -> list[float]:
    """Return the expected turns of a plan to destroy a target that does nothing, then the chances `within` turns."""
    if not isinstance(tables, PlanTables):
        import numpy as np

        from aabalance.engine import conditions

        row: list[float] = conditions.kills(tables, np.array([plan]), within)[0].tolist()
        return row
    out = [[0.0] * (1 + len(within))]
    scratch = [0.0] * (hp * (tables.opening[plan] + tables.cycle[plan]))
    exact.kills(tables.columns, tables.volleys.outcomes, [plan], [hp], within, scratch, out)
    return out[0]
