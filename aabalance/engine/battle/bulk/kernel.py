"""The kernel of many meetings: battles of many pairs of lists, a few of each pair, from a roster's tables to counts.

`lanes` rolls one battle thousands of times, and what it looks up is the same in each lane. Here each battle may be of
other lists: they are played one after the other, and what a list is made of is looked up in tables of the whole roster.
So a battle costs the same, whoever meets whom. Rules and policies are those of `aabalance.engine.battle.actions` and
`policies`, for one battle in place of many; a test compares the results. An attack is one draw from the distribution of
its effect. Plain loops that also compile.

Parameters of most functions
    muster : Muster
        The roster's tables; of them, a battle looks up `ranks`, `up_to` and `amount`. They are handed on one by one:
        each time that an array is taken out of a tuple, its references are counted.
    here : Meeting
        The battle; changed.
    side, row, unit : int
        The side to move, a row of its strikes, and one of its units.
    actions, limits, price : int
        What is left of the side's limit of actions, the limits of both sides, and how many actions help costs.
    key, trial, drawn : uint64
        Key of the dice, number of the battle, and the 32 bits drawn for an attack.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle.bulk import layout
from aabalance.engine.battle.bulk.layout import Meeting, Muster, Table, set_up
from aabalance.engine.battle.columns import ANY, NEEDS_PREPARED, PREPARES, SIDE_UNITS, Counts, Int, Words
from aabalance.engine.rng import philox

U = np.uint64

VALUE, FOCUS = range(2)
"""Numbers of policies: see `pick_value` and `pick_focus`."""
WIN, DRAW, LOSS = range(3)
FIRST, SECOND, KEY, TRIAL, TRIALS = range(5)
"""Columns of meetings: both lists, the key of the dice, the first trial and the number of trials."""
NOT_READY = -2
MOST_ROUNDS = 1000
"""Rounds after which a battle is a draw."""
ENEMY_BITS = 4
"""Bits of a gain that say whom it is about."""
WORD = U(32)
LOW = U(0xFFFFFFFF)


def meet(
    muster: Muster,
    lists: Table,
    limits: tuple[int, int],
    policies: tuple[int, int],
    meetings: Words,
    here: Meeting,
    counts: Counts,
) -> None:
    """Fight the battles of some pairs of lists; the side that moves first changes from trial to trial.

    Parameters
    ----------
    muster : Muster
        The roster's tables.
    lists : array of int32, shape (lists, 16)
        The cards of each list; -1 behind its last unit.
    limits, policies : (int, int)
        Limit of actions in a turn and policy of either side.
    meetings : array of uint64, shape (meetings, 5)
        Which lists meet, and how often.
    here : Meeting
        Scratch.
    counts : array of int64, shape (meetings, 2, 3)
        Takes how many battles the first list won, drew and lost: those in which it moved first, then the others.
    """
    ranks, up_to, amount = muster.ranks, muster.up_to, muster.amount
    for at in range(len(meetings)):
        set_up(muster, lists[meetings[at, FIRST]], lists[meetings[at, SECOND]], limits, here)
        for trial in range(meetings[at, TRIALS]):
            of_all = meetings[at, TRIAL] + U(trial)
            end = fight(ranks, up_to, amount, here, limits, policies, meetings[at, KEY], of_all)
            counts[at, of_all & U(1), end] += 1


def fight(
    ranks: Table,
    up_to: Words,
    amount: Table,
    here: Meeting,
    limits: tuple[int, int],
    policies: tuple[int, int],
    key: np.uint64,
    trial: np.uint64,
) -> Int:
    """Fight one battle; return `WIN`, `DRAW` or `LOSS` of the first list, which begins in even trials."""
    begin_battle(here)
    draws, low, high = 0, U(0), U(0)
    going = goes_on(here)
    for turn in range(2 * MOST_ROUNDS):
        if not going:
            break
        side = np.int64((trial + U(turn)) & U(1))
        actions = limits[side]
        begin_turn(here, side)
        while going and actions > 0:
            if policies[side] == VALUE:
                pick_value(here, side, actions)
                if here.aid[side]:
                    pick_helped(ranks, here, side, actions)
            else:
                pick_focus(ranks, here, side, actions)
            if here.picked[layout.RANK] == 0:
                break
            actions -= pay(here, side)
            if here.strike[side, here.picked[layout.ROW], layout.STAGE] == PREPARES:
                continue
            if draws & 3 == 0:
                low, high = philox(key, U(draws >> 2), trial)
            word = high if draws & 2 else low
            drawn = word >> WORD if draws & 1 else word & LOW
            draws += 1
            if strikes_down(ranks, up_to, amount, here, side, drawn):
                going = goes_on(here)
        end_turn(here, side)
    a, b = some_left(here, 0), some_left(here, 1)
    return DRAW if a == b else WIN if a else LOSS


def begin_battle(here: Meeting) -> None:
    """Bring both sides to full strength."""
    for side in range(2):
        for enemy in range(here.units[1 - side]):
            for row in range(here.rows[side]):
                here.gains[side, enemy, row] = here.full[side, enemy, row]
        aim_anew(here, side)
        for unit in range(here.units[side]):
            here.left[side, unit] = here.tough[side, unit]
            here.prepared[side, unit] = here.loading[side, unit] = 0


def begin_turn(here: Meeting, side: Int) -> None:
    """Write that a side has spent nothing in its turn yet."""
    for row in range(here.rows[side]):
        here.upcoming[side, row] = here.first[side, row]
    here.aid[side] = 0
    for unit in range(here.units[side]):
        here.spent[side, unit] = here.helped[side, unit] = 0
        for gun in range(layout.GUNS):
            here.fired[side, unit, gun] = 0


def end_turn(here: Meeting, side: Int) -> None:
    """Write which guns have to reload in their side's next turn."""
    for unit in range(here.units[side]):
        here.loading[side, unit] = 0
        if here.reloads[side, unit]:
            for gun in range(layout.GUNS):
                here.loading[side, unit] |= (here.fired[side, unit, gun] > 0) << gun
            here.loading[side, unit] &= here.reloads[side, unit]


