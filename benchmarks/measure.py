"""How the benchmarks measure: side by side, and what a machine is promised."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any, NamedTuple


class Row(NamedTuple):
    """A line of the table; `least` and `most` are what the engine promises."""

    what: str
    case: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def kept(self) -> bool | None:
        """Whether the promise is kept; None if there is none."""
        if self.least is None and self.most is None:
            return None
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)


class Effort(NamedTuple):
    """How much to measure; battles for so many seconds a piece of work; so many changes in the explorer."""

    rounds: int
    trials: int
    plain_trials: int
    largest: int
    processes: int
    battle_seconds: float
    changes: int


FULL = Effort(rounds=9, trials=10**6, plain_trials=2000, largest=7, processes=5, battle_seconds=0.1, changes=400)
QUICK = Effort(rounds=9, trials=10**5, plain_trials=300, largest=6, processes=1, battle_seconds=0.03, changes=60)


def interleaved(
    work: Mapping[str, Callable[[], Any]], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Return the median seconds of each piece of work, all run once per round after one round that doesn't count."""
    times: dict[str, list[float]] = {name: [] for name in work}
    for n in range(rounds + 1):
        for name, piece in work.items():
            start = clock()
            piece()
            if n:
                times[name].append(clock() - start)
    return {name: median(found) for name, found in times.items()}


def starts(program: str, processes: int) -> tuple[float, float]:
    """Return the seconds of CPU of a fresh process that has to compile what it needs, and of later ones.

    Windows doesn't tell them of a process that has ended: they are 0 there.
    """
    with tempfile.TemporaryDirectory() as folder:
        # platformdirs' folders of Linux, Windows and macOS.
        places = {"XDG_CACHE_HOME": folder, "LOCALAPPDATA": folder, "WIN_PD_OVERRIDE_LOCAL_APPDATA": folder}
        environment = os.environ | places
        environment.pop("NUMBA_CACHE_DIR", None)

        def start() -> float:
            before = os.times()
            subprocess.run([sys.executable, "-c", program], check=True, env=environment)
            after = os.times()
            return after.children_user + after.children_system - before.children_user - before.children_system

        return start(), median(start() for _ in range(processes))


def features() -> dict[str, bool]:
    """Return what the processor can do."""
    import llvmlite.binding as llvm

    return dict(llvm.get_host_cpu_features())


def wide() -> bool:
    """Return whether there are 512-bit vectors."""
    return features().get("avx512f", False)


def least_if_wide(ratio: float) -> float | None:
    """Return what is promised of a machine with 512-bit vectors; nothing is of another."""
    return ratio if wide() else None
