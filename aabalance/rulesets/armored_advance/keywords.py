"""The keywords, one function each.

A keyword that acts on fire is a function of the sheet that it changes, its value and the moment, and returns the
changed sheet. The order in which a unit's keywords are applied does not matter: they add, or take the smaller or larger
of two values. Keywords that act on movement, transport or aircraft are plain functions of what they change. To add one,
write it here: cards, JSON Schema, explanations and reports know it from the registry.

The distance is none of a keyword's business, though a moment has one: a unit that moves keeps its sheet. A keyword with
a range writes a number into the sheet, and ``shot/resolve.py`` compares it with the distance: see `limited_range`, the
field `reach` in ``shot/sheets.py``, and where `resolve` and, below it, `reads_of_distance` read it. A new number needs
these places, and `relevant` in ``shot/halves.py`` if attacks of one kind alone read it.

Light, medium and heavy (p. 14) and field gun (p. 17) are fields of a card, ``weight`` and ``class``: see
`aabalance.rulesets.armored_advance.card`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.situation import Moment

SCOUT_BONUSES = ((24, 3), (36, 2))
"""Pairs of (distance from scout to target, bonus below it); from the last distance on the bonus is 1 (p. 11)."""


class Keyword(NamedTuple):
    """A registered keyword.

    Attributes
    ----------
    name, rule : str
        Its name, and its page and title in the rulebook.
    acts_on : {"attack", "turn", "target", "friend", "movement", "transport", "air"}
        The primary weapon's attack, the turn's choice of attacks, what the target shows, every attack of a friend; or
        something that is no part of an attack on the ground.
    number : bool
        The keyword carries a number X.
    most : int
        The largest X that a card may give.
    apply : callable
        The function that changes what the keyword acts on.
    meaning : str
        What it does, in one line.
    """

    name: str
    rule: str
    acts_on: str
    number: bool
    most: int
    apply: Callable[..., Any]
    meaning: str


MOST_X = 1000
MOST_SEQUENCES = 12

KEYWORDS: dict[str, Keyword] = {}
CONTRADICTIONS = (("casemate", "reverse_casemate"),)


def keyword(
    acts_on: str, rule: str, *, number: bool = False, most: int = MOST_X
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated function under its own name.

    Parameters
    ----------
    acts_on : str
        As in `Keyword`. It decides what the function gets: the sheet that it changes and gives back, X, and the moment
        of the attack. What is no part of an attack on the ground has parameters of its own.
    rule : str
        Page and title in the rulebook.
    number : bool
        The keyword carries a number X.
    most : int
        The largest X that a card may give.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__
        meaning = (function.__doc__ or name).strip().split("\n")[0]
        KEYWORDS[name] = Keyword(name, rule, acts_on, number, most, function, meaning)
        return function

    return register


# --- on fire ----------------------------------------------------------------------------------------------------


@keyword("friend", "p. 11 Scout")
def scout(attack: Attack, _: int, moment: Moment) -> Attack:
    """For an action, a friend's rolls against a target it sees: +3 below 24 inches, +2 below 36, +1 to 60 (AA-44)."""
    if not moment.scouted:
        return attack
    if moment.hidden:
        return attack.change("scout", "sees the hidden target: no bonus", "p. 21 Walls [AA-19]", scouted=True)
    if attack.kind == "ai":
        return attack
    bonus = scout_bonus(moment.scout_in or 0)
    return attack.change(
        "scout",
        f'{moment.scout_in:g}" from the target: +{bonus} on the roll',
        "p. 11 Scout [AA-43]",
        bonus=attack.bonus + bonus,
        scouted=True,
    )


def scout_bonus(scout_in: float) -> int:
    """Return what a scout adds to a friend's roll, if it is at most 60 inches from the target (p. 11; AA-44).

    With several scouts, only the nearest counts (AA-43).
    """
    return next((bonus for below, bonus in SCOUT_BONUSES if scout_in < below), 1)


@keyword("turn", "p. 12 Accurate")
def accurate(turn: Offence, _: int, moment: Moment) -> Offence:
    """Both actions buy a single shot of the primary weapon with +1 on the roll, if the unit doesn't move."""
    if moment.moved or moment.shifted:
        return turn
    return turn.change("accurate", "may aim: 2 actions, 1 shot", "p. 12 Accurate", aimed=True)


@keyword("turn", "p. 13 Rapid Fire")
def rapid_fire(turn: Offence, _: int, moment: Moment) -> Offence:
    """Both actions may fire the primary weapon."""
    return turn.change("rapid_fire", "primary weapon twice a turn", "p. 13 Rapid Fire", primary_attacks=2)


@keyword("turn", "p. 14 Long Reload")
def long_reload(turn: Offence, _: int, moment: Moment) -> Offence:
    """The primary weapon doesn't fire in two consecutive turns."""
    return turn.change("long_reload", "primary weapon every other turn", "p. 14 Long Reload", reloads=True)


