"""How units move in a battle, and what their strikes do from where they are then, in many lanes at once.

Two lines face each other. A unit's place is its distance in steps from the edge behind its own line; two enemies are as
far apart as the ground is deep, less both places. A side moves before it strikes: its units in list order, each once at
most, for actions of its own and of the side's limit. What an attack does depends on its moment: the steps between the
two, whether the attacker moved in this turn, and how far the target moved in its last one, as a class of distances.
Moments at which all strikes of a side do the same are one aspect. All functions are plain loops over lanes, which also
compile to vector instructions.
"""

from __future__ import annotations

from typing import Any

from aabalance.engine import jit
from aabalance.engine.battle.actions import raise_rows
from aabalance.engine.battle.columns import (
    AHEAD,
    ALL,
    ASPECTS,
    BACK,
    CLASS_STEPS,
    CLASSES,
    COST,
    DEPTH,
    FREE,
    GUN,
    GUNS,
    NOBODY,
    NONE,
    ONCE,
    ONE,
    ORDERS,
    PACES,
    POOL,
    POSTURE,
    PREPARES,
    RANK,
    RIDERS,
    ROW,
    STAGE,
    STRIKES,
    UNIT,
    UNITS,
    W,
)
from aabalance.engine.battle.lanes.dice import put_gains
from aabalance.engine.battle.policies import BOTH, OWN
from aabalance.engine.battle.postures import wish
from aabalance.engine.battle.reach import (
    GOES,
    LEAST_PLACE,
    MOST_PLACE,
    find_bounds,
    is_content,
    mark_hurts,
    may_go,
)

board = drive_for = get_out = hide = jit.NO_HOOK
"""What only battles with riders need, from `aabalance.engine.battle.lanes.hooks`."""


def set_out(
    side: Any,
    sides: Any,
    line: Any,
    alive: Any,
    foes: Any,
    state: Any,
    left: Any,
    gains: Any,
    hurts: Any,
    asks: Any,
    lanes: Any,
) -> Any:
    """Move the units of a side, and write whom it can hurt and what strikes gain once they have moved.

    Parameters
    ----------
    side, sides, line, alive, foes, state, lanes
        As for `advance`.
    left, gains, hurts : pair of arrays
        For each side, `left`, `gains` and `hurts` as for policies; the last two are written.
    asks : int
        The gains that the side's policy reads, as in `aabalance.engine.battle.policies.ASKS`.

    Returns
    -------
    int
        Number of rows of the side's `hurts` that are needed, from `aabalance.engine.battle.reach.mark_hurts`.
    """
    aspect = line[3]
    advance(side, sides, line, alive, foes, state, lanes)
    rows = mark_hurts(side, sides, line, hurts[side], lanes)
    if asks >= OWN:
        write_gains(side, sides, line, left[1 - side], gains[side], aspect, lanes)
        if hide is not None:
            hide(side, sides, foes, gains[side], lanes)
    if asks == BOTH:
        write_gains(1 - side, sides, line, left[side], gains[1 - side], aspect, lanes)
    return rows


