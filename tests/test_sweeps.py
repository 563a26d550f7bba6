"""Tables that are worked out in tasks, kept, and gone on with, wherever the tasks are done."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future
from contextlib import closing, suppress
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import small
from click.testing import CliRunner
from matplotlib import rc_context
from pandas.testing import assert_frame_equal
from pydantic import BaseModel
from test_report import BATTLES, DEFINITION

import aabalance as aab
from aabalance import rulesets
from aabalance.analysis import cells
from aabalance.cli import main
from aabalance.definitions import report as spec
from aabalance.errors import Fault
from aabalance.files import data_folder
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job, sources_of, tasks
from aabalance.jobs.store import FILE, Entry, Store
from aabalance.pricing import board_matches, results
from aabalance.report import build, pictures
from aabalance.report.plots import canvas, rows
from aabalance.rulesets import OURS

pytestmark = pytest.mark.slow

FIRST = {"range_in": {1: 0.5, 4: 0.5}}
EDIT = "{}.firepower.foot={}"


class Counted:
    """Counts the cells that are worked out, in place of `cells.cells`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[tuple[int, int, bool]] = []
        work = cells.cells

        def counted(terms: Any, attackers: Any, targets: Any, both: bool = False) -> Any:
            self.asked.append((len(attackers), len(targets), both))
            return work(terms, attackers, targets, both)

        monkeypatch.setattr(cells, "cells", counted)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


