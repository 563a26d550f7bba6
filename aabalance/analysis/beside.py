"""Work that goes on in a second process while this one does something else: threads of one process share one core."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from aabalance.analysis import sweeps
from aabalance.errors import UsageError

Found = TypeVar("Found")


@contextmanager
def beside(function: Callable[..., Found], *given: object) -> Iterator[Callable[[], Found]]:
    """Work something out in a second process, if `aabalance.analysis.sweeps.sweeping` allows one, or else when asked.

    Parameters
    ----------
    function : callable
        At the top level of a module; what it returns and what it raises is picklable.
    *given
        What it is called with, picklable too.

    Returns
    -------
    callable
        Returns what the function does, and raises and warns what it does. Whoever leaves the context without having
        asked stops the process.
    """
    if not sweeps.second_process():
        yield lambda: function(*given)
        return
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    store = sweeps.store()
    process = context.Process(target=_work, args=(theirs, store and store.folder, function, given), daemon=True)
    with _deaf():
        process.start()
    theirs.close()

    def result() -> Found:
        try:
            found, error, said = ours.recv()
        except EOFError:
            raise UsageError("second process: lost, expected it to stay till the end") from None
        for warning in said:
            warnings.warn(warning, stacklevel=2)
        if error is not None:
            raise error
        value: Found = found
        return value

    try:
        yield result
    finally:
        process.terminate()
        process.join()
        ours.close()


def _work(answer: Connection, folder: Path | None, function: Callable[..., Found], given: tuple[object, ...]) -> None:
    """Send what a function returns, or raises, and its warnings."""
    found, error = None, None
    with warnings.catch_warnings(record=True) as said, sweeps.sweeping(cache=folder or False):
        try:
            found = function(*given)
        except Exception as fault:
            error = fault
    with suppress(OSError):  # nobody is there any longer
        answer.send((found, error, [one.message for one in said]))


@contextmanager
def _deaf() -> Iterator[None]:
    """Let processes that are started inside know no interrupt, from their first moment on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
