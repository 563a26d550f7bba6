"""The games, a package each. They don't know each other, and nothing outside a package knows its game's name."""

from __future__ import annotations

import hashlib
import secrets
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from aabalance.errors import UsageError, one_of
from aabalance.rulesets.base import Ruleset

REGISTRY = {
    "armored_advance": "aabalance.rulesets.armored_advance",
    "forumini": "aabalance.rulesets.forumini",
    "skirmish_wars": "aabalance.rulesets.skirmish_wars",
    "modern_land_battles": "aabalance.rulesets.modern_land_battles",
    "armour_battles": "aabalance.rulesets.armour_battles",
}


def load(name: str) -> Ruleset:
    """Return the ruleset of the game `name`, and import its package on first use.

    Raises
    ------
    UsageError
        No such game.
    """
    if name not in REGISTRY:
        raise UsageError(f"game: {one_of(name, REGISTRY)}")
    return cast(Ruleset, import_module(REGISTRY[name]).RULESET)


def sources(name: str) -> str:
    """Return a hash of the source files of a game that somebody else registered.

    For one of our own games it is empty, since the hash of the package's sources covers it.

    Parameters
    ----------
    name : str
        Name of the game.
    """
    module = REGISTRY[name]
    return "" if module.startswith(f"{__package__}.") else _hash_of(module)


@cache
def _hash_of(module: str) -> str:
    found = import_module(module)
    if not (file := getattr(found, "__file__", None)):
        return secrets.token_hex()  # a module without a file may differ the next time
    folder = Path(file).parent
    paths = sorted(folder.rglob("*")) if hasattr(found, "__path__") else [Path(file)]
    digest = hashlib.sha256()
    for path in paths:
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
