"""What was found of a list, or of two: numbers, and sentences about them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from aabalance.analysis.battles import Score
from aabalance.analysis.frames import InWords, with_ends
from aabalance.engine.sampling import newcombe
from aabalance.lists.on_board import OnBoard
from aabalance.lists.payoffs import Payoffs, Units
from aabalance.play.result import EVEN, bare_percent, percent, with_interval

ABOUT_EVEN = 0.05
"""Two lists are about even if the score is within this of one half."""
NAMED = 3


class Difference(NamedTuple):
    """A difference of two scores, with its 95 % interval."""

    change: float
    low: float
    high: float

    @classmethod
    def of(cls, one: Score, other: Score) -> Difference:
        """Return `one` less `other`, by Newcombe's interval, as if the dice were not the same."""
        change, interval = newcombe(*((score.score, score[1:]) for score in (one, other)))
        return cls(change, *interval)

    def times(self, weight: float) -> Difference:
        """Return so much of it."""
        return Difference(*(weight * end for end in self))

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, repr=False)
class Judged(InWords):
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
    first_turn_gap : Difference
        Its score where it moves first, less that where it moves second.
    opponents : tuple of (Units, Score)
        Its score against each list of the field, the worst first.
    adds : dict of int to Difference
        By card, what one of it adds to the score: what the list without it scores less; each interval for itself.
    swaps : dict of int to (Units, Difference)
        By card, the best list found that has something else in the place of one of it, and what that adds: intervals
        of all swaps hold together.
    beaten_by : (Units, Score) or None
        The best answer found that costs no more, with this list's score against it.
    weak_points : tuple of str
        Sentences.
    on_board : OnBoard or None
        What it scores in matches.
    """

    payoffs: Payoffs
    units: Units
    field: str
    score: Score
    first_turn_gap: Difference
    opponents: tuple[tuple[Units, Score], ...]
    adds: Mapping[int, Difference]
    swaps: Mapping[int, tuple[Units, Difference]]
    beaten_by: tuple[Units, Score] | None
    weak_points: tuple[str, ...]
    on_board: OnBoard | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        text, ids = self.payoffs.text, self.payoffs.ids
        beaten = self.beaten_by
        return {
            "list": text(self.units),
            "requisition": self.payoffs.requisition(self.units),
            "field": self.field,
            **self.score._asdict(),
            "first_turn_gap": self.first_turn_gap.change,
            "first_turn_gap_ci": self.first_turn_gap[1:],
            "opponents": [{"list": text(units), **score._asdict()} for units, score in self.opponents],
            "adds": {ids[at]: more._asdict() for at, more in self.adds.items()},
            "swaps": {ids[at]: {"list": text(one), **gain._asdict()} for at, (one, gain) in self.swaps.items()},
            "beaten_by": None if beaten is None else _listed(self.payoffs, *beaten),
            "weak_points": list(self.weak_points),
            "on_board": None if self.on_board is None else self.on_board._asdict(),
            "provenance": self.payoffs.provenance,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the score against each list of the field, the worst first; ``attrs`` are the `Payoffs.provenance`."""
        return self.payoffs.frame(self.to_dict()["opponents"])

    def by_unit(self) -> pd.DataFrame:
        """Return what one of each unit adds to the score, and what the best found in its place would add to that.

        Either is missing if there is nothing to compare with: no other unit in the list, or none that fits.
        """
        none = Difference(math.nan, math.nan, math.nan)
        rows = []
        adds = {at: self.adds.get(at, none) for at in self.units}
        for at, more in sorted(adds.items(), key=lambda item: -item[1].change):
            swap, gain = self.swaps.get(at, ((), none))
            row = {"unit": self.payoffs.ids[at], "name": self.payoffs.cards[at].name, "number": self.units.count(at)}
            rows.append(row | with_ends("adds", more) | {"swap": self.payoffs.text(swap)} | with_ends("gain", gain))
        return self.payoffs.frame(rows)

    def sentences(self) -> list[str]:
        """Return the result in words."""
        payoffs, words = self.payoffs, self.payoffs.words
        said = [
            f"{words(self.units)} ({payoffs.requisition(self.units)} points)",
            f"scores {in_words(self.score)} against {self.field}; moving first instead of second adds "
            f"{in_points(self.first_turn_gap)}.",
            *([self.on_board.sentence()] if self.on_board else ()),
        ]
        if len(self.opponents) > 1:
            worst = "; ".join(f"{words(units)} ({in_words(score)})" for units, score in self.opponents[:NAMED])
            said.append(f"Does worst against {worst}.")
        if self.beaten_by is not None:
            units, score = self.beaten_by
            cost = payoffs.requisition(units)
            told = f"The best answer found that costs no more, {words(units)} ({cost} points)"
            said.append(f"{told}, leaves it {in_words(score)}.")
        said += self.weak_points
        if self.adds:
            more = sorted(self.adds.items(), key=lambda item: -item[1].change)
            names = ", ".join(f"{payoffs.names[at]} {in_points(one)}" for at, one in more)
            said.append(f"One of each adds, in points of score: {names}.")
        elif self.beaten_by is not None:
            said.append("With one unit there is none to leave out.")
        better = sorted((one for one in self.swaps.values() if one[1].low > 0), key=lambda one: -one[1].change)
        said += [f"Better: {_swapped(payoffs, self.units, one)}: {in_points(gain)}." for one, gain in better[:NAMED]]
        if self.beaten_by is not None and not better:
            none = "No swap of a unit was found that is surely better."
            said.append(none if self.swaps else "No unit can be swapped: nothing else fits in its place.")
        return [*said, payoffs.terms]


