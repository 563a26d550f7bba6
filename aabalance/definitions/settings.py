"""Rule switches and situations that a user gives, single or with weights, checked against a game's schemas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import starmap
from numbers import Real
from pathlib import Path
from typing import Any

from pydantic import BaseModel, BeforeValidator, ValidationError

from aabalance import rulesets
from aabalance.cards.literals import as_option, option_value
from aabalance.cards.tables import PlacedFault
from aabalance.definitions.fields import as_fault
from aabalance.errors import UsageError, check_kind, check_word, expectation, one_of, shown
from aabalance.provenance import DEFAULT_RULES
from aabalance.rulesets.base import Ruleset, SituationMix
from aabalance.rulesets.base.words import INCHES, Length

OF_ONE_ATTACK = "found a field of one attack, expected what stays as it is throughout a duel"
INCH = {"in", "inch", "″", "”", "''"}
"""What people write behind inches, besides the game's own mark and word."""
FRONT, MIX = "front", "mix"
SHARES = {"front": 0.65, "side": 0.3, "rear": 0.05}
"""Shares of faces that are shot at, as a rule of thumb, for `MIX`."""
TOLERANCE = 1e-9
WEIGHT = "weight"
WEIGHTS = "{value: weight, ...}"

Weights = Mapping[str, Mapping[Any, float]]
"""By field of a game's `Moment`, its values with their weights."""


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
    check_word("variant", name, ruleset.presets)
    return ruleset.presets[name] or ruleset.Variant().model_dump()


def preset_switches(ruleset: Ruleset, names: Iterable[str]) -> dict[str, Any]:
    """Return the rule switches of several presets.

    Raises
    ------
    UsageError
        The game has no preset of a name, or two of them set the same switch to different values.
    """
    merged: dict[str, Any] = {}
    by: dict[str, str] = {}
    for name in names:
        if name not in ruleset.presets:
            raise UsageError(f"variant: {one_of(name, ruleset.presets)}, or KEY=VALUE")
        for switch, value in preset(ruleset, name).items():
            if merged.setdefault(switch, value) != value:
                raise UsageError(
                    f"variant: found the presets {by[switch]} and {name}, which set {switch} to "
                    f"{option_value(merged[switch])} and {option_value(value)}, expected one of the two"
                )
            by.setdefault(switch, name)
    return merged


