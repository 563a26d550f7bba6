"""Where `best_range` goes, by single shots; rolled battles of units that move, against exact ones and themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from handmade import at, squad, vehicle
from odds import GAME, SIGMAS
from rollers.armored_advance_battle import Sitting

from aabalance.definitions.settings import situation_mix
from aabalance.engine.battle import battle as battles
from aabalance.engine.battle import postures
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import DEPTH, ORDERS, WISHES
from aabalance.engine.battle.lanes import rolls
from aabalance.engine.battle.terms import Terms
from aabalance.play.ground import ground

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_forms")]

SIDES = (0, 1)


def packed(
    a: list[Any], b: list[Any], postures: tuple[str, str], range_in: float, policies: tuple[str, str], limit: int = 3
) -> Battle:
    on, aspects = ground(GAME.ruleset, (a, b), range_in, GAME.variant, postures)
    forces = GAME.ruleset.forces((a, b), situation_mix(GAME.situation, "front"), aspects, GAME.variant)
    return Battle(forces, Terms((limit, limit), policies, None, False, on))


def exchange(a: Any, b: Any, range_in: float) -> tuple[Fraction, Fraction]:
    """Requisition that a shot of each takes from the other, of its whole; damage counts up to what the target has."""

    def taken(attacker: Any, target: Any) -> Fraction:
        damage = GAME.shot(attacker, target, range_in=range_in).damage
        mean = sum((Fraction(p).limit_denominator(10**6) * min(n, target.hp) for n, p in damage.items()), Fraction(0))
        return mean * target.requisition / target.hp

    return taken(a, b), taken(b, a)


def tank(rng: Random) -> Any:
    return vehicle(
        at(rng.randint(5, 14), rng.randint(3, 15), range=rng.choice([18, 24, 36, 48])),
        armor=rng.randint(2, 12),
        hp=rng.randint(5, 30),
        requisition=rng.randint(10, 90),
        movement=rng.randint(3, 7),
        weight=rng.choice(["light", "medium", "heavy"]),
    )


def stays(by_distance: list[tuple[Fraction, Fraction]], at: int, way: float) -> bool:
    """Whether a unit hurts its enemy from there, and four turns there give as much as going anywhere in them would."""
    gain, risk = by_distance[at]

    def of_going(to: int) -> Fraction:
        turns = ceil(abs(to - at) / way)
        there = by_distance[to]
        return (4 - turns) * (there[0] - there[1]) - turns * risk if turns < 4 and there[0] else -4 * risk

    return gain > 0 and all(of_going(to) <= 4 * (gain - risk) for to in range(len(by_distance)) if to != at)


@pytest.mark.parametrize("seed", range(12))
def test_best_range__goes_where_single_shots_exchange_best(seed: int) -> None:
    rng = Random(seed)
    a, b = tank(rng), [tank(rng) for _ in range(3)]
    range_in = rng.choice([12, 24, 30])
    battle = packed([a], b, ("best_range", "hold"), range_in, ("value", "value"))
    # All places are multiples of a step.
    step = 48 / battle.terms.ground.depth
    by_distance = [[exchange(a, enemy, at * step) for at in range(battle.terms.ground.depth + 1)] for enemy in b]
    worth = {
        at: max((gain - risk for gain, risk in row if gain > 0), default=None) for at, row in enumerate(by_distance)
    }
    order = sorted(range(3), key=lambda enemy: (worth[enemy] is None, -(worth[enemy] or 0), enemy))
    way = (a.movement + (2 if a.weight == "light" else 0)) / step  # p. 4 Light: 2 inches without an action
    for least, most, enemy in battle.sides[0][WISHES][0].tolist():
        assert enemy == order.pop(0)
        if worth[enemy] is None:
            assert (least, most * step) == (0, 48)
            continue
        best = [at for at in range(len(by_distance[enemy])) if stays(by_distance[enemy], at, way)]
        # One stretch of them, and none nearer to where the unit begins.
        assert [at for at in best if least <= at <= most] == list(range(least, most + 1))
        assert {least - 1, most + 1}.isdisjoint(best)
        away = max(least - range_in / step, range_in / step - most, 0)
        assert all(abs(at - range_in / step) >= away for at in best)


def test_best_range__keeps_out_of_a_shorter_gun_and_backs_away_from_it() -> None:
    """36 inches of gun against 12: it goes back, and is never hurt; whoever holds is destroyed from afar."""
    long, short = vehicle(at(20, 4, range=36), movement=5, hp=5), vehicle(at(20, 10, range=12), movement=0, hp=10)
    found = GAME.battle([long], [short], range_in=6, actions=2, posture_a="best_range", first="a")
    assert found.p_a < 1
    far = GAME.battle([long], [short], range_in=24, actions=2, posture_a="best_range", first="a")
    assert (far.p_a, far.value_a) == pytest.approx((1, long.requisition))


@pytest.mark.parametrize("seed", range(1, 7))
def test_best_range__solved_rolled_and_thrown_agree(seed: int) -> None:
    rng = Random(seed)
    a, b = ([tank(rng) for _ in range(rng.randint(1, 2))] + [squad()] * (seed % 3 == 0) for _ in SIDES)
    policies = rng.choice([("value", "value"), ("list_order", "focus"), ("threat", "value")])
    postures = rng.choice([("best_range", "close:6"), ("best_range", "best_range"), ("hold", "best_range")])
    range_in = rng.choice([12, 18, 24])
    how = {"range_in": range_in, "actions": 3, "policy_a": policies[0], "policy_b": policies[1], "rounds": 4}
    how |= {"posture_a": postures[0], "posture_b": postures[1], "first": "a"}
    exact, rolled = GAME.battle(a, b, **how), GAME.battle(a, b, **how, simulate=20_000)
    battle = packed(a, b, postures, range_in, policies)
    depth = battle.terms.ground.depth
    step = 48 / depth
    stretches = [
        {
            unit: [(int(enemy), float(least * step), float(most * step)) for least, most, enemy in wishes.tolist()]
            for unit, wishes in enumerate(battle.sides[side][WISHES])
        }
        if postures[side] == "best_range"
        else None
        for side in SIDES
    ]
    cards = [[card.model_dump(by_alias=True, exclude_none=True) for card in cards] for cards in (a, b)]
    sitting = Sitting(
        tuple(cards),
        range_in=range_in,
        actions=(3, 3),
        policies=policies,
        postures=postures,
        stretches=tuple(stretches),
        rounds=4,
    )
    thrown = [sitting.fight(Random(1000 * seed + n), "a") for n in range(300)]
    for name in ("a", "b", "draw"):
        p, n = getattr(exact, f"p_{name}"), 300
        seen = sum(one[0] == name for one in thrown) / n
        assert abs(seen - p) < SIGMAS * sqrt(p * (1 - p) / n + 1e-5), (name, seen, p)
        z = abs(getattr(rolled, f"p_{name}") - p) / sqrt(p * (1 - p) / 20_000 + 1e-9)
        assert z < SIGMAS, (name, z)
    assert exact.engine == "exact"


@pytest.mark.parametrize("policies", [("list_order", "value"), ("threat", "focus")])
def test_roll__of_units_that_move_hangs_on_no_lanes_or_parts(
    monkeypatch: pytest.MonkeyPatch, policies: tuple[str, str]
) -> None:
    rng = Random(7)
    a, b = [tank(rng), tank(rng), squad()], [tank(rng) for _ in range(4)]
    battle = packed(a, b, ("close:6", "best_range"), 24, policies)
    counts = []
    for lanes, parts in ((2048, [0, 300]), (32, [0, 1, 77, 300])):
        monkeypatch.setattr(rolls, "LANES", lanes)
        runs = np.array([[0, 5, begin, end - begin, 50] for begin, end in pairwise(parts)], dtype=np.uint64)
        counts.append(battle.rolls(0, detailed=True).roll(runs).sum(axis=0))
    assert (counts[0] == counts[1]).all()
    assert counts[0][:3].sum() == 300


def test_posture__a_new_one_is_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def charge(
        mine: Any, unit: Any, place: Any, places: Any, front: Any, foes: Any, ahead: Any, back: Any, lanes: Any
    ) -> None:
        for k in range(lanes):
            ahead[k] = mine[ORDERS][DEPTH]

    monkeypatch.setitem(postures.POSTURES, "charge", charge)
    monkeypatch.setattr(battles, "_plain", [])
    short = vehicle(at(20, 10, range=12), movement=5, hp=10)
    charged, closed = (
        GAME.battle([short], [vehicle(at(1, 1))], range_in=24, actions=1, posture_a=posture, first="a")
        for posture in ("charge", "close:0")
    )
    assert charged.player_turns == pytest.approx(closed.player_turns)
    assert charged.p_a == pytest.approx(1)
