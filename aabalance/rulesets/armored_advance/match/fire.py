"""Attacks: who may be attacked with what, the rolls needed, and the damage.

In all functions `tables` and `state` are those of the match, `unit` is the one that fires, or whose side is meant,
`target` or `enemy` the one that is fired at, `friend` one that a scout helps, `weapon` the number of a weapon,
`penetration` its penetration and `way` one of `DIRECT`, `AIMED`, `LOBBED` and `THROWN`. `crew` is from `crews`, `gun`
is a gun and `square` a square. `far` is a squared distance, `walls` and `pieces` are walls and foliage on the line,
`shown` is a target's card, `margin` penetration less armour, `killed` what an attack kills before sandbags; `need`,
`reroll`, `die` and `dice` are those of a roll.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armored_advance.card import sides_and_plus
from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.sight import d2, face, in_arc, is_angled, is_behind, is_by, line
from aabalance.rulesets.armored_advance.shot import tables as rolls
from aabalance.rulesets.armored_advance.shot.halves import GRENADE
from aabalance.rulesets.armored_advance.shot.tables import BOTH_MOVES
from aabalance.rulesets.base.match import Actions, Record, roll, roll_for, units_of

DIRECT, AIMED, LOBBED, THROWN = range(4)
"""Ways to attack, in the order of their actions: a weapon is fired as it is, with both actions, or indirectly; and a
grenade is thrown."""
D3, D6 = 3, 6
GRENADE_PLUS = sides_and_plus(GRENADE.ai)[1]
HALF_FROM, HALF_TO, NEVER_ABOVE = (10 * i for i in (rolls.FULL_BELOW_IN, rolls.HALVED_TO_IN, rolls.UNTOUCHED_ABOVE_IN))
"""Tenths of an inch that a target of indirect fire moved in its last turn (p. 15; AA-30)."""
LEAST_MARGIN, MOST_MARGIN = 3, 2
"""Armour that exceeds the penetration by so much is safe; penetration that exceeds it by so much is sure (p. 7)."""
NEEDS_BY_MARGIN = tuple(
    tuple(rolls.penetration_need(margin, weak_spot) for margin in range(-LEAST_MARGIN, MOST_MARGIN + 1))
    for weak_spot in (False, True)
)
HE_BY_WEIGHT = tuple(rolls.HE_MODIFIERS[weight] for weight in records.WEIGHTS)


def crews(tables: Record, state: Record) -> Actions:
    """Return which squad mans each gun, `NONE` for none (p. 17)."""
    crew, busy = np.full(records.MOST_UNITS, records.NONE, np.int64), np.zeros(records.MOST_UNITS, np.bool_)
    for gun in range(tables.units):
        if tables.card[gun].kind != records.GUN:
            continue
        for wanted in range(records.ARTILLERY_CREW, records.RIFLE + 1):
            for squad in units_of(tables, tables.side[gun]):
                card, at = tables.card[squad], state.unit[squad].at
                waits = card.kind == records.SQUAD and card.squad == wanted and at != records.NONE and not busy[squad]
                if crew[gun] == records.NONE and waits and is_manned_from(tables, state, gun, at):
                    crew[gun], busy[squad] = squad, True
    return crew


def is_manned_from(tables: Record, state: Record, gun: int, square: int) -> bool:
    """Return whether who stands on a square can man a gun: behind it, within an inch (p. 17)."""
    own = state.unit[gun]
    return is_by(tables, state, gun, square) and is_behind(tables, own.at, own.f, square)


def has_line(tables: Record, state: Record, unit: int, target: int) -> bool:
    """Return whether a unit may fire at a square by sight: neither blocked, nor hidden without a scout (pp. 5, 21)."""
    blocked, hidden, _, _, _ = line(tables, state.unit[unit].at, state.unit[target].at)
    return not blocked and (not hidden or scouted(state, unit, target) > 0)


def scouted(state: Record, friend: int, enemy: int) -> int:
    """Return what a scout adds to the rolls of a unit against another in this turn (p. 11); 0 without one."""
    for at in range(state.scouts):
        if state.scouted[at].friend == friend and state.scouted[at].enemy == enemy:
            return int(state.scouted[at].bonus)
    return 0


def slot_is_free(tables: Record, state: Record, unit: int, weapon: int) -> bool:
    """Return whether a weapon has an attack of this turn left (pp. 5, 12, 13)."""
    card, own = tables.card[unit], state.unit[unit]
    arm = card.weapon[weapon]
    # An accurate shot, after which the unit stands still, is a single one.
    most = card.primary_attacks if arm.primary and not own.still else 1
    return own.fired[arm.slot] < most and not (arm.primary and own.reload)


def may_attack(tables: Record, state: Record, unit: int, target: int, weapon: int, way: int, crew: Actions) -> bool:
    """Return whether a weapon may be fired at an enemy, its slot and its actions aside (pp. 5, 10, 15, 17, 18)."""
    own, enemy = state.unit[unit], state.unit[target]
    card = tables.card[unit]
    shown = tables.card[target]
    arm = card.weapon[weapon]
    if (arm.kind == records.AI) != (shown.kind == records.SQUAD) or not in_arc(tables, card, own.at, own.f, enemy.at):
        return False
    far = d2(tables, own.at, enemy.at)
    if way == LOBBED:
        if far > arm.lob_d2:
            return False
        _, _, _, _, covered = line(tables, own.at, enemy.at)
        if covered or share(tables, state, target) == 0:
            return False
    elif far > arm.most_d2 or not has_line(tables, state, unit, target):
        return False
    if arm.kind == records.AI:
        most = arm.rolls * kills(tables, state, unit, weapon, D6)
        return may_hit_squad(tables, state, unit, target, crew) and casualties(tables, state, target, most) > 0
    need, pen_need, _, _ = needs(tables, state, unit, target, weapon, way, crew)
    return need <= D6 and pen_need <= D6 and damage(tables, state, unit, target, weapon, way, 1) > 0


def may_hit_squad(tables: Record, state: Record, unit: int, target: int, crew: Actions) -> bool:
    """Return whether a squad can be attacked from where a unit stands (pp. 10, 17, 18)."""
    for gun in range(tables.units):
        if crew[gun] == target:
            shield = tables.card[gun].armor
            if shield[face(tables, state.unit[gun].at, state.unit[gun].f, state.unit[unit].at)] > 0:
                return False
    return bool(tables.card[target].squad < records.AT_RIFLE or state.unit[target].active != 0)


def band(tables: Record, far: int, pieces: int) -> int:
    """Return the range band of a squared distance, from 0 on; `pieces` of foliage put the target further away."""
    at = 0
    while at + 1 < records.BANDS and far > tables.band_d2[pieces, at]:
        at += 1
    return at


def needs(
    tables: Record, state: Record, unit: int, target: int, weapon: int, way: int, crew: Actions
) -> tuple[int, int, int, int]:
    """Return what a dice sequence of an AT or HE weapon needs (pp. 6, 7, 9, 10).

    Returns
    -------
    need, pen_need, reroll, pen_reroll : int
        As in `aabalance.rulesets.armored_advance.shot.tables.Roll`.
    """
    if always_hits(tables, way):
        return 1, 1, 0, 0
    own, enemy = state.unit[unit], state.unit[target]
    card = tables.card[unit]
    arm = card.weapon[weapon]
    _, hidden, walls, pieces, _ = line(tables, own.at, enemy.at)
    counted = min(pieces, records.EXTRA_PIECES - 1 if tables.foliage_stacks else 1)
    increase, further = in_bags(tables, state, target), 0
    if way != LOBBED:
        if tables.range_plus:
            further = counted
        else:
            increase += 2 * counted
    at = band(tables, d2(tables, own.at, enemy.at), further)
    bonus = 0 if hidden else scouted(state, unit, target)
    if way == AIMED:
        bonus += 1
    if card.kind == records.GUN and tables.card[crew[unit]].squad == records.ARTILLERY_CREW:
        bonus += 1
    if arm.primary and card.arc != 0 and own.first == records.MOVED:
        bonus -= 1
    displaced = own.tenths > 0 if tables.free_move_breaks_advantage else own.moves > 0
    advantage = card.kind == records.GUN or not displaced
    pen = 1
    if arm.kind == records.AT:
        pen = penetration_need(tables, state, unit, target, arm.penetration[at], walls)
    else:
        bonus += he_modifier(tables, tables.card[target], enemy)
        advantage = advantage and tables.he_advantage
    column = min(max(bonus - records.LEAST_BONUS, 0), records.BONUSES - 1)
    cell = at, min(increase, records.INCREASES - 1), pen - 1, column
    if not advantage:
        return int(tables.need[cell]), int(tables.pen_need[cell]), 0, 0
    return int(tables.need[cell]), int(tables.pen_need[cell]), int(tables.reroll[cell]), int(tables.pen_reroll[cell])


def always_hits(tables: Record, way: int) -> bool:
    """Return whether an attack hits without a roll (p. 15)."""
    return bool(way == LOBBED and not tables.indirect_requires_hit)


def in_bags(tables: Record, state: Record, target: int) -> int:
    """Return 1 if sandbags cover a gun, else 0 (p. 21)."""
    return int(tables.card[target].kind == records.GUN and tables.ground[state.unit[target].at] == records.SANDBAGS)


def penetration_need(tables: Record, state: Record, unit: int, target: int, penetration: int, walls: int) -> int:
    """Return the roll needed to penetrate, `PEN_NEEDS` where none does (pp. 7, 14, 21)."""
    firer, enemy = state.unit[unit].at, state.unit[target]
    shown = tables.card[target]
    armor = shown.armor[face(tables, enemy.at, enemy.f, firer)]
    if shown.angling > 0 and is_angled(tables, enemy.at, enemy.f, firer):
        armor = armor + shown.angling if tables.angling_adds else max(armor, shown.angling)
    armor += in_bags(tables, state, target)
    margin = penetration - 2 * walls * tables.pen_minus - armor - walls * tables.armor_plus
    return need_by_margin(margin, shown.weak_spot)


def need_by_margin(margin: int, weak_spot: int) -> int:
    """Return the roll needed by what the penetration exceeds the armour; `PEN_NEEDS` where none is enough (p. 7)."""
    return NEEDS_BY_MARGIN[int(weak_spot > 0)][int(min(max(margin, -LEAST_MARGIN), MOST_MARGIN)) + LEAST_MARGIN]


def he_modifier(tables: Record, shown: Record, enemy: Record) -> int:
    """Return what is added to an HE hit roll, by the target's weight and whether it moved (p. 10)."""
    moved = enemy.last_moves >= BOTH_MOVES if tables.two_moves else enemy.last_tenths > 0
    return HE_BY_WEIGHT[int(shown.weight)][int(moved and shown.kind == records.VEHICLE)]


