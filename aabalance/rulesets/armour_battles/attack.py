"""From two cards and a situation to one attack: put the two halves together, resolve them, explain the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles import combat, pools
from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.combat import Modifier
from aabalance.rulesets.armour_battles.pools import Effect
from aabalance.rulesets.armour_battles.situation import Band, Moment
from aabalance.rulesets.armour_battles.variant import IndirectHit, Opposed, Variant
from aabalance.rulesets.base import Shot, Step, Survey

DIRECT = "Fire Combat: Direct Fire"
INDIRECT = "Fire Combat: Indirect Fire"
REACTION = "Fire Combat: Reaction Checks"
RESULTS = "Fire Combat Results"


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of a roll, and where they come from."""

    dice: int
    steps: tuple[Step, ...] = field(default=(), compare=False)


NO_POOL = Pool(0)


@dataclass(frozen=True, slots=True)
class Offence:
    """What the attacker brings.

    Attributes
    ----------
    weapon : str
    pool : Pool
        AT dice, or artillery dice for indirect fire.
    indirect, flank : bool
    band : str or None
        Range band that the situation names.
    ranges_in : tuple of float or None
        Where the bands end.
    """

    weapon: str
    pool: Pool
    indirect: bool
    flank: bool
    band: Band | None
    ranges_in: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Defence:
    """What the target shows.

    Attributes
    ----------
    direct, indirect : Pool
        Reaction dice against either kind of fire.
    suppressed : bool
        Before the attack.
    off_table : bool
        Nobody can fire at it.
    """

    direct: Pool
    indirect: Pool
    suppressed: bool
    off_table: bool


def _pool(label: str, number: int, rule: str, modifiers: Sequence[Modifier]) -> Pool:
    steps = [Step(label, f"{number}D", rule), *(Step(m.label, f"{m.dice:+d}D", m.rule) for m in modifiers)]
    return Pool(combat.pool(number, modifiers), tuple(steps))


def offence(card: Card, moment: Moment) -> Offence:
    """Return the attacker's half: its dice, and what its target number will depend on."""
    indirect = moment.indirect or (card.artillery_dice > 0 and card.at_dice == 0)
    wild = combat.wild_dice_modifier(moment.wild_dice)
    if indirect:
        # Range, flank, ambush and moves stand under Direct Fire alone.
        thrown = _pool("artillery dice", card.artillery_dice, INDIRECT, wild if card.artillery_dice else ())
        return Offence(card.weapon, thrown, indirect, False, None, None)
    modifiers = combat.fire_modifiers(moment.ambush, moment.moves) + wild if card.at_dice else ()
    thrown = _pool("AT dice", card.at_dice, DIRECT, modifiers)
    return Offence(card.weapon, thrown, indirect, moment.flank, moment.range_band, card.ranges_in)


def defence(card: Card, moment: Moment) -> Defence:
    """Return the target's half: its reaction dice against either kind of fire."""
    wild = combat.wild_dice_modifier(moment.target_wild_dice)

    def reaction(number: int, open_topped: bool) -> Pool:
        found = combat.reaction_modifiers(
            moment.light_cover, moment.uphill, moment.evasion, open_topped_to_indirect=open_topped
        )
        return _pool("reaction dice", number, REACTION, found + wild)

    given = card.reaction_dice_indirect
    return Defence(
        reaction(card.reaction_dice, open_topped=False),
        reaction(card.reaction_dice if given is None else given, open_topped=card.open_topped),
        moment.target_suppressed,
        card.class_ == "battery",
    )


def shown(target: Defence, indirect: bool) -> Defence:
    """Return a defence without the reaction dice that the other kind of fire would meet."""
    return replace(target, direct=NO_POOL) if indirect else replace(target, indirect=NO_POOL)


class Resolution(NamedTuple):
    """An attack on a target at a range, in the numbers that its odds depend on.

    Attributes
    ----------
    no_attack : (str, str) or None
        Why the attack can't be made, and the rule.
    number, target_number : int
        Dice of the firer, and what each has to show.
    reaction_dice : int
    indirect_hit : str or None
        B-3; none for direct fire.
    """

    no_attack: tuple[str, str] | None
    number: int = 0
    target_number: int = pools.TARGET_NUMBER
    reaction_dice: int = 0
    indirect_hit: IndirectHit | None = None


def band_of(attack: Offence, range_in: float) -> Band | None:
    """Return the range band of direct fire: the one the situation names, or by the card's distances."""
    if attack.band is not None or attack.ranges_in is None:
        return attack.band
    return combat.range_band(range_in, attack.ranges_in)


