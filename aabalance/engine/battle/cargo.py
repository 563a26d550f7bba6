"""Units that begin a battle inside others, riders inside carriers: where they are, when they get out, what they lose.

A rider is where its carrier is, rests, and can't be aimed at. The carrier goes where its riders want to go; if they
want to go to different places, to the nearest of these. Once a side has moved, a rider gets out if it is where it wants
to be, or if its carrier hasn't moved. When a carrier is destroyed, each of its riders loses something by a die of its
own, can be aimed at from then on, and rests in its next turn.

Each rider has a bit, which is set until it gets out. It is inside as long as the bit is set and its carrier is left.
Plain loops over lanes that also compile; battles without riders leave them out.
"""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.actions import raise_rows
from aabalance.engine.battle.columns import (
    ALL,
    CARRIER,
    NONE,
    ONE,
    ORDERS,
    PLACE,
    POOL,
    POSTURE,
    QUANTUM,
    RESTS,
    RIDER,
    RIDERS,
    UNITS,
    WRECKS,
    W,
)
from aabalance.engine.battle.lanes.dice import Drawing, lose, roll
from aabalance.engine.battle.line import RESTING, RIDING
from aabalance.engine.battle.moving import write_gains_from
from aabalance.engine.battle.policies import keeps_gains
from aabalance.engine.battle.postures import wish
from aabalance.engine.battle.states.encoding import steps_left, toughness
from aabalance.rulesets.base import Force

U = np.uint64

note_strikes = note_wrecks = jit.NO_HOOK
"""What only battles of which more is counted or written down need, from `aabalance.engine.battle.lanes.hooks`."""


def parts(force: Force, bits: list[int]) -> tuple[Any, Any]:
    """Return the parts of a side from `aabalance.engine.battle.columns.RIDERS` on; empty without riders.

    Parameters
    ----------
    force : Force
        The side.
    bits : list of int
        A single number: how many bits of a state are in use. Those of the riders are added.

    Returns
    -------
    riders : array of int64, shape (riders, 4)
        Columns of the riders.
    wrecks : array of int64, shape (riders, cases)
        Toughness that each rider loses with its carrier, in cases that are equally likely.
    """
    rides = [(at, unit.ride) for at, unit in enumerate(force) if unit.ride]
    shares = lcm(*(p.denominator for _, ride in rides for p in ride.wreck.values()))
    riders = [[at, ride.carrier, bits[0] + n, ride.rests] for n, (at, ride) in enumerate(rides)]
    bits[0] += len(rides)
    wrecks = [[lost for lost, p in sorted(ride.wreck.items()) for _ in range(int(p * shares))] for _, ride in rides]
    return np.array(riders, dtype=np.int64).reshape(-1, 4), np.array(wrecks, dtype=np.int64).reshape(-1, shares)


def board(side: Any, sides: Any, line: Any, alive: Any, state: Any, lanes: Any) -> None:
    """Let the riders of a side rest in this turn; for those that have lost their carrier it is the last time.

    Parameters
    ----------
    side, sides, line, alive, state, lanes
        As for `aabalance.engine.battle.moving.advance`.
    """
    units, riders, spent = sides[side][UNITS], sides[side][RIDERS], state[3]
    who, rides, rests = line[6], line[9][RIDING + side], line[9][RESTING]
    for k in range(lanes):
        rests[k] = rides[k]
    for rider in range(len(riders)):
        unit, bit, by = riders[rider, RIDER], W(ONE << W(riders[rider, RIDER])), W(ONE << W(riders[rider, CARRIER]))
        others = W(bit ^ ALL)
        for k in range(lanes):
            who[k] = rides[k] & bit
        raise_rows(spent[: units[unit, POOL]], riders[rider, RESTS], who, lanes)
        for k in range(lanes):
            still = rides[k]
            rides[k] = still if W(alive[k] & by) != NONE else still & others


def drive_for(side: Any, sides: Any, line: Any, unit: Any, foes: Any, ahead: Any, back: Any, lanes: Any) -> None:
    """Let a carrier go where the rider wants to go that has the shortest way.

    Parameters
    ----------
    side, sides, line, foes, lanes
        As for `aabalance.engine.battle.moving.advance`.
    unit : int
        The carrier, or any other unit.
    ahead, back : array of uint16, shape (lanes,)
        The steps that the unit itself wants to go; changed to those of the rider.
    """
    mine = sides[side]
    riders, rides, on, off = mine[RIDERS], line[9][RIDING + side], line[6], line[7]
    earlier = NONE
    for rider in range(len(riders)):
        if riders[rider, CARRIER] != unit:
            continue
        who = riders[rider, RIDER]
        bit = W(ONE << W(who))
        for k in range(lanes):
            on[k], off[k] = NONE, NONE
        wish(mine[ORDERS][POSTURE], mine, who, line[0][side][unit], line[0][1 - side], line[3], foes, on, off, lanes)
        for k in range(lanes):
            nearer = (W(rides[k] & earlier) == NONE) | (on[k] + off[k] < ahead[k] + back[k])
            goes = (W(rides[k] & bit) != NONE) & nearer
            ahead[k], back[k] = on[k] if goes else ahead[k], off[k] if goes else back[k]
        earlier = W(earlier | bit)


