"""What a column is, and a function for each kind of column; they take its name, its unit, and what it holds."""

from __future__ import annotations

from typing import Literal, NamedTuple

CURRENCY = "requisition"
"""The word for the cost of units in the names of columns, whatever a game calls it."""
EFFECT = "HP"
"""The unit of what attacks take from their targets, whatever a game calls it."""
LENGTH = "length"
"""The unit of distances, whatever a game counts them in."""

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


def _column(name: str, dtype: DType, unit: str, meaning: str, heading: str) -> Column:
    return Column(name, dtype, unit, meaning, heading or name.replace("_", " "))


def text(name: str, meaning: str, heading: str = "") -> Column:
    """Return a column of words; parameters as for `whole`."""
    return _column(name, "str", "", meaning, heading)


def yes_or_no(name: str, meaning: str, heading: str = "") -> Column:
    """Return a column of truth values; parameters as for `whole`."""
    return _column(name, "bool", "", meaning, heading)


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
    """Return a column of chances, shares or scores, which run from 0 to 1; parameters as for `whole`."""
    return number(name, "0-1", meaning, heading)


def points(name: str, meaning: str, heading: str = "") -> Column:
    """Return a column of requisition; parameters as for `whole`."""
    return number(name, "points", meaning, heading)


def points_with_ends(name: str, meaning: str, heading: str) -> tuple[Column, Column, Column]:
    """Return the columns of a requisition found between two whole numbers of units: itself, and both ends.

    Parameters are those of `whole`.
    """
    between = "between whole numbers of units, scores are taken to rise in straight lines; inf: more than can be fought"
    low = f"lower end of the interval of {name}: whole units, and the 95 % interval if rolled"
    high = f"higher end of the interval of {name}"
    return (
        points(name, f"{meaning}; {between}", heading),
        points(f"{name}_low", low, f"{heading}, from"),
        points(f"{name}_high", high, f"{heading}, to"),
    )
