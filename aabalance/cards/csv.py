"""Unit cards as CSV and back, for people who use spreadsheets: a row for each unit, a column for each field.

The TOML files remain the source. An import takes over only the cells that were changed, and keeps comments, order and
layout of the files. A row whose id no card has is a new unit, and becomes a new table.
"""

from __future__ import annotations

import copy
import csv
import difflib
import io
import json
import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from aabalance.cards import ID, Cards
from aabalance.cards.save import home, save, spelt
from aabalance.cards.tables import Kind, Table, flatten, kinds, pattern, put, remove
from aabalance.errors import CardError, Fault, UnknownUnitError, UsageError, counted, shown
from aabalance.files import from_cell, in_cell

Kinds = Mapping[str, Kind]


class Change(NamedTuple):
    """A changed cell of the CSV: its row and column, and the value before and after."""

    unit_id: str
    column: str
    old: Any
    new: Any


class Imported(NamedTuple):
    """What an import did.

    Attributes
    ----------
    changes : list of Change
        Changes of existing cards.
    added : dict of str to Path
        The files of new units, by id.
    files : list of Path
        All files that change.
    """

    changes: list[Change]
    added: dict[str, Path]
    files: list[Path]


def export(cards: Cards) -> str:
    """Return the cards as CSV; a cell is empty if the card doesn't have the field."""
    rows = {unit_id: _cells(table) for unit_id, table in cards.tables.items()}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    columns = _columns(cards, kinds(cards.schema))
    writer.writerow(["id", *columns])
    for unit_id, cells in rows.items():
        writer.writerow([unit_id, *(cells.get(column, "") for column in columns)])
    return out.getvalue()


def import_(cards: Cards, path: Path, *, dry_run: bool = False) -> Imported:
    """Write the changed cells of an exported CSV into the card files; rows and columns may be missing.

    A row with a new id and a name is a new unit, which is written to the file of its nation.

    Parameters
    ----------
    cards : Cards
        The cards as they were read.
    path : Path
        The CSV.
    dry_run : bool
        Whether to write nothing.

    Returns
    -------
    Imported
        All fields are empty if there is nothing to change.

    Raises
    ------
    CardError
        Units or columns are unknown, or changed cards would have faults; the error lists all, each with its line of the
        CSV. Nothing was written.
    UsageError
        The CSV can't be read.
    OutputError
        A card file can't be written.
    """
    known = kinds(cards.schema)
    rows, faults = _read(cards, known, path)
    tables: dict[str, Table] = copy.deepcopy(cards.tables)
    changes: list[Change] = []
    for unit_id, (where, cells) in rows.items():
        before = tables.setdefault(unit_id, {})
        applied, unfit = _apply(known, unit_id, before, cells)
        faults += [Fault(where, message) for message in unfit]
        if unit_id in cards:
            changes += applied if spelt(before) != spelt(cards.tables[unit_id]) or unfit else []
        else:
            tables[unit_id] = _like_others(before, cards)
    try:
        Cards(cards.schema, tables, {**cards.places, **{unit_id: where for unit_id, (where, _) in rows.items()}})
    except CardError as error:
        raise CardError([*faults, *error.faults]) from None
    if faults:
        raise CardError(faults)
    added = {unit_id: home(cards, tables[unit_id]) for unit_id in rows if unit_id not in cards}
    return Imported(changes, added, save(cards, tables, added, dry_run=dry_run))


def _like_others(table: Table, cards: Cards) -> Table:
    """Return a new unit's table with its fields in the order of the card that has most fields in common with it."""
    model = max(cards.tables.values(), key=lambda other: len(other.keys() & table.keys()))
    return {name: table[name] for name in dict.fromkeys((*model, *table)) if name in table}


