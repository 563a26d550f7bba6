"""What a player has to know about a unit at the table: its numbers, the needs of its dice, its keywords in words."""

from __future__ import annotations

from typing import NamedTuple


class Stat(NamedTuple):
    """A number of a unit as text, and what it is called."""

    name: str
    value: str


class Grid(NamedTuple):
    """A small table.

    Attributes
    ----------
    title : str
        What stands above the table.
    head : tuple of str
        Headings: first that of the rows' names, then one for each column.
    rows : tuple of tuple of str
        Each begins with the row's name.
    note : str
        How to read the table, or what it leaves out, with the section of the rulebook.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Term(NamedTuple):
    """A keyword, or another trait with a rule of its own, explained.

    Attributes
    ----------
    name, meaning : str
        The term, and what it means at the table.
    rule : str
        Page or section of the rulebook.
    """

    name: str
    meaning: str
    rule: str


class Track(NamedTuple):
    """What a unit can lose, to be ticked off.

    Attributes
    ----------
    name : str
        What the unit loses, such as hit points.
    boxes : tuple of str
        What stands in each box, in the order in which they are ticked off. With the last one the unit is destroyed.
    """

    name: str
    boxes: tuple[str, ...]


class Profile(NamedTuple):
    """What a player has to know about a unit.

    Attributes
    ----------
    kind : str
        What kind of unit it is; printed next to its nation and year.
    stats : tuple of Stat
        Its numbers.
    track : Track
        What it can lose.
    grids : tuple of Grid
        What its attacks do, and what attacks on it do.
    terms : tuple of Term
        Its keywords, and other traits with a rule of their own.
    """

    kind: str
    stats: tuple[Stat, ...]
    track: Track
    grids: tuple[Grid, ...] = ()
    terms: tuple[Term, ...] = ()


def left(toughness: int) -> tuple[str, ...]:
    """Return the boxes of a track that counts down from `toughness` to 1; every fifth box has its number."""
    return tuple(str(n) if n % 5 == 0 or n == toughness else "" for n in range(toughness, 0, -1))