def advance(side: Any, sides: Any, line: Any, alive: Any, foes: Any, state: Any, lanes: Any) -> None:
    """Move each unit of a side as its posture wants, as far as it can and its actions last.

    Parameters
    ----------
    side : int
        The side.
    sides : pair of tuple of arrays
        As `aabalance.engine.battle.packing.Packed.sides`.
    line : tuple of arrays
        From `aabalance.engine.battle.line.line_for`: where units stand; changed.
    alive, foes : array of uint16, shape (lanes,)
        Bits of the side's units that are left, and of the enemies that can be aimed at: none where the battle is over.
    state : tuple of arrays
        As for `aabalance.engine.battle.actions.mark_ready`. Moves are paid for; guns of units that move aren't
        prepared.
    lanes : uint64
        Number of lanes.
    """
    mine, other = sides[side], 1 - side
    units, paces, orders = mine[UNITS], mine[PACES], mine[ORDERS]
    at, moved, classes, front, ahead, back, who, _, changed, _, bounds = line
    own, theirs, gone = at[side], at[other], moved[side]
    _, _, prepared, spent, _, actions, _, _ = state
    depth, dearest = W(orders[DEPTH]), 0
    for one in range(2):
        find_bounds(one, sides, line, lanes)
    for k in range(lanes):
        gone[k], front[k], changed[k] = NONE, NONE, NONE
    for enemy in range(len(sides[other][UNITS])):
        if bounds[other, enemy, MOST_PLACE] == 0:
            continue
        bit, there = W(ONE << W(enemy)), theirs[enemy]
        for k in range(lanes):
            farthest, stands = front[k], there[k]
            front[k] = max(farthest, stands) if W(foes[k] & bit) != NONE else farthest
    if board is not None:
        board(side, sides, line, alive, state, lanes)
    for unit in range(len(units)):
        bounds[side, unit, GOES] = 0
        stays = is_content(side, sides, line, unit)
        if not may_go(mine, unit) or (stays and len(classes[side]) == 0):
            continue
        place, bit, cost, any_steps = own[unit], W(ONE << W(unit)), paces[unit, COST], NONE
        for k in range(lanes):
            ahead[k], back[k] = NONE, NONE
        if not stays:
            wish(orders[POSTURE], mine, unit, place, theirs, front, foes, ahead, back, lanes)
            if drive_for is not None:
                drive_for(side, sides, line, unit, foes, ahead, back, lanes)
        tired = spent[units[unit, POOL] - cost if cost > 0 else len(spent) - 1]
        paid = W(0 if units[unit, FREE] else cost)
        farthest, least = W(paces[unit, AHEAD]), W(paces[unit, BACK])
        # Each loop uses few arrays, else it doesn't compile to vector instructions.
        for k in range(lanes):
            steps = min(min(ahead[k], farthest), W(depth - place[k] - front[k]))
            can = (W(alive[k] & bit) != NONE) & (W(tired[k] & bit) == NONE) & (actions[k] >= paid)
            ahead[k] = steps if can else NONE
            any_steps = W(any_steps | ahead[k])
        if least > NONE:
            for k in range(lanes):
                steps = min(min(back[k], least), place[k])
                can = (W(alive[k] & bit) != NONE) & (W(tired[k] & bit) == NONE) & (actions[k] >= paid)
                back[k] = steps if can else NONE
            # From here on `ahead` has the steps in either direction.
            for k in range(lanes):
                place[k] -= back[k] + back[k]
                ahead[k] += back[k]
                any_steps = W(any_steps | ahead[k])
        if any_steps != NONE:
            nearest, foremost = ALL, NONE
            for k in range(lanes):
                place[k] += ahead[k]
                nearest, foremost = min(nearest, place[k]), max(foremost, place[k])
                gone[k] |= bit if ahead[k] != NONE else NONE
                actions[k] -= paid if ahead[k] != NONE else NONE
            bounds[side, unit, LEAST_PLACE], bounds[side, unit, MOST_PLACE] = nearest, foremost
            bounds[side, unit, GOES] = 1
            dearest = max(dearest, cost)
        if len(classes[side]):
            kind = classes[side][unit]
            for k in range(lanes):
                changed[k] |= kind[k]
                kind[k] = ONE if ahead[k] != NONE else NONE
            for later in range(CLASS_STEPS, len(orders)):
                most = W(orders[later])
                for k in range(lanes):
                    kind[k] += ONE if ahead[k] >= most else NONE
    for cost in range(1, dearest + 1):
        bits = NONE
        for unit in range(len(units)):
            if paces[unit, COST] == cost:
                bits = W(bits | W(ONE << W(unit)))
        for k in range(lanes):
            who[k] = gone[k] & bits
        raise_rows(spent[: len(spent) - 1], cost, who, lanes)
    if get_out is not None:
        get_out(side, sides, line, foes, lanes)
    if len(mine[RIDERS]):
        find_bounds(side, sides, line, lanes)
    for strike in range(len(mine[STRIKES])):
        if mine[STRIKES][strike, STAGE] == PREPARES:
            row = prepared[mine[STRIKES][strike, GUN]]
            for k in range(lanes):
                row[k] &= gone[k] ^ ALL


