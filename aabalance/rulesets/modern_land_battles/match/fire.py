"""Attacks, reactions, and the Hits that come of both (How to Attack, Artillery Attack, Defense Cards).

In all functions `tables` and `state` are those of the match, `unit` is a Force card, `target` an enemy, `card` a kind
of Action cards, `area` and `row` a place, `symbol` an Attack symbol, `side` the side that scores, `hits` are Hits,
`rolled` is how many dice there are, `extra` how many of them a card adds, `need` what each has to show, and `dice` are
those of the decision.
"""

from __future__ import annotations

from aabalance.rulesets.base.match import Record, roll_pool
from aabalance.rulesets.modern_land_battles.duel import DESTROYED
from aabalance.rulesets.modern_land_battles.match import records
from aabalance.rulesets.modern_land_battles.match.formation import fall_back, leave, look_for_losers, move
from aabalance.rulesets.modern_land_battles.match.terrain import discard, flank, score, slide
from aabalance.rulesets.modern_land_battles.shot import D10, DICE

AIR_SUPPORT_DICE, AIR_SUPPORT_NEED, COUNTER_FIRE_HITS = 3, 7, 2


def attack(tables: Record, state: Record, area: int, row: int, target: int, dice: Record) -> None:
    """Move the Force card that acts, and roll its Attack dice against an enemy (Same Area to Damaging a Force Card)."""
    act = state.act
    unit, symbol = act.unit, act.symbol
    act.area, act.target = area, target
    state.unit[unit].acted = 1
    move(tables, state, unit, area, row)
    if state.stage == records.OVER:
        return
    extra = 0
    if act.card != records.NONE:
        extra = tables.kind[act.card].extra
        if area == records.BREAKTHROUGH:
            extra += tables.kind[act.card].extra_in_breakthrough
    act.hits = successes(tables, state, unit, extra, need_of(tables, state, unit, symbol, area, target), dice)
    state.stage = records.REACT


def need_of(tables: Record, state: Record, unit: int, symbol: int, area: int, target: int) -> int:
    """Return what an Attack die needs: Armor, less the symbol's modifier and own Superior counters (M-2, M-7)."""
    need = tables.card[target].armor - tables.card[unit].modifier[symbol]
    if area == records.BREAKTHROUGH:
        need -= max(0, state.superior if state.side == 0 else -state.superior)
    if symbol == records.ARTILLERY:
        need += deeper(tables, state, target)
    return int(need)


def deeper(tables: Record, state: Record, target: int) -> int:
    """Return how much more Artillery and Close Air Support need against a Force card (Optional: Range Defense)."""
    return int(state.unit[target].row - 1) if tables.range_defense else 0


def successes(tables: Record, state: Record, unit: int, extra: int, need: int, dice: Record) -> int:
    """Roll a die less for each Hit that a Force card has suffered, and extra ones; return how many show the need.

    Source: Damaging a Force Card; M-6, M-7, M-10.
    """
    return count_of(tables, DICE - state.unit[unit].hits + extra, need, dice)


def count_of(tables: Record, rolled: int, need: int, dice: Record) -> int:
    """Return how many of some dice show what is needed."""
    return roll_pool(dice, D10, rolled, min(max(need, tables.least), tables.most))


# --- reactions --------------------------------------------------------------------------------------------------------


def react(tables: Record, state: Record, card: int, unit: int, row: int, dice: Record) -> None:
    """Play a card in reaction, or none, and let the Action take effect with what is left of it (Defense Cards; M-22).

    `unit` is the Force card that the reaction is played with, and `row` the Row to which it goes.
    """
    act, side = state.act, 1 - state.side
    if card != records.NONE:
        discard(state, side, card)
        kind = tables.kind[card]
        respond(tables, state, card, unit, row)
        if state.stage == records.OVER:
            return
        act.hits = max(0, act.hits - (kind.hits if act.doing == records.ATTACK else kind.successes))
    if act.doing == records.ATTACK:
        hit(tables, state, act.target, act.hits, state.side)
    elif act.area == records.FLANKING:
        flank(state, state.side, act.hits)
    else:
        slide(tables, state, state.side, act.hits, dice)
    if state.stage != records.OVER and card != records.NONE:
        return_fire(tables, state, card, side, dice)
    if state.stage != records.OVER:
        state.stage = records.BENEFIT if state.benefit != records.NO_BENEFIT else records.AFTER


def respond(tables: Record, state: Record, card: int, unit: int, row: int) -> None:
    """Move the Force cards that a reaction moves (Defenders, Pull Back, Reaction Force, Screening Force)."""
    act = state.act
    if card == records.PULL_BACK:
        state.unit[act.target].acted = 1
        fall_back(tables, state, act.target)
    elif card == records.REACTION_FORCE:
        move(tables, state, unit, state.unit[unit].area, 1)  # M-20: no Acted counter
    elif card == records.SCREENING_FORCE:
        act.target = unit
    elif tables.kind[card].stops != records.NONE:
        state.unit[unit].acted = 1
        move(tables, state, unit, act.area, row)


def return_fire(tables: Record, state: Record, card: int, side: int, dice: Record) -> None:
    """Let a reaction hit the Force card that acted, after its Action's effect (M-8, M-22)."""
    act, hits = state.act, 0
    if card == records.CLOSE_AIR_SUPPORT:
        hits = count_of(tables, AIR_SUPPORT_DICE, AIR_SUPPORT_NEED + deeper(tables, state, act.unit), dice)
    elif card == records.COUNTER_FIRE:
        hits = COUNTER_FIRE_HITS
    elif card == records.MINEFIELD:
        hits = act.hits
    hit(tables, state, act.unit, hits, side)


def hit(tables: Record, state: Record, unit: int, hits: int, side: int) -> None:
    """Place Hits on a Force card; the fourth destroys it, for its Victory Points (Damaging a Force Card; M-9)."""
    own = state.unit[unit]
    own.hits = min(DESTROYED, own.hits + hits)
    if own.hits < DESTROYED:
        return
    own.acted = 0
    leave(tables, state, unit, records.DESTROYED)
    if side == state.side:
        state.destroyed = 1
    score(tables, state, side, tables.card[unit].vp)
    if state.stage != records.OVER:
        look_for_losers(tables, state)
