"""Which of its attacks a unit makes, the best or the one that is asked for, and that one as a `Shot`."""

from __future__ import annotations

from typing import Any, NamedTuple

from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armored_advance.shot import needs
from aabalance.rulesets.armored_advance.shot.resolve import NOTHING, WRONG_TARGET, Resolution, resolve
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence, Offence, Watched
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Shot, Step

NOT_SET_UP = Resolution(("takes a full turn to set up first", "p. 15 Indirect [AA-32]"))
NO_SHOT = Shot("none", 0, {}, NOTHING, (), ())


class Option(NamedTuple):
    """An attack that a turn may hold."""

    attack: Attack
    found: Resolution


def shot(offence: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack explained, with `weapon` or with the one of largest expected effect; of equals the first.

    A grenade is thrown only if asked for.

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
        names = sorted({attack.weapon for attack in attacks})
        if weapon not in names:
            raise UsageError(f"weapon: {one_of(weapon, names)}")
        attacks = [attack for attack in attacks if attack.weapon == weapon]
    if not attacks:
        return NO_SHOT
    options = [Option(attack, _found(offence, attack, target, range_in, variant)) for attack in attacks]
    best = best_of(options)
    return as_shot(best, variant, _steps(offence, best.attack, target, range_in, variant))


def _found(
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


def _steps(offence: Offence, attack: Attack, target: Defence, range_in: float, variant: Variant) -> tuple[Step, ...]:
    """Return the steps of an attack: what changed the numbers that it goes by, then each as it is decided."""
    weapon = Step("weapon", f"{attack.weapon} ({attack.kind.upper()})", "p. 5 Selecting a Target")
    decided: list[Step] = []
    brought: Any = Watched(attack)  # each has all that its sheet has
    shown: Any = Watched(target)
    found = _found(offence, brought, shown, range_in, variant, decided)
    if found.obstacle is None:
        return (weapon, *brought.told(), *shown.told(), *decided)
    # An attack that can't be made goes by no numbers: all that it would have met is told.
    met = [note.step for note in (*attack.notes, *target.notes)]
    return (weapon, *met, Step("no attack", *found.obstacle))


def best_of(options: list[Option]) -> Option:
    """Return the attack of largest expected effect, of equals the first.

    Of attacks that do nothing it is one that is meant for such a target: that one says why.
    """
    best = max(options, key=value)
    if best.found.expected:
        return best
    return next((option for option in options if option.found is not WRONG_TARGET[option.attack.kind]), best)


def value(option: Option) -> float:
    """Return the expected effect."""
    return option.found.expected


def as_shot(option: Option, variant: Variant, steps: tuple[Step, ...] = ()) -> Shot:
    """Return a resolved attack as other rooms and layers know it."""
    attack, found = option
    sequences = found.dice.sequences or attack.attempts
    thrown = (found.dice,) if found.rollable else ()
    return Shot(attack.weapon, sequences, _needs(attack, found, variant), found.effect, steps, thrown)


def _needs(attack: Attack, found: Resolution, variant: Variant) -> dict[str, int | None]:
    if attack.kind == "ai" or (attack.kind == "indirect" and not variant.indirect_requires_hit):
        return {}
    hit, pen = (found.roll.need, found.roll.pen_need) if found.roll else (needs.IMPOSSIBLE, needs.IMPOSSIBLE)
    if variant.resolution == "two_dice" and attack.kind == "at":
        return {"hit_need": _natural(hit), "pen_need": _natural(pen)}
    return {"need": _natural(hit)}


def _natural(need: int) -> int | None:
    return None if need >= needs.IMPOSSIBLE else max(need, needs.SURE)
