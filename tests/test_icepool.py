"""icepool as a second witness: the same rules written as its dice, equal to the package's fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from handmade import at, by_face, he, squad, vehicle
from icepool import d3, d6

import aabalance as aab
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.rulesets.armored_advance.shot import tables
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Bracket, Holding, Volley

TOLERANCE = 1e-12
YES = {True: 1, False: 0}


def pmf(die: Any) -> dict[int, Fraction]:
    return {
        int(outcome): Fraction(p.numerator, p.denominator) for outcome, p in zip(die, die.probabilities(), strict=True)
    }


def at_advantage(face: int) -> Any:
    """A D6 on which `face` is thrown again, once."""
    return d6.reroll([face], depth=1) if 1 <= face <= 6 else d6


def one_die(hit: int, pen: int, bonus: int, advantage: bool) -> Fraction:
    need = max(hit, pen) - bonus
    die = at_advantage(need - 1) if advantage else d6
    return pmf((die >= need).map(YES)).get(1, Fraction(0))


def two_dice(hit: int, pen: int, bonus: int, advantage: bool) -> Fraction:
    die = at_advantage(hit - bonus - 1) if advantage else d6
    both = icepool.tupleize(die + bonus, d6)
    return pmf(both.map(lambda h, p: int(h >= hit and p >= pen), star=True)).get(1, Fraction(0))


def summed(hit: int, pen: int, bonus: int, advantage: bool) -> Fraction:
    need = hit + pen - 1 - bonus
    die = at_advantage(need - 1) if advantage else d6
    return pmf((die >= need).map(YES)).get(1, Fraction(0))


@pytest.mark.slow
@pytest.mark.parametrize("resolution", [one_die, two_dice, summed])
@pytest.mark.parametrize("advantage", [False, True])
def test_shot__equals_icepool_over_the_whole_grid(resolution: Callable[..., Fraction], advantage: bool) -> None:
    name = {one_die: "one_die", two_dice: "two_dice", summed: "sum"}[resolution]
    reading = Variant(resolution=name).reading
    margins = [(m, False) for m in range(-4, 5)] + [(m, True) for m in range(-4, 1)]
    for band, (margin, weak), bonus, increase in product(range(1, 7), margins, range(-1, 5), (0, 1, 2, 3)):
        pen = tables.penetration_need(margin, weak)
        got = tables.roll(band, increase, pen, bonus, advantage, reading).p
        hit = min(band + increase, 6)
        want = resolution(hit, pen, bonus, advantage) if pen <= 6 else Fraction(0)
        assert got == want, (band, margin, weak, bonus, increase)


@pytest.mark.parametrize("x", [2, 3, 5])
@pytest.mark.parametrize("advantage", [False, True])
def test_volley__equals_icepool(x: int, advantage: bool) -> None:
    found = aab.Game().shot(vehicle(at(9, 3), keywords={"autocannon": x}), vehicle(), range_in=18, moved=not advantage)
    die = at_advantage(2) if advantage else d6
    want = pmf(3 * (x @ (die >= 3).map(YES)))
    assert found.damage == pytest.approx(floats(want), abs=TOLERANCE)


def floats(want: Mapping[int, Fraction]) -> dict[int, float]:
    return {outcome: float(p) for outcome, p in want.items()}


def test_he_damage__equals_icepool() -> None:
    for base, n, side in product((1, 10, 14, 41, 60), (0, 1, 2, 3), (0, 2, 5, 12)):
        want = pmf((base - n * d6 - side).map(lambda damage: max(damage, 0)))
        assert by_face(tables.he_damage(base, n, side)) == want, (base, n, side)
        support = pmf((base - n * d6 - side).map(lambda damage: -(-max(damage, 0) * 3 // 2)))
        assert by_face(tables.he_damage(base, n, side, Fraction(3, 2))) == support, (base, n, side)


@pytest.mark.parametrize(("weight", "added"), [("light", (0, -2)), ("medium", (1, 0)), ("heavy", (2, 1))])
def test_he_shot__equals_icepool(weight: str, added: tuple[int, int]) -> None:
    game = aab.Game()
    target = vehicle(armor=(6, 3, 1), weight=weight)
    for band, moves, moved in product(range(1, 7), (0, 1), (False, True)):
        need = band - added[moves]
        hit = d6 if moved else at_advantage(need - 1)
        both = icepool.tupleize(hit, d6)
        want = pmf(both.map(lambda h, d, need=need: max(0, 14 - 2 * d - 3) if h >= need else 0, star=True))
        found = game.shot(vehicle(he(14, 2)), target, range_in=6 * band, target_moves=moves, moved=moved)
        assert found.damage == pytest.approx(floats(want), abs=TOLERANCE), (band, moves, moved)


def test_casualties__equal_icepool() -> None:
    codes = {"D3-1": d3 - 1, "D3-2": d3 - 2, "D6-2": d6 - 2, "D6": d6, "D3": d3, "1": icepool.Die([1])}
    for (code, die), men, gun, halved, after in product(
        codes.items(), range(1, 7), (0, 1), (False, True), (False, True)
    ):

        def lost(face: int, men: int = men, gun: int = gun, halved: bool = halved, after: bool = after) -> int:
            total = max(face, 0) + gun if after else max(face + gun, 0)
            return min(men, total // 2 if halved else total)

        got = tables.casualties(code, men, kills=gun, halved=halved, kills_after_clamp=after)
        assert by_face(got) == pmf(die.map(lost)), (code, men, gun, halved, after)


def markov(
    effect_a: Callable[[int, int], Any], effect_b: Callable[[int, int], Any], hp_a: int, hp_b: int, cycles: int
) -> Any:
    """A duel as icepool's absorbing chain: `effect_x` gives a side's volley by its own health and its turn's number.

    A state is (health of a, health of b, half-turn of the schedule).
    """

    def turn(a: int, b: int, t: int) -> Any:
        if a <= 0 or b <= 0:
            return (max(a, 0), max(b, 0), 0)
        after = (t + 1) % (2 * cycles)
        if t % 2 == 0:
            return effect_a(a, t // 2).map(lambda damage: (a, max(b - damage, 0), after))
        return effect_b(b, t // 2).map(lambda damage: (max(a - damage, 0), b, after))

    return icepool.map(turn, icepool.Die([(hp_a, hp_b, 0)]), star=True, repeat="inf")


def wins(end: Any) -> tuple[Fraction, Fraction]:
    chances = {
        outcome: Fraction(p.numerator, p.denominator) for outcome, p in zip(end, end.probabilities(), strict=True)
    }
    a = sum((p for (_, b, _), p in chances.items() if b == 0), Fraction(0))
    b = sum((p for (a, _, _), p in chances.items() if a == 0), Fraction(0))
    return a, b


def hit_die(need: int, damage: int) -> Any:
    return (at_advantage(need - 1) >= need).map({True: damage, False: 0})


@pytest.mark.slow
def test_duel__equals_icepools_markov_chain() -> None:
    """Autocannon (2) of 3 damage with rapid fire at need 3 against a gun of 10 that reloads, need 2."""
    auto = 4 @ hit_die(3, 3)
    gun = hit_die(3, 10)
    a = vehicle(at(9, 3), hp=30, armor=8, keywords={"autocannon": 2, "rapid_fire": True})
    b = vehicle(at(11, 10), hp=25, armor=8, keywords={"long_reload": True})
    found = aab.Game().duel(a, b, range_in=18, first="a")
    quiet = icepool.Die([0])
    p_a, p_b = wins(markov(lambda _, t: auto, lambda _, t: gun if t == 0 else quiet, 30, 25, cycles=2))
    assert found.p_a == pytest.approx(float(p_a), abs=TOLERANCE)
    assert found.p_b == pytest.approx(float(p_b), abs=TOLERANCE)
    assert p_a + p_b == 1


def test_duel__of_shrinking_squads_equals_icepools_markov_chain() -> None:
    def rifles(men: int, gun: int) -> Any:
        return ((d3 - 1) if men >= 4 else (d3 - 2)).map(lambda face: max(face, 0) + gun)

    found = aab.Game().duel(
        squad(strength=6), squad(strength=5, equipment={"machine_gun": True}), range_in=12, first="a"
    )
    p_a, p_b = wins(markov(lambda men, _: rifles(men, 0), lambda men, _: rifles(men, 1), 6, 5, cycles=1))
    assert found.p_a == pytest.approx(float(p_a), abs=TOLERANCE)
    assert found.p_b == pytest.approx(float(p_b), abs=TOLERANCE)


@pytest.mark.slow
def test_solve__weakening_sides_with_cycles_equal_icepools_markov_chain() -> None:
    """No unit of the game has brackets and a cycle at once; the solver has to know both together."""

    def plan(strong: list[Any], weak: list[Any], least: int) -> Any:
        def volleys(dice: list[Any]) -> tuple[Volley, ...]:
            return tuple(Volley((), pmf(die), ()) for die in dice)

        return Bracket(least, volleys(strong)), Bracket(1, volleys(weak))

    quiet, coin = icepool.Die([0]), icepool.coin(1, 3).map({True: 2, False: 0})
    a_strong, a_weak = [d6.map(lambda f: f // 2), quiet, coin], [coin, coin, quiet]
    b_strong, b_weak = [coin, d3], [quiet, coin]
    players = Holding(6, plan(a_strong, a_weak, 4)), Holding(6, plan(b_strong, b_weak, 3))
    got = TurnGraph(players, 0).solve()
    chain = markov(
        lambda men, t: (a_strong if men >= 4 else a_weak)[t % 3],
        lambda men, t: (b_strong if men >= 3 else b_weak)[t % 2],
        6,
        6,
        cycles=6,
    )
    p_a, p_b = wins(chain)
    assert got.p_a == pytest.approx(float(p_a), abs=TOLERANCE)
    assert got.p_b == pytest.approx(float(p_b), abs=TOLERANCE)
