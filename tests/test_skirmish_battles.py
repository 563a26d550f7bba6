"""Battles of Skirmish Wars: by hand, against duels, exact against rolled against dice thrown literally."""

from __future__ import annotations

import itertools
import json
import tomllib
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from odds import SIGMAS
from rollers.skirmish_wars_battle import Sitting

import aabalance as aab
from aabalance.cli import main
from aabalance.definitions.settings import situation_mix
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.lanes import rolls
from aabalance.errors import UsageError
from aabalance.files import data_folder
from aabalance.rulesets.base import ANNIHILATION, TIMED
from aabalance.rulesets.skirmish_wars import shot

pytestmark = pytest.mark.slow

GAME = aab.Game("skirmish_wars")
TABLES = tomllib.loads((data_folder("unitdb") / "skirmish_wars/units.toml").read_text(encoding="utf-8"))
UNITS = tuple(TABLES)
POLICIES = (("list_order", "value"), ("value", "focus"), ("focus", "list_order"))
"""Each on either side, and no more: every pair is compiled by itself."""
TERRAINS = ("hill_hq", "city", "forest", "grass", "road_river")


def unit(full: int = 0, reduced: int = 0, defense: int = 4, cost: int = 7, reach: tuple[int, int] = (1, 1)) -> Any:
    """A tread unit with so much firepower against its like."""
    power = {"foot": 0, "wheel": 0}
    return GAME.ruleset.Card.model_validate(
        {
            **TABLES["tank"],
            "name": f"{full}/{reduced} {defense}",
            "cost": cost,
            "defense": defense,
            "range": dict(zip(("min", "max"), reach, strict=True)),
            "firepower": {**power, "tread": full},
            "reduced": {**power, "tread": reduced},
        }
    )


# On grass, initial damage 8 or more destroys for certain unless it is 8 itself, -1 is a hit on a 2 or less, 3 is three
# hits and another on a 1; below -3 nothing happens.
SURE, WEAK, NEVER = 13, 3, 0


def fight(a: list[Any], b: list[Any], **given: Any) -> aab.BattleResult:
    return GAME.battle(a, b, **{"range_in": 1, "first": "a", **given})


# --- by hand ----------------------------------------------------------------------------------------------------


def test_battle__whoever_is_struck_back_may_fall_in_its_own_turn() -> None:
    """A third to destroy a unit of one hit point, which else destroys whoever struck it; the next one tries."""
    weak, strong = unit(WEAK, WEAK, cost=9), unit(SURE, SURE)
    one = fight([weak], [strong], target_hp=1)
    assert (one.p_a, one.p_b, one.player_turns) == (pytest.approx(1 / 3), pytest.approx(2 / 3), 1)
    two = fight([weak] * 2, [strong], target_hp=1)
    assert (two.p_a, two.p_b, two.player_turns) == (pytest.approx(5 / 9), pytest.approx(4 / 9), 1)
    # Both are left after a third of the battles, one after two ninths.
    assert two.value_a == pytest.approx(9 * (2 / 3 + 2 / 9))
    assert two.value_b == pytest.approx(7 * 4 / 9)
    assert fight([weak] * 2, [strong], target_hp=1, first="b").p_a == pytest.approx(1 / 3)


def test_battle__an_answer_is_at_the_strength_that_is_left() -> None:
    """Three hits leave 5 of 8, which answer for certain; a fourth, one in six, a reduced unit that can't hurt."""
    striker, target = unit(7, 7), unit(SURE, NEVER)
    found = fight([striker], [target])
    assert (found.p_a, found.p_b) == (pytest.approx(1 / 6), pytest.approx(5 / 6))


def test_battle__a_unit_answers_every_strike() -> None:
    """Three hits at most, of eight: all three strike in one turn, and all three fall in it."""
    found = fight([unit(WEAK, WEAK)] * 3, [unit(SURE, SURE)])
    assert (found.p_b, found.player_turns, found.value_a) == (1, 1, 0)


def test_battle__is_told_and_credited_with_its_answers() -> None:
    """Three hits at most, of eight: b destroys all three in a's turn, by striking back."""
    found = fight([unit(WEAK, WEAK)] * 3, [unit(SURE, SURE)])
    told = found.explain().splitlines()
    assert [line for line in told if line.startswith("turn")] == ["turn 1, a"]
    assert sum("strikes back with direct fire" in line and "(8 of 8 left" in line for line in told) == 3
    assert found.units["kills"].tolist() == [0, 0, 0, 3]
    assert found.timeline["requisition_left_a"].tolist() == [21, 0]


