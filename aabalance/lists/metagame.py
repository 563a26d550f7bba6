"""The meta-game: the mix of lists that no other list beats, and how sure that is.

The game of lists is symmetric and zero-sum. Double oracle (McMahan, Gordon, Blum 2003) solves the game of the lists
that are known, and adds the best reply that a search finds, again and again. That a search finds nothing better isn't
proof: so several searches with dice of their own are crossed, and the joint mix meets fresh searches on fresh dice.
What these find is a lower bound of how much the mix can be exploited. Where lists are few, all of them meet it instead.
"""

from __future__ import annotations

import copy
import json
import math
import shlex
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.battles import Score
from aabalance.analysis.frames import InWords
from aabalance.definitions.settings import Weights
from aabalance.engine.arrays import Floats
from aabalance.engine.sampling import Advance
from aabalance.errors import counted, whole_number
from aabalance.game import Game, game_of
from aabalance.lists.allowance import POINTS, Allowance
from aabalance.lists.fields import check_given
from aabalance.lists.kinds import Archetype, agreement, archetypes, classes_of, units_of
from aabalance.lists.oracle import PAIR, Oracle, equilibrium
from aabalance.lists.payoffs import ACTIONS, POLICIES, Field, Payoffs, Units, mixed, score_against, scorer
from aabalance.lists.search import LEAST_BATTLES, race, search
from aabalance.lists.verdicts import Difference, in_points, in_words
from aabalance.play.result import EVEN, percent
from aabalance.play.sample import MOST_TRIALS

BATTLES = 20_000_000
SEARCHES = 3
FRESH = 20_000
"""Battles of a score that is told."""
PARTS = (0.4, 0.4, 0.2)
"""Parts of the battles: of the searches, of their joint mix, of the fresh searches that try to exploit it."""
GOOD = 0.02
"""A list is good if its score against the mix is less than so much below level."""
AGREED = 0.5
"""Correlation of shares above which searches are said to agree on them."""
RESAMPLED = 200
FRESH_SEED = 7919
"""How far the seeds of fresh searches are apart, and from that of the mix, so that no two share their dice."""
MORE_POINTS = 0.1
RICHER = 4096
"""Battles of a list that more points are spent on."""
MOST_LISTS, LEAST_EACH = 100_000, 32
"""If there are so many lists at most, and battles enough for each, all of them are tried against the mix."""
KNOWN = ((256, 20), (2048, 4), (8192, 1))
"""Races of the lists that are known: the battles of each, and how many stay."""
CAVEAT = "Intervals of shares come from payoffs rolled again; another --seed may find shares that differ by more."