def damage(tables: Record, state: Record, unit: int, target: int, weapon: int, way: int, die: int) -> int:
    """Return the hit points that a hit takes, by the die of high explosive (pp. 6, 7, 9, 10, 15)."""
    card, enemy = tables.card[unit], state.unit[target]
    shown = tables.card[target]
    arm = card.weapon[weapon]
    if arm.kind == records.AT:
        hit_points = arm.damage
    else:
        armor = shown.armor[records.SIDE]
        if face(tables, enemy.at, enemy.f, state.unit[unit].at) == records.SIDE:
            armor += in_bags(tables, state, target)
        hit_points = max(0, arm.he_base - arm.n * die - armor)
    if card.support and arm.primary and shown.kind == records.GUN:
        hit_points = (3 * hit_points + 1) // 2
    if way == LOBBED and share(tables, state, target) == 1:
        hit_points = (hit_points + 1) // 2 if tables.round_up else hit_points // 2
    return int(hit_points)


def share(tables: Record, state: Record, target: int) -> int:
    """Return how many halves of indirect damage a unit takes, by how far it moved in its last turn (p. 15; AA-30)."""
    tenths = state.unit[target].last_tenths
    if tables.card[target].kind != records.VEHICLE or tenths < HALF_FROM:
        return 2
    return 1 if tenths <= HALF_TO or (tenths <= NEVER_ABOVE and not tables.gap_immune) else 0


