"""Armour Battles: the sheet's tables, pools against thrown dice, pulses, the cards and the switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random
from typing import Any, get_args

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from rollers import armour_battles as table

import aabalance as aab
from aabalance import cards, dice
from aabalance.cli import main
from aabalance.errors import UsageError
from aabalance.files import data_folder
from aabalance.rulesets.armour_battles import RULESET, duel
from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.shot import pools, resolve, sheets
from aabalance.rulesets.armour_battles.shot.pools import Effect
from aabalance.rulesets.armour_battles.variant import IndirectHit, Variant

GAME = aab.Game("armour_battles")
ROLLS = 6_000
DUELS = 3_000
LIMIT = 5.0
PLAIN: dict[str, Any] = {
    "name": "unit",
    "class": "tank",
    "weapon": "gun",
    "at_dice": 6,
    "ranges_in": [8, 16, 32],
    "reaction_dice": 4,
    "points": 100,
}
BATTERY: dict[str, Any] = {
    "name": "battery",
    "class": "battery",
    "weapon": "howitzers",
    "artillery_dice": 6,
    "reaction_dice": 0,
    "points": 80,
}


def unit(**fields: Any) -> dict[str, Any]:
    return {**PLAIN, **fields}


def card(fields: Mapping[str, Any]) -> Card:
    return Card.model_validate(fields)


def thrown(throw: Callable[[Random], Hashable], trials: int, seed: int = 1) -> Counter[Hashable]:
    rng = Random(seed)
    return Counter(throw(rng) for _ in range(trials))


def assert_agrees(counts: Counter[Hashable], exact: Mapping[Any, float | Fraction], trials: int) -> None:
    """Every outcome within `LIMIT` standard errors, and none that can't be."""
    assert set(counts) <= {outcome for outcome, p in exact.items() if p}, (counts, exact)
    for outcome, p in exact.items():
        z = (counts[outcome] / trials - float(p)) / max(sqrt(p * (1 - p) / trials), 1e-9)
        assert abs(z) < LIMIT, f"{outcome}: {counts[outcome] / trials:.4f} thrown, {float(p):.4f} exact, z = {z:.1f}"


# --- target numbers and dice


@pytest.mark.parametrize(
    ("band", "flank", "needed"),
    [
        ("close", False, 3),
        ("effective", False, 4),
        ("long", False, 5),
        ("close", True, 2),
        ("effective", True, 3),
        ("long", True, 4),
    ],
)
def test_fire_target_number__as_the_sheet_lists(band: Any, flank: bool, needed: int) -> None:
    assert resolve.fire_target_number(band, flank) == needed


def test_range_band__edges_are_in_the_nearer_band() -> None:
    bands = [resolve.range_band(range_in, (8, 16, 32)) for range_in in (0, 8, 8.1, 16, 16.1, 32, 32.1)]
    assert bands == ["close", "close", "effective", "effective", "long", "long", None]


@pytest.mark.parametrize(
    ("ambush", "moves", "number"),
    [(False, "single", 0), (True, "single", 1), (False, "double", -1), (False, "triple", -2), (True, "double", 0)],
)
def test_fire_modifiers__as_the_sheet_lists(ambush: bool, moves: Any, number: int) -> None:
    found = sheets.fire_modifiers(ambush, moves)
    assert sum(modifier.dice for modifier in found) == number
    assert len(found) == ambush + (moves != "single")
    assert sheets.offence(card(unit()), GAME.moment(range_in=12, ambush=ambush, moves=moves)).pool.dice == 6 + number


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ({}, 0),
        ({"light_cover": True}, 1),
        ({"uphill": True}, 1),
        ({"open_topped_to_indirect": True}, -1),
        ({"evasion": "disengages"}, 2),
        ({"evasion": "breaks_off"}, 2),
        ({"evasion": "shoots_and_scoots"}, 2),
        ({"light_cover": True, "uphill": True, "evasion": "breaks_off"}, 4),
    ],
)
def test_reaction_modifiers__as_the_sheet_lists(given: dict[str, Any], number: int) -> None:
    plain = {"light_cover": False, "uphill": False, "evasion": "stands", "open_topped_to_indirect": False}
    assert sum(modifier.dice for modifier in sheets.reaction_modifiers(**{**plain, **given})) == number