@keyword("attack", "p. 13 Autocannon", number=True, most=MOST_SEQUENCES)
def autocannon(attack: Attack, x: int, moment: Moment) -> Attack:
    """X dice sequences for one attack action; the AI code of the same gun is rolled once (AA-34)."""
    if attack.kind == "ai":
        return replace(attack, bursts=x)
    return attack.change("autocannon", f"{x} dice sequences", "p. 13 Autocannon", attempts=x)


@keyword("attack", "p. 14 Casemate")
def casemate(attack: Attack, _: int, moment: Moment) -> Attack:
    """Fires within the frontal 90 degrees; -1 on the roll if its first action was a move."""
    return _unsteady(attack, "casemate", moment)


@keyword("attack", "p. 14 Reverse Casemate")
def reverse_casemate(attack: Attack, _: int, moment: Moment) -> Attack:
    """Fires within the rear 90 degrees; -1 on the roll if its first action was a move (AA-45)."""
    return _unsteady(attack, "reverse_casemate", moment)


def _unsteady(attack: Attack, name: str, moment: Moment) -> Attack:
    if not moment.moved or attack.kind == "ai":
        return attack
    return attack.change(
        name, "first action was a move: -1 on the roll", "p. 14 Casemate [AA-45]", bonus=attack.bonus - 1
    )


@keyword("attack", "p. 14 Support")
def support(attack: Attack, _: int, moment: Moment) -> Attack:
    """Half as much damage again, rounded up, to field guns and fortifications."""
    if attack.kind == "ai":
        return attack
    return replace(attack, soft_factor=Fraction(3, 2))  # explained where the target is one


@keyword("attack", "p. 15 Limited Range", number=True)
def limited_range(attack: Attack, x: int, moment: Moment) -> Attack:
    """No shot beyond X inches."""
    return attack.change("limited_range", f'reaches {x}"', "p. 15 Limited Range", reach=_shorter(attack.reach, x))


@keyword("turn", "p. 15 Indirect", number=True)
def indirect(turn: Offence, x: int, moment: Moment) -> Offence:
    """After a full turn of setting up, the primary weapon's HE reaches X inches over cover, without a hit roll."""
    lobs = tuple(
        replace(attack, kind="indirect", weapon=f"{attack.weapon} (indirect)").change(
            "indirect", f'over obstructions to {x}"', "p. 15 Indirect [AA-29]", reach=_shorter(attack.reach, x)
        )
        for gun in turn.guns[0][1][:1]
        for attack in gun
        if attack.kind == "he"
    )
    # A gun that moved was set up elsewhere (AA-32, GUESS).
    ready = moment.set_up and not (moment.moved or moment.shifted)
    why = f'once set up, over obstructions to {x}"'
    return turn.change("indirect", why, "p. 15 Indirect [AA-29]", lobs=lobs, set_up=ready)


def _shorter(reach: float | None, x: int) -> float:
    return x if reach is None else min(x, reach)


@keyword("target", "p. 14 Angling", number=True)
def angling(target: Defence, x: int, moment: Moment) -> Defence:
    """Armour X against direct fire from 30 to 60 degrees off the front axis (AA-46)."""
    # 30 to 60 degrees reach into the side's quadrant, which begins at 45 (AA-47).
    if not moment.angled:
        return target
    armor = target.armor + x if target.angling_adds else max(target.armor, x)
    return target.change("angling", f"angled: {x}", "p. 14 Angling [AA-46]", armor=armor)


@keyword("target", "p. 7 Armor Penetration Roll")
def weak_spot(target: Defence, _: int, moment: Moment) -> Defence:
    """A shot 1 or 2 short of the armour still penetrates on 5+ or 6+."""
    return target.change("weak_spot", "5+ at -1, 6+ at -2", "p. 7 Armor Penetration Roll", weak_spot=True)


# --- on anything else -------------------------------------------------------------------------------------------


@keyword("transport", "p. 12 APC", number=True)
def apc(x: int, aboard: int) -> bool:
    """Carries X squads."""
    return aboard < x


@keyword("movement", "p. 13 Towing")
def towing(inches: float, gun_weight: str) -> float:
    """Tows a field gun; a heavy one halves its movement."""
    return inches / 2 if gun_weight == "heavy" else inches


@keyword("movement", "p. 14 Slow Reverse")
def slow_reverse(inches: float) -> float:
    """Backs at half speed unless it turns round."""
    return inches / 2


@keyword("air", "p. 15 Anti-Air", number=True)
def anti_air(x: int, inches: float) -> bool:
    """Spoils air attacks within X inches on 3+, those of aircraft that only pass on 5+; without effect on the ground.

    No match has aircraft (AA-56).
    """
    return inches <= x
