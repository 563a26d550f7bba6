"""The units of a game, one under the other: those that somebody asks for, with their numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from aabalance.errors import UsageError, one_of
from aabalance.game import Game


def chosen(game: Game, nation: str | None = None, category: str | None = None) -> list[str]:
    """Return the ids of all units of a nation and a category; either may be left open, capitals don't matter.

    Raises
    ------
    UsageError
        No card has this nation or category, or none has both.
    """
    ids = list(game.cards)
    nations = {unit_id: getattr(card, "nation", None) for unit_id, card in game.cards.items()}
    categories = {unit_id: game.ruleset.category(card) for unit_id, card in game.cards.items()}
    for what, wanted, has in (("nation", nation, nations), ("class", category, categories)):
        if wanted is None:
            continue
        known = dict.fromkeys(value for value in has.values() if value is not None)
        if not known:
            raise UsageError(f"{what}: found {wanted!r}, expected none: no card of {game.ruleset.title} has one")
        if wanted.casefold() not in map(str.casefold, known):
            raise UsageError(f"{what}: {one_of(wanted, known)}")
        ids = [unit_id for unit_id in ids if (has[unit_id] or "").casefold() == wanted.casefold()]
    if not ids:
        raise UsageError(f"cards: found none of nation {nation} and class {category}, expected one at least")
    return ids


def with_words(game: Game, words: Iterable[str]) -> list[str]:
    """Return the ids of the units that have every one of some words in id or name; capitals don't matter."""
    said = {unit_id: f"{unit_id} {card.name}".casefold() for unit_id, card in game.cards.items()}
    return [unit_id for unit_id, text in said.items() if all(word.casefold() in text for word in words)]


def listing(game: Game, ids: Collection[str]) -> tuple[list[str], list[list[object]]]:
    """Return headings and rows of some cards: their numbers, and the main gun if they have a list of weapons."""
    rows = []
    for unit_id in ids:
        card, table = game.cards[unit_id], game.cards.tables[unit_id]
        weapons = table.get("weapons")
        row: dict[str, object] = {"id": unit_id, "name": card.name, "class": game.ruleset.category(card)}
        if isinstance(weapons, list):
            gun = weapons[0] if weapons else {}
            row |= {"hp": game.ruleset.toughness(card), "armor": _numbers(table.get("armor", ""))}
            named = {"main gun": "name", "pen": "penetration", "dmg": "damage"}
            row |= {heading: gun.get(name, "") for heading, name in named.items()}
        else:
            row |= {name: found for name, value in table.items() if (found := _numbers(value)) != ""}
        row.pop("year", None)
        rows.append(row | {game.ruleset.currency: table.get(game.ruleset.currency, "")})
    names = dict.fromkeys(name for row in rows for name in row if name != game.ruleset.currency)
    shown = [name for name in (*names, game.ruleset.currency) if any(row.get(name, "") != "" for row in rows)]
    return shown, [[row.get(name, "") for name in shown] for row in rows]


def _numbers(value: object) -> object:
    """Return a number, or several of a list or a table as ``10/8/8``; empty for anything else."""
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [value]
    if not parts or not all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts):
        return ""
    return "/".join(map(str, parts)) if isinstance(value, (dict, list)) else value
