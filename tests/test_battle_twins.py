"""The twins of the battle kernel, plain and scalar: equal counts, the exact solver's outcomes, and digits by hand."""

from __future__ import annotations

import importlib
import math
import sys
from fractions import Fraction as F
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from handmade import at, vehicle
from odds import SIGMAS

import aabalance as aab
from aabalance.definitions.settings import situation_mix
from aabalance.engine import rng
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.lanes import detail
from aabalance.engine.outcome import BattleTally
from aabalance.rulesets.base import ANNIHILATION, TIMED, Dice, Fighter, Gun, Strike

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
POLICIES = "list_order", "focus", "value"
"""Those that the twins know."""


@pytest.fixture(scope="module")
def bench():
    """The modules of ``benchmarks/``, which no wheel holds."""
    sys.path.insert(0, str(ROOT))
    names = "battle_cases", "battles", "measure", "plain_battles", "scalar_battles"
    try:
        yield type("Bench", (), {name: importlib.import_module(f"benchmarks.{name}") for name in names})
    finally:
        sys.path.remove(str(ROOT))


def plain(bench, *battle: Any) -> list[int]:
    return flat(bench.plain_battles.battles(*battle))


def scalar(bench, *battle: Any) -> list[int]:
    return flat(bench.scalar_battles.battles(*battle))


def flat(counts: Any) -> list[int]:
    a, b = counts.left
    return [*counts.tally, *a, *b, counts.strikes, counts.blocks]


def kernel(bench, forces: Any, terms: Terms, first: int, key: int, at: int, trials: int) -> list[int]:
    rounds = 10_000 if terms.rounds is None else terms.rounds
    runs = np.array([[0, key, at, trials, rounds]], dtype=np.uint64)
    counts: list[int] = Battle(forces, terms).rolls(first).roll(runs)[0].tolist()
    return counts


IMPLEMENTATIONS = [plain, scalar, kernel]
"""What has to count alike, as far as it counts."""


# --- random battles ---------------------------------------------------------------------------------------------

TANKS = "de_pz4h su_t34_85 us_m4a1 de_tiger1 uk_churchill4 de_marder3m us_m18 us_m3_lee fr_b1bis"
SPECIAL = {
    "autocannon": ["de_pz2f", "de_wirbelwind", "uk_bofors"],
    "rapid_fire": ["uk_2pdr", "su_53k", "su_zis2"],
    "long_reload": ["su_is2", "su_su152", "uk_avre", "de_brummbar"],
    "accurate": ["de_tiger2", "de_pak43", "uk_17pdr", "su_zis2"],
    "he": ["de_stuh42", "de_wespe", "us_m8_hmc", "su_su122"],
}
SQUADS = "inf_rifle inf_rifle_mg inf_at_rifle inf_sniper"
FACES = ["front", "front", "mix", {"front": F(1, 3), "rear": F(2, 3)}, {"front": 0.613, "side": 0.387}]
GAME = aab.Game()
GAMES = [GAME, GAME, GAME.with_(variant={"reroll_limit": None}), GAME.with_(variant={"resolution": "two_dice"})]


class Drawn(NamedTuple):
    """A battle by chance, as `aabalance.Game.battle` takes it."""

    game: aab.Game
    lists: tuple[list[str], list[str]]
    first: int
    given: dict[str, Any]

    def packed(self) -> tuple[Any, Terms, int]:
        """The same as the twins take it."""
        lists = [[self.game.card(unit) for unit in units] for units in self.lists]
        given = self.given
        views = situation_mix(self.game.situation, given["facing"], foliage=given["foliage"])
        forces = self.game.ruleset.forces((lists[0], lists[1]), views, given["range_in"], self.game.variant)
        policies = given["policy_a"], given["policy_b"]
        forces = alone(forces[0]), alone(forces[1])
        return forces, Terms(given["actions"], policies, given["rounds"], given["mode"] == TIMED), self.first


def alone(force: Any) -> Any:
    """A side whose units need nobody, prepare nothing and have no grenades, of which the twins know nothing."""

    def plain_strike(unit: Fighter, strike: Strike) -> bool:
        apart = strike.helped_at is not None or strike.gone is not None or strike.prepare or strike.prepared
        return not apart and not unit.guns[strike.gun].once and not any(one.actions for one in strike.helps)

    return tuple(
        unit._replace(strikes=tuple(one._replace(helps=()) for one in unit.strikes if plain_strike(unit, one)))
        for unit in force
    )


