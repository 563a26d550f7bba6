"""Matches as the second source: what lists score on a board, where units move, against the lists of a field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aabalance.analysis.battles import Score
from aabalance.engine.sampling import wilson
from aabalance.lists.payoffs import Field, Payoffs, Units, shared_out
from aabalance.play.result import bare_percent, percent, with_interval
from aabalance.pricing.board_matches import BoardTerms, Pairing, play_pairs

PLAYER = "greedy"
EACH, PAIRS = 2, 200
"""Matches of a pairing, and pairings of a list; each list has either side, and the first turn, in half of them."""


class OnBoard(NamedTuple):
    """What a list scores in matches: P(win) + P(draw) / 2 with its 95 % interval."""

    board: str
    mission: str
    matches: int
    score: float
    low: float
    high: float

    def sentence(self) -> str:
        """Return it in words."""
        score = with_interval(percent(self.score), (self.low, self.high), bare_percent)
        said = f"On {self.board} ({self.mission}), where units move, it scores {score}"
        return f"{said} against the same opponents: {self.matches} matches, {PLAYER} players."


def on_board(payoffs: Payoffs, lists: Sequence[Units], field: Field, board: str, seed: int) -> list[OnBoard]:
    """Return what lists score on a board against a field, in the mission that is the game's own.

    Parameters
    ----------
    payoffs : Payoffs
        The roster.
    lists, field : sequence of Units, and Field
        The lists, and their opponents, which all of them meet equally often.
    board : str
        Its name.
    seed : int
        Seed of dice and players.

    Raises
    ------
    UsageError
        There is no such board, or a list can't play on it.
    """
    from aabalance.rulesets.base.match import DRAWN, WON_BY_A

    def cards(units: Units) -> tuple[object, ...]:
        return tuple(payoffs.cards[at] for at in units)

    met = np.repeat(np.arange(len(field.lists)), shared_out(field.weights, PAIRS)).tolist()
    question = payoffs.game.match_question(
        [payoffs.ids[at] for at in lists[0]],
        [payoffs.ids[at] for at in field.lists[0]],
        board=board,
        actions=payoffs.actions,
        player_a=PLAYER,
        player_b=PLAYER,
    )
    mission = question.agreed()[1].mission or ""
    # The number of a pairing says who moves first, so sides change with every other one.
    side_a = np.arange(PAIRS) // 2 % 2 == 0
    rows = []
    for units in lists:
        pairs = ((cards(units), cards(field.lists[at])) for at in met)
        rows += [Pairing(*(pair if side_a[n] else pair[::-1]), n) for n, pair in enumerate(pairs)]
    results = play_pairs(BoardTerms.of(question, seed, EACH), rows)[..., 0].reshape(len(lists), PAIRS, EACH)
    won = np.where(results == DRAWN, 0.5, (results == WON_BY_A) == side_a[:, None])
    matches = EACH * PAIRS
    scores = (Score(float(one.mean()), *wilson(float(one.sum()), matches)) for one in won)
    return [OnBoard(board, mission, matches, *score) for score in scores]
