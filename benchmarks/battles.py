"""How fast battles are: the kernel beside its twins, in thread CPU time, and the exact solver."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit, sampling
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.lanes import detail, kernel
from aabalance.engine.battle.lanes.rolls import Rolls
from aabalance.engine.battle.ordered.payoffs import SCORE
from aabalance.engine.battle.ordered.solve import solve
from aabalance.engine.battle.packing import packed
from benchmarks import battle_cases, plain_battles, raw_words, scalar_battles
from benchmarks.battle_cases import (
    CASES,
    EQUAL,
    GROWTH,
    MIXED,
    Case,
    Fight,
    added,
    both,
    even,
    fight,
    mixed,
)
from benchmarks.battle_tables import POLICIES
from benchmarks.measure import FULL, Effort, Row, interleaved, least_if_wide, starts, wide

COUNTED = 4096
"""Battles by whose mean strikes and blocks of words are counted."""
QUICK_CASE = "5v5 value"
FIRST_BATTLE = """
from aabalance import Game
Game().battle("de_pz4h*3", "us_m4a1*3", range_in=18, actions=5, simulate=1000)
"""

ROOT = Path(__file__).resolve().parents[1]
NARROW = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi,+bmi2"}


def rows(effort: Effort) -> list[Row]:
    """Measure battles; a quick run one of them alone."""
    if not effort.full:
        return _Compared.of(QUICK_CASE, effort).rows()
    return [
        *_case_rows(effort),
        *_growth_rows(effort),
        *_added_rows(effort),
        *_mixed_rows(effort),
        *_narrow_rows(),
        *_exact_rows(effort),
        *_start_rows(effort),
    ]


class _Length(NamedTuple):
    """What one battle is made of, on average."""

    strikes: float
    blocks: float


@cache
def _length(case: Case) -> _Length:
    made = fight(case)
    counts = scalar_battles.rolled(made.tables, made.key, 0, COUNTED)
    return _Length(counts.strikes / COUNTED, counts.blocks / COUNTED)


def _seconds(work: dict[str, Callable[[int], Any]], effort: Effort) -> dict[str, float]:
    """Return the median seconds of one battle of each piece of work, which is given how many to roll."""
    trials = {name: _enough(piece, effort.battle_seconds) for name, piece in work.items()}
    pieces = {name: lambda piece=piece, n=trials[name]: piece(n) for name, piece in work.items()}
    times = interleaved(pieces, effort.rounds, time.thread_time)
    return {name: times[name] / trials[name] for name in work}


def _enough(piece: Callable[[int], Any], seconds: float) -> int:
    """Return how many battles take about so many seconds."""
    # Compiles, so that what is timed is rolling.
    piece(1)
    trials, taken = 16, 0.0
    while taken < seconds / 4:
        trials *= 4
        start = time.thread_time()
        piece(trials)
        taken = time.thread_time() - start
    return round(trials * seconds / taken)


def _kernel(made: Fight) -> Callable[[int], Any]:
    return lambda trials: sampling.simulate(made.run, 0, trials)


class _Compared(NamedTuple):
    """Seconds of a case's battle as each rolls it, and of its random words alone."""

    case: str
    kernel: float
    scalar: float
    plain: float
    raw: float

    @classmethod
    def of(cls, name: str, effort: Effort) -> _Compared:
        """Measure a case."""
        made, length = fight(CASES[name]), _length(CASES[name])
        seconds = _seconds(
            {
                "kernel": _kernel(made),
                "scalar": lambda trials: scalar_battles.rolled(made.tables, made.key, 0, trials),
                "plain": lambda trials: plain_battles.rolled(made.field, made.key, 0, trials),
                "raw": lambda trials: raw_words.draw(made.key, round(trials * length.blocks)),
            },
            effort,
        )
        return cls(name, **seconds)

    def rows(self) -> list[Row]:
        """Return the lines of the case."""
        strikes = _length(CASES[self.case]).strikes
        return [
            Row("battle kernel", self.case, self.kernel * 1e9, "ns/battle"),
            Row("battle kernel", self.case, self.kernel / strikes * 1e9, "ns/shot"),
            Row("battle kernel v plain Python", self.case, self.plain / self.kernel, "x"),
            Row("battle kernel v its scalar form", self.case, self.scalar / self.kernel, "x"),
            Row("battle kernel: time v its words alone", self.case, self.kernel / self.raw, "x"),
        ]


def _case_rows(effort: Effort) -> list[Row]:
    found = [_Compared.of(name, effort) for name in CASES]
    by_value = [one for one in found if CASES[one.case].policy == "value"]
    in_order = [one for one in found if one not in by_value]
    found_rows = [row for one in found for row in one.rows()]
    for policies, group, plain, scalar in (
        ("median, list_order and focus", in_order, 500, 6),
        ("median, value", by_value, 800, 8),
    ):
        v_plain = median(one.plain / one.kernel for one in group)
        v_scalar = median(one.scalar / one.kernel for one in group)
        found_rows += [
            Row("battle kernel v plain Python", policies, v_plain, "x", least=least_if_wide(plain)),
            Row("battle kernel v its scalar form", policies, v_scalar, "x", least=scalar if wide() else 3),
        ]
    v_raw = median(one.kernel / one.raw for one in found)
    return [
        *found_rows,
        Row("battle kernel: time v its words alone", "median", v_raw, "x", most=18 if wide() else None),
    ]


