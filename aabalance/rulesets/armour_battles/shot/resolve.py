"""What fire does, from the two halves of an attack and a range, with the steps that explain it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armour_battles.shot import pools
from aabalance.rulesets.armour_battles.shot.pools import D6, TARGET_NUMBER, Effect
from aabalance.rulesets.armour_battles.shot.sheets import DIRECT, INDIRECT, REACTION, Defence, Offence
from aabalance.rulesets.armour_battles.situation import Band
from aabalance.rulesets.armour_battles.variant import IndirectHit, Opposed, Variant
from aabalance.rulesets.base import Shot, Step

RESULTS = "Fire Combat Results"

DISPERSED_AT = 3
"""Number of disruption points that remove a unit (Dispersal)."""

LEAST_TARGET_NUMBER = 2
RANGE_MODIFIERS: dict[Band, int] = {"close": -1, "effective": 0, "long": +1}


def range_band(range_in: float, ranges_in: tuple[float, float, float]) -> Band | None:
    """Return the range band of a distance; None beyond long range. A distance on an edge is in the nearer band."""
    close, effective, long = ranges_in
    if range_in <= close:
        return "close"
    if range_in <= effective:
        return "effective"
    return "long" if range_in <= long else None


def fire_target_number(band: Band, flank: bool) -> int:
    """Return the roll that a die of direct fire needs (Direct Fire): 2 at least, and 6 at most [B-7]."""
    return min(D6, max(LEAST_TARGET_NUMBER, TARGET_NUMBER + RANGE_MODIFIERS[band] - flank))


def reaction_target_number(suppressed: bool) -> int:
    """Return the roll that a reaction die needs (Reaction Checks)."""
    return TARGET_NUMBER + suppressed


class Resolution(NamedTuple):
    """All that the odds of an attack depend on.

    Attributes
    ----------
    fire_dice, target_number : int
        Number of dice of the firer (0 if there can be no attack), and the roll that each needs.
    reaction_dice, reaction_target_number : int
        Number of the target's reaction dice, and the roll that each needs.
    indirect_hit : str or None
        What counts as a hit by indirect fire [B-3]; None for direct fire.
    """

    fire_dice: int = 0
    target_number: int = TARGET_NUMBER
    reaction_dice: int = 0
    reaction_target_number: int = TARGET_NUMBER
    indirect_hit: IndirectHit | None = None


NO_ATTACK = Resolution()


def band_of(offence: Offence, range_in: float) -> Band | None:
    """Return the range band of direct fire: the one that the situation names, else the one by the card's distances."""
    if offence.band is not None or offence.ranges_in is None:
        return offence.band
    return range_band(range_in, offence.ranges_in)


def resolve(
    offence: Offence, target: Defence, range_in: float, variant: Variant, steps: list[Step] | None = None
) -> Resolution:
    """Put the two halves of an attack together.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in inches.
    variant : Variant
        The rule switches.
    steps : list of Step, optional
        Takes a step for each decision.
    """
    steps = [] if steps is None else steps
    steps += (Step("weapon", offence.weapon, INDIRECT if offence.indirect else DIRECT), *offence.pool.steps)
    if target.off_table:
        steps.append(Step("no attack", "an off-table battery is no target", INDIRECT))
        return NO_ATTACK
    if not offence.pool.dice:
        why = ("no artillery dice", INDIRECT) if offence.indirect else ("no dice to fire with", DIRECT)
        steps.append(Step("no attack", *why))
        return NO_ATTACK
    if offence.indirect:
        target_number, reaction, indirect_hit = TARGET_NUMBER, target.indirect, variant.indirect_hit
        steps.append(Step("target number", f"{target_number}+", INDIRECT))
    else:
        band = band_of(offence, range_in)
        if band is None:
            steps.append(Step("no attack", f'{range_in:g}" is beyond long range', DIRECT))
            return NO_ATTACK
        target_number, reaction, indirect_hit = fire_target_number(band, offence.flank), target.direct, None
        basis = "given" if offence.band else f'{range_in:g}"'
        flank = ", from the flank or rear" if offence.flank else ""
        steps.append(Step("range", f"{band} ({basis}){flank}", DIRECT))
        steps.append(Step("target number", f"{target_number}+", f"{DIRECT} [B-7]"))
    reacts_on = reaction_target_number(target.suppressed)
    because = " because it is suppressed" if target.suppressed else ""
    steps += (*reaction.steps, Step("reaction target number", f"{reacts_on}+{because}", REACTION))
    return Resolution(offence.pool.dice, target_number, reaction.dice, reacts_on, indirect_hit)


