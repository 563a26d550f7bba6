"""The exceptions that users can meet; the command line prints them as they are and exits with 2.

::

    AabalanceError
    ├── UsageError            a wrong argument: range, variant key, situation, posture ...
    │   └── UnknownUnitError  an id that no card has; proposes the nearest
    ├── CardError             unit cards or facts with faults, all of them at once
    └── OutputError           a file or folder that can't be written
"""

from __future__ import annotations

import difflib
import json
import operator
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

LONGEST_SHOWN = 100
LONGEST_TEXT = 60
CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""Control characters, ends of lines, and marks that turn the direction of text: what a terminal or a log obeys."""

# The parts of a pydantic message that don't say what was expected, and our words for some of its words.
SURPLUS = re.compile(r"^(Value error, )?(expected |\w+ should (be|have) )?|, unable to .*$| after validation, not \d+$")
OUR_WORDS = {
    "a valid dictionary": "a table",
    "Extra inputs are not permitted": "no such field",
    "a valid tuple": "a list",
    "a valid list": "a list",
    "a valid string": "a text",
    "a valid date": "a date such as 2026-01-31",
    "a valid boolean": "true or false",
    r"text like '^[^\x00": "a text without a line break or another control character",
    r"text like '^\d+(\.\d+)? ?%": "a part such as '30 %'",
    r"text like '^\d+,\d+$'": "a column and a row such as '5,3'",
    r"text like '\S": "more than blanks",
    r"text like '^[\w-]+$'": "letters, digits, _ and -",
}


class AabalanceError(Exception):
    """Root of everything the package raises on purpose.

    Examples
    --------
    >>> import aabalance as aab
    >>> try:
    ...     aab.Game().shot("de_tigre1", "su_t34_85", range_in=18)
    ... except aab.AabalanceError as error:
    ...     print(error)
    unknown unit 'de_tigre1'; did you mean de_tiger1, de_tiger2, de_leig18?
    """

    def _render_traceback_(self) -> list[str]:
        # What IPython shows: the message says where the fault is, and our own code is not the place to look for it.
        return [f"{type(self).__name__}: {self}"]


class UsageError(AabalanceError):
    """A wrong argument; the message names what was found and what was expected.

    Examples
    --------
    >>> import aabalance as aab
    >>> try:
    ...     aab.Game().duel("de_tiger1", "su_t34_85", range_in=18, posture_a="retreat")
    ... except aab.UsageError as error:
    ...     print(error)
    posture: found 'retreat', expected one of hold, close, cautious, optimal
    """


class UnknownUnitError(UsageError, KeyError):
    """An id or a name without a card.

    Parameters
    ----------
    unit_id : str
        The value that was not found.
    known : iterable of str
        The ids and names there are.

    Examples
    --------
    >>> import aabalance as aab
    >>> try:
    ...     aab.Game().card("de_tigre1")
    ... except aab.UnknownUnitError as error:
    ...     error.nearest
    ('de_tiger1', 'de_tiger2', 'de_leig18')
    """

    def __init__(self, unit_id: str, known: Iterable[str]) -> None:
        self.unit_id = unit_id
        near = difflib.get_close_matches(unit_id, list(known), n=3, cutoff=0.5)
        # Of equals difflib puts the last one first: de_tiger2 before de_tiger1.
        self.nearest = tuple(sorted(near, key=lambda one: (-difflib.SequenceMatcher(None, one, unit_id).ratio(), one)))
        super().__init__(unit_id)

    def __reduce__(self) -> tuple[type[UnknownUnitError], tuple[str, tuple[str, ...]]]:
        return type(self), (self.unit_id, self.nearest)  # the nearest of the nearest are the same

    def __str__(self) -> str:
        hint = (
            f"; did you mean {', '.join(self.nearest)}?"
            if self.nearest
            else "; `aabalance cards` lists those of a --game"
        )
        return f"unknown unit {self.unit_id!r}{hint}"


class Fault(NamedTuple):
    """One fault in a file: where it is and what is wrong."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class CardError(AabalanceError):
    """Faults in cards, facts or report definitions, a line each.

    Parameters
    ----------
    faults : sequence of Fault
        At least one; ``place`` is ``file:line``.

    Examples
    --------
    >>> import aabalance as aab
    >>> try:
    ...     aab.Game(changes=["de_tiger1.hp=-5"])
    ... except aab.CardError as error:
    ...     print(error)
    --set: de_tiger1.hp: found -5, expected greater than or equal to 1; for 5 less than it is: de_tiger1.hp-=5
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[CardError], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)  # its text isn't what it is made of


class OutputError(AabalanceError):
    """A place that can't be written to; nothing was left half-written.

    Examples
    --------
    >>> import aabalance as aab
    >>> issubclass(aab.OutputError, aab.AabalanceError)
    True
    """


def whole_number(what: str, value: Any, least: int, most: int) -> int:
    """Return an argument as an int.

    Parameters
    ----------
    what : str
        Name of the argument, for the error text.
    value : object
        Its value.
    least, most : int
        The smallest and the largest number that is allowed.

    Raises
    ------
    UsageError
        It is no whole number from `least` to `most`.
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        raise UsageError(f"{what}: found {shown(value)}, expected a whole number from {least} to {most}")
    return number


