"""Packs what a ruleset says about both sides of a battle into arrays of integers.

A gain is the part of its target's worth that a strike is expected to take, per action: an exact rational. Policies
compare its rank among all gains of its side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from aabalance.dice import Pmf, chance_of_at_least, constant
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import Columns, Ranks, Side, Sides, toughness_left
from aabalance.engine.battle.policies import Falls
from aabalance.engine.volleys import Volleys
from aabalance.errors import UsageError
from aabalance.rulesets.base import Fighter, Force, Strike

STATE_BITS = 62
SIDES = (0, 1)
ANY_TOUGHNESS = 1 << 62
NOTHING = constant(0)

Kinds = list[tuple[Fighter, list[int]]]
"""The different kinds of units of a side, by what they can do, each with the places of its units in the list."""


class Packed(NamedTuple):
    """Both sides of a battle.

    Attributes
    ----------
    sides : pair of Side
        Both sides.
    strikes : pair of list of Strike
        The strikes of each side, in the order of their rows.
    volleys : Volleys
        Effects of the strikes; the first is no effect.
    bits : int
        Number of bits of a state for the guns of both sides.
    most_spent : int
        How many different numbers there are for what a side has spent in a turn.
    """

    sides: Sides
    strikes: tuple[list[Strike], list[Strike]]
    volleys: Volleys
    bits: int
    most_spent: int


def packed(
    forces: tuple[Force, Force], limits: tuple[int, int], falls: Sequence[Falls | None], volleys: Volleys | None = None
) -> Packed:
    """Pack the sides of a battle.

    Parameters
    ----------
    forces : pair of Force
        Both sides.
    limits : (int, int)
        Limit of actions of each side in a turn.
    falls : pair of callable or None
        For each side, a function that returns the order in which its enemies fall, if there is such an order.
    volleys : Volleys, optional
        Volleys to which the effects are added, if many battles are solved together.
    """
    volleys = Volleys() if volleys is None else volleys
    volleys.add(NOTHING)  # the first: NO_EFFECT
    bits = count()
    kinds = [_kinds(force, limit) for force, limit in zip(forces, limits, strict=True)]
    listed = [_listed(force, kind) for force, kind in zip(forces, kinds, strict=True)]
    units = [_units(listed[side], listed[1 - side]) for side in SIDES]
    ranks = [ranks_of(_all_strikes(kinds[side]), listed[1 - side], units[1 - side]) for side in SIDES]
    for side in SIDES:
        # Units that strike and are struck back fall in their own turn too.
        struck_back = any(strike.return_fire for strike in _all_strikes(kinds[side]))
        _number(units[1 - side], ranks[side], None if struck_back else falls[side])
    sides, most_spent = [], []
    for side in SIDES:
        enemies = listed[1 - side]
        strikes, helpers = _strikes(kinds[side], _hurt_masks(ranks[side], enemies), enemies)
        spots, most = _spots(kinds[side], units[side], len(enemies), bits)
        effects = [[volleys.add(effect) for (effect,) in one.effects] for one in _all_strikes(kinds[side])]
        volley = np.array(effects, dtype=np.int64).reshape(-1, len(enemies))
        sides.append(Side(units[side], _guns(kinds[side]), strikes, helpers, ranks[side], volley, spots))
        most_spent.append(most)
    made = _all_strikes(kinds[0]), _all_strikes(kinds[1])
    return Packed((sides[0], sides[1]), made, volleys, next(bits), max(most_spent))


def _hurt_masks(rank: Ranks, enemies: Sequence[Fighter]) -> list[int]:
    """Return for each strike the enemies that it can hurt: bit e is set if it gains at enemy e at full strength."""
    harmful = [rank[:, at, enemy.toughness] > 0 for at, enemy in enumerate(enemies)]
    return [sum(1 << at for at, one in enumerate(of_strike) if one) for of_strike in zip(*harmful, strict=True)]


def _payable(unit: Fighter, force: Force, limit: int) -> Fighter:
    """Return a unit without the strikes for which its side can never have the actions."""

    def paid(strike: Strike) -> bool:
        actions = strike.prepare or strike.actions
        if actions > unit.actions:
            return False
        if 0 < strike.prepare < unit.actions:
            raise UsageError(f"prepare: found {strike.prepare} of {unit.actions} actions, expected all")
        shared = 0 if unit.free else actions
        for help_ in strike.helps:
            able = [force[by] for by in help_.units if help_.actions <= force[by].actions]
            if not able:
                return False
            shared += 0 if any(by.free for by in able) else help_.actions
        return shared <= limit

    strikes = [strike for strike in unit.strikes if paid(strike)]
    prepared = {strike.gun for strike in strikes if strike.prepare}
    lasts = any(help_.lasts for strike in strikes for help_ in strike.helps)
    return unit._replace(
        strikes=tuple(
            one for one in strikes if (not one.prepared or one.gun in prepared) and (one.helped_at is None or lasts)
        )
    )


def _kinds(force: Force, limit: int) -> Kinds:
    """Return the kinds of units of a side, with the places of their units."""
    kinds: list[tuple[Fighter, list[int]]] = []
    known: dict[int, int] = {}
    for at, unit in enumerate(force):
        if id(unit) not in known:
            arms = _arms(unit)
            known[id(unit)] = next((n for n, (other, _) in enumerate(kinds) if other == arms), len(kinds))
            if known[id(unit)] == len(kinds):
                kinds.append((arms, []))
        kinds[known[id(unit)]][1].append(at)
    return [(_worth_making(_payable(unit, force, limit)), places) for unit, places in kinds]


def _arms(unit: Fighter) -> Fighter:
    """Return a unit with only those properties that say what it can do to enemies."""
    strikes = (
        one._replace(weapon="", least=0, most=ANY_TOUGHNESS) if one.least <= 1 and one.most >= unit.toughness else one
        for one in unit.strikes
    )
    return unit._replace(name="", toughness=0, cost=0, counts=False, strikes=tuple(strikes))


def _worth_making(unit: Fighter) -> Fighter:
    """Return a unit without the strikes that hurt nobody, and without those that another strike always replaces."""
    strikes = [strike for strike in unit.strikes if any(max(effect) > 0 for (effect,) in strike.effects)]
    return unit._replace(
        strikes=tuple(
            one
            for at, one in enumerate(strikes)
            if not any(_takes_the_place(other, one, by < at) for by, other in enumerate(strikes) if by != at)
        )
    )


def _takes_the_place(other: Strike, one: Strike, earlier: bool) -> bool:
    """Return whether `other` always replaces `one`: there is never a reason to make `one` where both can be made.

    `other` is made with the same gun, costs as much, can be made whenever `one` can, takes any amount from any enemy
    with at least the same chance, and comes first if both are equally good.
    """
    alike = ("gun", "attacks", "actions", "helps", "helped_at", "gone", "prepare", "prepared", "return_fire")
    if any(getattr(one, name) != getattr(other, name) for name in alike):
        return False
    if not other.least <= one.least <= one.most <= other.most:
        return False
    pairs = zip(chain(*one.effects), chain(*other.effects), strict=True)
    for mine, theirs in {(id(mine), id(theirs)): (mine, theirs) for mine, theirs in pairs}.values():
        amounts = {*mine, *theirs} - {0}
        if any(chance_of_at_least(mine, x) > chance_of_at_least(theirs, x) for x in amounts):
            return False
        if not earlier and max(mine) > 0 and chance_of_at_least(mine, 1) == chance_of_at_least(theirs, 1):
            return False
    return True


def _listed(force: Force, kinds: Kinds) -> Force:
    """Return a side whose units have only the strikes of their kinds."""
    strikes = {at: unit.strikes for unit, places in kinds for at in places}
    return tuple(unit._replace(strikes=strikes[at]) for at, unit in enumerate(force))


def _all_strikes(kinds: Kinds) -> list[Strike]:
    return [strike for unit, _ in kinds for strike in unit.strikes]


def _units(force: Force, enemies: Force) -> Columns:
    """Return the columns of a side's units; those for places are still 0."""
    rows = []
    for at, unit in enumerate(force):
        effects = (effect for enemy in enemies for strike in enemy.strikes for effect in strike.effects[at])
        quantum = gcd(*(amount for effect in effects for amount in effect))
        hits = -(-unit.toughness // quantum) if quantum else 1
        rows.append(
            [unit.toughness, unit.actions, int(unit.free), unit.cost, int(unit.counts), quantum, hits, *[0] * 4]
        )
    return _rows(rows, 11)


def _number(units: Columns, rank: Ranks, falls: Falls | None) -> None:
    """Write how a side's units make up its number.

    If they fall in a known order, the number is the sum of their steps; else each unit is a digit.
    """
    hits = units[:, col.HITS].tolist()
    lefts = [[toughness_left(units, unit, steps + 1) for steps in range(most)] for unit, most in enumerate(hits)]
    order = falls(rank, lefts, units[:, col.COST].tolist()) if falls else None
    if order is not None:
        below = 0
        for unit in reversed(order):
            units[unit, col.PLACE], units[unit, col.BELOW] = 1, below
            below += int(units[unit, col.HITS])
        return
    place = 1
    for unit in range(len(units)):
        units[unit, col.PLACE], units[unit, col.BELOW] = min(place, 1 << STATE_BITS), -1
        place *= int(units[unit, col.HITS]) + 1


def _guns(kinds: Kinds) -> Columns:
    """Return the columns of a side's guns."""
    rows: list[list[int]] = []
    begin = 0
    for unit, _ in kinds:
        for gun in unit.guns:
            rows.append([gun.attacks, int(gun.reloads), int(gun.once), begin])
            begin += gun.attacks
    return _rows(rows, 4)


def _spots(kinds: Kinds, units: Columns, enemies: int, bits: Iterator[int]) -> tuple[Columns, int]:
    """Return the columns of all units' guns, and how many different numbers there are for what a side has spent.

    The places of the side's units in these numbers are written into `units`; `bits` gives the next free bit.
    """
    rows: list[list[int]] = []
    place = 1
    first_gun = 0
    for unit, places in kinds:
        for at in places:
            units[at, col.SPENT_PLACE] = min(place, 1 << STATE_BITS)
            place *= unit.actions + 1
            if any(strike.helped_at is not None for strike in unit.strikes):
                units[at, col.HELPED_PLACE] = min(place, 1 << STATE_BITS)
                place <<= enemies
            for number, gun in enumerate(unit.guns):
                fired = [strike for strike in unit.strikes if strike.gun == number]
                prepares = any(strike.prepare for strike in fired)
                bits_of = [
                    next(bits) if fired and wanted else col.NOBODY for wanted in (gun.reloads or gun.once, prepares)
                ]
                rows.append([at, first_gun + number, *bits_of, place])
                place *= gun.attacks + 1 + prepares
        first_gun += len(unit.guns)
    return _rows(rows, 5), place


def _strikes(kinds: Kinds, hurts: Sequence[int], enemies: Force) -> tuple[Columns, Columns]:
    """Return the columns of a side's strikes, which hurt the enemies in `hurts`, and those of their helpers."""
    rows: list[list[int]] = []
    helpers: list[list[int]] = []
    units = sum(len(places) for _, places in kinds)
    first_gun = 0
    for unit, places in kinds:
        members = sum(1 << at for at in places)
        for one in unit.strikes:
            steady = one.most == ANY_TOUGHNESS
            stage = col.PREPARES if one.prepare else col.NEEDS_PREPARED if one.prepared else col.ANY
            gone, helped_at = (col.NOBODY if enemy is None else enemy for enemy in (one.gone, one.helped_at))
            rows.append(
                [
                    members,
                    first_gun + one.gun,
                    one.attacks,
                    one.prepare or one.actions,
                    one.least,
                    one.most,
                    unit.actions,
                    int(unit.free),
                    hurts[len(rows)],
                    int(steady),
                    int(len(unit.strikes) == 1),
                    stage,
                    gone,
                    len(helpers),
                    len(one.helps),
                    int(any(help_.lasts for help_ in one.helps)),
                    helped_at,
                    int(one.return_fire),
                ]
            )
            helpers += [
                [help_.actions if by in help_.units else col.NOBODY for by in range(units)] for help_ in one.helps
            ]
        first_gun += len(unit.guns)
    return _rows(rows, 18), _rows(helpers, units)


def _rows(rows: list[list[int]], fields: int) -> Columns:
    """Return rows of numbers, in the order of `aabalance.engine.battle.columns`; without rows, so many fields wide."""
    # Numbers of no side that fits into a state are as large as these.
    most = 1 << STATE_BITS
    return np.array([[min(number, most) for number in row] for row in rows], dtype=np.int64).reshape(-1, fields)


def ranks_of(strikes: Sequence[Strike], enemies: Force, units: Columns) -> Ranks:
    """Return the ranks of the gains of a side's strikes; equal gains have the same rank.

    Parameters
    ----------
    strikes : sequence of Strike
        The side's strikes.
    enemies : Force
        The other side.
    units : array of int64, shape (enemies, columns)
        The `units` of the enemies' side.

    Returns
    -------
    array of int32, shape (strikes, enemies, toughness + 1)
        The last index is the toughness that the enemy has left. The rank is 0 where there is no gain.
    """
    most = max(enemy.toughness for enemy in enemies)
    marks = [tuple(row[: col.HITS + 1]) for row in units.tolist()]  # all that a gain depends on, but no place
    # By strike and enemy, of which many are alike.
    gains: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    cells = []
    for made in strikes:
        actions = made.actions + sum(help_.actions for help_ in made.helps)
        for enemy, target in enumerate(enemies):
            (effect,) = made.effects[enemy]
            cells.append((id(effect), actions, *marks[enemy]))
            if cells[-1] not in gains:
                gains[cells[-1]] = list(gains_of(effect, actions, target.toughness, target.cost, units[enemy]))
    # Over one denominator, since whole numbers compare much faster than fractions.
    over = lcm(*{each for by_left in gains.values() for _, _, each in by_left})
    whole = {key: [(left, taken * (over // each)) for left, taken, each in by_left] for key, by_left in gains.items()}
    known = sorted({gain for by_left in whole.values() for _, gain in by_left} - {0})
    order = {gain: rank for rank, gain in enumerate(known, 1)} | {0: 0}
    ranks = {key: np.zeros(most + 1, dtype=np.int32) for key in whole}
    for key, by_left in whole.items():
        for left, gain in by_left:
            ranks[key][left] = order[gain]
    flat = [ranks[key] for key in cells]
    return np.array(flat, dtype=np.int32).reshape(len(strikes), len(enemies), most + 1)


def gains_of(effect: Pmf, actions: int, full: int, worth: int, unit: Columns) -> Iterator[tuple[int, int, int]]:
    """Yield each toughness that a target may have left, with the worth that an action of a strike is expected to take.

    Parameters
    ----------
    effect : Pmf
        The toughness that the strike takes.
    actions : int
        Number of actions that the strike costs, with those of helpers.
    full : int
        The target's toughness at full strength.
    worth : int
        What the target counts for.
    unit : array of int64, shape (columns,)
        The target's row among the `units` of its side.

    Yields
    ------
    left, taken, over : int
        The toughness that is left, and numerator and denominator of the expected worth.
    """
    quantum, hits = int(unit[col.QUANTUM]), int(unit[col.HITS])
    over = lcm(*(p.denominator for p in effect.values()))
    ways = [(amount, p.numerator * (over // p.denominator)) for amount, p in effect.items()]
    for steps in range(1, hits + 1):
        left = full - (hits - steps) * quantum
        taken = sum(min(amount, left) * n for amount, n in ways)
        yield left, worth * taken, over * left * actions
