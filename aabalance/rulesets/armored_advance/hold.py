"""What a unit that holds its ground fires, turn by turn."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armored_advance import attack as attacks
from aabalance.rulesets.armored_advance.attack import Gun, aimed, resolve
from aabalance.rulesets.armored_advance.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Bracket, Plan, Shot, Volley

ACCURATE_ACTIONS = 2


class Option(NamedTuple):
    """An attack that a turn may hold."""

    attack: Attack
    effect: Pmf
    value: Fraction


def plan(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Plan:
    """Return the volleys of a unit that doesn't move: each turn the shots of largest expected effect (p. 5, p. 12-14).

    Every gun fires once, the primary as often as the rules let it, or one accurate shot is taken if that is better; as
    many attacks as the action pool pays for. A long reload alternates between a turn with the primary gun and one without.
    """
    brackets = []
    for least, guns in offence.guns:
        options = [_best_kind(gun, target, range_in, variant) for gun in guns]
        primary, others = options[:1], options[1:]
        loaded = _largest(primary * offence.primary_attacks + others, offence.actions)
        if offence.aimed and offence.actions >= ACCURATE_ACTIONS:
            shots = tuple(aimed(attack) for attack in guns[0] if attack.kind != "ai")
            if shots:
                careful = [_best_kind(shots, target, range_in, variant)]
                careful += _largest(others, offence.actions - ACCURATE_ACTIONS)
                loaded = max(loaded, careful, key=_total)
        cycle = [_volley(loaded)]
        if offence.reloads:
            reloading = _largest(others, offence.actions)
            cycle.append(_volley(reloading) if _total(loaded) > _total(reloading) else cycle[0])
        brackets.append(Bracket(least, tuple(cycle)))
    return tuple(brackets)


def _best_kind(gun: Gun, target: Defence, range_in: float, variant: Variant) -> Option:
    options = []
    for attack in gun:
        found = resolve(attack, target, range_in, variant)
        options.append(Option(attack, found.effect, found.expected))
    return max(options, key=lambda option: option.value)


def _largest(options: list[Option], actions: int) -> list[Option]:
    return sorted((option for option in options if option.value), key=lambda option: -option.value)[:actions]


def _total(options: list[Option]) -> Fraction:
    return sum((option.value for option in options), Fraction(0))


def _volley(options: list[Option]) -> Volley:
    effect = options[0].effect if len(options) == 1 else dice.pool(option.effect for option in options)
    return Volley(tuple(option.attack.weapon for option in options), effect)


def per_action(offence: Offence, target: Defence, range_in: float, variant: Variant) -> float:
    """Return the largest expected effect of an action; a gun with a long reload costs the next turn's action as well."""
    best = Fraction(0)
    for index, gun in enumerate(offence.guns[0][1]):
        reload = int(offence.reloads and index == 0)
        best = max(best, _best_kind(gun, target, range_in, variant).value / (1 + reload))
    return float(best)


def shot(
    offence: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None, explain: bool
) -> Shot:
    """Return one attack, with `weapon` or with the one of largest expected effect; of equals the first on the card.

    Raises
    ------
    UsageError
        The unit has no such weapon.
    """
    gun = tuple(attack for gun in offence.guns[0][1] for attack in gun)
    if weapon is not None:
        names = sorted({attack.weapon for attack in gun})
        if weapon not in names:
            raise UsageError(f"weapon: {one_of(weapon, names)}")
        gun = tuple(attack for attack in gun if attack.weapon == weapon)
    if not gun:
        return Shot("none", 0, {}, dice.constant(0), ())
    return attacks.shot(_best_kind(gun, target, range_in, variant).attack, target, range_in, variant, explain)
