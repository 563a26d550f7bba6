"""Sweeps: tables that are worked out cell by cell, in threads, processes or on other machines, and kept between runs.

An `Ask` is a table of rows and columns, most often of cards, and a pure function that answers any of its cells from
plain data. `run` cuts the cells that aren't known yet into tasks, which threads of this process work out, or whatever
executor `sweeping` names: processes, or other machines. A task needs nothing but its arguments, and may be done twice.
Its answers are kept as soon as they are there, so that a sweep that was cut off goes on where it was. An answer
depends on its cell alone, and answers come back in the order of the table, so that they are the same wherever they are
worked out.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Protocol

import numpy as np

from aabalance.engine.sampling import Advance
from aabalance.jobs.store import Block, Store, digest, pack, place
from aabalance.jobs.tasks import AHEAD, MOST_BLOCKS, Answers, Ask, Here, Table, Work, full, shelf_of

FEW = 32
"""Most rows of a `Series` that aren't worth sharing among workers."""
LOST = 2.0
"""Seconds of work on a `Series` that are lost, at most, with a process that is killed."""


class Second(Protocol):
    """A second process; see `aabalance.jobs.beside`."""

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do."""

    def submit(self, function: Callable[..., Any], *given: object) -> Future[Any]:
        """Put something in its line."""

    def work(self, function: Callable[..., Any], *given: object) -> Any:
        """Return what a function does there."""


class _Where(NamedTuple):
    executor: Executor | None = None
    store: Store | None = None
    open: list[Series] | None = None
    alone: bool = True
    second: Second | None = None
    compiled: bool = False


_where: ContextVar[_Where] = ContextVar("_where", default=_Where())  # noqa: B039 - it can't be changed


@contextmanager
def sweeping(
    *, executor: Executor | None = None, cache: bool | Path | str | Store = False, alone: bool = True
) -> Iterator[None]:
    """Say where the tables that are asked for inside the ``with`` block are worked out, and where they are kept.

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
        Start no second process without being told to by an executor. A program whose main module can be imported
        without running it may say no: reports of large rosters then take about two thirds of the time.

    Examples
    --------
    >>> import aabalance as aab
    >>> with aab.sweeping(cache="results"):
    ...     table = aab.matchups(aab.Game("skirmish_wars"))
    """
    folder = place() if cache is True else None if cache is False else cache
    store = folder if isinstance(folder, Store) or folder is None else Store(Path(folder))
    opened: list[Series] = []
    try:
        with _context(_Where(executor, store, opened, alone)):
            yield
    finally:
        for series in opened:
            series.close()
        if store is not None:
            store.shrink()


def processes(workers: int) -> ProcessPoolExecutor:
    """Return an executor of new processes, which share nothing with this one and ignore interrupts.

    Parameters
    ----------
    workers : int
        Number of processes.
    """
    deaf = (signal.SIGINT, signal.SIG_IGN)
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=signal.signal, initargs=deaf)


def spills() -> bool:
    """Return whether the dask worker that this runs on may spill data to disk, which it would have to unpickle."""
    import dask

    return any(dask.config.get(f"distributed.worker.memory.{way}", False) for way in ("spill", "target"))


@contextmanager
def _context(where: _Where) -> Iterator[None]:
    token = _where.set(where)
    try:
        yield
    finally:
        _where.reset(token)


def store() -> Store | None:
    """Return the store in which results are kept now; None if they aren't kept."""
    return _where.get().store


def may_start_process() -> bool:
    """Return whether a second process may be started, and there is a core for it that has nothing to do."""
    where = _where.get()
    return where.executor is None and not where.alone and (os.cpu_count() or 1) > 1


def second() -> Second | None:
    """Return the second process, if there is one."""
    return _where.get().second


@contextmanager
def with_second(second: Second) -> Iterator[None]:
    """Have tasks worked out in a second process, too, while it has nothing else to do."""
    with _context(_where.get()._replace(second=second)):
        yield


def answer(ask: Ask, advance: Advance = lambda cells: None) -> Answers:
    """Return the answers of one table; see `run`."""
    [found] = run([ask], advance)
    return found


