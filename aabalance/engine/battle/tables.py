"""Battles packed: both sides as arrays of integers, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Any, NamedTuple

import numpy as np

from aabalance.dice import Pmf, chance_of_at_least
from aabalance.engine import jit
from aabalance.engine.battle import exact, graph, kernel
from aabalance.engine.battle.graph import BITS_AT, MOVER, OVER, Graph
from aabalance.engine.battle.lanes import (
    ATTACKS,
    BELOW,
    COUNTS,
    FIRED_PLACE,
    GUNS,
    HITS,
    OF_GUN,
    PLACE,
    SPOT,
    SPOTS,
    UNITS,
    WORTH,
)
from aabalance.engine.battle.policies import FALLS, POLICIES, Falls
from aabalance.engine.battle.rolls import Rolls, rolls
from aabalance.engine.battle.turns import room_for, toughness
from aabalance.engine.outcome import DRAW, BattleOutcome
from aabalance.engine.volleys import Volleys
from aabalance.engine.walk.exact import survived
from aabalance.errors import UsageError, counted
from aabalance.rulesets.base import Fighter, Force, Strike

MOST_STATES = 1 << 20
MOST_WAYS = 1 << 24
MOST_WAYS_OF_A_TURN = 1 << 14
MOST_STEPS = 1_000_000_000
"""Where the exact solver gives up: states, what leads from one to another, and how often that is gone through."""
STATE_BITS = 62

SIDES = (0, 1)

Kinds = list[tuple[Fighter, list[int]]]
"""The different units of a side, each with the places at which it stands in the list."""


class TooLarge(UsageError):
    """There is no time or room for an exact solution."""


class Terms(NamedTuple):
    """How a battle is fought, besides who fights it.

    Attributes
    ----------
    limits : (int, int)
        Actions of either side in a turn.
    policies : (str, str)
        Names of `aabalance.engine.battle.policies.POLICIES`.
    rounds : int or None
        Turns of each side.
    by_worth : bool
        After them the side with more worth left wins, and equals play on a round at a time; else it is a draw. The same
        if nobody can hurt a unit that counts, but then equals are a draw.
    """

    limits: tuple[int, int]
    policies: tuple[str, str]
    rounds: int | None = None
    by_worth: bool = False


class Battle:
    """Two sides, packed.

    Parameters
    ----------
    forces : pair of Force
    terms : Terms
    in_order : bool
        Make use of it where units fall in a known order; without, there are more numbers, of the same battle.

    Attributes
    ----------
    sides : pair of tuple of arrays
        Of each side: units, guns, strikes, rank and volley, whose columns `aabalance.engine.battle.turns` names.
    """

    def __init__(self, forces: tuple[Force, Force], terms: Terms, *, in_order: bool = True) -> None:
        self.terms = terms
        self._volleys = Volleys()
        kinds = [_kinds(force, limit) for force, limit in zip(forces, terms.limits, strict=True)]
        payable = [_listed(kind) for kind in kinds]
        reloading = [0]
        units = [_units(payable[side], payable[1 - side]) for side in SIDES]
        ranks = [_ranks(kinds[side], payable[1 - side], units[1 - side]) for side in SIDES]
        for side in SIDES:
            _number(units[1 - side], ranks[side], FALLS.get(terms.policies[side]) if in_order else None)
        self.sides = tuple(
            (
                units[side],
                _guns(kinds[side]),
                _strikes(kinds[side], ranks[side], payable[1 - side]),
                ranks[side],
                self._effects(kinds[side], len(payable[1 - side])),
                _spots(kinds[side], units[side], reloading),
            )
            for side in SIDES
        )
        self._made = tuple(map(_all_strikes, kinds))
        self._bits = reloading[0]
        self._graph: Graph | None = None

    def solve(self, first: int) -> BattleOutcome:
        """Solve the battle exactly.

        Parameters
        ----------
        first : int
            The side that moves first; side 0 is a either way.

        Raises
        ------
        TooLarge
            It has too many states.
        """
        if self._graph is None:
            self._graph = self._reached()
        states, start, to, p = self._graph
        terms = self.terms
        if not len(states) or len(to) * (terms.rounds or 0) > MOST_STEPS:
            raise TooLarge("battle: found too many states to solve it exactly, expected fewer units or rounds")
        left = states >> (self._bits + BITS_AT)
        over = (states >> OVER) & 1 == 1
        mover = np.where(over, -1, (states >> MOVER) & 1).astype(np.int8)
        worth, counting = self._standing(left)
        ends = np.zeros((len(states), exact.ENDS))
        ends[:, exact.VALUE :] = worth
        # A side without a unit that counts has lost; if both have one, nobody can hurt any.
        leader = np.sign(worth[:, 0] - worth[:, 1]) if terms.by_worth else np.zeros(len(states))
        leader = np.where(counting[:, 0] == counting[:, 1], leader, counting[:, 0].astype(int) - counting[:, 1])
        ends[np.arange(len(states)), np.where(leader == 0, DRAW, np.where(leader > 0, 0, 1))] = 1.0
        known = over | (
            (terms.by_worth & (leader != 0) | (not terms.by_worth)) & (mover == first) & (terms.rounds is not None)
        )
        if terms.rounds is None or terms.by_worth:
            done = np.where(known, exact.DONE, exact.NEW).astype(np.int8)
            order = np.argsort(states, kind="stable")
            scratch = np.empty(len(states), dtype=np.int32), np.empty(len(states))
            jit.compiled(exact.settle)(order, left, start, to, p, worth, done, *scratch, ends)
        if terms.rounds is not None:
            jit.compiled(exact.play_rounds)(terms.rounds, mover, 1 - first, start, to, p, ends)
        return BattleOutcome(*ends[first].tolist())

    def rolls(self, first: int) -> Rolls:
        """Return the battle ready to be rolled; in its tally the side that moves first is a.

        Raises
        ------
        UsageError
            The kernel has no room for it.
        """
        return rolls(self.sides, self._made, self.terms, first)

    @property
    def solver(self) -> str:
        """The form of the exact solution, once there is one."""
        if self._graph is None:
            return ""
        chains = sum(int(side[0][0, BELOW]) >= 0 for side in self.sides)
        form = ("reachable states", "one side a chain", "chain")[chains]
        return f"{form}, {counted(len(self._graph.states), 'state')}"

    def _reached(self) -> Graph:
        full, span = zip(*(_full(side[0]) for side in self.sides), strict=True)
        if (
            max(len(side[UNITS]) for side in self.sides) > kernel.SIDE_UNITS
            or (span[0] * span[1]).bit_length() + self._bits + BITS_AT > STATE_BITS
            or any(map(_too_much_to_spend, self.sides))
        ):
            nothing = np.empty(0, dtype=np.int64)
            return Graph(nothing, nothing, nothing, nothing)
        chosen = {f"choose_{side}": POLICIES[self.terms.policies[side]] for side in SIDES}
        reach = jit.compiled(graph.reach, **chosen)
        room = room_for(self.sides, MOST_WAYS_OF_A_TURN)
        limits = MOST_STATES, MOST_WAYS
        return Graph(
            *reach(self.sides, self.terms.limits, self._volleys.arrays(), full, span[1], self._bits, *limits, room)[:4]
        )

    def _standing(self, left: Any) -> tuple[Any, Any]:
        """Return by state and side what worth is left, and whether a unit that counts is."""
        _, span = _full(self.sides[1][0])
        worth, counting = np.zeros((len(left), 2)), np.zeros((len(left), 2), dtype=bool)
        for side, number in enumerate((left // span, left % span)):
            for unit in self.sides[side][0]:
                alive = number // unit[PLACE] % (unit[HITS] + 1) > 0 if unit[BELOW] < 0 else number > unit[BELOW]
                worth[:, side] += unit[WORTH] * alive
                counting[:, side] |= alive & (unit[COUNTS] != 0)
        return worth, counting

    def _effects(self, kinds: Kinds, enemies: int) -> Any:
        found = [[self._volleys.add(effect) for effect in strike.effects] for strike in _all_strikes(kinds)]
        return np.array(found, dtype=np.int64).reshape(-1, enemies)


def _payable(unit: Fighter, limit: int) -> Fighter:
    """Return a unit without the strikes that it can never pay for: with these it can't hurt anybody."""
    most = unit.actions if unit.free else min(unit.actions, limit)
    return unit._replace(strikes=tuple(strike for strike in unit.strikes if strike.actions <= most))


