"""From two cards and a situation to one attack: put the two halves together, resolve them, explain the result."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance import rules
from aabalance.rulesets.armored_advance.card import AiWeapon, AtWeapon, HeWeapon, InfantryCard, VehicleCard
from aabalance.rulesets.armored_advance.keywords import KEYWORDS
from aabalance.rulesets.armored_advance.rules import Roll
from aabalance.rulesets.armored_advance.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.situation import Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Dice, Shot, Step

Unit = VehicleCard | InfantryCard
Gun = tuple[Attack, ...]
Sheet = TypeVar("Sheet", Attack, Offence, Defence)

NOTHING = dice.constant(0)
NO_DICE = Dice(0, Fraction(0), Fraction(0), (0,) * rules.D6)


def offence(card: Unit, situation: Situation) -> Offence:
    """Return all that a unit can fire in a turn, with its keywords and the walls in the way put in."""
    guns = tuple((strength, _guns(card, strength, situation)) for strength in _strengths(card))
    return _with_keywords(Offence(guns=guns, actions=card.actions), "turn", card, situation)


def _strengths(card: Unit) -> tuple[int, ...]:
    """Return the strengths from which on a unit's casualty codes differ, falling, the last one 1."""
    codes = [weapon.ai for weapon in card.weapons if isinstance(weapon, AiWeapon)]
    most = card.strength if isinstance(card, InfantryCard) else 1
    steps = {step.min for code in codes if not isinstance(code, str) for step in code if step.min <= most}
    return tuple(sorted(steps | {1}, reverse=True))


def _guns(card: Unit, strength: int, situation: Situation) -> tuple[Gun, ...]:
    guns: dict[str, list[Attack]] = {}
    for index, weapon in enumerate(card.weapons):
        attack = _attack(card, weapon, strength, situation)
        if index == 0 or (weapon.gun is not None and weapon.gun == card.weapons[0].gun):
            attack = _with_keywords(attack, "attack", card, situation)
        guns.setdefault(weapon.gun or f"weapon {index}", []).append(attack)
    return tuple(tuple(gun) for gun in guns.values())


def _attack(card: Unit, weapon: AtWeapon | HeWeapon | AiWeapon, strength: int, situation: Situation) -> Attack:
    # A field gun fires at advantage always (AA-12).
    advantage = not (situation.moved or situation.shifted) or card.class_ == "field_gun"
    attack = Attack(weapon=weapon.name, kind=weapon.kind, reach=weapon.range, advantage=advantage)
    if isinstance(weapon, AtWeapon):
        attack = replace(
            attack, penetration=weapon.penetration, by_band=weapon.penetration_by_band, damage=weapon.damage
        )
        if situation.walls:
            why = f"{situation.walls} shot through"
            attack = attack.change("walls", why, "p. 21 Walls [AA-18]", walls=situation.walls)
    elif isinstance(weapon, HeWeapon):
        attack = replace(attack, base=weapon.base, n=weapon.n)
    else:
        steps = () if isinstance(weapon.ai, str) else [step for step in weapon.ai if step.min <= strength]
        code = weapon.ai if isinstance(weapon.ai, str) else max(steps, key=lambda step: step.min).ai if steps else "0"
        attack = replace(attack, ai=code)
        if isinstance(card, InfantryCard) and card.equipment.machine_gun:
            attack = attack.change("machine gun", "+1 kill", "p. 18 Machine Gun [AA-38]", kills=1)
    return attack


def defence(card: Unit, situation: Situation, variant: Variant) -> Defence:
    """Return what a unit shows to its attacker, with its keywords and the cover put in."""
    # A field gun counts as stationary (AA-64).
    moves = 0 if card.class_ == "field_gun" else situation.target_moves
    sheet = Defence(target=card.class_, weight=card.weight, moves=moves)
    if isinstance(card, InfantryCard):
        sheet = replace(sheet, strength=card.strength)
    else:
        sheet = replace(sheet, armor=getattr(card.armor, situation.facing), side_armor=card.armor.side)
    sheet = _with_keywords(sheet, "target", card, situation)
    if situation.foliage and variant.foliage_rule == "requirement_plus_2":
        sheet = sheet.change("foliage", "+2 on the roll needed", "p. 21 Foliage [AA-20]", increase=2)
    elif situation.foliage:
        sheet = sheet.change("foliage", '3" further away', "p. 8 Terrain Modifiers [AA-20]", extra_range_in=3)
    if situation.sandbags and card.class_ == "field_gun":
        sheet = sheet.change(
            "sandbags",
            "+1 armour, +1 on the roll needed",
            "p. 21 Sandbags [AA-66]",
            increase=sheet.increase + 1,
            armor=sheet.armor + 1,
            side_armor=sheet.side_armor + (situation.facing == "side"),
        )
    elif situation.sandbags and card.class_ == "infantry":
        sheet = sheet.change("sandbags", "casualties halved, rounded down", "p. 21 Sandbags [AA-39]", halved=True)
    return sheet


