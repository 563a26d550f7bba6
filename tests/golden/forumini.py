"""Reference values of Forumini Armies: one function a kind, all of them thin."""

from __future__ import annotations

from typing import Any

import aabalance as aab
from aabalance.rulesets.base import match as base
from aabalance.rulesets.forumini.card import Card
from aabalance.rulesets.forumini.match.records import NOBODY
from aabalance.rulesets.forumini.match.turns import throw_initiative
from golden.games import game_of

Case = dict[str, Any]

FACES = ("front", "side", "rear", "top")


def _game(case: Case) -> aab.Game:
    return game_of("forumini", case)


def _card(**fields: Any) -> Any:
    card = {"name": "unit", "cost": 1, "kind": "soldier", "range": [1], **fields}
    if card["kind"] != "aircraft":
        card["speed"] = 0
    card["type"] = "Aircraft-Fighter" if card["kind"] == "aircraft" else card["kind"].capitalize()
    return Card.model_validate(card).root


def _firer(case: Case, **fields: Any) -> Any:
    """Return a soldier with so many dice against whatever it meets."""
    dice = dict.fromkeys(("antisoldier", "antivehicle", "antiair"), (case["dice"],))
    return _card(**_values("soldier", 1, 1), **dice, die_modifier=case.get("die_modifier", 0), **fields)


def _values(kind: str, defense: int, disintegration: int) -> Case:
    if kind == "soldier":
        return {"kind": kind, "defense": defense, "disintegration": disintegration}
    return {"kind": kind, "armor": dict.fromkeys(FACES, defense), "vital": dict.fromkeys(FACES, disintegration)}


def _target(case: Case) -> Any:
    """Return a soldier; one that no case puts into cover needs no Cover number."""
    cover = {} if case.get("cover") is None else {"cover": case["cover"]}
    return _card(**_values("soldier", case["defense"], case["disintegration"]), **cover)


def _situation(case: Case) -> Case:
    return {
        "range_in": 1,
        "cover": case.get("cover") is not None,
        "cover_modifier": case.get("cover_modifier", 0),
        "face_down": case.get("face_down", 0),
    }


def _counters(case: Case, **question: Any) -> Case:
    """Return the pmf of the counters that lie beside the target after an attack, those before it included."""
    firer = _firer(case, abilities=["Indirect Fire"])
    shot = _game(case).shot(firer, _target(case), **_situation(case), **question)
    return {"pmf": {str(case.get("face_down", 0) + added): p for added, p in shot.damage.items()}}


def _turn(case: Case) -> Case:
    """Say k attackers as one that attacks k times; a fresh soldier's condition is then how many counters it got."""
    game = _game(case)
    at = game.moment(**_situation(case))
    offence = game.ruleset.offence(_firer(case, attacks=case["attackers"]), at, game.variant)
    defence = game.ruleset.defence(_target(case), at, game.variant)
    blows = game.ruleset.survey(offence, defence, at.range_in, game.variant).plan
    return {"pmf": {str(min(to, 3)): float(p) for to, p in blows.chances[0][0].items()}}


def _cover(case: Case) -> Case:
    """Indirect fire that can't miss leaves a counter unless the Cover Roll, which comes first, is passed."""
    sure = {**case, "dice": 1, "die_modifier": 5, "defense": 1, "disintegration": 1}
    return {"p": _counters(sure, weapon="indirect fire")["pmf"].get("0", 0.0)}


def _indirect_fire(case: Case) -> Case:
    return _counters(case, weapon="indirect fire")


def _aircraft(case: Case) -> Case:
    target = _card(kind="aircraft", armor=case["armor"], vital=case["vital"])
    counters = _game(case).shot(_firer(case), target, range_in=1, ground_target=case["ground_target"]).damage
    return {name: counters.get(n, 0.0) for n, name in enumerate(("p_none", "p_damaged", "p_destroyed"))}


def _defensive_fire(case: Case) -> Case:
    shot = _game(case).shot(_firer(case), _target(case), weapon="defensive fire", **_situation(case))
    return {"p_pinned": shot.p_damage}


def _initiative(case: Case) -> Case:
    """All ways in which the four dice can fall; those after which they are thrown again are left out."""
    lead, chances = case["bonus_difference"], [0.0, 0.0, 0.0]
    dice, more = base.new(base.DICE), True
    dice.source = base.ODOMETER
    while more:
        winner = throw_initiative(max(lead, 0), max(-lead, 0), dice)
        chances[winner] += base.chance(dice)
        more = base.next_way(dice)
    return {"p": chances[0] / (1.0 - chances[NOBODY])}


def _side(fields: Case) -> Any:
    cover = {} if fields["cover"] is None else {"cover": fields["cover"]}
    dice = dict.fromkeys(("antisoldier", "antivehicle"), (fields["dice"],))
    return _card(**_values(fields["kind"], fields["defense"], fields["disintegration"]), **dice, **cover)


def _duel(case: Case) -> Case:
    a, b = case["a"], case["b"]
    result = _game(case).duel(
        _side(a),
        _side(b),
        range_in=1,
        cover=b["cover"] is not None,
        own_cover=a["cover"] is not None,
    )
    turns = None if result.player_turns is None else result.player_turns / 2
    return {"p_a": result.p_a, "p_b": result.p_b, "p_both_destroyed": result.p_both_destroyed, "turns": turns}


KINDS = {
    "hits": _counters,
    "cover": _cover,
    "attack": _counters,
    "turn": _turn,
    "defensive_fire": _defensive_fire,
    "indirect_fire": _indirect_fire,
    "aircraft": _aircraft,
    "duel": _duel,
    "initiative": _initiative,
}
