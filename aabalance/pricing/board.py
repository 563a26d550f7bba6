"""What units are worth on a board: greedy players, random lists of about equal cost, and who wins.

It prices what no battle can: movement, cover, scouting, carrying, holding ground; and games without battles.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance import rulesets
from aabalance.analysis.battles import several
from aabalance.analysis.frames import costs, ids_of, tidy
from aabalance.boards import Board
from aabalance.definitions.lists import UnitList
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, whole_number
from aabalance.game import Game, Unit
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job
from aabalance.jobs.store import digest
from aabalance.play.match import COMPILING
from aabalance.play.match_question import MatchQuestion
from aabalance.play.result import MOST_TRIALS
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
TASK = 30
"""Pairs of lists in a task: a second or less."""
OPPONENTS = 6
"""Lists of which the one is played that the fit so far calls most even."""
SHARE_OF_ONE = 0.35
"""Share of the budget that copies of a unit may take in its own list."""
REFUSED = 1000
"""Draws of lists that can't be played, in a row, after which the draw ends."""
POOLED = ""
"""The name of the board in rows on all boards and missions together."""


class Terms(NamedTuple):
    """What all matches on a board share.

    Attributes
    ----------
    game, variant : str and BaseModel
        The rules.
    roster : tuple of card
        The cards that may come into a match without a list, in games that have such.
    board, table : str and mapping
        The board's name, and its file.
    agreed : mapping
        The other fields of the `MatchQuestion`.
    seed : int
        Seed of dice and players.
    matches : int
        Matches of each pair of lists.
    """

    game: str
    variant: Any
    roster: tuple[Any, ...]
    board: str
    table: Mapping[str, Any]
    agreed: Mapping[str, Any]
    seed: int
    matches: int

    def question(self, a: Sequence[Any], b: Sequence[Any]) -> MatchQuestion:
        """Return the question of a match of two lists of cards."""
        ruleset = rulesets.load(self.game)
        drawn = ruleset.match()
        assert drawn is not None
        assert drawn.board is not None
        roster = {card.id: card for card in (*self.roster, *a, *b)}
        return MatchQuestion(
            ruleset=ruleset,
            variant=self.variant,
            roster=roster,
            lists=(UnitList(list(a)), UnitList(list(b))),
            board=Board.of(self.board, self.table, drawn.board, roster),
            **self.agreed,
        )

    @classmethod
    def of(cls, question: MatchQuestion, seed: int, matches: int) -> Terms:
        """Return the terms of a match.

        Parameters
        ----------
        question : MatchQuestion
            The match; its lists don't matter.
        seed, matches : int
            As in `Terms`.
        """
        rules, named = question.rules(), ("mission", "rounds", "actions", "first", "players", "options")
        agreed = {name: getattr(question, name) for name in named}
        roster = tuple(question.roster.values()) if rules.whole_roster else ()
        names = question.ruleset.name, question.variant, roster, question.board.key, question.board.table
        return cls(*names, agreed, seed, matches)


class Pairing(NamedTuple):
    """Two lists of cards, and the number of their pair, which settles who moves first if dice would."""

    a: tuple[Any, ...]
    b: tuple[Any, ...]
    number: int


def played(terms: Terms, rows: Sequence[Pairing], _: Any) -> Floats:
    """Return who won, who moved first, and where a began; see `aabalance.jobs.sweeps`.

    Returns
    -------
    array of float, shape (pairs, 1, matches, 3)
        The facts ``result``, ``first`` and ``zone`` of each match.
    """
    from aabalance.engine import jit, rng
    from aabalance.engine.match import arena
    from aabalance.play.battle import AGAINST
    from aabalance.rulesets.base.match import FIRST, RESULT, ZONE

    found = np.empty((len(rows), 1, terms.matches, 3))
    with jit.announced(lambda: print(COMPILING, file=sys.stderr)):
        for at, row in enumerate(rows):
            question = terms.question(row.a, row.b)
            rules, agreed, setup = question.agreed()
            first = "ab"[row.number % 2] if question.first == "roll_off" else question.first
            tables, state, _names = rules.start({**setup, "first": first}, agreed.cards, question.variant)
            ids = [[card.id or card.name for card in side] for side in (row.a, row.b)]
            key = rng.stream_key(terms.seed, *ids[0], AGAINST, *ids[1], terms.board, str(row.number))
            match = arena.Match(rules, ((tables, state),), question.players, key)
            found[at, 0] = arena.play(match, 0, terms.matches)[:, [RESULT, FIRST, ZONE]]
    return found


