"""Each reading of an open rule, thrown literally: what bears on a shot or a duel, and that the rest doesn't.

A telling case is one in which a reading makes so large a difference that a roller, or a package, that ignores the
switch is found out.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import pytest
from handmade import RIFLES, ai, at, he, squad, vehicle
from odds import first_in, fits
from test_rulebook import drawn

import aabalance as aab
from aabalance.cards import check
from aabalance.definitions.settings import alternatives
from aabalance.errors import UsageError
from aabalance.rulesets import OURS

THROWS = 4000  # 5 sigma are 4 points at most
TELLING = 0.08
SURVEYS = 60

Table = dict[str, Any]


class Case(NamedTuple):
    """A question to the package and to the roller, under some switches already."""

    kind: str
    a: Table
    b: Table
    at: Table
    given: Table


def attack(a: Any, b: Any, given: Table | None = None, **at: Any) -> Case:
    return Case("attack", table(a), table(b), at, given or {})


def duel(a: Any, b: Any, given: Table | None = None, **at: Any) -> Case:
    return Case("duel", table(a), table(b), at, given or {})


def defensive_fire(a: Table, b: Table, **at: Any) -> Case:
    return Case("defensive_fire", a, b, at, {})


def table(card: Any) -> Table:
    """A card as its file would have it."""
    if isinstance(card, dict):
        return card
    found: Table = card.model_dump(by_alias=True, exclude_none=True)
    return found


# --- Armored Advance --------------------------------------------------------------------------------------------

TANK = vehicle(at(9))
EVEN = vehicle(at(8))
SURE = vehicle(at(12))
TWO_DICE = {"resolution": "two_dice"}
HOWITZER = vehicle(he(20, 1))
HEAVIER = vehicle(he(30, 2))
LOBBER = vehicle(he(21, 1), keywords={"indirect": 48})
SOFT = vehicle(armor=(8, 2, 2))
LIGHT = vehicle(armor=(8, 2, 2), weight="light")
FADING = vehicle(at(9, penetration_by_band=[9, 9, 8, 8, 7, 7]))
FLAK = vehicle(at(4, gun="flak"), ai("D3-1", gun="flak"), keywords={"autocannon": 3})
GUNNERS = squad(ai("D3-2"), equipment={"machine_gun": True})
GRENADIERS = squad(RIFLES, strength=4, equipment={"machine_gun": True, "grenades": 2})
NEAR_FIRER = {"foliage": 1, "foliage_near_firer": 1}
NEAR_TARGET = {"foliage": 1, "foliage_near_target": 1}

ARMORED_ADVANCE = {
    ("resolution", "two_dice"): [attack(EVEN, TANK, range_in=18), duel(EVEN, vehicle(at(12, 8)), range_in=24)],
    ("resolution", "sum"): [attack(TANK, TANK, range_in=18), duel(TANK, vehicle(at(10)), range_in=12)],
    ("range_boundary", "strict"): [attack(SURE, TANK, range_in=18), attack(HOWITZER, SOFT, range_in=30)],
    ("cap_stage", "sum_then_cap"): [
        attack(SURE, TANK, range_in=40, foliage=1, scout_in=12),
        attack(SURE, TANK, range_in=40, foliage=1, scout_in=48),
    ],
    ("natural_six_hits", True): [attack(HOWITZER, LIGHT, range_in=40, target_moves=1)],
    ("hit_mods_affect_penetration", False): [
        attack(EVEN, TANK, range_in=12, scout_in=12),
        attack(EVEN, TANK, {"resolution": "sum"}, range_in=6, scout_in=12),
    ],
    ("reroll_scope", "hit"): [attack(EVEN, TANK, range_in=6)],
    ("reroll_scope", "final"): [attack(EVEN, TANK, TWO_DICE, range_in=6)],
    ("reroll_scope", "both"): [attack(EVEN, TANK, TWO_DICE, range_in=6)],
    ("reroll_limit", None): [attack(vehicle(at(9, 1), keywords={"autocannon": 6}), TANK, range_in=6)],
    ("free_move_breaks_advantage", False): [attack(SURE, TANK, range_in=18, shifted=True)],
    ("penetration_falloff", True): [attack(FADING, TANK, range_in=30), duel(FADING, TANK, range_in=18)],
    ("wall_rule", "armor_plus_1"): [attack(vehicle(at(10)), TANK, range_in=12, walls=1)],
    ("wall_rule", "both"): [
        attack(vehicle(at(10)), TANK, range_in=12, walls=1),
        duel(vehicle(at(10)), vehicle(at(12, 5)), range_in=12, walls=1),
    ],
    ("foliage_rule", "range_plus_3"): [
        attack(SURE, TANK, range_in=11, **NEAR_TARGET),
        duel(SURE, SURE, range_in=11, **NEAR_TARGET),
    ],
    ("foliage_exempt", "target"): [
        attack(SURE, TANK, range_in=12, **NEAR_TARGET),
        duel(SURE, SURE, range_in=12, **NEAR_TARGET),
    ],
    ("foliage_exempt", "either"): [
        attack(SURE, TANK, range_in=12, **NEAR_TARGET),
        duel(SURE, vehicle(at(12, 15)), range_in=12, **NEAR_FIRER),
    ],
    ("foliage_stacks", True): [attack(SURE, TANK, range_in=12, foliage=2)],
    ("he_moved", "two_moves"): [attack(HOWITZER, LIGHT, range_in=18, target_moves=1)],
    ("he_n", 1): [attack(HEAVIER, SOFT, range_in=18), duel(HEAVIER, vehicle(at(9, 15)), range_in=24)],
    ("he_n", 2): [attack(HOWITZER, SOFT, range_in=18)],
    ("he_n", 3): [attack(HOWITZER, SOFT, range_in=18)],
    ("he_advantage", False): [attack(HOWITZER, SOFT, range_in=24)],
    ("indirect_requires_hit", True): [
        attack(LOBBER, SOFT, range_in=30, set_up=True, foliage=1),
        duel(LOBBER, vehicle(at(9), armor=(8, 2, 2), hp=60), range_in=30),
    ],
    ("indirect_gap", "immune"): [attack(LOBBER, SOFT, range_in=36, set_up=True, target_moved_in=14.5)],
    ("indirect_rounding", "up"): [attack(LOBBER, SOFT, range_in=36, set_up=True, target_moved_in=8)],
    ("autocannon_ai_rolls", "X"): [
        attack(FLAK, squad(), range_in=12),
        attack(FLAK, squad(), range_in=12, sandbags=True),
    ],
    ("mg_after_clamp", False): [attack(GUNNERS, squad(), range_in=12), duel(GUNNERS, squad(), range_in=12)],
    ("mg_on_grenades", True): [duel(GRENADIERS, squad(equipment={"machine_gun": True}), range_in=6)],
    ("angling", "add"): [
        attack(TANK, vehicle(keywords={"angling": 1}), range_in=12, angled=True),
        duel(TANK, vehicle(at(8), keywords={"angling": 1}), range_in=12, angled=True),
    ],
}

# --- Forumini Armies --------------------------------------------------------------------------------------------

FACES = ("front", "side", "rear", "top")


def soldier(dice: int, defense: int = 2, disintegration: int = 4, **fields: Any) -> Table:
    card = {"name": "soldier", "kind": "soldier", "type": "Soldier", "cost": 1, "speed": 1, "range": [1]}
    values = {"defense": defense, "disintegration": disintegration}
    return {**card, "antisoldier": [dice], "antivehicle": [dice], **values, **fields}


def tank(dice: int, armor: int, vital: int, **fields: Any) -> Table:
    card = {"name": "tank", "kind": "vehicle", "type": "Vehicle-Tank", "cost": 1, "speed": 1, "range": [1]}
    values = {"armor": dict.fromkeys(FACES, armor), "vital": dict.fromkeys(FACES, vital)}
    return {**card, "antisoldier": [dice], "antivehicle": [dice], **values, **fields}


BOMBER = {
    "name": "bomber",
    "kind": "aircraft",
    "type": "Aircraft-Bomber",
    "cost": 1,
    "range": [1],
    "antivehicle": [8],
    "armor": 3,
    "vital": 5,
}

FORUMINI = {
    ("dis_equals_def", "one_hit"): [
        attack(soldier(6), soldier(6, 3, 3), range_in=1),
        duel(soldier(6), soldier(6, 3, 3), range_in=1),
    ],
    ("min_defense", 0): [attack(soldier(2), soldier(6, 1, 4), range_in=1, face_up=2)],
    ("second_damaged", "cumulative"): [duel(tank(8, 4, 6), tank(8, 3, 7), range_in=1)],
    ("second_damaged", "destroyed"): [duel(tank(8, 4, 6), tank(8, 3, 7), range_in=1)],
    ("cover_one_hit_exempt", False): [
        defensive_fire(soldier(6), soldier(6, 3, 7, cover=2), range_in=1, cover=True, cover_modifier=1)
    ],
    ("df_always_cover", True): [
        defensive_fire(soldier(6), soldier(6, 3, 7, cover=2), range_in=1, cover=True, cover_modifier=1)
    ],
    ("aircraft_cover_penalty", 2): [attack(BOMBER, tank(8, 3, 5, cover=5), range_in=1, cover=True)],
}

# --- the others -------------------------------------------------------------------------------------------------


def platoon(at_dice: int, reaction_dice: int, **fields: Any) -> Table:
    ranges = {"ranges_in": [6.0, 12.0, 24.0]} if at_dice else {}
    card = {"name": "platoon", "class": "tank", "weapon": "gun", "points": 1, **ranges}
    return {**card, "at_dice": at_dice, "reaction_dice": reaction_dice, **fields}


ARMOUR_BATTLES = {
    ("opposed", "no_cancel"): [
        attack(platoon(4, 4), platoon(4, 4), range_in=12),
        duel(platoon(4, 2), platoon(6, 6), range_in=12),
    ],
    ("indirect_hit", "any_success"): [duel(platoon(0, 4, artillery_dice=5), platoon(5, 5), range_in=12)],
    ("indirect_hit", "in_area"): [duel(platoon(0, 4, artillery_dice=4), platoon(5, 6), range_in=12)],
    ("suppression_clears", "never"): [duel(platoon(4, 4), platoon(4, 6), range_in=12)],
}


def force(armor: int, **weapons: Any) -> Table:
    card = {"name": "force", "nation": "Insurgent", "type": "tank", "vp": 1}
    return {**card, "armor": armor, "weapons": weapons}


MODERN_LAND_BATTLES = {
    ("d10_natural_rules", True): [
        attack(force(8, cannon=-4), force(8), range_in=1),
        duel(force(10, cannon=1), force(12, cannon=-1), range_in=1),
    ],
    ("range_defense", True): [
        attack(force(8, artillery={"range": 3, "modifier": 1}), force(7), range_in=3),
        duel(
            force(8, artillery={"range": 4, "modifier": 1}),
            force(8, artillery={"range": 4, "modifier": 1}),
            range_in=3,
        ),
    ],
}


def unit(name: str) -> Table:
    return dict(game_of("skirmish_wars").cards.tables[name])


@cache
def game_of(name: str) -> aab.Game:
    return aab.Game(name)


REPAIRED = {"range_in": 1, "own_hp": 7, "own_repaired": True}
SKIRMISH_WARS = {
    ("unreduce_on_repair", False): [
        attack(unit("tank"), unit("anti_air"), **REPAIRED),
        duel(unit("tank"), unit("mech"), **REPAIRED, own_terrain="hill_hq"),
    ],
}

TELLING_CASES: defaultdict[str, dict[tuple[str, Any], list[Case]]] = defaultdict(
    dict,
    armored_advance=ARMORED_ADVANCE,
    forumini=FORUMINI,
    armour_battles=ARMOUR_BATTLES,
    modern_land_battles=MODERN_LAND_BATTLES,
    skirmish_wars=SKIRMISH_WARS,
)

# ----------------------------------------------------------------------------------------------------------------


def asked(name: str, case: Case, variant: Mapping[str, Any]) -> dict[Any, float]:
    """What the package says: the chance of every outcome."""
    game = aab.Game(name, game_of(name).cards, game_of(name).ruleset.Variant(**variant))
    a, b = (check(game.ruleset.Card, "", side) for side in (case.a, case.b))
    if case.kind == "duel":
        found = game.duel(a, b, first=first_in(game), **case.at)
        return {"a": found.p_a, "b": found.p_b, "both": found.p_both_destroyed or 0, None: found.p_draw}
    weapon = {"weapon": "defensive fire"} if case.kind == "defensive_fire" else {}
    return dict(game.shot(a, b, **case.at, **weapon).damage)


def thrown(name: str, case: Case, variant: Mapping[str, Any], n: int) -> Counter[Any]:
    """How often each outcome was thrown."""
    roller, rng = import_module(f"rollers.{name}"), random.Random(repr(case))
    throw = getattr(roller, f"throw_{case.kind}")
    more = ("a",) if case.kind == "duel" else ()
    return Counter(throw(rng, case.a, case.b, case.at, variant, *more) for _ in range(n))


def plain(name: str, kind: str = "attack") -> Case:
    """A game's first card against itself."""
    card = dict(next(iter(game_of(name).cards.tables.values())))
    return Case(kind, card, card, {"range_in": 1}, {})


