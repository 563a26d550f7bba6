"""What an attack depends on besides the two cards and the variant: the situation, and the moment of the attack."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field

from aabalance.rulesets.base import Circumstances, Steps
from aabalance.rulesets.modern_land_battles.card import MOST_STOPPED, AttackCard

ROWS = (1, 2, 3)


def rows_away(attacker_row: int, target_row: int) -> int:
    """Return the number of Rows from attacker to target; the attacker's own Row isn't counted (Attack Range)."""
    return attacker_row - 1 + target_row


def row_at(attacker_row: int, rows: float) -> int:
    """Return the enemy Row that is `rows` Rows away (Attack Range, Force Formation).

    There may be no such Row: then the number isn't in `ROWS`.
    """
    return int(rows) - attacker_row + 1


class Situation(Circumstances):
    """Where the two Force cards stand, in the same Area, and what their players play.

    The target's Row follows from the distance: see `row_at`.
    """

    attacker_row: int = Field(1, ge=1, le=3, description="Row of the attacker, 1 is the front (Force Formation)")
    area: Literal["breakthrough", "flanking", "terrain"] = Field(
        "breakthrough",
        description="Area of both cards; Superior counters and some Action cards have an effect in breakthrough only",
    )
    superior_counters: int = Field(
        0, ge=-100, le=100, description="Superior counters of the attacker; below 0, the target's (Superior Counters)"
    )
    action_card: AttackCard = Field(
        "combined_arms", description="Action card that is played for each Attack, but not for Artillery (Action Cards)"
    )
    enemy_action_card: AttackCard = Field(
        "combined_arms", description="Action card that is played for each Attack when the target strikes back"
    )
    enemy_stops: int = Field(
        0,
        ge=0,
        le=MOST_STOPPED,
        description="number of Hits of each attack that the target's reaction stops: Cover, Barrage or Overwatch 1, "
        "Cover Fire or Pull Back 2, Reaction Force 3 (Defense Cards)",
    )
    own_stops: int = Field(
        0, ge=0, le=MOST_STOPPED, description="as enemy_stops, for the attacker's reaction when the target strikes back"
    )

    def mirrored(self, range_in: float) -> Self:
        """Return the situation as the target sees it from its Row, with both players' cards and counters swapped."""
        row, counters = row_at(self.attacker_row, range_in), -self.superior_counters
        pairs = ("action_card", "enemy_action_card"), ("enemy_stops", "own_stops")
        return self._exchanged(pairs, attacker_row=row, superior_counters=counters)


class Moment(Situation):
    """A situation at the moment of one attack."""

    range_in: Steps = Field(description="Rows away: the attacker's Row minus 1, plus the target's Row (Attack Range)")
