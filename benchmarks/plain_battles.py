"""Battles in plain Python: one trial after another, one strike after another, integers and lists.

The rules are spelt out in the loop; what depends on the lists alone was worked out before.
"""

from __future__ import annotations

from typing import Any

from aabalance.rulesets.base import Force
from benchmarks.battle_tables import (
    BLOCK_DIGITS,
    FACES,
    ROUNDS,
    WORD_DIGITS,
    Counts,
    Fought,
    Side,
    fought,
)

MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
WEYL = 0x9E3779B9, 0xBB67AE85
LOW = 0xFFFFFFFF
FRACTION_BITS = 58
FRACTION = (1 << FRACTION_BITS) - 1

DRAW = 2


def battles(forces: tuple[Force, Force], terms: Any, first: int, key: int, at: int, trials: int) -> Counts:
    """Roll the trials ``at .. at + trials - 1``; parameters as for `benchmarks.battle_tables.fought`."""
    return rolled(fought(forces, terms, first), key, at, trials)


def rolled(field: Fought, key: int, at: int, trials: int) -> Counts:
    """Roll the trials ``at .. at + trials - 1``."""
    wins = [0, 0, 0]
    turns = squares = strikes = blocks = 0
    left = [0] * len(field.sides[0].pool), [0] * len(field.sides[1].pool)
    for trial in range(at, at + trials):
        winner, one = _battle(field, key, trial)
        wins[winner] += 1
        turns += one.turns
        squares += one.turns**2
        strikes += one.strikes
        blocks += one.blocks
        for side in range(2):
            for unit, toughness in enumerate(one.left[side]):
                if toughness > 0:
                    left[side][unit] += 1
    values = [sum(n * worth for n, worth in zip(left[side], field.sides[side].worth, strict=True)) for side in range(2)]
    return Counts([*wins, 0, turns, *values, *map(sum, left), squares], left, strikes, blocks)


class _State:
    """A battle that goes on: what each unit has left, and which guns fired in their side's last turn."""

    def __init__(self, field: Fought) -> None:
        self.left = [list(side.toughness) for side in field.sides]
        self.fired = [[0] * len(side.attacks) for side in field.sides]
        self.turns = self.strikes = self.blocks = 0


def _battle(field: Fought, key: int, trial: int) -> tuple[int, _State]:
    """Play a battle; return who won it, and its end."""
    now = _State(field)
    ended = _over(field, now.left)
    while not ended:
        me = now.turns & 1
        ended = _turn(field, now, me, key, trial)
        now.turns += 1
        if ended or me == 0 or now.turns < 2 * field.rounds:
            continue
        leader = _leader(field, now.left)
        if not field.by_cost or leader != DRAW or now.turns >= 2 * ROUNDS:
            return (leader if field.by_cost else DRAW), now
    lost = [_lost(field.sides[side], now.left[side]) for side in range(2)]
    if lost[0] != lost[1]:
        return (1 if lost[0] else 0), now
    return (_leader(field, now.left) if field.by_cost and not lost[0] else DRAW), now


def _leader(field: Fought, left: list[list[int]]) -> int:
    """Return the side with more worth left."""
    a, b = (
        sum(worth for worth, toughness in zip(field.sides[side].worth, left[side], strict=True) if toughness > 0)
        for side in range(2)
    )
    return DRAW if a == b else (0 if a > b else 1)


def _lost(side: Side, left: list[int]) -> bool:
    return not any(counts and toughness > 0 for counts, toughness in zip(side.counts, left, strict=True))


def _over(field: Fought, left: list[list[int]]) -> bool:
    """Return whether a side has lost, or nobody can hurt a unit that counts any more."""
    if _lost(field.sides[0], left[0]) or _lost(field.sides[1], left[1]):
        return True
    for side in range(2):
        own, enemies = left[side], left[1 - side]
        for strike in field.sides[side].strikes:
            if strike.least <= own[strike.unit] <= strike.most:
                for enemy in strike.hurts:
                    if enemies[enemy] > 0:
                        return False
    return True


