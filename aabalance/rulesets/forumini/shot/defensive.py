"""Defensive Fire: who may fire at a moving unit, and with which chance it stops it."""

from __future__ import annotations

from fractions import Fraction

from aabalance.rulesets.base import Step
from aabalance.rulesets.forumini.shot import rules
from aabalance.rulesets.forumini.shot.rules import PLAIN, Target
from aabalance.rulesets.forumini.shot.sheets import Offence
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
        """Return whether the target makes a Cover Roll after so many hits."""
        return rules.needs_cover_roll(scored, target, reading) or (always_cover and target.in_cover)

    if steps is not None:
        exempt = "" if covers(1) else "one hit needs none; "
        how = f"{rules.crushing_in_words(target)}; a natural 1 fails; {exempt}passed, the attack has no effect"
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


def may_fire(attacker: Offence, target_kind: str) -> bool:
    """Return whether a unit that hasn't hit the dirt may make Defensive Fire (Restrictions on Defensive Fire 2, 8).

    It isn't in Overwatch, and nobody is a motorcycle.

    Parameters
    ----------
    attacker : Offence
        The unit's half of the attack.
    target_kind : str
        Kind of the target.
    """
    if not {attacker.kind, target_kind} <= {"soldier", "vehicle"} or attacker.hull_down:
        return False
    if attacker.kind == "vehicle":  # one that is only Damaged may fire
        return target_kind == "vehicle" and attacker.condition != rules.PINNED
    return attacker.condition == rules.GOOD_ORDER