def test_reaction_target_number__is_worse_for_the_suppressed() -> None:
    assert [resolve.reaction_target_number(suppressed) for suppressed in (False, True)] == [4, 5]


def test_pool__no_fewer_than_no_dice() -> None:
    assert sheets.pool(1, sheets.fire_modifiers(False, "triple")) == 0


def test_defence__open_top_and_low_profile_by_kind_of_fire() -> None:
    stug = sheets.defence(GAME.cards["de_stug3"], GAME.moment(range_in=12))
    assert (stug.direct.dice, stug.indirect.dice) == (6, 5)
    m10 = sheets.defence(GAME.cards["us_m10"], GAME.moment(range_in=12, light_cover=True))
    assert (m10.direct.dice, m10.indirect.dice) == (5, 4)


@pytest.mark.parametrize("unit_id", ["us_m10", "us_105"])
def test_shown__hides_the_other_dice_and_changes_no_odds(unit_id: str) -> None:
    at = GAME.moment(range_in=12)
    offence, defence = sheets.offence(GAME.cards[unit_id], at), sheets.defence(GAME.cards["de_stug3"], at)
    shown = RULESET.relevant(defence, RULESET.relevance(offence))
    assert (shown.direct.dice, shown.indirect.dice) == ((0, 5) if offence.indirect else (6, 0))
    assert resolve.resolve(offence, shown, 12, GAME.variant) == resolve.resolve(offence, defence, 12, GAME.variant)


def test_offence__a_battery_fires_its_artillery_dice() -> None:
    """Ranges, flanks, ambushes and moves stand under Direct Fire alone; batteries fire at 4+."""
    fancy = GAME.moment(range_in=500, flank=True, ambush=True, moves="triple", range_band="long")
    found = sheets.offence(card(BATTERY), fancy)
    assert (found.indirect, found.pool.dice) == (True, 6)
    target = sheets.defence(card(unit()), fancy)
    assert resolve.resolve(found, target, 500, GAME.variant).target_number == 4


def test_offence__a_unit_with_both_chooses_by_the_situation() -> None:
    both = card(unit(artillery_dice=3))
    dice_of = {at: sheets.offence(both, GAME.moment(range_in=12, indirect=at)).pool.dice for at in (False, True)}
    assert dice_of == {False: 6, True: 3}
    assert sheets.offence(card(unit()), GAME.moment(range_in=12, indirect=True)).pool.dice == 0


def test_wild_dice__add_to_each_roll_of_their_owner() -> None:
    wild = GAME.moment(range_in=12, wild_dice=2, target_wild_dice=1)
    assert sheets.offence(card(unit()), wild).pool.dice == 8
    assert sheets.offence(card(BATTERY), wild).pool.dice == 8
    assert sheets.defence(card(unit()), wild).direct.dice == 5
    back = GAME.situation(wild_dice=2, target_wild_dice=1).mirrored(12)
    assert (back.wild_dice, back.target_wild_dice) == (1, 2)


# --- fire


def test_fire__one_die_each_by_hand() -> None:
    """One die at 4+ against one at 4+: of 36 throws, 9 hit unanswered, 3 of these by a 6."""
    found = pools.fire(1, 4, 1, 4)
    assert found == {
        Effect(0, False): Fraction(25, 36),
        Effect(0, True): Fraction(2, 36),  # a 6 that a 4 or 5 answers
        Effect(1, False): Fraction(6, 36),
        Effect(1, True): Fraction(3, 36),
    }
    assert pools.fire(1, 4, 1, 4, "no_cancel")[Effect(1, False)] == Fraction(13, 36)  # two 6s don't suppress