def resolve(attack: Offence, target: Defence, range_in: float, variant: Variant) -> Resolution:
    """Put the two halves of an attack together."""
    if target.off_table:
        return Resolution(("an off-table battery is no target", INDIRECT))
    if not attack.pool.dice:
        return Resolution(("no artillery dice", INDIRECT) if attack.indirect else ("no dice to fire with", DIRECT))
    if attack.indirect:
        number = target.indirect.dice
        return Resolution(None, attack.pool.dice, pools.TARGET_NUMBER, number, variant.indirect_hit)
    band = band_of(attack, range_in)
    if band is None:
        return Resolution((f'{range_in:g}" is beyond long range', DIRECT))
    target_number = combat.fire_target_number(band, attack.flank)
    return Resolution(None, attack.pool.dice, target_number, target.direct.dice)


@lru_cache(maxsize=65536)
def points(found: Resolution, suppressed: bool, opposed: Opposed) -> tuple[Pmf, float]:
    """Return the disruption points of a resolved attack on a fresh or suppressed unit, and their mean."""
    taken = combat.points_taken(_fired(found, suppressed, opposed))
    return taken, float(dice.mean(taken))


def _fired(found: Resolution, suppressed: bool, opposed: Opposed) -> Mapping[Effect, Fraction]:
    number = combat.reaction_target_number(suppressed)
    return pools.fire(found.number, found.target_number, found.reaction_dice, number, opposed, found.indirect_hit)


def survey(attack: Offence, target: Defence, range_in: float, variant: Variant) -> Survey:
    """Return a unit's pulses in a duel, its attack, and what one pulse of fire does."""
    found = resolve(attack, target, range_in, variant)
    pulses = combat.blows(
        found.number,
        found.target_number,
        found.reaction_dice,
        variant.opposed,
        variant.suppression_clears,
        found.indirect_hit,
    )
    taken, expected = points(found, target.suppressed, variant.opposed)
    beyond = found.no_attack is not None and resolve(attack, target, 0, variant).no_attack is None
    return Survey(pulses, _shot(attack, found, taken), expected, beyond)


def shot(attack: Offence, target: Defence, range_in: float, variant: Variant) -> Shot:
    """Return one attack, explained."""
    found = resolve(attack, target, range_in, variant)
    taken, _ = points(found, target.suppressed, variant.opposed)
    return _shot(attack, found, taken)._replace(steps=_explain(attack, target, range_in, found, variant))


def _shot(attack: Offence, found: Resolution, taken: Pmf) -> Shot:
    need = None if found.no_attack else found.target_number
    return Shot(attack.weapon, found.number, {"need": need}, taken, ())


def _explain(
    attack: Offence, target: Defence, range_in: float, found: Resolution, variant: Variant
) -> tuple[Step, ...]:
    steps = [Step("weapon", attack.weapon, INDIRECT if attack.indirect else DIRECT), *attack.pool.steps]
    if found.no_attack:
        return (*steps, Step("no attack", *found.no_attack))
    if attack.indirect:
        steps.append(Step("target number", f"{found.target_number}+", INDIRECT))
        reaction = target.indirect
    else:
        band = band_of(attack, range_in)
        given = "given" if attack.band else f'{range_in:g}"'
        flank = ", from the flank or rear" if attack.flank else ""
        steps.append(Step("range", f"{band} ({given}){flank}", DIRECT))
        steps.append(Step("target number", f"{found.target_number}+", f"{DIRECT} [B-7]"))
        reaction = target.direct
    number = combat.reaction_target_number(target.suppressed)
    why = " because it is suppressed" if target.suppressed else ""
    steps += [*reaction.steps, Step("reaction target number", f"{number}+{why}", REACTION)]
    fired = _fired(found, target.suppressed, variant.opposed)
    suppresses = sum(p for effect, p in fired.items() if effect.suppresses)
    back = sum(p for effect, p in fired.items() if combat.forced_back(target.suppressed, effect))
    dispersed = sum(p for effect, p in fired.items() if effect.points >= combat.DISPERSED_AT)
    taken = "successes less reactions" if variant.opposed == "net" else "successes"
    six = "hit, and the target's 6s are no more than the firer's" if attack.indirect else "more 6s than the target"
    point = f"[B-3: {variant.indirect_hit}]" if attack.indirect else "[B-2]"
    return (
        *steps,
        Step("disruption points", taken, f"{RESULTS}: Disruption Points [B-1: {variant.opposed}]"),
        Step("suppressed by it", f"{six}: {_percent(suppresses)}", f"{RESULTS}: Suppression {point}"),
        Step("forced back", f"suppressed, 1 or 2 points: {_percent(back)}", f"{RESULTS}: Forced Back [B-13]"),
        Step("dispersed", f"3 points or more at once: {_percent(dispersed)}", f"{RESULTS}: Dispersal [B-6]"),
    )


def _percent(p: Fraction | int) -> str:
    return f"{float(p):.1%}"