def _kinds(force: Force, limit: int) -> Kinds:
    """Return the different units of a side, with what it may pay for alone, and the places at which each stands."""
    kinds: list[tuple[Fighter, list[int]]] = []
    for at, unit in enumerate(force):
        for other, places in kinds:
            if other is unit or other == unit:
                places.append(at)
                break
        else:
            kinds.append((unit, [at]))
    return [(_worth_making(_payable(unit, limit)), places) for unit, places in kinds]


def _worth_making(unit: Fighter) -> Fighter:
    """Return a unit without the strikes that hurt nobody, and those that another always takes the place of."""
    strikes = [strike for strike in unit.strikes if any(max(effect) > 0 for effect in strike.effects)]
    return unit._replace(
        strikes=tuple(
            one
            for at, one in enumerate(strikes)
            if not any(_takes_the_place(other, one, by < at) for by, other in enumerate(strikes) if by != at)
        )
    )


def _takes_the_place(other: Strike, one: Strike, earlier: bool) -> bool:
    """Return whether whoever may choose between two strikes has no reason for the second.

    The first is made with the same gun, takes as much of it, is there whenever the second is, takes any amount from
    any enemy at least as likely, and comes first where there is nothing between them.
    """
    same = (one.gun, one.attacks, one.actions) == (other.gun, other.attacks, other.actions)
    if not same or not other.least <= one.least <= one.most <= other.most:
        return False
    for mine, theirs in zip(one.effects, other.effects, strict=True):
        amounts = {*mine, *theirs} - {0}
        if any(chance_of_at_least(mine, x) > chance_of_at_least(theirs, x) for x in amounts):
            return False
        if not earlier and max(mine) > 0 and chance_of_at_least(mine, 1) == chance_of_at_least(theirs, 1):
            return False
    return True


