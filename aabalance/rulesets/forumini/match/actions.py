"""Which actions a side has (Movement, Combat, Defensive Fire).

In all functions `tables` and `state` are those of the match, `unit` is the unit that acts, `of` as in
`MatchRules.legal`, `kind` a kind of action, `other` a unit or a direction, `at` and `here` are hexes. `out` takes the
actions, and `count` is how many it has.
"""

from __future__ import annotations

from aabalance.rulesets.base.match import ALL, NO_UNIT, Actions, Record, action_of, parts_of, units_of, write
from aabalance.rulesets.forumini.match import records
from aabalance.rulesets.forumini.match.fire import can_attack, can_barrage, has_cover, may_shoot, sees
from aabalance.rulesets.forumini.match.hexes import distance
from aabalance.rulesets.forumini.match.movement import CLOSED, has_room, in_good_order, speed, step_cost
from aabalance.rulesets.forumini.match.turns import waiting
from aabalance.rulesets.forumini.shot.rules import COUNTERS

MOST_ACTIONS = 1 << 13
"""More than any side can have: 64 units with 14 turns and steps each, 64 targets, 64 hexes."""


def actor(action: int) -> int:
    """Return the unit that acts; `NO_UNIT` for choices of a side, passing, and the end of its part of a phase."""
    kind, unit, _, _, _ = parts_of(action)
    return unit if records.PLACE <= kind < records.PASS else NO_UNIT


