"""What an attack depends on besides the two cards and the variant: the situation, and the moment of the attack."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field

from aabalance.rulesets.base import Circumstances, Steps
from aabalance.rulesets.modern_land_battles.card import MOST_STOPPED, AttackCard

ROWS = (1, 2, 3)


def rows_away(attacker_row: int, target_row: int) -> int:
    """Return the Rows counted from attacker to target, the attacker's own left out (Attack Range)."""
    return attacker_row - 1 + target_row


def row_at(attacker_row: int, rows: float) -> int:
    """Return the enemy Row that is `rows` Rows away; it may not be in `ROWS` (Attack Range, Force Formation)."""
    return int(rows) - attacker_row + 1


class Situation(Circumstances):
    """Where the two Force cards stand, which both are in one Area, and what their players play.

    The target's Row follows from the distance: `row_at`.
    """

    attacker_row: int = Field(1, ge=1, le=3, description="Row of the attacker, 1 is the front (Force Formation)")
    area: Literal["breakthrough", "flanking", "terrain"] = Field(
        "breakthrough", description="Area of both; Superior counters and some Action cards count in the first alone"
    )
    superior_counters: int = Field(
        0, ge=-100, le=100, description="Superior counters of the attacker; below 0: of the target (Superior Counters)"
    )
    action_card: AttackCard = Field(
        "combined_arms", description="Action card of each Attack but Artillery's (Action Cards); there is always one"
    )
    enemy_action_card: AttackCard = Field("combined_arms", description="the same of the target when it strikes back")
    enemy_stops: int = Field(
        0,
        ge=0,
        le=MOST_STOPPED,
        description="Hits that the target's reaction stops of each attack: Cover, Barrage or Overwatch 1, "
        "Cover Fire or Pull Back 2, Reaction Force 3 (Defense Cards)",
    )
    own_stops: int = Field(0, ge=0, le=MOST_STOPPED, description="the same of the attacker when it is struck back")

    def returned(self, range_in: float) -> Self:
        """Return the situation at the same distance from the target's Row; both players' cards and counters swap."""
        return self.model_copy(
            update={
                "attacker_row": row_at(self.attacker_row, range_in),
                "superior_counters": -self.superior_counters,
                "action_card": self.enemy_action_card,
                "enemy_action_card": self.action_card,
                "enemy_stops": self.own_stops,
                "own_stops": self.enemy_stops,
            }
        )


class Moment(Situation):
    """A situation at the moment of one attack."""

    range_in: Steps = Field(description="Rows away: the attacker's Row less 1, plus the target's (Attack Range)")