def drawn(seed: int, most: int) -> Drawn:
    random = Random(seed)
    # Each feature is met often, whatever the seed.
    feature = list(SPECIAL)[seed % len(SPECIAL)]

    def units() -> list[str]:
        found = random.choices(TANKS.split() + SPECIAL[feature] * 2, k=random.randint(1, most))
        return found + random.choices(SQUADS.split(), k=random.choice([0, 0, 1, 2]) if len(found) < most else 0)

    mode = random.choice([ANNIHILATION, TIMED])
    lists = units(), units()
    if mode == TIMED and random.random() < 0.5:
        lists = lists[0], lists[0]
    given = {
        "range_in": random.choice([6, 12, 20, 24, 36]),
        "actions": (random.randint(1, 6), random.randint(1, 6)),
        "mode": mode,
        "rounds": random.randint(1, 8) if mode == TIMED else random.choice([None, None, 4]),
        "policy_a": random.choice(POLICIES),
        "policy_b": random.choice(POLICIES),
        "facing": random.choice(FACES),
        "foliage": random.choice([0, 0, 1]),
    }
    return Drawn(random.choice(GAMES), lists, random.randint(0, 1), given)


TRIALS = 60


@pytest.mark.parametrize("seeds", range(0, 80, 10))
def test_twins__count_alike(bench, seeds: int) -> None:
    for seed in range(seeds, seeds + 10):
        battle = *drawn(seed, 6).packed(), seed * 0x9E3779B97F4A7C15 % 2**64, 1000 * seed, TRIALS
        expected, *others = (count(bench, *battle) for count in IMPLEMENTATIONS)
        assert sum(expected[:3]) == TRIALS
        for found in others:
            assert found == expected[: len(found)], seed


@pytest.mark.parametrize("seed", range(0, 80, 7))
def test_detail__is_what_the_twin_counts(bench, seed: int) -> None:
    forces, terms, first = drawn(seed, 6).packed()
    battle, rounds = Battle(forces, terms), 10_000 if terms.rounds is None else terms.rounds
    twin = bench.plain_battles.battles(forces, terms, first, seed, 0, TRIALS)
    runs = np.array([[0, seed, 0, TRIALS, rounds]], dtype=np.uint64)
    row = battle.rolls(first, detailed=True).roll(runs)[0]
    found = detail.record(row[len(BattleTally._fields) :], len(forces[0]), len(forces[1]))
    for side in range(2):
        bits = np.arange(len(found.alive[side]))
        alive = [int(found.alive[side][bits >> unit & 1 == 1].sum()) for unit in range(len(forces[side]))]
        # The twin's a is the side that moves first.
        assert alive == twin.left[side ^ first]
        assert found.kills[1 - side].sum(axis=0).tolist() == [TRIALS - left for left in alive]
        assert found.fallen[side].sum(axis=0).tolist() == [TRIALS - left for left in alive]
    assert found.trials == TRIALS
    log = battle.rolls(first).log(seed, rounds)
    assert len(log) == bench.plain_battles.battles(forces, terms, first, seed, 0, 1).strikes


def test_drawn__meets_what_the_twins_are_to_be_equal_in() -> None:
    met = set()
    for seed in range(80):
        found = drawn(seed, 6)
        forces, _, _ = found.packed()
        for unit in (unit for force in forces for unit in force):
            met |= {("free", unit.free)} | {("gun", gun.attacks, gun.reloads) for gun in unit.guns}
            for strike in unit.strikes:
                met |= {("actions", strike.actions), ("weaker", strike.least > 1), ("shares", len(strike.dice[0][0]))}
                met |= {("sequences", dice.sequences) for at, *_ in strike.dice for _, dice in at}
        met |= {(name, str(found.given[name])) for name in ("mode", "policy_a", "policy_b")}
    expected = {("free", True), ("gun", 2, False), ("gun", 1, True), ("actions", 2), ("weaker", True), ("shares", 2)}
    assert met >= expected | {("sequences", 6)} | {(f"policy_{who}", name) for who in "ab" for name in POLICIES}


# --- against the exact solver -----------------------------------------------------------------------------------

BATCHES, BATCH = 40, 1000


