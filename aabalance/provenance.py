"""Where numbers come from: the record that every written table and page carries."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

PACKAGE = Path(__file__).resolve().parent


@cache
def sources_hash(folder: str = ".", without: tuple[str, ...] = (), pattern: str = "*.py") -> str:
    """Return a hash of the files of the package, or of one of its folders, 16 hex digits.

    Parameters
    ----------
    folder : str
        Folder of the package; by default all of it.
    without : tuple of str
        Folders of it that are left out.
    pattern : str
        Which files count: by default Python sources; ``*`` for templates, scripts and rulebooks, too.
    """
    digest = hashlib.sha256()
    for path in sorted((PACKAGE / folder).rglob(pattern)):
        if path.relative_to(PACKAGE / folder).parts[0] in without or path.suffix == ".pyc" or not path.is_file():
            continue
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class Provenance(NamedTuple):
    """Everything that a number depends on.

    Attributes
    ----------
    aabalance, sources : str
        Version of the package, and hash of its sources.
    game, rulebook : str
        Titles of the game and of its rulebook.
    cards : str
        Hash of the content of all cards.
    variant : str
        The rule switches that differ from their defaults.
    definition : str
        Name of the report definition that sets the situations and the field.
    engine : {"exact", "monte_carlo"}
        Whether the numbers were solved or rolled.
    seed : int or None
        Seed of a simulation; None if the numbers are exact.
    note : str
        What readers have to know about the data.
    duels : str or None
        What the units of a duel do, if they don't both hold.
    """

    aabalance: str
    sources: str
    game: str
    rulebook: str
    cards: str
    variant: str
    definition: str
    engine: str
    seed: int | None
    note: str
    duels: str | None = None

    def said(self) -> dict[str, Any]:
        """Return the fields that are not None, by name."""
        return {name: value for name, value in self._asdict().items() if value is not None}

    def line(self) -> str:
        """Return the record as one line of JSON, for the comment above a table."""
        return json.dumps(self.said(), ensure_ascii=False)


def version() -> str:
    """Return the version of the installed package."""
    return metadata.version("aabalance")