def few(game: aab.Game) -> list[str]:
    units = [i for i, card in game.cards.items() if getattr(card, "kind", "") not in ("obstacle", "aircraft")]
    return units[:: max(1, len(units) // 5)][:5]


def table(game: aab.Game, **more: Any) -> str:
    units = few(game)
    found: str = aab.matchups(game, aab.Situations.of(game, FIRST), attackers=units, targets=units, **more).to_csv(
        float_format="%.17g"
    )
    return found


# --- what is kept


def test_board_matches__depend_on_the_sources_of_their_game() -> None:
    terms = board_matches.BoardTerms.of(aab.Game("forumini").match_question(board="crossroads"), 0, 1)
    assert sources_of(terms)[-1] == rulesets.sources("forumini")


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("rolls", [{}, {"simulate": 300, "seed": 2}])
def test_sweeping__a_second_run_asks_nobody_and_has_the_same_bytes(
    name: str, rolls: dict[str, int], tmp_path: Path, counted: Counted
) -> None:
    game = aab.Game(name)
    alone = table(game, **rolls)
    for _ in range(2):
        counted.asked.clear()
        with aab.sweeping(cache=tmp_path):
            assert table(game, **rolls) == alone
    assert counted.asked == []


def _hit_points(settings: Any, rows: Any, columns: Any) -> list[bytes]:
    return [str(card.hp).encode() for card in rows]


def test_run__cards_that_are_gone_lend_their_results_to_no_later_ones(tmp_path: Path) -> None:
    """Digests are kept by the ids of cards, which come again once a card is gone: one in 40 had another's result."""
    tiger = aab.Game().cards["de_tiger1"]
    jobs = (Job(_hit_points, None, [tiger.model_copy(update={"hp": hp})], threaded=True) for hp in range(1, 200))
    with aab.sweeping(cache=tmp_path):
        assert [int(found[0, 0]) for found in sweeps.run(jobs)] == list(range(1, 200))


def test_sweeping__after_an_edit_only_the_row_and_the_column_of_the_card_are_asked_for(
    tmp_path: Path, counted: Counted
) -> None:
    game = aab.Game("skirmish_wars")
    unit = few(game)[2]
    edited = game.with_(changes=[EDIT.format(unit, 3)])
    alone = table(edited)
    with aab.sweeping(cache=tmp_path):
        before = table(game)
        counted.asked.clear()
        assert table(edited) == alone != before
        assert counted.asked == [(5, 1, True)]
        counted.asked.clear()
        # Neither its name nor its price bears on how it fights.
        other = game.with_(changes=[f"{unit}.name=Another", f"{unit}.{game.ruleset.labels.currency}=7"])
        assert table(other) != before
        assert counted.asked == []


@pytest.mark.parametrize(
    ("name", "file", "asked"),
    [
        ("skirmish_wars", "terrain_chart.csv", True),
        ("forumini", "match/terrain.toml", True),
        ("forumini", "facts.csv", False),
        ("skirmish_wars", "units.toml", False),
        ("skirmish_wars", "boards/last_stand.toml", False),
    ],
)
def test_sweeping__after_an_edit_of_a_chart_nothing_kept_is_taken(
    name: str, file: str, asked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: Counted
) -> None:
    """A kept result names its cards and its board. Charts have no name in it: each edit of one counts."""
    game, charts = aab.Game(name), Path(shutil.copytree(data_folder("unitdb") / name, tmp_path / name))
    monkeypatch.setattr(rulesets, "data_folder", lambda _: tmp_path)
    for edit in (False, True):
        rulesets._charts_hash.cache_clear()  # it holds for a process, as charts do
        counted.asked.clear()
        if edit:
            (charts / file).write_bytes((charts / file).read_bytes() + b"\n")
        with aab.sweeping(cache=tmp_path / "kept"):
            table(game)
    assert bool(counted.asked) == asked


def test_sweeping__rolls_of_another_seed_and_another_reading_are_others(tmp_path: Path, counted: Counted) -> None:
    game = aab.Game()
    with aab.sweeping(cache=tmp_path):
        tables = [
            table(game),
            table(game.with_(variant="two_dice")),
            *(table(game, simulate=100, seed=seed) for seed in (1, 2)),
            table(game, simulate=101, seed=1),
        ]
    assert len(set(tables)) == len(counted.asked) == 5


# --- results that can't be trusted


def changed(folder: Path, statement: str) -> list[tuple[Any, ...]]:
    """Run a statement on the database of a store; return what it gives."""
    database = sqlite3.connect(folder / FILE)
    with closing(database), database:
        return database.execute(statement).fetchall()


def entries(folder: Path) -> list[tuple[Any, ...]]:
    """Return the entries of a store: row, key, columns and cells."""
    if not (folder / FILE).exists():
        return []
    with suppress(sqlite3.OperationalError):  # it is just being made
        return changed(folder, "SELECT rowid, key, columns, cells FROM results ORDER BY rowid")
    return []


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE results SET cells = substr(cells, 2)",
        "UPDATE results SET cells = x''",
        "UPDATE results SET cells = cast(substr(cells, 1, 9) || x'00' || substr(cells, 11) AS BLOB)",
        "UPDATE results SET columns = cast(substr(columns, 17) || substr(columns, 1, 16) AS BLOB)",
        "UPDATE results SET cells = cast(x'ff' AS TEXT)",
        "UPDATE results SET columns = NULL, used = NULL",
        "UPDATE results SET cells = 3, used = 'yesterday'",
        "UPDATE results SET seal = x'00'",
        "UPDATE results SET key = (SELECT key FROM results AS other WHERE other.rowid = results.rowid % 10 + 1)",
    ],
)
def test_store__damaged_and_exchanged_results_are_worked_out_again_and_said_once(
    spoil: str, tmp_path: Path, counted: Counted
) -> None:
    game = aab.Game("skirmish_wars")
    with aab.sweeping(cache=tmp_path):
        whole = [table(game), table(game, simulate=100)]
    before = entries(tmp_path)
    changed(tmp_path, spoil)
    counted.asked.clear()
    with aab.sweeping(cache=tmp_path), pytest.warns(UserWarning, match="found damaged results, expected") as said:
        assert [table(game), table(game, simulate=100)] == whole
    assert len(said) == 1
    assert len(counted.asked) == 2
    with aab.sweeping(cache=tmp_path):
        assert [table(game), table(game, simulate=100)] == whole
    assert len(counted.asked) == 2
    assert sorted(one[1:] for one in entries(tmp_path)) == sorted(one[1:] for one in before)