def test_battle__says_what_units_cost_in_the_games_own_word() -> None:
    told = repr(GAME.battle(["med_tank"], ["mech", "mech"], range_in=1))
    assert "cost left" in told
    assert "requisition" not in told


def test_battle__nobody_answers_out_of_its_range() -> None:
    guns, target = unit(SURE, SURE, reach=(2, 3)), unit(SURE, SURE)
    far = fight([guns], [target] * 2, range_in=2)
    assert (far.p_a, far.player_turns) == (1, 3)
    # Nor is it struck, and so has nothing to answer, by guns that don't reach: in its own turn it destroys one.
    near = fight([guns], [target], range_in=1)
    assert (near.p_b, near.player_turns) == (1, 2)


def test_battle__each_unit_strikes_once_a_turn_and_all_do() -> None:
    killer, target = unit(SURE, SURE), unit(NEVER, NEVER)
    assert fight([killer], [target] * 3).player_turns == 5
    found = fight([killer] * 2, [target] * 3)
    assert (found.player_turns, found.actions) == (3, (2, 3))
    # A limit is a house rule.
    assert fight([killer] * 2, [target] * 3, actions=1).player_turns == 5


def test_battle__without_any_unit_a_side_has_lost_and_unarmed_ones_count() -> None:
    killer, apc = unit(SURE, SURE), GAME.cards["apc"]
    assert (fight([killer], [apc] * 2).p_a, fight([killer], [apc] * 2).player_turns) == (1, 3)
    idle = fight([apc], [apc, apc])
    assert (idle.p_draw, idle.player_turns, idle.value_b) == (1, 0, 10)
    assert fight([apc], [apc, apc], mode="timed", rounds=4).p_b == 1


def test_battle__timed_goes_by_the_printed_cost_of_what_is_left() -> None:
    """One strike each: a destroys a unit of 7 and is left with 9, b with 8 of its 15."""
    killer, bystander, dear = unit(SURE, SURE, cost=9), unit(NEVER, NEVER, cost=7), unit(NEVER, NEVER, cost=8)
    found = fight([killer], [bystander, dear], mode="timed", rounds=1, policy_a="list_order")
    assert (found.p_a, found.value_a, found.value_b) == (1, 9, 8)
    assert fight([killer], [bystander, dear, dear], mode="timed", rounds=1, policy_a="list_order").p_b == 1


def test_battle__starts_with_the_hit_points_of_the_situation() -> None:
    """A reduced unit that was repaired strikes at full strength, or as a reduced one [S-4]."""
    a, b = unit(SURE, NEVER), unit(NEVER, NEVER)
    assert fight([a], [b], own_hp=4).p_draw == 1
    assert fight([a], [b], own_hp=5, own_repaired=True).p_a == 1
    kept = aab.Game("skirmish_wars", variant={"unreduce_on_repair": False})
    assert kept.battle([a], [b], range_in=1, own_repaired=True).p_draw == 1


def test_thrown__is_the_distribution_of_every_cell() -> None:
    for damage, terrain in itertools.product(range(-4, 15), TERRAINS):
        cell = shot.cell(damage, terrain)
        assert sorted(shot.thrown(cell)) == [cell.hits] * (6 - cell.die) + [cell.hits + 1] * cell.die
        more = Fraction(cell.die, 6)
        wanted = {cell.hits: 1 - more, cell.hits + 1: more}
        assert shot.hits(cell) == {hits: chance for hits, chance in wanted.items() if chance}


# --- against duels ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("range_in", [1, 2, 3])
@pytest.mark.parametrize(
    ("terrain", "own_terrain"), [("grass", "grass"), ("city", "forest"), ("hill_hq", "road_river")]
)
def test_battle__of_one_on_each_side_is_the_duel(range_in: int, terrain: str, own_terrain: str) -> None:
    """To the end and with a limit: who can't hurt its enemy doesn't strike, and isn't struck back."""
    for a, b in itertools.combinations_with_replacement(UNITS, 2):
        at = {"range_in": range_in, "terrain": terrain, "own_terrain": own_terrain}
        for limit in ({}, {"rounds": 1, "first": "a"}, {"rounds": 2, "first": "b"}):
            duel, found = GAME.duel(a, b, **at, **limit), GAME.battle([a], [b], **at, **limit)
            assert (found.p_a, found.p_b, found.p_draw) == pytest.approx((duel.p_a, duel.p_b, duel.p_draw), abs=1e-12)
            if duel.p_draw == 0:
                assert found.player_turns == pytest.approx(duel.player_turns, abs=1e-12)


# --- exact, rolled, thrown --------------------------------------------------------------------------------------

THROWN, ROLLED = 3000, 40_000


Drawn = tuple[tuple[list[str], list[str]], dict[str, Any]]
"""Lists and terms by chance."""


