"""The rule switches of Skirmish Wars: points that the rulebook leaves open and that can be played in two ways.

Numbers S-n are the open points of ``rulebook.toml``. The switch is read in ``shot.py`` and ``match/setup.py``.
The terrain chart is no switch but data: see `aabalance.rulesets.skirmish_wars.shot`.
"""

from __future__ import annotations

from pydantic import Field

from aabalance.rulesets.base import Keys


class Variant(Keys):
    """One reading of the rules; every field has a documented default."""

    unreduce_on_repair: bool = Field(
        True,
        description="S-4: a reduced unit that is repaired to 5 hit points or more is flipped back, or stays reduced",
    )
