"""What a player may think: which actions are worth a look, and what a state is worth.

In all functions `tables` and `state` are those of the match, `unit` is a unit, `square` one where it may stand, and
`facing` how, `side` is a side, `of` as in `MatchRules.legal`, `out` takes the actions, and `count` is how many it has.
`crew` is from `fire.crews`, `kind` is `MOVE` or `FREE`, `friend` and `enemy` are those of a scout.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from aabalance.rulesets.armored_advance.match import movement, records
from aabalance.rulesets.armored_advance.match.actions import (
    before,
    can_spend,
    is_unplaced,
    of_unit,
    placements,
    scout_bonus,
)
from aabalance.rulesets.armored_advance.match.fire import band, crews, is_manned_from, scouted
from aabalance.rulesets.armored_advance.match.movement import allowance, has_free_move, may_face, occupied, reach
from aabalance.rulesets.armored_advance.match.sight import AROUND, d2, face, in_arc, is_by, line
from aabalance.rulesets.armored_advance.match.turns import holder
from aabalance.rulesets.base.match import ALL, Actions, Record, action_of, may_hold, parts_of, units_of, write

WON = 1e6
UNPLACED = -1e3
KEPT = 3
"""Moves, and ways to scout, of a unit that are worth a look: a scout has one for each friend and enemy."""
FEW = 24
"""Squares up to which all are looked at; of more, one in four is."""
HIDDEN_SQUAD = 4
"""How many times as far away a target counts as it is, if it can do nothing to vehicles."""


def candidates(tables: Record, state: Record, of: int, follows: bool, out: Actions) -> int:
    """Write the actions that are worth a look; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if state.phase != records.PLAYING:
        return places(tables, state, of, out)
    count, crew = 0, crews(tables, state)
    for unit in units_of(tables, state.to_move):
        if of in (ALL, unit) and state.unit[unit].hp > 0:
            count = sensible(tables, state, unit, not follows, crew, out, count)
    if of < 0:
        count = write(out, count, records.END)
    return count


