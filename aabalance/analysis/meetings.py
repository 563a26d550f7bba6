"""Matches as jobs in plain data: a `Meeting` of two lists on a board is played in any process, and its result kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from aabalance import rulesets
from aabalance.analysis.battles import from_json, in_json
from aabalance.analysis.luck import without_luck
from aabalance.boards import Board
from aabalance.definitions.lists import UnitList
from aabalance.engine.sampling import Advance
from aabalance.game import Game
from aabalance.jobs.job import Job, Work
from aabalance.play.match import match
from aabalance.play.match_question import MatchQuestion
from aabalance.play.match_tally import tally
from aabalance.play.policy import by_name
from aabalance.play.sample import Sample
from aabalance.rulesets.base import Ruleset

LEFT_OUT = "played", "provenance", "options", "variant"
"""Fields of a result that aren't kept."""


class Rules(NamedTuple):
    """The rules that matches are played by; `roster` has the cards that may come into a match without a list."""

    game: str
    variant: Any
    roster: tuple[Any, ...]


class Meeting(NamedTuple):
    """Two lists that play matches on a board.

    Attributes
    ----------
    lists : pair of UnitList
        Both lists with their cards; without units if nobody brings some.
    board, table : str and mapping
        The board's name, and its file.
    terms : mapping
        The other fields of the `MatchQuestion`.
    matches, seed : int
        How many matches are played, and the seed.
    watched : int
        How many of them are watched, decision by decision.
    luck : bool
        Whether the score is told without the luck of dice, too.
    more : tuple
        Further arguments of the job's work.
    """

    lists: tuple[UnitList, UnitList]
    board: str
    table: Mapping[str, Any]
    terms: Mapping[str, Any]
    matches: int
    seed: int
    watched: int = 0
    luck: bool = False
    more: tuple[Any, ...] = ()


def meeting(question: MatchQuestion, matches: int, seed: int = 0, **asked: Any) -> Meeting:
    """Return matches in plain data; what can't be played is a `UsageError` now and not in a job.

    Parameters
    ----------
    question : MatchQuestion
        From `Game.match_question`.
    matches, seed, **asked
        As in `Meeting`.
    """
    question.agreed()
    return in_plain_data(question, matches, seed, **asked)


def in_plain_data(question: MatchQuestion, matches: int, seed: int, **asked: Any) -> Meeting:
    """Return matches in plain data, without asking whether they can be played: lists may be filled in later.

    Parameters
    ----------
    question : MatchQuestion
        From `Game.match_question`.
    matches, seed, **asked
        As in `Meeting`.
    """
    by_name(question.players)
    terms = {name: getattr(question, name) for name in ("mission", "rounds", "actions", "first", "players", "options")}
    a, b = (units._replace(places=dict(units.places)) for units in question.lists)
    return Meeting((a, b), question.board.key, question.board.table, terms, matches, seed, **asked)


def job(work: Work, game: Game, rows: Sequence[Meeting]) -> Job:
    """Return the job of a function over matches, a task for each meeting.

    Parameters
    ----------
    work : callable
        As in `aabalance.jobs.job.Job`.
    game : Game
        The game.
    rows : sequence of Meeting
        What is played.
    """
    tables = [row.table for row in rows]
    return Job(work, rules_of(game.ruleset, game.variant, game.cards, tables), rows, threaded=True)


def rules_of(ruleset: Ruleset, variant: Any, cards: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]) -> Rules:
    """Return the rules of matches on boards, with the cards that they need.

    Parameters
    ----------
    ruleset, variant, cards
        The game: its rules, switches and cards, by id.
    tables : sequence of mapping
        The boards' files.
    """
    rules = ruleset.match()
    brought = {unit["type"] for table in tables for unit in table.get("units", ())}
    whole = rules is not None and rules.whole_roster
    return Rules(ruleset.name, variant, tuple(card for unit, card in cards.items() if whole or unit in brought))


def play(game: Game, rows: Sequence[Meeting], advance: Advance = lambda done: None) -> Iterator[dict[str, Any]]:
    """Yield the results of matches as plain values: the fields of a `MatchResult`, and of those watched the ``tally``.

    Parameters
    ----------
    game : Game
        The game.
    rows : sequence of Meeting
        What is played.
    advance : callable
        Called with the number of meetings done since the last call.
    """
    yield from from_json((job(met, game, [row]) for row in rows), advance)


def met(rules: Rules, rows: Sequence[Meeting], _: Any) -> list[bytes]:
    """Return the results of matches as JSON; see `aabalance.jobs.sweeps`."""
    results = []
    for row in rows:
        result = match(question_of(rules, row), Sample(row.matches, None, row.seed, lambda done: None))
        values = {name: value for name, value in vars(result).items() if name not in LEFT_OUT}
        values["scores"] = result.scores.tolist()
        more = {
            "tally": tally(result.played.watch(row.watched)) if row.watched else None,
            "luck": without_luck(result)._asdict() if row.luck else None,
        }
        results.append(in_json({**values, **more}))
    return results


def question_of(rules: Rules, row: Meeting) -> MatchQuestion:
    """Return the question of a meeting."""
    ruleset, roster = rulesets.load(rules.game), {card.id: card for card in rules.roster}
    drawn = ruleset.match()
    assert drawn is not None
    board = Board.of(row.board, row.table, drawn.board, roster)
    return MatchQuestion(
        ruleset=ruleset, variant=rules.variant, roster=roster, lists=row.lists, board=board, **row.terms
    )