def with_other_columns(_: bytes) -> bytes:
    """Return a database whose table has other columns, as one of an earlier version may have."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE results (key BLOB, cells BLOB)")
        return database.serialize()


@pytest.mark.parametrize(
    "spoil",
    [lambda data: b"PK\x03\x04 something else entirely" * 99, lambda data: data[: 3 << 12], with_other_columns],
)
def test_store__a_damaged_file_is_begun_anew_and_said_once(spoil: Any, tmp_path: Path, counted: Counted) -> None:
    game = aab.Game("skirmish_wars")
    with aab.sweeping(cache=tmp_path):
        whole = [table(game), table(game, simulate=100)]
    file = tmp_path / FILE
    file.write_bytes(spoil(file.read_bytes()))
    counted.asked.clear()
    with aab.sweeping(cache=tmp_path), pytest.warns(UserWarning, match="found damaged results, expected") as said:
        assert [table(game), table(game, simulate=100)] == whole
    assert len(said) == 1
    with aab.sweeping(cache=tmp_path):
        assert [table(game), table(game, simulate=100)] == whole
    assert len(counted.asked) == 2


@pytest.mark.parametrize("name", ["file", "a\0b", "a\ud800b"])
def test_store__a_folder_that_cant_be_written_to_is_said_once_and_no_more(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    game = aab.Game("skirmish_wars")
    alone = table(game)
    with (
        aab.sweeping(cache=tmp_path / name),
        pytest.warns(UserWarning, match="results can't be kept: [^[]+$") as said,
    ):
        assert table(game) == table(game) == alone
    assert len(said) == 1


def test_store__what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    game = aab.Game("skirmish_wars")
    store = Store(tmp_path)
    made: dict[int, set[bytes]] = {}
    for number in (100, 101, 102):
        with aab.sweeping(cache=store):
            table(game, simulate=number)
        made[number] = {one[1] for one in entries(tmp_path)}.difference(*made.values())
        changed(tmp_path, f"UPDATE results SET used = {number} WHERE used > 102")
    with aab.sweeping(cache=store):
        table(game, simulate=100)  # used now
    store.most = store.size()[1] - 1
    store.shrink()
    left = {one[1] for one in entries(tmp_path)}
    assert made[100] | made[102] <= left < made[100] | made[101] | made[102]
    store.most = 1
    store.shrink()
    assert store.size()[0] == 0
    store.close()


def test_sweeping__leaves_no_more_than_the_store_may_hold(tmp_path: Path) -> None:
    game = aab.Game("skirmish_wars")
    for most, left in ((1 << 30, True), (1, False)):
        with aab.sweeping(cache=Store(tmp_path, most)):
            table(game)
        assert bool(entries(tmp_path)) == left


def test_shrink__removes_no_more_than_it_has_to(tmp_path: Path) -> None:
    store = Store(tmp_path)
    columns, cells = b"columns", bytes(100_000)
    store.write(Entry(bytes([number // 2]), columns, cells) for number in range(20))  # two of each key
    count, size = store.size()
    assert count == 20
    store.most = size - 2 * len(columns + cells)
    store.shrink()
    store.close()
    assert [key for _, key, *_ in entries(tmp_path)] == [bytes([number // 2]) for number in range(2, 20)]


def test_clear__gives_its_room_back_to_the_disk(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write(Entry(bytes([number]), b"columns", bytes(100_000)) for number in range(20))
    assert store.size()[1] > 2_000_000
    store.clear()
    assert store.size()[0] == 0
    store.close()
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 100_000


def test_spills__either_way_to_the_disk_counts() -> None:
    dask = pytest.importorskip("dask")
    ways = {f"distributed.worker.memory.{way}": False for way in ("spill", "target")}
    for way, spilt in ((None, False), *((way, True) for way in ways)):
        with dask.config.set(ways | ({} if way is None else {way: 0.7})):
            assert sweeps.spills() == spilt


# --- going on


SLOW = """
import sys, time
import aabalance as aab
from aabalance.analysis import cells
cells.CELLS = 1 << 7
game = aab.Game("skirmish_wars")
units = list(game.cards)[:5]
with aab.sweeping(cache=sys.argv[1]):
    found = aab.matchups(game, attackers=units, targets=units, advance=lambda steps: time.sleep(float(sys.argv[2])))
