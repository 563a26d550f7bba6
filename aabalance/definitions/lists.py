"""Lists of units, as text, in Python or in files, with a name and where those of a match begin; and choices of units
by id or name, or by fields of their cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from aabalance.cards import Cards
from aabalance.cards.faults import read_as, validation_faults
from aabalance.cards.tables import Place, PlacedFault, flatten, in_order, line_of, with_lines
from aabalance.definitions.fields import MOST_OF_A_KIND, as_fault
from aabalance.errors import CardError, Fault, UnknownUnitError, UsageError, check_kind, one_of, shown, whole_number
from aabalance.rulesets.base import Keys, Ruleset, Text

IN_FILE = "@"
"""Stands before the path of a list's file."""
NUMBER_FIRST = re.compile(r"(?P<number>\d{1,9})(?:\s*[×*]\s*|x\s*|\s+x\s+|\s+)(?P<unit>.+)", re.IGNORECASE)
NUMBER_LAST = re.compile(r"(?P<unit>.+?)(?:\s*[×*]|\s+x)\s*(?P<number>\d{1,9})", re.IGNORECASE)
"""How people write several of a unit: ``3xde_tiger1``, ``3 de_tiger1``; ``de_tiger1*3``, ``Tiger I x3``."""

ALL = "all"

Value = bool | int | float | str
Chosen = str | tuple[str, ...] | dict[str, Value | tuple[Value, ...]]
"""Units: an id or name, a list of them, ``all``, or fields of the cards with the values they may have; see `plain`."""


class UnitList(NamedTuple):
    """The units of a list in its order, which settles ties.

    Attributes
    ----------
    units : list of str or card
        Ids, names or cards.
    name : str
        What people call the list; empty without a name.
    places : mapping of int to BaseModel
        Where units of a match begin that have a place, by their positions.
    lines : sequence of str
        The file and line of each unit of a file.
    """

    units: list[Any]
    name: str = ""
    places: Mapping[int, Any] = {}
    lines: Sequence[str] = ()


class Placed(BaseModel):
    """A unit of a list with a place; the game of a match says which fields a place has."""

    model_config = ConfigDict(frozen=True, extra="allow")

    unit: str


class ListFile(Keys):
    """The keys of a list's file.

    Attributes
    ----------
    name : str
        What people call the list.
    units : list of (str or Placed)
        Units as on the command line (``"de_tiger1*2"``); in a match also tables of one unit and its place.
    """

    name: Text = ""
    units: Annotated[list[str | Placed], Field(min_length=1)]


def any_list(
    given: Any,
    cards: Cards,
    place: type[BaseModel] | None = None,
    check: Callable[[Sequence[Any]], object] = lambda units: None,
) -> UnitList:
    """Read a list of units, also from a file, which is given as ``@`` and its path.

    Parameters
    ----------
    given : str, sequence or mapping
        The list; see `unit_list`.
    cards : Cards
        The roster, in which the units of a file have to be.
    place : type of BaseModel, optional
        Schema of places; without it units of a file have none.
    check : callable
        Called with the first units of the list, at last with all of them; raises `UsageError` if they can't be in one.

    Raises
    ------
    UsageError
        The list isn't one.
    CardError
        Faults of the file, each with its line.
    """
    if not (isinstance(given, str) and given.startswith(IN_FILE)):
        check(units := unit_list(given, cards))
        return UnitList(units)
    path = Path(given.removeprefix(IN_FILE))
    file, faults = read_as(ListFile, path), list[Fault]()
    units, lines = list[Any](), list[str]()
    places: dict[int, Any] = {}
    wrong: list[PlacedFault] = []
    for number, one in enumerate(file.units):
        at: Place = ("units", number)
        try:
            more = unit_list(one if isinstance(one, str) else [one.unit], cards)
            check(units + more)
            if isinstance(one, Placed):
                places[len(units)] = _place(one, place, path, at, faults)
            units += more
            lines += [f"{path}:{line_of(path, at)}"] * len(more)
        except UsageError as error:
            wrong.append((at, str(error).removeprefix("list: ")))
    if faults := faults + with_lines(path, wrong):
        raise CardError(in_order(faults))
    return UnitList(units, file.name, places, lines)


def no_units(given: Any) -> bool:
    """Return whether nothing is given as a list, or one without any unit."""
    return given is None or (isinstance(given, Collection) and not isinstance(given, str) and not len(given))


