"""The rule switches of Armored Advance: every point the rulebook leaves open, with its default.

Numbers AA-n are the rows of the table of ambiguities in the interpretation of the rulebook. What decides a die
(`Reading`) is read in ``shot/tables.py``, foliage and angling in ``shot/halves.py``, what a scout's help costs in
``duel/fire.py`` and, for battles, in ``battle/sides.py``, what bears on battles alone in the room ``battle``, what
bears on matches in ``match/setup.py`` as well, and all else in ``shot/resolve.py``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, NamedTuple

from pydantic import Field

from aabalance.rulesets.base import Keys


class Reading(NamedTuple):
    """The switches that decide a roll, as a small hashable key; ``shot/tables.py`` reads them."""

    resolution: str
    cap_stage: str
    natural_six_hits: bool
    hit_mods_affect_penetration: bool
    reroll_scope: str
    reroll_limit: int | None


class Variant(Keys):
    """One reading of the rules; every field has a documented default."""

    resolution: Literal["one_die", "two_dice", "sum"] = Field(
        "one_die",
        description="AA-1: one die against the larger need; a hit die, then a penetration die; one die against the sum",
    )
    range_boundary: Literal["round_up", "strict"] = Field(
        "round_up", description='AA-2: exactly 6" needs 1+ (the rule in words) or 2+ (the table)'
    )
    cap_stage: Literal["requirement", "sum_then_cap"] = Field(
        "requirement", description='AA-5: "to a maximum of 6" caps the requirement, or the result after roll bonuses'
    )
    natural_six_hits: bool = Field(False, description="AA-6: a natural 6 still hits if modifiers push the need above 6")
    hit_mods_affect_penetration: bool = Field(
        True, description="AA-8: roll bonuses help the whole roll, or only its range part"
    )
    reroll_scope: Literal["auto", "final", "hit", "both"] = Field(
        "auto",
        description="AA-10: which miss by one is rerolled at advantage: of the roll needed, or of its range part; "
        "auto: final with one die, the hit die with two; final and both reroll each die of two",
    )
    reroll_limit: Literal[1] | None = Field(
        1, description="AA-11: rerolled once, or (none) until it no longer misses by one"
    )
    free_move_breaks_advantage: bool = Field(
        True, description='AA-12: a light unit that made its free 2" move before firing loses the advantage'
    )
    penetration_falloff: bool = Field(
        False, description="AA-17: penetration falls with range (the card's penetration_by_band)"
    )
    wall_rule: Literal["pen_minus_2", "armor_plus_1", "both"] = Field(
        "pen_minus_2", description="AA-18: a wall takes 2 penetration (p. 21), adds 1 armour (p. 8), or both"
    )
    foliage_rule: Literal["requirement_plus_2", "range_plus_3"] = Field(
        "requirement_plus_2", description='AA-20: foliage adds 2 to the roll needed (p. 21), or 3" to the range (p. 8)'
    )
    foliage_exempt: Literal["firer", "target", "either"] = Field(
        "firer",
        description="AA-21: a piece of foliage within 3\" doesn't count: of the firer, of the target, or of either",
    )
    foliage_stacks: bool = Field(False, description="AA-22: every piece of foliage counts, or all of them once")
    he_moved: Literal["any", "two_moves"] = Field(
        "any", description="AA-24: a target that made one move counts as moved for HE, or only one that made two"
    )
    he_n: Literal["card", 1, 2, 3] = Field(
        "card", description="AA-25: how much each pip takes off HE damage: as the card says, or the same for all"
    )
    he_advantage: bool = Field(True, description="AA-28: HE hit rolls are rerolled at advantage")
    indirect_requires_hit: bool = Field(False, description="AA-29: indirect fire rolls to hit as direct HE fire does")
    indirect_gap: Literal["halve", "immune"] = Field(
        "halve", description='AA-30: a target that moved more than 14" and no more than 15" takes half, or nothing'
    )
    indirect_rounding: Literal["down", "up"] = Field("down", description="AA-31: how halved indirect damage is rounded")
    autocannon_ai_rolls: Literal[1, "X"] = Field(
        1, description="AA-34: an autocannon's casualty code is rolled once, or once for each of its X sequences"
    )
    mg_after_clamp: bool = Field(
        True, description="AA-38: a squad's machine gun adds its kill after the roll is clamped"
    )
    mg_on_grenades: bool = Field(False, description="AA-38: a squad's machine gun adds its kill to grenades too")
    scout_costs_action: bool = Field(
        True, description="AA-43: scouting takes an action, so that a scouted attack costs its side one action more"
    )
    angling: Literal["replace", "add"] = Field(
        "replace", description="AA-46: X is an angled unit's armour, or is added to its armour"
    )
    annihilation_counts_guns: bool = Field(
        True, description="AA-53: field guns are part of the mechanized force that annihilation has to destroy"
    )
    turn_limit_counts: Literal["rounds", "player_turns"] = Field(
        "rounds", description="AA-54: a turn limit counts rounds (a turn of each side), or every player turn"
    )
    gun_fire_uses_crew_action: bool = Field(
        False, description="AA-63: firing a manned field gun takes its crew's action as well"
    )

    @cached_property
    def reading(self) -> Reading:
        """The part that decides a roll."""
        return Reading(*(getattr(self, name) for name in Reading._fields))


PRESETS: dict[str, dict[str, Any]] = {
    "rulebook": {},
    "two_dice": {"resolution": "two_dice"},
    "page_8_terrain": {"wall_rule": "armor_plus_1", "foliage_rule": "range_plus_3"},
}
"""Variants that have a name: switches that differ from their defaults."""
