"""The readings of the rules that the players at a table have agreed on, and what a game promises of its attacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Readings = Mapping[str, tuple[Any, ...]]


class Promise(NamedTuple):
    """As a field takes these values in their order, the mean effect of an attack never falls.

    Attributes
    ----------
    of : {"attacker", "target", "situation"}
        What the field is of: a card, or the situation.
    field : str
        The field; dots lead into tables of a card.
    values : tuple
        Its values.
    """

    of: Literal["attacker", "target", "situation"]
    field: str
    values: tuple[Any, ...]


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
