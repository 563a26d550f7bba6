"""The rule switches of Armour Battles: points that the quick reference leaves open, with their defaults.

Numbers B-n are the open points of ``rulebook.toml``. Switches on the dice are read in ``shot/pools.py``, the one on
suppression in ``duel.py``, and those on which no shot or duel depends in
``match/setup.py``.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from aabalance.rulesets.base import Keys

Opposed = Literal["net", "no_cancel"]
IndirectHit = Literal["net", "any_success", "in_area"]
SuppressionClears = Literal["regroup", "end_of_turn", "never"]


class Variant(Keys):
    """One reading of the rules; every field has a documented default."""

    opposed: Opposed = Field(
        "net",
        description="B-1: each success of the target's reaction dice cancels one of the firer's, or none does and "
        "reaction dice only ward off suppression",
    )
    indirect_hit: IndirectHit = Field(
        "net",
        description="B-3: what indirect fire has hit, and so may suppress: a unit that takes a disruption point, one "
        "that any success was rolled against, or any in the area",
    )
    rally_boundary: Literal["upper_inclusive", "lower"] = Field(
        "upper_inclusive", description="B-4: a distance on the edge of two rally bands is in the nearer or the farther"
    )
    suppression_clears: SuppressionClears = Field(
        "regroup",
        description="B-5: Regroup lifts suppression, or the end of the turn, or nothing does; in a duel the first two "
        "are the same, since the unit loses a pulse either way",
    )
    staff_faces: Literal["2-6", "1-6"] = Field(
        "2-6", description="B-9: which faces of the command dice count for staff orders: 1s are discarded, or count"
    )
    activations: Literal["once_a_turn", "once_a_pulse"] = Field(
        "once_a_turn", description="B-22: a unit is activated once in a turn, or once in each pulse of its side"
    )


PRESETS: dict[str, dict[str, Any]] = {"rulebook": {}, "literal": {"opposed": "no_cancel"}}
"""Variants that have a name: by the name, the switches that differ from their defaults."""
