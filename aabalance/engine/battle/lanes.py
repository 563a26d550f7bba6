"""What a side may do in its turn, in many battles at once: the kernel asks for all its lanes, the exact solver for one.

Units of a side are bits of a 16-bit word. Attacks fired and actions spent are counted in rows of such words: the units
that did at least one, at least two, and so on. Functions are plain loops over all lanes, `lanes` in number, which also
compile to vector instructions; each loop uses few arrays, so that the compiler can tell that they don't overlap.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.engine import jit

U, W = np.uint64, np.uint16
NONE, ONE, ALL = W(0), W(1), W(0xFFFF)
LANE_BITS, LANE = 16, U(0xFFFF)
"""The bits of a lane, and a mask for the first of four lanes in a word of 64 bits."""

Bits = npt.NDArray[np.uint16]
"""Numbers of 16 bits with the lanes as their last axis: units or enemies as bits, toughness, or ranks of gains."""
Columns = npt.NDArray[np.int64]
"""A row for each unit, gun, strike ... and a column for each of its properties."""


class Arms(NamedTuple):
    """What a side may do in its turn, if its units hold their places.

    Attributes
    ----------
    units, guns, strikes : array of int64, shape (units, columns), (guns, columns) and (strikes, columns)
        Their columns are named below.
    helpers : array of int64, shape (helps, units)
        The actions that a unit pays to give a help; `NOBODY` if it can't give it.
    rank : array of int32, shape (strikes, enemies, aspects, toughness + 1)
        The rank of a gain by strike, enemy, aspect and toughness left of the enemy.
    """

    units: Columns
    guns: Columns
    strikes: Columns
    helpers: Columns
    rank: npt.NDArray[np.int32]


class Side(NamedTuple):
    """A side of a battle, packed as arrays of integers. Parts that a battle doesn't need are empty.

    Attributes
    ----------
    units, guns, strikes, helpers, rank
        As in `Arms`.
    volley : array of int64, shape (strikes, enemies, aspects)
        The number of the effect of a strike.
    spots : array of int64, shape (spots, columns)
        The guns of each unit.
    paces, spans, aspects, wishes, orders : array
        How units move: see `aabalance.engine.battle.moving`.
    objectives, holders, owners, points, winners : array of int64
        How points are scored: see `aabalance.engine.battle.domination`.
    riders, wrecks : array of int64
        The units that begin inside others, and what each loses if its carrier is destroyed, in equally likely cases:
        see `aabalance.engine.battle.cargo`.
    """

    units: Columns
    guns: Columns
    strikes: Columns
    helpers: Columns
    rank: npt.NDArray[np.int32]
    volley: Columns
    spots: Columns
    paces: Columns
    spans: Columns
    aspects: Bits
    wishes: Columns
    orders: Columns
    objectives: Columns
    holders: Columns
    owners: Columns
    points: Columns
    winners: Columns
    riders: Columns
    wrecks: Columns


Sides = tuple[Side, Side]

UNITS, GUNS, STRIKES, HELPERS, RANK, VOLLEY, SPOTS, PACES, SPANS, ASPECTS, WISHES, ORDERS = range(12)
OBJECTIVES, HOLDERS, OWNERS, POINTS, WINNERS, RIDERS, WRECKS = range(12, 19)
"""Indices of a `Side`, for battles whose units move, score or ride, which will leave this package."""
TOUGHNESS, POOL, FREE, WORTH, COUNTS, QUANTUM, HITS, PLACE, BELOW, SPENT_PLACE, HELPED_PLACE = range(11)
"""Columns of units: toughness; actions in a turn, and 1 if the side's limit doesn't bind them; worth; 1 if a side
without such a unit has lost; the step in which it loses toughness, the number of its steps, what a step counts in its
side's number, and the steps of all units that fall after it (-1 if the order isn't known); in the number of what was
spent, what an action counts, and what help at the first enemy counts (0: never asked)."""
ATTACKS, RELOADS, ONCE, ROW = range(4)
"""Columns of guns, which equal units share: attacks in a turn, 1 if it has to reload after firing, 1 if it fires in one
turn of a battle only, and the index of its first row among the attacks fired."""
MEMBERS, GUN, TAKES, ACTIONS, LEAST, MOST, OF_POOL, OF_FREE, HURTS, STEADY, ALONE = range(11)
"""Columns of strikes, which equal units share: the bits of these units, their gun, the attacks that it takes of the
gun, its actions, the least and the largest toughness with which it is made, the units' actions in a turn (0: not
counted) and 1 if the side's limit doesn't bind them, the bits of the enemies that it can hurt from any place that both
may get to, 1 if any toughness will do, and 1 if its units have no other strike."""
STAGE, GONE, HELP, HELPS, LASTS, HELPED_AT, RUNS_OUT, ANSWERS, UNIT = range(11, 20)
"""More columns of strikes: the stage; the enemy that has to be gone; the first help that it needs, and how many it
needs; 1 if one of them lasts; the enemy at which such help has to have been given in this turn (`NOBODY` for no enemy);
1 if the units' guns could use more actions than the units have; 1 if it is also made in answer to a strike; and its
first unit, which is its only one if units move."""
ANY, PREPARES, NEEDS_PREPARED = range(3)
"""Stages of a strike: it needs no preparation, it does nothing but prepare its gun, or its gun has to be prepared."""
OF_UNIT, OF_GUN, BIT, PREPARED_BIT, FIRED_PLACE = range(5)
"""Columns of spots, one for each gun of each unit: the unit, the gun, the bit of a state that says that the gun can't
fire, the bit that says that it is prepared (`NOBODY`: never asked), and what an attack counts in the number of what was
spent; to prepare counts as one attack more than the gun has."""
AHEAD, BACK, COST, PLACE_BIT, CLASS_BIT = range(5)
"""Columns of paces, by unit: the steps that it can go ahead and back in a turn, the actions that a move takes, and
where the bits of its place, and of the class of its last move, begin in a state (`NOBODY`: they never change)."""
LEAST_STEPS, MOST_STEPS, ENEMY = range(3)
"""Columns of wishes, by unit, the best exchange first: the least and the largest distance in steps that the unit wants
from an enemy, and the enemy."""
SPAN_ENEMY, SPAN_STRIKE, SPAN_MOVED, SPAN_CLASS = range(2, 6)
"""Columns of spans, behind the least and the largest distance in steps at which a strike hurts an enemy: the enemy, the
strike, 1 if its unit has to have moved and 0 if not, and the class of the enemy's last move (`NOBODY`: any will do)."""
POSTURE, STOP, DEPTH, START, CLASSES, PLACE_BITS, CLASS_BITS, CLASS_STEPS = range(8)
"""Orders of a side: the number of its posture, and the distance in steps that it has; the depth of the ground; the
place of its line at the start; the number of classes of moves; the bits that a place and a class take in a state; then,
for the third class and each after it, the steps from which on a move belongs to it. The first class is to stay."""
RIDER, CARRIER, RIDING_BIT, RESTS = range(4)
"""Columns of riders: the unit, the unit that it begins inside, the bit of a state that says that it has not got out,
and the actions that a turn of rest takes from it."""
NOBODY = -1
WORD_RANKS = 2
"""Ranks that are looked up together: to look up one takes as long as to look up both."""
SIDE_UNITS = 16
"""Largest number of units of a side: a bit each in a word."""
keep_helped = spend_help = keep_reaching = jit.LEFT_OUT
"""What only some battles need, from `aabalance.engine.battle.parts`."""


