"""Digits, entries and gains as the kernel looks them up: several lanes at once, against one at a time."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from aabalance.engine import rng, sampling
from aabalance.engine.battle import columns
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.lanes import detail, rows, throws
from aabalance.engine.battle.terms import Terms
from aabalance.rulesets.base import Dice, Fighter, Gun, Strike

U, W = np.uint64, np.uint16
SPARE = 8
"""Lanes behind those in use."""


@pytest.mark.parametrize("base", [1, 2, 6, 36, 63, 64, 65, 180, 216, 1024])
def test_digit__is_the_whole_part_of_fraction_times_base(base: int) -> None:
    last = 2 ** rng.FRACTION_BITS.item() - 1
    edges = [-(-n * (last + 1) // base) + more for n in range(base) for more in (-1, 0, 1)]
    fractions = [n for n in (*edges, last) if 0 <= n <= last]
    found = [int(rng.digit(U(n), U(base))) for n in fractions]
    assert found == [n * base >> rng.FRACTION_BITS.item() for n in fractions]
    assert {0, base - 1} <= {*found}


def in_use(numbers: Any, count: int) -> Any:
    """A row with these numbers; the lanes behind them have numbers that no table does."""
    row = np.full(count + SPARE, 0xFFFF, dtype=W)
    row[:count] = numbers
    return row[: row.size // 4 * 4]


@pytest.mark.parametrize("count", range(1, 10))
def test_look_up_low__finds_in_each_lane_what_its_entry_ends_with(count: int) -> None:
    random = np.random.default_rng(count)
    strikes = 3
    entries = random.integers(0, 1 << 61, (strikes + 1) * columns.SIDE_UNITS, dtype=U)
    chosen, aim = random.integers(0, strikes + 1, count), random.integers(0, columns.SIDE_UNITS, count)
    low = in_use(0, count)
    lowest = (entries & columns.LANE) << U(16) * np.arange(4, dtype=U)[:, None]
    picked = in_use(chosen, count), in_use(aim, count), *[None] * 4
    throws.look_up_low(lowest, picked, low, (low.view(U), *[None] * 3), U(count))
    assert (low[:count] == entries[chosen * columns.SIDE_UNITS + aim] & columns.LANE).all()


@pytest.mark.parametrize("strikes", range(1, 6))
@pytest.mark.parametrize("count", [1, 3, 4, 6])
def test_regain_there__changes_the_gains_at_the_enemy_aimed_at_alone(strikes: int, count: int) -> None:
    random = np.random.default_rng(count)
    enemies, tough = 5, 34
    rank = random.integers(0, 1 << 16, (strikes, enemies, 1, tough), dtype=W)
    gains = random.integers(0, 1 << 16, (strikes, 6, count + SPARE), dtype=W)
    aim, left = random.integers(0, enemies, count), random.integers(0, tough, count)
    expected = gains.copy()
    expected[:, aim, range(count)] = rank[:, aim, 0, left]
    words = np.zeros((-(-strikes // 2), enemies * tough), dtype=U)
    for strike, ranks in enumerate(rank):
        words[strike // 2] |= ranks.ravel().astype(U) << U(16 * (strike % 2))
    after, pairs = in_use(left, count), np.zeros(16, dtype=np.uint32)
    wide = None, after.view(U), pairs.view(U), pairs
    ranks = np.stack([words, words << U(32)])
    with np.errstate(over="ignore"):
        throws.regain_there(ranks, tough, gains, in_use(aim, count), after, in_use(0, count), wide, U(count))
    assert (gains[:, :, :count] == expected[:, :, :count]).all()


def test_room__words_are_the_rows_that_they_stand_for() -> None:
    tank = fighter(strike())
    room = rows.room_for(Battle(((tank,), (tank,)), TERMS).sides, 1, 1)
    small, (fours_of_low, fours_of_after, twos, words) = room[10], room[12]
    for row, view, each in ((small[10], fours_of_low, 4), (small[1], fours_of_after, 4), (words, twos, 2)):
        row[each] = 7
        assert (view[0], view[1]) == (0, 7)


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
    log = run.rolls.log(np.array([0, 1, 0, 1, sampling.ROUNDS], dtype=U))
    assert log[:4, detail.LOSS].tolist() == [0, 1, 1, 1]
    assert (log[:4, detail.FIRST_DIGIT] >= 0).tolist() == [False, True, True, True]