def test_fire__points_and_suppression_are_read_off_the_same_dice() -> None:
    found = pools.fire(6, 4, 4, 4)
    points, suppresses = Fraction(0), Fraction(0)
    for effect, p in found.items():
        points += p * (effect.points > 0)
        suppresses += p * effect.suppresses
    both = sum(p for effect, p in found.items() if effect.points > 0 and effect.suppresses)
    assert both > points * suppresses


def test_fire__takes_as_many_attacks_to_disperse_as_the_interpretation_says() -> None:
    """B-1: AT 4 v 3 reaction dice, 4.35 attacks against 1.85 if reactions cancel nothing."""
    for opposed, expected in (("net", 4.35), ("no_cancel", 1.85)):
        taken = resolve.points_taken(pools.fire(4, 4, 3, 4, opposed))
        attacks = [0.0, 0.0, 0.0]
        for left in (1, 2, 3):
            onward = sum(float(p) * attacks[left - n - 1] for n, p in taken.items() if 0 < n < left)
            attacks[left - 1] = (1 + onward) / (1 - float(taken.get(0, 0)))
        assert attacks[2] == pytest.approx(expected, abs=0.005)


FIRES = [
    (6, 4, 4, False, {}),
    (8, 3, 6, False, {}),
    (4, 5, 3, True, {}),
    (10, 2, 2, True, {"opposed": "no_cancel"}),
    (2, 3, 0, False, {}),
]


@pytest.mark.parametrize(("number", "needed", "reaction", "suppressed", "switches"), FIRES)
def test_fire__agrees_with_thrown_dice(
    number: int, needed: int, reaction: int, suppressed: bool, switches: dict[str, Any]
) -> None:
    firer, target = unit(at_dice=number), unit(reaction_dice=reaction)
    bands: dict[int, dict[str, Any]] = {2: {"flank": True}, 3: {}, 4: {}, 5: {}}
    band = {2: "close", 3: "close", 4: "effective", 5: "long"}[needed]
    at = {"range_in": 12, "range_band": band, **bands[needed]}
    counts = thrown(lambda rng: Effect(*table.fire(rng, firer, target, at, switches, suppressed)), ROLLS)
    exact = pools.fire(number, needed, reaction, 5 if suppressed else 4, Variant(**switches).opposed)
    assert_agrees(counts, {effect: float(p) for effect, p in exact.items()}, ROLLS)


numbers = st.integers(0, 9)
target_numbers = st.integers(2, 6)
reactions = st.sampled_from((4, 5))
readings = st.sampled_from(("net", "no_cancel"))
hits = st.sampled_from((None, "net", "any_success", "in_area"))


@pytest.mark.slow
@given(numbers, target_numbers, numbers, reactions, readings, hits)
def test_fire__is_a_distribution_and_marginals_are_binomial(
    number: int, needed: int, reaction: int, their_needed: int, opposed: Any, hit: Any
) -> None:
    found = pools.fire(number, needed, reaction, their_needed, opposed, hit)
    assert sum(found.values()) == 1
    assert all(0 <= effect.points <= number for effect in found)
    successes = pools.successes(number, needed)
    if opposed == "no_cancel":
        assert resolve.points_taken(found) == successes
    elif their_needed == 4:
        theirs = dice.transform(pools.successes(reaction, 4), lambda rolled: -rolled)
        net = dice.transform(dice.convolve(successes, theirs), lambda margin: max(0, margin))
        assert resolve.points_taken(found) == net
    if hit is None:
        sixes = pools.successes(number, 6), pools.successes(reaction, 6)
        more = sum(p * q for (mine, p), (theirs, q) in product(*(pmf.items() for pmf in sixes)) if mine > theirs)
        assert sum(p for effect, p in found.items() if effect.suppresses) == more


@pytest.mark.slow
@given(numbers, target_numbers, numbers, reactions, readings)
def test_fire__more_dice_do_more_and_more_reactions_less(
    number: int, needed: int, reaction: int, their_needed: int, opposed: Any
) -> None:
    def expected(fires: int, reacts: int) -> Fraction:
        return dice.mean(resolve.points_taken(pools.fire(fires, needed, reacts, their_needed, opposed)))

    assert expected(number, reaction) <= expected(number + 1, reaction)
    assert expected(number, reaction) >= expected(number, reaction + 1)


