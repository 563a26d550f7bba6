"""Reference values of Modern Land Battles: one function a kind, all of them thin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modern_scene import air_support, maneuvering

import aabalance as aab
from aabalance import dice
from aabalance.rulesets.modern_land_battles.card import Card
from aabalance.rulesets.modern_land_battles.shot import D10
from aabalance.rulesets.modern_land_battles.situation import rows_away
from golden.games import game_of

Case = dict[str, Any]

# The Action card that has a Cannon attack with so many dice more.
PLAYED = {0: "barrage", 1: "cannon"}


def _game(case: Case) -> aab.Game:
    return game_of("modern_land_battles", case)


def _pmf(count: Mapping[int, Any]) -> Case:
    return {"pmf": {str(amount): float(p) for amount, p in count.items()}}


def _card(armor: int, **weapons: Any) -> Card:
    card = {"name": "card", "nation": "Insurgent", "type": "tank", "armor": armor, "vp": 1, "weapons": weapons}
    return Card.model_validate(card)


def _attack(case: Case) -> Case:
    """A shot is a fresh card's; a card with Hits attacks in a duel."""
    game = _game(case)
    played, stops = PLAYED[case.get("extra_dice", 0)], case.get("stopped", 0)
    at = game.moment(range_in=1, action_card=played, enemy_stops=stops)
    attacker, target = _card(1, cannon=case["modifier"]), _card(case["armor"])
    if not case["own_hits"]:
        return _pmf(game.shot(attacker, target, **at.model_dump()).damage)
    offence = game.ruleset.offence(attacker, at, game.variant)
    defence = game.ruleset.defence(target, at, game.variant)
    blows = game.ruleset.survey(offence, defence, at.range_in, game.variant).plan
    return _pmf(blows.chances[case["own_hits"]][0])


def _maneuver(case: Case) -> Case:
    variant: Any = _game(case).variant
    return _pmf(
        maneuvering(
            case["maneuver"],
            case["own_hits"],
            case["modifier"],
            stopped=case.get("stopped", 0),
            natural_rules=variant.d10_natural_rules,
        )
    )


def _close_air_support(case: Case) -> Case:
    return _pmf(air_support())


def _artillery_range_defense(case: Case) -> Case:
    game = game_of("modern_land_battles", {"variant": {"range_defense": True, **case.get("variant", {})}})
    row = case["target_row"]
    artillery = _card(1, artillery={"range": row, "modifier": case["modifier"]})
    need = game.shot(artillery, _card(case["armor"]), range_in=row).need
    return {"p": 0.0 if need is None else float(dice.at_least(D10, need))}


def _rows_away(case: Case) -> Case:
    return {"rows": rows_away(case["attacker_row"], case["target_row"])}


def _duel(case: Case) -> Case:
    a, b = (_card(case[side]["armor"], cannon=case[side]["attack_modifier"]) for side in "ab")
    result = _game(case).duel(
        a,
        b,
        range_in=1,
        first=case["first"],
        action_card=PLAYED[case["a"].get("extra_dice", 0)],
        enemy_action_card=PLAYED[case["b"].get("extra_dice", 0)],
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
