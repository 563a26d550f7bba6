"""The action economy: who wins as the action limit rises, and what one action more is worth in requisition.

One action more for one side alone is worth the requisition of its own units, in list order, that this side would have
to add under the old limit for the same score. Between one number of units and the next the score is taken to rise in a
straight line, as if the last unit came to a share of the battles alone. The interval is between those two numbers of
whole units, and wider where battles are rolled.

A side without a unit has lost, a score of 0. So the same straight lines say with how much requisition a side would be
even, and tables of n copies against m, read between whole numbers, say the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import pandas as pd

from aabalance import columns
from aabalance.analysis.battles import (
    CHANCES,
    BattleRules,
    Policies,
    Score,
    Sides,
    both,
    ends_of,
    from_json,
    in_json,
    score_of,
    several,
    sides,
    terms_of,
    without_rolls,
)
from aabalance.analysis.frames import expect, tidy, with_ends
from aabalance.definitions.fields import MOST_ACTIONS, POLICIES
from aabalance.engine.sampling import Advance
from aabalance.engine.volleys import TooLarge
from aabalance.errors import whole_number
from aabalance.game import Game, List, game_of
from aabalance.jobs.job import Job
from aabalance.play.battle import BattleResult, NoneCounts
from aabalance.play.result import EVEN, First
from aabalance.rulesets.base import Fighter, Force

LIMITS = range(1, 13)
MOST_TIMES = 4
"""How many times its units a list is lengthened to, at most."""
SAME = 1e-12
"""Scores that differ by less are equal up to rounding."""

LOST = Score(0.0, 0.0, 0.0)


def actions(
    game: Game | str,
    list_a: List,
    list_b: List,
    *,
    range_in: float,
    limits: Iterable[int] = LIMITS,
    policies: Iterable[Policies] = POLICIES,
    mode: str = "annihilation",
    rounds: int | None = None,
    first: First = "roll_off",
    simulate: int | None = None,
    target_error: float | None = None,
    seed: int = 0,
    advance: Advance = lambda steps: None,
    **situation: Any,
) -> pd.DataFrame:
    """Return, by action limit, how two lists fare against each other, and what one action more is worth to either.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    list_a, list_b, range_in, mode, rounds, first, simulate, target_error, seed, **situation
        As for `Game.battle`; ``facing`` too.
    limits : iterable of int
        Action limits, each of both sides, 1 to 999.
    policies : iterable of str or pair of str
        As for `aabalance.battles`.
    advance : callable
        Called with the number of limits done since the last call; each counts once for every policy.

    Returns
    -------
    DataFrame
        A row for each policy and limit. ``action_price_a`` is the requisition of its own units, in list order, that a
        would have to add under this limit for the score with one action more for a alone; negative if that does harm.
        ``even_requisition_b`` is what b would have to cost for an even battle. Their intervals are the whole units
        between which they lie, wider by the 95 % intervals of the scores where battles are rolled. How much depends on
        the policy, the rows of the others say. Its ``attrs`` are the `Game.provenance`.

    Raises
    ------
    UsageError
        What `Game.battle` refuses; or no limit or policy.

    Examples
    --------
    >>> import aabalance as aab
    >>> guns, tanks = "de_stug3g*3", "us_m24*5"
    >>> curve = aab.actions(aab.Game(), guns, tanks, range_in=18, limits=range(1, 6), policies=["value"])
    >>> curve[["actions", "score_a", "even_requisition_b"]].round(2)
       actions  score_a  even_requisition_b
    0        1     0.74              248.49
    1        2     0.63              228.96
    2        3     0.49              208.06
    3        4     0.32              190.03
    4        5     0.29              188.41
    """
    game = game_of(game)
    tried = sorted({whole_number("limits", limit, 1, MOST_ACTIONS - 1) for limit in several(limits, "limits")})
    named = [both(policy) for policy in several(policies, "policies")]
    given = {"mode": mode, "rounds": rounds, "first": first, "range_in": range_in, **situation}
    given |= {"simulate": simulate, "target_error": target_error, "seed": seed}
    rules = BattleRules(game.ruleset.name, game.variant)
    pairs = [PolicyPair(rules, sides(game, list_a, list_b, {**given, "policy_a": a, "policy_b": b})) for a, b in named]
    jobs = [Job(curve, one, tried, cells=len(tried), threaded=True) for one in pairs]
    rows = list(from_json(jobs, advance))
    for row in rows:
        row |= {name: one for name, one in (("list_a", list_a), ("list_b", list_b)) if isinstance(one, str)}
    table = tidy("actions", without_rolls(pd.DataFrame(rows)))
    table.attrs.update(game.of_sides(pairs[0].sides.a, pairs[0].sides.b).said())
    return table


class PolicyPair(NamedTuple):
    """What holds for all rows of one pair of policies, so that their battles are fought once."""

    rules: BattleRules
    sides: Sides

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.rules.game


def curve(pair: PolicyPair, limits: Sequence[int], _: Any) -> list[bytes]:
    """Return rows of the table as JSON, of each the limit; see `aabalance.jobs.sweeps`."""
    battles = _BattleCache(pair.rules.empty, (pair.sides.a, pair.sides.b), dict(pair.sides.given))
    return [in_json(_row(battles, limit)) for limit in limits]


def leads(table: pd.DataFrame) -> pd.DataFrame:
    """Return which side is ahead where turns have few actions, and which where they have many.

    The one is ahead at the lowest limit and up to the limit ``few_to``, the other from ``many_from`` to the highest. A
    side is ahead if its score is above one half; where battles were rolled, if the whole interval is.

    Parameters
    ----------
    table : DataFrame
        From `actions`, or several of them together.

    Returns
    -------
    DataFrame
        A row for each pair of lists and policies.

    Raises
    ------
    UsageError
        It is no such table.

    Examples
    --------
    >>> import aabalance as aab
    >>> guns, tanks = "de_stug3g*3", "us_m24*5"
    >>> curve = aab.actions(aab.Game(), guns, tanks, range_in=18, limits=range(1, 6), policies=["value"])
    >>> aab.leads(curve)[["ahead_with_few", "few_to", "ahead_with_many", "many_from"]]
      ahead_with_few  few_to ahead_with_many  many_from
    0              a       2               b          3
    """
    key = list(columns.TABLES["leads"].key)
    table = expect(table, [*key, "actions", "score_a_low", "score_a_high"], "aab.actions(game, list_a, list_b, ...)")
    rows = []
    for terms, part in table.groupby(key, sort=False, observed=True, dropna=False):
        part = part.sort_values("actions")
        ends = zip(part["score_a_low"], part["score_a_high"], strict=True)
        ahead = ["a" if low > EVEN + SAME else "b" if high < EVEN - SAME else "neither" for low, high in ends]
        runs = [
            (who, [limit for _, limit in run])
            for who, run in groupby(zip(ahead, part["actions"], strict=True), key=lambda at: at[0])
        ]
        (few, up_to), (many, on) = runs[0], runs[-1]
        lead = {"ahead_with_few": few, "few_to": up_to[-1], "ahead_with_many": many, "many_from": on[0]}
        rows.append({**dict(zip(key, terms, strict=True)), **lead})
    return tidy("leads", rows, table.attrs)


class _BattleCache:
    """Battles of two lists, lengthened or cut, under any action limits; each is fought once.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    lists : pair of list
        The two lists, as `aabalance.game.Game.battle` takes them.
    given : dict
        All other arguments of `Game.battle`.
    """

    def __init__(self, game: Game, lists: tuple[list[Any], list[Any]], given: dict[str, Any]) -> None:
        self.lists = lists
        self._game, self._given = game, given
        self._known: dict[tuple[tuple[int, int], tuple[int, int]], BattleResult] = {}
        self._pools: dict[tuple[int, int], tuple[int, int]] = {}
        self._costs = [[game.ruleset.cost(game.card(unit)) for unit in units] for units in lists]

    def result(self, lengths: tuple[int, int], limits: tuple[int, int]) -> BattleResult:
        """Return the battle of lists of these lengths under these limits; a limit that can't bind doesn't matter."""
        if lengths in self._pools:
            limits = self._binding(lengths, limits)
        if (lengths, limits) not in self._known:
            units = (_lengthened(units, n) for units, n in zip(self.lists, lengths, strict=True))
            result = self._game.battle(*units, actions=limits, **self._given)
            a, b = (_most_spent(force) for force in result.replay.forces)
            self._pools[lengths] = a, b
            self._known[lengths, self._binding(lengths, limits)] = result
            return result
        return self._known[lengths, limits]

    def _binding(self, lengths: tuple[int, int], limits: tuple[int, int]) -> tuple[int, int]:
        """Return the limits, at most what lists of these lengths can spend in a turn."""
        a, b = self._pools[lengths]
        return min(limits[0], a), min(limits[1], b)

    def score(self, side: int, length: int, limits: tuple[int, int]) -> Score:
        """Return the score of a side whose list has another length, against the other side's list as it is."""
        if length == 0:
            return LOST
        lengths = (length, len(self.lists[1])) if side == 0 else (len(self.lists[0]), length)
        try:
            score = score_of(self.result(lengths, limits))
        except NoneCounts:  # cut to units that don't count
            return LOST
        return score if side == 0 else score.swapped()

    def cost(self, side: int, length: float) -> float:
        """Return the cost of a list of this length; a fraction is a part of its last unit."""
        if math.isinf(length):
            return math.inf
        whole = int(length)
        rest = length - whole
        costs = _lengthened(self._costs[side], whole + 1)
        return float(sum(costs[:whole]) + rest * costs[whole])


