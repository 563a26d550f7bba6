"""What all results share, and how they put numbers into words."""

from __future__ import annotations

import html
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from aabalance.cards.literals import as_option
from aabalance.definitions.fields import MOST_ROUNDS
from aabalance.engine import outcome
from aabalance.engine.outcome import BattleOutcome, Outcome
from aabalance.errors import check_word, counted, whole_number
from aabalance.provenance import Provenance

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import BaseModel

    from aabalance.play.battle import BattleQuestion
    from aabalance.play.duel import DuelQuestion


SIDES = ("a", "b")
"""The two sides of a duel or a battle."""
First = Literal["a", "b", "roll_off"]
FIRSTS = (*SIDES, "roll_off")
"""Who may have the first turn."""
AT_ONCE = "both at once"
"""Who has it where both sides strike at the same time."""
BY_ORDER = "p_a_moving_first", "p_a_moving_second"
FACES = ("facing", "own_facing")
"""Fields of a situation in games that have faces: the face that the target shows, and the attacker's own."""


def words(circumstances: BaseModel, *, faces: bool = True) -> str:
    """Return a situation or a moment in words: the facing, if there is one, and all fields that have no default value.

    The distance is left out; without `faces`, so are the faces of both units.
    """
    said = []
    for name, declared in type(circumstances).model_fields.items():
        value = getattr(circumstances, name)
        if name in FACES and not faces:
            continue
        if name == "facing":
            said.append(str(value))
        elif name != "range_in" and value != declared.default:
            said.append(name if value is True else as_option(name, value))
    return ", ".join(said)


def distance(range_in: float, length: str) -> str:
    """Return a distance in words; `length` is the plural, which loses its ending after 1: ``1 hex``."""
    one = length.removesuffix("es" if length.endswith("xes") else "s")
    return f"{range_in:g}{one if range_in == 1 else length}"


@dataclass(frozen=True, repr=False, kw_only=True)
class Result(ABC):
    """What all results share: a frame and a small table for notebooks, both from `to_dict`.

    Attributes
    ----------
    provenance : Provenance
        What it is a result of: units, cards, what-ifs, rule switches, version.

    Examples
    --------
    >>> import aabalance as aab
    >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=18)
    >>> duel.to_dict()["p_a"] == duel.to_frame()["p_a"].item()
    True
    """

    provenance: Provenance = field(default=Provenance(), compare=False)

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command line's ``--json`` prints it."""

    @abstractmethod
    def _lines(self) -> list[tuple[str, str]]:
        """Return the lines of the repr, each a name and a value."""

    def _said(self, say: Callable[[float], str], *names: str) -> str:
        """Return the text of some numbers with their intervals; `say` puts a number into words.

        A number that is rolled has none where all trials agree, which tells nothing about the next one.
        """
        alike = ", in each trial" if getattr(self, "trials", None) else ""
        ends = {name: getattr(self, f"{name}_ci") for name in names}
        said = {name: say(getattr(self, name)) + (alike if ends[name] is None else "") for name in names}
        return " / ".join(with_interval(said[name], ends[name], say) for name in names)

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a DataFrame of one row.

        Whole numbers are Int64, which allows missing values. A pair has a column for each of its two values.
        Distributions and sentences are left out, since no cell has room for them. ``attrs`` say what it is a result of.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> game.duel("us_m4a3_75w", "de_stug3g", range_in=18).to_frame()[["a", "b", "p_a", "p_b"]].round(2)
                           a                 b   p_a   p_b
        0  M4A3(75)W Sherman  StuG III Ausf. G  0.54  0.46
        """
        import pandas as pd

        row: dict[str, Any] = {}
        for name, value in self.to_dict().items():
            if name.endswith("_ci") and not isinstance(value, dict):
                parts = (math.nan if part is None else part for part in value or (None, None))
                row |= {f"{name}_{end}": part for end, part in zip(("low", "high"), parts, strict=True)}
            elif isinstance(value, tuple):
                row |= {f"{name}_{end}": part for end, part in zip("ab", value, strict=True)}
            elif not isinstance(value, dict) and name != "sentence":
                row[name] = value
        kinds = {one.name: str(one.type) for one in fields(self)}
        # A column that isn't a field is the roll that a die needs, which may be missing, or one of a pair, which isn't.
        given = {name: kinds.get(name, "int" if value is None else "") for name, value in row.items()}
        whole = {name: "Int64" for name, kind in given.items() if kind.startswith("int") or type(row[name]) is int}
        broken = {name: "float64" for name, kind in given.items() if kind.startswith("float")}
        frame = pd.DataFrame([row]).astype(whole | broken)
        frame.attrs.update(self.provenance.said())
        return frame

    def _told(self) -> list[tuple[str, str]]:
        """Return the lines of the repr with what is unusual about cards and rules in the second."""
        first, *others = self._lines()
        unusual = self.provenance.unusual()
        return [first, *([("with", unusual)] if unusual else []), *others]

    def _headed(self, head: str) -> str:
        """Return the first line of an explanation with what is unusual about cards and rules."""
        unusual = self.provenance.unusual()
        return f"{head}; with {unusual}" if unusual else head

    def __repr__(self) -> str:
        lines = self._told()
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)

    def _repr_html_(self) -> str:
        left = "style='text-align:left'"
        rows = "".join(
            f"<tr><th {left}>{html.escape(name)}</th><td {left}>{html.escape(value)}</td></tr>"
            for name, value in self._told()
        )
        return f"<table>{rows}</table>"


Interval = tuple[float, float]

SIMULATED = (
    "trials seed p_a_ci p_b_ci p_draw_ci player_turns_ci p_a_moving_first_ci p_a_moving_second_ci first_turn_gap_ci"
)
"""Names of the plain values that a simulated fight has, and a solved one hasn't, but for some of one kind of fight."""


