"""Boards of matches: grounds, and the keys of a board's file (section 1 of the match)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from aabalance.rulesets.base.board import BoardFile, BoardRules, Ground, Square, Symbol
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS, Card
from aabalance.rulesets.skirmish_wars.match import records

CITY, FACTORY, HQ = "#dcd6d2", "#d3cbdb", "#e6cfc4"
LEGEND = {
    ".": Ground("grass", "#e6efd2", "plain"),
    "=": Ground("road", "#d9d3c6", "road"),
    "*": Ground("forest", "#bfd8a8", "trees"),
    "^": Ground("hill", "#ddd0a6", "ridge"),
    "~": Ground("river", "#bcd6e6", "water"),
    "c": Ground("city", CITY, "houses", goal=True),
    "f": Ground("factory", FACTORY, "works", goal=True),
    "A": Ground("hq a", HQ, "flag", "a", goal=True),
    "a": Ground("city a", CITY, "houses", "a", goal=True),
    "1": Ground("factory a", FACTORY, "works", "a", goal=True),
    "B": Ground("hq b", HQ, "flag", "b", goal=True),
    "b": Ground("city b", CITY, "houses", "b", goal=True),
    "2": Ground("factory b", FACTORY, "works", "b", goal=True),
}
"""What the characters of a map stand for: a ground, and the side that owns it."""

Number = Annotated[StrictInt, Field(ge=0)]


class Placed(BaseModel):
    """A unit on the board.

    Attributes
    ----------
    side : {"a", "b"}
    type : str
        Id of its card.
    at : (int, int)
        Its square.
    hp : int
        Its hit points.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    side: Literal["a", "b"]
    type: str
    at: Square
    hp: Annotated[StrictInt, Field(ge=1, le=HIT_POINTS)] = HIT_POINTS


class Money(BaseModel):
    """What both sides begin with, $."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    a: Number
    b: Number


class File(BoardFile):
    """The keys of a board's file: what a match begins with, as in its set-up, which goes before the board.

    Attributes
    ----------
    units : sequence of Placed
        A board with units is a scenario (S-12).
    money, first, conquest, medals, cities, turn_limit, counters, shop, unreduce_on_repair, elimination
        As `aabalance.rulesets.skirmish_wars.match.setup.DEFAULTS` says.
    """

    units: Annotated[tuple[Placed, ...], Field(max_length=records.MOST_UNITS)] = ()
    money: Money | None = None
    first: Literal["a", "b"] | None = None
    conquest: StrictBool | None = None
    medals: Number | None = None
    cities: Number | None = None
    turn_limit: Annotated[StrictInt, Field(ge=1)] | None = None
    counters: Number | dict[str, Number] | None = None
    shop: tuple[str, ...] | None = None
    unreduce_on_repair: StrictBool | None = None
    elimination: Literal["units", "units_and_factories"] | None = None


def enters(card: Card, ground: str) -> bool:
    """Return whether a unit may stand on a ground; all properties count as road (3.3b)."""
    costs = card.movement_cost
    return bool(getattr(costs, ground.split()[0], costs.road))


def symbol(card: Card) -> Symbol:
    """Return what a unit is drawn as."""
    return symbol_of(card.symbol, card.range.min, card.carries)


def symbol_of(kind: str, least_range: int, carries: int) -> Symbol:
    """Return what a unit is drawn as.

    Parameters
    ----------
    kind : str
        The symbol on its card.
    least_range, carries : int
        The least distance at which it fires, and how many units it carries.
    """
    if kind == "foot":
        return "infantry"
    if least_range > 1:
        return "artillery"
    return "mechanized" if carries else "armour" if kind == "tread" else "recon"


BOARD = BoardRules(
    schema=File,
    legend=LEGEND,
    enters=enters,
    symbol=symbol,
    most_squares=records.MOST_SQUARES,
    most=[("properties", [ground.name for ground in LEGEND.values() if ground.goal], records.MOST_PROPERTIES)],
)
