"""Which decisions a side has, stage by stage (Actions, Reaction, Action Cards).

In all functions `tables` and `state` are those of the match, `unit` is the Force card that acts, `of` as in
`MatchRules.legal`, `side` a side, `kind` a kind of decisions, `card` a kind of Action cards, `symbol` an Attack symbol,
`area` and `row` a place, `target_row` the enemy's Row. `out` takes the decisions, and `count` is how many it has.
"""

from __future__ import annotations

from aabalance.rulesets.base.match import ALL, NO_UNIT, Actions, Record, action_of, parts_of, units_of, write
from aabalance.rulesets.modern_land_battles.match import records
from aabalance.rulesets.modern_land_battles.match.formation import is_alone, is_on_table, last_row

MOST_ACTIONS = 1 << 14
"""More than a side can have: Artillery alone has 9 places and 31 targets for each of 31 Force cards."""
SYMBOL_CARDS = 3
"""Attack symbols that an Action card has to be played for: all but Artillery."""


def action(kind: int, unit: int = 0, card: int = 0, area: int = 0, row: int = 0, other: int = 0) -> int:
    """Return a decision; `other` is a second Force card, or an Attack symbol."""
    return action_of(kind, unit, other, 0, card) | int(area) << records.AREA.at | int(row) << records.ROW.at


def actor(action: int) -> int:
    """Return the Force card that a decision is a part of the Action of; what ends a stage is part of none."""
    kind, unit, _, _, _ = parts_of(action)
    if kind in (records.BEGIN, records.REFILL, records.DONE, records.SKIP, records.PASS):
        return NO_UNIT
    if records.TO_TERRAIN <= kind <= records.TO_REGROUP or records.AT <= kind <= records.ROLL:
        return unit
    return records.COMMAND


def to_move(state: Record) -> int:
    """Return the side that decides: the one on turn, but for reactions and benefits; `NOBODY` at the end."""
    if state.stage == records.OVER:
        return records.NOBODY
    if state.stage == records.REACT:
        return int(1 - state.side)
    return int(state.benefit_side) if state.stage == records.BENEFIT else int(state.side)


def legal(tables: Record, state: Record, of: int, out: Actions) -> int:
    """Write legal decisions; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if state.stage == records.ACTION:
        count = 0
        for unit in units_of(tables, state.side):
            if of in (ALL, unit):
                count = of_unit(tables, state, unit, out, count)
        return of_side(state, out, count) if of in (ALL, records.COMMAND) else count
    count = choices(tables, state, out)
    if of == ALL:
        return count
    kept = 0
    for at in range(count):
        if actor(out[at]) == of:
            kept = write(out, kept, out[at])
    return kept


def choices(tables: Record, state: Record, out: Actions) -> int:
    """Write what can be decided in any stage but `action`; return the number of decisions."""
    stage = state.stage
    if stage == records.TARGET:
        act = state.act
        return targets(tables, state, act.unit, act.symbol, act.card, out, 0)
    if stage == records.MODIFY:
        count = cards(state, records.ADD_CARD, state.act.unit, out, 0)
        return write(out, count, action(records.ROLL, state.act.unit))
    if stage == records.PREPARE:
        return write(out, cards(state, records.DISCARD, 0, out, 0), records.REFILL)
    if stage == records.REINFORCE:
        return reinforcements(tables, state, out, cards(state, records.USE, 0, out, 0))
    if stage == records.REACT:
        return reactions(tables, state, out)
    if stage == records.BENEFIT:
        return benefits(tables, state, out)
    if stage == records.AFTER:
        return afterwards(state, out)
    return write(out, 0, records.BEGIN)


def cards(state: Record, kind: int, unit: int, out: Actions, count: int) -> int:
    """Write a decision for each kind of card in the hand of the side on turn; return the number of decisions then."""
    for card in range(records.KINDS):
        if state.hand[state.side, card] > 0:
            count = write(out, count, action(kind, unit, card))
    return count


# --- the Action -------------------------------------------------------------------------------------------------------


def of_unit(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write the Actions of a Force card: Maneuvers, Artillery, Attacks by a card, Regroup; return their number then."""
    own, held = state.unit[unit], state.hand[state.side]
    if not is_on_table(state, unit):
        return count
    if own.hits > 0 and held[records.REGROUP] > 0:
        for area in range(records.RESERVE):
            count = write(out, count, action(records.TO_REGROUP, unit, 0, area))
    if own.acted:
        return count
    if tables.card[unit].maneuver > 0:
        count = maneuvers(tables, state, unit, out, count)
    if tables.card[unit].reach[records.ARTILLERY] > 0:
        count = targets(tables, state, unit, records.ARTILLERY, records.NONE, out, count)
    for symbol in range(SYMBOL_CARDS):
        if tables.card[unit].reach[symbol] == 0:
            continue
        for card in range(records.KINDS):
            if held[card] > 0 and tables.kind[card].symbols >> symbol & 1 and has_target(tables, state, unit, card):
                count = write(out, count, action(records.PLAY, unit, card, other=symbol))
    return count


