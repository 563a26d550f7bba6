"""Standard situations: which ranges and facings a table covers, how much each counts, how duels are fought in them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

from aabalance.definitions.fields import HOLDING, MOST_ROUNDS, Postures
from aabalance.definitions.settings import WEIGHT, Weights, raise_faults, row_faults, table_faults
from aabalance.errors import UsageError, shown, whole_number
from aabalance.game import Game, game_of

Row = Mapping[str, Any]
"""The fields of a situation, and its weight."""


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
    def of(cls, game: Game | str, table: Weights, rounds: int | None = None, postures: Postures = HOLDING) -> Self:
        """Return every combination of the fields' values; its weight is the product of theirs.

        Parameters
        ----------
        game : Game or str
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
            Or the limit of rounds or a posture is wrong.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> near = aab.Situations.of(game, {"range_in": {6: 0.5, 12: 0.5}, "facing": {"front": 0.8, "side": 0.2}})
        >>> [round(weight, 2) for weight in near.weights]
        [0.4, 0.1, 0.4, 0.1]
        """
        game = game_of(game)
        raise_faults(table_faults(game.ruleset.Moment, table), "situations")
        fields = list(table)
        moments, weights = [], []
        for choice in itertools.product(*(table[name].items() for name in fields)):
            moments.append(game.moment(**{name: value for name, (value, _) in zip(fields, choice, strict=True)}))
            weights.append(math.prod(weight for _, weight in choice))
        return cls(tuple(moments), tuple(weights), *_fought(game, rounds, postures))

    @classmethod
    def listed(
        cls, game: Game | str, rows: Iterable[Row], rounds: int | None = None, postures: Postures = HOLDING
    ) -> Self:
        """Return situations that are listed one by one.

        Parameters
        ----------
        game : Game or str
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
            Or the limit of rounds or a posture is wrong.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> rows = [{"weight": 0.7, "range_in": 18}, {"weight": 0.3, "range_in": 18, "walls": 1}]
        >>> [(moment.range_in, moment.walls) for moment in aab.Situations.listed(game, rows).moments]
        [(18.0, 0), (18.0, 1)]
        """
        game = game_of(game)
        given: Any = rows
        rows = list(given) if isinstance(given, Iterable) else [given]
        raise_faults(row_faults(game.ruleset.Moment, rows), "situations")
        fields = [{name: value for name, value in row.items() if name != WEIGHT} for row in rows]
        weights = tuple(float(row[WEIGHT]) for row in rows)
        return cls(tuple(game.moment(**row) for row in fields), weights, *_fought(game, rounds, postures))

    @classmethod
    def standard(cls, game: Game | str) -> Self:
        """Return the situations of the game's own report definition, with its limit of rounds and its postures.

        Raises
        ------
        CardError
            The definition can't be read, or is wrong.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Situations.standard(aab.Game("forumini")).rounds
        7
        """
        own = game_of(game).definition
        return cls.of(game, own.situations, own.rounds, own.postures)


def _fought(game: Game, rounds: int | None, postures: Any) -> tuple[int | None, Postures]:
    """Return how duels are fought, checked."""
    match postures:
        case [str(attacker), str(target)]:
            for posture in postures:
                game.ruleset.check_posture(posture)
            limit = None if rounds is None else whole_number("rounds", rounds, 1, MOST_ROUNDS)
            return limit, (attacker, target)
    raise UsageError(f"postures: found {shown(postures)}, expected two, the attacker's and the target's")
