"""Tables that are worked out in tasks, kept, and gone on with, wherever the tasks are done."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import Executor, Future
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from matplotlib import rc_context
from pandas.testing import assert_frame_equal

import aabalance as aab
from aabalance.analysis import cells
from aabalance.cli import main
from aabalance.definitions import report as spec
from aabalance.errors import Fault
from aabalance.jobs import sweeps, tasks
from aabalance.jobs.beside import beside, second_process, shared
from aabalance.jobs.store import Store
from aabalance.pricing import movement
from aabalance.report import analyse, build, pictures
from aabalance.report.plots import canvas
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
    return units[:: len(units) // 5][:5]


def table(game: aab.Game, **more: Any) -> str:
    units = few(game)
    found: str = aab.matchups(game, aab.Situations.of(game, FIRST), attackers=units, targets=units, **more).to_csv(
        float_format="%.17g"
    )
    return found


# --- what is kept


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


def test_sweeping__many_edits_are_put_together(tmp_path: Path, counted: Counted) -> None:
    game = aab.Game("skirmish_wars")
    unit = few(game)[2]
    with aab.sweeping(cache=tmp_path):
        tables = [table(game.with_(changes=[EDIT.format(unit, n)])) for n in range(20)]
        assert len(blocks(tmp_path)) < tasks.MOST_BLOCKS
        counted.asked.clear()
        assert table(game.with_(changes=[EDIT.format(unit, 19)])) == tables[-1]
    assert counted.asked == []


# --- files that can't be trusted


def blocks(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.block"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: data[:40],
        lambda data: b"",
        lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        lambda data: b"PK\x03\x04 something else entirely",
        lambda data: data.replace(b"block 1", b"block 0"),
    ],
)
def test_store__a_damaged_file_is_worked_out_again_and_said_once(spoil: Any, tmp_path: Path, counted: Counted) -> None:
    game = aab.Game("skirmish_wars")
    with aab.sweeping(cache=tmp_path):
        whole = [table(game), table(game, simulate=100)]
    for path in blocks(tmp_path):
        path.write_bytes(spoil(path.read_bytes()))
    counted.asked.clear()
    with aab.sweeping(cache=tmp_path), pytest.warns(UserWarning, match="found a damaged file, expected") as said:
        assert [table(game), table(game, simulate=100)] == whole
    assert len(said) == 1
    assert len(counted.asked) == len(blocks(tmp_path)) == 2
    with aab.sweeping(cache=tmp_path):
        assert [table(game), table(game, simulate=100)] == whole
    assert len(counted.asked) == 2


def test_store__a_folder_that_cant_be_written_to_is_said_once_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    game = aab.Game("skirmish_wars")
    alone = table(game)
    with aab.sweeping(cache=tmp_path / "file"), pytest.warns(UserWarning, match="results can't be kept: ") as said:
        assert table(game) == table(game) == alone
    assert len(said) == 1


def test_store__what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    game = aab.Game("skirmish_wars")
    store = Store(tmp_path)
    made: dict[int, Path] = {}
    for number in (100, 101, 102):
        with aab.sweeping(cache=store):
            table(game, simulate=number)
        made[number] = next(path for path in store.blocks() if path not in made.values())
        os.utime(made[number], (number, number))
    with aab.sweeping(cache=store):
        table(game, simulate=100)  # used now
    store.most = sum(one.st_size for one in store.blocks().values()) - 1
    store.shrink()
    assert set(store.blocks()) == {made[100], made[102]}
    assert len(list(tmp_path.iterdir())) == 2


# --- going on


SLOW = """
import sys, time
import aabalance as aab
from aabalance.analysis import cells
cells.CELLS = 1 << 7
game = aab.Game("skirmish_wars")
with aab.sweeping(cache=sys.argv[1]):
    found = aab.matchups(game, advance=lambda steps: time.sleep(float(sys.argv[2])))
