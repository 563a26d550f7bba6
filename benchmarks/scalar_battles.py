"""The scalar form of the battle kernel: one battle at a time over the same words and digits, so that counts are equal.

It does no needless work: words are drawn when a digit is wanted of them, and a battle stops with the strike that ends
it. Whether it ends is only asked where a unit fell, or can do less from then on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.rng import FRACTION, philox
from aabalance.rulesets.base import Force
from benchmarks.battle_tables import (
    BLOCK_DIGITS,
    FACES,
    FOCUS,
    ROUNDS,
    VALUE,
    WORD_DIGITS,
    Counts,
    Fought,
    Side,
    fought,
)

U = np.uint64
HALF_BITS = U(29)
HALF = U((1 << 29) - 1)
"""Half of a fraction, whose product with a base has room in a word whatever the base."""

TOUGHNESS, POOL, FREE, COST, COUNTS, VARIES = range(6)
"""Columns of units."""
UNIT, GUN, TAKES, ACTIONS, LEAST, MOST = range(6)
"""Columns of strikes."""
ATTACKS, RELOADS = range(2)
"""Columns of guns."""
BELOW, SEQUENCES, FULL, FIRST, SECOND, EFFECTS = range(6)
"""Columns of throws; six effects come last."""
DRAW, TURNS, SQUARES, STRUCK, BLOCKS, COUNTED = 2, 3, 4, 5, 6, 7
"""Counts, the wins of either side before them."""
NEITHER = -1


class Tables(NamedTuple):
    """A battle as arrays of int64, first by side.

    Attributes
    ----------
    sizes : array, shape (2, 3)
        Units, guns and strikes.
    limits, policies : array, shape (2,)
    units, guns, strikes : array, shape (2, most, columns)
    begin : array, shape (2, most units + 1)
        Where the strikes of a unit begin.
    worth, damage : array, shape (2, most strikes, most units, most toughness + 1)
        As `benchmarks.battle_tables.Made` has them.
    hurts : array, shape (2, most strikes, most units)
        1 if it can hurt this enemy, and that counts.
    throw_at : array, shape (2, most strikes, most units, 2)
        Where the throws at an enemy begin, and how many there are.
    throws : array, shape (n, 11)
    places : array, shape (7,)
        Rounds, whether worth decides after them, shares, digits of a sequence, most strikes of a turn, blocks of a
        turn, and digits of a face.
    bases, factors : array of uint64, shape (digits of a turn,)
        Base of a digit, and the product of those before it in its word.
    """

    sizes: Any
    limits: Any
    policies: Any
    units: Any
    guns: Any
    strikes: Any
    begin: Any
    worth: Any
    damage: Any
    hurts: Any
    throw_at: Any
    throws: Any
    places: Any
    bases: Any
    factors: Any


def battles(forces: tuple[Force, Force], terms: Any, first: int, key: int, at: int, trials: int) -> Counts:
    """Return what `benchmarks.plain_battles.battles` does."""
    return rolled(tables(fought(forces, terms, first)), key, at, trials)


def tables(field: Fought) -> Tables:
    """Return a battle as arrays."""
    sides = field.sides
    units, guns, strikes = (
        max(len(side[column]) for side in sides) for column in map(Side._fields.index, ("pool", "attacks", "strikes"))
    )
    left = max(max(side.toughness) for side in sides) + 1
    throws: list[list[Any]] = []
    throw_at: list[list[list[list[int]]]] = []
    for side in sides:
        throw_at.append([])
        for strike in side.strikes:
            throw_at[-1].append([])
            for cases in strike.throws:
                throw_at[-1][-1].append([len(throws), len(cases)])
                throws += [[*case[:EFFECTS], *case.effects] for case in cases]
    factors: list[int] = []
    for place in range(len(field.bases)):
        factors.append(1 if place % WORD_DIGITS == 0 else factors[-1] * field.bases[place - 1])
    columns = [(side.toughness, side.pool, side.free, side.worth, side.counts, side.varies) for side in sides]
    by_strike = 2, strikes, units
    return Tables(
        sizes=np.array([(len(side.pool), len(side.attacks), len(side.strikes)) for side in sides]),
        limits=np.array([side.limit for side in sides]),
        policies=np.array([side.policy for side in sides]),
        units=_filled((2, units, VARIES + 1), [zip(*column, strict=True) for column in columns]),
        guns=_filled((2, guns, RELOADS + 1), [zip(side.attacks, side.reloads, strict=True) for side in sides]),
        strikes=_filled((2, strikes, MOST + 1), [[made[: MOST + 1] for made in side.strikes] for side in sides]),
        begin=_filled(
            (2, units + 1),
            [[sum(made.unit < n for made in side.strikes) for n in range(len(side.pool) + 1)] for side in sides],
        ),
        worth=_filled((*by_strike, left), [[made.worth for made in side.strikes] for side in sides]),
        damage=_filled((*by_strike, left), [[made.damage for made in side.strikes] for side in sides]),
        hurts=_filled(
            by_strike, [[[n in made.hurts for n in range(len(made.worth))] for made in side.strikes] for side in sides]
        ),
        throw_at=_filled((*by_strike, 2), throw_at),
        throws=_filled((len(throws), EFFECTS + FACES), throws),
        places=np.array(
            [field.rounds, field.by_cost, field.shares, field.pair, field.slots, field.blocks, field.die // FACES]
        ),
        bases=np.array(field.bases, dtype=np.uint64),
        factors=np.array([factor % 2**64 for factor in factors], dtype=np.uint64),
    )


def _filled(shape: tuple[int, ...], rows: Iterable[Any]) -> Any:
    """Return nested rows as an array, short ones filled up with zeros."""
    array = np.zeros(shape, dtype=np.int64)
    for n, row in enumerate(rows):
        array[n] = row if len(shape) == 1 else _filled(shape[1:], row)
    return array


def rolled(t: Tables, key: int, at: int, trials: int) -> Counts:
    """Roll the trials ``at .. at + trials - 1``."""
    counts = np.zeros(COUNTED, dtype=np.int64)
    left = np.zeros(t.units.shape[:2], dtype=np.int64)
    bounds = np.array([at, at + trials], dtype=np.uint64)
    jit.compiled(_battles)(*t, U(key), bounds, counts, left)
    survivors = [left[side, : t.sizes[side, 0]].tolist() for side in range(2)]
    values = (left * t.units[:, :, COST]).sum(axis=1).tolist()
    *ends, squares, strikes, blocks = counts.tolist()
    number = [sum(side) for side in survivors]
    return Counts(
        [*ends[:TURNS], 0, ends[TURNS], *values, *number, squares], (survivors[0], survivors[1]), strikes, blocks
    )


def _battles(
    sizes: Any,
    limits: Any,
    policies: Any,
    units: Any,
    guns: Any,
    strikes: Any,
    begin: Any,
    worth: Any,
    damage: Any,
    hurts: Any,
    throw_at: Any,
    throws: Any,
    places: Any,
    bases: Any,
    factors: Any,
    key: Any,
    bounds: Any,
    counts: Any,
    survivors: Any,
) -> None:
    # All in one: a function that is handed arrays counts its references to each, which takes longer than a strike.
    rounds, by_cost, shares, pair, slots, blocks, face = places
    left, fired = np.empty(units.shape[:2], dtype=np.int64), np.empty(guns.shape[:2], dtype=np.int64)
    pool, shots = np.empty(units.shape[1], dtype=np.int64), np.empty(guns.shape[1], dtype=np.int64)
    words = np.empty(2 * blocks, dtype=np.uint64)
    # The turn, counted through all battles, in which a block was drawn last.
    drawn = np.zeros(blocks, dtype=np.int64)
    serial = 0
    trial = bounds[0]
    while trial < bounds[1]:
        for side in range(2):
            for unit in range(sizes[side, 0]):
                left[side, unit] = units[side, unit, TOUGHNESS]
            for gun in range(sizes[side, 1]):
                fired[side, gun] = 0
        turns = 0
        winner = NEITHER
        changed, over = True, False
        while winner == NEITHER:
            me = turns & 1
            you = 1 - me
            enemies = sizes[you, 0]
            policy, actions = policies[me], limits[me]
            serial += 1
            for unit in range(sizes[me, 0]):
                pool[unit] = units[me, unit, POOL]
            for gun in range(sizes[me, 1]):
                shots[gun] = 0 if fired[me, gun] and guns[me, gun, RELOADS] else guns[me, gun, ATTACKS]
                fired[me, gun] = 0
            slot = 0
            while True:
                if changed:
                    changed = False
                    over = True
                    for side in range(2):
                        for strike in range(sizes[side, 2]):
                            own = left[side, strikes[side, strike, UNIT]]
                            if strikes[side, strike, LEAST] <= own <= strikes[side, strike, MOST]:
                                for enemy in range(sizes[1 - side, 0]):
                                    if hurts[side, strike, enemy] and left[1 - side, enemy] > 0:
                                        over = False
                                        break
                            if not over:
                                break
                        if not over:
                            break
                    for side in range(2):
                        lost = True
                        for unit in range(sizes[side, 0]):
                            if left[side, unit] > 0 and units[side, unit, COUNTS]:
                                lost = False
                                break
                        over = over or lost
                    if over:
                        break

                # The policy.
                best, target, chosen = 0, NEITHER, NEITHER
                for unit in range(sizes[me, 0]):
                    own = left[me, unit]
                    most = pool[unit] if units[me, unit, FREE] else min(pool[unit], actions)
                    if own == 0 or most == 0:
                        continue
                    for strike in range(begin[me, unit], begin[me, unit + 1]):
                        if (
                            strikes[me, strike, ACTIONS] > most
                            or strikes[me, strike, TAKES] > shots[strikes[me, strike, GUN]]
                            or strikes[me, strike, LEAST] > own
                            or strikes[me, strike, MOST] < own
                        ):
                            continue
                        if policy == VALUE:
                            for enemy in range(enemies):
                                gain = worth[me, strike, enemy, left[you, enemy]]
                                if gain > best:
                                    best, target, chosen = gain, enemy, strike
                            continue
                        for enemy in range(enemies):
                            toughness = left[you, enemy]
                            gain = damage[me, strike, enemy, toughness]
                            if gain == 0:
                                continue
                            better = target == NEITHER
                            if not better and enemy != target:
                                better = enemy < target
                                if policy == FOCUS:
                                    less = toughness - left[you, target]
                                    dearer = units[you, enemy, COST] - units[you, target, COST]
                                    better = less < 0 or (less == 0 and (dearer > 0 or (dearer == 0 and better)))
                            if better or (enemy == target and gain > best):
                                best, target, chosen = gain, enemy, strike
                            if policy != FOCUS:
                                break
                    if policy != VALUE and target != NEITHER:
                        break
                if target == NEITHER:
                    break

                unit, gun = strikes[me, chosen, UNIT], strikes[me, chosen, GUN]
                pool[unit] -= strikes[me, chosen, ACTIONS]
                if units[me, unit, FREE] == 0:
                    actions -= strikes[me, chosen, ACTIONS]
                shots[gun] -= strikes[me, chosen, TAKES]
                fired[me, gun] = 1

                # The dice: the share, if there is one to draw, then sequence by sequence.
                row = throw_at[me, chosen, target, 0]
                sequence = -1 if throw_at[me, chosen, target, 1] > 1 else 0
                loss = 0
                while sequence < 0 or sequence < throws[row, SEQUENCES]:
                    place = slot if sequence < 0 else slot + slots * (sequence * pair + (shares > 1))
                    part = 0
                    while True:
                        block = place // BLOCK_DIGITS
                        if drawn[block] != serial:
                            drawn[block] = serial
                            counts[BLOCKS] += 1
                            words[2 * block], words[2 * block + 1] = philox(key, U(turns * blocks + block), trial)
                        fraction, base = (words[place // WORD_DIGITS] * factors[place]) & FRACTION, bases[place]
                        upper, lower = fraction >> HALF_BITS, fraction & HALF
                        digit = np.int64((upper * base + (lower * base >> HALF_BITS)) >> HALF_BITS)
                        if sequence < 0:
                            while digit >= throws[row, BELOW]:
                                row += 1
                            break
                        if digit < throws[row, FIRST + part]:
                            break
                        if part == throws[row, FULL]:
                            loss += throws[row, EFFECTS + (digit // face if part else 0)]
                            break
                        part = 1
                        place += slots
                    sequence += 1

                slot += 1
                if loss > 0:
                    left[you, target] = max(left[you, target] - loss, 0)
                    changed = left[you, target] == 0 or units[you, target, VARIES] != 0
            counts[STRUCK] += slot
            # One that is over before its first strike has no turn.
            turns += slot > 0 or not over
            if over or (me == 1 and turns >= 2 * rounds):
                ahead, counting, lost = 0, 0, 0
                for side in range(2):
                    sign, some = 1 - 2 * side, 0
                    for unit in range(sizes[side, 0]):
                        if left[side, unit] > 0:
                            ahead += sign * units[side, unit, COST]
                            some |= units[side, unit, COUNTS]
                    counting += sign * some
                    lost += 1 - some
                winner = DRAW
                if counting != 0:
                    winner = 0 if counting > 0 else 1
                elif by_cost and lost == 0 and ahead != 0:
                    winner = 0 if ahead > 0 else 1
                elif by_cost and not over and turns < 2 * ROUNDS:
                    winner = NEITHER
        counts[winner] += 1
        counts[TURNS] += turns
        counts[SQUARES] += turns * turns
        for side in range(2):
            for unit in range(sizes[side, 0]):
                survivors[side, unit] += left[side, unit] > 0
        trial += U(1)
