"""Lists of units that stand in files: a name, units, and where those of a match begin."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from aabalance.cards import Cards
from aabalance.cards.faults import validation_faults
from aabalance.cards.tables import Place, PlacedFault, in_order, read_toml, with_lines
from aabalance.definitions.units import unit_list
from aabalance.errors import CardError, Fault, UnknownUnitError, UsageError

IN_FILE = "@"
"""Stands before the path of a list's file."""


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
    """

    units: list[Any]
    name: str = ""
    places: Mapping[int, Any] = MappingProxyType({})


class Placed(BaseModel):
    """A unit of a list with a place; the game of a match says which fields a place has."""

    model_config = ConfigDict(frozen=True, extra="allow")

    unit: str


class ListFile(BaseModel):
    """The keys of a list's file.

    Attributes
    ----------
    name : str
        What people call the list.
    units : list of (str or Placed)
        Units as on the command line (``"de_tiger1*2"``); in a match also tables of one unit and its place.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    units: Annotated[list[str | Placed], Field(min_length=1)]


def any_list(given: Any, cards: Cards, place: type[BaseModel] | None = None) -> UnitList:
    """Read a list of units, also from a file, which is given as ``@`` and its path.

    Parameters
    ----------
    given : str or sequence
        The list; see `aabalance.definitions.units.unit_list`.
    cards : Cards
        The roster, in which the units of a file have to be.
    place : type of BaseModel, optional
        Schema of places; without it units of a file have none.

    Raises
    ------
    UsageError
        The list isn't one.
    CardError
        Faults of the file, each with its line.
    """
    if not (isinstance(given, str) and given.startswith(IN_FILE)):
        return UnitList(unit_list(given))
    path = Path(given.removeprefix(IN_FILE))
    faults: list[Fault] = []
    table = read_toml(path, faults)
    if faults:
        raise CardError(faults)
    try:
        file = ListFile.model_validate(table)
    except ValidationError as error:
        raise CardError(validation_faults(error, ListFile.model_fields, table, (), path)) from None
    units: list[Any] = []
    places: dict[int, Any] = {}
    wrong: list[PlacedFault] = []
    for number, one in enumerate(file.units):
        at: Place = ("units", number)
        try:
            more = unit_list(one if isinstance(one, str) else [one.unit])
            if unknown := [unit for unit in more if unit not in cards]:
                raise UnknownUnitError(unknown[0], cards)
            if isinstance(one, Placed):
                places[len(units)] = _place(one, place, path, at, faults)
            units += more
        except UsageError as error:
            wrong.append((at, str(error).removeprefix("list: ")))
    if faults := faults + with_lines(path, wrong):
        raise CardError(in_order(faults))
    return UnitList(units, file.name, places)


def _place(one: Placed, place: type[BaseModel] | None, path: Path, at: Place, faults: list[Fault]) -> Any:
    """Return the place of a unit; its faults go to `faults`."""
    fields = one.model_extra or {}
    if place is None:
        raise UsageError(f"found {', '.join(fields) or 'a table'}, expected a text: only units of a match have places")
    try:
        return place.model_validate(fields)
    except ValidationError as error:
        faults += validation_faults(error, place.model_fields, fields, at, path)
        return None
