"""The cells of the table of matchups: what an attacker does to a target in each of some situations, and their duels."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel

from aabalance import rulesets
from aabalance.analysis.situations import Situations
from aabalance.definitions.fields import HOLDING, Postures
from aabalance.definitions.settings import OF_ONE_ATTACK
from aabalance.engine import grid
from aabalance.engine.arrays import Floats, Ints
from aabalance.engine.outcome import Outcome, Tally, first_turn_gap, mean, total
from aabalance.engine.sampling import wilson
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.jobs.job import CellResults, Job
from aabalance.play.duel import DuelQuestion, duel
from aabalance.play.sample import Sample
from aabalance.rulesets.base import Ruleset

WORDS = ("name", "nation", "year", "note")
"""Fields of a card that no attack reads."""
EXACT = Sample(None, None, 0, lambda trials: None)

SHOTS = (
    "need",
    "out_of_reach",
    "p_damage",
    "expected_damage",
    "expected_damage_per_action",
    "p_kill",
    "p_kill_turn",
    "expected_shots_to_kill",
    "expected_turns_to_kill",
)
DUELS = ("p_win", "p_draw", "p_loss", "p_win_first", "p_win_second", "first_turn_gap", "player_turns")
ROLLS = ("n", "ci_low", "ci_high")
READ = "read"

CELLS, WALKED, ROLLED = 1 << 19, 1 << 10, 1 << 27
"""Sizes of a task, some seconds' work each: in situations of pairs whose units hold; of pairs of which a unit doesn't;
in duels that are rolled."""


class CellTerms(NamedTuple):
    """The settings of all cells of a table.

    Attributes
    ----------
    game : str
        Name of the game.
    variant : Variant
        The rule switches.
    moments : tuple of Moment
        The moments of attacks: one for each situation.
    mirrored : tuple of Moment
        The moments as the targets see them, in duels; empty without duels.
    rounds, postures
        As in `Situations`.
    simulate : int or None
        How many duels are rolled; None if they are solved.
    seed : int
        Seed of the dice, if duels are rolled.
    tracked : bool
        Add the column `READ`, the last: a bit for each rule switch that was read, in the order of the variant's fields.
    """

    game: str
    variant: Any
    moments: tuple[Any, ...]
    mirrored: tuple[Any, ...] = ()
    rounds: int | None = None
    postures: Postures = HOLDING
    simulate: int | None = None
    seed: int = 0
    tracked: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the numbers of a cell, each there for every moment."""
        duels = (*DUELS, *(ROLLS if self.simulate else ())) if self.mirrored else ()
        return (*SHOTS, *duels, *((READ,) if self.tracked else ()))


