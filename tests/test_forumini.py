"""Forumini Armies: the rulebook's rules one by one, attacks and duels against thrown dice, cards and switches."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import comb, sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rollers import forumini as table

import aabalance as aab
from aabalance import cards, dice, rulebook
from aabalance.cards import audit
from aabalance.cli import main
from aabalance.errors import CardError, UsageError
from aabalance.files import data_folder
from aabalance.rulesets.forumini import RULESET, duel, roster
from aabalance.rulesets.forumini.card import Card
from aabalance.rulesets.forumini.shot import defensive, resolve, rules, sheets
from aabalance.rulesets.forumini.shot.defensive import may_fire
from aabalance.rulesets.forumini.shot.rules import DESTROYED, GOOD_ORDER, PINNED, SHAKEN, Target
from aabalance.rulesets.forumini.shot.sheets import Offence
from aabalance.rulesets.forumini.situation import SIDED, Moment, Situation
from aabalance.rulesets.forumini.variant import Reading, Variant

GAME = aab.Game("forumini")
FOLDER = data_folder("unitdb") / "forumini"
ROLLS = 4_000
DUELS = 1_500
LIMIT = 5.0
HALF = Fraction(1, 2)
FACES = ("front", "side", "rear", "top")

TANK: dict[str, Any] = {
    "name": "tank",
    "kind": "vehicle",
    "type": "Vehicle-Tank",
    "cost": 20,
    "speed": 3,
    "armor": {"front": 5, "side": 4, "rear": 3, "top": 3},
    "vital": {"front": 8, "side": 6, "rear": 5, "top": 5},
    "cover": 5,
    "range": [1, 4, 8],
    "antisoldier": [7, 7, 6],
    "antivehicle": [13, 11, 9],
}
SQUAD: dict[str, Any] = {
    "name": "squad",
    "kind": "soldier",
    "type": "Soldier",
    "cost": 4,
    "speed": 1,
    "defense": 4,
    "disintegration": 6,
    "cover": 4,
    "range": [0, 1, 4],
    "antisoldier": [8, 8, 6],
    "antivehicle": [6, 2, 0],
}
MORTAR: dict[str, Any] = SQUAD | {"abilities": ["Indirect Fire"], "range": [8], "antisoldier": [8], "antivehicle": [5]}
FLAK: dict[str, Any] = TANK | {"antiair": [11, 10, 8]}
FIGHTER: dict[str, Any] = {
    "name": "fighter",
    "kind": "aircraft",
    "type": "Aircraft-Fighter",
    "cost": 14,
    "armor": 4,
    "vital": 6,
    "range": [1, 4],
    "antisoldier": [8, 6],
    "antivehicle": [7, 5],
    "antifighter": [8, 6],
    "antibomber": [9, 7],
    "bombs": {"dice": 8, "attacks": 1},
}
BOMBER: dict[str, Any] = FIGHTER | {"type": "Aircraft-Bomber", "antifighter": [], "antibomber": []}
WIRE: dict[str, Any] = {"name": "wire", "kind": "obstacle", "cost": 1}


def card(fields: Mapping[str, Any]) -> Any:
    return Card.model_validate(fields).root


def faces(first: int, second: int) -> dict[str, Any]:
    return {"armor": dict.fromkeys(FACES, first), "vital": dict.fromkeys(FACES, second)}


def at(range_in: float = 1, **fields: Any) -> Moment:
    return Moment(range_in=range_in, **fields)


def variant(**switches: Any) -> Variant:
    return Variant(**switches)


def sides(attacker: Mapping[str, Any], target: Mapping[str, Any], where: Moment) -> tuple[Any, Any]:
    return sheets.offence(card(attacker), where), sheets.defence(card(target), where)


def fired(
    attacker: Mapping[str, Any], target: Mapping[str, Any], where: Moment, weapon: str | None = None, **switches: Any
) -> Any:
    return resolve.shot(*sides(attacker, target, where), where.range_in, Variant(**switches), weapon)


def met(attacker: Mapping[str, Any], target: Mapping[str, Any], where: Moment, **switches: Any) -> resolve.Encounter:
    offence, defence = sides(attacker, target, where)
    number = sheets.attack_dice(offence, defence.kind, where.range_in)
    return resolve.meet(offence, defence, number, where.range_in, Variant(**switches))


def binomial(n: int, least: int, p: Fraction = HALF) -> Fraction:
    return sum((comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(least, n + 1)), Fraction(0))


def thrown(one: Callable[[Random], Hashable], n: int) -> Counter[Hashable]:
    rng = Random(1)
    return Counter(one(rng) for _ in range(n))


def assert_agrees(counts: Mapping[Any, int], exact: Mapping[Any, float], n: int) -> None:
    possible = {outcome for outcome, p in exact.items() if p > 0}
    assert set(counts) <= possible, f"thrown but impossible: {set(counts) - possible}"
    for outcome, p in exact.items():
        z = (counts.get(outcome, 0) - n * p) / max(sqrt(n * p * (1 - p)), 1e-9)
        assert abs(z) < LIMIT, f"{outcome}: {counts.get(outcome, 0) / n:.4f} thrown, {float(p):.4f} exact, z = {z:.1f}"


# --- dice, hits, counters


@pytest.mark.parametrize(
    ("modifier", "p"), [(-3, 0), (-2, Fraction(1, 6)), (-1, Fraction(1, 3)), (0, HALF), (1, Fraction(2, 3)), (3, 1)]
)
def test_p_success__four_or_more_after_the_modifier(modifier: int, p: Fraction) -> None:
    assert rules.p_success(modifier) == p


def test_successes__are_binomial() -> None:
    assert rules.successes(3, 0) == {0: Fraction(1, 8), 1: Fraction(3, 8), 2: Fraction(3, 8), 3: Fraction(1, 8)}
    assert rules.successes(2, -3) == {0: 1}
    assert rules.successes(0, 0) == {0: 1}


def test_hits__the_four_lines() -> None:
    """Attacks against Soldiers 6, of Defense 3 and Disintegration 5."""
    assert [rules.hits(rolled, 3, 5) for rolled in range(7)] == [0, 0, 0, 1, 2, 3, 3]


def test_hits__a_defense_that_equals_disintegration() -> None:
    """F-2: the highest line, or the one that says "equal"."""
    assert [rules.hits(rolled, 3, 3) for rolled in (2, 3, 4)] == [0, 3, 3]
    one_hit = Reading(dis_equals_def="one_hit")
    assert [rules.hits(rolled, 3, 3, one_hit) for rolled in (2, 3, 4)] == [0, 1, 3]
    assert [rules.hits(rolled, 3, 5, one_hit) for rolled in (3, 4, 5)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("kind", "condition", "expected"),
    [
        ("soldier", GOOD_ORDER, (4, 6)),
        ("soldier", PINNED, (4, 6)),
        ("soldier", SHAKEN, (3, 5)),
        ("vehicle", GOOD_ORDER, (4, 6)),
        ("vehicle", PINNED, (3, 6)),
        ("vehicle", SHAKEN, (3, 5)),
        ("vehicle", SHAKEN + 1, (2, 4)),
        ("fighter", SHAKEN, (4, 6)),
    ],
)
def test_lowered__by_kind_and_condition(kind: Any, condition: int, expected: tuple[int, int]) -> None:
    assert rules.lowered(kind, 4, 6, condition) == expected


def test_lowered__no_lower_than_the_floor() -> None:
    """F-3."""
    assert rules.lowered("soldier", 1, 1, SHAKEN) == (1, 1)
    assert rules.lowered("vehicle", 1, 2, PINNED) == (1, 2)
    assert rules.lowered("vehicle", 1, 1, SHAKEN, Reading(min_defense=0)) == (0, 0)


def test_die_modifier__damaged_and_pinned_do_not_add_up() -> None:
    """A Damaged vehicle that is Pinned too has -1; the counters of soldiers take nothing from their dice."""
    assert [rules.die_modifier("vehicle", condition) for condition in range(DESTROYED)] == [0, -1, -1, -2, -3]
    assert {rules.die_modifier(kind, c) for kind in ("soldier", "fighter") for c in range(DESTROYED)} == {0}


def test_cover_modifier__the_whole_list() -> None:
    assert rules.cover_modifier(2) == 2
    assert rules.cover_modifier(0, same_hex=True) == -1
    assert rules.cover_modifier(0, hit_the_dirt=True) == 1
    assert rules.cover_modifier(0, hull_down=True) == 1
    assert rules.cover_modifier(0, defensive_fire=True) == -1
    assert rules.cover_modifier(-1, same_hex=True, hit_the_dirt=True, defensive_fire=True) == -2


def test_crushing__the_authors_example() -> None:
    """A reply on a unit of Defense 3/5: 4 successes -1, 5 successes -2."""
    assert [rules.crushing(rolled, 3, 5) for rolled in (3, 4, 5, 6)] == [0, -1, -2, -2]


def test_p_cover__a_natural_1_fails_and_nothing_passes_by_itself() -> None:
    assert [rules.p_cover(4, modifier) for modifier in (-3, -2, 0, 1, 2, 9)] == [
        Fraction(n, 6) for n in (0, 1, 3, 4, 5, 5)
    ]
    assert rules.p_cover(None, 9) == 0


def test_needs_cover_roll__not_on_a_miss_nor_on_the_first_single_hit() -> None:
    covered = Target(3, 5, 4, in_cover=True)
    assert [rules.needs_cover_roll(scored, covered) for scored in (0, 1, 2, 3)] == [False, False, True, True]
    assert rules.needs_cover_roll(1, covered._replace(face_down=1))
    assert not rules.needs_cover_roll(3, covered._replace(in_cover=False))
    every = Reading(cover_one_hit_exempt=False)
    assert [rules.needs_cover_roll(scored, covered, every) for scored in (0, 1)] == [False, True]


def test_attack__a_passed_cover_roll_leaves_one_counter_at_most() -> None:
    """Two dice at Defense 1, Disintegration 3, cover 3: one success is one hit, two crush (3+ at -1: half pass)."""
    open_ground = Target(1, 3, 3)
    assert rules.attack(2, 0, open_ground) == {0: Fraction(1, 4), 1: HALF, 2: Fraction(1, 4)}
    covered = open_ground._replace(in_cover=True)
    assert rules.attack(2, 0, covered) == {0: Fraction(1, 4), 1: Fraction(5, 8), 2: Fraction(1, 8)}
    # With a counter the one hit rolls too (3+: two thirds), and a passed roll leaves things as they are.
    assert rules.attack(2, 0, covered._replace(face_down=1)) == {
        1: Fraction(1, 4) + HALF * Fraction(2, 3) + Fraction(1, 4) * HALF,
        2: HALF * Fraction(1, 3),
        3: Fraction(1, 4) * HALF,
    }


def test_attack__the_exemption_of_one_hit_does_not_matter() -> None:
    """F-7: a passed roll leaves Pinned, which is what one hit gives."""
    for face_down in (0, 1, 2):
        target = Target(4, 6, 4, in_cover=True, face_down=face_down)
        assert rules.attack(8, 0, target) == rules.attack(8, 0, target, Reading(cover_one_hit_exempt=False))


def test_indirect__cover_comes_first() -> None:
    """Cover 4+ is passed half the time whatever the attack rolls; a unit that fails has no second roll."""
    target = Target(2, 4, 4, in_cover=True)
    direct = rules.attack(6, 0, target._replace(in_cover=False))
    expected = dice.bernoulli(HALF, direct)
    assert rules.indirect(6, 0, target) == expected
    assert rules.indirect(6, 0, target._replace(in_cover=False)) == direct
    assert rules.indirect(6, 0, target._replace(cover_modifier=2))[0] > expected[0]


def test_antiair__armour_damages_and_vital_armour_destroys() -> None:
    found = rules.antiair(4, 0, 3, 4)
    assert found == {0: Fraction(11, 16), 1: Fraction(4, 16), 2: Fraction(1, 16)}


def test_antiair__a_second_damaged_counter_destroys() -> None:
    assert rules.antiair(4, 0, 3, 9, had=1) == {1: Fraction(11, 16), 2: Fraction(5, 16)}


def test_declared__one_less_and_never_below_one() -> None:
    assert (rules.declared(4, 6), rules.declared(1, 1)) == ((3, 5), (1, 1))


@pytest.mark.parametrize(
    ("condition", "after"),
    [(GOOD_ORDER, (0, 1, 2, DESTROYED)), (PINNED, (0, 1, 2, DESTROYED)), (SHAKEN, (1, 1, 2, DESTROYED))],
)
def test_casualty__soldiers(condition: int, after: tuple[int, ...]) -> None:
    """Demoralized becomes Pinned; Pinned goes."""
    assert tuple(rules.casualty("soldier", condition, face_down) for face_down in range(4)) == after


@pytest.mark.parametrize(
    ("second_damaged", "after"),
    [("no_effect", (2, 2, 2, DESTROYED)), ("cumulative", (2, 2, 3, DESTROYED)), ("destroyed", (2, 2, 5, DESTROYED))],
)
def test_casualty__vehicles(second_damaged: str, after: tuple[int, ...]) -> None:
    """Damage stays; F-5 is what a second Damaged counter does."""
    reading = Reading(second_damaged=second_damaged)
    for condition in (GOOD_ORDER, PINNED):
        assert [rules.casualty("vehicle", condition, n, reading) for n in range(4)] == [0, 1, 2, DESTROYED]
    assert tuple(rules.casualty("vehicle", SHAKEN, n, reading) for n in range(4)) == after


def test_casualty__damage_adds_up_to_three_counters() -> None:
    reading = Reading(second_damaged="cumulative")
    assert [rules.casualty("vehicle", condition, 2, reading) for condition in (2, 3, 4)] == [3, 4, 4]
    assert rules.p_success(rules.die_modifier("vehicle", 4)) == 0


def test_casualty__aircraft() -> None:
    assert [rules.casualty("fighter", GOOD_ORDER, n) for n in range(3)] == [GOOD_ORDER, SHAKEN, DESTROYED]
    assert [rules.casualty("bomber", SHAKEN, n) for n in range(3)] == [SHAKEN, DESTROYED, DESTROYED]


# --- defensive fire


def test_defensive_fire__pins_at_most_and_cover_negates_it() -> None:
    """Four dice at 3/5, cover 4: three successes pin without a roll, four crush: 4+ at -2, so five sixths fail."""
    assert defensive.defensive_fire(4, 0, Target(3, 5)) == Fraction(5, 16)
    covered = Target(3, 5, 4, in_cover=True)
    assert defensive.defensive_fire(4, 0, covered) == Fraction(4, 16) + Fraction(1, 16) * Fraction(5, 6)


def test_defensive_fire__a_roll_for_one_hit_too() -> None:
    """F-9 and F-7: three successes then meet 4+ at -1, which two thirds fail."""
    covered = Target(3, 5, 4, in_cover=True)
    expected = Fraction(4, 16) * Fraction(2, 3) + Fraction(1, 16) * Fraction(5, 6)
    assert defensive.defensive_fire(4, 0, covered, always_cover=True) == expected
    assert defensive.defensive_fire(4, 0, covered, Reading(cover_one_hit_exempt=False)) == expected


def test_may_fire__who_may_make_defensive_fire() -> None:
    for kind, target_kind, conditions in (
        ("soldier", "soldier", {GOOD_ORDER}),
        ("soldier", "vehicle", {GOOD_ORDER}),
        ("vehicle", "vehicle", {GOOD_ORDER, SHAKEN}),
        ("vehicle", "soldier", set()),
        ("fighter", "soldier", set()),
        ("soldier", "bomber", set()),
    ):
        fire = {c for c in (GOOD_ORDER, PINNED, SHAKEN) if may_fire(Offence(kind, condition=c), target_kind)}
        assert fire == conditions


# --- the two halves of an attack


@pytest.mark.parametrize(("range_in", "number"), [(0, 13), (1, 13), (2, 11), (4, 11), (5, 9), (8, 9), (9, 0)])
def test_attack_dice__column_of_the_range_row_of_the_target(range_in: int, number: int) -> None:
    offence = sheets.offence(card(TANK), at())
    assert sheets.attack_dice(offence, "vehicle", range_in) == number
    assert sheets.attack_dice(offence, "soldier", 4) == 7
    assert {sheets.attack_dice(offence, kind, 1) for kind in ("fighter", "bomber", "obstacle")} == {0}
    assert sheets.attack_dice(sheets.offence(card(FLAK), at()), "bomber", 8) == 8


def test_attack_dice__aircraft_tell_fighters_from_bombers() -> None:
    offence = sheets.offence(card(FIGHTER), at())
    assert [sheets.attack_dice(offence, sheets.kind_of(card(one)), 4) for one in (FIGHTER, BOMBER)] == [6, 7]


@pytest.mark.parametrize("face", FACES)
def test_defence__shows_the_face_that_is_attacked(face: Any) -> None:
    shown = sheets.defence(card(TANK), at(facing=face))
    assert (shown.defense, shown.disintegration) == (TANK["armor"][face], TANK["vital"][face])
    assert sheets.defence(card(SQUAD), at(facing=face)).defense == 4


def test_defence__aircraft_that_declared_a_ground_target() -> None:
    shown = sheets.defence(card(FIGHTER), at(ground_target=True))
    assert (shown.defense, shown.disintegration) == (3, 5)


def test_defence__hull_down_helps_the_front_alone() -> None:
    found = {face: met(TANK, TANK, at(cover=True, hull_down=True, facing=face)).printed for face in FACES}
    assert {face: target.cover_modifier for face, target in found.items()} == {**dict.fromkeys(FACES, 0), "front": 1}
    assert met(FIGHTER, TANK, at(cover=True, hull_down=True)).printed.cover_modifier == 0


def test_shown__from_the_air_a_vehicle_shows_its_top() -> None:
    """All ground attacks performed by aircraft target the top defense of the vehicle."""
    front = sheets.defence(card(TANK), at())
    assert (sheets.relevant(front, True).defense, sheets.relevant(front, False).defense) == (3, 5)
    assert met(FIGHTER, TANK, at()).printed == met(FIGHTER, TANK, at(facing="rear")).printed


def test_meet__the_same_hex_takes_one_from_cover_rolls() -> None:
    assert [met(TANK, SQUAD, at(n, cover=True)).printed.cover_modifier for n in (0, 1)] == [-1, 0]


def test_meet__what_has_no_bearing_makes_no_other_encounter() -> None:
    plain = met(TANK, SQUAD, at())
    assert plain == met(TANK, SQUAD, at(1, cover_modifier=2, hit_the_dirt=True, facing="rear"))
    assert met(TANK, SQUAD, at(20)) == met(SQUAD, SQUAD, at(20))


def test_met__hit_the_dirt_lasts_while_in_good_order() -> None:
    dirt = met(TANK, SQUAD, at(cover=True, hit_the_dirt=True))
    assert [resolve.target_in(dirt, condition).cover_modifier for condition in (GOOD_ORDER, PINNED, SHAKEN)] == [
        1,
        0,
        0,
    ]
    assert not met(TANK, TANK, at(cover=True, hit_the_dirt=True)).hit_the_dirt


def test_meet__aircraft_against_cover() -> None:
    """F-12."""
    for where, modifier in ((at(cover=True), -2), (at(), 0)):
        assert met(FIGHTER, SQUAD, where, aircraft_cover_penalty=2).modifier == modifier
    assert met(TANK, SQUAD, at(cover=True), aircraft_cover_penalty=2).modifier == 0


# --- attacks


def test_shot__by_hand() -> None:
    """Eight dice against Defense 4, Disintegration 6."""
    found = fired(SQUAD, SQUAD, at())
    assert (found.weapon, found.attempts, found.needs) == ("direct fire", 8, {"need": 4})
    assert found.effect == {
        0: 1 - binomial(8, 4),
        1: binomial(8, 4) - binomial(8, 5),
        2: binomial(8, 5) - binomial(8, 6),
        3: binomial(8, 6),
    }


def test_shot__counters_of_both() -> None:
    """A Damaged tank rolls at 5+ against the Pinned tank's armour of 4."""
    found = fired(TANK, TANK, at(face_up=1, own_face_up=2))
    assert found.needs == {"need": 5}
    assert found.effect[0] == 1 - binomial(13, 4, Fraction(1, 3))
    assert found.effect[3] == binomial(13, 8, Fraction(1, 3))