def variant_of(
    ruleset: Ruleset, given: Mapping[str, Any] | BaseModel | str | None, own: BaseModel | None = None
) -> BaseModel:
    """Return the variant that a user gives.

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
    if isinstance(given, BaseModel) and isinstance(given, ruleset.Variant):
        return given
    if not isinstance(given, str | Mapping | None):
        raise UsageError(f"variant: found {shown(given)}, expected switches of {ruleset.labels.title}, or a preset")
    named = preset(ruleset, given) if isinstance(given, str) else given or {}
    variant: BaseModel = checked(
        ruleset.Variant, {**(own.model_dump(exclude_unset=True) if own else {}), **named}, "variant"
    )
    return variant


def checked(model: type[BaseModel], given: Mapping[str, Any], what: str) -> Any:
    """Return fields that a user gives as a checked model.

    Parameters
    ----------
    model : type of BaseModel
        The game's schema.
    given : mapping
        The fields and their values.
    what : str
        Name of the whole, for error texts.

    Raises
    ------
    UsageError
        The first fault, in a line.
    """
    unknown = next((name for name in given if name not in model.model_fields), None)
    if unknown is not None:
        raise UsageError(f"{what}: {one_of(unknown, model.model_fields)}")
    try:
        found = model.model_validate(dict(given))
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][0])
        value = given.get(name)
        if fault["type"] == "extra_forbidden":
            name, value = ".".join(map(str, fault["loc"])), fault["input"]
        raise UsageError(f"{what} {name}: found {shown(value)}, expected {expectation(fault)}") from None
    for name in no_numbers(found, given):
        raise UsageError(f"{what} {name}: found {shown(given[name])}, expected a number")
    return found


def no_numbers(found: BaseModel, given: Mapping[str, Any]) -> list[str]:
    """Return the names of `given` fields that are true or false and have become numbers in the model `found`."""
    fields = type(found).model_fields
    return [
        name
        for name, value in given.items()
        if isinstance(value, bool) and type(getattr(found, name)) in (int, float)
        if BeforeValidator not in map(type, fields[name].metadata)  # of foliage, true is one
    ]


def distance(length: Length, text: str) -> float:
    """Return the distance that a text says: ``18``, ``18,5``, with the unit of length behind it if you like.

    Parameters
    ----------
    length : Length
        What the game counts distances in.
    text : str
        What the user gives.

    Raises
    ------
    UsageError
        It is no distance, or one in another unit of length.
    """
    plain = text.strip().casefold().replace(",", ".")
    units = {length.name, length.name[:-1], length.name.removesuffix("es"), length.after.strip()}
    unit = max(
        (one for one in units | (INCH if length is INCHES else set()) if plain.endswith(one)), key=len, default=""
    )
    try:
        return float(plain.removesuffix(unit))
    except ValueError:
        raise UsageError(
            f"range: found {shown(text)}, expected a distance in {length.name}, such as 18 or 18{length.after}"
        ) from None


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
    return ", ".join(starmap(as_option, changed(variant).items())) or DEFAULT_RULES


# --- situations with shares or weights ----------------------------------------------------------------------


def situation_mix(situation: Any, facing: Any, **fields: Any) -> SituationMix:
    """Return the situations of a battle with their shares.

    Parameters
    ----------
    situation : callable
        Takes fields; returns a checked situation.
    facing : str or mapping of str to number
        The face that b's units show; or shares of faces that both sides' units show, drawn for each attack; or `MIX`.

    Raises
    ------
    UsageError
        Shares aren't above 0, or don't add up to 1.
    """
    check_kind("facing", facing, str | Mapping, "a face, or shares of faces")
    if facing == MIX:
        facing = SHARES
    if isinstance(facing, str):
        # Not every game has faces, so the default isn't passed on.
        return {situation(**fields, **({} if facing == FRONT else {"facing": facing})): Fraction(1)}
    shares = {face: _share(face, share) for face, share in facing.items()}
    total = sum(shares.values())
    if total != 1:
        raise UsageError(f"facing: found shares that add up to {float(total):g}, expected 1")
    return {situation(**fields, facing=face, own_facing=face): share for face, share in shares.items()}


def _share(face: Any, share: Any) -> Fraction:
    # As it was written down: 0.3 is three tenths.
    if isinstance(share, bool) or not isinstance(share, Real) or not 0 < float(share) <= 1:
        raise UsageError(f"facing: found {shown(share)} for {shown(face)}, expected a share above 0, at most 1")
    return share if isinstance(share, Fraction) else Fraction(str(share))


def raise_faults(wrong: Sequence[PlacedFault], *within: str) -> None:
    """Raise a `UsageError` with a line for each fault, if there are any; their places are `within` another."""
    if wrong:
        raise UsageError("\n".join(f"{'.'.join(map(str, (*within, *at)))}: {message}" for at, message in wrong))


def table_faults(schema: type[BaseModel], table: Any) -> list[PlacedFault]:
    """Return the faults of a table of situations.

    Parameters
    ----------
    schema : type of BaseModel
        The game's `Moment`.
    table : mapping
        By field, its values with their weights.
    """
    if not isinstance(table, Mapping):
        return [((), f"found {shown(table)}, expected {{field: {WEIGHTS}}}")]
    wrong: list[PlacedFault] = []
    for name, choices in table.items():
        if name not in schema.model_fields:
            wrong.append(((name,), one_of(name, schema.model_fields)))
            continue
        if not isinstance(choices, Mapping):
            wrong.append(((name,), f"found {shown(choices)}, expected weights by value: {WEIGHTS}"))
            continue
        for value in choices:
            # Each field is checked alone, so it doesn't matter that the other fields are missing.
            wrong += [
                ((name, value), f"found {shown(value)}, expected {expected}")
                for expected in _refusals(schema, name, value)
            ]
        unfit = [value for value, weight in choices.items() if not _is_weight(weight)]
        wrong += [((name, value), f"found weight {shown(choices[value])}, expected a number from 0") for value in unfit]
        total = 1 if unfit else sum(choices.values())
        if not math.isclose(total, 1, abs_tol=TOLERANCE):
            wrong.append(((name,), f"found weights that sum to {total:.12g}, expected weights from 0 that sum to 1"))
    for name, field in schema.model_fields.items():
        if field.is_required() and name not in table:
            wrong.append(((), f"found no {name}, expected its values with their weights"))
    return wrong


def row_faults(schema: type[BaseModel], rows: Sequence[Any]) -> list[PlacedFault]:
    """Return the faults of situations that are listed one by one.

    Parameters
    ----------
    schema : type of BaseModel
        The game's `Moment`.
    rows : sequence of mapping
        For each situation the fields that differ from their defaults, and its ``weight``.
    """
    wrong: list[PlacedFault] = []
    for n, row in enumerate(rows):
        if not isinstance(row, Mapping):
            wrong.append(((n,), f"found {shown(row)}, expected {{field: value, ..., '{WEIGHT}': weight}}"))
            continue
        fields = {name: value for name, value in row.items() if name != WEIGHT}
        unknown = [name for name in fields if name not in schema.model_fields]
        wrong += [((n, name), one_of(name, schema.model_fields)) for name in unknown]
        if not unknown:
            try:
                unfit = no_numbers(schema.model_validate(fields), fields)
                wrong += [((n, name), f"found {shown(fields[name])}, expected a number") for name in unfit]
            except ValidationError as error:
                for fault in error.errors():
                    wrong.append(((n, *fault["loc"]), f"found {shown(fault['input'])}, expected {expectation(fault)}"))
        if not _is_weight(row.get(WEIGHT)):
            wrong.append(((n,), f"found weight {shown(row.get(WEIGHT))}, expected a number from 0"))
    if not wrong:
        total = sum(row[WEIGHT] for row in rows)
        if not math.isclose(total, 1, abs_tol=TOLERANCE):
            wrong.append(((), f"found weights that sum to {total:.12g}, expected weights from 0 that sum to 1"))
    return wrong


def _is_weight(weight: Any) -> bool:
    return not isinstance(weight, bool) and isinstance(weight, Real) and float(weight) >= 0


def posture_faults(ruleset: Ruleset, postures: Sequence[str]) -> list[PlacedFault]:
    """Return the faults of the postures in duels, each with its position among them."""
    checks = [((n,), partial(ruleset.check_posture, posture)) for n, posture in enumerate(postures)]
    return [fault for place, check in checks for fault in as_fault(place, check, "posture")]


def _refusals(schema: type[BaseModel], name: str, value: Any) -> list[str]:
    try:
        schema.model_validate({name: value})
    except ValidationError as error:
        return [expectation(fault) for fault in error.errors() if fault["loc"][:1] == (name,)]
    return []


def game_name_faults(name: str, expected: str | None) -> list[PlacedFault]:
    """Return the fault of the game that a file is about, if it has one.

    Parameters
    ----------
    name : str
        The game's name in the file.
    expected : str or None
        The game that the user named; None for any.
    """
    if expected is not None and name != expected:
        return [(("game",), f"found {name!r}, expected {expected!r}, the chosen game")]
    return list(as_fault(("game",), partial(rulesets.load, name), "game"))


def path_of(kind: str, shipped: Mapping[str, Path], source: str | Path | None, game_name: str | None) -> Path:
    """Return the path of a definition.

    Parameters
    ----------
    kind : str
        What it defines: ``report``, ``gate``.
    shipped : mapping of str to Path
        The shipped definitions by name.
    source : str or Path, optional
        A file, or the name of a shipped definition; by default the game's own.
    game_name : str, optional
        Name of the game.

    Raises
    ------
    UsageError
        There is no such definition, or no such game.
    """
    if game_name is not None:
        rulesets.load(game_name)
    if source is None and game_name not in shipped:
        raise UsageError(f"{kind}: there is none for {game_name}, expected a file, or one of {', '.join(shipped)}")
    name = str(game_name if source is None else source)
    path = shipped.get(name, Path(name))
    if not path.is_file():
        raise UsageError(f"{kind}: found no file {name!r}, expected one, or {', '.join(shipped)}")
    return path
