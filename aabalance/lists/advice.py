"""Which list to take, what a list is worth, and which of two is better: results, and sentences about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from aabalance.analysis.battles import Score
from aabalance.definitions.collections import Limits
from aabalance.definitions.settings import FRONT, situation_mix
from aabalance.engine.sampling import Advance, wilson
from aabalance.game import Game, List
from aabalance.lists.allowance import POINTS, Allowance
from aabalance.lists.fields import Against, Say, against
from aabalance.lists.payoffs import Field, Payoffs, Units, score_against, score_of, scorer
from aabalance.lists.search import BATTLES, leave_one_out, race, search
from aabalance.play.result import percent

FRESH = 20_000
EACH = 2_000
"""Battles against a single list of a field."""
COUNTER = 150_000
"""Battles of the search for what beats a list."""
SWAPS = ((64, 12), (448, 3), (3584, 1))
"""Races of what may take the place of a unit: the battles of each list, and how many of the lists go on."""
LEVEL = 0.5
EVEN = 0.05
"""Two lists are about even if the score is within this of one half."""
NAMED = 3
NOTEWORTHY = 0.01
"""Least share of a field's requisition that a weak point is told about."""


class Difference(NamedTuple):
    """A difference of two scores, with its 95 % interval."""

    change: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Judged:
    """A list against a field.

    Attributes
    ----------
    payoffs : Payoffs
        The roster, and the conditions.
    units : Units
        The list.
    field : str
        Its opponents in words.
    score : Score
        P(win) + P(draw) / 2 against the field.
    first_turn_gap : float
        Its score where it moves first, less that where it moves second.
    opponents : tuple of (Units, Score)
        Its score against each list of the field, the worst first.
    adds : dict of int to Difference
        By card, what one of it adds to the score: what the list without it scores less.
    swaps : dict of int to (Units, Difference)
        By card, the best list found that has something else in the place of one of it, and what that adds.
    beaten_by : (Units, Score) or None
        The best answer found at the same cost, with this list's score against it.
    weak_points : tuple of str
        Sentences.
    """

    payoffs: Payoffs
    units: Units
    field: str
    score: Score
    first_turn_gap: float
    opponents: tuple[tuple[Units, Score], ...]
    adds: Mapping[int, Difference]
    swaps: Mapping[int, tuple[Units, Difference]]
    beaten_by: tuple[Units, Score] | None
    weak_points: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        text, ids = self.payoffs.text, self.payoffs.ids
        beaten = self.beaten_by
        return {
            "list": text(self.units),
            "requisition": self.payoffs.requisition(self.units),
            "field": self.field,
            **self.score._asdict(),
            "first_turn_gap": self.first_turn_gap,
            "opponents": [{"list": text(units), **score._asdict()} for units, score in self.opponents],
            "adds": {ids[at]: more._asdict() for at, more in self.adds.items()},
            "swaps": {ids[at]: {"list": text(one), **gain._asdict()} for at, (one, gain) in self.swaps.items()},
            "beaten_by": None if beaten is None else {"list": text(beaten[0]), **beaten[1]._asdict()},
            "weak_points": list(self.weak_points),
        }

    def sentences(self) -> list[str]:
        """Return the result in words."""
        payoffs, words = self.payoffs, self.payoffs.words
        said = [
            f"{words(self.units)} ({payoffs.requisition(self.units)} points)",
            f"scores {_in_words(self.score)} against {self.field}; to move first or second makes a difference of "
            f"{100 * self.first_turn_gap:.1f}.",
        ]
        if len(self.opponents) > 1:
            worst = "; ".join(f"{words(units)} ({percent(score.score)})" for units, score in self.opponents[:NAMED])
            said.append(f"Does worst against {worst}.")
        if self.beaten_by is not None:
            units, score = self.beaten_by
            said.append(f"The best answer found, {words(units)}, leaves it {_in_words(score)}.")
        said += self.weak_points
        if self.adds:
            more = sorted(self.adds.items(), key=lambda item: -item[1].change)
            names = ", ".join(f"{payoffs.cards[at].name} {_points(one)}" for at, one in more)
            said.append(f"One of each adds, in points of score: {names}.")
            better = sorted((one for one in self.swaps.values() if one[1].low > 0), key=lambda one: -one[1].change)
            said += [f"Better: {_swapped(payoffs, self.units, one)}: {_points(gain)}." for one, gain in better[:NAMED]]
            if not better:
                said.append("For no unit was anything found that is surely better in its place.")
        return said


