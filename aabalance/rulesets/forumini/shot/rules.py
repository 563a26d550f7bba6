"""The dice of Forumini Armies: successes, hits, counters and Cover Rolls, as distributions.

A unit's *condition* sums up its face-up counters: `GOOD_ORDER`, `PINNED`, `SHAKEN` (a Demoralized soldier, or a vehicle
or aircraft with one Damaged counter), two conditions with a further Damaged counter each, and `DESTROYED`. A vehicle
that is both Damaged and Pinned fights like one that is only Damaged (Effects of face-up counters on vehicles), so that
it has no condition of its own.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.base import Step
from aabalance.rulesets.forumini.variant import Reading

Kind = Literal["soldier", "vehicle", "fighter", "bomber", "obstacle"]
"""Kind of a unit, by which others choose their Attack Dice; any aircraft that isn't a fighter is a bomber (Unit Cards,
Aircraft)."""

D6 = 6
SUCCESS = 4
GOOD_ORDER, PINNED, SHAKEN = 0, 1, 2
DESTROYED = 5
"""Three Damaged counters are the most that add up: a limit of ours [F-5]."""
CONDITIONS = ("in good order", "Pinned", "Demoralized or Damaged", "Damaged twice", "Damaged three times")
"""Names of the conditions of a unit that is left."""

COUNTERS = 3
"""Face-down counters that destroy a ground unit: Pinned, then Demoralized or Damaged, then Destroyed."""

AIRCRAFT_COUNTERS = 2
"""Face-down counters that destroy an aircraft: Damaged, then Destroyed."""

AIRCRAFT = ("fighter", "bomber")
PLAIN = Reading()


def toughness(kind: Kind) -> int:
    """Return the counters that destroy a fresh unit: three, or an aircraft's two."""
    return AIRCRAFT_COUNTERS if kind in AIRCRAFT else COUNTERS


class Target(NamedTuple):
    """The target of an attack, as the attack's dice meet it.

    Attributes
    ----------
    defense, disintegration : int
        Defense and Disintegration; for a vehicle, armour and vital armour of the face that is attacked.
    cover : int or None
        Cover number; None for a unit that fails every Cover Roll.
    in_cover : bool
        Whether its hex offers cover.
    cover_modifier : int
        Modifier of the Cover Roll by terrain and counters; what the attack's successes add comes on top.
    face_down : int
        Number of counters that it has from other attacks of the turn.
    """

    defense: int
    disintegration: int
    cover: int | None = None
    in_cover: bool = False
    cover_modifier: int = 0
    face_down: int = 0


def p_success(modifier: int) -> Fraction:
    """Return the chance that an Attack Die with this modifier shows 4 or more (Direct Fire 5)."""
    return dice.at_least(D6, SUCCESS - modifier)


@lru_cache(maxsize=4096)
def successes(attack_dice: int, modifier: int) -> Pmf:
    """Return the distribution of how many Attack Dice with this modifier show 4 or more (Direct Fire 5)."""
    p = p_success(modifier)
    shown = {
        s: math.comb(attack_dice, s) * p**s * (1 - p) ** (attack_dice - s) for s in range(attack_dice + 1)
    }  # the binomial formula: convolving die by die is ten times slower
    return {s: q for s, q in shown.items() if q}


def hits(rolled: int, defense: int, disintegration: int, reading: Reading = PLAIN) -> int:
    """Return the hits that `rolled` successes score (Attacks against Soldiers 6, Attacks against Vehicles 6) [F-2].

    Parameters
    ----------
    rolled : int
        Number of successes.
    defense, disintegration : int
        Defense and Disintegration; for a vehicle, armour and vital armour.
    reading : Reading
        The rule switch of F-2.
    """
    if rolled < defense:
        return 0
    if rolled == defense and (disintegration > defense or reading.dis_equals_def == "one_hit"):
        return 1
    return 2 if rolled < disintegration else 3


