"""What an attack depends on besides the two cards and the variant: the situation, and the moment of the attack."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from aabalance.errors import shown
from aabalance.rulesets.base import FAR, Circumstances, Distance

Facing = Literal["front", "side", "rear"]

FRONT_DEGREES = 45
REAR_DEGREES = 135
ANGLED_DEGREES = (30, 60)
SCOUT_IN = 60
LONGEST_IN = 144
"""No table is longer. The rulebook ends the range of a few weapons; all others hit on 6 at any distance (p. 6)."""
ONE_SIDED = ("angled", "bearing", "set_up", "artillery_crew", "scout_in", "in_cover_range", "gun_shield")
"""Fields that belong to one of the two units, and have no counterpart of the other."""


def _in_range(value: float) -> float:
    if value > LONGEST_IN:
        raise ValueError(f"expected {LONGEST_IN} at most: farther is out of range, longer than any table")
    return value


def _count(value: object) -> object:
    # A report definition's keys are text.
    return {"true": 1, "false": 0}.get(value, value) if isinstance(value, str) else value


class Situation(Circumstances):
    """Where the two units stand, for as long as they fight.

    Distances are inches between the nearest hull edges (p. 6).
    """

    facing: Facing = Field("front", description="face of the target that is shot at (p. 14: quadrants)")
    angled: bool = Field(False, description="the attacker lies 30 to 60 degrees off the target's front axis (p. 14)")
    bearing: float | None = Field(
        None,
        ge=0,
        le=180,
        description="degrees between the target's front axis and the attacker; sets `facing` (front to 45, side to "
        "135) and `angled` (30 to 60) (AA-46, AA-47)",
    )
    own_facing: Facing = Field(
        "front", description="face of the attacker that is shot at when the target fires back (p. 14: quadrants)"
    )
    set_up: bool = Field(False, description="the attacker's indirect gun has been set up for a full turn (p. 15)")
    artillery_crew: bool = Field(False, description="an artillery crew mans the attacker, a field gun (p. 19)")
    scout_in: Distance | None = Field(
        None,
        description="inches from the target to a friendly scout that sees it and spends its action on it; no effect "
        "beyond 60 (p. 11)",
    )
    walls: int = Field(0, ge=0, le=FAR, description="walls shot through (p. 21)")
    hidden: bool = Field(
        False,
        description="a wall hides the target completely: it can be shot at only with a scout's help, without bonus "
        "(p. 21)",
    )
    foliage: Annotated[int, BeforeValidator(_count)] = Field(
        0, ge=0, le=FAR, description="pieces of foliage between the two; `true` is one (p. 8, p. 21)"
    )
    foliage_near_firer: int = Field(
        0, ge=0, le=FAR, description="of those pieces, the ones within 3 inches of the attacker"
    )
    foliage_near_target: int = Field(
        0, ge=0, le=FAR, description="of those pieces, the ones within 3 inches of the target, which is behind them"
    )
    sandbags: bool = Field(False, description="sandbags cover the target's face; field guns and infantry only (p. 21)")
    own_sandbags: bool = Field(False, description="sandbags cover the attacker when the target fires back")
    in_cover_range: bool = Field(False, description="a terrain feature covers the target from indirect fire (p. 15)")
    gun_shield: int = Field(
        0,
        ge=0,
        le=FAR,
        description="armour that the field gun manned by the target, a squad, shows to the attacker (p. 17)",
    )

    @model_validator(mode="before")
    @classmethod
    def _agree(cls, fields: Any) -> Any:
        """Set the fields that follow from the bearing, and refuse values that contradict it."""
        if not isinstance(fields, dict):
            return fields
        bearing = fields.get("bearing")
        if isinstance(bearing, int | float) and 0 <= bearing <= 180:
            low, high = ANGLED_DEGREES
            facing = "front" if bearing <= FRONT_DEGREES else "side" if bearing < REAR_DEGREES else "rear"
            implied = {"facing": facing, "angled": low <= bearing <= high}
            for name, value in implied.items():
                if fields.get(name, value) != value:
                    _refuse(name, fields[name], f"{shown(value)}, as a bearing of {bearing:g} degrees says")
            return fields | implied
        return fields

    @model_validator(mode="after")
    def _possible(self) -> Situation:
        if self.angled and self.facing == "rear":
            _refuse("angled", True, "false at the rear: angled is 30 to 60 degrees off the front axis")
        for name in ("foliage_near_firer", "foliage_near_target"):
            near = getattr(self, name)
            if near > self.foliage:
                _refuse(name, near, f"at most {self.foliage}, the pieces of foliage between the two")
        return self

    @property
    def scouted(self) -> bool:
        """A friend's scout is near enough to the target to mark it (p. 11)."""
        return self.scout_in is not None and self.scout_in <= SCOUT_IN

    def mirrored(self, range_in: float) -> Self:
        """Return the situation of the target when it fires back.

        Walls and foliage between the two stay. Faces and sandbags are exchanged. What else belongs to one of the two (a
        scout, a crew, a shield) doesn't belong to the other, and is left out.
        """
        reset = {name: type(self).model_fields[name].default for name in ONE_SIDED}
        foliage = "foliage_near_firer", "foliage_near_target"
        return self._exchanged((("facing", "own_facing"), foliage, ("sandbags", "own_sandbags")), **reset)


class Moment(Situation):
    """A situation at the moment of one attack: how far apart the two are, and what they did before it.

    In a duel and in a battle that follows from what the units do.
    """

    range_in: Annotated[Distance, AfterValidator(_in_range)] = Field(description="distance to the target, inches")
    moved: bool = Field(False, description="the attacker's first action this turn was a move (p. 8, p. 14)")
    shifted: bool = Field(
        False, description="the attacker made its free move, which isn't an action, before firing (p. 4)"
    )
    target_moves: int = Field(0, ge=0, le=FAR, description="move actions of the target in its last turn (p. 10: HE)")
    target_moved_in: Distance | None = Field(
        None,
        description="inches that the target moved in its last turn (p. 15: indirect fire); "
        "by default, as far as its move actions take it",
    )
    target_active: bool = Field(
        True, description="the target moved or fired in its previous turn; if not, special squads are safe (p. 19)"
    )
    embarked: bool = Field(False, description="the target, a squad, is inside a transport (p. 12, p. 18)")


def _refuse(name: str, value: object, expected: str) -> None:
    """Raise a fault that names one field; a plain error of a validator of the whole model would name none."""
    fault = InitErrorDetails(type=PydanticCustomError("conflict", expected), loc=(name,), input=value)
    raise ValidationError.from_exception_data("Situation", [fault])
