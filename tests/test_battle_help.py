"""What units of a battle need of each other: crews of guns, scouts for friends; and what a turn prepares or uses up.

By hand; `test_battles_dice.py` has the same against dice thrown literally.
"""

from __future__ import annotations

from typing import Any

import pytest
from handmade import ai, at, field_gun, he, squad, vehicle

import aabalance as aab
from aabalance.engine.battle import policies
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle.sides import crews

GAME = aab.Game()
SIX, FIVE, FOUR, THREE = (pytest.approx(p * 7 / 36) for p in (1, 2, 3, 4))
"""Chances of a roll at advantage that needs so much."""


def sure(damage: int, **fields: Any) -> dict[str, Any]:
    """A gun that hits at 6 inches whatever is rolled."""
    return at(99, damage, **fields)


def fight(a: list[Any], b: list[Any], variant: dict[str, Any] | None = None, **given: Any) -> aab.BattleResult:
    game = GAME if variant is None else aab.Game(variant=variant)
    return game.battle(a, b, **{"range_in": 6, "actions": 9, "first": "a", **given})


def p_kill_turn(shooters: list[Any], target: Any, variant: dict[str, Any] | None = None, **given: Any) -> float:
    """The chance that a turn of a side destroys a target, which can't hurt anybody."""
    return fight(shooters, [target], variant, rounds=1, **given).p_a


HARMLESS = at(1, 1)
CREW = {"squad": "artillery_crew", "strength": 3}
NO_WEAPON = ai("0", range=1)

# --- crews ------------------------------------------------------------------------------------------------------


def test_crews_page_17__a_squad_behind_each_gun_artillery_crews_first() -> None:
    gun, rifles, crew, sniper = (
        field_gun(),
        squad(),
        squad(NO_WEAPON, **CREW),
        squad(ai("1"), squad="sniper", strength=2),
    )
    assert crews([gun, rifles, crew, gun, sniper, gun]) == {0: 2, 3: 1}
    assert crews([rifles, vehicle()]) == {}


@pytest.mark.slow
def test_field_guns_page_17__a_gun_whose_squad_is_gone_does_nothing() -> None:
    # The squad is no match for the car's fire, and nothing is before it.
    car, gun = vehicle(ai("6"), at(99, 1, range=6), hp=10), field_gun(sure(10), armor=0, hp=3)
    found = fight([car], [squad(), gun], policy_a="list_order")
    assert (found.p_a, found.player_turns, found.value_b) == (1, 5, 0)
    # Without the squad in the list, the gun has a crew of its own.
    assert fight([car], [gun]).p_b == 1


@pytest.mark.slow
def test_field_guns_page_17__armour_towards_the_fire_shields_the_crew() -> None:
    car, gun = vehicle(ai("6"), hp=10), field_gun(sure(10), armor=(1, 0, 0), hp=3)
    found = fight([car], [squad(), gun])
    assert (found.p_b, found.player_turns) == (1, 2)
    # From elsewhere the crew is gone at once. The gun still counts, and nobody can hurt anybody who does.
    for bare in ("side", "rear"):
        found = fight([car], [squad(), gun], facing=bare)
        assert (found.p_draw, found.player_turns) == (1, 1)
    # By faces that chance shows, half of the fire is stopped.
    assert fight([car], [squad(), gun], facing={"front": 0.5, "side": 0.5}).p_draw == 0.5


@pytest.mark.slow
def test_field_guns_page_17__the_shield_is_gone_with_the_gun() -> None:
    car, other = vehicle(ai("6"), sure(9), hp=99), vehicle(sure(1), hp=99, armor=101, requisition=9)
    b = [squad(requisition=5), field_gun(HARMLESS, armor=(1, 0, 0), hp=3, requisition=7), other]
    # Two attacks a turn: the gun, then the squad behind it, who is left unless it is fired at.
    assert fight([car], b, mode="timed", rounds=1).value_b == 9
    assert fight([car], b, mode="timed", rounds=1, actions=1).value_b == 14


def test_annihilation_counts_guns__or_a_list_of_guns_has_nothing_that_counts() -> None:
    """AA-53."""
    car, b = vehicle(sure(9)), [field_gun(HARMLESS), vehicle(HARMLESS, hp=9, armor=9)]
    assert fight([car], b, actions=1, policy_a="value", rounds=1).p_draw == 1
    assert fight([car], b, {"annihilation_counts_guns": False}, actions=1, policy_a="focus", rounds=1).p_a == 1
    with pytest.raises(UsageError, match="list b: found no unit that counts"):
        fight([car], b[:1], {"annihilation_counts_guns": False})


