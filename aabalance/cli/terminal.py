"""Output for people and programs: JSON with stable bytes, tables and progress, and one line for an error."""

from __future__ import annotations

import atexit
import errno
import gc
import json
import math
import os
import re
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import click

from aabalance.errors import AabalanceError, CardError, Fault, OutputError, counted, printable

if TYPE_CHECKING:
    import socket

    import pandas as pd

    from aabalance.game import Game

MOST_FAULTS = 50
LEAST_TEXT = 12
OF_PRINTING = errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF
BAD, INTERNAL, INTERRUPTED, PIPE_CLOSED = 2, 3, 130, 141
DEBUG = "aabalance.debug"
LINE = re.compile(r":\d+$")
"""What the place of a fault ends in that has a line of a file."""
COMPILERS = "numba", "llvmlite"
PATIENCE_S, AGAIN_S = 2.0, 30.0
"""Seconds until a command first says that it is at work, and between any two such lines."""
EARLY = 0.05
"""Share of a job up to which nobody can say how long the rest takes."""
SHOW_CURSOR = "\x1b[?25h"
RARELY = 100_000
"""Objects after which a command looks for cycles among them; Python by itself does after 700."""


def print_json(value: object) -> None:
    """Print `value` as JSON in ASCII, which every terminal shows; ValueError for NaN or infinity, which JSON lacks.

    Tables in it become lists of their rows, in which null stands for either.
    """
    click.echo(json.dumps(value, indent=2, allow_nan=False, default=_rows))


def _rows(table: pd.DataFrame) -> Any:
    return [
        {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]], *, cut: bool = False) -> None:
    """Print a table: with rich on a terminal, else in plain columns with all their text.

    Parameters
    ----------
    header : sequence of str
        Headings of the columns.
    rows : sequence of sequence
        The rows, each with a value for each column.
    cut : bool
        On a terminal too each row is one line: long texts are cut, and columns before the last one are left out if
        there is no room.
    """
    cells = [["" if value is None else printable(str(value)) for value in row] for row in rows]
    numbers = [all(_is_number(row[column]) for row in cells) for column in range(len(header))]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    if not on_terminal():
        for line in (header, *cells):
            fields = [f"{v:>{w}}" if n else f"{v:<{w}}" for v, w, n in zip(line, widths, numbers, strict=True)]
            click.echo("  ".join(fields).rstrip())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, markup=False)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    shown = list(range(len(header)))
    # Only texts are made narrower: numbers are short, and people copy from the first column.
    firm = [number or column == 0 for column, number in enumerate(numbers)]
    least = [width if keeps else min(width, LEAST_TEXT) for width, keeps in zip(widths, firm, strict=True)]
    while cut and len(shown) > 2 and sum(least[column] + 1 for column in shown) > console.width:
        del shown[-2]
    for column in shown:
        table.add_column(header[column], justify="right" if numbers[column] else "left", no_wrap=firm[column])
    for row in cells:
        table.add_row(*(Text(row[column], no_wrap=cut, overflow="ellipsis" if cut else None) for column in shown))
    console.print(table)
    if left := len(header) - len(shown):
        click.echo(f"{counted(left, 'column')} more in a wider window, in a pipe, or with --json", err=True)


def print_block(head: str, fields: Mapping[str, Sequence[str]]) -> None:
    """Print `head` as a line and below it the fields, each with its values one under the other."""
    click.echo(head)
    width = max(map(len, fields), default=0)
    for name, values in fields.items():
        for n, value in enumerate(values):
            click.echo(f"    {name if n == 0 else '':<{width}}  {value}")
    click.echo()


def print_unusual(game: Game) -> None:
    """Print which rule switches and cards of a game aren't as they usually are, if any."""
    if unusual := game.provenance().unusual():
        click.echo(f"with {unusual}")


def say(text: str) -> None:
    """Print a line for who waits, which is no part of the answer."""
    click.echo(text, err=True)


def on_terminal() -> bool:
    """Return whether the output goes to a terminal."""
    return sys.stdout.isatty()


