"""Sweeps: tables that are worked out cell by cell, in threads, processes or on other machines, and kept between runs.

A `Job` is a table of rows and columns, most often of cards, and a pure function that works out any of its cells from
plain data. `run` cuts the cells that aren't known yet into tasks, for threads of this process or the executor that
`sweeping` names: processes, or other machines. A task needs nothing but its arguments, and may be done twice. Its
results are kept as soon as they are there, so that a command that was killed can be resumed. They depend on their cell
alone, and are the same wherever they are worked out.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from aabalance.engine.sampling import Advance
from aabalance.errors import AabalanceError, check_kind
from aabalance.jobs.job import CellResults, Job, Kept, Names, Task, Work, packed, sources_of, tasks, unpacked, work_out
from aabalance.jobs.store import Store, cache_dir

AHEAD = 64
"""Tasks handed to an executor before the first of them is waited for."""
SHARES = 8
"""Tasks for each thread into which a job is cut that allows smaller ones."""


class _Settings(NamedTuple):
    executor: Executor | None = None
    store: Store | None = None
    alone: bool = True


_settings: ContextVar[_Settings] = ContextVar("_settings", default=_Settings())  # noqa: B039 - it can't be changed


@contextmanager
def sweeping(
    *, executor: Executor | None = None, cache: bool | Path | str | Store = False, alone: bool = True
) -> Iterator[None]:
    """Say where tables are worked out inside the ``with`` block, and where they are kept.

    It changes no number, and concerns all that is worked out cell by cell: matchups, battles, readings of the rules,
    worth and prices, gates.

    Parameters
    ----------
    executor : Executor, optional
        Any of ``concurrent.futures``: processes (by ``spawn``), or ``Client.get_executor()`` of dask; by default
        a thread for each processor.
    cache : bool, path or Store
        A folder in which results are kept, and looked for; true for the user's own.
    alone : bool
        Start no process without being told to by an executor. A program whose main module can be imported without
        running it may say no: reports of large rosters then take about two thirds of the time.

    Examples
    --------
    >>> import aabalance as aab
    >>> with aab.sweeping(cache="results"):
    ...     table = aab.matchups(aab.Game("skirmish_wars"))
    """
    check_kind("executor", executor, Executor | None, "an executor of concurrent.futures")
    check_kind("cache", cache, bool | Path | str | Store | None, "true, false or a folder")
    folder = cache_dir() if cache is True else None if cache is False else cache
    store = folder if isinstance(folder, Store) or folder is None else Store(Path(folder))
    token = _settings.set(_Settings(executor, store, alone))
    try:
        yield
    finally:
        _settings.reset(token)
        if store is not None:
            store.shrink()
            store.close()


def store() -> Store | None:
    """Return the store in which results are kept now; None if they aren't kept."""
    return _settings.get().store


def run(jobs: Iterable[Job], advance: Advance = lambda cells: None) -> Iterator[CellResults]:
    """Yield the results of jobs in their order; tasks of the next jobs are under way meanwhile.

    Parameters
    ----------
    jobs : iterable of Job
        The jobs.
    advance : callable
        Called with the number of cells done since the last call.

    Raises
    ------
    AabalanceError
        All workers died; results until then are kept if there is a store.
    """
    settings = _settings.get()
    left, names = iter(jobs), Names()
    ahead = AHEAD if settings.executor is not None else 2 * _processors()
    waiting: deque[_Table] = deque()

    def is_full() -> bool:
        """Return whether no further table should be begun: each takes room for its results."""
        return bool(waiting) and (
            waiting[-1].direct or not waiting[0].pending or sum(1 + len(table.pending) for table in waiting) >= ahead
        )

    with _Threads() if settings.executor is None else nullcontext(settings.executor) as executor:
        try:
            while True:
                while not is_full() and (job := next(left, None)) is not None:
                    waiting.append(_Table(job, settings, executor, advance, names))
                if not waiting:
                    return
                while waiting[0].pending:
                    wait([future for table in waiting for future in table.pending], return_when=FIRST_COMPLETED)
                    for table in waiting:
                        table.collect()
                yield waiting.popleft().found
        except (BrokenExecutor, CancelledError) as error:
            raise _died(error) from None
        finally:
            for table in waiting:
                table.cancel()


def results(job: Job, advance: Advance = lambda cells: None) -> CellResults:
    """Return the results of one job; see `run`.

    Parameters
    ----------
    job : Job
        The job.
    advance : callable
        As for `run`.
    """
    [found] = run([job], advance)
    return found


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Provide new processes, which share nothing with this one and ignore interrupts.

    An error ends them at once, and so does the end of this process, whatever ends it.

    Parameters
    ----------
    workers : int
        Number of processes.

    Raises
    ------
    AabalanceError
        One of them died.
    """
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_serve)
    try:
        with pool:
            try:
                yield pool
            except BaseException:
                for process in set(active_children()) - others:
                    process.terminate()
                pool.shutdown(cancel_futures=True)
                raise
    except BrokenExecutor as error:
        raise _died(error) from None


def _serve() -> None:
    """Begin a worker: it ignores interrupts, and ends with the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


