"""The kernel: battles rolled die by die, many at a time, from tables to integer counts.

Each trial runs in a lane. All lanes take their turns together, each in a round of its own: once a round has ended, a
lane whose battle is over takes the next trial, or the last lane moves into its place. A lane has a place in rows of
16-bit numbers, a row for each unit or strike. A turn is pass after pass over the lanes, each so simple that it compiles
to vector instructions. A die is a digit of a word, and the word depends on the key, the trial and the digit's place
alone: the player turn, the number of the strike in it, and the digit of that strike. So counts don't depend on how
trials are shared out. First digits of all strikes of a turn come before second ones, and a word is drawn only if it is
needed. `end_battles` adds the battles that are over to a tally, by winner and by what is left, and gives their lanes to
other trials.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.arrays import FIRST_TRIAL, KEY, ROUNDS, TRIALS
from aabalance.engine.battle.actions import (
    begin_turn,
    end_turn,
    mark_able,
    mark_over,
    mark_ready,
    pick_return_fire,
    spend,
)
from aabalance.engine.battle.columns import NONE, ONE, Counts, Int, Row, Sides, Spending, W, Words
from aabalance.engine.battle.lanes.detail import Ended, Parts
from aabalance.engine.battle.lanes.dice import Dice, Drawing, Entries, look_up, lose, regain, roll, throw, throw_two
from aabalance.engine.battle.lanes.workspace import CACHE_LINE, Workspace, move_lanes
from aabalance.engine.battle.policies import View, choose, keeps_gains
from aabalance.engine.outcome import DRAW, TURNS, A, B

U = np.uint64

return_fire = of_run = note_end = note_strikes = note_actions = note_choice = note_dice = jit.NO_HOOK
"""What only some battles need, from `aabalance.engine.battle.lanes.rolls.of_rolls`."""

TALLY = 10
"""Number of fields of a tally. From `VALUE` on it has the worth left of a and of b, from `LEFT` on the units left; last
come the squares of the player turns."""
VALUE, LEFT, SQUARES = 5, 7, 9
HALF, HALF_BITS = U(255), U(8)
"""A mask and a shift for the lower and the higher half of the 16 bits that say which units are left."""

Log = Counts | tuple[()]
Detail = Parts | tuple[()]
"""What is written down of a battle, or counted besides its tally; () if it isn't."""


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


class Tables(NamedTuple):
    """A battle as the kernel rolls it.

    Attributes
    ----------
    sides : pair of Arms or Side
        Both sides.
    standing : pair of Standing
        From `aabalance.engine.battle.lanes.rolls.standing_of`, of the side that moves first, then of the other.
    cost_ranks : pair of array of int64
        From `aabalance.engine.battle.columns.cost_ranks`.
    limits : (int, int)
        Limit of actions of each side in a turn.
    policies : (int, int)
        From `aabalance.engine.battle.policies.numbers`.
    asks : (int, int)
        As in `aabalance.engine.battle.policies.ASKS`, but `OWN` for `CHOICES` if a unit can choose between strikes.
    first : int
        The side that moves first.
    by_cost : bool
        As in `aabalance.engine.battle.columns.Terms`.
    goes_on : uint16
        1 if the battle isn't over before it begins.
    remembers : (bool, bool)
        By side whether any of its guns may stay unable to fire, or prepared, from one turn to the next.
    most_strikes : (int, int)
        By side the strikes that it makes in a turn at most.
    dice : Dice
        What holds for the dice of all strikes.
    entries : pair of array of uint64
        What each strike needs and does, by side: see `aabalance.engine.battle.lanes.dice.Entries`.
    """

    sides: Sides
    standing: tuple[Standing, Standing]
    cost_ranks: tuple[Counts, Counts]
    limits: tuple[int, int]
    policies: tuple[int, int]
    asks: tuple[int, int]
    first: int
    by_cost: bool
    goes_on: np.uint16
    remembers: tuple[bool, bool]
    most_strikes: tuple[int, int]
    dice: Dice
    entries: tuple[Entries, Entries]


class Run(NamedTuple):
    """What stays the same in all turns of a run.

    Attributes
    ----------
    tables, workspace, log
        As for `battles`.
    key : uint64
        The key of all random numbers.
    detail : Parts
        The run's counts, from `aabalance.engine.battle.lanes.detail.of_run`; () without any.
    """

    tables: Tables
    key: np.uint64
    workspace: Workspace
    log: Log
    detail: Detail


