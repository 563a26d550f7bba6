"""The balance report: one run of the analysis, then a page, a summary, tables and pictures, all of them or none."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import jinja2
import pandas as pd

from aabalance import columns, files
from aabalance.analysis import cost, duels, pairs, sensitivity, structure
from aabalance.analysis.matchups import matchups, tidy
from aabalance.analysis.situations import Situations
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.provenance import Provenance, sources_hash, version
from aabalance.report import labels, summary, tables
from aabalance.report.plots import canvas, costs, heatmap, kills, readings
from aabalance.report.spec import Spec
from aabalance.results import percent

PICTURES = 4
README_DPI = 96

TEMPLATES = {"index.html": "page.html.j2", "summary.md": "summary.md.j2"}
PAGES = (*TEMPLATES, "summary.json")

Advance = Callable[[int], None]


class Results(NamedTuple):
    """Everything the analysis found, a frame each.

    Attributes
    ----------
    cost_effectiveness, pairs, requisition, structure, turns_to_kill, sensitivity, kill_probability : DataFrame
        Written as CSV under these names.
    headlines, verdict : DataFrame
        One row on the roster as a whole.
    longest_duel : DataFrame
        One row; none if no duel is sure to end.
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
    longest_duel: pd.DataFrame
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
        From `aabalance.report.spec.read`.
    game : Game
        Under the rules of the definition; of other switches it chooses the values.
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
        Nothing in the roster belongs to the report's field, or `game` is another one or goes by other rules.
    OutputError
        The folder can't be written to. Nothing was, and no time was spent.
    """
    folder = Path("reports") / "out" / spec.name if out is None else Path(out)
    spec.check(game)
    field = cost.field_of(game, spec.field)
    if not field:
        raise UsageError(f"field: no unit of the roster is of {', '.join(spec.field or ['any kind'])}")
    situations = Situations.of(game, spec.situations, spec.rounds)
    files.probe_all([folder / name for name in (*(f"{name}.csv" for name in CSVS), *PAGES)])
    results = analyse(spec, game, field, situations, advance)
    head = provenance(spec, game)
    said = summary.summarise(spec, game, field, results, head)
    pictures = draw(game, field, results, said["titles"], advance)
    contents: dict[Path, str | bytes] = {}
    for name, frame in results.written().items():
        contents[folder / f"{name}.csv"] = tables.csv(frame, head)
    for name, picture in pictures.items():
        contents[folder / f"{name}.png"] = picture
    contents[folder / "summary.json"] = summary.text(said)
    inline = {name: "data:image/png;base64," + base64.b64encode(data).decode() for name, data in pictures.items()}
    shown = {**said, "game": game, "csvs": CSVS, "meanings": _meanings(results), "pictures": inline}
    templates = _templates(game.ruleset.labels.currency)
    for name, template in TEMPLATES.items():
        contents[folder / name] = templates.get_template(template).render(shown)
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
        requisition, no_proposal = tidy("requisition", {}), str(error)
    versus = spec.versus(game) or _examples(ranking)
    asked = spec.sensitivity_situations
    return Results(
        cost_effectiveness=ranking,
        pairs=table,
        requisition=requisition,
        structure=structure.shares_by_need(game, found, field),
        turns_to_kill=structure.turns_to_kill(game, found, field),
        sensitivity=sensitivity.sensitivity(
            game,
            Situations.listed(game, asked, spec.rounds) if asked else situations,
            switches=spec.switches(game),
            field=field,
            advance=advance,
        ),
        headlines=sensitivity.headlines(found, field),
        kill_probability=pairs.kill_curves(game, versus, spec.plots.ranges, spec.plots.turns),
        verdict=pairs.price_and_victory(game, table, field),
        longest_duel=duels.longest_duel(found, field),
        no_proposal=no_proposal,
        situations=len(situations.moments),
    )


def _examples(ranking: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the first and the middle of the ranking, either way, for a roster that has no pair of the definition."""
    first, middle = ranking["unit"].iloc[0], ranking["unit"].iloc[len(ranking) // 2]
    return [(first, middle), (middle, first)] if first != middle else [(first, first)]


def readme_picture(spec: Spec, game: Game, path: Path) -> None:
    """Write the kill curves alone, in the width of a README.

    ``python -c "from pathlib import Path; from aabalance import Game; from aabalance.report import build, spec;
    build.readme_picture(spec.read(None, 'armored_advance'), Game(), Path('docs/kill_probability.png'))"``
    """
    curves = pairs.kill_curves(game, spec.versus(game), spec.plots.ranges, spec.plots.turns)
    figure = kills.kill_panels(curves, labels.names_of(game), _source(game), length=game.ruleset.labels.length)
    files.write(path, canvas.png(figure, README_DPI))


def draw(
    game: Game, field: list[str], results: Results, titles: Mapping[str, str], advance: Advance = lambda steps: None
) -> dict[str, bytes]:
    """Return the pictures as PNG, by name."""
    currency = game.ruleset.labels.currency
    source = _source(game)
    length = game.ruleset.labels.length
    panels = kills.kill_panels(results.kill_probability, labels.names_of(game), source, length=length)
    out = {"kill_probability": canvas.png(panels)}
    advance(1)
    ax = canvas.axes(heatmap.SIZE)
    heatmap.matchup_heatmap(
        results.pairs, ax, price=cost.costs(game)[field], currency=currency, names=labels.names_of(game)
    )
    means = f"Means over the standard situations.\n{source}"
    out["matchup_heatmap"] = canvas.png(canvas.figure_of(ax, titles["matchup_heatmap"], means))
    advance(1)
    ax = canvas.axes(costs.SIZE)
    costs.cost_effectiveness(results.cost_effectiveness, ax, currency=currency)
    out["cost_effectiveness"] = canvas.png(canvas.figure_of(ax, titles["cost_effectiveness"], source))
    advance(1)
    ax = canvas.axes(readings.SIZE)
    readings.sensitivity(results.sensitivity, ax)
    out["sensitivity"] = canvas.png(canvas.figure_of(ax, titles["sensitivity"], source))
    advance(1)
    return out


def _source(game: Game) -> str:
    return f"{game.ruleset.labels.title}, {game.reading}, cards {game.cards.hash}. Exact. {game.ruleset.labels.caveat}"


def provenance(spec: Spec, game: Game) -> Provenance:
    """Return what every file of a report says about where its numbers come from."""
    return Provenance(
        aabalance=version(),
        sources=sources_hash(),
        game=game.ruleset.labels.title,
        rulebook=game.ruleset.labels.rulebook,
        cards=game.cards.hash,
        variant=game.reading,
        definition=spec.name,
        engine="exact",
        seed=None,
        note=game.ruleset.labels.caveat,
    )


def _meanings(results: Results) -> list[columns.Column]:
    """Return the declarations of every column that a report shows."""
    frames = (*results.written().values(), results.verdict)
    used = {name for frame in frames if len(frame) for name in frame}
    return [column for column in columns.COLUMNS.values() if column.name in used]


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
        "percent": percent,
        "points": tables.points,
        "heading": partial(tables.heading, currency=currency),
        "markdown": partial(tables.markdown, currency=currency),
    }
    environment.globals |= {"table": tables.table, "number": tables.of}
    return environment
