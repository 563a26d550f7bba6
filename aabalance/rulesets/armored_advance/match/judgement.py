"""What a player may think: which actions are worth a look, and what a state is worth."""

from __future__ import annotations

from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.actions import legal
from aabalance.rulesets.base.match import Actions, Record

WON = 1e6


def candidates(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write the actions that are worth a look; see `aabalance.rulesets.base.match.MatchRules`."""
    return legal(tables, state, of, out)


def value(tables: Record, state: Record, side: int) -> float:
    """Return what a state is worth to a side; see `aabalance.rulesets.base.match.MatchRules`."""
    if state.reason != records.NOT_OVER:
        return 0.0 if state.winner > 1 else (WON if state.winner == side else -WON)
    total = 0.0
    for unit in range(tables.units):
        own, card = state.unit[unit], tables.card[tables.card_of[unit]]
        if own.hp > 0:
            worth = card.requisition * (0.5 + 0.5 * own.hp / card.toughness)
            total += worth if tables.side[unit] == side else -worth
    return total
