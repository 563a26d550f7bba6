"""What a unit that holds its ground fires, turn by turn."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armored_advance.attack import Gun, aimed, explain, resolve
from aabalance.rulesets.armored_advance.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Bracket, Plan, Shot, Volley

ACCURATE_ACTIONS = 2

Option = tuple[Attack, Pmf, Fraction]


def plan(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Plan:
    """Return the volleys of a unit that doesn't move: each turn the shots of largest expected effect (p. 5, p. 12-14).

    Every gun fires once, the primary as often as the rules let it, or one accurate shot is taken if that is better; as
    many attacks as the action pool pays for. A long reload alternates between a turn with the primary gun and one without.
    """
    brackets = []
    for least, guns in offence.guns:
        loaded = _best(guns, offence, target, range_in, variant)
        cycle = [_volley(loaded)]
        if offence.reloads:
            primary = {attack.weapon for attack in guns[0]} if guns else set()
            fired = any(attack.weapon in primary for attack, _, _ in loaded)
            cycle.append(_volley(_best(guns[1:], None, target, range_in, variant, offence.actions)) if fired else cycle[0])
        brackets.append(Bracket(least, tuple(cycle)))
    return tuple(brackets)


def _best(
    guns: tuple[Gun, ...], turn: Offence | None, target: Defence, range_in: float, variant: Variant, actions: int = 0
) -> list[Option]:
    """Return the attacks of a turn; without `turn` no gun has a keyword."""
    if turn is not None:
        actions = turn.actions
    options = [_best_kind(gun, target, range_in, variant) for gun in guns]
    repeats = options[:1] * (turn.primary_attacks - 1) if turn is not None else []
    plain = _largest(options[:1] + repeats + options[1:], actions)
    if turn is None or not turn.aimed or actions < ACCURATE_ACTIONS or not guns:
        return plain
    shots = tuple(aimed(attack) for attack in guns[0] if attack.kind != "ai")
    if not shots:
        return plain
    careful = [_best_kind(shots, target, range_in, variant), *_largest(options[1:], actions - ACCURATE_ACTIONS)]
    return careful if _total(careful) > _total(plain) else plain


def _best_kind(gun: Gun, target: Defence, range_in: float, variant: Variant) -> Option:
    options = []
    for attack in gun:
        effect = resolve(attack, target, range_in, variant).effect
        options.append((attack, effect, dice.mean(effect)))
    return max(options, key=lambda option: option[2])


def _largest(options: list[Option], actions: int) -> list[Option]:
    return sorted((option for option in options if option[2]), key=lambda option: -option[2])[:actions]


def _total(options: list[Option]) -> Fraction:
    return sum((value for _, _, value in options), Fraction(0))


def _volley(options: list[Option]) -> Volley:
    return Volley(tuple(attack.weapon for attack, _, _ in options), _sum(tuple(tuple(pmf.items()) for _, pmf, _ in options)))


@lru_cache(maxsize=65536)
def _sum(pmfs: tuple[tuple[tuple[int, Fraction], ...], ...]) -> Pmf:
    return dice.pool(dict(pmf) for pmf in pmfs)


def shot(offence: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack, with `weapon` or with the one of largest expected effect; of equals the first on the card.

    Raises
    ------
    UsageError
        The unit has no such weapon, or none at all.
    """
    attacks = [attack for gun in offence.guns[0][1] for attack in gun]
    if weapon is not None:
        names = {attack.weapon for attack in attacks}
        if weapon not in names:
            raise UsageError(f"weapon: {one_of(weapon, sorted(names))}")
        attacks = [attack for attack in attacks if attack.weapon == weapon]
    if not attacks:
        return Shot("none", 0, {}, dice.constant(0), ())
    attack, _, _ = _best_kind(tuple(attacks), target, range_in, variant)
    return explain(attack, target, range_in, variant)
