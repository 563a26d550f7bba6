"""What an action does: moves, strikes, captures, purchases, the start and the end of turns, and victory.

Plain loops over records, which also compile. Numbers of sections are the rulebook's, those of open points (S-n) are
those of ``rulebook.toml``.

In all functions `tables` and `state` are those of the match, `unit` is the unit that acts, or that something happens
to, `attacker` and `target` are units or their types, `carrier` is a unit that carries others, `one` and `other` are
squares, `side` and `winner` sides, `which` is a property, `kind` a kind of properties or of units, `square` a square,
`squares` a distance, `hp` are hit points, `reduced` says that a unit is reduced, `reason` why a match ended, and `dice`
are those of the action.
"""

from __future__ import annotations

from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import Actions, Record, parts_of, result, roll_under
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS
from aabalance.rulesets.skirmish_wars.match import records
from aabalance.rulesets.skirmish_wars.shot import D6, REDUCED_BELOW

INCOME, REPAIR = 5, 2
"""$ for each friendly city and HQ (3.1), and hit points for a unit on a friendly property (3.2)."""
CAPTURE_POINTS, HQ_POINTS = 4, 8
CAPTURED, CAPTURED_BY_REDUCED = 2, 1
"""Capture points of a property, and of an HQ; those that a unit takes in a turn (3.4b)."""


def apply(tables: Record, state: Record, action: int, dice: Record) -> None:
    """Change a state by a legal action; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    kind, unit, other, square, _ = parts_of(action)
    if kind == records.END:
        end_turn(tables, state)
    elif kind == records.BUY:
        complete(state)
        state.phase = records.BUYING
        buy(tables, state, other, square)
    else:
        # An activation is completed before the next one (3.3).
        if state.active != unit:
            complete(state)
        state.active = unit
        if kind == records.MOVE:
            leave(tables, state, unit)
            enter(state, unit, square)
        elif kind == records.UNLOAD:
            state.unit[other].carrier = records.NONE
            state.unit[other].done = 1
            enter(state, other, square)
        else:
            complete(state)
            if kind == records.LOAD:
                leave(tables, state, unit)
                state.unit[unit].square, state.unit[unit].carrier = records.NONE, other
            elif kind == records.ATTACK:
                attack(tables, state, unit, other, dice)
            elif kind == records.CAPTURE:
                capture(tables, state, unit)


def complete(state: Record) -> None:
    """Complete the activation of the unit that is active: it is done for this turn (3.3)."""
    if state.active != records.NONE:
        state.unit[state.active].done = 1
        state.active = records.NONE


def leave(tables: Record, state: Record, unit: int) -> None:
    """Take a unit off its square. Capture points that were taken there are lost (3.4b)."""
    square = state.unit[unit].square
    state.unit_at[square] = records.NONE
    if tables.property_at[square] != records.NONE:
        state.property[tables.property_at[square]].captured = 0


def enter(state: Record, unit: int, square: int) -> None:
    """Put a unit on a square."""
    state.unit[unit].square = square
    state.unit_at[square] = unit


# --- attacks (3.4a) ---------------------------------------------------------------------------------------------------


def attack(tables: Record, state: Record, attacker: int, target: int, dice: Record) -> None:
    """Let a unit strike at another, which strikes back if it is left and can reach it."""
    one, other = state.unit[attacker], state.unit[target]
    strike(tables, state, attacker, target, dice)
    if other.hp > 0 and reaches(tables, other.type, distance(tables, one.square, other.square)):
        strike(tables, state, target, attacker, dice)


def strike(tables: Record, state: Record, attacker: int, target: int, dice: Record) -> None:
    """Let a unit take hit points from another, and eliminate it if none is left."""
    struck = state.unit[target]
    row = damage_row(tables, state.unit[attacker].type, state.unit[attacker].reduced, struck.type)
    hits = 0
    if row >= records.DAMAGES:
        hits = HIT_POINTS
    elif row >= 0:
        column = tables.terrain[struck.square]
        hits = tables.hits[row, column]
        need = tables.die[row, column]
        if need > 0 and roll_under(dice, D6, need) <= need:
            hits += 1
    struck.hp = max(0, struck.hp - hits)
    if struck.hp < REDUCED_BELOW:
        struck.reduced = 1
    if struck.hp == 0:
        eliminate(tables, state, target)


def damage_row(tables: Record, attacker: int, reduced: int, target: int) -> int:
    """Return the row of the chart for a strike: firepower less defense, from the first row on."""
    struck = tables.type[target]
    return int(tables.type[attacker].firepower[reduced, struck.symbol] - struck.defense - records.LEAST_DAMAGE)


def reaches(tables: Record, attacker: int, squares: int) -> bool:
    """Return whether a type of units can fire at a distance (3.4a) [S-5]."""
    kind = tables.type[attacker]
    return bool(kind.most_range > 0 and kind.least_range <= squares <= kind.most_range)


def distance(tables: Record, one: int, other: int) -> int:
    """Return the distance of two squares, counted orthogonally (3.4a)."""
    return int(abs(tables.x[one] - tables.x[other]) + abs(tables.y[one] - tables.y[other]))


def eliminate(tables: Record, state: Record, unit: int) -> None:
    """Take a unit off the board, with all that is aboard (3.3c), and look whether that ends the match (4.0)."""
    side = state.unit[unit].side
    leave(tables, state, unit)
    state.unit[unit].square = records.NONE
    for at in range(state.units):
        if at == unit or (state.unit[at].hp > 0 and is_aboard(state, at, unit)):
            state.unit[at].hp = 0
            state.eliminated[side, state.unit[at].type] += 1
            state.medals[1 - side] += 1
            state.in_play[side] -= 1
    if is_eliminated(tables, state, side):
        end_match(state, 1 - side, records.NO_UNIT_LEFT)
    elif 0 < tables.medals <= state.medals[1 - side]:
        end_match(state, 1 - side, records.MEDALS)


def is_eliminated(tables: Record, state: Record, side: int) -> bool:
    """Return whether a side that lost a unit is beaten: none is left (4.0), and no factory saves it [S-20]."""
    saved = tables.factories_save and owns(tables, state, side, records.FACTORY)
    return bool(tables.conquest and state.in_play[side] == 0 and not saved)


def is_aboard(state: Record, unit: int, carrier: int) -> bool:
    """Return whether a unit is aboard a carrier, or aboard another one that is: foot units may be carriers, too."""
    inside = state.unit[unit].carrier
    while inside != carrier and inside != records.NONE:
        inside = state.unit[inside].carrier
    return bool(inside == carrier)


# --- captures (3.4b) --------------------------------------------------------------------------------------------------


def capture(tables: Record, state: Record, unit: int) -> None:
    """Let a unit take capture points from the property on which it stands."""
    own = state.unit[unit]
    which = tables.property_at[own.square]
    held, kind = state.property[which], tables.property_kind[which]
    held.captured += CAPTURED_BY_REDUCED if own.reduced else CAPTURED
    if held.captured < points_of(kind):
        return
    held.owner, held.captured = own.side, 0
    if tables.conquest and kind == records.HQ and tables.first_owner[which] == 1 - own.side:
        end_match(state, own.side, records.HQ_CAPTURED)
    elif kind == records.CITY and 0 < tables.cities <= owns(tables, state, own.side, records.CITY):
        end_match(state, own.side, records.CITIES)


def points_of(kind: int) -> int:
    """Return the capture points of a kind of properties (3.4b)."""
    return HQ_POINTS if kind == records.HQ else CAPTURE_POINTS


def owns(tables: Record, state: Record, side: int, kind: int) -> int:
    """Return how many properties of a kind a side owns, under capture or not."""
    count = 0
    for which in range(tables.properties):
        if tables.property_kind[which] == kind and state.property[which].owner == side:
            count += 1
    return count


def is_friendly(state: Record, which: int, side: int) -> bool:
    """Return whether a property belongs to a side, and no capture of it is under way (3.2)."""
    return bool(state.property[which].owner == side and state.property[which].captured == 0)


# --- purchases (3.5) --------------------------------------------------------------------------------------------------


def buy(tables: Record, state: Record, kind: int, square: int) -> None:
    """Buy a unit, which may act from the side's next turn on."""
    side = state.to_move
    state.money[side] -= tables.type[kind].cost
    unit = add(state, side, kind, square, HIT_POINTS)
    state.unit[unit].done = 1