@dataclass(frozen=True, repr=False, kw_only=True)
class FightResult(Result):
    """What the results of duels and battles share.

    Attributes
    ----------
    a, b : str
        Both sides: the names of two units, as on their cards, or two lists in words.
    range_in : float
        Distance at the start, in the game's unit of length.
    length : str
        What is written behind the number of a distance: ``"`` for inches.
    situation : str
        The other circumstances in words, as a sees them.
    first : {"a", "b", "roll_off", "both at once"}
        Who has the first turn.
    rounds : int or None
        Limit of rounds, each a turn of both sides; None: no limit.
    p_a, p_b, p_draw : float
        Chances that a wins, that b wins, and of a draw: at the limit of rounds, or because nobody can win any more.
    player_turns : float or None
        Expected number of player turns, those of both sides counted, with the last one; None if there may be no end.
    p_a_moving_first, p_a_moving_second : float or None
        `p_a` if a moves first, and if b does; None if only one order was played, or if both sides strike at once.
    first_turn_gap : float or None
        a's score, P(win) + P(draw) / 2, if a moves first, less that if b does; None as above.
    engine : {"exact", "monte_carlo"}
        Whether the fight was solved or simulated.
    trials, seed : int or None
        Number of trials and seed of a simulation.
    p_a_ci, p_b_ci, p_draw_ci, p_a_moving_first_ci, p_a_moving_second_ci : (float, float) or None
        Wilson's 95 % intervals of a simulation.
    first_turn_gap_ci : (float, float) or None
        Newcombe's 95 % interval of a simulation, from Wilson's of both scores.
    player_turns_ci : (float, float) or None
        Student's 95 % interval of a simulation; None if its trials were all of one length, or may have no end.
    """

    a: str
    b: str
    range_in: float
    length: str
    situation: str
    first: str
    rounds: int | None
    p_a: float
    p_b: float
    p_draw: float
    player_turns: float | None
    p_a_moving_first: float | None
    p_a_moving_second: float | None
    first_turn_gap: float | None
    engine: str
    trials: int | None = None
    seed: int | None = None
    p_a_ci: Interval | None = None
    p_b_ci: Interval | None = None
    p_draw_ci: Interval | None = None
    player_turns_ci: Interval | None = None
    p_a_moving_first_ci: Interval | None = None
    p_a_moving_second_ci: Interval | None = None
    first_turn_gap_ci: Interval | None = None

    _keys: ClassVar[str]
    """Names of the plain values, in their order."""
    _kind: ClassVar[str]
    """What the fight is, in words."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values with its sentence; a solved fight leaves out those of a simulation."""
        plain = {
            name: getattr(self, name)
            for name in self._keys.split()
            if self.engine != "exact" or not (name in ("trials", "seed") or name.endswith("_ci"))
        }
        return plain | {"sentence": self.sentence(), "provenance": self.provenance.said()}

    def sentence(self) -> str:
        """Return who is favoured, by how much, and how much of it is the first turn, with the doubt that there is.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> print(game.duel("us_m4a3_75w", "de_stug3g", range_in=18).sentence().partition(". Who")[0])
        M4A3(75)W Sherman wins 54.0 %, StuG III Ausf. G wins 46.0 %: that favours M4A3(75)W Sherman by 8.0 points in 100
        >>> game.duel("us_m4a3_75w", "de_stug3g", range_in=18, simulate=100).sentence().partition(": ")[2][:40]
        'after 100 duels, who is favoured is open'
        """
        harmless = self.player_turns == 0 or all(getattr(self, name, "") for name in ("no_effect_a", "no_effect_b"))
        if self.rounds is None and (self.engine == "exact" or harmless) and self.p_draw > 1 - ROUNDING:
            return "Nobody wins: neither side can ever destroy the other."
        said = [f"{wins} {self._share(name)}" for name, wins in zip(("p_a", "p_b"), self._wins(), strict=True)]
        rest = {"p_draw": "are drawn", "p_both_destroyed": "destroy both"}
        said += [f"{self._share(name)} {end}" for name, end in rest.items() if (getattr(self, name, 0) or 0) > ROUNDING]
        return f"{', '.join(said)}: {self._favours()}. {self._first_turn()}"

    def _share(self, name: str) -> str:
        """Return a chance in percent, with its interval if there is one."""
        return percent_with_interval(getattr(self, name), getattr(self, f"{name}_ci"))

    def _favours(self) -> str:
        """Return who is favoured, and by how much."""
        lead = self.p_a - self.p_b
        ahead, behind = (self.p_a_ci, self.p_b_ci) if lead > 0 else (self.p_b_ci, self.p_a_ci)
        if ahead is not None and behind is not None and ahead[0] <= behind[1]:
            return f"after {self.trials} {self._kind}{'s' * (self.trials != 1)}, who is favoured is open"
        if abs(lead) < LEAST_SHARE:
            return "that favours neither"
        by = f" by {100 * abs(lead):.1f} points in 100" if self.trials is None else ""
        return f"that favours {side_names(self.a, self.b)[lead < 0]}{by}"

    @property
    def _at_once(self) -> bool:
        """Whether both sides strike at once, so that nobody moves first."""
        return False

    def _first_turn(self) -> str:
        """Return how much of who is favoured is the first turn."""
        gap = self.first_turn_gap
        if self._at_once:
            return "Both strike at once."
        if gap is None:
            if self.first in SIDES:
                return f"{side_names(self.a, self.b)[SIDES.index(self.first)]} moves first in all of them."
            return f"One {self._kind} doesn't tell what the first turn is worth."
        if self.first_turn_gap_ci is not None:
            return is_worth("going first", gap, self.first_turn_gap_ci, self.p_draw)
        if abs(gap) < LEAST_SHARE:
            return "Who moves first makes no difference."
        more = "more" if abs(gap) > abs(self.p_a - self.p_b) else "less"
        return f"Who moves first counts for {more}: the first turn is worth {100 * gap:.1f} points in 100."

    def _wins(self) -> tuple[str, str]:
        """Return what the chances of both sides are called in text."""
        return wins(self.a, self.b)

    def _lines_of(self, chances: Mapping[str, tuple[float, float]]) -> list[tuple[str, str]]:
        """Return the lines of the repr on the chances, each given with that of all other ends, and on the length."""
        said = {"p_a": self._wins()[0], "p_b": self._wins()[1], "p_draw": "draw", "p_both_destroyed": "both destroyed"}
        lines = [
            (said[name], with_interval(chance(p, complement), getattr(self, f"{name}_ci", None)))
            for name, (p, complement) in chances.items()
        ]
        turns = "without end" if self.player_turns is None else self._said("{:.2f}".format, "player_turns")
        return [*lines, ("player turns", turns)]

    def _last_lines(self, *more: str) -> list[tuple[str, str]]:
        """Return the last lines of the repr: both orders of first turn, the engine with `more` about it, a sentence."""
        label = f"{side_names(self.a, self.b)[0]} first / second"
        both = None not in (self.p_a_moving_first, self.p_a_moving_second)
        lines = [(label, self._said(chance, *BY_ORDER))] if both else []
        rolled = "" if self.trials is None else f"{counted(self.trials, 'trial')}, seed {self.seed}"
        engine = ", ".join(filter(None, (self.engine, rolled, *more)))
        return [*lines, ("engine", engine), ("in words", self.sentence())]