def unit_list(given: Any, cards: Cards | None) -> list[Any]:
    """Return the units of a list, which are ids or cards, in its order, which settles ties.

    Parameters
    ----------
    given : str, sequence of (str or card), or mapping of (str or card) to int
        The list: ids and names between commas, each with its number before or behind it if it isn't 1:
        ``de_tiger1*2, 3 Sherman Firefly``; or numbers by id, name or card. A sequence may be an array or a Series.
    cards : Cards or None
        The roster; without it only the form of the list is checked, and units stay as they are written.

    Raises
    ------
    UsageError
        It is no list, it is empty, has a number of units that can't be, or a unit is unknown.
    """
    if isinstance(given, Mapping) and given:
        return [unit for name, number in given.items() for unit in _copies(name, number, f"{name}: {number}", cards)]
    if isinstance(given, str):
        return [unit for piece in given.split(",") for unit in _of_a_kind(piece.strip(), given, cards)]
    # A list is read more than once, and its order settles ties: neither an iterator nor a set will do.
    if no_units(given) or not isinstance(given, Collection) or isinstance(given, Set):
        raise UsageError(f"list: found {shown(given)}, expected units, or a text such as {_example(cards)}")
    return [unit for one in given for unit in (unit_list(one, cards) if isinstance(one, str) else [one])]


def _of_a_kind(piece: str, given: str, cards: Cards | None) -> list[str]:
    """Return the units of a part of a list; a number that begins a name, as in 17 Pounder, is none of the list."""
    counted = NUMBER_FIRST.fullmatch(piece) or NUMBER_LAST.fullmatch(piece)
    if counted and cards is not None and piece[0].isdecimal():
        with suppress(UnknownUnitError):
            return [cards.id_of(piece)]
    if not piece or (counted is None and "*" in piece):
        raise _wrong(piece or given, cards)
    return (
        _copies(counted["unit"], int(counted["number"]), piece, cards) if counted else _copies(piece, 1, piece, cards)
    )


def _copies(unit: Any, number: Any, piece: str, cards: Cards | None) -> list[Any]:
    try:
        number = whole_number("list", number, 1, MOST_OF_A_KIND)
    except UsageError:
        raise _wrong(piece, cards) from None
    return [unit if cards is None or isinstance(unit, BaseModel) else cards.id_of(unit)] * number


def _wrong(found: str, cards: Cards | None) -> UsageError:
    numbers = f"1 to {MOST_OF_A_KIND} of each"
    return UsageError(f"list: found {shown(found)}, expected units such as {_example(cards)}, {numbers}")


def _example(cards: Cards | None) -> str:
    """Return a list of two units of the roster, as text."""
    units = list(cards or ())
    return repr(f"{units[0]},{units[-1]}*2" if units else "ID,ID*2")


def _place(one: Placed, place: type[BaseModel] | None, path: Path, at: Place, faults: list[Fault]) -> Any:
    """Return the place of a unit; its faults go to `faults`."""
    fields = one.model_extra or {}
    if place is None:
        raise UsageError(f"found {', '.join(fields) or 'a table'}, expected a text: only units of a match have places")
    try:
        return place.model_validate(fields)
    except ValidationError as error:
        faults += validation_faults(error, place, fields, at, path)
        return None


def chosen(ruleset: Ruleset, cards: Cards, units: Chosen) -> list[str]:
    """Return the ids of units, each once.

    Parameters
    ----------
    ruleset : Ruleset
        The game's rules.
    cards : Cards
        The roster.
    units : Chosen
        The units: ids or names, or values of fields of their cards.

    Raises
    ------
    UsageError
        A unit or a field is unknown, or no card has such values.
    """
    if isinstance(units, str) and units == ALL:
        return list(cards)
    if not isinstance(units, dict):
        ids = [units] if isinstance(units, str) else list(units)
        if not ids:
            raise UsageError("found no unit, expected one at least")
        if wrong := [why for unit in ids for _, why in as_fault((), partial(cards.id_of, unit))]:
            raise UsageError("; ".join(wrong))
        return list(dict.fromkeys(map(cards.id_of, ids)))
    fields = {unit: fields_of(ruleset, cards, unit) for unit in cards}
    ids = list(cards)
    for name, values in units.items():
        known_field(ruleset, cards, name)
        wanted = values if isinstance(values, (tuple, list)) else (values,)
        there = dict.fromkeys(table[name] for table in fields.values() if not isinstance(table.get(name, []), list))
        meant = []
        for value in wanted:
            check_kind(name, value, Hashable, "a value of the field")
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
