"""What of a rulebook is modelled where, and which points it leaves open: read off the rulesets' own code."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from aabalance.rulesets.base import Ruleset


def coverage(ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return every rule of the rulebook: where it is modelled, by which functions, shown by which tests."""
    return [
        {
            "section": rule.section,
            "rule": rule.rule,
            "modelled": rule.modelled,
            "functions": [place(function) for function in rule.functions],
            "tests": list(rule.tests),
            "points": list(rule.points),
        }
        for rule in ruleset.rules
    ]


def open_points(ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return every point that the rulebook leaves open: the default reading, and the switches with their values."""
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
        for point in ruleset.points
    ]


def place(function: Callable[..., Any]) -> str:
    """Return where a function stands: its module within the package, and its name."""
    return f"{function.__module__.removeprefix('aabalance.')}.{function.__qualname__}"


def values(variant: type[BaseModel], name: str) -> list[Any]:
    """Return what a rule switch can be, its default first."""
    field = variant.model_fields[name]
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