def _growth_rows(effort: Effort) -> list[Row]:
    found_rows = []
    for policy in POLICIES:
        cases = {size: even(size, policy) for size in GROWTH}
        seconds = _seconds({str(size): _kernel(fight(case)) for size, case in cases.items()}, effort)
        shots = {size: seconds[str(size)] / _length(case).strikes for size, case in cases.items()}
        for size in GROWTH:
            name = f"{size}v{size} {policy}"
            found_rows += [
                Row("growth with units", name, seconds[str(size)] * 1e9, "ns/battle"),
                Row("growth with units", name, shots[size] * 1e9, "ns/shot"),
            ]
        found_rows.append(Row("a shot of 10v10 v one of 5v5", policy, shots[10] / shots[5], "x", most=1.5))
    return found_rows


def _added_rows(effort: Effort) -> list[Row]:
    found_rows = []
    for policy in POLICIES:
        for what, (case, without) in added(policy).items():
            seconds = _seconds({"with": _kernel(fight(case)), "without": _kernel(fight(without))}, effort)
            shots = seconds["with"] / _length(case).strikes, seconds["without"] / _length(without).strikes
            found_rows += [
                Row(f"battle kernel: {what}", policy, shots[0] * 1e9, "ns/shot"),
                Row(f"battle kernel: a shot, {what} v without", policy, shots[0] / shots[1], "x"),
            ]
    return found_rows


def _mixed_rows(effort: Effort) -> list[Row]:
    """Measure mixed lists with scouts beside as many units of one gun: the kernel's twins know no help."""
    found_rows = []
    for size, most in MIXED.items():
        made = {name: battle_cases.packed(make(size, "value")) for name, make in (("mixed", mixed), ("even", even))}
        seconds = _seconds({name: _of_rolls(battle.rolls(0)) for name, battle in made.items()}, effort)
        actions = {name: seconds[name] / _actions(battle) for name, battle in made.items()}
        ratio, name = actions["mixed"] / actions["even"], f"{size}v{size} value"
        found_rows += [
            Row("battle kernel: mixed lists with scouts", name, actions["mixed"] * 1e9, "ns/action"),
            Row("battle kernel: an action, mixed lists v one gun a unit", name, ratio, "x", most=most),
        ]
    return found_rows


def _of_rolls(rolls: Rolls) -> Callable[[int], Any]:
    return lambda trials: rolls.roll(np.array([[0, 1, 0, trials, sampling.ROUNDS]], dtype=np.uint64))


def _actions(battle: Battle) -> float:
    """Return the actions of a battle on average."""
    rolls = battle.rolls(0, detailed=True)
    counts = rolls.roll(np.array([[0, 1, 0, COUNTED, sampling.ROUNDS]], dtype=np.uint64))[0]
    spent = detail.record(counts[kernel.TALLY :], *rolls.units).actions
    return float(sum(of_side.sum() for of_side in spent)) / COUNTED


def _narrow_rows() -> list[Row]:
    """Measure with the vectors of an older processor, in a process of its own."""
    if not wide():
        return []
    program = [sys.executable, "-m", __name__]
    found = subprocess.run(program, check=True, env=os.environ | NARROW, cwd=ROOT, capture_output=True, text=True)
    v_scalar = median(json.loads(found.stdout))
    return [Row("battle kernel v its scalar form", "256-bit vectors, median of 5v5", v_scalar, "x", least=3)]


def _v_scalar(effort: Effort) -> list[float]:
    found = [_Compared.of(f"5v5 {policy}", effort) for policy in POLICIES]
    return [one.scalar / one.kernel for one in found]


EXACT = {
    "ordered, 5v5 list_order": (even(5, "list_order"), 1, 300),
    "ordered, 10v10 list_order": (even(10, "list_order"), 1, 2000),
    "equal units, 5v5 of 6 hits, list_order": (Case(EQUAL, "list_order"), 5, 20),
}
"""Cases of the exact solver, how often each unit is there, and how many microseconds a battle may take together with
all smaller ones."""
AT_ONCE = 16
"""Battles solved in one call."""
EXACT_ROUNDS = 99


def _exact_rows(effort: Effort) -> list[Row]:
    found_rows = []
    for name, (case, times, most) in EXACT.items():
        forces, terms = both(case)
        # As listed, which is how they fall.
        orders = np.repeat(range(len(forces[0])), times).tolist(), np.repeat(range(len(forces[1])), times).tolist()
        solving: list[float] = []
        packing: list[float] = []
        for _ in range(EXACT_ROUNDS):
            start = time.thread_time()
            made = packed(forces, terms.limits, (None, None))
            packing.append(time.thread_time() - start)
            solve([(made, orders)] * AT_ONCE, terms, (SCORE,), partial(_timed, solving))
        found_rows += [
            Row("exact battle", name, median(solving[1:]) / AT_ONCE * 1e6, "us", most=most),
            Row("exact battle: its tables", name, median(packing) * 1e6, "us"),
        ]
    return found_rows


def _timed(seconds: list[float], function: Callable[..., Any]) -> Callable[..., None]:
    """Return a compiled function that notes how long it runs: without what Python does before and after."""
    compiled = jit.compiled(function)

    def run(*given: Any) -> None:
        start = time.thread_time()
        compiled(*given)
        seconds.append(time.thread_time() - start)

    return run


def _start_rows(effort: Effort) -> list[Row]:
    first, warm = starts(FIRST_BATTLE, effort.processes)
    return [
        Row("first simulated battle, nothing compiled yet", "process", first, "s of CPU", most=7),
        Row("simulated battle, compiled before", "process", warm, "s of CPU", most=1.2),
    ]


if __name__ == "__main__":
    print(json.dumps(_v_scalar(FULL)))
