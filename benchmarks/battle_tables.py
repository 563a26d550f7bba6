"""Battles as whole numbers, for the twins of the kernel: what a ruleset says of both sides, worked out once.

It goes by the written rules of battles alone and shares no code with `aabalance.engine.battle`, so that equal counts
say something.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, chain
from math import lcm
from typing import Any, NamedTuple

from aabalance.engine.digits import DIE_AND_REROLL, threshold
from aabalance.rulesets.base import Dice, Fighter, Force, Strike

EVERY_DIE = 180
"""A base in which a die with one reroll and one rerolled without end are both whole."""
FACES = 6
WORD_DIGITS = 4
BLOCK_DIGITS = 8
ROUNDS = 10_000
"""Rounds after which a battle without end is given up."""

LIST_ORDER, FOCUS, VALUE = range(3)
POLICIES = {"list_order": LIST_ORDER, "focus": FOCUS, "value": VALUE}


class Counts(NamedTuple):
    """What a twin counts; a is the side that moves first.

    Attributes
    ----------
    tally : list of int
        In the order of `aabalance.engine.outcome.BattleTally`.
    left : pair of list of int
        Battles in which each unit was left.
    strikes, blocks : int
        Strikes made, and blocks of random words that their dice were in.
    """

    tally: list[int]
    left: tuple[list[int], list[int]]
    strikes: int
    blocks: int


class Throw(NamedTuple):
    """The dice of a strike at an enemy, in one of the cases that chance decides between first.

    Attributes
    ----------
    below : int
        It is this case if the digit of the share is below, and no case before is.
    sequences : int
    full : int
        1 if the second digit of a sequence counts.
    first, second : int
        Digits that succeed are as large or larger.
    effects : list of int
        By face; the first alone unless `full`.
    """

    below: int
    sequences: int
    full: int
    first: int
    second: int
    effects: list[int]


class Made(NamedTuple):
    """A strike that a unit can pay for, and that hurts one of its enemies at least.

    Attributes
    ----------
    unit, gun : int
        Counted through its side.
    takes, actions, least, most : int
        As `aabalance.rulesets.base.Strike` has them.
    worth, damage : list of list of int
        Order of what it is expected to take per action, by enemy and what that has left: of the enemy's worth, and of
        its toughness; 0 if nothing.
    throws : list of list of Throw
        By enemy.
    hurts : list of int
        Enemies that count and that it can hurt.
    """

    unit: int
    gun: int
    takes: int
    actions: int
    least: int
    most: int
    worth: list[list[int]]
    damage: list[list[int]]
    throws: list[list[Throw]]
    hurts: list[int]


class Side(NamedTuple):
    """A side: lists by unit, `attacks` and `reloads` by gun, `strikes` in the order of units and cards.

    Attributes
    ----------
    limit : int
    policy : int
        One of `POLICIES`.
    varies : list of int
        1 for a unit that strikes otherwise, or no longer, when it has less left.
    """

    limit: int
    policy: int
    toughness: list[int]
    pool: list[int]
    free: list[int]
    worth: list[int]
    counts: list[int]
    varies: list[int]
    strikes: list[Made]
    attacks: list[int]
    reloads: list[int]


class Fought(NamedTuple):
    """A battle; the side that moves first is side 0.

    Attributes
    ----------
    sides : pair of Side
    rounds : int
    by_cost : int
        1 if worth decides after them.
    shares : int
        Base of the digits that draw a share; 1 if none is drawn.
    die : int
        Base of the others.
    pair : int
        Digits of a sequence: 1 or 2.
    slots : int
        Most strikes of a turn.
    blocks : int
        Of random words, of a turn.
    bases : list of int
        Of the digits of a turn.
    """

    sides: tuple[Side, Side]
    rounds: int
    by_cost: int
    shares: int
    die: int
    pair: int
    slots: int
    blocks: int
    bases: list[int]


def fought(forces: tuple[Force, Force], terms: Any, first: int) -> Fought:
    """Return a battle in whole numbers.

    Parameters
    ----------
    forces : pair of Force
    terms : aabalance.engine.battle.columns.Terms
    first : int
        The side that moves first.
    """
    order = first, 1 - first
    forces = _chosen_among(forces[0], terms.limits[0]), _chosen_among(forces[1], terms.limits[1])
    cases = [at for force in forces for unit in force for strike in unit.strikes for at, *_ in strike.dice]
    dice = [thrown for at in cases for _, thrown in at]
    drawn = any(len(at) > 1 for at in cases)
    shares = lcm(*(share.denominator for at in cases for share, _ in at)) if drawn else 1
    whole = all((thrown.first * DIE_AND_REROLL).denominator == 1 for thrown in dice)
    die = DIE_AND_REROLL if whole else EVERY_DIE
    pair = 2 if any(map(_full, dice)) else 1
    digits = max((pair * _sequences(thrown) for thrown in dice), default=0) + drawn
    slots = max(sum(gun.attacks for unit in force for gun in unit.guns) for force in forces)
    blocks = -(-digits * slots // BLOCK_DIGITS)
    return Fought(
        sides=tuple(
            _side(forces[n], forces[1 - n], terms.limits[n], POLICIES[terms.policies[n]], shares, die) for n in order
        ),
        rounds=ROUNDS if terms.rounds is None else terms.rounds,
        by_cost=int(terms.by_cost),
        shares=shares,
        die=die,
        pair=pair,
        slots=slots,
        blocks=blocks,
        bases=[shares if drawn and place < slots else die for place in range(blocks * BLOCK_DIGITS)],
    )


def _chosen_among(force: Force, limit: int) -> Force:
    """Return a side with the strikes that are ever chosen: dice of others have no place."""
    return tuple(
        unit._replace(
            strikes=tuple(
                strike
                for strike in unit.strikes
                if _may_be_made(unit, strike, limit) and not any(_better(o, strike, unit, limit) for o in unit.strikes)
            )
        )
        for unit in force
    )


def _better(other: Strike, strike: Strike, unit: Fighter, limit: int) -> bool:
    """Return whether a strike can be made in place of another, any enemy losing any amount at least as likely by it."""
    if other is strike or not _may_be_made(unit, other, limit):
        return False
    if (other.gun, other.attacks, other.actions) != (strike.gun, strike.attacks, strike.actions):
        return False
    if other.least > strike.least or other.most < strike.most:
        return False
    first = unit.strikes.index(other) < unit.strikes.index(strike)
    for (better, *_), (effect, *_) in zip(other.effects, strike.effects, strict=True):
        for least in range(1, max(*better, *effect) + 1):
            by_other, by_this = (sum(p for lost, p in e.items() if lost >= least) for e in (better, effect))
            if by_other < by_this or (by_other == by_this > 0 and least == 1 and not first):
                return False
    return True


def _full(thrown: Dice) -> bool:
    return len(set(thrown.effects)) > 1 or thrown.second not in (0, 1)


def _sequences(thrown: Dice) -> int:
    # Without a chance of the second die nothing is rolled.
    return thrown.sequences if thrown.second else 0


def _side(own: Force, enemies: Force, limit: int, policy: int, shares: int, die: int) -> Side:
    guns = list(accumulate((len(unit.guns) for unit in own), initial=0))
    made = [(n, strike) for n, unit in enumerate(own) for strike in unit.strikes if _may_be_made(unit, strike, limit)]
    alone = [strike for _, strike in made]
    worth, damage = _places(alone, enemies, of_worth=True), _places(alone, enemies, of_worth=False)
    strikes = [
        Made(
            unit=n,
            gun=guns[n] + strike.gun,
            takes=strike.attacks,
            actions=strike.actions,
            least=strike.least,
            most=strike.most,
            worth=by_worth,
            damage=by_damage,
            throws=[list(_throws(at, shares, die)) for at, *_ in strike.dice],
            hurts=[at for at, enemy in enumerate(enemies) if enemy.counts and max(strike.effects[at][0]) > 0],
        )
        for (n, strike), by_worth, by_damage in zip(made, worth, damage, strict=True)
    ]
    return Side(
        limit=limit,
        policy=policy,
        toughness=[unit.toughness for unit in own],
        pool=[unit.actions for unit in own],
        free=[int(unit.free) for unit in own],
        worth=[unit.cost for unit in own],
        counts=[int(unit.counts) for unit in own],
        varies=[int(any(strike.unit == n and strike.least > 1 for strike in strikes)) for n in range(len(own))],
        strikes=strikes,
        attacks=[gun.attacks for unit in own for gun in unit.guns],
        reloads=[int(gun.reloads) for unit in own for gun in unit.guns],
    )


def _may_be_made(unit: Fighter, strike: Strike, limit: int) -> bool:
    """Return whether a strike can be paid for, and hurts anybody."""
    payable = strike.actions <= unit.actions and (unit.free or strike.actions <= limit)
    return payable and any(max(effect) > 0 for effect, *_ in strike.effects)


def _places(strikes: list[Strike], enemies: Force, *, of_worth: bool) -> list[list[list[int]]]:
    """Return the place of each gain among all, by strike, enemy and what that has left; 0 is none."""

    def key(strike: Strike, n: int) -> tuple[Any, ...]:
        worth = enemies[n].cost if of_worth else None
        return tuple(sorted(strike.effects[n][0].items())), strike.actions, enemies[n].toughness, worth

    keys = [[key(strike, n) for n in range(len(enemies))] for strike in strikes]
    gains = {one: list(_gains(*one)) for one in set(chain(*keys))}
    order = {gain: n for n, gain in enumerate(sorted({Fraction(0)}.union(*gains.values())))}
    places = {one: [0, *(order[gain] for gain in found)] for one, found in gains.items()}
    return [[places[one] for one in row] for row in keys]


def _gains(
    effect: tuple[tuple[int, Fraction], ...], actions: int, toughness: int, worth: int | None
) -> Iterator[Fraction]:
    """Yield what a strike is expected to take per action, of the worth if there is one, by what the enemy has left."""
    for left in range(1, toughness + 1):
        mean = sum((min(amount, left) * p for amount, p in effect), Fraction(0)) / actions
        yield mean if worth is None else mean * worth / left


def _throws(cases: tuple[tuple[Fraction, Dice], ...], shares: int, die: int) -> Iterator[Throw]:
    below = Fraction(0)
    for share, thrown in cases:
        below += share
        needs = threshold(thrown.first, die), threshold(thrown.second, die)
        # What can be drawn with a die and its reroll alone may be rolled second.
        threshold(thrown.second, DIE_AND_REROLL)
        yield Throw(int(below * shares), _sequences(thrown), int(_full(thrown)), *needs, list(thrown.effects))