sys.stdout.write(found.to_csv(float_format="%.17g"))
"""


def started(folder: Path, pause: float) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", SLOW, str(folder), str(pause)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_sweeping__killed_at_any_moment_it_goes_on_where_it_was_to_the_same_bytes(tmp_path: Path) -> None:
    kept: list[int] = []
    for least in (1, 6):
        process = started(tmp_path, 0.05)
        while len(blocks(tmp_path)) < least:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kept.append(len(blocks(tmp_path)))
    before = {path: path.read_bytes() for path in blocks(tmp_path)}
    whole = started(tmp_path, 0).communicate()[0]
    assert kept[0] < kept[1] < len(blocks(tmp_path))
    assert all(path.read_bytes() == data for path, data in before.items())
    assert whole == aab.matchups(aab.Game("skirmish_wars")).to_csv(float_format="%.17g")


def test_sweeping__two_commands_share_a_store_and_leave_it_whole(tmp_path: Path) -> None:
    both = [started(tmp_path, 0.01) for _ in range(2)]
    first, second = (process.communicate()[0] for process in both)
    assert first == second == started(tmp_path, 0).communicate()[0] != ""
    with aab.sweeping(cache=tmp_path):  # warnings are errors: every block is whole
        aab.matchups(aab.Game("skirmish_wars"))
    assert not list(tmp_path.glob("*/.*"))


# --- other processes, other machines


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "CELLS", 1 << 7)
    monkeypatch.setattr(movement, "TOGETHER", 1)


def test_sweeping__processes_give_the_same_bits(small_tasks: None) -> None:
    game = aab.Game()
    units = list(game.cards)[:12]
    few = game.with_(cards=game.cards.only(units[:3]))

    def everything() -> list[Any]:
        of_all = aab.matchups(game, attackers=units, targets=units)
        return [of_all, aab.sensitivity(game, field=units[:4]), aab.worth_moving(few)]

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
    alone = aab.matchups(game).to_csv(float_format="%.17g")
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
                os.kill(next(iter(pids.values())), signal.SIGKILL)

        found = aab.matchups(game, advance=advance).to_csv(float_format="%.17g")
        assert sum(steps) == len(game.cards)
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
    with pytest.raises(aab.UsageError) as caught, aab.sweeping(executor=executor, cache=tmp_path):
        aab.matchups(aab.Game("skirmish_wars"), duels=False)
    assert str(caught.value) == "workers: lost (CancelledError), expected some that stay till the end"
    assert len(blocks(tmp_path)) == executor.number - 1 > 4


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
            aab.worth_moving(game.with_(cards=game.cards.only(units))),
            aab.sensitivity(game, field=units[:2]),
        ]
        written = [f"{frame.to_csv(float_format='%.17g')}{frame.attrs}" for frame in frames]
        return [*written, str(tuned.summary())]

    alone = everything()
    with aab.sweeping(cache=tmp_path):
        assert everything() == alone
    held = {path: path.stat().st_ino for path in blocks(tmp_path)}
    with aab.sweeping(cache=tmp_path):
        assert everything() == alone
    assert {path: path.stat().st_ino for path in blocks(tmp_path)} == held  # nothing was written


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
            np.frombuffer(battles.scores(contest.limits, [battles.Asked(two, None, most)], None)[0]).reshape(
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
    assert not blocks(tmp_path)
    assert CliRunner().invoke(main, words).output == first.output
    assert len(blocks(tmp_path)) == 1
    said = CliRunner().invoke(main, ["cache", "info"]).output
    assert said.startswith(f"{tmp_path}: 1 file, ")
    assert CliRunner().invoke(main, ["cache", "clear"]).output == f"{tmp_path}: 1 file removed\n"
    assert list(tmp_path.iterdir()) == []


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


def test_report__nothing_changed_is_written_as_it_was_and_an_edit_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AABALANCE_CACHE", str(tmp_path / "kept"))
    words = ["report", "--game", "skirmish_wars", "--out"]

    def written(name: str, *more: str) -> dict[str, bytes]:
        ran = CliRunner().invoke(main, [*words, str(tmp_path / name), *more])
        assert ran.exit_code == 0, ran.output
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    anew = written("anew", "--no-cache")
    assert written("first") == anew
    with rc_context({"font.size": 12}):
        assert written("large letters")["sensitivity.png"] != anew["sensitivity.png"]
    monkeypatch.setattr("aabalance.report.build.analyse.analyse", None)
    assert written("second") == anew
    assert "error" in CliRunner().invoke(main, [*words, str(tmp_path / "x"), "--variant", "initiative=x"]).stderr


# --- what another reading of the rules has in common with the game's own

ALL_SORTS = ["de_tiger1", "su_t34_85", "us_m7", "de_sdkfz222", "inf_rifle_mg_grenades", "us_m1_57", "su_isu152"]


def test_sensitivity__pairs_that_read_no_changed_switch_are_taken_over_as_they_would_be(
    monkeypatch: pytest.MonkeyPatch, counted: Counted
) -> None:
    game = aab.Game()
    at = aab.Situations.of(
        game, {"range_in": {5: 0.5, 24: 0.5}, "foliage": {0: 0.5, 1: 0.5}, "walls": {0: 0.5, 1: 0.5}}
    )
    shared = aab.sensitivity(game, at, field=ALL_SORTS)
    asked = sum(rows * columns * (1 + both) for rows, columns, both in counted.asked)
    counted.asked.clear()
    monkeypatch.setattr(cells.Seen, "alike", lambda self, variant: (np.zeros(self.read.shape, bool), self.answers))
    anew = aab.sensitivity(game, at, field=ALL_SORTS)
    assert shared.to_csv() == anew.to_csv()
    assert shared.attrs == anew.attrs
    assert asked < 0.8 * sum(rows * columns * (1 + both) for rows, columns, both in counted.asked)


@pytest.mark.parametrize("name", OURS)
def test_sensitivity__of_each_game_is_the_same_with_nothing_taken_over(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruleset that remembered results by the variant would hide which switches the second pair depends on."""
    game = aab.Game(name)
    units = few(game)
    shared = aab.sensitivity(game, field=units)
    monkeypatch.setattr(cells.Seen, "alike", lambda self, variant: (np.zeros(self.read.shape, bool), self.answers))
    anew = aab.sensitivity(game, field=units)
    assert (shared.to_csv(), shared.attrs) == (anew.to_csv(), anew.attrs)


