"""Random lists meet on boards, batch by batch, until who wins says enough about the worth of their units."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import Any, NamedTuple, cast

import numpy as np

from aabalance.analysis.battles import several
from aabalance.analysis.frames import ids_of
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, shown, whole_number
from aabalance.game import Game, Unit
from aabalance.play.match_question import MatchQuestion
from aabalance.play.sample import MOST_SEED, MOST_TRIALS
from aabalance.pricing.board_matches import AS_MANY, BoardTerms, Drawer, Pairing, effects, play_pairs, playable, surplus
from aabalance.pricing.inference import DRAW_SCORE, SPREAD_OF_SCALE, Estimate, Known, MatchResults, estimate
from aabalance.rulesets.base.match import DRAWN, MOST_UNITS, WON_BY_A

TARGET, TARGET_OF_ALL = 0.12, 0.15
"""Half-width of the 90 % interval of a worth at which enough was played, as a share of the price, or of the worth if
that is more: of named units, and of rosters."""
REACHED, CHEAP = 0.9, 3 / 8
"""Share of a roster's units that have to reach it. Units that cost less than `CHEAP` of the mean price need not; in
Armored Advance that is 20 points."""
MATCHES = 60_000
"""Most matches on a board in a mission."""
AGAIN, SHARE_AGAIN = 100, 10
"""Another player plays so many of the pairs of lists again, at least, and one in so many."""
FIRST_PAIRS, LEAST_GROWTH, MOST_GROWTH = 600, 1.1, 1.6
"""Pairs of lists before the first look at the widths, and the least and most times as many before the next: as many as
the target still needs lie between."""
EACH = 2
"""Matches of a pair of lists, of which the tables are made once."""
OPPONENTS = 6
"""Lists of which the one is played that the fit so far calls most even."""
MOST_OF_LIST = MOST_UNITS // 2
"""Units of mean price that a list may cost: of larger ones hardly any could be played, as `REFUSED` draws would say."""
REFUSED = 1000
"""Draws of a list and its opponents, none of which can be played, in a row, after which the draw ends."""
DIFFERS = 0.05
"""Chance that boards or missions seem to treat some unit differently though they treat all alike."""


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
    matches, appeared, drawn : int, array of int, and int
        How many were played, in how many each unit took part, and how many nobody won.
    again : Fitted or None
        What the first of the same matches say if another player plays them.
    """

    board: str
    mission: str
    units: list[str]
    prices: Floats
    estimate: Estimate
    matches: int
    appeared: Ints
    drawn: int
    again: Fitted | None = None

    @property
    def decided(self) -> bool:
        """Whether somebody won a match; where nobody did, the estimate is what is believed without matches."""
        return self.drawn < self.matches


def check_numbers(matches: Any, seed: Any) -> None:
    """Refuse a number of matches, or a seed, that is none."""
    whole_number("matches", matches, EACH, MOST_TRIALS)
    whole_number("seed", seed, 0, MOST_SEED)