def get_out(side: Any, sides: Any, line: Any, foes: Any, lanes: Any) -> None:
    """Move riders to where their carriers have gone, and let those out that have no reason to stay inside.

    Parameters
    ----------
    side, sides, line, foes, lanes
        As for `aabalance.engine.battle.moving.advance`.
    """
    mine = sides[side]
    riders, rides, gone, on, off = mine[RIDERS], line[9][RIDING + side], line[1][side], line[6], line[7]
    for rider in range(len(riders)):
        unit, carrier = riders[rider, RIDER], riders[rider, CARRIER]
        bit, by, others = W(ONE << W(unit)), W(ONE << W(carrier)), W(W(ONE << W(unit)) ^ ALL)
        place, there = line[0][side][unit], line[0][side][carrier]
        for k in range(lanes):
            here = place[k]
            place[k] = there[k] if W(rides[k] & bit) != NONE else here
            on[k], off[k] = NONE, NONE
        wish(mine[ORDERS][POSTURE], mine, unit, place, line[0][1 - side], line[3], foes, on, off, lanes)
        for k in range(lanes):
            still = rides[k]
            rides[k] = still if (W(gone[k] & by) != NONE) & (W(on[k] | off[k]) != NONE) else still & others


def shelter(side: Any, sides: Any, line: Any, alive: Any, foes: Any, lanes: Any) -> None:
    """Remove units inside others from the targets.

    Parameters
    ----------
    side : int
        The side of the targets.
    sides, line, lanes
        As for `aabalance.engine.battle.moving.advance`.
    alive : array of uint16, shape (lanes,)
        Units of that side that are left: a bit each.
    foes : array of uint16, shape (lanes,)
        Units that can be aimed at: a bit each. The bits of units inside others are cleared.
    """
    riders, rides = sides[side][RIDERS], line[9][RIDING + side]
    for rider in range(len(riders)):
        by, others = W(ONE << W(riders[rider, CARRIER])), W(W(ONE << W(riders[rider, RIDER])) ^ ALL)
        for k in range(lanes):
            whom = foes[k]
            foes[k] = whom & W(W(rides[k] ^ ALL) | others) if W(alive[k] & by) != NONE else whom


def hide(side: Any, sides: Any, foes: Any, gains: Any, lanes: Any) -> None:
    """Clear the gains of a side's strikes at enemies inside others.

    Parameters
    ----------
    side : int
        The side that strikes.
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.packing.Packed.sides`.
    foes : array of uint16, shape (lanes,)
        Enemies that can be aimed at: a bit each.
    gains : array of uint16, shape (strikes, enemies, lanes)
        Ranks of the gains; those at enemies that can't be aimed at are set to 0.
    lanes : uint64
        Number of lanes.
    """
    riders = sides[1 - side][RIDERS]
    for rider in range(len(riders)):
        bit = W(ONE << W(riders[rider, RIDER]))
        for strike in range(len(gains)):
            row = gains[strike, riders[rider, RIDER]]
            for k in range(lanes):
                gain = row[k]
                row[k] = gain if W(foes[k] & bit) != NONE else NONE


