"""Each keyword of the rulebook (Core Rules 1.1): its examples, what it changes, and that their order doesn't matter."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F
from itertools import combinations
from typing import Any

import pytest
from handmade import ai, at, field_gun, he, squad, vehicle
from odds import GAME, brackets, p, row, survey, volleys

import aabalance as aab
from aabalance import dice, rulebook
from aabalance.dice import Pmf
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance import keywords
from aabalance.rulesets.armored_advance.keywords import KEYWORDS
from aabalance.rulesets.armored_advance.match import setup
from aabalance.rulesets.armored_advance.match.records import TABLES
from aabalance.rulesets.armored_advance.shot import halves, tables
from aabalance.rulesets.armored_advance.shot.halves import Gone
from aabalance.rulesets.armored_advance.shot.resolve import reads_of_distance, resolve
from aabalance.rulesets.armored_advance.situation import Moment, Situation
from aabalance.rulesets.base.match import new

SHOT_OF_10 = {0: F(5, 12), 10: F(7, 12)}


def test_accurate__one_shot_at_plus_1_for_both_actions() -> None:
    gun = at(11)
    assert volleys(vehicle(gun), vehicle(), 24) == [SHOT_OF_10]
    assert volleys(vehicle(gun, keywords={"accurate": True}), vehicle(), 24) == [{0: F(2, 9), 10: F(7, 9)}]
    assert volleys(vehicle(gun, keywords={"accurate": True}, actions=1), vehicle(), 24) == [SHOT_OF_10]


@pytest.mark.parametrize("gone", ["moved", "shifted"])
def test_accurate_page_12__a_unit_that_moved_cannot_aim(gone: str) -> None:
    unit = vehicle(at(11), keywords={"accurate": True})
    assert halves.offence(unit, Moment(range_in=24)).aimed
    assert not halves.offence(unit, Moment(range_in=24, **{gone: True})).aimed


def test_accurate__with_autocannon_is_a_single_sequence() -> None:
    """AA-14. One die against the sum, 24", margin 0: 7+ can't be thrown, the aimed 6+ can, once and not three times."""
    both = {"accurate": True, "autocannon": 3}
    assert volleys(vehicle(at(8, 5), keywords=both), vehicle(), 24, resolution="sum") == [{0: F(29, 36), 5: F(7, 36)}]
    assert volleys(vehicle(at(8, 5), keywords={"autocannon": 3}), vehicle(), 24, resolution="sum") == [{0: F(1)}]


def test_rapid_fire__fires_the_primary_twice() -> None:
    twice = dice.pool([SHOT_OF_10, SHOT_OF_10])
    assert volleys(vehicle(at(8)), vehicle()) == [SHOT_OF_10]
    assert volleys(vehicle(at(8), keywords={"rapid_fire": True}), vehicle()) == [twice]
    assert volleys(vehicle(at(8), keywords={"rapid_fire": True}, actions=1), vehicle()) == [SHOT_OF_10]
    assert volleys(vehicle(at(8), keywords={"rapid_fire": True}, actions=3), vehicle()) == [twice]


def test_rapid_fire__is_the_primarys_alone() -> None:
    """A weak primary twice, or once with the strong second gun: never the second gun twice."""
    unit = vehicle(at(8, 1), at(8, 10), keywords={"rapid_fire": True})
    assert max(volleys(unit, vehicle())[0]) == 11


def test_autocannon__x_sequences_in_an_attack() -> None:
    shot = GAME.shot(vehicle(at(8, 10), keywords={"autocannon": 3}), vehicle(), range_in=18)
    assert shot.attempts == 3
    assert shot.damage == pytest.approx({k: float(v) for k, v in dice.pool([SHOT_OF_10] * 3).items()})


def test_autocannon__rapid_fire_makes_2x_sequences() -> None:
    unit = vehicle(at(8), keywords={"autocannon": 3, "rapid_fire": True})
    assert volleys(unit, vehicle()) == [dice.pool([SHOT_OF_10] * 6)]


