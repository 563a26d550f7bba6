"""Best play as a table: what to do at which distance, with how much left."""

from __future__ import annotations

from typing import Any

import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.definitions.fields import MOST_ROUNDS
from aabalance.engine.hit_points import layout
from aabalance.errors import whole_number
from aabalance.game import Game, Unit
from aabalance.play.duel import BEST_PLAY_ROUNDS


def best_play(
    game: Game,
    a: Unit,
    b: Unit,
    *,
    range_in: float,
    rounds: int = BEST_PLAY_ROUNDS,
    posture_b: str = "optimal",
    **situation: Any,
) -> pd.DataFrame:
    """Return what a does in its first turn of a duel that it plays as well as it can, from every state of the duel.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    a, b : str or card
        The two units; a moves first.
    range_in : float
        Distance in inches at which the duel begins; the table has every distance that can be reached from there.
    rounds : int
        Turns that each side still has.
    posture_b : str
        Posture of b.
    **situation
        As for `Game.duel`.

    Returns
    -------
    DataFrame
        The orders, a row for each distance, toughness left of both sides, and whether each main gun is being reloaded.
        The toughness left falls by one hit from row to row.

    Raises
    ------
    UsageError
        The game has no postures to choose from, or `rounds` is less than 1.

    Examples
    --------
    >>> import aabalance as aab
    >>> orders = aab.best_play(aab.Game(), "us_m4a3_75w", "de_stug3g", range_in=24, posture_b="hold")
    >>> fresh = orders["toughness_left"].eq(32) & orders["enemy_toughness_left"].eq(24)
    >>> orders[fresh & orders["range_in"].isin([12, 18, 24])][["range_in", "enemy_moved", "orders"]]
         range_in  enemy_moved                 orders
    144      12.0        False  fire 75 mm M3, back 4
    216      18.0        False  fire 75 mm M3, back 3
    288      24.0        False  fire 75 mm M3, back 2
    """
    rounds = whole_number("rounds", rounds, 1, MOST_ROUNDS)
    duel = game.turn_graph(a, b, range_in=range_in, postures=("optimal", posture_b), **situation)
    played = duel.best_play(rounds)
    steps = [max(side[layout.QUANTUM], 1) for side in reversed(duel.sides)]
    rows = []
    for number, node in enumerate(duel.nodes[0]):
        for state in range(played.hits[0] * played.hits[1]):
            lost = divmod(state, played.hits[1])
            left = [duel.sides[s][layout.HP] - lost[s] * steps[s] for s in (0, 1)]
            rows.append(
                {
                    "range_in": node.range_in,
                    "toughness_left": left[0],
                    "enemy_toughness_left": left[1],
                    "reloading": bool(node.memory),
                    "enemy_reloading": bool(node.enemy_memory),
                    "enemy_moved": bool(node.enemy_moved),
                    "orders": duel.turns[played.policy[0, state, number]].orders,
                }
            )
    table = pd.DataFrame(rows).sort_values(
        ["reloading", "enemy_reloading", "enemy_moved", "range_in", "toughness_left", "enemy_toughness_left"],
        ascending=[True, True, True, True, False, False],
        ignore_index=True,
    )
    return tidy("best_play", table)