def test_shot__effect_is_the_counters_added() -> None:
    """No more of them than destroy the target, in the condition and with the counters that it has."""
    four = binomial(8, 4)
    assert fired(SQUAD, SQUAD, at(face_down=2)).effect == {0: 1 - four, 1: four}
    one = four - binomial(8, 5)
    assert fired(SQUAD, SQUAD, at(face_down=1)).effect == {0: 1 - four, 1: one, 2: four - one}
    assert fired(FLAK, FIGHTER, at(face_up=2)).effect == {0: 1 - binomial(11, 4), 1: binomial(11, 4)}
    damaged = fired(TANK, TANK, at(face_up=2), second_damaged="destroyed").effect
    assert damaged == {0: 1 - binomial(13, 4), 1: binomial(13, 4) - binomial(13, 5), 2: binomial(13, 5)}


KILLS: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any], Fraction]] = [
    (SQUAD, SQUAD, {}, {}, binomial(8, 6)),
    (SQUAD, SQUAD, {"face_down": 1}, {}, binomial(8, 5)),
    (SQUAD, SQUAD, {"face_down": 2}, {}, binomial(8, 4)),
    (SQUAD, SQUAD, {"face_up": 2}, {}, binomial(8, 5)),
    (FLAK, FIGHTER, {}, {}, binomial(11, 6)),
    (FLAK, FIGHTER, {"face_up": 1}, {}, binomial(11, 6)),
    (FLAK, FIGHTER, {"face_up": 2}, {}, binomial(11, 4)),
    (FLAK, FIGHTER, {"face_down": 2}, {}, binomial(11, 4)),
    (TANK, TANK, {"face_up": 2}, {}, binomial(13, 7)),
    (TANK, TANK, {"face_up": 2}, {"second_damaged": "destroyed"}, binomial(13, 5)),
    (TANK, TANK, {"face_up": 2, "face_down": 1}, {"second_damaged": "destroyed"}, binomial(13, 4)),
    (SQUAD, WIRE, {}, {}, Fraction(0)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("attacker", "target", "where", "switches", "p"), KILLS)
def test_shot__p_kill_is_what_the_casualty_phase_says(
    attacker: dict[str, Any], target: dict[str, Any], where: dict[str, Any], switches: dict[str, Any], p: Fraction
) -> None:
    found = fired(attacker, target, at(**where), **switches)
    assert dice.chance_of_at_least(found.effect, found.left) == p
    game = aab.Game("forumini", variant=switches)
    assert game.shot(card(attacker), card(target), range_in=1, **where).p_kill == float(p)
    counts = thrown(lambda rng: table.throw_kill(rng, attacker, target, {"range_in": 1, **where}, switches), ROLLS)
    assert_agrees(counts, {True: float(p), False: float(1 - p)}, ROLLS)


@pytest.mark.parametrize("weapon", ["indirect fire", "defensive fire"])
def test_shot__p_kill_of_other_forms_of_attack(weapon: str) -> None:
    found = fired(MORTAR, SQUAD, at(face_down=2), weapon)
    assert dice.chance_of_at_least(found.effect, found.left) == (binomial(8, 4) if weapon[0] == "i" else 0)


def test_shot__of_fresh_targets_destroys_who_takes_the_whole_toughness() -> None:
    ids = ("de_tiger_i", "de_mauser_kar_98k", "us_p_51d_mustang", "de_ju_87_stuka", "de_20mm_flak_38")
    for attacker in ids:
        for target in ids:
            found = RULESET.shot(
                sheets.offence(GAME.cards[attacker], at(cover=True)),
                sheets.defence(GAME.cards[target], at(cover=True)),
                1,
                variant(),
                None,
            )
            assert found.left == RULESET.toughness(GAME.cards[target])


def test_shot__a_soldier_in_the_dirt_does_not_attack() -> None:
    """While in good order: a Pinned or Demoralized soldier has lost his Hit the Dirt counter."""
    for weapon in ("direct fire", "indirect fire"):
        low = fired(MORTAR, SQUAD, at(own_hit_the_dirt=True), weapon)
        assert (low.attempts, low.needs, low.effect) == (0, {}, {0: 1})
        assert low.steps[-1].value == "a Hit the Dirt counter lies on the attacker"
        for face_up in (1, 2):
            up = fired(MORTAR, SQUAD, at(own_hit_the_dirt=True, own_face_up=face_up), weapon)
            assert up == fired(MORTAR, SQUAD, at(own_face_up=face_up), weapon)
    assert fired(TANK, SQUAD, at(own_hit_the_dirt=True)) == fired(TANK, SQUAD, at())


def test_shot__no_attack_does_nothing_to_a_defense_of_0() -> None:
    nothing = fired(MORTAR, SQUAD | {"defense": 1}, at(20, face_up=2), "indirect fire", min_defense=0)
    assert nothing.effect == {0: 1}


def test_shot__bombs_fall_on_ground_targets() -> None:
    found = fired(FIGHTER, TANK, at(), "bombs")
    assert (found.attempts, found.effect[0]) == (8, 1 - binomial(8, 3))
    assert fired(FIGHTER, FIGHTER, at(), "bombs").effect == {0: 1}


def test_shot__indirect_fire_of_units_that_can() -> None:
    where = at(cover=True)
    covered = Target(4, 6, 4, in_cover=True)
    assert fired(MORTAR, SQUAD, where, "indirect fire").effect == rules.indirect(8, 0, covered)
    assert fired(MORTAR | {"antiair": [9]}, FIGHTER, where, "indirect fire").effect == {0: 1}
    with pytest.raises(UsageError, match="indirect fire"):
        fired(SQUAD, SQUAD, where, "indirect fire")


def test_shot__defensive_fire_of_vehicles_spares_soldiers() -> None:
    assert fired(TANK, SQUAD, at(), "defensive fire").effect == {0: 1}
    assert fired(TANK, TANK, at(own_face_up=1), "defensive fire").effect == {0: 1}
    found = fired(SQUAD, SQUAD, at(cover=True), "defensive fire").effect
    assert found[1] == defensive.defensive_fire(8, 0, Target(4, 6, 4, in_cover=True))
    assert set(found) == {0, 1}
    stricter = fired(SQUAD, SQUAD, at(cover=True), "defensive fire", df_always_cover=True)
    assert stricter.effect[1] < found[1]
    assert fired(SQUAD, SQUAD, at(face_down=1), "defensive fire").effect == {0: 1}


def test_shot__defensive_fire_out_of_the_dirt_in_the_own_hex_and_by_overwatch() -> None:
    """Hit the Dirt; Overwatch 2: no other unit fires at one that isn't next to it."""
    for range_in, attempts in ((0, 8), (1, 0), (2, 6)):
        assert fired(SQUAD, SQUAD, at(range_in, own_hit_the_dirt=True), "defensive fire").attempts == attempts


def test_shot__no_defensive_fire_of_hull_down_vehicles() -> None:
    """Restrictions on Defensive Fire 8: outside Overwatch."""
    assert fired(TANK, TANK, at(own_hull_down=True)).attempts == 13
    assert [fired(TANK, TANK, at(own_hull_down=low), "defensive fire").attempts for low in (False, True)] == [13, 0]
    assert fired(TANK, TANK, at(2, own_hull_down=True), "defensive fire").attempts == 11, "in Overwatch"
    assert fired(SQUAD, TANK, at(own_hull_down=True), "defensive fire").attempts == 2


def test_shot__defensive_fire_meets_no_counter_that_moving_takes_off() -> None:
    """Hit the Dirt, Hull Down: who moves, or changes facing, has none any more."""
    for unit, counter in ((SQUAD, "hit_the_dirt"), (TANK, "hull_down")):
        free, low = (fired(unit, unit, at(cover=True, **{counter: on}), "defensive fire") for on in (False, True))
        assert free.effect == low.effect
        assert free.effect[1]


def test_shot__explains_every_number() -> None:
    where = at(4, cover=True, own_face_up=1, face_up=1, face_down=1)
    said = {step.label: step for step in fired(TANK | {"die_modifier": 1}, TANK, where).steps}
    assert said["Attack Dice"].value == "direct fire: 11 against vehicle at 4 hexes"
    assert said["lowered"].value == "4/8: Pinned"
    assert said["Cover Roll"].rule == "Cover against Attacks 1-4 [F-7, F-11]"
    assert "more than 4 successes -1, 8 or more another -1;" in said["Cover Roll"].value
    assert said["face-down counters"].value == "1 before this attack"
    near = [step.value for step in fired(FLAK, BOMBER | {"type": "Aircraft-Scout"}, at(1)).steps]
    assert "direct fire: 11 against aircraft at 1 hex" in near
    air = [step.value for step in fired(FIGHTER, TANK, at(cover=True), aircraft_cover_penalty=2).steps]
    assert "-2 on each die: against cover, from the air" in air
    for attacker, target in ((TANK, WIRE), (WIRE, TANK), (SQUAD, FIGHTER)):
        steps = fired(attacker, target, at()).steps
        assert [step.label for step in steps] == ["Attack Dice", "no attack"]
    assert "Damaged" in " ".join(step.value for step in fired(FLAK, FIGHTER, at()).steps)


def test_shot__only_of_direct_fire_there_are_two_in_a_phase() -> None:
    """Restrictions on Defensive Fire 1: one attack a phase."""
    labels = {
        form: [step.label for step in fired(TANK | {"attacks": 2}, TANK, at(), form).steps]
        for form in ("direct fire", "defensive fire")
    }
    assert ["attacks" in said for said in labels.values()] == [True, False]


def test_shot__an_aircraft_that_can_be_attacked_has_one_counter_at_most() -> None:
    """Attacks against Aircraft: with a second counter it is destroyed."""
    one, two = (fired(FLAK, FIGHTER, at(1, face_down=counters)) for counters in (1, 2))
    assert (two.effect, two.steps) == (one.effect, one.steps)
    # A further counter destroys it: 4 successes of 11 dice or more.
    assert one.effect[1] == binomial(11, 4)


@pytest.mark.parametrize(
    ("weapon", "face_down", "words"),
    [
        ("direct fire", 0, "passed, the attack leaves Pinned at most"),
        ("direct fire", 1, "passed, the attack has no effect"),
        ("defensive fire", 0, "passed, the attack has no effect"),
    ],
)
def test_shot__explains_what_a_passed_cover_roll_leaves(weapon: str, face_down: int, words: str) -> None:
    said = {step.label: step.value for step in fired(SQUAD, SQUAD, at(cover=True, face_down=face_down), weapon).steps}
    assert said["Cover Roll"].endswith(words)


@pytest.mark.parametrize(
    ("attacker", "target", "equal", "words"),
    [
        (
            SQUAD,
            SQUAD | {"defense": 3, "disintegration": 5},
            "destroyed",
            "below 3 a miss, 3 one, more two, from 5 three",
        ),
        (SQUAD, SQUAD | {"defense": 3, "disintegration": 3}, "destroyed", "below 3 a miss, from 3 three"),
        (SQUAD, SQUAD | {"defense": 3, "disintegration": 3}, "one_hit", "below 3 a miss, 3 one, from 4 three"),
        (FLAK, FIGHTER | {"armor": 4, "vital": 6}, "destroyed", "below 4 none, from 4 Damaged, from 6 Destroyed"),
        (FLAK, FIGHTER | {"armor": 4, "vital": 4}, "destroyed", "below 4 none, from 4 Destroyed"),
    ],
)
def test_shot__explains_what_successes_score(
    attacker: dict[str, Any], target: dict[str, Any], equal: str, words: str
) -> None:
    """Equal values have no line in between; F-2 says which of the two lines counts where they meet."""
    said = {step.label: step.value for step in fired(attacker, target, at(), dis_equals_def=equal).steps}
    assert said["hits by successes"] == words


@pytest.mark.parametrize(
    ("face_down", "switches", "spared"),
    [(0, {}, True), (1, {}, False), (0, {"df_always_cover": True}, False), (0, {"cover_one_hit_exempt": False}, False)],
)
def test_shot__explains_whether_defensive_fire_of_one_hit_can_be_covered(
    face_down: int, switches: dict[str, Any], spared: bool
) -> None:
    steps = fired(SQUAD, SQUAD, at(cover=True, face_down=face_down), "defensive fire", **switches).steps
    said = {step.label: step.value for step in steps}
    assert ("one hit needs none" in said["Cover Roll"]) is spared


def test_shot__blames_the_dirt_for_no_defensive_fire_where_nothing_else_forbids_it() -> None:
    """In his own hex he may fire out of the dirt, so that a card without dice is why he doesn't (Hit the Dirt)."""
    unarmed = SQUAD | {"antisoldier": []}
    said = {
        (range_in, name): fired(attacker, target, at(range_in, own_hit_the_dirt=True), "defensive fire").steps[-1].value
        for range_in in (0, 1)
        for name, attacker, target in (("unarmed", unarmed, SQUAD), ("at aircraft", SQUAD, FIGHTER))
    }
    assert said.pop((1, "unarmed")) == "a Hit the Dirt counter lies on the attacker"
    assert said.pop((0, "unarmed")) == "its card has no dice against this target at this range"
    assert set(said.values()) == {"the rules allow no such attack by it, or on this target"}


@pytest.mark.parametrize(
    ("more", "target", "face_down", "weapon", "words"),
    [
        ({}, TANK, 0, "direct fire", "2 successes at most, armour 5"),
        ({"antivehicle": [9, 9, 0], "die_modifier": -3}, TANK, 0, "direct fire", "0 successes at most, armour 5"),
        ({}, SQUAD, 1, "defensive fire", "it leaves one counter at most, and there is one already"),
    ],
)
def test_shot__says_why_dice_have_no_effect(
    more: dict[str, Any], target: dict[str, Any], face_down: int, weapon: str, words: str
) -> None:
    assert fired(SQUAD | more, target, at(face_down=face_down), weapon).steps[-1].value == words


def test_shot__explains_what_it_destroys() -> None:
    said = {face_down: fired(SQUAD, SQUAD, at(face_down=face_down)).steps[-1].value for face_down in (0, 1, 2)}
    outcomes = {face_down: [part.rpartition(" ")[0] for part in text.split(", ")] for face_down, text in said.items()}
    assert outcomes == {
        0: ["no counter", "one", "two", "destroyed"],
        1: ["no counter", "one", "destroyed"],
        2: ["no counter", "destroyed"],
    }


@pytest.mark.parametrize(("attacker", "target"), [(TANK, SQUAD), (FIGHTER, TANK), (FIGHTER, SQUAD), (FLAK, FIGHTER)])
def test_shot__explains_no_facing_that_does_not_matter(attacker: dict[str, Any], target: dict[str, Any]) -> None:
    (told,) = {" ".join(step.value for step in fired(attacker, target, at(facing=face)).steps) for face in FACES}
    assert not any(face in told for face in ("front", "side", "rear"))


def test_shot__tall_silhouettes_fail_every_roll() -> None:
    elephant = {name: value for name, value in TANK.items() if name != "cover"}
    found = fired(TANK, elephant, at(cover=True))
    assert found.effect == fired(TANK, elephant, at()).effect
    assert "fails always" in [step.value for step in found.steps]


def test_counters__double_shot_attacks_twice() -> None:
    twice = met(SQUAD | {"attacks": 2}, SQUAD, at())
    target = Target(4, 6)
    after_two = dice.sequence(0, [lambda had: rules.attack(8, 0, target._replace(face_down=had))] * 2)
    assert resolve.counters(twice, 0, 0, 2) == after_two
    survey = duel.fire(twice, 0, 0)
    assert survey.shot.effect == rules.attack(8, 0, target)
    assert survey.per_action == float(dice.mean(resolve.counters(twice, 0, 0, 2)))


def test_counters__two_damaged_counters_on_an_aircraft() -> None:
    twice = met(FLAK | {"attacks": 2}, FIGHTER | {"vital": 99}, at())
    hit = binomial(11, 4)
    assert resolve.counters(twice, 0, GOOD_ORDER, 2) == {
        0: (1 - hit) ** 2,
        1: 2 * hit * (1 - hit),
        2: hit**2,
    }


def test_counters__no_dice_are_no_attack_on_a_defense_of_0() -> None:
    nothing = met(SQUAD, TANK | faces(1, 1), at(20), min_defense=0)
    assert resolve.counters(nothing, 0, SHAKEN, 1) == {0: 1}
    something = met(SQUAD, TANK | faces(1, 1), at(1), min_defense=0)
    assert resolve.counters(something, 0, SHAKEN, 1) == {3: 1}


def test_blows__a_turn_of_fire_is_simultaneous() -> None:
    """The own condition changes by the enemy's blow alone, after both have fired."""
    found = duel.blows(met(TANK, TANK, at()))
    assert found.after == tuple(range(DESTROYED))
    assert RULESET.fight.simultaneous
    fought = GAME.duel(card(TANK), card(TANK), range_in=1)
    assert fought.p_a == pytest.approx(fought.p_b, abs=1e-12)
    assert fought.p_both_destroyed is not None
    assert fought.p_both_destroyed > 0


def test_blows__a_soldier_in_the_dirt_attacks_once_he_is_pinned() -> None:
    """In good order he lies down again; what he does otherwise is what he does without the counter."""
    low, up = duel.blows(met(SQUAD, SQUAD, at(own_hit_the_dirt=True))), duel.blows(met(SQUAD, SQUAD, at()))
    assert low.chances[GOOD_ORDER] == duel.blows(met(SQUAD, SQUAD, at(20))).chances[GOOD_ORDER]
    assert low.chances[PINNED:] == up.chances[PINNED:]
    assert low.chances[PINNED] != low.chances[GOOD_ORDER]
    # Whatever counters a single attack starts with, a duel starts in good order.
    assert duel.blows(met(SQUAD, SQUAD, at(own_hit_the_dirt=True, own_face_up=1))) == low


def test_blows__conditions_weaken_vehicles_not_soldiers() -> None:
    tank, squad = duel.blows(met(TANK, TANK, at())), duel.blows(met(SQUAD, SQUAD, at()))
    assert tank.chances[PINNED] == tank.chances[SHAKEN] != tank.chances[GOOD_ORDER]
    assert squad.chances[PINNED] == squad.chances[SHAKEN] == squad.chances[GOOD_ORDER]


def test_blows__equal_encounters_give_one_object() -> None:
    where = at(4)
    assert duel.blows(met(TANK, TANK, where)) is duel.blows(met(TANK | {"cost": 30}, TANK, where))


def test_blows__without_an_attack_units_recover() -> None:
    found = duel.blows(met(SQUAD, SQUAD, at(20)))
    assert [found.chances[0][condition] for condition in (0, 1, 2)] == [{0: 1}, {0: 1}, {1: 1}]
    assert duel.blows(met(WIRE, TANK, at())).chances[0][SHAKEN] == {SHAKEN: 1}


def test_returned__swaps_the_sides_and_back() -> None:
    where = Situation(cover=True, facing="side", own_cover_modifier=2, own_hit_the_dirt=True)
    back = where.mirrored(4)
    assert (back.own_cover, back.own_facing, back.cover_modifier) == (True, "side", 2)
    assert (back.cover, back.hit_the_dirt, back.own_hit_the_dirt) == (False, True, False)
    assert back.mirrored(4) == where


def test_situation__takes_values_as_report_files_spell_them() -> None:
    spelt = GAME.moment(range_in="4", cover="true", face_up="1", own_face_up="2", cover_modifier="-1")
    assert spelt == at(4, cover=True, face_up=1, own_face_up=2, cover_modifier=-1)
    with pytest.raises(UsageError, match="face_up"):
        GAME.moment(range_in=4, face_up=3)
    with pytest.raises(UsageError, match=r"range_in: found 4.5, expected a multiple of 1"):
        GAME.moment(range_in=4.5)


def test_situation__every_field_of_the_target_has_its_pair() -> None:
    assert set(Situation.model_fields) == {*SIDED, *(f"own_{name}" for name in SIDED)}
    assert all(field.description for field in Moment.model_fields.values())


# --- against thrown dice


SHOTS: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (TANK, TANK, {}, {}),
    (TANK, TANK, {"cover": True, "hull_down": True}, {}),
    (TANK, TANK, {"cover": True, "hull_down": True, "facing": "side", "face_up": 1}, {}),
    (TANK, SQUAD, {"range_in": 0, "cover": True, "face_down": 1}, {}),
    (SQUAD, SQUAD, {"cover": True, "hit_the_dirt": True, "cover_modifier": -1}, {}),
    (SQUAD, SQUAD, {"cover": True, "hit_the_dirt": True, "face_up": 2}, {}),
    (SQUAD, SQUAD, {"own_hit_the_dirt": True}, {}),
    (SQUAD, SQUAD, {"own_hit_the_dirt": True, "own_face_up": 1}, {}),
    (SQUAD, SQUAD, {"own_hit_the_dirt": True, "own_face_up": 2, "face_down": 1, "cover": True}, {}),
    (SQUAD, SQUAD, {"face_down": 2, "own_face_up": 2}, {"cover_one_hit_exempt": False}),
    (SQUAD | {"die_modifier": -1}, SQUAD | {"disintegration": 4}, {"cover": True}, {"dis_equals_def": "one_hit"}),
    (TANK, TANK, {"face_up": 2, "own_face_up": 1, "facing": "rear"}, {"second_damaged": "destroyed"}),
    (TANK, TANK | faces(1, 2), {"face_up": 2, "own_face_up": 2, "cover": True}, {"min_defense": 0}),
    (FIGHTER, TANK, {"cover": True, "hull_down": True}, {"aircraft_cover_penalty": 2}),
    (FLAK, FIGHTER, {"ground_target": True}, {}),
    (FLAK, FIGHTER, {"face_up": 2}, {}),
    (FIGHTER, BOMBER, {"face_down": 1}, {}),
    (SQUAD, WIRE, {}, {}),
]


