"""What a side does besides attacks: Maneuvers and reactions. Also who has won, and what an exchange is worth."""

from __future__ import annotations

from collections.abc import Collection
from math import inf

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.modern_land_battles import shot
from aabalance.rulesets.modern_land_battles.card import STOPS

CLOSE_AIR_SUPPORT_DICE = 3
CLOSE_AIR_SUPPORT_NEED = 7
COUNTER_FIRE_HITS = 2
VICTORY = 25


# --- Maneuver Attacks: against the Terrain, and around the enemy's flank ----------------------------------------------


def maneuver(value: int, own_hits: int, modifier: int = 0, *, stopped: int = 0, natural_rules: bool = False) -> Pmf:
    """Return the distribution of the successes of a Maneuver Attack (Terrain Maneuvering, Flanking Maneuvering; M-1).

    Parameters
    ----------
    value : int
        The Force card's Maneuver value.
    own_hits : int
        Number of Hits that it has suffered.
    modifier : int
        Maneuvering modifier of an Action card that is played for it.
    stopped : int
        Number of successes that the opponent's reaction cancels.
    natural_rules : bool
        Whether a natural 10 succeeds and a natural 1 fails, whatever is added.
    """
    need = shot.needed(value, modifier, natural_rules)
    return shot.successes(shot.dice_rolled(own_hits), need, stopped)


def superior_counters(before: int, succeeded: Pmf) -> Pmf:
    """Return the distribution of the Superior counters after a Flanking Maneuver (M-2).

    Only one player has Superior counters at a time: a number above 0 is the player's who maneuvers, one below 0 the
    enemy's. Successes remove the enemy's counters first, then add own ones.
    """
    return dice.transform(succeeded, lambda count: before + count)


def control(before: int, succeeded: Pmf) -> Pmf:
    """Return the distribution of the Control counter's square after a Terrain Maneuver.

    Numbers of squares rise towards the player who maneuvers.
    """
    return dice.transform(succeeded, lambda count: before + count)


def secured(square: int, squares: int) -> bool:
    """Return whether the Control counter has left a track that has so many squares on each side of its start."""
    return square > squares


# --- reactions: they hit the card that acted after its Action, which remains valid (M-8) ------------------------------


def may_stop(reaction: str, symbols: Collection[str], row: int, attacker_row: int) -> bool:
    """Return whether a Force card may act for a reaction (Defense Cards, Within Range Limitation).

    Parameters
    ----------
    reaction : str
        A key of `STOPS`.
    symbols : collection of str
        Attack symbols of the Force card.
    row, attacker_row : int
        Row of the Force card, and of the card to which it reacts, in the same Area.
    """
    symbol = STOPS[reaction].symbol
    return symbol is None or (symbol in symbols and shot.in_range(symbol, row, attacker_row))


def close_air_support(row: int = 1, *, range_defense: bool = False, natural_rules: bool = False) -> Pmf:
    """Return the distribution of the Hits of Close Air Support; only Range Defense modifies its rolls.

    Parameters
    ----------
    row : int
        Row of the card that acted, which is hit.
    range_defense : bool
        Whether the optional rule Range Defense is used.
    natural_rules : bool
        Whether a natural 10 succeeds and a natural 1 fails, whatever is added.
    """
    deeper = shot.range_defense(row) if range_defense else 0
    return shot.successes(CLOSE_AIR_SUPPORT_DICE, shot.needed(CLOSE_AIR_SUPPORT_NEED, -deeper, natural_rules))


def counter_fire() -> Pmf:
    """Return the Hits of Counter Fire on a card that made an Artillery Attack."""
    return dice.constant(COUNTER_FIRE_HITS)


def minefield(value: int, own_hits: int, modifier: int = 0, *, natural_rules: bool = False) -> Pmf:
    """Return the distribution of the Hits of a Minefield on a card that maneuvers.

    It takes a Hit for each of its successes, even those that are stopped afterwards.

    Parameters
    ----------
    value, own_hits, modifier, natural_rules
        As for `maneuver`.
    """
    return maneuver(value, own_hits, modifier, natural_rules=natural_rules)


# --- Victory Points ---------------------------------------------------------------------------------------------------


def won(pile: int) -> bool:
    """Return whether a player has won: `pile` is the points of destroyed Force and Secured Terrain cards (M-13)."""
    return pile >= VICTORY


def lost(in_breakthrough_area: int) -> bool:
    """Return whether a player with so many Force cards in the Breakthrough Area has lost (Losing; M-11)."""
    return in_breakthrough_area == 0


def exchange(p_win: float, p_loss: float, own_vp: int, enemy_vp: int) -> float:
    """Return how many Victory Points a player gains in a duel, on average, for each one that the enemy gains.

    Parameters
    ----------
    p_win, p_loss : float
        Chances that the player wins and loses the duel.
    own_vp, enemy_vp : int
        Victory Points of the player's own card and of the enemy's card.

    Returns
    -------
    float
        0 if no points can be gained; infinite if the enemy can gain none.
    """
    gained, yielded = p_win * enemy_vp, p_loss * own_vp
    if gained == 0:
        return 0.0
    return gained / yielded if yielded else inf
