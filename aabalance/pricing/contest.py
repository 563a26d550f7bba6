"""The conditions under which units are compared; the units; and what they do to one another, one against one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from aabalance import dice
from aabalance.definitions.settings import FRONT, Weights, raise_faults, situation_mix, table_faults
from aabalance.definitions.tables import BUDGETS, LIMITS
from aabalance.dice import Pmf
from aabalance.errors import UsageError, shown
from aabalance.game import Game
from aabalance.once import once_per_object
from aabalance.rulesets.base import Dice, Fighter, SituationMix

POLICY = "value"
"""Policy of both sides. Each has equal units alone; this policy first makes the attacks of most effect per action."""


class Contest(NamedTuple):
    """The conditions under which units are compared.

    Attributes
    ----------
    ranges : dict of float to Fraction
        Distances with the share of the attacks that are made at each.
    mix : SituationMix
        The rest of the situations, as the attacker sees them, with their shares. Both are drawn for each attack,
        independently of each other.
    budgets : tuple of float
        Requisition of either side; all count alike.
    limits : tuple of int
        Actions in a side's turn; all count alike.
    """

    ranges: Mapping[float, Fraction]
    mix: SituationMix
    budgets: tuple[float, ...] = BUDGETS
    limits: tuple[int, ...] = LIMITS

    @classmethod
    def of(
        cls, game: Game, table: Weights, budgets: tuple[float, ...] = BUDGETS, limits: tuple[int, ...] = LIMITS
    ) -> Contest:
        """Return a contest in all combinations of the values of a table of situations.

        Parameters
        ----------
        game : Game
            The game: a ruleset with its cards and variant.
        table : mapping
            As for `Situations.of`; shares of `facing` are those of the faces of both sides.
        budgets, limits : tuple
            As the attributes.

        Raises
        ------
        UsageError
            The game has no such battles; a field is unknown or holds for one attack alone, a value is wrong, or shares
            don't sum to 1; no budget or no limit, or one that isn't above 0.
        """
        if not game.ruleset.limits_actions:
            matches = "matches tell: units by `aabalance worth` and `tune` with --board, lists by `aabalance match`"
            raise UsageError(f"game: {game.ruleset.unpriced}; {matches}")
        raise_faults(table_faults(game.ruleset.Moment, table), "situations")
        for name, numbers in (("budgets", budgets), ("limits", limits)):
            if not numbers or not all(number > 0 and math.isfinite(number) for number in numbers):
                raise UsageError(f"{name}: found {shown(list(numbers))}, expected numbers above 0")
        shares = {name: _shares(row) for name, row in table.items()}
        ranges = {game.moment(range_in=value).range_in: share for value, share in shares.pop("range_in").items()}
        faces = shares.pop("facing", FRONT)
        mix: dict[Any, Fraction] = {}
        for choice in itertools.product(*(row.items() for row in shares.values())):
            fields = {name: value for name, (value, _) in zip(shares, choice, strict=True)}
            for situation, share in situation_mix(game.situation, faces, **fields).items():
                mix[situation] = mix.get(situation, Fraction(0)) + share * math.prod(part for _, part in choice)
        return cls(ranges, mix, tuple(budgets), tuple(limits))

    @classmethod
    def standard(cls, game: Game) -> Contest:
        """Return the contest of the game's own report definition.

        Raises
        ------
        CardError
            The definition can't be read, or is wrong.
        """
        tuning = game.tuning
        return cls.of(game, game.definition.situations, tuning.budgets, tuning.limits)


def _shares(weights: Mapping[str, float]) -> dict[str, Fraction]:
    """Return the weights that aren't 0 as exact shares that sum to 1: 0.3 is three tenths, not the nearest float."""
    written = {value: Fraction(str(weight)) for value, weight in weights.items() if weight}
    return {value: share / sum(written.values()) for value, share in written.items()}


DiceMix = tuple[tuple[Fraction, Dice], ...]
"""How an attack is rolled: dice with the share of the attacks that are rolled with them."""


class Fighters:
    """Units as they fight others, one against one.

    Each strike has one effect: the mixture over the contest's situations, which are drawn for each attack. Nobody
    scouts, and a field gun has a crew of its own, which isn't fired at.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    cards, enemies : sequence of card
        Cards of the units, and of their enemies; `one` takes indices into them.
    contest : Contest
        The conditions under which units are compared.

    Attributes
    ----------
    hurts : array of bool, shape (cards, enemies)
        Whether one can hurt the other.
    """

    def __init__(self, game: Game, cards: Sequence[Any], enemies: Sequence[Any], contest: Contest) -> None:
        self._force = game.ruleset.one_on_one(cards, enemies, contest.mix, tuple(contest.ranges), game.variant)
        self._shares = dict(enumerate(contest.ranges.values()))
        # A ruleset gives the same object for equal effects or dice, so that ids serve as keys: hashing contents is
        # slow.
        self._effects: dict[tuple[int, ...], tuple[tuple[Pmf]]] = {}
        self._dice: dict[tuple[int, ...], tuple[tuple[DiceMix]]] = {}
        self._alike: dict[tuple[int, ...], Fighter] = {}

        @once_per_object
        def hurts(effects: Sequence[Pmf]) -> bool:
            return any(max(effect) > 0 for effect in effects)

        rows = [
            [any(hurts(strike.effects[enemy]) for strike in unit.strikes) for enemy in range(len(enemies))]
            for unit in self._force
        ]
        self.hurts = np.array(rows, dtype=bool).reshape(len(cards), len(enemies))

    def one(self, card: int, enemy: int) -> Fighter:
        """Return a card as it fights an enemy, each the only unit of its side; both by their index.

        Against all enemies to which a card does the same, this is the same object.
        """
        unit, strikes = self._force[card], []
        for strike in unit.strikes:
            effects, rolled = strike.effects[enemy], strike.dice[enemy]
            of_effects, of_dice = tuple(map(id, effects)), tuple(map(id, rolled))
            if of_effects not in self._effects:
                self._effects[of_effects] = ((dice.mixture(self._shares, effects.__getitem__),),)
            if of_dice not in self._dice:
                self._dice[of_dice] = ((_mixed(rolled, self._shares),),)
            strikes.append((self._effects[of_effects], self._dice[of_dice]))
        key = card, *(id(part) for row in strikes for part in row)
        if key not in self._alike:
            made = zip(unit.strikes, strikes, strict=True)
            alone = tuple(strike._replace(effects=effects, dice=rolled) for strike, (effects, rolled) in made)
            self._alike[key] = unit._replace(strikes=alone)
        return self._alike[key]


def _mixed(rolled: Sequence[DiceMix], shares: dict[int, Fraction]) -> DiceMix:
    """Return how a strike is rolled if the distance is drawn, too; nothing if the game gives no dice."""
    if not all(rolled):
        return ()
    return tuple(
        (share, of) for of, share in dice.mixture(shares, lambda at: {of: part for part, of in rolled[at]}).items()
    )


def eligible_units(game: Game, contest: Contest) -> list[Any]:
    """Return the cards of units that can make up a side by themselves; a side of others has lost before it begins.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    contest : Contest
        The conditions under which units are compared.
    """
    cards = list(game.cards.values())
    units = game.ruleset.one_on_one(cards, cards[:1], contest.mix, tuple(contest.ranges)[:1], game.variant)
    return [card for card, unit in zip(cards, units, strict=True) if unit.counts]
