"""What an action does: deployment, phases, moves, casualties, and victory (Sequence of Play).

Plain loops over records, which also compile. Sections are the rulebook's, points F-n those of ``rulebook.toml``.

In all functions `tables` and `state` are those of the match, `unit` is the unit that acts, `direction` one of
`records.DIRECTIONS`, `at` a hex, `side` and `winner` are sides, `kind` is a kind of action, `reason` why a match ended,
and `dice` are those of the action.
"""

from __future__ import annotations

from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import Actions, Record, higher, may_hold, parts_of, result, roll, roll_for, units_of
from aabalance.rulesets.forumini.match import records
from aabalance.rulesets.forumini.match.fire import barrage, fire_defensively, has_shooters, note_shot, strike
from aabalance.rulesets.forumini.match.hexes import distance
from aabalance.rulesets.forumini.match.movement import (
    begin_move,
    can_step,
    end_move,
    has_room,
    in_good_order,
    is_road,
    step_cost,
    stir,
    stop_in_room,
)
from aabalance.rulesets.forumini.shot.rules import CONDITIONS, COUNTERS, D6


def apply(tables: Record, state: Record, action: int, dice: Record) -> None:
    """Change a state by a legal action; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    kind, unit, other, at, _ = parts_of(action)
    if kind == records.END:
        end_phase(tables, state, dice)
    elif kind <= records.PLACE:
        prepare(tables, state, kind, unit, at, dice)
    elif kind == records.GO:
        go(tables, state, unit, other, dice)
    elif kind == records.STOP:
        state.unit[unit].face = other
        end_move(state)
    elif kind == records.PASS:
        go_on(tables, state, True)
    elif kind == records.FIRE:
        if fire_defensively(tables, state, unit, dice):
            stop_in_room(tables, state)
        else:
            go_on(tables, state, False)
    elif kind == records.ATTACK:
        note_shot(state, unit)
        strike(tables, state, unit, other, False, dice)
    elif kind == records.BARRAGE:
        note_shot(state, unit)
        barrage(tables, state, unit, at, dice)
    else:
        change_posture(state, kind, unit, other, at)


def change_posture(state: Record, kind: int, unit: int, direction: int, at: int) -> None:
    """Turn a unit, put a marker on it or take it off (Vehicle Movement 3, Hit the Dirt, Hull Down, Overwatch)."""
    own = state.unit[unit]
    if kind == records.FACE:
        stir(state, unit)
        own.face = direction
    elif kind == records.RISE:
        stir(state, unit)
    elif kind == records.UNWATCH:
        own.watch = records.NONE
    elif kind == records.AIM:
        own.watch, state.aiming = at, records.NONE
    else:
        own.act = records.DONE
        if kind == records.WATCH:
            state.aiming = unit
        else:
            own.mark = records.DIRT if kind == records.LIE else records.HULL


# --- moves ------------------------------------------------------------------------------------------------------------


def go(tables: Record, state: Record, unit: int, direction: int, dice: Record) -> None:
    """Make a step of a move: facing, Movement Roll, and who may fire at it (General Movement 5-6)."""
    if state.moving == records.NONE:
        begin_move(tables, state, unit)
    own = state.unit[unit]
    there = tables.adjacent[own.at, direction]
    cost, along_road = step_cost(tables, state, unit, there), is_road(tables, unit, own.at, there)
    if tables.card[unit].kind == records.VEHICLE:
        own.face = direction
        need = tables.chart[tables.ground[there]].roll
        if need > 0 and not along_road and roll_for(dice, D6, need, need) < need:
            stop_in_room(tables, state)
            return
    own.at = there
    state.points -= cost
    if along_road:
        state.road = 1
    state.path[state.steps] = there
    state.steps += 1
    go_on(tables, state, False)


def go_on(tables: Record, state: Record, passed: bool) -> None:
    """Let the other side fire, unless it has `passed`, or else end a move that can't go on.

    A vehicle that can't go on still has to choose a facing, in a hex with room.
    """
    unit = state.moving
    state.under_fire = not passed and has_shooters(tables, state)
    faces = tables.card[unit].kind == records.VEHICLE and has_room(tables, state, unit, state.unit[unit].at)
    if not state.under_fire and not faces and not can_step(tables, state, unit):
        stop_in_room(tables, state)


# --- before the first turn --------------------------------------------------------------------------------------------


def prepare(tables: Record, state: Record, kind: int, unit: int, at: int, dice: Record) -> None:
    """Deploy: who is first player, which end he takes, and unit after unit (Initial Deployment, option 1) [F-35]."""
    if kind == records.START:
        if tables.placed:
            begin_turn(tables, state, dice)
        else:
            state.active, state.phase = higher(dice, D6), records.CHOOSING
    elif kind == records.FIRST or kind == records.SECOND:
        if kind == records.SECOND:
            state.active = 1 - state.active
        if state.phase == records.CHOOSING:
            state.phase = records.PICKING
        else:
            state.first = state.active
            if state.turn == 1:
                state.opened = state.first
            begin_phase(tables, state, records.MOVEMENT)
    elif kind == records.WEST or kind == records.EAST:
        state.west = state.active if kind == records.WEST else 1 - state.active
        state.phase = records.DEPLOYING
        next_to_place(tables, state, dice)
    else:
        own = state.unit[unit]
        own.at = at
        if tables.card[unit].kind == records.VEHICLE:
            own.face = 0 if tables.side[unit] == state.west else 3
        next_to_place(tables, state, dice)


def next_to_place(tables: Record, state: Record, dice: Record) -> None:
    """Let the first player deploy, then the second; then the first turn begins."""
    if waiting(tables, state) == records.NONE:
        state.active = 1 - state.active
        if waiting(tables, state) == records.NONE:
            begin_turn(tables, state, dice)


def waiting(tables: Record, state: Record) -> int:
    """Return the first unit of the active side that isn't on the board yet; `NONE` if there is none."""
    for unit in units_of(tables, state.active):
        if state.unit[unit].at == records.NONE:
            return unit
    return records.NONE


