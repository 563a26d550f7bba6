"""Scores of groups of units, such as nations; and units that others make superfluous."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.pricing.score import EVEN, Roster

CLOSE = 1e-12
"""Difference of two scores up to which it is rounding."""


def score_by(game: Game, by: str = "nation", *, roster: Roster | None = None, prices: Any = None) -> pd.DataFrame:
    """Return what groups of units score against each other: a row for each two groups, and for one among itself.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    by : str
        A field of the cards, ``nation`` or ``year``; or ``category``, the kind of unit.
    roster : Roster, optional
        The game's own by default.
    prices : array of float, optional
        By default those on the cards.

    Returns
    -------
    DataFrame
        Means over the pairs that can hurt each other, each alike; nan where there is none. ``units`` and ``opponents``
        are those of the groups.

    Raises
    ------
    UsageError
        No card has such a field.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> aab.score_by(few, "nation")[["group", "opponent_group", "score"]].round(2).head(3)
         group opponent_group  score
    0  Germany        Germany   0.50
    1  Germany            USA   0.81
    2  Germany           USSR   0.53
    """
    roster = Roster(game) if roster is None else roster
    cards = [game.cards[unit] for unit in roster.units]
    if by == "category":
        labels = [game.ruleset.roster.category(card) for card in cards]
    else:
        labels = ["" if getattr(card, by, None) is None else str(getattr(card, by)) for card in cards]
    if not any(labels):
        raise UsageError(f"by: found {by!r}, expected a field of the cards, or 'category'")
    score, groups = roster.scores(prices).score, np.array(labels)
    rows = []
    for group, other in product(sorted(set(labels)), repeat=2):
        own, met = groups == group, groups == other
        pairs = roster.mutual & own[:, None] & met
        rows.append(
            {
                "group": group,
                "opponent_group": other,
                "units": int(own.sum()),
                "opponents": int(met.sum()),
                "pairs": int(pairs.sum()),
                "score": float(score[pairs].mean()) if pairs.any() else np.nan,
            }
        )
    return tidy("score_by", rows)


def dominated(game: Game, *, roster: Roster | None = None) -> pd.DataFrame:
    """Return units that another makes superfluous: it costs no more, and scores at least as well against everybody.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    roster : Roster, optional
        The game's own by default.

    Returns
    -------
    DataFrame
        A row for each unit and each other that dominates it; the one with the largest mean score comes first. Of two
        units with equal scores and prices neither dominates. All opponents count, even if only one of the two can hurt
        the other. Units without an opponent that can hurt them and that they can hurt are left out.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> aab.dominated(few)[["unit", "by", "score", "by_score"]].round(2)
          unit       by  score  by_score
    0  us_m4a1  de_pz4h   0.23      0.64
    """
    roster = Roster(game) if roster is None else roster
    score = roster.scores().score
    mean = (score.sum(axis=1) - EVEN) / max(len(score) - 1, 1)
    rows = []
    fights = np.flatnonzero(roster.mutual.any(axis=1)).tolist()
    for at, by in product(fights, repeat=2):
        others = np.ones(len(score), dtype=bool)
        others[[at, by]] = False
        more = score[by][others] - score[at][others]
        cheaper = roster.prices[by] < roster.prices[at]
        if at == by or roster.prices[by] > roster.prices[at] or not others.any() or more.min() < -CLOSE:
            continue
        # Against each other, a dominating unit isn't behind either.
        if score[by, at] < EVEN - CLOSE or not (cheaper or more.max() > CLOSE or score[by, at] > EVEN + CLOSE):
            continue
        rows.append((at, -mean[by], by))
    return tidy(
        "dominated",
        [
            {
                "unit": roster.units[at],
                "by": roster.units[by],
                "requisition": roster.prices[at],
                "by_requisition": roster.prices[by],
                "score": mean[at],
                "by_score": mean[by],
            }
            for at, _, by in sorted(rows)
        ],
    )