AnyEnd = TypeVar("AnyEnd", Outcome[float], BattleOutcome)


def check_turns(first: str, rounds: int | None) -> int | None:
    """Return the limit of rounds as an int.

    Raises
    ------
    UsageError
        It is out of range, or there is no such `first`.
    """
    check_word("first", first, FIRSTS)
    return None if rounds is None else whole_number("rounds", rounds, 1, MOST_ROUNDS)


def common(question: DuelQuestion | BattleQuestion, outcomes: Mapping[str, AnyEnd], mean: AnyEnd) -> dict[str, Any]:
    """Return the fields of a result that don't depend on the kind of fight.

    Parameters
    ----------
    question : DuelQuestion or BattleQuestion
        The fight.
    outcomes : mapping of {"a", "b"} to outcome
        How it ends, as a sees it, by who moves first.
    mean : outcome
        How it ends over both orders of first turn: their mean, or the shares of all simulated trials.
    """
    # A sum of rounded products may be a little above 1.
    orders = {who: min(outcomes[who].p_a, 1.0) if who in outcomes else None for who in SIDES}
    gap = float(outcome.first_turn_gap(outcomes["a"], outcomes["b"])) if len(outcomes) == len(SIDES) else None
    return {
        "range_in": question.range_in,
        "length": question.ruleset.labels.length.after,
        "first": question.first,
        "p_a": min(mean.p_a, 1.0),
        "p_b": min(mean.p_b, 1.0),
        "p_draw": min(mean.p_draw, 1.0),
        "player_turns": mean.player_turns if math.isfinite(mean.player_turns) else None,
        "p_a_moving_first": orders["a"],
        "p_a_moving_second": orders["b"],
        "first_turn_gap": 0.0 if gap is not None and abs(gap) <= ROUNDING else gap,
    }