def drawn(rng: Random, most: int) -> Drawn:
    range_in = rng.choice([1, 1, 1, 2, 3])
    fit = [name for name in UNITS if TABLES[name]["range"]["min"] <= range_in <= TABLES[name]["range"]["max"]]

    def units() -> list[str]:
        # Not all of them reach the enemy.
        return [rng.choice(fit if rng.random() < 0.8 else UNITS) for _ in range(rng.randint(1, most))]

    timed = rng.random() < 0.4
    given = {
        "range_in": range_in,
        "terrain": rng.choice(TERRAINS),
        "own_terrain": rng.choice(TERRAINS),
        **dict(zip(("policy_a", "policy_b"), rng.choice(POLICIES), strict=True)),
        "mode": "timed" if timed else "annihilation",
        "rounds": rng.randint(1, 4) if timed else rng.choice([None, 3]),
        "actions": rng.choice([None, None, 1, 2]),
        "own_hp": rng.choice([8, 8, 5, 3]),
        "target_hp": rng.choice([8, 8, 6]),
    }
    first = units()
    return (first, first if timed and rng.random() < 0.4 else units()), given


@cache
def solved(seed: int) -> tuple[Drawn, aab.BattleResult]:
    """Return a battle by chance that either may win, and its exact solution; every third as it comes."""
    rng = Random(seed)
    while True:
        lists, given = drawn(rng, 3)
        found = GAME.battle(*lists, **given)
        if seed % 3 == 0 or (0.05 < found.p_a < 0.95 and max(map(len, lists)) > 1):
            return (lists, given), found


def off(found: list[tuple[float, float]], mean: float, n: float, most: float = 1) -> float:
    """How many standard errors the mean of some values, given with their numbers, is from what it should be."""
    seen = sum(value * count for value, count in found) / n
    spread = sum((value - seen) ** 2 * count for value, count in found) / n
    # What is seen of a rare survivor, or not at all, says little of how far the mean may be off.
    rare = most * (mean if mean < most / 100 else 0 if spread else abs(seen - mean))
    return abs(seen - mean) / sqrt(max(spread, rare, 1e-9) / n)


def thrown(lists: tuple[list[str], list[str]], given: dict[str, Any], seed: int) -> list[tuple[str, int, int, int]]:
    sitting = Sitting(
        tuple([TABLES[name] for name in side] for side in lists),
        given,
        (given["policy_a"], given["policy_b"]),
        given["rounds"],
        given["mode"] == "timed",
        given["actions"],
    )
    rng = Random(seed)
    return [sitting.fight(rng, "roll_off") for _ in range(THROWN)]


def fits(
    thrown_ones: list[tuple[str, int, int, int]], expected: aab.BattleResult, lists: Any, widen: float = 1
) -> None:
    for who, p in (("a", expected.p_a), ("b", expected.p_b), ("draw", expected.p_draw)):
        seen = sum(winner == who for winner, *_ in thrown_ones)
        assert abs(seen - THROWN * p) < SIGMAS * widen * sqrt(THROWN * max(p * (1 - p), 0)) + 1e-6, (who, seen, p)
    worth = [sum(TABLES[name]["cost"] for name in side) for side in lists]
    assert expected.player_turns is not None
    for column, mean, most in (
        (1, expected.player_turns, 1),
        (2, expected.value_a, worth[0]),
        (3, expected.value_b, worth[1]),
    ):
        assert off([(one[column], 1) for one in thrown_ones], mean, THROWN, most) < SIGMAS * widen, (column, mean)


@pytest.mark.parametrize("seed", range(24))
def test_battle__agrees_with_thrown_dice(seed: int) -> None:
    (lists, given), exact = solved(seed)
    fits(thrown(lists, given, seed), exact, lists)


@pytest.mark.parametrize("seed", range(24))
def test_battle__rolled_agrees_with_the_exact_solution(seed: int) -> None:
    (lists, given), exact = solved(seed)
    rolled = GAME.battle(*lists, **given, simulate=ROLLED, seed=seed)
    for name in ("p_a", "p_b", "p_draw"):
        p = getattr(exact, name)
        assert abs(getattr(rolled, name) - p) <= SIGMAS * sqrt(max(p * (1 - p), 0) / ROLLED) + 1e-9, name
    for name, side in (("value_a", lists[0]), ("value_b", lists[1])):
        mean, most = getattr(exact, name), sum(TABLES[of]["cost"] for of in side)
        # Of all that lies between nothing and the most, these two alone spread widest.
        assert abs(getattr(rolled, name) - mean) <= SIGMAS * sqrt(max(mean * (most - mean), 0) / ROLLED) + 1e-9, name
    assert rolled.player_turns == pytest.approx(exact.player_turns, rel=0.05)