def test_autocannon__rolls_its_ai_code_once() -> None:
    unit = vehicle(at(gun="flak"), ai("D3-1", gun="flak"), keywords={"autocannon": 4})
    assert GAME.shot(unit, squad(), range_in=12).damage == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3})


@pytest.mark.parametrize(
    ("keyword", "turns"), [("rapid_fire", [{2: F(1)}]), ("long_reload", [{1: F(1)}, {0: F(1)}])], ids=str
)
def test_autocannon__is_the_primary_against_infantry_too(keyword: str, turns: list[Pmf]) -> None:
    unit = vehicle(at(gun="flak"), ai("1", gun="flak"), keywords={"autocannon": 4, keyword: True})
    assert volleys(unit, squad(), 12) == turns


def test_autocannon__shoots_vehicles_once_with_either_shell() -> None:
    """P. 13: without rapid fire it "cannot shoot vehicles with both actions"."""
    unit = vehicle(at(99, 9, gun="flak"), he(9, 0, gun="flak"), keywords={"autocannon": 2, "indirect": 48})
    assert [max(volley) for volley in volleys(unit, vehicle(armor=0))] == [18]
    lobbed = GAME.shot(unit, vehicle(armor=0), range_in=40, set_up=True, weapon="weapon 2 (indirect)")
    assert lobbed.damage == {18: 1}


def test_autocannon__leaves_other_guns_one_attack_a_turn() -> None:
    unit = vehicle(at(99, 9), at(99, 1, gun="other"), he(1, 0, gun="other"), keywords={"autocannon": 2}, actions=3)
    assert [max(volley) for volley in volleys(unit, vehicle(armor=0))] == [19]
    assert setup.slot_names(unit) == ["w0", "other", "other"]


@pytest.mark.parametrize("keyword", ["casemate", "reverse_casemate"])
def test_casemate__less_1_if_it_moved_first(keyword: str) -> None:
    unit = vehicle(at(11), keywords={keyword: True})
    assert p(unit, vehicle(), moved=True) == F(1, 2)
    assert p(vehicle(at(11)), vehicle(), moved=True) == F(2, 3)
    assert p(unit, vehicle()) == p(vehicle(at(11)), vehicle()) == F(7, 9)
    assert p(unit, vehicle(), moved=True, range_in=36) == 0


def test_casemate__acts_on_the_primary_alone() -> None:
    unit = vehicle(at(11), at(11), keywords={"casemate": True})
    shots = [GAME.shot(unit, vehicle(), range_in=18, moved=True, weapon=f"weapon {n}").need for n in (1, 2)]
    assert shots == [4, 3]


def test_long_reload__fires_every_other_turn() -> None:
    assert volleys(vehicle(at(8), keywords={"long_reload": True}), vehicle()) == [SHOT_OF_10, {0: F(1)}]


def test_long_reload__leaves_the_other_guns_alone() -> None:
    small = {0: F(5, 12), 3: F(7, 12)}
    both = vehicle(at(8), at(8, 3), keywords={"long_reload": True})
    assert volleys(both, vehicle()) == [dice.convolve(SHOT_OF_10, small), small]


def test_limited_range__no_shot_beyond_x() -> None:
    unit = vehicle(keywords={"limited_range": 12})
    assert p(unit, vehicle(), range_in=12) == p(vehicle(), vehicle(), range_in=12) > 0
    assert p(unit, vehicle(), range_in=12.5) == 0
    assert p(vehicle(at(range=9), keywords={"limited_range": 12}), vehicle(), range_in=10) == 0
    assert GAME.shot(unit, vehicle(), range_in=13).need is None


def test_limited_range__is_the_primarys_alone() -> None:
    assert p(vehicle(at(), at(), keywords={"limited_range": 12}), vehicle(), range_in=18) > 0


def test_angling__armour_x_between_30_and_60_degrees() -> None:
    target = vehicle(armor=(8, 6, 6), keywords={"angling": 9})
    assert p(vehicle(at(9)), target, angled=True) == F(7, 12)
    assert p(vehicle(at(9)), target) == F(7, 9)
    assert p(vehicle(at(9)), vehicle(armor=(8, 6, 6)), angled=True) == F(7, 9)