SHOTS: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (unit(), unit(), {"range_in": 4}, {}),
    (unit(), unit(), {"range_in": 8, "flank": True}, {}),
    (unit(), unit(), {"range_in": 16, "ambush": True, "uphill": True}, {}),
    (unit(), unit(), {"range_in": 32, "moves": "double"}, {}),
    (unit(), unit(), {"range_in": 40}, {}),
    (unit(), unit(), {"range_in": 40, "range_band": "effective"}, {"opposed": "no_cancel"}),
    (unit(at_dice=1), unit(), {"range_in": 10, "moves": "triple"}, {}),
    (unit(), unit(), {"range_in": 10, "evasion": "shoots_and_scoots", "light_cover": True}, {}),
    (unit(), unit(), {"range_in": 10, "target_suppressed": True, "wild_dice": 2, "target_wild_dice": 1}, {}),
    (unit(), unit(), {"range_in": 10, "indirect": True}, {}),
    (unit(artillery_dice=4), unit(open_topped=True), {"range_in": 10, "indirect": True}, {}),
    (BATTERY, unit(open_topped=True), {"range_in": 10, "target_suppressed": True}, {}),
    (BATTERY, unit(reaction_dice_indirect=2), {"range_in": 10, "wild_dice": 1, "flank": True}, {}),
    (unit(), BATTERY, {"range_in": 10}, {}),
]


@pytest.mark.parametrize(("a", "b", "at", "switches"), SHOTS)
def test_shot__agrees_with_thrown_dice(
    a: dict[str, Any], b: dict[str, Any], at: dict[str, Any], switches: dict[str, Any]
) -> None:
    found = aab.Game("armour_battles", variant=switches).shot(card(a), card(b), **at)
    counts = thrown(lambda rng: table.throw_attack(rng, a, b, at, switches), ROLLS, seed=len(str(at)))
    assert_agrees(counts, found.damage, ROLLS)


def test_shot__explains_every_modifier() -> None:
    shot = GAME.shot(
        "de_stug3", "us_m10", range_in=12, flank=True, moves="double", light_cover=True, target_suppressed=True
    )
    steps = {step.label: step.value for step in shot.steps}
    assert steps["AT dice"] == "8D"
    assert steps["double move"] == "-1D"
    assert steps["light cover"] == "+1D"
    assert steps["target number"] == "3+"
    assert steps["reaction target number"] == "5+ because it is suppressed"
    assert shot.needs == {"need": 3}
    assert shot.attempts == 7


@pytest.mark.parametrize(("opposed", "points"), [("net", "successes less reactions"), ("no_cancel", "successes")])
def test_shot__explains_the_results_of_three_dice_by_hand(opposed: Any, points: str) -> None:
    """Nobody reacts: of 216 throws 27 are all 4 or more, 91 have a 6, and 19 are both."""
    game = aab.Game("armour_battles", variant={"opposed": opposed})
    shot = game.shot(card(unit(at_dice=3)), card(unit(reaction_dice=0)), range_in=12)
    steps = {step.label: step.value for step in shot.steps}
    assert steps["disruption points"] == points
    assert steps["dispersed"] == "3 points or more at once: 12.5 %"
    assert steps["suppressed by it"] == "more 6s than the target: 42.1 %"
    assert steps["forced back"] == "suppressed, 1 or 2 points: 33.3 %"


def test_duel__counts_suppression_alone_as_an_effect_and_a_shot_does_not_as_damage() -> None:
    shot = GAME.shot("de_stug3", "de_pz4h", range_in=8)
    told = GAME.duel("de_stug3", "de_pz4h", range_in=8).explain()
    p_damage = told.to_frame()["p_damage"].iloc[0]
    assert shot.p_damage < p_damage
    assert f"{100 * shot.p_damage:.1f} % of attacks" in shot.sentence()
    assert f"{100 * p_damage:.1f} % any effect" in told


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ({}, 'effective (12")'),
        ({"flank": True}, 'effective (12"), from the flank or rear'),
        ({"range_band": "long"}, "long (given)"),
        ({"range_band": "close", "flank": True}, "close (given), from the flank or rear"),
    ],
)
def test_shot__explains_the_range(at: dict[str, Any], said: str) -> None:
    shot = GAME.shot("de_stug3", "us_m10", range_in=12, **at)
    assert {step.label: step.value for step in shot.steps}["range"] == said


