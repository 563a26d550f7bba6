"""What is counted of rolled battles besides their tally, if that is wanted: what each unit did, and when.

Counts are integers that add up over trials, so that they don't depend on how trials are shared out. They come behind
the tally in one row, part after part. Their sides are those of the tables, whichever moves first; in the tally, a is
the side that moves first. A log is about a single trial, and has a row for each strike. Plain loops that also compile.

Parameters of most functions
    detail, ended : Parts and Ended
        Of one run; the counts are added.
    log : array of int64, shape (rows, `LOG`)
        The log of one lane; its first row has the number of rows that were written.
    side : int
        The side that strikes.
    picked : Picked
        The strikes.
    enemies : array of uint16, shape (units, lanes)
        The toughness that each enemy has.
    aim, loss, turn : array of uint16, shape (lanes,)
        The enemy of each strike, what its dice take, and the number of the player turn.
    lanes : uint64
        Number of lanes; a log has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aabalance.engine.battle import columns as col
from aabalance.engine.battle.actions import pay_help
from aabalance.engine.battle.columns import NONE, Arms, Counts, Int, Picked, Row, Rows, Side, Spending, W, Words
from aabalance.engine.battle.lanes.dice import WORD_DIGITS, Dice
from aabalance.engine.rng import FRACTION, digit

MOST_TURNS = 100
"""Number of player turns that are told apart; the last one counts all later ones too."""
TURN, SIDE, UNIT, STRIKE, ENEMY, HELPERS, SHARE, HAD, LOSS, FIRST_DIGIT = range(10)
"""Columns of a log: the player turn from 1; side and unit that strike, the strike, and the enemy; the bits of the units
that help; the digit of the share; the toughness that the enemy had, and what the dice took; then two digits
for each sequence, of which the second may not count. A digit that isn't rolled is -1."""
SEQUENCES = 7
LOG = FIRST_DIGIT + 2 * SEQUENCES
U = np.uint64

Pair = tuple[Counts, Counts]
"""Counts of both sides."""
Ended = tuple[Counts, Counts, Counts]
"""Numbers of battles by player turns, and by the bits of the units left of a and of b."""


class Parts(NamedTuple):
    """What is counted, part by part. Pairs are of sides a and b; `record` gives each part the shape that it has here.

    Attributes
    ----------
    turns : array of int64
        Number of battles by their number of player turns; the last entry counts all longer ones too.
    alive : pair of array of int64, shape (2 ** units,)
        Number of battles by the units of a side that are left; each unit is a bit of the index, the first the lowest.
    actions : pair of array of int64, shape (units,)
        Number of actions that each unit spent.
    taken, kills : pair of array of int64, shape (units, enemies)
        Toughness that each unit took from each enemy, and how often it destroyed that enemy.
    fallen : pair of array of int64, shape (turns, units)
        How often each unit was destroyed in each player turn, from 0.
    """

    turns: Counts
    alive: Pair
    actions: Pair
    taken: Pair
    kills: Pair
    fallen: Pair

    @property
    def trials(self) -> int:
        """How many battles were rolled."""
        return int(self.turns.sum())


def widths(units_0: int, units_1: int) -> list[int]:
    """Return how many counts each part has, in the order of `Parts`, by the numbers of units of side 0 and side 1."""
    of_pairs, by_turn = units_0 * units_1, MOST_TURNS + 1
    alive, fallen = [1 << units_0, 1 << units_1], [by_turn * units_0, by_turn * units_1]
    return [by_turn, *alive, units_0, units_1, *[of_pairs] * 4, *fallen]


def parts(pieces: Sequence[Counts]) -> Parts:
    """Return the parts of what is counted, from a list of arrays whose lengths are `widths`."""
    turns, *others = pieces
    return Parts(turns, *zip(others[::2], others[1::2], strict=True))


def of_run(details: Parts, run: Int) -> Parts:
    """Return the parts of one run, as rows of the parts of all runs."""
    turns, alive, actions, taken, kills, fallen = details
    return Parts(
        turns[run],
        (alive[0][run], alive[1][run]),
        (actions[0][run], actions[1][run]),
        (taken[0][run], taken[1][run]),
        (kills[0][run], kills[1][run]),
        (fallen[0][run], fallen[1][run]),
    )


