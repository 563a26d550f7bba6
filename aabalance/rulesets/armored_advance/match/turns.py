"""What an action does, and how turns and the match end.

In all functions `tables` and `state` are those of the match, `unit` is the unit that acts, or that something happens
to, `other` and `target` are other units, `friend` and `enemy` those of a scout, `side`, `winner` and `last` are
sides, `square` is a square, `facing` a facing, `weapon` the number of a weapon, `way` as in `fire`, `kind` a kind of
action, `free` says that a move is free, `lost` are hit points or men, `bonus` is what a scout adds, `reason` why a
match ended, and `dice` are those of the action.
"""

from __future__ import annotations

from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.actions import is_unplaced, scout_bonus
from aabalance.rulesets.armored_advance.match.fire import AIMED, D3, D6, THROWN, crews, fire
from aabalance.rulesets.armored_advance.match.movement import COSTS, may_stand, occupied, reach
from aabalance.rulesets.armored_advance.match.sight import d2, is_by
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import Actions, Record, higher, may_hold, parts_of, result, roll, units_of

TRAPS_D2 = 9
"""Squared distance up to which traps fall together: 3 inches (p. 21)."""
EXIT_TENTHS = 10


def apply(tables: Record, state: Record, action: int, dice: Record) -> None:
    """Change a state by a legal action; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    kind, unit, other, square, extra = parts_of(action)
    if kind == records.END:
        end_turn(tables, state)
    elif kind < records.MOVE:
        deploy(tables, state, kind, unit, other, square, dice)
    elif kind == records.MOVE or kind == records.FREE:
        move(tables, state, unit, square, extra, kind == records.FREE)
    elif kind <= records.THROW:
        attack(tables, state, unit, other, extra, kind - records.SHOOT, dice)
    elif kind == records.SCOUT:
        spend(tables, state, unit, tables.scout_costs_action)
        scout(state, extra, other, scout_bonus(tables, d2(tables, state.unit[unit].at, state.unit[other].at)))
    elif kind == records.SET_UP:
        spend(tables, state, unit, tables.card[unit].actions)
        state.unit[unit].set_up, state.unit[unit].still = 1, 1
    elif kind == records.DEMOLISH:
        spend(tables, state, unit, 2)
        state.unit[unit].fired[tables.card[unit].weapon[0].slot] += 1
        for trap in range(tables.traps):
            if d2(tables, square, tables.trap[trap]) <= TRAPS_D2:
                state.cleared[trap] = 1
    else:
        carry(tables, state, kind, unit, other, extra, square)


def spend(tables: Record, state: Record, unit: int, actions: int) -> None:
    """Take actions from a unit and, but for squads, from its side (pp. 4, 17)."""
    state.unit[unit].used += actions
    if actions > 0:
        if state.unit[unit].first == records.NOTHING_YET:
            state.unit[unit].first = records.DONE_OTHER
        if tables.card[unit].kind != records.SQUAD:
            state.left -= actions


def move(tables: Record, state: Record, unit: int, square: int, facing: int, free: bool) -> None:
    """Move a unit to a square and turn it (pp. 4, 13, 14, 20)."""
    own = state.unit[unit]
    if square != own.at:
        squares = occupied(tables, state, tables.side[unit])
        reach(tables, state, unit, free, squares)
        own.tenths += squares[COSTS, square]
        own.set_up = 0
    if free:
        own.freed = 1
    else:
        own.marches += 1
        if square != own.at:
            own.moves += 1
        if own.first == records.NOTHING_YET:
            own.first = records.MOVED
        spend(tables, state, unit, 1)
    own.at = square
    own.f = facing


# --- attacks ----------------------------------------------------------------------------------------------------------


def attack(tables: Record, state: Record, unit: int, target: int, weapon: int, way: int, dice: Record) -> None:
    """Fire a weapon at an enemy, or throw a grenade (pp. 5 to 18)."""
    own, card, crew = state.unit[unit], tables.card[unit], crews(tables, state)
    lost = fire(tables, state, unit, target, weapon, way, crew, dice)
    spend(tables, state, unit, 2 if way == AIMED else 1)
    if tables.gun_fire_uses_crew_action and card.kind == records.GUN:
        state.unit[crew[unit]].used = 1
    if way == AIMED:
        own.still = 1
    if way == THROWN:
        own.grenades -= 1
    own.fired[records.GRENADE_SLOT if way == THROWN else card.weapon[weapon].slot] += 1
    lose(tables, state, target, lost, dice)


def lose(tables: Record, state: Record, unit: int, lost: int, dice: Record) -> None:
    """Take hit points or men from a unit, and destroy it if none is left (p. 9)."""
    if lost <= 0:
        return
    own = state.unit[unit]
    state.last_loss = state.turn
    own.hp = max(0, own.hp - lost)
    if own.hp == 0:
        destroy(tables, state, unit, dice)
    if tables.mode != records.DOMINATION and not has_force(tables, state, tables.side[unit]):
        end_match(state, 1 - tables.side[unit], records.ANNIHILATED)


def destroy(tables: Record, state: Record, unit: int, dice: Record) -> None:
    """Take a unit off the board; what it tows stands in its place, and what it carries gets out (pp. 12, 13, 18)."""
    at, facing = state.unit[unit].at, state.unit[unit].f
    state.unit[unit].at = records.NONE
    for other in range(tables.units):
        own = state.unit[other]
        if own.towed == unit:
            own.towed, own.at = records.NONE, at
            own.f = 0 if facing == records.NO_FACING else facing
    for other in range(tables.units):
        own = state.unit[other]
        if own.aboard == unit:
            own.aboard = records.NONE
            own.hp = max(0, own.hp - (roll(dice, D3) - 1))
            if own.hp > 0:
                own.at = nearest(tables, state, other, at)
                own.stunned = 1


def nearest(tables: Record, state: Record, unit: int, wreck: int) -> int:
    """Return the free square nearest to a wreck that a unit may enter: by row, then by column (pp. 12, 18)."""
    squares = occupied(tables, state, tables.side[unit])
    best, least = wreck, 1 << 30
    for square in range(tables.width * tables.height):
        far = d2(tables, wreck, square)
        if far < least and may_stand(tables, state, unit, square, squares):
            best, least = square, far
    return best


def has_force(tables: Record, state: Record, side: int) -> bool:
    """Return whether a side has a vehicle, or a gun where guns count (p. 23)."""
    for unit in units_of(tables, side):
        kind = tables.card[unit].kind
        counts = kind == records.VEHICLE or (kind == records.GUN and tables.annihilation_counts_guns)
        if counts and state.unit[unit].hp > 0:
            return True
    return False


# --- scouts, transports, guns -----------------------------------------------------------------------------------------


def scout(state: Record, friend: int, enemy: int, bonus: int) -> None:
    """Note what a scout adds to the rolls of a friend against an enemy (p. 11)."""
    at = 0
    while at < state.scouts and not (state.scouted[at].friend == friend and state.scouted[at].enemy == enemy):
        at += 1
    state.scouts = max(state.scouts, at + 1)
    state.scouted[at].friend, state.scouted[at].enemy, state.scouted[at].bonus = friend, enemy, bonus


def carry(tables: Record, state: Record, kind: int, unit: int, other: int, facing: int, square: int) -> None:
    """Load or let out a squad, hitch or drop a gun (pp. 12, 13, 18)."""
    own = state.unit[unit]
    if kind == records.LOAD:
        spend(tables, state, unit, 1)
        state.unit[other].at, state.unit[other].aboard = records.NONE, unit
    elif kind == records.HITCH:
        spend(tables, state, unit, 1)
        state.unit[other].at, state.unit[other].towed, state.unit[other].set_up = records.NONE, unit, 0
    elif kind == records.EXIT:
        own.at, own.aboard = square, records.NONE
        own.used, own.tenths = 1, own.tenths + EXIT_TENTHS
    else:
        own.at, own.towed, own.f = square, records.NONE, facing


# --- before the battle ------------------------------------------------------------------------------------------------


def deploy(tables: Record, state: Record, kind: int, unit: int, other: int, square: int, dice: Record) -> None:
    """Roll off for the zones, choose one, or place a unit (p. 22)."""
    if kind == records.ROLL_OFF:
        state.to_move, state.phase = higher(dice, D6), records.CHOOSING
    elif kind == records.ZONE:
        state.zone[state.to_move], state.zone[1 - state.to_move] = other, 1 - other
        state.phase = records.DEPLOYING
        next_to_place(tables, state, 1 - state.to_move, dice)
    else:
        own = state.unit[unit]
        own.at = square
        own.f = tables.zone_facing[state.zone[state.to_move]] if tables.card[unit].faces else records.NO_FACING
        next_to_place(tables, state, state.to_move, dice)


def next_to_place(tables: Record, state: Record, last: int, dice: Record) -> None:
    """Let the other side place a unit, or the same if the other has none left; begin the battle if nobody has."""
    for side in (1 - last, last):
        for unit in units_of(tables, side):
            if is_unplaced(state, unit):
                state.to_move = side
                return
    begin(tables, state, higher(dice, D6) if tables.first == records.NOBODY else tables.first)


def begin(tables: Record, state: Record, side: int) -> None:
    """Begin the battle with the turn of a side."""
    state.phase, state.turn, state.first = records.PLAYING, 1, side
    begin_turn(tables, state, side)


# --- turns ------------------------------------------------------------------------------------------------------------


def begin_turn(tables: Record, state: Record, side: int) -> None:
    """Begin the turn of a side (pp. 22, 23)."""
    state.to_move, state.left = side, tables.limit[side]
    for unit in units_of(tables, side):
        own = state.unit[unit]
        if own.hp == 0:
            continue
        if own.stunned:
            own.used, own.stunned = 1, 0
        own.on_road = 1 if own.at != records.NONE and tables.ground[own.at] == records.ROAD else 0


def end_turn(tables: Record, state: Record) -> None:
    """End the turn of the side to move, look whether the match ends, and begin the other's turn (pp. 22, 23)."""
    side = state.to_move
    for unit in units_of(tables, side):
        if state.unit[unit].hp > 0:
            end_unit_turn(tables, state, unit)
    state.scouts = 0
    score(tables, state, 1 - side)
    if state.reason == records.NOT_OVER:
        look_for_end(tables, state)
    if state.reason == records.NOT_OVER:
        state.turn += 1
        begin_turn(tables, state, 1 - side)