def maneuvers(tables: Record, state: Record, unit: int, out: Actions, count: int) -> int:
    """Write where a Force card may maneuver (Maneuver Attack); Terrain is closed when none is left [M-25]."""
    for area, kind in ((records.FLANKING, records.TO_FLANK), (records.TERRAIN, records.TO_TERRAIN)):
        if kind == records.TO_FLANK or state.terrain != records.NONE:
            for row in range(1, last_row(tables, state, state.side, area, unit) + 1):
                count = write(out, count, action(kind, unit, 0, 0, row))
    return count


def has_target(tables: Record, state: Record, unit: int, card: int) -> bool:
    """Return whether a Force card finds an enemy for an Action card (M-24).

    Rows are closed up, so that where there is an enemy, one is in Row 1, which all symbols reach from Row 1; and there
    is one in the Breakthrough Area. Assault alone has to come from another Area.
    """
    area = state.unit[unit].area
    if card != records.ASSAULT or area != records.BREAKTHROUGH:
        return True
    for enemy in units_of(tables, 1 - state.side):
        if state.unit[enemy].area != area and is_on_table(state, enemy):
            return True
    return False


def targets(tables: Record, state: Record, unit: int, symbol: int, card: int, out: Actions, count: int) -> int:
    """Write from which places a Force card may attack which enemies (Same Area, Attack Range); return how many then.

    Artillery needs no Action card, `NONE`.
    """
    side, kind = state.side, records.AT if card != records.NONE else records.FIRE_ARTILLERY
    for area in range(records.RESERVE):
        if card == records.ASSAULT and area == state.unit[unit].area:
            continue
        for row in range(1, last_row(tables, state, side, area, unit) + 1):
            for enemy in units_of(tables, 1 - side):
                other = state.unit[enemy]
                if other.area != area:
                    continue
                # Raid: from the 1st Row to any.
                if row == 1 if card == records.RAID else reaches(tables, unit, symbol, row, other.row):
                    count = write(out, count, action(kind, unit, 0, area, row, enemy))
    return count


def reaches(tables: Record, unit: int, symbol: int, row: int, target_row: int) -> bool:
    """Return whether a Force card reaches from one Row to another (Determining Range; M-5)."""
    reach = tables.card[unit].reach[symbol]
    if symbol == records.MISSILE:
        return bool(row <= reach and target_row <= reach)
    return bool(row - 1 + target_row <= reach)


def of_side(state: Record, out: Actions, count: int) -> int:
    """Write Prepare, Reinforce and Engineers, which takes no Action (M-3); return the number of decisions then."""
    count = write(out, count, records.TO_PREPARE)
    return engineers(state, out, cards(state, records.TO_REINFORCE, 0, out, count))


def engineers(state: Record, out: Actions, count: int) -> int:
    """Write in which directions Engineers may move the Control counter; return the number of decisions then."""
    if state.hand[state.side, records.ENGINEERS] > 0 and state.terrain != records.NONE:
        for forward in range(2):
            count = write(out, count, action(records.SEND_ENGINEERS, 0, 0, 0, forward))
    return count