def mark_able(side: Arms | Side, left: Any, alive: Any, foes: Any, able: Any, lanes: Any) -> None:
    """Write which units are able to make each strike, by what they, their friends and their enemies have left.

    Parameters
    ----------
    side : Arms or Side
        The side.
    left, alive, foes : array of uint16, shape (units, lanes), (lanes,) and (lanes,)
        The toughness that each unit has left; the units that are left, and the enemies that are left: a bit each.
    able : array of uint16, shape (strikes, lanes)
        Takes the units: a bit each.
    lanes : uint64
        Number of lanes.
    """
    strikes, helpers = side.strikes, side.helpers
    for strike in range(len(strikes)):
        members, row = W(strikes[strike, MEMBERS]), able[strike]
        if strikes[strike, STEADY]:
            for k in range(lanes):
                row[k] = alive[k] & members
        else:
            least, most = W(strikes[strike, LEAST]), W(strikes[strike, MOST])
            for k in range(lanes):
                row[k] = NONE
            for unit in range(len(side.units)):
                bit, has = W(members & W(ONE << W(unit))), left[unit]
                for k in range(lanes):
                    row[k] |= bit if (has[k] >= least) & (has[k] <= most) else NONE
        if strikes[strike, GONE] != NOBODY:
            bit = W(ONE << W(strikes[strike, GONE]))
            for k in range(lanes):
                units = row[k]
                row[k] = units if W(foes[k] & bit) == NONE else NONE
        for need in range(strikes[strike, HELP], strikes[strike, HELP] + strikes[strike, HELPS]):
            friends = NONE
            for unit in range(len(side.units)):
                if helpers[need, unit] != NOBODY:
                    friends = W(friends | W(ONE << W(unit)))
            for k in range(lanes):
                units = row[k]
                row[k] = units if W(alive[k] & friends) != NONE else NONE


