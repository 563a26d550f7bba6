"""Direct fire, and what fire does.

In all functions `tables` and `state` are those of the match, `unit` and `target` are units, `one` and `other` are
squares, `face` is a direction, `pace` a pace, `side` a side, `wild` are wild dice that are added, `number` is how many
dice are rolled and `needed` what each has to show, `points` are disruption points, and `dice` are those of the action.
"""

from __future__ import annotations

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.movement import fall_back, put
from aabalance.rulesets.armour_battles.match.sight import d2, is_flank, sees, towards
from aabalance.rulesets.armour_battles.shot.pools import D6, TARGET_NUMBER
from aabalance.rulesets.armour_battles.shot.resolve import DISPERSED_AT, LEAST_TARGET_NUMBER
from aabalance.rulesets.armour_battles.shot.sheets import EVASION_DICE
from aabalance.rulesets.base.match import Record, roll, roll_for, units_of

MORALE_DIE = 3
MOST_WILD = 2
"""Wild dice that may be added to a roll [B-18]."""


def wild_dice(state: Record, side: int) -> int:
    """Return how many wild dice a side has: lent ones, 6s, and staff orders (Wild Dice)."""
    return int(state.lent[side] + state.dice[side, D6] + state.staff[side])


def spend_wild(state: Record, side: int, wild: int) -> None:
    """Spend wild dice: lent ones first, then 6s, then staff orders [B-18]."""
    for _ in range(wild):
        if state.lent[side] > 0:
            state.lent[side] -= 1
        elif state.dice[side, D6] > 0:
            state.dice[side, D6] -= 1
        else:
            state.staff[side] -= 1


def fire_dice(tables: Record, state: Record, unit: int, pace: int) -> int:
    """Return how many dice a unit fires with after a move at a pace (Direct Fire), if it has a gun."""
    taken = max(0, pace - records.SINGLE)
    return int(tables.card[unit].at_dice + state.unit[unit].ambush - taken)


def can_fire(tables: Record, state: Record, unit: int, one: int, target: int, pace: int) -> bool:
    """Return whether a unit that acts may fire from a square at an enemy (Direct Fire); suppressed units never act."""
    other = state.unit[target].at
    if other < 0 or fire_dice(tables, state, unit, pace) < 1:
        return False
    return d2(tables, one, other) <= tables.card[unit].reach[2] and sees(tables, state, one, other)


def target_number(tables: Record, unit: int, one: int, face: int, other: int) -> int:
    """Return what each die of a unit on square `one` needs against a unit on `other` with that facing (Direct Fire)."""
    card, far = tables.card[unit], d2(tables, one, other)
    number = TARGET_NUMBER
    if far <= card.reach[0]:
        number -= 1
    elif far > card.reach[1]:
        number += 1
    if is_flank(tables, face, one, other):
        number -= 1
    return int(min(D6, max(LEAST_TARGET_NUMBER, number)))


def reaction_dice(tables: Record, state: Record, target: int, one: int, other: int) -> int:
    """Return the reaction dice of a unit in `other` against fire from `one` (Reaction Checks)."""
    card = tables.card[target]
    return int(card.reaction + tables.shelter[one, other] + EVASION_DICE * state.unit[target].evading)


def can_break_off(tables: Record, state: Record, target: int) -> bool:
    """Return whether a unit may break off under fire [B-25]."""
    own = state.unit[target]
    return bool(tables.card[target].reconnaissance and not own.suppressed and not own.activated)


def fire(tables: Record, state: Record, unit: int, target: int, wild: int, dice: Record) -> None:
    """Fire at an enemy, whose player decides on the reaction if there is more than one way (Direct Fire)."""
    own = state.unit[unit]
    spend_wild(state, tables.side[unit], wild)
    own.face = towards(tables, own.at, state.unit[target].at)
    state.firer, state.target, state.wild = unit, target, wild
    if wild_dice(state, tables.side[target]) == 0 and not can_break_off(tables, state, target):
        react(tables, state, 0, False, dice)


