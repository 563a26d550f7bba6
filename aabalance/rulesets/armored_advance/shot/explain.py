"""The steps of a resolved attack, each with the rule that it rests on."""

from __future__ import annotations

from aabalance.rulesets.armored_advance.shot import damage, needs
from aabalance.rulesets.armored_advance.shot.needs import Roll
from aabalance.rulesets.armored_advance.shot.resolve import Resolution, he_n, moved_before
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Step

OF_THE_ROLL = ("foliage", "scout", "artillery crew", "casemate", "reverse_casemate")
"""What plays no part where nothing is rolled to hit."""
OF_THE_ARMOR = ("angling", "weak_spot")
"""What plays no part where nothing has to penetrate."""


def explain(attack: Attack, target: Defence, range_in: float, found: Resolution, variant: Variant) -> tuple[Step, ...]:
    """Return the steps of a resolved attack, each with the rule that it rests on."""
    steps = [Step("weapon", f"{attack.weapon} ({attack.kind.upper()})", "p. 5 Selecting a Target")]
    steps += [step for step in (*attack.steps, *target.steps) if _plays_a_part(step, attack, found)]
    if found.obstacle:
        steps.append(Step("no attack", *found.obstacle))
        return tuple(steps)
    if attack.kind == "ai":
        steps += _casualty_steps(attack, found, variant)
        return tuple(steps)
    if found.roll is not None:
        steps += _hit_steps(attack, target, range_in, found, found.roll, variant)
    if attack.soft_factor != 1 and target.target == "field_gun":
        steps.append(Step("support", f"damage x {float(attack.soft_factor):g}, rounded up", "p. 14 Support [AA-48]"))
    if attack.kind == "at":
        steps.append(Step("damage", f"{found.dice.effects[0]} hit points a hit", "p. 9 Damage"))
        return tuple(steps)
    formula = f"{attack.base} - {he_n(attack, variant)} x D6 - {target.side_armor} side armour"
    steps.append(Step("damage", formula, "p. 10 Large Caliber Artillery [AA-25]"))
    if attack.kind == "indirect":
        steps.append(_movement_step(target, variant))
    return tuple(steps)


def _plays_a_part(step: Step, attack: Attack, found: Resolution) -> bool:
    if found.obstacle:
        return True
    if step.label == "scout" and attack.kind == "ai":
        return True  # it sees the hidden target
    return (found.roll is not None or step.label not in OF_THE_ROLL) and (
        attack.kind == "at" or step.label not in OF_THE_ARMOR
    )


def _casualty_steps(attack: Attack, found: Resolution, variant: Variant) -> list[Step]:
    rolls = f", rolled {found.dice.sequences} times" if found.dice.sequences > 1 else ""
    rule = "p. 18 Grenade [AA-40]" if attack.thrown else "p. 10 Anti-Infantry Attacks [AA-36]"
    steps = [Step("casualties", f"AI/{attack.ai}, no roll to hit{rolls}", rule)]
    if attack.thrown and attack.kills and variant.mg_on_grenades:
        steps.append(Step("machine gun", "+1 kill", "p. 18 Machine Gun [AA-38]"))
    return steps


def _movement_step(target: Defence, variant: Variant) -> Step:
    share = damage.indirect_share(target.moved_in, variant.indirect_gap)
    part = "in full" if share == 1 else f"halved, rounded {variant.indirect_rounding}"
    return Step("target's movement", f'{target.moved_in:g}": damage {part}', "p. 15 Indirect [AA-30, AA-31]")


def _hit_steps(
    attack: Attack, target: Defence, range_in: float, found: Resolution, roll: Roll, variant: Variant
) -> list[Step]:
    steps = [Step("range band", f'{range_in:g}" needs {found.band}+', "p. 6 Hit Roll [AA-2]")]
    increase = target.increase + (0 if attack.kind == "indirect" else target.foliage)
    if increase:
        capped = "" if variant.cap_stage == "sum_then_cap" else ", 6+ at most"
        steps.append(Step("requirement", f"{found.band}+ and {increase} more{capped}", "p. 21 [AA-5]"))
    if found.margin is not None:
        steps += _penetration_steps(attack, target, found, variant)
    else:
        steps.append(
            Step("HE hit dice", f"{found.bonus:+d} against a {target.weight} target", "p. 10 Large Caliber Artillery")
        )
    return steps + _roll_steps(attack, found, roll, variant)


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
    rerolled = [str(face) for face in (roll.reroll, roll.pen_reroll) if 1 <= face <= needs.D6]
    if moved_before(attack, variant):
        steps.append(Step("advantage", "no: moved before firing", "p. 8 State Modifiers [AA-12]"))
    elif rerolled and roll.p:
        steps.append(
            Step("advantage", f"a natural {' or '.join(rerolled)} is rolled again", "p. 8 State Modifiers [AA-9]")
        )
    sequences = f" each of {attack.attempts} sequences" if attack.attempts > 1 else ""
    steps.append(Step("probability", f"{roll.p} = {float(roll.p):.4f}{sequences}", "p. 5 Shooting"))
    return steps


def _need(need: int) -> str:
    if need >= needs.IMPOSSIBLE:
        return "impossible"
    return "certain" if need <= needs.SURE else f"{need}+"
