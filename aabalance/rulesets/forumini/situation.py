"""What an attack depends on besides the two cards and the variant: the situation, and the moment of the attack."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field

from aabalance.rulesets.base import Circumstances, Steps

Facing = Literal["front", "side", "rear", "top"]

SIDED = ("facing", "cover", "cover_modifier", "hit_the_dirt", "hull_down", "ground_target")
"""Fields of the target; ``own_`` before the name makes the attacker's."""


class Situation(Circumstances):
    """Where two units stand, turn after turn.

    Fields without ``own_`` are the target's. Those with it are the attacker's: they matter for its own fire, and when
    the target strikes back.
    """

    facing: Facing = Field(
        "front",
        description="face of a vehicle that is attacked; in the same hex too, though matches take the side there "
        "(F-23); from the air it is always the top",
    )
    cover: bool = Field(False, description="the target's hex offers cover; its Cover number is on its card")
    cover_modifier: int = Field(0, ge=-100, le=100, description="what the terrain adds to the target's Cover Rolls")
    hit_the_dirt: bool = Field(
        False,
        description="the target is a soldier with a Hit the Dirt counter: +1 to Cover Rolls and no attacks while in "
        "good order; he has none when Pinned or Demoralized, and lies down again in good order (our reading); not "
        "against Defensive Fire, since he moves",
    )
    hull_down: bool = Field(
        False,
        description="the target is a Hull Down vehicle: +1 to Cover Rolls against attacks on its front; not against "
        "Defensive Fire, since it moves",
    )
    ground_target: bool = Field(
        False, description="the target is an aircraft that declared a ground target this turn: -1/-1"
    )
    own_facing: Facing = Field("front", description="as facing, for the attacker")
    own_cover: bool = Field(False, description="as cover, for the attacker")
    own_cover_modifier: int = Field(0, ge=-100, le=100, description="as cover_modifier, for the attacker")
    own_hit_the_dirt: bool = Field(False, description="as hit_the_dirt, for the attacker")
    own_hull_down: bool = Field(
        False,
        description="as hull_down, for the attacker, which then makes Defensive Fire only in Overwatch, beyond one hex",
    )
    own_ground_target: bool = Field(False, description="as ground_target, for the attacker")

    def mirrored(self, range_in: float) -> Self:
        """Return the situation as the target sees it."""
        return self._exchanged((name, f"own_{name}") for name in SIDED)


class Moment(Situation):
    """A situation at the moment of one attack: how far apart the two units are, and which counters lie on them.

    A duel begins with both units in good order, and follows their counters itself.
    """

    range_in: Steps = Field(
        description="hexes from the attacker's (not counted) to the target's (counted); 0: the same hex (Direct Fire)"
    )
    face_up: int = Field(
        0, ge=0, le=2, description="the target's condition: 0 good order, 1 Pinned, 2 Demoralized or Damaged"
    )
    face_down: int = Field(0, ge=0, le=2, description="counters that other attacks of this turn put on the target")
    own_face_up: int = Field(0, ge=0, le=2, description="as face_up, for the attacker: counters take from its dice")
