"""What a unit does in a duel: postures, one function each, and the player that carries one out."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armored_advance import attack, fire
from aabalance.rulesets.armored_advance.attack import Unit
from aabalance.rulesets.armored_advance.card import InfantryCard
from aabalance.rulesets.armored_advance.movement import advance_in
from aabalance.rulesets.armored_advance.situation import Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Turn

MOVE_ACTIONS = 1
DECIMALS = 6
"""Distances after moves are rounded to this, so that float noise changes no range band."""

Posture = Callable[[float, bool, float], float]


def hold(range_in: float, hurt: bool, x: float) -> float:
    """Stay."""
    return range_in


def close(range_in: float, hurt: bool, x: float) -> float:
    """Go straight in until within x inches, firing with the actions left; then stay."""
    return min(x, range_in)


def cautious(range_in: float, hurt: bool, x: float) -> float:
    """As close, but stay while less than half of the toughness is left."""
    return range_in if hurt else min(x, range_in)


POSTURES: dict[str, Posture] = {function.__name__: function for function in (hold, close, cautious)}
"""A posture is told the distance, whether the unit is hurt, and its X; it answers with the distance that it wants."""


class Player:
    """A unit with a posture; see `aabalance.rulesets.base.Player`.

    Each turn it moves with its first action if its posture wants it nearer (p. 4), then fires with the actions left; a
    unit that doesn't move fires with all of them, at advantage (p. 8). A reload counts turns, not moves (p. 14).

    Parameters
    ----------
    card, enemy : VehicleCard or InfantryCard
    situation : Situation
        Without moves: those are the posture's.
    variant : Variant
    posture : str
        A name of `POSTURES`, with ``:X`` inches where it takes a distance.
    """

    def __init__(self, card: Unit, enemy: Unit, situation: Situation, variant: Variant, posture: str) -> None:
        self.toughness = card.strength if isinstance(card, InfantryCard) else card.hp
        self._posture, self._x = parse(posture)
        self._advance_in = advance_in(card)
        self._variant = variant
        still = situation.model_copy(update={"moved": False, "target_moves": 0})
        moving = still.model_copy(update={"moved": True})
        self._still, self._moving = attack.offence(card, still), attack.offence(card, moving)
        self._targets = [
            attack.defence(enemy, still.model_copy(update={"target_moves": moves}), variant)
            for moves in (0, MOVE_ACTIONS)
        ]
        strengths = {least for least, _ in self._still.guns}
        self._half = math.ceil(self.toughness / 2)
        if self._posture is cautious:
            strengths.add(self._half)
        self.least = tuple(sorted(strengths, reverse=True))

    def turn(self, range_in: float, memory: int, enemy_moved: bool, row: int) -> Turn:
        """Return the turn of this unit; `memory` is 1 if the primary gun has to reload."""
        least = self.least[row]
        goal = self._posture(range_in, least < self._half, self._x)
        to = round(max(goal, range_in - self._advance_in), DECIMALS)
        moved = to < range_in
        offence = self._moving if moved else self._still
        guns_row = next(index for index, (strength, _) in enumerate(offence.guns) if least >= strength)
        volley, emptied = fire.choose(
            offence,
            guns_row,
            self._targets[enemy_moved],
            to,
            self._variant,
            loaded=not memory,
            actions=offence.actions - MOVE_ACTIONS * moved,
        )
        return Turn(volley, to, int(emptied and offence.reloads), moved)


@lru_cache
def parse(posture: str) -> tuple[Posture, float]:
    """Return the function and the distance of a posture such as ``hold`` or ``close:6``.

    Raises
    ------
    UsageError
        An unknown name, a distance that is missing, negative, not a number, or given to a posture that takes none.
    """
    name, colon, text = posture.partition(":")
    if name not in POSTURES:
        raise UsageError(f"posture: {one_of(name, POSTURES)}")
    function = POSTURES[name]
    if function is hold:
        if colon:
            raise UsageError(f"posture: found {posture!r}, expected 'hold' without a distance")
        return function, 0.0
    try:
        x = float(text)
    except ValueError:
        x = math.nan
    if not 0 <= x < math.inf:
        raise UsageError(f"posture: found {posture!r}, expected {name}:X with X inches, for example {name}:6")
    return function, x
