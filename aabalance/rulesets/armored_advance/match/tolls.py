"""What an attack takes on the mean, in the open and with nothing special: what players judge squares by."""

from __future__ import annotations

from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.fire import D6, need_by_margin
from aabalance.rulesets.base.match import Record

BAND_IN = 6
"""Inches of a range band (p. 6)."""


def toll(tables: Record, attacker: int, target: int, band: int, face: int) -> float:
    """Return the share of a unit that another's best weapon takes on the mean in one attack, by their cards.

    Parameters
    ----------
    tables : record
        The tables of the match, with cards and needs.
    attacker, target : int
        Their cards.
    band, face : int
        Range band, from 0 on, and the face that the target shows.
    """
    card, shown = tables.card[attacker], tables.card[target]
    best = 0.0
    for weapon in range(card.weapons):
        arm = card.weapon[weapon]
        if arm.most_d2 < (BAND_IN * band) ** 2 or (arm.kind == records.AI) != (shown.kind == records.SQUAD):
            continue
        lost = _men(card, arm) if arm.kind == records.AI else _hit_points(tables, card, arm, shown, band, face)
        best = max(best, min(1.0, lost / float(shown.toughness)))
    return best


def _men(card: Record, arm: Record) -> float:
    men = int(card.toughness) if card.kind == records.SQUAD else 1
    mean = (int(arm.die[men]) + 1) / 2 if arm.die[men] else 0.0
    return float(max(0.0, mean + int(arm.plus[men]) + int(card.machine_gun)) * int(arm.rolls))


def _hit_points(tables: Record, card: Record, arm: Record, shown: Record, band: int, face: int) -> float:
    pen, bonus = 1, -records.LEAST_BONUS
    if arm.kind == records.AT:
        pen, mean = need_by_margin(int(arm.penetration[band] - shown.armor[face]), shown.weak_spot), float(arm.damage)
    else:
        bonus += int(shown.weight)
        rolled = [max(0, int(arm.he_base - arm.n * die - shown.armor[records.SIDE])) for die in range(1, D6 + 1)]
        mean = sum(rolled) / D6
        if card.support and arm.primary and shown.kind == records.GUN:
            mean *= 1.5
    needs = tables.need[band, 0, pen - 1, bonus], tables.pen_need[band, 0, pen - 1, bonus]
    p = 1.0
    for need in needs if tables.two_dice and arm.kind == records.AT else needs[:1]:
        p *= min(1.0, max(0.0, (D6 + 1 - int(need)) / D6))
    return p * mean * int(arm.sequences)
