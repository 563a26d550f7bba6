"""Matches of many pairs of lists on a board, as jobs: who won, who moved first, where a began."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from aabalance import rulesets
from aabalance.boards import Board
from aabalance.definitions.lists import UnitList
from aabalance.engine.arrays import Floats
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job
from aabalance.jobs.store import digest
from aabalance.play.match_question import MatchQuestion
from aabalance.play.policy import by_name, chooser

TASK = 30
"""Pairs of lists in a task: a second or less."""


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
        by_name(question.players)
        rules, named = question.rules(), ("mission", "rounds", "actions", "first", "players", "options")
        agreed = {name: getattr(question, name) for name in named}
        brought = question.roster if rules.whole_roster else question.board.symbols
        roster = tuple(card for unit, card in question.roster.items() if unit in brought)
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
    from aabalance.engine import rng
    from aabalance.engine.match import arena
    from aabalance.play.battle import AGAINST
    from aabalance.rulesets.base.match import FIRST, RESULT, ZONE

    found = np.empty((len(rows), 1, terms.matches, 3))
    for at, row in enumerate(rows):
        question = terms.question(row.a, row.b)
        rules, agreed, setup = question.agreed()
        first = "ab"[row.number % 2] if question.first == "roll_off" else question.first
        tables, state, names = rules.start({**setup, "first": first}, agreed.cards, question.variant)
        ids = [[card.id or card.name for card in side] for side in (row.a, row.b)]
        key = rng.stream_key(terms.seed, *ids[0], AGAINST, *ids[1], terms.board, str(row.number))
        one, other = (chooser(player, rules, names) for player in question.players)
        match = arena.Match(rules, ((tables, state),), (one, other), key)
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
