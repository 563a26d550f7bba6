"""The notation of a game's actions: patterns, by which the number of an action becomes a text, and a text a number.

A pattern is made of words. Those that a game has `Slot`s for, by custom in capitals, stand for a part of the number;
all others stand for themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from aabalance.rulesets.base.board import Square
from aabalance.rulesets.base.match import KINDS, Record, kind_of

ACTORS = "UNIT", "BATTERY"
"""Words of patterns for who acts."""


class Slot(NamedTuple):
    """A word that stands for a part of an action's number.

    Attributes
    ----------
    at, bits : int
        The part: its lowest bit, and how many there are.
    say, read : callable
        From the part to the word, and back. A part whose word is empty isn't said. What is no such word is a
        `LookupError` or a `ValueError`.
    """

    at: int
    bits: int
    say: Callable[[int], str]
    read: Callable[[str], int]


def named(at: int, bits: int, names: Sequence[str]) -> Slot:
    """Return the slot of a part that has names; `at` and `bits` are those of `Slot`."""
    return Slot(at, bits, names.__getitem__, names.index)


def squares(at: int, tables: Record) -> Slot:
    """Return the slot of the squares of a board: their column and row; `at` is that of `Slot`."""
    width, height = int(tables.width), int(tables.height)

    def read(said: str) -> int:
        x, y = map(int, said.split(","))
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(said)
        return x + y * width

    return Slot(at, 16, lambda square: f"{square % width},{square // width}", read)


def pattern_of(number: int, patterns: Mapping[int, str]) -> str:
    """Return the pattern of an action: that of its kind, or of more of its number, where a pattern says more."""
    return patterns.get(number & reduce(or_, patterns)) or patterns[kind_of(number)]


def text(number: int, patterns: Mapping[int, str], slots: Mapping[str, Slot]) -> str:
    """Return the text of an action; its parameters are those of `read`."""
    said = []
    for word in pattern_of(number, patterns).split():
        slot = slots.get(word)
        said.append(slot.say(number >> slot.at & (1 << slot.bits) - 1) if slot else word)
    return " ".join(filter(None, said))


def read(said: str, patterns: Mapping[int, str], slots: Mapping[str, Slot]) -> int:
    """Return the number of the action with a text; one without a pattern is a `ValueError`.

    Parameters
    ----------
    said : str
        The text.
    patterns : mapping of int to str
        By the number of an action that has nothing in its slots.
    slots : mapping of str to Slot
        By the words of the patterns.
    """
    given = said.split()
    for number, pattern in patterns.items():
        expected = pattern.split()
        # The last word may be one that isn't said.
        words = [*given, ""] if len(given) == len(expected) - 1 else given
        try:
            return number | sum(_part(word, slots.get(of), of) for of, word in zip(expected, words, strict=True))
        except (LookupError, ValueError):
            continue
    raise ValueError(said)


def kinds(patterns: Mapping[int, str]) -> dict[str, int]:
    """Return the `MatchRules.kinds` of a game by its patterns: by their first words but those for who acts."""
    found: dict[str, int] = {}
    for kind, pattern in patterns.items():
        if kind < KINDS:
            found.setdefault(next(word for word in pattern.split() if word not in ACTORS).lower(), kind)
    return found


def _part(word: str, slot: Slot | None, expected: str) -> int:
    part = slot.read(word) if slot else 0
    if (slot is None and word != expected) or (slot and not 0 <= part < 1 << slot.bits):
        raise ValueError(word)
    return part << slot.at if slot else 0


# --- parts of a state in words ----------------------------------------------------------------------------------------


def both(numbers: Any) -> dict[str, int]:
    """Return the numbers of both sides by letter."""
    return {"a": int(numbers[0]), "b": int(numbers[1])}


def letter(number: int) -> str | None:
    """Return the letter of a side; None for nobody."""
    return "ab"[number] if number in (0, 1) else None


def name_of(names: Sequence[str], number: int) -> str | None:
    """Return the name of what has a number among `names`; None for a negative one, which stands for nothing."""
    return names[number] if number >= 0 else None


def place_of(tables: Record, square: int) -> Square:
    """Return the column and row of a square."""
    return int(square % tables.width), int(square // tables.width)