@pytest.mark.parametrize(("attacker", "target", "where", "switches"), SHOTS)
def test_shot__agrees_with_thrown_dice(
    attacker: dict[str, Any], target: dict[str, Any], where: dict[str, Any], switches: dict[str, Any]
) -> None:
    where = {"range_in": 1, **where}
    counts = thrown(lambda rng: table.throw_attack(rng, attacker, target, where, switches), ROLLS)
    assert_agrees(counts, fired(attacker, target, at(**where), **switches).effect, ROLLS)


@pytest.mark.parametrize("switches", [{}, {"df_always_cover": True}, {"cover_one_hit_exempt": False}])
def test_defensive_fire__agrees_with_thrown_dice(switches: dict[str, Any]) -> None:
    where = {"range_in": 1, "cover": True, "cover_modifier": 1}
    counts = thrown(lambda rng: int(table.throw_defensive_fire(rng, SQUAD, SQUAD, where, switches)), ROLLS)
    assert_agrees(counts, fired(SQUAD, SQUAD, at(**where), "defensive fire", **switches).effect, ROLLS)


def test_indirect__agrees_with_thrown_dice() -> None:
    where = {"range_in": 6, "cover": True}
    counts = thrown(lambda rng: table.throw_indirect_fire(rng, MORTAR, SQUAD, where, {}), ROLLS)
    assert_agrees(counts, fired(MORTAR, SQUAD, at(**where), "indirect fire").effect, ROLLS)


