"""Which list to take, what a list is worth, and which of two is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from aabalance.analysis.battles import Score
from aabalance.definitions.collections import Limits
from aabalance.definitions.fields import MOST_REQUISITION
from aabalance.definitions.lists import no_units
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, listed, whole_number
from aabalance.game import Game, List, game_of
from aabalance.lists.allowance import POINTS, Allowance
from aabalance.lists.fields import Against, Opponents, Say, against, check_given
from aabalance.lists.kinds import weak_points
from aabalance.lists.on_board import on_board
from aabalance.lists.payoffs import ACTIONS, Field, Payoffs, Units, score_against, score_of, scorer
from aabalance.lists.search import BATTLES, LEAST_BATTLES, leave_one_out, race, search
from aabalance.lists.verdicts import Compared, Difference, Judged, Met
from aabalance.play.sample import MOST_TRIALS

FRESH = 20_000
EACH = 2_000
"""Battles against a single list of a field."""
COUNTER = 150_000
"""Battles of the search for what beats a list."""
MOST_RANDOM = 1_000_000
SWAPS = ((64, 12), (448, 3), (3584, 1))
"""Races of what may take the place of a unit: the battles of each list, and how many of the lists go on."""


def best_lists(
    game: Game | str,
    points: int = POINTS,
    *,
    actions: int = ACTIONS,
    policy: str = "value",
    nation: str | None = None,
    own: Mapping[str, int] | None = None,
    must: List = (),
    limits: Limits | Mapping[str, Any] | None = None,
    field: Opponents | None = None,
    counter: List | None = None,
    board: str | None = None,
    battles: int = BATTLES,
    seed: int = 0,
    say: Say = lambda text: None,
    advance: Advance = lambda battles: None,
) -> list[Judged]:
    """Return the best lists that a search finds, of different kinds; the search's own dice say which comes first.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    points : int
        The budget.
    actions : int
        Limit of actions of a side's turn.
    policy : {"value", "focus"}
        Who acts on whom, on both sides.
    nation, own, must, limits
        As for `aabalance.lists.allowance.Allowance`.
    field : path, mapping of str to float, or sequence of lists, optional
        Opponents: a file, weights by list, or lists of equal weight; by default the stated field of the game, or a new
        one for other budgets.
    counter : list, optional
        The only opponent.
    board : str, optional
        Name of a board on which the lists that are found play matches against the field, too.
    battles : int
        About how many battles the search takes; to judge what it finds takes more.
    seed : int
        Seed of the search's dice; scores are rolled with other dice.
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
    game = game_of(game)
    check_given(game, seed, [must, counter], field, board)
    whole_number("battles", battles, LEAST_BATTLES, MOST_TRIALS)
    payoffs = Payoffs(game, actions=actions, policy=policy, seed=seed)
    allowance = Allowance(payoffs, points, nation=nation, own=own, must=must, limits=limits)
    opponents = against(payoffs, points, field=field, counter=counter, seed=seed, say=say)
    score = scorer(payoffs, opponents.field, seed)
    found = search(score, allowance, np.random.default_rng(seed), battles=battles, advance=advance)
    # In the order of the search's dice: the best by scores that are told would be the luckiest of them.
    fresh = [_judged(payoffs, one.units, opponents, seed + 1) for one in found]
    fresh[0] = _explained(payoffs, fresh[0], opponents, seed + 1, allowance)
    return _played(payoffs, fresh, opponents, board, seed)


def judge_list(
    game: Game | str,
    units: List,
    points: int | None = None,
    *,
    actions: int = ACTIONS,
    policy: str = "value",
    field: Opponents | None = None,
    counter: List | None = None,
    board: str | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
    **allowed: Any,
) -> Judged:
    """Return what a list scores, against whom it is weak, what each unit adds, and what would be better.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    units : list
        The list, as `Game.battle` takes it: vehicles and guns.
    points : int, optional
        The budget that it was made for, by which its opponents are; by default what it costs.
    actions, policy, field, counter, board, seed, say
        As for `best_lists`.
    **allowed
        ``nation``, ``own``, ``must`` and ``limits``, as for `best_lists`: what swaps may bring in.

    Raises
    ------
    UsageError, CardError
        The list isn't one, costs more than its budget, or isn't allowed, or a file has faults.

    Examples
    --------
    >>> import aabalance as aab
    >>> judged = aab.judge_list(aab.Game(), "su_t34_85*2", counter="de_tiger1")
    >>> 0 < judged.score.low < judged.score.score < judged.score.high < 1
    True
    """
    game = game_of(game)
    check_given(game, seed, [units, counter, allowed.get("must")], field, board)
    payoffs = Payoffs(game, actions=actions, policy=policy, seed=seed)
    mine = payoffs.units(units)
    cost = payoffs.requisition(mine)
    budget = cost if points is None else whole_number("points", points, 1, MOST_REQUISITION)
    if budget < cost:
        raise UsageError(f"points: found {budget}, expected {cost} or more: so much the list costs")
    given = {name: one for name, one in allowed.items() if one is not None and not (name == "must" and no_units(one))}
    allowance = _within(payoffs, mine, budget, **given)
    if given and not allowance.legal(mine):
        raise UsageError(f"list: found more or less than {listed(list(given))} allow, expected a list within these")
    opponents = against(payoffs, budget, field=field, counter=counter, seed=seed, say=say)
    judged = _judged(payoffs, mine, opponents, seed)
    explained = _explained(payoffs, judged, opponents, seed, allowance)
    return _played(payoffs, [explained], opponents, board, seed)[0]