def board_fits(
    game: Game,
    units: Iterable[Unit] | None,
    places: Sequence[tuple[str, str | None]],
    *,
    matches: int,
    players: Sequence[str],
    seed: int,
    advance: Advance,
    target: float | None = None,
    budget: float | None = None,
    **terms: Any,
) -> list[Fitted]:
    """Return what random matches say, on each board in each mission.

    Parameters
    ----------
    places : sequence of (str, str or None)
        Boards and missions.
    game, units, matches, players, seed, advance, target, budget, **terms
        As for `board_worth`.
    """
    check_numbers(matches, seed)
    for name, value in (("budget", budget), ("target error", target)):
        if value is not None and not (isinstance(cast("Any", value), Real) and 0 < value <= sys.float_info.max):
            raise UsageError(f"{name}: found {shown(value)}, expected a finite number above 0")
    player, *another = several(players, "players")
    if len(another) > 1:
        raise UsageError(f"players: found {len(players)}, expected one, or another who plays some matches again")
    wanted = None if units is None else ids_of(game, units, "units")
    enough = target or (TARGET_OF_ALL if wanted is None else TARGET)
    ready = []
    for board, mission in places:
        where: dict[str, Any] = {"board": board, "mission": mission, **terms}
        question: Callable[..., MatchQuestion] = partial(game.match_question, **played_by(player), **where)
        for who in another:
            question((), (), **played_by(who))  # refuses an unknown name now
        ids = playable(question, list(game.cards))
        if absent := [unit for unit in wanted or () if unit not in ids]:
            currency = game.ruleset.labels.currency
            why = f"can't play on {board}, expected units that can"
            if not getattr(game.cards[absent[0]], currency):
                why = f"has no {currency}, expected one, by which lists are drawn: a first guess will do"
            raise UsageError(f"units: found {absent[0]}, which {why}")
        cards = [game.cards[unit] for unit in ids]
        prices = np.array([game.ruleset.cost(card) for card in cards], dtype=np.float64)
        most = math.floor(MOST_OF_LIST * prices.mean())
        if budget is not None and budget > most:
            raise UsageError(
                f"budget: found {shown(budget)}, expected {most} at most: {MOST_OF_LIST} units of mean price"
            )
        about = None if wanted is None else np.array([ids.index(unit) for unit in wanted])
        scores = question((), ()).rules().scorers.get(mission, lambda card: False)
        scorers = np.flatnonzero([scores(card) for card in cards])
        drawer = Drawer(prices, budget or AS_MANY * float(prices.mean()), np.random.default_rng(seed), scorers)
        ready.append((board, _Design(question, cards, about, drawer, seed)))
    found = []
    for board, design in ready:  # none is played before all can be
        fit, drawn = design.fitted(enough, matches, advance)
        played, appeared = EACH * len(design.lists), EACH * design.took_part()
        found.append(Fitted(board, design.mission or "", design.ids, design.prices, fit, played, appeared, drawn))
        for who in another:
            some = design.lists[: max(AGAIN, len(design.lists) // SHARE_AGAIN)]
            again, drawn = design.again(who, fit, some, advance)
            other = found[-1]._replace(estimate=again, matches=EACH * len(some), drawn=drawn)
            found[-1] = found[-1]._replace(again=other)
    return found


def played_by(player: str) -> dict[str, Any]:
    """Return the terms of a match that one player plays on both sides."""
    return {"player_a": player, "player_b": player}


class _Design:
    """Which lists meet, batch by batch, on a board in a mission."""

    def __init__(
        self, question: Callable[..., MatchQuestion], cards: list[Any], about: Ints | None, drawer: Drawer, seed: int
    ) -> None:
        self.question, self.cards, self.about, self.drawer, self.seed = question, cards, about, drawer, seed
        self.ids, self.prices = [card.id for card in cards], drawer.prices
        self.mission: str | None = None
        self.lists: list[tuple[Ints, Ints]] = []

    def fitted(self, target: float, most: int, advance: Advance) -> tuple[Estimate, int]:
        """Return what matches of `lists` say, which are drawn at random, and how many matches nobody won."""
        lists, facts, strength = self.lists, np.empty((0, EACH, 3)), self.prices
        pairs = FIRST_PAIRS
        while True:
            pairs = min(pairs, most // EACH)
            more = [self._pair(strength, number) for number in range(len(lists), pairs)]
            facts = np.concatenate([facts, self._played(self.question, more, len(lists), advance)])
            lists += more
            found, drawn = self._told(lists, facts)
            times = self._growth(found, target)
            if pairs == most // EACH or times <= 1:
                return found, drawn
            strength = self.prices * np.exp(found.mean)
            pairs = int(min(max(times, LEAST_GROWTH), MOST_GROWTH) * pairs)

    def again(
        self, player: str, found: Estimate, lists: Sequence[tuple[Ints, Ints]], advance: Advance
    ) -> tuple[Estimate, int]:
        """Return the worth if another player plays some pairs of lists again, and how many matches nobody won.

        It begins from `found`, as a prior.
        """
        known = Known(found.mean, found.error, found.log_scale, SPREAD_OF_SCALE)
        facts = self._played(partial(self.question, **played_by(player)), lists, 0, advance)
        return self._told(lists, facts, known)

    def took_part(self) -> Ints:
        """Return in how many pairs of lists each unit is."""
        units = [np.union1d(a, b) for a, b in self.lists]
        return np.bincount(np.concatenate(units), minlength=len(self.ids))

    def _played(
        self, question: Callable[..., MatchQuestion], lists: Sequence[tuple[Ints, Ints]], first: int, advance: Advance
    ) -> Floats:
        terms = BoardTerms.of(question((), ()), self.seed, EACH)
        rows = [Pairing(self._of(a), self._of(b), number) for number, (a, b) in enumerate(lists, first)]
        return play_pairs(terms, rows, advance)

    def _of(self, units: Ints) -> tuple[Any, ...]:
        return tuple(self.cards[unit] for unit in units)

    def _pair(self, strength: Floats, number: int) -> tuple[Ints, Ints]:
        """Return two lists: one with the unit that is to appear, and the most even of some others that it may meet.

        Lists of the same units tell nothing of what these are worth: they meet only where all that were drawn are such.
        """

        def uneven(units: Ints) -> float:
            return abs(float(strength[units].sum() - strength[own].sum()))

        for _ in range(REFUSED):
            own = self.drawer.draw(self._to_appear(number))
            cost = float(self.prices[own].sum())
            others = [self.drawer.draw(least=cost) for _ in range(OPPONENTS)]
            unlike = [units for units in others if sorted(units) != sorted(own)]
            for other in sorted(unlike or others, key=uneven):
                a, b = (own, other) if number // 2 % 2 else (other, own)
                try:
                    self.mission = self.question(self._ids(a), self._ids(b)).agreed()[1].mission
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
        """Return some copies of a unit: the one that was in the fewest lists, or of named ones each in turn."""
        unit = self.drawer.rarest() if self.about is None else self.about[number // 4 % len(self.about)]
        return self.drawer.copies(unit)

    def _told(
        self, lists: Sequence[tuple[Ints, Ints]], facts: Floats, known: Known | None = None
    ) -> tuple[Estimate, int]:
        """Return what `EACH` matches of each two lists say, and how many nobody won, from the facts of `play_pairs`."""
        flat = facts.reshape(-1, 3)
        drawn = flat[:, 0] == DRAWN
        score, pair = np.where(drawn, DRAW_SCORE, flat[:, 0] == WON_BY_A), np.repeat(np.arange(len(lists)), EACH)
        results = MatchResults(surplus(lists, len(self.prices))[pair], score, effects(flat), pair)
        return estimate(self.prices, results, known), int(drawn.sum())

    def _growth(self, found: Estimate, target: float) -> float:
        wide = found.half_width * np.minimum(1, np.exp(found.mean)) / target
        if self.about is not None:
            return growth(wide[self.about], 1)
        return growth(wide[self.prices >= CHEAP * self.prices.mean()], REACHED)


def growth(wide: Floats, share: float) -> float:
    """Return how many times as many matches are enough, as widths fall with their square root; at most 1 if these are.

    Parameters
    ----------
    wide : array of float, shape (units,)
        Widths of intervals, divided by the width that is enough.
    share : float
        Share of the units whose interval has to be narrow enough.
    """
    return float(np.quantile(wide, share, method="inverted_cdf")) ** 2


class Together(NamedTuple):
    """What units are worth on the average of boards and missions.

    Attributes
    ----------
    mean, error : mapping of str to float
        Logarithm of the worth of each unit in prices, and its standard error.
    between : mapping of str to float
        Standard deviation of it between boards and missions, less what its errors explain.
    differs : sequence of str
        Units that boards or missions treat differently, by more than chance.
    """

    mean: Mapping[str, float]
    error: Mapping[str, float]
    between: Mapping[str, float]
    differs: Sequence[str]


def together(fits: Sequence[Fitted]) -> Together:
    """Return what units are worth on the average of all boards and missions, each of which counts alike.

    Boards on which nobody won count for units of which no other board tells. Missions on a board have the same lists
    and dice, and may end alike, so that their errors may be the same; those of boards are independent.
    """
    logs: dict[str, list[tuple[float, float, int]]] = {}
    boards = [fit.board for fit in fits]
    for fit in sorted(fits, key=lambda fit: not fit.decided):
        for unit, mean, error in zip(fit.units, fit.estimate.mean, fit.estimate.error, strict=True):
            if fit.decided or unit not in logs:
                logs.setdefault(unit, []).append((float(mean), float(error), boards.index(fit.board)))
    found = {unit: tuple(map(np.array, zip(*one, strict=True))) for unit, one in logs.items()}
    return Together(
        {unit: float(mean.mean()) for unit, (mean, *_) in found.items()},
        {unit: math.hypot(*np.bincount(at, error)) / len(at) for unit, (_, error, at) in found.items()},
        {unit: _between(mean, error) for unit, (mean, error, _) in found.items()},
        [unit for unit, (mean, error, _) in found.items() if _differs(mean, error, DIFFERS / len(found))],
    )


def _between(mean: Floats, error: Floats) -> float:
    """Return the standard deviation of values that their errors leave, by the method of moments."""
    if len(mean) == 1:
        return 0.0
    return math.sqrt(max(0.0, float(mean.var(ddof=1) - (error**2).mean())))


def _differs(mean: Floats, error: Floats, chance: float) -> bool:
    """Return whether values differ by more than their errors, by the test of Cochran (1954)."""
    from scipy.special import chdtrc

    if len(mean) == 1 or not error.all():  # a unit that meets none but its like is worth its price
        return False
    off = mean - np.average(mean, weights=error**-2)
    return float(chdtrc(len(mean) - 1, ((off / error) ** 2).sum())) < chance
