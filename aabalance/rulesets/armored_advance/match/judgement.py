"""What a player may think: which actions are worth a look, and what a state is worth."""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armored_advance.match.actions import legal, of_unit
from aabalance.rulesets.armored_advance.match.fire import crews
from aabalance.rulesets.armored_advance.match.records import MOST_UNITS, NOT_OVER, NONE
from aabalance.rulesets.base.match import Actions, Record

WON = 1e6


def candidates(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write the actions that are worth a look; see `aabalance.rulesets.base.match.MatchRules`."""
    if of == NONE:
        return legal(tables, state, out)
    crew, enemy_crew = np.empty(MOST_UNITS, np.int64), np.empty(MOST_UNITS, np.int64)
    crews(tables, state, state.to_move, crew)
    crews(tables, state, 1 - state.to_move, enemy_crew)
    return of_unit(tables, state, of, crew, enemy_crew, out, 0)


def value(tables: Record, state: Record, side: int) -> float:
    """Return what a state is worth to a side; see `aabalance.rulesets.base.match.MatchRules`."""
    if state.reason != NOT_OVER:
        return 0.0 if state.winner > 1 else (WON if state.winner == side else -WON)
    total = 0.0
    for unit in range(tables.units):
        own, card = state.unit[unit], tables.card[tables.card_of[unit]]
        if own.hp > 0:
            worth = card.requisition * (0.5 + 0.5 * own.hp / card.toughness)
            total += worth if tables.side[unit] == side else -worth
    return total
