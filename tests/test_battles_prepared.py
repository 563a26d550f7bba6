"""Chains with guns that are prepared in a turn of their unit: by hand, and against the graph of reachable states."""

from __future__ import annotations

from fractions import Fraction as F
from random import Random
from typing import Any

import numpy as np
import pytest

from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.errors import UsageError
from aabalance.rulesets.base import Fighter, Gun, Strike

POLICIES = [("list_order", "value"), ("value", "focus"), ("focus", "list_order")]
PLAIN = Terms((9, 9), ("list_order", "value"))


def unit(*strikes: Strike, toughness: int = 1, guns: tuple[Gun, ...] = (Gun(),), **fields: Any) -> Fighter:
    given = {"name": "unit", "actions": 2, "free": False, "cost": 1, "counts": True, **fields}
    return Fighter(toughness=toughness, guns=guns, strikes=strikes, **given)


def strike(effect: dict[int, F], enemies: int = 1, **fields: Any) -> Strike:
    given = {"weapon": "gun", "gun": 0, "attacks": 1, "actions": 1, "least": 1, "most": 999, **fields}
    return Strike(effects=((effect,),) * enemies, dice=(((),),) * enemies, **given)


def hit(p: F, damage: int = 1) -> dict[int, F]:
    return {0: 1 - p, damage: p} if p < 1 else {damage: p}


def drawn(rng: Random, most: int) -> dict[int, F]:
    shares = [rng.randint(1, 5) for _ in range(3)]
    amounts = 0, rng.randint(1, most), most + 1
    return {amount: F(share, sum(shares)) for amount, share in zip(amounts, shares, strict=True)}


def terms(rng: Random) -> Terms:
    limits = rng.randint(1, 5), rng.randint(1, 5)
    rounds = rng.choice([None, None, 1, 3])
    return Terms(limits, rng.choice(POLICIES), rounds, rounds is not None and rng.random() < 0.6)


def lobs(rng: Random, enemies: int) -> Fighter:
    """A unit by chance that prepares a gun; it may have a shot for which that needn't be prepared, and reload."""
    lob, shot = drawn(rng, 4), drawn(rng, 3)
    pool = rng.randint(1, 2)
    strikes = [strike(lob, enemies, prepare=pool), strike(lob, enemies, prepared=True)]
    if rng.random() < 0.5:
        strikes.insert(rng.randint(0, 2), strike(shot, enemies))
    if rng.random() < 0.3:
        strikes.append(strike(shot, enemies, gun=1))
    guns = Gun(rng.choice([1, 2]), rng.random() < 0.3), Gun()
    return unit(*strikes, toughness=rng.randint(1, 7), actions=pool, guns=guns, cost=rng.randint(1, 4))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_solve__guns_that_are_prepared_are_the_same_battle_as_their_reachable_states(seed: int) -> None:
    rng = Random(seed)
    in_order = 0
    for _ in range(20):
        n, m = rng.randint(1, 3), rng.randint(1, 3)
        a, b = lobs(rng, m), lobs(rng, n) if rng.random() < 0.5 else unit(strike(drawn(rng, 2), n), toughness=5)
        given, forces = terms(rng), ((a,) * n, (b,) * m)
        made, plain = Battle(forces, given), Battle(forces, given, in_order=False)
        for first in range(2):
            assert np.array(made.solve(first)) == pytest.approx(np.array(plain.solve(first)), rel=1e-12, abs=1e-12)
        assert plain.solver.startswith("reachable states")
        in_order += made.solver.startswith("chain")
    assert in_order == 20


def test_solve__preparing_takes_the_turn_by_hand() -> None:
    # Prepared in its first turn, it hits for certain from the second on; the other hits with 1/2 in each of its turns.
    a = unit(strike(hit(F(1)), prepare=2), strike(hit(F(1)), prepared=True))
    b = unit(strike(hit(F(1, 2))))
    battle = Battle(((a,), (b,)), PLAIN)
    found = [battle.solve(first) for first in range(2)]
    assert [one.p_a for one in found] == [0.5, 0.25]
    assert [one.player_turns for one in found] == [2.5, 2.25]
    assert battle.solver.startswith("chain")


def test_battle__a_gun_that_is_prepared_with_a_part_of_the_pool_is_refused() -> None:
    # The solvers take it for all that a unit does in its turn.
    a, b = unit(strike(hit(F(1)), prepare=1), strike(hit(F(1)), prepared=True)), unit(strike(hit(F(1, 2))))
    with pytest.raises(UsageError, match="prepare: found 1 of 2 actions, expected all"):
        Battle(((a,), (b,)), PLAIN)
