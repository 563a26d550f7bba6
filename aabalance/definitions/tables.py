"""The tables of a report definition: battles, matches, worth on boards, the tuning prices are compared by, pictures.

Battles stand in gates as well, with the same faults.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from aabalance.cards import Cards
from aabalance.cards.tables import Place, PlacedFault
from aabalance.definitions import fields
from aabalance.definitions.lists import unit_list
from aabalance.definitions.settings import FRONT, OF_ONE_ATTACK, WEIGHT, row_faults, situation_mix
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.base import ANNIHILATION, MODES, TIMED, Keys, Line, Ruleset

BUDGETS = (100.0, 200.0, 400.0)
LIMITS = (3, 5, 8)
STEPS = {0.0: 1.0, 50.0: 5.0}
FLOOR_SHARE = 1 / 40
"""The least price, as a share of the largest budget: it bounds how many units a side may have."""
RATIO = fields.MOST_OF_A_KIND - 1
"""Largest ratio of a price or budget to the least price: a battle has room for so many of the cheapest unit, and one
more."""

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Battles(Keys):
    """Lists of units, which of them meet, and how they fight.

    Attributes
    ----------
    lists : dict
        Lists of units by name, as `Game.battle` takes them.
    pairs : tuple of (str, str) or None
        Names of the lists that meet; None for each against every other.
    situation : dict
        Arguments of `Game.battle`: ``range_in``, ``facing`` (``mix`` too) and others.
    limits : tuple of int
        Action limits of each side in the table of battles; the curves run from 1 to 12.
    policies : tuple of str
        Policies, each for both sides.
    mode : str
        How a battle ends: ``annihilation`` or ``timed``.
    rounds : int or None
        Limit of turns of each side.
    """

    lists: dict[Line, str] = Field(min_length=1)
    pairs: tuple[tuple[str, str], ...] | None = Field(None, min_length=1)
    situation: dict[str, Any]
    limits: tuple[fields.Actions, ...] = Field((3, 5, 8), min_length=1)
    policies: tuple[str, ...] = Field(fields.POLICIES, min_length=1)
    mode: str = ANNIHILATION
    rounds: fields.Rounds | None = None

    def met(self) -> list[tuple[str, str]]:
        """Return the names of the lists that meet."""
        return list(itertools.combinations(self.lists, 2)) if self.pairs is None else list(self.pairs)


class Matches(Keys):
    """Matches on boards: every pair of lists on every board, in every mission, length and limit, by all players.

    Attributes
    ----------
    lists : dict
        Lists of units by name, as `Game.match` takes them; none if boards bring units, or if units are bought.
    pairs : tuple of (str, str) or None
        As in `Battles`.
    boards : tuple of str
        Names of boards.
    missions : tuple of str
        How matches are won; none for the game's own.
    rounds : tuple of int
        Limits of rounds; none for the game's own.
    actions : tuple of (int or (int, int))
        Limits of actions in a turn, of both sides or of each; none for the game's own.
    players : tuple of str
        Players, each for both sides.
    options : dict
        Other terms of the match, as `Game.match` takes them.
    simulate : int
        Number of matches for each row.
    watched : int
        Number of them that are watched, decision by decision; see `aabalance.matches`.
    luck : bool
        Whether scores without the luck of the dice are given, too.
    """

    lists: dict[Line, str] = Field({})
    pairs: tuple[tuple[str, str], ...] | None = Field(None, min_length=1)
    boards: tuple[str, ...] = Field(min_length=1)
    missions: tuple[str, ...] = ()
    rounds: tuple[fields.Rounds, ...] = ()
    actions: tuple[fields.Actions | tuple[fields.Actions, fields.Actions], ...] = ()
    players: tuple[str, ...] = Field(("greedy",), min_length=1)
    options: dict[str, Any] = Field({})
    simulate: int = Field(200, ge=1, le=10**6)
    watched: int = Field(20, ge=0, le=10_000)
    luck: bool = False


class BoardWorth(Keys):
    """What units are worth on boards, by matches of random lists.

    Attributes
    ----------
    boards : tuple of str
        Names of boards without units of their own.
    missions : tuple of str
        How matches are won; none for the game's own.
    rounds : int or None
        Limit of rounds; none for the game's own.
    actions : int or None
        Limit of actions in a turn; none for the game's own.
    matches : int
        Most matches on each board in each mission; compiling for the first match takes longer than all of these.
    """

    boards: tuple[str, ...] = Field(min_length=1)
    missions: tuple[str, ...] = ()
    rounds: fields.Rounds | None = None
    actions: fields.Actions | None = None
    matches: int = Field(1200, ge=2, le=10**6)


def match_faults(ruleset: Ruleset, table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield the faults of a well-formed table of matches that depend on the game, but not on cards and boards."""
    from aabalance.engine.match import players

    if ruleset.match() is None:
        yield (), f"found some, expected none: what is modelled of {ruleset.labels.title} has no matches"
        return
    yield from _list_faults(table)
    for name in table.get("players", ()):
        yield from fields.as_fault(("players",), partial(players.number, name), "player")


