"""Restricted play: what a kind of action is worth to a side, by matches in which it may not choose it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from aabalance.analysis.battles import several
from aabalance.analysis.frames import InWords, tidy
from aabalance.engine import sampling
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, one_of, whole_number
from aabalance.game import Game, List, game_of
from aabalance.play.match import MATCHES
from aabalance.play.match_counts import change, ratio, scores
from aabalance.play.match_question import MatchQuestion, Played, prepared
from aabalance.play.policy import Player, name_of
from aabalance.play.result import number_with_interval, points_with_interval
from aabalance.play.sample import MOST_SEED, MOST_TRIALS
from aabalance.rulesets.base.match import RESULT

if TYPE_CHECKING:
    from aabalance.engine.match import arena

ALL = "all"
POINTS = "loss_points", "loss_points_ci_low", "loss_points_ci_high"
RUNGS = "greedy", "search"
"""The strongest players, who say together whether a worth depends on skill."""
NIL = 0.01
"""A loss within this, up or down, is none."""
WORTHLESS = "dead", "unused"
"""Verdicts on what is worth nothing to a player."""
LEAST = 2
TOGETHER = "The intervals of all kinds hold together at 95 %: with fewer kinds they are narrower."


@dataclass(frozen=True, eq=False, repr=False)
class Without(InWords):
    """What kinds of actions are worth.

    Attributes
    ----------
    table : DataFrame
        Table ``without`` of ``aabalance.columns``: a row for each kind and player, the greatest loss first.
    currency : str
        What lists cost.

    Examples
    --------
    >>> import aabalance as aab
    >>> game, matches = aab.Game("skirmish_wars"), {"board": "last_stand", "rounds": 3, "simulate": 20}
    >>> found = aab.without(game, ["attack", "load"], players=["greedy"], **matches)
    >>> found.table[["without", "verdict"]].values.tolist()[-1]
    ['load', 'unused']
    """

    table: pd.DataFrame
    currency: str

    def to_frame(self) -> pd.DataFrame:
        """Return table ``without``: a row for each kind and player, the greatest loss first."""
        return self.table

    def sentences(self) -> list[str]:
        """Return for each kind of action what it is worth, and whether that depends on who plays; of several, how sure.

        Examples
        --------
        >>> import aabalance as aab
        >>> matches = {"board": "last_stand", "rounds": 3, "simulate": 20}
        >>> aab.without(aab.Game("skirmish_wars"), ["load"], players=["greedy"], **matches).sentences()
        ["load is unused when greedy plays: without it a's score changes by +0.0 points in 100 (-16.1 to +16.1)."]
        """
        said = []
        for kind, rows in self.table.groupby("without", sort=False):
            by = [
                f"{'a ' * (row['verdict'] == 'trap')}{row['verdict']} when {row['player']} plays: without it a's score "
                "changes by "
                + points_with_interval(-row["loss"], (-row["loss_ci_high"], -row["loss_ci_low"]))
                + self._in_points(row)
                for row in rows.to_dict("records")
            ]
            stable = "; that is stable" if rows["stable"].all() else "; that isn't stable"
            said.append(f"{kind} is {'; '.join(by)}{stable if len(by) > 1 else ''}.")
        return said + [TOGETHER] * (len(said) > 1)

    def _in_points(self, row: Mapping[Any, Any]) -> str:
        """Return a loss in points of a list, if they are known."""
        worth, low, high = (row[name] for name in POINTS)
        least = "at least " * (row["score_a"] == 0)  # no score is left to lose
        between = f"{number_with_interval(worth, low, high)} in {self.currency}"
        return "" if np.isnan(worth) else f", so it is worth {least}{between}"


def without(
    game: Game | str,
    kinds: Iterable[str] = (ALL,),
    list_a: List = (),
    list_b: List = (),
    *,
    players: Sequence[Player] = RUNGS,
    simulate: int = MATCHES,
    seed: int = 0,
    advance: Advance = lambda done: None,
    **asked: Any,
) -> Without:
    """Play the same matches with and without kinds of actions of side a, which both play on the same dice.

    Where a side can do nothing else, it may do what is barred. Only who plays decides what a kind of action is worth:
    one that a player chooses never, or only where it can do nothing else, is unused. If a brings a list, a loss is told
    in its points, too: as many as bring the same score, by the same matches with one unit more of a's list, each of its
    units in turn.

    Parameters
    ----------
    game : Game or str
        The game.
    kinds : iterable of str
        Verbs of actions, as explanations of matches have them; ``"carry"``, ``"indirect"`` and ``"reactions"``, each
        for several verbs, in games that have them; ``"objectives"``, which then don't count for a; names of weapons,
        which a's units then lack; ``"all"``: each of them in turn, but for weapons.
    list_a, list_b, **asked
        As for `Game.match`.
    players : sequence of str or callable
        Who plays both sides, one after another; by default the two strongest.
    simulate, seed : int
        As for `Game.match`.
    advance : callable
        Called with the number of matches done since the last call.

    Returns
    -------
    Without
        *Unused*: no match differs; *needed*: the interval of the loss is above 0; *trap*: below; *dead*: within 1 point
        of it; else *open*. Intervals are Student's of the differences, match by match, and never narrower than
        Wilson's of what happened in no match; those of points are Fieller's. Under one player they hold together at
        95 %, for all kinds that make a difference (Bonferroni). *Stable* is what all
        players judge alike, and put in the same place among the kinds.

    Raises
    ------
    UsageError
        There is no such kind; or what `Game.match` refuses.

    Examples
    --------
    >>> import aabalance as aab
    >>> matches = {"players": ["greedy"], "board": "last_stand", "rounds": 3, "simulate": 20}
    >>> aab.without(aab.Game("skirmish_wars"), ["attack"], **matches).table["n"].tolist()
    [20]
    """
    game = game_of(game)
    simulate = whole_number("simulate", simulate, LEAST, MOST_TRIALS)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    players = several(players, "players")
    question = partial(game.match_question, list_a, list_b, **asked)
    for player in players:  # an unknown one is refused before any match
        question(player_a=player)
    rows = list(_rows(question, several(kinds, "kinds"), players, simulate, seed, advance))
    found = tidy("without", rows)
    found = found.assign(stable=_stable(found), most=found.groupby("without")["loss"].transform("max"))
    order = found.sort_values(["most", "without"], ascending=[False, True], kind="stable", ignore_index=True)
    return Without(tidy("without", order.drop(columns="most")), game.ruleset.labels.currency)


def _stable(found: pd.DataFrame) -> pd.Series[bool]:
    """Return of each row whether all players, if there are several, judge its kind alike and put it in one place."""
    kinds = found["without"]
    stable = (found["player"].groupby(kinds).transform("size") > 1) & ~found["verdict"].isin(("open", "unused"))
    for judged in (found["verdict"], _place(found)):
        stable &= judged.groupby(kinds).transform("nunique") == 1
    return stable


def _place(found: pd.DataFrame) -> pd.Series[float]:
    """Return the place of each kind among those of the same player, by loss.

    All that is dead or unused is worth nothing, so that it doesn't count how much else is worth something.
    """
    worthless = found["verdict"].isin(WORTHLESS)
    losses = found["loss"].mask(worthless, 0.0)
    return losses.groupby(found["player"]).rank(method="min", ascending=False).mask(worthless, 0.0)


def _barred(played: Played, kinds: Sequence[str], seed: int) -> dict[str, arena.Match]:
    """Return by kind, or weapon of a's units, the matches in which a goes without it, on the same dice."""
    match, question = played.match, played.question
    own, other = question.lists
    lacking = [match.rules.disarmed(card) for card in own.units]
    found = {kind: match._replace(barred=(bits, 0)) for kind, bits in match.rules.kinds.items()}
    if tuple(kinds) == (ALL,):
        return found
    weapons = dict.fromkeys(name for each in lacking for name in each)
    for kind in kinds:
        if kind in weapons:
            units = [each.get(kind, card) for each, card in zip(lacking, own.units, strict=True)]
            less = prepared(question._replace(lists=(own._replace(units=units), other)), seed).match
            found[kind] = less._replace(key=match.key)
        elif kind not in found:
            raise UsageError(f"without: {one_of(kind, (*match.rules.kinds, *weapons, ALL))}")
    return {kind: found[kind] for kind in kinds}


