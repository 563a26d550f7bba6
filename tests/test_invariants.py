"""What has to hold whatever the cards say: probabilities, what helps whom, symmetry, one number from all paths."""

from __future__ import annotations

import math
import random
from fractions import Fraction as F
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from handmade import RIFLES, ai, at, field_gun, he, squad, vehicle
from hypothesis import given, settings
from hypothesis import strategies as st
from rollers.armored_advance import PROMISES
from rollers.readings import Promise

import aabalance as aab
from aabalance.analysis.matchups import matchups
from aabalance.analysis.situations import Situations
from aabalance.cards import Cards
from aabalance.engine.grid import NO_ROLL
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.engine.hit_points.plans import PlannedDuels, Plans, single
from aabalance.rulesets.armored_advance.card import Card
from aabalance.rulesets.armored_advance.shot import tables
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Bracket, Holding, Plan, Volley

EPS = 1e-12
GAME = aab.Game()

# --- what is drawn ----------------------------------------------------------------------------------------------

ranges = st.one_of(st.sampled_from([0, 6, 12, 18, 24, 30, 36]), st.integers(0, 480).map(lambda tenths: tenths / 10))
facings = st.sampled_from(["front", "side", "rear"])
reaches = st.one_of(st.none(), st.integers(6, 48))


@st.composite
def guns(draw: Any, kinds: str = "at he ai") -> dict[str, Any]:
    kind = draw(st.sampled_from(kinds.split()))
    reach = {"range": reach} if (reach := draw(reaches)) else {}
    if kind == "at":
        falling = sorted(draw(st.lists(st.integers(0, 16), min_size=6, max_size=6)), reverse=True)
        bands = {"penetration_by_band": falling} if draw(st.booleans()) else {}
        return at(draw(st.integers(0, 16)), draw(st.integers(1, 20)), **reach, **bands)
    if kind == "he":
        return he(draw(st.integers(1, 45)), draw(st.integers(0, 3)), **reach)
    return ai(draw(st.sampled_from(["D3-1", "D3-2", "D6-2", "1"])), **reach)


fire_keywords = st.fixed_dictionaries(
    {},
    optional={
        "accurate": st.just(True),
        "rapid_fire": st.just(True),
        "long_reload": st.just(True),
        "autocannon": st.integers(2, 4),
        "casemate": st.just(True),
        "support": st.just(True),
        "limited_range": st.integers(6, 36),
        "angling": st.integers(6, 14),
        "weak_spot": st.just(True),
        "indirect": st.sampled_from([12, 24, 48]),
        "slow_reverse": st.just(True),
        "scout": st.just(True),
    },
)


@st.composite
def units(draw: Any, kinds: str = "at he ai") -> Any:
    make = draw(st.sampled_from([vehicle, vehicle, vehicle, field_gun]))
    return make(
        *draw(st.lists(guns(kinds), min_size=1, max_size=3)),
        armor=draw(st.tuples(*[st.integers(0, 14)] * 3)),
        hp=draw(st.integers(1, 60)),
        weight=draw(st.sampled_from(["light", "medium", "heavy"])),
        actions=draw(st.integers(1, 3)),
        keywords=draw(fire_keywords),
    )


@st.composite
def squads(draw: Any) -> Any:
    weapons = [RIFLES, *draw(st.lists(guns("at ai"), max_size=1))]
    return squad(
        *weapons,
        strength=draw(st.integers(1, 6)),
        **draw(
            st.one_of(
                st.just({"squad": "sniper"}),
                st.fixed_dictionaries({"machine_gun": st.booleans(), "grenades": st.integers(0, 2)}).map(
                    lambda carried: {"squad": "rifle", "equipment": carried}
                ),
            )
        ),
    )


