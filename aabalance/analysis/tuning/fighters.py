"""What each unit of a roster does to each other, one against one, whatever the distance and the face."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from aabalance import dice
from aabalance.analysis.tuning.contest import Contest
from aabalance.dice import Pmf
from aabalance.game import Game
from aabalance.rulesets.base import Aspect, Dice, Fighter

Thrown = tuple[tuple[Fraction, Dice], ...]


def fighters(game: Game, cards: Sequence[Any], enemies: Sequence[Any], contest: Contest) -> list[list[Fighter]]:
    """Return each of `cards` as it fights each of `enemies`, as the only one of its side.

    A strike's one effect is the mean over the contest's situations, drawn attack by attack. Nobody scouts, and a field
    gun has a crew of its own, which isn't fired at.

    Parameters
    ----------
    game : Game
    cards, enemies : sequence of card
    contest : Contest

    Returns
    -------
    list of list of Fighter
        By card and enemy.
    """
    aspects = [Aspect(range_in) for range_in in contest.ranges]
    force = game.ruleset.alone(cards, enemies, contest.views, aspects, game.variant)
    shares = dict(enumerate(contest.ranges.values()))
    # Rulesets hand out the same object again and again.
    effects: dict[tuple[int, ...], Pmf] = {}
    thrown: dict[tuple[int, ...], Thrown] = {}

    def at(unit: Fighter, enemy: int) -> Fighter:
        strikes = []
        for strike in unit.strikes:
            effect, rolled = strike.effects[enemy], strike.dice[enemy]
            of_effect, of_rolled = tuple(map(id, effect)), tuple(map(id, rolled))
            if of_effect not in effects:
                effects[of_effect] = dice.mixture(shares, effect.__getitem__)
            if of_rolled not in thrown:
                thrown[of_rolled] = _mixed(rolled, shares)
            strikes.append(strike._replace(effects=((effects[of_effect],),), dice=((thrown[of_rolled],),)))
        return unit._replace(strikes=tuple(strikes))

    return [[at(unit, enemy) for enemy in range(len(enemies))] for unit in force]


def _mixed(rolled: Sequence[Thrown], shares: dict[int, Fraction]) -> Thrown:
    """Return how a strike is rolled if chance draws the distance too; no shares if a game doesn't say."""
    if not all(rolled):
        return ()
    return tuple(
        (share, of) for of, share in dice.mixture(shares, lambda at: {of: part for part, of in rolled[at]}).items()
    )


def hurts(unit: Fighter) -> bool:
    """Return whether a unit, as it fights one enemy, can hurt it."""
    return any(max(effect) > 0 for strike in unit.strikes for [effect] in strike.effects)


def lone(game: Game, contest: Contest) -> list[Any]:
    """Return the cards that a side can stand on alone: one of any other has nothing to lose, and so has lost already.

    Parameters
    ----------
    game : Game
    contest : Contest
        How the battles are fought.
    """
    cards = list(game.cards.values())
    aspect = Aspect(next(iter(contest.ranges)))
    units = game.ruleset.alone(cards, cards[:1], contest.views, [aspect], game.variant)
    return [card for card, unit in zip(cards, units, strict=True) if unit.counts]
