"""Who acts on whom: one function a policy, over what is left in the middle of a turn, in many lanes at once.

A lane is a battle. In each, a policy picks one of the strikes that are ready, the unit that makes it, and an enemy whom
it hurts; nothing, if none is ready. It is a plain loop over the lanes inside loops over strikes and enemies, so that it
also compiles, to vectors. Ties go to the first unit, attack and enemy of the lists, unless it says otherwise. An attack
that another of the same gun never falls short of is none of the strikes.

Parameters of each
    mine : tuple of arrays
        A side of `aabalance.engine.battle.tables.Battle.sides`. Equal units share their strikes.
    theirs : tuple
        The enemies: their side, as `mine`; an array like `alive` of who is left to be hurt by them; one like `ready`
        that may be written on; and their `gains` from these.
    dearness : array of int64, shape (enemies,)
        Which of the enemies each is, from the dearest to the cheapest, equals as listed.
    ready : array of uint16, shape (strikes, lanes)
        The units that may make each strike now, and hurt somebody with it: a bit each.
    hurts : array of uint16, shape (strikes, lanes)
        The enemies whom each strike can hurt from where its units are: a bit each. More rows may follow where gains
        aren't asked for, of units that stand apart: `hurt_by` knows them.
    gains : array of uint16, shape (strikes, enemies, lanes)
        What each strike is expected to take of an enemy's worth, per action, as a rank among all gains; 0 if it can't
        hurt it, or if it is gone. Enemies come in pairs; those that don't exist have nothing left.
    left : array of uint16, shape (enemies, lanes)
        What toughness each enemy has left, as many rows.
    alive : array of uint16, shape (lanes,)
        The enemies that are left: a bit each.
    picked : tuple of arrays of uint16, shape (lanes,)
        Written: the strike (as many as there are strikes for none), the enemy (the first for none), and the unit's bit
        (0 for none). Three more arrays are there to be written on.
    lanes : uint64
        How many of the lanes to look at.

Under many a policy the enemies fall one after the other in an order that is known beforehand, which makes for far
fewer numbers of what is left. A policy may bring a function that says in which order: of the ranks, of what each enemy
may have left by steps, and of what each counts for; it returns None where the order depends on the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from aabalance.engine import jit
from aabalance.engine.battle.lanes import HELPED_AT, NEEDS_PREPARED, NOBODY, NONE, STAGE, STRIKES, W, mark_able
from aabalance.engine.battle.picks import best_strike, first_of, first_unit, gain_at, hurt_by, largest, weakest_of

Policy = Callable[[Any, Any, Any, Any, Any, Any, Any, Any, Any, Any], Any]

Falls = Callable[[Any, Sequence[Sequence[int]], Sequence[int]], list[int] | None]

BEST = "best"
"""Of a side that follows no policy, but plays its best reply to the other's: `aabalance.engine.battle.best`."""
POLICIES: dict[str, Policy] = {}
FALLS: dict[str, Falls] = {}
"""By policy, those that have one."""
CHOICES, OWN, BOTH = range(3)
ASKS: dict[str, int] = {}
"""By policy, the gains that it asks for: of units with several strikes, all of its own, or those of its enemies too."""


def policy(falls: Falls | None = None, asks: int = OWN) -> Callable[[Policy], Policy]:
    """Register the decorated function under its own name.

    Parameters
    ----------
    asks : int
        The gains that it reads: `CHOICES` if it leaves them to `best_strike`, `OWN`, or `BOTH`.
    falls : callable, optional
        Says in which order the enemies fall under it, which makes for far fewer states. A wrong one makes exact results
        wrong: leave it out unless the order is certain.
    """

    def register(function: Policy) -> Policy:
        POLICIES[function.__name__] = function
        ASKS[function.__name__] = asks
        if falls is not None:
            FALLS[function.__name__] = falls
        return function

    return register


def as_listed(rank: Any, lefts: Sequence[Sequence[int]], worth: Sequence[int]) -> list[int] | None:
    """Return the order of the list.

    Parameters
    ----------
    rank : array of int, shape (strikes, enemies, toughness)
        The order of the gains of a side's strikes, by enemy and by what it has left.
    lefts : sequence of sequence of int
        By enemy, the toughness that it may have left, rising.
    worth : sequence of int
        By enemy, what it counts for.

    Returns
    -------
    list of int or None
        The enemies in the order in which they fall; None if that isn't certain.
    """
    return _unless_skipped(rank, lefts, list(range(len(lefts))))


