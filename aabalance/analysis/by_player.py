"""The same matches, played by several players in turn: how much an answer depends on who plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from aabalance.analysis.battles import several
from aabalance.analysis.frames import InWords
from aabalance.boards import Board
from aabalance.errors import UsageError
from aabalance.game import Game, List, game_of
from aabalance.play import result
from aabalance.play.match import MatchResult
from aabalance.play.match_counts import change
from aabalance.play.policy import Player, name_of

SHOWN = (
    "p_a p_a_ci p_b p_b_ci p_draw p_draw_ci score_a_ci first_turn_gap first_turn_gap_ci player_turns player_turns_ci "
    "trials"
)
"""Names of the values of a result that a row has."""

Scored = tuple[float, result.Interval]
"""A score with its interval."""


@dataclass(frozen=True, eq=False, repr=False)
class ByPlayer(InWords):
    """The same matches, with one player after another on both sides.

    Attributes
    ----------
    results : tuple of MatchResult
        One for each player, in their order.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> both = aab.by_player(game, ["random", "greedy"], "tank", "tank", board="crossing", rounds=2, simulate=2)
    >>> [row["player"] for row in both.rows()]
    ['random', 'greedy']
    """

    results: tuple[MatchResult, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return for each player chances, a's score, what going first is worth, and how long matches are.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> [row] = aab.by_player(game, ["random"], board="last_stand", rounds=1, simulate=1).rows()
        >>> row["player"], row["p_draw"], row["trials"]
        ('random', 1.0, 1)
        """
        return [
            {"player": one.player_a, "score_a": _score(one)} | {name: getattr(one, name) for name in SHOWN.split()}
            for one in self.results
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return the frames of the results, one under the other.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> played = aab.by_player(game, ["random", "greedy"], board="last_stand", rounds=1, simulate=1)
        >>> played.to_frame()["player_a"].to_list()
        ['random', 'greedy']
        """
        return pd.concat([one.to_frame() for one in self.results], ignore_index=True)

    def sentences(self) -> list[str]:
        """Return the `sentence`, as other results of several matches do.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> played = aab.by_player(game, ["random", "greedy"], board="last_stand", rounds=1, simulate=1)
        >>> played.sentences() == [played.sentence()]
        True
        """
        return [self.sentence()]

    def sentence(self) -> str:
        """Return whether a's score depends on who plays, from the first player to the last.

        Both play the same matches on the same dice, so the interval is that of pairs; with a `target_error`, of those
        matches that both have played.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> played = aab.by_player(game, ["random", "greedy"], board="last_stand", rounds=1, simulate=1)
        >>> played.sentence().rpartition(": ")[2]
        'that may be nothing, so who plays may make no difference.'
        """
        first, last = self.results[0], self.results[-1]
        both = (_score(first), first.score_a_ci), (_score(last), last.score_a_ci)
        told = depends(*both, change(first.scores, last.scores))
        return " ".join([f"From {first.player_a} to {last.player_a}, {told}", *first.remarks()])


def depends(first: Scored, last: Scored, changed: Scored) -> str:
    """Return in words by how much a's score changes from one player to another, and whether the answer depends on that.

    Parameters
    ----------
    first, last : (float, (float, float))
        The scores by both, with their intervals.
    changed : (float, (float, float))
        The change, with its interval.
    """
    low, high = changed[1]
    if low <= 0 <= high:
        judged = "that may be nothing, so who plays may make no difference"
    else:
        ahead = {(ci[0] > result.EVEN) - (ci[1] < result.EVEN) for _, ci in (first, last)}
        judged = "the answer depends on who plays" + (", even who is ahead" if ahead == {-1, 1} else "")
    return f"a's score changes by {result.points_with_interval(*changed)}: {judged}."


def _score(one: MatchResult) -> float:
    return one.p_a + one.p_draw / 2


def by_player(
    game: Game | str,
    players: Sequence[Player],
    list_a: List = (),
    list_b: List = (),
    *,
    board: str | Board,
    **asked: Any,
) -> ByPlayer:
    """Play the same matches, on the same dice, with one player after another on both sides.

    Parameters
    ----------
    game : Game or str
        The game.
    players : sequence of str or callable
        Who plays, best in the order of their strength: ``["greedy", "search:200"]``.
    list_a, list_b, board, **asked
        As for `Game.match`.

    Raises
    ------
    UsageError
        What `Game.match` refuses; no player, or one twice.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> played = aab.by_player(game, ["random", "greedy"], board="last_stand", rounds=1, simulate=1)
    >>> [one.player_a for one in played.results]
    ['random', 'greedy']
    """
    game = game_of(game)
    players = several(players, "players")
    names = [name_of(player) for player in players]
    if not names or len(set(names)) < len(names):
        raise UsageError(f"players: found {', '.join(names) or 'none'}, expected at least one, and each once")
    for player in players:  # an unknown one is refused before any match
        game.match_question(list_a, list_b, board=board, player_a=player)
    return ByPlayer(
        tuple(game.match(list_a, list_b, board=board, player_a=one, player_b=one, **asked) for one in players)
    )
