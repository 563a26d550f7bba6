"""Faults of definitions: each has its position in a table, from which follow its file and line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from aabalance import rulesets
from aabalance.cards.lines import Place, dotted, line_of
from aabalance.errors import Fault, UsageError

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