def compare_lists(
    game: Game | str,
    a: List,
    b: List,
    *,
    actions: int = ACTIONS,
    policy: str = "value",
    field: Opponents | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
) -> Compared:
    """Return what a list scores against another one, and both against a field.

    Parameters
    ----------
    game : Game or str
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
    game = game_of(game)
    check_given(game, seed, [a, b], field)
    payoffs = Payoffs(game, actions=actions, policy=policy, seed=seed)
    both = payoffs.units(a), payoffs.units(b)
    ends = payoffs.ends(both[:1], Field(both[1:], (1.0,)), FRESH, seed)[0, 0]
    points = max(map(payoffs.requisition, both))
    opponents = against(payoffs, points, field=field, seed=seed, say=say)
    mix = opponents.field
    met = payoffs.ends(both, mix, FRESH, seed + 1).sum(axis=2)
    first, second = (_score(one.sum(axis=0)) for one in met)
    claims = int(met[0].any(axis=1).sum())
    each = [
        Met(
            units,
            weight,
            _score(one),
            _score(other),
            Difference.of(_score(one, claims), _score(other, claims)).times(weight),
        )
        for units, weight, one, other in zip(mix.lists, mix.weights, *met, strict=True)
        if one.any()
    ]
    return Compared(
        payoffs,
        *both,
        _score(ends.sum(axis=0)),
        _score(ends[0]),
        _score(ends[1]),
        opponents.words,
        (first, second),
        tuple(sorted(each, key=lambda one: one.difference.change)),
        tuple(tuple(weak_points(payoffs, units, mix)) for units in both),
    )


def random_lists(
    game: Game | str,
    points: int = POINTS,
    number: int = 1,
    *,
    nation: str | None = None,
    own: Mapping[str, int] | None = None,
    must: List = (),
    limits: Limits | Mapping[str, Any] | None = None,
    seed: int = 0,
) -> list[str]:
    """Return legal lists, each filled at random until nothing more fits, as they are written on the command line.

    Parameters
    ----------
    game : Game or str
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
    game = game_of(game)
    check_given(game, seed, [must])
    number = whole_number("number", number, 0, MOST_RANDOM)
    payoffs = Payoffs(game)
    allowance = Allowance(payoffs, points, nation=nation, own=own, must=must, limits=limits)
    rng = np.random.default_rng(seed)
    return [payoffs.text(allowance.random(rng)) for _ in range(number)]


def _judged(payoffs: Payoffs, units: Units, opponents: Against, seed: int) -> Judged:
    """Return the scores of a list, without what takes searches."""
    field = opponents.field
    each = payoffs.ends([units], field, FRESH, seed)[0]
    ends = each.sum(axis=0)
    if len(field.lists) > 1:  # else its only opponent is the field
        evenly = Field(field.lists, (1.0,) * len(field.lists))
        each = payoffs.ends([units], evenly, EACH * len(field.lists), seed + 1)[0]
    met = sorted(zip(field.lists, (_score(one.sum(axis=0)) for one in each), strict=True), key=lambda one: one[1].score)
    gap = Difference.of(*map(_score, ends))
    return Judged(payoffs, units, opponents.words, _score(ends.sum(axis=0)), gap, tuple(met), {}, {}, None, ())


def _explained(payoffs: Payoffs, judged: Judged, opponents: Against, seed: int, allowance: Allowance) -> Judged:
    """Add what each unit adds, the best swap, what beats the list, and its weak points; `seed` is that of its score.

    What is found by the dice of one seed is told by those of the next: else it would be the luckiest, not the best.
    """
    units, field = judged.units, opponents.field
    rng = np.random.default_rng(seed)
    without = leave_one_out(units) if len(units) > 1 else {}
    left = {at: score_against(payoffs, one, field, seed, FRESH) for at, one in without.items()}
    adds = {at: Difference.of(judged.score, score) for at, score in left.items()}
    found = {at: allowance.instead(units, at, rng) for at in dict.fromkeys(units)}
    best = {at: race(scorer(payoffs, field, seed + 1), some, SWAPS)[0].units for at, some in found.items() if some}
    claims = max(len(best), 1)
    mine = Score.counted(judged.score.score, FRESH, claims)
    swaps = {
        at: (one, Difference.of(score_against(payoffs, one, field, seed + 2, FRESH, claims), mine))
        for at, one in best.items()
    }
    alone, no_dearer = Field((units,), (1.0,)), _within(payoffs, units, payoffs.requisition(units))
    answer = search(scorer(payoffs, alone, seed + 3), no_dearer, rng, battles=COUNTER)[0]
    beaten = answer.units, score_against(payoffs, answer.units, alone, seed + 4, FRESH).swapped()
    weak = tuple(weak_points(payoffs, units, field))
    return replace(judged, adds=adds, swaps=swaps, beaten_by=beaten, weak_points=weak)


def _within(payoffs: Payoffs, units: Units, budget: int, **allowed: Any) -> Allowance:
    """Return the lists within a budget; without ``limits`` they have no more units than a list if these are many."""
    limits = Limits(most_units=max(Limits().most_units, len(units)))
    return Allowance(payoffs, budget, **{"limits": limits, **allowed})


def _played(payoffs: Payoffs, judged: list[Judged], opponents: Against, board: str | None, seed: int) -> list[Judged]:
    """Add what lists score in matches, if a board is given."""
    if board is None:
        return judged
    found = on_board(payoffs, [one.units for one in judged], opponents.field, board, seed)
    return [replace(one, on_board=played) for one, played in zip(judged, found, strict=True)]


def _score(counts: Any, claims: int = 1) -> Score:
    """Return the score of counted battles, with its interval, which holds together with those of `claims`."""
    return Score.counted(float(score_of(counts)), int(counts.sum()), claims)