def kills(tables: Record, state: Record, unit: int, weapon: int, die: int) -> int:
    """Return the men that a roll of a casualty code kills (pp. 10, 17, 18); `GRENADE_SLOT` for a grenade."""
    card, own = tables.card[unit], state.unit[unit]
    more = card.machine_gun
    if weapon == records.GRENADE_SLOT:
        killed = die + GRENADE_PLUS
        more = more if tables.mg_on_grenades else 0
    else:
        men = own.hp if card.kind == records.SQUAD else 1
        arm = card.weapon[weapon]
        killed = arm.plus[men] + (min(die, arm.die[men]) if arm.die[men] > 0 else 0)
    return int(max(0, killed) + more if tables.mg_after_clamp else max(0, killed + more))


def casualties(tables: Record, state: Record, target: int, killed: int) -> int:
    """Return the men that a squad loses to an attack, of which sandbags save half (pp. 17, 21)."""
    enemy = state.unit[target]
    lost = killed // 2 if tables.ground[enemy.at] == records.SANDBAGS else killed
    return int(min(lost, enemy.hp))


def fire(
    tables: Record, state: Record, unit: int, target: int, weapon: int, way: int, crew: Actions, dice: Record
) -> int:
    """Roll the dice of an attack, and return the hit points or men that it takes."""
    if way == THROWN:
        return casualties(tables, state, target, kills(tables, state, unit, weapon, roll(dice, D6)))
    card = tables.card[unit]
    arm = card.weapon[weapon]
    if arm.kind == records.AI:
        men = state.unit[unit].hp if card.kind == records.SQUAD else 1
        killed = 0
        for _ in range(arm.rolls):
            die = roll(dice, arm.die[men]) if arm.die[men] > 0 else 0
            killed += kills(tables, state, unit, weapon, die)
        return casualties(tables, state, target, killed)
    need, pen_need, reroll, pen_reroll = needs(tables, state, unit, target, weapon, way, crew)
    lost = 0
    for _ in range(1 if way == AIMED else arm.sequences):
        hits = always_hits(tables, way) or succeeds(tables, need, reroll, dice)
        if hits and tables.two_dice and arm.kind == records.AT:
            hits = succeeds(tables, pen_need, pen_reroll, dice)
        if hits:
            die = roll(dice, D6) if arm.kind != records.AT else 1
            lost += damage(tables, state, unit, target, weapon, way, die)
    return lost


def succeeds(tables: Record, need: int, reroll: int, dice: Record) -> bool:
    """Roll a die, again if it shows the face that is rolled again, and return whether it shows what is needed."""
    low = reroll if 0 < reroll < need else need  # the die that just misses
    face = roll_for(dice, D6, need, low)
    if face == reroll and face < need:
        again = low if tables.reroll_again else need
        face = roll_for(dice, D6, need, again)
        while tables.reroll_again and face == reroll:
            face = roll_for(dice, D6, need, again)
    return face >= need