def check_kind(what: str, value: Any, kind: Any, expected: str) -> None:
    """Refuse a value of another kind than `kind`, as for `isinstance`; `what` names it, `expected` says it in words."""
    if not isinstance(value, kind):
        raise UsageError(f"{what}: found {shown(value)}, expected {expected}")


def check_list(what: str, value: Any, expected: str) -> None:
    """Refuse a `value` that is a text, or has no parts, for a list; `what` names it, `expected` says it in words."""
    with suppress(TypeError):
        if not isinstance(value, str) and iter(value) is not None:  # an array of no dimension only looks iterable
            return
    raise UsageError(f"{what}: found {shown(value)}, expected {expected}")


def check_word(what: str, word: Any, allowed: Iterable[str]) -> None:
    """Refuse a `word` that is none of those `allowed`, or no text at all; `what` names it."""
    words = list(allowed)
    if not isinstance(word, str) or word not in words:  # an array is never one, and can't be looked for
        raise UsageError(f"{what}: {one_of(word, words)}")


def one_of(word: object, allowed: Iterable[str], elsewhere: Iterable[str] = ()) -> str:
    """Return the part of an error text that names a wrong word, the nearest allowed word and all allowed words.

    The nearest may be a word that has its place `elsewhere`, such as another argument.
    """
    words = list(allowed)
    near = difflib.get_close_matches(str(word), [*words, *elsewhere], n=1)
    hint = f" (did you mean {near[0]!r}?)" if near and shown(near[0]) != shown(word) else ""
    return f"found {shown(word)}{hint}, expected one of {', '.join(words)}"


class _Cut(reprlib.Repr):
    """Shortens the text of values; unlike its parent it keeps fields in order, and writes all as files do."""

    def repr_date(self, x: object, level: int) -> str:
        return str(x)

    repr_datetime = repr_time = repr_date

    def repr_bool(self, x: bool, level: int) -> str:
        return str(x).lower()

    def repr_NoneType(self, x: None, level: int) -> str:
        return "none"

    def repr_tuple(self, x: tuple[Any, ...], level: int) -> str:
        return self.repr_list(list(x), level)

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        if level <= 0 and x:
            return "{...}"
        pieces = [f"{key(name)} = {self.repr1(x[name], level - 1)}" for name in list(x)[: self.maxdict]]
        return "{ " + ", ".join([*pieces, *(["..."] if len(x) > self.maxdict else [])]) + " }" if x else "{}"


def shown(value: object) -> str:
    """Return the text of a value for a message: on one line, and shortened where it is long or deeply nested."""
    cut = _Cut()
    cut.maxlevel, cut.maxstring, cut.maxother = 3, LONGEST_TEXT, LONGEST_TEXT
    try:
        text = " ".join(cut.repr(value).splitlines())
    except ValueError:
        return "a number of thousands of digits"  # Python refuses to write it down
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def key(name: Any) -> str:
    """Return the name of a field as TOML writes it."""
    return str(name) if re.fullmatch(r"[\w-]+", str(name), re.ASCII) else json.dumps(str(name), ensure_ascii=False)


def printable(text: str) -> str:
    """Return a text as one line that no terminal obeys: each control character in it is a blank or a question mark."""
    return re.sub(f"[{CONTROLS}]", lambda found: " " if found[0].isspace() else "?", text)


def expectation(fault: Mapping[str, Any]) -> str:
    """Return what a fault of pydantic expected, in our words, to stand after "expected"."""
    if fault["type"] == "missing":
        return f"a value for {fault['loc'][-1]}"
    text = SURPLUS.sub("", fault["msg"]).replace("String should match pattern", "text like")
    return next((ours for theirs, ours in OUR_WORDS.items() if text.startswith(theirs)), text)


def counted(number: int, thing: str) -> str:
    """Return a number and a noun: ``1 card``, ``2 cards``."""
    return f"{number} {thing if number == 1 else f'{thing}s'}"


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)
