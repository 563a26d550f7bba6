"""Reference values of Skirmish Wars: units and terrain by name, "both in reach" of each other."""

from __future__ import annotations

from typing import Any

import aabalance as aab
from aabalance.rulesets.skirmish_wars.card import Card, Range
from golden.games import game_of

Case = dict[str, Any]

ADJACENT = 1


def _in_reach(game: aab.Game, name: str) -> Any:
    card: Card = next(card for card in game.cards.values() if card.name == name)
    return card.model_copy(update={"range": Range(min=ADJACENT, max=ADJACENT)})


def _strike(case: Case) -> Case:
    game = game_of("skirmish_wars", case)
    attacker, target = _in_reach(game, case["attacker"]), _in_reach(game, case["target"])
    shot = game.shot(attacker, target, range_in=ADJACENT, terrain=case["terrain"], own_hp=case["attacker_hp"])
    return {"pmf": {str(hits): p for hits, p in shot.damage.items()}}


def _duel(case: Case) -> Case:
    game = game_of("skirmish_wars", case)
    result = game.duel(
        _in_reach(game, case["a"]),
        _in_reach(game, case["b"]),
        range_in=ADJACENT,
        own_terrain=case["terrain_a"],
        terrain=case["terrain_b"],
        first=case["first"],
    )
    return {"p_a": result.p_a, "p_b": result.p_b, "p_draw": result.p_draw, "player_turns": result.player_turns}


KINDS = {"strike": _strike, "duel": _duel}
