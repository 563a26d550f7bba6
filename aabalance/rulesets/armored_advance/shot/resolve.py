"""From the two halves of an attack and a distance to its effect, with each step as it is decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance.shot import tables
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence
from aabalance.rulesets.armored_advance.shot.tables import Roll
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Dice, Step

NOTHING = dice.constant(0)
NO_DICE = Dice(0, Fraction(0), Fraction(0), (0,) * tables.D6)


@dataclass(frozen=True, slots=True, eq=False)
class Resolution:
    """The result of an attack on a target at a distance.

    Results are told apart by identity, which is quick: `resolve` gives the same object again for an equal one.

    Attributes
    ----------
    obstacle : (str, str) or None
        Why the attack can't have an effect whatever is rolled, and the rule; None if it can have one.
    roll : Roll or None
        What each dice sequence needs; None for an attack without a hit die, at infantry or by indirect fire.
    dice : Dice
        The dice that are rolled.
    effect : Pmf
        Hit points or men that the whole attack takes from the target.
    expected : float
        Mean of `effect`.
    rollable : bool
        `dice` give exactly `effect`, so that the attack can be simulated.
    """

    obstacle: tuple[str, str] | None
    roll: Roll | None = None
    dice: Dice = NO_DICE
    effect: Pmf = field(default_factory=lambda: NOTHING)
    expected: float = 0.0
    rollable: bool = True


@lru_cache(maxsize=4096)
def _obstacle(why: str, rule: str) -> Resolution:
    return Resolution((why, rule))


@lru_cache(maxsize=65536)
def _rolled(sequences: int, roll: Roll | None, effects: tuple[int, ...]) -> Resolution:
    """Return what dice sequences do that need this roll; without one, they can't fail."""
    first, second = (dice.ONE, dice.ONE) if roll is None else (roll.p_need, roll.p_pen_need)
    effect, expected, rolled = sum_of(sequences, first, second, effects)
    return Resolution(None, roll, rolled, effect, expected)


def sum_of(sequences: int, first: Fraction, second: Fraction, effects: tuple[int, ...]) -> tuple[Pmf, float, Dice]:
    """Return the summed effect of independent dice sequences (p. 13 Autocannon), its mean, and the dice.

    Parameters
    ----------
    sequences, first, second, effects
        As the attributes of `aabalance.rulesets.base.Dice`.
    """
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
REACHES = {
    "ai": "p. 10 Anti-Infantry Attacks, p. 17-19 [AA-33]",
    "indirect": "p. 15 Indirect [AA-33]",
    "at": "p. 15 Limited Range, p. 19 [AA-33]",
    "he": "p. 15 Limited Range [AA-33]",
}
AGAIN = {1: "is rolled again", None: "is rolled again as often as it falls"}
"""What happens to a miss by one, by the switch ``reroll_limit`` (p. 8; AA-11)."""
UNSEEN = Resolution(("hidden behind a wall, and not scouted", "p. 21 Walls [AA-19]"))
IN_COVER_RANGE = Resolution(("covered from indirect fire by terrain", "p. 15 Indirect [AA-65]"))


def resolve(
    attack: Attack, target: Defence, range_in: float, variant: Variant, steps: list[Step] | None = None
) -> Resolution:
    """Resolve one attack (p. 5-10, p. 15, p. 18).

    Parameters
    ----------
    attack : Attack
        The attack.
    target : Defence
        What the target shows.
    range_in : float
        Distance in inches.
    variant : Variant
        The rule switches.
    steps : list of Step or None
        Each decision is added to it, if the attack can be made at all. None leaves them out, since tables resolve
        attacks by the hundred thousand.
    """
    if (attack.kind == "ai") != (target.target == "infantry"):
        return WRONG_TARGET[attack.kind]
    if target.immune is not None:
        return _obstacle(*target.immune)
    if target.hidden and not attack.thrown and attack.kind != "indirect" and not attack.scouted:
        return UNSEEN
    if attack.reach is not None and range_in > attack.reach:
        return _obstacle(f'out of reach: {attack.reach:g}" at most', REACHES[attack.kind])
    if attack.kind == "ai":
        return _casualties(attack, target, variant, steps)
    factor = attack.soft_factor if target.target == "field_gun" else None
    if attack.kind == "indirect":
        return _indirect(attack, target, range_in, factor, variant, steps)
    range_in += target.extra_range_in
    band = tables.range_band(range_in, variant.range_boundary)
    increase = target.increase + target.foliage
    if steps is not None:
        steps += _range_steps(range_in, band, increase, variant)
    if attack.kind == "he":
        roll = _he_roll(attack, target, band, increase, variant, steps)
        by_face = _he_damage(attack, target, factor, variant, steps)
        return _rolled(attack.attempts, roll, by_face)
    by_band = attack.by_band if variant.penetration_falloff else None
    penetration = attack.penetration if by_band is None else by_band[band - 1]
    penetration -= 2 * attack.walls if variant.wall_rule != "armor_plus_1" else 0
    armor = target.armor + (attack.walls if variant.wall_rule != "pen_minus_2" else 0)
    weak_spot = penetration < armor and target.weak_spot  # not read, and so not told, where it plays no part
    pen_need = tables.penetration_need(penetration - armor, weak_spot)
    if steps is not None:
        steps += _penetration_steps(penetration, by_band is not None, armor, pen_need, weak_spot)
    moved = _moved_before(attack, variant)
    roll = tables.roll(band, increase, pen_need, attack.bonus, not moved, variant.reading)
    hit_points = tables.raised(attack.damage, factor)
    if steps is not None:
        steps += _roll_steps(attack, roll, moved, variant)
        steps += _support_steps(factor)
        steps.append(Step("damage", f"{hit_points} hit points a hit", "p. 9 Damage"))
    return _rolled(attack.attempts, roll, (hit_points,) * tables.D6)