def test_angling__holds_in_the_side_quadrant_too() -> None:
    """p. 14: angled if the enemy lies within 30 and 60 degrees off the front axis; the front ends at 45 (AA-47)."""
    target = vehicle(armor=(8, 6, 6), keywords={"angling": 9})
    assert p(vehicle(at(9)), target, facing="side", angled=True) == F(7, 12)


def test_angling__is_no_use_against_he() -> None:
    target = vehicle(armor=(8, 6, 6), keywords={"angling": 11})
    assert p(vehicle(he()), target, angled=True) == p(vehicle(he()), target)


def test_weak_spot__lets_a_weaker_gun_through() -> None:
    spot = vehicle(keywords={"weak_spot": True})
    assert [p(vehicle(at(pen)), spot, moved=True) for pen in (8, 7, 6, 5)] == row("1/2 1/3 1/6 0")
    assert [p(vehicle(at(pen)), vehicle(), moved=True) for pen in (8, 7, 6, 5)] == row("1/2 1/6 0 0")


def test_support__of_a_second_weapon_isnt_the_primarys() -> None:
    unit = vehicle(ai(), at(20, 10), keywords={"support": True})
    assert GAME.shot(unit, field_gun(), range_in=6, weapon="weapon 2").damage == {10: 1.0}


# --- scout, indirect, and what is no fire -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scout_in", "bonus"), [(0, 3), (23.9, 3), (24, 2), (35.9, 2), (36, 1), (60, 1), (60.1, 0), (None, 0)]
)
def test_scout_table_page_11(scout_in: float | None, bonus: int) -> None:
    assert GAME.shot(vehicle(at(20)), vehicle(), range_in=36, scout_in=scout_in).need == 6 - bonus
    assert GAME.shot(vehicle(he(20)), vehicle(), range_in=36, scout_in=scout_in).need == max(1, 5 - bonus)


def test_scout__is_no_help_to_machine_guns() -> None:
    scouted, alone = (GAME.shot(vehicle(ai()), squad(), range_in=12, scout_in=scout_in) for scout_in in (6, None))
    assert scouted.damage == alone.damage
    assert "  scout " not in scouted.explain()


def test_scout__helps_every_gun_of_the_unit() -> None:
    unit = vehicle(at(20), at(20))
    assert GAME.shot(unit, vehicle(), range_in=36, scout_in=6, weapon="weapon 2").need == 3


def test_scout__costs_its_side_an_action_for_each_shot() -> None:
    """AA-43: a certain 10 damage for two actions; aimed or with a reload to come for three."""
    gun, tank = at(20), vehicle()
    assert survey(vehicle(gun), tank, 6).per_action == 10
    assert survey(vehicle(gun), tank, 6, scout_in=6).per_action == 5
    assert survey(vehicle(gun, keywords={"long_reload": True}), tank, 6, scout_in=6).per_action == pytest.approx(10 / 3)
    assert survey(vehicle(gun), tank, 6, scout_in=60.5).per_action == 10


HOWITZER = he(20, 0)
LOBBED = {16: F(1)}


def test_indirect_page_15__a_full_turn_of_setting_up_without_any_other_action() -> None:
    """40 inches: direct fire hits a medium on 5+ (7/18), indirect fire always; the machine gun is silent, too."""
    unit = vehicle(HOWITZER, at(20, 1), keywords={"indirect": 48})
    (plan,) = brackets(unit, vehicle(armor=4), 40)
    assert [(volley.weapons, volley.effect) for volley in plan.opening] == [((), {0: F(1)})]
    assert [volley.weapons for volley in plan.cycle] == [("weapon 1 (indirect)", "weapon 2")]
    (plain,) = brackets(vehicle(HOWITZER, at(20, 1)), vehicle(armor=4), 40)
    assert plain.opening == ()


