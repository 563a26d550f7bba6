"""From the two halves of an attack and a distance to its effect."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance.shot import damage, needs
from aabalance.rulesets.armored_advance.shot.needs import Roll
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Dice

NOTHING = dice.constant(0)
NO_DICE = Dice(0, Fraction(0), Fraction(0), (0,) * needs.D6)


class Resolution(NamedTuple):
    """An attack on a target at a range.

    Attributes
    ----------
    obstacle : (str, str) or None
        Why the attack can't have an effect whatever is rolled, and the rule; None if it can be rolled for.
    band, margin, pen_need : int or None
        Range band; penetration less armour; natural roll needed to penetrate. None where they play no part.
    penetration, armor : int
        After walls, range and sandbags.
    roll : Roll or None
        None for an attack that rolls no hit die (AI).
    dice : Dice
    effect : Pmf
        What the whole attack takes from the target, in hit points or men.
    expected : float
        Its mean.
    rollable : bool
        `dice` say all of `effect`, so that it can be simulated.
    """

    obstacle: tuple[str, str] | None
    band: int | None = None
    penetration: int = 0
    armor: int = 0
    margin: int | None = None
    pen_need: int | None = None
    bonus: int = 0
    roll: Roll | None = None
    dice: Dice = NO_DICE
    effect: Pmf = NOTHING
    expected: float = 0.0
    rollable: bool = True


def sum_of(sequences: int, first: Fraction, second: Fraction, effects: tuple[int, ...]) -> tuple[Pmf, float, Dice]:
    """Return the summed effect of independent dice sequences (p. 13 Autocannon), its mean, and the dice."""
    return _summed(sequences, first.numerator, first.denominator, second.numerator, second.denominator, effects)


@lru_cache(maxsize=65536)
def _summed(sequences: int, a: int, b: int, c: int, d: int, effects: tuple[int, ...]) -> tuple[Pmf, float, Dice]:
    # Numerators and denominators, because hashing a Fraction costs as much as the rest of an attack.
    first, second = Fraction(a, b), Fraction(c, d)
    faces = dice.transform(dice.die(len(effects)), lambda face: effects[face - 1])
    effect = dice.pool([dice.bernoulli(first * second, faces)] * sequences)
    return effect, float(dice.mean(effect)), Dice(sequences, first, second, effects)


WHO = {"at": "vehicles and field guns", "he": "vehicles and field guns", "ai": "infantry"}
WRONG_TARGET = {
    kind: Resolution((f"{kind.upper()} weapons attack {who} only", "p. 10 Anti-Infantry Attacks"))
    for kind, who in (*WHO.items(), ("indirect", WHO["he"]))
}
UNSEEN = Resolution(("hidden behind a wall, and not scouted", "p. 21 Walls [AA-19]"))
IN_COVER_RANGE = Resolution(("covered from indirect fire by terrain", "p. 15 Indirect [AA-65]"))


def resolve(attack: Attack, target: Defence, range_in: float, variant: Variant) -> Resolution:
    """Resolve one attack (p. 5-10, p. 15, p. 18).

    Parameters
    ----------
    range_in : float
        Inches.

    """
    if (attack.kind == "ai") != (target.target == "infantry"):
        return WRONG_TARGET[attack.kind]
    if target.immune is not None:
        return Resolution(target.immune)
    if target.unseen and not attack.thrown and attack.kind != "indirect":
        return UNSEEN
    if attack.reach is not None and range_in > attack.reach:
        return Resolution((f'out of reach: {attack.reach:g}" at most', "p. 15 Limited Range [AA-33]"))
    if attack.kind == "ai":
        return _casualties(attack, target, variant)
    factor = attack.soft_factor if target.target == "field_gun" else dice.ONE
    if attack.kind == "indirect":
        return _indirect(attack, target, range_in, factor, variant)
    band = needs.range_band(range_in + target.extra_range_in, variant.range_boundary)
    if attack.kind == "he":
        roll, bonus = _he_roll(attack, target, band, target.increase + target.foliage, variant)
        by_face = damage.he_damage(attack.base, he_n(attack, variant), target.side_armor, factor)
        effect, expected, thrown = sum_of(attack.attempts, roll.p_need, roll.p_pen_need, by_face)
        return Resolution(None, band, bonus=bonus, roll=roll, dice=thrown, effect=effect, expected=expected)
    penetration = attack.penetration
    if variant.penetration_falloff and attack.by_band is not None:
        penetration = attack.by_band[band - 1]
    penetration -= 2 * attack.walls if variant.wall_rule != "armor_plus_1" else 0
    armor = target.armor + (attack.walls if variant.wall_rule != "pen_minus_2" else 0)
    margin = penetration - armor
    pen_need = needs.penetration_need(margin, target.weak_spot)
    advantage = not moved_before(attack, variant)
    roll = needs.roll(band, target.increase + target.foliage, pen_need, attack.bonus, advantage, variant.reading)
    taken = attack.damage if factor == 1 else -int(-attack.damage * factor // 1)
    effect, expected, thrown = sum_of(attack.attempts, roll.p_need, roll.p_pen_need, (taken,) * needs.D6)
    return Resolution(None, band, penetration, armor, margin, pen_need, attack.bonus, roll, thrown, effect, expected)


def moved_before(attack: Attack, variant: Variant) -> bool:
    """Return whether the attacker moved before firing, as far as that costs the advantage (p. 8; AA-12)."""
    return not attack.advantage or (attack.shifted and variant.free_move_breaks_advantage)


def _casualties(attack: Attack, target: Defence, variant: Variant) -> Resolution:
    men = damage.casualties(
        attack.ai,
        target.strength,
        kills=attack.kills if variant.mg_on_grenades or not attack.thrown else 0,
        halved=target.halved,
        kills_after_clamp=variant.mg_after_clamp,
    )
    if variant.autocannon_ai_rolls == "X" and attack.bursts > 1:
        return _bursts(attack, target)
    effect, expected, thrown = sum_of(1, dice.ONE, dice.ONE, men)
    return Resolution(None, dice=thrown, effect=effect, expected=expected)


def _bursts(attack: Attack, target: Defence) -> Resolution:
    """Resolve an AI code rolled X times: the total is halved by sandbags, and never more than the squad (AA-34)."""
    each = damage.casualties(attack.ai, attack.bursts * needs.D6)
    total, _, thrown = sum_of(attack.bursts, dice.ONE, dice.ONE, each)
    effect = dice.transform(total, lambda men: min(target.strength, men // 2 if target.halved else men))
    # Halves of a sum are no sum of halves: then no dice of the kernel's stand for it.
    expected = float(dice.mean(effect))
    return Resolution(None, dice=thrown, effect=effect, expected=expected, rollable=not target.halved)


def _he_roll(attack: Attack, target: Defence, band: int, increase: int, variant: Variant) -> tuple[Roll, int]:
    """Return the hit roll of high explosive, and what is added to it (p. 10 Large Caliber Artillery; AA-24)."""
    stationary, moved = needs.HE_MODIFIERS[target.weight]
    if variant.he_moved == "any":
        has_moved = target.moves > 0 or target.moved_in > 0
    else:
        has_moved = target.moves >= needs.BOTH_MOVES
    bonus = attack.bonus + (moved if has_moved else stationary)
    advantage = variant.he_advantage and not moved_before(attack, variant)
    return needs.roll(band, increase, needs.SURE, bonus, advantage, variant.reading), bonus


def he_n(attack: Attack, variant: Variant) -> int:
    """Return how much each pip takes off the damage of high explosive (p. 10 Large Caliber Artillery; AA-25)."""
    return attack.n if variant.he_n == "card" else variant.he_n


def _indirect(attack: Attack, target: Defence, range_in: float, factor: Fraction, variant: Variant) -> Resolution:
    """Resolve indirect fire: no roll to hit, over obstructions, by how far the target moved (p. 15; AA-29 to 32)."""
    if target.in_cover_range:
        return IN_COVER_RANGE
    share = damage.indirect_share(target.moved_in, variant.indirect_gap)
    if not share:
        return Resolution((f'moved {target.moved_in:g}" in its last turn', "p. 15 Indirect [AA-30]"))
    full = damage.he_damage(attack.base, he_n(attack, variant), target.side_armor, factor)
    by_face = damage.indirect_damage(full, share, variant.indirect_rounding)
    if not variant.indirect_requires_hit:
        effect, expected, thrown = sum_of(attack.attempts, dice.ONE, dice.ONE, by_face)
        return Resolution(None, dice=thrown, effect=effect, expected=expected)
    band = needs.range_band(range_in, variant.range_boundary)
    roll, bonus = _he_roll(attack, target, band, target.increase, variant)
    effect, expected, thrown = sum_of(attack.attempts, roll.p_need, roll.p_pen_need, by_face)
    return Resolution(None, band, bonus=bonus, roll=roll, dice=thrown, effect=effect, expected=expected)
