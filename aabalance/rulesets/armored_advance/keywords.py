"""The keywords, one function each.

A function gets the sheet that the keyword changes, the keyword's value and the situation, and returns the changed one.
The order in which a unit's keywords are applied does not matter: they add, or take the smaller or larger of two values.
To add one, write it here: cards, JSON Schema, explanations and reports know it from the registry.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from aabalance.rulesets.armored_advance.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.situation import Situation


class Keyword(NamedTuple):
    """A registered keyword.

    Attributes
    ----------
    name, rule : str
    acts_on : {"attack", "turn", "target", ""}
        The primary weapon's attack, the turn's choice of attacks, what the target shows, or nothing of a fight.
    number : bool
        The keyword carries a number X.
    apply : callable or None
    effect : str
        One line for people.
    """

    name: str
    rule: str
    acts_on: str
    number: bool
    apply: Callable[[Any, int, Situation], Any] | None
    effect: str


KEYWORDS: dict[str, Keyword] = {}
CONTRADICTIONS = (("casemate", "reverse_casemate"),)


def keyword(acts_on: str, rule: str, *, number: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated function under its own name."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__
        effect = (function.__doc__ or name).strip().split("\n")[0]
        KEYWORDS[name] = Keyword(name, rule, acts_on, number, function, effect)
        return function

    return register


def _without_fire_effect(name: str, rule: str, effect: str, *, number: bool = False) -> None:
    KEYWORDS[name] = Keyword(name, rule, "", number, None, effect)


@keyword("turn", "p. 12 Accurate")
def accurate(turn: Offence, _: int, situation: Situation) -> Offence:
    """Both actions buy a single shot of the primary weapon with +1 on the roll, if the unit doesn't move."""
    if situation.moved or situation.shifted:
        return turn
    return turn.change("accurate", "may aim: 2 actions, 1 shot", "p. 12 Accurate", aimed=True)


@keyword("turn", "p. 13 Rapid Fire")
def rapid_fire(turn: Offence, _: int, situation: Situation) -> Offence:
    """Both actions may fire the primary weapon."""
    return turn.change("rapid_fire", "primary weapon twice a turn", "p. 13 Rapid Fire", primary_attacks=2)


@keyword("turn", "p. 14 Long Reload")
def long_reload(turn: Offence, _: int, situation: Situation) -> Offence:
    """The primary weapon doesn't fire in two consecutive turns."""
    return turn.change("long_reload", "primary weapon every other turn", "p. 14 Long Reload", reloads=True)


@keyword("attack", "p. 13 Autocannon", number=True)
def autocannon(attack: Attack, x: int, situation: Situation) -> Attack:
    """X dice sequences for one attack action; the AI code of the same gun is rolled once (AA-34)."""
    if attack.kind == "ai":
        return attack
    return attack.change("autocannon", f"{x} dice sequences", "p. 13 Autocannon", attempts=x)


@keyword("attack", "p. 14 Casemate")
def casemate(attack: Attack, _: int, situation: Situation) -> Attack:
    """Fires within the frontal 90 degrees; -1 on the roll if its first action was a move."""
    return _unsteady(attack, "casemate", situation)


@keyword("attack", "p. 14 Reverse Casemate")
def reverse_casemate(attack: Attack, _: int, situation: Situation) -> Attack:
    """Fires within the rear 90 degrees; -1 on the roll if its first action was a move (AA-45)."""
    return _unsteady(attack, "reverse_casemate", situation)


def _unsteady(attack: Attack, name: str, situation: Situation) -> Attack:
    if not situation.moved or attack.kind == "ai":
        return attack
    return attack.change(
        name, "first action was a move: -1 on the roll", "p. 14 Casemate [AA-45]", bonus=attack.bonus - 1
    )


@keyword("attack", "p. 14 Support")
def support(attack: Attack, _: int, situation: Situation) -> Attack:
    """Half as much damage again, rounded up, to field guns and fortifications."""
    if attack.kind == "ai":
        return attack
    return attack.change("support", "x 1.5 against field guns", "p. 14 Support [AA-48]", soft_factor=Fraction(3, 2))


@keyword("attack", "p. 15 Limited Range", number=True)
def limited_range(attack: Attack, x: int, situation: Situation) -> Attack:
    """No shot beyond X inches."""
    reach = x if attack.reach is None else min(x, attack.reach)
    return attack.change("limited_range", f'reaches {x}"', "p. 15 Limited Range", reach=reach)


@keyword("target", "p. 14 Angling", number=True)
def angling(target: Defence, x: int, situation: Situation) -> Defence:
    """Armour X against direct fire from 30 to 60 degrees off the front axis (AA-46)."""
    # 30 to 60 degrees reach into the side's quadrant, which begins at 45 (AA-47).
    if not situation.angled or situation.facing == "rear":
        return target
    return target.change("angling", f"angled: armour {x}", "p. 14 Angling [AA-46]", armor=max(x, target.armor))


@keyword("target", "p. 7 Armor Penetration Roll")
def weak_spot(target: Defence, _: int, situation: Situation) -> Defence:
    """A shot 1 or 2 short of the armour still penetrates on 5+ or 6+."""
    return target.change("weak_spot", "5+ at -1, 6+ at -2", "p. 7 Armor Penetration Roll", weak_spot=True)


_without_fire_effect("scout", "p. 11 Scout", "An action marks a target: +1 to +3 on the roll of one other unit.")
_without_fire_effect("apc", "p. 12 APC", "Carries X squads.", number=True)
_without_fire_effect("towing", "p. 13 Towing", "Tows a field gun.")
_without_fire_effect("slow_reverse", "p. 14 Slow Reverse", "Backs at half speed unless it turns round.")
_without_fire_effect("anti_air", "p. 15 Anti-Air", "Spoils air attacks within X inches.", number=True)
_without_fire_effect(
    "indirect", "p. 15 Indirect", "After a turn of setting up, fires over cover to X inches.", number=True
)
