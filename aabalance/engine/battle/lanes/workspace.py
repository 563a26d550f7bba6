"""The arrays that rolled battles are written into: how they are made, filled, cleared, and moved between lanes.

A row has one number for each lane; a battle is a column of them. A row has more places than there are lanes: the one
behind the last lane stays at full strength, as battles begin. `move_lanes` is a plain loop that also
compiles.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, cast

import numpy as np

from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import NONE, Counts, Int, Picked, Row, Rows, Sides, Words
from aabalance.engine.digits import aligned

U = np.uint64

LANES = 4096
"""Largest number of lanes: with fewer, the fixed cost of a pass shows; with more, the rows don't stay in the cache."""
CACHE_LINE = 32
"""Number of lanes of a row that fit into a line of the processor's cache."""


class PerLane(Protocol):
    """Rows of which there is one each, all in one numpy record: functions are handed one address, not 17 arrays.

    Attributes
    ----------
    turn, goes_on : array of uint16, shape (lanes,)
        The player turns played, and 1 if the battle isn't over.
    foes, actions : array of uint16, shape (lanes,)
        The enemies that can be aimed at, a bit each, and what is left of the side's limit of actions.
    need, die, second : array of uint16, shape (lanes,)
        The lowest bits of the entry of a strike, and its two digits.
    loss, after : array of uint16, shape (lanes,)
        The toughness that a strike takes, and what its enemy has left after it.
    bit, remaining, helper : array of uint16, shape (lanes,)
        Scratch.
    trial, entry : array of uint64, shape (lanes,)
        The number of the trial, and the entry of a strike.
    to, origin : array of uint64, shape (lanes,)
        The lanes to write to, and the lanes to copy from.
    """

    turn: Row
    goes_on: Row
    foes: Row
    actions: Row
    need: Row
    die: Row
    second: Row
    loss: Row
    after: Row
    bit: Row
    remaining: Row
    helper: Row
    trial: Words
    entry: Words
    to: Words
    origin: Words


class Workspace(NamedTuple):
    """The arrays in which the kernel rolls battles, with the lanes as last axis; pairs have an array for each side.

    Attributes
    ----------
    left : pair of array of uint16, shape (units, lanes)
        The toughness that each unit has left.
    gains : pair of array of uint16, shape (strikes, enemies, lanes)
        The rank of the gain of each strike at each enemy.
    alive : pair of array of uint16, shape (lanes,)
        The units that are left: a bit each.
    able : pair of array of uint16, shape (strikes, lanes)
        The units able to make each strike: a bit each.
    loading, prepared : pair of array of uint16, shape (guns, lanes)
        The units that can't fire each gun, and those that have prepared it: a bit each.
    fired, spent, helped : array of uint16, shape (rows, lanes)
        Attacks fired, actions spent and help given in this turn: as in `aabalance.engine.battle.columns.Spending`.
    ready : array of uint16, shape (strikes, lanes)
        The units ready to make each strike: a bit each.
    picked : Picked
        The strikes that are made.
    lane : PerLane
        The rows of which there is one each.
    words : array of uint64, shape (2 * blocks, lanes)
        The random words of a turn.
    drawn : array of int64, shape (blocks,)
        1 for each block of words that is drawn.
    """

    left: tuple[Rows, Rows]
    gains: tuple[Rows, Rows]
    alive: tuple[Row, Row]
    able: tuple[Rows, Rows]
    loading: tuple[Rows, Rows]
    prepared: tuple[Rows, Rows]
    fired: Rows
    spent: Rows
    helped: Rows
    ready: Rows
    picked: Picked
    lane: PerLane
    words: Words
    drawn: Counts


def allocate(sides: Sides, blocks: int, most_lanes: int) -> Workspace:
    """Return a workspace for `aabalance.engine.battle.lanes.kernel.battles`, with both sides as they begin a battle.

    Parameters
    ----------
    sides : pair of Side
        Both sides.
    blocks : int
        Largest number of blocks of words that the dice of a turn take.
    most_lanes : int
        Number of lanes.
    """
    a, b = sides
    pools = max(int(side.units[:, col.POOL].max()) for side in sides)
    units = max(len(side.units) for side in sides)
    helped = units if any((side.strikes[:, col.HELPED_AT] != col.NOBODY).any() for side in sides) else 0

    def rows(*shape: int) -> Rows:
        # Rows are a cache line longer than a power of two: else a lane of all rows would share one place in the cache.
        return aligned(*shape, most_lanes + CACHE_LINE, dtype="uint16")

    def pair(part: str) -> tuple[Rows, Rows]:
        return rows(len(getattr(a, part))), rows(len(getattr(b, part)))

    workspace = Workspace(
        left=pair("units"),
        gains=(rows(len(a.strikes), len(b.units)), rows(len(b.strikes), len(a.units))),
        alive=(rows(), rows()),
        able=pair("strikes"),
        loading=pair("guns"),
        prepared=pair("guns"),
        fired=rows(max(int(side.guns[:, col.ATTACKS].sum()) for side in sides)),
        spent=rows(pools + 1),
        helped=rows(helped),
        ready=rows(max(len(side.strikes) for side in sides)),
        picked=Picked(*(rows() for _ in Picked._fields)),
        lane=_per_lane(),
        words=aligned(2 * blocks, most_lanes + CACHE_LINE),
        drawn=np.zeros(blocks, dtype=np.int64),
    )
    _fill(sides, workspace)
    return workspace


def _per_lane() -> PerLane:
    """Return the rows of which there is one each, for `LANES` lanes: a record of another length is another type."""
    dtypes = {"Row": np.uint16, "Words": np.uint64}
    rows = [(name, dtypes[kind], LANES + CACHE_LINE) for name, kind in PerLane.__annotations__.items()]
    record = np.dtype((np.record, rows))
    return cast("PerLane", aligned(record.itemsize, dtype="uint8").view(record)[0])


def _fill(sides: Sides, workspace: Workspace) -> None:
    """Write both sides as they begin a battle into all lanes, and the ones behind them, which never change."""
    left, gains, alive = workspace.left, workspace.gains, workspace.alive
    for side, (mine, theirs) in enumerate(((sides[0], sides[1]), (sides[1], sides[0]))):
        units, enemies = mine.units, theirs.units
        left[side][:] = units[:, [col.TOUGHNESS]]
        gains[side][:] = mine.rank[:, np.arange(len(enemies)), enemies[:, col.TOUGHNESS]][:, :, None]
        alive[side][:] = (1 << len(units)) - 1


def move_lanes(rows: Rows, turn: Row, to: Words, origin: Words, pairs: tuple[Int, Int], lanes: Int) -> None:
    """Copy lanes over those whose battles have ended, and full strength into lanes that begin a battle.

    Parameters
    ----------
    rows : array of uint16, shape (rows, lanes)
        The rows; changed.
    turn : array of uint16, shape (lanes,)
        The player turns played; 0 where a battle begins.
    to, origin : array of uint64
        Pairs of lanes: the one that is written over, and the one that is copied there; the last pair comes first.
    pairs : (uint64, uint64)
        The index of the first pair, and the one behind the last.
    lanes : uint64
        Number of lanes in use.
    """
    begin, end = pairs
    for at in range(len(rows)):
        row = rows[at]
        full = row[len(row) - CACHE_LINE]
        for n in range(end - begin):
            move = end - U(1) - U(n)
            row[to[move]] = row[origin[move]]
        for k in range(lanes):
            was = row[k]
            row[k] = full if turn[k] == NONE else was
