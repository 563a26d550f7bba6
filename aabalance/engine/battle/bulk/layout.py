"""What the kernel of many meetings works on: the tables of a roster, and the record of two lists that meet.

Two lists of a roster become a battle (`set_up`): what the strikes of either may do to the other is copied together.
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

from typing import NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from aabalance.engine.battle.columns import SIDE_UNITS, Int, Words
from aabalance.engine.digits import aligned

Table = npt.NDArray[np.int32]
GUN, TAKES, COSTS, STAGE, PRICE, LASTS = range(6)
"""Columns of strikes: gun; attacks that it takes of the gun; actions; the stage, as in `columns.STAGE`; the actions
that a friend pays to help (`NO_HELP`: it needs none); and 1 if that help lasts to the end of the turn."""
NO_HELP = -1
NOTHING = 0
"""Where in `Muster.ranks` the gains of a strike begin that takes nothing."""
TOUGH, POOL, WORTH, FIRST_STRIKE, STRIKES = range(5)
"""Columns of cards: toughness, actions in a turn, what it counts for, its first strike and the number of them."""
GUNS, MOST_ROWS, STRIKE_COLUMNS = 4, 96, 6
"""Room for guns of a unit and for different strikes of a side, and the number of columns of a strike."""


class Muster(NamedTuple):
    """All that cards of a roster may do to each other in a battle; C cards have S strikes together.

    Attributes
    ----------
    cards : array of int32, shape (C, 5)
    attacks, reloads : array of int32, shape (C, guns)
        The attacks that each gun has in a turn, and 1 if it has to reload after a turn in which it fired.
    helpers : array of int32, shape (C,)
        1 if the card can help others.
    strikes : array of int32, shape (S, 6)
    effect : array of int32, shape (S, C)
        The number of the distribution of what a strike takes from a card; 0 for nothing.
    gain, helped_gain : array of int32, shape (S, C)
        Where in `ranks` the gains of a strike at a card begin, by the toughness that it has left; and the same once a
        friend's help is paid for.
    ranks : array of int32
        Gains as their ranks among all gains, times 16: 0 is none. A gain of a battle is such a number less the
        enemy's, so that one number says how much, and at whom, and of equal ranks the first enemy's is the largest.
    begin : array of int32, shape (distributions + 1,)
        Where in `up_to` and `amount` each distribution begins.
    up_to : array of uint64
        The numbers of 32 bits below which an amount is drawn.
    amount : array of int32
        What is taken.
    """

    cards: Table
    attacks: Table
    reloads: Table
    helpers: Table
    strikes: Table
    effect: Table
    gain: Table
    helped_gain: Table
    ranks: Table
    begin: Table
    up_to: Words
    amount: Table


class Meeting(Protocol):
    """Two lists that meet, and their battle: all in one numpy record, so that functions are handed one address.

    The first index is the side. Arrays are of int32.

    Attributes
    ----------
    units, kinds, rows : array, shape (2,)
        Numbers of units, of kinds of units (equal cards that stand together), and of strikes of all kinds.
    first_unit, first_row : array, shape (2, 17)
        Where each kind begins among the units and among the rows.
    tough, pool, worth, helps, reloads : array, shape (2, 16)
        Of each unit: its columns of `Muster.cards`, 1 if it can help others, and the guns that reload: a bit each.
    attacks, fired : array, shape (2, 16, 4)
        The attacks that each gun has in a turn, and those fired in this one.
    hurts, hurts_helped : array, shape (2, 16)
        The enemies that a unit can hurt by itself, and with help: a bit each.
    left, spent, helped, prepared, loading : array, shape (2, 16)
        Of each unit: toughness left; actions spent, and the enemies at which it was helped in this turn; the guns that
        are prepared, and those that can't fire: a bit each.
    strike : array, shape (2, 96, 6)
        The columns of the strike of each row.
    full, gains : array, shape (2, 16, 96)
        The gain at each enemy of each row, as a battle begins and now.
    gain_at, helped_at, drawn_at : array, shape (2, 16, 96)
        Where the ranks of these gains begin, those of the gains once help is paid for, and the amounts to draw from.
    first, end : array, shape (2, 96)
        The units that share the strike of each row.
    most : array, shape (2, 96)
        The largest gain of each row.
    upcoming : array, shape (2, 96)
        The first unit that may still make the strike of each row in this turn: who can't now, can't later in it.
    aid : array, shape (2,)
        1 if a side has paid in this turn for help that lasts.
    picked : array, shape (5,)
        The strike that is made: row, unit, enemy, the friend that helps (-1: nobody), and the rank of its gain.
    """

    units: Table
    kinds: Table
    rows: Table
    first_unit: Table
    first_row: Table
    tough: Table
    pool: Table
    worth: Table
    helps: Table
    reloads: Table
    attacks: Table
    fired: Table
    hurts: Table
    hurts_helped: Table
    left: Table
    spent: Table
    helped: Table
    prepared: Table
    loading: Table
    strike: Table
    full: Table
    gains: Table
    gain_at: Table
    helped_at: Table
    drawn_at: Table
    first: Table
    end: Table
    upcoming: Table
    most: Table
    aid: Table
    picked: Table


ROW, UNIT, ENEMY, FRIEND, RANK = range(5)
SHAPES = {
    **dict.fromkeys(("units", "kinds", "rows", "aid"), (2,)),
    **dict.fromkeys(("first_unit", "first_row"), (2, SIDE_UNITS + 1)),
    **dict.fromkeys(("attacks", "fired"), (2, SIDE_UNITS, GUNS)),
    "strike": (2, MOST_ROWS, STRIKE_COLUMNS),
    **dict.fromkeys(("full", "gains", "gain_at", "helped_at", "drawn_at"), (2, SIDE_UNITS, MOST_ROWS)),
    **dict.fromkeys(("first", "end", "upcoming", "most"), (2, MOST_ROWS)),
    "picked": (5,),
}


def allocate() -> Meeting:
    """Return the scratch of a thread."""
    fields = [(name, np.int32, SHAPES.get(name, (2, SIDE_UNITS))) for name in Meeting.__annotations__]
    record = np.dtype((np.record, fields))
    return cast("Meeting", aligned(record.itemsize, dtype="uint8").view(record)[0])


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
                strikes_at = columns[FIRST_STRIKE]
                for strike in range(strikes_at, strikes_at + columns[STRIKES]):
                    here.first[side, row], here.end[side, row] = unit, beyond
                    hurt = set_up_row(muster, here, side, row, strike, other[:foes], limits[side])
                    aided |= hurt
                    alone |= hurt if muster.strikes[strike, PRICE] == NO_HELP else 0
                    row += 1
            here.hurts[side, unit], here.hurts_helped[side, unit] = alone, aided
            here.tough[side, unit], here.pool[side, unit] = columns[TOUGH], columns[POOL]
            here.worth[side, unit], here.helps[side, unit] = columns[WORTH], muster.helpers[card]
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
    for column in range(STRIKE_COLUMNS):
        here.strike[side, row, column] = muster.strikes[strike, column]
    payable = here.strike[side, row, COSTS] + max(here.strike[side, row, PRICE], 0) <= limit
    for enemy in range(len(foes)):
        card = foes[enemy]
        at = muster.gain[strike, card] if payable else NOTHING
        gain = max(muster.ranks[at + muster.cards[card, TOUGH]] - enemy, 0)
        here.gain_at[side, enemy, row], here.full[side, enemy, row] = at, gain
        here.helped_at[side, enemy, row] = muster.helped_gain[strike, card]
        here.drawn_at[side, enemy, row] = muster.begin[muster.effect[strike, card]]
        hurt |= (gain > 0) << enemy
    return hurt
