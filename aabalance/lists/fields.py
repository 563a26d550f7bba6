"""The fields that lists are judged by: the stated one of a game, one in a file, a single opponent, or a new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from aabalance.definitions.collections import ENDING, FieldFile, read_as
from aabalance.errors import AabalanceError, UsageError
from aabalance.files import data_folder
from aabalance.game import List
from aabalance.lists.allowance import Allowance
from aabalance.lists.oracle import Oracle
from aabalance.lists.payoffs import Field, Payoffs, mixed

NEAR = 0.05
"""A stated field serves budgets that differ from its own by less than this part."""
MADE = 2_000_000
"""Battles of a field that is made for one question."""

Say = Callable[[str], None]


class Against(NamedTuple):
    """A field, and what it is in words."""

    field: Field
    words: str


def against(
    payoffs: Payoffs,
    points: int,
    *,
    path: Path | str | None = None,
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
    path : path, optional
        A file of a field.
    counter : list, optional
        The only opponent.
    seed : int
        Seed of the dice with which a field is made, if none is stated for this budget and limit of actions.
    say : callable
        Called with a line of text before a field is made.

    Raises
    ------
    UsageError, CardError
        Both a file and an opponent are given, or either has faults.
    """
    if counter is not None:
        if path is not None:
            raise UsageError("--counter: found it with --field, expected one of them")
        units = payoffs.units(counter)
        return Against(Field((units,), (1.0,)), payoffs.words(units))
    if path is not None:
        file = read_as(FieldFile, Path(path))
        return Against(_of(payoffs, file), file.title or str(path))
    stated = data_folder("reports") / f"{payoffs.game.ruleset.name}{ENDING}"
    if stated.exists():
        file = read_as(FieldFile, stated)
        fits = abs(points - file.points) <= NEAR * file.points and file.actions == payoffs.actions
        if fits and payoffs.policy == "value":
            try:
                return Against(_of(payoffs, file), f"the stated field of {file.points} points")
            except AabalanceError:
                pass  # other cards: a field of these is made
    say(f"no field is stated for {points} points and {payoffs.actions} actions: one is made, of {MADE:,} battles")
    oracle = Oracle(Allowance(payoffs, points), seed).run([], MADE)
    return Against(Field.of(mixed(oracle.weights, oracle.lists)), f"a field made for {points} points")


def _of(payoffs: Payoffs, file: FieldFile) -> Field:
    return Field.of({payoffs.units(one.units): one.weight for one in file.lists})
