"""What holding still doesn't show: what units are worth in battles in which both sides move.

Two units meet once, in numbers of about equal requisition and under the middle limit of actions, and the same battle is
fought twice: as in `tables`, solved, where both sides hold at distances that are drawn; and rolled, where both begin at
the longest of these distances and go where their exchange is best, for a few rounds. The difference is what movement,
reach and the end of the game by the clock make of it; what whole units leave over is in both, and falls out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from statistics import NormalDist
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from aabalance.analysis.matchups import ids_of, tidy
from aabalance.analysis.tuning.contest import POLICY
from aabalance.analysis.tuning.levels import even_price, level
from aabalance.analysis.tuning.score import EVEN, Roster
from aabalance.analysis.tuning.worth import given, price_of
from aabalance.engine import sampling
from aabalance.engine.battle.lanes import SIDE_UNITS
from aabalance.engine.battle.tables import Battle, Terms
from aabalance.engine.outcome import BattleTally
from aabalance.game import Game, Unit
from aabalance.play.account import run_of
from aabalance.play.battle import AGAINST, FIRST_MOVERS
from aabalance.play.ground import ground
from aabalance.rulesets.base import Fighter, Force

POSTURE = "best_range"
ROUNDS = 8
TRIALS = 1 << 8
"""Of a battle, for each side that moves first. A unit's mean is over all its opponents."""
LEVEL = 0.95
"""Of all intervals together: as likely as that, none of them misses."""


class Moved(NamedTuple):
    """What moving adds to the scores of units in the same battles; arrays by unit that is asked about and opponent.

    Attributes
    ----------
    change : array of float, shape (asked, units)
        What the one scores, more than if both held; nan where the two don't count for each other.
    variance : array of float, same shape
        Of that, from the dice.
    """

    change: Any
    variance: Any


