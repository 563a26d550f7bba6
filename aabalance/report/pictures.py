"""The pictures of a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any

import pandas as pd

from aabalance.analysis.frames import costs, names_of
from aabalance.game import Game
from aabalance.jobs import sweeps
from aabalance.pricing.results import Results
from aabalance.report import summary
from aabalance.report.plots import canvas, economy, heatmap, kills, prices, rows

BANDS = "the whole units that one action more is worth, under any of the policies; no mark: more than could be fought"


def pictures(
    game: Game, field: list[str], results: Results, titles: Mapping[str, str], worker: Executor
) -> dict[str, Future[bytes]]:
    """Draw all pictures but those of `game_lengths`: return by name futures of them, as PNG.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    field : list of str
        Ids of the units of the field.
    results : Results
        The results of the analysis.
    titles : mapping of str to str
        By picture; without one, there are no pictures of battles, of worth or of cost-effectiveness.
    worker : Executor
        Draws every second one meanwhile, from `aabalance.jobs.sweeps.background`.
    """
    currency, length = game.ruleset.labels.currency, game.ruleset.labels.length
    source, names = source_of(game), names_of(game)
    makes: dict[str, Callable[[], Any]] = {
        "kill_probability": partial(kills.kill_panels, results.kill_probability, names, source, length=length),
        "matchup_heatmap": partial(
            canvas.titled,
            heatmap.matchup_heatmap,
            heatmap.SIZE,
            (titles["matchup_heatmap"], f"Means over the standard situations.\n{source}"),
            results.pairs,
            price=costs(game)[field],
            currency=currency,
            names=names,
        ),
    }
    if title := titles.get("cost_effectiveness"):
        table, draw, size = results.cost_effectiveness, prices.cost_effectiveness, prices.RATIOS
        makes["cost_effectiveness"] = partial(canvas.titled, draw, size, (title, source), table, currency=currency)
    table, size = results.sensitivity, rows.size_of_readings(results.sensitivity)
    makes["sensitivity"] = partial(canvas.titled, rows.sensitivity, size, (titles["sensitivity"], source), table)
    if title := titles.get("actions"):
        how = source_of(game, "Exact, or simulated where the table says so" if results.rolled else "Exact")
        terms = f"{summary.terms_of_battles(game, results)}. Bands: {BANDS}.\n{how}"
        makes["actions"] = partial(economy.panels, results.actions, title, terms, currency=currency)
    if title := titles.get("worth"):
        words = title, source
        makes["worth"] = partial(canvas.titled, prices.worth, prices.WORTH, words, results.worth, currency=currency)
    rc = canvas.settings()
    return dict(zip(makes, sweeps.shared(worker, drawn, [(rc, make) for make in makes.values()]), strict=True))


def game_lengths(boards: pd.DataFrame) -> dict[str, tuple[str, bytes]]:
    """Return what shows how long a game should be: a picture for each place where matches have several lengths.

    Parameters
    ----------
    boards : DataFrame
        From `aabalance.match_boards`.

    Returns
    -------
    dict of str to (str, bytes)
        By the file's name: the board, the mission and the players if they differ, and the PNG.
    """
    found = {}
    several = [name for name in ("player_a", "player_b") if boards[name].nunique() > 1]
    for place, own in boards.groupby([name for name in ("board", "mission", *several) if name in boards]):
        if own["rounds"].nunique() > 1:
            figure = canvas.whole(economy.game_length(own, canvas.figure(economy.LENGTHS)))
            words = [*filter(None, map(str, place))]
            file = re.sub(r"[^\w.-]", "_", f"game_length_{'_'.join(words)}.png")
            found[file] = ", ".join(dict.fromkeys(words)), canvas.png(figure)
    return found


def source_of(game: Game, how: str = "Exact") -> str:
    """Return what stands below a picture: the game, its reading and cards, and how the numbers were found."""
    return f"{game.ruleset.labels.title}, {game.reading}, cards {game.cards.hash}. {how}. {game.ruleset.labels.caveat}"


def drawn(settings: Mapping[str, Any], make: Callable[[], Any]) -> bytes:
    """Return a figure as PNG, made under the matplotlib settings of the process that asks for it.

    Parameters
    ----------
    settings : mapping
        From `aabalance.report.plots.canvas.settings`.
    make : callable
        Returns the figure.
    """
    with canvas.under(settings):
        return canvas.png(make())
