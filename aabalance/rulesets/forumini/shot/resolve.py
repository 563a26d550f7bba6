"""One attack, resolved and explained: direct, indirect or defensive fire, or bombs."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import check_word
from aabalance.rulesets.base import Shot, Step
from aabalance.rulesets.forumini.shot import rules, sheets
from aabalance.rulesets.forumini.shot.defensive import defensive_fire, may_fire
from aabalance.rulesets.forumini.shot.rules import AIRCRAFT, DESTROYED, GOOD_ORDER, Kind, Target
from aabalance.rulesets.forumini.shot.sheets import BOMBS, DEFENSIVE, DIRECT, INDIRECT, Defence, Offence, relevant
from aabalance.rulesets.forumini.variant import Reading, Variant

FORM_RULES = {
    DIRECT: "Direct Fire 2-4",
    INDIRECT: "Indirect Fire",
    DEFENSIVE: "Restrictions on Defensive Fire 2, 4, 8",
    BOMBS: "Unit Cards, Aircraft: Bombs",
}
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


# --- an attack under any conditions of both units ---------------------------------------------------------------------


class Encounter(NamedTuple):
    """All that decides what a unit's attacks do to a target, apart from the conditions of both; small and hashable.

    Attributes
    ----------
    weakens : bool
        Whether the attacker's counters lower its dice.
    attack_dice, modifier, attacks : int
        Number of Attack Dice of each attack, what is added to each die, and number of attacks in a phase.
    kind : Kind
        Kind of the target; any aircraft counts as a fighter here.
    printed : Target
        The target in good order.
    hit_the_dirt, own_hit_the_dirt : bool
        Whether the target and the attacker have a Hit the Dirt counter while they are in good order.
    reading : Reading
        The rule switches on which an attack depends.
    """

    weakens: bool
    attack_dice: int
    modifier: int
    attacks: int
    kind: Kind
    printed: Target
    hit_the_dirt: bool
    own_hit_the_dirt: bool
    reading: Reading


def meet(
    attacker: Offence,
    target: Defence,
    attack_dice: int,
    range_in: float,
    variant: Variant,
    steps: list[Step] | None = None,
) -> Encounter:
    """Return the encounter of an attacker and a target; encounters that have the same results are equal.

    Parameters
    ----------
    attacker : Offence
        The attacker's half.
    target : Defence
        The target's half.
    attack_dice : int
        Number of Attack Dice of each attack.
    range_in : float
        Distance in hexes.
    variant : Variant
        The rule switches.
    steps : list of Step, optional
        Takes a step for each decision.
    """
    target = relevant(target, attacker.flies)
    printed, hit_the_dirt = Target(target.defense, target.disintegration, face_down=target.face_down), False
    if target.in_cover:
        hit_the_dirt = target.hit_the_dirt
        more = rules.cover_modifier(target.terrain, same_hex=range_in == 0, hull_down=target.hull_down)
        printed = printed._replace(in_cover=True, cover=target.cover, cover_modifier=more)
    kind: Kind = "fighter" if target.kind in AIRCRAFT else target.kind
    if not attack_dice:
        return Encounter(False, 0, 0, 1, kind, printed, hit_the_dirt, False, variant.reading)
    from_air = -variant.aircraft_cover_penalty if attacker.flies and target.in_cover else 0
    if steps is not None:
        _note_modifier(steps, attacker.modifier, "by its card", "Special Abilities")
        _note_modifier(steps, from_air, "against cover, from the air", "a reply to the rules [F-12]")
    weakens = attacker.kind == "vehicle"
    added, own_hit_the_dirt = attacker.modifier + from_air, attacker.hit_the_dirt
    return Encounter(
        weakens, attack_dice, added, attacker.attacks, kind, printed, hit_the_dirt, own_hit_the_dirt, variant.reading
    )


def attack_dice(encounter: Encounter, own: int) -> int:
    """Return how many Attack Dice an attacker in condition `own` has: none while it has a Hit the Dirt counter."""
    return 0 if encounter.own_hit_the_dirt and own == GOOD_ORDER else encounter.attack_dice


def modifier(encounter: Encounter, own: int, steps: list[Step] | None = None) -> int:
    """Return what is added to each die of an attacker in condition `own`.

    Parameters
    ----------
    encounter : Encounter
        What decides the attacks, apart from the conditions of both units.
    own : int
        Condition of the attacker.
    steps : list of Step, optional
        As for `meet`.
    """
    by_counters = rules.die_modifier("vehicle", own) if encounter.weakens else 0
    added = encounter.modifier + by_counters
    if steps is not None:
        _note_modifier(steps, by_counters, CONDITIONS["vehicle"][own], "Effects of face-up counters on vehicles")
        steps.append(Step("success", f"4 or more after modifiers: {rules.p_success(added)} a die", "Direct Fire 5"))
    return added


def _note_modifier(steps: list[Step], added: int, why: str, rule: str) -> None:
    if added:
        steps.append(Step("die modifier", f"{added:+d} on each die: {why}", rule))


def target_in(encounter: Encounter, condition: int, steps: list[Step] | None = None) -> Target:
    """Return the target of an encounter while it is in this condition.

    Parameters
    ----------
    encounter : Encounter
        What decides the attacks, apart from the conditions of both units.
    condition : int
        Condition of the target.
    steps : list of Step, optional
        As for `meet`.
    """
    printed = encounter.printed
    defense, disintegration = rules.lowered(
        encounter.kind, printed.defense, printed.disintegration, condition, encounter.reading
    )
    if steps is not None:
        if (defense, disintegration) != (printed.defense, printed.disintegration):
            lowered = f"{defense}/{disintegration}: {CONDITIONS[encounter.kind][condition]}"
            steps.append(Step("lowered", lowered, "Effects of face-up counters [F-3]"))
        *_, rule = VALUES[encounter.kind]
        steps.append(Step("hits by successes", _hits_in_words(encounter, defense, disintegration), f"{rule} [F-2]"))
        if printed.face_down:
            steps.append(Step("face-down counters", f"{printed.face_down} before this attack", rule))
    hit_the_dirt = encounter.hit_the_dirt and condition == GOOD_ORDER
    more = rules.cover_modifier(printed.cover_modifier, hit_the_dirt=hit_the_dirt)
    return printed._replace(defense=defense, disintegration=disintegration, cover_modifier=more)


def _hits_in_words(encounter: Encounter, defense: int, disintegration: int) -> str:
    """Return in words how many hits so many successes score against these values [F-2: where both are equal]."""
    if encounter.kind in AIRCRAFT:
        once = f", from {defense} Damaged" if defense < disintegration else ""
        return f"below {defense} none{once}, from {disintegration} Destroyed"
    one_hit = f", {defense} one" if rules.hits(defense, defense, disintegration, encounter.reading) == 1 else ""
    two = ", more two" if defense < disintegration else ""
    three = (
        disintegration
        if rules.hits(disintegration, defense, disintegration, encounter.reading) == 3
        else disintegration + 1
    )
    return f"below {defense} a miss{one_hit}{two}, from {three} three"


@lru_cache(maxsize=65536)
def counters(encounter: Encounter, own: int, condition: int, attacks: int) -> Pmf:
    """Return the distribution of the target's face-down counters after some attacks of one phase.

    Parameters
    ----------
    encounter : Encounter
        What decides the attacks, apart from the conditions of both units.
    own, condition : int
        Conditions of the attacker and of the target; they don't change during the phase.
    attacks : int
        Number of attacks. They follow one another, so that each finds the counters of those before it.
    """
    target, added, number = target_in(encounter, condition), modifier(encounter, own), attack_dice(encounter, own)
    if not number:  # otherwise the 0 successes of 0 dice would equal a Defense of 0 [F-3]
        return dice.constant(target.face_down)

    def struck(had: int) -> Pmf:
        if encounter.kind in AIRCRAFT:
            before = had + rules.damaged(condition)
            after = rules.antiair(number, added, target.defense, target.disintegration, before)
            return dice.transform(after, lambda total: max(total - rules.damaged(condition), had))
        return rules.attack(number, added, target._replace(face_down=had), encounter.reading)

    return dice.sequence(target.face_down, [struck] * attacks)


def counters_left(encounter: Encounter, condition: int) -> int:
    """Return how many more counters destroy a target in this condition in the casualty phase of the turn."""
    destroying = (
        counters
        for counters in range(1, rules.toughness(encounter.kind) + 1)
        if rules.casualty(encounter.kind, condition, counters, encounter.reading) == DESTROYED
    )
    return next(destroying) - encounter.printed.face_down


def counters_added(encounter: Encounter, condition: int, after: Pmf, steps: list[Step] | None = None) -> Pmf:
    """Return the distribution of the counters that an attack adds to its target.

    Parameters
    ----------
    encounter : Encounter
        What decides the attacks, apart from the conditions of both units.
    condition : int
        Condition of the target before the attack.
    after : Pmf
        Its counters after the attack; more than destroy it don't count.
    steps : list of Step, optional
        As for `meet`.
    """
    most = counters_left(encounter, condition)
    taken = dice.transform(after, lambda counters: min(counters - encounter.printed.face_down, most))
    if steps is not None:
        chances = [
            f"{'destroyed' if amount == most else OUTCOMES[amount]} {float(q):.4f}"
            for amount, q in sorted(taken.items())
        ]
        steps.append(Step("counters", ", ".join(chances), "Attacks against Soldiers, Vehicles, Aircraft"))
    return taken


def shot_of(
    weapon: str, encounter: Encounter, own: int, condition: int, taken: Pmf, steps: tuple[Step, ...] = ()
) -> Shot:
    """Return a resolved attack as a `Shot`.

    Parameters
    ----------
    weapon : str
        Name of the form of attack.
    encounter : Encounter
        What decides the attacks, apart from the conditions of both units.
    own, condition : int
        Conditions of the attacker and of the target.
    taken : Pmf
        Number of counters that the attack adds, from `counters_added`.
    steps : tuple of Step
        Its explanation; empty in tables.
    """
    number = attack_dice(encounter, own)
    need = max(rules.SUCCESS - modifier(encounter, own), 1)
    needs = {"need": need if need <= rules.D6 else None} if number else {}
    return Shot(weapon, number, needs, taken, steps, left=counters_left(encounter, condition))


# --- an attack in any form, explained ---------------------------------------------------------------------------------


def shot(attacker: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack with its explanation: direct fire, unless `weapon` names another form of attack.

    Parameters
    ----------
    attacker : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in hexes.
    variant : Variant
        The rule switches.
    weapon : str or None
        Name of a form of attack.

    Raises
    ------
    UsageError
        The unit has no such form of attack.
    """
    form = weapon or DIRECT
    check_word("weapon", form, attacker.fires)
    if form == DEFENSIVE:  # it moves, which takes these counters off (Hit the Dirt; Hull Down)
        target = replace(target, hit_the_dirt=False, hull_down=False)
    steps: list[Step] = []
    own, condition = attacker.condition, target.condition
    number = form_dice(form, attacker, target.kind, range_in, steps)
    encounter = meet(
        replace(attacker, hit_the_dirt=False), target, number, range_in, variant, steps
    )  # `number` has it in
    if not number:
        return shot_of(form, encounter, own, condition, dice.constant(0), tuple(steps))
    added = modifier(encounter, own, steps)
    steps.append(_target_step(encounter.kind, relevant(target, attacker.flies)))
    struck = target_in(encounter, condition, steps)
    if form == DEFENSIVE:
        always = variant.df_always_cover
        p = defensive_fire(number, added, struck, encounter.reading, always_cover=always, steps=steps)
        after = dice.transform(dice.bernoulli(p, dice.constant(1)), lambda pinned: max(pinned, struck.face_down))
    elif form == INDIRECT:
        after = rules.indirect(number, added, struck, encounter.reading, steps)
    else:
        if encounter.kind not in AIRCRAFT:
            steps.append(_cover_step(struck))
        after = counters(encounter, own, condition, 1)
    taken = counters_added(encounter, condition, after, steps)
    if set(taken) == {0}:
        most, (value, *_) = number if rules.p_success(added) else 0, VALUES[encounter.kind]
        few = f"{most} success{'es' * (most != 1)} at most, {value} {struck.defense}"
        why = few if most < struck.defense else "it leaves one counter at most, and there is one already"
        steps.append(Step("no effect", why, FORM_RULES[form]))
    return shot_of(form, encounter, own, condition, taken, tuple(steps))


