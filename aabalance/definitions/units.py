"""How users name units: a list of them, as text or as Python lists; or a choice, by id or by fields of their cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from aabalance.cards import Cards
from aabalance.cards.tables import flatten
from aabalance.definitions.fields import MOST_OF_A_KIND
from aabalance.errors import UnknownUnitError, UsageError, one_of, shown
from aabalance.rulesets.base import Ruleset

EXAMPLE = "'de_tiger1,su_t34_85*2'"
INSIDE = "+"
"""Stands between a unit of a list and the units inside it."""
ALL = "all"

Value = bool | int | float | str
Chosen = str | tuple[str, ...] | dict[str, Value | tuple[Value, ...]]
"""Units: an id, a list of ids, ``all``, or fields of the cards with the values that they may have; see `plain`."""


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


def chosen(ruleset: Ruleset, cards: Cards, units: Chosen) -> list[str]:
    """Return the ids of units, each once.

    Parameters
    ----------
    ruleset : Ruleset
        The game's rules.
    cards : Cards
        The roster.
    units : Chosen
        The units: ids, or values of fields of their cards.

    Raises
    ------
    UsageError
        A unit or a field is unknown, or no card has such values.
    """
    if units == ALL:
        return list(cards)
    if not isinstance(units, dict):
        ids = [units] if isinstance(units, str) else list(dict.fromkeys(units))
        if not ids:
            raise UsageError("found no unit, expected one at least")
        if wrong := [str(UnknownUnitError(unit, cards)) for unit in ids if unit not in cards]:
            raise UsageError("; ".join(wrong))
        return ids
    fields = {unit: fields_of(ruleset, cards, unit) for unit in cards}
    ids = list(cards)
    for name, values in units.items():
        known_field(ruleset, cards, name)
        wanted = values if isinstance(values, (tuple, list)) else (values,)
        there = dict.fromkeys(table[name] for table in fields.values() if not isinstance(table.get(name, []), list))
        meant = []
        for value in wanted:
            same = [one for one in there if one == value] or [one for one in there if plain(one) == plain(value)]
            if not same:
                raise UsageError(f"{name}: {one_of(value, map(str, there))}")
            meant += same
        ids = [unit for unit in ids if fields[unit].get(name) in meant]
    if not ids:
        raise UsageError(f"found {shown(units)}, which no card is, expected one at least")
    return ids


def plain(value: Any) -> Any:
    """Return a value of a field such that texts are equal that people read alike: ``Field gun`` and ``field_gun``."""
    return value.casefold().replace("_", " ") if isinstance(value, str) else value


def fields_of(ruleset: Ruleset, cards: Cards, unit: str) -> dict[str, Any]:
    """Return the fields of a card by dotted path; every game has ``class``, as the list of cards shows it.

    Parameters
    ----------
    ruleset : Ruleset
        The game's.
    cards : Cards
        Its cards.
    unit : str
        Id of the card.
    """
    return {"class": ruleset.roster.category(cards[unit]), **flatten(cards.tables[unit])}


def known_field(ruleset: Ruleset, cards: Cards, name: str) -> None:
    """Refuse a field that no card has.

    Parameters
    ----------
    ruleset : Ruleset
        The game's.
    cards : Cards
        Its cards.
    name : str
        The field, by dotted path.

    Raises
    ------
    UsageError
        No card has it.
    """
    names = dict.fromkeys(field for unit in cards for field in fields_of(ruleset, cards, unit))
    if name not in names:
        raise UsageError(one_of(name, (field for field in names if "." not in field)))
