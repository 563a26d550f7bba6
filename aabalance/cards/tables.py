"""TOML files as people write them, with the line of each key; and the fields of their tables by dotted path.

A file's faults that make it unreadable are found here, too. A dotted path is a text such as ``armor.front``.
"""

from __future__ import annotations

import pickle
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from aabalance.errors import AabalanceError, CardError, Fault

Table = dict[str, Any]
Place = tuple[str | int, ...]
PlacedFault = tuple[Place, str]
"""A fault: its place in a table, and what was found and expected."""

TOML_FILES = "*.[Tt][Oo][Mm][Ll]"
"""Pattern of the names of TOML files: whether capitals differ in one would else be each system's own affair."""
MOST_NESTED = 50
TOO_DEEP = f"found tables and lists nested more than {MOST_NESTED} deep, expected fewer"

# tomllib names keys as Python tuples: ('a', 'b')
KEYS = re.compile(r"\((?:'[^']*',? ?)+\)")
CONFLICT = re.compile(r"([<|=>])\1{6}(?!\1)")
"""What begins a line that git has put around both sides of a conflict."""
TOO_LONG = re.compile(r"\d[\d_]{4300}")
"""The digits of a number that Python doesn't read."""


def read_toml(path: Path, faults: list[Fault]) -> Table:
    """Return the tables of a TOML file, with or without a byte order mark.

    Parameters
    ----------
    path : Path
        The file's path.
    faults : list of Fault
        Takes the fault if the file can't be read; then the returned table is empty.
    """
    try:
        if path.exists() and not path.is_file():  # reading a pipe would wait for ever
            faults.append(Fault(str(path), "found a folder, a pipe or a device, expected a file"))
            return {}
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        faults.append(Fault(f"{path}:{line}", f"found the byte 0x{data[error.start]:02x}, expected text in UTF-8"))
        return {}
    except (OSError, ValueError) as error:  # of a path with a NUL or half a character, the latter
        faults.append(Fault(str(path), f"can't be read: {getattr(error, 'strerror', error)}"))
        return {}
    try:
        table: Table = pickle.loads(_parsed(text))
    except RecursionError:
        faults.append(Fault(f"{path}:{_deepest(text)}", TOO_DEEP))
    except ValueError as error:
        faults.append(_not_toml(path, data, text, error))
    else:
        if not _nested_too_deep(table):
            return table
        faults.append(Fault(f"{path}:{_deepest(text)}", TOO_DEEP))
    return {}


def table_of(path: Path) -> Table:
    """Return the tables of a TOML file; raise `CardError` if it can't be read."""
    faults: list[Fault] = []
    table = read_toml(path, faults)
    if faults:
        raise CardError(faults)
    return table


@lru_cache(maxsize=64)  # files are read again for each game, and parsing takes longer than all else about them
def _parsed(text: str) -> bytes:
    """Return the tables that a text in TOML spells, pickled: who reads a file may change its tables."""
    return pickle.dumps(tomllib.loads(text))


def line_of(path: Path, place: Place) -> int:
    """Return the line of a key in a TOML file; see `position_of`."""
    return position_of(path, place)[0]


def position_of(path: Path, place: Place) -> tuple[int, int]:
    """Return the line and the column of a key in a TOML file, counted from 1.

    Parameters
    ----------
    path : Path
        The file.
    place : tuple of (str or int)
        Names of tables and keys, and numbers of list elements. If the file has no such key, the position is that of
        the innermost table or list around it that the file has.

    Raises
    ------
    AabalanceError
        The file can't be read.
    """
    try:
        file = path.stat()
        positions = _keys(_data(path, file.st_ino, file.st_mtime_ns, file.st_size)).positions
    except OSError as error:
        raise AabalanceError(f"{path}: can't be read: {error.strerror}") from None
    while place and place not in positions:
        place = place[:-1]
    return positions.get(place, (1, 1))


@lru_cache(maxsize=8)  # a file of thousands of faults would be read, and compared with itself, for each of them
def _data(path: Path, *_unchanged: int) -> bytes:
    return path.read_bytes()


def dotted(place: Place) -> str:
    """Return a place as text for a message: ``a.weapons.0.name``; keys are quoted where TOML requires it."""
    return ".".join(str(part) if re.fullmatch(r"[\w-]+", str(part)) else repr(part) for part in place)