def test_artillery_crew_page_19__adds_1_to_the_roll_of_the_gun_that_it_mans() -> None:
    gun, target = field_gun(at(99, 10)), vehicle(HARMLESS, hp=10)
    assert p_kill_turn([gun], target, range_in=36) == SIX
    assert p_kill_turn([gun, squad()], target, range_in=36) == SIX
    assert p_kill_turn([gun, squad(NO_WEAPON, **CREW)], target, range_in=36) == FIVE
    # With two guns the crew serves the first, the riflemen the second.
    other = field_gun(at(99, 10, range=1))
    assert p_kill_turn([other, gun, squad(), squad(NO_WEAPON, **CREW)], target, range_in=36) == SIX


def test_gun_fire_uses_crew_action__of_an_attack_of_the_gun_and_one_of_the_squad_there_is_one() -> None:
    gun, rifles = field_gun(sure(10), keywords={"rapid_fire": True}), squad(ai("6"))
    b = [squad(requisition=5), vehicle(HARMLESS, hp=99, requisition=7)]
    crewed = {"gun_fire_uses_crew_action": True}
    given: dict[str, Any] = {"mode": "timed", "rounds": 1, "policy_a": "list_order"}
    assert fight([rifles, gun], b, **given).value_b == 7
    # Both fire, or the first of the list.
    tank = [squad(requisition=5), vehicle(HARMLESS, hp=10, requisition=7)]
    assert fight([rifles, gun], tank, **given).value_b == 0
    assert fight([rifles, gun], tank, crewed, **given).value_b == 7
    assert fight([gun, rifles], tank, crewed, **given).value_b == 5
    # A squad has one action, and so the gun one attack; a crew of its own isn't asked.
    big = [vehicle(HARMLESS, hp=20, requisition=7)]
    assert fight([gun, rifles], big, **given).value_b == 0
    assert fight([gun, rifles], big, crewed, **given).value_b == 7
    assert fight([gun], big, crewed, **given).value_b == 0


# --- scouts -----------------------------------------------------------------------------------------------------

SCOUT = vehicle(NO_WEAPON, hp=9, keywords={"scout": True})
# 1 short of the armour: 6+ at any distance, 3+ with the 3 that a scout below 24 inches adds.
GUN, TARGET = vehicle(at(8, 10)), vehicle(HARMLESS, armor=9, hp=10)


def test_scout_page_11__adds_its_bonus_for_an_action_of_its_own() -> None:
    assert p_kill_turn([GUN], TARGET, range_in=18) == SIX
    assert p_kill_turn([GUN, SCOUT], TARGET, range_in=18) == THREE
    # The limit has an action for the gun alone.
    assert p_kill_turn([GUN, SCOUT], TARGET, range_in=18, actions=1) == SIX
    assert p_kill_turn([GUN, SCOUT], TARGET, range_in=18, actions=2) == THREE


def test_scout_costs_action__or_is_for_nothing() -> None:
    assert p_kill_turn([GUN, SCOUT], TARGET, {"scout_costs_action": False}, range_in=18, actions=1) == THREE


def test_threat__counts_the_action_of_the_scout_of_its_enemies() -> None:
    # Scouted, the first hits on 3+, for an action of its own and one of the scout; the second hits on 4+ for one.
    scouted = vehicle(at(8, 10), requisition=7, keywords={"rapid_fire": True})
    line = [scouted, vehicle(at(9, 10), requisition=8), SCOUT]
    shooter = vehicle(sure(99), armor=9, hp=10, requisition=100)
    given: dict[str, Any] = {"range_in": 18, "actions": (1, 9), "rounds": 1, "mode": "timed", "policy_a": "threat"}
    assert fight([shooter], line, **given).value_b == pytest.approx(16 - 8 * 28 / 36)


def test_scout_page_11__is_not_asked_where_each_of_the_two_actions_does_less() -> None:
    # 4+ at 18 inches, 1+ with a scout: 21/36 for an action is more than 36/36 for two.
    target = vehicle(HARMLESS, armor=9, hp=10)
    assert p_kill_turn([vehicle(at(9, 10)), SCOUT], target, range_in=18) == FOUR


def test_scout_page_11__sees_no_further_than_60_inches_and_not_through_walls() -> None:
    assert p_kill_turn([GUN, SCOUT], TARGET, range_in=61) == SIX
    assert fight([GUN, SCOUT], [TARGET], range_in=18, hidden=True).p_draw == 1


