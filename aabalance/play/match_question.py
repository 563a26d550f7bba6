"""The question of a match: two lists, a board, and what players agree on; and its matches, ready to be played."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from aabalance.definitions.lists import UnitList
from aabalance.definitions.settings import checked
from aabalance.errors import CardError, Fault, UsageError, one_of, shown
from aabalance.play.battle import AGAINST, action_limits
from aabalance.play.policy import Player, chooser
from aabalance.play.result import SIDES, check_turns
from aabalance.play.sample import Sample
from aabalance.rulesets.base import Ruleset

if TYPE_CHECKING:
    from pydantic import BaseModel

    from aabalance.boards import Board
    from aabalance.engine.arrays import Ints
    from aabalance.engine.match.arena import Match
    from aabalance.play.match_log import MatchLog
    from aabalance.play.match_tally import Watched
    from aabalance.rulesets.base.match_rules import Agreement, MatchRules, Start

PLACE = re.compile(r"([ab])([1-9]\d*)")
"""Options that say where a unit begins: the side, and its place in the list from 1."""
IN_LIST = re.compile(r"list (?P<side>[ab]): unit (?P<number>\d+), ")
"""How games name a unit of a list in an error."""
ARGUMENTS = "mission", "rounds", "actions", "first", "simulate", "target_error", "seed"
"""What has an argument, or an option, of its own."""
SMALL = 12
"""Units of both lists up to which a single match is played in plain Python: it takes 2 to 16 seconds, less than the 10
to 50 that it takes to compile the rules. With twice as many it takes a minute."""


class MatchQuestion(NamedTuple):
    """Two lists that play a match; see `aabalance.game.Game.match`.

    Attributes
    ----------
    ruleset : Ruleset
        The game's rules.
    variant : BaseModel
        The rule switches.
    roster : mapping of str to card
        All cards of the game.
    lists : pair of UnitList
        Both sides, with cards in place of ids; both empty if nobody brings units.
    board : Board
        Where they play.
    mission, rounds, actions
        As for `Game.match`.
    first : {"a", "b", "roll_off"}
        Who has the first turn.
    players : pair of str or Policy
        Who plays each side.
    options : mapping
        What else was agreed on, and places of units.
    folders : sequence of str
        Options for folders of cards and boards.
    """

    ruleset: Ruleset
    variant: Any
    roster: Mapping[str, Any]
    lists: tuple[UnitList, UnitList]
    board: Board
    mission: str | None
    rounds: int | None
    actions: Any
    first: str
    players: tuple[Player, Player]
    options: Mapping[str, Any]
    folders: Sequence[str] = ()

    def rules(self) -> MatchRules:
        """Return the game's rules of matches.

        Raises
        ------
        UsageError
            It has none.
        """
        rules = self.ruleset.match()
        if rules is None:
            title = self.ruleset.labels.title
            raise UsageError(f"matches: found none in what is modelled of {title}, expected a game that has them")
        return rules

    def agreed(self) -> tuple[MatchRules, Agreement, dict[str, Any]]:
        """Return the game's rules, what is agreed on with all that was left open, and the set-up for `start`."""
        rules = self.rules()
        try:
            return rules, *rules.agree(self.agreement(rules))
        except UsageError as error:
            found = IN_LIST.match(str(error))
            lines = self.lists[SIDES.index(found["side"])].lines if found else ()
            if found and lines and "".join(found.groups()) not in self.options:
                raise CardError([Fault(lines[int(found["number"]) - 1], str(error))]) from None
            raise

    def agreement(self, rules: MatchRules) -> Agreement:
        """Return what is agreed on, checked as far as it is the same in all games.

        Raises
        ------
        UsageError
            A value is unknown or out of range.
        """
        from aabalance.rulesets.base.match_rules import Agreement

        for card in (card for units in self.lists for card in units.units):
            self.ruleset.cost(card)  # by which matches are scored: refuses a card without any
        rounds = check_turns(self.first, self.rounds)
        if self.actions is not None and not self.ruleset.limits_actions:
            title = self.ruleset.labels.title
            raise UsageError(
                f"actions: found {shown(self.actions)}, expected none: {title} doesn't limit the actions of a turn"
            )
        places = {name: value for name, value in self.options.items() if PLACE.fullmatch(name)}
        options = {name: value for name, value in self.options.items() if name not in places}
        known = *rules.Options.model_fields, "a1"
        if wrong := [name for name in options if name not in known]:
            players = "; who plays is `player_a` and `player_b`" if wrong[0].startswith("player") else ""
            raise UsageError(f"with: {one_of(wrong[0], known, ARGUMENTS)} or another unit's place{players}")
        cards = dict(self.roster)
        lists = [
            _placed(side, units, cards, places, rules.Place) for side, units in zip(SIDES, self.lists, strict=True)
        ]
        if places:
            name = next(iter(places))
            raise UsageError(f"with {name}: found a place, expected a unit of a list")
        return Agreement(
            board=self.board.table,
            lists=(lists[0], lists[1]),
            cards=cards,
            mission=self.mission,
            rounds=rounds,
            actions=None if self.actions is None else action_limits(self.actions),
            first=self.first,
            options=checked(rules.Options, options, "with"),
            variant=self.variant,
        )


def _placed(
    side: str, units: UnitList, cards: dict[str, Any], places: dict[str, Any], schema: type[BaseModel]
) -> list[Start]:
    """Return the units of a list; cards that the roster lacks are added to `cards`, and used `places` taken out."""
    from aabalance.rulesets.base.match_rules import Start

    starts = []
    for at, card in enumerate(units.units):
        name = card.id or card.name
        while cards.setdefault(name, card) != card:
            name += "*"
        place, key = units.places.get(at, schema()), f"{side}{at + 1}"
        if key in places:
            given = places.pop(key)
            given = [_number(part) for part in given.split(",")] if isinstance(given, str) else given
            place = checked(schema, given if isinstance(given, Mapping) else {"at": given}, f"with {key}")
        starts.append(Start(name, place))
    return starts


def _number(text: str) -> int | str:
    text = text.strip()
    return int(text) if text.isdecimal() else text


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
    agreed : Agreement
        What is agreed on.
    setup : mapping
        The set-up, as the game's `agree` has it.
    compiled : bool
        Whether the rules have been compiled, so that players decide quickly.
    """

    match: Match
    names: Any
    question: MatchQuestion
    agreed: Agreement
    setup: Mapping[str, Any]
    compiled: bool = False

    def units(self, side: str) -> Sequence[Any]:
        """Return the cards that a side begins with: those of its list or, without one, of the units on the board."""
        own = self.question.lists[SIDES.index(side)].units
        return own or [self.question.roster[one["type"]] for one in self.setup.get("units", ()) if one["side"] == side]

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
        costs = {name: getattr(card, currency) for name, card in self.agreed.cards.items()}
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


def prepared(question: MatchQuestion, seed: int) -> Played:
    """Return the matches of a question ready to be played."""
    from aabalance.engine import rng
    from aabalance.engine.match import arena

    rules, agreed, setup = question.agreed()
    ids = [[one.card for one in own] for own in agreed.lists]
    key = rng.stream_key(seed, *ids[0], AGAINST, *ids[1], question.board.key)
    firsts = [who for who in SIDES if question.first in (who, "roll_off")]
    begun = [rules.start({**setup, "first": who}, agreed.cards, question.variant) for who in firsts]
    starts, names = tuple((tables, state) for tables, state, _ in begun), begun[0][2]
    a, b = (chooser(player, rules, names) for player in question.players)
    return Played(arena.Match(rules, starts, (a, b), key), names, question, agreed, setup)
