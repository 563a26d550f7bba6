"""What a unit does in a duel: postures, one function each, and the player that carries one out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armored_advance import attack, fire
from aabalance.rulesets.armored_advance.attack import Unit
from aabalance.rulesets.armored_advance.card import InfantryCard
from aabalance.rulesets.armored_advance.movement import backwards_in, free_in, moves_in
from aabalance.rulesets.armored_advance.sheets import Offence
from aabalance.rulesets.armored_advance.situation import Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Turn, Volley

MOVE_ACTIONS = 1
FARTHEST_IN = 48
"""How far apart best play may go: the length of a large table."""
DECIMALS = 6
"""Distances after moves are rounded to this, so that float noise changes no range band."""

Posture = Callable[["Player", float, int, bool, int], Iterator[Turn]]


def hold(unit: Player, range_in: float, memory: int, enemy_moved: bool, row: int) -> Iterator[Turn]:
    """Stay and fire all it may."""
    yield unit.stay(range_in, memory, enemy_moved, row)


def close(unit: Player, range_in: float, memory: int, enemy_moved: bool, row: int) -> Iterator[Turn]:
    """Go straight in until within X inches, firing with the actions left; then hold."""
    reach = moves_in(unit.card, MOVE_ACTIONS) + free_in(unit.card)
    to = round(max(unit.x, range_in - reach), DECIMALS)
    if to < range_in:
        yield unit.move_and_fire(range_in, to, memory, enemy_moved, row, MOVE_ACTIONS)
    else:
        yield unit.stay(range_in, memory, enemy_moved, row)


def cautious(unit: Player, range_in: float, memory: int, enemy_moved: bool, row: int) -> Iterator[Turn]:
    """As close, but hold while less than half of the toughness is left."""
    yield from (hold if unit.hurt(row) else close)(unit, range_in, memory, enemy_moved, row)


def optimal(unit: Player, range_in: float, memory: int, enemy_moved: bool, row: int) -> Iterator[Turn]:
    """Whatever is best: every turn that the rules allow, on a grid of inches along the line between the two."""
    yield unit.stay(range_in, memory, enemy_moved, row)
    if unit.offence.reloads and not memory:
        yield unit.save(range_in, enemy_moved, row)
    free, pool = free_in(unit.card), unit.card.actions
    for moves in range(pool + 1):
        ahead = moves_in(unit.card, moves) + free
        back = backwards_in(unit.card, ahead)
        for to in range(max(0, math.ceil(range_in - ahead)), min(FARTHEST_IN, math.floor(range_in + back)) + 1):
            if to == range_in:
                continue
            yield unit.move_and_fire(range_in, to, memory, enemy_moved, row, moves)
            if moves < pool:
                yield unit.fire_and_move(range_in, to, memory, enemy_moved, row, moves)


POSTURES: dict[str, Posture] = {function.__name__: function for function in (hold, close, cautious, optimal)}
WITH_DISTANCE = ("close", "cautious")


class Player:
    """A unit with a posture; see `aabalance.rulesets.base.Player`.

    A unit that doesn't move fires with all its actions, at advantage (p. 8); one that moves fires with those left. A
    light unit's free move costs none, but it is a move (AA-12). A reload counts turns, not actions (p. 14).

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
        self.card = card
        self.toughness = card.strength if isinstance(card, InfantryCard) else card.hp
        self.posture, self.x = parse(posture)
        self.chooses = self.posture is optimal
        self._variant = variant
        for name in ("moved", "shifted", "target_moves"):
            if getattr(situation, name):
                raise UsageError(f"{name}: in a duel the postures move, for example close:6")
        self.offence = attack.offence(card, situation)
        self._moving = attack.offence(card, situation.model_copy(update={"moved": True}))
        self._shifted = attack.offence(card, situation.model_copy(update={"shifted": True}))
        self._targets = [
            attack.defence(enemy, situation.model_copy(update={"target_moves": moves}), variant)
            for moves in (0, MOVE_ACTIONS)
        ]
        self.sees_moves = any(weapon.kind == "he" for weapon in card.weapons)
        strengths = {least for least, _ in self.offence.guns}
        if self.posture is cautious:
            strengths.add(self._half)
        self.least = tuple(sorted(strengths, reverse=True))
        self._fired: dict[tuple[Any, ...], tuple[Volley, int]] = {}

    def turns(self, range_in: float, memory: int, enemy_moved: bool, row: int) -> list[Turn]:
        """Return the turns open to this unit; `memory` is 1 if the primary gun has to reload."""
        return list(self.posture(self, range_in, memory, enemy_moved, row))

    @property
    def _half(self) -> int:
        return math.ceil(self.toughness / 2)

    def hurt(self, row: int) -> bool:
        """Return whether a unit in row `row` has less than half its toughness left."""
        return self.least[row] < self._half

    def stay(self, range_in: float, memory: int, enemy_moved: bool, row: int) -> Turn:
        """Fire with every action, at advantage."""
        volley, emptied = self._fire(self.offence, range_in, memory, enemy_moved, row, self.card.actions)
        return Turn(volley, range_in, emptied, False, _words(volley))

    def save(self, range_in: float, enemy_moved: bool, row: int) -> Turn:
        """Stay, but keep the primary gun loaded."""
        volley, _ = self._fire(self.offence, range_in, 1, enemy_moved, row, self.card.actions)
        return Turn(volley, range_in, 0, False, f"{_words(volley)}, keep the gun loaded")

    def move_and_fire(self, range_in: float, to: float, memory: int, enemy_moved: bool, row: int, moves: int) -> Turn:
        """Move with the first actions, then fire with the others, not at advantage."""
        # A free move is no action, so it doesn't unsettle a casemate (AA-45), but it costs the advantage (AA-12).
        offence = self._moving if moves else self._shifted
        volley, emptied = self._fire(offence, to, memory, enemy_moved, row, self.card.actions - moves)
        return Turn(volley, to, emptied, True, f"{_move(range_in, to)}, {_words(volley)}")

    def fire_and_move(self, range_in: float, to: float, memory: int, enemy_moved: bool, row: int, moves: int) -> Turn:
        """Fire with the first actions, at advantage, then move with the others."""
        volley, emptied = self._fire(self.offence, range_in, memory, enemy_moved, row, self.card.actions - moves)
        return Turn(volley, to, emptied, True, f"{_words(volley)}, {_move(range_in, to)}")

    def _fire(
        self, offence: Offence, at: float, memory: int, enemy_moved: bool, row: int, actions: int
    ) -> tuple[Volley, int]:
        guns = next(n for n, (strength, _) in enumerate(offence.guns) if self.least[row] >= strength)
        key = offence is self.offence, offence is self._moving, at, memory, enemy_moved, guns, actions
        if key not in self._fired:
            volley, emptied = fire.choose(
                offence, guns, self._targets[enemy_moved], at, self._variant, loaded=not memory, actions=actions
            )
            self._fired[key] = volley, int(emptied)
        return self._fired[key]


def _words(volley: Volley) -> str:
    return f"fire {', '.join(volley.weapons)}" if volley.weapons else "no fire"


def _move(range_in: float, to: float) -> str:
    return f"close {range_in - to:g}" if to < range_in else f"back {to - range_in:g}"


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
    if name not in WITH_DISTANCE:
        if colon:
            raise UsageError(f"posture: found {posture!r}, expected {name!r} without a distance")
        return POSTURES[name], 0.0
    try:
        x = float(text)
    except ValueError:
        x = math.nan
    if not 0 <= x < math.inf:
        raise UsageError(f"posture: found {posture!r}, expected {name}:X with X inches, for example {name}:6")
    return POSTURES[name], x
