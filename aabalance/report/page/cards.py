"""A unit card in words, as its file has it; the schema of the cards says what fields and their values are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from aabalance.report.tables import plain

Lines = list[list[str]]
Words = Mapping[tuple[str, str], str]
"""What a field is called, and a value of one, by the field's name and the value; a field itself has an empty one."""


def words_of(schema: type[BaseModel]) -> Words:
    """Return the titles that a schema of cards gives its fields, and those that can have but one value.

    Parameters
    ----------
    schema : type of BaseModel
        Of a card.
    """
    card = schema.model_json_schema()
    found = {}
    for part in (card, *card.get("$defs", {}).values()):
        for name, field in part.get("properties", {}).items():
            # What the schema makes of a name by itself is no word of its author's.
            made = plain(name).title()
            if (title := field.get("title", made)) != made:
                found[name, field.get("const", "")] = title
    return found


def lines(table: Mapping[str, Any], without: tuple[str, ...], words: Words) -> Lines:
    """Return what a card says, a name and a text each; a list of tables is a line for each of them.

    Parameters
    ----------
    table : mapping
        Of the card file.
    without : tuple of str
        Fields that stand elsewhere.
    words : mapping
        From `words_of`.
    """
    out: Lines = []
    for name, value in table.items():
        if name in without:
            continue
        several = value if _of_tables(value) else [value]
        out += [[_name(name, words), _text(part, words)] for part in several]
    return out


def _name(name: str, words: Words) -> str:
    return words.get((name, ""), plain(name))


def _text(value: Any, words: Words) -> str:
    if isinstance(value, Mapping):
        parts = dict(value)
        head = [f"{parts.pop('name')}:"] if "name" in parts else []
        return " ".join([*head, ", ".join(_part(name, part, words) for name, part in parts.items())])
    if isinstance(value, list):
        return " / ".join(_text(part, words) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(value) if isinstance(value, str) and value.islower() else str(value)


def _part(name: str, value: Any, words: Words) -> str:
    """Return a field of a table in a card; where its value says all, without its name."""
    if value is True:
        return _name(name, words)
    if _of_tables(value):
        return _text(value, words)
    return words.get((name, str(value)), f"{_name(name, words)} {_text(value, words)}")


def _of_tables(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(part, Mapping) for part in value)
