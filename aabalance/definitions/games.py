"""The log of games that people played at a table: a CSV with a row for each game."""

from __future__ import annotations

import datetime
import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationError

from aabalance.cards.csv import read_lines
from aabalance.cards.faults import validation_faults
from aabalance.definitions.fields import MOST_ROUNDS
from aabalance.errors import CardError, Fault, UsageError, counted, shown
from aabalance.rulesets.base import Keys, Line

Side = Literal["a", "b"]

Winner = Literal["a", "b", "draw"]

Finite = Annotated[float, Field(allow_inf_nan=False)]


class Played(Keys):
    """A game, as a row of a log says it.

    Attributes
    ----------
    list_a, list_b : str
        Both lists, as on the command line.
    winner : {"a", "b", "draw"}
        Who won.
    first : {"a", "b"} or None
        Who had the first turn.
    board, mission : str or None
        Where they played, and how the game is won.
    rounds : int or None
        The limit of rounds.
    player_a, player_b : str or None
        Who played.
    score_a, score_b : float or None
        What either scored; kept for the reader.
    date : date or None
        When; kept for the reader.
    """

    list_a: str = Field(min_length=1)
    list_b: str = Field(min_length=1)
    winner: Winner
    first: Side | None = None
    board: str | None = None
    mission: str | None = None
    rounds: int | None = Field(None, ge=1, le=MOST_ROUNDS)
    player_a: Line | None = None
    player_b: Line | None = None
    score_a: Finite | None = None
    score_b: Finite | None = None
    date: datetime.date | None = None


COLUMNS = tuple(Played.model_fields)
NEEDED = tuple(name for name, field in Played.model_fields.items() if field.is_required())


def read_log(path: Path) -> dict[str, Played]:
    """Return the games of a log by their places, ``file:line``.

    Parameters
    ----------
    path : Path
        A CSV; cells are separated by ``,``, ``;`` or tabs.

    Raises
    ------
    CardError
        Its faults, each with its line.
    UsageError
        It can't be read, or has no game.
    """
    [(_, head), *lines] = read_lines(path, by_hand=True) or [(1, [])]
    head, faults = [name.strip() for name in head], list[Fault]()
    for name in dict.fromkeys(head):
        if name in COLUMNS and head.count(name) > 1:
            faults.append(Fault(f"{path}:1", f"found the column {name} more than once, expected it once"))
        elif name not in COLUMNS:
            near = difflib.get_close_matches(name, COLUMNS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            faults.append(Fault(f"{path}:1", f"found the column {shown(name)}, expected {', '.join(COLUMNS)}{hint}"))
    missing = [Fault(f"{path}:1", f"found no column {name}, expected one") for name in NEEDED if name not in head]
    if missing:
        raise CardError([*faults, *missing])
    rows = {f"{path}:{line}": values for line, values in lines if any(values)}
    faults += [
        Fault(where, f"found {counted(len(values), 'cell')}, expected {len(head)}; a list with commas is quoted")
        for where, values in rows.items()
        if len(values) != len(head)
    ]
    whole = {
        where: {name: cell for name, cell in zip(head, cells, strict=True) if name in COLUMNS}
        for where, cells in rows.items()
        if len(cells) == len(head)
    }
    try:
        found = games(whole, str(path)) if whole or not faults else {}
    except CardError as error:
        faults += error.faults
    if faults:
        raise CardError(sorted(faults, key=lambda fault: [f"{path}:1", *rows].index(fault.place)))
    return found


def games(rows: Mapping[str, Mapping[str, Any]], source: str) -> dict[str, Played]:
    """Return games from the cells of their rows; empty ones are missing.

    Parameters
    ----------
    rows : mapping of str to mapping
        Cells by column, by the place of each game.
    source : str
        Where the rows come from, for the error text.

    Raises
    ------
    CardError
        Faults of cells.
    UsageError
        There is no game.
    """
    if not rows:
        raise UsageError(f"{source}: found no game, expected a row for each")
    found, faults = dict[str, Played](), list[Fault]()
    for where, row in rows.items():
        cells = {name: value for name, text in row.items() if not _missing(value := _stripped(text))}
        if (winner := str(cells.get("winner")).lower()) in get_args(Winner):
            cells["winner"] = winner
        try:
            found[where] = Played.model_validate(cells)
        except ValidationError as error:
            faults += validation_faults(error, Played, cells, (), where)
    if faults:
        raise CardError(faults)
    return found


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _missing(value: Any) -> bool:
    return value is None or value == "" or value != value


def template(rows: Iterable[Mapping[str, str]]) -> str:
    """Return a log with its header and some games."""
    cells = [COLUMNS, *([row.get(name, "") for name in COLUMNS] for row in rows)]
    return "".join(",".join(f'"{cell}"' if "," in cell else cell for cell in row) + "\n" for row in cells)