def test_indirect__is_set_up_only_where_it_does_more_than_direct_fire() -> None:
    """At 6 inches direct fire never misses; an armour-piercing shot of 30 damage does more than 16 at 18 inches."""
    keyword = {"indirect": 48}
    assert brackets(vehicle(HOWITZER, keywords=keyword), vehicle(armor=4), 6)[0].opening == ()
    strong = vehicle(at(20, 30, gun="g"), he(20, 0, gun="g"), keywords=keyword)
    assert brackets(strong, vehicle(armor=4), 18)[0].opening == ()
    weak = vehicle(at(20, 15, gun="g"), he(20, 0, gun="g"), keywords=keyword)
    assert [volley.effect for volley in brackets(weak, vehicle(armor=4), 36)[0].cycle] == [LOBBED]


def test_indirect__set_up_already_skips_the_opening() -> None:
    unit, target = vehicle(HOWITZER, keywords={"indirect": 48}), vehicle(armor=4, hp=32)
    (plan,) = survey(unit, target, 40, set_up=True).plan
    assert (plan.opening, [volley.effect for volley in plan.cycle]) == ((), [LOBBED])
    turns = [GAME.duel(unit, target, range_in=40, first="a", set_up=up).player_turns for up in (True, False)]
    assert turns == [3, 5]


def test_indirect__moving_loses_the_set_up() -> None:
    unit, target = vehicle(HOWITZER, keywords={"indirect": 48}), vehicle(armor=4)
    for moved in ("moved", "shifted"):
        found = GAME.shot(unit, target, range_in=40, set_up=True, weapon="weapon 1 (indirect)", **{moved: True})
        assert found.p_damage == 0
        assert "set up" in found.explain()
    closing = GAME.ruleset.player(unit, target, Situation(set_up=True), 40, GAME.variant, "close:20")
    (moving,) = closing.turns(40, 0, False, 0)
    assert moving.volley.weapons == ("weapon 1",)
    (after,) = closing.turns(20, moving.memory, False, 0)
    assert (after.orders, after.volley.effect) == ("set up", {0: F(1)})
    (firing,) = closing.turns(20, after.memory, False, 0)
    assert firing.volley.effect == LOBBED


def test_indirect__takes_orders_for_a_gun_that_is_not_set_up() -> None:
    unit = vehicle(HOWITZER, keywords={"indirect": 48})
    found = GAME.shot(unit, vehicle(), range_in=40, weapon="weapon 1 (indirect)")
    assert found.p_damage == 0
    assert "p. 15 Indirect" in found.explain()
    assert GAME.shot(unit, vehicle(armor=4), range_in=40).weapon == "weapon 1"
    with pytest.raises(UsageError, match="weapon 1"):
        GAME.shot(vehicle(HOWITZER), vehicle(), range_in=40, weapon="weapon 1 (indirect)")


def test_indirect_page_15__within_x_inches_over_walls_and_foliage_but_not_into_cover_range() -> None:
    unit, target = vehicle(HOWITZER, keywords={"indirect": 48}), vehicle(armor=4)
    over = {"set_up": True, "walls": 3, "hidden": True, "foliage": 2}
    assert GAME.shot(unit, target, range_in=48, **over).damage == {16: 1.0}
    assert GAME.shot(unit, target, range_in=48.5, **over).p_damage == 0
    assert GAME.shot(unit, target, range_in=48, in_cover_range=True, **over).p_damage == 0
    told = GAME.shot(unit, target, range_in=48, **over, scout_in=6, artillery_crew=True).explain()
    assert not any(f"  {word}" in told for word in ("foliage", "scout", "advantage", "range band"))


@pytest.mark.parametrize(
    ("moved_in", "share"), [(0, 1), (7.9, 1), (8, F(1, 2)), (14, F(1, 2)), (14.5, F(1, 2)), (15, F(1, 2)), (15.1, 0)]
)
def test_indirect_page_15__damage_by_the_movement_of_the_target(moved_in: float, share: F) -> None:
    assert tables.indirect_share(moved_in, "halve") == share
    assert tables.indirect_share(moved_in, "immune") == (0 if 14 < moved_in <= 15 else share)
    unit = vehicle(HOWITZER, keywords={"indirect": 48})
    found = GAME.shot(
        unit, vehicle(armor=4), range_in=40, set_up=True, weapon="weapon 1 (indirect)", target_moved_in=moved_in
    )
    assert found.expected_damage == 16 * share


