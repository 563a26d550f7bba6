"""From two cards and a situation to one attack: put the two halves together and resolve them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance import rules
from aabalance.rulesets.armored_advance.card import AiWeapon, AtWeapon, HeWeapon, InfantryCard, VehicleCard
from aabalance.rulesets.armored_advance.keywords import KEYWORDS, scout
from aabalance.rulesets.armored_advance.movement import moves_in
from aabalance.rulesets.armored_advance.rules import Roll
from aabalance.rulesets.armored_advance.sheets import Attack, Defence, Gun, Offence
from aabalance.rulesets.armored_advance.situation import Moment
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Dice, Shot

Unit = VehicleCard | InfantryCard
Sheet = TypeVar("Sheet", Attack, Offence, Defence)

NOTHING = dice.constant(0)
GRENADE = Attack("grenade", "ai", ai="D6-2", reach=6, thrown=True)
"""Over walls without penalty (p. 18)."""
SAFE_SQUADS = ("at_rifle", "sniper")
"""Squads that can only be targeted if they moved or fired in their previous turn (p. 19)."""
NO_DICE = Dice(0, Fraction(0), Fraction(0), (0,) * rules.D6)


def offence(card: Unit, moment: Moment) -> Offence:
    """Return all that a unit can fire in a turn, with its keywords and the walls in the way put in."""
    guns = tuple((strength, _guns(card, strength, moment)) for strength in _strengths(card))
    sheet = Offence(guns=guns, actions=card.actions)
    if isinstance(card, InfantryCard) and card.equipment.grenades:
        grenade = scout(replace(GRENADE, kills=int(card.equipment.machine_gun)), 1, moment)
        sheet = replace(sheet, grenade=grenade, grenades=card.equipment.grenades)
    sheet = _with_keywords(sheet, "turn", card, moment)
    if not sheet.aimed:
        return sheet
    aims = tuple(_aims(guns[0] if guns else ()) for _, guns in sheet.guns)
    return replace(sheet, aims=aims, aimed_lobs=_aims(sheet.lobs))


def _aims(gun: Gun) -> Gun:
    return tuple(aimed(attack) for attack in gun if attack.kind != "ai")


def _strengths(card: Unit) -> tuple[int, ...]:
    """Return the strengths from which on a unit's casualty codes differ, falling, the last one 1."""
    codes = [weapon.ai for weapon in card.weapons if isinstance(weapon, AiWeapon)]
    most = card.strength if isinstance(card, InfantryCard) else 1
    steps = {step.min for code in codes if not isinstance(code, str) for step in code if step.min <= most}
    return tuple(sorted(steps | {1}, reverse=True))


def _guns(card: Unit, strength: int, moment: Moment) -> tuple[Gun, ...]:
    guns: dict[str, list[Attack]] = {}
    for index, weapon in enumerate(card.weapons):
        attack = _attack(card, weapon, strength, moment)
        if index == 0 or (weapon.gun is not None and weapon.gun == card.weapons[0].gun):
            attack = _with_keywords(attack, "attack", card, moment)
        attack = scout(attack, 1, moment)
        # An autocannon may fire at vehicles and at infantry in one turn, an action each (p. 13; AA-61).
        apart = f" {weapon.kind}" if "autocannon" in card.keywords else ""
        guns.setdefault(f"{weapon.gun}{apart}" if weapon.gun else f"weapon {index}", []).append(attack)
    return tuple(tuple(gun) for gun in guns.values())


def _attack(card: Unit, weapon: AtWeapon | HeWeapon | AiWeapon, strength: int, moment: Moment) -> Attack:
    # A field gun fires at advantage always (AA-12).
    gun = card.class_ == "field_gun"
    attack = Attack(
        weapon=weapon.name,
        kind=weapon.kind,
        reach=weapon.range,
        advantage=gun or not moment.moved,
        shifted=moment.shifted and not gun,
    )
    if isinstance(weapon, AtWeapon):
        attack = replace(
            attack, penetration=weapon.penetration, by_band=weapon.penetration_by_band, damage=weapon.damage
        )
        if moment.walls:
            why = f"{moment.walls} shot through"
            attack = attack.change("walls", why, "p. 21 Walls [AA-18]", walls=moment.walls)
    elif isinstance(weapon, HeWeapon):
        attack = replace(attack, base=weapon.base, n=weapon.n)
    else:
        steps = () if isinstance(weapon.ai, str) else [step for step in weapon.ai if step.min <= strength]
        code = weapon.ai if isinstance(weapon.ai, str) else max(steps, key=lambda step: step.min).ai if steps else "0"
        attack = replace(attack, ai=code)
        if isinstance(card, InfantryCard) and card.equipment.machine_gun:
            attack = attack.change("machine gun", "+1 kill", "p. 18 Machine Gun [AA-38]", kills=1)
        return attack
    if gun and moment.artillery_crew:
        attack = attack.change("artillery crew", "+1 on the roll", "p. 19 Artillery Crew [AA-62]", bonus=1)
    return attack


