"""What an action does: turns, pulses, orders, command groups.

Plain loops over records, which also compile. Sections are the rulebook's, numbers of open points (B-n) are those of
``rulebook.toml``.

In all functions `tables` and `state` are those of the match, `unit` is the unit that acts, `leader` that of a command
group, `order` a kind of order, `kind` a kind of action, `side` a side, `shown` the face of a die, `face` a direction,
`wild` are wild dice that are added, `number` is an action or a battery, and `dice` are those of the action.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.artillery import call, end_missions, fall, waiting
from aabalance.rulesets.armour_battles.match.fire import close, end_match, fire, react, spend_wild
from aabalance.rulesets.armour_battles.match.movement import go, push, put, roll_move
from aabalance.rulesets.armour_battles.match.sight import FAR, SQUARE_IN, d2, is_seen, nearest
from aabalance.rulesets.armour_battles.shot.pools import D6, TARGET_NUMBER
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import Actions, Record, parts_of, roll, roll_pool, units_of

SIDES = 2
GROUP_IN = 6
"""Inches from the leader within which units are in the command group (Command Groups)."""
RALLY_BANDS_IN, FARTHEST_NUMBER = (6, 12, 24, 36), 2
"""Upper edges of the bands in which a rally needs 6+, 5+, 4+, 3+, and what it needs beyond: the sheet's ``24-26`` is
read as ``24-36``."""


def apply(tables: Record, state: Record, number: int, dice: Record) -> None:
    """Change a state by a legal action; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    kind, unit, other, at, _ = parts_of(number)
    if kind == records.ROLL:
        begin_turn(tables, state, dice)
    elif kind <= records.END:
        pay(tables, state, kind, at)
    elif kind <= records.MAINTAIN:
        give_order(tables, state, kind, unit, other, dice)
    elif kind == records.CLOSE:
        close(state)
    elif kind <= records.ENTER:
        act(tables, state, kind, unit, other, at, dice)
    elif kind <= records.BREAK_OFF:
        react(tables, state, at, kind == records.BREAK_OFF, dice)
    else:
        support(tables, state, kind, unit, other, dice)


def act(tables: Record, state: Record, kind: int, unit: int, other: int, at: int, dice: Record) -> None:
    """Let a unit of the command group do its part; `other` is an enemy or a direction, `at` a number or a square."""
    group = state.group
    if kind == records.ACT or kind == records.WITHDRAW or kind == records.RALLY_UNIT or kind == records.ENTER:
        begin_act(tables, state, unit)
    if kind == records.ACT:
        group.pace, group.task = at, records.SHOOT
        if at != records.STAY:
            roll_move(tables, state, unit, at - records.STAY, dice)
    elif kind == records.TO:
        go(tables, state, unit, at)
    elif kind == records.PUSH:
        spend_wild(state, state.side, 1)
        push(state)
    elif kind == records.FIRE:
        fire(tables, state, unit, other, at, dice)
    elif kind == records.SCOOT or kind == records.WITHDRAW:
        roll_move(tables, state, unit, records.SCOOTING if kind == records.SCOOT else records.BACK, dice)
    else:
        group.unit, group.task = records.NONE, records.NO_TASK
        if kind == records.FACE:
            state.unit[unit].face = other
        elif kind == records.RALLY_UNIT:
            rally_unit(tables, state, unit, at, dice)
        else:
            put(state, unit, at)


# --- turns and pulses -------------------------------------------------------------------------------------------------


def begin_turn(tables: Record, state: Record, dice: Record) -> None:
    """Roll the command dice of both sides, and find who has the first pulse (Game Turn)."""
    for side in range(SIDES):
        for _ in range(tables.army[side].command_dice):
            state.dice[side, roll(dice, D6)] += 1
    for side in range(SIDES):
        own = state.dice[side]
        if fails(own):
            state.failed[side] = 1
            state.lent[1 - side] = own[1]
            end_missions(tables, state, side, 0)
        most = tables.army[side].staff_orders
        state.staff[side] = min(most, state.staff[side] + restocked(own, tables.first_face))
        own[1] = 0
    if state.failed[0] and state.failed[1]:
        end_turn(tables, state)
        return
    sixes = state.dice[0, D6] - state.dice[1, D6]
    if state.failed[0] != state.failed[1]:
        first = int(state.failed[0])
    elif sixes != 0:
        first = 0 if sixes > 0 else 1
    else:
        first = roll(dice, SIDES) - 1
    if state.opened == records.NONE:
        state.opened = first
    begin_pulse(tables, state, first)


def fails(faces: Actions) -> bool:
    """Return whether command dice, counted by their faces, are a command failure (Command Failure)."""
    return bool(faces[1] > faces[D6])