@dataclass(frozen=True, eq=False, repr=False)
class Metagame(InWords):
    """A mix of lists that is hard to exploit.

    Attributes
    ----------
    payoffs : Payoffs
        The roster, and the conditions.
    points, seed, asked, battles : int
        Budget, seed of the dice, battles that were asked for, of the searches, and all that were fought.
    lists : tuple of Units
        All lists that were found, the heaviest first.
    weights, scores : array of float
        The weight of each in the mix, and its score against the mix by the battles that made the mix.
    archetypes : tuple of Archetype
        The mix by kinds of lists, the largest share first.
    classes : dict of str to Score
        By class of units its share of the mix's requisition.
    units : list of dict
        By unit its share of the mix's requisition, and the part of the lists that have it, with their intervals.
    crossed : tuple of Score
        By search, the most that a list of the others scores against its mix.
    agreement : float
        Correlation of the shares of units between searches, mean over the pairs.
    replies : tuple of (Units, Score)
        By fresh search, the best reply to the mix. The first scores most on dice other than those of its score.
    every : int
        How many legal lists there are, if all of them were tried in place of the fresh searches; else 0.
    cyclic : float or None
        Part of the squared payoffs that no ranking of the lists explains; None if they differ no more than dice do.
    ranks : array of float
        What each list scores against all that were found, on the mean: the ranking that explains most.
    more_points : Difference
        How much more a list of the mix scores against it with 10 % more points: the best of a short search near it with
        these points, less the best of the same search without.
    moved : tuple of (str, Score, Units)
        The best known reply to the mix under other conditions.
    choice : Units
        The units that lists could have.
    """

    payoffs: Payoffs
    points: int
    seed: int
    asked: int
    battles: int
    lists: tuple[Units, ...]
    weights: Floats
    scores: Floats
    archetypes: tuple[Archetype, ...]
    classes: dict[str, Score]
    units: list[dict[Hashable, Any]]
    crossed: tuple[Score, ...]
    agreement: float
    replies: tuple[tuple[Units, Score], ...]
    every: int
    cyclic: float | None
    ranks: Floats
    more_points: Difference
    moved: tuple[tuple[str, Score, Units], ...]
    choice: Units

    @property
    def field(self) -> Field:
        """The mix as opponents."""
        return mixed(self.weights, self.lists)

    @property
    def exploitable(self) -> tuple[Units, Score]:
        """The reply that other dice call the best: the largest of several scores is too large by chance."""
        return self.replies[0]

    @property
    def exploitable_by(self) -> str:
        """What the best of the replies scores above level, with its interval, in words."""
        score, low, high = (one - EVEN for one in self.exploitable[1])
        return f"{score:.3f} [{low:.3f}, {high:.3f}]"

    def unused(self) -> list[str]:
        """Return the ids of the units of the choice that no good list has."""
        good = [units for units, score in zip(self.lists, self.scores, strict=True) if score >= EVEN - GOOD]
        used = {at for units in good for at in units}
        return [self.payoffs.ids[at] for at in self.choice if at not in used]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        text = self.payoffs.text
        return {
            "points": self.points,
            "actions": self.payoffs.actions,
            "policy": self.payoffs.policy,
            "range_in": {f"{range_in:g}": float(share) for range_in, share in self.payoffs.contest.ranges.items()},
            "seed": self.seed,
            "battles": self.battles,
            "mix": [
                {"list": text(units), "weight": float(weight)}
                for units, weight in zip(self.lists, self.weights, strict=True)
                if weight > 0
            ],
            "archetypes": [
                {"name": one.name, "share": one.share, "low": one.low, "high": one.high, "example": text(one.example)}
                for one in self.archetypes
            ],
            "classes": [
                {"class": name, "share": share, "low": low, "high": high}
                for name, (share, low, high) in self.classes.items()
            ],
            "units": self.units,
            "not_near_any_good_list": self.unused(),
            "cyclic_share": self.cyclic,
            "ranking": [
                {"list": text(self.lists[at]), "mean_score": float(self.ranks[at])} for at in np.argsort(-self.ranks)
            ],
            "crossed": [score._asdict() for score in self.crossed],
            "agreement_of_searches": self.agreement,
            "all_lists": self.every or None,
            "best_replies": [{"list": text(units), **score._asdict()} for units, score in self.replies],
            "score_of_10_percent_more_points": self.more_points.change,
            "score_of_10_percent_more_points_ci": self.more_points[1:],
            "moved": [{"with": what, "list": text(units), **score._asdict()} for what, score, units in self.moved],
            "provenance": self.payoffs.provenance,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the lists of the mix with their weights; ``attrs`` are the `Payoffs.provenance`."""
        return self.payoffs.frame(self.to_dict()["mix"])

    def sentences(self) -> list[str]:
        """Return in words how sure the mix is, and what it depends on."""
        payoffs = self.payoffs
        units, reply = self.exploitable
        best, found = f"the best of {len(self.replies)} fresh searches", payoffs.words(units)
        if self.every:
            best = f"the best of all {self.every:,} legal lists" if self.every > 1 else "the only legal list"
        least = "" if self.every else "at least "
        exploitable = f"Exploitable by {least}{self.exploitable_by}: {best} is {found}."
        if reply.score <= EVEN:
            exploitable = f"No reply found beats it: {best}, {found}, scores {self.exploitable_by} above level."
        unused = self.unused()
        crossed = ", ".join(
            f"{one.score - EVEN:+z.3f} [{one.low - EVEN:z.3f}, {one.high - EVEN:z.3f}]" for one in self.crossed
        )
        first = payoffs.words(self.lists[int(np.argmax(self.ranks))])
        kind, near = self.archetypes[0], f"within {100 * GOOD:.0f} points of the mix"
        agreed = (
            "They agree on shares and kinds, not on single lists."
            if self.agreement > AGREED
            else "They don't agree on shares, nor on single lists."
        )
        return [
            f"{self.battles:,} battles, {counted(len(self.lists), 'list')}; the mix has {len(self.field.lists)}. "
            f"The kind with the most weight, {in_words(Score(*kind[1:4]))}, is {kind.name}.",
            exploitable,
            f"Before they were joined, the searches could exploit each other by {crossed}; their shares of units "
            f"correlate at {self.agreement:.2f}. {agreed}",
            cyclic_in_words(self.cyclic),
            *([f"The first of that ranking is {first}."] if self.cyclic is not None else ()),
            f"10 % more points are worth {in_points(self.more_points)} points of score against this mix: a short "
            "search near its lists finds lists that score this much more with them than without.",
            f"{len(unused)} of {len(self.choice)} units {'is' if len(unused) == 1 else 'are'} in no list {near}: a "
            "better rival is likely, and none is proved useless."
            if unused
            else f"Every unit is in a list {near}.",
            *(
                f"With {what}, {payoffs.words(other)} scores {in_words(score)} against this mix."
                for what, score, other in self.moved
            ),
            CAVEAT,
        ]

    def toml(self, *words: str) -> str:
        """Return the mix as a file of a field.

        Parameters
        ----------
        *words : str
            What else the command needs to make it again: a report definition, ``--own``, ``--cards`` and so on.
        """
        rows = "".join(
            f'\n[[lists]]\nunits = "{self.payoffs.text(units)}"\nweight = {weight:.4f}\n'
            for units, weight in zip(self.field.lists, self.field.weights, strict=True)
            if weight >= 5e-4
        )
        _, reply = self.exploitable
        of, where = self.payoffs, self.payoffs.where
        given = {
            "--game": of.game.ruleset.name,
            "--points": self.points,
            "--actions": of.actions,
            "--policy": of.policy,
            "--battles": self.asked,
            "--seed": self.seed,
        }
        of_what = of.game.provenance()
        pairs = *(("--set", change) for change in of_what.changes), *given.items()
        command = shlex.join(["aabalance", "metagame", *words, *(str(one) for pair in pairs for one in pair)])
        made = (
            f"{command}{where and ', all at ' + where}, {self.battles} battles, cards {of_what.cards}, aabalance "
            f"{of_what.aabalance}; the best reply found scores {reply.score:.3f} [{reply.low:.3f}, "
            f"{reply.high:.3f}]"
        )
        title = f"Equilibrium mix of {self.points} points and {counted(of.actions, 'action')}"
        if unusual := of_what.unusual():
            title += f", with {unusual}"
        return (
            f"title = {json.dumps(title)}\n"
            f"points = {self.points}\nactions = {self.payoffs.actions}\nmade = {json.dumps(made)}\n{rows}"
        )


def metagame(
    game: Game | str,
    points: int = POINTS,
    *,
    actions: int = ACTIONS,
    policy: str = "value",
    situations: Weights | None = None,
    battles: int = BATTLES,
    seed: int = 0,
    advance: Advance = lambda battles: None,
    **allowed: Any,
) -> Metagame:
    """Return a mix of lists that is hard to exploit, how hard, and what it depends on.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    points : int
        Budget of a list.
    actions : int
        Limit of actions of a side's turn.
    policy : {"value", "focus"}
        Who acts on whom, on both sides.
    situations : mapping, optional
        Where attacks are made, as for `Situations.of`; by default as in the game's own report.
    battles : int
        About how many battles all searches take together; to tell how sure they are takes some more.
    seed : int
        Seed of the dice.
    advance : callable
        Called with the number of battles done since the last call.
    **allowed
        Further arguments of `aabalance.lists.allowance.Allowance`.

    Raises
    ------
    UsageError
        The game has no such battles, or no list is legal.

    Examples
    --------
    >>> import aabalance as aab
    >>> tanks = aab.Game()
    >>> tanks = tanks.with_(cards=tanks.cards.only(["de_tiger1", "su_t34_85", "us_m4a1", "de_pak40"]))
    >>> found = aab.metagame(tanks, 145, battles=200_000)
    >>> len(found.archetypes) > 0
    True
    """
    game = game_of(game)
    check_given(game, seed, [allowed.get("must")])
    whole_number("battles", battles, LEAST_BATTLES, MOST_TRIALS)
    payoffs = Payoffs(game, actions=actions, policy=policy, situations=situations, seed=seed)
    allowance = Allowance(payoffs, points, **allowed)
    each = int(battles * PARTS[0] / SEARCHES)
    found = [Oracle(allowance, seed + 1000 * (n + 1), advance).run([], each) for n in range(SEARCHES)]
    fields = [mixed(one.weights, one.lists) for one in found]
    crossed = _crossed(payoffs, fields, seed)
    joint = Oracle(allowance, seed + 1000 * (SEARCHES + 1), advance)
    joint.run([units for one in found for units in one.lists], int(battles * PARTS[1]))
    mix = mixed(joint.weights, joint.lists)
    replies, every = _replies(allowance, mix, joint.lists, int(battles * PARTS[2]), seed, advance)
    order = np.argsort(-joint.weights, kind="stable")
    lists = tuple(joint.lists[at] for at in order)
    matrix = joint.matrix[np.ix_(order, order)]
    weights = joint.weights[order]
    again = resampled(matrix, np.random.default_rng(seed))
    more_points = _more_points(allowance, mix, seed, allowed)
    moved = tuple(_moved(payoffs, lists, mix, seed))
    return Metagame(
        payoffs=payoffs,
        points=points,
        seed=seed,
        asked=battles,
        battles=payoffs.fought,
        lists=lists,
        weights=weights,
        scores=matrix @ weights,
        archetypes=archetypes(payoffs, lists, weights, again),
        classes=classes_of(payoffs, lists, weights, again),
        units=units_of(payoffs, lists, weights, again).to_dict("records"),
        crossed=crossed,
        agreement=agreement(payoffs, fields),
        replies=tuple(replies),
        every=every,
        cyclic=cyclic_share(matrix),
        ranks=matrix.mean(axis=1),
        more_points=more_points,
        moved=moved,
        choice=tuple(allowance.allowed),
    )


def _replies(
    allowance: Allowance, mix: Field, known: Sequence[Units], battles: int, seed: int, advance: Advance
) -> tuple[list[tuple[Units, Score]], int]:
    """Return the best replies to a mix, the best first, and how many lists there are if all were tried, else 0."""
    payoffs, dice = allowance.payoffs, [seed + FRESH_SEED * (n + 1) for n in range(SEARCHES + 1)]
    if every := allowance.every(min(MOST_LISTS, battles // LEAST_EACH)):
        each = min(battles // len(every), KNOWN[0][0])
        best = race(scorer(payoffs, mix, dice[0]), every, ((each, 8 * KNOWN[0][1]), *KNOWN))[0].units
        advance(each * len(every))
        return [(best, score_against(payoffs, best, mix, dice[0] + 1, FRESH))], len(every)
    replies = []
    for own in dice[:-1]:
        found = search(
            scorer(payoffs, mix, own),
            allowance,
            np.random.default_rng(own),
            battles=battles // SEARCHES,
            known=known,
            advance=advance,
        )[0].units
        replies.append((found, score_against(payoffs, found, mix, own + 1, FRESH)))
    chosen = scorer(payoffs, mix, dice[-1])([units for units, _ in replies], FRESH, 0)
    replies.insert(0, replies.pop(int(chosen.argmax())))
    return replies, 0


def cyclic_share(matrix: Floats) -> float | None:
    """Return which part of the squared payoffs no ranking explains; None if they are no larger than dice make them.

    The part that a ranking explains is the gradient of the Hodge decomposition: with every pair known, the differences
    of the row means (Jiang, Lim, Yao, Ye 2011). What dice make is that of battles that nobody draws, the most there is.

    Parameters
    ----------
    matrix : array of float, shape (lists, lists)
        Scores, each of `PAIR` battles; a list scores one half against itself.
    """
    margins = matrix - EVEN
    rank = margins.mean(axis=1)
    total, pairs = float((margins**2).sum()), len(matrix) * (len(matrix) - 1) / 2
    by_dice = float(np.triu(matrix * (1 - matrix), 1).sum()) * 2 / PAIR
    if total <= by_dice * (1 + 2 * math.sqrt(2 / max(pairs, 1))):
        return None
    ranked = float(((rank[:, None] - rank[None, :]) ** 2).sum())
    # Of what dice make, the part 2 / n looks like a ranking.
    circles = total - ranked - by_dice * (1 - 2 / len(matrix))
    return min(max(circles / (total - by_dice), 0.0), 1.0)


def cyclic_in_words(share: float | None) -> str:
    """Return a sentence on the part of the payoffs that no ranking explains."""
    if share is None:
        return "These lists score alike, as far as dice tell, so that none is known to beat another."
    return (
        f"A ranking of the lists explains {percent(1 - share)} of who beats whom; the other {percent(share)} come from "
        "lists that beat each other in circles."
    )


def resampled(matrix: Floats, rng: np.random.Generator) -> Floats:
    """Return equilibria of payoffs as they might have been rolled, among lists that are near the mix.

    Parameters
    ----------
    matrix : array of float, shape (lists, lists)
        Scores, each of `PAIR` battles.
    rng : Generator
        Rolls them again.
    """
    some = np.flatnonzero(matrix @ equilibrium(matrix).rows > EVEN - 2 * GOOD)
    near = matrix[np.ix_(some, some)]
    found = np.zeros((RESAMPLED, len(matrix)))
    for n in range(RESAMPLED):
        rolled = np.tril(rng.binomial(PAIR, near.clip(0, 1)) / PAIR, -1)
        found[n, some] = equilibrium(rolled + np.triu(1 - rolled.T, 1) + np.diag(np.full(len(near), EVEN))).rows
    return found


def _crossed(payoffs: Payoffs, fields: Sequence[Field], seed: int) -> tuple[Score, ...]:
    """Return for each mix the most that a list of the others scores against it."""
    others = [[units for field in fields if field is not mix for units in field.lists] for mix in fields]
    return tuple(_best_known(payoffs, lists, mix, seed)[0] for lists, mix in zip(others, fields, strict=True))


def _more_points(allowance: Allowance, mix: Field, seed: int, allowed: dict[str, Any]) -> Difference:
    """Return what lists of the mix score more if they have more points, by the same search near them as without."""
    payoffs = allowance.payoffs
    richer = Allowance(payoffs, round(allowance.points * (1 + MORE_POINTS)), **allowed | {"own": allowance.own})

    def best(legal: Allowance, units: Units, dice: int) -> Units:
        rng = np.random.default_rng(dice)
        filled = list(dict.fromkeys([*(legal.filled(units, rng) for _ in range(8)), *legal.near(units, rng, 56)]))
        return race(scorer(payoffs, mix, dice), filled, ((128, 12), (1024, 1)))[0].units

    change, halves = 0.0, []
    for n, (units, weight) in enumerate(zip(mix.lists, mix.weights, strict=True)):
        dice = seed + 2 * n  # its own, so that errors of the lists don't add up
        found = (best(legal, units, dice) for legal in (richer, allowance))
        gain = Difference.of(*(score_against(payoffs, one, mix, dice + 1, RICHER) for one in found))
        change += weight * gain.change
        halves.append(weight * (gain.high - gain.low) / 2)
    half = math.hypot(*halves)
    return Difference(change, change - half, change + half)


def _moved(payoffs: Payoffs, lists: Sequence[Units], mix: Field, seed: int) -> Iterator[tuple[str, Score, Units]]:
    """Yield the best known reply to the mix under other conditions."""
    others: list[tuple[str, dict[str, Any]]] = [
        (counted(actions, "action"), {"actions": actions})
        for actions in (payoffs.actions - 1, payoffs.actions + 1)
        if actions
    ]
    others += [(f"policy {name}", {"policy": name}) for name in POLICIES if name != payoffs.policy]
    for what, change in others:
        other = copy.copy(payoffs)
        vars(other).update(change, fought=0)
        yield (what, *_best_known(other, lists, mix, seed))
        payoffs.fought += other.fought
    ranges = payoffs.contest.ranges
    for range_in in (min(ranges), max(ranges)) if len(ranges) > 1 else ():
        at = {**payoffs.situations, "range_in": {str(range_in): 1.0}}
        other = Payoffs(payoffs.game, actions=payoffs.actions, policy=payoffs.policy, situations=at)
        yield (f"all at {other.where}", *_best_known(other, lists, mix, seed))
        payoffs.fought += other.fought


def _best_known(payoffs: Payoffs, lists: Sequence[Units], mix: Field, seed: int) -> tuple[Score, Units]:
    best = race(scorer(payoffs, mix, seed + 3), lists, KNOWN)[0]
    return score_against(payoffs, best.units, mix, seed + 4, FRESH), best.units
