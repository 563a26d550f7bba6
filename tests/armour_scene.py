"""Scenes of matches of Armour Battles: units on a board of a test's own, and dice as they fall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import factorial, prod
from typing import Any, TypeVar

from golden.replay import Replay

from aabalance.rulesets.base import match as base

GUN = {"at_dice": 6, "ranges_in": [8, 16, 32], "reaction_dice": 4}
CARDS: dict[str, dict[str, Any]] = {
    "tank": {"class": "tank", **GUN},
    "destroyer": {"class": "tank_destroyer", **GUN, "open_topped": True},
    "scout": {"class": "reconnaissance", **GUN},
    "truck": {"class": "tank", "reaction_dice": 4},
    "battery": {"class": "battery", "artillery_dice": 6, "reaction_dice": 0},
}
OPEN = ("............",) * 6
GOOD, POOR = [6, 5, 4, 3, 2, 2], [2, 2, 3, 3, 4, 5]
"""Command dice of a side that has the first pulse, and of one that has the second."""

Outcome = TypeVar("Outcome")


def scene(a: Sequence[str], b: Sequence[str], rows: Sequence[str] = OPEN, **keys: Any) -> Replay:
    """A match before its first roll. A unit is a card, and maybe a square, a facing, a number of points, and words."""
    units = [_unit(side, said) for side, own in (("a", a), ("b", b)) for said in own]
    setup = {"board": {"map": list(rows)}, "turn_limit": 3, "units": units, "cards": CARDS, **keys}
    return Replay("armour_battles", setup, plain=True)


def _unit(side: str, said: str) -> dict[str, Any]:
    card, *words = said.split()
    unit: dict[str, Any] = {"side": side, "type": card}
    for word in words:
        if "," in word:
            unit["at"] = list(map(int, word.split(",")))
        elif word.isdigit():
            unit["dp"] = int(word)
        elif word.isupper():
            unit["facing"] = word
        else:
            unit[word] = True
    return unit


def begun(a: Sequence[str], b: Sequence[str], rows: Sequence[str] = OPEN, **keys: Any) -> Replay:
    """A match in which a has the first pulse; it has rolled a 6, 5, 4, 3, 2, 2, and b no 6."""
    match = scene(a, b, rows, **keys)
    match.do("roll", GOOD + POOR)
    return match


def play(match: Replay, *steps: str, dice: Sequence[int] = (), sides: Sequence[int] | None = None) -> dict[str, Any]:
    """Take actions without dice, but for the last; return the state then."""
    for said in steps[:-1]:
        match.do(said, [])
    match.do(steps[-1], list(dice), None if sides is None else list(sides))
    return match.state()


def unit(match: Replay, name: str) -> dict[str, Any]:
    """A unit as it is now; nothing if it is gone."""
    return next((unit for unit in match.state()["units"] if unit["id"] == name), {})


def said(match: Replay, *starts: str) -> list[str]:
    """Legal actions that begin like this."""
    return [action for action in match.legal() if action.startswith(starts)]


def ways(roll: Callable[[Any], Outcome]) -> dict[Outcome, float]:
    """The chances of what a function of dice returns, over all ways in which they can fall."""
    dice, found, more = base.new(base.DICE), dict[Outcome, float](), True
    dice.source = base.ODOMETER
    while more:
        outcome = roll(dice)
        found[outcome] = found.get(outcome, 0.0) + base.chance(dice)
        more = base.next_way(dice)
    return found


def chances_of_faces(number: int) -> Mapping[tuple[int, ...], Fraction]:
    """The chances of so many D6, by how many of them show each face; the first number is of none."""
    return {
        (0, *faces): Fraction(factorial(number) // prod(map(factorial, faces)), 6**number)
        for faces in _split(number, 6)
    }


def _split(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (number,)
        return
    for first in range(number + 1):
        yield from ((first, *rest) for rest in _split(number - first, parts - 1))
