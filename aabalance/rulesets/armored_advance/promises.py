"""What the rules promise, under every reading but ``reroll_scope=hit``: see `aabalance.rulesets.base.Monotonic`.

Under that one a shot that can't miss by range is never rolled again, so that some distance may help.
"""

from __future__ import annotations

from aabalance.rulesets.base import Monotonic

MONOTONIC = (
    Monotonic("situation", "range_in", (60, 36, 30, 24, 18, 12, 6, 0)),
    Monotonic("situation", "walls", (3, 2, 1, 0)),
    Monotonic("situation", "hidden", (True, False)),
    Monotonic("situation", "foliage", (2, 1, 0)),
    Monotonic("situation", "sandbags", (True, False)),
    Monotonic("situation", "scout_in", (None, 60, 36, 23)),
    Monotonic("situation", "moved", (True, False)),
    Monotonic("situation", "set_up", (False, True)),
    Monotonic("situation", "artillery_crew", (False, True)),
    Monotonic("situation", "target_moves", (2, 1, 0)),
    Monotonic("target", "armor.front", (25, 12, 8, 4, 0)),
    Monotonic("target", "armor.side", (25, 12, 8, 4, 0)),
    Monotonic("attacker", "weapons.0.penetration", (0, 4, 8, 12, 25)),
    Monotonic("attacker", "weapons.0.damage", (1, 5, 10, 20)),
)
"""A wall never helps the shooter, a scout never hurts him, and so on."""