class _Job:
    """A job that may be long: how far it is, and its bar on a terminal, which begins with the first step done."""

    def __init__(self, total: int, label: str) -> None:
        self.total, self.label, self.done = total, label, 0
        self.bar = click.progressbar(length=total, label=label, file=sys.stderr, show_eta=False, show_pos=True)
        self.shown = ExitStack()

    @property
    def said(self) -> str:
        """How far it is: ``600 of 900 battles``, ``600 of at most 900 matches``."""
        what, _, bound = self.label.partition(", ")
        return f"{self.done:,} of {f'{bound} ' * bool(bound)}{max(self.done, self.total):,} {what}"

    def advance(self, steps: int) -> None:
        """Count some more steps as done."""
        self.done += steps
        if self.done and sys.stderr is not None and sys.stderr.isatty():
            early = self.done < EARLY * self.total
            self.bar.show_eta, self.bar.show_percent, self.bar.show_pos = not early, not early, early
            self.bar.make_step(steps)
            self.bar.render_progress() if self.bar.entered else self.shown.enter_context(self.bar)


_jobs: list[_Job] = []
"""The jobs that a command is at, each a part of the one before."""


@contextmanager
def progress(total: int, label: str) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of steps done; on a terminal it moves a bar.

    Parameters
    ----------
    total : int
        Number of all steps; without any there is no bar.
    label : str
        Text before the bar.
    """
    job = _Job(total, label)
    _jobs.append(job)
    try:
        with job.shown:
            yield _unless_interrupted(job.advance if total else lambda steps: None)
    finally:
        _jobs.remove(job)


_waits: list[threading.Event] = []
"""What ends the lines that a command is at work."""


@contextmanager
def _saying_so() -> Iterator[None]:
    """Say after `PATIENCE_S`, then every `AGAIN_S`, how far a command is, unless a bar shows it."""
    over = threading.Event()

    def say() -> None:
        pause = PATIENCE_S
        while not over.wait(pause):
            pause = AGAIN_S
            if sys.stderr is not None and not any(job.bar.entered for job in _jobs):
                click.echo(": ".join(["at work", *(job.said for job in _jobs if job.done)]), err=True)

    threading.Thread(target=say, daemon=True).start()
    _waits.append(over)
    try:
        yield
    finally:
        wait_for_user()


def wait_for_user() -> None:
    """Say no more that a command is at work: from now on it waits for its user, or has ended."""
    while _waits:
        _waits.pop().set()


ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a command; Windows has no SIGHUP."""
DEFAULT = signal.SIG_DFL, signal.default_int_handler
"""Handlers that ours replaces. Under `nohup` SIGHUP is ignored, and stays so."""
STUCK_S = 0.5
"""Seconds after a signal in which its handler begins, unless the program is within a compiled function."""
_interrupts: list[int] = []
"""Signals since a command began: what they raise can be lost in a compiled function that returns just then."""


def _unless_interrupted(advance: Callable[[int], None]) -> Callable[[int], None]:
    def checked(steps: int) -> None:
        if _interrupts:
            raise KeyboardInterrupt
        advance(steps)

    return checked


@contextmanager
def listening() -> Iterator[None]:
    """Remember interrupts that come inside."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # the caller handles interrupts itself
        return
    import socket

    before = {one: signal.getsignal(one) for one in ENDING if signal.getsignal(one) in DEFAULT}

    def interrupted(number: int, frame: FrameType | None) -> None:
        _interrupts.append(number)
        if _is_compiling(frame):
            _end_at_once()
        raise KeyboardInterrupt

    _interrupts.clear()
    for one in before:
        signal.signal(one, interrupted)
    heard, told = socket.socketpair()
    told.setblocking(False)
    threading.Thread(target=_end_if_stuck, args=(heard, told, *before), daemon=True).start()
    caller = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(caller)
        told.close()
        for one, handler in before.items():
            signal.signal(one, handler)


def _end_if_stuck(heard: socket.socket, told: socket.socket, *ending: int) -> None:
    """End at once after one of the signals, `ending`, whose handler can't run, until `told` is closed.

    No handler runs within a compiled function, and one that finds the best reply in a battle may take a minute.
    """
    with heard:
        while number := heard.recv(1):
            time.sleep(STUCK_S)
            if number[0] in ending and not _interrupts and told.fileno() >= 0:
                _end_at_once()


def _is_compiling(frame: FrameType | None) -> bool:
    """Return whether the compiler is at work: what is raised in it is lost, leaves it locked, or frees memory twice."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in COMPILERS:
            return True
        frame = frame.f_back
    return False