def write_aspects(side: Any, sides: Any, line: Any, unit: Any, enemy: Any, aspect: Any, lanes: Any) -> None:
    """Write the aspect of a unit's strikes at an enemy.

    Parameters
    ----------
    side, sides, line, lanes
        As for `advance`.
    unit, enemy : int
        The rows of both.
    aspect : array of uint16, shape (lanes,)
        Takes the number of the aspect.
    """
    orders, table = sides[side][ORDERS], sides[side][ASPECTS]
    at, moved, classes, _, _, _, _, _, _, _, _ = line
    here, there, gone = at[side][unit], at[1 - side][enemy], moved[side]
    depth, bit, many = W(orders[DEPTH]), W(ONE << W(unit)), W(orders[CLASSES])
    for k in range(lanes):
        # A unit may have moved past the place of an enemy that is gone: then there is no distance, and 0 will do.
        apart = W(depth - min(depth, W(here[k] + there[k])))
        aspect[k] = W(W(2) * apart + (ONE if W(gone[k] & bit) != NONE else NONE)) * many
    if len(classes[1 - side]):
        kind = classes[1 - side][enemy]
        for k in range(lanes):
            aspect[k] += kind[k]
    for k in range(lanes):
        aspect[k] = table[aspect[k]]


def write_gains(side: Any, sides: Any, line: Any, left: Any, gains: Any, aspect: Any, lanes: Any) -> None:
    """Write the gains of all strikes of a side from all enemies.

    Parameters
    ----------
    side, sides, line, lanes
        As for `advance`.
    left : array of uint16, shape (enemies, lanes)
        The toughness that each enemy has left.
    gains : array of uint16, shape (strikes, enemies, lanes)
        Takes the gains, as ranks.
    aspect : array of uint16, shape (lanes,)
        Scratch.
    """
    for enemy in range(len(sides[1 - side][UNITS])):
        write_gains_from(side, sides, line, enemy, left, gains, aspect, lanes)


def write_gains_from(
    side: Any, sides: Any, line: Any, enemy: Any, left: Any, gains: Any, aspect: Any, lanes: Any
) -> None:
    """Write the gains of all strikes of a side from one enemy.

    Parameters
    ----------
    enemy : int
        The enemy's row.
    side, sides, line, left, gains, aspect, lanes
        As for `write_gains`.
    """
    mine = sides[side]
    strikes, rank = mine[STRIKES], mine[RANK]
    has, last = left[enemy], NOBODY
    for strike in range(len(strikes)):
        if strikes[strike, UNIT] != last:
            last = strikes[strike, UNIT]
            write_aspects(side, sides, line, last, enemy, aspect, lanes)
        table, row = rank[strike, enemy], gains[strike, enemy]
        for k in range(lanes):
            row[k] = table[aspect[k], has[k]]


def note_idle(side: Any, sides: Any, line: Any, state: Any, go: Any, turn: Any, lanes: Any) -> None:
    """Count the turns in a row that changed nothing; after one of each side nothing ever will, and the battle is over.

    Parameters
    ----------
    side, sides, line, state, lanes
        As for `advance`, at the end of the turn.
    go, turn : array of uint16, shape (lanes,)
        1 if the battle goes on, and the player turns played; changed. The two idle turns don't count.
    """
    guns = sides[side][GUNS]
    fired, loading, _, spent, _, _, _, _ = state
    gone, changed, idle = line[1][side], line[8], line[9][0]
    for k in range(lanes):
        changed[k] |= gone[k] | spent[0][k]
    for gun in range(len(guns)):
        shots, reloading = fired[guns[gun, ROW]], loading[gun]
        if guns[gun, ONCE]:
            for k in range(lanes):
                changed[k] |= shots[k]
        else:
            for k in range(lanes):
                changed[k] |= shots[k] | reloading[k]
    for k in range(lanes):
        so_far, goes_on = idle[k], go[k]
        still = (changed[k] == NONE) & (goes_on != NONE)
        count = W(so_far + ONE) if still else NONE
        over = count >= W(2)
        idle[k] = NONE if over else count
        go[k] = NONE if over else goes_on
        turn[k] -= W(2) if over else NONE