CLASHES: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (TANK, TANK | faces(4, 6), {"own_cover": True}, {}),
    (TANK | faces(4, 7), TANK | faces(4, 6), {"facing": "side"}, {"second_damaged": "cumulative"}),
    (TANK, TANK, {"facing": "rear", "cover": True}, {"second_damaged": "destroyed"}),
    (SQUAD, SQUAD | {"attacks": 2}, {"cover": True, "own_cover": True, "own_cover_modifier": 1}, {}),
    (SQUAD | {"antivehicle": [9, 9, 9]}, TANK, {"own_cover": True}, {}),
    (TANK, SQUAD, {"cover": True, "hit_the_dirt": True}, {}),
    (SQUAD, SQUAD, {"cover": True, "own_cover": True, "own_hit_the_dirt": True}, {}),
    (TANK, SQUAD | {"antivehicle": [13, 13, 13]}, {"cover": True, "hit_the_dirt": True}, {}),
    (FLAK, FIGHTER, {"ground_target": True}, {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "where", "switches"), CLASHES)
def test_duel__agrees_with_thrown_dice(
    a: dict[str, Any], b: dict[str, Any], where: dict[str, Any], switches: dict[str, Any]
) -> None:
    where = {"range_in": 1, **where}
    counts = thrown(lambda rng: table.throw_duel(rng, a, b, where, switches, "a"), DUELS)
    exact = aab.Game("forumini", variant=switches).duel(card(a), card(b), **where)
    odds = {"a": exact.p_a, "b": exact.p_b, "both": exact.p_both_destroyed, None: exact.p_draw}
    assert_agrees(counts, {who: p for who, p in odds.items() if p is not None}, DUELS)


