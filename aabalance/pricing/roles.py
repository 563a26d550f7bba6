"""What each unit of a roster is for: whom it answers best, and which others make it superfluous."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from aabalance.analysis.frames import ids_of, tidy
from aabalance.game import Game, Unit
from aabalance.pricing.roster import CLOSE, EVEN, Roster


def roles(game: Game, among: Iterable[Unit] | None = None) -> pd.DataFrame:
    """Return what units are for, against the whole roster for equal requisition: a row for each.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    among : iterable of str or card, optional
        The units among which a player chooses; by default all.

    Returns
    -------
    DataFrame
        ``best_against`` is the number of opponents to which none of these is a better answer, ``dominated_by`` names
        one that costs no more and scores at least as well against everybody. ``attrs["gaps"]`` has the opponents that
        no other of these scores one half against.

    Raises
    ------
    UsageError
        A unit isn't in the roster.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> aab.roles(few)[["unit", "best_against", "dominated_by"]]
            unit  best_against dominated_by
    0    us_m4a1             0      de_pz4h
    1    de_pz4h             2
    2  su_t34_85             0
    3  de_tiger1             1
    """
    roster = Roster(game, about=None if among is None else ids_of(game, among, "among"))
    at = [roster.index(unit) for unit in roster.about]
    score = roster.scores(only=at).score[at]
    others = np.ones_like(score, dtype=bool)
    others[np.arange(len(at)), at] = False
    best = np.where(others, score, -np.inf).max(axis=0)
    answers = others & (score >= best - CLOSE) & (score >= EVEN - CLOSE)
    rows = []
    for row, unit in enumerate(at):
        dominating = [
            by
            for by in range(len(at))
            if by != row and roster.prices[at[by]] <= roster.prices[unit] and _dominates(score, at, by, row)
        ]
        leader = max(dominating, key=lambda by: float(score[by].mean()), default=None)
        rows.append(
            {
                "unit": roster.units[unit],
                "name": game.cards[roster.units[unit]].name,
                "requisition": roster.prices[unit],
                "score": float(score[row][others[row]].mean()) if others[row].any() else EVEN,
                "best_against": int(answers[row].sum()),
                "dominated_by": "" if leader is None else roster.units[at[leader]],
                "unseen": "; ".join(game.ruleset.roster.unseen(game.cards[roster.units[unit]])),
            }
        )
    table = tidy("roles", rows)
    table.attrs.update(game.provenance(units=list(roster.about)).said())
    table.attrs["gaps"] = [roster.units[other] for other in np.flatnonzero(best < EVEN - CLOSE)]
    return table


def _dominates(score: np.ndarray[tuple[int, ...], np.dtype[np.float64]], at: list[int], by: int, row: int) -> bool:
    """Return whether one unit scores at least as well as another against everybody, and more against somebody."""
    against = np.delete(np.arange(score.shape[1]), [at[by], at[row]])
    more = np.append(score[by][against] - score[row][against], score[by][at[row]] - EVEN)
    return bool(more.min() >= -CLOSE and more.max() > CLOSE)