# --- turns ------------------------------------------------------------------------------------------------------------


def begin_turn(tables: Record, state: Record, dice: Record) -> None:
    """Begin a turn: roll for the initiative; the winner decides who is first player (A. Initiative) [F-1]."""
    begin_phase(tables, state, records.ORDERING)
    state.turn += 1
    bonus_a, bonus_b = initiative_bonus(tables, state, 0), initiative_bonus(tables, state, 1)
    state.active = records.NOBODY
    while state.active == records.NOBODY:
        state.active = throw_initiative(bonus_a, bonus_b, dice)


def throw_initiative(bonus_a: int, bonus_b: int, dice: Record) -> int:
    """Roll two dice for each side; return who wins, or `NOBODY` if all dice are rolled again (A. Initiative) [F-1].

    The bonuses `bonus_a` and `bonus_b` are added, and decide between equal totals.
    """
    a = roll(dice, D6) + roll(dice, D6) + bonus_a
    b = roll(dice, D6) + roll(dice, D6) + bonus_b
    if a == b:
        a, b = bonus_a, bonus_b
    return records.NOBODY if a == b else (0 if a > b else 1)


def initiative_bonus(tables: Record, state: Record, side: int) -> int:
    """Return the highest Initiative Bonus of a side's commanders in good order (A. Initiative) [F-41]."""
    best = 0
    for unit in units_of(tables, side):
        card = tables.card[unit]
        if state.unit[unit].at >= 0 and card.commander and in_good_order(tables, state, unit):
            best = max(best, int(card.initiative))
    return best


def begin_phase(tables: Record, state: Record, phase: int) -> None:
    """Begin a phase, with the first player where one is known; what units did before is forgotten (B. and F.)."""
    for unit in range(tables.units):
        own = state.unit[unit]
        own.act, own.shots, own.fired = records.NOTHING, 0, 0
    state.phase, state.active = phase, state.first


def end_phase(tables: Record, state: Record, dice: Record) -> None:
    """End a side's part of a phase; after the last one the turn ends (K. Casualty, End of Turn)."""
    if state.active == state.first:
        state.active = 1 - state.first
    elif state.phase == records.MOVEMENT:
        begin_phase(tables, state, records.ASSAULT)
    else:
        remove_face_up(tables, state)
        turn_face_down_up(tables, state)
        look_for_end(tables, state)
        if state.reason == records.NOT_OVER:
            begin_turn(tables, state, dice)


def remove_face_up(tables: Record, state: Record) -> None:
    """Remove face-up Pinned counters; Demoralized soldiers become Pinned, but for those near a commander (K. Casualty).

    All soldiers are judged at once: which commanders are Demoralized is forgotten last.
    """
    for unit in range(tables.units):
        own, is_soldier = state.unit[unit], tables.card[unit].kind == records.SOLDIER
        own.pinned = is_soldier and own.at >= 0 and own.worse > 0 and not is_rallied(tables, state, unit)
    for unit in range(tables.units):
        if tables.card[unit].kind == records.SOLDIER:
            state.unit[unit].worse = 0


