"""Figures of a whole roster, and how much depends on the open points of the rules, one reading after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, nan
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.cost import cost_effectiveness
from aabalance.analysis.frames import ids_of, tidy
from aabalance.analysis.matchups import several
from aabalance.analysis.situations import Situations
from aabalance.cards.literals import as_option
from aabalance.definitions.settings import alternatives
from aabalance.engine.grid import NO_ROLL
from aabalance.engine.sampling import Advance
from aabalance.errors import check_kind, check_list
from aabalance.game import Game, Unit, game_of


def sensitivity(
    game: Game | str,
    situations: Situations | None = None,
    *,
    switches: Mapping[str, Iterable[Any]] | None = None,
    field: Iterable[Unit] | None = None,
    advance: Advance = lambda steps: None,
) -> pd.DataFrame:
    """Return how much each reading of the rules changes, the one that changes most first.

    A reading whose switch no pair reads isn't worked out, and is listed with a change of 0.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    situations : Situations, optional
        The game's standard situations by default; a switch for walls matters only in situations with walls.
    switches : mapping, optional
        Values to try by variant field; by default every value of every switch other than the game's own.
    field : iterable of str or card, optional
        The units that meet, and that are ranked; all by default.
    advance : callable
        Called with the number of steps done since the last call. A step is one unit in one reading, the game's own
        reading included.

    Returns
    -------
    DataFrame
        First a row for the game's own reading, then a row for each other reading, in which one switch is changed. Means
        are over the pairs of the field, weighted by situation. Its ``attrs`` have ``gains``: by reading that changes
        anything, and by unit, by how much its chance to win rises, a draw counting half, in the mean over its opponents
        and both sides of the duels.

    Raises
    ------
    UsageError
        The field is empty, a unit or a switch is unknown, or the values of a switch are no list.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "us_m4a3_75w", "de_stug3g", "de_pz4h"]))
    >>> changed = aab.sensitivity(few, switches={"resolution": ["two_dice", "sum"]})
    >>> changed[["reading", "mean_change_of_p_win", "largest_change_of_p_win"]].round(3)
                   reading  mean_change_of_p_win  largest_change_of_p_win
    0        default rules                 0.000                    0.000
    1       resolution=sum                 0.169                    0.737
    2  resolution=two_dice                 0.060                    0.638
    """
    game = game_of(game)
    units = ids_of(game, field, "field")
    tried = _tried(game, switches)
    readings = {(name, value): game.with_(variant={name: value}) for name, values in tried.items() for value in values}
    situations = Situations.standard(game) if situations is None else situations
    selection: dict[str, Any] = {"attackers": units, "targets": units, "advance": advance}
    [(own, read)] = several([game], situations, tracked=True, **selection)
    ranking = cost_effectiveness(own, units)
    differ = [reading for (name, _), reading in readings.items() if name in read]
    tables = several(differ, situations, **selection) if differ else iter(())
    rows: list[dict[str, Any]] = []
    gains: dict[str, dict[str, float]] = {}
    for name, value in readings:
        changed, changed_ranking = own, ranking
        if name in read:
            changed, _ = next(tables)
            changed_ranking = cost_effectiveness(changed, units)
            gains[as_option(name, value)] = _gains(changed, own, units)
        else:
            advance(len(units))
        changes = _changes(changed, own, changed_ranking, ranking)
        rows.append({"reading": as_option(name, value), **changes, **_headlines(changed)})
    order = sorted(rows, key=lambda row: (-row["mean_change_of_p_win"], row["reading"]))
    first = {"reading": game.reading, **_changes(own, own, ranking, ranking), **_headlines(own)}
    table = tidy("sensitivity", [first, *order])
    table.attrs = {"gains": {reading: of for reading, of in gains.items() if any(of.values())}}
    return table


def _gains(changed: pd.DataFrame, own: pd.DataFrame, units: list[str]) -> dict[str, float]:
    """Return by how much the chance to win of each unit rises, as attacker and as target."""

    def scores(table: pd.DataFrame) -> Any:
        score = (table["p_win"] + table["p_draw"] / 2) * table["weight"]
        return score.to_numpy().reshape(len(units), len(units), -1).sum(axis=2)

    rise = scores(changed) - scores(own)
    return dict(zip(units, ((rise.mean(axis=1) - rise.mean(axis=0)) / 2).tolist(), strict=True))


def _tried(game: Game, switches: Mapping[str, Iterable[Any]] | None) -> Mapping[str, Iterable[Any]]:
    """Return the values to try by switch."""
    if switches is None:
        return alternatives(game.variant)
    check_kind("switches", switches, Mapping, "a dict of values to try by switch")
    for name, values in switches.items():
        check_list(f"switches.{name}", values, "a list of values")
    return switches


def _changes(
    changed: pd.DataFrame, own: pd.DataFrame, changed_ranking: pd.DataFrame, ranking: pd.DataFrame
) -> dict[str, float | int]:
    change = (changed["p_win"] - own["p_win"]).abs()
    both = changed_ranking.merge(ranking, on="unit", suffixes=("", "_before"), sort=True)
    ranks, others = both["rank"].astype(float), both["rank_before"].astype(float)
    ratio, before = both["requisition_exchange_ratio"], both["requisition_exchange_ratio_before"]
    rated = (ratio > 0) & (before > 0) & np.isfinite(ratio) & np.isfinite(before)
    factor = np.abs(np.log(ratio[rated] / before[rated])).mean() if rated.any() else 0.0
    return {
        "mean_change_of_p_win": float((changed["weight"] * change).sum() / changed["weight"].sum()),
        "largest_change_of_p_win": float(change.max()),
        "factor_on_exchange_ratio": float(np.exp(factor)),
        "rank_correlation": float(np.corrcoef(ranks, others)[0, 1]) if len(ranks) > 1 else np.nan,
        "largest_change_of_rank": int((ranks - others).abs().max()),
    }


def headlines(table: pd.DataFrame, field: Iterable[str] | None = None) -> pd.DataFrame:
    """Return one row of figures for a whole roster: means over the pairs of the field, weighted by situation.

    Parameters
    ----------
    table : DataFrame
        From `aabalance.analysis.matchups.matchups`.
    field : iterable of str, optional
        Ids of the units that count; by default every attacker in `table`.
    """
    units = list(dict.fromkeys(table["attacker"])) if field is None else list(field)
    inside = table["attacker"].isin(units) & table["target"].isin(units)
    return tidy("headlines", [_headlines(table[inside])])


def _headlines(table: pd.DataFrame) -> dict[str, float]:
    weight = table["weight"] / table["weight"].sum()
    hurt = _hurts(table)
    reached = ~table["out_of_reach"]
    turns = table.loc[hurt, "expected_turns_to_kill"]
    return {
        "share_impossible": float(weight[reached & ~hurt].sum() / weight[reached].sum()) if reached.any() else np.nan,
        "share_out_of_reach": float(weight[~reached].sum()),
        "mean_p_damage": float((weight * table["p_damage"]).sum()),
        "median_turns_to_kill": _weighted_median(turns.to_numpy(), weight[hurt].to_numpy()),
        "share_draws": float((weight * table["p_draw"]).sum()),
        "share_endless": float(weight[np.isinf(table["player_turns"])].sum()),
        "first_turn_gap": float((weight * table["first_turn_gap"]).sum()),
    }


def _hurts(table: pd.DataFrame) -> Any:
    """Return whether any attack has an effect: an accurate shot and what a turn prepares count, too."""
    return (table["expected_damage_per_action"] > 0) | np.isfinite(table["expected_turns_to_kill"])


def _weighted_median(values: Any, weights: Any) -> float:
    if len(values) == 0:
        return np.inf
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])


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
        possible = _hurts(own)
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