@dataclass(frozen=True)
class Compared:
    """Two lists against each other, and against a field.

    Attributes
    ----------
    payoffs : Payoffs
        The roster, and the conditions.
    a, b : Units
        The lists.
    score, moving_first, moving_second : Score
        What a scores against b; where a moves first, and where it moves second.
    field : str
        Opponents of both in words.
    scores : (Score, Score)
        What either scores against the field.
    """

    payoffs: Payoffs
    a: Units
    b: Units
    score: Score
    moving_first: Score
    moving_second: Score
    field: str
    scores: tuple[Score, Score]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        text = self.payoffs.text
        return {
            "a": text(self.a),
            "b": text(self.b),
            "requisition": [self.payoffs.requisition(units) for units in (self.a, self.b)],
            **self.score._asdict(),
            "moving_first": self.moving_first._asdict(),
            "moving_second": self.moving_second._asdict(),
            "field": self.field,
            "against_field": [score._asdict() for score in self.scores],
        }

    def sentences(self) -> list[str]:
        """Return the result in words."""
        low, high = self.score.low, self.score.high
        even = low >= LEVEL - EVEN and high <= LEVEL + EVEN
        better = "a" if self.score.score > LEVEL else "b"
        verdict = "About even" if even else f"Not even: {better} is favoured" if not low < LEVEL < high else "Unsure"
        first, second = (percent(one.score) for one in (self.moving_first, self.moving_second))
        sides = ("a", self.a), ("b", self.b)
        names = [
            f"{side}: {self.payoffs.words(units)} ({self.payoffs.requisition(units)} points)" for side, units in sides
        ]
        return [
            *names,
            f"{verdict}. a scores {_in_words(self.score)} against b: {first} moving first, {second} moving second.",
            f"Against {self.field} a scores {_in_words(self.scores[0])}, b {_in_words(self.scores[1])}.",
        ]


def best_lists(
    game: Game,
    points: int = POINTS,
    *,
    actions: int = 4,
    policy: str = "value",
    nation: str | None = None,
    own: Mapping[str, int] | None = None,
    must: List = (),
    limits: Limits | None = None,
    field: Path | str | None = None,
    counter: List | None = None,
    battles: int = BATTLES,
    seed: int = 0,
    say: Say = lambda text: None,
    advance: Advance = lambda battles: None,
) -> list[Judged]:
    """Return the best lists that a search finds, spread over kinds of lists, the best first.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    points : int
        The budget.
    actions : int
        Limit of actions of a side's turn.
    policy : {"value", "focus"}
        Who acts on whom, on both sides.
    nation, own, must, limits
        As for `aabalance.lists.allowance.Allowance`.
    field : path, optional
        A file of opponents; by default the stated field of the game, or a new one for other budgets.
    counter : list, optional
        The only opponent.
    battles : int
        Battles of the search, about.
    seed : int
        Seed of the dice; those of the scores are others.
    say, advance : callable
        Called with a line of text if a field has to be made, and with the number of battles done since the last call.

    Raises
    ------
    UsageError, CardError
        No list is legal, or a file has faults.

    Examples
    --------
    >>> import aabalance as aab
    >>> best = aab.best_lists(aab.Game(), 100, counter="su_t34_85", battles=100_000)[0]
    >>> best.payoffs.requisition(best.units) <= 100, best.score.score > 0.5
    (True, True)
    """
    payoffs = Payoffs(game, actions=actions, policy=policy)
    allowance = Allowance(payoffs, points, nation=nation, own=own, must=must, limits=limits)
    opponents = against(payoffs, points, path=field, counter=counter, seed=seed, say=say)
    score = scorer(payoffs, opponents.field, seed)
    found = search(score, allowance, np.random.default_rng(seed), battles=battles, advance=advance)
    fresh = sorted(
        (_judged(payoffs, one.units, opponents, seed + 1) for one in found), key=lambda one: -one.score.score
    )
    return [_explained(payoffs, fresh[0], opponents, seed + 2, allowance), *fresh[1:]]


