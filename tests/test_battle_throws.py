"""Digits and gains as the kernel looks them up, and a log's digits."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from aabalance.engine import rng, sampling
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.lanes import detail, dice
from aabalance.rulesets.base import Dice, Fighter, Gun, Strike

U, W = np.uint64, np.uint16


@pytest.mark.parametrize("base", [1, 2, 6, 36, 63, 64, 65, 180, 216, 1024])
def test_digit__is_the_whole_part_of_fraction_times_base(base: int) -> None:
    last = 2 ** rng.FRACTION_BITS.item() - 1
    edges = [-(-n * (last + 1) // base) + more for n in range(base) for more in (-1, 0, 1)]
    fractions = [n for n in (*edges, last) if 0 <= n <= last]
    found = [int(rng.digit(U(n), U(base))) for n in fractions]
    assert found == [n * base >> rng.FRACTION_BITS.item() for n in fractions]
    assert {0, base - 1} <= {*found}


@pytest.mark.parametrize("strikes", range(1, 4))
@pytest.mark.parametrize("count", [1, 6])
def test_regain__changes_the_gains_at_the_enemy_aimed_at_alone(strikes: int, count: int) -> None:
    random = np.random.default_rng(count)
    enemies, tough = 5, 34
    rank = random.integers(0, 1 << 16, (strikes, enemies, tough), dtype=np.int32)
    gains = random.integers(0, 1 << 16, (strikes, enemies, count), dtype=W)
    aim, left = random.integers(0, enemies, count), random.integers(0, tough, count)
    expected = gains.copy()
    expected[:, aim, range(count)] = rank[:, aim, left]
    dice.regain(rank, gains, aim.astype(W), left.astype(W), np.zeros(count, dtype=W), count)
    assert (gains == expected).all()


# --- the log ------------------------------------------------------------------------------------------------------

TERMS = Terms((9, 9), ("value", "value"))
HITS = ((F(1), Dice(1, F(1), F(1), (1,) * 6)),)


def strike(**fields: Any) -> Strike:
    given = {"weapon": "gun", "gun": 0, "attacks": 1, "actions": 1, "least": 1, "most": 999, **fields}
    return Strike(effects=(({1: F(1)},),), dice=((HITS,),), **given)


def fighter(*strikes: Strike, **fields: Any) -> Fighter:
    given = {"name": "unit", "actions": 1, "free": False, "cost": 1, "counts": True, "toughness": 3, **fields}
    return Fighter(guns=(Gun(),), strikes=strikes, **given)


def test_log__shows_no_digit_of_a_strike_that_only_prepares() -> None:
    a, b = fighter(strike(prepare=1), strike(prepared=True)), fighter(strike())
    run: Any = sampling.Run(Battle(((a,), (b,)), TERMS).rolls(0), 1, sampling.ROUNDS)
    log = run.rolls.log(1, sampling.ROUNDS)
    assert log[:4, detail.LOSS].tolist() == [0, 1, 1, 1]
    assert (log[:4, detail.FIRST_DIGIT] >= 0).tolist() == [False, True, True, True]