def _turn(field: Fought, now: _State, me: int, key: int, trial: int) -> bool:
    """Play a turn; return whether the battle ended in it."""
    side, other = field.sides[me], field.sides[1 - me]
    own, left = now.left[me], now.left[1 - me]
    choose = (_in_order, _weakest, _worthiest)[side.policy]
    actions = side.limit
    free = side.free
    pool = list(side.pool)
    shots = list(side.attacks)
    for gun, fired in enumerate(now.fired[me]):
        if fired and side.reloads[gun]:
            shots[gun] = 0
    now.fired[me] = [0] * len(shots)
    # A strike that can't be made any more stays so for the rest of the turn.
    ready = [strike for strike in side.strikes if strike.least <= own[strike.unit] <= strike.most]
    alive = [enemy for enemy, toughness in enumerate(left) if toughness > 0]
    digits: list[list[int]] = [[]] * (2 * field.blocks)
    slot = 0
    while True:
        ready = [
            strike
            for strike in ready
            if strike.actions <= pool[strike.unit]
            and strike.takes <= shots[strike.gun]
            and (strike.actions <= actions or free[strike.unit])
        ]
        strike, enemy = choose(ready, alive, left, other.worth)
        if strike is None:
            return False
        pool[strike.unit] -= strike.actions
        if not free[strike.unit]:
            actions -= strike.actions
        shots[strike.gun] -= strike.takes
        now.fired[me][strike.gun] = 1
        loss = _loss(field, now, digits, strike.throws[enemy], slot, key, trial)
        slot += 1
        now.strikes += 1
        if loss:
            left[enemy] = max(left[enemy] - loss, 0)
            if left[enemy] == 0:
                alive.remove(enemy)
            if (left[enemy] == 0 or other.varies[enemy]) and _over(field, now.left):
                return True


def _in_order(ready, alive, left, worth):
    """Choose the first unit that can hurt anybody, and the first enemy that it can hurt."""
    for first in ready:
        for enemy in alive:
            mine = [strike for strike in ready if strike.unit == first.unit and strike.damage[enemy][left[enemy]]]
            if mine:
                return _hardest(mine, enemy, left), enemy
    return None, 0


def _weakest(ready, alive, left, worth):
    """Choose the first unit that can hurt anybody, and of those the one with least left; the dearest, the first."""
    for first in ready:
        mine = [strike for strike in ready if strike.unit == first.unit]
        best = None
        for enemy in alive:
            for strike in mine:
                if strike.damage[enemy][left[enemy]]:
                    rank = left[enemy], -worth[enemy]
                    if best is None or rank < best:
                        best, target = rank, enemy
                    break
        if best is not None:
            return _hardest(mine, target, left), target
    return None, 0


def _hardest(strikes, enemy, left):
    """Return the strike that takes most of an enemy per action, the first of equals."""
    best = strikes[0]
    for strike in strikes:
        if strike.damage[enemy][left[enemy]] > best.damage[enemy][left[enemy]]:
            best = strike
    return best


def _worthiest(ready, alive, left, worth):
    """Choose the largest share of worth per action; ties go to the first unit, then its first strike and enemy."""
    best = 0
    choice = None, 0
    for strike in ready:
        for enemy in alive:
            gain = strike.worth[enemy][left[enemy]]
            if gain > best:
                best = gain
                choice = strike, enemy
    return choice


def _loss(field, now, digits, throws, slot, key, trial):
    """Roll a strike; return what it takes from the enemy."""

    def digit(number):
        place = number * field.slots + slot
        word = place // WORD_DIGITS
        if not digits[word]:
            _draw(field, digits, place // BLOCK_DIGITS, now.turns, key, trial)
            now.blocks += 1
        return digits[word][place % WORD_DIGITS]

    _, sequences, full, first, second, effects = throws[0]
    number = 0
    if field.shares > 1:
        number = 1
        if len(throws) > 1:
            share = digit(0)
            _, sequences, full, first, second, effects = next(throw for throw in throws if share < throw.below)
    loss = 0
    for _ in range(sequences):
        if digit(number) >= first:
            if not full:
                loss += effects[0]
            else:
                more = digit(number + 1)
                if more >= second:
                    loss += effects[more // (field.die // FACES)]
        number += field.pair
    return loss


def _draw(field: Fought, digits: list[list[int]], block: int, turn: int, key: int, trial: int) -> None:
    """Draw the digits of a block of two words."""
    for n, word in enumerate(_philox(key, turn * field.blocks + block, trial)):
        fraction = word & FRACTION
        first = block * BLOCK_DIGITS + n * WORD_DIGITS
        found = []
        for base in field.bases[first : first + WORD_DIGITS]:
            fraction *= base
            found.append(fraction >> FRACTION_BITS)
            fraction &= FRACTION
        digits[2 * block + n] = found


def _philox(key: int, high: int, low: int) -> tuple[int, int]:
    """Return what `aabalance.engine.rng.philox` does, whose constants are NumPy's and make Python's integers slow."""
    c0, c1, c2, c3 = low & LOW, low >> 32, high & LOW, high >> 32
    k0, k1 = key & LOW, key >> 32
    for _ in range(10):
        p0, p1 = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & LOW, (p0 >> 32) ^ c3 ^ k1, p0 & LOW
        k0, k1 = (k0 + WEYL[0]) & LOW, (k1 + WEYL[1]) & LOW
    return c0 | c1 << 32, c2 | c3 << 32
