"""The kernel: battles rolled die by die, many at a time, from tables to integer counts.

Each trial runs in a lane. All lanes take their turns together, each in a round of its own: once a round has ended, a
lane whose battle is over takes the next trial, or the last lane moves into its place. A lane has a place in rows of
16-bit numbers, a row for each unit or strike. A turn is pass after pass over the lanes, each so simple that it compiles
to vector instructions. A die is a digit of a word, and the word depends on the key, the trial and the digit's place
alone: the player turn, the number of the strike in it, and the digit of that strike. So counts don't depend on how
trials are shared out. First digits of all strikes of a turn come before second ones, and a word is drawn only if it is
needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.arrays import FIRST_TRIAL, KEY, ROUNDS, TRIALS
from aabalance.engine.battle.actions import begin_turn, end_turn, mark_able, mark_ready, pick_return_fire, spend
from aabalance.engine.battle.columns import NONE, ONE, Counts, Int, Row, Sides, Spending, W, Words
from aabalance.engine.battle.ends import Ended, Known, Standing, end_battles, mark_over
from aabalance.engine.battle.lanes.detail import Parts
from aabalance.engine.battle.lanes.dice import Dice, Drawing, Entries, look_up, lose, regain, roll, throw, throw_two
from aabalance.engine.battle.lanes.workspace import CACHE_LINE, Workspace, move_lanes
from aabalance.engine.battle.policies import View, choose, keeps_gains

U = np.uint64

return_fire = of_run = note_strikes = note_actions = note_choice = note_dice = jit.NO_HOOK
"""What only some battles need, from `aabalance.engine.battle.lanes.hooks`."""

Log = Counts | tuple[()]
Detail = Parts | tuple[()]
"""What is written down of a battle, or counted besides its tally; () if it isn't."""


class Tables(NamedTuple):
    """A battle as the kernel rolls it.

    Attributes
    ----------
    sides : pair of Arms or Side
        Both sides.
    standing : pair of Standing
        From `aabalance.engine.battle.ends.standing_of`, of the side that moves first, then of the other.
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
    known : Known
        From `aabalance.engine.battle.ends.known_of`.
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
    known: Known
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
    first, known, asks = tables.first, tables.known, tables.asks
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
        ending = 2 * np.int64(runs[r, ROUNDS]), np.int64(2 * most_rounds), tables.by_cost, known.goes_on
        following, end = runs[r, FIRST_TRIAL], runs[r, FIRST_TRIAL] + runs[r, TRIALS]
        lanes = min(most_lanes, end - following)
        for k in range(lanes):
            trial[k], turn[k], goes_on[k] = following + k, W(0), known.goes_on
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
                if known.remembers[side]:
                    move_lanes(workspace.loading[side], turn, to, origin, pairs, lanes)
                    move_lanes(workspace.prepared[side], turn, to, origin, pairs, lanes)
                if keeps_gains(asks, side):
                    for strike in range(len(workspace.gains[side])):
                        move_lanes(workspace.gains[side][strike], turn, to, origin, pairs, lanes)
            for half in range(2):
                _turn((first + half) % 2, run, lanes)


def _turn(side: Int, run: Run, lanes: Int) -> None:
    """Play a turn of a side in all lanes of a `run`, `lanes` in number."""
    tables, workspace = run.tables, run.workspace
    sides, known = tables.sides, tables.known
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
    for slot in range(known.strikes[side]):
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
