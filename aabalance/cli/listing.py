"""The list of a game's units with their numbers, all of them or those that the user chose."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from aabalance.definitions.lists import plain
from aabalance.errors import UsageError, one_of
from aabalance.game import Game
from aabalance.rulesets.base.roster import in_a_cell


def chosen(game: Game, nation: str | None = None, category: str | None = None) -> list[str]:
    """Return the ids of the units of a nation and a category.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    nation, category : str, optional
        By default any; capitals don't matter, nor whether there is a space or an underscore.

    Raises
    ------
    UsageError
        No card has this nation or category, or none has both.
    """
    ids = list(game.cards)
    nations = {unit_id: getattr(card, "nation", None) for unit_id, card in game.cards.items()}
    categories = {unit_id: game.ruleset.roster.category(card) for unit_id, card in game.cards.items()}
    for what, word, has in (("nation", nation, nations), ("class", category, categories)):
        if word is None:
            continue
        known = dict.fromkeys(value for value in has.values() if value is not None)
        if not known:
            raise UsageError(f"{what}: found {word!r}, expected none: no card of {game.ruleset.labels.title} has one")
        if plain(word) not in map(plain, known):
            raise UsageError(f"{what}: {one_of(word, known)}")
        ids = [unit_id for unit_id in ids if plain(has[unit_id]) == plain(word)]
    if not ids:
        raise UsageError(f"cards: found none of nation {nation} and class {category}, expected one at least")
    return ids


def with_words(game: Game, words: Iterable[str]) -> list[str]:
    """Return the ids of the units that have each of these words in their id or name; capitals don't matter."""
    texts = {unit_id: f"{unit_id} {card.name}".casefold() for unit_id, card in game.cards.items()}
    return [unit_id for unit_id, text in texts.items() if all(word.casefold() in text for word in words)]


def listing(game: Game, ids: Collection[str]) -> tuple[list[str], list[list[object]]]:
    """Return the headings and the rows of the list of the units `ids`."""
    cost = game.ruleset.labels.currency
    rows: list[dict[str, object]] = []
    for unit_id in ids:
        card = game.cards[unit_id]
        row: dict[str, object] = {"id": unit_id, "name": card.name, "class": game.ruleset.roster.category(card)}
        row |= {name: in_a_cell(value) for name, value in game.ruleset.roster.list_columns(card).items()}
        rows.append(row | {cost: getattr(card, cost)})
    names = dict.fromkeys(name for row in rows for name in row if name != cost)
    shown = [name for name in (*names, cost) if any(row.get(name, "") != "" for row in rows)]
    return shown, [[row.get(name, "") for name in shown] for row in rows]
