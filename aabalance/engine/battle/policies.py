"""Who acts on whom: a function for each policy, which picks the next strike of a turn in many lanes at once.

A lane is a battle. In each, a policy picks one of the strikes that are ready, the unit that makes it, and an enemy that
it hurts; if no strike is ready, it picks none. It is a plain loop over the lanes inside loops over strikes and enemies,
which also compiles to vector instructions. Ties go to the first unit, strike and enemy of the lists, unless the policy
says otherwise. A strike that another one of the same gun always replaces isn't offered.

Parameters of each policy
    view : View
        What it knows.
    picked : Picked
        Takes the strikes: see `aabalance.engine.battle.columns.Picked`.
    lanes : uint64
        Number of lanes.

Under many policies the enemies fall one after the other in an order that is known beforehand. Then a battle has far
fewer states. A policy may be registered with a function that returns this order, or None where the order depends on the
dice; `as_listed` has its parameters.

Parameters of what policies are made of, from `first_of` to `gain_at`
    strikes : array of int64, shape (strikes, columns)
        The side's strikes.
    ready : array of uint16, shape (strikes, lanes)
        The units that may make each strike now: a bit each.
    gains : array of uint16, shape (strikes, enemies, lanes) or (enemies, lanes)
        The ranks of what all strikes, or one of them, are expected to take of each enemy's worth, per action.
    left : array of uint16, shape (enemies, lanes)
        The toughness that each enemy has left.
    alive, whom, hurt : array of uint16, shape (lanes,)
        Enemies, a bit each: the ones left, the ones to choose from, the ones that can be hurt.
    unit, aim, gain : array of uint16, shape (lanes,)
        The bit of a unit, the row of an enemy, and a rank.
    most, lanes : int
        Number of enemies, and of lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from aabalance.engine import jit
from aabalance.engine.arrays import Loop
from aabalance.engine.battle import columns as col
from aabalance.engine.battle.actions import drop_unhelped, mark_able, needs_help, take_help
from aabalance.engine.battle.columns import NONE, ONE, Arms, Columns, Counts, Int, Picked, Row, Rows, Side, Sides, W


class View(NamedTuple):
    """What a policy knows of the side for which it picks, and of its enemies.

    Attributes
    ----------
    mine, theirs : Arms or Side
        Both sides. Equal units share their strikes.
    ready : array of uint16, shape (strikes, lanes)
        The units that may make each strike now and hurt an enemy with it: a bit each.
    gains, their_gains : array of uint16, shape (strikes, enemies, lanes)
        What each strike is expected to take of an enemy's cost, per action, as a rank among all gains of its side; 0 if
        the strike can't hurt the enemy, or if the enemy is gone. Then the same of the enemies' strikes.
    left : array of uint16, shape (enemies, lanes)
        The toughness that each enemy has left.
    alive : array of uint16, shape (lanes,)
        The enemies that are left and can be aimed at: a bit each.
    mine_alive : array of uint16, shape (lanes,)
        The units of the policy's own side that are left: a bit each.
    cost_rank : array of int64, shape (16,)
        The rank of each enemy by its cost, 0 for the dearest, from `aabalance.engine.battle.columns.cost_ranks`.
    their_able : array of uint16, shape (strikes, lanes)
        May be overwritten with the enemies that are able to make each of their strikes.
    """

    mine: Arms | Side
    theirs: Arms | Side
    ready: Rows
    gains: Rows
    their_gains: Rows
    left: Rows
    alive: Row
    mine_alive: Row
    cost_rank: Counts
    their_able: Rows


Policy = Callable[[View, Picked, Int], None]

Hooks = dict[str, Loop]
"""Functions that not every battle needs, by their names. In the modules that call them, these names are
`aabalance.engine.jit.NO_HOOK`, which is None. Where a battle is compiled, the functions that it needs take their
places. What is behind a name that stays None isn't compiled, so that a first battle waits for its own hooks alone."""

Falls = Callable[[col.Ranks, Sequence[Sequence[int]], Sequence[int]], list[int] | None]

BEST = "best"
"""Stands for a policy where a side plays its best reply to the other's policy: see `states.best_reply`."""
OF_HELP: Hooks = {"keep_helped": drop_unhelped, "spend_help": take_help}
POLICIES: dict[str, Policy] = {}
MOST_POLICIES = 8
"""As many as `choose` has places for."""
FALLS: dict[str, Falls] = {}
"""The function of each policy that returns the order in which enemies fall; many policies have none."""
FOUR = W(4)
"""The bits of the rank by cost, below the toughness left, in the numbers by which `weakest_of` compares."""
CHOICES, OWN, BOTH = range(3)
ASKS: dict[str, int] = {}
"""The gains that each policy reads: only those by which `best_strike` chooses for units with several strikes
(`CHOICES`), all gains of its own side (`OWN`), or those of both sides (`BOTH`)."""


