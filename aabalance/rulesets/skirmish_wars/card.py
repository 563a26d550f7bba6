"""Schema of a Skirmish Wars unit card: what the printed unit cards say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from aabalance.rulesets.base import Line, StrictKeys

MOST = 100
"""Largest number that a field may have: far above any printed one."""

HIT_POINTS = 8
"""Hit points of every unit at full strength (3.2, 3.4a); no card prints them."""

Size = Annotated[int, Field(ge=0, le=MOST)]
Cost = Annotated[int, Field(ge=1, le=MOST)]
Symbol = Literal["foot", "tread", "wheel", "triangle", "circle"]


class Range(StrictKeys):
    """Distances in squares at which a unit can fire (3.4a); 0 to 0 if it never fires."""

    min: Size = Field(title="from")
    max: Size = Field(title="to")

    @model_validator(mode="after")
    def _in_order(self) -> Range:
        if self.max < self.min:
            raise PydanticCustomError("range", "expected max to be no less than min")
        return self


class Firepower(StrictKeys):
    """Firepower by the target's symbol (3.4a)."""

    foot: Size = Field(description="against the moon")
    tread: Size = Field(description="against the star")
    wheel: Size = Field(description="against the square")
    triangle: Size = Field(0, description="against a symbol that no unit of the set bears")
    circle: Size = Field(0, description="against a symbol that no unit of the set bears")


class MovementCost(StrictKeys):
    """Movement points that a unit needs to enter a square (3.3b); none: it can't enter."""

    grass: Cost
    road: Cost = Field(description="roads, and all properties")
    forest: Cost
    river: Cost | None = None
    hill: Cost | None = None


class Card(StrictKeys):
    """A table of a card file."""

    id: SkipJsonSchema[str] = Field("", exclude=True)
    name: Line
    symbol: Symbol = Field(description="in the unit's lower right corner: what it counts as when fired upon")
    cost: Cost = Field(description="the printed price, $")
    mp: Size = Field(title="movement points")
    defense: Size
    range: Range
    firepower: Firepower = Field(description="at full strength")
    reduced: Firepower = Field(
        title="firepower below 5 hit points", description="firepower when reduced, below 5 hit points"
    )
    movement_cost: MovementCost
    carries: Size = Field(0, title="foot units it can carry", description="foot units that it can carry (3.3c)")
    note: str | None = Field(None, description="where the card deviates from the printed one, and why")
