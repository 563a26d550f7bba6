"""Battles rolled dice by dice, one trial after another. Tables in, integer counts out.

A die is a digit of a word, and a word a function of the key, the trial and its place alone: the player turn, the number
of the strike in it, and the word of that strike. So counts don't depend on how trials are shared out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle import policies
from aabalance.engine.battle.turns import (
    ACTIONS,
    COUNTS,
    FREE,
    GUN,
    GUNS,
    RELOAD,
    STRIKES,
    TAKES,
    TOUGHNESS,
    UNITS,
    WORTH,
    mark_ready,
    over,
)
from aabalance.engine.digits import DIE_AND_REROLL
from aabalance.engine.outcome import DRAW, TURNS, A, B
from aabalance.engine.rng import FRACTION, FRACTION_BITS, philox

U = np.uint64

TALLY = 7
"""Fields of a tally, the worth left of either side last."""
VALUE = 5
UP_TO, SEQUENCES, FIRST, FIRST_BASE, FULL, SECOND, EFFECTS = range(7)
"""Columns of throws: shares up to this one, then `Dice` as thresholds of digits; six effects come last."""
THROW_FIELDS = EFFECTS + 6
WORD_DIGITS = 4
SHARE_SHIFT = U(26)
"""What is left of a fraction are 32 bits, which draw the share."""
S32 = U(32)
BASE = U(DIE_AND_REROLL)
FACES_A_DIE = U(6)

choose_0 = choose_1 = policies.value
"""Stand-ins for the policies of both sides."""


def battles(
    sides: Any,
    limits: Any,
    first: Any,
    by_worth: Any,
    throw_at: Any,
    throws: Any,
    shares: Any,
    places: Any,
    most_rounds: Any,
    runs: Any,
    room: Any,
    counts: Any,
) -> None:
    """Roll trials of one battle.

    Parameters
    ----------
    sides, limits
        As for `aabalance.engine.battle.turns.turn`, limits of both sides.
    first : int
        The side that moves first.
    by_worth : bool
        As in `aabalance.engine.battle.tables.Terms`.
    throw_at : pair of array of int64, shape (strikes, enemies + 1)
        By side, where the throws of a strike at an enemy begin.
    throws : array of int64, shape (n, THROW_FIELDS)
    shares : int
        What the shares of throws add up to.
    places : tuple of int
        Words of a strike, and strikes of a turn.
    most_rounds : int
        Where a battle that goes on is given up as a draw.
    runs : array of uint64, shape (runs, 5)
        As for `aabalance.engine.fights.Rolls.roll`.
    room : tuple of arrays
        From `room_for`.
    counts : array of int64, shape (runs, TALLY)
        Added to: a tally, the side that moves first being a.
    """
    left, worth, fired, spent, ready = room
    words, strikes_a_turn = places
    for r in range(len(runs)):
        key, rounds = runs[r, 1], np.int64(runs[r, 4])
        for trial in range(runs[r, 2], runs[r, 2] + runs[r, 3]):
            for side in range(2):
                for unit in range(len(sides[side][UNITS])):
                    left[side, unit] = sides[side][UNITS][unit, TOUGHNESS]
            reloading = np.int64(0)
            turns = 0
            done = over(sides, left)
            while not done:
                if turns % 2 == 0 and turns >= 2 * rounds:
                    # After the last round of a battle, or of what equals played on.
                    lead = _worth(sides[0][UNITS], left[0]) - _worth(sides[1][UNITS], left[1])
                    if not by_worth or lead != 0 or turns >= 2 * most_rounds:
                        break
                side = (turns + first) % 2
                mine, yours = sides[side], sides[1 - side]
                enemies = len(yours[UNITS])
                for enemy in range(enemies):
                    worth[enemy] = yours[UNITS][enemy, WORTH]
                for x in range(len(fired)):
                    fired[x] = 0
                for x in range(len(spent)):
                    spent[x] = 0
                actions = limits[side]
                made = 0
                while not done:
                    mark_ready(mine, actions, reloading, left[side], fired, spent, ready)
                    usable, targets = ready[: len(mine[STRIKES])], left[1 - side][:enemies]
                    if side == 0:
                        pick = choose_0(mine, usable, worth[:enemies], targets)
                    else:
                        pick = choose_1(mine, usable, worth[:enemies], targets)
                    if pick == policies.NOBODY:
                        break
                    strike, enemy = pick // enemies, pick % enemies
                    fired[mine[STRIKES][strike, GUN]] += mine[STRIKES][strike, TAKES]
                    unit = mine[STRIKES][strike, 0]
                    spent[unit] += mine[STRIKES][strike, ACTIONS]
                    if mine[UNITS][unit, FREE] == 0:
                        actions -= mine[STRIKES][strike, ACTIONS]
                    word = (turns * strikes_a_turn + made) * words
                    begin, end = throw_at[side][strike, enemy], throw_at[side][strike, enemy + 1]
                    lost = _thrown(throws, begin, end, shares, key, U(trial), word)
                    made += 1
                    if lost > 0:
                        left[1 - side, enemy] = max(left[1 - side, enemy] - lost, 0)
                        done = over(sides, left)
                for gun in range(len(mine[GUNS])):
                    bit = mine[GUNS][gun, RELOAD]
                    if bit >= 0:
                        reloading &= ~(np.int64(1) << bit)
                        if fired[gun] > 0:
                            reloading |= np.int64(1) << bit
                turns += 1
            _count(sides, left, first, by_worth, turns, done, counts[r])


def _thrown(throws: Any, begin: Any, end: Any, shares: Any, key: Any, trial: Any, word: Any) -> Any:
    """Return what a strike takes: chance decides for a share of its throws first, if there are several."""
    at = begin
    if shares > 1:
        drawn = ((_word(key, trial, word) & FRACTION) >> SHARE_SHIFT) * U(shares) >> S32
        while U(throws[at, UP_TO]) <= drawn:
            at += 1
        word += 1
    lost = 0
    digit = 0
    rest = U(0)
    for _ in range(throws[at, SEQUENCES]):
        if digit % WORD_DIGITS == 0:
            rest = _word(key, trial, word + digit // WORD_DIGITS) & FRACTION
        digit += 1
        product = rest * U(throws[at, FIRST_BASE])
        hit = product >> FRACTION_BITS >= U(throws[at, FIRST])
        rest = product & FRACTION
        effect = throws[at, EFFECTS]
        if throws[at, FULL] != 0:
            if digit % WORD_DIGITS == 0:
                rest = _word(key, trial, word + digit // WORD_DIGITS) & FRACTION
            digit += 1
            product = rest * BASE
            shown = product >> FRACTION_BITS
            rest = product & FRACTION
            hit = hit and shown >= U(throws[at, SECOND])
            effect = throws[at, EFFECTS + np.int64(shown // FACES_A_DIE)]
        if hit:
            lost += effect
    return lost


def _word(key: Any, trial: Any, word: Any) -> Any:
    even, odd = philox(key, U(word // 2), trial)
    return odd if word % 2 else even


def _worth(units: Any, left: Any) -> Any:
    total = 0
    for unit in range(len(units)):
        if left[unit] > 0:
            total += units[unit, WORTH]
    return total


def _counting(units: Any, left: Any) -> bool:
    some = False
    for unit in range(len(units)):
        some = some or (units[unit, COUNTS] != 0 and left[unit] > 0)
    return some


def _count(sides: Any, left: Any, first: Any, by_worth: Any, turns: Any, done: Any, tally: Any) -> None:
    """Add one battle's end to a tally."""
    mine, yours = sides[first][UNITS], sides[1 - first][UNITS]
    value_a, value_b = _worth(mine, left[first]), _worth(yours, left[1 - first])
    some_a, some_b = _counting(mine, left[first]), _counting(yours, left[1 - first])
    if some_a != some_b:
        tally[A if some_a else B] += 1
    elif by_worth and value_a != value_b:
        tally[A if value_a > value_b else B] += 1
    else:
        tally[DRAW] += 1
    tally[TURNS] += turns
    tally[VALUE] += value_a
    tally[VALUE + 1] += value_b


def room_for(sides: Any) -> tuple[Any, ...]:
    """Return room for `battles`."""
    units, guns, strikes = (max(len(side[part]) for side in sides) for part in (UNITS, GUNS, STRIKES))
    scratch = tuple(np.zeros(length, dtype=np.int64) for length in (units, guns, units, strikes))
    return (np.zeros((2, units), dtype=np.int64), *scratch)