@contextmanager
def background(*, worthwhile: bool) -> Iterator[Executor]:
    """Provide a process that works while this one does something else, if `sweeping` allows one.

    Otherwise what is submitted is done at once. What is submitted keeps its results where this process does.

    Parameters
    ----------
    worthwhile : bool
        Whether there is work for more than the second that a process takes to start.
    """
    settings = _settings.get()
    if not worthwhile or settings.executor is not None or settings.alone or _processors() == 1:
        yield Direct()
        return
    with processes(1) as pool:
        yield _Keeping(pool, settings.store)


def spills() -> bool:
    """Return whether the dask worker that this runs on may spill data to disk, which it would have to unpickle."""
    import dask

    return any(dask.config.get(f"distributed.worker.memory.{way}", False) for way in ("spill", "target"))


class Direct(Executor):
    """Does what is submitted at once, in the thread that submits it."""

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Call a function with what is `given` and `named`, and return its result as a future that is done."""
        future: Future[Any] = Future()
        future.set_result(function(*given, **named))
        return future


def shared(worker: Executor, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> Iterator[Future[Any]]:
    """Yield futures of what a function gives for some `calls`: `worker` takes every second one, the rest is done here.

    Parameters
    ----------
    worker : Executor
        From `background`.
    function : callable
        At the top level of a module, as processes want it.
    calls : sequence of tuple
        The arguments of each call.
    """
    there = {at: worker.submit(function, *calls[at]) for at in range(1, len(calls), 2)}
    for at, call in enumerate(calls):
        yield there.get(at) or Direct().submit(function, *call)


class _Threads(ThreadPoolExecutor):
    """A thread for each processor; the first task of a function is done here, where interrupts are heard."""

    compiled: ClassVar[set[Work]] = set()
    """Functions of which a task was done, which compiles what it needs."""

    def __init__(self) -> None:
        super().__init__(max_workers=_processors())

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Return a future of the result of a task; `given` begins with its work."""
        if given[0] in self.compiled:
            return super().submit(function, *given, **named)
        future = Direct().submit(function, *given, **named)
        self.compiled.add(given[0])
        return future


class _Keeping(Executor):
    """Processes that keep results in the store of this one."""

    def __init__(self, pool: Executor, store: Store | None) -> None:
        self._pool, self._cache = pool, False if store is None else store.folder

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Return a future of the result of a call."""
        with _ignoring_interrupts():  # a process inherits that from its first moment on
            return self._pool.submit(_keep, self._cache, function, *given, **named)


def _keep(cache: Path | bool, function: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
    with sweeping(cache=cache):
        return function(*given, **named)


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Table:
    """A job that is under way.

    Attributes
    ----------
    found : array
        Its results, as far as they are there.
    pending : dict
        Its tasks that aren't done, by their futures.
    direct : bool
        Whether its tasks are done one after another, in this thread.
    """

    def __init__(self, job: Job, settings: _Settings, executor: Executor, advance: Advance, names: Names) -> None:
        self._job, self._advance = job, advance
        self._sent = settings.executor is not None
        self.found = job.empty()
        missing = np.ones(self.found.shape[:2], dtype=bool)
        self._kept = None
        if settings.store is not None:
            self._kept = Kept(job, settings.store, names)
            self._kept.fill(self.found, missing)
        self._left = count = int(missing.sum())
        if count < missing.size:
            advance(missing.size - count)
        most, here = job.cells, settings.executor is None
        self.direct = job.threaded and here
        if job.least is not None:
            most = min(max(-(-count // (SHARES * _processors())), job.least), job.cells) if here else job.cells
            self.direct = count <= most
        self._executor = Direct() if self.direct else executor
        self._tasks = tasks(job, missing, most)
        self.pending: dict[Future[Any], Task] = {}
        self._submit()

    def collect(self) -> None:
        """Take the results of all tasks that are done, and begin the next ones."""
        for future in [future for future in self.pending if future.done()]:
            self._take(self.pending.pop(future), future.result())
        self._submit()

    def cancel(self) -> None:
        """Cancel tasks that nobody waits for any longer; results that are there are kept."""
        for future, task in self.pending.items():
            if not future.cancel() and future.done() and not future.exception():
                self._take(task, future.result())

    def _submit(self) -> None:
        while len(self.pending) < (1 if self.direct else AHEAD) and (task := next(self._tasks, None)) is not None:
            job, ours = self._job, sources_of(self._job.settings)
            self.pending[self._executor.submit(work_out, job.work, job.call(task), ours, self._sent)] = task

    def _take(self, task: Task, found: list[list[Any]]) -> None:
        """Take the results of a task, and keep them."""
        for part, rows in zip(task.parts(), found, strict=True):
            if self._kept is not None:
                self._kept.put(part, rows if self._sent else list(map(packed, rows)))
            for row, cells in zip(part.rows, rows, strict=True):
                whole = unpacked(cells, len(part.columns), self._job.shape) if self._sent else cells
                self.found[row, part.columns] = whole
            # A few cells of a mirrored table are done twice.
            counted = min(len(part.rows) * len(part.columns), self._left)
            self._left -= counted
            self._advance(counted)


def _processors() -> int:
    return os.cpu_count() or 1


def _died(error: BaseException) -> AabalanceError:
    return AabalanceError(f"A worker process died ({type(error).__name__})")
