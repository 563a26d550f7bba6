"""What policies are made of: functions that pick the first or the best unit, strike or enemy in many lanes at once.

Each function is a plain loop over the lanes, which also compiles to vector instructions. The arrays are those of the
policies, which `aabalance.engine.battle.policies` describes.

Parameters of most functions
    strikes : array of int64, shape (strikes, columns)
        The side's strikes.
    ready : array of uint16, shape (strikes, lanes)
        The units that may make each strike now: a bit each.
    gains : array of uint16, shape (strikes, enemies, lanes) or (enemies, lanes)
        The ranks of what all strikes, or one of them, are expected to take of each enemy's worth, per action.
    left : array of uint16, shape (enemies, lanes)
        The toughness that each enemy has left.
    alive, whom, hurt : array of uint16, shape (lanes,)
        Enemies, a bit each: the ones left, the ones to choose from, the ones that can be hurt.
    unit, aim, gain : array of uint16, shape (lanes,)
        The bit of a unit, the row of an enemy, and a rank.
    picked : Picked
        The strikes.
    most, lanes : int
        Number of enemies, and of lanes.
"""

from __future__ import annotations

from aabalance.engine.battle import columns as col
from aabalance.engine.battle.columns import ALL, NONE, ONE, Columns, Counts, Int, Picked, Row, Rows, W

FOUR = W(4)
"""The bits of the rank by cost, below the toughness left, in the numbers by which `weakest_of` compares."""


def first_of(whom: Row, aim: Row, most: Int, lanes: Int) -> None:
    """Write the first of some enemies into `aim`: 0 if there is none. In `whom`, all bits but its own are cleared."""
    for k in range(lanes):
        aim[k] = NONE
        whom[k] &= W(NONE - whom[k])
    for enemy in range(1, most):
        at, bit = W(enemy), W(ONE << W(enemy))
        for k in range(lanes):
            who = aim[k]
            aim[k] = at if whom[k] == bit else who


def first_unit(ready: Rows, unit: Row, lanes: Int) -> None:
    """Write the bit of the first unit that may make any strike; 0 if there is none."""
    for k in range(lanes):
        unit[k] = NONE
    for strike in range(len(ready)):
        for k in range(lanes):
            unit[k] |= ready[strike, k]
    for k in range(lanes):
        unit[k] &= W(NONE - unit[k])


def hurt_by(strikes: Columns, ready: Rows, alive: Row, unit: Row, hurt: Row, lanes: Int) -> None:
    """Write which enemies a unit can `hurt` with the strikes that it may make now."""
    for k in range(lanes):
        hurt[k] = NONE
    for strike in range(len(ready)):
        whom = W(strikes[strike, col.HURTS])
        for k in range(lanes):
            others, also = hurt[k], W(alive[k] & whom)
            hurt[k] = W(others | also) if ready[strike, k] & unit[k] != NONE else others


def weakest_of(left: Rows, cost_rank: Counts, whom: Row, least: Row, aim: Row, lanes: Int) -> None:
    """Write which of some enemies has the least toughness left: of equals the dearest, and of these the first.

    `cost_rank` is from `columns.cost_ranks`. `least` is overwritten with the smallest of the numbers by which enemies
    are compared: toughness left times 16, plus the rank by cost.
    """
    for k in range(lanes):
        least[k], aim[k] = ALL, NONE
    for enemy in range(len(left)):
        at, bit, nth = W(enemy), W(ONE << W(enemy)), W(cost_rank[enemy])
        for k in range(lanes):
            so_far, who = least[k], aim[k]
            of_it = W(W(left[enemy, k] << FOUR) | nth)
            less = (W(whom[k] & bit) != NONE) & (of_it < so_far)
            least[k] = of_it if less else so_far
            aim[k] = at if less else who


def best_strike(strikes: Columns, ready: Rows, gains: Rows, picked: Picked, lanes: Int) -> None:
    """Write the strike with the largest gain that the picked unit may make at the picked enemy.

    A unit that has only one strike makes that one; its gain isn't looked at.
    """
    chosen, aim, unit, most, gain, _ = picked
    for k in range(lanes):
        chosen[k], most[k] = W(len(ready)), NONE
    for strike in range(len(ready)):
        units = ready[strike]
        if strikes[strike, col.ALONE]:
            for k in range(lanes):
                was = chosen[k]
                chosen[k] = W(strike) if units[k] & unit[k] != NONE else was
            continue
        for k in range(lanes):
            gain[k] = NONE
        gain_at(gains[strike], aim, gain, lanes)
        for k in range(lanes):
            so_far, rank, was = most[k], gain[k], chosen[k]
            better = (rank > so_far) & (units[k] & unit[k] != NONE)
            most[k] = rank if better else so_far
            chosen[k] = W(strike) if better else was


def largest(gains: Rows, gain: Row, whom: Row, lanes: Int) -> None:
    """Write the largest of a strike's gains into `gain`, and the row of the first such enemy into `whom`; else 0."""
    for k in range(lanes):
        gain[k], whom[k] = NONE, NONE
    for enemy in range(len(gains)):
        at = W(enemy)
        for k in range(lanes):
            most, who, rank = gain[k], whom[k], gains[enemy, k]
            gain[k] = rank if rank > most else most
            whom[k] = at if rank > most else who


def gain_at(gains: Rows, aim: Row, gain: Row, lanes: Int) -> None:
    """Write a strike's gain from the enemy aimed at; it stays as it is where no enemy has the row."""
    for enemy in range(len(gains)):
        at = W(enemy)
        for k in range(lanes):
            rank, of_it = gain[k], gains[enemy, k]
            gain[k] = of_it if aim[k] == at else rank
