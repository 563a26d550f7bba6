"""A policy: a player that a designer writes in Python, who reads and answers in words."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from aabalance.errors import UsageError, shown

if TYPE_CHECKING:
    from aabalance.engine.match.arena import Chooser
    from aabalance.rulesets.base.match_rules import MatchRules

Policy: TypeAlias = Callable[[dict[str, Any], list[str]], str]
"""Takes what its side sees of the state in words, with the side itself as ``you``, and the texts of the legal actions;
returns one of these."""
Player: TypeAlias = str | Policy


def name_of(player: Player) -> str:
    """Return what a player is called."""
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def in_words(players: Sequence[Player]) -> str:
    """Return who plays both sides: one name if it is the same."""
    return " v ".join(dict.fromkeys(map(name_of, players)))


def by_name(players: tuple[Player, Player]) -> tuple[str, str]:
    """Return the names of both players, of matches that are kept or played by other processes: no policy may play them.

    Raises
    ------
    UsageError
        One of the players is a policy.
    """
    a, b = players
    if callable(a) or callable(b):
        found = name_of(a if callable(a) else b)
        raise UsageError(f"player: found the policy {found}, expected a name: these matches are kept, by name")
    return a, b


def chooser(player: Player, rules: MatchRules, names: Any) -> str | Chooser:
    """Return a player as the arena asks him; a policy that answers no legal action raises a `UsageError`.

    Parameters
    ----------
    player : str or callable
        The name of the player, or a policy.
    rules : MatchRules
        The rules of the game.
    names : object
        The names from the game's `start`.
    """
    if isinstance(player, str):
        from aabalance.engine.match.exact import Exact
        from aabalance.engine.match.players import EXACT

        return Exact(rules) if player == EXACT else player

    def choose(tables: Any, seen: Any, actions: list[int]) -> int:
        texts = rules.texts(tables, seen, actions, names)
        side = "ab"[rules.to_move(seen)]
        said = player({"you": side, **rules.words(tables, seen, names)}, list(texts))
        if said not in texts:
            near = difflib.get_close_matches(str(said), texts, n=1) or texts
            what = f"one of {len(texts)} legal actions, such as {near[0]!r}"
            raise UsageError(f"player {name_of(player)}: found {shown(said)}, expected {what}")
        return actions[texts.index(said)]

    return choose
