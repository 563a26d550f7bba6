"""Tables of a roster: scores by pair and by group, which units others make superfluous, what each unit is for."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import pandas as pd

from aabalance.analysis.frames import ids_of, tidy
from aabalance.engine.arrays import Bools, Floats
from aabalance.errors import UsageError, shown
from aabalance.game import Game, Unit, game_of
from aabalance.pricing.roster import CLOSE, EVEN, Roster, roster_of


def roles(game: Game | str, among: Iterable[Unit] | None = None) -> pd.DataFrame:
    """Return what units are for, against the whole roster for equal requisition: a row for each.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    among : iterable of str or card, optional
        The units among which a player chooses; by default all.

    Returns
    -------
    DataFrame
        Units without a price have no score, and count neither as opponents nor as units that dominate.
        ``best_against`` is the number of opponents that it scores 0.5 against, and none of these more; ``dominated_by``
        names one that costs no more, scores as well against all, and better against some. ``attrs["gaps"]`` has the
        opponents that no other of these scores one half against.

    Raises
    ------
    UsageError
        A unit isn't in the roster, or no unit is.

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
    game = game_of(game)
    roster = Roster(game, about=None if among is None else ids_of(game, among, "among"))
    if not roster.units:
        raise UsageError("roster: found no unit that can make up a side by itself, expected one at least")
    at, known = [roster.index(unit) for unit in roster.about], roster.priced
    score = roster.scores(only=at).score
    others = known & known[:, None] & ~np.eye(len(known), dtype=bool)
    best = np.where(others, score, -np.inf)[at].max(axis=0)
    mean = np.array([one[met].mean() if met.any() else EVEN for one, met in zip(score, others, strict=True)])
    answers = others & (score >= best - CLOSE) & (score >= EVEN - CLOSE)
    rows = []
    for unit in at:
        dominating = [by for by in at if _dominates(roster, score, known, by, unit)]
        leader = max(dominating, key=lambda by: mean[by], default=None)
        rows.append(
            {
                "unit": roster.units[unit],
                "name": game.cards[roster.units[unit]].name,
                "requisition": roster.prices[unit] if known[unit] else np.nan,
                "score": mean[unit] if known[unit] else np.nan,
                "best_against": int(answers[unit].sum()),
                "dominated_by": "" if leader is None else roster.units[leader],
                "unseen": "; ".join(game.ruleset.roster.unseen(game.cards[roster.units[unit]])),
            }
        )
    table = tidy("roles", rows)
    table.attrs.update(game.provenance(units=list(roster.about)).said())
    table.attrs["gaps"] = [roster.units[other] for other in np.flatnonzero(known & (best < EVEN - CLOSE))]
    return table


def _dominates(roster: Roster, score: Floats, known: Bools, by: int, unit: int) -> bool:
    """Return whether one unit costs no more than another, scores as well against all, and better against some.

    Units without a price (not `known`) neither dominate nor are dominated; nobody scores against them.
    """
    if not known[by] or not known[unit] or roster.prices[by] > roster.prices[unit]:
        return False
    others = known.copy()
    others[[by, unit]] = False
    more = np.append(score[by, others] - score[unit, others], score[by, unit] - EVEN)
    return bool(more.min() >= -CLOSE and more.max() > CLOSE)


def score_table(roster: Roster) -> pd.DataFrame:
    """Return what each unit of a roster scores against each other, for equal requisition: a row for each two.

    ``mutual`` says whether both can hurt each other, so that the pair counts; ``solver`` how its battles were solved.
    """
    units, score = np.array(roster.units), roster.scores().score
    at, other = np.nonzero(~np.eye(len(units), dtype=bool))
    return tidy(
        "scores",
        {
            "unit": units[at],
            "opponent": units[other],
            "requisition": roster.prices[at],
            "opponent_requisition": roster.prices[other],
            "score": score[at, other],
            "mutual": roster.mutual[at, other],
            "solver": roster.solver[at, other],
        },
    )


def score_by(
    game: Game | str, by: str = "nation", *, roster: Roster | None = None, prices: Floats | None = None
) -> pd.DataFrame:
    """Return what groups of units score against each other: a row for each two groups, and for one among itself.

    Parameters
    ----------
    game : Game or str
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
        Means over the pairs that can hurt each other, nan without any; ``units`` and ``opponents`` count the groups.

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
    game = game_of(game)
    roster = roster_of(game, roster)
    cards = [game.cards[unit] for unit in roster.units]
    values = [
        game.ruleset.roster.category(card) if str(by) == "category" else getattr(card, str(by), None) for card in cards
    ]
    labels = ["" if value is None else str(value) for value in values]
    if not any(labels):
        raise UsageError(f"by: found {shown(by)}, expected a field of the cards, or 'category'")
    score, groups = roster.scores(prices).score, np.array(labels)
    known = roster.priced
    rows = []
    for group, other in product(sorted(set(labels)), repeat=2):
        own, met = known & (groups == group), known & (groups == other)
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


def dominated(game: Game | str, *, roster: Roster | None = None) -> pd.DataFrame:
    """Return units that another makes superfluous: it costs no more, scores as well against all, better against some.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    roster : Roster, optional
        The game's own by default.

    Returns
    -------
    DataFrame
        A row for each unit and each other that dominates it; the one with the largest mean score comes first. Of two
        units with equal scores neither dominates. ``unseen`` and ``by_unseen`` say what no battle here
        shows of the two, such as that the other hardly moves. All opponents count, even if only one of the two can hurt
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
    game = game_of(game)
    roster = roster_of(game, roster)
    score, known = roster.scores().score, roster.priced
    mean = (score[:, known].sum(axis=1) - EVEN) / max(known.sum() - 1, 1)
    rows, prices = [], roster.prices
    unseen = ["; ".join(game.ruleset.roster.unseen(game.cards[unit])) for unit in roster.units]
    fights = np.flatnonzero(roster.mutual.any(axis=1) & known).tolist()
    for at, by in product(fights, sorted(fights, key=lambda by: (-mean[by], by))):
        if _dominates(roster, score, known, by, at):
            rows.append(
                {
                    "unit": roster.units[at],
                    "by": roster.units[by],
                    "requisition": prices[at],
                    "by_requisition": prices[by],
                    "score": mean[at],
                    "by_score": mean[by],
                    "unseen": unseen[at],
                    "by_unseen": unseen[by],
                }
            )
    return tidy("dominated", rows)
