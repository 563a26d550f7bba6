"""What each unit of a battle may do in its side's turn, and what that does to each unit of the other side."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from aabalance.dice import Pmf
from aabalance.rulesets.base.attack import Dice, SituationT, Step


class Gun(NamedTuple):
    """A gun of a unit in a battle. Several strikes may be made with it, but one at a time.

    Attributes
    ----------
    attacks : int
        Number of attacks that it has in a turn.
    reloads : bool
        Whether it can't fire in the turn after one in which it fired.
    once : bool
        Whether it fires in one turn of the battle only.
    """

    attacks: int = 1
    reloads: bool = False
    once: bool = False


class Help(NamedTuple):
    """The help that a strike needs from another unit of its side.

    Attributes
    ----------
    units : tuple of int
        Positions in the list of the units that may help. The first of them that is left and has the actions helps.
    actions : int
        Actions that the helping unit pays out of its own pool. They count for the side's limit, unless the unit is free
        of it.
    lasts : bool
        Whether the help lasts against that enemy until the end of the turn. Further strikes that depend on it have
        `Strike.helped_at`.
    """

    units: tuple[int, ...]
    actions: int = 0
    lasts: bool = False


class Strike(NamedTuple):
    """An attack that a unit may choose in a battle.

    Attributes
    ----------
    weapon : str
        Name of the weapon.
    gun : int
        Number of the gun, in `Fighter.guns`, with which the strike is made.
    attacks : int
        How many of the gun's attacks in the turn the strike uses up.
    actions : int
        Actions of the unit that the strike costs. Strikes are compared by their gain per action; actions of helping
        units count as well.
    least, most : int
        The strike can be made while the unit's own toughness is between these two.
    effects : tuple of (tuple of Pmf), shape (enemies, distances)
        What the strike takes from each enemy, in list order, from each distance; a sure 0 where the strike can't be
        made. In a battle there is one distance.
    dice : tuple of tuple of tuple of (Fraction, Dice), shape (enemies, distances, cases)
        How the strike is rolled at each enemy from each distance. Chance may decide first between several cases, such
        as the face that is hit: each has its share and its dice. Empty if the game gives no dice.
    steps : tuple of tuple of tuple of (tuple of Step), shape (enemies, distances, cases)
        How the attack of each case was resolved; empty unless the battle is to be explained.
    helps : tuple of Help
        Helps that the strike needs, all of them.
    helped_at : int or None
        If not None, the strike can be made at this enemy only, and only after a strike at it with a help that lasts.
    gone : int or None
        An enemy that shields others: the strike can't be made before it is destroyed.
    prepare : int
        If above 0, the strike only prepares the gun, at a cost of this many actions: all that its unit has. It is no
        attack, and a policy chooses it by the gain of the attack that it prepares.
    prepared : bool
        Whether the strike needs a gun that was prepared.
    return_fire : bool
        Whether the strike may also be made as return fire: at once, at an enemy that has struck at the unit without
        destroying it. The unit makes the first such strike that its toughness allows and that hurts the enemy. Return
        fire costs no attack of the gun and no action. Games with return fire have nothing to prepare.
    """

    weapon: str
    gun: int
    attacks: int
    actions: int
    least: int
    most: int
    effects: tuple[tuple[Pmf, ...], ...]
    dice: tuple[tuple[tuple[tuple[Fraction, Dice], ...], ...], ...]
    steps: tuple[tuple[tuple[tuple[Step, ...], ...], ...], ...] = ()
    helps: tuple[Help, ...] = ()
    helped_at: int | None = None
    gone: int | None = None
    prepare: int = 0
    prepared: bool = False
    return_fire: bool = False


class Fighter(NamedTuple):
    """A unit of a battle.

    Attributes
    ----------
    name : str
        Name of the unit.
    toughness : int
        Toughness of the unit at the start.
    actions : int
        Number of its actions in a turn: its pool.
    free : bool
        Whether its actions are exempt from its side's limit.
    cost : int
        What it cost, which its side counts as left until it is destroyed.
    counts : bool
        Whether its side needs it: a side without such a unit has lost.
    guns : tuple of Gun
        Its guns, to which `Strike.gun` refers.
    strikes : tuple of Strike
        In the order of the card, which decides ties.
    """

    name: str
    toughness: int
    actions: int
    free: bool
    cost: int
    counts: bool
    guns: tuple[Gun, ...]
    strikes: tuple[Strike, ...]


Force = tuple[Fighter, ...]
"""A side of a battle."""
SituationMix = Mapping[SituationT, Fraction]
"""Situations, each with the share of the attacks that are made in it; the shares add up to 1."""

ANNIHILATION, TIMED = MODES = "annihilation", "timed"


class Mission(NamedTuple):
    """How a battle ends, unless a side has lost before.

    Attributes
    ----------
    rounds : int or None
        Number of turns of each side after which the battle ends; None: no limit.
    by_cost : bool
        Whether the side with the larger cost left wins when the limit is reached, or when nobody can hurt a unit that
        counts any more. Equal costs at the limit mean a further round, until they differ; where nobody can hurt
        anybody, a draw. If False, both ends are draws.
    """

    rounds: int | None = None
    by_cost: bool = False
