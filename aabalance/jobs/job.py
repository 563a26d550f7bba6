"""A job: a table to be worked out, and how it is cut into tasks; `aabalance.jobs.sweeps` runs them."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from aabalance import rulesets
from aabalance.errors import UsageError
from aabalance.jobs.store import DIGEST, Entry, Store, digest, sources

Work = Callable[..., Any]
"""A function that takes settings, rows and columns, and returns the results of all cells: an array of shape (rows,
columns, ...), or a list of bytes, row by row."""
CellResults = npt.NDArray[Any]
"""The results of a table: numbers, of shape (rows, columns, ...), or bytes, of shape (rows, columns)."""


class Job(NamedTuple):
    """A table to be worked out.

    Attributes
    ----------
    work : callable
        A function at the top level of a module that works out cells.
    settings : NamedTuple
        All that the results depend on besides rows and columns: numbers, texts, and models of pydantic. If they depend
        on the rules of a game, too, its name is their `game`.
    rows, columns : sequence
        What each row and each column is about: plain data as in `settings`, which can be pickled.
    shape : tuple of int, optional
        Shape of the numbers of a cell; by default a cell is bytes.
    cells : int
        Number of cells that make up a task, about, so that it takes some seconds.
    least : int, optional
        For jobs that may be small: the number of cells that are worth a thread of this process. So many are worked out
        at once, and where there are other processes, up to `cells`.
    key : callable
        Takes a row or a column; returns all of it on which the results depend, in a form that
        `aabalance.jobs.store.digest` takes. By default the whole row or column.
    threaded : bool
        Whether `work` uses all processors by itself: in this process its tasks are then done one after another, and an
        interrupt is heard in each.
    mirrored : bool
        Whether rows and columns are the same. `work` then takes a fourth argument, whether to work out also the cells
        across the diagonal, and returns two arrays if so.
    """

    work: Work
    settings: Any
    rows: Sequence[Any]
    columns: Sequence[Any] = (None,)
    shape: tuple[int, ...] | None = None
    cells: int = 1
    least: int | None = None
    key: Callable[[Any], Any] = lambda one: one
    threaded: bool = False
    mirrored: bool = False

    def empty(self) -> CellResults:
        """Return a table without results."""
        size = len(self.rows), len(self.columns)
        return np.empty(size, dtype=object) if self.shape is None else np.empty((*size, *self.shape))

    def call(self, task: Task) -> tuple[Any, ...]:
        """Return the arguments of the work on a task."""
        rows, columns = [self.rows[at] for at in task.rows], [self.columns[at] for at in task.columns]
        return (self.settings, rows, columns, *((task.both,) if self.mirrored else ()))


def sources_of(settings: Any) -> list[str]:
    """Return on which sources and libraries the results of a job with these settings depend."""
    game = getattr(settings, "game", None)
    return [*sources(), *([rulesets.sources(game)] if game else [])]


class Task(NamedTuple):
    """Cells that are worked out together.

    Attributes
    ----------
    rows, columns : list of int
        Indices of their rows and columns.
    both : bool
        Whether the cells across the diagonal are worked out with them.
    """

    rows: list[int]
    columns: list[int]
    both: bool

    def parts(self) -> list[Task]:
        """Return the rectangles that the task consists of."""
        return [self, Task(self.columns, self.rows, True)] if self.both else [self]


Names = dict[tuple[Work, int], tuple[BaseModel, bytes]]
"""Cards with their digests, by work and the card's id."""


class Kept:
    """The results of a job in a store: reads them, and adds new ones.

    Parameters
    ----------
    job : Job
        The job.
    store : Store
        Where results are kept.
    names : dict
        Cards and their digests, for all tables of the same work.
    """

    def __init__(self, job: Job, store: Store, names: Names) -> None:
        self._job, self._store = job, store
        settings = digest([sources_of(job.settings), job.work.__module__, job.work.__qualname__, job.settings])
        rows, self._columns = ([_name(job, one, names) for one in some] for some in (job.rows, job.columns))
        self._keys = [digest(settings + row) for row in rows]

    def fill(self, found: CellResults, missing: npt.NDArray[np.bool_]) -> None:
        """Write kept results into a table, and false where they were missing."""
        rows = np.flatnonzero(missing.any(axis=1)).tolist()
        index = {name: at for at, name in enumerate(self._columns)}

        @cache
        def columns_of(names: bytes) -> npt.NDArray[np.int64]:
            """Return the places of columns in the table, -1 for a column that it lacks; most entries share theirs."""
            each = (names[at : at + DIGEST] for at in range(0, len(names), DIGEST))
            return np.array([index.get(name, -1) for name in each])

        for row, entries in zip(rows, self._store.read([self._keys[row] for row in rows]), strict=True):
            for entry in entries:
                columns = columns_of(entry.columns)
                here = (columns >= 0) & missing[row, columns]
                if here.any():
                    cells = unpacked(entry.cells, len(columns), self._job.shape)
                    used = slice(None) if here.all() else here  # without a copy where that can be
                    found[row, columns[used]] = cells[used]
                    missing[row, columns[used]] = False

    def put(self, task: Task, strips: Sequence[bytes]) -> None:
        """Keep the packed results of a task, row by row."""
        columns = b"".join(self._columns[at] for at in task.columns)
        self._store.write(Entry(self._keys[row], columns, strip) for row, strip in zip(task.rows, strips, strict=True))


