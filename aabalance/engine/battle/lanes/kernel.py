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

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.actions import end_turn, mark_able, mark_ready, pick_answer, spend
from aabalance.engine.battle.columns import NONE, ONE, Arms, Side, W
from aabalance.engine.battle.ends import end_battles, mark_over
from aabalance.engine.battle.lanes.rows import (
    CACHE_LINE,
    clear,
    move_lanes,
)
from aabalance.engine.battle.lanes.throws import (
    BASE,
    DIGITS,
    FULL,
    MOMENTS,
    SHARES,
    SLOTS,
    look_up,
    look_up_low,
    lose,
    regain_there,
    roll,
    throw,
    throw_two,
)
from aabalance.engine.battle.policies import choose, keeps_gains

U = np.uint64

set_out = find_moments = regain = note_idle = move_line = strike_back = score = shelter = wreck = jit.LEFT_OUT
of_run = note_strikes = note_actions = note_moves = note_choice = note_dice = jit.LEFT_OUT
"""What only some battles need, from `aabalance.engine.battle.lanes.parts`."""


def battles(
    sides: Any,
    standing: Any,
    dearness: Any,
    limits: Any,
    policies: Any,
    asks: Any,
    first: Any,
    by_worth: Any,
    known: Any,
    dice: Any,
    entries: Any,
    up_to: Any,
    factors: Any,
    most_rounds: Any,
    runs: Any,
    room: Any,
    log: Any,
    tallies: Any,
    details: Any,
) -> None:
    """Roll trials of one battle, and count how they end.

    Parameters
    ----------
    sides : pair of Arms or Side
        Both sides; of battles whose units move, score or ride all parts.
    standing : tuple
        What `aabalance.engine.battle.ends.standing_of` returns for the side that moves first, then for the other.
    dearness : pair of array of int64
        From `aabalance.engine.battle.columns.dearness_of`.
    limits : (int, int)
        Limit of actions of each side in a turn.
    policies : (int, int)
        From `aabalance.engine.battle.policies.numbers`.
    asks : (int, int)
        As in `aabalance.engine.battle.policies.ASKS`, but `OWN` for `CHOICES` if a unit can choose between strikes.
    first : int
        The side that moves first.
    by_worth : bool
        As in `aabalance.engine.battle.terms.Terms`.
    known : Known
        From `aabalance.engine.battle.ends.known_of`.
    dice : array of int64
        Numbers that hold for all strikes, at the indices of `aabalance.engine.battle.lanes.throws` from `BASE` on.
    entries : pair of tuple of array of uint64
        For each side, its `entries` for `aabalance.engine.battle.lanes.throws.look_up`, its `lowest` for `look_up_low`,
        and its `ranks` for `aabalance.engine.battle.lanes.throws.regain_there`.
    up_to : array of uint64
        As for `aabalance.engine.battle.lanes.throws.look_up`.
    factors : array of uint64
        As for `aabalance.engine.battle.lanes.throws.look_up`.
    most_rounds : int
        Number of rounds after which, where worth decides, a battle between sides worth the same is given up as a draw.
    runs : array of uint64, shape (runs, 5)
        As for `aabalance.engine.fights.Rolls.roll`.
    room : tuple of arrays
        From `aabalance.engine.battle.lanes.rows.room_for`; overwritten.
    log : array of int64, shape (rows, `aabalance.engine.battle.lanes.detail.LOG`)
        Takes the log of one trial in one lane: its first row has the number of rows that follow. () without a log.
    tallies : array of int64, shape (runs, TALLY)
        The counts are added to it; a is the side that moves first.
    details : tuple of arrays, shape (runs, n)
        The parts of `aabalance.engine.battle.lanes.detail.parts`; the counts are added to them. () without any.
    """
    left, gains, alive, _, guns, _, _, _, _, _, small, large, _, _, _, _, line = room
    alive_a, alive_b = alive[first], alive[1 - first]
    turn, go = small[2], small[3]
    trial, _, to, origin = large
    most_lanes = U(len(go) - CACHE_LINE)
    for r in range(len(runs)):
        key, tally = runs[r, 1], tallies[r]
        detail: Any = ()
        ends: Any = ()
        if of_run is not None:
            detail = of_run(details, r)
            ended, standing_units, _, _, _, _ = detail
            ends = ended, standing_units[first], standing_units[1 - first]
        ending = 2 * np.int64(runs[r, 4]), np.int64(2 * most_rounds), by_worth, known.goes_on
        following, end = runs[r, 2], runs[r, 2] + runs[r, 3]
        lanes = min(most_lanes, end - following)
        for k in range(lanes):
            trial[k], turn[k], go[k] = following + k, NONE, known.goes_on
            alive_a[k], alive_b[k] = alive_a[most_lanes], alive_b[most_lanes]
        following += lanes
        while lanes > 0:
            state = alive_a, alive_b, turn, go, trial
            points: Any = ()
            if score is not None:
                points = line[9][1:], sides[0].winners, first
            pairs, lanes, following = end_battles(
                state, standing, points, ending, tally, ends, (following, end), lanes, most_lanes, to, origin
            )
            for side in range(2):
                move_lanes(left[side][: len(sides[side].units)], turn, to, origin, pairs, lanes)
                if known.remembers[side]:
                    move_lanes(guns[side][0], turn, to, origin, pairs, lanes)
                    move_lanes(guns[side][1], turn, to, origin, pairs, lanes)
                if keeps_gains(asks, side):
                    for strike in range(len(gains[side])):
                        move_lanes(gains[side][strike][: len(sides[1 - side].units)], turn, to, origin, pairs, lanes)
            if move_line is not None:
                move_line(line, turn, to, origin, pairs, lanes)
            for half in range(2):
                _turn(
                    (first + half) % 2,
                    sides,
                    dearness,
                    limits,
                    policies[(first + half) % 2],
                    asks,
                    known,
                    dice,
                    entries,
                    up_to,
                    factors,
                    key,
                    room,
                    log,
                    detail,
                    lanes,
                )


