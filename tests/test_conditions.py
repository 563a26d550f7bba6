"""Duels of conditions: the solver against the same duels walked forward, outcome by outcome, and against the kernel."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import inf, isfinite
from typing import Any

import numpy as np
import pytest

from aabalance.engine import grid, rng, sampling
from aabalance.engine.conditions.tables import BlowTables
from aabalance.engine.outcome import DRAW, TURNS, A, Outcome, total
from aabalance.rulesets.base import Blows, ConditionDuel, Holding, Order

ORDERS: tuple[Order, ...] = ("alternate", "return_fire", "together")
N = 3
TRIALS = 40_000


def random_blows(rng: random.Random, harm: float = 0.8) -> Blows:
    """Blows that may leave the enemy better or worse off; some do nothing at all."""

    def after(enemy: int) -> dict[int, Fraction]:
        if rng.random() > harm:
            return {enemy: Fraction(1)}
        weights = [rng.choice((0, 0, 1, 2, 3)) for _ in range(N + 1)]
        weights[enemy] += 1
        return {to: Fraction(weight, sum(weights)) for to, weight in enumerate(weights) if weight}

    chances = tuple(tuple(after(enemy) for enemy in range(N)) for _ in range(N))
    return Blows(chances, tuple(rng.choice((0, own)) for own in range(N)))


def walked(order: Order, a: Blows, b: Blows, rounds: int) -> tuple[float, float, float, float, float]:
    """Play `rounds` rounds forward, or until nobody is left: a left, b left, both, none, player turns."""
    alive: dict[tuple[int, int], float] = {(0, 0): 1.0}
    over: dict[str, float] = defaultdict(float)
    turns = 0.0

    @cache
    def strike(of: int, mine: int, yours: int) -> list[tuple[int, int, float]]:
        blows = (a, b)[of]
        return [(blows.after[mine], to, float(p)) for to, p in blows.chances[mine][yours].items()]

    for turn in range(rounds if order == "together" else 2 * rounds):
        if sum(alive.values()) < 1e-18:
            break
        later: dict[tuple[int, int], float] = defaultdict(float)
        for (i, j), mass in alive.items():
            turns += mass * (2 if order == "together" else 1)
            if order == "together":
                ends = [(x, y, p * q) for _, y, p in strike(0, i, j) for _, x, q in strike(1, j, i)]
            else:
                ends = []
                hitter, hit = (0, 1) if turn % 2 == 0 else (1, 0)
                mine, yours = (i, j) if turn % 2 == 0 else (j, i)
                attacks = any(y != yours for _, y, _ in strike(hitter, mine, yours))
                for m, y, p in strike(hitter, mine, yours):
                    if order == "return_fire" and attacks and y < N:
                        ends += [(m2, y2, p * q) for y2, m2, q in strike(hit, y, m)]
                    else:
                        ends.append((m, y, p))
                if turn % 2:
                    ends = [(y, m, p) for m, y, p in ends]
            for x, y, p in ends:
                if x < N and y < N:
                    later[x, y] += mass * p
                else:
                    over["both" if x == y == N else "a" if x < N else "b"] += mass * p
        alive = later
    return over["a"], over["b"], sum(alive.values()), over["both"], turns


def packed(order: Order, seed: int, n: int = 40) -> tuple[BlowTables, Any, Any, list[tuple[Blows, Blows]]]:
    generator = random.Random(seed)
    tables = BlowTables(ConditionDuel(order, N))
    pairs = [(random_blows(generator), random_blows(generator, generator.choice((0.0, 0.3, 1.0)))) for _ in range(n)]
    a, b = (np.array([tables.add(pair[side]) for pair in pairs]) for side in (0, 1))
    return tables, a, b, pairs


@pytest.mark.parametrize("order", ORDERS)
def test_solve__limited_duels_equal_the_walk_forward(order: Order) -> None:
    tables, a, b, pairs = packed(order, 1)
    found = tables.fights(a, b, a, b).solve(rounds=4)
    want = [walked(order, *pair, 4) for pair in pairs]
    np.testing.assert_allclose(np.array(found).T, want, atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
def test_solve__duels_to_the_end_are_duels_with_a_far_limit(order: Order) -> None:
    tables, a, b, pairs = packed(order, 2)
    found = np.array(tables.fights(a, b, a, b).solve()).T
    np.testing.assert_allclose(found[:, :TURNS].sum(axis=1), 1, atol=1e-12)
    for row, pair in zip(found, pairs, strict=True):
        want = walked(order, *pair, 3000)
        assert row[:TURNS] == pytest.approx(want[:TURNS], abs=1e-9)
        assert row[TURNS] == pytest.approx(want[TURNS], rel=1e-9) if row[DRAW] == 0 else row[TURNS] == inf
    assert {isfinite(length) for length in found[:, TURNS]} == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
def test_roll__kernel_agrees_with_the_solver(order: Order) -> None:
    tables, a, b, _ = packed(order, 3)
    fights = tables.fights(a, b, a, b)
    exact, ready = np.array(fights.solve(rounds=6)).T, fights.rolls()
    counts = sampling.roll(ready, rng.stream_keys(7, [str(k) for k in range(len(a))]), TRIALS, 6)
    assert counts.trials.tolist() == [TRIALS] * len(a)
    for k, (tally, p) in enumerate(zip(np.array(counts[: TURNS + 1]).T, exact, strict=True)):
        spread = 5 * np.sqrt(TRIALS * np.maximum(p * (1 - p), 1e-12)) + 1e-6
        assert (abs(tally - TRIALS * p) <= spread)[:TURNS].all(), k
        if not ready.harmless[k]:
            assert tally[TURNS] / TRIALS == pytest.approx(p[TURNS], abs=0.15)
    assert (counts.both.sum() > 0) == (order == "together")


def test_roll__parts_and_batches_give_the_same_counts() -> None:
    tables, a, b, _ = packed("alternate", 4, 5)
    run = sampling.prepare(tables.fights(a[:1], b[:1], a, b).rolls(), 7, ("a",), 9)
    whole = sampling.simulate(run, 0, 5000)
    assert total([sampling.simulate(run, 0, 1234), sampling.simulate(run, 1234, 5000 - 1234)]) == whole
    many = sampling.roll(tables.fights(a, b, a, b).rolls(), np.full(5, run.key, dtype=np.uint64), 5000, 9)
    assert tuple(column[0] for column in many) == whole


def test_solve__harmless_sides_draw() -> None:
    tables = BlowTables(ConditionDuel("alternate", N))
    nothing = Holding(1, random_blows(random.Random(1), harm=0))
    duel = tables.duel((nothing, nothing), 0)
    assert duel.solve() == Outcome(p_a=0, p_b=0, p_draw=1, p_both=0, player_turns=inf)
    assert sampling.simulate(sampling.prepare(duel.rolls(), 0, ("a",), None), 0, 10).draws == 10


@pytest.mark.slow
def test_kills__equal_the_walk_forward_against_a_harmless_target() -> None:
    tables, a, _, pairs = packed("alternate", 5)
    found = tables.kills(a, a, (1, 3))
    nothing = Blows(tuple(tuple({enemy: Fraction(1)} for enemy in range(N)) for _ in range(N)), (0, 1, 2))
    for row, (blows, _) in zip(found, pairs, strict=True):
        fresh = Blows(blows.chances, (0, 0, 0))
        for turns, p in zip((1, 3), row[1:], strict=True):
            assert p == pytest.approx(walked("alternate", fresh, nothing, turns)[0], abs=1e-13)
        far = walked("alternate", fresh, nothing, 4000)
        wins, undecided = far[A], far[DRAW]
        if undecided > 1e-9:
            assert row[0] == inf
        else:
            assert wins == pytest.approx(1)
            # Of the player turns up to the last, which is a's, a has one more than half.
            assert row[0] == pytest.approx((far[TURNS] + 1) / 2, rel=1e-9)
    assert {isfinite(length) for length in found[:, 0]} == {True, False}


def test_duels__both_orders_are_seen_from_a() -> None:
    tables, a, b, _ = packed("return_fire", 6)
    first, second = grid.duels(tables, a, b, a, b)
    for found, direct in ((first, tables.fights(a, b, a, b)), (second.swapped(), tables.fights(b, a, a, b))):
        np.testing.assert_array_equal(np.array(found), np.array(direct.solve()))