def lowered(kind: Kind, defense: int, disintegration: int, condition: int, reading: Reading = PLAIN) -> tuple[int, int]:
    """Return Defense and Disintegration, or armour and vital armour, under face-up counters [F-3, F-5].

    A Demoralized soldier has -1/-1, a Pinned vehicle -1/0, a Damaged vehicle -1/-1, whether Pinned or not (Effects of
    face-up counters). Those of aircraft stay as they are.

    Parameters
    ----------
    kind : str
        Kind of the target.
    defense, disintegration : int
        The printed values.
    condition : int
        Condition of the target.
    reading : Reading
        The rule switch of F-3.
    """
    worse = damaged(condition)
    if kind in AIRCRAFT or condition == GOOD_ORDER or (kind == "soldier" and not worse):
        return defense, disintegration
    if not worse:
        return max(defense - 1, reading.min_defense), disintegration
    return max(defense - worse, reading.min_defense), max(disintegration - worse, reading.min_defense)


def declared(armor: int, vital: int) -> tuple[int, int]:
    """Return armour and vital armour of an aircraft that declared a ground target: -1/-1, at least 1/1.

    Source: Aircraft Placement.
    """
    return max(armor - 1, 1), max(vital - 1, 1)


def damaged(condition: int) -> int:
    """Return how many Damaged (or Demoralized) counters a unit in this condition has."""
    return max(condition - PINNED, 0)


def die_modifier(kind: str, condition: int) -> int:
    """Return what an attacker's counters add to its dice (Effects of face-up counters on vehicles).

    A vehicle has -1 when Pinned, -1 for each Damaged counter, and no more when both. The counters of soldiers and
    aircraft don't affect their dice.
    """
    return -max(damaged(condition), int(condition == PINNED)) if kind == "vehicle" else 0


def p_cover(cover: int | None, modifier: int) -> Fraction:
    """Return the chance to pass a Cover Roll: a natural 1 fails, and a natural 6 may fail (Cover against Attacks 2)."""
    if cover is None:
        return Fraction(0)
    return dice.at_least(D6, max(cover - modifier, 2))


def cover_modifier(
    terrain: int,
    *,
    same_hex: bool = False,
    hit_the_dirt: bool = False,
    hull_down: bool = False,
    defensive_fire: bool = False,
) -> int:
    """Return the modifier of a Cover Roll apart from the attack's successes, which `crushing` returns.

    Sources: Cover against Attacks 4; Hit the Dirt; Hull Down.

    Parameters
    ----------
    terrain : int
        Modifier of the Terrain Effects Chart, which is missing in the rulebook's text.
    same_hex : bool
        Whether the attacker is in the target's hex.
    hit_the_dirt : bool
        Whether the target has a Hit the Dirt counter.
    hull_down : bool
        Whether the target is Hull Down and its front is attacked.
    defensive_fire : bool
        Whether the attack is Defensive Fire.
    """
    return terrain - same_hex + hit_the_dirt + hull_down - defensive_fire


def crushing(rolled: int, defense: int, disintegration: int) -> int:
    """Return the modifier of Crushing and Devastating Attacks, which add up (Cover against Attacks 4) [F-11].

    Parameters
    ----------
    rolled : int
        Number of successes of the attack.
    defense, disintegration : int
        Defense and Disintegration; for a vehicle, armour and vital armour.
    """
    return -int(rolled > defense) - int(rolled >= disintegration)


def crushing_in_words(target: Target) -> str:
    """Return in words what `crushing` returns against a target."""
    return f"more than {target.defense} successes -1, {target.disintegration} or more another -1"


def needs_cover_roll(scored: int, target: Target, reading: Reading = PLAIN) -> bool:
    """Return whether the target makes a Cover Roll (Cover against Attacks 1).

    It makes none for a miss, and none for a single hit if it has no other counter of this turn.

    Parameters
    ----------
    scored : int
        Number of hits of the attack.
    target : Target
        The target.
    reading : Reading
        The rule switch of F-7: whether a single hit is exempt.
    """
    exempt = scored == 1 and not target.face_down and reading.cover_one_hit_exempt
    return target.in_cover and scored > 0 and not exempt


def cover_step(target: Target, modifier: int, how: str, rule: str) -> Step:
    """Return the step that explains a Cover Roll.

    Parameters
    ----------
    target : Target
        The unit that makes it.
    modifier : int
        Modifier of the roll.
    how : str
        How the roll is made, and what happens if it is passed.
    rule : str
        Section of the rulebook.
    """
    if not target.in_cover:
        return Step("Cover Roll", "none: no cover hex", rule)
    if target.cover is None:
        return Step("Cover Roll", "fails always", rule)
    return Step("Cover Roll", f"{target.cover}+ at {modifier:+d}, {how}", rule)