def weakest_first(rank: Any, lefts: Sequence[Sequence[int]], worth: Sequence[int]) -> list[int] | None:
    """Return the order of what they have at full strength: one that was hit has less than any that comes after it.

    Parameters
    ----------
    rank, lefts, worth
        As for `as_listed`.

    Returns
    -------
    list of int or None
    """
    return _unless_skipped(rank, lefts, sorted(range(len(lefts)), key=lambda enemy: (lefts[enemy][-1], -worth[enemy])))


def _unless_skipped(rank: Any, lefts: Sequence[Sequence[int]], order: list[int]) -> list[int] | None:
    """Return an order if every strike that hurts an enemy also hurts all that fall before it."""
    for strike in rank:
        hurts = [strike[enemy, lefts[enemy][-1]] > 0 for enemy in order]
        if hurts != sorted(hurts, reverse=True):
            return None
    return order


def most_gainful_first(rank: Any, lefts: Sequence[Sequence[int]], worth: Sequence[int]) -> list[int] | None:
    """Return the order of the gains at full strength, if all strikes agree on it and damage only brings a target on.

    Parameters
    ----------
    rank, lefts, worth
        As for `as_listed`.

    Returns
    -------
    list of int or None
    """
    full = [[int(strike[enemy, lefts[enemy][-1]]) for strike in rank] for enemy in range(len(lefts))]
    order = sorted(range(len(lefts)), key=lambda enemy: full[enemy], reverse=True)
    for at, enemy in enumerate(order):
        for strike in range(len(rank)):
            least = min(int(rank[strike, enemy, left]) for left in lefts[enemy])
            for later in order[at + 1 :]:
                if least < full[later][strike] or (least == full[later][strike] > 0 and later < enemy):
                    return None
    return order


@policy(as_listed, CHOICES)
def list_order(
    mine: Any,
    theirs: Any,
    dearness: Any,
    ready: Any,
    hurts: Any,
    gains: Any,
    left: Any,
    alive: Any,
    picked: Any,
    lanes: Any,
) -> None:
    """The first unit in list order that can hurt an enemy, at the first such enemy in list order."""
    _, aim, unit, hurt, _, _ = picked
    first_unit(ready, unit, lanes)
    hurt_by(hurts, ready, alive, unit, hurt, lanes)
    first_of(hurt, aim, len(left), lanes)
    best_strike(mine[STRIKES], ready, gains, picked, lanes)


@policy(weakest_first, CHOICES)
def focus(
    mine: Any,
    theirs: Any,
    dearness: Any,
    ready: Any,
    hurts: Any,
    gains: Any,
    left: Any,
    alive: Any,
    picked: Any,
    lanes: Any,
) -> None:
    """The first unit that can hurt an enemy; of these the one with the least left, then the dearest, then the first."""
    _, aim, unit, hurt, least, _ = picked
    first_unit(ready, unit, lanes)
    hurt_by(hurts, ready, alive, unit, hurt, lanes)
    weakest_of(left, dearness, hurt, least, aim, lanes)
    best_strike(mine[STRIKES], ready, gains, picked, lanes)


@policy(most_gainful_first)
def value(
    mine: Any,
    theirs: Any,
    dearness: Any,
    ready: Any,
    hurts: Any,
    gains: Any,
    left: Any,
    alive: Any,
    picked: Any,
    lanes: Any,
) -> None:
    """Whatever is expected to take most of an enemy's worth, per action."""
    chosen, aim, unit, most, gain, whom = picked
    if len(ready) == 0:
        for k in range(lanes):
            chosen[k], aim[k], unit[k] = NONE, NONE, NONE
        return
    units = ready[0]
    largest(gains[0], most, aim, lanes)
    for k in range(lanes):
        enemy, first = aim[k], W(units[k] & W(NONE - units[k]))
        first = first if most[k] > NONE else NONE
        unit[k] = first
        chosen[k] = NONE if first != NONE else W(len(ready))
        aim[k] = enemy if first != NONE else NONE
    for strike in range(1, len(ready)):
        units = ready[strike]
        largest(gains[strike], gain, whom, lanes)
        for k in range(lanes):
            so_far, rank, first, other = most[k], gain[k], W(units[k] & W(NONE - units[k])), unit[k]
            so_far = so_far if other != NONE else NONE
            better = (first != NONE) & ((rank > so_far) | ((rank == so_far) & (first < other)))
            most[k] = rank if better else so_far
            unit[k] = first if better else other
            was, enemy, another = chosen[k], whom[k], aim[k]
            chosen[k] = W(strike) if better else was
            aim[k] = enemy if better else another