def restocked(faces: Actions, first_face: int) -> int:
    """Return how many staff orders command dice restock, counted by their faces (Restock Staff Orders) [B-9]."""
    total = 0
    for face in range(first_face, D6 + 1):
        total += max(0, faces[face] - 1)
    return int(total)


def begin_pulse(tables: Record, state: Record, side: int) -> None:
    """Begin a side's pulse (Game Turn) [B-22]."""
    state.side, state.phase = side, records.PULSE
    state.pulses[side] += 1
    if tables.once_a_pulse:
        for unit in units_of(tables, side):
            state.unit[unit].activated = 0


def end_pulse(tables: Record, state: Record) -> None:
    """End a pulse; a side's first one in a turn is followed by its Logistics Phase (Game Turn)."""
    side = state.side
    state.spent = state.chain = 0
    if state.pulses[side] == 1:
        end_missions(tables, state, side, state.turn)
        if waiting(tables, state, side) != records.NONE:
            state.phase = records.LOGISTICS
            return
    next_pulse(tables, state)


def next_pulse(tables: Record, state: Record) -> None:
    """Begin the next pulse: the other side's if it has one left, else the same side's; or end the turn (Game Turn)."""
    side = state.side
    if has_pulse(state, 1 - side):
        begin_pulse(tables, state, 1 - side)
    elif has_pulse(state, side):
        begin_pulse(tables, state, side)
    else:
        end_turn(tables, state)


def has_pulse(state: Record, side: int) -> bool:
    """Return whether a side has a pulse left in the turn: command dice, or none yet."""
    return has_dice(state, side) or state.pulses[side] == 0


def has_dice(state: Record, side: int) -> bool:
    """Return whether a side has command dice."""
    return bool(np.sum(state.dice[side]) > 0)


def end_turn(tables: Record, state: Record) -> None:
    """End the turn; after the last one who has lost fewer morale points wins (Game Turn) [B-5, B-31]."""
    for unit in range(tables.units):
        own = state.unit[unit]
        own.activated = own.evading = 0
        if tables.clears == records.AT_END:
            own.suppressed = 0
    for side in range(SIDES):
        state.dice[side, :] = 0
        state.lent[side] = state.failed[side] = state.pulses[side] = 0
        state.staff[side] = min(state.staff[side], tables.army[side].staff_orders)
    state.phase, state.side = records.ROLLING, 0
    if state.turn < tables.turn_limit:
        state.turn += 1
        return
    lost = tables.army[0].morale - state.morale[0] - (tables.army[1].morale - state.morale[1])
    end_match(state, records.NOBODY if lost == 0 else 0 if lost < 0 else 1, records.TURN_LIMIT)


# --- payment and orders -----------------------------------------------------------------------------------------------


def pay(tables: Record, state: Record, kind: int, shown: int) -> None:
    """Pay for an order, with a die that shows a face or otherwise, or end the pulse (Friendly Command Pulse)."""
    side = state.side
    if kind == records.END:
        end_pulse(tables, state)
    elif kind == records.INSTANT:
        state.dice[side, D6] -= shown
        state.staff[side] += shown - 1
        state.spent += 1
    elif kind == records.STAFF_ORDER:
        state.staff[side] -= 1
        state.credit = records.STAFF
    else:
        state.spent += 1
        state.credit = records.COMMAND
        if kind == records.LENT:
            state.lent[side] -= 1
        else:
            state.dice[side, shown] -= 1
            if state.chain == 0 and shown != D6:
                state.chain = shown


def give_order(tables: Record, state: Record, kind: int, unit: int, other: int, dice: Record) -> None:
    """Give the order that was paid for; `unit` may be a battery, and `other` an enemy or a direction (Orders)."""
    state.credit = records.NO_CREDIT
    if kind == records.REGROUP:
        state.unit[unit].suppressed = 0
    elif kind == records.MOVE or kind == records.DISENGAGE or kind == records.RALLY:
        form(tables, state, unit, records.TO_MOVE + kind - records.MOVE)
    elif kind == records.RESERVES:
        state.group.order = records.TO_RESERVES
        for own in units_of(tables, state.side):
            if state.unit[own].at == records.RESERVE:
                state.unit[own].member = 1
    elif kind == records.CALL or kind == records.SMOKE:
        mission = records.FIRE_MISSION if kind == records.CALL else records.SMOKE_MISSION
        call(tables, state, unit, mission, state.unit[other].at, dice)
    elif kind == records.ADJUST:
        state.battery[unit].aim = tables.adjacent[state.battery[unit].aim, other]
    elif kind == records.MAINTAIN:
        state.battery[unit].status = records.MAINTAINED


