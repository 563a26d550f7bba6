"""Tables of situations with their weights: which distances and faces count how much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from aabalance.definitions.faults import PlacedFault
from aabalance.errors import UsageError, expectation, one_of, shown
from aabalance.rulesets.base import Ruleset

TOLERANCE = 1e-9
WEIGHT = "weight"

Weights = Mapping[str, Mapping[str, float]]
"""By field of a game's `Moment`, its values with their weights."""


def check(schema: type[BaseModel], table: Weights) -> None:
    """Refuse a table of situations with faults; parameters as for `faults`.

    Raises
    ------
    UsageError
        A line for each fault.
    """
    _refuse(faults(schema, table))


def check_rows(schema: type[BaseModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a list of situations with faults; parameters as for `row_faults`.

    Raises
    ------
    UsageError
        A line for each fault.
    """
    _refuse(row_faults(schema, rows))


def _refuse(wrong: Sequence[PlacedFault]) -> None:
    if wrong:
        raise UsageError("\n".join(f"{'.'.join(('situations', *map(str, at)))}: {message}" for at, message in wrong))


def faults(schema: type[BaseModel], table: Weights) -> list[PlacedFault]:
    """Return the faults of a table of situations.

    Parameters
    ----------
    schema : type of BaseModel
        The game's `Moment`.
    table : mapping
        By field, its values with their weights.
    """
    wrong: list[PlacedFault] = []
    for name, choices in table.items():
        if name not in schema.model_fields:
            wrong.append(((name,), one_of(name, schema.model_fields)))
            continue
        for value in choices:
            # Each field is checked alone, so it doesn't matter that the other fields are missing.
            wrong += [
                ((name, value), f"found {shown(value)}, expected {expected}")
                for expected in _refusals(schema, name, value)
            ]
        total = sum(choices.values())
        if min(choices.values(), default=-1) < 0 or not math.isclose(total, 1, abs_tol=TOLERANCE):
            wrong.append(((name,), f"found weights that sum to {total:.12g}, expected weights from 0 that sum to 1"))
    for name, field in schema.model_fields.items():
        if field.is_required() and name not in table:
            wrong.append(((), f"found no {name}, expected its values with their weights"))
    return wrong


def row_faults(schema: type[BaseModel], rows: Sequence[Mapping[str, Any]]) -> list[PlacedFault]:
    """Return the faults of situations that are listed one by one.

    Parameters
    ----------
    schema : type of BaseModel
        The game's `Moment`.
    rows : sequence of mapping
        For each situation the fields that differ from their defaults, and its ``weight``.
    """
    wrong: list[PlacedFault] = []
    for n, row in enumerate(rows):
        fields = {name: value for name, value in row.items() if name != WEIGHT}
        unknown = [name for name in fields if name not in schema.model_fields]
        wrong += [((n, name), one_of(name, schema.model_fields)) for name in unknown]
        if not unknown:
            try:
                schema.model_validate(fields)
            except ValidationError as error:
                for fault in error.errors():
                    wrong.append(((n, *fault["loc"]), f"found {shown(fault['input'])}, expected {expectation(fault)}"))
        weight = row.get(WEIGHT)
        if not isinstance(weight, (int, float)) or isinstance(weight, bool) or not weight >= 0:
            wrong.append(((n,), f"found weight {weight!r}, expected a number from 0"))
    if not wrong:
        total = sum(row[WEIGHT] for row in rows)
        if not math.isclose(total, 1, abs_tol=TOLERANCE):
            wrong.append(((), f"found weights that sum to {total:.12g}, expected weights from 0 that sum to 1"))
    return wrong


def posture_faults(ruleset: Ruleset, postures: Sequence[str]) -> list[PlacedFault]:
    """Return the faults of the postures in duels, each with its position among them."""
    wrong: list[PlacedFault] = []
    for n, posture in enumerate(postures):
        try:
            ruleset.check_posture(posture)
        except UsageError as error:
            wrong.append(((n,), str(error).removeprefix("posture: ")))
    return wrong


def _refusals(schema: type[BaseModel], name: str, value: Any) -> list[str]:
    try:
        schema.model_validate({name: value})
    except ValidationError as error:
        return [expectation(fault) for fault in error.errors() if fault["loc"][:1] == (name,)]
    return []