def form_dice(form: str, attacker: Offence, kind: Kind, range_in: float, steps: list[Step]) -> int:
    """Return the number of Attack Dice of a form of attack; 0 if the rules don't allow it.

    Parameters
    ----------
    form : str
        Name of the form of attack.
    attacker : Offence
        The attacker's half.
    kind : str
        Kind of the target.
    range_in : float
        Distance in hexes.
    steps : list of Step
        Takes a step with the number of dice; if it is 0, another with the reason.
    """
    number, why_not = _form_dice(form, attacker, kind, range_in)
    against = "aircraft" if kind in AIRCRAFT else kind
    far = f"{range_in:g} {'hex' if range_in == 1 else 'hexes'}"
    steps.append(Step("Attack Dice", f"{form}: {number} against {against} at {far}", FORM_RULES[form]))
    if not number:
        steps.append(Step("no attack", why_not, FORM_RULES[form]))
    elif attacker.attacks > 1 and form == DIRECT:
        steps.append(Step("attacks", f"one of {attacker.attacks} in the phase", "Special Abilities"))
    return number


def _form_dice(form: str, attacker: Offence, kind: Kind, range_in: float) -> tuple[int, str]:
    """Return the number of Attack Dice, and the reason why there are none if that is 0."""
    forbidden = "the rules allow no such attack by it, or on this target"
    if kind == "obstacle":
        return 0, "nothing attacks an obstacle"
    watches = form == DEFENSIVE and range_in > 1  # at what isn't next to it only Overwatch fires (Overwatch 2)
    if form == DEFENSIVE and not may_fire(replace(attacker, hull_down=False) if watches else attacker, kind):
        return 0, forbidden
    if attacker.lies_low and not watches and (form != DEFENSIVE or range_in > 0):
        return 0, "a Hit the Dirt counter lies on the attacker"
    if form == BOMBS:
        return attacker.bombs if kind in ("soldier", "vehicle") else 0, forbidden
    if form == INDIRECT and kind in AIRCRAFT:
        return 0, forbidden
    return sheets.attack_dice(attacker, kind, range_in), "its card has no dice against this target at this range"


def _target_step(kind: Kind, target: Defence) -> Step:
    first, second, rule = VALUES[kind]
    face = f"{target.face} " if target.face else ""
    return Step("target", f"{face}{first} {target.defense}, {second} {target.disintegration}", rule)


def _cover_step(target: Target) -> Step:
    leaves = "has no effect" if target.face_down else "leaves Pinned at most"
    how = f"{rules.crushing_in_words(target)}; a natural 1 fails; passed, the attack {leaves}"
    return rules.cover_step(target, target.cover_modifier, how, "Cover against Attacks 1-4 [F-7, F-11]")
