"""Writes changed and new cards into their files as TOML: comments, order and layout stay; all files or none."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import getitem
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomlkit
from tomlkit.items import AoT, Array, InlineTable, Table

from aabalance import files
from aabalance.cards import SCHEMA_FILE, Cards
from aabalance.cards.literals import written
from aabalance.errors import OutputError, UsageError, key

Tables = Mapping[str, Mapping[str, Any]]


def home(cards: Cards, table: Mapping[str, Any]) -> Path:
    """Return the file for a new card: the one with the most cards of its nation, else a new file named for the nation.

    Parameters
    ----------
    cards : Cards
        The cards as they were read.
    table : mapping
        The new card.

    Raises
    ------
    UsageError
        No card comes from a file.
    """
    places = {unit_id: place for unit_id, place in cards.places.items() if isinstance(place, Path)}
    if not places:
        raise UsageError("cards: found none that comes from a file, expected a folder for the new one")
    nation = table.get("nation")
    fellows = Counter(place for unit_id, place in places.items() if cards.tables[unit_id].get("nation") == nation)
    if fellows:
        return max(fellows, key=lambda place: fellows[place])
    name = re.sub(r"\W+", "_", str(nation).casefold()).strip("_")
    return next(iter(places.values())).with_name(f"{name or 'others'}.toml")


def save(
    cards: Cards, tables: Tables, added: Mapping[str, Path] = MappingProxyType({}), *, dry_run: bool = False
) -> list[Path]:
    """Write changed cards into the files that they come from, and new ones at the ends of files; return the files.

    Parameters
    ----------
    cards : Cards
        The cards as they were read.
    tables : mapping
        All cards as they are to be, checked, by id.
    added : mapping of str to Path
        Files for the new cards, by id; the files may be new as well.
    dry_run : bool
        Whether to write nothing.

    Raises
    ------
    UsageError
        A changed card comes from no file.
    OutputError
        A file can't be written.
    """
    changed = [unit_id for unit_id in cards if spelt(tables[unit_id]) != spelt(cards.tables[unit_id])]
    contents: dict[Path, str | bytes] = {}
    for place in dict.fromkeys([*(cards.places[unit_id] for unit_id in changed), *added.values()]):
        if not isinstance(place, Path):
            raise UsageError("cards: found some that come from no file, expected no what-ifs")
        old = {unit_id: cards.tables[unit_id] for unit_id in cards if cards.places[unit_id] == place}
        new = {unit_id: tables[unit_id] for unit_id, file in added.items() if file == place}
        try:
            source = place.read_bytes().decode() if place.exists() else _head(place)
            contents[place] = with_units(edited(source, old, tables), new).encode()
        except ValueError as error:
            raise OutputError(f"{place}: can't be written: {error}") from None
    if not dry_run:
        files.write_all(contents)
    return list(contents)


def _head(place: Path) -> str:
    """Return the first line of a new card file."""
    return f"#:schema ./{SCHEMA_FILE}\n" if place.with_name(SCHEMA_FILE).is_file() else ""


def spelt(table: Mapping[str, Any]) -> str:
    """Return a text that is the same for tables with the same values in any order."""
    return json.dumps(table, sort_keys=True, default=str)  # true and 1 are equal in Python, not on a card


# --- cards in TOML ----------------------------------------------------------------------------------------------


def text(unit_id: str, table: Mapping[str, Any]) -> str:
    """Return a table as TOML in the layout of the card files: a line for each field, and for each weapon."""
    lines = [f"[{key(unit_id)}]"]
    for name, value in table.items():
        lines.append(f"{key(name)} = {written(value, indent='  ')}")
    return "\n".join(lines) + "\n"


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
            _merge(partial(getitem, document, unit_id), table, new[unit_id], new.values())
    result = tomlkit.dumps(document)
    if "\r\n" in source and "\n" not in source.replace("\r\n", ""):
        result = result.replace("\r\n", "\n").replace("\n", "\r\n")  # new lines end as all others do
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


def _merge(
    found: Callable[[], Any], old: Mapping[str, Any], new: Mapping[str, Any], models: Iterable[Mapping[str, Any]] = ()
) -> None:
    """Change the table that `found` returns; it's found anew for each field that goes, since dotted keys move then."""
    at = found()
    for name, value in new.items():
        if name not in old:
            _insert(at, name, value, models)
        elif repr(old[name]) != repr(value) and not _merge_inside(at, name, old[name], value):
            at[name] = tomlkit.value(written(value, indent="  " if isinstance(at, Table) else ""))
    for name in [name for name in old if name not in new]:  # last, since new fields find their place by these
        del found()[name]


def _merge_inside(at: Any, name: Any, old: Any, new: Any) -> bool:
    """Change a table or list in place and return True; return False if it must be written anew as a whole."""
    inner = at[name]
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        if isinstance(inner, InlineTable) and old.keys() != new.keys():
            return False  # it has no comments to lose, and new keys would spoil its layout
        _merge(partial(getitem, at, name), old, new)
        return True
    if isinstance(inner, AoT | Array) and isinstance(new, list) and _tables(old) and _tables(new):
        _merge_list(inner, list(old), new)
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
            at.append(tomlkit.item(value) if isinstance(at, AoT) else tomlkit.value(written(value)))
        elif repr(old[index]) != repr(value) and not _merge_inside(at, index, old[index], value):
            at[index] = tomlkit.value(written(value))


def _insert(at: Any, name: str, value: Any, models: Iterable[Mapping[str, Any]]) -> None:
    """Put a new field where other units have it; at a table's end it would follow the comments of the next table."""
    item = tomlkit.value(written(value, indent="  "))
    order = next((list(table) for table in models if name in table and next(iter(table)) in at), [])
    before = [other for other in order[: order.index(name)] if other in at] if order else list(at)
    before = [
        other for other in before if not isinstance(at[other], AoT | Table)
    ]  # a field below a table's heading is that table's
    if before and isinstance(at, Table):
        at.value._insert_after(before[-1], name, item)
    else:
        at[name] = item
