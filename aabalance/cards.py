"""The one reader and validator of ``unitdb/``: TOML tables in, checked cards out, every fault at once with file and line."""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, RootModel, ValidationError

from aabalance.errors import AabalanceError, CardError, Fault, UnknownUnitError, UsageError

if TYPE_CHECKING:
    import pandas as pd

Table = dict[str, Any]
Place = tuple[str | int, ...]

SCHEMA_FILE = "unit.schema.json"


def data_folder(name: str) -> Path:
    """Return the folder `name` (``unitdb``, ``reports``) of the checkout, or of the installed package.

    A checkout wins: an editable install leaves a stale copy of the data beside the package.
    """
    checkout = Path(__file__).resolve().parents[1]
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    return Path(str(resources.files("aabalance"))) / name


class Cards(Mapping[str, Any]):
    """The cards of one game by id, in the order of the files.

    Parameters
    ----------
    schema : type of BaseModel
        The ruleset's card schema.
    tables : mapping of str to dict
        Plain tables by id.
    places : mapping of str to Path
        The file that each id comes from.
    """

    def __init__(self, schema: type[BaseModel], tables: Mapping[str, Table], places: Mapping[str, Path]) -> None:
        self.schema = schema
        self.tables = dict(tables)
        self.places = dict(places)
        faults: list[Fault] = []
        self._cards: dict[str, Any] = {}
        for unit_id, table in self.tables.items():
            try:
                self._cards[unit_id] = check(schema, unit_id, table)
            except ValidationError as error:
                faults += _faults(error, schema, unit_id, table, self.places.get(unit_id))
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
        places: dict[str, Path] = {}
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
            Not of the form ``id.field=value``.
        UnknownUnitError
            No such id.
        CardError
            The changed card is wrong; the place is the change.
        """
        tables = json.loads(json.dumps(self.tables))
        places = dict(self.places)
        for change in changes:
            path, equals, text = change.partition("=")
            unit_id, dot, field = path.strip().partition(".")
            if not (equals and dot and field):
                raise UsageError(f"--set: found {change!r}, expected id.field=value, for example su_t34_85.hp=40")
            if unit_id not in tables:
                raise UnknownUnitError(unit_id, tables)
            put(tables[unit_id], field.split("."), literal(text))
            places[unit_id] = Path(f"--set {change}")
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

        return pd.DataFrame.from_dict({i: flatten(t) for i, t in self.tables.items()}, orient="index").rename_axis("id")


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
        line = position.removeprefix("line ").partition(",")[0] if position.startswith("line") else "end"
        faults.append(Fault(f"{path}:{line}", f"not TOML: {message[:1].lower()}{message[1:]}"))
    return {}


def literal(text: str) -> Any:
    """Return the value that `text` spells in TOML, or the text itself."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def put(table: Any, path: Sequence[str], value: Any) -> None:
    """Set a nested field; a missing table on the way is made, a list is indexed from 0."""
    *parents, last = path
    for name in parents:
        table = (
            table[int(name)] if _indexes(table, name) else table.setdefault(name, {}) if isinstance(table, dict) else {}
        )
    if _indexes(table, last):
        table[int(last)] = value
    elif isinstance(table, dict):
        table[last] = value
    else:
        raise UsageError(f"{'.'.join(path)}: there is no such field to set")


def _indexes(table: Any, name: str) -> bool:
    return isinstance(table, list) and name.isdigit() and int(name) < len(table)


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
    error: ValidationError, names: Iterable[str], data: Any, start: Place, path: Path | None
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
    path : Path or None
        The file; a place that isn't a file (a what-if) is named as it is.
    """
    faults = []
    for fault in error.errors(include_url=False):
        place: Place = start
        value = data
        for key in fault["loc"]:
            if (isinstance(value, Mapping) and key in value) or (
                isinstance(value, list) and isinstance(key, int) and key < len(value)
            ):
                value = value[key]
            elif key != fault["loc"][-1] or fault["type"] not in ("missing", "union_tag_not_found"):
                continue
            place = (*place, key)
        dotted = ".".join(map(str, place))
        if fault["type"] == "missing":
            message = "found nothing, expected a value"
        elif fault["type"] == "extra_forbidden":
            near = difflib.get_close_matches(str(place[-1]), [n for n in names if n != place[-1]], n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            message = f"found {value!r}, expected no such field{hint}"
        else:
            said = fault["msg"].removeprefix("Value error, ").removeprefix("Input should be ").removeprefix("expected ")
            message = f"found {value!r}, expected {said}"
        faults.append(
            Fault(f"{path}:{line_of(path, place)}" if path and path.suffix else str(path), f"{dotted}: {message}")
        )
    return faults


def _faults(
    error: ValidationError, schema: type[BaseModel], unit_id: str, table: Table, path: Path | None
) -> list[Fault]:
    names = {name for part in schema.model_json_schema()["$defs"].values() for name in part.get("properties", ())}
    return validation_faults(error, sorted(names), table, (unit_id,), path)


def line_of(path: Path, place: Place) -> int:
    """Return the line on which a key of a TOML file stands; the nearest key above it if it isn't there."""
    lines = _lines(path)
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def _lines(path: Path) -> dict[Place, int]:
    import tree_sitter
    import tree_sitter_toml

    try:
        text = path.read_bytes()
    except OSError as error:
        raise AabalanceError(f"{path}: can't be read: {error}") from None
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    lines: dict[Place, int] = {}

    def keys(node: Any) -> Place:
        if node.type == "dotted_key":
            return tuple(part for child in node.children for part in keys(child))
        return (node.text.decode().strip("\"'"),) if node.type in ("bare_key", "quoted_key") else ()

    def walk(node: Any, place: Place) -> None:
        inner = place
        if node.type in ("pair", "table"):
            inner = place + next((keys(child) for child in node.children if keys(child)), ())
            for depth in range(len(place) + 1, len(inner) + 1):
                lines.setdefault(inner[:depth], node.start_point[0] + 1)
        index = 0
        for child in node.children:
            if node.type == "array" and child.is_named and child.type != "comment":
                lines.setdefault((*inner, index), child.start_point[0] + 1)
                walk(child, (*inner, index))
                index += 1
            else:
                walk(child, inner)

    walk(parser.parse(text).root_node, ())
    return lines