def test_series__all_wait_for_its_first_row_and_for_nothing_else() -> None:
    asked: list[tuple[bool, int]] = []

    def noted(_: Any, rows: Any, __: Any) -> list[bytes]:
        asked.append((threading.current_thread() is threading.main_thread(), len(rows)))
        return [bytes([row]) for row in rows]

    series = sweeps.Series(noted, (), 512, int)
    rows = range(1 + 3 * sweeps.FEW)
    for _ in range(2):
        assert series.answer(rows) == [bytes([row]) for row in rows]
    assert asked[0] == (True, 1)
    assert not any(here for here, _ in asked[1:])
    assert sum(count for _, count in asked) == 2 * len(rows)


# --- a second process


def _said(word: str) -> str:
    warnings.warn(f"{word} was said", stacklevel=1)
    if word == "no":
        raise aab.UsageError("word: found no, expected another")
    return f"{word} {os.getpid()}"


@pytest.mark.parametrize("alone", [True, False])
def test_beside__a_second_process_returns_warns_and_raises_what_the_function_does(alone: bool) -> None:
    with aab.sweeping(alone=alone), second_process():
        said, nothing = beside(_said, "yes"), beside(_said, "no")
        concurrent(alone)
        with pytest.warns(UserWarning, match="yes was said"):
            word, process = said().split()
        assert (word, int(process) == os.getpid()) == ("yes", alone)
        with (
            pytest.warns(UserWarning, match="no was said"),
            pytest.raises(aab.UsageError, match=r"^word: found no, expected another$"),
        ):
            nothing()


def concurrent(alone: bool) -> None:
    """Wait until the second process, if there is one, has done all, which then isn't done here."""
    second = sweeps.second()
    assert (second is None) == alone
    while second is not None and not second.idle:
        time.sleep(0.01)