def reads_of_distance(attack: Attack, target: Defence, range_in: float, variant: Variant) -> int:
    """Return all that `resolve` reads of a distance: 0 out of reach, else the range band; 1 if it reads none.

    Parameters as for `resolve`.
    """
    if attack.reach is not None and range_in > attack.reach:
        return 0
    if attack.kind == "ai":
        return 1
    extra = 0 if attack.kind == "indirect" else target.extra_range_in
    return tables.range_band(range_in + extra, variant.range_boundary)


def _moved_before(attack: Attack, variant: Variant) -> bool:
    """Return whether the attacker moved before firing, as far as that costs the advantage (p. 8; AA-12)."""
    return not attack.advantage or (attack.shifted and variant.free_move_breaks_advantage)


def _casualties(attack: Attack, target: Defence, variant: Variant, steps: list[Step] | None) -> Resolution:
    """Resolve an anti-infantry attack or a grenade: the men that its AI code takes from a squad (p. 10, p. 18)."""
    rolls = attack.bursts if variant.autocannon_ai_rolls == "X" else 1
    if steps is not None:
        more = f", rolled {rolls} times" if rolls > 1 else ""
        rule = "p. 18 Grenade [AA-40]" if attack.thrown else "p. 10 Anti-Infantry Attacks [AA-36]"
        steps.append(Step("casualties", f"AI/{attack.ai}, no roll to hit{more}", rule))
    if rolls > 1:
        return _bursts(attack.ai, rolls, target.strength, target.halved)
    kills = attack.kills if variant.mg_on_grenades or not attack.thrown else 0
    if steps is not None and attack.thrown and kills:
        steps.append(Step("machine gun", "+1 kill", "p. 18 Machine Gun [AA-38]"))
    men = tables.casualties(
        attack.ai, target.strength, kills=kills, halved=target.halved, kills_after_clamp=variant.mg_after_clamp
    )
    return _rolled(1, None, men)