def defence(card: Unit, moment: Moment, variant: Variant) -> Defence:
    """Return what a unit shows to its attacker, with its keywords and the cover put in."""
    sheet = Defence(
        target=card.class_,
        weight=card.weight,
        unseen=moment.hidden and not moment.scouted,
        in_cover_range=moment.in_cover_range,
    )
    if isinstance(card, InfantryCard):
        sheet = replace(sheet, strength=card.strength, immune=_immune(card, moment))
    else:
        sheet = replace(sheet, armor=getattr(card.armor, moment.facing), side_armor=card.armor.side)
    # A field gun counts as stationary (AA-64).
    if card.class_ == "vehicle":
        moved_in = moment.target_moved_in
        by_moves = moves_in(card, moment.target_moves) if moved_in is None else moved_in
        sheet = replace(sheet, moves=moment.target_moves, moved_in=by_moves)
    sheet = _with_keywords(sheet, "target", card, moment)
    if sheet.angling:
        angled = max(sheet.angling, sheet.armor) if variant.angling == "replace" else sheet.armor + sheet.angling
        sheet = replace(sheet, armor=angled, angling=0)
    sheet = _behind_foliage(sheet, moment, variant)
    if moment.sandbags and card.class_ == "field_gun":
        sheet = sheet.change(
            "sandbags",
            "+1 armour, +1 on the roll needed",
            "p. 21 Sandbags [AA-66]",
            increase=sheet.increase + 1,
            armor=sheet.armor + 1,
            side_armor=sheet.side_armor + (moment.facing == "side"),
        )
    elif moment.sandbags and card.class_ == "infantry":
        sheet = sheet.change("sandbags", "casualties halved, rounded down", "p. 21 Sandbags [AA-39]", halved=True)
    return sheet


def _immune(card: InfantryCard, moment: Moment) -> tuple[str, str] | None:
    """Return why a squad can't be attacked, and the rule; None if it can."""
    if moment.embarked:
        return "inside a transport", "p. 18 Embarkation"
    if moment.gun_shield:
        return f"behind {moment.gun_shield} armour of the field gun it mans", "p. 17 Field Guns"
    if card.squad in SAFE_SQUADS and not moment.target_active:
        return "neither moved nor fired in its previous turn", "p. 19 Special Squads [AA-52]"
    return None


def _behind_foliage(sheet: Defence, moment: Moment, variant: Variant) -> Defence:
    near_firer, near_target = moment.foliage_near_firer, moment.foliage_near_target
    on_page_8 = variant.foliage_rule == "range_plus_3"
    if on_page_8:
        pieces = near_target
    else:
        exempt = {"firer": near_firer, "target": near_target, "either": near_firer + near_target}
        pieces = moment.foliage - exempt[variant.foliage_exempt]
    if pieces <= 0:
        return sheet
    counted = pieces if variant.foliage_stacks else 1
    if on_page_8:
        extra = 3 * counted
        return sheet.change("foliage", f'{extra}" further away', "p. 8 Terrain Modifiers [AA-20]", extra_range_in=extra)
    increase = 2 * counted
    return sheet.change("foliage", f"+{increase} on the roll needed", "p. 21 Foliage [AA-20]", foliage=increase)


def _with_keywords(sheet: Sheet, acts_on: str, card: Unit, moment: Moment) -> Sheet:
    for name, value in card.keywords.items():
        keyword = KEYWORDS[name]
        if keyword.acts_on == acts_on:
            sheet = keyword.apply(sheet, value, moment)
    return sheet


