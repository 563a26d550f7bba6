"""Battles as jobs in plain data, and as a table: many pairs of lists under many limits, policies and situations."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.cards import Cards
from aabalance.definitions.fields import POLICIES
from aabalance.definitions.lists import any_list
from aabalance.engine.sampling import Advance, wilson
from aabalance.errors import UsageError, check_kind, shown
from aabalance.game import Game, List, game_of
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job, Work
from aabalance.play.battle import BattleNumbers
from aabalance.play.result import First

Policies = str | tuple[str, str]
"""A policy for both sides, or one for each."""
Mode = str | tuple[str, int]
"""How a battle ends, by itself or with its turn limit."""
Limits = int | tuple[int, int] | None
"""An action limit for both sides, or one for each; or none, where the rules have none."""

TERMS = ("range_in", "situation", "mode", "policy_a", "policy_b")
CHANCES = ("p_a", "p_b", "p_draw")
COSTS = ("requisition_a", "requisition_b")
MEANS = ("value_a", "value_b", "loss_exchange_ratio", "requisition_exchange_ratio", "first_turn_gap")
"""Columns that say how a battle is fought, and how it ended, by the names that its result has for them."""


class Score(NamedTuple):
    """The score of a side in a battle, P(win) + P(draw) / 2, with its 95 % interval; all three are equal if exact."""

    score: float
    low: float
    high: float

    @classmethod
    def counted(cls, score: float, battles: int, claims: int = 1) -> Score:
        """Return the score in so many battles, with Wilson's interval, which holds together with those of `claims`."""
        return cls(score, *wilson(score * battles, battles, claims))

    def swapped(self) -> Score:
        """Return the score of the other side."""
        return Score(1 - self.score, 1 - self.high, 1 - self.low)


def score_of(result: BattleNumbers) -> Score:
    """Return the score of side a."""
    score = result.p_a + result.p_draw / 2
    if result.trials is None:
        return Score(score, score, score)
    return Score.counted(score, result.trials)


def battles(
    game: Game | str,
    pairs: Iterable[tuple[List, List]] | None = None,
    *,
    situations: Iterable[Mapping[str, Any]],
    actions: Iterable[Limits] = (None,),
    lists: Mapping[str, List] | None = None,
    policies: Iterable[Policies] = POLICIES,
    modes: Iterable[Mode] = ("annihilation",),
    first: First = "roll_off",
    simulate: int | None = None,
    target_error: float | None = None,
    seed: int = 0,
    advance: Advance = lambda steps: None,
) -> pd.DataFrame:
    """Return a table of battles: every pair of lists in every situation and mode, under every limit and policy.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    pairs : iterable of (list, list), optional
        Sides a and b: a list as `Game.battle` takes it, or its name in ``lists``. By default every one of them against
        every other.
    situations : iterable of mapping
        Of each what `Game.battle` is told: ``range_in``, ``facing`` and other fields.
    actions : iterable of int or pair of int, optional
        Action limits, of both sides or of each; needed in a game whose rules have one.
    lists : mapping of str to list, optional
        Lists by name.
    policies : iterable of str or pair of str
        Who acts on whom, on both sides or on each. By default two, each on both sides: compare them.
    modes : iterable of str or (str, int)
        How battles end; with its turn limit: ``("timed", 8)``.
    first : {"a", "b", "roll_off"}
        Who has the first turn.
    simulate, target_error, seed
        As for `Game.battle`, of each battle.
    advance : callable
        Called with the number of battles done since the last call.

    Returns
    -------
    DataFrame
        Columns as ``aabalance.columns`` declares them, rows in the order given. ``score_span`` says how much depends on
        the policy. ``n`` and the ends of intervals are left out if no battle was rolled.

    Raises
    ------
    UsageError
        What `Game.battle` refuses; or no pair, situation, limit, policy or mode.

    Examples
    --------
    >>> import aabalance as aab
    >>> met = [("de_tiger1,de_pz4h*2", "su_t34_85*2,us_m4a1")]
    >>> fought = aab.battles(aab.Game(), met, situations=[{"range_in": 18}], actions=[3, 5])
    >>> fought[["actions_a", "policy_a", "score_a", "score_span"]].round(3)
       actions_a policy_a  score_a  score_span
    0          3    value    0.895       0.466
    1          3    focus    0.429       0.466
    2          5    value    0.895       0.466
    3          5    focus    0.429       0.466
    """
    game = game_of(game)
    named = by_name(lists)
    met = pairs_of(pairs, named)
    at = several(situations, "situations")
    for one in at:
        check_kind("situations", one, Mapping, "fields of each: [{'range_in': 18}, ...]")
    endings = [mode if isinstance(mode, tuple) else (mode, None) for mode in several(modes, "modes")]
    limited = several(actions, "actions")
    chosen = [both(policy) for policy in several(policies, "policies")]
    told = {"first": first, "simulate": simulate, "target_error": target_error, "seed": seed}
    asked, same = [], []
    for pair in met:
        both_lists = [named.get(side, side) if isinstance(side, str) else side for side in pair]
        for situation, (mode, rounds), limits in itertools.product(at, endings, limited):
            for policy_a, policy_b in chosen:
                given = {"actions": limits, "mode": mode, "rounds": rounds, **told, **situation}
                given |= {"policy_a": policy_a, "policy_b": policy_b}
                asked.append(sides(game, both_lists[0], both_lists[1], given))
                same.append(pair)
    results = fought(game, asked, advance)
    rows = [{**terms_of(result, pair), **_ends(result)} for pair, result in zip(same, results, strict=True)]
    for first_row in range(0, len(rows), len(chosen)):
        alike = rows[first_row : first_row + len(chosen)]
        span = _span(alike)
        for row in alike:
            row |= span
    return tidy("battles", without_rolls(pd.DataFrame(rows)))