@pytest.mark.parametrize(
    ("a", "b", "at", "why"),
    [
        ("de_stug3", "us_105", {"range_in": 12}, "an off-table battery is no target"),
        ("de_stug3", "us_m5", {"range_in": 33}, '33" is beyond long range'),
        ("de_stug3", "us_m5", {"range_in": 12, "indirect": True, "wild_dice": 1}, "no artillery dice"),
    ],
)
def test_shot__says_why_there_is_none(a: str, b: str, at: dict[str, Any], why: str) -> None:
    shot = GAME.shot(a, b, **at)
    assert (shot.steps[-1].label, shot.steps[-1].value) == ("no attack", why)
    assert (shot.needs, shot.damage) == ({"need": None}, {0: 1.0})


@pytest.mark.parametrize("dice", [1, 2])
def test_shot__of_one_die_that_distance_keeps_from_firing_is_out_of_reach(dice: int) -> None:
    game = GAME.with_(changes=[f"de_stug3.at_dice={dice}"])
    at = aab.Situations.of(game, {"range_in": {12: 0.5, 33: 0.5}})
    fired = aab.shots(game, at, attackers=["de_stug3"], targets=["us_m5"])
    assert fired["out_of_reach"].tolist() == [False, True]


def test_shot__shows_the_dice_that_it_asks_for() -> None:
    steps = GAME.shot("de_stug3", "us_m5", range_in=12, indirect=True).steps
    assert ("artillery dice", "0D") in [step[:2] for step in steps]
    assert {step.rule for step in steps} == {sheets.INDIRECT}
    no_dice = GAME.shot(card(unit(at_dice=1)), "us_m5", range_in=12, moves="triple").steps[-1]
    assert (no_dice.label, no_dice.value) == ("no attack", "no dice to fire with")


def test_shot__unknown_weapon() -> None:
    with pytest.raises(UsageError, match="expected one of 75L48"):
        GAME.shot("de_stug3", "us_m5", range_in=12, weapon="88L56")


# --- results of fire


def test_hit__third_point_disperses() -> None:
    fresh, two, two_suppressed = 0, duel.condition(2, False), duel.condition(2, True)
    assert duel.hit(fresh, Effect(2, False)) == two
    assert duel.hit(fresh, Effect(2, True)) == two_suppressed
    assert duel.hit(two_suppressed, Effect(0, False)) == two_suppressed
    assert {duel.hit(two, Effect(1, True)), duel.hit(fresh, Effect(7, False))} == {duel.CONDITIONS}


def test_condition__numbers_points_and_suppression() -> None:
    seen = {}
    for points, suppressed in product(range(3), (False, True)):
        number = duel.condition(points, suppressed)
        assert (duel.disruption_points(number), duel.is_suppressed(number)) == (points, suppressed)
        seen[number] = points
    assert sorted(seen) == list(range(duel.CONDITIONS))


@pytest.mark.parametrize(
    ("before", "effect", "back"),
    [
        (False, Effect(1, True), True),
        (True, Effect(2, False), True),
        (False, Effect(2, False), False),
        (True, Effect(0, True), False),
        (True, Effect(3, True), False),
    ],
)
def test_forced_back__suppressed_before_or_by_the_fire(before: bool, effect: Effect, back: bool) -> None:
    assert resolve.forced_back(before, effect) is back


def test_blows__a_suppressed_unit_does_nothing_but_regroup() -> None:
    pulses = duel.blows(resolve.Resolution(8, 3, 2), "net", "regroup")
    for own, enemy in product(range(3, 6), range(6)):
        assert pulses.chances[own][enemy] == {enemy: 1}
    assert pulses.after == (0, 1, 2, 0, 1, 2)