@lru_cache(maxsize=65536)
def attack(attack_dice: int, modifier: int, target: Target, reading: Reading = PLAIN) -> Pmf:
    """Return the distribution of a ground unit's face-down counters after one attack.

    After a passed Cover Roll the unit gets a Pinned counter, or nothing if it has one already (Cover against Attacks
    3). Other sources: Attacks against Soldiers, Attacks against Vehicles.

    Parameters
    ----------
    attack_dice, modifier : int
        Number of Attack Dice, and what is added to each.
    target : Target
        The target.
    reading : Reading
        The rule switches for hits and cover.
    """
    had = target.face_down

    def struck(rolled: int) -> Pmf:
        scored = hits(rolled, target.defense, target.disintegration, reading)
        passed = Fraction(0)
        if needs_cover_roll(scored, target, reading):
            more = crushing(rolled, target.defense, target.disintegration)
            passed = p_cover(target.cover, target.cover_modifier + more)
        return dice.collected([(max(had, 1), passed), (min(had + scored, COUNTERS), 1 - passed)])

    return dice.mixture(successes(attack_dice, modifier), struck)


def indirect(
    attack_dice: int, modifier: int, target: Target, reading: Reading = PLAIN, steps: list[Step] | None = None
) -> Pmf:
    """Return the distribution of a unit's counters after indirect fire (Indirect Fire).

    The Cover Roll is made before the attack; if it is passed, there is no attack.

    Parameters
    ----------
    attack_dice, modifier : int
        Number of Attack Dice, and what is added to each.
    target : Target
        The target.
    reading : Reading
        The rule switch for hits.
    steps : list of Step, optional
        Takes a step for each decision.
    """
    if steps is not None:
        how = "before the attack; a natural 1 fails"
        steps.append(cover_step(target, target.cover_modifier, how, "Indirect Fire 2-3"))
    passed = p_cover(target.cover, target.cover_modifier) if target.in_cover else Fraction(0)
    struck = attack(attack_dice, modifier, target._replace(in_cover=False), reading)
    return dice.collected([(target.face_down, passed), *((had, (1 - passed) * p) for had, p in struck.items())])


@lru_cache(maxsize=4096)
def antiair(attack_dice: int, modifier: int, armor: int, vital: int, had: int = 0) -> Pmf:
    """Return the distribution of an aircraft's counters after one attack (Attacks against Aircraft) [F-14].

    One counter is Damaged, two are Destroyed: a second Damaged counter at any time in the game destroys it.

    Parameters
    ----------
    attack_dice, modifier : int
        Number of Attack Dice, and what is added to each.
    armor, vital : int
        Armour and vital armour of the aircraft.
    had : int
        Number of Damaged counters that it had before.
    """

    def counters(rolled: int) -> int:
        taken = AIRCRAFT_COUNTERS if rolled >= vital else int(rolled >= armor)
        return min(had + taken, AIRCRAFT_COUNTERS)

    return dice.transform(successes(attack_dice, modifier), counters)


def casualty(kind: Kind, condition: int, face_down: int, reading: Reading = PLAIN) -> int:
    """Return a unit's condition after the casualty phase (Sequence of Play, K. Casualty) [F-4, F-5].

    Face-up Pinned counters are removed. A Demoralized soldier becomes Pinned: no commander is beside him. Then the
    face-down counters of the turn are turned up. Damage to vehicles and aircraft stays.

    Parameters
    ----------
    kind : str
        Kind of the unit.
    condition : int
        Its condition before the phase.
    face_down : int
        Number of face-down counters that it got in this turn.
    reading : Reading
        The rule switches of F-4 and F-5.
    """
    if kind in AIRCRAFT:
        return DESTROYED if face_down + damaged(condition) >= AIRCRAFT_COUNTERS else max(condition, face_down * SHAKEN)
    if face_down >= COUNTERS:
        return DESTROYED
    if kind == "soldier":
        kept = PINNED if condition == SHAKEN else GOOD_ORDER
        return max(kept, face_down)
    if condition < SHAKEN:
        return face_down
    if face_down == SHAKEN and reading.second_damaged != "no_effect":
        return DESTROYED if reading.second_damaged == "destroyed" else min(condition + 1, DESTROYED - 1)
    return condition
