"""Battles exact, rolled by the kernel and thrown literally: three ways that share no code, and one outcome."""

from __future__ import annotations

from fractions import Fraction as F
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from handmade import RIFLES, ai, at, field_gun, he, squad, vehicle
from odds import SIGMAS, TIMES
from rollers.armored_advance_battle import Sitting

import aabalance as aab
from aabalance.engine.battle import policies
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.errors import UsageError

pytestmark = pytest.mark.slow

GAME = aab.Game()

# --- against thrown dice ----------------------------------------------------------------------------------------

BATTLES = 1500 * TIMES


def thrown(a: list[Any], b: list[Any], seed: int, **given: Any) -> None:
    """The exact solution fits battles that are played with dice."""
    exact = aab.Game(variant=given.get("variant")).battle(
        a, b, mode="timed" if given.get("timed") else "annihilation",
        policy_a=given["policies"][0], policy_b=given["policies"][1],
        **{name: given[name] for name in ("range_in", "actions", "rounds", "facing") if name in given},
    )  # fmt: skip
    cards = tuple([unit.model_dump(by_alias=True, exclude_none=True) for unit in side] for side in (a, b))
    sitting = Sitting(cards, **given)
    rng = Random(seed)
    found = [sitting.fight(rng, "roll_off") for _ in range(BATTLES)]
    for who, p in (("a", exact.p_a), ("b", exact.p_b), ("draw", exact.p_draw)):
        seen = sum(winner == who for winner, *_ in found)
        assert abs(seen - BATTLES * p) < SIGMAS * sqrt(BATTLES * max(p * (1 - p), 0)) + 1e-6, (who, seen, p)
    worth = [sum(unit.requisition for unit in side) for side in (a, b)]
    for column, mean, most in ((1, exact.player_turns, 1), (2, exact.value_a, worth[0]), (3, exact.value_b, worth[1])):
        values = [one[column] for one in found]
        average = sum(values) / BATTLES
        spread = sum((value - average) ** 2 for value in values) / BATTLES
        # What is seen of a rare survivor, or not at all, says little of how far the mean may be off.
        rare = most * (mean if mean < most / 100 else 0 if spread else abs(average - mean))
        assert abs(average - mean) < SIGMAS * sqrt(max(spread, rare) / BATTLES) + 1e-9, (column, average, mean)


def drawn(rng: Random) -> Any:
    """A card by chance."""
    keywords = rng.choice([{}, {}, {"rapid_fire": True}, {"long_reload": True}, {"accurate": True}, {"autocannon": 3}])
    keywords = {**keywords, **rng.choice([{}, {"weak_spot": True}])}
    guns = [at(rng.randint(7, 12), rng.randint(4, 12))]
    guns += rng.choice([[], [he(18, 2, range=20)], [at(7, 3, gun="second"), he(12, 1, gun="second")]])
    armor = rng.randint(7, 10), rng.randint(5, 8), rng.randint(4, 6)
    make = rng.choice([vehicle, vehicle, vehicle, field_gun])
    points = rng.randint(2, 12) * 10
    return make(*guns, armor=armor, hp=rng.randint(8, 30), requisition=points, keywords=keywords)


@pytest.mark.parametrize("seed", range(24))
def test_battle__agrees_with_thrown_dice(seed: int) -> None:
    rng = Random(seed)
    sides = [[drawn(rng) for _ in range(rng.randint(1, 2))] for _ in range(2)]
    timed = rng.random() < 0.4
    if timed and rng.random() < 0.5:
        sides[1] = list(sides[0])
    given: dict[str, Any] = {
        "range_in": rng.choice([6, 14, 18, 24]),
        "actions": (rng.randint(1, 5), rng.randint(1, 5)),
        "policies": (rng.choice(list(policies.POLICIES)), rng.choice(list(policies.POLICIES))),
        "timed": timed,
        "rounds": rng.randint(1, 4) if timed else rng.choice([None, 5]),
    }
    if rng.random() < 0.3:
        given["facing"] = {"front": 0.65, "side": 0.3, "rear": 0.05}
    thrown(*sides, seed=seed, **given)