def test_beside__what_nobody_has_begun_is_done_by_whoever_asks() -> None:
    with aab.sweeping(alone=False), second_process():
        beside(time.sleep, 60)
        here = shared([(_said, "one"), (_said, "two")])
        with pytest.warns(UserWarning, match="was said"):
            assert [one() for one in here] == [f"one {os.getpid()}", f"two {os.getpid()}"]


def test_beside__whoever_leaves_without_asking_waits_for_nobody() -> None:
    began = time.monotonic()
    with aab.sweeping(alone=False), second_process():
        beside(time.sleep, 60)
        [process] = active_children()
    assert time.monotonic() - began < 30
    assert process not in active_children()


def test_beside__a_process_that_is_lost_is_one_line() -> None:
    lost = r"^second process: lost, expected it to stay till the end$"
    with aab.sweeping(alone=False), second_process():
        found = beside(os._exit, 3)
        concurrent(False)
        with pytest.raises(aab.UsageError, match=lost):
            found()
        again = sweeps.second()
        assert again is not None
        with pytest.raises(aab.UsageError, match=lost):
            again.work(os.getpid)


def test_sweeping__tasks_go_to_a_second_process_that_is_idle(small_tasks: None) -> None:
    game = aab.Game("skirmish_wars")
    alone = aab.matchups(game)
    processes: list[int] = []
    with aab.sweeping(alone=False), second_process():
        second = sweeps.second()
        assert second is not None
        work = second.work

        def counted(function: Any, *given: Any) -> Any:
            processes.append(work(os.getpid))
            return work(function, *given)

        second.work = counted  # type: ignore[method-assign]
        assert_frame_equal(aab.matchups(game), alone, check_exact=True)
    assert len(processes) > 2
    assert {*processes} != {os.getpid()}


def test_report__each_part_is_the_same_from_a_second_process() -> None:
    game = aab.Game()
    units = few(game)
    small = game.with_(cards=game.cards.only(units))
    definition = spec.read(None, "armored_advance")
    at = aab.Situations.standard(small)
    here, _ = analyse._price(definition, small, at)
    with aab.sweeping(alone=False), second_process():
        prices = beside(analyse._price, definition, small, at)
        concurrent(False)
        there, _ = prices()
    assert list(here) == list(there)
    for name, frame in here.items():
        assert_frame_equal(frame, there[name], check_exact=True)


def test_report__its_files_are_the_same_with_a_second_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = aab.Game()
    lists = ["de_tiger1", "su_t34_85", "de_pz4h", "us_m4a1"]
    small = game.with_(cards=game.cards.only(dict.fromkeys([*few(game), *lists])))
    definition = spec.read(None, "armored_advance")
    alone = build.write(definition, small, tmp_path / "alone")
    monkeypatch.setattr(build, "LARGE", 2)
    with aab.sweeping(alone=False):
        both = build.write(definition, small, tmp_path / "both")
    files = sorted(path.name for path in alone.iterdir())
    assert sorted(path.name for path in both.iterdir()) == files
    assert "actions.png" in files
    for name in files:
        assert (alone / name).read_bytes() == (both / name).read_bytes(), name


def test_pictures__drawn_in_a_second_process_look_as_the_user_set() -> None:
    table = aab.sensitivity(aab.Game(), field=["de_tiger1", "su_t34_85"])
    call = pictures._sensitivity, table, ("a title", "a footnote")
    usual = pictures.drawn(canvas.settings(), *call)
    with aab.sweeping(alone=False), second_process(), rc_context({"font.family": "monospace"}):
        set_here = pictures._sensitivity(*call[1:])
        there = beside(pictures.drawn, canvas.settings(), *call)
        concurrent(False)
        assert there() == set_here != usual


def test_card_error__comes_from_another_process_as_it_was() -> None:
    error = aab.CardError([Fault("a.toml:1", "found 1, expected 2"), Fault("a.toml:3", "found 3, expected 4")])
    there = pickle.loads(pickle.dumps(error))
    assert (str(there), there.faults) == (str(error), error.faults)
