"""The one reader and validator of ``unitdb/``: TOML in, checked cards out, every fault at once with file and line."""

from __future__ import annotations

import copy
import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, RootModel, ValidationError

from aabalance.errors import AabalanceError, CardError, Fault, UnknownUnitError, UsageError

if TYPE_CHECKING:
    import pandas as pd

Table = dict[str, Any]
Place = tuple[str | int, ...]

SCHEMA_FILE = "unit.schema.json"

# pydantic's messages in the words of a card
NOT_SAID = re.compile(r"^(Value error, )?(expected |\w+ should (be|have) )?")
SAID = {
    "a valid tuple": "a list",
    "a valid dictionary": "a table",
    "a valid dictionary or object to extract fields from": "a table",
}


class Cards(Mapping[str, Any]):
    """The cards of one game by id, in the order of the files.

    Parameters
    ----------
    schema : type of BaseModel
        The ruleset's card schema.
    tables : mapping of str to dict
        Plain tables by id.
    places : mapping of str to (Path or str)
        Where each id comes from: a file, in which faults get their line, or words.
    """

    def __init__(self, schema: type[BaseModel], tables: Mapping[str, Table], places: Mapping[str, Path | str]) -> None:
        self.schema = schema
        self.tables = dict(tables)
        self.places = dict(places)
        faults: list[Fault] = []
        self._cards: dict[str, Any] = {}
        for unit_id, table in self.tables.items():
            if "id" in table:
                path = self.places.get(unit_id, "card")
                where = f"{path}:{line_of(path, (unit_id, 'id'))}" if isinstance(path, Path) else path
                faults.append(
                    Fault(where, f"{unit_id}.id: found {table['id']!r}, expected no such field: [{unit_id}] says it")
                )
            try:
                self._cards[unit_id] = check(schema, unit_id, table)
            except ValidationError as error:
                faults += _faults(error, schema, unit_id, table, self.places.get(unit_id, "card"))
        if faults:
            raise CardError(faults)

    @classmethod
    def read(cls, schema: type[BaseModel], folder: Path) -> Cards:
        """Read every TOML file in `folder`.

        Raises
        ------
        CardError
            One or more faults, each with file and line.
        UsageError
            There is no such folder, or no card in it.
        """
        files = sorted(folder.glob("*.toml"))
        if not files:
            raise UsageError(f"cards: found no TOML file in {folder}, expected unit cards there")
        tables: dict[str, Table] = {}
        places: dict[str, Path | str] = {}
        faults: list[Fault] = []
        for path in files:
            for unit_id, table in read_toml(path, faults).items():
                if not isinstance(table, dict):
                    faults.append(
                        Fault(f"{path}:{line_of(path, (unit_id,))}", f"{unit_id}: expected a table [{unit_id}]")
                    )
                elif unit_id in tables:
                    where = f"{path}:{line_of(path, (unit_id,))}"
                    faults.append(Fault(where, f"{unit_id}: this id stands in {places[unit_id]} already"))
                else:
                    tables[unit_id], places[unit_id] = table, path
        try:
            cards = cls(schema, tables, places)
        except CardError as error:
            raise CardError([*faults, *error.faults]) from None
        if faults:
            raise CardError(faults)
        return cards

    def with_changes(self, changes: Iterable[str]) -> Cards:
        """Return the cards with what-ifs put in, for example ``su_t34_85.hp=40``.

        Raises
        ------
        UsageError
            Not of the form ``id.field=value``, or nothing can be set there.
        UnknownUnitError
            No such id.
        CardError
            The changed card is wrong; the place is the change.
        """
        tables = copy.deepcopy(self.tables)
        places = dict(self.places)
        for change in changes:
            path, equals, text = change.partition("=")
            unit_id, dot, field = path.strip().partition(".")
            if not (equals and dot and field):
                raise UsageError(f"--set: found {change!r}, expected id.field=value, for example su_t34_85.hp=40")
            if unit_id not in tables:
                raise UnknownUnitError(unit_id, tables)
            try:
                put(tables[unit_id], field.split("."), literal(text))
            except KeyError as error:
                raise UsageError(f"--set: found {change!r}, but {error.args[0]}") from None
            places[unit_id] = "--set"
        return Cards(self.schema, tables, places)

    def __getitem__(self, unit_id: str) -> Any:
        try:
            return self._cards[unit_id]
        except KeyError:
            raise UnknownUnitError(unit_id, self._cards) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    def __contains__(self, unit_id: object) -> bool:
        return unit_id in self._cards

    def __repr__(self) -> str:
        return f"<{len(self)} cards: {', '.join(list(self)[:4])} ...>"

    @property
    def hash(self) -> str:
        """First 12 hex digits of the SHA-256 of all that the cards say, whatever their layout."""
        text = json.dumps(self.tables, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def frame(self) -> pd.DataFrame:
        """Return the cards as a DataFrame, a row each, nested fields as dotted columns, indexed by id."""
        import pandas as pd

        frame = pd.DataFrame.from_dict({i: flatten(t) for i, t in self.tables.items()}, orient="index")
        return frame.convert_dtypes().rename_axis("id")  # whole numbers stay whole beside gaps


def check(schema: type[BaseModel], unit_id: str, table: Mapping[str, Any]) -> Any:
    """Return the card that `table` describes; pydantic's ValidationError if it is wrong."""
    card = schema.model_validate({**table, "id": unit_id})
    return card.root if isinstance(card, RootModel) else card


def json_schema(schema: type[BaseModel]) -> str:
    """Return the JSON Schema of a card file, as text for editors to use."""
    card = schema.model_json_schema(by_alias=True)
    definitions = card.pop("$defs", {})
    for definition in definitions.values():
        definition.get("properties", {}).pop("id", None)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Unit cards",
        "type": "object",
        "additionalProperties": card,
        "$defs": definitions,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def read_toml(path: Path, faults: list[Fault]) -> Table:
    """Return the tables of a TOML file; what keeps it from being read is added to `faults`."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        faults.append(Fault(f"{path}:1", f"can't be read: {error}"))
    except tomllib.TOMLDecodeError as error:
        message, _, position = str(error).partition(" (at ")
        last = len(path.read_text(encoding="utf-8").splitlines())
        line = position.removeprefix("line ").partition(",")[0] if position.startswith("line") else max(1, last)
        faults.append(Fault(f"{path}:{line}", f"not TOML: {message[:1].lower()}{message[1:]}"))
    return {}


def literal(text: str) -> Any:
    """Return the value that `text` spells in TOML, or the text itself."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def put(table: Table, path: Sequence[str], value: Any) -> None:
    """Set a nested field; what is missing on the way is made, a list is indexed from 0 and grows by one at its end.

    Raises
    ------
    KeyError
        No table or list element stands where `path` leads; the argument says so.
    """
    at: Any = table
    for depth, name in enumerate(path):
        last = depth == len(path) - 1
        made: Any = value if last else [] if path[depth + 1].isdecimal() else {}
        if isinstance(at, list):
            if not (name.isdecimal() and int(name) <= len(at)):
                raise KeyError(f"{'.'.join(path[:depth])} is a list of {len(at)}, counted from 0")
            index = int(name)
            if index == len(at):
                at.append(made)
            elif last:
                at[index] = value
            at = at[index]
        elif isinstance(at, dict):
            if last:
                at[name] = value
            at = at.setdefault(name, made)
        else:
            raise KeyError(f"{'.'.join(path[:depth])} is the value {at!r} and has no fields")


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the fields of a table by dotted path; lists of tables are numbered from 0, other lists stay whole."""
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


def validation_faults(
    error: ValidationError, names: Iterable[str], data: Any, start: Place, path: Path | str
) -> list[Fault]:
    """Return every fault of a validation as ``file:line: a.b.c: found X, expected Y``.

    Parameters
    ----------
    names : iterable of str
        Field names that a misspelt one may have meant.
    data : dict
        What was validated.
    start : tuple
        Where `data` stands in the file.
    path : Path or str
        The file; a place in words (a what-if) is named as it is.
    """
    found: dict[Place, tuple[str, list[str]]] = {}
    for fault in error.errors(include_url=False):
        paths = list(_paths(data, fault["loc"]))
        place, value = next((path for path in paths if path[1] is fault["input"]), paths[0])
        said = NOT_SAID.sub("", fault["msg"])
        said = SAID.get(said, said)
        what = repr(value)
        if fault["type"] in ("union_tag_not_found", "union_tag_invalid"):
            tag = fault["ctx"]["discriminator"].strip("'")
            place = (*place, tag)
            what = repr(value[tag]) if tag in value else "nothing"
            said = fault["ctx"].get("expected_tags", "a value")
        elif fault["type"] == "missing":
            place = (*place, fault["loc"][-1])
            what, said = "nothing", "a value"
        elif fault["type"] == "extra_forbidden":
            near = difflib.get_close_matches(str(place[-1]), [name for name in names if name != place[-1]], n=1)
            said = "no such field" + (f"; did you mean {near[0]!r}?" if near else "")
        found.setdefault(place, (what, []))[1].append(said)  # of a value that may be this or that, each says its no
    faults = []
    for place, (what, expected) in found.items():
        if any(len(other) > len(place) and other[: len(place)] == place for other in found):
            continue  # another alternative of the same value came closer
        dotted = ".".join(map(str, (*start, *place)))
        line = line_of(path, (*start, *place)) if isinstance(path, Path) else 0
        where = f"{path}:{line}" if line else str(path)
        faults.append((line, Fault(where, f"{dotted}: found {what}, expected {' or '.join(expected)}")))
    return [fault for _, fault in sorted(faults, key=itemgetter(0))]


def _paths(value: Any, loc: Place) -> Iterator[tuple[Place, Any]]:
    """Yield the places that pydantic may mean by `loc`, and what stands there, likeliest first.

    Its own names for alternatives (of a class of unit, a kind of weapon) are mixed into `loc`, and one of them may be
    the name of a field as well.
    """
    if not loc:
        yield (), value
        return
    key, *rest = loc
    listed = isinstance(value, list) and isinstance(key, int) and key < len(value)
    if listed or (isinstance(value, Mapping) and key in value):
        for place, found in _paths(value[key], tuple(rest)):
            yield (key, *place), found
    yield from _paths(value, tuple(rest))


def _faults(
    error: ValidationError, schema: type[BaseModel], unit_id: str, table: Table, path: Path | str
) -> list[Fault]:
    card = schema.model_json_schema()
    parts = [card, *card.get("$defs", {}).values()]
    names = {name for part in parts for name in part.get("properties", ())} - {"id"}
    return validation_faults(error, sorted(names), table, (unit_id,), path)


def line_of(path: Path, place: Place) -> int:
    """Return the line on which a key of a TOML file stands; the nearest key above it if it isn't there."""
    try:
        lines = _lines(path.read_bytes())
    except OSError as error:
        raise AabalanceError(f"{path}: can't be read: {error.strerror}") from None
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


@lru_cache(maxsize=32)
def _lines(text: bytes) -> dict[Place, int]:
    import tree_sitter
    import tree_sitter_toml

    lines: dict[Place, int] = {}
    lengths: dict[Place, int] = {}  # of arrays written as [[a.b]]

    def keys(node: Any) -> Place:
        if node.type == "dotted_key":
            return tuple(part for child in node.children for part in keys(child))
        return tuple(tomllib.loads(f"{node.text.decode()} = 0")) if node.type in ("bare_key", "quoted_key") else ()

    def enter(place: Place, names: Place, line: int) -> Place:
        for name in names:
            place = (*place, name)
            lines.setdefault(place, line)
            if name != names[-1] and place in lengths:
                place = (*place, lengths[place] - 1)
        return place

    def walk(node: Any, place: Place) -> None:
        line = node.start_point[0] + 1
        if node.type in ("pair", "table", "table_array_element"):
            place = enter(place, next((keys(child) for child in node.children if keys(child)), ()), line)
        if node.type == "table_array_element":
            index = lengths[place] = lengths.get(place, 0) + 1
            place = (*place, index - 1)
            lines[place] = line
        index = 0
        for child in node.children:
            if node.type == "array" and child.is_named and child.type != "comment":
                lines[(*place, index)] = child.start_point[0] + 1
                walk(child, (*place, index))
                index += 1
            else:
                walk(child, place)

    walk(tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language())).parse(text).root_node, ())
    return lines