def test_duel__both_strike_at_once_so_that_nobody_moves_first() -> None:
    found = GAME.duel(card(TANK), card(TANK), range_in=1)
    assert found.to_dict()["first"] == "both at once"
    assert ", first: both at once, " in repr(found)
    assert " destroy both: " in found.sentence()
    for first in ("a", "b"):
        with pytest.raises(aab.UsageError, match=rf"^first: found '{first}', expected none: in forumini both sides"):
            GAME.duel(card(TANK), card(TANK), range_in=1, first=first)


def test_duel__who_cannot_hurt_the_other_draws() -> None:
    found = GAME.duel(card(WIRE), card(TANK), range_in=1)
    assert (found.p_draw, found.player_turns) == (1, None)


# --- invariants


numbers = st.integers(0, 20)
conditions = st.sampled_from((0, 1, 2))
values = st.tuples(st.integers(1, 9), st.integers(0, 5)).map(lambda pair: (pair[0], sum(pair)))
readings = st.builds(
    Reading,
    st.sampled_from(("destroyed", "one_hit")),
    st.sampled_from((0, 1)),
    st.sampled_from(("no_effect", "cumulative", "destroyed")),
    st.booleans(),
)
targets = st.builds(
    lambda pair, cover, inside, more, down: Target(pair[0], pair[1], cover, inside, more, down),
    values,
    st.none() | st.integers(2, 7),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from((0, 1, 2, 3)),
)


