"""Battles as definitions describe them: lists that meet, the faces that units show, and how a battle ends."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from aabalance.cards import Cards
from aabalance.definitions.fields import HOLDING, POLICIES, Actions, PlacedFault, Postures, Rounds
from aabalance.definitions.settings import FRONT, OF_ONE_ATTACK, WEIGHT, row_faults, situation_mix
from aabalance.definitions.units import unit_list
from aabalance.errors import UsageError, one_of, shown
from aabalance.rulesets.base import ANNIHILATION, HOLD, MODES, NEED_ROUNDS, Ruleset


class Battles(BaseModel):
    """Lists of units, which of them meet, and how they fight.

    Attributes
    ----------
    lists : dict
        By name, a list of units as `Game.battle` takes it.
    pairs : tuple of (str, str) or None
        Names of the lists that meet; None for every one against every other.
    situation : dict
        Arguments of `Game.battle`: ``range_in``, ``facing`` (``mix`` too) and others.
    limits : tuple of int
        Action limits of either side for the table of battles; the curves go from 1 to 12.
    policies : tuple of str
        Who acts on whom, each on both sides.
    postures : (str, str)
        Where the units of either side go, as for `Game.battle`; they hold by default.
    mode : str
        How a battle ends: ``annihilation``, ``timed`` or ``domination``.
    rounds : int or None
        Turn limit, turns of each side.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    lists: dict[str, str] = Field(min_length=1)
    pairs: tuple[tuple[str, str], ...] | None = Field(None, min_length=1)
    situation: dict[str, Any]
    limits: tuple[Actions, ...] = Field((3, 5, 8), min_length=1)
    policies: tuple[str, ...] = Field(POLICIES, min_length=1)
    postures: Postures = HOLDING
    mode: str = ANNIHILATION
    rounds: Rounds | None = None

    def met(self) -> list[tuple[str, str]]:
        """Return the names of the lists that meet."""
        return list(itertools.combinations(self.lists, 2)) if self.pairs is None else list(self.pairs)


def posture_of(posture: Any) -> tuple[str, Fraction]:
    """Return the name of a posture in battles, and its distance in inches; 0 if it takes none.

    Raises
    ------
    UsageError
        The posture is unknown, lacks its distance, or has one that it doesn't take.
    """
    from aabalance.engine.battle.postures import POSTURES, TAKES_STEPS

    if not isinstance(posture, str):
        raise UsageError(f"posture: found {shown(posture)}, expected a name such as {HOLD!r}")
    name, colon, text = posture.partition(":")
    if name not in POSTURES:
        raise UsageError(f"posture: {one_of(name, POSTURES)}")
    if name not in TAKES_STEPS:
        if colon:
            raise UsageError(f"posture: found {shown(posture)}, expected {name!r} without a distance")
        return name, Fraction(0)
    try:
        inches = Fraction(str(float(text)))
    except (ValueError, OverflowError):
        inches = Fraction(-1)
    if inches < 0:
        raise UsageError(f"posture: found {shown(posture)}, expected {name}:X with X inches, for example {name}:6")
    return name, inches


def unknown_units(cards: Cards, units: str) -> list[str]:
    """Return an error text for each unit of a list that isn't in the roster."""
    try:
        names = dict.fromkeys(unit_list(units).units)
    except UsageError:
        return []  # a fault of its own, which doesn't depend on the cards
    wrong = []
    for name in names:
        try:
            cards[name]
        except UsageError as error:
            wrong.append(str(error))
    return wrong


def faults(ruleset: Ruleset, table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield the faults of a well-formed table of battles that depend on the game."""
    from aabalance.engine.battle.policies import POLICIES

    if not ruleset.has_battles:
        yield (), f"found some, expected none: what is modelled of {ruleset.labels.title} has no battles"
        return
    for name, units in table["lists"].items():
        try:
            unit_list(units)
        except UsageError as error:
            yield ("lists", name), str(error).removeprefix("list: ")
    for n, pair in enumerate(table.get("pairs", ())):
        yield from ((("pairs", n), one_of(name, table["lists"])) for name in pair if name not in table["lists"])
    if "pairs" not in table and len(table["lists"]) < 2:
        yield ("lists",), "found one, expected two at least"
    for name in table.get("policies", ()):
        if name not in POLICIES:
            yield ("policies",), one_of(name, POLICIES)
    yield from mode_faults(table)
    for n, posture in enumerate(table.get("postures", ())):
        try:
            posture_of(posture)
        except UsageError as error:
            yield ("postures", n), str(error).removeprefix("posture: ")
    for place, message in battle_situation_faults(ruleset, table["situation"]):
        yield ("situation", *place), message


def mode_faults(table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield faults of the mode of a table of battles; one that is None has been refused before."""
    mode = table.get("mode", ANNIHILATION)
    if mode is not None and mode not in MODES:
        yield ("mode",), one_of(mode, MODES)
    if mode in NEED_ROUNDS and "rounds" not in table:
        yield ("mode",), f"found {mode!r} without rounds, expected them"


def battle_situation_faults(ruleset: Ruleset, situation: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield faults of the situation of battles, whose facing may be a face, shares of faces or ``mix``."""
    try:
        mix = situation_mix(lambda **face: tuple(face.items()), situation.get("facing", FRONT))
    except UsageError as error:
        yield ("facing",), str(error).removeprefix("facing: ")
        return
    fields = {name: value for name, value in situation.items() if name != "facing"}
    yield from situation_faults(ruleset, situation, [{**fields, **dict(faces)} for faces in mix])


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
