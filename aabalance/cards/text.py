"""Puts cards in TOML: a whole table in the layout of the card files, or changes in the text of a file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

import tomlkit
from tomlkit.items import AoT, Array, InlineTable, Table

Tables = Mapping[str, Mapping[str, Any]]


def text(unit_id: str, table: Mapping[str, Any]) -> str:
    """Return a table as TOML in the layout of the card files: a line for each field, and for each weapon."""
    lines = [f"[{tomlkit.key(unit_id).as_string()}]"]
    for name, value in table.items():
        lines.append(f"{tomlkit.key(name).as_string()} = {_value(value, indent='  ')}")
    return "\n".join(lines) + "\n"


def _value(value: Any, indent: str = "") -> str:
    if isinstance(value, Mapping):
        fields = [f"{tomlkit.key(name).as_string()} = {_value(field)}" for name, field in value.items()]
        return "{ " + ", ".join(fields) + " }" if fields else "{}"
    if isinstance(value, list):
        items = [_value(item) for item in value]
        if indent and any(isinstance(item, Mapping) for item in value):
            return "[\n" + "".join(f"{indent}{item},\n" for item in items) + "]"
        return "[" + ", ".join(items) + "]"
    return str(tomlkit.item(value).as_string())


def edited(source: str, old: Tables, new: Tables) -> str:
    """Return the text of a card file with the changes between two states of its tables; everything else stays.

    Parameters
    ----------
    source : str
        The file's text.
    old, new : mapping
        Tables of the file's units, by id, before and after the changes. `new` also has other units, which show where a
        field that is new to a unit usually has its place.

    Raises
    ------
    ValueError
        The layout doesn't allow the change to be made in place.
    """
    mark = "\ufeff" if source.startswith("\ufeff") else ""
    source = source.removeprefix(mark)
    document = tomlkit.parse(source)
    for unit_id, table in old.items():
        if repr(table) != repr(new[unit_id]):
            _merge(document[unit_id], table, new[unit_id], new.values())
    result = tomlkit.dumps(document)
    expected = {unit_id: new[unit_id] if unit_id in old else table for unit_id, table in tomllib.loads(source).items()}
    if tomllib.loads(result) != expected:
        raise ValueError("this layout can't be changed in place")
    return mark + result


def with_units(source: str, units: Tables) -> str:
    """Return the text of a card file with new units at its end, each after a blank line.

    Parameters
    ----------
    source : str
        The file's text; empty for a new file.
    units : mapping
        Tables of the new units, by id.
    """
    ends = "\r\n" if "\r\n" in source else "\n"
    parts = [source.rstrip() + ends] if source.strip() and units else [source]
    parts += [text(unit_id, table).replace("\n", ends) for unit_id, table in units.items()]
    return ends.join(parts) if parts[0] else ends.join(parts[1:])


def _merge(at: Any, old: Mapping[str, Any], new: Mapping[str, Any], models: Iterable[Mapping[str, Any]] = ()) -> None:
    for name, value in new.items():
        if name not in old:
            _insert(at, name, value, models)
        elif repr(old[name]) != repr(value) and not _merge_inside(at[name], old[name], value):
            at[name] = tomlkit.value(_value(value, indent="  " if isinstance(at, Table) else ""))
    for name in [name for name in old if name not in new]:  # last, since new fields find their place by these
        del at[name]


def _merge_inside(at: Any, old: Any, new: Any) -> bool:
    """Change a table or list in place and return True; return False if it must be written anew as a whole."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        if isinstance(at, InlineTable) and old.keys() != new.keys():
            return False  # it has no comments to lose, and new keys would spoil its layout
        _merge(at, old, new)
        return True
    if isinstance(at, AoT | Array) and isinstance(new, list) and _tables(old) and _tables(new):
        _merge_list(at, list(old), new)
        return True
    return False


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _merge_list(at: AoT | Array, old: list[Any], new: list[Any]) -> None:
    while len(old) > len(new):
        gone = next((i for i, item in enumerate(new) if repr(item) != repr(old[i])), len(old) - 1)
        del old[gone], at[gone]
    for index, value in enumerate(new):
        if index == len(old):
            old.append(value)
            at.append(tomlkit.item(value) if isinstance(at, AoT) else tomlkit.value(_value(value)))
        elif repr(old[index]) != repr(value) and not _merge_inside(at[index], old[index], value):
            at[index] = tomlkit.value(_value(value))


def _insert(at: Any, name: str, value: Any, models: Iterable[Mapping[str, Any]]) -> None:
    """Put a new field where other units have it; at a table's end it would follow the comments of the next table."""
    item = tomlkit.value(_value(value, indent="  "))
    order = next((list(table) for table in models if name in table and next(iter(table)) in at), [])
    before = [other for other in order[: order.index(name)] if other in at] if order else list(at)
    if before and isinstance(at, Table):
        at.value._insert_after(before[-1], name, item)
    else:
        at[name] = item
