"""What many matches come to: shares, means, and what the first turn and zones are worth, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from aabalance.engine import sampling
from aabalance.engine.arrays import Bools, Floats, Ints
from aabalance.play import result
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match_rules import MatchRules


def measured(facts: Ints, zones: Sequence[str], rules: MatchRules) -> dict[str, Any]:
    """Return the fields of a result that are counts and means of matches.

    Parameters
    ----------
    facts : array of int64, shape (matches, facts)
        The `aabalance.rulesets.base.match.FACTS` of each match.
    zones : sequence of str
        Names of the zones.
    rules : MatchRules
        The rules of the matches.
    """
    ends, first, zone = facts[:, base.RESULT], facts[:, base.FIRST], facts[:, base.ZONE]
    means = {"player_turns": (base.PLAYER_TURNS, 1), "value_a": (base.LEFT_A, rules.parts)}
    means["value_b"] = base.LEFT_B, rules.parts
    values: dict[str, Any] = {}
    for name, (fact, parts) in means.items():
        values[name], values[f"{name}_ci"] = _mean(facts[:, fact], parts)
    reasons = {rules.reasons[at]: _share(facts[:, base.REASON] == at) for at in np.unique(facts[:, base.REASON])}
    values["reasons"] = {reason: p for reason, (p, _) in reasons.items()}
    values["reasons_ci"] = {reason: ci for reason, (_, ci) in reasons.items()}
    for name, end in (("p_a", base.WON_BY_A), ("p_b", base.WON_BY_B), ("p_draw", base.DRAWN)):
        values[name], values[f"{name}_ci"] = _share(ends == end)
    values["p_early"], values["p_early_ci"] = _share(~np.isin(facts[:, base.REASON], rules.limits))
    values["score_a_ci"] = _score(ends)[1]
    for at, name in enumerate(("p_a_moving_first", "p_a_moving_second")):
        values[name], values[f"{name}_ci"] = _share(ends[first == at] == base.WON_BY_A)
    values["first_turn_gap"], values["first_turn_gap_ci"] = difference(ends, first == 0, first == 1)
    by_zone = {name: _share(ends[zone == at] == base.WON_BY_A) for at, name in enumerate(zones) if (zone == at).any()}
    values["zones"] = {name: p for name, (p, _) in by_zone.items()}
    values["zones_ci"] = {name: ci for name, (_, ci) in by_zone.items()}
    values["zone_gap"], values["zone_gap_ci"] = difference(ends, zone == 0, zone == 1)
    return values


def scores(ends: Ints) -> Floats:
    """Return a's score in each of some matches: 1, half, or 0; `ends` are their results."""
    return np.where(ends == base.WON_BY_A, 1.0, np.where(ends == base.DRAWN, 0.5, 0.0))


def change(first: Floats, last: Floats, claims: int = 1) -> tuple[float, result.Interval]:
    """Return the mean of what scores change from the `first` way to play to the `last` one, with its 95 % interval.

    Only matches that were played both ways count, and the interval is Student's, of their differences in score. If few
    matches differ, that would be too narrow: it is at least as wide as Wilson's interval of a share of 0. It holds
    together with those of other `claims`.
    """
    pairs = min(len(first), len(last))
    changes = last[:pairs] - first[:pairs]
    mean, half = float(changes.mean()), away(changes, claims)
    return mean, (max(mean - half, -1.0), min(mean + half, 1.0))


def _share(won: Bools) -> tuple[float | None, result.Interval | None]:
    """Return a share with its interval; None for both without any match."""
    return sampling.share(int(won.sum()), len(won)) if len(won) else (None, None)


def _mean(facts: Ints, parts: int) -> tuple[float, result.Interval | None]:
    """Return the mean of a fact of matches, counted in `parts` of one, with its interval."""
    ends = sampling.student(int(facts.sum()), int((facts**2).sum()), len(facts))
    return float(facts.mean()) / parts, ends and (ends[0] / parts, ends[1] / parts)


def _score(ends: Ints) -> tuple[float, result.Interval]:
    """Return a's score, a draw being half a win, with its interval, which draws make wider than necessary."""
    return sampling.share(float(scores(ends).sum()), len(ends))


def student(values: Sequence[float] | Floats, claims: int = 1) -> float:
    """Return half the width of Student's 95 % interval of a mean; intervals of all `claims` hold together."""
    return float(sampling.student_quantile(len(values), claims) * np.std(values, ddof=1)) / math.sqrt(len(values))


def away(values: Sequence[float] | Floats, claims: int = 1) -> float:
    """Return half the width of the 95 % interval of the mean of scores, 0 to 1, or of changes in score, -1 to 1.

    It is Student's, but at least as wide as Wilson's of a share of 0: what happened in no match may still happen.
    It holds together with those of other `claims`.
    """
    return max(student(values, claims), sampling.wilson(0, len(values), claims)[1]) if len(values) > 1 else 1.0


def ratio(values: Floats, by: Floats, claims: int = 1) -> tuple[float, float, float]:
    """Return the ratio of two means of pairs with its 95 % interval, Fieller's (1954); nan unless the second is sure.

    Parameters
    ----------
    values, by : array of float, shape (pairs,)
        What is divided, and by what: its mean has to be above 0, beyond its interval. Both vary as `away` has it.
    claims : int
        How many intervals hold together.
    """
    over, under, least = float(values.mean()), float(by.mean()), away(by, claims)
    if under <= least:
        return math.nan, math.nan, math.nan
    mixed = sampling.student_quantile(len(by), claims) ** 2 / len(by) * float(np.cov(values, by)[0, 1])
    square, half, rest = under**2 - least**2, over * under - mixed, over**2 - away(values, claims) ** 2
    root = math.sqrt(max(half**2 - square * rest, 0.0))
    return over / under, float(half - root) / square, float(half + root) / square


def difference(ends: Ints, one: Bools, other: Bools) -> tuple[float | None, result.Interval | None]:
    """Return the difference of a's scores in some matches and in others, with its interval.

    `ends` is how each match ended, and `one` and `other` say which are compared.
    """
    if not (one.any() and other.any()):
        return None, None
    return sampling.newcombe(_score(ends[one]), _score(ends[other]))