sys.stdout.write(found.to_csv(float_format="%.17g"))
"""


def of_five(game: aab.Game, **more: Any) -> str:
    """Return the same table as those processes, worked out here."""
    found: str = aab.matchups(game, attackers=few(game), targets=few(game), **more).to_csv(float_format="%.17g")
    return found


def started(folder: Path, pause: float) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", SLOW, str(folder), str(pause)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_sweeping__killed_at_any_moment_it_goes_on_where_it_was_to_the_same_bytes(tmp_path: Path) -> None:
    kept: list[int] = []
    for least in (1, 15):
        process = started(tmp_path, 0.05)
        while len(entries(tmp_path)) < least:
            assert process.poll() is None
            time.sleep(0.005)
        process.kill()
        process.communicate()
        kept.append(len(entries(tmp_path)))
    before = entries(tmp_path)
    whole = started(tmp_path, 0).communicate()[0]
    assert kept[0] < kept[1] < len(entries(tmp_path))
    assert entries(tmp_path)[: len(before)] == before
    assert whole == of_five(aab.Game("skirmish_wars"))


def test_sweeping__two_commands_share_a_store_and_leave_it_whole(tmp_path: Path, small_tasks: None) -> None:
    both = [started(tmp_path, 0.01) for _ in range(2)]
    first, second = (process.communicate()[0] for process in both)
    held = entries(tmp_path)
    with aab.sweeping(cache=tmp_path):  # warnings are errors: all results are whole
        assert first == second == of_five(aab.Game("skirmish_wars")) != ""
    assert entries(tmp_path) == held


# --- other processes, other machines


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "CELLS", 1 << 7)


def test_sweeping__processes_give_the_same_bits(small_tasks: None) -> None:
    game = aab.Game()
    units = list(game.cards)[:12]
    few = game.with_(cards=game.cards.only(units[:3]))

    def everything() -> list[Any]:
        of_all = aab.matchups(game, attackers=units, targets=units)
        return [of_all, aab.sensitivity(game, field=units[:4]), aab.worth(few)]

    alone = everything()
    with sweeps.processes(2) as executor, aab.sweeping(executor=executor):
        found = everything()
    for one, other in zip(alone, found, strict=True):
        assert one.to_csv(float_format="%.17g") == other.to_csv(float_format="%.17g")


def test_sweeping__a_cluster_of_three_that_loses_a_worker_gives_the_same_bits(
    small_tasks: None, tmp_path: Path
) -> None:
    import dask
    from distributed import Client, LocalCluster

    game = aab.Game("skirmish_wars")
    alone = of_five(game)
    memory = {f"distributed.worker.memory.{way}": False for way in ("spill", "target", "pause", "terminate")}
    quiet = {"distributed.logging.distributed": "critical"}
    steps: list[int] = []
    with (
        dask.config.set({**memory, **quiet}),
        LocalCluster(3, threads_per_worker=1, dashboard_address=None, silence_logs=60) as cluster,
        Client(cluster) as client,
        aab.sweeping(executor=client.get_executor(), cache=tmp_path),
    ):
        assert not any(client.run(sweeps.spills).values())
        pids = client.run(os.getpid)

        def advance(done: int) -> None:
            steps.append(done)
            if len(steps) == 5:
                # Windows has no such signal, and ends a process at once by any other.
                os.kill(next(iter(pids.values())), getattr(signal, "SIGKILL", signal.SIGTERM))

        found = of_five(game, advance=advance)
        assert sum(steps) == 5
        assert set(client.run(os.getpid).values()) != set(pids.values())
    assert found == alone


class Lost(Executor):
    """Does what it is told at once, but for its fourth task, with which it is lost."""

    number = 0

    def submit(self, function: Any, /, *given: Any, **named: Any) -> Future[Any]:
        self.number += 1
        future: Future[Any] = Future()
        if self.number == 4:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(function(*given, **named))
        return future


def test_sweeping__a_lost_executor_ends_with_one_line_and_what_is_done_is_kept(
    small_tasks: None, tmp_path: Path
) -> None:
    executor = Lost()
    with pytest.raises(aab.AabalanceError) as caught, aab.sweeping(executor=executor, cache=tmp_path):
        aab.matchups(aab.Game("skirmish_wars"), duels=False)
    assert str(caught.value) == "A worker process died (CancelledError)"
    assert executor.number > 5
    assert len(entries(tmp_path)) >= executor.number - 1


# --- other tables


def test_sweeping__battles_prices_and_readings_come_from_the_store_as_they_were(tmp_path: Path) -> None:
    game = aab.Game()
    units = ["de_tiger1", "su_t34_85", "us_m4a1", "de_pak40"]

    def everything() -> list[str]:
        tuned = aab.tune(game, among=units)
        frames: list[pd.DataFrame] = [
            aab.battles(game, [("de_tiger1", "su_t34_85*2")], situations=[{"range_in": 18}], actions=[2, (1, 3)]),
            aab.battles(
                game, [("inf_rifle,su_t34_85", "de_pz4h")], situations=[{"range_in": 6}], actions=[2], simulate=99
            ),
            aab.actions(game, "de_tiger1", "su_t34_85*2", range_in=18, limits=[1, 2]),
            tuned.to_frame(),
            aab.sensitivity(game, field=units[:2]),
        ]
        written = [f"{frame.to_csv(float_format='%.17g')}{frame.attrs}" for frame in frames]
        return [*written, str(tuned.summary())]

    alone = everything()
    with aab.sweeping(cache=tmp_path):
        assert everything() == alone
    held = entries(tmp_path)
    with aab.sweeping(cache=tmp_path):
        assert everything() == alone
    assert entries(tmp_path) == held


def test_scores__sizes_say_nothing_about_what_smaller_numbers_score() -> None:
    game = aab.Game()
    from aabalance.pricing import battles
    from aabalance.pricing.contest import Contest

    contest = Contest.standard(game)
    cards = [game.cards[unit] for unit in ("de_tiger1", "su_t34_85", "us_m8")]
    held = battles.Battles(game, cards, contest)
    for at in range(3):
        two = held._two[held._battle[at]]
        small, large = (
            np.frombuffer(battles.scores(contest.limits, [battles.Wanted(two, None, most)], None)[0]).reshape(
                len(contest.limits), most[0] + 1, most[1] + 1
            )
            for most in ((3, 4), (7, 12))
        )
        assert np.array_equal(small, large[:, :4, :5])


# --- the command line


def test_cache__shows_and_clears_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AABALANCE_CACHE", str(tmp_path))
    words = ["matchups", "--game", "skirmish_wars"]
    first = CliRunner().invoke(main, [*words, "--no-cache"])
    assert not entries(tmp_path)
    assert CliRunner().invoke(main, words).output == first.output
    count = len(entries(tmp_path))
    assert count == len(aab.Game("skirmish_wars").cards)
    said = CliRunner().invoke(main, ["cache", "info"]).output
    assert said.startswith(f"{tmp_path}: {count} results, ")
    assert re.search(r", 0\.\d MB of at most \d{2,4}\n$", said)
    assert CliRunner().invoke(main, ["cache", "clear"]).output == f"{tmp_path}: {count} results removed\n"
    assert not entries(tmp_path)


def test_cache__says_so_where_it_clears_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AABALANCE_CACHE", str(tmp_path))
    with closing(Store(tmp_path)) as store:
        store.write([Entry(b"key", b"columns", b"cells")])
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        database.execute("CREATE TRIGGER firm BEFORE DELETE ON results BEGIN SELECT RAISE(ABORT, 'it stays'); END")
    with pytest.warns(UserWarning, match="it stays"):
        ran = CliRunner().invoke(main, ["cache", "clear"])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.endswith(f"error: {tmp_path}: 1 result can't be removed\n")


@pytest.mark.parametrize("word", ["info", "clear"])
def test_cache__where_nothing_is_kept_there_is_no_folder(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AABALANCE_CACHE", "")
    ran = CliRunner().invoke(main, ["cache", word])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == "error: cache: found AABALANCE_CACHE empty, expected a folder, or no such variable\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--workers", "0"], "error: --workers: found 0, expected a whole number from 1 to 1024\n"),
        (
            ["--workers", "2", "--scheduler", "tcp://x:1"],
            "error: --workers: found it with --scheduler tcp://x:1, expected one of them\n",
        ),
        (["--scheduler", "nonsense://x"], "error: --scheduler: found nobody who answers at nonsense://x: "),
    ],
)
def test_takes_sweep__bad_words_are_one_line(words: list[str], message: str) -> None:
    ran = CliRunner().invoke(main, ["matchups", "--game", "skirmish_wars", *words])
    assert ran.exit_code == 2
    assert ran.stderr.startswith(message)
    assert ran.stderr.count("\n") == 1


def test_takes_sweep__without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = CliRunner().invoke(main, ["matchups", "--game", "skirmish_wars", "--scheduler", "tcp://x:1"])
    assert (ran.exit_code, ran.stderr) == (
        2,
        "error: --scheduler: found no dask, expected the extra of this name: "
        "python -m pip install 'aabalance[cluster]'\n",
    )


SMALL = """
title = "Small"
game = "skirmish_wars"
situations = { range_in = { 1 = 1.0 } }
[matches]
boards = ["last_stand"]
rounds = [3]
simulate = 20
watched = 0
"""


def test_report__nothing_changed_is_written_as_it_was_and_an_edit_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AABALANCE_CACHE", str(tmp_path / "kept"))
    (tmp_path / "mine.toml").write_text(SMALL, encoding="utf-8")
    words = ["report", str(tmp_path / "mine.toml"), "--out"]

    def written(name: str, *more: str) -> dict[str, bytes]:
        ran = CliRunner().invoke(main, [*words, str(tmp_path / name), *more])
        assert ran.exit_code == 0, ran.output
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    anew = written("anew", "--no-cache")
    assert written("first") == anew
    what_if = written("what-if", "--set", "tank.cost=8")
    assert b"tank.cost=8" in what_if["summary.json"]
    small.write(tmp_path / "cards", aab.Game("skirmish_wars", changes=["tank.cost=8"]))
    assert b"tank.cost=8" not in written("written", "--cards", str(tmp_path / "cards"))["summary.json"]
    with rc_context({"font.size": 12}):
        assert written("large letters")["sensitivity.png"] != anew["sensitivity.png"]
    monkeypatch.setattr("aabalance.report.build.analysis.analyse", None)
    assert written("second") == anew
    assert "error" in CliRunner().invoke(main, [*words, str(tmp_path / "x"), "--variant", "initiative=x"]).stderr


# --- another reading of the rules


@pytest.mark.parametrize("name", OURS)
def test_sensitivity__of_each_game_is_the_same_if_every_reading_is_worked_out(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruleset that remembered results by the variant would hide which switches the second pair depends on."""
    game = aab.Game(name)
    units = few(game)
    shared = aab.sensitivity(game, field=units)
    monkeypatch.setattr(cells, "switches_read", lambda terms, _: set(type(terms.variant).model_fields))
    anew = aab.sensitivity(game, field=units)
    assert (shared.to_csv(), shared.attrs) == (anew.to_csv(), anew.attrs)