anyone = st.one_of(units(), units(), squads())
OF_POSTURES = ("moved", "shifted", "target_moves", "target_moved_in", "target_active", "embarked")
inches = st.one_of(st.sampled_from([0, 8, 14, 15, 24, 36, 60]), st.integers(0, 650).map(lambda tenths: tenths / 10))
# What forbids an attack altogether comes seldom, so that the rest has something to act on.
rarely = st.integers(0, 9).map(lambda face: face == 9)
fields = st.fixed_dictionaries(
    {"range_in": ranges, "facing": facings},
    optional={
        "angled": st.booleans(),
        "moved": st.booleans(),
        "shifted": st.booleans(),
        "set_up": st.booleans(),
        "artillery_crew": st.booleans(),
        "scout_in": st.one_of(st.none(), inches),
        "target_moves": st.integers(0, 2),
        "target_moved_in": st.one_of(st.none(), inches),
        "target_active": rarely.map(lambda rare: not rare),
        "walls": st.integers(0, 2),
        "hidden": rarely,
        "foliage": st.integers(0, 2),
        "sandbags": st.booleans(),
        "own_sandbags": st.booleans(),
        "in_cover_range": rarely,
        "gun_shield": rarely.map(int),
        "embarked": rarely,
    },
)


@st.composite
def _situations(draw: Any) -> dict[str, Any]:
    drawn: dict[str, Any] = draw(fields)
    if drawn["facing"] == "rear":
        drawn.pop("angled", None)
    pieces = st.integers(0, drawn.get("foliage", 0))
    return {**drawn, "foliage_near_firer": draw(pieces), "foliage_near_target": draw(pieces)}


situations = _situations()
holding = situations.map(lambda fields: {k: v for k, v in fields.items() if k not in OF_POSTURES})
variants = st.builds(
    Variant,
    resolution=st.sampled_from(["one_die", "two_dice", "sum"]),
    range_boundary=st.sampled_from(["round_up", "strict"]),
    cap_stage=st.sampled_from(["requirement", "sum_then_cap"]),
    natural_six_hits=st.booleans(),
    hit_mods_affect_penetration=st.booleans(),
    reroll_scope=st.sampled_from(["auto", "final", "hit", "both"]),
    reroll_limit=st.sampled_from([1, None]),
    free_move_breaks_advantage=st.booleans(),
    penetration_falloff=st.booleans(),
    wall_rule=st.sampled_from(["pen_minus_2", "armor_plus_1", "both"]),
    foliage_rule=st.sampled_from(["requirement_plus_2", "range_plus_3"]),
    foliage_exempt=st.sampled_from(["firer", "target", "either"]),
    foliage_stacks=st.booleans(),
    he_moved=st.sampled_from(["any", "two_moves"]),
    he_n=st.sampled_from(["card", 1, 3]),
    he_advantage=st.booleans(),
    indirect_requires_hit=st.booleans(),
    indirect_gap=st.sampled_from(["halve", "immune"]),
    indirect_rounding=st.sampled_from(["down", "up"]),
    autocannon_ai_rolls=st.sampled_from([1, "X"]),
    mg_after_clamp=st.booleans(),
    mg_on_grenades=st.booleans(),
    scout_costs_action=st.booleans(),
    angling=st.sampled_from(["replace", "add"]),
)


def games(variant: Variant) -> aab.Game:
    return aab.Game(cards=GAME.cards, variant=variant)


# Under reroll_scope=hit a shot that can't miss by range is never rolled again, so some distance can help: see below.
sound_games = variants.filter(lambda v: v.reroll_scope != "hit" or v.resolution == "two_dice").map(games)
any_game = variants.map(games)


def damage(game: aab.Game, a: Any, b: Any, **situation: Any) -> float:
    return game.shot(a, b, **situation).expected_damage


# --- probabilities ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(any_game, anyone, anyone, situations)
def test_shot__is_a_distribution(game: aab.Game, a: Any, b: Any, situation: dict[str, Any]) -> None:
    shot = game.shot(a, b, **situation)
    assert all(0 < p <= 1 for p in shot.damage.values())
    assert sum(shot.damage.values()) == pytest.approx(1, abs=EPS)
    assert min(shot.damage) >= 0
    assert 0 <= shot.p_kill <= shot.p_damage <= 1
    assert shot.p_damage == pytest.approx(1 - shot.damage.get(0, 0), abs=EPS)
    assert shot.expected_damage == pytest.approx(sum(amount * p for amount, p in shot.damage.items()))
    for need in shot.needs.values():
        assert need is None or 1 <= need <= 6
    if None in shot.needs.values():
        assert shot.p_damage == 0
    assert shot.explain()