def _listed(kinds: Kinds) -> Force:
    return tuple(unit for _, unit in sorted((at, unit) for unit, places in kinds for at in places))


def _all_strikes(kinds: Kinds) -> list[Strike]:
    return [strike for unit, _ in kinds for strike in unit.strikes]


def _units(force: Force, enemies: Force) -> Any:
    """Return the columns of a side's units, but for the last three."""
    rows = []
    for at, unit in enumerate(force):
        quantum = gcd(*(amount for enemy in enemies for strike in enemy.strikes for amount in strike.effects[at]))
        hits = survived(unit.toughness, quantum)
        rows.append(
            [unit.toughness, unit.actions, int(unit.free), unit.worth, int(unit.counts), quantum, hits, 0, 0, 0]
        )
    return _column(rows, 10)


def _number(units: Any, rank: Any, falls: Falls | None) -> None:
    """Write how a side's units make up its number: one after the other where they fall so, else each a digit."""
    lefts = [[toughness(units, unit, steps) for steps in range(1, units[unit, HITS] + 1)] for unit in range(len(units))]
    order = falls(rank, lefts, units[:, WORTH].tolist()) if falls else None
    if order is not None:
        below = 0
        for unit in reversed(order):
            units[unit, PLACE], units[unit, BELOW] = 1, below
            below += int(units[unit, HITS])
        return
    place = 1
    for unit in range(len(units)):
        units[unit, PLACE], units[unit, BELOW] = min(place, 1 << STATE_BITS), -1
        place *= int(units[unit, HITS]) + 1


def _guns(kinds: Kinds) -> Any:
    """Return the columns of a side's guns."""
    rows: list[list[int]] = []
    begin = 0
    for unit, _ in kinds:
        for gun in unit.guns:
            rows.append([gun.attacks, int(gun.reloads), begin])
            begin += gun.attacks
    return _column(rows, 3)


