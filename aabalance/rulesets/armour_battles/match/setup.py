"""From a set-up to the tables and the first state of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import floor
from typing import Any, NamedTuple

import numpy as np

from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.board import BOARD, TURN_LIMIT, Army
from aabalance.rulesets.armour_battles.match.movement import put
from aabalance.rulesets.armour_battles.match.sight import SQUARE_IN, crosses, is_on_map
from aabalance.rulesets.armour_battles.shot import pools
from aabalance.rulesets.armour_battles.shot.pools import D6
from aabalance.rulesets.armour_battles.shot.resolve import DISPERSED_AT, reaction_target_number
from aabalance.rulesets.armour_battles.variant import Variant
from aabalance.rulesets.base.board import Ground
from aabalance.rulesets.base.match import Record, new, units_of, weigh

FACES = {"a": "E", "b": "W"}
"""Where units look that aren't told otherwise."""


class Names(NamedTuple):
    """What units and batteries are called: side and number (``a1``), ids of their cards, and those of the units."""

    units: list[str]
    batteries: list[str]
    ids: list[str]
    battery_ids: list[str]
    cards: list[Card]


def start(setup: Mapping[str, Any], cards: Mapping[str, Card], variant: Variant) -> tuple[Record, Record, Names]:
    """Return the tables, the first state and all names; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    asked = {"turn_limit": TURN_LIMIT, "units": (), "army": {}, **setup["board"], **setup}
    tables, state = _drawn(BOARD.rows(setup["board"])).copy(), new(records.STATE)
    tables.turn_limit = asked["turn_limit"]
    tables.no_cancel, tables.lower_band = variant.opposed == "no_cancel", variant.rally_boundary == "lower"
    tables.indirect_hit = ("any_success", "in_area", "net").index(variant.indirect_hit)
    tables.clears = ("regroup", "end_of_turn", "never").index(variant.suppression_clears)
    tables.first_face = 1 if variant.staff_faces == "1-6" else 2
    tables.once_a_pulse = variant.activations == "once_a_pulse"
    weigh(tables, records.WEIGHTS)
    tables.toll[:] = tolls(variant.opposed == "no_cancel")
    names = _place(tables, state, asked["units"], cards)
    _raise(tables, state, asked["army"])
    state.turn, state.winner, state.opened = 1, records.NOBODY, records.NONE
    state.firer = state.target = state.group.leader = state.group.unit = records.NONE
    for battery in state.battery:
        battery.aim = records.NONE
    return tables, state, names


def _write_card(row: Record, card: Card) -> None:
    """Write what a match needs of a card."""
    row.at_dice, row.artillery, row.points = card.at_dice, card.artillery_dice, card.points
    row.reaction, row.reaction_indirect = card.reaction_dice, card.reaction_to_batteries
    row.open_topped = card.open_topped
    row.reconnaissance, row.destroyer = card.class_ == "reconnaissance", card.class_ == "tank_destroyer"
    if card.ranges_in is not None:
        squared = [floor((Fraction(str(inches)) / SQUARE_IN) ** 2) for inches in card.ranges_in]
        row.reach = [min(d2, 2 * records.MOST_SQUARES**2) for d2 in squared]


def _place(tables: Record, state: Record, listed: Sequence[Mapping[str, Any]], cards: Mapping[str, Card]) -> Names:
    """Write all units and batteries, a's first, and return what they are called."""
    state.unit_at[:] = records.NONE
    names = Names([], [], [], [], [])
    for number, side in enumerate("ab"):
        for at, asked in enumerate((unit for unit in listed if unit["side"] == side), start=1):
            card, name = cards[asked["type"]], f"{side}{at}"
            if card.class_ == "battery":
                battery = int(tables.batteries)
                tables.battery_side[battery] = number
                _write_card(tables.battery_card[battery], card)
                tables.batteries += 1
                names.batteries.append(name)
                names.battery_ids.append(asked["type"])
                continue
            unit, square = int(tables.units), asked.get("at")
            tables.side[unit] = number
            _write_card(tables.card[unit], card)
            tables.units += 1
            tables.units_of_a += side == "a"
            names.units.append(name)
            names.ids.append(asked["type"])
            names.cards.append(card)
            own = state.unit[unit]
            own.at = records.RESERVE
            own.face = records.DIRECTIONS.index(asked.get("facing") or FACES[side])
            own.ambush, own.dp = asked.get("ambush", False), asked.get("dp", 0)
            own.suppressed = asked.get("suppressed", False)
            if square is not None:
                put(state, unit, square[0] + square[1] * int(tables.width))
    for own in state.unit[int(tables.units) :]:
        own.at = records.GONE
    return names