def fired(resolution: Resolution, opposed: Opposed) -> Mapping[Effect, Fraction]:
    """Return the chances of what a resolved attack does to its target; see `pools.fire`."""
    needs = resolution.fire_dice, resolution.target_number, resolution.reaction_dice, resolution.reaction_target_number
    return pools.fire(*needs, opposed, resolution.indirect_hit)


def points_taken(fired: Mapping[Effect, Fraction]) -> Pmf:
    """Return the distribution of the disruption points of fire, whether it suppresses or not."""
    return dice.transform(fired, lambda effect: effect.points)


@lru_cache(maxsize=65536)
def disruption_of(resolution: Resolution, opposed: Opposed) -> tuple[Pmf, float]:
    """Return the distribution of the disruption points of a resolved attack, and its mean."""
    disruption = points_taken(fired(resolution, opposed))
    return disruption, float(dice.mean(disruption))


def forced_back(suppressed: bool, effect: Effect) -> bool:
    """Return whether fire forces its target back; `suppressed` says whether it was before the fire (Forced Back)."""
    return (suppressed or effect.suppresses) and 1 <= effect.points < DISPERSED_AT


def shot(offence: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack with its explanation.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in inches.
    variant : Variant
        The rule switches.
    weapon : str or None
        Name of the gun; a unit has a single one.

    Raises
    ------
    UsageError
        The unit has no such weapon.
    """
    if weapon is not None and weapon != offence.weapon:
        raise UsageError(f"weapon: {one_of(weapon, [offence.weapon])}")
    steps: list[Step] = []
    resolution = resolve(offence, target, range_in, variant, steps)
    if resolution.fire_dice:
        steps += _results(resolution, target.suppressed, variant.opposed)
    disruption, _ = disruption_of(resolution, variant.opposed)
    return shot_of(offence, resolution, disruption, tuple(steps))


def shot_of(offence: Offence, resolution: Resolution, disruption: Pmf, steps: tuple[Step, ...] = ()) -> Shot:
    """Return a resolved attack as a `Shot`.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    resolution : Resolution
        From `resolve`.
    disruption : Pmf
        Disruption points that the target takes.
    steps : tuple of Step
        From `resolve`; empty in tables.
    """
    need = resolution.target_number if resolution.fire_dice else None
    return Shot(offence.weapon, resolution.fire_dice, {"need": need}, disruption, steps)


def _results(resolution: Resolution, suppressed: bool, opposed: Opposed) -> tuple[Step, ...]:
    """Return a step for each result of an attack: what it needs, and its chance (Fire Combat Results)."""
    effects = fired(resolution, opposed)
    suppresses = sum(p for effect, p in effects.items() if effect.suppresses)
    back = sum(p for effect, p in effects.items() if forced_back(suppressed, effect))
    dispersed = sum(p for effect, p in effects.items() if effect.points >= DISPERSED_AT)
    disruption = "successes less reactions" if opposed == "net" else "successes"
    six, point = "more 6s than the target", "[B-2]"
    if resolution.indirect_hit is not None:
        six, point = "hit, and the target's 6s are no more than the firer's", f"[B-3: {resolution.indirect_hit}]"
    return (
        Step("disruption points", disruption, f"{RESULTS}: Disruption Points [B-1: {opposed}]"),
        Step("suppressed by it", f"{six}: {_percent(suppresses)}", f"{RESULTS}: Suppression {point}"),
        Step("forced back", f"suppressed, 1 or 2 points: {_percent(back)}", f"{RESULTS}: Forced Back [B-13]"),
        Step("dispersed", f"3 points or more at once: {_percent(dispersed)}", f"{RESULTS}: Dispersal [B-6]"),
    )


def _percent(p: Fraction | int) -> str:
    return f"{math.floor(1000 * p + Fraction(1, 2)) / 10:.1f} %"
