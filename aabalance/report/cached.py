"""Reports are kept whole: if nothing on which a report depends has changed, its files are written as they were."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib import metadata

from aabalance import rulesets
from aabalance.definitions.report import Report, path_of
from aabalance.game import Game
from aabalance.jobs import store, sweeps
from aabalance.jobs.store import Entry
from aabalance.provenance import PACKAGE
from aabalance.report.plots import canvas

LIBRARIES = ("jinja2", "matplotlib", *store.LIBRARIES)


def key(spec: Report, game: Game) -> bytes:
    """Return the digest of all on which a report depends.

    Parameters
    ----------
    spec : Report
        The report definition.
    game : Game
        The game: a ruleset with its cards and variant.
    """
    own = path_of(game.ruleset.name)
    return store.digest(
        {
            "sources": _sources(),
            "libraries": [metadata.version(name) for name in LIBRARIES],
            "definition": [spec.name, spec.model_dump(mode="json")],
            "own": own.read_text(encoding="utf-8") if own.is_file() else "",
            "game": [game.ruleset.name, rulesets.sources(game.ruleset.name), game.variant.model_dump(mode="json")],
            "pictures": {name: str(value) for name, value in canvas.settings().items()},
            "cards": list(game.cards.tables.items()),
        }
    )


def find(name: bytes) -> dict[str, bytes] | None:
    """Return the files of a report by name; None if they aren't kept.

    Parameters
    ----------
    name : bytes
        From `key`.
    """
    kept = sweeps.store()
    for entry in kept.read([name])[0] if kept else ():
        lengths, files, end = json.loads(entry.columns), {}, 0
        for file, length in lengths.items():
            files[file] = entry.cells[end : end + length]
            end += length
        return files
    return None


def keep(name: bytes, files: Mapping[str, bytes]) -> None:
    """Keep the files of a report.

    Parameters
    ----------
    name : bytes
        From `key`.
    files : mapping of str to bytes
        By name.
    """
    if kept := sweeps.store():
        lengths = json.dumps({file: len(content) for file, content in files.items()})
        kept.write([Entry(name, lengths.encode(), b"".join(files.values()))])


@cache
def _sources() -> str:
    """Return a digest of all files of the package: templates, scripts and rulebooks, too."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
