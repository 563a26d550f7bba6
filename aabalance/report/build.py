"""The balance report: one run of the analysis, then a page, a summary, tables and pictures, written all or none."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from aabalance import columns, files, rulesets
from aabalance.analysis import cost
from aabalance.analysis.frames import costs
from aabalance.analysis.situations import Situations
from aabalance.boards.drawing import svg
from aabalance.definitions.collections import FieldFile
from aabalance.definitions.report import FOLDER, Report
from aabalance.engine.sampling import Advance
from aabalance.errors import OutputError, UsageError
from aabalance.game import Game
from aabalance.jobs import store, sweeps
from aabalance.jobs.store import Entry
from aabalance.lists.described import Described, described
from aabalance.play.result import distance, percent
from aabalance.pricing import results as analysis
from aabalance.pricing.results import Results
from aabalance.provenance import Provenance, recorded, sources_hash
from aabalance.report import page, pictures, summary, tables
from aabalance.report.plots import canvas
from aabalance.rulesets.base import Labels

PICTURES = 4
"""Steps that all pictures together are."""
LARGE = 40
"""Units of a roster that is worth another process: a smaller one is done before that has started."""

METAGAME_CSVS = ("metagame_kinds", "metagame_map", "metagame_units")
SUMMARY = "summary.json"
PAGES = ("index.html", "summary.md", SUMMARY)
LIBRARIES = ("jinja2", "matplotlib", *store.LIBRARIES)


def total(spec: Report, game: Game) -> int:
    """Return the number of steps of `write`, which it counts by calling `advance`."""
    return analysis.total(spec, game) + PICTURES


def write(spec: Report, game: Game, out: Path | None = None, advance: Advance = lambda steps: None) -> Path:
    """Write a report.

    Parameters
    ----------
    spec : Report
        From `aabalance.definitions.report.read`.
    game : Game
        The game of the definition. Rule switches that the definition sets must have the same values.
    out : Path, optional
        Folder; by default ``reports/out/`` with the definition's name. Of a report that is in it, no file stays; other
        files do.
    advance : callable
        Called with the number of steps done since the last call; `total` returns how many there are.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    CardError
        The definition names units or categories that `game` doesn't have, or lists that can't fight each other.
    UsageError
        No unit of the roster belongs to the report's field, or `game` is another game or has other rules.
    OutputError
        The folder can't be written to, or has a file of the same name that no report wrote. This is checked before the
        analysis, and nothing was written.
    """
    folder = Path("reports") / "out" / spec.name if out is None else Path(out)
    spec.check(game.ruleset, game.variant, game.cards)
    costs(game)  # refuses a card without a price, before the work
    field = cost.field_of(game, spec.field)
    if not field:
        raise UsageError(f"field: no unit of the roster is of {', '.join(spec.field or ['any kind'])}")
    situations = Situations.of(game, spec.situations, spec.rounds, spec.postures)
    opponents = spec.opponents(game.cards)
    names = (*analysis.csvs(spec, game), *(METAGAME_CSVS if opponents else ()))
    certain = *(f"{name}.csv" for name in names), *PAGES
    files.probe_all([folder / name for name in certain])
    _stale(folder, certain)  # refuses before the work
    key = _key(spec, game, opponents)
    outputs = _kept(key)
    if outputs is None:
        outputs = _outputs(spec, game, field, situations, opponents, advance)
        _keep(key, outputs)
    files.probe_all([folder / file for file in outputs])  # pictures too, whose names only the work tells
    files.write_all({folder / file: content for file, content in outputs.items()}, _stale(folder, outputs))
    return folder


def _stale(folder: Path, names: Collection[str]) -> list[Path]:
    """Return the tables and pictures of the report in a folder that aren't among some names.

    Parameters
    ----------
    folder : Path
        The folder.
    names : collection of str
        Names of files that are to be written into it.

    Raises
    ------
    OutputError
        One of the files is there, and isn't the report's.
    """
    listed = set()
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):  # no report, or no summary of one
        said = recorded((folder / SUMMARY).read_bytes())
        if "aabalance" in said["provenance"]:
            listed = {*said.get("files", names)}
    for path in (folder / name for name in names if name not in listed):
        if path.exists():
            raise OutputError(f"{path}: found a file that no report wrote, expected a new folder or that of a report")
    left = [path for path in (*folder.glob("*.csv"), *folder.glob("*.png")) if path.name in listed.difference(names)]
    # Another table may have been put in the place of the report's.
    return [path for path in left if path.suffix == ".png" or path.read_bytes().startswith(b"# {")]


def _key(spec: Report, game: Game, opponents: FieldFile | None) -> bytes:
    """Return the digest of all on which a report depends."""
    own = files.data_folder(FOLDER) / f"{game.ruleset.name}.toml"
    return store.digest(
        {
            "sources": sources_hash(pattern="*"),
            "libraries": [metadata.version(name) for name in LIBRARIES],
            "definition": [spec.name, spec.model_dump(mode="json")],
            "opponents": opponents and opponents.model_dump(mode="json"),
            "own": own.read_text(encoding="utf-8") if own.is_file() else "",
            "game": [game.ruleset.name, rulesets.sources(game.ruleset.name), game.variant.model_dump(mode="json")],
            "pictures": {name: str(value) for name, value in canvas.settings().items()},
            "cards": list(game.cards.tables.items()),
            "provenance": game.provenance().said(),
            "commands": summary.options_of(game),
            "boards": [dict(board.table) for board in spec.boards(lambda name: game.boards[name])],
        }
    )


def _kept(key: bytes) -> dict[str, bytes] | None:
    """Return the files of a report by name; None if they aren't kept."""
    kept = sweeps.store()
    for entry in kept.read([key])[0] if kept else ():
        lengths, files, end = json.loads(entry.columns), {}, 0
        for file, length in lengths.items():
            files[file] = entry.cells[end : end + length]
            end += length
        return files
    return None


