"""Battles as jobs: a list against a list, in plain data, and the result without the battle itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, cast

from aabalance.cards import Cards
from aabalance.definitions.units import unit_list
from aabalance.engine.sampling import Advance
from aabalance.game import Game
from aabalance.jobs import sweeps
from aabalance.jobs.job import Job, Work
from aabalance.play.battle import BattleResult
from aabalance.play.replay import Replay

PAIRS = ("actions", "p_a_ci", "p_b_ci", "p_draw_ci")


class Rules(NamedTuple):
    """The rules that battles are fought by."""

    game: str
    variant: Any

    @property
    def empty(self) -> Game:
        """The game with no cards of its own."""
        from aabalance import rulesets

        return Game(self.game, Cards(rulesets.load(self.game).Card, {}, {}), self.variant)


class Sides(NamedTuple):
    """Two lists that fight each other.

    Attributes
    ----------
    a, b : list
        Cards; those that begin inside a unit stand in a list of their own behind it.
    given : dict
        All other arguments of `Game.battle`.
    more : tuple
        Further arguments of the job's work.
    """

    a: list[Any]
    b: list[Any]
    given: Mapping[str, Any]
    more: tuple[Any, ...] = ()


def sides(game: Game, list_a: Any, list_b: Any, given: Mapping[str, Any], *more: Any) -> Sides:
    """Return two lists in plain data.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    list_a, list_b : list or str
        As for `Game.battle`.
    given : mapping
        All other arguments of `Game.battle`.
    *more
        Further arguments of the job's work.

    Raises
    ------
    UsageError
        A list is wrong, or a unit unknown.
    """
    return Sides(_cards(game, list_a), _cards(game, list_b), given, more)


def _cards(game: Game, given: Any) -> list[Any]:
    (units, inside), cards = unit_list(given), []
    for at, unit in enumerate(units):
        if at not in inside:
            cards.append(game.card(unit))
        elif at - 1 in inside:
            cards[-1].append(game.card(unit))
        else:
            cards.append([game.card(unit)])
    return cards


def job(work: Work, game: Game, rows: Sequence[Sides]) -> Job:
    """Return the job of a function over battles, each a task of its own.

    Parameters
    ----------
    work : callable
        As in `aabalance.jobs.job.Job`.
    game : Game
        The game: a ruleset with its cards and variant.
    rows : sequence of Sides
        The battles: two lists each.
    """
    return Job(work, Rules(game.ruleset.name, game.variant), rows, threaded=True)


def battles(game: Game, rows: Sequence[Sides], advance: Advance = lambda done: None) -> Iterator[BattleResult]:
    """Yield the results of battles; they lack `BattleResult.replay`, which holds the packed battle.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    rows : sequence of Sides
        The battles: two lists each.
    advance : callable
        Called with the number of battles done since the last call.
    """
    for result in from_json((job(fight, game, [row]) for row in rows), advance):
        values: dict[str, Any] = result
        values |= {name: tuple(values[name]) for name in PAIRS if values[name]}
        yield BattleResult(**values, replay=cast(Replay, None))


def from_json(jobs: Iterable[Job], advance: Advance = lambda done: None) -> Iterator[Any]:
    """Yield the results of jobs of one column each, row by row, from JSON."""
    for found in sweeps.run(jobs, advance):
        yield from map(json.loads, found[:, 0])


def fight(rules: Rules, rows: Sequence[Sides], _: Any) -> list[bytes]:
    """Return the results of battles as JSON; see `aabalance.jobs.sweeps`."""
    results = []
    for row in rows:
        result = rules.empty.battle(row.a, row.b, **row.given)
        names = [one.name for one in fields(result) if one.name != "replay"]
        results.append(in_json({name: getattr(result, name) for name in names}))
    return results


def in_json(value: Any) -> bytes:
    """Return a value as JSON, from which every number can be read back exactly."""
    return json.dumps(value).encode()
