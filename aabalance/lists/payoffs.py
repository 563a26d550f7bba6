"""What lists score against each other: battles of many pairs, rolled from one set of tables of the roster.

The score of a list against another is P(win) + P(draw) / 2, each moving first in half of the battles. Units hold, sides
are under a limit of actions, and the distance and the face of each attack are drawn with the shares of the report.
Against a field, battles are shared out by weight, so that a score costs the same for one opponent and for twenty.
`seed` is that of the dice, and `payoffs` the roster.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from aabalance.analysis.battles import Score
from aabalance.analysis.frames import check_own
from aabalance.definitions.lists import any_list
from aabalance.definitions.settings import Weights
from aabalance.engine import jit, rng, sampling
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.battle.bulk import kernel, layout, tables
from aabalance.engine.battle.columns import SIDE_UNITS
from aabalance.errors import UsageError, check_word, whole_number
from aabalance.game import Game, List
from aabalance.jobs.store import digest
from aabalance.play.result import EVEN, distance
from aabalance.pricing.contest import Contest

Units = tuple[int, ...]
"""A list: the places of its cards in `Payoffs.cards`, the dearest first."""

ACTIONS = 4
MOST_ACTIONS = 30
POLICIES = {"value": kernel.VALUE, "focus": kernel.FOCUS}
GOLDEN = 0.6180339887498949
"""Steps of this part of 1 fill it evenly, wherever they begin and end (Weyl 1916)."""
FITTING = "vehicles and guns with a price"
"""What a list may have, in words."""
PART = 4096
"""Battles of a task, about."""

NONE_KNOWN: Floats = np.zeros((0, 0))

_KEPT: dict[bytes, tuple[list[Any], layout.Muster]] = {}


class Field(NamedTuple):
    """Lists with weights that sum to 1, as opponents."""

    lists: tuple[Units, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, weights: Mapping[Units, float]) -> Field:
        """Return a field of lists that have a weight above 0."""
        some = {units: weight for units, weight in weights.items() if weight > 0}
        total = math.fsum(some.values())
        return cls(tuple(some), tuple(weight / total for weight in some.values()))


def _mustered(game: Game, contest: Contest) -> tuple[list[Any], layout.Muster]:
    """Return the cards that a list may have, and the tables of their battles."""
    given = contest.mix, tuple(contest.ranges), game.variant
    every = list(game.cards.values())
    alone = game.ruleset.one_on_one(every, every[:1], *given)
    cards = [card for card, unit in zip(every, alone, strict=True) if unit.cost and tables.fits(unit)]
    if not cards:
        raise UsageError(f"cards: found none that a list may have, expected {FITTING}")
    force = game.ruleset.one_on_one(cards, cards, *given, together=True)
    return cards, tables.muster(force, tuple(contest.ranges.values()))


def _own(game: Game) -> tuple[list[Any], layout.Muster]:
    """Return the same for the situations of the game's report.

    It takes seconds, and one question about lists follows another, or compares two games: the last two are kept.
    """
    situations = game.definition.situations
    # Lists are told by the places of cards, and the hash says nothing of their order.
    key = digest([game.ruleset.name, game.cards.hash, [*game.cards], game.variant, situations])
    if (found := _KEPT.get(key)) is None:
        found = _KEPT[key] = _mustered(game, Contest.of(game, situations))
        for oldest in list(_KEPT)[:-2]:
            _KEPT.pop(oldest, None)  # another thread may have let it go
    return found


class Payoffs:
    """A roster as it fights in lists.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    actions : int
        Limit of actions of a side's turn.
    policy : {"value", "focus"}
        Who acts on whom, on both sides.
    situations : mapping, optional
        As for ``aabalance.pricing.contest.Contest.of``; by default those of the game's report.
    seed : int, optional
        The seed that results name in their provenance.

    Attributes
    ----------
    situations : mapping
        The situations of attacks, by field.
    cards : list of card
        The cards that a list may have: vehicles and guns with a price.
    cost : array of int, shape (cards,)
        What they cost.
    names : list of str
        What they are called in sentences: their names, with the ids of cards that share one.
    fought : int
        The battles so far.

    Raises
    ------
    UsageError
        The game has no such battles or no such card, or a value is out of range.
    """

    def __init__(
        self,
        game: Game,
        *,
        actions: int = ACTIONS,
        policy: str = "value",
        situations: Weights | None = None,
        seed: int | None = None,
    ) -> None:
        check_word("policy", policy, POLICIES)
        self.game = game
        self.actions = whole_number("actions", actions, 1, MOST_ACTIONS)
        self.policy, self.seed = policy, seed
        self.situations = game.definition.situations if situations is None else situations
        self.contest = Contest.of(game, self.situations)
        self.cards, self.muster = _own(game) if situations is None else _mustered(game, self.contest)
        self.ids = [str(card.id) for card in self.cards]
        called = Counter(card.name for card in self.cards)
        self.names = [one.name if called[one.name] == 1 else f"{one.name} ({one.id})" for one in self.cards]
        self.cost = self.muster.cards[:, layout.WORTH].astype(np.int64)
        self._place = {unit: at for at, unit in enumerate(self.ids)}
        self.fought = 0

    def units(self, given: List) -> Units:
        """Return a list as it fights: the dearest first.

        Raises
        ------
        UsageError
            It isn't one, or has units for which there is no room: infantry, or too many.
        """
        units = any_list(given, self.game.cards, check=self._check).units
        return self.sorted(self._place[self.game.card(unit).id] for unit in units)

    def _check(self, units: Sequence[Any]) -> None:
        """Refuse units that lists don't have, or too many."""
        for card in map(self.game.card, units):
            if card.id not in self._place:
                raise UsageError(f"list: found {card.name}, expected {FITTING}")
            check_own(self.game, card, "list")
        if len(units) > SIDE_UNITS:
            raise UsageError(f"list: found {len(units)} units, expected at most {SIDE_UNITS}")

    def sorted(self, units: Iterable[int]) -> Units:
        """Return units in the order in which they stand in lists."""
        return tuple(sorted(units, key=lambda unit: (-self.cost[unit], unit)))

    def text(self, units: Units) -> str:
        """Return a list as it is written on the command line."""
        return ",".join(self.ids[at] + (f"*{n}" if n > 1 else "") for at, n in Counter(units).items())

    def frame(self, rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
        """Return rows on lists as a DataFrame; its ``attrs`` are the `provenance`."""
        table = pd.DataFrame(rows)
        table.attrs.update(self.provenance)
        return table

    @property
    def provenance(self) -> dict[str, Any]:
        """What scores of lists are results of: the `Game.provenance`, the seed, and the limit and policy of battles."""
        said = self.game.provenance()._replace(seed=self.seed).said()
        return said | {"actions": self.actions, "policy": self.policy}

    def words(self, units: Units) -> str:
        """Return a list in words."""
        return ", ".join((f"{n} " if n > 1 else "") + self.names[at] for at, n in Counter(units).items())

    @property
    def terms(self) -> str:
        """What the battles of lists are, in words: `Game.battle` has one distance and one face instead."""
        each = f"{self.actions} actions a turn, policy {self.policy}"
        drawn = f"at {self.where}, each attack has a face" if self.where else "each attack has a distance and a face"
        return f"Battles of units that hold, {each}; {drawn} by the report's shares."

    @property
    def where(self) -> str:
        """The distance of all attacks in words; an empty text if they have several."""
        first, *others = self.contest.ranges
        return "" if others else distance(first, self.game.ruleset.labels.length.after)

    def requisition(self, units: Units) -> int:
        """Return what a list costs."""
        return int(self.cost[list(units)].sum())

    def shares(self, units: Units) -> dict[int, float]:
        """Return the share of a list's requisition that each of its cards has."""
        whole = self.requisition(units)
        return {at: n * int(self.cost[at]) / whole for at, n in Counter(units).items()}

    def counts(self, lists: Sequence[Units], meetings: npt.NDArray[np.uint64]) -> Ints:
        """Fight battles of some pairs of lists.

        Parameters
        ----------
        lists : sequence of Units
            The lists.
        meetings : array of uint64, shape (meetings, 5)
            As for `aabalance.engine.battle.bulk.kernel.meet`.

        Returns
        -------
        array of int64, shape (meetings, 2, 3)
            Battles won, drawn and lost by the first list: those in which it moved first, then the others. They depend
            on the meetings alone, not on how many processors there are.
        """
        self.fought += int(meetings[:, kernel.TRIALS].sum())
        packed = np.full((len(lists), SIDE_UNITS), -1, dtype=np.int32)
        for row, units in zip(packed, lists, strict=True):
            row[: len(units)] = units
        loops = jit.compiled(kernel.meet)
        number = POLICIES[self.policy]

        def fought(some: npt.NDArray[np.uint64]) -> Ints:
            counts = np.zeros((len(some), 2, 3), dtype=np.int64)
            limits = self.actions, self.actions
            loops(self.muster, packed, limits, (number, number), some, layout.allocate(), counts)
            return counts

        fought(meetings[:0])  # compiles in this thread, where interrupts are heard
        ends = np.cumsum(meetings[:, kernel.TRIALS].astype(np.int64)) // PART
        parts = np.split(meetings, np.flatnonzero(np.diff(ends)) + 1)
        calls = ((fought, part) for part in parts)
        with sampling.threads() if len(parts) > 1 else nullcontext() as pool:
            return np.concatenate(list(sampling.each(pool, calls)))

    def ends(self, lists: Sequence[Units], field: Field, battles: int, seed: int, first: int = 0) -> Ints:
        """Fight each list against a field; lists meet the same opponents with the same dice.

        Returns
        -------
        array of int64, shape (lists, opponents, 2, 3)
            As from `counts`.
        """
        before, after = (shared_out(field.weights, upto) for upto in (first, first + battles))
        key = rng.stream_keys(seed, [self.text(units) for units in field.lists])
        there = np.flatnonzero(after > before)
        rows = np.empty((len(lists), len(there), 5), dtype=np.uint64)
        rows[:, :, kernel.FIRST] = np.arange(len(lists))[:, None]
        rows[:, :, kernel.SECOND] = len(lists) + there
        rows[:, :, kernel.KEY] = key[there]
        # Who moves first in the first trial changes from opponent to opponent.
        rows[:, :, kernel.TRIAL] = before[there] + there % 2
        rows[:, :, kernel.TRIALS] = (after - before)[there]
        found = self.counts([*lists, *field.lists], rows.reshape(-1, 5)).reshape(len(lists), len(there), 2, 3)
        full = np.zeros((len(lists), len(field.lists), 2, 3), dtype=np.int64)
        full[:, there] = found
        return full

    def scores(self, lists: Sequence[Units], field: Field, battles: int, seed: int, first: int = 0) -> Floats:
        """Return what lists score against a field in the trials ``first .. first + battles - 1``.

        Parameters
        ----------
        lists : sequence of Units
            The lists.
        field : Field
            Their opponents.
        battles : int
            Battles of each list.
        seed : int
            Seed of the dice.
        first : int
            Battles of this seed that are left out.
        """
        return score_of(self.ends(lists, field, battles, seed, first).sum(axis=(1, 2)))

    def among(self, lists: Sequence[Units], battles: int, seed: int, known: Floats = NONE_KNOWN) -> Floats:
        """Return the scores of lists against each other, each pair by dice of its own.

        Parameters
        ----------
        lists : sequence of Units
            The lists.
        battles : int
            Battles of each pair.
        seed : int
            Seed of the dice.
        known : array of float, shape (k, k), optional
            The scores of the first lists, from an earlier call.

        Returns
        -------
        array of float, shape (lists, lists)
            Scores of the list of the row against that of the column.
        """
        scores = np.full((len(lists), len(lists)), EVEN)
        scores[: len(known), : len(known)] = known
        a, b = np.tril_indices(len(lists), -1)
        a, b = a[a >= len(known)], b[a >= len(known)]
        names = [self.text(units) for units in lists]
        meetings = np.zeros((len(a), 5), dtype=np.uint64)
        meetings[:, kernel.FIRST], meetings[:, kernel.SECOND], meetings[:, kernel.TRIALS] = a, b, battles
        meetings[:, kernel.KEY] = rng.stream_keys(seed, [names[at] for at in a], [names[at] for at in b])
        scores[a, b] = score_of(self.counts(lists, meetings).sum(axis=1))
        scores[b, a] = 1 - scores[a, b]
        return scores


def shared_out(weights: Sequence[float], battles: int) -> Ints:
    """Return how many battles each opponent has by its weight; with more `battles` no opponent has fewer."""
    ends = np.cumsum(weights)
    at = np.searchsorted(ends / ends[-1], (0.5 + GOLDEN * np.arange(battles)) % 1.0, side="right")
    return np.bincount(at.clip(max=len(ends) - 1), minlength=len(ends))


def score_of(counts: Ints) -> Floats:
    """Return scores from numbers of battles won, drawn and lost, which are the last axis."""
    score: Floats = (counts[..., kernel.WIN] + counts[..., kernel.DRAW] / 2) / counts.sum(axis=-1)
    return score


Scorer = Callable[[Sequence[Units], int, int], Floats]
"""What lists score in a number of battles, from some battle on."""


def scorer(payoffs: Payoffs, field: Field, seed: int) -> Scorer:
    """Return the scores against a field as a function of lists, battles and the first battle."""

    def score(lists: Sequence[Units], battles: int, first: int) -> Floats:
        return payoffs.scores(lists, field, battles, seed, first)

    return score


def score_against(payoffs: Payoffs, units: Units, against: Field, seed: int, battles: int, claims: int = 1) -> Score:
    """Return the score of a list, `units`, against a field, with its 95 % interval: that of all `claims` together."""
    return Score.counted(float(payoffs.scores([units], against, battles, seed)[0]), battles, claims)


def mixed(weights: Floats, lists: Sequence[Units]) -> Field:
    """Return a mix as opponents: its lists that weigh more than rounding leaves."""
    return Field.of({units: float(weight) for units, weight in zip(lists, weights, strict=True) if weight > 1e-6})
