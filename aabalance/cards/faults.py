"""Puts pydantic's errors in our own words: each fault with its line, and what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from aabalance.cards.tables import Place, dotted, position_of, table_of
from aabalance.errors import CardError, Fault, expectation, shown

File = TypeVar("File", bound=BaseModel)


def read_as(schema: type[File], path: Path) -> File:
    """Return a TOML file as its schema has it; raise `CardError` with its faults, each with its line."""
    _, found, faults, _ = drafted(schema, path)
    if found is None:
        raise CardError(faults)
    return found


def drafted(schema: type[File], path: Path) -> tuple[dict[str, Any], File | None, list[Fault], list[Place]]:
    """Return the table of a TOML file, the same as its schema has it or None, its faults, and where these are in it."""
    table = table_of(path)
    try:
        return table, schema.model_validate(table), [], []
    except ValidationError as error:
        return table, None, validation_faults(error, schema, table, (), path), [one["loc"] for one in error.errors()]


def validation_faults(
    error: ValidationError,
    schema: type[BaseModel],
    data: Any,
    start: Place,
    path: Path | str,
    *,
    columns: bool = False,
) -> list[Fault]:
    """Return every fault of a validation as ``file:line: a.b.c: found X, expected Y``.

    Parameters
    ----------
    error : ValidationError
        Pydantic's error.
    schema : type of BaseModel
        What it was validated as; the name of one of its fields is proposed for a misspelt name.
    data : dict
        The table that was validated.
    start : tuple of (str or int)
        Where `data` is in the file: names of tables, and numbers of list elements.
    path : Path or str
        The file; or a place in words, which has no lines.
    columns : bool
        Whether the column stands behind the line.
    """
    by_place: dict[Place, tuple[str, list[str]]] = {}
    for fault in error.errors():
        if fault["type"] == "too_short" and len(fault["input"]) >= fault["ctx"]["min_length"]:
            continue  # pydantic counts only what isn't wrong, and that has a fault of its own
        paths = list(_paths(data, fault["loc"]))
        place, value = next((path for path in paths if path[1] is fault["input"]), paths[0])
        needed = expectation(fault)
        what = shown(fault["input"] if fault["loc"][-1:] == ("[key]",) else value)
        if fault["type"] in ("union_tag_not_found", "union_tag_invalid"):
            tag = fault["ctx"]["discriminator"].strip("'")
            place = (*place, tag)
            what = shown(value[tag]) if tag in value else "nothing"
            needed = fault["ctx"].get("expected_tags", "a value")
        elif fault["type"] == "missing":
            place = (*place, fault["loc"][-1])
            what, needed = "nothing", "a value"
        elif fault["type"] == "extra_forbidden":
            names = field_names(schema, nested=len(place) > 1)
            near = difflib.get_close_matches(str(place[-1]), [name for name in names if name != place[-1]], n=1)
            needed = "no such field" + (f"; did you mean {near[0]!r}?" if near else "")
        by_place.setdefault(place, (what, []))[1].append(needed)  # a value with alternatives has a fault from each
    faults = []
    outer = {place[:length] for place in by_place for length in range(len(place))}
    for place, (what, expected) in by_place.items():
        if place in outer:
            continue  # another alternative of the same value came closer
        line, column = position_of(path, (*start, *place)) if isinstance(path, Path) else (0, 0)
        where = f"{path}:{line}{f':{column}' * columns}" if line else str(path)
        alternatives = " or ".join(dict.fromkeys(expected))
        faults.append((line, Fault(where, f"{dotted((*start, *place))}: found {what}, expected {alternatives}")))
    return [fault for _, fault in sorted(faults, key=itemgetter(0))]


@cache
def field_names(schema: type[BaseModel], *, nested: bool = True) -> tuple[str, ...]:
    """Return the names of all fields of a schema, sorted.

    Fields of nested tables are left out if `nested` is False. They stay in a schema of alternatives (a union), which
    has no fields of its own.
    """
    whole = schema.model_json_schema()
    parts = [whole] if not nested and "properties" in whole else [whole, *whole.get("$defs", {}).values()]
    return tuple(sorted({name for part in parts for name in part.get("properties", ())} - {"id"}))


def _paths(value: Any, loc: Place) -> Iterator[tuple[Place, Any]]:
    """Yield the places that pydantic may mean by `loc`, each with its value, the likeliest first.

    Pydantic mixes its own names of alternatives (a class of unit, a kind of weapon) into `loc`, and such a name may
    also be the name of a field.
    """
    if not loc:
        yield (), value
        return
    key, *rest = loc
    listed = isinstance(value, list) and isinstance(key, int) and key < len(value)
    if listed or (isinstance(value, Mapping) and key in value):
        for place, inner in _paths(value[key], tuple(rest)):
            yield (key, *place), inner
    yield from _paths(value, tuple(rest))