def mark_ready(
    side: Arms | Side, able: Any, hurts: Any, alive: Any, foes: Any, state: Any, ready: Any, lanes: Any
) -> None:
    """Write which units may make each strike now, and hurt an enemy with it.

    Parameters
    ----------
    side, able, alive, lanes
        As for `mark_able`.
    hurts : array of uint16, shape (strikes, lanes)
        The enemies that each strike can hurt from where its units are. Where equal units, each with one strike, stand
        apart, there are more rows behind these, in fours: the enemies that each unit can hurt from where it is.
    foes : array of uint16, shape (lanes,)
        The enemies that are left and can be aimed at; none where the battle is over.
    state : tuple of arrays of uint16
        Of shape (rows, lanes): by gun, the units that fired it in this turn, that can't fire it, and that prepared it;
        the units that spent so many actions, with an empty last row; by enemy, if that is ever asked, the units that
        were helped at it. Of shape (lanes,): what is left of the side's limit of actions, and two for scratch.
    ready : array of uint16, shape (strikes, lanes)
        Takes the units: a bit each.
    """
    guns, strikes = side.guns, side.strikes
    fired, loading, prepared, spent, _, actions, _, _ = state
    for strike in range(len(strikes)):
        gun, cost, pool = strikes[strike, GUN], strikes[strike, ACTIONS], strikes[strike, OF_POOL]
        row, units, reloading = ready[strike], able[strike], loading[gun]
        stage = strikes[strike, STAGE]
        empty = fired[guns[gun, ROW] + guns[gun, ATTACKS] - strikes[strike, TAKES]]
        tired = spent[pool - cost if pool > 0 else len(spent) - 1]
        whom, paid = hurts[strike], W(0 if strikes[strike, OF_FREE] else cost)
        if pool > 0 or guns[gun, RELOADS] or guns[gun, ONCE]:
            for k in range(lanes):
                may = units[k] & W((empty[k] | tired[k] | reloading[k]) ^ ALL)
                row[k] = may if (foes[k] & whom[k] != NONE) & (actions[k] >= paid) else NONE
        else:
            for k in range(lanes):
                may = units[k] & W(empty[k] ^ ALL)
                row[k] = may if (foes[k] & whom[k] != NONE) & (actions[k] >= paid) else NONE
        if stage != ANY:
            there, other = prepared[gun], W(ALL if stage == PREPARES else NONE)
            for k in range(lanes):
                row[k] &= W(there[k] ^ other)
        if keep_helped is not None:
            keep_helped(side, strike, alive, state, row, lanes)
    if keep_reaching is not None:
        keep_reaching(side, hurts, foes, state, ready, lanes)


