"""The balance report: one run of the analysis, then a page, a summary, tables and pictures, all of them or none."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import pandas as pd

from aabalance import columns, files
from aabalance.analysis import cost, pairs, sensitivity, structure
from aabalance.analysis.matchups import matchups, tidy
from aabalance.analysis.situations import Situations
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.report import labels, plots, tables
from aabalance.report.spec import Spec

ENGINE = "exact"
PICTURES = 4
EXTREMES = 5
README_DPI = 96

Advance = Callable[[int], None]


class Results(NamedTuple):
    """Everything the analysis found, a frame each.

    Attributes
    ----------
    cost_effectiveness, pairs, requisition, structure, turns_to_kill, sensitivity, kill_probability : DataFrame
        Written as CSV under these names.
    headlines, verdict : DataFrame
        One row on the roster as a whole.
    no_proposal : str
        Why there are no requisition values to propose, if there are none.
    situations : int
        How many standard situations there are.
    """

    cost_effectiveness: pd.DataFrame
    pairs: pd.DataFrame
    requisition: pd.DataFrame
    structure: pd.DataFrame
    turns_to_kill: pd.DataFrame
    sensitivity: pd.DataFrame
    kill_probability: pd.DataFrame
    headlines: pd.DataFrame
    verdict: pd.DataFrame
    no_proposal: str
    situations: int

    def written(self) -> dict[str, pd.DataFrame]:
        """Return the frames that become CSV files, by name."""
        return {name: value for name, value in self._asdict().items() if name in CSVS}


CSVS = (
    "cost_effectiveness",
    "pairs",
    "requisition",
    "structure",
    "turns_to_kill",
    "sensitivity",
    "kill_probability",
)


def steps(spec: Spec, game: Game) -> int:
    """Return the number of steps that `write` tells its `advance` about."""
    readings = 1 + sum(len(values) for values in spec.switches(game).values())
    return len(game.cards) + readings * len(cost.field_of(game, spec.field)) + PICTURES


def write(spec: Spec, game: Game, out: Path | None = None, advance: Advance = lambda steps: None) -> Path:
    """Write a report.

    Parameters
    ----------
    spec : Spec
        From `aabalance.report.spec.read`. Its rule switches are those of `game` already.
    game : Game
    out : Path, optional
        Folder; ``reports/out/`` and the definition's name by default. Files in it that are not of a report stay.
    advance : callable
        Called with the number of steps done since the last call; `steps` says how many there are.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    CardError
        The definition names units or categories that `game` doesn't have.
    UsageError
        Nothing in the roster belongs to the report's field.
    OutputError
        The folder can't be written to. Nothing was, and no time was spent.
    """
    folder = Path("reports") / "out" / spec.name if out is None else Path(out)
    spec.check(game)
    field = cost.field_of(game, spec.field)
    if not field:
        raise UsageError(f"field: no unit of the roster is of {', '.join(spec.field or ['any kind'])}")
    situations = Situations.of(game, spec.situations)
    files.probe([folder / name for name in (*(f"{name}.csv" for name in CSVS), "index.html", "summary.md")])
    results = analyse(spec, game, field, situations, advance)
    pictures = draw(game, field, results, advance)
    head = provenance(game)
    contents: dict[Path, str | bytes] = {}
    for name, frame in results.written().items():
        contents[folder / f"{name}.csv"] = tables.csv(
            frame, "; ".join(f"{key}: {value}" for key, value in head.items())
        )
    for name, picture in pictures.items():
        contents[folder / f"{name}.png"] = picture
    words = _words(spec, game, field, results)
    templates = _templates(game.ruleset.currency)
    contents[folder / "summary.md"] = templates.get_template("summary.md.j2").render(words, head=head)
    inline = {name: "data:image/png;base64," + base64.b64encode(data).decode() for name, data in pictures.items()}
    contents[folder / "index.html"] = templates.get_template("page.html.j2").render(words, head=head, pictures=inline)
    files.write_all(contents)
    return folder


def analyse(spec: Spec, game: Game, field: list[str], situations: Situations, advance: Advance) -> Results:
    """Run the analysis: matchups of the whole roster once, and of the field for each reading of the rules."""
    found = matchups(game, situations, advance=advance)
    table = pairs.pairs(found)
    ranking = cost.with_peers(cost.named(game, cost.cost_effectiveness(found, field)))
    no_proposal = ""
    try:
        requisition = cost.first_requisition(game, found, field)
    except UsageError as error:
        requisition, no_proposal = (
            _nothing("unit", "name", "requisition", "attack", "endurance", "proposal"),
            str(error),
        )
    versus = spec.versus(game) or _examples(ranking)
    return Results(
        cost_effectiveness=ranking,
        pairs=table,
        requisition=requisition,
        structure=structure.shares_by_need(game, found, field),
        turns_to_kill=structure.turns_to_kill(game, found, field),
        sensitivity=sensitivity.sensitivity(
            game,
            Situations.listed(game, spec.sensitivity_situations) if spec.sensitivity_situations else situations,
            switches=spec.switches(game),
            field=field,
            advance=advance,
        ),
        headlines=sensitivity.headlines(found, field),
        kill_probability=pairs.kill_curves(game, versus, spec.plots.ranges, spec.plots.turns),
        verdict=pairs.price_and_victory(game, table, field),
        no_proposal=no_proposal,
        situations=len(situations.situations),
    )


def _examples(ranking: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the first and the middle of the ranking, either way, for a roster that has no pair of the definition."""
    first, middle = ranking["unit"].iloc[0], ranking["unit"].iloc[len(ranking) // 2]
    return [(first, middle), (middle, first)] if first != middle else [(first, first)]


def _nothing(*names: str) -> pd.DataFrame:
    return tidy({column.name: pd.Series([], dtype=column.dtype) for column in columns.describe(names)})


def readme_picture(spec: Spec, game: Game, path: Path) -> None:
    """Write the kill curves alone, in the width of a README.

    ``python -c "from pathlib import Path; from aabalance import Game; from aabalance.report import build, spec;
    build.readme_picture(spec.read(None, 'armored_advance'), Game(), Path('docs/kill_probability.png'))"``
    """
    curves = pairs.kill_curves(game, spec.versus(game), spec.plots.ranges, spec.plots.turns)
    figure = plots.kill_panels(curves, labels.names_of(game), _source(game), length=labels.length_of(game))
    files.write(path, plots.png(figure, README_DPI))


def draw(game: Game, field: list[str], results: Results, advance: Advance = lambda steps: None) -> dict[str, bytes]:
    """Return the pictures as PNG, by name."""
    currency = game.ruleset.currency
    source = _source(game)
    length = labels.length_of(game)
    panels = plots.kill_panels(results.kill_probability, labels.names_of(game), source, length=length)
    out = {"kill_probability": plots.png(panels)}
    advance(1)
    ax = plots.canvas(plots.HEATMAP_SIZE)
    plots.matchup_heatmap(
        results.pairs, ax, price=cost.costs(game)[field], currency=currency, names=labels.names_of(game)
    )
    dearer = float(results.verdict["p_dearer_wins"].iloc[0])
    cheaper = float(results.verdict["p_cheaper_wins"].iloc[0])
    shares = tables.percent(dearer), tables.percent(cheaper)
    title = "Who wins: the dearer unit in {} of duels, the cheaper in {}".format(*shares)
    out["matchup_heatmap"] = plots.png(plots.figure_of(ax, title, f"Means over the standard situations.\n{source}"))
    advance(1)
    ax = plots.canvas(plots.COST_SIZE)
    plots.cost_effectiveness(results.cost_effectiveness, ax, currency=currency)
    ratio = results.cost_effectiveness["requisition_exchange_ratio"]
    title = f"{int((ratio > 1).sum())} of {len(ratio)} units destroy more {currency} than they lose, one against one"
    out["cost_effectiveness"] = plots.png(plots.figure_of(ax, title, source))
    advance(1)
    ax = plots.canvas(plots.READINGS_SIZE)
    plots.sensitivity(results.sensitivity, ax)
    out["sensitivity"] = plots.png(plots.figure_of(ax, _most_moved(results.sensitivity), source))
    advance(1)
    return out


def _most_moved(readings: pd.DataFrame) -> str:
    """Return what the table of readings says, as a title."""
    if len(readings) < 2 or not readings["mean_change_of_p_win"].iloc[1]:
        return "No other reading of the rules changes who wins"
    most = readings.iloc[1]
    change = 100 * most["mean_change_of_p_win"]
    return f"{most['reading']} changes most: by {change:.1f} points in a pair's chance to win"


def _source(game: Game) -> str:
    return f"{game.ruleset.title}, {game.reading}, cards {game.cards.hash}. Exact. {game.ruleset.caveat}"


def provenance(game: Game) -> dict[str, str]:
    """Return what every file of a report says about where its numbers come from."""
    return {
        "aabalance": metadata.version("aabalance"),
        "game": game.ruleset.title,
        "rulebook": game.ruleset.rulebook,
        "cards": game.cards.hash,
        "variant": game.reading,
        "engine": ENGINE,
        "note": game.ruleset.caveat,
    }


def _words(spec: Spec, game: Game, field: list[str], results: Results) -> dict[str, Any]:
    """Return everything that page and summary say."""
    ranking = results.cost_effectiveness
    rated = ranking[ranking["exchange_ratio_to_peers"] > 0]
    order = rated.sort_values(["exchange_ratio_to_peers", "unit"], ascending=[False, True])
    above = order[order["exchange_ratio_to_peers"] > 1]
    below = order[order["exchange_ratio_to_peers"] < 1]
    used = {name for frame in (*results.written().values(), results.verdict) if len(frame) for name in frame}
    readings = results.sensitivity
    moving = readings["mean_change_of_p_win"] > 0
    fields = type(game.variant).model_fields
    return {
        "title": spec.title,
        "game": game,
        "currency": game.ruleset.currency,
        "step": game.ruleset.price_step,
        "field": field,
        "categories": spec.field,
        "results": results,
        "now": results.headlines.iloc[0],
        "cheapest": float(ranking["requisition"].min()),
        "has_nations": bool(ranking["nation"].astype(bool).any()),
        "verdict": results.verdict.iloc[0],
        "under": above.head(EXTREMES),
        "over": below.tail(EXTREMES).iloc[::-1],
        "harmless": ranking.loc[ranking["requisition_exchange_ratio"] == 0, "name"].tolist(),
        "readings": readings[moving | (readings.index == 0)],
        "idle": readings.loc[~moving & (readings.index > 0), "reading"].tolist(),
        "switches": {name: fields[name].description for name in spec.switches(game)},
        "sensitivity_situations": spec.sensitivity_situations,
        "variant": [
            (name, value, fields[name].default, fields[name].description)
            for name, value in game.variant.model_dump().items()
        ],
        "situations": spec.situations,
        "bars": _bars(results.structure, game.ruleset.die + 1),
        "proposals": len(results.requisition),
        "changed": int((results.requisition["proposal"] != results.requisition["requisition"]).sum()),
        "meanings": [column for column in columns.COLUMNS.values() if column.name in used],
        "csvs": CSVS,
    }


def _bars(shares: pd.DataFrame, impossible: int) -> list[tuple[str, list[tuple[str, str, float]]]]:
    """Return, for each facing, the parts of a bar: what the die must show, that as a class name, and the share."""
    out = []
    for facing, part in shares.groupby("facing", sort=False) if len(shares) else ():
        bar = []
        for need, share in zip(part["need"], part["share_of_pairs"], strict=True):
            word = "automatic" if need <= 1 else "impossible" if need == impossible else f"{need}+"
            bar.append((word, word.replace("+", ""), float(share)))
        out.append((str(facing), bar))
    return out


def _templates(currency: str) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("aabalance.report", "."),
        autoescape=lambda name: name is None or ".html" in name,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "percent": tables.percent,
        "heading": partial(tables.heading, currency=currency),
        "markdown": partial(tables.markdown, currency=currency),
    }
    environment.globals |= {"table": tables.table, "number": _number}
    return environment


def _number(row: Any, name: str) -> str:
    return tables.cell(columns.COLUMNS[name], row[name]).text
