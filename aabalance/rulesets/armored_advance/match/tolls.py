"""What an attack takes on the mean, in the open and with nothing special: what players judge squares by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.fire import D6, need_by_margin
from aabalance.rulesets.armored_advance.shot.tables import BAND_IN
from aabalance.rulesets.base.match import Record


def toll(tables: Record, attacker: int, target: int) -> NDArray[np.float64]:
    """Return the share of a `target` that an `attacker`'s best weapon takes on the mean in one attack.

    It is by the range band and the face that the target shows; `tables` has the cards of both, and the needs.
    """
    card, shown = tables.card[attacker], tables.card[target]
    best = np.zeros((records.BANDS, records.FACES))
    for weapon in range(card.weapons):
        arm = card.weapon[weapon]
        if (arm.kind == records.AI) != (shown.kind == records.SQUAD):
            continue
        lost = _men(card, arm) if arm.kind == records.AI else _hit_points(tables, card, arm, shown)
        share = np.broadcast_to(np.minimum(1.0, lost / float(shown.toughness)), best.shape)
        reached = arm.most_d2 >= (BAND_IN * np.arange(records.BANDS)) ** 2
        best[reached] = np.maximum(best, share)[reached]
    return best


def _men(card: Record, arm: Record) -> float:
    men = int(card.toughness) if card.kind == records.SQUAD else 1
    mean = (int(arm.die[men]) + 1) / 2 if arm.die[men] else 0.0
    return float(max(0.0, mean + int(arm.plus[men]) + int(card.machine_gun)) * int(arm.rolls))


def _hit_points(tables: Record, card: Record, arm: Record, shown: Record) -> NDArray[np.float64]:
    bonus, bands = -records.LEAST_BONUS, np.arange(records.BANDS)
    pen = np.ones((records.BANDS, records.FACES), np.int64)
    if arm.kind == records.AT:
        margins = np.subtract.outer(arm.penetration, shown.armor).tolist()
        pen[:] = [[need_by_margin(margin, shown.weak_spot) for margin in row] for row in margins]
        taken = [int(arm.damage)]
    else:
        bonus += int(shown.weight)
        taken = [max(0, int(arm.he_base - arm.n * die - shown.armor[records.SIDE])) for die in range(1, D6 + 1)]
    if card.support and arm.primary and shown.kind == records.GUN:
        taken = [(3 * hit_points + 1) // 2 for hit_points in taken]
    p = np.ones(pen.shape)
    for needs in (tables.need, tables.pen_need) if tables.two_dice and arm.kind == records.AT else (tables.need,):
        p *= np.clip((D6 + 1 - needs[bands[:, None], 0, pen - 1, bonus]) / D6, 0.0, 1.0)
    return p * (sum(taken) / len(taken)) * int(arm.sequences)
