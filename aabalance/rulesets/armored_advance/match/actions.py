"""Which actions a side has.

In all functions `tables` and `state` are those of the match, `unit` is the unit that acts, `other` a second one,
`target` an enemy, `square` a square and `extra` a weapon, a facing or a third unit. `out` takes the actions, and
`count` is how many it has. `kind` is a kind of action, `actions` a number of them; `crew` is from `fire.crews`,
`squares` from `movement.occupied`.
"""

from __future__ import annotations

from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.fire import (
    THROWN,
    crews,
    may_attack,
    may_hit_squad,
    scouted,
    slot_is_free,
)
from aabalance.rulesets.armored_advance.match.movement import (
    FOUND,
    FREE_PLACE,
    STANDING,
    allowance,
    gun_in_tow,
    has_free_move,
    may_face,
    may_stand,
    occupied,
    reach,
)
from aabalance.rulesets.armored_advance.match.sight import d2, in_arc, is_by, line, sees
from aabalance.rulesets.base.match import ALL, NO_UNIT, Actions, Record, action_of, parts_of, units_of, write

MOST_ACTIONS = records.MOST_UNITS * records.MOST_SQUARES * len(records.FACINGS)
"""More than any side can have: each of its units has fewer moves than there are squares and facings, and the share of
an enemy is more than all free moves and attacks."""


def actor(action: int) -> int:
    """Return the unit that an action is a part of the turn of; `NO_UNIT` for roll-offs, zones and the end of a turn."""
    kind, unit, _, _, _ = parts_of(action)
    return unit if records.PLACE <= kind < records.END else NO_UNIT


