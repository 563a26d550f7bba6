"""Duels of conditions: the solver against the same duels walked forward, outcome by outcome, and against the kernel."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np
import pytest

from aabalance.engine import batch, conditions, sampling, solve
from aabalance.engine.conditions import BlowTables, Clash
from aabalance.rulesets.base import Blows, Order

ORDERS: tuple[Order, ...] = ("alternate", "answer", "together")
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
    """Play `rounds` rounds forward: a left, b left, none, both, player turns."""
    alive: dict[tuple[int, int], float] = {(0, 0): 1.0}
    over: dict[str, float] = defaultdict(float)
    turns = 0.0

    def strike(blows: Blows, mine: int, yours: int) -> list[tuple[int, int, float]]:
        return [(blows.after[mine], to, float(p)) for to, p in blows.chances[mine][yours].items()]

    for turn in range(rounds if order == "together" else 2 * rounds):
        later: dict[tuple[int, int], float] = defaultdict(float)
        for (i, j), mass in alive.items():
            turns += mass * (2 if order == "together" else 1)
            if order == "together":
                ends = [(x, y, p * q) for _, y, p in strike(a, i, j) for _, x, q in strike(b, j, i)]
            else:
                ends = []
                hitter, hit = (a, b) if turn % 2 == 0 else (b, a)
                mine, yours = (i, j) if turn % 2 == 0 else (j, i)
                for m, y, p in strike(hitter, mine, yours):
                    if order == "answer" and y < N:
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
    return over["a"], over["b"], over["both"], sum(alive.values()), turns


def packed(order: Order, seed: int, n: int = 40) -> tuple[BlowTables, Any, Any, list[tuple[Blows, Blows]]]:
    rng = random.Random(seed)
    tables = BlowTables(order, N)
    pairs = [(random_blows(rng), random_blows(rng, rng.choice((0.0, 0.3, 1.0)))) for _ in range(n)]
    a, b = (np.array([tables.add(pair[side]) for pair in pairs]) for side in (0, 1))
    return tables, a, b, pairs


@pytest.mark.parametrize("order", ORDERS)
def test_solve__limited_duels_equal_the_walk_forward(order: Order) -> None:
    tables, a, b, pairs = packed(order, 1)
    found = conditions.solve(tables, a, b, rounds=4)
    want = [walked(order, *pair, 4) for pair in pairs]
    np.testing.assert_allclose(found, want, atol=1e-13)


@pytest.mark.parametrize("order", ORDERS)
def test_solve__duels_to_the_end_are_duels_with_a_far_limit(order: Order) -> None:
    tables, a, b, pairs = packed(order, 2)
    found = conditions.solve(tables, a, b)
    np.testing.assert_allclose(found[:, :4].sum(axis=1), 1, atol=1e-12)
    for row, pair in zip(found, pairs, strict=True):
        want = walked(order, *pair, 3000)
        assert row[:4] == pytest.approx(want[:4], abs=1e-9)
        assert row[4] == pytest.approx(want[4], rel=1e-9) if row[3] == 0 else row[4] == inf
    assert {isfinite(length) for length in found[:, 4]} == {True, False}


@pytest.mark.parametrize("order", ORDERS)
def test_clashes__kernel_agrees_with_the_solver(order: Order) -> None:
    tables, a, b, _ = packed(order, 3)
    exact = conditions.solve(tables, a, b, rounds=6)
    seen = 0
    for k in range(len(a)):
        run = sampling.prepare(Clash(tables, int(a[k]), int(b[k])), 7, ("a", "b", str(k)), 6)
        tally = sampling.simulate(run, 0, TRIALS)
        counts = tally.wins_0, tally.wins_1, tally.both, tally.undecided
        assert sum(counts) == TRIALS
        for count, p in zip(counts, exact[k], strict=False):
            assert abs(count - TRIALS * p) <= 5 * sqrt(TRIALS * max(p * (1 - p), 1e-12)) + 1e-6
        seen += tally.both > 0
        if not run.tables.harmless[0]:
            assert tally.player_turns / TRIALS == pytest.approx(exact[k, 4], abs=0.15)
    assert (seen > 0) == (order == "together")


def test_clashes__parts_and_batches_give_the_same_counts() -> None:
    tables, a, b, _ = packed("alternate", 4, 5)
    run = sampling.prepare(Clash(tables, int(a[0]), int(b[0])), 7, ("a",), 9)
    whole = sampling.simulate(run, 0, 5000)
    assert sampling.simulate(run, 0, 1234).plus(sampling.simulate(run, 1234, 5000 - 1234))[:5] == whole[:5]
    many = sampling.simulate_many(conditions.kernel_tables(tables, a, b), np.full(5, run.key, dtype=np.uint64), 5000, 9)
    assert many[0].tolist() == [whole.wins_0, whole.wins_1, whole.undecided, whole.player_turns, whole.both]


def test_solve__harmless_sides_draw() -> None:
    tables = BlowTables("alternate", N)
    nothing = random_blows(random.Random(1), harm=0)
    number = tables.add(nothing)
    found = solve.clash(Clash(tables, number, number))
    assert (*found.wins, found.draw, found.both, found.player_turns) == (0, 0, 1, 0, inf)
    tally = sampling.simulate(sampling.prepare(Clash(tables, number, number), 0, ("a",), None), 0, 10)
    assert tally.undecided == 10


def test_kills__equal_the_walk_forward_against_a_harmless_target() -> None:
    tables, a, _, pairs = packed("alternate", 5)
    found = conditions.kills(tables, a, (1, 3))
    nothing = Blows(tuple(tuple({enemy: Fraction(1)} for enemy in range(N)) for _ in range(N)), (0, 1, 2))
    for row, (blows, _) in zip(found, pairs, strict=True):
        fresh = Blows(blows.chances, (0, 0, 0))
        for turns, p in zip((1, 3), row[1:], strict=True):
            assert p == pytest.approx(walked("alternate", fresh, nothing, turns)[0], abs=1e-13)
        far = walked("alternate", fresh, nothing, 4000)
        wins, undecided = far[0], far[3]
        if undecided > 1e-9:
            assert row[0] == inf
        else:
            assert wins == pytest.approx(1)
            # Of the player turns up to the last, which is a's, a has one more than half.
            assert row[0] == pytest.approx((far[4] + 1) / 2, rel=1e-9)
    assert {isfinite(length) for length in found[:, 0]} == {True, False}


def test_duels__a_roll_off_is_the_mean_of_both_orders() -> None:
    tables, a, b, _ = packed("answer", 6)
    found = batch.duels(tables, a, b, a, b)
    first, second = conditions.solve(tables, a, b), conditions.solve(tables, b, a)
    np.testing.assert_allclose(found.p_win, (first[:, 0] + second[:, 1]) / 2, atol=1e-14)
    np.testing.assert_allclose(found.p_win + found.p_draw + found.p_loss, 1, atol=1e-12)
