"""Is a unit worth its price? What answers it: worth, attack and endurance, whom it meets well, useful next points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.matchups import ids_of, shots, tidy
from aabalance.analysis.selection import ALL, Chosen, chosen
from aabalance.analysis.tuning.points import penetration_steps, toughness_steps
from aabalance.analysis.tuning.score import Roster
from aabalance.analysis.tuning.worth import roster_about, worth, worth_reasons
from aabalance.game import Game, Unit

PENETRATION = "penetration"
MOST = 5
"""Opponents that are named each way."""
FEWER, MORE = 1, 4
"""Points of penetration that are tried, down and up."""


class Answer(NamedTuple):
    """What says whether units are worth their price; a frame each, with rows for each unit.

    Attributes
    ----------
    worth, reasons : DataFrame
        From `aabalance.worth` and `aabalance.worth_reasons`.
    fire : DataFrame
        Table ``fire``: how quickly it destroys its opponents, and they it.
    toughness, penetration : DataFrame
        From `aabalance.toughness_steps` and `aabalance.penetration_steps`: with how much more it takes another hit of
        some guns, or hurts some opponents more.
    """

    worth: pd.DataFrame
    reasons: pd.DataFrame
    fire: pd.DataFrame
    toughness: pd.DataFrame
    penetration: pd.DataFrame


def worth_explained(
    game: Game,
    units: Iterable[Unit],
    *,
    against: Chosen = ALL,
    roster: Roster | None = None,
    floor: float | None = None,
    seed: int = 0,
) -> Answer:
    """Return all that says whether units are worth their price.

    Parameters
    ----------
    game : Game
    units : iterable of str or card
    against : str, tuple of str or dict, default "all"
        Which opponents `reasons` may name: ids, or fields of their cards with the values that they may have, as in
        ``{"nation": "Germany"}``. What units are worth stays that against all.
    roster, floor, seed
        As for `aabalance.worth`.

    Raises
    ------
    UsageError
        A unit isn't in the roster, or no card is as `against` says.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> aab.worth_explained(few, ["us_m4a1"]).fire.round(2)
          unit  opponents  turns_to_destroy  turns_it_lasts
    0  us_m4a1          3             10.86            4.34
    """
    asked, among = ids_of(game, units, "units"), chosen(game, against)
    if roster is None:
        held, roster = roster_about(game, asked)
        floor = held.least if floor is None else floor
    return Answer(
        worth(game, asked, roster=roster, floor=floor, seed=seed),
        worth_reasons(game, asked, roster=roster, floor=floor, most=MOST, among=among),
        fire(game, asked, roster),
        toughness_steps(game, asked, roster=roster),
        pd.concat([_penetration(game, unit) for unit in asked], ignore_index=True),
    )


def fire(game: Game, units: Iterable[Unit], roster: Roster) -> pd.DataFrame:
    """Return how many turns of fire units need to destroy their opponents, and these to destroy them.

    Parameters
    ----------
    game : Game
    units : iterable of str or card
    roster : Roster
        Whom they meet. Only those count that can hurt the unit and that it can hurt.

    Returns
    -------
    DataFrame
        A row for each unit; medians over its opponents, of each of whom the mean rate over the standard situations
        counts. nan for a unit without any.
    """
    chosen = ids_of(game, units, "units")
    of_them, at_them = (
        _rates(shots(game, attackers=some, targets=others))
        for some, others in ((chosen, roster.units), (roster.units, chosen))
    )
    rows = []
    for unit in chosen:
        met = [roster.units[at] for at in np.flatnonzero(roster.mutual[roster.place(unit)])]
        needs, lasts = (
            float(np.median([1 / rate[pair] for pair in pairs])) if met else np.nan
            for rate, pairs in ((of_them, [(unit, one) for one in met]), (at_them, [(one, unit) for one in met]))
        )
        rows.append({"unit": unit, "opponents": len(met), "turns_to_destroy": needs, "turns_it_lasts": lasts})
    return tidy("fire", rows)


def _rates(table: pd.DataFrame) -> dict[Any, float]:
    """Return the mean over the situations of how much of a kill a turn of holding is, by attacker and target."""
    keys = [table["attacker"].astype(str), table["target"].astype(str)]
    mean = (table["weight"] / table["expected_turns_to_kill"]).groupby(keys).sum() / table["weight"].groupby(keys).sum()
    return dict(mean.items())


def _penetration(game: Game, unit: str) -> pd.DataFrame:
    """Return what a little less and more penetration does, of the gun whose point the game says is worth asking for."""
    card = game.cards[unit]
    changes: dict[str, str] = {}
    for change in game.ruleset.one_more(card).values():
        field, _, value = change.partition("=")
        if field.endswith(f".{PENETRATION}"):
            now = int(value) - 1
            changes = {str(now + by): f"{field}={now + by}" for by in range(-FEWER, MORE + 1) if now + by > 0}
    return penetration_steps(game, unit, changes) if changes else tidy("penetration_steps", {})