def test_battle__with_squads_agrees_with_thrown_dice() -> None:
    rifles = squad(requisition=10)
    a = [vehicle(at(9, 10), ai("D3-1"), requisition=50), rifles]
    b = [rifles, vehicle(at(10, 8), requisition=60), rifles]
    thrown(a, b, seed=1, range_in=12, actions=(2, 1), policies=("value", "list_order"))
    thrown(a, b, seed=2, range_in=12, actions=(1, 3), policies=("focus", "value"), timed=True, rounds=3)


def needy(rng: Random) -> list[Any]:
    """A list by chance whose units need each other, or take time: crews and guns, scouts and friends, howitzers."""

    def some(most: int, *ways: dict[str, Any]) -> dict[str, Any]:
        keywords = {name: value for way in ways for name, value in way.items()}
        return {"hp": rng.randint(6, most), "requisition": rng.randint(2, 12) * 10, "keywords": keywords}

    def gun() -> Any:
        how = rng.choice([{}, {"rapid_fire": True}, {"accurate": True}])
        return field_gun(at(rng.randint(7, 11), rng.randint(5, 9)), armor=(rng.randint(0, 1), 0, 0), **some(16, how))

    def howitzer() -> Any:
        shells = at(rng.randint(7, 9), rng.randint(4, 9), gun="m"), he(rng.randint(12, 20), rng.randint(1, 2), gun="m")
        make, how = rng.choice([vehicle, field_gun]), rng.choice([{}, {"support": True}])
        return make(*shells, armor=(rng.randint(0, 8), 2, 2), **some(16, {"indirect": 48}, how))

    def tank() -> Any:
        how = rng.choice([{}, {"rapid_fire": True}, {"long_reload": True}, {"accurate": True}])
        return vehicle(
            at(rng.randint(7, 11), rng.randint(5, 9)), ai(), armor=(rng.randint(7, 9), 6, 5), **some(16, how)
        )

    def scout() -> Any:
        return vehicle(at(rng.randint(5, 8), 3), armor=(rng.randint(4, 8), 5, 4), **some(12, {"scout": True}))

    def rifles() -> Any:
        return squad(RIFLES, strength=rng.randint(1, 4), requisition=40, equipment={"grenades": rng.randint(0, 2)})

    def crew() -> Any:
        return squad(ai("1", range=1), strength=3, squad="artillery_crew", requisition=30)

    together = [
        [gun, rifles],
        [gun, crew],
        [gun, gun, rifles],
        [howitzer],
        [howitzer, scout],
        [tank, scout],
        [gun, scout, rifles],
        [tank, rifles],
    ]
    made = [make() for make in rng.choice(together)]
    return rng.sample(made, len(made))


def agreed_on(rng: Random, sides: list[list[Any]]) -> dict[str, Any]:
    """What is agreed on by chance before a battle of such lists."""
    timed = rng.random() < 0.5
    variant = {
        "scout_costs_action": rng.random() < 0.7,
        "gun_fire_uses_crew_action": rng.random() < 0.4,
        # Without, a list needs a vehicle.
        "annihilation_counts_guns": rng.random() < 0.5
        or not all(any(unit.class_ == "vehicle" for unit in side) for side in sides),
    }
    return {
        "range_in": rng.choice([6, 12, 18, 24]),
        "actions": (rng.randint(1, 5), rng.randint(1, 5)),
        "policies": (rng.choice(list(policies.POLICIES)), rng.choice(list(policies.POLICIES))),
        "timed": timed,
        "rounds": rng.randint(1, 5) if timed else rng.choice([None, 6]),
        "facing": rng.choice([None, {"front": 0.65, "side": 0.3, "rear": 0.05}]) or {"front": 1},
        "variant": variant,
    }


@pytest.mark.parametrize("seed", range(36))
def test_battle__of_units_that_need_each_other_agrees_with_thrown_dice(seed: int) -> None:
    rng = Random(seed)
    sides = [needy(rng) for _ in range(2)]
    thrown(*sides, seed=seed, **agreed_on(rng, sides))


# --- rolled -----------------------------------------------------------------------------------------------------

