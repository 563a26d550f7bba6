"""What a unit does in a duel: postures, one function each, and the player that carries one out.

A posture gets the player as `unit`, and `now`, on which its turn depends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from aabalance.errors import UsageError, check_word
from aabalance.rulesets.armored_advance.card import Unit, backwards_in, free_in, moves_in, toughness
from aabalance.rulesets.armored_advance.duel import fire
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.shot.halves import STAYED, Gone, as_target, gone
from aabalance.rulesets.armored_advance.shot.sheets import Defence, Offence
from aabalance.rulesets.armored_advance.situation import Moment, Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Turn

MOVE_ACTIONS = 1
FARTHEST_IN = 48
"""How far apart best play may go, unless it begins farther: the length of a large table."""
DECIMALS = 6
"""Distances after moves are rounded to this, so that float noise changes no range band."""


class Now(NamedTuple):
    """Where a unit stands at the start of its turn.

    Attributes
    ----------
    range_in : float
        Inches between the two.
    memory : int
        That of `fire`, from the start on.
    enemy_moved : Gone or None
        How the enemy moved in its last turn; None if it didn't.
    row : int
        Index in `Player.least` of the threshold that the unit's toughness reaches.
    """

    range_in: float
    memory: int
    enemy_moved: Gone | None
    row: int


Posture = Callable[["Player", Now], Iterator[Turn]]


def hold(unit: Player, now: Now) -> Iterator[Turn]:
    """Stay and fire all it may, after setting up or throwing grenades where that does more."""
    yield unit.stay(now)


def close(unit: Player, now: Now) -> Iterator[Turn]:
    """Go straight in until within X inches, firing with the actions left; then hold."""
    reach = moves_in(unit.card, MOVE_ACTIONS) + free_in(unit.card)
    to = round(max(unit.x, now.range_in - reach), DECIMALS)
    yield unit.move_and_fire(now, to, MOVE_ACTIONS) if to < now.range_in else unit.stay(now)


def cautious(unit: Player, now: Now) -> Iterator[Turn]:
    """Do as `close`, but hold while less than half of the toughness is left."""
    yield from (hold if unit.hurt(now) else close)(unit, now)


def optimal(unit: Player, now: Now) -> Iterator[Turn]:
    """Take the best of all turns that move before the fire, after it, or not at all, by whole inches in or out."""
    yield from unit.stays(now)
    if unit.offence.reloads and not now.memory & fire.EMPTIED:
        yield unit.save(now)
    free, pool, here = free_in(unit.card), unit.card.actions, now.range_in
    for moves in range(pool + 1):
        ahead = moves_in(unit.card, moves) + free
        back = math.floor(here + backwards_in(unit.card, ahead))
        for to in range(max(0, math.ceil(here - ahead)), min(max(FARTHEST_IN, math.floor(here)), back) + 1):
            if to == here:
                continue
            yield unit.move_and_fire(now, to, moves)
            if moves < pool:
                yield unit.fire_and_move(now, to, moves)


POSTURES: dict[str, Posture] = {function.__name__: function for function in (hold, close, cautious, optimal)}
WITH_DISTANCE = ("close", "cautious")
NAMES = tuple(f"{name}:X" if name in WITH_DISTANCE else name for name in POSTURES)
"""As a ruleset lists them."""


class Player:
    """A unit with a posture; see `aabalance.rulesets.base.Player`.

    A unit that doesn't move fires with all its actions, at advantage (p. 8); one that moves fires with those left. A
    light unit's free move costs none, but it is a move (AA-12). A reload counts turns, not actions (p. 14). An indirect
    gun that moves has to be set up again (p. 15; AA-32, GUESS).

    Parameters
    ----------
    card, enemy : VehicleCard or InfantryCard
        The unit, and the one it fights.
    situation : Situation
        The situation, as the unit sees it.
    range_in : float
        Inches between the two at the start.
    variant : Variant
        The rule switches.
    posture : str
        A name of `POSTURES`, with ``:X`` inches where it takes a distance.
    explain : bool
        Volleys have their steps.

    Notes
    -----
    Methods that return or yield turns: `to` is the distance after a move, `moves` the number of actions spent on it.
    """

    def __init__(
        self,
        card: Unit,
        enemy: Unit,
        situation: Situation,
        range_in: float,
        variant: Variant,
        posture: str,
        *,
        explain: bool = False,
    ) -> None:
        self.card = card
        self._explain = explain
        self.toughness = toughness(card)
        self.posture, self.x = parse(posture)
        self.chooses = self.posture is optimal
        self._variant = variant
        still = Moment(**dict(situation), range_in=range_in)
        self.offence = halves.offence(card, still)
        # Who moves after the fire can't aim either (p. 12).
        self._unaimed = replace(self.offence, aimed=False) if self.offence.aimed else self.offence
        self._moving = halves.offence(card, still.model_copy(update={"moved": True}))
        self._shifted = halves.offence(card, still.model_copy(update={"shifted": True}))
        self._enemy, self._still = enemy, still
        self._targets = {STAYED: halves.defence(enemy, still, variant)}
        # A duel begins with a memory of 0, also for a gun that is set up already.
        self._start = fire.start(self.offence)
        self.sees_moves = any(weapon.kind == "he" for weapon in card.weapons)
        strengths = {least for least, _ in self.offence.guns}
        if self.posture is cautious:
            strengths.add(self._half)
        self.least = tuple(sorted(strengths, reverse=True))
        self._fired: dict[tuple[Any, ...], fire.Stay] = {}
        self._engagements: dict[tuple[Any, ...], fire.Engagement] = {}

    def turns(self, range_in: float, memory: int, enemy_moved: Any, row: int) -> list[Turn]:
        """Return the turns open to this unit.

        Parameters
        ----------
        range_in : float
            Inches between the two before the turn.
        memory : int
            That of `fire`, but 0 at the start.
        enemy_moved : Gone or None
            How the enemy moved in its last turn; None if it didn't.
        row : int
            Index in `least` of the threshold that the unit's toughness reaches.
        """
        turns = self.posture(self, Now(range_in, memory ^ self._start, enemy_moved, row))
        return [turn._replace(memory=turn.memory ^ self._start) for turn in turns]

    @property
    def _half(self) -> int:
        return math.ceil(self.toughness / 2)

    def hurt(self, now: Now) -> bool:
        """Return whether the unit has less than half its toughness left."""
        return self.least[now.row] < self._half

    def stay(self, now: Now) -> Turn:
        """Return the turn in which it sets up or throws a grenade if that is better, else fires with every action."""
        stay = self._at(self.offence, now).hold(self._guns(now), now.memory)
        return Turn(stay.volley, now.range_in, stay.memory, None, stay.orders)

    def stays(self, now: Now) -> Iterator[Turn]:
        """Yield every turn in which it stays, except those in which it keeps its gun loaded."""
        for stay in self._at(self.offence, now).stays(self._guns(now), now.memory):
            yield Turn(stay.volley, now.range_in, stay.memory, None, stay.orders)

    def save(self, now: Now) -> Turn:
        """Return the turn in which it stays and keeps the primary gun loaded."""
        stay = self._fire(self.offence, now._replace(memory=now.memory | fire.EMPTIED), self.card.actions)
        return Turn(stay.volley, now.range_in, stay.memory, None, f"{stay.orders}, keep the gun loaded")

    def move_and_fire(self, now: Now, to: float, moves: int) -> Turn:
        """Return the turn in which it moves with the first actions, then fires with the others, not at advantage."""
        # A free move is no action, so it doesn't unsettle a casemate (AA-45).
        offence = self._moving if moves else self._shifted
        there = now._replace(range_in=to, memory=now.memory & ~fire.SET_UP)
        stay = self._fire(offence, there, self.card.actions - moves)
        moved = gone(moves, abs(now.range_in - to))
        return Turn(stay.volley, to, stay.memory, moved, f"{_move(now.range_in, to)}, {stay.orders}")

    def fire_and_move(self, now: Now, to: float, moves: int) -> Turn:
        """Return the turn in which it fires with the first actions, at advantage, then moves with the others."""
        stay = self._fire(self._unaimed, now, self.card.actions - moves)
        after = stay.memory & ~fire.SET_UP
        moved = gone(moves, abs(now.range_in - to))
        return Turn(stay.volley, to, after, moved, f"{stay.orders}, {_move(now.range_in, to)}")

    def _guns(self, now: Now) -> int:
        return next(n for n, (strength, _) in enumerate(self.offence.guns) if self.least[now.row] >= strength)

    def _at(self, offence: Offence, now: Now) -> fire.Engagement:
        key = id(offence), now.range_in, now.enemy_moved
        if key not in self._engagements:
            target = self._target(now.enemy_moved or STAYED)
            self._engagements[key] = fire.Engagement(
                offence, target, now.range_in, self._variant, explain=self._explain
            )
        return self._engagements[key]

    def _target(self, moved: Gone) -> Defence:
        if moved not in self._targets:
            self._targets[moved] = halves.defence(self._enemy, as_target(self._still, moved), self._variant)
        return self._targets[moved]

    def _fire(self, offence: Offence, now: Now, actions: int) -> fire.Stay:
        guns = self._guns(now)
        key = id(offence), now._replace(row=guns), actions
        if key not in self._fired:
            self._fired[key] = self._at(offence, now).fire(guns, now.memory, actions)
        return self._fired[key]


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
    check_word("posture", name, POSTURES)
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
