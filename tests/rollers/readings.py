"""The readings of the rules that the players at a table have agreed on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Readings = Mapping[str, tuple[Any, ...]]


def agreed(variant: Mapping[str, Any], readings: Readings) -> dict[str, Any]:
    """Every switch with the reading that is played: the first of `readings`, unless the variant has another.

    Raises
    ------
    NotImplementedError
        A switch, or a reading of one, that this roller can't play.
    """
    for switch, value in variant.items():
        if value not in readings.get(switch, ()):
            known = ", ".join(map(repr, readings.get(switch, ()))) or "no such switch"
            raise NotImplementedError(f"{switch}: found {value!r}, this roller can play {known}")
    return {switch: known[0] for switch, known in readings.items()} | dict(variant)
