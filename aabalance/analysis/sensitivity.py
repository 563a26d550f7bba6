"""What the open points of the rules change: the headline numbers under one reading after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.cost import cost_effectiveness
from aabalance.analysis.matchups import matchups, tidy
from aabalance.analysis.situations import Situations
from aabalance.game import Game


def readings(game: Game, switches: Mapping[str, Iterable[Any]]) -> Iterator[Game]:
    """Yield the game as it is, then with each alternative of each switch, one at a time."""
    yield game
    for name, values in switches.items():
        for value in values:
            yield Game(game.ruleset.name, game.cards, {**game.variant.model_dump(), name: value})


def headlines(
    game: Game,
    switches: Mapping[str, Iterable[Any]],
    situations: Situations | None = None,
    field: Iterable[str] | None = None,
    base: pd.DataFrame | None = None,
    advance: Callable[[int], None] = lambda steps: None,
) -> pd.DataFrame:
    """Return the headline numbers of a roster under each reading of the rules.

    Parameters
    ----------
    switches : mapping
        Alternatives by variant field.
    base : DataFrame, optional
        Matchups under the game's own variant, if they are at hand.
    advance : callable
        Called with the number of attackers done since the last call; there are ``len(game.cards)`` for each reading
        that `base` doesn't spare.

    Returns
    -------
    DataFrame
        A row a reading, the game's own first. Means are over pairs of the field and the situations' weights.
    """
    units = list(game.cards) if field is None else list(field)
    rows: list[dict[str, Any]] = []
    wins: pd.Series[float] | None = None
    ranks: pd.Series[float] | None = None
    for number, reading in enumerate(readings(game, switches)):
        found = base if number == 0 and base is not None else matchups(reading, situations, advance=advance)
        table = cost_effectiveness(found, units).set_index("unit")["rank"].astype(float)
        found = found[found["attacker"].isin(units) & found["target"].isin(units)]
        weight = found["weight"] / found["weight"].sum()
        wins = found["p_win"] if wins is None else wins
        ranks = table if ranks is None else ranks
        hurt = found["p_damage"] > 0
        turns = found.loc[hurt, "expected_turns_to_kill"]
        rows.append(
            {
                "reading": reading.reading,
                "share_impossible": float(weight[~hurt].sum()),
                "mean_p_damage": float((weight * found["p_damage"]).sum()),
                "median_turns_to_kill": _weighted_median(turns.to_numpy(), weight[hurt].to_numpy()),
                "share_draws": float((weight * found["p_draw"]).sum()),
                "first_turn_advantage": float((weight * (found["p_win_first"] - found["p_win_second"])).sum()),
                "mean_change_of_p_win": float((weight * (found["p_win"] - wins).abs()).sum()),
                "rank_correlation": _correlation(table.sort_index(), ranks.sort_index()),
            }
        )
    return tidy(pd.DataFrame(rows))


def _correlation(ranks: pd.Series[float], others: pd.Series[float]) -> float:
    return float(np.corrcoef(ranks, others)[0, 1]) if len(ranks) > 1 else np.nan


def _weighted_median(values: Any, weights: Any) -> float:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])