@pytest.mark.slow
@settings(max_examples=300)
@given(any_game, st.one_of(units("at"), units("he"), units("ai"), squads()), anyone, situations)
def test_shown__hides_only_what_the_attack_never_reads(
    game: aab.Game, a: Any, b: Any, situation: dict[str, Any]
) -> None:
    rule, at = game.ruleset, game.moment(**situation)
    offence, defence = rule.offence(a, at, game.variant), rule.defence(b, at, game.variant)
    shown = rule.relevant(defence, rule.relevance(offence))
    surveys = [rule.survey(offence, target, at.range_in, game.variant) for target in (defence, shown)]
    assert surveys[0] == surveys[1]


@pytest.mark.slow
@given(any_game, anyone, st.lists(anyone, min_size=2, max_size=5), situations)
def test_surveys__equal_each_target_surveyed_alone(
    game: aab.Game, a: Any, targets: list[Any], situation: dict[str, Any]
) -> None:
    rule, at = game.ruleset, game.moment(**situation)
    offence = rule.offence(a, at, game.variant)
    defences = [rule.defence(target, at, game.variant) for target in targets]
    alone = [rule.survey(offence, defence, at.range_in, game.variant) for defence in defences]
    assert rule.surveys(offence, defences, at.range_in, game.variant) == alone


def test_surveys__are_one_object_where_every_attack_does_the_same() -> None:
    rule, moment = GAME.ruleset, GAME.moment(range_in=18)
    offence = rule.offence(vehicle(at(9), ai(range=12)), moment, GAME.variant)
    defences = [rule.defence(vehicle(armor=armor), moment, GAME.variant) for armor in (20, 21, 9)]
    thick, thicker, thin = rule.surveys(offence, defences, moment.range_in, GAME.variant)
    assert thick is thicker
    assert thin != thick


TOLD_APART: dict[str, tuple[Any, Any, Any, dict[str, Any]]] = {
    "range that spares one, armour the other": (
        vehicle(at(9, range=12)),
        vehicle(armor=20),
        vehicle(armor=8),
        {"range_in": 18},
    ),
    "accurate shot": (
        vehicle(at(9), keywords={"accurate": True}),
        vehicle(armor=9),
        vehicle(armor=8),
        {"range_in": 24},
    ),
    "indirect fire": (
        vehicle(he(30, 1), keywords={"indirect": 40}),
        vehicle(movement=6),
        vehicle(movement=9),
        {"range_in": 24, "target_moves": 1},
    ),
    "grenade": (squad(ai("D3-1"), equipment={"grenades": 2}), squad(strength=2), squad(strength=4), {"range_in": 6}),
    "few men left": (
        squad(ai([{"min": 4, "ai": "1"}, {"min": 1, "ai": "D3-1"}])),
        squad(strength=1),
        squad(strength=2),
        {"range_in": 6},
    ),
}
"""What alone tells apart what a unit does to two targets: the unit, the targets, the situation."""


@pytest.mark.parametrize("what", TOLD_APART)
def test_surveys__tell_targets_apart_by_every_attack(what: str) -> None:
    unit, one, other, situation = TOLD_APART[what]
    # Where bonuses help the range part alone, armour may matter to an accurate shot only.
    game = games(Variant(hit_mods_affect_penetration=False))
    rule, moment = game.ruleset, game.moment(**situation)
    offence = rule.offence(unit, moment, game.variant)
    defences = [rule.defence(target, moment, game.variant) for target in (one, other)]
    surveys = rule.surveys(offence, defences, moment.range_in, game.variant)
    assert surveys[0] != surveys[1]
    assert surveys == [rule.survey(offence, defence, moment.range_in, game.variant) for defence in defences]


@pytest.mark.slow
@given(any_game, anyone, anyone, holding, st.sampled_from(["a", "b", "roll_off"]), st.sampled_from([None, 1, 4]))
def test_duel__is_a_distribution(
    game: aab.Game, a: Any, b: Any, situation: dict[str, Any], first: Any, rounds: int | None
) -> None:
    duel = game.duel(a, b, first=first, rounds=rounds, **situation)
    chances = duel.p_a, duel.p_b, duel.p_draw
    assert all(0 <= p <= 1 + EPS for p in chances)
    assert sum(chances) == pytest.approx(1, abs=EPS)
    if rounds is None:
        assert (duel.player_turns is None) == (duel.p_draw > 0)
    if duel.player_turns is not None:
        assert 1 <= duel.player_turns + EPS < math.inf
        assert rounds is None or duel.player_turns <= 2 * rounds + EPS
    if first == "roll_off":
        assert duel.p_a == pytest.approx((duel.p_a_moving_first + duel.p_a_moving_second) / 2, abs=EPS)
        assert duel.p_a_moving_second <= duel.p_a_moving_first + EPS


