"""Sweeps: what is asked of every cell of a table, worked out where it has to be and kept where it was asked before.

An `Ask` is a table of rows and columns, most often of cards, and a pure function that answers any of its cells from
plain data. `run` cuts what isn't known yet into tasks, which threads of this process work out, or whatever executor
`sweeping` names: processes, or other machines. A task needs nothing but what it is given, and may be done twice; its
answers are kept as soon as they are there, so that a sweep that was cut off goes on where it was. An answer hangs on
its cell alone, and answers come back in the order of the table: who worked them out, and when, can't be seen.
"""

from __future__ import annotations

import math
import os
import signal
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
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel

from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError
from aabalance.store import Block, Store, digest, pack, place, sources

AHEAD = 64
"""Tasks handed to an executor before the first of them is waited for."""
MOST_BLOCKS = 24
"""Blocks of one shelf from which on they are put together: each edit of a card leaves two more."""

LOST = 2.0
"""Seconds of work on a `Series` that are lost, at most, with a process that is killed."""

Work = Callable[..., Any]
"""Of settings, rows and columns: an array of shape (rows, columns, ...), or the bytes of each cell, row by row."""


class Ask(NamedTuple):
    """A table that is asked for.

    Attributes
    ----------
    work : callable
        Answers cells; a function at the top level of a module.
    settings : NamedTuple
        All that the answers hang on besides rows and columns: numbers, texts, and models of pydantic.
    rows, columns : sequence
        What each row and each column is about: the like, all of it picklable.
    cells : int
        Of a task, about, so that it takes some seconds.
    key : callable
        Returns what an answer hangs on of a row or a column, as `aabalance.store.digest` takes it; by default all.
    mirrored : bool
        Rows and columns are the same, and `work` takes one thing more: whether to answer also the cells whose rows are
        its columns. It then returns two arrays.
    """

    work: Work
    settings: Any
    rows: Sequence[Any]
    columns: Sequence[Any] = (None,)
    cells: int = 1
    key: Callable[[Any], Any] = lambda one: one
    mirrored: bool = False


