"""Schema of a Forumini Armies unit card (rulebook, Unit Cards), one shape for each kind of unit."""

from __future__ import annotations

import difflib
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, RootModel
from pydantic import ValidationInfo as Info
from pydantic_core import PydanticCustomError

from aabalance.rulesets.base import Line, StrictKeys

MOST = 100
"""Largest number that a field may have: far above any printed one."""
MOST_ATTACKS = 6
MOST_COST = 10_000

GUN_CLASSES = (
    (14, "14 dice and more"),
    (10, "10-13 dice"),
    (6, "6-9 dice"),
    (1, "1-5 dice"),
    (0, "no attack on vehicles"),
)
"""Least number of Attack Dice against vehicles in each class of weapons, and the name of the class."""

INDIRECT = "Indirect Fire"
"""The special ability to attack without a Line of Sight, which may stand in a longer name."""
NO_TURRET = "No Turret", "Fixed Howitzer"
"""Special abilities of vehicles that fire into their front arc alone [F-24]."""
NEAR = 0.8
"""A name this close to that of an ability which rules read is a slip."""

Count = Annotated[int, Field(ge=1, le=MOST)]
Cost = Annotated[int, Field(gt=0, le=MOST_COST)] | Annotated[float, Field(gt=0, le=MOST_COST, allow_inf_nan=False)]
Size = Annotated[int, Field(ge=0, le=MOST)]
Cover = Annotated[int, Field(ge=2, le=MOST)]
Modifier = Annotated[int, Field(ge=-MOST, le=MOST)]


def _rising(ends: tuple[int, ...]) -> tuple[int, ...]:
    if list(ends) != sorted(set(ends)):
        raise PydanticCustomError("range", "expected hexes that rise from column to column")
    return ends


def _row(dice: tuple[int, ...], info: Info) -> tuple[int, ...]:
    columns = len(info.data.get("range", dice))
    if dice and len(dice) != columns:
        raise PydanticCustomError("dice", "expected {columns} numbers, one a column", {"columns": columns})
    return dice


Columns = Annotated[tuple[Size, ...], Field(strict=False), AfterValidator(_rising)]
Row = Annotated[tuple[Size, ...], Field(strict=False), AfterValidator(_row)]


class Faces(StrictKeys):
    """A number for each face of a vehicle (Unit Cards, Vehicles 7)."""

    front: Count
    side: Count
    rear: Count
    top: Count


def _vital(vital: Any, info: Info) -> Any:
    """Refuse vital armour (or Disintegration) below the armour (or Defense): three hits can't be easier than one."""
    name = "armor" if "armor" in info.data else "defense"
    armor = info.data.get(name, vital)
    faces = Faces.model_fields if isinstance(armor, Faces) else ()
    pairs = [(getattr(armor, face), getattr(vital, face)) for face in faces] or [(armor, vital)]
    if any(second < first for first, second in pairs):
        least = f"{name}{', face by face' if faces else f', {armor}'}"
        raise PydanticCustomError("vital", "expected at least {least}", {"least": least})
    return vital


def _ability(name: str) -> str:
    """Refuse a slip in the name of an ability that rules read, which would take it away; all others are for people."""
    known = {one.casefold(): one for one in (INDIRECT, *NO_TURRET)}
    near = difflib.get_close_matches(name.casefold(), known, 1, NEAR)
    if near and known[near[0]] not in name:
        raise PydanticCustomError("ability", "expected {name}", {"name": known[near[0]]})
    return name


class _Unit(StrictKeys):
    id: str = Field("", exclude=True)
    name: Line
    nation: Line | None = None
    year: Annotated[int, Field(ge=1900, le=1960)] | None = Field(None, description="date: ready for combat")
    cost: Cost = Field(description="points")
    abilities: Annotated[tuple[Annotated[str, AfterValidator(_ability)], ...], Field(strict=False)] = Field(
        (), title="special abilities", description="special abilities, as printed"
    )
    note: str | None = Field(None, description="what of the card is this project's, not printed")


class _Armed(_Unit):
    range: Columns = Field(
        (), title="last hex of each range", description="last hex of each range column; no attack beyond"
    )
    antisoldier: Row = Field((), title="dice against soldiers", description="Attack Dice against soldiers, by column")
    antivehicle: Row = Field((), title="dice against vehicles", description="Attack Dice against vehicles, by column")
    die_modifier: Modifier = Field(0, title="on each attack die", description="added to each attack die")
    attacks: Annotated[int, Field(ge=1, le=MOST_ATTACKS)] = Field(1, description="attacks in an Assault phase")


class _Ground(_Armed):
    speed: Size = Field(description="Movement Points")
    cover: Cover | None = Field(None, title="Cover Roll", description="Cover number; none: every Cover Roll fails")
    antiair: Row = Field((), title="dice against aircraft", description="Attack Dice against aircraft, by column")
    initiative: Size = Field(0, title="initiative bonus", description="bonus of a commander")

    @property
    def fires_indirectly(self) -> bool:
        """Whether an ability lets it attack without a Line of Sight (Indirect Fire)."""
        return any(INDIRECT in ability for ability in self.abilities)


class SoldierCard(_Ground):
    """A soldier (Unit Cards, Soldiers)."""

    kind: Literal["soldier"]
    type: Annotated[str, Field(pattern=r"^Soldier(-.+)?$")]
    defense: Count
    disintegration: Annotated[Count, AfterValidator(_vital)]


class VehicleCard(_Ground):
    """A vehicle (Unit Cards, Vehicles)."""

    kind: Literal["vehicle"]
    type: Annotated[str, Field(pattern=r"^Vehicle(-.+)?$")]
    armor: Faces = Field(title="armour")
    vital: Annotated[Faces, AfterValidator(_vital)] = Field(title="vital armour")


class AircraftCard(_Armed):
    """An aircraft (Unit Cards, Aircraft)."""

    class Bombs(StrictKeys):
        """The bomb icons."""

        dice: Count = Field(description="Attack Dice of a bomb attack")
        attacks: Count = Field(description="bomb attacks in a game")

    kind: Literal["aircraft"]
    type: Literal["Aircraft-Fighter", "Aircraft-Bomber", "Aircraft-Dive Bomber", "Aircraft-Scout"]
    speed: Size | None = Field(None, description="order of placement, lowest first")
    armor: Count = Field(title="armour")
    vital: Annotated[Count, AfterValidator(_vital)] = Field(title="vital armour")
    antifighter: Row = Field((), title="dice against fighters", description="Attack Dice against fighters, by column")
    antibomber: Row = Field(
        (), title="dice against other aircraft", description="Attack Dice against all other aircraft, by column"
    )
    bombs: Bombs | None = None


class ObstacleCard(_Unit):
    """An obstacle: it neither attacks nor can be attacked."""

    kind: Literal["obstacle"]


Unit = SoldierCard | VehicleCard | AircraftCard | ObstacleCard


class Card(RootModel[Annotated[Unit, Field(discriminator="kind")]]):
    """A table of a card file."""


def gun_class(card: Unit) -> str:
    """Return the class of a unit's weapon, by the most Attack Dice that it has against vehicles at any range."""
    dice = 0 if isinstance(card, ObstacleCard) else max(card.antivehicle, default=0)
    return next(name for least, name in GUN_CLASSES if dice >= least)
