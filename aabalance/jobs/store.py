"""Results kept in files, by all that they depend on: a result whose key is the same is never worked out twice.

A *shelf* is a folder for the answers of one function under the same settings; its name is a digest of everything that
they depend on besides rows and columns. A *block* is a file on it, the answers of one task: rows times columns, some
bytes for each. Blocks are never changed. They are written under another name and renamed, so that readers find a whole
one or none, however many write. Each carries a digest of its contents; one that doesn't fit is worked out again.

A file is ``MAGIC``, the digest of the rest, and a line end; a line of JSON; and the bytes, deflated.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs
from pydantic import BaseModel

from aabalance.provenance import sources_hash

MAGIC = b"aabalance block 1 "
SUFFIX = ".block"
MOST_BYTES = 1 << 30
"""Of all blocks together, by default: some ten states of a roster of 131 units, with all readings of the rules."""
PLACE = "AABALANCE_CACHE"
"""The environment variable that names the folder; none is kept where it is empty."""
SHOWN = ("cli", "explorer", "report")
"""Packages that only show results, so that no result depends on them."""
LIBRARIES = ("numba", "numpy", "pandas")


class Block(NamedTuple):
    """Answers of one task.

    Attributes
    ----------
    rows, columns : list of str
        Digests.
    lengths : list of int
        Bytes of each answer, row by row; a single number is that of all.
    packed : bytes
        The answers one after the other, deflated.
    """

    rows: list[str]
    columns: list[str]
    lengths: list[int]
    packed: bytes

    def body(self) -> bytes:
        """Return the answers one after the other."""
        return zlib.decompress(self.packed)


def pack(body: bytes) -> bytes:
    """Return bytes deflated, quickly rather than well."""
    return zlib.compress(body, 1)


def digest(value: Any) -> str:
    """Return a digest of plain data, models and fractions, 32 hex digits; equal values have equal ones."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _plain(value: Any) -> Any:
    """Return a model or a fraction as plain data for JSON."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"found a {type(value).__name__}, expected plain data")


@cache
def sources() -> list[str]:
    """Return the versions that all results depend on: a digest of our sources without `SHOWN`, and libraries."""
    return [sources_hash(".", SHOWN), *(f"{name} {metadata.version(name)}" for name in LIBRARIES)]


def place() -> Path | None:
    """Return the folder of the user's own store; None if there shall be none."""
    named = os.environ.get(PLACE)
    if named is None:
        return Path(platformdirs.user_cache_dir("aabalance")) / "results"
    return Path(named) if named else None


class Store:
    """Blocks in a folder.

    Parameters
    ----------
    folder : Path
        Made when the first block is written.
    most : int
        Bytes that `shrink` leaves at most.
    """

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self.folder, self.most = folder, most
        self._said: set[str] = set()

    def shelf(self, key: str, paths: Iterable[Path] | None = None) -> Iterator[Block]:
        """Yield the whole blocks of a shelf; each counts as used.

        Parameters
        ----------
        key : str
            From `digest`.
        paths : iterable of Path, optional
            From `path`, of the blocks that are meant, where they are known; by default all.
        """
        for path in self.files(key) if paths is None else paths:
            try:
                data = path.read_bytes()
                os.utime(path)
            except OSError:
                continue  # there is none, or whoever shares the folder has just removed it
            block = _read(data)
            if block is None:
                self._say(
                    "damaged", f"{path}: found a damaged file, expected a block of results; it is worked out again"
                )
                with suppress(OSError):
                    path.unlink()
            else:
                yield block

    def files(self, key: str) -> list[Path]:
        """Return the blocks on a shelf."""
        return sorted((self.folder / key).glob(f"*{SUFFIX}"))

    def path(self, key: str, rows: list[str], columns: list[str]) -> Path:
        """Return the file of a block with these rows and columns, whether there is one or not."""
        return self.folder / key / f"{digest([rows, columns])}{SUFFIX}"

    def put(self, key: str, block: Block) -> Path | None:
        """Keep a block on a shelf and return its file; None, and a warning, if that can't be."""
        head = {"rows": block.rows, "columns": block.columns, "lengths": block.lengths}
        rest = json.dumps(head, separators=(",", ":")).encode() + b"\n" + block.packed
        path = self.path(key, block.rows, block.columns)
        temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                temporary.write_bytes(MAGIC + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest)
                os.replace(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            self._say("unwritable", f"{self.folder}: results can't be kept: {error.strerror or error}")
            return None
        return path

    def blocks(self) -> dict[Path, os.stat_result]:
        """Return all files of the store with what the system knows of them, the one used longest ago first."""
        files = {}
        for path in self.folder.glob(f"*/*{SUFFIX}"):
            with suppress(OSError):
                files[path] = path.stat()
        return dict(sorted(files.items(), key=lambda one: (one[1].st_mtime, one[0])))

    def shrink(self) -> None:
        """Remove the blocks that were used longest ago, until the others fit."""
        blocks = self.blocks()
        over = sum(one.st_size for one in blocks.values()) - self.most
        for path, one in blocks.items():
            if over <= 0:
                return
            over -= one.st_size
            self.remove([path])

    def remove(self, paths: Iterable[Path]) -> None:
        """Remove blocks, and shelves that become empty; those that are gone already don't matter."""
        for path in paths:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            with suppress(OSError):
                path.parent.rmdir()

    def _say(self, kind: str, message: str) -> None:
        """Warn, once of each kind of fault."""
        if kind not in self._said:
            self._said.add(kind)
            warnings.warn(message, stacklevel=2)


def _read(data: bytes) -> Block | None:
    """Return the block that a file holds; None if it isn't a whole one."""
    line, _, rest = data.partition(b"\n")
    if line != MAGIC + hashlib.sha256(rest).hexdigest().encode():
        return None
    head, _, packed = rest.partition(b"\n")
    return Block(packed=packed, **json.loads(head))
