"""Matches of many random lists on a board, as jobs: who won, who moved first, where a began.

Lists are of about equal cost, of a few kinds and some copies of each; all units are in about as many lists. Copies
tell more of cheap units: what n of them decide is n times as much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from aabalance.analysis.meetings import Meeting, Rules, in_plain_data, question_of, rules_of
from aabalance.definitions.lists import UnitList
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job
from aabalance.jobs.store import digest
from aabalance.once import once_per_object
from aabalance.play.match_question import MatchQuestion
from aabalance.play.policy import chooser

TASK = 30
"""Pairs of lists in a task: a second or less."""
AS_MANY = 5
"""Units of mean price that a list of the usual budget has; also the most copies of a unit that are drawn at once."""
LEAST, MOST = 0.9, 1.1
"""The budget of each list is drawn between these shares of the nominal one."""
SHARE_OF_ONE = 0.35
"""The copies of a unit that are drawn at once cost at most this share of the budget."""
LEFT_OVER = 0.05
"""A share of the budget that may be left."""
LOOKED_AT = 3
"""So many units that fit are drawn, of which the one that has appeared least is taken."""
NO_UNITS: Ints = np.empty(0, np.int64)


class Drawer:
    """Draws lists; a seed settles them all.

    Parameters
    ----------
    prices : array of float, shape (units,)
        Prices.
    budget : float
        Nominal budget.
    rng : Generator
        Where chance comes from.
    needed : array of int
        Indices of units of which each list has one at least; any do if there are none.
    """

    def __init__(self, prices: Floats, budget: float, rng: np.random.Generator, needed: Ints = NO_UNITS) -> None:
        self.prices, self.budget, self.rng, self.needed = prices, budget, rng, needed
        self.appeared = np.zeros(len(prices))

    def draw(self, first: Ints = NO_UNITS, least: float = 0.0) -> Ints:
        """Return a list as the indices of its units; it begins with those of `first`.

        Parameters
        ----------
        first : array of int
            Indices of units that it has to have; a list may cost more for them.
        least : float
            The nominal budget isn't below this.
        """
        budget = max(self.budget, least) * self.rng.uniform(LEAST, MOST)
        units = first.tolist()
        if len(self.needed) and not np.isin(first, self.needed).any():
            units.append(self.rarest(self.needed))
        left = budget - float(self.prices[units].sum())
        while left > LEFT_OVER * budget:
            fit = np.flatnonzero(self.prices <= left)
            if not len(fit):
                break
            some = fit[self.rng.integers(len(fit), size=LOOKED_AT)]  # `choice` draws the same, in twice the time
            unit = int(some[self.appeared[some].argmin()])
            copies = self.copies(unit)[: int(left / self.prices[unit])].tolist()
            units += copies
            left -= len(copies) * float(self.prices[unit])
        return np.array(units, dtype=np.int64)

    def copies(self, unit: int) -> Ints:
        """Return one copy of a unit, or as many more as `AS_MANY` and `SHARE_OF_ONE` leave: each number as likely."""
        most = max(1, min(AS_MANY, int(SHARE_OF_ONE * self.budget / self.prices[unit])))
        return np.full(self.rng.integers(1, most + 1), unit)

    def rarest(self, among: Ints = NO_UNITS) -> int:
        """Return which unit has appeared in the fewest lists; if several have, one of them is drawn."""
        some = among if len(among) else np.arange(len(self.prices))
        return int(self.rng.choice(some[self.appeared[some] == self.appeared[some].min()]))

    def note(self, units: Ints) -> None:
        """Note that a list is played."""
        self.appeared[units] += 1


class BoardTerms(NamedTuple):
    """What all matches on a board share: the rules, and a meeting without lists."""

    rules: Rules
    met: Meeting

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.rules.game

    def question(self, a: Sequence[Any], b: Sequence[Any]) -> MatchQuestion:
        """Return the question of a match of two lists of cards."""
        return question_of(self.rules, self.met._replace(lists=(UnitList(list(a)), UnitList(list(b)))))

    @classmethod
    def of(cls, question: MatchQuestion, seed: int, matches: int) -> BoardTerms:
        """Return the terms of matches.

        Parameters
        ----------
        question : MatchQuestion
            One of them; its lists don't matter.
        seed, matches : int
            Seed of dice and players, and how many matches each pair of lists plays.
        """
        rules = rules_of(question.ruleset, question.variant, question.roster, [question.board.table])
        return cls(rules, in_plain_data(question, matches, seed))


class Pairing(NamedTuple):
    """Two lists of cards, and the number of their pair, which settles who moves first if dice would."""

    a: tuple[Any, ...]
    b: tuple[Any, ...]
    number: int


def played(terms: BoardTerms, rows: Sequence[Pairing], _: Any) -> Floats:
    """Return who won, who moved first, and where a began; see `aabalance.jobs.sweeps`.

    Returns
    -------
    array of float, shape (pairs, 1, matches, 3)
        The facts ``result``, ``first`` and ``zone`` of each match.
    """
    from aabalance.engine import rng
    from aabalance.engine.match import arena
    from aabalance.play.battle import AGAINST
    from aabalance.rulesets.base.match import FIRST, RESULT, ZONE

    found = np.empty((len(rows), 1, terms.met.matches, 3))
    for at, row in enumerate(rows):
        question = terms.question(row.a, row.b)
        rules, agreed, setup = question.agreed()
        first = "ab"[row.number % 2] if question.first == "roll_off" else question.first
        tables, state, names = rules.start({**setup, "first": first}, agreed.cards, question.variant)
        ids = [[card.id or card.name for card in side] for side in (row.a, row.b)]
        key = rng.stream_key(terms.met.seed, *ids[0], AGAINST, *ids[1], terms.met.board, str(row.number))
        one, other = (chooser(player, rules, names) for player in question.players)
        match = arena.Match(rules, ((tables, state),), (one, other), key)
        found[at, 0] = arena.play(match, 0, terms.met.matches)[:, [RESULT, FIRST, ZONE]]
    return found


def play_pairs(terms: BoardTerms, rows: Sequence[Pairing], advance: Advance = lambda matches: None) -> Floats:
    """Run `played` as jobs; return its facts, an array of shape (pairs, matches, 3).

    Parameters
    ----------
    terms : BoardTerms
        What the matches share.
    rows : sequence of Pairing
        The lists.
    advance : callable
        Called with the number of matches done since the last call.
    """
    digest_of = once_per_object(digest)

    def key(row: Pairing) -> Any:
        return [[digest_of(card).hex() for card in side] for side in (row.a, row.b)], row.number

    job = Job(played, terms, rows, shape=(terms.met.matches, 3), cells=TASK, key=key)
    found: Floats = sweeps.results(job, lambda pairs: advance(pairs * terms.met.matches))[:, 0]
    return found


def surplus(lists: Sequence[tuple[Any, Any]], units: int) -> Floats:
    """Return how many more of each unit are in a's list than in b's, as `MatchResults.difference`.

    Parameters
    ----------
    lists : sequence of pair of array of int
        Both lists of each match, as indices of their units.
    units : int
        How many units there are.
    """
    numbers = [np.bincount(a, minlength=units) - np.bincount(b, minlength=units) for a, b in lists]
    return np.array(numbers, dtype=np.float64)


def effects(facts: Floats) -> Floats:
    """Return seat and zone of each match, as `MatchResults.effects`: .5 if a has the first, -.5 if b; 0 without one.

    Parameters
    ----------
    facts : array of float, shape (matches, 3)
        From `played`.
    """
    seat, zone = 0.5 - facts[:, 1], np.where(facts[:, 2] < 0, 0.0, 0.5 - facts[:, 2])
    return np.column_stack([seat, zone])


def _plays(question: Callable[..., MatchQuestion], units: Sequence[str], *others: str) -> bool:
    """Return whether lists of these units may meet; the second has them in another order, as either may lead."""
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
