"""Boards of matches: grounds, and the keys of a board's file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictInt

from aabalance.rulesets.armored_advance.card import Unit
from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.base import Keys, Line
from aabalance.rulesets.base.board import BoardFile, BoardRules, Ground, Square, Symbol

LEGEND = {
    ".": Ground("open", "#eef0dc", "plain"),
    "=": Ground("road", "#d9cfbb", "road"),
    "~": Ground("thick mud", "#cdb896", "mud"),
    "w": Ground("moderately deep water", "#bcd6e6", "water"),
    "B": Ground("building", "#c9b5ad", "building"),
    "^": Ground("ridge", "#d8d0a4", "ridge"),
    "f": Ground("foliage", "#c6dbb1", "trees"),
    "-": Ground("low wall", "#eef0dc", "low wall"),
    "#": Ground("high wall", "#eef0dc", "high wall"),
    "T": Ground("tank trap", "#e6e4d6", "trap"),
    "s": Ground("sandbags", "#e9e0bd", "sandbags"),
}
"""What the characters of a map stand for, in the order of `records.GROUNDS`."""
NUMBERS = {ground.name: number for number, ground in enumerate(LEGEND.values())}


def _odd(objectives: tuple[Square, ...]) -> tuple[Square, ...]:
    if objectives and len(objectives) % 2 == 0:
        raise ValueError("expected an odd number of squares for domination, or none (p. 23)")
    return objectives


class Zone(Keys):
    """Where a side deploys.

    Attributes
    ----------
    rect : (int, int, int, int)
        x0, y0, x1, y1: two corners, both in the zone.
    facing : str
        Which way deployed units look.
    """

    rect: tuple[StrictInt, StrictInt, StrictInt, StrictInt]
    facing: Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]


class File(BoardFile):
    """The keys of a board's file.

    Attributes
    ----------
    zones : mapping of str to Zone
        Two of them, by name.
    objectives : sequence of (int, int)
        Their squares, an odd number (p. 23); none, if the board isn't for domination.
    """

    zones: Annotated[dict[Line, Zone], Field(min_length=records.ZONES, max_length=records.ZONES)]
    objectives: Annotated[
        tuple[Square, ...], Field(strict=False, max_length=records.MOST_OBJECTIVES), AfterValidator(_odd)
    ] = ()


def enters(card: Unit, ground: str) -> bool:
    """Return whether a unit may stand on a ground."""
    return NUMBERS[ground] not in records.CLOSED[records.CLASSES.index(card.class_)]


def symbol(card: Unit) -> Symbol:
    """Return what a unit is drawn as."""
    keywords = card.keywords
    if card.class_ == "infantry":
        return "infantry"
    if card.class_ == "field_gun":
        return "artillery" if "indirect" in keywords else "anti-tank"
    return "recon" if "scout" in keywords else "mechanized" if "apc" in keywords else "armour"


BOARD = BoardRules(
    schema=File,
    legend=LEGEND,
    enters=enters,
    symbol=symbol,
    most_squares=records.MOST_SQUARES,
    most=[("tank traps", ["tank trap"], records.MOST_TRAPS)],
)