@pytest.mark.parametrize(("movement", "moves", "damage"), [(7, 1, 16), (7, 2, 8), (8, 1, 8), (8, 2, 0)])
def test_indirect__a_target_moved_as_far_as_its_actions_take_it(movement: int, moves: int, damage: int) -> None:
    unit, target = vehicle(HOWITZER, keywords={"indirect": 48}), vehicle(armor=4, movement=movement)
    at_rest = {"range_in": 40, "set_up": True, "weapon": "weapon 1 (indirect)"}
    assert GAME.shot(unit, target, target_moves=moves, **at_rest).expected_damage == damage
    assert GAME.shot(unit, target, target_moves=moves, target_moved_in=3, **at_rest).expected_damage == 16


def test_indirect__side_armour_and_support_count() -> None:
    unit = vehicle(HOWITZER, keywords={"indirect": 48, "support": True})
    for face in ("front", "side", "rear"):
        found = GAME.shot(unit, field_gun(armor=(9, 3, 1)), range_in=40, set_up=True, facing=face)
        assert found.damage == {26: 1.0}  # 17, and half as much again rounded up


def test_indirect__a_target_that_comes_nearer_is_hit_by_half() -> None:
    unit, target = vehicle(HOWITZER, keywords={"indirect": 48}), vehicle(armor=4, movement=8)
    player = GAME.ruleset.player(unit, target, Situation(set_up=True), 40, GAME.variant, "hold")
    assert player.sees_moves
    fired = [player.turns(40, 0, gone, 0)[0].volley.effect for gone in (None, Gone(1, 8), Gone(2, 16))]
    assert fired[:2] == [LOBBED, {8: F(1)}]
    assert fired[2] not in fired[:2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "posture", "rounds", "wins"),
    [
        ({"weight": "light", "movement": 9, "hp": 10}, "optimal", 2, 0),  # goes 20 inches a turn: out of its aim
        ({"weight": "medium", "movement": 7, "hp": 30}, "optimal", 2, 0),  # 14 inches halve the damage
        ({"weight": "light", "movement": 9, "hp": 14}, "close:30", 1, 1),  # one inch, from 31, doesn't
    ],
)
def test_indirect__goes_by_the_inches_that_the_target_moved(
    target: dict[str, Any], posture: str, rounds: int, wins: float
) -> None:
    howitzer = vehicle(he(26), armor=0, keywords={"indirect": 60})
    enemy = vehicle(armor=0, **target)
    start = 31 if posture == "close:30" else 48
    found = GAME.duel(howitzer, enemy, range_in=start, first="b", set_up=True, posture_b=posture, rounds=rounds)
    assert found.p_a == pytest.approx(wins)


@pytest.mark.parametrize(
    ("inches", "gap", "hp", "wins"),
    [
        (7, "halve", 20, 1),
        (8, "halve", 20, 0),
        (8, "halve", 10, 1),
        (14, "halve", 10, 1),
        (14, "immune", 10, 1),
        (15, "halve", 10, 1),
        (15, "immune", 10, 0),
        (16, "halve", 10, 0),
    ],
)
def test_indirect_page_15__a_move_in_a_duel_that_ends_on_an_edge(inches: int, gap: str, hp: int, wins: int) -> None:
    """Below 8 inches 20 to 25 damage, from 8 to 14 half, above 15 none; AA-30: in between half, or none.

    Direct fire at 30 inches can't hit a light unit that moved: 5+ at -2.
    """
    howitzer = vehicle(he(26), armor=0, keywords={"indirect": 60})
    found = aab.Game(variant={"indirect_gap": gap}).duel(
        howitzer,
        vehicle(armor=0, weight="light", movement=inches - 2, hp=hp),
        range_in=30 + inches,
        first="b",
        rounds=1,
        set_up=True,
        posture_b="close:30",
    )
    assert found.p_a == pytest.approx(wins)


def test_he__two_moves_are_told_from_one_in_a_duel() -> None:
    howitzer, enemy = vehicle(he(26), armor=0), vehicle(armor=0, weight="light", movement=9, hp=10)
    game = aab.Game(variant={"he_moved": "two_moves"})
    player = game.ruleset.player(howitzer, enemy, Situation(), 28, game.variant, "hold")
    none, one, two = (player.turns(28, 0, gone, 0)[0].volley.effect for gone in (None, Gone(1, 8), Gone(2, 16)))
    assert none == one != two


