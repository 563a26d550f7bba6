"""Results kept in a database, by all that they depend on: one whose key is the same is never worked out twice.

The database is a file of SQLite that any number of commands may share. An entry holds the results of one row of a
table, in some of its columns. Its key is a digest of everything that they depend on besides the column: sources,
libraries, settings and row. It carries a digest of key, columns and results together, so that an entry that is damaged,
or stands under a wrong key, is noticed and worked out again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from importlib import metadata
from pathlib import Path
from time import time
from typing import Any, NamedTuple

import platformdirs
from pydantic import BaseModel

from aabalance.provenance import sources_hash

FILE = "results.sqlite"
MOST_BYTES = 1 << 30
"""Of the database, by default: some ten states of a roster of 131 units, with all readings of the rules."""
CACHE_VARIABLE = "AABALANCE_CACHE"
"""The environment variable that names the folder; nothing is kept where it is empty."""
SHOWN = ("cli", "explorer", "report")
"""Packages that only show results, so that no result depends on them."""
LIBRARIES = ("numba", "numpy", "pandas")
DIGEST = 16
"""Bytes of a digest."""
RECENT = 24 * 3600.0
"""Seconds within which another use of an entry isn't written down."""
TIMEOUT = 60.0
"""Seconds to wait for another command that writes."""
SCHEMA = """
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = OFF;
CREATE TABLE IF NOT EXISTS results (key BLOB, columns BLOB, cells BLOB, seal BLOB, used REAL);
CREATE INDEX IF NOT EXISTS by_key ON results (key);
"""
FIND = """
SELECT rowid, seal, ifnull(CAST(used AS REAL), 0.0),
       ifnull(CAST(columns AS BLOB), x''), ifnull(CAST(cells AS BLOB), x'')
FROM results WHERE key = ?
"""
"""Fields are bytes, also where damage has made a text of them or nothing, so that the seal tells."""
ADD = "INSERT INTO results VALUES (?, ?, ?, ?, ?)"
USE = "UPDATE results SET used = ? WHERE rowid = ?"
REMOVE = "DELETE FROM results WHERE rowid = ?"
DAMAGE = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR
"""Codes of errors for which the file is begun anew; the last is that of a table with other columns."""
GIVE_BACK = "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);"
OLDEST = """
SELECT rowid, ifnull(length(columns), 0) + ifnull(length(cells), 0) FROM results ORDER BY used, rowid
"""
SIZE = "SELECT (SELECT count(*) FROM results), page_count * page_size FROM pragma_page_count, pragma_page_size"


class Entry(NamedTuple):
    """Results of a row of a table.

    Attributes
    ----------
    key : bytes
        Digest of all that the results depend on besides the column.
    columns : bytes
        Digests of the columns, one after the other.
    cells : bytes
        The results, in any form.
    """

    key: bytes
    columns: bytes
    cells: bytes

    @property
    def seal(self) -> bytes:
        """A digest of the whole entry."""
        return hashlib.sha256(b"".join((len(self.columns).to_bytes(8), *self))).digest()[:DIGEST]


def digest(value: Any) -> bytes:
    """Return a digest of bytes, or of plain data, models and fractions; equal values have equal ones."""
    if not isinstance(value, bytes):
        value = json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain).encode()
    return hashlib.sha256(value).digest()[:DIGEST]


def _plain(value: Any) -> Any:
    """Return a model, a fraction or a digest as plain data for JSON."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"found a {type(value).__name__}, expected plain data")


@cache
def sources() -> list[str]:
    """Return the versions that all results depend on: a digest of our sources without `SHOWN`, and libraries."""
    return [sources_hash(".", SHOWN), *(f"{name} {metadata.version(name)}" for name in LIBRARIES)]


def cache_dir() -> Path | None:
    """Return the folder of the user's own store; None if there shall be none."""
    named = os.environ.get(CACHE_VARIABLE)
    if named is None:
        return Path(platformdirs.user_cache_dir("aabalance")) / "results"
    return Path(named) if named else None


