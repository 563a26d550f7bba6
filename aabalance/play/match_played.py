"""Matches that can be played again: how they are prepared, many of them played, or one with all that happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aabalance.play.battle import AGAINST
from aabalance.play.match_question import MatchQuestion
from aabalance.play.policy import chooser
from aabalance.play.result import SIDES
from aabalance.play.sample import Sample

if TYPE_CHECKING:
    from aabalance.engine.arrays import Ints
    from aabalance.engine.match.arena import Match
    from aabalance.play.match_log import MatchLog
    from aabalance.play.match_tally import Watched
    from aabalance.rulesets.base.match_rules import Agreement

SMALL = 12
"""Units of both lists up to which a single match is played in plain Python: it takes 2 to 16 seconds, less than the 10
to 50 that it takes to compile the rules. With twice as many it takes a minute."""


@dataclass
class Played:
    """Matches that can be played again.

    Attributes
    ----------
    match : Match
        What the arena plays.
    names : object
        The names in it, from the game's `start`.
    question : MatchQuestion
        The question that it answers.
    cards : mapping of str to card
        The cards of the match by name.
    compiled : bool
        Whether the rules have been compiled, so that players decide quickly.
    """

    match: Match
    names: Any
    question: MatchQuestion
    cards: Mapping[str, Any]
    compiled: bool = False

    @cached_property
    def first(self) -> MatchLog:
        """The first match, number 0 of the seed, with all that happens."""
        return self.log(0)

    def _made(self, number: int) -> Ints | None:
        """Return the decisions of a match; None if the players decide again, since nothing is compiled."""
        from aabalance.engine.match import arena

        return arena.decisions(self.match, number) if self.compiled or self.match.searches else None

    def log(self, number: int) -> MatchLog:
        """Return a match by its number with all that happens; nothing is compiled for it, unless somebody searches."""
        from aabalance.play.match_log import record

        return record(self.match, self.names, number, self._made(number))

    def watch(self, matches: int) -> list[Watched]:
        """Return what happened in the first matches, decision by decision."""
        from aabalance.play.match_tally import watched

        board, currency = self.question.board, self.question.ruleset.labels.currency
        costs = {name: getattr(card, currency) for name, card in self.cards.items()}
        return [watched(self.match, self.names, at, self._made(at), board, costs) for at in range(matches)]

    def play(self, sample: Sample) -> Ints:
        """Return the `aabalance.rulesets.base.match.FACTS` of each match of a sample."""
        import numpy as np

        from aabalance.engine.match import arena

        small = sum(len(own.units) for own in self.question.lists) <= SMALL
        if small and sample.target_error is None and sample.trials == 1:
            return np.array([self.first.facts])
        self.compiled = True
        return arena.estimate(self.match, sample.trials or 0, sample.target_error, sample.advance)


def prepared(question: MatchQuestion, seed: int) -> tuple[Played, Agreement, Mapping[str, Any]]:
    """Return the matches of a question ready to be played, what is agreed on, and the set-up."""
    from aabalance.engine import rng
    from aabalance.engine.match import arena

    rules, agreed, setup = question.agreed()
    ids = [[one.card for one in own] for own in agreed.lists]
    key = rng.stream_key(seed, *ids[0], AGAINST, *ids[1], question.board.key)
    firsts = [who for who in SIDES if question.first in (who, "roll_off")]
    begun = [rules.start({**setup, "first": who}, agreed.cards, question.variant) for who in firsts]
    starts, names = tuple((tables, state) for tables, state, _ in begun), begun[0][2]
    a, b = (chooser(player, rules, names) for player in question.players)
    return Played(arena.Match(rules, starts, (a, b), key), names, question, agreed.cards), agreed, setup