def record(row: Counts, units_0: int, units_1: int) -> Parts:
    """Return counts without the tally, each part in its shape; `units_0` and `units_1` are the numbers of units."""
    turns, alive, actions, taken, kills, fallen = parts(np.split(row, np.cumsum(widths(units_0, units_1))[:-1]))

    def by_pair(counts: Pair) -> Pair:
        return counts[0].reshape(units_0, units_1), counts[1].reshape(units_1, units_0)

    by_turn = fallen[0].reshape(-1, units_0), fallen[1].reshape(-1, units_1)
    return Parts(turns, alive, actions, by_pair(taken), by_pair(kills), by_turn)


def note_end(ended: Ended, turns: int, left_a: np.uint64, left_b: np.uint64) -> None:
    """Count a battle by its player `turns`, and by the units left of both sides, `left_a` and `left_b`: a bit each."""
    by_turns, alive_a, alive_b = ended
    by_turns[min(turns, MOST_TURNS)] += 1
    alive_a[np.int64(left_a)] += 1
    alive_b[np.int64(left_b)] += 1


def note_strikes(detail: Parts, side: Int, enemies: Rows, picked: Picked, loss: Row, turn: Row, lanes: Int) -> None:
    """Count what the strikes of all lanes are about to take from the enemies at which they are made.

    `loss` is what the dice take; an enemy loses no more than it has. `turn` counts from 1.
    """
    taken, kills, fallen = detail.taken, detail.kills, detail.fallen
    aim, unit = picked.enemy, picked.unit
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


def note_actions(detail: Parts, side: Int, spent: Rows, lanes: Int) -> None:
    """Count the actions that the units of a side have `spent` in their turn; see `Spending`."""
    actions = detail.actions[side]
    for level in range(len(spent) - 1):
        row = spent[level]
        for unit in range(len(actions)):
            shift, count = W(unit), np.int64(0)
            for k in range(lanes):
                count += np.int64((row[k] >> shift) & W(1))
            actions[unit] += count


def note_choice(
    log: Counts, side: Int, mine: Arms | Side, turn: Row, picked: Picked, alive: Row, state: Spending
) -> None:
    """Write into a log which strike is made by which unit at which enemy, and which units are about to help.

    `state` is as before the strike is paid for, `mine` the side, `alive` its units. `note_dice` completes the row.
    """
    strikes = mine.strikes
    spent, actions, remaining, friend = state.spent, state.actions, state.remaining, state.helper
    chosen, aim, unit = picked.strike, picked.enemy, picked.unit
    at = log[0, 0] + 1
    if at == len(log):
        return
    strike = np.int64(chosen[0])
    log[at, TURN], log[at, SIDE] = turn[0], side
    log[at, UNIT], log[at, STRIKE], log[at, ENEMY] = number(unit[0]), strike, aim[0]
    log[at, HELPERS] = 0
    remaining[0] = actions[0] - W(0 if strikes[strike, col.OF_FREE] else strikes[strike, col.ACTIONS])
    for need in range(strikes[strike, col.HELP], strikes[strike, col.HELP] + strikes[strike, col.HELPS]):
        pay_help(mine, need, alive, spent, remaining, friend, U(1))
        log[at, HELPERS] |= np.int64(friend[0])


def note_dice(
    log: Counts, dice: Dice, slot: Int, words: Words, sequences: Int, enemies: Rows, aim: Row, loss: Row
) -> None:
    """Write into a log the digits of a strike, and what it is about to take from its enemy.

    `words` are those of the turn, `dice` and `slot` are as at the head of `lanes.dice`, and `sequences`
    how many the strike has.
    """
    at = log[0, 0] + 1
    if at == len(log):
        return
    log[0, 0] = at
    shared = 1 if dice.shares > 1 else 0
    log[at, SHARE] = _shown(slot, dice.shares, dice, words) if shared else -1
    log[at, HAD], log[at, LOSS] = enemies[aim[0], 0], loss[0]
    for sequence in range(SEQUENCES):
        for more in range(2):
            rolled = sequence < sequences and more <= dice.full
            place = (shared + (sequence << dice.full) + more) * dice.slots + slot
            log[at, FIRST_DIGIT + 2 * sequence + more] = _shown(place, dice.base, dice, words) if rolled else -1


def _shown(place: Int, base: Int, dice: Dice, words: Words) -> Int:
    return np.int64(digit(words[place // WORD_DIGITS][0] * dice.factors[place] & FRACTION, U(base)))


def number(bit: np.uint16) -> int:
    """Return the row of the unit for which a bit stands."""
    left, at = np.int64(bit), 0
    while left > 1:
        left >>= 1
        at += 1
    return at
