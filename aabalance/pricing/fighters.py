"""What each unit of a roster does to each other, one against one, in the mean over distances and faces."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.game import Game
from aabalance.pricing.contest import Contest
from aabalance.rulesets.base import Aspect, Dice, Fighter

Thrown = tuple[tuple[Fraction, Dice], ...]


class Fighters:
    """Units as they fight others, one against one.

    Each strike has a single effect: the mixture over the contest's situations, which are drawn for each attack. Nobody
    scouts, and a field gun has a crew of its own, which isn't fired at.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    cards, enemies : sequence of card
        Cards of the units, and of those that they fight.
    contest : Contest
        The conditions under which units are compared.

    Attributes
    ----------
    hurts : array of bool, shape (cards, enemies)
        Whether one can hurt the other.
    """

    def __init__(self, game: Game, cards: Sequence[Any], enemies: Sequence[Any], contest: Contest) -> None:
        aspects = [Aspect(range_in) for range_in in contest.ranges]
        self._force = game.ruleset.one_on_one(cards, enemies, contest.views, aspects, game.variant)
        self._shares = dict(enumerate(contest.ranges.values()))
        # Rulesets hand out the same objects for equal effects and dice, so that their ids serve as keys: hashing the
        # contents would take long.
        self._effects: dict[tuple[int, ...], tuple[tuple[Pmf]]] = {}
        self._dice: dict[tuple[int, ...], tuple[tuple[Thrown]]] = {}
        self._alike: dict[tuple[int, ...], Fighter] = {}
        known: dict[int, bool] = {}

        def hurts(effects: Sequence[Pmf]) -> bool:
            if id(effects) not in known:
                known[id(effects)] = any(max(effect) > 0 for effect in effects)
            return known[id(effects)]

        rows = [
            [any(hurts(strike.effects[enemy]) for strike in unit.strikes) for enemy in range(len(enemies))]
            for unit in self._force
        ]
        self.hurts = np.array(rows, dtype=bool).reshape(len(cards), len(enemies))

    def one(self, card: int, enemy: int) -> Fighter:
        """Return one of the cards as it fights one of the enemies, each the only unit of its side; by their places.

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


def _mixed(rolled: Sequence[Thrown], shares: dict[int, Fraction]) -> Thrown:
    """Return how a strike is rolled if the distance is drawn, too; nothing if the game gives no dice."""
    if not all(rolled):
        return ()
    return tuple(
        (share, of) for of, share in dice.mixture(shares, lambda at: {of: part for part, of in rolled[at]}).items()
    )


def lone(game: Game, contest: Contest) -> list[Any]:
    """Return the cards of units that can make up a side by themselves: a side of others has lost before it begins.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    contest : Contest
        How the battles are fought.
    """
    cards = list(game.cards.values())
    aspect = Aspect(next(iter(contest.ranges)))
    units = game.ruleset.one_on_one(cards, cards[:1], contest.views, [aspect], game.variant)
    return [card for card, unit in zip(cards, units, strict=True) if unit.counts]