@pytest.mark.parametrize(("clears", "after"), [("regroup", 1), ("end_of_turn", 1), ("never", 4)])
def test_regroup__lifts_suppression_and_leaves_the_points(clears: Any, after: int) -> None:
    assert duel.regroup(duel.condition(1, True), clears) == after
    assert duel.regroup(1, clears) == 1


def test_blows__equal_ones_are_one_object() -> None:
    field = [GAME.cards[i] for i in ("de_stug3", "de_hetzer")]
    at, variant = GAME.moment(range_in=12), GAME.variant
    defence = sheets.defence(GAME.cards["us_m5"], at)
    one, other = (duel.survey(sheets.offence(unit, at), defence, 12, variant).plan for unit in field)
    assert one is other


# --- artillery


def p_suppressed(number: int, reaction_dice: int, reaction_number: int, rule: Any) -> Fraction:
    fired = pools.fire(number, 4, reaction_dice, reaction_number, "net", rule)
    return sum((p for effect, p in fired.items() if effect.suppresses), Fraction(0))


def test_fire__what_counts_as_hit_by_artillery() -> None:
    """One die against one: of 36 throws, 9 hit net of the reaction, 18 hit at all, 6s tie in 26 and win in 5."""
    rules = get_args(IndirectHit)
    assert rules == ("net", "any_success", "in_area")
    assert [p_suppressed(1, 1, 4, rule) for rule in rules] == [
        Fraction(9, 36),  # no reaction success, no reaction 6
        Fraction(18 - 2, 36),  # any hit, but for a 4 or 5 against a 6
        Fraction(36 - 5, 36),
    ]


@pytest.mark.parametrize("rule", ["net", "any_success", "in_area"])
@pytest.mark.parametrize("suppressed", [False, True])
def test_fire__suppression_by_artillery_agrees_with_thrown_dice(rule: Any, suppressed: bool) -> None:
    switches = {"indirect_hit": rule}
    target = unit(open_topped=True)
    at = {"range_in": 12}
    counts = thrown(lambda rng: table.fire(rng, BATTERY, target, at, switches, suppressed)[1], ROLLS)
    exact = float(p_suppressed(6, 3, 5 if suppressed else 4, rule))
    assert_agrees(counts, {True: exact, False: 1 - exact}, ROLLS)


# --- duels


DUEL_CASES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "mirror": (unit(), unit(), {"range_in": 12}, {}),
    "b first": (unit(), unit(at_dice=5), {"range_in": 6, "first": "b"}, {}),
    "flank and cover": (unit(), unit(reaction_dice=5), {"range_in": 16, "flank": True, "light_cover": True}, {}),
    "both in cover": (unit(), unit(at_dice=7), {"range_in": 12, "light_cover": True, "own_light_cover": True}, {}),
    "fire out of cover": (unit(), unit(), {"range_in": 12, "own_light_cover": True, "own_uphill": True}, {}),
    "long against effective": (unit(), unit(ranges_in=[10, 24, 40]), {"range_in": 20}, {}),
    "beyond the reach of b": (unit(ranges_in=[10, 20, 40]), unit(), {"range_in": 36}, {}),
    "beyond both": (unit(), unit(), {"range_in": 36}, {}),
    "wild dice on either side": (unit(), unit(), {"range_in": 12, "wild_dice": 2, "target_wild_dice": 1}, {}),
    "no cancelling": (unit(), unit(at_dice=7), {"range_in": 12}, {"opposed": "no_cancel"}),
    "suppression for good": (unit(), unit(), {"range_in": 12}, {"suppression_clears": "never"}),
    "end of turn": (unit(), unit(), {"range_in": 12}, {"suppression_clears": "end_of_turn"}),
    "a battery": (BATTERY, unit(open_topped=True), {"range_in": 12}, {}),
    "self-propelled howitzers, fired back at": (
        unit(artillery_dice=4),
        unit(at_dice=5, reaction_dice=3, open_topped=True),
        {"range_in": 12, "indirect": True},
        {"indirect_hit": "in_area"},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DUEL_CASES)
