"""The switches and circumstances that a user gives, checked against a game's schemas."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from aabalance.errors import UsageError, expectation, one_of, shown
from aabalance.rulesets.base import Ruleset

OF_ONE_ATTACK = "found a field of one attack, expected what stays as it is throughout a duel"


def standing(ruleset: Ruleset, fields: Mapping[str, Any]) -> Any:
    """Return the situation with these fields; see `aabalance.game.Game.situation`."""
    passing = next((name for name in fields if name in ruleset.attack_fields()), None)
    if passing is not None:
        raise UsageError(f"situation {passing}: {OF_ONE_ATTACK}")
    return checked(ruleset.Situation, fields, "situation")


def preset(ruleset: Ruleset, name: str) -> Mapping[str, Any]:
    """Return the rule switches of a preset; all switches for the preset that changes none, the rulebook itself.

    Raises
    ------
    UsageError
        The game has no preset of this name.
    """
    if name not in ruleset.presets:
        raise UsageError(f"variant: {one_of(name, ruleset.presets)}")
    return ruleset.presets[name] or ruleset.Variant().model_dump()


def variant_of(
    ruleset: Ruleset, given: Mapping[str, Any] | BaseModel | str | None, own: BaseModel | None = None
) -> BaseModel:
    """Return the variant that a user gives, and warn of each switch that changes no result.

    Parameters
    ----------
    ruleset : Ruleset
        The game's.
    given : mapping, BaseModel or str, optional
        Rule switches, or the name of a preset; a variant is returned as it is.
    own : BaseModel, optional
        The variant whose other switches stay; by default all are at their defaults.

    Raises
    ------
    UsageError
        There is no such preset or switch, or a switch can't have this value.
    """
    if isinstance(given, BaseModel):
        return given
    named = preset(ruleset, given) if isinstance(given, str) else given or {}
    variant: BaseModel = checked(ruleset.Variant, {**(own.model_dump() if own else {}), **named}, "variant")
    if set_by_user := changed(variant).keys() & named.keys():
        from aabalance import rulebook

        for name in sorted(set_by_user & rulebook.idle_switches(ruleset)):
            message = f"variant: {name} changes no result: no shot, duel or battle uses the rules that depend on it"
            warnings.warn(message, stacklevel=3)
    return variant


def checked(model: type[BaseModel], given: Mapping[str, Any] | BaseModel, what: str) -> Any:
    """Return fields that a user gives as a checked model; a model is returned as it is.

    Parameters
    ----------
    model : type of BaseModel
        The game's schema.
    given : mapping or BaseModel
        The fields and their values, or a model that is checked already.
    what : str
        Name of the whole, for error texts.

    Raises
    ------
    UsageError
        The first fault, in a line.
    """
    if isinstance(given, BaseModel):
        return given
    unknown = next((name for name in given if name not in model.model_fields), None)
    if unknown is not None:
        raise UsageError(f"{what}: {one_of(unknown, model.model_fields)}")
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(map(str, fault["loc"]))
        value = given.get(str(fault["loc"][0]))
        raise UsageError(f"{what} {name}: found {shown(value)}, expected {expectation(fault)}") from None


def alternatives(variant: BaseModel) -> dict[str, list[Any]]:
    """Return, by rule switch, the values that it can have other than the present one."""
    from aabalance import rulebook

    schema = type(variant)
    return {
        name: [value for value in rulebook.values(schema, name) if value != getattr(variant, name)]
        for name in schema.model_fields
    }


def changed(variant: BaseModel) -> dict[str, Any]:
    """Return the switches of a variant that differ from their defaults."""
    fields = type(variant).model_fields
    return {name: value for name, value in variant.model_dump().items() if value != fields[name].default}


def reading(variant: BaseModel) -> str:
    """Return the switches of a variant that differ from their defaults, in words; see `aabalance.game.Game.reading`."""
    return ", ".join(f"{name}={value}" for name, value in changed(variant).items()) or "default rules"
