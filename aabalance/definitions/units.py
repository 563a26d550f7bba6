"""How users choose units: by id or name, or by fields of their cards."""

from __future__ import annotations

from typing import Any

from aabalance.cards import Cards
from aabalance.cards.tables import flatten
from aabalance.errors import UsageError, one_of, shown
from aabalance.rulesets.base import Ruleset

ALL = "all"

Value = bool | int | float | str
Chosen = str | tuple[str, ...] | dict[str, Value | tuple[Value, ...]]
"""Units: an id or name, a list of them, ``all``, or fields of the cards with the values they may have; see `plain`."""


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
    if units == ALL:
        return list(cards)
    if not isinstance(units, dict):
        ids = [units] if isinstance(units, str) else list(dict.fromkeys(units))
        if not ids:
            raise UsageError("found no unit, expected one at least")
        found: dict[str, None] = {}
        wrong = []
        for unit in ids:
            try:
                found[cards.id_of(unit)] = None
            except UsageError as error:
                wrong.append(str(error))
        if wrong:
            raise UsageError("; ".join(wrong))
        return list(found)
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