def all_alternatives() -> list[Any]:
    return [
        pytest.param(name, switch, value, id=f"{name}-{switch}={value}")
        for name in OURS
        for switch, values in alternatives(game_of(name).variant).items()
        for value in values
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "switch", "value"), all_alternatives())
def test_reading__is_thrown_where_it_is_telling_and_has_no_bearing_elsewhere(
    name: str, switch: str, value: Any
) -> None:
    roller = import_module(f"rollers.{name}")
    cases = TELLING_CASES[name].get((switch, value), [])
    for case in cases:
        usual, exact = asked(name, case, case.given), asked(name, case, {**case.given, switch: value})
        differences = (abs(usual.get(outcome, 0) - exact.get(outcome, 0)) for outcome in {*usual, *exact})
        assert max(differences) > TELLING, (case, usual, exact)
        fits(thrown(name, case, {**case.given, switch: value}, THROWS), exact, THROWS)
        fits(thrown(name, case, case.given, THROWS), usual, THROWS)
    if cases:
        return
    for case in [case for others in TELLING_CASES[name].values() for case in others]:
        assert asked(name, case, case.given) == asked(name, case, {**case.given, switch: value}), case
    if value not in roller.READINGS[switch]:
        with pytest.raises(NotImplementedError, match=f"{switch}: found {value!r}"):
            thrown(name, plain(name), {switch: value}, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "switch", "value"),
    [one for one in all_alternatives() if one.values[1:] not in TELLING_CASES[one.values[0]]],
)
def test_reading__without_a_telling_case_has_no_bearing_on_any_fire(name: str, switch: str, value: Any) -> None:
    rng, game = random.Random(f"{name} {switch}"), game_of(name)
    rules, cards, asked = game.ruleset, list(game.cards.values()), 0
    usual, other = rules.Variant(), rules.Variant(**{switch: value})
    while asked < SURVEYS:
        a, b, at = rng.choice(cards), rng.choice(cards), drawn(rng, rules.Moment, 0.3)
        with suppress(UsageError):  # of a situation in which nobody fires
            found = [
                rules.survey(rules.offence(a, at, v), rules.defence(b, at, v), at.range_in, v) for v in (usual, other)
            ]
            asked += 1
            assert found[0].plan == found[1].plan, (
                f"TELLING_CASES: found none of {switch}={value}, expected {a.id}, {b.id}, {at}"
            )


@pytest.mark.parametrize("name", OURS)
def test_rollers__know_every_switch_and_refuse_what_they_cannot_play(name: str) -> None:
    roller, variant = import_module(f"rollers.{name}"), game_of(name).variant
    assert {switch: readings[0] for switch, readings in roller.READINGS.items()} == variant.model_dump()
    for kind in ("attack", "duel"):
        with pytest.raises(NotImplementedError, match="no_such_switch: found 1, this roller can play no such switch"):
            thrown(name, plain(name, kind), {"no_such_switch": 1}, 1)
    assert set(TELLING_CASES[name]) <= {
        (switch, value) for switch, values in alternatives(game_of(name).variant).items() for value in values
    }


@pytest.mark.parametrize("kind", ["attack", "duel"])
def test_rollers__of_armored_advance_refuse_a_situation_that_they_do_not_heed(kind: str) -> None:
    with pytest.raises(NotImplementedError, match="hidden: found it in a situation"):
        thrown("armored_advance", Case(kind, table(TANK), table(TANK), {"range_in": 6, "hidden": True}, {}), {}, 1)