@pytest.mark.slow
@given(numbers, st.integers(-4, 4), targets, readings)
def test_attack__is_a_distribution_and_takes_no_counter_away(
    number: int, modifier: int, target: Target, reading: Reading
) -> None:
    after = rules.attack(number, modifier, target, reading)
    assert sum(after.values()) == 1
    assert all(p > 0 and target.face_down <= counters <= 3 for counters, p in after.items())


@pytest.mark.slow
@given(numbers, st.integers(-3, 3), targets, readings)
def test_attack__cover_never_helps_the_attacker_nor_do_better_rolls_hurt_him(
    number: int, modifier: int, target: Target, reading: Reading
) -> None:
    def beaten(one: Target) -> list[Fraction]:
        after = rules.attack(number, modifier, one, reading)
        return [dice.chance_of_at_least(after, counters) for counters in (1, 2, 3)]

    bare = beaten(target._replace(in_cover=False))
    worse, better = (beaten(target._replace(in_cover=True, cover_modifier=more)) for more in (-1, 1))
    assert all(x >= y >= z for x, y, z in zip(bare, worse, better, strict=True))


@pytest.mark.slow
@given(numbers, values, conditions, readings)
def test_counters__of_the_target_never_help_it(
    number: int, pair: tuple[int, int], condition: int, reading: Reading
) -> None:
    for kind in ("soldier", "vehicle"):
        met_at = [Target(*rules.lowered(kind, *pair, c, reading)) for c in range(condition + 1)]
        means = [dice.mean(rules.attack(number, 0, target, reading)) for target in met_at]
        assert all(y >= x for x, y in pairwise(means))


