"""A long job on a terminal: it shows a bar, and Ctrl-C ends it at once."""

from __future__ import annotations

import gc
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import aabalance as aab
from aabalance.cli import main
from aabalance.cli import terminal as terminal_room
from aabalance.engine import jit
from aabalance.errors import CardError, Fault

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")

Start = Callable[[Sequence[str]], tuple[subprocess.Popen[bytes], int]]

COMMAND = [sys.executable, "-c", "from aabalance.cli import main; main()"]
DUEL = ("duel", "de_pz4h", "us_m4a1", "--range", "18")
FOR_EVER = 10**10
SOON_S = 3.0
"""A second, and what a busy machine adds; one on which even to begin takes longer may take as long to end."""
LATE_S = 60


@pytest.fixture
def start() -> Iterator[Start]:
    """Start commands with a terminal for their messages alone: gives each, and the terminal's other end."""
    started = []

    def one(command: Sequence[str]) -> tuple[subprocess.Popen[bytes], int]:
        ours, theirs = pty.openpty()
        started.append(subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs))
        os.close(theirs)
        return started[-1], ours

    yield one
    for running in started:
        with running:
            running.kill()


def rest(terminal: int) -> str:
    """Return what is said on a terminal until nobody is there any more."""
    said = b""
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:  # Linux, once the other end is closed
            more = b""
        if not more:
            os.close(terminal)
            return said.decode()
        said += more


def until(terminal: int, pattern: str) -> str:
    """Return what is said on a terminal until it says `pattern`."""
    said = ""
    while not re.search(pattern, said):
        assert select.select([terminal], [], [], LATE_S)[0], f"nothing more after {said!r}"
        said += os.read(terminal, 4096).decode()
    return said


@pytest.mark.slow
@pytest.mark.parametrize("how", [("--simulate", "3000000"), ("--target-error", "0.0005")], ids=lambda how: how[0])
def test_duel__a_long_simulation_shows_a_bar_on_a_terminal(start: Start, how: tuple[str, str]) -> None:
    running, terminal = start([*COMMAND, *DUEL, *how, "--json"])
    said = rest(terminal)
    assert json.loads(running.communicate()[0])["trials"] > 10**6
    assert running.returncode == 0
    assert said.count("duels") > 2, "redrawn as it goes on"
    steps = [int(percent) for percent in re.findall(r"(\d+)%", said)]
    assert steps == sorted(steps)
    assert steps[-1] > 50


@pytest.mark.slow
def test_duel__an_exact_one_shows_no_bar(start: Start) -> None:
    running, terminal = start([*COMMAND, *DUEL])
    assert "duels" not in rest(terminal)
    assert running.communicate()[0]
    assert running.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("how", [("--simulate", str(FOR_EVER)), ("--target-error", "0.00001")], ids=lambda how: how[0])
def test_duel__an_interrupt_ends_a_long_simulation_at_once(start: Start, how: tuple[str, str]) -> None:
    called = time.monotonic()
    running, terminal = start([*COMMAND, *DUEL, *how, "--json"])
    until(terminal, r"\d/\d")
    begun = time.monotonic()
    running.send_signal(signal.SIGINT)
    printed, _ = running.communicate(timeout=LATE_S)
    assert time.monotonic() - begun < max(SOON_S, begun - called)
    assert (running.returncode, printed) == (130, b"")
    said = rest(terminal)
    assert "Traceback" not in said
    assert "rror" not in said


@pytest.mark.slow
@pytest.mark.parametrize("key", ["Ctrl-C", "Ctrl-D"])
def test_question__an_interrupt_is_no_answer(start: Start, tmp_path: Path, key: str) -> None:
    file = tmp_path / "cards.csv"
    assert CliRunner().invoke(main, ["cards", "export", str(file), "--game", "skirmish_wars"]).exit_code == 0
    head, first, *others = file.read_text(encoding="utf-8").splitlines()
    name = first.split(",")[1]
    file.write_text("\n".join([head, first.replace(name, f"{name}s", 1), *others]), encoding="utf-8")
    running, terminal = start([*COMMAND, "cards", "import", str(file), "--game", "skirmish_wars"])
    until(terminal, r"Change them\?")
    if key == "Ctrl-C":
        running.send_signal(signal.SIGINT)
        os.write(terminal, b"\n")  # an interrupt just before Python waits for an answer is seen when it has one
    else:
        os.write(terminal, b"\x04")
    running.communicate(timeout=LATE_S)
    assert running.returncode == 130


@pytest.mark.slow
def test_battle__an_interrupt_while_it_is_compiled_ends_it_at_once(tmp_path: Path) -> None:
    words = ["battle", "de_pz4h", "us_m4a1", "--range", "18", "--actions", "3", "--simulate", str(FOR_EVER)]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    called = time.monotonic()
    with subprocess.Popen([*COMMAND, *words], env=environment, **pipes) as running:
        while not any(tmp_path.rglob("*.nbc")):  # many more are to come
            assert running.poll() is None
            time.sleep(0.01)
        begun = time.monotonic()
        running.send_signal(signal.SIGINT)
        printed = running.communicate(timeout=LATE_S)
    assert (running.returncode, printed[0]) == (130, b"")
    assert {*printed[1].decode().splitlines()} <= {jit.COMPILING, "at work"}
    assert time.monotonic() - begun < max(SOON_S, begun - called)