def test_switches_read__are_those_of_all_cells() -> None:
    """Parts of a table are worked out apart: here one has read the first switch, the other the third."""
    game, found = aab.Game(), np.zeros((1, 2, 3, 1))
    found[0, :, -1, 0] = 0b1, 0b100
    first, _, third, *_ = type(game.variant).model_fields
    assert cells.switches_read(cells.CellTerms(game.ruleset.name, game.variant, ()), found) == {first, third}


def test_run__a_small_job_is_done_here_and_a_larger_one_in_threads_after_its_first_task() -> None:
    asked: list[tuple[bool, int]] = []

    def noted(_: Any, rows: Any, __: Any) -> list[bytes]:
        asked.append((threading.current_thread() is threading.main_thread(), len(rows)))
        return [bytes([row, 0]) for row in rows]

    for count in (32, 97, 97):
        rows = range(count)
        found = sweeps.results(Job(noted, (), rows, cells=512, least=32))
        assert found[:, 0].tolist() == [bytes([row, 0]) for row in rows]
    assert asked[:2] == [(True, 32), (True, 32)]
    assert not any(here for here, _ in asked[2:])
    assert sum(count for _, count in asked) == 32 + 2 * 97


def _named(_: Any, rows: Any, columns: Any) -> list[bytes]:
    return [bytes([row, column]) for row in rows for column in columns]


