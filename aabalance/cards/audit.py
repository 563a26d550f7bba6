"""Compares cards with the cards that are derived from real-world facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from aabalance.cards import Cards
from aabalance.cards.tables import flatten

Tables = Mapping[str, Mapping[str, Any]]


class Deviation(NamedTuple):
    """A field in which a card differs from the one that is derived from its facts.

    Attributes
    ----------
    id : str
        Id of the unit.
    field : str
        Name of the field, with dots between its parts; empty if the whole card is missing.
    card, derived : object
        The value on the card, and the derived one; None where the field is missing.
    note : str or None
        The note on the card.
    """

    id: str
    field: str
    card: Any
    derived: Any
    note: str | None


def deviations(cards: Cards, derived: Tables, currency: str) -> list[Deviation]:
    """Return every field in which a card differs from its derivation, except its cost.

    Parameters
    ----------
    cards : Cards
        The existing cards.
    derived : mapping of str to mapping
        The derived cards, by id.
    currency : str
        Name of the field that has the cost.
    """
    rows = []
    for unit_id, derivation in derived.items():
        if unit_id not in cards:
            rows.append(Deviation(unit_id, "", None, derivation.get("name"), None))
            continue
        note = cards.tables[unit_id].get("note")
        own, other = flatten(cards.tables[unit_id]), flatten(derivation)
        for field in {**other, **own}:
            if field != currency and repr(own.get(field)) != repr(other.get(field)):
                rows.append(Deviation(unit_id, field, own.get(field), other.get(field), note))
    return rows


def with_cost(cards: Cards, unit_id: str, derived: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return a derived card with the cost of the existing card, at the same place among its fields.

    Parameters
    ----------
    cards : Cards
        The existing cards.
    unit_id : str
        Id of the unit.
    derived : mapping
        The derived card.
    currency : str
        Name of the field that has the cost.
    """
    card = cards.tables.get(unit_id, {})
    if currency not in card:
        return dict(derived)
    later = list(card)[list(card).index(currency) + 1 :]
    before = {name: value for name, value in derived.items() if name not in later}
    return {**before, currency: card[currency], **{name: value for name, value in derived.items() if name in later}}
