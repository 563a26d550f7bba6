"""Reference values of Forumini Armies: one function a kind, all of them thin."""

from __future__ import annotations

from typing import Any

import aabalance as aab
from aabalance.dice import Pmf
from aabalance.rulesets.forumini import defensive, phases, rules
from aabalance.rulesets.forumini.card import Card
from aabalance.rulesets.forumini.rules import Target
from aabalance.rulesets.forumini.variant import Variant

Case = dict[str, Any]


def _pmf(counters: Pmf) -> Case:
    return {"pmf": {str(amount): float(p) for amount, p in counters.items()}}


def _variant(case: Case) -> Variant:
    return Variant(**case.get("variant", {}))


def _target(case: Case) -> Target:
    cover = case.get("cover")
    return Target(
        defense=case["defense"],
        disintegration=case["disintegration"],
        cover=cover,
        in_cover=cover is not None,
        cover_modifier=case.get("cover_modifier", 0),
        face_down=case.get("face_down", 0),
    )


def _attack(case: Case) -> Case:
    return _pmf(rules.attack(case["dice"], case.get("die_modifier", 0), _target(case), _variant(case).reading))


def _turn(case: Case) -> Case:
    attacks = [(case["dice"], case.get("die_modifier", 0))] * case["attackers"]
    return _pmf(rules.turn(attacks, _target(case), _variant(case).reading))


def _cover(case: Case) -> Case:
    return {"p": float(rules.p_cover(case["cover"], case["cover_modifier"]))}


def _aircraft(case: Case) -> Case:
    values = case["armor"], case["vital"]
    if case["ground_target"]:
        values = rules.declared(*values)
    counters = rules.antiair(case["dice"], case.get("die_modifier", 0), *values)
    return {name: float(counters.get(n, 0)) for n, name in enumerate(("p_none", "p_damaged", "p_destroyed"))}


def _defensive_fire(case: Case) -> Case:
    variant = _variant(case)
    p = defensive.defensive_fire(
        case["dice"],
        case.get("die_modifier", 0),
        _target(case),
        variant.reading,
        always_cover=variant.df_always_cover,
    )
    return {"p_pinned": float(p)}


def _indirect_fire(case: Case) -> Case:
    return _pmf(rules.indirect(case["dice"], case.get("die_modifier", 0), _target(case), _variant(case).reading))


def _initiative(case: Case) -> Case:
    return {"p": float(phases.initiative(case["bonus_difference"]))}


def _card(fields: Case) -> Any:
    defense, disintegration = fields["defense"], fields["disintegration"]
    card = {
        "name": "unit",
        "cost": 1,
        "kind": fields["kind"],
        "type": fields["kind"].capitalize(),
        "speed": 0,
        "range": [1],
        "antisoldier": [fields["dice"]],
        "antivehicle": [fields["dice"]],
    }
    if fields["cover"] is not None:
        card["cover"] = fields["cover"]
    if fields["kind"] == "soldier":
        card |= {"defense": defense, "disintegration": disintegration}
    else:
        faces = ("front", "side", "rear", "top")
        card |= {"armor": dict.fromkeys(faces, defense), "vital": dict.fromkeys(faces, disintegration)}
    return Card.model_validate(card).root


def _duel(case: Case) -> Case:
    a, b = case["a"], case["b"]
    result = aab.Game("forumini", variant=case.get("variant")).duel(
        _card(a),
        _card(b),
        range_in=1,
        cover=b["cover"] is not None,
        own_cover=a["cover"] is not None,
    )
    turns = None if result.player_turns is None else result.player_turns / 2
    return {"p_a": result.p_a, "p_b": result.p_b, "p_both_destroyed": result.p_both_destroyed, "turns": turns}


KINDS = {
    "hits": _attack,
    "cover": _cover,
    "attack": _attack,
    "turn": _turn,
    "defensive_fire": _defensive_fire,
    "indirect_fire": _indirect_fire,
    "aircraft": _aircraft,
    "duel": _duel,
    "initiative": _initiative,
}
