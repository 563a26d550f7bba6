"""How chains end: from the last states back to the first, for all numbers that both sides may have left.

Plain loops that also compile. A turn that hurts nobody is the only one that leaves the numbers as they were, so that
cycles close as geometric series. Nothing is truncated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.chain_lines import (
    BELOW,
    REACH,
    RELOAD_BITS,
    START,
    armed,
    floor,
    lined_up,
    mark_reach,
    sort_strikes,
)
from aabalance.engine.battle.chain_links import lead_of, settle_positions
from aabalance.engine.battle.chain_turns import FIRST_ENDING, GIVEN_UP, MOST_MASKS, ROOT, positions, ways
from aabalance.engine.battle.exact import VALUE
from aabalance.engine.battle.lanes import TOUGHNESS
from aabalance.engine.outcome import BOTH, DRAW, TURNS, A, B

U = np.uint64
FIELDS = 4
"""Of a state that are worked out together."""
LEFT = VALUE + 2
"""Where the units left begin among the fields of an outcome."""


def solve(
    parts: Any,
    ranks: Any,
    begins: Any,
    by_unit: Any,
    limits: Any,
    outcomes: Any,
    rounds: Any,
    by_worth: Any,
    most_states: Any,
    most_steps: Any,
    tables: Any,
    states: Any,
) -> None:
    """Solve battles, each with all those of the units that fall last.

    Parameters
    ----------
    parts : tuple of arrays
        Of all sides together: units, guns, strikes, volleys, as `aabalance.engine.battle.lanes` has them, and the
        units' rows in the order in which they fall.
    ranks : array of int32
        The ranks of all sides, flat.
    begins : array of int64, shape (2 * battles + 1, 6)
        Where those of each side begin in these, ranks last.
    by_unit : (bool, bool)
        As for `aabalance.engine.battle.chain_lines.sort_strikes`, of both sides.
    limits : (int, int)
        Actions of either side in a turn.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.
    rounds : int
        Turns of each side; 0 for battles to the end.
    by_worth : bool
        As in `aabalance.engine.battle.tables.Terms`.
    most_states, most_steps : int
        Where to give up: states, and ways to go on times turns.
    tables : array of float, shape (cells, 2, ENDS)
        Written, one battle after the other: how battles of so many units of side 0 and so many of side 1, whose numbers
        run faster, end, by who moves first.
    states : array of int64, shape (battles,)
        Written: states of each battle; `GIVEN_UP` for one without a table.
    """
    cells = 0
    for battle in range(len(states)):
        side_0, side_1 = _side(parts, ranks, begins, 2 * battle), _side(parts, ranks, begins, 2 * battle + 1)
        size_0, size_1 = len(side_0[4]) + 1, len(side_1[4]) + 1
        states[battle] = _one(
            side_0,
            side_1,
            by_unit,
            limits,
            outcomes,
            rounds,
            by_worth,
            most_states,
            most_steps,
            tables[cells : cells + size_0 * size_1],
        )
        cells += size_0 * size_1


def _side(parts: Any, ranks: Any, begins: Any, side: Any) -> Any:
    units, guns, strikes, volleys, falls = parts
    begin, end = begins[side], begins[side + 1]
    return (
        units[begin[0] : end[0]],
        guns[begin[1] : end[1]],
        strikes[begin[2] : end[2]],
        volleys[begin[3] : end[3]],
        falls[begin[4] : end[4]],
        ranks[begin[5] : end[5]],
    )


def _one(
    side_0: Any,
    side_1: Any,
    by_unit: Any,
    limits: Any,
    outcomes: Any,
    rounds: Any,
    by_worth: Any,
    most_states: Any,
    most_steps: Any,
    table: Any,
) -> Any:
    """Solve a battle; return how many states it has."""
    line_0, line_1 = _lined_up(side_0, side_1, outcomes), _lined_up(side_1, side_0, outcomes)
    numbers_0, numbers_1, standing = line_0[2], line_1[2], (line_0[3], line_1[3])
    if 2 * len(numbers_0) * len(numbers_1) > most_states:
        return np.int64(GIVEN_UP)
    mine_0, bits_0 = _drawn_up(side_0, side_1, line_0, line_1, by_unit[0])
    mine_1, bits_1 = _drawn_up(side_1, side_0, line_1, line_0, by_unit[1])
    floors = floor(side_0[0], line_0[1], numbers_0), floor(side_1[0], line_1[1], numbers_1)
    mark_reach(mine_0, side_1[0], line_1[1], numbers_1)
    mark_reach(mine_1, side_0[0], line_0[1], numbers_0)
    if max(bits_0, bits_1) > RELOAD_BITS:
        return np.int64(GIVEN_UP)
    turns_0 = _turns(mine_0, line_1, bits_0, limits[0], floors, outcomes)
    turns_1 = _turns(mine_1, line_0, bits_1, limits[1], (floors[1], floors[0]), outcomes)
    found_0, found_1 = turns_0[1], turns_1[1]
    states = 2 * found_0 * found_1
    if found_0 < 0 or found_1 < 0 or states > most_states:
        return np.int64(GIVEN_UP)
    cells = np.empty((len(table), 2), np.int64)
    for left_0 in range(len(line_0[1]) + 1):
        for left_1 in range(len(line_1[1]) + 1):
            cell = left_0 * (len(line_1[1]) + 1) + left_1
            cells[cell, 0], cells[cell, 1] = (
                _so_many(line_0[1], numbers_0, left_0),
                _so_many(line_1[1], numbers_1, left_1),
            )
    if rounds > 0 or found_0 > len(numbers_0) or found_1 > len(numbers_1):
        terms = rounds, by_worth, most_steps
        fits = settle_positions(turns_0, turns_1, numbers_0, numbers_1, standing, floors, *terms, table, cells)
        return states if fits else np.int64(GIVEN_UP)
    # Two times four numbers of each state are quicker than eight, and often the second four follow from the first.
    ends = np.empty(states * FIELDS)
    pair = turns_0, turns_1, numbers_0, numbers_1, standing, floors, by_worth
    draws = _settle_numbers(*pair, False, ends)
    _write(ends, cells, numbers_0, numbers_1, (A, TURNS, LEFT, LEFT + 1), table)
    each_0, each_1 = _of_equals(standing[0]), _of_equals(standing[1])
    if draws or each_0 < 0.0 or each_1 < 0.0:
        _settle_numbers(*pair, True, ends)
        _write(ends, cells, numbers_0, numbers_1, (B, DRAW, VALUE, VALUE + 1), table)
        return states
    for cell in range(len(cells)):
        nobody = cells[cell, 0] <= floors[0] and cells[cell, 1] <= floors[1]
        lead = lead_of(cells[cell, 0], cells[cell, 1], standing, floors, by_worth)
        for first in range(2):
            draw = 1.0 if nobody and lead == 0.0 else 0.0
            # Rounding may have left a little more than certainty.
            table[cell, first, DRAW], table[cell, first, B] = draw, max(1.0 - table[cell, first, A] - draw, 0.0)
            table[cell, first, VALUE] = each_0 * table[cell, first, LEFT]
            table[cell, first, VALUE + 1] = each_1 * table[cell, first, LEFT + 1]
    return states


def _of_equals(standing: Any) -> Any:
    """Return what each unit of a side counts for; less than 0 if they differ."""
    if len(standing) == 1:
        return 0.0
    each = standing[len(standing) - 1, 0] / standing[len(standing) - 1, 1]
    for number in range(len(standing)):
        if standing[number, 0] != each * standing[number, 1]:
            return -1.0
    return each


def _write(ends: Any, cells: Any, numbers_0: Any, numbers_1: Any, fields: Any, table: Any) -> None:
    """Write some fields of the ends into those of the table."""
    a, b, c, d = fields
    for cell in range(len(cells)):
        for first in range(2):
            at = ((first * len(numbers_0) + cells[cell, 0]) * len(numbers_1) + cells[cell, 1]) * FIELDS
            table[cell, first, a], table[cell, first, b] = ends[at], ends[at + 1]
            table[cell, first, c], table[cell, first, d] = ends[at + 2], ends[at + 3]
            table[cell, first, BOTH] = 0.0


def _so_many(line: Any, numbers: Any, left: Any) -> Any:
    """Return a side's number when so many units are left, which haven't been hurt."""
    return line[left, BELOW] if left < len(line) else np.int64(len(numbers) - 1)


def _lined_up(side: Any, other: Any, outcomes: Any) -> Any:
    units, volleys = side[0], other[3].reshape(len(other[2]), len(side[0]))
    return lined_up(units, volleys, _tallest(units), outcomes, side[4])


def _tallest(units: Any) -> Any:
    most = units[0, TOUGHNESS]
    for unit in range(1, len(units)):
        most = max(most, units[unit, TOUGHNESS])
    return most


def _drawn_up(side: Any, other: Any, own: Any, theirs: Any, by_unit: Any) -> Any:
    """Return a side as `aabalance.engine.battle.chain_turns.positions` wants it, and how many of its guns
    reload or are prepared.
    """
    units, guns, strikes, volleys, _, ranks = side
    _, line, numbers, _ = own
    _, their_line, others, _ = theirs
    barrels, shots, bits = armed(units, guns, strikes, line)
    enemies = len(other[0])
    rank = ranks.reshape(len(strikes), enemies, _tallest(other[0]) + 1)
    orders = sort_strikes(others, their_line, strikes, rank, volleys.reshape(len(strikes), enemies), shots, by_unit)
    return (units, guns, strikes, line, numbers, barrels, shots, orders), bits


def _turns(mine: Any, theirs: Any, bits: Any, limit: Any, floors: Any, outcomes: Any) -> Any:
    """Return the positions of a side, how many they are, their endings, and what its turns lead to, as from `ways`."""
    numbers, orders = mine[4], mine[7]
    places, line, others, _ = theirs
    most = len(numbers) * (MOST_MASKS if bits > 0 else 1) + 1
    spots, endings, nodes, found, count = positions(mine, others, limit, floors, most)
    ended, given = spots[found, FIRST_ENDING] if found >= 0 else 0, (line, others, places)
    first, to, p, stay, fits = ways(numbers, orders, endings, nodes, ended, count, given, floors[1], outcomes)
    return spots, found if fits else np.int64(GIVEN_UP), endings, first, to, p, stay


def _settle_numbers(
    turns_0: Any,
    turns_1: Any,
    numbers_0: Any,
    numbers_1: Any,
    standing: Any,
    floors: Any,
    by_worth: Any,
    rest: Any,
    ends: Any,
) -> Any:
    """Work out how battles end that go on until they are over, where no gun reloads: a position is a number.

    Parameters
    ----------
    rest : bool
        Ends are the chance that side 1 wins, that of a draw, and what both sides' units count for that are left; else
        the chance that side 0 wins, the player turns, and how many units both sides have left.
    ends : array of float, shape (2 * numbers of a side * numbers of the other * FIELDS,)
        Written: by who is to move, what side 0 has left and what side 1 has.

    Returns
    -------
    bool
        Whether there can be a draw.
    """
    _, _, _, first_0, to_0, p_0, stay_0 = turns_0
    _, _, _, first_1, to_1, p_1, stay_1 = turns_1
    roots_0, roots_1 = _roots(turns_0, numbers_0), _roots(turns_1, numbers_1)
    rows, row, over = len(numbers_0), len(numbers_1), floors[1] + 1
    one, two, three, fields = U(1), U(2), U(3), U(FIELDS)
    half, step, turn, draws = U(rows * row) * fields, U(row) * fields, 0.0 if rest else 1.0, False
    for number_0 in range(rows):
        base = U(number_0) * step
        node_0, reach, begin = roots_0[number_0], numbers_0[number_0, REACH], over if number_0 > floors[0] else row
        for number_1 in range(row):
            column = U(number_1) * fields
            here = base + column
            there = here + half
            if number_1 < begin or (number_1 <= reach and number_0 <= numbers_1[number_1, REACH]):
                lead = lead_of(number_0, number_1, standing, floors, by_worth)
                draws = draws or (lead == 0.0 and number_1 >= begin)
                _end(ends, here, half, lead, 0.0, number_0, number_1, standing, rest)
                continue
            node_1 = roots_1[number_1]
            stay_a, stay_b = stay_0[node_0, number_1], stay_1[node_1, number_0]
            again = stay_a * stay_b
            if again == 1.0:
                draws = True
                _end(ends, here, half, 0.0, np.inf, number_0, number_1, standing, rest)
                continue
            # One by one, so that they stay in registers.
            wins = left_a = left_b = 0.0
            turns = turn
            for way in range(U(first_1[node_1, number_0]), U(first_1[node_1, number_0 + 1])):
                to, share = U(to_1[way]) * step + column, p_1[way]
                wins += share * ends[to]
                turns += share * ends[to + one]
                left_a += share * ends[to + two]
                left_b += share * ends[to + three]
            wins_0 = left_a_0 = left_b_0 = 0.0
            turns_too = turn
            for way in range(U(first_0[node_0, number_1]), U(first_0[node_0, number_1 + 1])):
                to, share = half + base + U(to_0[way]) * fields, p_0[way]
                wins_0 += share * ends[to]
                turns_too += share * ends[to + one]
                left_a_0 += share * ends[to + two]
                left_b_0 += share * ends[to + three]
            # What else would come of it, if both hurt nobody again and again.
            factor = 1.0 / (1.0 - again)
            wins_0 = factor * (wins_0 + stay_a * wins)
            # Turns may be without end, of which there is no nought times.
            turns_too = factor * (turns_too + (stay_a * turns if stay_a > 0.0 else 0.0))
            left_a_0 = factor * (left_a_0 + stay_a * left_a)
            left_b_0 = factor * (left_b_0 + stay_a * left_b)
            ends[here], ends[here + one], ends[here + two], ends[here + three] = wins_0, turns_too, left_a_0, left_b_0
            ends[there] = wins + stay_b * wins_0
            ends[there + one] = turns + (stay_b * turns_too if stay_b > 0.0 else 0.0)
            ends[there + two], ends[there + three] = left_a + stay_b * left_a_0, left_b + stay_b * left_b_0
    return draws


def _roots(turns: Any, numbers: Any) -> Any:
    """Return the nodes at which turns begin, by number; `GIVEN_UP` where there is no unit left that counts."""
    spots, _, endings = turns[:3]
    roots = np.full(len(numbers), GIVEN_UP, np.int64)
    for number in range(len(numbers)):
        at = numbers[number, START]
        if spots[at, FIRST_ENDING] < spots[at + 1, FIRST_ENDING]:
            roots[number] = endings[spots[at, FIRST_ENDING], ROOT]
    return roots


def _end(
    ends: Any,
    at: Any,
    half: Any,
    lead: Any,
    turns: Any,
    number_0: Any,
    number_1: Any,
    standing: Any,
    rest: Any,
) -> None:
    """Write how a battle ends that is over, whoever is to move."""
    field = 0 if rest else 1
    left_0, left_1 = standing[0][number_0, field], standing[1][number_1, field]
    wins, other = (lead < 0, 1.0 if lead == 0 else 0.0) if rest else (lead > 0, turns)
    for mover in range(2):
        to = at + half if mover == 1 else at
        ends[to], ends[to + U(1)], ends[to + U(2)], ends[to + U(3)] = 1.0 if wins else 0.0, other, left_0, left_1
