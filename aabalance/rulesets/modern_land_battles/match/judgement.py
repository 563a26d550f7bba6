"""What a player may think: which decisions are worth a look, and what a state is worth.

In all functions `tables` and `state` are those of the match, `side` is a side, `of` as in `MatchRules.legal`, `unit` a
Force card, `action` a decision, and `out` takes the decisions.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.base.match import ALL, NO_UNIT, Actions, Record, part_of, parts_of, units_of, write
from aabalance.rulesets.modern_land_battles.match import records
from aabalance.rulesets.modern_land_battles.match.actions import legal, reaches
from aabalance.rulesets.modern_land_battles.match.fire import need_of
from aabalance.rulesets.modern_land_battles.match.formation import is_on_table, last_row
from aabalance.rulesets.modern_land_battles.match.turns import hand_size
from aabalance.rulesets.modern_land_battles.shot import D10

WON = 1000.0
FEW_IN_BREAKTHROUGH = np.array([0.0, 6.0, 2.0, 0.5])
"""What it costs to have so few Force cards in the Breakthrough Area."""


def candidates(tables: Record, state: Record, of: int, follows: bool, out: Actions) -> int:
    """Write decisions that make sense; see `aabalance.rulesets.base.match_rules.MatchRules`.

    Only in hopeless stages is what ends them weighed with the rest: a reaction has to be chosen even where each of them
    loses something, and Prepare where no Action gains anything.
    """
    stage = state.stage
    if of == NO_UNIT and stage == records.ACTION:
        out[0] = records.TO_PREPARE
        return 1
    gives_a_card = stage == records.PREPARE and holds_all(tables, state)
    if of >= 0 and (stage == records.REACT or gives_a_card):
        return 0
    every = (stage in (records.REACT, records.TARGET, records.MODIFY) or gives_a_card) and of == NO_UNIT
    count = legal(tables, state, ALL if every else of, out)
    kept = 0
    for at in range(count):
        if is_sensible(tables, state, out[at]):
            kept = write(out, kept, out[at])
    return kept


def is_sensible(tables: Record, state: Record, action: int) -> bool:
    """Return whether a decision is worth a look.

    Of several Rows it is the last from which a target is reached, or into which a Force card can go, but for those
    brought to the Breakthrough Area, which stand as the rulebook advises (Force Formation).
    """
    kind, unit, other, _, _ = parts_of(action)
    area, row = part_of(action, records.AREA), part_of(action, records.ROW)
    if kind == records.AT or kind == records.FIRE_ARTILLERY:
        symbol = records.ARTILLERY if kind == records.FIRE_ARTILLERY else state.act.symbol
        if min(need_of(tables, state, unit, symbol, area, other), tables.most) > D10:
            return False
        further = row < last_row(tables, state, state.side, area, unit)
        return not (further and reaches(tables, unit, symbol, row + 1, state.unit[other].row))
    if kind == records.TO_TERRAIN or kind == records.TO_FLANK:
        area = records.TERRAIN if kind == records.TO_TERRAIN else records.FLANKING
        return row == last_row(tables, state, state.side, area, unit)
    if kind == records.BRING:
        last = last_row(tables, state, state.side, records.BREAKTHROUGH, unit)
        return bool(row == min(tables.card[unit].usual, last))
    if kind == records.SEND_ENGINEERS:
        return row == 1
    if kind == records.REFILL:
        return not holds_all(tables, state)
    return kind != records.SHIFT


def holds_all(tables: Record, state: Record) -> bool:
    """Return whether the side on turn has a full hand: in Prepare it gives a card for another, or would draw none."""
    return bool(np.sum(state.hand[state.side]) >= hand_size(tables, state, state.side))


def value(tables: Record, state: Record, side: int, of: int) -> float:
    """Return what a state is worth to a side; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if state.stage == records.OVER:
        return 0.0 if state.winner > 1 else (WON if state.winner == side else -WON)
    weight = tables.weight
    total = weight.hand * np.sum(state.hand[side])
    sign = 1 if side == 0 else -1
    total += sign * (weight.pile * (state.piles[0] - state.piles[1]) + weight.superior * state.superior)
    for unit in range(tables.units):
        if is_on_table(state, unit):
            own, card = state.unit[unit], tables.card[unit]
            worth = card.vp * (weight.vp - weight.hit * own.hits) - weight.acted * own.acted
            total += worth if card.side == side else -worth
    for one in range(2):
        few = FEW_IN_BREAKTHROUGH[min(in_breakthrough(tables, state, one), 3)]
        total -= few if one == side else -few
    if state.terrain != records.NONE:
        terrain = tables.terrain[state.terrain]
        total += sign * weight.terrain * terrain.vp * state.control / (terrain.squares + 1)
    if state.side == side:
        total += prospects(tables, state)
    return float(total)


def in_breakthrough(tables: Record, state: Record, side: int) -> int:
    """Return how many Force cards a side has in the Breakthrough Area."""
    count = 0
    for unit in units_of(tables, side):
        if state.unit[unit].area == records.BREAKTHROUGH:
            count += 1
    return count


def prospects(tables: Record, state: Record) -> float:
    """Return what the side on turn has still to come in it: cards to draw, points to spend, and more Actions."""
    weight, side = tables.weight, state.side
    total = weight.action * (state.actions - 1)
    if state.stage == records.PREPARE:
        total += weight.hand * max(0, tables.hand - np.sum(state.hand[side]))
    elif state.stage == records.REINFORCE:
        best, within_reach = 0, state.act.points
        for card in range(records.KINDS):
            within_reach += state.hand[side, card] * tables.kind[card].reinforce
        for unit in units_of(tables, side):
            if state.unit[unit].area == records.RESERVE and tables.card[unit].vp <= within_reach:
                best = max(best, min(tables.card[unit].vp, state.act.points))
        total += weight.points * best
    return float(total)
