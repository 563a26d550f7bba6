"""The texts of values for people, and tables as CSV; headings and meanings come from `aabalance.columns`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from aabalance import columns
from aabalance.columns import CURRENCY, EFFECT, LENGTH, SIGNED, Column
from aabalance.definitions.fields import HOLDING, Postures
from aabalance.errors import counted
from aabalance.files import in_cell, in_markdown
from aabalance.game import Game
from aabalance.play.result import THREE_DIGITS, percent
from aabalance.pricing.worth_report import change_in_words
from aabalance.provenance import Provenance, sources_hash
from aabalance.rulesets.base import Labels

CSV_FLOAT = "%.6g"
"""Six digits are more than anybody reads, and too few to show the differences between processors."""
COUNTED = "points", "turns"
"""Units that most often come whole, or in tenths: such numbers stand without zeros behind them."""
CLASSES = "category", "gun_class"
"""Columns of names that stand in the code of a game, which people read as words."""
SAID = {"true": "yes", "false": "no"}
"""Values of switches in words."""
NONE = "–"
"""What stands for a number that is missing."""

Row = Mapping[Any, Any]


class Cell(NamedTuple):
    """A value as people read it, and the text by which its column is sorted."""

    text: str
    order: str


class Table(NamedTuple):
    """Rows ready for a page: their declared columns and their cells."""

    columns: list[Column]
    rows: list[list[Cell]]


def table(rows: Sequence[Row], names: Iterable[str] | None = None) -> Table:
    """Return the columns `names` of rows as people read them; by default all columns."""
    shown = [columns.COLUMNS[name] for name in (rows[0] if names is None else names)]
    return Table(shown, [[cell(column, row[column.name]) for column in shown] for row in rows])


def joined(shown: Table) -> Table:
    """Return a table in which intervals stand below their values: ``-6.5 %`` with ``(-23.4 to 11.2 %)`` in its cell."""
    at = {column.name: place for place, column in enumerate(shown.columns)}
    ends = {name: (at[f"{name}_ci_low"], at[f"{name}_ci_high"]) for name in at if f"{name}_ci_low" in at}
    apart = {place for pair in ends.values() for place in pair}
    rows = []
    for row in shown.rows:
        cells = list(row)
        for name, (low, high) in ends.items():
            if row[low].text != NONE:
                interval = f"({row[low].text.removesuffix(' %')} to {row[high].text})"
                cells[at[name]] = row[at[name]]._replace(text=f"{row[at[name]].text}\n{interval}")
        rows.append([one for place, one in enumerate(cells) if place not in apart])
    return Table([column for place, column in enumerate(shown.columns) if place not in apart], rows)


def cell(column: Column, value: Any) -> Cell:
    """Return one value of a column: chances in percent, other numbers with three digits, infinity as ∞."""
    if column.dtype in ("str", "bool"):
        text = plain(str(value)) if column.name in CLASSES else str(value)
        return Cell(text, text)
    return Cell(number(float(value), column), repr(float(value)))


def of(row: Row, name: str) -> str:
    """Return the value of the column `name` in a row as people read it."""
    return cell(columns.COLUMNS[name], row[name]).text


def number(value: float, column: Column) -> str:
    """Return a number of a column as people read it."""
    if math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞"
    if column.dtype == "int64":
        return f"{value:.0f}"
    if column.unit in ("0-1", SIGNED):
        return percent(value)
    if column.unit == "change":
        return change_in_words(value)
    if column.unit in COUNTED and value == round(value, 1):
        return f"{value + 0.0:g}"
    return f"{value:.0f}" if abs(value) >= THREE_DIGITS else f"{value:#.3g}" if value else "0"


def multiple(ratio: float) -> str:
    """Return the text of a ratio, to stand before what it is a multiple of: ``3.2 times``, ``25 % of``."""
    return f"{ratio:.1f} times".replace("inf", "∞") if ratio >= 1 else f"{math.floor(100 * ratio + 0.5)} % of"


def percentage_points(change: float) -> str:
    """Return the text of a difference of chances in percentage points, without a unit."""
    return f"{100 * change:z.1f}"


def points_of_chance(change: float) -> str:
    """Return a change of a chance in percentage points, with two digits below ten."""
    return "<0.01" if change < 0.0001 else f"{100 * change:#.2g}" if change < 0.0995 else f"{100 * change:.0f}"


def lead_in_words(lead: Mapping[Any, Any]) -> str:
    """Return in words who is ahead under few actions, and who under many; `lead` is a row of `aabalance.leads`."""
    names = {"a": lead["list_a"], "b": lead["list_b"], "neither": "neither side"}
    few, many = names[lead["ahead_with_few"]], names[lead["ahead_with_many"]]
    if lead["few_to"] == lead["many_from"]:
        return f"{few} ahead with {counted(int(lead['few_to']), 'action')} a turn"
    if lead["few_to"] > lead["many_from"]:
        return f"{few} ahead under every limit"
    return f"{few} ahead up to {counted(int(lead['few_to']), 'action')} a turn, {many} from {lead['many_from']} on"


def leads_in_words(leads: pd.DataFrame) -> list[dict[str, Any]]:
    """Return who is ahead in words, for each pair of lists; policies with the same answer together.

    Parameters
    ----------
    leads : DataFrame
        From `aabalance.leads`.
    """
    said: dict[tuple[str, str, str], list[str]] = {}
    for lead in leads.to_dict("records"):
        said.setdefault((lead["list_a"], lead["list_b"], lead_in_words(lead)), []).append(lead["policy_a"])
    return [
        {"list_a": a, "list_b": b, "policies": " and ".join(policies), "said": words}
        for (a, b, words), policies in said.items()
    ]


def heading(column: Column, currency: str = CURRENCY) -> str:
    """Return the heading of a column; `currency` is the game's own word for the cost of units."""
    return column.heading.replace(CURRENCY, currency)


