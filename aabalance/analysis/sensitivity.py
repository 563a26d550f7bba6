"""What the open points of the rules change: the same roster under one reading after another."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from aabalance import rulebook
from aabalance.analysis.cost import cost_effectiveness
from aabalance.analysis.matchups import ids_of, matchups, tidy
from aabalance.analysis.situations import Situations
from aabalance.errors import UsageError
from aabalance.game import Game, Unit


def alternatives(game: Game) -> dict[str, list[Any]]:
    """Return, by rule switch, the values that it can have besides the game's own."""
    schema = type(game.variant)
    return {
        name: [value for value in rulebook.values(schema, name) if value != getattr(game.variant, name)]
        for name in schema.model_fields
    }


def sensitivity(
    game: Game,
    situations: Situations | None = None,
    *,
    switches: Mapping[str, Iterable[Any]] | None = None,
    field: Iterable[Unit] | None = None,
    advance: Callable[[int], None] = lambda steps: None,
) -> pd.DataFrame:
    """Return how much hangs on each reading of the rules, the one that matters most first.

    Only switches that are read while the tables are made are tried out: the others can't change anything in these
    situations, and are listed as such.

    Parameters
    ----------
    situations : Situations, optional
        The game's standard situations by default; a switch for walls matters only where there are some.
    switches : mapping, optional
        Values to try by variant field; every other value of every switch by default.
    field : iterable of str or card, optional
        The units that meet, and that are ranked; all by default.
    advance : callable
        Called with the number of steps done since the last call: one for each unit, in the game's own reading and in
        each alternative.

    Returns
    -------
    DataFrame
        A row a reading, one switch changed at a time, after a row for the game's own. Means are over pairs of the field
        and the situations' weights.

    Raises
    ------
    UsageError
        Unknown units or none, unknown switches, or what isn't a list of values.
    """
    units = ids_of(game, field, "field")
    tried = _tried(game, switches)
    watched = copy.copy(game)
    watched.variant = watch = _Watched(game.variant)
    at = Situations.standard(game) if situations is None else situations
    selection: dict[str, Any] = {"attackers": units, "targets": units, "advance": advance}
    own = matchups(watched, at, **selection)
    ranking = cost_effectiveness(own, units)
    rows: list[dict[str, Any]] = []
    for name, values in tried.items():
        for value in values:
            found, table = own, ranking
            reading = game.with_(variant={name: value})
            if name in watch.read:
                found = matchups(reading, at, **selection)
                table = cost_effectiveness(found, units)
            else:
                advance(len(units))
            changes = _changes(found, own, table, ranking)
            rows.append({"reading": f"{name}={value}", **changes, **_headlines(found)})
    order = sorted(rows, key=lambda row: (-row["mean_change_of_p_win"], row["reading"]))
    first = {"reading": game.reading, **_changes(own, own, ranking, ranking), **_headlines(own)}
    return tidy("sensitivity", [first, *order])


def _tried(game: Game, switches: Any) -> Mapping[str, Iterable[Any]]:
    """Return the values to try by switch."""
    if switches is None:
        return alternatives(game)
    if not isinstance(switches, Mapping):
        raise UsageError(f"switches: found {switches!r}, expected a dict of values to try by switch")
    for name, values in switches.items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise UsageError(f"switches.{name}: found {values!r}, expected a list of values")
    return switches


class _Watched:
    """A variant that remembers which of its switches were read."""

    def __init__(self, variant: Any) -> None:
        self._variant = variant
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        fields = type(self._variant).model_fields
        if name in fields:
            self.read.add(name)
            return getattr(self._variant, name)
        made = inspect.getattr_static(type(self._variant), name, None)
        if isinstance(made, cached_property):
            return made.func(self)
        self.read.update(fields)  # something that reads we don't know what
        return getattr(self._variant, name)


def _changes(
    found: pd.DataFrame, own: pd.DataFrame, table: pd.DataFrame, ranking: pd.DataFrame
) -> dict[str, float | int]:
    change = (found["p_win"] - own["p_win"]).abs()
    ranks, others = (made.set_index("unit")["rank"].sort_index().astype(float) for made in (table, ranking))
    ratio, before = (made.set_index("unit")["requisition_exchange_ratio"].sort_index() for made in (table, ranking))
    rated = (ratio > 0) & (before > 0) & np.isfinite(ratio) & np.isfinite(before)
    factor = np.abs(np.log(ratio[rated] / before[rated])).mean() if rated.any() else 0.0
    return {
        "mean_change_of_p_win": float((found["weight"] * change).sum() / found["weight"].sum()),
        "largest_change_of_p_win": float(change.max()),
        "factor_on_exchange_ratio": float(np.exp(factor)),
        "rank_correlation": _correlation(ranks, others),
        "largest_change_of_rank": int((ranks - others).abs().max()),
    }


def headlines(found: pd.DataFrame, field: Iterable[str] | None = None) -> pd.DataFrame:
    """Return what matchups say about a roster as a whole, in one row; means over pairs of the field and weights."""
    units = list(dict.fromkeys(found["attacker"])) if field is None else list(field)
    inside = found["attacker"].isin(units) & found["target"].isin(units)
    return tidy("headlines", [_headlines(found[inside])])


def _headlines(found: pd.DataFrame) -> dict[str, float]:
    weight = found["weight"] / found["weight"].sum()
    hurt = found["p_damage"] > 0
    reached = ~found["out_of_reach"]
    turns = found.loc[hurt, "expected_turns_to_kill"]
    return {
        "share_impossible": float(weight[reached & ~hurt].sum() / weight[reached].sum()) if reached.any() else np.nan,
        "share_out_of_reach": float(weight[~reached].sum()),
        "mean_p_damage": float((weight * found["p_damage"]).sum()),
        "median_turns_to_kill": _weighted_median(turns.to_numpy(), weight[hurt].to_numpy()),
        "share_draws": float((weight * found["p_draw"]).sum()),
        "share_endless": float(weight[np.isinf(found["player_turns"])].sum()),
        "first_turn_advantage": float((weight * (found["p_win_first"] - found["p_win_second"])).sum()),
    }


def _correlation(ranks: pd.Series[float], others: pd.Series[float]) -> float:
    return float(np.corrcoef(ranks, others)[0, 1]) if len(ranks) > 1 else np.nan


def _weighted_median(values: Any, weights: Any) -> float:
    if len(values) == 0:
        return np.inf
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])