# --- what can't help --------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(any_game, anyone, anyone, situations)
def test_shot__wall_never_helps(game: aab.Game, a: Any, b: Any, situation: dict[str, Any]) -> None:
    walled = situation | {"walls": situation.get("walls", 0) + 1}
    assert damage(game, a, b, **walled) <= damage(game, a, b, **situation) + EPS


@pytest.mark.slow
@given(sound_games, anyone, anyone, situations)
def test_shot__foliage_never_helps(game: aab.Game, a: Any, b: Any, situation: dict[str, Any]) -> None:
    green = situation | {"foliage": situation.get("foliage", 0) + 1}
    assert damage(game, a, b, **green) <= damage(game, a, b, **situation) + EPS


@pytest.mark.slow
@given(sound_games, anyone, anyone, situations, st.integers(1, 120))
def test_shot__distance_never_helps(game: aab.Game, a: Any, b: Any, near: dict[str, Any], tenths: int) -> None:
    far = near | {"range_in": round(near["range_in"] + tenths / 10, 1)}
    assert damage(game, a, b, **far) <= damage(game, a, b, **near) + EPS


@pytest.mark.slow
@given(any_game, units("at"), anyone, situations)
def test_shot__penetration_never_hurts(game: aab.Game, a: Any, b: Any, situation: dict[str, Any]) -> None:
    def more(weapon: Any) -> Any:
        bands = weapon.penetration_by_band and tuple(band + 1 for band in weapon.penetration_by_band)
        return weapon.model_copy(update={"penetration": weapon.penetration + 1, "penetration_by_band": bands})

    better = a.model_copy(update={"weapons": tuple(more(weapon) for weapon in a.weapons)})
    assert damage(game, a, b, **situation) <= damage(game, better, b, **situation) + EPS


@pytest.mark.slow
@given(any_game, anyone, units(), situations)
def test_shot__armour_never_helps_the_attacker(game: aab.Game, a: Any, b: Any, situation: dict[str, Any]) -> None:
    plates = {face: getattr(b.armor, face) + 1 for face in ("front", "side", "rear")}
    better = b.model_copy(update={"armor": b.armor.model_copy(update=plates)})
    assert damage(game, a, better, **situation) <= damage(game, a, b, **situation) + EPS


@pytest.mark.slow
@given(any_game, anyone, anyone, situations)
def test_shot__moving_never_helps(game: aab.Game, a: Any, b: Any, situation: dict[str, Any]) -> None:
    still, moved = situation | {"moved": False}, situation | {"moved": True}
    assert damage(game, a, b, **moved) <= damage(game, a, b, **still) + EPS


@pytest.mark.slow
@given(sound_games, anyone, anyone, situations, inches)
def test_shot__scout_never_hurts(game: aab.Game, a: Any, b: Any, situation: dict[str, Any], scout_in: float) -> None:
    alone, scouted, nearer = (situation | {"scout_in": far} for far in (None, scout_in, scout_in / 2))
    assert damage(game, a, b, **alone) <= damage(game, a, b, **scouted) + EPS
    assert damage(game, a, b, **scouted) <= damage(game, a, b, **nearer) + EPS


ALL_PROMISES = (
    *PROMISES,
    Promise("situation", "shifted", (True, False)),
    Promise("situation", "angled", (True, False)),
    Promise("situation", "target_moved_in", (60, 16, 15, 14.5, 14, 8, 7, 0)),
    Promise("situation", "target_active", (False, True)),
    Promise("situation", "in_cover_range", (True, False)),
    Promise("situation", "gun_shield", (2, 1, 0)),
    Promise("situation", "embarked", (True, False)),
    Promise("attacker", "equipment.machine_gun", (False, True)),
)
"""Those of every game's test, and those about fields that bear on few units."""


