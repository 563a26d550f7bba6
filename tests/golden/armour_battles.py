"""Reference values of Armour Battles: one function a kind, all of them thin.

Fire goes from cards to dice; rallying and command take numbers that stand on no card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armour_scene import chances_of_faces, ways

import aabalance as aab
from aabalance import dice
from aabalance.rulesets.armour_battles import duel
from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.match import artillery, turns
from aabalance.rulesets.armour_battles.shot import resolve
from aabalance.rulesets.armour_battles.shot.resolve import Resolution
from golden.games import game_of

Case = dict[str, Any]


def _game(case: Case) -> aab.Game:
    return game_of("armour_battles", case)


def _pmf(found: Mapping[int, Any]) -> Case:
    return {"pmf": {str(value): float(p) for value, p in found.items()}}


# Ranges that put a target at 12 inches into the band of a target number; 2 is for close fire at a flank.
RANGES_IN = {2: (12, 24, 36), 3: (12, 24, 36), 4: (6, 12, 24), 5: (3, 6, 12)}


def _card(fields: Case, target_number: int = 4) -> Card:
    plain = {"name": "unit", "class": "tank", "weapon": "gun", "points": 1, "ranges_in": RANGES_IN[target_number]}
    return Card.model_validate({**plain, **fields})


def _question(case: Case) -> tuple[Card, Card, Case]:
    """Return firer, target and situation of a case."""
    needed = case["target_number"]
    firer, target = _card({"at_dice": case["at_dice"]}, needed), _card({"reaction_dice": case["reaction_dice"]})
    return firer, target, {"range_in": 12, "flank": needed == 2, "target_suppressed": case["target_suppressed"]}


def _fire(case: Case) -> Case:
    firer, target, situation = _question(case)
    return _pmf(_game(case).shot(firer, target, **situation).damage)


def _resolved(game: aab.Game, firer: Card, target: Card, situation: Case) -> Resolution:
    """Return what firer and target roll."""
    at, variant = game.moment(**situation), game.variant
    offence = game.ruleset.offence(firer, at, variant)
    defence = game.ruleset.defence(target, at, variant)
    return resolve.resolve(offence, defence, at.range_in, variant)


def _opposed(game: aab.Game) -> Any:
    variant: Any = game.variant
    return variant.opposed


def _fire_effects(case: Case) -> Case:
    game = _game(case)
    fired = resolve.fired(_resolved(game, *_question(case)), _opposed(game))
    before = case["target_suppressed"]
    return {
        "p_suppressed": float(sum(p for effect, p in fired.items() if effect.suppresses)),
        "p_dispersed": float(sum(p for effect, p in fired.items() if duel.hit(0, effect) == duel.CONDITIONS)),
        "p_forced_back": float(sum(p for effect, p in fired.items() if resolve.forced_back(before, effect))),
    }


def _rally(case: Case) -> Case:
    rolled = case["rally_dice"], case["target_number"], case["disruption"]
    return _pmf(ways(lambda thrown: turns.rally(*rolled, thrown)))


def _indirect_suppression(case: Case) -> Case:
    game = _game(case)
    battery = _card({"class": "battery", "artillery_dice": case["artillery_dice"]})
    situation = {"range_in": 24, "target_suppressed": case.get("target_suppressed", False)}
    found = _resolved(game, battery, _card({"reaction_dice": case["reaction_dice"]}), situation)
    fired = resolve.fired(found, _opposed(game))
    return {"p": float(sum(p for effect, p in fired.items() if effect.suppresses))}


def _artillery_call(case: Case) -> Case:
    return {"p_immediate": ways(lambda thrown: artillery.is_immediate(case["artillery_dice"], thrown))[True]}


def _fire_target_number(case: Case) -> Case:
    return {"tn": _game(case).shot(_card({"at_dice": 1}), _card({}), range_in=12, **case).need}


def _rally_target_number(case: Case) -> Case:
    variant: Any = _game(case).variant
    return {"tn": turns.rally_number(case["enemy_distance_in"] ** 2, variant.rally_boundary == "lower")}


def _command_failure(case: Case) -> Case:
    rolls = chances_of_faces(case["command_dice"])
    return {"p": float(sum(p for faces, p in rolls.items() if turns.fails(faces)))}


def _staff_orders(case: Case) -> Case:
    rolls, first_face = chances_of_faces(case["command_dice"]), 2
    return _pmf(dice.collected((turns.restocked(faces, first_face), p) for faces, p in rolls.items()))


def _duel(case: Case) -> Case:
    a, b = (_card(case[side], case[f"target_number_{side}"]) for side in ("a", "b"))
    result = _game(case).duel(a, b, range_in=12, first=case["first"])
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