def form(tables: Record, state: Record, leader: int, order: int) -> None:
    """Form a command group around its leader (Command Groups)."""
    state.group.order, state.group.leader = order, leader
    for unit in range(tables.units):
        if can_join(tables, state, unit, leader, order):
            state.unit[unit].member = 1


def can_join(tables: Record, state: Record, unit: int, leader: int, order: int) -> bool:
    """Return whether a unit is in a command group: near enough, neither suppressed nor activated (Command Groups)."""
    own = state.unit[unit]
    if tables.side[unit] != tables.side[leader] or own.at < 0 or own.suppressed or own.activated:
        return False
    if order == records.TO_RALLY and own.dp == 0:
        return False
    return SQUARE_IN * SQUARE_IN * d2(tables, own.at, state.unit[leader].at) <= GROUP_IN * GROUP_IN


def group_points(tables: Record, state: Record, leader: int) -> int:
    """Return the disruption points of the units in a command group that rallies."""
    total = 0
    for unit in range(tables.units):
        if can_join(tables, state, unit, leader, records.TO_RALLY):
            total += state.unit[unit].dp
    return total


def begin_act(tables: Record, state: Record, unit: int) -> None:
    """Let a unit of the command group act, which ends what another one does (Command Groups)."""
    group, own, last = state.group, state.unit[unit], 0
    for other in range(tables.units):
        last = max(last, state.unit[other].used)
    own.used = last + 1
    own.activated, own.evading = 1, 0
    group.unit, group.task, group.pace = unit, records.NO_TASK, records.NO_PACE


def rally_unit(tables: Record, state: Record, unit: int, wild: int, dice: Record) -> None:
    """Rally a unit (Rallying, Rally Distance)."""
    own, side = state.unit[unit], tables.side[unit]
    spend_wild(state, side, wild)
    far = nearest(tables, state, 1 - side, own.at)
    inches2 = SQUARE_IN * SQUARE_IN * far
    number = FARTHEST_NUMBER if far == FAR else rally_number(inches2, bool(tables.lower_band))
    hidden = not is_seen(tables, state, 1 - side, own.at, False)
    own.dp -= rally(tables.army[side].rally_dice + wild + tables.cover[own.at] + hidden, number, own.dp, dice)


def rally(rally_dice: int, needed: int, dp: int, dice: Record) -> int:
    """Roll `rally_dice` that need `needed`; return how many of `dp` points that removes (Rallying)."""
    ours = roll_pool(dice, D6, rally_dice, needed)
    theirs = roll_pool(dice, D6, dp, TARGET_NUMBER)
    return min(int(dp), max(0, ours - theirs))


def rally_number(inches2: float, lower: bool) -> int:
    """Return the roll that a rally needs, by the squared inches to the nearest enemy (Rally Distance) [B-4].

    `lower` says that a distance on the edge of two bands is in the farther one; 36 inches clearly are beyond all.
    """
    needed = D6
    for edge in RALLY_BANDS_IN:
        edge2 = edge * edge
        if inches2 < edge2 or (inches2 == edge2 and not lower and needed > FARTHEST_NUMBER + 1):
            return needed
        needed -= 1
    return FARTHEST_NUMBER


def support(tables: Record, state: Record, kind: int, number: int, face: int, dice: Record) -> None:
    """Let a battery's mission fall in the Logistics Phase, maybe a square in a direction from its aim (Logistics)."""
    if kind == records.SHIFT:
        state.battery[number].aim = tables.adjacent[state.battery[number].aim, face]
    fall(tables, state, number, dice)
    if state.reason == records.NOT_OVER and waiting(tables, state, state.side) == records.NONE:
        next_pulse(tables, state)


# --- what is asked of a match -----------------------------------------------------------------------------------------


def to_move(state: Record) -> int:
    """Return the side that decides next: the other one while it may react; `NOBODY` if the match is over."""
    if state.reason != records.NOT_OVER:
        return records.NOBODY
    return int(1 - state.side if state.firer != records.NONE else state.side)


def facts(tables: Record, state: Record, out: Actions) -> None:
    """Write what is noted of a match that is over; see `aabalance.rulesets.base.match.FACTS`."""
    out[base.RESULT], out[base.REASON], out[base.PLAYER_TURNS] = state.winner, state.reason, SIDES * state.turn
    out[base.FIRST], out[base.ZONE] = state.opened, records.NONE
    for unit in range(tables.units):
        if state.unit[unit].at != records.GONE:
            out[base.LEFT_A + tables.side[unit]] += tables.card[unit].points
    for number in range(tables.batteries):
        out[base.LEFT_A + tables.battery_side[number]] += tables.battery_card[number].points
