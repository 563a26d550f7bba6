"""The end of battles: when one is over, and how the kernel counts those that are.

The exact solver and the kernel both ask `mark_over` whether a battle goes on; `all_can_hurt_all` tells the solver where
there is a quicker test. `end_battles` adds the battles that are over to a tally, by winner and by what is left, and
gives their lanes to other trials. These three and `counting` are plain loops that also compile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.actions import mark_able, returns_fire
from aabalance.engine.battle.columns import NONE, ONE, Arms, Columns, Counts, Int, Row, Rows, Side, Sides, W, Words
from aabalance.engine.outcome import DRAW, TURNS, A, B

U = np.uint64

note_end = jit.NO_HOOK
"""What only some battles need, from `aabalance.engine.battle.lanes.hooks`."""

TALLY = 10
"""Number of fields of a tally. From `VALUE` on it has the worth left of a and of b, from `LEFT` on the units left; last
come the squares of the player turns."""
VALUE, LEFT, SQUARES = 5, 7, 9
HALF, HALF_BITS = U(255), U(8)
"""A mask and a shift for the lower and the higher half of the 16 bits that say which units are left."""


Ended = tuple[Counts, Counts, Counts]
"""Numbers of battles by player turns, and by the bits of the units left of a and of b."""


class Standing(NamedTuple):
    """What a side's units are worth and how many they are, by the bits of the units that are left.

    Attributes
    ----------
    low, high : array of int64, shape (256, 2)
        Worth and number of the units left among the first eight, by the lower eight bits, and among the last eight, by
        the higher eight bits. What all of them have is the sum.
    counting : uint64
        The units that count: a bit each.
    """

    low: Counts
    high: Counts
    counting: np.uint64


class Known(NamedTuple):
    """What is known of a battle before it is rolled.

    Attributes
    ----------
    goes_on : uint16
        1 if it isn't over before it begins.
    remembers : (bool, bool)
        By side whether any of its guns may stay unable to fire, or prepared, from one turn to the next.
    strikes : (int, int)
        By side the strikes that it makes in a turn at most.
    """

    goes_on: np.uint16
    remembers: tuple[bool, bool]
    strikes: tuple[int, int]


def known_of(sides: Sides, limits: tuple[int, int], slots: int) -> Known:
    """Return what is known of a battle before it is rolled.

    `slots` are the attacks that the guns of either side have in a turn at most, `limits` the actions of both sides.
    """
    a, b = sides
    return Known(
        W(not _over_at_once(sides)),
        (_remembers(a), _remembers(b)),
        (most_strikes(a.strikes, limits[0], slots), most_strikes(b.strikes, limits[1], slots)),
    )


def _over_at_once(sides: Sides) -> bool:
    """Return whether a battle is over at full strength."""
    left = [side.units[:, [col.TOUGHNESS]].astype(W) for side in sides]
    alive = [np.array([(1 << len(side.units)) - 1], dtype=W) for side in sides]
    able = [np.zeros((len(side.strikes), 1), dtype=W) for side in sides]
    for side in range(2):
        mark_able(sides[side], left[side], alive[side], alive[1 - side], able[side], 1)
    over = np.zeros(1, dtype=W)
    mark_over(sides, alive, able, over, 1)
    return bool(over[0])


def _remembers(side: Side) -> bool:
    """Return whether any gun of a side may stay unable to fire, or prepared, from one turn to the next."""
    guns, strikes = side.guns, side.strikes
    return bool(guns[:, [col.RELOADS, col.ONCE]].any() or (strikes[:, col.STAGE] == col.PREPARES).any())


def most_strikes(strikes: Columns, limit: int, slots: int) -> int:
    """Return how many strikes a side makes in a turn at most, by its `limit` of actions and the `slots` of its guns."""
    least = min((0 if strike[col.OF_FREE] else int(strike[col.ACTIONS]) for strike in strikes), default=limit + 1)
    return min(slots, limit // least) if least > 0 else slots


def mark_over(
    sides: tuple[Arms, Arms] | Sides, alive: Sequence[Row], able: Sequence[Rows], over: Row, lanes: Int
) -> None:
    """Write 1 into `over` where a side has no unit left that counts, or nobody can hurt one any more; else 0.

    `sides`, `alive` and `able` have for each side what `actions.mark_able` has; `lanes` is the number of lanes.
    """
    counting_0, counting_1 = counting(sides[0].units), counting(sides[1].units)
    for k in range(lanes):
        over[k] = ONE
    for side in range(2):
        strikes, mine, theirs = sides[side].strikes, alive[side], alive[1 - side]
        # The battle goes on if this side has a unit left that counts, and can hurt an enemy that counts.
        count, other = (counting_0, counting_1) if side == 0 else (counting_1, counting_0)
        for strike in range(len(strikes)):
            # A strike that needs help given before adds nothing: where it is possible, so is the strike with that help.
            if strikes[strike, col.HELPED_AT] != col.NOBODY:
                continue
            hurts, units = W(W(strikes[strike, col.HURTS]) & other), able[side][strike]
            for k in range(lanes):
                goes_on = (units[k] != NONE) & (W(theirs[k] & hurts) != NONE) & (W(mine[k] & count) != NONE)
                so_far = over[k]
                over[k] = NONE if goes_on else so_far


def all_can_hurt_all(sides: Sides) -> bool:
    """Return whether every unit, as long as it is left, can hurt every enemy that counts, and none strikes back.

    If so, a battle goes on exactly as long as both sides have a unit left that counts, which is quicker to test than
    `mark_over`.
    """
    for side in range(2):
        if returns_fire(sides[side]):
            return False
        units, strikes, other = sides[side].units, sides[side].strikes, counting(sides[1 - side].units)
        hurting = NONE
        for strike in range(len(strikes)):
            free = (
                strikes[strike, col.GONE] == col.NOBODY
                and strikes[strike, col.HELPS] == 0
                and strikes[strike, col.HELPED_AT] == col.NOBODY
            )
            if free and strikes[strike, col.STEADY] and W(strikes[strike, col.HURTS]) & other == other:
                hurting |= W(strikes[strike, col.MEMBERS])
        if hurting != W((1 << len(units)) - 1):
            return False
    return True


def counting(units: Columns) -> np.uint16:
    """Return the units of a side that count, of which it has to have one left: a bit each."""
    bits = NONE
    for unit in range(len(units)):
        if units[unit, col.COUNTS] != 0:
            bits = W(bits | W(ONE << W(unit)))
    return bits


def end_battles(
    state: tuple[Row, Row, Row, Row, Words],
    standing: tuple[Standing, Standing],
    ending: tuple[np.int64, np.int64, bool, np.uint16],
    tally: Counts,
    ended: Ended | tuple[()],
    trials: tuple[np.uint64, np.uint64],
    lanes: np.uint64,
    most_lanes: np.uint64,
    to: Words,
    origin: Words,
) -> tuple[tuple[np.uint64, np.uint64], np.uint64, np.uint64]:
    """Count the battles that have ended, and give each of their lanes to the next trial, or to the last lane in use.

    A battle has ended if it is over, or at the limit of turns. Where worth decides, a battle at the limit goes on as
    long as both sides are worth the same.

    Parameters
    ----------
    state : tuple of arrays, shape (lanes,)
        By lane, the units left of a and of b (a bit each), the player turns played, 1 if the battle isn't over, and the
        number of the trial; changed. Here a is the side that moves first.
    standing : pair of Standing
        Of a and of b.
    ending : tuple of int
        The limit of player turns, the player turns after which a battle between equals is given up as a draw, 1 if
        worth decides, and 1 if a battle isn't over at its beginning.
    tally : array of int64, shape (TALLY,)
        Takes the ended battles: they are added.
    ended : Ended
        Takes the ended battles: they are added, if that is wanted; () if not.
    trials : (uint64, uint64)
        The next trial to begin, and the end of all trials.
    lanes, most_lanes : uint64
        Number of lanes in use, and index of the lane behind all lanes, which stays at full strength.
    to, origin : array of uint64
        Take the lanes that are to be written over, and the lanes whose content they get: a pair at each index. The
        pair with the highest index is to be copied first.

    Returns
    -------
    tuple of ((uint64, uint64), uint64, uint64)
        The index of the first pair in `to` and `origin` and the end of the pairs, the number of lanes still in use, and
        the next trial. Lanes that begin a battle have no pair; their number of player turns is 0.
    """
    alive_a, alive_b, turn, go, trial = state
    (low_a, high_a, counting_a), (low_b, high_b, counting_b) = standing
    limit, most, by_cost, goes_on = ending
    following, end = trials
    moves, all_turns, squares = U(0), np.int64(0), np.int64(0)
    # Sums are kept in variables, since each addition to an array would wait in memory for the one before it.
    worth_a, worth_b, units_a, units_b = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for k in range(lanes):
        to[moves] = k
        moves += U((go[k] == NONE) | (np.int64(turn[k]) >= limit))
    begin = moves
    # From the last lane to the first: a lane that moves into the place of another has then been looked at.
    for n in range(moves):
        move = moves - U(1) - U(n)
        k = to[move]
        turns = np.int64(turn[k])
        left_a, left_b = U(alive_a[k]), U(alive_b[k])
        value_a = low_a[left_a & HALF, 0] + high_a[left_a >> HALF_BITS, 0]
        value_b = low_b[left_b & HALF, 0] + high_b[left_b >> HALF_BITS, 0]
        if go[k] != NONE and by_cost and value_a == value_b and turns < most:
            continue
        some_a, some_b = left_a & counting_a != U(0), left_b & counting_b != U(0)
        winner = DRAW
        if some_a != some_b:
            winner = A if some_a else B
        elif by_cost and value_a != value_b:
            winner = A if value_a > value_b else B
        tally[winner] += 1
        all_turns += turns
        squares += turns * turns
        worth_a += value_a
        worth_b += value_b
        units_a += low_a[left_a & HALF, 1] + high_a[left_a >> HALF_BITS, 1]
        units_b += low_b[left_b & HALF, 1] + high_b[left_b >> HALF_BITS, 1]
        if note_end is not None:
            note_end(ended, turns, left_a, left_b)
        if following < end:
            # The lane behind all lanes is at full strength, as a battle begins.
            trial[k], turn[k], go[k] = following, W(0), goes_on
            alive_a[k], alive_b[k] = alive_a[most_lanes], alive_b[most_lanes]
            following += U(1)
        else:
            lanes -= U(1)
            begin -= U(1)
            to[begin], origin[begin] = k, lanes
            trial[k], turn[k], go[k] = trial[lanes], turn[lanes], go[lanes]
            alive_a[k], alive_b[k] = alive_a[lanes], alive_b[lanes]
    tally[TURNS] += all_turns
    tally[VALUE] += worth_a
    tally[VALUE + 1] += worth_b
    tally[LEFT] += units_a
    tally[LEFT + 1] += units_b
    tally[SQUARES] += squares
    return (begin, moves), lanes, following


def standing_of(units: Columns) -> Standing:
    """Return what a side's units are worth and how many they are, by the bits of the units that are left."""
    columns = np.zeros((col.SIDE_UNITS, 2), dtype=np.int64)
    columns[: len(units)] = np.stack([units[:, col.COST], np.ones(len(units), dtype=np.int64)], axis=1)
    bits = np.arange(1 << 8)[:, None] >> np.arange(8) & 1
    return Standing(bits @ columns[:8], bits @ columns[8:], U(counting(units)))