def unknown_units(cards: Cards, units: str) -> list[str]:
    """Return an error text for each unit of a list that isn't in the roster."""
    wrong: dict[str, None] = {}
    for piece in units.split(","):
        with suppress(UsageError):  # a fault of its own, which doesn't depend on the cards
            unit_list(piece, None)
            try:
                unit_list(piece, cards)
            except UsageError as error:
                wrong[str(error)] = None
    return list(wrong)


def battle_faults(ruleset: Ruleset, table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield the faults of a well-formed table of battles that depend on the game."""
    from aabalance.engine.battle.policies import POLICIES

    if not ruleset.has_battles:
        yield (), f"found some, expected none: what is modelled of {ruleset.labels.title} has no battles"
        return
    yield from _list_faults(table)
    for name in table.get("policies", ()):
        if name not in POLICIES:
            yield ("policies",), one_of(name, POLICIES)
    yield from mode_faults(table)
    for place, message in battle_situation_faults(ruleset, table["situation"]):
        yield ("situation", *place), message


def _list_faults(table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield faults of lists, and of pairs of them."""
    lists = table.get("lists", {})
    for name, units in lists.items():
        yield from fields.as_fault(("lists", name), partial(unit_list, units, None), "list")
    for n, pair in enumerate(table.get("pairs", ())):
        wrong = (name for name in pair if name not in lists)
        yield from ((("pairs", n), one_of(name, lists or ["those in `lists`"])) for name in wrong)
    if "pairs" not in table and len(lists) == 1:
        yield ("lists",), "found one, expected two at least"


def mode_faults(table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield faults of the mode of a table of battles; one that is None has been refused before."""
    mode = table.get("mode", ANNIHILATION)
    if mode is not None and mode not in MODES:
        yield ("mode",), one_of(mode, MODES)
    if mode == TIMED and "rounds" not in table:
        yield ("mode",), f"found {mode!r} without rounds, expected them"


def battle_situation_faults(ruleset: Ruleset, situation: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield faults of the situation of battles, whose facing may be a face, shares of faces or ``mix``."""
    try:
        mix = situation_mix(lambda **face: tuple(face.items()), situation.get("facing", FRONT))
    except UsageError as error:
        yield ("facing",), str(error).removeprefix("facing: ")
        return
    others = {name: value for name, value in situation.items() if name != "facing"}
    yield from situation_faults(ruleset, situation, [{**others, **dict(faces)} for faces in mix])


def situation_faults(
    ruleset: Ruleset, situation: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> Iterator[PlacedFault]:
    """Yield faults of a situation of duels or battles.

    Parameters
    ----------
    ruleset : Ruleset
        The game's rules.
    situation : mapping
        As it stands in the file.
    rows : sequence of mapping
        The single situations that it stands for.
    """
    if "range_in" not in situation:
        yield (), "found no range_in, expected a distance"
        return
    if not rows:
        yield (), "found a list without values, expected one at least"
        return
    for name in ruleset.attack_fields():
        if name in situation:
            yield (name,), OF_ONE_ATTACK
    for place, message in row_faults(ruleset.Moment, [{**row, WEIGHT: 1 / len(rows)} for row in rows]):
        yield place[1:2], message


def _from_0(steps: dict[float, float]) -> dict[float, float]:
    if 0 not in steps:
        raise ValueError("steps from 0 on")
    sizes = [size for _, size in sorted(steps.items())]
    for start, before, size in zip(sorted(steps)[1:], sizes, sizes[1:], strict=False):
        if any(not math.isclose(start / one, round(start / one)) for one in (before, size)):
            raise ValueError(f"steps that begin at a multiple of {before:g} and of {size:g}, where one changes")
    return steps


class Tuning(Keys):
    """The conditions under which units are compared, and the bounds of their prices.

    Attributes
    ----------
    budgets : tuple of float
        Requisition of each side; all count alike.
    limits : tuple of int
        Action limits per turn; all count alike.
    weights : dict
        How much units count as opponents, by id; 1 for all others.
    anchors : dict or None
        Given prices by id, which set the scale; None for the game's reference unit at its cost.
    steps : dict
        Steps that prices are rounded to, by the price from which each applies; a single one applies from 0.
    floor : float or None
        The least price; None for a fortieth of the largest budget.
    largest_change : float or None
        How far prices may move, as a share of the present price: 0.25 for a quarter up or down; None for no limit.
    locked : tuple of str
        Units that keep their price.
    """

    budgets: tuple[Positive, ...] = Field(BUDGETS, min_length=1)
    limits: tuple[fields.Actions, ...] = Field(LIMITS, min_length=1)
    weights: dict[str, NotNegative] = Field({})
    anchors: dict[str, Positive] | None = Field(None, min_length=1)
    steps: Annotated[dict[NotNegative, Positive], AfterValidator(_from_0)] = STEPS
    floor: Positive | None = None
    largest_change: Positive | None = None
    locked: tuple[str, ...] = ()

    def within(self, cards: Cards) -> Self:
        """Return a copy without units that the roster lacks, so that the shipped definition suits any roster."""
        return self._with_units({unit: unit for _, unit in self.units() if unit in cards})

    def changed(self, cards: Cards, **changes: Any) -> Self:
        """Return a copy with other values; units may be given by id or name.

        Raises
        ------
        UsageError
            A value is wrong, there is no such field, or no such unit.
        """
        found = fields.changed(self, "tune", changes)
        return found._with_units({unit: cards.id_of(unit) for _, unit in found.units()})

    def _with_units(self, ids: Mapping[str, str]) -> Self:
        """Return a copy with its units renamed by `ids`; units without an id go."""
        weights, anchors = (
            {ids[unit]: number for unit, number in of.items() if unit in ids}
            for of in (self.weights, self.anchors or {})
        )
        locked = tuple(ids[unit] for unit in self.locked if unit in ids)
        return self.model_copy(update={"weights": weights, "anchors": anchors or None, "locked": locked})

    @property
    def least(self) -> float:
        """The least price."""
        return FLOOR_SHARE * max(self.budgets) if self.floor is None else self.floor

    @property
    def largest(self) -> float:
        """The largest price: against a dearer unit, more of the cheapest would be needed than can be fought."""
        return RATIO * self.least

    def units(self) -> list[tuple[Place, str]]:
        """Return the units that are named, each with its place in the table."""
        named: list[tuple[Place, str]] = [(("weights", unit), unit) for unit in self.weights]
        named += [(("anchors", unit), unit) for unit in self.anchors or ()]
        return named + [(("locked", index), unit) for index, unit in enumerate(self.locked)]

    def refuse_fixed(self, units: Iterable[str]) -> None:
        """Raise a UsageError where units that are to get new prices, by id, are anchors or locked."""
        for unit in units:
            if unit in (self.anchors or ()) or unit in self.locked:
                raise UsageError(f"units: found {unit}, whose price an anchor or a lock fixes, expected others")

    def contradictions(self) -> list[PlacedFault]:
        """Return values that contradict each other, so that battles can't find prices."""
        wrong: list[PlacedFault] = []
        if self.largest < max(self.budgets):
            fits = max(self.budgets) / RATIO
            wrong.append((("floor",), f"found {self.least:g}, expected {fits:.4g} at least, or smaller budgets"))
        for unit, price in (self.anchors or {}).items():
            if not self.least <= price <= self.largest:
                bounds = f"from {self.least:g}, the floor, to {self.largest:g}"
                wrong.append((("anchors", unit), f"found {price:g}, expected a price {bounds}"))
            if unit in self.locked:
                wrong.append((("anchors", unit), "found a unit that is locked, too, expected one or the other"))
            if self.weights.get(unit) == 0:
                wrong.append((("anchors", unit), "found a unit of weight 0, expected one that counts"))
        return wrong


def tuning_faults(ruleset: Ruleset, table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield the faults of a well-formed table of tuning that depend on the game, or on several of its fields."""
    if not ruleset.limits_actions:
        yield (), f"found some, expected none: {ruleset.unpriced}"
        return
    yield from Tuning.model_validate(table).contradictions()


class Plots(Keys):
    """What the pictures show.

    Attributes
    ----------
    kill_probability : tuple of (str, str)
        Attacker and target of each curve.
    turns : int
        Number of turns of holding within which the target has to be destroyed.
    max_range_in : int
        Largest distance of the curves.
    min_range_in : int
        Least distance of the curves.
    """

    kill_probability: tuple[tuple[str, str], ...] = ()
    turns: int = Field(fields.WITHIN_TURNS, ge=1, le=100)
    max_range_in: int = Field(fields.RANGES[-1], ge=1, le=1000)
    min_range_in: int = Field(fields.RANGES[0], ge=0, le=1000)

    @field_validator("min_range_in")
    @classmethod
    def _not_above_largest(cls, least: int, given: ValidationInfo) -> int:
        if least > (largest := given.data.get("max_range_in", least)):
            raise ValueError(f"at most {largest}, which is max_range_in")
        return least

    @property
    def ranges(self) -> range:
        """The distances of the curves."""
        return range(self.min_range_in, self.max_range_in + 1)