def test_scout_page_11__helps_a_friend_and_not_itself() -> None:
    armed = vehicle(at(8, 10), keywords={"scout": True})
    assert p_kill_turn([armed], TARGET, range_in=18) == SIX
    # Two help each other: the first fires for two actions, and then the second has one left, and no scout.
    assert p_kill_turn([armed, armed], vehicle(HARMLESS, armor=9, hp=20), range_in=18) == pytest.approx(
        28 / 36 * 28 / 36
    )


def test_scout_page_11__has_two_actions_and_so_helps_twice() -> None:
    target = vehicle(HARMLESS, armor=9, hp=30)
    assert p_kill_turn([GUN, GUN, GUN, SCOUT], target, range_in=18) == pytest.approx((28 / 36) ** 2 * 7 / 36)
    assert p_kill_turn([GUN, GUN, GUN, SCOUT, SCOUT], target, range_in=18) == pytest.approx((28 / 36) ** 3)


@pytest.mark.parametrize("policy", list(policies.POLICIES))
def test_scout_page_11__the_bonus_lasts_to_the_end_of_the_turn(policy: str) -> None:
    """AA-43: three actions are two attacks of one friend on one enemy."""
    twice = vehicle(at(8, 10), keywords={"rapid_fire": True})
    target = vehicle(HARMLESS, armor=9, hp=20)
    found = p_kill_turn([twice, SCOUT], target, range_in=18, actions=3, policy_a=policy)
    assert found == pytest.approx((28 / 36) ** 2)
    # Against that enemy alone: another one is scouted anew, for an action that isn't there.
    pair = [vehicle(HARMLESS, armor=9, hp=10), vehicle(HARMLESS, armor=9, hp=10)]
    given: dict[str, Any] = {"range_in": 18, "rounds": 1, "policy_a": policy}
    assert fight([twice, SCOUT], pair, actions=3, **given).p_a == pytest.approx(28 / 36 * 7 / 36)
    assert fight([twice, SCOUT], pair, actions=4, **given).p_a == pytest.approx((28 / 36) ** 2)


@pytest.mark.slow
def test_scout_page_11__helps_nobody_under_a_limit_that_has_no_action_for_it() -> None:
    gun = vehicle(at(8, 10), keywords={"rapid_fire": True})
    alone, scouted = ([gun], [gun, SCOUT])
    terms: dict[str, Any] = {"range_in": 18, "actions": 1, "rounds": 1}
    assert fight(scouted, [TARGET], **terms).p_a == fight(alone, [TARGET], **terms).p_a == SIX
    rolled = fight(scouted, [TARGET], **terms, simulate=10_000)
    assert abs(rolled.p_a - 7 / 36) < 5 * (7 / 36 * 29 / 36 / 10_000) ** 0.5


def test_scout_page_11__that_is_gone_helps_nobody() -> None:
    # b destroys the scout in its turn, if it is there to do it; after that it is 6+.
    shooter, scout = vehicle(at(8, 10), hp=99, armor=101), vehicle(NO_WEAPON, hp=10, keywords={"scout": True})
    found = fight([shooter, scout], [vehicle(sure(10), armor=9, hp=10)], rounds=2)
    assert found.p_a == pytest.approx(1 - (1 - 28 / 36) * (1 - 7 / 36))


def test_battle__is_over_once_the_scout_is_gone_with_whom_alone_one_could_be_hurt() -> None:
    # Range and penetration add up to 7 from 24 inches, and to 5 with the scout; b hits on 4+, and the scout alone.
    gun, scout = vehicle(at(9, 10), armor=101), vehicle(NO_WEAPON, hp=10, keywords={"scout": True})
    found = fight([gun, scout], [vehicle(at(99, 10), armor=9, hp=10)], {"resolution": "sum"}, range_in=24)
    p, q = 14 / 36, 21 / 36
    assert found.p_a == pytest.approx(p / (1 - (1 - p) * (1 - q)))
    assert found.p_draw == pytest.approx(1 - found.p_a)
    # And before it begins, if the limit has no action for the scout.
    assert fight([gun, scout], [TARGET], {"resolution": "sum"}, range_in=24, actions=1).player_turns == 0


# --- indirect fire ----------------------------------------------------------------------------------------------

SHELL = he(10, 0, gun="main")
HOWITZER = vehicle(SHELL, keywords={"indirect": 48})