def _cells(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a table as text, by column; an empty list counts as missing."""
    return {column: _cell(value) for column, value in flatten(table).items() if value != []}


def _cell(value: Any) -> str:
    return in_cell(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _numbers(column: str) -> list[int]:
    return [int(part) for part in column.split(".") if part.isdecimal()]


def _columns(cards: Cards, known: Kinds) -> list[str]:
    """Return the columns in the order of the schema, except that those of lists come last, since they are many."""
    present = {column for table in cards.tables.values() for column in _cells(table)}
    order = {name: place for place, name in enumerate([*known, *sorted(map(pattern, present))][::-1])}

    def key(column: str) -> tuple[Any, ...]:
        numbers = _numbers(column)
        first = column.partition(".")[0] if numbers else ""
        return first, numbers[:1], -order[pattern(column)], numbers

    return sorted(present | {name for name in known if "*" not in name}, key=key)


def _read(cards: Cards, known: Kinds, path: Path) -> tuple[dict[str, tuple[str, dict[str, str]]], list[Fault]]:
    """Return place and cells of each row, by id, and the faults in the shape of the file."""
    rows: dict[str, tuple[str, dict[str, str]]] = {}
    lines = read_lines(path)
    names = ["id", *_columns(cards, known), *known]
    header = [name.strip() for name in lines[0][1]] if lines else []
    faults = doubled(path, header)
    for name in header:
        if name not in names and pattern(name) not in names:
            near = difflib.get_close_matches(name.lower(), names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            faults.append(Fault(f"{path}:1", f"column: found {shown(name)}, expected a field of a card{hint}"))
    if "id" not in header:
        faults.append(Fault(f"{path}:1", "found no column 'id', expected one"))
    if faults:
        raise CardError(list(dict.fromkeys(faults)))
    for line, values in lines[1:]:
        where = f"{path}:{line}"
        cells = {name: from_cell(value or "") for name, value in zip_longest(header, values) if name is not None}
        unit_id = cells.pop("id").strip()
        if not any(values):
            continue
        if len(values) != len(header):
            faults.append(
                Fault(where, f"{unit_id or 'row'}: found {counted(len(values), 'cell')}, expected {len(header)}")
            )
        elif unit_id in rows:
            faults.append(Fault(where, f"{unit_id}: found a second row, expected one"))
        elif unit_id not in cards and (fault := _unfit(cards, unit_id, cells.get("name", "").strip())):
            faults.append(Fault(where, fault))
        else:
            rows[unit_id] = where, cells
    return rows, faults


def _unfit(cards: Cards, unit_id: str, name: str) -> str:
    """Return why a row can't be a new unit, so that a mistyped id doesn't become one; empty if it can."""
    if not name:
        unknown = str(UnknownUnitError(unit_id, cards))
        return f"{unknown}{'' if unknown.endswith('?') else '.'} A new unit has a name"
    if not ID.fullmatch(unit_id):
        return f"found the id {shown(unit_id)}, expected one of letters, digits, _ and -"
    twin = next((other for other, table in cards.tables.items() if table.get("name") == name), None)
    return f"{unit_id}.name: found {shown(name)}, expected another: it is the name of {twin}" if twin else ""


def doubled(path: Path | str, header: Sequence[str]) -> list[Fault]:
    """Return a fault for each name that stands twice in the header of a CSV: the later of both columns would win."""
    twice = [name for name in dict.fromkeys(header) if header.count(name) > 1]
    return [Fault(f"{path}:1", f"column {name}: found more than once") for name in twice]


def read_lines(path: Path, by_hand: bool = False) -> list[tuple[int, list[str]]]:
    """Return the rows of a CSV, each with the line on which it starts.

    Cells may be separated by ``,``, ``;`` or tabs, as spreadsheets of different languages do.

    Parameters
    ----------
    path : Path
        The file.
    by_hand : bool
        Whether people write it: blanks around a comma aren't part of a cell, so that cells may be quoted.

    Raises
    ------
    UsageError
        It can't be read, or is none.
    """
    rows: list[tuple[int, list[str]]] = []
    start = 1
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
        first = text.partition("\n")[0]
        if by_hand:  # of blanks behind a quoted cell, the reader knows nothing
            text = re.sub(r'" +(?=[,;\t\r\n]|$)', '"', text)
        form: dict[str, Any] = {"delimiter": max(",;\t", key=first.count), "skipinitialspace": by_hand}
        reader = csv.reader(io.StringIO(text, newline=""), strict=True, **form)
        for row in reader:
            rows.append((start, row))
            start = reader.line_num + 1
        return rows
    except UnicodeDecodeError as error:
        read, at = error.object, error.start  # which may lack the mark that a file begins with
        line = read.count(b"\n", 0, at) + 1
        raise UsageError(f"{path}:{line}: found the byte 0x{read[at]:02x}, expected a CSV in UTF-8") from None
    except csv.Error as error:
        raise UsageError(f"{path}:{start}: found no CSV ({error}), expected one") from None
    except (OSError, ValueError) as error:  # as in `read_toml`
        raise UsageError(f"{path}: can't be read: {getattr(error, 'strerror', error)}") from None


def _apply(known: Kinds, unit_id: str, table: Table, cells: Mapping[str, str]) -> tuple[list[Change], list[str]]:
    """Put the changed cells of a row into its table; return the changes, and a message for each that doesn't fit."""
    fields = {column: value for column, value in flatten(table).items() if value != []}
    changes: list[Change] = []
    for column, text in cells.items():
        old = fields.get(column)
        if text == ("" if old is None else _cell(old)):
            continue
        kind = known.get(pattern(column))
        new = _value(text, kind.types if kind else {"string"} if isinstance(old, str) else set())
        if repr(new) != repr(old):
            changes.append(Change(unit_id, column, old, new))
    unfit = []
    # Removals come first, so that a list of casualty codes can replace a single code; then list elements in order.
    for change in sorted(changes, key=lambda change: (change.new is not None, _numbers(change.column))):
        path = change.column.split(".")
        if change.new is None:
            remove(table, path)
        else:
            try:
                put(table, path, change.new)
            except KeyError as error:
                unfit.append(f"{unit_id}.{change.column}: found {shown(change.new)}, but {error.args[0]}")
    _drop_empty(table)
    return changes, unfit


def _value(text: str, types: set[str]) -> Any:
    """Return the value of a cell; None if it is empty. Text that fits no type stays text, which the schema refuses."""
    stripped = text.strip()
    if not stripped:
        return None
    if "string" in types and not (stripped.startswith("[") and "array" in types):
        return text
    try:
        value = json.loads(stripped.lower() if stripped.lower() in ("true", "false") else stripped)
    except (ValueError, RecursionError):
        return text
    # pandas writes whole numbers as 31.0 in columns with gaps.
    whole = isinstance(value, float) and value.is_integer() and "integer" in types and "number" not in types
    return int(value) if whole else value


def _drop_empty(value: Any) -> None:
    """Remove those elements of lists that have no fields left."""
    if isinstance(value, list):
        value[:] = [item for item in value if item != {}]
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _drop_empty(inner)