def test_indirect__best_play_may_set_up_or_not() -> None:
    unit = vehicle(HOWITZER, keywords={"indirect": 48})
    player = GAME.ruleset.player(unit, vehicle(armor=4), Situation(), 40, GAME.variant, "optimal")
    stays = [turn for turn in player.turns(40, 0, False, 0) if not turn.moved]
    assert [turn.orders for turn in stays] == ["fire weapon 1", "set up"]


def test_indirect__driving_off_after_firing_loses_the_set_up_too() -> None:
    unit = vehicle(HOWITZER, keywords={"indirect": 48})
    player = GAME.ruleset.player(unit, vehicle(armor=4), Situation(set_up=True), 40, GAME.variant, "optimal")
    fired = [turn for turn in player.turns(40, 0, False, 0) if turn.moved and turn.volley.effect == LOBBED]
    assert fired
    for turn in fired:
        assert "set up" in {after.orders for after in player.turns(turn.range_in, turn.memory, False, 0)}


def test_indirect__needs_a_primary_weapon_that_fires_high_explosive() -> None:
    unit = vehicle(at(), he(), keywords={"indirect": 48})
    assert brackets(unit, vehicle(armor=0), 40)[0].opening == ()


def test_apc_page_12__carries_x_squads() -> None:
    assert [keywords.apc(2, aboard) for aboard in (0, 1, 2)] == [True, True, False]


def test_towing_page_13__only_a_heavy_gun_halves_the_movement() -> None:
    assert [keywords.towing(8, weight) for weight in ("light", "medium", "heavy")] == [8, 8, 4]


def test_slow_reverse_page_14__halves_the_way() -> None:
    assert keywords.slow_reverse(5) == 2.5


def test_anti_air_page_15__reaches_x_inches() -> None:
    assert [keywords.anti_air(12, inches) for inches in (12, 12.5)] == [True, False]


# --- all of them ------------------------------------------------------------------------------------------------

ON_FIRE = ("attack", "turn", "target", "friend")
ACTING = [name for name, keyword in KEYWORDS.items() if keyword.acts_on in ON_FIRE]
DECLARED = {"apc": "transport", "towing": "movement", "slow_reverse": "movement", "anti_air": "air"}
"""Keywords that change no fire, and what they act on."""


CHANGES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "scout": (vehicle(at(20)), vehicle(), {"range_in": 36}),
    "accurate": (vehicle(at(11)), vehicle(), {"range_in": 24}),
    "rapid_fire": (vehicle(), vehicle(), {}),
    "long_reload": (vehicle(), vehicle(), {}),
    "autocannon": (vehicle(), vehicle(), {}),
    "casemate": (vehicle(at(11)), vehicle(), {"moved": True}),
    "reverse_casemate": (vehicle(at(11)), vehicle(), {"moved": True}),
    "support": (vehicle(), field_gun(armor=8), {}),
    "limited_range": (vehicle(), vehicle(), {}),
    "indirect": (vehicle(he(20)), vehicle(armor=4), {"range_in": 30}),
    "angling": (vehicle(at(9)), vehicle(), {"angled": True}),
    "weak_spot": (vehicle(at(7)), vehicle(), {}),
}
"""A matchup that each keyword on fire changes: attacker, target, situation."""


def fire_of(attacker: Any, target: Any, situation: dict[str, Any]) -> Any:
    """What an attack and a turn of a unit that holds do."""
    found = survey(attacker, target, **{"range_in": 18, **situation})
    turns = [[volley.effect for volley in (*bracket.opening, *bracket.cycle, *bracket.cycle)] for bracket in found.plan]
    return found.shot.effect, turns


def given(card: Any, name: str) -> Any:
    value = {"indirect": 48}.get(name, 9) if KEYWORDS[name].number else True
    return card.model_copy(update={"keywords": {**card.keywords, name: value}})