def play_pairs(terms: Terms, rows: Sequence[Pairing], advance: Advance = lambda matches: None) -> Floats:
    """Return what `played` does, of shape (pairs, matches, 3), as jobs.

    Parameters
    ----------
    terms : Terms
        What the matches share.
    rows : sequence of Pairing
        The lists.
    advance : callable
        Called with the number of matches done since the last call.
    """
    digests: dict[int, bytes] = {}

    def key(row: Pairing) -> Any:
        for card in (*row.a, *row.b):
            if id(card) not in digests:
                digests[id(card)] = digest(card)
        return [[digests[id(card)].hex() for card in side] for side in (row.a, row.b)], row.number

    job = Job(played, terms, rows, shape=(terms.matches, 3), cells=TASK, key=key)
    found: Floats = sweeps.results(job, lambda pairs: advance(pairs * terms.matches))[:, 0]
    return found


def effects(facts: Floats) -> Floats:
    """Return the seat and the zone of matches for the model: .5 if a has the first, -.5 if b has it; 0 without one.

    Parameters
    ----------
    facts : array of float, shape (matches, 3)
        From `played`.
    """
    seat, zone = 0.5 - facts[:, 1], np.where(facts[:, 2] < 0, 0.0, 0.5 - facts[:, 2])
    return np.column_stack([seat, zone])


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


def _plays(question: Callable[..., MatchQuestion], units: Sequence[str], *others: str) -> bool:
    try:
        question([*units, *others], [*others, *units]).agreed()
    except UsageError:
        return False
    return True


def playable(question: Callable[..., MatchQuestion], units: Sequence[str]) -> list[str]:
    """Return the units that can play, alone or with another; those that cost nothing are left out.

    Parameters
    ----------
    question : callable
        Takes two lists, and returns the question of their match.
    units : sequence of str
        Ids.

    Raises
    ------
    UsageError
        There are fewer than two.
    """
    roster = question((), ()).roster
    currency = question((), ()).ruleset.labels.currency
    dear = [unit for unit in units if (getattr(roster[unit], currency) or 0) > 0]
    alone = [unit for unit in dear if _plays(question, [unit])]
    if not alone:
        question(dear[:1], dear[:1]).agreed()  # says why
    found = [unit for unit in dear if unit in alone or _plays(question, [unit], alone[0])]
    if len(found) < 2:
        raise UsageError(f"units: found {len(found)} that can play, expected two at least")
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


def _row(game: Game, unit: str, fit: Fitted) -> dict[str, Any]:
    at, card = fit.units.index(unit), game.cards[unit]
    about = {"unit": unit, "board": fit.board, "mission": fit.mission, "name": card.name}
    about |= {"category": game.ruleset.roster.category(card), "requisition": fit.prices[at]}
    number = {"n": fit.matches, "appeared": int(fit.appeared[at])}
    return about | _worth(fit.prices[at], fit.estimate.mean[at], fit.estimate.error[at]) | number


def _worth(price: float, mean: float, error: float) -> dict[str, float]:
    """Return the columns of a worth from its logarithm in prices."""
    low, worth, high = (price * math.exp(mean + sign * QUANTILE * error) for sign in (-1, 0, 1))
    return {"worth": worth, "worth_low": low, "worth_high": high, "worth_change": worth / price - 1}


def _pooled(rows: Sequence[Mapping[str, Any]], fits: Sequence[Fitted], units: Sequence[str]) -> list[dict[str, Any]]:
    """Return rows on all boards and missions together, with the spread between them, which all units share."""
    logs = {unit: _logs(fits, unit) for unit in units}
    several_ = [one for one in logs.values() if len(one) > 1]
    excess = [float(one[:, 0].var(ddof=1) - (one[:, 1] ** 2).mean()) for one in several_]
    between = max(0.0, float(np.mean(excess))) if excess else 0.0
    found = []
    for unit, one in logs.items():
        first = next(row for row in rows if row["unit"] == unit)
        weights = 1 / (one[:, 1] ** 2 + between)
        mean, error = float(weights @ one[:, 0] / weights.sum()), 1 / math.sqrt(weights.sum())
        own = [row for row in rows if row["unit"] == unit]
        number = {name: sum(row[name] for row in own) for name in ("n", "appeared")}
        pooled = {**first, "board": POOLED, "mission": "", **_worth(first["requisition"], mean, error), **number}
        found.append(pooled | {"between_boards": math.sqrt(between)})
    return found


def _logs(fits: Sequence[Fitted], unit: str) -> Floats:
    """Return the logarithm of a unit's worth in prices, and its error, on each board that it can play on."""
    return np.array(
        [
            (fit.estimate.mean[fit.units.index(unit)], fit.estimate.error[fit.units.index(unit)])
            for fit in fits
            if unit in fit.units
        ]
    )
