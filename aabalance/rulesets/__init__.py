"""The games. One package each; they don't know each other, and nothing outside a package knows its game's name."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from aabalance.errors import UsageError, one_of
from aabalance.rulesets.base import Ruleset

REGISTRY = {
    "armored_advance": "aabalance.rulesets.armored_advance",
    "forumini": "aabalance.rulesets.forumini",
    "skirmish_wars": "aabalance.rulesets.skirmish_wars",
    "modern_land_battles": "aabalance.rulesets.modern_land_battles",
    "armour_battles": "aabalance.rulesets.armour_battles",
}


def load(name: str) -> Ruleset:
    """Return the ruleset `name`, importing its package on first use.

    Raises
    ------
    UsageError
        No such game.
    """
    if name not in REGISTRY:
        raise UsageError(f"game: {one_of(name, REGISTRY)}")
    return cast(Ruleset, import_module(REGISTRY[name]).RULESET)
