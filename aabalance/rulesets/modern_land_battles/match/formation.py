"""Areas and Rows: how Force cards move, and who loses by it (Force Formation, Same Area, Losing).

In all functions `tables` and `state` are those of the match, `unit` is a Force card, `side` a side, `area` an Area,
`row` a Row of it, from 1, `lifted` a Force card that is taken up, or `NONE`, `where` where it is then, and `winner`
and `reason` are those of a match.
"""

from __future__ import annotations

from aabalance.rulesets.base.match import Record, units_of
from aabalance.rulesets.modern_land_battles.match import records


def is_on_table(state: Record, unit: int) -> bool:
    """Return whether a Force card is in one of the Areas."""
    return bool(state.unit[unit].area < records.RESERVE)


def rows_of(tables: Record, state: Record, side: int, area: int, lifted: int) -> int:
    """Return in how many Rows of an Area a side has Force cards, leaving out `lifted`, one that moves (or `NONE`)."""
    taken = 0
    for unit in units_of(tables, side):
        own = state.unit[unit]
        if own.area == area and unit != lifted:
            taken |= 1 << own.row
    return (taken >> 1 & 1) + (taken >> 2 & 1) + (taken >> 3 & 1)


def last_row(tables: Record, state: Record, side: int, area: int, lifted: int) -> int:
    """Return the last Row into which a Force card can go: an existing one, or one behind it, at most the third.

    Source: Same Area; M-17.
    """
    return min(records.ROWS, rows_of(tables, state, side, area, lifted) + 1)


def is_alone(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a Force card is the only one in its Row."""
    own, side = state.unit[unit], tables.card[unit].side
    return rows_of(tables, state, side, own.area, unit) < rows_of(tables, state, side, own.area, records.NONE)


def close_up(tables: Record, state: Record, side: int, area: int, row: int) -> None:
    """Let the Rows behind one move forward, if it is empty (Force Formation)."""
    for unit in units_of(tables, side):
        if state.unit[unit].area == area and state.unit[unit].row == row:
            return
    for unit in units_of(tables, side):
        if state.unit[unit].area == area and state.unit[unit].row > row:
            state.unit[unit].row -= 1


def leave(tables: Record, state: Record, unit: int, where: int) -> None:
    """Take a Force card out of its Area: lifted to be moved, or destroyed."""
    own = state.unit[unit]
    area, row = own.area, own.row
    own.area, own.row = where, 0
    close_up(tables, state, tables.card[unit].side, area, row)


def move(tables: Record, state: Record, unit: int, area: int, row: int) -> None:
    """Move a Force card to a Row; the Row is counted when those behind an empty one have moved forward (M-17)."""
    own = state.unit[unit]
    if is_on_table(state, unit):
        leave(tables, state, unit, records.RESERVE)
    own.area, own.row = area, row
    look_for_losers(tables, state)


def fall_back(tables: Record, state: Record, unit: int) -> None:
    """Move a Force card back by a Row; an empty one closes up only then (Pull Back; M-21)."""
    own = state.unit[unit]
    own.row += 1
    close_up(tables, state, tables.card[unit].side, own.area, own.row - 1)


def look_for_losers(tables: Record, state: Record) -> None:
    """Let a side lose that has no Force card in the Breakthrough Area, first that on turn (Losing; M-11)."""
    for turn in range(2):
        side = abs(turn - state.side)
        if state.stage != records.OVER and rows_of(tables, state, side, records.BREAKTHROUGH, records.NONE) == 0:
            end_match(state, 1 - side, records.NO_BREAKTHROUGH)


def end_match(state: Record, winner: int, reason: int) -> None:
    """End the match; nothing is in progress then."""
    state.winner, state.reason, state.stage = winner, reason, records.OVER
    state.act.doing, state.benefit = records.NOTHING, records.NO_BENEFIT
