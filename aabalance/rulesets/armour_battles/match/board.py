"""Boards of matches: grounds, and the keys of a board's file [B-15]."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.base import StrictKeys
from aabalance.rulesets.base.board import BoardFile, BoardRules, Ground, Square, Symbol

LEGEND = {
    ".": Ground("open", "#e6efd2", "plain"),
    ",": Ground("scrub", "#d3e0b4", "low wall"),
    "*": Ground("wood", "#bfd8a8", "trees"),
    "#": Ground("town", "#dcd6d2", "houses"),
    "^": Ground("hill", "#ddd0a6", "ridge"),
    "~": Ground("water", "#bcd6e6", "water"),
}
"""What the characters of a map stand for, in the order of `records.GROUNDS`."""
MOST_TURNS = 100
TURN_LIMIT = 8
"""Turns of a match where neither the set-up nor the board says how many."""
Turns = Annotated[int, Field(ge=1, le=MOST_TURNS)]
Facing = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
Dice = Annotated[int, Field(ge=0, le=records.MOST_COMMAND_DICE)]

COMMAND_DICE, STAFF_ORDERS, RALLY_DICE = 6, 4, 4
"""What an army has where nothing else is agreed: as in the published battle 3."""


class Army(StrictKeys):
    """What an army has besides units.

    Attributes
    ----------
    command_dice, staff_orders, rally_dice : int
    morale : int or None
        Morale points; None: as many as it has units, without batteries.
    """

    command_dice: Dice = COMMAND_DICE
    staff_orders: Dice = STAFF_ORDERS
    rally_dice: Dice = RALLY_DICE
    morale: Annotated[int, Field(ge=1, le=1000)] | None = None


class Armies(StrictKeys):
    """The armies of both sides."""

    a: Army = Army()
    b: Army = Army()

    @model_validator(mode="before")
    @classmethod
    def _of_both(cls, army: Any) -> Any:
        """Return a table for each side, where one stands for both."""
        is_one = isinstance(army, dict) and army and not army.keys() & {"a", "b"}
        return {"a": army, "b": army} if is_one else army


class Placed(StrictKeys):
    """A unit of a scenario, or a battery.

    Attributes
    ----------
    side : {"a", "b"}
    type : str
        Id of its card.
    at : (int, int) or None
        Its square; None: it is in reserve, or a battery.
    facing : str or None
        Where it looks; None: towards the other side.
    ambush : bool
        Whether it lies in ambush.
    dp : int
        Its disruption points.
    suppressed : bool
    """

    side: Literal["a", "b"]
    type: str
    at: Square | None = None
    facing: Facing | None = None
    ambush: bool = False
    dp: Annotated[int, Field(ge=0, le=2)] = 0
    suppressed: bool = False


class File(BoardFile):
    """The keys of a board's file: what a match begins with, as in its set-up, which goes before the board.

    Attributes
    ----------
    turn_limit : int
        Number of turns; eight if the file doesn't say it.
    army : Armies
    units : sequence of Placed
        The units of the scenario; lists that players bring take their place.
    """

    turn_limit: Turns = TURN_LIMIT
    army: Armies = Armies()
    units: Annotated[tuple[Placed, ...], Field(strict=False)] = ()


def enters(card: Card, ground: str) -> bool:
    """Return whether a unit may stand on a ground."""
    return ground != "water"


def symbol(card: Card) -> Symbol:
    """Return what a unit is drawn as."""
    if card.class_ == "battery":
        return "artillery"
    return "recon" if card.class_ == "reconnaissance" else "armour" if card.class_ == "tank" else "anti-tank"


BOARD = BoardRules(schema=File, legend=LEGEND, enters=enters, symbol=symbol, most_squares=records.MOST_SQUARES, most=[])
