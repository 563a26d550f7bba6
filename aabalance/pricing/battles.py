"""How battles of n copies of one unit against m of another end. The tables depend on the cards, not on prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from aabalance.definitions.fields import MOST_OF_A_KIND
from aabalance.engine import outcome, sampling
from aabalance.engine.arrays import Bools, Floats, Ints
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import SIDE_UNITS, Terms
from aabalance.engine.battle.ordered.solve import canonical_key, equal_scores
from aabalance.engine.battle.states.solve import TooLargeToSolve
from aabalance.engine.outcome import BattleTally
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job
from aabalance.jobs.store import digest
from aabalance.play.battle import AGAINST
from aabalance.play.replay import run_of
from aabalance.play.result import SIDES
from aabalance.pricing.contest import POLICY, Contest, Fighters
from aabalance.rulesets.base import Fighter

ORDERED, REACHED, ROLLED, SCALED = SOLVERS = "chain", "reachable states", "rolled", "rolled with fewer"
"""How a pair's battles were solved, best first: a pair has the worst that any of its battles took. ``rolled with
fewer``: there were more units than can be rolled, and both sides were made smaller in proportion."""
TRIALS = 1 << 12
"""Trials of a battle that is too large to be solved: a 95 % interval of +-.015."""
MOST_SEARCHED = 64
"""Largest product of both sides' numbers of units at which a battle without an order is solved state by state."""
TOGETHER = 64
"""Pairs that are solved at once. Solving takes 18 times the memory of what is kept of it."""
SLACK = 1.5
"""Least factor by which a table grows, and the memory for all tables."""
STEP = 1.1
"""Factor between the numbers of units up to which tables may go, so that similar prices ask for equal tables."""
BATTLES = 512
"""Battles whose tables make up a task."""
FEW = 32
"""Battles that are worth a thread."""

LADDER = np.unique(np.ceil(STEP ** np.arange(64)).clip(max=MOST_OF_A_KIND).astype(np.int64))
"""The numbers of units that tables go up to."""

Two = tuple[Fighter, Fighter]
"""Two units as they fight each other."""


class Wanted(NamedTuple):
    """Two units, and the numbers up to which their battles are asked for.

    Attributes
    ----------
    two : pair of Fighter
        The two units as they fight one against one.
    canonical : object
        What the scores of the two depend on, from `canonical_key`; None if their battles have no order.
    most : (int, int)
        The largest numbers of each.
    """

    two: Two
    canonical: Any
    most: tuple[int, int]

    @property
    def key(self) -> Any:
        """All that the answer depends on."""
        return [self.two if self.canonical is None else [*map(_digest, self.canonical)], self.most]


@lru_cache(1 << 14)
def _digest(canonical: Any) -> bytes:
    """Return the digest of a unit's canonical key; kept, since a unit has the same one in many battles."""
    return digest(canonical)


def scores(limits: tuple[int, ...], asked: Sequence[Wanted], _: Any) -> list[bytes]:
    """Return what units score in battles of up to some numbers of them; see `aabalance.jobs.sweeps`.

    Parameters
    ----------
    limits : tuple of int
        Limits of actions.
    asked : sequence of Wanted
        Pairs of units, with the numbers of them.

    Returns
    -------
    list of bytes
        For each two units a table of floats, of shape (limits, n + 1, m + 1), as bytes; nan where they have no order.
    """
    terms = [Terms((limit, limit), (POLICY, POLICY)) for limit in limits]
    found = []
    for first in range(0, len(asked), TOGETHER):
        some = asked[first : first + TOGETHER]
        by_limit = equal_scores([one.two for one in some], [one.most for one in some], terms)
        found += [np.stack(tables).astype("<f8").tobytes() for tables in zip(*by_limit, strict=True)]
    return found


