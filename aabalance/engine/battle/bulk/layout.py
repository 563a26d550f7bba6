"""What the kernel of many meetings works on: the tables of a roster, and the record of two lists that meet."""

from __future__ import annotations

from typing import NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from aabalance.engine.battle.columns import SIDE_UNITS, Words
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
        Where the ranks of these gains begin, of those without help, and the amounts that are drawn.
    first, end : array, shape (2, 96)
        The units that share the strike of each row.
    most : array, shape (2, 96)
        The largest gain of each row.
    upcoming : array, shape (2, 96)
        The first unit that may still make the strike of each row in this turn: who can't now, can't later in it.
    aid : array, shape (2,)
        1 if a side has helped a unit in this turn for all of its strikes.
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
