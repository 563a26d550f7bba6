"""How values look where people read them, and in CSV; headings and meanings come from `aabalance.columns`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import pandas as pd

from aabalance import columns
from aabalance.columns import Column

CURRENCY = "requisition"
"""The word for what units cost in the names of columns, whatever a game calls it."""
CSV_FLOAT = "%.6g"
"""Six digits: more than anybody reads, and fewer than those in which two processors may differ."""


class Cell(NamedTuple):
    """A value as people read it, and as a column of it is sorted."""

    text: str
    order: str


class Table(NamedTuple):
    """A frame ready for a page: its declared columns and the cells of its rows."""

    columns: list[Column]
    rows: list[list[Cell]]


def table(frame: pd.DataFrame, names: Iterable[str] | None = None) -> Table:
    """Return some columns of a frame, all by default, as people read them."""
    shown = columns.describe(list(frame.columns) if names is None else list(names))
    values = zip(*(frame[column.name] for column in shown), strict=True)
    return Table(shown, [[cell(column, value) for column, value in zip(shown, row, strict=True)] for row in values])


def cell(column: Column, value: Any) -> Cell:
    """Return one value: chances in percent, other numbers with three digits, ∞ where there is no end."""
    if column.dtype in ("str", "bool"):
        return Cell(str(value), str(value))
    return Cell(number(float(value), column), repr(float(value)))


def number(value: float, column: Column) -> str:
    """Return a number as people read it."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    if column.dtype == "int64":
        return f"{value:.0f}"
    if column.unit == "0-1":
        return percent(value)
    if column.unit == "points" and value == round(value, 1):
        return f"{value:g}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:#.3g}" if value else "0"


def percent(share: float) -> str:
    """Return a share in percent; a trace of something never reads as nothing."""
    if math.isnan(share):
        return "–"
    if 0 < abs(share) < 0.0005:
        return f"{'<' if share > 0 else '>'}{math.copysign(0.1, share):g} %"
    return f"{100 * share:.1f} %"


def heading(column: Column, currency: str = CURRENCY) -> str:
    """Return a column's name in plain words, with the game's own word for what units cost."""
    return column.name.replace(CURRENCY, currency).replace("_", " ")


def markdown(frame: pd.DataFrame, names: Iterable[str] | None = None, currency: str = CURRENCY) -> str:
    """Return a frame as a Markdown table."""
    made = table(frame, names)
    lines = [
        [heading(column, currency) for column in made.columns],
        ["---" if column.dtype == "str" else "--:" for column in made.columns],
        *([cell.text.replace("|", "\\|") for cell in row] for row in made.rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def csv(frame: pd.DataFrame, comment: str) -> str:
    """Return a frame as CSV under one line of comment: ``pandas.read_csv(path, comment="#")`` reads it."""
    columns.describe(list(frame.columns))
    body: str = frame.to_csv(index=False, float_format=CSV_FLOAT, lineterminator="\n")
    return f"# {comment}\n{body}"
