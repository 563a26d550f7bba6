"""Schema of a Force card (Force Card Details)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST = 100
"""Far above any printed number."""

Count = Annotated[int, Field(ge=1, le=MOST)]
Modifier = Annotated[int, Field(ge=-MOST, le=MOST)]

Printable = Literal[
    "armor",
    "maneuver",
    "vp",
    "weapons.small_arms",
    "weapons.cannon",
    "weapons.missile",
    "weapons.artillery.range",
    "weapons.artillery.modifier",
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Artillery(_Part):
    """An Artillery symbol."""

    range: Count = Field(description="Rows")
    modifier: Modifier = Field(description="added to each Attack die")


class Weapons(_Part):
    """The Attack symbols, each with the modifier that is added to its Attack dice."""

    small_arms: Modifier | None = None
    cannon: Modifier | None = None
    missile: Modifier | None = None
    artillery: Artillery | None = None


class Card(_Part):
    """A Force card."""

    id: str = Field("", exclude=True)
    name: Annotated[str, Field(min_length=1)]
    nation: Annotated[str, Field(min_length=1)]
    type: Literal["tank", "fighting_vehicle", "transport", "missile_carrier", "artillery"]
    armor: Count = Field(description="an Attack die hits with this or more")
    maneuver: Count | None = Field(None, description="a Maneuver die succeeds with this or more; none: no such symbol")
    headquarters: bool = Field(False, description="adds an Action card to the hand")
    vp: Count = Field(description="Victory Points")
    weapons: Weapons = Weapons()
    printed: Annotated[tuple[Printable, ...], Field(strict=False)] = Field(
        (), description="fields whose numbers the rulebook prints; every other number is this project's"
    )
    note: str | None = Field(None, description="where the rulebook says so")