def places(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write places in the zone for the next unit of a side: some of each row and column, and those behind its guns."""
    if state.phase != records.DEPLOYING:
        return before(tables, state, of, out)
    unit = tables.units_of_a if state.to_move else 0
    while not is_unplaced(state, unit):
        unit += 1
    if of not in (unit, ALL):
        return 0
    zone, kept = tables.zone[state.zone[state.to_move]], 0
    for at in range(placements(tables, state, unit, out)):
        _, _, _, square, _ = parts_of(out[at])
        x, y = tables.x[square], tables.y[square]
        column = (x - zone[0]) % 3 == 1 or (zone[2] - x) % 3 == 1
        row = (y - zone[1]) % 3 == 1 or (zone[3] - y) % 3 == 1
        if (column and row) or crew_bonus(tables, state, unit, square) > 0.0:
            kept = write(out, kept, out[at])
    return kept if kept > 0 else placements(tables, state, unit, out)


def sensible(tables: Record, state: Record, unit: int, moves: bool, crew: Actions, out: Actions, count: int) -> int:
    """Write what a unit may sensibly do, with its `moves` or without; return the number of actions then."""
    own, card, kept, scouts, best = state.unit[unit], tables.card[unit], count, 0, np.zeros(KEPT + 1)
    for at in range(count, of_unit(tables, state, unit, False, crew, out, count)):
        kind, _, other, square, extra = parts_of(out[at])
        if kind in (records.DEMOLISH, records.LOAD, records.HITCH):
            continue
        if kind == records.SCOUT:
            worth = help_wanted(tables, state, extra, other)
            if worth > 0.0:
                bonus = scout_bonus(tables, d2(tables, own.at, state.unit[other].at))
                worth *= bonus - scouted(state, extra, other)
                order = (extra * 40503 + other * 25173 + int(state.turn) * 9973) & 1023
                scouts = put_in(out, kept, scouts, best, worth + 1e-9 * order, out[at])
            continue
        if kind == records.DROP and extra != facing_to(tables, state, unit, square):
            continue
        kept = write(out, kept, out[at])
    kept += scouts
    if moves and own.at != records.NONE and own.still == 0 and (card.kind != records.GUN or crew[unit] != records.NONE):
        if can_spend(tables, state, unit, 1):
            kept = best_moves(tables, state, unit, records.MOVE, out, kept)
        if has_free_move(tables, state, unit):
            kept = best_moves(tables, state, unit, records.FREE, out, kept)
    return kept


def best_moves(tables: Record, state: Record, unit: int, kind: int, out: Actions, count: int) -> int:
    """Write the `KEPT` moves that lead to where a unit stands best; return the number of actions then."""
    own = state.unit[unit]
    squares, best = occupied(tables, state, tables.side[unit]), np.full(KEPT + 1, -np.inf)
    tenths = allowance(tables, state, unit, kind == records.FREE)
    several = reach(tables, state, unit, kind == records.FREE, squares)
    kept = 0
    for at in range(several):
        square = squares[movement.FOUND, at]
        dx, dy = tables.x[square] - tables.x[own.at], tables.y[square] - tables.y[own.at]
        # The same squares, whichever way the board is turned.
        if square != own.at and (
            squares[movement.STANDING, square] != movement.FREE_PLACE or (several > FEW and (dx + 2 * dy) % 4)
        ):
            continue
        facing = facing_to(tables, state, unit, square)
        if not may_face(tables, state, unit, square, facing, tenths, squares):
            if square == own.at:
                continue
            facing = facing_along(dx, dy)
        # Equal squares are taken as they come, in an order that prefers no side of the board.
        order = (square * 40503 + int(state.turn) * 9973) & 1023
        worth = standing(tables, state, unit, square, facing) + 1e-9 * order
        kept = put_in(out, count, kept, best, worth, action_of(kind, unit, 0, square, facing))
    return count + kept


def put_in(out: Actions, count: int, kept: int, best: NDArray[np.float64], worth: float, action: int) -> int:
    """Put an action of some worth among the `KEPT` best, from `count` on; return how many are `kept` then.

    `best` has what those are worth. The place behind the last of them is written over.
    """
    place = kept
    while place > 0 and best[place - 1] < worth:
        best[place] = best[place - 1]
        out[count + place] = out[count + place - 1]
        place -= 1
    best[place], out[count + place] = worth, action
    return min(kept + 1, KEPT)


def facing_to(tables: Record, state: Record, unit: int, square: int) -> int:
    """Return the facing of a unit on a square towards the nearest enemy, before others one that can harm vehicles."""
    own, card = state.unit[unit], tables.card[unit]
    if card.faces == 0:
        return records.NO_FACING
    least, facing = 1 << 30, own.f
    for enemy in units_of(tables, 1 - tables.side[unit]):
        at = state.unit[enemy].at
        if at != records.NONE:
            far = d2(tables, square, at) * (1 if tables.card[enemy].armed else HIDDEN_SQUAD**2)
            if far < least:
                least = far
                facing = facing_along(tables.x[at] - tables.x[square], tables.y[at] - tables.y[square])
    return int(facing)


def facing_along(dx: int, dy: int) -> int:
    """Return the facing nearest to a direction."""
    across, down = abs(dx), abs(dy)
    if 5 * across < 2 * down:
        return 0 if dy < 0 else 4
    if 5 * down < 2 * across:
        return 2 if dx > 0 else 6
    if dx > 0:
        return 1 if dy < 0 else 3
    return 7 if dy < 0 else 5


def holds(tables: Record, unit: int) -> bool:
    """Return whether it matters that the side of a unit holds objectives."""
    return bool(tables.mode == records.DOMINATION and may_hold(tables, tables.side[unit]))


def worth_of(tables: Record, unit: int) -> float:
    """Return what a unit is worth: its requisition, and for squads that may hold objectives, more."""
    card = tables.card[unit]
    extra = tables.weight.squad if card.kind == records.SQUAD and holds(tables, unit) else 0.0
    return float(card.requisition + extra)


def value(tables: Record, state: Record, side: int, of: int) -> float:
    """Return what a state is worth to a side; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if state.reason != records.NOT_OVER:
        return 0.0 if state.winner > 1 else (WON if state.winner == side else -WON)
    weight, total = tables.weight, 0.0
    for unit in range(tables.units):
        hp = state.unit[unit].hp
        if hp > 0:
            whole = hp / tables.card[unit].toughness
            worth = worth_of(tables, unit) * (weight.alive + (1.0 - weight.alive) * whole)
            total += worth if tables.side[unit] == side else -worth
    if tables.mode == records.DOMINATION:
        for objective in range(tables.objectives):
            owner = holder(tables, state, objective)
            if owner != records.NOBODY:
                total += weight.objective if owner == side else -weight.objective
    for at in range(state.scouts):
        scouted = state.scouted[at]
        total += weight.scouted * scouted.bonus * help_wanted(tables, state, scouted.friend, scouted.enemy)
    if of >= 0 and state.unit[of].hp > 0:
        own = state.unit[of]
        if own.at != records.NONE:
            total += standing(tables, state, of, own.at, own.f)
        elif state.phase == records.DEPLOYING:
            total += UNPLACED
    if of == ALL:
        for unit in range(tables.units):
            own = state.unit[unit]
            if own.hp > 0 and own.at != records.NONE:
                stands = standing(tables, state, unit, own.at, own.f)
                total += stands if tables.side[unit] == side else -stands
    return total


def help_wanted(tables: Record, state: Record, friend: int, enemy: int) -> float:
    """Return what a unit that may still fire in this turn can hope to destroy of an enemy in sight."""
    own, other = state.unit[friend], state.unit[enemy]
    card = tables.card[friend]
    if own.at == records.NONE or other.at == records.NONE or own.still:
        return 0.0
    if not can_spend(tables, state, friend, 1) or own.fired[card.weapon[0].slot] > 0 or own.reload:
        return 0.0
    if not in_arc(tables, card, own.at, own.f, other.at) or line(tables, own.at, other.at)[0]:
        return 0.0
    far, shown = band(tables, d2(tables, own.at, other.at), 0), face(tables, other.at, other.f, own.at)
    return float(tables.toll[friend, enemy, far, shown] * worth_of(tables, enemy))


def standing(tables: Record, state: Record, unit: int, square: int, facing: int) -> float:
    """Return what it is worth to a unit to stand on a square: whom it can fire at, who can fire at it, what is near."""
    own, weight, card = state.unit[unit], tables.weight, tables.card[unit]
    best, danger, nearest = 0.0, 0.0, 1 << 30
    for enemy in units_of(tables, 1 - tables.side[unit]):
        other = state.unit[enemy]
        if other.at == records.NONE:
            continue
        far = d2(tables, square, other.at)
        nearest = min(nearest, far)
        at = band(tables, far, 0)
        taken = tables.toll[unit, enemy, at, face(tables, other.at, other.f, square)]
        lost = tables.toll[enemy, unit, at, face(tables, square, facing, other.at)]
        if taken == 0.0 and lost == 0.0:
            continue  # before the line between them is walked, which takes longest
        blocked, hidden, walls, pieces, _ = line(tables, square, other.at)
        lobs = own.set_up > 0 and square == own.at and far <= lob_d2(card)
        if (blocked or hidden) and not lobs:
            continue
        clear = 1.0 / (1 + walls + min(pieces, 1))
        if in_arc(tables, card, square, facing, other.at):
            best = max(best, taken * clear * worth_of(tables, enemy))
        if not blocked and not hidden:
            danger += lost * clear
    worth = worth_of(tables, unit)
    total = weight.fire * best - weight.danger * min(danger, 1.0) * worth
    if nearest < 1 << 30 and card.weapons > 0:
        total -= weight.near * worth * math.sqrt(nearest)
    if card.kind == records.SQUAD:
        total += of_squad(tables, state, unit, square)
    return float(total)


def lob_d2(card: Record) -> int:
    """Return the largest squared distance that a unit's indirect fire reaches (p. 15), `NONE` without."""
    most = records.NONE
    for weapon in range(card.weapons):
        most = max(most, card.weapon[weapon].lob_d2)
    return int(most)


def crew_bonus(tables: Record, state: Record, unit: int, square: int) -> float:
    """Return what it is worth to a squad to man the gun before a square, if there is one."""
    card, bonus = tables.card[unit], 0.0
    if card.kind != records.SQUAD or card.squad > records.RIFLE:
        return 0.0
    for gun in units_of(tables, tables.side[unit]):
        if tables.card[gun].kind == records.GUN and is_manned_from(tables, state, gun, square):
            bonus = max(bonus, tables.weight.crew * tables.card[gun].requisition)
    return float(bonus)


def of_squad(tables: Record, state: Record, unit: int, square: int) -> float:
    """Return what it is worth to a squad to stand on a square: behind a gun, or near an objective that nobody holds."""
    total = crew_bonus(tables, state, unit, square)
    if not holds(tables, unit):
        return float(total)
    nearest = 1 << 30
    for objective in range(tables.objectives):
        goal, kept = tables.objective[objective], False
        for friend in units_of(tables, tables.side[unit]):
            if friend != unit and tables.card[friend].kind == records.SQUAD:
                kept = kept or is_by(tables, state, friend, goal)
        if not kept:
            nearest = min(nearest, d2(tables, square, goal))
    if nearest < 1 << 30 and nearest > AROUND:
        total -= tables.weight.objective_near * math.sqrt(nearest)
    return float(total)
