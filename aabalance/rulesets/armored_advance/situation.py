"""What an attack depends on besides the two cards and the variant."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Facing = Literal["front", "side", "rear"]


class Situation(BaseModel):
    """Where the two units stand and what they did before.

    Distances are inches between the nearest hull edges (p. 6).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    range_in: float = Field(ge=0, allow_inf_nan=False, description="distance to the target, inches")
    facing: Facing = Field("front", description="face of the target that is shot at (p. 14: quadrants)")
    angled: bool = Field(False, description="the attacker lies 30 to 60 degrees off the target's front axis (p. 14)")
    moved: bool = Field(False, description="the attacker's first action this turn was a move (p. 8, p. 14)")
    shifted: bool = Field(
        False, description="the attacker made its free move, which is no action, before firing (p. 4)"
    )
    target_moves: int = Field(0, ge=0, description="move actions of the target in its last turn (p. 10: HE)")
    walls: int = Field(0, ge=0, description="walls shot through (p. 21)")
    foliage: bool = Field(False, description="foliage between the two, not within 3 inches of the attacker (p. 21)")
    sandbags: bool = Field(False, description="sandbags cover the target's face; field guns and infantry only (p. 21)")
