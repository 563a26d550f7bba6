"""Boards of matches: grounds, and the keys of a board's file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictInt, model_validator

from aabalance.rulesets.base import Keys, StrictKeys
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

MOST_ROUNDS = 1000
Number = Annotated[int, Field(ge=0, le=100_000)]
"""Money, or counters: far below what a record can count."""


class Placed(Keys):
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

    side: Literal["a", "b"]
    type: str
    at: Square
    hp: Annotated[StrictInt, Field(ge=1, le=HIT_POINTS)] = HIT_POINTS


class Money(StrictKeys):
    """What both sides begin with, $."""

    a: Number
    b: Number

    @model_validator(mode="before")
    @classmethod
    def _of_both(cls, money: Any) -> Any:
        """Return the money of each side, where one number stands for both."""
        return money if isinstance(money, dict | Money) else dict.fromkeys("ab", money)


class Options(StrictKeys):
    """What players may agree on besides board and lists, or a board says (S-12 to S-20)."""

    money: Money = Field(
        Money(a=5, b=5), description="$ of each side before its first income: one number, or {a = 5, b = 10} (S-12)"
    )
    conquest: bool = Field(True, description="whoever captures the enemy's HQ or eliminates all enemy units wins")
    medals: int = Field(0, ge=0, le=1000, description="number of eliminated enemy units that wins; 0: not played")
    cities: int = Field(0, ge=0, le=1000, description="number of cities that wins; 0: not played")
    turn_limit: int = Field(
        30, ge=1, le=MOST_ROUNDS, description="rounds after which the match is a draw; --rounds says the same"
    )
    counters: Number | dict[str, Number] | None = Field(
        4, description="units of a type that a side may have in play: one number, a table by type, or none (S-17)"
    )
    shop: list[str] | Literal["all"] = Field("all", description="types of units that can be bought; []: nothing")
    elimination: Literal["units", "units_and_factories"] = Field(
        "units", description="a side without units has lost, even with a factory, or only without one (S-20)"
    )


class File(BoardFile, Options):
    """The keys of a board's file: what a match begins with, as in its set-up, which goes before the board.

    Attributes
    ----------
    units : sequence of Placed
        A board with units is a scenario (S-12).
    first : {"a", "b"}
        Who has the first turn.
    unreduce_on_repair : bool, optional
        As the rule switch of this name, which goes before it.
    """

    units: Annotated[tuple[Placed, ...], Field(strict=False, max_length=records.MOST_UNITS)] = ()
    first: Literal["a", "b"] = "a"
    unreduce_on_repair: bool | None = None


def enters(card: Card, ground: str) -> bool:
    """Return whether a unit may stand on a ground; all properties count as road (3.3b)."""
    costs = card.movement_cost
    return bool(getattr(costs, ground.split()[0], costs.road))


def symbol(card: Card) -> Symbol:
    """Return what a unit is drawn as."""
    return symbol_of(card.symbol, card.range.min, card.carries)


def symbol_of(kind: str, least_range: int, carries: int) -> Symbol:
    """Return what a unit is drawn as by its `kind`, its symbol, its `least_range`, and how many it `carries`."""
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