ROUNDING = 1e-12
"""How much a sum of many rounded products may differ from an exact 1."""
EVEN = 0.5
THREE_DIGITS = 99.95
"""From this number on, three digits show a whole number."""
MOST_NAME = 40
"""Letters of a side's name in text: a longer one is that of a list."""
LEAST_CHANCE, LEAST_SHARE = 0.00005, 0.0005
"""Smallest chance that four decimal places still show, and smallest share that one decimal place of percent does."""


def with_interval(said: str, interval: Interval | None, say: Callable[[float], str] | None = None) -> str:
    """Return what is `said` of a number with its interval behind it, if there is one; `say` is by default `chance`."""
    return said if interval is None else f"{said} [{', '.join(map(say or chance, interval))}]"


def interval_of(row: Mapping[Any, Any], name: str) -> Interval:
    """Return the ends of the interval of a number that a row of a table has."""
    return row[f"{name}_ci_low"], row[f"{name}_ci_high"]


def in_row(row: Mapping[Any, Any], name: str, say: Callable[[float], str]) -> str:
    """Return the number that a row of a table has under `name`, with its interval; `say` puts each into words."""
    return with_interval(say(row[name]), interval_of(row, name), say)


def percent_in_row(row: Mapping[Any, Any], name: str) -> str:
    """Return a share that a row of a table has as a percentage, with its interval."""
    return percent_with_interval(row[name], interval_of(row, name))


def percent_with_interval(p: float, interval: Interval | None) -> str:
    """Return the text of a share in percent with its interval behind it, if there is one.

    A text such as ">99.9 %" is an interval itself: if it has both ends as well, it is said once.
    """
    said, *ends = map(percent, (p, *(interval or ())))
    alone = not ends or (said[0] in "<>" and {*ends} == {said})
    return said if alone else f"{said} ({ends[0]} to {ends[1]})"


def shares_in_words(shares: Mapping[str, float], intervals: Mapping[str, Interval]) -> str:
    """Return the text of shares by what they are shares of, the largest first, with their intervals."""
    order = sorted(shares, key=lambda name: -shares[name])
    return ", ".join(f"{name} {percent_with_interval(shares[name], intervals[name])}" for name in order)


