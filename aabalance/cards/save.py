"""Changed cards written into their files: comments, order and layout stay, and all files are written or none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aabalance import files
from aabalance.cards import Cards
from aabalance.cards.text import Tables, edited
from aabalance.errors import OutputError, UsageError


def save(cards: Cards, tables: Tables) -> None:
    """Write the cards that differ from what they are into the files that they come from; others aren't touched.

    Parameters
    ----------
    cards : Cards
        As they were read.
    tables : mapping
        By id, all of them as they are to be, checked.

    Raises
    ------
    UsageError
        A card that differs comes from no file.
    OutputError
        A file can't be written.
    """
    changed = [unit_id for unit_id in cards if spelt(tables[unit_id]) != spelt(cards.tables[unit_id])]
    contents: dict[Path, str | bytes] = {}
    for place in {cards.places[unit_id]: None for unit_id in changed}:
        if not isinstance(place, Path):
            raise UsageError("cards: found some that come from no file, expected no what-ifs")
        old = {unit_id: cards.tables[unit_id] for unit_id in cards if cards.places[unit_id] == place}
        try:
            contents[place] = edited(place.read_bytes().decode(), old, tables).encode()
        except ValueError as error:
            raise OutputError(f"{place}: can't be written: {error}") from None
    files.write_all(contents)


def spelt(table: Mapping[str, Any]) -> str:
    """Return a text that is the same for tables with the same values, in whatever order."""
    return json.dumps(table, sort_keys=True, default=str)  # true and 1 are equal in Python, not on a card
