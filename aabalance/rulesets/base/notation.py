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
from aabalance.rulesets.base.match import KIND, KINDS, NUMBER, Bits, Record, part_of

ACTORS = "UNIT", "BATTERY"
"""Words of patterns for who acts."""


class Slot(NamedTuple):
    """A word that stands for a part of an action's number.

    Attributes
    ----------
    part : Bits
        The part of the number.
    say, read : callable
        From the part to the word, and back. A part whose word is empty isn't said. What is no such word is a
        `LookupError` or a `ValueError`.
    """

    part: Bits
    say: Callable[[int], str]
    read: Callable[[str], int]


def named(part: Bits, names: Sequence[str]) -> Slot:
    """Return the slot of a part that has names."""
    return Slot(part, names.__getitem__, names.index)


def squares(tables: Record) -> Slot:
    """Return the slot of the squares of a board: their column and row."""
    width, height = int(tables.width), int(tables.height)

    def read(said: str) -> int:
        x, y = map(int, said.split(","))
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(said)
        return x + y * width

    return Slot(NUMBER, lambda square: f"{square % width},{square // width}", read)


def patterns_and_sections(actions: Mapping[int, tuple[str, str]]) -> tuple[dict[int, str], dict[str, str]]:
    """Return the `MatchRules.patterns` of a game, and its `MatchRules.sections`.

    Parameters
    ----------
    actions : mapping of int to (str, str)
        By number of an action, its pattern and the section of the rulebook behind it; empty if there is none.
    """
    patterns = {number: pattern for number, (pattern, _) in actions.items()}
    return patterns, {verb_of(pattern): section for pattern, section in actions.values() if section}


def verb_of(pattern: str) -> str:
    """Return what is done in an action with a pattern: its first word but those for who acts."""
    return next(word for word in pattern.split() if word not in ACTORS).lower()


def pattern_of(number: int, patterns: Mapping[int, str]) -> str:
    """Return the pattern of an action: that of its kind, or of more of its number, where a pattern says more."""
    return patterns.get(number & reduce(or_, patterns)) or patterns[part_of(number, KIND)]


def text(number: int, patterns: Mapping[int, str], slots: Mapping[str, Slot]) -> str:
    """Return the text of an action; its parameters are those of `read`."""
    said = []
    for word in pattern_of(number, patterns).split():
        slot = slots.get(word)
        said.append(slot.say(part_of(number, slot.part)) if slot else word)
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


def kinds(patterns: Mapping[int, str], **together: str) -> dict[str, int]:
    """Return the `MatchRules.kinds` of a game by its patterns: by what is done, and by words for several of these."""
    found: dict[str, int] = {}
    for kind, pattern in patterns.items():
        if kind < KINDS:
            found[verb_of(pattern)] = found.get(verb_of(pattern), 0) | 1 << kind
    return found | {word: reduce(or_, (found[verb] for verb in verbs.split())) for word, verbs in together.items()}


def _part(word: str, slot: Slot | None, expected: str) -> int:
    if slot is None:
        if word != expected:
            raise ValueError(word)
        return 0
    read = slot.read(word)
    if not 0 <= read < 1 << slot.part.width:
        raise ValueError(word)
    return read << slot.part.at


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