def _rows(
    question: Callable[..., MatchQuestion],
    kinds: Sequence[str],
    players: Sequence[Player],
    simulate: int,
    seed: int,
    advance: Advance,
) -> Iterator[dict[str, Any]]:
    from aabalance.engine.match import arena

    for player in players:
        played = prepared(question(player_a=player, player_b=player), seed)
        match, barred = played.match, _barred(played, kinds, seed)
        with sampling.threads() as pool:
            free = arena.play(match, 0, simulate, executor=pool, advance=advance)
            cost, gain = 0.0, np.zeros(simulate)
            more = list(islice(_with_one_more(played, seed), simulate))  # each has a match at least
            for (dearer, points), part in zip(more, np.array_split(np.arange(simulate), len(more) or 1), strict=False):
                facts = arena.play(dearer, part[0], len(part), executor=pool, advance=advance)
                cost += points * len(part) / simulate
                gain[part] = scores(facts[:, RESULT]) - scores(free[part, RESULT])
            found = {
                kind: arena.play(less, 0, simulate, executor=pool, advance=advance) for kind, less in barred.items()
            }
        claims = max(sum(bool((facts != free).any()) for facts in found.values()), 1)
        for kind, facts in found.items():
            worth = _worth(free, facts, cost, gain, claims)
            yield {"player": name_of(player), "without": kind, **worth, "n": simulate}


def _with_one_more(played: Played, seed: int) -> Iterator[tuple[arena.Match, int]]:
    """Yield for each unit of a's list the matches in which a has another one, on the same dice, and what it costs."""
    question = played.question
    own, other = question.lists
    for card in own.units:
        try:
            more = prepared(question._replace(lists=(own._replace(units=[*own.units, card]), other)), seed).match
        except UsageError:  # no place, or no budget, for one more
            continue
        yield more._replace(key=played.match.key), question.ruleset.cost(card)


def _worth(free: Ints, barred: Ints, cost: float, gain: Floats, claims: int) -> dict[str, Any]:
    """Return what matches come to with a kind of action and without it, and with `cost` more points that gain score."""
    score, best = scores(barred[:, RESULT]), scores(free[:, RESULT])
    loss, (low, high) = change(score, best, claims)
    if (free == barred).all():
        verdict = "unused"
    elif max(-low, high) <= NIL:
        verdict = "dead"
    else:
        verdict = "needed" if low > 0 else "trap" if high < 0 else "open"
    found = {"score_a": float(score.mean()), "loss": loss, "loss_ci_low": low, "loss_ci_high": high}
    worth = [np.nan if low <= 0 <= high else cost * part for part in ratio(best - score, gain, claims)]
    return found | dict(zip(POINTS, worth, strict=True)) | {"verdict": verdict}
