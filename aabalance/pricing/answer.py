"""Is a unit worth its price? Its worth, its fire and endurance, its best and worst opponents, useful next points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.frames import ids_of, tidy
from aabalance.analysis.matchups import shots
from aabalance.analysis.selection import ALL, Chosen, chosen
from aabalance.game import Game, Unit
from aabalance.pricing.points import penetration_of, penetration_steps, toughness_steps
from aabalance.pricing.score import Roster
from aabalance.pricing.worth import roster_about, worth, worth_reasons

MOST = 5
"""Opponents that are named as the best, and as the worst."""
FEWER, MORE = 1, 4
"""Points of penetration that are tried, down and up."""


class Answer(NamedTuple):
    """The tables that say whether units are worth their price; each has rows for each unit.

    Attributes
    ----------
    worth, reasons : DataFrame
        From `aabalance.worth` and `aabalance.worth_reasons`.
    fire : DataFrame
        Table ``fire``: how quickly a unit destroys its opponents, and they destroy it.
    toughness, penetration : DataFrame
        From `aabalance.toughness_steps` and `aabalance.penetration_steps`: how much more toughness it needs to stand
        another hit of some guns, and how much more penetration to hurt some opponents more.
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
    """Return all tables that say whether units are worth their price.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card
        The units, by id or as cards.
    against : str, tuple of str or dict, default "all"
        Which opponents `reasons` may name: ids, or fields of their cards with the values that they may have, as in
        ``{"nation": "Germany"}``. The worth of units is always that against all.
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
    ids, among = ids_of(game, units, "units"), chosen(game, against)
    if roster is None:
        tuning, roster = roster_about(game, ids)
        floor = tuning.least if floor is None else floor
    return Answer(
        worth(game, ids, roster=roster, floor=floor, seed=seed),
        worth_reasons(game, ids, roster=roster, floor=floor, most=MOST, among=among),
        fire(game, ids, roster),
        toughness_steps(game, ids, roster=roster),
        pd.concat([_penetration(game, unit, roster) for unit in ids], ignore_index=True),
    )


def fire(game: Game, units: Iterable[Unit], roster: Roster) -> pd.DataFrame:
    """Return how many turns of fire units need to destroy their opponents, and these to destroy them.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card
        The units, by id or as cards.
    roster : Roster
        Their opponents. Only those count that can hurt the unit and that it can hurt.

    Returns
    -------
    DataFrame
        A row for each unit: the median, over its opponents, of the turns that one of them takes at the mean rate over
        the standard situations. nan for a unit without opponents.
    """
    ids = ids_of(game, units, "units")
    own_rates, their_rates = (
        _rates(shots(game, attackers=attackers, targets=targets))
        for attackers, targets in ((ids, roster.units), (roster.units, ids))
    )
    rows = []
    for unit in ids:
        met = [roster.units[at] for at in np.flatnonzero(roster.mutual[roster.place(unit)])]
        needs, lasts = (
            float(np.median([1 / rates[pair] for pair in pairs])) if met else np.nan
            for rates, pairs in ((own_rates, [(unit, one) for one in met]), (their_rates, [(one, unit) for one in met]))
        )
        rows.append({"unit": unit, "opponents": len(met), "turns_to_destroy": needs, "turns_it_lasts": lasts})
    return tidy("fire", rows)


def _rates(table: pd.DataFrame) -> dict[Any, float]:
    """Return kills per turn of holding, by attacker and target: the mean over the situations of a table of shots."""
    keys = [table["attacker"].astype(str), table["target"].astype(str)]
    mean = (table["weight"] / table["expected_turns_to_kill"]).groupby(keys).sum() / table["weight"].groupby(keys).sum()
    return dict(mean.items())


def _penetration(game: Game, unit: str, roster: Roster) -> pd.DataFrame:
    """Return what a little less or more penetration does, for the gun that the game's `Roster.increments` raises."""
    gun = penetration_of(game, unit)
    if gun is None:
        return tidy("penetration_steps", {})
    field, now = gun
    values = [now + by for by in range(-FEWER, MORE + 1) if now + by > 0]
    changes = {str(value): f"{field}={value}" for value in values}
    return penetration_steps(game, unit, changes, roster=roster)
