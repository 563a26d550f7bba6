"""What several definitions have: kinds of fields, with their bounds."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from aabalance.rulesets.base import HOLD

MOST_ACTIONS = 1000
MOST_ROUNDS = 1000
MOST_OF_A_KIND = 100
RANGES = range(0, 43)
"""Distances of a curve, from the nearest to the farthest."""
WITHIN_TURNS = 6
"""Turns of holding within which a target has to be destroyed."""
POLICIES = ("value", "focus")
"""The policies by which battles are compared."""

Rounds = Annotated[int, Field(ge=1, le=MOST_ROUNDS, strict=True)]
"""Turns of each side that a fight may last."""
Actions = Annotated[int, Field(ge=1, le=MOST_ACTIONS, strict=True)]
"""Limit of actions in a side's turn."""
Postures = tuple[str, str]
"""What the attacker does in a duel, and what the target does."""
HOLDING: Postures = (HOLD, HOLD)
