"""The rolls needed: the tables of range, penetration and HE hit dice, as functions of plain numbers.

Sections are those of Core Rules version 1.1; AA-n are the open points, switched by the fields of `Variant`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from aabalance import dice
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
    if reading.resolution == "sum":
        return (requirement + pen_need - 1 - bonus if reading.whole_roll else max(hit, 1) + pen_need - 1), hit
    return (max(requirement, pen_need) - bonus if reading.whole_roll else max(hit, pen_need)), hit