def unit_with(card: Any, path: str, value: Any) -> Any:
    """The card with a field changed, as a card file would have it; the card itself where it has no such field."""
    bare = {"equipment"} if getattr(card, "squad", "rifle") != "rifle" else set()  # p. 19
    table = card.model_dump(by_alias=True, exclude={"id"} | bare, exclude_none=True)
    *places, name = path.split(".")
    part = table
    for place in places:
        part = part[int(place)] if place.isdigit() else part.get(place, {})
    if name not in part:
        return card
    part[name] = value
    return Card.model_validate(table).root


def means_under(promise: Promise, game: aab.Game, a: Any, b: Any, situation: dict[str, Any]) -> list[float]:
    """The mean damage at each value of the field of a promise."""
    if promise.of == "situation":
        if promise.field == "foliage":
            situation = situation | {"foliage_near_firer": 0, "foliage_near_target": 0}
        if promise.field == "angled" and situation["facing"] == "rear":
            situation = situation | {"facing": "side"}
        return [damage(game, a, b, **situation | {promise.field: value}) for value in promise.values]
    cards = {"attacker": a, "target": b}
    each = [cards | {promise.of: unit_with(cards[promise.of], promise.field, value)} for value in promise.values]
    return [damage(game, one["attacker"], one["target"], **situation) for one in each]


# One test of them all, as the draw takes ten times as long as what it is for.
@pytest.mark.slow
@given(sound_games, anyone, anyone, situations)
def test_promises__are_held_whatever_the_cards_and_the_reading(
    game: aab.Game, a: Any, b: Any, situation: dict[str, Any]
) -> None:
    for promise in ALL_PROMISES:
        means = means_under(promise, game, a, b, situation)
        assert all(worse <= better + EPS for worse, better in pairwise(means)), (promise, means)


@pytest.mark.slow
@given(variants)
def test_roll__advantage_never_hurts_nor_does_a_bonus(variant: Variant) -> None:
    reading = variant.reading
    for band, increase, pen, bonus in product(range(1, 7), (0, 2), (1, 2, 4, 5, 6, 7), range(-1, 4)):
        moved = tables.roll(band, increase, pen, bonus, False, reading).p
        assert 0 <= moved <= tables.roll(band, increase, pen, bonus, True, reading).p <= 1
        assert moved <= tables.roll(band, increase, pen, bonus + 1, False, reading).p


def test_reroll_scope_hit__a_shot_that_cant_miss_is_never_rolled_again() -> None:
    """So the same shot is better from 12 inches than from 6, as the reading has it (INTERPRETATION 6, last row)."""
    game = aab.Game(variant={"reroll_scope": "hit"})
    near, far = (damage(game, vehicle(at(8)), vehicle(), range_in=far) for far in (6, 12))
    assert near < far


# --- duels ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(any_game, anyone, anyone, holding, st.integers(1, 12), st.sampled_from([None, 3]))
def test_duel__health_never_hurts(
    game: aab.Game, a: Any, b: Any, situation: dict[str, Any], more: int, rounds: int | None
) -> None:
    field, most = ("hp", 99) if hasattr(a, "hp") else ("strength", 6)
    better = a.model_copy(update={field: min(most, getattr(a, field) + more)})
    weak, strong = (game.duel(x, b, rounds=rounds, **situation) for x in (a, better))
    assert weak.p_a <= strong.p_a + EPS
    assert strong.p_b <= weak.p_b + EPS


@pytest.mark.slow
@given(any_game, anyone, ranges, st.booleans())
def test_duel__mirror_is_even_until_one_side_has_sandbags(
    game: aab.Game, unit: Any, range_in: float, foliage: bool
) -> None:
    duel = game.duel(unit, unit, range_in=range_in, foliage=foliage)
    assert duel.p_a == pytest.approx(duel.p_b, abs=EPS)
    if duel.p_draw == 0:
        assert duel.p_a == pytest.approx(0.5, abs=EPS)
    # They are the target's: b's.
    covered = game.duel(unit, unit, range_in=range_in, foliage=foliage, sandbags=True)
    assert covered.p_a <= duel.p_a + EPS
    assert covered.p_b >= duel.p_b - EPS or covered.p_draw > duel.p_draw