def with_lines(path: Path, faults: Iterable[PlacedFault]) -> list[Fault]:
    """Return faults of a file with its path and their lines, each once."""
    once = dict.fromkeys((f"{path}:{line_of(path, place)}", dotted(place), text) for place, text in faults)
    return [Fault(where, f"{name}: {text}") for where, name, text in once]


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Return faults of one file by their lines."""
    return sorted(faults, key=lambda fault: int(fault.place.rpartition(":")[2]))


def _not_toml(path: Path, data: bytes, text: str, error: ValueError) -> Fault:
    """Return an error of tomllib in our own words, with its line."""
    message, _, position = str(error).partition(" (at ")
    last = max(1, len(text.splitlines()))
    line = int(position.removeprefix("line ").partition(",")[0]) if position.startswith("line") else last
    if CONFLICT.match(text.split("\n")[line - 1]):
        return Fault(f"{path}:{line}", "found a mark of a merge conflict, expected that it is resolved")
    # These messages of tomllib mean that a key is written twice; they name the last line of the second one.
    if message.startswith(("Cannot ", "Duplicate ")):
        for place, first, second in reversed(_keys(data).twice):
            if second <= line:
                words = f"{dotted(place)}: found a second time, expected once; first in line {first}"
                return Fault(f"{path}:{second}", words)
    if digits := TOO_LONG.search(text):
        line = text.count("\n", 0, digits.start()) + 1
        return Fault(f"{path}:{line}", "found a number of thousands of digits, expected a shorter one")
    words = KEYS.sub(lambda keys: ".".join(re.findall(r"'([^']*)'", keys[0])), message)
    return Fault(f"{path}:{line}", f"not TOML: {words[:1].lower()}{words[1:]}")


def _nested_too_deep(table: Table) -> bool:
    level: list[Any] = [table]
    for _ in range(MOST_NESTED):
        level = [
            inner
            for value in level
            for inner in (value.values() if isinstance(value, dict) else value)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _deepest(text: str) -> int:
    """Return the line that is inside the most brackets or has the most dots; brackets in quotes count too."""
    lines = text.splitlines()
    opened = [line.count("[") + line.count("{") for line in lines]
    closed = [line.count("]") + line.count("}") for line in lines]
    before = accumulate((o - c for o, c in zip(opened, closed, strict=True)), initial=0)
    depth = [b + o + line.count(".") for b, o, line in zip(before, opened, lines, strict=False)]
    return max(range(len(depth)), key=depth.__getitem__) + 1


class _Keys(NamedTuple):
    """The places of the keys in a TOML file.

    Attributes
    ----------
    positions : mapping of Place to (int, int)
        Where each key, table and list element first begins: line and column.
    twice : list of (Place, int, int)
        Keys and tables that are written a second time, with both lines.
    """

    positions: Mapping[Place, tuple[int, int]]
    twice: list[tuple[Place, int, int]]


@lru_cache(maxsize=32)
def _keys(text: bytes) -> _Keys:
    import tree_sitter
    import tree_sitter_toml

    positions: dict[Place, tuple[int, int]] = {}
    lengths: dict[Place, int] = {}  # number of elements so far of each array that is written as [[a.b]]
    written: dict[Place, int] = {}
    twice: list[tuple[Place, int, int]] = []

    def enter(place: Place, names: Place, at: tuple[int, int]) -> Place:
        for depth, name in enumerate(names, 1):
            place = (*place, name)
            positions.setdefault(place, at)
            if depth < len(names) and place in lengths:
                place = (*place, lengths[place] - 1)
        return place

    def write(place: Place, line: int) -> None:
        if place in written:
            twice.append((place, written[place], line))
        written.setdefault(place, line)

    def walk(node: Any, place: Place) -> None:
        at = _position(node)
        if node.type in ("pair", "table", "table_array_element"):
            place = enter(place, next(filter(None, map(_names, node.children)), ()), at)
        if node.type in ("pair", "table"):
            write(place, at[0])
        if node.type == "table_array_element":
            index = lengths[place] = lengths.get(place, 0) + 1
            place = (*place, index - 1)
            positions[place] = at
        index = 0
        for child in node.children:
            if node.type == "array" and child.is_named and child.type != "comment":
                positions[(*place, index)] = _position(child)
                walk(child, (*place, index))
                index += 1
            else:
                walk(child, place)

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    walk(parser.parse(text.removeprefix(b"\xef\xbb\xbf")).root_node, ())
    return _Keys(positions, twice)


def _position(node: Any) -> tuple[int, int]:
    return node.start_point[0] + 1, node.start_point[1] + 1


def _names(node: Any) -> Place:
    """Return the names of a key, of which a dotted one has several; none for any other node."""
    if node.type == "dotted_key":
        return tuple(name for child in node.children for name in _names(child))
    if node.type == "bare_key":  # nearly all are, and reading TOML takes long
        return (node.text.decode(),)
    if node.type != "quoted_key":
        return ()
    try:
        return tuple(tomllib.loads(f"{node.text.decode()} = 0"))
    except tomllib.TOMLDecodeError:  # the file is broken here
        return ()


# --- fields by dotted path --------------------------------------------------------------------------------------


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
