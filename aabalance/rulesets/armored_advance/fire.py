"""What a unit fires in a turn."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from aabalance import dice
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armored_advance import attack as attacks
from aabalance.rulesets.armored_advance.attack import Gun, Resolution, aimed, resolve
from aabalance.rulesets.armored_advance.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Bracket, Plan, Shot, Volley

ACCURATE_ACTIONS = 2


class Option(NamedTuple):
    """An attack that a turn may hold."""

    attack: Attack
    found: Resolution


def plan(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Plan:
    """Return the volleys of a unit that doesn't move, turn by turn.

    A long reload alternates between a turn with the primary gun and one without (p. 14).
    """
    brackets = []
    for row, (least, _) in enumerate(offence.guns):
        loaded, emptied = choose(offence, row, target, range_in, variant, loaded=True)
        cycle = [loaded]
        if offence.reloads:
            cycle.append(choose(offence, row, target, range_in, variant, loaded=False)[0] if emptied else loaded)
        brackets.append(Bracket(least, tuple(cycle)))
    return tuple(brackets)


def choose(
    offence: Offence,
    row: int,
    target: Defence,
    range_in: float,
    variant: Variant,
    *,
    loaded: bool,
    actions: int | None = None,
) -> tuple[Volley, bool]:
    """Return the attacks of a turn, those of largest expected effect, and whether they empty the primary gun.

    Every gun fires once, the primary as often as the rules let it, or one accurate shot is taken if that is better; as
    many attacks as the actions pay for (p. 5 Shooting, p. 12-14).

    Parameters
    ----------
    row : int
        Which of ``offence.guns``.
    loaded : bool
        The primary gun may fire.
    actions : int, optional
        Actions left for firing; the whole pool by default.
    """
    guns = offence.guns[row][1]
    actions = offence.actions if actions is None else actions
    options = [_best_kind(gun, target, range_in, variant) for gun in guns]
    primary, others = options[:1], options[1:]
    if not loaded:
        return _volley(_largest(others, actions)), False
    best = _largest(primary * offence.primary_attacks + others, actions)
    if offence.aimed and actions >= ACCURATE_ACTIONS:
        shots = tuple(aimed(attack) for attack in guns[0] if attack.kind != "ai")
        if shots:
            careful = [_best_kind(shots, target, range_in, variant), *_largest(others, actions - ACCURATE_ACTIONS)]
            best = max(best, careful, key=_total)
    return _volley(best), _total(best) > _total(_largest(others, actions))


def _best_kind(gun: Gun, target: Defence, range_in: float, variant: Variant) -> Option:
    options = [Option(attack, resolve(attack, target, range_in, variant)) for attack in gun]
    return max(options, key=lambda option: option.found.expected)


def _largest(options: list[Option], actions: int) -> list[Option]:
    useful = (option for option in options if option.found.expected)
    return sorted(useful, key=lambda option: -option.found.expected)[:actions]


def _total(options: list[Option]) -> Fraction:
    return sum((option.found.expected for option in options), Fraction(0))


def _volley(options: list[Option]) -> Volley:
    effects = [option.found.effect for option in options]
    effect = effects[0] if len(effects) == 1 else dice.pool(effects)
    return Volley(
        tuple(option.attack.weapon for option in options), effect, tuple(option.found.dice for option in options)
    )


def per_action(offence: Offence, target: Defence, range_in: float, variant: Variant) -> float:
    """Return the largest expected effect of an action; a long reload costs the next turn's action as well."""
    best = Fraction(0)
    for index, gun in enumerate(offence.guns[0][1]):
        reload = int(offence.reloads and index == 0)
        best = max(best, _best_kind(gun, target, range_in, variant).found.expected / (1 + reload))
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
