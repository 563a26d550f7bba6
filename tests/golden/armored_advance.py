"""Reference values of Armored Advance: one function a kind, all of them thin."""

from __future__ import annotations

from typing import Any

import aabalance as aab
from aabalance import dice
from aabalance.dice import Pmf
from aabalance.engine import solve
from aabalance.engine.tables import PlanTables
from aabalance.rulesets.armored_advance import attack, derive, fire, rules
from aabalance.rulesets.armored_advance.card import Card
from aabalance.rulesets.armored_advance.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.situation import Situation
from aabalance.rulesets.armored_advance.variant import Variant

Case = dict[str, Any]


def _pmf(effect: Pmf) -> Case:
    return {"pmf": {str(amount): float(p) for amount, p in effect.items()}}


def _range_need(case: Case) -> Case:
    return {"need": rules.range_band(case["range_in"], _variant(case).range_boundary)}


def _variant(case: Case) -> Variant:
    return Variant(**case.get("variant", {}))


def _shot_sheets(case: Case) -> tuple[Attack, Defence, Variant]:
    variant = _variant(case)
    foliage = int(case.get("foliage", False))
    # Page 8 speaks of foliage within 3" of the target; a case that says no more can't mean one that page 21 exempts.
    near = foliage if variant.foliage_rule == "range_plus_3" else 0
    situation = Situation(range_in=case["range_in"], foliage=foliage, foliage_near_target=near)
    target = attack.defence(_card({"armor": _plates(0)}), situation, variant)
    target = target.change(
        "given",
        "",
        "",
        armor=case["armor"],
        weak_spot=case.get("weak_spot", False),
        increase=target.increase + case.get("requirement_increase", 0),
    )
    shot = Attack(
        weapon="gun",
        kind="at",
        penetration=case["penetration"],
        damage=case.get("damage", 1),
        attempts=case.get("shots", 1),
        bonus=case.get("hit_bonus", 0),
        advantage=case.get("advantage", False),
        walls=case.get("walls", 0),
    )
    return shot, target, variant


def _shot(case: Case) -> Case:
    shot, target, variant = _shot_sheets(case)
    found = attack.resolve(shot, target, case["range_in"], variant)
    return {"p": float(found.roll.p)}


def _volley(case: Case) -> Case:
    shot, target, variant = _shot_sheets(case)
    return _pmf(attack.resolve(shot, target, case["range_in"], variant).effect)


def _time_to_kill(case: Case) -> Case:
    shot, target, variant = _shot_sheets(case)
    tables = PlanTables()
    plan = tables.add(fire.survey(Offence(guns=((1, ((shot,),)),)), target, case["range_in"], variant).plan)
    turns, one, four = solve.kill(tables, plan, case["hp"], (1, 4))
    return {"expected_turns": turns, "within_1": one, "within_4": four}


def _by_face(effects: tuple[int, ...]) -> Case:
    return _pmf(dice.transform(dice.die(6), lambda face: effects[face - 1]))


def _he_damage(case: Case) -> Case:
    return _by_face(rules.he_damage(case["base"], case["n"], case["side_armor"]))


def _he_shot(case: Case) -> Case:
    shot = Attack(weapon="gun", kind="he", base=case["base"], n=case["n"], advantage=case.get("advantage", False))
    moves = 2 * int(case.get("target_moved", False))
    target = Defence(weight=case["weight"], side_armor=case["side_armor"], moves=moves)
    return _pmf(attack.resolve(shot, target, case["range_in"], _variant(case)).effect)


def _indirect(case: Case) -> Case:
    howitzer = _card({"weapons": [_he(case)], "armor": _plates(0), "keywords": {"indirect": 48}})
    target = _card({"armor": _plates(case["side_armor"])})
    moved_in = {"target_moved_in": case.get("target_moved_in", 0)}
    game = aab.Game("armored_advance", variant=case.get("variant"))
    shot = game.shot(howitzer, target, range_in=36, weapon="weapon 1 (indirect)", set_up=True, **moved_in)
    return {"pmf": {str(amount): p for amount, p in shot.damage.items()}}


def _he(case: Case) -> Case:
    return {"kind": "he", "base": case["base"], "n": case["n"]}


def _plates(side: int) -> Case:
    return {"front": 0, "side": side, "rear": 0}


def _caliber_damage(case: Case) -> Case:
    return {"damage": derive.caliber_damage(case["caliber_mm"])}


def _casualties(case: Case) -> Case:
    return _by_face(
        rules.casualties(
            case["ai"],
            case["strength"],
            kills=int(case.get("machine_gun", False)),
            halved=case.get("sandbags", False),
            kills_after_clamp=_variant(case).mg_after_clamp,
        )
    )


def _card(fields: Case) -> Any:
    plain = {
        "name": "unit",
        "nation": "any",
        "class": "vehicle",
        "weight": "medium",
        "drive": "tracked",
        "movement": 5,
        "hp": 30,
        "requisition": 0,
    }
    weapons = [{"name": f"weapon {n}", **weapon} for n, weapon in enumerate(fields.get("weapons", ()), 1)]
    keywords = {name: x for name, x in fields.get("keywords", {}).items() if x}
    return Card.model_validate({**plain, **fields, "weapons": weapons, "keywords": keywords}).root


def _duel(case: Case) -> Case:
    game = aab.Game("armored_advance", variant=case.get("variant"))
    result = game.duel(
        _card(case["a"]), _card(case["b"]), range_in=case["range_in"], first=case["first"], rounds=case.get("rounds")
    )
    return {"p_a": result.p_a, "p_b": result.p_b, "p_draw": result.p_draw, "player_turns": result.player_turns}


def _closing_duel(case: Case) -> Case:
    posture = {f"posture_{case['closer']}": f"close:{case['close_to_in']}"}
    game = aab.Game("armored_advance", variant=case.get("variant"))
    cards = _card(case["a"]), _card(case["b"])
    return {"p_a": game.duel(*cards, range_in=case["range_in"], first=case["first"], **posture).p_a}


def _squad(fields: Case) -> Any:
    codes = [{"min": 4, "ai": "D3-1"}, {"min": 1, "ai": "D3-2"}]
    card = {
        "name": "squad",
        "nation": "any",
        "class": "infantry",
        "weight": "light",
        "drive": "foot",
        "movement": 4,
        "requisition": 0,
        "squad": "rifle",
        "strength": fields["strength"],
        "equipment": {"machine_gun": fields.get("machine_gun", False)},
        "weapons": [{"name": "rifles", "kind": "ai", "ai": codes}],
    }
    return Card.model_validate(card).root


def _infantry_duel(case: Case) -> Case:
    a, b = _squad(case["a"]), _squad(case["b"])
    sandbags, own_sandbags = (case[side].get("sandbags", False) for side in "ba")
    result = aab.Game("armored_advance", variant=case.get("variant")).duel(
        a, b, range_in=12, first=case["first"], sandbags=sandbags, own_sandbags=own_sandbags
    )
    return {"p_a": result.p_a, "attacks": result.player_turns}


KINDS = {
    "range_need": _range_need,
    "shot": _shot,
    "volley": _volley,
    "time_to_kill": _time_to_kill,
    "he_damage": _he_damage,
    "he_shot": _he_shot,
    "indirect": _indirect,
    "caliber_damage": _caliber_damage,
    "casualties": _casualties,
    "duel": _duel,
    "closing_duel": _closing_duel,
    "infantry_duel": _infantry_duel,
}
