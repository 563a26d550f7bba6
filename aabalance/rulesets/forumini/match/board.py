"""Boards of matches: the keys of a board's file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from aabalance.rulesets.base.board import BoardFile, BoardRules, Symbol, lines_of
from aabalance.rulesets.forumini.card import ObstacleCard, Unit
from aabalance.rulesets.forumini.match import records
from aabalance.rulesets.forumini.match.terrain import enters, legend

MOST_TURNS = 100
Turn = Annotated[int, Field(ge=1, le=MOST_TURNS)]


def _in_order(turns: tuple[int, int]) -> tuple[int, int]:
    if turns[0] > turns[1]:
        raise ValueError("the last turn not before the first")
    return turns


Turns = Annotated[tuple[Turn, Turn], Field(strict=False), AfterValidator(_in_order)]
"""The turn after which the objective zone is first looked at, and the last turn (How to Win)."""
TURNS: Turns = (7, 10)


class File(BoardFile):
    """The keys of a board's file.

    Attributes
    ----------
    objective : str
        The hex of the Objective Counter: column and row, from 0.
    deploy : int
        How many columns from the western and the eastern edge are the deployment zones.
    turns : (int, int)
        The first turn after which the objective zone is looked at, and the last turn.
    """

    objective: Annotated[str, Field(pattern=r"^\d+,\d+$")]
    deploy: Annotated[int, Field(ge=1)]
    turns: Turns = TURNS


def marks(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the objective and both deployment zones of a board, as those of all games are read."""
    rows, deploy = lines_of(table["map"]), table["deploy"]
    east, south = max(map(len, rows)) - 1, len(rows) - 1
    column, row = map(int, table["objective"].split(","))
    return {
        "objectives": [[column, row]],
        "zones": {"west": {"rect": [0, 0, deploy - 1, south]}, "east": {"rect": [east - deploy + 1, 0, east, south]}},
    }


def symbol(card: Unit) -> Symbol:
    """Return what a unit is drawn as."""
    type_ = "" if isinstance(card, ObstacleCard) else card.type
    if "Artillery" in type_:
        return "artillery"
    if card.kind == "soldier":
        return "infantry"
    if "Destroyer" in type_:
        return "anti-tank"
    return "mechanized" if type_.endswith(("Half-Track", "Truck")) else "recon" if "Car" in type_ else "armour"


BOARD = BoardRules(
    schema=File,
    legend=legend(),
    enters=enters,
    symbol=symbol,
    most_squares=records.MOST_HEXES,
    most=[],
    hexes=True,
    marks=marks,
    keys={"objectives": "objective", "zones": "deploy"},
)