def battles(
    tables: Tables, most_rounds: Int, runs: Words, workspace: Workspace, log: Log, tallies: Counts, details: Detail
) -> None:
    """Roll trials of one battle, and count how they end.

    Parameters
    ----------
    tables : Tables
        The battle.
    most_rounds : int
        Number of rounds after which, where cost decides, a battle between sides that cost the same is given up as a
        draw.
    runs : array of uint64, shape (runs, 5)
        As for `aabalance.engine.fights.Rolls.roll`.
    workspace : Workspace
        From `aabalance.engine.battle.lanes.workspace.allocate`; overwritten.
    log : array of int64, shape (rows, `aabalance.engine.battle.lanes.detail.LOG`)
        Takes the log of one trial in one lane: its first row has the number of rows that follow. () without a log.
    tallies : array of int64, shape (runs, TALLY)
        The counts are added to it; a is the side that moves first.
    details : Parts
        With a row for each run; the counts are added. () if nothing but a tally is counted.
    """
    first, asks, fresh = tables.first, tables.asks, tables.goes_on
    alive_first, alive_other = workspace.alive[first], workspace.alive[1 - first]
    turn, goes_on, trial = workspace.lane.turn, workspace.lane.goes_on, workspace.lane.trial
    to, origin = workspace.lane.to, workspace.lane.origin
    most_lanes = U(len(alive_first) - CACHE_LINE)
    for r in range(len(runs)):
        detail: Detail = ()
        ended: Ended | tuple[()] = ()
        if of_run is not None:
            counted: Parts = of_run(details, r)
            detail, ended = counted, (counted.turns, counted.alive[first], counted.alive[1 - first])
        run = Run(tables, runs[r, KEY], workspace, log, detail)
        ending = 2 * np.int64(runs[r, ROUNDS]), np.int64(2 * most_rounds), tables.by_cost, fresh
        following, end = runs[r, FIRST_TRIAL], runs[r, FIRST_TRIAL] + runs[r, TRIALS]
        lanes = min(most_lanes, end - following)
        for k in range(lanes):
            trial[k], turn[k], goes_on[k] = following + k, W(0), fresh
            alive_first[k], alive_other[k] = alive_first[most_lanes], alive_other[most_lanes]
        following += lanes
        while lanes > 0:
            pairs, lanes, following = end_battles(
                (alive_first, alive_other, turn, goes_on, trial),
                tables.standing,
                ending,
                tallies[r],
                ended,
                (following, end),
                lanes,
                most_lanes,
                to,
                origin,
            )
            for side in range(2):
                move_lanes(workspace.left[side], turn, to, origin, pairs, lanes)
                if tables.remembers[side]:
                    move_lanes(workspace.loading[side], turn, to, origin, pairs, lanes)
                    move_lanes(workspace.prepared[side], turn, to, origin, pairs, lanes)
                if keeps_gains(asks, side):
                    for strike in range(len(workspace.gains[side])):
                        move_lanes(workspace.gains[side][strike], turn, to, origin, pairs, lanes)
            for half in range(2):
                _turn((first + half) % 2, run, lanes)


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

    A battle has ended if it is over, or at the limit of turns. Where worth decides, a battle at the limit is
    played on while both sides are worth the same.

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


def _turn(side: Int, run: Run, lanes: Int) -> None:
    """Play a turn of a side in all lanes of a `run`, `lanes` in number."""
    tables, workspace = run.tables, run.workspace
    sides = tables.sides
    left, alive, able = workspace.left, workspace.alive, workspace.able
    gains, picked = workspace.gains, workspace.picked
    lane = workspace.lane
    turn, goes_on, foes = lane.turn, lane.goes_on, lane.foes
    mine, yours, theirs = sides[side], sides[1 - side], alive[1 - side]
    state = Spending(
        fired=workspace.fired,
        loading=workspace.loading[side],
        prepared=workspace.prepared[side],
        spent=workspace.spent,
        helped=workspace.helped,
        actions=lane.actions,
        remaining=lane.remaining,
        helper=lane.helper,
    )
    view = View(
        mine=mine,
        theirs=yours,
        ready=workspace.ready[: len(mine.strikes)],
        gains=gains[side],
        their_gains=gains[1 - side],
        left=left[1 - side],
        alive=foes,
        mine_alive=alive[side],
        cost_rank=tables.cost_ranks[1 - side],
        their_able=able[1 - side],
    )
    begin_turn(tables.limits[side], state, lanes)
    _count_turn(goes_on, turn, workspace.drawn, lanes)
    _mark_foes(theirs, goes_on, foes, lanes)
    mark_able(mine, left[side], alive[side], theirs, able[side], lanes)
    for slot in range(tables.most_strikes[side]):
        mark_ready(mine, able[side], alive[side], foes, state, view.ready, lanes)
        choose(tables.policies[side], view, picked, lanes)
        if not _any(picked.unit, lanes):
            break
        if note_choice is not None:
            note_choice(run.log, side, mine, turn, picked, alive[side], state)
        spend(mine, picked, alive[side], state, lane.bit, lanes)
        strike(side, run, slot, lanes)
        if return_fire is not None:
            return_fire(side, run, slot, state, lanes)
        mark_able(mine, left[side], alive[side], theirs, able[side], lanes)
        mark_able(yours, left[1 - side], theirs, alive[side], able[1 - side], lanes)
        mark_over(sides, alive, able, lane.bit, lanes)
        for k in range(lanes):
            goes_on[k] &= W(lane.bit[k] ^ ONE)
        _mark_foes(theirs, goes_on, foes, lanes)
    if note_actions is not None:
        note_actions(run.detail, side, workspace.spent, lanes)
    end_turn(mine, state, lanes)