@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords__each_changes_a_matchup_or_is_declared_to_change_none(name: str) -> None:
    if name in DECLARED:
        assert KEYWORDS[name].acts_on == DECLARED[name]
        for attacker, target, situation in CHANGES.values():
            assert fire_of(given(attacker, name), given(target, name), situation) == fire_of(
                attacker, target, situation
            )
        return
    assert name in CHANGES, f"CHANGES: found no {name}, expected a matchup that it changes"
    attacker, target, situation = CHANGES[name]
    plain = fire_of(attacker, target, situation)
    if name == "scout":
        assert fire_of(attacker, target, {**situation, "scout_in": 6}) != plain
    elif KEYWORDS[name].acts_on == "target":
        assert fire_of(attacker, given(target, name), situation) != plain
    else:
        assert fire_of(given(attacker, name), target, situation) != plain, f"CHANGES: {name} doesn't change its matchup"


@pytest.mark.parametrize("name", [name for name in KEYWORDS if name not in DECLARED])
def test_keywords__battles_know_all_that_an_attack_reads_of_a_distance(name: str) -> None:
    """Battles resolve an attack anew only where `reads_of_distance` says something else than one step nearer."""
    attacker, target, situation = CHANGES[name]
    at_18 = Moment(**{"range_in": 18, **situation})
    brought = halves.offence(given(attacker, name), at_18)
    attacks = [attack for _, guns in brought.guns for gun in guns for attack in gun] + [*brought.lobs]
    shown = halves.defence(given(target, name), at_18, GAME.variant)
    for attack in attacks:
        same: dict[Any, Any] = {}
        for range_in in (half_inches / 2 for half_inches in range(1, 121)):
            read = reads_of_distance(attack, shown, range_in, GAME.variant)
            found = resolve(attack, shown, range_in, GAME.variant)
            assert same.setdefault(read, found) == found, f"{attack.kind} at {range_in} inches: reads_of_distance"


@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords__each_has_a_test(name: str) -> None:
    stem = name.removeprefix("reverse_")
    named = any(test.startswith((f"test_{stem}__", f"test_{stem}_")) for test in globals())
    assert named, f"{name}: found no test, expected one whose name begins with test_{stem}__"


@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords__each_has_its_rule_in_the_rulebook(name: str) -> None:
    book, cited = rulebook.read(GAME.ruleset).rule, KEYWORDS[name].rule
    known = any(rule.section == cited or f"keywords.{name}" in rule.functions for rule in book)
    assert known, f"rulebook.toml: found no [[rule]] of section {cited}, nor with the function keywords.{name}"


@pytest.mark.parametrize("name", [name for name, keyword in KEYWORDS.items() if keyword.acts_on != "air"])
def test_keywords__each_is_in_what_a_match_knows_of_a_card(name: str) -> None:
    """A keyword that `match/setup.py` leaves out would change no match, without a word."""
    records = []
    for card in (vehicle(at(), he()), given(vehicle(at(), he()), name)):
        record = new(TABLES).card[0]
        setup._write_card(record, card, GAME.variant, Decimal(0))
        records.append(record.tobytes())
    same = records[0] == records[1]
    assert not same, f"{name}: found nothing of it in match/setup.py, expected a field of the card's record"


@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords__each_cites_its_page(name: str) -> None:
    assert KEYWORDS[name].rule.startswith("p. ")
    assert KEYWORDS[name].meaning.endswith(".") or ":" in KEYWORDS[name].meaning


@pytest.mark.slow
@pytest.mark.parametrize("pair", list(combinations(ACTING, 2)), ids="-".join)
def test_keywords__any_two_give_the_same_in_either_order(pair: tuple[str, str]) -> None:
    values = {name: 9 if KEYWORDS[name].number else True for name in pair}
    # A card puts its keywords in order by itself; these are put in as they come.
    plain = vehicle(at(8), at(9, 3))
    one, other = (
        plain.model_copy(update={"keywords": {name: values[name] for name in order}}) for order in (pair, pair[::-1])
    )
    assert list(one.keywords) != list(other.keywords)
    for foe in (vehicle(), field_gun(armor=8)):
        for situation in ({"range_in": 6, "moved": True}, {"range_in": 18, "angled": True}):
            assert GAME.shot(one, foe, **situation) == GAME.shot(other, foe, **situation)
            assert GAME.shot(foe, one, **situation) == GAME.shot(foe, other, **situation)
        assert GAME.duel(one, foe, range_in=6) == GAME.duel(other, foe, range_in=6)


