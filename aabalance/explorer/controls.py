"""The values that may be set in the explorer: kinds, bounds, choices and meanings.

They are read from the schemas of situations, moments, rule switches and cards, so that a new field needs no edit here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel

from aabalance.cards.tables import flatten, literal
from aabalance.errors import UsageError, shown

Kind = Literal["choice", "flag", "whole", "number", "text"]
NONE = "none"
"""What stands in a control for no value."""
HIDDEN = ("id", "name", "nation", "year", "note")
"""Fields of a card that no rule reads."""


class Control(NamedTuple):
    """A value that may be set: a field of a schema.

    Attributes
    ----------
    name : str
        Name of the field; dotted if it is nested, as in ``armor.front``.
    kind : {"choice", "flag", "whole", "number", "text"}
        ``whole`` is a whole number; ``text`` a number that may be left out, or a list of numbers (see `read`).
    default : object
        Value that holds unless another is set; None for no value.
    choices : tuple
        Allowed values of a ``choice``.
    low, high : float
        Bounds of a ``whole`` or ``number``.
    meaning : str
        The field's description in the schema.
    """

    name: str
    kind: Kind
    default: Any
    choices: tuple[Any, ...] = ()
    low: float = 0
    high: float = 0
    meaning: str = ""

    @property
    def label(self) -> str:
        """The name as people read it; of a check box only the last part, since many stand side by side."""
        parts = [str(int(part) + 1) if part.isdecimal() else part for part in self.name.split(".")]
        return " ".join(parts[-1:] if self.kind == "flag" else parts).removesuffix("_in").replace("_", " ")


def of_model(model: type[BaseModel]) -> list[Control]:
    """Return the controls of all fields with a default of a situation, a moment or the rule switches."""
    schema = model.model_json_schema()
    controls = (
        _leaf(name, field, field["default"], True) for name, field in schema["properties"].items() if "default" in field
    )
    return [control for control in controls if control is not None]


def of_card(card: BaseModel, table: Mapping[str, Any]) -> list[Control]:
    """Return the controls of those fields of a card that rules read.

    Parameters
    ----------
    card : BaseModel
        The card.
    table : mapping
        The same card as it stands in its file.
    """
    schema = type(card).model_json_schema(by_alias=True)
    given = flatten(table)

    def walk(part: Mapping[str, Any], at: Any, path: str, needed: bool) -> Iterator[Control]:
        part = _alternative(schema, part, at)
        if "properties" in part:
            required = part.get("required", ())
            for name, field in part["properties"].items():
                if path or name not in HIDDEN:
                    inner = at.get(name) if isinstance(at, Mapping) else None
                    always = name in required or field.get("default") is not None
                    yield from walk(field, inner, f"{path}.{name}" if path else name, always)
        elif isinstance(at, list) and at and isinstance(at[0], Mapping):
            items = next(one["items"] for one in part.get("anyOf", (part,)) if "items" in one)
            for index, item in enumerate(at):
                yield from walk(items, item, f"{path}.{index}", True)
        else:
            control = _leaf(path, part, given.get(path, part.get("default")), needed)
            if control is not None:
                yield control

    # In the order of the card's file; fields that don't stand in it come last.
    order = {field: place for place, field in enumerate(table)}
    controls = walk(schema, table, "", True)
    return sorted(controls, key=lambda control: order.get(control.name.partition(".")[0], len(order)))


def read(control: Control, text: str) -> Any:
    """Return the value that was typed into a control of kind ``text``.

    Parameters
    ----------
    control : Control
        The control.
    text : str
        A number, or numbers with commas between them.

    Returns
    -------
    int, float, list or None
        None if nothing was typed.

    Raises
    ------
    UsageError
        The text is neither a number nor a list of numbers.
    """
    words = text.strip()
    if not words or words == NONE:
        return None
    value = literal(f"[{words}]" if isinstance(control.default, list) or "," in words else words)
    numbers = value if isinstance(value, list) else [value]
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers):
        raise UsageError(f"{control.label}: found {shown(text)}, expected a number, numbers with commas, or nothing")
    return value


def written(value: Any) -> str:
    """Return the text that `read` turns into a value."""
    return "" if value is None else json.dumps(value).strip("[]")


def _alternative(schema: Mapping[str, Any], part: Mapping[str, Any], at: Any) -> Mapping[str, Any]:
    """Return a part of a schema with its reference followed; of several kinds of tables, the one that `at` is of."""
    if "$ref" in part:
        named: Mapping[str, Any] = schema["$defs"][part["$ref"].rpartition("/")[2]]
        return _alternative(schema, named, at)
    tables = [_alternative(schema, one, at) for one in (*part.get("oneOf", ()), *part.get("anyOf", ()))]
    for table in tables:
        fields = table.get("properties", {})
        if (
            fields
            and isinstance(at, Mapping)
            and all(at.get(name, field["const"]) == field["const"] for name, field in fields.items() if _is_tag(field))
        ):
            return table
    return part


def _is_tag(field: Mapping[str, Any]) -> bool:
    return isinstance(field.get("const"), str)


def _leaf(name: str, field: Mapping[str, Any], value: Any, needed: bool) -> Control | None:
    """Return the control of a field without fields of its own; None if it holds words, or leaves no choice.

    A number that isn't `needed` may be left out, so that it gets a text field.
    """
    parts = field.get("anyOf", [field])
    meaning = field.get("description", "")
    optional = any(part.get("type") == "null" for part in parts)
    enumerated = [
        one for part in parts for one in (*part.get("enum", ()), *((part["const"],) if "const" in part else ()))
    ]
    if len(enumerated) == 1 and enumerated[0] is True:  # a flag that can't be false: it is there, or not
        return Control(name, "flag", bool(value), meaning=meaning)
    if enumerated:
        choices = (*enumerated, *((None,) if optional else ()))
        return Control(name, "choice", value, choices, meaning=meaning) if len(choices) > 1 else None
    kinds = [part.get("type") for part in parts]
    if "boolean" in kinds:
        return Control(name, "flag", bool(value), meaning=meaning)
    lists = [part for part in parts if part.get("type") == "array" and part.get("items", {}).get("type") == "integer"]
    if lists:
        return Control(name, "text", list(value or ()), meaning=meaning)
    numbers = [part for part in parts if part.get("type") in ("integer", "number")]
    if not numbers or not all(kind in ("integer", "number", "null") for kind in kinds):
        return None
    if optional or not needed or value is None:
        return Control(name, "text", value, meaning=meaning)
    broken = [part for part in numbers if part["type"] == "number"]
    bounds = (broken or numbers)[0]
    low, high = bounds.get("minimum", bounds.get("exclusiveMinimum", 0)), bounds.get("maximum", 1000)
    return Control(name, "number" if broken else "whole", value, (), low, high, meaning)
