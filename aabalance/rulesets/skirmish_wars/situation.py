"""What an attack depends on besides the two cards and the variant: the situation, and the moment of the attack."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field

from aabalance.rulesets.base import Circumstances, Steps
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS

Terrain = Literal["hill_hq", "city", "forest", "grass", "road_river"]
"""Columns of the terrain chart."""

HitPoints = Annotated[int, Field(ge=1, le=HIT_POINTS)]


class Situation(Circumstances):
    """Where the two units stand, and what they have left."""

    terrain: Terrain = Field("grass", description="column of the terrain chart for the target's square")
    own_terrain: Terrain = Field(
        "grass", description="column of the attacker's square; it matters when the target strikes back"
    )
    own_hp: HitPoints = Field(HIT_POINTS, description="hit points of the attacker; in a duel, at its start")
    target_hp: HitPoints = Field(HIT_POINTS, description="hit points of the target; in a duel, at its start")
    own_repaired: bool = Field(False, description="the attacker was reduced before and has been repaired (3.2)")
    target_repaired: bool = Field(False, description="the target was reduced before and has been repaired (3.2)")

    def mirrored(self, range_in: float) -> Self:
        """Return the situation as the target sees it."""
        return self._exchanged(
            (("terrain", "own_terrain"), ("own_hp", "target_hp"), ("own_repaired", "target_repaired"))
        )


class Moment(Situation):
    """A situation at the moment of one attack."""

    range_in: Steps = Field(description="distance to the target in squares, counted orthogonally")
