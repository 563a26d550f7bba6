"""What is counted of a rolled battle besides its tally, if that is asked for: who did what, and when.

Counts are integers that add up over trials, so they don't depend on how these are shared out. They stand behind a tally
in one row, whose parts `parts` finds. Unlike the tally's, their sides are those of the tables, whoever moves first. A
log has a row a strike instead, of one trial. Plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.lanes import ACTIONS, HELP, HELPS, NONE, OF_FREE, STRIKES, W, pay_help
from aabalance.engine.outcome import BattleDetail
from aabalance.engine.rng import FRACTION, digit

MOST_TURNS = 100
"""Player turns told apart; the last stands for those after it, too."""
BASE, SHARES, SLOTS, _, FULL, _ = range(6)
"""As in `aabalance.engine.battle.kernel`."""
TURN, SIDE, UNIT, STRIKE, ENEMY, HELPERS, ASPECT, SHARE, HAD, LOSS, FIRST_DIGIT = range(11)
"""Columns of a log: the player turn from 1, who makes which strike at whom, the bits of the units that help, the
aspect, the digit of the share, what the enemy had, what was rolled against it, and two digits of each sequence, the
second if it counts; -1 for what isn't rolled. Where `STRIKE` is -1 the unit has moved, to the place in `HAD`."""
SEQUENCES = 7
LOG = FIRST_DIGIT + 2 * SEQUENCES
WORD_DIGITS = 4
U = np.uint64


def size(units_0: int, units_1: int) -> int:
    """Return how many counts there are."""
    of_unit = units_0 + units_1
    return MOST_TURNS + 1 + (1 << units_0) + (1 << units_1) + of_unit * (MOST_TURNS + 2) + 4 * units_0 * units_1


def parts(row: Any, units_0: Any, units_1: Any) -> Any:
    """Return the parts of a row of counts, all of them empty if the row is.

    Returns
    -------
    turns : array
        Battles by player turns.
    alive : pair of array
        Battles by the bits of the units left, of either side.
    actions : pair of array
        Actions spent, by unit of either side.
    taken, kills : pair of array
        Toughness taken and units destroyed, by unit of either side and then its enemies.
    fallen : pair of array
        Units of either side that were destroyed, by player turn and then unit.
    """
    both = units_0 * units_1
    at_0 = MOST_TURNS + 1
    at_1 = at_0 + (1 << units_0)
    actions = at_1 + (1 << units_1)
    taken = actions + units_0 + units_1
    kills = taken + 2 * both
    fallen = kills + 2 * both
    fallen_1 = fallen + (MOST_TURNS + 1) * units_0
    return (
        row[:at_0],
        (row[at_0:at_1], row[at_1:actions]),
        (row[actions : actions + units_0], row[actions + units_0 : taken]),
        (row[taken : taken + both], row[taken + both : kills]),
        (row[kills : kills + both], row[kills + both : fallen]),
        (row[fallen:fallen_1], row[fallen_1:]),
    )


def record(row: Any, units_0: int, units_1: int) -> BattleDetail:
    """Return the record of a row of counts."""
    turns, alive, actions, taken, kills, fallen = parts(row, units_0, units_1)

    def by_pair(counts: Any) -> Any:
        return counts[0].reshape(units_0, units_1), counts[1].reshape(units_1, units_0)

    by_turn = fallen[0].reshape(-1, units_0), fallen[1].reshape(-1, units_1)
    return BattleDetail(int(turns.sum()), turns, alive, actions, by_pair(taken), by_pair(kills), by_turn)


def note_end(ends: Any, turns: Any, left_a: Any, left_b: Any) -> None:
    """Count a battle by its player turns, and by who is left of either side."""
    by_turns, alive_a, alive_b = ends
    by_turns[min(turns, MOST_TURNS)] += 1
    alive_a[np.int64(left_a)] += 1
    alive_b[np.int64(left_b)] += 1


