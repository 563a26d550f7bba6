"""Reference values of Armour Battles: one function a kind, all of them thin."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import aabalance as aab
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles import artillery, combat, command, pools, rally
from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.variant import Variant

Case = dict[str, Any]


def _pmf(found: Pmf) -> Case:
    return {"pmf": {str(value): float(p) for value, p in found.items()}}


def _fired(case: Case) -> Mapping[pools.Effect, Fraction]:
    reaction = combat.reaction_target_number(case["target_suppressed"])
    variant = Variant(**case.get("variant", {}))
    return pools.fire(case["at_dice"], case["target_number"], case["reaction_dice"], reaction, variant.opposed)


def _fire(case: Case) -> Case:
    return _pmf(combat.points_taken(_fired(case)))


def _fire_effects(case: Case) -> Case:
    fired = _fired(case)
    before = case["target_suppressed"]
    return {
        "p_suppressed": float(sum(p for effect, p in fired.items() if effect.suppresses)),
        "p_dispersed": float(sum(p for effect, p in fired.items() if combat.hit(0, effect) == combat.CONDITIONS)),
        "p_forced_back": float(sum(p for effect, p in fired.items() if combat.forced_back(before, effect))),
    }


def _rally(case: Case) -> Case:
    return _pmf(rally.rally(case["rally_dice"], case["target_number"], case["disruption"]))


def _indirect_suppression(case: Case) -> Case:
    variant = Variant(**case.get("variant", {}))
    reaction = combat.reaction_target_number(case.get("target_suppressed", False))
    dice = case["artillery_dice"], case["reaction_dice"]
    return {"p": float(artillery.p_suppressed(*dice, reaction, variant.opposed, variant.indirect_hit))}


def _artillery_call(case: Case) -> Case:
    return {"p_immediate": float(artillery.p_immediate(case["artillery_dice"]))}


def _fire_target_number(case: Case) -> Case:
    return {"tn": combat.fire_target_number(case["range_band"], case["flank"])}


def _rally_target_number(case: Case) -> Case:
    boundary = Variant(**case.get("variant", {})).rally_boundary
    return {"tn": rally.rally_target_number(case["enemy_distance_in"], boundary)}


def _command_failure(case: Case) -> Case:
    return {"p": float(command.command_failure(case["command_dice"]))}


def _staff_orders(case: Case) -> Case:
    return _pmf(command.staff_orders(case["command_dice"], Variant(**case.get("variant", {})).staff_faces))


# Ranges that put a target at 12 inches into the band of a target number.
RANGES_IN = {3: (12, 24, 36), 4: (6, 12, 24), 5: (3, 6, 12)}


def _card(fields: Case, target_number: int) -> Card:
    plain = {"name": "unit", "class": "tank", "weapon": "gun", "points": 0, "ranges_in": RANGES_IN[target_number]}
    return Card.model_validate({**plain, **fields})


def _duel(case: Case) -> Case:
    a, b = (_card(case[side], case[f"target_number_{side}"]) for side in ("a", "b"))
    game = aab.Game("armour_battles", variant=case.get("variant"))
    result = game.duel(a, b, range_in=12, first=case["first"])
    return {"p_a": result.p_a, "p_b": result.p_b, "pulses": result.player_turns}


KINDS = {
    "fire": _fire,
    "fire_effects": _fire_effects,
    "rally": _rally,
    "indirect_suppression": _indirect_suppression,
    "artillery_call": _artillery_call,
    "fire_target_number": _fire_target_number,
    "rally_target_number": _rally_target_number,
    "command_failure": _command_failure,
    "staff_orders": _staff_orders,
    "duel": _duel,
}
