"""A unit card in words: the fields of its file in their order, named as the schema of the cards says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from aabalance.report.tables import plain

Lines = list[list[str]]
Words = Mapping[tuple[str, str], str]
"""Titles, by a field's name and one of its values; the title of the field itself has an empty text as the value."""


def words_of(schema: type[BaseModel]) -> Words:
    """Return the titles that a card's schema gives its fields, and the values of fields with one possible value.

    Parameters
    ----------
    schema : type of BaseModel
        The schema of the game's cards.
    """
    card = schema.model_json_schema()
    found = {}
    for part in (card, *card.get("$defs", {}).values()):
        for name, field in part.get("properties", {}).items():
            # Without a title of the author's, pydantic makes one from the name.
            automatic = plain(name).title()
            if (title := field.get("title", automatic)) != automatic:
                found[name, field.get("const", "")] = title
    return found


def lines(table: Mapping[str, Any], without: tuple[str, ...], words: Words) -> Lines:
    """Return the fields of a card as pairs of name and text; a field with a list of tables has a pair for each table.

    Parameters
    ----------
    table : mapping
        The card's table in its file.
    without : tuple of str
        Fields to leave out.
    words : mapping
        What `words_of` returns.
    """
    out: Lines = []
    for name, value in table.items():
        if name in without or value in ({}, []):
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
    """Return a field of a table within a card, with its name unless the value says all."""
    if value is True:
        return _name(name, words)
    if _of_tables(value):
        return _text(value, words)
    return words.get((name, str(value)), f"{_name(name, words)} {_text(value, words)}")


def _of_tables(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(part, Mapping) for part in value)
