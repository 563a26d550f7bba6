"""What an attack depends on besides the two cards and the variant."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Band = Literal["close", "effective", "long"]
Moves = Literal["single", "double", "triple"]
Evasion = Literal["stands", "disengages", "breaks_off", "shoots_and_scoots"]


class Situation(BaseModel):
    """Where the two units stand and what they do; in a duel it holds for every pulse of the attacker.

    Distances are inches.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    range_in: float = Field(ge=0, allow_inf_nan=False, description="distance to the target, inches")
    range_band: Band | None = Field(
        None, description="range band, whatever the distance and the gun (Direct Fire); none: by the card's distances"
    )
    flank: bool = Field(False, description="flank or rear attack (Direct Fire)")
    ambush: bool = Field(False, description="ambush fire (Direct Fire)")
    moves: Moves = Field(
        "single", description="how far the attacker moved before it fires: double or triple costs dice"
    )
    indirect: bool = Field(False, description="fires its artillery dice, indirectly; units without AT dice always do")
    light_cover: bool = Field(False, description="the target is in or behind light cover (Reaction Checks)")
    uphill: bool = Field(False, description="the target is uphill of the firer (Reaction Checks)")
    evasion: Evasion = Field("stands", description="what the target does under fire (Reaction Checks)")
    target_suppressed: bool = Field(
        False, description="the target is suppressed already; a duel starts with fresh units and keeps count itself"
    )
    wild_dice: int = Field(0, ge=0, description="wild dice that the attacker adds to each of its rolls (Wild Dice)")
    target_wild_dice: int = Field(0, ge=0, description="wild dice that the target adds to each of its rolls")
