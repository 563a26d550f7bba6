"""How soon every unit of a roster destroys every other that does nothing, by face, distance and turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from aabalance.analysis.situations import Situations
from aabalance.engine import grid
from aabalance.game import Game

TURNS = 12
SAMPLED = 8
"""So many targets, from all over the roster, tell where distance makes a difference; all attackers fire at them."""


class KillTables(NamedTuple):
    """Chances to destroy a fresh target that returns no fire. Cases that are alike are worked out once.

    Attributes
    ----------
    units : list of str
        Ids, of attackers and targets alike.
    faces : list of str
        Faces that the target shows; one empty text in a game without faces.
    starts : list of float
        The distances with which each step begins: within it no attack changes.
    end : float
        The last distance of the last step.
    chances : array of float, shape (cases, turns)
        Within 1, 2, ... turns of holding.
    case : array of int, shape (units, units, faces, starts)
        By attacker, target, face and step, its row of `chances`.
    """

    units: list[str]
    faces: list[str]
    starts: list[float]
    end: float
    chances: Any
    case: Any


def kill_tables(game: Game, situations: Situations, ranges: Sequence[float], turns: int = TURNS) -> KillTables:
    """Return how soon the units of a roster destroy each other, at all of `ranges`.

    Parameters
    ----------
    game : Game
    situations : Situations
        Whose faces the targets show; all else is as usual.
    ranges : sequence of float
        Distances, rising.
    turns : int
        The most turns of the attacker's.
    """
    faces = list(dict.fromkeys(str(getattr(moment, "facing", "")) for moment in situations.moments))
    cards = list(game.cards.values())
    starts = range_steps(game, ranges)
    fields: list[dict[str, Any]] = [{"facing": face} if face else {} for face in faces]
    moments = [game.moment(range_in=start, **field) for field in fields for start in starts]
    cells = grid.grid(game.ruleset, cards, cards, moments, game.variant)
    toughness = np.array([game.ruleset.toughness(card) for card in cards], dtype=np.int64)
    # A plan against so much toughness is a case: one number for both.
    most = int(toughness.max()) + 1
    numbers, case = np.unique(cells.plan * most + toughness[None, :, None], return_inverse=True)
    chances = cells.tables.kills(numbers // most, numbers % most, tuple(range(1, turns + 1)))[:, 1:]
    return KillTables(
        list(game.cards),
        faces,
        starts,
        float(ranges[-1]),
        chances,
        case.reshape(len(cards), len(cards), len(faces), len(starts)),
    )


def range_steps(game: Game, ranges: Sequence[float], sampled: int = SAMPLED) -> list[float]:
    """Return the distances, of `ranges`, at which what some unit does in a turn changes; the first is one of them.

    Parameters
    ----------
    game : Game
    ranges : sequence of float
        Rising.
    sampled : int
        So many targets are asked about.
    """
    cards = list(game.cards.values())
    targets = cards[:: max(1, len(cards) // sampled)]
    moments = [game.moment(range_in=range_in) for range_in in ranges]
    plan = grid.grid(game.ruleset, cards, targets, moments, game.variant).plan
    differs = (plan[..., 1:] != plan[..., :-1]).any(axis=(0, 1))
    return [float(at) for at, new in zip(ranges, [True, *differs.tolist()], strict=True) if new]