def _span(alike: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return by how much rows of a battle differ in score, at most, and an interval where some were rolled."""
    each = [row["score_a"] for row in alike]
    found = {"score_span": max(each) - min(each)}
    if len(alike) == 1 or not any(row["n"] for row in alike):
        return found
    ends = [(row["score_a_ci_low"], row["score_a_ci_high"]) if row["n"] else (row["score_a"],) * 2 for row in alike]
    apart = [(a[0] - b[1], a[1] - b[0]) for a, b in itertools.permutations(ends, 2)]
    low, high = (max(end) for end in zip(*apart, strict=True))
    return found | ends_of({"score_span": (max(low, 0.0), high)})


def both(given: str | tuple[str, str]) -> tuple[str, str]:
    """Return the policies of both sides; one alone is that of either."""
    return given if isinstance(given, tuple) else (given, given)


def terms_of(result: BattleNumbers, pair: tuple[List, List]) -> dict[str, Any]:
    """Return the columns that identify a battle, without those of the action limits.

    Parameters
    ----------
    result : BattleNumbers
        The result of the battle.
    pair : pair of list
        As the user gave them: a list's name stays, units are put in words.
    """
    names = [side if isinstance(side, str) else words for side, words in zip(pair, (result.a, result.b), strict=True)]
    rounds = math.inf if result.rounds is None else result.rounds
    return {"list_a": names[0], "list_b": names[1], "rounds": rounds, **{name: getattr(result, name) for name in TERMS}}


def by_name(lists: Mapping[str, List] | None) -> Mapping[str, List]:
    """Return the lists that a user gives by name, by default none; anything else is refused."""
    named = {} if lists is None else lists
    check_kind("lists", named, Mapping, "lists by name: {'tigers': 'de_tiger1*2', ...}")
    return named


def pairs_of(pairs: Any, lists: Mapping[str, List]) -> list[tuple[List, List]]:
    """Return the lists that meet: the pairs that a user gave, or each two of the named lists.

    Raises
    ------
    UsageError
        There are no pairs, or one is none.
    """
    if pairs is None:
        if len(lists) < 2:
            raise UsageError(f"lists: found {len(lists)}, expected two at least, or pairs=[(list, list), ...]")
        return list(itertools.combinations(lists, 2))
    met = several(pairs, "pairs")
    for pair in met:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise UsageError(f"pairs: found {shown(pair)}, expected pairs: [(list, list), ...]")
    return [(a, b) for a, b in met]


def several(given: Any, place: str) -> list[Any]:
    """Return the values that a table has rows for as a list.

    Parameters
    ----------
    given : iterable
        What the user gave.
    place : str
        What the user calls it, for the error text.

    Raises
    ------
    UsageError
        `given` is no list, or is empty.
    """
    each = [] if isinstance(given, str | Mapping) or not np.iterable(given) else list(given)
    each = [one.tolist() if hasattr(one, "tolist") else one for one in each]  # arrays have no single truth
    if not each:
        raise UsageError(f"{place}: found {shown(given)}, expected a list with one at least")
    return each


def each_once(given: Any, place: str) -> list[Any]:
    """Return the values that a table has rows for, of which means are taken: a repeated one would count as two.

    Parameters as for `several`.

    Raises
    ------
    UsageError
        `given` is no list, is empty, or repeats a value.
    """
    each = several(given, place)
    for at, one in enumerate(each):
        if one in each[:at]:
            raise UsageError(f"{place}: found {shown(one)} twice, expected each once")
    return each


def terms_once(given: Any, place: str) -> list[Any]:
    """Return terms of matches as `each_once` does; None, the game's own, can't stand among others: it may be one."""
    each = each_once(given, place)
    if len(each) > 1 and any(one is None for one in each):
        what, it = ("names", "is") if place == "missions" else ("numbers", "may be")
        own = f"none stands for the game's own, which {it} one of them"
        raise UsageError(f"{place}: found none among others, expected {what}: {own}")
    return each


def _ends(result: BattleNumbers) -> dict[str, Any]:
    """Return the columns that say how a battle ended."""
    score = score_of(result)
    return {
        **{name: getattr(result, name) for name in (*CHANCES, *MEANS, *COSTS, "engine", "solver")},
        **dict(zip(("actions_a", "actions_b"), result.actions, strict=True)),
        "score_a": score.score,
        "player_turns": math.inf if result.player_turns is None else result.player_turns,
        "n": result.trials or 0,
        **ends_of(
            {
                **{name: getattr(result, f"{name}_ci") for name in (*CHANCES, *MEANS, "player_turns")},
                "score_a": score[1:] if result.trials else None,
            }
        ),
    }


def ends_of(intervals: Mapping[str, tuple[float, ...] | None]) -> dict[str, float]:
    """Return the ends of intervals by the names of their columns; nan where there is none."""
    return {
        f"{name}_ci_{end}": at
        for name, interval in intervals.items()
        for end, at in zip(("low", "high"), interval or (math.nan,) * 2, strict=True)
    }


def without_rolls(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of battles, without the columns of rolled ones if none was rolled."""
    rolled = (table["engine"] == "monte_carlo").any()
    return table if rolled else table.drop(columns=table.filter(regex="^n$|_ci_").columns)


class BattleRules(NamedTuple):
    """The rules that battles are fought by."""

    game: str
    variant: Any

    @property
    def empty(self) -> Game:
        """The game with no cards of its own."""
        from aabalance import rulesets

        return Game(self.game, Cards(rulesets.load(self.game).Card, {}, {}), self.variant)


class Sides(NamedTuple):
    """Two lists that fight each other.

    Attributes
    ----------
    a, b : list
        Cards.
    given : dict
        All other arguments of `Game.battle`.
    more : tuple
        Further arguments of the job's work.
    """

    a: list[Any]
    b: list[Any]
    given: Mapping[str, Any]
    more: tuple[Any, ...] = ()


def sides(game: Game, list_a: Any, list_b: Any, given: Mapping[str, Any], *more: Any) -> Sides:
    """Return two lists in plain data.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    list_a, list_b : list or str
        As for `Game.battle`.
    given : mapping
        All other arguments of `Game.battle`.
    *more
        Further arguments of the job's work.

    Raises
    ------
    UsageError
        A list is wrong, or a unit unknown.
    """
    return Sides(_cards(game, list_a), _cards(game, list_b), given, more)


def _cards(game: Game, given: Any) -> list[Any]:
    return [game.card(unit) for unit in any_list(given, game.cards).units]


def job(work: Work, game: Game, rows: Sequence[Sides]) -> Job:
    """Return the job of a function over battles, each a task of its own.

    Parameters
    ----------
    work : callable
        As in `aabalance.jobs.job.Job`.
    game : Game
        The game: a ruleset with its cards and variant.
    rows : sequence of Sides
        The battles: two lists each.
    """
    return Job(work, BattleRules(game.ruleset.name, game.variant), rows, threaded=True)


def fought(game: Game, rows: Sequence[Sides], advance: Advance = lambda done: None) -> Iterator[BattleNumbers]:
    """Yield how battles end.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    rows : sequence of Sides
        The battles: two lists each.
    advance : callable
        Called with the number of battles done since the last call.
    """
    for result in from_json((job(fight, game, [row]) for row in rows), advance):
        values: dict[str, Any] = result
        values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
        yield BattleNumbers(**values)


def from_json(jobs: Iterable[Job], advance: Advance = lambda done: None) -> Iterator[Any]:
    """Yield the results of jobs of one column each, row by row, from JSON."""
    for found in sweeps.run(jobs, advance):
        yield from map(json.loads, found[:, 0])


def fight(rules: BattleRules, rows: Sequence[Sides], _: Any) -> list[bytes]:
    """Return the results of battles as JSON; see `aabalance.jobs.sweeps`."""
    results = []
    for row in rows:
        result = rules.empty.battle(row.a, row.b, **row.given)
        names = [one.name for one in fields(BattleNumbers) if one.name != "provenance"]
        results.append(in_json({name: getattr(result, name) for name in names}))
    return results


def in_json(value: Any) -> bytes:
    """Return a value as JSON, from which every number can be read back exactly."""
    return json.dumps(value).encode()