def reinforcements(tables: Record, state: Record, out: Actions, count: int) -> int:
    """Write which Force cards may be brought and reorganized (Reinforce; M-18); return the number of decisions then."""
    side = state.side
    for unit in units_of(tables, side):
        own = state.unit[unit]
        if own.area == records.RESERVE and tables.card[unit].vp <= state.act.points:
            for row in range(1, last_row(tables, state, side, records.BREAKTHROUGH, unit) + 1):
                count = write(out, count, action(records.BRING, unit, 0, 0, row))
        elif is_on_table(state, unit) and own.shifted == 0:
            last = last_row(tables, state, side, own.area, unit)
            stays = not is_alone(tables, state, unit) or own.row == last
            for row in range(1, last + 1):
                if row != own.row or not stays:
                    count = write(out, count, action(records.SHIFT, unit, 0, 0, row))
    return write(out, count, records.DONE)


# --- reactions, benefits, and what comes after the Action -------------------------------------------------------------


def reactions(tables: Record, state: Record, out: Actions) -> int:
    """Write how the other side may react to an Attack or a Maneuver (Reaction, Defense Cards); return how many."""
    act, held, count = state.act, state.hand[1 - state.side], write(out, 0, records.LET_BE)
    attack = act.doing == records.ATTACK
    for card in range(records.KINDS):
        if held[card] == 0:
            continue
        if card == records.CLOSE_AIR_SUPPORT:
            can = True
        elif card == records.COUNTER_FIRE:
            can = act.symbol == records.ARTILLERY
        elif card == records.MINEFIELD:
            can = act.hits > 0 and not attack
        elif card == records.COVER:
            can = act.hits > 0 and attack
        elif card == records.PULL_BACK:
            target = state.unit[act.target]
            can = act.hits > 0 and attack and target.row < records.ROWS and not target.acted
        else:
            can = False
            if act.hits > 0:
                count = defenders(tables, state, card, out, count)
        if can:
            count = write(out, count, action(records.RESPOND, 0, card))
    return count


def defenders(tables: Record, state: Record, card: int, out: Actions, count: int) -> int:
    """Write which Force cards may act for a reaction, and where (Defenders); return the number of decisions then."""
    act, side, symbol = state.act, 1 - state.side, tables.kind[card].stops
    stood = state.unit[act.target]
    for unit in units_of(tables, side):
        own = state.unit[unit]
        if not is_on_table(state, unit):
            continue
        if symbol != records.NONE and not own.acted and tables.card[unit].reach[symbol] > 0:
            # Within Range Limitation: the symbol has to reach the Force card that acts.
            for row in range(1, last_row(tables, state, side, act.area, unit) + 1):
                if reaches(tables, unit, symbol, row, state.unit[act.unit].row):
                    count = write(out, count, action(records.RESPOND, unit, card, 0, row))
        near = act.doing == records.ATTACK and unit != act.target and own.area == stood.area and own.row == stood.row
        if (card == records.REACTION_FORCE and own.row > 1) or (card == records.SCREENING_FORCE and near):
            count = write(out, count, action(records.RESPOND, unit, card))
    return count


def benefits(tables: Record, state: Record, out: Actions) -> int:
    """Write what the side that Secured a Terrain card may do with its benefit; return the number of decisions."""
    count = write(out, 0, records.SKIP)
    if state.benefit == records.CALM:
        return count if state.superior == 0 else write(out, count, records.MAKE_CALM)
    for unit in units_of(tables, state.benefit_side):
        own, readies = state.unit[unit], state.benefit == records.READY
        if is_on_table(state, unit) and (own.acted if readies else own.hits > 0):
            count = write(out, count, action(records.MAKE_READY if readies else records.MAKE_REPAIR, unit))
    return count


def afterwards(state: Record, out: Actions) -> int:
    """Write what may follow the Action: Engineers, Overrun, Recon Drone (M-3, M-23); return how many decisions."""
    count, held = engineers(state, out, write(out, 0, records.PASS)), state.hand[state.side]
    if state.destroyed and held[records.OVERRUN] > 0:
        count = write(out, count, records.PLAY_OVERRUN)
    if state.secured and held[records.RECON_DRONE] > 0:
        count = write(out, count, records.PLAY_DRONE)
    return count