def judge_list(
    game: Game,
    units: List,
    *,
    actions: int = 4,
    policy: str = "value",
    field: Path | str | None = None,
    counter: List | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
) -> Judged:
    """Return what a list scores, against whom it is weak, what each unit adds, and what would be better.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : list
        The list, as `Game.battle` takes it: vehicles and guns.
    actions, policy, field, counter, seed, say
        As for `best_lists`.

    Raises
    ------
    UsageError, CardError
        The list isn't one, or a file has faults.

    Examples
    --------
    >>> import aabalance as aab
    >>> judged = aab.judge_list(aab.Game(), "su_t34_85*2", counter="de_tiger1")
    >>> 0 < judged.score.low < judged.score.score < judged.score.high < 1
    True
    """
    payoffs = Payoffs(game, actions=actions, policy=policy)
    own = payoffs.units(units)
    points = payoffs.requisition(own)
    opponents = against(payoffs, points, path=field, counter=counter, seed=seed, say=say)
    return _explained(payoffs, _judged(payoffs, own, opponents, seed), opponents, seed + 1, Allowance(payoffs, points))


def compare_lists(
    game: Game,
    a: List,
    b: List,
    *,
    actions: int = 4,
    policy: str = "value",
    field: Path | str | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
) -> Compared:
    """Return what a list scores against another one, and both against a field.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    a, b : list
        The lists, as for `judge_list`.
    actions, policy, field, seed, say
        As for `best_lists`.

    Examples
    --------
    >>> import aabalance as aab
    >>> compared = aab.compare_lists(aab.Game(), "su_t34_85*3", "de_tiger1*2")
    >>> 0 < compared.score.low < compared.score.high < 1
    True
    """
    payoffs = Payoffs(game, actions=actions, policy=policy)
    both = payoffs.units(a), payoffs.units(b)
    ends = payoffs.ends(both[:1], Field(both[1:], (1.0,)), FRESH, seed)[0, 0]
    points = max(map(payoffs.requisition, both))
    opponents = against(payoffs, points, path=field, seed=seed, say=say)
    first, second = (score_against(payoffs, units, opponents.field, seed + 1, FRESH) for units in both)
    return Compared(
        payoffs, *both, _score(ends.sum(axis=0)), _score(ends[0]), _score(ends[1]), opponents.words, (first, second)
    )


def random_lists(
    game: Game,
    points: int = POINTS,
    number: int = 1,
    *,
    nation: str | None = None,
    own: Mapping[str, int] | None = None,
    must: List = (),
    limits: Limits | None = None,
    seed: int = 0,
) -> list[str]:
    """Return legal lists, each filled at random until nothing more fits, as they are written on the command line.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    points : int
        The budget.
    number : int
        How many lists.
    nation, own, must, limits
        As for `aabalance.lists.allowance.Allowance`.
    seed : int
        Seed of the draw.

    Examples
    --------
    >>> import aabalance as aab
    >>> len(aab.random_lists(aab.Game(), 100, 3))
    3
    """
    payoffs = Payoffs(game)
    allowance = Allowance(payoffs, points, nation=nation, own=own, must=must, limits=limits)
    rng = np.random.default_rng(seed)
    return [payoffs.text(allowance.random(rng)) for _ in range(number)]


def _judged(payoffs: Payoffs, units: Units, opponents: Against, seed: int) -> Judged:
    """Return the scores of a list, without what takes searches."""
    field = opponents.field
    ends = payoffs.ends([units], field, FRESH, seed)[0].sum(axis=0)
    each = payoffs.ends([units], Field(field.lists, (1.0,) * len(field.lists)), EACH * len(field.lists), seed + 1)[0]
    met = sorted(zip(field.lists, (_score(one.sum(axis=0)) for one in each), strict=True), key=lambda one: one[1].score)
    gap = float(score_of(ends[0]) - score_of(ends[1]))
    return Judged(payoffs, units, opponents.words, _score(ends.sum(axis=0)), gap, tuple(met), {}, {}, None, ())