def work_out(work: Work, call: tuple[Any, ...], ours: list[str], sent: bool) -> list[list[Any]]:
    """Work out a task; where that is, only what stands in its arguments is known.

    Parameters
    ----------
    work : callable
        As in `Job`.
    call : tuple
        Its arguments.
    ours : list of str
        Sources and libraries where the task comes from.
    sent : bool
        Whether the results are sent to another process: they are packed, row by row.

    Returns
    -------
    list of list
        The results of the task's parts, row by row: arrays, or bytes if they are packed.

    Raises
    ------
    UsageError
        Here are other sources or libraries.
    """
    if sources_of(call[0]) != ours:
        raise UsageError("workers: found other sources or libraries than here, expected the same on both sides")
    found = work(*call)
    parts = []
    for part in found if isinstance(found, tuple) else (found,):
        numbers = isinstance(part, np.ndarray)
        rows = part.astype("<f8", copy=False) if numbers else _objects(part).reshape(-1, len(call[2]))
        parts.append(list(map(packed, rows)) if sent else list(rows))
    return parts


def tasks(job: Job, missing: npt.NDArray[np.bool_], most: int) -> Iterator[Task]:
    """Yield the missing cells as rectangles of about `most`; if mirrored, with those across the diagonal.

    Parameters
    ----------
    job : Job
        The job.
    missing : array of bool, shape (rows, columns)
        Overwritten.
    most : int
        Number of cells.
    """
    for row in range(len(missing)):
        while missing[row].any():
            columns = np.flatnonzero(missing[row])
            columns = columns[: max(min(math.isqrt(most), len(columns)), 1)]
            rows = np.flatnonzero(missing[:, columns].all(axis=1))
            if job.mirrored and not np.array_equal(rows, columns):
                rows, columns = _apart(rows, columns)
            rows = rows[: max(most // len(columns), 1)]
            here, across = np.ix_(rows, columns), np.ix_(columns, rows)
            both = job.mirrored and not np.array_equal(rows, columns) and bool(missing[across].all())
            missing[here] = False
            if both:
                missing[across] = False
            yield Task(rows.tolist(), columns.tolist(), both)


def _apart(rows: Any, columns: Any) -> tuple[Any, Any]:
    """Return most of a rectangle of a mirrored table: few of its cells lie across from each other, to be done twice."""
    within = len(np.intersect1d(rows, columns))
    if 4 * within**2 <= len(rows) * len(columns):
        return rows, columns
    if len(rows) > within and len(rows) >= len(columns):
        return np.setdiff1d(rows, columns), columns
    return rows, np.setdiff1d(columns, rows)


def unpacked(data: bytes, columns: int, shape: tuple[int, ...] | None) -> CellResults:
    """Return the results of a row: numbers of shape (columns, *shape), or bytes of shape (columns,).

    Parameters
    ----------
    data : bytes
        From `packed`.
    columns : int
        Number of columns.
    shape : tuple of int or None
        Shape of the numbers of a cell; None for bytes.
    """
    body = zlib.decompress(data)
    if shape is not None:
        return np.frombuffer(body, "<f8").reshape(columns, *shape)
    ends = np.cumsum(np.frombuffer(body, "<u4", columns)).tolist()
    cells = body[4 * columns :]
    return _objects([cells[begin:end] for begin, end in zip([0, *ends], ends, strict=False)])


def packed(row: CellResults) -> bytes:
    """Return the results of a row as bytes, deflated, quickly rather than well."""
    if row.dtype == object:
        body = np.array([len(cell) for cell in row], "<u4").tobytes() + b"".join(row)
    else:
        body = row.tobytes()
    return zlib.compress(body, 1)


def _objects(cells: Sequence[bytes]) -> CellResults:
    """Return bytes as an array of objects, which keeps zeros at their ends."""
    found = np.empty(len(cells), dtype=object)
    found[:] = cells
    return found


def _name(job: Job, one: Any, names: Names) -> bytes:
    """Return the digest of a row or a column; that of a card is worked out once for all tables of the same work."""
    if not isinstance(one, BaseModel):
        return digest(None if one is None else job.key(one))
    if (at := (job.work, id(one))) not in names:
        names[at] = one, digest(job.key(one))  # the card is kept, so that no later one can have its id
    return names[at][1]
