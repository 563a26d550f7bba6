"""What units are worth in battles in which both sides move.

Each pair of units fights one battle, in numbers of about equal requisition and under the middle limit of actions. It is
fought twice: as in `tables`, solved, where both sides hold at distances that are drawn; and rolled, where both begin at
the longest of these distances and go where their exchange is best, for a few rounds. The difference is due to movement,
to reach, and to the end after some rounds. Whole numbers of units can't cost exactly alike; that is the same in both
battles, and cancels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance import rulesets
from aabalance.analysis.battles import Rules
from aabalance.analysis.cells import fighting
from aabalance.analysis.frames import ids_of, tidy
from aabalance.engine import sampling
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import SIDE_UNITS
from aabalance.engine.battle.terms import Terms
from aabalance.engine.outcome import seen_by_a
from aabalance.engine.sampling import Advance
from aabalance.game import Game, Unit
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job
from aabalance.play.battle import AGAINST
from aabalance.play.ground import ground
from aabalance.play.replay import run_of
from aabalance.play.result import SIDES
from aabalance.pricing.contest import POLICY
from aabalance.pricing.indifference import indifference_price, par, worth_of
from aabalance.pricing.roster import EVEN, Roster
from aabalance.rulesets.base import Aspect, Fighter, Force

POSTURE = "best_range"
ROUNDS = 8
TRIALS = 1 << 8
"""Trials of a battle for each side that moves first. They are few, since a unit's mean is over all its opponents."""
TOGETHER = 32
"""Pairs that make up a task: few enough that several workers share the pairs of a single unit."""
LEVEL = 0.95
"""Chance that all intervals of a table together cover their numbers."""


class Moved(NamedTuple):
    """What moving adds to the scores of units in the same battles; arrays by unit that is asked about and opponent.

    Attributes
    ----------
    change : array of float, shape (asked, units)
        The unit's score if both move, less that if both hold; nan where the two don't count for each other.
    variance : array of float, same shape
        Variance of the change, from the dice.
    """

    change: Any
    variance: Any


def worth_moving(
    game: Game,
    units: Iterable[Unit] | None = None,
    *,
    roster: Roster | None = None,
    seed: int = 0,
    advance: Advance = lambda pairs: None,
) -> pd.DataFrame:
    """Return what units are worth where both sides move, beside what they are worth where both hold.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        The whole roster by default, which takes some minutes.
    roster
        As for `aabalance.worth`.
    seed : int
        Seed of the dice, and of the draws behind the interval of ``worth``.
    advance : callable
        Called with the number of pairs done since the last call; `steps` says how many there are.

    Returns
    -------
    DataFrame
        A row for each unit. ``worth`` is where both sides hold. ``worth_moving`` is the price at which the unit is
        level if its score changes by as much as moving changes it. The interval of ``worth_moving`` is that of the
        dice, wide enough for all rows together; ``beyond`` says whether it lies outside of the interval of ``worth``.

    Raises
    ------
    UsageError
        A unit isn't in the roster, or units of the game don't move in battles.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m24", "de_pz4h", "de_pak40"]))
    >>> aab.worth_moving(few)[["unit", "worth", "worth_moving", "beyond"]].round(0)
           unit  worth  worth_moving  beyond
    0    us_m24   45.0          41.0    True
    1   de_pz4h   55.0          61.0    True
    2  de_pak40   28.0          27.0   False
    """
    named = None if units is None else ids_of(game, units, "units")
    roster = Roster(game, about=named) if roster is None else roster
    chosen = roster.units if named is None else named
    places = [roster.index(unit) for unit in chosen]
    moved = moving(game, roster, places, seed, advance)
    at_par, margins, shares = par(roster), roster.margins(roster.scores(only=places)), roster.shares()
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / max(len(chosen), 1))
    rows = []
    for unit, at, change, variance in zip(chosen, places, moved.change, moved.variance, strict=True):
        met = shares[at] > 0
        more = float(shares[at][met] @ change[met])
        error = z * math.sqrt(float(shares[at][met] ** 2 @ variance[met]))
        held = worth_of(roster, at, at_par, seed=seed)
        ends = [
            math.exp(indifference_price(roster, at, shares[at], at_par - of).log_price) if met.any() else math.nan
            for of in (more, more - error, more + error)
        ]
        rows.append(
            {
                "unit": unit,
                "name": game.cards[unit].name,
                "requisition": roster.prices[at],
                "score": margins[at] + EVEN,
                "score_moving": margins[at] + EVEN + more if met.any() else math.nan,
                "score_moving_ci_low": margins[at] + EVEN + more - error if met.any() else math.nan,
                "score_moving_ci_high": margins[at] + EVEN + more + error if met.any() else math.nan,
                "worth": held.price,
                "worth_low": held.low,
                "worth_high": held.high,
                "worth_moving": ends[0],
                "worth_moving_ci_low": ends[1],
                "worth_moving_ci_high": ends[2],
                "beyond": bool(ends[2] < held.low or ends[1] > held.high),
                "engine": "monte_carlo",
                "n": 2 * TRIALS * int(met.sum()),
                "seed": seed,
            }
        )
    return tidy("worth_moving", rows)


