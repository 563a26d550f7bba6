"""Cards beside what their real-world facts give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from aabalance.cards import Cards
from aabalance.cards.fields import flatten

Tables = Mapping[str, Mapping[str, Any]]


class Deviation(NamedTuple):
    """A field of a card that isn't what its facts give; None where one of the two lacks it.

    Attributes
    ----------
    id : str
    field : str
        Dotted path; empty where the whole card is missing.
    card, derived : object
        The two values.
    note : str or None
        The card's own note.
    """

    id: str
    field: str
    card: Any
    derived: Any
    note: str | None


def deviations(cards: Cards, derived: Tables, currency: str) -> list[Deviation]:
    """Return every field in which a card differs from its derivation, its cost left aside."""
    found = []
    for unit_id, made in derived.items():
        if unit_id not in cards:
            found.append(Deviation(unit_id, "", None, made.get("name"), None))
            continue
        note = cards.tables[unit_id].get("note")
        kept, given = flatten(cards.tables[unit_id]), flatten(made)
        for field in {**given, **kept}:
            if field != currency and repr(kept.get(field)) != repr(given.get(field)):
                found.append(Deviation(unit_id, field, kept.get(field), given.get(field), note))
    return found


def with_cost(cards: Cards, unit_id: str, made: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return a derived card with the cost that the kept card has, in the place it has there."""
    kept = cards.tables.get(unit_id, {})
    if currency not in kept:
        return dict(made)
    later = list(kept)[list(kept).index(currency) + 1 :]
    before = {name: value for name, value in made.items() if name not in later}
    return {**before, currency: kept[currency], **{name: value for name, value in made.items() if name in later}}
