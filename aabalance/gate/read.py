"""Reading a gate's file with its game: all faults are reported at once, each with file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from aabalance.definitions import fields
from aabalance.definitions import gate as definition
from aabalance.definitions.claims import BattleClaim
from aabalance.definitions.fields import PlacedFault
from aabalance.definitions.gate import Draft, Gate
from aabalance.errors import CardError, Fault, UsageError
from aabalance.game import Game
from aabalance.gate.cases import terms_of


def read(
    source: str | Path | None = None, game_name: str | None = None, game_of: Callable[[str], Game] = Game
) -> tuple[Gate, Game]:
    """Read a gate's file, and make its game.

    Parameters
    ----------
    source : str or Path, optional
        A file, or the name of a shipped gate; by default the game's own.
    game_name : str, optional
        Name of the game that it must be about; by default any.
    game_of : callable
        Takes the name of a game; returns the game, with the cards that claims are about.

    Raises
    ------
    UsageError
        There is no such file, or no such game.
    CardError
        The file or the cards have faults; all are listed, each with file and line, including units, fields and values
        in claims that the cards don't have, and lists that can't fight each other.
    """
    draft = definition.read(source, game_name)
    game, wrong = None, list(draft.faults)
    of_cards: Sequence[Fault] = ()
    if draft.game is not None:
        try:
            game = game_of(draft.game)
        except CardError as error:
            of_cards = error.faults
        else:
            placed = draft.card_faults(game.ruleset, game.cards)
            placed += _unfair(game, draft, draft.broken | {place[:2] for place, _ in placed})
            wrong += fields.placed(draft.path, placed)
    if draft.gate is None or game is None or wrong:
        raise CardError([*fields.in_order(wrong), *of_cards])
    return draft.gate, game


def _unfair(game: Game, draft: Draft, broken: set[tuple[str | int, ...]]) -> Iterator[PlacedFault]:
    """Yield why the lists of a claim can't fight: a single trial is refused for the same reasons as all of them."""
    for name, claim in draft.claims.items():
        if claim["kind"] == "battle" and ("claims", name) not in broken:
            meant = BattleClaim.model_validate(claim)
            try:
                game.battle(meant.a, meant.b, **terms_of(meant), simulate=1)
            except UsageError as error:
                yield ("claims", name), str(error)
