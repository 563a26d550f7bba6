"""Faults that report definitions and gates have in common: in the game's name, and in battles and their situations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from aabalance import rulesets
from aabalance.analysis.situations import WEIGHT, listed_faults
from aabalance.cards.lines import Place, dotted, line_of
from aabalance.errors import Fault, UsageError, one_of
from aabalance.game import Game
from aabalance.play.battle import FRONT, listed, views_of
from aabalance.play.settings import OF_ONE_ATTACK
from aabalance.rulesets.base import ANNIHILATION, MODES, NEED_ROUNDS, Ruleset

PlacedFault = tuple[Place, str]
"""A fault: its place in a table, and what was found and expected."""


def placed(path: Path, faults: Iterable[PlacedFault]) -> list[Fault]:
    """Return faults of a file with its path and their lines, each once."""
    once = dict.fromkeys((f"{path}:{line_of(path, place)}", dotted(place), text) for place, text in faults)
    return [Fault(where, f"{name}: {text}") for where, name, text in once]


def of_game(name: str, expected: str | None) -> list[PlacedFault]:
    """Return the fault of the game that a file is about, if it has one.

    Parameters
    ----------
    name : str
        The game's name in the file.
    expected : str or None
        The game that was asked for; None for any.
    """
    if expected is not None and name != expected:
        return [(("game",), f"found {name!r}, expected {expected!r}, the game that was asked for")]
    try:
        rulesets.load(name)
    except UsageError as error:
        return [(("game",), str(error).removeprefix("game: "))]
    return []


def of_mode(table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield faults of the mode of a table of battles; one that is None has been refused before."""
    mode = table.get("mode", ANNIHILATION)
    if mode is not None and mode not in MODES:
        yield ("mode",), one_of(mode, MODES)
    if mode in NEED_ROUNDS and "rounds" not in table:
        yield ("mode",), f"found {mode!r} without rounds, expected them"


def of_battle_situation(ruleset: Ruleset, situation: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield faults of the situation of battles, whose facing may be a face, shares of faces or ``mix``."""
    try:
        views = views_of(lambda **face: tuple(face.items()), situation.get("facing", FRONT))
    except UsageError as error:
        yield ("facing",), str(error).removeprefix("facing: ")
        return
    fields = {name: value for name, value in situation.items() if name != "facing"}
    yield from of_situation(ruleset, situation, [{**fields, **dict(view)} for view in views])


def of_situation(
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
    for place, message in listed_faults(ruleset.Moment, [{**row, WEIGHT: 1 / len(rows)} for row in rows]):
        yield place[1:2], message


def unknown_units(game: Game, units: str) -> list[str]:
    """Return an error text for each unit of a list of units that isn't in the roster."""
    try:
        ids = dict.fromkeys(listed(units))
    except UsageError:
        return []  # a fault of its own, which doesn't depend on the cards
    wrong = []
    for unit in ids:
        try:
            game.card(unit)
        except UsageError as error:
            wrong.append(str(error))
    return wrong
