"""aabalance: balance analysis of tabletop wargames, exact where it can be.

>>> import aabalance as aab
>>> game = aab.Game("armored_advance")
>>> game.shot("de_tiger1", "su_t34_85", range_in=18).need
3
"""

from __future__ import annotations

import ast
from functools import cache, wraps
from pathlib import Path
from typing import Any

_HOME = {
    alias.name: statement.module
    for statement in ast.parse(Path(__file__).with_suffix(".pyi").read_bytes()).body
    if isinstance(statement, ast.ImportFrom) and statement.module
    for alias in statement.names
}
"""The module of each public name, from the stub beside this file, which is all that type checkers read."""

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    """Import a public name on its first use, so that ``import aabalance`` costs next to nothing."""
    if name == "__version__":
        from aabalance.provenance import version

        return version()
    if name not in _HOME:
        raise AttributeError(f"module 'aabalance' has no attribute {name!r}")
    return _of_game(getattr(__import__(_HOME[name], fromlist=[name]), name))  # finds a submodule, too


@cache
def _of_game(found: Any) -> Any:
    """Return a function of a game as one whose tables say what they are a result of; anything else as it is."""
    if getattr(getattr(found, "__code__", None), "co_varnames", ())[:1] != ("game",):
        return found

    @wraps(found)
    def named(game: Any, *args: Any, **options: Any) -> Any:
        from aabalance.game import game_of

        game = game_of(game)
        answer = found(game, *args, **options)
        parts = answer if isinstance(answer, tuple) else getattr(answer, "__dict__", {}).values()
        for table in (answer, *parts):  # each says what it is a result of
            if isinstance(attrs := getattr(table, "attrs", None), dict) and "game" not in attrs:
                attrs.update(game.provenance().said())
        return answer

    return named


def __dir__() -> list[str]:
    return __all__
