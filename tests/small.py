"""A few units of the real roster, one of each kind: as a game, and as a folder of cards for commands."""

from __future__ import annotations

from pathlib import Path

import aabalance as aab
from aabalance.cards import Cards
from aabalance.cards.save import text

UNITS = ("de_tiger1", "de_pz4h", "su_t34_85", "su_ba64", "us_m4a1", "inf_rifle")
"""The armoured car hurts no tank."""


def few(units: tuple[str, ...] | list[str] = UNITS) -> aab.Game:
    """The game with these units alone."""
    game = aab.Game()
    return game.with_(cards=game.cards.only(units))


def without_prices(game: aab.Game, *units: str) -> aab.Game:
    """The game, in which these units cost nothing yet."""
    price = game.ruleset.labels.currency
    tables = {
        unit: {name: value for name, value in table.items() if name != price} if unit in units else table
        for unit, table in game.cards.tables.items()
    }
    return game.with_(cards=Cards(game.cards.schema, tables, {}))


def write(folder: Path, game: aab.Game) -> Path:
    """A folder of a game's cards, new if need be."""
    folder.mkdir(exist_ok=True)
    cards = "\n".join(text(unit, table) for unit, table in game.cards.tables.items())
    (folder / "cards.toml").write_text(cards, encoding="utf-8")
    return folder
