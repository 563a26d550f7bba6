"""A unit's direct fire at a target under every condition of the two: shots, turns of a duel."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.base import Blows, Shot, Step, Survey
from aabalance.rulesets.forumini import rules
from aabalance.rulesets.forumini.rules import AIRCRAFT, DESTROYED, GOOD_ORDER, Kind, Target
from aabalance.rulesets.forumini.sheets import DIRECT, Defence, Offence, shown
from aabalance.rulesets.forumini.variant import Reading, Variant


class Fight(NamedTuple):
    """All that decides what a unit's attacks do to a target, whatever counters lie on the two; small and hashable.

    Attributes
    ----------
    weakens : bool
        Counters take from the attacker's dice.
    attack_dice, modifier, attacks : int
        Of each attack, of each die, in a phase.
    kind : Kind
        Of the target; any aircraft is a fighter here.
    printed : Target
        What the target shows in good order.
    dirt, own_dirt : bool
        The target, the attacker has a Hit the Dirt counter as long as it is in good order.
    """

    weakens: bool
    attack_dice: int
    modifier: int
    attacks: int
    kind: Kind
    printed: Target
    dirt: bool
    own_dirt: bool
    reading: Reading


def meet(attacker: Offence, target: Defence, attack_dice: int, range_in: float, variant: Variant) -> Fight:
    """Return what an attacker with so many dice and a target make of each other; what has no bearing is left out."""
    target = shown(target, attacker.flies)
    printed = Target(target.first, target.second, face_down=target.face_down)
    modifier, dirt = attacker.modifier, False
    if target.in_cover:
        dirt = target.hit_the_dirt
        modifier -= variant.aircraft_cover_penalty if attacker.flies else 0
        more = rules.cover_modifier(target.terrain, same_hex=range_in == 0, hull_down=target.hull_down)
        printed = printed._replace(in_cover=True, cover=target.cover, cover_modifier=more)
    kind: Kind = "fighter" if target.kind in AIRCRAFT else target.kind
    if not attack_dice:
        return Fight(False, 0, 0, 1, kind, printed, dirt, False, variant.reading)
    weakens = attacker.kind == "vehicle"
    own_dirt = attacker.hit_the_dirt
    return Fight(weakens, attack_dice, modifier, attacker.attacks, kind, printed, dirt, own_dirt, variant.reading)


def attack_dice(fight: Fight, own: int) -> int:
    """Return the Attack Dice of an attacker in condition `own`: in good order none out of the dirt (Hit the Dirt)."""
    return 0 if fight.own_dirt and own == GOOD_ORDER else fight.attack_dice


def modifier(fight: Fight, own: int) -> int:
    """Return what is added to each die of an attacker in condition `own`."""
    return fight.modifier + (rules.die_modifier("vehicle", own) if fight.weakens else 0)


def met(fight: Fight, condition: int) -> Target:
    """Return what an attack meets, of a target in this condition."""
    printed = fight.printed
    first, second = rules.lowered(fight.kind, printed.defense, printed.disintegration, condition, fight.reading)
    dirt = fight.dirt and condition == GOOD_ORDER
    more = rules.cover_modifier(printed.cover_modifier, hit_the_dirt=dirt)
    return printed._replace(defense=first, disintegration=second, cover_modifier=more)


@lru_cache(maxsize=65536)
def counters(fight: Fight, own: int, condition: int, attacks: int) -> Pmf:
    """Return the target's face-down counters after so many attacks, by both conditions."""
    target, added, number = met(fight, condition), modifier(fight, own), attack_dice(fight, own)
    if not number:  # no successes would equal a Defense of 0 [F-3]
        return dice.constant(target.face_down)

    def struck(had: int) -> Pmf:
        if fight.kind in AIRCRAFT:
            before = had + rules.damaged(condition)
            after = rules.antiair(number, added, target.defense, target.disintegration, before)
            return dice.transform(after, lambda total: max(total - rules.damaged(condition), had))
        return rules.attack(number, added, target._replace(face_down=had), fight.reading)

    return dice.sequence(target.face_down, [struck] * attacks)


def left(fight: Fight, condition: int) -> int:
    """Return how many counters more destroy a target in this condition, by the casualty phase of the turn."""
    destroying = (
        counters
        for counters in range(1, rules.toughness(fight.kind) + 1)
        if rules.casualty(fight.kind, condition, counters, fight.reading) == DESTROYED
    )
    return next(destroying) - fight.printed.face_down


def effect(fight: Fight, condition: int, after: Pmf) -> Pmf:
    """Return the counters that an attack adds to its target's, no more than destroy it."""
    most = left(fight, condition)
    return dice.transform(after, lambda counters: min(counters - fight.printed.face_down, most))


@lru_cache(maxsize=65536)
def blows(fight: Fight) -> Blows:
    """Return what a unit's turn does to its enemy, casualty phase included (Sequence of Play, F and K).

    A turn's fire is simultaneous and counters count from the next turn on, so a unit's own condition changes by the
    enemy's blow alone.
    """
    last = DESTROYED - 1 if fight.reading.second_damaged == "cumulative" else rules.SHAKEN

    def blow(own: int, condition: int) -> Pmf:
        after = counters(fight, own, condition, fight.attacks)
        return dice.transform(after, lambda counter: rules.casualty(fight.kind, condition, counter, fight.reading))

    rows = [tuple(blow(own, min(condition, last)) for condition in range(DESTROYED)) for own in range(last + 1)]
    return Blows(tuple(rows[min(own, last)] for own in range(DESTROYED)), tuple(range(DESTROYED)))


@lru_cache(maxsize=65536)
def survey(fight: Fight, own: int, condition: int) -> Survey:
    """Return what direct fire does: turn by turn from good order on, and at once from these conditions."""
    single = effect(fight, condition, counters(fight, own, condition, 1))
    phase = single if fight.attacks == 1 else effect(fight, condition, counters(fight, own, condition, fight.attacks))
    return Survey(blows(fight), shot_of(DIRECT, fight, own, condition, single), float(dice.mean(phase)))


def shot_of(weapon: str, fight: Fight, own: int, condition: int, taken: Pmf, steps: tuple[Step, ...] = ()) -> Shot:
    """Return a resolved attack."""
    number = attack_dice(fight, own)
    need = max(rules.SUCCESS - modifier(fight, own), 1)
    needs = {"need": need if need <= rules.D6 else None} if number else {}
    return Shot(weapon, number, needs, taken, steps, p_kill=dice.chance_of_at_least(taken, left(fight, condition)))