def end_unit_turn(tables: Record, state: Record, unit: int) -> None:
    """Note what a unit did in its turn that its next one depends on, and forget all else."""
    own, card = state.unit[unit], tables.card[unit]
    if own.set_up == 1:
        own.set_up = 2
    own.reload, own.active = 0, own.tenths > 0
    for weapon in range(card.weapons):
        arm = card.weapon[weapon]
        if card.long_reload and arm.primary and own.fired[arm.slot] > 0:
            own.reload = 1
    for slot in range(records.SLOTS):
        if own.fired[slot] > 0:
            own.fired[slot], own.active = 0, 1
    own.last_tenths, own.last_moves = own.tenths, own.moves
    own.used, own.first, own.marches, own.moves, own.tenths = 0, records.NOTHING_YET, 0, 0, 0
    own.freed, own.still, own.on_road = 0, 0, 0


def score(tables: Record, state: Record, side: int) -> None:
    """Give a side its victory points: the objectives that it holds more than the enemy (p. 23)."""
    if tables.mode != records.DOMINATION:
        return
    lead = 0
    for objective in range(tables.objectives):
        owner = holder(tables, state, objective)
        if owner != records.NOBODY:
            lead += 1 if owner == side else -1
    state.points[side] += max(0, lead)
    if 0 < tables.points <= state.points[side]:
        end_match(state, side, records.VICTORY_POINTS)


