"""What policies are made of: functions that pick the first or the best unit, strike or enemy in many lanes at once.

Each function is a plain loop over the lanes, which also compiles to vector instructions. The arrays are those of the
policies, which `aabalance.engine.battle.policies` describes. Enemies come in fours: the number of their rows is rounded
up to a multiple of four, and those that don't exist have no toughness left.
"""

from __future__ import annotations

from typing import Any

from aabalance.engine.battle.columns import ALL, ALONE, NONE, ONE, W

FOUR, LAST = W(4), W(15)


def first_of(whom: Any, aim: Any, most: Any, lanes: Any) -> None:
    """Write the first of some enemies.

    Parameters
    ----------
    whom : array of uint16, shape (lanes,)
        The enemies to choose from: a bit each. All bits but the first enemy's are cleared.
    aim : array of uint16, shape (lanes,)
        Takes the row of the first enemy; 0 if there is none.
    most : int
        Number of enemies' rows; they are looked at in fours.
    lanes : uint64
        Number of lanes.
    """
    for k in range(lanes):
        aim[k] = NONE
        whom[k] &= W(NONE - whom[k])
    for at in range(0, most, 4):
        a, b, c, d = W(at), W(at + 1), W(at + 2), W(at + 3)
        bit_a, bit_b, bit_c, bit_d = W(ONE << a), W(ONE << b), W(ONE << c), W(ONE << d)
        for k in range(lanes):
            who, first = aim[k], whom[k]
            who = a if first == bit_a else who
            who = b if first == bit_b else who
            who = c if first == bit_c else who
            aim[k] = d if first == bit_d else who


def first_unit(ready: Any, unit: Any, lanes: Any) -> None:
    """Write the first unit that can make a strike.

    Parameters
    ----------
    ready : array of uint16, shape (strikes, lanes)
        The units that may make each strike now: a bit each.
    unit : array of uint16, shape (lanes,)
        Takes the bit of the first unit that may make any strike; 0 if there is none.
    lanes : uint64
        Number of lanes.
    """
    if len(ready) == 0:
        for k in range(lanes):
            unit[k] = NONE
    for strike in range(len(ready)):
        units, before = ready[strike], W(ALL if strike > 0 else NONE)
        for k in range(lanes):
            unit[k] = units[k] | W(unit[k] & before)
    for k in range(lanes):
        unit[k] &= W(NONE - unit[k])


def hurt_by(hurts: Any, ready: Any, alive: Any, unit: Any, hurt: Any, lanes: Any) -> None:
    """Write which enemies a unit can hurt with the strikes that it may make now.

    Parameters
    ----------
    hurts : array of uint16, shape (strikes, lanes)
        The enemies that each strike can hurt: a bit each; perhaps with more rows, as for
        `aabalance.engine.battle.actions.mark_ready`.
    ready : array of uint16, shape (strikes, lanes)
        The units that may make each strike now: a bit each.
    alive : array of uint16, shape (lanes,)
        The enemies that are left: a bit each.
    unit : array of uint16, shape (lanes,)
        The unit's bit.
    hurt : array of uint16, shape (lanes,)
        Takes the enemies that it can hurt: a bit each.
    lanes : uint64
        Number of lanes.
    """
    if len(ready) == 0:
        for k in range(lanes):
            hurt[k] = NONE
    for strike in range(len(ready)):
        units, enemies, before = ready[strike], hurts[strike], W(ALL if strike > 0 else NONE)
        for k in range(lanes):
            whom, others = W(alive[k] & enemies[k]), W(hurt[k] & before)
            hurt[k] = W(others | whom) if units[k] & unit[k] != NONE else others
    for at in range(len(ready), len(hurts), 4):
        first = W(at - len(ready))
        a, b, c, d = W(ONE << first), W(W(2) << first), W(W(4) << first), W(W(8) << first)
        for k in range(lanes):
            whom, by = hurt[k], unit[k]
            of_a, of_b, of_c, of_d = hurts[at, k], hurts[at + 1, k], hurts[at + 2, k], hurts[at + 3, k]
            whom = W(whom & of_a) if by == a else whom
            whom = W(whom & of_b) if by == b else whom
            whom = W(whom & of_c) if by == c else whom
            hurt[k] = W(whom & of_d) if by == d else whom


