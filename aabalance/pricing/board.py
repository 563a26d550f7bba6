"""What units are worth on a board: greedy players, random lists of about equal cost, and who wins.

It prices what no battle can: movement, cover, scouting, carrying, holding ground; and games without battles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.battles import several
from aabalance.analysis.frames import costs, ids_of, tidy
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, whole_number
from aabalance.game import Game, Unit
from aabalance.play.match_question import MatchQuestion
from aabalance.play.sample import MOST_TRIALS
from aabalance.pricing.board_matches import Pairing, Terms, effects, play_pairs, playable
from aabalance.pricing.inference import QUANTILE, Estimate, Results, estimate
from aabalance.pricing.lists_drawn import Drawer, usual_budget

TARGET, TARGET_OF_ALL = 0.12, 0.15
"""Half-width of the 90 % interval of a worth at which enough was played, in worths: of named units, and of rosters."""
REACHED, CHEAP = 0.9, 1 / 3
"""Share of a roster's units that have to reach it; units below this share of the middling price need not."""
MATCHES = 60_000
"""Most matches on a board in a mission."""
FIRST_PAIRS, GROWTH = 600, 1.6
"""Pairs of lists after which is looked for the first time, and how many times as many after each look."""
EACH = 2
"""Matches of a pair of lists, of which the tables are made once."""
OPPONENTS = 6
"""Lists of which the one is played that the fit so far calls most even."""
SHARE_OF_ONE = 0.35
"""Share of the budget that copies of a unit may take in its own list."""
REFUSED = 1000
"""Draws of lists that can't be played, in a row, after which the draw ends."""
POOLED = ""
"""The name of the board in rows on all boards and missions together."""


class Fitted(NamedTuple):
    """What matches on a board in a mission say.

    Attributes
    ----------
    board, mission : str
        Where, and how it is won.
    units, prices : list of str, and array of float
        Ids and prices.
    estimate : Estimate
        Their worth, and seat and zone.
    matches, appeared : int, and array of int
        How many were played, and how many of each unit took part.
    """

    board: str
    mission: str
    units: list[str]
    prices: Floats
    estimate: Estimate
    matches: int
    appeared: Ints


def board_fits(
    game: Game,
    units: Iterable[Unit] | None = None,
    *,
    boards: Iterable[str],
    missions: Iterable[str | None] = (None,),
    target: float | None = None,
    matches: int = MATCHES,
    budget: float | None = None,
    player: str = "greedy",
    seed: int = 0,
    advance: Advance = lambda matches: None,
    **terms: Any,
) -> list[Fitted]:
    """Return what random matches say, on each board in each mission.

    Parameters
    ----------
    game, units, boards, missions, target, matches, budget, player, seed, advance, **terms
        As for `board_worth`.
    """
    whole_number("matches", matches, 1, MOST_TRIALS)
    wanted = None if units is None else ids_of(game, units, "units")
    target = target or (TARGET_OF_ALL if wanted is None else TARGET)
    found = []
    for board in several(boards, "boards"):
        for mission in several(missions, "missions"):
            asked = {"board": board, "mission": mission, "player_a": player, "player_b": player, **terms}

            def question(a: Sequence[Unit], b: Sequence[Unit], asked: Mapping[str, Any] = asked) -> MatchQuestion:
                return game.match_question(a, b, **asked)

            ids, price_of = playable(question, list(game.cards)), costs(game)
            if absent := [unit for unit in wanted or () if unit not in ids]:
                raise UsageError(f"units: found {absent[0]}, which can't play on {board}, expected units that can")
            prices = np.asarray(price_of[ids], dtype=np.float64)
            about = None if wanted is None else np.array([ids.index(unit) for unit in wanted])
            design = _Design(game, ids, prices, about, budget or usual_budget(prices), seed)
            fit, played_, appeared = design.fitted(question, target, matches, advance)
            found.append(Fitted(board, design.mission or "", ids, prices, fit, played_, appeared))
    return found


