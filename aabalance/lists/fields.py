"""The fields that lists are judged by: the stated one of a game, one in a file, a single opponent, or a new one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple, cast

from aabalance.cards.faults import read_as
from aabalance.definitions.collections import ENDING, FieldFile, read_for
from aabalance.definitions.lists import any_list, no_units
from aabalance.errors import AabalanceError, UsageError, counted, shown, whole_number
from aabalance.files import data_folder
from aabalance.game import Game, List
from aabalance.lists.allowance import Allowance
from aabalance.lists.oracle import Oracle
from aabalance.lists.payoffs import Field, Payoffs, Units, mixed
from aabalance.play.sample import MOST_SEED

NEAR = 0.05
"""A stated field serves budgets that differ from its own by less than this part."""
MADE = 2_000_000
"""Battles of a field that is made for one question."""

Say = Callable[[str], None]
Opponents = Path | str | Mapping[str, float] | Sequence[List]
"""A file of a field, weights by list, or lists of equal weight."""


class Against(NamedTuple):
    """A field, and what it is in words."""

    field: Field
    words: str


def check_given(
    game: Game,
    seed: object,
    lists: Iterable[List | None] = (),
    field: Opponents | None = None,
    board: str | None = None,
) -> None:
    """Check a seed, the units of lists, a board and the file of a field before the work, which is long.

    Raises
    ------
    UsageError, CardError
        The seed is wrong, a unit or the board is unknown, or the file has faults.
    """
    whole_number("seed", seed, 0, MOST_SEED)
    for given in lists:
        for unit in () if no_units(given) else any_list(given, game.cards).units:
            game.card(unit)
    if isinstance(field, Path | str):
        read_for(game.ruleset, game.cards, FieldFile, Path(field))
    if board is not None:
        _ = game.boards[board]


def against(
    payoffs: Payoffs,
    points: int,
    *,
    field: Opponents | None = None,
    counter: List | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
) -> Against:
    """Return the opponents by which lists are judged.

    Parameters
    ----------
    payoffs : Payoffs
        The roster, and the conditions.
    points : int
        Budget of the lists that are judged.
    field : path, mapping of str to float, or sequence of lists, optional
        A file, weights by list as on the command line, or lists of equal weight.
    counter : list, optional
        The only opponent.
    seed : int
        Seed of the dice with which a field is made, if none is stated for this budget and limit of actions.
    say : callable
        Called with a line of text before a field is made.

    Raises
    ------
    UsageError, CardError
        Both a field and an opponent are given, or either has faults.
    """
    if counter is not None:
        if field is not None:
            raise UsageError("--counter: found it with --field, expected one of them")
        units = payoffs.units(counter)
        return Against(Field((units,), (1.0,)), f"{payoffs.words(units)} ({payoffs.requisition(units)} points)")
    if isinstance(field, Path | str):
        file = read_for(payoffs.game.ruleset, payoffs.game.cards, FieldFile, Path(field), payoffs.units)
        return Against(field_of(payoffs, file), file.title or str(field))
    if field is not None:
        return Against(_given(payoffs, field), f"a field of {counted(len(field), 'list')}")
    known = stated_for(payoffs, points)
    if known is not None:
        return known
    how = f"{points} points, {counted(payoffs.actions, 'action')} and policy {payoffs.policy}"
    say(f"no field is stated for {how}: one is made, of about {MADE:,} battles")
    oracle = Oracle(Allowance(payoffs, points), seed).run([], MADE)
    return Against(mixed(oracle.weights, oracle.lists), f"a field made for {points} points")


def stated(game: Game) -> FieldFile | None:
    """Return the field that is stated for a game; None if there is none."""
    path = data_folder("reports") / f"{game.ruleset.name}{ENDING}"
    return read_as(FieldFile, path) if path.exists() else None


def stated_for(payoffs: Payoffs, points: int) -> Against | None:
    """Return the field that is stated for lists of so many `points`, as `payoffs` has them fight; None without one."""
    file = stated(payoffs.game)
    if file is None or payoffs.policy != "value" or payoffs.actions != file.actions:
        return None
    if abs(points - file.points) <= NEAR * file.points:
        with suppress(AabalanceError):  # other cards lack its units
            return Against(field_of(payoffs, file), f"the stated field of {file.points} points")
    return None


def field_of(payoffs: Payoffs, file: FieldFile) -> Field:
    """Return the field of a `file`, with the cards of `payoffs`."""
    return _added(payoffs, ((one.units, one.weight) for one in file.lists))


def _given(payoffs: Payoffs, field: Any) -> Field:
    """Return a field that is given in Python."""
    if not isinstance(field, Mapping | Sequence) or not field:
        raise UsageError(f"field: found {shown(field)}, expected a file, or lists")
    weighed: Iterable[tuple[List, float]] = (
        field.items() if isinstance(field, Mapping) else ((units, 1.0) for units in field)
    )
    return _added(payoffs, weighed)


def _added(payoffs: Payoffs, weighed: Iterable[tuple[List, float]]) -> Field:
    """Return a field of lists with weights; those of equal lists add up."""
    total: dict[Units, float] = {}
    for given, weight in weighed:
        if not (isinstance(cast("Any", weight), Real) and 0 < weight < math.inf):
            raise UsageError(f"field: found a weight of {shown(weight)}, expected a finite one above 0")
        units = payoffs.units(given)
        total[units] = total.get(units, 0.0) + weight
    return Field.of(total)