def job(
    game: Game,
    terms: CellTerms,
    attackers: Sequence[str],
    targets: Sequence[str],
    against: Game | None = None,
) -> Job:
    """Return the job of the cells of a table.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    terms : CellTerms
        The settings of the cells.
    attackers, targets : sequence of str
        Ids.
    against : Game, optional
        Game that has the targets' cards; `game` by default.
    """
    of_cell, duels, holding = len(terms.moments), bool(terms.mirrored), terms.postures == HOLDING
    rolled = terms.simulate if duels else None
    task = WALKED if duels and not holding else ROLLED // rolled if rolled else CELLS
    units = [game.cards[unit] for unit in attackers], [(against or game).cards[unit] for unit in targets]
    return Job(
        cells,
        terms,
        *units,
        shape=(len(terms.columns), of_cell),
        cells=max(task // of_cell, 1),
        key=fighting(game.ruleset),
        threaded=bool(rolled),
        mirrored=duels and holding and list(attackers) == list(targets),
    )


def fighting(ruleset: Ruleset) -> Callable[[BaseModel], dict[str, Any]]:
    """Return a function that returns all of a card on which its shots and duels depend: not its price or its name."""
    ignored = {*WORDS, ruleset.labels.currency}

    def fields(card: BaseModel) -> dict[str, Any]:
        return {name: value for name, value in card.model_dump(mode="json").items() if name not in ignored}

    return fields


def cells(terms: CellTerms, attackers: Sequence[Any], targets: Sequence[Any], both: bool = False) -> Any:
    """Return the numbers of all cells, of shape (attackers, targets, columns, moments).

    Parameters
    ----------
    terms : CellTerms
        The settings of the cells.
    attackers, targets : sequence of card
        Cards of the units that attack, and of their targets.
    both : bool
        Return those in which the targets are the attackers, too: what they do to each other is worked out once.
    """
    ruleset = rulesets.load(terms.game)
    variant: Any = _TrackedVariant(terms.variant) if terms.tracked else terms.variant
    moments, seen = list(terms.moments), list(dict.fromkeys(terms.mirrored))
    # If attackers and targets are the same units, what a target fires back stands in the same table.
    same = [card.id for card in attackers] == [card.id for card in targets]
    asked = list(dict.fromkeys([*moments, *(seen if same or both else ())]))
    there = grid.grid(ruleset, attackers, targets, asked, variant)
    back, asked_back = there, asked
    if terms.mirrored and not same:
        asked_back = asked if both else seen
        back = grid.grid(ruleset, targets, attackers, asked_back, variant, there.tables)

    def one_way(way: grid.Grid, others: grid.Grid, *sides: Sequence[Any]) -> Any:
        places = [asked.index(moment) for moment in moments], [asked_back.index(moment) for moment in terms.mirrored]
        fire, fired_back = way.of(places[0]), others.plan.take(places[1], axis=2)
        columns = _columns(ruleset, terms, fire, fired_back.transpose(1, 0, 2), sides)
        if terms.tracked:
            columns.append(np.full(fire.plan.shape, variant.bits))
        return np.stack([np.reshape(column, fire.plan.shape) for column in columns], axis=2)

    found = one_way(there, back, attackers, targets)
    return (found, one_way(back, there, targets, attackers)) if both else found


def _columns(
    ruleset: Ruleset, terms: CellTerms, fire: grid.Grid, fired_back: Any, sides: Sequence[Sequence[Any]]
) -> list[Any]:
    """Return the numbers of the columns, from what attackers do to targets, and the plans of these in return."""
    a, b = (np.array([ruleset.toughness(card) for card in some], dtype=np.int64) for some in sides)
    hp = a[:, None, None], b[None, :, None]
    kills = grid.kills(fire, hp[1])
    shot = fire.need, fire.out_of_reach, fire.p_damage, fire.expected_damage, fire.per_action
    columns: list[Any] = [*shot, kills.p_kill, kills.p_kill_turn, kills.shots, kills.turns]
    if not terms.mirrored:
        return columns
    if terms.postures != HOLDING:
        return columns + _walked(ruleset, terms, *sides)
    duels = fire.tables, fire.plan, fired_back, *hp
    if terms.simulate is None:
        orders = grid.duels(*duels, terms.rounds)
        return columns + _solved(*orders, mean(orders))
    ids = [card.id for card in sides[0]], [card.id for card in sides[1]]
    names = (
        [name for name in ids[0] for _ in ids[1] for _ in terms.moments],
        [name for name in ids[1] for _ in terms.moments] * len(ids[0]),
    )
    return columns + _counted(*grid.simulate(*duels, names, terms.simulate, terms.seed, terms.rounds), terms.rounds)


def mirrored(ruleset: Ruleset, situations: Situations) -> tuple[Any, ...]:
    """Return the moments of duels as the targets see them.

    Parameters
    ----------
    ruleset : Ruleset
        The game's rules.
    situations : Situations
        The situations, as the attackers see them.

    Raises
    ------
    UsageError
        A moment has a field that holds for one attack alone.
    """
    seen = []
    for moment in situations.moments:
        situation = _situation(ruleset, moment)
        still = ruleset.initial_moment(situation, moment.range_in)
        moved = next((name for name in ruleset.attack_fields() if getattr(moment, name) != getattr(still, name)), None)
        if moved is not None:
            raise UsageError(f"situations.{moved}: {OF_ONE_ATTACK}; duels=False leaves the duels out")
        seen.append(ruleset.initial_moment(situation.mirrored(moment.range_in), moment.range_in))
    return tuple(seen)


def _situation(ruleset: Ruleset, moment: Any) -> Any:
    """Return a moment without its distance and without what holds for one attack alone."""
    return ruleset.Situation(**{name: getattr(moment, name) for name in ruleset.Situation.model_fields})


def _solved(a_first: Outcome[Floats], b_first: Outcome[Floats], both: Outcome[Floats]) -> list[Any]:
    """Return the numbers of `DUELS` from outcomes by who moves first, and of both; it is a draw if both are lost."""
    chances = both.p_a, both.p_draw + both.p_both, both.p_b
    return [*chances, a_first.p_a, b_first.p_a, first_turn_gap(a_first, b_first), both.player_turns]


def _walked(ruleset: Ruleset, terms: CellTerms, attackers: Sequence[Any], targets: Sequence[Any]) -> list[Any]:
    """Return the numbers of `DUELS` of units that don't both hold, from duels that are solved one by one."""
    places = [(_situation(ruleset, moment), moment.range_in) for moment in terms.moments]
    rows = []
    for a in attackers:
        for b in targets:
            for at, range_in in places:
                question = DuelQuestion(
                    ruleset, terms.variant, (a, b), at, range_in, terms.postures, rounds=terms.rounds
                )
                one = duel(question, EXACT)
                turns = np.inf if one.player_turns is None else one.player_turns
                by_order = one.p_a_moving_first, one.p_a_moving_second, one.first_turn_gap
                rows.append((one.p_a, one.p_draw, one.p_b, *by_order, turns))
    return list(np.array(rows, dtype=float).T)


def _counted(a_first: Tally[Ints], b_first: Tally[Ints], rounds: int | None) -> list[Any]:
    """Return the numbers of `DUELS` and `ROLLS` of counts in both orders of first turn, with their intervals."""
    counts = total((a_first, b_first))
    low, high = zip(*map(wilson, counts.wins_a.tolist(), counts.trials.tolist()), strict=True)
    shares = _solved(*(tally.outcome(limited=rounds is not None) for tally in (a_first, b_first, counts)))
    return [*shares, counts.trials, low, high]


class _TrackedVariant:
    """A variant that remembers which of its switches were read."""

    def __init__(self, variant: Any) -> None:
        self._variant = variant
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        fields = type(self._variant).model_fields
        attribute = inspect.getattr_static(type(self._variant), name, None)
        if isinstance(attribute, cached_property):
            value = attribute.func(self)
        else:
            self.read.update([name] if name in fields else fields)  # which switches a method reads can't be seen
            value = getattr(self._variant, name)
        vars(self)[name] = value  # so that it is asked for once
        return value

    @property
    def bits(self) -> int:
        """A bit for each switch that was read."""
        return sum(1 << at for at, name in enumerate(type(self._variant).model_fields) if name in self.read)


def switches_read(terms: CellTerms, results: CellResults) -> set[str]:
    """Return the names of the rule switches that tracked cells have read, as their last column says.

    Parameters
    ----------
    terms : CellTerms
        The settings of the cells.
    results : CellResults
        The numbers of all cells.
    """
    every = int(np.bitwise_or.reduce(results[:, :, -1, -1].astype(np.int64), axis=None))
    return {name for at, name in enumerate(type(terms.variant).model_fields) if every >> at & 1}
