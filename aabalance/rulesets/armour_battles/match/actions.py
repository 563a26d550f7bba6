"""Which actions a side has (Friendly Command Pulse, Command Groups, Orders, Wild Dice).

In all functions `tables` and `state` are those of the match, `unit` is the unit that acts, `of` as in
`MatchRules.legal`, `side` a side, `kind` a kind of action, `other` a second unit or a direction, `number` a square or a
number, `most` the number of wild dice that may be added. `out` takes the actions, and `count` is how many it has.
"""

from __future__ import annotations

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.artillery import waiting
from aabalance.rulesets.armour_battles.match.fire import MOST_WILD, can_break_off, can_fire, wild_dice
from aabalance.rulesets.armour_battles.match.movement import can_push, destinations
from aabalance.rulesets.armour_battles.match.sight import is_seen
from aabalance.rulesets.armour_battles.match.turns import group_points, has_dice
from aabalance.rulesets.armour_battles.shot.pools import D6
from aabalance.rulesets.base.match import (
    ALL,
    MOST_UNITS,
    NO_UNIT,
    Actions,
    Record,
    action_of,
    parts_of,
    units_of,
    write,
)

MOST_ACTIONS = MOST_UNITS * records.MOST_SQUARES
"""More than any side can have: each unit enters in any square, or fires at each enemy with some wild dice."""
MOST_OTHERS, MOST_RESERVES = 3, 4
"""Units in a command group besides its leader, and those that reserves bring, without a reconnaissance unit."""
LEAST_INSTANT = 2


def actor(action: int) -> int:
    """Return the unit that acts or reacts; `NO_UNIT` for payments, orders, and the end of a group."""
    kind, unit, _, _, _ = parts_of(action)
    return unit if records.CLOSE < kind < records.HOLD else NO_UNIT