def worth_moving(
    game: Game,
    units: Iterable[Unit] | None = None,
    *,
    roster: Roster | None = None,
    floor: float | None = None,
    seed: int = 0,
    advance: Callable[[int], None] = lambda steps: None,
) -> pd.DataFrame:
    """Return what units are worth where both sides move, beside what they are worth where all hold: a row for each.

    Parameters
    ----------
    game : Game
    units : iterable of str or card, optional
        The whole roster by default, which takes some minutes.
    roster, floor
        As for `aabalance.worth`.
    seed : int
        Of the dice, and of the draws behind the intervals of those who hold.
    advance : callable
        Called with the number of units done since the last call.

    Returns
    -------
    DataFrame
        ``worth_moving`` is the price at which a unit would be level that scores so much more, or less, than if all
        held. Its interval is that of the dice, wide enough for all rows together; ``beyond`` says whether it lies
        outside of the interval of ``worth``.

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
    roster, least = given(game, units, roster, floor)
    chosen = roster.units if units is None else ids_of(game, units, "units")
    places = [roster.place(unit) for unit in chosen]
    moved = moving(game, roster, places, seed, advance)
    k, lead, shares = level(roster, least), roster.lead(roster.scores(only=places)), roster.shares()
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / max(len(chosen), 1))
    rows = []
    for unit, at, change, variance in zip(chosen, places, moved.change, moved.variance, strict=True):
        met = shares[at] > 0
        more = float(shares[at][met] @ change[met])
        error = z * math.sqrt(float(shares[at][met] ** 2 @ variance[met]))
        held = price_of(roster, at, k, least, seed=seed)
        ends = [
            math.exp(even_price(roster, at, shares[at], k - of, least)[0]) if met.any() else math.nan
            for of in (more, more - error, more + error)
        ]
        rows.append(
            {
                "unit": unit,
                "name": game.cards[unit].name,
                "requisition": roster.prices[at],
                "score": lead[at] + EVEN,
                "score_moving": lead[at] + EVEN + more if met.any() else math.nan,
                "score_moving_ci_low": lead[at] + EVEN + more - error if met.any() else math.nan,
                "score_moving_ci_high": lead[at] + EVEN + more + error if met.any() else math.nan,
                "worth": held.price,
                "worth_low": held.low,
                "worth_high": held.high,
                "worth_moving": ends[0],
                "worth_moving_ci_low": ends[1],
                "worth_moving_ci_high": ends[2],
                "beyond": bool(ends[2] < held.low or ends[1] > held.high),
            }
        )
    return tidy("worth_moving", rows)


def moving(
    game: Game, roster: Roster, places: list[int], seed: int = 0, advance: Callable[[int], None] = lambda steps: None
) -> Moved:
    """Return what units score who move, beyond what the same numbers of them score who hold.

    Parameters
    ----------
    game : Game
        Of the roster.
    roster : Roster
    places : list of int
        Which units are asked about, by their places in it.
    seed : int
    advance : callable
        Called with the number of units done since the last call.

    Raises
    ------
    UsageError
        Units of the game don't move in battles.
    """
    contest, size = roster.contest, len(roster.units)
    cards = [game.cards[unit] for unit in roster.units]
    on, aspects = ground(game.ruleset, (cards, cards), max(contest.ranges), game.variant, (POSTURE, POSTURE))
    limit = sorted(contest.limits)[len(contest.limits) // 2]
    terms = Terms((limit, limit), (POLICY, POLICY), ROUNDS, by_worth=True, ground=on)
    alone = (contest.views, aspects, game.variant)
    asked = game.ruleset.alone([cards[at] for at in places], cards, *alone)
    # A roster that is asked about as a whole is its own opponents.
    others = asked if places == list(range(size)) else game.ruleset.alone(cards, [cards[at] for at in places], *alone)
    moved = Moved(*(np.full((len(places), size), np.nan) for _ in Moved._fields))
    for row, at in enumerate(places):
        met = np.flatnonzero(roster.mutual[at] & np.isnan(moved.change[row]))
        n, m = _numbers(roster, at, met)
        held = _held(roster, at, met, n, m)[contest.limits.index(limit)]
        for other, own, enemies, score in zip(met.tolist(), n.tolist(), m.tolist(), held.tolist(), strict=True):
            sides = [
                ((_against(asked[row], other, enemies),) * own, at),
                ((_against(others[other], row, own),) * enemies, other),
            ]
            # Whoever is asked about, it is the same battle.
            turned = at > other
            first, second = reversed(sides) if turned else sides
            names = *[roster.units[first[1]]] * len(first[0]), AGAINST, *[roster.units[second[1]]] * len(second[0])
            mean, variance = _rolled((first[0], second[0]), terms, names, seed)
            mean = 1 - mean if turned else mean
            moved.change[row, other], moved.variance[row, other] = mean - score, variance
            if other in places:
                back = places.index(other)
                moved.change[back, at], moved.variance[back, at] = score - mean, variance
        advance(1)
    return moved


def _numbers(roster: Roster, unit: int, others: Any) -> tuple[Any, Any]:
    """Return how many of a unit meet how many of others: as many as the largest budget buys, and can be rolled."""
    own, prices = roster.prices[unit], roster.prices[others]
    budget = np.minimum(max(roster.contest.budgets), SIDE_UNITS * np.minimum(own, prices))
    budget = np.maximum(budget, np.maximum(own, prices))
    numbers = (np.floor(budget / price + EVEN).clip(1, SIDE_UNITS).astype(np.int64) for price in (own, prices))
    n, m = numbers
    return n, m


def _held(roster: Roster, unit: int, others: Any, n: Any, m: Any) -> Any:
    """Return by limit and opponent what so many of a unit score who hold."""
    first = unit < others
    scores = roster.tables.look_up(roster.tables.row[unit, others], np.where(first, n, m), np.where(first, m, n))
    return np.where(first, scores, 1 - scores)


def _against(unit: Fighter, enemy: int, number: int) -> Fighter:
    """Return a unit that fights so many of one of its enemies, without the strikes that don't hurt that one."""
    strikes = (
        strike._replace(effects=(strike.effects[enemy],) * number, dice=(strike.dice[enemy],) * number)
        for strike in unit.strikes
        if any(max(effect) > 0 for effect in strike.effects[enemy])
    )
    return unit._replace(strikes=tuple(strikes))


def _rolled(forces: tuple[Force, Force], terms: Terms, names: tuple[str, ...], seed: int) -> tuple[float, float]:
    """Return what a side of equal units scores against another, each moving first half the time, and its variance."""
    # Both sides are worth the same, so that on time the larger part of one's force that is left decides.
    whole = math.lcm(*map(len, forces))
    one, other = (
        tuple(unit._replace(worth=whole // len(force)) for unit in force[:1]) * len(force) for force in forces
    )
    battle = Battle((one, other), terms)
    mean, variance = 0.0, 0.0
    for who in FIRST_MOVERS:
        count = cast("BattleTally", sampling.simulate(run_of(battle, who, names, seed), 0, TRIALS))
        count = count if who == "a" else count.turned()
        score = (count.wins_a + count.draws / 2) / count.trials
        square = (count.wins_a + count.draws / 4) / count.trials
        mean += score / len(FIRST_MOVERS)
        variance += (square - score**2) / (count.trials - 1) / len(FIRST_MOVERS) ** 2
    return mean, variance
