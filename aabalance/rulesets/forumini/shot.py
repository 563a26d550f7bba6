"""One attack, resolved and explained: direct, indirect or defensive fire, or bombs."""

from __future__ import annotations

from dataclasses import replace

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.base import Shot, Step
from aabalance.rulesets.forumini import rules
from aabalance.rulesets.forumini.defensive import defensive_fire, may_fire
from aabalance.rulesets.forumini.fight import Fight, counters, effect, left, meet, met, modifier, shot_of
from aabalance.rulesets.forumini.rules import AIRCRAFT, Kind, Target
from aabalance.rulesets.forumini.sheets import BOMBS, DEFENSIVE, DIRECT, INDIRECT, Defence, Offence, attack_dice, shown
from aabalance.rulesets.forumini.variant import Variant

CONDITIONS = {
    "soldier": ("good order", "Pinned", "Demoralized"),
    "vehicle": ("good order", "Pinned", "Damaged"),
    "fighter": ("undamaged", "undamaged", "Damaged"),
    "obstacle": ("", "", ""),
}
VALUES = {
    "soldier": ("Defense", "Disintegration", "Attacks against Soldiers 6"),
    "vehicle": ("armour", "vital armour", "Attacks against Vehicles 6"),
    "fighter": ("armour", "vital armour", "Attacks against Aircraft"),
}
OUTCOMES = ("no counter", "one", "two")