def legal(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write legal actions; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    count = choices(tables, state, out)
    if of == ALL:
        return count
    kept = 0
    for at in range(count):
        if actor(out[at]) == of:
            kept = write(out, kept, out[at])
    return kept


def choices(tables: Record, state: Record, out: Actions) -> int:
    """Write all that the side that is to move can decide; return the number of actions."""
    if state.phase == records.ROLLING:
        out[0] = records.ROLL
        return 1
    if state.phase == records.LOGISTICS:
        battery = waiting(tables, state, state.side)
        return shifts(tables, state, records.SHIFT, battery, out, write(out, 0, action_of(records.HOLD, battery)))
    if state.firer != records.NONE:
        return reactions(tables, state, out)
    if state.group.order != records.NO_ORDER:
        return members(tables, state, out)
    if state.credit != records.NO_CREDIT:
        return orders(tables, state, out)
    return payments(state, out)


# --- payment and orders -----------------------------------------------------------------------------------------------


def payments(state: Record, out: Actions) -> int:
    """Write how the side may pay for an order, or end its pulse (Friendly Command Pulse, Wild Dice) [B-10, B-20]."""
    side, count = state.side, 0
    own = state.dice[side]
    for face in range(2, D6 + 1):
        if own[face] > 0 and (state.chain == 0 or face == D6 or face == state.chain):
            count = write(out, count, action_of(records.DIE, 0, 0, face))
    if state.lent[side] > 0 and state.spent > 0:
        count = write(out, count, records.LENT)
    if state.staff[side] > 0:
        count = write(out, count, records.STAFF_ORDER)
    for sixes in range(LEAST_INSTANT, own[D6] + 1):
        count = write(out, count, action_of(records.INSTANT, 0, 0, sixes))
    if state.spent > 0 or state.pulses[side] == 1 or not has_dice(state, side):
        count = write(out, count, records.END)
    return count


def orders(tables: Record, state: Record, out: Actions) -> int:
    """Write which orders the side may give (Orders); return the number of actions."""
    side, count, in_reserve = state.side, write(out, 0, records.PASS), False
    for unit in units_of(tables, side):
        own = state.unit[unit]
        if own.at < 0:
            in_reserve = in_reserve or own.at == records.RESERVE
        elif own.suppressed:
            if tables.clears == records.REGROUPS:
                count = write(out, count, action_of(records.REGROUP, unit))
        elif not own.activated:
            count = write(out, count, action_of(records.MOVE, unit))
            count = write(out, count, action_of(records.DISENGAGE, unit))
            if group_points(tables, state, unit) > 0:
                count = write(out, count, action_of(records.RALLY, unit))
    if in_reserve and not state.failed[side]:
        count = write(out, count, records.RESERVES)
    return missions(tables, state, out, count) if state.credit == records.STAFF else count


def missions(tables: Record, state: Record, out: Actions, count: int) -> int:
    """Write the staff orders to batteries (Staff Orders Only); return the number of actions then."""
    side = state.side
    for number in range(tables.batteries):
        battery = state.battery[number]
        if tables.battery_side[number] != side:
            continue
        if battery.mission != records.NO_MISSION:
            if battery.status == records.DONE:
                count = write(out, count, action_of(records.MAINTAIN, number))
            else:
                count = shifts(tables, state, records.ADJUST, number, out, count)
            continue
        for enemy in units_of(tables, 1 - side):
            at = state.unit[enemy].at
            if at >= 0 and is_seen(tables, state, side, at, True):
                count = write(out, count, action_of(records.CALL, number, enemy))
                count = write(out, count, action_of(records.SMOKE, number, enemy))
    return count


def shifts(tables: Record, state: Record, kind: int, number: int, out: Actions, count: int) -> int:
    """Write in which directions a battery's aim may go; return the number of actions then."""
    for face in range(len(records.DIRECTIONS)):
        if tables.adjacent[state.battery[number].aim, face] != records.NONE:
            count = write(out, count, action_of(kind, number, face))
    return count


# --- command groups ---------------------------------------------------------------------------------------------------


def members(tables: Record, state: Record, out: Actions) -> int:
    """Write what the members of the command group may do (Command Groups); return the number of actions."""
    group, count = state.group, 0
    if group.task == records.GO:
        return steps(tables, state, group.unit, out)
    if group.task == records.SHOOT:
        count = shots(tables, state, group.unit, out)
    elif group.task == records.LEAVE:
        count = write(out, 0, action_of(records.SCOOT, group.unit))
    for unit in range(tables.units):
        if state.unit[unit].member and may_act(tables, state, unit):
            count = acts(tables, state, unit, out, count)
    return write(out, count, records.CLOSE)


def may_act(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a member may act: once, and as one of so many, with a reconnaissance unit of one more."""
    leader = state.group.leader
    if state.unit[unit].used:
        return False
    if unit == leader:
        return True
    others, scouts = 0, 0
    for other in range(tables.units):
        if other != leader and (other == unit or state.unit[other].used):
            others += 1
            scouts += tables.card[other].reconnaissance
    most = MOST_RESERVES if leader == records.NONE else MOST_OTHERS
    return bool(others <= most + min(scouts, 1))


def acts(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write how a member may act, by the group's order (Orders); return the number of actions then."""
    order = state.group.order
    if order == records.TO_MOVE:
        for pace in range(records.STAY, records.TRIPLE + 1):
            count = write(out, count, action_of(records.ACT, unit, 0, pace))
        return count
    if order == records.TO_DISENGAGE:
        return write(out, count, action_of(records.WITHDRAW, unit))
    if order == records.TO_RALLY:
        return with_wild(records.RALLY_UNIT, unit, 0, wild_dice(state, state.side), out, count)
    column = 0 if state.side == 0 else tables.width - 1
    for square in range(column, tables.squares, tables.width):
        if tables.factor[square] > 0 and state.unit_at[square] == records.NONE:
            count = write(out, count, action_of(records.ENTER, unit, 0, square))
    return count


def with_wild(kind: int, unit: int, other: int, most: int, out: Actions, count: int) -> int:
    """Write an action without wild dice, and with one or two [B-18]; return the number of actions then."""
    for wild in range(min(most, MOST_WILD) + 1):
        count = write(out, count, action_of(kind, unit, other, wild))
    return count


def steps(tables: Record, state: Record, unit: int, out: Actions) -> int:
    """Write where a unit may go, or that a wild die lengthens its move; return the number of actions."""
    count = destinations(tables, state, unit, out)
    for at in range(count):
        out[at] = action_of(records.TO, unit, 0, out[at])
    if can_push(state) and wild_dice(state, state.side) > 0:
        count = write(out, count, action_of(records.PUSH, unit))
    return count


def shots(tables: Record, state: Record, unit: int, out: Actions) -> int:
    """Write at whom a unit may fire, and where it may turn (Move and Fire); return the number of actions."""
    own, count, wild = state.unit[unit], 0, wild_dice(state, state.side)
    for enemy in units_of(tables, 1 - state.side):
        if can_fire(tables, state, unit, own.at, enemy, state.group.pace):
            count = with_wild(records.FIRE, unit, enemy, wild, out, count)
    for face in range(len(records.DIRECTIONS)):
        if face != own.face:
            count = write(out, count, action_of(records.FACE, unit, face))
    return count


def reactions(tables: Record, state: Record, out: Actions) -> int:
    """Write how a target may react (Reaction Checks) [B-25]; return the number of actions."""
    target = state.target
    wild = wild_dice(state, tables.side[target])
    count = with_wild(records.REACT, target, 0, wild, out, 0)
    if can_break_off(tables, state, target):
        count = with_wild(records.BREAK_OFF, target, 0, wild, out, count)
    return count
