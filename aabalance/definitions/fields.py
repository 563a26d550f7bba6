"""What several definitions have: kinds of fields with their bounds, and faults with a position in a table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import Field

from aabalance import rulesets
from aabalance.cards.tables import Place, dotted, line_of
from aabalance.errors import Fault, UsageError
from aabalance.rulesets.base import HOLD

MOST_ACTIONS = 1000
MOST_ROUNDS = 1000
MOST_OF_A_KIND = 100
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

PlacedFault = tuple[Place, str]
"""A fault: its place in a table, and what was found and expected."""


def placed(path: Path, faults: Iterable[PlacedFault]) -> list[Fault]:
    """Return faults of a file with its path and their lines, each once."""
    once = dict.fromkeys((f"{path}:{line_of(path, place)}", dotted(place), text) for place, text in faults)
    return [Fault(where, f"{name}: {text}") for where, name, text in once]


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Return faults of one file by their lines."""
    return sorted(faults, key=lambda fault: int(fault.place.rpartition(":")[2]))


def of_game(name: str, expected: str | None) -> list[PlacedFault]:
    """Return the fault of the game that a file is about, if it has one.

    Parameters
    ----------
    name : str
        The game's name in the file.
    expected : str or None
        The game that the user named; None for any.
    """
    if expected is not None and name != expected:
        return [(("game",), f"found {name!r}, expected {expected!r}, the chosen game")]
    try:
        rulesets.load(name)
    except UsageError as error:
        return [(("game",), str(error).removeprefix("game: "))]
    return []
