"""Why a result is what it is: a text, and the table that it tells."""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Self

from aabalance.results.base import chance

if TYPE_CHECKING:
    import pandas as pd

LEFT = "style='text-align:left'"
BETWEEN_RULES = "; "


class Legend:
    """The rules that a text rests on, numbered as it first needs them: named once, they may be cited on every line."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def cite(self, rules: str) -> str:
        """Return the numbers of rules, joined by `BETWEEN_RULES`, as ``  [1-3, 5]``; nothing where there are none."""
        numbers = {
            self._numbers.setdefault(rule, len(self._numbers) + 1) for rule in rules.split(BETWEEN_RULES) if rule
        }
        runs = groupby(enumerate(sorted(numbers)), key=lambda at: at[1] - at[0])
        ends = [[number for _, number in run] for _, run in runs]
        shown = ", ".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in ends)
        return f"  [{shown}]" if shown else ""

    def lines(self) -> list[str]:
        """Return the rules that were cited, a line each below a heading; no line where none was."""
        width = len(str(len(self._numbers)))
        return ["rules"] * bool(self._numbers) + [f"  {at:>{width}}  {rule}" for rule, at in self._numbers.items()]


class Explanation(str):
    """What `explain` returns: printed it is a text, in a notebook a table, and `to_frame` gives its values.

    Parameters
    ----------
    text : str
    head, tail : str
        Stand above and below the table in a notebook.
    columns : sequence of str
        Chances have names that begin with ``p_``.
    rows : sequence of tuple
        A value for each column, None where there is none.
    """

    head: str
    tail: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def __new__(
        cls, text: str, head: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]], tail: str = ""
    ) -> Self:
        """Make the text, which keeps the table."""
        self = super().__new__(cls, text)
        self.head, self.tail, self.columns, self.rows = head, tail, tuple(columns), tuple(rows)
        return self

    __repr__ = str.__str__

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=list(self.columns))

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(self.head)}</b></p>{self.table()}" + f"<p>{html.escape(self.tail)}</p>" * bool(
            self.tail
        )

    def table(self) -> str:
        """Return the table alone, as HTML."""
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
