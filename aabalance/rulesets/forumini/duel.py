"""A duel: what a turn of direct fire and the casualty phase after it do, by the conditions of both units."""

from __future__ import annotations

from functools import lru_cache

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.base import Blows, Survey
from aabalance.rulesets.forumini.shot import rules, sheets
from aabalance.rulesets.forumini.shot.resolve import Encounter, counters, counters_added, meet, shot_of
from aabalance.rulesets.forumini.shot.rules import DESTROYED
from aabalance.rulesets.forumini.shot.sheets import DIRECT, Defence, Offence
from aabalance.rulesets.forumini.variant import Variant


@lru_cache(maxsize=65536)
def blows(encounter: Encounter) -> Blows:
    """Return what a unit's turn does to its enemy, casualty phase included (Sequence of Play, F and K).

    All fire of a turn is simultaneous, and counters take effect in the next turn. So a unit's own condition is changed
    only by the enemy's blow.
    """
    last = DESTROYED - 1 if encounter.reading.second_damaged == "cumulative" else rules.SHAKEN

    def blow(own: int, condition: int) -> Pmf:
        after = counters(encounter, own, condition, encounter.attacks)
        return dice.transform(
            after, lambda counter: rules.casualty(encounter.kind, condition, counter, encounter.reading)
        )

    rows = [tuple(blow(own, min(condition, last)) for condition in range(DESTROYED)) for own in range(last + 1)]
    return Blows(tuple(rows[min(own, last)] for own in range(DESTROYED)), tuple(range(DESTROYED)))


def survey(attacker: Offence, target: Defence, range_in: float, variant: Variant) -> Survey[Blows]:
    """Return what a unit's direct fire does to a target at a distance: its blows, and its single attack.

    Parameters
    ----------
    attacker : Offence
        The attacker's half of the attack.
    target : Defence
        The target's half of the attack.
    range_in : float
        Distance in hexes.
    variant : Variant
        The rule switches.
    """

    def with_dice(number: int) -> Survey[Blows]:
        encounter = meet(attacker, target, number, range_in, variant)
        return fire(encounter, attacker.condition, target.condition)

    number = sheets.attack_dice(attacker, target.kind, range_in)
    own_fire = with_dice(number)
    if number:
        return own_fire
    return own_fire._replace(out_of_reach=with_dice(sheets.most_dice(attacker, target.kind)).per_action > 0)


@lru_cache(maxsize=65536)
def fire(encounter: Encounter, own: int, condition: int) -> Survey[Blows]:
    """Return what direct fire does: its blows, and a single attack under the given conditions of both units.

    Parameters
    ----------
    encounter : Encounter
        From `meet`.
    own, condition : int
        Conditions of the attacker and of the target.
    """
    single, phase = (
        counters_added(encounter, condition, counters(encounter, own, condition, attacks))
        for attacks in (1, encounter.attacks)
    )
    return Survey(blows(encounter), shot_of(DIRECT, encounter, own, condition, single), float(dice.mean(phase)))