def plain(word: str) -> str:
    """Return a name of a field, a switch or a value as words."""
    name, equals, value = word.rpartition("=")
    said = SAID.get(value, value) if equals else value
    return f"{name}{equals}{said}".replace("_", " ").replace("=", ": ")


def unit(column: Column, labels: Labels) -> str:
    """Return a column's unit in the words of a game.

    Parameters
    ----------
    column : Column
        The column.
    labels : Labels
        The game's own words.
    """
    if column.unit == LENGTH:
        return labels.length.name
    return column.unit.replace(EFFECT, labels.effect)


def markdown(rows: Sequence[Row], names: Iterable[str] | None = None, currency: str = CURRENCY) -> str:
    """Return rows as a Markdown table.

    Parameters
    ----------
    rows : sequence of mapping
        Each with a value for every column.
    names : iterable of str, optional
        Columns to show; all of them by default.
    currency : str
        The game's own word for what units cost.
    """
    shown = table(rows, names)
    lines = [
        [heading(column, currency) for column in shown.columns],
        ["---" if column.dtype == "str" else "--:" for column in shown.columns],
        *([in_markdown(cell.text) for cell in row] for row in shown.rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def csv(frame: pd.DataFrame, source: Provenance) -> str:
    """Return a frame as CSV, below a line with the provenance of its numbers.

    ``pandas.read_csv(path, skiprows=1)`` reads it, and ``json.loads`` what stands behind the ``#``.
    """
    if unknown := set(frame.columns) - set(columns.COLUMNS):
        raise KeyError(", ".join(sorted(map(str, unknown))))
    frame = frame.copy()
    for name in frame.columns[frame.dtypes == "str"]:
        frame[name] = frame[name].map(in_cell, na_action="ignore")
    body: str = frame.to_csv(index=False, float_format=CSV_FLOAT, lineterminator="\n")
    return f"# {source.line()}\n{body}"


def provenance(game: Game, definition: str, postures: Postures = HOLDING) -> Provenance:
    """Return where exact numbers of a game come from, which stands in each file that has them.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    definition : str
        Name of the report definition, or of the gate.
    postures : (str, str)
        What the units of duels do.
    """
    return game.provenance()._replace(
        sources=sources_hash(),
        rulebook=game.ruleset.labels.rulebook,
        definition=definition,
        engine="exact",
        note=game.ruleset.labels.caveat,
        duels="" if postures == HOLDING else " v ".join(postures),
    )


def by_dice(head: Provenance) -> Provenance:
    """Return the provenance of a table with battles that were rolled, since they are too large to be solved."""
    return head._replace(engine="monte_carlo", seed=0)
