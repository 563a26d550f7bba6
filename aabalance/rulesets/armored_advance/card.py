"""Schema of an Armored Advance unit card, and what a card alone says of its unit.

The rulebook's page for cards (p. 16) is empty; this is this project's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    Tag,
    ValidationInfo,
    with_config,
)
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from aabalance.rulesets.armored_advance.keywords import CONTRADICTIONS, KEYWORDS, slow_reverse
from aabalance.rulesets.base import Line, StrictKeys

STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)

MOST = 1000
"""Far above anything that drove; larger numbers are slips, and would keep the exact solver busy for minutes."""
MOST_ACTIONS = 4
MOST_BASE = 200
MOST_WEAPONS = 10
AI_CODE = re.compile(r"D(?P<sides>[36])(?P<plus>[+-]\d{1,3})?|(?P<men>\d{1,3})")

LIGHT_FREE_IN = 2
HEAVY_AGAIN_IN = 2
GUN_CLASSES = (
    (16, "100 mm and more"),
    (12, "85-90 mm"),
    (8, "75-77 mm"),
    (3, "40-57 mm"),
    (1, "up to 37 mm"),
    (0, "no gun"),
)
"""Least damage of a calibre class: 10 (calibre / 75)^2."""

Count = Annotated[int, Field(ge=1, le=MOST)]
Size = Annotated[int, Field(ge=0, le=MOST)]
Points = Annotated[int, Field(ge=1, le=10 * MOST)]
Inches = Annotated[float, Field(gt=0, le=MOST, allow_inf_nan=False)]


class Armor(StrictKeys):
    """Plates in centimetres (p. 7: line of sight thickness)."""

    front: Size
    side: Size
    rear: Size


class _Weapon(StrictKeys):
    name: Line
    gun: Line | None = Field(
        None, title="shares the gun", description="weapons with the same gun are one: one attack a turn, of one kind"
    )
    range: Inches | None = Field(None, title="range in inches", description="longest range in inches")


class AtWeapon(_Weapon):
    """Fires at vehicles and field guns (p. 6-9)."""

    kind: Literal["at"] = Field(title="anti-tank")
    penetration: Size = Field(description="centimetres")
    penetration_by_band: Annotated[tuple[Size, ...], Field(min_length=6, max_length=6, strict=False)] | None = Field(
        None,
        title="penetration at 100 to 1500 m",
        description="centimetres at 100, 250, 500, 750, 1000, 1500 m; read only under penetration_falloff",
    )
    damage: Count = Field(description="hit points")


class HeWeapon(_Weapon):
    """Fires high explosive at vehicles and field guns: base - n * D6 - side armour (p. 10)."""

    kind: Literal["he"] = Field(title="high explosive")
    base: Annotated[int, Field(ge=1, le=MOST_BASE)] = Field(
        title="damage before the die", description="hit points before the die and the armour"
    )
    n: Size = Field(title="less for each pip", description="how much each pip takes off")


def _ai_code(code: str) -> str:
    if not AI_CODE.fullmatch(code):
        raise PydanticCustomError("ai_code", "expected a casualty code such as 'D3-1', 'D6-2' or '1'")
    return code


AiCode = Annotated[str, AfterValidator(_ai_code)]


def sides_and_plus(code: str) -> tuple[int, int]:
    """Return the sides of a casualty code's die, 0 without one, and what is added to it."""
    match = AI_CODE.fullmatch(code)
    if match is None:
        raise ValueError(f"not a casualty code: {code!r}")
    return int(match["sides"] or 0), int(match["plus"] or match["men"] or 0)


class AiStep(StrictKeys):
    """A casualty code for squads of at least `min` men."""

    min: Count = Field(title="men at least")
    ai: AiCode = Field(title="casualty code")


class AiWeapon(_Weapon):
    """Fires at infantry (p. 10, p. 17)."""

    kind: Literal["ai"] = Field(title="against infantry")
    ai: AiCode | Annotated[tuple[AiStep, ...], Field(min_length=1, strict=False)] = Field(
        title="casualty code", description="casualty code, or a list by the attacker's strength"
    )
    range: Inches | None = Field(
        12, title="range in inches", description='longest range in inches; 12" unless given (p. 10)'
    )

    def code(self, strength: int) -> str:
        """Return the casualty code of so many men."""
        if isinstance(self.ai, str):
            return self.ai
        steps = [step for step in self.ai if step.min <= strength]
        return max(steps, key=lambda step: step.min).ai if steps else "0"


Weapon = Annotated[AtWeapon | HeWeapon | AiWeapon, Field(discriminator="kind")]


def _true(flag: object) -> object:
    # Literal[True] alone takes the number 1 as well.
    if flag is not True:
        raise PydanticCustomError("flag", "expected true")
    return flag


Flag = Annotated[Literal[True], BeforeValidator(_true)]

if TYPE_CHECKING:
    Keywords = dict[str, int]
else:
    # Made from the registry, so that a new keyword reaches validation and the JSON Schema by itself.
    Keywords = with_config(STRICT)(
        TypedDict(
            "Keywords",
            {
                name: Annotated[
                    Annotated[int, Field(ge=1, le=keyword.most)] if keyword.number else Flag,
                    Field(description=keyword.meaning),
                ]
                for name, keyword in KEYWORDS.items()
            },
            total=False,
        )
    )


def _compatible(keywords: dict[str, int], known: ValidationInfo) -> dict[str, int]:
    of_class = known.data.get("class_")
    if keywords and of_class == "infantry":
        raise PydanticCustomError("class", "expected none of a squad")
    for name in keywords:
        if of_class == "field_gun" and name in ("apc", "towing"):
            raise PydanticCustomError("class", f"expected no {name} of a field gun")
    for name, other in CONTRADICTIONS:
        if name in keywords and other in keywords:
            raise PydanticCustomError("contradiction", f"{name} and {other} contradict each other")
    return keywords


