"""Standard situations: which ranges and facings a table covers, how much each counts, how duels are fought in them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, Field, ValidationError

from aabalance.cards.faults import validation_faults
from aabalance.cards.lines import Place, line_of, read_toml
from aabalance.errors import CardError, Fault, UsageError, expectation, one_of, shown
from aabalance.files import data_folder
from aabalance.game import Game
from aabalance.rulesets.base import HOLD, Ruleset

TOLERANCE = 1e-9
WEIGHT = "weight"

Weights = Mapping[str, Mapping[str, float]]
Rounds = Annotated[int, Field(ge=1, le=1000, strict=True)]
"""Turns of each side that a duel may last."""
Postures = tuple[str, str]
"""What the attacker does in a duel, and what the target does."""
HOLDING: Postures = (HOLD, HOLD)


class Situations(NamedTuple):
    """Situations, each at a distance, with weights that sum to 1, and how duels in them are fought.

    Attributes
    ----------
    moments : tuple of Moment
        The situations, each with its distance.
    weights : tuple of float
        The weight of each moment.
    rounds : int or None
        Turns of each side after which a duel is a draw; if None, it is fought to the end.
    postures : (str, str)
        What the attacker and the target do in a duel, as for `Game.duel`.

    Examples
    --------
    >>> import aabalance as aab
    >>> at = aab.Situations.standard(aab.Game())
    >>> len(at.moments), round(sum(at.weights), 9), at.postures
    (18, 1.0, ('hold', 'hold'))
    """

    moments: tuple[Any, ...]
    weights: tuple[float, ...]
    rounds: int | None = None
    postures: Postures = HOLDING

    @classmethod
    def of(cls, game: Game, table: Weights, rounds: int | None = None, postures: Postures = HOLDING) -> Situations:
        """Return every combination of the fields' values; its weight is the product of theirs.

        Parameters
        ----------
        game : Game
            The game: a ruleset with its cards and variant.
        table : mapping
            By field of the game's `Moment`, its values with their weights; the weights of each field sum to 1.
        rounds : int, optional
            Turns of each side after which a duel is a draw.
        postures : (str, str)
            What the attacker and the target do in a duel, as for `Game.duel`.

        Raises
        ------
        UsageError
            A field is unknown, a value is wrong, or weights are negative or don't sum to 1; one line for each fault.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> near = aab.Situations.of(game, {"range_in": {6: 0.5, 12: 0.5}, "facing": {"front": 0.8, "side": 0.2}})
        >>> [round(weight, 2) for weight in near.weights]
        [0.4, 0.1, 0.4, 0.1]
        """
        check(game, table)
        fields = list(table)
        moments, weights = [], []
        for choice in itertools.product(*(table[name].items() for name in fields)):
            moments.append(game.moment(**{name: value for name, (value, _) in zip(fields, choice, strict=True)}))
            weights.append(math.prod(weight for _, weight in choice))
        return cls(tuple(moments), tuple(weights), rounds, postures)

    @classmethod
    def listed(
        cls,
        game: Game,
        rows: Sequence[Mapping[str, Any]],
        rounds: int | None = None,
        postures: Postures = HOLDING,
    ) -> Situations:
        """Return situations that are listed one by one.

        Parameters
        ----------
        game : Game
            The game: a ruleset with its cards and variant.
        rows : sequence of mapping
            For each situation the fields that differ from their defaults, and its ``weight``.
        rounds : int, optional
            Turns of each side after which a duel is a draw.
        postures : (str, str)
            What the attacker and the target do in a duel, as for `Game.duel`.

        Raises
        ------
        UsageError
            A field is unknown, a value is wrong, or weights are negative or don't sum to 1; one line for each fault.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> rows = [{"weight": 0.7, "range_in": 18}, {"weight": 0.3, "range_in": 18, "walls": 1}]
        >>> [(moment.range_in, moment.walls) for moment in aab.Situations.listed(game, rows).moments]
        [(18.0, 0), (18.0, 1)]
        """
        wrong = listed_faults(game.ruleset.Moment, rows)
        if wrong:
            raise UsageError(
                "\n".join(f"{'.'.join(('situations', *map(str, at)))}: {message}" for at, message in wrong)
            )
        fields = [{name: value for name, value in row.items() if name != WEIGHT} for row in rows]
        weights = tuple(float(row[WEIGHT]) for row in rows)
        return cls(tuple(game.moment(**row) for row in fields), weights, rounds, postures)

    @classmethod
    def standard(cls, game: Game) -> Situations:
        """Return the situations of the game's own report definition, with its limit of rounds and its postures.

        Raises
        ------
        CardError
            The definition can't be read, or its situations, rounds or postures are wrong.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Situations.standard(aab.Game("forumini")).rounds
        7
        """
        return cls.of(game, *standard(game))


def standard(game: Game) -> tuple[Weights, int | None, Postures]:
    """Return the table of situations, the limit of rounds and the postures of the game's own report definition.

    Raises
    ------
    CardError
        The definition can't be read, or its situations, rounds or postures are wrong.
    """
    path = definition(game.ruleset.name)
    wrong: list[Fault] = []
    read = read_toml(path, wrong)
    table = read.get("situations", {})
    fought = _Fought()
    if not wrong:
        for place, message in faults(game.ruleset.Moment, table):
            where = ("situations", *place)
            wrong.append(Fault(f"{path}:{line_of(path, where)}", f"{'.'.join(where)}: {message}"))
        said = {name: read[name] for name in _Fought.model_fields if name in read}
        try:
            fought = _Fought.model_validate(said)
        except ValidationError as error:
            wrong += validation_faults(error, (), said, (), path)
    if wrong:
        raise CardError(wrong)
    return table, fought.rounds, fought.postures


class _Fought(BaseModel):
    """How duels are fought, as a definition says it."""

    rounds: Rounds | None = None
    postures: Postures = HOLDING


def definition(name: str) -> Path:
    """Return the path of the report definition of the game `name`: its standard situations, field and pictures."""
    return data_folder("reports") / f"{name}.toml"


def check(game: Game, table: Weights) -> None:
    """Refuse a table of situations with faults.

    Raises
    ------
    UsageError
        A line for each fault.
    """
    if wrong := faults(game.ruleset.Moment, table):
        raise UsageError("\n".join(f"{'.'.join(('situations', *place))}: {message}" for place, message in wrong))


def faults(schema: type[BaseModel], table: Weights) -> list[tuple[tuple[str, ...], str]]:
    """Return what is wrong with a table of situations: the place in it, and what was found and expected.

    Parameters
    ----------
    schema : type of BaseModel
        The game's `Moment`.
    table : mapping
        As for `Situations.of`.
    """
    wrong: list[tuple[tuple[str, ...], str]] = []
    for name, choices in table.items():
        if name not in schema.model_fields:
            wrong.append(((name,), one_of(name, schema.model_fields)))
            continue
        for value in choices:
            # Each field is checked alone, so it doesn't matter that the other fields are missing.
            wrong += [
                ((name, value), f"found {shown(value)}, expected {expected}")
                for expected in _refusals(schema, name, value)
            ]
        total = sum(choices.values())
        if min(choices.values(), default=-1) < 0 or not math.isclose(total, 1, abs_tol=TOLERANCE):
            wrong.append(((name,), f"found weights that sum to {total:.12g}, expected weights from 0 that sum to 1"))
    for name, field in schema.model_fields.items():
        if field.is_required() and name not in table:
            wrong.append(((), f"found no {name}, expected its values with their weights"))
    return wrong


def listed_faults(schema: type[BaseModel], rows: Sequence[Mapping[str, Any]]) -> list[tuple[Place, str]]:
    """Return what is wrong with a list of situations: the place in it, and what was found and expected.

    Parameters
    ----------
    schema : type of BaseModel
        The game's `Moment`.
    rows : sequence of mapping
        As for `Situations.listed`.
    """
    wrong: list[tuple[Place, str]] = []
    for n, row in enumerate(rows):
        fields = {name: value for name, value in row.items() if name != WEIGHT}
        unknown = [name for name in fields if name not in schema.model_fields]
        wrong += [((n, name), one_of(name, schema.model_fields)) for name in unknown]
        if not unknown:
            try:
                schema.model_validate(fields)
            except ValidationError as error:
                for fault in error.errors():
                    wrong.append(((n, *fault["loc"]), f"found {shown(fault['input'])}, expected {expectation(fault)}"))
        weight = row.get(WEIGHT)
        if not isinstance(weight, (int, float)) or isinstance(weight, bool) or not weight >= 0:
            wrong.append(((n,), f"found weight {weight!r}, expected a number from 0"))
    if not wrong:
        total = sum(row[WEIGHT] for row in rows)
        if not math.isclose(total, 1, abs_tol=TOLERANCE):
            wrong.append(((), f"found weights that sum to {total:.12g}, expected weights from 0 that sum to 1"))
    return wrong


def posture_faults(ruleset: Ruleset, postures: Sequence[str]) -> list[tuple[Place, str]]:
    """Return what is wrong with postures: the place among them, and what was found and expected."""
    wrong: list[tuple[Place, str]] = []
    for n, posture in enumerate(postures):
        try:
            ruleset.check_posture(posture)
        except UsageError as error:
            wrong.append(((n,), str(error).removeprefix("posture: ")))
    return wrong


def _refusals(schema: type[BaseModel], name: str, value: Any) -> list[str]:
    try:
        schema.model_validate({name: value})
    except ValidationError as error:
        return [expectation(fault) for fault in error.errors() if fault["loc"][:1] == (name,)]
    return []
