"""What differs between the cards and the rules of two games, field by field."""

from __future__ import annotations

import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.cards.tables import flatten
from aabalance.game import Game

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


def card_changes(before: Game, after: Game) -> pd.DataFrame:
    """Return what differs between the cards of two games, field by field, in their order."""
    rows = []
    for unit in dict.fromkeys([*before.cards, *after.cards]):
        if unit not in after.cards or unit not in before.cards:
            game, what = (before, REMOVED) if unit in before.cards else (after, ADDED)
            rows.append(card_change(unit, game.cards[unit].name, what))
            continue
        old, new = (flatten(game.cards.tables[unit]) for game in (before, after))
        rows += [
            card_change(
                unit, after.cards[unit].name, CHANGED, field, in_words(old.get(field)), in_words(new.get(field))
            )
            for field in dict.fromkeys([*old, *new])
            if old.get(field) != new.get(field)
        ]
    return tidy("card_changes", rows)


def card_change(unit: str, name: str, what: str, field: str = "", old: str = "", new: str = "") -> dict[str, str]:
    """Return a row of `card_changes`: `what` became of a `unit` of this `name`, or of a `field` of it.

    `old` and `new` are the field's values before and after, in words.
    """
    return {"unit": unit, "name": name, "what": what, "field": field, "before": old, "after": new}


def in_words(value: object) -> str:
    """Return a value of a card in words; a missing value is "nothing"."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(in_words, value)) if isinstance(value, (list, tuple)) else str(value)


def rule_changes(before: Game, after: Game) -> pd.DataFrame:
    """Return the rule switches that differ between two games."""
    old, new = (game.variant.model_dump() for game in (before, after))
    rows = [
        {"switch": name, "before": in_words(old[name]), "after": in_words(new[name])}
        for name in old
        if old[name] != new[name]
    ]
    return tidy("rule_changes", rows)
