"""Schema of an Armour Battles unit card. The quick reference prints none; the one published card has these numbers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic import ValidationInfo as Info
from pydantic_core import PydanticCustomError, PydanticKnownError

from aabalance.rulesets.base import Line, StrictKeys

MOST_DICE = 20
"""Largest number of dice in a pool: odds of larger ones against each other would take noticeable time."""

GUN_CLASSES = ((10, "10D and more"), (8, "8-9D"), (6, "6-7D"), (1, "up to 5D"))
"""Least number of AT dice in each class of guns, and the name of the class."""

ARTILLERY = "artillery"

Size = Annotated[int, Field(ge=0, le=MOST_DICE)]
Points = Annotated[int, Field(ge=1, le=10_000)]
Inches = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Ranges = Annotated[tuple[Inches, Inches, Inches], Field(strict=False)]


def _of_a_gun(ranges: Ranges | None, info: Info) -> Ranges | None:
    if ranges is None and info.data.get("at_dice"):
        raise PydanticKnownError("missing")
    if ranges is not None and list(ranges) != sorted(ranges):
        raise PydanticCustomError("ranges", "expected ranges that don't fall")
    return ranges


class Card(StrictKeys):
    """A unit: a platoon, or an off-table battery."""

    id: str = Field("", exclude=True)
    name: Line
    nation: Line | None = None
    year: Annotated[int, Field(ge=1900, le=1960)] | None = Field(None, description="year in service")
    class_: Literal["tank", "assault_gun", "tank_destroyer", "reconnaissance", "battery"] = Field(
        alias="class", description="a battery is off the table: nobody can fire at it"
    )
    weapon: Line = Field(description="name of the gun")
    at_dice: Size = Field(0, title="AT dice", description="AT dice, rolled for direct fire")
    ranges_in: Annotated[Ranges | None, AfterValidator(_of_a_gun)] = Field(
        None,
        validate_default=True,
        title="close / effective / long range in inches",
        description="longest close, effective and long range, inches",
    )
    artillery_dice: Size = Field(0, description="rolled for indirect fire")
    reaction_dice: Size = Field(0, description="reaction dice against direct fire")
    reaction_dice_indirect: Size | None = Field(
        None,
        title="reaction dice against indirect fire",
        description="reaction dice against indirect fire, where they differ",
    )
    open_topped: bool = Field(False, description="one reaction die less against indirect fire")
    points: Points = Field(description="this project's proposal: nothing prints what units cost")
    note: str | None = Field(None, description="which numbers are published and which are this project's")

    @property
    def reaction_to_batteries(self) -> int:
        """The reaction dice against indirect fire."""
        return self.reaction_dice if self.reaction_dice_indirect is None else self.reaction_dice_indirect


def gun_class(card: Card) -> str:
    """Return the class of a unit by its AT dice; ``artillery`` for a unit without AT dice."""
    return next((name for least, name in GUN_CLASSES if card.at_dice >= least), ARTILLERY)