def shot(attacker: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack, explained: direct fire unless another form is asked for.

    Raises
    ------
    UsageError
        The unit has no such form of attack.
    """
    form = weapon or DIRECT
    if form not in attacker.fires:
        raise UsageError(f"weapon: {one_of(form, attacker.fires)}")
    own, condition = attacker.condition, target.condition
    number = form_dice(form, attacker, target.kind, range_in)
    fight = meet(replace(attacker, hit_the_dirt=False), target, number, range_in, variant)  # `number` has it in
    if not number:
        after = dice.constant(target.face_down)
    elif form == DEFENSIVE:
        p = defensive_fire(
            fight.attack_dice,
            modifier(fight, own),
            met(fight, condition),
            fight.reading,
            always_cover=variant.df_always_cover,
        )
        after = dice.transform(dice.bernoulli(p, dice.constant(1)), lambda pinned: max(pinned, target.face_down))
    elif form == INDIRECT:
        after = rules.indirect(fight.attack_dice, modifier(fight, own), met(fight, condition), variant)
    else:
        after = counters(fight, own, condition, 1)
    taken = effect(fight, condition, after)
    return shot_of(form, fight, own, condition, taken, explain(form, attacker, target, range_in, fight, taken))


def form_dice(form: str, attacker: Offence, kind: Kind, range_in: float) -> int:
    """Return the Attack Dice of a form of attack; none where the rules don't allow it."""
    if attacker.lies_low and form != DEFENSIVE:
        return 0
    if form == BOMBS:
        return attacker.bombs if kind in ("soldier", "vehicle") else 0
    if form == INDIRECT and kind in AIRCRAFT:
        return 0
    if form != DEFENSIVE:
        return attack_dice(attacker, kind, range_in)
    allowed = may_fire(
        attacker.kind,
        kind,
        pinned=attacker.condition == rules.PINNED,
        demoralized=attacker.kind == "soldier" and attacker.condition == rules.SHAKEN,
        hit_the_dirt=attacker.lies_low,
        in_own_hex=range_in == 0,
    )
    return attack_dice(attacker, kind, range_in) if allowed else 0


def explain(
    form: str, attacker: Offence, defence: Defence, range_in: float, fight: Fight, taken: Pmf
) -> tuple[Step, ...]:
    """Return the steps of an attack, each with the rule that it rests on."""
    against = "aircraft" if fight.kind in AIRCRAFT else fight.kind
    number = f"{fight.attack_dice} against {against} at {range_in:g} hexes"
    steps = [Step("Attack Dice", f"{form}: {number}", _FORM_RULES[form])]
    if not fight.attack_dice:
        return (*steps, Step("no attack", _why_not(attacker, defence), _FORM_RULES[form]))
    if attacker.attacks > 1 and form == DIRECT:
        steps.append(Step("attacks", f"one of {attacker.attacks} in the phase", "Special Abilities"))
    steps += _die_steps(attacker, fight)
    target = met(fight, defence.condition)
    steps += _value_steps(fight, shown(defence, attacker.flies), target)
    if fight.kind not in AIRCRAFT:
        steps.append(Step("Cover Roll", _cover_words(form, target), _COVER_RULES.get(form, _COVER_RULES[DIRECT])))
    most = left(fight, defence.condition)
    chances = [
        f"{'destroyed' if amount == most else OUTCOMES[amount]} {float(q):.4f}" for amount, q in sorted(taken.items())
    ]
    return (*steps, Step("counters", ", ".join(chances), "Attacks against Soldiers, Vehicles, Aircraft"))


def _die_steps(attacker: Offence, fight: Fight) -> list[Step]:
    card, before = attacker.modifier, fight.modifier
    added = modifier(fight, attacker.condition)
    reasons = [
        (card, "by its card", "Special Abilities"),
        (before - card, "against cover, from the air", "a reply to the rules [F-12]"),
        (added - before, CONDITIONS["vehicle"][attacker.condition], "Effects of face-up counters on vehicles"),
    ]
    steps = [Step("die modifier", f"{n:+d} on each die: {why}", rule) for n, why, rule in reasons if n]
    return [*steps, Step("success", f"4 or more after modifiers: {rules.p_success(added)} a die", "Direct Fire 5")]


_FORM_RULES = {
    DIRECT: "Direct Fire 2-4",
    INDIRECT: "Indirect Fire",
    DEFENSIVE: "Restrictions on Defensive Fire 2, 4, 8",
    BOMBS: "Unit Cards, Aircraft: Bombs",
}
_COVER_RULES = {
    DIRECT: "Cover against Attacks 1-4 [F-7, F-11]",
    INDIRECT: "Indirect Fire 2-3",
    DEFENSIVE: "Restrictions on Defensive Fire 5 [F-9]",
}


def _why_not(attacker: Offence, defence: Defence) -> str:
    if defence.kind == "obstacle":
        return "nothing attacks an obstacle"
    if attacker.lies_low:
        return "a Hit the Dirt counter lies on the attacker"
    return "its card has no dice for this target and range, or the rules forbid it"


def _value_steps(fight: Fight, defence: Defence, target: Target) -> list[Step]:
    first, second, rule = VALUES[fight.kind]
    face = f"{defence.face} " if defence.face else ""
    steps = [Step("target", f"{face}{first} {defence.first}, {second} {defence.second}", rule)]
    if (target.defense, target.disintegration) != (defence.first, defence.second):
        lowered = f"{target.defense}/{target.disintegration}: {CONDITIONS[fight.kind][defence.condition]}"
        steps.append(Step("lowered", lowered, "Effects of face-up counters [F-3]"))
    one, two = target.defense, target.disintegration
    lines = f"below {one} a miss, {one} one, more two, from {two} three"
    if fight.kind in AIRCRAFT:
        lines = f"below {one} none, from {one} Damaged, from {two} Destroyed"
    steps.append(Step("hits by successes", lines, f"{rule} [F-2]"))
    if target.face_down:
        steps.append(Step("face-down counters", f"{target.face_down} before this attack", rule))
    return steps


def _cover_words(form: str, target: Target) -> str:
    if not target.in_cover:
        return "none: no cover hex"
    if target.cover is None:
        return "fails always"
    more = target.cover_modifier - (form == DEFENSIVE)
    if form == INDIRECT:
        return f"{target.cover}+ at {more:+d}, before the attack; a natural 1 fails"
    leaves = "leaves Pinned at most" if form != DEFENSIVE and not target.face_down else "has no effect"
    return f"{target.cover}+ at {more:+d}, crushing -1, devastating -2; a natural 1 fails; passed, the attack {leaves}"