def spend(side: Arms | Side, picked: Any, alive: Any, state: Any, bit: Any, lanes: Any) -> None:
    """Pay for the picked strikes: attacks of guns, actions of units and of the side's limit, preparation and help.

    Parameters
    ----------
    side, alive, state, lanes
        As for `mark_ready`; the state is changed.
    picked : tuple of arrays of uint16, shape (lanes,)
        The strikes, as policies write them.
    bit : array of uint16, shape (lanes,)
        Scratch.
    """
    guns, strikes = side.guns, side.strikes
    fired, _, prepared, spent, _, actions, _, _ = state
    chosen, aim, unit, _, _, _ = picked
    for strike in range(len(strikes)):
        gun, cost, takes = strikes[strike, GUN], strikes[strike, ACTIONS], strikes[strike, TAKES]
        begin, paid = guns[gun, ROW], W(0 if strikes[strike, OF_FREE] else cost)
        for k in range(lanes):
            mine = chosen[k] == W(strike)
            bit[k] = unit[k] if mine else NONE
            actions[k] -= paid if mine else NONE
        if strikes[strike, OF_POOL] > 0:
            raise_rows(spent[: strikes[strike, OF_POOL]], cost, bit, lanes)
        if strikes[strike, STAGE] == PREPARES:
            row = prepared[gun]
            for k in range(lanes):
                row[k] |= bit[k]
        else:
            raise_rows(fired[begin : begin + guns[gun, ATTACKS]], takes, bit, lanes)
        if spend_help is not None:
            spend_help(side, strike, aim, alive, state, bit, lanes)


def raise_rows(rows: Any, by: Any, bit: Any, lanes: Any) -> None:
    """Raise the counts of some units, where each row has the units whose count is at least so large.

    Parameters
    ----------
    rows : array of uint16, shape (counts, lanes)
        The units whose count is at least 1, at least 2, and so on: a bit each. Changed.
    by : int
        The number that is added to the counts.
    bit : array of uint16, shape (lanes,)
        The units whose counts are raised: a bit each.
    lanes : uint64
    """
    for step in range(len(rows)):
        level = len(rows) - 1 - step
        row = rows[level]
        if level < by:
            for k in range(lanes):
                row[k] |= bit[k]
        else:
            lower = rows[level - by]
            for k in range(lanes):
                row[k] |= bit[k] & lower[k]


def answers(side: Arms | Side) -> bool:
    """Return whether any unit of a side strikes back."""
    strikes, any_of_them = side.strikes, False
    for strike in range(len(strikes)):
        any_of_them |= strikes[strike, ANSWERS] != 0
    return bool(any_of_them)


def pick_answer(side: Arms | Side, able: Any, picked: Any, back: Any, units: Any, lanes: Any) -> None:
    """Write the strikes with which units that were struck strike back.

    Parameters
    ----------
    side : Arms or Side
        The side that was struck.
    able : array of uint16, shape (strikes, lanes)
        The units of that side able to make each strike, from `mark_able`, after they were struck.
    picked : tuple of arrays
        The strikes that were made, as policies write them.
    back : tuple of arrays of uint16, shape (lanes,)
        Takes the strike (the number of strikes for none), the row of the unit that struck, and the bit of the unit that
        strikes back (0 for none).
    units : int
        Number of units of the side that struck.
    lanes : uint64
    """
    strikes = side.strikes
    chosen, aim, unit = back
    _, struck, striker, _, _, _ = picked
    for k in range(lanes):
        chosen[k], aim[k], unit[k] = W(len(strikes)), NONE, NONE
    for number in range(units):
        bit, at = W(ONE << W(number)), W(number)
        for k in range(lanes):
            who = aim[k]
            aim[k] = at if striker[k] == bit else who
    for later in range(len(strikes)):
        strike = len(strikes) - 1 - later
        if strikes[strike, ANSWERS]:
            row, hurts = able[strike], W(strikes[strike, HURTS])
            for k in range(lanes):
                was, by, bit = chosen[k], unit[k], W(row[k] & W(ONE << struck[k]))
                strikes_back = (bit != NONE) & (W(striker[k] & hurts) != NONE)
                chosen[k] = W(strike) if strikes_back else was
                unit[k] = bit if strikes_back else by


