"""Attacks: dice, hits and cover, barrages, and who may make Defensive Fire (Combat).

In all functions `tables` and `state` are those of the match, `unit` attacks `target`, `at` is a hex, `hexes` a
distance, `kind` the kind of a target, `count` a number of Attack Dice, `modifier` what is added to a Cover Roll besides
terrain and markers, `defensive` whether an attack is Defensive Fire, and `dice` are those of the action.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.base.match import MOST_UNITS, Record, roll_for, roll_pool, units_of
from aabalance.rulesets.forumini.match import records
from aabalance.rulesets.forumini.match.hexes import ahead, distance, face_shown, in_arc
from aabalance.rulesets.forumini.match.movement import in_good_order
from aabalance.rulesets.forumini.shot.rules import COUNTERS, D6, SUCCESS

# --- one attack -------------------------------------------------------------------------------------------------------


def range_column(tables: Record, unit: int, hexes: int) -> int:
    """Return a unit's range column for a distance: the first that doesn't end before (Direct Fire 3)."""
    column = 0
    while tables.card[unit].last[column] < hexes:
        column += 1
    return column


def attack_dice(tables: Record, unit: int, kind: int, hexes: int) -> int:
    """Return the Attack Dice against a kind of target at a distance; 0 beyond the last column (Direct Fire 3-4)."""
    return int(tables.card[unit].dice[kind, range_column(tables, unit, hexes)])


def covers_front(tables: Record, state: Record, unit: int, at: int) -> bool:
    """Return whether a unit may fire at a hex: one without a turret only into its front arc [F-24]."""
    own = state.unit[unit]
    if not tables.card[unit].turretless or own.at == at:
        return True
    return ahead(tables.q[at] - tables.q[own.at], tables.r[at] - tables.r[own.at], own.face) >= 0


def has_dice(tables: Record, state: Record, unit: int, target: int) -> bool:
    """Return whether a unit has dice and the arc for an attack, seen or not (Direct Fire 2-4)."""
    own, other = state.unit[unit], state.unit[target]
    count = attack_dice(tables, unit, tables.card[target].kind, distance(tables, own.at, other.at))
    return count > 0 and covers_front(tables, state, unit, other.at)


def can_attack(tables: Record, state: Record, unit: int, target: int) -> bool:
    """Return whether a unit has sight, dice and the arc for an attack (Direct Fire 1-4)."""
    return sees(tables, state.unit[unit].at, state.unit[target].at) and has_dice(tables, state, unit, target)


def condition(own: Record) -> int:
    """Return the condition of a unit that its face-up counters make: its place in `shot.rules.CONDITIONS`."""
    return int(own.worse) + 1 if own.worse else int(own.pinned)


def face_to(tables: Record, state: Record, unit: int, target: int) -> int:
    """Return the face that a target shows to its attacker; soldiers are alike on all."""
    own, other = state.unit[unit], state.unit[target]
    if other.face == records.NO_FACE:
        return records.FRONT
    return face_shown(tables.q[own.at] - tables.q[other.at], tables.r[own.at] - tables.r[other.at], other.face)


def successes(tables: Record, state: Record, unit: int, count: int, dice: Record) -> int:
    """Roll Attack Dice and return how many are successes, 4 or more after the modifier (Direct Fire 5)."""
    need = SUCCESS - tables.card[unit].modifier[condition(state.unit[unit])]
    return roll_pool(dice, D6, count, need)


def has_cover(tables: Record, state: Record, target: int) -> bool:
    """Return whether a unit is in a hex that offers cover (Cover against Attacks)."""
    return bool(tables.chart[tables.ground[state.unit[target].at]].cover != records.NO_COVER)


def passes_cover(tables: Record, state: Record, unit: int, target: int, modifier: int, dice: Record) -> bool:
    """Return whether a target passes its Cover Roll; without cover or a Cover number it fails without a die (Cover 2).

    Hit the Dirt adds 1, and so does Hull Down where the front is attacked.
    """
    cover, mark = tables.card[target].cover, state.unit[target].mark
    if cover == 0 or not has_cover(tables, state, target):
        return False
    if mark == records.DIRT or (mark == records.HULL and face_to(tables, state, unit, target) == records.FRONT):
        modifier += 1
    need = max(2, cover - modifier - tables.chart[tables.ground[state.unit[target].at]].cover)
    return bool(roll_for(dice, D6, need, need) >= need)


def strike(tables: Record, state: Record, unit: int, target: int, defensive: bool, dice: Record) -> bool:
    """Resolve a direct attack, or Defensive Fire; return whether it had an effect (Direct Fire, Cover against Attacks).

    Of Defensive Fire a passed Cover Roll leaves nothing, and what it leaves is one counter at most [F-29].
    """
    own, other = state.unit[unit], state.unit[target]
    hexes = distance(tables, own.at, other.at)
    card = tables.card[target]
    rolled = successes(tables, state, unit, attack_dice(tables, unit, card.kind, hexes), dice)
    state_of, face = condition(other), face_to(tables, state, unit, target)
    hits = card.hits[state_of, face, rolled]
    if hits == 0:
        return False
    alone = hits == 1 and other.down == 0 and not (defensive and tables.df_always_cover)
    modifier = card.crushing[state_of, face, rolled] - int(hexes == 0) - int(defensive)
    if not (alone and tables.cover_one_hit_exempt) and passes_cover(tables, state, unit, target, modifier, dice):
        if defensive:
            return False
        hits = 1 if other.down == 0 else 0
    if not defensive:
        other.down = min(COUNTERS, other.down + hits)
    elif tables.df_counts:
        other.down = max(1, other.down)
    else:
        other.stopped = 1
    return True


def note_shot(state: Record, unit: int) -> None:
    """Note an attack of the Assault phase; it ends Overwatch."""
    own = state.unit[unit]
    own.act, own.watch = records.FIRED, records.NONE
    own.shots += 1


# --- Indirect Fire ----------------------------------------------------------------------------------------------------


def is_spotted(tables: Record, state: Record, unit: int, at: int) -> bool:
    """Return whether another own unit in good order, which hasn't moved in the phase, sees a hex [F-33]."""
    for other in units_of(tables, tables.side[unit]):
        own = state.unit[other]
        if (
            other != unit
            and own.at >= 0
            and own.act != records.MOVED
            and tables.sight[own.at, at]
            and in_good_order(tables, state, other)
        ):
            return True
    return False