def test_duel__agrees_with_thrown_dice(name: str) -> None:
    a, b, given, switches = DUEL_CASES[name]
    settings = {"first": "a", **given}
    exact = aab.Game("armour_battles", variant=switches).duel(card(a), card(b), **settings)
    at = {key: value for key, value in given.items() if key != "first"}
    counts = thrown(lambda rng: table.throw_duel(rng, a, b, at, switches, settings["first"]), DUELS, len(name))
    assert_agrees(counts, {"a": exact.p_a, "b": exact.p_b, None: max(exact.p_draw, 0.0)}, DUELS)


def test_duel__a_suppressed_unit_loses_its_pulse() -> None:
    """Twelve dice suppress at 12 inches almost always: a unit that can't regroup loses far more often."""
    big = card(unit(at_dice=12, reaction_dice=12))
    duels = {
        clears: aab.Game("armour_battles", variant={"suppression_clears": clears}).duel(
            big, big, range_in=12, first="a"
        )
        for clears in ("regroup", "end_of_turn", "never")
    }
    assert duels["regroup"].p_a == duels["end_of_turn"].p_a
    assert duels["never"].p_a > duels["regroup"].p_a + 0.05
    assert duels["never"].p_draw == pytest.approx(0)


@pytest.mark.slow
def test_duel__simulated_agrees_with_exact() -> None:
    settings: dict[str, Any] = {"range_in": 16, "light_cover": True}
    exact = GAME.duel("de_panther", "us_m4_76", **settings)
    rolled = GAME.duel("de_panther", "us_m4_76", **settings, simulate=40_000, seed=5)
    assert abs(rolled.p_a - exact.p_a) < LIMIT * sqrt(exact.p_a * exact.p_b / 40_000)


# --- cards, switches, coverage


def test_cards__the_published_numbers() -> None:
    stug = GAME.cards["de_stug3"]
    assert (stug.at_dice, stug.ranges_in, stug.reaction_dice, stug.reaction_dice_indirect) == (8, (8, 16, 32), 6, 5)
    assert [GAME.cards[i].reaction_dice for i in ("de_pz4h", "de_panther")] == [5, 7]


@pytest.mark.slow
def test_cards__points_are_what_the_cost_formula_gives() -> None:
    field = [unit_id for unit_id, found in GAME.cards.items() if found.class_ != "battery"]
    table = aab.first_requisition(GAME, aab.shots(GAME), field).set_index("unit")
    assert table["proposal"].to_dict() == {unit_id: found.points for unit_id, found in GAME.cards.items()}


def test_cards__every_note_says_what_is_ours() -> None:
    for unit_id, found in GAME.cards.items():
        assert found.note is not None, unit_id
        assert "Ours: " in found.note, unit_id


def test_cards__faults_have_file_and_line(tmp_path: Any) -> None:
    text = """\
[one]
name = "One"
class = "lorry"
weapon = "gun"
at_dice = -1
reaction_dice = 4
points = 10

[two]
name = "Two"
class = "tank"
weapon = "gun"
at_dice = 4
reaction_dice = 4
points = 10

[three]
name = "Three"
class = "tank"
weapon = "gun"
ranges_in = [10, 5, 20]
reaction = 4
reaction_dice = 4
points = 10

[four]
name = "Four"
class = "tank"
weapon = "gun"
at_dice = 4
ranges_in = [10, 5, 20]
reaction_dice = 4
points = 10
"""
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    ran = CliRunner().invoke(main, ["cards", "check", "--game", "armour_battles", "--cards", str(tmp_path)])
    assert ran.exit_code == 2
    for said in (
        "x.toml:3: one.class: found 'lorry', expected 'tank', ",
        "x.toml:5: one.at_dice: found -1, expected greater than or equal to 0",
        "x.toml:9: two.ranges_in: found nothing, expected a value",
        "x.toml:22: three.reaction: found 4, expected no such field; did you mean 'reaction_dice'?",
        "x.toml:31: four.ranges_in: found [10, 5, 20], expected ranges that don't fall",
    ):
        assert said in ran.output