def is_rallied(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a soldier is within a hex of a Soldier-Commander without counters (K. Casualty) [F-16, F-36]."""
    for other in units_of(tables, tables.side[unit]):
        own, card = state.unit[other], tables.card[other]
        if (
            other != unit
            and card.kind == records.SOLDIER
            and card.commander
            and own.at >= 0
            and own.worse == 0
            and own.down + own.stopped == 0
            and distance(tables, own.at, state.unit[unit].at) <= 1
        ):
            return True
    return False


def turn_face_down_up(tables: Record, state: Record) -> None:
    """Turn up the counters of the turn, and take markers off who can't have them any more (K. Casualty) [F-4, F-5]."""
    for unit in range(tables.units):
        own = state.unit[unit]
        counters = max(own.down, own.stopped)
        own.down = own.stopped = 0
        again = counters == 2 and own.worse > 0
        if counters == COUNTERS or (again and tables.second_damaged == records.DESTROYED):
            destroy(state, unit)
            continue
        if counters > 0:
            own.pinned = 1
        if counters == 2 and (own.worse == 0 or tables.second_damaged == records.CUMULATIVE):
            own.worse = min(own.worse + 1, len(CONDITIONS) - 2)
        if not in_good_order(tables, state, unit):
            own.watch = records.NONE
            if own.mark == records.DIRT:
                own.mark = records.NO_MARK


def destroy(state: Record, unit: int) -> None:
    """Take a unit off the board."""
    own = state.unit[unit]
    own.at, own.watch, own.face, own.mark = records.GONE, records.NONE, records.NO_FACE, records.NO_MARK
    own.pinned = own.worse = 0


# --- victory (How to Win) ---------------------------------------------------------------------------------------------


def look_for_end(tables: Record, state: Record) -> None:
    """End the match if a side alone holds the zone late enough, or is alone; or after the last turn [F-39, F-40]."""
    a, lost_a, zone_a = points(tables, state, 0)
    b, lost_b, zone_b = points(tables, state, 1)
    if a > 0 and b > 0 and state.turn >= tables.first_check and (zone_a > 0) != (zone_b > 0):
        end_match(state, 0 if zone_a > 0 else 1, records.OBJECTIVE)
    elif (a > 0) != (b > 0):
        end_match(state, 0 if a > 0 else 1, records.ELIMINATED)
    elif state.turn >= tables.last_turn or a == 0:
        leads = (
            (zone_a - zone_b, records.ZONE_POINTS),
            (lost_b - lost_a, records.POINTS_DESTROYED),
            (a - b, records.POINTS_LEFT),
        )
        winner, of = records.NOBODY, records.DRAW
        for lead, reason in leads:
            if winner == records.NOBODY and abs(lead) > records.EQUAL_COSTS:
                winner, of = 0 if lead > 0 else 1, reason
        end_match(state, winner, of)


def end_match(state: Record, winner: int, reason: int) -> None:
    """End the match."""
    state.winner, state.reason, state.phase = winner, reason, records.OVER


def points(tables: Record, state: Record, side: int) -> tuple[float, float, float]:
    """Return what the units of a side cost: those left, those that were destroyed, and those in the objective zone."""
    left, lost, in_zone = 0.0, 0.0, 0.0
    for unit in units_of(tables, side):
        at, cost = state.unit[unit].at, tables.card[unit].cost
        if at == records.GONE:
            lost += cost
        else:
            left += cost
            if at >= 0 and tables.zone[at] and may_hold(tables, side):
                in_zone += cost
    return left, lost, in_zone


def to_move(state: Record) -> int:
    """Return the side that decides next: the other one in Defensive Fire; `NOBODY` if the match is over."""
    if state.phase == records.OVER:
        return records.NOBODY
    return int(1 - state.active if state.under_fire else state.active)


def facts(tables: Record, state: Record, out: Actions) -> None:
    """Write what is noted of a match that is over; see `aabalance.rulesets.base.match.FACTS`."""
    out[base.RESULT], out[base.REASON], out[base.PLAYER_TURNS] = result(state), state.reason, 2 * state.turn
    out[base.FIRST], out[base.ZONE] = state.opened, state.west
    for side in (0, 1):
        out[base.LEFT_A + side] = int(points(tables, state, side)[0] * records.PARTS + 0.5)