def _with_keywords(sheet: Sheet, acts_on: str, card: Unit, situation: Situation) -> Sheet:
    for name, value in card.keywords.items():
        keyword = KEYWORDS[name]
        if keyword.acts_on == acts_on and keyword.apply is not None:
            sheet = keyword.apply(sheet, value, situation)
    return sheet


def shown(target: Defence, kinds: frozenset[str]) -> Defence:
    """Return a defence without what no attack of these kinds reads: see `resolve`."""
    if "he" not in kinds:
        target = replace(target, side_armor=0, weight="medium", moves=0)
    if "at" not in kinds:
        target = replace(target, armor=0, weak_spot=False)
    return target


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


def _sum(sequences: int, first: Fraction, second: Fraction, effects: tuple[int, ...]) -> tuple[Pmf, float, Dice]:
    """Return the summed effect of independent dice sequences (p. 13 Autocannon), its mean, and the dice."""
    return _summed(sequences, first.numerator, first.denominator, second.numerator, second.denominator, effects)


@lru_cache(maxsize=65536)
def _summed(sequences: int, a: int, b: int, c: int, d: int, effects: tuple[int, ...]) -> tuple[Pmf, float, Dice]:
    # Numerators and denominators, because hashing a Fraction costs as much as the rest of an attack.
    first, second = Fraction(a, b), Fraction(c, d)
    faces = dice.transform(dice.die(len(effects)), lambda face: effects[face - 1])
    effect = dice.pool([dice.bernoulli(first * second, faces)] * sequences)
    return effect, float(dice.mean(effect)), Dice(sequences, first, second, effects)


WRONG_TARGET = {
    kind: Resolution((f"{kind.upper()} weapons attack {who} only", "p. 10 Anti-Infantry Attacks"))
    for kind, who in (("at", "vehicles and field guns"), ("he", "vehicles and field guns"), ("ai", "infantry"))
}