def weakest_of(left: Any, dearness: Any, whom: Any, least: Any, aim: Any, lanes: Any) -> None:
    """Write which of some enemies has the least toughness left: of equals the dearest, and of these the first.

    Parameters
    ----------
    left : array of uint16, shape (enemies, lanes)
        The toughness that each enemy has left. Enemies come in fours and a last pair.
    dearness : array of int64, shape (enemies,)
        The rank of each enemy by what it counts for: 0 for the dearest; equals rank as listed.
    whom : array of uint16, shape (lanes,)
        The enemies to choose from: a bit each.
    least : array of uint16, shape (lanes,)
        Overwritten with the smallest of the numbers by which enemies are compared: toughness left times 16, plus
        dearness.
    aim : array of uint16, shape (lanes,)
        Takes the row of the enemy; 0 if there is none to choose from.
    lanes : uint64
        Number of lanes.
    """
    for at in range(0, len(left) - 2, 4):
        a, b, c, d, before = W(at), W(at + 1), W(at + 2), W(at + 3), W(NONE if at > 0 else ALL)
        bit_a, bit_b, bit_c, bit_d = W(ONE << a), W(ONE << b), W(ONE << c), W(ONE << d)
        nth_a, nth_b = W(dearness[at]), W(dearness[at + 1])
        nth_c, nth_d = W(dearness[at + 2]), W(dearness[at + 3])
        for k in range(lanes):
            looked_at, first = whom[k], W(least[k] | before)
            of_a, of_b, of_c, of_d = left[at, k], left[at + 1, k], left[at + 2, k], left[at + 3, k]
            of_a, of_b = W(W(of_a << FOUR) | nth_a), W(W(of_b << FOUR) | nth_b)
            of_c, of_d = W(W(of_c << FOUR) | nth_c), W(W(of_d << FOUR) | nth_d)
            of_a = of_a if W(looked_at & bit_a) != NONE else ALL
            of_b = of_b if W(looked_at & bit_b) != NONE else ALL
            of_c = of_c if W(looked_at & bit_c) != NONE else ALL
            of_d = of_d if W(looked_at & bit_d) != NONE else ALL
            first = of_a if of_a < first else first
            first = of_b if of_b < first else first
            first = of_c if of_c < first else first
            least[k] = of_d if of_d < first else first
    if len(left) % 4:
        at = len(left) - 2
        bit_a, bit_b, before = W(ONE << W(at)), W(ONE << W(at + 1)), W(NONE if at > 0 else ALL)
        nth_a, nth_b = W(dearness[at]), W(dearness[at + 1])
        for k in range(lanes):
            looked_at, first = whom[k], W(least[k] | before)
            of_a, of_b = W(W(left[at, k] << FOUR) | nth_a), W(W(left[at + 1, k] << FOUR) | nth_b)
            of_a = of_a if W(looked_at & bit_a) != NONE else ALL
            of_b = of_b if W(looked_at & bit_b) != NONE else ALL
            first = of_a if of_a < first else first
            least[k] = of_b if of_b < first else first
    for at in range(0, len(left) - 2, 4):
        a, b, c, d, before = W(at), W(at + 1), W(at + 2), W(at + 3), W(ALL if at > 0 else NONE)
        nth_a, nth_b = W(dearness[at]), W(dearness[at + 1])
        nth_c, nth_d = W(dearness[at + 2]), W(dearness[at + 3])
        for k in range(lanes):
            who, looked_at, first = W(aim[k] & before), whom[k], least[k]
            nth = W(W(first & LAST) if looked_at != NONE else ALL)
            who = a if nth == nth_a else who
            who = b if nth == nth_b else who
            who = c if nth == nth_c else who
            aim[k] = d if nth == nth_d else who
    if len(left) % 4:
        last, a, b, before = len(left) - 2, W(len(left) - 2), W(len(left) - 1), W(ALL if len(left) > 2 else NONE)
        nth_a, nth_b = W(dearness[last]), W(dearness[last + 1])
        for k in range(lanes):
            who, looked_at, first = W(aim[k] & before), whom[k], least[k]
            nth = W(W(first & LAST) if looked_at != NONE else ALL)
            who = a if nth == nth_a else who
            aim[k] = b if nth == nth_b else who