def shown(target: Defence, kinds: frozenset[str]) -> Defence:
    """Return a defence without what no attack of these kinds reads: see `resolve`."""
    if "he" not in kinds:
        # Indirect fire is another way to fire high explosive.
        target = replace(target, side_armor=0, weight="medium", moves=0, moved_in=0, in_cover_range=False)
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
NOT_SET_UP = Resolution(("takes a full turn to set up first", "p. 15 Indirect [AA-32]"))
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
    band = rules.range_band(range_in + target.extra_range_in, variant.range_boundary)
    if attack.kind == "he":
        roll, bonus = _he_roll(attack, target, band, target.increase + target.foliage, variant)
        by_face = rules.he_damage(attack.base, he_n(attack, variant), target.side_armor, factor)
        effect, expected, thrown = sum_of(attack.attempts, roll.p_need, roll.p_pen_need, by_face)
        return Resolution(None, band, bonus=bonus, roll=roll, dice=thrown, effect=effect, expected=expected)
    penetration = attack.penetration
    if variant.penetration_falloff and attack.by_band is not None:
        penetration = attack.by_band[band - 1]
    penetration -= 2 * attack.walls if variant.wall_rule != "armor_plus_1" else 0
    armor = target.armor + (attack.walls if variant.wall_rule != "pen_minus_2" else 0)
    margin = penetration - armor
    pen_need = rules.penetration_need(margin, target.weak_spot)
    advantage = not moved_before(attack, variant)
    roll = rules.roll(band, target.increase + target.foliage, pen_need, attack.bonus, advantage, variant.reading)
    damage = attack.damage if factor == 1 else -int(-attack.damage * factor // 1)
    effect, expected, thrown = sum_of(attack.attempts, roll.p_need, roll.p_pen_need, (damage,) * rules.D6)
    return Resolution(None, band, penetration, armor, margin, pen_need, attack.bonus, roll, thrown, effect, expected)


def moved_before(attack: Attack, variant: Variant) -> bool:
    """Return whether the attacker moved before firing, as far as that costs the advantage (p. 8; AA-12)."""
    return not attack.advantage or (attack.shifted and variant.free_move_breaks_advantage)


def _casualties(attack: Attack, target: Defence, variant: Variant) -> Resolution:
    men = rules.casualties(
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
    each = rules.casualties(attack.ai, attack.bursts * rules.D6)
    total, _, thrown = sum_of(attack.bursts, dice.ONE, dice.ONE, each)
    effect = dice.transform(total, lambda men: min(target.strength, men // 2 if target.halved else men))
    # Halves of a sum are no sum of halves: then no dice of the kernel's stand for it.
    expected = float(dice.mean(effect))
    return Resolution(None, dice=thrown, effect=effect, expected=expected, rollable=not target.halved)


def _he_roll(attack: Attack, target: Defence, band: int, increase: int, variant: Variant) -> tuple[Roll, int]:
    """Return the hit roll of high explosive, and what is added to it (p. 10 Large Caliber Artillery; AA-24)."""
    stationary, moved = rules.HE_MODIFIERS[target.weight]
    if variant.he_moved == "any":
        has_moved = target.moves > 0 or target.moved_in > 0
    else:
        has_moved = target.moves >= rules.BOTH_MOVES
    bonus = attack.bonus + (moved if has_moved else stationary)
    advantage = variant.he_advantage and not moved_before(attack, variant)
    return rules.roll(band, increase, rules.SURE, bonus, advantage, variant.reading), bonus


def he_n(attack: Attack, variant: Variant) -> int:
    """Return how much each pip takes off the damage of high explosive (p. 10 Large Caliber Artillery; AA-25)."""
    return attack.n if variant.he_n == "card" else variant.he_n


def _indirect(attack: Attack, target: Defence, range_in: float, factor: Fraction, variant: Variant) -> Resolution:
    """Resolve indirect fire: no roll to hit, over obstructions, by how far the target moved (p. 15; AA-29 to 32)."""
    if target.in_cover_range:
        return IN_COVER_RANGE
    share = rules.indirect_share(target.moved_in, variant.indirect_gap)
    if not share:
        return Resolution((f'moved {target.moved_in:g}" in its last turn', "p. 15 Indirect [AA-30]"))
    full = rules.he_damage(attack.base, he_n(attack, variant), target.side_armor, factor)
    by_face = rules.indirect_damage(full, share, variant.indirect_rounding)
    if not variant.indirect_requires_hit:
        effect, expected, thrown = sum_of(attack.attempts, dice.ONE, dice.ONE, by_face)
        return Resolution(None, dice=thrown, effect=effect, expected=expected)
    band = rules.range_band(range_in, variant.range_boundary)
    roll, bonus = _he_roll(attack, target, band, target.increase, variant)
    effect, expected, thrown = sum_of(attack.attempts, roll.p_need, roll.p_pen_need, by_face)
    return Resolution(None, band, bonus=bonus, roll=roll, dice=thrown, effect=effect, expected=expected)


def aimed(attack: Attack) -> Attack:
    """Return the single accurate shot of a weapon (p. 12 Accurate; AA-13, AA-14)."""
    return attack.change("accurate", "+1 on the roll, one shot", "p. 12 Accurate", bonus=attack.bonus + 1, attempts=1)


def shot(attack: Attack, found: Resolution, variant: Variant) -> Shot:
    """Return a resolved attack without its explanation."""
    sequences = found.dice.sequences or attack.attempts
    thrown = (found.dice,) if found.rollable else ()
    return Shot(attack.weapon, sequences, _needs(attack, found, variant), found.effect, (), thrown)


def _needs(attack: Attack, found: Resolution, variant: Variant) -> dict[str, int | None]:
    if attack.kind == "ai" or (attack.kind == "indirect" and not variant.indirect_requires_hit):
        return {}
    hit, pen = (found.roll.need, found.roll.pen_need) if found.roll else (rules.IMPOSSIBLE, rules.IMPOSSIBLE)
    if variant.resolution == "two_dice" and attack.kind == "at":
        return {"hit_need": _natural(hit), "pen_need": _natural(pen)}
    return {"need": _natural(hit)}


def _natural(need: int) -> int | None:
    return None if need >= rules.IMPOSSIBLE else max(need, rules.SURE)