def _most_spent(force: Force) -> int:
    """Return the largest number of actions that a side can spend in a turn, at least 1; a larger limit can't bind."""
    # Units that help or prepare spend actions on more than their attacks.
    more = any(strike.helps or strike.prepare for unit in force for strike in unit.strikes)
    return max(sum(unit.actions if more else min(unit.actions, _firing(unit)) for unit in force), 1)


def _firing(unit: Fighter) -> int:
    """Return how many actions a unit needs at most to make all attacks of its guns."""
    dearest = [0] * len(unit.guns)
    for strike in unit.strikes:
        dearest[strike.gun] = max(dearest[strike.gun], strike.actions)
    return sum(gun.attacks * actions for gun, actions in zip(unit.guns, dearest, strict=True))


def _row(battles: _BattleCache, limit: int) -> dict[str, Any]:
    result = battles.result((len(battles.lists[0]), len(battles.lists[1])), (limit, limit))
    row = terms_of(result, battles.lists)
    row |= {"actions": limit, "p_a": result.p_a, "p_b": result.p_b, "p_draw": result.p_draw, "engine": result.engine}
    row |= ends_of({name: getattr(result, f"{name}_ci") for name in CHANCES})
    row |= with_ends("score_a", score_of(result))
    for side, name in enumerate("ab"):
        units = len(battles.lists[side])
        cost = battles.cost(side, units)
        raised = (limit + 1, limit) if side == 0 else (limit, limit + 1)
        reached = _needed(battles, side, limit, battles.score(side, units, raised))
        row[f"requisition_{name}"] = cost
        row |= with_ends(f"action_price_{name}", [at - cost for at in reached])
    return row | with_ends("even_requisition_b", _needed(battles, 1, limit, Score(EVEN, EVEN, EVEN)))


