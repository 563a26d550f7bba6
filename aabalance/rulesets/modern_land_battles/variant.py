"""The rule switches of Modern Land Battles: what the rulebook leaves open, and its optional rule on ranges.

Both are read in ``shot.py`` and ``match/setup.py``.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from aabalance.rulesets.base import Keys


class Variant(Keys):
    """One reading of the rules; every field has a documented default."""

    d10_natural_rules: bool = Field(
        False, description="M-6: a natural 10 succeeds and a natural 1 fails, whatever is added to the roll"
    )
    range_defense: bool = Field(
        False,
        description="optional rule: with Range Defense, Artillery and Close Air Support have to roll 1 higher "
        "against the 2nd Row, 2 higher against the 3rd",
    )


PRESETS: dict[str, dict[str, Any]] = {"rulebook": {}, "range_defense": {"range_defense": True}}
"""Variants that have a name: by the name, the switches that differ from their defaults."""