def put_gains(rows: Any, aim: Any, fresh: Any, lanes: Any) -> None:
    """Write a strike's new gain from the enemy aimed at into its row.

    Parameters
    ----------
    rows : array of uint16, shape (enemies, lanes)
        The gains of one strike, as ranks; changed. Enemies come in fours and a last pair.
    aim : array of uint16, shape (lanes,)
        The row of the enemy aimed at.
    fresh : array of uint16, shape (lanes,)
        The gain from that enemy now.
    lanes : uint64
    """
    for at in range(0, len(rows) - 2, 4):
        a, b, c, d = W(at), W(at + 1), W(at + 2), W(at + 3)
        for k in range(lanes):
            who, gain = aim[k], fresh[k]
            of_a, of_b, of_c, of_d = rows[at, k], rows[at + 1, k], rows[at + 2, k], rows[at + 3, k]
            rows[at, k] = gain if who == a else of_a
            rows[at + 1, k] = gain if who == b else of_b
            rows[at + 2, k] = gain if who == c else of_c
            rows[at + 3, k] = gain if who == d else of_d
    if len(rows) % 4:
        last, a, b = len(rows) - 2, W(len(rows) - 2), W(len(rows) - 1)
        for k in range(lanes):
            who, gain = aim[k], fresh[k]
            of_a, of_b = rows[last, k], rows[last + 1, k]
            rows[last, k] = gain if who == a else of_a
            rows[last + 1, k] = gain if who == b else of_b


@jit.merged
def regain_there(ranks: Any, tough: Any, gains: Any, aim: Any, after: Any, fresh: Any, wide: Any, lanes: Any) -> None:
    """Look up the gains of all strikes of a side at the enemies aimed at, where nobody moves.

    What is looked up doesn't compile to vector instructions; so indices are read, and ranks written, in words of 64
    bits, several lanes at once.

    Parameters
    ----------
    ranks : array of uint64, shape (2, words, enemies x toughness)
        The side's `rank`: the ranks of `WORD_RANKS` strikes, those of the first in the lowest bits; then the
        same in the upper half of a word.
    tough : int
        How many different toughnesses there are for each enemy.
    gains, aim, after, fresh, lanes
        As for `aabalance.engine.battle.moving.regain`; `after` is overwritten.
    wide : tuple of arrays
        From `aabalance.engine.battle.rows.room_for`: a row that isn't used; `after` in words of four lanes; and a row
        of uint32, in words of two lanes and as it is, which is overwritten.
    """
    at, of_enemy = after, W(tough)
    _, fours, twos, words = wide
    # Where to look becomes vectors, which looking doesn't. There is one aspect, so that it fits.
    for k in range(lanes):
        at[k] += W(aim[k] * of_enemy)
    # The last word may have lanes behind those in use.
    for k in range(lanes, lanes + U(3)):
        at[k] = NONE
    for first in range(0, len(gains), WORD_RANKS):
        lower, upper = ranks[0, first // WORD_RANKS], ranks[1, first // WORD_RANKS]
        for k in range((lanes + U(3)) >> U(2)):
            four = fours[k]
            twos[U(2) * k] = lower[four & LANE] | upper[four >> U(16) & LANE]
            twos[U(2) * k + U(1)] = lower[four >> U(32) & LANE] | upper[four >> U(48)]
        for k in range(lanes):
            fresh[k] = W(words[k])
        put_gains(gains[first], aim, fresh, lanes)
        if first + 1 < len(gains):
            for k in range(lanes):
                fresh[k] = W(words[k] >> LANE_BITS)
            put_gains(gains[first + 1], aim, fresh, lanes)


def end_turn(side: Arms | Side, state: Any, lanes: Any) -> None:
    """Write which guns can't fire in their side's next turn: those that fired in this one and have to reload, or never.

    Parameters
    ----------
    side, state, lanes
        As for `mark_ready`.
    """
    guns = side.guns
    fired, loading = state[0], state[1]
    for gun in range(len(guns)):
        if guns[gun, RELOADS] or guns[gun, ONCE]:
            row, now, stay = loading[gun], fired[guns[gun, ROW]], W(ALL if guns[gun, ONCE] else NONE)
            for k in range(lanes):
                row[k] = W(row[k] & stay) | now[k]


def dearness_of(sides: Sides) -> tuple[Columns, Columns]:
    """Return, for each side, the rank of each unit by what it counts for: 0 for the dearest, equals as listed."""
    worths = [np.pad(side.units[:, WORTH], (0, SIDE_UNITS - len(side.units)), constant_values=-1) for side in sides]
    orders = [np.argsort(-worth, kind="stable") for worth in worths]
    return np.argsort(orders[0]), np.argsort(orders[1])
