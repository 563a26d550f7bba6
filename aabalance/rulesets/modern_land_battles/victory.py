"""Victory Points: who has won, who has lost, and what an exchange of Force cards is worth."""

from __future__ import annotations

from math import inf

VICTORY = 25


def won(pile: int) -> bool:
    """Return whether a Victory pile of destroyed Force cards and Secured Terrain cards wins the game (M-13)."""
    return pile >= VICTORY


def lost(in_breakthrough_area: int) -> bool:
    """Return whether a player with so many Force cards in the Breakthrough Area has lost (Losing; M-11)."""
    return in_breakthrough_area == 0


def exchange(p_win: float, p_loss: float, own_vp: int, enemy_vp: int) -> float:
    """Return the Victory Points gained for each one given in a duel; 0 if none can be gained, else maybe infinite."""
    gained, given = p_win * enemy_vp, p_loss * own_vp
    if gained == 0:
        return 0.0
    return gained / given if given else inf