@jit.merged
def _turn(
    side: Any,
    sides: Any,
    dearness: Any,
    limits: Any,
    number: Any,
    asks: Any,
    known: Any,
    dice: Any,
    entries: Any,
    up_to: Any,
    factors: Any,
    key: Any,
    room: Any,
    log: Any,
    detail: Any,
    lanes: Any,
) -> None:
    """Play a turn of a side in all lanes; `number` is that of its policy, the rest is as for `battles`."""
    left, gains, alive, able, guns, fired, spent, helped, ready, picked, small, _, _, _, drawn, hurts, line = room
    _, _, turn, go, foes, bit, actions, rest, friend, _, _, _, _ = small
    mine, enemies, theirs = sides[side], left[1 - side], alive[1 - side]
    # Functions are handed only the parts that they use: fewer arrays are handed on faster.
    armed, foe = arms_of(mine), arms_of(sides[1 - side])
    _, _, unit, _, _, _ = picked
    state = fired, guns[side][0], guns[side][1], spent, helped, actions, rest, friend
    usable, others = ready[: len(mine.strikes)], (foe, alive[side], able[1 - side], gains[1 - side])
    clear(fired, lanes)
    clear(spent, lanes)
    clear(helped, lanes)
    for block in range(len(drawn)):
        drawn[block] = 0
    for k in range(lanes):
        actions[k] = W(limits[side])
        turn[k] += go[k]
        who = theirs[k]
        foes[k] = who if go[k] != NONE else NONE
    if shelter is not None:
        shelter(1 - side, sides, line, theirs, foes, lanes)
    reached = hurts[side]
    if set_out is not None:
        rows = set_out(side, sides, line, alive[side], foes, state, left, gains, hurts, asks[side], lanes)
        reached = reached[:rows]
        if note_moves is not None and go[0] != NONE:
            note_moves(log, side, turn, mine, alive[side], line)
    mark_able(armed, left[side], alive[side], theirs, able[side], lanes)
    for slot in range(known.strikes[side]):
        mark_ready(armed, able[side], reached, alive[side], foes, state, ready, lanes)
        of = dearness[1 - side]
        choose(number, armed, others, of, usable, reached, gains[side], enemies, foes, picked, lanes)
        firing = NONE
        for k in range(lanes):
            firing = W(firing | unit[k])
        if firing == NONE:
            break
        if note_choice is not None:
            note_choice(log, side, mine, turn, picked, alive[side], state)
        spend(armed, picked, alive[side], state, bit, lanes)
        _strike(side, sides, dice, entries, up_to, factors, slot, key, asks, picked, room, log, detail, lanes)
        if wreck is not None:
            wreck(side, sides, dice, factors, key, asks, room, log, detail, lanes)
        if strike_back is not None:
            strike_back(side, sides, dice, entries, up_to, factors, slot, key, state, asks, room, log, detail, lanes)
        if known.keen:
            for k in range(lanes):
                who, goes_on = theirs[k], go[k]
                goes_on = goes_on if W(who & known.counting[1 - side]) != NONE else NONE
                go[k] = goes_on
                foes[k] = who if goes_on != NONE else NONE
        else:
            mark_able(armed, left[side], alive[side], theirs, able[side], lanes)
            mark_able(foe, enemies, theirs, alive[side], able[1 - side], lanes)
            mark_over(sides, alive, able, bit, score is not None, lanes)
            for k in range(lanes):
                who, goes_on = theirs[k], W(go[k] & W(bit[k] ^ ONE))
                go[k] = goes_on
                foes[k] = who if goes_on != NONE else NONE
        if shelter is not None:
            shelter(1 - side, sides, line, theirs, foes, lanes)
    if note_actions is not None:
        note_actions(detail, side, mine, spent, line, lanes)
    if score is not None:
        score(side, sides, line, left, lanes)
    if note_idle is not None:
        note_idle(side, sides, line, state, go, turn, lanes)
    end_turn(armed, state, lanes)
    if move_line is not None:
        for k in range(lanes):
            line[1][side][k] = NONE


