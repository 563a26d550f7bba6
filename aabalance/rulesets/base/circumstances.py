"""What an attack depends on besides the two cards and the rules: the types that the games' schemas share.

A `Situation` has the conditions that stay the same while two units fight. A `Moment` adds those of a single attack. A
duel begins in a situation; each unit decides whether it moves.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypeVar

FAR = 1000
"""Largest distance that a user may give, in the game's unit of length: longer than any table."""

Distance = Annotated[float, Field(ge=0, le=FAR, allow_inf_nan=False)]
Steps = Annotated[Distance, Field(multiple_of=1)]
"""A distance in hexes, squares or rows."""


class Circumstances(BaseModel):
    """What an attack depends on besides the two cards, as the attacker sees it: a game's `Situation` and `Moment`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def mirrored(self, range_in: float) -> Self:
        """Return the situation from the target's side, as it returns fire from this distance; by default the same."""
        return self


SituationT = TypeVar("SituationT", bound=Circumstances, default=Any)