def react(tables: Record, state: Record, wild: int, breaks: bool, dice: Record) -> None:
    """Roll fire and reaction; `breaks` says whether the target breaks off (Reaction Checks, Fire Combat Results)."""
    unit, target = state.firer, state.target
    own, other = state.unit[unit], state.unit[target]
    side = tables.side[target]
    spend_wild(state, side, wild)
    number = fire_dice(tables, state, unit, state.group.pace) + state.wild
    needed = target_number(tables, unit, own.at, other.face, other.at)
    reaction = reaction_dice(tables, state, target, own.at, other.at) + wild + (EVASION_DICE if breaks else 0)
    hits, sixes = throw(dice, number, needed)
    stopped, warded = throw(dice, reaction, TARGET_NUMBER + other.suppressed)
    state.firer = state.target = records.NONE
    state.wild = own.ambush = 0
    can_scoot = is_elusive(tables, unit) and state.group.pace == records.STAY
    state.group.task = records.LEAVE if can_scoot else records.NO_TASK
    if not can_scoot:
        state.group.unit = records.NONE
    if breaks:
        other.activated = 1
    suffer(tables, state, target, points_of(tables, hits, stopped), sixes > warded, breaks, dice)


def is_elusive(tables: Record, unit: int) -> bool:
    """Return whether a unit may shoot and scoot: tank destroyers and reconnaissance [B-24]."""
    card = tables.card[unit]
    return bool(card.destroyer or card.reconnaissance)


def throw(dice: Record, number: int, needed: int) -> tuple[int, int]:
    """Roll a pool; return how many dice show what is needed, and how many show a 6."""
    successes, sixes, pool = 0, 0, dice.rolled + 1
    for _ in range(number):
        face = roll_for(dice, D6, needed, D6)
        dice.pool[dice.rolled - 1] = pool
        successes += face >= needed
        sixes += face == D6
    return successes, sixes


def points_of(tables: Record, hits: int, stopped: int) -> int:
    """Return the disruption points of so many `hits`, of which reactions have `stopped` some [B-1]."""
    return hits if tables.no_cancel else max(0, hits - stopped)


def suffer(tables: Record, state: Record, unit: int, points: int, suppresses: bool, breaks: bool, dice: Record) -> None:
    """Let a unit take the points of fire (Fire Combat Results).

    `suppresses` says whether the fire suppresses it, `breaks` whether it breaks off.
    """
    own, side = state.unit[unit], tables.side[unit]
    own.ambush = 0
    own.dp += points
    if suppresses:
        own.suppressed = 1
    if own.dp >= DISPERSED_AT:
        put(state, unit, records.GONE)
        state.morale[side] -= roll(dice, MORALE_DIE)
        look_for_end(tables, state, side)
    elif (own.suppressed and points > 0) or (breaks and not own.suppressed):
        fall_back(tables, state, unit)


def look_for_end(tables: Record, state: Record, side: int) -> None:
    """End the match if a side's army is broken, or it has no unit left (Dispersal) [B-30]."""
    if state.morale[side] <= 0:
        end_match(state, 1 - side, records.ARMY_BROKEN)
    elif units_left(tables, state, side) == 0:
        end_match(state, 1 - side, records.NO_UNIT_LEFT)


def units_left(tables: Record, state: Record, side: int) -> int:
    """Return how many units a side has on the table and in reserve."""
    count = 0
    for unit in units_of(tables, side):
        if state.unit[unit].at != records.GONE:
            count += 1
    return count


def end_match(state: Record, winner: int, reason: int) -> None:
    """End the match for a `reason`, with a `winner` or nobody, and the pulse and the group in it."""
    state.winner, state.reason = winner, reason
    state.spent = state.chain = 0
    state.credit = records.NO_CREDIT
    close(state)


def close(state: Record) -> None:
    """Close the command group."""
    group = state.group
    group.order, group.leader, group.unit = records.NO_ORDER, records.NONE, records.NONE
    group.task, group.pace, group.move, group.rolled = records.NO_TASK, records.NO_PACE, records.NO_MOVE, 0
    group.die[:] = 0
    for unit in range(len(state.unit)):
        state.unit[unit].member = 0
        state.unit[unit].used = 0