@jit.merged
def arms_of(side: Arms | Side) -> Arms:
    """Return the part of a side on which its strikes depend."""
    return Arms(side.units, side.guns, side.strikes, side.helpers, side.rank)


@jit.merged
def _strike(
    side: Any,
    sides: Any,
    dice: Any,
    entries: Any,
    up_to: Any,
    factors: Any,
    slot: Any,
    key: Any,
    asks: Any,
    picked: Any,
    room: Any,
    log: Any,
    detail: Any,
    lanes: Any,
) -> None:
    """Roll the dice of the picked strikes, and take from the enemies what they do.

    Parameters
    ----------
    side : int
        The side that strikes.
    sides, dice, entries, up_to, factors, key, asks, room, log, detail
        As for `battles`; `key` is the run's, `detail` has its counts.
    slot : int
        The place of the strikes' first digit.
    picked : tuple of arrays
        The strikes, as policies write them.
    lanes : uint64
        Number of lanes.
    """
    left, gains, alive, _, _, _, _, _, _, _, small, large, wide, words, drawn, _, line = room
    loss, after, turn, _, _, bit, _, _, _, moment, low, die, second = small
    trial, entry, _, _ = large
    _, aim, _, _, _, _ = picked
    enemies = left[1 - side]
    if find_moments is not None:
        find_moments(side, sides, line, picked, moment, lanes)
    every, lowest, ranks = entries[side]
    at, base = 1 if dice[SHARES] > 1 else 0, U(dice[BASE])
    # A log tells strikes that roll nothing from others.
    if note_dice is None and dice[DIGITS] <= 1 and dice[MOMENTS] == 1 and at == 0:
        look_up_low(lowest, picked, low, wide, lanes)
        most = 1
    else:
        most = look_up(dice, every, up_to, factors, slot, key, turn, picked, moment, low, large, words, drawn, lanes)
    most = min(most, (dice[DIGITS] - at) >> dice[FULL])
    if most == 0:
        for k in range(lanes):
            loss[k] = NONE
    for sequence in range(most):
        place = (at + (sequence << dice[FULL])) * dice[SLOTS] + slot
        roll(place, base, dice, key, turn, trial, factors, words, drawn, die, lanes)
        if dice[FULL]:
            place += dice[SLOTS]
            roll(place, base, dice, key, turn, trial, factors, words, drawn, second, lanes)
            throw_two(entry, die, second, U(sequence), dice, loss, lanes)
        else:
            throw(entry, low, die, U(sequence), loss, lanes)
    if note_strikes is not None:
        note_strikes(detail, side, enemies, picked, loss, turn, lanes)
    if note_dice is not None:
        note_dice(log, dice, factors, slot, words, most, enemies, aim, loss, sides[side].aspects, moment)
    lose(enemies, alive[1 - side], aim, loss, after, lanes)
    if keeps_gains(asks, side):
        if regain is not None:
            regain(side, sides, line, gains[side], aim, after, bit, lanes)
        else:
            regain_there(ranks, sides[side].rank.shape[3], gains[side], aim, after, bit, wide, lanes)


def answer(
    side: Any,
    sides: Any,
    dice: Any,
    entries: Any,
    up_to: Any,
    factors: Any,
    slot: Any,
    key: Any,
    state: Any,
    asks: Any,
    room: Any,
    log: Any,
    detail: Any,
    lanes: Any,
) -> None:
    """Let each unit that was struck and is left strike back, with digits behind those of all strikes of the turn.

    Parameters
    ----------
    side : int
        The side whose strikes are answered.
    sides, dice, entries, up_to, factors, key, asks, room, log, detail
        As for `battles`; `key` is the run's, `detail` has its counts.
    slot : int
        The number of the strike in its turn.
    state, lanes
        As for `aabalance.engine.battle.actions.mark_ready`.
    """
    left, _, alive, able, _, _, _, _, _, picked, small, _, _, _, _, _, _ = room
    turn, other = small[2], 1 - side
    yours, units = sides[other], len(sides[side].units)
    back = picked[3], picked[4], picked[5]
    mark_able(yours, left[other], alive[other], alive[side], able[other], lanes)
    pick_answer(yours, able[other], picked, back, units, lanes)
    answers_by = (*back, *back)
    place = slot + dice[DIGITS] * dice[SLOTS]
    if note_choice is not None:
        if picked[5][0] == NONE:
            return
        note_choice(log, other, yours, turn, answers_by, alive[other], state)
    _strike(other, sides, dice, entries, up_to, factors, place, key, asks, answers_by, room, log, detail, lanes)