def best_strike(strikes: Any, ready: Any, gains: Any, picked: Any, lanes: Any) -> None:
    """Write the strike with the largest gain that a unit may make at the enemy aimed at.

    A unit that has only one strike makes that one; its gain isn't looked at.

    Parameters
    ----------
    strikes : array of int64, shape (strikes, columns)
        The side's `strikes`.
    ready : array of uint16, shape (strikes, lanes)
        The units that may make each strike now: a bit each.
    gains : array of uint16, shape (strikes, enemies, lanes)
        The rank of what each strike is expected to take of each enemy's worth, per action.
    picked : tuple of arrays of uint16, shape (lanes,)
        As for policies. The first array takes the strike (the number of strikes for none); the next two have the enemy
        and the unit's bit; the fourth and the fifth are overwritten.
    lanes : uint64
        Number of lanes.
    """
    chosen, aim, unit, most, gain, _ = picked
    for k in range(lanes):
        chosen[k], most[k] = W(len(ready)), NONE
    for strike in range(len(ready)):
        units = ready[strike]
        if strikes[strike, ALONE]:
            for k in range(lanes):
                was = chosen[k]
                chosen[k] = W(strike) if units[k] & unit[k] != NONE else was
            continue
        for k in range(lanes):
            gain[k] = NONE
        gain_at(gains[strike], aim, gain, lanes)
        for k in range(lanes):
            so_far, rank, was = most[k], gain[k], chosen[k]
            better = (rank > so_far) & (units[k] & unit[k] != NONE)
            most[k] = rank if better else so_far
            chosen[k] = W(strike) if better else was


def largest(gains: Any, gain: Any, whom: Any, lanes: Any) -> None:
    """Write the largest of a strike's gains, and the first enemy from which it is gained.

    Parameters
    ----------
    gains : array of uint16, shape (enemies, lanes)
        The gains of one strike, as ranks. Enemies come in fours and a last pair.
    gain : array of uint16, shape (lanes,)
        Takes the largest gain.
    whom : array of uint16, shape (lanes,)
        Takes the row of the enemy; 0 if there is nothing to gain.
    lanes : uint64
        Number of lanes.
    """
    for at in range(0, len(gains) - 2, 4):
        a, b, c, d, before = W(at), W(at + 1), W(at + 2), W(at + 3), W(ALL if at > 0 else NONE)
        for k in range(lanes):
            most, who = W(gain[k] & before), W(whom[k] & before)
            of_a, of_b, of_c, of_d = gains[at, k], gains[at + 1, k], gains[at + 2, k], gains[at + 3, k]
            who = a if of_a > most else who
            most = of_a if of_a > most else most
            who = b if of_b > most else who
            most = of_b if of_b > most else most
            who = c if of_c > most else who
            most = of_c if of_c > most else most
            whom[k] = d if of_d > most else who
            gain[k] = of_d if of_d > most else most
    if len(gains) % 4:
        last, a, b = len(gains) - 2, W(len(gains) - 2), W(len(gains) - 1)
        before = W(ALL if last > 0 else NONE)
        for k in range(lanes):
            most, who = W(gain[k] & before), W(whom[k] & before)
            of_a, of_b = gains[last, k], gains[last + 1, k]
            who = a if of_a > most else who
            most = of_a if of_a > most else most
            whom[k] = b if of_b > most else who
            gain[k] = of_b if of_b > most else most


def gain_at(gains: Any, aim: Any, gain: Any, lanes: Any) -> None:
    """Write a strike's gain from the enemy aimed at.

    Parameters
    ----------
    gains : array of uint16, shape (enemies, lanes)
        The gains of one strike, as ranks. Enemies come in pairs.
    aim : array of uint16, shape (lanes,)
        The row of the enemy.
    gain : array of uint16, shape (lanes,)
        Takes the gain; stays as it is where no enemy has the row.
    lanes : uint64
        Number of lanes.
    """
    for at in range(0, len(gains), 2):
        a, b = W(at), W(at + 1)
        for k in range(lanes):
            rank, who, of_a, of_b = gain[k], aim[k], gains[at, k], gains[at + 1, k]
            rank = of_a if who == a else rank
            gain[k] = of_b if who == b else rank
