"""Which of a few units is never worth taking: what the best lists score with it and without it, and whether battles for
equal points agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.battles import Score
from aabalance.analysis.frames import ids_of, with_ends
from aabalance.engine.battle.columns import SIDE_UNITS
from aabalance.game import Game, Unit, game_of
from aabalance.lists.advice import COUNTER
from aabalance.lists.allowance import POINTS, Allowance
from aabalance.lists.fields import Opponents, Say, against, check_given
from aabalance.lists.payoffs import Payoffs, score_against, scorer
from aabalance.lists.search import race, search
from aabalance.lists.verdicts import ABOUT_EVEN, Difference
from aabalance.play.result import points_with_interval

TRIED = 60
"""Random lists, and neighbours of the best one, that race for the place of the best list with a unit, or without it."""
RACE = ((64, 8), (448, 1))
"""The battles of each of these, and how many go on."""
CHOSEN, FRESH = 4096, 10_000
"""Battles of each list that is left: to choose the best ones, and to score these on other dice."""


def with_and_without(
    game: Game | str,
    among: Iterable[Unit],
    *,
    field: Opponents | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
) -> pd.DataFrame:
    """Return what the best lists of some units score with each of them, and without it: a row for each unit.

    Lists cost 300 points at most, under four actions a turn. They have no other units, of each as many as fit. It takes
    some 500,000 battles for ten units.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    among : iterable of str or card
        The units. Infantry, and what costs more than 300 points, has no row: such lists can't have it. Nor has a unit
        without another one.
    field : path, mapping of str to float, or sequence of lists, optional
        Opponents, as for `best_lists`.
    seed : int
        Seed of the dice.
    say : callable
        Called with a line of text if a field has to be made.

    Returns
    -------
    DataFrame
        ``list`` and ``score``: the best list found that has the unit; ``other_list`` and ``other_score``: the best
        without it; ``adds``: by how much the first scores more. Each of these numbers has a 95 % interval, such as from
        ``adds_low`` to ``adds_high``; those of ``adds`` hold together (Bonferroni).
        ``attrs["lists"]`` says what lists these are, or why there are none.

    Raises
    ------
    UsageError, CardError
        The game has no such battles, or a unit or a file has faults.

    Examples
    --------
    >>> import aabalance as aab
    >>> few = ["de_tiger1", "de_pz4h", "de_pak40"]
    >>> table = aab.with_and_without(aab.Game(), few, field=["su_t34_85*3"])
    >>> bool((table["adds_low"] <= table["adds"]).all())
    True
    """
    game = game_of(game)
    check_given(game, seed, field=field)
    payoffs = Payoffs(game)
    some = [payoffs.ids.index(unit) for unit in ids_of(game, among, "among") if unit in payoffs.ids]
    some = [at for at in some if payoffs.cost[at] <= POINTS]
    if len(some) < 2:
        table = payoffs.frame([])
        table.attrs["lists"] = f"Lists of {POINTS} points can have fewer than two of these units: none are compared."
        return table
    opponents = against(payoffs, POINTS, field=field, seed=seed, say=say)
    score, rng = scorer(payoffs, opponents.field, seed), np.random.default_rng(seed)
    own = {payoffs.ids[at]: SIDE_UNITS for at in some}
    pool = [one.units for one in search(score, Allowance(payoffs, own=own), rng, battles=COUNTER)]
    best = pool[0]
    for at in some:
        unit = payoffs.ids[at]
        legal = Allowance(payoffs, own=own | {unit: 0}) if at in best else Allowance(payoffs, own=own, must=[unit])
        begin = legal.like(best, rng)
        lists = [begin, *legal.of_one_kind(rng), *(legal.random(rng) for _ in range(TRIED))]
        better = race(score, [*lists, *legal.near(begin, rng, TRIED)], RACE)[0].units
        pool += [better, race(score, [better, *legal.near(better, rng, TRIED)], RACE)[0].units]
    ranked = [one.units for one in race(score, list(dict.fromkeys(pool)), ((CHOSEN, len(pool)),), COUNTER)]
    pairs = [[next(one for one in ranked if (at in one) is having) for having in (True, False)] for at in some]
    scores = {one: score_against(payoffs, one, opponents.field, seed + 1, FRESH) for pair in pairs for one in pair}
    rows = []
    for at, (one, other) in zip(some, pairs, strict=True):
        more = Difference.of(*(Score.counted(scores[of].score, FRESH, len(some)) for of in (one, other)))
        row = {"unit": payoffs.ids[at], "name": payoffs.cards[at].name, "list": payoffs.text(one)}
        row |= with_ends("score", scores[one]) | {"other_list": payoffs.text(other)}
        rows.append(row | with_ends("other_score", scores[other]) | with_ends("adds", more))
    table = payoffs.frame(rows)
    table.attrs["lists"] = f"Lists have only these units, cost {POINTS} points, and meet {opponents.words}."
    return table


def never_worth_taking(roles: Iterable[Mapping[Any, Any]], lists: Iterable[Mapping[Any, Any]]) -> str:
    """Return which units are never worth taking, by battles for equal points and by lists, in words.

    Parameters
    ----------
    roles : iterable of mapping
        Rows of `aabalance.roles`.
    lists : iterable of mapping
        Rows of `with_and_without`.
    """
    named: dict[tuple[bool, bool], list[str]] = defaultdict(list)
    rows = {row["unit"]: row for row in lists}
    for role in roles:
        by, row = role["dominated_by"], rows.get(role["unit"])
        adds = points_with_interval(row["adds"], (row["adds_low"], row["adds_high"])) if row else "in no such list"
        never = row is not None and row["adds_high"] < -ABOUT_EVEN
        named[bool(by), never].append(f"{role['name']} ({adds}{f'; {by} costs no more' if by else ''})")
    alone = {"battles for equal points": named[True, False], "lists": named[False, True]}
    apart = "".join(f" By {measure} alone: {', '.join(names)}." for measure, names in alone.items() if names)
    return (
        f"Never worth taking, by battles for equal points and by lists: {', '.join(named[True, True]) or 'none'}."
        f"{apart or ' The two measures agree.'} Points in 100 are the score of the best list found with a unit, "
        f"minus that of the best one without it; a unit that surely loses more than {100 * ABOUT_EVEN:.0f} is never "
        "worth taking."
    )