def some_left(here: Meeting, side: Int) -> bool:
    """Return whether a side has a unit left."""
    some = False
    for unit in range(here.units[side]):
        some |= here.left[side, unit] > 0
    return some


@jit.inlined
def goes_on(here: Meeting) -> bool:
    """Return whether any unit that is left can hurt one that is left, alone or with the help of another one."""
    for side in range(2):
        foes, helpers = 0, 0
        for unit in range(here.units[1 - side]):
            foes |= (here.left[1 - side, unit] > 0) << unit
        for unit in range(here.units[side]):
            if here.left[side, unit] > 0:
                helpers += here.helps[side, unit]
        for unit in range(here.units[side]):
            if here.left[side, unit] <= 0:
                continue
            aided = helpers > here.helps[side, unit]
            if (here.hurts_helped[side, unit] if aided else here.hurts[side, unit]) & foes:
                return True
    return False


@jit.inlined
def ready(here: Meeting, side: Int, unit: Int, row: Int, actions: Int) -> bool:
    """Return whether a unit may make the strike of a row now, as far as no help is needed."""
    columns = here.strike[side, row]
    gun, costs = columns[layout.GUN], columns[layout.COSTS]
    if here.left[side, unit] <= 0 or costs > actions or here.spent[side, unit] + costs > here.pool[side, unit]:
        return False
    empty = here.fired[side, unit, gun] + columns[layout.TAKES] > here.attacks[side, unit, gun]
    if empty or (here.loading[side, unit] >> gun) & 1:
        return False
    prepared = (here.prepared[side, unit] >> gun) & 1
    return bool(columns[layout.STAGE] == ANY or (columns[layout.STAGE] == NEEDS_PREPARED) == prepared)


def friend(here: Meeting, side: Int, unit: Int, price: Int, actions: Int) -> Int:
    """Return the first unit that can help another one; -1 for nobody."""
    if price > actions:
        return -1
    for other in range(here.units[side]):
        able = here.helps[side, other] and here.left[side, other] > 0 and other != unit
        if able and here.spent[side, other] + price <= here.pool[side, other]:
            return other
    return -1


@jit.inlined
def pick_value(here: Meeting, side: Int, actions: Int) -> None:
    """Pick the strike that is expected to take most, per action: see `aabalance.engine.battle.policies.value`."""
    best: Int = 0
    by_unit: Int = SIDE_UNITS
    by_row: Int = 0
    friend_of: Int = -1
    enemy_of: Int = 0
    for row in range(here.rows[side]):
        most = here.most[side, row]
        rank, unit, end = rank_of(most), here.upcoming[side, row], here.end[side, row]
        while unit < end and (rank > best or (rank == best and rank > 0 and unit < by_unit)):
            by = helper_of(here, side, unit, row, actions)
            if by != NOT_READY:
                best, by_unit, by_row, friend_of, enemy_of = rank, unit, row, by, -most & (SIDE_UNITS - 1)
            else:
                unit += 1
                here.upcoming[side, row] = unit
    picked = here.picked
    picked[layout.ROW], picked[layout.UNIT], picked[layout.ENEMY] = by_row, by_unit, enemy_of
    picked[layout.FRIEND], picked[layout.RANK] = friend_of, best


def pick_helped(ranks: Table, here: Meeting, side: Int, actions: Int) -> None:
    """Pick a strike of a unit that was helped before in this turn, if it is expected to take more than the picked one.

    At the enemies that the help was for, such a strike takes more, and the help costs no more actions.
    """
    picked = here.picked
    for row in range(here.rows[side]):
        if not here.strike[side, row, layout.LASTS]:
            continue
        for unit in range(here.first[side, row], here.end[side, row]):
            if here.helped[side, unit] and ready(here, side, unit, row, actions):
                for enemy in range(here.units[1 - side]):
                    at = here.helped_at[side, enemy, row] + here.left[1 - side, enemy]
                    rank = rank_of(ranks[at]) if (here.helped[side, unit] >> enemy) & 1 else 0
                    earlier = unit < picked[layout.UNIT] or (unit == picked[layout.UNIT] and row < picked[layout.ROW])
                    if rank > picked[layout.RANK] or (rank == picked[layout.RANK] and rank > 0 and earlier):
                        picked[layout.ROW], picked[layout.UNIT], picked[layout.ENEMY] = row, unit, enemy
                        picked[layout.FRIEND], picked[layout.RANK] = -1, rank


