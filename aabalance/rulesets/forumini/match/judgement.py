"""What a player may think: which actions are worth a look, and what a state is worth.

In all functions `tables` and `state` are those of the match, `unit`, `other` and `enemy` are units, `side` is a side,
`of` as in `MatchRules.legal`, `number` is an action, `face` a direction, and `out` takes the actions.
"""

from __future__ import annotations

from aabalance.rulesets.base.match import ALL, NO_UNIT, Actions, Record, may_hold, parts_of, units_of, write
from aabalance.rulesets.forumini.match import records
from aabalance.rulesets.forumini.match.actions import actor, can_aim, legal
from aabalance.rulesets.forumini.match.fire import covers_front, face_to, has_cover, range_column, sees
from aabalance.rulesets.forumini.match.hexes import ahead, distance
from aabalance.rulesets.forumini.match.movement import has_room

WON = 1e6
UNPLACED = -1e3
UNFINISHED, CROWDED = -1e-3, -100.0
"""What a move is worth that has to go on: a little less than one that has ended, much less in a hex without room."""
COVERED = 0.6
"""Which share of the tolls remains in a hex that offers cover."""


def candidates(tables: Record, state: Record, of: int, follows: bool, out: Actions) -> int:
    """Write the actions that are worth a look; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    kept, count = 0, legal(tables, state, of, out)
    for at in range(count):
        if is_sensible(tables, state, out[at]):
            kept = write(out, kept, out[at])
    return kept if kept > 0 else count


def is_sensible(tables: Record, state: Record, number: int) -> bool:
    """Return whether an action is worth a look.

    Left out are facings but those towards the nearest enemy, Hit the Dirt outside cover, leaving Overwatch for nothing,
    aims but those at an enemy or the objective, attacks that can't hit, and steps back.
    """
    if actor(number) == NO_UNIT:
        return True
    kind, unit, other, at, _ = parts_of(number)
    own = state.unit[unit]
    if kind == records.GO:
        return bool(
            state.moving != unit or state.steps < 2 or tables.adjacent[own.at, other] != state.path[state.steps - 2]
        )
    if kind == records.STOP:
        return bool(other == own.face or other == facing(tables, state, unit))
    if kind == records.FACE:
        return bool(other == facing(tables, state, unit))
    if kind == records.LIE:
        return has_cover(tables, state, unit)
    if kind == records.AIM:
        return bool(at == nearest_aim(tables, state, unit))
    if kind == records.ATTACK:
        return toll(tables, state, unit, other) > 0.0
    return kind != records.UNWATCH


def facing(tables: Record, state: Record, unit: int) -> int:
    """Return the direction towards the nearest enemy, or else the objective."""
    here, there, least = state.unit[unit].at, tables.objective, 1 << 30
    for enemy in units_of(tables, 1 - tables.side[unit]):
        at = state.unit[enemy].at
        if at >= 0 and distance(tables, here, at) < least:
            there, least = at, distance(tables, here, at)
    dq, dr = tables.q[there] - tables.q[here], tables.r[there] - tables.r[here]
    best = 0
    for face in range(1, len(records.DIRECTIONS)):
        if ahead(dq, dr, face) > ahead(dq, dr, best):
            best = face
    return best


def nearest_aim(tables: Record, state: Record, unit: int) -> int:
    """Return the hex of those at which a unit may aim that is nearest to the objective, the first if several are."""
    here, best, least = state.unit[unit].at, records.NONE, 1 << 30
    for at in range(tables.hexes):
        if distance(tables, at, tables.objective) < least and can_aim(tables, unit, here, at):
            best, least = at, distance(tables, at, tables.objective)
    return best


def toll(tables: Record, state: Record, unit: int, enemy: int) -> float:
    """Return the share of an enemy that a unit takes on the mean in an attack from where both are; 0 if it can't."""
    own, other = state.unit[unit], state.unit[enemy]
    if not sees(tables, own.at, other.at) or not covers_front(tables, state, unit, other.at):
        return 0.0
    column = range_column(tables, unit, distance(tables, own.at, other.at))
    share = tables.toll[unit, enemy, column, face_to(tables, state, unit, enemy)]
    return float(share * (COVERED if has_cover(tables, state, enemy) else 1.0))


def value(tables: Record, state: Record, side: int, of: int) -> float:
    """Return what a state is worth to a side; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if state.reason != records.NOT_OVER:
        return 0.0 if state.winner > 1 else (WON if state.winner == side else -WON)
    weight, total = tables.weight, 0.0
    for unit in range(tables.units):
        own = state.unit[unit]
        if own.at != records.GONE:
            face_up = int(own.pinned) + int(own.worse)
            left = 1.0 - records.LOST[max(own.down, own.stopped)] - weight.face_up * face_up
            worth = tables.card[unit].cost * max(left, 0.0)
            total += worth if tables.side[unit] == side else -worth
    if of == ALL:
        for unit in range(tables.units):
            if state.unit[unit].at >= 0:
                stands = standing(tables, state, unit)
                total += stands if tables.side[unit] == side else -stands
    if of < 0:
        # Who moves last in the last turns can still enter the zone, or leave it to nobody.
        late = state.phase == records.MOVEMENT and state.turn >= tables.first_check
        return float(total - weight.last if late and state.first == side else total)
    own = state.unit[of]
    if own.at == records.NONE:
        return float(total + UNPLACED)
    if own.at >= 0:
        total += standing(tables, state, of)
    if state.aiming == of:
        total += UNFINISHED
    if state.moving == of and not state.under_fire:
        total += UNFINISHED
        if not has_room(tables, state, of, own.at):
            total += CROWDED * (2 + state.points - state.road)
    return float(total)


def standing(tables: Record, state: Record, unit: int) -> float:
    """Return what it is worth to a unit to stand where it stands: whom it can hit, who can hit it, and what is near."""
    own, weight = state.unit[unit], tables.weight
    best, danger = 0.0, 0.0
    for enemy in units_of(tables, 1 - tables.side[unit]):
        if state.unit[enemy].at < 0:
            continue
        best = max(best, toll(tables, state, unit, enemy) * tables.card[enemy].cost)
        danger += toll(tables, state, enemy, unit)
    danger = min(danger, 1.0) * tables.card[unit].cost
    total = weight.target * best - weight.danger * danger
    late = min(1.0, state.turn / tables.first_check)
    total -= weight.near * (1.0 + late) * distance(tables, own.at, tables.objective)
    if tables.zone[own.at] and may_hold(tables, tables.side[unit]):
        total += weight.zone * (1.0 + late)
    if own.watch != records.NONE:
        total += weight.watch
    if own.mark == records.HULL or (own.mark == records.DIRT and state.phase == records.ASSAULT):
        total += weight.posture * weight.danger * danger
    elif own.mark == records.DIRT:
        total -= weight.posture * weight.target * best
    return float(total)