class Battles:
    """Battles of each of some units against each other. They are solved on the first look-up; equal ones once.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    cards : sequence of card
        Cards of the units.
    contest : Contest
        The conditions under which units are compared.
    seed : int
        Seed of the dice of battles that are rolled.
    about : sequence of int, optional
        Indices of the cards whose battles against all others are included; by default all.
    advance : callable
        Called with the number of pairs whose battles were solved for the first time since the last call.

    Attributes
    ----------
    included : array of bool, shape (cards, cards)
        Whether battles of the two are included; False for a card and itself.
    hurts : array of bool, shape (cards, cards)
        Whether one can hurt the other.
    """

    def __init__(
        self,
        game: Game,
        cards: Sequence[Any],
        contest: Contest,
        seed: int = 0,
        about: Sequence[int] | None = None,
        advance: Advance = lambda pairs: None,
    ) -> None:
        self._advance = advance
        self._names = [card.id or card.name for card in cards]
        self._seed = seed
        self._terms = [Terms((limit, limit), (POLICY, POLICY)) for limit in contest.limits]
        self._fighters = Fighters(game, cards, cards, contest)
        self.hurts = self._fighters.hurts
        count = len(cards)
        wanted = range(count) if about is None else set(about)
        pairs = [(a, b) for a, b in combinations(range(count), 2) if a in wanted or b in wanted]
        self._pairs = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        a, b = self._pairs.T
        self._row = np.full((count, count), -1, dtype=np.int64)
        self._row[a, b] = self._row[b, a] = np.arange(len(pairs))
        self.included = self._row >= 0
        self._mutual = self.hurts[a, b] & self.hurts[b, a]
        self._solver = np.zeros(len(pairs), dtype=np.int64)
        # Many pairs fight the same battle: which one, and whether with its sides swapped, is by pair; its two fighters
        # and their key, and the numbers of them up to which its table goes, are by battle.
        self._battle, self._swapped, self._two, self._canonical = _distinct([self._both(a, b) for a, b in pairs])
        self._limits = contest.limits
        self._pairs_of = np.bincount(self._battle, minlength=len(self._two))
        self._most = np.zeros((len(self._two), 2), dtype=np.int64)
        # The tables of all battles one after the other, for look-ups of many pairs at once, and where each begins. A
        # table that has grown is written behind the last, and its old place stays unused, so that no other moves.
        self._cells = np.full((len(self._terms), len(self._two)), np.nan)
        self._start = np.arange(len(self._two))
        self._end = len(self._two)
        self._unordered: dict[tuple[int, ...], Floats] = {}

    @property
    def solver(self) -> npt.NDArray[np.str_]:
        """Array of str, shape (cards, cards): how the battles of a pair were solved; "" where they aren't included."""
        return np.where(self.included, np.array(SOLVERS)[np.append(self._solver, 0)[self._row]], "")

    def fighter(self, unit: int, enemy: int) -> Fighter:
        """Return a unit with what its strikes do to one enemy; both are indices into ``cards``."""
        return self._fighters.one(unit, enemy)

    def look_up(self, a: Ints, b: Ints, n: Ints, m: Ints) -> Floats:
        """Return what `n` copies of some units score against `m` of others.

        Parameters
        ----------
        a, b : array of int, shape (k,)
            Indices of the cards.
        n, m : array of int, shape (k, ...)
            Numbers of copies.

        Returns
        -------
        array of float, shape (limits, k, ...)
            P(win) + P(draw) / 2, each side moving first half the time.

        Raises
        ------
        UsageError
            There are more copies than can be fought.
        """
        swapped = (a > b).reshape(-1, *[1] * (n.ndim - 1))
        found = self._of_pairs(self._row[a, b], np.where(swapped, m, n), np.where(swapped, n, m))
        return np.where(swapped, 1 - found, found)

    def _of_pairs(self, pairs: Ints, n: Ints, m: Ints) -> Floats:
        """Return the same for rows of `_pairs`, whose first card has the smaller index."""
        mutual = self._mutual[pairs].reshape(-1, *[1] * (n.ndim - 1))
        # Where one side can't hurt the other, or neither can, the battle ends as with one copy each.
        n, m = (np.where(mutual, number, np.minimum(number, 1)) for number in (n, m))
        battles, swapped = self._battle[pairs], self._swapped[pairs].reshape(mutual.shape)
        own, other = np.where(swapped, m, n), np.where(swapped, n, m)
        every = tuple(range(1, n.ndim))
        self._grow(battles, np.stack([own.max(axis=every), other.max(axis=every)], axis=1))
        start, width = (column[battles].reshape(mutual.shape) for column in (self._start, self._most[:, 1] + 1))
        score = self._cells[:, start + own * width + other]
        score = np.where(swapped, 1 - score, score)
        # The largest first: its table has the smaller ones as well.
        missing = list(zip(*np.nonzero(np.isnan(score).any(axis=0)), strict=True))
        for at in sorted(missing, key=lambda at: -n[at] * m[at]):
            asked = int(pairs[at[0]]), int(n[at]), int(m[at])
            if asked not in self._unordered:
                self._solve_single(*asked)
            score[:, *at] = self._unordered[asked]
        return score

    def _grow(self, battles: Ints, most: Ints) -> None:
        """Solve battles whose tables don't yet go up to the numbers of units that are asked for."""
        if most.max(initial=0) > MOST_OF_A_KIND:
            raise UsageError(f"battle: found {most.max()} of a kind, expected at most {MOST_OF_A_KIND}")
        if (most <= self._most[battles]).all():
            return
        wanted = self._most.copy()
        np.maximum.at(wanted, battles, most)
        small = np.flatnonzero((wanted > self._most).any(axis=1))
        wanted, held = wanted[small], self._most[small]
        more = np.maximum(wanted, np.minimum(np.ceil(held * SLACK).astype(np.int64), MOST_OF_A_KIND))
        grown = np.where(wanted > held, LADDER[np.searchsorted(LADDER, more)], held)
        asked = [
            Wanted(self._two[at], self._canonical[at], (most_a, most_b))
            for at, (most_a, most_b) in zip(small.tolist(), grown.tolist(), strict=True)
        ]
        self._make_room(int((grown + 1).prod(axis=1).sum()))
        pairs = int(self._pairs_of[small] @ ~self._most[small].any(axis=1))
        solved = self._solved(asked, sampling.scaled(self._advance, pairs, len(asked)))
        for at, score in zip(small.tolist(), solved, strict=True):
            self._start[at], self._end = self._end, self._end + score[0].size
            self._cells[:, self._start[at] : self._end] = score.reshape(len(self._terms), -1)
        self._most[small] = grown

    def _solved(self, asked: Sequence[Wanted], advance: Advance = lambda battles: None) -> Iterator[Floats]:
        """Yield the table of each of some battles, of shape (limits, units + 1, units + 1), solved or looked up."""
        job = Job(scores, self._limits, asked, cells=BATTLES, least=FEW, key=lambda one: one.key)
        for one, found in zip(asked, sweeps.results(job, advance)[:, 0].tolist(), strict=True):
            yield np.frombuffer(found).reshape(len(self._terms), one.most[0] + 1, one.most[1] + 1)

    def _make_room(self, more: int) -> None:
        """Make room for `more` numbers of each limit."""
        if self._end + more > self._cells.shape[1]:
            larger = np.empty((len(self._terms), int(SLACK * (self._end + more))))
            larger[:, : self._end] = self._cells[:, : self._end]
            self._cells = larger

    def _both(self, a: int, b: int) -> Two:
        return self.fighter(a, b), self.fighter(b, a)

    def _solve_single(self, pair: int, n: int, m: int) -> None:
        """Note the scores, by limit, of a battle that has no order, or whose table is too large.

        How a battle is solved must not depend on how far its table has grown.
        """
        at, swapped = self._battle[pair], self._swapped[pair]
        if self._canonical[at] is not None:
            most = (m, n) if swapped else (n, m)
            (score,) = self._solved([Wanted(self._two[at], None, most)])
            score = (1 - score).swapaxes(1, 2) if swapped else score
            if not np.isnan(score).any():
                self._unordered |= {(pair, *to): score[:, *to] for to in np.ndindex(score.shape[1:])}
                return
        self._unordered[pair, n, m] = np.array(self._of_unordered(pair, n, m))

    def _of_unordered(self, pair: int, n: int, m: int) -> list[float]:
        """Return the scores, by limit, of a battle that has no order."""
        a, b = self._both(*self._pairs[pair].tolist())
        first, second = (self._names[at] for at in self._pairs[pair])
        most, solver = max(n, m), REACHED if n * m <= MOST_SEARCHED else ROLLED
        if most > SIDE_UNITS:
            solver = SCALED
            n, m = (max((2 * number * SIDE_UNITS + most) // (2 * most), 1) for number in (n, m))
        forces = (against(a, m),) * n, (against(b, n),) * m
        found = []
        for terms in self._terms:
            battle, ends = Battle(forces, terms), []
            if solver == REACHED:
                try:
                    ends = [battle.solve(mover) for mover in range(2)]
                except TooLargeToSolve:
                    solver = ROLLED
            if not ends:
                runs = {who: run_of(battle, who, (*[first] * n, AGAINST, *[second] * m), self._seed) for who in SIDES}
                rolled = cast("Mapping[str, BattleTally]", sampling.estimate(runs, TRIALS, None))
                ends = [outcome.seen_by_a(who, count).outcome() for who, count in rolled.items()]
            mean = outcome.mean(ends)
            found.append(mean.p_a + mean.p_draw / 2)
        self._solver[pair] = max(self._solver[pair], SOLVERS.index(solver))
        return found


def _distinct(pairs: Sequence[Two]) -> tuple[Ints, Bools, list[Two], list[Any]]:
    """Find pairs that fight the same battle.

    Returns
    -------
    which : array of int, shape (pairs,)
        Number of the battle that a pair fights.
    swapped : array of bool, shape (pairs,)
        Whether the pair's first unit is the battle's second.
    distinct : list of Two
        The battles.
    canonical_keys : list of object
        The canonical key of each, as in `Wanted`.
    """
    which, swapped = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=bool)
    known: dict[Any, int] = {}
    distinct: list[Two] = []
    canonical_keys: list[Any] = []
    # By unit and its enemy's toughness; `Fighters.one` returns the same object for units that do the same.
    kept: dict[tuple[int, int], Any] = {}
    for at, (a, b) in enumerate(pairs):
        own, other = (_canonical(*two, kept) for two in ((a, b), (b, a)))
        key: Any = at
        if own is not None and other is not None:
            swapped[at] = other < own
            key = (other, own) if swapped[at] else (own, other)
        which[at] = known.setdefault(key, len(distinct))
        if which[at] == len(distinct):
            distinct.append((b, a) if swapped[at] else (a, b))
            canonical_keys.append(key if own is not None and other is not None else None)
    return which, swapped, distinct, canonical_keys


def _canonical(unit: Fighter, enemy: Fighter, kept: dict[tuple[int, int], Any]) -> Any:
    key = id(unit), enemy.toughness
    if key not in kept:
        kept[key] = canonical_key(unit, enemy)
    return kept[key]


def against(unit: Fighter, enemies: int) -> Fighter:
    """Return a unit, which fights one enemy, as it fights so many copies of it."""
    strikes = tuple(one._replace(effects=one.effects * enemies, dice=one.dice * enemies) for one in unit.strikes)
    return unit._replace(strikes=strikes)
