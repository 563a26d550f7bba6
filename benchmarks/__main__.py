"""`python -m benchmarks`: how fast the engine is, as ratios measured side by side.

Times of one machine drift by a factor of two, so what is compared runs in turn within one process, round after round,
and medians are divided.
"""

from __future__ import annotations

import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from statistics import median
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from aabalance import Game
from aabalance.engine import grid, rng, sampling
from aabalance.engine.fights import Fights, Rolls, Tables
from aabalance.engine.hit_points.kernel import SIDE_DIGITS
from aabalance.engine.hit_points.layout import GROUP_FIELDS, GROUPS, GROUPS_AT
from aabalance.provenance import sources_hash
from benchmarks import (
    battles,
    board_worth,
    explorer,
    icepool_odds,
    lists,
    matches,
    numpy_duels,
    plain_duels,
    raw_words,
    recovery,
    scalar_duels,
)
from benchmarks.matchups import MATCHUPS, RANGE_IN, ROUNDS, SEED, Matchup, matchup
from benchmarks.measure import FULL, QUICK, Effort, Row, features, interleaved, least_if_wide, starts, wide

FIELD = 100
"""Units of the batch, each against each."""
BATCH_TRIALS = 1000
THREAD_TRIALS = 10**7
ALONE = 0.95
"""Share of the processors that threads get where hardly anything else runs."""
FIRST_DUEL = """
from aabalance import Game
Game().duel("de_pz4h", "us_m4a1", range_in=18, simulate=1000)
"""


