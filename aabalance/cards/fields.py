"""The fields of card tables by dotted path such as ``armor.front``: set, remove and list them, and their types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from aabalance.cards.lines import Table


class Kind(NamedTuple):
    """What a field of a card may have.

    Attributes
    ----------
    types : set of str
        JSON types of its values; ``true`` for a boolean that can't be false.
    optional : bool
        Whether a card may leave the field out.
    """

    types: set[str]
    optional: bool


def kinds(schema: type[BaseModel]) -> dict[str, Kind]:
    """Return the kind of each field of a card, by dotted path; in paths, ``*`` is the number of any list element."""
    card = schema.model_json_schema()
    by_path: dict[str, Kind] = {}

    def walk(part: Mapping[str, Any], path: tuple[str, ...], optional: bool) -> None:
        if "$ref" in part:
            part = card["$defs"][part["$ref"].rpartition("/")[2]]
        for alternative in (*part.get("anyOf", ()), *part.get("oneOf", ())):
            walk(alternative, path, optional)
        for name, field in part.get("properties", {}).items():
            if (*path, name) != ("id",):
                walk(field, (*path, name), name not in part.get("required", ()))
        items = part.get("items", {})
        if "$ref" in items or "oneOf" in items or "anyOf" in items:
            walk(items, (*path, "*"), False)
        elif "properties" not in part and "type" in part:
            kind = by_path.setdefault(".".join(path), Kind(set(), optional))
            kind.types.add("true" if part.get("const") is True else part["type"])

    walk(card, (), False)
    return by_path


def pattern(path: str) -> str:
    """Return a dotted path with ``*`` in place of the numbers of list elements, as in `kinds`."""
    return ".".join("*" if part.isdecimal() else part for part in path.split("."))


def put(table: Table, path: Sequence[str], value: Any) -> None:
    """Set a nested field of `table` to `value`; tables and lists that are missing on the way are made.

    Parameters
    ----------
    table : dict
        The card's table, which is changed.
    path : sequence of str
        Names of fields, and numbers of list elements from 0. The number after the last element appends one.
    value : object
        The new value.

    Raises
    ------
    KeyError
        The path leads through a value that is no table or list, or skips list elements; the message says where.
    """
    at: Any = table
    for depth, name in enumerate(path):
        last = depth == len(path) - 1
        new: Any = value if last else [] if path[depth + 1].isdecimal() else {}
        if isinstance(at, list):
            if not (name.isdecimal() and int(name) <= len(at)):
                raise KeyError(f"{'.'.join(path[:depth])} is a list of {len(at)}, counted from 0")
            index = int(name)
            if index == len(at):
                at.append(new)
            elif last:
                at[index] = value
            at = at[index]
        elif isinstance(at, dict):
            if last:
                at[name] = value
            at = at.setdefault(name, new)
        else:
            raise KeyError(f"{'.'.join(path[:depth])} is the value {at!r} and has no fields")


def remove(table: Table, path: Sequence[str]) -> None:
    """Remove the field of `table` at `path`, which is given as for `put`; the field must be there."""
    at: Any = table
    *parents, last = path
    for name in parents:
        at = at[int(name)] if isinstance(at, list) else at[name]
    del at[last]


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the fields of a table by dotted path.

    Elements of lists of tables are numbered from 0; other lists stay whole.

    Parameters
    ----------
    table : mapping
        The card's table.
    prefix : str
        Text that is put before each path.
    """
    out: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, Mapping):
            out |= flatten(value, f"{prefix}{name}.")
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            for index, item in enumerate(value):
                out |= flatten(item, f"{prefix}{name}.{index}.")
        else:
            out[f"{prefix}{name}"] = value
    return out