@pytest.mark.slow
@given(any_game, anyone, anyone, ranges, st.sampled_from(["a", "b", "roll_off"]), st.sampled_from([None, 1, 5]))
def test_duel__swapping_the_sides_swaps_the_chances(
    game: aab.Game, a: Any, b: Any, range_in: float, first: Any, rounds: int | None
) -> None:
    other = {"a": "b", "b": "a"}.get(first, first)
    one = game.duel(a, b, range_in=range_in, first=first, rounds=rounds)
    two = game.duel(b, a, range_in=range_in, first=other, rounds=rounds)
    assert (one.p_a, one.p_b, one.p_draw) == pytest.approx((two.p_b, two.p_a, two.p_draw), abs=EPS)
    assert one.player_turns == pytest.approx(two.player_turns) if one.player_turns else two.player_turns is None


def test_duel__first_turn_gap_is_of_scores_in_which_a_draw_counts_half() -> None:
    both, first, second = (
        aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=18, rounds=5, first=who) for who in ("roll_off", "a", "b")
    )
    gap = first.p_a + first.p_draw / 2 - second.p_a - second.p_draw / 2
    assert both.first_turn_gap == pytest.approx(gap, abs=EPS)
    assert first.first_turn_gap is None


@pytest.mark.slow
@given(any_game, st.integers(1, 60), st.sampled_from([{}, {"rapid_fire": True}, {"long_reload": True}]), ranges)
def test_duel__mutual_harmlessness_is_a_draw(
    game: aab.Game, hp: int, keywords: dict[str, Any], range_in: float
) -> None:
    a, b = vehicle(at(3), hp=hp, keywords=keywords), vehicle(ai("1", range=99))
    for first in ("a", "b", "roll_off"):
        duel = game.duel(a, b, range_in=range_in, first=first)
        assert (duel.p_a, duel.p_b, duel.p_draw, duel.player_turns) == (0, 0, 1, None)
        assert "nan" not in repr(duel)
    limited = game.duel(a, b, range_in=range_in, rounds=3)
    assert (limited.p_draw, limited.player_turns) == (1, 6)


# --- one number from all paths ----------------------------------------------------------------------------------


def random_plan(rng: random.Random) -> Plan:
    """Brackets of volleys, some of them silent: more than any unit of the game has."""
    turns, quantum = rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2, 5])

    def volley() -> Volley:
        amounts = rng.sample(range(1, 7), rng.randint(0, 4))
        weights = [rng.randint(1, 9) for _ in amounts]
        total = sum(weights) + rng.randint(0 if amounts else 1, 20)
        effect = {quantum * amount: F(weight, total) for amount, weight in zip(amounts, weights, strict=True)}
        rest = 1 - sum(effect.values(), F(0))
        return Volley((), effect | ({0: rest} if rest else {}), ())

    thresholds = [*sorted(rng.sample(range(2, 30), rng.randint(0, 2)), reverse=True), 1]
    opening = rng.choice((0, 0, 1, 2))
    return tuple(
        Bracket(least, tuple(volley() for _ in range(turns)), tuple(volley() for _ in range(opening)))
        for least in thresholds
    )


def drawn_duels(seed: int, n: int) -> tuple[list[tuple[Plan, Plan]], list[tuple[int, int]]]:
    rng = random.Random(seed)
    plans = [random_plan(rng) for _ in range(n)]
    return [(rng.choice(plans), plan) for plan in plans], [(rng.randint(1, 40), rng.randint(1, 40)) for _ in plans]


