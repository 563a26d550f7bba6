"""Reference values of Modern Land Battles: one function a kind, all of them thin."""

from __future__ import annotations

from typing import Any

import aabalance as aab
from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.modern_land_battles import attack, maneuver, reactions, rules
from aabalance.rulesets.modern_land_battles.attack import Attack, Defence
from aabalance.rulesets.modern_land_battles.card import Card
from aabalance.rulesets.modern_land_battles.variant import Variant

Case = dict[str, Any]


def _pmf(count: Pmf) -> Case:
    return {"pmf": {str(amount): float(p) for amount, p in count.items()}}


def _attack(case: Case) -> Case:
    natural_rules = Variant(**case.get("variant", {})).d10_natural_rules
    rolled = rules.dice_rolled(case["own_hits"], case.get("extra_dice", 0))
    need = rules.needed(case["armor"], case["modifier"], natural_rules)
    return _pmf(rules.successes(rolled, need, case.get("stopped", 0)))


def _maneuver(case: Case) -> Case:
    natural_rules = Variant(**case.get("variant", {})).d10_natural_rules
    return _pmf(
        maneuver.maneuver(
            case["maneuver"],
            case["own_hits"],
            case["modifier"],
            stopped=case.get("stopped", 0),
            natural_rules=natural_rules,
        )
    )


def _close_air_support(case: Case) -> Case:
    return _pmf(reactions.close_air_support())


def _artillery_range_defense(case: Case) -> Case:
    variant = Variant(range_defense=True, **case.get("variant", {}))
    row = case["target_row"]
    artillery = Attack("artillery", case["modifier"], superior=0, reach=row)
    roll = attack.resolve(artillery, 1, Defence(case["armor"], stopped=0), row, variant)
    return {"p": float(dice.at_least(rules.D10, roll.need))}


def _rows_away(case: Case) -> Case:
    return {"rows": rules.rows_away(case["attacker_row"], case["target_row"])}


def _card(name: str, fields: Case) -> Card:
    # A weapon that reaches, and a die more by the Action card that its duel is played with.
    return Card.model_validate(
        {
            "name": name,
            "nation": "Insurgent",
            "type": "tank",
            "armor": fields["armor"],
            "vp": 1,
            "weapons": {"cannon": fields["attack_modifier"]},
        }
    )


def _duel(case: Case) -> Case:
    card_for = {0: "barrage", 1: "cannon"}
    result = aab.Game("modern_land_battles", variant=case.get("variant")).duel(
        _card("a", case["a"]),
        _card("b", case["b"]),
        range_in=1,
        first=case["first"],
        action_card=card_for[case["a"].get("extra_dice", 0)],
        enemy_action_card=card_for[case["b"].get("extra_dice", 0)],
    )
    return {"p_a": result.p_a, "p_b": result.p_b, "attacks": result.player_turns}


KINDS = {
    "attack": _attack,
    "maneuver": _maneuver,
    "close_air_support": _close_air_support,
    "artillery_range_defense": _artillery_range_defense,
    "rows_away": _rows_away,
    "duel": _duel,
}