@pytest.mark.parametrize("name", ACTING)
def test_keywords__each_that_acts_on_fire_is_explained(name: str) -> None:
    # A weak spot is told where a shot falls short of the armour.
    attacker = vehicle(at(7 if name == "weak_spot" else 10))
    target = field_gun(armor=8) if name == "support" else vehicle()
    acts_on = KEYWORDS[name].acts_on
    if acts_on == "target":
        target = given(target, name)
    elif acts_on != "friend":
        attacker = given(attacker, name)
    if acts_on == "turn":
        sheet = halves.offence(attacker, Moment(range_in=6))
        assert [note.step.label for note in sheet.notes] == [name]
    else:
        situation = {"angled": True, "moved": name.endswith("casemate"), "scout_in": 6 if name == "scout" else None}
        told = GAME.shot(attacker, target, range_in=6, **situation).explain()
        assert f"  {name} " in told
        page = " ".join(KEYWORDS[name].rule.split()[:2])
        assert page in told


@pytest.mark.parametrize(
    ("words", "wrong"), [({"casemate": True}, "p. 12 Accurate"), ({"limited_range": 12}, "p. 10 Anti-Infantry")]
)
def test_explain__cites_no_rule_that_plays_no_part(words: dict[str, Any], wrong: str) -> None:
    shot = GAME.shot(vehicle(at(11), keywords=words), vehicle(), range_in=18, moved=True)
    assert wrong not in shot.explain()


def test_explain__cites_armour_for_shot_and_rolls_for_what_is_rolled_alone() -> None:
    target = vehicle(keywords={"angling": 11, "weak_spot": True})
    told = GAME.shot(vehicle(he()), target, range_in=6, angled=True).explain()
    assert not any(f"  {word} " in told for word in ("angling", "weak_spot"))
    assert "  foliage " not in GAME.shot(vehicle(ai()), squad(), range_in=6, foliage=1).explain()


# --- AA-34: an autocannon's AI code rolled X times

BURSTS = {"autocannon_ai_rolls": "X"}


@pytest.mark.slow
def test_autocannon__every_card_has_one_gun_for_vehicles_and_infantry() -> None:
    cards = [card for card in GAME.cards.values() if "autocannon" in card.keywords]
    assert len(cards) == 13
    for card in cards:
        once, thrice = (aab.Game(variant=v).shot(card, squad(), range_in=10) for v in ({}, BURSTS))
        if any(weapon.kind == "ai" and weapon.gun == card.weapons[0].gun for weapon in card.weapons):
            assert thrice.expected_damage > once.expected_damage


@pytest.mark.slow
def test_autocannon__bursts_are_summed_then_halved_and_never_more_than_the_squad() -> None:
    unit = vehicle(at(2, gun="g"), {"kind": "ai", "ai": "D3-1", "gun": "g"}, keywords={"autocannon": 3})
    game = aab.Game(variant=BURSTS)
    assert max(game.shot(unit, squad(strength=2), range_in=10).damage) == 2
    found = game.shot(unit, squad(), range_in=10, sandbags=True).damage
    # Of the 27 sums of three 0, 1, 2: 1 is 0, 3 are 1; halves of both are 0.
    assert found[0] == pytest.approx(4 / 27)
    with pytest.raises(UsageError, match="solved exactly"):
        game.duel(unit, squad(), range_in=10, sandbags=True, simulate=100)
    rolled = game.duel(unit, squad(), range_in=10, rounds=1, first="a", simulate=20_000)
    exact = game.duel(unit, squad(), range_in=10, rounds=1, first="a")
    assert abs(rolled.p_a - exact.p_a) < 5 * (exact.p_a * (1 - exact.p_a) / 20_000) ** 0.5 + 1e-9
