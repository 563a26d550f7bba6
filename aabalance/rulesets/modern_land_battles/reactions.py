"""Who may react, and the reactions that hit the Force card that acted, after its Action, which stands (M-8)."""

from __future__ import annotations

from collections.abc import Collection

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.modern_land_battles import rules
from aabalance.rulesets.modern_land_battles.action_cards import STOPS
from aabalance.rulesets.modern_land_battles.maneuver import maneuver

CLOSE_AIR_SUPPORT_DICE = 3
CLOSE_AIR_SUPPORT_NEED = 7
COUNTER_FIRE_HITS = 2


def may_stop(reaction: str, symbols: Collection[str], row: int, attacker_row: int) -> bool:
    """Return whether a Force card may act for a reaction (Defense Cards, Within Range Limitation).

    Parameters
    ----------
    reaction : str
        A key of `STOPS`.
    symbols : collection of str
        Attack symbols of the Force card.
    row, attacker_row : int
        Its Row, and that of the card it reacts to, in the same Area.
    """
    symbol = STOPS[reaction].symbol
    return symbol is None or (symbol in symbols and rules.in_range(symbol, row, attacker_row))


def close_air_support(row: int = 1, *, range_defense: bool = False, natural_rules: bool = False) -> Pmf:
    """Return the Hits of Close Air Support on the card that acted; nothing modifies its rolls but Range Defense.

    Parameters
    ----------
    row : int
        Of the card that acted.
    range_defense : bool
        Play by that optional rule.
    """
    deeper = rules.range_defense(row) if range_defense else 0
    return rules.successes(CLOSE_AIR_SUPPORT_DICE, rules.needed(CLOSE_AIR_SUPPORT_NEED, -deeper, natural_rules))


def counter_fire() -> Pmf:
    """Return the Hits of Counter Fire on a card that made an Artillery Attack."""
    return dice.constant(COUNTER_FIRE_HITS)


def minefield(value: int, own_hits: int, modifier: int = 0, *, natural_rules: bool = False) -> Pmf:
    """Return the Hits of a Minefield on a card that maneuvers: one for each of its successes, of which none is stopped.

    Parameters
    ----------
    value, own_hits, modifier
        As for `maneuver`.
    """
    return maneuver(value, own_hits, modifier, natural_rules=natural_rules)