def find_moments(side: Any, sides: Any, line: Any, picked: Any, moment: Any, lanes: Any) -> None:
    """Write the moment of the picked strike in each lane.

    Parameters
    ----------
    side, sides, line, lanes
        As for `advance`; `line` takes, for `regain`, the places of unit and target and the class of the target's move.
    picked : tuple of arrays of uint16, shape (lanes,)
        The strikes, as policies write them.
    moment : array of uint16, shape (lanes,)
        Takes the number of the moment.
    """
    mine, yours = sides[side], sides[1 - side]
    at, moved, classes, other, kind, own, _, _, _, _, _ = line
    _, aim, unit, _, _, _ = picked
    places, others = at[side], at[1 - side]
    for one in range(0, len(places), 4):
        a, b, c, d = W(ONE << W(one)), W(ONE << W(one + 1)), W(ONE << W(one + 2)), W(ONE << W(one + 3))
        before = W(ALL if one > 0 else NONE)
        for k in range(lanes):
            who, here = unit[k], W(own[k] & before)
            of_a, of_b, of_c, of_d = places[one, k], places[one + 1, k], places[one + 2, k], places[one + 3, k]
            here = of_a if who == a else here
            here = of_b if who == b else here
            here = of_c if who == c else here
            own[k] = of_d if who == d else here
    for enemy in range(0, len(others), 4):
        a, b, c, d, before = W(enemy), W(enemy + 1), W(enemy + 2), W(enemy + 3), W(ALL if enemy > 0 else NONE)
        for k in range(lanes):
            whom, there = aim[k], W(other[k] & before)
            of_a, of_b = others[enemy, k], others[enemy + 1, k]
            of_c, of_d = others[enemy + 2, k], others[enemy + 3, k]
            there = of_a if whom == a else there
            there = of_b if whom == b else there
            there = of_c if whom == c else there
            other[k] = of_d if whom == d else there
    for k in range(lanes):
        kind[k] = NONE
    if len(classes[1 - side]):
        for enemy in range(len(yours[UNITS])):
            whom, of_enemy = W(enemy), classes[1 - side][enemy]
            for k in range(lanes):
                so_far, of_it = kind[k], of_enemy[k]
                kind[k] = of_it if aim[k] == whom else so_far
    orders, gone = mine[ORDERS], moved[side]
    depth, many = W(orders[DEPTH]), W(orders[CLASSES])
    for k in range(lanes):
        has_moved = ONE if gone[k] & unit[k] != NONE else NONE
        apart = W(depth - min(depth, W(own[k] + other[k])))
        moment[k] = W(W(W(2) * apart + has_moved) * many) + kind[k]


def regain(side: Any, sides: Any, line: Any, gains: Any, aim: Any, after: Any, fresh: Any, lanes: Any) -> None:
    """Look up again the gains of all strikes of a side from the enemies aimed at, whose places `find_moments` wrote.

    Parameters
    ----------
    side, sides, line, lanes
        As for `advance`.
    gains : array of uint16, shape (strikes, enemies, lanes)
        The ranks of the gains; those from the enemies aimed at are changed.
    aim, after, fresh : array of uint16, shape (lanes,)
        The row of the enemy aimed at, the toughness that it has left now, and scratch.
    """
    mine = sides[side]
    at, moved, _, other, kind, aspect, _, _, _, _, _ = line
    strikes, rank, orders, table, gone = mine[STRIKES], mine[RANK], mine[ORDERS], mine[ASPECTS], moved[side]
    depth, many, last = W(orders[DEPTH]), W(orders[CLASSES]), NOBODY
    for strike in range(len(strikes)):
        if strikes[strike, UNIT] != last:
            last = strikes[strike, UNIT]
            here, bit = at[side][last], W(ONE << W(last))
            for k in range(lanes):
                has_moved = ONE if W(gone[k] & bit) != NONE else NONE
                apart = W(depth - min(depth, W(here[k] + other[k])))
                aspect[k] = W(W(W(2) * apart + has_moved) * many) + kind[k]
            for k in range(lanes):
                aspect[k] = table[aspect[k]]
        of_strike = rank[strike]
        for k in range(lanes):
            fresh[k] = of_strike[aim[k], aspect[k], after[k]]
        put_gains(gains[strike], aim, fresh, lanes)