MIXED_A = "de_tiger1,de_pz2f,de_pak40,de_hetzer,de_puma,de_nashorn,de_wirbelwind,de_stuh42"
MIXED_B = "su_t34_85,su_is2,su_t70,su_zis3,su_kv1_41,su_su152,su_ba64,su_su100"
ROLLED = 40_000


@pytest.mark.parametrize("seed", range(20))
def test_battle__rolled_agrees_with_the_exact_solution(seed: int) -> None:
    rng = Random(seed)
    sides = [[drawn(rng) for _ in range(rng.randint(1, 3))] for _ in range(2)]
    timed = rng.random() < 0.4
    if timed and rng.random() < 0.5:
        sides[1] = list(sides[0])
    a, b = sides
    given: dict[str, Any] = {
        "range_in": rng.choice([6, 14, 18, 24]),
        "actions": (rng.randint(1, 5), rng.randint(1, 5)),
        "policy_a": rng.choice(list(policies.POLICIES)),
        "policy_b": rng.choice(list(policies.POLICIES)),
        "mode": "timed" if timed else "annihilation",
        "rounds": rng.randint(1, 4) if timed else rng.choice([None, 5]),
        "first": rng.choice(["a", "b", "roll_off"]),
        "facing": rng.choice(["front", {"front": 0.65, "side": 0.3, "rear": 0.05}]),
    }
    exact = GAME.battle(a, b, **given)
    rolled = GAME.battle(a, b, **given, simulate=ROLLED, seed=seed)
    for name in ("p_a", "p_b", "p_draw"):
        p = getattr(exact, name)
        # Half of the trials have either order, which leaves less to chance than one throw each.
        assert abs(getattr(rolled, name) - p) <= SIGMAS * sqrt(max(p * (1 - p), 0) / ROLLED) + 1e-9, name
    for name, side in (("value_a", a), ("value_b", b)):
        mean, most = getattr(exact, name), sum(unit.requisition for unit in side)
        # Of all that lies between nothing and the most, these two alone spread widest.
        spread = sqrt(max(mean * (most - mean), 0) / ROLLED)
        assert abs(getattr(rolled, name) - mean) <= SIGMAS * spread + 1e-9, name
    assert rolled.player_turns == pytest.approx(exact.player_turns, rel=0.05)
    assert rolled.p_a_ci[0] <= rolled.p_a <= rolled.p_a_ci[1]


@pytest.mark.parametrize("seed", range(36, 48))
def test_battle__of_units_that_need_each_other_rolled_agrees_with_the_exact_solution(seed: int) -> None:
    rng = Random(seed)
    sides = [needy(rng) for _ in range(2)]
    how = agreed_on(rng, sides)
    game = aab.Game(variant=how.pop("variant"))
    how["mode"] = "timed" if how.pop("timed") else "annihilation"
    how["policy_a"], how["policy_b"] = how.pop("policies")
    exact, rolled = game.battle(*sides, **how), game.battle(*sides, **how, simulate=ROLLED, seed=seed)
    for name in ("p_a", "p_b", "p_draw"):
        p = getattr(exact, name)
        assert abs(getattr(rolled, name) - p) <= SIGMAS * sqrt(max(p * (1 - p), 0) / ROLLED) + 1e-9, name
    for name, side in zip(("value_a", "value_b"), sides, strict=True):
        mean, most = getattr(exact, name), sum(unit.requisition for unit in side)
        assert abs(getattr(rolled, name) - mean) <= SIGMAS * sqrt(max(mean * (most - mean), 0) / ROLLED) + 1e-9, name


def test_battle__rolled_depends_on_the_seed_alone() -> None:
    given: dict[str, Any] = {"range_in": 18, "actions": 3, "simulate": 3001}
    one = GAME.battle(MIXED_A, MIXED_B, **given)
    assert GAME.battle(MIXED_A, MIXED_B, **given) == one
    assert GAME.battle(MIXED_A, MIXED_B, **given, seed=1) != one


