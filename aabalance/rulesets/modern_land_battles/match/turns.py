"""What a decision does: turns, stages, hands and decks, Prepare, Reinforce, Maneuvers, what follows an Action.

Plain loops over records, which also compile. Sections are the rulebook's, numbers of open points (M-n) are those of
``rulebook.toml``.

In all functions `tables` and `state` are those of the match, `unit` is the Force card that acts, `card` a kind of
Action cards, `area` and `row` a place, `action` a decision, `kind` a kind of decisions, `doing` a kind of Actions, and
`dice` are those of the decision.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import MOST_UNITS, Actions, Record, part_of, parts_of, result, roll, units_of
from aabalance.rulesets.modern_land_battles.match import records
from aabalance.rulesets.modern_land_battles.match.actions import choices
from aabalance.rulesets.modern_land_battles.match.fire import attack, react, successes
from aabalance.rulesets.modern_land_battles.match.formation import (
    end_match,
    is_on_table,
    last_row,
    move,
)
from aabalance.rulesets.modern_land_battles.match.terrain import deal, discard, draw, next_terrain, slide

PLAYERS = 2


def apply(tables: Record, state: Record, action: int, dice: Record) -> None:
    """Change a state by a legal decision; see `aabalance.rulesets.base.match_rules.MatchRules`.

    In these stages, a single possible decision is made without asking (M-16).
    """
    only = dice.scratch
    only[0] = action
    while True:
        carry_out(tables, state, only[0], dice)
        asks = state.stage in (records.MODIFY, records.REACT, records.BENEFIT, records.AFTER)
        if not asks or choices(tables, state, only) > 1:
            break


def carry_out(tables: Record, state: Record, action: int, dice: Record) -> None:
    """Carry out one decision."""
    kind, unit, other, _, card = parts_of(action)
    area, row = part_of(action, records.AREA), part_of(action, records.ROW)
    if kind == records.BEGIN:
        begin(tables, state, dice)
    elif kind == records.FIRE_ARTILLERY:
        begin_act(state, records.ATTACK, unit)
        state.act.symbol = records.ARTILLERY
        attack(tables, state, area, row, other, dice)
    elif kind == records.PLAY:
        begin_act(state, records.ATTACK, unit)
        state.act.symbol, state.act.card, state.stage = other, card, records.TARGET
    elif kind == records.AT:
        discard(state, state.side, state.act.card)
        attack(tables, state, area, row, other, dice)
    elif kind == records.TO_TERRAIN or kind == records.TO_FLANK:
        maneuver(tables, state, unit, records.TERRAIN if kind == records.TO_TERRAIN else records.FLANKING, row)
    elif kind == records.ADD_CARD or kind == records.ROLL:
        roll_maneuver(tables, state, card if kind == records.ADD_CARD else records.NONE, dice)
    elif kind == records.RESPOND or kind == records.LET_BE:
        react(tables, state, card if kind == records.RESPOND else records.NONE, unit, row, dice)
    elif kind == records.TO_PREPARE or kind == records.DISCARD or kind == records.REFILL:
        prepare(tables, state, kind, card, dice)
    elif records.USE <= kind <= records.DONE or kind == records.TO_REINFORCE:
        reinforce(tables, state, kind, unit, card, row)
    elif kind == records.TO_REGROUP:
        regroup(tables, state, unit, area)
    elif records.MAKE_READY <= kind <= records.SKIP:
        gain(state, kind, unit)
    else:
        follow_up(tables, state, kind, row, dice)


# --- the start and the end of turns -----------------------------------------------------------------------------------


def begin(tables: Record, state: Record, dice: Record) -> None:
    """Deal both hands, turn over a Terrain card, and find the first player (Initial Action Cards to First Player)."""
    for side in range(2):
        deal(state, side, hand_size(tables, state, side), dice)
    next_terrain(state, dice)
    state.first = tables.first if tables.first != records.NOBODY else roll(dice, PLAYERS) - 1
    state.side = state.first
    state.stage = records.ACTION


def hand_size(tables: Record, state: Record, side: int) -> int:
    """Return the Hand Size of a side: one more with a Headquarters on the table (Initial Action Cards)."""
    for unit in units_of(tables, side):
        if tables.card[unit].headquarters and is_on_table(state, unit):
            return int(tables.hand + 1)
    return int(tables.hand)


def begin_act(state: Record, doing: int, unit: int) -> None:
    """Begin an Action of a kind."""
    act = state.act
    act.doing, act.unit, act.hits, act.points, act.shifts = doing, unit, 0, 0, 0
    act.symbol = act.card = act.target = act.area = records.NONE


def follow_up(tables: Record, state: Record, kind: int, row: int, dice: Record) -> None:
    """Carry out what may follow an Action: Engineers, also before it, Overrun, Recon Drone, or nothing (M-3, M-23)."""
    if kind == records.SEND_ENGINEERS:
        discard(state, state.side, records.ENGINEERS)
        slide(tables, state, state.side if row == 1 else 1 - state.side, 1, dice)
        if state.benefit != records.NO_BENEFIT:
            state.stage = records.BENEFIT
    elif kind == records.PLAY_OVERRUN:
        discard(state, state.side, records.OVERRUN)
        state.actions += 1
        state.destroyed = 0
    elif kind == records.PLAY_DRONE:
        discard(state, state.side, records.RECON_DRONE)
        state.actions += 1
        state.secured = 0
    else:
        end_action(tables, state)


def end_action(tables: Record, state: Record) -> None:
    """End an Action, and the turn if it was the last one (Sequence of Play)."""
    state.act.doing, state.stage = records.NOTHING, records.ACTION
    state.actions -= 1
    if state.actions > 0:
        return
    state.actions, state.destroyed, state.secured = 1, 0, 0
    state.turn += 1
    state.side = 1 - state.side
    if state.turn == tables.limit:
        end_match(state, records.NOBODY, records.LIMIT)


# --- Prepare, Reinforce, Regroup --------------------------------------------------------------------------------------


def prepare(tables: Record, state: Record, kind: int, card: int, dice: Record) -> None:
    """Take off all Acted counters, discard, or refill the hand (Prepare)."""
    side = state.side
    if kind == records.TO_PREPARE:
        begin_act(state, records.BLANK, records.NONE)
        for unit in units_of(tables, side):
            state.unit[unit].acted = 0
        state.stage = records.PREPARE
    elif kind == records.DISCARD:
        discard(state, side, card)
    else:
        deal(state, side, hand_size(tables, state, side) - np.sum(state.hand[side]), dice)
        state.stage = records.AFTER


def reinforce(tables: Record, state: Record, kind: int, unit: int, card: int, row: int) -> None:
    """Use cards for their Reinforcement values, bring Force cards, reorganize them (Reinforce; M-18)."""
    act = state.act
    if kind == records.TO_REINFORCE:
        begin_act(state, records.REINFORCING, records.NONE)
        for own in range(tables.units):
            state.unit[own].shifted = 0
        state.stage = records.REINFORCE
    if kind == records.TO_REINFORCE or kind == records.USE:
        discard(state, state.side, card)
        act.points += tables.kind[card].reinforce
    elif kind == records.BRING:
        act.points -= tables.card[unit].vp
        move(tables, state, unit, records.BREAKTHROUGH, row)
    elif kind == records.SHIFT:
        act.shifts += 1
        state.unit[unit].shifted = act.shifts
        move(tables, state, unit, state.unit[unit].area, row)
    else:
        state.stage = records.AFTER


def regroup(tables: Record, state: Record, unit: int, area: int) -> None:
    """Move a Force card to the last possible Row of an Area, and remove its Hits (Regroup; M-19)."""
    begin_act(state, records.BLANK, records.NONE)
    discard(state, state.side, records.REGROUP)
    state.unit[unit].hits = 0
    state.stage = records.AFTER
    move(tables, state, unit, area, last_row(tables, state, state.side, area, unit))


# --- Maneuvers --------------------------------------------------------------------------------------------------------


def maneuver(tables: Record, state: Record, unit: int, area: int, row: int) -> None:
    """Move a Force card that maneuvers (Terrain Maneuvering, Flanking Maneuvering)."""
    begin_act(state, records.MANEUVER, unit)
    state.act.area, state.stage = area, records.MODIFY
    state.unit[unit].acted = 1
    move(tables, state, unit, area, row)


def roll_maneuver(tables: Record, state: Record, card: int, dice: Record) -> None:
    """Roll the Maneuver dice, with the Maneuvering modifier of a card or without (Terrain Maneuvering; M-1, M-10)."""
    act = state.act
    modifier = 0
    if card != records.NONE:
        discard(state, state.side, card)
        modifier = tables.kind[card].maneuver
    act.hits = successes(tables, state, act.unit, 0, tables.card[act.unit].maneuver - modifier, dice)
    state.stage = records.REACT


def gain(state: Record, kind: int, unit: int) -> None:
    """Take the benefit of a Terrain card, or leave it (Terrain Maneuvering)."""
    if kind == records.MAKE_READY:
        state.unit[unit].acted = 0
    elif kind == records.MAKE_REPAIR:
        state.unit[unit].hits -= 1
    elif kind == records.MAKE_CALM:
        state.superior = 0
    state.benefit = records.NO_BENEFIT
    state.stage = records.ACTION if state.act.doing == records.NOTHING else records.AFTER


# --- what is asked of a match -----------------------------------------------------------------------------------------


def units(tables: Record, state: Record) -> int:
    """Return a number above those of all Force cards, and of what a side does as a whole."""
    return MOST_UNITS


def facts(tables: Record, state: Record, out: Actions) -> None:
    """Write what is noted of a match that is over; see `aabalance.rulesets.base.match.FACTS`."""
    out[base.RESULT], out[base.REASON], out[base.PLAYER_TURNS] = result(state), state.reason, state.turn
    out[base.FIRST], out[base.ZONE] = state.first, records.NONE
    for unit in range(tables.units):
        if is_on_table(state, unit):
            out[base.LEFT_A + tables.card[unit].side] += tables.card[unit].vp


def view(tables: Record, state: Record, side: int) -> None:
    """Shuffle the other side's hand into the deck: nobody sees which of these cards it holds (Action Cards)."""
    for card in range(records.KINDS):
        state.deck[card] += state.hand[1 - side, card]
        state.hand[1 - side, card] = 0


def redraw(tables: Record, state: Record, side: int, dice: Record) -> None:
    """Draw the other side's hand anew from all cards that `side` doesn't see: as many as it holds."""
    held = np.sum(state.hand[1 - side])
    view(tables, state, side)
    for _ in range(held):
        state.hand[1 - side, draw(state.deck, dice)] += 1