def policy(falls: Falls | None = None, asks: int = OWN) -> Callable[[Policy], Policy]:
    """Register the decorated function under its own name.

    Parameters
    ----------
    asks : int
        The gains that the policy reads: `CHOICES` if it leaves them to `best_strike`, `OWN`, or `BOTH`.
    falls : callable, optional
        A function with the parameters of `as_listed` that returns the order in which enemies fall under the policy, so
        that a battle has far fewer states. A wrong order makes exact results wrong: leave it out unless it is certain.

    Raises
    ------
    ValueError
        The name is taken, or `choose` has no place for another one.
    """

    def register(function: Policy) -> Policy:
        if function.__name__ in (*POLICIES, BEST):
            raise ValueError(f"policies: found {function.__name__} a second time, expected a name of its own")
        if len(POLICIES) == MOST_POLICIES:
            raise ValueError(f"policies: found {MOST_POLICIES + 1}, expected {MOST_POLICIES} at most")
        POLICIES[function.__name__] = function
        ASKS[function.__name__] = asks
        if falls is not None:
            FALLS[function.__name__] = falls
        return function

    return register


def as_listed(rank: col.Ranks, lefts: Sequence[Sequence[int]], cost: Sequence[int]) -> list[int] | None:
    """Return the enemies in the order of the list.

    Parameters
    ----------
    rank : array of int, shape (strikes, enemies, toughness + 1)
        The ranks of the gains of a side's strikes, by enemy and by the toughness that it has left.
    lefts : sequence of sequence of int
        For each enemy, the amounts of toughness that it may have left, rising.
    cost : sequence of int
        For each enemy, what it counts for.

    Returns
    -------
    list of int or None
        The enemies in the order in which they fall; None if the order isn't certain, here because a strike can't hurt
        some enemy that falls before one that it can hurt.
    """
    return _unless_skipped(rank, lefts, list(range(len(lefts))))


def weakest_first(rank: col.Ranks, lefts: Sequence[Sequence[int]], cost: Sequence[int]) -> list[int] | None:
    """Return the enemies by their toughness at full strength, the weakest first; of equals, the dearest first.

    Hits don't change this order: an enemy that was hit has less left than any that comes after it. Parameters and
    result are as for `as_listed`.
    """
    return _unless_skipped(rank, lefts, sorted(range(len(lefts)), key=lambda enemy: (lefts[enemy][-1], -cost[enemy])))


def _unless_skipped(rank: col.Ranks, lefts: Sequence[Sequence[int]], order: list[int]) -> list[int] | None:
    """Return the order if every strike that hurts an enemy also hurts all that fall before it, else None."""
    for strike in rank:
        hurts = [strike[enemy, lefts[enemy][-1]] > 0 for enemy in order]
        if hurts != sorted(hurts, reverse=True):
            return None
    return order