STUCK = """
import hashlib
from aabalance.cli import terminal
with terminal.listening():
    print("begins", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"no handler runs", b"within a call", 10**9)
"""


@pytest.mark.slow
def test_listening__a_signal_ends_a_program_that_is_within_a_compiled_function() -> None:
    with subprocess.Popen([sys.executable, "-c", STUCK], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"begins\n"
        time.sleep(1)  # it has printed, and calls next
        running.send_signal(signal.SIGINT)
        try:
            assert running.wait(timeout=LATE_S) == 130
        finally:
            running.kill()


@pytest.mark.parametrize("number", terminal_room.ENDING)
def test_listening__what_ends_a_program_is_an_interrupt_and_what_is_ignored_stays_so(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with terminal_room.listening(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    assert signal.getsignal(number) == before
    if number != signal.SIGINT:  # as `nohup` does
        signal.signal(number, signal.SIG_IGN)
        try:
            with terminal_room.listening():
                signal.raise_signal(number)
        finally:
            signal.signal(number, before)


def test_progress__an_interrupt_that_compiled_code_swallowed_is_heard_at_the_next_step() -> None:
    with terminal_room.listening(), terminal_room.progress(2, "table") as advance:
        advance(1)
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            advance(1)
    with terminal_room.listening(), terminal_room.progress(2, "table") as advance:
        advance(1)
        advance(1)


def test_main__looks_for_cycles_rarely_while_a_command_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    before, during = gc.get_threshold(), []

    def looks(*_: object, **__: object) -> None:
        during.append(gc.get_threshold()[0])
        raise aab.AabalanceError("seen")

    monkeypatch.setattr(aab.Game, "shot", looks)
    assert CliRunner().invoke(main, ["shot", "de_tiger1", "su_t34_85", "--range", "18"]).exit_code == 2
    assert during == [terminal_room.RARELY] > [before[0]]
    assert gc.get_threshold() == before


def test_main__a_program_frees_nothing_as_it_ends() -> None:
    cycle = "class Left:\n    def __del__(self): print('freed')\nleft = Left()\nleft.itself = left\n"
    program = "from aabalance.cli import main; main(['--help'])"
    freed = [
        subprocess.run([sys.executable, "-c", cycle + code], capture_output=True, text=True, check=True).stdout[-6:]
        for code in ("", program)
    ]
    assert freed[0] == "freed\n" != freed[1]


def test_main__what_compiled_code_makes_of_an_interrupt_is_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def swallows(*_: object, **__: object) -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise SystemError("returned a result with an exception set")

    monkeypatch.setattr(aab.Game, "shot", swallows)
    done = CliRunner().invoke(main, ["shot", "de_tiger1", "su_t34_85", "--range", "18"])
    assert (done.exit_code, done.output) == (130, "")


MATCHUPS = """
import sys
import aabalance as aab
game = aab.Game(sys.argv[1])
units = list(game.cards)[:3]
# Told of every pair.
told = lambda steps: print("more", file=sys.stderr)
try:
    aab.matchups(game, attackers=units, targets=units, simulate=3 * 10**6, advance=told)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["armored_advance", "modern_land_battles"])
def test_matchups__an_interrupt_ends_a_long_simulation_at_once(start: Start, game: str) -> None:
    called = time.monotonic()
    running, terminal = start([sys.executable, "-c", MATCHUPS, game])
    until(terminal, r"more\s+")  # the table of attacks is made: duels are rolled
    begun = time.monotonic()
    running.send_signal(signal.SIGINT)
    printed, _ = running.communicate(timeout=LATE_S)
    assert time.monotonic() - begun < max(SOON_S, begun - called)
    assert printed == b"interrupted\n"
    os.close(terminal)


def test_saying_so__soon_and_then_from_time_to_time_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal_room, "PATIENCE_S", 0.05)
    monkeypatch.setattr(terminal_room, "_interrupts", [])
    with terminal_room._saying_so(), terminal_room.progress(4000, "battles") as advance:
        advance(1500)
        time.sleep(0.3)
    with terminal_room._saying_so():
        time.sleep(0.3)
    with terminal_room._saying_so():
        terminal_room.wait_for_user()
        time.sleep(0.3)
    assert capsys.readouterr() == ("", "at work: 1,500 of 4,000 battles\nat work\n")
    monkeypatch.setattr(terminal_room, "AGAIN_S", 0.2)
    with terminal_room._saying_so(), terminal_room.progress(4000, "battles") as advance:
        time.sleep(0.1)
        advance(1500)
        time.sleep(0.25)
    assert capsys.readouterr() == ("", "at work\nat work: 1,500 of 4,000 battles\n")


@pytest.mark.parametrize(
    ("label", "done", "said"),
    [
        ("matches, at most", 1600, "1,600 of at most 3,400 matches"),
        ("lists, at least", 3500, "3,500 of at least 3,500 lists"),
    ],
)
def test_job__says_how_far_it_is_where_its_end_is_a_bound(label: str, done: int, said: str) -> None:
    job = terminal_room._Job(3400, label)
    job.advance(done)
    assert job.said == said


@pytest.mark.parametrize(("faults", "last"), [(50, "a.toml:50: wrong"), (51, "... and 1 fault more")])
def test_reported__says_how_many_faults_are_not_shown(
    faults: int, last: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(click.exceptions.Exit), terminal_room._reported({}):
        raise CardError([Fault(f"a.toml:{line}", "wrong") for line in range(1, faults + 1)])
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines), lines[-1]) == (faults, last)
