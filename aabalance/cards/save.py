"""Writes changed and new cards into their files: comments, order and layout stay; all files are written, or none."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from aabalance import files
from aabalance.cards import SCHEMA_FILE, Cards
from aabalance.cards.text import Tables, edited, with_units
from aabalance.errors import OutputError, UsageError


def home(cards: Cards, table: Mapping[str, Any]) -> Path:
    """Return the file for a new card: the one with the most cards of its nation, else a new file named for the nation.

    Parameters
    ----------
    cards : Cards
        The cards as they were read.
    table : mapping
        The new card.

    Raises
    ------
    UsageError
        No card comes from a file.
    """
    places = {unit_id: place for unit_id, place in cards.places.items() if isinstance(place, Path)}
    if not places:
        raise UsageError("cards: found none that comes from a file, expected a folder for the new one")
    nation = table.get("nation")
    fellows = Counter(place for unit_id, place in places.items() if cards.tables[unit_id].get("nation") == nation)
    if fellows:
        return max(fellows, key=lambda place: fellows[place])
    name = re.sub(r"\W+", "_", str(nation).casefold()).strip("_")
    return next(iter(places.values())).with_name(f"{name or 'others'}.toml")


def save(cards: Cards, tables: Tables, added: Mapping[str, Path] = MappingProxyType({})) -> None:
    """Write changed cards into the files that they come from, and new ones at the ends of files.

    Parameters
    ----------
    cards : Cards
        The cards as they were read.
    tables : mapping
        All cards as they are to be, checked, by id.
    added : mapping of str to Path
        Files for the new cards, by id; the files may be new as well.

    Raises
    ------
    UsageError
        A changed card comes from no file.
    OutputError
        A file can't be written.
    """
    changed = [unit_id for unit_id in cards if spelt(tables[unit_id]) != spelt(cards.tables[unit_id])]
    contents: dict[Path, str | bytes] = {}
    for place in dict.fromkeys([*(cards.places[unit_id] for unit_id in changed), *added.values()]):
        if not isinstance(place, Path):
            raise UsageError("cards: found some that come from no file, expected no what-ifs")
        old = {unit_id: cards.tables[unit_id] for unit_id in cards if cards.places[unit_id] == place}
        new = {unit_id: tables[unit_id] for unit_id, file in added.items() if file == place}
        try:
            source = place.read_bytes().decode() if place.exists() else _head(place)
            contents[place] = with_units(edited(source, old, tables), new).encode()
        except ValueError as error:
            raise OutputError(f"{place}: can't be written: {error}") from None
    files.write_all(contents)


def _head(place: Path) -> str:
    """Return the first line of a new card file."""
    return f"#:schema ./{SCHEMA_FILE}\n" if place.with_name(SCHEMA_FILE).is_file() else ""


def spelt(table: Mapping[str, Any]) -> str:
    """Return a text that is the same for tables with the same values in any order."""
    return json.dumps(table, sort_keys=True, default=str)  # true and 1 are equal in Python, not on a card
