"""Sweeps beyond one process: ``python -m benchmarks.scale [tasks|reports|processes|dask]``, on an idle machine.

Reports with an empty store, after an edit of one card, and with nothing changed; two workers against two processes that
know nothing of each other; dask against as many plain processes; what a task costs besides its work, and its memory.
Every section takes some minutes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aabalance as aab
from aabalance.analysis import cells
from aabalance.analysis.matchups import matchups
from aabalance.analysis.sensitivity import sensitivity
from aabalance.definitions.settings import alternatives
from aabalance.jobs import sweeps

EDITS = ("su_t34_43.hp=33", "de_tiger1.hp=50")
"""A card of the roster, which becomes like no other, and one that is in the lists of the report's battles, too."""
UNITS = (33, 65, 131, 262, 393)
WORKERS = 2
HALF = """
import json, sys
from benchmarks import scale
scale.readings(json.loads(sys.argv[1]))
"""


def reports() -> None:
    """Write a report cold, after edits, and unchanged; each in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, words in (("cold", []), *((edit, ["--set", edit]) for edit in EDITS), ("no change", [])):
            command = [sys.executable, "-c", "from aabalance.cli import main; main()", "report", *words]
            environment = {**os.environ, "AABALANCE_CACHE": str(Path(folder) / "kept"), "MPLBACKEND": "Agg"}
            began = time.perf_counter()
            out = ["--out", str(Path(folder) / "out")]
            subprocess.run([*command, *out], check=True, env=environment, stdout=subprocess.DEVNULL)
            said(f"report, {name}", time.perf_counter() - began)


def processes() -> None:
    """Work out all readings of the rules in two workers, and halves of them in two processes apart."""
    game = aab.Game()
    switches = {name: values for name, values in alternatives(game.variant).items() if values}
    halves = [dict(list(switches.items())[part::WORKERS]) for part in range(WORKERS)]
    began = time.perf_counter()
    apart = [subprocess.Popen([sys.executable, "-c", HALF, json.dumps(half)]) for half in halves]
    if any(process.wait() for process in apart):
        raise SystemExit("a process failed")
    of_two = said("two unconnected processes", time.perf_counter() - began)
    with sweeps.processes(WORKERS) as executor:
        of_pool = said("--workers 2", swept(executor, switches))
    print(f"{'  of what two unconnected ones do':<40} {of_two / of_pool:8.2f}  (at least .85)")


def dask() -> None:
    """Work out the same on a cluster of this machine, and in plain processes."""
    from distributed import Client

    switches = {name: values for name, values in alternatives(aab.Game().variant).items() if values}
    with sweeps.processes(WORKERS) as executor:
        swept(executor, {})  # workers have started, and loaded their loops
        of_pool = said("plain processes", swept(executor, switches))
    with cluster(WORKERS) as local, Client(local) as client:
        swept(client.get_executor(), {})
        of_dask = said("dask", swept(client.get_executor(), switches))
    print(f"{'  overhead':<40} {of_dask / of_pool - 1:8.1%}  (at most 10 %)")


def tasks() -> None:
    """Say what tasks of more and more units, each against each, take in a worker of their own, and its memory.

    Rosters larger than ours have their cards again, under other ids.
    """
    game = aab.Game()
    situations = aab.Situations.standard(game)
    back = cells.mirrored(game.ruleset, situations)
    terms = cells.CellTerms(game.ruleset.name, game.variant, situations.moments, back)
    whole = list(game.cards.values())
    roster = [whole[at % len(whole)].model_copy(update={"id": f"unit{at}"}) for at in range(max(UNITS))]
    for count in UNITS:
        with sweeps.processes(1) as executor:
            executor.submit(task, terms, roster[:2]).result()  # the worker has started, and loaded its loops
            began = time.perf_counter()
            seconds, _ = executor.submit(task, terms, roster[:count]).result()
            sent = time.perf_counter() - began
            memory = executor.submit(peak).result()
        said(f"{count} units: CPU", seconds)
        said(f"{count} units: sent to a worker", sent)
        print(f"{'  of a cell':<40} {seconds / count**2 * 1e6:8.0f} us")
        print(f"{'  memory, at most':<40} {memory / 1e6:8.0f} MB", flush=True)


def task(terms: cells.CellTerms, units: list[Any]) -> tuple[float, Any]:
    """Return the processor's seconds of a task, and what it finds."""
    began = time.process_time()
    found = cells.cells(terms, units, units)
    return time.process_time() - began, found


def readings(switches: dict[str, Any]) -> None:
    """Work out readings of the rules in the standard situations, with a wall before the target in half of them.

    All of them are more than a minute of work.
    """
    game = aab.Game()
    sensitivity(
        game, aab.Situations.of(game, {**game.definition.situations, "walls": {"0": 0.5, "1": 0.5}}), switches=switches
    )


def swept(executor: Any, switches: dict[str, Any]) -> float:
    """Return the seconds that readings take in workers."""
    began = time.perf_counter()
    with aab.sweeping(executor=executor):
        readings(switches) if switches else matchups(aab.Game())
    return time.perf_counter() - began


@contextmanager
def cluster(workers: int) -> Iterator[Any]:
    """Give a dask cluster of this machine whose workers are set as `docs/scale.md` says."""
    import dask as settings
    from distributed import LocalCluster

    memory = {f"distributed.worker.memory.{way}": False for way in ("spill", "target", "pause", "terminate")}
    lean: dict[str, Any] = {"distributed.worker.profile.enabled": False}
    lean["distributed.nanny.pre-spawn-environ"] = {"MALLOC_TRIM_THRESHOLD_": None}
    with (
        settings.config.set(memory | lean),
        LocalCluster(workers, threads_per_worker=1, dashboard_address=None) as local,
    ):
        yield local


def peak() -> int:
    """Return the most memory that this process has taken, in bytes; Linux counts kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def said(what: str, seconds: float) -> float:
    """Print how long something took, and return it."""
    print(f"{what:<40} {seconds:8.2f} s", flush=True)
    return seconds


if __name__ == "__main__":
    sections = {section.__name__: section for section in (tasks, reports, processes, dask)}
    for name in sys.argv[1:] or sections:
        sections[name]()