@pytest.mark.parametrize("seed", range(100, 114))
def test_twins__agree_with_the_exact_solution(bench, seed: int) -> None:
    found = drawn(seed, 2)
    battle = forces, terms, first = found.packed()
    exact = Battle(forces, terms).solve(first)
    # As the side sees it that moves first.
    turned = found.first == 1
    p = (exact.p_b, exact.p_a, exact.p_draw) if turned else (exact.p_a, exact.p_b, exact.p_draw)
    value = (exact.value_b, exact.value_a) if turned else (exact.value_a, exact.value_b)
    left = (exact.left_b, exact.left_a) if turned else (exact.left_a, exact.left_b)
    turns = exact.player_turns if math.isfinite(exact.player_turns) else math.nan
    means = BattleTally(*p, 0, turns, *value, *left, math.nan)  # no solver knows the squares
    rolled = np.array([scalar(bench, *battle, seed, n * BATCH, BATCH)[: len(means)] for n in range(BATCHES)]) / BATCH
    spread = rolled.std(axis=0, ddof=1) / math.sqrt(BATCHES)
    for name, mean, seen, error in zip(means._fields, means, rolled.mean(axis=0), spread, strict=True):
        # What is rare may not be seen at all.
        rare = 3 * max(mean, 1e-9) / math.sqrt(BATCHES * BATCH)
        assert math.isnan(mean) or abs(seen - mean) < SIGMAS * max(error, rare), (name, mean, seen, error)
    few = plain(bench, *battle, seed, 0, BATCH)
    for count, chance in zip(few, p, strict=False):
        assert abs(count - BATCH * chance) < SIGMAS * math.sqrt(BATCH * max(chance * (1 - chance), 1e-9)) + 1e-6


# --- by hand ----------------------------------------------------------------------------------------------------

KEY = 12345
NEED_OF_FOUR = 15
"""Of 36: three faces in six, and a 3 that is rolled again, are 21."""


def digits(block: int, trial: int, places: int) -> list[int]:
    """Digits of base 36 of a block, as the module `aabalance.engine.rng` describes them."""
    found = []
    for word in rng.philox(np.uint64(KEY), np.uint64(block), np.uint64(trial)):
        fraction = int(word) % 2**58
        for _ in range(4):
            fraction *= 36
            found.append(fraction >> 58)
            fraction %= 2**58
    return found[:places]


def prepared(a: list[Any], b: list[Any], *terms: Any) -> tuple[Any, Terms]:
    return GAME.ruleset.forces((a, b), {GAME.situation(): F(1)}, 24, GAME.variant), Terms(*terms)


@pytest.mark.parametrize("count", IMPLEMENTATIONS)
def test_twins__take_the_digits_of_sequence_strike_and_turn(bench, count: Any) -> None:
    # Three autocannons of two sequences, each with an enemy of its own that the first two hits destroy: places 0, 3 are
    # the first strike's, 1, 4 the second's, 2, 5 the third's. Only their own turns, 0, 2, 4, .., roll anything.
    gun = vehicle(at(99, 5), requisition=1, keywords={"autocannon": 2})
    targets = [vehicle(at(1, 1), hp=10, armor=50, requisition=points) for points in (1, 10, 100)]
    soft = [card.model_copy(update={"armor": gun.armor}) for card in targets]
    battle = prepared([gun] * 3, soft, (3, 3), ("list_order", "list_order"), 1, True)
    worth = turns = 0
    for trial in range(50):
        left = [10, 10, 10]
        thrown = digits(0, trial, 6)
        for strike in range(3):
            alive = next(n for n, hp in enumerate(left) if hp > 0)
            left[alive] -= 5 * sum(thrown[strike + 3 * sequence] >= NEED_OF_FOUR for sequence in range(2))
        worth += sum(card.requisition for card, hp in zip(soft, left, strict=True) if hp > 0)
        turns += 1 if max(left) <= 0 else 2
    found = count(bench, *battle, 0, KEY, 0, 50)
    assert (found[4], found[6]) == (turns, worth)


@pytest.mark.parametrize("count", IMPLEMENTATIONS)
def test_twins__take_a_block_of_each_player_turn(bench, count: Any) -> None:
    shooter, target = vehicle(at(99, 10), requisition=1), vehicle(at(1, 1), hp=10, requisition=1)
    battle = prepared([target], [shooter], (1, 1), ("value", "focus"))
    # The one that can't hurt moves first, so the other's turns are 1, 3, 5, ..
    turns = [next(turn for turn in range(1, 999, 2) if digits(turn, trial, 1)[0] >= NEED_OF_FOUR) for trial in range(9)]
    found = count(bench, *battle, 0, KEY, 0, 9)
    assert found[:5] == [0, 9, 0, 0, sum(turns) + 9]