def _explained(payoffs: Payoffs, judged: Judged, opponents: Against, seed: int, allowance: Allowance) -> Judged:
    """Add what each unit adds, the best swap, what beats the list, and its weak points."""
    units, field = judged.units, opponents.field
    rng = np.random.default_rng(seed)
    without = leave_one_out(payoffs, units) if len(units) > 1 else {}
    scores = [score_against(payoffs, one, field, seed, FRESH) for one in (units, *without.values())]
    adds = {at: _less(scores[0], one) for at, one in zip(without, scores[1:], strict=True)}
    swaps = {}
    for at in without:
        others = allowance.instead(units, at, rng)
        if others:
            best = race(scorer(payoffs, field, seed + 1), others, SWAPS)[0].units
            swaps[at] = best, _less(score_against(payoffs, best, field, seed + 2, FRESH), scores[0])
    alone = Field((units,), (1.0,))
    answer = search(
        scorer(payoffs, alone, seed + 3), Allowance(payoffs, allowance.points), rng, battles=COUNTER, starts=2
    )[0]
    met = score_against(payoffs, answer.units, alone, seed + 4, FRESH).swapped()
    beaten = answer.units, Score(met.score, met.high, met.low) if met.low > met.high else met
    return Judged(
        **{
            **vars(judged),
            "adds": adds,
            "swaps": swaps,
            "beaten_by": beaten,
            "weak_points": tuple(_weak_points(payoffs, units, field)),
        }
    )


def _weak_points(payoffs: Payoffs, units: Units, field: Field) -> list[str]:
    """Return in words what a list can't hurt, from where on, and how much of the field that is."""
    game, ranges = payoffs.game, sorted(payoffs.contest.ranges)
    own = [payoffs.cards[at] for at in dict.fromkeys(units)]
    front = situation_mix(game.situation, FRONT)
    force = game.ruleset.one_on_one(own, payoffs.cards, front, tuple(ranges), game.variant)
    safe = np.ones((len(payoffs.cards), len(ranges)), dtype=bool)
    for unit in force:
        for strike in unit.strikes:
            for card, row in enumerate(strike.effects):
                safe[card] &= [max(effect) == 0 for effect in row]
    met: dict[int, float] = {}
    for other, weight in zip(field.lists, field.weights, strict=True):
        for at, share in payoffs.shares(other).items():
            met[at] = met.get(at, 0.0) + weight * share
    said = []
    before = np.zeros(len(payoffs.cards), dtype=bool)
    for n, range_in in enumerate(ranges):
        always = safe[:, n:].all(axis=1)
        fresh = np.flatnonzero(always & ~before)
        before |= always
        if len(fresh):
            dear = sorted(fresh.tolist(), key=lambda at: (-met.get(at, 0.0), -payoffs.cost[at]))
            names = ", ".join(payoffs.cards[at].name for at in dear[:NAMED])
            where = "At no distance" if n == 0 else f"From {_distance(game, range_in)} on nothing of it"
            part = sum(met.get(at, 0.0) for at in fresh.tolist())
            if part < NOTEWORTHY:
                continue
            hurts = "does it hurt" if n == 0 else "hurts"
            more = f" and {len(fresh) - NAMED} others" if len(fresh) > NAMED else ""
            said.append(f"{where} {hurts} the front of {names}{more}: {100 * part:.0f} % of the field's points.")
    return said


def _distance(game: Game, range_in: float) -> str:
    return f"{range_in:g}{game.ruleset.labels.length.after}"


def _score(counts: Any) -> Score:
    """Return the score of counted battles, with its interval."""
    battles, score = int(counts.sum()), float(score_of(counts))
    return Score(score, *wilson(score * battles, battles))


def _less(one: Score, other: Score) -> Difference:
    """Return the difference of two scores; their errors add up as if the dice were not the same."""
    change = one.score - other.score
    half = float(np.hypot(one.high - one.low, other.high - other.low)) / 2
    return Difference(change, change - half, change + half)


def _in_words(score: Score) -> str:
    return f"{percent(score.score)} [{100 * score.low:.1f}, {100 * score.high:.1f}]"


def _points(one: Difference) -> str:
    return f"{100 * one.change:+.1f} [{100 * one.low:.1f}, {100 * one.high:.1f}]"


def _swapped(payoffs: Payoffs, old: Sequence[int], new: Sequence[int]) -> str:
    gone, come = list(old), list(new)
    for at in old:
        if at in come:
            come.remove(at)
            gone.remove(at)
    return (
        f"{payoffs.words(payoffs.sorted(come))} in place of {payoffs.words(payoffs.sorted(gone)) or 'unspent points'}"
    )