def test_results__counts_all_cells_also_those_that_are_kept(tmp_path: Path) -> None:
    job = Job(_named, (), range(6), range(4))
    with aab.sweeping(cache=tmp_path):
        for steps in ([1] * 24, [24]):
            done: list[int] = []
            found = sweeps.results(job, done.append)
            assert done == steps
            assert (found[0, 3], found[5, 3]) == (bytes([0, 3]), bytes([5, 3]))


def test_results__a_task_of_many_cells_counts_them_all() -> None:
    done: list[int] = []
    sweeps.results(Job(_named, (), range(6), range(4), cells=4), done.append)
    assert done == [4] * 6


class _Card(BaseModel):
    first: int
    second: int


def _of_both(_: Any, rows: Any, columns: Any, both: bool) -> Any:
    here = np.zeros((len(rows), len(columns)))
    return (here, here.T) if both else here


def test_results__counts_once_what_is_done_twice_across_the_diagonal(tmp_path: Path) -> None:
    how: dict[str, Any] = {"shape": (), "cells": 9, "mirrored": True}
    job = Job(_of_both, None, range(4), range(4), **how)
    parts = [part for one in tasks(job, ~np.diag([True, True, True, False]), 9) for part in one.parts()]
    assert sum(len(part.rows) * len(part.columns) for part in parts) == 14
    counted: list[int] = []
    with aab.sweeping(cache=tmp_path):
        for kept in range(3):
            sweeps.results(Job(_of_both, None, [kept], [kept], **how))
        sweeps.results(job, counted.append)
    assert counted[0] == 3
    assert sum(counted) == 3 + 13


