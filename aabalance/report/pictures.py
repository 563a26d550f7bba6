"""The pictures of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any

import pandas as pd

from aabalance.analysis import cost
from aabalance.game import Game
from aabalance.report import labels, summary
from aabalance.report.analyse import Results
from aabalance.report.plots import canvas, costs, economy, heatmap, kills, prices, readings
from aabalance.rulesets.base.words import Length


def pictures(
    game: Game, field: list[str], results: Results, titles: Mapping[str, str], worker: Executor
) -> dict[str, bytes]:
    """Return all pictures by name, as PNG.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    field : list of str
        Ids of the units of the field.
    results : Results
        The results of the analysis.
    titles : mapping of str to str
        By picture.
    worker : Executor
        Draws every other one, from `aabalance.jobs.sweeps.background`.
    """
    currency, length = game.ruleset.labels.currency, game.ruleset.labels.length
    source = source_of(game)
    curves, names = results.kill_probability, labels.names_of(game)
    means = f"Means over the standard situations.\n{source}"
    calls: dict[str, tuple[Any, ...]] = {
        "kill_probability": (_kill_panels, curves, names, source, length),
        "matchup_heatmap": (
            _matchup_heatmap,
            results.pairs,
            cost.costs(game)[field],
            currency,
            names,
            (titles["matchup_heatmap"], means),
        ),
    }
    if "cost_effectiveness" in titles:
        ratios = results.cost_effectiveness
        calls["cost_effectiveness"] = _cost_effectiveness, ratios, currency, (titles["cost_effectiveness"], source)
    calls["sensitivity"] = _sensitivity, results.sensitivity, (titles["sensitivity"], source)
    if len(results.actions):
        bands = (
            "Bands: the whole units that one action more is worth, under any of the policies; no mark: more than could"
        )
        how = source_of(game, "Exact, or rolled where the table says so" if results.rolled else "Exact")
        terms = f"{summary.terms_of_battles(game, results)}. {bands} be fought.\n{how}"
        calls["actions"] = _actions, results.actions, titles["actions"], terms, currency
    if "worth" in titles:
        calls["worth"] = _worth, results.worth, currency, (titles["worth"], source)
    rc = canvas.settings()
    there = {name: worker.submit(drawn, rc, *calls[name]) for name in list(calls)[1::2]}
    here = {name: drawn(rc, *call) for name, call in calls.items() if name not in there}
    return {name: here[name] if name in here else there[name].result() for name in calls}


def source_of(game: Game, how: str = "Exact") -> str:
    """Return what stands below a picture: the game, its reading and cards, and how the numbers were found."""
    return f"{game.ruleset.labels.title}, {game.reading}, cards {game.cards.hash}. {how}. {game.ruleset.labels.caveat}"


def drawn(settings: Mapping[str, Any], draw: Callable[..., bytes], *given: Any) -> bytes:
    """Return a picture under matplotlib's settings of the process that asks for it.

    Parameters
    ----------
    settings : mapping
        From `aabalance.report.plots.canvas.settings`.
    draw : callable
        Returns the picture as PNG.
    *given
        What it is called with.
    """
    with canvas.under(settings):
        return draw(*given)


def _kill_panels(curves: pd.DataFrame, names: dict[str, str], source: str, length: Length) -> bytes:
    """Return the chances to kill against the range."""
    return canvas.png(kills.kill_panels(curves, names, source, length=length))


def _matchup_heatmap(
    pairs: pd.DataFrame, price: Any, currency: str, names: Mapping[str, str], words: tuple[str, str]
) -> bytes:
    """Return who wins against whom; `words` are a title and a footnote, here and below."""
    ax = canvas.axes(heatmap.SIZE)
    heatmap.matchup_heatmap(pairs, ax, price=price, currency=currency, names=names)
    return canvas.png(canvas.figure_of(ax, *words))


def _worth(table: pd.DataFrame, currency: str, words: tuple[str, str]) -> bytes:
    """Return what units are worth against what they cost."""
    ax = canvas.axes(prices.SIZE)
    prices.worth(table, ax, currency=currency)
    return canvas.png(canvas.figure_of(ax, *words))


def _cost_effectiveness(table: pd.DataFrame, currency: str, words: tuple[str, str]) -> bytes:
    """Return exchange ratios against what units cost."""
    ax = canvas.axes(costs.SIZE)
    costs.cost_effectiveness(table, ax, currency=currency)
    return canvas.png(canvas.figure_of(ax, *words))


def _sensitivity(table: pd.DataFrame, words: tuple[str, str]) -> bytes:
    """Return what readings of the rules change."""
    ax = canvas.axes(readings.size_of(table))
    readings.sensitivity(table, ax)
    return canvas.png(canvas.figure_of(ax, *words))


def _actions(table: pd.DataFrame, title: str, terms: str, currency: str) -> bytes:
    """Return who is ahead under which limit of actions."""
    return canvas.png(economy.panels(table, title, terms, currency=currency))