def legal(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write legal actions; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    count = 0
    if of < 0:
        count = of_side(tables, state, out)
    if state.phase == records.DEPLOYING:
        unit = waiting(tables, state)
        return places(tables, state, unit, out, count) if of in (ALL, unit) else count
    if of == NO_UNIT or (state.phase != records.MOVEMENT and state.phase != records.ASSAULT):
        return count
    if of >= 0:
        return of_unit(tables, state, of, out, count)
    for unit in range(tables.units):
        count = of_unit(tables, state, unit, out, count)
    return count


def of_side(tables: Record, state: Record, out: Actions) -> int:
    """Write what belongs to no unit; return the number of actions then."""
    phase = state.phase
    if phase == records.STARTING:
        return write(out, 0, records.START)
    if phase == records.CHOOSING or phase == records.ORDERING:
        return write(out, write(out, 0, records.FIRST), records.SECOND)
    if phase == records.PICKING:
        return write(out, write(out, 0, records.WEST), records.EAST)
    if phase == records.DEPLOYING or phase == records.OVER:
        return 0
    if state.under_fire:
        return write(out, 0, records.PASS)
    busy = state.moving != records.NONE or state.aiming != records.NONE
    return 0 if busy else write(out, 0, records.END)


def places(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write where a unit may be deployed (Initial Deployment); return the number of actions then."""
    west = tables.side[unit] == state.west
    kind = tables.card[unit].kind
    for at in range(tables.hexes):
        column = at % tables.width
        in_zone = column < tables.deploy if west else column >= tables.width - tables.deploy
        ground = tables.ground[at]
        open_to = in_zone and ground != records.NONE and tables.chart[ground].cost[kind] > 0
        if open_to and has_room(tables, state, unit, at):
            count = write(out, count, action_of(records.PLACE, unit, 0, at))
    return count


def of_unit(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write what a unit may do; return the number of actions then."""
    own = state.unit[unit]
    if own.at < 0:
        return count
    if state.under_fire:
        if may_shoot(tables, state, unit):
            count = write(out, count, action_of(records.FIRE, unit))
        return count
    if tables.side[unit] != state.active:
        return count
    if state.moving != records.NONE or state.aiming != records.NONE:
        if state.moving == unit:
            return stops(tables, state, unit, out, steps(tables, state, unit, out, count))
        return aims(tables, state, unit, out, count) if state.aiming == unit else count
    if own.watch != records.NONE:
        count = write(out, count, action_of(records.UNWATCH, unit))
    if own.act == records.NOTHING:
        if speed(tables, state, unit) > 0:
            count = turns(tables, state, unit, out, steps(tables, state, unit, out, count))
        count = postures(tables, state, unit, out, count)
    return attacks(tables, state, unit, out, count)


def steps(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write which steps a unit can make (General Movement 5); return the number of actions then."""
    for direction in range(len(records.DIRECTIONS)):
        if step_cost(tables, state, unit, tables.adjacent[state.unit[unit].at, direction]) != CLOSED:
            count = write(out, count, action_of(records.GO, unit, direction))
    return count


def stops(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write how a unit may end its move in a hex with room, vehicles with any facing; return the number then."""
    if not has_room(tables, state, unit, state.unit[unit].at):
        return count
    faces = tables.card[unit].kind == records.VEHICLE
    first, end = (0, records.NO_FACE) if faces else (records.NO_FACE, records.NO_FACE + 1)
    for face in range(first, end):
        count = write(out, count, action_of(records.STOP, unit, face))
    return count


def turns(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write where a vehicle may turn in its hex (Vehicle Movement 3) [F-18]; return the number of actions then."""
    own = state.unit[unit]
    for direction in range(len(records.DIRECTIONS)):
        if own.face != records.NO_FACE and own.face != direction:
            count = write(out, count, action_of(records.FACE, unit, direction))
    return count


def postures(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write which markers a unit may take or give up (Hit the Dirt, Hull Down, Overwatch); return the number then."""
    own, card = state.unit[unit], tables.card[unit]
    if not in_good_order(tables, state, unit):
        return count
    if card.kind == records.SOLDIER:
        count = write(out, count, action_of(records.RISE if own.mark == records.DIRT else records.LIE, unit))
    elif own.mark != records.HULL and has_cover(tables, state, unit):
        count = write(out, count, action_of(records.HIDE, unit))
    if own.watch == records.NONE and card.aim > 0 and has_watch_left(tables, state, tables.side[unit]):
        count = write(out, count, action_of(records.WATCH, unit))
    return count


def has_watch_left(tables: Record, state: Record, side: int) -> bool:
    """Return whether one more unit of a side may be in Overwatch: two per hundred points of its army [F-32]."""
    left = tables.watches[side]
    for unit in units_of(tables, side):
        if state.unit[unit].watch != records.NONE:
            left -= 1
    return bool(left > 0)


def aims(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write at which hexes a unit in Overwatch may aim; return the number of actions then."""
    for at in range(tables.hexes):
        if can_aim(tables, unit, state.unit[unit].at, at):
            count = write(out, count, action_of(records.AIM, unit, 0, at))
    return count


def can_aim(tables: Record, unit: int, here: int, at: int) -> bool:
    """Return whether a unit in Overwatch may aim from one hex at another (Overwatch 1)."""
    return at != here and sees(tables, here, at) and distance(tables, here, at) <= tables.card[unit].aim


def attacks(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write whom a unit may attack, and which hexes (F. Assault, Direct Fire 1, Indirect Fire) [F-37, F-38, F-42]."""
    own, card = state.unit[unit], tables.card[unit]
    free = own.act == records.NOTHING or (own.act == records.FIRED and own.shots < card.attacks)
    if state.phase != records.ASSAULT or not free or own.mark == records.DIRT:
        return count
    start = count
    for enemy in units_of(tables, 1 - tables.side[unit]):
        other = state.unit[enemy]
        if other.at < 0 or other.down == COUNTERS:
            continue
        if can_attack(tables, state, unit, enemy):
            count = write(out, count, action_of(records.ATTACK, unit, enemy))
        if card.indirect and can_barrage(tables, state, unit, enemy):
            shell = action_of(records.BARRAGE, unit, 0, other.at)
            known = False
            for at in range(start, count):
                known = known or out[at] == shell
            if not known:
                count = write(out, count, shell)
    return count