def run(asks: Iterable[Ask], advance: Advance = lambda cells: None) -> Iterator[Answers]:
    """Yield the answers of tables in their order; tasks of the next tables are under way meanwhile.

    Parameters
    ----------
    asks : iterable of Ask
        The tables.
    advance : callable
        Called with the number of cells done since the last call.

    Raises
    ------
    UsageError
        The executor is lost; answers until then are kept if there is a store.
    """
    where = _where.get()
    waiting: deque[Table] = deque()
    left = iter(asks)
    names: dict[Any, str] = {}
    threads = _Threads(where.second, where.compiled) if where.executor is None else nullcontext(where.executor)
    with threads as executor, ThreadPoolExecutor(1) as reader:
        try:
            while True:
                while sum(map(len, waiting)) < AHEAD and (ask := next(left, None)) is not None:
                    by = Here() if ask.threaded and where.executor is None else executor
                    waiting.append(Table(ask, where.store, by, advance, names))
                if not waiting:
                    return
                while waiting[0].pending:
                    wait([future for table in waiting for future in table.pending], return_when=FIRST_COMPLETED)
                    for table in waiting:
                        table.collect()
                found = waiting.popleft().answers()
                if waiting:
                    waiting[0].read(reader)
                yield found
        finally:
            for table in waiting:
                table.cancel()


class Series:
    """A table of one column whose rows are asked for little by little; kept answers are read once, at the beginning.

    Parameters
    ----------
    work : callable
        As in `Ask`; it returns bytes, and its one column is None.
    settings : NamedTuple
        As in `Ask`.
    rows : int
        Number of rows that make up a task, about, so that it takes some seconds.
    key : callable
        As in `Ask`.
    """

    def __init__(self, work: Work, settings: Any, rows: int, key: Callable[[Any], Any]) -> None:
        self._ask = Ask(work, settings, (), cells=rows, key=key)
        where = _where.get()
        self._store = where.store
        self._compiled = False
        self._known: dict[str, bytes] = {}
        self._asked: set[str] = set()
        self._new: list[str] = []
        self._written = monotonic()
        if self._store is None:
            return
        self._shelf = shelf_of(self._ask)
        self._files = self._store.files(self._shelf)
        blocks = list(self._store.shelf(self._shelf))
        with ThreadPoolExecutor() as readers:
            bodies = list(readers.map(Block.body, blocks))
        for block, body in zip(blocks, bodies, strict=True):
            ends = np.cumsum(full(block.lengths, (len(block.rows), 1))).tolist()
            for name, begin, end in zip(block.rows, [0, *ends], ends, strict=False):
                self._known[name] = body[begin:end]
        if where.open is not None:
            where.open.append(self)

    def answer(self, rows: Sequence[Any]) -> list[bytes]:
        """Return the answers to some rows."""
        if self._store is None:
            return self._answer(rows)
        names = [digest(self._ask.key(row)) for row in rows]
        new = {name: row for name, row in zip(names, rows, strict=True) if name not in self._known}
        self._known |= zip(new, self._answer(list(new.values())), strict=True)
        self._new += new
        self._asked.update(names)
        if new and monotonic() - self._written > LOST:
            self._keep(self._new)
        return [self._known[name] for name in names]

    def close(self) -> None:
        """Keep what isn't kept yet."""
        if self._store is not None and len(self._files) > MOST_BLOCKS:
            self._keep(sorted(self._asked))
            self._store.remove(self._files)
        elif self._new:
            self._keep(self._new)

    def _answer(self, rows: Sequence[Any]) -> list[bytes]:
        where = _where.get()
        if where.executor is None and not self._compiled:  # all wait for the first row, which compiles
            self._compiled = True
            return [*self._answer(rows[:1]), *self._answer(rows[1:])]
        # Threads need nothing sent to them, and so share few rows, too.
        cells = self._ask.cells if where.executor is not None else -(-len(rows) // (8 * (os.cpu_count() or 1)))
        cells = min(max(cells, FEW), self._ask.cells)
        if len(rows) <= cells:
            return list(self._ask.work(self._ask.settings, rows, (None,))) if rows else []
        with _context(where._replace(store=None, compiled=self._compiled)):
            found = answer(self._ask._replace(rows=rows, cells=cells))
        return [found.one(row) for row in range(len(rows))]

    def _keep(self, names: list[str]) -> None:
        """Keep the answers of these names."""
        assert self._store is not None
        found = [self._known[name] for name in names]
        block = Block(names, [digest(None)], [len(one) for one in found], pack(b"".join(found)))
        self._store.put(self._shelf, block)
        self._new, self._written = [], monotonic()


class _Threads(ThreadPoolExecutor):
    """A thread for each processor; the first task is done in this one, where interrupts are heard while it compiles.

    Threads share a core, as long as they don't wait: one of them waits for the second process, if that is idle.
    """

    def __init__(self, second: Second | None, compiled: bool) -> None:
        super().__init__(max_workers=os.cpu_count() or 1)
        self._compiled, self._second = compiled, second

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Return a future of the result of a call."""
        if self._compiled:
            return super().submit(self._anywhere, function, *given, **named)
        self._compiled = True
        return Here().submit(function, *given, **named)

    def _anywhere(self, function: Callable[..., Any], *given: Any) -> Any:
        if self._second is not None and self._second.idle:
            return self._second.work(function, *given)
        return function(*given)
