"""Reads each game's ``rulebook.toml``: where each rule is modelled, and which points the rulebook leaves open."""

from __future__ import annotations

import inspect
import types
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, Field, ValidationInfo
from pydantic_core import PydanticCustomError, PydanticKnownError

from aabalance.cards.faults import read_as
from aabalance.cards.tables import line_of
from aabalance.errors import CardError, Fault, UsageError, one_of
from aabalance.rulesets.base import Ruleset, StrictKeys

FILE = "rulebook.toml"
USED_IN = ("card", "shot", "duel", "battle", "match")
WHY_NOT = "not modelled: "

Kind = Literal["modelled", "function only", "not modelled", "not a combat rule"]


def _modelled(modelled: str) -> str:
    uses = modelled.split(", ")
    known = modelled in ("function only", "not a combat rule") or modelled.removeprefix(WHY_NOT) not in ("", modelled)
    if not known and uses != [use for use in USED_IN if use in uses]:
        expected = f"expected {', '.join(USED_IN)} in this order, function only, not a combat rule, or {WHY_NOT}why"
        raise PydanticCustomError("modelled", expected)
    return modelled


def _kind(modelled: str) -> Kind:
    if modelled.startswith(WHY_NOT):
        return "not modelled"
    if modelled == "not a combat rule":
        return "not a combat rule"
    return "function only" if modelled == "function only" else "modelled"


