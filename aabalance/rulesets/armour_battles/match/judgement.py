"""What a player may think: which actions are worth a look, which is the best, and what a state is worth.

Payment, order, unit, pace, square and target are decisions of their own here, so that what a state is worth says
nothing about most of them: one ply is blind. So each kind of action has a score, in disruption points, and of what
belongs to no unit's turn a single candidate is left, the one of the highest score.

In all functions `tables` and `state` are those of the match, `unit` and `enemy` are units, `side` is a side, `number`
is an action, `kind` its kind, `shown` the face of a die, `leader` that of a command group, `of` as in
`MatchRules.legal`, `one`, `other`, `square` and `aim` are squares, `face` is a direction, `pace` a pace, and `out`
takes the actions.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.actions import MOST_OTHERS, choices
from aabalance.rulesets.armour_battles.match.fire import can_fire, fire_dice, reaction_dice, target_number, wild_dice
from aabalance.rulesets.armour_battles.match.sight import d2, is_seen, nearest, towards, unit_on
from aabalance.rulesets.armour_battles.match.turns import can_join, group_points, to_move
from aabalance.rulesets.armour_battles.shot.pools import D6
from aabalance.rulesets.base.match import ALL, Actions, Record, is_barred, parts_of, units_of

WON = 1e6
FIRST, SURE, LAST = 100.0, 10.0, -1e3
"""Scores of what comes before all else, of what is done in any case, and of what is done if nothing else is left."""


def candidates(tables: Record, state: Record, of: int, follows: bool, out: Actions) -> int:
    """Write the actions that are worth a look; see `aabalance.rulesets.base.match_rules.MatchRules`.

    `ALL` are all that are legal: search finds a use for a die or a reaction that no score knows. For `NO_UNIT` it is
    the one of the highest score, and for a unit alone none: its turn is no plan that could be judged by itself.
    """
    if of >= 0:
        return 0
    count = choices(tables, state, out)
    if of == ALL:
        return count
    best, chosen = -np.inf, out[0]
    for at in range(count):
        worth = score(tables, state, out[at]) - WON * is_barred(tables, to_move(state), out[at])
        if worth > best:
            best, chosen = worth, out[at]
    out[0] = chosen
    return 1


def score(tables: Record, state: Record, number: int) -> float:
    """Return what a player thinks of an action."""
    kind, unit, other, at, _ = parts_of(number)
    weight = tables.weight
    if kind <= records.END:
        return payment(tables, state, kind, at)
    if kind <= records.MAINTAIN:
        return order(tables, state, kind, unit, other)
    if kind == records.ACT:
        best = best_shot(tables, state, unit, state.unit[unit].at, at)
        if at == records.STAY:
            return best if best >= weight.stays else 0.0
        return weight.stays / 2 if at == records.SINGLE else LAST
    if kind == records.TO or kind == records.ENTER:
        return FIRST + standing(tables, state, unit, at)
    if kind == records.FIRE:
        return LAST if at > 0 else FIRST + shot(tables, state, unit, state.unit[unit].at, other, state.group.pace)
    if kind == records.FACE:
        return turning(tables, state, unit, other)
    if kind == records.SCOOT or kind == records.RALLY_UNIT:
        return LAST if at > 0 else SURE
    if kind == records.REACT or kind == records.BREAK_OFF:
        return LAST if at > 0 else 1.0 if kind == records.BREAK_OFF else 0.0
    if kind == records.HOLD or kind == records.SHIFT:
        aim = state.battery[unit].aim
        return under(tables, state, tables.adjacent[aim, other] if kind == records.SHIFT else aim)
    return LAST if kind != records.CLOSE else LAST + 1.0


def payment(tables: Record, state: Record, kind: int, shown: int) -> float:
    """Return the score of a payment: a die as long as somebody can act, staff orders for missions."""
    side = state.side
    if kind == records.STAFF_ORDER:
        return FIRST if best_call(tables, state, side) > 0.0 else LAST
    if kind == records.INSTANT:
        return LAST
    busy = has_orders(tables, state, side)
    if kind == records.LENT:
        return SURE + D6 if busy else LAST
    if kind == records.DIE:
        # A 6 is kept longest: it is a wild die. Where nobody can act, a die has to be paid all the same.
        spare = state.dice[side, shown] - (D6 if shown == D6 else 0)
        return float((SURE if busy else LAST + D6) + spare / D6)
    return 0.0


def has_orders(tables: Record, state: Record, side: int) -> bool:
    """Return whether a side has a unit that an order would help."""
    for unit in units_of(tables, side):
        own = state.unit[unit]
        if own.at == records.RESERVE and not state.failed[side]:
            return True
        if own.at >= 0 and (not own.activated if not own.suppressed else tables.clears == records.REGROUPS):
            return True
    return False


def order(tables: Record, state: Record, kind: int, unit: int, other: int) -> float:
    """Return the score of an order; `other` is an enemy, or a direction."""
    weight = tables.weight
    if kind == records.REGROUP:
        return float(weight.regroup)
    if kind == records.RESERVES:
        return float(weight.reserves)
    if kind == records.MOVE:
        return group_shots(tables, state, unit)
    if kind == records.RALLY:
        return float(weight.rally * group_points(tables, state, unit))
    if kind == records.CALL:
        near = under(tables, state, state.unit[other].at)
        return weight.call + near if near > 0 else LAST
    if kind == records.MAINTAIN and state.battery[unit].mission == records.FIRE_MISSION:
        return float(weight.call / 2 + under(tables, state, state.battery[unit].aim))
    if kind == records.PASS:
        return LAST + 1.0
    return LAST


def group_shots(tables: Record, state: Record, leader: int) -> float:
    """Return the score of the best four shots of a command group, of which each counts for a little at least."""
    best = np.zeros(MOST_OTHERS + 1)
    for unit in range(tables.units):
        if can_join(tables, state, unit, leader, records.TO_MOVE):
            worth = best_shot(tables, state, unit, state.unit[unit].at, records.STAY)
            worth = max(worth, tables.weight.least_shot)
            for at in range(len(best)):
                if worth > best[at]:
                    best[at], worth = worth, best[at]
    return float(np.sum(best))


def best_call(tables: Record, state: Record, side: int) -> float:
    """Return the most that a free battery of a side would hit, if it were called; 0 without one."""
    best = 0.0
    for number in range(tables.batteries):
        if tables.battery_side[number] != side or state.battery[number].mission != records.NO_MISSION:
            continue
        for enemy in units_of(tables, 1 - side):
            at = state.unit[enemy].at
            if at >= 0 and under(tables, state, at) > best and is_seen(tables, state, side, at, True):
                best = under(tables, state, at)
    return best


def under(tables: Record, state: Record, aim: int) -> float:
    """Return how many more enemies than own units of the side on turn are in the area of a mission."""
    total = 0.0
    for across, down in records.AREA:
        unit = unit_on(tables, state, tables.x[aim] + across, tables.y[aim] + down)
        if unit != records.NONE:
            total += -1.0 if tables.side[unit] == state.side else 1.0
    return total


# --- shots ------------------------------------------------------------------------------------------------------------


def shot(tables: Record, state: Record, unit: int, one: int, enemy: int, pace: int) -> float:
    """Return what a shot from a square after a move at a pace is worth; 0 if there is none."""
    if not can_fire(tables, state, unit, one, enemy, pace):
        return 0.0
    other = state.unit[enemy]
    mean = toll(tables, state, unit, one, enemy, other.at, other.face, fire_dice(tables, state, unit, pace))
    return float(mean * (1.0 + tables.weight.worn * other.dp))


def toll(tables: Record, state: Record, unit: int, one: int, enemy: int, other: int, face: int, number: int) -> float:
    """Return the mean points of `number` dice of a unit in `one` at an enemy in `other` that faces so."""
    needed = target_number(tables, unit, one, face, other)
    reaction = min(reaction_dice(tables, state, enemy, one, other), records.MOST_REACTION_DICE)
    return float(tables.toll[number, needed, reaction, int(state.unit[enemy].suppressed)])


def best_shot(tables: Record, state: Record, unit: int, square: int, pace: int) -> float:
    """Return what the best shot of a unit from a square is worth; 0 if there is none."""
    best = 0.0
    for enemy in units_of(tables, 1 - tables.side[unit]):
        best = max(best, shot(tables, state, unit, square, enemy, pace))
    return best


def standing(tables: Record, state: Record, unit: int, square: int) -> float:
    """Return what it is worth to a unit to go to a square: whom it can hit, who can hit it, and what is near."""
    own, weight, side = state.unit[unit], tables.weight, tables.side[unit]
    fires = state.group.order == records.TO_MOVE and state.group.move <= records.THREE
    face = towards(tables, own.at, square) if fires and own.at >= 0 else own.face
    total = best_shot(tables, state, unit, square, state.group.pace) if fires else 0.0
    first, second = 0.0, 0.0
    for enemy in units_of(tables, 1 - side):
        there = state.unit[enemy].at
        if there < 0 or state.unit[enemy].suppressed:
            continue
        number = fire_dice(tables, state, enemy, records.STAY)
        if number < 1 or d2(tables, there, square) > tables.card[enemy].reach[2]:
            continue
        if tables.sight[there, square]:
            worth = toll(tables, state, enemy, there, unit, square, face, number)
            first, second = max(first, worth), max(second, min(first, worth))
    total -= weight.danger * (first + second)
    total += weight.cover * tables.cover[square]
    return float(total - weight.far * np.sqrt(nearest(tables, state, 1 - side, square)))


def turning(tables: Record, state: Record, unit: int, face: int) -> float:
    """Return the score of turning: towards the nearest enemy, where there is nobody to fire at."""
    here, found, least = state.unit[unit].at, records.NONE, 1 << 30
    for enemy in units_of(tables, 1 - tables.side[unit]):
        there = state.unit[enemy].at
        if there >= 0 and d2(tables, here, there) < least:
            found, least = there, d2(tables, here, there)
    return SURE if found != records.NONE and towards(tables, here, found) == face else LAST


# --- states -----------------------------------------------------------------------------------------------------------


def value(tables: Record, state: Record, side: int, of: int) -> float:
    """Return what a state is worth to a side; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if state.reason != records.NOT_OVER:
        return 0.0 if state.winner == records.NOBODY else (WON if state.winner == side else -WON)
    weight = tables.weight
    total = float(state.morale[side] - state.morale[1 - side])
    total += weight.wild * (wild_dice(state, side) - wild_dice(state, 1 - side))
    for unit in range(tables.units):
        own = state.unit[unit]
        if own.at != records.GONE:
            left = 1.0 - weight.dp * own.dp - weight.suppressed * own.suppressed
            total += left if tables.side[unit] == side else -left
    return float(total)