def can_barrage(tables: Record, state: Record, unit: int, enemy: int) -> bool:
    """Return whether a unit may attack the hex of an enemy by Indirect Fire (Indirect Fire 1)."""
    at = state.unit[enemy].at
    spotted = at != state.unit[unit].at and is_spotted(tables, state, unit, at)
    return spotted and has_dice(tables, state, unit, enemy)


def barrage(tables: Record, state: Record, unit: int, at: int, dice: Record) -> None:
    """Attack all units in a hex, friend and foe, that fail a Cover Roll before (Indirect Fire 2-3) [F-15, F-34]."""
    hexes = distance(tables, state.unit[unit].at, at)
    counts = np.zeros(MOST_UNITS, np.int64)
    for target in range(tables.units):
        if state.unit[target].at == at and not passes_cover(tables, state, unit, target, 0, dice):
            counts[target] = attack_dice(tables, unit, tables.card[target].kind, hexes)
    most, found, more = counts.max(), 0, 0
    fewer = min(
        most, attack_dice(tables, unit, records.SOLDIER, hexes), attack_dice(tables, unit, records.VEHICLE, hexes)
    )
    if tables.indirect_shared_roll:
        found = successes(tables, state, unit, fewer, dice)
        more = successes(tables, state, unit, most - fewer, dice)
    for target in range(tables.units):
        other, card, count = state.unit[target], tables.card[target], counts[target]
        if count == 0:  # the 0 successes of 0 dice would equal a Defense of 0 [F-3]
            continue
        if not tables.indirect_shared_roll:
            found = successes(tables, state, unit, count, dice)
        rolled = found + (more if count > fewer else 0)
        hits = card.hits[condition(other), face_to(tables, state, unit, target), rolled]
        other.down = min(COUNTERS, other.down + hits)


# --- Defensive Fire ---------------------------------------------------------------------------------------------------


def may_shoot(tables: Record, state: Record, unit: int) -> bool:
    """Return whether a unit may make Defensive Fire at the one that moves, after its step (Defensive Fire).

    Restrictions 1, 2 and 8; Regular Defensive Fire, at who goes from an adjacent hex to another [F-28]; Overwatch 2.
    """
    own, mover, left, there = state.unit[unit], state.moving, state.path[state.steps - 2], state.path[state.steps - 1]
    if own.at < 0 or own.fired or tables.side[unit] == tables.side[mover] or not in_good_order(tables, state, unit):
        return False
    of_vehicle_at_soldier = tables.card[unit].kind == records.VEHICLE and tables.card[mover].kind == records.SOLDIER
    if of_vehicle_at_soldier or not can_attack(tables, state, unit, mover):
        return False
    beside = distance(tables, own.at, left) <= 1 and distance(tables, own.at, there) <= 1
    if own.mark == records.HULL:
        beside = False
    elif own.mark == records.DIRT:
        beside = beside and (own.at == left or own.at == there)
    return bool(beside or (own.watch != records.NONE and in_arc(tables, own.at, own.watch, there)))


def has_shooters(tables: Record, state: Record) -> bool:
    """Return whether the other side may make Defensive Fire at the unit that moves."""
    for unit in units_of(tables, 1 - state.active):  # noqa: SIM110  # numba knows no generators
        if may_shoot(tables, state, unit):
            return True
    return False


def fire_defensively(tables: Record, state: Record, unit: int, dice: Record) -> bool:
    """Fire at the unit that moves; return whether it is stopped (Defensive Fire)."""
    state.unit[unit].fired, state.unit[unit].watch = 1, records.NONE
    return strike(tables, state, unit, state.moving, True, dice)


def sees(tables: Record, here: int, there: int) -> bool:
    """Return whether there is a line of sight between two hexes; see `MatchRules`."""
    return bool(tables.sight[here, there])
