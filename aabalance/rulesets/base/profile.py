"""What a player has to know of a unit at the table: its numbers, what its dice need, its keywords in words."""

from __future__ import annotations

from typing import NamedTuple


class Stat(NamedTuple):
    """A number of a unit, and what it is called."""

    name: str
    value: str


class Grid(NamedTuple):
    """A small table.

    Attributes
    ----------
    title : str
    head : tuple of str
        Headings: of the rows first, then of each column.
    rows : tuple of tuple of str
        The row's name first.
    note : str
        How it is read, or what it leaves out, with the place in the rulebook.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Term(NamedTuple):
    """A keyword, or whatever else has a rule of its own, explained.

    Attributes
    ----------
    name, meaning : str
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
    boxes : tuple of str
        What stands in each box, in the order in which they are ticked off; the last one gone, the unit is.
    """

    name: str
    boxes: tuple[str, ...]


class Profile(NamedTuple):
    """What a player has to know of a unit.

    Attributes
    ----------
    kind : str
        What it is, beside its nation and year.
    stats : tuple of Stat
    track : Track
    grids : tuple of Grid
        What its attacks do, and what attacks on it do.
    terms : tuple of Term
    """

    kind: str
    stats: tuple[Stat, ...]
    track: Track
    grids: tuple[Grid, ...] = ()
    terms: tuple[Term, ...] = ()


def left(toughness: int) -> tuple[str, ...]:
    """Return the boxes of a track that counts down what is left: each fifth box says how much."""
    return tuple(str(n) if n % 5 == 0 or n == toughness else "" for n in range(toughness, 0, -1))
