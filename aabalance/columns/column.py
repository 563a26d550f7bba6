"""What a column and a table are, and a function for each kind of column: it takes name, unit, meaning and heading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

CURRENCY = "requisition"
"""The word for the cost of units in the names of columns, whatever a game calls it."""
EFFECT = "HP"
"""The unit of what attacks take from their targets, whatever a game calls it."""
LENGTH = "length"
"""The unit of distances, whatever a game counts them in."""

SIGNED = "-1 to 1"
"""The unit of differences of chances, shares and scores."""

DType = Literal["str", "int64", "float64", "bool"]


class Column(NamedTuple):
    """One output column.

    Attributes
    ----------
    name : str
        Name of the column.
    dtype : {"str", "int64", "float64", "bool"}
        Type of its values.
    unit : str
        Empty for plain numbers and words; `EFFECT` and `LENGTH` stand for the words of the game.
    meaning : str
        What the column holds, in one line.
    heading : str
        What people read above it; its name with spaces if that says it.
    """

    name: str
    dtype: DType
    unit: str
    meaning: str
    heading: str


class Table(NamedTuple):
    """One output table.

    Attributes
    ----------
    name : str
        Name of the table and of its CSV.
    key : tuple of str
        Columns whose values together differ from row to row; empty if the table has one row. Some games or questions
        lack some of them.
    others : tuple of str
        The other columns. The function that makes the table says which of them it may lack.
    """

    name: str
    key: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the key, then the others."""
        return (*self.key, *self.others)


Declared = tuple[Table, list[Column]]
"""A table, and the columns that it is the first to have."""


def table(name: str, key: Sequence[Column | str], *others: Column | str) -> Declared:
    """Declare a table.

    Parameters
    ----------
    name : str
        Name of the table.
    key : sequence of Column or str
        The columns that tell its rows apart. Columns that another table declares stand as their names, several with
        spaces between them.
    *others : Column or str
        The other columns, likewise.
    """
    own = [entry for entry in (*key, *others) if isinstance(entry, Column)]
    return Table(name, _names(key), _names(others)), own


def _names(entries: Sequence[Column | str]) -> tuple[str, ...]:
    return tuple(name for one in entries for name in ([one.name] if isinstance(one, Column) else one.split()))


def _column(name: str, dtype: DType, unit: str, meaning: str, heading: str) -> Column:
    return Column(name, dtype, unit, meaning, heading or name.replace("_", " "))


def text(name: str, meaning: str, heading: str = "") -> Column:
    """Return a column of words; parameters as for `Column`."""
    return _column(name, "str", "", meaning, heading)


def yes_or_no(name: str, meaning: str) -> Column:
    """Return a column of truth values; parameters as for `Column`."""
    return _column(name, "bool", "", meaning, "")


def whole(name: str, unit: str, meaning: str, heading: str = "") -> Column:
    """Return a column of whole numbers.

    Parameters
    ----------
    name, unit, meaning, heading : str
        As for `Column`.
    """
    return _column(name, "int64", unit, meaning, heading)


def number(name: str, unit: str, meaning: str, heading: str = "") -> Column:
    """Return a column of numbers.

    Parameters
    ----------
    name, unit, meaning, heading : str
        As for `Column`.
    """
    return _column(name, "float64", unit, meaning, heading)


def share(name: str, meaning: str, heading: str = "") -> Column:
    """Return a column of chances, shares or scores, which run from 0 to 1; parameters as for `Column`."""
    return number(name, "0-1", meaning, heading)


def gap(name: str, meaning: str, heading: str = "") -> Column:
    """Return a column of differences of shares, which run from -1 to 1; parameters as for `Column`."""
    return number(name, SIGNED, meaning, heading)


def points(name: str, meaning: str, heading: str = "") -> Column:
    """Return a column of requisition; parameters as for `Column`."""
    return number(name, "points", meaning, heading)


def ends(name: str, unit: str, interval: str, headings: tuple[str, str] = ("from", "to")) -> tuple[Column, Column]:
    """Return the columns of the ends of an interval, whose names end in ``_low`` and ``_high``.

    Parameters
    ----------
    name, unit : str
        Name of both columns without their ends, and their unit.
    interval : str
        The interval in words.
    headings : (str, str)
        What people read above them: by default, they stand behind what the interval is of.
    """
    low = number(f"{name}_low", unit, f"lower end of {interval}", headings[0])
    return low, number(f"{name}_high", unit, f"higher end of {interval}", headings[1])


def with_error(column: Column) -> tuple[Column, Column]:
    """Return a column of means, and that of their standard errors."""
    return column, number(f"{column.name}_se", column.unit, f"standard error of {column.name}")
