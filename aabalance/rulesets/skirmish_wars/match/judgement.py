"""What a player may think: which actions are worth a look, and what a state is worth.

In all functions `tables` and `state` are those of the match, `unit`, `attacker` and `target` are units, `side` is a
side, `which` a property, `of` as in `MatchRules.legal`, and `out` takes the actions.
"""

from __future__ import annotations

from aabalance.rulesets.base.match import ALL, Actions, Record, parts_of, write
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS
from aabalance.rulesets.skirmish_wars.match import records
from aabalance.rulesets.skirmish_wars.match.actions import FOOT, legal
from aabalance.rulesets.skirmish_wars.match.turns import damage_row, distance, points_of
from aabalance.rulesets.skirmish_wars.shot import D6

WON = 1000.0
HQ_NEARER = 2
"""How many squares nearer an HQ counts as it is."""
FOOT_WANTED = 4


def candidates(tables: Record, state: Record, of: int, follows: bool, out: Actions) -> int:
    """Write legal actions but loading and hopeless attacks; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    kept = 0
    for at in range(legal(tables, state, of, out)):
        kind, unit, other, _, _ = parts_of(out[at])
        if kind == records.LOAD or (kind == records.ATTACK and expected_hits(tables, state, unit, other) == 0.0):
            continue
        kept = write(out, kept, out[at])
    return kept


def expected_hits(tables: Record, state: Record, attacker: int, target: int) -> float:
    """Return the mean number of hits of a strike, not more than the target has hit points."""
    struck = state.unit[target]
    row = damage_row(tables, state.unit[attacker].type, state.unit[attacker].reduced, struck.type)
    if row < 0:
        return 0.0
    if row >= records.DAMAGES:
        return float(struck.hp)
    column = tables.terrain[struck.square]
    return float(min(struck.hp, tables.hits[row, column] + tables.die[row, column] / D6))


def value(tables: Record, state: Record, side: int, of: int) -> float:
    """Return what a state is worth to a side; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    if state.reason != records.NOT_OVER:
        return 0.0 if state.winner > 1 else (WON if state.winner == side else -WON)
    units, types = state.unit, tables.type
    total = tables.weight.money * (state.money[side] - state.money[1 - side])
    foot = 0
    for unit in range(state.units):
        own = units[unit]
        hp = own.hp
        if hp > 0:
            kind, mine = types[own.type], own.side == side
            worth = kind.cost * (hp + 4) / 12
            total += worth if mine else -worth
            foot += mine and kind.symbol == FOOT
    total += tables.weight.foot * min(foot, FOOT_WANTED)
    held = state.property
    for which in range(tables.properties):
        owned = held[which]
        if owned.owner < records.NOBODY or owned.captured > 0:
            total += property_value(tables, state, which, side)
    if of >= 0 and state.unit[of].square != records.NONE:
        total += standing(tables, state, of)
    if of == ALL:
        for unit in range(state.units):
            if state.unit[unit].square != records.NONE:
                stands = standing(tables, state, unit)
                total += stands if state.unit[unit].side == side else -stands
    return float(total)


def standing(tables: Record, state: Record, unit: int) -> float:
    """Return what it is worth to a unit to stand where it stands."""
    own, weight = state.unit[unit], tables.weight
    which = tables.property_at[own.square]
    total = weight.nearer * nearness(tables, state, unit) - weight.threat * threat(tables, state, unit)
    is_factory = which != records.NONE and tables.property_kind[which] == records.FACTORY
    if is_factory and state.property[which].owner == own.side:
        total -= weight.in_the_way  # nothing can be bought there
    return float(total)


def property_value(tables: Record, state: Record, which: int, side: int) -> float:
    """Return what a property is worth to a side: if it owns it, and as far as one of its units has captured it."""
    held, kind = state.property[which], tables.property_kind[which]
    weight = tables.weight
    worth = weight.city if kind == records.CITY else (weight.factory if kind == records.FACTORY else weight.hq)
    total = worth if held.owner == side else (-worth if held.owner == 1 - side else 0.0)
    if held.captured > 0:
        by = state.unit[state.unit_at[tables.property_square[which]]].side
        part = held.captured / points_of(kind) * worth * (1 if held.owner > 1 else 2)
        total += part if by == side else -part
    return float(total)


def nearness(tables: Record, state: Record, unit: int) -> int:
    """Return how many squares a unit is nearer than it could be to a property to capture, or an enemy to fire at."""
    own, units, held = state.unit[unit], state.unit, state.property
    kind, side, square = tables.type[own.type], own.side, own.square
    nearest = most = tables.width + tables.height
    if kind.symbol == FOOT:
        for which in range(tables.properties):
            if held[which].owner != side:
                near = distance(tables, square, tables.property_square[which])
                nearest = min(nearest, near - HQ_NEARER * (tables.property_kind[which] == records.HQ))
    elif kind.most_range > 0:
        for other in range(state.units):
            enemy = units[other]
            if enemy.side != side and enemy.square != records.NONE:
                nearest = min(nearest, max(0, distance(tables, square, enemy.square) - kind.most_range))
    return int(most - nearest)


def threat(tables: Record, state: Record, unit: int) -> float:
    """Return the mean loss of cost by the worst strike of one enemy who is near enough to make it in his next turn."""
    own, units, types = state.unit[unit], state.unit, tables.type
    side, square = own.side, own.square
    worst = 0.0
    for other in range(state.units):
        enemy = units[other]
        if enemy.side == side or enemy.square == records.NONE:
            continue
        kind = types[enemy.type]
        far, most = distance(tables, square, enemy.square), kind.most_range
        if most == 0 or far > most + (kind.mp if most == 1 else 0):
            continue
        worst = max(worst, expected_hits(tables, state, other, unit))
    return float(worst * tables.type[own.type].cost / (HIT_POINTS + 4))
