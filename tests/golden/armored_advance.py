"""Reference values of Armored Advance: one function a kind, all of them thin.

A case becomes cards and a situation wherever it can be said in them, so that what a card says is a part of what is
checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from odds import asked

import aabalance as aab
from aabalance.analysis.pairs import kill_curves
from aabalance.cards import Cards
from aabalance.definitions.tables import Tuning
from aabalance.lists.oracle import equilibrium
from aabalance.pricing.roles import score_table
from aabalance.pricing.roster import Roster
from aabalance.rulesets.armored_advance.card import Card
from aabalance.rulesets.armored_advance.roster import derive
from golden.games import game_of

Case = dict[str, Any]


def _game(case: Case) -> aab.Game:
    return game_of("armored_advance", case)


def _pmf(shot: aab.ShotResult) -> Case:
    return {"pmf": {str(amount): p for amount, p in shot.damage.items()}}


def _table(fields: Case) -> Case:
    plain = {
        "name": "unit",
        "nation": "any",
        "class": "vehicle",
        "weight": "medium",
        "drive": "tracked",
        "movement": 5,
        "hp": 30,
        "armor": _plates(0),
        "requisition": 1,
    }
    weapons = [{"name": f"weapon {n}", **weapon} for n, weapon in enumerate(fields.get("weapons", ()), 1)]
    keywords = {name: x for name, x in fields.get("keywords", {}).items() if x}
    return {**plain, **fields, "weapons": weapons, "keywords": keywords}


def _card(fields: Case) -> Any:
    return Card.model_validate(_table(fields)).root


def _plates(front: int, side: int = 0) -> Case:
    return {"front": front, "side": side, "rear": 0}


def _at(case: Case) -> Case:
    return {"kind": "at", "penetration": case["penetration"], "damage": case.get("damage", 1)}


def _he(case: Case) -> Case:
    return {"kind": "he", "base": case["base"], "n": case["n"]}


SURE = {"kind": "at", "penetration": 99, "damage": 1}


def _range_need(case: Case) -> Case:
    return {"need": _game(case).shot(_card({"weapons": [SURE]}), _card({}), range_in=case["range_in"]).need}


def _shot(case: Case) -> Case:
    numbers = {"bonus": case["hit_bonus"], "increase": case["requirement_increase"]}
    given = {name: case[name] for name in ("range_in", "penetration", "armor", "weak_spot", "advantage")}
    terrain = {"walls": case.get("walls", 0), "foliage": int(case.get("foliage", False))}
    firer, target, situation = asked(**given, **numbers, **terrain)
    if case.get("variant", {}).get("foliage_rule") == "range_plus_3":
        # Page 8 speaks of foliage within 3" of the target; a case that says no more can't mean what page 21 exempts.
        situation["foliage_near_target"] = situation["foliage"]
    return {"p": _game(case).shot(firer, target, **situation).p_damage}


def _gunner(case: Case) -> Case:
    return {"weapons": [_at(case)], "keywords": {"autocannon": case["shots"]}}


def _volley(case: Case) -> Case:
    target = _card({"armor": _plates(case["armor"])})
    situation = {"range_in": case["range_in"], "moved": not case["advantage"]}
    return _pmf(_game(case).shot(_card(_gunner(case)), target, **situation))


def _roster(case: Case, cards: dict[str, Case]) -> aab.Game:
    tables = {name: _table(fields) for name, fields in cards.items()}
    return aab.Game("armored_advance", Cards(Card, tables, {}), case.get("variant"))


def _time_to_kill(case: Case) -> Case:
    game = _roster(case, {"a": _gunner(case), "b": {"hp": case["hp"], "armor": _plates(case["armor"])}})
    moved = {"moved": not case["advantage"]}
    at = aab.Situations.listed(game, [{"range_in": case["range_in"], "weight": 1, **moved}])
    row = aab.shots(game, at, attackers=["a"], targets=["b"]).iloc[0]
    curve = kill_curves(game, [("a", "b")], [case["range_in"]], 4, **moved)
    return {
        "expected_turns": row["expected_turns_to_kill"],
        "within_1": row["p_kill_turn"],
        "within_4": curve["p_kill_within"].iloc[0],
    }


def _cost_effectiveness(case: Case) -> Case:
    cards = {card["id"]: {name: value for name, value in card.items() if name != "id"} for card in case["cards"]}
    game = _roster(case, cards)
    table = aab.cost_effectiveness(aab.matchups(game, aab.Situations.listed(game, case["situations"])))
    rows = table.set_index("unit").to_dict("index")
    return {f"{unit}.{column}": value for unit, row in rows.items() for column, value in row.items()}


def _he_damage(case: Case) -> Case:
    """Hit for certain: a heavy vehicle that stands still has +2 on a roll of 1+."""
    target = _card({"armor": _plates(0, case["side_armor"]), "weight": "heavy"})
    return _pmf(_game(case).shot(_card({"weapons": [_he(case)]}), target, range_in=6))


def _he_shot(case: Case) -> Case:
    target = _card({"armor": _plates(0, case["side_armor"]), "weight": case["weight"]})
    situation = {"moved": not case["advantage"], "target_moves": 2 * case["target_moved"]}
    return _pmf(_game(case).shot(_card({"weapons": [_he(case)]}), target, range_in=case["range_in"], **situation))


def _indirect(case: Case) -> Case:
    howitzer = _card({"weapons": [_he(case)], "keywords": {"indirect": 48}})
    target = _card({"armor": _plates(0, case["side_armor"])})
    situation = {"target_moved_in": case["target_moved_in"], "set_up": True}
    return _pmf(_game(case).shot(howitzer, target, range_in=36, weapon="weapon 1 (indirect)", **situation))


def _caliber_damage(case: Case) -> Case:
    return {"damage": derive.caliber_damage(case["caliber_mm"])}


def _squad(fields: Case, **changes: Any) -> Any:
    """Return the project's own rifle squad, so many strong, with or without a machine gun."""
    table = _game({}).cards.tables["inf_rifle"]
    equipment = {"machine_gun": fields.get("machine_gun", False)}
    return Card.model_validate({**table, "strength": fields["strength"], "equipment": equipment, **changes}).root