def _count_turn(goes_on: Row, turn: Row, drawn: Counts, lanes: Int) -> None:
    """Begin a player turn in each battle that isn't over (`goes_on` is 1): count it, and forget what `Drawing` drew."""
    for block in range(len(drawn)):
        drawn[block] = 0
    for k in range(lanes):
        turn[k] += goes_on[k]


def _mark_foes(alive: Row, goes_on: Row, foes: Row, lanes: Int) -> None:
    """Write which units that are left (`alive`, a bit each) can be aimed at: none where the battle is over."""
    for k in range(lanes):
        who = alive[k]
        foes[k] = who if goes_on[k] != NONE else NONE


def _any(units: Row, lanes: Int) -> bool:
    """Return whether any lane has a unit."""
    some = NONE
    for k in range(lanes):
        some = W(some | units[k])
    return bool(some != NONE)


def strike(side: Int, run: Run, slot: Int, lanes: Int) -> None:
    """Roll the dice of the strikes that a `side` has picked, and take from the enemies what they do.

    `slot` is the place of the strikes' first digit; `run` and `lanes` are as for `_turn`.
    """
    tables, workspace = run.tables, run.workspace
    dice = tables.dice
    lane, picked = workspace.lane, workspace.picked
    enemies, gains = workspace.left[1 - side], workspace.gains[side]
    drawing = Drawing(run.key, lane.turn, lane.trial, workspace.words, workspace.drawn)
    most = look_up(dice, tables.entries[side], slot, drawing, picked, lane.need, lane.entry, lanes)
    before = 1 if dice.shares > 1 else 0
    for k in range(lanes):
        lane.loss[k] = NONE
    for sequence in range(min(most, (dice.digits - before) >> dice.full)):
        place = (before + (sequence << dice.full)) * dice.slots + slot
        roll(place, dice.base, dice, drawing, lane.die, lanes)
        if dice.full:
            roll(place + dice.slots, dice.base, dice, drawing, lane.second, lanes)
            throw_two(lane.entry, lane.die, lane.second, sequence, dice, lane.loss, lanes)
        else:
            throw(lane.entry, lane.need, lane.die, sequence, lane.loss, lanes)
    if note_strikes is not None:
        note_strikes(run.detail, side, enemies, picked, lane.loss, lane.turn, lanes)
    if note_dice is not None:
        note_dice(run.log, dice, slot, workspace.words, most, enemies, picked.enemy, lane.loss)
    lose(enemies, workspace.alive[1 - side], picked.enemy, lane.loss, lane.after, lanes)
    if keeps_gains(tables.asks, side):
        regain(tables.sides[side].rank, gains, picked.enemy, lane.after, lane.bit, lanes)


def fire_back(side: Int, run: Run, slot: Int, state: Spending, lanes: Int) -> None:
    """Let each unit that a `side` has struck and that is left return fire, with digits behind those of all its strikes.

    `slot` is the number of the strike in its turn, `state` what the side has spent; `run` and `lanes` as for `_turn`.
    """
    tables, workspace = run.tables, run.workspace
    left, alive, able, picked = workspace.left, workspace.alive, workspace.able, workspace.picked
    other, dice = 1 - side, tables.dice
    yours, back = tables.sides[other], (picked.first, picked.second, picked.third)
    mark_able(yours, left[other], alive[other], alive[side], able[other], lanes)
    pick_return_fire(yours, able[other], picked, back, len(left[side]), lanes)
    for k in range(lanes):
        picked.strike[k], picked.enemy[k], picked.unit[k] = back[0][k], back[1][k], back[2][k]
    if note_choice is not None:
        if picked.unit[0] == NONE:
            return
        note_choice(run.log, other, yours, workspace.lane.turn, picked, alive[other], state)
    strike(other, run, slot + dice.digits * dice.slots, lanes)
