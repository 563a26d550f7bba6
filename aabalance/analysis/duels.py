"""A duel beyond its odds: when it ends, and what the winner has left; which of many lasts longest. Exact."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from aabalance import columns
from aabalance.analysis.matchups import tidy
from aabalance.engine.walk.moving import MovingDuel
from aabalance.errors import UsageError
from aabalance.game import Game, Unit

NEGLIGIBLE = 1e-9
MOST_ROUNDS = 4096
NEARLY_EQUAL = 1e-9


def turns_of_duel(
    game: Game,
    a: Unit,
    b: Unit,
    *,
    range_in: float,
    posture_a: str = "hold",
    posture_b: str = "hold",
    **situation: Any,
) -> pd.DataFrame:
    """Return the chance that a duel in which a moves first ends in each player turn.

    Parameters
    ----------
    a, b, range_in, posture_a, posture_b, **situation
        As for `Game.duel`.

    Returns
    -------
    DataFrame
        A row a player turn, odd ones a's, until all but a billionth of the duels that end have ended.

    Raises
    ------
    UsageError
        A game of conditions, or the posture ``optimal``, which needs a turn limit.
    """
    walk = _without_choice(game.walk(a, b, range_in=range_in, postures=(posture_a, posture_b), **situation))
    solved = walk.solve()
    ending = solved.p_a + solved.p_b
    rounds = 8
    while True:
        ends = walk.ending_turns(rounds)
        if ending - sum(ends) <= NEGLIGIBLE or rounds >= MOST_ROUNDS:
            break
        rounds *= 2
    table = pd.DataFrame({"player_turn": range(1, len(ends) + 1), "p_end": ends})
    table["p_ended"] = table["p_end"].cumsum()
    shown = int((ending - table["p_ended"] > NEGLIGIBLE).sum()) + 1
    return tidy("turns_of_duel", table.head(shown))


def survivors_of_duel(
    game: Game,
    a: Unit,
    b: Unit,
    *,
    range_in: float,
    posture_a: str = "hold",
    posture_b: str = "hold",
    **situation: Any,
) -> pd.DataFrame:
    """Return the chance that a duel to the end, in which a moves first, leaves a winner with so much toughness.

    Parameters
    ----------
    a, b, range_in, posture_a, posture_b, **situation
        As for `Game.duel`.

    Returns
    -------
    DataFrame
        A row for each winner and each amount that it may have left, the most first.

    Raises
    ------
    UsageError
        A game of conditions, or the posture ``optimal``, which needs a turn limit.
    """
    walk = _without_choice(game.walk(a, b, range_in=range_in, postures=(posture_a, posture_b), **situation))
    rows = [
        {"winner": side, "toughness_left": amount, "p_left": p}
        for side, chances in zip("ab", walk.toughness_left(), strict=True)
        for amount, p in reversed(list(enumerate(chances)))
        if p
    ]
    return tidy("survivors_of_duel", rows)


def _without_choice(walk: MovingDuel) -> MovingDuel:
    """Return a duel whose end doesn't depend on a turn limit, as best play does."""
    if walk.chooses:
        raise UsageError("posture: found optimal, which plays to a turn limit, expected hold, close:X or cautious:X")
    return walk


def longest_duel(matchups: pd.DataFrame, field: Iterable[str]) -> pd.DataFrame:
    """Return the duel that lasts longest on the mean, of those of the field that are sure to end.

    Parameters
    ----------
    matchups : DataFrame
        From `aabalance.analysis.matchups.matchups`.
    field : iterable of str
        Ids of the units that meet.

    Returns
    -------
    DataFrame
        One row: who meets, where, and ``player_turns``; the first of equals. None if no duel is sure to end.
    """
    units = list(field)
    ends = matchups["attacker"].isin(units) & matchups["target"].isin(units) & (matchups["weight"] > 0)
    ends &= np.isfinite(matchups["player_turns"])
    turns = matchups.loc[ends, "player_turns"]
    # Equal ones may differ in their last digits.
    longest = turns[turns >= turns.max() * (1 - NEARLY_EQUAL)].index[:1]
    shown = [name for name in columns.TABLES["longest_duel"].columns if name in matchups]
    return tidy("longest_duel", matchups.loc[longest, shown].reset_index(drop=True))
