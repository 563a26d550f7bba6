"""A unit card in words, as its file has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aabalance.report.tables import plain

Lines = list[list[str]]


def lines(table: Mapping[str, Any], without: tuple[str, ...]) -> Lines:
    """Return what a card says, a name and a text each; a list of tables is a line for each of them.

    Parameters
    ----------
    table : mapping
        Of the card file.
    without : tuple of str
        Fields that stand elsewhere.
    """
    out: Lines = []
    for name, value in table.items():
        if name in without:
            continue
        several = value if isinstance(value, list) and any(isinstance(part, Mapping) for part in value) else [value]
        out += [[plain(name), _text(part)] for part in several]
    return out


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        parts = dict(value)
        head = [f"{parts.pop('name')}:"] if "name" in parts else []
        said = [
            plain(name) if part is True else _text(part) if name == "kind" else f"{plain(name)} {_text(part)}"
            for name, part in parts.items()
        ]
        return " ".join([*head, ", ".join(said)])
    if isinstance(value, list):
        return " / ".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(value) if isinstance(value, str) and value.islower() else str(value)