def holder(tables: Record, state: Record, objective: int) -> int:
    """Return the side with more men within an inch of an objective (p. 23; AA-76); `NOBODY` if none has."""
    men = 0
    for unit in range(tables.units):
        own = state.unit[unit]
        if tables.card[unit].kind != records.SQUAD or not may_hold(tables, tables.side[unit]):
            continue
        if is_by(tables, state, unit if own.aboard == records.NONE else own.aboard, tables.objective[objective]):
            men += own.hp if tables.side[unit] == 0 else -own.hp
    return records.NOBODY if men == 0 else (0 if men > 0 else 1)


def look_for_end(tables: Record, state: Record) -> None:
    """End the match at its limit of rounds, for want of losses, or at the cap (pp. 22, 23)."""
    even, played = state.turn % 2 == 0, state.turn // 2
    # Past the limit, equals play on, a turn each (p. 23).
    past = state.turn - tables.rounds * (1 if tables.player_turns else 2)
    if tables.mode != records.ANNIHILATION and tables.rounds > 0 and past >= 0 and past % 2 == 0:
        lead = tally(tables, state, 0) - tally(tables, state, 1)
        if lead != 0 or tables.mode == records.DOMINATION:
            end_match(state, records.NOBODY if lead == 0 else (0 if lead > 0 else 1), records.TURN_LIMIT)
            return
    if tables.mode != records.DOMINATION and state.turn - state.last_loss >= tables.quiet:
        end_match(state, records.NOBODY, records.STALEMATE)
    elif even and played >= tables.cap:
        end_match(state, records.NOBODY, records.CAP)


def tally(tables: Record, state: Record, side: int) -> int:
    """Return what counts at the limit of rounds: victory points, or what is left of the requisition (p. 23)."""
    return int(state.points[side]) if tables.mode == records.DOMINATION else requisition_left(tables, state, side)


def requisition_left(tables: Record, state: Record, side: int) -> int:
    """Return what the units of a side that are left cost (p. 23)."""
    total = 0
    for unit in units_of(tables, side):
        if state.unit[unit].hp > 0:
            total += tables.card[unit].requisition
    return int(total)


def end_match(state: Record, winner: int, reason: int) -> None:
    """End the match."""
    state.winner, state.reason, state.to_move, state.phase = winner, reason, records.NOBODY, records.OVER


def facts(tables: Record, state: Record, out: Actions) -> None:
    """Write what is noted of a match that is over; see `aabalance.rulesets.base.match.FACTS`."""
    out[base.RESULT], out[base.REASON], out[base.PLAYER_TURNS] = result(state), state.reason, state.turn
    out[base.FIRST], out[base.ZONE] = state.first, state.zone[0]
    out[base.LEFT_A], out[base.LEFT_B] = requisition_left(tables, state, 0), requisition_left(tables, state, 1)