class _Design:
    """Which lists meet, batch by batch, on a board in a mission."""

    def __init__(
        self, game: Game, units: list[str], prices: Floats, about: Ints | None, budget: float, seed: int
    ) -> None:
        self.cards = [game.cards[unit] for unit in units]
        self.ids, self.prices, self.about, self.seed = units, prices, about, seed
        self.budget = budget
        self.mission: str | None = None
        self.rng = np.random.default_rng(seed)
        self.drawer = Drawer(prices, self.budget, self.rng)

    def fitted(
        self, question: Callable[..., MatchQuestion], target: float, most: int, advance: Advance
    ) -> tuple[Estimate, int, Ints]:
        """Return what matches say, their number, and how many of each unit took part."""
        terms = Terms.of(question((), ()), self.seed, EACH)
        lists: list[tuple[Ints, Ints]] = []
        facts, strength = np.empty((0, EACH, 3)), self.prices
        pairs = FIRST_PAIRS
        while True:
            pairs = min(pairs, -(-most // EACH))
            more = [self._pair(question, strength, number) for number in range(len(lists), pairs)]
            rows = [Pairing(self._of(a), self._of(b), len(lists) + at) for at, (a, b) in enumerate(more)]
            facts = np.concatenate([facts, play_pairs(terms, rows, advance)])
            lists += more
            found = estimate(self.prices, self._results(lists, facts))
            if EACH * pairs >= most or self._enough(found, target):
                return found, EACH * pairs, self.drawer.appeared.astype(np.int64)
            strength = self.prices * np.exp(found.mean)
            pairs = int(GROWTH * pairs)

    def _of(self, units: Ints) -> tuple[Any, ...]:
        return tuple(self.cards[unit] for unit in units)

    def _pair(self, question: Callable[..., MatchQuestion], strength: Floats, number: int) -> tuple[Ints, Ints]:
        """Return two lists: one with the unit that is to appear, and the most even of some others."""
        none = np.empty(0, np.int64)
        for _ in range(REFUSED):
            own = self.drawer.draw(self._to_appear(number))
            cost = float(self.prices[own].sum())
            others = [self.drawer.draw(none, cost) for _ in range(OPPONENTS)]
            other = min(others, key=lambda units: abs(float(strength[units].sum() - strength[own].sum())))
            a, b = (own, other) if number // 2 % 2 else (other, own)
            try:
                self.mission = question(self._ids(a), self._ids(b)).agreed()[1].mission
            except UsageError as error:
                refused = error
                continue
            self.drawer.note(own)
            self.drawer.note(other)
            return a, b
        raise refused

    def _ids(self, units: Ints) -> list[str]:
        return [self.ids[unit] for unit in units]

    def _to_appear(self, number: int) -> Ints:
        """Return the unit that has appeared least; or some copies of those that are asked about, each in turn."""
        if self.about is None:
            return self.drawer.rarest()
        unit = self.about[number // 4 % len(self.about)]
        most = max(1, int(SHARE_OF_ONE * self.budget / self.prices[unit]))
        return np.full(self.rng.integers(1, most + 1), unit)

    def _results(self, lists: Sequence[tuple[Ints, Ints]], facts: Floats) -> Results:
        from aabalance.rulesets.base.match import DRAWN, WON_BY_A

        difference = np.zeros((len(lists), len(self.prices)))
        for row, (a, b) in zip(difference, lists, strict=True):
            np.add.at(row, a, 1)
            np.add.at(row, b, -1)
        flat = facts.reshape(-1, 3)
        score = np.where(flat[:, 0] == DRAWN, 0.5, flat[:, 0] == WON_BY_A)
        return Results(np.repeat(difference, EACH, axis=0), score, effects(flat))

    def _enough(self, found: Estimate, target: float) -> bool:
        if self.about is not None:
            return bool((found.half_width[self.about] <= target).all())
        dear = self.prices >= CHEAP * np.median(self.prices)
        return bool((found.half_width[dear] <= target).mean() >= REACHED)


def board_worth(
    game: Game,
    units: Iterable[Unit] | None = None,
    *,
    boards: Iterable[str],
    missions: Iterable[str | None] = (None,),
    target: float | None = None,
    matches: int = MATCHES,
    budget: float | None = None,
    player: str = "greedy",
    seed: int = 0,
    advance: Advance = lambda matches: None,
    **terms: Any,
) -> pd.DataFrame:
    """Return what units are worth on boards: random lists of about equal cost play, and who wins says it.

    The worth of all units together is their price, so that a worth says how a unit compares with the others.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards, boards and variant; lists are drawn from all of its cards that can play.
    units : iterable of str or card, optional
        Units that every match is to tell of; by default all alike.
    boards, missions : iterable of str
        Where they play, and what for; None is the game's own mission.
    target : float, optional
        Half-width of the 90 % interval that is enough, in worths, on each board in each mission: by default .12 of each
        of `units`, or .15 of nine in ten of a roster, cheap ones aside.
    matches : int
        Most matches on each board in each mission.
    budget : float, optional
        What a list costs, about: by default five units of middling price.
    player : str
        Who plays both sides.
    seed : int
        Of lists, dice and players.
    advance : callable
        Called with the number of matches done since the last call.
    **terms
        What else `Game.match` lets players agree on: ``rounds``, ``actions`` and options.

    Returns
    -------
    DataFrame
        Table ``board_worth``: a row for each unit on each board in each mission, and, if there are several, one for all
        of them together, without a board: its interval has the spread between them. Its ``attrs`` are the
        `Game.provenance`.

    Raises
    ------
    UsageError
        A unit can't play, and what `Game.match` refuses.

    Notes
    -----
    Laplace's method in the model of ``aabalance.pricing.inference``; the pooled worth is that of a model of random
    effects (DerSimonian and Laird 1986).

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> found = aab.board_worth(game, ["tank"], boards=["crossing"], rounds=4, matches=40)
    >>> found[["unit", "board", "requisition", "n"]]
       unit     board  requisition  n
    0  tank  crossing          7.0 40
    """
    fits = board_fits(
        game,
        units,
        boards=boards,
        missions=missions,
        target=target,
        matches=matches,
        budget=budget,
        player=player,
        seed=seed,
        advance=advance,
        **terms,
    )
    wanted = fits[0].units if units is None else ids_of(game, units, "units")
    rows = [_row(game, unit, fit) for fit in fits for unit in wanted if unit in fit.units]
    if len(fits) > 1:
        rows += _pooled(rows, fits, wanted)
    table = tidy("board_worth", rows)
    table.attrs.update(game.provenance(units=list(wanted)).said())
    return table


def price_counts(game: Game, missions: Iterable[str | None]) -> str:
    """Return a sentence on the missions, as for `board_worth`, whose win rule reads what units cost; "" without any."""
    rules = game.ruleset.match()
    found = [mission for mission in missions if rules and mission in rules.priced]
    where = " and ".join(filter(None, found))
    how = f"Who wins{f' in {where}' if where else ''} depends on what units cost, which pulls their worth to it."
    return how if found else ""


def _row(game: Game, unit: str, fit: Fitted) -> dict[str, Any]:
    at, card = fit.units.index(unit), game.cards[unit]
    about = {"unit": unit, "board": fit.board, "mission": fit.mission, "name": card.name}
    about |= {"category": game.ruleset.roster.category(card), "requisition": fit.prices[at]}
    number = {"n": fit.matches, "appeared": int(fit.appeared[at])}
    return about | as_worth(fit.prices[at], fit.estimate.mean[at], fit.estimate.error[at]) | number


def as_worth(price: float, mean: float, error: float) -> dict[str, float]:
    """Return the columns of a worth.

    Parameters
    ----------
    price : float
        What the unit costs.
    mean, error : float
        Logarithm of its worth in prices, and the standard error.
    """
    low, worth, high = (price * math.exp(mean + sign * QUANTILE * error) for sign in (-1, 0, 1))
    return {"worth": worth, "worth_low": low, "worth_high": high, "worth_change": worth / price - 1}


class Together(NamedTuple):
    """What all boards and missions together say of units.

    Attributes
    ----------
    mean, error : mapping of str to float
        Logarithm of the worth of each unit in prices, and its standard error.
    between : float
        Spread of it between boards and missions, which all units share.
    """

    mean: Mapping[str, float]
    error: Mapping[str, float]
    between: float


def together(fits: Sequence[Fitted]) -> Together:
    """Return what all boards and missions together say of each unit, by a model of random effects."""
    logs: dict[str, list[tuple[float, float]]] = {}
    for fit in fits:
        for unit, mean, error in zip(fit.units, fit.estimate.mean, fit.estimate.error, strict=True):
            logs.setdefault(unit, []).append((float(mean), float(error)))
    found = {unit: np.array(one) for unit, one in logs.items()}
    excess = [float(one[:, 0].var(ddof=1) - (one[:, 1] ** 2).mean()) for one in found.values() if len(one) > 1]
    between = max(0.0, float(np.mean(excess))) if excess else 0.0
    weights = {unit: 1 / (one[:, 1] ** 2 + between) for unit, one in found.items()}
    mean = {unit: float(weights[unit] @ one[:, 0] / weights[unit].sum()) for unit, one in found.items()}
    return Together(mean, {unit: 1 / math.sqrt(one.sum()) for unit, one in weights.items()}, math.sqrt(between))


def _pooled(rows: Sequence[Mapping[str, Any]], fits: Sequence[Fitted], units: Sequence[str]) -> list[dict[str, Any]]:
    """Return rows on all boards and missions together."""
    all_, found = together(fits), []
    for unit in units:
        own = [row for row in rows if row["unit"] == unit]
        number = {name: sum(row[name] for row in own) for name in ("n", "appeared")}
        worth = as_worth(own[0]["requisition"], all_.mean[unit], all_.error[unit])
        found.append({**own[0], "board": POOLED, "mission": "", **worth, **number, "between_boards": all_.between})
    return found