class _Unit(StrictKeys):
    id: str = Field("", exclude=True)
    name: Line
    nation: Line
    year: Annotated[int, Field(ge=1900, le=1960)] | None = Field(None, description="year in service")
    weight: Literal["light", "medium", "heavy"]
    movement: Size = Field(title="inches a movement action", description="inches per movement action")
    requisition: Points | None = Field(
        None, description="points; this project's proposal; without it, `worth` and `tune` propose one"
    )
    weapons: Annotated[tuple[Weapon, ...], Field(strict=False, max_length=MOST_WEAPONS)] = Field(
        (), description="the first is the primary"
    )
    note: str | None = Field(None, description="why the card deviates from the derivation")

    def __hash__(self) -> int:
        """Return a hash that is quick to find: hardly ever do two cards have one name and year."""
        return hash((self.name, self.year))


def _class(value: object) -> object:
    # Its own words, since a card of no class is checked as a vehicle.
    if value not in ("vehicle", "field_gun"):
        raise PydanticCustomError("class", "expected 'vehicle', 'field_gun' or 'infantry'")
    return value


def _drive(drive: str, known: ValidationInfo) -> str:
    if known.data.get("class_") == ("vehicle" if drive == "towed" else "field_gun"):
        raise PydanticCustomError("drive", "expected towed of a field gun, another of a vehicle")
    return drive


def _of_rifles(equipment: Any, known: ValidationInfo) -> Any:
    if known.data.get("squad") not in (None, "rifle") and (equipment.machine_gun or equipment.grenades):
        raise PydanticCustomError("equipment", "expected none of a special squad (p. 19)")
    return equipment


class VehicleCard(_Unit):
    """A vehicle or a field gun."""

    class_: Annotated[Literal["vehicle", "field_gun"], BeforeValidator(_class)] = Field(alias="class")
    drive: Annotated[Literal["tracked", "half_track", "wheeled", "towed"], AfterValidator(_drive)]
    actions: Annotated[int, Field(ge=1, le=MOST_ACTIONS)] = Field(
        2, title="actions a turn", description="action pool (p. 4)"
    )
    hp: Count = Field(title="hit points")
    armor: Armor = Field(title="armour in cm")
    keywords: Annotated[Keywords, AfterValidator(_compatible)] = Field(default_factory=dict)


class InfantryCard(_Unit):
    """An infantry squad (p. 17-19)."""

    class Equipment(StrictKeys):
        """What a squad carries (p. 18)."""

        machine_gun: bool = False
        grenades: Annotated[int, Field(ge=0, le=2)] = 0

        @property
        def requisition(self) -> int:
            """The printed cost: 5 for the machine gun and for each grenade."""
            return 5 * (self.machine_gun + self.grenades)

    class_: Literal["infantry"] = Field(alias="class")
    drive: Literal["foot"]
    actions: Literal[1] = 1
    strength: Annotated[int, Field(ge=1, le=6)] = Field(title="men")
    squad: Literal["rifle", "at_rifle", "sniper", "artillery_crew"]
    equipment: Annotated[Equipment, AfterValidator(_of_rifles)] = Equipment()
    keywords: Annotated[Keywords, AfterValidator(_compatible)] = Field(default_factory=dict)


Unit = VehicleCard | InfantryCard


def _kind(table: Any) -> str:
    unit_class = table.get("class") if isinstance(table, dict) else getattr(table, "class_", None)
    return "infantry" if unit_class == "infantry" else "vehicle"


class Card(
    RootModel[
        Annotated[
            Annotated[VehicleCard, Tag("vehicle")] | Annotated[InfantryCard, Tag("infantry")], Discriminator(_kind)
        ]
    ]
):
    """A table of a card file."""


# --- what a card says of its unit -------------------------------------------------------------------------------


def toughness(card: Unit) -> int:
    """Return the hit points, or the men of a squad."""
    return card.strength if isinstance(card, InfantryCard) else card.hp


def is_primary(card: Unit, at: int) -> bool:
    """Return whether the weapon at a place on the card is the primary one, the first, or shares its gun."""
    return at == 0 or (card.weapons[at].gun is not None and card.weapons[at].gun == card.weapons[0].gun)


def gun_class(card: Unit) -> str:
    """Return the calibre class of the largest gun, read off its damage (p. 9: 75 mm does 10)."""
    damage = max((w.damage if w.kind == "at" else w.base for w in card.weapons if w.kind != "ai"), default=0)
    return next(name for least, name in GUN_CLASSES if damage >= least)


def free_in(card: Unit) -> int:
    """Return the inches that a unit moves once a turn without an action (p. 4 Light; AA-58)."""
    return LIGHT_FREE_IN if card.class_ == "vehicle" and card.weight == "light" and card.movement else 0


def moves_in(card: Unit, actions: int) -> int:
    """Return the inches that a unit moves with this many movement actions in a turn (p. 4).

    A heavy unit moves 2 inches in each action after the first (interpretation 1.3, GUESS), or less if its card says so.
    """
    if actions == 0:
        return 0
    if card.weight == "heavy" and card.class_ == "vehicle":
        return card.movement + (actions - 1) * min(HEAVY_AGAIN_IN, card.movement)
    return actions * card.movement


def backwards_in(card: Unit, inches: float) -> float:
    """Return how many of `inches` a unit can move away from an enemy that it keeps facing (p. 14 Slow Reverse).

    These are all, or half of them for a unit that is slow in reverse; this counts for a light unit's free move too.
    """
    return slow_reverse(inches) if "slow_reverse" in card.keywords else inches
