"""Work that goes on in a second process while this one does something else: threads of one process share one core."""

from __future__ import annotations

import gc
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from aabalance.errors import UsageError
from aabalance.jobs import sweeps

Found = TypeVar("Found")
Call = tuple[Any, ...]
"""A function at the top level of a module, and what it is called with; like what it returns and raises, picklable."""


@contextmanager
def second_process() -> Iterator[None]:
    """Start a second process for what is asked for inside, if `aabalance.jobs.sweeps.sweeping` allows one.

    It takes what `beside` gives it, and tasks of sweeps while it has nothing else to do. Whoever leaves without having
    asked for what is under way stops it.
    """
    if not sweeps.may_start_process():
        yield
        return
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    store = sweeps.store()
    process = context.Process(target=_work, args=(theirs, store and store.folder), daemon=True)
    with _deaf():
        process.start()
    theirs.close()
    second = _Second(ours)
    try:
        with sweeps.with_second(second):
            yield
        if second.idle:
            ours.close()
            process.join()
    finally:
        process.terminate()
        process.join()
        second.close()


def beside(function: Callable[..., Found], *given: object) -> Callable[[], Found]:
    """Have something worked out in the second process, if there is one, or else when it is asked for.

    Parameters
    ----------
    function : callable
        At the top level of a module; what it returns and what it raises is picklable.
    *given
        What it is called with, picklable too.

    Returns
    -------
    callable
        Returns what the function does, and raises and warns what it does. What the second process hasn't begun by then
        is worked out here.
    """
    second = sweeps.second()
    if second is None:
        return lambda: function(*given)
    future = second.submit(function, *given)
    return lambda: function(*given) if future.cancel() else _said(*future.result())


def shared(calls: Sequence[Call]) -> list[Callable[[], Any]]:
    """Have several things worked out by both: the second process begins with the last, whoever asks with the first.

    Parameters
    ----------
    calls : sequence of tuple
        As `beside` takes them.

    Returns
    -------
    list of callable
        In the same order.
    """
    return [beside(*call) for call in reversed(calls)][::-1]


class _Second(sweeps.Second):
    """A process that works, and the line of what it is given."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe, self._line = pipe, ThreadPoolExecutor(1)
        self._open: list[Future[Any]] = []

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do."""
        return all(future.done() for future in self._open)

    def submit(self, function: Callable[..., Any], *given: object) -> Future[Any]:
        """Put something in its line; what comes back is as `_said` takes it."""
        future = self._line.submit(self._there, function, given)
        self._open = [*(one for one in self._open if not one.done()), future]
        return future

    def work(self, function: Callable[..., Any], *given: object) -> Any:
        """Return what a function does, and warn and raise what it does."""
        return _said(*self.submit(function, *given).result())

    def close(self) -> None:
        """Give up what nobody waits for any longer."""
        self._line.shutdown(cancel_futures=True)
        self._pipe.close()

    def _there(self, *call: object) -> Any:
        try:
            self._pipe.send(call)
            return self._pipe.recv()
        except (EOFError, OSError):
            raise UsageError("second process: lost, expected it to stay till the end") from None


def _said(found: Any, error: Exception | None, said: Sequence[Warning]) -> Any:
    """Return what was found, and warn and raise what was there."""
    for warning in said:
        warnings.warn(warning, stacklevel=3)
    if error is not None:
        raise error
    return found


def _work(pipe: Connection, folder: Path | None) -> None:
    """Call the functions that come through a pipe, as long as it is open; send back results, errors and warnings."""
    with suppress(EOFError, OSError):  # the other end of the pipe is closed
        while True:
            function, given = pipe.recv()
            with sweeps.sweeping(cache=folder or False):
                found, error = None, None
                with warnings.catch_warnings(record=True) as said:
                    try:
                        found = function(*given)
                    except Exception as fault:
                        error = fault
                pipe.send((found, error, [one.message for one in said]))
                del found
    gc.freeze()  # the process that ends this one waits, and Python would look for cycles among all modules


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
