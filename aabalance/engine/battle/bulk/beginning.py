"""Two lists of a roster become a battle: what the strikes of either may do to the other is copied together.

Plain loops that also compile. Parameters
    muster : Muster
        The roster's tables.
    first, second : array of int32
        The cards of both lists, -1 behind the last; `foes` are those of the enemy's units.
    limits, limit : int
        Limits of actions of both sides, and of this one.
    here : Meeting
        The battle; changed.
    side, row, strike : int
        A side, a row of its strikes, and the strike in the roster's tables.
"""

from __future__ import annotations

from aabalance.engine.battle.bulk import layout
from aabalance.engine.battle.bulk.layout import Meeting, Muster, Table
from aabalance.engine.battle.columns import SIDE_UNITS, Int


def set_up(muster: Muster, first: Table, second: Table, limits: tuple[int, int], here: Meeting) -> None:
    """Set up the battle of two lists."""
    for side in range(2):
        own, other = (first, second) if side == 0 else (second, first)
        foes = 0
        while foes < SIDE_UNITS and other[foes] >= 0:
            foes += 1
        kind, row, unit = -1, 0, 0
        alone: Int = 0
        aided: Int = 0
        while unit < SIDE_UNITS and own[unit] >= 0:
            card = own[unit]
            beyond = unit + 1
            while beyond < SIDE_UNITS and own[beyond] == card:
                beyond += 1
            columns = muster.cards[card]
            if unit == 0 or card != own[unit - 1]:
                kind += 1
                here.first_unit[side, kind], here.first_row[side, kind] = unit, row
                alone, aided = 0, 0
                strikes_at = columns[layout.FIRST_STRIKE]
                for strike in range(strikes_at, strikes_at + columns[layout.STRIKES]):
                    here.first[side, row], here.end[side, row] = unit, beyond
                    hurt = set_up_row(muster, here, side, row, strike, other[:foes], limits[side])
                    aided |= hurt
                    alone |= hurt if muster.strikes[strike, layout.PRICE] == layout.NO_HELP else 0
                    row += 1
            here.hurts[side, unit], here.hurts_helped[side, unit] = alone, aided
            here.tough[side, unit], here.pool[side, unit] = columns[layout.TOUGH], columns[layout.POOL]
            here.worth[side, unit], here.helps[side, unit] = columns[layout.WORTH], muster.helpers[card]
            here.reloads[side, unit] = 0
            for gun in range(muster.attacks.shape[1]):
                here.attacks[side, unit, gun] = muster.attacks[card, gun]
                here.reloads[side, unit] |= muster.reloads[card, gun] << gun
            unit += 1
        here.units[side], here.kinds[side], here.rows[side] = unit, kind + 1, row
        here.first_unit[side, kind + 1], here.first_row[side, kind + 1] = unit, row


def set_up_row(muster: Muster, here: Meeting, side: Int, row: Int, strike: Int, foes: Table, limit: Int) -> Int:
    """Set up the row of a strike; return the enemies that it can hurt: a bit each."""
    hurt: Int = 0
    for column in range(layout.STRIKE_COLUMNS):
        here.strike[side, row, column] = muster.strikes[strike, column]
    payable = here.strike[side, row, layout.COSTS] + max(here.strike[side, row, layout.PRICE], 0) <= limit
    for enemy in range(len(foes)):
        card = foes[enemy]
        at = muster.gain[strike, card] if payable else layout.NOTHING
        gain = max(muster.ranks[at + muster.cards[card, layout.TOUGH]] - enemy, 0)
        here.gain_at[side, enemy, row], here.full[side, enemy, row] = at, gain
        here.helped_at[side, enemy, row] = muster.helped_gain[strike, card]
        here.drawn_at[side, enemy, row] = muster.begin[muster.effect[strike, card]]
        hurt |= (gain > 0) << enemy
    return hurt
