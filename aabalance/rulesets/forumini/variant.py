"""The rule switches of Forumini Armies: points that the rulebook leaves open, with their defaults.

Numbers F-n are the open points of ``rulebook.toml``. Most switches are read in ``shot/rules.py``; those on cover under
defensive fire and under fire from aircraft in ``shot/resolve.py``; those of matches in ``match/setup.py``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple

from pydantic import Field

from aabalance.rulesets.base import Keys


class Reading(NamedTuple):
    """The switches of a `Variant` on which an attack and its counters depend, as a small hashable key."""

    dis_equals_def: str = "destroyed"
    min_defense: int = 1
    second_damaged: str = "no_effect"
    cover_one_hit_exempt: bool = True


class Variant(Keys):
    """One reading of the rules; every field has a documented default."""

    dis_equals_def: Literal["destroyed", "one_hit"] = Field(
        "destroyed",
        description="F-2: successes that equal a Defense equal to Disintegration (or armour equal to vital armour) "
        "are three hits, or one",
    )
    min_defense: Literal[0, 1] = Field(
        1,
        description="F-3: counters lower the Defense or armour of ground units to 1 at the lowest, or to 0, which any "
        "attack equals",
    )
    second_damaged: Literal["no_effect", "cumulative", "destroyed"] = Field(
        "no_effect",
        description="F-5: another Damaged counter on a Damaged vehicle has no effect, adds up (to three counters: our "
        "limit), or destroys it",
    )
    cover_one_hit_exempt: bool = Field(
        True,
        description="F-7: one hit on a unit without face-down counters needs no Cover Roll, or every hit does; a "
        "passed roll leaves the one counter anyway, so this matters for Defensive Fire alone",
    )
    df_always_cover: bool = Field(
        False, description="F-9: a Defensive Fire attack of one hit needs a Cover Roll, like any other"
    )
    df_counts: bool = Field(
        True, description="F-10: a pin by Defensive Fire counts as a face-down counter for later hits of the turn"
    )
    aircraft_cover_penalty: Literal[0, 2] = Field(
        0, description="F-12: taken off each attack die of an aircraft against a unit in cover; a reply says 2"
    )
    indirect_shared_roll: bool = Field(
        False, description="F-15: one attack roll for all units of a hex under indirect fire, or one for each"
    )

    @cached_property
    def reading(self) -> Reading:
        """The switches on which an attack depends."""
        return Reading(self.dis_equals_def, self.min_defense, self.second_damaged, self.cover_one_hit_exempt)
