"""Exact answers on a duel: when it ends, what the winner has left, best play; the longest of many duels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from aabalance import columns
from aabalance.analysis.frames import tidy
from aabalance.definitions.fields import MOST_ROUNDS
from aabalance.engine.hit_points import layout
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.errors import UsageError, whole_number
from aabalance.game import Game, Unit, game_of
from aabalance.play.duel import BEST_PLAY_ROUNDS

NEGLIGIBLE = 1e-9
MOST_TURNS = 4096
NEARLY_EQUAL = 1e-9


def turns_of_duel(
    game: Game | str,
    a: Unit,
    b: Unit,
    *,
    range_in: float,
    posture_a: str = "hold",
    posture_b: str = "hold",
    **situation: Any,
) -> pd.DataFrame:
    """Return, for each player turn, the chance that a duel in which a moves first ends in it.

    Parameters
    ----------
    game, a, b, range_in, posture_a, posture_b, **situation
        As for `Game.duel`.

    Returns
    -------
    DataFrame
        A row for each player turn; the odd ones are a's. The last row is the one by which all but a billionth of the
        duels that end have ended.

    Raises
    ------
    UsageError
        The game's units have conditions in place of toughness, or a posture is ``optimal``, which needs a turn limit.

    Examples
    --------
    >>> import aabalance as aab
    >>> aab.turns_of_duel(aab.Game(), "us_m4a3_75w", "de_stug3g", range_in=18).round(3).head(7)
       player_turn  p_end  p_ended
    0            1  0.000    0.000
    1            2  0.000    0.000
    2            3  0.000    0.000
    3            4  0.000    0.000
    4            5  0.198    0.198
    5            6  0.000    0.198
    6            7  0.248    0.447
    """
    game = game_of(game)
    graph = _without_choice(game.turn_graph(a, b, range_in=range_in, postures=(posture_a, posture_b), **situation))
    solved = graph.solve()
    ending = solved.p_a + solved.p_b
    rounds = 8
    while True:
        ends = graph.ending_turns(rounds)
        if ending - sum(ends) <= NEGLIGIBLE or rounds >= MOST_TURNS:
            break
        rounds *= 2
    table = pd.DataFrame({"player_turn": range(1, len(ends) + 1), "p_end": ends})
    table["p_ended"] = table["p_end"].cumsum()
    shown = int((ending - table["p_ended"] > NEGLIGIBLE).sum()) + 1
    return tidy("turns_of_duel", table.head(shown))


def survivors_of_duel(
    game: Game | str,
    a: Unit,
    b: Unit,
    *,
    range_in: float,
    posture_a: str = "hold",
    posture_b: str = "hold",
    **situation: Any,
) -> pd.DataFrame:
    """Return how much toughness the winner of a duel has left, with the chance of each amount; a moves first.

    Parameters
    ----------
    game, a, b, range_in, posture_a, posture_b, **situation
        As for `Game.duel`.

    Returns
    -------
    DataFrame
        A row for each winner and each amount that it may have left, the most first.

    Raises
    ------
    UsageError
        The game's units have conditions in place of toughness, or a posture is ``optimal``, which needs a turn limit.

    Examples
    --------
    >>> import aabalance as aab
    >>> aab.survivors_of_duel(aab.Game(), "us_m4a3_75w", "de_stug3g", range_in=18).round(3)
      winner  toughness_left  p_left
    0      a              32   0.013
    1      a              22   0.106
    2      a              12   0.269
    3      a               2   0.248
    4      b              24   0.016
    5      b              14   0.100
    6      b               4   0.247
    """
    game = game_of(game)
    graph = _without_choice(game.turn_graph(a, b, range_in=range_in, postures=(posture_a, posture_b), **situation))
    rows = [
        {"winner": side, "toughness_left": amount, "p_left": p}
        for side, chances in zip("ab", graph.toughness_left(), strict=True)
        for amount, p in reversed(list(enumerate(chances)))
        if p
    ]
    return tidy("survivors_of_duel", rows)


def _without_choice(graph: TurnGraph) -> TurnGraph:
    """Return `graph`, unless a side chooses its turns: best play depends on a turn limit."""
    if graph.chooses:
        raise UsageError("posture: found optimal, which plays to a turn limit, expected hold, close:X or cautious:X")
    return graph


def longest_duel(matchups: pd.DataFrame, field: Iterable[str]) -> pd.DataFrame:
    """Return the duel with most expected player turns, of the duels in the field that are sure to end.

    Parameters
    ----------
    matchups : DataFrame
        From `aabalance.analysis.matchups.matchups`.
    field : iterable of str
        Ids of the units that meet.

    Returns
    -------
    DataFrame
        One row with the units, the situation and ``player_turns``; of equally long duels the first. No row if no duel
        is sure to end.
    """
    units = list(field)
    ends = matchups["attacker"].isin(units) & matchups["target"].isin(units) & (matchups["weight"] > 0)
    ends &= np.isfinite(matchups["player_turns"])
    turns = matchups.loc[ends, "player_turns"]
    # Rounding may have made equal numbers of turns differ in their last digits.
    longest = turns[turns >= turns.max() * (1 - NEARLY_EQUAL)].index[:1]
    shown = [name for name in columns.TABLES["longest_duel"].columns if name in matchups]
    return tidy("longest_duel", matchups.loc[longest, shown].reset_index(drop=True))


def best_play(
    game: Game | str,
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
    game : Game or str
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
    game = game_of(game)
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