def resolve(attack: Attack, target: Defence, range_in: float, variant: Variant) -> Resolution:
    """Resolve one attack (p. 5-10).

    Parameters
    ----------
    range_in : float
        Inches.

    """
    if (attack.kind == "ai") != (target.target == "infantry"):
        return WRONG_TARGET[attack.kind]
    distance = range_in + target.extra_range_in
    if attack.reach is not None and range_in > attack.reach:
        return Resolution((f'out of reach: {attack.reach:g}" at most', "p. 15 Limited Range [AA-33]"))
    if attack.kind == "ai":
        men = rules.casualties(
            attack.ai,
            target.strength,
            kills=attack.kills,
            halved=target.halved,
            kills_after_clamp=variant.mg_after_clamp,
        )
        effect, expected, thrown = _sum(1, dice.ONE, dice.ONE, men)
        return Resolution(None, dice=thrown, effect=effect, expected=expected)
    band = rules.range_band(distance, variant.range_boundary)
    factor = attack.soft_factor if target.target == "field_gun" else dice.ONE
    reading = variant.reading
    if attack.kind == "he":
        stationary, moved = rules.HE_MODIFIERS[target.weight]
        has_moved = target.moves >= (1 if variant.he_moved == "any" else 2)
        bonus = attack.bonus + (moved if has_moved else stationary)
        advantage = attack.advantage and variant.he_advantage
        roll = rules.roll(band, target.increase, rules.SURE, bonus, advantage, reading)
        by_face = rules.he_damage(attack.base, attack.n, target.side_armor, factor)
        effect, expected, thrown = _sum(attack.attempts, roll.p_need, roll.p_pen_need, by_face)
        return Resolution(None, band, bonus=bonus, roll=roll, dice=thrown, effect=effect, expected=expected)
    penetration = attack.penetration
    if variant.penetration_falloff and attack.by_band is not None:
        penetration = attack.by_band[band - 1]
    penetration -= 2 * attack.walls if variant.wall_rule != "armor_plus_1" else 0
    armor = target.armor + (attack.walls if variant.wall_rule != "pen_minus_2" else 0)
    margin = penetration - armor
    pen_need = rules.penetration_need(margin, target.weak_spot)
    roll = rules.roll(band, target.increase, pen_need, attack.bonus, attack.advantage, reading)
    damage = attack.damage if factor == 1 else -int(-attack.damage * factor // 1)
    effect, expected, thrown = _sum(attack.attempts, roll.p_need, roll.p_pen_need, (damage,) * rules.D6)
    return Resolution(None, band, penetration, armor, margin, pen_need, attack.bonus, roll, thrown, effect, expected)


def aimed(attack: Attack) -> Attack:
    """Return the single accurate shot of a weapon (p. 12 Accurate; AA-13, AA-14)."""
    return attack.change("accurate", "+1 on the roll, one shot", "p. 12 Accurate", bonus=attack.bonus + 1, attempts=1)


def shot(attack: Attack, found: Resolution, variant: Variant) -> Shot:
    """Return a resolved attack without its explanation."""
    return Shot(attack.weapon, attack.attempts, _needs(attack, found, variant), found.effect, (), (found.dice,))


def _needs(attack: Attack, found: Resolution, variant: Variant) -> dict[str, int | None]:
    if attack.kind == "ai":
        return {}
    hit, pen = (found.roll.need, found.roll.pen_need) if found.roll else (rules.IMPOSSIBLE, rules.IMPOSSIBLE)
    if variant.resolution == "two_dice" and attack.kind == "at":
        return {"hit_need": _natural(hit), "pen_need": _natural(pen)}
    return {"need": _natural(hit)}


def _natural(need: int) -> int | None:
    return None if need >= rules.IMPOSSIBLE else max(need, rules.SURE)


def explain(attack: Attack, target: Defence, range_in: float, found: Resolution, variant: Variant) -> tuple[Step, ...]:
    """Return the steps of a resolved attack, each with the rule that it rests on."""
    steps = [Step("weapon", f"{attack.weapon} ({attack.kind.upper()})", "p. 5 Selecting a Target")]
    steps += [*attack.steps, *target.steps]
    if found.obstacle:
        steps.append(Step("obstacle", *found.obstacle))
        return tuple(steps)
    if attack.kind == "ai":
        steps.append(Step("casualties", f"AI/{attack.ai}, no roll to hit", "p. 10 Anti-Infantry Attacks [AA-36]"))
        return tuple(steps)
    assert found.roll is not None
    assert found.band is not None
    steps.append(Step("range band", f'{range_in:g}" needs {found.band}+', "p. 6 Hit Roll [AA-2]"))
    if target.increase:
        capped = "" if variant.cap_stage == "sum_then_cap" else ", 6+ at most"
        steps.append(Step("requirement", f"{found.band}+ and {target.increase} more{capped}", "p. 21 [AA-5]"))
    if found.margin is not None:
        steps += _penetration_steps(attack, target, found, variant)
    else:
        steps.append(
            Step("HE hit dice", f"{found.bonus:+d} against a {target.weight} target", "p. 10 Large Caliber Artillery")
        )
    steps += _roll_steps(attack, found, found.roll, variant)
    if attack.kind == "he":
        formula = f"{attack.base} - {attack.n} x D6 - {target.side_armor} side armour"
        steps.append(Step("damage", formula, "p. 10 Large Caliber Artillery [AA-25]"))
    else:
        steps.append(Step("damage", f"{found.dice.effects[0]} hit points a hit", "p. 9 Damage"))
    return tuple(steps)


def _penetration_steps(attack: Attack, target: Defence, found: Resolution, variant: Variant) -> list[Step]:
    assert found.margin is not None
    assert found.pen_need is not None
    falloff = " at this range" if variant.penetration_falloff and attack.by_band else ""
    margin = f"penetration {found.penetration}{falloff} - armour {found.armor} = {found.margin:+d}"
    weak = ' "weak spot"' if target.weak_spot and found.margin < 0 else ""
    return [
        Step("margin", margin, "p. 7 Armor Penetration Roll" + (" [AA-17]" if falloff else "")),
        Step("penetration", f"{_need(found.pen_need)}{weak}", "p. 7 Armor Penetration Roll"),
    ]


def _roll_steps(attack: Attack, found: Resolution, roll: Roll, variant: Variant) -> list[Step]:
    steps = []
    if attack.bonus:
        scope = "the whole roll" if variant.hit_mods_affect_penetration else "the range part"
        steps.append(Step("bonus", f"{attack.bonus:+d} on {scope}", "p. 5 Shooting [AA-8]"))
    if variant.resolution == "two_dice":
        text = f"hit {_need(roll.need)}, penetration {_need(roll.pen_need)}"
    else:
        text = _need(roll.need)
    steps.append(Step("need", text, f"p. 5 Shooting [AA-1: {variant.resolution}]"))
    rerolled = [str(face) for face in (roll.reroll, roll.pen_reroll) if 1 <= face <= rules.D6]
    if not attack.advantage:
        steps.append(Step("advantage", "no: moved before firing", "p. 8 State Modifiers [AA-12]"))
    elif rerolled and roll.p:
        steps.append(
            Step("advantage", f"a natural {' or '.join(rerolled)} is rolled again", "p. 8 State Modifiers [AA-9]")
        )
    sequences = f" each of {attack.attempts} sequences" if attack.attempts > 1 else ""
    steps.append(Step("probability", f"{roll.p} = {float(roll.p):.4f}{sequences}", "p. 5 Shooting"))
    return steps


def _need(need: int) -> str:
    if need >= rules.IMPOSSIBLE:
        return "impossible"
    return "certain" if need <= rules.SURE else f"{need}+"
