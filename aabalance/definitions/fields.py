"""What several definitions have: kinds of fields with their bounds, and faults at their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from aabalance.cards.faults import validation_faults
from aabalance.cards.tables import Place, PlacedFault
from aabalance.errors import UsageError
from aabalance.rulesets.base import HOLD

MOST_ACTIONS = 1000
MOST_ROUNDS = 1000
MOST_OF_A_KIND = 100
MOST_REQUISITION = 10**6
RANGES = range(0, 43)
"""Distances of a curve, from the nearest to the farthest."""
WITHIN_TURNS = 6
"""Turns of holding within which a target has to be destroyed."""
POLICIES = ("value", "focus")
"""The policies by which battles are compared."""

Rounds = Annotated[int, Field(ge=1, le=MOST_ROUNDS, strict=True)]
"""Turns of each side that a fight may last."""
Actions = Annotated[int, Field(ge=1, le=MOST_ACTIONS, strict=True)]
"""Limit of actions in a side's turn."""
Postures = tuple[str, str]
"""What the attacker does in a duel, and what the target does."""
HOLDING: Postures = (HOLD, HOLD)
Table = TypeVar("Table", bound=BaseModel)


def as_fault(place: Place, check: Callable[[], object], word: str = "") -> Iterator[PlacedFault]:
    """Yield the error that a check raises as a fault at its place, without the leading `word`, which names that too."""
    try:
        check()
    except UsageError as error:
        yield place, str(error).removeprefix(f"{word}: ")


def changed(table: Table, command: str, changes: Mapping[str, Any]) -> Table:
    """Return a table with the `changes` that the options of a command make.

    Raises
    ------
    UsageError
        A value is wrong.
    """
    given = table.model_dump() | dict(changes)
    try:
        return type(table).model_validate(given)
    except ValidationError as error:
        faults = validation_faults(error, type(table), given, (), command)
        raise UsageError("\n".join(map(str, faults))) from None