class Grounds(NamedTuple):
    """The conditions of battles in which both sides move: all that they depend on besides the units.

    Attributes
    ----------
    rules : Rules
        The game and its rule switches.
    views : tuple of (Situation, Fraction)
        As in `Contest.mix`.
    aspects : list of Aspect
        What may change about attacks while units move.
    terms : Terms
        The conditions of the battles, as in `aabalance.engine.battle.battle`.
    seed : int
        Seed of the dice.
    """

    rules: Rules
    views: tuple[tuple[Any, Fraction], ...]
    aspects: list[Aspect]
    terms: Terms
    seed: int

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.rules.game


class Meeting(NamedTuple):
    """A battle of `n` copies of one card against `m` of another."""

    first: Any
    second: Any
    n: int
    m: int


def steps(roster: Roster) -> int:
    """Return the number of steps of `worth_moving` for the units that a roster is about: pairs that fight."""
    return len(pairs(roster, [roster.index(unit) for unit in roster.about]))


def pairs(roster: Roster, places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs that fight if some units are asked about: two places in the roster each, the smaller first.

    Parameters
    ----------
    roster : Roster
        The units that are compared with each other.
    places : sequence of int
        Places of the units that are asked about.
    """
    asked = np.isin(np.arange(len(roster.units)), places)
    met = np.triu(roster.mutual & (asked | asked[:, None]))
    return [(int(one), int(other)) for one, other in np.argwhere(met)]


def moving(
    game: Game, roster: Roster, places: Sequence[int], seed: int = 0, advance: Advance = lambda pairs: None
) -> Moved:
    """Return how the scores of units change, in the same battles, if both sides move instead of holding.

    Parameters
    ----------
    game : Game
        The game of the roster.
    roster : Roster
        The units that are compared with each other.
    places : sequence of int
        Places of the units that are asked about.
    seed : int
        Seed of the dice.
    advance : callable
        As for `worth_moving`.

    Raises
    ------
    UsageError
        Units of the game don't move in battles.
    """
    contest, size = roster.contest, len(roster.units)
    cards = [game.cards[unit] for unit in roster.units]
    on, aspects = ground(game.ruleset, (cards, cards), max(contest.ranges), game.variant, (POSTURE, POSTURE))
    limit = sorted(contest.limits)[len(contest.limits) // 2]
    terms = Terms((limit, limit), (POLICY, POLICY), ROUNDS, by_cost=True, ground=on)
    grounds = Grounds(Rules(game.ruleset.name, game.variant), tuple(contest.mix.items()), aspects, terms, seed)
    change, variance = np.full((size, size), np.nan), np.full((size, size), np.nan)
    if met := pairs(roster, places):
        one, other = np.array(met).T
        n, m = _numbers(roster, one, other)
        held = roster.look_up(one, other, n, m)[contest.limits.index(limit)]
        rows = [
            Meeting(cards[a], cards[b], *numbers) for (a, b), *numbers in zip(met, n.tolist(), m.tolist(), strict=True)
        ]
        fights = fighting(game.ruleset)

        def key(row: Meeting) -> Any:
            # Ids belong to the key, since dice are named by them.
            return [(fights(card), card.id, count) for card, count in ((row.first, row.n), (row.second, row.m))]

        job = Job(meet, grounds, rows, shape=(2,), cells=TOGETHER, key=key)
        rolled = sweeps.results(job, advance)[:, 0]
        change[one, other], variance[one, other] = rolled[:, 0] - held, rolled[:, 1]
        change[other, one], variance[other, one] = -change[one, other], rolled[:, 1]
    return Moved(change[places], variance[places])


def meet(grounds: Grounds, rows: Sequence[Meeting], _: Any) -> Any:
    """Return each battle's score of the first side if both move, and its variance; see `aabalance.jobs.sweeps`.

    Parameters
    ----------
    grounds : Grounds
        The conditions of the battles.
    rows : sequence of Meeting
        The battles.

    Returns
    -------
    array of float, shape (rows, 1, 2)
        Score and variance of each battle.
    """
    ruleset = rulesets.load(grounds.rules.game)
    firsts, seconds = ({card.id: card for card in side} for side in list(zip(*rows, strict=True))[:2])
    of_first, of_second = ({unit: at for at, unit in enumerate(side)} for side in (firsts, seconds))
    alone = dict(grounds.views), grounds.aspects, grounds.rules.variant
    ours, theirs = [*firsts.values()], [*seconds.values()]
    forces = ruleset.one_on_one(ours, theirs, *alone), ruleset.one_on_one(theirs, ours, *alone)
    found = np.empty((len(rows), 1, 2))
    for at, row in enumerate(rows):
        first, second = of_first[row.first.id], of_second[row.second.id]
        one, other = _against(forces[0][first], second, row.m), _against(forces[1][second], first, row.n)
        names = *[row.first.id] * row.n, AGAINST, *[row.second.id] * row.m
        found[at, 0] = _rolled(((one,) * row.n, (other,) * row.m), grounds.terms, names, grounds.seed)
    return found


def _numbers(roster: Roster, one: Any, other: Any) -> tuple[Any, Any]:
    """Return by pair the numbers of copies: as many as the largest budget buys, cut to what can be rolled."""
    prices = roster.prices[one], roster.prices[other]
    budget = np.minimum(max(roster.contest.budgets), SIDE_UNITS * np.minimum(*prices))
    budget = np.maximum(budget, np.maximum(*prices))
    n, m = (np.floor(budget / price + EVEN).clip(1, SIDE_UNITS).astype(np.int64) for price in prices)
    return n, m


def _against(unit: Fighter, enemy: int, number: int) -> Fighter:
    """Return a unit as it fights `number` copies of one of its enemies, without strikes that don't hurt this one."""
    strikes = (
        strike._replace(effects=(strike.effects[enemy],) * number, dice=(strike.dice[enemy],) * number)
        for strike in unit.strikes
        if any(max(effect) > 0 for effect in strike.effects[enemy])
    )
    return unit._replace(strikes=tuple(strikes))


def _rolled(forces: tuple[Force, Force], terms: Terms, names: tuple[str, ...], seed: int) -> tuple[float, float]:
    """Return what a side of equal units scores against another, each moving first half the time, and the variance."""
    # Both sides are worth the same in all, so that after the last round the side with the larger share left wins.
    whole = math.lcm(*map(len, forces))
    one, other = (tuple(unit._replace(cost=whole // len(force)) for unit in force[:1]) * len(force) for force in forces)
    battle = Battle((one, other), terms)
    mean, variance = 0.0, 0.0
    for who in SIDES:
        rolled = sampling.simulate(run_of(battle, who, names, seed), 0, TRIALS)
        count = seen_by_a(who, rolled)
        score = (count.wins_a + count.draws / 2) / count.trials
        square = (count.wins_a + count.draws / 4) / count.trials
        mean += score / len(SIDES)
        variance += (square - score**2) / (count.trials - 1) / len(SIDES) ** 2
    return mean, variance
