"""What an attack depends on besides the two cards and the rules: the types that the games' schemas share.

A `Situation` is what stays the same while two units fight. A `Moment` is a situation and, besides, what holds for one
attack alone. A duel begins in a situation; whether a unit moves during it is up to the unit.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypeVar

FAR = 1000
"""Largest distance that may be given, in whatever the game counts: much more than any table is long."""

Distance = Annotated[float, Field(ge=0, le=FAR, allow_inf_nan=False)]
Steps = Annotated[Distance, Field(multiple_of=1)]
"""A distance in hexes, squares or rows."""


class Circumstances(BaseModel):
    """What an attack depends on besides the two cards, as the attacker sees it: a game's `Situation` and `Moment`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def mirrored(self, range_in: float) -> Self:
        """Return the situation as the target sees it when it fires back from this distance; by default the same."""
        return self


SituationT = TypeVar("SituationT", bound=Circumstances, default=Any)