class Answers(NamedTuple):
    """What was asked for: the bytes of all cells.

    Attributes
    ----------
    body : array of uint8
        All answers behind one another.
    begin, length : array of int, shape (rows, columns)
        Where each begins, and its bytes.
    """

    body: Any
    begin: Any
    length: Any

    def one(self, row: int, column: int = 0) -> bytes:
        """Return an answer."""
        begin = int(self.begin[row, column])
        found: bytes = self.body[begin : begin + int(self.length[row, column])].tobytes()
        return found

    def numbers(self) -> Any:
        """Return answers that are as many numbers each, as an array of shape (rows, columns, numbers)."""
        count = int(self.length.max(initial=0)) // 8
        values = self.body.view("<f8")
        return values[self.begin[..., None] // 8 + np.arange(count)]


class _Where(NamedTuple):
    executor: Executor | None = None
    store: Store | None = None
    open: list[Series] | None = None


_where: ContextVar[_Where] = ContextVar("_where", default=_Where())  # noqa: B039 - it can't be changed


@contextmanager
def sweeping(*, executor: Executor | None = None, cache: bool | Path | str | Store = False) -> Iterator[None]:
    """Say where the tables that are asked for inside are worked out, and kept.

    It changes no number, and holds for all that is worked out cell by cell: matchups, battles, readings of the rules,
    worth and prices, gates.

    Parameters
    ----------
    executor : Executor, optional
        Any of ``concurrent.futures``: processes (started by ``spawn``), or ``Client.get_executor()`` of dask; by default
        a thread for each processor.
    cache : bool, path or Store
        A folder in which results are kept, and looked for; true for the user's own.

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
        with _context(_Where(executor, store, opened)):
            yield
    finally:
        for series in opened:
            series.close()
        if store is not None:
            store.shrink()


def processes(workers: int) -> ProcessPoolExecutor:
    """Return so many processes that share nothing with this one, as they start on every system, and know no interrupt.

    Parameters
    ----------
    workers : int
    """
    deaf = (signal.SIGINT, signal.SIG_IGN)
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=signal.signal, initargs=deaf)


def spills() -> bool:
    """Return whether a worker of a dask cluster, which this runs on, writes to disk what it would have to unpickle."""
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
    """Return where results are kept now; None if they aren't."""
    return _where.get().store


def answer(ask: Ask, advance: Advance = lambda cells: None) -> Answers:
    """Return what is asked for; see `run`."""
    [found] = run([ask], advance)
    return found


def run(asks: Iterable[Ask], advance: Advance = lambda cells: None) -> Iterator[Answers]:
    """Yield what is asked for, table by table, in order; tasks of the next tables are under way meanwhile.

    Parameters
    ----------
    asks : iterable of Ask
    advance : callable
        Called with the number of cells done since the last call.

    Raises
    ------
    UsageError
        The executor is lost; what was done until then is kept, if anything is.
    """
    where = _where.get()
    waiting: deque[_Table] = deque()
    left = iter(asks)
    names: dict[Any, str] = {}
    with _Threads() if where.executor is None else nullcontext(where.executor) as executor:
        try:
            while True:
                while sum(map(len, waiting)) < AHEAD and (ask := next(left, None)) is not None:
                    waiting.append(_Table(ask, where.store, executor, advance, names))
                if not waiting:
                    return
                while waiting[0].pending:
                    wait([future for table in waiting for future in table.pending], return_when=FIRST_COMPLETED)
                    for table in waiting:
                        table.collect()
                yield waiting.popleft().answers()
        finally:
            for table in waiting:
                table.cancel()


class Series:
    """Answers of one kind that are asked for little by little: what is kept of them is read once, at the beginning.

    Parameters
    ----------
    work : callable
        As of `Ask`; it returns bytes, and the one column is None.
    settings : NamedTuple
    rows : int
        Of a task, about, so that it takes some seconds.
    key : callable
        As of `Ask`.
    """

    def __init__(self, work: Work, settings: Any, rows: int, key: Callable[[Any], Any]) -> None:
        self._ask = Ask(work, settings, (), cells=rows, key=key)
        where = _where.get()
        self._store = where.store
        self._known: dict[str, bytes] = {}
        self._asked: set[str] = set()
        self._new: list[str] = []
        self._written = monotonic()
        if self._store is None:
            return
        self._shelf = _shelf_of(self._ask)
        self._files = self._store.files(self._shelf)
        for block in self._store.shelf(self._shelf):
            body = block.body()
            ends = np.cumsum(_full(block.lengths, (len(block.rows), 1))).tolist()
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
        if len(rows) <= self._ask.cells:  # too few to be sent away
            return list(self._ask.work(self._ask.settings, rows, (None,))) if rows else []
        with _context(_where.get()._replace(store=None)):
            found = answer(self._ask._replace(rows=rows))
        return [found.one(row) for row in range(len(rows))]

    def _keep(self, names: list[str]) -> None:
        """Keep the answers of these names."""
        assert self._store is not None
        found = [self._known[name] for name in names]
        block = Block(names, [digest(None)], [len(one) for one in found], pack(b"".join(found)))
        self._store.put(self._shelf, block)
        self._new, self._written = [], monotonic()


class _Task(NamedTuple):
    """Cells that are worked out together: places of their rows and columns in the table; `both`: and the other way."""

    rows: list[int]
    columns: list[int]
    both: bool


class _Piece(NamedTuple):
    """Answers that are there: of a block, or of a task.

    Attributes
    ----------
    rows, columns : array of int
        By row and column of the table, which of its own is meant; -1 for none.
    length : array of int
        Bytes of its answers, by its own rows and columns.
    body : callable
        Returns these answers behind one another.
    """

    rows: Any
    columns: Any
    length: Any
    body: Callable[[], bytes]


class _Table:
    """A table that is being worked out."""

    def __init__(
        self, ask: Ask, store: Store | None, executor: Executor, advance: Advance, names: dict[Any, str]
    ) -> None:
        self._ask, self._store, self._executor, self._advance = ask, store, executor, advance
        self._shape = len(ask.rows), len(ask.columns)
        self._pieces: list[_Piece] = []
        self._read = 0
        missing = np.ones(self._shape, dtype=bool)
        if store is not None:
            self._shelf = _shelf_of(ask)
            self._names = [[_name(ask, one, names) for one in some] for some in (ask.rows, ask.columns)]
            one_by_one = None
            if ask.cells == 1:  # what a task is called says which cell it is about
                one_by_one = [store.path(self._shelf, [a], [b]) for a in self._names[0] for b in self._names[1]]
            for block in store.shelf(self._shelf, one_by_one):
                self._read += 1
                rows, columns = map(_places, self._names, (block.rows, block.columns))
                here = np.ix_(rows >= 0, columns >= 0)
                if missing[here].any():
                    missing[here] = False
                    shape = len(block.rows), len(block.columns)
                    self._pieces.append(_Piece(rows, columns, _full(block.lengths, shape), block.body))
        if known := int((~missing).sum()):
            advance(known)
        self._tasks = _tasks(missing, ask.cells, ask.mirrored)
        self.pending: dict[Future[Any], _Task] = {}
        self._submit()

    def __len__(self) -> int:
        """Return how much it takes of what may be under way."""
        return 1 + len(self.pending)

    def _submit(self) -> None:
        while len(self.pending) < AHEAD and (task := next(self._tasks, None)) is not None:
            ask = self._ask
            rows, columns = [ask.rows[at] for at in task.rows], [ask.columns[at] for at in task.columns]
            given = (ask.settings, rows, columns, *((task.both,) if ask.mirrored else ()))
            self.pending[self._executor.submit(_worked, ask.work, given, self._store is not None, sources())] = task

    def collect(self) -> None:
        """Take the answers of all tasks that are done, and go on to the next ones.

        Raises
        ------
        UsageError
            Nobody is left who would answer.
        """
        for future in [future for future in self.pending if future.done()]:
            task = self.pending.pop(future)
            try:
                found = future.result()
            except (BrokenExecutor, CancelledError) as error:
                lost = f"workers: lost ({type(error).__name__}), expected some that stay till the end"
                raise UsageError(lost) from None
            for part, (lengths, body) in zip((task, _turned(task)), found, strict=False):
                self._take(part, lengths, body)
        self._submit()

    def answers(self) -> Answers:
        """Return all answers, once no task is pending."""
        begin, length = np.zeros(self._shape, dtype=np.int64), np.zeros(self._shape, dtype=np.int64)
        bodies, end = [], 0
        for piece in self._pieces:
            own = np.ix_(piece.rows >= 0, piece.columns >= 0)
            meant = np.ix_(piece.rows[piece.rows >= 0], piece.columns[piece.columns >= 0])
            ends = end + np.cumsum(piece.length).reshape(piece.length.shape)
            length[own], begin[own] = piece.length[meant], (ends - piece.length)[meant]
            bodies.append(piece.body())
            end += len(bodies[-1])
        found = Answers(np.frombuffer(b"".join(bodies), dtype=np.uint8), begin, length)
        # Where blocks are as large as tasks are, there is nothing to be won.
        small = self._ask.cells > 1 and self._read * self._ask.cells > 4 * begin.size
        if self._store is not None and self._read > MOST_BLOCKS and small:
            self._put_together(self._store, found)
        return found

    def cancel(self) -> None:
        """Take back what nobody waits for any longer; what is done is kept."""
        for future, task in self.pending.items():
            if not future.cancel() and future.done() and not future.exception():
                for part, (lengths, body) in zip((task, _turned(task)), future.result(), strict=False):
                    self._take(part, lengths, body)

    def _take(self, task: _Task, lengths: list[int], body: bytes) -> None:
        """Take the answers of a task, and keep them."""
        shape = len(task.rows), len(task.columns)
        at = [np.full(count, -1) for count in self._shape]
        at[0][task.rows], at[1][task.columns] = np.arange(shape[0]), np.arange(shape[1])
        block = None
        if self._store is not None:
            rows, columns = ([of[at] for at in some] for of, some in zip(self._names, task[:2], strict=True))
            block = Block(rows, columns, lengths, body)
            self._store.put(self._shelf, block)
        self._pieces.append(_Piece(at[0], at[1], _full(lengths, shape), block.body if block else lambda: body))
        self._advance(shape[0] * shape[1])

    def _put_together(self, store: Store, found: Answers) -> None:
        """Keep all answers in one block, in place of all that are on the shelf."""
        others = store.files(self._shelf)
        body = b"".join(found.one(row, column) for row, column in np.ndindex(self._shape))
        lengths = found.length.ravel().tolist()
        lengths = lengths[:1] if len(set(lengths)) == 1 else lengths
        path = store.put(self._shelf, Block(self._names[0], self._names[1], lengths, pack(body)))
        if path is not None:
            store.remove(other for other in others if other != path)


def _worked(work: Work, given: tuple[Any, ...], kept: bool, ours: list[str]) -> list[tuple[list[int], bytes]]:
    """Return the answers of a task, one way or both: their lengths, and the bytes, deflated if they are to be kept."""
    if sources() != ours:
        raise UsageError("workers: found other sources or libraries than here, expected the same on both sides")
    found = work(*given)
    made = []
    for part in found if isinstance(found, tuple) else (found,):
        if isinstance(part, np.ndarray):
            body = part.astype("<f8").tobytes()
            lengths = [len(body) // (part.shape[0] * part.shape[1])]
        else:
            body, lengths = b"".join(part), [len(one) for one in part]
        made.append((lengths, pack(body) if kept else body))
    return made


def _shelf_of(ask: Ask) -> str:
    """Return the digest of all that the answers of a table hang on besides its rows and columns."""
    return digest([sources(), ask.work.__module__, ask.work.__qualname__, ask.settings])


def _name(ask: Ask, one: Any, names: dict[Any, str]) -> str:
    """Return the digest of a row or a column; that of a card is worked out once for all tables of its kind."""
    if not isinstance(one, BaseModel):
        return digest(ask.key(one))
    if (at := (ask.work, id(one))) not in names:
        names[at] = digest(ask.key(one))
    return names[at]


def _full(lengths: list[int], shape: tuple[int, int]) -> Any:
    """Return the bytes of each answer."""
    sizes = np.array(lengths, dtype=np.int64)
    return np.broadcast_to(sizes, shape) if len(lengths) == 1 else sizes.reshape(shape)


def _places(names: Sequence[str], kept: Sequence[str]) -> Any:
    """Return where each name stands among others; -1 for one that doesn't."""
    place = {name: at for at, name in enumerate(kept)}
    return np.array([place.get(name, -1) for name in names])


def _turned(task: _Task) -> _Task:
    return _Task(task.columns, task.rows, task.both)


def _tasks(left: Any, cells: int, mirrored: bool) -> Iterator[_Task]:
    """Yield the cells that are left as rectangles of about so many, of a mirrored table also what lies across."""
    for row in range(len(left)):
        while left[row].any():
            columns = np.flatnonzero(left[row])
            columns = columns[: max(min(math.isqrt(cells), len(columns)), 1)]
            rows = np.flatnonzero(left[:, columns].all(axis=1))[: max(cells // len(columns), 1)]
            here, across = np.ix_(rows, columns), np.ix_(columns, rows)
            both = mirrored and not np.array_equal(rows, columns) and bool(left[across].all())
            left[here] = False
            if both:
                left[across] = False
            yield _Task(rows.tolist(), columns.tolist(), both)


class _Threads(ThreadPoolExecutor):
    """A thread for each processor; the first task is done in this one, where interrupts are heard while it compiles."""

    def __init__(self) -> None:
        super().__init__(max_workers=os.cpu_count() or 1)
        self._began = False

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Return what will be the result of a call."""
        if self._began:
            return super().submit(function, *given, **named)
        self._began = True
        future: Future[Any] = Future()
        future.set_result(function(*given, **named))
        return future