@pytest.mark.parametrize("count", IMPLEMENTATIONS)
@pytest.mark.parametrize("timed", [False, True])
def test_twins__give_up_after_ten_thousand_rounds(bench, count: Any, timed: bool) -> None:
    # Of 3000, 10 000 rounds of one with a chance of 7/36 take 1944.
    tank = vehicle(at(99, 1), requisition=7)
    (unit,), _ = GAME.ruleset.forces(([tank], [tank]), {GAME.situation(): F(1)}, 36, GAME.variant)
    strong = (unit._replace(toughness=3000, strikes=(unit.strikes[0]._replace(most=3000),)),)
    forces = strong, strong
    found = count(bench, forces, Terms((1, 1), ("value", "value"), 5 if timed else None, timed), 0, KEY, 0, 1)
    assert found[:7] == [0, 0, 1, 0, 20_000, 7, 7]


def unit(*effects: int, least: int = 1, counts: bool = True) -> Fighter:
    """One of toughness 10 whose strike takes so much of each enemy, for certain, as long as it has `least`."""
    dice = tuple((((F(1), Dice(1, F(1), F(1), (effect,) * 6)),),) for effect in effects)
    strike = Strike("gun", 0, 1, 1, least, 10, tuple(({effect: F(1)},) for effect in effects), dice)
    return Fighter("unit", 10, 1, False, 3, counts, (Gun(),), (strike,))


ENDS = {
    # Of b only the squad can be hurt.
    "nobody that counts": ([unit(0, 5)], [unit(0), unit(0, counts=False)], [0, 0, 1, 0, 0, 3, 6]),
    # b's squad could hurt a's tank until it was hit itself.
    "weakened": ([unit(0, 5)], [unit(0), unit(5, least=6, counts=False)], [0, 0, 1, 0, 1, 3, 6]),
    "not weakened": ([unit(0, 5)], [unit(0), unit(5, counts=False)], [0, 0, 1, 0, 3, 3, 3]),
    "lost": ([unit(0, 5)], [unit(0), unit(10, counts=False)], [0, 1, 0, 0, 2, 0, 6]),
}


@pytest.mark.parametrize("count", IMPLEMENTATIONS)
@pytest.mark.parametrize("end", ENDS)
def test_twins__end_once_nobody_can_hurt_what_counts(bench, count: Any, end: str) -> None:
    a, b, tally = ENDS[end]
    found = count(bench, (tuple(a), tuple(b)), Terms((2, 2), ("value", "list_order")), 0, KEY, 7, 1)
    assert found[:7] == tally


# --- what is measured -------------------------------------------------------------------------------------------


def test_cases__are_what_they_say(bench) -> None:
    cases = bench.battle_cases
    for name, case in cases.CASES.items():
        forces, terms = cases.both(case)
        assert name.split()[0].rstrip(",") == f"{len(forces[0])}v{len(forces[1])}"
        assert (terms.limits, terms.rounds) == ((5, 5), None)
        for own, enemies in (forces, forces[::-1]):
            for unit in own:
                assert len(unit.guns) == 1
                assert all(max(strike.effects[n][0]) > 0 for strike in unit.strikes for n in range(len(enemies)))
    guns = {unit.guns[0][:2] for force in cases.both(cases.CASES["5v5 with keywords, value"])[0] for unit in force}
    assert guns == {(1, False), (2, False), (1, True)}
    equal = cases.both(cases.Case(cases.EQUAL, "list_order"))[0]
    assert {-(-unit.toughness // max(unit.strikes[0].effects[0][0])) for force in equal for unit in force} == {6}
    for what, (case, without) in cases.added("value").items():
        assert cases.both(case)[0] != cases.both(without)[0], what
    for own in cases.both(cases.added("value")["some can't hurt some"][0])[0]:
        hurts = {max(strike.effects[n][0]) > 0 for unit in own for strike in unit.strikes for n in range(5)}
        assert hurts == {True, False}


def test_rows__promise_medians_by_policy(bench, monkeypatch: pytest.MonkeyPatch) -> None:
    battles = bench.battles
    seconds = {"kernel": 1e-7, "scalar": 7e-7, "plain": 7e-5, "raw": 1e-8}
    monkeypatch.setattr(battles, "_seconds", lambda work, effort: seconds)
    monkeypatch.setattr(battles, "_length", lambda case: battles._Length(strikes=50, blocks=10))
    monkeypatch.setattr(battles, "wide", lambda: True)
    monkeypatch.setattr(battles, "least_if_wide", lambda ratio: ratio)
    kept = {(row.what, row.case): row.kept for row in battles._case_rows(bench.measure.FULL) if row.kept is not None}
    assert kept == {
        ("battle kernel v plain Python", "median, list_order and focus"): True,
        ("battle kernel v its scalar form", "median, list_order and focus"): True,
        ("battle kernel v plain Python", "median, value"): False,
        ("battle kernel v its scalar form", "median, value"): False,
        ("battle kernel: time v its words alone", "median"): True,
    }
