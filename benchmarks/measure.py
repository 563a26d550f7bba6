"""How the benchmarks measure: side by side, and what a machine is promised."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from statistics import median
from typing import Any, NamedTuple

TIMES = ("/s", "s", "s of CPU", "ms", "us", "ns")
"""Units of what depends on the machine: what is promised there is for orientation, and breaks nothing."""


class Row(NamedTuple):
    """A line of the table; `least` and `most` are what the engine promises.

    Without a value it says, in place of a unit, why it is left out.
    """

    what: str
    case: str
    value: float | None
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def kept(self) -> bool | None:
        """Whether the promise is kept; None if there is none."""
        if self.value is None or (self.least is None and self.most is None):
            return None
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def is_broken(self) -> bool:
        """Whether a promise isn't kept that holds on any machine."""
        return self.kept is False and self.unit not in TIMES

    @property
    def words(self) -> tuple[str, str, str, str, str]:
        """What, case, value, unit and promise."""
        value = "" if self.value is None else f"{self.value:.3g}" if abs(self.value) < 1000 else f"{self.value:.0f}"
        return self.what, self.case, value, self.unit, self._promise()

    def _promise(self) -> str:
        if self.kept is None:
            return ""
        signs = (">=", self.least), ("<=", self.most)
        bounds = ", ".join(f"{sign} {bound:g}" for sign, bound in signs if bound is not None)
        return f"{bounds}{', for orientation' if self.unit in TIMES else ''}: {'kept' if self.kept else 'not kept'}"


def show(rows: Iterable[Row]) -> None:
    """Print each line as soon as it is measured; end the program with 1 if one is broken."""
    broken = False
    for row in rows:
        print(*row.words, sep="  ", flush=True)
        broken = broken or row.is_broken
    if broken:
        sys.exit(1)


class Effort(NamedTuple):
    """How much to measure.

    Attributes
    ----------
    rounds, slow_rounds : int
        Rounds of what takes milliseconds, and of what takes seconds.
    trials, plain_trials : int
        Duels, and duels in plain Python.
    largest : int
        Power of ten of the most duels.
    processes : int
        Processes that start with everything compiled.
    battle_seconds : float
        What a piece of work with battles takes.
    changes, followed : int
        Changes in the explorer, and those after which what takes long is waited for.
    matches, plain_matches : int
        Matches, and matches in plain Python.
    rosters : int
        Made-up rosters.
    full : bool
        All cases, and promises about what few repetitions say little of.
    """

    rounds: int
    slow_rounds: int
    trials: int
    plain_trials: int
    largest: int
    processes: int
    battle_seconds: float
    changes: int
    followed: int
    matches: int
    plain_matches: int
    rosters: int
    full: bool


FULL = Effort(
    rounds=9,
    slow_rounds=9,
    trials=10**6,
    plain_trials=2000,
    largest=7,
    processes=5,
    battle_seconds=0.1,
    changes=400,
    followed=8,
    matches=40,
    plain_matches=3,
    rosters=50,
    full=True,
)
QUICK = Effort(
    rounds=9,
    slow_rounds=3,
    trials=10**5,
    plain_trials=300,
    largest=6,
    processes=1,
    battle_seconds=0.03,
    changes=60,
    followed=3,
    matches=10,
    plain_matches=1,
    rosters=3,
    full=False,
)


def interleaved(
    work: Mapping[str, Callable[[], Any]], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[str, float]:
    """Return the median seconds of each piece of work, all run once per round after a first one.

    Other work on the machine hardly changes seconds of CPU, which the usual `clock` counts.
    """
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds + 1):
        for name, piece in work.items():
            start = clock()
            piece()
            times[name].append(clock() - start)
    return {name: median(warm(found)) for name, found in times.items()}


def warm(times: list[float]) -> list[float]:
    """Return the times without the first, in which much is compiled or read, unless there is no other."""
    return times[1:] or times


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
