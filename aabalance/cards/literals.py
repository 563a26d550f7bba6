"""Values as TOML writes them: what a text spells, and how a value is spelt."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from aabalance.cards.tables import TOO_DEEP
from aabalance.errors import UsageError, key, shown


def literal(text: str) -> Any:
    """Return the value that `text` spells in TOML; if it spells none, the text itself.

    Raises
    ------
    UsageError
        The value is nested too deeply.
    """
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except RecursionError:
        raise UsageError(f"{shown(text)}: {TOO_DEEP}") from None
    except ValueError:
        return text.strip()
    return value


def written(value: Any, indent: str = "") -> str:
    """Return a value as TOML (None as ``none``); with an `indent`, each table of a list has a line of its own."""
    if isinstance(value, Mapping):
        fields = [f"{key(name)} = {written(field)}" for name, field in value.items()]
        return "{ " + ", ".join(fields) + " }" if fields else "{}"
    if isinstance(value, list | tuple):
        items = [written(item) for item in value]
        if indent and any(isinstance(item, Mapping) for item in value):
            return "[\n" + "".join(f"{indent}{item},\n" for item in items) + "]"
        return "[" + ", ".join(items) + "]"
    if isinstance(value, str | bool):
        return json.dumps(value, ensure_ascii=False)
    return "none" if value is None else str(value)


def option_value(value: Any) -> str:
    """Return a value as commands take it: in TOML, but texts as they are, and ``none``."""
    return value if isinstance(value, str) else written(value)


def as_option(name: str, value: Any) -> str:
    """Return ``name=value`` as commands take it."""
    return f"{name}={option_value(value)}"