@click.command()
@click.option("--quick", is_flag=True, help="Fewer trials and cases: a minute or two.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(quick: bool, as_json: bool) -> None:
    """Measure the engine against its baselines, as ratios, side by side in one run.

    The exit code is 1 if a ratio isn't what is promised; what is promised of times is for orientation.
    """
    effort = QUICK if quick else FULL
    machine = _machine()
    measured = [row for part in PARTS for row in part(effort)]
    if as_json:
        lines = [row._asdict() | {"kept": row.kept} for row in measured]
        print(json.dumps({"machine": machine, "rows": lines}, indent=1))
    else:
        _print(machine, measured)
    if any(row.is_broken for row in measured):
        sys.exit(1)


def rows(effort: Effort) -> Iterator[Row]:
    """Measure duels."""
    for name in MATCHUPS:
        yield from _duel_rows(name, effort)
    for power in range(3, effort.largest + 1):
        yield _growth_row(10**power, effort)
    yield from _batch_rows(effort)
    yield from _thread_rows(effort)
    yield from _start_rows(effort)


PARTS: tuple[Callable[[Effort], Iterable[Row]], ...] = (
    rows,
    *(part.rows for part in (battles, matches, lists, recovery, board_worth, explorer)),
)


def _duel_rows(name: str, effort: Effort) -> list[Row]:
    found = matchup(name)
    n, fewer, few = effort.trials, effort.trials // 4, effort.plain_trials
    generator = np.random.default_rng(SEED)
    blocks = _blocks(found, n)
    work = {
        "kernel": (n, lambda: sampling.simulate(found.run, 0, n)),
        "raw": (n, lambda: raw_words.draw(found.run.key, blocks)),
        "scalar": (fewer, lambda: scalar_duels.duels(found.run, 0, fewer)),
        "numpy": (fewer, lambda: numpy_duels.by_rules(found.tanks, RANGE_IN, fewer, ROUNDS, generator)),
        "numpy_tables": (fewer, lambda: numpy_duels.by_tables(found.tables, fewer, ROUNDS, generator)),
        "plain": (few, lambda: plain_duels.duels(found.tanks, RANGE_IN, few, ROUNDS, random.Random(SEED))),
        "exact": (1, lambda: found.duel.solve()),
        "icepool": (1, lambda: icepool_odds.duel(found.tables)),
    }
    times = interleaved({key: piece for key, (_, piece) in work.items()}, effort.rounds)
    each = {key: times[key] / work[key][0] for key in work}
    kernel, v_plain = each["kernel"], None if name == "M2" else least_if_wide(450)
    return [
        Row("duel kernel", name, kernel * 1e9, "ns/duel"),
        Row("duel kernel: time v all its words alone", name, kernel / each["raw"], "x"),
        Row("duel kernel v NumPy", name, each["numpy"] / kernel, "x", least=least_if_wide(7 if name == "M2" else 12)),
        Row("duel kernel v NumPy, tuned, over the kernel's tables", name, each["numpy_tables"] / kernel, "x"),
        Row("duel kernel v plain Python", name, each["plain"] / kernel, "x", least=v_plain),
        Row("duel kernel v its scalar form", name, each["scalar"] / kernel, "x", least=3 if wide() else 2),
        Row("exact duel, not compiled", name, each["exact"] * 1e6, "us"),
        Row("exact duel, not compiled: rolled duels of equal time", name, each["exact"] / kernel, "duels"),
        Row("exact duel, not compiled, v icepool", name, each["icepool"] / each["exact"], "x"),
    ]


def _blocks(found: Matchup, trials: int) -> int:
    """Return the blocks of two words of all rounds of `trials` duels that end."""
    ends = np.array(found.duel.ending_turns(ROUNDS))
    rounds = float(ends @ (np.arange(2 * ROUNDS) // 2 + 1)) / ends.sum()
    groups = found.tables.sides[0, :, GROUPS_AT:].reshape(2, GROUPS, GROUP_FIELDS)
    digits = int((groups[:, :, 0] * (1 + groups[:, :, 1])).sum(axis=1).max())
    return round(trials * rounds * -(-digits // SIDE_DIGITS) / 2)


def _growth_row(trials: int, effort: Effort) -> Row:
    run = matchup("M1").run
    seconds = interleaved({"kernel": lambda: sampling.simulate(run, 0, trials)}, effort.rounds)["kernel"]
    return Row("growth with trials", f"M1, {trials:.0e}", seconds / trials * 1e9, "ns/duel")


def _batch_rows(effort: Effort) -> list[Row]:
    """Holding units of the roster, each against each."""
    game = Game()
    cards = [card for card in game.cards.values() if card.class_ != "infantry"][:FIELD]
    at = [game.moment(range_in=18)]
    hp = np.array([game.ruleset.toughness(card) for card in cards])

    def pairs(count: int) -> tuple[Tables, list[Any]]:
        side = round(count**0.5)
        made = grid.grid(game.ruleset, cards[:side], cards[:side], at, game.variant)
        plan = made.plan[:, :, 0]
        life = np.broadcast_to(hp[:side], plan.shape)
        columns = plan, plan.T, life.T, life
        return made.tables, [np.ascontiguousarray(column.ravel()) for column in columns]

    def fights(tables: Tables, columns: list[Any]) -> Fights:
        return tables.fights(*columns)

    def rolled(made: Fights, count: int) -> tuple[Rolls, Any]:
        return made.rolls(), rng.stream_keys(SEED, [str(name) for name in range(count)])

    n = FIELD * FIELD
    tables, columns = pairs(n)
    rolls, keys = rolled(fights(tables, columns), n)
    times = interleaved(
        {
            "solve": lambda: fights(tables, columns).solve(),
            "solve all": lambda: fights(*pairs(n)).solve(),
            "roll": lambda: sampling.roll(rolls, keys, BATCH_TRIALS),
            "roll all": lambda: sampling.roll(*rolled(fights(*pairs(n)), n), BATCH_TRIALS),
        },
        effort.slow_rounds,
    )
    case = f"{n:.0e} matchups"
    rows = [
        Row("exact duel in a batch, tables included", case, times["solve all"] / n * 1e6, "us", most=15),
        Row("exact duel in a batch, tables made", case, times["solve"] / n * 1e6, "us"),
        Row(
            f"{BATCH_TRIALS} trials each: tables included v made", case, times["roll all"] / times["roll"], "x", most=2
        ),
    ]

    def growth(count: int) -> Row:
        ready, names = rolled(fights(*pairs(count)), count)
        seconds = interleaved({"roll": lambda: sampling.roll(ready, names, BATCH_TRIALS)}, 3)["roll"]
        duels = len(names) * BATCH_TRIALS
        return Row("growth with matchups", f"{len(names)} x {BATCH_TRIALS}", seconds / duels * 1e9, "ns/duel")

    return [*rows, *(growth(side * side) for side in (3, 10, 30, FIELD))]


def _thread_rows(effort: Effort) -> list[Row]:
    run, n = matchup("M1").run, THREAD_TRIALS
    busy: list[float] = []

    with sampling.threads() as pool:

        def shared() -> None:
            wall, cpu = time.perf_counter(), time.process_time()
            sampling.simulate(run, 0, n, executor=pool)
            busy.append((time.process_time() - cpu) / (time.perf_counter() - wall))

        work = {"one": lambda: sampling.simulate(run, 0, n), "all": shared}
        times = interleaved(work, effort.rounds, time.perf_counter)
    workers, got = os.cpu_count() or 1, median(busy)
    case = f"M1, {n:.0e}"
    # Short of the number of threads, other work had the cores, and the ratio says little.
    least = 1.7 if workers == 2 and got > ALONE * workers else None
    return [
        Row(f"{workers} threads v one", case, times["one"] / times["all"], "x", least=least),
        Row("processors that the threads got", case, got, ""),
    ]


def _start_rows(effort: Effort) -> list[Row]:
    first, warm = starts(FIRST_DUEL, effort.processes)
    return [
        Row("first simulated duel, nothing compiled yet", "process", first, "s of CPU", most=5),
        Row("simulated duel, compiled before", "process", warm, "s of CPU", most=1.2),
    ]


def _machine() -> dict[str, Any]:
    import llvmlite.binding as llvm
    import numba

    has = features()
    width = next((bits for name, bits in (("avx512f", 512), ("avx2", 256), ("avx", 256)) if has.get(name)), 128)
    return {
        "cpu": llvm.get_host_cpu_name(),
        "vector_bits": width,
        "processors": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "sources": sources_hash(),
    }


def _print(machine: Mapping[str, Any], rows: list[Row]) -> None:
    lines = [row.words for row in rows]
    head = f"{machine['cpu']}, {machine['vector_bits']}-bit vectors, {machine['processors']} processors"
    titles = ("measured", "case", "value", "", "promised")
    if sys.stdout.isatty():
        table = Table(*titles, title=head)
        for line in lines:
            table.add_row(*line)
        Console().print(table)
        return
    print(head)
    widths = [max(len(line[n]) for line in (titles, *lines)) for n in range(len(titles))]
    for line in (titles, *lines):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
