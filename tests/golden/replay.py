"""Replay a transcript of a match: it translates, the package decides."""

from __future__ import annotations

from typing import Any

import numpy as np
from meetings import game_of

from aabalance.engine.jit import compiled
from aabalance.rulesets.base.match import ALL, script
from aabalance.rulesets.base.match_rules import MatchRules

SIDES = ("a", "b", None)
UNREAD: dict[str, dict[str, Any]] = {
    "armour_battles": {"weapon": "gun", "points": 1},
    "modern_land_battles": {"nation": "none", "type": "tank"},
}
"""Fields of cards by game, that no rule of a match reads, and transcripts leave out."""


class Replay:
    """A match that is played as a transcript says.

    Parameters
    ----------
    game : str
        Name of the game.
    setup : dict
        The transcript's set-up.
    plain : bool
        Play in plain Python, which sees an index that is out of bounds; compiled it takes a thirtieth of the time.
    """

    def __init__(self, game: str, setup: dict[str, Any], plain: bool = False) -> None:
        asked = game_of(game)
        ruleset = asked.ruleset
        rules = ruleset.match()
        assert rules is not None
        self.rules: MatchRules = rules
        self._legal, self._apply = (one if plain else compiled(one) for one in (rules.legal, rules.apply))
        if isinstance(setup["board"], str):
            setup = setup | {"board": asked.boards[setup["board"]].table}
        cards = {name: _card(ruleset, name, fields) for name, fields in setup["cards"].items()}
        options = setup.get("options", setup)
        switches = {name: options[name] for name in ruleset.Variant.model_fields if name in options}
        self.tables, self.now, self.names = rules.start(setup, cards, ruleset.Variant(**switches))
        self._actions = np.empty(rules.most_actions, np.int64)

    def do(self, text: str, dice: list[int], sides: list[int] | None = None) -> None:
        """Take an action with these dice; `ValueError` if it isn't legal, or dice are missing or left over."""
        action = self.rules.read(self.tables, self.now, text, self.names)
        count = self._legal(self.tables, self.now, self.rules.actor(action), self._actions)
        if action not in self._actions[:count]:
            raise ValueError(text)
        rolled = script(dice)
        self._apply(self.tables, self.now, action, rolled)
        if rolled.rolled != len(dice) or (sides or [6] * len(dice)) != list(rolled.sides[: len(dice)]):
            raise ValueError(f"{text}: {rolled.rolled} dice of {rolled.sides[: rolled.rolled]} sides, not {dice}")

    def to_move(self) -> str | None:
        """Return the side that decides next."""
        return SIDES[self.rules.to_move(self.now)]

    def legal(self) -> list[str]:
        """Return the texts of all legal actions, sorted."""
        if self.to_move() is None:
            return []
        count = self._legal(self.tables, self.now, ALL, self._actions)
        return sorted(self.rules.texts(self.tables, self.now, self._actions[:count].tolist(), self.names))

    def state(self) -> dict[str, Any]:
        """Return the state as transcripts have it."""
        return self.rules.words(self.tables, self.now, self.names)

    def result(self) -> dict[str, Any]:
        """Return the result as transcripts have it."""
        return self.rules.ended(self.tables, self.now)


def _card(ruleset: Any, name: str, fields: dict[str, Any]) -> Any:
    """Return a card of a transcript, which leaves out what no rule of a match reads."""
    unread = UNREAD.get(ruleset.name, {})
    card = ruleset.Card.model_validate({"name": name, **unread, **fields})
    return getattr(card, "root", card)
