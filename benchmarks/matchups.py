"""The reference matchups, as unit cards that go through the real rules."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from aabalance import rulesets
from aabalance.cards import check
from aabalance.engine import sampling
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.engine.hit_points.rolls import Rolls
from aabalance.engine.outcome import Outcome

RANGE_IN = 34
SEED = 20261120
ROUNDS = 200
"""More than any duel of these takes."""

Card = dict[str, Any]


def _card(name: str, hp: int, armor: int, movement: int, penetration: int, damage: int, **keywords: Any) -> Card:
    return {
        "name": name,
        "nation": "none",
        "class": "vehicle",
        "weight": "medium",
        "drive": "tracked",
        "movement": movement,
        "hp": hp,
        "armor": {"front": armor, "side": armor, "rear": armor},
        "requisition": 1,
        "keywords": keywords,
        "weapons": [{"name": "gun", "kind": "at", "penetration": penetration, "damage": damage}],
    }


TANKS = _card("a", 10, 4, 6, 5, 3), _card("b", 8, 5, 7, 5, 3)
AUTOCANNON_V_GUN = (
    _card("a", 6, 4, 8, 4, 1, autocannon=4, rapid_fire=True),
    _card("b", 12, 5, 4, 7, 6, long_reload=True),
)

MATCHUPS: dict[str, tuple[tuple[Card, Card], str]] = {
    "M1": (TANKS, "close:0"),
    "M1c": (TANKS, "cautious:0"),
    "M2": (AUTOCANNON_V_GUN, "close:0"),
}


class Tank(NamedTuple):
    """What the reference matchups' rules need of a unit, for baselines that spell the rules out themselves."""

    hp: int
    damage: int
    movement: int
    margin: int
    dice: int
    attacks: int
    reloads: bool
    cautious: bool


class Matchup(NamedTuple):
    """A reference matchup in every shape that a baseline needs; a moves first.

    Attributes
    ----------
    tanks : pair of Tank
    duel : TurnGraph
        What the exact solver reads.
    outcome : Outcome
    run : Run
        What the kernel reads.
    """

    tanks: tuple[Tank, Tank]
    duel: TurnGraph
    outcome: Outcome
    run: sampling.Run

    @property
    def tables(self) -> Rolls:
        """The tables in `run`."""
        assert isinstance(self.run.rolls, Rolls)
        return self.run.rolls


@cache
def matchup(name: str) -> Matchup:
    """Return a reference matchup made ready."""
    cards, posture = MATCHUPS[name]
    rules = rulesets.load("armored_advance")
    variant = rules.Variant()
    a, b = (check(rules.Card, "tank", card) for card in cards)
    at = rules.Situation()
    players = (
        rules.player(a, b, at, RANGE_IN, variant, posture),
        rules.player(b, a, at.mirrored(RANGE_IN), RANGE_IN, variant, posture),
    )
    duel = TurnGraph(players, RANGE_IN)
    run = sampling.prepare(duel.rolls(), SEED, (name,), ROUNDS)
    tanks = _tank(cards[0], cards[1], posture), _tank(cards[1], cards[0], posture)
    return Matchup(tanks, duel, duel.solve(), run)


def _tank(card: Card, enemy: Card, posture: str) -> Tank:
    gun, keywords = card["weapons"][0], card["keywords"]
    return Tank(
        hp=card["hp"],
        damage=gun["damage"],
        movement=card["movement"],
        margin=gun["penetration"] - enemy["armor"]["front"],
        dice=keywords.get("autocannon", 1),
        attacks=2 if "rapid_fire" in keywords else 1,
        reloads="long_reload" in keywords,
        cautious=posture.startswith("cautious"),
    )
