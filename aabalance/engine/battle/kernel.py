"""Battles rolled dice by dice, many at a time. Tables in, integer counts out.

Trials run as lanes, which take their turns together, each in a round of its own: one that is over takes the next trial
once the round has ended, or the last lane moves into its place. All that a lane is stands in rows of 16 bits, a row a
unit or a strike; a turn is pass after pass over the lanes, each so simple that it becomes vector code.

A die is a digit of a word, and a word a function of the key, the trial and its place alone: the player turn, the number
of the strike in it, and the digit of that strike. So counts don't depend on how trials are shared out. First digits of
all strikes of a turn come before second ones, and words that nobody asks for are not drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.detail import (
    note_actions,
    note_choice,
    note_dice,
    note_end,
    note_moves,
    note_strikes,
    parts,
)
from aabalance.engine.battle.domination import winner_by
from aabalance.engine.battle.lanes import (
    ALL,
    ATTACKS,
    GUNS,
    HELPED_AT,
    HURTS,
    NOBODY,
    OBJECTIVES,
    ORDERS,
    POOL,
    RANK,
    START,
    STRIKES,
    TOUGHNESS,
    UNITS,
    WINNERS,
    WORTH,
    counting,
    end_turn,
    in_fours,
    is_keen,
    mark_able,
    mark_over,
    mark_ready,
    pick_answer,
    put_gains,
    spend,
)
from aabalance.engine.battle.moving import line_for, note_idle
from aabalance.engine.battle.policies import BOTH, CHOICES, choose
from aabalance.engine.digits import aligned
from aabalance.engine.outcome import DRAW, TURNS, A, B
from aabalance.engine.rng import FRACTION, digit, philox

U = np.uint64
W = np.uint16

TALLY = 9
"""Fields of a tally, the worth and then the units left of either side last."""
VALUE, LEFT = 5, 7
BASE, SHARES, SLOTS, DIGITS, FULL, FACE, ASPECTS_OF_ALL = range(7)
"""What is said of all dice: the values of a digit, those of one that draws a share, strikes of a turn and digits of
each at most, 1 if some sequences take two digits, by what to multiply the second, which gives its face in front of the
lowest 16 bits, and how many aspects a strike has at an enemy."""
NEED_BITS, SEQUENCE_BITS, EFFECT_BITS = 8, 3, 7
"""An entry: the first digit needed, sequences, the second digit needed, then effects by the face of the second."""
NEED, SEQUENCES, EFFECT = U(255), U(7), U(127)
SEQUENCES_AT, SECOND_AT, EFFECTS_AT = U(8), U(11), U(19)
WORD_DIGITS, BLOCK_DIGITS = 4, 8
FACE_BITS = U(16)
CACHE_LINE = 32
"""Lanes of a row to a line of the cache."""
SIDE_UNITS = 16
HALF, HALF_BITS = U(255), U(8)
NONE, ONE = W(0), W(1)


def no_answer(
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
    """Do nothing, in games in which nobody strikes back."""


def stay(
    side: Any,
    sides: Any,
    line: Any,
    alive: Any,
    foes: Any,
    state: Any,
    left: Any,
    gains: Any,
    hurts: Any,
    asks: Any,
    lanes: Any,
) -> None:
    """Do nothing, where nobody moves; as `aabalance.engine.battle.moving.set_out`."""


def one_aspect(side: Any, sides: Any, line: Any, picked: Any, aspect: Any, lanes: Any) -> None:
    """Leave the aspects as they are, the first, where nobody moves."""


def regain_there(side: Any, sides: Any, line: Any, gains: Any, aim: Any, after: Any, fresh: Any, lanes: Any) -> None:
    """Look up the gains of all strikes of a side at the enemies aimed at, where nobody moves."""
    rank = sides[side][RANK]
    for strike in range(len(gains)):
        table = rank[strike]
        for k in range(lanes):
            fresh[k] = table[aim[k], 0, after[k]]
        put_gains(gains[strike], aim, fresh, lanes)


def no_points(ended: Any, sides: Any, line: Any, left: Any, lanes: Any) -> None:
    """Do nothing, where no points are scored; as `aabalance.engine.battle.domination.score`."""


strike_back, set_out, find_aspects, regain, score = no_answer, stay, one_aspect, regain_there, no_points
"""Stand-ins: for these where nobody strikes back, where nobody moves and where no points are scored, or for others."""


def battles(
    sides: Any,
    dearest: Any,
    limits: Any,
    policies: Any,
    asks: Any,
    first: Any,
    by_worth: Any,
    dice: Any,
    entries: Any,
    up_to: Any,
    factors: Any,
    most_rounds: Any,
    runs: Any,
    room: Any,
    log: Any,
    counts: Any,
) -> None:
    """Roll trials of one battle.

    Parameters
    ----------
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.tables.Battle.sides`.
    dearest : pair of array of int64
        From `aabalance.engine.battle.lanes.dearest_first`.
    limits : (int, int)
        Actions of either side in a turn.
    policies : (int, int)
        From `aabalance.engine.battle.policies.numbers`.
    asks : (int, int)
        The gains that they ask for, as in `aabalance.engine.battle.policies.ASKS`, but that the choices of units with
        one strike each aren't asked for.
    first : int
        The side that moves first.
    by_worth : bool
        As in `aabalance.engine.battle.tables.Terms`.
    dice : array of int64
        `BASE` and what follows.
    entries : pair of array of uint64
        By side: of each strike at each of `SIDE_UNITS` enemies, by aspect and share; those of no strike last.
    up_to : array of uint64
        The digits of shares up to which each is drawn, but for the last.
    factors : array of uint64
        By place of a digit in a turn, what to multiply its word by to bring its fraction to the front.
    most_rounds : int
        Where a battle that goes on is given up as a draw.
    runs : array of uint64, shape (runs, 5)
        As for `aabalance.engine.fights.Rolls.roll`.
    room : tuple of arrays
        From `room_for`.
    log : array of int64, shape (rows, `aabalance.engine.battle.detail.LOG`)
        Without rows there is no log; else written, of one trial in one lane: the first row says how many follow.
    counts : array of int64, shape (runs, TALLY or more)
        Added to: a tally, the side that moves first being a, and behind it, if there is room for them, the parts of
        `aabalance.engine.battle.detail`.
    """
    left, gains, alive, able, guns, _, _, _, _, _, small, large, _, _, hurts, line = room
    turn, go, trial = small[2], small[3], large[0]
    most_lanes = U(len(go) - CACHE_LINE)
    for side in range(2):
        _fresh(sides[side], sides[1 - side], left[side], gains[side], alive[side], guns[side])
        for strike in range(len(sides[side][STRIKES])):
            hurts[side][strike, :] = W(sides[side][STRIKES][strike, HURTS])
    for side in range(2):
        mark_able(sides[side], left[side], alive[side], alive[1 - side], able[side], U(1))
    mark_over(sides, alive, able, small[4], U(1))
    goes_on = small[4][0] ^ ONE
    standing = (*standing_of(sides[first][UNITS]), *standing_of(sides[1 - first][UNITS]))
    to, origin = np.empty(len(go), dtype=U), np.empty(len(go), dtype=U)
    for r in range(len(runs)):
        key, tally = runs[r, 1], counts[r]
        detail = parts(tally[TALLY:], len(sides[0][UNITS]), len(sides[1][UNITS]))
        ended, standing_units, _, _, _, _ = detail
        ends = ended, standing_units[first], standing_units[1 - first]
        rules = 2 * np.int64(runs[r, 4]), np.int64(2 * most_rounds), by_worth, goes_on
        following, end = runs[r, 2], runs[r, 2] + runs[r, 3]
        lanes = min(most_lanes, end - following)
        for side in range(2):
            _fresh(sides[side], sides[1 - side], left[side], gains[side], alive[side], guns[side])
            for unit in range(len(line[0][side])):
                line[0][side][unit, :] = W(sides[side][ORDERS][START])
            line[1][side][:] = NONE
            line[2][side][:] = NONE
        line[9][:] = NONE
        for k in range(lanes):
            trial[k], turn[k], go[k] = following + k, NONE, goes_on
        following += lanes
        while lanes > 0:
            state = alive[first], alive[1 - first], turn, go, trial
            points = line[9][1:], sides[0][WINNERS], first
            moves, lanes, following = _end(
                state, standing, points, rules, tally, ends, (following, end), lanes, most_lanes, to, origin
            )
            _move(line[9], to, origin, moves)
            for side in range(2):
                _move(left[side], to, origin, moves)
                _move(guns[side][0], to, origin, moves)
                _move(guns[side][1], to, origin, moves)
                _move(line[0][side], to, origin, moves)
                _move(line[2][side], to, origin, moves)
                if _kept(asks, side):
                    for strike in range(len(gains[side])):
                        _move(gains[side][strike], to, origin, moves)
            for half in range(2):
                _turn(
                    (first + half) % 2,
                    sides,
                    dearest,
                    limits,
                    policies[(first + half) % 2],
                    asks,
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
    dearest: Any,
    limits: Any,
    number: Any,
    asks: Any,
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
    """Play a turn of a side in all lanes."""
    left, gains, alive, able, guns, fired, spent, helped, ready, picked, small, _, _, drawn, hurts, line = room
    _, _, turn, go, foes, bit, actions, rest, friend, _ = small
    mine, enemies, theirs = sides[side], left[1 - side], alive[1 - side]
    _, _, unit, _, _, _ = picked
    state = fired, guns[side][0], guns[side][1], spent, helped, actions, rest, friend
    usable, others = ready[: len(mine[STRIKES])], (sides[1 - side], alive[side], able[1 - side], gains[1 - side])
    counting_bits = counting(sides[1 - side][UNITS])
    keen = is_keen(sides)
    _clear(fired, lanes)
    _clear(spent, lanes)
    _clear(helped, lanes)
    for block in range(len(drawn)):
        drawn[block] = 0
    for k in range(lanes):
        actions[k] = W(limits[side])
        turn[k] += go[k]
        who = theirs[k]
        foes[k] = who if go[k] != NONE else NONE
    set_out(side, sides, line, alive[side], foes, state, left, gains, hurts, asks[side], lanes)
    if len(log) and len(line[0][side]):
        note_moves(log, side, turn, line)
    mark_able(mine, left[side], alive[side], theirs, able[side], lanes)
    for slot in range(dice[SLOTS]):
        for k in range(lanes):
            who = theirs[k]
            foes[k] = who if go[k] != NONE else NONE
        mark_ready(mine, able[side], hurts[side], alive[side], foes, state, ready, lanes)
        choose(number, mine, others, dearest[1 - side], usable, hurts[side], gains[side], enemies, foes, picked, lanes)
        firing = NONE
        for k in range(lanes):
            firing |= unit[k]
        if firing == NONE:
            break
        if len(log):
            note_choice(log, side, mine, turn, picked, alive[side], state)
        spend(mine, picked, alive[side], state, bit, lanes)
        _strike(side, sides, dice, entries, up_to, factors, slot, key, asks, picked, room, log, detail, lanes)
        strike_back(side, sides, dice, entries, up_to, factors, slot, key, state, asks, room, log, detail, lanes)
        if keen:
            for k in range(lanes):
                goes_on = go[k]
                go[k] = goes_on if theirs[k] & counting_bits != NONE else NONE
        else:
            mark_able(mine, left[side], alive[side], theirs, able[side], lanes)
            mark_able(sides[1 - side], enemies, theirs, alive[side], able[1 - side], lanes)
            mark_over(sides, alive, able, bit, lanes)
            for k in range(lanes):
                go[k] &= bit[k] ^ ONE
    if len(detail[0]):
        note_actions(detail, side, spent, lanes)
    if len(mine[OBJECTIVES]):
        score(side, sides, line, left, lanes)
    elif len(line[0][side]):
        note_idle(side, sides, line, state, go, turn, lanes)
    end_turn(mine, state, lanes)
    for k in range(lanes):
        line[1][side][k] = NONE


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
    """Throw the dice of the picked strikes, and take from the enemies what they do.

    Parameters
    ----------
    side : int
        The side that strikes.
    sides, dice, entries, up_to, factors, key, asks, room, log, detail
        As for `battles`.
    slot : int
        The place of the first digit.
    picked : tuple of arrays
        As policies write them.
    lanes : uint64
    """
    left, gains, alive, _, _, _, _, _, _, _, small, large, words, drawn, _, line = room
    loss, after, turn, _, _, bit, _, _, _, aspect = small
    trial, entry, shown = large
    _, aim, _, _, _, _ = picked
    enemies = left[1 - side]
    find_aspects(side, sides, line, picked, aspect, lanes)
    most = _look_up(dice, entries[side], up_to, factors, slot, key, turn, picked, aspect, large, words, drawn, lanes)
    for k in range(lanes):
        loss[k] = NONE
    at = 1 if dice[SHARES] > 1 else 0
    for sequence in range(min(most, (dice[DIGITS] - at) >> dice[FULL])):
        place = (at + (sequence << dice[FULL])) * dice[SLOTS] + slot
        word = _word(place, dice, key, turn, trial, words, drawn, lanes)
        if dice[FULL]:
            factor, base = factors[place], U(dice[BASE])
            for k in range(lanes):
                shown[k] = digit(word[k] * factor & FRACTION, base)
            place += dice[SLOTS]
            word = _word(place, dice, key, turn, trial, words, drawn, lanes)
            _throw_two(entry, word, factors[place], shown, U(sequence), dice, loss, lanes)
        else:
            _throw(entry, word, factors[place], U(sequence), U(dice[BASE]), loss, lanes)
    if len(detail[0]):
        note_strikes(detail, side, enemies, picked, loss, turn, lanes)
    if len(log):
        note_dice(log, dice, factors, slot, words, most, enemies, aim, loss, aspect)
    _lose(enemies, alive[1 - side], aim, loss, after, lanes)
    if _kept(asks, side):
        regain(side, sides, line, gains[side], aim, after, bit, lanes)


def _kept(asks: Any, side: Any) -> bool:
    """Return whether a policy reads the gains of a side."""
    return asks[side] != CHOICES or asks[1 - side] == BOTH


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
    """Let whoever was struck and is left strike back; its digits come after those of all strikes of the turn.

    Parameters
    ----------
    side : int
        The side whose strikes are answered.
    sides, dice, entries, up_to, factors, key, asks, room, log, detail
        As for `battles`.
    slot : int
        The number of the strike in its turn.
    state : tuple of arrays
        As for `aabalance.engine.battle.lanes.mark_ready`.
    lanes : uint64
    """
    left, _, alive, able, _, _, _, _, _, picked, small, _, _, _, _, _ = room
    turn, other = small[2], 1 - side
    yours, units = sides[other], len(sides[side][UNITS])
    back = picked[3], picked[4], picked[5]
    mark_able(yours, left[other], alive[other], alive[side], able[other], lanes)
    pick_answer(yours, able[other], picked, back, units, lanes)
    answers_by = (*back, *back)
    place = slot + dice[DIGITS] * dice[SLOTS]
    if len(log) and picked[5][0] == NONE:
        return
    if len(log):
        note_choice(log, other, yours, turn, answers_by, alive[other], state)
    _strike(other, sides, dice, entries, up_to, factors, place, key, asks, answers_by, room, log, detail, lanes)


def _clear(rows: Any, lanes: Any) -> None:
    for at in range(len(rows)):
        row = rows[at]
        for k in range(lanes):
            row[k] = NONE


def _fresh(mine: Any, theirs: Any, left: Any, gains: Any, alive: Any, guns: Any) -> None:
    """Write a side at full strength into all lanes, and the one behind them."""
    rank = mine[RANK]
    for unit in range(len(mine[UNITS])):
        left[unit, :] = W(mine[UNITS][unit, TOUGHNESS])
    for strike in range(len(gains)):
        for enemy in range(len(theirs[UNITS])):
            gains[strike, enemy, :] = W(rank[strike, enemy, 0, theirs[UNITS][enemy, TOUGHNESS]])
    for rows in guns:
        rows[:] = NONE
    alive[:] = W((1 << len(mine[UNITS])) - 1)


def _move(rows: Any, to: Any, origin: Any, moves: Any) -> None:
    """Write some lanes over others, in turn."""
    for at in range(len(rows)):
        row = rows[at]
        for n in range(moves):
            row[to[n]] = row[origin[n]]


def _look_up(
    dice: Any,
    entries: Any,
    up_to: Any,
    factors: Any,
    slot: Any,
    key: Any,
    turn: Any,
    picked: Any,
    aspect: Any,
    large: Any,
    words: Any,
    drawn: Any,
    lanes: Any,
) -> Any:
    """Fetch the entry of each lane's strike; return a number of sequences that none exceeds."""
    chosen, aim, _, _, _, _ = picked
    trial, entry, shown = large
    views, aspects = U(len(up_to) + 1), U(dice[ASPECTS_OF_ALL])
    for k in range(lanes):
        entry[k] = ((U(chosen[k]) * U(SIDE_UNITS) + U(aim[k])) * aspects + U(aspect[k])) * views
    if len(up_to):
        word, factor = _word(slot, dice, key, turn, trial, words, drawn, lanes), factors[slot]
        shares = U(dice[SHARES])
        for k in range(lanes):
            shown[k] = digit(word[k] * factor & FRACTION, shares)
        for at in range(len(up_to)):
            for k in range(lanes):
                entry[k] += U(shown[k] >= up_to[at])
    every = U(0)
    for k in range(lanes):
        entry[k] = entries[entry[k]]
        every |= entry[k]
    return np.int64((every >> SEQUENCES_AT) & SEQUENCES)


def _word(place: Any, dice: Any, key: Any, turn: Any, trial: Any, words: Any, drawn: Any, lanes: Any) -> Any:
    """Return the word of each lane that a digit of this turn is in, drawn when it is first asked for."""
    block = place // BLOCK_DIGITS
    low, high = words[2 * block], words[2 * block + 1]
    if drawn[block] == 0:
        drawn[block] = 1
        blocks = U(len(drawn))
        for k in range(lanes):
            low[k], high[k] = philox(key, (U(turn[k]) - U(1)) * blocks + U(block), trial[k])
    return words[place // WORD_DIGITS]


def _throw(entry: Any, word: Any, factor: Any, sequence: Any, base: Any, loss: Any, lanes: Any) -> None:
    """Roll a sequence of one digit in each lane."""
    for k in range(lanes):
        die, e = digit(word[k] * factor & FRACTION, base), entry[k]
        hit = (die >= e & NEED) & (sequence < (e >> SEQUENCES_AT) & SEQUENCES)
        loss[k] += W((e >> EFFECTS_AT) & EFFECT) if hit else NONE


def _throw_two(entry: Any, word: Any, factor: Any, shown: Any, sequence: Any, dice: Any, loss: Any, lanes: Any) -> None:
    """Roll the second digit of a sequence; `shown` has the first."""
    base, face = U(dice[BASE]), U(dice[FACE])
    for k in range(lanes):
        die, e = digit(word[k] * factor & FRACTION, base), entry[k]
        hit = (shown[k] >= e & NEED) & (sequence < (e >> SEQUENCES_AT) & SEQUENCES) & (die >= (e >> SECOND_AT) & NEED)
        effect = (e >> (EFFECTS_AT + U(EFFECT_BITS) * (die * face >> FACE_BITS))) & EFFECT
        loss[k] += W(effect) if hit else NONE


def _lose(enemies: Any, alive: Any, aim: Any, loss: Any, after: Any, lanes: Any) -> None:
    """Take what was lost from the enemies aimed at, and write what they have then."""
    for at in range(0, len(enemies), 4):
        a, b, c, d = W(at), W(at + 1), W(at + 2), W(at + 3)
        bit_a, bit_b, bit_c, bit_d = W(ONE << a), W(ONE << b), W(ONE << c), W(ONE << d)
        others = W((bit_a | bit_b | bit_c | bit_d) ^ ALL)
        for k in range(lanes):
            who, lost, rest = aim[k], loss[k], after[k]
            of_a, of_b, of_c, of_d = enemies[at, k], enemies[at + 1, k], enemies[at + 2, k], enemies[at + 3, k]
            of_a = W(of_a - min(of_a, lost if who == a else NONE))
            of_b = W(of_b - min(of_b, lost if who == b else NONE))
            of_c = W(of_c - min(of_c, lost if who == c else NONE))
            of_d = W(of_d - min(of_d, lost if who == d else NONE))
            enemies[at, k], enemies[at + 1, k], enemies[at + 2, k], enemies[at + 3, k] = of_a, of_b, of_c, of_d
            rest = of_a if who == a else rest
            rest = of_b if who == b else rest
            rest = of_c if who == c else rest
            after[k] = of_d if who == d else rest
            left = W(alive[k] & others)
            left = W(left | (bit_a if of_a != NONE else NONE))
            left = W(left | (bit_b if of_b != NONE else NONE))
            left = W(left | (bit_c if of_c != NONE else NONE))
            alive[k] = left | (bit_d if of_d != NONE else NONE)


def room_for(sides: Any, blocks: int, most_lanes: int) -> tuple[Any, ...]:
    """Return room for `battles` whose turns take so many blocks of dice, in at most so many lanes."""
    guns, strikes = ([len(side[part]) for side in sides] for part in (GUNS, STRIKES))
    units = [in_fours(side) for side in sides]
    firings = max(int(side[GUNS][:, ATTACKS].sum()) for side in sides)
    helped = max(units) if any((side[STRIKES][:, HELPED_AT] != NOBODY).any() for side in sides) else 0
    pools = max(int(side[UNITS][:, POOL].max()) for side in sides)

    def rows(*shape: int) -> Any:
        # Rows a cache line longer than a power of two: the same lane of many rows wouldn't fit into the cache.
        return np.zeros((*shape, most_lanes + CACHE_LINE), dtype=W)

    def large(count: int) -> Any:
        return aligned(count, most_lanes + CACHE_LINE)

    def pair(counts: Any, *shape: int) -> tuple[Any, Any]:
        return rows(counts[0], *shape), rows(counts[1], *shape)

    return (
        pair(units),
        (rows(strikes[0], units[1]), rows(strikes[1], units[0])),
        tuple(rows(2)),
        pair(strikes),
        (pair((guns[0], guns[0])), pair((guns[1], guns[1]))),
        rows(firings),
        rows(pools + 1),
        rows(helped),
        rows(max(strikes)),
        tuple(rows(6)),
        tuple(rows(10)),
        tuple(large(3)),
        large(2 * blocks),
        np.zeros(blocks, dtype=np.int64),
        pair(strikes),
        line_for(sides, rows),
    )


def _end(
    state: Any,
    standing: Any,
    points: Any,
    rules: Any,
    tally: Any,
    ends: Any,
    trials: Any,
    lanes: Any,
    most_lanes: Any,
    to: Any,
    origin: Any,
) -> Any:
    """Count the battles that are at their end, and give their lanes to the next trials, or to the last lanes.

    Parameters
    ----------
    state : tuple of arrays
        Who is alive of a and of b, by lane; the player turns, 1 if the battle goes on, and the trial.
    standing : tuple
        Of a, then of b: what units are worth, and how many they are, by the lower and the higher half of their bits;
        the bits that count.
    points : tuple
        Of side 0 and of side 1, by lane, and the part `WINNERS`, without rows unless they decide; and which side a is.
    rules : tuple of int
        Player turns, those after which equals are given up, 1 if worth decides, 1 if a battle goes on from the start.
    tally : array of int64
        Added to.
    ends : tuple of array of int64
        Added to, unless they are empty: battles by player turns, and by who is left of a and of b.
    trials : (uint64, uint64)
        The next trial, and the end of them.
    to, origin : array of uint64
        Written: which lane is to be written over by which.

    Returns
    -------
    tuple of (int, uint64, uint64)
        Lanes to be written over, lanes that are left, and the next trial.
    """
    alive_a, alive_b, turn, go, trial = state
    low_a, high_a, counting_a, low_b, high_b, counting_b = standing
    limit, most, by_worth, goes_on = rules
    scored, winners, side_a = points
    following, end = trials
    moves = 0
    k = U(0)
    while k < lanes:
        turns = np.int64(turn[k])
        if go[k] != NONE and turns < limit:
            k += U(1)
            continue
        left_a, left_b = U(alive_a[k]), U(alive_b[k])
        value_a = low_a[left_a & HALF, 0] + high_a[left_a >> HALF_BITS, 0]
        value_b = low_b[left_b & HALF, 0] + high_b[left_b >> HALF_BITS, 0]
        if go[k] != NONE and by_worth and value_a == value_b and turns < most:
            k += U(1)
            continue
        some_a, some_b = left_a & counting_a != U(0), left_b & counting_b != U(0)
        if len(winners):
            ahead = np.int64(scored[0, k]) - np.int64(scored[1, k])
            tally[winner_by(winners, ahead, side_a)] += 1
        elif some_a != some_b:
            tally[A if some_a else B] += 1
        elif by_worth and value_a != value_b:
            tally[A if value_a > value_b else B] += 1
        else:
            tally[DRAW] += 1
        tally[TURNS] += turns
        tally[VALUE] += value_a
        tally[VALUE + 1] += value_b
        tally[LEFT] += low_a[left_a & HALF, 1] + high_a[left_a >> HALF_BITS, 1]
        tally[LEFT + 1] += low_b[left_b & HALF, 1] + high_b[left_b >> HALF_BITS, 1]
        if len(ends[0]):
            note_end(ends, turns, left_a, left_b)
        to[moves] = k
        if following < end:
            # The lane behind the last stays at full strength.
            origin[moves] = most_lanes
            trial[k], turn[k], go[k] = following, NONE, goes_on
            alive_a[k], alive_b[k] = alive_a[most_lanes], alive_b[most_lanes]
            following += U(1)
            k += U(1)
        else:
            lanes -= U(1)
            origin[moves] = lanes
            trial[k], turn[k], go[k] = trial[lanes], turn[lanes], go[lanes]
            alive_a[k], alive_b[k] = alive_a[lanes], alive_b[lanes]
        for side in range(len(scored)):
            # As of those who are left: the lane that moves here may be over, too.
            scored[side, to[moves]] = scored[side, origin[moves]]
        moves += 1
    return moves, lanes, following


def standing_of(units: Any) -> Any:
    """Return what a side's units are worth and how many they are, by half of their bits, and the bits that count."""
    low, high = np.zeros((1 << 8, 2), dtype=np.int64), np.zeros((1 << 8, 2), dtype=np.int64)
    for bits in range(1 << 8):
        for unit in range(len(units)):
            if (bits >> unit % 8) & 1:
                half = low if unit < 8 else high
                half[bits, 0] += units[unit, WORTH]
                half[bits, 1] += 1
    return low, high, U(counting(units))
