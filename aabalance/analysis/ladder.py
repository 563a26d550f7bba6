"""The ladder: all players against each other, on a game's standard board with its standard lists."""

from __future__ import annotations

import itertools
import math
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.battles import ends_of, several
from aabalance.analysis.frames import InWords, tidy
from aabalance.definitions.report import Report
from aabalance.definitions.tables import Matches
from aabalance.engine import sampling
from aabalance.engine.arrays import Floats
from aabalance.engine.match.players import PLAYERS
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, whole_number
from aabalance.files import data_folder
from aabalance.game import Game, List, game_of
from aabalance.play.policy import Player, name_of
from aabalance.play.result import in_row, interval_of, ratio_in_words
from aabalance.play.sample import MOST_TRIALS

ENDING = ".ladder.toml"
MATCHES = 50
"""Matches in each seat where nobody says how many."""
WARM = 2
"""Matches before the clock starts: so many are compiled."""
ELO = 400 / math.log(10)
"""Points of Elo's scale in a unit of the logistic curve."""
DRAWN = 1.0
"""Drawn matches added to each pairing, so that who never wins has a rating."""
STEPS, NORMAL = 50, 1.959964
HOLD = 1e9
"""How hard a rating is held where it is given."""
CLOSE, LEAST = 1e-9, 1e-9
"""A step that is none, and the least likelihood ratio that is divided by."""


@dataclass(frozen=True, eq=False, repr=False)
class Ladder(InWords):
    """How strong players are.

    Attributes
    ----------
    board : str
        Where they played.
    lists : (str, str)
        What they played with, in words.
    agreed : str
        Mission, limits, first turn and whatever else was agreed on, in words.
    scores : DataFrame
        Table ``ladder_scores`` of ``aabalance.columns``: a row for each pairing, both seats together.
    ratings : DataFrame
        Table ``ladder``: a row for each player, the strongest first.

    Examples
    --------
    >>> import aabalance as aab
    >>> found = aab.ladder(aab.Game("skirmish_wars"), ["random", "greedy"], simulate=10)
    >>> found.ratings["player"].tolist()
    ['greedy', 'random']
    """

    board: str
    lists: tuple[str, str]
    agreed: str
    scores: pd.DataFrame
    ratings: pd.DataFrame

    def to_frame(self) -> pd.DataFrame:
        """Return table ``ladder``: a row for each player, the strongest first."""
        return self.ratings

    def sentences(self) -> list[str]:
        """Return where they played, and of each player whether it beats the next one below it, beyond the interval.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.ladder(aab.Game("skirmish_wars"), ["random", "greedy"], simulate=10).sentences()[1][:28]
        'greedy beats random: it scor'
        """
        names, matches = list(self.ratings["player"]), self.scores["n"].iloc[0]
        where = f"On {self.board}, {' v '.join(self.lists)}, {self.agreed}"
        said = [f"{where}: {matches} matches a pairing, half of them in each seat."]
        for upper, lower in itertools.pairwise(names):
            row = self.scores[(self.scores["player"] == upper) & (self.scores["against"] == lower)].iloc[0]
            low, high = interval_of(row, "score_against")
            verb = "beats" if low > 0.5 else "loses to" if high < 0.5 else "may be no better than"
            said.append(f"{upper} {verb} {lower}: it scores {in_row(row, 'score_against', '{:.3f}'.format)}.")
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return both tables as plain values, with what they say.

        Examples
        --------
        >>> import aabalance as aab
        >>> found = aab.ladder(aab.Game("skirmish_wars"), ["random", "greedy"], simulate=10)
        >>> [len(rows) for rows in found.to_dict().values()][3:]
        [2, 2, 2]
        """
        tables = {"scores": self.scores, "ratings": self.ratings}
        rows = {name: frame.to_dict("records") for name, frame in tables.items()}
        about = {"board": self.board, "lists": self.lists, "agreed": self.agreed}
        return {**about, **rows, "sentences": self.sentences()}

    def cells(self) -> tuple[list[str], list[list[object]]]:
        """Return the headings and rows that a person reads: each player's rating, and its score against the others."""
        names = list(self.ratings["player"])
        met = {(row["player"], row["against"]): row for row in self.scores.to_dict("records")}
        rows: list[list[object]] = []
        for row in self.ratings.to_dict("records"):
            own = [met.get((row["player"], name)) for name in names]
            scores = [in_row(one, "score_against", "{:.3f}".format) if one else "" for one in own]
            cpu = max(one["cpu_ms"] for one in own if one)
            rows.append([row["player"], in_row(row, "elo", "{:+z.0f}".format), *scores, ratio_in_words(cpu)])
        return ["player", "Elo", *(f"against {name}" for name in names), "most ms CPU a match"], rows