def _first(_: Any, rows: Any, __: Any) -> list[bytes]:
    return [bytes([row.first]) for row in rows]


def _second(_: Any, rows: Any, __: Any) -> list[bytes]:
    return [bytes([row.second]) for row in rows]


def _after_first(_: Any, rows: Any, __: Any) -> list[bytes]:
    return [bytes([row.first + 1]) for row in rows]


def test_run__works_that_read_other_fields_of_a_card_keep_their_results_apart(tmp_path: Path) -> None:
    with aab.sweeping(cache=tmp_path):
        for second in (2, 3):
            card = _Card(first=1, second=second)
            jobs = (
                Job(_first, (), [card], key=lambda one: one.first),
                Job(_second, (), [card], key=lambda one: one.second),
                Job(_after_first, (), [card], key=lambda one: one.first),
            )
            assert [found[0, 0] for found in sweeps.run(jobs)] == [bytes([1]), bytes([second]), bytes([2])]


# --- a process in the background


def _failing(word: str) -> str:
    if word == "no":
        raise aab.UsageError("word: found no, expected another")
    return f"{word} {os.getpid()}"


@pytest.mark.parametrize("alone", [True, False])
def test_background__returns_and_raises_what_the_function_does(alone: bool) -> None:
    with aab.sweeping(alone=alone), sweeps.background(worthwhile=True) as worker:
        word, process = worker.submit(_failing, "yes").result().split()
        assert (word, int(process) == os.getpid()) == ("yes", alone)
        with pytest.raises(aab.UsageError, match=r"^word: found no, expected another$"):
            worker.submit(_failing, "no").result()


def test_background__what_is_not_worthwhile_is_done_here() -> None:
    with aab.sweeping(alone=False), sweeps.background(worthwhile=False) as worker:
        assert worker.submit(os.getpid).result() == os.getpid()


def test_background__an_error_ends_the_process_at_once() -> None:
    def interrupted() -> None:
        with aab.sweeping(alone=False), sweeps.background(worthwhile=True) as worker:
            worker.submit(time.sleep, 60)
            children.extend(active_children())
            raise KeyboardInterrupt

    began, children = time.monotonic(), list[Any]()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - began < 30
    assert children
    assert not set(children) & set(active_children())