@pytest.mark.slow
@given(st.sampled_from(("soldier", "vehicle", "fighter")), st.integers(0, 4), readings)
def test_casualty__more_counters_are_never_better(kind: Any, condition: int, reading: Reading) -> None:
    after = [rules.casualty(kind, condition, counters, reading) for counters in range(4)]
    assert all(y >= x for x, y in pairwise(after))
    assert rules.casualty(kind, GOOD_ORDER, 0, reading) == GOOD_ORDER


# --- cards


def test_cards__are_what_their_facts_give() -> None:
    assert len(GAME.cards) == 144
    assert audit.deviations(GAME.cards, RULESET.roster.derive(FOLDER), "note") == []


def test_cards__keep_the_costs_of_the_file() -> None:
    with (FOLDER / "facts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(GAME.cards[row["id"]].cost == float(row["cost"]) for row in rows)
    assert GAME.cards["obstacle_barbed_wire"].cost == 0.5
    assert all(row["source"] for row in rows)
    assert GAME.cards[RULESET.roster.reference[0]].cost == RULESET.roster.reference[1]


def test_cards__say_what_is_not_printed() -> None:
    assert all("ours" in unit.note for unit in GAME.cards.values() if unit.kind != "obstacle")
    for path in FOLDER.glob("*.toml"):
        assert "Axis & Allies Miniatures" in path.read_text(encoding="utf-8").split("\n[")[0]


def test_json_schema__committed_copy_is_current() -> None:
    assert (FOLDER / cards.SCHEMA_FILE).read_text(encoding="utf-8") == cards.json_schema(RULESET.Card)


def test_derive__abilities_that_are_a_number() -> None:
    found = RULESET.roster.derive(FOLDER)
    tiger = found["de_tiger_i"]
    assert (tiger["range"], tiger["antivehicle"], tiger["antisoldier"]) == (
        [1, 4, 8, 10],
        [17, 15, 12, 12],
        [7, 7, 6, 0],
    )
    assert tiger["armor"] == {"front": 7, "side": 6, "rear": 6, "top": 6}
    assert found["su_t_34_85"]["vital"] == {"front": 11, "side": 10, "rear": 10, "top": 10}
    assert found["uk_matilda_ii"]["vital"] == {"front": 11, "side": 8, "rear": 8, "top": 8}
    faust = found["de_panzerfaust_30"]
    assert (faust["range"], faust["antivehicle"], faust["antisoldier"]) == ([0, 1, 2], [11, 10, 6], [4, 4, 0])
    assert found["de_mauser_kar_98k"]["range"] == [0, 1, 4]
    assert (found["de_hummel"]["range"], found["de_hummel"]["antisoldier"]) == ([1, 4, 16], [10, 10, 9])
    assert found["de_20mm_flak_38"]["antiair"] == [9, 8, 7]
    assert found["de_mg_42_team"]["attacks"] == 2
    assert found["de_nebelwerfer_41"]["die_modifier"] == -1
    assert found["su_fanatical_sniper"]["die_modifier"] == 1
    assert found["de_ss_haupsturmfuhrer"]["initiative"] == 3
    assert found["us_p_51d_mustang"]["bombs"] == {"dice": 8, "attacks": 1}
    assert found["de_ju_87_stuka"]["type"] == "Aircraft-Bomber"
    assert found["su_il_2_sturmovik"]["vital"] == 8
    assert found["obstacle_pillbox"] == {"name": "Pillbox", "year": 1939, "kind": "obstacle", "cost": 2}


def test_cover__by_class_and_silhouette() -> None:
    def of(kind: str, text: str) -> int | None:
        return roster.cover(kind, roster.Abilities.read(text))

    assert [of("soldier", ""), of("vehicle", "No Turret")] == [4, 5]
    assert [
        of("vehicle", "Hard to Spot"),
        of("soldier", "Large; Large Silhouette"),
        of("vehicle", "Tall Silhouette"),
    ] == [
        4,
        5,
        None,
    ]


def test_vital__half_as_much_again_rounded_up() -> None:
    assert [roster.vital(first) for first in range(1, 9)] == [2, 3, 5, 6, 8, 9, 11, 12]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("No Turet", "found 'No Turet', expected No Turret"),
        ("no turret", "found 'no turret', expected No Turret"),
        ("Fixed Howizer", "found 'Fixed Howizer', expected Fixed Howitzer"),
        ("Indirct Fire", "found 'Indirct Fire', expected Indirect Fire"),
        ("Improved Indirect Fire", ""),
        ("Turret Lock", ""),
    ],
)
def test_card__a_slip_in_an_ability_that_rules_read_is_a_fault(name: str, said: str, tmp_path: Path) -> None:
    """It would take a limit of the vehicle away without a word; other abilities are for people."""
    text = (FOLDER / "germany.toml").read_text(encoding="utf-8").replace('"No Turret"', f'"{name}"', 1)
    (tmp_path / "germany.toml").write_text(text, encoding="utf-8")
    if said:
        with pytest.raises(CardError, match=rf"germany\.toml:\d+: \w+\.abilities\.\d: {said}$"):
            aab.Game("forumini", cards=tmp_path)
    else:
        aab.Game("forumini", cards=tmp_path)


