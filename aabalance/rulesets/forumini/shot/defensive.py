"""Defensive Fire: who may fire at a moving unit, and with which chance it stops it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from aabalance.rulesets.base import Step
from aabalance.rulesets.forumini.shot import rules
from aabalance.rulesets.forumini.shot.rules import PLAIN, Target
from aabalance.rulesets.forumini.variant import Reading


def defensive_fire(
    attack_dice: int,
    modifier: int,
    target: Target,
    reading: Reading = PLAIN,
    *,
    always_cover: bool = False,
    steps: list[Step] | None = None,
) -> Fraction:
    """Return the chance that a Defensive Fire attack stops and pins a unit (Defensive Fire; Restrictions 4-5) [F-9].

    Any number of hits leaves Pinned. A passed Cover Roll, at -1, cancels the attack.

    Parameters
    ----------
    attack_dice, modifier : int
        Number of Attack Dice, and what is added to each.
    target : Target
        The unit that moves.
    reading : Reading
        The rule switches for hits and cover.
    always_cover : bool
        Whether a single hit needs a Cover Roll too. If not, it needs none, as in any other attack.
    steps : list of Step, optional
        Takes a step for each decision.
    """
    cover_modifier = rules.cover_modifier(target.cover_modifier, defensive_fire=True)

    def covers(scored: int) -> bool:
        return rules.needs_cover_roll(scored, target, reading) or (always_cover and target.in_cover)

    if steps is not None:
        exempt = "" if covers(1) else "one hit needs none; "
        how = f"crushing -1, devastating -2; a natural 1 fails; {exempt}passed, the attack has no effect"
        steps.append(rules.cover_step(target, cover_modifier, how, "Restrictions on Defensive Fire 5 [F-9]"))
    chance = Fraction(0)
    for rolled, p in rules.successes(attack_dice, modifier).items():
        scored = rules.hits(rolled, target.defense, target.disintegration, reading)
        passed = Fraction(0)
        if covers(scored):
            more = rules.crushing(rolled, target.defense, target.disintegration)
            passed = rules.p_cover(target.cover, cover_modifier + more)
        if scored:
            chance += p * (1 - passed)
    return chance


class Firer(NamedTuple):
    """A unit that could make a Defensive Fire attack.

    Attributes
    ----------
    kind : str
        ``soldier``, ``vehicle``, ``fighter`` or ``bomber``.
    pinned, demoralized : bool
        Whether it has such a counter; a vehicle that is only Damaged may fire.
    attacks_made : int
        Number of Defensive Fire attacks that it has made in this phase.
    hit_the_dirt, hull_down : bool
        Whether it has such a counter.
    """

    kind: str
    pinned: bool = False
    demoralized: bool = False
    attacks_made: int = 0
    hit_the_dirt: bool = False
    hull_down: bool = False


def may_fire(firer: Firer, target_kind: str, *, in_own_hex: bool = False) -> bool:
    """Return whether a unit may make a Defensive Fire attack (Restrictions on Defensive Fire 1, 2, 8).

    It isn't in Overwatch, and nobody is a motorcycle.

    Parameters
    ----------
    firer : Firer
        The unit.
    target_kind : str
        Kind of the target, as for the firer.
    in_own_hex : bool
        Whether the target enters or leaves the firer's hex.
    """
    ground = {firer.kind, target_kind} <= {"soldier", "vehicle"}
    if not ground or firer.attacks_made or firer.pinned or firer.demoralized:
        return False
    if firer.kind == "vehicle" and target_kind == "soldier":
        return False
    return not (firer.hull_down or (firer.hit_the_dirt and not in_own_hex))
