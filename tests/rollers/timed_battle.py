"""Timed battles solved literally in exact fractions: small ones, of vehicles with one gun each that fires once a turn.

It shares no code with the package, and says what the last round is about: equals play a round more until they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

State = tuple[tuple[int, ...], tuple[int, ...]]
Ends = tuple[Fraction, ...]
"""P(a wins), P(b wins), expected player turns to come, requisition left to a and to b."""

NOTHING: Ends = (Fraction(0),) * 5
A_TURN: Ends = (Fraction(0), Fraction(0), Fraction(1), Fraction(0), Fraction(0))


@dataclass(frozen=True)
class Vehicle:
    """What a unit has and costs, and what its gun takes; `hits` is its chance to damage each enemy."""

    hp: int
    requisition: int
    damage: int
    hits: tuple[Fraction, ...]


@dataclass(frozen=True)
class Battle:
    """Two lists under their action limits; `deaf` plays on after a turn that hurt nobody, whoever leads by then."""

    lists: tuple[tuple[Vehicle, ...], tuple[Vehicle, ...]]
    policies: tuple[str, str]
    limits: tuple[int, int]
    rounds: int
    deaf: bool = False

    def ends(self, first: int) -> Ends:
        """How the battle ends if this side moves first."""
        second = 1 - first
        a, b = (tuple(unit.hp for unit in units) for units in self.lists)
        reached: Mapping[State, Fraction] = {(a, b): Fraction(1)}
        ends = NOTHING
        for turn in range(2 * self.rounds):
            after: dict[State, Fraction] = {}
            for state, p in reached.items():
                ends = _plus(ends, A_TURN, p)
                for to, q in self._turn(first if turn % 2 == 0 else second, state):
                    if all(map(any, to)):
                        after[to] = after.get(to, Fraction(0)) + p * q
                    else:
                        ends = _plus(ends, self._standing(to), p * q)
            reached = after

        @cache
        def more(state: State) -> Ends:
            """What comes of a state in which another round begins."""
            ends, again = A_TURN, Fraction(0)
            for between, p in self._turn(first, state):
                if not all(map(any, between)):
                    ends = _plus(ends, self._standing(between), p)
                    continue
                ends = _plus(ends, A_TURN, p)
                for to, q in self._turn(second, between):
                    over = not all(map(any, to)) or (self._leads(to) and not (self.deaf and to == between))
                    if not over and to == state:
                        again += p * q
                    else:
                        ends = _plus(ends, self._standing(to) if over else more(to), p * q)
            return tuple(end / (1 - again) for end in ends)

        for state, p in reached.items():
            ends = _plus(ends, self._standing(state) if self._leads(state) else more(state), p)
        return ends

    def _left(self, state: State) -> tuple[int, int]:
        a, b = (
            sum(unit.requisition for unit, hp in zip(units, side, strict=True) if hp > 0)
            for units, side in zip(self.lists, state, strict=True)
        )
        return a, b

    def _leads(self, state: State) -> bool:
        a, b = self._left(state)
        return a != b

    def _standing(self, state: State) -> Ends:
        a, b = self._left(state)
        return Fraction(a > b), Fraction(b > a), Fraction(0), Fraction(a), Fraction(b)

    def _turn(self, side: int, state: State) -> list[tuple[State, Fraction]]:
        """Each state after a side's turn, with its chance."""
        found: dict[tuple[int, ...], Fraction] = {}

        def act(enemies: tuple[int, ...], ready: tuple[int, ...], p: Fraction) -> None:
            able = ready if len(state[side]) - len(ready) < self.limits[side] + self._dead(state[side]) else ()
            picked = self._picked(side, able, enemies)
            if picked is None:
                found[enemies] = found.get(enemies, Fraction(0)) + p
                return
            unit, enemy = picked
            gun = self.lists[side][unit]
            hit = list(enemies)
            hit[enemy] = max(0, hit[enemy] - gun.damage)
            rest = tuple(other for other in ready if other != unit)
            act(tuple(hit), rest, p * gun.hits[enemy])
            if gun.hits[enemy] < 1:
                act(enemies, rest, p * (1 - gun.hits[enemy]))

        living = tuple(unit for unit, hp in enumerate(state[side]) if hp > 0)
        act(state[1 - side], living, Fraction(1))
        return [((state[0], to) if side == 0 else (to, state[1]), p) for to, p in found.items()]

    @staticmethod
    def _dead(side: Sequence[int]) -> int:
        return sum(hp == 0 for hp in side)

    def _picked(self, side: int, ready: Sequence[int], enemies: Sequence[int]) -> tuple[int, int] | None:
        """Who fires at whom by the side's policy; nobody if nobody can hurt anybody."""
        own, other = self.lists[side], self.lists[1 - side]
        pairs = [(u, e) for u in ready for e, hp in enumerate(enemies) if hp > 0 and own[u].hits[e] > 0]
        if not pairs:
            return None
        if self.policies[side] == "value":
            gains = [
                other[e].requisition * own[u].hits[e] * min(own[u].damage, enemies[e]) / enemies[e] for u, e in pairs
            ]
            return pairs[gains.index(max(gains))]
        first = [pair for pair in pairs if pair[0] == pairs[0][0]]
        if self.policies[side] == "focus":
            return min(first, key=lambda pair: (enemies[pair[1]], -other[pair[1]].requisition, pair[1]))
        return first[0]


def _plus(ends: Ends, more: Ends, share: Fraction) -> Ends:
    return tuple(end + share * other for end, other in zip(ends, more, strict=True))