def _casualties(case: Case) -> Case:
    attacker = _squad({**case, "strength": 6}, weapons=[{"name": "weapon", "kind": "ai", "ai": case["ai"]}])
    sandbags = case.get("sandbags", False)
    return _pmf(_game(case).shot(attacker, _squad({"strength": case["strength"]}), range_in=12, sandbags=sandbags))


def _duel(case: Case) -> Case:
    cards = _card(case["a"]), _card(case["b"])
    result = _game(case).duel(*cards, range_in=case["range_in"], first=case["first"], rounds=case.get("rounds"))
    return {"p_a": result.p_a, "p_b": result.p_b, "p_draw": result.p_draw, "player_turns": result.player_turns}


def _closing_duel(case: Case) -> Case:
    posture = {f"posture_{case['closer']}": f"close:{case['close_to_in']}"}
    cards = _card(case["a"]), _card(case["b"])
    return {"p_a": _game(case).duel(*cards, range_in=case["range_in"], first=case["first"], **posture).p_a}


def _infantry_duel(case: Case) -> Case:
    a, b = _squad(case["a"]), _squad(case["b"])
    sandbags, own_sandbags = (case[side].get("sandbags", False) for side in "ba")
    cover = {"sandbags": sandbags, "own_sandbags": own_sandbags}
    result = _game(case).duel(a, b, range_in=12, first=case["first"], **cover)
    return {"p_a": result.p_a, "attacks": result.player_turns}


def _battle(case: Case) -> Case:
    lists = [_card(unit) for unit in case["a"]], [_card(unit) for unit in case["b"]]
    policies = {name: case.get(name, case.get("policy")) for name in ("policy_a", "policy_b")}
    given = {name: case[name] for name in ("range_in", "first", "mode", "rounds") if name in case}
    facing = {"facing": case["facing_mix"]} if "facing_mix" in case else {}
    result = _game(case).battle(*lists, actions=(case["actions_a"], case["actions_b"]), **policies, **given, **facing)
    names = ("p_a", "p_b", "p_draw", "player_turns", "value_a", "value_b")
    return {name: getattr(result, name) for name in names}


def _score(case: Case) -> Case:
    game = _roster(case, {side: case[side] for side in "ab"})
    situations = {"range_in": {str(case["range_in"]): 1.0}, "facing": case["facing_mix"]}
    tuning = Tuning(budgets=(case["budget"],), limits=(case["actions"],))
    return {"score": score_table(Roster(game, tuning=tuning, situations=situations))["score"][0]}


def _metagame(case: Case) -> Case:
    lists, against = case["lists"], case.get("against")
    columns = against or lists
    given = {name: case[name] for name in ("actions_a", "actions_b", "policy", "range_in", "first", "mode")}
    if "facing_mix" in case:
        given["facing_mix"] = case["facing_mix"]

    def score(a: str, b: str) -> float:
        if a == b:
            return 0.5
        if against is None and a > b:
            return 1 - found[f"{b}.{a}"]
        sides = {side: [case["cards"][unit] for unit in units] for side, units in (("a", lists[a]), ("b", columns[b]))}
        ends = _battle({**given, **sides})
        found[f"{a}.{b}"] = ends["p_a"] + ends["p_draw"] / 2
        return found[f"{a}.{b}"]

    found: Case = {}
    payoffs = np.array([[score(a, b) for b in columns] for a in lists])
    best = equilibrium(payoffs)
    weights = {**dict(zip(columns, best.columns, strict=True)), **dict(zip(lists, best.rows, strict=True))}
    return {
        **found,
        "value": best.value,
        **{f"weight.{name}": weight for name, weight in weights.items()},
        "best_against_uniform": payoffs.mean(axis=1).max(),
    }


KINDS = {
    "battle": _battle,
    "metagame": _metagame,
    "score": _score,
    "range_need": _range_need,
    "shot": _shot,
    "volley": _volley,
    "time_to_kill": _time_to_kill,
    "cost_effectiveness": _cost_effectiveness,
    "he_damage": _he_damage,
    "he_shot": _he_shot,
    "indirect": _indirect,
    "caliber_damage": _caliber_damage,
    "casualties": _casualties,
    "duel": _duel,
    "closing_duel": _closing_duel,
    "infantry_duel": _infantry_duel,
}