def points_with_interval(change: float, interval: Interval) -> str:
    """Return the text of a change of a chance or a score in points of 100, with its interval behind it."""
    low, high = interval
    return f"{100 * change:+z.1f} points in 100 ({100 * low:+z.1f} to {100 * high:+z.1f})"


def is_worth(what: str, worth: float, interval: Interval, p_draw: float = 0.0) -> str:
    """Return in words what something is worth.

    Parameters
    ----------
    what : str
        What it is.
    worth, interval : float, (float, float)
        A difference of scores with its interval.
    p_draw : float
        Chance of a draw: where there are any, chances to win tell another difference.
    """
    half = ", a draw counted as half a win" if p_draw else ""
    doubt = ", so it may be worth nothing" if interval[0] <= 0 <= interval[1] else ""
    return f"{what[0].upper()}{what[1:]} is worth {points_with_interval(worth, interval)}{half}{doubt}."


def side_names(a: str, b: str) -> tuple[str, str]:
    """Return what both sides are called in text: their names, told apart; those of long lists are left out."""
    long = [len(name) > MOST_NAME and ", " in name for name in (a, b)]  # that of one unit is no list
    a, b = (f"list {side}" if is_long else name for side, name, is_long in zip(SIDES, (a, b), long, strict=True))
    return (f"{a} (a)", f"{b} (b)") if a == b else (a, b)


def wins(a: str, b: str, units: Sequence[int] = (1, 1)) -> tuple[str, str]:
    """Return "NAME wins" for both sides, by what they are called, `a` and `b`, and their numbers of units."""
    names = side_names(a, b)
    several = [n != 1 and not name.startswith("list ") for n, name in zip(units, names, strict=True)]
    a, b = (f"{name} win{'' if many else 's'}" for name, many in zip(names, several, strict=True))
    return a, b


def chance(p: float, complement: float | None = None) -> str:
    """Return a chance with four decimal places; a small one isn't shown as 0, nor a large one as 1.

    `complement` is the chance of all other outcomes, if known: it tells a chance a little below 1 from a rounded 1.
    """
    if p < EVEN:
        return "<0.0001" if 0 < p < LEAST_CHANCE else f"{max(p, 0) + 0.0:.4f}"
    return ">0.9999" if 0 < (short_of_certain(p) if complement is None else complement) < LEAST_CHANCE else f"{p:.4f}"


def actions_a_turn(limits: Iterable[int]) -> str:
    """Return the limits of actions of both sides in words; an empty text if there are none."""
    said = "/".join(map(str, dict.fromkeys(limits)))
    return said and f"{said} action{'s' * (said != '1')} a turn"


def percent(share: float) -> str:
    """Return a share in percent, rounded half up; a small one isn't shown as 0 %, nor a large one as 100 %."""
    if math.isnan(share):
        return "–"
    if -ROUNDING < share <= 0:
        return "0.0 %"
    if abs(share) < LEAST_SHARE:
        return "<0.1 %" if share > 0 else ">-0.1 %"
    if 0 < short_of_certain(share) < LEAST_SHARE:
        return ">99.9 %"
    tenths = math.floor(1000 * (abs(share) + ROUNDING) + 0.5)  # half up: Python rounds 6.25 to 6.2, and 18.75 to 18.8
    return f"{math.copysign(tenths / 10, share):.1f} %"


def bare_percent(share: float) -> str:
    """Return the text of `percent` without its sign, for columns and ends of intervals."""
    return percent(share).removesuffix(" %")


def three_digits(number: float) -> str:
    """Return the text of a number with three digits, and with all that it has before the point: 1664, not 1.66e+03."""
    return f"{number:.0f}" if abs(number) >= THREE_DIGITS else f"{number:.3g}"


def number_with_interval(number: float, low: float, high: float) -> str:
    """Return the text of a number by `three_digits`, with its interval from `low` to `high` behind it."""
    return "{} ({} to {})".format(*map(three_digits, (number, low, high)))


def ratio_in_words(ratio: float) -> str:
    """Return the text of a ratio of two means; a dash for nan, which is 0 / 0."""
    return "–" if math.isnan(ratio) else f"{ratio:.0f}" if abs(ratio) >= THREE_DIGITS else f"{ratio:#.3g}"


def short_of_certain(p: float) -> float:
    """Return how much is missing to a chance of 1; 0 if rounding alone explains it."""
    return 0.0 if abs(1 - p) < ROUNDING else 1 - p