def most_gainful_first(rank: col.Ranks, lefts: Sequence[Sequence[int]], cost: Sequence[int]) -> list[int] | None:
    """Return the enemies by what strikes gain from them at full strength, the largest gain first.

    Parameters are as for `as_listed`. The result is None unless the gains of all strikes are in this order, and stay so
    as an enemy is hit: no strike ever gains less from it than from one that comes after it at full strength, nor as
    much if that one is listed before it.
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


def first_of(whom: Row, aim: Row, most: Int, lanes: Int) -> None:
    """Write the first of some enemies into `aim`: 0 if there is none. In `whom`, all bits but its own are cleared."""
    for k in range(lanes):
        aim[k] = NONE
        whom[k] &= W(NONE - whom[k])
    for enemy in range(1, most):
        at, bit = W(enemy), W(ONE << W(enemy))
        for k in range(lanes):
            who = aim[k]
            aim[k] = at if whom[k] == bit else who


def first_unit(ready: Rows, unit: Row, lanes: Int) -> None:
    """Write the bit of the first unit that may make any strike; 0 if there is none."""
    for k in range(lanes):
        unit[k] = NONE
    for strike in range(len(ready)):
        for k in range(lanes):
            unit[k] |= ready[strike, k]
    for k in range(lanes):
        unit[k] &= W(NONE - unit[k])


def hurt_by(strikes: Columns, ready: Rows, alive: Row, unit: Row, hurt: Row, lanes: Int) -> None:
    """Write which enemies a unit can `hurt` with the strikes that it may make now."""
    for k in range(lanes):
        hurt[k] = NONE
    for strike in range(len(ready)):
        whom = W(strikes[strike, col.HURTS])
        for k in range(lanes):
            others, also = hurt[k], W(alive[k] & whom)
            hurt[k] = W(others | also) if ready[strike, k] & unit[k] != NONE else others


def weakest_of(left: Rows, cost_rank: Counts, whom: Row, least: Row, aim: Row, lanes: Int) -> None:
    """Write which of some enemies has the least toughness left: of equals the dearest, and of these the first.

    `cost_rank` is from `columns.cost_ranks`. `least` is overwritten with the smallest of the numbers by which enemies
    are compared: toughness left times 16, plus the rank by cost.
    """
    for k in range(lanes):
        least[k], aim[k] = col.ALL, NONE
    for enemy in range(len(left)):
        at, bit, nth = W(enemy), W(ONE << W(enemy)), W(cost_rank[enemy])
        for k in range(lanes):
            so_far, who = least[k], aim[k]
            of_it = W(W(left[enemy, k] << FOUR) | nth)
            less = (W(whom[k] & bit) != NONE) & (of_it < so_far)
            least[k] = of_it if less else so_far
            aim[k] = at if less else who


def best_strike(strikes: Columns, ready: Rows, gains: Rows, picked: Picked, lanes: Int) -> None:
    """Write the strike with the largest gain that the picked unit may make at the picked enemy.

    A unit that has only one strike makes that one; its gain isn't looked at.
    """
    chosen, aim, unit, most, gain, _ = picked
    for k in range(lanes):
        chosen[k], most[k] = W(len(ready)), NONE
    for strike in range(len(ready)):
        units = ready[strike]
        if strikes[strike, col.ALONE]:
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


def largest(gains: Rows, gain: Row, whom: Row, lanes: Int) -> None:
    """Write the largest of a strike's gains into `gain`, and the row of the first such enemy into `whom`; else 0."""
    for k in range(lanes):
        gain[k], whom[k] = NONE, NONE
    for enemy in range(len(gains)):
        at = W(enemy)
        for k in range(lanes):
            most, who, rank = gain[k], whom[k], gains[enemy, k]
            gain[k] = rank if rank > most else most
            whom[k] = at if rank > most else who


def gain_at(gains: Rows, aim: Row, gain: Row, lanes: Int) -> None:
    """Write a strike's gain from the enemy aimed at; it stays as it is where no enemy has the row."""
    for enemy in range(len(gains)):
        at = W(enemy)
        for k in range(lanes):
            rank, of_it = gain[k], gains[enemy, k]
            gain[k] = of_it if aim[k] == at else rank


@policy(as_listed, CHOICES)
def list_order(view: View, picked: Picked, lanes: Int) -> None:
    """Strike with the first unit that can, at the first enemy that it hurts, both in list order."""
    unit, hurt = picked.unit, picked.first
    first_unit(view.ready, unit, lanes)
    hurt_by(view.mine.strikes, view.ready, view.alive, unit, hurt, lanes)
    first_of(hurt, picked.enemy, len(view.left), lanes)
    best_strike(view.mine.strikes, view.ready, view.gains, picked, lanes)


@policy(weakest_first, CHOICES)
def focus(view: View, picked: Picked, lanes: Int) -> None:
    """Strike with the first unit that can, at the enemy with least left that it hurts, then the dearest, the first."""
    _, aim, unit, hurt, least, _ = picked
    first_unit(view.ready, unit, lanes)
    hurt_by(view.mine.strikes, view.ready, view.alive, unit, hurt, lanes)
    weakest_of(view.left, view.cost_rank, hurt, least, aim, lanes)
    best_strike(view.mine.strikes, view.ready, view.gains, picked, lanes)


@policy(most_gainful_first)
def value(view: View, picked: Picked, lanes: Int) -> None:
    """Make the strike that is expected to take most of an enemy's cost, per action."""
    chosen, aim, unit, most, gain, whom = picked
    ready = view.ready
    for k in range(lanes):
        chosen[k], aim[k], unit[k], most[k] = W(len(ready)), NONE, NONE, NONE
    for strike in range(len(ready)):
        units = ready[strike]
        largest(view.gains[strike], gain, whom, lanes)
        for k in range(lanes):
            so_far, rank, first, other = most[k], gain[k], W(units[k] & W(NONE - units[k])), unit[k]
            better = (first != NONE) & ((rank > so_far) | ((rank == so_far) & (first < other)))
            most[k] = rank if better else so_far
            unit[k] = first if better else other
            was, enemy, another = chosen[k], whom[k], aim[k]
            chosen[k] = W(strike) if better else was
            aim[k] = enemy if better else another