@policy(asks=BOTH)
def threat(
    mine: Any,
    theirs: Any,
    dearness: Any,
    ready: Any,
    hurts: Any,
    gains: Any,
    left: Any,
    alive: Any,
    picked: Any,
    lanes: Any,
) -> None:
    """The enemy that could take most of the worth of one of ours, per action; whatever takes most of it, per action."""
    side, own, able, risks = theirs
    chosen, aim, unit, most, gain, whom = picked
    strikes, hurt = side[STRIKES], chosen
    for k in range(lanes):
        hurt[k] = NONE
    for strike in range(len(ready)):
        units, enemies = ready[strike], hurts[strike]
        for k in range(lanes):
            open_to, others = W(alive[k] & enemies[k]), hurt[k]
            hurt[k] = W(others | open_to) if units[k] != NONE else others
    # Those who can hurt nobody are left if nobody can.
    for k in range(lanes):
        unit[k], most[k] = hurt[k], NONE
    mark_able(side, left, alive, own, able, lanes)
    for strike in range(len(strikes)):
        # Of what needs something done before, that is a strike too, of the same gain.
        if strikes[strike, HELPED_AT] != NOBODY or strikes[strike, STAGE] == NEEDS_PREPARED:
            continue
        largest(risks[strike], gain, whom, lanes)
        units = able[strike]
        for k in range(lanes):
            who, rank, so_far, others = W(units[k] & hurt[k]), gain[k], most[k], unit[k]
            equals = W(others | who) if rank == so_far else others
            worse = (who != NONE) & (rank > so_far)
            unit[k] = who if worse else equals
            most[k] = rank if worse else so_far
    first_of(unit, aim, len(left), lanes)
    for k in range(lanes):
        chosen[k], unit[k], most[k] = W(len(ready)), NONE, NONE
    for strike in range(len(ready)):
        units = ready[strike]
        for k in range(lanes):
            gain[k] = NONE
        gain_at(gains[strike], aim, gain, lanes)
        for k in range(lanes):
            so_far, rank, first, other = most[k], gain[k], W(units[k] & W(NONE - units[k])), unit[k]
            better = (first != NONE) & ((rank > so_far) | ((rank == so_far) & (rank != NONE) & (first < other)))
            was = chosen[k]
            most[k] = rank if better else so_far
            unit[k] = first if better else other
            chosen[k] = W(strike) if better else was


def nobody(
    mine: Any,
    theirs: Any,
    dearness: Any,
    ready: Any,
    hurts: Any,
    gains: Any,
    left: Any,
    alive: Any,
    picked: Any,
    lanes: Any,
) -> None:
    """Nobody acts: what stands where there is no policy."""
    chosen, aim, unit, _, _, _ = picked
    for k in range(lanes):
        chosen[k], aim[k], unit[k] = W(len(ready)), NONE, NONE


policy_0 = policy_1 = policy_2 = policy_3 = policy_4 = policy_5 = policy_6 = policy_7 = nobody
"""Stand-ins for the policies by number: with all of them in it, what calls them is compiled once."""


@jit.merged
def choose(
    number: Any,
    mine: Any,
    theirs: Any,
    dearness: Any,
    ready: Any,
    hurts: Any,
    gains: Any,
    left: Any,
    alive: Any,
    picked: Any,
    lanes: Any,
) -> None:
    """Let a policy choose, by its number.

    Parameters
    ----------
    number : int
        From `numbers`.
    mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes
        As for every policy; the module's docstring says what they are.
    """
    if number == 0:
        policy_0(mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes)
    elif number == 1:
        policy_1(mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes)
    elif number == 2:
        policy_2(mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes)
    elif number == 3:
        policy_3(mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes)
    elif number == 4:
        policy_4(mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes)
    elif number == 5:
        policy_5(mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes)
    elif number == 6:
        policy_6(mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes)
    else:
        policy_7(mine, theirs, dearness, ready, hurts, gains, left, alive, picked, lanes)


def keeps_gains(asks: Any, side: Any) -> bool:
    """Return whether a policy reads the gains of a side."""
    return asks[side] != CHOICES or asks[1 - side] == BOTH


def numbers(names: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of policies, by which `choose` calls them.

    Parameters
    ----------
    names : sequence of str
        Names of `POLICIES`.

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        There is no policy of such a name.
    """
    known = list(POLICIES)
    return tuple(known.index(name) for name in names)


def by_number() -> dict[str, Policy]:
    """Return the policies by the names of their stand-ins."""
    return {f"policy_{number}": function for number, function in enumerate(POLICIES.values())}
