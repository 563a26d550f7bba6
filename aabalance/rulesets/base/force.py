"""What a side of a battle may do in its turn, unit by unit, and what that does to each unit of the other side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from aabalance.dice import Pmf
from aabalance.rulesets.base.attack import Dice, Step


class Aspect(NamedTuple):
    """What the attacks of a battle depend on that changes while units move.

    Attributes
    ----------
    range_in : float
        From the attacker to its target.
    moved : bool
        The attacker moved with an action before it fired, this turn.
    target_moved_in : float
        How far the target moved in its last turn, with one movement action; 0: it stayed.
    """

    range_in: float
    moved: bool = False
    target_moved_in: float = 0.0


class Pace(NamedTuple):
    """How a unit moves in a turn of a battle: with its first action, if at all.

    Attributes
    ----------
    ahead_in : float
        At most; a light unit's free move is part of it.
    back_in : float
        Backwards, facing the enemy, at most.
    actions : int
        What it takes of the unit's pool.
    """

    ahead_in: float = 0.0
    back_in: float = 0.0
    actions: int = 1


class Gun(NamedTuple):
    """A gun of a unit in a battle: one of its strikes at a time.

    Attributes
    ----------
    attacks : int
        Attacks that a turn allows it.
    reloads : bool
        None in the turn after one in which it fired.
    once : bool
        None after a turn in which it fired.
    """

    attacks: int = 1
    reloads: bool = False
    once: bool = False


class Help(NamedTuple):
    """What a strike needs besides its unit: one of a few others of its side.

    Attributes
    ----------
    units : tuple of int
        Their places in the list. The first that is left and has the actions gives it.
    actions : int
        What that one pays out of its own pool, under the side's limit unless it is free of it.
    lasts : bool
        To the end of the turn the unit has it against that enemy, as strikes with `Strike.helped_at` say.
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
        Which of the unit's guns it is made with.
    attacks : int
        How many of the gun's attacks of the turn it takes.
    actions : int
        Its own; a gain is reckoned by these and those of the helps.
    least, most : int
        Own toughness with which the unit makes it like this.
    effects : tuple of (tuple of Pmf)
        What it takes from each enemy, in list order, in each aspect, in the order in which they were asked for. Nothing
        where it can't be made.
    dice : tuple of tuple of tuple of (Fraction, Dice)
        How it is rolled at each enemy in each aspect: shares of what chance decides first, such as the face, and the
        dice of each. No shares if a game doesn't say.
    steps : tuple of tuple of tuple of (tuple of Step)
        How each of these dice was decided; empty unless the battle is to be explained.
    helps : tuple of Help
        All of them are needed.
    helped_at : int or None
        Made at this enemy alone, after a strike of the unit at it with a help that lasts.
    gone : int or None
        Made only when this enemy, who has shielded another, is gone.
    prepare : int
        Above 0, it only prepares the gun, for so many actions: no attack, but chosen by the gain of the one that it
        prepares.
    prepared : bool
        Made only with a gun that was prepared.
    answers : bool
        Made, too, at whoever strikes at the unit and leaves it: the first such strike that the unit has the toughness
        for and that hurts the other. It takes no attack of the gun and no action. Such games have nothing to prepare.
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
        What it does is outside its side's action limit.
    worth : int
        What it counts for while it is left: its cost.
    counts : bool
        A side without one that counts has lost.
    guns : tuple of Gun
    strikes : tuple of Strike
        In the order of the card, which settles ties; the same ones whatever the aspect.
    pace : Pace
        How it moves; no inches: it never does.
    men : bool
        Its toughness is men, who hold objectives.
    ride : Ride or None
        What it begins the battle inside, in a battle of units that move.
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
