"""Pairs of units: means over the situations, how often the dearer unit wins, and kills by range."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.definitions.fields import RANGES, WITHIN_TURNS
from aabalance.engine import fights
from aabalance.game import Game, Unit
from aabalance.play.result import FACES, words

MEANS = ["p_damage", "expected_damage_per_action", "p_kill_turn"]
CHANCES = ["p_win", "p_draw", "p_loss"]

ONE_SIDED = 0.9


def pairs(matchups: pd.DataFrame) -> pd.DataFrame:
    """Return one row per ordered pair: weighted means over the situations, and the faces that are shown in them.

    ``expected_turns_to_kill`` is the inverse of the mean rate, so that one hopeless situation doesn't make it infinite.

    Parameters
    ----------
    matchups : DataFrame
        From `aabalance.analysis.matchups.matchups`.
    """
    rates = matchups.assign(rate=1 / matchups["expected_turns_to_kill"])
    means = _means(rates, [*MEANS, "rate", *CHANCES])
    with np.errstate(divide="ignore"):
        turns = 1 / means.pop("rate").to_numpy()
    faces = {name: "/".join(matchups[name].unique()) for name in FACES if name in matchups}
    return tidy("pairs", means.assign(expected_turns_to_kill=turns, **faces))


def chances(matchups: pd.DataFrame) -> pd.DataFrame:
    """Return one row per ordered pair: the mean chances to win and to draw, weighted by situation.

    Parameters
    ----------
    matchups : DataFrame
        From `aabalance.analysis.matchups.matchups`.
    """
    return tidy("chances", _means(matchups.astype({"attacker": str, "target": str}), ["p_win", "p_draw"]))


def _means(matchups: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Return the means of columns over the situations, by their weights: a row for each ordered pair."""
    keys, weight = [matchups["attacker"], matchups["target"]], matchups["weight"]
    sums = matchups[names].mul(weight, axis=0).groupby(keys, observed=True, sort=False).sum()
    return sums.div(weight.groupby(keys, observed=True, sort=False).sum(), axis=0).reset_index()


def price_and_victory(game: Game, table: pd.DataFrame, field: Iterable[str]) -> pd.DataFrame:
    """Return, in one row, how often the dearer of two units of the field wins, and how many pairs are one-sided.

    A pair is one-sided if one unit wins at least the share `ONE_SIDED` of the duels that don't end in a draw.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    table : DataFrame
        From `pairs`.
    field : iterable of str
        Ids of the units that count.
    """
    units = list(field)
    price = {i: game.ruleset.cost(game.cards[i]) for i in units}
    met = table[table["attacker"].isin(units) & table["target"].isin(units)]
    a, b = met["attacker"].astype(str), met["target"].astype(str)
    dearer = np.sign((a.map(price) - b.map(price)).to_numpy())
    won = np.where(dearer > 0, met["p_win"], met["p_loss"])[dearer != 0]
    lost = np.where(dearer > 0, met["p_loss"], met["p_win"])[dearer != 0]
    others = met[(a != b).to_numpy()]
    one_sided = decided(others) >= ONE_SIDED
    return tidy(
        "price_and_victory",
        {
            "p_dearer_wins": [float(won.mean()) if len(won) else np.nan],
            "p_cheaper_wins": [float(lost.mean()) if len(lost) else np.nan],
            "share_one_sided": [float(one_sided.mean())],
        },
    )


def decided(pairs: pd.DataFrame) -> pd.Series[float]:
    """Return, by row of `pairs`, the better side's share of the duels that somebody wins; 0 where nobody ever wins."""
    chances = pairs[["p_win", "p_loss"]]
    return (chances.max(axis=1) / chances.sum(axis=1)).fillna(0.0)


def kill_curves(
    game: Game,
    versus: Iterable[Sequence[Unit]],
    ranges: Iterable[float] = RANGES,
    turns: int = WITHIN_TURNS,
    **situation: Any,
) -> pd.DataFrame:
    """Return, by range, the chance that a unit which holds destroys another within some turns.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    versus : iterable of (str, str)
        Pairs of attacker and target, as ids or cards.
    ranges : iterable of float
        Distances in inches, or in whatever the game counts.
    turns : int
        Number of the attacker's turns.
    **situation
        Fields of the game's `Moment` other than the range; in games with conditions of its `Situation`, as turns begin
        there without what holds for one attack.
    """
    ruleset = game.ruleset
    tables = fights.tables(ruleset.fight)
    if fights.conditions(ruleset.fight):
        game.situation(**situation)  # refuses fields of one attack
    rows: list[dict[str, Any]] = []
    plans, toughness = [], []
    for attacker, target in versus:
        a, t = game.card(attacker), game.card(target)
        moments = [game.moment(range_in=range_in, **situation) for range_in in ranges]
        # Neither half of an attack reads the range.
        offence, defence = ruleset.offence(a, moments[0], game.variant), ruleset.defence(t, moments[0], game.variant)
        for moment in moments:
            plans.append(tables.pack(ruleset.survey(offence, defence, moment.range_in, game.variant))[0])
            toughness.append(ruleset.toughness(t))
            rows.append({"attacker": a.id, "target": t.id, "range_in": moment.range_in, "situation": words(moment)})
    within = tables.kills(np.array(plans), np.array(toughness), (turns,))[:, 1]
    return tidy("kill_probability", pd.DataFrame(rows).assign(turns=turns, p_kill_within=within))
