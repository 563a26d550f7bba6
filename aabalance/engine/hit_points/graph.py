"""One duel of units that lose toughness and may move: all turns that they may come to from where they start.

A node belongs to one side, and says what that side's turn depends on besides toughness: where it stands, and what is
loaded. For each node and each bracket of the side's own toughness there is an entry: the volley that the side fires,
and the other side's node that comes next. Solver and kernel use the same entries: the solver the volley's distribution,
the kernel the thresholds of its dice.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from aabalance.engine.hit_points import exact
from aabalance.engine.hit_points.layout import AT, HP, NODES, Turns, lattice
from aabalance.engine.hit_points.rolls import Rolls, check_sides, pack_dice, rolls
from aabalance.engine.outcome import DRAW, Outcome
from aabalance.engine.volleys import Volleys
from aabalance.errors import UsageError
from aabalance.rulesets.base import Player, Turn

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Table = Sequence[Sequence[float]]
"""Rows of numbers: lists, or an array."""
PLAIN_STEPS = 5_000_000
"""Number of steps of a solution up to which plain loops are done before compiled ones would be loaded."""
MOST_STEPS_OF_PLAY = 10_000_000_000
"""Largest number of steps of best play: they take seconds, and a gigabyte."""
MOST_TURNS = 300_000
"""Largest number of turns of a duel, for the time that it takes to ask for them."""
LESS_TO_CHOOSE = "no more: start nearer, or give the units fewer actions or shorter moves"


class Node(NamedTuple):
    """Where a side stands at the start of its turn."""

    range_in: float
    memory: int
    enemy_memory: int
    enemy_moved: Hashable


class TurnGraph:
    """One duel as tables of all turns that the two players may come to.

    Parameters
    ----------
    players : pair of Player
        The first of them moves first.
    range_in : float
        Distance at the start.

    Attributes
    ----------
    volleys : Volleys
        The distributions of all volleys.
    chooses : bool
        Whether a side has a choice of turns.
    sides, least : list
        As in `aabalance.engine.hit_points.layout.Turns`, of this duel alone.
    choices : list of int
        Index at which the turns of each entry begin; one more number says where the last ones end. A side without a
        choice has one turn for each entry.
    volley, after : list of int
        By turn: the number of its volley, and the node of the other side that follows.
    turns : list of Turn
        All turns, entry by entry.
    nodes : pair of list of Node
        The nodes of each side.

    Raises
    ------
    UsageError
        There are too many different turns.
    """

    def __init__(self, players: tuple[Player, Player], range_in: float) -> None:
        self.volleys = Volleys()
        self.chooses = any(player.chooses for player in players)
        numbers: tuple[dict[Node, int], dict[Node, int]] = ({}, {})
        rows: tuple[list[list[tuple[Turn, int]]], list[list[tuple[Turn, int]]]] = ([], [])
        start = Node(range_in, 0, 0, False)
        numbers[0][start] = 0
        waiting = [(0, start)]
        turns = 0
        for side, node in waiting:
            player, enemy = players[side], players[1 - side]
            for row in range(len(player.least)):
                rows[side].append([])
                for turn in player.turns(node.range_in, node.memory, node.enemy_moved, row):
                    moved = turn.moved if enemy.sees_moves else False
                    after = Node(turn.range_in, node.enemy_memory, turn.memory, moved)
                    if after not in numbers[1 - side]:
                        numbers[1 - side][after] = len(numbers[1 - side])
                        waiting.append((1 - side, after))
                    rows[side][-1].append((turn, numbers[1 - side][after]))
                turns += len(rows[side][-1])
                if turns > MOST_TURNS:
                    raise UsageError(f"duel: found more than {MOST_TURNS} different turns, expected {LESS_TO_CHOOSE}")
        entries = [*rows[0], *rows[1]]
        self.nodes = list(numbers[0]), list(numbers[1])
        self.choices = [0, *itertools.accumulate(len(turns) for turns in entries)]
        self.turns = [turn for turns in entries for turn, _ in turns]
        self.volley = [self.volleys.add(turn.volley.effect) for turn in self.turns]
        self.after = [after for turns in entries for _, after in turns]
        self.least = [least for player in players for least in player.least]
        self.sides = [
            [
                player.toughness,
                side * len(rows[0]),
                len(player.least),
                side * len(players[0].least),
                len(numbers[side]),
                math.gcd(*(a for turns in rows[side] for turn, _ in turns for a in turn.volley.effect)),
            ]
            for side, player in enumerate(players)
        ]

    def solve(self, rounds: int | None = None) -> Outcome[float]:
        """Solve the duel, to its end or for `rounds` turns of each side; a is the first side.

        Raises
        ------
        UsageError
            A side chooses its turns and there is no limit, or the solution would take too long.
        """
        if self.chooses:
            if rounds is None:
                raise UsageError("rounds: found none, expected a turn limit for best play")
            return self.best_play(rounds).outcome
        outcomes = self._to_the_end()[0] if rounds is None else self._limited(rounds)[0]
        return Outcome(*map(float, outcomes[0]))

    def toughness_left(self) -> tuple[list[float], list[float]]:
        """Return, by side, the chances to win a duel to its end, by the toughness that the side has left."""
        hp = [side[HP] for side in self.sides]
        left = self._to_the_end(1 + max(hp))[1]
        return list(map(float, left[0][: hp[0] + 1])), list(map(float, left[1][: hp[1] + 1]))

    def ending_turns(self, rounds: int) -> list[float]:
        """Return the chance that the duel ends in each of its first ``2 * rounds`` player turns."""
        return list(map(float, self._limited(rounds, 2 * rounds)[1]))

    def _to_the_end(self, bins: int = 0) -> tuple[Table, Table]:
        """Return what `exact.solve` writes: the outcome, and the winner's toughness in `bins` bins."""
        states, nodes = self._size()
        loops = self._loops(exact.solve, 1)
        out, left = loops.zeros(1, 5), loops.zeros(2, bins)
        loops.run(loops.turns, loops.zeros(states + nodes), loops.numbers(4 * nodes), out, left)
        return out, left

    def _limited(self, rounds: int, bins: int = 0) -> tuple[Table, Sequence[float]]:
        """Return what `exact.solve_rounds` writes: the outcome, and the ends by player turn in `bins` bins."""
        states, _ = self._size()
        loops = self._loops(exact.solve_rounds, rounds)
        out, ends = loops.zeros(1, 5), loops.zeros(bins)
        loops.run(loops.turns, rounds, loops.zeros(states), out, ends)
        return out, ends

    def _loops(self, function: Callable[..., None], rounds: int) -> _Loops:
        """Return a function of `exact` with what it takes: plain for a short duel, since compiling takes longer."""
        if self._steps(rounds, exact.MOST_STEPS) <= PLAIN_STEPS:
            turns = Turns([self.sides], self.least, self.volley, self.after, self.volleys.effects)
            return _Loops(function, turns, _zeros, lambda size: [0] * size)
        import numpy as np

        from aabalance.engine import jit

        return _Loops(
            jit.compiled(function),
            self._arrays(),
            lambda *shape: np.zeros(shape),
            lambda size: np.zeros(size, dtype=np.int64),
        )

    def _arrays(self) -> Turns:
        import numpy as np

        sides, *columns = (
            np.array(column, dtype=np.int64) for column in ([self.sides], self.least, self.volley, self.after)
        )
        least, volley, after = columns
        return Turns(sides, least, volley, after, self.volleys.arrays())

    def _size(self) -> tuple[int, int]:
        """Return the number of states (losses of both sides, node), and of nodes."""
        hits_0, hits_1 = lattice(*self.sides)
        nodes = sum(side[NODES] for side in self.sides)
        return hits_0 * hits_1 * nodes, nodes

    def _steps(self, rounds: int, most: int) -> int:
        """Return about how often the innermost loop runs at most; a UsageError if that is more than `most`."""
        start = self.volleys.start
        hits_0, hits_1 = lattice(*self.sides)
        turns = sum(exact.OVERHEAD + start[fired + 1] - start[fired] for fired in self.volley)
        return exact.check_steps(rounds * hits_0 * hits_1 * turns, most)

    def best_play(self, rounds: int) -> BestPlay:
        """Solve the duel over `rounds` turns of each side; a side with a choice of turns makes the best choice.

        Raises
        ------
        UsageError
            The solution would take too long.
        """
        self._steps(rounds, MOST_STEPS_OF_PLAY)
        import numpy as np

        from aabalance.engine import jit

        hits = lattice(*self.sides)
        width = max(side[NODES] for side in self.sides)
        states = hits[0] * hits[1]
        policy = np.full((2 * rounds, states * width), -1, dtype=np.int32)
        out = np.zeros(5)
        choices, scratch = np.array(self.choices, dtype=np.int64), np.empty(6 * states * width)
        jit.compiled(exact.best_play)(self._arrays(), choices, rounds, scratch, policy, out)
        if out[DRAW] <= exact.TIE:
            out[DRAW] = 0.0  # it is a difference, of which rounding leaves a little more than nothing
        return BestPlay(Outcome(*out.tolist()), policy.reshape(2 * rounds, states, width), hits)

    def rolls(self) -> Rolls:
        """Return the duel ready to be rolled.

        Raises
        ------
        UsageError
            A side chooses its turns, or has more different attacks than the kernel has room for.
        """
        import numpy as np

        if self.chooses:
            raise UsageError("simulate: best play is solved exactly, expected postures without a choice")
        check_sides(max(side[HP] for side in self.sides), max(side[NODES] for side in self.sides))
        split = self.sides[1][AT]
        volleys = [turn.volley for turn in self.turns]
        return rolls(
            np.array([self.sides], dtype=np.int64),
            np.array(self.least, dtype=np.int64),
            pack_dice((volleys[:split], volleys[split:])),
            np.array([[0, 1]]),
            np.arange(len(volleys)),
            np.array(self.after, dtype=np.int64),
        )


class _Loops(NamedTuple):
    """The solver's loops: plain ones over lists, or compiled ones over arrays.

    Attributes
    ----------
    run : callable
        The loops.
    turns : Turns
        The turns of the duel, in lists or arrays.
    zeros, numbers : callable
        Take a shape, and a size; return zeros of floats, and of whole numbers, to which the loops write.
    """

    run: Callable[..., None]
    turns: Turns
    zeros: Callable[..., Any]
    numbers: Callable[[int], Any]


def _zeros(*shape: int) -> Any:
    return [0.0] * shape[0] if len(shape) == 1 else [[0.0] * shape[1] for _ in range(shape[0])]


class BestPlay(NamedTuple):
    """A duel played as well as its choices allow.

    Attributes
    ----------
    outcome : Outcome
        How the duel ends; a is side 0.
    policy : array of int32, shape (2 * rounds, states, nodes)
        By player turn, state and node, the index of the chosen turn in `TurnGraph.turns`; -1 for nodes that the side
        doesn't have.
    hits : pair of int
        By side, the number of hits that destroys it. A state is ``hits on side 0 * hits[1] + hits on side 1``.
    """

    outcome: Outcome[float]
    policy: npt.NDArray[np.int32]
    hits: tuple[int, int]