@pytest.mark.parametrize("field", ["at_dice", "artillery_dice", "reaction_dice", "reaction_dice_indirect"])
def test_card__twenty_dice_at_most(field: str) -> None:
    """A table of 21 by 21 pools is made for what fires and what reacts."""
    assert getattr(card(unit(**{field: 20})), field) == 20
    for wrong in (21, -1):
        with pytest.raises(ValidationError, match=field):
            card(unit(**{field: wrong}))


def test_json_schema__committed_copy_is_current() -> None:
    path = data_folder("unitdb") / "armour_battles" / cards.SCHEMA_FILE
    assert path.read_text(encoding="utf-8") == cards.json_schema(Card)


@pytest.mark.parametrize(
    ("at_dice", "kind"),
    [(1, "up to 5D"), (5, "up to 5D"), (6, "6-7D"), (7, "6-7D"), (8, "8-9D"), (9, "8-9D"), (10, "10D and more")],
)
def test_gun_class__edges_are_as_the_names_say(at_dice: int, kind: str) -> None:
    assert RULESET.roster.gun_class(card(unit(at_dice=at_dice))) == kind


def test_gun_class__by_at_dice() -> None:
    kinds = {
        i: RULESET.roster.gun_class(GAME.cards[i]) for i in ("us_m5", "us_m4_75", "de_stug3", "de_panther", "us_105")
    }
    assert list(kinds.values()) == ["up to 5D", "6-7D", "8-9D", "10D and more", "artillery"]
    assert set(kinds.values()) == set(RULESET.roster.gun_classes)


def test_returned__keeps_band_ground_and_wild_dice() -> None:
    of_a_alone = {"flank": True, "ambush": True, "moves": "double", "indirect": True, "evasion": "disengages"}
    at = GAME.situation(range_band="long", uphill=True, wild_dice=1, **of_a_alone)
    assert at.mirrored(9) == GAME.situation(range_band="long", own_uphill=True, target_wild_dice=1)
    ground = GAME.situation(light_cover=True, own_uphill=True)
    assert ground.mirrored(9) == GAME.situation(own_light_cover=True, uphill=True)
    assert ground.mirrored(9).mirrored(9) == ground


def test_shot__own_cover_has_no_bearing_on_it() -> None:
    plain = GAME.shot("de_stug3", "us_m5", range_in=12)
    assert GAME.shot("de_stug3", "us_m5", range_in=12, own_light_cover=True, own_uphill=True).damage == plain.damage


def test_duel__own_cover_helps_as_much_as_the_enemys() -> None:
    """A mirror in which both have cover is even again; cover of one side is worth as much to either."""
    mirror: dict[str, Any] = {"a": "de_stug3", "b": "de_stug3", "range_in": 12}
    odds = {
        (mine, yours): GAME.duel(**mirror, own_light_cover=mine, light_cover=yours).p_a
        for mine, yours in product((False, True), (False, True))
    }
    assert odds[True, True] == pytest.approx(0.5)
    assert odds[True, False] == pytest.approx(1 - odds[False, True])
    assert odds[True, False] > 0.55


def test_variant__switches_of_matches_bear_on_no_shot_and_no_duel() -> None:
    other = Variant(rally_boundary="lower", staff_faces="1-6", activations="once_a_pulse")
    for unit_id, enemy_id in product(("de_stug3", "us_m10", "us_105"), repeat=2):
        at = GAME.moment(range_in=12)
        offence, defence = sheets.offence(GAME.cards[unit_id], at), sheets.defence(GAME.cards[enemy_id], at)
        assert resolve.shot(offence, defence, 12, other, None) == resolve.shot(offence, defence, 12, GAME.variant, None)
        assert duel.survey(offence, defence, 12, other) == duel.survey(offence, defence, 12, GAME.variant)