def _end_at_once() -> NoReturn:
    """End this process and those that it started, without tidying up; files and results are replaced whole or not."""
    from multiprocessing import active_children

    for child in active_children():
        child.kill()
    if sys.stderr is not None and sys.stderr.isatty():
        click.echo(SHOW_CURSOR, err=True)  # a progress bar hides it
    os._exit(INTERRUPTED)


@contextmanager
def _rarely_collecting() -> Iterator[None]:
    """Look for cycles rarely: what a command makes lasts to its end, and going through it takes a tenth of its time."""
    before = gc.get_threshold()
    gc.set_threshold(RARELY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _is_number(text: str) -> bool:
    return not text or text.lstrip("+-<>").replace(".", "", 1).isdecimal()


class Main(click.Group):
    """Turns the errors of a command into one line and an exit code."""

    def __call__(self, *args: Any, **extra: Any) -> Any:
        """Run as a program: warnings are one line each, and nothing is tidied up as it ends.

        Python would look for cycles among all modules.
        """
        warnings.formatwarning = lambda message, *_, **__: f"warning: {message}\n"
        atexit.register(gc.freeze)
        with _saying_so():
            try:
                return super().__call__(*args, **extra)
            except SystemExit as end:
                if end.code == INTERRUPTED:  # threads may still be at a match that nobody waits for
                    _end_at_once()
                raise

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the words before the command, ``--help`` among them."""
        with _reported({}):
            if sys.stdout is None:
                raise OutputError("standard output: can't be written: it is closed")
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _reported(ctx.meta), listening(), _rarely_collecting():
            return super().invoke(ctx)


@contextmanager
def _reported(meta: Mapping[str, Any]) -> Iterator[None]:
    """Print errors that are raised inside, and exit; `meta` tells whether ``--debug`` was given."""
    try:
        yield
    except (click.exceptions.Exit, click.exceptions.NoArgsIsHelpError):
        raise
    except click.ClickException as error:
        _leave(meta, f"error: {_of_click(error)}", BAD)
    except CardError as error:
        lines = [_line(fault) for fault in error.faults]
        left = len(lines) - MOST_FAULTS
        more = [f"... and {counted(left, 'fault')} more"] if left > 0 else []
        _leave(meta, "\n".join(lines[:MOST_FAULTS] + more), BAD)
    except AabalanceError as error:
        _leave(meta, f"error: {error}", BAD)
    except (KeyboardInterrupt, click.Abort):
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _give_up_printing()
        raise click.exceptions.Exit(PIPE_CLOSED) from None
    except OSError as error:
        if error.filename is None and error.errno in OF_PRINTING:
            _give_up_printing()
            error.filename = "standard output"
        elif error.filename is None and isinstance(error, FileNotFoundError):
            error.filename = "current folder"  # the only one for which a system gives no name
        _leave(meta, f"error: {error.filename or type(error).__name__}: {error.strerror or error}", BAD)
    except Exception as error:
        if _interrupts:  # what a compiled function made of it
            raise click.exceptions.Exit(INTERRUPTED) from None
        message = " ".join(str(error).split()) or "no message"
        hint = "" if meta.get(DEBUG) else "; --debug shows where, please report it"
        _leave(meta, f"internal error: {type(error).__name__}: {message}{hint}", INTERNAL)


def _of_click(error: click.ClickException) -> str:
    """Return what click says, begun as our own words are; where it proposes nothing, with the command for help."""
    text = error.format_message()
    text = text[:1].lower() + text[1:]
    context = error.ctx if isinstance(error, click.UsageError) else None
    return text if "?" in text or not context else f"{text.rstrip('.')}; `{context.command_path} --help` says more"


def _line(fault: Fault) -> str:
    """Return a fault as a line: one of a file begins with the file and its line, so that editors can jump there."""
    return printable(str(fault) if LINE.search(fault.place) else f"error: {fault}")


def _give_up_printing() -> None:
    """Send Python's own flush at exit to nowhere, since it would print the error once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _leave(meta: Mapping[str, Any], message: str, code: int) -> None:
    if meta.get(DEBUG):
        traceback.print_exc()
    click.echo("\n".join(map(printable, message.split("\n"))), err=True)
    raise click.exceptions.Exit(code)


def _set_debug(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    ctx.meta[DEBUG] = value or ctx.meta.get(DEBUG, False)


debug_option = click.option(
    "--debug",
    is_flag=True,
    envvar="AABALANCE_DEBUG",
    expose_value=False,
    is_eager=True,
    callback=_set_debug,
    help="Show a traceback with an error.",
)