def ladder(
    game: Game | str,
    players: Sequence[Player] = PLAYERS,
    list_a: List | None = None,
    list_b: List | None = None,
    *,
    board: str | None = None,
    simulate: int = MATCHES,
    seed: int = 0,
    advance: Advance = lambda done: None,
    **asked: Any,
) -> Ladder:
    """Let all players play each other, both seats in turn, and rate them.

    Parameters
    ----------
    game : Game or str
        The game.
    players : sequence of str or callable
        Who plays, as for `Game.match`.
    list_a, list_b, board : optional
        What is played, as for `Game.match`; by default what stands in ``reports/<game>.ladder.toml``, the lists on
        other boards, too.
    simulate : int
        Matches in each seat of a pairing.
    seed, **asked
        As for `Game.match`.
    advance : callable
        Called with the number of matches done since the last call.

    Returns
    -------
    Ladder
        Ratings are those of Bradley and Terry's model (Biometrika 39, 1952) on Elo's scale, with a mean of 0; a draw is
        half a win, and each pairing has one drawn match added. Their intervals hold all ratings that the results don't
        rule out. Those of scores hold together at 95 %, for all pairings (Bonferroni). Strength isn't transitive: the
        scores say more.

    Raises
    ------
    UsageError
        What `Game.match` refuses; or fewer than two players.

    Examples
    --------
    >>> import aabalance as aab
    >>> found = aab.ladder(aab.Game("skirmish_wars"), ["random", "greedy"], simulate=10)
    >>> found.scores[["player", "against", "n"]].values.tolist()
    [['random', 'greedy', 20], ['greedy', 'random', 20]]
    """
    game = game_of(game)
    players = several(players, "players")
    names = [name_of(player) for player in players]
    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageError(f"players: found {', '.join(names) or 'none'}, expected at least two that differ")
    simulate = whole_number("simulate", simulate, WARM, MOST_TRIALS)
    if board is None or (list_a is None and list_b is None):
        board, lists = standard(game, board)
        list_a, list_b = lists or ((), ())
    asked |= {"list_a": () if list_a is None else list_a, "list_b": () if list_b is None else list_b, "board": board}
    for player in players:  # an unknown one is refused before any match
        game.match_question(**asked, player_a=player)
    points, found = np.zeros((len(players), len(players))), []
    for one, other in itertools.combinations(range(len(players)), 2):
        won, taken = 0.0, 0.0
        for a, b in ((one, other), (other, one)):
            who: dict[str, Any] = {"player_a": players[a], "player_b": players[b], "seed": seed}
            game.match(**asked, **who, simulate=WARM)
            start = time.process_time()
            result = game.match(**asked, **who, simulate=simulate, advance=advance)
            taken += time.process_time() - start
            score = result.p_a + result.p_draw / 2
            won += simulate * (score if a == one else 1 - score)
        points[one, other], points[other, one] = won, 2 * simulate - won
        found.append((one, other, 1e3 * taken / (2 * simulate)))
    rows = []
    for one, other, cpu in found + [(other, one, cpu) for one, other, cpu in found]:
        rows.append(
            {
                "player": names[one],
                "against": names[other],
                "score_against": points[one, other] / (2 * simulate),
                **ends_of({"score_against": sampling.wilson(points[one, other], 2 * simulate, claims=len(found))}),
                "cpu_ms": cpu,
                "n": 2 * simulate,
            }
        )
    elo, least, most = rated(points)
    ratings = [
        {"player": names[at], "elo": elo[at], "elo_ci_low": least[at], "elo_ci_high": most[at]}
        for at in np.argsort(-elo, kind="stable")
    ]
    agreed = dict(result._lines())["agreed"]
    return Ladder(board, (result.a, result.b), agreed, tidy("ladder_scores", rows), tidy("ladder", ratings))


