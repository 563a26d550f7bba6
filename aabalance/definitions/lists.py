"""Lists of units, as text such as ``de_tiger1,su_t34_85*2`` or as Python lists of ids, names and cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from aabalance.definitions.fields import MOST_OF_A_KIND
from aabalance.errors import UsageError, shown

EXAMPLE = "'de_tiger1,su_t34_85*2'"
INSIDE = "+"
"""Stands between a unit of a list and the units inside it."""


class UnitList(NamedTuple):
    """The units of a list in its order, which settles ties.

    Attributes
    ----------
    units : list of str or card
        Ids, names or cards.
    carriers : dict of int to int
        Which units begin the battle inside which, by their positions.
    """

    units: list[Any]
    carriers: dict[int, int]


def unit_list(given: Any) -> UnitList:
    """Read a list of units.

    Units that begin the battle inside another follow it, as in ``us_m3_ht+inf_rifle*2``, or in a list of their own:
    ``["us_m3_ht", ["inf_rifle", "inf_rifle"]]``.

    Parameters
    ----------
    given : str or sequence of (str or card or sequence)
        The list.

    Raises
    ------
    UsageError
        It is no list, it is empty, or it has a number of units that can't be.
    """
    loaded = _loaded(given)
    carriers: dict[int, int] = {}
    last = 0
    for position, (_, inside) in enumerate(loaded):
        if inside:
            carriers[position] = last
        else:
            last = position
    return UnitList([unit for unit, _ in loaded], carriers)


def _loaded(given: Any) -> list[tuple[Any, bool]]:
    """Return the units of a list, and whether each begins inside the last before it that doesn't."""
    if isinstance(given, str):
        return [unit for piece in given.split(",") for unit in _several(piece.strip(), given)]
    if not isinstance(given, Sequence) or not given:
        raise UsageError(f"list: found {shown(given)}, expected units, or a text such as {EXAMPLE}")
    units: list[tuple[Any, bool]] = []
    for one in given:
        if isinstance(one, str):
            units += _loaded(one)
        elif isinstance(one, Sequence):
            units += _inside(one, bool(units), given)
        else:
            units.append((one, False))
    return units


def _inside(cargo: Any, carried: bool, given: Any) -> list[tuple[Any, bool]]:
    units = _loaded(cargo)
    if not carried or any(inside for _, inside in units):
        raise UsageError(f"list: found {shown(given)}, expected units inside one that is itself in no other")
    return [(unit, True) for unit, _ in units]


def _several(piece: str, given: str) -> list[tuple[str, bool]]:
    first, *inside = (_of_a_kind(part.strip(), piece, given) for part in piece.split(INSIDE))
    if inside and len(first) > 1:
        raise UsageError(f"list: found {shown(piece)}, expected one unit before {INSIDE!r}, which others are inside")
    return [(unit, False) for unit in first] + [(unit, True) for units in inside for unit in units]


def _of_a_kind(part: str, piece: str, given: str) -> list[str]:
    unit, star, number = (text.strip() for text in part.partition("*"))
    if not unit or (star and not (number.isdecimal() and 1 <= int(number) <= MOST_OF_A_KIND)):
        wrong = shown(piece) if unit else shown(given)
        raise UsageError(f"list: found {wrong}, expected units such as {EXAMPLE}, 1 to {MOST_OF_A_KIND} of each")
    return [unit] * (int(number) if star else 1)