def test_indirect_page_15__is_set_up_for_a_turn_and_then_hits() -> None:
    target = vehicle(HARMLESS, armor=0, hp=20)
    found = fight([HOWITZER], [target], range_in=36)
    assert (found.p_a, found.player_turns) == (pytest.approx(1), pytest.approx(5))
    # p. 10: a medium target adds 1, so that a direct shot from 36 inches needs 5+; then nobody would set up.
    assert fight([HOWITZER], [target], range_in=36, set_up=True).player_turns == pytest.approx(3)


def test_indirect_page_15__setting_up_takes_all_actions_of_the_pool() -> None:
    """AA-32."""
    target = vehicle(HARMLESS, armor=0, hp=20)
    # With one action a turn it can't, and fires directly.
    found = fight([HOWITZER], [target], range_in=36, actions=1)
    assert found.player_turns == pytest.approx(2 * 2 / (14 / 36) - 1)
    # Two actions set up the one or let the other fire, first come first served; later both fire.
    gun = vehicle(at(99, 10))
    given: dict[str, Any] = {"range_in": 36, "rounds": 1, "policy_a": "list_order"}
    one = vehicle(HARMLESS, armor=0, hp=10)
    assert fight([HOWITZER, gun], [one], actions=2, **given).p_a == 0
    assert fight([HOWITZER, gun], [one], actions=3, **given).p_a == SIX
    assert fight([gun, HOWITZER], [one], actions=2, **given).p_a == pytest.approx(1 - 29 / 36 * 22 / 36)


def test_indirect_page_15__is_not_set_up_where_direct_fire_does_more() -> None:
    # As in a duel: what hits for certain at 6 inches needs no set-up, nor does a gun that does more by other shells.
    target = vehicle(HARMLESS, armor=0, hp=20)
    assert fight([HOWITZER], [target], range_in=6).player_turns == 3
    both = vehicle(at(99, 20, gun="main"), SHELL, keywords={"indirect": 48})
    assert fight([both], [target], range_in=18).player_turns == pytest.approx(2 * 36 / 28 - 1)


def test_indirect_page_15__needs_the_crew_of_a_gun_and_not_its_action() -> None:
    gun = field_gun(SHELL, keywords={"indirect": 48})
    target = vehicle(HARMLESS, armor=0, hp=20)
    for variant in ({}, {"gun_fire_uses_crew_action": True}):
        assert fight([gun, squad()], [target], variant, range_in=36).player_turns == pytest.approx(5)


# --- grenades ---------------------------------------------------------------------------------------------------


def test_grenade_page_18__each_is_thrown_once_and_in_place_of_the_attack() -> None:
    # D6-2 kills 5/3 of six men on the mean, a rifle's single kill for certain 1: two grenades, then two kills.
    throwers = squad(ai("1"), equipment={"grenades": 2})
    b = [squad(NO_WEAPON, strength=6, requisition=5), vehicle(HARMLESS, hp=99, requisition=7)]
    a = [throwers, vehicle(sure(1), hp=99)]
    found = fight(a, b, mode="timed", rounds=4, policy_a="focus")
    # Gone if the two grenades kill four or more: of 36 throws 4+0, 0+4 with two ways of nothing each, and so on.
    killed = [max(0, face - 2) for face in range(1, 7)]
    gone = sum(x + y >= 4 for x in killed for y in killed) / 36
    assert found.value_b == pytest.approx(7 + 5 * (1 - gone))
    assert fight(a, b, mode="timed", rounds=4, policy_a="focus", range_in=7).value_b == 12


# --- against duels ----------------------------------------------------------------------------------------------

PAIRS = [
    (vehicle(he(14, 1, gun="m"), at(7, 5, gun="m"), keywords={"indirect": 48}), vehicle(at(7, 6), armor=8)),
    (field_gun(he(14, 1), keywords={"indirect": 24, "support": True}), field_gun(at(9, 4), armor=0)),
]


@pytest.mark.parametrize("pair", PAIRS, ids=["howitzer", "field guns"])
@pytest.mark.parametrize("rounds", [None, 4])
def test_battle__of_one_on_each_side_sets_up_as_the_duel(pair: tuple[Any, Any], rounds: int | None) -> None:
    for range_in in (6, 18, 30):
        duel = GAME.duel(*pair, range_in=range_in, rounds=rounds)
        found = GAME.battle([pair[0]], [pair[1]], range_in=range_in, actions=9, rounds=rounds, policy_a="list_order")
        assert (found.p_a, found.p_b) == pytest.approx((duel.p_a, duel.p_b), abs=1e-12)
