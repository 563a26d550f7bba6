"""What a side of a battle may do in its turn, unit by unit, and what that does to each unit of the other side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from aabalance.dice import Pmf
from aabalance.rulesets.base.attack import Dice, Step


class Aspect(NamedTuple):
    """The circumstances of an attack that change while units move.

    Attributes
    ----------
    range_in : float
        Distance from the attacker to its target.
    moved : bool
        Whether the attacker moved with an action in this turn before it fired.
    target_moved_in : float
        How far the target moved in its last turn, with one movement action; 0 if it stayed.
    """

    range_in: float
    moved: bool = False
    target_moved_in: float = 0.0


class Pace(NamedTuple):
    """How a unit moves in a turn of a battle: with its first action, if at all.

    Attributes
    ----------
    ahead_in : float
        Longest way ahead; a light unit's free move is part of it.
    back_in : float
        Longest way back, facing the enemy.
    actions : int
        Actions that moving takes out of the unit's pool.
    """

    ahead_in: float = 0.0
    back_in: float = 0.0
    actions: int = 1


class Gun(NamedTuple):
    """A gun of a unit in a battle: one of its strikes at a time.

    Attributes
    ----------
    attacks : int
        Number of its attacks in a turn.
    reloads : bool
        Whether it can't fire in the turn after one in which it fired.
    once : bool
        Whether it can't fire again after the turn in which it fired.
    """

    attacks: int = 1
    reloads: bool = False
    once: bool = False


class Help(NamedTuple):
    """The help that a strike needs: from one of some other units of its side.

    Attributes
    ----------
    units : tuple of int
        Places in the list of the units that may help. The first that is left and has the actions does.
    actions : int
        Actions that the helping unit pays out of its own pool, under the side's limit unless it is free of it.
    lasts : bool
        Whether the help holds against that enemy to the end of the turn; strikes that need it have `Strike.helped_at`.
    """

    units: tuple[int, ...]
    actions: int = 0
    lasts: bool = False


class Strike(NamedTuple):
    """An attack that a unit may choose in a battle.

    Attributes
    ----------
    weapon : str
    gun : int
        Number of the unit's gun with which it is made.
    attacks : int
        How many of the gun's attacks in the turn it takes.
    actions : int
        Actions of the unit that it takes; gains are per action, those of helping units included.
    least, most : int
        The unit's own toughness between which it makes the strike like this.
    effects : tuple of (tuple of Pmf)
        What it takes from each enemy, in list order, at each aspect, in the order of the aspects that were asked for;
        nothing where it can't be made.
    dice : tuple of tuple of tuple of (Fraction, Dice)
        How it is rolled at each enemy at each aspect: shares of the cases that chance decides first, such as the face,
        and the dice of each case. Empty if the game gives no dice.
    steps : tuple of tuple of tuple of (tuple of Step)
        How the dice of each case were decided; empty unless the battle is to be explained.
    helps : tuple of Help
        Helps that it needs, all of them.
    helped_at : int or None
        The only enemy at which it can be made, after a strike at it with a help that lasts.
    gone : int or None
        An enemy, a shield of others, that has to be gone before it can be made.
    prepare : int
        If above 0, the strike only prepares the gun, for so many actions. It is no attack, but is chosen by the gain of
        the attack that it prepares.
    prepared : bool
        Whether it takes a gun that was prepared.
    answers : bool
        Whether it is also made, at once, at an enemy that has struck at the unit and not destroyed it: the first such
        strike for which the unit has the toughness and that hurts the enemy. As an answer it takes no attack of the gun
        and no action. Games with answers have nothing to prepare.
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
    answers: bool = False


class Ride(NamedTuple):
    """How a unit begins a battle inside another of its side.

    Inside it can be no target and is where its carrier is. A turn that it begins inside it rests in, also one in which
    it gets out; and so it does in its turn after its carrier was destroyed. It doesn't get in again.

    Attributes
    ----------
    carrier : int
        The other's place in the list.
    wreck : Pmf
        What it loses when that one is destroyed while it is inside.
    rests : int
        Actions of its pool that a turn of rest takes.
    """

    carrier: int
    wreck: Pmf
    rests: int


class Fighter(NamedTuple):
    """A unit of a battle.

    Attributes
    ----------
    name : str
    toughness : int
    actions : int
        Its pool.
    free : bool
        Whether its actions are outside of its side's limit.
    worth : int
        Its value while it is left: its cost.
    counts : bool
        Whether it keeps its side from losing: a side without such a unit has lost.
    guns : tuple of Gun
    strikes : tuple of Strike
        In the order of the card, which settles ties; the same ones whatever the aspect.
    pace : Pace
        How it moves; 0 inches if it never does.
    men : bool
        Whether its toughness counts men, who hold objectives.
    ride : Ride or None
        How it begins the battle inside another unit, in a battle of units that move.
    """

    name: str
    toughness: int
    actions: int
    free: bool
    worth: int
    counts: bool
    guns: tuple[Gun, ...]
    strikes: tuple[Strike, ...]
    pace: Pace = Pace()
    men: bool = False
    ride: Ride | None = None


Force = tuple[Fighter, ...]
"""A side of a battle."""
Views = Mapping[Any, Fraction]
"""Situations with the share of the attacks that are made in each; shares add up to 1."""

ANNIHILATION, TIMED, DOMINATION = MODES = "annihilation", "timed", "domination"
NEED_ROUNDS = TIMED, DOMINATION


class Objectives(NamedTuple):
    """What lies between two lines of a battle that points decide, evenly from line to line, and how they are scored.

    Attributes
    ----------
    number : int
        Two at least.
    within_in : float
        From an objective, of those who occupy it.
    owner : callable
        Takes the men of each unit of a that occupies an objective, and those of b; returns "a", "b" or None.
    tally : callable
        Takes the points of both sides, how many objectives each owns, and whose turn ended; returns the points then.
    winner : callable
        Takes the points of both sides at the limit; returns "a", "b" or "draw".
    """

    number: int
    within_in: float
    owner: Callable[[Iterable[int], Iterable[int]], str | None]
    tally: Callable[[tuple[int, int], tuple[int, int], Any], tuple[int, int]]
    winner: Callable[[tuple[int, int]], str | None]


class Mission(NamedTuple):
    """How a battle ends, besides by the end of a side.

    Attributes
    ----------
    rounds : int or None
        After so many turns of each side.
    by_worth : bool
        Then the side with more worth left wins, and equals play on a round at a time; else it is a draw. The same
        if nobody can hurt a unit that counts, but then equals are a draw.
    objectives : Objectives or None
        Points decide, and nobody's end ends the battle.
    """

    rounds: int | None = None
    by_worth: bool = False
    objectives: Objectives | None = None
