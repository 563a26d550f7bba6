"""The decks of a match, which stand in place of a map, and where Force cards are drawn."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from aabalance.rulesets.base import Line, StrictKeys
from aabalance.rulesets.base.board import BoardKeys, BoardRules, Ground, Symbol
from aabalance.rulesets.modern_land_battles.card import ActionCard, Card
from aabalance.rulesets.modern_land_battles.match import records

MOST_HAND = 24
WIDTH = 6
"""Columns of an Area in the picture."""
ROWS = ".".join(area * WIDTH for area in "tbf")
MAP = "\n".join([ROWS] * records.ROWS + ["." * len(ROWS)] + [ROWS] * records.ROWS)
"""Three Rows of b, seen from a, then three of a: Terrain Area, Breakthrough Area, Flanking Area."""
COLUMNS = {records.TERRAIN: 0, records.BREAKTHROUGH: WIDTH + 1, records.FLANKING: 2 * (WIDTH + 1)}
"""The first column of each Area."""

LEGEND = {
    "t": Ground("Terrain Area", "#e6efd2", "trees"),
    "b": Ground("Breakthrough Area", "#e9e2d4", "plain"),
    "f": Ground("Flanking Area", "#dfe5ea", "ridge"),
    ".": Ground("between", "#ffffff", "road"),
}
SYMBOLS: dict[str, Symbol] = {
    "tank": "armour",
    "fighting_vehicle": "mechanized",
    "transport": "infantry",
    "missile_carrier": "anti-tank",
    "artillery": "artillery",
}

Number = Annotated[int, Field(ge=0, le=100)]


class ActionDeck(StrictKeys):
    """The Action cards of a kind: how many, and the numbers in their corners (Action Card Details; M-12)."""

    count: Number = Field(description="cards of this kind")
    maneuver: Number = Field(description="added to each Maneuver die")
    reinforce: Number = Field(description="Victory Points of Force cards that it brings in")


class TerrainDeck(StrictKeys):
    """The Terrain cards of a kind (Terrain Maneuvering)."""

    count: Number = Field(description="cards of this kind")
    squares: Annotated[int, Field(ge=1, le=100)] = Field(description="on each side of Start")
    vp: Number = Field(description="Victory Points of whoever Secures it")
    benefit: Literal["none", "draw", "flank", "ready", "repair", "calm"] = Field(description="what he gains besides")


class File(BoardKeys):
    """The keys of a board's file: both decks, and the size of the match.

    Attributes
    ----------
    victory : int
        Victory Points that win.
    force : int
        Most Victory Points of a starting force.
    hand : int
        Action cards in a hand.
    action : mapping of str to ActionDeck
    terrain : mapping of str to TerrainDeck
    """

    victory: Annotated[int, Field(ge=1, le=1000)]
    force: Annotated[int, Field(ge=1, le=1000)]
    hand: Annotated[int, Field(ge=0, le=MOST_HAND)]
    action: dict[ActionCard, ActionDeck]
    terrain: Annotated[dict[Line, TerrainDeck], Field(max_length=records.MOST_TERRAINS)]


def symbol(card: Card) -> Symbol:
    """Return what a Force card is drawn as."""
    return SYMBOLS[card.type]


def enters(card: Card, ground: str) -> bool:
    """Return whether a Force card may stand on a ground."""
    return ground.endswith("Area")


BOARD = BoardRules(schema=File, legend=LEGEND, enters=enters, symbol=symbol, most_squares=len(MAP), most=(), map=MAP)