@lru_cache(maxsize=4096)
def _bursts(ai: str, rolls: int, strength: int, halved: bool) -> Resolution:
    """Resolve an AI code rolled X times: the total is halved by sandbags, and never more than the squad (AA-34)."""
    each = tables.casualties(ai, rolls * tables.D6)
    total, _, rolled = sum_of(rolls, dice.ONE, dice.ONE, each)
    effect = dice.transform(total, lambda men: min(strength, men // 2 if halved else men))
    # Half of a sum isn't a sum of halves, so no dice that the kernel can roll stand for it.
    expected = float(dice.mean(effect))
    return Resolution(None, None, rolled, effect, expected, rollable=not halved)


def _he_roll(
    attack: Attack, target: Defence, band: int, increase: int, variant: Variant, steps: list[Step] | None
) -> Roll:
    """Return the hit roll of high explosive (p. 10 Large Caliber Artillery; AA-24)."""
    stationary, moved = tables.HE_MODIFIERS[target.weight]
    if variant.he_moved == "any":
        has_moved = target.moves > 0 or target.moved_in > 0
    else:
        has_moved = target.moves >= tables.BOTH_MOVES
    modifier = moved if has_moved else stationary
    lost = variant.he_advantage and _moved_before(attack, variant)
    advantage = variant.he_advantage and not lost
    roll = tables.roll(band, increase, tables.SURE, attack.bonus + modifier, advantage, variant.reading)
    if steps is not None:
        text = f"{modifier:+d} against a {target.weight} target"
        steps.append(Step("HE hit dice", text, "p. 10 Large Caliber Artillery"))
        steps += _roll_steps(attack, roll, lost, variant)
    return roll


def _he_damage(
    attack: Attack, target: Defence, factor: Fraction | None, variant: Variant, steps: list[Step] | None
) -> tuple[int, ...]:
    """Return the damage of high explosive by the face of the D6 (p. 10 Large Caliber Artillery; AA-25)."""
    n = attack.n if variant.he_n == "card" else variant.he_n
    if steps is not None:
        steps += _support_steps(factor)
        formula = f"{attack.base} - {n} x D6 - {target.side_armor} side armour"
        steps.append(Step("damage", formula, "p. 10 Large Caliber Artillery [AA-25]"))
    return tables.he_damage(attack.base, n, target.side_armor, factor)


def _indirect(
    attack: Attack,
    target: Defence,
    range_in: float,
    factor: Fraction | None,
    variant: Variant,
    steps: list[Step] | None,
) -> Resolution:
    """Resolve indirect fire: no roll to hit, over obstructions, by how far the target moved (p. 15; AA-29 to 32)."""
    if target.in_cover_range:
        return IN_COVER_RANGE
    share = tables.indirect_share(target.moved_in, variant.indirect_gap)
    if not share:
        return _obstacle(f'moved {target.moved_in:g}" in its last turn', "p. 15 Indirect [AA-30]")
    roll = None
    if variant.indirect_requires_hit:
        band = tables.range_band(range_in, variant.range_boundary)
        if steps is not None:
            steps += _range_steps(range_in, band, target.increase, variant)
        roll = _he_roll(attack, target, band, target.increase, variant, steps)
    full = _he_damage(attack, target, factor, variant, steps)
    if steps is not None:
        part = "in full" if share == 1 else f"halved, rounded {variant.indirect_rounding}"
        text = f'{target.moved_in:g}": damage {part}'
        steps.append(Step("target's movement", text, "p. 15 Indirect [AA-30, AA-31]"))
    by_face = tables.indirect_damage(full, share, variant.indirect_rounding)
    return _rolled(attack.attempts, roll, by_face)


# --- steps that several attacks share, or whose text takes several lines ----------------------------------------


def _range_steps(range_in: float, band: int, increase: int, variant: Variant) -> Iterator[Step]:
    yield Step("range band", f'{range_in:g}" needs {band}+', "p. 6 Hit Roll [AA-2]")
    if increase:
        capped = "" if variant.cap_stage == "sum_then_cap" else ", 6+ at most"
        yield Step("requirement", f"{band}+ and {increase} more{capped}", "p. 21 [AA-5]")


def _penetration_steps(penetration: int, fell: bool, armor: int, pen_need: int, weak_spot: bool) -> Iterator[Step]:
    margin = penetration - armor
    falloff, point = (" at this range", " [AA-17]") if fell else ("", "")
    text = f"penetration {penetration}{falloff} - armour {armor} = {margin:+d}"
    yield Step("margin", text, f"p. 7 Armor Penetration Roll{point}")
    weak = ' "weak spot"' if weak_spot else ""
    yield Step("penetration", f"{_in_words(pen_need)}{weak}", "p. 7 Armor Penetration Roll")


def _roll_steps(attack: Attack, roll: Roll, lost: bool, variant: Variant) -> Iterator[Step]:
    """Yield the steps of a dice sequence; `lost`: the attacker moved, which cost it the advantage."""
    two_dice = variant.resolution == "two_dice" and attack.kind == "at"
    if attack.bonus:
        scope = "the whole roll" if variant.hit_mods_affect_penetration else "the range part"
        yield Step("bonus", f"{attack.bonus:+d} on {'the hit die' if two_dice else scope}", "p. 5 Shooting [AA-8]")
    hit = _in_words(roll.need)
    text = f"hit {hit}, penetration {_in_words(roll.pen_need)}" if two_dice else hit
    yield Step("need", text, f"p. 5 Shooting [AA-1: {variant.resolution}]")
    both = {"a hit die of": roll.reroll, "a penetration die of": roll.pen_reroll}
    missed = both if two_dice else {"a natural": roll.reroll}
    rerolled = [f"{die} {face}" for die, face in missed.items() if 1 <= face <= tables.D6]
    if lost:
        yield Step("advantage", "no: moved before firing", "p. 8 State Modifiers [AA-12]")
    elif rerolled and roll.p:
        yield Step("advantage", f"{' or '.join(rerolled)} {AGAIN[variant.reroll_limit]}", "p. 8 State Modifiers [AA-9]")
    sequences = f" each of {attack.attempts} sequences" if attack.attempts > 1 else ""
    yield Step("probability", f"{roll.p} = {float(roll.p):.4f}{sequences}", "p. 5 Shooting")


def _support_steps(factor: Fraction | None) -> Iterator[Step]:
    if factor is not None:
        yield Step("support", f"damage x {float(factor):g}, rounded up", "p. 14 Support [AA-48]")


def _in_words(need: int) -> str:
    if need >= tables.IMPOSSIBLE:
        return "impossible"
    return "certain" if need <= tables.SURE else f"{need}+"
