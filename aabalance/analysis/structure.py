"""The structure of a roster: how many pairs are hopeless, certain or in between, and how long kills take."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, nan

import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.engine.grid import NO_ROLL
from aabalance.game import Game


def shares_by_need(game: Game, matchups: pd.DataFrame, field: Iterable[str]) -> pd.DataFrame:
    """Return, for each facing, the share of pairs by the roll that the best attack needs at the shortest range.

    At that range the distance adds nothing to the need, so the need shows the armour alone. Attackers that can hurt
    nobody in the field are left out. The table is empty for games without facings, or in which no single roll decides.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    matchups : DataFrame
        From `aabalance.analysis.matchups.shots` or ``matchups``.
    field : iterable of str
        Ids of the units that count.
    """
    units = list(field)
    near = matchups[matchups["range_in"] == matchups["range_in"].min()]
    near = near[near["attacker"].isin(units) & near["target"].isin(units)]
    armed = near.groupby("attacker", observed=True)["p_damage"].max()
    near = near[near["attacker"].isin(armed.index[armed > 0]) & (near["need"] != NO_ROLL)]
    rows = []
    for facing, group in near.groupby("facing", observed=True, sort=False) if "facing" in near else ():
        shares = group["need"].value_counts(normalize=True)
        for need in range(1, game.ruleset.die + 2):
            rows.append({"facing": str(facing), "need": need, "share_of_pairs": float(shares.get(need, 0.0))})
    return tidy("structure", rows)


def turns_to_kill(game: Game, matchups: pd.DataFrame, field: Iterable[str]) -> pd.DataFrame:
    """Return the median turns to kill by class of gun, over the pairs and situations in which a kill is possible.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    matchups : DataFrame
        From `aabalance.analysis.matchups.shots` or ``matchups``.
    field : iterable of str
        Ids of the units that count.
    """
    units = list(field)
    met = matchups[matchups["attacker"].isin(units) & matchups["target"].isin(units)]
    classes = {i: game.ruleset.roster.gun_class(game.cards[i]) for i in units}
    group = met["attacker"].astype(str).map(classes)
    rows = []
    for name in [name for name in game.ruleset.roster.gun_classes if name in classes.values()]:
        own = met[group == name]
        possible = own["p_damage"] > 0
        reached = ~own["out_of_reach"]
        rows.append(
            {
                "gun_class": name,
                "units": sum(1 for value in classes.values() if value == name),
                "share_impossible": float(1 - possible[reached].mean()) if any(reached) else nan,
                "share_out_of_reach": float(1 - reached.mean()),
                "median_turns_to_kill": float(own.loc[possible, "expected_turns_to_kill"].median())
                if any(possible)
                else inf,
            }
        )
    return tidy("turns_to_kill", rows)