class Met(NamedTuple):
    """A list of the field, its weight, and what each of two lists scores against it.

    Attributes
    ----------
    difference : Difference
        What it adds to the difference of a's score against the field and b's; intervals of all lists hold together.
    """

    units: Units
    weight: float
    a: Score
    b: Score
    difference: Difference


@dataclass(frozen=True, repr=False)
class Compared(InWords):
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
    opponents : tuple of Met
        The lists of the field, in the order of what they add to the difference of both scores.
    weak_points : (tuple of str, tuple of str)
        Sentences on either list.
    """

    payoffs: Payoffs
    a: Units
    b: Units
    score: Score
    moving_first: Score
    moving_second: Score
    field: str
    scores: tuple[Score, Score]
    opponents: tuple[Met, ...]
    weak_points: tuple[tuple[str, ...], ...]

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
            "opponents": [
                {
                    "list": text(one.units),
                    "weight": one.weight,
                    "a": one.a._asdict(),
                    "b": one.b._asdict(),
                    "adds": one.difference._asdict(),
                }
                for one in self.opponents
            ],
            "weak_points": [list(said) for said in self.weak_points],
            "provenance": self.payoffs.provenance,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return a row for either list with its score against the field; ``attrs`` are the `Payoffs.provenance`."""
        text, lists = self.payoffs.text, (self.a, self.b)
        rows = [{"list": text(one), **score._asdict()} for one, score in zip(lists, self.scores, strict=True)]
        return self.payoffs.frame(rows)

    def sentences(self) -> list[str]:
        """Return the result in words."""
        low, high = self.score.low, self.score.high
        even = low >= EVEN - ABOUT_EVEN and high <= EVEN + ABOUT_EVEN
        better = "a" if self.score.score > EVEN else "b"
        verdict = "About even" if even else f"Uneven: {better} is favoured" if not low <= EVEN <= high else "Unsure"
        first, second = in_words(self.moving_first), in_words(self.moving_second)
        sides = ("a", self.a), ("b", self.b)
        names = [
            f"{side}: {self.payoffs.words(units)} ({self.payoffs.requisition(units)} points)" for side, units in sides
        ]
        return [
            *names,
            f"{verdict}. a scores {in_words(self.score)} against b: {first} moving first, {second} moving second.",
            self.against,
            *self.reasons(),
            self.payoffs.terms,
        ]

    def reasons(self) -> list[str]:
        """Return which lists of the field, and which weak points, make the difference, in sentences."""
        said, sure = [], [one for one in self.opponents if one.difference.sure]
        for side, other, met in (
            ("a", "b", [one for one in reversed(sure) if one.difference.change > 0]),
            ("b", "a", [one for one in sure if one.difference.change < 0]),
        ):
            named = [
                f"{self.payoffs.words(one.units)} ({in_words(one.a)} and {in_words(one.b)}: "
                f"{in_points(one.difference)} of the difference)"
                for one in met[:NAMED]
            ]
            said += [f"{side} does better than {other} against {'; '.join(named)}."] if named else []
        for side, mine, others in zip("ab", self.weak_points, self.weak_points[::-1], strict=True):
            said += [f"{side} alone: {weak}" for weak in mine if weak not in others]
        return said

    @property
    def against(self) -> str:
        """What either scores against the field, in a sentence."""
        return f"Against {self.field} a scores {in_words(self.scores[0])}, b {in_words(self.scores[1])}."


def in_words(score: Score) -> str:
    """Return a score in percent, with its interval."""
    return with_interval(percent(score.score), (score.low, score.high), bare_percent)


def in_points(one: Difference) -> str:
    """Return a difference in points of 100, with its interval."""
    return f"{100 * one.change:+z.1f} [{100 * one.low:z.1f}, {100 * one.high:z.1f}]"


def _listed(payoffs: Payoffs, units: Units, score: Score) -> dict[str, Any]:
    return {"list": payoffs.text(units), "requisition": payoffs.requisition(units), **score._asdict()}


def _swapped(payoffs: Payoffs, old: Sequence[int], new: Sequence[int]) -> str:
    come, gone = Counter(new) - Counter(old), Counter(old) - Counter(new)
    words = [payoffs.words(payoffs.sorted(some.elements())) for some in (come, gone)]
    return f"{words[0]} in place of {words[1] or 'unspent points'}"