@pytest.mark.parametrize("seed", range(4))
def test_battle__too_large_to_be_solved_is_rolled_and_agrees_with_thrown_dice(seed: int) -> None:
    (lists, given), _ = solved(3 * seed + 1)
    lists = lists[0] * 3 + ["infantry", "mech"], lists[1] * 3 + ["recon", "tank"]
    rolled = GAME.battle(*lists, **given, simulate=ROLLED, seed=seed)
    # What was rolled has an error of its own.
    fits(thrown(lists, given, seed), rolled, lists, widen=sqrt(1 + THROWN / ROLLED))


def test_solved__meets_what_is_to_agree() -> None:
    terms = [given for (_, given), _ in map(solved, range(24))]
    for name, values in (("mode", (ANNIHILATION, TIMED)), ("range_in", (1, 2, 3))):
        assert {given[name] for given in terms} == set(values)
    assert {(given["policy_a"], given["policy_b"]) for given in terms} == set(POLICIES)
    assert (
        {given["actions"] is None for given in terms} == {given["rounds"] is None for given in terms} == {True, False}
    )
    assert all(found.engine == "exact" for _, found in map(solved, range(24)))


@pytest.mark.parametrize("seed", range(30))
def test_battle__of_any_lists_has_an_end(seed: int) -> None:
    rng = Random(1000 + seed)
    lists = [[rng.choice(UNITS) for _ in range(rng.choice([1, 2, 3, 9, 16]))] for _ in range(2)]
    given = drawn(rng, 1)[1] | {"first": rng.choice(["a", "b", "roll_off"])}
    small = sum(map(len, lists)) <= 4
    found = GAME.battle(*lists, **given, simulate=None if small else 500)
    assert found.p_a + found.p_b + found.p_draw == pytest.approx(1)
    for value, side in zip((found.value_a, found.value_b), lists, strict=True):
        assert 0 <= value <= sum(TABLES[name]["cost"] for name in side) + 1e-9


def test_battle__mirrored_lists_with_roll_off_are_even() -> None:
    line = ["tank", "mech", "recon"]
    found = GAME.battle(line, line, range_in=1)
    assert found.engine == "exact"
    assert found.p_a == pytest.approx(found.p_b)
    assert found.first_turn_gap > 0


def test_rolls__counts_are_the_same_however_trials_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [GAME.cards[name] for name in ("tank", "mech", "infantry", "anti_air")]
    forces = GAME.ruleset.forces((cards, cards[::-1]), situation_mix(GAME.situation, "front"), 1, GAME.variant)
    rolled = Battle(forces, Terms((4, 4), ("value", "focus"))).rolls(0)

    def counts(*parts: tuple[int, int]) -> list[int]:
        runs = np.array([[0, 7, first, trials, 50] for first, trials in parts], dtype=np.uint64)
        return rolled.roll(runs).sum(axis=0).tolist()

    whole = counts((0, 900))
    assert whole == counts((0, 1), (1, 400), (401, 499))
    monkeypatch.setattr(rolls, "LANES", 64)
    assert whole == counts((0, 900))


# --- what is offered --------------------------------------------------------------------------------------------


def test_battle_command__says_the_same_as_python() -> None:
    words = ["battle", "tank*2,mech", "med_tank,infantry*2", "--game", "skirmish_wars", "--range", "1"]
    words += ["--with", "terrain=city"]
    said = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)
    found = GAME.battle(["tank", "tank", "mech"], ["med_tank", "infantry", "infantry"], range_in=1, terrain="city")
    assert said == json.loads(json.dumps(found.to_dict()))
    assert said["actions"] == [3, 3]
    plain = CliRunner().invoke(main, [*words, "--actions", "2", "--mode", "timed", "--rounds", "8"]).output
    assert "timed, 8 rounds, 2 actions a turn" in plain
    wrong = CliRunner().invoke(main, [*words, "--actions", "x"])
    assert (wrong.exit_code, wrong.output.count("\n")) == (2, 1)


def test_battles__need_no_limit_where_the_rules_have_none() -> None:
    table = aab.battles(GAME, [("tank*2", "mech*3")], situations=[{"range_in": 1}], policies=["value"])
    found = GAME.battle("tank*2", "mech*3", range_in=1)
    assert table[["p_a", "value_b", "actions_a", "actions_b"]].to_numpy().tolist() == [[found.p_a, found.value_b, 2, 3]]


def test_battle__has_no_faces_to_be_shot_at() -> None:
    with pytest.raises(UsageError, match="situation: found 'facing'"):
        fight(["tank"], ["tank"], facing="side")