def _spots(kinds: Kinds, units: Any, reloading: list[int]) -> Any:
    """Return the columns of the guns of all units; `reloading` counts the bits that were given away."""
    rows = []
    place = 1
    first_gun = 0
    for unit, places in kinds:
        for at in places:
            units[at, SPOT] = len(rows)
            spent = place
            place *= unit.actions + 1
            for number, gun in enumerate(unit.guns):
                bit = -1
                if gun.reloads:
                    bit = reloading[0]
                    reloading[0] += 1
                rows.append([at, first_gun + number, bit, place, spent])
                place *= gun.attacks + 1
        first_gun += len(unit.guns)
    return _column(rows, 5)


def _strikes(kinds: Kinds, ranks: Any, enemies: Force) -> Any:
    """Return the columns of a side's strikes."""
    rows: list[list[int]] = []
    first_gun = 0
    for unit, places in kinds:
        # What may be spent in a turn, at most; where it is no more than the pool, nobody has to count.
        dearest = {
            one.gun: max(other.actions for other in unit.strikes if other.gun == one.gun) for one in unit.strikes
        }
        pool = (
            0 if sum(unit.guns[gun].attacks * cost for gun, cost in dearest.items()) <= unit.actions else unit.actions
        )
        members = sum(1 << at for at in places)
        for one in unit.strikes:
            rank = ranks[len(rows)]
            hurts = sum(1 << at for at, enemy in enumerate(enemies) if rank[at, enemy.toughness] > 0)
            steady = one.least <= 1 and one.most >= unit.toughness
            row = [members, first_gun + one.gun, one.attacks, one.actions, one.least, one.most]
            rows.append([*row, pool, int(unit.free), hurts, int(steady), one.gun, int(len(unit.strikes) == 1)])
        first_gun += len(unit.guns)
    return _column(rows, 12)


def _column(rows: list[list[int]], fields: int) -> Any:
    # Numbers of no side that fits into a state are as large as these.
    most = 1 << STATE_BITS
    return np.array([[min(number, most) for number in row] for row in rows], dtype=np.int64).reshape(-1, fields)


def _full(units: Any) -> tuple[int, int]:
    """Return a side's number at full strength, and how many numbers it has."""
    hits = units[:, HITS].tolist()
    span = prod(n + 1 for n in hits) if units[0, BELOW] < 0 else sum(hits) + 1
    return span - 1, span


def _too_much_to_spend(side: Any) -> bool:
    guns, spots = side[GUNS], side[SPOTS]
    return (
        len(spots) > 0 and int(spots[-1, FIRED_PLACE]) * (int(guns[spots[-1, OF_GUN], ATTACKS]) + 1) >= 1 << STATE_BITS
    )


def _ranks(kinds: Kinds, enemies: Force, units: Any) -> Any:
    """Return the order of the gains of a side's strikes, by enemy and what it has left; equal gains have one rank."""
    most = max(enemy.toughness for enemy in enemies)
    strikes = _all_strikes(kinds)
    gains: dict[tuple[Any, ...], list[tuple[int, Fraction]]] = {}
    cells = []
    for strike, made in enumerate(strikes):
        for enemy, target in enumerate(enemies):
            effect = made.effects[enemy]
            key = (tuple(sorted(effect.items())), made.actions, *units[enemy].tolist()[:7])
            if key not in gains:
                gains[key] = list(_gains(effect, made.actions, target, units[enemy]))
            cells.append((strike, enemy, key))
    known = sorted({gain for found in gains.values() for _, gain in found if gain})
    order = {gain: rank for rank, gain in enumerate(known, 1)} | {Fraction(0): 0}
    rank = np.zeros((len(strikes), len(enemies), most + 1), dtype=np.int32)
    for strike, enemy, key in cells:
        for left, gain in gains[key]:
            rank[strike, enemy, left] = order[gain]
    return rank


def _gains(effect: Pmf, actions: int, target: Fighter, unit: Any) -> Iterator[tuple[int, Fraction]]:
    """Yield what a target may have left, and the worth that one action of a strike is expected to take of it."""
    quantum, hits = int(unit[5]), int(unit[6])
    over = lcm(*(p.denominator for p in effect.values()))
    ways = [(amount, p.numerator * (over // p.denominator)) for amount, p in effect.items()]
    for steps in range(1, hits + 1):
        left = target.toughness - (hits - steps) * quantum
        taken = sum(min(amount, left) * n for amount, n in ways)
        yield left, Fraction(target.worth * taken, over * left * actions)
