"""The rulebook's tables as functions of plain numbers: the natural rolls needed, and what a hit takes.

Sections are those of Core Rules version 1.1; AA-n are the open points, switched by the fields of `Variant`. Damage and
casualties are given by the face of a D6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from aabalance import dice
from aabalance.rulesets.armored_advance.card import sides_and_plus
from aabalance.rulesets.armored_advance.variant import Reading

D6 = 6
IMPOSSIBLE = 7
SURE = 1
BANDS = 6
BAND_IN = 6

PEN_NEEDS = {2: SURE, 1: 2, 0: 4, -1: 6}
PEN_NEEDS_WEAK_SPOT = PEN_NEEDS | {-1: 5, -2: 6}

HE_MODIFIERS = {"light": (0, -2), "medium": (1, 0), "heavy": (2, 1)}
"""Added to an HE hit roll: target stationary, target moved (p. 10, Large Caliber Artillery Attacks)."""
BOTH_MOVES = 2
"""Move actions of a target that moved with both (p. 10)."""


@lru_cache(maxsize=4096)
def range_band(range_in: float, range_boundary: str) -> int:
    """Return the range band, 1 to 6, which is also the base roll needed (p. 6 Hit Roll; AA-2, AA-3, AA-4)."""
    ratio = Decimal(str(range_in)) / BAND_IN
    if range_boundary == "strict":
        band = int(ratio.to_integral_value(ROUND_FLOOR)) + 1
    else:
        band = int(ratio.to_integral_value(ROUND_CEILING))
    return min(max(band, 1), BANDS)


def penetration_need(margin: float, weak_spot: bool) -> int:
    """Return the roll needed to penetrate (p. 7 Armor Penetration Roll; AA-15, AA-16).

    `margin` is penetration less armour in centimetres, rounded down; `IMPOSSIBLE` where no roll penetrates.
    """
    table = PEN_NEEDS_WEAK_SPOT if weak_spot else PEN_NEEDS
    return table.get(2 if margin >= 2 else math.floor(margin), IMPOSSIBLE)


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """The needs of one dice sequence; told apart by identity, as `roll` gives the same object again.

    Attributes
    ----------
    need : int
        Natural roll of the one die, or of the hit die of two; 1 or less can't fail, 7 or more can't succeed.
    pen_need : int
        Natural roll of the penetration die; 1 where there is one die only.
    reroll, pen_reroll : int
        Failing face that is rolled again, 0 for none.
    p_need, p_pen_need : Fraction
        Chances of the two dice, rerolls included.
    """

    need: int
    pen_need: int
    reroll: int
    pen_reroll: int
    p_need: Fraction
    p_pen_need: Fraction

    @property
    def p(self) -> Fraction:
        """Chance that the sequence does damage."""
        return self.p_need * self.p_pen_need


@lru_cache(maxsize=65536)
def roll(band: int, increase: int, pen_need: int, bonus: int, advantage: bool, reading: Reading) -> Roll:
    """Return the needs of a dice sequence, and its chance (p. 5 Shooting, p. 6 Hit Roll, p. 8 State Modifiers).

    Parameters
    ----------
    band, increase : int
        Base requirement, and what terrain adds to it, "to a maximum of 6" (p. 21; AA-5).
    pen_need : int
        From `penetration_need`; 1 for a shot that needn't penetrate.
    bonus : int
        Number added to the roll; the needs returned are of the natural die.
    advantage : bool
        The attacker hasn't moved: a miss by one is rolled again (p. 8; AA-9 to AA-11).
    reading : Reading
        AA-1, AA-5, AA-6, AA-8, AA-10, AA-11.
    """
    two_dice = reading.resolution == "two_dice"
    need, hit = _needs(band, pen_need, bonus, reading)
    if increase and reading.cap_stage == "requirement":
        need, hit = _needs(min(band + increase, D6), pen_need, bonus, reading)
    elif increase:
        raised = _needs(band + increase, pen_need, bonus, reading)
        need, hit = max(need, min(raised[0], D6)), max(hit, min(raised[1], D6))
    if reading.natural_six_hits:
        need, hit = min(need, D6), min(hit, D6)
    if pen_need >= IMPOSSIBLE:
        return _same(IMPOSSIBLE if not two_dice else need, IMPOSSIBLE, 0, 0, Fraction(0), Fraction(0))
    if not two_dice:
        pen_need = SURE
    scope = reading.reroll_scope
    reroll = pen_reroll = 0
    if advantage:
        reroll = hit - 1 if scope == "hit" else need - 1
        if two_dice and scope in ("final", "both"):
            pen_reroll = pen_need - 1
    p_need = dice.at_least(D6, need, reroll=reroll, limit=reading.reroll_limit)
    p_pen_need = dice.at_least(D6, pen_need, reroll=pen_reroll, limit=reading.reroll_limit)
    return _same(need, pen_need, reroll, pen_reroll, p_need, p_pen_need)


@lru_cache(maxsize=4096)
def _same(*needs: Any) -> Roll:
    """Return the one object for all rolls with these needs, whatever they come from."""
    return Roll(*needs)


def _needs(requirement: int, pen_need: int, bonus: int, reading: Reading) -> tuple[int, int]:
    """Return the natural roll needed of the one die, or the hit die of two, and that of its range part alone."""
    hit = requirement - bonus
    if reading.resolution == "two_dice":
        return hit, hit
    whole_roll = reading.hit_mods_affect_penetration
    if reading.resolution == "sum":
        return (hit if whole_roll else max(hit, 1)) + pen_need - 1, hit
    return (max(requirement, pen_need) - bonus if whole_roll else max(hit, pen_need)), hit


# --- what a hit takes ------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def he_damage(base: int, n: int, side_armor: int, factor: Fraction | None = None) -> tuple[int, ...]:
    """Return HE damage on a hit by the face of the D6: base - n * D6 - side armour, never below 0 (p. 10; AA-25 to 27).

    `factor` is applied last; see `raised`.

    Parameters
    ----------
    base, n : int
        Of the weapon.
    side_armor : int
        Of the target, centimetres.
    factor : Fraction or None
        Of Support against field guns; None for all else.

    Returns
    -------
    tuple of int, length 6
        Hit points by the face of the die.
    """
    return tuple(raised(max(0, base - n * face - side_armor), factor) for face in range(1, D6 + 1))


def raised(hit_points: int, factor: Fraction | None) -> int:
    """Return damage times the factor of Support, rounded up, if there is one (p. 14; AA-48)."""
    return hit_points if factor is None else -int(-hit_points * factor // 1)


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
    sides, plus = sides_and_plus(ai)
    lost = []
    for face in range(1, D6 + 1):
        rolled = -(-face * sides // D6) + plus
        total = max(0, rolled) + kills if kills_after_clamp else max(0, rolled + kills)
        lost.append(min(strength, total // 2 if halved else total))
    return tuple(lost)


FULL_BELOW_IN = 8
HALVED_TO_IN = 14
UNTOUCHED_ABOVE_IN = 15


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
