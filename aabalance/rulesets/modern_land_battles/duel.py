"""A duel: Hits on both Force cards, attack by attack."""

from __future__ import annotations

from functools import lru_cache

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.base import Blows, Survey
from aabalance.rulesets.modern_land_battles import shot
from aabalance.rulesets.modern_land_battles.situation import ROWS, row_at, rows_away
from aabalance.rulesets.modern_land_battles.variant import Variant

DESTROYED = 4
"""Hits that destroy a Force card, which is also the number of that condition."""

CONDITIONS = range(DESTROYED)
NAMES = ("fresh", "1 Hit", "2 Hits", "3 Hits")
"""Names of these conditions, by the number of Hits."""


def damaged(hits_before: int, hits: Pmf) -> Pmf:
    """Return the distribution of a Force card's Hits after further `hits` (Damaging a Force Card; M-9).

    The fourth destroys it.
    """
    return dice.transform(hits, lambda more: min(DESTROYED, hits_before + more))


@lru_cache(maxsize=65536)
def _blows(rolls: tuple[shot.Roll, ...]) -> Blows:
    """Return the blows of a card that makes one of these attacks for each number of its own Hits.

    An attack doesn't change the attacker's own Hits.
    """
    hits = [shot.hits_of(roll, own) for own, roll in enumerate(rolls)]
    chances = tuple(tuple(damaged(enemy, pmf) for enemy in CONDITIONS) for pmf in hits)
    return Blows(chances, tuple(CONDITIONS))


HARMLESS = _blows((shot.NO_ATTACK,) * DESTROYED)


def survey(offence: shot.Offence, target: shot.Defence, range_in: float, variant: Variant) -> Survey[Blows]:
    """Return the blows of a card that makes its best attack in each turn, and the best attack of a fresh card.

    Every turn is an attack here. Both sides have to Prepare equally often, so that leaving this out changes neither the
    winner nor the number of attacks.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in Rows.
    variant : Variant
        The rule switches.
    """
    if not offence.attacks:
        return Survey(HARMLESS, shot.NO_SHOT, 0.0)
    options = tuple(shot.resolve(attack, offence.row, target, range_in, variant) for attack in offence.attacks)
    best = tuple(options[shot.chosen(options, own)] for own in CONDITIONS)
    harmless = all(roll.need == shot.IMPOSSIBLE for roll in best)
    n = shot.chosen(options, 0)
    fresh = shot.shot_of(offence.attacks[n], options[n])
    expected = float(dice.mean(fresh.effect))
    unreached = not expected and any(
        _out_of_reach(attack, offence.row, target, range_in, variant) for attack in offence.attacks
    )
    return Survey(HARMLESS if harmless else _blows(best), fresh, expected, unreached)


def _out_of_reach(attack: shot.Attack, row: int, target: shot.Defence, range_in: float, variant: Variant) -> bool:
    """Return whether an attack doesn't reach the target's Row, but could hit it in another Row of its Formation."""
    target_row = row_at(row, range_in)
    if target_row not in ROWS or shot.in_range(attack.symbol, row, target_row, attack.reach):
        return False
    rolls = (shot.resolve(attack, row, target, rows_away(row, other), variant) for other in ROWS)
    return any(dice.mean(shot.hits_of(roll, 0)) for roll in rolls)
