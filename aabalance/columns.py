"""The output tables and their columns, read from ``columns.toml``, which declares each once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
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
KINDS: Mapping[str, tuple[DType, str]] = {
    "text": ("str", ""),
    "yes_or_no": ("bool", ""),
    "whole": ("int64", ""),
    "number": ("float64", ""),
    "share": ("float64", "0-1"),
    "gap": ("float64", SIGNED),
    "points": ("float64", "points"),
}
"""Of each kind of column the type of its values, and the unit where its entry names none."""
ENDINGS = {
    "low": ("lower", "from"),
    "high": ("higher", "to"),
    "before": ("without", ""),
    "after": ("with", ""),
    "a": ("a", "a"),
    "b": ("b", "b"),
}
"""Words in place of ``{}`` in the meaning and in the heading of a column, by the last part of its name."""
Entries = Mapping[str, list[str]]


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


def declared(entries: Entries) -> Iterator[Column]:
    """Yield the columns that some entries declare: all but those without words."""
    for names, words in entries.items():
        for name in names.split() if words else ():
            said, meaning, heading = (*words, "")[:3]
            kind, _, unit = said.partition(" ")
            dtype, usual = KINDS[kind]
            which, above = ENDINGS.get(name.rpartition("_")[2], ("", ""))
            heading = heading.format(above) or name.replace("_", " ")
            yield Column(name, dtype, unit or usual, meaning.format(which), heading)


def _names(entries: Entries) -> tuple[str, ...]:
    return tuple(" ".join(entries).split())


_READ = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
TABLES = {name: Table(name, _names(of.get("key", {})), _names(of["others"])) for name, of in _READ.items()}
COLUMNS = {column.name: column for of in _READ.values() for part in of.values() for column in declared(part)}
