"""The games. They don't know each other, and nothing outside a game's package knows its name.

Ours are the packages of this folder. Another distribution offers a game by an entry point of the group
``aabalance.games``: its name is the game's, its object the `Ruleset`.
"""

from __future__ import annotations

import secrets
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from aabalance.errors import UsageError, check_word
from aabalance.files import data_folder
from aabalance.provenance import files_hash
from aabalance.rulesets.base import Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "aabalance.games"
"""The group of entry points by which other distributions offer games."""

OURS = tuple(sorted({path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")} - {"base"}))
"""Names of the games of this package."""


def names() -> tuple[str, ...]:
    """Return the names of all games: ours, then other distributions'."""
    return *OURS, *sorted(_others())


def load(name: str) -> Ruleset:
    """Return the ruleset of the game `name`, and import its package on first use.

    Raises
    ------
    UsageError
        No such game, or that of another distribution can't be loaded.
    """
    if str(name) in OURS:
        ruleset: Ruleset = import_module(f"{__name__}.{name}").RULESET
        return ruleset
    others = _others()
    check_word("game", name, names())
    found = f"found {others[name].value!r} as {name!r}"
    try:
        other: object = others[name].load()
    except Exception as error:  # whatever its author wrote
        raise UsageError(f"game: {found}, which can't be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(other, Ruleset):
        raise UsageError(f"game: {found}, expected a Ruleset")
    if (own := getattr(other, "name", None)) != name:
        raise UsageError(f"game: {found}, whose name is {own!r}, expected {name!r}")
    return other


def _others() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # which imports much, and for other distributions' games alone

    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in OURS}


def sources(name: str) -> str:
    """Return a hash of the files that a game's numbers depend on, besides cards, boards and the package's own sources.

    For a game of another distribution they are its source files; for one of ours, the charts in its cards' folder.

    Parameters
    ----------
    name : str
        Name of the game.
    """
    return _charts_hash(data_folder("unitdb") / name) if name in OURS else _hash_of(_others()[name].module)


@cache
def _charts_hash(folder: Path) -> str:
    charts = (path for path in folder.glob("*.csv") if path.name != "facts.csv")  # of which cards are made once
    return files_hash(folder, [*charts, *folder.glob("match/*")])


@cache
def _hash_of(module: str) -> str:
    found = import_module(module)
    if not (file := getattr(found, "__file__", None)):
        return secrets.token_hex()  # a module without a file may differ the next time
    folder = Path(file).parent
    return files_hash(folder, folder.rglob("*") if hasattr(found, "__path__") else [Path(file)])