def _raise(tables: Record, state: Record, armies: Mapping[str, Any]) -> None:
    """Write what both armies have besides units; as many morale points as these, if nobody says."""
    for number, side in enumerate("ab"):
        army, units = tables.army[number], len(units_of(tables, number))
        for name, points in Army.model_validate(armies.get(side, {})):
            army[name] = units if points is None else points
        state.morale[number], state.staff[number] = army.morale, army.staff_orders


@cache
def tolls(no_cancel: bool) -> Any:
    """Return the disruption points of direct fire on the mean, at most as many as disperse a unit.

    The axes are those of `records.TABLES`; `no_cancel` is the rule switch of this name.
    """
    fire, reaction = records.MOST_FIRE_DICE + 1, records.MOST_REACTION_DICE + 1
    found = np.zeros(records.TABLES["toll"].shape)
    hits = np.arange(fire)[:, None] - (0 if no_cancel else np.arange(reaction)[None, :])
    points = np.clip(np.broadcast_to(hits, (fire, reaction)), 0, DISPERSED_AT)
    for suppressed in (False, True):
        theirs = _chances(reaction, reaction_target_number(suppressed))
        for needed in range(2, D6 + 1):
            found[:, needed, :, int(suppressed)] = _chances(fire, needed) @ points @ theirs.T
    return found


def _chances(sizes: int, needed: int) -> Any:
    """Return the chances of so many successes, in columns, of pools of so many dice, in rows."""
    found = np.zeros((sizes, sizes))
    for number in range(sizes):
        for successes, p in pools.successes(number, needed).items():
            found[number, successes] = float(p)
    return found


# --- the board --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _drawn(rows: Sequence[Sequence[Ground]]) -> Record:
    """Return tables that have the squares with their neighbours, and who sees whom, which takes longer than a match."""
    tables = new(records.TABLES)
    tables.width, tables.height = len(rows[0]), len(rows)
    tables.squares = tables.width * tables.height
    tables.adjacent[:] = records.NONE
    for square, (y, x) in enumerate(product(range(len(rows)), range(len(rows[0])))):
        ground = records.GROUNDS.index(rows[y][x].name)
        tables.x[square], tables.y[square], tables.ground[square] = x, y, ground
        tables.factor[square], tables.cover[square] = records.FACTORS[ground], ground in records.COVER
        for face, (dx, dy) in enumerate(records.STEPS):
            if is_on_map(tables, x + dx, y + dy):
                tables.adjacent[square, face] = square + dx + dy * len(rows[0])
    _look(tables)
    return tables


def _look(tables: Record) -> None:
    """Write who sees whom, and who is sheltered from whom, for each step from a square to another at once [B-27]."""
    wide, high = int(tables.width), int(tables.height)
    squares = np.arange(wide * high).reshape(high, wide)
    ground, cover = (tables[name][: wide * high].reshape(high, wide) for name in ("ground", "cover"))
    blocks, hill = np.isin(ground, records.HIGH), ground == records.HILL

    def seen(cells: Any, dx: int, dy: int, x: int, y: int) -> Any:
        """Return the cells that are x, y from each from which a step leads onto the map."""
        left, top = max(0, -dx) + x, max(0, -dy) + y
        return cells[top : top + high - abs(dy), left : left + wide - abs(dx)]

    for dx, dy in product(range(1 - wide, wide), range(1 - high, high)):
        if dx == dy == 0:
            continue
        here, there = seen(squares, dx, dy, 0, 0), seen(squares, dx, dy, dx, dy)
        low = ~(seen(hill, dx, dy, 0, 0) | seen(hill, dx, dy, dx, dy))
        blocked = np.zeros(here.shape, np.bool_)
        behind = seen(cover, dx, dy, dx, dy) > 0
        for x, y in crossed(dx, dy):
            blocked |= seen(blocks, dx, dy, x, y) | (seen(hill, dx, dy, x, y) & low)
            if max(abs(dx - x), abs(dy - y)) == 1:
                behind |= seen(cover, dx, dy, x, y) > 0
        uphill = seen(hill, dx, dy, dx, dy) & ~seen(hill, dx, dy, 0, 0)
        tables.sight[here, there], tables.shelter[here, there] = ~blocked, behind.astype(int) + uphill


@cache
def crossed(dx: int, dy: int) -> tuple[tuple[int, int], ...]:
    """Return the squares between the ends of a line that it crosses, as columns and rows from its first end."""
    box = product(range(min(0, dx), max(0, dx) + 1), range(min(0, dy), max(0, dy) + 1))
    return tuple((x, y) for x, y in box if crosses(dx, dy, x, y) and (x, y) not in ((0, 0), (dx, dy)))