class Store:
    """Results in a database.

    Parameters
    ----------
    folder : Path
        Where the database lies; made when it is first opened.
    most : int
        Bytes that `shrink` leaves at most.
    """

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self.folder, self.most = folder, most
        self.file = folder / FILE
        self._database: sqlite3.Connection | None = None
        self._warned: set[str] = set()

    def read(self, keys: Sequence[bytes]) -> list[list[Entry]]:
        """Return, for each of some keys, its entries; they count as used.

        Parameters
        ----------
        keys : sequence of bytes
            The keys of entries.
        """
        rows: list[list[Any]] = self._run(
            lambda database: [database.execute(FIND, (key,)).fetchall() for key in keys], [[] for _ in keys]
        )
        now = time()
        found: list[list[Entry]] = []
        damaged, used = [], []
        for key, of_key in zip(keys, rows, strict=True):
            found.append([])
            for row, seal, when, columns, cells in of_key:
                entry = Entry(key, columns, cells)
                if entry.seal != seal:
                    damaged.append((row,))
                    continue
                found[-1].append(entry)
                if now - when > RECENT:
                    used.append((now, row))
        if damaged:
            self._warn_of_damage()
        self._change(REMOVE, damaged)
        self._change(USE, used)
        return found

    def write(self, entries: Iterable[Entry]) -> None:
        """Keep entries; a warning, once, if that can't be.

        Parameters
        ----------
        entries : iterable of Entry
            The entries.
        """
        now = time()
        self._change(ADD, [(*entry, entry.seal, now) for entry in entries])

    def size(self) -> tuple[int, int]:
        """Return the number of entries, and how many bytes the database takes."""
        if not self.file.exists():
            return 0, 0
        found: tuple[int, int] = self._run(lambda database: database.execute(SIZE).fetchone(), (0, 0))
        return found

    def shrink(self) -> None:
        """Remove the entries that were used longest ago, until the others fit."""
        over = self.size()[1] - self.most
        if over <= 0:
            return
        oldest = []
        rows: list[Any] = self._run(lambda database: database.execute(OLDEST).fetchall(), [])
        for row, size in rows:
            if over <= 0:
                break
            over -= size
            oldest.append((row,))
        self._change(REMOVE, oldest)
        self._give_back()

    def clear(self) -> None:
        """Remove all entries."""
        self._change("DELETE FROM results", [()])
        self._give_back()

    def close(self) -> None:
        """Close the database; it is opened again when it is needed."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _change(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Run a statement for each of some rows, all or none."""

        def change(database: sqlite3.Connection) -> None:
            with database:
                database.executemany(statement, rows)

        if rows and "unwritable" not in self._warned:
            self._run(change, None)

    def _give_back(self) -> None:
        """Return the room of removed entries to the file system."""
        self._run(lambda database: database.executescript(GIVE_BACK), None)

    def _run(self, action: Callable[[sqlite3.Connection], Any], otherwise: Any) -> Any:
        """Return what an action on the database gives; if it fails, warn and return something else."""
        try:
            return action(self._opened() if self._database is None else self._database)
        except (sqlite3.Error, OSError, ValueError) as error:  # of a path with a NUL, the last
            self.close()
            if getattr(error, "sqlite_errorcode", None) in DAMAGE:
                self._warn_of_damage()
                self._remove_file()
            else:
                why = getattr(error, "strerror", None) or error
                self._warn("unwritable", f"{self.folder}: results can't be kept: {why}")
        return otherwise

    def _opened(self) -> sqlite3.Connection:
        """Open the database, for reading alone where it can't be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(self.file, timeout=TIMEOUT, check_same_thread=False)
            self._database.executescript(SCHEMA)
        except sqlite3.OperationalError:
            if not self.file.exists() or os.access(self.folder, os.W_OK):
                raise
            self.close()
            name = f"{self.file.resolve().as_uri()}?mode=ro&immutable=1"
            self._database = sqlite3.connect(name, uri=True, check_same_thread=False)
        return self._database

    def _remove_file(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                self.file.with_name(FILE + suffix).unlink(missing_ok=True)

    def _warn_of_damage(self) -> None:
        expected = "expected results as they were written; they are worked out again"
        self._warn("damaged", f"{self.file}: found damaged results, {expected}")

    def _warn(self, kind: str, message: str) -> None:
        """Warn, once of each kind of fault."""
        if kind not in self._warned:
            self._warned.add(kind)
            warnings.warn(message, stacklevel=2)