def _shown(names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """Check that a rule names functions and tests if it is modelled, and none if it isn't."""
    if "modelled" not in info.data:  # that field is wrong, and its fault is reported already
        return names
    kind = _kind(info.data["modelled"])
    if not names and kind in ("modelled", "function only"):
        raise PydanticKnownError("missing")
    if names and kind in ("not modelled", "not a combat rule"):
        raise PydanticCustomError("shown", "expected none of a rule that is {kind}", {"kind": kind})
    return names


Text = Annotated[str, Field(min_length=1)]
Names = Annotated[tuple[Text, ...], Field(strict=False)]
Shown = Annotated[Names, AfterValidator(_shown), Field(validate_default=True)]


class Rule(StrictKeys):
    """A rule of the rulebook, and where the package carries it out.

    Attributes
    ----------
    section : str
        Section of the rulebook.
    rule : str
        The rule in one line.
    modelled : str
        What uses the rule: ``card`` (numbers and price of a card), ``shot``, ``duel``, ``battle`` and ``match``, in
        this order and separated by commas; ``function only`` if no command calls its functions; ``not a combat rule``;
        or ``not modelled: why``.
    functions : tuple of str
        Functions that carry out the rule, as paths in the game's package: ``keywords.scout``, or
        ``keywords.scout:attack`` if the rule is what the parameter ``attack`` does. Empty if it isn't modelled.
    tests : tuple of str
        Names of test functions that show the rule. Empty if it isn't modelled.
    points : tuple of str
        Numbers of the open points on which the rule depends.
    """

    section: Text
    rule: Text
    modelled: Annotated[str, AfterValidator(_modelled)]
    functions: Shown = ()
    tests: Shown = ()
    points: Names = ()

    @property
    def kind(self) -> Kind:
        """How the rule counts in `counts`."""
        return _kind(self.modelled)


class Point(StrictKeys):
    """A point that the rulebook leaves open, and how it is read here.

    Attributes
    ----------
    number : str
        Its number, for example ``AA-1``.
    section : str
        Section of the rulebook.
    question, reading : str
        What is open, and how the package reads it by default.
    switches : tuple of str
        Fields of the `Variant` that choose another reading; empty if there is only one.
    """

    number: Text
    section: Text
    question: Text
    reading: Text
    switches: Names = ()


class Rulebook(StrictKeys):
    """The content of a ``rulebook.toml``, in its order."""

    rule: Annotated[tuple[Rule, ...], Field(strict=False)]
    point: Annotated[tuple[Point, ...], Field(strict=False)] = ()


class Reference(NamedTuple):
    """A function that a rule names, and a parameter of it if the rule is only what this parameter does, else None."""

    function: Callable[..., Any]
    parameter: str | None


def read(ruleset: Ruleset) -> Rulebook:
    """Return the rulebook of a game.

    Raises
    ------
    UsageError
        The game's package has no such file.
    CardError
        The file has faults; the error lists all, each with its line. Functions, points and switches that don't exist
        are faults too.
    """
    path = _path(ruleset)
    if not path.exists():
        raise UsageError(f"rules: found no file {path}, expected one with the game's rules")
    book = read_as(Rulebook, path)
    faults = [
        Fault(f"{path}:{line_of(path, place)}", f"{'.'.join(map(str, place))}: {message}")
        for place, message in _misfits(book, ruleset)
    ]
    if faults:
        raise CardError(faults)
    return book


def unread(ruleset: Ruleset, switches: Collection[str], uses: Collection[str]) -> list[str]:
    """Return those of some `switches` of `ruleset` on which no rule depends that is modelled in one of `uses`."""
    path = _path(ruleset)
    book = read_as(Rulebook, path) if path.exists() else Rulebook(rule=())  # only tests want each function imported
    read_there = {number for rule in book.rule if {*uses} & {*rule.modelled.split(", ")} for number in rule.points}
    points = (point for point in book.point if point.number not in read_there)
    return [switch for point in points for switch in point.switches if switch in switches]


def _path(ruleset: Ruleset) -> Path:
    return Path(inspect.getfile(type(ruleset))).with_name(FILE)


def _misfits(book: Rulebook, ruleset: Ruleset) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield place and message for each function, point and switch that doesn't exist, and each number used twice."""
    numbers = Counter(point.number for point in book.point)
    for r, rule in enumerate(book.rule):
        for n, name in enumerate(rule.functions):
            try:
                reference(ruleset, name)
            except LookupError as error:
                yield ("rule", r, "functions", n), f"found {name!r}, but {error.args[0]}"
        for n, number in enumerate(rule.points):
            if number not in numbers:
                yield ("rule", r, "points", n), one_of(number, numbers)
    for p, point in enumerate(book.point):
        if numbers[point.number] > 1:
            yield ("point", p, "number"), f"found {point.number!r} {numbers[point.number]} times, expected it once"
        for n, switch in enumerate(point.switches):
            if switch not in ruleset.Variant.model_fields:
                yield ("point", p, "switches", n), one_of(switch, ruleset.Variant.model_fields)


def reference(ruleset: Ruleset, name: str) -> Reference:
    """Return the function, and perhaps the parameter, that a rule of a game names.

    Parameters
    ----------
    ruleset : Ruleset
        The game's.
    name : str
        An entry of `Rule.functions`.

    Raises
    ------
    LookupError
        There is no such function, or it has no such parameter; the message says which.
    """
    dotted, _, parameter = name.partition(":")
    package = type(ruleset).__module__
    try:
        function = resolve_name(f"{package}.{dotted}")
    except (ValueError, AttributeError):
        raise LookupError(f"{package} has no {dotted}") from None
    if parameter and parameter not in inspect.signature(function).parameters:
        raise LookupError(f"{dotted} has no parameter {parameter}")
    return Reference(function, parameter or None)


def coverage(ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return every rule of the rulebook as a dict of its fields.

    Functions have their paths below ``aabalance``; ``places`` are the files and lines where they begin.
    """
    package = type(ruleset).__module__.removeprefix("aabalance.")
    return [
        rule.model_dump(mode="json")
        | {
            "functions": [f"{package}.{name}" for name in rule.functions],
            "places": [_place(reference(ruleset, name).function) for name in rule.functions],
        }
        for rule in read(ruleset).rule
    ]


def _place(function: Any) -> str:
    """Return the file and line where a function begins; files of the package are below the folder that it is in."""
    for inner in ("fget", "func", "py_func"):  # of a property, a cached property, a compiled function
        function = getattr(function, inner, function)
    function = inspect.unwrap(function)
    file, root = Path(inspect.getfile(function)), Path(__file__).parent.parent
    if file.is_relative_to(root):
        file = file.relative_to(root)
    return f"{file.as_posix()}:{inspect.getsourcelines(function)[1]}"


def counts(ruleset: Ruleset) -> dict[Kind, int]:
    """Return how many rules there are of each kind."""
    tally = Counter(rule.kind for rule in read(ruleset).rule)
    return {kind: tally[kind] for kind in get_args(Kind)}


def open_points(ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return every open point of the rulebook: the question, its default reading, and the switches and their values."""
    fields = ruleset.Variant.model_fields
    return [
        {
            "point": point.number,
            "section": point.section,
            "question": point.question,
            "reading": point.reading,
            "switches": {
                name: {"default": fields[name].default, "values": values(ruleset.Variant, name)}
                for name in point.switches
            },
        }
        for point in read(ruleset).point
    ]


def values(schema: type[BaseModel], name: str) -> list[Any]:
    """Return all values that the switch `name` of the variant `schema` can have, its default first."""
    field = schema.model_fields[name]
    return list(dict.fromkeys([field.default, *_allowed(field.annotation)]))


def _allowed(annotation: Any) -> list[Any]:
    if annotation is bool:
        return [True, False]
    if annotation is type(None):
        return [None]
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    if get_origin(annotation) in (Union, types.UnionType):
        return [value for part in get_args(annotation) for value in _allowed(part)]
    return []