def _keep(key: bytes, files: Mapping[str, bytes]) -> None:
    """Keep the files of a report, so that they are written as they were if nothing has changed."""
    if kept := sweeps.store():
        lengths = json.dumps({file: len(content) for file, content in files.items()})
        kept.write([Entry(key, lengths.encode(), b"".join(files.values()))])


def _outputs(
    spec: Report, game: Game, field: list[str], situations: Situations, opponents: FieldFile | None, advance: Advance
) -> dict[str, bytes]:
    """Return the files of a report by name."""
    with sweeps.background(worthwhile=len(game.cards) >= LARGE) as worker:
        # Both are long, and what is submitted is done in this order: the analysis waits for the prices.
        prices = worker.submit(analysis.price, spec, game, situations) if game.ruleset.limits_actions else None
        describing = worker.submit(described, game, opponents) if opponents else None
        results = analysis.analyse(spec, game, field, situations, prices, advance, worker)
        met = describing.result() if describing else None
        head = tables.provenance(game, spec.name, spec.postures)
        content = summary.summarise(spec, game, field, results, head, met)
        drawn = pictures.pictures(game, field, results, content["titles"], worker)
        lengths = pictures.game_lengths(results.match_boards) if content["matches"] else {}
        texts = _texts(game, field, results, met, content, lengths, head)
        images = {f"{name}.png": picture.result() for name, picture in drawn.items()}
    advance(PICTURES)
    outputs = texts | images | {name: png for name, (_, png) in lengths.items()}
    said = summary.text(content | {"files": [*outputs, SUMMARY]})
    return {SUMMARY: said.encode()} | outputs


def _texts(
    game: Game,
    field: list[str],
    results: Results,
    met: Described | None,
    content: summary.Content,
    lengths: Mapping[str, tuple[str, bytes]],
    head: Provenance,
) -> dict[str, bytes]:
    """Return all files but the pictures."""
    outputs: dict[str, str] = {}
    frames = results.written() | (met.written() if met else {})
    for name, frame in frames.items():
        dice = (
            name in (*analysis.MATCH_CSVS, *analysis.BOARD_CSVS, *METAGAME_CSVS)
            or (name in analysis.BATTLE_CSVS and results.rolled)
            or (name in analysis.WORTH_CSVS and results.priced_by_dice)
        )
        source = tables.by_dice(head) if dice else head
        outputs[f"{name}.csv"] = tables.csv(frame, source)
    names = content["matches"]["boards"] if content["matches"] else ()
    boards = [(game.boards[name].name, b64encode(svg(game.boards[name]).encode()).decode()) for name in names]
    lasting = {name: (place, b64encode(png).decode()) for name, (place, png) in lengths.items()}
    shown = {**content, "boards": boards, "lengths": lasting, "game": game, "csvs": list(frames)}
    shown["meanings"] = _meanings([*frames.values(), results.verdict])
    pages = _templates(game.ruleset.labels)
    outputs["index.html"] = page.render(pages, results, shown)
    outputs["summary.md"] = pages.get_template("summary.md.j2").render(shown)
    return {name: text.encode() for name, text in outputs.items()}


def _meanings(frames: Iterable[pd.DataFrame]) -> list[columns.Column]:
    """Return the declarations of every column that a report shows."""
    used = {name for frame in frames if len(frame) for name in frame}
    return [column for column in columns.COLUMNS.values() if column.name in used]


def _in_words(row: Mapping[str, Any], game_labels: Labels) -> str:
    """Return a listed situation in words, without its weight."""
    others = [(name, value) for name, value in row.items() if name not in ("range_in", "weight")]
    said = [" ".join(map(tables.plain, [name] if value is True else [name, str(value)])) for name, value in others]
    return ", ".join([distance(row["range_in"], game_labels.length.after), *said])


def _templates(game_labels: Labels) -> jinja2.Environment:
    environment = files.templates("aabalance.report")
    environment.filters |= {
        "percent": percent,
        "percentage_points": tables.percentage_points,
        "heading": partial(tables.heading, currency=game_labels.currency),
        "text": files.in_markdown,
        "markdown": partial(tables.markdown, currency=game_labels.currency),
        "unit": partial(tables.unit, labels=game_labels),
        "small_points": tables.points_of_chance,
        "signed_points": lambda change: f"{100 * change:+z.1f}",
        "plain": lambda word: tables.plain(str(word)),
        "situation": lambda row: _in_words(row, game_labels),
        "length_name": lambda name: f"range, {game_labels.length.name}" if name == "range_in" else tables.plain(name),
    }
    environment.globals |= {
        "table": tables.table,
        "joined": tables.joined,
        "cell": tables.cell,
        "number": tables.of,
        "multiple": tables.multiple,
        "declared": lambda names: [columns.COLUMNS[name] for name in names],
    }
    return environment