def _needed(battles: _BattleCache, side: int, limit: int, wanted: Score) -> tuple[float, float, float]:
    """Return what a side must cost for a score, and an interval: by whole units, and by dice where they are rolled."""

    def reach(end: str, score: float) -> _Reached:
        units = len(battles.lists[side])
        return _reach(lambda n: float(getattr(battles.score(side, n, (limit, limit)), end)), units, score)

    reached = reach("score", wanted.score).units, reach("high", wanted.low).below, reach("low", wanted.high).enough
    return battles.cost(side, reached[0]), battles.cost(side, reached[1]), battles.cost(side, reached[2])


class _Reached(NamedTuple):
    """How many units a score takes: a number with a fraction, and the whole numbers between which it lies."""

    units: float
    below: float
    enough: float


def _reach(score_at: Callable[[int], float], units: int, wanted: float) -> _Reached:
    """Return how many units of a list a score takes; if several numbers do, the nearest to the list's own.

    Parameters
    ----------
    score_at : callable
        Takes a number of units; returns their score, which rises with it.
    units : int
        Length of the list as it is.
    wanted : float
        The score.
    """
    here = score_at(units)
    if abs(here - wanted) <= SAME:
        return _Reached(units, units, units)
    if here > wanted:
        more = units
        while score_at(more - 1) > wanted + SAME:
            more -= 1
        return _between(more - 1, score_at(more - 1), score_at(more), wanted)
    more = units + 1
    while more <= MOST_TIMES * units:
        try:
            score = score_at(more)
        except TooLarge:  # so many can neither be solved nor rolled
            break
        if score >= wanted - SAME:
            return _between(more - 1, score_at(more - 1), score, wanted)
        more += 1
    return _Reached(math.inf, more - 1, math.inf)


def _between(below: int, low: float, high: float, wanted: float) -> _Reached:
    part = min(max((wanted - low) / (high - low), 0.0), 1.0)
    if part < SAME or part > 1 - SAME:
        whole = below + round(part)
        return _Reached(whole, whole, whole)
    return _Reached(below + part, below, below + 1)


def _lengthened(units: Sequence[Any], length: int) -> list[Any]:
    """Return a list of another length: its units in their order, again and again."""
    return [units[n % len(units)] for n in range(length)]