ORPHAN = """
import os, signal, time
from aabalance.jobs import sweeps

if __name__ == "__main__":
    with sweeps.processes(1) as pool:
        pool.submit(os.getpid).result()
        pool.submit(time.sleep, 600)
        os.kill(os.getpid(), signal.SIGTERM)
"""


@pytest.mark.slow
def test_processes__end_with_the_one_that_started_them(tmp_path: Path) -> None:
    program = tmp_path / "orphan.py"
    program.write_text(ORPHAN, encoding="utf-8")
    # A worker that outlived the program would keep the pipe open, and `run` would wait for it until the timeout.
    assert subprocess.run([sys.executable, program], stdout=subprocess.PIPE, timeout=120).returncode != 0


def test_background__a_process_that_died_is_one_line() -> None:
    with (
        pytest.raises(aab.AabalanceError, match=r"^A worker process died \(BrokenProcessPool\)$"),
        aab.sweeping(alone=False),
        sweeps.background(worthwhile=True) as worker,
    ):
        worker.submit(os._exit, 3).result()


def test_background__keeps_its_results_in_the_same_store(tmp_path: Path) -> None:
    game = aab.Game("skirmish_wars")
    with aab.sweeping(alone=False, cache=tmp_path), sweeps.background(worthwhile=True) as worker:
        there = worker.submit(table, game).result()
        count = len(entries(tmp_path))
        assert table(game) == there
        assert len(entries(tmp_path)) == count > 0


def test_report__each_part_is_the_same_from_another_process() -> None:
    game = aab.Game()
    units = few(game)
    small = game.with_(cards=game.cards.only(units))
    definition = spec.read(None, "armored_advance")
    at = aab.Situations.standard(small)
    here, _ = results.price(definition, small, at)
    with aab.sweeping(alone=False), sweeps.background(worthwhile=True) as worker:
        there, _ = worker.submit(results.price, definition, small, at).result()
    assert list(here) == list(there)
    for name, frame in here.items():
        assert_frame_equal(frame, there[name], check_exact=True)


def test_report__its_files_are_the_same_with_another_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small = aab.Game().with_(cards=aab.Game().cards.only(["de_tiger1", "su_t34_85", "us_m4a1", "inf_rifle"]))
    # The other process takes every other pair of lists, and every other reading that moves most.
    pairs = BATTLES.replace('[["two", "one"]]', '[["two", "one"], ["one", "two"]]')
    (tmp_path / "mine.toml").write_text(DEFINITION.replace("\n[plots]\n", pairs), encoding="utf-8")
    definition = spec.read(tmp_path / "mine.toml")
    alone = build.write(definition, small, tmp_path / "alone")
    monkeypatch.setattr(build, "LARGE", 2)
    with aab.sweeping(alone=False):
        both = build.write(definition, small, tmp_path / "both")
    files = sorted(path.name for path in alone.iterdir())
    assert sorted(path.name for path in both.iterdir()) == files
    assert "actions.png" in files
    assert "<h3>Who gains by the readings that move most" in (alone / "index.html").read_text(encoding="utf-8")
    for name in files:
        assert (alone / name).read_bytes() == (both / name).read_bytes(), name


def test_pictures__drawn_in_another_process_look_as_the_user_set() -> None:
    table = aab.sensitivity(aab.Game(), field=["de_tiger1", "su_t34_85"])
    make = partial(canvas.titled, rows.sensitivity, (6, 2), ("a title", "a footnote"), table)
    usual = pictures.drawn(canvas.settings(), make)
    with (
        aab.sweeping(alone=False),
        sweeps.background(worthwhile=True) as worker,
        rc_context({"font.family": "monospace"}),
    ):
        set_here = canvas.png(make())
        assert worker.submit(pictures.drawn, canvas.settings(), make).result() == set_here != usual


def test_card_error__comes_from_another_process_as_it_was() -> None:
    error = aab.CardError([Fault("a.toml:1", "found 1, expected 2"), Fault("a.toml:3", "found 3, expected 4")])
    there = pickle.loads(pickle.dumps(error))
    assert (str(there), there.faults) == (str(error), error.faults)