def note_strikes(detail: Any, side: Any, enemies: Any, picked: Any, loss: Any, turn: Any, lanes: Any) -> None:
    """Count what the strikes of all lanes are about to take from the enemies aimed at."""
    _, _, _, taken, kills, fallen = detail
    _, aim, unit, _, _, _ = picked
    units = len(fallen[1 - side]) // (MOST_TURNS + 1)
    for k in range(lanes):
        if unit[k] == NONE or loss[k] == NONE:
            continue
        enemy = np.int64(aim[k])
        lost = min(np.int64(loss[k]), np.int64(enemies[enemy, k]))
        cell = number(unit[k]) * units + enemy
        taken[side][cell] += lost
        if lost == np.int64(enemies[enemy, k]):
            kills[side][cell] += 1
            fell = min(np.int64(turn[k]), np.int64(MOST_TURNS))
            fallen[1 - side][fell * units + enemy] += 1


def note_actions(detail: Any, side: Any, spent: Any, lanes: Any) -> None:
    """Count the actions that the units of a side have spent in their turn."""
    actions = detail[2][side]
    for level in range(len(spent) - 1):
        row = spent[level]
        for unit in range(len(actions)):
            shift, count = W(unit), np.int64(0)
            for k in range(lanes):
                count += np.int64((row[k] >> shift) & W(1))
            actions[unit] += count


def note_moves(log: Any, side: Any, turn: Any, line: Any) -> None:
    """Write who has moved, and where to."""
    at, moved = line[0][side], line[1][side]
    for unit in range(len(at)):
        row = log[0, 0] + 1
        if (moved[0] >> W(unit)) & W(1) == NONE or row == len(log):
            continue
        log[0, 0] = row
        log[row, TURN], log[row, SIDE], log[row, UNIT], log[row, STRIKE] = turn[0], side, unit, -1
        log[row, HAD] = at[unit, 0]


def note_choice(log: Any, side: Any, mine: Any, turn: Any, picked: Any, alive: Any, state: Any) -> None:
    """Write who acts on whom, and who is about to help."""
    strikes = mine[STRIKES]
    _, _, _, spent, _, actions, rest, friend = state
    chosen, aim, unit, _, _, _ = picked
    at = log[0, 0] + 1
    if at == len(log):
        return
    strike = np.int64(chosen[0])
    log[at, TURN], log[at, SIDE] = turn[0], side
    log[at, UNIT], log[at, STRIKE], log[at, ENEMY] = number(unit[0]), strike, aim[0]
    log[at, HELPERS] = 0
    rest[0] = actions[0] - W(0 if strikes[strike, OF_FREE] else strikes[strike, ACTIONS])
    for need in range(strikes[strike, HELP], strikes[strike, HELP] + strikes[strike, HELPS]):
        pay_help(mine, need, alive, spent, rest, friend, U(1))
        log[at, HELPERS] |= np.int64(friend[0])


def note_dice(
    log: Any,
    dice: Any,
    factors: Any,
    slot: Any,
    words: Any,
    sequences: Any,
    enemies: Any,
    aim: Any,
    loss: Any,
    aspect: Any,
) -> None:
    """Write the digits of a strike of so many sequences, and what it is about to take from the enemy aimed at."""
    at = log[0, 0] + 1
    if at == len(log):
        return
    log[0, 0] = at
    shared = 1 if dice[SHARES] > 1 else 0
    log[at, SHARE] = _shown(slot, dice[SHARES], factors, words) if shared else -1
    log[at, ASPECT], log[at, HAD], log[at, LOSS] = aspect[0], enemies[aim[0], 0], loss[0]
    for sequence in range(SEQUENCES):
        for more in range(2):
            rolled = sequence < sequences and more <= dice[FULL]
            place = (shared + (sequence << dice[FULL]) + more) * dice[SLOTS] + slot
            log[at, FIRST_DIGIT + 2 * sequence + more] = _shown(place, dice[BASE], factors, words) if rolled else -1


def _shown(place: Any, base: Any, factors: Any, words: Any) -> Any:
    return np.int64(digit(words[place // WORD_DIGITS][0] * factors[place] & FRACTION, U(base)))


def number(bit: Any) -> Any:
    """Return which unit a bit stands for."""
    left, at = np.int64(bit), 0
    while left > 1:
        left >>= 1
        at += 1
    return at
