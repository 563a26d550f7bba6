"""How battles of equal units end, by how many there are of each: tables that hang on the cards and not on prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, cast

import numpy as np

from aabalance.analysis.tuning.contest import POLICY, Contest
from aabalance.analysis.tuning.fighters import fighters, hurts
from aabalance.engine import outcome, sampling
from aabalance.engine.battle import chain
from aabalance.engine.battle.tables import Battle, Terms, TooLarge
from aabalance.engine.outcome import DRAW, A, BattleTally
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.play.account import run_of
from aabalance.play.battle import AGAINST, FIRST_MOVERS, MOST_OF_A_KIND
from aabalance.rulesets.base import Fighter

CHAIN, REACHED, ROLLED = "chain", "reachable states", "rolled"
"""How a pair's battles were solved."""
TRIALS = 1 << 12
"""Of a battle that is too large to be solved: a 95 % interval of +-.015."""
TOGETHER = 256
"""Pairs that are solved at once, which takes 18 times the room of what is kept."""
SLACK = 1.5
"""By how much a table grows at least that is grown at all."""


class Tables:
    """Battles of each unit of a roster against each other, solved as far as they are asked for.

    Parameters
    ----------
    game : Game
    cards : sequence of card
    contest : Contest
    seed : int
        Of battles that are rolled.

    Attributes
    ----------
    pairs : array of int, shape (pairs, 2)
        Places in `cards`, the smaller first.
    hurts : array of bool, shape (cards, cards)
        Whether one can hurt the other.
    solvers : list of str
        By pair, how its battles are solved: `CHAIN`, unless some weren't one that were asked for.
    """

    def __init__(self, game: Game, cards: Sequence[Any], contest: Contest, seed: int = 0) -> None:
        self._names = [card.id or card.name for card in cards]
        self._seed = seed
        self._fighters = fighters(game, cards, cards, contest)
        self._terms = [Terms((limit, limit), (POLICY, POLICY)) for limit in contest.limits]
        self.pairs = np.array(list(combinations(range(len(cards)), 2)), dtype=np.int64).reshape(-1, 2)
        self.hurts = np.array([[hurts(unit) for unit in row] for row in self._fighters], dtype=bool)
        self.solvers = [CHAIN] * len(self.pairs)
        a, b = self.pairs.T
        self._mutual = self.hurts[a, b] & self.hurts[b, a]
        self._most = np.zeros_like(self.pairs)
        self._tables = [np.full((len(self._terms), 1, 1), np.nan)] * len(self.pairs)
        self._stack()

    def look_up(self, pairs: Any, n: Any, m: Any) -> Any:
        """Return what the first of a pair scores with so many against so many of the second.

        Parameters
        ----------
        pairs : array of int, shape (k,)
            Rows of `pairs`.
        n, m : array of int, shape (k, ...)
            How many there are of each.

        Returns
        -------
        array of float, shape (limits, k, ...)
            P(win) + P(draw) / 2, each side moving first half the time.

        Raises
        ------
        UsageError
            More than can be fought.
        """
        several = self._mutual[pairs].reshape(-1, *[1] * (n.ndim - 1))
        # Where one side can hurt nobody, or neither can, one unit ends like any number.
        n, m = (np.where(several, number, np.minimum(number, 1)) for number in (n, m))
        every = tuple(range(1, n.ndim))
        self._grow(pairs, np.stack([n.max(axis=every), m.max(axis=every)], axis=1))
        start, width = (column[pairs].reshape(several.shape) for column in (self._start, self._most[:, 1] + 1))
        where = start + n * width + m
        found = self._cells[:, where]
        lacking = np.argwhere(np.isnan(found).any(axis=0))
        if len(lacking):
            for at in map(tuple, lacking.tolist()):
                cell = int(where[at])
                if np.isnan(self._cells[:, cell]).any():
                    self._cells[:, cell] = self._otherwise(int(pairs[at[0]]), int(n[at]), int(m[at]))
            found = self._cells[:, where]
        return found

    def _grow(self, pairs: Any, most: Any) -> None:
        """Solve the battles of pairs that have fewer units so far than are asked for."""
        if most.max(initial=0) > MOST_OF_A_KIND:
            raise UsageError(f"battle: found {most.max()} of a kind, expected at most {MOST_OF_A_KIND}")
        small = (most > self._most[pairs]).any(axis=1)
        if not small.any():
            return
        wanted, held = most[small], self._most[pairs[small]]
        more = np.minimum(np.ceil(held * SLACK).astype(np.int64), MOST_OF_A_KIND)
        grown = np.where(wanted > held, np.maximum(wanted, more), held)
        sizes = list(zip(pairs[small].tolist(), grown.tolist(), strict=True))
        for first in range(0, len(sizes), TOGETHER):
            some = sizes[first : first + TOGETHER]
            for (pair, _), scores in zip(some, self._solved(some), strict=True):
                # What was solved otherwise stays.
                old = self._tables[pair]
                _, rows, columns = old.shape
                scores[:, :rows, :columns] = np.where(np.isnan(old), scores[:, :rows, :columns], old)
                self._tables[pair] = scores
        self._most[pairs[small]] = grown
        self._stack()

    def _solved(self, some: Sequence[tuple[int, Sequence[int]]]) -> Iterator[Any]:
        """Yield the scores of pairs up to so many of each; nan where they aren't chains."""
        units = [self._two(pair) for pair, _ in some]
        most = [(n, m) for _, (n, m) in some]
        by_limit = [[_score(table) for table in chain.equal_tables(units, most, terms)] for terms in self._terms]
        yield from (np.stack(scores) for scores in zip(*by_limit, strict=True))

    def _two(self, pair: int) -> tuple[Fighter, Fighter]:
        a, b = self.pairs[pair].tolist()
        return self._fighters[a][b], self._fighters[b][a]

    def _otherwise(self, pair: int, n: int, m: int) -> list[float]:
        """Return the scores, by limit, of a battle that is no chain."""
        a, b = self._two(pair)
        forces = (_against(a, m),) * n, (_against(b, n),) * m
        found = []
        for terms in self._terms:
            battle = Battle(forces, terms)
            try:
                ends = [battle.solve(first) for first in range(2)]
                self.solvers[pair] = ROLLED if self.solvers[pair] == ROLLED else REACHED
            except TooLarge:
                self.solvers[pair] = ROLLED
                first, second = (self._names[at] for at in self.pairs[pair])
                names = (*[first] * n, AGAINST, *[second] * m)
                runs = {who: run_of(battle, who, names, self._seed) for who in FIRST_MOVERS}
                rolled = cast("Mapping[str, BattleTally]", sampling.estimate(runs, TRIALS, None))
                ends = [(count if who == "a" else count.turned()).outcome() for who, count in rolled.items()]
            mean = outcome.mean(ends)
            found.append(mean.p_a + mean.p_draw / 2)
        return found

    def _stack(self) -> None:
        """Put all tables behind one another, for look-ups of many pairs at once."""
        sizes = [table[0].size for table in self._tables]
        self._start = np.cumsum([0, *sizes])
        flat = [table.reshape(len(self._terms), -1) for table in self._tables]
        self._cells = np.concatenate(flat, axis=1) if flat else np.empty((len(self._terms), 0))
        # Kept once: what is written into one is written into the other.
        self._tables = [
            self._cells[:, begin : begin + size].reshape(table.shape)
            for table, begin, size in zip(self._tables, self._start.tolist(), sizes, strict=False)
        ]


def _score(table: Any) -> Any:
    """Return the first's score in battles that a table ends so."""
    return (table[..., A] + table[..., DRAW] / 2).mean(axis=2)


def _against(unit: Fighter, enemies: int) -> Fighter:
    """Return a unit that fights so many of its enemy."""
    strikes = tuple(one._replace(effects=one.effects * enemies, dice=one.dice * enemies) for one in unit.strikes)
    return unit._replace(strikes=strikes)
