"""Damage and casualties of a hit: the rulebook's tables as functions of plain numbers.

By the face of a D6; AA-n are the open points, switched by the fields of `Variant`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from aabalance.rulesets.armored_advance.card import AI_CODE
from aabalance.rulesets.armored_advance.shot.needs import D6


@lru_cache(maxsize=4096)
def he_damage(base: int, n: int, side_armor: int, factor: Fraction = Fraction(1)) -> tuple[int, ...]:
    """Return HE damage on a hit by the face of the D6: base - n * D6 - side armour, never below 0 (p. 10; AA-25 to 27).

    `factor` is applied last and rounded up (Support against field guns, p. 14; AA-48).

    Parameters
    ----------
    base, n : int
        Of the weapon.
    side_armor : int
        Of the target, centimetres.
    factor : Fraction
        Of Support against field guns; 1 for all else.

    Returns
    -------
    tuple of int, length 6
        Hit points by the face of the die.
    """
    rolled = (max(0, base - n * face - side_armor) for face in range(1, D6 + 1))
    return tuple(-int(-value * factor // 1) for value in rolled)


@lru_cache(maxsize=4096)
def casualties(
    ai: str, strength: int, *, kills: int = 0, halved: bool = False, kills_after_clamp: bool = True
) -> tuple[int, ...]:
    """Return the men a squad loses to an anti-infantry attack, by the face of a D6 (p. 10, p. 17-18, p. 21).

    A D3 is a D6 halved, rounded up. AA-36 to AA-39.

    Parameters
    ----------
    ai : str
        Casualty code, for example ``"D3-1"``, ``"D6-2"`` or ``"1"``.
    strength : int
        Men in the squad, the most it can lose.
    kills : int
        What the attacker's machine gun adds.
    halved : bool
        Sandbags halve the total, rounded down.
    kills_after_clamp : bool
        The roll is first raised to 0 if it is below, and then `kills` are added (AA-38); else the other way round.
    """
    match = AI_CODE.fullmatch(ai)
    if match is None:
        raise ValueError(f"not a casualty code: {ai!r}")
    plus, sides = int(match["plus"] or 0), int(match["sides"] or 0)
    lost = []
    for face in range(1, D6 + 1):
        rolled = -(-face * sides // D6) + plus
        total = max(0, rolled) + kills if kills_after_clamp else max(0, rolled + kills)
        lost.append(min(strength, total // 2 if halved else total))
    return tuple(lost)


FULL_BELOW_IN = 8
HALVED_TO_IN = 14
UNTOUCHED_ABOVE_IN = 15
INDIRECT_STEPS_IN = (
    float(FULL_BELOW_IN),
    *(math.nextafter(still_in, math.inf) for still_in in (HALVED_TO_IN, UNTOUCHED_ABOVE_IN)),
)
"""Inches moved by a target at which its `indirect_step` changes: 8, and just more than 14 and 15."""


def indirect_share(moved_in: float, gap: str) -> Fraction:
    """Return the share of indirect damage that a target takes, by how far it moved in its last turn (p. 15; AA-30).

    Parameters
    ----------
    moved_in : float
        Inches that the target moved.
    gap : {"halve", "immune"}
        What happens between 14 and 15 inches; see the variant ``indirect_gap``.
    """
    if moved_in < FULL_BELOW_IN:
        return Fraction(1)
    if moved_in <= HALVED_TO_IN or (moved_in <= UNTOUCHED_ABOVE_IN and gap == "halve"):
        return Fraction(1, 2)
    return Fraction(0)


def indirect_step(moved_in: float) -> int:
    """Return inches that stand for `moved_in`: one number for all distances with the same effect on indirect fire."""
    if moved_in < FULL_BELOW_IN:
        return int(moved_in > 0)
    steps = HALVED_TO_IN, UNTOUCHED_ABOVE_IN
    return next((step for step in steps if moved_in <= step), UNTOUCHED_ABOVE_IN + 1)


@lru_cache(maxsize=4096)
def indirect_damage(damage: tuple[int, ...], share: Fraction, rounding: str) -> tuple[int, ...]:
    """Return the part `share` of HE damage, by face of the D6.

    Parameters
    ----------
    damage : tuple of int
        Full damage by face, with the armour already taken off.
    share : Fraction
        From `indirect_share`.
    rounding : {"up", "down"}
        AA-31.
    """
    parts = (share * amount for amount in damage)
    return tuple(-int(-part // 1) if rounding == "up" else int(part // 1) for part in parts)