@jit.inlined
def rank_of(gain: Int) -> Int:
    """Return the rank of a gain, whichever enemy it is about."""
    return (gain + SIDE_UNITS - 1) >> ENEMY_BITS


@jit.inlined
def helper_of(here: Meeting, side: Int, unit: Int, row: Int, actions: Int) -> Int:
    """Return the friend by whose help a unit may make a strike now: -1 for none needed, `NOT_READY` if it can't."""
    if not ready(here, side, unit, row, actions):
        return NOT_READY
    price = here.strike[side, row, layout.PRICE]
    if price == layout.NO_HELP:
        return -1
    by = friend(here, side, unit, price, actions - here.strike[side, row, layout.COSTS])
    return NOT_READY if by < 0 else by


def pick_focus(ranks: Table, here: Meeting, side: Int, actions: Int) -> None:
    """Pick the first unit that can, and the weakest enemy: see `aabalance.engine.battle.policies.focus`."""
    picked = here.picked
    picked[layout.RANK] = 0
    for kind in range(here.kinds[side]):
        for unit in range(here.first_unit[side, kind], here.first_unit[side, kind + 1]):
            aim = -1
            for strike_first in range(2):
                # First the enemy, then the strike at it.
                for row in range(here.first_row[side, kind], here.first_row[side, kind + 1]):
                    if not ready(here, side, unit, row, actions):
                        continue
                    by = helper_of(here, side, unit, row, actions)
                    for enemy in range(here.units[1 - side]):
                        rank, helper = rank_of(here.gains[side, enemy, row]) if by != NOT_READY else 0, by
                        if here.strike[side, row, layout.LASTS] and (here.helped[side, unit] >> enemy) & 1:
                            left = here.left[1 - side, enemy]
                            rank, helper = rank_of(ranks[here.helped_at[side, enemy, row] + left]), -1
                        if rank == 0:
                            continue
                        if strike_first == 0:
                            aim = enemy if aim < 0 or weaker(here, 1 - side, enemy, aim) else aim
                        elif enemy == aim and rank > picked[layout.RANK]:
                            picked[layout.ROW], picked[layout.UNIT], picked[layout.ENEMY] = row, unit, enemy
                            picked[layout.FRIEND], picked[layout.RANK] = helper, rank
            if aim >= 0:
                return


def weaker(here: Meeting, side: Int, unit: Int, than: Int) -> bool:
    """Return whether a unit has less left `than` another one, or as much and costs more; a tie is no."""
    left, other = here.left[side, unit], here.left[side, than]
    return bool(left < other or (left == other and here.worth[side, unit] > here.worth[side, than]))


@jit.inlined
def pay(here: Meeting, side: Int) -> Int:
    """Write what the picked strike and its help spend; return the actions that they take of the side's limit."""
    unit, enemy, by = here.picked[layout.UNIT], here.picked[layout.ENEMY], here.picked[layout.FRIEND]
    columns = here.strike[side, here.picked[layout.ROW]]
    paid: Int = columns[layout.COSTS]
    here.spent[side, unit] += paid
    if columns[layout.STAGE] == PREPARES:
        here.prepared[side, unit] |= 1 << columns[layout.GUN]
    else:
        here.fired[side, unit, columns[layout.GUN]] += columns[layout.TAKES]
    if by >= 0:
        here.spent[side, by] += columns[layout.PRICE]
        paid += columns[layout.PRICE]
        if columns[layout.LASTS]:
            here.helped[side, unit] |= 1 << enemy
            here.aid[side] = 1
    return paid


@jit.inlined
def strikes_down(ranks: Table, up_to: Words, amount: Table, here: Meeting, side: Int, drawn: np.uint64) -> bool:
    """Take from the picked enemy what the strike draws; return whether it is gone."""
    enemy = here.picked[layout.ENEMY]
    at = here.drawn_at[side, enemy, here.picked[layout.ROW]]
    while drawn >= up_to[at]:
        at += 1
    if amount[at] == 0:
        return False
    left = max(here.left[1 - side, enemy] - amount[at], 0)
    here.left[1 - side, enemy] = left
    for row in range(here.rows[side]):
        gain = max(ranks[here.gain_at[side, enemy, row] + left] - enemy, np.int32(0))
        here.gains[side, enemy, row] = gain
        # The less is left, the more a strike takes of it, until nothing is.
        here.most[side, row] = max(here.most[side, row], gain)
    if left == 0:
        aim_anew(here, side)
    return bool(left == 0)


def aim_anew(here: Meeting, side: Int) -> None:
    """Write the largest gain of each row."""
    for row in range(here.rows[side]):
        here.most[side, row] = 0
    for enemy in range(here.units[1 - side]):
        for row in range(here.rows[side]):
            here.most[side, row] = max(here.most[side, row], here.gains[side, enemy, row])
