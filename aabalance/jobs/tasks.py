"""A table of a sweep, and how it is cut into tasks; `aabalance.jobs.sweeps` runs them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from pydantic import BaseModel

from aabalance import rulesets
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError
from aabalance.jobs.store import Block, Store, digest, pack, sources

AHEAD = 64
"""Tasks handed to an executor before the first of them is waited for."""
MOST_BLOCKS = 24
"""Most blocks of a shelf before they are put together: each edit of a card adds two."""

Work = Callable[..., Any]
"""A function that takes settings, rows and columns, and returns the answers of all cells: an array of shape (rows,
columns, ...), or a list of bytes, row by row."""


class Answers(NamedTuple):
    """The answers of a table.

    Attributes
    ----------
    body : array of uint8
        The bytes of all answers, one after the other.
    begin, length : array of int, shape (rows, columns)
        Where each answer begins, and its number of bytes.
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
        """Return answers of equally many floats each, as an array of shape (rows, columns, numbers)."""
        count = int(self.length.max(initial=0)) // 8
        # By whole answers, which takes a quarter of the time that single numbers do.
        return sliding_window_view(self.body.view("<f8"), count)[self.begin // 8]


class Ask(NamedTuple):
    """A table to be worked out.

    Attributes
    ----------
    work : callable
        A function at the top level of a module that answers cells.
    settings : NamedTuple
        All that the answers depend on besides rows and columns: numbers, texts, and models of pydantic. If they depend
        on the rules of a game, too, its name is their `game`.
    rows, columns : sequence
        What each row and each column is about: plain data as in `settings`, which can be pickled.
    cells : int
        Number of cells that make up a task, about, so that it takes some seconds.
    key : callable
        Takes a row or a column; returns all of it on which the answers depend, in a form that
        `aabalance.jobs.store.digest` takes. By default the whole row or column.
    threaded : bool
        Whether `work` uses all processors by itself: in this process its tasks are then done one after another, and an
        interrupt is heard in each.
    mirrored : bool
        Whether rows and columns are the same. `work` then takes a fourth argument, whether to answer also the cells
        across the diagonal, and returns two arrays if so.
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
    """Cells that are worked out together: places of their rows and columns; `both`: with those across the diagonal."""

    rows: list[int]
    columns: list[int]
    both: bool


class _Piece(NamedTuple):
    """The answers of a kept block or of a task, as a part of the table.

    Attributes
    ----------
    rows, columns : array of int
        For each row and column of the table, its place in the piece; -1 if it isn't there.
    length : array of int
        Bytes of the answers, by row and column of the piece.
    body : callable
        Returns the answers one after the other.
    """

    rows: Any
    columns: Any
    length: Any
    body: Callable[[], bytes]


class Here(Executor):
    """Does what is submitted at once, in the thread that submits it."""

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Call a function, and return its result as a future that is done.

        Parameters
        ----------
        function : callable
            The function.
        *given, **named
            Its arguments.
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
        # Where a task is done as it is submitted, no others need to wait in line.
        self._executor, self._ahead = executor, 1 if isinstance(executor, Here) else AHEAD
        self._shape = len(ask.rows), len(ask.columns)
        self._pieces: list[_Piece] = []
        self._read = 0
        missing = np.ones(self._shape, dtype=bool) if ask.known is None else ~ask.known[0]
        if store is not None:
            self._shelf = shelf_of(ask)
            self._names = [[_name(ask, one, names) for one in some] for some in (ask.rows, ask.columns)]
            one_by_one = None
            if ask.cells == 1:  # the file of a block is named for its cell
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
        """Return how many of the tasks that may be under way at once this table takes."""
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
            All workers are lost.
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
        """Begin to unpack kept answers, so that nobody has to wait for them."""
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
        # Blocks that are as large as tasks aren't worth putting together.
        small = self._ask.cells > 1 and self._read * self._ask.cells > 4 * begin.size
        if self._store is not None and self._read > MOST_BLOCKS and small:
            self._put_together(self._store, found)
        return found

    def cancel(self) -> None:
        """Cancel tasks that nobody waits for any longer; answers that are there are kept."""
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
    """Return lengths and bytes of a task's answers, and of those across the diagonal; bytes to be kept are deflated."""
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
    """Return the digest of all that the answers of a table depend on besides its rows and columns."""
    return digest([_sources(ask.settings), ask.work.__module__, ask.work.__qualname__, ask.settings])


def _sources(settings: Any) -> list[str]:
    """Return on which sources and libraries the answers of a table depend."""
    game = getattr(settings, "game", None)
    return [*sources(), *([rulesets.sources(game)] if game else [])]


def _name(ask: Ask, one: Any, names: dict[Any, str]) -> str:
    """Return the digest of a row or a column; that of a card is worked out once for all tables of the same work."""
    if not isinstance(one, BaseModel):
        return digest(ask.key(one))
    if (at := (ask.work, id(one))) not in names:
        names[at] = digest(ask.key(one))
    return names[at]


def full(lengths: list[int], shape: tuple[int, int]) -> Any:
    """Return the length of each answer by row and column; a single length is that of all."""
    sizes = np.array(lengths, dtype=np.int64)
    return np.broadcast_to(sizes, shape) if len(lengths) == 1 else sizes.reshape(shape)


def _places(names: Sequence[str], kept: Sequence[str]) -> Any:
    """Return the place of each name among those that are kept; -1 for a name that isn't there."""
    place = {name: at for at, name in enumerate(kept)}
    return np.array([place.get(name, -1) for name in names])


def _turned(task: _Task) -> _Task:
    return _Task(task.columns, task.rows, task.both)


def _tasks(left: Any, cells: int, mirrored: bool) -> Iterator[_Task]:
    """Yield the cells that are left as rectangles of about `cells`; if mirrored, with those across the diagonal."""
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
    """Return most of a rectangle of a mirrored table: few of its cells lie across from each other, to be done twice."""
    within = len(np.intersect1d(rows, columns))
    if 4 * within**2 <= len(rows) * len(columns):
        return rows, columns
    if len(rows) > within and len(rows) >= len(columns):
        return np.setdiff1d(rows, columns), columns
    return rows, np.setdiff1d(columns, rows)
