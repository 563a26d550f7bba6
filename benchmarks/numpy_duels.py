"""Duels in NumPy: whole arrays of dice, the survivors compacted after every half-turn.

Two of them. `by_rules` spells the rules out on arrays of distances and hit points, as one would write it. `by_tables`
walks the kernel's tables and is as fast as NumPy was found to go: a base-36 digit is a die and its reroll in one draw,
and 16-bit ones come faster than 8-bit ones; blocks that stay in the cache; rows of indices in place of masks; and where
all trials stand at the same node, one threshold in place of a look-up each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine.hit_points.layout import GROUP_BITS, GROUP_FIELDS, GROUPS, GROUPS_AT, NEED_BITS, NEXT_BITS
from aabalance.engine.hit_points.rolls import Rolls
from benchmarks.matchups import Tank
from benchmarks.plain_duels import BAND_IN, BANDS, PEN_NEEDS

BLOCK = 1 << 16

Ints = npt.NDArray[np.int64]


def by_rules(tanks: tuple[Tank, Tank], range_in: int, trials: int, rounds: int, generator: np.random.Generator) -> Ints:
    """Return wins of a, wins of b, duels without end and player turns."""
    counts = np.zeros(4, dtype=np.int64)
    for at in range(0, trials, BLOCK):
        _rules_block(tanks, range_in, min(BLOCK, trials - at), rounds, generator, counts)
    return counts


def _rules_block(tanks, range_in, lanes, rounds, generator, counts):
    hp = [np.full(lanes, tank.hp, dtype=np.int16) for tank in tanks]
    empty = [np.zeros(lanes, dtype=bool) for _ in tanks]
    distance = np.full(lanes, range_in, dtype=np.int16)
    for turn in range(2 * rounds):
        me, enemy = turn % 2, 1 - turn % 2
        tank = tanks[me]
        still = distance == 0
        if tank.cautious:
            still |= 2 * hp[me] < tank.hp
        distance = np.where(still, distance, np.maximum(distance - tank.movement, 0))
        band = np.clip((distance + BAND_IN - 1) // BAND_IN, 1, BANDS)
        need = np.maximum(band, PEN_NEEDS[min(tank.margin, 2)]).astype(np.uint8)
        fires = ~empty[me]
        for shot in range(tank.dice * tank.attacks):
            die = generator.integers(1, 7, size=len(need), dtype=np.uint8)
            again = np.flatnonzero(still & (die == need - 1))
            die[again] = generator.integers(1, 7, size=len(again), dtype=np.uint8)
            hit = fires & (die >= need)
            if shot >= tank.dice:
                hit &= still
            hp[enemy] -= tank.damage * hit.astype(np.int16)
        if tank.reloads:
            empty[me] = fires
        alive = hp[enemy] > 0
        counts[3] += len(alive)
        counts[me] += len(alive) - np.count_nonzero(alive)
        hp = [x[alive] for x in hp]
        empty = [x[alive] for x in empty]
        distance = distance[alive]
        if not len(distance):
            return
    counts[2] += len(distance)


class _Side(NamedTuple):
    """One side's part of the tables: by entry the thresholds and the enemy's next node; dice as (digits, effect)."""

    toughness: int
    brackets: int
    least: list[int]
    needs: npt.NDArray[np.uint16]
    after: npt.NDArray[np.intp]
    groups: list[tuple[int, int, int]]


def _side(tables: Rolls, side: int) -> _Side:
    toughness, at, brackets, least_at = (int(x) for x in tables.sides[0, side, :GROUPS_AT])
    entries = tables.entries[at : len(tables.entries) if side else int(tables.sides[0, 1, 1])]
    groups, needs = [], []
    for g in range(GROUPS):
        field = GROUPS_AT + GROUP_FIELDS * g
        count, full, base, effects_at = (int(x) for x in tables.sides[0, side, field : field + GROUP_FIELDS])
        if full:
            raise ValueError("a group takes a second digit, expected none in the reference matchups")
        if count:
            groups.append((count, base, int(tables.numbers[effects_at])))
            needs.append((entries >> np.uint64(g * GROUP_BITS)) & np.uint64((1 << NEED_BITS) - 1))
    return _Side(
        toughness,
        brackets,
        [int(x) for x in tables.numbers[least_at : least_at + brackets - 1]],
        np.array(needs, dtype=np.uint16),
        (entries >> np.uint64(NEXT_BITS)).astype(np.intp),
        groups,
    )


def by_tables(tables: Rolls, trials: int, rounds: int, generator: np.random.Generator) -> Ints:
    """Return wins of side 0, wins of side 1, duels without end and player turns."""
    sides = _side(tables, 0), _side(tables, 1)
    block = _same_nodes if all(side.brackets == 1 for side in sides) else _own_nodes
    counts = np.zeros(4, dtype=np.int64)
    for at in range(0, trials, BLOCK):
        block(sides, min(BLOCK, trials - at), rounds, generator, counts)
    return counts


def _fire(side: _Side, needs: Any, hp: Any, generator: np.random.Generator) -> None:
    """Take off `hp` what the side's dice hit; it may fall below 0."""
    for (count, base, effect), need in zip(side.groups, needs, strict=True):
        if np.ndim(need) == 0 and need >= base:
            continue
        for _ in range(count):
            hit = generator.integers(base, size=len(hp), dtype=np.uint16) >= need
            hp -= hit if effect == 1 else hit * np.int16(effect)


def _same_nodes(sides: tuple[_Side, _Side], lanes: int, rounds: int, generator: Any, counts: Ints) -> None:
    hp = [np.full(lanes, side.toughness, dtype=np.int16) for side in sides]
    node = 0
    for turn in range(2 * rounds):
        me, enemy = turn % 2, 1 - turn % 2
        _fire(sides[me], sides[me].needs[:, node], hp[enemy], generator)
        node = int(sides[me].after[node])
        hp = _survivors(hp, me, enemy, counts)
        if not len(hp[0]):
            return
    counts[2] += len(hp[0])


def _own_nodes(sides: tuple[_Side, _Side], lanes: int, rounds: int, generator: Any, counts: Ints) -> None:
    hp = [np.full(lanes, side.toughness, dtype=np.int16) for side in sides]
    node = np.zeros(lanes, dtype=np.intp)
    for turn in range(2 * rounds):
        me, enemy = turn % 2, 1 - turn % 2
        side = sides[me]
        node *= side.brackets
        for least in side.least:
            node += hp[me] < least
        _fire(side, [needs.take(node) for needs in side.needs], hp[enemy], generator)
        *hp, node = _survivors([*hp, side.after.take(node)], me, enemy, counts)
        if not len(node):
            return
    counts[2] += len(node)


def _survivors(columns: list[Any], me: int, enemy: int, counts: Ints) -> list[Any]:
    left = np.flatnonzero(columns[enemy] > 0)
    before = len(columns[enemy])
    counts[3] += before
    counts[me] += before - len(left)
    return columns if len(left) == before else [column.take(left) for column in columns]