def test_rolls__in_parts_are_the_same_rolls() -> None:
    lists = [GAME.card(unit) for unit in MIXED_A.split(",")], [GAME.card(unit) for unit in MIXED_B.split(",")]
    forces = GAME.ruleset.forces(lists, {GAME.situation(): F(1)}, 18, GAME.variant)
    rolls = Battle(forces, Terms((4, 5), ("focus", "value"))).rolls(1)
    whole = rolls.roll(np.array([[0, 7, 0, 1000, 50]], dtype=np.uint64))
    parts = rolls.roll(np.array([[0, 7, 0, 1, 50], [0, 7, 1, 600, 50], [0, 7, 601, 399, 50]], dtype=np.uint64))
    assert parts.sum(axis=0).tolist() == whole[0].tolist()


def test_battle__too_large_to_solve_is_rolled_and_says_so() -> None:
    found = GAME.battle(MIXED_A, MIXED_B, range_in=18, actions=5, first="a")
    assert (found.engine, found.solver) == ("monte_carlo", "too large to be solved")
    assert found.p_a_ci[1] - found.p_a_ci[0] <= 0.01
    assert "too large to be solved" in repr(found)


def test_battle__rolled_mirrored_lists_are_even() -> None:
    found = GAME.battle(MIXED_A, MIXED_A, range_in=18, actions=4, simulate=40_000)
    assert abs(found.p_a - found.p_b) < SIGMAS / sqrt(40_000)


def test_battle__of_more_units_than_can_be_rolled_is_refused_in_one_line() -> None:
    with pytest.raises(UsageError, match=r"^rolled battle: units of list a: found 17, expected at most 16") as error:
        GAME.battle(MIXED_A + ",de_tiger1*9", MIXED_B, range_in=18, actions=5)
    assert "\n" not in str(error.value)


def test_battle__with_squads_rolled_agrees_with_the_exact_solution() -> None:
    rifles = squad(requisition=10)
    a = [vehicle(at(9, 10), ai("D3-1"), requisition=50), rifles]
    b = [rifles, vehicle(at(10, 8), requisition=60), rifles]
    exact = GAME.battle(a, b, range_in=12, actions=(2, 1))
    rolled = GAME.battle(a, b, range_in=12, actions=(2, 1), simulate=ROLLED)
    assert rolled.p_a == pytest.approx(exact.p_a, abs=SIGMAS * 0.5 / sqrt(ROLLED))
    assert rolled.value_b == pytest.approx(exact.value_b, abs=SIGMAS * 40 / sqrt(ROLLED))


# --- the numbers behind -----------------------------------------------------------------------------------------


def solved(a: list[Any], b: list[Any], terms: Terms, in_order: bool) -> tuple[Any, str]:
    forces = GAME.ruleset.forces((a, b), {GAME.situation(): F(1)}, 18, GAME.variant)
    made = Battle(forces, terms, in_order=in_order)
    return made.solve(0), made.solver


@pytest.mark.parametrize("seed", range(20))
def test_battle__in_order_is_the_same_battle(seed: int) -> None:
    rng = Random(seed)
    sides = [[drawn(rng) for _ in range(rng.randint(1, 3))] for _ in range(2)]
    terms = Terms((rng.randint(1, 4), rng.randint(1, 4)), tuple(rng.choices(list(policies.POLICIES), k=2)))
    a, b = sides
    in_order, _ = solved(a, b, terms, in_order=True)
    plain, form = solved(a, b, terms, in_order=False)
    assert form.startswith("reachable states")
    assert in_order == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize("policy", list(policies.FALLS))
def test_battle__of_long_lists_of_equal_units_is_solved_in_order(policy: str) -> None:
    found = GAME.battle("de_tiger1*16", "su_t34_85*16", range_in=12, actions=5, policy_a=policy, policy_b=policy)
    assert found.solver.startswith("chain")
    assert found.p_a + found.p_b == pytest.approx(1)


def test_falls__an_order_that_a_shooter_cannot_keep_is_none() -> None:
    # Ranks of two strikes on two enemies with 10 left, or nothing: the second strike can't hurt the first enemy.
    rank = np.zeros((2, 2, 11), dtype=np.int32)
    rank[0, :, 10] = 1
    rank[1, 1, 10] = 1
    for falls in policies.FALLS.values():
        assert falls(rank, [[10], [10]], [1, 1]) is None
