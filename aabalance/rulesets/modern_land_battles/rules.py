"""The tables of the rulebook, as functions of plain numbers.

Sections are those of the rulebook, which has no page numbers; M-n are the open points of its interpretation.
"""

from __future__ import annotations

from functools import lru_cache

from aabalance import dice
from aabalance.dice import Pmf

D10 = 10
DICE = 4
DESTROYED = 4
"""Hits that destroy a Force card, which is also the number of that condition."""
ROWS = (1, 2, 3)
CERTAIN = 1
IMPOSSIBLE = D10 + 1

SMALL_ARMS_ROWS = 1
CANNON_ROWS = 2
MISSILE_ROWS = (1, 2)


def dice_rolled(own_hits: int, extra_dice: int = 0) -> int:
    """Return the dice of an Attack or Maneuver: 4, less one a Hit suffered (Damaging a Force Card; M-10)."""
    return DICE - own_hits + extra_dice


def needed(value: int, bonus: int, natural_rules: bool = False) -> int:
    """Return the natural D10 that succeeds against an Armor or Maneuver value (Damaging a Force Card; M-6, M-7).

    Parameters
    ----------
    value : int
        Armor of the target, or the Maneuver value of the Force card that acts.
    bonus : int
        Everything added to the roll.
    natural_rules : bool
        A natural 10 succeeds and a natural 1 fails whatever is added.

    Returns
    -------
    int
        `CERTAIN` to `IMPOSSIBLE`.
    """
    least, most = (CERTAIN + 1, D10) if natural_rules else (CERTAIN, IMPOSSIBLE)
    return min(max(value - bonus, least), most)


@lru_cache(maxsize=4096)
def successes(rolled: int, need: int, stopped: int = 0) -> Pmf:
    """Return how many of `rolled` dice show `need` or more, less those that a reaction stops (Reaction)."""
    one = dice.bernoulli(dice.at_least(D10, need), dice.constant(1))
    return stop(dice.pool([one] * rolled), stopped)


def stop(rolled: Pmf, stopped: int) -> Pmf:
    """Return Hits or Maneuver successes after a reaction that stops up to `stopped` of them (Defense Cards)."""
    return dice.transform(rolled, lambda count: max(0, count - stopped))


def damaged(hits_before: int, hits: Pmf) -> Pmf:
    """Return the Hits on a Force card after more of them; the fourth destroys it (Damaging a Force Card; M-9)."""
    return dice.transform(hits, lambda more: min(DESTROYED, hits_before + more))


def rows_away(attacker_row: int, target_row: int) -> int:
    """Return the Rows counted from attacker to target, the attacker's own left out (Attack Range)."""
    return attacker_row - 1 + target_row


def row_at(attacker_row: int, rows: float) -> int:
    """Return the enemy Row so many Rows away; it may be none of `ROWS` (Attack Range, Force Formation)."""
    return int(rows) - attacker_row + 1


def in_range(symbol: str, attacker_row: int, target_row: int, reach: int = 0) -> bool:
    """Return whether an Attack symbol reaches from one Row to another (Determining Range, Artillery Attack; M-5).

    Parameters
    ----------
    symbol : {"small_arms", "cannon", "missile", "artillery"}
    attacker_row, target_row : int
        Each counted from the front of its own Formation.
    reach : int
        The number beside the Artillery symbol.
    """
    if symbol == "missile":
        return attacker_row in MISSILE_ROWS and target_row in MISSILE_ROWS
    most = {"small_arms": SMALL_ARMS_ROWS, "cannon": CANNON_ROWS, "artillery": reach}[symbol]
    return rows_away(attacker_row, target_row) <= most


def range_defense(row: int) -> int:
    """Return how much higher Close Air Support and Artillery have to roll against a Row (Optional: Range Defense)."""
    return row - 1
