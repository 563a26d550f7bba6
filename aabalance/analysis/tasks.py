"""A table that is asked for, and how it is cut into tasks: see `aabalance.analysis.sweeps`, which runs them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel

from aabalance import rulesets
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError
from aabalance.store import Block, Store, digest, pack, sources

AHEAD = 64
"""Tasks handed to an executor before the first of them is waited for."""
MOST_BLOCKS = 24
"""Blocks of one shelf from which on they are put together: each edit of a card leaves two more."""

Work = Callable[..., Any]
"""Of settings, rows and columns: an array of shape (rows, columns, ...), or the bytes of each cell, row by row."""


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


class Ask(NamedTuple):
    """A table that is asked for.

    Attributes
    ----------
    work : callable
        Answers cells; a function at the top level of a module.
    settings : NamedTuple
        All that the answers hang on besides rows and columns: numbers, texts, and models of pydantic. If they hang on
        the rules of a game, too, its name is their `game`.
    rows, columns : sequence
        What each row and each column is about: the like, all of it picklable.
    cells : int
        Of a task, about, so that it takes some seconds.
    key : callable
        Returns what an answer hangs on of a row or a column, as `aabalance.store.digest` takes it; by default all.
    threaded : bool
        `work` uses every processor by itself: in this process its tasks are done one after another, and an interrupt
        is heard in each.
    mirrored : bool
        Rows and columns are the same, and `work` takes one thing more: whether to answer also the cells whose rows are
        its columns. It then returns two arrays.
    known : (array of bool, Answers), optional
        Which cells needn't be worked out, of shape (rows, columns), and a table in which they stand.
    """

    work: Work
    settings: Any
    rows: Sequence[Any]
    columns: Sequence[Any] = (None,)
    cells: int = 1
    key: Callable[[Any], Any] = lambda one: one
    threaded: bool = False
    mirrored: bool = False
    known: tuple[Any, Answers] | None = None


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


class Here(Executor):
    """Does what is submitted at once, in the thread that submits it."""

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Return the result of a call, which is there already.

        Parameters
        ----------
        function : callable
        *given, **named
            What it is called with.
        """
        future: Future[Any] = Future()
        future.set_result(function(*given, **named))
        return future


class Table:
    """A table that is being worked out."""

    def __init__(
        self, ask: Ask, store: Store | None, executor: Executor, advance: Advance, names: dict[Any, str]
    ) -> None:
        self._ask, self._store, self._advance = ask, store, advance
        # What is done where it is submitted needs nothing to wait in line behind it.
        self._executor, self._ahead = executor, 1 if isinstance(executor, Here) else AHEAD
        self._shape = len(ask.rows), len(ask.columns)
        self._pieces: list[_Piece] = []
        self._read = 0
        missing = np.ones(self._shape, dtype=bool) if ask.known is None else ~ask.known[0]
        if store is not None:
            self._shelf = shelf_of(ask)
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
                    self._pieces.append(_Piece(rows, columns, full(block.lengths, shape), block.body))
        if known := int((~missing).sum()):
            advance(known)
        self._tasks = _tasks(missing, ask.cells, ask.mirrored)
        self.pending: dict[Future[Any], _Task] = {}
        self._submit()

    def __len__(self) -> int:
        """Return how much it takes of what may be under way."""
        return AHEAD if self._ahead == 1 else 1 + len(self.pending)

    def _submit(self) -> None:
        while len(self.pending) < self._ahead and (task := next(self._tasks, None)) is not None:
            ask = self._ask
            rows, columns = [ask.rows[at] for at in task.rows], [ask.columns[at] for at in task.columns]
            given = (ask.settings, rows, columns, *((task.both,) if ask.mirrored else ()))
            kept, ours = self._store is not None, _sources(ask.settings)
            self.pending[self._executor.submit(_worked, ask.work, given, kept, ours)] = task

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

    def read(self, reader: Executor) -> None:
        """Begin to unpack what is there, so that nobody has to wait for it."""
        self._pieces = [piece._replace(body=reader.submit(piece.body).result) for piece in self._pieces]

    def answers(self) -> Answers:
        """Return all answers, once no task is pending."""
        begin, length = np.zeros(self._shape, dtype=np.int64), np.zeros(self._shape, dtype=np.int64)
        bodies: list[Any] = []
        if self._ask.known is not None:
            where, known = self._ask.known
            length[where], begin[where] = known.length[where], known.begin[where]
            bodies.append(known.body)
        end = sum(map(len, bodies))
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
        self._pieces.append(_Piece(at[0], at[1], full(lengths, shape), block.body if block else lambda: body))
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
    if _sources(given[0]) != ours:
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


def shelf_of(ask: Ask) -> str:
    """Return the digest of all that the answers of a table hang on besides its rows and columns."""
    return digest([_sources(ask.settings), ask.work.__module__, ask.work.__qualname__, ask.settings])


def _sources(settings: Any) -> list[str]:
    """Return which sources and libraries the answers of a table hang on."""
    game = getattr(settings, "game", None)
    return [*sources(), *([rulesets.sources(game)] if game else [])]


def _name(ask: Ask, one: Any, names: dict[Any, str]) -> str:
    """Return the digest of a row or a column; that of a card is worked out once for all tables of its kind."""
    if not isinstance(one, BaseModel):
        return digest(ask.key(one))
    if (at := (ask.work, id(one))) not in names:
        names[at] = digest(ask.key(one))
    return names[at]


def full(lengths: list[int], shape: tuple[int, int]) -> Any:
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
            rows = np.flatnonzero(left[:, columns].all(axis=1))
            if mirrored and not np.array_equal(rows, columns):
                rows, columns = _apart(rows, columns)
            rows = rows[: max(cells // len(columns), 1)]
            here, across = np.ix_(rows, columns), np.ix_(columns, rows)
            both = mirrored and not np.array_equal(rows, columns) and bool(left[across].all())
            left[here] = False
            if both:
                left[across] = False
            yield _Task(rows.tolist(), columns.tolist(), both)


def _apart(rows: Any, columns: Any) -> tuple[Any, Any]:
    """Return most of a rectangle of a mirrored table: little of it lies across from itself, and would be done twice."""
    within = len(np.intersect1d(rows, columns))
    if 4 * within**2 <= len(rows) * len(columns):
        return rows, columns
    if len(rows) > within and len(rows) >= len(columns):
        return np.setdiff1d(rows, columns), columns
    return rows, np.setdiff1d(columns, rows)
