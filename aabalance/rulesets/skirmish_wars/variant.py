"""The rule switches of Skirmish Wars: every point the rulebook leaves open that can be played in two ways.

Numbers S-n are the rows of the table of ambiguities in the interpretation of the rulebook. The terrain chart is no
switch but data: see `aabalance.rulesets.skirmish_wars.shot`, which reads the switch, as does ``battle.py``.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Variant(BaseModel):
    """One reading of the rules; every field has a documented default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    unreduce_on_repair: bool = Field(
        True,
        description="S-4: a reduced unit that is repaired to 5 hit points or more is flipped back, or stays reduced",
    )