HEADER = (FOLDER / "facts.csv").read_text(encoding="utf-8").splitlines()[0]


def test_read_facts__says_every_fault_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    good = "de_x,X,Germany,Soldier,1939,3,4/4,1,2,,,8,6,,,source"
    rows = [HEADER, good, good.replace("4/4", "four").replace("de_x", "de_y"), good, good.replace("1939", "soon")]
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(CardError) as error:
        roster.read_facts(path)
    said = str(error.value)
    assert f"{path}:3: de_y.'def_front/rear': found 'four', expected text like '^(" in said
    assert f"{path}:4: de_x: this id stands above already" in said
    assert f"{path}:5: de_x.year: found 'soon', expected a valid integer" in said


def test_read_facts__a_column_that_stands_twice_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text(f"{HEADER},year\n", encoding="utf-8")
    with pytest.raises(CardError, match=r"facts\.csv:1: column year: found more than once"):
        roster.read_facts(path)


FAULTS = [
    ("defense = 4", "defense = 0", "defense: found 0, expected"),
    ("disintegration = 6", "disintegration = 3", "disintegration: found 3, expected at least defense, 4"),
    ("antisoldier = [8, 8, 6]", "antisoldier = [8, 8]", "antisoldier: found [8, 8], expected 3 numbers, one a column"),
    ("range = [0, 1, 4]", "range = [1, 0, 4]", "range: found [1, 0, 4], expected hexes that rise"),
    ('kind = "soldier"', 'kind = "sailor"', "kind: found 'sailor', expected"),
    ("cost = 4", "price = 4", "price: found 4, expected no such field"),
    ('type = "Soldier"', 'type = "Vehicle"', "type: found 'Vehicle', expected"),
    ("cover = 4", "cover = 1", "cover: found 1, expected"),
]


@pytest.mark.parametrize(("was", "becomes", "said"), FAULTS)
def test_cards_check__says_the_file_and_line_of_a_fault(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    lines = ["[one]", *(f"{name} = {value!r}".replace("'", '"') for name, value in SQUAD.items())]
    assert was in lines
    path = tmp_path / "cards.toml"
    path.write_text("\n".join(lines).replace(was, becomes), encoding="utf-8")
    done = CliRunner().invoke(main, ["cards", "check", "--game", "forumini", "--cards", str(tmp_path)])
    assert done.exit_code == 2
    assert f"{path}:{lines.index(was) + 1}: one.{said}" in done.output


def test_card__vital_armour_of_no_face_is_below_armour() -> None:
    with pytest.raises(ValueError, match="at least armor, face by face"):
        card(TANK | {"vital": {"front": 8, "side": 3, "rear": 5, "top": 5}})


# --- the ruleset


def test_ruleset__classes_of_guns_and_units() -> None:
    assert RULESET.roster.gun_class(GAME.cards["de_tiger_i"]) == "14 dice and more"
    assert (
        RULESET.roster.gun_class(GAME.cards["de_kubelwagen"])
        == RULESET.roster.gun_class(card(WIRE))
        == "no attack on vehicles"
    )
    assert {RULESET.roster.gun_class(unit) for unit in GAME.cards.values()} == set(RULESET.roster.gun_classes)
    assert {RULESET.roster.category(unit) for unit in GAME.cards.values()} == {
        "soldier",
        "vehicle",
        "aircraft",
        "obstacle",
    }
    assert [RULESET.toughness(card(one)) for one in (SQUAD, TANK, FIGHTER)] == [3, 3, 2]
    assert RULESET.roster.price(card(TANK)) == (0, 0)


def test_survey__is_the_shot_without_its_steps() -> None:
    for attacker, where in (
        (TANK, at(4, cover=True, face_down=1)),
        (SQUAD, at(4, own_hit_the_dirt=True)),
        (SQUAD, at(4, own_hit_the_dirt=True, own_face_up=1)),
    ):
        offence, defence = sides(attacker, SQUAD, where)
        survey = RULESET.survey(offence, defence, 4, variant())
        explained = RULESET.shot(offence, defence, 4, variant(), None)
        assert survey.shot == explained._replace(steps=())


def test_variant__switches_of_matches_bear_on_no_shot_and_no_duel() -> None:
    other = variant(df_counts=False, indirect_shared_roll=True)
    for attacker in (TANK, MORTAR, FLAK, FIGHTER):
        for target in (TANK, SQUAD, FIGHTER, BOMBER):
            offence, defence = sides(attacker, target, at(4, cover=True, face_down=1))
            for form in offence.fires:
                assert resolve.shot(offence, defence, 4, other, form) == resolve.shot(
                    offence, defence, 4, variant(), form
                )
            assert RULESET.survey(offence, defence, 4, other) == RULESET.survey(offence, defence, 4, variant())


def test_variant__every_switch_names_its_point() -> None:
    numbers_of = {switch: point.number for point in rulebook.read(RULESET).point for switch in point.switches}
    for name, field in Variant.model_fields.items():
        assert str(field.description).startswith(numbers_of[name] + ":")
