"""The Terrain Effects Chart, which the rulebook's text lacks: a file of ours, read and checked [F-21]."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, RootModel, StringConstraints
from pydantic_core import PydanticCustomError

from aabalance.cards.faults import read_as
from aabalance.files import data_folder
from aabalance.rulesets.base import StrictKeys
from aabalance.rulesets.base.board import Ground, Texture
from aabalance.rulesets.forumini.card import Unit
from aabalance.rulesets.forumini.match import records

FILE = "forumini/match/terrain.toml"

Cost = Annotated[int, Field(ge=1, le=records.MOST_SPEED)]


class Terrain(StrictKeys):
    """A row of the chart: a kind of ground.

    Attributes
    ----------
    letter : str
        What stands for it on maps.
    soldier, vehicle : int or None
        Movement Points that a unit pays to enter it; None: it may not.
    roll : int or None
        Movement Roll of a vehicle; None: no roll.
    road : bool
        Whether roads run through it.
    cover : int or None
        Modifier of Cover Rolls; None: no cover.
    blocks : bool
        Whether it blocks the Line of Sight.
    colour, texture : str
        How it is drawn.
    """

    letter: Annotated[str, StringConstraints(pattern=r"^\S$")]
    soldier: Cost | None = None
    vehicle: Cost | None = None
    roll: Annotated[int, Field(ge=2, le=6)] | None = None
    road: bool = False
    cover: Annotated[int, Field(ge=-6, le=6)] | None = None
    blocks: bool = False
    colour: Annotated[str, StringConstraints(pattern="^#[0-9a-f]{6}$")]
    texture: Texture = "plain"


def _told_apart(rows: dict[str, Terrain]) -> dict[str, Terrain]:
    if len({row.letter for row in rows.values()}) < len(rows):
        raise PydanticCustomError("letter", "expected a letter of its own for each row")
    return rows


class Chart(
    RootModel[Annotated[dict[str, Terrain], Field(max_length=records.MOST_GROUNDS), AfterValidator(_told_apart)]]
):
    """The chart: its rows by the names of grounds."""


def read_chart(path: Path) -> Mapping[str, Terrain]:
    """Return the chart in a file, by the names of grounds.

    Raises
    ------
    CardError
        Rows are wrong, or share a letter, or are too many: all faults, with their lines.
    """
    return read_as(Chart, path).root


@cache
def chart() -> Mapping[str, Terrain]:
    """Return the chart of the package's data."""
    return read_chart(data_folder("unitdb") / FILE)


def legend() -> dict[str, Ground]:
    """Return what the letters of maps stand for."""
    return {row.letter: Ground(name, row.colour, row.texture) for name, row in chart().items()}


def enters(card: Unit, ground: str) -> bool:
    """Return whether a unit may be on a ground; aircraft and obstacles are in no match."""
    return getattr(chart()[ground], card.kind, None) is not None
