"""Where numbers come from: the record that every written table and page carries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

PACKAGE = Path(__file__).resolve().parent
DEFAULT_RULES = "default rules"
"""A variant in words whose switches are all at their defaults."""


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
    paths = (PACKAGE / folder).rglob(pattern)
    return files_hash(PACKAGE, (path for path in paths if path.relative_to(PACKAGE / folder).parts[0] not in without))


def files_hash(folder: Path, paths: Iterable[Path]) -> str:
    """Return a hash of the names and contents of some files of a folder, 16 hex digits; compiled ones don't count."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class Provenance(NamedTuple):
    """What numbers depend on. Answers to a question say as much as they don't show otherwise; tables and pages all.

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
    seed : int
        Seed of a simulation; empty if the numbers are exact.
    note : str
        What readers have to know about the data.
    duels : str
        What the units of a duel do, if they don't both hold.
    changes : tuple of str
        What-ifs on the cards.
    units : mapping of str to (str or list of str)
        Ids of the units of an answer, or their names, by what they are in it. A star says that the unit had another
        card than that of `cards`.
    """

    aabalance: str = ""
    sources: str = ""
    game: str = ""
    rulebook: str = ""
    cards: str = ""
    variant: str = DEFAULT_RULES
    definition: str = ""
    engine: str = ""
    seed: int | None = None
    note: str = ""
    duels: str = ""
    changes: tuple[str, ...] = ()
    units: Mapping[str, str | list[str]] = MappingProxyType({})

    def said(self) -> dict[str, Any]:
        """Return the fields that aren't empty, by name."""
        said = {name: value for name, value in self._asdict().items() if value or value == 0}
        return said | ({"changes": list(self.changes)} if self.changes else {})

    def unusual(self) -> str:
        """Return in words which rule switches and cards aren't as they usually are; nothing if all are."""
        rules = () if self.variant == DEFAULT_RULES else (self.variant,)
        units = (unit for one in self.units.values() for unit in ([one] if isinstance(one, str) else one))
        own = dict.fromkeys(f"own card {unit}" for unit in units if unit.endswith("*"))
        return ", ".join((*rules, *self.changes, *own))

    def line(self) -> str:
        """Return the record as one line of JSON, for the comment above a table."""
        return json.dumps(self.said(), ensure_ascii=False)


def recorded(text: str | bytes) -> dict[str, Any]:
    """Return a record as it was written, with or without the mark of a comment; ValueError if it is none."""
    try:
        said = json.loads(text.removeprefix("#") if isinstance(text, str) else text)
    except RecursionError:
        said = None
    if not isinstance(said, dict):
        raise ValueError("no record")
    return said


@cache
def version() -> str:
    """Return the version of the installed package."""
    return metadata.version("aabalance")
