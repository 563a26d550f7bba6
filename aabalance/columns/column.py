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
    """

    name: str
    dtype: DType
    unit: str
    meaning: str


def text(name: str, meaning: str) -> Column:
    """Return a column of words."""
    return Column(name, "str", "", meaning)


def yes_or_no(name: str, meaning: str) -> Column:
    """Return a column of truth values."""
    return Column(name, "bool", "", meaning)


def whole(name: str, unit: str, meaning: str) -> Column:
    """Return a column of whole numbers.

    Parameters
    ----------
    name, unit, meaning : str
        As for `Column`.
    """
    return Column(name, "int64", unit, meaning)


def number(name: str, unit: str, meaning: str) -> Column:
    """Return a column of numbers.

    Parameters
    ----------
    name, unit, meaning : str
        As for `Column`.
    """
    return Column(name, "float64", unit, meaning)


def share(name: str, meaning: str) -> Column:
    """Return a column of chances, shares or scores, which run from 0 to 1."""
    return number(name, "0-1", meaning)


def points(name: str, meaning: str) -> Column:
    """Return a column of requisition."""
    return number(name, "points", meaning)


def points_with_ends(name: str, meaning: str) -> tuple[Column, Column, Column]:
    """Return the columns of a requisition found between two whole numbers of units: itself, and both ends."""
    between = "between whole numbers of units, scores are taken to rise in straight lines; inf: more than can be fought"
    return (
        points(name, f"{meaning}; {between}"),
        points(f"{name}_low", f"lower end of the interval of {name}: whole units, and the 95 % interval if rolled"),
        points(f"{name}_high", f"higher end of the interval of {name}"),
    )
