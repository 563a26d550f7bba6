"""Off-table artillery.

In all functions `tables` and `state` are those of the match, `number` is a battery, `mission` a kind of mission,
`square` where it aims, `side` a side, and `dice` are those of the action.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.fire import points_of, suffer, throw
from aabalance.rulesets.armour_battles.match.sight import SQUARE_IN, unit_on
from aabalance.rulesets.armour_battles.shot.pools import D6, TARGET_NUMBER
from aabalance.rulesets.armour_battles.shot.sheets import EVASION_DICE
from aabalance.rulesets.base.match import Record, roll, roll_pool, write

CALL_DICE = 3
"""Dice of the enemy when a battery is called."""
DEVIATES, DIRECTION_DIE = 3, 8
"""The largest face of a D6 with which a mission deviates, and the die of its direction [B-29]."""


def call(tables: Record, state: Record, number: int, mission: int, square: int, dice: Record) -> None:
    """Call a mission, which falls at once if the battery rolls more successes than the enemy (Indirect Fire)."""
    battery, card = state.battery[number], tables.battery_card[number]
    battery.mission, battery.aim, battery.status, battery.turn = mission, square, records.CALLED, state.turn
    if is_immediate(card.artillery, dice):
        fall(tables, state, number, dice)


def is_immediate(artillery_dice: int, dice: Record) -> bool:
    """Roll for a called battery; return whether it fires for effect immediately (Indirect Fire)."""
    ours = roll_pool(dice, D6, artillery_dice, TARGET_NUMBER)
    return ours > roll_pool(dice, D6, CALL_DICE, TARGET_NUMBER)


def fall(tables: Record, state: Record, number: int, dice: Record) -> None:
    """Let a mission fall, where it aims or not (Indirect Fire) [B-29]."""
    battery = state.battery[number]
    x, y = tables.x[battery.aim], tables.y[battery.aim]
    if roll(dice, D6) <= DEVIATES:
        squares = (roll(dice, D6) + 1) // SQUARE_IN
        across, down = records.STEPS[roll(dice, DIRECTION_DIE) - 1]
        x, y = x + squares * across, y + squares * down
    battery.status, battery.turn = records.DONE, state.turn
    clear(tables, state, number)
    if battery.mission == records.SMOKE_MISSION:
        last = 0
        for other in range(tables.batteries):
            last = max(last, state.battery[other].cloud)
        battery.cloud, battery.x, battery.y = last + 1, x, y
        return
    under = np.empty(len(records.AREA), np.int64)
    count = 0
    for across, down in records.AREA:
        unit = unit_on(tables, state, x + across, y + down)
        if unit != records.NONE:
            count = write(under, count, unit)
    for at in range(count):
        if state.reason == records.NOT_OVER:
            shell(tables, state, number, under[at], dice)


def shell(tables: Record, state: Record, number: int, unit: int, dice: Record) -> None:
    """Fire a battery for effect at a unit (Indirect Fire, Reaction Checks, Suppression) [B-3]."""
    card, own = tables.card[unit], state.unit[unit]
    reaction = card.reaction_indirect + tables.cover[own.at] + EVASION_DICE * own.evading - card.open_topped
    hits, sixes = throw(dice, tables.battery_card[number].artillery, TARGET_NUMBER)
    stopped, warded = throw(dice, reaction, TARGET_NUMBER + own.suppressed)
    points = points_of(tables, hits, stopped)
    if tables.indirect_hit == records.NET:
        is_hit = points > 0
    else:
        is_hit = hits > 0 or tables.indirect_hit == records.IN_AREA
    suffer(tables, state, unit, points, is_hit and warded <= sixes, False, dice)


def clear(tables: Record, state: Record, number: int) -> None:
    """Take a battery's smoke away; what fell after it moves up."""
    own = state.battery[number]
    gone = own.cloud
    if gone == 0:
        return
    own.cloud, own.x, own.y = 0, 0, 0
    for other in range(tables.batteries):
        if state.battery[other].cloud > gone:
            state.battery[other].cloud -= 1


def end_missions(tables: Record, state: Record, side: int, turn: int) -> None:
    """End a side's missions, and their smoke; if a turn is given, only those done before it (Logistics Phase)."""
    for number in range(tables.batteries):
        battery = state.battery[number]
        if tables.battery_side[number] != side or battery.mission == records.NO_MISSION:
            continue
        if turn == 0 or (battery.status == records.DONE and battery.turn < turn):
            clear(tables, state, number)
            battery.mission, battery.aim, battery.status = records.NO_MISSION, records.NONE, records.CALLED
            battery.turn = 0


def waiting(tables: Record, state: Record, side: int) -> int:
    """Return the first battery of a side whose mission waits to be fired; `NONE` if there is none."""
    for number in range(tables.batteries):
        battery = state.battery[number]
        has_mission = tables.battery_side[number] == side and battery.mission != records.NO_MISSION
        if has_mission and battery.status != records.DONE:
            return number
    return records.NONE