def legal(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write legal actions; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if state.phase != records.PLAYING:
        return before(tables, state, of, out)
    count, crew = 0, crews(tables, state)
    for unit in units_of(tables, state.to_move):
        if of in (ALL, unit) and state.unit[unit].hp > 0:
            count = of_unit(tables, state, unit, True, crew, out, count)
    if of < 0:
        count = write(out, count, records.END)
    return count


def before(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write the actions before the battle: the roll-off, the choice of a zone, deployment (p. 22)."""
    if of >= 0:
        return placements(tables, state, of, out) if state.phase == records.DEPLOYING else 0
    if state.phase == records.ROLLING_OFF:
        out[0] = records.ROLL_OFF
        return 1
    if state.phase == records.CHOOSING:
        for zone in range(records.ZONES):
            out[zone] = action_of(records.ZONE, 0, zone)
        return records.ZONES
    return placements(tables, state, ALL, out)


def placements(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write where the side that deploys may place its units, or one of them (p. 22)."""
    count, zone = 0, tables.zone[state.zone[state.to_move]]
    squares = occupied(tables, state, state.to_move)
    for unit in units_of(tables, state.to_move):
        if of not in (ALL, unit) or not is_unplaced(state, unit):
            continue
        for y in range(zone[1], zone[3] + 1):
            for x in range(zone[0], zone[2] + 1):
                square = x + y * tables.width
                if may_stand(tables, state, unit, square, squares):
                    count = write(out, count, action_of(records.PLACE, unit, 0, square))
    return count


def is_unplaced(state: Record, unit: int) -> bool:
    """Return whether a unit still has to be placed."""
    own = state.unit[unit]
    return bool(own.hp > 0 and own.at == records.NONE and own.aboard == records.NONE and own.towed == records.NONE)


def can_spend(tables: Record, state: Record, unit: int, actions: int) -> bool:
    """Return whether a unit and its side have so many actions left; squads take none of their side's (pp. 4, 17)."""
    card = tables.card[unit]
    side_can = card.kind == records.SQUAD or actions <= state.left
    return bool(side_can and state.unit[unit].used + actions <= card.actions)


def is_fresh(state: Record, unit: int) -> bool:
    """Return whether a unit has done nothing before in this turn (pp. 12, 15, 21)."""
    return bool(state.unit[unit].used == 0 and state.unit[unit].freed == 0)


def of_unit(tables: Record, state: Record, unit: int, moving: bool, crew: Actions, out: Actions, count: int) -> int:
    """Write what a unit may do, with its moves if it is `moving`; return the number of actions then."""
    own, card = state.unit[unit], tables.card[unit]
    if own.at == records.NONE:
        return getting_down(tables, state, unit, out, count)
    # After setting up, nothing is done (p. 15).
    if own.set_up == 1 or (card.kind == records.GUN and crew[unit] == records.NONE):
        return count
    if moving and own.still == 0:
        squares = occupied(tables, state, tables.side[unit])
        if can_spend(tables, state, unit, 1):
            count = moves(tables, state, unit, records.MOVE, squares, out, count)
        if has_free_move(tables, state, unit):
            count = moves(tables, state, unit, records.FREE, squares, out, count)
    if can_spend(tables, state, unit, 1):
        count = attacks(tables, state, unit, crew, out, count)
        count = carrying(tables, state, unit, out, count)
    if card.scout and can_spend(tables, state, unit, tables.scout_costs_action):
        count = scouting(tables, state, unit, out, count)
    return count


def moves(tables: Record, state: Record, unit: int, kind: int, squares: Actions, out: Actions, count: int) -> int:
    """Write the moves, or free moves, of a unit, with the facings at their ends; return the number of actions then."""
    own, card = state.unit[unit], tables.card[unit]
    tenths = allowance(tables, state, unit, kind == records.FREE)
    several = reach(tables, state, unit, kind == records.FREE, squares)
    first, end = (0, records.NO_FACING) if card.faces else (records.NO_FACING, records.NO_FACING + 1)
    for at in range(several):
        square = squares[FOUND, at]
        if square != own.at and squares[STANDING, square] != FREE_PLACE:
            continue
        for facing in range(first, end):
            if may_face(tables, state, unit, square, facing, tenths, squares):
                count = write(out, count, action_of(kind, unit, 0, square, facing))
    return count


def attacks(tables: Record, state: Record, unit: int, crew: Actions, out: Actions, count: int) -> int:
    """Write the attacks of a unit, its setting up and its demolitions; return the number of actions then."""
    own, card = state.unit[unit], tables.card[unit]
    aims = card.accurate and is_fresh(state, unit) and can_spend(tables, state, unit, 2)
    uses_crew = card.kind == records.GUN and tables.gun_fire_uses_crew_action
    crew_is_busy = uses_crew and state.unit[crew[unit]].used  # AA-63
    for target in units_of(tables, 1 - tables.side[unit]):
        enemy = state.unit[target]
        if enemy.at == records.NONE or crew_is_busy:
            continue
        for weapon in range(card.weapons):
            arm = card.weapon[weapon]
            if not slot_is_free(tables, state, unit, weapon):
                continue
            can_aim = bool(aims and arm.primary and arm.kind != records.AI)
            can_lob = bool(own.set_up == 2 and arm.lob_d2 != records.NONE)
            ways = True, can_aim, can_lob
            for way in range(THROWN):
                if ways[way] and may_attack(tables, state, unit, target, weapon, way, crew):
                    count = write(out, count, action_of(records.SHOOT + way, unit, target, 0, weapon))
        if own.grenades > 0 and tables.card[target].kind == records.SQUAD:
            reached = d2(tables, own.at, enemy.at) <= tables.grenade_d2 and not line(tables, own.at, enemy.at)[0]
            if reached and may_hit_squad(tables, state, unit, target, crew):
                count = write(out, count, action_of(records.THROW, unit, target, 0, records.GRENADE_SLOT))
    if card.indirect and own.set_up == 0 and is_fresh(state, unit) and can_spend(tables, state, unit, card.actions):
        count = write(out, count, action_of(records.SET_UP, unit))
    demolishes = card.support and card.kind == records.VEHICLE and own.reload == 0
    if demolishes and is_fresh(state, unit) and can_spend(tables, state, unit, 2):
        count = demolitions(tables, state, unit, out, count)
    return count


def demolitions(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write the tank traps that a unit may demolish (p. 21); return the number of actions then."""
    own, card = state.unit[unit], tables.card[unit]
    most_d2 = min(tables.demolish_d2, card.weapon[0].most_d2)
    for trap in range(tables.traps):
        square = tables.trap[trap]
        reached = not state.cleared[trap] and d2(tables, own.at, square) <= most_d2
        if reached and in_arc(tables, card, own.at, own.f, square) and sees(tables, own.at, square):
            count = write(out, count, action_of(records.DEMOLISH, unit, 0, square))
    return count


def scouting(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write for whom a unit may scout, and whom (p. 11); return the number of actions then."""
    own = state.unit[unit]
    for enemy in units_of(tables, 1 - tables.side[unit]):
        seen = state.unit[enemy]
        if seen.at == records.NONE or tables.card[enemy].kind == records.SQUAD:
            continue
        bonus = scout_bonus(tables, d2(tables, own.at, seen.at))
        if bonus == 0 or not sees(tables, own.at, seen.at):
            continue
        for friend in units_of(tables, tables.side[unit]):
            helped = state.unit[friend]
            if (
                friend != unit
                and helped.at != records.NONE
                and tables.card[friend].armed
                and scouted(state, friend, enemy) < bonus
            ):
                count = write(out, count, action_of(records.SCOUT, unit, enemy, 0, friend))
    return count


def scout_bonus(tables: Record, far: int) -> int:
    """Return what a scout adds at a squared distance, 0 beyond 60 inches (p. 11)."""
    bonus = 0
    for most in tables.scout_d2:
        bonus += far <= most
    return int(bonus)


def carrying(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write what a transport may load, and which gun hitch (pp. 12, 13, 18); return the number of actions then."""
    own, card = state.unit[unit], tables.card[unit]
    room, towing = card.apc, card.towing and gun_in_tow(tables, state, unit) == records.NONE
    towing = towing and tables.ground[own.at] != records.WATER
    for other in range(tables.units):
        if state.unit[other].aboard == unit:
            room -= 1
    for other in units_of(tables, tables.side[unit]):
        kind = tables.card[other].kind
        if other == unit or not is_by(tables, state, other, own.at):
            continue
        if kind == records.SQUAD and room > 0:
            count = write(out, count, action_of(records.LOAD, unit, other))
        elif kind == records.GUN and towing:
            count = write(out, count, action_of(records.HITCH, unit, other))
    return count


def getting_down(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write where a squad may get out, or a gun be dropped (pp. 12, 13, 18); return the number of actions then."""
    own = state.unit[unit]
    kind, facings = (records.DROP, records.NO_FACING) if own.aboard == records.NONE else (records.EXIT, 1)
    at = state.unit[max(own.aboard, own.towed)].at
    squares = occupied(tables, state, tables.side[unit])
    for y in range(max(0, tables.y[at] - 1), min(tables.height, tables.y[at] + 2)):
        for x in range(max(0, tables.x[at] - 1), min(tables.width, tables.x[at] + 2)):
            square = x + y * tables.width
            if may_stand(tables, state, unit, square, squares):
                for facing in range(facings):
                    count = write(out, count, action_of(kind, unit, 0, square, facing))
    return count
