"""Restricted play: what a kind of action is worth to a side, by matches in which it may not choose it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.engine import sampling
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, one_of, whole_number
from aabalance.game import Game, List
from aabalance.play.match import MATCHES
from aabalance.play.match_counts import student
from aabalance.play.match_played import prepared
from aabalance.play.policy import Player, name_of
from aabalance.play.result import points_with_interval
from aabalance.play.sample import MOST_TRIALS
from aabalance.rulesets.base.match import DRAWN, RESULT, WON_BY_A

ALL = "all"
NIL = 0.01
"""A loss within this, up or down, is none."""
LEAST = 2


@dataclass(frozen=True)
class Without:
    """What kinds of actions are worth.

    Attributes
    ----------
    table : DataFrame
        Table ``without`` of ``aabalance.columns``: a row for each kind and player, the greatest loss first.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> found = aab.without(game, ["attack", "load"], board="last_stand", rounds=3, simulate=20)
    >>> found.table[["without", "verdict"]].values.tolist()[-1]
    ['load', 'dead']
    """

    table: pd.DataFrame

    def sentences(self) -> list[str]:
        """Return for each kind of action what it is worth, and whether all players agree.

        Examples
        --------
        >>> import aabalance as aab
        >>> found = aab.without("skirmish_wars", ["load"], board="last_stand", rounds=3, simulate=20)
        >>> found.sentences()
        ['load is dead by greedy: without it a loses +0.0 points in 100 (+0.0 to +0.0).']
        """
        said = []
        for kind, rows in self.table.groupby("without", sort=False):
            by = [
                f"{row['verdict']} by {row['player']}: without it a loses "
                + points_with_interval(row["loss"], (row["loss_ci_low"], row["loss_ci_high"]))
                for row in rows.to_dict("records")
            ]
            agree = rows["verdict"].nunique() == 1
            stable = "" if len(by) == 1 else "; the players agree" if agree else "; that depends on who plays"
            said.append(f"{kind} is {'; '.join(by)}{stable}.")
        return said


def without(
    game: Game,
    kinds: Iterable[str] = (ALL,),
    list_a: List = (),
    list_b: List = (),
    *,
    players: Sequence[Player] = ("greedy",),
    simulate: int = MATCHES,
    seed: int = 0,
    advance: Advance = lambda done: None,
    **asked: Any,
) -> Without:
    """Play the same matches with and without kinds of actions of side a, which both play on the same dice.

    Where a side can do nothing else, it may do what is barred. Only who plays decides what a kind of action is worth:
    one that a player never chooses is dead to him.

    Parameters
    ----------
    game : Game
        The game.
    kinds : iterable of str
        Verbs of actions, as explanations of matches have them; ``"all"``: each of them in turn.
    list_a, list_b, **asked
        As for `Game.match`.
    players : sequence of str or callable
        Who plays both sides, one after another.
    simulate, seed : int
        As for `Game.match`.
    advance : callable
        Called with the number of matches done since the last call.

    Returns
    -------
    Without
        *Needed*: the interval of the loss is above 0; *trap*: below; *dead*: within 1 point of it; else *open*.
        Intervals are Student's of the differences, match by match.

    Raises
    ------
    UsageError
        There is no such kind; or what `Game.match` refuses.

    Examples
    --------
    >>> import aabalance as aab
    >>> found = aab.without("skirmish_wars", ["attack"], board="last_stand", rounds=3, simulate=20)
    >>> found.table["n"].tolist()
    [20]
    """
    simulate = whole_number("simulate", simulate, LEAST, MOST_TRIALS)
    rows = list(_rows(game, tuple(kinds), (list_a, list_b), players, simulate, seed, advance, asked))
    most = {row["without"]: max(one["loss"] for one in rows if one["without"] == row["without"]) for row in rows}
    return Without(tidy("without", sorted(rows, key=lambda row: (-most[row["without"]], row["without"]))))


def chosen(game: Game, kinds: Sequence[str]) -> list[str]:
    """Return the verbs of kinds of actions, checked."""
    rules = game.ruleset.match()
    known = {} if rules is None else rules.kinds
    if tuple(kinds) == (ALL,):
        return list(known)
    for kind in kinds:
        if kind not in known:
            raise UsageError(f"without: {one_of(kind, (*known, ALL))}")
    return list(dict.fromkeys(kinds))


def _rows(
    game: Game,
    kinds: Sequence[str],
    lists: tuple[List, List],
    players: Sequence[Player],
    simulate: int,
    seed: int,
    advance: Advance,
    asked: dict[str, Any],
) -> Iterator[dict[str, Any]]:
    from aabalance.engine.match import arena

    named = chosen(game, kinds)
    for player in players:
        match = prepared(game.match_question(*lists, player_a=player, player_b=player, **asked), seed)[0].match
        with sampling.threads() as pool:
            free = arena.play(match, 0, simulate, executor=pool, advance=advance)
            for kind in named:
                barred = match._replace(barred=(1 << match.rules.kinds[kind], 0))
                facts = arena.play(barred, 0, simulate, executor=pool, advance=advance)
                yield {"player": name_of(player), "without": kind, **_worth(free, facts), "n": simulate}


def _worth(free: Ints, barred: Ints) -> dict[str, Any]:
    """Return what matches come to with a kind of action and without it."""
    score, change = scores(barred), scores(free) - scores(barred)
    if change.any():
        loss, half = float(change.mean()), student(change)
    else:  # no result differs: if no match does, the kind was never chosen; else few results would be otherwise
        loss, half = 0.0, 0.0 if (free == barred).all() else sampling.wilson(0, len(change))[1]
    verdict = "dead" if abs(loss) + half <= NIL else "needed" if loss > half else "trap" if -loss > half else "open"
    found = {"score_a": float(score.mean()), "loss": loss, "loss_ci_low": loss - half, "loss_ci_high": loss + half}
    return found | {"verdict": verdict}


def scores(facts: Ints) -> Floats:
    """Return a's score in each match, a draw being half a win."""
    ends = facts[:, RESULT]
    scores: Floats = (ends == WON_BY_A) + (ends == DRAWN) / 2
    return scores
