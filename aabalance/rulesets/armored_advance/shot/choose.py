"""Choose the attack that a unit makes, the best one or the one that was named, and return it as a `Shot`."""

from __future__ import annotations

from typing import Any, NamedTuple

from aabalance.errors import check_word
from aabalance.rulesets.armored_advance.shot import tables
from aabalance.rulesets.armored_advance.shot.resolve import NOTHING, WRONG_TARGET, Resolution, resolve
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence, Offence, Watched
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Shot, Step

NOT_SET_UP = Resolution(("takes a full turn to set up first", "p. 15 Indirect [AA-32]"))
NO_SHOT = Shot("none", 0, {}, NOTHING, (), ())


class Option(NamedTuple):
    """An attack that a turn may hold."""

    attack: Attack
    resolution: Resolution


def shot(offence: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack, explained: with `weapon`, or else the first one of largest expected effect.

    A grenade is thrown only if `weapon` names it.

    Parameters
    ----------
    offence : Offence
        What the attacker brings.
    target : Defence
        What the target shows.
    range_in : float
        Distance in inches.
    variant : Variant
        The rule switches.
    weapon : str or None
        Name of the weapon; ``grenade`` throws one.

    Raises
    ------
    UsageError
        The unit has no such weapon.
    """
    attacks = [attack for gun in offence.guns[0][1] for attack in gun]
    if offence.set_up or weapon is not None:
        attacks += offence.lobs
    if weapon is not None:
        attacks += [] if offence.grenade is None else [offence.grenade]
        check_word("weapon", weapon, sorted({attack.weapon for attack in attacks}))
        attacks = [attack for attack in attacks if attack.weapon == weapon]
    if not attacks:
        return NO_SHOT
    options = [Option(attack, _resolved(offence, attack, target, range_in, variant)) for attack in attacks]
    best = best_of(options)
    return as_shot(best, variant, steps(offence, best.attack, target, range_in, variant))


def _resolved(
    offence: Offence,
    attack: Attack,
    target: Defence,
    range_in: float,
    variant: Variant,
    steps: list[Step] | None = None,
) -> Resolution:
    if attack.kind == "indirect" and not offence.set_up:
        return NOT_SET_UP
    return resolve(attack, target, range_in, variant, steps)


def steps(offence: Offence, attack: Attack, target: Defence, range_in: float, variant: Variant) -> tuple[Step, ...]:
    """Return the steps of an attack: first what changed the numbers that it reads, then each decision.

    Parameters
    ----------
    offence : Offence
        What the attacker brings.
    attack : Attack
        One of its attacks.
    target : Defence
        What the target shows.
    range_in : float
        Distance in inches.
    variant : Variant
        The rule switches.
    """
    weapon = Step("weapon", f"{attack.weapon} ({attack.kind.upper()})", "p. 5 Selecting a Target")
    decided: list[Step] = []
    brought: Any = Watched(attack)  # it has every attribute of its sheet
    shown: Any = Watched(target)
    resolution = _resolved(offence, brought, shown, range_in, variant, decided)
    if resolution.obstacle is None:
        return (weapon, *brought.told(), *shown.told(), *decided)
    # An attack that can't be made reads no numbers, so every change is listed.
    met = [note.step for note in (*attack.notes, *target.notes)]
    return (weapon, *met, Step("no attack", *resolution.obstacle))


def best_of(options: list[Option]) -> Option:
    """Return the attack of largest expected effect; of equal ones the first.

    If no attack has an effect, return one that is meant for this kind of target, since its obstacle says why.
    """
    best = max(options, key=value)
    if best.resolution.expected:
        return best
    return next((option for option in options if option.resolution is not WRONG_TARGET[option.attack.kind]), best)


def value(option: Option) -> float:
    """Return the expected effect of an attack."""
    return option.resolution.expected


def as_shot(option: Option, variant: Variant, steps: tuple[Step, ...] = ()) -> Shot:
    """Return a resolved attack as a `Shot`.

    Parameters
    ----------
    option : Option
        The attack with its resolution.
    variant : Variant
        It decides which needs are told: of one die, or of two.
    steps : tuple of Step
        That explain it; empty in tables.
    """
    attack, resolution = option
    sequences = resolution.dice.sequences or attack.attempts
    rolled = (resolution.dice,) if resolution.rollable else ()
    return Shot(attack.weapon, sequences, _needs(attack, resolution, variant), resolution.effect, steps, rolled)


def _needs(attack: Attack, resolution: Resolution, variant: Variant) -> dict[str, int | None]:
    if attack.kind == "ai" or (attack.kind == "indirect" and not variant.indirect_requires_hit):
        return {}
    hit, pen = (
        (resolution.roll.need, resolution.roll.pen_need) if resolution.roll else (tables.IMPOSSIBLE, tables.IMPOSSIBLE)
    )
    if variant.resolution == "two_dice" and attack.kind == "at":
        return {"hit_need": _natural(hit), "pen_need": _natural(pen)}
    return {"need": _natural(hit)}


def _natural(need: int) -> int | None:
    return None if need >= tables.IMPOSSIBLE else max(need, tables.SURE)