@policy(asks=BOTH)
def threat(view: View, picked: Picked, lanes: Int) -> None:
    """Strike the enemy that could take most cost from one of ours, with what takes most from it, both per action."""
    chosen, aim, unit, most, gain, whom = picked
    ready, able, strikes, hurt = view.ready, view.their_able, view.theirs.strikes, chosen
    for k in range(lanes):
        hurt[k] = NONE
    for strike in range(len(ready)):
        units, enemies = ready[strike], W(view.mine.strikes[strike, col.HURTS])
        for k in range(lanes):
            open_to, others = W(view.alive[k] & enemies), hurt[k]
            hurt[k] = W(others | open_to) if units[k] != NONE else others
    # If none of these enemies can hurt anybody, all of them stay candidates.
    for k in range(lanes):
        unit[k], most[k] = hurt[k], NONE
    mark_able(view.theirs, view.left, view.alive, view.mine_alive, able, lanes)
    for strike in range(len(strikes)):
        # Where a strike needs help or preparation before, that step is itself a strike, with the same gain.
        if strikes[strike, col.HELPED_AT] != col.NOBODY or strikes[strike, col.STAGE] == col.NEEDS_PREPARED:
            continue
        largest(view.their_gains[strike], gain, whom, lanes)
        units = able[strike]
        for k in range(lanes):
            who, rank, so_far, others = W(units[k] & hurt[k]), gain[k], most[k], unit[k]
            equals = W(others | who) if rank == so_far else others
            worse = (who != NONE) & (rank > so_far)
            unit[k] = who if worse else equals
            most[k] = rank if worse else so_far
    first_of(unit, aim, len(view.left), lanes)
    for k in range(lanes):
        chosen[k], unit[k], most[k] = W(len(ready)), NONE, NONE
    for strike in range(len(ready)):
        units = ready[strike]
        for k in range(lanes):
            gain[k] = NONE
        gain_at(view.gains[strike], aim, gain, lanes)
        for k in range(lanes):
            so_far, rank, first, other = most[k], gain[k], W(units[k] & W(NONE - units[k])), unit[k]
            better = (first != NONE) & ((rank > so_far) | ((rank == so_far) & (rank != NONE) & (first < other)))
            was = chosen[k]
            most[k] = rank if better else so_far
            unit[k] = first if better else other
            chosen[k] = W(strike) if better else was


policy_0 = policy_1 = policy_2 = policy_3 = policy_4 = policy_5 = policy_6 = policy_7 = jit.NO_HOOK
"""The policies by number, from `by_number`. None, and so not compiled, for a number without a policy, and for a policy
that a battle leaves out: see `aabalance.engine.battle.lanes.rolls.of_rolls`."""


def choose(number: Int, view: View, picked: Picked, lanes: Int) -> None:
    """Call the policy with this number; `view`, `picked` and `lanes` are the parameters of each policy."""
    if policy_0 is not None and number == 0:
        policy_0(view, picked, lanes)
    if policy_1 is not None and number == 1:
        policy_1(view, picked, lanes)
    if policy_2 is not None and number == 2:
        policy_2(view, picked, lanes)
    if policy_3 is not None and number == 3:
        policy_3(view, picked, lanes)
    if policy_4 is not None and number == 4:
        policy_4(view, picked, lanes)
    if policy_5 is not None and number == 5:
        policy_5(view, picked, lanes)
    if policy_6 is not None and number == 6:
        policy_6(view, picked, lanes)
    if policy_7 is not None and number == 7:
        policy_7(view, picked, lanes)


def keeps_gains(asks: tuple[int, int], side: Int) -> bool:
    """Return whether the policy of either side reads the gains of one `side`: `asks` has what both policies read."""
    return asks[side] != CHOICES or asks[1 - side] == BOTH


def numbers(names: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of policies by which `choose` calls them: the place of each name in `POLICIES`."""
    known = list(POLICIES)
    return tuple(known.index(name) for name in names)


def by_number() -> dict[str, Policy]:
    """Return the policies by the names under which `choose` calls them."""
    return {f"policy_{number}": function for number, function in enumerate(POLICIES.values())}


def of_turns(sides: Sides) -> Hooks:
    """Return the hooks of a side's turns, which solved and rolled battles have in common.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.battle.Battle.sides`.
    """
    hooks: Hooks = dict(by_number())
    return hooks | OF_HELP if any(map(needs_help, sides)) else hooks
