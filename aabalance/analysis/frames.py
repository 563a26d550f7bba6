"""Frames and lists of units that functions of analysis take and return: declared columns, checked input, sentences."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import pandas as pd

from aabalance import columns
from aabalance.errors import UsageError, check_list, shown
from aabalance.game import Game, Unit

Number = TypeVar("Number")


class InWords(ABC):
    """A result that is told in sentences: they are its repr, and in a notebook they stand above its table."""

    @abstractmethod
    def sentences(self) -> list[str]:
        """Return what was found, in words."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """Return the table of what was found."""

    def __repr__(self) -> str:
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{html.escape(one)}</p>" for one in self.sentences())
        return said + self.to_frame().to_html(index=False)


def tidy(
    table: str,
    data: pd.DataFrame | Mapping[str, Any] | Sequence[Mapping[str, Any]],
    attrs: Mapping[Any, Any] = MappingProxyType({}),
) -> pd.DataFrame:
    """Return `data` as a frame of the columns that `aabalance.columns` declares for a table, in their order and types.

    Columns that `data` lacks are left out; if `data` has no rows, the frame has all columns.

    Parameters
    ----------
    table : str
        Name of the table in `aabalance.columns.TABLES`.
    data : DataFrame, mapping or sequence of mapping
        Anything that a DataFrame is made from.
    attrs : mapping
        The ``attrs`` of the frame that it is worked out from.

    Raises
    ------
    KeyError
        `data` has a column that the table doesn't have.
    """
    frame = pd.DataFrame(data)
    declared = columns.TABLES[table].columns
    if unknown := set(frame.columns) - set(declared):
        raise KeyError(f"{table}: {', '.join(sorted(map(str, unknown)))}")
    frame = frame.reindex(columns=[name for name in declared if frame.empty or name in frame])
    kinds = {name: columns.COLUMNS[name].dtype for name in map(str, frame.columns)}
    found = frame.dtypes
    frame.attrs.update(attrs)
    return frame.astype({name: kind for name, kind in kinds.items() if kind not in ("str", found[name])})


def with_ends(name: str, ends: Iterable[Number]) -> dict[str, Number]:
    """Return a number, or a column of them, and the ends of its interval, by their columns; `name` is the number's."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))


def expect(frame: Any, names: Iterable[str], source: str) -> pd.DataFrame:
    """Return `frame` if it has the columns `names`; levels of its index count as columns.

    Parameters
    ----------
    frame : object
        What the user gave as a frame.
    names : iterable of str
        Columns that it must have.
    source : str
        Call that makes a right frame, for the error text.

    Raises
    ------
    UsageError
        It is no frame, lacks a column, or has no rows.
    """
    if not isinstance(frame, pd.DataFrame):
        raise UsageError(f"frame: found a {type(frame).__name__}, expected the frame of {source}")
    required = list(names)
    table = frame.reset_index() if any(name in frame.index.names and name not in frame for name in required) else frame
    lacking = next((name for name in required if name not in table), None)
    if lacking is not None:
        raise UsageError(f"frame: found no column {lacking}, expected the frame of {source}")
    if table.empty:
        raise UsageError(f"frame: found no rows, expected those of {source}")
    return table


def by_id(units: Iterable[Unit], argument: str) -> dict[str, Unit]:
    """Return units by id, each once.

    Parameters
    ----------
    units : iterable of str or card
        The units, by id or as cards.
    argument : str
        What the user calls the list, for the error text.

    Raises
    ------
    UsageError
        `units` is no list of ids or cards, or is empty.
    """
    check_list(argument, units, "a list of ids")
    chosen: dict[str, Unit] = {}
    for unit in units:
        unit_id = getattr(unit, "id", unit)
        if not isinstance(unit_id, str):
            raise UsageError(f"{argument}: found {shown(unit)}, expected ids of units")
        chosen.setdefault(unit_id, unit)
    if not chosen:
        raise UsageError(f"{argument}: found no unit, expected one at least")
    return chosen


def ids_of(game: Game, units: Iterable[Unit] | None, argument: str) -> list[str]:
    """Return the ids of units of the roster, each once.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        Ids, names or cards; the whole roster by default.
    argument : str
        What the user calls the list, for the error text.

    Raises
    ------
    UsageError
        The list is empty, a unit is unknown, or a card isn't the roster's own.
    """
    if units is None:
        return list(game.cards)
    ids = []
    for word, unit in by_id(units, argument).items():
        unit_id = game.cards.id_of(word)
        if not isinstance(unit, str):
            check_own(game, unit, argument)
        ids.append(unit_id)
    return list(dict.fromkeys(ids))


def check_own(game: Game, card: Any, argument: str) -> None:
    """Refuse a card that isn't the game's own of this id; `argument` is what the user calls it."""
    if card != game.cards[card.id]:
        raise UsageError(f"{argument}: found another card of {card.id} than the game's, expected Game(changes=...)")


def names_of(game: Game) -> dict[str, str]:
    """Return the name of each unit of a game, by id."""
    return {unit_id: card.name for unit_id, card in game.cards.items()}


def costs(game: Game) -> pd.Series[float]:
    """Return the cost of every unit of the game, by id; `UsageError` if a card has no price."""
    return pd.Series({i: game.ruleset.cost(card) for i, card in game.cards.items()}, dtype="float64")
