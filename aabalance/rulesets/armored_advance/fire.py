"""What a unit fires in a turn."""

from __future__ import annotations

from typing import NamedTuple

from aabalance import dice
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armored_advance import attack as attacks
from aabalance.rulesets.armored_advance.attack import NOTHING, Gun, Resolution, aimed, resolve
from aabalance.rulesets.armored_advance.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Bracket, Shot, Survey, Volley

ACCURATE_ACTIONS = 2

NO_SHOT = Shot("none", 0, {}, NOTHING, (), ())


class Option(NamedTuple):
    """An attack that a turn may hold."""

    attack: Attack
    found: Resolution


def survey(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Survey:
    """Return the turns of a unit that holds, its best single attack, and what an action buys.

    A long reload alternates between a turn with the primary gun and one without (p. 14), and so costs the next turn's
    action as well.
    """
    rows = [_best_kinds(guns, target, range_in, variant) for _, guns in offence.guns]
    brackets = []
    for row, options in enumerate(rows):
        loaded, emptied = _turn(offence, row, options, target, range_in, variant, offence.actions)
        cycle = [_volley(loaded)]
        if offence.reloads:
            cycle.append(_volley(_largest(options[1:], offence.actions)) if emptied else cycle[0])
        brackets.append(Bracket(offence.guns[row][0], tuple(cycle)))
    strongest = rows[0]
    uses = [option.found.expected / (1 + (offence.reloads and n == 0)) for n, option in enumerate(strongest)]
    if offence.aimed:
        careful = _aimed(offence, 0, target, range_in, variant)
        uses += [option.found.expected / (ACCURATE_ACTIONS + offence.reloads) for option in careful]
    best = max(strongest, key=_value, default=None)
    shot = NO_SHOT if best is None else attacks.shot(best.attack, best.found, variant)
    return Survey(tuple(brackets), shot, max(uses, default=0.0))


def choose(
    offence: Offence, row: int, target: Defence, range_in: float, variant: Variant, *, loaded: bool, actions: int
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
    actions : int
        Actions left for firing.
    """
    options = _best_kinds(offence.guns[row][1], target, range_in, variant)
    if not loaded:
        return _volley(_largest(options[1:], actions)), False
    turn, emptied = _turn(offence, row, options, target, range_in, variant, actions)
    return _volley(turn), emptied


def _turn(
    offence: Offence, row: int, options: list[Option], target: Defence, range_in: float, variant: Variant, actions: int
) -> tuple[list[Option], bool]:
    primary, others = options[:1], options[1:]
    best = _largest(primary * offence.primary_attacks + others, actions)
    emptied = offence.reloads and any(option is primary[0] for option in best)
    if offence.aimed and actions >= ACCURATE_ACTIONS:
        for option in _aimed(offence, row, target, range_in, variant):
            careful = [option, *_largest(others, actions - ACCURATE_ACTIONS)]
            if _total(careful) > _total(best):
                best, emptied = careful, offence.reloads
    return best, emptied


def _aimed(offence: Offence, row: int, target: Defence, range_in: float, variant: Variant) -> list[Option]:
    """Return the accurate shot of a unit that may take one: none, or one."""
    if not offence.guns[row][1]:
        return []
    shots = tuple(aimed(attack) for attack in offence.guns[row][1][0] if attack.kind != "ai")
    return _best_kinds((shots,), target, range_in, variant) if shots else []


def _best_kinds(guns: tuple[Gun, ...], target: Defence, range_in: float, variant: Variant) -> list[Option]:
    """Return each gun's attack of largest expected effect; of equals the first on the card."""
    best = []
    for gun in guns:
        options = [Option(attack, resolve(attack, target, range_in, variant)) for attack in gun]
        best.append(max(options, key=_value) if len(options) > 1 else options[0])
    return best


def _value(option: Option) -> float:
    return option.found.expected


def _largest(options: list[Option], actions: int) -> list[Option]:
    useful = [option for option in options if option.found.expected]
    return sorted(useful, key=_value, reverse=True)[:actions] if len(useful) > 1 else useful[:actions]


def _total(options: list[Option]) -> float:
    return sum(option.found.expected for option in options)


def _volley(options: list[Option]) -> Volley:
    if len(options) == 1:
        option = options[0]
        return Volley((option.attack.weapon,), option.found.effect, (option.found.dice,))
    return Volley(
        tuple(option.attack.weapon for option in options),
        dice.pool(option.found.effect for option in options) if options else NOTHING,
        tuple(option.found.dice for option in options),
    )


def shot(offence: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack explained, with `weapon` or with the one of largest expected effect; of equals the first.

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
        return NO_SHOT
    best = _best_kinds((gun,), target, range_in, variant)[0]
    steps = attacks.explain(best.attack, target, range_in, best.found, variant)
    return attacks.shot(best.attack, best.found, variant)._replace(steps=steps)