def add(state: Record, side: int, kind: int, square: int, hp: int) -> int:
    """Put a new unit on the board, and return its place among the units."""
    unit = free_place(state)
    own = state.unit[unit]
    state.units = max(state.units, unit + 1)
    state.issued[side] += 1
    state.in_play[side] += 1
    own.number, own.side, own.type, own.carrier, own.done = state.issued[side], side, kind, records.NONE, 0
    own.hp, own.reduced = hp, 1 if hp < REDUCED_BELOW else 0
    enter(state, unit, square)
    return unit


def free_place(state: Record) -> int:
    """Return the first place among the units that is free; `MOST_UNITS` if none is."""
    unit = 0
    while unit < state.units and state.unit[unit].hp > 0:
        unit += 1
    return unit


# --- turns ------------------------------------------------------------------------------------------------------------


def begin_turn(tables: Record, state: Record) -> None:
    """Collect the income of the side to move (3.1), and repair its units (3.2)."""
    side = state.to_move
    for which in range(tables.properties):
        if not is_friendly(state, which, side):
            continue
        if tables.property_kind[which] != records.FACTORY:
            state.money[side] += INCOME
        unit = state.unit_at[tables.property_square[which]]
        if unit != records.NONE and state.unit[unit].side == side:
            own = state.unit[unit]
            own.hp = min(HIT_POINTS, own.hp + REPAIR)
            if own.hp >= REDUCED_BELOW and tables.unreduce_on_repair:
                own.reduced = 0


def end_turn(tables: Record, state: Record) -> None:
    """End the turn of the side to move, and begin that of the other; or the match, after its last round [S-14]."""
    for unit in range(state.units):
        if state.unit[unit].side == state.to_move:
            state.unit[unit].done = 0
    state.active, state.phase = records.NONE, records.MOVING
    if state.turn == 2 * tables.turn_limit:
        end_match(state, records.NOBODY, records.TURN_LIMIT)
        return
    state.turn += 1
    state.to_move = 1 - state.to_move
    begin_turn(tables, state)


def end_match(state: Record, winner: int, reason: int) -> None:
    """End the match."""
    state.winner, state.reason, state.to_move = winner, reason, records.NOBODY


def units(tables: Record, state: Record) -> int:
    """Return the number of units, those that are gone with them."""
    return int(state.units)


def facts(tables: Record, state: Record, out: Actions) -> None:
    """Write what is noted of a match that is over; see `aabalance.rulesets.base.match.FACTS`."""
    out[base.RESULT], out[base.REASON], out[base.PLAYER_TURNS] = result(state), state.reason, state.turn
    out[base.FIRST], out[base.ZONE] = tables.first, records.NONE
    for unit in range(state.units):
        own = state.unit[unit]
        if own.hp > 0:
            out[base.LEFT_A + own.side] += tables.type[own.type].cost
