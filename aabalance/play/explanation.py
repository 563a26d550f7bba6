"""Why a result is what it is: a text, and a table with the same content."""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Self

from aabalance.play.result import chance

if TYPE_CHECKING:
    import pandas as pd

LEFT = "style='text-align:left'"
BETWEEN_RULES = "; "


class Legend:
    """The rules behind a text, which are listed once, and cited in its lines by their numbers.

    They are numbered in the order in which they are first cited.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def cite(self, rules: str) -> str:
        """Return the numbers of rules as ``  [1-3, 5]``; `rules` are joined by `BETWEEN_RULES`. Empty without rules."""
        numbers = {
            self._numbers.setdefault(rule, len(self._numbers) + 1) for rule in rules.split(BETWEEN_RULES) if rule
        }
        runs = groupby(enumerate(sorted(numbers)), key=lambda at: at[1] - at[0])
        ends = [[number for _, number in run] for _, run in runs]
        shown = ", ".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in ends)
        return f"  [{shown}]" if shown else ""

    def lines(self) -> list[str]:
        """Return the rules that were cited, a line each below a heading; no lines if none was."""
        width = len(str(len(self._numbers)))
        return ["rules"] * bool(self._numbers) + [f"  {at:>{width}}  {rule}" for rule, at in self._numbers.items()]


class Explanation(str):
    """What `explain` returns: a text when printed, a table in a notebook, and values by `to_frame`.

    Parameters
    ----------
    text : str
        The whole explanation.
    head, tail : str
        Lines above and below the table in a notebook.
    columns : sequence of str
        Names of the table's columns; those of chances begin with ``p_``.
    rows : sequence of tuple
        Each has a value for every column; None leaves a cell empty.
    """

    head: str
    tail: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def __new__(
        cls, text: str, head: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]], tail: str = ""
    ) -> Self:
        """Make the text, and keep the table with it."""
        self = super().__new__(cls, text)
        self.head, self.tail, self.columns, self.rows = head, tail, tuple(columns), tuple(rows)
        return self

    __repr__ = str.__str__

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.head, self.columns, self.rows, self.tail

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=list(self.columns))

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(self.head)}</b></p>{self.table()}" + f"<p>{html.escape(self.tail)}</p>" * bool(
            self.tail
        )

    def table(self) -> str:
        """Return the table, without head and tail, as HTML."""
        heads = "".join(f"<th {LEFT}>{html.escape(name.replace('_', ' '))}</th>" for name in self.columns)
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td {LEFT}>{html.escape(_said(name, value))}</td>"
                for name, value in zip(self.columns, row, strict=True)
            )
            + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _said(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return chance(value) if name.startswith("p_") else f"{value:.4g}"
    return str(value)