def standard(game: Game, board: str | None = None) -> tuple[str, tuple[str, str] | tuple[()]]:
    """Return the board of a game's ladder, or the one given, and both lists of its ladder; none if boards bring units.

    Raises
    ------
    UsageError
        The game has none.
    """
    path = data_folder("reports") / f"{game.ruleset.name}{ENDING}"
    if not path.is_file():
        if board is not None:
            return board, ()
        raise UsageError(f"ladder: found no {path.name} in reports, expected --board, and lists where it needs them")
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return table["board"] if board is None else board, tuple(table["lists"])


def headline(game: Game, definition: Report) -> Report:
    """Return a game's own definition with matches: if it has none, one row on the board of the game's ladder.

    Parameters
    ----------
    game : Game
        The game.
    definition : Report
        Its own.

    Raises
    ------
    UsageError
        The game has no ladder, or not its board.
    """
    if definition.matches is not None:
        return definition
    board, lists = standard(game)
    if board not in game.boards:
        raise UsageError(f"matches: found no board {board}, on which the ladder plays, expected a SPEC with [matches]")
    pairs = (lists,) if lists else None
    return definition.model_copy(update={"matches": Matches(boards=(board,), pairs=pairs)})


def rated(points: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the ratings of players on Elo's scale, and both ends of their 95 % intervals.

    The interval of a player holds the ratings that a likelihood ratio test doesn't reject, with the others' ratings
    fitted to each (profile likelihood). The usual interval, from the curvature of the likelihood at its maximum, is too
    narrow for a player who wins or loses nearly all matches.

    Parameters
    ----------
    points : array of float, shape (players, players)
        What each won against each other; a draw is half a point.
    """
    won = points + DRAWN / 2 * (1 - np.eye(len(points)))
    best, most = _fitted(won, np.zeros(len(won)))
    ends = np.zeros((2, len(won)))
    for at, player in itertools.product(range(2), range(len(won))):
        apart, theta = 2.0 * at - 1, best
        for _ in range(STEPS):  # the root of twice the ratio grows about evenly with the distance
            theta, likelihood = _fitted(won, theta, player, best[player] + apart)
            further = NORMAL / math.sqrt(max(2 * (most - likelihood), LEAST))
            apart *= further
            if abs(further - 1) < CLOSE:
                break
        ends[at, player] = best[player] + apart
    low, high = ELO * ends
    return ELO * best, low, high


def _fitted(won: Floats, theta: Floats, held: int | None = None, at: float = 0.0) -> tuple[Floats, float]:
    """Return the ratings of maximum likelihood, shifted to a mean of 0, and their log likelihood.

    Parameters
    ----------
    won : array of float, shape (players, players)
        What each won against each other.
    theta : array of float, shape (players,)
        Where the search begins.
    held, at : int and float, optional
        A player whose rating is given, and that rating.
    """
    count, played = len(won), won + won.T
    own = np.zeros(count) if held is None else np.eye(count)[held] - 1 / count
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        weight = played * p * (1 - p)
        # The ones make the mean the anchor: else all ratings could rise together.
        hessian = np.diag(weight.sum(axis=1)) - weight + 1 / count + HOLD * np.outer(own, own)
        step = np.linalg.solve(hessian, (won - played * p).sum(axis=1) + HOLD * (at - own @ theta) * own)
        theta = theta + np.clip(step, -1, 1)  # where hardly a match is lost, a whole step leads too far
        if np.abs(step).max() < CLOSE:
            break
    return theta - theta.mean(), float((won * np.log(p)).sum())