def packed(duels: list[tuple[Plan, Plan]], hp: list[tuple[int, int]]) -> PlannedDuels:
    tables = Plans()
    numbers = np.array([[tables.add(plan) for plan in pair] for pair in duels])
    return tables.fights(*numbers.T.copy(), *(np.array(side) for side in zip(*hp, strict=True)))


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [None, 1, 7])
def test_solve__compiled_batch_equals_plain_duels(rounds: int | None) -> None:
    duels, hp = drawn_duels(5, 300)
    compiled = np.array(packed(duels, hp).solve(rounds)).T
    plain = []
    for pair, left in zip(duels, hp, strict=True):
        players = Holding(left[0], pair[0]), Holding(left[1], pair[1])
        plain.append(TurnGraph(players, 0).solve(rounds))
    np.testing.assert_allclose(compiled, plain, rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(compiled[:, :3].sum(axis=1), 1, atol=EPS)
    assert {len(plan) for pair in duels for plan in pair} == {1, 2, 3}
    assert {len(plan[0].cycle) for pair in duels for plan in pair} == {1, 2, 3}
    assert {len(plan[0].opening) for pair in duels for plan in pair} == {0, 1, 2}


def test_solve__one_duel_has_the_same_bits_alone_and_in_a_batch() -> None:
    duels, hp = drawn_duels(7, 40)
    many = np.array(packed(duels, hp).solve())
    for k in range(40):
        alone = np.array(packed(duels[k : k + 1], hp[k : k + 1]).solve())
        assert alone[:, 0].tolist() == many[:, k].tolist()


@pytest.mark.slow
def test_solve__duel_to_the_end_is_a_duel_with_a_far_limit() -> None:
    """Also where turns come before the ones that go round and round, as for a unit that closes in."""
    duels, hp = drawn_duels(8, 25)
    leading = 0
    for pair, left in zip(duels, hp, strict=True):
        leading += any(plan[0].opening for plan in pair)
        players = Holding(left[0], pair[0]), Holding(left[1], pair[1])
        duel = TurnGraph(players, 0)
        end, limited = duel.solve(), duel.solve(400)
        assert end[:-1] == pytest.approx(limited[:-1], abs=1e-9)
        if end.p_draw == 0:
            assert end.player_turns == pytest.approx(limited.player_turns, rel=1e-6)
    assert leading > 10


def turn_by_turn(plan: Plan, hp: int, within: tuple[int, ...], turns: int) -> list[float]:
    """The expected turns to a kill, and the chances within some, hit point by hit point and turn after turn."""
    left, length, killed = {hp: 1.0}, 0.0, {}
    effects = [
        [(damage, float(p)) for damage, p in volley.effect.items()] for volley in (*plan[0].opening, *plan[0].cycle)
    ]
    opened = len(plan[0].opening)
    for turn in range(turns):
        length += sum(left.values())
        after: dict[int, float] = {}
        for have, p in left.items():
            for damage, chance in effects[turn if turn < opened else opened + (turn - opened) % len(plan[0].cycle)]:
                if damage < have:
                    after[have - damage] = after.get(have - damage, 0.0) + p * chance
        left = after
        killed[turn + 1] = 1 - sum(left.values())
    never = not any(max(volley.effect) for volley in plan[0].cycle) and sum(left.values()) > 0
    return [math.inf if never else length, *(killed[turn] for turn in within)]


@pytest.mark.slow
def test_kills__turn_by_turn() -> None:
    rng = random.Random(6)
    plans, hp, within = [random_plan(rng) for _ in range(60)], [rng.randint(1, 25) for _ in range(60)], (1, 2, 9)
    assert {len(plan[0].opening) for plan in plans} == {0, 1, 2}
    tables = Plans()
    found = tables.kills(np.array([tables.add(plan) for plan in plans]), np.array(hp), within)
    expected = [turn_by_turn(plan, life, within, 1500) for plan, life in zip(plans, hp, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_kills__plan_that_is_harmless_while_strong_never_kills() -> None:
    tables = Plans()
    plan = Bracket(4, (Volley((), {0: F(1)}, ()),)), Bracket(1, (Volley((), {1: F(1)}, ()),))
    assert tables.kills(np.array([tables.add(plan)]), np.array([3]), (9,)).tolist() == [[math.inf, 0]]


SAMPLE = 8
SITUATIONS = {
    "range_in": {6: 0.25, 12: 0.25, 18: 0.25, 36: 0.25},
    "facing": {"front": 0.5, "side": 0.3, "rear": 0.2},
    "own_facing": {"front": 0.8, "side": 0.2},
}


def roster(game: aab.Game, seed: int) -> list[str]:
    """A few units, among them a squad, a field gun, and units with the keywords that make turns differ."""
    rng = random.Random(seed)
    kinds = [
        lambda card: card.class_ == "infantry",
        lambda card: card.class_ == "field_gun",
        lambda card: "autocannon" in card.keywords,
        lambda card: "long_reload" in card.keywords,
        lambda card: "indirect" in card.keywords,
        lambda card: card.class_ == "infantry" and card.equipment.grenades,
        lambda card: any(weapon.kind == "he" for weapon in card.weapons),
    ]
    found = [
        next((i for i in rng.sample(list(game.cards), len(game.cards)) if kind(game.cards[i])), None) for kind in kinds
    ]
    others = rng.sample(list(game.cards), SAMPLE)
    return list(dict.fromkeys(i for i in [*found, *others] if i is not None))


@pytest.mark.slow
@pytest.mark.parametrize("variant", [{}, {"resolution": "two_dice", "range_boundary": "strict"}])
def test_matchups__rows_equal_shots_and_duels_one_by_one(variant: dict[str, Any]) -> None:
    game = aab.Game(variant=variant)
    ids = roster(game, len(variant))
    at_these = Situations.of(game, SITUATIONS)
    table = matchups(game, at_these, attackers=ids, targets=ids[::-1])
    assert len(table) == len(ids) ** 2 * 24
    for row in table.sample(120, random_state=1).itertuples():
        case = {"range_in": row.range_in, "facing": row.facing, "own_facing": row.own_facing}
        shot = game.shot(row.attacker, row.target, **case)
        need = next(iter(shot.needs.values()), NO_ROLL)
        assert row.need == (7 if None in shot.needs.values() else need)
        assert row.p_damage == pytest.approx(shot.p_damage, abs=EPS)
        assert row.expected_damage == shot.expected_damage
        assert row.p_kill == pytest.approx(shot.p_kill, abs=EPS)
        duel = game.duel(row.attacker, row.target, **case)
        assert (row.p_win, row.p_loss, row.p_draw) == pytest.approx((duel.p_a, duel.p_b, duel.p_draw), abs=EPS)
        assert row.p_win_first == pytest.approx(duel.p_a_moving_first, abs=EPS)
        assert row.p_win_second == pytest.approx(duel.p_a_moving_second, abs=EPS)
        assert row.first_turn_gap == pytest.approx(duel.first_turn_gap, abs=EPS)
        assert row.player_turns == pytest.approx(math.inf if duel.player_turns is None else duel.player_turns)
        rule = game.ruleset
        situation = game.moment(**case)
        halves = (
            rule.offence(game.cards[row.attacker], situation, game.variant),
            rule.defence(game.cards[row.target], situation, game.variant),
        )
        tables = Plans()
        survey = rule.survey(*halves, row.range_in, game.variant)
        plans = np.array([tables.add(single(survey.shot)), tables.add(survey.plan)])
        hp = np.full(2, rule.toughness(game.cards[row.target]))
        (shots, _), (turns, p_kill_turn) = tables.kills(plans, hp)
        assert (row.expected_shots_to_kill, row.expected_turns_to_kill) == pytest.approx((shots, turns))
        assert row.p_kill_turn == pytest.approx(p_kill_turn, abs=EPS)


def test_matchups__another_unit_changes_no_other_row() -> None:
    ids = roster(GAME, 3)
    newcomer = dict(GAME.cards.tables[ids[0]], name="Newcomer")
    more = Cards(GAME.cards.schema, {"aa_newcomer": newcomer, **GAME.cards.tables}, GAME.cards.places)
    at_these = Situations.of(GAME, SITUATIONS)
    before = matchups(GAME, at_these, attackers=ids, targets=ids)
    wide = ["aa_newcomer", *ids]
    after = matchups(aab.Game(cards=more), at_these, attackers=wide, targets=wide)
    kept = after[(after["attacker"] != "aa_newcomer") & (after["target"] != "aa_newcomer")].reset_index(drop=True)
    for column in before:
        left, right = before[column], kept[column]
        if isinstance(left.dtype, pd.CategoricalDtype):
            left, right = left.astype(str), right.astype(str)
        pd.testing.assert_series_equal(left, right, check_exact=True)


@pytest.mark.slow
@given(units(), anyone, situations, st.randoms(use_true_random=False))
def test_card__order_of_keywords_doesnt_matter(a: Any, b: Any, situation: dict[str, Any], rng: random.Random) -> None:
    names = list(a.keywords)
    rng.shuffle(names)
    shuffled = a.model_copy(update={"keywords": {name: a.keywords[name] for name in names}})
    assert GAME.shot(a, b, **situation) == GAME.shot(shuffled, b, **situation)
    hold = {k: v for k, v in situation.items() if k not in OF_POSTURES}
    assert GAME.duel(a, b, **hold) == GAME.duel(shuffled, b, **hold)
    assert GAME.duel(b, a, **hold) == GAME.duel(b, shuffled, **hold)