def wreck(side: Any, sides: Any, tables: Any, key: Any, workspace: Any, log: Any, detail: Any, lanes: Any) -> None:
    """Take from the riders of carriers that were just destroyed what they lose with them.

    A rider's digit of a turn comes after those of all strikes; a rider needs it in a single turn of a battle.

    Parameters
    ----------
    side : int
        The side that struck.
    sides, tables, key, workspace, log, detail
        As for `aabalance.engine.battle.lanes.kernel.battles`.
    lanes : uint64
        Number of lanes.
    """
    left, gains, alive, line = workspace.left, workspace.gains, workspace.alive, workspace.line
    lane, dice = workspace.lane, tables.dice
    loss, after, turn, foes, aspect, die = lane.loss, lane.after, lane.turn, lane.foes, lane.moment, lane.die
    drawing = Drawing(key, turn, lane.trial, workspace.words, workspace.drawn)
    chosen, aim, striker, _, whom, who = workspace.picked
    other = 1 - side
    riders, wrecks, rides = sides[other][RIDERS], sides[other][WRECKS], line[9][RIDING + other]
    base, ways = U(dice.base), U(wrecks.shape[1])
    for rider in range(len(riders)):
        unit, carrier = riders[rider, RIDER], riders[rider, CARRIER]
        bit, by, of_carrier = W(ONE << W(unit)), W(carrier), left[other][carrier]
        anybody = NONE
        for k in range(lanes):
            lost = (aim[k] == by) & (of_carrier[k] == NONE) & (W(rides[k] & bit) != NONE)
            who[k] = striker[k] if lost else NONE
            whom[k] = W(unit)
            anybody |= who[k]
        if anybody == NONE:
            continue
        roll(dice.wreck_place + rider, dice.base, dice, drawing, die, lanes)
        for k in range(lanes):
            part = die[k] * ways // base
            loss[k] = W(wrecks[rider, part]) if who[k] != NONE else NONE
        if note_strikes is not None:
            note_strikes(detail, side, left[other], (chosen, whom, who, chosen, whom, who), loss, turn, lanes)
        if note_wrecks is not None and who[0] != NONE:
            note_wrecks(log, other, unit, turn, left[other], loss)
        lose(left[other], alive[other], whom, loss, after, lanes)
        if keeps_gains(tables.asks, side):
            write_gains_from(side, sides, line, unit, left[other], gains[side], aspect, lanes)
            for k in range(lanes):
                foes[k] = alive[other][k]
            shelter(other, sides, line, alive[other], foes, lanes)
            hide(side, sides, foes, gains[side], lanes)


def uncount_rests(mine: Any, line: Any, actions: Any, lanes: Any) -> None:
    """Take from the counted actions of a side's riders those that they lost by resting.

    Parameters
    ----------
    mine : tuple of arrays
        The side's parts, from `aabalance.engine.battle.battle.Battle.sides`.
    line : tuple of arrays
        From `aabalance.engine.battle.line.line_for`.
    actions : array of int64, shape (units,)
        Number of actions that each unit has spent, in all lanes together. Changed.
    lanes : uint64
        Number of lanes.
    """
    riders, rests = mine[RIDERS], line[9][RESTING]
    for rider in range(len(riders)):
        bit = W(ONE << W(riders[rider, RIDER]))
        for k in range(lanes):
            actions[riders[rider, RIDER]] -= riders[rider, RESTS] if rests[k] & bit != NONE else 0


def ways_to_crash(side: Any, sides: Any, line: Any, carrier: Any) -> int:
    """Return the number of equally likely cases of what the riders of a destroyed unit lose with it.

    Parameters
    ----------
    side : int
        The unit's side.
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.packing.Packed.sides`.
    line : tuple of arrays
        From `aabalance.engine.battle.line.line_for`, of one lane.
    carrier : int
        The unit that was just destroyed.
    """
    riders, ways = sides[side][RIDERS], 1
    for rider in range(len(riders)):
        inside = line[9][RIDING + side, 0] & W(ONE << W(riders[rider, RIDER])) != NONE
        if riders[rider, CARRIER] == carrier and inside:
            ways *= sides[side][WRECKS].shape[1]
    return ways


def crash(side: Any, sides: Any, line: Any, carrier: Any, way: Any, number: Any, left: Any, alive: Any) -> Any:
    """Take from the riders of a destroyed unit what they lose with it in one of the cases that `ways_to_crash` counts.

    Parameters
    ----------
    side, sides, line, carrier
        As for `ways_to_crash`.
    way : int
        Number of the case, from 0.
    number : int
        The side's number of what it had left before.
    left : array of uint16, shape (units, 1)
        Takes the toughness that the riders have left.
    alive : array of uint16, shape (1,)
        Units of the side that are left: a bit each. The bits of riders that are destroyed are cleared.

    Returns
    -------
    int
        What this takes from the side's number.
    """
    units, riders, wrecks = sides[side][UNITS], sides[side][RIDERS], sides[side][WRECKS]
    taken = 0
    for rider in range(len(riders)):
        unit = riders[rider, RIDER]
        bit = W(ONE << W(unit))
        if riders[rider, CARRIER] != carrier or line[9][RIDING + side, 0] & bit == NONE:
            continue
        had = steps_left(units, unit, number)
        lost = min(had, wrecks[rider, way % wrecks.shape[1]] // units[unit, QUANTUM])
        way //= wrecks.shape[1]
        taken += lost * units[unit, PLACE]
        left[unit, 0] = W(toughness(units, unit, had - lost))
        alive[0] = W(alive[0] & W(bit ^ ALL)) | (bit if lost < had else NONE)
    return taken
